# SPDX-License-Identifier: MIT
"""Automata on infinite words, from LTL and from HOA files."""
from __future__ import annotations

import os
from typing import Any, List, Optional, Tuple, Union

from . import _core
from ._html import automaton
from .errors import InputError

__all__ = ["Automaton"]

Path = Union[str, "os.PathLike[str]"]


@_core.adopt
class Automaton(_core.Automaton):
    """An automaton on infinite words. Immutable.

    >>> Automaton.translate("G F a").acceptance
    'Inf(0)'
    """

    __slots__ = ()

    @classmethod
    def translate(
        cls,
        formula: str,
        *,
        kind: str = "deterministic",
        acceptance: str = "any",
        state_based: bool = False,
        complete: bool = False,
        prism: bool = False,
        max_states: Optional[int] = None,
        max_seconds: Optional[float] = None,
    ) -> "Automaton":
        """An automaton that accepts exactly the words that satisfy an LTL formula.

        Args:
            kind: ``"deterministic"`` or ``"ldba"`` (limit-deterministic Büchi).
            acceptance: ``"any"`` (whatever is smallest), ``"buchi"``,
                ``"rabin"`` or ``"parity"``.
            state_based: marks are the same on all edges of a state.
            complete: every state has an edge for every letter.
            prism: the formula is in the grammar of PRISM's properties, in
                which ``F a & b`` is ``F (a & b)``.
            max_states: more are a ``LimitError``; one million by default.
            max_seconds: if it takes longer, a ``LimitError`` that names the subformula.
        """
        return cls._translate(formula, prism, kind, acceptance, state_based, complete, max_states, max_seconds)

    @classmethod
    def parse(cls, text: str) -> "Automaton":
        """The one automaton of a text in the Hanoi omega-automata format (HOA)."""
        return cls._one(text, "automaton")

    @classmethod
    def load(cls, path: Path) -> "Automaton":
        """The one automaton of a HOA file."""
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        return cls._one(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), os.fspath(path))

    @classmethod
    def parse_all(cls, text: str) -> List["Automaton"]:
        """All automata of a text."""
        return cls._parse(text, "automaton")

    @classmethod
    def _one(cls, text: str, name: str) -> "Automaton":
        automata = cls._parse(text, name)
        if len(automata) != 1:
            found = "no automaton" if not automata else f"{len(automata)} automata"
            raise InputError(f"{name}: one automaton is expected, and there is {found}", "argument")
        return automata[0]

    def convert(
        self,
        *,
        kind: str = "any",
        acceptance: str = "any",
        state_based: bool = False,
        complete: bool = False,
        max_states: Optional[int] = None,
        max_seconds: Optional[float] = None,
    ) -> "Automaton":
        """An automaton with the same language, reduced, of another kind.

        Args:
            kind: ``"any"`` (as it is), ``"deterministic"`` or ``"ldba"``. Nothing is
                determinised: a kind that cannot be had is an ``InputError``.
        """
        return self._convert(kind, acceptance, state_based, complete, max_states, max_seconds)

    def save(self, path: Path) -> None:
        """Writes ``to_hoa()`` to a file, which is replaced whole or stays as it was."""
        _core.write_file(path, self.to_hoa())

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self).parse, (self.to_hoa(),))

    def __copy__(self) -> "Automaton":
        return self

    def __deepcopy__(self, memo: Any) -> "Automaton":
        return self

    def __repr__(self) -> str:
        name = f" of {self.name!r}" if self.name else ""
        states = "1 state" if self.states == 1 else f"{self.states} states"
        return f"<Automaton{name}: {states}, {self.acceptance_name}>"

    def _repr_html_(self) -> str:
        return automaton(self)
