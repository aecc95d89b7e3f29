# SPDX-License-Identifier: MIT
"""Taxi in the rain: patrol between the stands R and G forever, and avoid Y and B.

In the rain one move in five drifts aside. No passenger is picked up (delivering one would end the episode), so passenger
and destination do not matter: key= removes them, which leaves 25 of 500 states. The taxi starts in any cell. Two of the
25 starts violate the objective at once, and walls make some others risky."""
import omegapac as op
import omegapac.gym

MOVES = {"south": 0, "north": 1, "east": 2, "west": 3}
LABELS = {"r": [(0, 4)], "g": [(4, 4)], "y": [(0, 0)], "b": [(3, 0)]}
OBJECTIVE = "(G F r) & (G F g) & (G !y) & (G !b)"


def place(seen):
    """x and y, from the bottom left; policies for such states are drawn as grids."""
    return seen // 20 % 5, 4 - seen // 100


TAXI = dict(labels=LABELS, key=place, actions=MOVES, is_rainy=True)


def exact():
    """The optimal probability, from Gymnasium's own transition table: the mean over all starts."""
    result = op.check(op.gym.model("Taxi-v4", **TAXI), OBJECTIVE).to_dict()["result"]
    starts = [start["value"] for start in result["initial"]]
    return sum(starts) / len(starts)


def learn():
    env = op.gym.wrap("Taxi-v4", **TAXI)
    # The least transition probability is 1/10 (rain), the least probability of a start 1/25.
    return op.learn(env, OBJECTIVE, epsilon=0.02, delta=0.1, pmin=1 / 10, pmin_start=1 / 25, states=25, actions=4)


def main():
    result = learn()
    print(f"best policy: {exact():.4f}")
    print(f"learned: {result.value:.4f} [{result.lower:.4f}, {result.upper:.4f}]")
    print(result.statement)
    print(f"after {result.stats['steps']} steps")


if __name__ == "__main__":
    main()
