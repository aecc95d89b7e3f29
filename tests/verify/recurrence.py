#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Certificates from a bound T on the recurrence time, before two judges who share nothing.

    recurrence.py PROGRAM LEARN FIRST COUNT       seeds FIRST to FIRST + COUNT - 1

PROGRAM is tests/learn/certificates.c, which has the library's verifier judge texts; LEARN is
tests/learn, where recurrence_runs.py makes certificates and certificate.py is the other judge.

Of each certificate it is tested that
- both accept the claim that follows from it, and one that is a little weaker;
- both refuse a claim that is stronger by 1e-9 at either end, or, with all sweeps, weaker by more than the
  tolerance;
- of mutants, whichever certificate.py refuses is refused by the verifier; and what it accepts, the
  verifier accepts unless the claim is within 1e-8 of the edge.

At the end each kind of case must have occurred in one of 100 certificates.
"""

import collections
import copy
import random
import sys


def tolerance(value):
    return 1e-6 + 4e-9 * value["assumes"]["T"]


def is_short(value):
    """Fewer than T sweeps are stated: then a claim may be as weak as it likes."""
    return any(0 < count < value["assumes"]["T"] for count in value["sweeps"].values())


class Examiner:
    def __init__(self, program):
        self.judge = certificates.Judge(program)
        self.counts = collections.Counter()

    def both(self, value, name):
        raw = certificates.print_value(value)
        verdict, exact = self.judge.verdict(raw), certificate.verdict(raw)
        self.counts["%s: %s" % (name, "refused" if verdict else "holds")] += 1
        return verdict, exact

    def expect(self, value, name, holds, where):
        verdict, exact = self.both(value, name)
        if (verdict is None, exact is None) != (holds, holds):
            sys.exit("%s: %s: %s, %s; %s" % (where, name, verdict, exact, value))

    def claims(self, value, where):
        """Claims at the edges of what follows."""
        far = 1.1 * tolerance(value)
        for name, lower, upper, end in (
            ("weaker", -far / 2, far / 2, None), ("lower above", 1e-9, far / 2, "lower"),
            ("upper below", -far / 2, -1e-9, "upper"), ("lower far", -far, far / 2, "lower"),
            ("upper far", -far / 2, far, "upper"),
        ):
            mutant = copy.deepcopy(value)
            found = recurrence_runs.set_claim(mutant, lower, upper)
            claim = mutant["claim"]
            # An end at 0 or 1 cannot be weaker.
            is_cut = {"lower far": found[0] < far, "upper far": found[1] > 1 - far}.get(name, False)
            if claim["lower"] > claim["upper"] or is_cut or ("far" in name and is_short(value)):
                continue
            self.expect(mutant, name, end is None, where)

    def mutants(self, value, where, rng, most):
        made = list(mutants(value, rng))
        for name, mutant in rng.sample(made, min(most, len(made))):
            if rng.random() < 0.3:
                follow(mutant)
            verdict, exact = self.both(mutant, name)
            if verdict is None and exact is not None:
                sys.exit("%s: %s: holds, but: %s; %s" % (where, name, exact, mutant))
            if verdict is not None and exact is None and not is_near(mutant):
                sys.exit("%s: %s: %s, but holds; %s" % (where, name, verdict, mutant))


def follow(mutant):
    """Claims what follows from the mutant, if anything does."""
    try:
        recurrence_runs.set_claim(mutant)
    except (certificate.Refused, TypeError, KeyError, ValueError, IndexError, AttributeError):
        pass


def is_near(value):
    """Whether the claim, or the sum of the parts of delta, is at its edge."""
    c = certificate.certificate_of(value)
    c.check_rows()
    c.check_nodes()
    ends = ((c.lower_bound(), c.claim[0]), (c.upper_bound(), c.claim[1]))
    parts = sum(value["delta"][k] for k in ("support", "interval", "episodes"))
    return parts >= value["delta"]["total"] or any(abs(float(a) - b) < 1e-8 for a, b in ends)


def mutants(value, rng):
    """(name, mutant): each number changed, and forgeries of rows, nodes and the trial."""
    for path in certificates.numbers(value):
        if path[0] == "inputs" or path == ("claim", "value"):
            continue
        old = certificates.get(value, path)
        for new in certificates.other_numbers(old, path, rng):
            mutant = copy.deepcopy(value)
            certificates.put(mutant, path, new)
            if is_quick(mutant):
                yield path[0], mutant
    for member in list(value) + ["assumes.T", "delta.episodes", "sweeps.upper", "sweeps.risk"]:
        mutant = copy.deepcopy(value)
        *outer, name = member.split(".")
        del (mutant[outer[0]] if outer else mutant)[name]
        if member != "digest":
            yield "without " + member, mutant
    for name in ("rows", "nodes", "states"):
        for i in range(len(value[name])):
            mutant = copy.deepcopy(value)
            del mutant[name][i]
            yield "one of %s removed" % name, mutant
    for i, row in enumerate(value["rows"]):
        for kind in range(4):
            mutant = copy.deepcopy(value)
            forge_row(mutant["rows"][i], kind, rng)
            yield "row, kind %d" % kind, mutant
    for i, node in enumerate(value["nodes"]):
        for j, other in enumerate(value["nodes"]):
            if i != j:
                mutant = copy.deepcopy(value)
                for key in ("action", "next", "marks"):
                    mutant["nodes"][i][key] = other[key]
                yield "another choice", mutant
    for _ in range(8):
        mutant = copy.deepcopy(value)
        certificates.exchange(mutant, *rng.choice([
            ("rows", "index"), ("rows", "counts"), ("rows", "discovered"), ("rows", "quiet"),
            ("states", "letter"), ("states", "key"), ("nodes", "memory"), ("nodes", "state"),
        ]), rng)
        yield "exchanged", mutant


def is_quick(value):
    return all(type(n) is not int or n < 3000 for n in (value.get("sweeps") or {}).values())


def forge_row(row, kind, rng):
    found = row["discovered"]
    i, j = rng.randrange(len(found)), rng.randrange(len(found))
    if kind == 0:  # times of discovery exchanged
        found[i][1], found[j][1] = found[j][1], found[i][1]
    elif kind == 1:  # the order of discovery
        found[i], found[j] = found[j], found[i]
    elif kind == 2:  # the draw that shows a successor is counted
        for item in found:
            item[1:] = [item[1] - 1, item[2] - 1]
    else:  # a successor is forgotten
        row["counts"] = [c for c in row["counts"] if c[0] != found[i][0]]
        del found[i]
        row["quiet"][0] = min(row["quiet"][0], len(found))


def kinds_of(value):
    """What is special about a certificate; each must have occurred."""
    c = certificate.certificate_of(value)
    c.check_rows()
    c.check_nodes()
    lower, upper = c.lower_bound(), c.upper_bound()
    untried = [p for p, choices in c.all.items() if any(x.row is None for x in choices)]
    yield "U below 1", upper < 1
    yield "U below 1 by fewer sweeps than T", upper < 1 and 0 < c.upper_sweeps < c.horizon
    yield "L above 0", lower > 0
    c.trial, trial = None, c.trial
    yield "L by the model", 0 < lower == c.lower_bound()
    c.trial, c.risk_sweeps = trial, 0
    yield "L by the trial", 0 < lower == c.lower_bound()
    yield "both ends inside", 0 < lower and upper < 1
    yield "a trial without wins", trial is not None and trial[2] == 0
    yield "all won", trial is not None and trial[1] == trial[2]
    yield "a random reset", c.start is None
    yield "an untried row", bool(untried)
    yield "a first node that is untried", c.first.place in untried
    yield "a chosen row that is untried", any(x.row is None for x in c.policy.values())
    yield "a universal memory", any(c.automaton.universal)
    yield "a universal first node", c.is_universal(c.first.place)
    yield "an epsilon move", any(not x.reads for choices in c.all.values() for x in choices)
    yield "a state without actions", any(
        p[0] is not None and c.states[p[0]][1] == 0 for p in c.nodes)
    yield "a node without a choice", any(
        not choices and not c.is_universal(p) for p, choices in c.all.items())
    yield "all successors seen", any(row.unseen == 0 for row in c.rows.values())
    if c.first.place in untried and upper < 1:
        sys.exit("an untried row at the start, but U is below 1: %s" % value)


def main(program, first, count):
    examiner = Examiner(program)
    for seed in range(first, first + count):
        rng = random.Random(seed)
        value = recurrence_runs.make(rng)
        examiner.expect(value, "as it follows", True, seed)
        for name, occurs in kinds_of(value):
            examiner.counts[name] += occurs
        examiner.claims(value, seed)
        examiner.mutants(value, seed, rng, 25)
    examiner.judge.close()
    for name, number in sorted(examiner.counts.items()):
        print("%6d %s" % (number, name))
    missing = [n for n, _ in kinds_of(value) if examiner.counts[n] < count // 100]
    if missing:
        sys.exit("never occurred: %s" % missing)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    import certificate
    import certificates
    import recurrence_runs

    main(sys.argv[1], int(sys.argv[3]), int(sys.argv[4]))
