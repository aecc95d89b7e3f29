# SPDX-License-Identifier: MIT
"""Environments for several tests."""
import collections
import importlib.util
import math
import pathlib
import random

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def load(path):
    """Loads a file of the examples as a module."""
    spec = importlib.util.spec_from_file_location(path.stem + "_example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Gridworld = load(PROJECT / "examples" / "python" / "gridworld.py").Gridworld


class Walk:
    """Four states in a row; "walk" moves forward with probability 1/2, "hurry" with 3/4, otherwise backward."""

    propositions = ["goal"]
    random_start = False

    def reset(self, seed):
        self.random = seed
        self.at = 0
        return self.at

    def step(self, action):
        self.random = (self.random * 6364136223846793005 + 1442695040888963407) % 2**64
        forward = (self.random >> 33) % 4 < (2, 3)[action % 2]
        self.at = min(3, self.at + 1) if forward else max(0, self.at - 1)
        return self.at

    def labels(self, state):
        return ["goal"] if state == 3 else []

    def actions(self, state):
        return ["walk", "hurry"]


class DrawingWalk(Walk):
    """A Walk with the method draw: the counts are binomial, by a normal approximation."""

    def draw(self, state, action, n, seed):
        if action is None:
            return {0: n}
        share = (0.5, 0.75)[action % 2]
        drawn = round(random.Random(seed).gauss(n * share, math.sqrt(n * share * (1 - share))))
        forward = min(n, max(0, drawn))
        found = collections.Counter({min(3, state + 1): forward})
        found[max(0, state - 1)] += n - forward
        return {successor: count for successor, count in found.items() if count > 0}
