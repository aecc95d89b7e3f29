# SPDX-License-Identifier: MIT
"""Policies with finite memory."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, FrozenSet, Hashable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _core
from ._html import policy
from .models import Model

__all__ = ["Decision", "Policy"]

Path = Union[str, "os.PathLike[str]"]


def _as_number(state: Any) -> int:
    number: int = state  # the extension checks the type
    return number


class Decision(NamedTuple):
    """A decision of a policy: the action in a state with a memory."""

    state: Any
    """As in the policy's file: for a model a number or a dict of values, otherwise the key."""
    memory: int
    """The memory on arrival in the state."""
    action: Any
    """The name of the action, or its number if it has no name."""
    next: int
    """The memory after the decision."""


@_core.adopt
class Policy(_core.Policy):
    """A policy whose memory is a number (a state of the objective's automaton).

    >>> policy.reset()
    >>> state = env.reset(seed)
    >>> while True:
    ...     state = env.step(policy.act(state))

    For a model, a state is its number or a dict of its variables' values, and an action is
    its name (its number if it has no name). For an environment, states and
    actions are those of ``reset`` and ``step``. Where the policy has no decision,
    for example in a state that was never seen, it takes the first action.

    An object holds the memory of one run; ``copy()`` returns another object with a
    memory of its own.
    """

    __slots__ = ("_memory", "_numbers", "_known", "_to_key", "_is_raw", "_columns")
    _memory: Optional[int]
    _numbers: Optional[Tuple[Dict[Tuple[Any, ...], int], List[str]]]
    _known: Optional[FrozenSet[bytes]]
    _to_key: Optional[Callable[[Any], Hashable]]
    _is_raw: Optional[bool]  # states that are str or bytes are keys themselves; None: either is possible
    _columns: Optional[int]

    @classmethod
    def load(cls, path: Path, model: Optional[Model] = None, *, key: Optional[Callable[[Any], Hashable]] = None) -> "Policy":
        """Reads a policy from a file.

        Args:
            path: the file.
            model: the model that the policy is for; None for a policy for an environment.
            key: the method ``key`` of the environment, if it has one.
        """
        return cls._load(path, model)._set(key)

    @classmethod
    def parse(cls, text: str, model: Optional[Model] = None, *, key: Optional[Callable[[Any], Hashable]] = None) -> "Policy":
        """Reads a policy from a text; the arguments are those of ``load``."""
        return cls._parse(text, model)._set(key)

    def _set(
        self,
        key: Optional[Callable[[Any], Hashable]] = None,
        is_raw: Optional[bool] = None,
        columns: Optional[int] = None,
    ) -> "Policy":
        self._to_key = key
        self._is_raw = is_raw
        self._columns = columns
        return self

    def __getattr__(self, name: str) -> Any:
        # The C type creates objects without calling __init__, so slots may be unset.
        if name in ("_memory", "_numbers", "_known", "_to_key", "_is_raw", "_columns"):
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # ---- running it ----

    def reset(self) -> None:
        """Resets the memory: the next state is the first of a run."""
        self._memory = None

    def copy(self) -> "Policy":
        """Returns the same policy with a memory of its own, at the beginning of a run."""
        if self.model is not None:
            return type(self)._parse(self._text(), self.model)
        return type(self)._parse(self._text(), None)._set(self._to_key, self._is_raw, self._columns)

    def act(self, state: Any) -> Any:
        """Returns the action in a state, and updates the memory."""
        if self.model is not None:
            return self._act_in_model(state)
        key = self._key_of(state)
        if self._memory is None:
            self._memory = self._start_at(key)
        action, self._memory = self._act_at(key, self._memory)
        return action

    __call__ = act

    def _key_of(self, state: Any) -> bytes:
        if self._to_key is not None:
            return _core.key(self._to_key(state))
        if isinstance(state, bytes) and self._is_raw is not False:
            return state
        if not isinstance(state, str) or self._is_raw is False:
            return _core.key(state)
        raw = state.encode("utf-8", "backslashreplace")
        if self._is_raw:
            return raw
        if self._known is None:
            self._known = frozenset(self._keys())
        quoted = _core.key(state)
        return raw if raw in self._known and quoted not in self._known else quoted

    def _number_of(self, state: Any) -> int:
        if not isinstance(state, Mapping):
            return _as_number(state)
        if self._numbers is None:
            model = self.model
            names = list(model.values(0))
            self._numbers = {
                tuple(model.values(i)[name] for name in names): i for i in range(model.states)
            }, names
        numbers, names = self._numbers
        try:
            return numbers[tuple(state[name] for name in names)]
        except KeyError:
            raise KeyError(f"no state of the model has the values {dict(state)!r}") from None

    def _act_in_model(self, state: Any) -> Any:
        number = self._number_of(state)
        if self._memory is None:
            self._memory = self._start(number)
        choice, self._memory = self._act(number, self._memory)
        return self._action_name(number, choice) or choice

    # ---- conversions ----

    def to_dict(self) -> Dict[str, Any]:
        """Returns the content of the policy's file as a dict (``docs/formats/policy.md``)."""
        data: Dict[str, Any] = json.loads(self._text())
        return data

    def to_json(self) -> str:
        """Returns the content of the policy's file."""
        return str(self._text())

    def save(self, path: Path) -> None:
        """Writes the policy to a file."""
        self._save(path)

    def to_dot(self, max_states: int = 1000) -> str:
        """Returns a drawing for Graphviz."""
        return str(self._dot(max_states))

    def to_svg(self, max_states: int = 1000, columns: Optional[int] = None) -> str:
        """Returns a drawing as SVG.

        Args:
            max_states: more decisions raise ``LimitError``.
            columns: draws the states as cells of a grid with this many columns, numbered
                row by row; by default the environment's attribute ``columns``.
        """
        if columns is None:
            columns = self._columns or 0
        return str(self._svg(max_states, columns))

    def __iter__(self) -> Iterator[Decision]:
        """Iterates over all decisions, in the order of the policy's file."""
        for item in self.to_dict()["decisions"]:
            yield decision_of(item)

    def __len__(self) -> int:
        return int(self.decisions)

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.model is not None:
            raise TypeError("a policy of a model cannot be pickled: use to_json(), and Policy.parse with the model")
        return _unpickle, (self.to_json(), self._to_key, self._is_raw, self._columns)

    def __repr__(self) -> str:
        what = f", for {self.objective}" if self.objective else ""
        values = "1 memory value" if self.memory == 1 else f"{self.memory} memory values"
        return f"<Policy: {self.decisions} decisions, {values}{what}>"

    def _repr_html_(self) -> str:
        return policy(self)


def decision_of(item: Mapping[str, Any]) -> Decision:
    """Converts a decision of a policy's file."""
    state = item.get("values", item.get("key", item.get("state")))
    action = item.get("action") or item.get("choice")
    return Decision(state, item.get("memory", 0), action, item.get("next", item.get("memory", 0)))


def _unpickle(
    text: str,
    to_key: Optional[Callable[[Any], Hashable]],
    is_raw: Optional[bool],
    columns: Optional[int] = None,
) -> Policy:
    return Policy._parse(text, None)._set(to_key, is_raw, columns)
