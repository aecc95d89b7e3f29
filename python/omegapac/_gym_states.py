# SPDX-License-Identifier: MIT
"""What a state of a Gymnasium environment is, and which names hold in it.

An observation becomes a plain hashable value (`plain`): arrays become nested tuples, dicts
sorted tuples of pairs, numbers Python's own. Where the names are a function of the observation
alone, that value is the state. Where they are a function of the transition, the letter is part of
the state's identity, which is the pair of value and letter: the product reads the letter of a
state, so two states that are read differently must be two. An observation that ended its episode
is a state of its own, `Terminal`, since nothing can happen after it.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Optional

from .errors import SimulatorError

_ATOMS = (int, str, bytes, type(None))


class Terminal:
    """The absorbing state in which an episode has ended; `state` is what it ended in."""

    __slots__ = ("state",)

    def __init__(self, state: Hashable) -> None:
        self.state = state

    def __repr__(self) -> str:
        return f"terminal({self.state!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terminal) and self.state == other.state

    def __hash__(self) -> int:
        return hash((Terminal, self.state))


def _refuse(value: object, why: str) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"an observation holds a value of type {kind}, {why}: give key=, a function that makes "
        "something discrete of it (an int, a str, or a tuple of such)"
    )


def plain(value: Any, floats: bool = False) -> Hashable:
    """The value as something hashable that reads the same in every run; TypeError if there is none.

    Floating point numbers are refused unless `floats`: they are what continuous observations are
    made of, and no state of those comes twice.
    """
    if type(value) in _ATOMS:
        kept: Hashable = value
        return kept
    if isinstance(value, float):
        if floats:
            return float(value)
        raise _refuse(value, "which has no finite number of states")
    if isinstance(value, Mapping):
        pairs = [(plain(k, floats), plain(v, floats)) for k, v in value.items()]
        return tuple(sorted(pairs, key=lambda pair: repr(pair[0])))
    if hasattr(value, "tolist"):  # NumPy's arrays and scalars
        return plain(value.tolist(), floats)
    if isinstance(value, (list, tuple)):
        return tuple([plain(item, floats) for item in value])
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((plain(item, floats) for item in value), key=repr))
    if isinstance(value, int):  # bool, enumerations
        return int(value)
    try:
        hash(value)
    except TypeError:
        raise _refuse(value, "which is not hashable") from None
    if getattr(type(value), "__repr__") is object.__repr__:
        raise _refuse(value, "whose repr is an address, another one in every run")
    kept = value
    return kept


def spelled(state: Any) -> Hashable:
    """A state for a policy, of one, or of an observation as Gymnasium gives it."""
    return plain(state, floats=True)


_FORMS = "labels(obs), labels(obs, action, next_obs), or these with reward, or reward and info"


def _arity(function: Callable[..., Any]) -> int:
    """How many arguments it wants: 1, 3, 4 or 5; TypeError for others."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins do not tell
        return 1
    positional = [p for p in parameters
                  if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    count = sum(p.default is p.empty for p in positional)
    open_ended = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if count == 0 and positional and not open_ended:
        count = 1
    if open_ended or count not in (1, 3, 4, 5):
        name = getattr(function, "__name__", "function")
        raise TypeError(f"{name} cannot be called as a function of labels: expected {_FORMS}")
    return count


def _as_names(said: Any) -> Iterable[str]:
    if said is None or said == "":
        return ()
    names: Iterable[str] = (said,) if isinstance(said, str) else said
    return names


class Reader:
    """Says which names hold: made of a function, of {name: observations or predicate}, or of the
    names that always do. `arity` is how much of a transition it has to see."""

    def __init__(self, source: Any, what: str = "labels") -> None:
        self.what = what
        self.names: Optional[list[str]] = None  # those that it can say, if it is known
        self.places: list[tuple[str, Hashable]] = []  # names with observations in which they hold
        self._say: Callable[[Sequence[Any]], Any]
        if isinstance(source, Mapping):
            self.names = list(source)
            tests = [(name, *self._test(name, given)) for name, given in source.items()]
            self.arity = max((arity for _, arity, _ in tests), default=1)
            self._say = lambda seen: [name for name, arity, test in tests if test(*_cut(seen, arity))]
        elif callable(source):
            self.arity = _arity(source)
            self._say = lambda seen: source(*_cut(seen, self.arity))
        elif what != "labels" and isinstance(source, (str, Collection)):
            always = tuple(_as_names(source))
            self.names = list(always)
            self.arity = 1
            self._say = lambda seen: always
        else:
            raise TypeError(f"{what} must be a function or a mapping from names to observations, as "
                            f"{{'goal': [15]}}, not {type(source).__name__}")

    def _test(self, name: Any, given: Any) -> tuple[int, Callable[..., Any]]:
        if not isinstance(name, str):
            raise TypeError(f"{self.what} maps names to observations; {name!r} is not a name")
        if callable(given):
            return _arity(given), given
        where = _places(given)
        self.places += [(name, place) for place in where]
        if isinstance(given, tuple):  # several observations, (5, 7), or one, (x, y): what is not meant is none
            where.append(plain(given, floats=True))
        return 1, frozenset(where).__contains__

    def letter(self, order: Mapping[str, int], *seen: Any) -> tuple[str, ...]:
        """The names that hold, in the order of the propositions. seen: before, action, after,
        reward, info; before and what follows are None at the start of an episode."""
        said = set(_as_names(self._say(seen)))
        for name in said:
            if name not in order:
                raise ValueError(f"{self.what} says {name!r}, which is none of the propositions "
                                 f"{', '.join(map(repr, order))}")
        return tuple(sorted(said, key=order.__getitem__))


def _cut(seen: Sequence[Any], arity: int) -> Sequence[Any]:
    return (seen[2],) if arity == 1 else seen[:arity]


def _places(given: Any) -> list[Hashable]:
    """The observations of a name: several, or one."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return [plain(given, floats=True)]
    return [plain(item, floats=True) for item in given]


class View:
    """Turns what an environment returns into states; shared by all that run the same one."""

    def __init__(self, labels: Any, propositions: Optional[Iterable[str]], terminal: Any,
                 key: Optional[Callable[[Any], Any]], fixed: bool = False) -> None:
        self._reader = Reader(labels)
        self._end = self._reader if terminal is None else Reader(terminal, "terminal")
        self.propositions = _propositions(propositions, self._reader, self._end)
        self._order = {name: i for i, name in enumerate(self.propositions)}
        self.key = key
        self.fixed = fixed  # whether all episodes start in one state
        self._first: Optional[tuple[Hashable]] = None
        self.arity = max(self._reader.arity, self._end.arity)
        self.of_transitions = self.arity > 1

    @property
    def places(self) -> list[tuple[str, Hashable]]:
        """Names with observations in which they are said to hold."""
        return self._reader.places + (self._end.places if self._end is not self._reader else [])

    def see(self, observation: Any) -> Hashable:
        """The observation as a plain value."""
        if type(observation) is int and self.key is None:
            return observation
        if self.key is not None:
            return plain(self.key(observation), floats=True)
        return plain(observation)

    def state(self, before: Any, action: Any, after: Any, reward: Any, info: Any,
              terminated: bool) -> Hashable:
        """The state that a transition leads to, of plain observations."""
        state: Hashable = after
        if self.of_transitions:
            reader = self._end if terminated else self._reader
            state = (after, reader.letter(self._order, before, action, after, reward, info))
        return Terminal(state) if terminated else state

    def start(self, observation: Hashable) -> Hashable:
        """The state in which an episode begins."""
        state = self.state(None, None, observation, None, None, False)
        if self.fixed:
            self._first = self._first or (state,)
            if self._first[0] != state:
                raise SimulatorError(f"start='fixed', but episodes started in {self._first[0]!r} "
                                     f"and in {state!r}: leave start= out", "simulator")
        return state

    def labels(self, state: Any) -> tuple[str, ...]:
        """The names that hold in a state."""
        reader = self._reader
        if isinstance(state, Terminal):
            reader, state = self._end, state.state
        if self.of_transitions:
            letter: tuple[str, ...] = state[1]
            return letter
        return reader.letter(self._order, None, None, state)


def _propositions(given: Optional[Iterable[str]], *readers: Reader) -> tuple[str, ...]:
    if given is None:
        if any(reader.names is None for reader in readers):
            raise TypeError("labels is a function: give propositions=, the names that it can say")
        given = [name for reader in readers for name in reader.names or ()]
    elif isinstance(given, str):
        raise TypeError("propositions must be a sequence of names, not one str")
    names = tuple(dict.fromkeys(given))
    for name in names:
        if not isinstance(name, str) or not name:
            raise TypeError(f"propositions are names; {name!r} is none")
    return names
