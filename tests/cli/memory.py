# SPDX-License-Identifier: MIT
"""The program without memory: memory.py PROGRAM MODELS FAILING_MALLOC.so quick|full

Each command runs with an allocation failing (the n-th, and all from the n-th on), and within limits of
the address space. It ends as it does with memory, or with exit status 5 and "out of memory"; never with another
status, a signal, another result or a file left behind. Texts that are nested a million times deep, and outputs that
cannot be written, end with a message.
"""
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

PROGRAM, MODELS, FAILING = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
FULL = sys.argv[4] == "full"
OBJECTIVE = "G F s & G F g & G !trap"
BRACKET = ["learn", "g.prism", "-f", OBJECTIVE, "--pmin", "0.1", "--epsilon", "0.3", "--delta", "0.1"]
PLAIN = ["--json", "--no-timing"]
WALK = """dtmc
module m
  s : [0..60] init 30;
  [] s>0 & s<60 -> 2/7 : (s'=s-1) + 3/7 : (s'=mod(s*s,60)+1) + 2/7 : (s'=s+1);
  [] s=0 | s=60 -> true;
endmodule
label "top" = s=60;
"""

# By name; those in capital letters are files that a command makes in its own folder.
COMMANDS = {
    "exact": ["check", "walk.prism", "--exact", "-f", "F top", *PLAIN],
    "verify": ["verify", "c.json", "g.prism", "--json"],
    "report": ["report", "l.json", "-o", "PAGE.html"],
    "evaluate exact": ["evaluate", "walk.prism", "--policy", "w.json", "--exact", *PLAIN],
    "check": ["check", "g.prism", "-f", OBJECTIVE, "--policy", "POLICY.json", *PLAIN],
    "learn": [*BRACKET, "--seed", "1", "--certificate", "CERTIFICATE.json", *PLAIN],
    "learn with T": ["learn", "g.prism", "-f", OBJECTIVE, "-T", "19", "--epsilon", "0.05", "--delta", "0.1", "--k", "50",
                     "--threads", "4", *PLAIN],
    "estimate": ["estimate", "walk.prism", "-f", "F top", "-T", "100", "--epsilon", "0.1", "--delta", "0.1", *PLAIN],
    "evaluate": ["evaluate", "g.prism", "--policy", "p.json", *PLAIN],
    "report to standard output": ["report", "l.json"],
    "translate": ["translate", "(G F a -> G F b) & (F G c | G F d)", "--no-timing"],
    "convert automaton": ["convert", "a.hoa", "-", "--to", "hoa", "--acceptance", "parity"],
    "convert model": ["convert", "g.prism", "MODEL.drn"],
    "info": ["info", "g.prism", *PLAIN],
    "simulate": ["simulate", "g.prism", "--policy", "p.json", "--seed", "1", "--steps", "9"],
    "recurrence": ["recurrence", "g.prism", "-f", OBJECTIVE, "--epsilon", "0.1", *PLAIN],
    "bound": ["bound", "--states", "12", "--actions", "4", "-T", "19", "--epsilon", "1/20", "--delta", "1/10", "--json"],
    "help": ["help", "check"],
}
QUICK = ("exact", "verify", "report", "evaluate exact", "check", "learn", "translate")


def is_made(word):
    return len(word) > 1 and word.split(".")[0].isalpha() and word.split(".")[0].isupper()


class Run:
    """What a command did: exit status, output, messages, and the files that it left."""

    def __init__(self, words, environment=None, limit=None, stdin=None):
        own = pathlib.Path(tempfile.mkdtemp(dir="."))

        def restrict():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        try:
            words = [str(own / word) if is_made(word) else word for word in words]
            done = subprocess.run([PROGRAM, *words], env={**os.environ, **(environment or {})}, input=stdin,
                                  capture_output=True, text=True, check=False, preexec_fn=restrict, timeout=120)
            self.status, self.messages = done.returncode, done.stderr
            self.output = done.stdout.replace(str(own), "FOLDER")
            self.files = sorted(path.name for path in own.iterdir())
        finally:
            shutil.rmtree(own)

    def says(self, other):
        return (self.status, self.output, self.files) == (other.status, other.output, other.files)


problems = []


def judge(name, how, run, expected):
    """Whether it did all of its work."""
    if run.says(expected):
        return True
    left = [file for file in run.files if file not in expected.files]
    if run.status != 5 or "out of memory" not in run.messages or left:
        problems.append(f"{name}, {how}: status {run.status}, {run.messages.strip()[-200:]!r}, {left or ''}")
    return False


def fail_allocations(name, rounds, draw):
    words = COMMANDS[name]
    expected = Run(words, {"LD_PRELOAD": FAILING})
    if expected.status not in (0, 3):
        problems.append(f"{name}: {expected.status} {expected.messages}")
        return
    for rest in ({}, {"FAIL_REST": "1"}):
        # The number of allocations, from above: where none of the last few has failed.
        most = 8
        while most < 1 << 20 and not judge(name, f"from {most}", Run(words, {
                "LD_PRELOAD": FAILING, "FAIL_AT": str(most), "FAIL_REST": "1"}), expected):
            most *= 4
        for at in sorted({draw.randint(1, most) for _ in range(rounds)} | set(range(1, 12 if FULL else 5))):
            judge(name, f"allocation {at} {'and all behind it' if rest else ''}",
                  Run(words, {"LD_PRELOAD": FAILING, "FAIL_AT": str(at), **rest}), expected)


def limit_addresses(name, step):
    words = COMMANDS[name]
    expected, done = Run(words), 0
    for kibibytes in range(2000, 200000, step):
        run = Run(words, limit=kibibytes << 10)
        if run.status == 127 or (run.status < 0 and not run.messages and kibibytes < 4000):
            continue  # the program was not even loaded
        done += judge(name, f"{kibibytes} KiB of addresses", run, expected)
        if done == 3:
            return


def expect(name, run, status, message):
    if run.status not in status or message not in run.messages + run.output:
        problems.append(f"{name}: status {run.status}, {run.messages.strip()[-200:]!r}")


def nest():
    many = 10**6 if FULL else 10**5
    expect("JSON", Run(["report", "-"], stdin="[" * many), [5], "nested too deep")
    pathlib.Path("deep.json").write_text('{"a":' * many)
    expect("policy", Run(["simulate", "g.prism", "--policy", "deep.json"]), [5], "nested too deep")
    for text in ("(" * many + "a" + ")" * many, "!" * many + "a", "X " * many + "a", "a U (" * many + "a" + ")" * many):
        expect("formula " + text[:8], Run(["translate", "-"], stdin=text + "\n"), [5], "more than 16000")
    model = "mdp\nmodule m\n x : [0..1];\n [] x=0 -> (x'=%s);\nendmodule\n"
    for text in ("(" * many + "1" + ")" * many, "-" * many + "1", "min(1," * many + "1" + ")" * many,
                 "0+(" * many + "1" + ")" * many):
        pathlib.Path("deep.prism").write_text(model % text)
        expect("expression " + text[:8], Run(["info", "deep.prism"]), [0, 5], "")
    for label, condition in (("(" * many + "0" + ")" * many, "Inf(0)"), ("!" * many + "0", "Inf(0)"),
                             ("0", "(" * many + "Inf(0)" + ")" * many)):
        pathlib.Path("deep.hoa").write_text(
            f'HOA: v1\nStates: 1\nStart: 0\nAP: 1 "a"\nAcceptance: 1 {condition}\n--BODY--\nState: 0\n[{label}] 0 {{0}}\n'
            "--END--\n")
        expect("automaton", Run(["convert", "deep.hoa", "-", "--to", "hoa"]), [0, 5], "")


def fill():
    """An output that cannot be written is no success."""
    if not pathlib.Path("/dev/full").exists():
        return
    for name in COMMANDS if FULL else QUICK:
        words = ["/dev/null" if is_made(word) else word for word in COMMANDS[name]]
        if name in ("report", "convert model"):
            continue  # standard output stays empty
        for shell in ('"$@" >/dev/full', '"$@" >&-'):
            done = subprocess.run(["sh", "-c", shell, "sh", PROGRAM, *words], capture_output=True, text=True, check=False)
            if done.returncode not in (2, 5) or "cannot write" not in done.stderr:
                problems.append(f"{name} {shell}: {done.returncode}, {done.stderr.strip()[-200:]!r}")


def prepare():
    shutil.copy(pathlib.Path(MODELS, "gridworld.prism"), "g.prism")
    pathlib.Path("walk.prism").write_text(WALK)
    for words in ([*BRACKET, "--certificate", "c.json", "--json", "-o", "l.json"],
                  ["check", "g.prism", "-f", OBJECTIVE, "--policy", "p.json"],
                  ["check", "walk.prism", "-f", "F top", "--policy", "w.json"],
                  ["translate", "G F a | F G b", "-o", "a.hoa"]):
        subprocess.run([PROGRAM, *words], check=True, capture_output=True)


def main():
    draw = random.Random(19)
    prepare()
    for name in COMMANDS if FULL else QUICK:
        fail_allocations(name, 60 if FULL else 4, draw)
        if FULL:
            limit_addresses(name, 397)
    if not FULL:
        limit_addresses("exact", 500)
    nest()
    fill()
    print("\n".join(problems) or "every command ends as it should")
    return 1 if problems else 0


if __name__ == "__main__":
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        status = main()
        os.chdir(home)
    sys.exit(status)
