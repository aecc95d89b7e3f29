# SPDX-License-Identifier: MIT
"""Learning policies, and estimating probabilities, from samples."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, NoReturn, Optional, Tuple, Union

from . import _core
from .automata import Automaton
from .environments import Environment, Simulator
from .errors import Interrupted
from .models import Model
from .policies import Policy
from ._html import interval
from .results import Result, envelope, number

__all__ = ["EstimateResult", "LearnResult", "Progress", "TraceEntry", "estimate", "learn"]

Path = Union[str, "os.PathLike[str]"]
Number = Union[int, float, str]
Runnable = Union[Environment, Model, Simulator, str]

MOST_TRACE = 1000
MOST_SAMPLE = 100
TOLERANCE = 2e-6  # of numbers that are known up to 1e-6 of their size
ENDS = ("done", "max-steps", "max-seconds", "stopped", "exceeded", "livelock", "refuted", "max-memory")
SAMPLERS = ("auto", "population", "step")
CHECKS = ("unchecked", "consistent", "refuted")
REFUTATIONS = (None, "frequency", "support", "edge", "width", "sum")


class Progress(NamedTuple):
    """How far a run is; told ten times a second at most."""

    what: str
    done: int
    total: int
    """0: unknown."""
    seconds: float
    rate: float
    """Done per second."""
    share: Optional[float]
    """Done of the total; None: unknown."""
    seconds_left: Optional[float]
    """None: unknown."""
    finished: bool
    """The last report of this phase."""
    lower: float
    """With pmin or a graph the bracket; else 0 and 1."""
    upper: float


class TraceEntry(NamedTuple):
    """A policy that a run goes through."""

    episode: int
    step: int
    known: int
    """Pairs of state and action that are known."""
    T: int
    value: float
    """In the learner's model."""
    lower: Optional[float]
    """The bracket, with pmin or a graph."""
    upper: Optional[float]
    truth: Optional[float]
    """The policy's true probability, where a model tells it."""


class _Found(Result):
    value: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    holds: bool
    contradicted: bool
    statement: str
    assumptions: Tuple[str, ...]
    tested: Optional[str]
    error: Optional[float]
    confidence: float
    stats: Dict[str, Any]

    def _line(self) -> str:
        value = "unknown" if self.value is None else number(self.value)
        if self.lower is None or self.upper is None:
            return f"{value} (no guarantee)"
        return f"{value} {interval(self.lower, self.upper)}" + (
            " (contradicted by the model)" if self.contradicted else "" if self.holds else " (not as asked for)")


class LearnResult(_Found):
    """What was learned.

    Attributes:
        policy: the policy, to be run.
        value: its probability in the learned model.
        lower, upper: bounds on its true probability; ``None`` without a guarantee.
        optimum_upper: the best policy's probability is at most that.
        holds: whether what was asked for is guaranteed, and not contradicted.
        contradicted: whether ``truth`` refutes what is claimed.
        statement: the guarantee in words.
        assumptions: what it assumes.
        tested: what was tested of the assumption that episodes are
            independent; ``None`` of a model, which needs no such test.
        end: why the run ended: ``"done"``, ``"max-steps"``, ``"max-seconds"``,
            ``"stopped"``, ``"exceeded"``, ``"livelock"``, ``"refuted"`` or
            ``"max-memory"``.
        automaton: that of the objective.
        stats: how many episodes, steps and so on.
        trace: the policies that the run went through.
        truth: of a model, ``{"policy": …, "optimum": …}`` as computed, not
            learned; else ``None``. With ``"contradicts": True`` if they are not
            as promised: something that is assumed is not so, or this is one of
            the runs that the confidence leaves.
    """

    optimum_upper: Optional[float]
    end: str
    policy: Policy
    automaton: Automaton
    trace: Tuple[TraceEntry, ...]
    truth: Optional[Dict[str, Any]]

    def write_certificate(self, path: Path, *, model: Optional[Path] = None, constants: Optional[str] = None) -> None:
        """Writes what ``verify`` needs to check the bracket, ``docs/formats/certificate.md``.

        Only of a run with ``pmin`` or a ``graph`` that was not refuted.
        ``model``, ``constants``: the file of the model, for the reader. ``path``
        must be another file than ``model``.
        """
        if model is not None and os.path.exists(path) and os.path.exists(model) and os.path.samefile(path, model):
            raise ValueError(f"{os.fspath(path)!r} is the file of the model: it is not overwritten")
        self.__dict__["_learning"]._certificate(path, model, constants)

    def __reduce__(self) -> Any:
        raise TypeError("what was learned cannot be pickled: use to_dict(), and policy.to_json()")


class EstimateResult(_Found):
    """An estimate of a probability.

    Attributes:
        value, lower, upper: the estimate, and where the probability is.
        holds: whether that is as narrow as was asked for.
        statement: the guarantee in words.
        assumptions: what it assumes.
        tested: what was tested of the assumption that episodes are
            independent; ``None`` of a model, which needs no such test.
        stats: how many trajectories, steps and so on.
        truth: of a model, ``{"probability": …}`` as computed; else ``None``.
    """

    truth: Optional[Dict[str, Any]]


# ---- callbacks ----


def _progress_of(listener: Optional[Callable[[Progress], Any]]) -> Optional[Callable[..., None]]:
    if listener is None:
        return None
    hear = listener

    def tell(what: str, done: int, total: int, seconds: float, rate: float, share: float, left: float,
             finished: bool, lower: float, upper: float) -> None:
        hear(Progress(what, done, total, seconds, rate, None if share < 0 else share,
                          None if left < 0 else left, finished, lower, upper))

    return tell


def _known(value: float) -> Optional[float]:
    return None if value is None or value != value else value


def _entry(episode: int, step: int, known: int, T: int, *numbers: float) -> TraceEntry:
    value, lower, upper, truth = numbers
    return TraceEntry(episode, step, known, T, value, _known(lower), _known(upper), _known(truth))


def _trace_of(listener: Optional[Callable[[TraceEntry], Any]]) -> Optional[Callable[..., None]]:
    if listener is None:
        return None
    hear = listener
    return lambda *fields: hear(_entry(*fields)) and None


# ---- the environment ----


def _open(env: Runnable) -> Any:
    if isinstance(env, str):
        return Simulator(env)
    if isinstance(env, type):
        raise TypeError(f"an environment is expected, not the class {env.__name__}: make an object of it")
    return env


def _is_python(env: Any) -> bool:
    return not isinstance(env, (_core.Model, _core.Simulator))


def _name_of(env: Any) -> Optional[str]:
    if isinstance(env, Simulator):
        return env.name
    if isinstance(env, _core.Model):
        path = getattr(env, "path", None)
        return None if path is None else os.fspath(path)
    name = getattr(env, "name", None)
    return name if isinstance(name, str) else type(env).__name__


def _threads_of(env: Any, threads: Optional[int]) -> Optional[int]:
    """Python runs one thread at a time: several would only stand in each other's way."""
    return 1 if threads is None and _is_python(env) else threads


# ---- learn ----


def _check_known(options: Dict[str, Any]) -> bool:
    """Whether it is a bracket: pmin or a graph is known, and not T."""
    graph = options["graph"]
    if graph is False:
        options["graph"] = graph = None
    is_bracket = options["pmin"] is not None or graph is not None
    if options["T"] is None and not is_bracket:
        raise TypeError("learn needs one of T (a bound on the recurrence time, or \"auto\"), pmin (a bound on "
                        "positive probabilities) and graph")
    if options["T"] is not None and is_bracket:
        raise TypeError("T and pmin or graph exclude each other: give T, a recurrence time, or pmin, graph or "
                        "both, for a bracket that needs none")
    for name in ("pmin", "pmin_start"):
        if options[name] == 0:
            raise ValueError(f"{name} is above 0; leave it out when it is unknown")
    if not is_bracket and options["pmin_start"] is not None:
        raise TypeError("pmin_start goes with pmin or graph, not with T")
    horizon_only = {"k": "l1", "target": None, "slack": None, "stop": "policy", "counts": "model", "sampler": "auto"}
    wrong = [name for name, default in horizon_only.items() if options[name] != default] if is_bracket else []
    if wrong:
        raise TypeError(f"{wrong[0]} goes with T, not with pmin or graph")
    if not is_bracket and options["explore"] != "episodes":
        raise TypeError("explore goes with pmin or graph, not with T")
    return is_bracket


def _params(options: Dict[str, Any], report: Dict[str, Any], is_bracket: bool) -> Dict[str, Any]:
    params: Dict[str, Any] = {"epsilon": _float(options["epsilon"]), "delta": _float(options["delta"])}
    if is_bracket:
        graph = options["graph"]
        params["pmin"] = None if options["pmin"] is None else _float(options["pmin"])
        params["pmin_start"] = None if options["pmin_start"] is None else _float(options["pmin_start"])
        params["graph"] = None if graph is None else "model" if graph is True else (_name_of(graph) or "a model")
        params["explore"] = options["explore"]
    else:
        params["T"] = report["T"]
        if options["T"] == "auto":
            params["T_auto"] = True
        params["k"] = report["k"]
        is_rule = isinstance(options["k"], str) and not options["k"].isdigit()
        params["k_rule"] = "target" if options["target"] is not None else options["k"] if is_rule else "number"
        for name in ("target", "slack"):
            if options[name] is not None:
                params[name] = _float(options[name])
        params["stop"] = options["stop"]
        params["counts"] = options["counts"]
        params["sampler"] = SAMPLERS[report["sampler"]]
        if options["sampler"] != "auto":
            params["sampler_given"] = True
    params["kind"] = options["kind"] or "deterministic"
    for name in ("states", "actions", "branching", "trial_steps"):
        if options[name] is not None:
            params[name] = _int(options[name])
    if options["deterministic"]:
        params["deterministic"] = True
    for name, convert in (("max_steps", _int), ("max_seconds", _float), ("max_memory", _mebibytes)):
        if options[name] is not None:
            params[name] = convert(options[name])
    return params


def _float(value: Any) -> float:
    return float(_core.number(value))


def _int(value: Any) -> int:
    return int(float(value)) if isinstance(value, (str, float)) else int(value)


def _mebibytes(value: Any) -> float:
    """Bytes in the unit of results, which is that of the command line."""
    size = _int(value)
    return size // 2**20 if size % 2**20 == 0 else size / 2**20


def _guarantee(learning: Any, report: Dict[str, Any], is_bracket: bool, env: Any) -> Dict[str, Any]:
    guarantee: Dict[str, Any] = {
        "holds": report["holds"],
        "statement": learning._statement(),
        "error": report["error"],
        "confidence": report["confidence"],
        "assumes": learning._assumptions(),
    }
    if learning._tested() is not None:
        guarantee["tested"] = learning._tested()
    if is_bracket:
        guarantee["bracket"] = _has_bracket(report)
        guarantee["refuted"] = _refuted(learning, report, env)
    else:
        guarantee["T_check"] = CHECKS[report["T_check"]]
        if report["T_found"]:
            guarantee["T_found"] = report["T_found"]
        if report["T_found_is_bound"]:
            guarantee["T_found_is_bound"] = True
    guarantee["end"] = ENDS[report["end"]]
    if report["exceeded"] is not None:
        guarantee["exceeded"] = report["exceeded"]
    if not is_bracket:
        guarantee.update((name, report[name]) for name in ("c", "eta", "risk"))
    return guarantee


def _has_bracket(report: Dict[str, Any]) -> bool:
    return bool(report["is_bracket"] and report["lower"] is not None and report["upper"] is not None)


def _place(env: Any, key: bytes) -> Dict[str, Any]:
    if not isinstance(env, _core.Model):
        return {"state": key.decode("utf-8", "backslashreplace")}
    state = int.from_bytes(key, __import__("sys").byteorder)
    values = env.values(state)
    return {"state": state, "values": values} if values else {"state": state}


def _refuted(learning: Any, report: Dict[str, Any], env: Any) -> Optional[Dict[str, Any]]:
    by = REFUTATIONS[report["refutation"]]
    if by is None:
        return None
    found: Dict[str, Any] = {"by": by}
    pair = learning._refuted()
    if pair is not None:
        key, action, name, successor = pair
        if key is not None:
            found.update(_place(env, key), action=name, choice=action)
        if successor is not None:
            found["successor"] = _place(env, successor)
    found.update(count=report["refuted_count"], visits=report["refuted_visits"])
    return found


def _stats(report: Dict[str, Any], is_bracket: bool) -> Dict[str, Any]:
    names = ["episodes", "steps", "known", "policies", "samples", "states_seen", "pairs_seen"]
    if is_bracket:
        names.insert(3, "complete")
    return {name: report[name] for name in names}


def _echo_trace(trace: Iterable[TraceEntry], is_bracket: bool) -> List[Dict[str, Any]]:
    entries = list(trace)
    stride = max(1, (len(entries) + MOST_TRACE - 1) // MOST_TRACE)
    echoed = []
    for i, entry in enumerate(entries):
        if i % stride and i != len(entries) - 1:
            continue
        item: Dict[str, Any] = {"episode": entry.episode, "step": entry.step, "known": entry.known, "value": entry.value}
        if is_bracket:
            item.update(lower=entry.lower, upper=entry.upper)
        else:
            item["T"] = entry.T
        item["truth"] = entry.truth
        echoed.append(item)
    return echoed


def _echo_sample(learning: Any, model: Model, policy: Policy, seed: int, steps: int) -> List[Dict[str, Any]]:
    sample = []
    walk = learning._sample(policy, seed, steps)
    for i, (state, memory, action) in enumerate(walk):
        place = _place(model, state.to_bytes(4, __import__("sys").byteorder))
        place["labels"] = [label for label in model.labels if model.holds(label, state)]
        place["memory"] = memory
        if i < len(walk) - 1:
            place["action"] = action
        sample.append(place)
    return sample


def _truth(learning: Any, policy: Policy, options: Dict[str, Any], is_stopped: bool) -> Dict[str, Any]:
    if is_stopped:
        return {"policy": None, "optimum": None, "note": "stopped"}
    value, optimum, note, contradicts = learning._truth(policy, options["kind"], options["threads"])
    truth = {"policy": value, "optimum": optimum}
    if note is not None:
        truth["note"] = note
    if contradicts:
        truth["contradicts"] = True
    return truth


def _teach(policy: Policy, env: Any) -> None:
    """How a policy of an environment spells states, and how it is drawn."""
    if not _is_python(env):
        policy._set(None, True)
        return
    spell = getattr(env, "_spell", None) or getattr(env, "key", None)
    policy._set(spell, False, getattr(env, "columns", None))


def _result(learning: Any, env: Any, options: Dict[str, Any], is_bracket: bool) -> LearnResult:
    report = learning._report()
    policy = learning._policy()
    if policy.model is None:
        _teach(policy, env)
    is_model = isinstance(env, _core.Model)
    is_told = report["holds"] or _has_bracket(report)
    told = {name: report[name] if is_told else None for name in ("lower", "upper", "optimum_upper")}
    guarantee = _guarantee(learning, report, is_bracket, env)
    stats = _stats(report, is_bracket)
    trace = tuple(_entry(*fields) for fields in learning._trace())
    automaton = learning._automaton()
    sizes = {name: report[name] for name in ("states", "actions", "branching")}
    data = envelope("learn", _core.version(), None, {})
    del data["params"]
    data["seed"] = _int(options["seed"])
    data["inputs"] = {
        "model": _name_of(env), "objective": learning._objective(), **sizes,
        "automaton_states": report["automaton_states"], "product_states": report["product_states"] if report["states"] else None,
        "product_reachable": report["product_reachable"],
    }
    data["params"] = _params(options, report, is_bracket)
    data["result"] = {"value": report["value"], **told}
    data["guarantee"] = guarantee
    data["stats"] = stats
    truth = None
    if is_model and options["truth"]:
        truth = _truth(learning, policy, options, guarantee["end"] == "stopped")
        data["truth"] = truth
    contradicted = truth is not None and "contradicts" in truth
    if contradicted:
        guarantee.update(holds=False, contradicted=True)
    data["automaton"] = automaton
    data.update(policy._members())
    data["trace"] = _echo_trace(trace, is_bracket)
    if is_model:
        steps = MOST_SAMPLE if is_bracket else min(report["T"], MOST_SAMPLE)
        data["sample"] = _echo_sample(learning, env, policy, data["seed"], steps)
    times = {name: report[name] for name in ("solves", "resumed", "seconds", "sampling_seconds", "solving_seconds")}
    return LearnResult(
        data, value=report["value"], **told, holds=guarantee["holds"], contradicted=contradicted, statement=guarantee["statement"],
        assumptions=tuple(guarantee["assumes"]), tested=guarantee.get("tested"), error=report["error"],
        confidence=report["confidence"],
        end=guarantee["end"], policy=policy, automaton=automaton, stats={**stats, **times}, trace=trace,
        truth=truth, _learning=learning,
    )


def _interrupt(result: Result, cause: Any) -> NoReturn:
    raise Interrupted(result) from (cause if isinstance(cause, BaseException) else None)


def learn(
    env: Runnable,
    objective: Union[str, Automaton],
    *,
    epsilon: Number,
    delta: Number,
    T: Union[Number, None] = None,
    pmin: Optional[Number] = None,
    pmin_start: Optional[Number] = None,
    graph: Union[bool, Model, None] = None,
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
    deterministic: bool = False,
    trial_steps: Optional[int] = None,
    kind: Optional[str] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    max_steps: Optional[Number] = None,
    max_seconds: Optional[Number] = None,
    max_memory: Optional[int] = None,
    checkpoint: Optional[Path] = None,
    checkpoint_seconds: Number = 60,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Callable[[Progress], Any]] = None,
    trace: Optional[Callable[[TraceEntry], Any]] = None,
    truth: bool = True,
) -> LearnResult:
    """Learns a policy that makes an objective probable, from samples alone.

    One of three things has to be known: ``T``, ``pmin`` or ``graph``.

    Args:
        env: an environment (``Environment``), a ``Model``, a ``Simulator``, or
            the name of one (``"exec:…"``, ``"plugin:…"``).
        objective: LTL, or an ``Automaton``.
        epsilon, delta: how near and how sure the result shall be.
        T: a bound on the recurrence time, or ``"auto"``, which gives no guarantee.
        pmin: a lower bound on positive transition probabilities.
        pmin_start: with pmin or graph, where the start is random: a lower bound
            on the probabilities of start states, about which pmin says nothing.
            Without it the bracket allows for start states not seen yet.
        graph: ``True``, the environment knows where actions can lead to; or a
            ``Model`` with the graph of a model.
        explore: with pmin or graph, ``"episodes"`` or ``"generative"``.
        k: with T, how many observations make a pair known: a number, or
            ``"l1"``, ``"hoeffding"``, ``"paper"``.
        target: with T, the error that is wanted in all.
        slack: with T, the probability of what may stay unknown.
        stop: with T, ``"policy"`` or ``"all-actions"``.
        counts: with T, ``"model"`` or ``"product"``.
        sampler: with T, ``"auto"``, ``"population"`` or ``"step"``.
        states, actions, branching: bounds on the environment's.
        deterministic: the system has one initial state, and an action of a
            state always leads to the same state. Without this, an environment
            that answers all seeds alike is refused.
        trial_steps: steps, at most, of the trial of whether seeds make a
            difference (4096); 0: do not test whether episodes are independent.
        kind: of the automaton that a formula becomes.
        seed: the same seed gives the same result.
        threads: as many as there are processors by default, and one for a
            Python environment; it changes nothing but the time.
        max_steps, max_seconds: limits.
        max_memory: bytes by which the process may grow, in an environment
            that is not a model; then the run ends, with the result so far.
        checkpoint: a file from which the run can go on with ``resume=True``,
            written every ``checkpoint_seconds``, and at the end. It is locked while
            the run lasts: a second run with it is a ``ValueError``.
        force: begin anew although the file of ``checkpoint`` is there, and not
            empty; without this or ``resume`` that is a ``ValueError``.
        progress: called ten times a second at most.
        trace: called for each policy on the way.
        truth: of a model, compute also what the policy is worth.

    Raises:
        Interrupted: Ctrl-C; its ``result`` is what was learned until then.

    An exception that a member of the environment raises comes out as it is.
    """
    options: Dict[str, Any] = {name: value for name, value in locals().items() if name not in ("env", "objective")}
    is_bracket = _check_known(options)
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    given = {**options, "progress": _progress_of(progress), "trace": _trace_of(trace)}
    learning, cause = _core.learn(env, objective, given)
    result = _result(learning, env, options, is_bracket)
    if cause is not None:
        _interrupt(result, cause)
    return result


# ---- estimate ----


def _error_of(report: Dict[str, Any], options: Dict[str, Any]) -> Optional[float]:
    if report["holds"]:
        return _float(options["width"]) if options["width"] is not None else 2 * _float(options["epsilon"])
    if report["value"] is None:
        return None
    return float(max(report["upper"] - report["value"], report["value"] - report["lower"]))


def _estimate_assumptions(report: Dict[str, Any], options: Dict[str, Any], is_model: bool) -> Tuple[str, ...]:
    epsilon = _core.format_number(_float(options["epsilon"]))
    items = [f"T = {_int(options['T'])} bounds the {epsilon}-recurrence time of the product of chain and automaton"]
    if not is_model:
        items.append("episodes are independent, and the same action in the same state always has the same "
                     "probabilities")
    if options["deterministic"]:
        items.append("the system is deterministic: it has one initial state, and a state always leads to the same "
                     "state")
    if not is_model and report["met_terminal"]:
        items.append("a run stays for ever in a state without actions")
    return tuple(items)


def _estimate_statement(report: Dict[str, Any], error: Optional[float]) -> str:
    if report["refutation"] is not None:
        return f"none: the system is not deterministic, as was declared: {report['refutation']}"
    if error is None:
        return "none: the run was ended before the first trajectory was complete"
    shown = _core.format_up(error, 3)
    confidence = _core.format_down(min(report["confidence"] + 1e-12, 1 - 2**-53), 6)
    if report["holds"]:
        return (f"the estimate is within {shown} of the probability with confidence {confidence}, "
                "if T bounds the epsilon-recurrence time")
    why = " by the memory that was allowed" if report["is_full"] else ""
    return (f"not what was asked for, since the run was ended early{why}: the estimate is only within {shown} of the "
            f"probability with confidence {confidence}, if T bounds the epsilon-recurrence time")


def _estimate_params(objective: Union[str, Automaton], env: Any, options: Dict[str, Any]) -> Dict[str, Any]:
    params: Dict[str, Any] = (
        {"formulas": [objective]} if isinstance(objective, str) else {"automata": [objective.name or "automaton"]}
    )
    params.update(T=_int(options["T"]), epsilon=_float(options["epsilon"]), delta=_float(options["delta"]))
    for name, convert in (("width", _float), ("trial_steps", _int), ("max_steps", _int), ("max_seconds", _float),
                          ("max_memory", _mebibytes), ("max_states", _int)):
        if options[name] is not None:
            params[name] = convert(options[name])
    if options["deterministic"]:
        params["deterministic"] = True
    if isinstance(env, _core.Model) and env.constants is not None:
        params["constants"] = [env.constants]
    return params


def _estimate_truth(report: Dict[str, Any]) -> Dict[str, Any]:
    truth: Dict[str, Any] = {"probability": report["truth"]}
    if report["note"] is not None:
        truth["note"] = report["note"]
    if report["truth"] is not None and not (
        report["lower"] - TOLERANCE <= report["truth"] <= report["upper"] + TOLERANCE
    ):
        truth["contradicts"] = True
    return truth


def _estimate_result(report: Dict[str, Any], objective: Union[str, Automaton], text: str, env: Any,
                     options: Dict[str, Any]) -> EstimateResult:  # fmt: skip
    is_model = isinstance(env, _core.Model)
    error = _error_of(report, options)
    assumed = _estimate_assumptions(report, options, is_model)
    inputs: Dict[str, Any] = {"model": _name_of(env), "objective": text}
    if is_model:
        inputs["states"] = env.states
    inputs["automaton_states"] = report["automaton_states"]
    stats = {"episodes": report["trajectories"], "won": report["won"], "wanted": report["wanted"],
             "steps": report["steps"], "states_seen": report["states_seen"]}
    statement = _estimate_statement(report, error)
    truth = _estimate_truth(report) if is_model and options["truth"] else None
    contradicted = truth is not None and "contradicts" in truth
    holds = report["holds"] and not contradicted
    data = envelope("estimate", _core.version(), None, {})
    data.update(seed=_int(options["seed"]), inputs=inputs, params=_estimate_params(objective, env, options),
                result={name: report[name] for name in ("value", "lower", "upper")},
                guarantee={"holds": holds, "statement": statement, "error": error,
                           "confidence": report["confidence"], "assumes": list(assumed)},
                stats=stats)
    if contradicted:
        data["guarantee"]["contradicted"] = True
    if report["tested"] is not None:
        data["guarantee"]["tested"] = report["tested"]
    if truth is not None:
        data["truth"] = truth
    if report["automaton"] is not None:
        data["automaton"] = report["automaton"]
    return EstimateResult(
        data, value=report["value"], lower=report["lower"], upper=report["upper"], holds=holds,
        contradicted=contradicted, statement=statement, assumptions=assumed, tested=report["tested"], error=error,
        confidence=report["confidence"],
        stats={**stats, "seconds": report["seconds"]}, truth=truth,
    )


def estimate(
    env: Runnable,
    objective: Union[str, Automaton],
    *,
    epsilon: Number,
    delta: Number,
    T: Number,
    width: Optional[Number] = None,
    deterministic: bool = False,
    trial_steps: Optional[int] = None,
    seed: int = 1,
    threads: Optional[int] = None,
    max_steps: Optional[Number] = None,
    max_seconds: Optional[Number] = None,
    max_memory: Optional[int] = None,
    max_states: int = 50_000_000,
    truth: bool = True,
    progress: Optional[Callable[[Progress], Any]] = None,
) -> EstimateResult:
    """Estimates the probability of an objective in a Markov chain, from samples alone.

    Args:
        env, objective: as for ``learn``; each state has one action at most.
        epsilon, delta: how near and how sure the estimate shall be.
        T: a bound on the epsilon-recurrence time.
        width: run until the interval is that narrow, on either side.
        deterministic, trial_steps: as for ``learn``.
        seed, threads, max_steps, max_seconds, max_memory, progress: as for
            ``learn``.
        truth: of a model, compute also the probability itself.
        max_states: of the product that is made for this.

    Raises:
        Interrupted: Ctrl-C; its ``result`` is what was estimated until then.
    """
    options: Dict[str, Any] = {name: value for name, value in locals().items() if name not in ("env", "objective")}
    if T is None or T == "auto":
        raise TypeError("estimate needs T, a bound on the recurrence time")
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    report, text, cause = _core.estimate(env, objective, {**options, "progress": _progress_of(progress)})
    result = _estimate_result(report, objective, text, env, options)
    if cause is not None:
        _interrupt(result, cause)
    return result
