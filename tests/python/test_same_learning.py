# SPDX-License-Identifier: MIT
"""The JSON of `learn` is the same in Python and on the command line, with members in the same order (as in
test_same_results.py for the other commands)."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import omegapac as op
from support import GRIDWORLD, MODELS, PROGRAM, build_plugin, command, full
from test_same_results import COINS, GRID, GUESS, Same

BOTH = "G F s & G F g"
NEAR = dict(epsilon=0.1, delta=0.1)
ASKED = ("--epsilon", "0.1", "--delta", "0.1", "--no-timing", "-q")
TWO_STARTS = 'mdp module m x:[0..1]; [] true -> true; endmodule init true endinit label "won" = x=1;'
# Runs with T, with p_min and with a graph: with a guarantee, without one, refuted, and ended by a limit.
ON_MODELS = (
    (dict(T=50, k=50), "-T 50 --k 50"),
    (dict(T=50, k=50, counts="product", sampler="step", stop="all-actions", seed=9),
     "-T 50 --k 50 --counts product --sampler step --stop all-actions --seed 9"),
    (dict(T=306, k="l1"), "-T 306 --k l1"),
    (dict(T=306, k="l1", target=0.5, slack=0.4), "-T 306 --k l1 --target 0.5 --slack 0.4"),
    (dict(T=30, k="paper", max_steps=1000), "-T 30 --k paper --max-steps 1000"),
    (dict(T="auto", k=50, max_steps=1e5, seed=3), "-T auto --k 50 --max-steps 1e5 --seed 3"),
    (dict(T=50, k=9, kind="ldba", states=100, actions=5, branching=3),
     "-T 50 --k 9 --kind ldba --states 100 --actions 5 --branching 3"),
    (dict(T=50, k=9, states=3), "-T 50 --k 9 --states 3"),
    (dict(T=306), "-T 306"),
    (dict(T=306, target="1/2", seed=3), "-T 306 --target 1/2 --seed 3"),
    (dict(T=306, kind="ldba", sampler="step", max_steps=2000), "-T 306 --kind ldba --sampler step --max-steps 2000"),
    (dict(T=306, states=3, branching=9), "-T 306 --states 3 --branching 9"),
    (dict(T=19), "-T 19"),
    (dict(T="auto"), "-T auto"),
    (dict(T=306, at_least="1/3"), "-T 306 --at-least 1/3"),
    (dict(pmin=0.1), "--pmin 0.1"),
    (dict(pmin=0.1, at_least=0.9), "--pmin 0.1 --at-least 0.9"),
    (dict(pmin="1/10", graph=True, max_steps=200), "--pmin 1/10 --graph model --max-steps 200"),
    (dict(graph=True, explore="generative"), "--graph model --explore generative"),
    (dict(pmin=0.9), "--pmin 0.9"),
    (dict(pmin=0.1, pmin_start="1/2"), "--pmin 0.1 --pmin-start 1/2"),
    (dict(pmin=0.1, deterministic=True), "--pmin 0.1 --deterministic"),
    (dict(pmin=0.1, trial_steps=100, max_memory=900 * 2**20), "--pmin 0.1 --trial-steps 100 --max-memory 900"),
)  # fmt: skip
ON_SIMULATORS = (
    (dict(pmin=0.2), "--pmin 0.2"),
    (dict(pmin=0.2, pmin_start=1, max_memory=2**29), "--pmin 0.2 --pmin-start 1 --max-memory 512"),
    (dict(pmin=0.45), "--pmin 0.45"),
    (dict(pmin=1, deterministic=True), "--pmin 1 --deterministic"),
    (dict(pmin=0.2, trial_steps=0, max_steps=300), "--pmin 0.2 --trial-steps 0 --max-steps 300"),
    (dict(T=30, k=10), "-T 30 --k 10"),
    (dict(T=306), "-T 306"),
    (dict(T=19), "-T 19"),
    (dict(T=306, target=0.6, trial_steps=0, max_steps=3000), "-T 306 --target 0.6 --trial-steps 0 --max-steps 3000"),
    (dict(T=30, k=10, states=6, actions=4), "-T 30 --k 10 --states 6 --actions 4"),
)


def shape(data):
    """The names of all members, at all levels; of a list, those of its first item."""
    if isinstance(data, dict):
        return {key: shape(value) for key, value in data.items()}
    return [shape(item) for item in data[:1]] if isinstance(data, list) else None


class Learn(Same):
    def learned(self, env, name, objective, options, words, *more):
        result = op.learn(env, objective, **{**NEAR, **options})
        self.same(result, "learn", name, "-f", objective, *ASKED, *words.split(), *more)
        return result

    def test_models(self):
        model = op.Model.load(GRID)
        ends = set()
        for options, words in ON_MODELS:
            with self.subTest(options):
                result = self.learned(model, GRID, BOTH, options, words)
                ends.add(result.end)
                self.assertIsNotNone(result.truth["optimum"])
        self.assertLessEqual({"done", "max-steps", "exceeded", "refuted"}, ends)

    def test_graphs_of_other_files(self):
        graph = shutil.copy(GRID, self.folder / "graph.prism")
        self.learned(op.Model.load(GRID), GRID, BOTH, dict(graph=op.Model.load(graph)), "--graph", str(graph))

    def test_constants(self):
        self.learned(op.Model.load(COINS, "p=1/3"), COINS, "F both", dict(pmin=0.1), "--pmin 0.1 -D p=1/3")

    def test_random_starts(self):
        path = self.write("starts.prism", TWO_STARTS)
        model = op.Model.load(path)
        for options, words in ((dict(pmin=1), "--pmin 1"), (dict(pmin=1, pmin_start=0.5), "--pmin 1 --pmin-start 0.5"),
                               (dict(pmin=1, branching=3), "--pmin 1 --branching 3"),
                               (dict(T=5, k=5), "-T 5 --k 5"), (dict(T=5), "-T 5"), (dict(T=2), "-T 2")):
            self.learned(model, path, "F won", options, words)

    def test_automata(self):
        """Python names the automaton, the command line its file. It is nondeterministic, so the truth is a bound."""
        path, guess = self.write("starts.prism", TWO_STARTS), self.write("guess.hoa", GUESS.replace("end", "won"))
        result = op.learn(op.Model.load(path), op.Automaton.load(guess), pmin=1, **NEAR)
        here = json.loads(result.to_json())
        there = command("learn", path, "-a", guess, "--pmin", "1", *ASKED)
        self.assertEqual(there["params"].pop("automata"), [str(guess)])
        self.assertEqual(here["params"].pop("automata"), ["automaton"])
        self.assertIs(here["truth"]["is_bound"], True)
        for member in ("params", "result", "guarantee", "stats", "truth", "automaton", "trace", "sample"):
            self.assertEqual(json.dumps(here[member]), json.dumps(there[member]), member)

    def test_a_program(self):
        self.compare_programs(ON_SIMULATORS[-1:])

    @full
    def test_programs(self):
        self.compare_programs(ON_SIMULATORS)

    def compare_programs(self, cases):
        for options, words in cases:
            with self.subTest(options), op.Simulator(GRIDWORLD) as robot:
                result = self.learned(robot, GRIDWORLD, BOTH, options, words)
                self.assertGreater(len(result.to_dict()["sample"]), 1)
                self.assertIsNone(result.truth)

    def test_plugins(self):
        plugin = build_plugin(self.folder)
        for options, words in ON_SIMULATORS:
            with self.subTest(options):
                self.learned(f"plugin:{plugin}", f"plugin:{plugin}", BOTH, options, words)

    def test_attributes(self):
        """The attributes of brackets from T are the members of the JSON."""
        model = op.Model.load(GRID)
        for seed, options in enumerate((dict(T=306), dict(T=19), dict(T="auto"), dict(T=306, max_steps=1000), dict(pmin=0.9))):
            result = op.learn(model, BOTH, **NEAR, **options, seed=seed)
            data = result.to_dict()
            refuted, stats = data["guarantee"]["refuted"], data["stats"]
            self.assertEqual(result.refutation, None if refuted is None else refuted["by"])
            self.assertEqual((result.T, result.T_check), (data["params"].get("T"), data["guarantee"].get("T_check")))
            self.assertEqual(result.candidates, stats.get("candidates", 0))
            trial = stats.get("trial")
            self.assertEqual(result.trial, None if not trial or trial["source"] != "episodes" else
                             (trial["episodes"], trial["wins"]))
            self.assertEqual((result.gap, result.error), (data["guarantee"]["error"],) * 2)

    def test_without_truth(self):
        data = json.loads(op.learn(op.Model.load(GRID), BOTH, pmin=0.1, truth=False, **NEAR).to_json())
        there = command("learn", GRID, "-f", BOTH, "--pmin", "0.1", *ASKED)
        self.assertEqual(list(data)[4:], [key for key in there if key != "truth"][3:])


class Runs(Same):
    """The summary of --runs."""

    def summarized(self, name, objective, options, words, constants=None):
        runs = op.learn_runs(op.Model.load(name, constants), objective, 5, **{**NEAR, **options})
        self.same(runs, "learn", name, "-f", objective, "--runs", "5", *ASKED, *words.split())
        return runs.summary

    def test_with_T(self):
        for options, words in (
            (dict(T=50, k=50, seed=7), "-T 50 --k 50 --seed 7"),
            (dict(T=306, k="l1", target=0.5), "-T 306 --k l1 --target 0.5"),
            (dict(T=306), "-T 306"),
            (dict(T=19, target=0.6), "-T 19 --target 0.6"),
            (dict(T="auto", kind="ldba"), "-T auto --kind ldba"),
            (dict(T=50, k=9, counts="product", sampler="step", stop="all-actions"),
             "-T 50 --k 9 --counts product --sampler step --stop all-actions"),
            (dict(T=30, k="paper", max_steps=1000), "-T 30 --k paper --max-steps 1000"),
            (dict(T="auto", k=50, max_steps=1e5), "-T auto --k 50 --max-steps 1e5"),
        ):  # fmt: skip
            with self.subTest(options):
                self.assertEqual(self.summarized(GRID, BOTH, options, words)["judged"], 5)

    def test_policies_that_are_not_optimal(self):
        summary = self.summarized(MODELS / "chain.prism", "G F won", dict(T=8, k=1), "-T 8 --k 1")
        self.assertGreater(summary["worst"], 0)

    def test_with_pmin(self):
        for options, words in ((dict(pmin=0.1), "--pmin 0.1"),
                               (dict(pmin="1/10", max_steps=200), "--pmin 1/10 --max-steps 200")):
            with self.subTest(options):
                self.assertEqual(self.summarized(GRID, BOTH, options, words)["containing"], 5)
        self.assertGreater(self.summarized(GRID, BOTH, dict(pmin=0.9), "--pmin 0.9")["refuted"], 0)

    def test_declared_sizes(self):
        for options, words in ((dict(pmin=0.1, states=7, actions=5, branching=4, kind="ldba"),
                                "--pmin 0.1 --states 7 --actions 5 --branching 4 --kind ldba"),
                               (dict(pmin=0.1, pmin_start=1), "--pmin 0.1 --pmin-start 1"),
                               (dict(T=20, k=3000, slack=0.9), "-T 20 --k 3000 --slack 0.9")):
            with self.subTest(options):
                self.summarized(GRID, BOTH, options, words)

    def test_with_the_graph(self):
        for options, words in ((dict(graph=True), "--graph model"),
                               (dict(pmin=0.1, graph=True, explore="generative"),
                                "--pmin 0.1 --graph model --explore generative")):
            with self.subTest(options):
                self.summarized(GRID, BOTH, options, words)

    def test_constants(self):
        self.summarized(COINS, "F both", dict(pmin=0.1), "--pmin 0.1 -D p=1/3", "p=1/3")

    def test_automata(self):
        """Python names the automaton, the command line its file. It is nondeterministic, so the truth is a bound."""
        path, guess = self.write("starts.prism", TWO_STARTS), self.write("guess.hoa", GUESS.replace("end", "won"))
        here = op.learn_runs(op.Model.load(path), op.Automaton.load(guess), 3, pmin=1, **NEAR).to_dict()
        there = command("learn", path, "-a", guess, "--pmin", "1", "--runs", "3", *ASKED)
        self.assertEqual(there["params"].pop("automata"), [str(guess)])
        self.assertEqual(here["params"].pop("automata"), ["automaton"])
        for member in ("params", "summary", "automaton"):
            self.assertEqual(json.dumps(here[member]), json.dumps(there[member]), member)


class Ended(Same):
    """The length of an interrupted run depends on timing; the members of its result do not."""

    ENDLESS = dict(T=1000, k=10**14, sampler="step")
    WORDS = ("-T", "1000", "--k", "1e14", "--sampler", "step")

    def alike(self, result, there):
        here = json.loads(result.to_json())
        for data, key in ((here, "call"), (there, "arguments")):
            data.pop(key, None)
        self.assertEqual(list(here), list(there))
        self.assertEqual(shape(here), shape(there))
        self.assertEqual(here["guarantee"]["statement"], there["guarantee"]["statement"])
        self.assertEqual(here.get("truth"), there.get("truth"))

    def stopped(self, name):
        """The command line, stopped by a signal while it samples."""
        if PROGRAM is None:
            self.skipTest("the program omegapac was not found")
        checkpoint = self.folder / "checkpoint"
        words = [PROGRAM, "learn", name, "-f", BOTH, *self.WORDS, *ASKED, "--json", "--checkpoint", checkpoint,
                 "--checkpoint-seconds", "0.01"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True,
                              env={key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}) as run:
            versions = set()  # the first checkpoint may be older than the first sample
            while run.poll() is None and len(versions) < 3:
                time.sleep(0.01)
                if checkpoint.exists() and checkpoint.stat().st_size > 0:
                    versions.add(checkpoint.stat().st_mtime_ns)
            run.send_signal(signal.SIGINT)
            out = run.communicate(timeout=60)[0]
        self.assertEqual(run.returncode, 128 + signal.SIGINT)
        return json.loads(out)

    def interrupted(self, env):
        sent = []

        def stop(report):
            if report.done and not report.finished and not sent:
                sent.append(signal.SIGINT)  # once: a second one could come when the run is over
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(op.Interrupted) as caught:
            op.learn(env, BOTH, **self.ENDLESS, **NEAR, progress=stop)
        return caught.exception.result

    def test_seconds(self):
        model = op.Model.load(GRID)
        result = op.learn(model, BOTH, **self.ENDLESS, **NEAR, max_seconds=0.3)
        self.assertEqual(result.truth, {"policy": None, "optimum": None, "note": "the time limit was reached"})
        there = command("learn", GRID, "-f", BOTH, *self.WORDS, *ASKED, "--max-seconds", "0.3")
        self.assertEqual(there["params"], result.to_dict()["params"])
        self.alike(result, there)

    def test_interrupted_on_a_model(self):
        result = self.interrupted(op.Model.load(GRID))
        self.assertEqual(result.truth, {"policy": None, "optimum": None, "note": "stopped"})
        self.alike(result, self.stopped(GRID))

    def test_interrupted_in_a_program(self):
        result = self.interrupted(GRIDWORLD)
        self.assertEqual(result.to_dict()["sample"], [])
        self.alike(result, self.stopped(GRIDWORLD))


if __name__ == "__main__":
    unittest.main()
