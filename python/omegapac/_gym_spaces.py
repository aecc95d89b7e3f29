# SPDX-License-Identifier: MIT
"""Gymnasium spaces: checks of observation spaces, and the list of actions of an action space.

Actions are numbered from 0 in the order of their space. Spaces are recognised by their members and the names of
their classes, so that Gymnasium need not be installed.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._gym_states import StateMap

_MAX_ACTIONS = 10_000

Actions = Union[Sequence[str], Mapping[str, Any], None]


def has_class(value: Any, name: str) -> bool:
    """Whether a class of this name is among the value's classes; this needs no import of Gymnasium."""
    return any(kind.__name__ == name for kind in type(value).__mro__)


def check_observations(space: Any, states: StateMap) -> None:
    """Raises TypeError for continuous observations before the first step."""
    dtype = getattr(space, "dtype", None)
    if states.key is None and getattr(dtype, "kind", "") in "fc" and dtype is not None:
        raise TypeError(f"observations of {space} are continuous: give key=, a function that maps "
                        "observations to discrete values (an int, a str, or a tuple of these)")
    inside = getattr(space, "spaces", ())
    for part in inside.values() if isinstance(inside, Mapping) else inside:
        check_observations(part, states)


def check_listed_observations(space: Any, states: StateMap) -> None:
    """Raises ValueError if a name is given for an observation outside of the space, a likely typing error."""
    if states.key is not None or not has_class(space, "Discrete"):
        return
    first = int(getattr(space, "start", 0))
    last = first + int(space.n) - 1
    for name, observation in states.listed:
        if observation not in range(first, last + 1):
            raise ValueError(f"{name!r} cannot hold in {observation!r}: the observations of {space} are "
                             f"{first} to {last}")


def _choices(space: Any) -> Sequence[Any]:
    """All actions of a space, in the order of their numbers."""
    if space is None:
        raise TypeError("the environment has no action_space")
    factors = None
    if has_class(space, "MultiBinary"):
        factors = [range(2)] * math.prod(space.shape)
    elif hasattr(space, "nvec"):
        starts = getattr(space, "start", space.nvec * 0)
        factors = [range(int(a), int(a) + int(n))
                   for a, n in zip(starts.flatten(), space.nvec.flatten())]
    elif hasattr(space, "n"):
        first = int(getattr(space, "start", 0))
        return range(first, first + int(space.n))
    elif isinstance(getattr(space, "spaces", None), (tuple, list)):
        return list(itertools.product(*_check_count([_choices(part) for part in space.spaces])))
    if factors is None:
        raise TypeError(f"actions of {space} are not discrete: wrap the environment in a "
                        "gymnasium.ActionWrapper with a Discrete action space")
    import numpy
    return [numpy.array(item, dtype=space.dtype).reshape(space.shape)
            for item in itertools.product(*_check_count(factors))]


def select_actions(space: Any, actions: Actions) -> tuple[Sequence[Any], Optional[list[str]]]:
    """The actions of the wrapped environment, and their names, None if they have none."""
    choices = _choices(space)
    if actions is None:
        return choices, None
    if isinstance(actions, Mapping):
        if not actions:
            raise ValueError("actions= is empty: give at least one action")
        for name, choice in actions.items():
            if not space.contains(choice):
                raise ValueError(f"action {name!r}, {choice!r}, is not in {space}")
        return list(actions.values()), list(actions)
    if isinstance(actions, str) or len(actions) != len(choices):
        raise ValueError(f"actions= has {len(actions)} names for {len(choices)} actions")
    return choices, list(actions)


def _check_count(factors: list[Any]) -> list[Any]:
    count = math.prod(len(factor) for factor in factors)
    if count > _MAX_ACTIONS:
        raise TypeError(f"the action space has {count} actions; at most {_MAX_ACTIONS} are supported")
    return factors
