#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The index of the examples tells all, and the truth: examples/README.md has a link to every file
beside it; and the command of every row with a result is one of the comments of a file that the row
links to, where its first `Result:` says the same.

usage: index.py EXAMPLES-FOLDER
       index.py --self-test
"""
import pathlib
import re
import sys
import tempfile

import examples as pages

LINK = re.compile(r"\]\(([^()\s]+)\)")


def results(path):
    """{command: first result} of a file's comments."""
    found = [(command, re.search(r"^Result: (.*)$", printed, re.MULTILINE))
             for _, block in pages.pieces(path) for command, printed in pages.commands(block)]
    return {command: result[1] for command, result in found if result}


def row_problems(folder, row):
    *_, model, _, _, result, command, _ = re.split(r" *(?<!\\)\| *", f" {row} ")
    command = command.strip("`").replace("\\|", "|")
    told = {}
    for link in LINK.findall(model):
        told.update(results(folder / link))
    same = [said for line, said in told.items() if re.match(re.escape(command) + r"( --no-timing| \||$)", line)]
    if not same:
        yield f"{command}: is in no comment of {LINK.findall(model)}"
    elif result not in same:
        yield f"{command}: {result} in the index, {same[0]} in the comment"


def problems(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    linked = {(folder / link).resolve() for link in LINK.findall(text)}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.resolve() not in linked \
                and path.name != "README.md":
            yield f"{path.relative_to(folder)}: is not in the index"
    for row in re.findall(r"^\|.*`omegapac .*\|$", text, re.MULTILINE):
        yield from row_problems(folder, row)


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.prism").write_text("// $ omegapac check a -f 'F b' --no-timing | head -n 1\n"
                                        "// Result: 1/2\n//\nmdp\n")
        for row, count in (("| [a](a.prism) | | | 1/2 | `omegapac check a -f 'F b'` |", 0),
                           ("| [a](a.prism) | | | 1/3 | `omegapac check a -f 'F b'` |", 1),
                           ("| [a](a.prism) | | | 1/2 | `omegapac check a -f 'F'` |", 1),
                           ("| [a](a.prism) | | | 1/2 | `omegapac check a` |", 1),
                           ("| a.prism | | | 1/2 | `omegapac check a -f 'F b'` |", 2)):
            (folder / "README.md").write_text(row + "\n")
            found = list(problems(folder))
            assert len(found) == count, (row, found)
    print("the check notices what is wrong")
    return 0


def main(folder):
    if folder == "--self-test":
        return self_test()
    found = list(problems(pathlib.Path(folder).resolve()))
    print("\n".join(found) or "the index tells the truth")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
