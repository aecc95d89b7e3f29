#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which discoveries of an open row are possible, by enumerating draws, before two judges.

    discoveries.py PROGRAM LEARN CERTIFICATE

PROGRAM is tests/learn/certificates.c, which has the library's verifier judge texts; LEARN is
tests/learn, with certificate.py, the other judge. CERTIFICATE, which assumes T, gives the form.

Every sequence of up to four draws of up to three successors is observed in batches of any lengths. This gives
the counts, discoveries and quiet visits that a certificate may state. Both judges must accept all of these, and
refuse all others; of the others a part is tested.
"""

import itertools
import json
import random
import sys

STATES = 3


def observe(draws, width, possible):
    """Adds the discoveries of these draws, with the most quiet visits, for each k and all batches."""
    first = [draws.index(s) + 1 for s in range(width)]
    for times in itertools.product(range(1, len(draws) + 1), repeat=width):
        ends = sorted(set(times))
        begins = dict(zip(ends, [0] + ends))
        if not all(begins[t] < f <= t for t, f in zip(times, first)):
            continue
        counts = tuple(draws.count(s) for s in range(width))
        for order in itertools.permutations(range(width)):
            if any(times[a] > times[b] for a, b in zip(order, order[1:])):
                continue
            found = tuple((s, times[s], draws[: times[s]].count(s)) for s in order)
            for k in range(1, width + 1):
                later = [first[s] - 1 for s in order[k:]]
                quiet = max(0, min(later + [len(draws)]) - times[order[k - 1]])
                key = counts, found, k
                possible[key] = max(possible.get(key, 0), quiet)


def rows(width, visits):
    """(counts, discovered, k) for all numbers in range."""
    numbers = range(1, visits + 1)
    for counts in itertools.product(numbers, repeat=width):
        if sum(counts) != visits:
            continue
        for order in itertools.permutations(range(width)):
            for times in itertools.product(numbers, repeat=width):
                for hits in itertools.product(*(range(1, counts[s] + 1) for s in order)):
                    for k in range(1, width + 1):
                        yield counts, tuple(zip(order, times, hits)), k


def form(path):
    """A certificate of one row, that of state 0, whose claim says nothing."""
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    value["assumes"]["T"] = 1
    value["states"] = [{"key": "%02x" % s, "letter": 0, "actions": int(s == 0)} for s in range(STATES)]
    value["nodes"] = [{"state": s, "memory": 0, "action": 0 if s == 0 else None, "next": 0, "marks": []}
                      for s in range(STATES)]
    value["trial"], value["sweeps"] = None, {"upper": 0, "risk": 0}
    value["claim"].update(lower=0, upper=1, value=None)
    return value


def main(program, path):
    judge, value, rng = certificates.Judge(program), form(path), random.Random(1)
    tested = [0, 0]
    for width in range(1, STATES + 1):
        for visits in range(width, 5):
            possible = {}
            for draws in itertools.product(range(width), repeat=visits):
                if len(set(draws)) == width:
                    observe(draws, width, possible)
            for counts, found, k in rows(width, visits):
                most = possible.get((counts, found, k), -1)
                for quiet in {0, max(most, 0), most + 1, visits}:
                    holds = quiet <= most
                    value["rows"] = [{
                        "index": 1, "state": 0, "action": 0,
                        "counts": [[s, n] for s, n in enumerate(counts)],
                        "discovered": [list(item) for item in found], "quiet": [k, quiet]}]
                    if not holds and rng.random() < 0.8:
                        continue
                    raw = certificates.print_value(value)
                    verdicts = judge.verdict(raw), certificate.verdict(raw)
                    tested[holds] += 1
                    if [why is None for why in verdicts] != [holds, holds]:
                        sys.exit("%s: %s, but %s" % (value["rows"], verdicts, holds))
    judge.close()
    print("%d possible and %d impossible rows" % (tested[1], tested[0]))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    import certificate
    import certificates

    main(sys.argv[1], sys.argv[3])
