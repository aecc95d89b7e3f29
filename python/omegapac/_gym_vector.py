# SPDX-License-Identifier: MIT
"""Lanes: several episodes of a Gymnasium environment side by side.

The learner requests a reset with a seed or a step for each lane separately. `Separate` holds one
instance for each lane, as a SyncVectorEnv does. `Asynchronous` runs the processes of an
AsyncVectorEnv, which can only be stepped all at once: a lane with a reset request first
takes a step whose outcome is discarded, and is then reset alone, by a mask, with its
seed. Autoreset must be disabled, because it resets lanes without a seed.
"""
from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ._gym_states import StateMap, Terminal
from .errors import SimulatorError

if TYPE_CHECKING:
    from .gym import Environment

_ADVICE = ("use SyncVectorEnv, or AsyncVectorEnv with "
           "autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED, or wrap one environment with lanes=")


def vector_kind(env: Any) -> str:
    """"sync" or "async"; TypeError for other vector environments, whose lanes may not be independent."""
    from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
    if isinstance(env, SyncVectorEnv):
        return "sync"
    if not isinstance(env, AsyncVectorEnv):
        raise TypeError(f"lanes of {type(env).__name__} cannot be reset one by one: {_ADVICE}")
    mode = getattr(env.metadata.get("autoreset_mode"), "value", "unknown")
    if mode != "Disabled":
        raise TypeError(f"this AsyncVectorEnv resets its lanes automatically, without a seed "
                        f"(autoreset_mode {mode}): {_ADVICE}")
    return "async"


class Separate:
    """One instance for each lane.

    A reset with the same seed directly after a reset is skipped: it would lead to the same state, and
    the learner requests it for idle lanes in each call.
    """

    def __init__(self, lanes: Sequence[Environment]) -> None:
        if not lanes:
            raise ValueError("lanes must be at least 1")
        self._lanes = lanes
        self.count = len(lanes)
        self._last: list[Any] = [None] * self.count  # (request, state) after a reset; None after a step

    def run(self, requests: Sequence[tuple[str, int]]) -> list[Hashable]:
        """Executes the request of each lane and returns the states."""
        return [self._run_one(lane, request) for lane, request in enumerate(requests)]

    def _run_one(self, lane: int, request: tuple[str, int]) -> Hashable:
        if request[0] == "step":
            self._last[lane] = None
            return self._lanes[lane].step(request[1])
        last = self._last[lane]
        if last is None or last[0] != request:
            self._last[lane] = None
            last = self._last[lane] = (request, self._lanes[lane].reset(request[1]))
        state: Hashable = last[1]
        return state

    def outcomes(self) -> list[Any]:
        """Returns the class and the outcome of the last step of each lane."""
        return [lane._outcome for lane in self._lanes]

    def close(self) -> None:
        """Closes the instances."""
        for lane in self._lanes:
            lane.close()


class Asynchronous:
    """The processes of an AsyncVectorEnv."""

    def __init__(self, env: Any, states: StateMap, single: Environment, ignores_truncation: bool,
                 has_time_limit: bool) -> None:
        self._env = env
        self._states = states
        self._single = single
        self._ignores_truncation = ignores_truncation
        self.count: int = env.num_envs
        self._current: list[Any] = [None] * self.count  # plain observations; None outside an episode
        if has_time_limit:  # the wrapper in another process cannot be removed, but its limit can be raised
            env.set_attr("_max_episode_steps", sys.maxsize)

    def run(self, requests: Sequence[tuple[str, int]]) -> list[Hashable]:
        """Executes the request of each lane and returns the states."""
        states: list[Hashable] = [None] * self.count
        if any(kind == "step" for kind, _ in requests):
            self._reset_ended_lanes(requests)
            self._step(requests, states)
        if any(kind == "reset" for kind, _ in requests):
            self._reset(requests, states)
        return states

    def _split(self, observations: Any) -> list[Any]:
        from gymnasium.vector.utils import iterate
        return [self._states.convert(item) for item in iterate(self._env.observation_space, observations)]

    def _masked_reset(self, mask: list[bool], seeds: list[Any]) -> Any:
        import numpy
        options = {"reset_mask": numpy.array(mask, dtype=numpy.bool_)}
        return self._env.reset(seed=seeds, options=options)[0]

    def _reset_ended_lanes(self, requests: Sequence[tuple[str, int]]) -> None:
        """Resets the lanes without a current episode, because all lanes are about to be stepped."""
        ended = [current is None for current in self._current]
        for lane, (kind, _) in enumerate(requests):
            if ended[lane] and kind == "step":
                raise SimulatorError(f"step before reset in lane {lane}: no episode is in progress", "simulator")
        if any(ended):
            seeds = [0 if is_ended else None for is_ended in ended]
            self._masked_reset(ended, seeds)

    def _step(self, requests: Sequence[tuple[str, int]], states: list[Hashable]) -> None:
        from gymnasium.vector.utils import concatenate, create_empty_array
        actions = [self._single.action(number if kind == "step" else 0) for kind, number in requests]
        space: Any = self._env.single_action_space
        empty: Any = create_empty_array(space, n=self.count)
        batch = concatenate(space, actions, empty)
        observations, rewards, terminated, truncated, infos = self._env.step(batch)
        for lane, after in enumerate(self._split(observations)):
            if requests[lane][0] != "step":
                continue
            if truncated[lane] and not terminated[lane] and not self._ignores_truncation:
                raise SimulatorError("the environment truncated an episode: a time limit does not end an "
                                     "episode of the learner; remove the limit", "simulator")
            states[lane] = self._states.after(self._current[lane], actions[lane], after,
                                              float(rewards[lane]), _info(infos, lane),
                                              bool(terminated[lane]))
            self._current[lane] = None if isinstance(states[lane], Terminal) else after

    def _reset(self, requests: Sequence[tuple[str, int]], states: list[Hashable]) -> None:
        mask = [kind == "reset" for kind, _ in requests]
        seeds = [number if kind == "reset" else None for kind, number in requests]
        for lane, after in enumerate(self._split(self._masked_reset(mask, seeds))):
            if mask[lane]:
                self._current[lane] = after
                states[lane] = self._states.initial(after)

    def close(self) -> None:
        """Ends the processes."""
        self._env.close()


def _info(infos: dict[str, Any], lane: int) -> dict[str, Any]:
    """The `info` of one lane, from the arrays of a vector environment."""
    return {name: values[lane] for name, values in infos.items()
            if not name.startswith("_") and hasattr(values, "__getitem__")
            and not isinstance(values, dict)}
