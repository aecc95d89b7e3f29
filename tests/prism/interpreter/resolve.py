# SPDX-License-Identifier: MIT
"""Resolves a file: expands formulas, renames modules, computes constants and checks everything."""
import re
from dataclasses import dataclass
from fractions import Fraction

from .errors import PrismError
from .evaluate import evaluate, fold, type_of
from .tree import Branch, Command, Module, Node, Variable


@dataclass
class Program:
    type: str
    variables: list  # of Variable with low, high, initial computed; globals first, file order
    modules: dict    # name: Module
    labels: list     # of (name, Node)
    initial: Node
    system: tuple


# ---- formulas ----

class Formulas:
    def __init__(self, formulas):
        self.bodies = {name: body for name, body, _ in formulas}
        self.expanded, self.open = {}, set()
        for name, body, line in formulas:
            self.of(name, line)

    def of(self, name, line):
        if name not in self.expanded:
            if name in self.open:
                raise PrismError("cycle", line, f"the formula {name} speaks of itself")
            self.open.add(name)
            self.expanded[name] = self.expand(self.bodies[name])
            self.open.discard(name)
        return self.expanded[name]

    def expand(self, node):
        if node is None:
            return None
        if node.op == "name" and node.value in self.bodies:
            return self.of(node.value, node.line)
        return Node(node.op, node.line, tuple(self.expand(o) for o in node.operands), node.value)


# ---- labels ----

class Labels:
    """Replaces labels by their definitions; after the renaming of modules, unlike formulas."""

    def __init__(self, file, formulas):
        self.bodies = {name: (formulas.expand(body), line) for name, body, line in file.labels}
        for name in self.bodies:
            self.check(name, ())

    def check(self, name, path):
        body, line = self.bodies[name]
        if name in path:
            raise PrismError("cycle", line, f'the label "{name}" speaks of itself')
        for other in labels_in(body) & self.bodies.keys():
            self.check(other, path + (name,))

    def inline(self, node):
        if node is None:
            return None
        if node.op == "label" and node.value in self.bodies:
            return self.inline(self.bodies[node.value][0])
        return Node(node.op, node.line, tuple(self.inline(o) for o in node.operands), node.value)


def labels_in(node):
    own = {node.value} if node.op == "label" else set()
    return own.union(*(labels_in(o) for o in node.operands))


def map_variable(variable, rename, change):
    return Variable(rename(variable.name), variable.type, change(variable.low),
                    change(variable.high), change(variable.initial), variable.line)


def map_command(command, rename, change):
    return Command(rename(command.action), change(command.guard),
                   [Branch(change(b.probability),
                           [(rename(name), change(value), line) for name, value, line in b.assignments],
                           b.line) for b in command.branches], command.line)


def map_module(module, name, line, rename, change):
    return Module(name, line, [map_variable(v, rename, change) for v in module.variables],
                  [map_command(c, rename, change) for c in module.commands])


# ---- modules ----

def renamed(module, base, formulas):
    names = {}
    for old, new, line in module.renaming:
        if old in names:
            raise PrismError("rename", line, f"{old} is renamed twice")
        if old in formulas.bodies:
            raise PrismError("rename", line, f"{old} is a formula")
        names[old] = new

    def rename(name):
        return names.get(name, name)

    def change(node):
        if node is None:
            return None
        value = rename(node.value) if node.op in ("name", "call") else node.value
        return Node(node.op, node.line, tuple(change(o) for o in node.operands), value)

    return map_module(base, module.name, module.line, rename, change)


def make_modules(file, formulas):
    made = {}
    seen = set()
    for module in file.modules:
        if module.name in seen:
            raise PrismError("duplicate", module.line, f"module {module.name}")
        seen.add(module.name)
        if module.base is None:
            made[module.name] = map_module(module, module.name, module.line, lambda n: n,
                                           formulas.expand)
    bases = {module.name: module for module in file.modules}

    def make(module, open_):
        if module.name in made:
            return made[module.name]
        if module.base not in bases or module.name in open_:
            raise PrismError("undefined" if module.base not in bases else "cycle", module.line,
                             f"module {module.base}")
        base = make(bases[module.base], open_ | {module.name})
        made[module.name] = renamed(module, base, formulas)
        return made[module.name]

    for module in file.modules:
        make(module, frozenset())
    return {module.name: made[module.name] for module in file.modules}


# ---- constants ----

def given_value(constant, text):
    """The value given by -D, converted to the type of the constant."""

    def wrong():
        raise PrismError("constant", 0, f"{constant.name} is {constant.type}, not {text}")

    if constant.type == "bool":
        if text not in ("true", "false"):
            wrong()
        return text == "true"
    if not re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?(/[0-9.]+)?", text):
        wrong()
    parts = [Fraction(part) for part in text.split("/")]
    value = parts[0] if len(parts) == 1 else parts[0] / parts[1]
    if constant.type == "int":
        if value.denominator != 1:
            wrong()
        return int(value)
    return value


class Constants:
    def __init__(self, file, formulas, given):
        self.declared = {c.name: c for c in file.constants}
        self.values, self.open, self.given, self.formulas = {}, set(), given, formulas
        self.types = {c.name: c.type for c in file.constants}
        for name in given:
            if name not in self.declared:
                raise PrismError("constant", 0, f"there is no constant {name}")
        for constant in file.constants:
            if constant.value is not None and constant.name not in given:
                self.check_type(constant)
        for constant in file.constants:
            self.of(constant.name, constant.line)

    def check_type(self, constant):
        found = type_of(self.formulas.expand(constant.value), self.types)
        if found != constant.type and (found, constant.type) != ("int", "double"):
            raise PrismError("type", constant.line, f"{constant.name} is {constant.type}, not {found}")

    def of(self, name, line):
        if name in self.values:
            return self.values[name]
        constant = self.declared[name]
        if name in self.given:
            value = given_value(constant, self.given[name])
        elif constant.value is None:
            raise PrismError("constant", constant.line, f"{name} has no value")
        else:
            if name in self.open:
                raise PrismError("cycle", line, f"the constant {name} speaks of itself")
            self.open.add(name)
            body = self.formulas.expand(constant.value)
            value = evaluate(body, {n: self.of(n, constant.line) for n in names_in(body)})
            self.open.discard(name)
        self.values[name] = Fraction(value) if constant.type == "double" else value
        return self.values[name]


def names_in(node):
    if node.op == "name":
        return {node.value}
    return set().union(*(names_in(o) for o in node.operands)) if node.operands else set()


# ---- the file ----

def check_names(file, modules):
    taken = {}
    declared = [(c.name, c.line) for c in file.constants] + [(f[0], f[2]) for f in file.formulas] + \
        [(v.name, v.line) for v in file.globals]
    for module in modules.values():
        declared += [(v.name, v.line if v.line > module.line else module.line) for v in module.variables]
    for name, line in declared:
        if name in taken:
            raise PrismError("duplicate", line, f"{name} is declared twice")
        taken[name] = line
    labels = set()
    for name, _, line in file.labels:
        if name in labels or name == "deadlock":
            raise PrismError("duplicate", line, f'label "{name}"')
        labels.add(name)


def wanted(node, types, expected, what):
    found = type_of(node, types)
    if found != expected and (found, expected) != ("int", "double"):
        raise PrismError("type", node.line, f"{what} is {found}, not {expected}")


def compute_variable(variable, constants, has_init):
    """low, high and initial as values."""
    low = high = None
    if variable.type == "int":
        wanted(variable.low, constants.types, "int", "a bound")
        wanted(variable.high, constants.types, "int", "a bound")
        low = evaluate(variable.low, constants.values)
        high = evaluate(variable.high, constants.values)
        if low > high:
            raise PrismError("range", variable.line, f"{variable.name} has no values")
    if variable.initial is None:
        initial = low if variable.type == "int" else False
    else:
        if has_init:
            raise PrismError("initial", variable.line, "init in a declaration and init…endinit")
        wanted(variable.initial, constants.types, variable.type, "the initial value")
        initial = evaluate(variable.initial, constants.values)
        if variable.type == "int" and not low <= initial <= high:
            raise PrismError("range", variable.line, f"{variable.name} begins at {initial}")
    return Variable(variable.name, variable.type, low, high, initial, variable.line)


def check_command(command, own, global_names, types):
    wanted(command.guard, types, "bool", "a guard")
    for branch in command.branches:
        if branch.probability is not None:
            wanted(branch.probability, types, "double", "a probability")
        seen = set()
        for name, value, line in branch.assignments:
            if name not in types:
                raise PrismError("undefined", line, f"{name} is not defined")
            if name not in own and name not in global_names:
                raise PrismError("foreign", line, f"{name} is no variable of this module")
            if name in global_names and command.action:
                raise PrismError("global-labelled", line, f"{name} is global")
            if name in seen:
                raise PrismError("twice-assigned", line, f"{name} is set twice")
            seen.add(name)
            wanted(value, types, types[name], f"the value of {name}")


def modules_of(system):
    if system[0] == "module":
        return [system[1:]]
    return [m for part in system[1:] if isinstance(part, tuple) for m in modules_of(part)]


def check_actions(system, known, line):
    """Checks that each action of an operator is the action of a command or the result of a renaming."""
    if system[0] in ("|[", "/", "<-"):
        for action in sorted(system[1]):
            if action not in known:
                raise PrismError("system", line, f"no command has the action {action}")
    for part in system[1:]:
        if isinstance(part, tuple):
            check_actions(part, known, line)


def new_actions(system):
    found = set(system[1].values()) if system[0] == "<-" else set()
    return found.union(*(new_actions(part) for part in system[1:] if isinstance(part, tuple)))


def make_system(file, modules):
    if not modules:
        raise PrismError("system", 0, "no module")
    if file.system is None:
        names = list(modules)
        tree = ("module", names[0], 0)
        for name in names[1:]:
            tree = ("||", tree, ("module", name, 0))
        return tree
    seen = set()
    for name, line in modules_of(file.system):
        if name not in modules:
            raise PrismError("undefined", line, f"module {name}")
        if name in seen:
            raise PrismError("system", line, f"module {name} twice")
        seen.add(name)
    for name in modules:
        if name not in seen:
            raise PrismError("system", file.system_line, f"module {name} is missing")
    known = {c.action for module in modules.values() for c in module.commands} | new_actions(file.system)
    check_actions(file.system, known - {""}, file.system_line)
    return file.system


def resolve(file, given):
    formulas = Formulas(file.formulas)
    modules = make_modules(file, formulas)
    check_names(file, modules)
    labelled = Labels(file, formulas)
    constants = Constants(file, formulas, given)
    declared = [(v, None) for v in file.globals]
    declared += [(v, module) for module in modules.values() for v in module.variables]
    variables = [compute_variable(map_variable(v, lambda n: n, formulas.expand), constants,
                                  file.initial is not None) for v, _ in declared]
    types = dict(constants.types)
    types.update((v.name, v.type) for v in variables)
    global_names = {v.name for v in file.globals}
    for name, body, _ in file.formulas:
        type_of(labelled.inline(formulas.expand(body)), types)
    for module in modules.values():
        module.commands = [map_command(c, lambda n: n, labelled.inline) for c in module.commands]
        own = {v.name for v in module.variables}
        for command in module.commands:
            check_command(command, own, global_names, types)
    labels = []
    for name, body, _ in file.labels:
        body = labelled.inline(formulas.expand(body))
        wanted(body, types, "bool", "a label")
        labels.append((name, fold(body, constants.values)))
    for action, guard, value in file.rewards:
        wanted(labelled.inline(formulas.expand(guard)), types, "bool", "a guard")
        wanted(labelled.inline(formulas.expand(value)), types, "double", "a reward")
    initial = None
    if file.initial is not None:
        initial = labelled.inline(formulas.expand(file.initial))
        wanted(initial, types, "bool", "init…endinit")
        initial = fold(initial, constants.values)

    def change(node):
        return None if node is None else fold(node, constants.values)

    modules = {name: map_module(module, name, module.line, lambda n: n, change)
               for name, module in modules.items()}
    return Program(file.type or "mdp", variables, modules, labels, initial,
                   make_system(file, modules))
