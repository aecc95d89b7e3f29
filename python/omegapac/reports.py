# SPDX-License-Identifier: MIT
"""Results as a page of HTML."""
from __future__ import annotations

import os
from typing import Any, Iterable, List, Mapping, Optional, Union

from . import _core
from .results import Result, encode, plain

__all__ = ["report"]

Path = Union[str, "os.PathLike[str]"]
Reportable = Union[Result, Mapping[str, Any]]


def _lines(results: Union[Reportable, Iterable[Reportable]]) -> List[str]:
    if isinstance(results, (Result, Mapping)):
        results = [results]
    elif not isinstance(results, Iterable):
        raise TypeError(f"a report is made of results, or of their dicts, not of {type(results).__name__}")
    lines = []
    for result in results:
        if not isinstance(result, (Result, Mapping)):
            raise TypeError(f"a report is made of results, or of their dicts, not of {type(result).__name__}")
        lines.append(result.to_json() if isinstance(result, Result) else encode(plain(result)))
    return lines


def report(
    results: Union[Reportable, Iterable[Reportable]], path: Optional[Path] = None, *, title: Optional[str] = None
) -> str:
    """One page of HTML: question, answer, guarantee, policy, a run, and the call that reproduces it.

    The page needs no network and no other file. It is the page of ``omegapac report``.

    Args:
        results: a result, a dict as ``to_dict()`` gives it (or ``json.load`` of what the command
            line wrote), or several of them.
        path: also write it to this file, which is replaced whole or stays as it was.
        title: of the page; by default what the first result is about.

    Returns:
        The page.
    """
    page = str(_core.report("\n".join(_lines(results)), title))
    if path is not None:
        _core.write_file(path, page)
    return page
