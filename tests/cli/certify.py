#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac learn --pmin and --graph from outside: brackets against the truth, what refutes an
assumption, runs that are stopped, resumed, repeated; every certificate is verified.

usage: certify.py PROGRAM MODELS
"""
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from on_terminal import Terminal
from results import computed
from stopping import hear_interrupts, stop_endless

KEYS = ["schema", "command", "version", "arguments", "seed", "inputs", "params", "result", "guarantee",
        "stats", "truth", "automaton", "policy", "chain", "states", "files", "certificate", "certificate_reason",
        "trace", "sample"]
ASKED = ["--epsilon", "1/20", "--delta", "1/10", "-q", "--no-timing"]
SLACK = 1e-6  # what `check` leaves open

# An outcome far rarer than one in five, and behind it a coin that takes long to learn.
RARE = """mdp
module m
    s : [0..4] init 0;
    [go] s=0 -> 0.01 : (s'=2) + 0.99 : (s'=1);
    [toss] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
    [rest] s>1 -> true;
endmodule
label "seen" = s=4;
"""
# The same graph with other probabilities, and one that lacks an edge.
EVEN = RARE.replace("0.01", "0.5").replace("0.99", "0.5")
LACKS = RARE.replace("0.01 : (s'=2) + 0.99 : (s'=1)", "(s'=1)")
# Ten outcomes, where five are thought possible.
WIDE = """dtmc
module m
    s : [0..10] init 0;
    [] s=0 -> %s;
    [] s>0 -> (s'=0);
endmodule
label "seen" = s=1;
""" % " + ".join(f"1/10 : (s'={i})" for i in range(1, 11))


class Learner:
    def __init__(self, program, models, folder):
        self.program, self.models, self.folder = program, models, pathlib.Path(folder)
        self.grid = [str(models / "gridworld.prism"), "-f", "(G F s) & (G F g)", "--pmin", "1/5"]
        self.lake = [str(models / "frozenlake.prism"), "-f", "F goal", "--pmin", "1/3"]
        self.drone = [str(models / "delivery.prism"), "-f", "G F village", "--pmin", "1/10"]
        self.chain = [str(models / "chain.prism"), "-f", "G F won", "--graph", "model"]
        for name, text in ("rare", RARE), ("even", EVEN), ("lacks", LACKS), ("wide", WIDE):
            (self.folder / f"{name}.prism").write_text(text)

    def start(self, *words, command="learn"):
        return subprocess.Popen([self.program, command, *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder)

    def run(self, *words, status=0, command="learn"):
        process = self.start(*words, command=command)
        out, err = process.communicate()
        assert process.returncode == status, (words, process.returncode, out[:1000], err)
        return out

    def learn(self, *words, status=0):
        """A result; its certificate is as it says, and verified."""
        path = self.folder / "run.cert"
        path.unlink(missing_ok=True)
        result = json.loads(self.run(*words, *ASKED, "--json", "--certificate", path.name,
                                     status=status))
        listed = result["inputs"]["states"] <= 400  # states of larger models are not
        left_out = {"states": not listed, "files": "--policy" not in words,
                    "certificate_reason": result["certificate"] is not None}
        assert list(result) == [key for key in KEYS if not left_out.get(key)], list(result)
        self.verify(result, path, words[0])
        return result

    def verify(self, result, path, model):
        if not result["guarantee"]["bracket"]:
            assert result["certificate"] is None and not path.exists()
            return
        digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
        assert result["certificate"] == {"path": path.name, "digest": digest}
        found = json.loads(self.run(path.name, model, "--json", command="verify"))
        lower, upper = found["result"]["lower"], found["result"]["upper"]
        assert lower == result["result"]["lower"] and upper == result["result"]["optimum_upper"]


def check_bracket(result, optimum):
    """Of a run that closed."""
    found, guarantee = result["result"], result["guarantee"]
    assert guarantee["holds"] and guarantee["bracket"] and guarantee["refuted"] is None
    assert guarantee["end"] == "done" and guarantee["confidence"] == 0.9
    assert abs(result["truth"]["optimum"] - optimum) < SLACK
    assert found["lower"] - SLACK <= optimum <= found["optimum_upper"] + SLACK, found
    assert found["optimum_upper"] - found["lower"] <= result["params"]["epsilon"]
    assert abs(guarantee["error"] - (found["optimum_upper"] - found["lower"])) < 1e-9
    assert found["lower"] - SLACK <= result["truth"]["policy"] <= found["upper"] + SLACK
    check_trace(result, optimum)


def check_trace(result, optimum):
    trace, stats = result["trace"], result["stats"]
    assert "T" not in trace[0] and trace[-1]["step"] <= stats["steps"]
    for before, after in zip(trace, trace[1:]):
        assert before["step"] <= after["step"] and before["known"] <= after["known"]
    for entry in trace:
        assert entry["lower"] - SLACK <= optimum <= entry["upper"] + SLACK, entry
        assert entry["truth"] is None or entry["lower"] - SLACK <= entry["truth"], entry


def results_hold_together(learner):
    result = learner.learn(*learner.grid, "--trace", "trace.jsonl", "--policy", "policy.json")
    check_bracket(result, 1)
    assert result["params"] == {"epsilon": 0.05, "delta": 0.1, "pmin": 0.2, "pmin_start": None, "graph": None,
                                "explore": "episodes", "kind": "deterministic"}, result["params"]
    assert result["stats"]["complete"] <= result["stats"]["pairs_seen"] <= 24
    assert result["stats"]["steps"] < 5000, result["stats"]
    lines = [json.loads(line) for line in (learner.folder / "trace.jsonl").read_text().splitlines()]
    assert lines == result["trace"]
    assert json.loads((learner.folder / "policy.json").read_text()) == result["policy"]
    assert len(result["sample"]) == 101
    check_bracket(learner.learn(*learner.drone), 0.8)
    check_bracket(learner.learn(*learner.lake), 14 / 17)


def all_that_may_be_known(learner):
    model = learner.grid[:3]
    result = learner.learn(*model, "--graph", "model")
    check_bracket(result, 1)
    assert result["params"]["pmin"] is None and result["params"]["graph"] == "model"
    assert result["stats"]["steps"] == 0, result["stats"]
    check_bracket(learner.learn(*model, "--graph", "model", "--pmin", "0.2"), 1)
    check_bracket(learner.learn(*model, "--graph", learner.grid[0]), 1)
    check_bracket(learner.learn(*learner.chain), 0.5)
    result = learner.learn(*learner.lake, "--explore", "generative")
    check_bracket(result, 14 / 17)
    assert result["params"]["explore"] == "generative"


def the_same_for_all_threads(learner):
    words = [*learner.drone, *ASKED, "--json"]
    results = {computed(learner.run(*words, "--threads", threads)) for threads in ("1", "2", "7")}
    assert len(results) == 1
    assert computed(learner.run(*words, "--seed", "2")) not in results


def runs_are_those_of_their_seeds(learner):
    words = [*learner.drone, *ASKED, "--json"]
    lines = computed(learner.run(*words, "--runs", "4", "--seed", "3")).splitlines()
    *runs, summary = map(json.loads, lines)
    assert [run["seed"] for run in runs] == [3, 4, 5, 6]
    for run in runs:
        alone = json.loads(learner.run(*words, "--seed", str(run["seed"])))
        assert run == {key: alone[key] for key in run}
    found = summary["summary"]
    steps = [run["stats"]["steps"] for run in runs]
    assert found["mean_steps"] == sum(steps) / 4 and found["steps"][0] == min(steps)
    assert found["runs"] == found["holds"] == found["brackets"] == 4, found
    assert found["containing"] == sum(
        run["result"]["lower"] <= 0.8 + SLACK and run["result"]["optimum_upper"] >= 0.8 - SLACK
        for run in runs)
    text = learner.run(*words[:-1], "--runs", "4", "--seed", "3")
    assert f"brackets           {found['containing']} of 4 contain the optimum" in text, text
    assert found["refuted"] == 0 and "refuted" not in text


def refuted_runs_are_counted(learner):
    """Apart: they have no bracket that could contain anything, and promise nothing."""
    text = RARE.replace("0.01", "0.0001").replace("0.99", "0.9999")  # some runs see it, some do not
    (learner.folder / "rarer.prism").write_text(text)
    words = ["rarer.prism", "-f", "F seen", "--pmin", "1/5", *ASKED, "--runs", "12"]
    *runs, summary = map(json.loads, learner.run(*words, "--json", status=3).splitlines())
    found = summary["summary"]
    refuted = sum(run["guarantee"]["end"] == "refuted" for run in runs)
    assert 0 < refuted < 12 and found["refuted"] == refuted, found
    assert found["brackets"] == 12 - refuted and found["judged"] == 12, found
    assert found["within"] <= found["brackets"] and found["containing"] <= found["brackets"]
    text = learner.run(*words, status=3)
    assert f"; {refuted} refuted an assumption\n" in text and "within the error" not in text, text
    words = ["wide.prism", "-f", "F seen", "--pmin", "1/5", *ASKED, "--runs", "3"]
    assert "brackets           no run has one\n" in learner.run(*words, status=3)


def refuted(learner):
    """Each way, with the counts; there is no bracket and no certificate."""
    def look(by, *words, seeds=range(1, 2)):
        kinds = set()
        for seed in seeds:
            result = learner.learn(*words, "--seed", str(seed), status=3)
            found = result["guarantee"]
            assert not found["holds"] and found["end"] == "refuted" and not found["bracket"]
            assert result["result"]["lower"] is None and result["result"]["upper"] is None
            assert 0 < found["refuted"]["visits"] and found["refuted"]["count"] <= \
                found["refuted"]["visits"], found
            kinds.add(found["refuted"]["by"])
            assert found["refuted"]["values"] == {"s": 0} and found["refuted"]["choice"] == 0
            assert found["refuted"].get("successor", {"state": 1})["state"] > 0, found
        assert kinds & set(by), (by, kinds)
        text = learner.run(*words, *ASKED, "--seed", str(seeds[0]), status=3)
        assert text.splitlines()[0].endswith(" (no guarantee)"), text
        return kinds
    seen = ["-f", "F seen"]
    look(["support", "frequency"], "rare.prism", *seen, "--pmin", "1/5", seeds=range(1, 6))
    look(["width"], "wide.prism", *seen, "--pmin", "1/5", "--states", "99", "--branching", "99")
    look(["edge"], "rare.prism", *seen, "--graph", "lacks.prism")
    check_bracket(learner.learn("rare.prism", *seen, "--graph", "even.prism"), 0.495)


def graphs_that_do_not_fit(learner):
    """What no sample would contradict is refused at once, in words of graph and model."""
    labelled = RARE.replace('"seen" = s=4', '"seen" = s=3')
    begins = RARE.replace('"seen" = s=4', '"seen" = s=4|s=1').replace("s=0 ->", "s<2 ->", 1) \
        .replace("[toss] s=1", "[toss] false")
    edge = RARE.replace("0.5 : (s'=3)", "0.4 : (s'=0) + 0.1 : (s'=3)")
    state = RARE.replace("[0..4]", "[0..5]").replace("0.5 : (s'=3)", "0.4 : (s'=5) + 0.1 : (s'=3)")
    again = RARE.replace("[rest] s>1", "[rest] s=2 -> (s'=0);\n    [rest] s>2")
    (learner.folder / "again.prism").write_text(again)
    cases = {
        labelled: "in state 's=3' different propositions of the objective hold in the graph and in "
                  "the model",
        begins: "action 0 of state 's=1' is \"toss\" in the model and \"go\" in the graph",
        edge: "in the graph action 'toss' of state 's=1' can lead to state 's=0', in the model it cannot",
        state: "in the graph action 'toss' of state 's=1' can lead to state 's=5', in the model it cannot",
    }
    for text, message in cases.items():
        (learner.folder / "misfit.prism").write_text(text)
        for explore in "episodes", "generative":
            process = learner.start("rare.prism", "-f", "F seen", "--graph", "misfit.prism", *ASKED,
                                    "--explore", explore)
            out, err = process.communicate()
            assert (process.returncode, out) == (2, "") and message in err, (message, err)
            assert err.startswith("omegapac learn: ") and "graph" in err
    (learner.folder / "misfit.prism").write_text(again.replace("s=4;", "s=4|s=0;"))
    process = learner.start("again.prism", "-f", "F seen", "--graph", "misfit.prism", *ASKED)
    assert "the graph does not match the model: state 's=0' was observed with {} and 1 actions, and " \
        "now with {seen} and 1" in process.communicate()[1] and process.returncode == 2


def limits_leave_a_bracket(learner):
    result = learner.learn(*learner.drone, "--max-steps", "1500", status=3)
    found, guarantee = result["result"], result["guarantee"]
    assert not guarantee["holds"] and guarantee["bracket"] and guarantee["end"] == "max-steps"
    assert found["lower"] <= 0.8 <= found["optimum_upper"]
    assert found["optimum_upper"] - found["lower"] > 0.05 and result["stats"]["steps"] <= 1500
    first = learner.run(*learner.drone, *ASKED, "--max-steps", "1500", status=3).splitlines()[0]
    assert first.startswith("Result: ") and first.endswith("]"), first


# A run that goes on until it is stopped, on any machine.
ENDLESS = ["--epsilon", "1e-9", "--delta", "1/10", "--no-timing"]


def stopped_and_resumed(learner):
    """Whoever stops it has a bracket and a certificate; and it goes on as if nothing had happened."""
    words = [*learner.drone, *ENDLESS, "--json"]
    certificate, checkpoint = learner.folder / "part.cert", learner.folder / "run.ckpt"
    for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        steps = [0]
        for _ in range(2):
            found, out, _ = stop_endless(
                lambda: learner.start(*words, "--checkpoint", checkpoint.name, "--certificate",
                                      certificate.name,
                                      *(["--resume"] if checkpoint.exists() else [])),
                sent, lambda out, before=steps[-1]: out and json.loads(out)["stats"]["steps"] > before)
            assert found == status, found
            result = json.loads(out)
            bracket, guarantee = result["result"], result["guarantee"]
            assert guarantee["end"] == "stopped" and guarantee["bracket"], guarantee
            assert not guarantee["holds"] and bracket["lower"] <= 0.8 <= bracket["optimum_upper"]
            learner.verify(result, certificate, words[0])
            steps.append(result["stats"]["steps"])
        assert steps[0] < steps[1] < steps[2] and checkpoint.exists(), steps
        limited = [*words, "-q", "--max-steps", str(steps[2] + 1000)]
        resumed = learner.run(*limited, "--checkpoint", checkpoint.name, "--resume", status=3)
        assert computed(resumed) == computed(learner.run(*limited, status=3))
        checkpoint.unlink()


def stopped_in_words(learner):
    words = [*learner.drone, *ENDLESS]
    status, out, err = stop_endless(lambda: learner.start(*words), signal.SIGINT)
    assert (status, err) == (130, ""), (status, err)
    first = out.splitlines()[0]
    assert first.startswith("Result: 0") and first.endswith("]"), first
    assert "1e-9: the run was stopped" in " ".join(out.split()), out
    status, out, err = stop_endless(lambda: learner.start(*words, "--runs", "3"), signal.SIGTERM)
    assert (status, err, out.count("\n")) == (143, "", 1), (status, out, err)
    assert out.startswith("Result: 0") and "]  seed 1, " in out, out


def the_bracket_in_the_progress_line(learner):
    """Drawn on a terminal, which standard error is here; soon, or on a slow machine later."""
    seconds, lines = 0.5, []
    while not lines:
        assert seconds < 100, "no progress line"
        terminal = Terminal()
        words = [*learner.drone, *ENDLESS, "--max-seconds", str(seconds), "-o", "/dev/null"]
        process = subprocess.Popen([learner.program, "learn", *words], stderr=terminal.side,
                                   cwd=learner.folder, env=dict(os.environ, TERM="xterm"))
        text = terminal.read(process)
        assert process.returncode == 3, process.returncode
        lines = re.findall(rb"\[(0\.\d+), (0\.\d+)\] \d+ complete pairs, \d+ polic(?:y|ies), steps sampled, ", text)
        seconds *= 2
    assert all(float(low) <= 0.8 <= float(high) for low, high in lines), text


def a_limit_of_time(learner):
    words = [*learner.drone, "--epsilon", "1e-7", "--delta", "1/10", "-q",
             "--max-seconds", "0.2", "--no-timing"]
    out = learner.run(*words, status=3)
    assert ": the limit on time ended the run" in " ".join(out.split()), out


def one_of_many_actions(learner):
    """None of them gets a share of all samples, only because it is the best so far."""
    best = 77
    moves = "".join(f"[a{i}] s=0 -> {0.9 if i == best else 0.5}:(s'=1) + {0.1 if i == best else 0.5}:(s'=2);\n"
                    for i in range(200))
    (learner.folder / "many.prism").write_text(
        "mdp\nmodule m\n s:[0..2];\n" + moves + "[] s>0 -> true;\nendmodule\nlabel \"a\" = s=1;\n")
    for known in (["--pmin", "0.1"], ["--graph", "model"]):
        for explore in ("episodes", "generative"):
            result = learner.learn("many.prism", "-f", "F a", *known, "--explore", explore)
            check_bracket(result, 0.9)
            assert result["stats"]["steps"] < 60000, (known, explore, result["stats"])


def what_is_out_of_reach(learner):
    """U stays at 1, since there is always more to look at; L is of use all the same."""
    (learner.folder / "tree.prism").write_text(
        "mdp\nmodule m\n s:[0..2];\n x:[0..65535];\n"
        " [look] s=0 & x<32767 -> 0.5:(x'=2*x+1) + 0.5:(x'=2*x+2);\n"
        " [go] s=0 & x=0 -> 0.6:(s'=1) + 0.4:(s'=2);\n"
        " [] s>0 | x>=32767 -> true;\nendmodule\nlabel \"a\" = s=1;\n")
    result = learner.learn("tree.prism", "-f", "F a", "--pmin", "0.4", "--max-steps", "100000", status=3)
    assert result["result"]["upper"] > 0.9 and result["result"]["lower"] > 0.55, result["result"]


def models_without_a_name(learner):
    """From standard input: the certificate names no model."""
    with open(learner.grid[0], encoding="utf-8") as model:
        subprocess.run([learner.program, "learn", "-", *learner.grid[1:], *ASKED, "--certificate",
                        "piped.cert", "-o", "/dev/null"], stdin=model, cwd=learner.folder, check=True)
    inputs = json.loads((learner.folder / "piped.cert").read_text())["inputs"]
    assert inputs["model"] is None and inputs["digest"] is None, inputs
    assert learner.run("piped.cert", command="verify").startswith("Result: holds [1, 1]")
    learner.run("piped.cert", learner.grid[0], command="verify", status=3)


def constants_are_named(learner):
    learner.run(str(learner.models / "chain.prism"), "-D", "N=3", "-f", "G F won", "--graph",
                "model", *ASKED, "--certificate", "chain.cert")
    inputs = json.loads((learner.folder / "chain.cert").read_text())["inputs"]
    assert inputs["constants"] == "N=3" and inputs["objective"] == "G F won", inputs


def main(program, models):
    hear_interrupts()
    program, models = str(pathlib.Path(program).resolve()), pathlib.Path(models).resolve()
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(program, models, folder)
        for test in (results_hold_together, all_that_may_be_known, the_same_for_all_threads,
                     runs_are_those_of_their_seeds, refuted_runs_are_counted, refuted, graphs_that_do_not_fit,
                     limits_leave_a_bracket,
                     stopped_and_resumed, stopped_in_words,
                     the_bracket_in_the_progress_line, a_limit_of_time, one_of_many_actions, what_is_out_of_reach,
                     models_without_a_name, constants_are_named):
            begin = time.monotonic()
            test(learner)
            print(f"{test.__name__}: {time.monotonic() - begin:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
