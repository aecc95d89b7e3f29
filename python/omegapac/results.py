# SPDX-License-Identifier: MIT
"""Results: what a computation found, as an object, a dict, and JSON.

Each result has the members that matter as attributes, and ``to_dict()`` gives
the whole as the command line prints it with ``--json`` (``--no-timing``), described in
``docs/formats/result.md``.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _core, _html

if TYPE_CHECKING:
    import os

__all__ = ["Large", "Result"]

SCHEMA = "omegapac.result/1"


class Large(float):
    """A count beyond 64 bits: three digits of it, rounded up.

    As a number it may be infinite; ``text`` is what it is (``"1.63e1003"``).
    """

    text: str

    def __new__(cls, text: str) -> "Large":
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Large, (self.text,))


Count = Union[int, Large]


def plain(value: Any) -> Any:
    """The value with dicts, lists, texts and numbers alone; what has them is copied."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "to_hoa"):
        return value.to_hoa()
    return value.to_dict()


def encode(value: Any) -> str:
    """JSON on one line. As on the command line, numbers that JSON cannot hold are null."""
    import json

    if isinstance(value, Large):
        return value.text
    if isinstance(value, float) and value - value != 0:  # infinite, or none
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {encode(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(encode, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def number(value: float) -> str:
    """Six digits, for people."""
    return f"{value:.6g}"


class Result:
    """What a computation found. Immutable.

    Classes that derive from it annotate their attributes, and say in ``_line``
    what ``repr`` shows.
    """

    def __init__(self, data: Dict[str, Any], **attributes: Any) -> None:
        """``data``: what ``to_dict()`` gives; automata and policies may be there as objects."""
        self.__dict__.update(attributes)
        self.__dict__["_data"] = data

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"results are immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"results are immutable: {name!r} cannot be deleted")

    def to_dict(self) -> Dict[str, Any]:
        """The whole result, as the command line prints it with ``--json``; a copy."""
        data: Dict[str, Any] = plain(self.__dict__["_data"])
        return data

    def to_json(self) -> str:
        """The whole result as JSON, on one line."""
        return encode(self.to_dict())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes ``to_json()`` and a line end to a file, which is replaced whole or stays as it was."""
        _core.write_file(path, self.to_json() + "\n")

    def report(self, path: Union[None, str, "os.PathLike[str]"] = None, *, title: Optional[str] = None) -> str:
        """A page about it, as ``omegapac.report`` makes it; also written to a file, if a path is given."""
        from .reports import report

        return report(self, path, title=title)

    def _line(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._line()}>"

    def _parts(self) -> List[Tuple[str, Any]]:
        """What a notebook shows folded."""
        return [(name, self.__dict__.get(name)) for name in ("policy", "automaton")]

    def _repr_html_(self) -> str:
        return _html.result(self.__dict__["_data"], self._parts())


def envelope(
    command: str,
    version: str,
    inputs: Optional[Mapping[str, Any]],
    params: Mapping[str, Any],
    **rest: Any,
) -> Dict[str, Any]:
    """The members that open each result, in their order; of params and inputs, those not None."""
    data: Dict[str, Any] = {"schema": SCHEMA, "command": command, "version": version}
    if inputs is not None:
        data["inputs"] = {k: v for k, v in inputs.items() if v is not None}
    data["params"] = {k: v for k, v in params.items() if v is not None and v is not False}
    data.update((k, v) for k, v in rest.items() if v is not None)
    return data
