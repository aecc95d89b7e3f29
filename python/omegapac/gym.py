# SPDX-License-Identifier: MIT
"""Gymnasium environments as environments to learn on, and as exact models.

    import omegapac as op
    import omegapac.gym

    env = op.gym.wrap("FrozenLake-v1", {"goal": [15], "hole": [5, 7, 11, 12]})
    result = op.learn(env, "F goal & G !hole", epsilon=0.1, delta=0.1, pmin=1/3)

`wrap` takes whatever has Gymnasium's `reset`, `step` and spaces; Gymnasium itself is imported only
to make an environment from its name, and for vector environments. See docs/gymnasium.md.
"""
from __future__ import annotations

import copy
import inspect
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional, Union

from ._gym_spaces import Actions, check_observations, check_places, is_called, offer
from ._gym_states import Terminal, View
from ._gym_states import spelled as plain
from .errors import SimulatorError

if TYPE_CHECKING:
    from . import Model
    from ._gym_vector import Asynchronous, Separate

__all__ = ["Environment", "Terminal", "VectorEnvironment", "model", "plain", "wrap"]

_DENOMINATOR_MOST = 10_000
_ROUNDING = Fraction(1, 10**15)  # some units in the last place of a sum below 1

Probability = Union[float, Fraction]


class Environment:
    """A Gymnasium environment as `omegapac.learn` takes it; made by `wrap`.

    States are plain observations (`15`), pairs of observation and names when the names depend on
    the transition (`(36, ('fall',))`), or `Terminal` of these.
    """

    _spell = staticmethod(plain)  # policies take observations as Gymnasium gives them

    def __init__(self, env: Any, view: View, choices: Sequence[Any], *,
                 names: Optional[Sequence[str]] = None, goes_on: bool = False,
                 again: Optional[Callable[[], Any]] = None) -> None:
        self._env = env
        self._view = view
        self._choices = choices
        self._names = names
        self._goes_on = goes_on
        self._again = again
        self._seen: Any = None  # the plain observation; None outside an episode
        self._steps = 0
        self.propositions = view.propositions
        self.random_start = not view.fixed
        self.columns = _columns(self.unwrapped) if view.key is None else None

    @property
    def name(self) -> str:
        """What Gymnasium calls it, as "FrozenLake-v1"; else the name of its class."""
        spec = getattr(self._env, "spec", None)
        return str(spec.id) if spec is not None else type(self.unwrapped).__name__

    def __repr__(self) -> str:
        names = ", ".join(self.propositions) or "no"
        return f"<{type(self).__name__}: {self.name}, names {names}, {len(self._choices)} actions>"

    @property
    def unwrapped(self) -> Any:
        """The Gymnasium environment below all wrappers."""
        return getattr(self._env, "unwrapped", self._env)

    def reset(self, seed: int) -> Hashable:
        """A new episode; all that is random in it follows from the seed."""
        answer = self._env.reset(seed=seed)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise SimulatorError(f"reset returned {_shape(answer)}, not (observation, info): {_OLD}", "simulator")
        self._seen = self._view.see(answer[0])
        self._steps = 0
        return self._view.start(self._seen)

    def step(self, action: int) -> Hashable:
        """Takes an action, by its number from 0, and returns the state it leads to."""
        if self._seen is None:
            raise SimulatorError("no episode is under way: reset comes first", "simulator")
        taken = self.action(action)
        answer = self._env.step(taken)
        try:
            observation, reward, terminated, truncated, info = answer
        except (TypeError, ValueError):
            raise SimulatorError(f"step returned {_shape(answer)}, not (observation, reward, terminated, "
                                 f"truncated, info): {_OLD}", "simulator") from None
        before = self._seen
        after = self._view.see(observation)
        self._steps += 1
        if truncated and not terminated and not self._goes_on:
            raise SimulatorError(_cut_short(self._steps), "simulator")
        self._seen = None if terminated else after
        if self._view.of_transitions:
            return self._view.state(before, taken, after, reward, info, bool(terminated))
        return Terminal(after) if terminated else after

    def labels(self, state: Hashable) -> tuple[str, ...]:
        """The names that hold in a state."""
        return self._view.labels(state)

    def actions(self, state: Hashable) -> Union[int, Sequence[str]]:
        """The number of actions in a state, or their names; none where an episode has ended."""
        if isinstance(state, Terminal):
            return 0
        return self._names if self._names is not None else len(self._choices)

    def action(self, number: int) -> Any:
        """An action as the Gymnasium environment takes it."""
        if number < 0:
            raise IndexError("no such action")
        return self._choices[number]

    def fork(self) -> Environment:
        """Another instance, for another thread."""
        other = copy.copy(self)
        other._env = self._again() if self._again else _duplicate(self._env)
        other._seen = None
        return other

    def close(self) -> None:
        """Closes the Gymnasium environment."""
        close = getattr(self._env, "close", None)
        if close is not None:
            close()


class VectorEnvironment(Environment):
    """Several episodes side by side; made by `wrap` of a vector environment, or with `lanes=`."""

    def __init__(self, single: Environment, lanes: Union[Separate, Asynchronous]) -> None:
        self.__dict__.update(single.__dict__)
        self._lanes = lanes
        self.lanes: int = lanes.count

    def step_many(self, orders: Sequence[tuple[str, int]]) -> list[Hashable]:
        """An order for each lane, ("reset", seed) or ("step", action); the states in that order."""
        if len(orders) != self.lanes:
            raise ValueError(f"{len(orders)} orders for {self.lanes} lanes")
        return self._lanes.run(orders)

    def fork(self) -> Environment:
        """Another instance, for another thread: of one lane's kind, alone."""
        single = Environment.__new__(Environment)
        single.__dict__.update({k: v for k, v in self.__dict__.items()
                                if k not in ("_lanes", "lanes")})
        return single.fork()

    def close(self) -> None:
        """Closes all of them."""
        self._lanes.close()
        super().close()


def wrap(env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
         terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
         start: str = "random", truncated: str = "error",
         actions: Actions = None, lanes: Optional[int] = None,
         **make: Any) -> Environment:
    """An environment to learn on, of a Gymnasium environment or the name of one.

    env           the environment, its name (then **make goes to `gymnasium.make`), or a
                  SyncVectorEnv or AsyncVectorEnv
    labels        which names hold: {name: observations, or a function that says whether}, or a
                  function labels(obs) or labels(obs, action, next_obs[, reward[, info]]) that
                  returns names. In the latter forms obs, action, reward and info are None
                  at the start of an episode, and the letter becomes part of the state
    propositions  all names that labels can say; needed when it is a function
    terminal      the same for the absorbing state after `terminated`; None: as labels says
    key           makes something discrete of an observation; labels sees what it returns
    start         "random", or "fixed": every episode starts in the same state
    truncated     "error", or "continue": the environment can be stepped on after it said
                  `truncated`. Time limits that `gymnasium.make` adds are taken off
    actions       names for the actions, in their order; or {name: action}, which offers these alone
    lanes         so many episodes side by side, in as many instances
    """
    if start not in ("random", "fixed"):
        raise ValueError(f"start must be 'random' or 'fixed', not {start!r}")
    if truncated not in ("error", "continue"):
        raise ValueError(f"truncated must be 'error' or 'continue', not {truncated!r}")
    view = View(labels, propositions, terminal, key, start == "fixed")
    goes_on = truncated == "continue"
    if hasattr(env, "num_envs"):
        if lanes is not None or make:
            raise TypeError("a vector environment has its own lanes and settings")
        return _wrap_vector(env, view, actions, goes_on)
    simulator, again = _open(env, make)
    single = _single(simulator, view, actions, goes_on, again)
    if lanes is None:
        return single
    from ._gym_vector import Separate

    return VectorEnvironment(single, Separate([single.fork() for _ in range(lanes)]))


def _single(simulator: Any, view: View, actions: Actions, goes_on: bool,
            again: Optional[Callable[[], Any]]) -> Environment:
    check_observations(getattr(simulator, "observation_space", None), view)
    check_places(getattr(simulator, "observation_space", None), view)
    choices, names = offer(getattr(simulator, "action_space", None), actions)
    return Environment(simulator, view, choices, names=names, goes_on=goes_on, again=again)


def _wrap_vector(env: Any, view: View, actions: Actions,
                 goes_on: bool) -> Environment:
    from ._gym_vector import Asynchronous, Separate, kind_of
    kind = kind_of(env)

    def again() -> Any:
        return _untimed(env.env_fns[0]())

    if kind == "sync":
        lanes = [_single(_untimed(each), view, actions, goes_on, again) for each in env.envs]
        return VectorEnvironment(lanes[0].fork(), Separate(lanes))
    one = env.env_fns[0]()
    single = _single(_untimed(one), view, actions, goes_on, again)
    return VectorEnvironment(single, Asynchronous(env, view, single, goes_on, _is_timed(one)))


_OLD = "an environment of Gym before 0.26 must be changed, or wrapped, to be one of Gymnasium"


def _shape(answer: Any) -> str:
    """For people."""
    if isinstance(answer, tuple):
        return f"a tuple of {len(answer)}"
    return "None" if answer is None else f"a value of type {type(answer).__name__}"


def _columns(inner: Any) -> Optional[int]:
    """Of a grid whose places are numbered along its rows, as those of FrozenLake and CliffWalking."""
    columns = getattr(inner, "ncol", None)
    shape = getattr(inner, "shape", None)
    if columns is None and isinstance(shape, tuple) and len(shape) == 2:
        columns = shape[1]
    return columns if isinstance(columns, int) and 0 < columns <= 1000 else None


def _cut_short(steps: int) -> str:
    return (f"the environment cut an episode short after {steps} steps (truncated): a time limit is "
            "no end of an episode; take the limit off, or pass truncated='continue' if it can be "
            "stepped on")


# ---- opening, and taking off time limits ----

def _open(env: Any, make: Mapping[str, Any]) -> tuple[Any, Optional[Callable[[], Any]]]:
    """The environment without time limit, and how to make another (None: by copying)."""
    named = isinstance(env, str) or hasattr(env, "entry_point")  # a name, or an EnvSpec
    if not named:
        if make:
            raise TypeError(f"wrap() got {', '.join(make)} for an environment that is made already")
        if isinstance(env, type):
            raise TypeError(f"{env.__name__} is a class: pass an instance, {env.__name__}(...)")
        for member in ("reset", "step"):
            if not callable(getattr(env, member, None)):
                raise TypeError(f"{type(env).__name__} is no environment: it has no {member}()")
        _check_seed(env)
        return _untimed(env), None

    def again() -> Any:
        import gymnasium
        options = {"max_episode_steps": -1, "disable_env_checker": True, **make}
        return _untimed(gymnasium.make(env, **options))

    return again(), again


def _check_seed(env: Any) -> None:
    """Refuses one whose episodes cannot be repeated, before it is run."""
    inner = getattr(env, "unwrapped", env)
    try:
        parameters = inspect.signature(inner.reset).parameters
    except (TypeError, ValueError):  # some builtins do not tell
        return
    if "seed" not in parameters and all(p.kind is not p.VAR_KEYWORD for p in parameters.values()):
        raise TypeError(f"{type(inner).__name__}.reset takes no seed: episodes must follow from one, so it must be "
                        "reset(self, *, seed=None, options=None), as Gymnasium asks for")


def _is_timed(env: Any) -> bool:
    below = getattr(env, "__dict__", {}).get("env")
    return is_called(env, "TimeLimit") or below is not None and _is_timed(below)


def _untimed(env: Any) -> Any:
    """The environment without TimeLimit, and without what checks the order of calls, which is
    right here. Wrappers above these are copied, so that those of the caller stay as they are."""
    if "env" not in getattr(env, "__dict__", {}):
        return env
    below = _untimed(env.env)
    if is_called(env, "TimeLimit") or is_called(env, "OrderEnforcing"):
        return below
    if below is env.env:
        return env
    other = copy.copy(env)
    other.env = below
    return other


def _duplicate(env: Any) -> Any:
    """A copy; where that cannot be had, another one of the same specification."""
    try:
        return copy.deepcopy(env)
    except Exception as failure:
        spec = getattr(env, "spec", None)
        if spec is None:
            raise TypeError(f"the environment can be neither copied ({failure}) nor made again "
                            "(it has no spec): run with one thread") from failure
        import gymnasium
        return _untimed(gymnasium.make(spec))


# ---- exact models ----

def model(env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
          terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
          actions: Actions = None, **make: Any) -> Model:
    """The exact model of an environment that has its own transition table, `env.unwrapped.P`, as
    FrozenLake, Taxi and CliffWalking do. States and names are those of `wrap` with the same
    arguments, so what `omegapac.check` says of it is what can be learned on the other.
    Probabilities are fractions where they are simple ones (1/3, 1/10). Several
    states of the table that `key` makes one must have the same probabilities."""
    from . import Model
    table = Table(env, labels, propositions=propositions, terminal=terminal, key=key,
                  actions=actions, **make)
    return Model.build(table.transitions, labels=table.labels, initial=table.initial,
                       actions=table.names)


class Table:
    """The transition table with the states of `wrap`: `states[i]` is what state i of the model is."""

    def __init__(self, env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
                 terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
                 actions: Actions = None, **make: Any) -> None:
        if isinstance(env, Environment):
            raise TypeError("model() takes what wrap() takes, not what it returns")
        simulator = _open(env, make)[0]
        self._view = View(labels, propositions, terminal, key)
        if self._view.arity == 5:
            raise TypeError("labels reads info, which is not in the table")
        self._choices, names = offer(simulator.action_space, actions)
        self._table = _table_of(simulator)
        self.states: list[Hashable] = []
        self.transitions: list[list[dict[int, Probability]]] = []
        self._number: dict[Hashable, int] = {}
        self._raw: dict[tuple[int, Any], None] = {}  # states, each with the table's own number
        self.initial = self._starts(getattr(simulator, "unwrapped", simulator))
        self._explore()
        self.names = None if names is None else [
            ["end"] if isinstance(state, Terminal) else names for state in self.states]
        self.labels = {name: [i for i, state in enumerate(self.states)
                              if name in self._view.labels(state)]
                       for name in self._view.propositions}

    def _intern(self, state: Hashable, raw: Any) -> int:
        number = self._number.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        self._raw[number, raw] = None
        return number

    def _explore(self) -> None:
        """All that can be reached. A state of several numbers of the table must leave all alike."""
        found: dict[int, tuple[Any, list[dict[int, Probability]]]] = {}
        done = 0
        while done < len(self._raw):
            for number, raw in list(itertools.islice(self._raw, done, None)):
                row = self._leave(number, raw)
                first, known = found.setdefault(number, (raw, row))
                if not _alike(known, row):
                    raise ValueError(f"key= makes one state, {self.states[number]!r}, of two of the "
                                     f"table that behave differently, {first!r} and {raw!r}")
                done += 1
        self.transitions = [found[number][1] for number in range(len(self.states))]

    def _leave(self, number: int, raw: Any) -> list[dict[int, Probability]]:
        if isinstance(self.states[number], Terminal):
            return [{number: 1.0}]
        return [self._choose(raw, choice, self._table[raw][choice]) for choice in self._choices]

    def _choose(self, raw: Any, choice: Any, entries: Iterable[Any]) -> dict[int, Probability]:
        """One distribution; the table may name a successor several times."""
        parts: dict[int, list[float]] = {}
        before = self._view.see(raw)
        for probability, after, reward, terminated in entries:
            if probability > 0:
                state = self._view.state(before, choice, self._view.see(after), reward, None,
                                         bool(terminated))
                parts.setdefault(self._intern(state, after), []).append(float(probability))
        total = math.fsum(p for part in parts.values() for p in part)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the probabilities of state {raw!r}, action {choice!r} add up to {total}")
        ratios: dict[int, Probability] = {target: sum(map(_ratio, part), Fraction())
                                          for target, part in parts.items()}
        if sum(ratios.values()) == 1:
            return ratios
        return {target: math.fsum(part) / total for target, part in parts.items()}

    def _starts(self, inner: Any) -> list[int]:
        """Where episodes start: all equally likely, as models have no other initial distribution."""
        distribution = getattr(inner, "initial_state_distrib", None)
        if distribution is None:
            raise TypeError(f"{type(inner).__name__} has no initial_state_distrib")
        weights: dict[int, Probability] = {}
        for raw, weight in enumerate(distribution):
            if weight > 0:
                state = self._intern(self._view.start(self._view.see(raw)), raw)
                weights[state] = weights.get(state, 0.0) + float(weight)
        if not weights:
            raise ValueError("initial_state_distrib has no positive entry")
        if max(weights.values()) - min(weights.values()) > 1e-9:
            raise ValueError("initial_state_distrib is not uniform over the states it can start in")
        return list(weights)


def _ratio(probability: float) -> Fraction:
    """The simple fraction that was rounded to it, as 1/3 is; if there is none, the number itself."""
    simple = Fraction(probability).limit_denominator(_DENOMINATOR_MOST)
    return simple if abs(simple - Fraction(probability)) < _ROUNDING else Fraction(probability)


def _alike(one: list[dict[int, Probability]], other: list[dict[int, Probability]]) -> bool:
    return all(a.keys() == b.keys() and all(abs(float(a[k]) - float(b[k])) <= 1e-9 for k in a)
               for a, b in zip(one, other))


def _table_of(simulator: Any) -> Mapping[Any, Any]:
    """`P`, if it describes what the environment does."""
    inner = getattr(simulator, "unwrapped", simulator)
    table: Optional[Mapping[Any, Any]] = getattr(inner, "P", None)
    if table is None:
        raise TypeError(f"{type(inner).__name__} has no transition table P: it can be learned on, "
                        "not loaded")
    if getattr(inner, "fickle_passenger", False):
        raise TypeError("P does not describe a fickle passenger, who remembers more than is seen")
    layer = simulator
    while "env" in getattr(layer, "__dict__", {}):
        for change in ("observation", "action"):
            if callable(getattr(type(layer), change, None)):
                raise TypeError(f"{type(layer).__name__} changes {change}s, which P knows nothing of")
        layer = layer.env
    return table
