#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many gridworlds side by side: one line for all of them saves most of the time.

    omegapac learn 'exec:python3 examples/simulators/lanes.py 64' --formula 'G F s & G F g' ...
"""
import random
import sys

LABELS = {(0, 1): "s", (2, 0): "g", (1, 1): "trap"}
TURNS = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}


class Gridworld:
    """The gridworld of examples/models/gridworld.prism; all that is random is its own."""

    def reset(self, seed):
        self.random = random.Random(int(seed)).random
        self.at = 0, 1

    def step(self, action):  # "ne": n or e with probability 0.4 each; with 0.2 the robot stays
        way = int(self.random() * 5) // 2
        if way < 2 and self.at != (1, 1):
            (x, y), (dx, dy) = self.at, TURNS[action[way]]
            self.at = min(max(x + dx, 0), 2), min(max(y + dy, 0), 1)

    def __str__(self):
        return f"{self.at[0]},{self.at[1]} {LABELS.get(self.at, '-')} ne,nw,se,sw"


def obey(world, request):
    verb, word = request.split()
    getattr(world, verb)(word)
    return str(world)


worlds = [Gridworld() for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 8)]
print("omegapac-env 1 s g trap start=fixed", f"lanes={len(worlds)}", flush=True)
for line in sys.stdin:
    if line.strip() == "bye":
        break
    print(" ; ".join(map(obey, worlds, line.split(";"))), flush=True)
