# SPDX-License-Identifier: MIT
"""omegapac.gym on environments that imitate Gymnasium's; Gymnasium need not be installed."""
import pickle
import random
import unittest
import unittest.mock
from fractions import Fraction

import omegapac
import omegapac as op
from omegapac import gym
from omegapac._gym_states import Terminal, plain
from omegapac.errors import SimulatorError


class Space:
    def __init__(self, n=None, start=0, **others):
        if n is not None:
            self.n, self.start = n, start
        self.__dict__.update(others)

    def contains(self, item):
        return self.start <= item < self.start + self.n


class Walk:
    """States 0 … 4; action `first` moves left, the next one right, with probability 1/4 the other way; 4 terminates."""

    def __init__(self, first=0, limit=None, starts=(1,)):
        self.observation_space = Space(5)
        self.action_space = Space(2, first)
        self.first, self.limit, self.starts = first, limit, starts

    def reset(self, *, seed=None, options=None):
        self.random = random.Random(seed)
        self.place = self.random.choice(self.starts)
        self.time = 0
        return self.place, {}

    def step(self, action):
        assert action in (self.first, self.first + 1)
        way = 1 if action > self.first else -1
        if self.random.random() < 0.25:
            way = -way
        bump = self.place + way < 0
        self.place = max(0, self.place + way)
        self.time += 1
        cut = self.limit is not None and self.time >= self.limit
        return self.place, -1.0 if bump else 0.0, self.place == 4, cut, {"bump": bump}


class TimeLimit:
    """A wrapper with the name and the behaviour of Gymnasium's TimeLimit."""

    def __init__(self, env, steps):
        self.env, self.steps = env, steps

    def __getattr__(self, name):
        if name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)

    def reset(self, **options):
        self.elapsed = 0
        return self.env.reset(**options)

    def step(self, action):
        self.elapsed += 1
        place, reward, ended, cut, info = self.env.step(action)
        return place, reward, ended, cut or self.elapsed >= self.steps, info


class Shifted:
    """Another wrapper, which adds 10 to observations."""

    def __init__(self, env):
        self.env = env
        self.observation_space, self.action_space = env.observation_space, env.action_space

    def reset(self, **options):
        place, info = self.env.reset(**options)
        return place + 10, info

    def step(self, action):
        place, *rest = self.env.step(action)
        return (place + 10, *rest)


def run(env, seed, actions):
    states = [env.reset(seed)]
    for action in actions:
        if env.actions(states[-1]) == 0:
            break
        states.append(env.step(action))
    return states


class Array:
    """The common interface of NumPy's arrays and scalars."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


class Plain(unittest.TestCase):
    def test_values(self):
        for given, wanted in [
            (3, 3), (True, 1), ("a", "a"), (None, None), (b"x", b"x"),
            (Array(7), 7), (Array([[1, 2], [3, 4]]), ((1, 2), (3, 4))),
            ([1, (2, Array([3]))], (1, (2, (3,)))),
            ({"b": 1, "a": Array([0])}, (("a", (0,)), ("b", 1))),
            ({3, 1}, (1, 3)), (frozenset(), ()),
        ]:
            with self.subTest(given=given):
                got = plain(given)
                self.assertEqual(got, wanted)
                self.assertEqual(repr(got), repr(wanted))
                hash(got)

    def test_floats_need_a_key(self):
        for value in (0.5, Array(0.5), Array([1, 0.5]), {"x": 0.5}):
            with self.assertRaisesRegex(TypeError, "give key="):
                plain(value)
            hash(plain(value, floats=True))

    def test_no_stable_identity(self):
        with self.assertRaisesRegex(TypeError, "address"):
            plain(object())
        with self.assertRaisesRegex(TypeError, "not hashable"):
            plain(bytearray(b"x"))

    def test_terminal_is_a_value(self):
        self.assertEqual(Terminal(4), Terminal(4))
        self.assertEqual(hash(Terminal(4)), hash(Terminal(4)))
        self.assertNotEqual(Terminal(4), 4)
        self.assertNotEqual(Terminal(4), Terminal(5))
        self.assertEqual(repr(Terminal((4, ("a",)))), "terminal((4, ('a',)))")


class Labels(unittest.TestCase):
    def test_by_name(self):
        env = gym.wrap(Walk(), {"end": [4], "low": lambda place: place < 2, "two": 2})
        self.assertEqual(env.propositions, ("end", "low", "two"))
        self.assertEqual(env.labels(1), ("low",))
        self.assertEqual(env.labels(2), ("two",))
        self.assertEqual(env.labels(3), ())
        self.assertEqual(env.labels(Terminal(4)), ("end",))

    def test_one_or_several(self):
        for given, where in ((2, {2}), ([2, 3], {2, 3}), ((2, 3), {2, 3}), ({3}, {3}), (range(2), {0, 1}),
                             (iter([4]), {4}), ([], set())):
            env = gym.wrap(Walk(), {"a": given})
            self.assertEqual({place for place in range(5) if env.labels(place)}, where)
        for given in ((2, 0), [(2, 0)], ((2, 0), (3, 1)), [[2, 0]]):
            env = gym.wrap(Walk(), {"a": given}, key=lambda seen: (seen, seen // 3))
            self.assertEqual(env.labels((2, 0)), ("a",))
            self.assertEqual(env.labels((0, 0)), ())

    def test_observations_outside_of_the_space(self):
        class Discrete(Space):
            pass

        env = Walk()
        env.observation_space = Discrete(5)
        for given in (5, -1, "4", [0, 7], (1, 9), 0.5, float("nan")):
            with self.assertRaisesRegex(ValueError, "'a' cannot hold in .* are 0 to 4"):
                gym.wrap(env, {"a": given})
            with self.assertRaisesRegex(ValueError, "cannot hold"):
                gym.wrap(env, {}, terminal={"a": given})
        for given in (4, [0, 4], (0, 4), 4.0, True):
            gym.wrap(env, {"a": given})
        gym.wrap(env, {"a": "x"}, key=str)

    def test_function(self):
        env = gym.wrap(Walk(), lambda place: "end" if place == 4 else None, propositions=["end"])
        self.assertEqual(env.labels(3), ())
        self.assertEqual(env.labels(Terminal(4)), ("end",))

    def test_function_needs_propositions(self):
        with self.assertRaisesRegex(TypeError, "give propositions="):
            gym.wrap(Walk(), lambda place: ())

    def test_order_of_names_is_that_of_propositions(self):
        env = gym.wrap(Walk(), lambda place: ["b", "a", "b"], propositions=["a", "b"])
        self.assertEqual(env.labels(0), ("a", "b"))

    def test_unknown_name(self):
        env = gym.wrap(Walk(), lambda place: ["gaol"], propositions=["goal"])
        with self.assertRaisesRegex(ValueError, "'gaol'.*'goal'"):
            env.labels(0)

    def test_bad_forms(self):
        for labels in (lambda: (), lambda a, b: (), lambda *a: (), lambda a, b, c, d, e, f: ()):
            with self.assertRaisesRegex(TypeError, "expected labels"):
                gym.wrap(Walk(), labels, propositions=["a"])
        with self.assertRaisesRegex(TypeError, "expected labels"):
            gym.wrap(Walk(), lambda place, *more: (), propositions=["a"])
        with self.assertRaisesRegex(TypeError, "not int"):
            gym.wrap(Walk(), 3)
        with self.assertRaisesRegex(TypeError, "is not a str"):
            gym.wrap(Walk(), {4: ["end"]})
        with self.assertRaisesRegex(TypeError, "not one str"):
            gym.wrap(Walk(), lambda place: (), propositions="goal")

    def test_defaults_do_not_count(self):
        env = gym.wrap(Walk(), lambda place, end=4: ["end"] * (place == end), propositions=["end"])
        self.assertEqual(env.labels(4), ("end",))

    def test_of_transitions(self):
        seen = []

        def labels(before, action, after):
            seen.append((before, action, after))
            return ["right"] if before is not None and after > before else []

        env = gym.wrap(Walk(first=5), labels, propositions=["right"])
        states = run(env, 1, [1] * 50)
        self.assertEqual(states[0], (1, ()))
        self.assertEqual(seen[0], (None, None, 1))
        self.assertTrue(all(action == 6 for _, action, _ in seen[1:]))
        for (_, _, after), state in zip(seen, states):
            inner = state.state if isinstance(state, Terminal) else state
            self.assertEqual(inner[0], after)
            self.assertEqual(env.labels(state), inner[1])
        for one, other in zip(seen, seen[1:]):
            self.assertEqual(one[2], other[0])
        self.assertIn((2, ("right",)), states)
        self.assertEqual(states[-1], Terminal((4, ("right",))))

    def test_reward_and_info(self):
        by_reward = {"bump": lambda before, action, after, reward: reward == -1}
        by_info = {"bump": lambda b, a, n, r, info: info is not None and info["bump"]}
        for seed in range(5):
            actions = [random.Random(seed).randrange(2) for _ in range(60)]
            one = run(gym.wrap(Walk(), by_reward), seed, actions)
            self.assertEqual(one, run(gym.wrap(Walk(), by_info), seed, actions))
            if (0, ("bump",)) in one:
                return
        self.fail("no bump in any run")


class Episodes(unittest.TestCase):
    def test_same_seed_same_episode(self):
        env = gym.wrap(Walk(starts=(0, 1, 2, 3)), {"end": 4})
        actions = [random.Random(9).randrange(2) for _ in range(40)]
        for seed in (0, 1, 2**63 - 1):
            self.assertEqual(run(env, seed, actions), run(env, seed, actions))
            self.assertEqual(run(env, seed, actions), run(env.fork(), seed, actions))
        self.assertEqual({env.reset(seed) for seed in range(40)}, {0, 1, 2, 3})
        with self.assertRaisesRegex(SimulatorError, "step before reset"):
            env.fork().step(0)

    def test_pmin_is_a_function_of_the_states(self):
        asked = set()

        def least(state, action):
            asked.add((state, action))
            return 0.25

        result = op.learn(gym.wrap(Walk(first=3), {"end": 4}), "F end", epsilon=0.1, delta=0.1, pmin=least)
        self.assertTrue(result.holds)
        self.assertEqual(asked, {(place, action) for place in range(4) for action in (0, 1)})
        self.assertEqual(result.stats["pmin_least"], 0.25)
        asked.clear()
        env = gym.wrap(Walk(), lambda b, a, n: ["bump"] if a == 0 and b == 0 == n else [], propositions=["bump"])
        op.learn(env, "F bump", epsilon=0.1, delta=0.1, pmin=least)
        self.assertIn(((0, ("bump",)), 1), asked)

    def test_termination_is_a_state_of_its_own(self):
        env = gym.wrap(Walk(), {"end": 4})
        states = run(env, 0, [1] * 100)
        self.assertEqual(states[-1], Terminal(4))
        self.assertEqual(env.actions(states[-1]), 0)
        self.assertNotIn(4, states)
        with self.assertRaisesRegex(SimulatorError, "step before reset"):
            env.step(0)

    def test_labels_of_the_end(self):
        labels = {"end": 4}
        for terminal, wanted in [
            (None, ("end",)), ([], ()), (["done"], ("done",)), ("done", ("done",)),
            ({"done": [4]}, ("done",)), ({"done": [3]}, ()),
        ]:
            env = gym.wrap(Walk(), labels, terminal=terminal)
            self.assertEqual(env.labels(Terminal(4)), wanted)
            self.assertEqual(env.labels(4), ("end",))
        env = gym.wrap(Walk(), labels, terminal=lambda b, a, n: ["end"] if b == 3 else [],
                       propositions=["end"])
        self.assertEqual(run(env, 0, [1] * 100)[-1], Terminal((4, ("end",))))
        env = gym.wrap(Walk(), lambda b, a, n: ["end"], terminal=[], propositions=["end"])
        self.assertEqual(run(env, 0, [1] * 100)[-1], Terminal((4, ())))

    def test_step_before_reset(self):
        with self.assertRaisesRegex(SimulatorError, "step before reset"):
            gym.wrap(Walk(), {}).step(0)

    def test_fixed_start(self):
        self.assertTrue(gym.wrap(Walk(), {}).random_start)
        env = gym.wrap(Walk(), {}, start="fixed")
        self.assertFalse(env.random_start)
        for seed in range(10):
            env.reset(seed)
        env = gym.wrap(Walk(starts=(1, 2)), {}, start="fixed")
        other = env.fork()
        with self.assertRaisesRegex(SimulatorError, "start='fixed'.*omit start="):
            for seed in range(20):
                (env if seed % 2 else other).reset(seed)
        with self.assertRaisesRegex(ValueError, "'random' or 'fixed'"):
            gym.wrap(Walk(), {}, start="any")

    def test_actions(self):
        env = gym.wrap(Walk(first=3), {}, actions=["left", "right"])
        self.assertEqual(env.actions(0), ["left", "right"])
        self.assertEqual([env.action(0), env.action(1)], [3, 4])
        for number in (-1, 2):
            with self.assertRaises(IndexError):
                env.action(number)
        self.assertEqual(gym.wrap(Walk(), {}).actions(0), 2)
        with self.assertRaisesRegex(ValueError, "3 names for 2 actions"):
            gym.wrap(Walk(), {}, actions=["a", "b", "c"])

    def test_fewer_actions(self):
        env = gym.wrap(Walk(first=3), {}, actions={"right": 4})
        self.assertEqual(env.actions(0), ["right"])
        self.assertEqual(env.action(0), 4)
        with self.assertRaisesRegex(ValueError, "'up', 5, is not in"):
            gym.wrap(Walk(first=3), {}, actions={"up": 5})
        with self.assertRaisesRegex(ValueError, "actions= is empty"):
            gym.wrap(Walk(), {}, actions={})

    def test_tuples_of_actions(self):
        walk = Walk()
        walk.action_space = Space(spaces=(Space(2), Space(3, 1)))
        env = gym.wrap(walk, {})
        self.assertEqual([env.action(i) for i in range(env.actions(0))],
                         [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)])

    def test_what_is_not_discrete(self):
        walk = Walk()
        walk.action_space = Space(low=0, high=1)
        with self.assertRaisesRegex(TypeError, "ActionWrapper"):
            gym.wrap(walk, {})
        walk = Walk()
        walk.observation_space = Space(dtype=Space(kind="f"))
        with self.assertRaisesRegex(TypeError, "give key="):
            gym.wrap(walk, {})
        walk.observation_space = Space(spaces={"a": Space(3), "b": Space(dtype=Space(kind="f"))})
        with self.assertRaisesRegex(TypeError, "give key="):
            gym.wrap(walk, {})
        gym.wrap(walk, {}, key=lambda place: place)
        with self.assertRaisesRegex(TypeError, r"no reset\(\)"):
            gym.wrap(3, {})
        with self.assertRaisesRegex(TypeError, "only valid with the name"):
            gym.wrap(Walk(), {}, map_name="8x8")

    def test_key(self):
        env = gym.wrap(Walk(), {"end": [(2, 0.0)]}, key=lambda place: [place // 2, 0.0])
        states = run(env, 0, [1] * 100)
        self.assertEqual(states[0], (0, 0.0))
        self.assertEqual(states[-1], Terminal((2, 0.0)))
        self.assertEqual(env.labels(states[-1]), ("end",))


class Old(Walk):
    """An environment with the interface of Gym before 0.26."""

    def __init__(self, reset=None, step=None):
        super().__init__()
        self.answers = reset, step

    def reset(self, **options):
        super().reset(**options)
        return self.answers[0]

    def step(self, action):
        return self.answers[1]


class Invalid(unittest.TestCase):
    """Objects that are not valid environments: the message says what to do."""

    def test_old_answers(self):
        for answer in (1, None, (1,), (1, {}, 2)):
            with self.assertRaisesRegex(SimulatorError, r"reset returned .*, not \(observation, info\)"):
                gym.wrap(Old(answer), {}).reset(1)
        for answer in ((1, 0.0, False, {}), None, 7):
            env = gym.wrap(Old((1, {}), answer), {})
            env.reset(1)
            with self.assertRaisesRegex(SimulatorError, r"step returned .*, not \(observation, reward"):
                env.step(0)

    def test_no_seed(self):
        class Seedless(Walk):
            def reset(self):
                return super().reset()

        with self.assertRaisesRegex(TypeError, "Seedless.reset takes no seed"):
            gym.wrap(Seedless(), {})

    def test_classes(self):
        with self.assertRaisesRegex(TypeError, "Walk is a class: pass an instance"):
            gym.wrap(Walk, {})

    def test_without_wrap(self):
        with self.assertRaisesRegex(TypeError, r"omegapac.gym.wrap\(env, labels\)"):
            omegapac.learn(Walk(), "F a", epsilon=0.1, delta=0.1, pmin=0.25)

    def test_names(self):
        self.assertEqual(repr(gym.wrap(Walk(), {"a": 1, "b": 2})), "<Environment: Walk, names a, b, 2 actions>")
        env = gym.wrap(Walk(), {"end": 4})
        result = omegapac.learn(env, "F end", epsilon=0.5, delta=0.5, pmin=0.25)
        self.assertEqual(result.to_dict()["inputs"]["model"], "Walk")


class Limits(unittest.TestCase):
    def test_a_limit_is_taken_off(self):
        walk = Walk()
        limited = TimeLimit(walk, 3)
        actions = [0] * 200
        free = run(gym.wrap(Walk(), {}), 5, actions)
        self.assertGreater(len(free), 4)
        self.assertEqual(run(gym.wrap(limited, {}), 5, actions), free)
        self.assertIs(limited.env, walk)

    def test_a_limit_below_another_wrapper(self):
        limited = TimeLimit(Walk(), 3)
        shifted = Shifted(limited)
        states = run(gym.wrap(shifted, {}), 5, [0] * 200)
        plain_states = run(gym.wrap(Walk(), {}), 5, [0] * 200)
        inner = [state.state if isinstance(state, Terminal) else state for state in states]
        self.assertEqual(inner, [10 + (state.state if isinstance(state, Terminal) else state)
                                 for state in plain_states])
        self.assertIs(shifted.env, limited)

    def test_truncation_is_no_end(self):
        env = gym.wrap(Walk(limit=3), {})
        env.reset(5)
        env.step(0)
        env.step(0)
        with self.assertRaisesRegex(SimulatorError, "after 3 steps.*truncated='continue'"):
            env.step(0)
        env.reset(5)
        env.step(0)
        env.step(0)
        with self.assertRaisesRegex(SimulatorError, "after 3 steps"):
            env.step(0)
        env = gym.wrap(Walk(limit=1, starts=(3,)), {})  # terminated and truncated at once: terminated
        self.assertIn(Terminal(4), [state for seed in range(20) for state in _until_cut(env, seed)])
        env = gym.wrap(Walk(limit=3), {}, truncated="continue")
        self.assertEqual(run(env, 5, [0] * 200), run(gym.wrap(Walk(), {}), 5, [0] * 200))
        with self.assertRaisesRegex(ValueError, "'error' or 'continue'"):
            gym.wrap(Walk(), {}, truncated="yes")


def _until_cut(env, seed):
    try:
        return run(env, seed, [1])
    except SimulatorError:
        return []


class Lanes(unittest.TestCase):
    def test_lanes_are_episodes_of_their_own(self):
        labels = {"bump": lambda before, action, after, reward: reward == -1}
        single = gym.wrap(Walk(starts=(0, 1, 2)), labels)
        many = gym.wrap(Walk(starts=(0, 1, 2)), labels, lanes=3)
        self.assertEqual(many.lanes, 3)
        compare_lanes(self, single, many, rounds=300)

    def test_idle_lanes_are_not_reset_again(self):
        many = gym.wrap(Walk(starts=(0, 1, 2, 3)), {}, lanes=2)
        single = many.fork()
        idle = ("reset", 77)
        first = many.step_many([idle, idle])
        self.assertEqual(first, [single.reset(77)] * 2)
        with unittest.mock.patch.object(Walk, "reset", side_effect=AssertionError):
            for _ in range(3):
                self.assertEqual(many.step_many([idle, idle]), first)
        after = many.step_many([("step", 1), ("step", 1)])
        self.assertEqual(after, [single.step(1)] * 2)
        self.assertEqual(many.step_many([idle, ("step", 1)]), [first[0], single.step(1)])
        single.reset(77)
        self.assertEqual(many.step_many([("step", 1), idle]), [single.step(1), first[0]])

    def test_wrong_numbers(self):
        with self.assertRaisesRegex(ValueError, "at least 1"):
            gym.wrap(Walk(), {}, lanes=0)
        with self.assertRaisesRegex(ValueError, "1 requests for 2 lanes"):
            gym.wrap(Walk(), {}, lanes=2).step_many([("reset", 1)])

    def test_a_fork_is_alone(self):
        other = gym.wrap(Walk(), {}, lanes=2).fork()
        self.assertFalse(hasattr(other, "lanes"))
        self.assertEqual(other.reset(1), 1)


def compare_lanes(case, single, many, rounds):
    """Random requests, also resets within episodes: each lane does what a single instance does."""
    chance = random.Random(4)
    alone = [single.fork() for _ in range(many.lanes)]
    states = [None] * many.lanes
    for _ in range(rounds):
        requests = []
        for state in states:
            count = 0 if state is None else many.actions(state)
            if count == 0 or chance.random() < 0.05:
                requests.append(("reset", chance.randrange(2**63)))
            else:
                requests.append(("step", chance.randrange(count)))
        states = many.step_many(requests)
        wanted = [lane.reset(number) if what == "reset" else lane.step(number)
                  for lane, (what, number) in zip(alone, requests)]
        case.assertEqual(states, wanted)
        case.assertEqual([repr(state) for state in states], [repr(state) for state in wanted])


class Ice:
    """A slippery grid of three by three: a move has the intended direction with probability 1/3; cell 8 terminates."""

    def __init__(self, starts):
        self.action_space, self.starts = Space(4), starts

    def reset(self, *, seed=None, options=None):
        self.random = random.Random(seed)
        self.place = self.random.choice(self.starts)
        return self.place, {}

    def step(self, action):
        way = (action + self.random.randrange(-1, 2)) % 4
        across = min(2, max(0, self.place % 3 + (1, 0, -1, 0)[way]))
        down = min(2, max(0, self.place // 3 + (0, 1, 0, -1)[way]))
        self.place = 3 * down + across
        return self.place, 0.0, self.place == 8, False, {}


class Learned(unittest.TestCase):
    def test_lanes_learn_the_same(self):
        """The result does not depend on the number of lanes, because a seed belongs to an episode."""
        for seed in range(1, 7):
            found = []
            for lanes in (None, 1, 2, 5):
                env = gym.wrap(Ice((0, 1) if seed % 2 else (0,)), {"end": 8, "bad": 4}, lanes=lanes)
                found.append(omegapac.learn(env, "(F end) & (G !bad)", epsilon=0.2, delta=0.1, pmin=1 / 3,
                                            states=9, actions=4, seed=seed))
            for other in found[1:]:
                self.assertEqual(other.to_dict()["result"], found[0].to_dict()["result"])
                self.assertEqual(other.stats["episodes"], found[0].stats["episodes"])
                self.assertEqual(other.policy.to_dict(), found[0].policy.to_dict())

    def test_lanes_learn_the_same_from_T(self):
        for seed in range(1, 4):
            labels, objective = {"end": 8, "bad": 4}, "(F end) & (G !bad)"
            starts = (0, 1) if seed % 2 else (0,)
            found = [omegapac.learn(gym.wrap(Ice(starts), labels, lanes=lanes), objective, epsilon=0.05, delta=0.1, T=160, target=0.3,
                                    seed=seed) for lanes in (None, 1, 2, 5)]
            self.assertTrue(found[0].holds)
            for other in found[1:]:
                self.assertEqual(other.to_dict()["result"], found[0].to_dict()["result"])
                self.assertEqual((other.trial, other.candidates, other.trace), (found[0].trial, found[0].candidates, found[0].trace))
                self.assertEqual(other.policy.to_dict(), found[0].policy.to_dict())

    def test_from_T_against_the_table(self):
        """T is that of the exact model. Of ten runs with δ = 0.1, more than six are wrong with probability 1e-5."""
        labels, objective = {"end": 4, "bump": lambda before, action, after, reward: reward == -1}, "(F end) & (G !bump)"
        exact = gym.model(Toy(), labels)
        best, T = omegapac.check(exact, objective).value, omegapac.recurrence(exact, objective, epsilon=0.05).T
        misses = 0
        for seed in range(1, 11):
            result = omegapac.learn(gym.wrap(Toy(), labels), objective, epsilon=0.05, delta=0.1, T=T, seed=seed)
            self.assertTrue(result.holds, result.statement)
            self.assertLessEqual(result.gap, 0.2)
            misses += not result.lower <= best <= result.optimum_upper
            self.assertEqual([result.policy.copy().act((place, ())) for place in (1, 2, 3)], [1, 1, 1])
        self.assertLessEqual(misses, 6)

    def test_limits_and_T(self):
        """An episode of T steps is never cut short: a limit is removed, longer than the episodes, or an error."""

        def learn(env, **options):
            return omegapac.learn(gym.wrap(env, {"low": 0, "top": 3}, **options), "G F low", epsilon=0.1, delta=0.1, T=300)

        class Endless(Walk):
            """Four places; an episode does not end."""

            def step(self, action):
                self.place, reward, _, cut, info = super().step(action)
                self.place = min(self.place, 3)
                return self.place, reward, False, cut, info

        free = learn(Endless())
        self.assertTrue(free.holds)
        self.assertGreater(free.lower, 0.6)
        for env, options in ((TimeLimit(Endless(), 3), {}), (Endless(limit=601), {}), (Endless(limit=3), {"truncated": "continue"}),
                             (TimeLimit(Endless(), 3), {"lanes": 3})):
            other = learn(env, **options)
            self.assertEqual((other.lower, other.upper, other.trial), (free.lower, free.upper, free.trial))
        for limit in (3, 100, 299, 300):
            for lanes in (None, 2):
                with self.assertRaisesRegex(SimulatorError, f"truncated an episode after {limit} steps"):
                    learn(Endless(limit=limit), lanes=lanes)

    def test_exceptions_during_trials(self):
        class Broken(Walk):
            left = 900

            def step(self, action):
                Broken.left -= 1
                if Broken.left == 0:
                    raise LookupError("no power")
                return super().step(action)

        for lanes in (None, 3):
            Broken.left = 900
            with self.assertRaisesRegex(LookupError, "no power"):
                omegapac.learn(gym.wrap(Broken(), {"end": 4, "low": 0}, lanes=lanes), "!low U end", epsilon=0.01, delta=0.1, T=200)

    def test_against_the_table(self):
        labels = {"end": 4, "bump": lambda before, action, after, reward: reward == -1}
        objective = "(F end) & (G !bump)"
        best = omegapac.check(gym.model(Toy(), labels), objective).value
        result = omegapac.learn(gym.wrap(Toy(), labels), objective, epsilon=0.1, delta=0.05, pmin=0.25)
        self.assertTrue(result.holds)
        self.assertLessEqual(result.lower, best)
        self.assertGreaterEqual(result.optimum_upper, best)
        self.assertGreaterEqual(result.lower, best - 0.1)
        self.assertEqual([result.policy.copy().act((place, ())) for place in (1, 2, 3)], [1, 1, 1])

    def test_policies_accept_observations(self):
        """Also arrays and dicts; in an unknown state the policy would take the first action."""

        class Boxed(Walk):
            def reset(self, **options):
                place, info = super().reset(**options)
                return {"at": Array([place]), "also": 0}, info

            def step(self, action):
                place, *rest = super().step(action)
                return ({"at": Array([place]), "also": 0}, *rest)

        names = {"end": lambda seen: dict(seen)["at"] == (4,), "low": lambda seen: dict(seen)["at"] == (0,)}
        policy = omegapac.learn(gym.wrap(Boxed(), names), "!low U end", epsilon=0.2, delta=0.2, pmin=0.25).policy
        for each in (policy, policy.copy(), pickle.loads(pickle.dumps(policy)),
                     omegapac.Policy.parse(policy.to_json(), key=gym.plain)):
            for place in (1, 2, 3):
                each.reset()
                self.assertEqual(each.act({"at": Array([place]), "also": 0}), 1)
                self.assertEqual(each.act((("also", 0), ("at", (place,)))), 1)

    def test_numbered_cells_are_drawn_as_a_grid(self):
        ice = Walk()
        ice.ncol = 3
        env = gym.wrap(ice, {"end": 4}, actions=["left", "right"])
        policy = omegapac.learn(env, "F end", epsilon=0.2, delta=0.2, pmin=0.25).policy
        for each in (policy, policy.copy(), pickle.loads(pickle.dumps(policy))):
            self.assertEqual(each.to_svg(), policy.to_svg(columns=3))
        self.assertGreater(policy.to_svg().count("opac-way"), 2)
        self.assertEqual(policy.to_svg(columns=0).count("<rect"), 0)
        self.assertIsNone(gym.wrap(ice, {}, key=str).columns)
        del ice.ncol
        ice.shape = (2, 3)
        self.assertEqual(gym.wrap(ice, {}).columns, 3)
        ice.shape = "other"
        self.assertIsNone(gym.wrap(ice, {}).columns)

    def test_errors_come_out(self):
        with self.assertRaisesRegex(SimulatorError, "truncated an episode"):
            omegapac.learn(gym.wrap(Walk(limit=3), {"end": 4}), "F end", epsilon=0.1, delta=0.1, pmin=0.25)


class Toy(Walk):
    """A Walk with the transition table of Gymnasium's toy environments."""

    def __init__(self, initial=(0, 1, 0, 0, 0)):
        super().__init__()
        self.unwrapped = self
        self.initial_state_distrib = initial
        self.P = {place: {action: [self.entry(place, 0.75, way), self.entry(place, 0.25, -way)]
                          for action, way in ((0, -1), (1, 1))} for place in range(5)}

    def entry(self, place, probability, way):
        after = min(4, max(0, place + way))
        return probability, after, -1.0 if place + way < 0 else 0.0, after == 4


class Tables(unittest.TestCase):
    def test_states_are_those_of_wrap(self):
        table = gym.Table(Toy(), {"end": 4, "low": [0, 1]})
        self.assertEqual(set(table.states), {0, 1, 2, 3, Terminal(4)})
        number = {state: i for i, state in enumerate(table.states)}
        self.assertEqual(table.initial, [number[1]])
        self.assertEqual(table.labels["end"], [number[Terminal(4)]])
        self.assertEqual(sorted(table.labels["low"]), sorted([number[0], number[1]]))
        self.assertEqual(table.transitions[number[0]][0], {number[0]: 0.75, number[1]: 0.25})
        self.assertEqual(table.transitions[number[Terminal(4)]], [{number[Terminal(4)]: 1.0}])

    def test_letters_of_transitions(self):
        bump = {"bump": lambda before, action, after, reward: reward == -1}
        table = gym.Table(Toy(), bump)
        number = {state: i for i, state in enumerate(table.states)}
        self.assertIn((0, ("bump",)), number)
        self.assertEqual(table.labels["bump"], [number[0, ("bump",)]])
        self.assertEqual(table.transitions[number[0, ()]][0],
                         {number[0, ("bump",)]: 0.75, number[1, ()]: 0.25})
        self.assertEqual(table.transitions[number[0, ()]], table.transitions[number[0, ("bump",)]])

    def test_successors_named_twice(self):
        toy = Toy()
        toy.P[1][0] = [(0.25, 0, 0, False), (0.5, 2, 0, False), (0.25, 0, 0, False)]
        table = gym.Table(toy, {})
        number = {state: i for i, state in enumerate(table.states)}
        self.assertEqual(table.transitions[number[1]][0], {number[0]: 0.5, number[2]: 0.5})

    def test_simple_fractions(self):
        toy = Toy()
        third = (1.0 - 1.0 / 3.0) / 2.0  # not 1/3 to the last bit
        toy.P[1][0] = [(1.0 / 3.0, 0, 0, False), (third, 2, 0, False), (third, 0, 0, False)]
        odd = 0.7234567890123456
        toy.P[1][1] = [(odd, 0, 0, False), (1 - odd, 2, 0, False)]
        table = gym.Table(toy, {})
        number = {state: i for i, state in enumerate(table.states)}
        self.assertEqual(table.transitions[number[1]][0],
                         {number[0]: Fraction(2, 3), number[2]: Fraction(1, 3)})
        self.assertAlmostEqual(float(table.transitions[number[1]][1][number[0]]), odd, places=15)

    def test_an_observation_with_and_without_termination(self):
        toy = Toy()
        toy.P[1][0] = [(0.5, 2, 0, True), (0.5, 2, 0, False)]
        table = gym.Table(toy, {})
        number = {state: i for i, state in enumerate(table.states)}
        self.assertEqual(table.transitions[number[1]][0], {number[Terminal(2)]: 0.5, number[2]: 0.5})

    def test_entries_of_probability_zero(self):
        toy = Toy()
        toy.P[1][0] = [(1.0, 0, 0, False), (0.0, 3, 0, True)]
        table = gym.Table(toy, {})
        self.assertNotIn(Terminal(3), table.states)
        self.assertEqual(table.transitions[0][0], {table.states.index(0): 1})

    def test_starts(self):
        toy = Toy(initial=(0.25, 0.25, 0, 0.5, 0))
        toy.P = {place: {0: [(1.0, place, 0, False)]} for place in range(5)}
        table = gym.Table(toy, {}, key=lambda place: place < 2, actions={"stay": 0})
        self.assertEqual(len(table.initial), 2)
        table = gym.Table(Toy(initial=(0.5, 0, 0, 0.5, 0)), {})
        self.assertEqual([table.states[i] for i in table.initial], [0, 3])
        with self.assertRaisesRegex(ValueError, "not uniform"):
            gym.Table(Toy(initial=(0.75, 0, 0, 0.25, 0)), {})

    def test_a_key_that_forgets_what_does_not_matter(self):
        toy = Toy(initial=(0, 0.5, 0, 0.5, 0))  # 1 and 3, mirror images
        toy.P = {place: {0: [(0.5, 2, 0, False), (0.5, 4 - 4 * (place < 2), 0, True)]}
                 for place in (1, 3)}
        toy.P[2] = {0: [(0.25, 1, 0, False), (0.75, 3, 0, False)]}
        table = gym.Table(toy, {"end": 2}, key=lambda place: abs(place - 2), actions={"go": 0})
        self.assertEqual(table.states, [1, 0, Terminal(2)])
        self.assertEqual(table.initial, [0])
        self.assertEqual(table.transitions, [[{1: 0.5, 2: 0.5}], [{0: 1.0}], [{2: 1.0}]])
        self.assertEqual(table.names, [["go"], ["go"], ["end"]])
        self.assertEqual(table.labels, {"end": [2]})

    def test_what_has_no_table(self):
        with self.assertRaisesRegex(TypeError, "no transition table"):
            gym.Table(Walk(), {})
        with self.assertRaisesRegex(TypeError, "info"):
            gym.Table(Toy(), lambda b, a, n, r, info: (), propositions=["x"])
        with self.assertRaisesRegex(ValueError, "different transitions, 1 and 0"):
            gym.Table(Toy(), {}, key=lambda place: place // 2)
        toy = Toy()
        toy.P[1][0] = [(0.5, 2, 0, True)]
        with self.assertRaisesRegex(ValueError, "sum to 0.5"):
            gym.Table(toy, {})
        toy = Toy()
        toy.fickle_passenger = True
        with self.assertRaisesRegex(TypeError, "fickle"):
            gym.Table(toy, {})


if __name__ == "__main__":
    unittest.main()
