#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs a build into an empty folder and uses it from there as a stranger would:
a small C program built with pkg-config and with CMake, shared and static; the program;
its man pages and completions. The tree is moved first, so that no path is baked in.

usage: install.py BUILD-FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

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

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(stranger C)
find_package(omegapac 0.1 REQUIRED)
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
    (work / "CMakeLists.txt").write_text(PROJECT)
    run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=work)
    run("cmake", "--build", "build", cwd=work)
    return [work / "build" / "shared", work / "build" / "static"]


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

        find(prefix, "omegapac.1")
        assert "bound" in find(prefix, "omegapac-bound.1").read_text()
        completion = next(p for p in prefix.rglob("omegapac") if "bash-completion" in p.parts)
        assert "complete -F" in completion.read_text()
        find(prefix, "_omegapac")
        find(prefix, "LICENSE")
    print("installed, moved, and used with pkg-config and CMake, shared and static")


if __name__ == "__main__":
    main(sys.argv[1])
