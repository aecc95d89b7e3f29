# SPDX-License-Identifier: MIT
"""Types and values of expressions. Types: 'bool', 'int', 'double'. Values: bool, int, and Fraction
for doubles (where a function is irrational: the fraction of its double)."""
import math
from fractions import Fraction

from .errors import PrismError

ARITY = {"min": (1, None), "max": (1, None), "floor": (1, 1), "ceil": (1, 1), "round": (1, 1),
         "pow": (2, 2), "^": (2, 2), "mod": (2, 2), "log": (2, 2)}
NUMBERS = ("int", "double")


def type_of(node, names):
    """names: {name: type}, all names that the expression may use."""

    def wrong(text):
        raise PrismError("type", node.line, text)

    def joined(types):
        return "int" if all(t == "int" for t in types) else "double"

    op = node.op
    if op in ("bool", "int"):
        return op
    if op == "real":
        return "double"
    if op == "name":
        if node.value not in names:
            raise PrismError("undefined", node.line, f"{node.value} is not defined")
        return names[node.value]
    if op == "label":  # those that may be here have been replaced
        raise PrismError("undefined", node.line, f'label "{node.value}"')
    if op == "call" and node.value not in ARITY:
        raise PrismError("undefined", node.line, f"there is no function {node.value}")
    types = [type_of(operand, names) for operand in node.operands]
    if op == "call":
        least, most = ARITY[node.value]
        if len(types) < least or (most is not None and len(types) > most):
            wrong(f"{node.value} with {len(types)} arguments")
        if any(t not in NUMBERS for t in types):
            wrong(f"{node.value} of a bool")
        if node.value == "mod" and joined(types) != "int":
            wrong("mod of doubles")
        if node.value in ("floor", "ceil", "round", "mod"):
            return "int"
        return "double" if node.value == "log" else joined(types)
    if op in ("!", "&", "|", "=>", "<=>"):
        if any(t != "bool" for t in types):
            wrong(f"{op} of a number")
        return "bool"
    if op in ("=", "!="):
        if (types[0] == "bool") != (types[1] == "bool"):
            wrong(f"{op} of a bool and a number")
        return "bool"
    if op == "?":
        if types[0] != "bool":
            wrong("the condition is a number")
        if (types[1] == "bool") != (types[2] == "bool"):
            wrong("a bool or a number")
        return "bool" if types[1] == "bool" else joined(types[1:])
    if any(t not in NUMBERS for t in types):
        wrong(f"{op} of a bool")
    if op in ("<", "<=", ">", ">="):
        return "bool"
    return "double" if op == "/" else joined(types)


def power(node, base, exponent):
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent < 0:
            raise PrismError("value", node.line, "an int to a negative power")
        return base ** exponent
    if Fraction(exponent).denominator == 1 and (base != 0 or exponent >= 0):
        return Fraction(base) ** int(exponent)
    return number(node, lambda: math.pow(float(base), float(exponent)))


def number(node, compute):
    try:
        found = compute()
    except (ValueError, ZeroDivisionError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise PrismError("infinite", node.line, "no number")
    return Fraction(found)


def call(node, values):
    name, first = node.value, values[0]
    if name == "min":
        return min(values)
    if name == "max":
        return max(values)
    if name == "floor":
        return math.floor(first)
    if name == "ceil":
        return math.ceil(first)
    if name == "round":
        return math.floor(first + Fraction(1, 2))
    if name in ("pow", "^"):
        return power(node, *values)
    if name == "mod":
        if values[1] <= 0:
            raise PrismError("value", node.line, "mod by a number that is not positive")
        return first - values[1] * math.floor(Fraction(first, values[1]))
    assert name == "log"
    return number(node, lambda: math.log(first) / math.log(values[1]))


def evaluate(node, state):
    """Evaluates with a dictionary of values. Operands that are not needed are not evaluated."""
    op = node.op
    if op in ("bool", "int", "real"):
        return node.value
    if op == "name":
        return state[node.value]
    first = evaluate(node.operands[0], state)
    if op == "call":
        return call(node, [first] + [evaluate(operand, state) for operand in node.operands[1:]])
    if op == "!":
        return not first
    if op == "neg":
        return -first
    if op == "?":
        return evaluate(node.operands[1 if first else 2], state)
    if op == "&" and not first:
        return False
    if op == "|" and first:
        return True
    if op == "=>" and not first:
        return True
    second = evaluate(node.operands[1], state)
    if op in ("&", "|", "=>"):
        return second
    if op in ("=", "<=>"):
        return first == second
    if op == "!=":
        return first != second
    if op == "<":
        return first < second
    if op == "<=":
        return first <= second
    if op == ">":
        return first > second
    if op == ">=":
        return first >= second
    if op == "+":
        return first + second
    if op == "-":
        return first - second
    if op == "*":
        return first * second
    assert op == "/"
    if second == 0:
        raise PrismError("infinite", node.line, "division by zero")
    return Fraction(first) / second


def fold(node, values):
    """The same tree with names of `values` replaced by literals."""
    if node.op == "name" and node.value in values:
        value = values[node.value]
        kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "real"
        return type(node)(kind, node.line, (), value)
    return type(node)(node.op, node.line, tuple(fold(o, values) for o in node.operands), node.value)
