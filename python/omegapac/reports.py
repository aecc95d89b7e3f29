# SPDX-License-Identifier: MIT
"""HTML reports of results."""
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
        raise TypeError(f"expected results or their dicts, not {type(results).__name__}")
    lines = []
    for result in results:
        if not isinstance(result, (Result, Mapping)):
            raise TypeError(f"expected results or their dicts, not {type(result).__name__}")
        lines.append(result.to_json() if isinstance(result, Result) else encode(plain(result)))
    return lines


def report(
    results: Union[Reportable, Iterable[Reportable]], path: Optional[Path] = None, *, title: Optional[str] = None
) -> str:
    """Makes an HTML page with inputs, result, guarantee, policy, a sample run, and the call that reproduces it.

    The page is that of ``omegapac report``. It is self-contained: it loads no other file and nothing from the network.

    Args:
        results: a result, a dict from ``to_dict()`` (or from ``json.load`` of a file that the command
            line wrote), or several of them.
        path: also write the page to this file, atomically.
        title: the title of the page; by default it is made from the first result.

    Returns:
        The page.
    """
    page = str(_core.report("\n".join(_lines(results)), title))
    if path is not None:
        _core.write_file(path, page)
    return page
