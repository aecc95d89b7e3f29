# SPDX-License-Identifier: MIT
"""Many learning runs on one model, for statistics about a learner."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

from . import _core
from .automata import Automaton
from .learning import TraceEntry, _check_known, _name_of, _params
from .models import Model
from .policies import Policy
from .results import Results, call_text, decode, params_text

__all__ = ["Run", "Runs", "learn_runs"]

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


class Runs(Results[Run]):
    """Many runs: a sequence of ``Run``, and a result, which is their summary.

    ``to_dict()`` is the last line that ``omegapac learn --runs N --json`` prints.

    Attributes:
        summary: how many runs kept the guarantee, how good their policies are, and so on: a dict, described in
            ``docs/formats/result.md``.
    """

    summary: Dict[str, Any]

    def _line(self) -> str:
        return f"{self.summary['runs']}, of which {self.summary['holds']} with the guarantee"


def learn_runs(
    model: Model,
    objective: Union[str, Automaton],
    runs: int,
    *,
    epsilon: Number,
    delta: Number,
    T: Union[Number, None] = None,
    pmin: Optional[Number] = None,
    pmin_start: Optional[Number] = None,
    graph: bool = False,
    explore: str = "episodes",
    k: Union[int, str] = "l1",
    target: Optional[Number] = None,
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
    """Learns ``runs`` times, with the seeds ``seed``, ``seed + 1`` and so on, in parallel.

    Each run is what ``learn`` does with that seed and one thread; only its numbers and its policy are kept.

    Args:
        model: to learn in.
        objective, epsilon, delta, T, pmin, pmin_start, explore, k, target, slack, stop, counts, sampler, states, actions,
            branching, kind, max_steps: as for ``learn``.
        graph: the learner knows the graph of the model.
        threads: how many runs at the same time, by default as many as there are processors; it changes
            nothing but the time.
        truth: evaluate each policy in the model, and compare it with the best one in ``summary``.
        trace: keep the policies that each run went through, evaluated if ``truth`` is set.

    Raises:
        KeyboardInterrupt: Ctrl-C; there is no result then.
    """
    call = call_text(learn_runs, locals())
    options = {
        "epsilon": epsilon, "delta": delta, "T": T, "pmin": pmin, "explore": explore, "k": k, "target": target,
        "stop": stop, "counts": counts, "sampler": sampler, "max_steps": max_steps, "seed": seed,
        "threads": threads, "graph": graph, "pmin_start": pmin_start, "slack": slack, "states": states,
        "actions": actions, "branching": branching, "kind": kind,
    }  # fmt: skip
    _check_known(options)
    members, found = _core.learn_runs(
        model, objective, options, runs, graph, truth, trace, _name_of(model),
        params_text(_params(model, objective, options["graph"])), call,
    )  # fmt: skip
    data = decode(found)
    return Runs(data, summary=data["summary"], _items=tuple(map(_run, members)))


def _run(members: Tuple[Any, ...]) -> Run:
    return Run._make((*members[:-1], tuple(TraceEntry(*entry) for entry in members[-1])))
