# SPDX-License-Identifier: MIT
"""Gymnasium environments as environments for `learn`, and as exact models.

    import omegapac as op
    import omegapac.gym

    env = op.gym.wrap("FrozenLake-v1", {"goal": [15], "hole": [5, 7, 11, 12]})
    result = op.learn(env, "F goal & G !hole", epsilon=0.1, delta=0.1, pmin=1/3)

`wrap` accepts any object with Gymnasium's `reset`, `step` and spaces; Gymnasium itself is imported only
to make an environment from its name, and for vector environments. The guide is docs/gymnasium.md.
"""
from __future__ import annotations

import copy
import inspect
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional, Union

from ._gym_spaces import Actions, check_listed_observations, check_observations, has_class, select_actions
from ._gym_states import StateMap, Terminal
from ._gym_states import plain_with_floats as plain
from .errors import SimulatorError

if TYPE_CHECKING:
    from . import Model
    from ._gym_vector import Asynchronous, Separate

__all__ = ["Environment", "Terminal", "VectorEnvironment", "model", "plain", "wrap"]

_MAX_DENOMINATOR = 10_000
_ROUNDING = Fraction(1, 10**15)  # several units in the last place of a sum below 1

Probability = Union[float, Fraction]


class Environment:
    """A Gymnasium environment as an `omegapac.Environment`; made by `wrap`.

    States are plain observations (`15`), pairs of observation and names if the names depend on
    the transition (`(36, ('fall',))`), or `Terminal` of these.
    """

    _to_key = staticmethod(plain)  # so that policies accept observations as Gymnasium returns them

    def __init__(self, env: Any, states: StateMap, choices: Sequence[Any], *,
                 names: Optional[Sequence[str]] = None, ignores_truncation: bool = False,
                 make_another: Optional[Callable[[], Any]] = None,
                 outcome: Optional[Callable[..., tuple[Hashable, Hashable]]] = None) -> None:
        self._env = env
        self._states = states
        self._choices = choices
        self._names = names
        self._ignores_truncation = ignores_truncation
        self._make_another = make_another
        self._current: Any = None  # the plain observation; None outside an episode
        self._steps = 0
        self._find_outcome = outcome
        self._outcome: Optional[tuple[Hashable, Hashable]] = None
        self.propositions = states.propositions
        self.random_start = not states.fixed_start
        self.columns = _columns(self.unwrapped) if states.key is None else None

    @property
    def name(self) -> str:
        """Gymnasium's name of the environment, such as "FrozenLake-v1"; otherwise the name of its class."""
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
        """Begins an episode and returns its first state; the seed determines all randomness of the episode."""
        returned = self._env.reset(seed=seed)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise SimulatorError(f"reset returned {_shape(returned)}, not (observation, info): {_OLD_API}",
                                 "simulator")
        self._current = self._states.convert(returned[0])
        self._steps = 0
        return self._states.initial(self._current)

    def step(self, action: int) -> Hashable:
        """Takes an action, by its number from 0, and returns the next state."""
        if self._current is None:
            raise SimulatorError("step before reset: no episode is in progress", "simulator")
        choice = self.action(action)
        returned = self._env.step(choice)
        try:
            observation, reward, terminated, truncated, info = returned
        except (TypeError, ValueError):
            raise SimulatorError(f"step returned {_shape(returned)}, not (observation, reward, terminated, "
                                 f"truncated, info): {_OLD_API}", "simulator") from None
        before = self._current
        after = self._states.convert(observation)
        self._steps += 1
        if truncated and not terminated and not self._ignores_truncation:
            raise SimulatorError(_truncation_message(self._steps), "simulator")
        if self._find_outcome is not None:
            self._outcome = self._find_outcome(before, choice, after, reward, info)
        self._current = None if terminated else after
        if self._states.has_transition_labels:
            return self._states.after(before, choice, after, reward, info, bool(terminated))
        return Terminal(after) if terminated else after

    def labels(self, state: Hashable) -> tuple[str, ...]:
        """Returns the names that hold in a state."""
        return self._states.labels(state)

    def actions(self, state: Hashable) -> Union[int, Sequence[str]]:
        """Returns the number of actions of a state, or their names; 0 for a `Terminal` state."""
        if isinstance(state, Terminal):
            return 0
        return self._names if self._names is not None else len(self._choices)

    @property
    def outcome(self) -> Optional[Callable[[], Any]]:
        """A function that returns the class and the outcome of the last step; None without `outcome=`."""
        return None if self._find_outcome is None else self._last_outcome

    def _last_outcome(self) -> Optional[tuple[Hashable, Hashable]]:
        return self._outcome

    def action(self, number: int) -> Any:
        """Returns the Gymnasium action with a number."""
        if number < 0:
            raise IndexError(f"no action {number}: actions are numbered from 0")
        return self._choices[number]

    def fork(self) -> Environment:
        """Returns another instance, for another thread."""
        other = copy.copy(self)
        other._env = self._make_another() if self._make_another else _duplicate(self._env)
        other._current = None
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

    @property
    def outcomes(self) -> Optional[Callable[[], Any]]:
        """A function that returns the class and the outcome of the last step of each lane; None without `outcome=`."""
        return getattr(self._lanes, "outcomes", None) if self._find_outcome is not None else None

    def step_many(self, requests: Sequence[tuple[str, int]]) -> list[Hashable]:
        """Executes one request for each lane, ("reset", seed) or ("step", action), and returns the states."""
        if len(requests) != self.lanes:
            raise ValueError(f"{len(requests)} requests for {self.lanes} lanes")
        return self._lanes.run(requests)

    def fork(self) -> Environment:
        """Returns another instance with a single lane, for another thread."""
        single = Environment.__new__(Environment)
        single.__dict__.update({k: v for k, v in self.__dict__.items()
                                if k not in ("_lanes", "lanes")})
        return single.fork()

    def close(self) -> None:
        """Closes the Gymnasium environments of all lanes."""
        self._lanes.close()
        super().close()


def wrap(env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
         terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
         start: str = "random", truncated: str = "error",
         actions: Actions = None, lanes: Optional[int] = None,
         outcome: Optional[Callable[..., tuple[Hashable, Hashable]]] = None,
         **make: Any) -> Environment:
    """Wraps a Gymnasium environment for `omegapac.learn` and `omegapac.estimate`.

    Time limits that `gymnasium.make` adds are removed.

    Args:
        env: the environment, its name (then `**make` is passed to `gymnasium.make`), or a
            SyncVectorEnv or AsyncVectorEnv.
        labels: the names that hold: a mapping from a name to observations or to a predicate, or a
            function `labels(obs)` or `labels(obs, action, next_obs[, reward[, info]])` that
            returns names. In the forms with `next_obs`, obs, action, reward and info are None
            at the start of an episode, and the names become part of the state.
        propositions: all names that `labels` can return; required if it is a function.
        terminal: the names that hold in the absorbing state after `terminated`, in any form of
            `labels`, or a list of names; by default those that `labels` returns.
        key: a function that maps an observation to a discrete value; `labels` receives this value.
        start: "random"; or "fixed", if every episode starts in the same state.
        truncated: "error"; or "continue", if the environment can be stepped after it returned
            `truncated`.
        actions: the names of the actions, in their order; or {name: action}, which selects these
            actions only.
        lanes: the number of episodes that run side by side, each in its own instance.
        outcome: a function `outcome(obs, action, next_obs, reward, info)` that returns the class and the outcome of
            a step, for `learn(alike=True)`. obs and next_obs are plain values. Not for an AsyncVectorEnv.
    """
    if start not in ("random", "fixed"):
        raise ValueError(f"start must be 'random' or 'fixed', not {start!r}")
    if truncated not in ("error", "continue"):
        raise ValueError(f"truncated must be 'error' or 'continue', not {truncated!r}")
    states = StateMap(labels, propositions, terminal, key, start == "fixed")
    ignores_truncation = truncated == "continue"
    if hasattr(env, "num_envs"):
        if lanes is not None or make:
            raise TypeError("a vector environment has its own lanes and settings: omit lanes= and further keywords")
        return _wrap_vector(env, states, actions, ignores_truncation, outcome)
    simulator, make_another = _open(env, make)
    single = _single(simulator, states, actions, ignores_truncation, make_another, outcome)
    if lanes is None:
        return single
    from ._gym_vector import Separate

    return VectorEnvironment(single, Separate([single.fork() for _ in range(lanes)]))


def _single(simulator: Any, states: StateMap, actions: Actions, ignores_truncation: bool,
            make_another: Optional[Callable[[], Any]],
            outcome: Optional[Callable[..., tuple[Hashable, Hashable]]]) -> Environment:
    check_observations(getattr(simulator, "observation_space", None), states)
    check_listed_observations(getattr(simulator, "observation_space", None), states)
    choices, names = select_actions(getattr(simulator, "action_space", None), actions)
    return Environment(simulator, states, choices, names=names, ignores_truncation=ignores_truncation,
                       make_another=make_another, outcome=outcome)


def _wrap_vector(env: Any, states: StateMap, actions: Actions, ignores_truncation: bool,
                 outcome: Optional[Callable[..., tuple[Hashable, Hashable]]]) -> Environment:
    from ._gym_vector import Asynchronous, Separate, vector_kind
    kind = vector_kind(env)

    def make_another() -> Any:
        return _without_time_limit(env.env_fns[0]())

    if kind == "sync":
        lanes = [_single(_without_time_limit(each), states, actions, ignores_truncation, make_another, outcome)
                 for each in env.envs]
        return VectorEnvironment(lanes[0].fork(), Separate(lanes))
    if outcome is not None:
        raise TypeError("outcome= is not supported for an AsyncVectorEnv: pass a SyncVectorEnv, or one environment "
                        "with lanes=")
    one = env.env_fns[0]()
    single = _single(_without_time_limit(one), states, actions, ignores_truncation, make_another, None)
    return VectorEnvironment(single, Asynchronous(env, states, single, ignores_truncation, _has_time_limit(one)))


_OLD_API = "Gym before 0.26 is not supported; convert the environment to Gymnasium"


def _shape(returned: Any) -> str:
    """A return value as text for messages."""
    if isinstance(returned, tuple):
        return f"a tuple of {len(returned)}"
    return "None" if returned is None else f"a value of type {type(returned).__name__}"


def _columns(inner: Any) -> Optional[int]:
    """The number of columns of a grid whose cells are numbered row by row, as in FrozenLake and CliffWalking."""
    columns = getattr(inner, "ncol", None)
    shape = getattr(inner, "shape", None)
    if columns is None and isinstance(shape, tuple) and len(shape) == 2:
        columns = shape[1]
    return columns if isinstance(columns, int) and 0 < columns <= 1000 else None


def _truncation_message(steps: int) -> str:
    return (f"the environment truncated an episode after {steps} steps: a time limit does not end an episode of "
            "the learner; remove the limit, or pass truncated='continue' if the environment can be stepped further")


# ---- opening an environment, and removing time limits ----

def _open(env: Any, make: Mapping[str, Any]) -> tuple[Any, Optional[Callable[[], Any]]]:
    """The environment without time limit, and a function that makes another one (None: copy it)."""
    named = isinstance(env, str) or hasattr(env, "entry_point")  # a name, or an EnvSpec
    if not named:
        if make:
            raise TypeError(f"wrap() got {', '.join(make)}, which is only valid with the name of an environment")
        if isinstance(env, type):
            raise TypeError(f"{env.__name__} is a class: pass an instance, {env.__name__}(...)")
        for member in ("reset", "step"):
            if not callable(getattr(env, member, None)):
                raise TypeError(f"{type(env).__name__} is not an environment: it has no {member}()")
        _check_seed(env)
        return _without_time_limit(env), None

    def make_another() -> Any:
        import gymnasium
        options = {"max_episode_steps": -1, "disable_env_checker": True, **make}
        return _without_time_limit(gymnasium.make(env, **options))

    return make_another(), make_another


def _check_seed(env: Any) -> None:
    """Raises TypeError if reset takes no seed, so that episodes cannot be repeated."""
    inner = getattr(env, "unwrapped", env)
    try:
        parameters = inspect.signature(inner.reset).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return
    if "seed" not in parameters and all(p.kind is not p.VAR_KEYWORD for p in parameters.values()):
        raise TypeError(f"{type(inner).__name__}.reset takes no seed, but the seed must determine an episode: declare "
                        "it as reset(self, *, seed=None, options=None), as Gymnasium requires")


def _has_time_limit(env: Any) -> bool:
    below = getattr(env, "__dict__", {}).get("env")
    return has_class(env, "TimeLimit") or below is not None and _has_time_limit(below)


def _without_time_limit(env: Any) -> Any:
    """Removes the wrappers TimeLimit and OrderEnforcing (the order of calls is correct here).

    Wrappers above these are copied, so that the caller's environment is unchanged.
    """
    if "env" not in getattr(env, "__dict__", {}):
        return env
    below = _without_time_limit(env.env)
    if has_class(env, "TimeLimit") or has_class(env, "OrderEnforcing"):
        return below
    if below is env.env:
        return env
    other = copy.copy(env)
    other.env = below
    return other


def _duplicate(env: Any) -> Any:
    """Copies an environment; if that fails, makes another one from its spec."""
    try:
        return copy.deepcopy(env)
    except Exception as failure:
        spec = getattr(env, "spec", None)
        if spec is None:
            raise TypeError(f"the environment cannot be copied ({failure}) and has no spec to make another one: "
                            "pass threads=1") from failure
        import gymnasium
        return _without_time_limit(gymnasium.make(spec))


# ---- exact models ----

def model(env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
          terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
          actions: Actions = None, **make: Any) -> Model:
    """Builds the exact model of an environment with a transition table `env.unwrapped.P`.

    FrozenLake, Taxi and CliffWalking have such a table. The arguments, states and names are those of
    `wrap`, so `omegapac.check` of the model computes the optimum of `omegapac.learn` on the wrapped
    environment. Probabilities close to a simple fraction (1/3, 1/10) become that fraction. States of
    the table that `key` maps to the same value must have the same transitions.
    """
    from . import Model
    table = Table(env, labels, propositions=propositions, terminal=terminal, key=key,
                  actions=actions, **make)
    return Model.build(table.transitions, labels=table.labels, initial=table.initial,
                       actions=table.names)


class Table:
    """The transition table over the states of `wrap`: `states[i]` is state i of the model."""

    def __init__(self, env: Any, labels: Any, *, propositions: Optional[Iterable[str]] = None,
                 terminal: Any = None, key: Optional[Callable[[Any], Any]] = None,
                 actions: Actions = None, **make: Any) -> None:
        if isinstance(env, Environment):
            raise TypeError("model() takes the arguments of wrap(), not its result")
        simulator = _open(env, make)[0]
        self._map = StateMap(labels, propositions, terminal, key)
        if self._map.arity == 5:
            raise TypeError("labels uses info, which the transition table does not contain")
        self._choices, names = select_actions(simulator.action_space, actions)
        self._table = _transition_table(simulator)
        self.states: list[Hashable] = []
        self.transitions: list[list[dict[int, Probability]]] = []
        self._number: dict[Hashable, int] = {}
        self._raw: dict[tuple[int, Any], None] = {}  # pairs of a state and the table's own state, in order of discovery
        self.initial = self._initial_states(getattr(simulator, "unwrapped", simulator))
        self._explore()
        self.names = None if names is None else [
            ["end"] if isinstance(state, Terminal) else names for state in self.states]
        self.labels = {name: [i for i, state in enumerate(self.states)
                              if name in self._map.labels(state)]
                       for name in self._map.propositions}

    def _intern(self, state: Hashable, raw: Any) -> int:
        number = self._number.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        self._raw[number, raw] = None
        return number

    def _explore(self) -> None:
        """Explores all reachable states. All table states of one state must have the same transitions."""
        found: dict[int, tuple[Any, list[dict[int, Probability]]]] = {}
        done = 0
        while done < len(self._raw):
            for number, raw in list(itertools.islice(self._raw, done, None)):
                rows = self._rows(number, raw)
                first, known = found.setdefault(number, (raw, rows))
                if not _are_equal(known, rows):
                    raise ValueError(f"key= maps two states of the table with different transitions, {first!r} and "
                                     f"{raw!r}, to one state, {self.states[number]!r}")
                done += 1
        self.transitions = [found[number][1] for number in range(len(self.states))]

    def _rows(self, number: int, raw: Any) -> list[dict[int, Probability]]:
        if isinstance(self.states[number], Terminal):
            return [{number: 1.0}]
        return [self._row(raw, choice, self._table[raw][choice]) for choice in self._choices]

    def _row(self, raw: Any, choice: Any, entries: Iterable[Any]) -> dict[int, Probability]:
        """The distribution of a state-action pair; the table may list a successor several times."""
        parts: dict[int, list[float]] = {}
        before = self._map.convert(raw)
        for probability, after, reward, terminated in entries:
            if probability > 0:
                state = self._map.after(before, choice, self._map.convert(after), reward, None,
                                        bool(terminated))
                parts.setdefault(self._intern(state, after), []).append(float(probability))
        total = math.fsum(p for part in parts.values() for p in part)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the probabilities of state {raw!r}, action {choice!r} sum to {total}, not to 1")
        ratios: dict[int, Probability] = {target: sum(map(_ratio, part), Fraction())
                                          for target, part in parts.items()}
        if sum(ratios.values()) == 1:
            return ratios
        return {target: math.fsum(part) / total for target, part in parts.items()}

    def _initial_states(self, inner: Any) -> list[int]:
        """The initial states. They must be equally likely, as a model has no other initial distribution."""
        distribution = getattr(inner, "initial_state_distrib", None)
        if distribution is None:
            raise TypeError(f"{type(inner).__name__} has no initial_state_distrib: no model can be built")
        weights: dict[int, Probability] = {}
        for raw, weight in enumerate(distribution):
            if weight > 0:
                state = self._intern(self._map.initial(self._map.convert(raw)), raw)
                weights[state] = weights.get(state, 0.0) + float(weight)
        if not weights:
            raise ValueError("initial_state_distrib has no positive entry")
        if max(weights.values()) - min(weights.values()) > 1e-9:
            raise ValueError("initial_state_distrib is not uniform over the initial states")
        return list(weights)


def _ratio(probability: float) -> Fraction:
    """The simple fraction, such as 1/3, whose rounding is the number; the number itself if there is none."""
    simple = Fraction(probability).limit_denominator(_MAX_DENOMINATOR)
    return simple if abs(simple - Fraction(probability)) < _ROUNDING else Fraction(probability)


def _are_equal(one: list[dict[int, Probability]], other: list[dict[int, Probability]]) -> bool:
    return all(a.keys() == b.keys() and all(abs(float(a[k]) - float(b[k])) <= 1e-9 for k in a)
               for a, b in zip(one, other))


def _transition_table(simulator: Any) -> Mapping[Any, Any]:
    """The table `P`; TypeError if there is none, or if it does not describe the wrapped environment."""
    inner = getattr(simulator, "unwrapped", simulator)
    table: Optional[Mapping[Any, Any]] = getattr(inner, "P", None)
    if table is None:
        raise TypeError(f"{type(inner).__name__} has no transition table P: learn from it with wrap()")
    if getattr(inner, "fickle_passenger", False):
        raise TypeError("the transition table P does not describe fickle_passenger=True")
    layer = simulator
    while "env" in getattr(layer, "__dict__", {}):
        for change in ("observation", "action"):
            if callable(getattr(type(layer), change, None)):
                raise TypeError(f"{type(layer).__name__} changes {change}s, which the transition table P does not "
                                "describe")
        layer = layer.env
    return table
