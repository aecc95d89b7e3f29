# SPDX-License-Identifier: MIT
"""Questions about known models, and about guarantees before anything is sampled."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type, Union, overload

from . import _core
from .automata import Automaton
from .errors import InputError
from .models import Model
from .policies import Policy
from ._html import interval
from .results import Count, Result, Results, call_text, decode, number, params_text

__all__ = [
    "BoundResult",
    "CheckResult",
    "CheckResults",
    "EvaluateResult",
    "RecurrenceResult",
    "VerifyResult",
    "bound",
    "check",
    "evaluate",
    "recurrence",
    "verify",
]

Path = Union[str, "os.PathLike[str]"]
Objective = Union[str, Automaton]
Several = Union[List[Any], Tuple[Any, ...]]
Number = Union[int, float, str, Any]  # Any: a Fraction, and whatever else float() takes


# ---- what several share ----


def _given(objective: Optional[Objective], property: Optional[str]) -> Tuple[Any, bool]:
    """What is asked for, and whether it is a property."""
    if (objective is None) == (property is None):
        raise TypeError("one of objective and property is expected")
    return (property, True) if objective is None else (objective, False)


def _listed(given: Any) -> List[Any]:
    """What may be one thing, several or None, as a list."""
    return list(given) if isinstance(given, (list, tuple)) else [] if given is None else [given]


def _asked(objective: Any, property: Any) -> Dict[str, Any]:
    """The members of params that say what was asked for."""
    objectives = _listed(objective)
    asked = {
        "formulas": [given for given in objectives if isinstance(given, str)],
        "automata": [getattr(given, "name", None) or "automaton" for given in objectives if not isinstance(given, str)],
        "properties": _listed(property),
    }
    return {key: values for key, values in asked.items() if values}


# An argument that is not a model has no constants; the extension refuses it with a message.


def _constants(model: Model) -> Optional[List[str]]:
    constants = getattr(model, "constants", None)
    return None if constants is None else [constants]


def _source(model: Model, params: Mapping[str, Any], call: str) -> Tuple[str, str, str]:
    """What a result says that only the caller knows."""
    return getattr(model, "name", None) or "model", params_text(params), call


def _attributes(cls: Type[Result], data: Mapping[str, Any]) -> Dict[str, Any]:
    """What the class annotates, from the members of a result; None: they are not there."""
    found = {name: data["result"].get(name) for name in cls.__annotations__}
    for name, value in found.items():
        if isinstance(value, int) and "float" in cls.__annotations__[name]:
            found[name] = float(value)
    return {**found, "objective": data["inputs"].get("objective"), "stats": data["stats"]}


def _value_line(value: float, lower: float, upper: float, exact: Optional[str]) -> str:
    return exact if exact is not None else f"{number(value)} {interval(lower, upper)}"


# ---- check ----


class CheckResult(Result):
    """The best probability of an objective in a model.

    Attributes:
        value, lower, upper: the optimum, and the numbers that it certainly lies between.
        exact: the same as a fraction, ``"13/120"``; ``None`` unless it was computed exactly.
        holds: of a property with a bound, whether it holds; ``None``: there is
            no bound, or it could not be decided.
        verdict: ``"true"``, ``"false"`` or ``"undecided"``; ``None``: there is no bound.
        direction: ``"max"`` or ``"min"``, which optimum it is.
        precise: whether lower and upper are as close as was asked for.
        is_bound: the value is a bound only, because the automaton is nondeterministic.
        initial: with several initial states, a dict for each; else ``None``.
        objective: as given.
        automaton: whose acceptance was made as probable as can be.
        policy: one that attains the optimum; ``None``: it was not asked for.
        stats: sizes of the product, a dict.
    """

    value: float
    lower: float
    upper: float
    exact: Optional[str]
    holds: Optional[bool]
    verdict: Optional[str]
    direction: str
    precise: bool
    is_bound: bool
    initial: Optional[List[Dict[str, Any]]]
    objective: str
    automaton: Automaton
    policy: Optional[Policy]
    stats: Dict[str, Any]

    def _line(self) -> str:
        shown = _value_line(self.value, self.lower, self.upper, self.exact)
        if self.verdict is not None:
            shown = self.verdict if not self.precise else f"{self.verdict}, {shown}"
        return f"{shown} for {self.objective!r}"


class CheckResults(Results[CheckResult]):
    """The best probabilities of several objectives in a model: a sequence of ``CheckResult``, without policies.

    ``to_dict()`` has all of them, as the command line prints several objectives.
    """

    def _line(self) -> str:
        return "; ".join(item._line() for item in self)

    def _parts(self) -> List[Tuple[str, Any]]:
        return [(item.objective, item) for item in self]


# fmt: off
@overload
def check(
    model: Model, objective: Optional[Objective] = None, *, property: Optional[str] = None, minimize: bool = False,
    precision: Number = 1e-6, exact: bool = False, policy: bool = True, kind: str = "deterministic",
    max_states: int = 50_000_000, threads: Optional[int] = None, max_seconds: Optional[Number] = None,
) -> CheckResult: ...
@overload
def check(
    model: Model, objective: Several, *, property: Union[str, Several, None] = None, minimize: bool = False,
    precision: Number = 1e-6, exact: bool = False, policy: bool = True, kind: str = "deterministic",
    max_states: int = 50_000_000, threads: Optional[int] = None, max_seconds: Optional[Number] = None,
) -> CheckResults: ...
@overload
def check(
    model: Model, objective: Union[Objective, Several, None] = None, *, property: Several, minimize: bool = False,
    precision: Number = 1e-6, exact: bool = False, policy: bool = True, kind: str = "deterministic",
    max_states: int = 50_000_000, threads: Optional[int] = None, max_seconds: Optional[Number] = None,
) -> CheckResults: ...
# fmt: on
def check(
    model: Model,
    objective: Union[Objective, Several, None] = None,
    *,
    property: Union[str, Several, None] = None,
    minimize: bool = False,
    precision: Number = 1e-6,
    exact: bool = False,
    policy: bool = True,
    kind: str = "deterministic",
    max_states: int = 50_000_000,
    threads: Optional[int] = None,
    max_seconds: Optional[Number] = None,
) -> Union[CheckResult, CheckResults]:
    """The greatest probability, over all policies, that a run meets an objective; or the least.

    >>> check(model, "G F goal & G !trap").value

    Args:
        objective: LTL over the model's labels, and expressions over its variables in
            double quotes (``'F "x=3"'``); or an ``Automaton``; or a list of them.
        property: instead of it, a property as PRISM writes it: ``'Pmax=? [ F x=3 ]'``; or a list of them.
            Lists of both may be given: the results of properties come first.
        minimize: the least probability instead; properties say ``Pmin`` themselves.
        precision: how far lower and upper may be apart, relative to the value.
        exact: compute in fractions; the model was loaded with ``exact=True``.
        policy: also find a policy that attains the optimum, if neither is a list.
        kind: of the automaton that LTL becomes, ``"deterministic"`` or ``"ldba"``.
        max_states: of the product; more are a ``LimitError``.
        max_seconds: if all of it takes longer, a ``LimitError`` that names the phase.
        threads: by default as many as there are processors.

    Returns:
        A ``CheckResult``; of lists, ``CheckResults``.
    """
    values: Dict[str, Any] = locals()
    is_list = isinstance(objective, (list, tuple)) or isinstance(property, (list, tuple))
    given = [(item, True) for item in _listed(property)] + [(item, False) for item in _listed(objective)]
    if not given or (len(given) > 1 and not is_list):
        raise TypeError("one of objective and property is expected")
    if minimize and not _listed(objective):
        raise InputError("minimize is for objectives: a property says Pmin itself", "argument")

    def source(**changed: Any) -> Tuple[str, str, str]:
        asked = {**values, **changed}
        params = {
            **_asked(asked["objective"], asked["property"]),
            "min": asked["minimize"],
            "constants": _constants(model),
            "precision": _core.number(precision),
            "exact": exact,
            "kind": kind,
            "max_states": max_states,
        }
        return _source(model, params, call_text(check, asked))

    def source_of(item: Any, is_property: bool) -> Tuple[str, str, str]:
        """As if it were asked for alone."""
        if not is_list:
            return source()
        if is_property:
            return source(objective=None, property=item, minimize=False, policy=False)
        return source(objective=item, property=None, policy=False)

    found, data = _core.check(
        model, [(*one, source_of(*one)) for one in given], is_list, minimize, precision, exact,
        policy and not is_list, kind, max_states, threads, max_seconds, source(),
    )  # fmt: skip
    results = tuple(_check_result(decode(text), automaton, best) for text, automaton, best in found)
    return results[0] if data is None else CheckResults(decode(data), _items=results)


def _check_result(data: Dict[str, Any], automaton: Automaton, policy: Optional[Policy]) -> CheckResult:
    found = _attributes(CheckResult, data)
    sizes = {key: data["inputs"][key] for key in ("automaton_states", "product_states", "product_reachable")}
    found.update(
        holds={"true": True, "false": False}.get(found["verdict"]),
        is_bound=found["is_bound"] is True,
        automaton=automaton,
        policy=policy,
        stats={**sizes, **found["stats"]},
    )
    return CheckResult(data, **found)


# ---- evaluate ----


class EvaluateResult(Result):
    """The probability of an objective under a policy.

    Attributes:
        value, lower, upper, exact, precise, initial, objective: as of ``CheckResult``.
        bound: ``"lower"`` or ``"upper"`` where only the policy's own run through
            a nondeterministic automaton was judged; else ``None``.
        stats: sizes of the chain, a dict.
    """

    value: float
    lower: float
    upper: float
    exact: Optional[str]
    precise: bool
    bound: Optional[str]
    initial: Optional[List[Dict[str, Any]]]
    objective: str
    stats: Dict[str, Any]

    def _line(self) -> str:
        return f"{_value_line(self.value, self.lower, self.upper, self.exact)} for {self.objective!r}"


def evaluate(
    model: Model,
    policy: Policy,
    objective: Optional[Objective] = None,
    *,
    property: Optional[str] = None,
    exact: bool = False,
    max_states: int = 50_000_000,
    max_seconds: Optional[Number] = None,
) -> EvaluateResult:
    """The probability that a run meets an objective when a policy makes all decisions.

    A second opinion on ``check``, with which it shares no code.

    Args:
        policy: of this model.
        objective: LTL or a deterministic ``Automaton``; by default what the policy was made for.
        property: instead of it, a property as PRISM writes it.
        exact: compute in fractions; the model was loaded with ``exact=True``.
        max_states: of the chain; more are a ``LimitError``.
        max_seconds: if it takes longer, a ``LimitError``.
    """
    call = call_text(evaluate, locals())
    if objective is None and property is None:
        given, is_property = None, False
    else:
        given, is_property = _given(objective, property)
    params = {
        **_asked(objective, property),
        "constants": _constants(model),
        "exact": exact,
        "max_states": max_states,
    }
    source = _source(model, params, call)
    data = decode(_core.evaluate(model, policy, given, is_property, exact, max_states, max_seconds, source))
    return EvaluateResult(data, **_attributes(EvaluateResult, data))


# ---- recurrence ----


class RecurrenceResult(Result):
    """How long runs take to show what they will do for ever.

    Attributes:
        T: the number of transitions.
        kind: what T is: ``"exact"``, ``"lower-bound"``, ``"upper-bound"`` or ``"estimate"``.
            ``learn(T=...)`` needs an upper bound: a lower bound is none, nor is an estimate of one policy.
        before, reached: the probability after T - 1 transitions, and after T; ``None``: not known.
        lower, upper: of an estimate, where T lies with probability 1 - delta
            (upper ``None``: no end was found); else ``None``.
        one_policy: an estimate is of one policy: others may take longer.
        pmin: the least positive probability.
        upper_bound: what follows from pmin, a dict.
        objective: as given.
        stats: a dict.
    """

    T: Count
    kind: str
    before: Optional[float]
    reached: Optional[float]
    lower: Optional[int]
    upper: Optional[int]
    one_policy: Optional[bool]
    pmin: float
    upper_bound: Dict[str, Any]
    objective: str
    stats: Dict[str, Any]

    def _line(self) -> str:
        sign = ">=" if self.kind == "lower-bound" or self.one_policy else "="
        return f"T {sign} {self.T} ({self.kind}) for {self.objective!r}"


def recurrence(
    model: Model,
    objective: Optional[Objective] = None,
    *,
    epsilon: Number,
    property: Optional[str] = None,
    policy: Optional[Policy] = None,
    pmin: Optional[Number] = None,
    literal: bool = False,
    end_accepted: bool = False,
    kind: str = "deterministic",
    max_component: int = 20,
    max_work: int = 4_000_000_000,
    samples: int = 100_000,
    delta: Optional[Number] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    max_states: int = 50_000_000,
    max_seconds: Optional[Number] = None,
) -> RecurrenceResult:
    """The recurrence time of a model, which ``learn(T=...)`` takes on trust.

    The least number of transitions within which, with probability 1 - epsilon,
    a run has seen all states of a bottom component of the product of model and
    automaton, and then all of them again; the longest of all positional policies.

    Args:
        objective: LTL or an ``Automaton``.
        epsilon: the share of runs that may take longer.
        policy: the time of this policy alone.
        pmin: a lower bound on the positive probabilities: only the bound from it is computed.
        literal: the paper's own definition: all states are seen twice, in whatever order.
        end_accepted: a run is over once its automaton accepts whatever follows.
        max_component: exactly up to so many states of a bottom component; beyond, simulate.
        max_work: give up the exact time after so many elementary steps.
        samples, delta, seed, threads: of an estimate from simulated runs.
        max_seconds: if it takes longer, a ``LimitError``.
    """
    call = call_text(recurrence, locals())
    given, is_property = _given(objective, property)
    params = {
        **_asked(objective, property),
        "epsilon": _core.number(epsilon),
        "pmin": None if pmin is None else _core.number(pmin),
        "literal": literal,
        "end_accepted": end_accepted,
        "constants": _constants(model),
        "kind": kind,
        "max_component": max_component,
        "max_work": max_work,
        "samples": samples,
        "delta": None if delta is None else _core.number(delta),
        "seed": seed,
        "max_states": max_states,
    }
    data = decode(
        _core.recurrence(
            model, given, is_property, policy, epsilon, literal, end_accepted, pmin, kind, max_component,
            max_work, samples, delta, seed, threads, max_states, max_seconds,
            _source(model, params, call),
        )  # fmt: skip
    )
    pmin_used = data["result"]["upper_bound"]["pmin"]
    return RecurrenceResult(data, **{**_attributes(RecurrenceResult, data), "pmin": pmin_used})


# ---- bound ----

class BoundResult(Result):
    """What a guarantee costs.

    Attributes:
        k: samples that make a state-action pair known.
        c: how far the law of a trajectory of T steps through known pairs may be off.
        error: how far the policy may be from the best; with slack, without it.
        samples: k·N·K.
        C: Theorem 2 as published.
        branching: the m that was used.
        error_with_slack, episodes: with slack, the error then, and the number of
            episodes to be expected; else ``None``.
        rules: k, c, error, samples and C by each rule, a dict of dicts.
    """

    k: Count
    c: float
    error: float
    samples: Count
    C: Count
    branching: int
    error_with_slack: Optional[float]
    episodes: Optional[Count]
    rules: Dict[str, Dict[str, Any]]

    def _line(self) -> str:
        error = self.error if self.error_with_slack is None else self.error_with_slack
        return f"k = {self.k}, error {number(error)}"


def bound(
    *,
    states: int,
    actions: int,
    T: int,
    epsilon: Number,
    delta: Number,
    branching: Optional[int] = None,
    k: Union[str, int] = "l1",
    target: Optional[Number] = None,
    slack: Optional[Number] = None,
) -> BoundResult:
    """How many samples the theorems ask for, before anything is run.

    Args:
        states, actions: N, and the largest number K of actions of a state.
        T: the recurrence time.
        epsilon, delta: the accuracy, and the probability that the promise fails.
        branching: the largest number of successors of a state-action pair; by default N.
        k: the rule, ``"paper"``, ``"sound"`` or ``"l1"``; or a number of samples.
        target: instead of k, the error that is wanted.
        slack: a run also stops when it would meet an unknown pair with at most this probability.
    """
    call = call_text(bound, locals())
    if k == 0:
        raise InputError("k must be at least 1", "argument")
    is_rule = isinstance(k, str)
    params: Dict[str, Any] = {
        "states": states,
        "actions": actions,
        "T": T,
        "epsilon": _core.number(epsilon),
        "delta": _core.number(delta),
        "branching": branching,
    }
    if target is not None:
        params["target"] = _core.number(target)
    else:
        params.update(k=None if is_rule else k, k_rule=k if is_rule else "number")
    params["slack"] = None if slack is None else _core.number(slack)
    data = decode(
        _core.bound(
            states, actions, T, epsilon, delta, branching, k if is_rule else None, None if is_rule else k,
            target, slack, (None, params_text(params), call),
        )  # fmt: skip
    )
    optional = {"error_with_slack": None, "episodes": None}
    return BoundResult(data, **{**optional, **data["result"]})


# ---- verify ----


class VerifyResult(Result):
    """Whether a certificate shows what it claims. True in a condition if it does.

    Attributes:
        holds: whether it does.
        reason: if not, the first thing that is wrong; else ``None``.
        statement: what is shown, in a sentence; ``None`` unless it holds, as all below.
        lower, upper: the bracket around the probability.
        confidence: with which it holds.
        assumptions: what is taken for granted, a list of sentences.
        objective, model: as the certificate calls them.
        stats: what was looked at, a dict.
    """

    holds: bool
    reason: Optional[str]
    statement: Optional[str]
    lower: Optional[float]
    upper: Optional[float]
    confidence: Optional[float]
    assumptions: List[str]
    objective: Optional[str]
    model: Optional[str]
    stats: Dict[str, int]

    def __bool__(self) -> bool:
        return self.holds

    def _line(self) -> str:
        return f"holds: {self.statement}" if self.holds else f"refused: {self.reason}"


def verify(certificate: Path, model: Optional[Path] = None) -> VerifyResult:
    """Checks a certificate of ``learn``, with code that shares nothing with the learner.

    Args:
        certificate: its file.
        model: the file of the model that the certificate is to be about, compared by its digest.

    Raises:
        InputError: the file is no certificate, but not JSON or of another kind.
        UnsupportedError: it is a certificate of a version that this one does not know.
        OSError: a file cannot be read.
    """
    path, of = os.fspath(certificate), None if model is None else os.fspath(model)
    call = call_text(verify, {"certificate": path, "model": of})
    data = decode(_core.verify(path, (of, params_text({}), call)))
    result = data["result"]
    attributes = {
        **_attributes(VerifyResult, data),
        "assumptions": result.get("assumes", []),
        "objective": result.get("objective"),
    }
    return VerifyResult(data, **attributes)
