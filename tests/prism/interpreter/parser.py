# SPDX-License-Identifier: MIT
"""Recursive descent over the grammar of PRISM's manual."""
import re
from fractions import Fraction

from .errors import PrismError
from .lexer import tokens
from .tree import Branch, Command, Constant, File, Module, Node, Variable

UNSUPPORTED = {"ctmc", "stochastic", "pta", "pomdp", "popta", "smg"}


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    # ---- tokens ----

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    @property
    def line(self):
        return self.tokens[self.at][2]

    def next(self):
        token = self.tokens[self.at]
        self.at += 1
        return token[1]

    def fail(self, wanted):
        raise PrismError("syntax", self.line, f"expected {wanted}, found {self.tokens[self.at][1]!r}")

    def expect(self, kind):
        if self.peek() != kind:
            self.fail(kind)
        return self.next()

    def take(self, kind):
        if self.peek() == kind:
            self.next()
            return True
        return False

    # ---- the file ----

    def file(self):
        file = File()
        while self.peek() != "end":
            self.item(file)
        return file

    def item(self, file):
        kind, line = self.peek(), self.line
        if kind in UNSUPPORTED:
            raise PrismError("unsupported", line, f"{kind} models are not supported")
        if kind in ("observables", "observable"):
            raise PrismError("unsupported", line, f"{kind} are not supported")
        if kind in ("dtmc", "probabilistic", "mdp", "nondeterministic"):
            if file.type is not None:
                self.fail("one type only")
            self.next()
            file.type = "dtmc" if kind in ("dtmc", "probabilistic") else "mdp"
        elif kind in ("const", "rate", "prob"):
            file.constants.append(self.constant())
        elif kind == "formula":
            self.next()
            name = self.expect("name")
            self.expect("=")
            file.formulas.append((name, self.expression(), line))
            self.expect(";")
        elif kind == "label":
            self.next()
            self.expect('"')
            if not re.fullmatch(r"\w+", self.tokens[self.at][1]) or self.peek() in ("init", "number"):
                self.fail("a name")
            name = self.next()
            self.expect('"')
            self.expect("=")
            file.labels.append((name, self.expression(), line))
            self.expect(";")
        elif kind == "global":
            self.next()
            file.globals.append(self.variable())
        elif kind == "module":
            file.modules.append(self.module())
        elif kind == "rewards":
            self.rewards(file)
        elif kind == "init":
            self.next()
            if file.initial is not None:
                raise PrismError("duplicate", line, "init…endinit twice")
            file.initial = self.expression()
            self.expect("endinit")
        elif kind == "system":
            self.next()
            if file.system is not None:
                raise PrismError("duplicate", line, "system…endsystem twice")
            file.system, file.system_line = self.parallel(), line
            self.expect("endsystem")
        else:
            self.fail("an item")

    def constant(self):
        line, kind = self.line, self.next()
        if kind == "const":
            kind = self.next() if self.peek() in ("int", "double", "bool") else "int"
        else:
            kind = "double"
        name = self.expect("name")
        value = self.expression() if self.take("=") else None
        self.expect(";")
        return Constant(name, kind, value, line)

    def variable(self):
        line, name = self.line, self.expect("name")
        self.expect(":")
        low = high = initial = None
        if self.peek() in ("clock", "int"):
            raise PrismError("unsupported", self.line, f"{self.peek()} variables")
        if self.take("bool"):
            kind = "bool"
        else:
            kind = "int"
            self.expect("[")
            low = self.expression()
            self.expect("..")
            high = self.expression()
            self.expect("]")
        if self.take("init"):
            initial = self.expression()
        self.expect(";")
        return Variable(name, kind, low, high, initial, line)

    def module(self):
        line = self.line
        self.expect("module")
        module = Module(self.expect("name"), line)
        if self.take("="):
            module.base = self.expect("name")
            self.expect("[")
            while True:
                where, old = self.line, self.renamed()
                self.expect("=")
                module.renaming.append((old, self.renamed(), where))
                if not self.take(","):
                    break
            self.expect("]")
        else:
            while self.peek() == "name":
                module.variables.append(self.variable())
            if self.peek() == "invariant":
                raise PrismError("unsupported", self.line, "invariants")
            while self.peek() == "[":
                module.commands.append(self.command())
        self.expect("endmodule")
        return module

    def renamed(self):
        if self.peek() not in ("name", "min", "max"):
            self.fail("a name")
        return self.next()

    def command(self):
        line = self.line
        self.expect("[")
        action = self.next() if self.peek() == "name" else ""
        self.expect("]")
        guard = self.expression()
        self.expect("->")
        branches = []
        if self.update_follows():
            branches.append(Branch(None, self.update(), line))
        else:
            while True:
                if self.peek() == "[":
                    raise PrismError("unsupported", self.line, "intervals")
                where, probability = self.line, self.expression()
                self.expect(":")
                branches.append(Branch(probability, self.update(), where))
                if not self.take("+"):
                    break
        self.expect(";")
        return Command(action, guard, branches, line)

    def update_follows(self):
        return (self.peek() == "true" and self.peek(1) in (";", "+", "end")) or \
            (self.peek() == "(" and self.peek(1) == "primed")

    def update(self):
        if self.take("true"):
            return []
        assignments = []
        while True:
            self.expect("(")
            line, name = self.line, self.expect("primed")[:-1].rstrip()
            self.expect("=")
            assignments.append((name, self.expression(), line))
            self.expect(")")
            if not self.take("&"):
                return assignments

    def rewards(self, file):
        self.expect("rewards")
        if self.take('"'):
            if not re.fullmatch(r"\w+", self.tokens[self.at][1]) or self.peek() == "number":
                self.fail("a name")
            name = self.next()
            self.expect('"')
            if name in file.reward_names:
                raise PrismError("duplicate", self.line, f'rewards "{name}"')
            file.reward_names.add(name)
        while not self.take("endrewards"):
            action = None
            if self.take("["):
                action = self.next() if self.peek() == "name" else ""
                self.expect("]")
            guard = self.expression()
            self.expect(":")
            file.rewards.append((action, guard, self.expression()))
            self.expect(";")

    # ---- system…endsystem: ('module', name, line), ('||', l, r), ('|||', l, r), ('|[', set, l, r),
    # ('/', set, s), ('<-', map, s) ----

    def bars(self):
        count = 0
        while self.peek(count) == "|":
            count += 1
        return count

    def parallel(self):
        left = self.interleaved()
        while self.bars() == 2:
            self.at += 2
            left = ("||", left, self.on())
        return left

    def interleaved(self):
        left = self.on()
        while self.bars() == 3:
            self.at += 3
            left = ("|||", left, self.parallel())
        return left

    def on(self):
        left = self.postfix()
        if self.peek() == "|" and self.peek(1) == "[":
            self.at += 2
            actions = self.names()
            self.expect("]")
            self.expect("|")
            return ("|[", actions, left, self.postfix())
        return left

    def postfix(self):
        inner = self.atom()
        while self.peek() in ("/", "{"):
            if self.take("/"):
                self.expect("{")
                inner = ("/", self.names(), inner)
            else:
                self.next()
                renaming = {}
                while True:
                    old = self.expect("name")
                    self.expect("<-")
                    if old in renaming:
                        raise PrismError("system", self.line, f"{old} is renamed twice")
                    renaming[old] = self.expect("name")
                    if not self.take(","):
                        break
                inner = ("<-", renaming, inner)
            self.expect("}")
        return inner

    def names(self):
        found = [self.expect("name")]
        while self.take(","):
            found.append(self.expect("name"))
        return frozenset(found)

    def atom(self):
        if self.take("("):
            inner = self.parallel()
            self.expect(")")
            return inner
        line = self.line
        return ("module", self.expect("name"), line)

    # ---- expressions, lowest precedence first ----

    def expression(self):
        condition = self.implication()
        if self.peek() != "?":
            return condition
        line = self.line
        self.next()
        then = self.expression()
        self.expect(":")
        return Node("?", line, (condition, then, self.expression()))

    def left_associative(self, operators, operand):
        left = operand()
        while self.peek() in operators:
            line, op = self.line, self.next()
            left = Node(op, line, (left, operand()))
        return left

    def implication(self):
        return self.left_associative(("=>",), self.equivalence)

    def equivalence(self):
        return self.left_associative(("<=>",), self.disjunction)

    def disjunction(self):
        return self.left_associative(("|",), self.conjunction)

    def conjunction(self):
        return self.left_associative(("&",), self.negation)

    def negation(self):
        if self.peek() == "!":
            line = self.line
            self.next()
            return Node("!", line, (self.negation(),))
        return self.left_associative(("=", "!="), self.relation)

    def relation(self):
        """In an expression, the token <- is a minus after a <, as in x<-1."""
        left = self.sum()
        while self.peek() in ("<", "<=", ">", ">=", "<-"):
            line = self.line
            if self.peek() == "<-":
                self.tokens[self.at:self.at + 1] = [("<", "<", line), ("-", "-", line)]
            left = Node(self.next(), line, (left, self.sum()))
        return left

    def sum(self):
        return self.left_associative(("+", "-"), self.product)

    def product(self):
        return self.left_associative(("*", "/"), self.minus)

    def minus(self):
        if self.peek() == "!":  # after an operator of higher precedence: extends as far as possible
            return self.negation()
        if self.peek() == "-":
            line = self.line
            self.next()
            return Node("neg", line, (self.minus(),))
        return self.power()

    def power(self):
        base = self.basic()
        if self.peek() == "^":
            line = self.line
            self.next()
            return Node("call", line, (base, self.minus()), "^")
        return base

    def basic(self):
        kind, line = self.peek(), self.line
        if kind == "number":
            return Node("int", line, (), int(self.next()))
        if kind == "decimal":
            return Node("real", line, (), Fraction(self.next()))
        if kind in ("true", "false"):
            return Node("bool", line, (), self.next() == "true")
        if kind == "(":
            self.next()
            inner = self.expression()
            self.expect(")")
            return inner
        if kind == '"':
            self.next()
            if not re.fullmatch(r"\w+", self.tokens[self.at][1]):
                self.fail("a name")
            name = self.next()
            self.expect('"')
            return Node("label", line, (), name)
        if kind == "func":
            self.next()
            self.expect("(")
            name = self.renamed()
            self.expect(",")
            return Node("call", line, self.arguments(), name)
        if kind in ("name", "min", "max"):
            name = self.next()
            if self.take("("):
                return Node("call", line, self.arguments(), name)
            if kind == "name":
                return Node("name", line, (), name)
        return self.fail("an expression")

    def arguments(self):
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        self.expect(")")
        return tuple(found)


def parse(text):
    return Parser(text).file()
