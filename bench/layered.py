#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a random layered MDP in the PRISM language: every action leads to the next layer.

usage: layered.py LAYERS WIDTH ACTIONS SUCCESSORS RARE SEED [LOOPS]

Each action has SUCCESSORS successors. The probabilities are multiples of 1/20, and with RARE > 0 the last of them
is RARE. The states of the last layer are absorbing; a third of them is labelled "goal". With LOOPS > 0, an action
stays where it is with this share of its probability: then it is in an end component until another successor was
seen.
"""
import random
import sys


def weights(rng, count):
    cuts = sorted(rng.sample(range(1, 20), count - 1))
    return [(b - a) / 20 for a, b in zip([0] + cuts, cuts + [20])]


def main(layers, width, actions, successors, rare, seed, loops=0.0):
    rng = random.Random(seed)
    last = 1 + (layers - 1) * width
    print(f"mdp\nmodule layered\n  s : [0..{last + width - 1}] init 0;")
    for state in range(last):
        layer = 0 if state == 0 else 1 + (state - 1) // width
        begin = 1 + layer * width
        for action in range(actions):
            share = weights(rng, successors)
            if rare > 0:
                share[0] -= rare
                share.append(rare)
            targets = rng.sample(range(begin, begin + width), len(share))
            parts = [f"{p * (1 - loops):.12g}:(s'={t})" for p, t in zip(share, targets)]
            if loops > 0:
                parts.append(f"{loops:.12g}:(s'={state})")
            print(f"  [a{action}] s={state} -> {' + '.join(parts)};")
    print(f"  [stay] s>={last} -> true;\nendmodule")
    goal = " | ".join(f"s={last + i}" for i in range(0, width, 3))
    print(f'label "goal" = {goal};')


if __name__ == "__main__":
    values = sys.argv[1:]
    main(*map(int, values[:4]), float(values[4]), int(values[5]), *map(float, values[6:]))
