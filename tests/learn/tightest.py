#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The narrowest bracket that the counts of a certificate allow.

    tightest.py FILE ...        the claim and the narrowest, for each; 0 if all claims are near

Its nodes are not looked at: the whole product of what was seen is built, its winning components
are found, and values iterated to the end. A verifier sees that a bracket is not too narrow; this
sees that it is not too wide. What is claimed may be wider by SHARE of epsilon, which is left to
the solver.
"""

import sys

import certificate

SHARE = 0.02
ROUNDING = 1e-8  # of the writer's intervals, and of values here
CHANGE = 1e-12
WON = "won"
UNSEEN = "unseen"


class Product:
    """Places with what can be chosen there: (places, their bounds, marks, reads)."""

    def __init__(self, c):
        self.choices, self.open = {}, set()
        self.first = self.merge(c, c.first.place)
        todo = [self.first]
        while todo:
            place = todo.pop()
            if place == WON or place in self.choices:
                continue
            self.choices[place] = []
            for choice in c.choices(place):
                if not choice.is_valued():
                    self.open.add(place)
                    continue
                places = [self.merge(c, p) for p in choice.places()]
                bounds = [(1.0, 1.0)]
                if choice.row != "free":
                    bounds = [(float(low), float(high)) for low, high in choice.row.bounds]
                if choice.unseen() > 0:
                    places, bounds = places + [UNSEEN], bounds + [(0.0, float(choice.unseen()))]
                    self.choices[UNSEEN] = []
                    self.open.add(UNSEEN)
                self.choices[place].append(Way(places, bounds, choice))
                todo += places
        self.won = {WON} | self.winning(c.automaton.clauses)
        self.sure = self.almost_surely()

    @staticmethod
    def merge(c, place):
        return WON if c.is_universal(place) else place

    def winning(self, clauses):
        won = set()
        for fin, inf in clauses:
            kept = {p: [w for w in ways if not w.marks & fin] for p, ways in self.choices.items()}
            for part in certificate.end_components(kept):
                marks = frozenset().union(*(w.marks for _, w in part))
                if inf <= marks and any(w.reads for _, w in part):
                    won |= {p for p, _ in part}
        return won

    def almost_surely(self):
        """From where one can come to what is won with probability 1, by the graph alone."""
        inside = set(self.choices) | {WON}
        while True:
            near, count = set(self.won), 0
            while count < len(near):
                count = len(near)
                for p, ways in self.choices.items():
                    if p in inside and any(
                        inside.issuperset(w.targets) and near.intersection(w.targets) for w in ways
                    ):
                        near.add(p)
            if near == inside:
                return inside
            inside = near

    def upper(self):
        """The greatest over policies and probabilities, from below."""
        value = {p: float(p in self.sure or p in self.open) for p in self.choices}
        value[WON] = 1.0
        free = {p: ways for p, ways in self.choices.items() if value[p] == 0}
        return self.iterate(free, value, True)[self.first]

    def lower(self):
        """
        The greatest over policies, of the least over probabilities: from above, since a
        minimiser may stay for long but not forever. End components, where a policy could, count
        as one place.
        """
        free = {p: ways for p, ways in self.choices.items() if p not in self.sure}
        whole = {p: p for p in self.choices}
        whole[WON] = WON
        for part in certificate.end_components(free):
            whole.update({p: part[0][0] for p, _ in part})
        ways_of = {whole[p]: [] for p in free}
        for p, ways in free.items():
            for w in ways:
                targets = [whole[t] for t in w.targets]
                if any(t != whole[p] for t in targets):
                    ways_of[whole[p]].append(Way(targets, w.bounds, w))
        value = {p: 1.0 for p in list(self.choices) + [WON]}
        value.update({p: 0.0 for p in self.hopeless(ways_of)})
        return self.iterate(ways_of, value, False)[whole[self.first]]

    def hopeless(self, ways_of):
        near, count = set(self.sure), 0
        while count < len(near):
            count = len(near)
            for p, ways in ways_of.items():
                if any(near.intersection(w.targets) for w in ways):
                    near.add(p)
        return set(ways_of) - near

    @staticmethod
    def iterate(ways_of, value, greatest):
        change = 1.0
        while change > CHANGE:
            change = 0.0
            for p, ways in ways_of.items():
                best = max((w.robust(value, greatest) for w in ways), default=0.0)
                change = max(change, abs(best - value[p]))
                value[p] = best
        return value


class Way:
    def __init__(self, targets, bounds, like):
        self.targets, self.bounds, self.marks, self.reads = targets, bounds, like.marks, like.reads
        self.rest = 1 - sum(low for low, _ in bounds)

    def places(self):
        return self.targets

    def robust(self, value, greatest):
        values = [value[t] for t in self.targets]
        order = sorted(range(len(values)), key=values.__getitem__, reverse=greatest)
        total, rest = sum(low * v for (low, _), v in zip(self.bounds, values)), self.rest
        for i in order:
            part = min(rest, self.bounds[i][1] - self.bounds[i][0])
            total += part * values[i]
            rest -= part
        return total


def bracket(c):
    c.check_rows()
    product = Product(c)
    if product.first in product.sure:
        return 1.0, 1.0
    return product.lower(), product.upper()


def complaint(raw):
    """None, or what is wrong with the claim; and the two brackets."""
    value = certificate.load(raw, True)
    read = certificate.Certificate(value)
    lower, upper = bracket(read)
    if read.trial is not None:
        index, episodes, wins = read.trial
        lower = float(read.bound_wins(episodes, wins, read.episodes / (index * (index + 1))))
    claim = value["claim"]["lower"], value["claim"]["upper"]
    spare = SHARE * value["epsilon"]
    why = None
    if claim[0] > lower + ROUNDING or claim[1] < upper - ROUNDING:
        why = "narrower than it can be"
    elif claim[0] < lower - spare or claim[1] > upper + spare:
        why = "wider than it need be"
    return why, claim, (lower, upper)


def main(paths):
    failed = False
    for path in paths:
        with open(path, "rb") as file:
            why, claim, best = complaint(file.read())
        print("%s: [%.9g, %.9g] of [%.9g, %.9g]%s"
              % (path, *claim, *best, "" if why is None else ": " + why))
        failed = failed or why is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
