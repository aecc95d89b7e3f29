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

__all__ = ["EstimateResult", "LearnResult", "Progress", "TraceEntry", "Trial", "estimate", "learn"]

Path = Union[str, "os.PathLike[str]"]
Number = Union[int, float, str]
Runnable = Union[Environment, Model, Simulator, str]


class Progress(NamedTuple):
    """A progress report of a run, delivered at most ten times a second."""

    what: str
    """The phase of the run."""
    done: int
    """Units of work that are done."""
    total: int
    """Units of work in all; 0 if unknown."""
    seconds: float
    rate: float
    """Units of work per second."""
    share: Optional[float]
    """``done / total``; None if unknown."""
    seconds_left: Optional[float]
    """None if unknown."""
    finished: bool
    """Whether this is the last report of the phase."""
    lower: float
    """The lower end of the bracket; 0 without one."""
    upper: float
    """The upper end of the bracket; 1 without one."""


class TraceEntry(NamedTuple):
    """The state of a run when it computed a policy."""

    episode: int
    step: int
    known: int
    """The number of known (or, with pmin or graph, complete) state-action pairs."""
    T: int
    """The horizon of the episodes."""
    value: float
    """The policy's probability in the learned model."""
    lower: Optional[float]
    """The lower end of the bracket; None without one."""
    upper: Optional[float]
    """The upper end of the bracket; None without one."""
    truth: Optional[float]
    """The policy's probability in the model; None if the environment is not a model."""
    candidates: int = 0
    """With T and without k, or without knowledge, the number of policies tried so far; otherwise 0."""


class Trial(NamedTuple):
    """The episodes from which a bracket from T, or a lower bound without knowledge, was computed.

    They were run after their policy was fixed, with T steps each, or ``stats["trial"]["steps"]``
    without knowledge.

    >>> op.learn(env, "G F s & G F g", T=306, epsilon=0.05, delta=0.1).trial
    Trial(episodes=28, wins=28)
    """

    episodes: int
    wins: int
    """The number of episodes that were accepted."""


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
    """The result of ``learn``: a policy and its guarantee.

    >>> result = op.learn(env, "G F s & G F g", T=306, epsilon=0.05, delta=0.1)
    >>> result.end, result.holds, round(result.lower, 3), result.upper
    ('done', True, 0.804, 1.0)

    Attributes:
        policy: the learned ``Policy``.
        value: its probability in the learned model.
        lower, upper: bounds on its true probability; ``None`` without a guarantee.
        optimum_upper: an upper bound on the probability of every policy. With a bracket
            it is ``upper``.
        gap: the width of the bracket, ``upper - lower`` rounded up; ``None`` without a bracket.
        error: with a bracket its width, with ω-PAC a bound on the
            distance of the policy from the optimum; ``None`` without a guarantee.
        confidence: the probability with which the guarantee holds.
        holds: whether the requested guarantee was reached and not contradicted.
        contradicted: whether ``truth`` contradicts the guarantee.
        statement: the guarantee in words.
        assumptions: the assumptions of the guarantee, a tuple of sentences.
        tested: the outcome of the test that episodes are independent;
            ``None`` for a model, which needs no such test.
        end: why the run ended: ``"done"``, ``"max-steps"``, ``"max-seconds"``,
            ``"stopped"``, ``"exceeded"``, ``"livelock"``, ``"refuted"`` or
            ``"max-memory"``.
        refutation: what refuted an assumption of a bracket; ``None`` if nothing did. T:
            ``"recurrence"`` (the policy's runs take longer than T), ``"verdict"`` (too many
            episodes were accepted after T steps and not after 2 T, or the reverse) or
            ``"crossing"`` (the lower bound exceeds the upper bound). pmin or graph: ``"frequency"``, ``"support"``, ``"edge"`` or ``"width"``. Any bracket:
            ``"sum"`` (the samples are not independent).
        T: with T, the horizon of the last episodes, which is T itself unless T is ``"auto"``;
            otherwise ``None``.
        T_check: with T, whether the samples contradict it: ``"refuted"``, ``"consistent"``
            (which is no evidence for T) or ``"unchecked"``; otherwise ``None``.
        candidates: with a bracket from T, or without knowledge, the number of policies that were tried; otherwise 0.
        answer: with ``at_least``, ``"yes"`` if the policy has at least this probability, ``"no"`` if no
            policy has it, or ``"undecided"``; otherwise ``None``. ``holds`` is then whether there is an answer.
        trial: with a bracket from T, or without knowledge, the ``Trial`` of the policy, from which
            ``lower`` was computed; ``None`` if ``lower`` was computed from the learned model, or is 0.
        automaton: the automaton of the objective.
        stats: numbers of episodes, steps and so on, a dict.
        trace: a tuple of ``TraceEntry``, one for each policy that was computed.
        truth: for a model ``{"policy": …, "optimum": …}``, computed from the model
            itself; otherwise ``None``. It contains ``"contradicts": True`` if the
            guarantee is violated: either an assumption is false, or this is one of
            the runs, a share of at most delta, in which the guarantee may fail.
    """

    optimum_upper: Optional[float]
    gap: Optional[float]
    end: str
    refutation: Optional[str]
    T: Optional[int]
    T_check: Optional[str]
    candidates: int
    answer: Optional[str]
    trial: Optional[Trial]
    policy: Policy
    automaton: Automaton
    trace: Tuple[TraceEntry, ...]
    truth: Optional[Dict[str, Any]]

    def _line(self) -> str:
        if self.answer is None:
            return super()._line()
        asked = self.__dict__["_data"]["params"]["at_least"]
        return f"{super()._line()}, at least {number(asked)}: {self.answer}"

    def write_certificate(self, path: Path, *, model: Optional[Path] = None, constants: Optional[str] = None) -> None:
        """Writes a certificate, from which ``verify`` checks the bracket (``docs/formats/certificate.md``).

        >>> op.learn(env, "G F s & G F g", T=306, epsilon=0.05, delta=0.1).write_certificate("grid.cert")
        >>> op.verify("grid.cert").holds
        True

        Available for a run with a bracket that was not refuted, and in which ``T`` was not ``"auto"``.

        Args:
            path: the file to write.
            model, constants: the file of the model and the values of its constants, which are recorded
                in the certificate. ``path`` must not be this file.
        """
        if model is not None and os.path.exists(path) and os.path.exists(model) and os.path.samefile(path, model):
            raise ValueError(f"{os.fspath(path)!r} is the file of the model and would be overwritten; "
                             "choose another path")
        self.__dict__["_learning"]._certificate(path, model, constants)

    def __reduce__(self) -> Any:
        raise TypeError("a LearnResult cannot be pickled: use to_dict() and policy.to_json()")


class EstimateResult(_Found):
    """The result of ``estimate``: a probability with its confidence interval.

    Attributes:
        value: the estimate.
        lower, upper: the confidence interval.
        error: a bound on the distance of the estimate from the probability.
        confidence: the probability with which the interval contains the true value.
        holds: whether the interval is as narrow as requested.
        contradicted: whether ``truth`` lies outside the interval.
        statement: the guarantee in words.
        assumptions: the assumptions of the guarantee, a tuple of sentences.
        tested: the outcome of the test that episodes are independent;
            ``None`` for a model, which needs no such test.
        stats: numbers of trajectories, steps and so on, a dict.
        truth: for a model ``{"probability": …}``, computed from the model itself;
            otherwise ``None``.
    """

    truth: Optional[Dict[str, Any]]


# ---- callbacks ----


def _progress_callback(listener: Optional[Callable[[Progress], Any]]) -> Optional[Callable[..., None]]:
    if listener is None:
        return None
    report = listener

    def callback(what: str, done: int, total: int, seconds: float, rate: float, share: float, left: float,
                 finished: bool, lower: float, upper: float) -> None:
        report(Progress(what, done, total, seconds, rate, None if share < 0 else share,
                        None if left < 0 else left, finished, lower, upper))

    return callback


def _none_if_nan(value: float) -> Optional[float]:
    return None if value is None or value != value else value


def _entry(episode: int, step: int, known: int, T: int, value: float, *rest: Any) -> TraceEntry:
    lower, upper, truth, candidates = rest
    return TraceEntry(episode, step, known, T, value, _none_if_nan(lower), _none_if_nan(upper), _none_if_nan(truth),
                      candidates)


def _trace_callback(listener: Optional[Callable[[TraceEntry], Any]]) -> Optional[Callable[..., None]]:
    if listener is None:
        return None
    report = listener
    return lambda *fields: report(_entry(*fields)) and None


# ---- the environment ----


def _open(env: Runnable) -> Any:
    if isinstance(env, str):
        return Simulator(env)
    if isinstance(env, type):
        raise TypeError(f"expected an environment, not the class {env.__name__}: pass an instance, {env.__name__}(...)")
    return env


def _is_python(env: Any) -> bool:
    return not isinstance(env, (_core.Model, _core.Simulator))


def _name_of(env: Any) -> str:
    name = getattr(env, "name", None)
    return name if isinstance(name, str) else "model" if isinstance(env, _core.Model) else type(env).__name__


def _constants(env: Any) -> Optional[List[str]]:
    """The constants with which a model was read; None for other environments."""
    constants = getattr(env, "constants", None) if isinstance(env, _core.Model) else None
    return None if constants is None else [constants]


def _threads_of(env: Any, threads: Optional[int]) -> Optional[int]:
    """One thread for a Python environment by default: the GIL lets only one run at a time."""
    return 1 if threads is None and _is_python(env) else threads


# ---- results ----


def _found(data: Dict[str, Any]) -> Dict[str, Any]:
    """The attributes that both kinds of results have."""
    guarantee = data["guarantee"]
    values = {name: value for name, value in data["result"].items() if name != "answer"}
    numbers = {**values, "error": guarantee["error"], "confidence": guarantee["confidence"]}
    return {**{name: None if value is None else float(value) for name, value in numbers.items()},
            "holds": guarantee["holds"], "statement": guarantee["statement"],
            "contradicted": "contradicted" in guarantee, "assumptions": tuple(guarantee["assumes"]),
            "tested": guarantee.get("tested"), "stats": data["stats"]}


# ---- learn ----


def _exact(probability: Any) -> Any:
    """Converts a Fraction or a Decimal to a string, so that it is not rounded to a float."""
    if probability == 0:
        raise ValueError("at_least must be above 0; omit it if nothing is asked")
    return str(probability) if type(probability).__module__ in ("fractions", "decimal") else probability


def _refuse_truth_value(options: Dict[str, Any], *names: str) -> None:
    """True is not the number 1: it stands for an answer to another question."""
    for name in names:
        if isinstance(options[name], bool):
            raise TypeError(f"{name} must be a number, not {options[name]}")


def _check_known(options: Dict[str, Any]) -> None:
    """Checks that T, or pmin or graph, or none of them is given, and that the other options go with it."""
    _refuse_truth_value(options, "T", "at_least")
    graph = options["graph"]
    if graph is False:
        options["graph"] = graph = None
    is_bracket = options["pmin"] is not None or graph is not None
    if options["T"] is not None and is_bracket:
        raise TypeError("T excludes pmin and graph: give either T, or pmin or graph or both")
    for name in ("pmin", "pmin_start", "pmin_outcome"):
        if options[name] == 0:
            raise ValueError(f"{name} must be above 0; omit it if it is unknown")
    if options["at_least"] is not None:
        options["at_least"] = _exact(options["at_least"])
    if options["epsilon"] is None and (options["T"] is not None or options["at_least"] is None):
        raise TypeError("learn needs epsilon; it may be omitted only with at_least and without T")
    if not is_bracket and options["pmin_start"] is not None:
        raise TypeError("pmin_start goes with pmin or graph")
    if not is_bracket and options["alike"]:
        raise TypeError("alike goes with pmin or graph")
    if options["pmin_outcome"] is not None and not options["alike"]:
        raise TypeError("pmin_outcome goes with alike")
    horizon_only = {"k": None, "target": None, "slack": None, "stop": "policy", "counts": "model", "sampler": "auto"}
    wrong = [name for name, default in horizon_only.items() if options[name] != default] if options["T"] is None else []
    if wrong:
        raise TypeError(f"{wrong[0]} goes with T")
    if not is_bracket and options["explore"] != "episodes":
        raise TypeError("explore goes with pmin or graph")
    sizes = [name for name in ("states", "actions", "branching") if options[name] is not None]
    if sizes and not is_bracket and options["T"] is None:
        raise TypeError(f"{sizes[0]} goes with T, pmin or graph")


def _params(env: Any, objective: Union[str, Automaton], graph: Any) -> Dict[str, Any]:
    """The members of ``params`` that do not follow from the options."""
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
    """Converts bytes to the unit of results and of the command line."""
    size = _int(value)
    return size // 2**20 if size % 2**20 == 0 else size / 2**20


def _configure_policy(policy: Policy, env: Any) -> None:
    """Tells a policy how the environment's states are turned into keys and how they are laid out in pictures."""
    if not _is_python(env):
        policy._set(None, True)
        return
    to_key = getattr(env, "_to_key", None) or getattr(env, "key", None)
    policy._set(to_key, False, getattr(env, "columns", None))


def _result(learning: Any, policy: Policy, found: str) -> LearnResult:
    data = decode(found)
    times = zip(("solves", "resumed", "seconds", "sampling_seconds", "solving_seconds"), learning._times())
    gap, refutation, T, T_check, candidates, trial = learning._bracket()
    return LearnResult(
        data, **{**_found(data), "stats": {**data["stats"], **dict(times)}}, end=data["guarantee"]["end"],
        gap=gap, refutation=refutation, T=T, T_check=T_check, candidates=candidates, trial=trial and Trial(*trial),
        answer=data["result"]["answer"], policy=policy, automaton=learning._automaton(), trace=tuple(_entry(*fields) for fields in learning._trace()),
        truth=data.get("truth"), _learning=learning,
    )  # fmt: skip


def _interrupt(result: Result, cause: Any) -> NoReturn:
    raise Interrupted(result) from (cause if isinstance(cause, BaseException) else None)


def learn(
    env: Runnable,
    objective: Union[str, Automaton],
    *,
    epsilon: Optional[Number] = None,
    delta: Number,
    T: Union[Number, None] = None,
    pmin: Union[Number, Callable[[Any, int], Number], None] = None,
    pmin_start: Optional[Number] = None,
    graph: Union[bool, Model, None] = None,
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
    """Learns a policy for an objective from samples.

    At most one kind of knowledge is given: ``T``, or ``pmin`` or ``graph`` or both. The
    result is a bracket: with probability at least ``1 - delta``, the policy satisfies the
    objective with probability at least ``lower``, and no policy with more than ``upper``.
    Without any of them ``upper`` is 1, and the objective must be one that finite runs can
    satisfy, such as ``F goal``; other objectives raise ``InputError``.

    >>> op.learn(env, "G F s & G F g", T=306, epsilon=0.05, delta=0.1)
    <LearnResult: 1 [0.804134, 1]>
    >>> op.learn(env, "G F s & G F g", pmin=0.2, epsilon=0.05, delta=0.1)
    <LearnResult: 1 [1, 1]>
    >>> op.learn(env, "G F s & G F g", T=306, epsilon=0.05, delta=0.1, at_least=0.5).answer
    'yes'

    With ``T`` and ``k`` the algorithm is ω-PAC, which needs many more samples.

    Args:
        env: a Python environment (``Environment``), a ``Model``, a ``Simulator``, or
            the name of a simulator (``"exec:…"``, ``"plugin:…"``).
        objective: an LTL formula or an ``Automaton``.
        epsilon, delta: the accuracy, and the probability with which the guarantee may fail. With
            pmin or graph, the run ends when the bracket is at most epsilon wide; without knowledge,
            when ``lower`` is within epsilon of an upper confidence bound on the share of episodes that
            the policy wins, and no policy is better by the frequencies. In both cases epsilon may be
            omitted if ``at_least`` is given. With T, epsilon is that of the recurrence time.
        T: a bound on the epsilon-recurrence time of every policy; or ``"auto"``, which gives no
            guarantee.
        pmin: a lower bound on every positive transition probability; or a function of state and action that
            returns such a bound for this pair. It is called with a state as the environment gives it (the number
            of a state of a model, the str or bytes of a simulator) and the number of the action, at least once
            for each pair seen, and must not depend on what was sampled.
        pmin_start: with pmin or graph and a random start, a lower bound on the
            probability of every start state, which pmin does not bound. Without it
            the bracket accounts for start states that have not been seen.
        graph: ``True`` if the environment has a method ``successors``; for a ``Model``,
            ``True`` or a ``Model`` with the same graph.
        alike: with pmin or graph, believe the classes and outcomes of steps: samples of all pairs of a class count
            together. The environment has a method ``outcome`` (``docs/python.md``), a ``Simulator`` tells outcomes, or a
            ``Model`` was read with ``commands=True``.
        pmin_outcome: with alike, a lower bound on every positive probability of an outcome, which pmin does not
            bound.
        explore: with pmin or graph, ``"episodes"`` or ``"generative"`` (samples any
            state-action pair with the environment's method ``draw``).
        k: with T, selects ω-PAC instead of a bracket: the number of observations after which a
            pair is known, an int, or one of the rules ``"paper"``, ``"sound"`` and ``"l1"``.
        target: with T, the width of the bracket at which the run ends, above 2 epsilon (by
            default 4 epsilon). With ``k="l1"``, the total error, from which k is computed.
        at_least: asks whether some policy satisfies the objective with at least this probability. The run ends
            as soon as ``lower`` is at least ``at_least`` or ``upper`` is below it; ``answer`` of the result is
            ``"yes"``, ``"no"`` or ``"undecided"``. A string such as ``"1/3"`` or a ``Fraction`` is not rounded.
            Not with k or ``T="auto"``.
        slack: with k, stop also when the policy meets an unknown pair with at most this probability.
        stop: with k, ``"policy"`` (every pair that the policy reaches is known) or
            ``"all-actions"`` (every pair of the states that it reaches is known).
        counts: with k, count observations per pair of the ``"model"`` or of the ``"product"``.
        sampler: with k, ``"auto"``, ``"population"`` or ``"step"``.
        states, actions, branching: bounds on the numbers of states, of actions of a
            state, and of successors of a pair.
        deterministic: declares that the environment is deterministic: one initial state, and one
            successor of each pair. Without it, an environment that responds to all seeds
            alike is rejected.
        trial_steps: the maximal number of steps of the trial, which tests whether episodes depend on
            the seed (default 4096); 0 disables the trial and the test of independence.
        kind: the kind of automaton into which a formula is translated.
        seed: the same seed gives the same result.
        threads: by default the number of processors, and 1 for a Python environment.
            The result does not depend on it.
        max_steps, max_seconds: limits on the run.
        max_memory: a limit in bytes on the growth of the process, for an environment
            that is not a model; the run then ends with the result so far.
        checkpoint: a file from which the run can be continued with ``resume=True``. It is
            written every ``checkpoint_seconds`` and at the end, and locked during the
            run: a second run with the same file raises ``ValueError``.
        force: overwrite an existing file of ``checkpoint`` that is not empty;
            without ``force`` or ``resume`` such a file raises ``ValueError``.
        progress: a callback, called at most ten times a second.
        trace: a callback, called for each policy that is computed.
        truth: for a model, also compute the true probability of the policy and the optimum.

    Returns:
        A ``LearnResult``.

    Raises:
        Interrupted: on Ctrl-C; its attribute ``result`` is the result so far.

    An exception raised by a method of the environment or by ``pmin`` is propagated unchanged.
    """
    options: Dict[str, Any] = {name: value for name, value in locals().items() if name not in ("env", "objective")}
    _check_known(options)
    call = call_text(learn, {**options, "env": env, "objective": objective})
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    learning, policy, found, cause = _core.learn(
        env, objective, {**options, "progress": _progress_callback(progress), "trace": _trace_callback(trace)},
        _name_of(env), params_text(_params(env, objective, options["graph"])), call,
    )  # fmt: skip
    if policy.model is None:
        _configure_policy(policy, env)
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
    """Estimates the probability of an objective in a Markov chain from samples.

    Args:
        env, objective: as for ``learn``; each state must have at most one action.
        epsilon, delta: the accuracy, and the probability with which the interval may be wrong.
        T: a bound on the epsilon-recurrence time.
        width: run until both ends of the confidence interval are within this of the estimate; above epsilon.
        deterministic, trial_steps: as for ``learn``.
        seed, threads, max_steps, max_seconds, max_memory, progress: as for
            ``learn``.
        max_states: a limit on the product that ``truth`` builds.
        truth: for a model, also compute the probability itself.

    Returns:
        An ``EstimateResult``.

    Raises:
        Interrupted: on Ctrl-C; its attribute ``result`` is the estimate so far.
    """
    options: Dict[str, Any] = {name: value for name, value in locals().items() if name not in ("env", "objective")}
    _refuse_truth_value(options, "T")
    if T is None or T == "auto":
        raise TypeError("estimate needs T, a bound on the recurrence time")
    call = call_text(estimate, {**options, "env": env, "objective": objective})
    env = _open(env)
    options["threads"] = _threads_of(env, threads)
    found, seconds, cause = _core.estimate(
        env, objective, {**options, "progress": _progress_callback(progress)}, _name_of(env),
        params_text(_estimate_params(objective, env, options)), call,
    )  # fmt: skip
    data = decode(found)
    result = EstimateResult(data, **{**_found(data), "stats": {**data["stats"], "seconds": seconds}},
                            truth=data.get("truth"))
    if cause is not None:
        _interrupt(result, cause)
    return result
