# SPDX-License-Identifier: MIT
"""Repeated learning runs on one model, for statistics about a learner."""
from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, Union

from . import _core
from .automata import Automaton
from .learning import TraceEntry, Trial, _check_known, _name_of, _params
from .models import Model
from .policies import Policy
from .results import Results, call_text, decode, params_text

__all__ = ["Run", "Runs", "learn_runs"]

Number = Union[int, float, str]


class Run(NamedTuple):
    """The result of one of several runs. Numbers that are unknown or were not computed are ``None``."""

    seed: int
    truth: Optional[float]
    """The probability of the policy in the model, averaged over initial states."""
    value: Optional[float]
    """The probability of the policy in the learned model."""
    lower: Optional[float]
    """A lower bound on the probability of the policy."""
    upper: Optional[float]
    """An upper bound on the probability of the policy."""
    optimum_upper: Optional[float]
    """An upper bound on the probability of every policy."""
    error: Optional[float]
    """A bound on the distance of the policy from the optimum; with a bracket, its width."""
    holds: bool
    """Whether the requested guarantee was reached."""
    finished: bool
    """Whether the run ended by its stopping rule, not at a limit."""
    T_refuted: Optional[bool]
    """With T, whether the samples refute it; None if this was not tested."""
    T_found: int
    """The recurrence time of the learned chain; if T of a bracket is refuted, a lower bound on it; 0 if unknown."""
    k: int
    """The number of observations after which a pair is known; 0 with a bracket."""
    pairs: int
    """N·K of the theorems; k·pairs bounds the samples."""
    steps: int
    samples: int
    """The number of steps that counted as observations."""
    episodes: int
    known: int
    """The number of pairs that are known at the end."""
    seconds: float
    sampling_seconds: float
    policy: Policy
    trace: Tuple[TraceEntry, ...]
    """With trace=True, one entry for each policy that the run computed."""
    candidates: int
    """With a bracket from T, or without knowledge, the number of policies that were tried; otherwise 0."""
    trial: Optional[Trial]
    """With a bracket from T, or without knowledge, the trial of ``lower``; None as for ``LearnResult``."""
    answer: Optional[str]
    """With ``at_least``, ``"yes"``, ``"no"`` or ``"undecided"``; otherwise None."""


class Runs(Results[Run]):
    """The result of ``learn_runs``: a sequence of ``Run``, with a summary.

    ``to_dict()`` is the last line that ``omegapac learn --runs N --json`` prints.

    Attributes:
        summary: the number of runs that reached the guarantee, the quality of their policies, and so on: a dict,
            described in ``docs/formats/result.md``.
    """

    summary: Dict[str, Any]

    def _line(self) -> str:
        line = f"{self.summary['runs']} in total, {self.summary['holds']} with a guarantee"
        if "yes" not in self.summary:
            return line
        return line + "; " + ", ".join(f"{self.summary[name]} {name}" for name in ("yes", "no", "undecided"))


def learn_runs(
    model: Model,
    objective: Union[str, Automaton],
    runs: int,
    *,
    epsilon: Optional[Number] = None,
    delta: Number,
    T: Union[Number, None] = None,
    pmin: Union[Number, Callable[[Any, int], Number], None] = None,
    pmin_start: Optional[Number] = None,
    graph: bool = False,
    alike: bool = False,
    pmin_outcome: Optional[Number] = None,
    explore: str = "episodes",
    k: Union[int, str, None] = None,
    target: Optional[Number] = None,
    at_least: Optional[Number] = None,
    slack: Optional[Number] = None,
    stop: str = "policy",
    counts: str = "model",
    sampler: str = "auto",
    states: Optional[int] = None,
    actions: Optional[int] = None,
    branching: Optional[int] = None,
    kind: Optional[str] = None,
    max_steps: Optional[Number] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    truth: bool = True,
    trace: bool = False,
) -> Runs:
    """Repeats ``learn`` with the seeds ``seed``, ``seed + 1`` and so on, in parallel.

    Each run equals that of ``learn`` with this seed; only its numbers and its policy are kept.

    >>> runs = op.learn_runs(model, "G F s & G F g", 20, T=306, epsilon=0.05, delta=0.1)
    >>> runs
    <Runs: 20 in total, 20 with a guarantee>
    >>> sum(run.lower <= run.truth for run in runs)
    20

    Args:
        model: the model to sample.
        objective, epsilon, delta, T, pmin, pmin_start, alike, pmin_outcome, explore, k, target, at_least, slack, stop, counts, sampler, states,
            actions, branching, kind, max_steps: as for ``learn``. A function ``pmin`` is called in several threads.
        runs: the number of runs.
        graph: whether the learner knows the graph of the model.
        threads: the number of runs at a time; by default the number of processors. The result does not
            depend on it.
        truth: evaluate each policy in the model; ``summary`` compares the policies with the optimum.
        trace: keep an entry for each policy that a run computes, evaluated if ``truth`` is set.

    Raises:
        KeyboardInterrupt: on Ctrl-C; there is no partial result.
    """
    call = call_text(learn_runs, locals())
    options = {
        "epsilon": epsilon, "delta": delta, "T": T, "pmin": pmin, "explore": explore, "k": k, "target": target,
        "at_least": at_least, "stop": stop, "counts": counts, "sampler": sampler, "max_steps": max_steps, "seed": seed,
        "threads": threads, "graph": graph, "pmin_start": pmin_start, "slack": slack, "states": states,
        "actions": actions, "branching": branching, "kind": kind, "alike": alike, "pmin_outcome": pmin_outcome,
    }  # fmt: skip
    _check_known(options)
    members, found = _core.learn_runs(
        model, objective, options, runs, graph, truth, trace, _name_of(model),
        params_text(_params(model, objective, options["graph"])), call,
    )  # fmt: skip
    data = decode(found)
    return Runs(data, summary=data["summary"], _items=tuple(map(_run, members)))


def _run(members: Tuple[Any, ...]) -> Run:
    *numbers, trace, candidates, trial, answer = members
    entries = tuple(TraceEntry(*entry) for entry in trace)
    return Run._make((*numbers, entries, candidates, trial and Trial(*trial), answer))
