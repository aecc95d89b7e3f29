# SPDX-License-Identifier: MIT
"""Many learning runs on one model, for statistics about a learner."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple, Union

from . import _core
from .automata import Automaton
from .learning import TraceEntry
from .models import Model
from .policies import Policy

__all__ = ["Run", "learn_runs"]

Number = Union[int, float, str]


class Run(NamedTuple):
    """The result of one of many runs. ``None``: unknown, or not computed."""

    seed: int
    truth: Optional[float]
    """The probability of its policy in the model, averaged over initial states."""
    value: Optional[float]
    """The same in the learned model."""
    lower: Optional[float]
    """Bounds on the probability of the policy."""
    upper: Optional[float]
    optimum_upper: Optional[float]
    """The best probability is at most that."""
    error: Optional[float]
    """How far the policy may be from the best: with pmin or the graph, the width of the bracket."""
    holds: bool
    """The guarantee holds, by what the learner knows."""
    finished: bool
    """It ended by itself, at no limit."""
    T_refuted: Optional[bool]
    """With T, whether the learned chain refutes it; None: this was not checked."""
    T_found: int
    """The recurrence time of the learned chain; 0: unknown."""
    k: int
    """Observations that make a pair known; 0: there is no such number."""
    pairs: int
    """N·K of the theorems, so that k·pairs bounds the samples."""
    steps: int
    samples: int
    """Steps that counted as observations."""
    episodes: int
    known: int
    """Pairs that are known at the end."""
    seconds: float
    sampling_seconds: float
    policy: Policy
    trace: Tuple[TraceEntry, ...]
    """The policies that the run went through, with trace=True."""


def learn_runs(
    model: Model,
    objective: Union[str, Automaton],
    runs: int,
    *,
    epsilon: Number,
    delta: Number,
    T: Optional[int] = None,
    pmin: Optional[Number] = None,
    graph: bool = False,
    explore: str = "episodes",
    k: Union[int, str] = "l1",
    target: Optional[Number] = None,
    stop: str = "policy",
    counts: str = "model",
    sampler: str = "auto",
    max_steps: Optional[Number] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    truth: bool = True,
    trace: bool = False,
) -> List[Run]:
    """The same learner so many times, with the seeds ``seed``, ``seed + 1`` and so on, in parallel.

    Each run is what ``learn`` does with that seed and one thread; only its numbers and its policy are kept.

    Args:
        model: to learn in.
        objective, epsilon, delta, T, pmin, explore, k, target, stop, counts, sampler, max_steps: as for ``learn``.
        graph: the learner knows the graph of the model.
        threads: how many runs at the same time, by default as many as there are processors; it changes
            nothing but the time.
        truth: evaluate each policy in the model.
        trace: keep the policies that each run went through, evaluated if ``truth`` is set.

    Raises:
        KeyboardInterrupt: Ctrl-C; there is no result then.
    """
    if T is None and pmin is None and not graph:
        raise TypeError("learn_runs needs one of T, pmin and graph")
    if T is not None and (pmin is not None or graph):
        raise TypeError("T and pmin or graph exclude each other")
    options = {
        "epsilon": epsilon, "delta": delta, "T": T, "pmin": pmin, "explore": explore, "k": k, "target": target,
        "stop": stop, "counts": counts, "sampler": sampler, "max_steps": max_steps, "seed": seed,
        "threads": threads,
    }  # fmt: skip
    found = _core.learn_runs(model, objective, options, runs, graph, truth, trace)
    return [_run(members) for members in found]


def _run(members: Tuple[Any, ...]) -> Run:
    return Run._make((*members[:-1], tuple(TraceEntry(*entry) for entry in members[-1])))
