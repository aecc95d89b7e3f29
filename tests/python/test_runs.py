# SPDX-License-Identifier: MIT
"""Repeated learning runs, and computations that need no model."""
import json
import math
import signal
import tempfile
import threading
import unittest

import omegapac as op

from support import MODELS

PAPER = {"states": 12, "actions": 4, "T": 19, "epsilon": "1/20", "delta": "1/10"}


class Runs(unittest.TestCase):
    def setUp(self):
        self.model = op.Model.load(MODELS / "chain.prism")

    def runs(self, count, **options):
        return op.learn_runs(self.model, "G F won", count, **{"epsilon": 1 / 60, "delta": 0.1, **options})

    def test_each_is_a_run_of_learn(self):
        options = {"T": 8, "k": 5, "trace": True}
        runs = self.runs(6, seed=11, threads=2, **options)
        for i, run in enumerate(runs):
            one = op.learn(self.model, "G F won", epsilon=1 / 60, delta=0.1, T=8, k=5, seed=11 + i, threads=1)
            self.assertEqual(run.seed, 11 + i)
            self.assertEqual((run.steps, run.samples, run.episodes, run.known), tuple(
                one.stats[name] for name in ("steps", "samples", "episodes", "known")))
            self.assertEqual((run.value, run.truth, run.error, run.k), (one.value, one.truth["policy"], one.error, 5))
            self.assertEqual(run.trace, one.trace)
            self.assertEqual(run.policy.to_json(), one.policy.to_json())
            self.assertTrue(run.finished)
            self.assertEqual(run.pairs, 16)
            self.assertGreaterEqual(run.seconds, run.sampling_seconds)

    def test_sequence_and_result(self):
        runs = self.runs(4, T=8, k=3, seed=5)
        self.assertIsInstance(runs, op.Result)
        self.assertEqual((len(runs), [run.seed for run in runs]), (4, [5, 6, 7, 8]))
        self.assertEqual((runs[-1], runs[1:3]), (list(runs)[3], (runs[1], runs[2])))
        with self.assertRaises(IndexError):
            runs[4]
        with self.assertRaises(AttributeError):
            runs.summary = {}
        self.assertEqual(runs.to_dict()["summary"], runs.summary)
        self.assertEqual(runs.summary["runs"], 4)
        self.assertEqual(runs.summary["value"]["max"], max(run.value for run in runs))
        self.assertEqual(runs.summary["steps"][0], min(run.steps for run in runs))
        self.assertEqual(repr(runs), f"<Runs: 4 in total, {runs.summary['holds']} with a guarantee>")

    def test_kept(self):
        runs = self.runs(3, T=8, k=3)
        with tempfile.TemporaryDirectory() as folder:
            runs.save(folder + "/runs.json")
            with open(folder + "/runs.json", encoding="utf-8") as file:
                saved = json.load(file)
        self.assertEqual(saved, runs.to_dict())
        self.assertEqual(saved["call"], f"omegapac.learn_runs(omegapac.Model.load({self.model.name!r}), 'G F won', 3, "
                         f"epsilon={1 / 60!r}, delta=0.1, T=8, k=3)")
        again = eval(saved["call"], {"omegapac": op})
        self.assertEqual(again.to_dict(), saved)
        for page in (runs.report(), op.report([runs, again])):
            self.assertIn(" in total, ", page)
        self.assertIn("G F won", runs._repr_html_())

    def test_threads_change_nothing(self):
        def numbers(run):
            return run._replace(policy=run.policy.to_json(), seconds=0, sampling_seconds=0)

        one, two = ([numbers(run) for run in self.runs(20, T=8, k=3, threads=threads)] for threads in (1, 3))
        self.assertEqual(one, two)

    def test_brackets(self):
        run = self.runs(1, pmin="1/64", epsilon=0.1)[0]
        self.assertTrue(run.holds)
        self.assertEqual((run.k, run.T_refuted, run.trace), (0, None, ()))
        self.assertAlmostEqual(run.error, run.optimum_upper - run.lower)
        self.assertLess(self.runs(1, graph=True, epsilon=0.1)[0].steps, run.steps)

    def test_times_that_are_refuted(self):
        model = op.Model.load(MODELS / "gridworld.prism")
        run = op.learn_runs(model, "G F s & G F g", 1, epsilon=0.05, delta=0.1, T=19, k="l1")[0]
        self.assertEqual((run.T_refuted, run.holds), (True, False))
        self.assertGreater(run.T_found, 19)

    def test_without_truth(self):
        run = self.runs(1, T=8, k=3, truth=False, trace=True)[0]
        self.assertIsNone(run.truth)
        self.assertEqual({entry.truth for entry in run.trace}, {None})
        self.assertNotIn("optimum", self.runs(1, T=8, k=3, truth=False).summary)

    def test_refused(self):
        for error, options in ((op.InputError, {}), (TypeError, {"T": 8, "pmin": 0.1}), (ValueError, {"T": 8, "k": 5, "sampler": "none"}),
                               (op.InputError, {"T": 8, "k": 5, "epsilon": 2}), (op.InputError, {"T": 8, "k": 5, "seed": 2**64 - 1})):
            with self.assertRaises(error, msg=options):
                self.runs(2, **options)
        with self.assertRaises(op.InputError):
            self.runs(0, T=8, k=5)
        with self.assertRaises(TypeError):
            op.learn_runs("chain", "G F won", 1, epsilon=0.1, delta=0.1, T=8, k=5)
        with self.assertRaises(op.InputError):
            op.learn_runs(self.model, "G F", 1, epsilon=0.1, delta=0.1, T=8, k=5)

    def test_interrupt(self):
        timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.runs(10**6, T=8, k=3)
        timer.join()


class Numbers(unittest.TestCase):
    def test_sample_sizes_are_those_of_bound(self):
        for rule in ("paper", "sound", "l1"):
            for branching in (None, 3):
                k = op.sample_size(rule, **PAPER, branching=branching)
                self.assertEqual(k, op.bound(**PAPER, branching=branching, k=rule).k)
        self.assertEqual(op.sample_size("paper", **PAPER), 71394132)
        self.assertEqual(op.sample_size(**PAPER, branching=3, accuracy=0.1), 143779)
        large = op.sample_size("paper", **{**PAPER, "T": 2995732273654})
        self.assertIsInstance(large, float)
        self.assertAlmostEqual(large / 71394132 / (2995732273654 / 19) ** 2, 1, delta=1e-7)
        with self.assertRaises(ValueError):
            op.sample_size("paper", **PAPER, accuracy=0.1)
        with self.assertRaises(op.InputError):
            op.sample_size("none", **PAPER)
        with self.assertRaises(op.InputError):
            op.sample_size(**{**PAPER, "epsilon": 0})

    def test_bad_steps(self):
        """T (A + L + sqrt(L² + 2 A L)) / (distance - 2ε - 3c), where A = k N K and L = ln(1 / δ)."""
        chain = {"states": 8, "actions": 2, "T": 8, "epsilon": 1 / 60, "delta": 0.1, "k": 42528678}
        found = op.bad_steps(**chain, distance=9 / 60)
        self.assertEqual(found, 50320335984)
        a, l, c = 42528678 * 16, math.log(10), op.bound(**chain).c
        self.assertAlmostEqual(found / (8 * (a + l + math.sqrt(l * l + 2 * a * l)) / (7 / 60 - 3 * c)), 1, delta=1e-6)
        with self.assertRaises(op.InputError):
            op.bad_steps(**{**chain, "k": 10}, distance=9 / 60)

    def test_binomial(self):
        for n, p in ((1, 0.5), (9, 0.25), (30, 0.9)):
            distribution = [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
            for i in range(n + 1):
                self.assertAlmostEqual(math.exp(op.binomial_log_probability(n, p, i)) / distribution[i], 1, delta=1e-10)
                self.assertAlmostEqual(op.binomial_at_most(n, p, i) / sum(distribution[: i + 1]), 1, delta=1e-10)
                self.assertAlmostEqual(op.binomial_above(n, p, i), sum(distribution[i + 1 :]), delta=1e-13)
        self.assertEqual(op.binomial_log_probability(3, 0.5, 4), -math.inf)
        for wrong in ((3, 1.5, 1), (3, -0.5, 1), (2**60, 0.5, 1)):
            with self.assertRaises(ValueError):
                op.binomial_above(*wrong)

    def test_intervals(self):
        lower, upper = op.clopper_pearson(18, 20, "1/20")
        self.assertAlmostEqual(op.binomial_above(20, lower, 17), 0.025)
        self.assertAlmostEqual(op.binomial_at_most(20, upper, 18), 0.025)
        for wrong in ((3, 2, 0.1), (0, 0, 0.1), (1, 2, 0), (1, 2, 1)):
            with self.assertRaises(ValueError):
                op.clopper_pearson(*wrong)

    def test_rates(self):
        for walks, threads in ((1, 1), (8, 1), (8, 2)):
            self.assertGreater(op.walk_rate(states=12, successors=3, walks=walks, threads=threads, steps=8000), 0)
        self.assertGreater(op.draw_rate(1000), 0)
        for wrong in ({"states": 0}, {"successors": 65}, {"walks": 3}):
            with self.assertRaises(op.InputError):
                op.walk_rate(**{"states": 12, "successors": 3, "steps": 8, **wrong})


if __name__ == "__main__":
    unittest.main()
