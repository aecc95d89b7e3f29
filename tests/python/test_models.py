# SPDX-License-Identifier: MIT
"""Models: reading, building, attributes, writing; and error messages."""
import pickle
import unittest
import warnings
from fractions import Fraction

import omegapac as op
from support import GRIDWORLD, MODELS, Scratch, command

GRID = MODELS / "gridworld.prism"
COINS = MODELS / "two-coins.prism"


class Reading(Scratch):
    def test_info_is_that_of_the_command_line(self):
        for path, constants in ((GRID, None), (COINS, "p=0.25"), (MODELS / "chain.prism", None)):
            model = op.Model.load(path, constants)
            given = ["-D", constants] if constants else []
            self.assertEqual(model.info(), command("info", path, *given)["model"])

    def test_constants_as_a_dict_and_as_text(self):
        for constants in ({"p": 0.25}, {"p": "1/4"}, "p=0.25", {"p": Fraction(1, 4)}):
            model = op.Model.load(COINS, constants)
            self.assertEqual(min(model.successors(0, 0).values()), 0.25)
        self.assertEqual(model.constants, "p=1/4")
        self.assertEqual(model.name, str(COINS))

    def test_truths_are_lower_case(self):
        text = "dtmc const bool b; module m x:[0..1]; [] b -> (x'=1); [] !b -> (x'=0); endmodule"
        self.assertEqual(op.Model.parse(text, constants={"b": True}).states, 2)
        self.assertEqual(op.Model.parse(text, constants={"b": False}).states, 1)

    def test_text_and_file_give_the_same(self):
        self.assertEqual(op.Model.parse(GRID.read_text()).info(), op.Model.load(GRID).info())
        self.assertEqual(op.Model.load(GRID, format="prism").info(), op.Model.load(GRID).info())

    def test_written_and_read_back(self):
        model = op.Model.load(GRID)
        for name in ("grid.drn", "grid.tra"):
            model.save(self.folder / name)
            again = op.Model.load(self.folder / name)
            for state in range(model.states):
                self.assertEqual(again.actions_in(state), model.actions_in(state))
                for choice in range(len(model.actions_in(state))):
                    self.assertEqual(again.successors(state, choice), model.successors(state, choice))
            self.assertEqual(again.where("trap"), model.where("trap"))
        self.assertEqual(op.Model.load(self.folder / "grid.tra").values(1), model.values(1))
        with self.assertRaises(ValueError):
            model.save(self.folder / "grid.txt")
        with self.assertRaises(OSError):
            model.save(self.folder / "nowhere" / "grid.drn")

    def test_no_variables_of_another_model(self):
        plain = op.Model.build([[{1: 1}], [{1: 1}]], labels={"goal": [1]})
        op.Model.parse("dtmc module m x:[0..1]; [] x=0 -> (x'=1); [] x=1 -> true; endmodule").save(self.folder / "a.tra")
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        with self.assertRaisesRegex(FileExistsError, "a.sta.*no variables"):
            plain.save(self.folder / "a.tra")
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)
        (self.folder / "a.sta").unlink()
        plain.save(self.folder / "a.tra")
        self.assertEqual(op.Model.load(self.folder / "a.tra").where("goal"), plain.where("goal"))

    def test_attributes(self):
        model = op.Model.load(GRID)
        self.assertEqual((model.type, model.states, model.choices, model.transitions), ("mdp", 6, 24, 46))
        self.assertEqual(model.variables, {"x": (0, 2), "y": (0, 1)})
        self.assertEqual(model.initial, (0,))
        self.assertEqual(set(model.actions), {"ne", "nw", "se", "sw"})
        for state in range(model.states):
            values = model.values(state)
            at = f'x={values["x"]} & y={values["y"]}'
            self.assertEqual(model.where(at), [state])
            self.assertTrue(model.holds(at, state))
            for choice, name in enumerate(model.actions_in(state)):
                branches = model.successors(state, choice)
                self.assertAlmostEqual(sum(branches.values()), 1)
                self.assertEqual(branches, model.successors(state, name))
            self.assertEqual(model.holds("trap", state), state in model.where("trap"))
        self.assertIn("digraph", model.to_dot())
        self.assertIn("<table>", model._repr_html_())
        self.assertEqual(repr(model), "<Model: mdp, 6 states, 24 choices, 46 transitions>")

    def test_deadlocks_are_warned_about(self):
        with self.assertWarns(op.InputWarning):
            op.Model.build([[]])


class Building(unittest.TestCase):
    def test_forms_of_transitions(self):
        for form in ({0: 0.5, 1: 0.5}, [(0, 0.5), (1, 0.5)], [[0, "1/2"], [1, Fraction(1, 2)]], {0: "0.5", 1: 0.5}):
            model = op.Model.build([[form], [{1: 1}]])
            self.assertEqual(model.successors(0, 0), {0: 0.5, 1: 0.5})
            self.assertEqual(model.type, "dtmc")

    def test_a_fraction_too_small_for_a_double(self):
        small = Fraction("1e-400")
        with self.assertRaisesRegex(ValueError, "too small for a double, and not 0"):
            op.Model.build([[{1: small, 0: 1 - small}], [{1: 1}]])

    def test_fractions_stay_exact(self):
        third = Fraction(1, 3)
        model = op.Model.build([[{1: third, 2: 2 * third}], [{1: 1}], [{2: 1}]], labels={"a": [1]}, exact=True)
        self.assertEqual(op.check(model, "F a", exact=True).exact, "1/3")

    def test_all_members(self):
        model = op.Model.build(
            [[{1: 1}, {0: 1}], [{1: 1}]],
            labels={"goal": [1], "never": []},
            initial=[0, 1],
            actions=[["go", "stay"], None],
            variables={"n": [-3, 7], "b": [False, True]},
        )
        self.assertEqual(model.type, "mdp")
        self.assertEqual(model.initial, (0, 1))
        self.assertEqual(model.actions_in(0), ("go", "stay"))
        self.assertEqual(model.actions_in(1), ("",))
        self.assertEqual(model.values(1), {"n": 7, "b": True})
        self.assertIs(model.values(0)["b"], False)
        self.assertEqual(model.where("never"), [])
        self.assertEqual(model.where("init"), [0, 1])

    def test_mistakes(self):
        go = [[{0: 1}]]
        for wrong, kind in (
            (lambda: op.Model.build([[{0: 0.5}]]), op.InputError),
            (lambda: op.Model.build([[{7: 1}]]), op.InputError),
            (lambda: op.Model.build([[{-1: 1}]]), ValueError),
            (lambda: op.Model.build([[{0: None}]]), TypeError),
            (lambda: op.Model.build([[3]]), TypeError),
            (lambda: op.Model.build([[[(0, 1, 2)]]]), TypeError),
            (lambda: op.Model.build([[{0: "a"}]]), op.InputError),
            (lambda: op.Model.build(go, initial=3), op.InputError),
            (lambda: op.Model.build(go, labels={"a": [3]}), op.InputError),
            (lambda: op.Model.build(go, labels={3: [0]}), TypeError),
            (lambda: op.Model.build(go, actions=[["a", "b"]]), ValueError),
            (lambda: op.Model.build(go, actions=[]), ValueError),
            (lambda: op.Model.build(go, variables={"x": []}), ValueError),
            (lambda: op.Model.build(go, type="ctmc"), ValueError),
            (lambda: op.Model.build([]), op.InputError),
        ):
            with self.assertRaises(kind):
                wrong()


class Mistakes(Scratch):
    def test_places_and_carets(self):
        path = self.folder / "wrong.prism"
        path.write_text("mdp\nmodule m\n  x : [0..2;\nendmodule\n")
        with self.assertRaises(op.InputError) as caught:
            op.Model.load(path)
        error = caught.exception
        self.assertEqual((error.code, error.line, error.column), ("syntax", 3, 12))
        self.assertEqual(error.where, str(path))
        first, line, caret = str(error).split("\n")
        self.assertTrue(first.startswith(f"{path}:3:12: expected ']'"), first)
        self.assertEqual(line, "    x : [0..2;")
        self.assertEqual(caret.index("^"), line.index(";"))
        self.assertIsInstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.line), (str(error), 3))

    def test_files(self):
        with self.assertRaises(FileNotFoundError) as caught:
            op.Model.load(self.folder / "none.prism")
        self.assertEqual(caught.exception.filename, str(self.folder / "none.prism"))
        with self.assertRaises(IsADirectoryError):
            op.Model.load(self.folder)

    def test_constants(self):
        with self.assertRaises(op.InputError) as caught:
            op.Model.load(COINS)
        self.assertNotIn("-D", str(caught.exception).replace(str(COINS), ""))
        with self.assertRaises(op.InputError) as caught:
            op.Model.load(COINS, "p=0.5,q=1")
        self.assertIn("q", str(caught.exception).replace(str(COINS), ""))
        with self.assertRaises(op.InputError):
            op.Model.load(COINS, "p=")

    def test_arguments(self):
        model = op.Model.load(GRID)
        for wrong, kind in (
            (lambda: op.Model(), TypeError),
            (lambda: model.values(6), IndexError),
            (lambda: model.values(-1), IndexError),
            (lambda: model.values(2**70), IndexError),
            (lambda: model.values("0"), TypeError),
            (lambda: model.successors(0, 4), IndexError),
            (lambda: model.successors(0, -1), ValueError),
            (lambda: model.successors(0, "up"), IndexError),
            (lambda: model.holds("nothing", 0), op.InputError),
            (lambda: model.where("x="), op.InputError),
            (lambda: op.Model.parse("mdp\0"), ValueError),
            (lambda: op.Model.parse(3), TypeError),
            (lambda: op.Model.parse("", format="xml"), ValueError),
            (lambda: op.Model.load(GRID, max_states=3), op.LimitError),
            (lambda: op.Model.load(GRID, max_states=-3), ValueError),
            (lambda: op.Model.load(GRID, max_states=2.5), ValueError),
            (lambda: setattr(model, "states", 3), AttributeError),
        ):
            with self.assertRaises(kind):
                wrong()

    def test_errors_name_keywords(self):
        grid = op.Model.load(GRID)
        for wrong, parameter, limit, said in (
            (lambda: op.Model.load(GRID, max_states=3), "max_states", 3, "the model has more than 3 states; max_states= allows more"),
            (lambda: op.check(grid, "F g", max_states=1), "max_states", 1, "max_states= allows more"),
            (lambda: op.Automaton.translate("X X X a", max_states=2), "max_states", 2, "max_states= allows more"),
            (lambda: op.check(grid, "F g", max_seconds=1e-9), "max_seconds", None, "max_seconds= allows more"),
            (lambda: op.check(grid, "F g").policy.to_dot(1), "max_states", 1, "max_states= allows more"),
            (lambda: op.Model.build([[{0: 1}]] * 1001).to_dot(), None, 1000, "(at most 1000)"),
            (lambda: op.Automaton.translate("X" * 150 + " a").to_svg(), None, 100, "(at most 100)"),
            (lambda: op.learn(grid, "F g", T=2**63, k="paper", epsilon=0.1, delta=0.1), "k", None, ": give a number for k="),
            (lambda: op.learn(grid, "F g", T=9, k="l1", target=0.2, epsilon=0.1, delta=0.1), "target", None, "target must exceed 2 epsilon"),
            (lambda: op.learn(grid, "F g", T=9, k="paper", target=0.3, epsilon=0.1, delta=0.1), "target", None, "a target needs the rule l1"),
            (lambda: op.bound(states=2, actions=2, T=0, epsilon=0.1, delta=0.1), "T", None, "T must be at least 1"),
            (lambda: op.recurrence(grid, "F g", epsilon=0.1, pmin=2), "pmin", None, "pmin must be above 0"),
            (lambda: op.Simulator("exec:true", timeout=-1), "timeout", None, "timeout must be above 0 and finite, not -1"),
            (lambda: op.Simulator("exec:sleep 9", timeout=0.1), "timeout", None, "increase timeout="),
            (lambda: op.learn(GRIDWORLD, "F g", pmin=0.1, trial_steps=1, epsilon=0.1, delta=0.1), "trial_steps", None,
             "a larger trial_steps= makes the trial longer"),
            (lambda: op.learn(GRIDWORLD, "F g", T=9, k="l1", states=9, epsilon=0.1, delta=0.1), "actions k", None, ": give actions=, or"),
            (lambda: op.Model.load(COINS), "constants", None, 'give it with constants="p=..."'),
            (lambda: op.check(grid, "F g", exact=True), "exact", None, "load it with exact=True"),
            (lambda: op.Model.load(GRID).values(6), None, None, ""),
        ):
            with self.assertRaises(Exception) as caught:
                wrong()
            error = caught.exception
            self.assertNotIn(" allows more", str(error).replace(f"{parameter}= allows more", ""))
            self.assertEqual((getattr(error, "parameter", None), getattr(error, "limit", None)), (parameter, limit))
            self.assertIn(said, str(error))
            self.assertNotIn("--", str(error))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(again), vars(again)), (str(error), vars(error)))

    def test_warnings_may_be_errors(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(op.InputWarning):
                op.Model.build([[]])


if __name__ == "__main__":
    unittest.main()
