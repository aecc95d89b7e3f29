# SPDX-License-Identifier: MIT
"""PAC learning of policies for temporal-logic objectives in Markov decision processes.

>>> import omegapac as op
>>> model = op.Model.load("grid.prism")
>>> op.check(model, "G F goal & G !trap").value

``learn`` learns from samples of an environment, ``check`` solves a known model. The guide is docs/python.md.
"""
from . import _core
from .automata import Automaton
from .environments import Environment, Observation, Simulator, episode_seed
from .errors import (
    Error,
    InputError,
    InputWarning,
    Interrupted,
    LimitError,
    SimulatorError,
    UnsupportedError,
)
from .learning import EstimateResult, LearnResult, Progress, TraceEntry, Trial, estimate, learn
from .models import Model
from .numbers import (
    bad_steps,
    binomial_above,
    binomial_at_most,
    binomial_log_probability,
    clopper_pearson,
    draw_rate,
    sample_size,
    walk_rate,
)
from .policies import Decision, Policy
from .questions import (
    BoundResult,
    CheckResult,
    CheckResults,
    EvaluateResult,
    RecurrenceResult,
    VerifyResult,
    bound,
    check,
    evaluate,
    recurrence,
    verify,
)
from .reports import report
from .results import Result
from .runs import Run, Runs, learn_runs

__version__ = _core.version()

__all__ = [
    "Automaton",
    "BoundResult",
    "CheckResult",
    "CheckResults",
    "Decision",
    "Environment",
    "Error",
    "EstimateResult",
    "EvaluateResult",
    "InputError",
    "InputWarning",
    "Interrupted",
    "LearnResult",
    "LimitError",
    "Model",
    "Observation",
    "Policy",
    "Progress",
    "RecurrenceResult",
    "Result",
    "Run",
    "Runs",
    "Simulator",
    "SimulatorError",
    "TraceEntry",
    "Trial",
    "UnsupportedError",
    "VerifyResult",
    "bad_steps",
    "binomial_above",
    "binomial_at_most",
    "binomial_log_probability",
    "bound",
    "check",
    "clopper_pearson",
    "draw_rate",
    "episode_seed",
    "estimate",
    "evaluate",
    "learn",
    "learn_runs",
    "recurrence",
    "report",
    "sample_size",
    "verify",
    "walk_rate",
]
