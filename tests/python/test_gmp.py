# SPDX-License-Identifier: MIT
"""Exact arithmetic beside other users of GMP in the same process, and with little memory."""
import ctypes
import os
import pathlib
import random
import subprocess
import sys
import threading
import unittest

import omegapac as op
from support import Scratch

OBJECTIVE = "F goal"


def model_text(states, seed):
    """A chain whose exact probabilities have many digits."""
    draw = random.Random(seed)
    lines = [f"dtmc\nmodule m\n s : [0..{states - 1}];"]
    for state in range(states - 2):
        targets = draw.sample(range(states), 4)
        weights = [draw.randint(1, 97) for _ in targets]
        branches = " + ".join(f"{w}/{sum(weights)} : (s'={t})" for t, w in zip(targets, weights))
        lines.append(f" [] s={state} -> {branches};")
    lines.append(f' [] s>={states - 2} -> true;\nendmodule\nlabel "goal" = s={states - 1};\n')
    return "\n".join(lines)


def exact(model):
    return op.check(model, OBJECTIVE, exact=True).exact


def shared_gmp():
    """The libgmp that the extension is linked with, by ctypes; None if there is none."""
    try:
        maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    except OSError:
        return None
    paths = {line.split(maxsplit=5)[5].strip() for line in maps.splitlines() if "libgmp.so" in line}
    return ctypes.CDLL(sorted(paths)[0]) if paths else None


class Integer(ctypes.Structure):
    _fields_ = (("alloc", ctypes.c_int), ("size", ctypes.c_int), ("limbs", ctypes.c_void_p))


class Host:
    """A GMP number of another user of GMP: it grows, and must be equal to 2 ** bits."""

    def __init__(self, gmp):
        self.gmp, self.number, self.bits = gmp, Integer(), 0
        self.call("init_set_ui", 1)

    def call(self, name, *arguments):
        function = getattr(self.gmp, "__gmpz_" + name)
        function.restype = ctypes.c_ulong
        return function(ctypes.byref(self.number), *map(ctypes.c_ulong, arguments))

    def grow(self, bits):
        getattr(self.gmp, "__gmpz_mul_2exp")(ctypes.byref(self.number), ctypes.byref(self.number), ctypes.c_ulong(bits))
        self.bits += bits

    def is_right(self):
        return self.call("scan1", 0) == self.bits

    def clear(self):
        self.call("clear")


def interleave(test, hosts, grow, is_right):
    """Other users' numbers, changed before, between and during exact checks, in this thread and in others."""
    model = op.Model.parse(model_text(80, 1), exact=True)
    expected, stop = exact(model), threading.Event()

    def use(host):
        while not stop.is_set():
            grow(host)

    threads = [threading.Thread(target=use, args=(host,)) for host in hosts[1:]]
    for thread in threads:
        thread.start()
    try:
        for _ in range(30):
            grow(hosts[0])
            test.assertEqual(exact(model), expected)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for host in hosts:
        test.assertTrue(is_right(host))


class Beside(unittest.TestCase):
    def test_gmp_itself(self):
        exact(op.Model.parse(model_text(5, 1), exact=True))
        gmp = shared_gmp()
        if gmp is None:
            self.skipTest("the extension shares no libgmp")
        hosts = [Host(gmp) for _ in range(3)]
        interleave(self, hosts, lambda host: host.grow(640), Host.is_right)
        for host in hosts:
            host.clear()

    def test_gmpy2(self):
        try:
            import gmpy2
        except ImportError:
            self.skipTest("gmpy2 is not installed")
        hosts = [[gmpy2.mpz(1), 0, gmpy2.mpfr(2)] for _ in range(3)]

        def grow(host):
            host[0] <<= 640
            host[1] += 640
            host[2] = gmpy2.sqrt(host[2] + 2)

        interleave(self, hosts, grow, lambda host: host[0] == gmpy2.mpz(1) << host[1] and abs(host[2] - 2) < 1e-9)


SHORT = """
import ctypes, resource
import omegapac as op
from test_gmp import exact, model_text
model = op.Model.parse(model_text(400, 2), exact=True)
if hasattr(ctypes.CDLL(None), "malloc_trim"):
    ctypes.CDLL(None).malloc_trim(0)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
raised = 0
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
for extra in range(0, 40000, 500):
    resource.setrlimit(resource.RLIMIT_AS, (used + extra * 1024, hard))
    try:
        found = exact(model)
    except MemoryError:
        raised += 1
        continue
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    break
print(raised, found == exact(model))
"""


class Memory(Scratch):
    def test_the_process_survives(self):
        if not sys.platform.startswith("linux") or os.environ.get("LD_PRELOAD"):
            self.skipTest("needs a limit on the address space, under which sanitizers do not work")
        here = pathlib.Path(__file__).resolve().parent
        run = subprocess.run([sys.executable, "-c", SHORT], cwd=here, capture_output=True, text=True, check=False,
                             env={**os.environ, "MALLOC_ARENA_MAX": "1"})  # further arenas reserve address space
        self.assertEqual(run.returncode, 0, run.stderr)
        raised, same = run.stdout.split()
        self.assertGreater(int(raised), 0)
        self.assertEqual(same, "True")


if __name__ == "__main__":
    unittest.main()
