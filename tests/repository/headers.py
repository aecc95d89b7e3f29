#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The comment at the top of each public header says what it is for, with an example that compiles;
omegapac.h lists and includes them all.

An example is a part of that comment that is indented, and has lines that end in a semicolon. Each
is compiled as the body of a function, in which the things of GIVEN are there already; functions
and declarations of its own, apart from the rest by an empty line, stand before it. "…" is what
the reader has to fill in: nothing.

usage: headers.py INCLUDE-FOLDER...
       headers.py --self-test
"""
import pathlib
import re
import subprocess
import sys
import tempfile

WITHOUT = {"export.h"}  # it has nothing to show: one macro, for the other headers
APART = {"plugin.h"}  # in the list, but included by plugins alone

GIVEN = """
const char *word, const char *text, const void *key, size_t length, uint32_t state, uint64_t n, opac_status status,
opac_error error, opac_output *out, void *my_simulator, opac_cancel *cancel, opac_model *model,
opac_formula *formula, opac_automaton *automaton, opac_properties *properties,
opac_objective objective, opac_environment *environment, opac_policy *policy, opac_learning *learning
"""

FLAGS = ["-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
         "-Wno-unused", "-Wno-unused-parameter", "-Wno-return-type"]


def opening(text):
    """The lines of the first comment behind the licence, without what they begin with."""
    comment = text.split("*/")[1].split("/*", 1)[1]
    return [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.splitlines()]


def examples(lines):
    """The indented parts that are C."""
    parts, part = [], []
    for line in [*lines, "."]:
        if line.startswith("    ") or (not line and part):
            part.append(line[4:])
        elif part:
            parts.append("\n".join(part).replace("…", "").strip())
            part = []
    return [part for part in parts if re.search(r";$|; +//", part, re.MULTILINE)]


def is_outside(chunk):
    """Whether it stands outside of functions."""
    return chunk.startswith(("static ", "#", "OPAC_PLUGIN_EXPORT "))


def program(header, parts):
    chunks = [[chunk for chunk in re.split(r"\n\n", part)] for part in parts]
    outside = [chunk for part in chunks for chunk in part if is_outside(chunk)]
    inside = ["{\n" + "\n".join(chunk for chunk in part if not is_outside(chunk)) + "\n}"
              for part in chunks]
    return "\n".join(["#include <inttypes.h>", "#include <signal.h>", "#include <stdio.h>", "#include <string.h>",
                      f"#include <omegapac/{header}>", "#include <omegapac/omegapac.h>", *outside,
                      f"void example({GIVEN});", f"void example({GIVEN})", "{", *inside, "}", ""])


def missing(names, text):
    """What omegapac.h, of that text, lacks or has too much; both lists are in order."""
    listed = re.findall(r"^ \*     (\w+\.h) ", text, re.MULTILINE)
    included = re.findall(r"^#include <omegapac/(\w+\.h)>", text, re.MULTILINE)
    ours = set(names) - WITHOUT - {"omegapac.h"}
    return [f"omegapac.h: {what} {' '.join(given)}, not {' '.join(sorted(wanted))}"
            for what, given, wanted in (("lists", listed, ours), ("includes", included, ours - APART))
            if given != sorted(wanted)]


def problems(includes):
    headers = {path.name: path for folder in includes
               for path in pathlib.Path(folder, "omegapac").glob("*.h")}
    found = [] if len(headers) > 20 else [f"only {len(headers)} headers found"]
    found += missing(headers, headers["omegapac.h"].read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        sources = []
        for name, path in sorted(headers.items()):
            parts = examples(opening(path.read_text(encoding="utf-8")))
            if not parts and name not in WITHOUT:
                found.append(f"{name}: no example at its top")
            if parts:
                sources.append(pathlib.Path(scratch, name.replace(".h", ".c")))
                sources[-1].write_text(program(name, parts), encoding="utf-8")
        folders = [f"-I{folder}" for folder in includes]
        done = subprocess.run(["cc", *FLAGS, *folders, *map(str, sources)], capture_output=True, text=True)
    if done.returncode != 0:
        found.append(done.stderr)
    return found, len(sources)


SAMPLE = """/* SPDX */
/*
 * Words.
 *
 *     a list   of things
 *     and others
 *
 * for instance
 *
 *     static int add(int x)
 *     {
 *         …
 *     }
 *
 *     int y = add(1);    // more
 *     …
 *
 * More words
 *
 *     add(2);
 */
"""


def self_test():
    parts = examples(opening(SAMPLE))
    assert len(parts) == 2 and parts[1] == "add(2);", parts
    text = program("x.h", parts)
    assert text.index("static int add") < text.index("void example") < text.index("int y"), text
    assert "…" not in text
    whole = " *     a.h   words\n *     plugin.h words\n#include <omegapac/a.h>\n"
    names = ["a.h", "export.h", "omegapac.h", "plugin.h"]
    assert not missing(names, whole)
    assert len(missing([*names, "b.h"], whole)) == 2 and len(missing(names[1:], whole)) == 2
    assert len(missing(names, whole.replace("#include", "//"))) == 1
    assert len(missing(names, whole.replace("*     a.h", "* a.h"))) == 1
    print("examples are found")


def main(*arguments):
    if arguments == ("--self-test",):
        return self_test()
    found, count = problems(arguments)
    print("\n".join(found) or f"the examples of {count} headers compile")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
