#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Columns of experiments' tables have names that programs like, and each of them is told in
docs/formats/experiment.md, which tells of no others.

usage: columns.py FOLDER-OF-EXPERIMENTS EXPERIMENT.MD
       columns.py --self-test
"""
import pathlib
import re
import sys
import tempfile

HEADS = re.compile(r"""lab\.table\((?:"[^"]*"|[\w.]+),\s*\(([^)]*)\)""")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def columns(folder):
    """{name: file that has it}"""
    return {name: path.name for path in sorted(folder.glob("*.py"))
            for heads in HEADS.findall(path.read_text(encoding="utf-8"))
            for name in re.findall(r'"([^"]*)"', heads)}


def told(document):
    """Names in the cells of the tables that are headed by `column`."""
    found, place = set(), None
    for line in document.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if "column" in cells:
            place = cells.index("column")
        elif not cells:
            place = None
        elif place is not None:
            found.update(re.findall(r"`([^`]+)`", cells[place]))
    return found


def problems(folder, document):
    there, known = columns(folder), told(document)
    for name, file in there.items():
        if not NAME.fullmatch(name):
            yield f"{file}: a column {name!r}: letters, digits and _ were expected"
        elif name not in known:
            yield f"{file}: the column {name} is not in {document.name}"
    yield from (f"{document.name}: no table has a column {name}" for name in sorted(known - set(there)))
    if not there:
        yield f"{folder}: no columns were found"


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "one.py").write_text('lab.table("x", ("a", "b c",\n "d"), rows)')
        document = folder / "one.md"
        document.write_text("`d`\n\n| column | what |\n|---|---|\n| `a`, `e` | `d` |\n\n| key | what |\n| `f` | |\n")
        found = list(problems(folder, document))
    expected = ["one.py: a column 'b c': letters, digits and _ were expected", "one.py: the column d is not in one.md",
                "one.md: no table has a column e"]
    if found != expected:
        sys.exit(f"found {found}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        wrong = list(problems(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
        sys.exit("\n".join(wrong) or 0)
