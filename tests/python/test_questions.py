# SPDX-License-Identifier: MIT
"""check, evaluate, recurrence, bound and verify: values and mistakes."""
import json
import math
import pathlib
import random
import unittest
from fractions import Fraction

import omegapac as op
from omegapac.results import Large
from support import MODELS, Scratch

GRID = MODELS / "gridworld.prism"
LAKE = MODELS / "frozenlake.prism"
OBJECTIVE = "G F s & G F g & G !trap"


def format_decimal(value, digits):
    """A fraction of 10**digits in [0, 1) as a decimal."""
    return "0." + str(int(value * 10**digits)).rjust(digits, "0")


class Check(Scratch):
    def test_members(self):
        result = op.check(op.Model.load(LAKE), "F goal & G !hole")
        self.assertLessEqual(result.lower, result.value)
        self.assertLessEqual(result.value, result.upper)
        self.assertTrue(result.precise)
        self.assertEqual(result.direction, "max")
        self.assertIsNone(result.holds)
        self.assertIsInstance(result.automaton, op.Automaton)
        self.assertIsInstance(result.policy, op.Policy)
        self.assertIn("F goal & G !hole", repr(result))
        self.assertIn("<table>", result._repr_html_())
        with self.assertRaises(AttributeError):
            result.value = 1
        with self.assertRaises(AttributeError):
            del result.value
        result.save(self.folder / "result.json")
        self.assertEqual(json.loads((self.folder / "result.json").read_text()), result.to_dict())
        self.assertIsNone(op.check(op.Model.load(LAKE), "F goal", policy=False).policy)

    def test_a_copy_is_given(self):
        result = op.check(op.Model.load(GRID), "F g")
        result.to_dict()["result"]["value"] = 17
        self.assertNotEqual(result.to_dict()["result"]["value"], 17)

    def test_an_automaton_is_an_objective(self):
        grid = op.Model.load(GRID)
        automaton = op.Automaton.translate(OBJECTIVE)
        self.assertEqual(op.check(grid, automaton).value, op.check(grid, OBJECTIVE).value)

    def test_several_objectives(self):
        grid = op.Model.load(GRID)
        text, formula, automaton = 'Pmin=? [ F "g" ]', "F g", op.Automaton.translate("F s")
        results = op.check(grid, [automaton, formula], property=text)
        self.assertEqual([item.objective for item in results], [text, "F s", formula])
        alone = (op.check(grid, property=text, policy=False), op.check(grid, automaton, policy=False),
                 op.check(grid, formula, policy=False))  # fmt: skip
        for item, one in zip(results, alone):
            self.assertEqual(item.to_dict(), one.to_dict())
            self.assertEqual((item.value, item.policy), (one.value, None))
            self.assertEqual(item.automaton.to_hoa(), one.automaton.to_hoa())
        self.assertEqual(repr(results), f"<CheckResults: {'; '.join(repr(one)[14:-1] for one in alone)}>")
        self.assertEqual(len(op.check(grid, (formula,)).to_dict()["results"]), 1)
        self.assertIn("F s", results._repr_html_())
        self.assertIn("F s", results.report())
        self.assertEqual(op.report(results), results.report())

    def test_which_of_several_is_wrong(self):
        grid = op.Model.load(GRID)
        with self.assertRaises(op.LimitError) as caught:
            op.check(grid, ["F g", "G F s & G F g"], max_states=6)
        self.assertRegex(str(caught.exception), "^'G F s & G F g': .*max_states= allows more")
        for wrong, kind in ((lambda: op.check(grid, []), TypeError), (lambda: op.check(grid, property=()), TypeError),
                            (lambda: op.check(grid, ["F g", 3]), TypeError),
                            (lambda: op.check(grid, [None]), TypeError),
                            (lambda: op.check(grid, ["F g", "F ("]), op.InputError),
                            (lambda: op.check(grid, property=["P=? [ F x=1 ]"], minimize=True), op.InputError)):
            with self.assertRaises(kind):
                wrong()

    def test_long_bounds(self):
        """No verdict is wrong, and bounds for values that are doubles are decided."""
        source = random.Random(5)
        decided = 0
        for i in range(120):
            value = source.choice((Fraction(1, 2), Fraction(3, 8), Fraction(1, 3), Fraction(7, 10), Fraction(1, 2**40)))
            digits = source.randrange(18, 60)
            bound = Fraction(round(value * 10**digits) + source.randrange(-3, 4), 10**digits)
            text = format_decimal(bound, digits)
            if source.random() < 0.3:
                bound, text = bound + Fraction(1, 10**30), text + " + 1e-30"
            sign, holds = source.choice(((">=", value >= bound), (">", value > bound), ("<=", value <= bound),
                                         ("<", value < bound)))
            model = op.Model.build([[{1: value, 2: 1 - value}], [{1: 1}], [{2: 1}]], labels={"a": [1]}, exact=True)
            for exact in (False, True):
                verdict = op.check(model, property=f'P{sign}{text} [ F "a" ]', exact=exact).verdict
                self.assertIn(verdict, (str(holds).lower(), "undecided"), f"{value} {sign} {text}")
                decided += verdict != "undecided"
                if value.denominator & (value.denominator - 1) == 0 and "+" not in text:
                    self.assertNotEqual(verdict, "undecided", f"{value} {sign} {text}")
        self.assertGreater(decided, 100)

    def test_verdicts(self):
        third = Fraction(1, 3)
        model = op.Model.build([[{1: third, 2: 1 - third}], [{1: 1}], [{2: 1}]], labels={"a": [1]}, exact=True)
        self.assertIs(op.check(model, property='P>=0.2 [ F "a" ]').holds, True)
        self.assertIs(op.check(model, property='P<0.2 [ F "a" ]').holds, False)
        # The bound is the value: that takes fractions.
        self.assertEqual(op.check(model, property='P>=1/3 [ F "a" ]').verdict, "true")

    def test_a_nondeterministic_automaton_gives_a_bound(self):
        guess = op.Automaton.parse(
            'HOA: v1 States: 3 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 [t] 2 '
            "State: 1 [0] 1 {0} State: 2 [!0] 2 {0} --END--"
        )
        model = op.Model.build([[{1: 0.5, 2: 0.5}], [{1: 1}], [{2: 1}]], labels={"a": [1]})
        self.assertTrue(op.check(model, guess).is_bound)

    def test_mistakes(self):
        grid = op.Model.load(GRID)
        for wrong, kind in (
            (lambda: op.check(grid), TypeError),
            (lambda: op.check(grid, "F g", property="P=? [ F x=1 ]"), TypeError),
            (lambda: op.check(grid, 3), TypeError),
            (lambda: op.check(3, "F g"), TypeError),
            (lambda: op.check(grid, "F nothing"), op.InputError),
            (lambda: op.check(grid, "F ("), op.InputError),
            (lambda: op.check(grid, property="Pmax=? [ F ( ]"), op.InputError),
            (lambda: op.check(grid, property="Pmax=? [ F x=1 ]; Pmin=? [ F x=1 ]"), ValueError),
            (lambda: op.check(grid, property="Pmax=? [ F x=1 ]", minimize=True), op.InputError),
            (lambda: op.check(grid, "F g", exact=True), op.InputError),
            (lambda: op.check(grid, "F g", max_states=1), op.LimitError),
            (lambda: op.check(grid, "F g", precision=-1), op.InputError),
            (lambda: op.check(grid, "F g", precision=0), op.InputError),
            (lambda: op.check(grid, "F g", max_seconds=0), op.InputError),
            (lambda: op.check(grid, "F g", max_seconds=-1), op.InputError),
            (lambda: op.check(grid, "F g", max_seconds=math.nan), op.InputError),
            (lambda: op.recurrence(grid, "F g", epsilon=0.1, max_seconds=-1), op.InputError),
            (lambda: op.learn(grid, "F g", pmin=0.1, epsilon=0.1, delta=0.1, max_seconds=0), ValueError),
            (lambda: op.Automaton.translate("F g", max_seconds=-1), op.InputError),
            (lambda: op.check(grid, "F g", precision=2**5000), OverflowError),
            (lambda: op.check(grid, "F g", kind="x"), op.InputError),
            (lambda: op.check(grid, "F g", threads=2**40), ValueError),
        ):
            with self.assertRaises(kind):
                wrong()
        with self.assertRaises(op.InputError) as caught:
            op.check(grid, "F tarp")
        self.assertIn("did you mean", str(caught.exception))
        self.assertEqual(caught.exception.where, "proposition")

    def test_limits_are_above_zero(self):
        """None means no limit; 0 is an error."""
        grid = op.Model.load(GRID)
        near = {"pmin": 0.2, "epsilon": 0.1, "delta": 0.1}
        calls = (
            [lambda name=name: op.learn(grid, "F g", **near, **{name: 0})
             for name in ("states", "actions", "branching", "threads", "max_steps", "max_memory")]
            + [lambda name=name: op.check(grid, "F g", **{name: 0}) for name in ("max_states", "threads")]
            + [lambda name=name: op.recurrence(grid, "F g", epsilon=0.1, **{name: 0}) for name in ("max_states", "threads")]
            + [lambda name=name: op.Model.load(GRID, **{name: 0}) for name in ("max_states", "max_memory")]
            + [lambda name=name: op.Model.parse(GRID.read_text(), "prism", **{name: 0}) for name in ("max_states", "max_memory")]
            + [lambda: op.evaluate(grid, op.check(grid, "F g").policy, "F g", max_states=0),
               lambda: op.Automaton.translate("F g", max_states=0),
               lambda: op.Automaton.translate("F g").convert(max_states=0)]
        )
        for call in calls:
            with self.assertRaisesRegex(ValueError, "above 0"):
                call()


class Evaluate(Scratch):
    def test_agrees_with_check(self):
        model = op.Model.load(LAKE)
        result = op.check(model, "F goal")
        second = op.evaluate(model, result.policy)
        self.assertLessEqual(second.lower, result.upper)
        self.assertGreaterEqual(second.upper, result.lower)
        self.assertEqual(second.objective, "F goal")
        self.assertIn("F goal", repr(second))

    def test_policies_of_other_models(self):
        model = op.Model.load(LAKE)
        policy = op.check(model, "F goal").policy
        with self.assertRaises(ValueError):
            op.evaluate(op.Model.load(LAKE), policy)
        with self.assertRaises(TypeError):
            op.evaluate(model, None)

    def test_a_policy_keeps_its_model(self):
        policy = op.check(op.Model.load(LAKE), "F goal").policy  # the policy has the only reference to the model
        self.assertIsNotNone(policy.to_dict())


class Recurrence(Scratch):
    def test_of_a_policy(self):
        grid = op.Model.load(GRID)
        policy = op.check(grid, OBJECTIVE).policy
        one = op.recurrence(grid, OBJECTIVE, epsilon=0.05, policy=policy)
        self.assertLessEqual(one.T, op.recurrence(grid, OBJECTIVE, epsilon=0.05).T)
        self.assertIn("exact", repr(one))

    def test_mistakes(self):
        grid = op.Model.load(GRID)
        with self.assertRaises(TypeError):
            op.recurrence(grid, "F g")
        with self.assertRaises(op.InputError):
            op.recurrence(grid, "F g", epsilon=0)


class Bound(unittest.TestCase):
    def test_numbers_beyond_all_types(self):
        result = op.bound(states=2**60, actions=4, T=2**63, epsilon="1e-300", delta=0.1)
        self.assertIsInstance(result.k, Large)
        self.assertEqual(result.k, float("inf"))
        self.assertEqual(str(result.k), "3.40e655")
        self.assertIn('"k": 3.40e655', result.to_json())

    def test_published_value(self):
        self.assertEqual(op.bound(states=12, actions=4, T=19, epsilon=0.05, delta=0.1, branching=6).k, 743727)

    def test_bracket(self):
        grid = dict(states=6, actions=4, T=306, delta=0.1)
        self.assertEqual(op.bound(epsilon=0.05, **grid).bracket["least_steps"], 28 * 306)
        self.assertEqual(op.bound(epsilon=0.05, target=0.3, **grid).bracket["target"], 0.3)
        self.assertIsNone(op.bound(epsilon=0.25, **grid).bracket)

    def test_mistakes(self):
        base = dict(states=12, actions=4, T=19, epsilon=0.05, delta=0.1)
        for more in ({"k": "best"}, {"k": 0}, {"target": 0.1}, {"slack": 0.01}, {"branching": 13}, {"epsilon": 1},
                     {"delta": "0"}, {"states": 0}):
            with self.assertRaises(op.InputError, msg=str(more)):
                op.bound(**{**base, **more})
        with self.assertRaises(TypeError):
            op.bound(states=3)


class Verify(Scratch):
    def certificate(self):
        path = self.folder / "run.cert"
        op.learn(op.Model.load(GRID), "F g", epsilon=0.2, delta=0.1, pmin=0.1, seed=3,
                 max_steps=2_000_000).write_certificate(path)
        return path

    def test_refusal(self):
        path = pathlib.Path(self.folder, "wrong.cert")
        path.write_text('{"schema": "omegapac.certificate/1"}')
        result = op.verify(path)
        self.assertFalse(result)
        self.assertIn("refused", repr(result))
        with self.assertRaises(FileNotFoundError):
            op.verify(self.folder / "none.cert")

    def test_what_is_no_certificate(self):
        path = self.folder / "other"
        for text in ("", "nothing", "{}", "[]", '{"schema": "omegapac.policy/1"}', "\0", '{"a": NaN}'):
            path.write_text(text)
            with self.assertRaisesRegex(op.InputError, "not a certificate"):
                op.verify(path)
        path.write_text('{"schema": "omegapac.certificate/9"}')
        with self.assertRaisesRegex(op.UnsupportedError, "omegapac.certificate/9"):
            op.verify(path)
        with self.assertRaises(IsADirectoryError):
            op.verify(self.folder)

    def test_recurrence_time(self):
        path = MODELS.parents[1] / "fuzz" / "corpus" / "certificate" / "recurrence"
        result = op.verify(path)
        self.assertTrue(result)
        self.assertEqual((result.lower, result.upper), (0.4564767, 0.7271737))
        self.assertEqual(result.stats, {"states": 3, "rows": 3, "samples": 5000, "nodes": 3, "winning": 1,
                                        "episodes": 500, "wins": 300})
        self.assertIn("10 bounds the 0.05-recurrence time", result.assumptions[0])

    def test_assumptions(self):
        assumptions = op.verify(self.certificate()).assumptions
        for words in ("is at least 0.1", "fixed before the first sample", "does not change over time",
                      "not selected by its outcome", "recognises the objective"):
            self.assertEqual(sum(words in line for line in assumptions), 1, words)


if __name__ == "__main__":
    unittest.main()
