# SPDX-License-Identifier: MIT
"""Environments: whatever can be run, one step at a time.

Anything with the members of ``Environment`` is one; nothing has to be derived
from it. ``Simulator`` opens programs and plugins.
"""
from __future__ import annotations

from typing import Any, Hashable, Iterable, List, NamedTuple, Optional, Protocol, Sequence, Tuple, Union, runtime_checkable

from . import _core

__all__ = ["Environment", "Observation", "Simulator", "episode_seed", "key"]


@runtime_checkable
class Environment(Protocol):
    """What an environment must have.

    Optional members, found by their names, are described in ``docs/python.md``:
    ``random_start``, ``key``, ``draw``, ``successors``, ``fork``, ``lanes`` and ``step_many``.
    """

    propositions: Sequence[str]

    def reset(self, seed: int) -> Hashable:
        """Begins an episode, all that is random in which follows from the seed; gives its first state."""

    def step(self, action: int) -> Hashable:
        """Takes an action, ``0 … n-1``; gives the state that it led to."""

    def labels(self, state: Any) -> Iterable[str]:
        """Which propositions hold in a state. Asked once for each state."""

    def actions(self, state: Any) -> Union[int, Sequence[str]]:
        """How many actions a state has, or their names; none: the run stays there for ever. Asked once."""


class Observation(NamedTuple):
    """What a simulator shows of a state."""

    state: Union[str, bytes]
    """Its key: text, or bytes where those are no UTF-8."""
    labels: Tuple[str, ...]
    """The propositions that hold."""
    actions: Union[int, Tuple[str, ...]]
    """How many actions there are, or their names."""


@_core.adopt
class Simulator(_core.Simulator):
    """A program of its own, ``"exec:COMMAND"``, or a plugin, ``"plugin:FILE.so"`` or ``"plugin:FILE.so?TEXT"``.

    It is started at once, and ended by ``close()``, at the end of a ``with``
    block, or with the object. One run at a time uses it.

    >>> with op.Simulator("exec:python3 lift.py") as lift:
    ...     lift.reset(1)
    """

    __slots__ = {"name": "As it was opened."}
    name: str

    def __new__(cls, name: str, timeout: Optional[float] = None) -> "Simulator":
        """``timeout``: seconds that an answer may take, 10 by default."""
        self: Simulator = _core.open_simulator(name, timeout)
        self.name = name
        return self

    @property
    def propositions(self) -> Tuple[str, ...]:
        """The names of what may hold in a state."""
        return tuple(self._propositions())

    @property
    def random_start(self) -> bool:
        """Whether ``reset`` may give different states."""
        return bool(self._traits()[0])

    @property
    def lanes(self) -> int:
        """Episodes that it runs side by side when something is learned."""
        return int(self._traits()[4])

    def _observe(self, seen: Tuple[bytes, int, int, Optional[List[str]]]) -> Observation:
        key, letter, count, names = seen
        state: Union[str, bytes]
        try:
            state = key.decode()
        except UnicodeDecodeError:
            state = key
        labels = tuple(name for bit, name in enumerate(self._propositions()) if letter >> bit & 1)
        return Observation(state, labels, count if names is None else tuple(names))

    def reset(self, seed: int) -> Observation:
        """Begins an episode."""
        return self._observe(self._reset(seed))

    def step(self, action: int) -> Observation:
        """Takes an action, numbered from 0."""
        return self._observe(self._step(action))

    def close(self) -> None:
        """Ends it. What was learned from it stays."""
        self._close()

    def __enter__(self) -> "Simulator":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Simulator({self.name!r})"


def episode_seed(seed: int, episode: int) -> int:
    """The seed that ``reset`` is given at the start of an episode of a run with a seed."""
    return int(_core.episode_seed(seed, episode))


def key(state: Hashable) -> bytes:
    """The key of a state: what policies and checkpoints know it by, the same in every process."""
    return bytes(_core.key(state))
