#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gridworld of examples/models/gridworld.prism as a program.

    omegapac learn 'exec:python3 examples/simulators/gridworld.py' --formula 'G F s & G F g' ...
"""
import sys

LABELS = {(0, 1): "s", (2, 0): "g", (1, 1): "trap"}


def move(x, y, direction):
    """The cell after a move to n, e, s or w. A move into a wall does not move; nothing leaves the trap."""
    if (x, y) == (1, 1):
        return x, y
    x += {"e": 1, "w": -1}.get(direction, 0)
    y += {"n": 1, "s": -1}.get(direction, 0)
    return min(max(x, 0), 2), min(max(y, 0), 1)


def splitmix64(seed):
    """The generator of Steele, Lea and Flood. All gridworlds here use it, so their episodes are the same."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def answer(*words):
    print(*words, flush=True)


answer("omegapac-env 1 s g trap start=fixed")
for line in sys.stdin:
    request, *argument = line.split()
    if request == "bye":
        break
    if request == "reset":
        numbers = splitmix64(int(argument[0]))
        x, y = 0, 1
    else:  # "step ne" moves to n or e with probability 0.4 each; with 0.2 the robot stays
        chance = next(numbers) % 5
        x, y = move(x, y, (argument[0] + "-")[chance // 2])
    answer(f"{x},{y}", LABELS.get((x, y), "-"), "ne,nw,se,sw")
