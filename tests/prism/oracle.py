#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `omegapac convert` with an independent interpreter of the PRISM language on random models: states,
initial states, choices, probabilities and labels must be the same. If the interpreter finds an error, the exit
status must be 2, with a message that names the line.

usage: oracle.py PROGRAM [--models N] [--seed N] [--states N] [--only K] [--exact]

--only K runs the Kth model alone and prints it. OMEGAPAC_SOAK in the environment shifts the seed.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import explicit  # noqa: E402
import generate  # noqa: E402
import interpreter  # noqa: E402

# Errors that are found before exploration have one place. The line of an error in a state, or of one that
# two places cause together, may be that of either.
SURE_OF_LINE = ("unsupported", "undefined", "twice-assigned", "global-labelled", "foreign")


def convert(program, text, given, folder, extra=()):
    """(exit status, standard error, path of the .tra)"""
    model, out = os.path.join(folder, "model.prism"), os.path.join(folder, "out.tra")
    with open(model, "w", newline="") as file:
        file.write(text)
    command = [program, "convert", model, out, *extra]
    if given:
        command += ["-D", ",".join(f"{name}={value}" for name, value in given.items())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr, out


def opinion(text, given, states):
    """The explored states, or an error."""
    try:
        return interpreter.read(text, given).explore(states)
    except interpreter.PrismError as error:
        return error


def check_error(text, error, status, message):
    explicit.check(status == 2, f"status {status} for a mistake: {error}\n{message}")
    lines = [int(n) for n in re.findall(r"model\.prism:(\d+):\d+", message)]
    explicit.check(lines or error.line == 0, f"no line in the message for: {error}\n{message}")
    renames = re.search(r"module\s+\w+\s*=", text)  # then it may be the line of the renaming
    if error.kind in SURE_OF_LINE and error.line and not renames:
        explicit.check(error.line in lines, f"lines {lines} for: {error}\n{message}")


def check_space(space, status, message, path):
    explicit.check(status == 0, f"status {status} for a model that is right:\n{message}")
    explicit.compare(space, explicit.Explicit(path))
    wanted, found = {kind for kind, _ in space.warnings}, explicit.warned_of(message)
    explicit.check(wanted == found, f"warnings of {wanted}, but:\n{message}")


def run_one(program, seed, states, exact, show):
    """The outcome in a word, and a description of the mismatch or None."""
    text, given = generate.model(random.Random(seed))
    if show:
        print(text, given)
    mine = opinion(text, given, states)
    if isinstance(mine, interpreter.PrismError) and mine.kind in ("limit", "infinite"):
        return "no opinion", None
    with tempfile.TemporaryDirectory() as folder:
        try:
            status, message, path = convert(program, text, given, folder, ["--exact"] if exact else [])
            if isinstance(mine, interpreter.PrismError):
                check_error(text, mine, status, message)
                return "wrong: " + mine.kind, None
            if exact and "cannot be computed exactly" in message and "log" in text:
                return "no opinion", None
            check_space(mine, status, message, path)
            return "right", None
        except explicit.Mismatch as mismatch:
            return "MISMATCH", str(mismatch)
        except Exception as problem:  # a result that the files cannot represent is a mismatch as well
            return "MISMATCH", f"{type(problem).__name__}: {problem}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=400)
    parser.add_argument("--only", type=int)
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    seed = options.seed + 1000003 * int(os.environ.get("OMEGAPAC_SOAK", "0"))
    numbers = range(options.models) if options.only is None else [options.only]
    seeds = [seed * 1000000 + number for number in numbers]
    tally, failures = collections.Counter(), 0
    with concurrent.futures.ProcessPoolExecutor() as pool:
        arguments = [[options.program] * len(seeds), seeds, [options.states] * len(seeds),
                     [options.exact] * len(seeds), [options.only is not None] * len(seeds)]
        for number, (word, wrong) in zip(numbers, pool.map(run_one, *arguments, chunksize=8)):
            tally[word] += 1
            if wrong is not None:
                failures += 1
                print(f"--seed {options.seed} --only {number}: {wrong}", file=sys.stderr)
    print(", ".join(f"{word} {count}" for word, count in sorted(tally.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
