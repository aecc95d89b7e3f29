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
import unicodedata

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
    shown = r.terminal("learn", r.grid, "-f", "G F s & G F g", "-T", "2", "--k", "l1", "--epsilon", "1/20", "--delta", "1/10", "-q")
    assert f"{BAD}Result: 1 (no guarantee){PLAIN}\n" in shown, shown
    shown = r.terminal("check", r.grid, "-p", 'Pmax<1 [ G "s" ]')
    assert f"{BAD}Result: false{PLAIN}\n" in shown, shown
    with tempfile.NamedTemporaryFile("w") as file:
        file.write('{"schema": "omegapac.certificate/2"}')
        file.flush()
        assert r.terminal("verify", file.name).startswith(f"{BAD}Result: refused{PLAIN}\n")


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


UNSEEN = [c for c in map(chr, range(0x80, 0x110000)) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
SIMULATOR = """import sys
print("omegapac-env 1 go\u200bal start=fixed", flush=True)
for line in iter(sys.stdin.readline, ""):
    word = line.split()[0]
    print({"reset": "s\u200b0 - on\u2060", "step": "s\u200b1 go\u200bal 0"}.get(word, "?"), flush=True)
"""


def check_unseen(r):
    """Characters that cannot be seen, or that reorder others, are escaped in every message and text."""
    text = "".join(f"a {c}\n" for c in UNSEEN if c not in "\x85\u2028\u2029")
    done = subprocess.run([r.program, "translate", "-"], input=text.encode(), capture_output=True, check=False)
    assert not set(UNSEEN) & set(done.stderr.decode()), done.stderr
    evil = "\u200b\u202e\u2066\u200f\u00ad\ufeff\U000e0041"
    with tempfile.TemporaryDirectory() as folder:
        model, automaton, simulator = (str(pathlib.Path(folder) / f"m{evil}.{suffix}") for suffix in ("drn", "hoa", "py"))
        pathlib.Path(model).write_text(
            "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@nr_choices\n3\n@model\nstate 0 init\n"
            f"\taction go{evil}\n\t\t1 : 0.5\n\t\t2 : 0.5\nstate 1 a{evil}\n\taction 0\n\t\t1 : 1\nstate 2\n\taction 0\n"
            "\t\t2 : 1\n", encoding="utf-8")
        pathlib.Path(automaton).write_text(
            f'HOA: v1 name: "n{evil}" States: 1 Start: 0 AP: 1 "a{evil}" Acceptance: 1 Inf(0) --BODY-- State: 0 "q{evil}" '
            "[0] 0 {0} [!0] 0 --END--", encoding="utf-8")
        pathlib.Path(simulator).write_text(SIMULATOR, encoding="utf-8")
        formula, near, chain = f'F "a{evil}"', ["--epsilon", "1/20", "--delta", "1/10"], f"{folder}/p{evil}.json"
        ran = 0
        for words in (["check", model, "-f", formula, "--policy", chain], ["check", model, "-a", automaton], ["info", model],
                      ["evaluate", model, "--policy", chain, "-f", formula], ["recurrence", model, "-f", formula, "--epsilon", "1/20"],
                      ["learn", model, "-f", formula, "--pmin", "1/2", *near],
                      ["learn", model, "-f", formula, "--pmin", "1/2", *near, "--certificate", f"{folder}/c{evil}"],
                      ["verify", f"{folder}/c{evil}"], ["learn", model, "-f", formula, "-T", "3", "--k", "9", *near],
                      ["learn", f"exec:python3 '{simulator}'", "-f", 'F "go\u200bal"', "--pmin", "1/2", *near],
                      ["learn", f"exec:python3 '{simulator}'", "-f", formula, "--pmin", "1/2", *near],
                      ["simulate", model], ["check", model, "-f", f"F a{evil}"], ["check", model + evil, "-f", "a"],
                      ["check", model, "-f", formula, "-D", f"n{evil}=1"], ["check", model, f"--op{evil}"], [f"com{evil}"],
                      ["check", model, "-f", formula, "--kind", f"k{evil}"], ["convert", automaton, f"{folder}/x{evil}.zip"],
                      ["verify", automaton], ["report", automaton], ["bound", "--states", evil]):
            done = subprocess.run([r.program, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
            found = (done.stdout + done.stderr).decode()
            assert not set(UNSEEN) & set(found), (words, found)
            ran += done.returncode == 0
        assert ran >= 6, ran


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
    for way in (["-T", "306", "--k", "l1"], ["-T", "306"], ["--pmin", "1/5"]):
        told = r.pipe(*learn, *way, "--verbose")[1]
        assert len(re.findall("^" + did.format("learn", "steps sampled"), told, re.MULTILINE)) == 1, told
        # The values of the policies on the way are no news of their own.
        assert len(re.findall("^" + did.format("learn", "building the chain"), told, re.MULTILINE)) == 1, told
    assert r.pipe(*words, "-q", "-v", status=2)[1] == \
        "omegapac check: --quiet and --verbose cannot be used together\n"
    assert f"{STRONG}omegapac check:{PLAIN} exploring: " in r.terminal(*words, "-v")


def check_progress(r):
    """The line of a bracket from T tells how far it is, and what was tried."""
    simulator = f"exec:python3 -S -E '{r.examples}/simulators/gridworld.py'"
    shown = r.terminal("learn", simulator, "-f", "(G F s) & (G F g)", "-T", "1000", "--epsilon", "1/50", "--delta", "1/10",
                       "--no-timing")
    assert re.search(r"\r\[[0-9.]+, 1\] [0-9]+ pairs, [0-9]+ polic(y|ies), steps sampled, ", shown), shown


def main():
    r = Runner(*sys.argv[1:])
    for check in (check_results, check_refusals, check_messages, check_unseen, check_refused_colours, check_verbose,
                  check_progress):
        check(r)


if __name__ == "__main__":
    main()
