# SPDX-License-Identifier: MIT
"""The number of samples that learners take, against N, T and ε, compared with the numbers in the theorems.

First k by each rule, a formula, with one parameter varied. Then families of problems, on which ω-PAC is run
with k by several rules, and brackets from T, with pmin, and with the graph. Last, all learners on the paper's problems.
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


def with_T(setting, **options):
    return {"T": setting.T, "epsilon": setting.epsilon, **options}


LEARNERS = {
    "ω-PAC, paper's k": lambda setting: with_T(setting, k="paper", counts="product"),
    "ω-PAC, l1": lambda setting: with_T(setting, k="l1"),
    "ω-PAC, l1, error 6ε": lambda setting: with_T(setting, k="l1", target=6 * setting.epsilon),
    "bracket from T": with_T,
    "bracket with pmin": lambda setting: {"pmin": setting.pmin, "epsilon": setting.epsilon},
    "bracket with the graph": lambda setting: {"graph": True, "epsilon": setting.epsilon},
}
PAPER, L1, TARGET, BRACKET, PMIN, GRAPH = LEARNERS
OMEGA_PAC = PAPER, L1, TARGET


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
    Family("grid-horizon", "gridworld", common.GRIDWORLD, "T given to the learner (transitions)", (*OMEGA_PAC, BRACKET),
           tuple(Setting(time, 0.05, time, 0.2) for time in (19, 38, 76, 153, 306))),
    Family("grid-pmin", "gridworld", common.GRIDWORLD, "$p_{min}$ given to the learner", (L1, TARGET, BRACKET, PMIN),
           tuple(Setting(pmin, 0.05, 306, pmin) for pmin in (0.2, 0.02, 0.002, 0.0002))),
)


def paper_problem(name, model, formula, *setting, **constants):
    return Family(name, model, formula, "", tuple(LEARNERS), (Setting(0, *setting, constants),))


# The problems of gridworld.py, chain.py and robust.py: families of one setting.
PROBLEMS = (
    paper_problem("gridworld", "gridworld", common.GRIDWORLD, 0.05, 306, 0.2),
    paper_problem("chain", "chain", common.CHAIN, 1 / 60, 8, 1 / 64),
    paper_problem("Example 1, p = 0.1", "robust", "G s0", 0.05, 31, 0.1, p=0.1, q=0),
    paper_problem("Example 1, p = 0.001", "robust", "G s0", 0.05, 2997, 0.001, p=0.001, q=0),
)


class Size(NamedTuple):
    runs: int  # runs of a learner on a problem
    settings: int = 0  # use only this many settings of a family, and problems; 0: all


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
        is_omega_pac = learner in OMEGA_PAC
        self.x, self.epsilon, self.runs = float(setting.x), setting.epsilon, len(runs)
        self.T = setting.T if is_omega_pac or learner == BRACKET else None
        self.k = runs[0].k if is_omega_pac else None
        self.budget = float(runs[0].k * runs[0].pairs) if is_omega_pac else None
        self.steps = common.quartiles([run.steps for run in runs])
        self.samples = common.median([run.samples for run in runs])
        self.error = max(common.errors(runs), default=None)
        self.guaranteed = sum(run.holds for run in runs)
        self.containing = sum(common.contains(run, optimum) for run in runs)
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
        count = min(runs, FEW) if learner in OMEGA_PAC else runs
        found[learner] = [
            Outcome(learner, setting, lab.learn(model, family.formula, count, delta=DELTA, **LEARNERS[learner](setting)),
                    optimum) for setting, model, optimum in zip(settings, models, optima)]
    return found


def cells(one):
    """The cells of an outcome, from epsilon to containing."""
    return (one.epsilon, one.T, one.k, one.runs, *one.steps, one.samples, one.budget, one.error, one.shortfall, one.guaranteed,
            one.containing)


CONTENT = ("the samples that counted, their median, and kNK, the most that could; the error that was promised; how far the "
           "worst policy was from the best; the runs with a guarantee, and those whose bounds contain the optimum.")


def tabulate(lab, family, found):
    lab.table(family.name, ("learner", "x", "epsilon", "T", "k", "runs", "least", "lower_quartile", "median",
                            "upper_quartile", "greatest", "samples", "kNK", "error", "worst_shortfall", "guaranteed",
                            "containing"),
              ((learner, one.x, *cells(one)) for learner, outcomes in found.items() for one in outcomes),
              f"Steps, by learner and x; {CONTENT}")


def draw_family(plot, family, found):
    """Draws medians. A learner without steps is not drawn, nor a bracket where a run has refuted T; each learner has the same
    colour and marker in all figures."""
    for style, learner in enumerate(LEARNERS):
        shown = [one for one in found.get(learner, ())
                 if one.steps[4] > 0 and (learner != BRACKET or one.guaranteed == one.runs)]
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
                    f"from T {steps_at(found, BRACKET, 2)}, with pmin {steps_at(found, PMIN, 2)}", remark)


def find_rough(lab, found):
    if len(found[PMIN]) == len(FAMILIES[1].settings):
        bracket, target = (common.show(float(found[learner][-1].steps[2]), 3) for learner in (PMIN, TARGET))
        lab.finding("steps on a chain of 14, ε = 1/10", "", f"bracket with pmin = 1/16384 {bracket}, "
                    f"from T = 15 {steps_at(found, BRACKET, -1)}, ω-PAC {steps_at(found, L1, -1)} by l1, {target} for 6ε",
                    "the promises are 0.1, 0.4, 0.4, and 0.6, which is none where the best is 1/2")


FIND = {
    "chain": lambda lab, found: find_steps(lab, "steps on the chain, ε = 1/60, T = 7", found,
                                           "medians; ω-PAC asks for every pair, brackets for what matters"),
    "chain-rough": find_rough,
    "grid-epsilon": lambda lab, found: find_steps(lab, "steps on the gridworld, ε = 1/20, T = 306", found, "medians"),
    "grid-horizon": lambda lab, found: lab.finding("steps on the gridworld with T = 19, by Theorem 1", "some 40 minutes",
                                                   steps_at(found, PAPER, 0), "the paper gives the time, not the number"),
    "grid-pmin": lambda lab, found: None,
}


# ---- the paper's problems ----


def add_problems(lab, size):
    problems = PROBLEMS[: size.settings or None]
    found = {problem.name: {learner: outcomes[0] for learner, outcomes in run_family(lab, problem, size.runs).items()}
             for problem in problems}
    for name, outcomes in found.items():
        l1, bracket = (common.show(float(outcomes[learner].steps[2]), 4) for learner in (L1, BRACKET))
        lab.finding(f"steps for 4ε, {name}", "", f"ω-PAC {l1} by l1, bracket from T {bracket}", "medians; both know T, and ω-PAC also N, K and m")
    lab.table("both", ("problem", "learner", "epsilon", "T", "k", "runs", "least", "lower_quartile", "median",
                       "upper_quartile", "greatest", "samples", "kNK", "error", "worst_shortfall", "guaranteed", "containing"),
              ((name, learner, *cells(one)) for name, outcomes in found.items() for learner, one in outcomes.items()),
              f"Steps on the problems of the paper, by learner; {CONTENT}")
    lab.figure("both", lambda plot: draw_problems(plot, found))


def draw_problems(plot, found):
    """Draws medians, side by side for each problem. Learners have the colours and markers of the other figures."""
    for style, learner in enumerate(LEARNERS):
        shown = [(i, outcomes[learner].steps[2]) for i, outcomes in enumerate(found.values()) if outcomes[learner].steps[2] > 0]
        plot.points([i + 0.14 * (style - (len(LEARNERS) - 1) / 2) for i, _ in shown], [steps for _, steps in shown], learner)
    plot.axes("problem (p: Example 1)", "steps of a run (median)", y_log=True,
              names=[name.replace("Example 1, ", "") for name in found])


def run(lab, size):
    lab.param("delta", "1/10")
    lab.param("models", "chain (length varied), gridworld, robust")
    add_k(lab)
    for family in FAMILIES:
        if size.settings:
            family = family._replace(settings=family.settings[: size.settings])
        found = run_family(lab, family, size.runs)
        FIND[family.name](lab, found)
        tabulate(lab, family, found)
        lab.figure(family.name, lambda plot, family=family, found=found: draw_family(plot, family, found))
    add_problems(lab, size)


if __name__ == "__main__":
    common.main("samples", "k by each rule, and the samples that learners take, against N, T and ε.", run, FULL, SMALL,
                lambda size, runs: size._replace(runs=runs))
