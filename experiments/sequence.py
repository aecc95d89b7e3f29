# SPDX-License-Identifier: MIT
"""Theorem 2 of the paper: the number of steps in which ω-PAC follows a policy that is not 9ε-optimal, by counting.

Each policy that a run computes is evaluated in the model; the run follows it until the next one. After the end of the run
its last policy is followed forever. Hence the count is complete if the last policy is 9ε-optimal, and infinite otherwise.
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


class History:
    """The policies of one run. A policy is good if its probability is at least the threshold."""

    def __init__(self, run, threshold):
        ends = [entry.step for entry in run.trace[1:]] + [run.steps]
        bad = [end - entry.step for entry, end in zip(run.trace, ends) if entry.truth < threshold]
        self.seed, self.policies, self.steps, self.k = run.seed, len(run.trace), run.steps, run.k
        self.bad_policies, self.bad_steps = len(bad), sum(bad)
        self.last, self.ends_well = run.truth, run.truth >= threshold


class Summary:
    """The runs of a setting, their statistics, and the bounds of the theorem."""

    def __init__(self, lab, setting, runs):
        lab.progress(setting.name)
        model = common.model(setting.model)
        threshold = op.check(model, setting.formula, policy=False, threads=1).value - 9 * setting.epsilon
        found = lab.learn(model, setting.formula, runs, epsilon=setting.epsilon, delta=DELTA, T=setting.T, k=setting.k,
                          counts="product", trace=True)
        self.histories = [History(run, threshold) for run in found]
        self.k = self.histories[0].k
        well = [history for history in self.histories if history.ends_well]
        self.well, self.steps = len(well), common.median([history.steps for history in self.histories])
        self.bad = common.quartiles([history.bad_steps for history in well]) if well else (0,) * 5
        self.share = min([1.0, *(float(history.bad_steps) / float(history.steps) for history in well)])
        params = {"states": setting.states, "actions": setting.actions, "T": setting.T, "epsilon": setting.epsilon,
                  "delta": DELTA, "k": self.k}
        self.published = op.bound(**params).C
        try:
            self.proven = op.bad_steps(**params, distance=9 * setting.epsilon)
        except op.InputError:  # for this k, 2ε + 3c exceeds 9ε
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


def add_findings(lab, found):
    for (what, paper, remark), one in zip(REMARKS, found):
        least, most = one.bad[0], one.bad[4]
        steps = f"{least}" if least == most else f"{least} to {most}"
        lab.finding(what, paper, f"{steps} in {one.well} runs; C = {one.published}; the proven bound: {one.proven}", remark)
    shares = [common.show(one.share, 4) for one in found[:3]]
    lab.finding("their share of a run", "", f"at least {shares[0]}, {shares[1]} and {shares[2]}")


def add_tables(lab, found):
    lab.table("summary", ("setting", "k", "runs_ending_well", "least", "lower_quartile", "median", "upper_quartile",
                          "greatest", "least_share", "steps", "C", "proven", "C_over_greatest"),
              ((setting.name, one.k, one.well, *one.bad, one.share, one.steps, one.published, one.proven,
                float(one.published) / float(one.bad[4]) if one.bad[4] else None) for setting, one in zip(SETTINGS, found)),
              "Steps with a policy that is not 9ε-optimal, in the runs that end with one that is; the least share that they "
              "have in the steps of such a run; the steps of a run, the median of all; C, as published, for the k of the "
              "setting; and the bound that is proven, which needs a k so large that 2ε + 3c is below 9ε: c is what it "
              "leaves unknown of an episode, if a pair may have any number of successors, m = N.")
    lab.table("runs", ("setting", "seed", "policies", "steps", "bad_policies", "bad_steps", "last", "ends_well"),
              ((setting.name, history.seed, history.policies, history.steps, history.bad_policies, history.bad_steps,
                history.last, int(history.ends_well)) for setting, one in zip(SETTINGS, found) for history in one.histories),
              "All runs. The value of the last policy is its probability in the model; where it does not end well, the "
              "sequence goes on with a bad policy for ever, and bad_steps counts only those until the run stopped.")


def draw_steps(plot, size, found):
    names = [setting.name for setting in SETTINGS]
    counted = [(i, history.bad_steps) for i, one in enumerate(found) for history in one.histories if history.ends_well]
    plot.points([i for i, _ in counted], [steps for _, steps in counted], f"observed, each of {size.runs} runs")
    plot.points(range(len(found)), [one.published for one in found], "C of Theorem 2, as published")
    plot.points(range(len(found)), [one.proven for one in found], "proven bound")
    plot.axes("", "steps of policies\nthat are not 9ε-optimal", y_log=True, names=names)


def run(lab, size):
    found = [Summary(lab, setting, size.runs) for setting in SETTINGS]
    lab.param("delta", "1/10")
    lab.param("epsilon", "1/20 (gridworld), 1/60 (chain)")
    lab.param("objectives", f"{common.GRIDWORLD}, and {common.CHAIN}")
    add_findings(lab, found)
    add_tables(lab, found)
    lab.figure("steps", lambda plot: draw_steps(plot, size, found))


if __name__ == "__main__":
    common.main("sequence", "Theorem 2: steps of policies that are not 9ε-optimal, and the bound C.", run, FULL, SMALL,
                lambda size, runs: Size(runs))
