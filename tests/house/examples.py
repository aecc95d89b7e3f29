#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of the documentation and compares what they print.

A fenced block with the info string `console` holds commands behind "$ " and, below
each, exactly what it prints (a line "..." stands for any lines). A block with
`LANGUAGE file=NAME` is written to that file first, beside which the commands run. The
project's folder `examples` is there, too; a block that names a file of it shows that
file, "..." for what it leaves out. Blocks with `console` and another word need what is not
everywhere; a test of its own runs those, but `console python`, which is run here if the
Python package was built.

usage: examples.py BUILD-FOLDER FILE.md...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(block):
    """[(command, expected output)] of a console block; a trailing backslash continues."""
    result = []
    continued = False
    for line in block.splitlines(keepends=True):
        if continued:
            result[-1][0] += line
        elif line.startswith("$ "):
            result.append([line[2:], ""])
        else:
            result[-1][1] += line
        continued = line.endswith("\\\n") and (continued or line.startswith("$ "))
    return result


def matches(expected, printed):
    pattern = "".join(".*" if line == "...\n" else re.escape(line)
                      for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def run_file(path, environment, kind="console"):
    run = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "examples").symlink_to(EXAMPLES)
        for info, block in FENCE.findall(path.read_text(encoding="utf-8")):
            name = re.search(r"\bfile=(\S+)", info)
            if name and name.group(1).startswith("examples/"):
                if not matches(block, pathlib.Path(folder, name.group(1)).read_text(encoding="utf-8")):
                    failed += 1
                    print(f"{path.name}: does not show {name.group(1)} as it is")
            elif name:
                pathlib.Path(folder, name.group(1)).write_text(block)
            if info.strip() != kind:
                continue
            for command, expected in commands(block):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                run += 1
                if not matches(expected, done.stdout):
                    failed += 1
                    print(f"{path.name}: $ {command}--- expected\n{expected}--- printed\n{done.stdout}")
    return run, failed


def main(build, *paths):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        libraries = next(pathlib.Path(prefix).rglob("libomegapac.so")).parent
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}",
                           LD_LIBRARY_PATH=str(libraries),
                           PKG_CONFIG_PATH=str(libraries / "pkgconfig"), NO_COLOR="1", LC_ALL="C.UTF-8")
        environment.pop("PYTHONPATH", None)
        counts = [run_file(pathlib.Path(path), environment) for path in paths]
        package = pathlib.Path(build, "python")
        if list(package.glob("omegapac/_core*.so")):
            environment.update(PYTHONPATH=str(package.resolve()), PYTHONDONTWRITEBYTECODE="1")
            counts += [run_file(pathlib.Path(path), environment, "console python") for path in paths]
        else:
            print("blocks of Python are skipped: the package was not built")
    run, failed = (sum(column) for column in zip(*counts))
    print(f"{run} commands, {failed} wrong")
    return 1 if failed or run == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
