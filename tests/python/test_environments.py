# SPDX-License-Identifier: MIT
"""Python objects as environments: correct ones, and ones with each kind of error."""
import enum
import gc
import sys
import threading
import traceback
import unittest
import weakref

import omegapac as op

from gridworlds import DrawingWalk, Gridworld, Walk
from support import full

PMIN = dict(pmin=0.2, epsilon=0.1, delta=0.1)


def counts(result):
    """Numbers that identify a run."""
    return result.value, result.lower, result.upper, {
        name: result.stats[name] for name in ("episodes", "steps", "known", "policies", "samples", "states_seen")
    }


class Copies(unittest.TestCase):
    """Environments whose episodes are not independent, and deterministic ones."""

    class Seeded(Walk):
        def reset(self, seed):
            return super().reset(self.seed_of(seed))

    class Constant(Seeded):
        def seed_of(self, seed):
            return 7

    class Few(Seeded):
        def seed_of(self, seed):
            return seed % 10

    class Line:
        propositions = ["end"]
        names = ["stay", "go"]

        def reset(self, seed):
            self.place = 0
            return self.place

        def step(self, action):
            self.place = min(self.place + action, 4)
            return self.place

        def labels(self, state):
            return ["end"] if state == 4 else []

        def actions(self, state):
            return self.names

    def test_an_environment_that_ignores_its_seed(self):
        for seed in range(7):
            with self.assertRaisesRegex(op.SimulatorError, "ignores its seeds.*deterministic=True"):
                op.learn(self.Constant(), "F goal", seed=seed, **PMIN)

    def test_few_episodes(self):
        for known in (dict(PMIN, seed=2), dict(T=30, k=500, epsilon=0.1, delta=0.1)):
            with self.assertRaisesRegex(op.SimulatorError, "not independent"):
                op.learn(self.Few(), "F[0,5] goal", max_steps=200000, **known)

    def test_deterministic_ones(self):
        with self.assertRaisesRegex(op.SimulatorError, "deterministic=True"):
            op.learn(self.Line(), "F end", **PMIN)
        for known in (PMIN, dict(T=30, k=5, epsilon=0.1, delta=0.1)):
            result = op.learn(self.Line(), "F end", deterministic=True, **known)
            self.assertEqual(result.value, 1)
            self.assertTrue(any("is deterministic" in item for item in result.assumptions))
            self.assertEqual(result.tested, "no action led to two different states")
            self.assertEqual(result.to_dict()["guarantee"]["tested"], result.tested)
            self.assertIs(result.to_dict()["params"]["deterministic"], True)
        result = op.learn(Walk(), "F goal", deterministic=True, **PMIN)
        self.assertEqual(result.end, "exceeded")
        self.assertRegex(result.statement, "declared deterministic and is not.*led to state")

    def test_without_tests(self):
        result = op.learn(self.Constant(), "F goal", trial_steps=0, **PMIN)
        self.assertIn("were disabled", result.tested)
        self.assertIn("different seeds", op.learn(Walk(), "F goal", **PMIN).tested)

    def test_estimates(self):
        class Chain(self.Line):
            def actions(self, state):
                return 1

            def step(self, action):
                return super().step(1)

        ask = dict(T=30, epsilon=0.1, delta=0.1)
        with self.assertRaisesRegex(op.SimulatorError, "deterministic=True"):
            op.estimate(Chain(), "F end", **ask)
        result = op.estimate(Chain(), "F end", deterministic=True, **ask)
        self.assertTrue(result.holds)
        self.assertEqual(result.value, 1)
        self.assertEqual(len(result.assumptions), 3)
        self.assertEqual(result.tested, "no action led to two different states")

    def test_names_of_actions(self):
        line = self.Line()
        line.names = ["go", "go"]
        with self.assertRaisesRegex(ValueError, "two actions of a state have the same name"):
            op.learn(line, "F end", **PMIN)

    def test_many_actions(self):
        for many in (10**7, range(10**7), ["a"] * 10**7):
            line = self.Line()
            line.names = many
            with self.assertRaisesRegex(ValueError, "1048576"):
                op.learn(line, "F end", **PMIN)


class Good(unittest.TestCase):
    def test_the_result_is_that_of_the_model(self):
        result = op.learn(Walk(), "G F goal", **PMIN)
        self.assertTrue(result.holds)
        self.assertEqual(result.end, "done")
        self.assertLessEqual(result.lower, 1)
        self.assertGreaterEqual(result.upper, 1 - 1e-9)

    def test_labels_and_actions_are_called_once(self):
        class Counting(Walk):
            def __init__(self):
                self.calls = []

            def labels(self, state):
                self.calls.append(("labels", state))
                return super().labels(state)

            def actions(self, state):
                self.calls.append(("actions", state))
                return super().actions(state)

        env = Counting()
        result = op.learn(env, "G F goal", **PMIN)
        self.assertEqual(len(env.calls), 2 * result.stats["states_seen"])
        self.assertEqual(len(set(env.calls)), len(env.calls))

    def test_the_same_seed_gives_the_same(self):
        first = op.learn(Gridworld(), "G F s & G F g", seed=5, **PMIN)
        second = op.learn(Gridworld(), "G F s & G F g", seed=5, **PMIN)
        other = op.learn(Gridworld(), "G F s & G F g", seed=6, **PMIN)
        self.assertEqual(first.to_json(), second.to_json())
        self.assertNotEqual(first.stats["steps"], other.stats["steps"])

    def test_forks_and_lanes_change_nothing(self):
        class Forking(Gridworld):
            forks = 0

            def fork(self):
                Forking.forks += 1
                return Forking()

        class Lanes(Gridworld):
            lanes = 5

            def __init__(self):
                self.environments = [Gridworld() for _ in range(self.lanes)]
                self.rounds = 0

            def step_many(self, requests):
                self.rounds += 1
                return tuple(
                    env.reset(number) if kind == "reset" else env.step(number)
                    for env, (kind, number) in zip(self.environments, requests)
                )

        options = dict(T=30, k=200, epsilon=0.1, delta=0.1, sampler="step")
        plain = op.learn(Gridworld(), "G F s & G F g", **options)
        forked = op.learn(Forking(), "G F s & G F g", threads=3, **options)
        lanes = Lanes()
        several = op.learn(lanes, "G F s & G F g", **options)
        self.assertEqual(counts(plain), counts(forked))
        self.assertEqual(counts(plain), counts(several))
        self.assertGreater(Forking.forks, 0)
        self.assertGreater(lanes.rounds, 0)

    def test_successors_are_the_graph(self):
        class Known(Walk):
            def successors(self, state, action):
                if action is None:
                    return [0]
                return [min(3, state + 1), max(0, state - 1), max(0, state - 1)]

        result = op.learn(Known(), "F goal", graph=True, epsilon=0.1, delta=0.1)
        self.assertTrue(result.holds)
        self.assertLess(result.stats["steps"], op.learn(Walk(), "F goal", **PMIN).stats["steps"])

    def test_draws(self):
        class Drawing(DrawingWalk):
            drawn = 0

            def draw(self, state, action, n, seed):
                Drawing.drawn += n
                return super().draw(state, action, n, seed)

        result = op.learn(Drawing(), "G F goal", explore="generative", **PMIN)
        self.assertTrue(result.holds)
        self.assertGreater(Drawing.drawn, 0)

    def test_draws_that_ignore_their_seed(self):
        class Alike(DrawingWalk):
            def draw(self, state, action, n, seed):
                return super().draw(state, action, n, 3)

        with self.assertRaisesRegex(op.SimulatorError, "draws do not depend on the seed"):
            op.learn(Alike(), "G F goal", explore="generative", **PMIN)

    def test_absorbing_states_and_random_starts(self):
        class Doors:
            propositions = ("won",)

            def reset(self, seed):
                self.at = ("left", "right")[seed % 2]
                return self.at

            def step(self, action):
                self.at = "won" if (self.at == "left") == (action == 0) else "lost"
                return self.at

            def labels(self, state):
                return {"won"} if state == "won" else ()

            def actions(self, state):
                return () if state in ("won", "lost") else 2

        result = op.learn(Doors(), "F G won", T=4, k=50, epsilon=0.1, delta=0.1)
        self.assertEqual(result.value, 1)
        self.assertEqual(result.stats["states_seen"], 4)
        self.assertEqual([result.policy.act("left"), result.policy.act("right")], [0, 1])

    def test_estimate(self):
        class Coin:
            propositions = ["heads"]
            random_start = False

            def reset(self, seed):
                self.seed = seed
                return "toss"

            def step(self, action):
                return "heads" if self.seed * 0x9E3779B97F4A7C15 >> 20 & 1 else "tails"

            def labels(self, state):
                return ["heads"] if state == "heads" else []

            def actions(self, state):
                return 1 if state == "toss" else 0

        found = op.estimate(Coin(), "F heads", T=3, epsilon=0.05, delta=0.05)
        self.assertTrue(found.holds)
        self.assertAlmostEqual(found.value, 0.5, delta=0.1)
        with self.assertRaises(op.InputError):
            op.estimate(Walk(), "F goal", T=3, epsilon=0.05, delta=0.05)

    def test_a_run_in_a_run(self):
        class Nested(Walk):
            inner = None

            def labels(self, state):
                if Nested.inner is None:
                    Nested.inner = op.learn(Walk(), "F goal", **PMIN)
                return super().labels(state)

        outer = op.learn(Nested(), "F goal", **PMIN)
        self.assertEqual(counts(outer), counts(Nested.inner))


class Keys(unittest.TestCase):
    def test_equal_values_have_equal_keys(self):
        class Level(enum.IntEnum):
            LOW = 1

        class Name(str):
            pass

        class Index:
            def __index__(self):
                return 7

        for values in ((1, 1.0, True, Level.LOW), (0, -0.0, False), ((1, 2), (1.0, 2), (True, 2.0)),
                       ("a", Name("a")), (7, Index()), (frozenset("ab"), frozenset("ba"))):
            self.assertEqual(len({op.environments.key(value) for value in values}), 1, values)
        self.assertEqual(op.environments.key(2**100), str(2**100).encode())
        self.assertEqual(op.environments.key((1,)), b"(1,)")
        self.assertEqual(op.environments.key(()), b"()")
        self.assertEqual(op.environments.key(0.5), b"0.5")
        self.assertEqual(op.environments.key("\ud800 at 0x12"), b"'\\ud800 at 0x12'")
        self.assertEqual(op.environments.key(frozenset()), b"frozenset()")

    def test_states_without_a_text_of_their_own(self):
        class Thing:
            pass

        class Things(Walk):
            def reset(self, seed):
                return Thing()

        with self.assertRaisesRegex(TypeError, "address.*key"):
            op.learn(Things(), "F goal", **PMIN)

    def test_different_states_of_the_same_text(self):
        class Twin:
            def __repr__(self):
                return "twin"

        class Twins(Walk):
            def reset(self, seed):
                return Twin()

        with self.assertRaisesRegex(ValueError, "two different states.*twin"):
            op.learn(Twins(), "F goal", **PMIN)
        class Nan(Walk):
            def reset(self, seed):
                return float("nan")

        with self.assertRaisesRegex(ValueError, "nan"):
            op.learn(Nan(), "F goal", **PMIN)

    def test_a_key_makes_states_of_anything(self):
        class Lists(Walk):
            def reset(self, seed):
                return [super(Lists, self).reset(seed)]

            def step(self, action):
                return [super(Lists, self).step(action)]

            def labels(self, state):
                return super().labels(state[0])

            def key(self, state):
                return state[0]

        env = Lists()
        result = op.learn(env, "G F goal", **PMIN)
        self.assertEqual(counts(result), counts(op.learn(Walk(), "G F goal", **PMIN)))
        self.assertIn(result.policy.act([2]), (0, 1))
        Lists.key = None
        with self.assertRaisesRegex(TypeError, r"reset returned the state \[0\].*tuple"):
            op.learn(env, "G F goal", **PMIN)

    def test_unhashable_inside_a_tuple(self):
        class Inside(Walk):
            def step(self, action):
                return (1, [2])

        with self.assertRaisesRegex(TypeError, r"step returned the state \(1, \[2\]\)"):
            op.learn(Inside(), "F goal", **PMIN)


class Hostile(unittest.TestCase):
    """Each member is wrong in each way, one at a time."""

    def fails(self, error, pattern, **members):
        env = type("Env", (Walk,), members)()
        with self.assertRaisesRegex(error, pattern):
            op.learn(env, "G F goal", **PMIN)

    def test_exceptions_come_out_as_they_are(self):
        for member in ("reset", "step", "labels", "actions", "key"):
            problem = LookupError(member)

            def fail(self, *unused):
                raise problem

            env = type("Env", (Walk,), {member: fail})()
            try:
                op.learn(env, "G F goal", **PMIN)
                self.fail("nothing was raised")
            except LookupError as caught:
                self.assertIs(caught, problem)
                names = [frame.f_code.co_name for frame, _ in traceback.walk_tb(caught.__traceback__)]
            self.assertEqual(names[-1], "fail")

    def test_exceptions_of_optional_members(self):
        def fail(self, *unused):
            raise LookupError("optional")

        for member, options in (("draw", dict(PMIN, explore="generative")),
                                ("successors", dict(graph=True, epsilon=0.1, delta=0.1)),
                                ("fork", dict(T=5, k=100, epsilon=0.1, delta=0.1, threads=2)),
                                ("step_many", dict(T=5, k=100, epsilon=0.1, delta=0.1))):
            env = type("Env", (Walk,), {member: fail, "lanes": 3})()
            with self.assertRaises(LookupError, msg=member):
                op.learn(env, "G F goal", **options)

    def test_exceptions_late_in_a_run(self):
        class Late(Walk):
            steps = 0

            def step(self, action):
                Late.steps += 1
                if Late.steps == 100:
                    raise StopIteration
                return super().step(action)

        with self.assertRaises(StopIteration):
            op.learn(Late(), "G F goal", **PMIN)

    def test_system_exit(self):
        def leave(self, action):
            sys.exit(3)

        self.fails(SystemExit, "3", step=leave)

    def test_missing_members(self):
        for member in ("reset", "step", "labels", "actions"):
            env = type("Env", (), {name: getattr(Walk, name) for name in
                                   ("reset", "step", "labels", "actions", "propositions") if name != member})()
            with self.assertRaisesRegex(TypeError, f"has no {member}"):
                op.learn(env, "G F goal", **PMIN)
        with self.assertRaisesRegex(TypeError, "propositions"):
            op.learn(object(), "G F goal", **PMIN)
        with self.assertRaisesRegex(TypeError, "the class Walk"):
            op.learn(Walk, "G F goal", **PMIN)
        self.fails(TypeError, "step.*cannot be called", step=3)

    def test_propositions(self):
        self.fails(TypeError, "propositions", propositions="goal")
        self.fails(TypeError, "propositions", propositions=3)
        self.fails(ZeroDivisionError, "division", propositions=property(lambda self: 1 / 0))
        self.fails(ZeroDivisionError, "division", random_start=property(lambda self: 1 / 0))
        self.fails(TypeError, "str", propositions=["goal", 3])
        self.fails(ValueError, "64", propositions=[f"p{i}" for i in range(65)])
        self.fails(op.InputError, "twice", propositions=["goal", "goal"])
        self.fails(op.Error, "goal", propositions=["other"], labels=lambda self, state: [])

    def test_labels(self):
        self.fails(TypeError, r"labels\(0\) returned 'goal'", labels=lambda self, state: "goal")
        self.fails(TypeError, r"labels\(0\) returned None", labels=lambda self, state: None)
        self.fails(TypeError, r"labels\(0\) returned 3: a label must be a str", labels=lambda self, state: [3])
        self.fails(ValueError, r"labels\(0\) returned 'gaol'", labels=lambda self, state: ["gaol"])

        def broken(self, state):
            yield "goal"
            raise KeyError("broken")

        self.fails(KeyError, "broken", labels=broken)

    def test_actions(self):
        self.fails(ValueError, r"actions\(0\) returned -1", actions=lambda self, state: -1)
        self.fails(ValueError, r"actions\(0\) returned", actions=lambda self, state: 2**31)
        self.fails(ValueError, r"actions\(0\) returned", actions=lambda self, state: 10**30)
        self.fails(TypeError, r"actions\(0\) returned 'up'", actions=lambda self, state: "up")
        self.fails(TypeError, r"actions\(0\) returned 1.5", actions=lambda self, state: 1.5)
        self.fails(TypeError, r"actions\(0\) returned None", actions=lambda self, state: None)
        self.fails(TypeError, r"actions\(0\) returned 3: the name", actions=lambda self, state: ["up", 3])

    @full
    def test_a_million_actions(self):
        env = type("Env", (Walk,), {"actions": lambda self, state: 10**6})()
        result = op.learn(env, "F goal", T=5, k=2, epsilon=0.1, delta=0.1, max_steps=10)
        self.assertEqual(result.end, "max-steps")

    def test_states(self):
        self.fails(TypeError, "reset returned None", reset=lambda self, seed: None)
        self.fails(TypeError, "step returned None", step=lambda self, action: None)
        self.fails(TypeError, "step returned the state", step=lambda self, action: {})

        class Weird:
            def __hash__(self):
                raise OSError("hash")

        self.fails(OSError, "hash", step=lambda self, action: Weird())

        class Unequal:
            def __hash__(self):
                return hash(0)

            def __eq__(self, other):
                raise OSError("eq")

        self.fails(OSError, "eq", step=lambda self, action: Unequal())

        class Silent:
            def __repr__(self):
                return 3

        self.fails(TypeError, "__repr__", step=lambda self, action: Silent())

    def test_deep_states(self):
        deep = ()
        for _ in range(100000):
            deep = (deep,)
        env = type("Env", (Walk,), {"step": lambda self, action: deep})()
        with self.assertRaises(RecursionError):
            op.learn(env, "G F goal", **PMIN)

    def test_lanes(self):
        options = dict(T=5, k=100, epsilon=0.1, delta=0.1)
        for lanes in (0, -1, 65537, "two", None):
            env = type("Env", (Walk,), {"step_many": lambda self, requests: [], "lanes": lanes})()
            with self.assertRaisesRegex(TypeError, "lanes"):
                op.learn(env, "G F goal", **options)
        for answer in ([0], None, "ab", [0, 0, 0]):
            env = type("Env", (Walk,), {"step_many": lambda self, requests: answer, "lanes": 2})()
            with self.assertRaisesRegex(TypeError, "step_many"):
                op.learn(env, "G F goal", **options)

    def test_forks(self):
        options = dict(T=5, k=1000, epsilon=0.1, delta=0.1, threads=2)
        for fork, pattern in ((lambda self: self, "itself"), (lambda self: None, "propositions|has no"),
                              (lambda self: object(), "has no")):
            env = type("Env", (Walk,), {"fork": fork})()
            with self.assertRaisesRegex(TypeError, pattern):
                op.learn(env, "G F goal", **options)

    def test_draws_and_successors(self):
        for answer in (None, [0], {0: -1}, {0: 1.5}, {0: "x"}):
            env = type("Env", (Walk,), {"draw": lambda self, *rest: answer})()
            with self.assertRaisesRegex(TypeError, "draw"):
                op.learn(env, "G F goal", explore="generative", **PMIN)
        for answer in ({}, {0: 10**15}, {0: 2**64 - 1}):
            env = type("Env", (Walk,), {"draw": lambda self, *rest: answer})()
            with self.assertRaises(op.SimulatorError):
                op.learn(env, "G F goal", explore="generative", **PMIN)
        env = type("Env", (Walk,), {"successors": lambda self, state, action: []})()
        with self.assertRaises(op.SimulatorError):
            op.learn(env, "G F goal", graph=True, epsilon=0.1, delta=0.1)
        env = type("Env", (Walk,), {"successors": lambda self, state, action: 3})()
        with self.assertRaises(TypeError):
            op.learn(env, "G F goal", graph=True, epsilon=0.1, delta=0.1)

    def test_options(self):
        for options in (dict(k=3), dict(explore="generative"), dict(pmin_start=0.5), dict(T=3, pmin=0.1), dict(T=0), dict(T="soon"), dict(pmin=0), dict(pmin=0.1, k=3),
                        dict(T=3, k=9, explore="generative"), dict(T=3, k=9, stop="never"), dict(T=3, k=9, sampler=3),
                        dict(T=3, max_steps=-1), dict(T=3, k="many"), dict(graph=3), dict(T=-1), dict(T=2.5)):
            with self.assertRaises((TypeError, ValueError), msg=options):
                op.learn(Walk(), "F goal", epsilon=0.1, delta=0.1, **options)
        with self.assertRaises(op.InputError) as caught:
            op.learn(Walk(), "F (goal", **PMIN)
        self.assertEqual(caught.exception.line, 1)


class Life(unittest.TestCase):
    def test_a_result_does_not_keep_its_environment(self):
        env = Gridworld()
        seen = weakref.ref(env)
        result = op.learn(env, "G F s & G F g", **PMIN)
        env.result = result
        del env
        gc.collect()
        self.assertIsNone(seen())
        self.assertEqual(result.policy.act((0, 1)), result.policy.copy().act((0, 1)))

    @full
    def test_no_leaks(self):
        class Broken(Walk):
            def step(self, action):
                raise LookupError

        class Mislabelled(Walk):
            def labels(self, state):
                return "goal"

        def once():
            op.learn(Gridworld(), "G F s & G F g", **PMIN)
            for env in (Broken(), object(), Mislabelled()):
                try:
                    op.learn(env, "G F goal", **PMIN)
                except (LookupError, TypeError):
                    pass

        def measure(rounds):
            for _ in range(rounds):
                once()
            gc.collect()
            return len(gc.get_objects()), sys.getallocatedblocks()

        # Caches of the interpreter grow in some rounds; a leak grows in every round.
        seen = [measure(60) for _ in range(5)]
        self.assertLess(min(after[0] - before[0] for before, after in zip(seen, seen[1:])), 120)
        self.assertLess(min(after[1] - before[1] for before, after in zip(seen, seen[1:])), 120)

    def test_threads_of_python_run_meanwhile(self):
        ticks, done = [0], threading.Event()

        def tick():
            while not done.is_set():
                ticks[0] += 1

        other = threading.Thread(target=tick)
        other.start()
        try:
            op.learn(Gridworld(), "G F s & G F g", T=30, k=10**9, epsilon=0.1, delta=0.1, max_steps=20000,
                     sampler="step")
        finally:
            done.set()
            other.join()
        self.assertGreater(ticks[0], 10)

    def test_two_runs_in_two_threads(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(op.learn(Gridworld(), "G F s & G F g", **PMIN)))
                   for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({result.to_json() for result in results}), 1)


if __name__ == "__main__":
    unittest.main()
