#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Overhead of a step of a Python environment, in addition to the environment itself.

Three loops over the same environment, whose step does next to nothing, and over the same number of
steps; CPU time, the least of several rounds each:

    own       a loop in Python that calls env.step
    learn     op.learn, which calls it
    learner   what of that is the learner's own: the same chain as a model, one step at a time

The overhead is learn - own - learner.

usage: PYTHONPATH=build/python bench/python_overhead.py [STEPS [ROUNDS]]
"""
import sys
import time

import omegapac as op

LENGTH = 50  # of an episode


class Ring:
    """States in a circle; nothing is random, so that the steps are cheap."""

    propositions = ["goal"]
    random_start = False

    def __init__(self, size):
        self.size = size

    def reset(self, seed):
        self.state = 0
        return 0

    def step(self, action):
        self.state = state = (self.state + action + 1) % self.size
        return state

    def labels(self, state):
        return ["goal"] if state == 0 else []

    def actions(self, state):
        return 2


class Pairs(Ring):
    """The same with tuples for states."""

    def reset(self, seed):
        self.state = 0
        return (0, 0)

    def step(self, action):
        self.state = state = (self.state + action + 1) % self.size
        return (state, 0)

    def labels(self, state):
        return ["goal"] if state == (0, 0) else []


class Named(Ring):
    """The same with names for actions."""

    def actions(self, state):
        return ["one", "two"]


def model(size):
    return op.Model.parse(
        f"mdp module ring x:[0..{size - 1}] init 0; [a] true -> (x'=mod(x+1,{size})); "
        f"[b] true -> (x'=mod(x+2,{size})); endmodule label \"goal\" = x=0;"
    )


def own(env, steps):
    step, done = env.step, 0
    before = time.process_time()
    for _ in range(steps // LENGTH):
        env.reset(1)
        for _ in range(LENGTH):
            step(1)
            done += 1
    return (time.process_time() - before) / done


def learned(env, steps, sampler="step"):
    before = time.process_time()
    result = op.learn(env, "G F goal", epsilon=0.1, delta=0.1, T=LENGTH, deterministic=True, k=10**12, sampler=sampler,
                      max_steps=steps, threads=1, truth=False)
    return (time.process_time() - before) / result.stats["steps"]


def main(steps=1000000, rounds=5):
    learner = min(learned(model(10), steps) for _ in range(rounds))
    for name, make in (("int", Ring), ("tuple", Pairs), ("named", Named)):
        alone = min(own(make(10), steps) for _ in range(rounds))
        whole = min(learned(make(10), steps) for _ in range(rounds))
        print(f"{name:6} own {alone * 1e9:6.0f} ns   learn {whole * 1e9:6.0f} ns   "
              f"learner {learner * 1e9:4.0f} ns   overhead {(whole - alone - learner) * 1e9:5.0f} ns a step, "
              f"with the learner {(whole - alone) * 1e9:5.0f}: {(whole - alone) / alone:.2f} x its own")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
