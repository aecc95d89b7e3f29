# SPDX-License-Identifier: MIT
"""Numbers that need no model: sample sizes, the binomial distribution, rates of bare loops."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

from . import _core

__all__ = [
    "bad_steps",
    "binomial_above",
    "binomial_at_most",
    "binomial_log_probability",
    "clopper_pearson",
    "draw_rate",
    "sample_size",
    "walk_rate",
]

Number = Union[int, float, str, Any]  # Any: a Fraction, and whatever else float() takes


# ---- sample sizes ----


def sample_size(
    rule: str = "l1",
    *,
    states: int,
    actions: int,
    T: int,
    epsilon: Number,
    delta: Number,
    branching: Optional[int] = None,
    accuracy: Optional[Number] = None,
) -> Union[int, float]:
    """The number k of observations after which a state-action pair counts as known.

    ``bound`` tells more, for all rules; this is the number alone, with all its digits.

    Args:
        rule: ``"paper"``, ``"sound"`` or ``"l1"``.
        states, actions, T, epsilon, delta, branching: as for ``bound``.
        accuracy: with rule l1, how far the law of a trajectory may be off, in place of epsilon.

    Returns:
        An int, or beyond 64 bits the nearest float.
    """
    if accuracy is not None and rule != "l1":
        raise ValueError(f"accuracy goes with rule 'l1', not with {rule!r}")
    params = (states, actions, T, epsilon, delta, branching)
    return _core.sample_size(params, rule, accuracy)


def bad_steps(
    *,
    states: int,
    actions: int,
    T: int,
    epsilon: Number,
    delta: Number,
    k: int,
    distance: Number,
    branching: Optional[int] = None,
) -> Union[int, float]:
    """A bound on the steps that ω-PAC takes with policies that are not good enough.

    With probability 1 - 2·delta, fewer steps than this follow a policy further than ``distance`` from
    the best (docs/theory.md). A k that leaves more than that unknown is an ``InputError``.

    Args:
        states, actions, T, epsilon, delta, branching: as for ``bound``.
        k: observations that make a pair known.
        distance: above 2·epsilon + 3·c, below 1.
    """
    return _core.bad_steps((states, actions, T, epsilon, delta, branching), k, distance)


# ---- the binomial distribution ----


def binomial_log_probability(trials: int, p: Number, successes: int) -> float:
    """The natural logarithm of P(B = successes), for B binomial with so many trials of probability p."""
    return _core.binomial_log_probability(trials, p, successes)


def binomial_above(trials: int, p: Number, successes: int) -> float:
    """P(B > successes), with a relative error of 1e-11 at most, also far out."""
    return _core.binomial_above(trials, p, successes)


def binomial_at_most(trials: int, p: Number, successes: int) -> float:
    """P(B <= successes), likewise."""
    return _core.binomial_at_most(trials, p, successes)


def clopper_pearson(successes: int, trials: int, alpha: Number) -> Tuple[float, float]:
    """The interval of Clopper and Pearson for a probability of success, with confidence 1 - alpha."""
    return _core.clopper_pearson(successes, trials, alpha)


# ---- rates ----


def walk_rate(*, states: int, successors: int, walks: int = 8, threads: int = 1, steps: int = 10_000_000) -> float:
    """Steps a second of bare walks: a scale for the speed of a sampler.

    A bare walk draws a successor and loads it, without counters, episodes or policy. The rate depends on
    the machine, and on what else it does; only ratios of rates measured together mean something.

    Args:
        states, successors: of the graph that is walked through.
        walks: at a time in a thread: 1, whose steps wait for each other, or 8.
        threads: each with so many steps.
    """
    return _core.walk_rate(states, successors, walks, threads, steps)


def draw_rate(draws: int = 10_000_000) -> float:
    """Random numbers a second in one thread; a step needs at least one."""
    return _core.draw_rate(draws)
