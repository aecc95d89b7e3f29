# SPDX-License-Identifier: MIT
"""Errors of a model."""

KINDS = ("syntax", "unsupported", "type", "undefined", "duplicate", "cycle", "constant", "range",
         "initial", "foreign", "global-labelled", "twice-assigned", "rename", "system",
         "probability", "sum", "value",
         "infinite",  # no value, but doubles have one, or the rules are silent: no opinion
         "limit")     # too large: no opinion


class PrismError(Exception):
    """kind: one of KINDS; line: its line, 0 if unknown; state: the valuation in which it occurred."""

    def __init__(self, kind, line, text, state=None):
        assert kind in KINDS, kind
        super().__init__(f"line {line}: {kind}: {text}")
        self.kind, self.line, self.text, self.state = kind, line, text, state
