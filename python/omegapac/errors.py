# SPDX-License-Identifier: MIT
"""What can go wrong.

Problems of memory and of files come as Python's own ``MemoryError`` and
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
    """Whatever the library complains about.

    Attributes:
        message: one line, without the place.
        code: ``"argument"``, ``"syntax"``, ``"unsupported"``, ``"limit"``,
            ``"simulator"`` or ``"internal"``.
        line, column: from 1, in characters; ``None`` when it is not about a
            place in a text.
        where: the file, or what the text is (``"formula"``); may be ``None``.
        excerpt: the line in question, and below it one with a caret under the
            place; ``None`` when there is none.
        parameter: the keyword that the error is about, ``"max_states"``; of several
            that help, all: ``"states actions k"``; ``None`` when there is none.
        limit: the value that it had, if it is a limit that was reached; else ``None``.
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
        super().__init__(message, code, line, column, where, excerpt, parameter, limit)  # all, for pickle
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        self.where = where
        self.excerpt = excerpt
        self.parameter = parameter
        self.limit = limit

    def __str__(self) -> str:
        """As the command line says it: ``file:line:column: message``, then the excerpt."""
        text = self.message
        if self.line is not None:
            column = "" if self.column is None else f"{self.column}:"
            text = f"{self.where or 'text'}:{self.line}:{column} {text}"
        if self.excerpt is not None:
            text += "".join(f"\n  {line}" for line in self.excerpt.split("\n"))
        return text


class InputError(Error, ValueError):
    """A text that does not follow its grammar, or a value out of its range."""


class UnsupportedError(Error):
    """Well-formed, but of a kind that the library does not handle."""


class LimitError(Error):
    """A limit (of states, of size) was reached."""


class SimulatorError(Error):
    """A simulator failed or broke its contract."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run that had something to show.

    Attributes:
        result: what the run had until then.
    """

    def __init__(self, result: Any = None) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        return "stopped; what there was until then is in the attribute 'result'"


class InputWarning(UserWarning):
    """Something in an input that is no error but that one should know."""
