#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An assertion tests one thing: assert_true(a && b) hides which part failed.

Finds `assert_true(a && b)` and `assert_false(a || b)` in the C files below a folder, where the
operator joins the whole argument. Conditions such as `a || (b && c)` are one thing.

usage: assertions.py FOLDER...      check, print each violation, exit 1 if any
       assertions.py --self-test    does the check find what it should?
"""
import pathlib
import re
import sys

CALL = re.compile(r"\bassert_(true|false)\(")
# A comment, a character, or a string, in which nothing counts.
QUIET = re.compile(r"""/\*.*?\*/|//[^\n]*|'(?:[^'\\\n]|\\.)+'|"(?:[^"\\\n]|\\.)*\"""", re.DOTALL)


def blanked(text):
    """The text with as many blanks for comments, characters and strings."""
    return QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def parts(text, begin, operator):
    """The end of the argument that begins there, and its operands; one where it is no such chain."""
    depth, at, cuts, is_other = 0, begin, [begin], False
    while depth > 0 or text[at] != ")":
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        elif depth == 0 and text.startswith(operator, at):
            cuts.append(at + 2)
            at += 1
        elif depth == 0 and (text[at] == "?" or (operator == "&&" and text.startswith("||", at))):
            is_other = True
        at += 1
    cuts.append(at + 2)
    spans = [(begin, at)] if is_other else [(a, b - 2) for a, b in zip(cuts, cuts[1:])]
    return at, spans


def chains(text):
    """(place of the assertion, its end, spans of the operands) for each that joins several."""
    plain = blanked(text)
    for call in CALL.finditer(plain):
        end, spans = parts(plain, call.end(), "&&" if call.group(1) == "true" else "||")
        if len(spans) > 1:
            yield call.start(), end, spans


def check(folder):
    for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        for begin, _, spans in chains(text):
            yield f"{path}:{text.count(chr(10), 0, begin) + 1}: {len(spans)} conditions in one assertion; write one for each"


def self_test():
    bad = {"assert_true(a && b);": 2, "assert_true(f(a, b) &&\n    c[1] == 2 && d);": 3, "assert_false(a || b);": 2,
           "assert_true((a || b) && c);": 2, "assert_false(a || b && c);": 2, 'assert_true(strcmp(a, "||") && b);': 2}
    good = ["assert_true(a || b && c);", "assert_true(a == (b && c));", "assert_false(a && b);", "assert_true(f(a && b));",
            "assert_true(a ? b && c : d);", "/* assert_true(a && b) */", 'assert_true(is("a && b"));', "assert_int_equal(a && b, 1);"]
    missed = [text for text, count in bad.items() if [len(spans) for _, _, spans in chains(text)] != [count]]
    wrong = [text for text in good if list(chains(text))]
    print("\n".join([*(f"missed: {t}" for t in missed), *(f"wrongly found: {t}" for t in wrong)]) or "found as it should")
    return 1 if missed or wrong else 0


def main(*arguments):
    if arguments == ("--self-test",):
        return self_test()
    problems = [problem for folder in arguments for problem in check(folder)]
    print("\n".join(problems) or "each assertion tests one thing")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
