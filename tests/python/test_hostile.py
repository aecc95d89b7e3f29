# SPDX-License-Identifier: MIT
"""Environments with unusual errors, beyond wrong types: each run ends with a clear error, or succeeds."""
import asyncio
import gc
import threading
import unittest
import warnings

import omegapac as op
from gridworlds import Walk
from support import full

PMIN = dict(pmin=0.2, epsilon=0.1, delta=0.1)
LANES = dict(T=5, k=100, epsilon=0.1, delta=0.1)


def make(**members):
    return type("Env", (Walk,), members)()


class Interrupting:
    """Every operation on it raises KeyboardInterrupt."""

    def stop(self, *unused):
        raise KeyboardInterrupt

    __index__ = __iter__ = __repr__ = stop


class Kept(unittest.TestCase):
    """Exceptions of the environment are not replaced by the library's."""

    def interrupted(self, env, **options):
        with warnings.catch_warnings(), self.assertRaises(KeyboardInterrupt):
            warnings.simplefilter("ignore", op.InputWarning)  # from lanes that return nothing
            op.learn(env, "G F goal", **options)

    def test_iterators_that_raise(self):
        def lanes(self, requests):
            yield 0
            raise LookupError("midway")

        def successors(self, state, action):
            yield 0
            raise LookupError("midway")

        for env, options in ((make(step_many=lanes, lanes=2), LANES),
                             (make(successors=successors), dict(graph=True, epsilon=0.1, delta=0.1))):
            with self.assertRaisesRegex(LookupError, "midway"):
                op.learn(env, "G F goal", **options)

    def test_numbers_that_raise(self):
        bad = Interrupting()
        self.interrupted(make(draw=lambda self, *unused: {0: bad}), explore="generative", **PMIN)
        self.interrupted(make(step_many=lambda self, requests: bad, lanes=2), **LANES)
        self.interrupted(make(step_many=lambda self, requests: [], lanes=bad), **LANES)
        self.interrupted(make(actions=lambda self, state: bad), **PMIN)
        self.interrupted(make(labels=lambda self, state: bad), **PMIN)

    def test_members_that_raise(self):
        def fail(self):
            raise LookupError("member")

        for member in ("propositions", "random_start", "key", "draw", "successors", "fork", "step_many", "lanes"):
            members = {"step_many": lambda self, requests: [], member: property(fail)}
            with self.assertRaisesRegex(LookupError, "member", msg=member):
                op.learn(make(**members), "G F goal", **LANES)

    def test_texts_that_raise(self):
        self.interrupted(make(step=lambda self, action: Interrupting()), **PMIN)


class Odd(unittest.TestCase):
    def test_members_that_lie(self):
        class Liar(Walk):
            def __getattr__(self, name):
                return lambda *unused: self

        with self.assertRaises((TypeError, op.Error)):
            op.learn(Liar(), "G F goal", **PMIN)

        class Unsure(Walk):
            def __getattr__(self, name):
                raise AttributeError(name)

        self.assertTrue(op.learn(Unsure(), "G F goal", **PMIN).holds)

    def test_functions_of_other_kinds(self):
        async def later(self, *unused):
            return 0

        def generator(self, *unused):
            yield 0

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            for wrong in (later, generator):
                for member in ("reset", "step", "actions"):
                    with self.assertRaises(TypeError, msg=(wrong, member)):
                        op.learn(make(**{member: wrong}), "G F goal", **PMIN)
            with self.assertRaises(TypeError):
                op.learn(make(labels=later), "G F goal", **PMIN)
            gc.collect()

        async def run():
            return op.learn(Walk(), "G F goal", **PMIN)

        self.assertTrue(asyncio.run(run()).holds)

    def test_actions_of_other_kinds(self):
        class Array(list):  # like numpy's: the type has __index__, but most values cannot be converted
            def __index__(self):
                raise TypeError("only integer scalar arrays can be converted to a scalar index")

        for given in (True, ("a", "b"), Array(["a", "b"]), 2, range(0)):
            is_absorbing = given == range(0)  # all episodes are then the same
            result = op.learn(make(actions=lambda self, state: given), "F goal", deterministic=is_absorbing, **PMIN)
            self.assertEqual(result.end, "done", given)
        for given in (2.0, "ab", b"ab", {"a": 1}, {"a"}, [1], [None], object(), iter("ab")):
            with self.assertRaises(TypeError, msg=given) as caught:
                op.learn(make(actions=lambda self, state: given), "F goal", **PMIN)
            self.assertIn("actions(0)", str(caught.exception))
        for given in (-1, 2**31, 10**30, -(10**30)):
            with self.assertRaisesRegex(ValueError, "actions.0. returned", msg=given):
                op.learn(make(actions=lambda self, state: given), "F goal", **PMIN)

    def test_labels_of_other_kinds(self):
        for given in ((), set(), {}, iter(()), {"goal": 0}, frozenset(["goal"]), (x for x in ["goal", "goal"])):
            kept = list(given)
            self.assertIn(op.learn(make(labels=lambda self, state: iter(kept)), "F goal", **PMIN).end, ("done", "livelock"))

    def test_texts_of_any_size(self):
        class Wordy(int):
            def __repr__(self):
                return "x" * 10**6 + str(int(self))

        class Texts(Walk):
            def reset(self, seed):
                return "y" * 10**6 + str(super().reset(seed))

            def step(self, action):
                return "y" * 10**6 + str(super().step(action))

            def labels(self, state):
                return super().labels(int(state[10**6:]))

        self.assertTrue(op.learn(Texts(), "G F goal", **PMIN).holds)

        def wordy(self, state):
            return [Wordy(3)]

        with self.assertRaises(TypeError) as caught:
            op.learn(make(labels=wordy), "G F goal", **PMIN)
        self.assertLess(len(str(caught.exception)), 1000)

    def test_texts_that_hold_themselves(self):
        class Loop:
            def __repr__(self):
                return repr(self)

        with self.assertRaises(RecursionError):
            op.learn(make(step=lambda self, action: Loop()), "G F goal", **PMIN)

    def test_states_that_change(self):
        class Cell:
            def __init__(self, at):
                self.at = at

            def __eq__(self, other):
                return self.at == other.at

            def __hash__(self):
                return hash(self.at)

            def __repr__(self):
                return f"Cell({self.at})"

        class Changing(Walk):
            cell = Cell(0)

            def reset(self, seed):
                self.cell.at = super().reset(seed)
                return self.cell

            def step(self, action):
                self.cell.at = super().step(action)
                return self.cell

            def labels(self, state):
                return super().labels(state.at)

        try:  # the same object in all states is an error, or taken as the state that it is at the time
            op.learn(Changing(), "G F goal", max_steps=1000, **PMIN)
        except (ValueError, op.SimulatorError):
            pass

    def test_numbers_of_all_kinds_are_one_state(self):
        import decimal
        import fractions

        for values in ((fractions.Fraction(2), 2, decimal.Decimal(2)), (fractions.Fraction(1, 2), 0.5, decimal.Decimal("0.5"))):
            self.assertEqual(len({op.environments.key(value) for value in values}), 1, values)
        self.assertEqual(op.environments.key(fractions.Fraction(1, 3)), b"Fraction(1, 3)")


class Reentrant(unittest.TestCase):
    """Callbacks that use, or release, objects of the current run."""

    def test_a_policy_while_another_is_learned(self):
        policy = op.learn(Walk(), "G F goal", **PMIN).policy

        class Asking(Walk):
            def labels(self, state):
                policy.act(state)
                policy.reset()
                return super().labels(state)

        self.assertTrue(op.learn(Asking(), "G F goal", **PMIN).holds)

    def test_a_run_in_each_member(self):
        def nested(member):
            def call(self, *rest):
                if not self.inside:
                    type(self).inside = True
                    self.result = op.learn(Walk(), "F goal", **PMIN)
                return getattr(Walk, member)(self, *rest)

            return call

        for member in ("reset", "step", "labels", "actions"):
            env = make(inside=False, **{member: nested(member)})
            self.assertTrue(op.learn(env, "G F goal", **PMIN).holds)
            self.assertTrue(env.result.holds)

    def test_the_same_environment_in_itself(self):
        class Self(Walk):
            depth = 0

            def labels(self, state):
                if Self.depth < 3:
                    Self.depth += 1
                    op.learn(self, "F goal", **PMIN)
                return super().labels(state)

        self.assertTrue(op.learn(Self(), "F goal", **PMIN).holds)

    def test_environments_that_let_go(self):
        class Loose(Walk):
            def step(self, action):
                if "step" not in self.__dict__:
                    self.__dict__.update(reset=None, step=None, labels=None, actions=None)
                    gc.collect()
                return super().step(action)

        self.assertTrue(op.learn(Loose(), "G F goal", **PMIN).holds)

    def test_callbacks_that_raise_anything(self):
        for error in (LookupError, SystemExit, GeneratorExit, RecursionError):
            def fail(unused):
                raise error

            for env in (Walk(), make(fork=lambda self: Walk())):
                with self.assertRaises(error):
                    op.learn(env, "G F goal", trace=fail, **PMIN)
        for callback in (3, "x", object()):
            with self.assertRaises(TypeError):
                op.learn(Walk(), "G F goal", trace=callback, **PMIN)

    def test_one_policy_in_many_threads(self):
        """The memory is then arbitrary, but the actions are valid."""
        policy = op.learn(Walk(), "G F goal", **PMIN).policy
        found = set()

        def use():
            for i in range(2000):
                found.add(policy.act(i % 5))
                if i % 7 == 0:
                    policy.reset()

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(found, {0, 1})


class Large(unittest.TestCase):
    @full
    def test_a_hundred_thousand_states(self):
        """The labels of each state are called once."""

        class Long(Walk):
            calls = 0

            def reset(self, seed):
                self.at = 0
                return (0, 0)

            def step(self, action):
                self.at = (self.at + 1) % 100_000
                return divmod(self.at, 300)

            def labels(self, state):
                Long.calls += 1
                return []

            def actions(self, state):
                return 1

        result = op.learn(Long(), "G F goal", T=10**5, k=10**9, epsilon=0.1, delta=0.1, sampler="step", max_steps=200_000,
                          deterministic=True)
        self.assertEqual(result.stats["states_seen"], 100_000)
        self.assertEqual(Long.calls, 100_000)


if __name__ == "__main__":
    unittest.main()
