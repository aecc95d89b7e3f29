# SPDX-License-Identifier: MIT
"""The number of samples that learners take, against N, T and ε, compared with the numbers in the theorems.

First k by each rule, a formula, with one parameter varied. Then families of problems, on which ω-PAC is run
with k by several rules, and the bracket learners with pmin or with the graph.
"""
from typing import Any, Dict, NamedTuple, Tuple

import common
from common import op

DELTA = 0.1
POINTS = 11  # points of a curve of k: ten doublings
FEW = 9  # maximal number of runs of ω-PAC on a problem: runs differ by less than 0.1 %, and long ones take time
PAPER_GRID = {"states": 12, "actions": 4, "T": 19, "epsilon": 0.05, "delta": DELTA, "branching": 3}

# The rules: name, and k as a function of the parameters of the theorems.
RULES = (
    ("paper", lambda params: op.sample_size("paper", **params)),
    ("sound", lambda params: op.sample_size("sound", **params)),
    ("l1", lambda params: op.sample_size("l1", **params)),
    ("l1, error 6ε", lambda params: op.sample_size("l1", accuracy=2 * params["epsilon"], **params)),
    ("l1, m unknown", lambda params: op.sample_size("l1", **{**params, "branching": None})),
)

# Parameters to vary: figure, name in the table, parameter, first value, factor, label of the axis.
SWEEPS = (
    ("k-states", "N", "states", 3, 2, "N (states of the product)"),
    ("k-horizon", "T", "T", 19, 2, "T (transitions)"),
    ("k-epsilon", "epsilon", "epsilon", 0.4, 0.5, "ε"),
)


class Setting(NamedTuple):
    """One problem of a family."""

    x: float  # position on the x axis
    epsilon: float
    T: int  # 0: compute T from the model, for this epsilon
    pmin: float
    constants: Dict[str, Any] = {}


def omega_pac(setting, **options):
    return {"T": setting.T, "epsilon": setting.epsilon, **options}


LEARNERS = {
    "ω-PAC, paper's k": lambda setting: omega_pac(setting, k="paper", counts="product"),
    "ω-PAC, l1": lambda setting: omega_pac(setting, k="l1"),
    "ω-PAC, l1, error 6ε": lambda setting: omega_pac(setting, k="l1", target=6 * setting.epsilon),
    "bracket with pmin": lambda setting: {"pmin": setting.pmin, "epsilon": setting.epsilon},
    "bracket with the graph": lambda setting: {"graph": True, "epsilon": setting.epsilon},
}
PAPER, L1, TARGET, PMIN, GRAPH = LEARNERS


class Family(NamedTuple):
    name: str
    model: str
    formula: str
    axis: str
    learners: Tuple[str, ...]
    settings: Tuple[Setting, ...]


def chain(n, epsilon):
    return Setting(n, epsilon, n + 1, 1 / 2**n, {"N": n})


FAMILIES = (
    Family("chain", "chain", common.CHAIN, "length of the chain", tuple(LEARNERS),
           tuple(chain(n, 1 / 60) for n in (2, 4, 6, 8, 10, 12))),
    Family("chain-rough", "chain", common.CHAIN, "length of the chain", tuple(LEARNERS),
           tuple(chain(n, 0.1) for n in (2, 4, 6, 8, 10, 12, 13, 14))),
    Family("grid-epsilon", "gridworld", common.GRIDWORLD, "ε", tuple(LEARNERS),
           tuple(Setting(epsilon, epsilon, 0, 0.2) for epsilon in (0.2, 0.1, 0.05, 0.02, 0.01))),
    Family("grid-horizon", "gridworld", common.GRIDWORLD, "T given to the learner (transitions)", (PAPER, L1, TARGET),
           tuple(Setting(time, 0.05, time, 0.2) for time in (19, 38, 76, 153, 306))),
    Family("grid-pmin", "gridworld", common.GRIDWORLD, "$p_{min}$ given to the learner", (L1, TARGET, PMIN),
           tuple(Setting(pmin, 0.05, 306, pmin) for pmin in (0.2, 0.02, 0.002, 0.0002))),
)


class Size(NamedTuple):
    runs: int  # runs of a learner on a problem
    settings: int = 0  # use only this many settings of a family; 0: all


FULL = Size(runs=21)
SMALL = Size(runs=1, settings=2)


# ---- k ----


def sweep(parameter, first, factor):
    """The values x of a parameter, and for each x the k of all rules."""
    x = [first * float(factor) ** i for i in range(POINTS)]
    return x, [[rule({**PAPER_GRID, parameter: value if parameter == "epsilon" else round(value)}) for _, rule in RULES]
               for value in x]


def add_k(lab):
    grid = [rule(PAPER_GRID) for _, rule in RULES]
    lab.finding("k of the gridworld (N = 12, K = 4, T = 19)", "71394132 (by its formula)", f"{grid[0]}")
    lab.finding("k by l1 at the same parameters, m = 3", "", f"{grid[2]} for an error of 4ε, {grid[3]} for 6ε",
                "another inequality, not another algorithm: 124 and 496 times fewer")
    curves = [sweep(parameter, first, factor) for _, _, parameter, first, factor, _ in SWEEPS]
    x, k = curves[0]
    slopes = [common.show(common.slope(x, [row[rule] for row in k]), 3) for rule in range(len(RULES))]
    lab.finding("how k grows with N: exponent from N = 3 to 3072", "2, and a logarithm",
                f"paper {slopes[0]}, sound {slopes[1]}, l1 {slopes[2]}; l1 with m = N {slopes[4]}",
                "l1 bounds the distribution of a pair as a whole, not each of N probabilities: no N², whatever the support "
                "is")
    lab.table("k", ("variable", "x", "k_paper", "k_sound", "k_l1", "k_l1_6_epsilon", "k_l1_m_unknown"),
              ((variable, float(at), *row) for (_, variable, *_), (xs, rows) in zip(SWEEPS, curves)
               for at, row in zip(xs, rows)),
              "k by rule, with one parameter varied.")
    for (figure, *_, axis), (xs, rows) in zip(SWEEPS, curves):
        lab.figure(figure, lambda plot, axis=axis, xs=xs, rows=rows: draw_k(plot, axis, xs, rows))


def draw_k(plot, axis, x, rows):
    for rule, (name, _) in enumerate(RULES):
        plot.curve(x, [row[rule] for row in rows], name)
    plot.axes(axis, "k (observations per known pair)", x_log=True, y_log=True)


# ---- learners ----


class Outcome:
    """The steps and samples of a learner's runs on a problem."""

    def __init__(self, learner, setting, runs, optimum):
        has_time = learner in (PAPER, L1, TARGET)
        errors = [run.error if run.holds else None for run in runs]
        self.x, self.epsilon, self.runs = float(setting.x), setting.epsilon, len(runs)
        self.T = setting.T if has_time else None
        self.k = runs[0].k if has_time else None
        self.budget = float(runs[0].k * runs[0].pairs) if has_time else None
        self.steps = common.quartiles([run.steps for run in runs])
        self.samples = common.median([run.samples for run in runs])
        self.error = None if None in errors else max(errors)
        self.shortfall = max(0.0, *(optimum - run.truth for run in runs))
        self.finished = sum(run.finished for run in runs)


def run_family(lab, family, runs):
    """Runs all learners of a family; {learner: [outcome of each setting]}."""
    models = [common.model(family.model, **setting.constants) for setting in family.settings]
    optima = [op.check(model, family.formula, policy=False, threads=1).value for model in models]
    times = lab.map(lambda pair: pair[0].T or op.recurrence(pair[1], family.formula, epsilon=pair[0].epsilon, threads=1).T,
                    zip(family.settings, models))
    settings = [setting._replace(T=time) for setting, time in zip(family.settings, times)]
    found = {}
    for learner in family.learners:
        lab.progress(f"{family.name}: {learner}")
        count = min(runs, FEW) if learner in (PAPER, L1, TARGET) else runs
        found[learner] = [
            Outcome(learner, setting, lab.learn(model, family.formula, count, delta=DELTA, **LEARNERS[learner](setting)),
                    optimum) for setting, model, optimum in zip(settings, models, optima)]
    return found


def tabulate(lab, family, found):
    lab.table(family.name, ("learner", "x", "epsilon", "T", "k", "runs", "least", "lower_quartile", "median",
                            "upper_quartile", "greatest", "samples", "kNK", "error", "worst_shortfall"),
              ((learner, one.x, one.epsilon, one.T, one.k, one.runs, *one.steps, one.samples, one.budget, one.error,
                one.shortfall) for learner, outcomes in found.items() for one in outcomes),
              "Steps, by learner and x; the samples that counted, their median, and kNK, the most that could; the error "
              "that was promised; and how far the worst policy was from the best.")


def draw_family(plot, family, found):
    """Draws medians. A learner without steps is not drawn; each learner has the same colour and marker in all figures."""
    for style, learner in enumerate(LEARNERS):
        shown = [one for one in found.get(learner, ()) if one.steps[4] > 0]
        if shown:
            plot.curve([one.x for one in shown], [one.steps[2] for one in shown], learner, style)
    is_chain = family.model == "chain"
    plot.axes(family.axis, "steps of a run (median)", x_log=not is_chain, y_log=True,
              ticks=[setting.x for setting in family.settings if not is_chain or setting.x % 2 == 0])


# ---- findings ----


def steps_at(found, learner, index):
    return common.show(float(found[learner][index].steps[2]), 4)


def find_steps(lab, what, found, remark):
    if len(found[PAPER]) > 2:  # with --small there are fewer settings; the third one is the paper's
        lab.finding(what, "", f"ω-PAC {steps_at(found, PAPER, 2)} by Theorem 1, {steps_at(found, L1, 2)} by l1; bracket "
                    f"with pmin {steps_at(found, PMIN, 2)}", remark)


def find_rough(lab, found):
    if len(found[PMIN]) == len(FAMILIES[1].settings):
        bracket, target = (common.show(float(found[learner][-1].steps[2]), 3) for learner in (PMIN, TARGET))
        lab.finding("steps on a chain of 14, ε = 1/10", "", f"bracket with pmin = 1/16384 {bracket}, "
                    f"ω-PAC {steps_at(found, L1, -1)} by l1, {target} for 6ε",
                    "the promises are 0.1, 0.4, and 0.6, which is none where the best is 1/2")


FIND = {
    "chain": lambda lab, found: find_steps(lab, "steps on the chain, ε = 1/60, T = 7", found,
                                           "medians; ω-PAC asks for every pair, the bracket for what matters"),
    "chain-rough": find_rough,
    "grid-epsilon": lambda lab, found: find_steps(lab, "steps on the gridworld, ε = 1/20, T = 306", found, "medians"),
    "grid-horizon": lambda lab, found: lab.finding("steps on the gridworld with T = 19, by Theorem 1", "some 40 minutes",
                                                   steps_at(found, PAPER, 0), "the paper gives the time, not the number"),
    "grid-pmin": lambda lab, found: None,
}


def run(lab, size):
    lab.param("delta", "1/10")
    lab.param("models", "chain (length varied), gridworld")
    add_k(lab)
    for family in FAMILIES:
        if size.settings:
            family = family._replace(settings=family.settings[: size.settings])
        found = run_family(lab, family, size.runs)
        FIND[family.name](lab, found)
        tabulate(lab, family, found)
        lab.figure(family.name, lambda plot, family=family, found=found: draw_family(plot, family, found))


if __name__ == "__main__":
    common.main("samples", "k by each rule, and the samples that learners take, against N, T and ε.", run, FULL, SMALL,
                lambda size, runs: size._replace(runs=runs))
