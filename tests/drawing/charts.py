#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Charts are XML as another parser understands it, and pictures as a converter does, if one is here.

usage: charts.py PROGRAM, which writes charts into a folder
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {SVG + name for name in
        ("svg", "title", "desc", "style", "g", "path", "rect", "text", "tspan")}


def check(path):
    picture = tree.parse(path).getroot()
    assert picture.tag == SVG + "svg" and picture.get("role") == "img", path
    assert picture.find(SVG + "title") is not None and picture.find(SVG + "desc") is not None, path
    for element in picture.iter():
        assert element.tag in TAGS, (path, element.tag)
        assert not any(name == "id" or name.startswith("on") for name in element.attrib), path
    assert picture.get("viewBox") == f"0 0 {picture.get('width')} {picture.get('height')}", path
    return picture


def render(path, picture):
    target = path.with_suffix(".png")
    subprocess.run(["rsvg-convert", str(path), "-o", str(target)], check=True)
    size = struct.unpack(">II", target.read_bytes()[16:24])
    assert size == (int(picture.get("width")), int(picture.get("height"))), (path, size)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        paths = sorted(pathlib.Path(folder).glob("*.svg"))
        assert len(paths) > 10, paths
        for path in paths:
            picture = check(path)
            if path.stem in ("bars", "boxes", "curves", "hostile") and shutil.which("rsvg-convert"):
                render(path, picture)
            if path.stem == "hostile":
                assert "<script>" in picture.find(SVG + "title").text
        print(f"{len(paths)} charts are XML")


if __name__ == "__main__":
    main(*sys.argv[1:])
