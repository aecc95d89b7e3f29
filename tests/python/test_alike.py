# SPDX-License-Identifier: MIT
"""Rows alike: environments that tell classes and outcomes of steps."""
import pathlib
import random
import tempfile
import unittest

import omegapac as op
import omegapac.gym

OUTCOMES = ("on", "stay", "back")


class Line:
    """States 0 to 5; left and right succeed with 3/4, and stay or go back with 1/8 each."""

    propositions = ["goal"]
    random_start = False

    def reset(self, seed):
        self.random, self.at = random.Random(seed), 1
        return self.at

    def step(self, action):
        move = 1 if action == 1 else -1
        self.last = (("left", "right")[action], self.random.choices(OUTCOMES, [6, 1, 1])[0])
        self.at += {"on": move, "stay": 0, "back": -move}[self.last[1]]
        return self.at

    def outcome(self):
        return self.last

    def labels(self, state):
        return ["goal"] if state == 5 else []

    def actions(self, state):
        return 0 if state in (0, 5) else ["left", "right"]


class Lanes(Line):
    """Three lines side by side."""

    lanes = 3

    def __init__(self):
        self.each = [Line() for _ in range(self.lanes)]

    def step_many(self, requests):
        return [line.reset(number) if kind == "reset" else line.step(number)
                for line, (kind, number) in zip(self.each, requests)]

    def outcomes(self):
        return [getattr(line, "last", None) for line in self.each]


class Gym:
    """The line as a Gymnasium environment."""

    class space:
        n = 6

    observation_space = None

    class action_space:
        n = 2
        start = 0

        @staticmethod
        def contains(action):
            return action in (0, 1)

    def __init__(self):
        self.line = Line()

    def reset(self, *, seed=None, options=None):
        return self.line.reset(seed), {}

    def step(self, action):
        at = self.line.step(action)
        return at, 0, at in (0, 5), False, {"outcome": self.line.last[1]}


def gym_outcome(obs, action, next_obs, reward, info):
    return ("left", "right")[action], info["outcome"]


PROGRAM = """mdp
module line
  x : [0..5] init 1;
  [left]  x>0 & x<5 -> 3/4 : (x'=x-1) + 1/8 : true + 1/8 : (x'=x+1);
  [right] x>0 & x<5 -> 3/4 : (x'=x+1) + 1/8 : true + 1/8 : (x'=x-1);
  [end] x=0 | x=5 -> true;
endmodule
label "goal" = x=5;
"""

OPTIONS = dict(epsilon=0.02, delta=0.1, pmin=0.125)
OPTIMUM = 1 / sum(6.0**-i for i in range(5))


class Alike(unittest.TestCase):
    def check(self, env, **more):
        result = op.learn(env, "F goal", alike=True, **OPTIONS, **more)
        self.assertTrue(result.holds)
        self.assertLessEqual(result.lower, OPTIMUM)
        self.assertGreaterEqual(result.to_dict()["result"]["optimum_upper"], OPTIMUM)
        return result.to_dict()["stats"]["steps"]

    def test_environments(self):
        alone = op.learn(Line(), "F goal", **OPTIONS).to_dict()["stats"]["steps"]
        self.assertLess(self.check(Line()), alone)
        self.assertLess(self.check(Lanes()), alone)
        self.assertLess(self.check(op.Model.parse(PROGRAM, commands=True)), alone)
        wrapped = omegapac.gym.wrap(Gym(), {"goal": [5]}, actions={"left": 0, "right": 1}, start="fixed",
                                    outcome=gym_outcome)
        self.assertLess(self.check(wrapped, pmin_outcome=0.125), alone)

    def test_pmin_by_row(self):
        options = {**OPTIONS, "pmin": lambda state, action: 0.125}
        model = op.Model.parse(PROGRAM, commands=True)
        for env in (Line(), model):
            result = op.learn(env, "F goal", alike=True, **options)
            self.assertTrue(result.holds)
            self.assertLessEqual(result.lower, OPTIMUM)
            self.assertGreaterEqual(result.to_dict()["result"]["optimum_upper"], OPTIMUM)

    def test_wrong_outcomes(self):
        class Wrong(Line):
            def outcome(self):
                return "left and right"

        with self.assertRaisesRegex(TypeError, "pair"):
            op.learn(Wrong(), "F goal", alike=True, **OPTIONS)

        class Without(Lanes):
            outcomes = None

        with self.assertRaisesRegex(TypeError, "outcomes"):
            op.learn(Without(), "F goal", alike=True, **OPTIONS)

    def test_refuted(self):
        class Unlike(Line):
            def step(self, action):
                if self.at != 3:
                    return super().step(action)
                self.last = (("left", "right")[action], self.random.choices(OUTCOMES, [1, 1, 1])[0])
                self.at += {"on": 1, "stay": 0, "back": -1}[self.last[1]] * (1 if action else -1)
                return self.at

        result = op.learn(Unlike(), "F goal", alike=True, epsilon=0.001, delta=0.1, pmin=0.125)
        self.assertFalse(result.holds)
        self.assertIn("not alike", result.statement)

    def test_arguments(self):
        with self.assertRaises(TypeError):
            op.learn(Line(), "F goal", alike=True, T=5, epsilon=0.1, delta=0.1)
        with self.assertRaises(TypeError):
            op.learn(Line(), "F goal", pmin_outcome=0.1, **OPTIONS)
        with self.assertRaises(ValueError):
            op.learn(op.Model.parse(PROGRAM), "F goal", alike=True, **OPTIONS)


# From 0, many outcomes join in 3; the row of 6 is wider, so that no row is complete by its number of successors.
JOINED = """mdp
module m
  s : [0..6] init 0;
  [a] s=0 -> .2:(s'=1) + .2:(s'=2) + .1:(s'=3) + .1:(s'=3) + .1:(s'=3) + .1:(s'=3) + .1:(s'=3) + .1:(s'=3);
  [f] s=0 -> (s'=6);
  [b] s=1 -> .95:(s'=4) + .05:(s'=5);
  [c] s=2 -> .95:(s'=4) + .05:(s'=5);
  [d] s=3 -> (s'=5);
  [e] s=6 -> .6:(s'=5) + .1:(s'=1) + .1:(s'=2) + .1:(s'=3) + .1:(s'=4);
endmodule
label "goal" = s=4;
"""


class Joined(unittest.TestCase):
    """The checker reads rows as the learner did: open ones may have a rest for which they could be complete."""

    def test_certificates(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "joined.prism")
            path.write_text(JOINED)
            model = op.Model.load(str(path), commands=True)
        for seed in range(1, 9):
            for options in ({"epsilon": 0.45}, {"epsilon": 0.01, "max_steps": 1200}):
                result = op.learn(model, "F goal", pmin=0.05, alike=True, delta=0.1, seed=seed, **options)
                self.assertLessEqual(result.lower, 0.38)
                self.assertGreaterEqual(result.upper, 0.38)


if __name__ == "__main__":
    unittest.main()
