# SPDX-License-Identifier: MIT
"""Common functions of the tests: the program, the example models, a temporary folder."""
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
    """Marks a slow test, which run.py runs only on request."""
    test.is_full = True
    return test


def command(*arguments):
    """The last line that the command line prints with --json, without the member `arguments`."""
    if PROGRAM is None:
        raise unittest.SkipTest("the program omegapac was not found")
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True, check=False,
                         env=environment)
    if not run.stdout:
        raise AssertionError(f"{arguments}: {run.stderr}")
    result = json.loads(run.stdout.splitlines()[-1])
    del result["arguments"]
    return result


def build_plugin(folder):
    """Compiles the gridworld as a plugin and returns its path."""
    compiler, plugin = shutil.which("cc"), folder / "gridworld.so"
    if PROGRAM is None or compiler is None:
        raise unittest.SkipTest("the program omegapac or a C compiler was not found")
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", f"-I{SOURCE / 'include'}", f"-I{os.path.dirname(PROGRAM)}/include",
         SOURCE / "examples" / "plugins" / "gridworld.c", "-o", plugin],
        env={key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}, check=False)  # fmt: skip
    if made.returncode != 0:
        raise unittest.SkipTest("the headers were not found beside the program")
    return plugin


def shared(result):
    """The parts of a result that Python and the command line have in common: without the call, the model's name and
    measured times."""
    data = json.loads(json.dumps(result)) if isinstance(result, dict) else json.loads(result.to_json())
    if not isinstance(result, dict):
        del data["call"]
    data.get("inputs", {}).pop("model", None)
    stats = data.get("stats", {})
    for name in [name for name in stats if name.endswith("seconds") or name in ("solves", "resumed")]:
        del stats[name]
    return data


class Scratch(unittest.TestCase):
    """A test with a temporary folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
