# SPDX-License-Identifier: MIT
"""The CSV and JSON files of the experiments have the digests in digests.json.

Numbers are written with all digits of doubles, so another mathematical library may give other bytes; test_claims.py then
decides whether they are correct.
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
DIGESTS_VERSION = "0.1.0"  # the version in the files of digests.json; it does not change with releases


def data_of(name, size, **options):
    """The data files of an experiment, without times."""
    module = importlib.import_module(name)
    lab = common.Lab(name, timing=False, **options)
    module.run(lab, getattr(module, size))
    return lab.data()


def digests(files):
    """The SHA-256 of each file, with the version of the package replaced by that of the stored digests."""
    current, stored = (f'"version": "{version}"'.encode() for version in (op.__version__, DIGESTS_VERSION))
    return {name: hashlib.sha256(content.replace(current, stored, 1)).hexdigest() for name, content in files.items()}


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
    """Figures, drawn by the first Python that has matplotlib: that of the tests, or Debian's."""

    def setUp(self):
        super().setUp()
        self.python = next(filter(has_matplotlib, (sys.executable, "/usr/bin/python3")), None)
        if self.python is None:
            self.skipTest("matplotlib is not installed")

    def draw(self, name, folder, *options):
        subprocess.run([self.python, SOURCE / "experiments" / f"{name}.py", "--small", "-q", "-o", folder, *options],
                       check=True)
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    @full
    def test_figures(self):
        """All figures are written in all formats, without dates; a second run writes the same bytes."""
        for name in NAMES:
            module = importlib.import_module(name)
            lab = common.Lab(name)
            module.run(lab, module.SMALL)
            wanted = {f"{name}-{figure}.{suffix}" for figure, _ in lab.figures for suffix in ("pdf", "svg", "png")}
            timing = [] if name == "speed" else ["--no-timing"]  # speed has no figures without timing
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
