# SPDX-License-Identifier: MIT
"""Memory leaks: repeated calls, also failing ones, do not increase the use of memory."""
import gc
import os
import pathlib
import pickle
import sys
import tempfile
import unittest
import warnings
from fractions import Fraction

import omegapac as op
from gridworlds import Walk
from support import MODELS, full

GRID = MODELS / "gridworld.prism"
ROUNDS = 40


def failing(work, *kinds):
    def call():
        try:
            work()
        except (op.Error, TypeError, ValueError, IndexError, OSError, OverflowError, *kinds):
            return
        raise AssertionError("no error")

    return call


def calls(folder):
    model = op.Model.load(GRID)
    automaton = op.Automaton.translate("G F s & G F g & G !trap")
    policy = op.check(model, "F g").policy
    cert = pathlib.Path(folder, "wrong.cert")
    cert.write_text('{"schema": "omegapac.certificate/2"}')
    build = [[{0: 0.5, 1: "1/2"}, {1: 1}], [{1: 1}]]
    hoa = automaton.to_hoa()
    return {
        "load": lambda: op.Model.load(GRID),
        "load nothing": failing(lambda: op.Model.load("/nowhere")),
        "parse": lambda: op.Model.parse("dtmc const int N; module m x:[0..N]; [] true -> (x'=x); endmodule", constants="N=3"),
        "parse wrong": failing(lambda: op.Model.parse("mdp module m x:[0..; endmodule")),
        "unknown constant": failing(lambda: op.Model.parse("mdp module m x:bool; endmodule", constants="N=3")),
        "build": lambda: op.Model.build(build, labels={"a": [1]}, actions=[["x", "y"], None], variables={"n": [1, 2]}),
        "build wrong": failing(lambda: op.Model.build([[{0: 0.5, 7: 0.5}]])),
        "build nonsense": failing(lambda: op.Model.build([[{0: object()}]])),
        "look": lambda: (model.labels, model.actions, model.initial, model.variables, model.values(0), model.name,
                         model.actions_in(0), model.successors(0, 1), model.successors(0, "ne"), model.holds("g", 0),
                         model.holds("x=1", 0), model.where("x=1"), model.info(), model.to_dot(), repr(model)),
        "look wrong": failing(lambda: model.holds("nothing", 0)),
        "save": lambda: model.save(pathlib.Path(folder, "grid.tra")),
        "translate": lambda: op.Automaton.translate("G F a & F G b"),
        "translate wrong": failing(lambda: op.Automaton.translate("G (")),
        "automaton": lambda: (automaton.propositions, automaton.acceptance, automaton.acceptance_name, automaton.name,
                              automaton.to_dot(), automaton.convert(), op.Automaton.parse(hoa)),
        "automaton wrong": failing(lambda: op.Automaton.parse("HOA: v1 x")),
        "check": lambda: op.check(model, "G F s & G F g").to_json(),
        "check automaton": lambda: op.check(model, automaton)._repr_html_(),
        "check several": lambda: op.check(model, ["F g", "F s"], property=["Pmax>=0.5 [ F x=2 ]"]),
        "check several wrong": failing(lambda: op.check(model, ["F g", "F ("])),
        "check property": lambda: op.check(model, property="Pmax>=0.5 [ F x=2 ]"),
        "check wrong": failing(lambda: op.check(model, "F nothing")),
        "check wrong property": failing(lambda: op.check(model, property="P=? [ F x= ]")),
        "check inexact": failing(lambda: op.check(model, "F g", exact=True)),
        "evaluate": lambda: op.evaluate(model, policy).to_dict(),
        "evaluate other": failing(lambda: op.evaluate(model, policy, "F nothing")),
        "recurrence": lambda: op.recurrence(model, "F g", epsilon="1/10").to_dict(),
        "bound": lambda: op.bound(states=2**60, actions=4, T=2**63, epsilon="1e-300", delta=0.1, slack=0.5).to_json(),
        "bound wrong": failing(lambda: op.bound(states=0, actions=4, T=3, epsilon=0.1, delta=0.1)),
        "runs": lambda: op.learn_runs(model, "F g", 2, epsilon=0.1, delta=0.1, T=30, k=5, trace=True),
        "runs wrong": failing(lambda: op.learn_runs(model, "F g", 2, epsilon=2, delta=0.1, T=30, k=9)),
        "runs from T": lambda: op.learn_runs(model, "F g", 2, epsilon=0.1, delta=0.1, T=306, trace=True),
        "runs from T wrong": failing(lambda: op.learn_runs(model, "F g", 2, epsilon=0.1, delta=0.1, T=306, slack=0.1)),
        "numbers": lambda: (op.sample_size(states=2**60, actions=4, T=2**63, epsilon="1e-300", delta=0.1),
                            op.bad_steps(states=8, actions=2, T=8, epsilon="1/60", delta=0.1, k=10**8, distance="9/60"),
                            op.clopper_pearson(3, 9, 0.1), op.binomial_above(9, "1/3", 4)),
        "numbers wrong": failing(lambda: op.sample_size("none", states=2, actions=4, T=3, epsilon=0.1, delta=0.1)),
        "verify": lambda: op.verify(cert),
        "verify another file": failing(lambda: op.verify(folder)),
        **environments(),
    }


def numbers(result):
    return result.to_json(), result.gap, result.refutation, result.T, result.T_check, result.candidates, result.trial


def environments():
    """Correct Python environments, and one for each kind of error."""
    bracket = dict(pmin=0.2, epsilon=0.1, delta=0.1)
    lanes = dict(T=5, k=100, epsilon=0.1, delta=0.1)
    horizon = dict(T=250, epsilon=0.1, delta=0.1)
    policy = op.learn(Walk(), "G F goal", **bracket).policy

    def broken(member, answer, options=bracket, **more):
        env = type("Env", (Walk,), {member: lambda self, *rest: answer, **more})()
        return failing(lambda: op.learn(env, "G F goal", **options))

    def raising(*unused):
        yield 0
        raise ValueError

    midway = type("Env", (Walk,), {"step_many": raising, "lanes": 2})()
    return {
        "learn": lambda: op.learn(Walk(), "G F goal", trace=lambda entry: None, **bracket).to_json(),
        "learn model": lambda: op.learn(op.Model.load(GRID), "G F s", **bracket),
        "learn from T": lambda: numbers(op.learn(Walk(), "F[0,4] goal", trace=lambda entry: None, **horizon)),
        "learn from a T that is refuted": lambda: numbers(op.learn(op.Model.load(GRID), "G F s & G F g", T=19, epsilon=0.05, delta=0.1)),
        "learn from T wrong": failing(lambda: op.learn(Walk(), "G F goal", stop="all-actions", **horizon)),
        "policy": lambda: (policy.copy().act(1), pickle.loads(pickle.dumps(policy)), list(policy), policy._repr_html_()),
        "keys": lambda: [op.environments.key(x) for x in ((1, 2.5), Fraction(2), Fraction(1, 2), Fraction(1, 3), frozenset("ab"))],
        "key of a thing": failing(lambda: op.environments.key(object())),
        "no state": broken("step", None),
        "unhashable": broken("step", []),
        "no label": broken("labels", ["other"]),
        "no action": broken("actions", ["a", 3]),
        "no count": broken("draw", {0: "x"}, dict(bracket, explore="generative")),
        "no states": broken("step_many", [0], lanes, lanes=2),
        "no list": broken("step_many", 3, lanes, lanes=2),
        "raising": failing(lambda: op.learn(midway, "G F goal", **lanes)),
        "no fork": broken("fork", object(), dict(lanes, threads=2)),
        "no propositions": failing(lambda: op.learn(object(), "G F goal", **bracket)),
        "wrong option": failing(lambda: op.learn(Walk(), "G F goal", T="x", k=9, epsilon=0.1, delta=0.1)),
        "raising from T": broken("step_many", [0], horizon, lanes=2),
        "raising trace": failing(lambda: op.learn(Walk(), "G F goal", trace=int, **bracket)),
        "no program": failing(lambda: op.Simulator("exec:exit 3")),
    }


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


class Leaks(unittest.TestCase):
    def grows(self, call):
        """Whether the number of Python's memory blocks keeps growing. Caches fill during the first rounds, some at
        random: a new string of pickle occupies an entry of Python's attribute cache depending on its address."""
        for _ in range(60):
            before = blocks()
            for _ in range(ROUNDS):
                call()
            if blocks() - before < ROUNDS // 4:
                return False
        return True

    @full
    def test_blocks_of_python(self):
        if "malloc" in os.environ.get("PYTHONMALLOC", ""):
            self.skipTest("Python's own allocator is off")
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, call in calls(folder).items():
                call()
                self.assertFalse(self.grows(call), name)

    def test_memory_of_the_library(self):
        """Reads a model of about a megabyte repeatedly."""
        if not os.path.exists("/proc/self/statm") or "LD_PRELOAD" in os.environ:
            self.skipTest("cannot measure the memory of this process")
        text = "dtmc module m x:[0..20000]; [] x<20000 -> 0.5:(x'=x+1) + 0.5:(x'=0); [] x=20000 -> true; endmodule"

        def call():
            op.check(op.Model.parse(text), 'F "x=3"')

        for _ in range(5):
            call()
        before = resident()
        for _ in range(20):
            call()
        self.assertLess(resident() - before, 8 << 20)


if __name__ == "__main__":
    unittest.main()
