#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden tests of the command line. A file holds cases, separated by empty lines:

    # a comment
    $ omegapac bound --states 0
    ! omegapac bound: --states must be at least 1, not 0
    = 2

"$ " is the command (run by bash, in an empty folder; $MODELS is examples/models), "> " a line of its standard output,
"! " one of its standard error, "= " the exit status (0 when absent), "~ " a regular
expression that a line of the standard output must match, in place of all "> " lines.

usage: golden.py PROGRAM FILE...
       golden.py --update PROGRAM FILE...    write into the files what the commands now print; read the
                                             difference before you commit it
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


class Case:
    def __init__(self, path, line):
        self.place = f"{path.name}:{line}"
        self.line = line
        self.command, self.out, self.err, self.patterns, self.status = [], [], [], [], 0


def read_cases(path):
    cases, case = [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        kind, text = line[:1], line[2:]
        if not line or kind == "#":
            continue
        if kind == "$":
            case = Case(path, number)
            case.command = text
            cases.append(case)
        elif kind == ">":
            case.out.append(text)
        elif kind == "!":
            case.err.append(text)
        elif kind == "~":
            case.patterns.append(text)
        elif kind == "=":
            case.status = int(text)
        else:
            sys.exit(f"{path}:{number}: a line begins with one of # $ > ! ~ =")
    return cases


def problems(case, done):
    out, err = done.stdout.splitlines(), done.stderr.splitlines()
    if done.returncode != case.status:
        yield f"exit status {done.returncode}, expected {case.status}"
    if not case.patterns and out != case.out:
        yield "standard output:\n" + done.stdout
    for pattern in case.patterns:
        if not any(re.search(pattern, line) for line in out):
            yield f"no line matches {pattern}:\n{done.stdout}"
    if err != case.err:
        yield "standard error:\n" + done.stderr


def rewrite(path, updates):
    """Puts what commands printed behind them, {line of the command: finished process}; comments stay."""
    result, done = [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line[:1] not in (">", "!", "="):
            done = None
        if number in updates:
            done = updates[number]
            result += [line, *(f"> {text}" for text in done.stdout.splitlines()),
                       *(f"! {text}" for text in done.stderr.splitlines())]
            result += [f"= {done.returncode}"] if done.returncode != 0 else []
        elif done is None:
            result.append(line)
    path.write_text("\n".join(result) + "\n", encoding="utf-8")


def run_all(program, models, paths, update):
    passed = failed = 0
    folder = pathlib.Path(program).resolve().parent
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", LC_ALL="C.UTF-8",
                       MODELS=models)
    for path in map(pathlib.Path, paths):
        updates = {}
        for case in read_cases(path):
            with tempfile.TemporaryDirectory() as empty:
                done = subprocess.run(["bash", "-c", case.command], cwd=empty, env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True)
            found = list(problems(case, done))
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print(f"{case.place}: $ {case.command}\n  " + "\n  ".join(found))
                if not case.patterns:
                    updates[case.line] = done
        if update and updates:
            rewrite(path, updates)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def main(program, *paths, update=False):
    """A checkout may be in a folder with blanks; cases, which quote nothing, do not notice."""
    models = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "models")
    if shlex.quote(models) == models:
        return run_all(program, models, paths, update)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        plain = os.path.join(folder, "models")
        os.symlink(models, plain)
        return run_all(program, plain, paths, update)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--update"]:
        sys.exit(main(*sys.argv[2:], update=True))
    sys.exit(main(*sys.argv[1:]))
