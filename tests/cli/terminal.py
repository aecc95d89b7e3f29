#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a terminal shows: colours, when they are wanted, and nothing else than elsewhere; and -v.

usage: terminal.py PROGRAM EXAMPLES
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from on_terminal import Terminal

INK = re.compile(r"\x1b\[[0-9;]*m")
STRONG, KEY, GOOD, BAD, REMARK, PLAIN = (f"\x1b[{code}m" for code in ("1", "36", "1;32", "1;31", "1;33", "0"))


class Runner:
    def __init__(self, program, examples):
        self.program, self.examples = program, pathlib.Path(examples)
        self.grid = str(self.examples / "models" / "gridworld.prism")
        self.plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}

    def terminal(self, *words, **environment):
        """What stands on a terminal then; the line of progress leaves only what clears it."""
        terminal = Terminal()
        environment = {**self.plain, "TERM": "xterm", **environment}
        with subprocess.Popen([self.program, *words], stdin=subprocess.DEVNULL, stdout=terminal.side, stderr=terminal.side,
                              env={name: value for name, value in environment.items() if value is not None}) as process:
            found = terminal.read(process)
        return found.decode().replace("\r\n", "\n").replace("\r\x1b[K", "")

    def pipe(self, *words, status=0):
        run = subprocess.run([self.program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             check=False, env={**self.plain, "TERM": "xterm"})
        assert run.returncode == status, (words, run)
        assert "\x1b" not in run.stdout + run.stderr, run
        return run.stdout, run.stderr


def check_results(r):
    """Colours come on top of the same text, and only there."""
    questions = [["check", r.grid, "-f", "G F s", "--no-timing"],
                 ["check", r.grid, "-f", "G F s", "-f", "F g", "--no-timing"],
                 ["check", str(r.examples / "gallery" / "mutex.prism"), "-P", str(r.examples / "gallery" / "mutex.props"),
                  "--no-timing"],
                 ["learn", r.grid, "-f", "G F s", "--pmin", "1/5", "--epsilon", "1/20", "--delta", "1/10", "--no-timing", "-q"],
                 ["learn", r.grid, "-f", "G F s", "--pmin", "1/5", "--epsilon", "1/20", "--delta", "1/10", "--no-timing", "-q",
                  "--runs", "2"],
                 ["bound", "--states", "6", "--actions", "4", "-T", "19", "--epsilon", "1/20", "--delta", "1/10"]]
    for words in questions:
        plain, _ = r.pipe(*words)
        shown = r.terminal(*words)
        assert INK.sub("", shown) == plain, (words, shown)
        for line in shown.splitlines():
            if re.match(r"(Result|Property): ", INK.sub("", line)):
                assert line.startswith(STRONG) and line.endswith(PLAIN), line
        keys = re.findall(re.escape(KEY) + r"(.{19})" + re.escape(PLAIN) + r"\S", shown)
        assert keys or words[0] == "bound", shown
        assert shown.count("\x1b[") == 2 * (len(keys) + len(re.findall("^(?:Result|Property): ", plain, re.MULTILINE))), shown
    for words in (["check", r.grid, "-f", "G F s", "--no-timing", "--json"], ["translate", "G F a"],
                  ["simulate", r.grid, "--steps", "3"], ["check", "--help"]):
        shown = r.terminal(*words)
        assert shown == r.pipe(*words)[0], (words, shown)


def check_refusals(r):
    shown = r.terminal("learn", r.grid, "-f", "G F s & G F g", "-T", "2", "--epsilon", "1/20", "--delta", "1/10", "-q")
    assert f"{BAD}Result: 1 (no guarantee){PLAIN}\n" in shown, shown
    shown = r.terminal("check", r.grid, "-p", 'Pmax<1 [ G "s" ]')
    assert f"{BAD}Result: false{PLAIN}\n" in shown, shown
    assert r.terminal("verify", "/dev/null").startswith(f"{BAD}Result: refused{PLAIN}\n")


def check_messages(r):
    shown = r.terminal("check", r.grid, "-f", "G F (s")
    assert re.fullmatch(re.escape(f"{BAD}formula:1:7:{PLAIN} expected ')'") + ".*\n  " + re.escape("G F (s") + "\n  "
                        + re.escape(f"{GOOD}      ^{PLAIN}") + "\n", shown), repr(shown)
    assert INK.sub("", shown) == r.pipe("check", r.grid, "-f", "G F (s", status=2)[1]
    shown = r.terminal("check", "no-such-file", "-f", "a")
    assert shown == f"{BAD}omegapac check:{PLAIN} cannot read no-such-file: No such file or directory\n", shown
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "m.prism"
        model.write_text("mdp module m s : [0..1]; [] s=0 -> (s'=1); endmodule", encoding="ascii")
        shown = r.terminal("info", str(model))
        found = re.search(re.escape(STRONG) + r"[^\x1b]*:" + re.escape(PLAIN) + " " + re.escape(REMARK) + "(warning|note):", shown)
        assert found, shown


def check_refused_colours(r):
    """--no-color, NO_COLOR unless it is empty, a dumb terminal or none by name, and files."""
    words = ["check", r.grid, "-f", "G F s", "--no-timing"]
    plain, _ = r.pipe(*words)
    assert "\x1b" in r.terminal(*words, NO_COLOR="")
    for shown in (r.terminal(*words, "--no-color"), r.terminal(*words, NO_COLOR="1"), r.terminal(*words, TERM="dumb"),
                  r.terminal(*words, TERM=None)):
        assert shown == plain, shown
    for words in (["check", r.grid, "--no-color", "-f", "G F (s"], ["check", "--no-color", "--no-such-option"]):
        assert "\x1b" not in r.terminal(*words)
    assert "\x1b" in r.terminal("check", "--no-such-option")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "result.txt"
        assert r.terminal("check", r.grid, "-f", "G F s", "--no-timing", "-o", str(path)) == ""
        assert path.read_text(encoding="utf-8") == plain


def check_verbose(r):
    """A line for each thing that was done, also where it took no time, and the same result."""
    did = r"omegapac {}: {}: (under )?[0-9.]+ m?s\n"
    words = ["check", r.grid, "-f", "(G F s) & (G F g)", "--no-timing"]
    plain, quiet = r.pipe(*words)
    result, told = r.pipe(*words, "-v")
    assert result == plain and quiet == ""
    assert re.fullmatch("".join(did.format("check", phase) for phase in ("exploring", "building the product", "solving")),
                        told), told
    learn = ["learn", r.grid, "-f", "(G F s) & (G F g)", "--epsilon", "1/20", "--delta", "1/10", "--no-timing", "--json"]
    for way in (["-T", "306"], ["--pmin", "1/5"]):
        told = r.pipe(*learn, *way, "--verbose")[1]
        assert len(re.findall("^" + did.format("learn", "steps sampled"), told, re.MULTILINE)) == 1, told
        # The values of the policies on the way are no news of their own.
        assert len(re.findall("^" + did.format("learn", "building the chain"), told, re.MULTILINE)) == 1, told
    assert r.pipe(*words, "-q", "-v", status=2)[1] == \
        "omegapac check: --quiet and --verbose exclude each other: give one\n"
    assert f"{STRONG}omegapac check:{PLAIN} exploring: " in r.terminal(*words, "-v")


def main():
    r = Runner(*sys.argv[1:])
    for check in (check_results, check_refusals, check_messages, check_refused_colours, check_verbose):
        check(r)


if __name__ == "__main__":
    main()
