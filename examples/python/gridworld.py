# SPDX-License-Identifier: MIT
"""A Python environment: the robot of examples/models/gridworld.prism, learned from samples."""
import omegapac as op


class Gridworld:
    """An action names two directions: the robot takes each with probability 0.4, and stays with probability 0.2."""

    propositions = ["s", "g", "trap"]
    random_start = False

    def reset(self, seed):
        self.random = seed
        self.cell = (0, 1)
        return self.cell

    def step(self, action):
        self.random = (self.random + 0x9E3779B97F4A7C15) % 2**64  # splitmix64
        z = (self.random ^ self.random >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        way = (("ne", "nw", "se", "sw")[action] + "-")[(z ^ z >> 31) % 5 // 2]
        if self.cell != (1, 1):  # the trap is never left
            x, y = self.cell
            x, y = x + (way == "e") - (way == "w"), y + (way == "n") - (way == "s")
            self.cell = (min(max(x, 0), 2), min(max(y, 0), 1))
        return self.cell

    def labels(self, cell):
        return {(0, 1): ["s"], (2, 0): ["g"], (1, 1): ["trap"]}.get(cell, [])

    def actions(self, cell):
        return ["ne", "nw", "se", "sw"]


if __name__ == "__main__":
    env = Gridworld()
    result = op.learn(env, "G F s & G F g", pmin=0.2, epsilon=0.1, delta=0.1)
    print(result, result.end, result.stats["steps"], "steps")
    cell = env.reset(7)
    print(*(cell := env.step(result.policy.act(cell)) for _ in range(8)))
