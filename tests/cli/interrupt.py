#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stopped at any moment while it writes -o FILE, the program leaves the old file or the new
one; stopped by SIGINT, SIGTERM or SIGHUP, it leaves nothing else beside it. Stopped while it waits
or computes, it ends in order with the exit status of the signal, and with what was found.

usage: interrupt.py PROGRAM [ROUNDS [SIGNALS]]

SIGNALS: how many of the three that end a run in order are sent where a computation is stopped.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from on_terminal import Terminal
from stopping import hear_interrupts, until_listening

# Those that end a run in order, and its exit status then.
STOPS = ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))

COMMAND = ["bound", "--states", "12", "--actions", "4", "-T", "19", "--epsilon", "1/20",
           "--delta", "1/10", "--json", "-o"]


def replaced_or_not(program, rounds):
    generator = random.Random(1)
    old_seen = new_seen = 0
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "result.json")
        subprocess.run([program, *COMMAND, target], check=True)
        new = target.read_text()
        start = time.monotonic()
        subprocess.run([program, *COMMAND, target], check=True)
        duration = time.monotonic() - start
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            for _ in range(rounds):
                target.write_text("Result: old")
                process = subprocess.Popen([program, *COMMAND, target])
                time.sleep(generator.random() * duration)
                process.send_signal(sent)
                process.wait()
                text = target.read_text()
                assert text in ("Result: old", new), text
                old_seen, new_seen = old_seen + (text != new), new_seen + (text == new)
                left = [path for path in pathlib.Path(folder).iterdir() if path != target]
                assert sent == signal.SIGKILL or not left, left
        subprocess.run([program, *COMMAND, target], check=True)
        left = [path for path in pathlib.Path(folder).iterdir() if path != target]
        assert not left, left  # whatever was killed has lost its temporary file, too
    print(f"{old_seen} times the old file, {new_seen} times the new one, never another")


def start(program, *words, **options):
    return subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def translate_one(process, formula):
    """A formula in, its automaton out, while standard input stays open."""
    process.stdin.write(formula + "\n")
    process.stdin.flush()
    lines = []
    while not lines or lines[-1] != "--END--\n":
        lines.append(process.stdout.readline())
        assert lines[-1], process.stderr.read()
    return lines


def stopped_while_waiting(program):
    for sent, status in STOPS:
        process = start(program, "translate", "-")
        assert translate_one(process, "G F a")[0] == "HOA: v1\n"
        process.send_signal(sent)
        out, err = process.communicate()
        assert (process.returncode, out, err) == (status, "", "omegapac translate: stopped\n"), err


def waiting_for_a_pipe(program):
    """Nobody writes to a named pipe, or to standard input: signals and --max-seconds end the wait."""
    commands = (["check", "pipe.prism", "-f", "true"], ["info", "pipe.tra"], ["info", "pipe.drn"],
                ["check", "walk.prism", "-a", "pipe.hoa"], ["convert", "pipe.hoa", "a.hoa"], ["info", "-"])
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "walk.prism").write_text(WALK)
        for suffix in ("prism", "tra", "drn", "hoa"):
            os.mkfifo(pathlib.Path(folder, f"pipe.{suffix}"))
        for words in commands:
            process = start(program, *words, "--max-seconds", "0.1", cwd=folder)
            assert process.wait(timeout=60) == 5, words
            assert "the time limit was reached" in process.communicate()[1], words
            sent, status = STOPS[commands.index(words) % len(STOPS)]
            process = start(program, *words, cwd=folder)
            until_listening(process)
            time.sleep(0.05)
            process.send_signal(sent)
            assert process.wait(timeout=60) == status, (words, process.communicate())
            assert process.communicate()[1] == f"omegapac {words[0]}: stopped\n", words


def ignored_stays_ignored(program):
    """As under nohup: what was ignored when the program began is not listened to. The others are."""
    for ignored, _ in STOPS:
        process = start(program, "translate", "-",
                        preexec_fn=lambda number=ignored: signal.signal(number, signal.SIG_IGN))
        translate_one(process, "a")
        process.send_signal(ignored)
        translate_one(process, "b")
        process.communicate()
        assert process.returncode == 0, ignored
    process = start(program, "translate", "-",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    translate_one(process, "a")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 143, process.returncode


def stopped_while_computing(program, stops):
    """To remember which of the last forty letters had an a takes 2^40 states."""
    for sent, status in stops:
        process = start(program, "translate", "-", "--max-states", "4e9")
        translate_one(process, "a")  # from here on it listens to signals
        process.stdin.write("G (a -> X[40] b)\n")
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(sent)
        out, err = process.communicate()
        assert (process.returncode, out, err) == (status, "", "omegapac translate: stopped\n"), err


def nested(operator, count):
    return f" {operator} ".join(f"(a{i}" for i in range(count)) + ")" * count


HOSTILE = [" <-> ".join(f"G F a{i}" for i in range(24)), " xor ".join(f"F G a{i}" for i in range(40)),
           nested("U", 30), nested("R", 30), " <-> ".join(f"(a{i} U b{i})" for i in range(12)),
           " & ".join(f"G (a{i} U (b{i} U c))" for i in range(12)), " <-> ".join(f"a{i}" for i in range(64)),
           "F (a & " + "X " * 25 + "a)", " & ".join(f"(G F a{i} -> G F b{i})" for i in range(16))]


def hostile_formulas_are_stopped(program, count):
    """Small formulas whose automata are out of reach: a signal at any moment ends the work. The
    longest wait is told; a minute is beyond any doubt."""
    generator = random.Random(2)
    longest = 0
    for formula in HOSTILE[:count]:
        for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = start(program, "translate", formula, "--acceptance", "parity", "-q")
            until_listening(process)
            time.sleep(0.3 * generator.random())
            begun = time.monotonic()
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
            longest = max(longest, time.monotonic() - begun)
            assert (process.returncode, out, err) == (status, "", "omegapac translate: stopped\n"), (formula, err)
    print(f"stopped within {1000 * longest:.0f} ms")


def time_is_bounded(program):
    """--max-seconds bounds all that a command does: with status 5 and the phase where there is no
    result, with status 3 and the result so far from learn and estimate."""
    model = "dtmc\nmodule m\n s : [0..30] init 0;\n [] true -> 0.5 : (s'=mod(s+1,31)) + 0.5 : true;\nendmodule\n" + \
        "".join(f'label "a{i}" = s={i};\n' for i in range(31))
    sampling = ["-T", "1e6", "--epsilon", "0.001", "--delta", "0.1"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "m.prism").write_text(model)
        pathlib.Path(folder, "large.prism").write_text(LARGE)
        for words, err in ((["check"], "translating"), (["learn", *sampling, "--k", "l1"], "translating"),
                           (["estimate", *sampling], "translating"),
                           (["recurrence", "--epsilon", "0.1"], "translating")):
            process = start(program, words[0], "m.prism", "-f", nested("U", 30), *words[1:], "--max-seconds", "0.3", "-q",
                            cwd=folder)
            out, told = process.communicate(timeout=60)
            assert (process.returncode, out) == (5, ""), (words, out, told)
            assert told.startswith(f"omegapac {words[0]}: the time limit was reached while {err} '"), told
        process = start(program, "info", "large.prism", "--max-states", "4e9", "--max-seconds", "0.3", cwd=folder)
        out, told = process.communicate(timeout=60)
        assert (process.returncode, out) == (5, ""), (out, told)
        assert told == "omegapac info: the time limit was reached while exploring the model; --max-seconds allows more\n", told
        for words in (["learn", *sampling, "--k", "l1", "--sampler", "step"], ["estimate", *sampling]):
            process = start(program, words[0], "m.prism", "-f", "G F a3", *words[1:], "--max-seconds", "0.5", "-q",
                            cwd=folder)
            out, told = process.communicate(timeout=60)
            assert process.returncode == 3 and out.startswith("Result: "), (process.returncode, out, told)


WALK = """dtmc
module walk
    x : [0..9] init 0;
    [] true -> 0.5 : (x'=min(x+1, 9)) + 0.5 : (x'=max(x-1, 0));
endmodule
"""
# More states than there is time for: each of forty bits is flipped on its own.
LARGE = "mdp\n" + "".join(f"module m{i}\n b{i} : bool;\n [] true -> (b{i}'=!b{i});\nendmodule\n"
                          for i in range(40))


def has_output(folder):
    """Whether something was written beside the model: the file that tries the folder is empty, and goes away."""
    for path in pathlib.Path(folder).iterdir():
        try:
            if path.name != "walk.prism" and path.stat().st_size > 0:
                return True
        except FileNotFoundError:
            pass
    return False


def stopped_while_simulating(program, stops):
    """What was drawn is there, in whole lines, also if the reader is slow; but of a file, nothing. Who
    waits for a reader that does not read can be stopped, too."""
    for sent, status in stops:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "walk.prism").write_text(WALK)
            process = start(program, "simulate", "walk.prism", "--steps", "1e15", cwd=folder)
            assert process.stdout.readline() == "episode 1\n"
            time.sleep(0.05)  # the pipe is full by then
            process.send_signal(sent)
            time.sleep(0.05)
            out, err = process.communicate()
            assert (process.returncode, err) == (status, "omegapac simulate: stopped\n"), err
            assert out.endswith("\n") and "x=" in out.splitlines()[-1], out[-100:]
            process = start(program, "simulate", "walk.prism", "--steps", "1e15", cwd=folder)
            assert process.stdout.readline() == "episode 1\n"
            time.sleep(0.05)
            process.send_signal(sent)
            assert process.wait(timeout=60) == status
            process.communicate()
            process = start(program, "simulate", "walk.prism", "--steps", "1e15", "-o", "trace",
                            cwd=folder)
            while not has_output(folder):
                assert process.poll() is None, process.communicate()
            process.send_signal(sent)
            process.communicate()
            assert process.returncode == status, process.returncode
            left = [path.name for path in pathlib.Path(folder).iterdir()]
            assert left == ["walk.prism"], left


def stopped_while_exploring(program):
    for words in (["info", "-"], ["convert", "-", "a.tra", "--from", "prism"]):
        with tempfile.TemporaryDirectory() as folder:
            process = start(program, *words, "--max-states", "4e9", cwd=folder)
            process.stdin.write(LARGE)
            process.stdin.close()
            process.stdin = None
            until_listening(process)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
            assert (process.returncode, out) == (130, ""), (process.returncode, out)
            assert err == f"omegapac {words[0]}: stopped\n", err
            assert not list(pathlib.Path(folder).iterdir())


RUIN = """mdp
const int N = 500;
module walk
    x : [0..N] init 250;
    y : [0..N] init 250;
    [] x>0 & x<N & y>0 & y<N -> 0.25 : (x'=x+1) + 0.25 : (x'=x-1) + 0.25 : (y'=y+1) + 0.25 : (y'=y-1);
    [] x=0 | x=N | y=0 | y=N -> true;
endmodule
"""


def stopped_while_solving(program):
    """Of two objectives one is trivial, the other one takes long: the first is told at once."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "ruin.prism").write_text(RUIN)
        words = ["check", "ruin.prism", "-f", "F true", "-f", 'F "x=0"', "--precision", "1e-12"]
        process = start(program, *words, cwd=folder)
        assert process.stdout.readline() == "Property: F true\n"
        assert process.stdout.readline() == "Result: 1 [1, 1]\n"
        assert process.poll() is None
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert (process.returncode, err) == (130, "omegapac check: stopped\n"), err
        assert "Result: " not in out, out
        assert [path.name for path in pathlib.Path(folder).iterdir()] == ["ruin.prism"]


def stopped_while_comparing(program, stops):
    """The result is there; but the model was not asked, and the exit status is the signal's."""
    bounds = ["--epsilon", "0.5", "--delta", "0.5", "-v"]
    for sent, status in stops:
        for words in (["estimate", "-T", "3"], ["learn", "--pmin", "1/4", "--max-steps", "20"]):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "ruin.prism").write_text(RUIN)
                process = start(program, *words, "ruin.prism", "-f", 'F "x=0"', *bounds, cwd=folder)
                while "building the product" not in process.stderr.readline():
                    assert process.poll() is None
                process.send_signal(sent)
                out, err = process.communicate()
                assert process.returncode == status, (words, process.returncode, out, err)
                assert out.startswith("Result: 0 [0, 1]"), out
                assert "not computed       stopped" in out, out


def progress_on_a_terminal(program):
    """A line that rewrites itself, gone before the message; with -q there is none."""
    for quiet in ([], ["-q"]):
        terminal = Terminal()
        process = subprocess.Popen([program, "info", "-", "--max-states", "4e9", *quiet], text=True,
                                   stdin=subprocess.PIPE, stderr=terminal.side,
                                   env=dict(os.environ, TERM="xterm", NO_COLOR="1"))
        process.stdin.write(LARGE)
        process.stdin.close()
        until_listening(process)
        time.sleep(0.8)
        process.send_signal(signal.SIGINT)
        shown = terminal.read(process)
        assert process.returncode == 130, process.returncode
        *drawn, last = shown.decode().split("\x1b[K")
        assert last == "omegapac info: stopped\r\n", shown
        assert any("/s" in line for line in drawn) == (not quiet), shown


def main(program, rounds="60", signals="3"):
    stops = STOPS[:int(signals)]
    hear_interrupts()
    program = str(pathlib.Path(program).resolve())
    replaced_or_not(program, int(rounds))
    stopped_while_waiting(program)
    waiting_for_a_pipe(program)
    ignored_stays_ignored(program)
    stopped_while_computing(program, stops)
    hostile_formulas_are_stopped(program, int(rounds) // 5)
    time_is_bounded(program)
    stopped_while_simulating(program, stops)
    stopped_while_exploring(program)
    stopped_while_solving(program)
    stopped_while_comparing(program, stops)
    progress_on_a_terminal(program)


if __name__ == "__main__":
    main(*sys.argv[1:])
