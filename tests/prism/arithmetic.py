#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares probabilities with Python's fractions: random expressions whose terms cancel, over constants
and over variables, products of many modules, and averages in a DTMC.

usage: arithmetic.py PROGRAM [--models N] [--seed N]

The value of a probability expression is its exact rational value. The model must have that value with a
relative error of at most 2^-51, and no transition if it is 0; or the program rejects the model with status 2.
The same holds for --exact, where the value must be the fraction itself.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

PRECISION = Fraction(1, 2**51)
ROW_PRECISION = Fraction(1, 2**50)  # where the row was divided by its sum as well


class Wrong(Exception):
    pass


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


# ---- expressions: (text, value) ----

def literal(rng):
    kind = rng.randrange(5)
    if kind == 0:
        text = f"0.{rng.randrange(1, 1000)}"
    elif kind == 1:
        text = f"0.{rng.randrange(1, 10**25):025d}"
    elif kind == 2:
        text = "0." + "9" * rng.randrange(1, 24) + str(rng.randrange(10))
    elif kind == 3:
        text = f"{rng.randrange(1, 10)}e-{rng.randrange(1, 26)}"
    else:
        text = f"{rng.randrange(1, 20)}"
    return text, Fraction(text)


def leaf(rng, names):
    if rng.random() < 0.5:
        return rng.choice(names)
    return literal(rng)


def expression(rng, names, depth):
    """names: (text, value) pairs of constants and variables."""
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng, names)
    kind = rng.choice("----++**//^fcm1111")
    a, x = expression(rng, names, depth - 1)
    if kind == "1":
        return f"(1-{a})", 1 - x
    if kind == "^":
        power = rng.randrange(0, 4)
        return f"pow(1.0*{a},{power})", x**power
    if kind == "f":
        return f"(floor(7*{a})/7)", Fraction((7 * x).__floor__(), 7)
    b, y = expression(rng, names, depth - 1)
    if kind == "c":
        return f"({a}<{b}?{a}:{b})", min(x, y)
    if kind == "m":
        return f"max({a},{b})", max(x, y)
    if kind == "/" and y != 0:
        return f"({a}/{b})", x / y
    if kind == "-":
        return f"({a}-{b})", x - y
    if kind == "*":
        return f"({a}*{b})", x * y
    return f"({a}+{b})", x + y


# ---- what the program reads ----

def rows(path):
    """{target: probability} of the first choice of the first state, in the order of the file."""
    result = {}
    with open(path) as file:
        next(file)
        for line in file:
            words = line.split()
            if words[0] == "0":
                result[int(words[1])] = Fraction(words[2])
    return result


def branch(program, text, constants, folder):
    """(status, the row or None, the message)."""
    path, out = os.path.join(folder, "model.prism"), os.path.join(folder, "out.tra")
    with open(path, "w") as file:
        file.write(text)
    options = ["-D", ",".join(constants)] if constants else []
    status, _, message = run(program, "convert", path, out, "--force", *options)
    return status, rows(out) if status == 0 else None, message


def exact_value(program, folder, constants):
    options = ["-D", ",".join(constants)] if constants else []
    status, out, _ = run(program, "check", os.path.join(folder, "model.prism"), "-f", "F g",
                         "--exact", "--json", *options)
    return Fraction(json.loads(out)["result"]["exact"]) if status == 0 else status


def near(found, truth, precision):
    return abs(found - truth) <= precision * truth


# ---- one expression ----

def one_expression(rng, program, folder):
    names, declarations, given, variables = [], "", [], ""
    for name in "pq":
        text, value = expression(rng, [literal(rng)], 1)
        names.append((name, value))
        if rng.random() < 0.3:
            text, value = literal(rng)
            names[-1] = (name, value)
            given.append(f"{name}={text}")
            text = ""
        declarations += f"const double {name}" + (f"={text};\n" if text else ";\n")
    for name in "xy":
        value = rng.randrange(0, 20)
        names.append((name, Fraction(value)))
        variables += f" {name}:[0..20] init {value};\n"
    text, value = expression(rng, names, rng.randrange(1, 5))
    model = (f"dtmc\n{declarations}module m\n s:[0..2] init 0;\n{variables}"
             f" [] s=0 -> {text}:(s'=1) + 1-{text}:(s'=2);\n [] s>0 -> true;\nendmodule\n"
             'label "g"=s=1;\n')
    status, row, message = branch(program, model, given, folder)
    if not 0 <= value <= 1:
        if status != 2 and not (1 < value < 1 + Fraction(1, 10**13)):
            raise Wrong(f"the value is {float(value)}, but the status is {status}:\n{model}{given}")
        return None
    if status == 2:
        if "floor" not in message and "precisely" not in message and "too small" not in message \
                and "divisor" not in message:
            raise Wrong(f"refused: {message}\n{model}{given}")
        return False
    edges = [p for p in (value, 1 - value) if p > 0]
    if len(row) != len(edges) or not all(near(f, t, PRECISION) for f, t in zip(row.values(), edges)):
        raise Wrong(f"{[float(p) for p in row.values()]}, but {[float(p) for p in edges]}:\n{model}{given}")
    if rng.random() < 0.3:
        exact = exact_value(program, folder, given)
        if exact not in (value, 2):
            raise Wrong(f"--exact gives {exact}, but {value}:\n{model}{given}")
    return True


# ---- products and averages ----

def product(rng, program, folder):
    """Synchronised modules: the row is the product of their rows."""
    text, truth = "dtmc\n", {(): Fraction(1)}
    for i in range(rng.randrange(2, 11)):
        p = f"0.{rng.randrange(1, 10**rng.choice((1, 3, 17, 22)))}"
        value = Fraction(p)
        text += f"module m{i} x{i}:[0..2]; [a] x{i}=0 -> {p}:(x{i}'=1) + 1-{p}:(x{i}'=2); endmodule\n"
        truth = {key + (to,): q * r for key, q in truth.items() for to, r in ((1, value), (2, 1 - value))}
    status, row, message = branch(program, text, [], folder)
    if status != 0:
        raise Wrong(f"{message}\n{text}")
    if len(row) != len(truth) or not all(near(f, t, PRECISION)
                                         for f, t in zip(row.values(), truth.values())):
        raise Wrong(f"a product is not precise:\n{text}")
    return True


def average(rng, program, folder):
    """Overlapping commands of a DTMC, whose probabilities sum to approximately 1."""
    count = rng.randrange(2, 4)
    text, truth = "dtmc\nmodule m s:[0..4] init 0; x:[0..9] init 3;\n", {}
    for _ in range(count):
        values = [Fraction(rng.randrange(1, 100)) for _ in range(3)]
        shares = [f"{float(v / sum(values)):.12f}" for v in values]
        third = rng.randrange(2)  # one of them over a variable
        shares[third] = f"x*{shares[third]}/3"
        values = [Fraction(s.removeprefix("x*").removesuffix("/3")) for s in shares]
        text += " [] s=0 -> " + " + ".join(f"{s}:(s'={i + 1})" for i, s in enumerate(shares)) + ";\n"
        for i, v in enumerate(values):
            truth[i] = truth.get(i, 0) + v / sum(values) / count
    status, row, message = branch(program, text + " [] s>0 -> true;\nendmodule\n", [], folder)
    if status != 0:
        raise Wrong(f"{message}\n{text}")
    if not all(near(f, t, ROW_PRECISION) for f, t in zip(row.values(), truth.values(), strict=True)):
        raise Wrong(f"an average is not precise:\n{text}")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(args.models):
            kind = product if i % 20 == 0 else average if i % 20 == 1 else one_expression
            try:
                outcomes.append(kind(rng, args.program, folder))
            except Wrong as wrong:
                print(f"model {i} of seed {args.seed}: {wrong}", file=sys.stderr)
                return 1
    good, refused = outcomes.count(True), outcomes.count(False)
    print(f"{good} models are right, {refused} refused, {outcomes.count(None)} no probability")
    return 0 if good > 10 * refused else 1


if __name__ == "__main__":
    sys.exit(main())
