# SPDX-License-Identifier: MIT
"""Analysis of known models, sample sizes, and the verification of certificates."""
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
Number = Union[int, float, str, Any]  # Any: a Fraction, and any other argument of float()


# ---- common functions ----


def _given(objective: Optional[Objective], property: Optional[str]) -> Tuple[Any, bool]:
    """The objective or property, and whether it is a property."""
    if (objective is None) == (property is None):
        raise TypeError("give either objective or property")
    return (property, True) if objective is None else (objective, False)


def _listed(given: Any) -> List[Any]:
    """Converts one value, several values or None to a list."""
    return list(given) if isinstance(given, (list, tuple)) else [] if given is None else [given]


def _asked(objective: Any, property: Any) -> Dict[str, Any]:
    """The members of ``params`` that state the objectives and properties."""
    objectives = _listed(objective)
    asked = {
        "formulas": [given for given in objectives if isinstance(given, str)],
        "automata": [getattr(given, "name", None) or "automaton" for given in objectives if not isinstance(given, str)],
        "properties": _listed(property),
    }
    return {key: values for key, values in asked.items() if values}


def _constants(model: Model) -> Optional[List[str]]:
    # An argument that is not a Model has no constants; the extension raises TypeError for it.
    constants = getattr(model, "constants", None)
    return None if constants is None else [constants]


def _source(model: Model, params: Mapping[str, Any], call: str) -> Tuple[str, str, str]:
    """The parts of a result that the extension cannot compute: the model's name, ``params`` and the call."""
    return getattr(model, "name", None) or "model", params_text(params), call


def _attributes(cls: Type[Result], data: Mapping[str, Any]) -> Dict[str, Any]:
    """The attributes that the class annotates, from the members of a result; None if a member is absent."""
    found = {name: data["result"].get(name) for name in cls.__annotations__}
    for name, value in found.items():
        if isinstance(value, int) and "float" in cls.__annotations__[name]:
            found[name] = float(value)
    return {**found, "objective": data["inputs"].get("objective"), "stats": data["stats"]}


def _value_line(value: float, lower: float, upper: float, exact: Optional[str]) -> str:
    return exact if exact is not None else f"{number(value)} {interval(lower, upper)}"


# ---- check ----


class CheckResult(Result):
    """The result of ``check``: the optimal probability of an objective in a model.

    Attributes:
        value: the optimal probability.
        lower, upper: an enclosure of the optimum, which accounts for rounding errors.
        exact: the optimum as a fraction, ``"13/120"``; ``None`` unless it was computed exactly.
        holds: for a property with a bound, whether it holds; ``None`` if there is
            no bound, or if it could not be decided.
        verdict: ``"true"``, ``"false"`` or ``"undecided"``; ``None`` if there is no bound.
        direction: ``"max"`` or ``"min"``.
        precise: whether the enclosure is as narrow as requested.
        is_bound: whether the value is only a bound, because the automaton is nondeterministic.
        initial: with several initial states, a dict for each; otherwise ``None``.
        objective: the objective as given.
        automaton: the automaton of the objective.
        policy: a policy that attains the optimum; ``None`` if it was not requested.
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
    """The result of ``check`` for several objectives: a sequence of ``CheckResult``, without policies.

    ``to_dict()`` contains all of them, as the command line prints several objectives.
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
    """Computes the maximal (or minimal) probability, over all policies, that a run satisfies an objective.

    >>> check(model, "G F goal & G !trap").value

    Args:
        model: the model.
        objective: an LTL formula over the model's labels, and expressions over its variables in
            double quotes (``'F "x=3"'``); or an ``Automaton``; or a list of these.
        property: instead of an objective, a PRISM property, ``'Pmax=? [ F x=3 ]'``, or a list of these.
            Both may be lists: the results of the properties come first.
        minimize: compute the minimum; a property states ``Pmin`` itself.
        precision: the maximal width of the enclosure, relative to the value.
        exact: compute a fraction; the model must be loaded with ``exact=True``.
        policy: also compute a policy that attains the optimum; ignored for lists.
        kind: the kind of automaton into which LTL is translated, ``"deterministic"`` or ``"ldba"``.
        max_states: a limit on the states of the product; more raise ``LimitError``.
        threads: by default the number of processors.
        max_seconds: a longer computation raises ``LimitError``, which names the phase.

    Returns:
        A ``CheckResult``; for a list, ``CheckResults``.
    """
    values: Dict[str, Any] = locals()
    is_list = isinstance(objective, (list, tuple)) or isinstance(property, (list, tuple))
    given = [(item, True) for item in _listed(property)] + [(item, False) for item in _listed(objective)]
    if not given or (len(given) > 1 and not is_list):
        raise TypeError("give either objective or property, or lists of them")
    if minimize and not _listed(objective):
        raise InputError("minimize applies to objectives: in a property write Pmin", "argument")

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
        """The source of one item of a list, as for a call with this item alone."""
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
    """The result of ``evaluate``: the probability of an objective under a policy.

    Attributes:
        value, lower, upper, exact, precise, initial, objective: as for ``CheckResult``.
        bound: ``"lower"`` or ``"upper"`` if the automaton is nondeterministic and only the
            run that the policy's memory takes through it was evaluated, so that the value
            is a bound; otherwise ``None``.
        stats: sizes of the Markov chain, a dict.
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
    """Computes the probability that a run under a policy satisfies an objective.

    It is independent of ``check``: the two share no solver code.

    Args:
        model: the model.
        policy: a policy for this model.
        objective: an LTL formula or a deterministic ``Automaton``; by default the policy's own objective.
        property: instead of an objective, a PRISM property.
        exact: compute a fraction; the model must be loaded with ``exact=True``.
        max_states: a limit on the states of the Markov chain; more raise ``LimitError``.
        max_seconds: a longer computation raises ``LimitError``.
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
    """The result of ``recurrence``: an ε-recurrence time.

    Attributes:
        T: the recurrence time, a number of transitions.
        kind: ``"exact"``, ``"lower-bound"``, ``"upper-bound"`` or ``"estimate"``.
            ``learn(T=...)`` needs an exact value or an upper bound that holds for all policies.
        before, reached: the probability of having recurred after T - 1 and after T transitions;
            ``None`` if unknown.
        lower, upper: for an estimate, an interval that contains T with probability 1 - delta
            (``upper`` is ``None`` if no upper end was found); otherwise ``None``.
        one_policy: whether an estimate is for one policy only; other policies may take longer.
        pmin: the least positive probability.
        upper_bound: the upper bound that follows from pmin, a dict.
        objective: the objective as given.
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
    """Computes the ε-recurrence time of a model, the ``T`` that ``learn`` needs.

    It is the maximum, over all positional policies of the product of model and automaton, of
    the least number of transitions after which, with probability at least 1 - epsilon, a run
    has covered all states of some BSCC, and then all of them again.

    Args:
        model: the model.
        objective: an LTL formula or an ``Automaton``.
        epsilon: the probability with which a run may take longer.
        property: instead of an objective, a PRISM property.
        policy: compute the recurrence time of this policy alone.
        pmin: a lower bound on the positive probabilities; only the upper bound from it is computed.
        literal: use the paper's literal definition: each state is visited twice, in any order.
        end_accepted: end a run once its automaton accepts every continuation.
        kind: the kind of automaton into which LTL is translated.
        max_component: compute exactly for BSCCs of at most this many states; simulate larger ones.
        max_work: abandon the exact computation after this many elementary steps.
        samples, delta, seed, threads: parameters of an estimate from simulated runs.
        max_states: a limit on the states of the product; more raise ``LimitError``.
        max_seconds: a longer computation raises ``LimitError``.
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
    """The result of ``bound``: the number of samples and the error of ω-PAC.

    Attributes:
        k: the number of samples after which a state-action pair is known.
        c: a bound on the total variation between the learned and the true distribution of a
            trajectory of T steps through known pairs.
        error: a bound on the distance of the policy from the optimum, without slack.
        samples: k·N·K.
        C: the bound of the paper's Theorem 2, as published.
        branching: the value of m that was used.
        error_with_slack, episodes: with slack, the error including it, and the expected number of
            episodes; otherwise ``None``.
        rules: k, c, error, samples and C for each rule, a dict of dicts.
        bracket: what a bracket from T may cost, a dict: its width ``target``; ``episodes`` and
            ``least_steps``, if the optimum is 1; an estimate, if all pairs matter: ``visits``,
            ``samples`` and ``most_steps``. ``None`` if 4 epsilon is at least 1.
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
    bracket: Optional[Dict[str, Any]]

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
    """Computes how many samples ω-PAC needs, and its error, without running anything.

    Args:
        states, actions: the number N of states, and the largest number K of actions of a state.
        T: the ε-recurrence time.
        epsilon, delta: the accuracy, and the probability with which the guarantee may fail.
        branching: the largest number m of successors of a state-action pair; by default N.
        k: the rule, ``"paper"``, ``"sound"`` or ``"l1"``; or a number of samples.
        target: instead of k, the error to reach.
        slack: a run also stops when the policy meets an unknown pair with at most this probability.
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
    """The result of ``verify``. Its truth value is ``holds``.

    Attributes:
        holds: whether the certificate proves its claim.
        reason: the first error in the certificate; ``None`` if it holds.
        statement: the proven claim, a sentence. This and the following attributes are
            ``None`` (``assumptions`` is empty) unless the certificate holds.
        lower, upper: the bracket around the probability.
        confidence: the probability with which the bracket is correct.
        assumptions: the assumptions of the claim, a list of sentences.
        objective, model: as stated in the certificate.
        stats: the numbers of objects that were checked, a dict. If the certificate assumes a
            recurrence time, it has ``episodes`` and ``wins`` of the trial in place of ``complete``.
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
    """Verifies a certificate of ``learn``. The checker shares no code with the learner.

    Args:
        certificate: the path of the certificate.
        model: the path of the model's file; its digest must be the one in the certificate.

    Raises:
        InputError: if the file is not JSON, or not a certificate.
        UnsupportedError: if the version of the certificate is not supported.
        OSError: if a file cannot be read.
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
