# SPDX-License-Identifier: MIT
"""The states of a Gymnasium environment and their labels.

An observation is converted to a plain hashable value (`plain`): arrays become nested tuples, dicts
become sorted tuples of pairs, numbers become Python's own. If the labels are a function of the
observation alone, this value is the state. If they are a function of the transition, the state is the
pair of value and letter, because the automaton reads the letter of a state, so that states with
different letters must differ. An observation that terminates its episode becomes a state of its own,
`Terminal`, which is absorbing.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Optional

from .errors import SimulatorError

_ATOMS = (int, str, bytes, type(None))


class Terminal:
    """The absorbing state after `terminated`; `state` is the last state of the episode."""

    __slots__ = ("state",)

    def __init__(self, state: Hashable) -> None:
        self.state = state

    def __repr__(self) -> str:
        return f"terminal({self.state!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terminal) and self.state == other.state

    def __hash__(self) -> int:
        return hash((Terminal, self.state))


def _type_error(value: object, reason: str) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"an observation contains a value of type {kind}, {reason}: give key=, a function that maps "
        "observations to discrete values (an int, a str, or a tuple of these)"
    )


def plain(value: Any, floats: bool = False) -> Hashable:
    """Converts a value to a hashable one with the same repr in every run; TypeError if impossible.

    Floats raise TypeError unless `floats` is set: in a continuous observation a state never occurs twice.
    """
    if type(value) in _ATOMS:
        atom: Hashable = value
        return atom
    if isinstance(value, float):
        if floats:
            return float(value)
        raise _type_error(value, "which is continuous")
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
        raise _type_error(value, "which is not hashable") from None
    if getattr(type(value), "__repr__") is object.__repr__:
        raise _type_error(value, "whose repr is an address, which differs between runs")
    atom = value
    return atom


def plain_with_floats(state: Any) -> Hashable:
    """Converts a state, or an observation of Gymnasium, to the state that policies know."""
    return plain(state, floats=True)


_FORMS = "labels(obs), labels(obs, action, next_obs), or these with reward, or reward and info"


def _arity(function: Callable[..., Any]) -> int:
    """The number of arguments of a label function, 1, 3, 4 or 5; TypeError for others."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins have no signature
        return 1
    positional = [p for p in parameters
                  if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    count = sum(p.default is p.empty for p in positional)
    is_variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if count == 0 and positional and not is_variadic:
        count = 1
    if is_variadic or count not in (1, 3, 4, 5):
        name = getattr(function, "__name__", "function")
        raise TypeError(f"{name} has the wrong number of parameters for labels: expected {_FORMS}")
    return count


def _as_names(returned: Any) -> Iterable[str]:
    """The names in the return value of a label function: None, a str or several."""
    if returned is None or returned == "":
        return ()
    names: Iterable[str] = (returned,) if isinstance(returned, str) else returned
    return names


class Labeller:
    """Computes the names that hold, from a function, from {name: observations or predicate}, or from
    the names that always hold. `arity` is the largest number of arguments of its functions."""

    def __init__(self, source: Any, parameter: str = "labels") -> None:
        self.parameter = parameter  # the parameter of wrap() that it implements, for messages
        self.names: Optional[list[str]] = None  # all names that it can return; None if unknown
        self.listed: list[tuple[str, Hashable]] = []  # pairs of a name and an observation in which it holds
        self._evaluate: Callable[[Sequence[Any]], Any]
        if isinstance(source, Mapping):
            self.names = list(source)
            tests = [(name, *self._test(name, given)) for name, given in source.items()]
            self.arity = max((arity for _, arity, _ in tests), default=1)
            self._evaluate = lambda transition: [
                name for name, arity, test in tests if test(*_arguments(transition, arity))]
        elif callable(source):
            self.arity = _arity(source)
            self._evaluate = lambda transition: source(*_arguments(transition, self.arity))
        elif parameter != "labels" and isinstance(source, (str, Collection)):
            always = tuple(_as_names(source))
            self.names = list(always)
            self.arity = 1
            self._evaluate = lambda transition: always
        else:
            raise TypeError(f"{parameter} must be a function or a mapping from names to observations, such as "
                            f"{{'goal': [15]}}, not {type(source).__name__}")

    def _test(self, name: Any, given: Any) -> tuple[int, Callable[..., Any]]:
        if not isinstance(name, str):
            raise TypeError(f"{self.parameter} must map names to observations; {name!r} is not a str")
        if callable(given):
            return _arity(given), given
        observations = _observations(given)
        self.listed += [(name, observation) for observation in observations]
        if isinstance(given, tuple):  # (5, 7) may be two observations or one: the other reading never occurs
            observations.append(plain(given, floats=True))
        return 1, frozenset(observations).__contains__

    def letter(self, order: Mapping[str, int], *transition: Any) -> tuple[str, ...]:
        """The names that hold, in the order of the propositions. transition: before, action, after,
        reward, info; all but `after` are None at the start of an episode."""
        names = set(_as_names(self._evaluate(transition)))
        for name in names:
            if name not in order:
                raise ValueError(f"{self.parameter} returned {name!r}, which is not one of the propositions "
                                 f"{', '.join(map(repr, order))}")
        return tuple(sorted(names, key=order.__getitem__))


def _arguments(transition: Sequence[Any], arity: int) -> Sequence[Any]:
    return (transition[2],) if arity == 1 else transition[:arity]


def _observations(given: Any) -> list[Hashable]:
    """The observations of a name: several, or one."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return [plain(given, floats=True)]
    return [plain(item, floats=True) for item in given]


class StateMap:
    """Maps observations and transitions to states; shared by all instances of an environment."""

    def __init__(self, labels: Any, propositions: Optional[Iterable[str]], terminal: Any,
                 key: Optional[Callable[[Any], Any]], fixed_start: bool = False) -> None:
        self._labeller = Labeller(labels)
        self._terminal = self._labeller if terminal is None else Labeller(terminal, "terminal")
        self.propositions = _propositions(propositions, self._labeller, self._terminal)
        self._order = {name: i for i, name in enumerate(self.propositions)}
        self.key = key
        self.fixed_start = fixed_start  # whether all episodes start in the same state
        self._start: Optional[tuple[Hashable]] = None
        self.arity = max(self._labeller.arity, self._terminal.arity)
        self.has_transition_labels = self.arity > 1

    @property
    def listed(self) -> list[tuple[str, Hashable]]:
        """Pairs of a name and an observation in which it holds, from the mappings that the user gave."""
        return self._labeller.listed + (self._terminal.listed if self._terminal is not self._labeller else [])

    def convert(self, observation: Any) -> Hashable:
        """The observation as a plain value."""
        if type(observation) is int and self.key is None:
            return observation
        if self.key is not None:
            return plain(self.key(observation), floats=True)
        return plain(observation)

    def after(self, before: Any, action: Any, after: Any, reward: Any, info: Any,
              terminated: bool) -> Hashable:
        """The state after a transition between plain observations."""
        state: Hashable = after
        if self.has_transition_labels:
            labeller = self._terminal if terminated else self._labeller
            state = (after, labeller.letter(self._order, before, action, after, reward, info))
        return Terminal(state) if terminated else state

    def initial(self, observation: Hashable) -> Hashable:
        """The state in which an episode begins."""
        state = self.after(None, None, observation, None, None, False)
        if self.fixed_start:
            self._start = self._start or (state,)
            if self._start[0] != state:
                raise SimulatorError(f"start='fixed', but episodes started in {self._start[0]!r} "
                                     f"and in {state!r}: omit start=", "simulator")
        return state

    def labels(self, state: Any) -> tuple[str, ...]:
        """The names that hold in a state."""
        labeller = self._labeller
        if isinstance(state, Terminal):
            labeller, state = self._terminal, state.state
        if self.has_transition_labels:
            letter: tuple[str, ...] = state[1]
            return letter
        return labeller.letter(self._order, None, None, state)


def _propositions(given: Optional[Iterable[str]], *labellers: Labeller) -> tuple[str, ...]:
    if given is None:
        if any(labeller.names is None for labeller in labellers):
            raise TypeError("labels is a function: give propositions=, all names that it can return")
        given = [name for labeller in labellers for name in labeller.names or ()]
    elif isinstance(given, str):
        raise TypeError("propositions must be a sequence of names, not one str")
    names = tuple(dict.fromkeys(given))
    for name in names:
        if not isinstance(name, str) or not name:
            raise TypeError(f"propositions must be nonempty strings, not {name!r}")
    return names
