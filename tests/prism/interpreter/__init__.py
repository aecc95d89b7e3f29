# SPDX-License-Identifier: MIT
"""A second opinion on the PRISM language: a naive interpreter that shares nothing with the
library. It reads with a recursive descent, evaluates trees over dictionaries of values, counts in
fractions, and composes modules by the definition of each operator.

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
