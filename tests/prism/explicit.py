# SPDX-License-Identifier: MIT
"""Reads PRISM's explicit files (.tra, .lab, .sta) and compares them with a space of the
interpreter, state by valuation."""
import os
import re
from fractions import Fraction

from interpreter import PrismError  # noqa: F401  (so that users import both from one place)

TOLERANCE = 1e-12


class Mismatch(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Mismatch(text)


WARNINGS = {"no choice": "deadlock", "at random": "overlap", "sum": "sum"}


def warned_of(message):
    """The kinds of warnings that the program wrote. Their places are not read: a file or a
    folder may have such a word in its name."""
    texts = re.findall(r": warning: (.*)", message)
    return {kind for word, kind in WARNINGS.items() if any(word in text for text in texts)}


def value(word):
    return word == "true" if word in ("true", "false") else int(word)


def number(word):
    """A fraction is exact; a decimal is a double."""
    return Fraction(word) if "/" in word else float(word)


class Explicit:
    """names, states (valuations by number), choices[state] = [(action, {target: p})],
    labels = {name: set of numbers}, header: the numbers of the first line of the .tra."""

    def __init__(self, path):
        """path: of the .tra file; the other files are in the same folder."""
        base = path[:-len(".tra")]
        self.read_sta(base + ".sta")
        self.read_tra(path)
        self.read_lab(base + ".lab")

    def read_sta(self, path):
        """A model without variables has no .sta file."""
        self.names, self.states = [], [()]
        if not os.path.exists(path):
            return
        with open(path) as lines:
            header = next(lines).strip()
            check(header[0] + header[-1] == "()", f"header of the .sta: {header}")
            self.names, self.states = header[1:-1].split(","), []
            for number, line in enumerate(lines):
                found = re.fullmatch(r"(\d+):\((.*)\)\n", line)
                check(found and int(found[1]) == number, f".sta: {line}")
                self.states.append(tuple(map(value, found[2].split(","))))
        check(len(set(self.states)) == len(self.states), "a state comes twice in the .sta")

    def read_tra(self, path):
        with open(path) as lines:
            self.header = tuple(map(int, next(lines).split()))
            self.type = "dtmc" if len(self.header) == 2 else "mdp"
            rows = {}
            for line in lines:
                words = line.split()
                state, choice = int(words[0]), 0 if self.type == "dtmc" else int(words[1])
                words = words[1 if self.type == "dtmc" else 2:]
                action = words[2] if len(words) > 2 else ""
                known, targets = rows.setdefault(state, {}).setdefault(choice, (action, {}))
                check(known == action or self.type == "dtmc", f"two actions in a choice: {line}")
                check(int(words[0]) not in targets, f"a target twice in a choice: {line}")
                targets[int(words[0])] = number(words[1])
        check(sorted(rows) == list(range(len(self.states))), "states of .tra and .sta")
        for state, found in rows.items():
            check(sorted(found) == list(range(len(found))), f"choices of state {state}")
        self.choices = {state: list(found.values()) for state, found in rows.items()}
        transitions = sum(len(t) for cs in self.choices.values() for _, t in cs)
        counted = (len(self.states), transitions) if self.type == "dtmc" else \
            (len(self.states), sum(map(len, self.choices.values())), transitions)
        check(counted == self.header, f"header {self.header}, counted {counted}")

    def read_lab(self, path):
        with open(path) as lines:
            names = {int(n): name for n, name in re.findall(r'(\d+)="([^"]*)"', next(lines))}
            self.labels = {name: set() for name in names.values()}
            for line in lines:
                state, numbers = line.split(":")
                for number in numbers.split():
                    self.labels[names[int(number)]].add(int(state))


def close(exact, found):
    if isinstance(found, Fraction):
        return exact == found
    return abs(float(exact) - found) <= TOLERANCE * max(float(exact), found)


def same_choices(expected, found, with_actions):
    """Multisets of (action, distribution), probabilities within the tolerance: greedily, which
    is enough, for distributions that are close to one are close to each other."""
    left = list(found)
    for action, targets in expected:
        for i, (other, probabilities) in enumerate(left):
            if (action == other or not with_actions) and targets.keys() == probabilities.keys() and \
                    all(close(p, probabilities[t]) for t, p in targets.items()):
                del left[i]
                break
        else:
            return False
    return not left


def compare(space, found):
    """Raises Mismatch at the first difference. Actions of a DTMC are ignored."""
    check(space.type == found.type, f"type {found.type}")
    check(sorted(space.names) == sorted(found.names), f"variables {found.names}, not {space.names}")
    order = [found.names.index(name) for name in space.names]
    states = [tuple(s[i] for i in order) for s in found.states]

    def words(state):
        return ", ".join(f"{n}={v}" for n, v in zip(space.names, state))

    for state in set(states) ^ set(space.choices):
        raise Mismatch(f"state ({words(state)}) is {'not ' if state in space.choices else ''}found")
    for number, state in enumerate(states):
        check([type(v) for v in state] == [type(v) for v in space.initial[0]], f"types of {state}")
        mine = space.choices[state]
        theirs = [(a, {states[t]: p for t, p in ts.items()}) for a, ts in found.choices[number]]
        check(same_choices(mine, theirs, space.type == "mdp"),
              f"choices of ({words(state)}): {theirs}, not "
              f"{[(a, {t: str(p) for t, p in ts.items()}) for a, ts in mine]}")
    check(set(space.labels) == set(found.labels), f"labels {sorted(found.labels)}, not {sorted(space.labels)}")
    for name, where in space.labels.items():
        theirs = {states[s] for s in found.labels[name]}
        for state in where ^ theirs:
            raise Mismatch(f'label "{name}" {"does not hold" if state in where else "holds"} in ({words(state)})')
