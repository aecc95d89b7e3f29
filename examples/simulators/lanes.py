#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several gridworlds side by side. One line carries a request for each, which saves most of the time.

The argument is the number of lanes (8 by default).

    omegapac learn 'exec:python3 examples/simulators/lanes.py 64' --formula 'G F s & G F g' ...
"""
import random
import sys

LABELS = {(0, 1): "s", (2, 0): "g", (1, 1): "trap"}
MOVES = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}


class Gridworld:
    """The gridworld of examples/models/gridworld.prism, with a random number generator of its own."""

    def reset(self, seed):
        self.random = random.Random(int(seed)).random
        self.at = 0, 1

    def step(self, action):  # "ne" moves to n or e with probability 0.4 each; with 0.2 the robot stays
        index = int(self.random() * 5) // 2
        if index < 2 and self.at != (1, 1):
            (x, y), (dx, dy) = self.at, MOVES[action[index]]
            self.at = min(max(x + dx, 0), 2), min(max(y + dy, 0), 1)

    def __str__(self):
        return f"{self.at[0]},{self.at[1]} {LABELS.get(self.at, '-')} ne,nw,se,sw"


def answer(gridworld, request):
    method, argument = request.split()
    getattr(gridworld, method)(argument)
    return str(gridworld)


gridworlds = [Gridworld() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 8)]
print("omegapac-env 1 s g trap start=fixed", f"lanes={len(gridworlds)}", flush=True)
for line in sys.stdin:
    if line.strip() == "bye":
        break
    print(" ; ".join(map(answer, gridworlds, line.split(";"))), flush=True)
