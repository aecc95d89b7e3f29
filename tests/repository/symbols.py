#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The libraries export what the public headers declare, and nothing else; neither they nor
the program look for libraries in folders of their own.

usage: symbols.py PROGRAM SHARED-LIBRARY STATIC-LIBRARY HEADER-FOLDER...
"""
import pathlib
import re
import subprocess
import sys

DECLARATION = re.compile(r"OPAC_API[^;{]*?\b(opac_\w+)\s*\(")


def defined(arguments, path):
    text = subprocess.run(["nm", *arguments, path], check=True, capture_output=True, text=True).stdout
    # "address type name"; W and V are weak, U undefined, A the linker's own version nodes
    return {line.split()[2] for line in text.splitlines() if len(line.split()) == 3}


def declared(folders):
    names = set()
    for folder in folders:
        for header in pathlib.Path(folder).glob("*.h"):
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
            names |= set(DECLARATION.findall(text))
    return names


def search_path(path):
    """The RPATH or RUNPATH of an ELF file; "" when it has none."""
    text = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    return " ".join(line for line in text.splitlines() if "RPATH" in line or "RUNPATH" in line)


def main(program, shared, static, *folders):
    expected = declared(folders)
    assert len(expected) > 10, f"too few declarations found: {expected}"
    failed = False
    for path in (program, shared):
        if search_path(path):
            print(f"{path}: has a search path: {search_path(path)}")
            failed = True
    for path, arguments in ((shared, ["-D", "--defined-only"]), (static, ["-g", "--defined-only"])):
        found = defined(arguments, path)
        for name in sorted(found - expected):
            print(f"{path}: exports {name}, which no public header declares")
        for name in sorted(expected - found):
            print(f"{path}: does not export {name}, which a public header declares")
        failed = failed or found != expected
    if not failed:
        print(f"{len(expected)} names, all declared and all exported")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
