# SPDX-License-Identifier: MIT
"""The speed of sampling: by counts, step by step, on several threads, and compared with a bare walk.

A bare walk only samples successors and loads them (`omegapac.walk_rate`); its speed is an upper bound. All measurements
are taken in one run, one after the other. Without timing, only the numbers of steps are written, which depend on the
seeds alone. Speeds depend on the machine and its load: only their ratios are meaningful.
"""
from typing import NamedTuple

import common
from common import op

EPSILON, DELTA = 0.05, 0.1
PAPER_SECONDS = 2400  # "approximately 40 minutes"
TRIES = 3
MOST_THREADS = 128


class Case(NamedTuple):
    name: str
    states: int  # states of the product, for the bare walk
    successors: int  # successors of a pair, for the bare walk
    T: int
    sampler: str
    steps: int  # 0: a complete run with the paper's k; otherwise the steps of each thread, in which no pair becomes known


class Size(NamedTuple):
    steps: int  # steps of each measurement


FULL, SMALL = Size(20_000_000), Size(100_000)


def cases_of(size):
    return (Case("gridworld", 12, 3, 19, "population", 0), Case("gridworld", 12, 3, 306, "population", 0),
            Case("gridworld", 12, 3, 306, "step", size.steps), Case("shift", 10000, 2, 1000, "step", size.steps // 2))


def question(case):
    """The model and objective: the gridworld, or a graph with two equally likely successors, as in the bare walk."""
    if case.name == "gridworld":
        return common.model("gridworld"), common.GRIDWORLD
    n = case.states
    return op.Model.parse(f"mdp module m s : [0..{n - 1}] init 0; [] true -> 1/2 : (s'=mod(2*s,{n})) + "
                          f"1/2 : (s'=mod(2*s+1,{n})); endmodule label \"low\" = s=0;\n"), "G F low"


class Run(NamedTuple):
    steps: int
    episodes: int
    k: int
    rate: float  # steps per second


class Measurement:
    """The measurements of one case: the fastest run for each number of threads, and the bare walks."""

    def __init__(self, lab, case, threads):
        self.case, self.bare, self.alone = case, {}, None
        model, objective = question(case)
        self.runs = {count: self.best(lab, model, objective, count) for count in (threads if case.steps else [1])}
        if case.steps and lab.timing:
            lab.progress(f"bare walks, {case.states} states")
            shape = {"states": case.states, "successors": case.successors}
            self.alone = op.walk_rate(**shape, walks=1, steps=case.steps // 4)
            self.bare = {count: op.walk_rate(**shape, threads=count, steps=case.steps) for count in threads}

    def best(self, lab, model, objective, threads):
        lab.progress(f"{self.case.name}, {self.case.sampler}, T = {self.case.T}, threads: {threads}")
        return max((self.measure(lab, model, objective, threads) for _ in range(TRIES if lab.timing else 1)),
                   key=lambda run: run.rate)

    def measure(self, lab, model, objective, threads):
        case = self.case
        limit = {"k": 2**40, "max_steps": case.steps * threads} if case.steps else {"k": "paper"}
        found = op.learn(model, objective, epsilon=EPSILON, delta=DELTA, T=case.T, counts="product", sampler=case.sampler,
                         threads=threads, seed=lab.seed, truth=False, **limit)
        stats = found.stats
        return Run(stats["steps"], stats["episodes"], found.to_dict()["params"]["k"],
                   stats["steps"] / stats["sampling_seconds"])


# ---- findings and tables ----


def find_steps(lab, what, one, remark):
    rate = one.runs[1].rate
    lab.finding(what, "", f"{common.show(rate, 2)} steps a second: {common.show(rate / one.bare[1], 2)} of eight bare walks, "
                f"{common.show(rate / one.alone, 2)} times one", remark)


def find_speed(lab, measured):
    run = measured[0].runs[1]
    lab.finding("the gridworld's run, T = 19",
                f"some 40 minutes: about {common.show(run.steps / PAPER_SECONDS, 2)} steps a second",
                f"{common.show(run.steps / run.rate, 2)} s: as if {common.show(run.rate, 2)} steps a second",
                "counts are drawn in place of steps; the paper's is derived from the steps of our run, on another machine")
    find_steps(lab, "one step at a time, one thread", measured[2], "the bare walks count nothing")
    find_steps(lab, "the same with 10000 states", measured[3], "some of the steps discover states, which is slower")


def add_times(lab, measured):
    rows = []
    for one in measured:
        for threads, run in one.runs.items():
            bare = one.bare.get(threads)
            alone = one.alone if threads == 1 else None
            rows.append((one.case.name, one.case.states, one.case.sampler, one.case.T, threads, run.rate, bare,
                         bare and run.rate / bare, alone, alone and run.rate / alone))
    lab.table("times", ("model", "states", "sampler", "T", "threads", "steps_per_second", "bare_eight", "share_of_eight",
                        "bare_one", "times_one"), rows,
              "Steps a second, the best of three tries, beside the bare walk: eight at a time on as many threads, and one "
              "alone.")


def add_counts(lab, measured):
    lab.table("counts", ("model", "states", "sampler", "T", "k", "steps", "episodes"),
              ((one.case.name, one.case.states, one.case.sampler, one.case.T, one.runs[1].k, one.runs[1].steps,
                one.runs[1].episodes) for one in measured),
              "What is run. The first two are whole runs with the k of Theorem 1; the others take as many steps as are "
              "measured, and k is so large that no pair becomes known.")


# ---- figures ----


def draw_samplers(plot, measured, draws):
    paper, true, steps = measured[:3]
    bars = (("paper, T = 19", paper.runs[1].steps / PAPER_SECONDS), ("one bare walk", steps.alone),
            ("eight bare walks", steps.bare[1]), ("step", steps.runs[1].rate), ("random draws", draws),
            ("population, T = 19", paper.runs[1].rate), ("population, T = 306", true.runs[1].rate))
    plot.points(range(len(bars)), [rate for _, rate in bars], None)
    plot.axes("", "steps per second (1/s)", y_log=True, y=(1e6, None), names=[name for name, _ in bars])


def draw_threads(plot, measured):
    threads = list(measured[2].runs)
    for one, name in ((measured[2], "gridworld"), (measured[3], "10000 states")):
        plot.curve(threads, [one.runs[count].rate / 1e6 for count in threads], name)
        plot.curve(threads, [one.bare[count] / 1e6 for count in threads], f"{name}, bare walks")
    plot.axes("threads", "million steps per second", y=(0, None), ticks=threads)


def run(lab, size):
    threads = [1]
    while lab.timing and 2 * threads[-1] <= min(lab.threads, MOST_THREADS):
        threads.append(2 * threads[-1])
    measured = [Measurement(lab, case, threads) for case in cases_of(size)]
    lab.param("epsilon", "1/20")
    lab.param("delta", "1/10")
    lab.finding("steps of the gridworld's run, T = 19", "", f"{measured[0].runs[1].steps}")
    if lab.timing:
        draws = op.draw_rate(size.steps)
        find_speed(lab, measured)
        add_times(lab, measured)
        lab.figure("samplers", lambda plot: draw_samplers(plot, measured, draws))
        lab.figure("threads", lambda plot: draw_threads(plot, measured))
    add_counts(lab, measured)


if __name__ == "__main__":
    common.main("speed", "Steps per second: by counts, step by step, on several threads, and of bare walks.", run, FULL, SMALL,
                lambda size, runs: size)
