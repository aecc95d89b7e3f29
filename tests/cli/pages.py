#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Man pages and completions say what --help says, and the completions complete.

usage: pages.py PROGRAM FOLDER-OF-PAGES
"""
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# What the examples read.
RABIN = """HOA: v1
States: 1
Start: 0
AP: 2 "a" "b"
acc-name: Rabin 1
Acceptance: 2 Fin(0)&Inf(1)
--BODY--
State: 0
[!0&!1] 0
[0&!1] 0 {0}
[!0&1] 0 {1}
[0&1] 0 {0 1}
--END--
"""
COIN = """dtmc
const double p;
module coin
    s : [0..2] init 0;
    [] s=0 -> p : (s'=1) + 1-p : (s'=2);
    [] s>0 -> true;
endmodule
label "heads" = s=1;
"""

LIFT = """import sys
print("omegapac-env 1 top start=fixed", flush=True)
floor = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "bye":
        break
    floor = 0 if words[0] == "reset" else min(floor + 1, 3)
    print(floor, "top" if floor == 3 else "-", "up", flush=True)
"""


def certificate():
    """Nothing was tried, so that nothing is claimed: [0, 1]."""
    value = {
        "schema": "omegapac.certificate/1", "version": "0", "inputs": {
            "model": "coin.prism", "digest": "sha256:" + hashlib.sha256(COIN.encode()).hexdigest(),
            "constants": None, "objective": None, "formula": None, "least": False, "seed": 1},
        "assumes": {"pmin": 0.5, "graph": False, "states": None, "actions": None, "branching": None},
        "epsilon": 0.5, "delta": {"total": 0.5, "support": 0.25, "interval": 0.25}, "automaton": RABIN,
        "states": [{"key": "00", "letter": 0, "actions": 1}], "start": 0, "rows": [],
        "nodes": [{"state": 0, "memory": 0, "upper": 1, "lower": 0, "wins": False, "rank": None,
                   "action": None, "next": None, "marks": None}],
        "claim": {"lower": 0, "upper": 1, "confidence": 0.5, "value": None, "statement": None}}
    body = json.dumps(value)[:-1] + ",\n"
    return body + f'"digest": "sha256:{hashlib.sha256(body.encode()).hexdigest()}"}}\n'


def run(*command, folder=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout


def commands_of(program):
    listing = run(program, "--help").split("Commands:\n")[1].split("\n\n")[0]
    words = [re.split("  +", line.strip())[0] for line in listing.splitlines() if re.match(r"  \S", line)]
    assert words[-1] == "help [COMMAND]"
    return words[:-1]


def options_of(program, command):
    text = run(program, *command.split(), "--help").split("\nOptions:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (?:-\w, )?(--?[\w-]+)", text, re.MULTILINE)


def operands_of(program, command):
    text = run(program, *command.split(), "--help")
    if "\nArguments:\n" not in text:
        return []
    return re.findall(r"^  (\w+) ", text.split("\nArguments:\n")[1].split("\n\n")[0], re.MULTILINE)


def check_examples(program, command, manual):
    """At least two, each with words before it; the man page has the same ones; all but the slow ones run."""
    text = run(program, *command.split(), "--help").split("\nExamples:\n")[1]
    examples = re.findall(r"^  \S.*:?\n    omegapac (.*)", text, re.MULTILINE)
    assert len(examples) >= 2 and len(examples) == text.count("\n    omegapac "), command
    shown = re.sub(r"\\(?:&|f.)", "", manual.split(".SH EXAMPLES\n")[1]).replace("\\-", "-").replace("\\(aq", "'")
    for example in examples:
        assert f"omegapac {example}" in shown, (command, example)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "rabin.hoa").write_text(RABIN)
        pathlib.Path(folder, "coin.prism").write_text(COIN)
        pathlib.Path(folder, "lift.py").write_text(LIFT)
        pathlib.Path(folder, "run.cert").write_text(certificate())
        for example in examples:
            run(program, *shlex.split(example), folder=folder)


def check_manual(folder, command, options, operands):
    text = (folder / f"omegapac-{command.replace(' ', '-')}.1").read_text().replace("\\-", "-")
    for option in options:
        assert re.search(rf"^\.B .*{re.escape(option)}\b", text, re.MULTILINE), (command, option)
    for operand in operands:
        assert re.search(rf"^\.I {operand}$", text, re.MULTILINE), (command, operand)
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
        page = command.replace(" ", "\\-")
        assert f"omegapac\\-{page} (1)" in overview
        operands = operands_of(program, command)
        check_manual(folder, command, options, operands)
        check_examples(program, command, (folder / f"omegapac-{command.replace(' ', '-')}.1").read_text())
        assert bash_completes(folder, ["omegapac", *command.split(), "-"]) == options
        zsh = (folder / "_omegapac").read_text()
        assert all(re.search(rf"'(?:\(-\w\)|\*)?{option}[=+]?\[", zsh) for option in options), command
        assert all(re.search(rf"^        '[*:]*:{operand}:", zsh, re.MULTILINE)
                   for operand in operands), command
    assert "'(--output)-o+[" in zsh and "'(-o)--output=[" in zsh
    assert operands_of(program, "bound") == []
    assert operands_of(program, "translate") == ["LTL"]
    assert operands_of(program, "convert") == ["IN", "OUT"]
    assert operands_of(program, "info") == operands_of(program, "simulate") == ["MODEL"]
    # names of files where the table says so, and nothing where it does not know
    assert bash_completes(folder, ["omegapac", "convert", "/et"]) == ["/etc"]
    assert bash_completes(folder, ["omegapac", "convert", "--complete", "a.hoa", "/et"]) == ["/etc"]
    assert bash_completes(folder, ["omegapac", "translate", ""]) == []
    assert bash_completes(folder, ["omegapac", "translate", "G"]) == []
    assert bash_completes(folder, ["omegapac", "translate", "-F", "/et"]) == ["/etc"]
    assert bash_completes(folder, ["omegapac", "translate", "--kind", ""]) == ["deterministic", "ldba"]
    assert bash_completes(folder, ["omegapac", "translate", "--kind", "=", "l"]) == ["ldba"]
    assert bash_completes(folder, ["omegapac", "info", "--from", ""]) == ["prism", "tra", "drn"]
    assert bash_completes(folder, ["omegapac", "convert", "--from", "h"]) == ["hoa"]
    assert bash_completes(folder, ["omegapac", "info", "-P", "/et"]) == ["/etc"]
    assert bash_completes(folder, ["omegapac", "info", "-D", ""]) == []
    assert bash_completes(folder, ["omegapac", "b"]) == ["bound"]
    assert bash_completes(folder, ["omegapac", "help", "est"]) == ["estimate"]
    assert bash_completes(folder, ["omegapac", "help", "check", ""]) == []
    assert bash_completes(folder, ["omegapac", "report", "/etc/hostn"]) == ["/etc/hostname"]
    assert bash_completes(folder, ["omegapac", "env", ""]) == ["check"]
    assert bash_completes(folder, ["omegapac", "env", "check", "--eps"]) == []
    assert bash_completes(folder, ["omegapac", "env", "check", "--ep"]) == ["--episodes"]
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
