# SPDX-License-Identifier: MIT
"""Theorem 2 of the paper, counted: for how many steps ω-PAC follows a policy that is not 9ε-optimal.

Each policy that a run goes through is evaluated in the model; it lasts until the next one. A run that has stopped
goes on with its last policy. So if that one is good, the count is complete, and if it is not, there is no finite one.
"""
from typing import NamedTuple

import common
from common import op

DELTA = 0.1


class Setting(NamedTuple):
    name: str
    model: str
    formula: str
    epsilon: float
    T: int
    states: int  # N and K of the theorem: of the product, as in the paper
    actions: int
    k: object  # a rule, or a number


SETTINGS = (
    Setting("grid, T = 19", "gridworld", common.GRIDWORLD, 0.05, 19, 12, 4, "paper"),
    Setting("grid, T = 306", "gridworld", common.GRIDWORLD, 0.05, 306, 12, 4, "paper"),
    Setting("chain, T = 8", "chain", common.CHAIN, 1 / 60, 8, 8, 2, "paper"),
    Setting("grid, T = 306, l1", "gridworld", common.GRIDWORLD, 0.05, 306, 12, 4, "l1"),
    Setting("chain, T = 8, l1", "chain", common.CHAIN, 1 / 60, 8, 8, 2, "l1"),
    Setting("grid, k = 10", "gridworld", common.GRIDWORLD, 0.05, 306, 12, 4, 10),
    Setting("chain, k = 10", "chain", common.CHAIN, 1 / 60, 8, 8, 2, 10),
)


class Size(NamedTuple):
    runs: int  # of each setting


FULL, SMALL = Size(100), Size(2)


class Course:
    """The sequence of policies of one run. A policy that is worth the threshold is good enough."""

    def __init__(self, run, threshold):
        ends = [entry.step for entry in run.trace[1:]] + [run.steps]
        bad = [end - entry.step for entry, end in zip(run.trace, ends) if entry.truth < threshold]
        self.seed, self.policies, self.steps, self.k = run.seed, len(run.trace), run.steps, run.k
        self.bad_policies, self.bad_steps = len(bad), sum(bad)
        self.last, self.ends_well = run.truth, run.truth >= threshold


class Summary:
    """The runs of a setting, their statistics, and the bounds."""

    def __init__(self, lab, setting, runs):
        lab.progress(setting.name)
        model = common.model(setting.model)
        threshold = op.check(model, setting.formula, policy=False, threads=1).value - 9 * setting.epsilon
        found = lab.learn(model, setting.formula, runs, epsilon=setting.epsilon, delta=DELTA, T=setting.T, k=setting.k,
                          counts="product", trace=True)
        self.courses = [Course(run, threshold) for run in found]
        self.k = self.courses[0].k
        well = [course for course in self.courses if course.ends_well]
        self.well, self.steps = len(well), common.median([course.steps for course in self.courses])
        self.bad = common.quartiles([course.bad_steps for course in well]) if well else (0,) * 5
        self.share = min([1.0, *(float(course.bad_steps) / float(course.steps) for course in well)])
        params = {"states": setting.states, "actions": setting.actions, "T": setting.T, "epsilon": setting.epsilon,
                  "delta": DELTA, "k": self.k}
        self.published = op.bound(**params).C
        try:
            self.proven = op.bad_steps(**params, distance=9 * setting.epsilon)
        except op.InputError:  # so small a k leaves more unknown than 9ε
            self.proven = None


# ---- findings and tables ----

REMARKS = (
    ("steps not 9ε-optimal, gridworld, T = 19", "at most C = 13022289685559",
     "C follows from the paper's formula and parameters. T = 19 is not the recurrence time of this gridworld, so neither "
     "bound is a promise here"),
    ("steps not 9ε-optimal, gridworld, T = 306", "",
     "the paper has T = 19, which is not the recurrence time of this gridworld"),
    ("steps not 9ε-optimal, chain", "at most C = 9798607444360",
     "C follows from the paper's formula and parameters; it is far from sharp, and its proof counts visits in the learned "
     "model in place of the real one"),
)


def tell_findings(lab, found):
    for (what, paper, remark), one in zip(REMARKS, found):
        least, most = one.bad[0], one.bad[4]
        steps = f"{least}" if least == most else f"{least} to {most}"
        lab.finding(what, paper, f"{steps} in {one.well} runs; C = {one.published}; the proven bound: {one.proven}", remark)
    shares = [common.show(one.share, 4) for one in found[:3]]
    lab.finding("their share of a run", "", f"at least {shares[0]}, {shares[1]} and {shares[2]}")


def tell_tables(lab, found):
    lab.table("summary", ("setting", "k", "runs_ending_well", "least", "lower_quartile", "median", "upper_quartile",
                          "greatest", "least_share", "steps", "C", "proven", "C_over_greatest"),
              ((setting.name, one.k, one.well, *one.bad, one.share, one.steps, one.published, one.proven,
                float(one.published) / float(one.bad[4]) if one.bad[4] else None) for setting, one in zip(SETTINGS, found)),
              "Steps with a policy that is not 9ε-optimal, in the runs that end with one that is; the least share that they "
              "have in the steps of such a run; the steps of a run, the median of all; C, as published, for the k of the "
              "setting; and the bound that is proven, which needs a k so large that 2ε + 3c is below 9ε: c is what it "
              "leaves unknown of an episode, if a pair may have any number of successors, m = N.")
    lab.table("runs", ("setting", "seed", "policies", "steps", "bad_policies", "bad_steps", "last", "ends_well"),
              ((setting.name, course.seed, course.policies, course.steps, course.bad_policies, course.bad_steps,
                course.last, int(course.ends_well)) for setting, one in zip(SETTINGS, found) for course in one.courses),
              "All runs. The value of the last policy is its probability in the model; where it does not end well, the "
              "sequence goes on with a bad policy for ever, and bad_steps counts only those until the run stopped.")


def draw_steps(plot, size, found):
    names = [setting.name for setting in SETTINGS]
    counted = [(i, course.bad_steps) for i, one in enumerate(found) for course in one.courses if course.ends_well]
    plot.points([i for i, _ in counted], [steps for _, steps in counted], f"counted, each of {size.runs} runs")
    plot.points(range(len(found)), [one.published for one in found], "C of Theorem 2, as published")
    plot.points(range(len(found)), [one.proven for one in found], "the bound that is proven")
    plot.axes("", "steps not 9ε-optimal", y_log=True, names=names)


def run(lab, size):
    found = [Summary(lab, setting, size.runs) for setting in SETTINGS]
    lab.param("delta", "1/10")
    lab.param("epsilon", "1/20 (gridworld), 1/60 (chain)")
    lab.param("objectives", f"{common.GRIDWORLD}, and {common.CHAIN}")
    tell_findings(lab, found)
    tell_tables(lab, found)
    lab.figure("steps", lambda plot: draw_steps(plot, size, found))


if __name__ == "__main__":
    common.main("sequence", "Theorem 2: for how many steps the policies are not good enough, beside C.", run, FULL, SMALL,
                lambda size, runs: Size(runs))
