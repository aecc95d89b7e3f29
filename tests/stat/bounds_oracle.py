# SPDX-License-Identifier: MIT
"""Compares the sample bounds with decimal arithmetic of 150 digits.

usage: bounds_oracle.py DRIVER

Asks the driver (bounds_driver.c) about random parameters with a fixed seed,
among them results around 2^53 and 2^64, and compares every ceiling exactly.
"""
import random
import subprocess
import sys
from decimal import ROUND_CEILING, Decimal, getcontext

getcontext().prec = 150
SATURATED = 2**64 - 1


def ceiling(x):
    return max(1, int(x.to_integral_value(rounding=ROUND_CEILING)))


def log_subsets(m):
    """ln(2^m - 2)"""
    rest = Decimal(2) ** (1 - m) if m < 1000 else Decimal(0)
    return m * Decimal(2).ln() + (1 - rest).ln()


def l1(n, k, t, delta, m, c):
    if m == 1:
        return 1
    log_events = log_subsets(m) + (Decimal(n) * k / delta).ln()
    return ceiling(Decimal(t) ** 2 / (2 * c**2) * log_events)


def k_of(rule, n, k, t, eps, delta, m):
    if rule == "l1":
        return l1(n, k, t, delta, m, eps)
    events = Decimal(2) * n * k * (m if rule == "sound" else 1)
    return ceiling((events / delta).ln() / (2 * (eps / (n * t)) ** 2))


def expect_k(rule, n, k, t, eps, delta, m):
    eps, delta, m = Decimal(eps), Decimal(delta), m or n
    bound = k_of(rule, n, k, t, eps, delta, m)
    samples = bound * n * k
    episodes = max(samples / eps, (samples - delta.ln()) / (2 * eps**2))
    return [bound, samples, t * ceiling(episodes)]


def expect_recurrence(n, p, eps):
    p, eps = Decimal(p), Decimal(eps)
    if p == 1:
        return [2 * n - 1, 2 * n]
    published = ceiling(2 * n * (eps / 2).ln() / (1 - p**n).ln())
    if n == 1:
        return [1, published]
    rounds = ceiling((eps / (2 * n)).ln() / (1 - p ** (n - 1)).ln())
    return [2 * (n - 1) * rounds, published]


def expect_estimator(eps, delta):
    return [ceiling((2 / Decimal(delta)).ln() / (2 * Decimal(eps) ** 2))]


def check_counts(question, fields, expected):
    for i, number in enumerate(expected):
        value, log10 = int(fields[2 * i]), float(fields[2 * i + 1])
        wanted = min(number, SATURATED)
        exact_log10 = float(Decimal(number).log10())
        if value != wanted or abs(log10 - exact_log10) > 1e-9 * max(1, exact_log10):
            sys.exit(f"{question}: got {value} ({log10}), expected {number} ({exact_log10})")


def check_accuracy(question, fields):
    _, n, k, t, _, delta, m, c = question
    delta, m = Decimal(delta), m or n
    bound = l1(n, k, t, delta, m, Decimal(c))
    check_counts(question, fields, [bound])
    if m == 1 or bound > SATURATED:
        return
    log_events = log_subsets(m) + (Decimal(n) * k / delta).ln()
    exact = t * (log_events / (2 * bound)).sqrt()
    found = Decimal(float.fromhex(fields[2]))
    if not exact <= found <= exact * (1 + Decimal(2) ** -51):
        sys.exit(f"{question}: accuracy {found}, expected {exact} rounded up")


def whole(draw, digits):
    return max(1, int(10 ** draw.uniform(0, digits)))


def fraction(draw, digits):
    return min(10 ** draw.uniform(-digits, 0), 1 - 2.0**-53)


def questions(draw):
    for i in range(400):
        digits = [2, 4, 9, 19][i % 4]
        n, k, t = whole(draw, digits), whole(draw, digits), whole(draw, digits)
        small = [2, 3, 5, 200][i % 4]
        eps, delta = fraction(draw, small), fraction(draw, small)
        m = draw.choice([0, 1, min(2, n), min(3, n), draw.randint(1, n)])
        yield [draw.choice(["paper", "sound", "l1"]), n, k, t, eps, delta, m]
        yield ["accuracy", n, k, t, eps, delta, m, fraction(draw, small) * 10]
        yield ["recurrence", draw.randint(1, 40), fraction(draw, draw.choice([0.1, 1, 3])), eps]
        yield ["estimator", eps, delta]
    for n in (1, 2, 7):
        yield ["recurrence", n, 1.0, 0.5]
    # Quotients that are whole numbers: their ceiling is themselves.
    for k in range(1, 40):
        yield ["l1", 1, k, 3, 0.75, 0.5, 1]
        yield ["l1", 1, k, 3, 0.5, 0.5, 1]


def text_of(field):
    return field.hex() if isinstance(field, float) else str(field)


def main():
    asked = list(questions(random.Random(20240229)))
    text = "".join(" ".join(map(text_of, question)) + "\n" for question in asked)
    run = subprocess.run(sys.argv[1:2], input=text, capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} questions, {len(answers)} answers")
    exact = 0
    for question, answer in zip(asked, answers):
        if answer.startswith("error"):
            sys.exit(f"{question}: {answer}")
        fields, kind = answer.split(), question[0]
        if kind == "accuracy":
            check_accuracy(question, fields)
            continue
        expect = {"recurrence": expect_recurrence, "estimator": expect_estimator}.get(kind)
        expected = expect(*question[1:]) if expect else expect_k(*question)
        check_counts(question, fields, expected)
        exact += sum(2**53 < number < SATURATED for number in expected)
    # The reason for double-double: results that a double would not give exactly.
    if exact < 50:
        sys.exit(f"only {exact} numbers between 2^53 and 2^64 were compared")
    print(f"{len(asked)} questions agree, {exact} numbers among them between 2^53 and 2^64")


if __name__ == "__main__":
    main()
