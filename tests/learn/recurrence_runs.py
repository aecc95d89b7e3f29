# SPDX-License-Identifier: MIT
"""Certificates from a bound T on the recurrence time, of random models, without the learner.

    made = make(rng)                a certificate as a value
    made["claim"]                   the bracket that follows, by recurrence_certificate.py, less SLACK

The models have up to five states, random or fixed starts, states without actions, and rows that are
never tried; the automata are deterministic, limit-deterministic with epsilon moves, with universal
memories, incomplete, or have several initial states. Rows are counted draw by draw, so that the
discoveries are those of a run. The trial's episodes are run. T is a number only: nothing here
needs it to bound a recurrence time.
"""

import math

import certificate

SLACK = 2e-7  # that the claim leaves for rounding
HEAD = "HOA: v1\nStates: %d\n%sAP: %s\nAcceptance: %s\n--BODY--\n%s--END--\n"


def hoa(states, starts, names, condition, body):
    start = "".join("Start: %d\n" % q for q in starts)
    names = "%d %s" % (len(names), " ".join('"%s"' % n for n in names))
    return HEAD % (states, start, names, condition, body)


AUTOMATA = {
    "G F a": hoa(1, [0], "a", "1 Inf(0)", "State: 0\n[!0] 0\n[0] 0 {0}\n"),
    "F G a": hoa(1, [0], "a", "1 Fin(0)", "State: 0\n[!0] 0 {0}\n[0] 0\n"),
    "F a": hoa(2, [0], "a", "1 Inf(0)", "State: 0\n[!0] 0\n[0] 1\nState: 1\n[t] 1 {0}\n"),
    "true": hoa(1, [0], "a", "1 Inf(0)", "State: 0\n[t] 0 {0}\n"),
    "G a, incomplete": hoa(1, [0], "a", "0 t", "State: 0\n[0] 0\n"),
    "G F a & F G !b": hoa(
        1, [0], "ab", "2 Fin(1) & Inf(0)",
        "State: 0\n[!0 & !1] 0\n[0 & !1] 0 {0}\n[!0 & 1] 0 {1}\n[0 & 1] 0 {0 1}\n"),
    "G F a & G F b": hoa(
        2, [0], "ab", "1 Inf(0)",
        "State: 0\n[!0] 0\n[0] 1\nState: 1\n[!1] 1\n[1] 0 {0}\n"),
    "F G a | G F b": hoa(
        1, [0], "ab", "2 Fin(0) | Inf(1)",
        "State: 0\n[!0 & !1] 0 {0}\n[0 & !1] 0\n[!0 & 1] 0 {0 1}\n[0 & 1] 0 {1}\n"),
    "F G a | F b, by a guess": hoa(
        3, [0], ["a", "b", "epsilon"], "1 Inf(0)",
        "State: 0\n[!1] 0\n[1] 2\n[2] 1\nState: 1\n[0] 1 {0}\nState: 2\n[t] 2 {0}\n"),
    "F G a | F G b, by moves": hoa(
        3, [0], "ab", "1 Inf(0)",
        "State: 0\n[t] 0\n[0] 1\n[1] 2\nState: 1\n[0] 1 {0}\nState: 2\n[1] 2 {0}\n"),
    "G F a | F G b, two starts": hoa(
        2, [0, 1], "ab", "2 Inf(0) | Fin(1)",
        "State: 0\n[0] 0 {0 1}\n[!0] 0 {1}\nState: 1\n[1] 1\n[!1] 1 {1}\n"),
}


# ---- the model ----


def random_row(rng, states):
    targets = rng.sample(range(states), rng.randint(1, min(states, 3)))
    weights = [rng.random() ** 2 + 0.05 for _ in targets]
    return targets, weights


class Model:
    def __init__(self, rng, bits):
        states = rng.randint(1, 5)
        self.letters = [rng.randrange(1 << bits) for _ in range(states)]
        self.rows = [
            [random_row(rng, states) for _ in range(rng.choice([0, 1, 1, 1, 2, 2]))]
            for _ in range(states)
        ]
        self.reset = random_row(rng, states) if rng.random() < 0.3 else None

    def draw(self, rng, key):
        targets, weights = self.reset if key is None else self.rows[key[0]][key[1]]
        return rng.choices(targets, weights)[0]


# ---- rows ----


class Counts:
    """The draws of one row, as the certificate lists them."""

    def __init__(self, index):
        self.index, self.visits, self.hits = index, 0, {}
        self.found = []  # (state, visits up to the discovery, hits among them)

    def add(self, state):
        self.visits += 1
        self.hits[state] = self.hits.get(state, 0) + 1
        if self.hits[state] == 1:
            self.found.append((state, self.visits, 1))

    def quiet(self, alpha):
        """The pair with the least unseen mass: alpha is the row's share."""
        ends = [begin - 1 for _, begin, _ in self.found[1:]] + [self.visits]
        best, least = [1, 0], 1.0
        for k, ((_, begin, _), end) in enumerate(zip(self.found, ends), 1):
            waited = end - begin
            mass = -math.expm1(math.log(alpha / (k * (k + 1))) / waited) if waited > 0 else 1.0
            if mass < least:
                best, least = [k, waited], mass
        return best

    def value(self, key, positions, alpha):
        state, action = (None, None) if key is None else (positions[key[0]], key[1])
        return {
            "index": self.index, "state": state, "action": action,
            "counts": sorted([positions[s], n] for s, n in self.hits.items()),
            "discovered": [[positions[s], begin, hits] for s, begin, hits in self.found],
            "quiet": self.quiet(alpha),
        }


def sample(rng, model):
    """Rows by key (state, action) or None for the reset, tried here and there; never all alike."""
    rows, order = {}, []
    most = rng.choice([3, 30, 300, 3000, 20000])
    keys = [None] if model.reset else []
    keys += [(s, a) for s in range(len(model.rows)) for a in range(len(model.rows[s]))]
    for key in keys:
        if rng.random() < 0.07:
            continue
        order.append(key)
        rows[key] = Counts(len(order))
        for _ in range(rng.randint(most // 2 + 1, most)):
            rows[key].add(model.draw(rng, key))
    return rows, order


# ---- the policy ----


def choose(rng, c, place):
    """A choice of a place; None if there is none."""
    choices = [] if c.is_universal(place) else c.choices(place)
    return rng.choice(choices) if choices else None


def explore(rng, c, first):
    """All places that were seen, with a choice each."""
    nodes, todo = {first: None}, [first]
    while todo:
        place = todo.pop()
        nodes[place] = choose(rng, c, place)
        for choice in [] if c.is_universal(place) else c.choices(place):
            for to in choice.places():
                if not c.is_universal(to) and to not in nodes:
                    nodes[to] = None
                    todo.append(to)
    return nodes


def node_value(place, choice):
    return {
        "state": place[0], "memory": place[1],
        "action": None if choice is None else choice.action,
        "next": None if choice is None else choice.memory,
        "marks": None if choice is None else sorted(choice.marks),
    }


def run_episode(rng, c, model, positions, first, nodes, horizon):
    """Whether the last component of T transitions wins. c knows the rows; the model is asked."""
    names = {p: s for s, p in positions.items()}
    place, path = first, []
    for _ in range(horizon):
        if c.is_universal(place):
            return True
        choice = nodes.get(place) or (c.choices(place) or [None])[0]
        if choice is None:
            return False
        to = choice.targets[0] if choice.row == "free" else None
        if choice.row != "free" or c.automaton.universal[choice.memory]:
            key = None if place[0] is None else (names[place[0]], choice.action)
            if choice.action is not None or place[0] is None:
                to = positions[model.draw(rng, key)]
        path.append((place, choice))
        place = (to, choice.memory)
    graph = {}
    for (a, _), b in zip(path, [p for p, _ in path[1:]] + [place]):
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, [])
    part = next(p for p in certificate.components(graph) if place in p)
    steps = zip(path, [p for p, _ in path[1:]] + [place])
    inner = [choice for (a, choice), b in steps if a in part and b in part]
    marks = frozenset().union(*(choice.marks for choice in inner))
    return bool(inner) and any(x.reads for x in inner) and c.automaton.accepts(marks)


# ---- certificates ----


def make(rng, objective=None):
    objective = objective or rng.choice(sorted(AUTOMATA))
    text = AUTOMATA[objective]
    automaton = certificate.Automaton(text)
    model = Model(rng, automaton.bits)
    rows, order = sample(rng, model)
    positions = {s: i for i, s in enumerate(rng.sample(range(len(model.rows)), len(model.rows)))}
    states = sorted(positions, key=positions.get)
    horizon = rng.choice([1, 3, 10, 40, 150])
    delta = rng.choice([0.5, 0.1, 0.01])
    sizes = rng.random() < 0.3
    value = {
        "schema": "omegapac.certificate/2", "version": "0",
        "inputs": {"model": None, "digest": None, "constants": None, "objective": objective,
                   "formula": None, "least": rng.random() < 0.1, "seed": 1},
        "assumes": {"pmin": None, "pmin_start": None, "graph": False, "T": horizon,
                    "states": len(states) if sizes else None, "actions": 2 if sizes else None,
                    "branching": 3 if rng.random() < 0.2 else None},
        "epsilon": rng.choice([0.05, 0.01, 0.2]),
        "delta": {"total": delta, "support": delta / 4, "interval": delta / 4,
                  "episodes": delta / 2},
        "automaton": text,
        "states": [{"key": "%02x" % s, "letter": model.letters[s], "actions": len(model.rows[s])}
                   for s in states],
        "start": None if model.reset else 0,
    }
    bound = 2 * len(states) + 1
    shares = {key: 1 / (i * (i + 1)) for i, key in enumerate(order, 1)}
    if sizes:
        shares = {key: (share + 1 / bound) / 2 for key, share in shares.items()}
    value["rows"] = [
        rows[key].value(key, positions, shares[key] * value["delta"]["support"]) for key in order
    ]
    alone = not model.reset and len(automaton.initial) == 1
    first = (0, automaton.initial[0]) if alone else (None, None)
    value["nodes"] = [node_value(first, None)]
    value["trial"], value["sweeps"] = None, {"upper": horizon, "risk": 0}
    value["claim"] = {"lower": 0, "upper": 1, "confidence": 1 - delta, "value": None,
                      "statement": None}
    value["digest"] = ""
    c = certificate.certificate_of(value)
    nodes = explore(rng, c, first)
    value["nodes"] = [node_value(place, choice) for place, choice in nodes.items()]
    if rng.random() < 0.6:
        episodes = rng.choice([1, 5, 40, 400])
        wins = sum(
            run_episode(rng, c, model, positions, first, nodes, min(horizon, 40))
            for _ in range(episodes)
        )
        value["trial"] = {"index": rng.randint(1, 5), "episodes": episodes, "wins": wins}
        c = certificate.certificate_of(value)
        c.check_rows()
        c.check_nodes()
        if not c.can_win():  # by what the rows lack
            value["trial"]["wins"] = 0
    value["sweeps"] = {
        "upper": rng.choice([horizon, horizon, rng.randint(0, horizon)]),
        "risk": rng.choice([0, horizon, rng.randint(0, horizon)]),
    }
    lower, upper = set_claim(value)
    if lower > upper:  # T is too small for this model
        value["trial"], value["sweeps"]["risk"] = None, 0
        set_claim(value)
    return value


def set_claim(value, lower=-SLACK, upper=SLACK):
    """Claims what follows, plus this much at each end; an end beyond [0, 1] is cut."""
    c = certificate.certificate_of(value)
    c.check_rows()
    c.check_nodes()
    found = float(c.lower_bound()), float(c.upper_bound())
    value["claim"]["lower"] = min(1.0, max(0.0, found[0] + lower))
    value["claim"]["upper"] = min(1.0, max(0.0, found[1] + upper))
    return found
