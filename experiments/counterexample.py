# SPDX-License-Identifier: MIT
"""A counterexample to the paper's definition of the recurrence time.

Definition 1 requires that a run visits every state of a BSCC twice. In a system of five states the action `safe` leads to
the BSCC {s1, s2}, in which s2 returns to s1 with a tiny probability r. The run s1 s1 s2 s2 visits every state twice
without taking the transition back; a learner with this T concludes that s2 is never left, and chooses `risky`, whose
probability is 1/2. The experiment computes T by both definitions, and runs learners with both.
"""
import math
from typing import NamedTuple, Tuple

import common
from common import op

EPSILON, DELTA = 0.05, 0.1
FORMULA = "G F good"
RULES = ("paper", "l1")  # rules for k of a learner with the literal T


class Size(NamedTuple):
    r: Tuple[float, ...]  # ascending
    least: float  # ω-PAC with the corrected T is run for r from this on: below, it needs more than 2^64 steps
    shares: Tuple[float, ...]  # values of r for runs with the literal T
    runs: int  # runs for each of these values and each rule


FULL = Size(r=(1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1), least=1e-4,
            shares=(1e-12, 3e-12, 1e-11, 3e-11, 1e-10, 3e-10, 1e-9, 3e-9, 1e-8, 3e-8, 1e-7), runs=100)
SMALL = Size(r=(1e-12, 0.01), least=0.01, shares=(1e-12, 1e-8), runs=2)


def time_of(model, literal):
    return op.recurrence(model, FORMULA, epsilon=EPSILON, literal=literal, threads=1).T


class Point:
    """T by both definitions for one r, the resulting k, and runs of learners with correct knowledge."""

    def __init__(self, lab, r, least):
        model = common.model("counterexample", r=r)
        info = model.info()
        sizes = {"states": info["states"], "actions": info["most_choices"], "branching": info["most_branches"],
                 "epsilon": EPSILON, "delta": DELTA}
        known = {"epsilon": EPSILON, "delta": DELTA}
        self.r, self.literal, self.covered = r, time_of(model, True), time_of(model, False)
        self.literal_k = op.sample_size("paper", T=self.literal, **sizes)
        self.covered_k = {rule: op.sample_size(rule, T=self.covered, **sizes) for rule in RULES}
        self.by_time = lab.learn(model, FORMULA, 1, T=self.covered, k="l1", **known)[0] if r >= least else None
        self.by_pmin = lab.learn(model, FORMULA, 1, pmin=min(r, 0.01), explore="generative", **known)[0]
        self.by_graph = lab.learn(model, FORMULA, 1, graph=True, **known)[0]


class Share:
    """Runs with the literal T, with k by a rule."""

    def __init__(self, lab, r, rule, index, runs):
        model = common.model("counterexample", r=r)
        found = lab.learn(model, FORMULA, runs, index * runs, epsilon=EPSILON, delta=DELTA, k=rule,
                          T=time_of(model, True))
        safe = [run for run in found if run.truth > 0.75]
        self.r, self.rule, self.k, self.safe = r, rule, found[0].k, len(safe)
        self.refuted = sum(run.T_refuted is True for run in safe)
        self.confident = sum(run.truth <= 0.75 and run.holds and run.T_refuted is False for run in found)
        self.mean = sum(run.truth for run in found) / runs
        self.seen = -math.expm1(self.k * math.log1p(-r))  # a return is among k observations


# ---- findings and tables ----


def bracket(run):
    return f"{run.steps}, for a bracket of [{common.number(run.lower)}, {common.number(run.optimum_upper)}]"


def add_findings(lab, size, points, shares):
    point, share = points[0], shares[0]  # of the least r, by the paper's rule
    wrong = size.runs - share.safe
    lab.finding("T by Definition 1, literally", "323 (by its words)", f"{point.literal}")
    lab.finding("k by Theorem 1 with it", "2763840763 (by its formula)", f"{point.literal_k}")
    lab.finding("runs that are more than 6ε below the optimum", "at most one in ten, by Theorem 1",
                f"{wrong} of {size.runs}",
                "the definition admits runs that do not show how they return, such as s1 s1 s2 s2")
    lab.finding("runs that see a return", "", f"one in {common.rounded(1 / share.seen, 3)}, exactly")
    lab.finding("wrong runs in which T is not refuted", "", f"{share.confident} of {wrong}")
    lab.finding("T by Definition 8 (covered twice)", "", f"{point.covered}")
    lab.finding("k by Theorem 1 with this T", "", common.show(float(point.covered_k["paper"]), 3))
    lab.finding("samples with pmin", "", bracket(point.by_pmin))
    lab.finding("samples with the graph", "", bracket(point.by_graph))


def add_tables(lab, size, points, shares):
    lab.table("runs", ("r", "rule", "k", "right_runs", "runs", "right_expected", "right_T_refuted", "wrong_T_not_refuted",
                       "mean_probability"),
              ((share.r, share.rule, share.k, share.safe, size.runs, share.seen * size.runs, share.refuted,
                share.confident, share.mean) for share in shares),
              "Learners that are given the literal T. Right are those that choose `safe`; expected are as many as see a "
              "return among k observations of s2.")
    lab.table("times", ("r", "T_literal", "k_paper_literal", "T_covered", "k_paper_covered", "k_l1_covered",
                        "steps_T_covered", "samples_pmin", "samples_graph"),
              ((point.r, point.literal, point.literal_k, point.covered, point.covered_k["paper"], point.covered_k["l1"],
                point.by_time.steps if point.by_time else None, point.by_pmin.steps, point.by_graph.steps)
               for point in reversed(points)),
              "T by both definitions (literal, and covered, which is ours), the k that follow, and what learners take "
              "that find the optimum: all of those here do. With pmin, samples are taken at states of choice (`--explore "
              "generative`), and pmin is the smaller one of r and 0.01.")


# ---- figures ----


def draw_values(plot, size, shares):
    low, high = size.shares[0], size.shares[-1]
    r = [low * (high / low) ** (i / 100) for i in range(101)]
    for rule, name in (("paper", "k of Theorem 1"), ("l1", "k of rule l1")):
        mine = [share for share in shares if share.rule == rule]
        exact = [1 - math.exp(mine[0].k * math.log1p(-one)) / 2 for one in r]
        plot.line(r, exact, f"{name}: exact")
        plot.points([share.r for share in mine], [share.mean for share in mine], f"{name}: mean of {size.runs} runs")
    plot.rule(y=1, label="optimum")
    plot.axes("r (probability of returning to s1)", "mean probability of satisfaction", x_log=True, y=(0.45, 1.05))


def draw_times(plot, points):
    series = (("steps, ω-PAC with the corrected T", [point.by_time.steps if point.by_time else None for point in points]),
              ("samples, bracket with pmin", [point.by_pmin.steps if point.by_pmin.holds else None for point in points]),
              ("corrected T: BSCC covered twice", [point.covered for point in points]),
              ("literal T: each state visited twice", [point.literal for point in points]))
    for name, values in series:
        plot.curve([point.r for point in points], values, name)
    plot.axes("r (probability of returning to s1)", "T (transitions), steps, samples", x_log=True, y_log=True)


def run(lab, size):
    lab.progress("times and learners")
    points = lab.map(lambda r: Point(lab, r, size.least), size.r)
    shares = []
    for r in size.shares:
        lab.progress(f"the literal T, r = {common.number(r)}")
        for rule in RULES:
            shares.append(Share(lab, r, rule, len(shares), size.runs))
    for name, value in (("model", "examples/models/counterexample.prism"), ("formula", FORMULA), ("epsilon", "1/20"),
                        ("delta", "1/10")):
        lab.param(name, value)
    add_findings(lab, size, points, shares)
    add_tables(lab, size, points, shares)
    lab.figure("values", lambda plot: draw_values(plot, size, shares))
    lab.figure("times", lambda plot: draw_times(plot, points))


if __name__ == "__main__":
    common.main("counterexample", "A counterexample to the paper's definition of the recurrence time.", run, FULL, SMALL,
                lambda size, runs: size._replace(runs=runs))
