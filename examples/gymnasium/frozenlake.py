# SPDX-License-Identifier: MIT
"""FrozenLake: reach the goal and never fall into a hole. The ice is slippery: a move has the intended direction with
probability 1/3. The policy is learned twice: from a lower bound on the probabilities, and from the recurrence time."""
import gymnasium

import omegapac as op
import omegapac.gym

LABELS = {"goal": [15], "hole": [5, 7, 11, 12]}
MOVES = ["left", "down", "right", "up"]
OBJECTIVE = "(F goal) & (G !hole)"


def exact():
    """The optimal probability, from Gymnasium's own transition table."""
    return op.check(op.gym.model("FrozenLake-v1", LABELS), OBJECTIVE).value


def learn(epsilon=0.05, **knowledge):
    env = op.gym.wrap("FrozenLake-v1", LABELS, actions=MOVES, start="fixed")
    return op.learn(env, OBJECTIVE, epsilon=epsilon, delta=0.1, states=16, actions=4, **knowledge)


def recurrence_time(epsilon):
    """The least T that is correct, computed from the transition table."""
    return op.recurrence(op.gym.model("FrozenLake-v1", LABELS), OBJECTIVE, epsilon=epsilon).T


def play(policy, episodes):
    """The share of episodes in which the policy reaches the goal, in Gymnasium without omegapac."""
    lake = gymnasium.make("FrozenLake-v1", max_episode_steps=-1)
    won = 0
    for seed in range(episodes):
        policy.reset()
        seen, _ = lake.reset(seed=seed)
        ended = False
        while not ended:
            seen, reward, ended, _, _ = lake.step(policy.act(seen))
        won += reward == 1
    return won / episodes


def main():
    print(f"best policy: {exact():.4f}")
    result = learn(pmin=1 / 3)
    print(f"learned: {result.value:.4f} [{result.lower:.4f}, {result.upper:.4f}]")
    print(result.statement)
    print(f"after {result.stats['steps']} steps; in 1000 episodes it wins {play(result.policy, 1000):.3f}")
    T = recurrence_time(0.02)
    result = learn(epsilon=0.02, T=T, target=0.3)
    print(f"from T = {T}: {result.value:.4f} [{result.lower:.4f}, {result.upper:.4f}]")
    print(f"after {result.stats['steps']} steps")


if __name__ == "__main__":
    main()
