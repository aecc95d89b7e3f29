# SPDX-License-Identifier: MIT
"""omegapac.gym with the real Gymnasium; skipped if it is not installed."""
import importlib.util
import math
import os
import pathlib
import random
import re
import sys
import tempfile
import unittest

from support import full
from test_gym import compare_lanes, run

import omegapac as op
import omegapac.gym

try:
    import gymnasium
    import numpy
except ImportError:
    gymnasium = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
needs_gymnasium = unittest.skipIf(gymnasium is None, "gymnasium is not installed")

LAKE = {"goal": [15], "hole": [5, 7, 11, 12]}
CLIFF = {"goal": [47], "fall": lambda before, action, after, reward: reward == -100}
TAXI = {"r": lambda place: place == 0, "g": lambda place: place == 4,
        "y": lambda place: place == 20, "b": lambda place: place == 23}
MOVES = {"south": 0, "north": 1, "east": 2, "west": 3}
TOYS = [("FrozenLake-v1", LAKE, {}), ("FrozenLake-v1", LAKE, {"is_slippery": False}),
        ("CliffWalking-v1", CLIFF, {}), ("CliffWalking-v1", CLIFF, {"is_slippery": True}),
        ("Taxi-v4", {"aboard": lambda seen: seen // 4 % 5 == 4}, {}),
        ("Taxi-v4", TAXI, {"is_rainy": True, "key": lambda seen: seen // 20, "actions": MOVES})]


class Strict(gymnasium.Env if gymnasium else object):
    """Counts up to 4, where it terminates, and down to -10, where it truncates; asserts that no step follows the end."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Discrete(15, start=-10)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.place = 4

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return 0, {}

    def step(self, action):
        assert self.place < 4
        self.place += 1 if action else -1
        return self.place, 0.0, self.place == 4, self.place == -10, {}


@needs_gymnasium
class Opening(unittest.TestCase):
    def test_no_limit_is_left(self):
        for env in ("FrozenLake-v1", gymnasium.make("FrozenLake-v1"),
                    gymnasium.make("FrozenLake-v1", max_episode_steps=3), gymnasium.spec("FrozenLake-v1")):
            wrapped = op.gym.wrap(env, LAKE)
            states = run(wrapped, 3, [3] * 300)  # up: it slips, but stays in the first row
            self.assertEqual(len(states), 301)
            self.assertGreater(len(set(states)), 2)

    def test_the_same_as_gymnasium_itself(self):
        for name, labels, options in TOYS:
            options = {k: v for k, v in options.items() if k not in ("key", "actions")}
            with self.subTest(name=name, options=options):
                env = op.gym.wrap(name, {}, **options)
                raw = gymnasium.make(name, max_episode_steps=-1, **options)
                chance = random.Random(name)
                for seed in (0, 7, 2**63 - 1):
                    state, (seen, _) = env.reset(seed), raw.reset(seed=seed)
                    self.assertEqual(state, seen)
                    self.assertIs(type(state), int)
                    for _ in range(100):
                        action = chance.randrange(env.actions(state))
                        seen, _, ended, _, _ = raw.step(action)
                        state = env.step(action)
                        self.assertEqual(state, op.gym.Terminal(seen) if ended else seen)
                        if ended:
                            break

    def test_make_options_and_forks(self):
        env = op.gym.wrap("FrozenLake-v1", {"goal": [63]}, map_name="8x8", is_slippery=False)
        other = env.fork()
        self.assertIsNot(env.unwrapped, other.unwrapped)
        for each in (env, other, op.gym.wrap(gymnasium.make(
                "FrozenLake-v1", map_name="8x8", is_slippery=False), {"goal": [63]}).fork()):
            states = run(each, 1, [1] * 7 + [2] * 7)
            self.assertEqual(states[-2:], [58, op.gym.Terminal(59)])  # down, and right into a hole

    def test_spaces(self):
        spaces = gymnasium.spaces

        class Odd(gymnasium.Env):
            def __init__(self, observations, actions):
                self.observation_space, self.action_space = observations, actions
                self.taken = []

            def reset(self, *, seed=None, options=None):
                super().reset(seed=seed)
                self.observation_space.seed(seed)
                return self.observation_space.sample(), {}

            def step(self, action):
                assert self.action_space.contains(action), action
                self.taken.append(action)
                return self.observation_space.sample(), 0.0, False, False, {}

        discrete = spaces.Discrete(3, start=-1)
        for observations in (
            discrete, spaces.MultiDiscrete([2, 3]), spaces.MultiBinary(3), spaces.Text(3),
            spaces.Tuple((discrete, spaces.MultiBinary(2))),
            spaces.Dict({"b": discrete, "a": spaces.MultiDiscrete([[2, 2], [3, 3]])}),
            spaces.Box(0, 3, (2, 2), dtype=numpy.int64), spaces.Box(0, 255, (4,), dtype=numpy.uint8),
        ):
            with self.subTest(observations=observations):
                env = op.gym.wrap(Odd(observations, discrete), {})
                for seed in range(5):
                    state = env.reset(seed)
                    hash(state)
                    self.assertNotIn("array", repr(state))
                    self.assertNotIn("np.", repr(state))
                    self.assertEqual(state, env.fork().reset(seed))
        for actions, count in ((discrete, 3), (spaces.MultiDiscrete([2, 3]), 6),
                               (spaces.MultiDiscrete([2, 2], start=[5, -1]), 4),
                               (spaces.MultiBinary((2, 2)), 16),
                               (spaces.Tuple((discrete, spaces.Discrete(2))), 6)):
            with self.subTest(actions=actions):
                env = op.gym.wrap(Odd(discrete, actions), {})
                self.assertEqual(env.actions(env.reset(0)), count)
                for number in range(count):
                    env.step(number)
                self.assertEqual(len({repr(taken) for taken in env.unwrapped.taken}), count)
        with self.assertRaisesRegex(TypeError, "give key="):
            op.gym.wrap("CartPole-v1", {})
        with self.assertRaisesRegex(TypeError, "give key="):
            op.gym.wrap(Odd(spaces.Dict({"x": spaces.Box(0, 1, (2,))}), discrete), {})
        with self.assertRaisesRegex(TypeError, "ActionWrapper"):
            op.gym.wrap(Odd(discrete, spaces.Box(0, 1, (2,))), {})
        with self.assertRaisesRegex(TypeError, "at most 10000"):
            op.gym.wrap(Odd(discrete, spaces.MultiBinary(20)), {})

    def test_key_for_what_is_continuous(self):
        env = op.gym.wrap("CartPole-v1", {"left": lambda cell: cell[0] < 0},
                          key=lambda seen: tuple((seen * 4).round().astype(int)))
        states = run(env, 3, [0, 1] * 20)
        self.assertTrue(all(type(number) is int for number in states[0]))
        self.assertEqual(run(env, 3, [0, 1] * 20), states)


@needs_gymnasium
class Vectors(unittest.TestCase):
    def check(self, vector, labels, name, **options):
        many = op.gym.wrap(vector, labels)
        try:
            single = op.gym.wrap(name, labels, **options)
            compare_lanes(self, single, many, rounds=120)
            states = many.step_many([("reset", 5)] * many.lanes)
            self.assertEqual(run(many, 6, [0] * 9), run(single, 6, [0] * 9))  # reset and step use no lane
            single.reset(5)
            self.assertEqual(many.step_many([("step", 1)] * many.lanes), [single.step(1)] * len(states))
        finally:
            many.close()

    def test_synchronous(self):
        for mode in ("NextStep", "SameStep", "Disabled"):
            vector = gymnasium.make_vec(
                "CliffWalking-v1", num_envs=3, vectorization_mode="sync", is_slippery=True, max_episode_steps=5,
                vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode(mode)})
            self.check(vector, CLIFF, "CliffWalking-v1", is_slippery=True)

    def test_asynchronous(self):
        for memory in (True, False):
            vector = gymnasium.make_vec(
                "FrozenLake-v1", num_envs=3, vectorization_mode="async", max_episode_steps=5,
                vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED,
                               "shared_memory": memory})
            self.check(vector, LAKE, "FrozenLake-v1")

    def test_asynchronous_with_letters(self):
        vector = gymnasium.make_vec(
            "CliffWalking-v1", num_envs=2, vectorization_mode="async", is_slippery=True,
            vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED})
        self.check(vector, CLIFF, "CliffWalking-v1", is_slippery=True)

    def test_asynchronous_and_strict(self):
        """An environment is not stepped after its end or before its beginning, and truncation is reported."""
        vector = gymnasium.vector.AsyncVectorEnv(
            [Strict] * 3, autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED)
        many = op.gym.wrap(vector, {"end": 4})
        try:
            many.step_many([("reset", 0)] * 3)
            ended = [many.step_many([("step", 1), ("reset", 0), ("step", 0)]) for _ in range(4)][-1]
            self.assertEqual(ended, [op.gym.Terminal(4), 0, -4])
            self.assertEqual(many.step_many([("reset", 0), ("step", 1), ("step", 0)]), [0, 1, -5])
            with self.assertRaisesRegex(op.SimulatorError, "step before reset"):
                [many.step_many([("step", 1), ("reset", 0), ("step", 1)]) for _ in range(5)]
            with self.assertRaisesRegex(op.SimulatorError, "truncated an episode"):
                many.step_many([("reset", 0)] * 3)
                [many.step_many([("step", 0), ("reset", 0), ("reset", 0)]) for _ in range(10)]
        finally:
            many.close()

    def test_refused(self):
        vector = gymnasium.make_vec("FrozenLake-v1", num_envs=2, vectorization_mode="async")
        with self.assertRaisesRegex(TypeError, "without a seed.*DISABLED"):
            op.gym.wrap(vector, LAKE)
        vector.close()
        vector = gymnasium.make_vec("CartPole-v1", num_envs=2)
        with self.assertRaisesRegex(TypeError, "one by one"):
            op.gym.wrap(vector, {}, key=lambda seen: 0)


@needs_gymnasium
class Tables(unittest.TestCase):
    def test_what_happens_is_in_the_table(self):
        for name, labels, options in TOYS:
            with self.subTest(name=name, options=options):
                env = op.gym.wrap(name, labels, **options)
                table = op.gym.Table(name, labels, **options)
                number = {state: i for i, state in enumerate(table.states)}
                starts = {table.states[i] for i in table.initial}
                chance = random.Random(1)
                seen = set()
                for seed in range(60):
                    state = env.reset(seed)
                    self.assertIn(state, starts)
                    for _ in range(60):
                        self.assertEqual(set(env.labels(state)), {
                            label for label, where in table.labels.items() if number[state] in where})
                        if isinstance(state, op.gym.Terminal):
                            break
                        action = chance.randrange(len(table.transitions[number[state]]))
                        row = table.transitions[number[state]][action]
                        state = env.step(action)
                        self.assertIn(number[state], row)
                        seen.add(state)
                self.assertGreater(len(seen), 5)

    def test_numbers(self):
        table = op.gym.Table("Taxi-v4", {})
        self.assertEqual((len(table.states), len(table.initial)), (404, 300))
        table = op.gym.Table("CliffWalking-v1", CLIFF)
        self.assertEqual(len(table.states), 39)  # 37 cells, the goal, and a start after a fall
        self.assertEqual(table.labels["fall"], [table.states.index((36, ("fall",)))])
        table = op.gym.Table("FrozenLake-v1", LAKE)
        self.assertEqual(len(table.states), 16)
        self.assertTrue(all(math.isclose(sum(row.values()), 1)
                            for rows in table.transitions for row in rows))

    def test_frequencies(self):
        """The table's probabilities are those of the simulator, letters included."""
        env = op.gym.wrap("CliffWalking-v1", CLIFF, is_slippery=True)
        table = op.gym.Table("CliffWalking-v1", CLIFF, is_slippery=True)
        number = {state: i for i, state in enumerate(table.states)}
        row = table.transitions[number[36, ()]][0]
        count = dict.fromkeys(row, 0)
        for seed in range(3000):
            env.reset(seed)
            count[number[env.step(0)]] += 1
        for target, probability in row.items():
            deviation = math.sqrt(3000 * probability * (1 - probability))
            self.assertLess(abs(count[target] - 3000 * probability), 5 * deviation)

    def test_refused(self):
        with self.assertRaisesRegex(TypeError, "fickle"):
            op.gym.Table("Taxi-v4", {}, fickle_passenger=True)
        with self.assertRaisesRegex(TypeError, "no transition table"):
            op.gym.Table("CartPole-v1", {}, key=lambda seen: 0)
        changed = gymnasium.wrappers.TransformObservation(
            gymnasium.make("FrozenLake-v1"), lambda seen: seen + 1, gymnasium.spaces.Discrete(17))
        with self.assertRaisesRegex(TypeError, "changes observations"):
            op.gym.Table(changed, {})


@needs_gymnasium
class Learning(unittest.TestCase):
    """The examples, against exact values."""

    def check(self, result, best, policy, error):
        self.assertTrue(result.holds)
        self.assertLessEqual(result.lower, policy + 1e-9)
        self.assertGreaterEqual(result.upper, policy - 1e-9)
        self.assertGreaterEqual(policy, best - error)
        self.assertLessEqual(policy, best + 1e-9)

    def test_frozenlake(self):
        lake = example("frozenlake")
        best = lake.exact()
        self.assertAlmostEqual(best, 14 / 17, places=6)
        result = lake.learn(pmin=1 / 3)
        policy = policy_probability("FrozenLake-v1", lake.LABELS, lake.OBJECTIVE, result.policy)
        self.check(result, best, policy, 0.05)
        played = lake.play(result.policy, 400)
        self.assertLess(abs(played - policy), 5 * math.sqrt(policy * (1 - policy) / 400))

    @full
    def test_frozenlake_from_T(self):
        """T is that of the exact model. All three brackets are wrong with probability 0.001."""
        lake = example("frozenlake")
        best, T = lake.exact(), lake.recurrence_time(0.02)
        self.assertEqual(T, 892)
        misses = 0
        for seed in range(1, 4):
            result = lake.learn(epsilon=0.02, T=T, target=0.3, seed=seed)
            policy = policy_probability("FrozenLake-v1", lake.LABELS, lake.OBJECTIVE, result.policy)
            self.assertTrue(result.holds)
            self.assertLessEqual(result.gap, 0.3)
            misses += not (result.lower <= policy + 1e-9 and best <= result.upper + 1e-9)
            self.assertEqual((result.T, result.T_check, result.refutation), (T, "consistent", None))
        self.assertLess(misses, 3)

    def test_limits_and_T(self):
        """gymnasium.make's limit is removed; one inside the environment is an error."""
        objective, options = "(F goal) & (G !hole)", dict(T=892, epsilon=0.02, delta=0.1, target=0.5)
        names = dict(labels=LAKE, start="fixed")
        free = op.learn(op.gym.wrap("FrozenLake-v1", **names), objective, **options)
        for limited in (gymnasium.make("FrozenLake-v1"), gymnasium.make("FrozenLake-v1", max_episode_steps=5)):
            self.assertEqual(op.learn(op.gym.wrap(limited, **names), objective, **options).trace, free.trace)

        class Impatient(gymnasium.Wrapper):
            """Not a TimeLimit, so it is not removed."""

            def reset(self, **options):
                self.left = 20
                return self.env.reset(**options)

            def step(self, action):
                self.left -= 1
                seen, reward, ended, _, info = self.env.step(action)
                return seen, reward, ended, self.left == 0, info

        with self.assertRaisesRegex(op.SimulatorError, "truncated an episode after 20 steps"):
            op.learn(op.gym.wrap(Impatient(gymnasium.make("FrozenLake-v1")), **names), objective, **options)
        vector = gymnasium.vector.AsyncVectorEnv(
            [lambda: Impatient(gymnasium.make("FrozenLake-v1"))] * 2, autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED)
        env = op.gym.wrap(vector, **names)
        try:
            with self.assertRaisesRegex(op.SimulatorError, "truncated an episode"):
                op.learn(env, objective, **options)
        finally:
            env.close()

    def test_frozenlake_without_guarantee(self):
        result = example("frozenlake").learn(T=100, k=100)
        self.assertFalse(result.holds)
        self.assertIn("no guarantee", repr(result))
        self.assertIn("no guarantee", result.statement)

    def test_cliffwalking(self):
        cliff = example("cliffwalking")
        self.assertAlmostEqual(cliff.exact(), 1)
        env, result = cliff.learn()
        options = {"is_slippery": True}
        self.check(result, 1, policy_probability("CliffWalking-v1", cliff.LABELS, cliff.OBJECTIVE, result.policy, **options), 0.1)
        changes, falls = cliff.walk(env, result.policy, 2000)
        self.assertEqual(falls, 0)
        self.assertGreater(changes, 5)
        there = "(F goal) & (G !fall)"
        self.assertAlmostEqual(cliff.exact(there), 1)
        self.check(cliff.learn(there)[1], 1, 1, 0.1)

    def test_taxi(self):
        taxi = example("taxi")
        best = taxi.exact()
        self.assertAlmostEqual(best, 0.9155555, places=6)
        result = taxi.learn()
        self.check(result, best, policy_probability("Taxi-v4", objective=taxi.OBJECTIVE, policy=result.policy, **taxi.TAXI), 0.02)

    def test_lanes_learn_the_same(self):
        """The result does not depend on the number of lanes, because a seed belongs to an episode."""
        found = [op.learn(op.gym.wrap("FrozenLake-v1", LAKE, start="fixed", lanes=lanes),
                          "(F goal) & (G !hole)", epsilon=0.1, delta=0.1, pmin=1 / 3, states=16, actions=4)
                 for lanes in (None, 1, 5)]
        for other in found[1:]:
            self.assertEqual(other.to_dict()["result"], found[0].to_dict()["result"])
            self.assertEqual(other.policy.to_dict(), found[0].policy.to_dict())

    def test_lanes_learn_the_same_from_T(self):
        vector = gymnasium.make_vec("FrozenLake-v1", num_envs=3, vectorization_mode="sync")
        found = [op.learn(op.gym.wrap(env, LAKE, start="fixed", **lanes), "(F goal) & (G !hole)", epsilon=0.02, delta=0.1, T=892,
                          target=0.5) for env, lanes in (("FrozenLake-v1", {}), ("FrozenLake-v1", {"lanes": 4}), (vector, {}))]
        for other in found[1:]:
            self.assertEqual(other.to_dict()["result"], found[0].to_dict()["result"])
            self.assertEqual(other.trace, found[0].trace)
            self.assertEqual(other.policy.to_dict(), found[0].policy.to_dict())


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "gymnasium" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def policy_probability(env, labels, objective, policy, **options):
    """The probability of a policy, computed from the table: the Markov chain over pairs of a state and a
    memory is built as a model."""
    table = op.gym.Table(env, labels, **options)
    pairs, rows, marks = {}, [], {name: [] for name in table.labels}

    def number(state, steps):  # steps: the states that the policy has seen before
        policy.reset()
        for seen in steps:
            policy.act(seen)
        memory = policy._memory if steps else None
        key = (state, memory)
        if key not in pairs:
            pairs[key] = len(pairs)
            todo.append((state, steps))
        return pairs[key]

    todo = []
    starts = [number(i, ()) for i in table.initial]
    for state, steps in todo:
        for name, where in table.labels.items():
            if state in where:
                marks[name].append(len(rows))
        if isinstance(table.states[state], op.gym.Terminal):
            rows.append([{len(rows): 1}])
            continue
        policy.reset()
        for seen in (*steps, table.states[state]):
            action = policy.act(seen)
        row = {}
        for target, probability in table.transitions[state][action].items():
            at = number(target, (*steps, table.states[state]))
            row[at] = row.get(at, 0) + probability
        rows.append([row])
    values = op.check(op.Model.build(rows, labels=marks, initial=starts), objective).to_dict()["result"]
    if len(starts) == 1:
        return values["value"]
    return sum(start["value"] for start in values["initial"]) / len(starts)


def blur(text):
    """Replaces the numbers of a text."""
    return re.sub(r"[0-9][0-9.e-]*", "#", text)


@needs_gymnasium
class Page(unittest.TestCase):
    def test_what_the_page_shows(self):
        spec = importlib.util.spec_from_file_location("examples", ROOT / "tests" / "repository" / "examples.py")
        examples = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(examples)
        if not gymnasium.__version__.startswith("1.4."):  # other versions may draw other random numbers
            exactly = examples.matches
            examples.matches = lambda expected, printed: exactly(blur(expected), blur(printed))
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "python3")
            python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
            python.chmod(0o755)
            package = pathlib.Path(op.__file__).parents[1]
            environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", PYTHONPATH=str(package))
            run_count, failed = examples.run_file(ROOT / "docs" / "gymnasium.md", environment, "console gymnasium")
        self.assertGreater(run_count, 2)
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
