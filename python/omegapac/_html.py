# SPDX-License-Identifier: MIT
"""HTML for notebooks: results, automata and policies as self-contained fragments.

A fragment has no scripts, no links and no identifiers (identifiers must be unique on a page). Styles are inline, so that
they do not depend on the page, except inside SVG drawings. Colours are readable on light and dark backgrounds,
and no information is given by colour alone. Every external text (names, keys, formulas) is escaped.
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import _core

__all__ = ["automaton", "bar", "escape", "listing", "policy", "result", "table"]

_WIDTH, _HEIGHT, _EDGE = 320, 34, 8
_DECISIONS_MOST = 200
_TEXT_MOST = 20_000


def escape(text: Any) -> str:
    """Escapes a text for HTML content and attributes; control characters, which HTML does not allow, become \\x1b."""
    shown = "".join(
        c if c in "\n\t" or (c.isprintable() and not "\ud800" <= c <= "\udfff") else _code(c) for c in str(text)
    )
    for plain, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        shown = shown.replace(plain, safe)
    return shown


def _code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"


def number(value: Any) -> str:
    """Formats a float with six digits, an int with all of them."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def ends(lower: float, upper: float) -> Tuple[str, str]:
    """Formats the ends of an interval with six digits, rounded outwards, so that the printed bounds are valid."""
    return (_core.format_down(lower, 6) if 0 <= lower <= 1 else number(lower),
            _core.format_up(upper, 6) if 0 <= upper <= 1 else number(upper))


def interval(lower: float, upper: float) -> str:
    """Formats an interval as ``ends`` does, in brackets."""
    return f"[{', '.join(ends(lower, upper))}]"


def table(rows: Iterable[Tuple[str, str]]) -> str:
    """A table of two columns; the first is text, the second is HTML."""
    cells = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{escape(key)}</th>'
        f'<td style="text-align:left">{value}</td></tr>'
        for key, value in rows
    )
    return f"<table><tbody>{cells}</tbody></table>"


def listing(title: str, rows: Iterable[Tuple[str, Any]]) -> str:
    """A title, and a table of names and values, which are text."""
    return f"<div><strong>{escape(title)}</strong>{table((key, escape(value)) for key, value in rows)}</div>"


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _source(text: str) -> str:
    cut = text if len(text) <= _TEXT_MOST else text[:_TEXT_MOST] + "\n…"
    return f"<pre>{escape(cut)}</pre>"


# ---- a probability and its enclosure ----


def bar(value: Optional[float], lower: Optional[float], upper: Optional[float]) -> str:
    """A line from 0 to 1, a box from lower to upper, and a mark at the value."""
    words = "no value" if value is None else f"{number(float(value))}"
    if lower is not None and upper is not None:
        words += f", between {' and '.join(ends(float(lower), float(upper)))}"
    thin = "stroke:currentColor;stroke-width:1"
    parts = [f'<line x1="{_x(0)}" y1="12" x2="{_x(1)}" y2="12" style="{thin};stroke-opacity:0.5"/>']
    for tick, text in ((0.0, "0"), (0.5, "½"), (1.0, "1")):
        parts.append(f'<line x1="{_x(tick)}" y1="9" x2="{_x(tick)}" y2="15" style="{thin}"/>')
        parts.append(
            f'<text x="{_x(tick)}" y="28" style="font-size:10px;text-anchor:middle;fill:currentColor">{text}</text>'
        )
    if lower is not None and upper is not None:
        width = max(_coordinate(upper) - _coordinate(lower), 2.0)
        parts.append(
            f'<rect x="{_x(lower)}" y="6" width="{width:.1f}" height="12" '
            'style="fill:#3b82c4;fill-opacity:0.5;stroke:#3b82c4;stroke-width:1"/>'
        )
    if value is not None:
        parts.append(
            f'<line x1="{_x(value)}" y1="2" x2="{_x(value)}" y2="22" style="stroke:currentColor;stroke-width:2"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(words)}">'
        f"<title>{escape(words)}</title>{''.join(parts)}</svg>"
    )


def _coordinate(probability: float) -> float:
    inside = min(max(float(probability), 0.0), 1.0)
    return _EDGE + inside * (_WIDTH - 2 * _EDGE)


def _x(probability: float) -> str:
    return f"{_coordinate(probability):.1f}"


# ---- results ----


def result(data: Mapping[str, Any], parts: Sequence[Tuple[str, Any]] = ()) -> str:
    """A result from its `to_dict()`. parts: titles and objects, which are shown folded below it."""
    rows: List[Tuple[str, str]] = []
    inputs = data.get("inputs") or {}
    for key in ("model", "objective"):
        if inputs.get(key) is not None:
            rows.append((key, f"<code>{escape(inputs[key])}</code>"))
    found = data.get("result")
    if isinstance(found, Mapping):
        rows += _result_rows(found)
    rows += _guarantee_rows(data.get("guarantee") or {})
    for title, member in (("parameters", "params"), ("truth", "truth"), ("stats", "stats")):
        listed = _list_numbers(data.get(member) or {})
        if listed:
            rows.append((title, listed))
    head = f"<strong>{escape(data.get('command', 'result'))}</strong>"
    folded = "".join(_fold(title, _view(part)) for title, part in parts if part is not None)
    return f"<div>{head}{table(rows)}{folded}</div>"


def _result_rows(found: Mapping[str, Any]) -> List[Tuple[str, str]]:
    rows = []
    value, lower, upper = (_float_or_none(found.get(key)) for key in ("value", "lower", "upper"))
    if value is not None:
        between = "" if lower is None or upper is None else f" {interval(lower, upper)}"
        rows.append(("value", f"{number(value)}{between}<br/>{bar(value, lower, upper)}"))
    for key, item in found.items():
        if key in ("value", "lower", "upper") or item is None or isinstance(item, (dict, list)):
            continue
        rows.append((key.replace("_", " "), escape(number(item))))
    return rows


def _float_or_none(value: Any) -> Optional[float]:
    return float(value) if isinstance(value, (int, float)) else None


def _guarantee_rows(guarantee: Mapping[str, Any]) -> List[Tuple[str, str]]:
    if not guarantee:
        return []
    mark = "✓" if guarantee.get("holds") else "✗"
    prefix = "contradicted by the model: " if guarantee.get("contradicted") else ""
    rows = [("guarantee", f"{mark} {prefix}{escape(guarantee.get('statement') or '')}")]
    assumed = guarantee.get("assumes") or []
    if assumed:
        items = "".join(f"<li>{escape(item)}</li>" for item in assumed)
        rows.append(("assumes", f'<ul style="margin:0;padding-left:1.2em">{items}</ul>'))
    if guarantee.get("tested"):
        rows.append(("tested", escape(guarantee["tested"])))
    return rows


def _list_numbers(numbers: Mapping[str, Any]) -> str:
    listed = [
        f"{key.replace('_', ' ')} {number(value)}"
        for key, value in numbers.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]
    return escape(", ".join(listed))


def _view(part: Any) -> str:
    """The HTML of an object that has some; otherwise its text."""
    view = getattr(part, "_repr_html_", None)
    return str(view()) if view is not None else _source(str(part))


# ---- automata and policies ----


def _picture(thing: Any) -> Optional[str]:
    """The SVG drawing of an object; None if it has none or is too large to draw."""
    from .errors import LimitError

    draw = getattr(thing, "to_svg", None)
    if draw is None:
        return None
    try:
        text = str(draw())
    except LimitError:
        return None
    return text[text.index("<svg") :]  # HTML has no XML declaration


def automaton(thing: Any) -> str:
    """An automaton: its properties, its drawing, and its text in HOA."""
    rows = [("name", f"<code>{escape(thing.name)}</code>")] if thing.name else []
    rows += [
        ("states", escape(thing.states)),
        ("acceptance", f"{escape(thing.acceptance_name)}: <code>{escape(thing.acceptance)}</code>"),
        ("propositions", ", ".join(f"<code>{escape(name)}</code>" for name in thing.propositions)),
    ]
    picture = _picture(thing) or ""
    return f"<div>{table(rows)}{picture}{_fold('HOA', _source(thing.to_hoa()))}</div>"


def policy(thing: Any) -> str:
    """A policy: its objective, its drawing, and its first decisions."""
    data = thing.to_dict()
    rows = []
    for key in ("objective", "direction"):
        if data.get(key) is not None:
            rows.append((key, f"<code>{escape(data[key])}</code>"))
    decisions = data.get("decisions") or []
    rows.append(("decisions", escape(len(decisions))))
    rows.append(("memory", escape((data.get("memory") or {}).get("count", 1))))
    picture = _picture(thing) or ""
    return f"<div>{table(rows)}{picture}{_fold('decisions', _decisions(decisions))}</div>"


def _decisions(decisions: Sequence[Dict[str, Any]]) -> str:
    head = "".join(f"<th>{key}</th>" for key in ("memory", "state", "action", "next"))
    lines = []
    for decision in decisions[:_DECISIONS_MOST]:
        action = decision.get("action")
        cells = (
            decision.get("memory"),
            _state(decision),
            decision.get("choice") if action in (None, "") else action,
            decision.get("next"),
        )
        lines.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    left = len(decisions) - _DECISIONS_MOST
    more = f"<p>and {left} more</p>" if left > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def _state(decision: Mapping[str, Any]) -> str:
    values = decision.get("values")
    if values:
        return ", ".join(f"{name}={value}" for name, value in values.items())
    return str(decision.get("key", decision.get("state")))
