# SPDX-License-Identifier: MIT
"""The paper's gridworld: ε = 1/20, δ = 1/10, T = 19 and k by Theorem 1; then with the recurrence time that its definition
gives, with smaller k, with a bracket from T in place of k, and without T.

The objective of a robot in six cells, one of which is a trap, is to visit s and g infinitely often. There are two
variants: in W1, as printed, a blocked move leaves the robot in its cell; in W2 the other direction of the action gets the
probability of the blocked one. The paper's T is the recurrence time of neither; it equals the expected time of two rounds
in W2.
"""
from typing import NamedTuple

import common
from common import op

EPSILON, DELTA = 1 / 20, 1 / 10
EPSILONS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001)
VARIANTS = ("W1", "W2")
TIMED = 5  # timed runs, of which the median is reported
CHECKS = {None: "unchecked", False: "consistent", True: "refuted"}


class Size(NamedTuple):
    runs: int  # runs of each setting


FULL, SMALL = Size(20), Size(2)


# ---- recurrence times ----


class Variant:
    def __init__(self, name, model):
        self.name, self.model = name, common.model(model)
        self.fast = op.Policy.load(common.POLICIES / "gridworld-fast.json", self.model)  # the fastest optimal policy
        self.optimum = op.check(self.model, common.GRIDWORLD, policy=False, threads=1).value

    def time(self, epsilon=EPSILON, policy=None):
        return op.recurrence(self.model, common.GRIDWORLD, epsilon=epsilon, policy=policy, threads=1)


class Cover(NamedTuple):
    """Recurrence times for one ε: of the model (the maximum over all policies), and of the fastest optimal policy."""

    world: str
    epsilon: float
    slowest: op.RecurrenceResult
    fast: op.RecurrenceResult


def rounds(world, count):
    """The expected number of transitions of `count` rounds, from s to g and back, under the fastest optimal policy.

    E(state, memory, left) = 1 + Σ p E(successor, next memory, left - 1 if a leg ends there), computed by iteration, where
    left is the number of remaining legs (half rounds). The policy starts with memory 0.
    """
    model, legs = world.model, 2 * count
    ends = {0: set(model.where("g")), 1: set(model.where("s"))}
    numbers = {tuple(model.values(state).items()): state for state in range(model.states)}
    moves = {}
    for decision in world.fast:
        state = numbers[tuple(decision.state.items())]
        moves[state, decision.memory] = decision.next, model.successors(state, decision.action)
    expected = {(key, left): 0.0 for key in moves for left in range(legs + 1)}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for left in range(1, legs + 1):
            for key, (memory, branches) in moves.items():
                total = 1.0
                for target, probability in branches.items():
                    is_end = target in ends[(legs - left) % 2]
                    total += probability * expected[(target, memory), left - is_end]
                change = max(change, abs(total - expected[key, left]))
                expected[key, left] = total
    return expected[(model.initial[0], 0), legs]


# ---- learning ----


class Setting:
    """A learner with its options, and its runs."""

    def __init__(self, lab, size, name, world, options):
        self.name = f"{name}, T = {options['T']}" if "T" in options else name
        lab.progress(self.name)
        self.world, self.options, self.has_k = world, {"epsilon": EPSILON, "delta": DELTA, **options}, "k" in options
        self.runs = lab.learn(world.model, common.GRIDWORLD, size.runs, trace=True, **self.options)
        self.times = lab.map(lambda run: world.time(policy=run.policy).T, self.runs)
        self.steps = common.median([run.steps for run in self.runs])
        self.samples = common.median([run.samples for run in self.runs])
        self.optimal = sum(is_optimal(run.truth) for run in self.runs)
        self.refuted = sum(run.T_refuted is True for run in self.runs)
        self.holds = sum(run.holds for run in self.runs)
        self.containing = sum(common.contains(run, world.optimum) for run in self.runs)
        self.k = self.runs[0].k


def is_optimal(truth):
    return truth is not None and truth > 1 - 1e-9


def measure(lab, setting):
    """The time of one run in seconds, while nothing else runs: the median of several runs."""
    seconds = [op.learn_runs(setting.world.model, common.GRIDWORLD, 1, seed=lab.seed + i, threads=1, truth=False,
                             **setting.options)[0].seconds for i in range(TIMED)]
    return common.median(seconds)


def duration(seconds):
    return f"{common.rounded(1000 * seconds, 2)} ms" if seconds < 1 else f"{common.rounded(seconds, 2)} s"


# ---- findings and tables ----


def add_findings(lab, size, covers, settings, variants):
    paper, true, _, l1, bracket, wrong, pmin = settings[:7]
    first, second = (next(cover for cover in covers if (cover.world, cover.epsilon) == (name, EPSILON)) for name in VARIANTS)
    lab.finding("k by Theorem 1, T = 19", "71394132 (by its formula)", f"{paper.k}")
    if lab.timing:
        lab.finding("time of a run, T = 19", "about 40 minutes", duration(measure(lab, paper)),
                    "between two changes of its policy the learner draws all episodes together, by how often each step is "
                    "taken; the law of the outcome is that of one step at a time")
    lab.finding("optimal policies, T = 19", "in all runs observed", f"in {paper.optimal} of {size.runs} runs")
    lab.finding("T = 19, after learning", "", f"refuted in {paper.refuted} of {size.runs} runs",
                "refuted: the learned chain has a longer recurrence time, at ε + c, than a valid T would allow. The policy may "
                "be good, but the theorem does not say so")
    times = sorted({min(paper.times), max(paper.times)})
    lab.finding("recurrence time of the learned policies", "at most 19, by its T", " to ".join(map(str, times)))
    lab.finding("recurrence time T at ε = 1/20", "19",
                f"{first.slowest.T} (probability {first.slowest.before:.6f} at {first.slowest.T - 1}, "
                f"{first.slowest.reached:.6f} at {first.slowest.T})",
                "the greatest over all positional policies, as the definition has it")
    lab.finding("recurrence time of the fastest optimal policy", "at most 19, by its T", f"{first.fast.T}")
    lab.finding("T with other walls (W2)", "", f"{second.slowest.T}",
                "W2: where one direction is blocked, the other one gets its probability")
    lab.finding("expected time of two rounds in W2", "", f"{rounds(variants['W2'], 2):.3f}",
                "of the policy that is fastest there and optimal; it matches the paper's T, but is an expectation, not a "
                "quantile")
    lab.finding("expected time of two rounds in W1", "", f"{rounds(variants['W1'], 2):.3f}")
    lab.finding("k by Theorem 1, the true T", "", f"{true.k}")
    lab.finding("guarantee, the true T", "", f"holds in {true.holds} of {size.runs} runs")
    lab.finding("steps, paper's k, T = 19", "", common.show(float(paper.steps), 3))
    lab.finding("steps, paper's k, the true T", "", common.show(float(true.steps), 3))
    lab.finding("steps, rule l1, the true T", "", common.show(float(l1.steps), 3))
    lab.finding("steps, bracket from the true T", "", common.spread([run.steps for run in bracket.runs]),
                f"[L, U] from T alone, at most {common.number(4 * EPSILON)} wide: the error that l1 guarantees")
    lab.finding("width, bracket from the true T", "", common.widths(bracket.runs))
    lab.finding("optimum in the bracket, the true T", "", f"in {bracket.containing} of {size.runs} runs")
    if lab.timing:
        lab.finding("time of a run, bracket from the true T", "", duration(measure(lab, bracket)))
    steps = [run.steps for run in wrong.runs]
    lab.finding("bracket from T = 19", "",
                f"refuted in {wrong.refuted} of {size.runs} runs, after {min(steps)} to {max(steps)} steps",
                "the run ends when T is refuted, and states no bracket")
    lab.finding("steps, knowing pmin = 1/5", "", common.show(float(pmin.steps), 4),
                "also a bracket, which is valid whenever the run ends; T is not needed")


def add_tables(lab, size, covers, settings):
    lab.table("summary", ("setting", "k", "steps_median", "samples_median", "optimal", "refuted", "guaranteed", "runs", "least",
                          "mean", "greatest", "error_least", "error", "containing"),
              ((one.name, one.k if one.has_k else None, one.steps, one.samples, one.optimal, one.refuted, one.holds, size.runs,
                *common.spread_cells(one.runs), one.containing) for one in settings),
              "Steps are all that were taken, samples those that counted. Of each setting, the runs whose policy is optimal, "
              "that refuted their T, and whose guarantee holds; the steps and guaranteed errors over the runs; and the runs "
              "whose bounds contain the optimum.")
    lab.table("cover", ("world", "epsilon", "T", "probability", "T_fast", "probability_fast"),
              ((cover.world, cover.epsilon, cover.slowest.T, cover.slowest.reached, cover.fast.T, cover.fast.reached)
               for cover in covers),
              "Recurrence times at several ε, and the probability reached by then: of the model, which is that of its slowest "
              "policy, and of the fastest optimal policy.")
    lab.table("trace", ("setting", "step", "known", "optimistic", "probability", "lower", "upper"),
              ((one.name, entry.step, entry.known, entry.value, entry.truth, entry.lower, entry.upper)
               for one in settings for entry in one.runs[0].trace),
              "The policies that the first run of each setting went through: when, their probability in the optimistic "
              "model (with a bracket from T, their lower bound) and in the real one, and the bracket.")
    lab.table("runs", ("setting", "seed", "k", "steps", "samples", "episodes", "known", "probability", "T_policy",
                       "T_learned", "T_check", "guaranteed", "lower", "optimum_upper", "error"),
              ((one.name, run.seed, run.k or None, run.steps, run.samples, run.episodes, run.known, run.truth, time,
                run.T_found or None, CHECKS[run.T_refuted], "yes" if run.holds else "no", run.lower, run.optimum_upper,
                run.error if run.holds else None)
               for one in settings for run, time in zip(one.runs, one.times)),
              "All runs.")


# ---- figures ----


def draw_steps(plot, size, settings):
    """Draws medians, without the setting whose runs end because T is refuted."""
    settings = [one for one in settings if one.has_k or one.holds]
    names = [one.name for one in settings]
    series = (("steps", [one.steps for one in settings]), ("counted samples", [one.samples for one in settings]),
              ("k", [one.k if one.has_k else None for one in settings]))
    for name, values in series:
        plot.points(range(len(names)), values, name, is_hollow=name == "steps")
    plot.axes("", f"number, median of {size.runs} runs", y_log=True, names=names)


def draw_cover(plot, covers):
    for name, label in zip(VARIANTS, ("W1 (as printed)", "W2")):
        mine = [cover for cover in covers if cover.world == name]
        plot.curve([cover.slowest.T for cover in mine], [cover.slowest.reached for cover in mine], f"{label}, slowest policy")
        plot.curve([cover.fast.T for cover in mine], [cover.fast.reached for cover in mine],
                   f"{label}, fastest optimal policy")
    true = next(cover.slowest.T for cover in covers if cover.epsilon == EPSILON)
    plot.rule(x=19, label="T = 19")
    plot.rule(x=true, label=f"T = {true}")
    plot.rule(y=1 - EPSILON, label="1 − ε")
    plot.axes("transitions", "probability of having\ncovered a BSCC twice", x_log=True, y=(0, 1.02))


def draw_learning(plot, settings):
    best = []
    paper, true, _, l1, _, _, pmin = settings[:7]
    for one in (pmin, paper, l1, true):
        trace = one.runs[0].trace
        plot.stairs([entry.step for entry in trace], [entry.known for entry in trace], one.name)
        best += [entry for entry in trace if is_optimal(entry.truth)]
    plot.points([entry.step for entry in best], [entry.known for entry in best], "policy is optimal", marker="x")
    plot.axes("steps", "known state–action pairs", x_log=True)


def draw_bracket(plot, settings):
    bracket, _, pmin = settings[4:7]
    for one in (bracket, pmin):
        trace = one.runs[0].trace
        plot.bracket([entry.step for entry in trace], [entry.lower for entry in trace], [entry.upper for entry in trace],
                     one.name)
    plot.rule(y=bracket.world.optimum, label="optimum")
    plot.axes("steps of a run", "bracket [L, U]", x_log=True, y=(-0.02, 1.02))


def run(lab, size):
    variants = {"W1": Variant("W1", "gridworld"), "W2": Variant("W2", "gridworld-w2")}
    lab.progress("recurrence times")
    questions = [(name, epsilon, policy) for name in VARIANTS for epsilon in EPSILONS for policy in (None, variants[name].fast)]
    answers = lab.map(lambda asked: variants[asked[0]].time(*asked[1:]), questions)
    covers = [Cover(*questions[i][:2], *answers[i : i + 2]) for i in range(0, len(questions), 2)]
    first, second = (next(cover.slowest.T for cover in covers if (cover.world, cover.epsilon) == (name, EPSILON))
                     for name in VARIANTS)
    paper = {"k": "paper", "counts": "product"}
    settings = [Setting(lab, size, name, variants[world], options) for name, world, options in (
        ("paper", "W1", {"T": 19, **paper}),
        ("paper", "W1", {"T": first, **paper}),
        ("sound", "W1", {"T": first, "k": "sound", "counts": "product"}),
        ("l1", "W1", {"T": first, "k": "l1"}),
        ("bracket", "W1", {"T": first}),
        ("bracket", "W1", {"T": 19}),
        ("pmin = 1/5", "W1", {"pmin": 1 / 5}),
        ("W2: paper", "W2", {"T": 19, **paper}),
        ("W2: l1", "W2", {"T": second, "k": "l1"}),
        ("W2: bracket", "W2", {"T": second}))]
    for name, value in (("models", "gridworld.prism, gridworld-w2.prism"), ("objective", common.GRIDWORLD),
                        ("epsilon", "1/20"), ("delta", "1/10"), ("runs of each setting", f"{size.runs}")):
        lab.param(name, value)
    add_findings(lab, size, covers, settings, variants)
    add_tables(lab, size, covers, settings)
    lab.figure("steps", lambda plot: draw_steps(plot, size, settings))
    lab.figure("cover", lambda plot: draw_cover(plot, covers))
    lab.figure("learning", lambda plot: draw_learning(plot, settings))
    lab.figure("bracket", lambda plot: draw_bracket(plot, settings))


if __name__ == "__main__":
    common.main("gridworld", "The paper's gridworld: k, run time, and recurrence times.", run, FULL, SMALL,
                lambda size, runs: Size(runs))
