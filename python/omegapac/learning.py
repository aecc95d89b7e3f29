# SPDX-License-Identifier: MIT
"""Learning policies, and estimating probabilities, from samples."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Tuple, Union

from . import _core
from .automata import Automaton
from .environments import Environment, Simulator
from .errors import Interrupted
from .models import Model
from .policies import Policy
from ._html import interval
from .results import Result, call_text, decode, number, params_text

__all__ = ["EstimateResult", "LearnResult", "Progress", "TraceEntry", "estimate", "learn"]

Path = Union[str, "os.PathLike[str]"]
Number = Union[int, float, str]
Runnable = Union[Environment, Model, Simulator, str]


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


def _name_of(env: Any) -> str:
    name = getattr(env, "name", None)
    return name if isinstance(name, str) else "model" if isinstance(env, _core.Model) else type(env).__name__


def _constants(env: Any) -> Optional[List[str]]:
    """Of a model, those that it was read with."""
    constants = getattr(env, "constants", None) if isinstance(env, _core.Model) else None
    return None if constants is None else [constants]


def _threads_of(env: Any, threads: Optional[int]) -> Optional[int]:
    """Python runs one thread at a time: several would only stand in each other's way."""
    return 1 if threads is None and _is_python(env) else threads


# ---- results ----


def _found(data: Dict[str, Any]) -> Dict[str, Any]:
    """The attributes that results of both have."""
    guarantee = data["guarantee"]
    numbers = {**data["result"], "error": guarantee["error"], "confidence": guarantee["confidence"]}
    return {**{name: None if value is None else float(value) for name, value in numbers.items()},
            "holds": guarantee["holds"], "statement": guarantee["statement"],
            "contradicted": "contradicted" in guarantee, "assumptions": tuple(guarantee["assumes"]),
            "tested": guarantee.get("tested"), "stats": data["stats"]}


# ---- learn ----


def _check_known(options: Dict[str, Any]) -> None:
    """T is known, or pmin or a graph, and the other options go with it."""
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


def _params(env: Any, objective: Union[str, Automaton], graph: Any) -> Dict[str, Any]:
    """What only the caller knows; all else follows from the options."""
    return {
        "graph": None if graph is None else "model" if graph is True else getattr(graph, "name", None) or "a model",
        "automata": None if isinstance(objective, str) else [getattr(objective, "name", None) or "automaton"],
        "constants": _constants(env),
    }


def _float(value: Any) -> float:
    return float(_core.number(value))


def _int(value: Any) -> int:
    return int(float(value)) if isinstance(value, (str, float)) else int(value)


def _mebibytes(value: Any) -> float:
    """Bytes in the unit of results, which is that of the command line."""
    size = _int(value)
    return size // 2**20 if size % 2**20 == 0 else size / 2**20


def _teach(policy: Policy, env: Any) -> None:
    """How a policy of an environment spells states, and how it is drawn."""
    if not _is_python(env):
        policy._set(None, True)
        return
    spell = getattr(env, "_spell", None) or getattr(env, "key", None)
    policy._set(spell, False, getattr(env, "columns", None))


def _result(learning: Any, policy: Policy, found: str) -> LearnResult:
    data = decode(found)
    times = zip(("solves", "resumed", "seconds", "sampling_seconds", "solving_seconds"), learning._times())
    return LearnResult(
        data, **{**_found(data), "stats": {**data["stats"], **dict(times)}}, end=data["guarantee"]["end"],
        policy=policy, automaton=learning._automaton(), trace=tuple(_entry(*fields) for fields in learning._trace()),
        truth=data.get("truth"), _learning=learning,
    )  # fmt: skip


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
    _check_known(options)
    call = call_text(learn, {**options, "env": env, "objective": objective})
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    learning, policy, found, cause = _core.learn(
        env, objective, {**options, "progress": _progress_of(progress), "trace": _trace_of(trace)}, _name_of(env),
        params_text(_params(env, objective, options["graph"])), call,
    )  # fmt: skip
    if policy.model is None:
        _teach(policy, env)
    result = _result(learning, policy, found)
    if cause is not None:
        _interrupt(result, cause)
    return result


# ---- estimate ----


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
    params["constants"] = _constants(env)
    return params


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
    call = call_text(estimate, {**options, "env": env, "objective": objective})
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    found, seconds, cause = _core.estimate(
        env, objective, {**options, "progress": _progress_of(progress)}, _name_of(env),
        params_text(_estimate_params(objective, env, options)), call,
    )  # fmt: skip
    data = decode(found)
    result = EstimateResult(data, **{**_found(data), "stats": {**data["stats"], "seconds": seconds}},
                            truth=data.get("truth"))
    if cause is not None:
        _interrupt(result, cause)
    return result
