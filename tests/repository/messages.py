#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No message of the library names an option of the command line: errors carry `parameter` instead.

Looks at string literals below src/, except for those of the command line, and at all that public
headers say. Options are those of src/cli/options.def.

usage: messages.py PROJECT-FOLDER    check, print each violation, exit 1 if any
       messages.py --self-test       does the check find what it should?
"""
import pathlib
import re
import sys

# The command line itself, and pages that tell how to run it again.
EXEMPT = {"cli"}

# A comment, a character, or a string: what comes first is what it is.
TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|'(?:[^'\\\n]|\\.)+'|"((?:[^"\\\n]|\\.)*)\"""", re.DOTALL)


def options(table):
    """A pattern of the options that the table describes, as users write them."""
    names = re.findall(r'\.name = "([^"]+)"', table)
    letters = re.findall(r"\.letter = '(.)'", table)
    if len(names) < 10 or len(letters) < 3:
        sys.exit("messages.py: src/cli/options.def is not as expected")
    long = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"--(?:{long})(?![a-z0-9-])|(?<![^\s('])-[{''.join(letters)}](?![^\s,.;)'])")


def literals(text):
    """(line, string) for each string literal."""
    for found in TOKEN.finditer(text):
        if found.group(1) is not None and not found.group().startswith(("/", "'")):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def in_source(text, pattern):
    return [(line, found.group()) for line, string in literals(text) for found in pattern.finditer(string)]


def in_header(text, pattern):
    return [(text.count("\n", 0, found.start()) + 1, found.group())
            for found in pattern.finditer(text) if found.group().startswith("--")]


def check(project):
    pattern = options((project / "src/cli/options.def").read_text(encoding="utf-8"))
    places = [(path, in_source) for path in sorted((project / "src").glob("*/**/*.[ch]"))
              if path.relative_to(project / "src").parts[0] not in EXEMPT]
    places += [(path, in_header) for path in sorted((project / "include").rglob("*.h*"))]
    return [f"{path.relative_to(project)}:{line}: {option} is the command line's; say what is wrong, and "
            "set `parameter` of the error" for path, look in places
            for line, option in look(path.read_text(encoding="utf-8"), pattern)]


def self_test():
    table = "".join(f'[CLI_{i}] = {{.name = "{name}",\n .letter = \'{name[0]}\'}},'
                    for i, name in enumerate("max-states max k jobs level names of path quiet rest steps".split()))
    pattern = options(table)
    bad = ['"more than 3; --max-states allows more"', '"a number for --k"', 'f("x",\n "give it with -m p=...");',
           '"\\"" "--k"', "'\"' \"--k\"", '"(-k)"', '/* " */ "--max"']
    good = ['/* --max-states */ "more than 3 states"', '// "--k"\n', '"--maximum"', '"--max-state"', '"sh", "-c"',
            '"k-max"', '"a -kind"', '"3 -k2"', '"<!-- k -->"', "'-' k", '"1-k"']
    missed = [text for text in bad if len(in_source(text, pattern)) != 1]
    wrong = [text for text in good if in_source(text, pattern)]
    if len(in_header("/* as --max\n * and -k */ int --k;", pattern)) != 2:
        missed.append("header")
    print("\n".join([*(f"missed: {t}" for t in missed), *(f"wrongly found: {t}" for t in wrong)]) or "found as it should")
    return 1 if missed or wrong else 0


def main(argument):
    if argument == "--self-test":
        return self_test()
    problems = check(pathlib.Path(argument))
    print("\n".join(problems) or "no message of the library names an option")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
