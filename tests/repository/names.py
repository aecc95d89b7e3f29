#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""File names in src/ are unique, or begin with the name of their module.

usage: names.py SRC-FOLDER     check, print each violation, exit 1 if any
       names.py --self-test    test the check itself
"""
import collections
import pathlib
import sys
import tempfile


def problems(src):
    """A name that two modules use, except in a module whose name it begins with."""
    places = collections.defaultdict(set)
    for path in sorted(src.glob("*/*.[ch]")):
        places[path.stem].add(path.parent.name)
    if not places:
        yield f"no sources below {src}"
    for name, modules in sorted(places.items()):
        wrong = sorted(module for module in modules if not name.startswith(module))
        if len(modules) > 1 and wrong:
            yield f"{name}: in {', '.join(sorted(modules))}; rename it in {' or '.join(wrong)}"


def self_test():
    with tempfile.TemporaryDirectory() as name:
        src = pathlib.Path(name)
        for path in ("check/check.c", "check/check.h", "cli/check_command.c", "a/text.c", "b/b_text.c"):
            (src / path).parent.mkdir(exist_ok=True)
            (src / path).touch()
        assert not list(problems(src)), list(problems(src))
        (src / "b" / "text.h").touch()
        assert list(problems(src)) == ["text: in a, b; rename it in a or b"]
    return 0


def main(argument):
    if argument == "--self-test":
        return self_test()
    found = list(problems(pathlib.Path(argument)))
    print("\n".join(found) or "file names are unique")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
