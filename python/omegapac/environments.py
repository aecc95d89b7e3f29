# SPDX-License-Identifier: MIT
"""Environments: systems that can be reset and stepped.

``Environment`` is a protocol: any object with its members is an environment, without deriving
from it. ``Simulator`` opens programs and plugins.
"""
from __future__ import annotations

from typing import Any, Hashable, Iterable, NamedTuple, Optional, Protocol, Sequence, Tuple, Union, runtime_checkable

from . import _core

__all__ = ["Environment", "Observation", "Simulator", "episode_seed", "key"]


@runtime_checkable
class Environment(Protocol):
    """The members that an environment must have.

    ``docs/python.md`` describes the optional members:
    ``random_start``, ``key``, ``draw``, ``successors``, ``fork``, ``lanes``, ``step_many``, ``outcome`` and
    ``outcomes``.
    """

    propositions: Sequence[str]
    """The names that ``labels`` may return; at most 64."""

    def reset(self, seed: int) -> Hashable:
        """Begins an episode and returns its first state. All randomness of the episode must follow from the seed."""

    def step(self, action: int) -> Hashable:
        """Takes an action, ``0 … n-1``, and returns the successor."""

    def labels(self, state: Any) -> Iterable[str]:
        """Returns the propositions that hold in a state. Called once for each state."""

    def actions(self, state: Any) -> Union[int, Sequence[str]]:
        """Returns the number of actions of a state, or their names. Called once for each state.

        A state without actions is absorbing: the run stays there forever.
        """


class Observation(NamedTuple):
    """A state as a simulator reports it."""

    state: Union[str, bytes]
    """The key: a str, or bytes if it is not UTF-8."""
    labels: Tuple[str, ...]
    """The propositions that hold."""
    actions: Union[int, Tuple[str, ...]]
    """The number of actions, or their names."""
    outcome: Optional[Tuple[Union[str, bytes], Union[str, bytes]]] = None
    """The class and the outcome of the step, if the simulator tells outcomes; None after a reset."""


@_core.adopt
class Simulator(_core.Simulator):
    """A simulator: a program, ``"exec:COMMAND"``, or a plugin, ``"plugin:FILE.so"`` or ``"plugin:FILE.so?TEXT"``.

    The constructor starts it; ``close()``, the end of a ``with`` block or the
    deletion of the object ends it. Only one run at a time can use it.

    >>> with op.Simulator("exec:python3 lift.py") as lift:
    ...     lift.reset(1)
    """

    __slots__ = {"name": "The name with which it was opened."}
    name: str

    def __new__(cls, name: str, timeout: Optional[float] = None) -> "Simulator":
        """Opens a simulator; ``timeout`` is the maximal time of an answer in seconds (default 10)."""
        self: Simulator = _core.open_simulator(name, timeout)
        self.name = name
        return self

    @property
    def propositions(self) -> Tuple[str, ...]:
        """The propositions that may hold in a state."""
        return tuple(self._propositions())

    @property
    def random_start(self) -> bool:
        """Whether ``reset`` may return different states."""
        return bool(self._traits()[0])

    @property
    def lanes(self) -> int:
        """The number of episodes that it runs side by side for a learner."""
        return int(self._traits()[4])

    @property
    def tells_outcomes(self) -> bool:
        """Whether every step tells its class and its outcome (``learn(alike=True)``)."""
        return bool(self._traits()[5])

    def _observe(self, seen: _core._Seen) -> Observation:
        key, letter, count, names, outcome = seen
        labels = tuple(name for bit, name in enumerate(self._propositions()) if letter >> bit & 1)
        return Observation(_text(key), labels, count if names is None else tuple(names),
                           None if outcome is None else (_text(outcome[0]), _text(outcome[1])))

    def reset(self, seed: int) -> Observation:
        """Begins an episode and returns its first observation."""
        return self._observe(self._reset(seed))

    def step(self, action: int) -> Observation:
        """Takes an action, numbered from 0, and returns the next observation."""
        return self._observe(self._step(action))

    def close(self) -> None:
        """Ends the simulator. Results learned from it remain valid."""
        self._close()

    def __enter__(self) -> "Simulator":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Simulator({self.name!r})"


def _text(name: bytes) -> Union[str, bytes]:
    """The text of a key or a name; the bytes if they are not UTF-8."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name


def episode_seed(seed: int, episode: int) -> int:
    """Returns the seed that a run with seed ``seed`` passes to ``reset`` for an episode (numbered from 0)."""
    return int(_core.episode_seed(seed, episode))


def key(state: Hashable) -> bytes:
    """Returns the key of a state, which identifies it in policies and checkpoints, in every process."""
    return bytes(_core.key(state))
