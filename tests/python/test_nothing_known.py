# SPDX-License-Identifier: MIT
"""Lower bounds without any knowledge: op.learn without T, pmin and graph."""
import random
import unittest

import omegapac as op


class Walk:
    """Goes up by one with probability 0.7, otherwise down; wins at 3, loses at 0."""

    propositions = ["won"]

    def reset(self, seed):
        self.random, self.at = random.Random(seed), 1
        return self.at

    def step(self, action):
        self.at += 1 if self.random.random() < 0.7 else -1
        return self.at

    def labels(self, state):
        return ["won"] if state == 3 else []

    def actions(self, state):
        return 0 if state in (0, 3) else 1


class NothingKnown(unittest.TestCase):
    def test_lower_bound(self):
        result = op.learn(Walk(), "F won", epsilon=0.05, delta=0.1)
        wins = sum(self.play(seed) for seed in range(20000)) / 20000
        self.assertTrue(result.holds)
        self.assertGreater(result.lower, 0.5)
        self.assertLess(result.lower, wins + 0.02)
        self.assertEqual(result.upper, 1)
        self.assertIn("nothing is known about other policies", result.statement)
        self.assertIn("episodes with the same policy are independent", result.assumptions[0])
        self.assertIn("without actions", result.assumptions[1])
        self.assertGreaterEqual(result.stats["trial"]["episodes"], result.stats["trial"]["wins"])
        self.assertTrue(result.to_dict()["params"]["nothing_known"])

    @staticmethod
    def play(seed):
        walk = Walk()
        state = walk.reset(seed)
        while walk.actions(state):
            state = walk.step(0)
        return state == 3

    def test_question(self):
        result = op.learn(Walk(), "F won", delta=0.1, at_least=0.5)
        self.assertEqual(result.answer, "yes")
        self.assertGreaterEqual(result.lower, 0.5)
        result = op.learn(Walk(), "F won", delta=0.1, at_least=0.99, max_steps=20000)
        self.assertEqual(result.answer, "undecided")
        self.assertFalse(result.holds)

    def test_hidden_state(self):
        """What is not in the state may decide: only whole episodes count."""

        class Hidden(Walk):
            def reset(self, seed):
                self.random = random.Random(seed)
                self.lucky, self.at = self.random.random() < 0.6, 0
                return self.at

            def step(self, action):
                self.at += 1
                if self.at > 30:
                    return "won" if self.lucky else "lost"
                return (self.at, self.random.random() < (0.9 if self.lucky else 0.1))

            def labels(self, state):
                return ["won"] if state == "won" else []

            def actions(self, state):
                return 0 if state in ("won", "lost") else 1

        result = op.learn(Hidden(), "F won", epsilon=0.05, delta=0.1)
        self.assertTrue(result.holds)
        self.assertTrue(0.4 < result.lower < 0.6, result.lower)
        with self.assertRaisesRegex(op.SimulatorError, "not independent"):
            op.learn(Hidden(), "F won", epsilon=0.05, delta=0.1, T=40, max_steps=200000)

    def test_no_steps(self):
        result = op.learn(Walk(), "true", at_least=0.999, delta=0.1, max_steps=100000)
        self.assertIn(result.answer, ("yes", "undecided"))
        with self.assertRaisesRegex(op.InputError, "at_least must be below 1 if nothing is known"):
            op.learn(Walk(), "F won", at_least=1, delta=0.1)

    def test_objectives_that_need_knowledge(self):
        with self.assertRaisesRegex(op.InputError, "knowledge of the system is needed: give T=, pmin= or graph="):
            op.learn(Walk(), "G !won", epsilon=0.05, delta=0.1)

    def test_options_that_need_knowledge(self):
        for options in (dict(k="l1"), dict(target=0.3), dict(pmin_start=0.1), dict(explore="generative")):
            with self.assertRaises(TypeError, msg=options):
                op.learn(Walk(), "F won", epsilon=0.05, delta=0.1, **options)
        for name in ("states", "actions", "branching"):
            with self.assertRaisesRegex(TypeError, f"{name} goes with T, pmin or graph"):
                op.learn(Walk(), "F won", epsilon=0.05, delta=0.1, **{name: 2})

    def test_truth_values_are_not_numbers(self):
        for name in ("T", "at_least"):
            with self.assertRaisesRegex(TypeError, f"{name} must be a number, not True"):
                op.learn(Walk(), "F won", epsilon=0.05, delta=0.1, **{name: True})
        with self.assertRaisesRegex(TypeError, "T must be a number, not True"):
            op.estimate(Walk(), "F won", epsilon=0.05, delta=0.1, T=True)


if __name__ == "__main__":
    unittest.main()
