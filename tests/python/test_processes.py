# SPDX-License-Identifier: MIT
"""Forked processes, the end of the interpreter during a run, subinterpreters, and signals while waiting for a program."""
import os
import pickle
import copy
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import warnings

import omegapac as op
from support import GRIDWORLD, MODELS, Scratch, full

GRID = MODELS / "gridworld.prism"
HERE = os.path.dirname(os.path.abspath(__file__))


def run_script(text, *arguments):
    """Runs a script in another process and returns its output; an AssertionError shows the output if it fails."""
    head = f"import sys\nsys.path.insert(0, {HERE!r})\nimport omegapac as op\n"
    run = subprocess.run([sys.executable, "-c", head + textwrap.dedent(text), *arguments], capture_output=True, text=True,
                         check=False, timeout=300)
    if run.returncode != 0:
        raise AssertionError(f"status {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout


class Forks(unittest.TestCase):
    @staticmethod
    def in_a_fork(work):
        """Calls a function in a forked process and returns its result as a text."""
        ours, theirs = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            try:
                os.write(theirs, str(work()).encode())
            finally:
                os._exit(0)
        os.close(theirs)
        with os.fdopen(ours, "rb") as file:
            text = file.read().decode()
        os.waitpid(child, 0)
        return text

    def test_a_simulator_is_of_one_process(self):
        robots = [op.Simulator(GRIDWORLD)]
        first = robots[0].reset(1)

        def use_and_drop():
            try:
                robots[0].reset(2)
            except RuntimeError as error:
                return error
            finally:
                robots.clear()
            return "it ran"

        self.assertIn("fork", self.in_a_fork(use_and_drop))
        self.assertEqual(self.in_a_fork(lambda: robots.pop().close()), "None")
        with robots[0] as robot:
            self.assertIn(robot.step(0).state, ("0,1", "1,1", "0,2", "0,0"))
            self.assertEqual(robot.reset(1), first)

    def test_models_serve_forks(self):
        model = op.Model.load(GRID)
        self.assertEqual(self.in_a_fork(lambda: op.check(model, "F g").value), str(op.check(model, "F g").value))


class Ends(unittest.TestCase):
    @full
    def test_threads_that_are_left(self):
        """The interpreter ends during a run. The calling thread keeps its stack until the process ends, because the
        other threads of the run use objects on it."""
        script = """
            import os, threading, time
            from gridworlds import Walk
            TASKS = "/proc/self/task"
            large = "mdp module m a:[0..9999]; b:[0..9999]; [] a<9999 -> (a'=a+1); [] b<9999 -> (b'=b+1); endmodule"
            began = threading.Event()
            class Begun(Walk):
                def reset(self, seed):
                    began.set()
                    return super().reset(seed)
                def fork(self):
                    return Begun()
            options = dict(T=30, k=10**12, epsilon=0.1, delta=0.1, sampler="step")
            class Last:
                def __del__(self, sleep=time.sleep):
                    sleep(0.3)  # without the GIL
            mine = threading.local()
            def keep(report):
                mine.last = Last()  # goes when the thread of the callback leaves Python
                began.set()
            def parse():
                began.set()
                op.Model.parse(large, max_states=10**9)
            runs = {
                "environment": lambda: op.learn(Begun(), "G F goal", **options),
                "forks": lambda: op.learn(Begun(), "G F goal", threads=2, **options),
                "model": lambda: op.learn(op.Model.load(sys.argv[2]), "G F s", progress=lambda report: began.set(), **options),
                "leaving": lambda: op.learn(op.Model.load(sys.argv[2]), "G F s", progress=keep, **options),
                "parse": parse,
            }
            threading.Thread(target=runs[sys.argv[1]], daemon=True).start()
            began.wait()
            time.sleep(0.1)
            class Slow:
                def __del__(self, sleep=time.sleep, tasks=os.listdir, write=os.write):
                    sleep(0.6)
                    write(1, b"%d\\n" % len(tasks("/proc/self/task")))
            sys.slow = Slow()
            print(len(os.listdir(TASKS)), flush=True)
        """
        for kind in ("environment", "forks", "model", "leaving", "parse"):
            before, behind = map(int, run_script(script, kind, str(GRID)).split())
            with self.subTest(kind=kind):
                self.assertGreater(behind, 1)
                if kind in ("environment", "forks", "leaving"):  # the threads of the others may end by cancellation
                    self.assertEqual(behind, before)

    def test_objects_that_go_last(self):
        script = """
            import builtins
            class Last:
                def __init__(self):
                    self.model = op.Model.load(sys.argv[1])
                    self.policy = op.check(self.model, "F g").policy
                def __del__(self):
                    print(self.policy.act(self.model.initial[0]), self.model.states)
            builtins.last = Last()
            cycle = Last()
            cycle.self = cycle
        """
        self.assertEqual(run_script(script, str(GRID)).split(), ["sw", "6"] * 2)

    def test_another_interpreter(self):
        """A subinterpreter cannot import the package; the main interpreter continues."""
        script = """
            try:
                import _xxsubinterpreters as interpreters
            except ImportError:
                try:
                    import _interpreters as interpreters
                except ImportError:
                    print("none")
                    sys.exit()
            code = '''if True:
                import sys
                sys.path[:] = %r
                try:
                    import omegapac
                except ImportError as error:
                    print("interpreter" in str(error), flush=True)
                ''' % sys.path
            other = interpreters.create()
            getattr(interpreters, "exec", None) and interpreters.exec(other, code) or interpreters.run_string(other, code)
            print(op.check(op.Model.load(sys.argv[1]), "F g").value)
        """
        found = run_script(script, str(GRID)).split()
        if found == ["none"]:
            self.skipTest("this Python has no subinterpreters")
        self.assertEqual(set(found), {"True", "1.0"})


class Waiting(unittest.TestCase):
    def test_ctrl_c_while_a_program_is_waited_for(self):
        """A step is interrupted at once, not after the answer or the timeout."""
        with op.Simulator(GRIDWORLD, timeout=120) as robot:
            robot.reset(1)
            group = self.child_of(os.getpid())
            os.killpg(group, signal.SIGSTOP)
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            before = time.monotonic()
            try:
                with self.assertRaises(KeyboardInterrupt):
                    robot.step(0)
            finally:
                timer.join()
                os.killpg(group, signal.SIGCONT)
            self.assertLess(time.monotonic() - before, 60)
            self.assertEqual(robot.reset(1).state, "0,1")

    @staticmethod
    def child_of(parent):
        with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
            return int(file.read().split()[-1])


class Closed(Scratch):
    def test_what_was_learned_stays(self):
        with op.Simulator(GRIDWORLD) as robot:
            result = op.learn(robot, "G F s & G F g", pmin=0.2, epsilon=0.1, delta=0.1)
        del robot
        path = self.folder / "certificate"
        result.write_certificate(path)
        self.assertTrue(op.verify(path))
        self.assertIn(result.policy.act("0,1"), range(4))
        self.assertIn("policy", result.to_dict())

    def test_a_handler_that_closes_it(self):
        """The simulator is in use while it is waiting for an answer."""
        robot = op.Simulator(GRIDWORLD)
        problems = []

        def handler(*unused):
            try:
                robot.close()
            except RuntimeError as error:
                problems.append(error)

        before = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        try:
            for seed in range(200):
                robot.reset(seed)
        except ValueError as error:  # between two of them
            self.assertIn("closed", str(error))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        robot.close()


class Copies(unittest.TestCase):
    def test_of_all_kinds(self):
        model = op.Model.load(GRID)
        automaton = op.Automaton.translate("G F a & F G b")
        for thing in (model, automaton):
            self.assertIs(copy.copy(thing), thing)
            self.assertIs(copy.deepcopy(thing), thing)
        self.assertEqual(pickle.loads(pickle.dumps(automaton)).to_hoa(), automaton.to_hoa())
        bound = op.bound(states=3, actions=2, T=5, epsilon=0.1, delta=0.1)
        self.assertEqual(pickle.loads(pickle.dumps(bound)).to_dict(), bound.to_dict())
        for thing in (model, op.check(model, "F g"), op.check(model, "F g").policy):
            with self.assertRaisesRegex(TypeError, "pickled: "):
                pickle.dumps(thing)

    def test_none_is_made_from_nothing(self):
        for cls in (op.Model, op.Automaton, op.Policy, op._core.Learning, op._core.Simulator):
            for make in (cls, lambda cls=cls: cls.__new__(cls), lambda cls=cls: object.__new__(cls)):
                with self.assertRaises(TypeError):
                    make()


if __name__ == "__main__":
    unittest.main()
