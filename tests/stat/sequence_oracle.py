# SPDX-License-Identifier: MIT
"""Compares confidence sequences with decimal arithmetic of 50 digits.

usage: sequence_oracle.py DRIVER [all]

Asks the driver (sequence_driver.c). Of every interval, and of every lower bound on the probability of
success: its ends are not inside the one of the real numbers (the inequality does not hold there, with
the beta function as an exact fraction for up to 2000 trials and by Stirling's series above), and an
end moved inwards by little is. Numbers of visits are compared exactly. With "all": every count up to
200 trials, a seventh of those up to 500, and more of all others.
"""
import math
import random
import subprocess
import sys
from decimal import ROUND_CEILING, Decimal, getcontext
from fractions import Fraction
from functools import lru_cache

getcontext().prec = 50
EXACT = 2000  # trials up to which factorials are exact
HALF = Decimal(1) / 2
SLACK = Decimal("2e-12")  # how far an end may be outside, relative to its distance from the share
ULPS = Decimal(2) ** -49  # and relative to itself, or to 1 minus itself


def bernoulli(count):
    numbers = [Fraction(1)]
    for m in range(1, count):
        numbers.append(-sum(math.comb(m + 1, j) * numbers[j] for j in range(m)) / (m + 1))
    return numbers


BERNOULLI = bernoulli(62)


def pi():
    """Machin's formula."""
    def arctan(x):
        total, term, k = Decimal(0), Decimal(1) / x, 1
        while abs(term) > Decimal(10) ** -60:
            total += term / k
            term, k = -term / (x * x), k + 2
        return total
    return 16 * arctan(5) - 4 * arctan(239)


LOG_PI = pi().ln()


@lru_cache(maxsize=None)
def log_gamma(doubled):
    """ln Gamma(doubled / 2), exact product below EXACT, else Stirling's series."""
    x = Decimal(doubled) / 2
    if doubled <= 2 * EXACT:
        if doubled % 2 == 0:
            return Decimal(math.factorial(doubled // 2 - 1)).ln()
        odd = math.prod(range(1, doubled - 1, 2))
        return Decimal(odd).ln() - (doubled // 2) * Decimal(2).ln() + LOG_PI / 2
    series = Decimal(0)
    for k in range(1, 31):
        b = BERNOULLI[2 * k]
        term = Decimal(b.numerator) / b.denominator / (2 * k * (2 * k - 1)) / x ** (2 * k - 1)
        series += term
        if abs(term) < Decimal(10) ** -55:
            break
    return (x - HALF) * x.ln() - x + (Decimal(2).ln() + LOG_PI) / 2 + series


def log_mixture(counts):
    """ln of the mixture's probability of a sequence with these counts; k = 2: Jeffreys'."""
    k, n = len(counts), sum(counts)
    total = log_gamma(k) - log_gamma(2 * n + k) - k * LOG_PI / 2
    return total + sum(log_gamma(2 * s + 1) for s in counts)


def times_log(s, x):
    return s * x.ln() if s else Decimal(0)


def excess(counts, i, limit, p):
    """The distance by which p lies inside, in coordinate i; negative if outside."""
    s, n = counts[i], sum(counts)
    if (p <= 0 and s > 0) or (p >= 1 and s < n):
        return Decimal("-Infinity")
    others = 0
    if 2 < len(counts) and s < n:
        others = sum(times_log(c, Decimal(c)) - times_log(c, Decimal(n - s))
                     for j, c in enumerate(counts) if j != i)
    return times_log(s, p) + times_log(n - s, 1 - p) + others - limit


def check_end(question, counts, i, limit, end, other):
    """`other` is 0 or 1: the end of [0, 1] near which it lies."""
    share = Decimal(counts[i]) / sum(counts)
    if share == other:
        if end != other:
            sys.exit(f"{question}: an end is {end}, expected {other}")
        return
    p = Decimal(end)
    if excess(counts, i, limit, p) > 0:
        sys.exit(f"{question}: the end {end} ({end.hex()}) is inside")
    inward = SLACK * abs(share - p) + ULPS * min(p, 1 - p) + Decimal(2) ** -1071
    if p > HALF:
        inward += Decimal(2) ** -52  # the doubles there are no denser
    nearer = p + inward if other == 0 else p - inward
    if (nearer - share) * (p - share) > 0 and excess(counts, i, limit, nearer) < 0:
        sys.exit(f"{question}: the end {end} ({end.hex()}) is too far outside")


def check_mixture(question, counts, log_alpha, fields):
    limit = log_mixture(counts) + Decimal(log_alpha)
    for i in range(len(fields) // 2):
        lower, upper = (float.fromhex(field) for field in fields[2 * i:2 * i + 2])
        if not 0 <= lower <= upper <= 1:
            sys.exit(f"{question}: [{lower}, {upper}]")
        check_end(question, counts, i, limit, lower, 0)
        check_end(question, counts, i, limit, upper, 1)


def check_success(question, s, n, log_alpha, fields):
    """ln of E_m(p) < 1/alpha: with a failure the mixture has level alpha/2, and without one its share
    r of the sequence is joined by the bet on success."""
    counts, limit = [s, n - s], Decimal(log_alpha)
    mixture = log_mixture(counts)
    limit += mixture - Decimal(2).ln() if s < n else ((1 + mixture.exp()) / 2).ln()
    lower = float.fromhex(fields[0])
    if not 0 <= lower <= 1:
        sys.exit(f"{question}: {lower}")
    check_end(question, counts, 0, limit, lower, 0)


def check_hoeffding(question, s, n, log_alpha, fields):
    lower, upper = (Decimal(float.fromhex(field)) for field in fields)
    share = Decimal(s) / n
    half = ((2 * Decimal(n) * (n + 1)).ln() - Decimal(log_alpha)) / (2 * n)
    half = half.sqrt()
    wide = half * (1 + Decimal("2e-9")) + Decimal(2) ** -50
    for good in (max(share - wide, 0) <= lower <= max(share - half, 0),
                 min(share + half, 1) <= upper <= min(share + wide, 1)):
        if not good:
            sys.exit(f"{question}: Hoeffding's ends {lower} {upper}")


def check_visits(question, pmin, successors, log_alpha, fields):
    expected = 1
    if pmin < 1:
        exact = (Decimal(successors).ln() - Decimal(log_alpha)) / -(1 - Decimal(pmin)).ln()
        expected = max(1, int(exact.to_integral_value(rounding=ROUND_CEILING)))
    if int(fields[0]) != min(expected, 2**64 - 1):
        sys.exit(f"{question}: {fields[0]} visits, expected {expected}")


def questions(draw, everything):
    logs = [-0.01, -0.7, -6.9, -40.0, -690.7]
    for n in range(1, 501 if everything else 21):
        for s in range(n + 1):
            if n <= 200 or (n + s) % 7 == 0 or s in (0, 1, n - 1, n):
                yield ["jeffreys", s, n, logs[(n + s) % 5]]
            if n <= 50 or s in (1, n - 1, n):
                yield ["success", s, n, logs[(n + 2 * s) % 5]]
    for i in range(3000 if everything else 200):
        n = max(1, int(2 ** draw.uniform(0, [10, 20, 40, 53][i % 4])))
        few = min(n, int(2 ** draw.uniform(0, 53)))
        s = [draw.randint(0, n), few, n // 2, min(n, i % 5)][i // 4 % 4]
        s = s if i % 2 else n - s
        log_alpha = -10 ** draw.uniform(-3, 2.84)
        yield ["jeffreys", s, n, log_alpha]
        yield ["success", [s, n][i % 2], n, [log_alpha, -10 ** draw.uniform(-12, 5)][i // 2 % 2]]
        if i % 5 == 0:
            yield ["hoeffding", s, n, log_alpha]
    for i in range(400):
        pmin = draw.choice([1.0, 0.5, 0.2, 2.0 ** -draw.randint(0, 60), draw.random(),
                            10 ** draw.uniform(-22, 0), 1 - 2.0 ** -draw.randint(1, 53)])
        yield ["visits", min(pmin, 1.0), float(draw.randint(1, 1 << draw.randint(1, 40))),
               -10 ** draw.uniform(-3, 2.84)]
    # As close to an integer number of visits as doubles permit, from both sides.
    for m in range(1, 200 if everything else 20):
        for pmin in (0.5, 0.25, 0.1, 2.0 ** -20):
            log_alpha = float(m * (1 - Decimal(pmin)).ln())
            for near in (math.nextafter(log_alpha, 0), log_alpha, math.nextafter(log_alpha, -1e9)):
                yield ["visits", pmin, 1.0, near]


def main():
    asked = list(questions(random.Random(20250301), "all" in sys.argv[2:]))
    text = "".join(" ".join(f.hex() if isinstance(f, float) else str(f) for f in question) + "\n"
                   for question in asked)
    run = subprocess.run(sys.argv[1:2], input=text, capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} questions, {len(answers)} answers")
    for question, answer in zip(asked, answers):
        kind, fields = question[0], answer.split()
        if kind == "jeffreys":
            s, n, log_alpha = question[1:]
            check_mixture(question, [s, n - s], log_alpha, fields)
        elif kind == "success":
            check_success(question, *question[1:], fields)
        elif kind == "hoeffding":
            check_hoeffding(question, *question[1:], fields)
        else:
            check_visits(question, *question[1:], fields)


if __name__ == "__main__":
    main()
