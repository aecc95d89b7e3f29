#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares every #include below a source folder with its LAYERS file, and this with the table of
CONTRIBUTING.md beside the folder.

usage: layers.py SOURCE-FOLDER        check, print each violation, exit 1 if any
       layers.py --self-test          does the check find what it should?
"""
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def read_layers(path):
    """{module: (layer, set of modules it must not know)}"""
    layers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if len(words) < 2 or not words[0].isdigit() or (len(words) > 2 and words[2] != "not"):
            sys.exit(f"{path}:{number}: expected: LAYER MODULE [not MODULE...]")
        layers[words[1]] = (int(words[0]), set(words[3:]))
    return layers


def violation(layers, module, target):
    """Why a file of `module` may not include the path `target`; None if it may."""
    other = target.split("/")[0] if "/" in target else None
    if other is None:
        return "written without its module"
    if other == module:
        return None
    if other not in layers:
        return f"there is no module {other}"
    if other in layers[module][1]:
        return f"{module} must not know {other}"
    if layers[other][0] >= layers[module][0]:
        return f"{other} is not below {module}"
    return None


def check(source):
    layers = read_layers(source / "LAYERS")
    problems = []
    for folder in sorted(p.name for p in source.iterdir() if p.is_dir()):
        if folder not in layers:
            problems.append(f"{folder}: a module that LAYERS does not list")
    guide = (source.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = {module: int(layer) for layer, module in re.findall(r"^\| (\d+) \| (\w+) \|", guide, re.MULTILINE)}
    for module in sorted(set(told) | set(layers)):
        if told.get(module) != layers.get(module, (None,))[0]:
            problems.append(f"{module}: CONTRIBUTING.md has it on another layer than LAYERS, or not at all")
    for path in sorted(source.glob("*/**/*.[ch]")):
        module = path.relative_to(source).parts[0]
        if module not in layers:
            continue
        for own, system in INCLUDE.findall(path.read_text(encoding="utf-8")):
            reason = violation(layers, module, own) if own else None
            # One header stands between the project and the library that it uses.
            if system == "gmp.h" and path.name != "rational_gmp.h":
                reason = "GMP is known to base/rational_gmp.h alone"
            if reason:
                problems.append(f"{path.relative_to(source)}: includes {own or system}: {reason}")
    return problems


def self_test():
    files = {
        "../CONTRIBUTING.md": "| 0 | base | x |\n| 1 | stat | x |\n| 2 | graph | x |\n| 2 | solve | x |\n| 3 | loft | x |\n",
        "LAYERS": "0 base\n1 stat\n1 graph\n2 solve not stat # why\n",
        "base/good.c": '#include <stdio.h>\n#include <omegapac/error.h>\n#include "base/a.h"\n',
        "base/up.c": '#include "stat/rng.h"\n',
        "stat/side.c": '  #  include "graph/scc.h"\n',
        "solve/banned.c": '#include "stat/rng.h"\n',
        "solve/good.h": '#include "graph/scc.h"\n#include "base/a.h"\n',
        "graph/bare.c": '#include "scc.h"\n',
        "solve/big.c": "#include <gmp.h>\n",
        "base/rational_gmp.h": "#include <gmp.h>\n",
        "attic/x.c": "",
    }
    expected = {"base/up.c", "stat/side.c", "solve/banned.c", "graph/bare.c", "solve/big.c",
                "attic", "graph", "loft"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, "src", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        found = check(pathlib.Path(folder, "src"))
    names = {problem.split(":")[0] for problem in found}
    assert names == expected, f"found {sorted(names)}, expected {sorted(expected)}"
    assert len(found) == len(expected), found


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        found = check(pathlib.Path(sys.argv[1]))
        print("\n".join(found) or "every include keeps to LAYERS")
        sys.exit(1 if found else 0)
