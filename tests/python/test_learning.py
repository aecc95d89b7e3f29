# SPDX-License-Identifier: MIT
"""learn, estimate and policies: compared with the command line, interrupted, and resumed."""
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import omegapac as op

from gridworlds import DrawingWalk, Gridworld, Walk
from support import GRIDWORLD, MODELS, Scratch, build_plugin, command, full, shared

GRID = MODELS / "gridworld.prism"
BOTH = "G F s & G F g"
NEAR = dict(epsilon=0.1, delta=0.1)
HERE = os.path.dirname(os.path.abspath(__file__))


def told(*arguments):
    data = command(*arguments, "--no-timing", "-q")
    del data["inputs"]["model"]
    return data


class AsTheCommandLine(Scratch):
    maxDiff = None

    def test_results_that_the_model_contradicts(self):
        """A false pmin: the least probability is 0.05, not 0.4."""
        path = self.folder / "false.prism"
        path.write_text("mdp module m s : [0..2]; [rarely] s=0 -> 0.05 : (s'=2) + 0.45 : (s'=0) + 0.5 : (s'=1); "
                        "[often] s=0 -> 0.25 : (s'=2) + 0.75 : (s'=1); [] s>0 -> true; endmodule label \"there\" = s=1;")
        found = []
        for seed in range(1, 30):
            result = op.learn(op.Model.load(path), "F there", pmin=0.4, epsilon=0.05, delta=0.1, seed=seed)
            if result.lower is None:
                continue
            is_wrong = result.truth["optimum"] > result.upper or not result.lower <= result.truth["policy"] <= result.upper
            self.assertEqual("contradicts" in result.truth, is_wrong)
            self.assertEqual(result.contradicted, is_wrong)
            self.assertFalse(result.holds and is_wrong)
            self.assertEqual("(contradicted by the model)" in repr(result), is_wrong)
            found.append(is_wrong)
            line = command("learn", path, "-f", "F there", "--pmin", "0.4", "--epsilon", "0.05", "--delta", "0.1", "--seed",
                           str(seed), "--no-timing", "-q")
            self.assertEqual(line["truth"], result.truth)
            self.assertEqual(line["guarantee"], result.to_dict()["guarantee"])
        self.assertIn(True, found)

    def test_bounds_are_rounded_outwards(self):
        model = op.Model.load(MODELS / "delivery.prism")
        for seed in range(1, 6):
            result = op.learn(model, "G F village", pmin=0.1, epsilon=0.05, delta=0.1, seed=seed)
            lower, upper = map(float, re.search(r"\[(.*), (.*)\]", repr(result)).groups())
            self.assertTrue(lower <= result.lower <= lower + 2e-6 and upper - 2e-6 <= result.upper <= upper, result)

    def test_random_starts(self):
        path = self.folder / "starts.prism"
        path.write_text("mdp module m x:[0..1]; [] true -> true; endmodule init true endinit label \"won\" = x=1;")
        model = op.Model.load(path)
        self.assertEqual(model.info()["least_probability"], 1)
        self.assertEqual(model.info()["least_start_probability"], 0.5)
        for wrong in (dict(pmin=1, pmin_start=0), dict(pmin=1, pmin_start=2), dict(T=9, k=5, pmin_start=0.5)):
            with self.assertRaises((ValueError, TypeError, op.InputError)):
                op.learn(model, "F won", **NEAR, **wrong)

    def test_pmin_is_no_bound_on_starts(self):
        class Two:
            propositions = ["won"]

            def reset(self, seed):
                self.at = random.Random(seed).randrange(2)
                return self.at

            def step(self, action):
                return self.at

            def labels(self, state):
                return ["won"] if state == 1 else []

            def actions(self, state):
                return ["stay"]

        certificate = self.folder / "starts.cert"
        wrong = 0
        for seed in range(1, 41):  # of a correct learner more than 20 are wrong with probability 1e-10
            result = op.learn(Two(), "F won", pmin=1, epsilon=0.3, delta=0.1, seed=seed)
            wrong += not result.lower <= 0.5 <= result.upper
            result.write_certificate(certificate)
            self.assertTrue(op.verify(certificate).holds)
            self.assertIn("start states are drawn independently of each other; no bound on their probabilities is assumed",
                          result.assumptions)
        self.assertLessEqual(wrong, 20)

    def test_estimate(self):
        path = self.folder / "chain.prism"
        path.write_text("dtmc module m x:[0..3] init 0; [] x=0 -> 0.5:(x'=1)+0.5:(x'=2); "
                        "[] x=1 -> 0.9:(x'=1)+0.1:(x'=3); [] x>1 -> true; endmodule label \"a\" = x=3;")
        model = op.Model.load(path)
        for options, arguments in ((dict(), []), (dict(width=0.15), ["--width", "0.15"]),
                                   (dict(max_steps=100), ["--max-steps", "100"]),
                                   (dict(deterministic=True), ["--deterministic"]),
                                   (dict(trial_steps=9, max_memory=2**29), ["--trial-steps", "9", "--max-memory", "512"])):
            result = op.estimate(model, "F a", T=90, **NEAR, **options)
            expected = told("estimate", path, "-f", "F a", "-T", "90", "--epsilon", "0.1", "--delta", "0.1", *arguments)
            self.assertEqual(shared(result), expected)
            self.assertEqual(result.truth, {"probability": 0.5})
            unseen = op.estimate(model, "F a", T=90, truth=False, **NEAR, **options)
            del expected["truth"]
            self.assertEqual(shared(unseen), expected)
            self.assertIsNone(unseen.truth)

    def test_estimates_that_the_model_contradicts(self):
        path = self.folder / "slow.prism"
        path.write_text("dtmc const double p; module m x:[0..2] init 0; [a] x=0 -> 1-2*p:(x'=0)+p:(x'=1)+p:(x'=2); "
                        "[] x>0 -> true; endmodule label \"won\" = x=1;")
        result = op.estimate(op.Model.load(path, constants={"p": 0.01}), "F won", T=3, epsilon=0.05, delta=0.1)
        self.assertEqual(shared(result), told("estimate", path, "-f", "F won", "-T", "3", "--epsilon", "0.05", "--delta",
                                             "0.1", "-D", "p=0.01"))
        self.assertTrue(result.contradicted)
        self.assertFalse(result.holds)
        self.assertEqual(result.truth, {"probability": 0.5, "contradicts": True})
        self.assertIn("(contradicted by the model)", repr(result))

    def test_estimates_that_cannot_be_compared(self):
        path = self.folder / "line.prism"
        path.write_text("dtmc module m x:[0..9] init 0; [] x<9 -> (x'=x+1); [] x=9 -> true; endmodule label \"a\" = x=9;")
        result = op.estimate(op.Model.load(path), "F a", T=20, max_states=10, **NEAR)
        expected = told("estimate", path, "-f", "F a", "-T", "20", "--epsilon", "0.1", "--delta", "0.1", "--max-states",
                        "10")
        self.assertEqual(shared(result), expected)
        self.assertIsNone(result.truth["probability"])
        self.assertIn("note", result.truth)

    def test_certificates(self):
        path = self.folder / "certificate.json"
        for options in (dict(pmin=0.2), dict(T=306), dict(T=306, target=0.6), dict(T=306, max_steps=2000)):
            result = op.learn(Gridworld(), BOTH, **options, **NEAR)
            result.write_certificate(path)
            self.assertTrue(op.verify(path))
        for options in (dict(T=20, k=5), dict(T=19), dict(T="auto")):  # ω-PAC, a T that is refuted, and one that was not given
            with self.assertRaises(op.Error, msg=options):
                op.learn(op.Model.load(GRID), BOTH, **options, **NEAR).write_certificate(path)


class SameEverywhere(Scratch):
    """The same gridworld as a Python object, a program and a plugin, with the same random numbers."""

    @full
    def test_python_and_program(self):
        program = GRIDWORLD
        for options in (dict(pmin=0.2), dict(T=30, k=50)):
            here = op.learn(Gridworld(), BOTH, seed=4, **NEAR, **options)
            there = op.learn(program, BOTH, seed=4, **NEAR, **options)
            self.assertEqual(here.value, there.value)
            for name in ("episodes", "steps", "known", "policies", "samples", "states_seen", "pairs_seen"):
                self.assertEqual(here.stats[name], there.stats[name], name)
            self.assertEqual(here.policy.act((0, 1)), there.policy.act("0,1"))

    def test_python_and_plugin(self):
        plugin = build_plugin(self.folder)
        for options in (dict(pmin=0.2), dict(T=30, k=50), dict(T=306)):
            here = op.learn(Gridworld(), BOTH, seed=4, **NEAR, **options)
            there = op.learn(f"plugin:{plugin}", BOTH, seed=4, **NEAR, **options, threads=1)
            self.assertEqual((here.value, here.lower), (there.value, there.lower))
            for name in ("episodes", "steps", "known", "policies", "samples", "states_seen", "pairs_seen"):
                self.assertEqual(here.stats[name], there.stats[name], name)

    def test_stepping_a_simulator(self):
        with op.Simulator(GRIDWORLD) as there:
            here = Gridworld()
            self.assertEqual(there.propositions, ("s", "g", "trap"))
            self.assertFalse(there.random_start)
            self.assertEqual(there.lanes, 1)
            self.assertEqual(there.reset(9), op.Observation("0,1", ("s",), ("ne", "nw", "se", "sw")))
            here.reset(9)
            for i in range(40):
                seen, cell = there.step(i % 4), here.step(i % 4)
                self.assertEqual(seen.state, "%d,%d" % cell)
                self.assertEqual(list(seen.labels), here.labels(cell))
            result = op.learn(there, BOTH, pmin=0.2, **NEAR)
            self.assertTrue(result.holds)
            self.assertEqual(there.reset(9).labels, ("s",))
            with self.assertRaises(op.Error):
                there.step(4)
        with self.assertRaises(ValueError):
            there.reset(1)
        self.assertIn(result.policy.act("0,1"), range(4))

    def test_simulators_that_fail(self):
        for name in ("exec:exit 3", "exec:echo hello", "exec:/nowhere/at/all 2>/dev/null"):
            with self.assertRaises(op.SimulatorError, msg=name):
                op.Simulator(name, timeout=5)
        with self.assertRaises(OSError):
            op.Simulator("plugin:/nowhere.so")
        with self.assertRaises(op.Error):
            op.Simulator("lift.py")


class Policies(Scratch):
    def test_of_an_environment(self):
        result = op.learn(Gridworld(), BOTH, pmin=0.2, **NEAR)
        policy = result.policy
        path = self.folder / "policy.json"
        policy.save(path)
        for other in (op.Policy.load(path), op.Policy.parse(policy.to_json()), policy.copy(),
                      pickle.loads(pickle.dumps(policy))):
            policy.reset()
            env = Gridworld()
            cell = env.reset(3)
            visited = set()
            for _ in range(300):
                action = policy.act(cell)
                self.assertEqual(action, other(cell))
                cell = env.step(action)
                visited.add(cell)
            self.assertLessEqual({(0, 1), (2, 0)}, visited)
            self.assertNotIn((1, 1), visited)
            self.assertEqual(other.to_dict(), policy.to_dict())
        self.assertEqual(policy.act("never seen"), 0)
        self.assertEqual(len(list(policy)), policy.decisions)
        self.assertEqual(policy.objective, BOTH)
        self.assertEqual(policy.automaton.to_hoa(), result.automaton.to_hoa())
        self.assertIn("<table>", policy._repr_html_())
        self.assertIn("<table>", result._repr_html_())

    def test_memory_begins_anew(self):
        policy = op.learn(Gridworld(), BOTH, pmin=0.2, **NEAR).policy
        cells = [(0, 1), (0, 0), (1, 0), (2, 0), (1, 0)]
        first = [policy.act(cell) for cell in cells]
        policy.reset()
        self.assertEqual([policy.act(cell) for cell in cells], first)

    def test_of_a_model(self):
        model = op.Model.load(GRID)
        result = op.learn(model, BOTH, pmin=0.1, **NEAR)
        policy = result.policy
        by_number = [policy.act(0), policy.act(2)]
        policy.reset()
        by_values = [policy.act(model.values(0)), policy.act(model.values(2))]
        self.assertEqual(by_number, by_values)
        self.assertLessEqual(set(by_number), {"ne", "nw", "se", "sw"})
        path = self.folder / "policy.json"
        policy.save(path)
        other = op.Policy.load(path, model)
        self.assertEqual([other.act(0), other.act(2)], by_number)
        with self.assertRaises(op.InputError):
            op.Policy.load(path)
        with self.assertRaises(IndexError):
            policy.act(99)
        with self.assertRaises(KeyError):
            policy.act({"x": 9, "y": 9})
        self.assertAlmostEqual(op.evaluate(model, policy, BOTH).value, result.truth["policy"])


class Callbacks(unittest.TestCase):
    def test_trace_and_progress(self):
        entries, reports = [], []

        class Slow(Gridworld):
            def step(self, action):
                time.sleep(0.0003)
                return super().step(action)

        result = op.learn(Slow(), BOTH, pmin=0.2, **NEAR, trace=entries.append, progress=reports.append)
        self.assertEqual(tuple(entries), result.trace)
        self.assertGreater(len(reports), 1)
        self.assertTrue(reports[-1].finished)
        self.assertTrue(all(report.lower <= report.upper for report in reports))
        self.assertEqual(reports[0].what, "steps sampled")

    def test_they_may_raise(self):
        def fail(unused):
            raise LookupError("callback")

        for env in (Gridworld(), op.Model.load(GRID)):
            with self.assertRaisesRegex(LookupError, "callback"):
                op.learn(env, BOTH, pmin=0.2, **NEAR, trace=fail)
            with self.assertRaisesRegex(LookupError, "callback"):
                op.learn(env, BOTH, T=1000, k=10**14, **NEAR, max_seconds=60, sampler="step", progress=fail)


class Interrupts(Scratch):
    def interrupt(self, run, after=0.3):
        timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        before = time.monotonic()
        try:
            run()
            self.fail("it was not interrupted")
        except op.Interrupted as caught:
            self.assertIsInstance(caught, KeyboardInterrupt)
            self.assertLess(time.monotonic() - before, after + 30)
            return caught.result
        except KeyboardInterrupt:  # before it had begun
            return self.interrupt(run, 2 * after)
        finally:
            timer.join()

    def stop(self, report):
        """Sends SIGINT once the run has made progress."""
        if report.done and not report.finished:
            os.kill(os.getpid(), signal.SIGINT)

    def test_a_python_environment(self):
        path = self.folder / "checkpoint"
        result = self.interrupt(lambda: op.learn(Gridworld(), BOTH, T=1000, k=10**9, **NEAR, checkpoint=path))
        self.assertEqual(result.end, "stopped")
        self.assertGreater(result.stats["steps"], 0)
        self.assertIn(result.policy.act((0, 1)), range(4))
        self.assertTrue(path.exists())

    def test_one_whose_step_is_no_python(self):
        class Native(Walk):
            step = staticmethod(int)

        self.interrupt(lambda: op.learn(Native(), "F goal", T=100, k=10**9, deterministic=True, **NEAR))

    def test_a_bracket(self):
        result = self.interrupt(lambda: op.learn(Gridworld(), "F g & G !trap", pmin=0.0001, epsilon=1e-6, delta=0.1))
        self.assertEqual(result.end, "stopped")

    def test_a_model(self):
        model = op.Model.load(GRID)
        result = self.interrupt(lambda: op.learn(model, BOTH, T=1000, k=10**14, **NEAR, sampler="step"))
        self.assertEqual(result.end, "stopped")
        self.assertEqual(result.truth["note"], "stopped")

    def test_the_truth(self):
        """An interrupted run has a result, although computing the optimum takes a minute."""
        model = op.Model.parse("""mdp
            module m
                x : [0..300] init 3;
                y : [0..300] init 3;
                [quit] x>0&x<300&y>0&y<300 -> (x'=0);
                [walk] x>0&x<300&y>0&y<300 -> 1/4:(x'=x+1) + 1/4:(x'=x-1) + 1/4:(y'=y+1) + 1/4:(y'=y-1);
                [] x=0|x=300|y=0|y=300 -> true;
            endmodule
            label "far" = x=300;""")

        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        self.addCleanup(timer.join)
        with self.assertRaises(op.Interrupted) as caught:
            op.learn(model, "F far", pmin=0.25, max_steps=5, **NEAR, trace=lambda _: timer.ident is None and timer.start())
        result = caught.exception.result
        self.assertEqual(result.end, "max-steps")
        self.assertEqual(result.truth, {"policy": None, "optimum": None, "note": "stopped"})

    def test_a_simulator(self):
        program = GRIDWORLD
        with self.assertRaises(op.Interrupted) as caught:
            op.learn(program, BOTH, T=1000, k=10**9, **NEAR, progress=self.stop)
        self.assertEqual(caught.exception.result.end, "stopped")

    def test_estimate(self):
        model = op.Model.parse("dtmc module m x:[0..1] init 0; [] true -> 0.5:(x'=0)+0.5:(x'=1); endmodule "
                               "label \"a\" = x=1;")
        result = self.interrupt(lambda: op.estimate(model, "G F a", T=10**6, epsilon=1e-6, delta=0.1))
        self.assertFalse(result.holds)
        self.assertEqual(result.truth, {"probability": None, "note": "stopped"})

    def test_another_handler(self):
        def handler(*unused):
            raise TimeoutError("alarm")

        before = signal.signal(signal.SIGALRM, handler)
        try:
            for env in (Gridworld(), op.Model.load(GRID)):
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                with self.assertRaisesRegex(TimeoutError, "alarm"):
                    op.learn(env, BOTH, T=1000, k=10**14, **NEAR, sampler="step")
        finally:
            signal.signal(signal.SIGALRM, before)


class Resume(Scratch):
    def test_in_another_process(self):
        script = self.folder / "run.py"
        script.write_text(textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {HERE!r})
            import omegapac as op
            from gridworlds import Gridworld
            path, steps, resume = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "resume"
            result = op.learn(Gridworld(), "G F s & G F g", pmin=0.2, epsilon=0.01, delta=0.1,
                              max_steps=steps or None, checkpoint=path, resume=resume)
            print(result.end, result.value, sorted(result.policy), result.stats["steps"], result.stats["resumed"])
        """))

        def run(*arguments):
            done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.split()

        whole = run(str(self.folder / "whole"), "0", "new")
        part = run(str(self.folder / "part"), "500", "new")
        self.assertEqual(part[0], "max-steps")
        rest = run(str(self.folder / "part"), "0", "resume")
        self.assertEqual(rest[:-1], whole[:-1])
        self.assertEqual(rest[-1], "True")

    def test_generative(self):
        path = self.folder / "checkpoint"
        options = dict(pmin=0.2, epsilon=0.001, delta=0.1, explore="generative")
        whole = op.learn(DrawingWalk(), "F goal", **options)
        op.learn(DrawingWalk(), "F goal", checkpoint=path, max_steps=50, **options)
        rest = op.learn(DrawingWalk(), "F goal", checkpoint=path, resume=True, **options)
        self.assertTrue(rest.stats["resumed"])
        self.assertEqual(rest.stats["steps"], whole.stats["steps"])

    def test_another_run_is_not_replaced(self):
        path = self.folder / "checkpoint"
        options = dict(T=30, k=30, **NEAR, checkpoint=path)
        op.learn(Gridworld(), BOTH, **options)
        before = path.read_bytes()
        with self.assertRaisesRegex(ValueError, "exists, and this run would replace it"):
            op.learn(Gridworld(), BOTH, **options)
        self.assertEqual(path.read_bytes(), before)
        op.learn(Gridworld(), BOTH, **options, seed=2, force=True)
        self.assertNotEqual(path.read_bytes(), before)

    def test_one_run_at_a_time(self):
        path = self.folder / "checkpoint"
        options = dict(T=30, k=30, **NEAR, checkpoint=path)
        refused = []

        def begin_another(_):
            for more in {}, {"resume": True}, {"force": True}:
                with self.assertRaisesRegex(ValueError, "is in use by another run"):
                    op.learn(Gridworld(), BOTH, **options, **more)
                refused.append(more)

        op.learn(Gridworld(), BOTH, **options, trace=begin_another)
        self.assertGreaterEqual(len(refused), 3)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["checkpoint"])

    def test_a_certificate_is_not_the_model(self):
        model = self.folder / "model.prism"
        model.write_text("precious")
        result = op.learn(Gridworld(), BOTH, pmin=0.2, epsilon=0.1, delta=0.1)
        (self.folder / "link").symlink_to("model.prism")
        for path in model, self.folder / "link":
            with self.assertRaisesRegex(ValueError, "is the file of the model"):
                result.write_certificate(path, model=model)
        self.assertEqual(model.read_text(), "precious")

    def test_files_are_replaced_whole(self):
        """A failed write (file size limit) leaves the old file unchanged."""
        script = f"""
            import resource, signal, sys
            sys.path.insert(0, {HERE!r})
            import omegapac as op
            from gridworlds import Gridworld
            result = op.learn(Gridworld(), "G F s & G F g", pmin=0.2, epsilon=0.1, delta=0.1)
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            for save in result.save, result.report, result.policy.save, result.automaton.save, result.write_certificate:
                try:
                    save({str(self.folder / "old")!r})
                except Exception as error:
                    assert "File too large" in str(error), error
                else:
                    raise AssertionError(save)
        """
        (self.folder / "old").write_text("old")
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "old").read_text(), "old")
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["old"])

    def test_a_failure_keeps_the_checkpoint(self):
        class Late(Gridworld):
            left = 5000

            def step(self, action):
                Late.left -= 1
                if Late.left == 0:
                    raise LookupError
                return super().step(action)

        path = self.folder / "checkpoint"
        options = dict(T=30, k=10**6, **NEAR, checkpoint=path, checkpoint_seconds=0.001)
        with self.assertRaises(LookupError):
            op.learn(Late(), BOTH, **options)
        self.assertTrue(path.exists())
        rest = op.learn(Gridworld(), BOTH, **options, resume=True, max_steps=10000)
        self.assertTrue(rest.stats["resumed"])


if __name__ == "__main__":
    unittest.main()
