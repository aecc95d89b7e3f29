#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Man pages and completions say what --help says, and the completions complete.

usage: pages.py PROGRAM FOLDER-OF-PAGES
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commands_of(program):
    listing = run(program, "--help").split("Commands:\n")[1].split("\n\n")[0]
    words = [line.split()[0] for line in listing.splitlines() if re.match(r"  \S", line)]
    assert words[-1] == "help"
    return words[:-1]


def options_of(program, command):
    text = run(program, command, "--help").split("\nOptions:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (?:-\w, )?(--?[\w-]+)", text, re.MULTILINE)


def check_examples(program, command):
    examples = re.findall(r"^    omegapac (.*)", run(program, command, "--help"), re.MULTILINE)
    assert examples, command
    for example in examples:
        run(program, *example.split())


def check_manual(folder, command, options):
    text = (folder / f"omegapac-{command}.1").read_text().replace("\\-", "-")
    for option in options:
        assert re.search(rf"^\.B .*{re.escape(option)}\b", text, re.MULTILINE), (command, option)
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"):
        assert f".SH {section}\n" in text, section


def bash_completes(folder, words):
    """What bash offers for the last of the words."""
    script = f"""
        source {shlex.quote(str(folder))}/omegapac.bash
        COMP_WORDS=({shlex.join(words)})
        COMP_CWORD={len(words) - 1}
        _omegapac
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return run("bash", "-c", script).split()


def main(program, folder):
    folder = pathlib.Path(folder)
    overview = (folder / "omegapac.1").read_text()
    for command in commands_of(program):
        options = options_of(program, command)
        assert "--help" in options and len(options) > 3, options
        assert f"omegapac\\-{command} (1)" in overview
        check_manual(folder, command, options)
        check_examples(program, command)
        assert bash_completes(folder, ["omegapac", command, "-"]) == options
        zsh = (folder / "_omegapac").read_text()
        assert all(re.search(rf"'{option}[=+]?\[", zsh) for option in options), command
    assert bash_completes(folder, ["omegapac", "b"]) == ["bound"]
    assert bash_completes(folder, ["omegapac", "bound", "--k", ""]) == ["paper", "sound", "l1"]
    assert bash_completes(folder, ["omegapac", "bound", "--k", "=", "p"]) == ["paper"]
    assert bash_completes(folder, ["omegapac", "bound", "--k", "="]) == ["paper", "sound", "l1"]
    for option in ("-o", "--output"):
        assert bash_completes(folder, ["omegapac", "bound", option, "/et"]) == ["/etc"]
    assert bash_completes(folder, ["omegapac", "bound", "--eps"]) == ["--epsilon"]
    assert bash_completes(folder, ["omegapac", "bound", "--states", ""]) == []
    assert bash_completes(folder, ["omegapac", "nonsense", ""]) == []
    if shutil.which("zsh"):
        run("zsh", "-n", str(folder / "_omegapac"))
    print("man pages and completions agree with --help")


if __name__ == "__main__":
    main(*sys.argv[1:])
