# SPDX-License-Identifier: MIT
"""Automata: from LTL, from HOA, and between kinds."""
import unittest

import omegapac as op
from support import Scratch


class Automata(Scratch):
    def test_translating(self):
        automaton = op.Automaton.translate("G F a & F G b")
        self.assertEqual(automaton.propositions, ("a", "b"))
        self.assertTrue(automaton.deterministic)
        self.assertEqual(automaton.name, "G F a & F G b")
        buchi = op.Automaton.translate("G F a", acceptance="buchi", complete=True)
        self.assertEqual((buchi.acceptance, buchi.acceptance_name, buchi.marks), ("Inf(0)", "Buchi", 1))
        self.assertTrue(buchi.complete)
        ldba = op.Automaton.translate("F G a", kind="ldba")
        self.assertFalse(ldba.deterministic)

    def test_time_is_limited(self):
        formula = " <-> ".join(f"G F a{i}" for i in range(24))
        with self.assertRaisesRegex(op.LimitError, "the time limit was reached while simplifying '"):
            op.Automaton.translate(formula, max_seconds=0.05)
        op.Automaton.translate("G F a", max_seconds=3600)

    def test_grammars(self):
        self.assertNotEqual(
            op.Automaton.translate("F a & b").to_hoa(), op.Automaton.translate("F a & b", prism=True).to_hoa()
        )

    def test_written_and_read_back(self):
        automaton = op.Automaton.translate("a U (b & X c)")
        self.assertEqual(op.Automaton.parse(automaton.to_hoa()).to_hoa(), automaton.to_hoa())
        automaton.save(self.folder / "a.hoa")
        self.assertEqual(op.Automaton.load(self.folder / "a.hoa").to_hoa(), automaton.to_hoa())
        self.assertIn("digraph", automaton.to_dot())
        both = op.Automaton.parse_all(automaton.to_hoa() * 2)
        self.assertEqual(len(both), 2)

    def test_converting(self):
        parity = op.Automaton.translate("G F a | F G b").convert(acceptance="parity")
        self.assertTrue(parity.acceptance_name.startswith("parity"), parity)
        with self.assertRaises(op.UnsupportedError):
            op.Automaton.translate("F G a").convert(acceptance="buchi")

    def test_views(self):
        automaton = op.Automaton.translate("G F a")
        self.assertEqual(repr(automaton), "<Automaton of 'G F a': 1 state, Buchi>")

    def test_mistakes(self):
        with self.assertRaises(op.InputError) as caught:
            op.Automaton.translate("G (a & ) U b")
        error = caught.exception
        self.assertEqual((error.code, error.line, error.column, error.where), ("syntax", 1, 8, "formula"))
        self.assertEqual(str(error).split("\n")[1:], ["  G (a & ) U b", "         ^"])
        path = self.folder / "wrong.hoa"
        path.write_text("HOA: v1\nStates: x\n")
        with self.assertRaises(op.InputError) as caught:
            op.Automaton.load(path)
        self.assertTrue(str(caught.exception).startswith(f"{path}:2:9: "), caught.exception)
        for wrong, kind in (
            (lambda: op.Automaton(), TypeError),
            (lambda: op.Automaton.translate("a", kind="dfa"), op.InputError),
            (lambda: op.Automaton.translate("a", acceptance="x"), op.InputError),
            (lambda: op.Automaton.translate(None), TypeError),
            (lambda: op.Automaton.translate("a\0"), ValueError),
            (lambda: op.Automaton.translate("\ud800"), UnicodeError),
            (lambda: op.Automaton.translate("(G F a & G F b) | F G d", max_states=1, acceptance="parity"),
             op.LimitError),
            (lambda: op.Automaton.parse(""), op.InputError),
            (lambda: op.Automaton.load(self.folder / "none"), FileNotFoundError),
        ):
            with self.assertRaises(kind):
                wrong()


if __name__ == "__main__":
    unittest.main()
