#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`omegapac bound --json` against the formulas in 60-digit decimal arithmetic,
on the published parameters and on random ones of all sizes.

usage: bound_oracle.py PROGRAM
"""
import json
import random
import subprocess
import sys
from decimal import ROUND_CEILING, Decimal, getcontext

getcontext().prec = 60


def ceiling(x):
    return int(x.to_integral_value(rounding=ROUND_CEILING))


def expected(n, k_actions, horizon, epsilon, delta, m):
    """{rule: k} with epsilon and delta as the doubles that the program sees."""
    e, d = Decimal(epsilon), Decimal(delta)
    paper = (2 * n * k_actions / d).ln() / (2 * (e / (n * horizon)) ** 2)
    sound = (2 * m * n * k_actions / d).ln() / (2 * (e / (n * horizon)) ** 2)
    sets = Decimal(2) ** m - 2 if m < 300 else None
    if m == 1:
        l1 = Decimal(1)
    else:
        log_sets = sets.ln() if sets is not None else m * Decimal(2).ln()
        l1 = Decimal(horizon) ** 2 / (2 * e * e) * (log_sets + (n * k_actions / d).ln())
    return {"paper": ceiling(paper), "sound": ceiling(sound), "l1": ceiling(l1)}


def policy_steps(k, n, k_actions, horizon, epsilon, delta):
    e, d, total = Decimal(epsilon), Decimal(delta), Decimal(k) * n * k_actions
    return horizon * ceiling(max(total / e, (total - d.ln()) / (2 * e * e)))


def bound(program, n, k_actions, horizon, epsilon, delta, m=None, rule="paper"):
    command = [program, "bound", "--states", n, "--actions", k_actions, "-T", horizon,
               "--epsilon", epsilon, "--delta", delta, "--k", rule, "--json"]
    if m is not None:
        command += ["--branching", m]
    run = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def same(found, wanted):
    """Exact below 2^64, three digits rounded up beyond; JSON's reader makes some infinite."""
    if wanted < 2 ** 64 - 1:
        return found == wanted
    return found == float("inf") or Decimal("-2e-9") < Decimal(found) / wanted - 1 < Decimal("0.0101")


def check(program, n, k_actions, horizon, epsilon, delta, m=None):
    for rule in ("paper", "sound", "l1"):
        result = bound(program, n, k_actions, horizon, repr(epsilon), repr(delta), m, rule)["result"]
        for name, k in expected(n, k_actions, horizon, epsilon, delta, m or n).items():
            assert same(result["rules"][name]["k"], k), (name, k, result)
            steps = policy_steps(k, n, k_actions, horizon, epsilon, delta)
            assert same(result["rules"][name]["C"], steps), (name, steps, result)
            assert same(result["rules"][name]["samples"], k * n * k_actions), (name, result)
        assert result["k"] == result["rules"][rule]["k"]


def published(program):
    result = bound(program, 12, 4, 19, "1/20", "1/10")["result"]
    assert (result["k"], result["C"]) == (71394132, 13022289685559), result
    result = bound(program, 8, 2, 8, "1/60", "1/10")["result"]
    assert (result["k"], result["C"]) == (42528678, 9798607444360), result
    assert bound(program, 12, 4, 19, "1/20", "1/10", 3, "l1")["result"]["k"] == 575113
    assert bound(program, 12, 4, 19, "1/20", "1/10", None, "l1")["result"]["k"] == 1046255
    assert bound(program, 12, 4, 19, "1/20", "1/10", 6, "l1")["result"]["k"] == 743727
    assert bound(program, 6, 4, 19, "1/20", "1/10", 6, "l1")["result"]["k"] == 693682
    assert bound(program, 12, 4, 306, "1/20", "1/10")["result"]["k"] == 18518174353
    assert bound(program, 5, 2, 323, "1/20", "1/10")["result"]["k"] == 2763840763


def main(program):
    published(program)
    generator = random.Random(1)
    cases = 0
    for _ in range(60):
        n = int(10 ** generator.uniform(0, 9))
        m = None if generator.random() < 0.3 else generator.randint(1, min(n, 1000))
        check(program, n, int(10 ** generator.uniform(0, 6)), int(10 ** generator.uniform(0, 9)),
              generator.random() * 10 ** -generator.randint(0, 5),
              generator.random() * 10 ** -generator.randint(0, 12), m)
        cases += 1
    for extremes in ((1, 1, 1, 0.9999999999999999, 0.9999999999999999, None),
                     (2 ** 64 - 1, 2 ** 64 - 1, 2 ** 64 - 1, 1e-300, 1e-300, None),
                     (2, 1, 1, 0.5, 5e-324, 2), (10 ** 6, 10, 1, 0.3, 0.1, 1)):
        check(program, *extremes)
        cases += 1
    print(f"{cases} passed, 0 failed")


if __name__ == "__main__":
    main(sys.argv[1])
