#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Certificates of real runs, before two judges who share nothing.

    certificates.py PROGRAM MODELS [ROUNDS]     0: no mutants

PROGRAM (certificates.c) makes them, and has the library's verifier judge texts; certificate.py is
the other judge. Both accept each certificate, and tightest.py finds no narrower bracket. Then each
number of each certificate is changed, sets are enlarged, ranks and counts are exchanged, nodes and
rows dropped:

    digest as it was        both refuse
    digest made anew        whoever is refused by certificate.py, which is exact, is refused by the
                            verifier; and what it accepts, the verifier refuses only if it is near
                            the edge, which a share of all may be
"""

import copy
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

import certificate
import tightest


class Judge:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def verdict(self, raw):
        self.process.stdin.write(b"%d\n" % len(raw) + raw)
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode("utf-8", "replace").strip()
        assert line == "holds" or line.startswith("refused: "), (line, raw)
        return None if line == "holds" else line

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


# ---- texts ----


def print_value(value, stale=None):
    """As the writer does, but for lines, with a digest made anew."""
    parts = []
    for key in [k for k in certificate.members_of(value)[:-1] if k in value]:
        parts.append("%s: %s" % (json.dumps(key), json.dumps(value[key], ensure_ascii=False)))
    head = ("{\n" + ",\n".join(parts) + ",\n").encode("utf-8")
    digest = "sha256:" + hashlib.sha256(head).hexdigest() if stale is None else stale
    return head + ('"digest": "%s"\n}\n' % digest).encode("utf-8")


# ---- mutants ----


def numbers(value, path=()):
    """Where numbers, truth values and nulls are."""
    if isinstance(value, dict):
        for k in value:
            yield from numbers(value[k], path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from numbers(v, path + (i,))
    elif not isinstance(value, str):
        yield path


def get(value, path):
    for step in path:
        value = value[step]
    return value


def put(value, path, new):
    get(value, path[:-1])[path[-1]] = new


def other_numbers(old, path, rng):
    if old is None:
        return [0, 1]
    if isinstance(old, bool):
        return [not old]
    if isinstance(old, float) or path[-1] in ("upper", "lower"):
        near = [old * (1 - 1e-3), old * (1 + 1e-3), old / 2, 1 - old, 0, 1, old * (1 - 1e-7)]
        return [x for x in near if x != old]
    made = [old + 1, old * 2 + 1, old + rng.randrange(2, 50)]
    return made + [old - 1, 0] if old > 0 else made


def exchange(value, name, key, rng):
    items = value[name]
    if len(items) < 2:
        return
    i, j = rng.sample(range(len(items)), 2)
    items[i][key], items[j][key] = items[j][key], items[i][key]


def forge_reset(row, kind, rng):
    """A reset with discoveries: swapped, dropped, or hits that were counted twice."""
    found = row["discovered"]
    i, j = rng.randrange(len(found)), rng.randrange(len(found))
    if kind == 9:
        at = rng.choice([0, 1, 2])
        found[i][at], found[j][at] = found[j][at], found[i][at]
    elif kind == 10:
        row["counts"] = [c for c in row["counts"] if c[0] != found[i][0]]
        del found[i]
        row["quiet"][0] = min(row["quiet"][0], len(found))
    else:  # the discovering draw is counted
        for item in found:
            item[1:] = [item[1] - 1, item[2] - 1]


def restructure(value, rng):
    """A change of more than a number."""
    nodes, rows = value["nodes"], value["rows"]
    resets = [row for row in rows if "discovered" in row]
    kind = rng.randrange(12 if resets else 9)
    if kind == 0:
        exchange(value, "nodes", rng.choice(["rank", "upper", "lower", "next", "action"]), rng)
    elif kind == 1:
        has_pmin = len(rows) > 0 and all("pmin" in row for row in rows)
        exchange(value, "rows", rng.choice(["index", "counts"] + ["pmin"] * has_pmin), rng)
    elif kind == 2 and rows:
        counts = rng.choice(rows)["counts"]
        if len(counts) > 1:
            i, j = rng.sample(range(len(counts)), 2)
            counts[i][1], counts[j][1] = counts[j][1], counts[i][1]
    elif kind == 3:  # W enlarged
        node = rng.choice(nodes)
        node.update(wins=True, upper=1, lower=1, rank=0)
    elif kind == 4 and len(nodes) > 1:
        del nodes[rng.randrange(1, len(nodes))]
    elif kind == 5 and rows:
        del rows[rng.randrange(len(rows))]
    elif kind == 6 and rows:
        counts = rng.choice(rows)["counts"]
        del counts[rng.randrange(len(counts))]
    elif kind == 7:  # all that is claimed
        end, x = rng.choice(["lower", "upper"]), rng.random()
        nodes[0][end] = value["claim"][end] = x
    elif kind > 8:
        forge_reset(resets[0], kind, rng)
    else:  # everything a little higher, or lower
        factor = rng.choice([0.9, 0.999, 1.001, 1.1])
        for node in nodes:
            for end in ("lower", "upper"):
                if 0 < node[end] < 1:
                    node[end] = min(1, node[end] * factor)
        for end in ("lower", "upper"):
            value["claim"][end] = nodes[0][end]
    return


def mutants(value, rounds, rng):
    places = list(numbers({k: v for k, v in value.items() if k != "digest"}))
    for path in places:
        old = get(value, path)
        for new in rng.sample(other_numbers(old, path, rng), 1):
            other = copy.deepcopy(value)
            put(other, path, new)
            # What is claimed goes with the first node.
            if path[:2] == ("nodes", 0) and path[2] in ("upper", "lower"):
                other["claim"][path[2]] = new
            yield other, (path, old, new)
    for i in range(rounds):
        other = copy.deepcopy(value)
        restructure(other, rng)
        if other != value:
            yield other, ("restructured", i)


# ---- the trial ----


def try_mutants(name, raw, judge, rounds, rng, tally):
    value = json.loads(raw)
    assert certificate.verdict(print_value(value)) is None, name
    assert judge.verdict(print_value(value)) is None, name
    for other, what in mutants(value, rounds, rng):
        stale = print_value(other, value["digest"])
        assert judge.verdict(stale) is not None, (name, what)
        assert certificate.verdict(stale) is not None, (name, what)
        other["claim"]["statement"] = None  # it goes with the numbers
        fresh = print_value(other)
        exact, ours = certificate.verdict(fresh), judge.verdict(fresh)
        tally["mutants"] += 1
        tally["refused"] += ours is not None
        if exact is not None and ours is None:
            tally["missed"].append((name, what, exact))
        elif exact is None and ours is not None:
            tally["strict"].append((name, what, ours))


def main(program, models, rounds):
    rng = random.Random(7)
    tally = {"mutants": 0, "refused": 0, "strict": [], "missed": []}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "make", models, folder], check=True, stdout=subprocess.DEVNULL)
        judge = Judge(program)
        names = sorted(os.listdir(folder))
        assert len(names) > 15, names
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                raw = file.read()
            assert certificate.verdict(raw) is None, (name, certificate.verdict(raw))
            assert judge.verdict(raw) is None, (name, judge.verdict(raw))
            assert tightest.complaint(raw)[0] is None, (name, tightest.complaint(raw))
            if rounds > 0:
                try_mutants(name, raw, judge, rounds, rng, tally)
        judge.close()
    for verdict in ("missed", "strict"):
        for item in tally[verdict][:20]:
            print("%s:" % verdict, *item)
    print("%d certificates, %d mutants, %d refused, %d by the verifier alone"
          % (len(names), tally["mutants"], tally["refused"], len(tally["strict"])))
    assert tally["refused"] >= 0.4 * tally["mutants"]
    assert not tally["missed"]
    assert len(tally["strict"]) <= 0.01 * tally["mutants"]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10)
