# SPDX-License-Identifier: MIT
"""Long computations: Ctrl-C stops them, other threads run meanwhile, and objects can be used by several threads."""
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import omegapac as op
from support import MODELS

GRID = MODELS / "gridworld.prism"
# Exploring all states takes minutes.
LARGE = """mdp
module m
  a : [0..9999]; b : [0..9999];
  [] a<9999 -> 0.5:(a'=a+1) + 0.5:(b'=min(b+1,9999));
  [] b<9999 -> (b'=b+1);
  [] a=9999 & b=9999 -> true;
endmodule
"""


def two_ways(count):
    """A model with two choices in each state: a long search for the slowest of 2^count positional policies."""
    last = count - 1
    return op.Model.build(
        [[{(s + 1) % count: 0.5, s: 0.5}, {(s + 2) % count: 0.5, s: 0.5}] for s in range(count)], labels={"end": [last]}
    )


class Stop(Exception):
    pass


class Interrupts(unittest.TestCase):
    """A signal arrives while the library computes."""

    def interrupted(self, work, kind=KeyboardInterrupt):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(kind):
                work()
        finally:
            timer.join()

    def test_reading(self):
        self.interrupted(lambda: op.Model.parse(LARGE, max_states=10**9))

    def test_recurrence(self):
        model = two_ways(18)
        self.interrupted(lambda: op.recurrence(model, "F end", epsilon=1e-9, max_work=2**63, max_component=30))

    def test_any_exception_of_a_handler(self):
        def handler(number, frame):
            raise Stop

        before = signal.signal(signal.SIGINT, handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.interrupted(lambda: op.Model.parse(LARGE, max_states=10**9), Stop)

    def test_a_handler_that_returns_changes_nothing(self):
        seen = []
        before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        expected = op.check(op.Model.load(GRID), "F g").value
        while not seen:
            self.assertEqual(op.check(op.Model.load(GRID), "F g").value, expected)

    def test_the_next_one_is_not_stopped(self):
        self.interrupted(lambda: op.Model.parse(LARGE, max_states=10**9))
        self.assertEqual(op.check(op.Model.load(GRID), "F g").verdict, None)


class Threads(unittest.TestCase):
    def test_others_go_on(self):
        """Python runs while the library computes: the GIL is released."""
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(None)
                time.sleep(0.001)

        other = threading.Thread(target=tick)
        other.start()
        try:
            with self.assertRaises(op.LimitError):
                op.Model.parse(LARGE, max_states=200_000)
        finally:
            done.set()
            other.join()
        self.assertGreater(len(ticks), 5)

    def test_one_model_in_many_threads(self):
        model = op.Model.load(GRID)
        expected = op.check(model, "G F s & G F g").to_dict()
        found, lock = [], threading.Lock()

        def work():
            for _ in range(10):
                one = op.check(model, "G F s & G F g").to_dict()
                with lock:
                    found.append(one)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 40)
        self.assertTrue(all(one == expected for one in found))


class Import(unittest.TestCase):
    def test_no_heavy_modules(self):
        """Modules that are slow to import are not imported."""
        code = "import sys; before = set(sys.modules); import omegapac; print(*(set(sys.modules) - before))"
        environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(op.__file__))}
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
        loaded = set(run.stdout.split())
        self.assertIn("omegapac._core", loaded)
        for module in ("numpy", "gymnasium", "dataclasses", "inspect", "logging", "asyncio", "subprocess"):
            self.assertNotIn(module, loaded)

    def test_every_public_name_is_documented(self):
        for name in op.__all__:
            thing = getattr(op, name)
            self.assertTrue(thing.__doc__, name)
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, classmethod)):
                    self.assertTrue(getattr(thing, member).__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
