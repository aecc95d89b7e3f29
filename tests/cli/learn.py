#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac learn from outside: what its files and lines hold, that a result depends on nothing
but model, options and seed, and that a run which is stopped tells what it has and can be resumed.

usage: learn.py PROGRAM MODELS [SIGNALS]

SIGNALS: how many of the three that end a run in order are sent to runs that are resumed.
"""
import json
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from results import computed
from stopping import hear_interrupts, stop, stop_endless

KEYS = ["schema", "command", "version", "arguments", "seed", "inputs", "params", "result", "guarantee",
        "stats", "truth", "automaton", "policy", "chain", "states", "files", "trace", "sample"]
ASKED = ["--epsilon", "1/20", "--delta", "1/10", "-q", "--no-timing"]


class Learner:
    def __init__(self, program, models, folder):
        self.program, self.folder = program, folder
        self.grid = [str(models / "gridworld.prism"), "-f", "(G F s) & (G F g)"]
        self.chain = [str(models / "chain.prism"), "-f", "G F won"]
        self.simulator = "exec:" + shlex.join([sys.executable, "-S", "-E",
                                               str(models.parent / "simulators" / "gridworld.py")])

    def start(self, *words):
        return subprocess.Popen([self.program, "learn", *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder)

    def run(self, *words, status=0):
        process = self.start(*words)
        out, err = process.communicate()
        assert process.returncode == status, (words, process.returncode, out, err)
        return out


def result_holds_together(learner):
    words = [*learner.grid, "-T", "306", "--k", "l1", *ASKED, "--json", "--trace", "trace.jsonl",
             "--policy", "policy.json"]
    result = json.loads(learner.run(*words))
    assert list(result) == KEYS, list(result)
    assert result["files"] == {"policy": "policy.json"}, result["files"]
    assert result["arguments"] == ["learn", *words], result["arguments"]
    assert result["guarantee"]["holds"] and result["guarantee"]["T_check"] == "consistent"
    value, error = result["result"], result["guarantee"]["error"]
    assert value["lower"] <= result["truth"]["policy"] <= value["upper"]
    assert result["truth"]["optimum"] <= value["optimum_upper"]
    assert result["truth"]["policy"] >= result["truth"]["optimum"] - error
    assert abs(error - 4 / 20) < 1e-5, error
    assert result["inputs"]["product_states"] == 12 and result["inputs"]["product_reachable"] <= 12
    assert result["params"]["T"] == 306 and result["params"]["k_rule"] == "l1"
    lines = [json.loads(line) for line in
             pathlib.Path(learner.folder, "trace.jsonl").read_text().splitlines()]
    assert lines == result["trace"]
    assert len(lines) == result["stats"]["policies"] and lines[0]["step"] == 0
    for before, after in zip(lines, lines[1:]):
        assert before["step"] <= after["step"] and before["known"] <= after["known"]
        assert before["value"] >= after["value"] - 1e-9
    assert all(0 <= line["truth"] <= 1 for line in lines)
    assert abs(lines[-1]["truth"] - result["truth"]["policy"]) < 1e-9
    assert len(result["sample"]) == 101
    written = json.loads(pathlib.Path(learner.folder, "policy.json").read_text())
    assert written == result["policy"]


def the_papers_parameters(learner):
    words = [*learner.grid, "-T", "19", *ASKED, "--k", "paper", "--counts", "product", "--json"]
    result = json.loads(learner.run(*words, status=3))
    assert result["params"]["k"] == 71394132
    assert not result["guarantee"]["holds"] and result["guarantee"]["T_check"] == "refuted"
    assert result["guarantee"]["T_found"] > 19
    assert result["result"]["lower"] is None and result["result"]["upper"] is None
    # 1.1e10 with ties by rank; a policy that is only mended takes long ways round: 1.46e10
    assert 1.05e10 < result["stats"]["steps"] < 1.2e10, result["stats"]
    assert result["truth"] == {"policy": 1, "optimum": 1}


def theorem_1_with_the_true_time(learner):
    words = [*learner.grid, "-T", "306", *ASKED, "--k", "paper", "--counts", "product", "--json"]
    result = json.loads(learner.run(*words))
    assert result["params"]["k"] == 18518174353 and result["guarantee"]["holds"]
    assert 2.3e13 < result["stats"]["steps"] < 2.5e13, result["stats"]


def confidence_in_few_digits(learner):
    """1 - 0.9 is 0.09999999999999998 to a computer."""
    out = learner.run(*learner.grid, "-T", "306", "--k", "l1", "--epsilon", "1/20", "--delta", "0.9", "-q")
    assert "with confidence 0.1 the policy" in out, out


def same_for_all_threads(learner):
    words = [*learner.grid, "-T", "40", *ASKED, "--k", "300", "--sampler", "step", "--json"]
    results = {computed(learner.run(*words, "--threads", threads, status=3)) for threads in ("1", "2", "7")}
    assert len(results) == 1
    other = learner.run(*words, "--seed", "2", status=3)
    assert computed(other) not in results


def runs_are_those_of_their_seeds(learner):
    words = [*learner.chain, "-T", "7", *ASKED, "--k", "20", "--json"]
    lines = learner.run(*words, "--runs", "5", "--seed", "3", status=3).splitlines()
    *runs, summary = map(json.loads, map(computed, lines))
    assert [run["seed"] for run in runs] == [3, 4, 5, 6, 7]
    for run in runs:
        alone = json.loads(learner.run(*words, "--seed", str(run["seed"]), status=3))
        assert run == {key: alone[key] for key in run}
    found = summary["summary"]
    assert found["runs"] == 5 and found["holds"] == 0 and found["optimum"] == 0.5
    steps = sorted(run["stats"]["steps"] for run in runs)
    assert found["steps"] == steps
    values = [run["result"]["value"] for run in runs]
    assert (found["value"]["min"], found["value"]["max"]) == (min(values), max(values))
    gaps = [0.5 - run["truth"]["policy"] for run in runs]
    assert found["judged"] == 5 and found["worst"] == max(0, *gaps)
    assert found["optimal"] == sum(gap < 1e-6 for gap in gaps)
    text = learner.run(*words[:-1], "--runs", "5", "--seed", "3", status=3).splitlines()
    assert [line.startswith("Result: ") for line in text[:6]] == [True] * 5 + [False]


def a_bracket_from_the_time(learner):
    words = [*learner.grid, "-T", "306", *ASKED, "--json", "--trace", "trace.jsonl", "--policy", "policy.json"]
    result = json.loads(learner.run(*words))
    assert list(result) == KEYS, list(result)
    found, guarantee, params = result["result"], result["guarantee"], result["params"]
    assert guarantee["holds"] and guarantee["bracket"] and guarantee["T_check"] == "consistent", guarantee
    assert (params["T"], params["target"]) == (306, 4 * params["epsilon"]), params
    assert not {"k", "k_rule", "stop", "counts", "sampler", "pmin"} & set(params), params
    assert found["upper"] - found["lower"] <= guarantee["error"] <= params["target"], result
    assert found["upper"] == found["optimum_upper"] >= result["truth"]["optimum"], result
    trial = result["stats"]["trial"]
    assert trial["source"] == "episodes" and 0 < trial["wins"] <= trial["episodes"], trial
    assert sum(guarantee["delta"].values()) < 0.1
    lines = [json.loads(line) for line in
             pathlib.Path(learner.folder, "trace.jsonl").read_text().splitlines()]
    assert lines == result["trace"] and lines[0]["step"] == 0
    for before, after in zip(lines, lines[1:]):
        assert all(before[key] <= after[key] for key in ("step", "known", "candidates")), (before, after)
    for line in lines:
        assert line["T"] == 306 and line["lower"] <= line["upper"], line
        assert line["lower"] <= line["truth"] + 1e-9 and result["truth"]["optimum"] <= line["upper"] + 1e-9, line
    assert lines[-1]["candidates"] == result["stats"]["candidates"] > 0
    done = subprocess.run([learner.program, "evaluate", learner.grid[0], "--policy", "policy.json", "--json"],
                          cwd=learner.folder, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["result"]["value"] >= found["lower"], done.stdout


def brackets_depend_on_seeds_only(learner):
    words = [*learner.chain, "-T", "8", *ASKED, "--json"]
    outs = {computed(learner.run(*words, "--threads", threads)) for threads in ("1", "2", "7")}
    assert len(outs) == 1
    assert len({computed(learner.run(*words, "--sampler", name)) for name in ("step", "auto")} | outs) == 1
    one, = map(json.loads, outs)
    other = json.loads(learner.run(*words, "--seed", "2"))
    assert one["result"] != other["result"]
    *runs, summary = map(json.loads, map(computed, learner.run(*words, "--runs", "3").splitlines()))
    assert runs[0] == {key: one[key] for key in runs[0]} and runs[1]["result"] == other["result"]
    found = summary["summary"]
    assert (found["runs"], found["holds"], found["refuted"], found["containing"]) == (3, 3, 0, 3), found
    simulator = [learner.simulator, *learner.grid[1:], "-T", "306", *ASKED, "--json"]
    outs = {computed(learner.run(*simulator, "--threads", threads)) for threads in ("1", "3")}
    assert len(outs) == 1


NAMED = """
import random, sys
print("omegapac-env 1 won start=random", flush=True)
for line in sys.stdin:
    word, *argument = line.split()
    if word == "bye":
        break
    if word == "reset":
        chance = random.Random(int(argument[0]))
        state = "room%d" % chance.randrange(300)
    else:
        state = "won" if argument[0] == "open" and chance.random() < 0.9 else "lost"
    print(state, "won" if state == "won" else "-", "open,wait" if state.startswith("room") else 0, flush=True)
"""


def policies_name_all_actions(learner):
    """Copies of a simulator and earlier processes know names that the last one does not."""
    folder = pathlib.Path(learner.folder)
    folder.joinpath("named.py").write_text(NAMED)
    words = [f"exec:{shlex.quote(sys.executable)} named.py", "-f", "F won", "-T", "3", "--epsilon", "1/20", "--delta",
             "1/10", "-q", "-o", "out", "--policy", "policy.json", "--force"]
    policies = set()
    for threads in "1", "2", "3":
        learner.run(*words, "--threads", threads, "--max-steps", "600", status=3)
        policies.add(folder.joinpath("policy.json").read_bytes())
    learner.run(*words, "--max-steps", "200", "--checkpoint", "named.ckpt", status=3)
    learner.run(*words, "--max-steps", "600", "--checkpoint", "named.ckpt", "--resume", status=3)
    policies.add(folder.joinpath("policy.json").read_bytes())
    assert len(policies) == 1, len(policies)
    states = json.loads(policies.pop())["states"]
    assert all(state["actions"] == ["open", "wait"] for state in states if state["key"].startswith("room")), states


def a_bracket_of_three_steps(learner):
    """Shorter than an episode: then nothing is known."""
    for system in learner.grid[0], learner.simulator:
        out = learner.run(system, *learner.grid[1:], "-T", "306", *ASKED, "--max-steps", "3", status=3)
        assert out.startswith("Result: 0 [0, 1]\n"), out


def long_bracket(learner):
    """As long_run, for a bracket from T; 1000 bounds the time for this epsilon, too."""
    epsilon = 0.002
    while True:
        words = [*learner.grid, "-T", "1000", "--epsilon", str(epsilon), "--delta", "1/10", "--no-timing", "--json"]
        begin = time.monotonic()
        result = learner.run(*words)
        seconds = time.monotonic() - begin
        if seconds > 0.4 or epsilon < 1e-4:
            return words, seconds, result
        epsilon /= 2


def long_run(learner):
    """Options of a run that takes about half a second, and how long it takes."""
    observations = 10000
    while True:
        words = [*learner.grid, "-T", "60", *ASKED, "--k", str(observations), "--sampler", "step",
                 "--json"]
        words.remove("-q")
        begin = time.monotonic()
        result = learner.run(*words, status=3)
        seconds = time.monotonic() - begin
        if seconds > 0.4:
            return words, seconds, result
        observations *= 2


def check_stopped(so_far, is_bracket):
    """A bracket holds at all times; a policy of omega-PAC has a guarantee at the end."""
    found, truth = so_far["result"], so_far["truth"]["policy"]
    assert not so_far["guarantee"]["holds"]
    if is_bracket:
        assert 0 <= found["lower"] <= (1 if truth is None else truth) <= found["upper"] == 1, so_far
    else:
        assert found["lower"] is None


def stopped_and_resumed(learner, signals, is_bracket):
    """Again and again, until it is done: then all is as if nothing had happened."""
    words, seconds, expected = long_bracket(learner) if is_bracket else long_run(learner)
    lines, ended = (1, 0) if is_bracket else (2, 3)
    generator = random.Random(1)
    checkpoint = pathlib.Path(learner.folder, "run.ckpt")
    stops = 0
    for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))[:signals]:
        resume = []
        while True:
            process = learner.start(*words, "--checkpoint", checkpoint.name, "--policy",
                                    "policy.json", *resume)
            pause = seconds * generator.uniform(0.05, 0.3)
            found, out, err = stop(process, pause, sent, lines) if stops % 4 < 3 else (
                None, *process.communicate())
            if found != status:  # it was done, and perhaps on its way out when the signal came
                assert process.returncode in (ended, -sent), (process.returncode, err)
                resume = ["--resume"]
                if json.loads(out)["truth"].get("note") == "stopped":
                    continue
                break
            if not out:  # before it had anything to tell
                assert err == "omegapac learn: stopped\n", err
                assert checkpoint.exists() == bool(resume)
                continue
            stops += 1
            so_far = json.loads(out)
            resume = ["--resume"]
            if so_far["guarantee"]["end"] != "stopped":  # only the comparison with the truth was
                continue
            check_stopped(so_far, is_bracket)
            assert checkpoint.read_bytes().startswith(b"omegapac checkpoint ")
            assert json.loads(pathlib.Path(learner.folder, "policy.json").read_text()) \
                == so_far["policy"]
        assert computed(out) == computed(expected)
        checkpoint.unlink()
        stops += 1
    assert stops > signals, "the run was over before it could be stopped"
    print(f"stopped {stops - signals} times")


def stopped_in_words(learner):
    words = [*learner.grid, "-T", "60", "--epsilon", "1/20", "--delta", "1/10", "--no-timing"]
    status, out, err = stop_endless(
        lambda: learner.start(*words, "--k", "1e12", "--sampler", "step"), signal.SIGINT)
    assert (status, err) == (130, ""), (status, err)
    first, *_ = lines = out.splitlines()
    assert first.startswith("Result: ") and first.endswith(" (no guarantee)"), first
    assert "guarantee          no guarantee: the run was stopped" in "\n".join(lines), out


def a_bracket_stopped_on_a_simulator(learner):
    words = [learner.simulator, *learner.grid[1:], "-T", "1000", "--epsilon", "1e-6", "--delta", "1/10",
             "--no-timing"]
    status, out, err = stop_endless(lambda: learner.start(*words), signal.SIGINT,
                                    lambda out: re.search("^trial .* won$", out, re.MULTILINE), lines=1)
    assert (status, err) == (130, ""), (status, err)
    lower, upper = map(float, re.match(r"Result: \S+ \[(\S+), (\S+)\]\n", out).groups())
    assert 0 < lower < 1 == upper, out
    assert "the run was stopped" in out, out


def many_stopped_in_the_first(learner):
    """There is a result, but nothing to sum up."""
    words = [*learner.grid, "-T", "60", "--epsilon", "1/20", "--delta", "1/10", "--no-timing",
             "--k", "1e12", "--sampler", "step", "--runs", "3"]
    status, out, err = stop_endless(lambda: learner.start(*words), signal.SIGTERM)
    assert (status, err, out.count("\n")) == (143, "", 1), (status, out, err)
    assert out.startswith("Result: 1 (no guarantee)  seed 1, "), out
    status, out, err = stop_endless(lambda: learner.start(*words, "--json"), signal.SIGINT)
    assert (status, err) == (130, ""), (status, err)
    result = json.loads(out)
    assert result["guarantee"]["end"] == "stopped" and "summary" not in result, out


def long_episodes(learner):
    """One that would take years is broken off; its beginning is what the checkpoint holds."""
    checkpoint = pathlib.Path(learner.folder, "long.ckpt")
    told = ("omegapac learn: the checkpoint was not written: an episode was interrupted; "
            "the previous checkpoint is kept\n")
    for sampler in "step", "population":
        words = [*learner.grid, "-T", "1e15", "--epsilon", "1/20", "--delta", "1/10", "--k", "1e9",
                 "--no-timing", "--sampler", sampler, "--checkpoint", checkpoint.name]
        seconds = 0.3
        while True:
            status, out, err = stop(learner.start(*words), seconds, signal.SIGINT)
            assert status == 130 and err in ("", told, "omegapac learn: stopped\n"), (status, err)
            if err == told or (sampler == "step" and out):
                break
            checkpoint.unlink(missing_ok=True)  # it had hardly begun
            seconds *= 2
        assert out.startswith("Result: 1 (no guarantee)"), out
        out = learner.run(*words, "-q", "--resume", "--max-seconds", "0.3", status=3)
        assert "no guarantee: the limit on time ended the run" in out, out
        assert checkpoint.read_bytes().startswith(b"omegapac checkpoint ")
        checkpoint.unlink()


def long_paths(learner):
    """Whole where somebody will open the file; of those in messages, the end, and the reason."""
    folder = pathlib.Path(learner.folder, *["d" * 100] * 4)
    folder.mkdir(parents=True)
    words = [*learner.grid, "-T", "306", "--k", "l1", *ASKED]
    out = learner.run(*words, "--policy", str(folder / "policy.json"))
    assert f" {folder}/policy.json\n" in out, out
    (folder / "wrong.prism").write_text("mdp\n")
    for name, status, end in (("none.prism", 2, "/none.prism: No such file or directory\n"),
                              ("wrong.prism", 2, "/wrong.prism:2:1: the model has no module: "
                               "expected 'module', but the text ends here\n")):
        process = learner.start(str(folder / name), *words[1:])
        _, err = process.communicate()
        assert process.returncode == status and err.endswith(end) and "...dd" in err, (name, err)
    process = learner.start(*words, "--policy", str(folder / "none" / "policy.json"))
    _, err = process.communicate()
    assert process.returncode != 0 and "/none/policy.json: No such file" in err, err


def main(program, models, signals="3"):
    hear_interrupts()
    program, models = str(pathlib.Path(program).resolve()), pathlib.Path(models).resolve()
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(program, models, folder)
        result_holds_together(learner)
        the_papers_parameters(learner)
        theorem_1_with_the_true_time(learner)
        confidence_in_few_digits(learner)
        same_for_all_threads(learner)
        runs_are_those_of_their_seeds(learner)
        a_bracket_from_the_time(learner)
        brackets_depend_on_seeds_only(learner)
        policies_name_all_actions(learner)
        a_bracket_of_three_steps(learner)
        for is_bracket in False, True:
            stopped_and_resumed(learner, int(signals), is_bracket)
        stopped_in_words(learner)
        a_bracket_stopped_on_a_simulator(learner)
        many_stopped_in_the_first(learner)
        long_episodes(learner)
        long_paths(learner)


if __name__ == "__main__":
    main(*sys.argv[1:])
