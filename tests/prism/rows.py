#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests each rule of the language on a small model, models/*.prism, with expected results that were worked
out by hand, models/cases.json. Both `omegapac` and the interpreter must give these results, and must agree
in every state.

usage: rows.py PROGRAM [WORD]...

If WORDs are given, only the models whose names contain one of them are tested. If PROGRAM is -, only the
interpreter is tested.

A case has: model; constants (for -D) and options, if any; then states, choices, transitions, and optionally
type, initial (number of initial states), labels (name: number of states), all_labels (all labels except the
built-in ones hold in all states), probabilities ([state, action, target, p]: a choice with this action leads
from a matching state to matching targets with total probability p), warnings (words; without them there must
be no warning). For an error it has: kind (of the interpreter), line (one, several that are correct, or null)
and words of the message.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
import explicit  # noqa: E402
import interpreter  # noqa: E402
from explicit import check  # noqa: E402

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")
PUBLISHED = os.path.join(MODELS, "..", "..", "..", "..", "shared", "data", "prism-ltl", "models")


def given(case):
    return dict(pair.split("=") for pair in case["constants"].split(",")) if "constants" in case else {}


def lines(case):
    """The lines that the message must name; None if any line is accepted."""
    line = case.get("line")
    return line if isinstance(line, list) or line is None else [line]


def warnings(case):
    return {explicit.WARNINGS[word] for word in case.get("warnings", [])}


# ---- the interpreter ----

def matches(description, names, state):
    values = dict(zip(names, state))
    return all(values[name] == explicit.value(word)
               for name, word in (part.split("=") for part in description.split(",")))


def check_probability(space, source, action, target, p):
    for state, choices in space.choices.items():
        if matches(source, space.names, state):
            for name, targets in choices:
                total = sum(q for t, q in targets.items() if matches(target, space.names, t))
                if name == action and total == Fraction(p):
                    return
    raise explicit.Mismatch(f"from {source} by [{action}] to {target}: not {p}")


def check_space(case, space):
    check(space.counts() == (case["states"], case["choices"], case["transitions"]),
          f"the interpreter counts {space.counts()}")
    check(space.type == case.get("type", space.type), "type")
    check(len(space.initial) == case.get("initial", 1), f"{len(space.initial)} initial states")
    for name, count in case.get("labels", {}).items():
        check(len(space.labels[name]) == count, f'"{name}" in {len(space.labels[name])} states')
    if case.get("all_labels"):
        for name, where in space.labels.items():
            check(name in ("init", "deadlock") or len(where) == case["states"], f'"{name}" does not hold')
    for probability in case.get("probabilities", []):
        check_probability(space, *probability)
    check(warnings(case) == {kind for kind, _ in space.warnings},
          f"the interpreter warns of {space.warnings}")


def interpret(case, text):
    """The explored states, or None for an expected error."""
    try:
        space = interpreter.read(text, given(case)).explore()
    except interpreter.PrismError as error:
        check(error.kind == case.get("kind"), f"the interpreter: {error}")
        check(lines(case) is None or error.line in lines(case), f"the interpreter: {error}")
        return None
    check("kind" not in case, "the interpreter sees no mistake")
    check_space(case, space)
    return space


# ---- the program ----

def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check_mistake(case, status, message, path):
    check(status == 2, f"status {status}\n{message}")
    found = [int(n) for n in re.findall(re.escape(path) + r":(\d+):\d+", message)]
    check(lines(case) is None or set(lines(case)) & set(found), f"line {lines(case)}, but\n{message}")
    said = message.replace(path, "")  # where such a word may be part of the name
    for word in case["words"]:
        check(word in said, f"no word of {word}:\n{message}")


def check_info(case, out, space):
    result = json.loads(out)
    model = result["model"]
    for key in ("states", "choices", "transitions"):
        check(model[key] == case[key], f"info: {model[key]} {key}")
    check(model["type"] == space.type, f"info: type {model['type']}")


def check_program(case, program, space, folder):
    path, out = os.path.join(MODELS, case["model"]), os.path.join(folder, "out.tra")
    options = case.get("options", []) + (["-D", case["constants"]] if "constants" in case else [])
    status, _, message = run(program, "convert", path, out, *options)
    if space is None:
        check_mistake(case, status, message, path)
        return
    check(status == 0, f"status {status}\n{message}")
    explicit.compare(space, explicit.Explicit(out))
    check(explicit.warned_of(message) == warnings(case), f"warnings:\n{message}")
    status, text, message = run(program, "info", path, "--json", *options)
    check(status == 0, f"info: status {status}\n{message}")
    check_info(case, text, space)


def check_published(program):
    """The small published models, where they are at hand, state by state; how many were wrong."""
    failures = 0
    for name in sorted(os.listdir(PUBLISHED)) if os.path.isdir(PUBLISHED) else []:
        path = os.path.join(PUBLISHED, name)
        with open(path) as file, tempfile.TemporaryDirectory() as folder:
            space = interpreter.read(file.read()).explore()
            out = os.path.join(folder, "out.tra")
            status, _, message = run(program, "convert", path, out)
            try:
                check(status == 0, message)
                explicit.compare(space, explicit.Explicit(out))
            except explicit.Mismatch as mismatch:
                failures += 1
                print(f"{name}: {mismatch}", file=sys.stderr)
    return failures


def main(program, *words):
    with open(os.path.join(MODELS, "cases.json")) as file:
        cases = [case for case in json.load(file)["cases"]
                 if not words or any(word in case["model"] for word in words)]
    missing = set(f for f in os.listdir(MODELS) if f.endswith(".prism")) - {c["model"] for c in cases}
    failures = 0
    for name in [] if words else sorted(missing):
        failures += 1
        print(f"{name}: no case", file=sys.stderr)
    for case in cases:
        with open(os.path.join(MODELS, case["model"]), newline="") as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:
            try:
                space = interpret(case, text)
                if program != "-":
                    check_program(case, program, space, folder)
            except explicit.Mismatch as mismatch:
                failures += 1
                print(f"{case['model']} {case.get('constants', '')}: {mismatch}", file=sys.stderr)
    if program != "-" and not words:
        failures += check_published(program)
    print(f"{len(cases)} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
