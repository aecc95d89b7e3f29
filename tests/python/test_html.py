# SPDX-License-Identifier: MIT
"""The HTML for notebooks is well-formed for all names."""
import unittest
import xml.etree.ElementTree as tree

import omegapac as op
from omegapac import _html
from omegapac.errors import LimitError

HOSTILE = "<script>alert('x')</script>\"&amp;\x1b[2J\x00\ud800é"


def parse(text):
    """Parses HTML that is also well-formed XML."""
    return tree.fromstring(f"<root>{text}</root>")


def words(text):
    return " ".join("".join(parse(text).itertext()).split())


class Thing:
    def __init__(self, **members):
        self.__dict__.update(members)


class Escapes(unittest.TestCase):
    def test_escape(self):
        self.assertEqual(_html.escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;")
        self.assertEqual(_html.escape("\x1b\x00\ud800\u202e"), "\\x1b\\x00\\ud800\\u202e")
        self.assertEqual(_html.escape("é→\n½"), "é→\n½")
        self.assertEqual(words(_html.escape("<&>")), "<&>")

    def test_number(self):
        self.assertEqual(_html.number(0.123456789), "0.123457")
        self.assertEqual(_html.number(12345678901), "12345678901")


class Bars(unittest.TestCase):
    def test_places(self):
        svg = parse(_html.bar(0.5, 0.25, 1.0))[0]
        name = "{http://www.w3.org/2000/svg}"
        box = svg.find(f"{name}rect")
        self.assertEqual((float(box.get("x")), float(box.get("width"))), (84, 228))
        self.assertEqual([line.get("x1") for line in svg.findall(f"{name}line")][-1], "160.0")
        self.assertEqual(svg.find(f"{name}title").text, "0.5, between 0.25 and 1")

    def test_without(self):
        self.assertNotIn("<rect", _html.bar(0.5, None, None))
        self.assertIn("no value", _html.bar(None, None, None))
        parse(_html.bar(None, None, None))

    def test_out_of_range(self):
        svg = _html.bar(7.0, -3.0, 9.0)
        self.assertNotIn("-", parse(svg)[0].find("{http://www.w3.org/2000/svg}rect").get("x"))


class Results(unittest.TestCase):
    DATA = {
        "command": "learn", "inputs": {"objective": "F goal"}, "params": {"epsilon": 0.1, "graph": None},
        "result": {"value": 0.75, "lower": 0.7, "upper": 0.8, "optimum_upper": 0.81, "initial": [1]},
        "guarantee": {"holds": True, "statement": "it is good", "assumes": ["one", "two"]},
        "stats": {"steps": 123456789, "resumed": False, "seconds": 0.25},
    }

    def test_contents(self):
        shown = words(_html.result(self.DATA))
        for text in ("learn", "F goal", "0.75 [0.7, 0.8]", "optimum upper0.81", "✓ it is good", "one",
                     "two", "steps 123456789, seconds 0.25", "parametersepsilon 0.1"):
            self.assertIn(text, shown)
        self.assertNotIn("resumed", shown)

    def test_no_guarantee(self):
        data = dict(self.DATA, guarantee={"holds": False, "statement": "no guarantee: k is small"})
        data["result"] = {"value": 1, "lower": None, "upper": None}
        shown = words(_html.result(data))
        self.assertIn("✗ no guarantee: k is small", shown)
        self.assertNotIn("[", shown)

    def test_parts(self):
        class Part:
            def _repr_html_(self):
                return "<b>mine</b>"

        text = _html.result(self.DATA, [("policy", Part()), ("automaton", "HOA <x>"), ("none", None)])
        self.assertIn("<b>mine</b>", text)
        self.assertIn("HOA &lt;x&gt;", text)
        self.assertEqual(len(parse(text).findall(".//details")), 2)

    def test_hostile(self):
        data = {"command": HOSTILE, "inputs": {"objective": HOSTILE, "model": HOSTILE},
                "result": {"value": 0.5, HOSTILE: HOSTILE},
                "guarantee": {"statement": HOSTILE, "assumes": [HOSTILE]}, "stats": {HOSTILE: 1}}
        text = _html.result(data, [(HOSTILE, HOSTILE)])
        self.assertNotIn("<script", text)
        self.assertNotIn("\x1b", text)
        parse(text)

    def test_missing_members(self):
        for data in ({}, {"result": None}, {"result": {}}, {"command": "check", "results": [1]}):
            parse(_html.result(data))


class Real(unittest.TestCase):
    """Objects of the package."""

    MODEL = op.Model.build([[{0: 0.5, 1: 0.5}, {2: 1}], [{1: 1}], [{2: 1}]], labels={"g<1>": [1], "b": [2]})

    def check(self, thing, *wanted):
        text = thing._repr_html_()
        for word in wanted:
            self.assertIn(word, words(text))
        return parse(text)

    def test_automaton(self):
        shown = self.check(op.Automaton.translate("G F a & F G b"), "parity max even 2", "HOA")
        self.assertEqual(len(shown.findall(".//{http://www.w3.org/2000/svg}svg")), 1)

    def test_hostile_names(self):
        automaton = op.Automaton.parse(
            'HOA: v1\nname: "<script>"\nStates: 1\nStart: 0\nAP: 1 "<b>&"\nAcceptance: 1 Inf(0)\n'
            "--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n--END--\n")
        self.assertNotIn("<script", automaton._repr_html_())
        self.check(automaton, "<b>&")

    def test_results(self):
        check = op.check(self.MODEL, 'F "g<1>"')
        shown = self.check(check, "check", "value1")
        self.assertTrue(shown.findall(".//{http://www.w3.org/2000/svg}rect"))
        self.check(self.MODEL, "Model", "g<1>")
        learned = op.learn(self.MODEL, '(F "g<1>") & (G !b)', epsilon=0.1, delta=0.1, pmin=0.5)
        shown = self.check(learned, "learn", "✓", "every positive transition probability", "parameters")
        self.assertEqual(len(shown.findall("./div/details")), 2)
        self.check(learned.policy, "decisions")
        plain = op.learn(self.MODEL, "F b", epsilon=0.1, delta=0.1, T=5, k=3)
        self.check(plain, "✗ no guarantee")
        self.check(op.bound(states=3, actions=2, T=5, epsilon=0.1, delta=0.1), "bound", "samples")
        self.check(op.recurrence(self.MODEL, "F b", epsilon=0.1), "recurrence")

    def test_several_on_one_page(self):
        """No element has an identifier, so that several fragments fit on one page; nothing is fetched or run."""
        automaton = op.Automaton.translate("G F a & F G b")
        result = op.check(self.MODEL, 'F "g<1>"')
        page = "".join(thing._repr_html_() for thing in (automaton, automaton, result, result.policy, self.MODEL))
        for element in parse(page).iter():
            self.assertFalse({"id", "href", "src", "onload", "onclick"} & set(element.keys()), element)
            self.assertNotIn(element.tag.rpartition("}")[2], ("script", "link", "img", "use", "a"))
            for word in ("@import", "url("):
                self.assertNotIn(word, element.text or "")

    def test_policy_of_an_environment(self):
        class Line:
            propositions = ["end"]

            def reset(self, seed):
                self.place = "<a>"
                return self.place

            def step(self, action):
                self.place = "b" if action else "<a>"
                return self.place

            def labels(self, state):
                return ["end"] if state == "b" else []

            def actions(self, state):
                return ["<stay>", "<go>"]

        policy = op.learn(Line(), "F end", epsilon=0.1, delta=0.1, pmin=1, deterministic=True).policy
        shown = self.check(policy, "'<a>'", "<go>")
        self.assertEqual(len(shown.findall(".//{http://www.w3.org/2000/svg}svg")), 1)


class Drawn(unittest.TestCase):
    def automaton(self, **members):
        return Thing(**{"name": HOSTILE, "states": 2, "acceptance_name": "Rabin 1",
                        "acceptance": "Fin(0) & Inf(1)", "propositions": (HOSTILE, "b"),
                        "to_hoa": lambda: "HOA: v1 " + HOSTILE, **members})

    def test_automaton(self):
        text = _html.automaton(self.automaton())
        self.assertNotIn("<script", text)
        self.assertIn("Rabin 1: Fin(0) & Inf(1)", words(text))
        drawn = _html.automaton(self.automaton(to_svg=lambda: '<?xml version="1.0"?>\n<svg id="here"/>'))
        self.assertEqual(len(parse(drawn).findall(".//svg")), 1)

        def too_large():
            raise LimitError("101 states", "limit")

        self.assertEqual(_html.automaton(self.automaton(to_svg=too_large)), text)
        self.assertLess(len(_html.automaton(self.automaton(to_hoa=lambda: "x" * 10**6))), 30_000)

    def test_policy(self):
        decisions = [{"memory": 0, "state": 5, "key": HOSTILE, "action": "", "choice": 3, "next": 1},
                     {"memory": 1, "state": 7, "values": {"x": 1, HOSTILE: 2}, "action": HOSTILE, "next": 0}]
        data = {"objective": HOSTILE, "direction": "max", "decisions": decisions, "memory": {"count": 2}}
        text = _html.policy(Thing(to_dict=lambda: data))
        self.assertNotIn("<script", text)
        self.assertEqual(len(parse(text).findall(".//details//tr")), 3)
        cells = [cell.text for cell in parse(text).findall(".//details//td")]
        self.assertEqual((cells[1][:8], cells[2]), ("<script>", "3"))  # the key, not its number
        data["decisions"] = decisions[:1] * 1000
        text = _html.policy(Thing(to_dict=lambda: data))
        self.assertIn("and 800 more", words(text))


if __name__ == "__main__":
    unittest.main()
