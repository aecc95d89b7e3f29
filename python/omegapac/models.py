# SPDX-License-Identifier: MIT
"""Markov chains and Markov decision processes."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from . import _core
from ._html import listing
from .results import decode

__all__ = ["Model"]

Path = Union[str, "os.PathLike[str]"]
Constant = Union[bool, int, float, str]
Constants = Union[str, Mapping[str, Constant], None]
Branches = Union[Mapping[int, Any], Iterable[Tuple[int, Any]]]
Value = Union[bool, int]


def constants_text(constants: Constants) -> Optional[str]:
    """Writes ``{"N": 3, "ready": True}`` as the library reads it: ``"N=3,ready=true"``."""
    if constants is None or isinstance(constants, str):
        return constants or None
    shown = []
    for name, value in constants.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        shown.append(f"{name}={text}")
    return ",".join(shown) or None


def _choices(choices: Sequence[Branches], names: Optional[Sequence[str]]) -> Iterator[Tuple[str, Any]]:
    """The choices of a state, each with its name and an iterable of pairs (target, probability)."""
    if names is not None and len(names) != len(choices):
        raise ValueError(f"actions: {len(names)} names for a state with {len(choices)} choices")
    for i, branches in enumerate(choices):
        pairs = branches.items() if isinstance(branches, Mapping) else map(tuple, branches)
        yield "" if names is None else names[i], pairs


def _variables(
    variables: Mapping[str, Sequence[Value]], count: int
) -> Tuple[List[Tuple[str, bool, int, int]], List[Tuple[int, ...]]]:
    """The range of each variable, and the values of all variables in each state."""
    ranges = []
    for name, values in variables.items():
        if len(values) != count:
            raise ValueError(f"variables: {name!r} has {len(values)} values for {count} states")
        if all(isinstance(value, bool) for value in values):
            ranges.append((name, True, 0, 1))
        else:
            ranges.append((name, False, min(map(int, values)), max(map(int, values))))
    rows = [tuple(int(values[s]) for values in variables.values()) for s in range(count)]
    return ranges, rows


@_core.adopt
class Model(_core.Model):
    """A Markov chain or a Markov decision process. Immutable; states are numbered from 0."""

    __slots__ = ()

    @classmethod
    def load(
        cls,
        path: Path,
        constants: Constants = None,
        format: Optional[str] = None,
        *,
        exact: bool = False,
        commands: bool = False,
        max_states: Optional[int] = None,
        max_memory: Optional[int] = None,
    ) -> "Model":
        """Reads a model file in the PRISM language, PRISM's explicit format (.tra with .lab and .sta) or DRN.

        Args:
            path: the file.
            constants: values of the model's constants, ``{"N": 3}`` or ``"N=3"``.
            format: ``"prism"``, ``"tra"`` or ``"drn"``; by default it is detected from the suffix
                and the contents.
            exact: keep probabilities as fractions, for ``check(exact=True)``.
            commands: keep the commands of a program in the PRISM language, for ``learn(alike=True)``.
            max_states: more states raise ``LimitError``; 50 million by default.
            max_memory: a limit in bytes on the memory of the model under construction.
        """
        text = constants_text(constants)
        if format is None:
            return cls._load(path, text, exact, commands, max_states, max_memory)
        with open(path, encoding="utf-8") as file:
            return cls._parse(file.read(), format, text, exact, commands, max_states, max_memory)

    @classmethod
    def parse(
        cls,
        text: str,
        format: Optional[str] = "prism",
        constants: Constants = None,
        *,
        exact: bool = False,
        commands: bool = False,
        max_states: Optional[int] = None,
        max_memory: Optional[int] = None,
    ) -> "Model":
        """Reads a model from a text; ``format=None`` detects the format from the first characters.

        The other arguments are those of ``load``.
        """
        return cls._parse(text, format, constants_text(constants), exact, commands, max_states, max_memory)

    @classmethod
    def build(
        cls,
        transitions: Sequence[Sequence[Branches]],
        *,
        labels: Optional[Mapping[str, Iterable[int]]] = None,
        initial: Union[int, Iterable[int]] = 0,
        actions: Optional[Sequence[Optional[Sequence[str]]]] = None,
        variables: Optional[Mapping[str, Sequence[Value]]] = None,
        type: Optional[str] = None,
        exact: bool = False,
    ) -> "Model":
        """Builds a model from Python values.

        >>> Model.build([[{0: 0.1, 1: 0.9}], [{1: 1}]], labels={"goal": [1]})
        <Model: dtmc, 2 states, 2 choices, 3 transitions>

        Args:
            transitions: for each state a list of its choices; each choice maps
                successors to probabilities, as a dict or as pairs. A ``Fraction``
                stays exact. A state without choices is a deadlock: it gets a
                self-loop, with an ``InputWarning``.
            labels: for each label the states in which it holds.
            initial: the initial state, or several.
            actions: for each state the names of its choices, or ``None``.
            variables: for each variable its value in each state (all ``bool``, or all ``int``).
            type: ``"mdp"`` or ``"dtmc"``; by default ``"dtmc"`` if no state has
                two choices.
            exact: keep probabilities as fractions, for ``check(exact=True)``.
        """
        count = len(transitions)
        if type is None:
            type = "mdp" if any(len(choices) > 1 for choices in transitions) else "dtmc"
        if type not in ("mdp", "dtmc"):
            raise ValueError(f"type must be 'mdp' or 'dtmc', not {type!r}")
        if actions is not None and len(actions) != count:
            raise ValueError(f"actions: {len(actions)} lists of names for {count} states")
        ranges, rows = _variables(variables or {}, count)
        states = (
            (rows[s], _choices(choices, None if actions is None else actions[s]))
            for s, choices in enumerate(transitions)
        )
        starts = initial if isinstance(initial, Iterable) else (initial,)
        return cls._build(type == "mdp", ranges, states, starts, (labels or {}).items(), exact)

    def save(self, path: Path) -> None:
        """Writes the model as ``.drn``, or as ``.tra`` with ``.lab`` and ``.sta`` beside it.

        Reading the files gives the same model, state by state. Therefore a model without variables is not
        written beside an existing ``.sta`` of another model, which raises ``FileExistsError``.
        """
        base, suffix = os.path.splitext(os.fspath(path))
        if suffix not in (".drn", ".tra"):
            raise ValueError(f"a model file must end in .drn or .tra, not in {suffix!r}")
        if suffix == ".tra":
            if self.variables:
                self._save(base + ".sta", "sta")
            elif os.path.lexists(base + ".sta"):
                raise FileExistsError(
                    f"{base + '.sta'!r} exists and would be read with the new .tra, but this model has no variables: "
                    "remove it first"
                )
            self._save(base + ".lab", "lab")
        self._save(path, suffix[1:])

    def info(self) -> Dict[str, Any]:
        """Returns sizes, end components and further properties: the member ``model`` of ``omegapac info --json``.

        The time is that of the decomposition into end components.
        """
        found: Dict[str, Any] = decode(self._info())["model"]
        return found

    def __reduce__(self) -> NoReturn:
        raise TypeError("a model cannot be pickled: load it in each process, or save it to a file first")

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    def __repr__(self) -> str:
        def count(number: int, noun: str) -> str:
            return f"{number} {noun}{'' if number == 1 else 's'}"

        return (
            f"<Model: {self.type}, {count(self.states, 'state')}, {count(self.choices, 'choice')}, "
            f"{count(self.transitions, 'transition')}>"
        )

    def _repr_html_(self) -> str:
        rows: List[Tuple[str, Any]] = [
            ("type", self.type),
            ("states", self.states),
            ("choices", self.choices),
            ("transitions", self.transitions),
            ("initial states", len(self.initial)),
            ("labels", ", ".join(self.labels)),
        ]
        if self.variables:
            rows.append(("variables", ", ".join(self.variables)))
        if self.actions:
            rows.append(("actions", ", ".join(self.actions)))
        return listing("Model", rows)
