#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of certified learning on families of models, relative to aims; epsilon = 1/20, delta = 1/10.

    slippery N     a grid of N x N cells, some of which are holes; a move succeeds with probability .7, and
                   otherwise goes in one of the other directions. The graph is known. From one corner to the other
    question       the same, until the lower bound is within 1/20 of the optimum (at_least)
    gambler N      fortunes 0 to N, every stake, each won with probability .45; p_min = .1
    layered        random MDPs of about 1000 states in 20 layers; p_min = 1/20

For each, the mean steps of some seeds, the ratio to the aim, the least and the greatest number of steps, and solving
time relative to sampling time.

usage: PYTHONPATH=build/python bench/families.py [SEEDS [small]]
"""
import random
import sys
import tempfile

import omegapac as op

EPSILON, DELTA = 1 / 20, 1 / 10


def slippery(size, seed):
    """Holes are drawn with probability .15 until the goal can be reached."""
    rng = random.Random(seed)
    cells = [(x, y) for x in range(size) for y in range(size)]
    reached, holes = set(), set()
    while (size - 1, size - 1) not in reached:
        holes = {c for c in cells[1:-1] if rng.random() < 0.15}
        reached, queue = {(0, 0)}, [(0, 0)]
        for x, y in queue:
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell in cells and cell not in holes and cell not in reached:
                    reached.add(cell)
                    queue.append(cell)
    moves = {"east": "x'=min(x+1,N)", "west": "x'=max(x-1,0)", "up": "y'=min(y+1,N)", "down": "y'=max(y-1,0)"}
    lines = ["mdp", f"const int N = {size - 1};",
             "formula hole = " + (" | ".join(f"(x={x} & y={y})" for x, y in sorted(holes)) or "false") + ";",
             "formula open = !hole & !(x=N & y=N);", "module walker", "  x : [0..N]; y : [0..N];"]
    for name, move in moves.items():
        others = " + ".join(f"0.1 : ({other})" for other in moves.values() if other != move)
        lines.append(f"  [{name}] open -> 0.7 : ({move}) + {others};")
    return "\n".join(lines + ["  [stay] !open -> true;", "endmodule", 'label "goal" = x=N & y=N;', ""])


def gambler(most):
    lines = ["mdp", "module gambler", f"  x : [0..{most}] init {most // 2};"]
    for stake in range(1, most // 2 + 1):
        lines.append(f"  [s{stake}] x>={stake} & x<={most - stake} -> 0.45 : (x'=x+{stake}) + 0.55 : (x'=x-{stake});")
    return "\n".join(lines + [f"  [stay] x=0 | x={most} -> true;", "endmodule", f'label "goal" = x={most};', ""])


def layered(layers, width, seed):
    """Two or three actions with two to four successors each in the next layer; 7 of 20 of the last layer win."""
    rng = random.Random(seed)
    lines = ["mdp", "module layers", f"  l : [0..{layers}]; w : [0..{width - 1}];"]
    for level in range(layers):
        for w in range(width if level else 1):
            for action in range(rng.choice([2, 3])):
                targets = rng.sample(range(width), rng.choice([2, 3, 4]))
                parts = [1] * len(targets)
                for _ in range(20 - len(parts)):
                    parts[rng.randrange(len(parts))] += 1
                branches = " + ".join(f"{p}/20 : (l'={level + 1}) & (w'={t})" for p, t in zip(parts, targets))
                lines.append(f"  [a{action}] l={level} & w={w} -> {branches};")
    goal = " | ".join(f"w={w}" for w in range(width) if w == 0 or rng.random() < 0.35)
    return "\n".join(lines + [f"  [stay] l={layers} -> true;", "endmodule", f'label "goal" = l={layers} & ({goal});', ""])


def model_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".prism") as file:
        file.write(text)
        file.flush()
        return op.Model.load(file.name)


def run(name, text, aim, seeds, most, question=False, **known):
    """A line for a family. With `question`, at_least asks for a probability 1/20 below the optimum."""
    model = model_of(text)
    if question:
        known["at_least"] = op.check(model, "F goal").value - EPSILON
    else:
        known["epsilon"] = EPSILON
    results = [op.learn(model, "F goal", delta=DELTA, seed=seed, max_steps=most, **known) for seed in range(1, seeds + 1)]
    steps = [result.stats["steps"] for result in results]
    solving = sum(r.stats["solving_seconds"] for r in results) / sum(r.stats["sampling_seconds"] for r in results)
    left = sum(not result.holds for result in results)
    print(f"{name:<14} {sum(steps) / len(steps):12.0f} steps, {sum(steps) / len(steps) / aim:6.2f} of the aim "
          f"({min(steps)} to {max(steps)}), solving {solving:.1f} of sampling" + (f", {left} not done" if left else ""))


def main(seeds=3, small=None):
    seeds = int(seeds)
    sizes = {"slippery": 4, "gambler": 8, "layers": 4, "width": 6} if small else \
        {"slippery": 10, "gambler": 40, "layers": 20, "width": 50}
    most = 10**5 if small else 10**8
    grid = slippery(sizes["slippery"], 3)
    run(f"slippery {sizes['slippery']}", grid, 1e7, seeds, most, graph=True)
    run("question", grid, 2e5, seeds, most, question=True, graph=True)
    run(f"gambler {sizes['gambler']}", gambler(sizes["gambler"]), 3e6, seeds, most, pmin=0.1)
    run("layered", layered(sizes["layers"], sizes["width"], 1), 5e6, seeds, most, pmin=1 / 20)


main(*sys.argv[1:])
