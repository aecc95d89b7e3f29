# SPDX-License-Identifier: MIT
"""What pages say: results as objects, and texts that their page has and lacks.

Each text is sought in what the script draws. Cells, paragraphs and items are separated by " | "."""

HOA = ('HOA: v1\nStates: 1\nStart: 0\nAP: 1 "a"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n'
       '[!0] 0\n[0] 0 {0}\n--END--\n')


def of(command, **members):
    return {"schema": "omegapac.result/1", "command": command, **members}


def learn(**members):
    return of("learn", **{"inputs": {}, **members})


def guarantee(**members):
    return learn(guarantee=members)


def trace(*entries, **members):
    return learn(trace=list(entries), **members)


def place(x, y):
    return {"x": x, "y": y}


GRID = of("learn", version="0", arguments=["learn", "m.prism", "-f", "G F a"], seed=7,
          inputs={"model": "m.prism", "objective": "G F a", "states": 2, "actions": 0},
          params={"epsilon": 0.05, "delta": 0.1, "pmin": 0.2, "graph": None},
          result={"value": 0.5, "lower": 0.25, "upper": 0.75, "optimum_upper": 0.75},
          guarantee={"holds": True, "statement": "with confidence", "error": 0.5, "confidence": 0.9,
                     "assumes": ["a thing", "another"], "refuted": None, "end": "done"},
          stats={"episodes": 3, "steps": 1234567, "samples": 9, "policies": 2},
          truth={"policy": 0.5, "optimum": 0.625}, automaton=HOA,
          policy={"objective": "G F a", "memory": {"count": 2, "start": [{"state": 0, "values": place(0, 0), "memory": 0}]},
                  "decisions": [{"memory": 0, "state": 0, "values": place(0, 0), "action": "n", "choice": 0, "next": 1},
                                {"memory": 1, "state": 1, "values": place(0, 1), "action": "", "choice": 4, "next": 0}]},
          trace=[{"episode": 0, "step": 0, "known": 0, "value": 0, "lower": 0, "upper": 1, "truth": None},
                 {"episode": 3, "step": 9, "known": 2, "value": 0.5, "lower": 0.25, "upper": 0.75, "truth": 0.5}],
          sample=[{"state": 0, "values": place(0, 0), "labels": ["init"], "memory": 0, "action": "n"},
                  {"state": 1, "values": place(0, 1), "labels": ["deadlock", "a"], "memory": 1}])

CHAIN = of("check", inputs={"model": "m.prism", "objective": "F a"}, params={"formulas": ["F a"], "min": True},
           arguments=["check", "m.prism", "-f", "F a", "--min"],
           result={"value": 0.5, "lower": 0.5, "upper": 0.5, "exact": "1/2", "direction": "min", "precise": True},
           policy={"memory": {"count": 1, "start": []},
                   "decisions": [{"memory": 0, "state": 3, "action": "go", "choice": 0, "next": 0}]},
           chain={"initial": [0], "nodes": [{"state": 3, "labels": [], "memory": 0, "action": "go"},
                                            {"state": 4, "labels": ["a"], "memory": 0, "action": ""}],
                  "edges": [{"from": 0, "to": 1, "probability": 0.75}, {"from": 0, "to": 0, "probability": 0.25},
                            {"from": 1, "to": 1, "probability": 1}]})

RUN = of("learn", seed=1, result={"value": 1, "lower": None, "upper": None}, guarantee={"holds": False},
         stats={"steps": 10}, truth={"policy": 1})
SUMMARY = of("learn", seed=1, inputs={"model": "m", "objective": "F a"}, params={}, arguments=["learn", "--runs", "2"],
             summary={"runs": 2, "holds": 1, "judged": 2, "within": 2, "optimal": 1, "optimum": 1})


def runs(value, truth, optimum):
    run = of("learn", seed=1, result={"value": value}, guarantee={"holds": True}, stats={"steps": 10}, truth={"policy": truth})
    return [run, run, learn(summary={"runs": 2, "holds": 2, "optimum": optimum})]


def entry(**members):
    return trace({"step": 1, "known": 0, **members}, {"step": 9, "known": 1, **members})


INITIAL = [{"state": 0, "value": 0.5, "exact": "1/2"}, {"state": 7, "value": 0.125, "exact": "1/8"}]
ONE = learn(inputs={"model": "a/m.prism", "objective": "G a"}, params={"T": 9}, result={"value": 1},
            guarantee={"holds": False}, stats={"steps": 12345, "seconds": 2.5})
OTHER = of("check", inputs={"model": "a/n.prism", "objective": "G a"}, params={"exact": True},
           result={"value": 0.25, "exact": "1/4", "lower": 0.25, "upper": 0.25})

DIGITS = learn(inputs={"states": 0}, result={"value": 0.12345678, "lower": 0.10000099, "upper": 0.20000011, "optimum_upper": 0.30000011},
               guarantee={"holds": True, "error": 0.1000001}, truth={"policy": 0.12345612},
               stats={"seconds": 7200.5, "read_seconds": 0.0001, "milliseconds": 1500, "mean": 10418.8123, "below": -0.12345678})

# (results, texts that are there, texts that are not)
CASES = [
    # learn, with all sections
    ([GRID], ["Answer | 0.5", "Policy | In each state", "A run of the policy | 1 step", "Progress of the run", "Question | Which policy", "Parameters and costs",
              "\u2713 Guaranteed: with confidence. The guarantee depends on 2 assumptions.", "A policy for G F a in m.prism, from 9 samples.",
              "0.5 [0.25, 0.75]", "Assumptions | a thing | another", "optimum, at most | 0.75",
              "A deterministic Buchi automaton with 1 state reads", "Inf(0)", "State: 0",
              "9 samples, in 1,234,567 steps and 3 episodes, with 2 policies.",
              "bracket | ", "value of the policy", "probability of the policy (from the model)", "optimal probability (from the model)",
              "complete pairs (of 2 that matter), right axis",
              "All 2 decisions as a table", "x=0, y=0 | | 0 | n | 1", "x=0, y=1 | a | 1 | #5 | 0",
              "There is one panel for each value of the policy's memory.", "1 step of the system",
              "0 | x=0, y=0 | | 0 | n", "1 | x=0, y=1 | a | 1", "omegapac learn m.prism -f 'G F a'",
              "seed | 7", "pmin | 0.2", "Comparison with the model", "optimal probability | 0.625", "result file | r0.json"],
     ["actions a state", "graph | ", "undefined", "NaN", "[object"]),
    # check, with a graph
    ([CHAIN], ["The least probability of F a in m.prism is 1/2. Computed from the model, without samples.",
               "1/2 \u2248 0.5 exact", "Computed in fractions, without rounding.",
               "The Markov chain of the policy", "state 3 | | go", "The policy chooses an action in each state.",
               "omegapac check m.prism -f 'F a' --min"], ["memory", "does not know them"]),
    # progress
    ([trace({"step": 0, "known": 0, "value": 1}, stats={"steps": 285, "known": 0, "episodes": 1, "policies": 1, "samples": 1})],
     ["1 sample, in 285 steps and 1 episode, with 1 policy.", "known pairs, right axis"], ["\u2212"]),
    ([trace({"step": 0, "known": 0, "value": 1}, stats={"steps": 0})], ["Progress of the run"], ["known pairs, right"]),
    ([entry(value=0.5, lower=0.25, upper=1, truth=1)], ["bracket | value of the policy | probability of the policy (from the model)"], []),
    ([entry(value=0.25, lower=0.25, upper=1)], ["bracket | ", "contains the optimal probability at all times"], ["value of the policy", "probability of the policy (from"]),
    ([entry(value=0.5, lower=0.25)], ["value in the learned model"], ["bracket | ", "probability of the policy (from"]),
    ([learn(guarantee={"refuted": {"by": "edge"}}, trace=[{"step": 1, "value": 0, "lower": 0, "upper": 1}], stats={"steps": 2})],
     ["The samples refute an assumption, so this bracket"], ["at all times"]),
    ([learn(guarantee={"refuted": None}, trace=[{"step": 1, "value": 0, "lower": 0, "upper": 1}], stats={"steps": 2})],
     ["contains the optimal probability at all times"], ["refute"]),
    ([trace({"step": 0, "lower": 0, "upper": 1}, {"step": 5, "lower": 0.25, "upper": 1}, {"step": 9, "lower": 0.5, "upper": 0.75},
            params={"epsilon": 0.25})], ["Gap between the bounds", "gap | epsilon", "at most epsilon."], []),
    # a question
    ([trace({"step": 0, "lower": 0, "upper": 1}, {"step": 5, "lower": 0.25, "upper": 1}, {"step": 9, "lower": 0.5, "upper": 0.75},
            params={"epsilon": None, "at_least": 0.375}, guarantee={"holds": True, "statement": "so it is"},
            result={"value": 0.5, "lower": 0.5, "upper": 0.75, "answer": "yes"})],
     ["Is there a policy that satisfies the objective with at least", "required probability | 0.375", "\u2713 Yes: so it is.", "answer | yes",
      "when the required probability is not between the bounds."], ["gap | epsilon", "at most epsilon", "Guaranteed"]),
    ([learn(params={"at_least": 0.375}, result={"value": 0.5, "lower": 0.1, "upper": 0.25, "answer": "no"},
            guarantee={"holds": True, "statement": "so it is"})], ["No: so it is.", "answer | no"], ["\u2713", "\u2717"]),
    ([learn(params={"at_least": 0.375}, result={"value": 0.5, "lower": 0.25, "upper": 0.5, "answer": "undecided"},
            guarantee={"holds": False, "statement": "s"})],
     ["\u2717 Undecided: s.", "answer | undecided"], ["Weaker than requested", "bounds wider"]),
    ([learn(params={"at_least": 0.375}, result={"value": 0.5, "answer": "undecided"}, guarantee={"holds": False, "statement": "s"})],
     ["\u2717 No guarantee: s."], ["Undecided"]),
    ([RUN, RUN, learn(params={"at_least": 0.5}, summary={"runs": 2, "holds": 1, "yes": 1, "no": 0, "undecided": 1})],
     ["1 of 2 runs answer yes. | 0 of 2 runs answer no. | 1 of 2 runs leave the question undecided."], []),
    # a bracket from T
    ([trace({"step": 0, "known": 0, "lower": 0, "upper": 1}, {"step": 5, "known": 3, "lower": 0.25, "upper": 1},
            {"step": 9, "known": 3, "lower": 0.5, "upper": 0.75}, params={"epsilon": 0.05, "target": 0.25, "T": 306},
            guarantee={"holds": True, "bracket": True, "T_check": "consistent"}, result={"value": 0.5, "lower": 0.5, "upper": 0.75},
            stats={"samples": 9, "steps": 9, "episodes": 3, "policies": 7, "candidates": 2, "known": 3,
                   "trial": {"episodes": 12345, "wins": 41, "source": "episodes"}})],
     ["gap | requested width", "at most the requested width.", "tried pairs (of 3 that matter)", "T | 306", "target | 0.25", "candidates | 2",
      "with 7 policies and 2 candidates.", "tried pairs | 3 | samples | 9", "trial of the policy | 41 of 12,345 episodes won, of 306 steps",
      "contains the optimal probability at all times"], ["complete pairs", "known pairs", "gap | epsilon", "trial | "]),
    ([learn(guarantee={"holds": True, "bracket": True}, stats={"trial": {"episodes": 0, "wins": 0, "source": "model"}})],
     ["bound of the policy | from the learned model"], ["episodes won"]),
    ([learn(guarantee={"holds": False, "bracket": True}, stats={"trial": {"episodes": 0, "wins": 0, "source": None}})],
     ["Answer"], ["episodes won", "bound of the policy"]),
    ([trace({"step": 0, "lower": 0, "upper": 1}, {"step": 9, "lower": 0.5, "upper": 0.75}, params={"T": 16, "T_auto": True},
            guarantee={"holds": False, "bracket": False})],
     ["T was searched for, not given, so this bracket may miss the optimal probability."], ["at all times"]),
    ([trace({"step": 0, "lower": 0, "upper": 1}, {"step": 9, "lower": 1, "upper": 1})], ["Bounds on the optimal probability"], ["Gap between"]),
    ([trace({"step": 0, "known": 0, "lower": 0, "upper": 1}, {"step": 9, "known": 3, "lower": 0, "upper": 1}, guarantee={"holds": True},
            stats={"pairs_seen": 7})], ["complete pairs (of 3 that matter)"], []),
    ([trace({"step": 0, "known": 0, "lower": 0, "upper": 1}, {"step": 9, "known": 3, "lower": 0, "upper": 1}, guarantee={"holds": False},
            stats={"pairs_seen": 7})], ["complete pairs (of 7 that matter)"], []),
    # guarantees
    ([guarantee(T_check="refuted", T_found=12345)], ["contradicts T:", "The recurrence time of the learned chain is 12,345 steps."], []),
    ([guarantee(T_check="refuted", T_found=9, T_found_is_bound=True)], ["is at least 9 steps."], []),
    ([guarantee(T_check="consistent")], ["This is not evidence for T."], []),
    ([guarantee(T_check="refuted", T_found=44, T_found_is_bound=True, bracket=False, refuted={"by": "recurrence"})],
     ["The samples contradict T. The recurrence time of the policy is at least 44 steps.",
      "refute an assumption: in every model that agrees with the samples, runs of the policy take longer than T."],
     ["observations", "learned chain"]),
    ([guarantee(T_check="refuted", bracket=False, refuted={"by": "verdict", "count": 9, "visits": 21})],
     ["decided otherwise after 2T steps than after T steps.", "episodes decided otherwise | 9 | episodes of 2T steps | 21"], ["observations"]),
    ([guarantee(T_check="consistent", bracket=True)], ["The samples do not contradict T. This is not evidence for T."], ["The learned model"]),
    ([guarantee(T_check="unchecked", bracket=True)], ["T was not compared with the samples."], ["The learned model"]),
    ([guarantee(T_check="unchecked")], ["was not compared with T"], []),
    ([guarantee(refuted={"by": "edge", "state": 7, "values": {"x": 5}, "action": "go", "successor": {"state": 8}, "count": 3, "visits": 12345})],
     ["The samples refute an assumption: a successor was observed that the graph does not have.",
      "state | x: 5 | action | go | successor | 8 | observations | 3 | visits | 12,345"], ["values |"]),
    ([guarantee(refuted={"by": "width", "count": 3, "visits": 5})], ["distinct successors | 3 | visits | 5"], []),
    ([guarantee(end="max-seconds")], ["The time limit ended the run. With the same limit, another run may end at another step."], []),
    ([guarantee(end="exceeded", exceeded="states")], ["Exceeded: states."], []),
    ([guarantee(holds=False)], ["\u2717 No guarantee."], ["\u2713"]),
    # no confidence is 1, however small delta is
    ([guarantee(holds=True, confidence=0.9999999999999999)], ["confidence | 0.999999"], ["confidence | 1"]),
    ([of("bound", params={"delta": 1e-17}, result={"k": 7, "samples": 70, "error": 0.2})], ["with confidence 0.999999,"], []),
    ([of("verify", result={"holds": True, "confidence": 0.9999999999999999, "lower": 0, "upper": 1})],
     ["with confidence 0.999999,", "confidence | 0.999999"], ["confidence | 1"]),
    ([learn(result={"value": 0.5, "lower": 0.09999999999, "upper": 0.99999999999}, guarantee={"holds": True, "error": 0.00999999999})],
     ["[0.099, 1.000]", "error, at most | 0.01"], []),
    ([learn(result={"value": 0.5, "lower": 0.10000001, "upper": 0.99999949}, guarantee={"holds": True, "error": 0.1000000001})],
     ["[0.100, 1.000]", "error, at most | 0.100001"], []),
    ([guarantee(holds=True)], ["\u2713 Guaranteed."], ["\u2717"]),
    ([learn(inputs={"objective": "G a", "model": "m"}, stats={"samples": 12345},
            guarantee={"holds": False, "statement": "no guarantee: T", "assumes": ["b"]})],
     ["\u2717 No guarantee: T. A guarantee would have depended on 1 assumption.", "A policy for G a in m, from 12,345 samples."], []),
    ([learn(result={"value": 1}, guarantee={"holds": False})], ["in the learned model, without guarantee"], []),
    ([learn(result={"value": 1, "lower": 0, "upper": 1}, guarantee={"holds": False, "statement": "s", "assumes": ["b"]})],
     ["bounds wider than requested", "Weaker than requested: s. The guarantee depends on 1 assumption."], []),
    ([of("estimate", result={"value": 1, "lower": 0, "upper": 1}, guarantee={"holds": False, "error": 0.5})],
     ["Weaker than requested. |", "error, at most | 0.5"], []),
    ([of("estimate", inputs={}, guarantee={"holds": True}, stats={"episodes": 9})], ["The probability, from 9 episodes."], []),
    ([learn(result={"value": 0.5, "lower": 0.4, "upper": 0.6}, guarantee={"holds": True, "statement": "so it is", "assumes": ["a"]},
            truth={"policy": 0.5, "optimum": 0.9, "contradicts": True}, trace=[{"step": 1, "value": 0, "lower": 0, "upper": 1}],
            stats={"steps": 2})],
     ["\u2717 Contradicted by the model: so it is.", "these bounds are wrong",
      "The model contradicts this bracket", "This contradicts the guarantee: an"], ["\u2713", "at all times"]),
    # sources
    ([learn(inputs={"model": "exec:python3 x.py", "automaton_states": 2, "product_states": None, "product_reachable": 83})],
     ["simulator | exec:python3 x.py", "product states seen | 83"], ["model | exec", "product states | "]),
    ([of("recurrence", inputs={"product_states": 90, "product_reachable": 83})], ["reachable product states | 83"], ["states seen"]),
    ([learn(inputs={"model": "a.prism"})], ["model | a.prism"], ["simulator | "]),
    # numbers
    ([of("bound", params={}, result={"samples": -12345, "error": 1234, "k": 7})], ["| -12,345", "at most | 1234"], []),
    ([DIGITS],
     ["0.1235 [0.1000, 0.2001]", "error, at most | 0.100001", "optimum, at most | 0.300001", "the policy | 0.123456", "below | -0.123457",
      "mean | 10,418.8", "total time | about 2 hours", "time to read the model | under 1 ms", "time | 1.5 s",
      "unknown: no bound was given", "0.123457, between 0.1 and 0.200001"], []),
    ([of("verify", result={"holds": True, "lower": -0.10000011, "upper": 1})], ["at least | -0.100001"], []),
    # check and evaluate
    ([of("check", result={"value": 0.5, "exact": "1/2", "is_bound": True})],
     ["The greatest probability is at least 1/2.", "the probability of the objective may be larger."], []),
    ([of("evaluate", result={"value": 0.5, "exact": "1/2", "is_bound": True, "bound": "upper"})], ["may be smaller."], []),
    ([of("check", result={"value": 0.5, "lower": 0.4, "upper": 0.6, "direction": "min"})],
     ["The least probability is 0.5, enclosed by [0.4, 0.6]. Computed from the model, without samples."], []),
    ([of("check", result={"value": 0.5, "lower": 0.25, "upper": 0.75, "is_bound": True})], ["The greatest probability is at least 0.25. Computed"], []),
    ([of("evaluate", result={"value": 0.5, "lower": 0.25, "upper": 0.75, "is_bound": True, "bound": "upper"})], ["The probability is at most 0.75. Computed"], []),
    ([of("check", result={"value": 1, "verdict": "true"})], ["\u2713 The property is true."], ["\u2717"]),
    ([of("check", result={"value": 1, "verdict": "false"})], ["\u2717 The property is false."], ["\u2713"]),
    ([of("check", result={"value": 1, "verdict": "undecided"})], ["The property is undecided. The greatest probability", "\u2717 The property is undecided."], ["\u2713"]),
    ([of("check", result={"value": 1, "precise": False})], ["The requested precision was not reached."], ["without rounding"]),
    ([of("check", result={"value": 1, "lower": 1, "upper": None})], ["The greatest probability is 1. Computed"], ["[1"]),
    ([of("check", result={"value": 1, "initial": [{"state": 3, "value": 0.5, "lower": 0.25, "upper": 0.75}]})],
     ["From each initial state | state | value | bounds | 3 | 0.5 | [0.25, 0.75]"], ["none", "first initial state"]),
    ([of("check", result={"value": 0.5, "exact": "1/2", "initial": INITIAL})],
     ["is 1/2, from the first of 2 initial states. Computed", "7 | 1/8", "This is the value of the first initial state."], []),
    ([of("check", results=[{"result": {"verdict": "true"}}, {"result": {}}, {"result": {"verdict": "false"}}])],
     ["\u2717 1 of 2 properties are true. Probabilities of 3 objectives"], []),
    ([of("evaluate", inputs={"policy": "p.json"}, result={"exact": "1/9", "value": 0.1})], ["The probability under the policy p.json is 1/9."], []),
    # verify, env check, bound, recurrence, others
    ([of("verify", result={"holds": True, "statement": "it is so", "lower": 0.25, "upper": 1, "confidence": 0.9})],
     ["\u2713 The certificate holds: with confidence 0.9, the probability of the policy and the optimal probability are in [0.25, 1].", "it is so.",
      "Does the certificate prove its bracket?"], ["\u2717"]),
    ([of("verify", result={"holds": False, "reason": "digest"})], ["\u2717 The certificate is refused: digest.", "digest."], ["\u2713"]),
    ([of("env check", result={"conforms": True, "errors": 0, "warnings": 2})], ["The simulator conforms: 0 errors, 2 warnings."], []),
    ([of("env check", result={"conforms": False}, findings=[{"kind": "error", "check": "seeds", "text": "differ"}])],
     ["\u2717 The simulator does not conform", "kind | check | finding | error | seeds | differ"], []),
    ([of("bound", params={"delta": 0.1, "slack": 0.1}, result={"k": 7, "samples": 70, "error": 0.2, "rules": {"paper": {"k": 9}}})],
     ["7 samples of each state\u2013action pair, 70 in total, for a policy that is within 0.2 of the optimum, with confidence 0.9, if T bounds the recurrence time.",
      "slack | 0.1", "rule | k | c | error | samples | C | paper | 9"], []),
    ([of("bound", params={}, result={"k": 7, "bracket": {"target": 0.2, "episodes": 28, "least_steps": 8568, "visits": 12345,
                                                         "samples": 592560, "most_steps": 181323360}})],
     ["A bracket from T is another way to learn.", "width of the bracket | 0.2",
      "if the optimum is 1 and the policy wins all episodes | 8568 steps: 28 episodes of T steps",
      "if all pairs matter (an estimate) | 181,323,360 steps: 12,345 episodes of T steps for each pair"], []),
    ([of("bound", params={}, result={"k": 7, "bracket": None})], ["k = 7"], ["bracket"]),
    ([of("recurrence", result={"T": 198, "kind": "lower-bound"})], ["The recurrence time is at least 198 steps. learn needs an upper bound"], []),
    ([of("recurrence", inputs={"policy": "p"}, result={"T": 1, "kind": "exact"})],
     ["The recurrence time under the policy p is 1 step.", "exact, for the given policy"], []),
    ([of("recurrence", result={"T": 9, "kind": "estimate", "one_policy": True})],
     ["is about 9 steps for one policy; others may take longer.", "runs of one policy; others may take longer"], ["exact"]),
    ([of("recurrence", result={"T": 7, "kind": "exact"})], ["exact: the largest over all policies"], ["estimated"]),
    ([of("info", model={"type": "mdp", "labels": {"a": 3}})], ["Properties of the model.", "type | mdp", "labels | a: 3"], []),
    ([of("other", result={"some_thing": [1, None, True, {"a": []}]})], ["some thing | 1, none, yes, a: "], []),
    # policies that are not there
    ([of("check", inputs={"states": 10001}, result={"value": 1})], ["--policy FILE writes it."], []),
    ([of("check", inputs={"states": 10000}, result={"value": 1})], [], ["--policy"]),
    ([of("check", policy={"path": "<p>.json", "digest": "d&1", "decisions": 123456})], ["123,456 decisions", "in the file <p>.json with digest d&1."], []),
    ([of("check", policy={"decisions": 20000})], ["It was not written to a file"], []),
    # to reproduce it
    ([of("check", arguments=["check", "it's", "", "a$b", "\u00fc\u03c9", "-x=1,2"])], ["omegapac check 'it'\\''s' '' 'a$b' '\u00fc\u03c9' -x=1,2"], []),
    ([of("check", arguments=["check", "m", "-o", "-"])], ["omegapac check m -o -"], []),
    ([of("check", arguments=["check", "-"])], [], ["To reproduce it"]),
    ([of("check", arguments=["check", "a\u202eb"])], [], ["To reproduce it"]),
    ([of("check", arguments=["check", "a\nb"])], [], ["To reproduce it"]),
    ([of("check")], ["Parameters and costs"], ["To reproduce it"]),
    ([of("check", call="omegapac.check(model, 'F g')")], ["omegapac.check(model, 'F g')"], ["omegapac omegapac"]),
    ([of("learn", inputs={}, arguments=["learn", "m"], guarantee={"end": "stopped"})], ["so the same command may end at another step"], []),
    # runs
    ([RUN, RUN, SUMMARY], ["\u2717 1 of 2 runs end with a guarantee; compared with the model, it is correct for 2 of 2 policies.",
                           "1 of 2 runs end with a guarantee. | 2 of 2 policies are within the stated error", "All 2 runs as a table",
                           "1 | 1 | | | | 1 | 10 | | \u2717 no guarantee", "omegapac learn --runs 2", "Values of all runs", "Steps of all runs"], []),
    ([RUN, RUN], ["There is no summary"], ["end with a guarantee"]),
    ([learn(summary={"runs": 4, "holds": 4, "judged": 4, "within": 1})], ["\u2717 4 of 4 runs"], ["\u2713"]),
    ([learn(summary={"runs": 4, "holds": 4, "judged": 4, "within": 2})], ["\u2713 4 of 4 runs"], ["\u2717"]),
    (runs(0.52, 0.5, 0.5), ["probability (enlarged)"], []),
    (runs(0.5, 0.5, 0.52), ["probability (enlarged)"], []),
    (runs(0.5, 0.5, 0.5), ["probability"], ["enlarged"]),
    (runs(0.75, 0.5, 0.5), ["probability"], ["enlarged"]),
    (runs(0.5, 0.5, 0.75), ["probability"], ["enlarged"]),
    (runs(0.98, None, None), ["probability"], ["enlarged"]),
    # scales of charts: powers of ten have no 0
    ([trace({"step": 1, "known": 0, "value": 1}, {"step": 301, "known": 1, "value": 0.5})], ["10 | 100 | 1000 | "], ["| 150 |"]),
    ([trace({"step": 1, "known": 0, "value": 1}, {"step": 300, "known": 1, "value": 0.5})], ["| 100 | 150 | 200 | 250 | 300"], ["1000"]),
    ([trace({"step": 0, "known": 0, "value": 1}, {"step": 1000000, "known": 1, "value": 0.5})], ["2\u00b710\u2075 | 4\u00b710\u2075"], []),
    # values that are hard to draw
    ([trace({"step": 1e17, "known": 0, "value": 1}, {"step": 1e17 + 16, "known": 1, "value": 0.5})], ["right axis"], ["NaN"]),
    ([trace({"step": -5, "known": -1, "value": -1}, {"step": 1e300, "known": 1e300, "value": 7, "lower": 3, "upper": -3})], ["right axis"], ["NaN"]),
    ([trace({"step": 0, "known": -1.7e308, "value": 1}, {"step": 1.7e308, "known": 1.7e308, "value": 0.5})], ["right axis"], ["NaN"]),
    ([trace({"step": 1, "known": 0, "value": 1}, {"step": 5e-324, "known": 5e-324, "value": 0.5})], ["right axis"], ["NaN"]),
    ([trace({"step": 5e-324, "known": 1e305, "value": 1}, {"step": 1.7e308, "known": 1, "value": 0.5})], ["right axis"], ["NaN"]),
    ([trace({"known": 1}, {"known": 2})], ["Progress of the run"], []),
    (runs(0, 1e-300, 1e-300), ["probability (enlarged)"], ["NaN"]),
    # several
    ([ONE, ONE], ["All results for G a in a/m.prism", "1 | learn, T = 9 | 1 |", "\u2717 no guarantee | 12,345 | 2.5 s", "Steps of each result", "1. learn: G a"], ["result | | model"]),
    ([ONE, learn(inputs=ONE["inputs"], params={"T": 9, "k": 12345}, result={"value": 1}, stats={"steps": 5})],
     ["| learn, T = 9 | 1 |", "| learn, T = 9, k = 12,345 | 1 |"], []),
    ([ONE, OTHER], ["All results for G a | #", "| n.prism | 1/4 | [0.25, 0.25]", "check, exact", "| computed |"], []),
    ([learn(result={"value": 0.5, "lower": 0.25, "upper": 0.75}, guarantee={"holds": False}), of("check", result={"value": 0.5, "is_bound": True})],
     ["\u2717 weaker than requested", "computed, a lower bound"], []),
    ([of("check", inputs={"model": "m"}, results=[{"inputs": {"objective": "F a"}, "result": {"value": 0.5, "verdict": "false"}},
                                                  {"inputs": {"objective": "G b"}, "result": {"value": 1}, "stats": {"seconds": 2.5}}]),
      of("check", inputs={"model": "m", "objective": "X c"}, result={"value": 0.25})],
     ["1.1 | check | F a | 0.5 |", "| false | | 1.2 | check | G b | 1 |", "| 2.5 s | 2 | check | X c", "| time |"], ["| steps |"]),
    ([of("learn", inputs={}, stats={"steps": 10}), of("learn", inputs={}, stats={"steps": 1001})], ["| 1 | 10 | 100 | 1000 | "], []),
    ([of("learn", inputs={}, stats={"steps": 10}), of("learn", inputs={}, stats={"steps": 1000})], ["| 0 | 200 | 400"], []),
    # null is as good as absent
    ([of("learn", inputs=None, params=None, result=None, guarantee=None, stats=None, truth=None, trace=None, sample=None,
         policy=None, summary=None, results=None, automaton=None, arguments=None, certificate=None)], ["Parameters and costs"], ["undefined"]),
]

# Numbers that Python does not write: as text, with what the page shows.
RAW = [('{"schema": "omegapac.result/1", "command": "bound", "params": {}, "result": {"k": 1.63e1003, "C": 18446744073709551615, '
        '"rules": {"paper": {"k": 1e999}}}}', ["k = 1.63e1003 samples", "| 18,446,744,073,709,551,615", "paper | 1e999"], []),
       ('{"schema": "omegapac.result/1", "command": "check", "result": {"value": 0.5, "lower": -1e999, "upper": 1e999}}',
        ["0.5, enclosed by [-inf, inf]."], [])]

# ---- names that try to become markup ----

EVIL = ["</script><script>document.title='taken'</script>", "<img src=x onerror=document.title='taken'>", "<!--<script>",
        "javascript:document.title='taken'", "\"'`>${document.title='taken'}&lt;b&gt;&#60;i&#62;", "\u202egnorw\u202c \u0627\u0628 \u2067x\u2069",
        "\u0001\u001b[31m\u007f\u2028\u2029\ufeff\U000e0041", "__proto__", "constructor", "]]>--></style></svg><svg onload=document.title='taken'>"]


def hostile(name):
    """A result in which the name is everything that has one."""
    state = {"state": 0, "values": {name: 1, "x": 0, "y": 0}, "labels": [name], "memory": 0, "action": name, "choice": 0, "next": 0}
    other = {"key": name + "2", "labels": [name], "memory": 1, "action": name, "choice": 0, "next": 0}
    return of("learn", version=name, arguments=["learn", name], call=name, seed=name,
              inputs={"model": name, "objective": name, "formula": name, "name": name, name: name, "policy": name},
              params={name: name, "constants": [name]}, result={"value": 0.5, "lower": 0.25, "upper": 0.75, "exact": name, "verdict": name},
              guarantee={"holds": True, "statement": name, "assumes": [name], "end": name, "exceeded": name, "T_check": name, "tested": name,
                         "refuted": {"by": name, "values": {name: name}, "action": name, name: name}},
              stats={name: name, "steps": 3}, truth={"note": name}, automaton=name,
              policy={"objective": name, "memory": {"count": 2, "start": [state]}, "decisions": [state, other]},
              chain={"initial": [0], "nodes": [state, other], "edges": [{"from": 0, "to": 1, "probability": 1}]},
              trace=[{"step": 0, "value": 1}, {"step": 3, "value": 0.5}], sample=[state, other], certificate={"path": name, "digest": name})
