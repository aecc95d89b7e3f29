#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stopped at any moment while it writes -o FILE, the program leaves the old file or the new
one; stopped by SIGINT or SIGTERM, it leaves nothing else beside it. Stopped while it waits
or computes, it ends in order with the exit status of the signal, and with what was found.

usage: interrupt.py PROGRAM [ROUNDS]
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
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for _ in range(rounds):
                target.write_text("old")
                process = subprocess.Popen([program, *COMMAND, target])
                time.sleep(generator.random() * duration)
                process.send_signal(sent)
                process.wait()
                text = target.read_text()
                assert text in ("old", new), text
                old_seen, new_seen = old_seen + (text == "old"), new_seen + (text == new)
                left = [path for path in pathlib.Path(folder).iterdir() if path != target]
                assert sent == signal.SIGKILL or not left, left
                for path in left:
                    path.unlink()
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
    for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = start(program, "translate", "-")
        assert translate_one(process, "G F a")[0] == "HOA: v1\n"
        process.send_signal(sent)
        out, err = process.communicate()
        assert (process.returncode, out, err) == (status, "", "omegapac translate: stopped\n"), err


def ignored_stays_ignored(program):
    """As under nohup: what was ignored when the program began is not listened to."""
    process = start(program, "translate", "-",
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    translate_one(process, "a")
    process.send_signal(signal.SIGINT)
    translate_one(process, "b")
    process.communicate()
    assert process.returncode == 0


def stopped_while_computing(program):
    """To remember which of the last forty letters had an a takes 2^40 states."""
    for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = start(program, "translate", "-", "--max-states", "4e9")
        translate_one(process, "a")  # from here on it listens to signals
        process.stdin.write("G (a -> X[40] b)\n")
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(sent)
        out, err = process.communicate()
        assert (process.returncode, out, err) == (status, "", "omegapac translate: stopped\n"), err


WALK = """dtmc
module walk
    x : [0..9] init 0;
    [] true -> 0.5 : (x'=min(x+1, 9)) + 0.5 : (x'=max(x-1, 0));
endmodule
"""
# More states than there is time for: each of forty bits is flipped on its own.
LARGE = "mdp\n" + "".join(f"module m{i}\n b{i} : bool;\n [] true -> (b{i}'=!b{i});\nendmodule\n"
                          for i in range(40))


def stopped_while_simulating(program):
    """What was drawn is there, in whole lines, also if the reader is slow; but of a file, nothing. Who
    waits for a reader that does not read can be stopped, too."""
    for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
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
            while len(list(pathlib.Path(folder).iterdir())) == 1:
                assert process.poll() is None, process.communicate()
            process.send_signal(sent)
            process.communicate()
            assert process.returncode == status
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


def main(program, rounds="60"):
    hear_interrupts()
    program = str(pathlib.Path(program).resolve())
    replaced_or_not(program, int(rounds))
    stopped_while_waiting(program)
    ignored_stays_ignored(program)
    stopped_while_computing(program)
    stopped_while_simulating(program)
    stopped_while_exploring(program)
    stopped_while_solving(program)
    progress_on_a_terminal(program)


if __name__ == "__main__":
    main(*sys.argv[1:])
