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
    """An ω-automaton: an automaton on infinite words. Immutable.

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
        """Translates an LTL formula into an automaton with the same language.

        Args:
            formula: the formula, in the syntax of ``docs/formats/ltl.md``.
            kind: ``"deterministic"`` or ``"ldba"`` (limit-deterministic Büchi).
            acceptance: ``"any"`` (the smallest automaton that is found), ``"buchi"``,
                ``"rabin"`` or ``"parity"``.
            state_based: put the same marks on all edges of a state.
            complete: give every state an edge for every letter.
            prism: read the formula with the grammar of PRISM's properties, in
                which ``F a & b`` means ``F (a & b)``.
            max_states: more states raise ``LimitError``; one million by default.
            max_seconds: a longer translation raises ``LimitError``, which names the subformula.
        """
        return cls._translate(formula, prism, kind, acceptance, state_based, complete, max_states, max_seconds)

    @classmethod
    def parse(cls, text: str) -> "Automaton":
        """Reads a text with one automaton in the Hanoi omega-automata format (HOA)."""
        return cls._one(text, "automaton")

    @classmethod
    def load(cls, path: Path) -> "Automaton":
        """Reads a HOA file with one automaton."""
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        return cls._one(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), os.fspath(path))

    @classmethod
    def parse_all(cls, text: str) -> List["Automaton"]:
        """Reads all automata of a text in HOA."""
        return cls._parse(text, "automaton")

    @classmethod
    def _one(cls, text: str, name: str) -> "Automaton":
        automata = cls._parse(text, name)
        if len(automata) != 1:
            found = "no automaton" if not automata else f"{len(automata)} automata"
            raise InputError(f"{name}: expected one automaton, found {found}", "argument")
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
        """Converts to a reduced automaton of another kind, with the same language.

        Args:
            kind: ``"any"`` (unchanged), ``"deterministic"`` or ``"ldba"``. The conversion does not
                determinise: an automaton that is not of this kind raises ``InputError``.
            acceptance, state_based, complete, max_states, max_seconds: as for ``translate``.
        """
        return self._convert(kind, acceptance, state_based, complete, max_states, max_seconds)

    def save(self, path: Path) -> None:
        """Writes ``to_hoa()`` to a file, atomically: on an error an existing file is unchanged."""
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
