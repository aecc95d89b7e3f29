# SPDX-License-Identifier: MIT
"""Breadth first over valuations. A state is a tuple in the order of the program's variables."""
import itertools
from dataclasses import dataclass, field
from fractions import Fraction

from .errors import PrismError
from .evaluate import evaluate

TOLERANCE, WARNING = Fraction(1, 10 ** 5), Fraction(1, 10 ** 9)  # of a sum of probabilities


@dataclass
class Space:
    type: str
    names: list
    initial: list
    choices: dict = field(default_factory=dict)  # state: [(action, {state: Fraction})]
    labels: dict = field(default_factory=dict)   # name: set of states
    warnings: set = field(default_factory=set)   # of (kind, line)

    @property
    def states(self):
        return list(self.choices)

    def counts(self):
        """states, choices, transitions"""
        return (len(self.choices), sum(len(c) for c in self.choices.values()),
                sum(len(d) for c in self.choices.values() for _, d in c))


# ---- composition, each operator by its definition ----

def alphabet(system, program):
    """The alphabet of a part of the system, including actions that are never enabled."""
    op = system[0]
    if op == "module":
        return {c.action for c in program.modules[system[1]].commands if c.action}
    if op == "/":
        return alphabet(system[2], program) - system[1]
    if op == "<-":
        return {system[1].get(a, a) for a in alphabet(system[2], program)}
    return alphabet(system[-2], program) | alphabet(system[-1], program)


def steps(system, program, state):
    """[(action, [command])]: the steps of a part of the system on its own."""
    op = system[0]
    if op == "module":
        return [(c.action, [c]) for c in program.modules[system[1]].commands
                if evaluate(c.guard, state)]
    if op == "/":
        return [("" if a in system[1] else a, cs) for a, cs in steps(system[2], program, state)]
    if op == "<-":
        return [(system[1].get(a, a), cs) for a, cs in steps(system[2], program, state)]
    left, right = steps(system[-2], program, state), steps(system[-1], program, state)
    if op == "||":
        shared = alphabet(system[-2], program) & alphabet(system[-1], program)
    else:
        shared = system[1] if op == "|[" else set()
    found = [(a, cs) for a, cs in left + right if a == "" or a not in shared]
    found += [(a, cs + ds) for a, cs in left if a and a in shared for b, ds in right if a == b]
    return found


# ---- one step ----

def command_branches(command, state, space):
    """[(probability, assignments)], without those of probability 0."""
    found, total = [], Fraction(0)
    for branch in command.branches:
        p = Fraction(1) if branch.probability is None else Fraction(evaluate(branch.probability, state))
        if not 0 <= p <= 1:
            raise PrismError("probability", branch.line, f"probability {p}", state)
        total += p
        if p > 0:
            found.append((p, branch.assignments))
    if abs(total - 1) > TOLERANCE:
        raise PrismError("sum", command.line, f"probabilities sum to {float(total)}", state)
    if abs(total - 1) > WARNING:
        space.warnings.add(("sum", command.line))
    return [(p / total, assignments) for p, assignments in found]


def distribution(commands, state, program, space):
    result = {}
    for combination in itertools.product(*(command_branches(c, state, space) for c in commands)):
        p, after = Fraction(1), dict(state)
        for probability, assignments in combination:
            p *= probability
            for name, value, line in assignments:
                after[name] = evaluate(value, state)
                check_range(name, after[name], line, state, program)
        target = tuple(after[name] for name in space.names)
        result[target] = result.get(target, 0) + p
    return result


def check_range(name, value, line, state, program):
    for variable in program.variables:
        if variable.name == name and variable.type == "int" and \
                not variable.low <= value <= variable.high:
            raise PrismError("range", line, f"{name} would be {value}", state)


def average(choices):
    """One choice for all: each is taken with the same probability."""
    result, actions = {}, {action for action, _ in choices}
    for _, targets in choices:
        for target, p in targets.items():
            result[target] = result.get(target, 0) + p / len(choices)
    return [(actions.pop() if len(actions) == 1 else "", result)]


# ---- exploration ----

def initial_states(program):
    if program.initial is None:
        return [tuple(v.initial for v in program.variables)]
    names = [v.name for v in program.variables]
    ranges = [(False, True) if v.type == "bool" else range(v.low, v.high + 1)
              for v in program.variables]
    found = [values for values in itertools.product(*ranges)
             if evaluate(program.initial, dict(zip(names, values)))]
    if not found:
        raise PrismError("initial", program.initial.line, "no initial state")
    return found


def explore(program, limit=None):
    names = [v.name for v in program.variables]
    space = Space(program.type, names, initial_states(program))
    space.labels = {"init": set(space.initial), "deadlock": set()}
    todo, seen, work = list(space.initial), set(space.initial), 0
    for current in todo:
        state = dict(zip(names, current))
        choices = [(action, distribution(commands, state, program, space))
                   for action, commands in steps(program.system, program, state)]
        if not choices:
            space.labels["deadlock"].add(current)
            space.warnings.add(("deadlock", 0))
            choices = [("", {current: Fraction(1)})]
        if program.type == "dtmc" and len(choices) > 1:
            space.warnings.add(("overlap", 0))
            choices = average(choices)
        space.choices[current] = choices
        for _, targets in choices:
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        work += sum(len(targets) for _, targets in choices)
        if limit is not None and (len(todo) > limit or work > 10 * limit):
            raise PrismError("limit", 0, f"more than {limit} states, or ten times as many branches")
    for name, body in program.labels:
        space.labels[name] = {s for s in space.choices if evaluate(body, dict(zip(names, s)))}
    return space
