# SPDX-License-Identifier: MIT
"""Lanes: several episodes of a Gymnasium environment side by side.

The learner orders each lane by itself to reset with a seed or to step. `Separate` holds an
instance for each lane, which is all that a SyncVectorEnv does, too. `Asynchronous` drives the
processes of an AsyncVectorEnv, which can only be stepped all at once: a lane that is to be reset
takes an idle step first, whose outcome is thrown away, and is then reset alone, by a mask, with its
seed. Lanes that reset themselves would do so without a seed, so that must be off.
"""
from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ._gym_states import Terminal, View
from .errors import SimulatorError

if TYPE_CHECKING:
    from .gym import Environment

_ADVICE = ("take SyncVectorEnv, or AsyncVectorEnv with "
           "autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED, or wrap one environment with lanes=")


def kind_of(env: Any) -> str:
    """Which of the two it is; TypeError for others, whose lanes may not be independent."""
    from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
    if isinstance(env, SyncVectorEnv):
        return "sync"
    if not isinstance(env, AsyncVectorEnv):
        raise TypeError(f"lanes of {type(env).__name__} cannot be reset one by one: {_ADVICE}")
    mode = getattr(env.metadata.get("autoreset_mode"), "value", "unknown")
    if mode != "Disabled":
        raise TypeError(f"this AsyncVectorEnv resets its lanes by itself, without a seed "
                        f"(autoreset_mode {mode}): {_ADVICE}")
    return "async"


class Separate:
    """An instance for each lane. One that is told to reset again as it was just reset (as idle lanes
    are, in each round) does nothing: it would come to the same state, and resets are dear."""

    def __init__(self, lanes: Sequence[Environment]) -> None:
        if not lanes:
            raise ValueError("lanes must be at least 1")
        self._lanes = lanes
        self.count = len(lanes)
        self._last: list[Any] = [None] * self.count  # order and state

    def run(self, orders: Sequence[tuple[str, int]]) -> list[Hashable]:
        """Does what each lane is told."""
        return [self._run_one(lane, order) for lane, order in enumerate(orders)]

    def _run_one(self, lane: int, order: tuple[str, int]) -> Hashable:
        if order[0] == "step":
            self._last[lane] = None
            return self._lanes[lane].step(order[1])
        last = self._last[lane]
        if last is None or last[0] != order:
            self._last[lane] = None
            last = self._last[lane] = (order, self._lanes[lane].reset(order[1]))
        state: Hashable = last[1]
        return state

    def close(self) -> None:
        """Closes the instances."""
        for lane in self._lanes:
            lane.close()


class Asynchronous:
    """The processes of an AsyncVectorEnv."""

    def __init__(self, env: Any, view: View, single: Environment, goes_on: bool,
                 limited: bool) -> None:
        self._env = env
        self._view = view
        self._single = single
        self._goes_on = goes_on
        self.count: int = env.num_envs
        self._seen: list[Any] = [None] * self.count  # plain observations; None outside an episode
        if limited:  # the limit is out of reach in other processes, but it can be moved there
            env.set_attr("_max_episode_steps", sys.maxsize)

    def run(self, orders: Sequence[tuple[str, int]]) -> list[Hashable]:
        """Does what each lane is told."""
        states: list[Hashable] = [None] * self.count
        if any(what == "step" for what, _ in orders):
            self._wake(orders)
            self._step(orders, states)
        if any(what == "reset" for what, _ in orders):
            self._reset(orders, states)
        return states

    def _each(self, observations: Any) -> list[Any]:
        from gymnasium.vector.utils import iterate
        return [self._view.see(item) for item in iterate(self._env.observation_space, observations)]

    def _masked(self, mask: list[bool], seeds: list[Any]) -> Any:
        import numpy
        options = {"reset_mask": numpy.array(mask, dtype=numpy.bool_)}
        return self._env.reset(seed=seeds, options=options)[0]

    def _wake(self, orders: Sequence[tuple[str, int]]) -> None:
        """No lane is stepped whose episode has ended or has not begun."""
        asleep = [seen is None for seen in self._seen]
        for lane, (what, _) in enumerate(orders):
            if asleep[lane] and what == "step":
                raise SimulatorError(f"no episode is under way in lane {lane}: reset comes first",
                                     "simulator")
        if any(asleep):
            seeds = [0 if idle else None for idle in asleep]
            self._masked(asleep, seeds)

    def _step(self, orders: Sequence[tuple[str, int]], states: list[Hashable]) -> None:
        from gymnasium.vector.utils import concatenate, create_empty_array
        taken = [self._single.action(number if what == "step" else 0) for what, number in orders]
        space: Any = self._env.single_action_space
        empty: Any = create_empty_array(space, n=self.count)
        batch = concatenate(space, taken, empty)
        observations, rewards, ended, cut, infos = self._env.step(batch)
        for lane, after in enumerate(self._each(observations)):
            if orders[lane][0] != "step":
                continue
            if cut[lane] and not ended[lane] and not self._goes_on:
                raise SimulatorError("the environment cut an episode short (truncated): a time limit "
                                     "is no end of an episode; take the limit off", "simulator")
            states[lane] = self._view.state(self._seen[lane], taken[lane], after,
                                            float(rewards[lane]), _info(infos, lane),
                                            bool(ended[lane]))
            self._seen[lane] = None if isinstance(states[lane], Terminal) else after

    def _reset(self, orders: Sequence[tuple[str, int]], states: list[Hashable]) -> None:
        mask = [what == "reset" for what, _ in orders]
        seeds = [number if what == "reset" else None for what, number in orders]
        for lane, after in enumerate(self._each(self._masked(mask, seeds))):
            if mask[lane]:
                self._seen[lane] = after
                states[lane] = self._view.start(after)

    def close(self) -> None:
        """Ends the processes."""
        self._env.close()


def _info(infos: dict[str, Any], lane: int) -> dict[str, Any]:
    """What a lane said, out of the arrays into which all of it is packed."""
    return {name: values[lane] for name, values in infos.items()
            if not name.startswith("_") and hasattr(values, "__getitem__")
            and not isinstance(values, dict)}
