# SPDX-License-Identifier: MIT
"""What several tests share: the program, the example models, a scratch folder."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("OMEGAPAC_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
MODELS = SOURCE / "examples" / "models"
GRIDWORLD = "exec:" + shlex.join([sys.executable, str(SOURCE / "examples" / "simulators" / "gridworld.py")])
PROGRAM = os.environ.get("OMEGAPAC_PROGRAM") or shutil.which("omegapac")


def full(test):
    """A slow test, which run.py runs when it is asked for."""
    test.is_full = True
    return test


def command(*arguments):
    """What the command line prints with --json."""
    if PROGRAM is None:
        raise unittest.SkipTest("the program omegapac is not there")
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True, check=False,
                         env=environment)
    if not run.stdout:
        raise AssertionError(f"{arguments}: {run.stderr}")
    return json.loads(run.stdout)


class Scratch(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
