# SPDX-License-Identifier: MIT
"""The scripts as programs: options, output folders, and the files after an interruption or an error."""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import unittest

import common
from support import SOURCE, Scratch, full

sys.path.append(str(SOURCE / "tests" / "repository"))
import examples  # noqa: E402


def command(name, *words):
    return [sys.executable, str(SOURCE / "experiments" / f"{name}.py"), *map(str, words)]


class Program(Scratch):
    def run_it(self, name, *words, status=0, **settings):
        done = subprocess.run(command(name, *words), capture_output=True, text=True, check=False, cwd=self.folder, **settings)
        self.assertEqual(done.returncode, status, done)
        return done

    def test_result(self):
        done = self.run_it("robust", "--small", "--no-figures", "--runs", 3, "--seed", 5, "--threads", 2)
        self.assertTrue(done.stdout.startswith("Result: robust, results/robust.json\n\nquantity "), done.stdout)
        self.assertIn("T for p = 0.5                             grows as p falls  6 for G F s0, 7 for G s0\n", done.stdout)
        self.assertIn("runs that chose a                         -                 21 of 21\n", done.stdout)
        self.assertEqual(sorted(os.listdir(self.folder / "results")), ["robust-points.csv", "robust-wrong.csv", "robust.json"])
        rows = (self.folder / "results" / "robust-wrong.csv").read_bytes().split(b"\r\n")
        self.assertEqual(rows[0], b"p,wrong_runs,runs,T_not_refuted,exact,wrong_runs_bracket,T_not_refuted_bracket")
        self.assertEqual(self.run_it("robust", "--small", "--no-figures", "-q").stdout, "")

    def test_files_of_others_stay(self):
        (self.folder / "mine.csv").write_text("mine")
        self.run_it("speed", "--small", "--no-figures", "--no-timing", "-q", "-o", ".")
        self.assertEqual((self.folder / "mine.csv").read_text(), "mine")
        self.assertEqual(sorted(os.listdir(self.folder)), ["mine.csv", "speed-counts.csv", "speed.json"])

    def test_bad_options(self):
        for words, said in ((["--nonsense"], "unrecognized arguments: --nonsense"), (["--runs", "0"], "--runs"),
                            (["--threads", "many"], "--threads"), (["--seed", "-1"], "--seed"), (["--seed", 2**64], "--seed"), (["extra"], "unrecognized arguments: extra")):
            done = self.run_it("robust", *words, status=2)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(os.listdir(self.folder), [])

    def test_folders_that_cannot_be(self):
        (self.folder / "file").write_text("mine")
        for where in ("file", "file/x", "a/b", "/dev/full"):
            done = self.run_it("robust", "--no-figures", "-o", where, status=2)
            self.assertTrue(done.stderr.startswith("robust: "), done.stderr)
            self.assertIn(where, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(os.listdir(self.folder), ["file"])

    def test_seeds_beyond_64_bits(self):
        done = self.run_it("robust", "--small", "--no-figures", "--seed", 2**64 - 1, status=2)
        self.assertIn("seed", done.stderr)
        self.assertEqual(os.listdir(self.folder / "results"), [])

    def test_full_disk(self):
        """If one file, here the JSON, cannot be written, no file is."""
        done = self.run_it("robust", "--small", "--no-figures", status=2,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (800, 800)))
        self.assertIn("File too large", done.stderr)
        self.assertEqual(os.listdir(self.folder / "results"), [])

    def test_all_files_or_none(self):
        (self.folder / "a").write_text("old")
        with self.assertRaises(OSError):
            common.write_files(self.folder, {"a": b"new", "missing/b": b"new"})
        self.assertEqual(os.listdir(self.folder), ["a"])
        self.assertEqual((self.folder / "a").read_text(), "old")
        common.write_files(self.folder, {"a": b"new", "b": b"new"})
        self.assertEqual((self.folder / "a").read_text(), "new")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b"])

    def test_interrupt(self):
        """An interrupted run has exit status 130 and leaves no file."""
        target = self.folder / "stopped"
        with subprocess.Popen(command("samples", "--no-figures", "-o", target), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while not target.exists() and process.poll() is None:
                time.sleep(0.01)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out, err), (130, "", "samples: stopped\n"))
        self.assertEqual(os.listdir(target), [])

    def test_matplotlib_is_required_before_the_runs(self):
        """The error comes at once, not after a minute of runs."""
        (self.folder / "sitecustomize.py").write_text(
            "import importlib.util as u\nfind = u.find_spec\n"
            "u.find_spec = lambda name, *more: None if name == 'matplotlib' else find(name, *more)\n")
        environment = dict(os.environ, PYTHONPATH=f"{self.folder}:{os.environ['PYTHONPATH']}")
        done = self.run_it("samples", status=1, env=environment)
        self.assertEqual(done.stderr, "samples: matplotlib is missing: install it (apt-get install python3-matplotlib), or "
                         "use --no-figures\n")
        self.assertFalse((self.folder / "results").exists())

    @full
    def test_documents(self):
        """Examples of the documentation that take several seconds."""
        for name in ("experiments.md", "formats/experiment.md"):
            done, failed = examples.run_file(pathlib.Path(SOURCE, "docs", name), dict(os.environ), "console full")
            self.assertGreater(done, 0)
            self.assertEqual(failed, 0, name)


if __name__ == "__main__":
    unittest.main()
