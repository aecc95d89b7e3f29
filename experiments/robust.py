# SPDX-License-Identifier: MIT
"""Example 1 of the paper: why the recurrence time must be known.

The objective is to stay in the state s0. The action a stays; b leaves s0 forever with a small probability p. The
smaller p is, the more samples of b are needed to observe that it leaves: T grows as 1/p, and k as 1/p². The steps of a
bracket from T grow as T. A learner with a wrong T fails, and its test of T does not detect this: ω-PAC if p is so small that
k samples do not show it, and a bracket from T, which takes fewer samples, also for larger p.
"""
import math
from typing import NamedTuple, Tuple

import common
from common import op

EPSILON, DELTA = 0.05, 0.1
RULES = ("paper", "sound", "l1")


class Size(NamedTuple):
    p: Tuple[float, ...]  # ascending, below 1
    least: float  # ω-PAC is run for p from this on; smaller p only take longer
    runs: int  # runs of each learner
    wrong: Tuple[float, ...]  # values of p for the learners with a wrong T
    wrong_runs: int  # their runs for each p


FULL = Size(p=(1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
            least=1e-5, runs=3,
            wrong=(1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 2e-7, 5e-7, 1e-6, 2e-6, 5e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2),
            wrong_runs=200)
SMALL = Size(p=(0.1, 0.5), least=0.2, runs=2, wrong=(1e-8, 1e-5), wrong_runs=2)


def system(p, q):
    """The system in which a leaves s0 with probability q, and b with probability p."""
    return common.model("robust", p=p, q=q)


class Point:
    """For one p: T computed from the model and by the formula, k, and the steps of learners."""

    def __init__(self, p):
        model, stays = system(p, 0), math.log1p(-p)
        self.p = p
        self.recurrent = op.recurrence(model, "G F s0", epsilon=EPSILON, threads=1).T
        self.safe = op.recurrence(model, "G s0", epsilon=EPSILON, threads=1).T
        self.formula = 1 + math.ceil(math.log(EPSILON) / stays)
        self.needed = math.ceil(math.log(DELTA) / stays)  # samples of b after which it has left with probability 1 − δ
        self.k = {rule: op.sample_size(rule, states=2, actions=2, branching=2, T=self.safe, epsilon=EPSILON, delta=DELTA)
                  for rule in RULES}
        self.steps, self.right, self.runs, self.brackets = {}, 0, 0, []

    def learn(self, lab, size):
        """Runs learners that know T, pmin = p, or the graph, and stores the medians of their steps."""
        for name, known in (("T", {"T": self.safe, "k": "l1"}), ("T_bracket", {"T": self.safe}), ("pmin", {"pmin": self.p}),
                            ("graph", {"graph": True})):
            self.steps[name] = None
            if name == "T" and self.p < size.least:
                continue
            found = lab.learn(system(self.p, 0), "G s0", size.runs, epsilon=EPSILON, delta=DELTA, **known)
            self.steps[name] = common.median([run.steps for run in found])
            self.right += sum(run.truth == 1 and run.holds for run in found)
            self.runs += size.runs
            if name == "T_bracket":
                self.brackets = found


class WrongT:
    """Runs with a wrong T (that of p = 0.1) in a system where a leaves s0 with probability p: of ω-PAC and of a bracket."""

    def __init__(self, lab, p, reference, index, runs):
        self.p = p
        self.wrong, self.confirmed = self.learn(lab, reference, index, runs, k="l1")
        self.wrong_bracket, self.confirmed_bracket = self.learn(lab, reference, index, runs)
        self.exact = math.exp(reference.k["l1"] * math.log1p(-p))

    def learn(self, lab, reference, index, runs, **rule):
        """The number of runs that choose a, and of those of them in which T was not refuted."""
        found = lab.learn(system(0, self.p), "G s0", runs, index * runs, epsilon=EPSILON, delta=DELTA, T=reference.safe, **rule)
        wrong = [run for run in found if run.truth < 0.5]
        return len(wrong), sum(run.holds and run.T_refuted is False for run in wrong)


# ---- findings and tables ----


def add_findings(lab, size, points, wrong):
    by_p = {point.p: point for point in points}
    for p in (0.5, 0.1, 0.01, 0.001):
        if p in by_p:
            lab.finding(f"T for p = {p}", "grows as p falls", f"{by_p[p].recurrent} for G F s0, {by_p[p].safe} for G s0")
    if 0.001 in by_p:
        point = by_p[0.001]
        lab.finding("k for p = 0.001", "", f"{point.k['paper']} (paper), {point.k['l1']} (l1)")
        lab.finding("steps for p = 0.001", "depend on p", f"{point.steps['T']} with T by rule l1, {point.steps['T_bracket']} "
                    f"with a bracket from T, {point.steps['pmin']} with pmin, {point.steps['graph']} with the graph")
        lab.finding("width, bracket from T, p = 0.001", "", common.widths(point.brackets))
        lab.finding("uses of b until it is observed to leave, p = 0.001", "", f"{point.needed}")
    found = [run for point in points for run in point.brackets]
    lab.finding("brackets from T that contain the optimum", "",
                f"{sum(common.contains(run, 1) for run in found)} of {len(found)}")
    lab.finding("runs that chose a", "", f"{sum(point.right for point in points)} of {sum(point.runs for point in points)}")
    for one in wrong:
        if one.p == 0.001:
            lab.finding("undetected failures with T = 31, p = 0.001", "",
                        f"{one.confirmed} of {size.wrong_runs} by rule l1, {one.confirmed_bracket} of {size.wrong_runs} with a "
                        "bracket from T", "the fewer samples a learner takes, the larger the p that it does not observe")


def add_tables(lab, size, points, wrong):
    lab.table("points", ("p", "T_recurrent", "T_formula", "T_safe", "k_paper", "k_sound", "k_l1", "steps_T", "steps_T_bracket",
                         "steps_pmin", "steps_graph", "uses_needed"),
              ((point.p, point.recurrent, point.formula, point.safe, *point.k.values(), *point.steps.values(), point.needed)
               for point in reversed(points)),
              "T for `G F s0`, from the model and by the formula, and for `G s0`; k for `G s0`; the steps of learners, "
              f"medians of {size.runs} runs (below p = 10⁻⁵, ω-PAC was not run: it would only have taken time); and the "
              "uses of `b` until it is seen to leave.")
    lab.table("wrong", ("p", "wrong_runs", "runs", "T_not_refuted", "exact", "wrong_runs_bracket", "T_not_refuted_bracket"),
              ((one.p, one.wrong, size.wrong_runs, one.confirmed, one.exact, one.wrong_bracket, one.confirmed_bracket)
               for one in wrong),
              "Runs of ω-PAC with T = 31: how many returned the action that leaves, in how many of these the test of T found "
              "nothing, and the exact share, (1 − p)^k. Then the same two numbers for a bracket from T = 31.")


# ---- figures ----


def draw_times(plot, points):
    p = [point.p for point in points]
    for rule, name in (("sound", "k, rule sound"), ("paper", "k, Theorem 1"), ("l1", "k, rule l1")):
        plot.curve(p, [point.k[rule] for point in points], name)
    plot.line(p, [point.formula for point in points], "T, formula")
    plot.points(p, [point.recurrent for point in points], "T, computed")
    plot.axes("p (probability that b leaves s0)", "T (transitions), k (observations)", x_log=True, y_log=True)


def draw_samples(plot, size, points):
    p = [point.p for point in points]
    plot.curve(p, [point.steps["T"] for point in points], "ω-PAC with T, rule l1")
    plot.curve(p, [point.steps["T_bracket"] for point in points], "bracket from T")
    plot.curve(p, [point.steps["pmin"] for point in points], "bracket with pmin = p")
    plot.line(p, [point.needed for point in points], "samples of b until it leaves s0")
    plot.axes("p (probability that b leaves s0)", f"steps, median of {size.runs} runs", x_log=True, y_log=True)


def draw_wrong(plot, size, wrong, k):
    low, high = wrong[0].p, wrong[-1].p
    p = [low * (high / low) ** (i / 100) for i in range(101)]
    exact = [math.exp(k * math.log1p(-one)) for one in p]
    bands = [common.share_interval(size.wrong_runs, one) for one in exact]
    plot.band(p, [lower for lower, _ in bands], [upper for _, upper in bands], "99 % interval")
    plot.line(p, exact, "ω-PAC, exact: $(1 - p)^k$")
    for name, counts in (("ω-PAC", [one.confirmed for one in wrong]),
                         ("bracket from T", [one.confirmed_bracket for one in wrong])):
        plot.points([one.p for one in wrong], [count / size.wrong_runs for count in counts], f"{name}, {size.wrong_runs} runs")
    plot.rule(y=DELTA, label="δ")
    plot.axes("p (probability that action a leaves s0)", "share of runs that choose a\nand do not refute T", x_log=True,
              y=(-0.02, 1.02))


def run(lab, size):
    lab.progress("recurrence times")
    points = lab.map(Point, size.p)
    for point in points:
        lab.progress(f"learners, p = {common.number(point.p)}")
        point.learn(lab, size)
    reference, wrong = Point(0.1), []
    for p in size.wrong:
        lab.progress(f"a wrong T, p = {common.number(p)}")
        wrong.append(WrongT(lab, p, reference, len(wrong), size.wrong_runs))
    for name, value in (("model", "examples/models/robust.prism"), ("formulas", "G s0; G F s0"),
                        ("N", "2 (pairs of the model are counted)"), ("K", "2"), ("m", "2"), ("epsilon", "1/20"),
                        ("delta", "1/10")):
        lab.param(name, value)
    add_findings(lab, size, points, wrong)
    add_tables(lab, size, points, wrong)
    lab.figure("times", lambda plot: draw_times(plot, points))
    lab.figure("samples", lambda plot: draw_samples(plot, size, points))
    lab.figure("wrong", lambda plot: draw_wrong(plot, size, wrong, reference.k["l1"]))


if __name__ == "__main__":
    common.main("robust", "Example 1 of the paper: T, k and samples against the probability p.", run, FULL, SMALL,
                lambda size, runs: size._replace(runs=runs, wrong_runs=runs))
