#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers in the comments of the examples, computed once more, in another way.

For each command `omegapac check`, `learn` or `estimate` in a comment, with one formula or
automaton, the optimum is computed here as a fraction, from the model's list of transitions and the
automaton's text, with nothing of the program's but the reading of the PRISM language and the
translation of formulas:

1. The product, with a choice for each action and each edge of the automaton.
2. Winning end components by brute force: for each set of marks, without the choices that carry one of
   them, the maximal end components; one wins if exactly its marks satisfy the acceptance condition.
   (An end component that wins with the marks M is part of one that is found when all marks but M
   are left out, and that has the marks M, too.) For a least probability the condition is negated.
3. The greatest probability of reaching them by policy iteration in fractions. The result x proves
   itself: it is the probability of a policy, and it satisfies the equations of the optimum, whose
   least solution is the optimum.

A fraction in a comment is to be equal to it, a bracket to contain it. Cost: 2^marks decompositions,
and elimination with fractions; for models of some hundred states.

usage: gallery.py PROGRAM EXAMPLES
"""
import fractions
import functools
import itertools
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "repository"))
import examples as pages  # noqa: E402

Fraction = fractions.Fraction
LARGE = 10_000  # states; larger ones have a way of their own, BY_HAND


# ---- what the comments say ----

class Question:
    """One command of a comment, its first result, and the lines about several initial states."""

    def __init__(self, words, printed):
        self.command, self.model = words[1:3]
        self.result = re.search(r"^Result: .*$", printed, re.MULTILINE)[0]
        self.each = re.findall(r"^from .*: (\S+)$", printed, re.MULTILINE)
        self.formulas, self.automata, self.constants, self.least = [], [], [], False
        lists = {"-f": self.formulas, "-a": self.automata, "-D": self.constants}
        for option, value in zip(words, words[1:] + [""]):
            if option in lists:
                lists[option].append(value)
            self.least |= option == "--min"

    def agrees(self, values):
        """Whether what was printed is right: fractions that are equal, or a bracket around it."""
        if self.each and [Fraction(value) for value in self.each] != values:
            return False
        # check tells the first; runs begin in each of them as often.
        optimum = values[0] if self.command == "check" else sum(values) / len(values)
        bracket = re.search(r"\[(\S+), (\S+)\]", self.result)
        if bracket:
            return Fraction(bracket[1]) <= optimum <= Fraction(bracket[2])
        return Fraction(self.result.split()[1]) == optimum


def questions(path):
    for _, block in pages.pieces(path):
        for command, printed in pages.commands(block):
            words = shlex.split(re.split(r" \| (?=head|grep|tail)|;", command)[0])
            if words[:1] == ["omegapac"] and words[1] in ("check", "learn", "estimate") \
                    and "Result: " in printed:
                question = Question(words, printed)
                if len(question.formulas) + len(question.automata) == 1:
                    yield question


# ---- reading ----

def lines(path):
    """The words of each line but comments."""
    text = path.read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def read_model(path):
    """(choices, labels, initial): a list of {target: probability} a state, and a set of names."""
    head, *rest = lines(path)
    choices = [{} for _ in range(int(head[0]))]
    for words in rest:
        state, choice = int(words[0]), int(words[1]) if len(head) == 3 else 0
        target, probability = words[len(head) - 1:len(head) + 1]
        choices[state].setdefault(choice, {})[int(target)] = Fraction(probability)
    labels = [set() for _ in choices]
    names, *rest = lines(path.with_suffix(".lab"))
    names = dict(re.findall(r'(\d+)="([^"]*)"', " ".join(names)))
    for state, *numbers in rest:
        labels[int(state.rstrip(":"))] |= {names[number] for number in numbers}
    initial = [state for state, seen in enumerate(labels) if "init" in seen]
    return [list(c.values()) for c in choices], labels, initial


class Automaton:
    """Initial states, edges (test, target, marks) a state, acceptance as a test of sets of marks."""

    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        head, _, body = text.partition("--BODY--")
        names = re.findall(r'"([^"]*)"', re.search(r"^AP:.*$", head, re.MULTILINE)[0])
        aliases = dict(re.findall(r"^Alias: (@\w+) (.*)$", head, re.MULTILINE))
        self.start = [int(number) for number in re.findall(r"^Start: (\d+)$", head, re.MULTILINE)]
        sets, condition = re.search(r"^Acceptance: (\d+) (.*)$", head, re.MULTILINE).groups()
        self.marks = range(int(sets))
        condition = re.sub(r"Inf\((\d+)\)", r"(\1 in m)", condition)
        condition = re.sub(r"Fin\((\d+)\)", r"(\1 not in m)", condition)
        self.accepts = self.test("m", condition)
        self.edges = {}
        for line in body.partition("--END--")[0].strip().splitlines():
            marks = re.search(r"\{([\d ]*)\}$", line)
            marks = frozenset(int(mark) for mark in marks[1].split()) if marks else frozenset()
            if line.startswith("State:"):
                here, of_state = self.edges.setdefault(int(line.split()[1]), []), marks
            else:
                label, target = re.match(r"\[(.*)\] (\d+)", line).groups()
                while "@" in label:
                    label = re.sub(r"@\w+", lambda found: f"({aliases[found[0]]})", label)
                label = re.sub(r"\d+", lambda found: f"({names[int(found[0])]!r} in m)", label)
                here.append((self.test("m", label), int(target), marks | of_state))

    @staticmethod
    def test(name, text):
        """A function of a set, from an expression of HOA over parts that are Python already."""
        parts = re.split(r"(\('[^']*' in m\)|\(\d+ (?:not )?in m\))", text)
        words = {"!": " not ", "&": " and ", "|": " or ", "t": " True ", "f": " False "}
        parts[::2] = [re.sub(r"[!&|tf]", lambda found: words[found[0]], part) for part in parts[::2]]
        return eval(f"lambda {name}: {''.join(parts).strip()}")


# ---- the product ----

class Product:
    """Nodes are numbers; choices[node] is a list of (marks, {target: probability})."""

    def __init__(self, model, automaton):
        choices, labels, initial = model
        self.numbers, self.pairs, self.choices, self.lost = {}, [], [], set()
        self.starts = [[self.number((state, memory)) for memory in automaton.start]
                       for state in initial]
        for node, (state, memory) in enumerate(self.pairs):  # which grows meanwhile
            open_edges = [edge for edge in automaton.edges.get(memory, []) if edge[0](labels[state])]
            self.choices.append([
                (marks, {self.number((s, target)): p for s, p in branches.items()})
                for branches in choices[state] for _, target, marks in open_edges])
            if not open_edges:
                self.lost.add(node)

    def number(self, pair):
        if pair not in self.numbers:
            self.numbers[pair] = len(self.pairs)
            self.pairs.append(pair)
        return self.numbers[pair]


def components(nodes, edges):
    """The strongly connected components, after Kosaraju: {node: name of its component}."""
    order, seen = [], set()
    for root in nodes:
        stack = [] if root in seen else [(root, iter(edges[root]))]
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in seen), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(edges[following])))
    back = {node: [] for node in nodes}
    for node in nodes:
        for target in edges[node]:
            back[target].append(node)
    name = {}
    for root in reversed(order):
        stack = [root] if root not in name else []
        while stack:
            node = stack.pop()
            if node not in name:
                name[node] = root
                stack += [n for n in back[node] if n not in name]
    return name


def end_components(choices):
    """The maximal ones, as lists of (node, choice), of {node: [(marks, branches)]}."""
    choices = dict(choices)
    while True:
        edges = {node: {t for _, branches in own for t in branches if t in choices}
                 for node, own in choices.items()}
        name = components(list(choices), edges)
        kept = {node: [c for c in own if all(t in choices and name[t] == name[node] for t in c[1])]
                for node, own in choices.items()}
        kept = {node: own for node, own in kept.items() if own}
        if kept == choices:
            break
        choices = kept
    found = {}
    for node, own in choices.items():
        found.setdefault(name[node], []).extend((node, choice) for choice in own)
    return found.values()


def winning(product, accepts, marks):
    """All nodes of end components whose marks, taken exactly, are accepted."""
    nodes = set()
    for count in range(len(marks) + 1):
        for without in map(set, itertools.combinations(marks, count)):
            left = {node: [choice for choice in own if not choice[0] & without]
                    for node, own in enumerate(product.choices)}
            for component in end_components(left):
                if accepts(set().union(*(choice[0] for _, choice in component))):
                    nodes.update(node for node, _ in component)
    return nodes


# ---- the greatest probability of reaching ----

def chain_values(rows):
    """x(n) = gain + sum of p x(target), for {node: (gain, {target: p})}, by elimination."""
    rows = {node: [gain, dict(branches)] for node, (gain, branches) in rows.items()}
    users = {node: set() for node in rows}
    for node, (_, branches) in rows.items():
        for target in branches:
            users[target].add(node)
    order = list(rows)
    for node in order:
        row = rows[node]
        loop = 1 - row[1].pop(node, Fraction(0))
        row[0] /= loop
        row[1] = {target: p / loop for target, p in row[1].items()}
        for user in users[node] - {node}:
            other = rows[user]
            factor = other[1].pop(node, None)
            if factor is None:
                continue
            other[0] += factor * row[0]
            for target, p in row[1].items():
                other[1][target] = other[1].get(target, 0) + factor * p
                users[target].add(user)
    values = {}
    for node in reversed(order):  # what is left of a row are nodes that were eliminated later
        gain, branches = rows[node]
        values[node] = gain + sum(p * values[t] for t, p in branches.items() if t in values)
    return values


def expected(branches, goal, values):
    return sum(p for t, p in branches.items() if t in goal) + sum(
        p * values.get(t, 0) for t, p in branches.items() if t not in goal)


def reach(product, goal):
    """The greatest probability of reaching the goal, from each initial state of the model."""
    into = [[] for _ in product.choices]
    for node, own in enumerate(product.choices):
        for _, branches in own:
            for target in branches:
                into[target].append((node, branches))
    policy, todo = {}, list(goal)
    for target in todo:  # backwards: a first policy, which reaches the goal from wherever that can be
        for node, branches in into[target]:
            if node not in policy and node not in goal:
                policy[node] = branches
                todo.append(node)
    while True:
        rows = {node: (sum((p for t, p in branches.items() if t in goal), Fraction(0)),
                       {t: p for t, p in branches.items() if t in policy})
                for node, branches in policy.items()}
        values = chain_values(rows)
        better = {node: max((c[1] for c in product.choices[node]),
                            key=lambda branches: expected(branches, goal, values)) for node in policy}
        better = {node: branches for node, branches in better.items()
                  if expected(branches, goal, values) > values[node]}
        if not better:
            break
        policy.update(better)
    assert all(values[node] == expected(policy[node], goal, values) for node in policy)
    values.update((node, Fraction(1)) for node in goal)
    return [max(values.get(start, Fraction(0)) for start in starts) for starts in product.starts]


# ---- all of it ----

def race(target):
    """The race of race.prism, from its end: what is better with so many points to go each."""
    row = [1.0] * (target + 1)  # we have no point to go
    before = row
    for ours in range(1, target + 1):
        new = [0.0]  # the opponent has none
        for theirs in range(1, target + 1):
            new.append(max(.49 * row[theirs] + .51 * new[-1], .33 * before[theirs] + .67 * new[-1]))
        before, row = row, new
    return Fraction(row[target])


# Large models, and how else their values are found.
BY_HAND = {"race.prism": lambda: race(400), "warehouse.prism": lambda: Fraction(9, 10) ** 3}


class Oracle:
    """Answers questions; models and formulas are read once."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), folder

    def run(self, *words):
        return subprocess.run([self.program, *words], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout

    @functools.lru_cache(None)
    def model(self, name, constants):
        """None if it is a large one."""
        options = [word for constant in constants for word in ("-D", constant)]
        summary = self.run("info", name, *options)
        if int(re.search(r"(\d+) states", summary)[1]) > LARGE:
            return None
        path = pathlib.Path(self.folder, name)
        if path.suffix != ".tra":
            path = pathlib.Path(tempfile.mkdtemp(dir=self.folder), "model.tra")
            self.run("convert", name, str(path), "--exact", *options)
        return read_model(path)

    @functools.lru_cache(None)
    def formula(self, text):
        return Automaton(self.run("translate", text, "--acceptance", "any"))

    def file(self, name):
        return Automaton(pathlib.Path(self.folder, name).read_text(encoding="utf-8"))

    def optima(self, question):
        """For each initial state, as a fraction."""
        model = self.model(question.model, tuple(question.constants))
        if model is None:
            return [BY_HAND[pathlib.Path(question.model).name]()]
        a = self.formula(*question.formulas) if question.formulas else self.file(*question.automata)
        product = Product(model, a)
        if not question.least:
            return reach(product, winning(product, a.accepts, a.marks))
        refused = winning(product, lambda marks: not a.accepts(marks), a.marks)
        return [1 - value for value in reach(product, refused | product.lost)]


def main(program, examples):
    asked = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "examples").symlink_to(pathlib.Path(examples).resolve())
        oracle = Oracle(program, folder)
        for path in sorted(pathlib.Path(examples).glob("*/*")):
            if path.suffix not in (".prism", ".hoa", ".drn", ".tra"):
                continue
            for question in questions(path):
                values = oracle.optima(question)
                asked += 1
                if not question.agrees(values):
                    failed += 1
                    print(f"{path.name}: {question.formulas or question.automata}:"
                          f" {question.result}, but it is {', '.join(map(str, values))}")
    print(f"{asked} numbers, {failed} wrong")
    return 1 if failed or asked < 40 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
