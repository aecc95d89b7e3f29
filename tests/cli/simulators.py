#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac learn, estimate and simulate with simulators that are programs, from outside: what they
say, what becomes of them when they fail, are slow, or are waited for when somebody presses Ctrl-C.

usage: simulators.py PROGRAM EXAMPLES PLUGIN.so [full]
"""
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from results import computed
from stopping import hear_interrupts

HOSTILE = pathlib.Path(__file__).resolve().parent / "hostile.py"
PMIN = ["-f", "F goal", "--pmin", "1/4", "--epsilon", "0.2", "--delta", "0.1"]
HORIZON = ["-f", "F goal", "-T", "30", "--k", "20", "--epsilon", "0.1", "--delta", "0.1"]
BYTES = ["-q", "--json", "--no-timing"]


class Runner:
    def __init__(self, program, examples, plugin, folder):
        self.program, self.examples, self.plugin = program, examples, plugin
        self.folder = pathlib.Path(folder)
        self.token = f"token-{os.getpid()}"

    def name(self, fault="none", at=0):
        return f"exec:exec {sys.executable} -S -E {shlex.quote(str(HOSTILE))} {fault} {at} {self.token}"

    def start(self, *words):
        return subprocess.Popen([self.program, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run(self, *words, status=0):
        """Exit status as expected, and no process left."""
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        assert process.returncode == status, (words, process.returncode, out, err)
        assert not self.left(), (words, self.left())
        return out, err

    def left(self):
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if self.token.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                    found.append(path.parent.name)
            except OSError:
                pass  # it ended meanwhile
        return found

    def forget(self, *names):
        for name in names:
            (self.folder / name).unlink(missing_ok=True)


def fails(runner, fault, at, threads, *words):
    patience = "0.3" if fault.endswith(("silent", "mute")) else "20"
    out, err = runner.run("learn", runner.name(fault, at), *(words or PMIN), "-q", "--threads",
                          threads, "--env-timeout", patience, status=4)
    assert out == "" and err.startswith("omegapac learn: the simulator ") and err.count("\n") == 1, err
    assert "\x1b" not in err, err
    return err


def each_fault_is_reported(runner):
    for fault, said in (("crash", "exited with status 3"), ("garbage", "what?"),
                        ("silent", "within 0.3 s"), ("labels", '"goal crawl,run" now'),
                        ("proposition", '"gaol"'), ("hello", 'greeted with "hello"')):
        err = fails(runner, fault, 40, "1")
        assert said in err, (fault, err)


def all_faults_are_told(runner):
    for fault in ("crash", "quit", "abort", "garbage", "silent", "flood", "twice", "labels",
                  "actions", "proposition", "few", "empty", "mute", "hello", "version", "same",
                  "option"):
        for threads in "1", "4":
            fails(runner, fault, 2, threads)
            fails(runner, fault, 30, threads, *HORIZON)
            fails(runner, fault, 150, threads)


def a_failure_does_not_change_the_distribution(runner):
    """In the trial before the run, too: nobody says that the seed is not followed."""
    for at in 5, 15:
        _, err = runner.run("learn", runner.name("crash", at), *PMIN, status=4)
        assert "a function of the seed" not in err and "exited with status 3" in err, err


def numbers_are_those_reported(runner):
    """An action without a name is called what the simulator is told."""
    name = "exec:echo omegapac-env 1; while read -r verb number; do echo $verb-$number - 3; done"
    out, _ = runner.run("simulate", name, "--steps", "20")
    lines = [line.split() for line in out.splitlines()[2:]]
    assert len(lines) == 20 and all(key == "step-" + number for _, number, key in lines), out


def whole(runner, asked):
    out, _ = runner.run("learn", runner.name(), *asked, *BYTES, status=0 if asked is PMIN else 3)
    return computed(out)


def resumed(runner, asked, at, threads, expected):
    """After a failure the checkpoint has all before it: the run goes on as if nothing had been."""
    runner.forget("run.ckpt")
    words = [*asked, *BYTES, "--threads", threads, "--checkpoint", "run.ckpt"]
    out, err = runner.run("learn", runner.name("crash", at), *words, status=4)
    assert out == "" and (runner.folder / "run.ckpt").exists(), (at, threads, out, err)
    out, _ = runner.run("learn", runner.name(), *words, "--resume", status=0 if asked is PMIN else 3)
    assert computed(out) == expected, (asked, at, threads, out, expected)


def a_crash_keeps_the_checkpoint(runner):
    resumed(runner, HORIZON, 60, "2", whole(runner, HORIZON))
    runner.forget("run.ckpt")
    _, err = runner.run("learn", runner.name("crash", 150), *PMIN, "--checkpoint", "run.ckpt", status=4)
    assert "note: the checkpoint 'run.ckpt' is kept; --resume continues from it" in err, err


def every_crash_keeps_the_checkpoint(runner):
    for asked in PMIN, HORIZON:
        expected = whole(runner, asked)
        for at in (5, 6, 7, 8, 20, 33, 77, 123, 156, 199):
            resumed(runner, asked, at, "1", expected)
        for at in (5, 6, 7, 20, 33):  # of each process
            resumed(runner, asked, at, "4", expected)


def the_same_for_all_threads(runner):
    for asked in PMIN, HORIZON:
        words = ["learn", runner.name(), *asked, *BYTES]
        outs = {computed(runner.run(*words, "--threads", n, status=0 if asked is PMIN else 3)[0])
                for n in "14"}
        assert len(outs) == 1, outs


def one_of_many_fails(runner):
    """A process of another thread: its episodes could be run again, and yet it is told."""
    for fault in "crash", "garbage", "silent":
        if (runner.folder / f"first-{runner.token}").exists():
            (runner.folder / f"first-{runner.token}").rmdir()
        fails(runner, "other-" + fault, 30, "4")
    (runner.folder / f"first-{runner.token}").rmdir()


def stopped(runner, number, command, *words, at=100):
    """While the simulator is silent."""
    silent = "silent-" + runner.token
    runner.forget("policy.json", "run.ckpt", silent)
    process = runner.start(command, runner.name("silent", at), *words)
    while process.poll() is None and not (runner.folder / silent).exists():
        time.sleep(0.01)
    assert process.poll() is None and runner.left(), process.communicate()
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 128 + number, (process.returncode, out, err)
    assert not runner.left(), runner.left()
    return out


def learning_can_be_stopped(runner, numbers=(signal.SIGINT,), all_asked=(PMIN,)):
    for number in numbers:
        for asked in all_asked:
            out = stopped(runner, number, "learn", *asked, *BYTES, "--policy", "policy.json",
                          "--checkpoint", "run.ckpt", "--threads", "2")
            result = json.loads(out)
            assert result["guarantee"]["end"] == "stopped" and result["sample"] == [], result
            assert (runner.folder / "policy.json").exists()
            out, _ = runner.run("learn", runner.name(), *asked, *BYTES, "--policy", "policy.json",
                                "--checkpoint", "run.ckpt", "--resume", "--threads", "2",
                                status=0 if asked is PMIN else 3)
            expected, now = json.loads(whole(runner, asked)), json.loads(computed(out))
            assert now == expected


def runs_of_before_are_summed_up(runner):
    """Stopped with the first request of the second run, or the third one: of that there is nothing
    yet to tell, but of those before it there is."""
    asked = [*PMIN, *BYTES, "--threads", "1", "--runs"]
    whole = computed(runner.run("learn", runner.name(), *asked, "2")[0])
    for runs in (1, 2):
        runner.forget("tally-" + runner.token)
        runner.run("learn", runner.name("tally"), *asked, str(runs))
        requests = max(map(int, (runner.folder / f"tally-{runner.token}").read_text().split()))
        out = stopped(runner, signal.SIGINT, "learn", *asked, "3", at=requests + 1)
        *told, summary = map(json.loads, computed(out).splitlines())
        assert told == [json.loads(line) for line in whole.splitlines()[:runs]], out
        assert summary["summary"]["runs"] == runs and summary["automaton"].startswith("HOA"), out
        expected = json.loads(whole.splitlines()[-1])
        expected["inputs"]["model"] = summary["inputs"]["model"]
        assert runs == 1 or summary == expected, out


def all_can_be_stopped(runner):
    learning_can_be_stopped(runner, (signal.SIGINT, signal.SIGTERM), (PMIN, HORIZON))
    out = stopped(runner, signal.SIGTERM, "simulate", "--steps", "50", "--episodes", "100")
    assert out.startswith("episode 1\n0 ") or out.startswith("episode 1\n 0 "), out
    # The estimator has an interval of what it saw.
    out, seconds = "", 0.35
    while not out:  # it had nothing to tell yet
        process = runner.start("estimate", runner.name("chain"), "-f", "F goal", "-T", "40", "--epsilon",
                               "0.001", "--delta", "0.1", "--json")
        seconds *= 2
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and 0 < json.loads(out)["result"]["value"] < 1, (out, err)
    assert not runner.left()


def time_is_up(runner):
    began = time.monotonic()
    out, _ = runner.run("learn", runner.name("slow"), *PMIN, *BYTES, "--max-seconds", "0.4", status=3)
    assert json.loads(out)["guarantee"]["end"] == "max-seconds", out
    out, _ = runner.run("estimate", runner.name("chain"), "-f", "F goal", "-T",
                        "40", "--epsilon", "0.001", "--delta", "0.1", "--json", "--max-seconds", "0.4",
                        status=3)
    assert json.loads(out)["guarantee"]["holds"] is False
    assert time.monotonic() - began < 30


def the_result_is_whole(runner):
    out, err = runner.run("learn", runner.name("chatty"), *PMIN, *BYTES, "--threads", "1", "--policy",
                          "policy.json", "--certificate", "run.cert", "--trace", "trace.jsonl", "--dot",
                          "policy.dot")
    assert err == "a word on standard error\n", err
    result = json.loads(out)
    assert "truth" not in result and result["inputs"]["model"] == runner.name("chatty"), result
    assert result["inputs"]["states"] == 0 and result["inputs"]["product_states"] is None
    assumes = result["guarantee"]["assumes"]
    assert "every episode begins in the same state" in assumes, assumes
    assert "a run never leaves a state without actions" in assumes, assumes
    sample = result["sample"]
    assert sample[0]["key"] == "x0" and sample[0]["action"] == "run" and len(sample) > 1, sample
    assert sample[-1]["key"] in ("x3", "x-2") and "action" not in sample[-1], sample
    assert sample[-1]["labels"] == ["goal" if sample[-1]["key"] == "x3" else "trap"], sample
    best = (1 - (1 / 3) ** 2) / (1 - (1 / 3) ** 5)  # the gambler's ruin
    assert result["result"]["lower"] <= best <= result["result"]["upper"], (result["result"], best)
    assert json.loads((runner.folder / "policy.json").read_text()) == result["policy"]
    out, _ = runner.run("verify", "run.cert")
    assert out.startswith("Result: holds ["), out
    traces, _ = runner.run("simulate", runner.name(), "--policy", "policy.json", "--json", "--episodes", "3")
    lines = [json.loads(line) for line in traces.splitlines()]
    assert all(line["action"] in ("run", "crawl") for line in lines if line["step"] > 0), lines
    assert [line["key"] for line in lines if line["episode"] == 1] == [s["key"] for s in sample], lines
    assert all((line["actions"] == 0) == (line["key"] in ("x3", "x-2")) for line in lines), lines


def refuted_by_key(runner):
    out, _ = runner.run("learn", runner.name(), "-f", "F goal", "--pmin", "1/3", "--epsilon", "0.001", "--delta",
                        "0.1", "--seed", "3", *BYTES, status=3)
    refuted = json.loads(out)["guarantee"]["refuted"]
    assert refuted["key"].startswith("x") and refuted["action"] == "run", refuted
    assert refuted["successor"]["key"].startswith("x"), refuted


def many_runs(runner):
    out, _ = runner.run("learn", runner.name(), *PMIN, *BYTES, "--runs", "3")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 4 and "truth" not in lines[0] and "optimum" not in lines[3]["summary"], lines


def a_chain(runner):
    out, _ = runner.run("estimate", runner.name("chain"), "-f", "F goal", "-T", "60", "--epsilon", "0.05",
                        "--delta", "0.1", "--json", "--no-timing")
    result = json.loads(out)
    assert "truth" not in result and result["result"]["lower"] <= 0.4 <= result["result"]["upper"], result
    assumes = result["guarantee"]["assumes"]
    assert len(assumes) == 3 and "a run never leaves a state without actions" in assumes, assumes
    assert result["automaton"].startswith("HOA: v1\n"), result
    _, err = runner.run("estimate", runner.name(), "-f", "F goal", "-T", "60", "--epsilon", "0.05", "--delta",
                        "0.1", status=2)
    assert "not a Markov chain" in err, err


def numbers_that_nobody_seeds(runner):
    """Each process has the same: what two of them say is not independent, so there is one."""
    words = ["-f", "F goal", "-T", "60", "--epsilon", "0.1", "--delta", "0.1", "--no-timing"]
    for name, is_told in ("unseeded", True), ("chain", False):
        out, err = runner.run("estimate", runner.name(name), *words, "--threads", "2")
        assert ("a function of the seed" in err) == is_told, err
        assert "assumes            episodes are independent" in out, out


def one_that_ignores_bye(runner):
    began = time.monotonic()
    runner.run("learn", runner.name("deaf"), *PMIN, "-q")
    assert time.monotonic() - began < 30


def plugins(runner):
    plugin = "plugin:" + runner.plugin
    asked = ["-f", "G F s & G F g", "--epsilon", "0.1", "--delta", "0.1", *BYTES]
    out, _ = runner.run("learn", plugin, "--graph", "model", *asked, "--certificate", "run.cert")
    result = json.loads(out)
    assert result["result"]["lower"] == 1 and result["guarantee"]["holds"], result
    assert runner.run("verify", "run.cert")[0].startswith("Result: holds")
    runner.forget("run.cert")
    out, _ = runner.run("learn", plugin, "--pmin", "1/5", "--explore", "generative", *asked)
    assert json.loads(out)["guarantee"]["holds"], out
    outs = {computed(runner.run("learn", plugin, "--pmin", "1/5", *asked, "--threads", n)[0]) for n in "14"}
    assert len(outs) == 1, outs
    example = pathlib.Path(runner.examples, "simulators", "gridworld.py")
    example = "exec:" + shlex.join([sys.executable, "-S", "-E", str(example)])
    out, _ = runner.run("learn", example, "--pmin", "1/5", *asked)
    assert json.loads(out)["result"]["lower"] == 1, out


QUICK = (each_fault_is_reported, a_failure_does_not_change_the_distribution, numbers_are_those_reported, a_crash_keeps_the_checkpoint, learning_can_be_stopped,
         runs_of_before_are_summed_up, the_result_is_whole, refuted_by_key, numbers_that_nobody_seeds, plugins)
FULL = (the_same_for_all_threads, all_faults_are_told, every_crash_keeps_the_checkpoint, one_of_many_fails, all_can_be_stopped,
        time_is_up, many_runs, a_chain, one_that_ignores_bye)


def main(program, examples, plugin, which="quick"):
    hear_interrupts()
    program, examples, plugin = (str(pathlib.Path(path).resolve()) for path in (program, examples, plugin))
    for test in FULL if which == "full" else QUICK:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            test(Runner(program, examples, plugin, folder))
            print(f"{test.__name__}: {time.monotonic() - begin:.2f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
