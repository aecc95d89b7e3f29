# SPDX-License-Identifier: MIT
"""Spaces of Gymnasium: which observations are discrete, and which actions there are.

Actions are numbered from 0 in the order of their space. Spaces are known by their members and the names of
their classes, so that Gymnasium need not be installed.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._gym_states import View

_ACTIONS_MOST = 10_000

Actions = Union[Sequence[str], Mapping[str, Any], None]


def is_called(env: Any, name: str) -> bool:
    """Whether a class of that name is among its classes; Gymnasium need not be there for that."""
    return any(kind.__name__ == name for kind in type(env).__mro__)


def check_observations(space: Any, view: View) -> None:
    """Refuses continuous observations at once, not after the first step."""
    dtype = getattr(space, "dtype", None)
    if view.key is None and getattr(dtype, "kind", "") in "fc" and dtype is not None:
        raise TypeError(f"observations of {space} are continuous: give key=, a function that makes "
                        "something discrete of one (an int, a str, or a tuple of such)")
    inside = getattr(space, "spaces", ())
    for part in inside.values() if isinstance(inside, Mapping) else inside:
        check_observations(part, view)


def check_places(space: Any, view: View) -> None:
    """Refuses names for what cannot be observed: a slip of the pen, which nobody would notice."""
    if view.key is not None or not is_called(space, "Discrete"):
        return
    first = int(getattr(space, "start", 0))
    last = first + int(space.n) - 1
    for name, place in view.places:
        if place not in range(first, last + 1):
            raise ValueError(f"{name!r} cannot hold in {place!r}: the observations of {space} are {first} to {last}")


def _choices(space: Any) -> Sequence[Any]:
    """All actions of a space, in the order of their numbers."""
    if space is None:
        raise TypeError("the environment has no action_space")
    factors = None
    if is_called(space, "MultiBinary"):
        factors = [range(2)] * math.prod(space.shape)
    elif hasattr(space, "nvec"):
        starts = getattr(space, "start", space.nvec * 0)
        factors = [range(int(a), int(a) + int(n))
                   for a, n in zip(starts.flatten(), space.nvec.flatten())]
    elif hasattr(space, "n"):
        first = int(getattr(space, "start", 0))
        return range(first, first + int(space.n))
    elif isinstance(getattr(space, "spaces", None), (tuple, list)):
        return list(itertools.product(*_few([_choices(part) for part in space.spaces])))
    if factors is None:
        raise TypeError(f"actions of {space} are not discrete: put a gymnasium.ActionWrapper with a "
                        "Discrete action space around the environment")
    import numpy
    return [numpy.array(item, dtype=space.dtype).reshape(space.shape)
            for item in itertools.product(*_few(factors))]


def offer(space: Any, actions: Actions) -> tuple[Sequence[Any], Optional[list[str]]]:
    """The actions that are offered, and their names, None when they have none."""
    choices = _choices(space)
    if actions is None:
        return choices, None
    if isinstance(actions, Mapping):
        if not actions:
            raise ValueError("actions names no action")
        for name, choice in actions.items():
            if not space.contains(choice):
                raise ValueError(f"action {name!r}, {choice!r}, is not in {space}")
        return list(actions.values()), list(actions)
    if isinstance(actions, str) or len(actions) != len(choices):
        raise ValueError(f"{len(actions)} names for {len(choices)} actions")
    return choices, list(actions)


def _few(factors: list[Any]) -> list[Any]:
    count = math.prod(len(factor) for factor in factors)
    if count > _ACTIONS_MOST:
        raise TypeError(f"{count} actions are too many, {_ACTIONS_MOST} at most")
    return factors
