# SPDX-License-Identifier: MIT
"""Runs the tests of the given files, or of all files of this folder: run.py [FILE.py...]

A FILE is a path, or a name in this folder. Exits with 77 if all tests were skipped, and prints
the reasons. If OMEGAPAC_PRELOAD (the run-time library of a sanitizer) is set, the program
re-executes itself with the library preloaded. Slow tests (support.full) are left out;
OMEGAPAC_FULL=only runs the slow tests only, OMEGAPAC_FULL=all runs all tests.
"""
import os
import pathlib
import signal
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def preload():
    library = os.environ.pop("OMEGAPAC_PRELOAD", None)
    if library:
        os.environ["LD_PRELOAD"] = library
        os.execv(sys.executable, [sys.executable, *sys.argv])


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def is_wanted(test):
    which = os.environ.get("OMEGAPAC_FULL", "none")
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    return which == "all" or getattr(method, "is_full", False) == (which == "only")


def main(files):
    preload()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & starts programs with SIGINT ignored
    paths = [HERE / file for file in files] or sorted(HERE.glob("test_*.py"))
    sys.path[:0] = dict.fromkeys([str(HERE), *(str(path.parent) for path in paths)])
    suite = unittest.defaultTestLoader.loadTestsFromNames([path.stem for path in paths])
    wanted = unittest.TestSuite(filter(is_wanted, tests_of(suite)))
    result = unittest.TextTestRunner(verbosity=1).run(wanted)
    if not result.wasSuccessful():
        return 1
    if result.testsRun == 0 and not result.skipped:
        print("no tests")
        return 1
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    return 77 if len(result.skipped) >= result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
