# SPDX-License-Identifier: MIT
"""pmin as a function of state and action, for each kind of environment."""
import os
import signal
import sys
import threading
import unittest

import omegapac as op

from gridworlds import DrawingWalk, Gridworld, Walk
from support import GRIDWORLD, MODELS, Scratch

WALK = dict(epsilon=0.1, delta=0.1)


def least(state, action):
    """The least probability in a Walk."""
    return (0.5, 0.25)[action]


def numbers(result):
    names = ("episodes", "steps", "known", "policies", "samples", "states_seen")
    return result.value, result.lower, result.upper, {name: result.stats[name] for name in names}


class Functions(Scratch):
    def test_a_constant_function_is_the_constant(self):
        for env, objective in ((Walk(), "F goal"), (Gridworld(), "G F s & G F g"), (GRIDWORLD, "G F s & G F g"),
                               (op.Model.load(MODELS / "gridworld.prism"), "G F s & G F g")):
            constant = op.learn(env, objective, pmin=0.2, **WALK)
            function = op.learn(env, objective, pmin=lambda state, action: "1/5", **WALK)
            self.assertEqual(numbers(constant), numbers(function))
            self.assertEqual(constant.trace, function.trace)
            self.assertEqual(function.assumptions[0],
                             "p_min is given by a function of state and action, at least 0.2 over the pairs seen: every "
                             "positive probability of a transition is at least that of its pair")

    def test_arguments_are_those_of_the_environment(self):
        class Named(Walk):
            """Its states are tuples."""

            def reset(self, seed):
                return "at", super().reset(seed)

            def step(self, action):
                return "at", super().step(action)

            def labels(self, state):
                return super().labels(state[1])

        asked = []

        def function(state, action):
            asked.append((state, action))
            return least(state, action)

        result = op.learn(Named(), "F goal", pmin=function, **WALK)
        self.assertTrue(result.holds)
        self.assertEqual({pair for pair in asked}, {(("at", i), a) for i in range(4) for a in (0, 1)})
        self.assertTrue(all(type(action) is int for _, action in asked))
        self.assertEqual(result.stats["pmin_least"], 0.25)
        data = result.to_dict()
        self.assertEqual((data["params"]["pmin"], data["params"]["pmin_function"]), (None, True))
        self.assertIn("pmin=function", data["call"])

    def test_kinds_of_states(self):
        for env, kind in ((op.Model.load(MODELS / "gridworld.prism"), int), (GRIDWORLD, str)):
            asked = []
            op.learn(env, "G F s & G F g", pmin=lambda state, action: asked.append(state) or 0.2, **WALK)
            self.assertEqual({type(state) for state in asked}, {kind})
            self.assertEqual(len(set(asked)), 6)

    def test_generative(self):
        result = op.learn(DrawingWalk(), "F goal", pmin=least, explore="generative", **WALK)
        self.assertTrue(result.holds)

    def test_certificate(self):
        path = self.folder / "walk.cert"
        op.learn(Walk(), "F goal", pmin=least, **WALK).write_certificate(path)
        found = op.verify(path)
        self.assertTrue(found.holds)
        self.assertIn("at least 0.25", found.assumptions[0])
        text = path.read_text()
        self.assertIn('"pmin": "rows"', text)
        self.assertIn('"pmin": 0.5}', text)

    def test_a_false_function(self):
        result = op.learn(Walk(), "F goal", pmin=lambda state, action: 0.7, **WALK)
        self.assertFalse(result.holds)
        self.assertEqual(result.end, "refuted")
        self.assertIn("more than probabilities of at least 0.7 allow", result.statement)

    def test_wrong_values(self):
        for value, kind in ((0, ValueError), (-1, ValueError), (1.5, ValueError), (float("nan"), ValueError),
                            (None, TypeError), ([1], TypeError), ("much", ValueError)):
            with self.assertRaisesRegex(kind, "^pmin returned .* for action 1 of state 0; it must return a number "
                                              "above 0 and at most 1$"):
                op.learn(Walk(), "F goal", pmin=lambda state, action: value if action else 0.5, **WALK)

    def test_exceptions(self):
        def function(state, action):
            if state == 2:
                raise LookupError("no bound for 2")
            return least(state, action)

        with self.assertRaisesRegex(LookupError, "no bound for 2"):
            op.learn(Walk(), "F goal", pmin=function, **WALK)
        with self.assertRaises(TypeError):
            op.learn(Walk(), "F goal", pmin=lambda state: 1, **WALK)

    def test_it_excludes_t(self):
        with self.assertRaisesRegex(TypeError, "T excludes pmin"):
            op.learn(Walk(), "F goal", pmin=least, T=10, **WALK)

    def test_resuming(self):
        path, options = self.folder / "run.ckpt", dict(epsilon=0.05, delta=0.1)
        whole = op.learn(Walk(), "F goal & X X X X goal", pmin=least, **options)
        op.learn(Walk(), "F goal & X X X X goal", pmin=least, checkpoint=path, max_steps=whole.stats["steps"] // 2,
                 **options)
        with self.assertRaisesRegex(ValueError, "the function for pmin gave 0.25 for .*, and gives 0.2 now"):
            op.learn(Walk(), "F goal & X X X X goal", pmin=lambda state, action: (0.5, 0.2)[action], checkpoint=path,
                     resume=True, **options)
        again = op.learn(Walk(), "F goal & X X X X goal", pmin=least, checkpoint=path, resume=True, **options)
        self.assertEqual(numbers(whole), numbers(again))

    def test_runs(self):
        model = op.Model.load(MODELS / "gridworld.prism")
        threads = set()

        def function(state, action):
            threads.add(threading.get_ident())
            return 0.2

        constant = op.learn_runs(model, "G F s & G F g", 5, pmin=0.2, threads=3, **WALK)
        runs = op.learn_runs(model, "G F s & G F g", 5, pmin=function, threads=3, **WALK)
        self.assertEqual([(run.lower, run.upper, run.steps) for run in constant],
                         [(run.lower, run.upper, run.steps) for run in runs])
        self.assertGreaterEqual(len(threads), 1)

        def failing(state, action):
            raise LookupError("no bound")

        with self.assertRaisesRegex(LookupError, "no bound"):
            op.learn_runs(model, "G F s & G F g", 5, pmin=failing, threads=3, **WALK)

    def test_interruption(self):
        """After Ctrl-C within the function the run has a result."""
        asked = []

        def function(state, action):
            asked.append(state)
            if len(asked) == 5:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000):  # here Python handles the signal
                    pass
            return least(state, action)

        with self.assertRaises(op.Interrupted) as caught:
            op.learn(Walk(), "G F goal", pmin=function, epsilon=1e-5, delta=0.1)
        self.assertFalse(caught.exception.result.holds)

    def test_references(self):
        def function(state, action):
            return least(state, action)

        before = sys.getrefcount(function)
        result = op.learn(Walk(), "F goal", pmin=function, **WALK)
        self.assertEqual(sys.getrefcount(function), before)
        self.assertTrue(result.holds)


if __name__ == "__main__":
    unittest.main()
