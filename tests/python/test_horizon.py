# SPDX-License-Identifier: MIT
"""Brackets from T: against exact values, their results, errors, and environments of all kinds."""
import math
import pickle
import random
import signal
import unittest

import omegapac as op

from gridworlds import Gridworld, Walk
from support import GRIDWORLD, MODELS, Scratch, full

BOTH = "G F s & G F g"
GRID = dict(T=306, epsilon=0.05, delta=0.1)
WALK = dict(T=250, epsilon=0.1, delta=0.1)  # above the recurrence times of a Walk
NUMBERS = ("episodes", "steps", "known", "policies", "samples", "states_seen", "pairs_seen")


def numbers(result):
    """Numbers that identify a run."""
    return (result.value, result.lower, result.upper, result.gap, result.T, result.T_check, result.candidates, result.trial,
            result.trace, *(result.stats[name] for name in NUMBERS))


def risky():
    """Two ways to win with probability 1/2, and a state in which a run may stay."""
    return op.Model.build([[{1: 0.3, 2: 0.7}, {0: 0.5, 1: 0.25, 2: 0.25}], [{1: 1}], [{2: 0.5, 3: 0.5}, {2: 1}], [{3: 1}]],
                          labels={"goal": [1], "low": [2]}, actions=[["a", "b"], ["s"], ["x", "y"], ["s"]])


def two_starts():
    return op.Model.build([[{0: 1}], [{1: 0.5, 2: 0.5}, {3: 1}], [{2: 1}], [{3: 1}]], labels={"won": [2]}, initial=[0, 1])


def walk():
    """The Walk as a model."""
    return op.Model.build([[{min(3, at + 1): p, max(0, at - 1): 1 - p} for p in (0.5, 0.75)] for at in range(4)],
                          labels={"goal": [3]}, actions=[["walk", "hurry"]] * 4)


class Exact(unittest.TestCase):
    """T is that of `recurrence`, and the exact values are those of `check` and `evaluate`."""

    def check(self, model, objective, epsilon, seeds, **options):
        """The false-alarm rate of a call is at most 1e-8."""
        found = op.recurrence(model, objective, epsilon=epsilon, kind=options.get("kind", "deterministic"))
        self.assertEqual(found.kind, "exact")
        known = op.check(model, objective).to_dict()["result"]
        starts = [start["value"] for start in known.get("initial", [known])]
        best = sum(starts) / len(starts)
        misses = 0
        for seed in range(1, seeds + 1):
            result = op.learn(model, objective, T=found.T, epsilon=epsilon, delta=0.1, seed=seed, **options)
            self.assertTrue(result.holds or result.contradicted, result.statement)
            self.assertLessEqual(result.gap, 4 * epsilon)
            self.assertAlmostEqual(result.gap, result.upper - result.lower)
            self.assertEqual(result.gap, result.error)
            self.assertEqual(result.optimum_upper, result.upper)
            self.assertAlmostEqual(result.truth["optimum"], best)
            misses += not (result.lower <= result.truth["policy"] + 1e-9 and best <= result.upper + 1e-9)
            self.assertTrue(result.lower <= result.value <= result.upper)
        self.assertGreater(op.binomial_above(seeds, 0.1, misses - 1) if misses else 1, 1e-8)

    def test_probabilities_between_0_and_1(self):
        self.check(risky(), "F goal", 0.05, 8)
        self.check(op.Model.load(MODELS / "chain.prism"), "G F won", 1 / 60, 5)
        self.check(walk(), "F[0,4] goal", 0.1, 5)

    def test_automata_with_choices(self):
        """The policy chooses when the limit-deterministic automaton jumps."""
        for model, objective in ((risky(), "F G low | F goal"), (op.Model.load(MODELS / "gridworld.prism"), "F G s | G F g")):
            self.check(model, objective, 0.05, 5, kind="ldba")

    def test_random_starts(self):
        self.check(two_starts(), "F won", 0.05, 8)

    @full
    def test_more_models(self):
        for model, objective in ((risky(), "F goal"), (two_starts(), "F won")):
            self.check(model, objective, 0.05, 40)
        self.check(op.Model.load(MODELS / "delivery.prism"), "G F village", 0.05, 20)
        self.check(op.Model.load(MODELS / "gridworld.prism"), "G F s & G F g & G !trap", 0.05, 20)
        self.check(op.Model.load(MODELS / "gridworld.prism"), BOTH, 0.05, 20, kind="ldba")
        self.check(risky(), "F goal | G F low", 0.05, 20)

    def test_exact_probability_of_the_policy(self):
        model = risky()
        result = op.learn(model, "F goal", T=8, epsilon=0.05, delta=0.1)
        self.assertAlmostEqual(op.evaluate(model, result.policy, "F goal").value, result.truth["policy"])


class Results(unittest.TestCase):
    def setUp(self):
        self.model = op.Model.load(MODELS / "gridworld.prism")

    def test_attributes(self):
        entries, reports = [], []
        result = op.learn(self.model, BOTH, **GRID, trace=entries.append, progress=reports.append)
        self.assertEqual((result.end, result.T, result.refutation, result.T_check), ("done", 306, None, "consistent"))
        self.assertEqual(result.candidates, 1)
        self.assertEqual(result.trial.episodes, result.trial.wins)
        # A bound by Clopper and Pearson is above that of a trial, which holds at all times, less epsilon.
        self.assertLess(result.lower, op.clopper_pearson(result.trial.wins, result.trial.episodes, 0.1)[0] - 0.05)
        self.assertGreater(result.lower, 0.8)
        self.assertEqual(repr(result), "<LearnResult: 1 [0.804134, 1]>")
        self.assertIn("T = 306 bounds the 0.05-recurrence time", result.assumptions[0])
        self.assertEqual(result.trace, tuple(entries))
        self.assertEqual((entries[0].candidates, entries[-1].candidates), (0, 1))
        self.assertEqual({entry.T for entry in entries}, {306})
        for before, after in zip(entries, entries[1:]):
            self.assertTrue(before.lower <= after.lower <= after.upper <= before.upper)
        self.assertEqual((entries[-1].lower, entries[-1].upper), (result.lower, result.upper))
        self.assertTrue(all(0 <= report.lower <= report.upper <= 1 for report in reports))

    def test_other_learners_have_none_of_it(self):
        result = op.learn(self.model, BOTH, pmin=0.2, epsilon=0.1, delta=0.1)
        self.assertEqual((result.T, result.T_check, result.candidates, result.trial), (None, None, 0, None))
        self.assertEqual(result.gap, result.error)
        wrong = op.learn(self.model, BOTH, pmin=0.45, epsilon=0.1, delta=0.1)
        self.assertEqual((wrong.end, wrong.gap), ("refuted", None))
        self.assertIn(wrong.refutation, ("frequency", "width"))
        result = op.learn(self.model, BOTH, T=306, k="l1", epsilon=0.05, delta=0.1)
        self.assertEqual((result.gap, result.refutation, result.T, result.T_check, result.candidates, result.trial),
                         (None, None, 306, "consistent", 0, None))
        self.assertEqual({entry.candidates for entry in result.trace}, {0})

    def test_the_rule_for_k_selects_the_learner(self):
        for k in ("paper", "sound", "l1"):
            self.assertGreater(op.learn(self.model, BOTH, **GRID, k=k).stats["steps"], 10**9)
        self.assertLess(op.learn(self.model, BOTH, **GRID).stats["steps"], 50_000)

    def test_the_width(self):
        narrow = op.learn(self.model, BOTH, **GRID, target="3/20")
        self.assertLessEqual(narrow.gap, 0.15)
        self.assertGreater(narrow.stats["steps"], op.learn(self.model, BOTH, **GRID, target=0.3).stats["steps"])
        with self.assertRaisesRegex(op.InputError, "target must exceed 2 epsilon") as caught:
            op.learn(self.model, BOTH, **GRID, target=0.1)
        self.assertEqual(caught.exception.parameter, "target")
        with self.assertRaisesRegex(op.InputError, "below 1") as caught:
            op.learn(self.model, BOTH, T=306, epsilon=0.3, delta=0.1)
        self.assertEqual(caught.exception.parameter, "epsilon")

    def test_times_that_are_refuted(self):
        for seed in range(1, 6):
            result = op.learn(self.model, BOTH, T=19, epsilon=0.05, delta=0.1, seed=seed)
            self.assertEqual((result.end, result.T, result.T_check, result.holds), ("refuted", 19, "refuted", False))
            self.assertEqual((result.lower, result.upper, result.gap, result.error), (None, None, None, None))
            self.assertIn("T = 19 is refuted", result.statement)
            self.assertIn(result.refutation, ("recurrence", "verdict"))
            self.assertIn("no guarantee", repr(result))
            self.assertIn(result.policy.act({"x": 0, "y": 1}), ("ne", "nw", "se", "sw"))

    def test_searching_for_T(self):
        for seed in range(1, 4):
            result = op.learn(self.model, BOTH, T="auto", epsilon=0.05, delta=0.1, seed=seed)
            self.assertEqual((result.end, result.holds, result.lower, result.gap), ("done", False, None, None))
            self.assertEqual(math.log2(result.T) % 1, 0)
            self.assertEqual(result.truth["policy"], 1)
            self.assertIn("was searched for", result.statement)

    def test_brackets_of_runs_that_end_early(self):
        for limit in (1, 100, 5000):
            result = op.learn(self.model, BOTH, **GRID, max_steps=limit)
            self.assertEqual((result.end, result.holds), ("max-steps", False))
            self.assertTrue(result.lower <= result.truth["policy"] and 1 <= result.upper)
            self.assertGreater(result.gap, 0.2)
        self.assertLessEqual(result.stats["steps"], 5000)

    def test_options_of_the_other_algorithm(self):
        for name, value, words in (("slack", 0.1, "slack belongs to"), ("stop", "all-actions", "stop belongs to"),
                                   ("counts", "product", "counts belongs to"),
                                   ("sampler", "population", "the population sampler belongs to")):
            for T in (306, "auto"):
                for run in (op.learn, lambda *rest, **options: op.learn_runs(*rest, 2, **options)):
                    with self.assertRaisesRegex(op.InputError, f"^{words} ω-PAC, which is selected by k") as caught:
                        run(self.model, BOTH, **{**GRID, "T": T, name: value})
                    self.assertEqual(caught.exception.parameter, name)
        self.assertEqual(numbers(op.learn(self.model, BOTH, **GRID, sampler="step")), numbers(op.learn(self.model, BOTH, **GRID)))

    def test_options_that_are_refused(self):
        for options in (dict(k=0), dict(target=0), dict(target=-0.5), dict(target="x"), dict(target=1.5), dict(explore="generative"),
                        dict(pmin_start=0.5), dict(pmin=0.1), dict(graph=True), dict(T=2.5), dict(T=None), dict(k="many")):
            for run in (op.learn, lambda *rest, **options: op.learn_runs(*rest, 2, **options)):
                with self.assertRaises((TypeError, ValueError), msg=options):
                    run(self.model, BOTH, **{**GRID, **options})
        for name in ("k", "target"):
            with self.assertRaisesRegex(TypeError, f"{name} goes with T"):
                op.learn(self.model, BOTH, pmin=0.2, epsilon=0.1, delta=0.1, **{name: "l1" if name == "k" else 0.5})

    def test_calls(self):
        for options, words in ((dict(), ""), (dict(target=0.3), ", target=0.3"), (dict(k="l1"), ", k='l1'")):
            result = op.learn(self.model, BOTH, **GRID, **options)
            call = result.to_dict()["call"]
            self.assertEqual(call, f"omegapac.learn(omegapac.Model.load({self.model.name!r}), {BOTH!r}, epsilon=0.05, delta=0.1, "
                             f"T=306{words})")
            self.assertEqual(numbers(eval(call, {"omegapac": op})), numbers(result))

    def test_copies(self):
        result = op.learn(self.model, BOTH, **GRID)
        with self.assertRaisesRegex(TypeError, "to_dict"):
            pickle.dumps(result)
        self.assertEqual(pickle.loads(pickle.dumps((result.trial, result.trace))), (result.trial, result.trace))
        policy = op.learn(Gridworld(), BOTH, **GRID).policy
        self.assertEqual(pickle.loads(pickle.dumps(policy)).to_json(), policy.to_json())

    def test_pages(self):
        result = op.learn(self.model, BOTH, **GRID)
        self.assertIn("0.804134", result._repr_html_())
        self.assertIn("0.804134", result.report())


class Repeated(unittest.TestCase):
    def test_each_is_a_run_of_learn(self):
        model = op.Model.load(MODELS / "gridworld.prism")
        for options in (dict(T=306), dict(T=19), dict(T="auto"), dict(T=306, max_steps=3000, target=0.3)):
            runs = op.learn_runs(model, BOTH, 4, epsilon=0.05, delta=0.1, seed=5, threads=2, trace=True, **options)
            for i, run in enumerate(runs):
                one = op.learn(model, BOTH, epsilon=0.05, delta=0.1, seed=5 + i, **options)
                self.assertEqual((run.value, run.lower, run.upper, run.optimum_upper, run.error, run.holds),
                                 (one.value, one.lower, one.upper, one.optimum_upper, one.gap, one.holds))
                self.assertEqual((run.steps, run.samples, run.episodes, run.known), tuple(
                    one.stats[name] for name in ("steps", "samples", "episodes", "known")))
                self.assertEqual((run.candidates, run.trial, run.trace, run.k), (one.candidates, one.trial, one.trace, 0))
                self.assertEqual(run.T_refuted, {"refuted": True, "consistent": False, "unchecked": None}[one.T_check])
                self.assertEqual(run.policy.to_json(), one.policy.to_json())
            self.assertEqual(runs.summary["holds"], sum(run.holds for run in runs))
        self.assertNotIn("k=", runs.to_dict()["call"])

    def test_refuted(self):
        model = op.Model.load(MODELS / "gridworld.prism")
        run = op.learn_runs(model, BOTH, 1, T=19, epsilon=0.05, delta=0.1)[0]
        self.assertEqual((run.T_refuted, run.holds, run.finished), (True, False, False))
        self.assertTrue(19 < run.T_found <= 306)


class Python(Scratch):
    """Environments written in Python."""

    def test_the_same_system_as_an_object_and_as_a_program(self):
        here = op.learn(Gridworld(), BOTH, **GRID, seed=4)
        there = op.learn(GRIDWORLD, BOTH, **GRID, seed=4)
        self.assertEqual(numbers(here), numbers(there))
        self.assertEqual(here.policy.act((0, 1)), there.policy.act("0,1"))
        self.assertTrue(here.holds)
        self.assertIsNone(here.truth)

    @full
    def test_exact_values(self):
        """δ = 0.1: more than 10 misses in 40 runs have probability 0.0005 for each objective."""
        for objective in ("F goal", "F[0,6] goal", "G F goal"):
            self.assertLessEqual(op.recurrence(walk(), objective, epsilon=0.1).T, WALK["T"])
            best, misses = op.check(walk(), objective).value, 0
            for seed in range(1, 41):
                result = op.learn(Walk(), objective, **WALK, seed=seed)
                self.assertTrue(result.holds)
                misses += not result.lower <= best <= result.upper
            self.assertLessEqual(misses, 10)

    def test_random_starts(self):
        """A third of the episodes is lost."""

        class Three:
            propositions = ["won"]

            def reset(self, seed):
                self.at = random.Random(seed).randrange(3)
                return self.at

            def step(self, action):
                return self.at

            def labels(self, state):
                return ["won"] if state > 0 else []

            def actions(self, state):
                return ["stay"]

        model = op.Model.build([[{state: 1}] for state in range(3)], labels={"won": [1, 2]}, initial=[0, 1, 2])
        T = op.recurrence(model, "F won", epsilon=0.05).T
        misses = 0
        for seed in range(1, 13):  # of these, more than 7 are wrong with probability 3e-6
            result = op.learn(Three(), "F won", T=T, epsilon=0.05, delta=0.1, seed=seed)
            self.assertTrue(result.holds)
            misses += not result.lower <= 2 / 3 <= result.upper
        self.assertLessEqual(misses, 7)

    def test_states_without_actions(self):
        class Doors:
            propositions, random_start = ["won"], False

            def reset(self, seed):
                self.random = random.Random(seed)
                return "start"

            def step(self, action):
                return "won" if self.random.random() < (0.5, 0.7)[action] else "lost"

            def labels(self, state):
                return ["won"] if state == "won" else []

            def actions(self, state):
                return 2 if state == "start" else 0

        result = op.learn(Doors(), "F G won", T=4, epsilon=0.05, delta=0.1)
        self.assertTrue(result.holds and result.lower <= 0.7 <= result.upper)
        self.assertEqual(result.policy.act("start"), 1)
        self.assertTrue(any("a state without actions" in item for item in result.assumptions), result.assumptions)

    def test_steps_that_ignore_their_seeds(self):
        class Constant(Walk):
            def reset(self, seed):
                return super().reset(7)

        with self.assertRaisesRegex(op.SimulatorError, "ignores its seeds"):
            op.learn(Constant(), "F goal", **WALK)

    def test_deterministic_environments(self):
        class Line(Walk):
            def step(self, action):
                self.at = min(3, self.at + action)
                return self.at

        result = op.learn(Line(), "F goal", deterministic=True, **WALK)
        self.assertEqual((result.value, result.holds), (1, True))
        self.assertEqual(op.learn(Walk(), "F goal", deterministic=True, **WALK).end, "exceeded")

    def test_exceptions(self):
        class Broken(Walk):
            steps = 0

            def step(self, action):
                self.steps += 1
                if self.steps == 300:
                    raise LookupError("the battery is empty")
                return super().step(action)

        with self.assertRaisesRegex(LookupError, "battery"):
            op.learn(Broken(), "G F goal", **WALK)

        def fail(entry):
            raise KeyError(entry.step)

        for callback in ("trace", "progress"):
            with self.assertRaises(KeyError):
                op.learn(Walk(), "F[0,6] goal", T=250, epsilon=0.001, delta=0.1, **{callback: lambda entry: {}["none"]})
        with self.assertRaises(KeyError):
            op.learn(op.Model.load(MODELS / "gridworld.prism"), BOTH, **GRID, trace=fail)

    def test_lanes(self):
        """An episode belongs to its seed, whichever lane runs it."""

        class Wide(Walk):
            lanes = 3

            def __init__(self):
                self.all = [Walk() for _ in range(self.lanes)]

            def step_many(self, requests):
                return [lane.reset(number) if what == "reset" else lane.step(number)
                        for lane, (what, number) in zip(self.all, requests)]

        for seed in (1, 2):
            one = op.learn(Walk(), "F[0,6] goal", **WALK, seed=seed)
            for lanes in (1, 3, 7):
                Wide.lanes = lanes
                many = op.learn(Wide(), "F[0,6] goal", **WALK, seed=seed)
                self.assertEqual(numbers(many), numbers(one))
                self.assertEqual(many.policy.to_json(), one.policy.to_json())

    def test_forks_and_threads(self):
        class Forks(Walk):
            def fork(self):
                return Forks()

        one = op.learn(Forks(), "F[0,6] goal", **WALK, threads=1)
        self.assertEqual(numbers(op.learn(Forks(), "F[0,6] goal", **WALK, threads=3)), numbers(one))
        model = op.Model.load(MODELS / "chain.prism")
        found = [op.learn(model, "G F won", T=8, epsilon="1/60", delta=0.1, threads=threads) for threads in (1, 3)]
        self.assertEqual(numbers(found[0]), numbers(found[1]))

    def test_resumed(self):
        path = self.folder / "run.ckpt"
        whole = op.learn(Walk(), "F[0,6] goal", **WALK)
        part = op.learn(Walk(), "F[0,6] goal", **WALK, checkpoint=path, max_steps=whole.stats["steps"] // 2)
        self.assertEqual(part.end, "max-steps")
        rest = op.learn(Walk(), "F[0,6] goal", **WALK, checkpoint=path, resume=True)
        self.assertTrue(rest.stats["resumed"])
        self.assertEqual(numbers(rest), numbers(whole))
        self.assertEqual(rest.policy.to_json(), whole.policy.to_json())
        with self.assertRaises(op.InputError):
            op.learn(Walk(), "F[0,6] goal", **WALK, k=5, checkpoint=path, resume=True)

    def test_interrupted(self):
        def stop(entry):
            if entry.step > 1000:
                signal.raise_signal(signal.SIGINT)

        with self.assertRaises(op.Interrupted) as caught:
            op.learn(Walk(), "F[0,6] goal", T=250, epsilon=0.001, delta=0.1, trace=stop)
        result = caught.exception.result
        self.assertEqual((result.end, result.holds), ("stopped", False))
        self.assertTrue(0 < result.gap < 1)
        best = op.check(walk(), "F[0,6] goal").value
        self.assertTrue(result.lower <= best <= result.upper)


if __name__ == "__main__":
    unittest.main()
