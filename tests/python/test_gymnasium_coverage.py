# SPDX-License-Identifier: MIT
"""Coverage of learned brackets: comparison with exact values from Gymnasium's tables.

Each run claims, with confidence 1 - delta, that the policy's probability is between `lower` and `upper`, and
that no policy's probability exceeds `optimum_upper`. The tests count the runs that violate this claim, and the runs
that are refuted by their own samples (the same event, of probability delta). A test fails if the count is too large
for delta; its false-alarm rate is one in a million. OMEGAPAC_ROUNDS=15 makes 600 runs instead of 40.
"""
import math
import os
import random
import unittest

from support import full
from test_gymnasium import LAKE, MOVES, TAXI, TOYS, gymnasium, needs_gymnasium, policy_probability

import omegapac as op
import omegapac.gym

ROUNDS = int(os.environ.get("OMEGAPAC_ROUNDS", "1"))
FALSE_ALARM = 1e-6
SAFE = "(F goal) & (G !hole)"
OBJECTIVES = ["F a", "!b U a", "(G F a) & (G !b)", "(G F a) | (F G b)", "(G F a) & (G F b)", "(F G !a) | (G F b)"]


class Tiny(gymnasium.Env if gymnasium else object):
    """A random environment with a table: few states, some of which terminate an episode, and several starts."""

    def __init__(self, seed, starts=1):
        chance = random.Random(f"tiny {seed}")
        count = chance.randint(2, 5)
        self.observation_space = gymnasium.spaces.Discrete(count + 1)
        self.action_space = gymnasium.spaces.Discrete(chance.randint(1, 3))
        self.P = {place: {action: self._draw(chance, count) for action in range(int(self.action_space.n))}
                  for place in range(count)}
        self.starts = chance.sample(range(count), min(starts, count))
        self.initial_state_distrib = [(place in self.starts) / len(self.starts) for place in range(count + 1)]

    @staticmethod
    def _draw(chance, count):
        """One, two or four successors of equal probability, possibly equal; state `count` terminates."""
        width = chance.choice((1, 2, 2, 4))
        places = [count if chance.random() < 0.1 else chance.randrange(count) for _ in range(width)]
        return [(1 / width, place, float(chance.randrange(4)), place == count) for place in places]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.starts[int(self.np_random.integers(len(self.starts)))]
        return self.place, {}

    def step(self, action):
        entries = self.P[self.place][action]
        _, self.place, reward, ended = entries[int(self.np_random.integers(len(entries)))]
        return self.place, reward, ended, False, {}


def names_of(seed):
    """Names of observations, or of transitions: rewards from 0 to 3 are letters."""
    if seed % 2 == 0:
        return {"a": lambda seen: seen % 2 == 0, "b": lambda seen: seen % 3 == 1}
    return {"a": lambda before, action, after, reward: reward is not None and int(reward) & 1 == 1,
            "b": lambda before, action, after, reward: reward is not None and int(reward) & 2 == 2}


def least(table):
    """The least positive probability, including those of start states."""
    return min([1 / len(table.initial)] + [float(p) for rows in table.transitions for row in rows for p in row.values()])


def optimum(env, labels, objective, **options):
    result = op.check(op.gym.model(env, labels, **options), objective).to_dict()["result"]
    starts = result.get("initial")
    return sum(start["value"] for start in starts) / len(starts) if starts else result["value"]


def tail(count, runs, delta):
    """The probability of at least `count` failures in `runs` runs that each fail with probability delta."""
    return math.fsum(math.comb(runs, i) * delta**i * (1 - delta) ** (runs - i) for i in range(count, runs + 1))


def known(chance):
    """An environment of Gymnasium, or FrozenLake with a random map: environment, labels, objective, options, epsilon."""
    kind = chance.randrange(6)
    if kind == 0:
        return "FrozenLake-v1", LAKE, SAFE, {}, 0.1
    if kind == 1:
        return "FrozenLake-v1", LAKE, SAFE, {"success_rate": 0.5}, 0.2
    if kind == 2:
        return "CliffWalking-v1", {"left": [0, 12, 24, 36], "goal": [47]}, "(G F left) | F goal", {"is_slippery": True}, 0.2
    if kind == 3:
        return "Taxi-v4", TAXI, "(!y & !b) U r", {"is_rainy": True, "key": lambda seen: seen // 20, "actions": MOVES}, 0.2
    ice = ["S" + "".join(chance.choice("FFH") for _ in range(2)), "".join(chance.choice("FFFH") for _ in range(3)),
           "".join(chance.choice("FFH") for _ in range(2)) + "G"]
    holes = [i for i, cell in enumerate("".join(ice)) if cell == "H"]
    return "FrozenLake-v1", {"goal": [8], "hole": holes}, SAFE, {"desc": ice}, 0.1


def tiny(chance):
    """A Tiny whose optimum is between 0.02 and 0.98: brackets of the others close at once."""
    while True:
        seed = chance.randrange(10**9)
        env, labels, objective = Tiny(seed, starts=chance.randint(1, 3)), names_of(seed), chance.choice(OBJECTIVES)
        if 0.02 < optimum(env, labels, objective) < 0.98:
            return env, labels, objective, {}, 0.2


def tiny_with_T(chance, epsilon):
    """A Tiny, and its exact recurrence time."""
    while True:
        env, labels, objective, *_ = tiny(chance)
        found = op.recurrence(op.gym.model(env, labels), objective, epsilon=epsilon, max_work=10**7)
        if found.kind == "exact" and found.T <= 1000:
            return env, labels, objective, found.T


@needs_gymnasium
class Coverage(unittest.TestCase):
    def count(self, draw, runs, delta):
        """The numbers of runs with a wrong claim, and of runs that were refuted."""
        broken, withdrawn = 0, 0
        for i in range(runs):
            chance = random.Random(f"{draw.__name__} {delta} {i}")
            env, labels, objective, options, epsilon = draw(chance)
            table = op.gym.Table(env, labels, **options)
            result = op.learn(op.gym.wrap(env, labels, **options), objective, epsilon=epsilon, delta=delta,
                              pmin=least(table), states=len(table.states), actions=len(table._choices), seed=i)
            if not result.holds:
                self.assertIn("refuted", result.statement)
                withdrawn += 1
                continue
            self.assertLessEqual(result.optimum_upper - result.lower, epsilon + 1e-9)
            best = optimum(env, labels, objective, **options)
            value = policy_probability(env, labels, objective, result.policy, **options)
            self.assertLessEqual(value, best + 1e-6)
            broken += best > result.optimum_upper + 1e-6 or not result.lower - 1e-6 <= value <= result.upper + 1e-6
        return broken, withdrawn

    def check(self, draw, runs):
        for delta in (0.1, 0.3):
            with self.subTest(delta=delta):
                broken, withdrawn = self.count(draw, runs * ROUNDS, delta)
                if ROUNDS > 1:
                    print(f"{draw.__name__}, delta {delta}: of {runs * ROUNDS}, {broken} broken, {withdrawn} withdrawn")
                self.assertGreater(tail(broken + withdrawn, runs * ROUNDS, delta), FALSE_ALARM)

    def count_from_T(self, runs, delta):
        """The numbers of runs from T with a wrong claim, or that were refuted. A run ends after 20 000 steps."""
        broken = 0
        for i in range(runs):
            env, labels, objective, T = tiny_with_T(random.Random(f"from T {delta} {i}"), 0.05)
            result = op.learn(op.gym.wrap(env, labels), objective, epsilon=0.05, delta=delta, T=T, seed=i, max_steps=20_000)
            if result.end == "refuted":
                broken += 1
                continue
            best = optimum(env, labels, objective)
            value = policy_probability(env, labels, objective, result.policy)
            self.assertLessEqual(value, best + 1e-6)
            broken += best > result.optimum_upper + 1e-6 or result.lower > value + 1e-6
        return broken

    @full
    def test_tiny_from_T(self):
        for delta in (0.1, 0.5, 0.9):
            broken = self.count_from_T(12 * ROUNDS, delta)
            if ROUNDS > 1:
                print(f"from T, delta {delta}: of {12 * ROUNDS}, {broken} broken")
            self.assertGreater(tail(broken, 12 * ROUNDS, delta), FALSE_ALARM)

    @full
    def test_tiny(self):
        self.check(tiny, 16)

    @full
    def test_known(self):
        self.check(known, 4)


@needs_gymnasium
class Distribution(unittest.TestCase):
    """Successors in a wrapped environment have the probabilities of the table, by a chi-square test, including starts
    and letters."""

    def sample(self, env, number, steps):
        counts = {}
        chance, seed = random.Random(1), 0
        while steps > 0:
            state, pair = env.reset(seed), None
            seed += 1
            for _ in range(100):
                row = counts.setdefault(pair, {})
                row[number[state]] = row.get(number[state], 0) + 1
                if isinstance(state, op.gym.Terminal):
                    break
                steps -= 1
                pair = number[state], chance.randrange(env.actions(state) if env._names is None else len(env._names))
                state = env.step(pair[1])
        return counts

    def distance(self, counts, table):
        """The statistic and its degrees of freedom, over all rows with enough samples."""
        square, degrees = 0.0, 0
        for pair, row in counts.items():
            distribution = table.transitions[pair[0]][pair[1]] if pair else {i: 1 / len(table.initial) for i in table.initial}
            count = sum(row.values())
            self.assertLessEqual(set(row), set(distribution))
            if count * min(distribution.values()) >= 5:
                square += sum((row.get(i, 0) - count * float(p)) ** 2 / (count * float(p)) for i, p in distribution.items())
                degrees += len(distribution) - 1
        return square, degrees

    def test_frequencies(self):
        cases = TOYS + [("FrozenLake-v1", LAKE, {"success_rate": 0.5})]
        cases += [(Tiny(seed, starts=3), names_of(seed), {}) for seed in range(4 * ROUNDS)]
        margin = math.log(len(cases) / FALSE_ALARM)
        for env, labels, options in cases:
            with self.subTest(env=env, options=options):
                table = op.gym.Table(env, labels, **options)
                number = {state: i for i, state in enumerate(table.states)}
                counts = self.sample(op.gym.wrap(env, labels, **options), number, 4000)
                square, degrees = self.distance(counts, table)
                # P(chi-square >= d + 2 sqrt(d t) + 2 t) <= exp(-t): Laurent and Massart, 2000.
                self.assertLess(square, degrees + 2 * math.sqrt(degrees * margin) + 2 * margin)


if __name__ == "__main__":
    unittest.main()
