# SPDX-License-Identifier: MIT
"""CSV and JSON are the bytes of digests.json. Those of `learn -T`, of `estimate` and of exact values are from when the experiments
were part of the library; those with p_min, from when brackets began to sample in rounds.

Numbers have all digits of doubles, so another mathematical library may give other bytes: then the claims tell whether
they are right.
"""
import hashlib
import importlib
import json
import pathlib
import subprocess
import sys
import unittest

import common
import omegapac as op
from support import SOURCE, Scratch, full

NAMES = ("gridworld", "chain", "robust", "counterexample", "samples", "sequence", "speed")
DIGESTS = json.loads(pathlib.Path(__file__).with_name("digests.json").read_text(encoding="utf-8"))


def data_of(name, size, **options):
    """The files of an experiment, without times."""
    module = importlib.import_module(name)
    lab = common.Lab(name, timing=False, **options)
    module.run(lab, getattr(module, size))
    return lab.data()


def digests(files):
    """The version of the package changes with every release, and is left out."""
    mine, first = (f'"version": "{version}"'.encode() for version in (op.__version__, "0.2.0"))
    return {name: hashlib.sha256(content.replace(mine, first, 1)).hexdigest() for name, content in files.items()}


class Data(unittest.TestCase):
    def compare(self, size, expected, names=NAMES, **options):
        for name in names:
            wanted = {file: digest for file, digest in DIGESTS[expected].items() if file.split(".")[0].split("-")[0] == name}
            self.assertEqual(digests(data_of(name, size, **options)), wanted)

    def test_one_thread(self):
        self.compare("SMALL", "small", threads=1)

    def test_two_threads(self):
        self.compare("SMALL", "small", NAMES[1:], threads=2)

    @full
    def test_two_threads_on_the_gridworld(self):
        self.compare("SMALL", "small", NAMES[:1], threads=2)

    @full
    def test_other_seed(self):
        self.compare("SMALL", "small, seed 41", seed=41, threads=2)

    @full
    def test_full(self):
        self.compare("FULL", "full", threads=2)


def has_matplotlib(python):
    return subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0


class Figures(Scratch):
    """With a Python that has matplotlib: that of the tests, or Debian's."""

    def setUp(self):
        super().setUp()
        self.python = next(filter(has_matplotlib, (sys.executable, "/usr/bin/python3")), None)
        if self.python is None:
            self.skipTest("matplotlib is not there")

    def draw(self, name, folder, *options):
        subprocess.run([self.python, SOURCE / "experiments" / f"{name}.py", "--small", "-q", "-o", folder, *options],
                       check=True)
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    @full
    def test_figures(self):
        """All are there, in both formats, with the same bytes again and no date."""
        for name in NAMES:
            module = importlib.import_module(name)
            lab = common.Lab(name)
            module.run(lab, module.SMALL)
            wanted = {f"{name}-{figure}.{suffix}" for figure, _ in lab.figures for suffix in ("pdf", "svg", "png")}
            timing = [] if name == "speed" else ["--no-timing"]  # without times it has no figures
            first = self.draw(name, self.folder / name, "--png", *timing)
            self.assertEqual({file for file in first if not file.endswith((".csv", ".json"))}, wanted)
            self.assertTrue(all(first.values()))
            for file, content in first.items():
                self.assertFalse(file.endswith(".pdf") and b"CreationDate" in content, file)
                self.assertFalse(file.endswith(".svg") and b"<dc:date>" in content, file)
            if timing:
                self.assertEqual(self.draw(name, self.folder / f"{name} again", "--png", *timing), first)

    @full
    def test_data_without_figures_are_the_same(self):
        first = self.draw("robust", self.folder / "with", "--no-timing")
        second = self.draw("robust", self.folder / "without", "--no-timing", "--no-figures")
        self.assertEqual(second, {file: first[file] for file in first if file.endswith((".csv", ".json"))})


if __name__ == "__main__":
    unittest.main()
