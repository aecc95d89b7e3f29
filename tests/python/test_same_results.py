# SPDX-License-Identifier: MIT
"""Every result is the same JSON in Python (`to_json()`) and on the command line (`--json`), in the same order.

The name of the model, the arguments or the call, and measured times may differ. test_same_learning.py tests `learn`.
"""
import json
import shlex
import sys
import unittest

import omegapac as op
from support import MODELS, Scratch, command

GRID = MODELS / "gridworld.prism"
COINS = MODELS / "two-coins.prism"
LAKE = MODELS / "frozenlake.prism"
CHANNEL = MODELS / "channel.prism"
OBJECTIVE = "G F s & G F g & G !trap"
TWO_STARTS = """dtmc
module m
    x : [0..2];
    [] x<2 -> 0.5:(x'=2) + 0.5:(x'=x);
    [] x=2 -> true;
endmodule
init x<2 endinit
label "end" = x=2;
"""
GUESS = """HOA: v1
States: 3
Start: 0
AP: 1 "end"
Acceptance: 1 Inf(0)
--BODY--
State: 0 [t] 1 [t] 2
State: 1 [0] 1 {0}
State: 2 [!0] 2 {0}
--END--
"""
COIN = """\
import random, sys
print("omegapac-env 1 a start=fixed", flush=True)
side = 0
for line in sys.stdin:
    verb, _, word = line.partition(" ")
    if verb == "reset":
        numbers, side = random.Random(int(word)), 0
    elif verb == "step":
        side = side or numbers.choice((1, 2))
    else:
        break
    print(side, "a" if side == 1 else "-", "throw", flush=True)
"""


def common(data):
    """The parts of a result that Python and the command line have in common."""
    for key in ("arguments", "call"):
        data.pop(key, None)
    for key in ("model", "policy"):
        data.get("inputs", {}).pop(key, None)
    data["params"].pop("dot_limit", None)
    for part in (data, *data.get("results", ())):
        for key in ("seconds", "read_seconds"):
            part.get("stats", {}).pop(key, None)
    return json.dumps(data, indent=1)


class Same(Scratch):
    maxDiff = None

    def same(self, result, *arguments):
        data = json.loads(result.to_json())
        self.assertEqual(data, json.loads(json.dumps(result.to_dict())))
        function = "learn_runs" if "--runs" in arguments else arguments[0]
        self.assertIn(f"omegapac.{function}(", data["call"])
        self.assertEqual(common(data), common(command(*arguments)))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


class Check(Same):
    def test_formulas(self):
        grid = op.Model.load(GRID)
        self.same(op.check(grid, OBJECTIVE), "check", GRID, "-f", OBJECTIVE)
        self.same(op.check(grid, "F g", minimize=True), "check", GRID, "-f", "F g", "--min")
        self.same(op.check(grid, 'F "x=2"', kind="ldba", threads=1), "check", GRID, "-f", 'F "x=2"', "--kind", "ldba",
                  "--threads", "1")
        self.same(op.check(op.Model.load(LAKE), "F goal", precision="1e-4", max_states=1000), "check", LAKE, "-f",
                  "F goal", "--precision", "1e-4", "--max-states", "1000")

    def test_automata(self):
        path = self.folder / "a.hoa"
        automaton = op.Automaton.translate(OBJECTIVE)
        automaton.save(path)
        result = op.check(op.Model.load(GRID), op.Automaton.load(path))
        there = command("check", GRID, "-a", path)
        self.assertEqual(there["inputs"].pop("objective"), str(path))  # Python knows the automaton, not its file
        self.assertEqual(there["params"].pop("automata"), [str(path)])
        there["policy"]["objective"] = OBJECTIVE
        here = result.to_dict()
        self.assertEqual(here["inputs"].pop("objective"), OBJECTIVE)
        self.assertEqual(here["params"].pop("automata"), [OBJECTIVE])
        self.assertEqual(common(here), common(there))

    def test_bounds(self):
        coins = op.Model.load(COINS, "p=1/3")
        for text in ("Pmax>=0.2 [ F heads=2 ]", '"both": Pmax>=0.2 [ F heads=2 ]', "Pmax<0.05 [ F heads=2 ]",
                     "P>0 [ F heads=2 ]", "Pmin=? [ F heads=2 ]"):
            self.same(op.check(coins, property=text), "check", COINS, "-D", "p=1/3", "-p", text)

    def test_fractions(self):
        coins = op.Model.load(COINS, "p=1/3", exact=True)
        try:
            result = op.check(coins, 'F "heads=2"', exact=True)
        except op.UnsupportedError:
            self.skipTest("without GMP")
        self.same(result, "check", COINS, "-D", "p=1/3", "-f", 'F "heads=2"', "--exact")
        text = "P>=1/9 [ F heads=2 ]"
        self.same(op.check(coins, property=text, exact=True), "check", COINS, "-D", "p=1/3", "-p", text, "--exact")

    def test_several_initial_states(self):
        path = self.write("two.prism", TWO_STARTS)
        result = op.check(op.Model.load(path), "X end")
        self.same(result, "check", path, "-f", "X end")
        self.assertEqual([row["value"] for row in result.initial], [0.5, 0.5])
        self.assertEqual(result.initial[1]["values"], {"x": 1})

    def test_several_objectives(self):
        grid, formulas = op.Model.load(GRID), ["F g", OBJECTIVE]
        words = ("check", GRID, "-f", "F g", "-f", OBJECTIVE)
        self.same(op.check(grid, formulas), *words)
        self.same(op.check(grid, tuple(formulas), minimize=True), *words, "--min")
        properties = ['Pmax=? [ F "g" ]', '"rare": Pmin>=0.5 [ F "s" ]']
        asked = [word for text in properties for word in ("-p", text)]
        self.same(op.check(grid, property=properties), "check", GRID, *asked)
        self.same(op.check(grid, formulas, property=properties), *words, *asked)
        self.same(op.check(grid, "F g", property=properties, minimize=True), *words[:4], *asked, "--min")

    def test_several_automata(self):
        """Python reports the name of an automaton, the command line its file."""
        path = self.folder / "a.hoa"
        op.Automaton.translate("F s").save(path)
        here = op.check(op.Model.load(GRID), ["F g", op.Automaton.load(path)]).to_dict()
        there = command("check", GRID, "-a", path, "-f", "F g")
        self.assertEqual(there["params"].pop("automata"), [str(path)])
        self.assertEqual(here["params"].pop("automata"), ["F s"])
        self.assertEqual(there["results"][1]["inputs"].pop("objective"), str(path))
        self.assertEqual(here["results"][1]["inputs"].pop("objective"), "F s")
        self.assertEqual(common(here), common(there))

    def test_bounds_decided_in_fractions(self):
        coins, texts = op.Model.load(COINS, "p=1/3", exact=True), ["P>=1/9 [ F heads=2 ]", "P<1/9 [ F heads=2 ]"]
        results = op.check(coins, property=texts)
        if results[0].verdict == "undecided":
            self.skipTest("without GMP")
        self.same(results, "check", COINS, "-D", "p=1/3", *(word for text in texts for word in ("-p", text)))
        self.assertEqual([(item.verdict, item.exact) for item in results], [("true", "1/9"), ("false", "1/9")])
        self.same(op.check(coins, property=texts[0]), "check", COINS, "-D", "p=1/3", "-p", texts[0])

    def test_nondeterministic_automata(self):
        """The value is a bound, because the automaton is nondeterministic."""
        path, guess = self.write("two.prism", TWO_STARTS), self.write("guess.hoa", GUESS)
        here = op.check(op.Model.load(path), op.Automaton.load(guess)).to_dict()
        there = command("check", path, "-a", guess, "-q")
        self.assertIs(here["result"]["is_bound"], True)
        for member in ("result", "stats", "automaton"):
            self.assertEqual(here[member], {k: v for k, v in there[member].items() if not k.endswith("seconds")}
                             if member == "stats" else there[member])


class Evaluate(Same):
    def test_policies(self):
        model = op.Model.load(LAKE)
        policy = op.check(model, "F goal").policy
        path = self.folder / "policy.json"
        policy.save(path)
        self.same(op.evaluate(model, policy), "evaluate", LAKE, "--policy", path)
        self.same(op.evaluate(model, policy, "F hole"), "evaluate", LAKE, "--policy", path, "-f", "F hole")
        text = 'Pmax=? [ F "hole" ]'
        self.same(op.evaluate(model, policy, property=text), "evaluate", LAKE, "--policy", path, "-p", text)

    def test_several_initial_states(self):
        path, file = self.write("two.prism", TWO_STARTS), self.folder / "policy.json"
        model = op.Model.load(path)
        policy = op.check(model, "F end").policy
        policy.save(file)
        self.same(op.evaluate(model, policy), "evaluate", path, "--policy", file)

    def test_fractions(self):
        model = op.Model.load(CHANNEL, exact=True)
        policy = op.check(model, "F delivered").policy
        path = self.folder / "policy.json"
        policy.save(path)
        try:
            result = op.evaluate(model, policy, exact=True)
        except op.UnsupportedError:
            self.skipTest("without GMP")
        self.same(result, "evaluate", CHANNEL, "--policy", path, "--exact")


class Recurrence(Same):
    def test_models(self):
        grid = op.Model.load(GRID)
        self.same(op.recurrence(grid, OBJECTIVE, epsilon="1/20"), "recurrence", GRID, "-f", OBJECTIVE, "--epsilon",
                  "1/20")
        self.same(op.recurrence(grid, "F g", epsilon=0.1, literal=True), "recurrence", GRID, "-f", "F g", "--epsilon",
                  "0.1", "--literal")
        self.same(op.recurrence(grid, "F g", epsilon=0.1, pmin=0.2, end_accepted=True), "recurrence", GRID, "-f",
                  "F g", "--epsilon", "0.1", "--pmin", "0.2", "--end-accepted")
        text = "P=? [ F heads=2 ]"
        self.same(op.recurrence(op.Model.load(COINS, "p=1/3"), property=text, epsilon=0.1), "recurrence", COINS, "-D",
                  "p=1/3", "-p", text, "--epsilon", "0.1")

    def test_estimates(self):
        self.same(
            op.recurrence(op.Model.load(GRID), OBJECTIVE, epsilon=0.1, max_component=1, samples=2000, delta=0.2,
                          seed=7, threads=1),
            "recurrence", GRID, "-f", OBJECTIVE, "--epsilon", "0.1", "--max-component", "1", "--samples", "2000",
            "--delta", "0.2", "--seed", "7", "--threads", "1")  # fmt: skip

    def test_policies(self):
        grid = op.Model.load(GRID)
        path = self.folder / "policy.json"
        policy = op.check(grid, OBJECTIVE).policy
        policy.save(path)
        self.same(op.recurrence(grid, OBJECTIVE, epsilon=0.05, policy=policy), "recurrence", GRID, "-f", OBJECTIVE,
                  "--epsilon", "0.05", "--policy", path)


class Bound(Same):
    def test_rules(self):
        base = dict(states=12, actions=4, T=19, epsilon="1/20", delta=0.1)
        words = "--states 12 --actions 4 -T 19 --epsilon 1/20 --delta 0.1".split()
        for more, options in (
            ({}, []),
            ({"k": "paper"}, ["--k", "paper"]),
            ({"k": 1000}, ["--k", "1000"]),
            ({"branching": 3}, ["--branching", "3"]),
            ({"target": 0.15}, ["--target", "0.15"]),
            ({"slack": 0.3}, ["--slack", "0.3"]),
        ):
            self.same(op.bound(**base, **more), "bound", *words, *options)

    def test_numbers_beyond_all_types(self):
        words = f"--states {2**60} --actions 4 -T {2**63} --epsilon 1e-300 --delta 0.1".split()
        self.same(op.bound(states=2**60, actions=4, T=2**63, epsilon="1e-300", delta=0.1), "bound", *words)


class Verify(Same):
    def test_certificates(self):
        path = self.folder / "run.cert"
        op.learn(op.Model.load(GRID), "F g", epsilon=0.2, delta=0.1, pmin=0.1, seed=3,
                 max_steps=2_000_000).write_certificate(path)
        self.same(op.verify(path), "verify", path)
        self.same(op.verify(path, GRID), "verify", path, GRID)

    def test_refusal(self):
        path = self.write("wrong.cert", '{"schema": "omegapac.certificate/1"}')
        self.same(op.verify(path), "verify", path)


class Estimate(Same):
    ASKED = ("-T", "20", "--epsilon", "0.1", "--delta", "0.1", "-q")

    def test_models(self):
        path = self.write("two.prism", TWO_STARTS)
        for options, words in (({}, ()), ({"seed": 7}, ("--seed", "7")), ({"width": 0.3}, ("--width", "0.3")),
                               ({"max_steps": 50}, ("--max-steps", "50"))):
            result = op.estimate(op.Model.load(path), "X X end", T=20, epsilon=0.1, delta=0.1, **options)
            self.same(result, "estimate", path, "-f", "X X end", *self.ASKED, *words)

    def test_contradictions(self):
        path = self.write("slow.prism", 'dtmc module m x:[0..1]; [] x=0 -> 0.99:true + 0.01:(x\'=1); [] x=1 -> true; '
                                        'endmodule\nlabel "end" = x=1;\n')
        result = op.estimate(op.Model.load(path), "F end", T=20, epsilon=0.1, delta=0.1)
        self.assertTrue(result.contradicted)
        self.same(result, "estimate", path, "-f", "F end", *self.ASKED)

    def test_simulators(self):
        script = self.write("coin.py", COIN)
        program = "exec:" + shlex.join([sys.executable, str(script)])
        result = op.estimate(program, "F a", T=20, epsilon=0.1, delta=0.1)
        self.same(result, "estimate", program, "-f", "F a", *self.ASKED)
        self.assertIsNone(result.truth)


class Calls(Same):
    def test_a_call_reproduces_its_result(self):
        coins = op.Model.load(COINS, {"p": "1/3"})
        asked = dict(epsilon=0.2, delta=0.1)
        exact = op.Model.load(COINS, {"p": "1/3"}, exact=True)
        for result in (op.check(coins, "F both"), op.check(exact, "F both", exact=True),
                       op.check(coins, ["F both", "G !both"], property=["P>0 [ F heads=2 ]"]),
                       op.check(op.Model.load(GRID), OBJECTIVE, precision=1e-3),
                       op.learn(coins, "F both", pmin=0.3, **asked), op.recurrence(coins, "F both", epsilon=0.1),
                       op.estimate(coins, "F both", T=3, **asked)):
            data = json.loads(result.to_json())
            with self.subTest(data["call"]):
                again = json.loads(eval(data["call"], {"omegapac": op}).to_json())
                self.assertEqual(again["call"], data["call"])
                self.assertEqual(common(again), common(data))


if __name__ == "__main__":
    unittest.main()
