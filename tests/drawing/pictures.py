#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures that the program writes are XML as another parser understands it.

usage: pictures.py PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = """HOA: v1
name: "</svg><script>alert('&')</script>"
States: 2
Start: 0
AP: 2 "<b onload=\\"x\\">" "&amp; ]]> \u202e"
Acceptance: 1 Inf(0)
--BODY--
State: 0 "<!-- "
[0&1] 1
State: 1
[!0] 0 {0}
--END--
"""


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def texts(picture):
    return {element.text for element in picture.iter(SVG + "text")}


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.svg")
        hoa = run(program, "translate", "(G F s) & (G F g) & G !trap", check=True).stdout
        run(program, "convert", "-", str(path), input=hoa, check=True)
        picture = tree.parse(path).getroot()
        assert picture.tag == SVG + "svg"
        assert {"0", "s & g & !trap", "!s & !g & !trap"} <= texts(picture), texts(picture)
        assert run(program, "convert", "-", "-", "--to", "svg", input=hoa).stdout == path.read_text()
        run(program, "convert", "-", str(path), input=HOSTILE, check=True)
        picture = tree.parse(path).getroot()
        assert {element.tag for element in picture.iter()} <= {
            SVG + name for name in ("svg", "title", "style", "g", "path", "rect", "text")}
        assert any("<b onload=" in text for text in texts(picture)), texts(picture)
        assert "\u202e" not in path.read_text(encoding="utf-8")
        several = run(program, "convert", "-", str(path), input=hoa + hoa)
        assert several.returncode == 2 and "one automaton" in several.stderr, several
        assert tree.parse(path).getroot().tag == SVG + "svg"  # left as it was
    print("pictures are XML")


if __name__ == "__main__":
    main(*sys.argv[1:])
