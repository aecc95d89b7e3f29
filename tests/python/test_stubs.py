# SPDX-License-Identifier: MIT
"""The stubs of the extension, signatures and documentation agree with the package."""
import ast
import contextlib
import doctest
import inspect
import io
import os
import pathlib
import re
import unittest

import omegapac as op
from omegapac import _core

from gridworlds import Gridworld, Walk
from support import MODELS, SOURCE, Scratch

STUBS = pathlib.Path(op.__file__).with_name("_core.pyi")
GIVEN = {"__doc__", "__new__", "__module__"}  # members of every type


def members(body):
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def max_arguments(node):
    """The number of arguments of a stub; None if it takes any number."""
    arguments = node.args
    return None if arguments.vararg else len(arguments.posonlyargs) + len(arguments.args)


class Stubs(unittest.TestCase):
    def setUp(self):
        self.stubs = members(ast.parse(STUBS.read_text(encoding="utf-8")).body)

    def test_names(self):
        there = {name for name in vars(_core) if not name.startswith("__")}
        self.assertEqual(there, set(self.stubs))

    def test_members_of_types(self):
        for name, node in self.stubs.items():
            if isinstance(node, ast.ClassDef):
                there = set(vars(getattr(_core, name))) - GIVEN
                self.assertEqual(there, set(members(node.body)), name)

    def test_kinds(self):
        """Properties, class methods and methods of the stubs are such in the extension."""
        for name, node in self.stubs.items():
            for member, stub in members(node.body).items() if isinstance(node, ast.ClassDef) else ():
                kinds = {"property": "getset_descriptor", "classmethod": "classmethod_descriptor"}
                said = [kinds[mark.id] for mark in stub.decorator_list]
                real = type(vars(getattr(_core, name))[member]).__name__
                self.assertEqual(said or ["method_descriptor"], [real], f"{name}.{member}")

    def test_numbers_of_arguments(self):
        """A function raises TypeError for one argument too many, and for one too few."""
        for name, stub in self.stubs.items():
            count = max_arguments(stub) if isinstance(stub, ast.FunctionDef) else None
            if count is not None:
                with self.assertRaises(TypeError, msg=name) as caught:
                    getattr(_core, name)(*[None] * (count + 1))
                self.assertRegex(str(caught.exception), "argument", name)
                if count > 0:
                    with self.assertRaises(TypeError, msg=name) as caught:
                        getattr(_core, name)(*[None] * (count - 1))
                    self.assertRegex(str(caught.exception), "argument", name)


class Documentation(Scratch):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())

    def test_members(self):
        for name in op.__all__:
            thing = getattr(op, name)
            self.assertTrue(thing.__doc__, name)
            if isinstance(thing, type) and not issubclass(thing, (tuple, BaseException)):
                for member in dir(thing):
                    if not member.startswith("_") and not hasattr(object, member):
                        self.assertTrue(inspect.getdoc(getattr(thing, member)), f"{name}.{member}")

    def test_examples(self):
        """The examples in the docstrings of learning print what they show."""
        os.chdir(self.folder)
        names = {"op": op, "env": Gridworld(), "model": op.Model.load(MODELS / "gridworld.prism")}
        examples = 0
        for name in ("learn", "learn_runs", "LearnResult", "Trial"):
            for test in doctest.DocTestFinder(exclude_empty=True).find(getattr(op, name), name, globs=names):
                report = io.StringIO()
                outcome = doctest.DocTestRunner(verbose=False).run(test, out=report.write, clear_globs=False)
                self.assertEqual(outcome.failed, 0, report.getvalue())
                examples += outcome.attempted
        self.assertGreaterEqual(examples, 9)

    def test_signatures(self):
        """help() shows parameters."""
        for name in op.__all__:
            thing = getattr(op, name)
            if inspect.isfunction(thing):
                self.assertTrue(inspect.signature(thing).parameters, name)
            elif isinstance(thing, type):
                for member, value in inspect.getmembers(thing, callable):
                    if not member.startswith("_") and not isinstance(value, type) and not issubclass(thing, (BaseException, tuple)):
                        inspect.signature(value)

    def test_the_page_names_all(self):
        page = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
        for name in op.__all__:
            self.assertTrue(re.search(rf"\b{name}\b", page), name)
        for function in (op.learn, op.estimate, op.check, op.evaluate, op.recurrence, op.bound, op.verify, op.learn_runs,
                         op.sample_size, op.bad_steps, op.walk_rate):
            for name in inspect.signature(function).parameters:
                self.assertTrue(re.search(rf"\b{name}\b", page), f"{function.__name__}: {name}")

    def test_nothing_else_is_public(self):
        modules = {"automata", "environments", "errors", "learning", "models", "numbers", "policies", "questions", "reports",
                   "results", "runs"}
        extra = {name for name in vars(op) if not name.startswith("_")} - set(op.__all__) - modules
        self.assertLessEqual(extra, {"gym"})


class Page(Scratch):
    """Runs the code blocks of the page. The test repository.examples runs those with a file or an output."""

    def show(self, node, names):
        """The printed output of an expression, or its value."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = eval(compile(ast.Expression(node.value), "page", "eval"), names)
        return printed.getvalue().strip() or repr(value)

    def run_piece(self, text, names):
        lines = text.split("\n")
        for node in ast.parse(text).body:
            if not isinstance(node, ast.Expr):
                exec(compile(ast.Module([node], []), "page", "exec"), names)
                continue
            shown = self.show(node, names)
            _, mark, promised = lines[node.end_lineno - 1].partition("  # ")
            if mark:
                self.assertEqual(shown, promised.strip())

    def test_pieces(self):
        page = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
        pieces = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(pieces), 3)
        names = {"env": Walk()}
        os.symlink(SOURCE / "examples", self.folder / "examples")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for piece in pieces:
            self.run_piece(piece, names)


if __name__ == "__main__":
    unittest.main()
