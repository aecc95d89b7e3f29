#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source file states its licence; public headers stand alone in C and C++.

usage: sources.py PROJECT-FOLDER INCLUDE-FOLDER...
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = {"LICENSE", ".gitignore"}
SKIPPED_SUFFIXES = {".md", ".json", ".png"}


def tracked(project):
    """Files git knows or, where git cannot tell (a release archive), those of our own folders."""
    try:
        text = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=project,
                              check=True, capture_output=True, text=True).stdout
        return [project / name for name in text.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        folders = ("bench", "cmake", "fuzz", "include", "scripts", "src", "tests")
        return [path for folder in folders for path in (project / folder).rglob("*")
                if path.is_file() and path.suffix in {".c", ".h", ".py", ".txt", ".cmake", ".in"}]


def licence_problems(project):
    paths = tracked(project)
    if len(paths) < 50:
        yield f"only {len(paths)} source files found below {project}"
    for path in paths:
        relative = path.relative_to(project)
        if path.name in SKIPPED or path.suffix in SKIPPED_SUFFIXES or not path.is_file():
            continue
        if "corpus" in relative.parts:
            continue
        if b"SPDX-License-Identifier: MIT" not in path.read_bytes()[:400]:
            yield f"{relative}: no SPDX line at its beginning"


def header_problems(includes):
    compilers = [(["cc", "-std=c17", "-pedantic"], ".c"), (["cc", "-std=c99"], ".c")]
    if shutil.which("g++"):
        compilers.append((["g++", "-std=c++11", "-pedantic"], ".cpp"))
    headers = {h.name for folder in includes for h in pathlib.Path(folder, "omegapac").glob("*.h")}
    flags = [f"-I{folder}" for folder in includes] + ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    with tempfile.TemporaryDirectory() as scratch:
        for compiler, suffix in compilers:
            sources = []
            for header in sorted(headers):
                sources.append(pathlib.Path(scratch, header[:-2] + suffix))
                sources[-1].write_text(f"#include <omegapac/{header}>\n" * 2 + "extern int used;\n")
            run = subprocess.run([*compiler, *flags, *map(str, sources)], capture_output=True, text=True)
            if run.returncode != 0:
                yield f"{' '.join(compiler)}:\n{run.stderr}"


def main(project, *includes):
    problems = [*licence_problems(pathlib.Path(project).resolve()), *header_problems(includes)]
    print("\n".join(problems) or "licences stated, headers stand alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
