# SPDX-License-Identifier: MIT
"""An independent interpreter of the PRISM language, which shares no code with the library. It parses by
recursive descent, evaluates syntax trees over dictionaries of values, computes with fractions, and composes
modules by the definition of each operator.

    model = interpreter.read(text, {"N": "3"})      raises interpreter.PrismError
    space = model.explore()                         .states, .initial, .choices, .labels, .warnings
"""
import sys

from .errors import PrismError
from .explore import explore
from .parser import parse
from .resolve import resolve

sys.setrecursionlimit(20000)  # parentheses in parentheses


class Model:
    def __init__(self, program):
        self.program = program

    def explore(self, limit=None):
        return explore(self.program, limit)


def read(text, constants=None):
    return Model(resolve(parse(text), constants or {}))


__all__ = ["Model", "PrismError", "explore", "parse", "read", "resolve"]
