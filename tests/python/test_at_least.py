# SPDX-License-Identifier: MIT
"""The question of at_least: answers, exact probabilities, several runs, and what is refused."""
import json
import math
import os
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction

import omegapac as op

from gridworlds import Gridworld
from support import MODELS

# The optimum is 0.8.
VILLAGE = "G F village"
LEAST = dict(pmin=0.1, delta=0.1)
BOUND = dict(T=72, epsilon=0.05, delta=0.1)


class Answers(unittest.TestCase):
    def setUp(self):
        self.model = op.Model.load(MODELS / "delivery.prism")

    def learn(self, **options):
        return op.learn(self.model, VILLAGE, threads=1, **options)

    def check(self, result, answer):
        data = result.to_dict()
        self.assertEqual((result.answer, data["result"]["answer"]), (answer, answer))
        self.assertEqual(result.holds, answer in ("yes", "no"))
        self.assertEqual(result.end, "done")
        self.assertTrue(repr(result).endswith(f"at least {result.to_dict()['params']['at_least']:.6g}: {answer}>"))
        self.assertIn(answer, result._repr_html_())

    def test_answers(self):
        for known in LEAST, BOUND:
            self.check(self.learn(at_least=0.6, **known), "yes")
            self.check(self.learn(at_least=0.95, **known), "no")
        self.check(self.learn(at_least=0.8, **BOUND), "undecided")
        self.check(self.learn(at_least=0.8, epsilon=0.1, **LEAST), "undecided")

    def test_nothing_asked(self):
        result = self.learn(epsilon=0.1, **LEAST)
        self.assertIsNone(result.answer)
        self.assertIsNone(result.to_dict()["result"]["answer"])
        self.assertNotIn("at_least", result.to_dict()["params"])
        self.assertNotIn("at least", repr(result))

    def test_bounds_decide(self):
        result = self.learn(at_least=0.7, **LEAST)
        self.assertGreaterEqual(result.lower, 0.7)
        self.assertIn("at least the required 0.7", result.statement)
        result = self.learn(at_least=0.9, **LEAST)
        self.assertLess(result.upper, 0.9)
        self.assertIn("no policy satisfies the objective with probability 0.9 or more", result.statement)
        self.assertIsNone(result.to_dict()["params"]["epsilon"])

    def test_limit(self):
        result = self.learn(at_least=0.8, max_steps=100, **LEAST)
        self.assertEqual((result.answer, result.holds, result.end), ("undecided", False, "max-steps"))
        self.assertIn("is undecided: the limit on steps ended the run", result.statement)

    def test_resumed(self):
        whole = self.learn(at_least=0.75, **LEAST)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ckpt")
            self.learn(at_least=0.75, checkpoint=path, max_steps=200, **LEAST)
            with self.assertRaisesRegex(op.InputError, "at-least is 0.75 there, and 0.7 here"):
                self.learn(at_least=0.7, checkpoint=path, resume=True, **LEAST)
            again = self.learn(at_least=0.75, checkpoint=path, resume=True, **LEAST)
        self.assertEqual((again.answer, again.lower, again.upper), (whole.answer, whole.lower, whole.upper))

    def test_python_environment(self):
        result = op.learn(Gridworld(), "G F s & G F g", pmin=0.2, delta=0.1, at_least=1)
        self.assertEqual((result.answer, result.lower), ("yes", 1))

    def test_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.cert")
            for known in LEAST, BOUND:
                result = self.learn(at_least=0.6, **known)
                result.write_certificate(path)
                self.assertGreaterEqual(op.verify(path).lower, 0.6)


class Exact(unittest.TestCase):
    """Questions that are no floats, in a model whose optimum is 1."""

    @staticmethod
    def coin():
        return op.Model.build([[{1: 1}], [{1: 1}], [{2: 1}]], labels={"won": [1]}, initial=[0])

    def ask(self, at_least):
        return op.learn(self.coin(), "F won", pmin=1, delta=0.1, at_least=at_least, threads=1).answer

    def test_forms(self):
        for one in 1, 1.0, "1", Fraction(1), Decimal(1), Fraction(1, 3), Decimal("0.6"), "1/3", 0.5:
            self.assertEqual(self.ask(one), "yes", one)

    def test_call(self):
        result = op.learn(self.coin(), "F won", pmin=1, delta=0.1, at_least=Fraction(1, 3))
        self.assertIn("at_least='1/3'", result.to_dict()["call"])
        self.assertEqual(result.to_dict()["params"]["at_least"], 1 / 3)

    def test_above_one(self):
        for more in Fraction(10**30 + 1, 10**30), "1.0000000000000000000000001", 1.5, "3/2":
            with self.assertRaisesRegex(op.InputError, "at_least must lie in"):
                self.ask(more)

    def test_refused(self):
        for wrong, error in ((0, ValueError), ("0", op.InputError), (-0.5, op.InputError), (math.nan, op.InputError),
                             ("half", ValueError), ([], TypeError)):
            with self.assertRaises(error, msg=wrong):
                self.ask(wrong)


class Refused(unittest.TestCase):
    def setUp(self):
        self.model = op.Model.load(MODELS / "gridworld.prism")

    def refused(self, error, message, **options):
        for learn in (lambda: op.learn(self.model, "G F s", **options),
                      lambda: op.learn_runs(self.model, "G F s", 2, **options)):
            with self.assertRaisesRegex(error, message):
                learn()

    def test_learners(self):
        known = dict(epsilon=0.05, delta=0.1, at_least=0.5)
        self.refused(op.InputError, "at_least needs a bracket", T=306, k="l1", **known)
        self.refused(op.InputError, "at_least needs a T that is given", T="auto", **known)

    def test_epsilon(self):
        self.refused(TypeError, "learn needs epsilon", T=306, delta=0.1, at_least=0.5)
        self.refused(TypeError, "learn needs epsilon", pmin=0.2, delta=0.1)


class Several(unittest.TestCase):
    def test_runs(self):
        model = op.Model.load(MODELS / "delivery.prism")
        runs = op.learn_runs(model, VILLAGE, 6, at_least=0.75, max_steps=1000, threads=2, **LEAST)
        for i, run in enumerate(runs):
            one = op.learn(model, VILLAGE, at_least=0.75, max_steps=1000, seed=1 + i, threads=1, **LEAST)
            self.assertEqual((run.answer, run.holds, run.lower), (one.answer, one.holds, one.lower))
        counts = {answer: sum(run.answer == answer for run in runs) for answer in ("yes", "no", "undecided")}
        self.assertEqual({answer: runs.summary[answer] for answer in counts}, counts)
        self.assertGreater(counts["yes"], 0)
        self.assertGreater(counts["undecided"], 0)
        self.assertEqual(repr(runs), f"<Runs: 6 in total, {counts['yes']} with a guarantee; {counts['yes']} yes, 0 no, "
                                     f"{counts['undecided']} undecided>")
        self.assertEqual(json.loads(runs.to_json())["summary"]["yes"], counts["yes"])

    def test_nothing_asked(self):
        model = op.Model.load(MODELS / "delivery.prism")
        runs = op.learn_runs(model, VILLAGE, 2, epsilon=0.1, **LEAST)
        self.assertNotIn("yes", runs.summary)
        self.assertEqual([run.answer for run in runs], [None, None])


if __name__ == "__main__":
    unittest.main()
