# SPDX-License-Identifier: MIT
"""HTML reports: the same bytes as those of the command line."""
import json
import subprocess
import unittest

import omegapac as op
from support import MODELS, PROGRAM, Scratch

GRID = MODELS / "gridworld.prism"

OBJECTIVE = "G F s & G F g"


class Reports(Scratch):
    def setUp(self):
        super().setUp()
        self.model = op.Model.load(GRID)
        self.learned = op.learn(self.model, OBJECTIVE, pmin="1/5", epsilon="1/2", delta="1/10")
        self.checked = op.check(self.model, "F g")

    def page_of(self, *texts, title=None):
        path = self.folder / "result"
        path.write_text("\n".join(texts), encoding="utf-8")
        title = [] if title is None else ["--title", title]
        return subprocess.run([PROGRAM, "report", path.name, *title], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout

    def test_same_as_the_command_line(self):
        self.assertEqual(op.report(self.learned), self.page_of(self.learned.to_json()))
        both = [self.learned, self.checked.to_dict()]
        wanted = self.page_of(self.learned.to_json(), self.checked.to_json(), title="Both")
        self.assertEqual(op.report(both, title="Both"), wanted)
        self.assertEqual(op.report(iter(both), title="Both"), wanted)

    def test_files(self):
        path = self.folder / "report.html"
        page = self.learned.report(path)
        self.assertEqual(path.read_text(encoding="utf-8"), page)
        self.assertEqual(page, op.report(self.learned))
        self.assertIn("<title>A &lt;title&gt;</title>", self.checked.report(title="A <title>"))
        saved = self.folder / "result.json"
        self.learned.save(saved)
        self.assertEqual(op.report(json.loads(saved.read_text(encoding="utf-8"))), page)

    def test_other_questions(self):
        for result in (op.bound(states=12, actions=4, T=19, epsilon="1/20", delta="1/10"),
                       op.recurrence(self.model, "G F s", epsilon="1/20"),
                       op.evaluate(self.model, self.checked.policy),
                       op.learn(self.model, OBJECTIVE, T=20, k=5, epsilon="1/2", delta="1/10")):
            self.assertIn(f'data-command="{result.to_dict()["command"]}"', result.report())

    def test_mistakes(self):
        for wrong in (3, [3], ["text"], None):
            with self.assertRaisesRegex(TypeError, "expected results or their dicts"):
                op.report(wrong)
        with self.assertRaisesRegex(op.InputError, "result: member 'schema' is missing"):
            op.report({})
        data = self.learned.to_dict()
        data["guarantee"]["holds"] = 1
        with self.assertRaisesRegex(op.InputError, "guarantee.holds: expected a boolean, found a number"):
            op.report(data)
        with self.assertRaises(op.InputError):
            op.report([])


if __name__ == "__main__":
    unittest.main()
