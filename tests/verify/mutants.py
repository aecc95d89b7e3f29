#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Certificates of runs, each number changed, sets enlarged, ranks swapped, counts exchanged.

Each mutant gets a new digest and is checked twice: by omegapac verify, and by
tests/learn/certificate.py, which computes in fractions. Both must agree up to rounding: if only
verify refuses, the change is smaller than 1e-8.

usage: mutants.py PROGRAM MODELS CERTIFICATE.PY [MOST-MUTANTS-OF-A-CERTIFICATE]
"""
import copy
import hashlib
import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

RUNS = [
    ["gridworld.prism", "-f", "(G F s) & (G F g)", "--pmin", "0.2"],
    ["frozenlake.prism", "-f", "F goal", "--pmin", "0.3"],
    ["frozenlake.prism", "-f", "G !goal", "--graph", "model"],
    ["two-coins.prism", "-D", "p=1/3", "-f", "F both", "--pmin", "0.2"],
    ["two-coins.prism", "-D", "p=1/3", "-f", "F G both", "--graph", "model", "--kind", "ldba"],
    ["chain.prism", "-f", "F won", "--graph", "model"],
    ["chain.prism", "-f", "G F won", "--pmin", "1/64"],
    ["channel.prism", "-f", "F delivered", "--pmin", "0.1", "--explore", "generative"],
    ["counterexample.prism", "-f", "G F good", "--graph", "model"],
    ["gridworld.prism", "-f", "(G F s) & (G F g)", "-T", "40"],
    ["two-coins.prism", "-D", "p=1/3", "-f", "F both", "-T", "4", "--target", "0.5"],
    ["chain.prism", "-f", "G F won", "-T", "8", "--target", "0.45"],
    ["delivery.prism", "-f", "F G !crashed", "-T", "72", "--kind", "ldba", "--target", "0.9"],
    ["two-coins.prism", "-D", "p=1/3", "-f", "F both"],
    ["frozenlake.prism", "-f", "F goal", "--graph", "model", "--alike", "commands"],
    ["frozenlake.prism", "-f", "F goal", "--pmin", "0.1", "--alike", "commands", "--pmin-outcome", "0.1"],
    ["delivery.prism", "-f", "G F village", "--pmin", "0.1", "--alike", "commands"],
]
# Nothing depends on them.
FREE = ("inputs", "epsilon", "value", "statement", "version")


def seal(value):
    """One member a line, as the writer does; only the line before the digest matters."""
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items() if k != "digest"]
    body = "{\n" + ",\n".join(lines) + ",\n"
    return body + f'"digest": "sha256:{hashlib.sha256(body.encode()).hexdigest()}"\n}}\n'


def places(value, path=()):
    """Paths of all numbers, truth values and nulls that matter."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in FREE:
                yield from places(item, path + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, path + (i,))
    elif not isinstance(value, str):
        yield path


def at(value, path):
    for key in path:
        value = value[key]
    return value


def others(old):
    if isinstance(old, bool):
        return [not old]
    if old is None:
        return [0]
    if isinstance(old, int):
        return [old + 1, max(old - 1, 0), 2 * old + 1, None, -1]
    return [old * (1 - 1e-6), old * (1 + 1e-6), old / 2, (1 + old) / 2, 0, 1]


def mutants(value, chance):
    for path in places(value):
        for new in others(at(value, path)):
            mutant = copy.deepcopy(value)
            at(mutant, path[:-1])[path[-1]] = new
            yield path, new, mutant
    for name, member in (("nodes", "rank"), ("nodes", "upper"), ("nodes", "lower"), ("rows", "counts"),
                         ("rows", "index"), ("states", "letter"), ("nodes", "action"), ("rows", "discovered"),
                         ("rows", "quiet"), ("rows", "class"), ("rows", "shown"), ("classes", "outcomes"),
                         ("classes", "index")):
        for _ in range(12 if name in value else 0):
            mutant = copy.deepcopy(value)
            some = [item for item in mutant[name] if member in item]
            if len(some) < 2:
                continue
            a, b = chance.sample(some, 2)
            a[member], b[member] = b[member], a[member]
            yield (name, member), "swapped", mutant
    for name in ("nodes", "rows", "classes"):
        for i in range(len(value.get(name, []))):
            mutant = copy.deepcopy(value)
            del mutant[name][i]
            yield (name, i), "removed", mutant
    for i in range(len(value["nodes"]) if "T" not in value["assumes"] else 0):
        mutant = copy.deepcopy(value)
        mutant["nodes"][i].update(upper=1, lower=1, wins=True, rank=0)
        yield ("nodes", i), "wins", mutant
        mutant = copy.deepcopy(value)
        mutant["nodes"][i].update(upper=0, lower=0, wins=False, rank=None, action=None, next=None, marks=None)
        yield ("nodes", i), "worth nothing", mutant
    for i, row in enumerate(value["rows"]):
        if "discovered" in row:
            mutant = copy.deepcopy(value)
            del mutant["rows"][i]["discovered"], mutant["rows"][i]["quiet"]
            yield ("rows", i), "complete", mutant
            for k, (_, draw, _) in enumerate(row["discovered"][1:]):
                mutant = copy.deepcopy(value)
                a, b = mutant["rows"][i]["discovered"][k:k + 2]
                a[1], b[1] = draw, row["discovered"][k][1]
                yield ("rows", i), "draws swapped", mutant
        if len(row["counts"]) == 2:
            mutant = copy.deepcopy(value)
            (_, a), (_, b) = row["counts"]
            for pair, count in zip(mutant["rows"][i]["counts"], (b, a)):
                pair[1] = count
            yield ("rows", i), "exchanged", mutant


def alike_mutants(value):
    """Of certificates with rows alike: what a liar would write."""
    for i, one in enumerate(value["classes"]):
        for k in range(len(one["outcomes"]) - 1):
            mutant = copy.deepcopy(value)  # two discoveries exchanged
            a, b = mutant["classes"][i]["outcomes"][k : k + 2]
            a[2], b[2] = b[2], a[2]
            yield ("classes", i), "discoveries exchanged", mutant
            mutant = copy.deepcopy(value)  # draws moved to another outcome, in the class and a row
            a, b = mutant["classes"][i]["outcomes"][k : k + 2]
            a[1], b[1] = a[1] + b[1] - 1, 1
            yield ("classes", i), "draws moved", mutant
    for i, row in enumerate(value["rows"]):
        if row.get("shown"):
            mutant = copy.deepcopy(value)  # an outcome that was not shown
            del mutant["rows"][i]["shown"][-1]
            yield ("rows", i), "an outcome removed", mutant
            mutant = copy.deepcopy(value)
            shown = mutant["rows"][i]["shown"]
            shown[0][1] = shown[-1][1]
            yield ("rows", i), "another successor", mutant
    mutant = copy.deepcopy(value)
    mutant["assumes"]["pmin_outcome"] = 0.2
    yield ("assumes",), "pmin_outcome", mutant


def follow_claim(value):
    """The claim is that of the first node, so that a change there does not show in it alone."""
    value["claim"]["statement"] = None
    if "T" in value["assumes"]:
        return
    for end in ("lower", "upper"):
        value["claim"][end] = value["nodes"][0][end] if value["nodes"] else 1


def judge(program, path):
    done = subprocess.run([program, "verify", "--json", path], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), (done.returncode, done.stderr)
    found = json.loads(done.stdout)["result"]
    assert found["holds"] == (done.returncode == 0)
    return found["holds"], found.get("reason")


def main(program, models, checker_path, most):
    sys.path.insert(0, str(pathlib.Path(checker_path).parent))
    checker = importlib.import_module("certificate")
    chance = random.Random(1)
    counts = {"held": 0, "refused": 0, "stricter": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "c.cert"))
        for number, run in enumerate(RUNS):
            pathlib.Path(path).unlink(missing_ok=True)
            subprocess.run([program, "learn", str(pathlib.Path(models, run[0])), *run[1:], "--epsilon", "0.2",
                            "--delta", "0.1", "--max-steps", "3000", "--quiet", "--certificate", path],
                           capture_output=True, check=False)
            text = pathlib.Path(path).read_bytes()
            assert judge(program, path)[0], (run, judge(program, path))
            assert checker.verdict(text) is None, (run, checker.verdict(text))
            value = json.loads(text)
            made = list(mutants(value, chance))
            made += list(alike_mutants(value)) if "classes" in value else []
            for where, new, mutant in chance.sample(made, min(most, len(made))):
                # A claim that differs is not checked where fewer sweeps than T are made; the statement is.
                if chance.random() < 0.5 or where[0] == "claim":
                    follow_claim(mutant)
                raw = seal(mutant)
                pathlib.Path(path).write_text(raw, encoding="utf-8")
                holds, reason = judge(program, path)
                other = checker.verdict(raw.encode())
                if holds and other is not None:
                    sys.exit(f"{run}: {where} = {new}: holds, but: {other}")
                if not holds and other is None:
                    counts["stricter"] += 1
                    if where[:1] != ("delta",):
                        sys.exit(f"{run}: {where} = {new}: refused ({reason}), but holds")
                counts["held" if holds else "refused"] += 1
            print(number, run[0], len(made), counts, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 400)
