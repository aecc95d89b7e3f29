# SPDX-License-Identifier: MIT
"""Computations that need no model: sample sizes, the binomial distribution, speeds of sampling loops."""
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

Number = Union[int, float, str, Any]  # Any: a Fraction, and any other argument of float()


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
    """Returns k, the number of observations after which a state-action pair is known in ω-PAC.

    ``bound`` reports k with its guarantee for all rules; this function returns k alone, with all its digits.

    Args:
        rule: ``"paper"``, ``"sound"`` or ``"l1"``.
        states, actions, T, epsilon, delta, branching: as for ``bound``.
        accuracy: with rule l1, the total variation allowed for the distribution of a trajectory, instead of epsilon.

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
    """Returns a bound on the number of steps that ω-PAC takes with policies far from the optimum.

    With probability 1 - 2·delta, fewer steps than this follow a policy whose distance from the optimum exceeds
    ``distance`` (docs/theory.md, Theorem 8). If k is too small for this distance, ``InputError`` is raised.

    Args:
        states, actions, T, epsilon, delta, branching: as for ``bound``.
        k: the number of observations after which a pair is known.
        distance: a number between 2·epsilon + 3·c and 1, where c is that of ``bound``.
    """
    return _core.bad_steps((states, actions, T, epsilon, delta, branching), k, distance)


# ---- the binomial distribution ----


def binomial_log_probability(trials: int, p: Number, successes: int) -> float:
    """Returns ln P(B = successes), where B has the binomial distribution of ``trials`` trials with probability p."""
    return _core.binomial_log_probability(trials, p, successes)


def binomial_above(trials: int, p: Number, successes: int) -> float:
    """Returns P(B > successes), with a relative error of at most 1e-11, also in the tails."""
    return _core.binomial_above(trials, p, successes)


def binomial_at_most(trials: int, p: Number, successes: int) -> float:
    """Returns P(B <= successes), with a relative error of at most 1e-11, also in the tails."""
    return _core.binomial_at_most(trials, p, successes)


def clopper_pearson(successes: int, trials: int, alpha: Number) -> Tuple[float, float]:
    """Returns the interval of Clopper and Pearson for a probability of success, with confidence 1 - alpha."""
    return _core.clopper_pearson(successes, trials, alpha)


# ---- rates ----


def walk_rate(*, states: int, successors: int, walks: int = 8, threads: int = 1, steps: int = 10_000_000) -> float:
    """Measures the steps per second of a random walk, as a reference for the speed of a sampler.

    A step samples a successor and loads it, without counters, episodes or policy. The speed depends on
    the machine and its load; only ratios of speeds measured at the same time are meaningful.

    Args:
        states, successors: the number of states of the graph, and of successors of each.
        walks: independent walks that a thread interleaves: 1 (each step waits for the one before) or 8.
        threads: the number of threads.
        steps: the number of steps of each thread.
    """
    return _core.walk_rate(states, successors, walks, threads, steps)


def draw_rate(draws: int = 10_000_000) -> float:
    """Measures the random numbers per second in one thread; a step needs at least one."""
    return _core.draw_rate(draws)
