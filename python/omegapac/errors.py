# SPDX-License-Identifier: MIT
"""Exceptions and warnings.

Lack of memory and file errors raise Python's own ``MemoryError`` and
``OSError`` (``FileNotFoundError`` and so on).
"""
from __future__ import annotations

from typing import Any, Optional

__all__ = [
    "Error",
    "InputError",
    "InputWarning",
    "Interrupted",
    "LimitError",
    "SimulatorError",
    "UnsupportedError",
]


class Error(Exception):
    """The base class of the library's errors.

    Attributes:
        message: one line, without the position.
        code: ``"argument"``, ``"syntax"``, ``"unsupported"``, ``"limit"``,
            ``"simulator"`` or ``"internal"``.
        line, column: the position in a text, counted from 1 in characters; ``None`` if
            the error has no position.
        where: the file, or the kind of the text (``"formula"``); may be ``None``.
        excerpt: the line of the text, and below it a line with a caret at the
            position; ``None`` if there is none.
        parameter: the keyword argument that the error is about, such as ``"max_states"``; if several
            are, their names: ``"states actions k"``; ``None`` if there is none.
        limit: the value of the limit that was reached; otherwise ``None``.
    """

    def __init__(
        self,
        message: str,
        code: str = "internal",
        line: Optional[int] = None,
        column: Optional[int] = None,
        where: Optional[str] = None,
        excerpt: Optional[str] = None,
        parameter: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> None:
        super().__init__(message, code, line, column, where, excerpt, parameter, limit)  # pickle passes all of them
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        self.where = where
        self.excerpt = excerpt
        self.parameter = parameter
        self.limit = limit

    def __str__(self) -> str:
        """Formats the error as the command line does: ``file:line:column: message``, then the excerpt."""
        text = self.message
        if self.line is not None:
            column = "" if self.column is None else f"{self.column}:"
            text = f"{self.where or 'text'}:{self.line}:{column} {text}"
        if self.excerpt is not None:
            text += "".join(f"\n  {line}" for line in self.excerpt.split("\n"))
        return text


class InputError(Error, ValueError):
    """A text violates its grammar, or a value is out of range."""


class UnsupportedError(Error):
    """An input is well-formed, but uses a feature that the library does not support."""


class LimitError(Error):
    """A limit on states, time or another resource was reached."""


class SimulatorError(Error):
    """A simulator failed or violated its contract."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run that has a result.

    Attributes:
        result: the result so far.
    """

    def __init__(self, result: Any = None) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        return "interrupted; the attribute 'result' has the result so far"


class InputWarning(UserWarning):
    """An input is valid, but probably not as intended (a deadlock, for example)."""
