# SPDX-License-Identifier: MIT
"""Policies: machines with a finite memory that say what to do."""
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
    number: int = state  # what it is, the library sees
    return number


class Decision(NamedTuple):
    """What a policy does somewhere."""

    state: Any
    """As in the policy's file: of a model a number or a dict of values, else the key."""
    memory: int
    """What it remembers when it comes there."""
    action: Any
    """The name of the action, or its number when it has none."""
    next: int
    """What it remembers then."""


@_core.adopt
class Policy(_core.Policy):
    """A policy, which remembers a number from one step to the next.

    >>> policy.reset()
    >>> state = env.reset(seed)
    >>> while True:
    ...     state = env.step(policy.act(state))

    Of a model, a state is its number or a dict of its values, and an action the
    name of one (its number when it has none). Of an environment, states and
    actions are those of ``reset`` and ``step``. Where the policy has nothing to
    say, as in a state that was never seen, it takes the first action.

    One run at a time uses an object; ``copy()`` is another one that remembers
    its own number.
    """

    __slots__ = ("_now", "_numbers", "_known", "_spell", "_is_raw", "_columns")
    _now: Optional[int]
    _numbers: Optional[Tuple[Dict[Tuple[Any, ...], int], List[str]]]
    _known: Optional[FrozenSet[bytes]]
    _spell: Optional[Callable[[Any], Hashable]]
    _is_raw: Optional[bool]
    _columns: Optional[int]

    @classmethod
    def load(cls, path: Path, model: Optional[Model] = None, *, key: Optional[Callable[[Any], Hashable]] = None) -> "Policy":
        """Reads a file, of a policy for a model, or of one for an environment (no model).

        ``key``: that of the environment, where it has one.
        """
        return cls._load(path, model)._set(key)

    @classmethod
    def parse(cls, text: str, model: Optional[Model] = None, *, key: Optional[Callable[[Any], Hashable]] = None) -> "Policy":
        """The same from a text."""
        return cls._parse(text, model)._set(key)

    def _set(
        self,
        key: Optional[Callable[[Any], Hashable]] = None,
        is_raw: Optional[bool] = None,
        columns: Optional[int] = None,
    ) -> "Policy":
        self._spell = key
        self._is_raw = is_raw
        self._columns = columns
        return self

    def __getattr__(self, name: str) -> Any:
        # The C type makes objects without a call of __init__; slots begin empty.
        if name in ("_now", "_numbers", "_known", "_spell", "_is_raw", "_columns"):
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # ---- running it ----

    def reset(self) -> None:
        """Forgets what was: the next state is the first of a run."""
        self._now = None

    def copy(self) -> "Policy":
        """Another one at its beginning, for a run beside this one."""
        if self.model is not None:
            return type(self)._parse(self._text(), self.model)
        return type(self)._parse(self._text(), None)._set(self._spell, self._is_raw, self._columns)

    def act(self, state: Any) -> Any:
        """What to do in a state, and remembers it."""
        if self.model is not None:
            return self._act_in_model(state)
        key = self._key_of(state)
        if self._now is None:
            self._now = self._start_at(key)
        action, self._now = self._act_at(key, self._now)
        return action

    __call__ = act

    def _key_of(self, state: Any) -> bytes:
        if self._spell is not None:
            return _core.key(self._spell(state))
        if isinstance(state, bytes) and self._is_raw is not False:
            return state
        if not isinstance(state, str) or self._is_raw is False:
            return _core.key(state)
        raw = state.encode("utf-8", "backslashreplace")
        if self._is_raw:
            return raw
        if self._known is None:
            self._known = frozenset(self._keys())
        spelled = _core.key(state)
        return raw if raw in self._known and spelled not in self._known else spelled

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
        if self._now is None:
            self._now = self._start(number)
        choice, self._now = self._act(number, self._now)
        return self._action_name(number, choice) or choice

    # ---- looking at it ----

    def to_dict(self) -> Dict[str, Any]:
        """As in its file, ``docs/formats/policy.md``."""
        data: Dict[str, Any] = json.loads(self._text())
        return data

    def to_json(self) -> str:
        """The text of its file."""
        return str(self._text())

    def save(self, path: Path) -> None:
        """Writes its file."""
        self._save(path)

    def to_dot(self, max_states: int = 1000) -> str:
        """A picture for Graphviz."""
        return str(self._dot(max_states))

    def to_svg(self, max_states: int = 1000, columns: Optional[int] = None) -> str:
        """A picture as SVG; more decisions than that are a LimitError.

        Args:
            columns: states are places of a grid with so many columns, numbered
                along its rows; by default as the environment says.
        """
        if columns is None:
            columns = self._columns or 0
        return str(self._svg(max_states, columns))

    def __iter__(self) -> Iterator[Decision]:
        """All decisions, in the order of its file."""
        for item in self.to_dict()["decisions"]:
            yield decision_of(item)

    def __len__(self) -> int:
        return int(self.decisions)

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.model is not None:
            raise TypeError("a policy of a model cannot be pickled: use to_json(), and Policy.parse with the model")
        return _revive, (self.to_json(), self._spell, self._is_raw, self._columns)

    def __repr__(self) -> str:
        what = f", for {self.objective}" if self.objective else ""
        values = "1 memory value" if self.memory == 1 else f"{self.memory} memory values"
        return f"<Policy: {self.decisions} decisions, {values}{what}>"

    def _repr_html_(self) -> str:
        return policy(self)


def decision_of(item: Mapping[str, Any]) -> Decision:
    """One of the file's decisions."""
    state = item.get("values", item.get("key", item.get("state")))
    action = item.get("action") or item.get("choice")
    return Decision(state, item.get("memory", 0), action, item.get("next", item.get("memory", 0)))


def _revive(
    text: str,
    spell: Optional[Callable[[Any], Hashable]],
    is_raw: Optional[bool],
    columns: Optional[int] = None,
) -> Policy:
    return Policy._parse(text, None)._set(spell, is_raw, columns)
