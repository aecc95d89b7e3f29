#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A third opinion on certificates, after docs/formats/certificate.md to the letter.

    certificate.py FILE ...         "holds" or "refused: why" for each; exit status 0 if all hold

It shares nothing with the library and is slow: robust steps are exact fractions, the ends of
intervals decimals of 40 digits that are rounded outwards in the 24th.
"""

import hashlib
import json
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import lru_cache

getcontext().prec = 40
OUTWARDS = Decimal(10) ** -24
PMIN_SLACK = Fraction(1, 10**12)


class Refused(Exception):
    pass


def need(condition, *why):
    if not condition:
        raise Refused(" ".join(str(w) for w in why))


# ---- JSON ----

MEMBERS = [
    "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton", "states", "start",
    "rows", "nodes", "claim", "digest",
]

TRIED_MEMBERS = MEMBERS[:-2] + ["trial"] + MEMBERS[-2:]
RECURRENCE_MEMBERS = MEMBERS[:-2] + ["trial", "sweeps"] + MEMBERS[-2:]


def has_recurrence(value):
    """Whether it is a certificate from T (recurrence_certificate.py)."""
    assumes = value.get("assumes") if isinstance(value, dict) else None
    return isinstance(assumes, dict) and "T" in assumes


def may_have_trial(value):
    """Whether a part of delta is for lower bounds by episodes."""
    delta = value.get("delta") if isinstance(value, dict) else None
    return isinstance(delta, dict) and "episodes" in delta


def has_classes(value):
    """Whether rows are alike."""
    assumes = value.get("assumes") if isinstance(value, dict) else None
    return isinstance(assumes, dict) and "pmin_outcome" in assumes


def members_of(value):
    if has_recurrence(value):
        return RECURRENCE_MEMBERS
    names = TRIED_MEMBERS if may_have_trial(value) else MEMBERS
    return names[:9] + ["classes"] + names[9:] if has_classes(value) else names


def pairs(items):
    keys = [k for k, _ in items]
    need(len(keys) == len(set(keys)), "a member comes twice")
    return dict(items)


def refuse_constant(text):
    raise Refused("no JSON: " + text)


def members(value, *names):
    need(isinstance(value, dict) and list(value) == list(names), "members are not", names)
    return [value[n] for n in names]


def whole(value, least=0):
    need(type(value) is int and value >= least, "no whole number:", value)
    return value


def number(value):
    need(type(value) in (int, float), "no number:", value)
    return Fraction(float(value))


def probability(value):
    p = number(value)
    need(0 <= p <= 1, "no probability:", value)
    return p


def text_or_null(value):
    need(value is None or type(value) is str, "no text:", value)


def load(raw, check_digest):
    try:
        text = raw.decode("utf-8")
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Refused("no JSON: %s" % error)
    values = members(value, *members_of(value))
    at = raw.rfind(b',\n"digest"')
    need(at >= 0, "the digest is not where it should be")
    found = "sha256:" + hashlib.sha256(raw[: at + 2]).hexdigest()
    need(not check_digest or values[-1] == found, "digest")
    return value


# ---- the automaton ----


class Parser:
    """Boolean formulas of HOA: t f ! & | ( ) and atoms."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n":
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self, sign):
        need(self.skip() == sign, "HOA:", sign, "expected")
        self.at += 1

    def digits(self):
        self.skip()
        begin = self.at
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        need(self.at > begin, "HOA: a number expected")
        return int(self.text[begin : self.at])

    def either(self, atom):
        terms = [self.both(atom)]
        while self.skip() == "|":
            self.at += 1
            terms.append(self.both(atom))
        return ("or", terms)

    def both(self, atom):
        terms = [self.one(atom)]
        while self.skip() == "&":
            self.at += 1
            terms.append(self.one(atom))
        return ("and", terms)

    def one(self, atom):
        sign = self.skip()
        if sign == "(":
            self.at += 1
            inner = self.either(atom)
            self.take(")")
            return inner
        if sign == "!":
            self.at += 1
            return ("not", [self.one(atom)])
        if sign in ("t", "f"):
            self.at += 1
            return (sign, [])
        return atom(self)


def read_proposition(parser):
    return ("ap", parser.digits())


def read_set(parser):
    word = parser.text[parser.at : parser.at + 3]
    need(word in ("Inf", "Fin"), "HOA: Inf or Fin expected")
    parser.at += 3
    parser.take("(")
    mark = parser.digits()
    parser.take(")")
    return (word, mark)


def evaluate(formula, truth):
    kind, rest = formula
    if kind == "or":
        return any(evaluate(f, truth) for f in rest)
    if kind == "and":
        return all(evaluate(f, truth) for f in rest)
    if kind == "not":
        return not evaluate(rest[0], truth)
    if kind in ("t", "f"):
        return kind == "t"
    return truth(formula)


def names_of(formula, kinds):
    kind, rest = formula
    if kind in kinds:
        return {rest}
    return set().union(*(names_of(f, kinds) for f in rest)) if isinstance(rest, list) else set()


def clauses_of(formula):
    """A disjunction of (fin, inf)."""
    kind, rest = formula
    if kind == "or":
        return [c for f in rest for c in clauses_of(f)]
    if kind == "and":
        made = [(frozenset(), frozenset())]
        for f in rest:
            made = [(a | c, b | d) for a, b in made for c, d in clauses_of(f)]
        return made
    if kind == "t":
        return [(frozenset(), frozenset())]
    if kind == "f":
        return []
    need(kind in ("Fin", "Inf"), "HOA: no condition")
    one = frozenset([rest])
    return [(one, frozenset())] if kind == "Fin" else [(frozenset(), one)]


class Automaton:
    def __init__(self, text):
        head, _, body = text.partition("--BODY--")
        need(head.startswith("HOA: v1") and "--END--" in body, "HOA: no automaton")
        self.initial, self.states, self.aps, condition = [], None, [], None
        for line in head.split("\n"):
            key, _, rest = line.partition(":")
            if key == "Start":
                self.initial.append(int(rest))
            elif key == "States":
                self.states = int(rest)
            elif key == "AP":
                self.aps = rest.split('"')[1::2]
                need(int(rest.split()[0]) == len(self.aps), "HOA: AP")
            elif key == "Acceptance":
                parser = Parser(rest)
                self.marks = parser.digits()
                condition = parser.either(read_set)
                need(parser.skip() == "", "HOA: Acceptance")
        need(condition is not None and self.states is not None, "HOA: a header is missing")
        self.condition, self.clauses = condition, clauses_of(condition)
        self.named = names_of(condition, ("Fin", "Inf"))
        need(all(m < self.marks for m in self.named), "HOA: a mark too many")
        self.epsilon = self.aps.index("epsilon") if "epsilon" in self.aps else None
        need(self.epsilon in (None, len(self.aps) - 1), "HOA: epsilon is not the last")
        self.bits = len(self.aps) - (self.epsilon is not None)
        self.read_edges(body.partition("--END--")[0])
        need(all(q < self.states for q in self.initial), "HOA: Start")
        need(len(set(self.initial)) == len(self.initial), "HOA: Start twice")
        self.universal = [self.is_universal(q) for q in range(self.states)]

    def read_edges(self, body):
        self.edges = [[] for _ in range(self.states)]  # (label or None: epsilon, target, marks)
        state, shared = None, frozenset()
        for line in body.strip().split("\n"):
            parser = Parser(line)
            if line.startswith("State:"):
                parser.at = 6
                state = parser.digits()
                if parser.skip() == '"':
                    parser.at = line.rindex('"') + 1
                shared = self.read_marks(parser)
                need(state < self.states, "HOA: State")
            elif line:
                parser.take("[")
                label = parser.either(read_proposition)
                parser.take("]")
                target = parser.digits()
                marks = self.read_marks(parser) | shared
                need(target < self.states and state is not None, "HOA: an edge to nowhere")
                used = names_of(label, ("ap",))
                need(all(i < len(self.aps) for i in used), "HOA: a label")
                if self.epsilon in used:
                    need(label == ("or", [("and", [("ap", self.epsilon)])]), "HOA: epsilon")
                    label = None
                self.edges[state].append((label, target, marks))
            need(parser.skip() == "", "HOA: more than an edge in a line")

    def read_marks(self, parser):
        marks = set()
        if parser.skip() == "{":
            parser.at += 1
            while parser.skip() != "}":
                marks.add(parser.digits())
            parser.at += 1
        need(all(m < self.marks for m in marks), "HOA: a mark too many")
        return frozenset(marks)

    def accepts(self, marks):
        return evaluate(self.condition, lambda f: (f[1] in marks) == (f[0] == "Inf"))

    def reads(self, label, letter):
        return evaluate(label, lambda f: bool(letter >> f[1] & 1))

    def is_universal(self, q):
        loops = {}
        for label, target, marks in self.edges[q]:
            if label is not None and target == q:
                loops.setdefault(marks & self.named, []).append(label)
        for marks, labels in loops.items():
            used = sorted(set().union(*(names_of(f, ("ap",)) for f in labels)))
            letters = (
                sum((n >> i & 1) << ap for i, ap in enumerate(used)) for n in range(1 << len(used))
            )
            if self.accepts(marks) and all(
                any(self.reads(f, letter) for f in labels) for letter in letters
            ):
                return True
        return False

    def moves(self, q, letter):
        return [(t, m) for f, t, m in self.edges[q] if f is not None and self.reads(f, letter)]

    def epsilons(self, q):
        return [(t, m) for f, t, m in self.edges[q] if f is None]


# ---- intervals ----


@lru_cache(maxsize=None)
def bernoulli():
    """B_2, B_4, ... B_40."""
    b = [Fraction(1)]
    for m in range(1, 41):
        c, total = 1, Fraction(0)
        for k in range(m):
            total += c * b[k]
            c = c * (m + 1 - k) // (k + 1)
        b.append(-total / (m + 1))
    return b[2::2]


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")


@lru_cache(maxsize=None)
def ln_factorial(n):
    if n < 256:
        product = 1
        for i in range(2, n + 1):
            product *= i
        return Decimal(product).ln()
    x = Decimal(n)
    total = (x + Decimal("0.5")) * x.ln() - x + (2 * PI).ln() / 2
    for k, b in enumerate(bernoulli(), 1):
        total += Decimal(b.numerator) / (b.denominator * 2 * k * (2 * k - 1)) / x ** (2 * k - 1)
    return total


def ln_mixture(s, n):
    """ln B(1/2+s, 1/2+n-s) - ln B(1/2,1/2) = ln of C(2s,s) C(2m,m) / (4^n C(n,s)), m = n-s."""
    m = n - s
    two = ln_factorial(2 * s) - ln_factorial(s) + ln_factorial(2 * m) - ln_factorial(m)
    return two - n * Decimal(4).ln() - ln_factorial(n)


def likelihood(p, s, n):
    total = Decimal(0)
    for power, base in ((s, p), (n - s, 1 - p)):
        if power > 0 and base <= 0:
            return Decimal("-Infinity")
        total += power * base.ln() if power > 0 else 0
    return total


def crossing(s, n, level, inside, outside):
    """The end between a point of the set and one outside, rounded to the outside."""
    while abs(inside - outside) > OUTWARDS:
        middle = (inside + outside) / 2
        if likelihood(middle, s, n) >= level:
            inside = middle
        else:
            outside = middle
    return outside


@lru_cache(maxsize=None)
def sequence(s, n, alpha):
    if n == 0:
        return Fraction(0), Fraction(1)
    level = ln_mixture(s, n) + (Decimal(alpha.numerator) / Decimal(alpha.denominator)).ln()
    level -= OUTWARDS
    best = Decimal(s) / Decimal(n)
    low = Decimal(0) if s == 0 else crossing(s, n, level, best, Decimal(0))
    high = Decimal(1) if s == n else crossing(s, n, level, best, Decimal(1))
    return Fraction(low), Fraction(high)


def robust(values, bounds, greatest):
    """The greatest (least) sum of q v over q within the bounds that sum to 1."""
    free = 1 - sum(low for low, _ in bounds)
    need(free >= 0 and sum(high for _, high in bounds) >= 1, "intervals without a distribution")
    total = sum(low * v for (low, _), v in zip(bounds, values))
    for v, (low, high) in sorted(zip(values, bounds), key=lambda x: x[0], reverse=greatest):
        part = min(free, high - low)
        total += part * v
        free -= part
    return total


# ---- the certificate ----


class Row:
    def __init__(self, index, counts):
        self.index = index
        self.targets = [s for s, _ in counts]
        self.counts = [n for _, n in counts]
        self.visits = sum(self.counts)
        self.is_complete = False
        self.bounds = None
        self.discovered = None  # of an open reset: (from, hits) by target, in the order of time
        self.unseen = Fraction(0)
        self.is_open = False  # rows alike, and some outcomes are not shown


def hexadecimal(key):
    need(type(key) is str and len(key) % 2 == 0, "key")
    need(all(c in "0123456789abcdef" for c in key), "key")
    return key


class Class:
    """Of rows that are alike: (count, from) of its outcomes, in the order of discovery."""

    def __init__(self, item):
        index, key, outcomes = members(item, "index", "key", "outcomes")
        self.index, self.key = whole(index, 1), hexadecimal(key)
        need(type(outcomes) is list and outcomes, "outcomes")
        self.outcomes, keys = [], set()
        for outcome in outcomes:
            need(type(outcome) is list and len(outcome) == 3, "outcomes")
            name, count, begin = outcome
            need(hexadecimal(name) not in keys, "an outcome twice")
            keys.add(name)
            self.outcomes.append((whole(count, 1), whole(begin, 1)))
        self.draws = sum(count for count, _ in self.outcomes)
        last = before = 0
        for count, begin in self.outcomes:
            need(last < begin <= self.draws and begin - 1 <= before, "a discovery")
            last, before = begin, before + count
        self.left = [count for count, _ in self.outcomes]  # not listed by rows yet

    def bound(self, share, support, interval, pmin, most):
        """Intervals of the outcomes, and of each the mass of what is later."""
        self.bounds, self.later = [], []
        least = before = Fraction(1)
        ends = [begin - 1 for _, begin in self.outcomes[1:]] + [self.draws]
        for k, ((count, begin), end) in enumerate(zip(self.outcomes, ends), 1):
            if end > begin:
                alpha = to_decimal(support * share / (k * (k + 1)))
                least = min(least, Fraction(1 - (alpha.ln() / (end - begin)).exp() + OUTWARDS))
            is_complete = least < pmin or k == most
            need(not is_complete or k == len(self.outcomes), "an outcome too many")
            self.later.append(Fraction(0) if is_complete else least)
            low, high = sequence(count - 1, self.draws - begin, interval * share / (k * (k + 1)))
            low, high = max(low, pmin), min(high, before)
            need(low <= high, "an empty interval")
            self.bounds.append((low, high))
            before = self.later[-1]
        need(sum(b[0] for b in self.bounds) <= 1, "no distribution")
        need(1 <= sum(b[1] for b in self.bounds) + self.later[-1], "no distribution")

    def rest(self, shown):
        """Of a row that has shown these outcomes: the others."""
        least, unshown = 1 - sum(self.bounds[k][0] for k in shown), Fraction(0)
        for k, (_, high) in enumerate(self.bounds):
            unshown += high if k not in shown else 0
            least = min(least, self.later[k] + unshown)
        return max(least, Fraction(0))


class Choice:
    """By a row, or free; to (s', memory)."""

    def __init__(self, row, targets, memory, marks, action, reads=True):
        self.row, self.targets, self.memory = row, targets, memory
        self.marks, self.action, self.reads = marks, action, reads

    def is_complete(self):
        return self.row == "free" or (self.row is not None and self.row.is_complete)

    def is_valued(self):
        """Complete, or open: then a part of it is unseen."""
        return self.is_complete() or (self.row is not None and (self.row.discovered is not None or self.row.is_open))

    def unseen(self):
        return Fraction(0) if self.row == "free" else self.row.unseen

    def places(self):
        return [(s, self.memory) for s in self.targets]

    def robust(self, value, greatest):
        bounds = [(Fraction(1), Fraction(1))] if self.row == "free" else self.row.bounds
        values = [value(p) for p in self.places()]
        if self.unseen() > 0:
            values, bounds = values + [int(greatest)], bounds + [(0, self.unseen())]
        return robust(values, bounds, greatest)


class Node:
    def __init__(self, value):
        (self.state, self.memory, upper, lower, self.wins, self.rank, self.action, self.next,
         self.marks) = members(value, "state", "memory", "upper", "lower", "wins", "rank",
                               "action", "next", "marks")
        self.upper, self.lower = probability(upper), probability(lower)
        need(type(self.wins) is bool, "wins")
        need(self.rank is None or whole(self.rank) >= 0, "rank")
        self.place = (self.state, self.memory)


class Certificate:
    node_type = Node
    has_open_rows, unseen, discovery = False, Fraction(0), Fraction(0)

    def __init__(self, value):
        schemas = ["omegapac.certificate/1", "omegapac.certificate/2"]
        need(value["schema"] in schemas, "schema")
        self.version = 1 + schemas.index(value["schema"])
        need(type(value["version"]) is str, "version")
        self.read_inputs(value["inputs"])
        self.read_assumptions(value["assumes"])
        self.epsilon = number(value["epsilon"])
        self.read_delta(value["delta"])
        self.read_trial(value.get("trial"))
        need(type(value["automaton"]) is str, "automaton")
        try:
            self.automaton = Automaton(value["automaton"])
        except (ValueError, IndexError, RecursionError):
            raise Refused("HOA: cannot be read")
        self.read_states(value["states"], value["start"])
        if self.is_alike:
            self.read_classes(value["classes"])
        self.read_rows(value["rows"])
        self.read_nodes(value["nodes"])
        self.claim = members(
            value["claim"], "lower", "upper", "confidence", "value", "statement"
        )

    def read_delta(self, value):
        self.has_open_rows = not self.graph and isinstance(value, dict) and "unseen" in value
        self.has_open_rows = self.has_open_rows and self.version > 1
        names = ["total", "support", "interval"] + ["unseen", "discovery"] * self.has_open_rows
        if self.version > 1 and isinstance(value, dict) and "episodes" in value:
            names.append("episodes")
        parts = dict(zip(names, (number(part) for part in members(value, *names))))
        self.total, self.support, self.interval = (parts[name] for name in names[:3])
        self.unseen, self.discovery = parts.get("unseen", 0), parts.get("discovery", 0)
        self.episodes = parts.get("episodes", Fraction(0))
        need("episodes" not in parts or self.episodes > 0, "a part of delta for nothing")

    def read_trial(self, value):
        self.trial = None
        if value is not None:
            numbers = members(value, "index", "episodes", "wins", "steps")
            index, episodes, wins, steps = (whole(x) for x in numbers)
            need(index > 0 and 0 < steps < 2**53 and 0 <= wins <= episodes and episodes > 0, "trial")
            self.trial = index, episodes, wins
            self.trial_steps = steps

    def read_inputs(self, value):
        model, digest, constants, objective, formula, least, seed = members(
            value, "model", "digest", "constants", "objective", "formula", "least", "seed"
        )
        for text in (model, digest, constants, objective, formula):
            text_or_null(text)
        need(type(least) is bool, "least")
        whole(seed)

    def read_assumptions(self, value):
        if self.version == 1:
            value = dict(value)
            value = {"pmin": value.get("pmin"), "pmin_start": value.get("pmin"), **value}
        self.is_alike = self.version > 1 and has_classes({"assumes": value})
        if self.is_alike:
            need(list(value)[2] == "pmin_outcome", "members")
            value = dict(value)
            pmin = value.pop("pmin_outcome")
            self.pmin_outcome = Fraction(0) if pmin is None else number(pmin)
            need(pmin is None or 0 < self.pmin_outcome <= 1, "pmin_outcome")
            self.pmin_outcome *= 1 - PMIN_SLACK
            self.most_outcomes = int(1 / self.pmin_outcome) if pmin is not None else None
        pmin, pmin_start, graph, states, actions, branching = members(
            value, "pmin", "pmin_start", "graph", "states", "actions", "branching"
        )
        need(type(graph) is bool and (graph or pmin is not None), "neither pmin nor a graph")
        self.graph = graph
        for bound in (states, actions, branching):
            need(bound is None or whole(bound, 1) > 0, "a bound")
        self.most_states, self.most_actions, self.branching = states, actions, branching
        self.has_row_pmin = self.version > 1 and pmin == "rows"
        self.pmin, self.most = self.least(None if self.has_row_pmin else pmin)
        self.pmin_start, self.most_starts = self.least(pmin_start)
        self.is_open = self.version > 1 and not graph and pmin_start is None
        self.rows_bound = None
        if states is not None and actions is not None:
            self.rows_bound = states * actions + 1

    def least(self, value):
        """A bound on probabilities, and what it leaves of successors."""
        pmin = Fraction(0) if value is None else number(value)
        need(value is None or 0 < pmin <= 1, "pmin")
        pmin *= 1 - PMIN_SLACK
        most = None if value is None else int(1 / pmin)
        if self.branching is not None:
            most = self.branching if most is None else min(most, self.branching)
        return pmin, most

    def read_states(self, value, start):
        need(type(value) is list and value, "states")
        self.states, keys = [], set()
        for item in value:
            key, letter, actions = members(item, "key", "letter", "actions")
            need(type(key) is str and all(c in "0123456789abcdef" for c in key), "key")
            need(len(key) % 2 == 0 and key not in keys, "a key twice, or half a byte")
            keys.add(key)
            if type(letter) is str:
                need(letter.isdigit(), "letter")
                letter = int(letter)
                need(letter >= 1 << 53, "letter")
            else:
                need(whole(letter) < 1 << 53, "letter")
            need(letter >> self.automaton.bits == 0, "a letter beyond the propositions")
            self.states.append((letter, whole(actions)))
        self.start = start
        need(start is None or whole(start) < len(self.states), "start")

    def read_rows(self, value):
        need(type(value) is list, "rows")
        self.rows, indices = {}, set()
        for item in value:
            names = ["index", "state", "action", "counts"]
            is_open = self.has_open_row(item)
            is_row = isinstance(item, dict) and item.get("state", 0) is not None
            is_alike, has_pmin = self.is_alike and is_row, self.has_row_pmin and is_row
            more = ["class", "shown", "complete"] if is_alike else ["discovered", "quiet"] * is_open
            values = members(item, *names, *more, *["pmin"] * has_pmin)
            index, state, action, counts = values[:4]
            need(whole(index, 1) not in indices, "an index twice")
            indices.add(index)
            if state is None:
                need(action is None and self.start is None, "a reset that is not random")
            else:
                need(whole(state) < len(self.states), "the state of a row")
                need(whole(action) < self.states[state][1], "the action of a row")
            need((state, action) not in self.rows, "a row twice")
            need(type(counts) is list and counts, "counts")
            last = -1
            for pair in counts:
                need(type(pair) is list and len(pair) == 2, "counts")
                need(last < whole(pair[0]) < len(self.states), "a successor")
                need(whole(pair[1], 0 if self.graph else 1) >= 0, "a count")
                last = pair[0]
            row = self.rows[state, action] = Row(index, counts)
            row.pmin, row.most = self.pmin, self.most
            if state is None:
                row.pmin, row.most = self.pmin_start, self.most_starts
            if has_pmin:
                need(self.graph or values[-1] is not None, "a row without pmin")
                row.pmin, row.most = self.least(values[-1])
            if is_open and not is_alike:
                self.read_discoveries(row, *values[4:6])
            if is_alike:
                self.read_shown(row, *values[4:6])
                need(type(values[6]) is bool, "complete")
                row.may_be_complete = values[6]
        if self.is_alike:
            need(all(n == 0 for c in self.classes for n in c.left), "draws that no row has")

    def read_classes(self, value):
        need(type(value) is list, "classes")
        self.classes = [Class(item) for item in value]
        indices = [c.index for c in self.classes]
        need(indices == sorted(set(indices)), "indices of classes")
        need(self.start is not None or 1 not in indices, "the index of the reset")
        need(self.rows_bound is None or max(indices, default=0) <= self.rows_bound, "index above R")
        need(len({c.key for c in self.classes}) == len(self.classes), "a class twice")

    def read_shown(self, row, number_of_class, shown):
        need(type(shown) is list and (number_of_class is None) == (not shown), "shown")
        row.shown, last, sums = {}, -1, dict.fromkeys(row.targets, 0)
        row.kind = None
        if number_of_class is not None:
            need(whole(number_of_class) < len(self.classes), "class")
            row.kind = self.classes[number_of_class]
        for item in shown:
            need(type(item) is list and len(item) == 3, "shown")
            outcome, state, count = whole(item[0]), whole(item[1]), whole(item[2], 1)
            need(last < outcome < len(row.kind.outcomes) and state in sums, "shown")
            row.shown[outcome] = state
            sums[state] += count
            row.kind.left[outcome] -= count
            last = outcome
        need(list(sums.values()) == row.counts, "shown and counts")

    def has_open_row(self, item):
        if not isinstance(item, dict):
            return False
        if self.has_open_rows and "discovered" in item:
            return True
        return self.is_open and item.get("state", 0) is None

    def read_discoveries(self, row, discovered, quiet):
        need(type(discovered) is list and len(discovered) == len(row.targets), "discovered")
        row.discovered, last, hit, counted = {}, 0, {}, {}
        for item in discovered:
            need(type(item) is list and len(item) == 3, "discovered")
            state, begin, hits = (whole(x) for x in item)
            need(state in row.targets and state not in row.discovered, "a discovery")
            count = row.counts[row.targets.index(state)]
            need(1 <= hits <= count and last <= begin <= row.visits, "a discovery")
            need(count - hits <= row.visits - begin, "a discovery")
            row.discovered[state], last = (begin, hits), begin
            hit[begin] = hit.get(begin, 0) + hits
            counted[begin] = counted.get(begin, 0) + count
        # Draws between two times: those that show what is discovered at the later one, and others,
        # all of which lead to what was discovered before.
        times = sorted(hit)
        others = {t: t - before - hit[t] for before, t in zip([0] + times, times)}
        need(all(n >= 0 for n in others.values()), "visits before a discovery")
        for t in times:
            known = sum(counted[s] for s in times if s < t)
            need(t <= known + hit[t], "visits before a discovery")
        need(type(quiet) is list and len(quiet) == 2, "quiet")
        row.quiet_after, row.quiet = whole(quiet[0], 1), whole(quiet[1])
        begins = [begin for begin, _ in row.discovered.values()]
        k = row.quiet_after
        need(k <= len(begins), "quiet")
        if k == len(begins):
            most = row.visits - begins[-1]
        else:  # 0 within a batch
            most = others[begins[k]] if begins[k - 1] < begins[k] else 0
        need(row.quiet <= most, "quiet")

    def read_nodes(self, value):
        need(type(value) is list and value, "nodes")
        self.nodes = {}
        self.first = None
        a = self.automaton
        for item in value:
            node = self.node_type(item)
            if self.first is None:
                self.first = node
                alone = self.start is not None and len(a.initial) == 1
                expected = (self.start, a.initial[0]) if alone else (None, None)
                need(node.place == expected, "the first node")
            else:
                need(node.state is not None and node.memory is not None, "a second start")
            if node.state is not None:
                need(whole(node.state) < len(self.states), "the state of a node")
                need(whole(node.memory) < a.states, "the memory of a node")
                need(node is self.first or not a.universal[node.memory], "a universal memory")
            need(node.place not in self.nodes, "a node twice")
            self.nodes[node.place] = node

    # ---- what is known of a place ----

    def is_universal(self, place):
        return place[1] is not None and self.automaton.universal[place[1]]

    def upper(self, place):
        if self.is_universal(place) or place not in self.nodes:
            return Fraction(1)
        return self.nodes[place].upper

    def lower(self, place):
        if self.is_universal(place):
            return Fraction(1)
        return self.nodes[place].lower if place in self.nodes else Fraction(0)

    def wins(self, place):
        return self.is_universal(place) or (place in self.nodes and self.nodes[place].wins)

    def rank(self, place):
        if self.is_universal(place):
            return 0
        return self.nodes[place].rank if place in self.nodes else None

    def sampled(self, key, memory, marks, action):
        if self.automaton.universal[memory]:
            # Worth 1 whatever the row does; the state is not looked at.
            return Choice("free", [0], memory, marks, action)
        row = self.rows.get(key)
        return Choice(row, row.targets if row else [], memory, marks, action)

    def choices(self, place):
        a = self.automaton
        state, q = place
        if state is None:
            if self.start is not None:
                return [Choice("free", [self.start], i, frozenset(), None) for i in a.initial]
            return [self.sampled((None, None), i, frozenset(), None) for i in a.initial]
        letter, actions = self.states[state]
        made = []
        for t, m in a.moves(q, letter):
            for action in range(actions):
                made.append(self.sampled((state, action), t, m, action))
            if actions == 0:
                made.append(Choice("free", [state], t, m, None))
        return made + [Choice("free", [state], t, m, None, False) for t, m in a.epsilons(q)]

    def chosen(self, node):
        need(node.next is not None and type(node.marks) is list, "a choice is missing")
        need(node.marks == sorted(set(node.marks)), "marks are not ascending")
        # Moves that read the letter come before epsilon moves.
        for c in self.choices(node.place):
            if (c.action, c.memory, sorted(c.marks)) == (node.action, node.next, node.marks):
                return c
        raise Refused("a choice that there is not")

    # ---- the checks, numbered as on the page ----

    def share(self, index):
        share = Fraction(1, index * (index + 1))
        return share if self.rows_bound is None else (share + Fraction(1, self.rows_bound)) / 2

    def check_delta(self):  # 1
        need(self.support >= 0 and self.interval > 0, "a negative part of delta")
        need(not self.has_open_rows or min(self.unseen, self.discovery) > 0, "a part of delta")
        parts = self.support + self.interval + self.unseen + self.discovery + self.episodes
        need(parts <= self.total < 1, "the parts of delta")
        need(self.support > 0 or (self.graph and not self.is_alike), "support 0 without a graph")

    def check_rows(self):  # 2, 3, 4
        if self.most_states is not None:
            need(len(self.states) <= self.most_states, "more states than assumed")
        if self.most_actions is not None:
            need(all(n <= self.most_actions for _, n in self.states), "more actions than assumed")
        if self.rows_bound is not None:
            need(all(r.index <= self.rows_bound for r in self.rows.values()), "index above R")
            need(len(self.rows) <= self.rows_bound, "more rows than R")
        for c in self.classes if self.is_alike else []:
            c.bound(self.share(c.index), self.support, self.interval, self.pmin_outcome, self.most_outcomes)
        for (state, _), row in self.rows.items():
            w, pmin, most = len(row.targets), row.pmin, row.most
            if self.is_alike and state is not None:
                need(most is None or w <= most, "more successors than b")
                self.bound_alike(row, w, pmin, most)
                continue
            need(most is None or w <= most, "more successors than b")
            if row.discovered is not None and pmin == 0:
                row.unseen = self.mass(row, self.support + self.unseen)
                row.unseen = Fraction(0) if w == self.most_starts else row.unseen
                row.is_complete = row.unseen == 0
                self.bound_open(row, pmin, self.interval + self.discovery)
                continue
            row.is_complete = self.graph or w == most or self.is_covered(row, pmin, most)
            if row.discovered is not None and not row.is_complete:
                row.unseen = self.mass(row, self.unseen)
                row.is_complete = row.unseen < pmin / (1 - PMIN_SLACK)
            if row.is_complete:
                row.unseen = Fraction(0)
                row.bounds = self.intervals(row, pmin)
            elif row.discovered is not None:
                self.bound_open(row, pmin, self.discovery)
            else:
                need(not self.has_open_rows, "a row that is neither complete nor open")

    def bound_alike(self, row, w, pmin, most):
        rest = Fraction(1) if row.kind is None else row.kind.rest(row.shown)
        is_shown = self.graph or w == most or (row.kind is not None and (rest == 0 or rest < pmin))
        row.is_complete = row.may_be_complete and is_shown
        bounds = {state: [Fraction(0), rest if row.is_complete else Fraction(0)] for state in row.targets}
        for outcome, state in row.shown.items():
            for end in (0, 1):
                bounds[state][end] += row.kind.bounds[outcome][end]
        if not row.is_complete:  # the rest is unseen, wherever it goes
            row.is_open, row.unseen = True, rest
            row.bounds = [(low, min(high, Fraction(1))) for low, high in bounds.values()]
            lows = sum(max(low, pmin) for low, _ in row.bounds)
            need(lows <= 1 <= sum(b[1] for b in row.bounds) + rest, "no distribution")
            return
        if w == 1:
            row.bounds = [(Fraction(1), Fraction(1))]
            return
        row.bounds = []
        for low, high in bounds.values():
            low, high = max(low, pmin), min(high, 1 - (w - 1) * pmin)
            need(low <= high, "an empty interval")
            row.bounds.append((low, high))
        need(sum(b[0] for b in row.bounds) <= 1 <= sum(b[1] for b in row.bounds), "no distribution")

    def mass(self, row, part):
        """At most so much of a row was not seen."""
        k = row.quiet_after
        if row.quiet == 0:
            return Fraction(1)
        alpha = to_decimal(part * self.share(row.index) / (k * (k + 1)))
        return Fraction(1 - (alpha.ln() / row.quiet).exp() + OUTWARDS)

    def bound_open(self, row, pmin, part):
        """The intervals of what was seen."""
        w, share = len(row.targets), self.share(row.index)
        numbers = {state: k for k, state in enumerate(row.discovered, 1)}
        row.bounds = []
        for state, count in zip(row.targets, row.counts):
            k, (begin, hits) = numbers[state], row.discovered[state]
            alpha = part * share / (k * (k + 1))
            low, high = sequence(count - hits, row.visits - begin, alpha)
            low, high = max(low, pmin), min(high, 1 - (w - 1) * pmin)
            need(low <= high, "an empty interval")
            row.bounds.append((low, high))
        need(sum(b[0] for b in row.bounds) <= 1, "no distribution")
        need(1 <= sum(b[1] for b in row.bounds) + row.unseen, "no distribution")

    def is_covered(self, row, pmin, most):
        if pmin == 0:
            return False
        if pmin >= 1 - PMIN_SLACK:
            return row.visits >= 1
        missed = Decimal(most).ln() + row.visits * to_decimal(1 - pmin).ln()
        return missed <= to_decimal(self.support * self.share(row.index)).ln() + OUTWARDS

    def intervals(self, row, pmin):
        w = len(row.targets)
        if w == 1:
            return [(Fraction(1), Fraction(1))]
        alpha = self.interval * self.share(row.index) / (1 if w == 2 else w)
        made = []
        for count in row.counts:
            low, high = sequence(count, row.visits, alpha)
            low, high = max(low, pmin), min(high, 1 - (w - 1) * pmin)
            need(low <= high, "an empty interval")
            made.append((low, high))
        need(sum(b[0] for b in made) <= 1 <= sum(b[1] for b in made), "no distribution")
        return made

    def check_shapes(self):
        for node in self.nodes.values():
            if self.is_universal(node.place):
                need(node.upper == node.lower == 1 and node.wins and node.rank == 0, "universal")
                need(node.action is node.next is node.marks is None, "universal: a choice")
            elif self.trial is not None:
                need(node.wins or node.lower == 0, "lower with a trial")
                need((node.rank is None) == (node.lower == 0), "rank with a trial")
                if node.next is not None:
                    self.chosen(node)
                else:
                    need(node.action is node.marks is None, "no choice")
                    need(not self.choices(node.place), "a choice is missing")
            elif node.lower == 0:
                need(node.rank is node.action is node.next is node.marks is None, "lower 0")
            need(not node.wins or node.upper == node.lower == 1, "a winning node is worth 1")
            need(not node.wins or node.rank == 0, "a winning node has rank 0")
            need(node.lower <= node.upper, "lower above upper")

    def check_winning(self):  # 5
        graph, marks, reads = {}, {}, {}
        for place, node in self.nodes.items():
            if not node.wins or self.is_universal(place):
                continue
            choice = self.chosen(node)
            need(choice.is_complete(), "W: a row that is not complete")
            need(all(self.wins(p) for p in choice.places()), "W is left")
            graph[place] = [p for p in choice.places() if not self.is_universal(p)]
            marks[place], reads[place] = choice.marks, choice.reads
            if len(graph[place]) < len(choice.places()):
                graph[place].append("universal")
        graph["universal"] = ["universal"]
        for part in components(graph):
            if part == {"universal"} or any(p not in part for s in part for p in graph[s]):
                continue
            together = frozenset().union(*(marks[s] for s in part))
            need(self.automaton.accepts(together), "W: a component that is not accepted")
            need(any(reads[s] for s in part), "W: a component that reads nothing")

    def check_upper(self):  # 6
        inside = {}
        for place, node in self.nodes.items():
            if node.upper < 1:
                inside[place] = self.choices(place)
                for c in inside[place]:
                    need(c.is_valued(), "upper: a row that is not complete")
                    need(c.robust(self.upper, True) <= node.upper, "upper is not inductive")
        for fin, inf in self.automaton.clauses:
            kept = {p: [c for c in cs if not c.marks & fin] for p, cs in inside.items()}
            for part in end_components(kept):
                seen = frozenset().union(*(c.marks for _, c in part))
                reads = any(c.reads for _, c in part)
                need(not (inf <= seen and reads), "upper: a component wins")

    def check_lower(self):  # 7
        for node in self.nodes.values():
            if node.lower == 0 or node.wins:
                continue
            choice = self.chosen(node)
            need(choice.is_valued(), "lower: a row that is not complete")
            need(choice.robust(self.lower, False) >= node.lower, "lower is not inductive")
            ranks = [self.rank(p) for p in choice.places()]
            need(node.rank is not None, "lower: no rank")
            need(any(r is not None and r < node.rank for r in ranks), "lower: no progress")

    def can_come(self, steps):
        """Whether an episode may come to a universal memory or to a winning node, by the automaton alone. A position is
        a memory and a state; None: any state."""
        a, letters = self.automaton, {letter for letter, _ in self.states}
        goals = {(q, s) for (s, q), node in self.nodes.items() if s is not None and getattr(node, "wins", False)}
        goals |= {(q, None) for q, _ in goals}
        here = {(q, self.start) for q in a.initial}
        left = steps - (self.start is None or len(a.initial) > 1)
        found, is_won = set(here), lambda: any(a.universal[q] or (q, s) in goals for q, s in found)
        while here and left > 0 and not is_won():
            new = set()
            for q, state in here:
                new |= {(t, state) for t, _ in a.epsilons(q)}
                stays = state is None or self.states[state][1] == 0
                for letter in letters if state is None else [self.states[state][0]]:
                    new |= {(t, state if stays else None) for t, _ in a.moves(q, letter)}
            here, left = new - found, left - 1
            found |= new
        return left >= 0 and is_won()

    @staticmethod
    def bound_wins(episodes, wins, alpha):
        """A lower bound on the probability of winning an episode."""
        if wins < episodes:
            return sequence(wins, episodes, alpha / 2)[0]
        ratio = ln_mixture(episodes, episodes).exp()
        product = to_decimal(alpha) * (1 + ratio) / 2
        return Fraction((product.ln() / episodes).exp() - Decimal(10) ** -24)

    def check_lower_claim(self, lower):
        if self.trial is None:
            need(lower == self.first.lower, "claim: lower")
            return
        index, episodes, wins = self.trial
        need(wins == 0 or self.wins(self.first.place) or self.can_come(self.trial_steps), "trial: no episode can be won")
        shown = self.bound_wins(episodes, wins, self.episodes / (index * (index + 1)))
        need(lower <= shown, "claim: lower exceeds the trial")
        need(lower >= shown - Fraction(101, 10**8), "claim: lower is far below the trial")

    def check_claim(self):  # 8
        lower, upper, confidence, value, statement = self.claim
        lower, upper = number(lower), number(upper)
        self.check_lower_claim(lower)
        need(upper == self.first.upper and lower <= upper, "claim: upper")
        need(float(confidence) == 1 - float(self.total), "claim: confidence")
        need(value is None or lower - Fraction(1, 10**12) <= probability(value)
             <= upper + Fraction(1, 10**12), "claim: value")
        text_or_null(statement)

    def check(self):
        self.check_delta()
        self.check_rows()
        self.check_shapes()
        self.check_winning()
        self.check_upper()
        self.check_lower()
        self.check_claim()


def to_decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


# ---- graphs ----


def components(graph):
    """Strongly connected ones, by two searches (Kosaraju)."""
    order, seen = [], set()
    back = {v: [] for v in graph}
    for v, targets in graph.items():
        for t in targets:
            back[t].append(v)

    def search(edges, root, sink):
        stack = [(root, iter(edges[root]))]
        seen.add(root)
        while stack:
            v, rest = stack[-1]
            for t in rest:
                if t not in seen:
                    seen.add(t)
                    stack.append((t, iter(edges[t])))
                    break
            else:
                sink(v)
                stack.pop()

    for v in graph:
        if v not in seen:
            search(graph, v, order.append)
    seen.clear()
    for v in reversed(order):
        if v not in seen:
            part = set()
            search(back, v, part.add)
            yield part


def end_components(kept):
    """The maximal ones of places with choices; each as a list of (place, choice)."""
    while True:
        graph = {p: [] for p in kept}
        for p, choices in kept.items():
            for c in choices:
                if all(t in kept for t in c.places()):
                    graph[p] += c.places()
        part_of = {p: i for i, part in enumerate(components(graph)) for p in part}
        fewer = {}
        for p, choices in kept.items():
            stay = [c for c in choices
                    if all(t in part_of and part_of[t] == part_of[p] for t in c.places())]
            if stay:
                fewer[p] = stay
        if len(fewer) == len(kept) and all(len(fewer[p]) == len(kept[p]) for p in kept):
            break
        kept = fewer
    made = {}
    for p, choices in kept.items():
        made.setdefault(part_of[p], []).extend((p, c) for c in choices)
    return list(made.values())


def certificate_of(value):
    if not has_recurrence(value):
        return Certificate(value)
    import recurrence_certificate  # imports this module

    return recurrence_certificate.RecurrenceCertificate(value)


def verdict(raw, check_digest=True):
    """None: it holds; else why not."""
    try:
        certificate_of(load(raw, check_digest)).check()
    except Refused as why:
        return str(why)
    except (TypeError, OverflowError, KeyError) as why:  # a value of another type
        return "shape: %r" % why
    return None


def main(paths):
    failed = False
    for path in paths:
        with open(path, "rb") as file:
            why = verdict(file.read())
        print("%s: %s" % (path, "holds" if why is None else "refused: " + why))
        failed = failed or why is not None
    return 1 if failed else 0


if __name__ == "__main__":
    import certificate  # so that there is one class Refused

    sys.exit(certificate.main(sys.argv[1:]))
