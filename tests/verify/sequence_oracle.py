#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of test_sequence.c: ends of Jeffreys' confidence sequence to 30 digits.

The condition is evaluated directly, S ln p + (n-S) ln(1-p) >= ln B(1/2+S, 1/2+n-S) - ln pi + ln alpha,
with 90 digits, so that no cancellation matters.

usage: sequence_oracle.py > table
"""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 90
D = Decimal


def bernoulli(count):
    numbers = [Fraction(1)]
    for m in range(1, count + 1):
        total, choose = Fraction(0), 1
        for k in range(m):
            total += choose * numbers[k]
            choose = choose * (m + 1 - k) // (k + 1)
        numbers.append(-total / (m + 1))
    return numbers


BERNOULLI = bernoulli(60)


def pi():
    """Machin: pi/4 = 4 arctan 1/5 - arctan 1/239."""
    def arctan(inverse):
        total, k, power = D(0), 0, D(1) / inverse
        while abs(power) > D(10) ** -95:
            total += power / (2 * k + 1)
            power = -power / (inverse * inverse)
            k += 1
        return total
    return 4 * (4 * arctan(5) - arctan(239))


PI = pi()


def log_gamma(x):
    shift = D(0)
    while x < 200:
        shift += x.ln()
        x += 1
    result = (x - D("0.5")) * x.ln() - x + (2 * PI).ln() / 2
    for k in range(1, 29):
        b = BERNOULLI[2 * k]
        result += D(b.numerator) / D(b.denominator) / (2 * k * (2 * k - 1)) / x ** (2 * k - 1)
    return result - shift


def ends(s, n, log_alpha):
    half, s, n = D("0.5"), D(s), D(n)
    bound = log_gamma(s + half) + log_gamma(n - s + half) - log_gamma(n + 1) - PI.ln() + D(log_alpha)

    def inside(p):
        left = s * p.ln() if s > 0 else D(0)
        return left + ((n - s) * (1 - p).ln() if n > s else D(0)) >= bound

    def bisect(a, b):  # a inside
        for _ in range(230):
            middle = (a + b) / 2
            a, b = (middle, b) if inside(middle) else (a, middle)
        return a

    mean = s / n
    # From the ends, which are outside unless the count is 0 or n.
    low = D(0) if s == 0 else bisect(mean if s < n else D(1) - D(10) ** -80, D(10) ** -400)
    high = D(1) if s == n else bisect(mean if s > 0 else D(10) ** -80, 1 - D(10) ** -88)
    return low, high


CASES = [(0, 1), (1, 1), (1, 2), (0, 10), (3, 10), (10, 10), (15, 16), (16, 32), (17, 33), (60, 100), (1, 1000),
         (10, 1000), (999, 1000), (500, 1000), (0, 10 ** 6), (1, 10 ** 6), (123456, 10 ** 6), (10 ** 9 // 3, 10 ** 9),
         (1, 2 ** 53), (2 ** 52, 2 ** 53), (2 ** 53 - 5, 2 ** 53), (2 ** 53 // 7, 2 ** 53), (0, 2 ** 53)]

if __name__ == "__main__":
    for s, n in CASES:
        for log_alpha in (-0.125, -7.5, -300):
            low, high = ends(s, n, log_alpha)
            print(f'    {{{s}u, {n}u, {log_alpha}, {low:.30e}, {high:.30e}, {1 - high:.30e}}},')
