# SPDX-License-Identifier: MIT
"""Results of computations as objects, dicts and JSON.

The important members of a result are attributes. ``to_dict()`` returns the whole result, as the
command line prints it with ``--json --no-timing``; ``docs/formats/result.md`` describes it.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union
from typing import overload

from . import _core, _html

if TYPE_CHECKING:
    import os

__all__ = ["Large", "Result"]


Item = TypeVar("Item")


class Large(float):
    """A count beyond 64 bits, rounded up to three digits.

    The float may be infinite; ``text`` has the digits (``"1.63e1003"``).
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
    """Converts a value to dicts, lists, strings and numbers; containers are copied."""
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
    """Encodes as JSON on one line. Numbers that JSON cannot represent become null, as on the command line."""
    import json

    if isinstance(value, Large):
        return value.text
    if isinstance(value, float) and value - value != 0:  # infinite or NaN
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {encode(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(encode, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _number(text: str) -> Union[float, Large]:
    value = float(text)
    return Large(text) if abs(value) >= 2.0**64 else value


def decode(text: str) -> Dict[str, Any]:
    """Decodes the JSON of a result. Counts beyond 64 bits become ``Large``, which keeps their digits."""
    import json

    data: Dict[str, Any] = json.loads(text, parse_float=_number)
    return data


def params_text(params: Mapping[str, Any]) -> str:
    """Encodes the ``params`` of a result: parameters that are neither None nor False, as JSON."""
    return encode({key: value for key, value in params.items() if value is not None and value is not False})


def _shown(value: Any) -> str:
    """Formats an argument of a call: a model by its file and constants, another object by its type."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, (str, int, float, dict, type(None))):
        return repr(value)
    if not hasattr(value, "constants") or value.name is None:
        return type(value).__name__.lower()
    constants = f", {value.constants!r}" if value.constants else ""
    return f"omegapac.Model.load({value.name!r}{constants}{', exact=True' if value.exact else ''})"


def call_text(function: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """Formats the call ``omegapac.NAME(...)`` of a function; arguments equal to their defaults are left out."""
    import inspect  # slow to import

    shown = []
    for name, parameter in inspect.signature(function).parameters.items():
        value = values[name]
        if callable(value) and name == "pmin":
            shown.append(f"pmin={getattr(value, '__name__', type(value).__name__)}")
        if value is parameter.default or callable(value):
            continue
        is_named = parameter.kind is parameter.KEYWORD_ONLY or parameter.default is not parameter.empty
        shown.append(f"{name}={_shown(value)}" if is_named else _shown(value))
    return f"omegapac.{function.__name__}({', '.join(shown)})"


def number(value: float) -> str:
    """Formats a number with six digits."""
    return f"{value:.6g}"


class Result:
    """The result of a computation. Immutable.

    Derived classes annotate their attributes; their method ``_line`` returns the text of ``repr``.
    """

    def __init__(self, data: Dict[str, Any], **attributes: Any) -> None:
        """``data`` is the dict of ``to_dict()``, in which automata and policies may be objects."""
        self.__dict__.update(attributes)
        self.__dict__["_data"] = data

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"results are immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"results are immutable: {name!r} cannot be deleted")

    def to_dict(self) -> Dict[str, Any]:
        """Returns a copy of the whole result as a dict, as the command line prints it with ``--json``."""
        data: Dict[str, Any] = plain(self.__dict__["_data"])
        return data

    def to_json(self) -> str:
        """Returns the whole result as JSON on one line."""
        return encode(self.to_dict())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes ``to_json()`` and a line end to a file, atomically: on an error an existing file is unchanged."""
        _core.write_file(path, self.to_json() + "\n")

    def report(self, path: Union[None, str, "os.PathLike[str]"] = None, *, title: Optional[str] = None) -> str:
        """Returns the HTML page that ``omegapac.report`` makes, and writes it to ``path`` if given."""
        from .reports import report

        return report(self, path, title=title)

    def _line(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._line()}>"

    def _parts(self) -> List[Tuple[str, Any]]:
        """Titles and objects that a notebook shows folded below the result."""
        return [(name, self.__dict__.get(name)) for name in ("policy", "automaton")]

    def _repr_html_(self) -> str:
        return _html.result(self.__dict__["_data"], self._parts())


class Results(Result, Sequence[Item]):
    """A result that is also a sequence of items, which are in the attribute ``_items``."""

    def __len__(self) -> int:
        return len(self.__dict__["_items"])

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Item, ...]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Item, Tuple[Item, ...]]:
        found: Union[Item, Tuple[Item, ...]] = self.__dict__["_items"][index]
        return found
