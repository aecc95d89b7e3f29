# SPDX-License-Identifier: MIT
"""The paper's figure: the probability of the policies that ω-PAC learns on a chain, against k; and the samples of other
learners, such as a bracket from T.

The chain has six states. In each state the actions are `go`, to the next state, and `try`, which in the s-th state
wins with probability 1/2^s and otherwise loses. The optimal policy tries in the first state (1/2); the second-best
policy wins with probability 1/4.

The exact distribution. When the learner stops, `try` was sampled k times in each of the six states, with
Bs ~ Binomial(k, 2^-s) successes, all independent, and `go` is known to be certain. Hence the policy tries in the first
of the states with the most successes, or never if there was no success:

    P(tries in s) = sum over i >= 1 of P(Bs = i) · prod_{r < s} P(Br < i) · prod_{r > s} P(Br <= i).

Only s = 1 is within 6ε of the optimum. The probability of its complement is computed as a sum of its own, without
cancellation; by Chernoff's bound it is at most 6 (1/2 + sqrt(3)/4)^k.
"""
import math
from typing import NamedTuple

import common
from common import op

EPSILON, DELTA, T = 1 / 60, 1 / 10, 8  # the paper's parameters
STATES = 6  # states with the action try
EXACT_K = (1, 2, 3, 5, 10, 20, 30, 50, 100)
LARGEST = 10000  # from this k on, 6 · .933^k is below 1e-300
CHERNOFF = 0.93301270189221932  # 1/2 + sqrt(3)/4
ALPHA = 0.01  # of all confidence intervals


class Size(NamedTuple):
    columns: int  # number of values of k in the paper's figure
    fine: int  # number of values of k in the other figures
    shown: int  # runs shown in the paper's figure, for each k
    runs: int  # runs for each k
    most: int = 0  # the largest k; 0: that of Theorem 1


FULL = Size(columns=16, fine=16, shown=20, runs=1000)
SMALL = Size(columns=4, fine=7, shown=3, runs=6, most=300)

# Learners that compute k or need none: what they know, the error they guarantee, and their options.
LEARNERS = (
    ("T = 8, rule paper", "6ε, by Theorem 1", {"T": T, "k": "paper"}),
    ("T = 8, rule sound", "6ε", {"T": T, "k": "sound"}),
    ("T = 8, rule l1", "4ε", {"T": T, "k": "l1"}),
    ("T = 8, rule l1 for 6ε", "6ε", {"T": T, "k": "l1", "target": 0.1}),
    ("T = 8, bracket", "4ε", {"T": T}),
    ("T = 8, bracket for 6ε", "6ε", {"T": T, "target": 0.1}),
    ("pmin = 1/64", "ε", {"pmin": 1 / 64}),
    ("pmin = 1/64, for 6ε", "6ε", {"pmin": 1 / 64, "epsilon": 0.1}),
    ("the graph", "ε", {"graph": True}),
    ("the graph, for 6ε", "6ε", {"graph": True, "epsilon": 0.1}),
)


# ---- the exact distribution ----


def log_first(k, s, i):
    """ln of the probability that no other state is preferred to state s, which has i successes."""
    total = 0.0
    for r in range(1, STATES + 1):
        if r != s:
            above = op.binomial_above(k, 2.0**-r, i - 1 if r < s else i)
            total += math.log1p(-above) if above < 1 else -math.inf
    return total


def failure(k):
    """The probability that the policy is not within 6ε of the optimum; 0 if it is below 1e-300."""
    if k >= LARGEST:
        return 0.0
    total = 0.0
    for i in range(k + 1):
        lost = 1.0 if i == 0 else -math.expm1(log_first(k, 1, i))
        total += math.exp(op.binomial_log_probability(k, 0.5, i)) * lost
    return total


def tries_in(k, s):
    total = 0.0
    for i in range(1, k + 1):
        total += math.exp(op.binomial_log_probability(k, 2.0**-s, i) + log_first(k, s, i))
    return total


def distribution(k):
    """The probabilities that the policy never tries, tries in state 1, …, tries in state 6."""
    never = 1.0
    for s in range(1, STATES + 1):
        never *= math.exp(k * math.log1p(-(2.0**-s)))  # no success anywhere
    if k >= LARGEST:
        return [never, 1.0, *[0.0] * (STATES - 1)]
    return [never, *(tries_in(k, s) for s in range(1, STATES + 1))]


def failure_log10(k):
    """A number x such that failure(k) is at most 10^x; for any k."""
    exact = failure(k)
    return math.log10(exact) if exact > 0 else math.log10(STATES) + k * math.log10(CHERNOFF)


def sufficient_k(delta):
    """The least k such that failure is at most delta for it and all larger k. Chernoff's bound limits the search."""
    most = (math.log10(delta) - math.log10(STATES)) / math.log10(CHERNOFF)
    return max([k + 1 for k in range(1, math.floor(most) + 1) if failure(k) > delta], default=1)


# ---- runs ----


def state_of(truth):
    """The state in which a policy with this probability tries; 0 if it never tries."""
    return round(-math.log2(truth)) if truth > 0 else 0


class Chain:
    """Properties of the chain, and all runs: runs[k] for each k, others for each learner of LEARNERS."""

    def __init__(self, lab, size):
        self.lab, self.size = lab, size
        self.model = common.model("chain")
        info = self.model.info()
        self.sizes = {"states": info["states"], "actions": info["most_choices"], "branching": info["most_branches"],
                      "T": T, "epsilon": EPSILON, "delta": DELTA}
        self.rule_k = {rule: op.sample_size(rule, **self.sizes) for rule in ("paper", "sound", "l1")}
        self.optimum = op.check(self.model, common.CHAIN, policy=False, threads=1).value
        self.time = op.recurrence(self.model, common.CHAIN, epsilon=EPSILON, threads=1).T
        self.sufficient_k = sufficient_k(DELTA)
        most = size.most or self.rule_k["paper"]
        self.columns = common.log_spaced(most, size.columns)
        self.k = sorted({*common.log_spaced(most, size.fine), *self.columns, *(k for k in EXACT_K if k <= most)})
        self.runs = {k: self.learn_k(i, k) for i, k in enumerate(self.k)}
        self.others = [self.learn_other(name, options) for name, _, options in LEARNERS]
        self.distributions = {k: distribution(k) for k in self.k}
        self.failures = {k: failure(k) for k in self.k}

    def learn_k(self, index, k):
        self.lab.progress(f"runs with k = {k} ({index + 1} of {len(self.k)})")
        runs = self.size.runs
        return self.lab.learn(self.model, common.CHAIN, runs, index * runs, epsilon=EPSILON, delta=DELTA, T=T, k=k,
                              sampler="population")

    def learn_other(self, name, options):
        self.lab.progress(f"learner: {name}")
        return self.lab.learn(self.model, common.CHAIN, self.size.shown, trace="k" not in options,
                              **{"epsilon": EPSILON, "delta": DELTA, **options})

    def brackets(self):
        """[(name, trace of the first run)] of the learners of the figure bracket."""
        return [(LEARNERS[index][0], self.others[index][0].trace) for index in (4, 6)]

    def containing(self, runs):
        """The number of runs whose bounds contain the optimum."""
        return sum(common.contains(run, self.optimum) for run in runs)

    def good(self, runs):
        """The number of runs within 6ε of the optimum, with a tolerance for rounding."""
        return sum(run.truth >= self.optimum - 6 * EPSILON - 1e-9 for run in runs)

    def share(self, k):
        return self.good(self.runs[k]) / self.size.runs

    def counts(self, k):
        """The number of runs whose policy tries in each state."""
        states = [state_of(run.truth) for run in self.runs[k]]
        return [states.count(state) for state in range(STATES + 1)]


# ---- findings and tables ----


def add_findings(lab, c):
    paper = c.rule_k["paper"]
    largest = c.k[-1]
    medians = [common.median([run.steps for run in runs]) for runs in c.others]
    lab.finding("optimum", "drawn, not printed", common.number(c.optimum))
    lab.finding("T", "8", f"{c.time}", "in transitions: the longest way has 8 states. The runs here take 8, as the paper "
                "does; nothing changes but k")
    lab.finding("k by Theorem 1", "42528678 (by its formula)", f"{paper}")
    lab.finding("C by Theorem 2", "9798607444360 (by its formula)", f"{op.bound(**c.sizes, k=paper).C}")
    lab.finding("k by rule sound", "", f"{c.rule_k['sound']}",
                "the same theorem, with the union bound over successors that its Lemma 2 leaves out")
    lab.finding("k by rule l1", "", f"{c.rule_k['l1']}", "all successors of a pair at once; the policy is then within 4ε")
    lab.finding("runs within 6ε at the largest k", "in line with Theorem 1",
                f"{c.good(c.runs[largest])} of {c.size.runs}")
    lab.finding("least k for which 1 − δ of the runs are within 6ε", "a small one, typically", f"{c.sufficient_k}, exactly")
    lab.finding("risk at Theorem 1's k", "at most 1/10", f"below 10^{math.floor(failure_log10(paper)) + 1}",
                "Chernoff's bound, which holds for this chain; a theorem must hold for all systems of this size")
    lab.finding("steps for a guarantee of 6ε (median)", "",
                f"{medians[0]} by Theorem 1, {medians[3]} by rule l1, {medians[5]} with a bracket from T, "
                f"{medians[7]} with pmin = 1/64, {medians[9]} with the graph")
    bracket = c.others[4]
    lab.finding("steps for 4ε, rule l1", "", f"{medians[2]} (median)")
    lab.finding("steps for 4ε, bracket from T = 8", "", common.spread([run.steps for run in bracket]),
                "[L, U] from T alone, at most 4ε wide")
    lab.finding("width, bracket from T = 8", "", common.widths(bracket))
    lab.finding("optimum in the bracket from T = 8", "", f"in {c.containing(bracket)} of {c.size.shown} runs")


def add_runs(lab, c):
    lab.table("runs", ("k", "seed", "probability", "learned", "steps"),
              ((k, run.seed, run.truth, run.value, run.steps) for k in c.columns for run in c.runs[k][: c.size.shown]),
              "The runs of the figure: the policy's true probability, what the learner takes it for, and the steps that "
              "were sampled.")
    lab.table("worth", ("k", "probability", "runs_worth", "share", "exact"),
              ((k, 2.0**-state if state else 0.0, count, count / c.size.runs, exact)
               for k in c.k for state, (count, exact) in enumerate(zip(c.counts(k), c.distributions[k]))),
              "How many runs have a policy of which probability, for each k, and the exact law.")


def add_shares(lab, c):
    lab.table("exact", ("k", "exact", "share", "never", "worth_half", "worth_quarter", "worth_less"),
              ((k, 1 - c.failures[k], c.share(k), *c.distributions[k][:3], sum(c.distributions[k][3:], 0.0)) for k in EXACT_K if k in c.runs),
              "The exact probability of a policy within 6ε, the share of runs, and the exact law of what the policy is "
              "worth.")
    lab.table("shares", ("k", "good_runs", "share", "share_lower", "share_upper", "exact", "exact_risk"),
              ((k, c.good(c.runs[k]), c.share(k), *op.clopper_pearson(c.good(c.runs[k]), c.size.runs, ALPHA),
                1 - c.failures[k], c.failures[k]) for k in c.k),
              "Runs within 6ε by k, an interval of 99 % (Clopper and Pearson) for their share, and the exact probability. "
              "A risk of 0 is one below 10⁻³⁰⁰.")


def add_learners(lab, c):
    rows = []
    for (name, promise, options), runs in zip(LEARNERS, c.others):
        offer = op.bound(**c.sizes, k=runs[0].k) if "k" in options else None
        rows.append((name, promise, *((offer.k, offer.samples, offer.C) if offer else (None,) * 3),
                     common.median([run.samples for run in runs]), common.median([run.steps for run in runs]),
                     c.good(runs), c.size.shown, *common.spread_cells(runs), c.containing(runs)))
    lab.table("learners", ("known", "promise", "k", "samples_most", "C", "samples_median", "steps_median", "good_runs",
                           "runs", "least", "mean", "greatest", "error_least", "error", "containing"), rows,
              f"What each kind of knowledge costs on the chain, over {c.size.shown} runs. Samples are the steps that "
              "count: at most kNK. C is Theorem 2's number of steps, as published. Not counted are steps that only lead "
              "to where something is to be learned, and those in a sink until an episode has its T steps. Then the steps and "
              "the guaranteed errors over the runs, and the runs whose bounds contain the optimum.")


def add_brackets(lab, c):
    lab.table("bracket", ("known", "step", "lower", "upper"),
              ((name, entry.step, entry.lower, entry.upper) for name, trace in c.brackets() for entry in trace),
              "The bracket during the first run of a learner with T, and of one with pmin.")


# ---- figures ----


def draw_values(plot, c):
    """The paper's figure. The area of a dot is the number of runs with this k and this probability."""
    dots = {}
    for k in c.columns:
        for run in c.runs[k][: c.size.shown]:
            key = (k, round(run.truth, 9))
            dots[key] = dots.get(key, 0) + 1
    plot.dots([k for k, _ in dots], [value for _, value in dots], list(dots.values()), c.size.shown, "runs")
    plot.rule(y=c.optimum, label="optimum")
    plot.rule(y=c.optimum - 6 * EPSILON, label="optimum − 6ε")
    plot.rule(x=c.rule_k["paper"], label="Theorem 1")
    plot.axes("k (observations per known pair)", "probability of satisfaction", x_log=True, y=(-0.03, 0.55))


def draw_worth(plot, c):
    levels = ((1, "1/2 (optimal)"), (2, "at least 1/4"), (3, "at least 1/8"), (STATES, "above 0"))
    for state, name in levels:
        plot.curve(c.k, [sum(c.counts(k)[1 : state + 1]) / c.size.runs for k in c.k], name)
    plot.rule(y=1 - DELTA, label="1 − δ")
    plot.rule(x=c.rule_k["paper"], label="Theorem 1")
    plot.axes("k (observations per known pair)", "share of runs whose policy\nhas this probability", x_log=True,
              y=(0.4, 1.02))


def draw_shares(plot, c):
    k = common.log_spaced(c.k[-1], 121)
    failures = [failure(one) for one in k]
    bands = [common.share_interval(c.size.runs, one) for one in failures]
    plot.band(k, [1 - most for _, most in bands], [1 - least for least, _ in bands], "99 % interval")
    plot.line(k, [1 - one for one in failures], "exact probability")
    plot.points(c.k, [c.share(one) for one in c.k], f"observed in {c.size.runs} runs")
    plot.rule(y=1 - DELTA, label="1 − δ")
    plot.rule(x=c.rule_k["l1"], label="rule l1")
    plot.rule(x=c.rule_k["paper"], label="Theorem 1")
    plot.axes("k (observations per known pair)", "share of runs within 6ε", x_log=True, y=(0.4, 1.02))


def draw_failures(plot, c):
    k = [one for one in common.log_spaced(c.k[-1], 121) if failure(one) > 1e-9]
    plot.line(k, [failure(one) for one in k], "exact probability")
    seen = [one for one in c.k if c.share(one) < 1]
    plot.points(seen, [1 - c.share(one) for one in seen], f"observed in {c.size.runs} runs")
    plot.rule(y=DELTA, label="δ")
    plot.rule(x=c.sufficient_k, label=f"k = {c.sufficient_k}")
    plot.axes("k (observations per known pair)", "share of runs not within 6ε", x_log=True, y_log=True,
              y=(1e-9, 1))


def draw_bracket(plot, c):
    for name, trace in c.brackets():
        plot.bracket([entry.step for entry in trace], [entry.lower for entry in trace], [entry.upper for entry in trace], name)
    plot.rule(y=c.optimum, label="optimum")
    plot.axes("steps of a run", "bracket [L, U]", x_log=True, y=(-0.02, 1.02))


def run(lab, size):
    c = Chain(lab, size)
    for name, value in (("model", "examples/models/chain.prism"), ("formula", common.CHAIN), ("N", "8"), ("K", "2"),
                        ("m", "2"), ("T", "8"), ("epsilon", "1/60"), ("delta", "1/10")):
        lab.param(name, value)
    add_findings(lab, c)
    add_runs(lab, c)
    add_shares(lab, c)
    add_learners(lab, c)
    add_brackets(lab, c)
    for name, draw in (("values", draw_values), ("worth", draw_worth), ("shares", draw_shares), ("failures", draw_failures),
                       ("bracket", draw_bracket)):
        lab.figure(name, lambda plot, draw=draw: draw(plot, c))


def with_runs(size, runs):
    return size._replace(runs=runs, shown=min(size.shown, runs))


if __name__ == "__main__":
    common.main("chain", "The paper's figure: the probability of learned policies, against k.", run, FULL, SMALL, with_runs)
