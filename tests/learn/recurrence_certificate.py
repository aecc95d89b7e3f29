# SPDX-License-Identifier: MIT
"""Certificates from a bound T on the recurrence time, after docs/formats/certificate.md.

Values are integers over 2^100, rounded up in each sweep; the rest is as in certificate.py, whose
verdict() comes here when T is assumed.
"""

from fractions import Fraction

import certificate

need, members, whole, number = (
    certificate.need, certificate.members, certificate.whole, certificate.number
)
GRID = 1 << 100
UNIVERSAL = "universal"


def up(x):
    return Fraction(-((-x.numerator * GRID) // x.denominator), GRID)


class Node:
    def __init__(self, value):
        self.state, self.memory, self.action, self.next, self.marks = members(
            value, "state", "memory", "action", "next", "marks"
        )
        self.place = (self.state, self.memory)


class RecurrenceCertificate(certificate.Certificate):
    node_type = Node

    def __init__(self, value):
        super().__init__(value)
        need(self.version == 2, "T in version 1")
        trial, sweeps = value["trial"], value["sweeps"]
        self.trial = None
        if trial is not None:
            if self.is_free:
                index, episodes, wins, self.horizon = members(trial, "index", "episodes", "wins", "steps")
                need(0 < whole(self.horizon, 1) < 1 << 53, "steps")
            else:
                index, episodes, wins = members(trial, "index", "episodes", "wins")
            need(whole(wins) <= whole(episodes, 1), "more wins than episodes")
            self.trial = (whole(index, 1), episodes, wins)
        self.upper_sweeps, self.risk_sweeps = members(sweeps, "upper", "risk")
        need(whole(self.upper_sweeps) <= self.horizon, "more sweeps than T")
        need(whole(self.risk_sweeps) <= self.horizon, "more sweeps than T")
        if self.is_free:
            need(self.upper_sweeps == self.risk_sweeps == 0 and not value["rows"], "sweeps or rows without T")
            sizes = [value["assumes"][name] for name in ("states", "actions", "branching")]
            need(sizes == [None] * 3, "sizes without T")
            need(0 <= self.epsilon < 1, "epsilon")
            self.epsilon = Fraction(0)

    def read_trial(self, value):
        """Depends on T, which is read later."""

    def read_assumptions(self, value):
        pmin, pmin_start, graph, horizon, states, actions, branching = members(
            value, "pmin", "pmin_start", "graph", "T", "states", "actions", "branching"
        )
        need(pmin is None and pmin_start is None and graph is False, "T and another assumption")
        self.is_free = horizon is None
        self.horizon = 1 if self.is_free else whole(horizon, 1)
        need(self.horizon < 1 << 53, "T")
        super().read_assumptions({
            "pmin": 1, "pmin_start": None, "graph": False,
            "states": states, "actions": actions, "branching": branching,
        })
        self.pmin, self.most, self.most_starts = Fraction(0), branching, branching

    def read_delta(self, value):
        self.total, self.support, self.interval, self.episodes = (
            number(x) for x in members(value, "total", "support", "interval", "episodes")
        )

    def has_open_row(self, item):
        return True

    # ---- the checks, numbered as on the page ----

    def check_delta(self):
        parts = (self.support, self.interval, self.episodes)
        need(all(part > 0 for part in parts), "a part of delta")
        need(sum(parts) <= self.total < 1, "the parts of delta")
        need(self.is_free or 0 < self.epsilon < 1, "epsilon")

    def check_nodes(self):
        self.all, self.policy = {}, {}
        for place, node in self.nodes.items():
            given = (node.action, node.next, node.marks) != (None, None, None)
            self.all[place] = [] if self.is_universal(place) else self.choices(place)
            need(given == bool(self.all[place]), "a choice is missing, or there is none")
            if given:
                self.policy[place] = self.chosen(node)
            for choice in self.all[place]:
                for successor in self.seen(choice):
                    need(successor == UNIVERSAL or successor in self.nodes, "not listed", successor)

    def seen(self, choice):
        """The successors of a choice, as far as they were seen."""
        if self.automaton.universal[choice.memory]:
            return [UNIVERSAL]
        return choice.places()

    def winning(self):
        wins = set()
        tried = {
            place: [c for c in choices if c.row is not None and self.seen(c) != [UNIVERSAL]]
            for place, choices in self.all.items() if not self.is_universal(place)
        }
        for fin, inf in self.automaton.clauses:
            kept = {p: [c for c in choices if not c.marks & fin] for p, choices in tried.items()}
            for part in certificate.end_components(kept):
                marks = frozenset().union(*(c.marks for _, c in part))
                if inf <= marks and any(c.reads for _, c in part):
                    wins |= {p for p, _ in part}
        return wins | {p for p in self.nodes if self.is_universal(p)}

    def losing(self):
        loses = {p for p in self.nodes if not self.all[p] and not self.is_universal(p)}
        graph = {p: self.seen(c) for p, c in self.policy.items() if c.row is not None}
        for place in list(self.nodes) + [UNIVERSAL]:
            graph.setdefault(place, [])
        for part in certificate.components(graph):
            if any(p not in self.policy or self.policy[p].row is None for p in part):
                continue
            if any(p not in part for s in part for p in graph[s]):
                continue
            marks = frozenset().union(*(self.policy[p].marks for p in part))
            if not self.automaton.accepts(marks) or not any(self.policy[p].reads for p in part):
                loses |= part
        return loses

    def reached(self):
        """The nodes that the policy reaches by seen successors."""
        found, queue = {self.first.place}, [self.first.place]
        for place in queue:
            choice = self.policy.get(place)
            for to in self.seen(choice) if choice is not None and choice.row is not None else []:
                if to != UNIVERSAL and to not in found:
                    found.add(to)
                    queue.append(to)
        return found

    def bound(self, choices, targets, universal, count, nodes):
        value = {p: Fraction(p in targets) for p in self.nodes}
        rate = Fraction(0)
        for _ in range(count):
            value[UNIVERSAL] = Fraction(universal)
            sweep = {
                p: value[p] if p in targets else
                up(max((self.greatest(c, value) for c in choices(p)), default=Fraction(0)))
                for p in nodes
            }
            rate = max(sweep[p] - value[p] for p in nodes)
            value = {**value, **sweep}
            if rate == 0:
                break
        return value[self.first.place] + (self.horizon - count) * rate

    def greatest(self, choice, value):
        if choice.row is None:
            return Fraction(1)
        if choice.row == "free":
            return value[self.seen(choice)[0]]
        values = [value[p] for p in choice.places()] + [Fraction(1)]
        bounds = choice.row.bounds + [(Fraction(0), choice.row.unseen)]
        return certificate.robust(values, bounds, True)

    def upper_bound(self):
        if self.upper_sweeps == 0:
            return Fraction(1)
        found = self.bound(self.all.get, self.winning(), 1, self.upper_sweeps, self.nodes)
        return min(Fraction(1), found + self.epsilon)

    def lower_bound(self):
        model = trial = Fraction(0)
        if self.risk_sweeps > 0:
            policy = {p: [c] for p, c in self.policy.items()}
            risk = self.bound(lambda p: policy.get(p, []), self.losing(), 0, self.risk_sweeps,
                              self.reached())
            model = 1 - self.epsilon - risk
        if self.trial is not None:
            index, episodes, wins = self.trial
            trial = self.bound_wins(episodes, wins, self.episodes / (index * (index + 1)))
            trial -= self.epsilon
        return max(model, trial, Fraction(0))

    # ---- whether an episode can be won ----

    def can_win(self):
        if self.is_universal(self.first.place):
            return True
        return self.can_come(self.horizon) if self.is_free else self.can_end_well()

    def can_end_well(self):
        graph, here = {}, {self.first.place}
        for _ in range(self.horizon):
            new = set()
            for place in here:
                choice = self.policy.get(place)
                is_seen = choice is not None and (choice.row is not None or self.seen(choice) == [UNIVERSAL])
                graph[place] = set(self.seen(choice)) if is_seen else set()
                new |= graph[place]
            if UNIVERSAL in new:
                return True
            here = new - graph.keys()
            if not here:
                break
        for fin, inf in self.automaton.clauses:
            kept = {p: to if p in self.policy and not self.policy[p].marks & fin else set() for p, to in graph.items()}
            kept = {**{p: set() for to in kept.values() for p in to}, **kept}
            for part in certificate.components(kept):
                inner = [self.policy[p].marks for p in part if kept[p] & part]
                if inner and inf <= frozenset().union(*inner):
                    return True
        return False

    def check_claim(self):
        lower, upper, confidence, value, statement = self.claim
        lower, upper = number(lower), number(upper)
        is_short = any(0 < t < self.horizon for t in (self.upper_sweeps, self.risk_sweeps))
        tolerance = (Fraction(1, 10**6) + Fraction(4, 10**9) * self.horizon) * 101 / 100
        tolerance = Fraction(1) if is_short else tolerance
        self.found_lower, self.found_upper = self.lower_bound(), self.upper_bound()
        need(0 <= lower <= upper <= 1, "claim: no bracket")
        need(self.trial is None or self.trial[2] == 0 or self.can_win(), "trial: no episode can be won")
        need(lower <= self.found_lower, "claim: lower")
        need(upper >= self.found_upper, "claim: upper")
        need(lower >= self.found_lower - tolerance, "claim: lower is far below")
        need(upper <= self.found_upper + tolerance, "claim: upper is far above")
        need(float(confidence) == 1 - float(self.total), "claim: confidence")
        need(value is None or lower - Fraction(1, 10**12) <= certificate.probability(value)
             <= upper + Fraction(1, 10**12), "claim: value")
        certificate.text_or_null(statement)

    def check(self):
        self.check_delta()
        self.check_rows()
        self.check_nodes()
        self.check_claim()
