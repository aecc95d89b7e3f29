#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs a build into an empty folder and uses it from there as a stranger would:
a small C program built with pkg-config and with CMake, shared and static; the examples
in C, which print what they say that they print; the plugin; the program; its man pages
and completions. The tree is moved first, so that no path is baked in.

usage: install.py BUILD-FOLDER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

PROGRAM = r"""
#include <stdio.h>
#include <omegapac/omegapac.h>

int main(void)
{
    opac_error error;
    opac_count k;
    opac_bound_params params = {
        .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1};
    if (opac_bound_k(&params, OPAC_K_PAPER, &k, &error) != OPAC_OK)
        return printf("%s\n", error.message), 1;
    return printf("%llu %s\n", (unsigned long long)k.value, opac_version()) < 0;
}
"""

# Opens gridworld.so, resets it, and shows where it is.
OPENER = r"""
#include <stdio.h>
#include <omegapac/environment.h>

int main(void)
{
    opac_environment *environment;
    opac_observation seen;
    opac_error error;
    char shown[64];
    if (opac_environment_open("plugin:gridworld.so", NULL, &environment, &error) != OPAC_OK ||
        opac_environment_reset(environment, 1, &seen, &error) != OPAC_OK)
        return printf("%s\n", error.message), 1;
    printf("%s\n", opac_environment_show(environment, seen.key, seen.length, shown, sizeof shown));
    opac_environment_free(environment);
    return 0;
}
"""

PLUGIN_IN_CXX = r"""
#include <omegapac/plugin.h>

static opac_status open(const char *, void **, opac_plugin_facts *, opac_error *) { return OPAC_OK; }
static opac_status see(opac_observation *seen)
{
    seen->key = "here";
    seen->length = 4;
    return OPAC_OK;
}
static opac_status reset(void *, uint64_t, opac_observation *seen, opac_error *) { return see(seen); }
static opac_status step(void *, uint32_t, opac_observation *seen, opac_error *) { return see(seen); }
static void close(void *) {}

static opac_plugin_table describe()
{
    opac_plugin_table table = opac_plugin_table();
    table.abi = OPAC_PLUGIN_ABI;
    table.open = open;
    table.reset = reset;
    table.step = step;
    table.close = close;
    return table;
}
OPAC_PLUGIN_EXPORT const opac_plugin_table opac_plugin = describe();
"""

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(stranger C)
find_package(omegapac @VERSION@ REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared omegapac::omegapac)
add_executable(static main.c)
target_link_libraries(static omegapac::omegapac_static)
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def find(prefix, name):
    found = list(prefix.rglob(name))
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def build_with_pkg_config(prefix, work, environment):
    flags = run("pkg-config", "--cflags", "--libs", "omegapac", env=environment).split()
    run("cc", "-std=c99", "main.c", *flags, "-o", "shared", cwd=work)
    flags = run("pkg-config", "--cflags", "--libs", "--static", "omegapac", env=environment).split()
    library = find(prefix, "libomegapac.a")
    flags = [str(library) if flag == "-lomegapac" else flag for flag in flags]
    run("cc", "-std=c99", "main.c", *flags, "-o", "static", cwd=work)
    return [work / "shared", work / "static"]


def build_with_cmake(prefix, work):
    root = pathlib.Path(__file__).resolve().parents[2]
    version = re.search(r"VERSION (\d+\.\d+)", (root / "CMakeLists.txt").read_text().split("project(", 1)[1]).group(1)
    (work / "CMakeLists.txt").write_text(PROJECT.replace("@VERSION@", version))
    run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=work)
    run("cmake", "--build", "build", cwd=work)
    return [work / "build" / "shared", work / "build" / "static"]


def promised(source):
    """The words that the comment at the top of an example shows below "prints"; None: it does not."""
    comment = source.read_text(encoding="utf-8").split("*/")[1]
    lines = [line.removeprefix(" *") for line in comment.splitlines()]
    if " prints" not in lines:
        return None
    shown = lines[lines.index(" prints") + 2:]
    return " ".join(line for line in shown if line.startswith("     ")).split()


def use_examples(work, environment):
    """Each program of examples/c is built against what is installed, and keeps its promise."""
    flags = run("pkg-config", "--cflags", "--libs", "omegapac", env=environment).split()
    sources = sorted((EXAMPLES / "c").glob("*.c"))
    assert sources
    for source in sources:
        run("cc", "-Wall", "-Wextra", "-Werror", source, *flags, "-o", source.stem, cwd=work)
        printed = run(work / source.stem, cwd=work, env=environment)
        assert promised(source) in (None, printed.split()), f"{source.name} printed\n{printed}"
    assert promised(EXAMPLES / "c" / "simulator.c")


def use_plugin(prefix, work, environment):
    """The headers alone build the plugin, by the command that its comment gives, in C and C++."""
    flags = run("pkg-config", "--cflags", "omegapac", env=environment).split()
    command = ["-shared", "-fPIC", "-O2", EXAMPLES / "plugins" / "gridworld.c", *flags]
    run("cc", *command, "-Wall", "-Wextra", "-Werror", "-o", "gridworld.so", cwd=work)
    (work / "open.c").write_text(OPENER)
    flags = run("pkg-config", "--cflags", "--libs", "omegapac", env=environment).split()
    run("cc", "open.c", *flags, "-o", "open", cwd=work)
    assert run(work / "open", cwd=work, env=environment) == "x=0, y=1\n"
    if shutil.which("g++"):
        (work / "plugin.cpp").write_text(PLUGIN_IN_CXX)
        run("g++", "-std=c++11", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra",
            "-Werror", "plugin.cpp", f"-I{prefix / 'include'}", "-o", "gridworld.so", cwd=work)
        assert run(work / "open", cwd=work, env=environment) == "here\n"


def use_documents(prefix):
    """What man pages name is there, and so are the examples."""
    folder = find(prefix, "LICENSE").parent
    pages = "".join(page.read_text() for page in prefix.rglob("omegapac*.1")).replace("\\-", "-")
    named = set(re.findall(r"docs/[a-z/-]+\.md", pages))
    assert named, "no man page names a document"
    for name in named:
        assert (folder / name).is_file(), name
    assert not (folder / "docs" / "decisions").exists() and not list(folder.rglob("*.pyc"))
    done = run(prefix / "bin" / "omegapac", "check", "examples/models/gridworld.prism", "-f", "G F s", cwd=folder)
    assert done.startswith("Result: 1 [1, 1]"), done


def main(build):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        run("cmake", "--install", build, "--prefix", scratch / "first")
        prefix = scratch / "moved"
        shutil.move(scratch / "first", prefix)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(find(prefix, "libomegapac.so").parent),
                           PKG_CONFIG_PATH=str(find(prefix, "omegapac.pc").parent))

        work = scratch / "work"
        work.mkdir()
        (work / "main.c").write_text(PROGRAM)
        programs = build_with_pkg_config(prefix, work, environment) + build_with_cmake(prefix, work)
        version = run(prefix / "bin" / "omegapac", "--version").split()[1]
        for program in programs:
            assert run(program, env=environment) == f"71394132 {version}\n", program

        use_examples(work, environment)
        use_plugin(prefix, work, environment)

        for header in (EXAMPLES.parent / "include" / "omegapac").glob("*.h"):
            find(prefix / "include", header.name)
        find(prefix, "omegapac.1")
        for command in ("bound", "env check"):
            page = find(prefix, f"omegapac-{command.replace(' ', '-')}.1")
            assert command in page.read_text(), page
        completion = next(p for p in prefix.rglob("omegapac") if "bash-completion" in p.parts)
        assert "complete -F" in completion.read_text()
        find(prefix, "_omegapac")
        use_documents(prefix)
    print("installed, moved, and used with pkg-config and CMake, shared and static")


if __name__ == "__main__":
    main(sys.argv[1])
