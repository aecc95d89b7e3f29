#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random chains and decision processes whose probabilities do not sum to 1, against fractions.

A row means its decimals divided by their exact sum. Each model is written as .tra, .drn or a PRISM
program; `check` must enclose the exact greatest and least probability of every objective, claim
precision only where it has it, and with --exact give the fraction itself; `evaluate` must enclose
what the written policy attains.

usage: uneven.py PROGRAM [--models N] [--seed N] [--only K]

--only K runs the Kth model alone. OMEGAPAC_SOAK in the environment shifts the seed.

The oracle shares nothing with the program: every positional policy, each chain solved by
elimination in Python's fractions. Both the objectives and their complements are Rabin conditions,
so that positional policies are enough for greatest and least.
"""
import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

PRECISIONS = ["1e-3", "1e-6", "1e-9", "1e-12"]
OBJECTIVES = {  # name: (formula, whether a set of states that is seen infinitely often wins; None: reach "g")
    "reach": ('F "g"', None),
    "buchi": ('G F "a"', lambda a, b: a),
    "cobuchi": ('F G !"a"', lambda a, b: not a),
    "rabin": ('(G F "a") & (F G !"b")', lambda a, b: a and not b),
}


# ---- models ----

def decimal(value, digits):
    """The fraction with so many digits behind the point, or significant ones if it is tiny."""
    if value < Fraction(1, 10 ** 8):
        return f"{float(value):.{min(digits, 15)}e}"
    whole = round(value * 10 ** digits)
    text = str(whole).rjust(digits + 1, "0")
    return text[:-digits] + "." + text[-digits:]


def random_row(rng, states, own):
    """{target: decimal text}, with a sum that is off by 1e-9 to 1e-15 or not at all."""
    digits = rng.choice([9, 10, 11, 12, 13, 14, 15])
    targets = rng.sample(range(states), rng.randint(1, min(4, states)))
    kind = rng.random()
    weights = {t: Fraction(rng.randint(1, 10 ** 6)) for t in targets}
    if kind < 0.35:  # a loop, or a neighbour that comes back, that is all but certain
        near = own if rng.random() < 0.5 else (own ^ 1) % states
        tiny = Fraction(1, 10 ** rng.choice([3, 6, 9, 11, 12, 13]))
        if rng.random() < 0.15:
            tiny = Fraction(1, 10 ** rng.choice([20, 60, 150, 290]))
        total = sum(w for t, w in weights.items() if t != near) or 1
        weights = {t: w / total * tiny for t, w in weights.items() if t != near}
        weights[near] = 1 - sum(weights.values())
    else:
        total = sum(weights.values())
        weights = {t: w / total for t, w in weights.items()}
    row = {t: decimal(w, digits) for t, w in weights.items()}
    row = {t: text for t, text in row.items() if Fraction(text) > 0}
    return row if row and abs(sum(map(Fraction, row.values())) - 1) < Fraction(1, 10 ** 8) else {own: "1"}


class Model:
    def __init__(self, rng):
        self.count = rng.randint(3, 6)
        self.is_chain = rng.random() < 0.5
        self.rows = []
        for s in range(self.count):
            choices = 1 if self.is_chain or rng.random() < 0.4 else 2
            self.rows.append([random_row(rng, self.count, s) for _ in range(choices)])
        for s in rng.sample(range(1, self.count), rng.randint(1, 2)):
            self.rows[s] = [{s: "1"}]  # something to end in
        self.labels = {name: [rng.random() < 0.4 for _ in range(self.count)] for name in "abg"}
        for holds in self.labels.values():
            holds[rng.randrange(1, self.count)] = True

    def tra(self):
        lines = []
        for s, choices in enumerate(self.rows):
            for c, row in enumerate(choices):
                for t, p in row.items():
                    lines.append(f"{s} {t} {p}" if self.is_chain else f"{s} {c} {t} {p}")
        choices = sum(map(len, self.rows))
        counts = f"{self.count} {len(lines)}" if self.is_chain else f"{self.count} {choices} {len(lines)}"
        names = '0="init" 1="deadlock" 2="a" 3="b" 4="g"\n'
        marks = {s: [2 + i for i, name in enumerate("abg") if self.labels[name][s]] for s in range(self.count)}
        marks[0].insert(0, 0)
        lab = names + "".join(f"{s}: {' '.join(map(str, m))}\n" for s, m in marks.items() if m)
        return {"m.tra": "\n".join([counts] + lines) + "\n", "m.lab": lab}

    def drn(self):
        lines = [f"@type: {'DTMC' if self.is_chain else 'MDP'}", "@parameters", "", "@reward_models", "",
                 "@nr_states", str(self.count), "@nr_choices", str(sum(map(len, self.rows))), "@model"]
        for s, choices in enumerate(self.rows):
            names = ["init"] * (s == 0) + [name for name in "abg" if self.labels[name][s]]
            lines.append(" ".join([f"state {s}"] + names))
            for c, row in enumerate(choices):
                lines.append(f"\taction {c}")
                lines += [f"\t\t{t} : {p}" for t, p in row.items()]
        return {"m.drn": "\n".join(lines) + "\n"}

    def prism(self):
        lines = ["dtmc" if self.is_chain else "mdp", "module m", f"  s : [0..{self.count - 1}] init 0;"]
        for s, choices in enumerate(self.rows):
            for row in choices:
                lines.append(f"  [] s={s} -> " + " + ".join(f"{p}:(s'={t})" for t, p in row.items()) + ";")
        lines.append("endmodule")
        for name, holds in self.labels.items():
            where = " | ".join(f"s={s}" for s in range(self.count) if holds[s]) or "false"
            lines.append(f'label "{name}" = {where};')
        return {"m.prism": "\n".join(lines) + "\n"}


# ---- the oracle ----

def divided(row):
    total = sum(map(Fraction, row.values()))
    return {t: Fraction(p) / total for t, p in row.items()}


def reachable(chain, begin):
    found, todo = {begin}, [begin]
    while todo:
        for t in chain[todo.pop()]:
            if t not in found:
                found.add(t)
                todo.append(t)
    return found


def probability_of(chain, yes):
    """From state 0 to the set; elimination by Gauss, in fractions, over those that can reach it."""
    reach = [reachable(chain, s) for s in range(len(chain))]
    maybe = [s for s in range(len(chain)) if s not in yes and reach[s] & yes]
    rows = {}
    for s in maybe:
        rows[s] = ({t: -p for t, p in chain[s].items() if t in maybe},
                   sum((p for t, p in chain[s].items() if t in yes), Fraction(0)))
        rows[s][0][s] = rows[s][0].get(s, 0) + 1
    for s in reversed(maybe):  # state 0 is the first, and the last to be left
        row, right = rows.pop(s)
        pivot = row.pop(s)
        for other in rows.values():
            factor = other[0].pop(s, 0) / pivot
            if factor:
                for t, p in row.items():
                    other[0][t] = other[0].get(t, 0) - factor * p
                rows[next(k for k, v in rows.items() if v is other)] = (other[0], other[1] - factor * right)
        if not rows:
            return right / pivot if s == 0 else Fraction(0 in yes)
    return Fraction(0 in yes)


def chain_value(chain, labels, wins):
    if wins is None:
        yes = {s for s in range(len(chain)) if labels["g"][s]}
        return probability_of([{s: Fraction(1)} if s in yes else row for s, row in enumerate(chain)], yes)
    reach = [reachable(chain, s) for s in range(len(chain))]
    yes = set()
    for s in range(len(chain)):
        if all(s in reach[t] for t in reach[s]):
            if wins(any(labels["a"][t] for t in reach[s]), any(labels["b"][t] for t in reach[s])):
                yes.add(s)
    return probability_of(chain, yes)


def truth(model):
    """{(name, "max" or "min"): Fraction}"""
    found = {}
    rows = [[divided(row) for row in choices] for choices in model.rows]
    for chain in itertools.product(*rows):
        for name, (_, wins) in OBJECTIVES.items():
            value = chain_value(chain, model.labels, wins)
            for way, better in (("max", max), ("min", min)):
                found[name, way] = better(found.get((name, way), value), value)
    return found


# ---- the program ----

def run(program, folder, arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def results_of(text):
    return [entry["result"] for entry in json.loads(text)["results"]]


def compare(result, value, precision, what):
    lower, upper = Fraction(result["lower"]), Fraction(result["upper"])
    if not lower <= value <= upper:
        return [f"{what}: {float(value)!r} = {value} is not in [{result['lower']!r}, {result['upper']!r}]"]
    if not lower <= Fraction(result["value"]) <= upper:
        return [f"{what}: the value {result['value']} is outside of its own bounds"]
    small = min(upper, 1 - lower)  # a width is relative to the value or, near 1, what is left to 1
    if result["precise"] and small > 0 and upper - lower > max(Fraction(precision), Fraction(1, 10 ** 10)) * 2 * upper:
        return [f"{what}: called precise, [{result['lower']!r}, {result['upper']!r}]"]
    return []


def check_exactly(program, folder, name, values, properties):
    """--exact may refuse what does not fit in 64 bits, by name; it must not be wrong."""
    status, out, err = run(program, folder, ["check", name, "--exact", "--json", *properties])
    if status == 0:
        pairs = zip(results_of(out), values.items())
        return [f"exact {key}: {result['exact']}, not {value}" for result, (key, value) in pairs
                if Fraction(result["exact"]) != value]
    if re.search("fraction|exactly", err):
        return []
    return [f"exact: status {status}: {err}"]


def check_policy(program, folder, name, values, seed):
    keys = list(values)
    objective, way = keys[seed % len(keys)]
    formula = OBJECTIVES[objective][0]
    arguments = ["check", name, "-p", f"P{way}=? [ {formula} ]", "--policy", "p.json", "--quiet"]
    status, _, err = run(program, folder, arguments)
    if status not in (0, 3):
        return [f"policy: status {status}: {err}"]
    status, out, err = run(program, folder, ["evaluate", name, "--policy", "p.json", "--json"])
    if status not in (0, 3):
        return [f"evaluate: status {status}: {err}"]
    result, value = json.loads(out)["result"], values[objective, way]
    lower, upper = Fraction(result["lower"]), Fraction(result["upper"])
    wrong = lower > upper or (lower > value if way == "max" else upper < value)  # no policy is better
    return [f"evaluate {objective} {way}: {value} and [{result['lower']}, {result['upper']}]"] if wrong else []


def check_one(program, seed):
    rng = random.Random(seed)
    model = Model(rng)
    values = truth(model)
    properties = []
    for objective, way in values:
        properties += ["-p", f"P{way}=? [ {OBJECTIVES[objective][0]} ]"]
    wrong, precise = [], 0
    with tempfile.TemporaryDirectory() as folder:
        files = (model.tra, model.drn, model.prism)[seed % 3]()
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        name = next(iter(files))
        precision = rng.choice(PRECISIONS)
        status, out, err = run(program, folder, ["check", name, "--precision", precision, "--json", *properties])
        if status not in (0, 3):
            return [f"status {status}: {err}"], 0, 0
        results = results_of(out)
        for result, (key, value) in zip(results, values.items()):
            precise += result["precise"]
            wrong += compare(result, value, precision, f"{' '.join(key)} at {precision}")
        if seed % 4 == 0:
            wrong += check_exactly(program, folder, name, values, properties)
        if seed % 4 == 1:
            wrong += check_policy(program, folder, name, values, seed // 4)
    return wrong, precise, len(results)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    first = 10 ** 6 * (options.seed + 1000003 * int(os.environ.get("OMEGAPAC_SOAK", "0")))
    seeds = range(options.models) if options.only is None else [options.only]
    failed = precise = claims = 0
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        for seed, (wrong, good, all_of_them) in zip(seeds, pool.map(
                check_one, itertools.repeat(program), (first + k for k in seeds), chunksize=8)):
            failed += bool(wrong)
            precise += good
            claims += all_of_them
            for line in wrong[:3]:
                print(f"model {seed}: {line}")
    print(f"{len(seeds)} models, {failed} wrong; {claims} enclosures, {claims - precise} of them not precise")
    return 1 if failed or precise < 0.98 * claims else 0


if __name__ == "__main__":
    sys.exit(main())
