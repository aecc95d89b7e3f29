# SPDX-License-Identifier: MIT
"""CliffWalking on slippery ground: walk between both sides forever, and never fall.

A fall leads back to the start. It cannot be recognised from the observation, nor from observation, action and next
observation: at the start, "up" may slip into the cliff or against the wall, and both lead to the start. Only the
reward identifies a fall, so labels is a function of the transition with its reward."""
import omegapac as op
import omegapac.gym

MOVES = ["up", "right", "down", "left"]
LABELS = {
    "left": [0, 12, 24, 36],
    "right": [11, 23, 35],
    "goal": [47],
    "fall": lambda before, action, after, reward: reward == -100,
}
OBJECTIVE = "(G F left) & (G F right) & (G !fall)"


def exact(objective=OBJECTIVE):
    """The optimal probability, from Gymnasium's own transition table."""
    return op.check(op.gym.model("CliffWalking-v1", LABELS, is_slippery=True), objective).value


def learn(objective=OBJECTIVE):
    env = op.gym.wrap("CliffWalking-v1", LABELS, actions=MOVES, start="fixed", is_slippery=True)
    return env, op.learn(env, objective, epsilon=0.1, delta=0.1, pmin=1 / 3, states=39, actions=4)


def walk(env, policy, steps):
    """The numbers of changes of sides and of falls in one long episode."""
    policy.reset()
    state = env.reset(1)
    side, changes, falls = "left", 0, 0
    for _ in range(steps):
        state = env.step(policy.act(state))
        names = env.labels(state)
        falls += "fall" in names
        if side not in names and ("left" in names or "right" in names):
            side = "left" if "left" in names else "right"
            changes += 1
    return changes, falls


def main():
    env, result = learn()
    print(f"best policy: {exact():.4f}")
    print(f"learned: {result.value:.4f} [{result.lower:.4f}, {result.upper:.4f}]")
    print(result.statement)
    changes, falls = walk(env, result.policy, 10_000)
    print(f"after {result.stats['steps']} steps; in 10000 more it changes sides {changes} times, and falls {falls} times")


if __name__ == "__main__":
    main()
