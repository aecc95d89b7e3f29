# SPDX-License-Identifier: MIT
"""The claims of the experiments: exact distributions against brute force, runs against distributions, numbers against
theory.

Runs have fixed seeds; where a claim is statistical, its false-alarm rate is stated.
"""
import itertools
import math
import unittest
from fractions import Fraction

import chain
import common
import counterexample
import gridworld
import omegapac as op
import robust
import samples
import sequence
import speed


def lab(name="test", **options):
    return common.Lab(name, timing=False, threads=2, **options)


def findings(module, name):
    made = lab(name)
    module.run(made, module.SMALL)
    return {found["what"]: found["ours"] for found in made.findings}


class Common(unittest.TestCase):
    def test_numbers(self):
        for value, text in ((0.0, "0"), (1.0, "1"), (0.1, "0.1"), (1e-5, "0.00001"), (5e-6, "5e-6"), (-2.5, "-2.5"),
                            (123456.789, "123456.789"), (1e15, "1000000000000000"), (9007199254740993.0, "9007199254740992"),
                            (1e16, "1e16"), (2.3766e29, "2.3766e29"), (1e300, "1e300"), (5e-324, "5e-324")):
            self.assertEqual(common.number(value), text)
            self.assertEqual(float(text), value)

    def test_formatted_numbers(self):
        for value, digits, text in ((0.0345, 2, "0.035"), (1054, 4, "1054"), (123456, 4, "1.235·10⁵"), (1.5957e9, 3, "1.6·10⁹"),
                                    (2.3881e13, 3, "2.39·10¹³")):
            self.assertEqual(common.show(float(value), digits), text)

    def test_order(self):
        self.assertEqual(common.quartiles([9, 1, 8, 2, 7, 3, 6, 4, 5]), (1, 3, 5, 7, 9))
        self.assertEqual(common.quartiles([7, 3]), (3, 3, 3, 7, 7))
        self.assertEqual([common.median([4, 1, 3, 10]), common.median([5, 9, 1])], [3, 5])

    def test_spread(self):
        self.assertEqual(common.spread([3, 1, 8]), "4 on average, 1 to 8")

    def test_brackets(self):
        """L and U of runs on the chain; a run with a refuted T has neither."""
        model = common.model("chain")
        run = op.learn_runs(model, common.CHAIN, 1, epsilon=0.1, delta=0.1, T=8)[0]
        self.assertEqual((run.truth, run.upper, run.error), (0.5, run.optimum_upper, run.optimum_upper - run.lower))
        for lower, upper, contains in ((0.4, 0.6, True), (0.5, 0.5, True), (0.51, 0.6, False), (0.4, 0.49, False),
                                       (None, None, False)):
            self.assertIs(common.contains(run._replace(lower=lower, optimum_upper=upper), 0.5), contains)
        self.assertIs(common.contains(run._replace(lower=0.4, truth=0.3, optimum_upper=0.6), 0.5), False)
        first, second = (run._replace(error=error, steps=steps) for error, steps in ((0.15, 10), (0.2, 20)))
        self.assertEqual(common.spread_cells([first, second]), (10, 15, 20, 0.15, 0.2))
        self.assertEqual((common.widths([first, second]), common.widths([second, second])), ("0.15 to 0.2", "0.2"))
        refuted = first._replace(error=None, holds=False)
        self.assertEqual(common.spread_cells([second, refuted]), (10, 15, 20, None, None))
        self.assertEqual(common.widths([second, refuted]), "not reached in all runs")

    def test_spaced(self):
        k = common.log_spaced(42528678, 16)
        self.assertEqual((len(k), k[:3], k[-1]), (16, [1, 3, 10], 42528678))
        self.assertEqual(sorted(set(k)), k)
        self.assertEqual(common.log_spaced(2, 4), [1, 2])
        self.assertEqual(common.log_spaced(9007199254740993, 4)[-1], 9007199254740993)  # no double

    def test_band(self):
        """The interval's ends are quantiles, compared with brute force."""
        for runs, p in ((6, 0.3), (40, 0.9), (1000, 0.01), (10, 0.0), (10, 1.0)):
            levels = [op.binomial_at_most(runs, p, j) for j in range(runs + 1)]
            expected = tuple(next(j for j, level in enumerate(levels) if level >= wanted) / runs for wanted in (0.005, 0.995))
            self.assertEqual(common.share_interval(runs, p), expected)

    def test_fields(self):
        self.assertEqual([common.field(value) for value in ("plain", 'a "b", c', None, 3, 0.5, math.nan)],
                         ["plain", '"a ""b"", c"', "", "3", "0.5", "null"])


class Chain(unittest.TestCase):
    def test_distribution_against_all_outcomes(self):
        for k in range(1, 5):
            brute = [Fraction(0)] * 7
            for wins in itertools.product(range(k + 1), repeat=6):
                probability = Fraction(1)
                for s, count in enumerate(wins, 1):
                    probability *= math.comb(k, count) * Fraction(1, 2**s) ** count * (1 - Fraction(1, 2**s)) ** (k - count)
                brute[wins.index(max(wins)) + 1 if any(wins) else 0] += probability
            for found, expected in zip(chain.distribution(k), brute):
                self.assertAlmostEqual(found, float(expected), delta=1e-13)
            self.assertAlmostEqual(chain.failure(k), float(1 - brute[1]), delta=1e-13)

    def test_published_numbers(self):
        published = (0.5000, 0.7091, 0.7917, 0.8525, 0.9148, 0.9662, 0.9853, 0.9970, 0.9999)
        for k, expected in zip(chain.EXACT_K, published):
            self.assertAlmostEqual(1 - chain.failure(k), expected, delta=5.1e-5)
            self.assertAlmostEqual(sum(chain.distribution(k)), 1, delta=1e-12)

    def test_small_risks_have_all_their_digits(self):
        """In fractions: P(B1 = i) · P(some Bs > i)."""
        for k in (1, 7, 34, 108):
            distributions = [[math.comb(k, i) * Fraction(1, 2**s) ** i * (1 - Fraction(1, 2**s)) ** (k - i) for i in range(k + 1)]
                    for s in range(1, 7)]
            at_most = [list(itertools.accumulate(law)) for law in distributions]
            good = sum(distributions[0][i] * math.prod(at_most[s][i] for s in range(1, 6)) for i in range(1, k + 1))
            self.assertAlmostEqual(chain.failure(k) / float(1 - good), 1, delta=1e-9)
        self.assertGreater(chain.failure(9999), 0)
        self.assertEqual(chain.failure(10000), 0)
        before, after = chain.failure_log10(9999), chain.failure_log10(10000)
        self.assertLess(before, after)
        self.assertLess(after, min(before + 5, -300))
        self.assertTrue(-1.281e6 < chain.failure_log10(42528678) < -1.28e6)
        self.assertEqual(chain.distribution(42528678), [0, 1, 0, 0, 0, 0, 0])

    def test_sufficient_k_is_the_least(self):
        self.assertEqual(chain.sufficient_k(0.1), 9)
        for delta in (0.3, 0.01):
            enough = chain.sufficient_k(delta)
            self.assertGreater(chain.failure(enough - 1), delta)
            self.assertTrue(all(chain.failure(k) <= delta for k in range(enough, enough + 50)))

    def test_runs_follow_the_distribution(self):
        """A chi-square test over all probabilities of a policy, with cells of fewer than 5 expected runs pooled: at most 6
        degrees of freedom, for which 38.3 is exceeded with probability 1e-6; four tests."""
        model, count, seed = common.model("chain"), 200, 1
        for k in (1, 2, 5, 20):
            runs = op.learn_runs(model, common.CHAIN, count, epsilon=chain.EPSILON, delta=chain.DELTA, T=8, k=k, seed=seed)
            seed += count
            self.assertEqual({run.k for run in runs}, {k})
            self.assertTrue(all(run.finished for run in runs))
            seen = [0] * 7
            for run in runs:
                seen[chain.state_of(run.truth)] += 1
                self.assertIn(run.truth, [0, *(2.0**-s for s in range(1, 7))])
            expected = [count * probability for probability in chain.distribution(k)]
            order = sorted(range(7), key=lambda cell: expected[cell])
            statistic, many, wanted = 0.0, 0, 0.0
            for cell in order:
                many, wanted = many + seen[cell], wanted + expected[cell]
                if wanted >= 5:
                    statistic += (many - wanted) ** 2 / wanted
                    many, wanted = 0, 0.0
            self.assertLess(statistic, 38.3, k)

    def test_bracket_from_T(self):
        """In each of the 20 runs L <= 1/2 <= U, and the width is at most 4ε, after at most 250000 steps. Rule l1 takes
        (N + 1) k episodes of 8 steps for the same error."""
        model = common.model("chain")
        runs = op.learn_runs(model, common.CHAIN, 20, epsilon=chain.EPSILON, delta=chain.DELTA, seed=1, **chain.LEARNERS[4][2])
        for run in runs:
            self.assertEqual((run.holds, run.T_refuted, run.truth), (True, False, 0.5))
            self.assertTrue(run.lower <= 0.5 <= run.upper, run.seed)
            self.assertLessEqual(run.error, 4 * chain.EPSILON)
            self.assertTrue(common.contains(run, 0.5))
            self.assertLess(run.steps, 250000)
        l1 = op.learn_runs(model, common.CHAIN, 1, epsilon=chain.EPSILON, delta=chain.DELTA, seed=1, **chain.LEARNERS[2][2])[0]
        self.assertEqual((l1.k, l1.steps), (664511, 56 * 664511))
        self.assertGreater(l1.steps, 200 * common.mean([run.steps for run in runs]))

    def test_brackets_during_a_run(self):
        """The table of the figure begins at [0, 1], contains the optimum in each row, and ends with the bracket of the run."""
        made = lab()
        chain.run(made, chain.SMALL)
        rows = next(table["rows"] for table in made.tables if table["name"] == "bracket")
        for index in (4, 6):
            name, _, options = chain.LEARNERS[index]
            mine = [row[1:] for row in rows if row[0] == name]
            run = op.learn_runs(common.model("chain"), common.CHAIN, 1, epsilon=chain.EPSILON, delta=chain.DELTA, **options)[0]
            self.assertEqual(mine[0], [0, 0, 1])
            self.assertEqual(mine[-1], [run.steps, run.lower, run.upper])
            self.assertTrue(all(lower <= 0.5 <= upper for _, lower, upper in mine))
            self.assertEqual([row[0] for row in mine], sorted(row[0] for row in mine))

    def test_findings(self):
        found = findings(chain, "chain")
        self.assertEqual([found[what] for what in ("optimum", "T", "k by Theorem 1", "C by Theorem 2", "k by rule sound",
                                                   "k by rule l1", "runs within 6ε at the largest k")],
                         ["0.5", "7", "42528678", "9798607444360", "47639113", "664511", "6 of 6"])

    def test_tables_agree(self):
        """For each k, the counts of table worth sum to the number of runs, and those with 1/2 are the good runs."""
        made = lab()
        chain.run(made, chain.SMALL)
        tables = {table["name"]: table["rows"] for table in made.tables}
        for k, good, *_ in tables["shares"]:
            rows = [row for row in tables["worth"] if row[0] == k]
            self.assertEqual([row[1] for row in rows], [0, *(2.0**-s for s in range(1, 7))])
            self.assertEqual(sum(row[2] for row in rows), 6)
            self.assertEqual(rows[1][2], good)
            self.assertEqual([row[3] for row in rows], [row[2] / 6 for row in rows])


class Counterexample(unittest.TestCase):
    def test_times_and_learners(self):
        points = [counterexample.Point(lab(), r, 1e-3) for r in (1e-12, 1e-3, 0.1)]
        # The literal definition is not always the weaker one.
        self.assertEqual([(point.literal, point.covered) for point in points], [(323, 2995732273654), (317, 3101), (329, 310)])
        self.assertEqual(points[0].literal_k, 2763840763)
        self.assertAlmostEqual(math.log10(points[0].covered_k["paper"]), 29.376, delta=0.001)
        self.assertAlmostEqual(math.log10(points[0].covered_k["l1"]), 27.978, delta=0.001)
        self.assertIsNone(points[0].by_time)
        self.assertEqual([point.by_time.k for point in points[1:]], [point.covered_k["l1"] for point in points[1:]])
        for point in points:
            for run in (point.by_time, point.by_pmin, point.by_graph):
                if run is not None:
                    self.assertTrue(run.holds)
                    self.assertGreater(run.truth, 1 - 1e-9)
                    self.assertGreater(run.value, 1 - 1e-9)
            for run in (point.by_pmin, point.by_graph):
                self.assertEqual(run.optimum_upper, 1)
                self.assertGreaterEqual(run.lower, 0.95)
            self.assertGreater(point.by_pmin.steps, 4 / min(point.r, 0.01))
            self.assertEqual(point.by_graph.steps, 0)

    def test_the_literal_time_misleads(self):
        """For r = 1e-12 a run observes a return with probability 1/362 (paper) or 1/9045 (l1): more than two of 20 runs
        do with probability 2.4e-5, more than one with 2.3e-6. For r = 3e-10 the probability is .564, and none or all of 20
        runs do with probability 1.1e-5; with l1 it is .0326, and more than 6 of 20 do with probability 2e-6. For r = 1e-6
        all do. The false-alarm rate is 1/25000."""
        shares = [counterexample.Share(lab(), r, rule, 2 * i + j, 20) for i, r in enumerate((1e-12, 3e-10, 1e-6))
                  for j, rule in enumerate(counterexample.RULES)]
        self.assertEqual([share.k for share in shares[:2]], [2763840763, 110553631])
        for share in shares:
            self.assertEqual(share.confident, 20 - share.safe)
            self.assertEqual(share.refuted, share.safe)
            self.assertAlmostEqual(share.mean, 1 - (20 - share.safe) / 40, delta=1e-9)
        safe = [share.safe for share in shares]
        for count, (low, high) in zip(safe, ((0, 2), (0, 1), (1, 19), (0, 6), (20, 20), (20, 20))):
            self.assertTrue(low <= count <= high, safe)

    def test_findings(self):
        found = findings(counterexample, "counterexample")
        self.assertEqual(found["T by Definition 1, literally"], "323")
        self.assertEqual(found["runs that see a return"], "one in 362, exactly")
        self.assertEqual(found["samples with the graph"], "0, for a bracket of [1, 1]")


class Gridworld(unittest.TestCase):
    def setUp(self):
        self.variants = gridworld.Variant("W1", "gridworld"), gridworld.Variant("W2", "gridworld-w2")

    def test_recurrence_times(self):
        first, second = self.variants
        time = first.time()
        self.assertEqual((time.T, time.kind), (306, "exact"))
        self.assertAlmostEqual(time.before, 0.949524, delta=5e-7)
        self.assertAlmostEqual(time.reached, 0.950017, delta=5e-7)
        self.assertEqual(first.time(policy=first.fast).T, 40)
        self.assertEqual(second.time().T, 596)
        self.assertEqual(second.time(policy=second.fast).T, 20)

    def test_rounds_are_expected(self):
        """A leg is one step in the corner and three moves, each with probability 0.4 as printed, or 0.8 in W2."""
        for variant, move in zip(self.variants, (1 / 0.4, 1 / 0.8)):
            for count in range(3):
                self.assertAlmostEqual(gridworld.rounds(variant, count), 2 * count * (1 + 3 * move), delta=1e-10)

    def test_runs_with_the_papers_parameters(self):
        paper = {"k": "paper", "counts": "product"}
        one = gridworld.Setting(lab(), gridworld.Size(1), "paper", self.variants[0], {"T": 19, **paper})
        run = one.runs[0]
        self.assertEqual((run.k, run.T_refuted, run.holds, run.known, len(run.trace)), (71394132, True, False, 44, 45))
        self.assertTrue(gridworld.is_optimal(run.truth) and gridworld.is_optimal(run.trace[-1].truth))
        self.assertEqual(run.trace[0].known, 0)
        self.assertGreaterEqual(one.times[0], 40)
        self.assertGreaterEqual(run.T_found, 37)
        true = gridworld.Setting(lab(seed=2), gridworld.Size(1), "paper", self.variants[0], {"T": 306, **paper}).runs[0]
        self.assertEqual((true.k, true.holds), (18518174353, True))
        self.assertTrue(gridworld.is_optimal(true.truth))

    def test_brackets_from_T(self):
        """In each of 20 runs L <= p_π <= p* <= U, after at most 50000 steps; T = 19 is refuted in each run."""
        for world, time, most in ((self.variants[0], 306, 50000), (self.variants[1], 596, 100000)):
            found = gridworld.Setting(lab(), gridworld.Size(20), "bracket", world, {"T": time})
            self.assertEqual((found.has_k, found.holds, found.containing, found.optimal, found.refuted), (False, 20, 20, 20, 0))
            for run in found.runs:
                self.assertLess(run.steps, most)
                self.assertLessEqual(run.error, 0.2)
                self.assertTrue(all(entry.lower <= 1 and entry.upper == 1 for entry in run.trace))
                self.assertEqual((run.trace[-1].step, run.trace[-1].lower), (run.steps, run.lower))
            wrong = gridworld.Setting(lab(), gridworld.Size(20), "bracket", world, {"T": 19})
            self.assertEqual((wrong.refuted, wrong.holds, wrong.containing), (20, 0, 0))
            for run in wrong.runs:
                self.assertLess(run.steps, 5000)
                self.assertTrue(run.T_found == 0 or run.T_found > 19)  # 0: refuted by verdicts that changed after 19 steps

    def test_runs_that_know_other_things(self):
        l1 = gridworld.Setting(lab(), gridworld.Size(1), "l1", self.variants[0], {"T": 306, "k": "l1"}).runs[0]
        self.assertEqual((l1.k, l1.holds), (136191660, True))
        pmin = gridworld.Setting(lab(), gridworld.Size(1), "pmin", self.variants[0], {"pmin": 0.2}).runs[0]
        self.assertTrue(pmin.holds and gridworld.is_optimal(pmin.truth))
        self.assertLess(pmin.steps, 10000)


class Robust(unittest.TestCase):
    def test_numbers(self):
        size = robust.Size(p=(0.001, 0.01, 0.1, 0.5), least=0.01, runs=3, wrong=(), wrong_runs=0)
        for p, time, needed in zip(size.p, (2996, 300, 30, 6), (2302, 230, 22, 4)):
            point = robust.Point(p)
            point.learn(lab(), size)
            self.assertEqual((point.recurrent, point.formula, point.safe, point.needed), (time, time, time + 1, needed))
            self.assertEqual(point.steps["graph"], 0)
            self.assertGreaterEqual(point.steps["pmin"], needed)
            self.assertEqual((point.runs, point.right), (9, 9) if p < 0.01 else (12, 12))
            for run in point.brackets:  # 28 trials or more, and few further episodes
                self.assertTrue(common.contains(run, 1))
                self.assertLessEqual(run.error, 4 * robust.EPSILON)
                self.assertTrue(28 * point.safe < run.steps < 50 * point.safe)
                self.assertLess(run.steps, 170000)
            self.assertEqual(len(point.brackets), 3)
            if p < 0.01:
                self.assertIsNone(point.steps["T"])
            else:  # each action k times, and few further steps
                self.assertTrue(2 * point.k["l1"] <= point.steps["T"] <= 2 * point.k["l1"] + 10000)
        self.assertEqual(list(robust.Point(0.1).k.values()), [3368903, 3901794, 842226])

    def test_a_wrong_time_misleads(self):
        """At 1e-9 the exact share is .99916, and 37 of 40 or fewer have probability 6e-6; at 5e-7 it is .656, and five
        standard deviations are 15 runs; at 1e-3 it is 0. The bracket takes fewer than 3000 samples: at 1e-9 none shows that
        a leaves, with probability 0.9998. At 1e-3 some runs are not refuted and wrong."""
        reference = robust.Point(0.1)
        for i, (p, low, high) in enumerate(((1e-9, 38, 40), (5e-7, 11, 40), (1e-3, 0, 0))):
            wrong = robust.WrongT(lab(), p, reference, i, 40)
            self.assertAlmostEqual(wrong.exact, math.exp(-842226 * (p + p * p / 2)), delta=1e-6)
            self.assertEqual(wrong.confirmed, wrong.wrong)
            self.assertTrue(low <= wrong.wrong <= high, wrong.wrong)
            self.assertLessEqual(wrong.confirmed_bracket, wrong.wrong_bracket)
            self.assertGreater(wrong.wrong_bracket, 0)
            if p < 1e-8:
                self.assertEqual((wrong.wrong_bracket, wrong.confirmed_bracket), (40, 40))
            elif p == 1e-3:
                self.assertTrue(5 <= wrong.confirmed_bracket <= 30, wrong.confirmed_bracket)


class Samples(unittest.TestCase):
    def test_known_values(self):
        k = {name: rule(samples.PAPER_GRID) for name, rule in samples.RULES}
        self.assertEqual((k["paper"], k["l1"], k["l1, m unknown"], k["l1, error 6ε"]), (71394132, 575113, 1046255, 143779))
        self.assertGreater(k["sound"], k["paper"])

    def test_slopes_are_exact(self):
        """k quadruples, up to rounding, when T doubles or ε is halved; the paper's also when N doubles, up to the
        logarithm."""
        for parameter, first, factor in (("T", 5, 2), ("epsilon", 0.4, 0.5)):
            _, rows = samples.sweep(parameter, first, factor)
            for one, two in zip(rows, rows[1:]):
                for k, four in zip(one, two):
                    self.assertTrue(4 * k - 4 < four <= 4 * k)
        x, rows = samples.sweep("states", 3, 2)
        self.assertEqual(x[2], 12)
        self.assertAlmostEqual(rows[3][0] / rows[2][0], 4 * math.log(2 * 24 * 4 / 0.1) / math.log(2 * 12 * 4 / 0.1), delta=1e-6)
        self.assertAlmostEqual(common.slope([1, 7, 100], [5, 0, 5e-6]), -3, delta=1e-12)

    def test_chains(self):
        """`go` is certain: ω-PAC takes (N+1) k episodes of T = N+1 steps for every seed."""
        settings = samples.Setting(2, 0.1, 3, 0.25, {"N": 2}), samples.Setting(5, 0.1, 0, 1 / 32, {"N": 5})
        family = samples.FAMILIES[0]._replace(settings=settings)
        found = samples.run_family(lab(), family, 11)
        self.assertEqual(list(found), list(samples.LEARNERS))
        for learner, outcomes in found.items():
            for one, time in zip(outcomes, (3, 6)):
                self.assertEqual(one.finished, one.runs)
                self.assertEqual(list(one.steps), sorted(one.steps))
                self.assertEqual(one.shortfall, 0)
                self.assertLessEqual(one.error, {samples.TARGET: 0.6, samples.PMIN: 0.1, samples.GRAPH: 0.1}.get(learner, 0.4) + 1e-6)
                self.assertEqual((one.guaranteed, one.containing), (one.runs, one.runs))
                if learner in samples.OMEGA_PAC:
                    self.assertEqual((one.runs, one.T), (samples.FEW, time))
                    self.assertEqual(one.steps, (time * time * one.k,) * 5)
                    self.assertEqual(one.budget, one.k * (time + 1) * 2)  # N states, two sinks
                    self.assertLessEqual(one.samples, one.budget)
                else:
                    self.assertEqual((one.runs, one.T, one.k, one.budget),
                                     (11, time if learner == samples.BRACKET else None, None, None))
                    self.assertEqual(one.samples, one.steps[2])
        medians = {learner: [one.steps[2] for one in outcomes] for learner, outcomes in found.items()}
        self.assertGreater(medians[samples.L1][0], 3 * medians[samples.TARGET][0])  # a quarter, for 6ε
        self.assertLess(medians[samples.GRAPH][1], medians[samples.PMIN][1])
        self.assertLess(medians[samples.PMIN][1], medians[samples.L1][1])
        self.assertLess(medians[samples.BRACKET][1], medians[samples.TARGET][1])

    def test_grids(self):
        settings = samples.Setting(0.05, 0.05, 0, 0.2), samples.Setting(0.05, 0.05, 19, 0.02)
        family = samples.FAMILIES[2]._replace(settings=settings, learners=(samples.L1,))
        true, paper = samples.run_family(lab(), family, 1)[samples.L1]
        self.assertEqual((true.T, true.k), (306, 136191660))
        self.assertLess(true.error, 0.2 + 1e-6)
        self.assertIsNone(paper.error)  # T = 19 is refuted
        self.assertEqual((paper.guaranteed, paper.containing), (0, 0))
        true, wrong = samples.run_family(lab(), family._replace(learners=(samples.BRACKET,)), 11)[samples.BRACKET]
        self.assertEqual((true.T, true.k, true.guaranteed, true.containing), (306, None, 11, 11))
        self.assertLess(true.error, 0.2 + 1e-6)
        self.assertEqual((wrong.T, wrong.guaranteed, wrong.error), (19, 0, None))
        found = samples.run_family(lab(), family._replace(learners=(samples.PMIN, samples.GRAPH)), 11)
        near, far = (one.steps[2] for one in found[samples.PMIN])
        self.assertTrue(900 <= near <= 1250, near)  # a mean of 1076
        self.assertTrue(5 * near < far < 20 * near, far)
        self.assertEqual(found[samples.GRAPH][0].steps[4], 0)  # with the graph there is nothing to learn


    def test_the_papers_problems(self):
        """On each of them the bracket from T takes fewer steps than a hundredth of ω-PAC's by l1, for the same error."""
        for problem, most in zip(samples.PROBLEMS, (50000, 250000, 2000, 170000)):
            found = {learner: one for learner, (one,) in samples.run_family(lab(), problem, 3).items()}
            self.assertEqual(list(found), list(samples.LEARNERS))
            for one in found.values():
                self.assertEqual((one.guaranteed, one.containing, one.shortfall), (3, 3, 0), problem.name)
            bracket, l1, paper = (found[learner] for learner in (samples.BRACKET, samples.L1, samples.PAPER))
            self.assertEqual((bracket.T, l1.T), (problem.settings[0].T,) * 2)
            self.assertLessEqual(bracket.error, 4 * problem.settings[0].epsilon)
            self.assertLess(bracket.steps[4], most)
            self.assertLess(100 * bracket.steps[4], l1.steps[0])
            self.assertLess(l1.steps[4], paper.steps[0])


class Sequence(unittest.TestCase):
    def test_chain_by_arithmetic(self):
        """`go` is certain: a pair is known after k episodes, and in 6k of 7k episodes the policy does not try at once."""
        for history in sequence.Summary(lab(), sequence.SETTINGS[2], 3).histories:
            self.assertEqual((history.k, history.policies, history.bad_policies), (42528678, 10, 7))
            self.assertEqual((history.steps, history.bad_steps), (56 * history.k, 48 * history.k))
            self.assertEqual((history.last, history.ends_well), (0.5, True))

    def test_trace_by_brute_force(self):
        """At each step, the current policy is the last one that began at or before it."""
        some = 0
        for name, formula, time, threshold in (("gridworld", common.GRIDWORLD, 19, 0.55), ("chain", common.CHAIN, 8, 0.2)):
            model = common.model(name)
            for seed in range(1, 9):
                run = op.learn_runs(model, formula, 1, epsilon=0.05, delta=0.1, T=time, k=1 + seed // 2, counts="product",
                                    seed=seed, trace=True)[0]
                history = sequence.History(run, threshold)
                begins = [entry.step for entry in run.trace]
                bad = 0
                for step in range(run.steps):
                    at = max(i for i, begin in enumerate(begins) if begin <= step)
                    bad += run.trace[at].truth < threshold
                self.assertEqual((history.bad_steps, history.policies, history.steps), (bad, len(begins), run.steps))
                # Evaluated with the formula, not with the policy's own automaton.
                truth = op.evaluate(model, run.policy, formula).value
                self.assertEqual(history.ends_well, truth >= threshold)
                self.assertAlmostEqual(run.trace[-1].truth, truth, delta=1e-12)
                some += bad
        self.assertGreater(some, 0)

    def test_bounds_as_published(self):
        for index, expected in ((0, 13022289685559), (2, 9798607444360)):
            found = sequence.Summary(lab(), sequence.SETTINGS[index], 3)
            self.assertEqual(found.published, expected)
            self.assertLess(found.proven, expected / 60)
            for history in found.histories:
                self.assertTrue(history.ends_well)
                self.assertLess(history.bad_steps, min(history.steps, expected / 1000, found.proven))

    def test_small_k_proves_nothing(self):
        self.assertIsNone(sequence.Summary(lab(), sequence.SETTINGS[6], 2).proven)


class Speed(unittest.TestCase):
    def test_counts(self):
        """Numbers of steps are multiples of T, and depend on the number of threads only through the limit."""
        cases = (speed.Case("gridworld", 12, 3, 19, "population", 0), speed.Case("gridworld", 12, 3, 306, "step", 100000),
                 speed.Case("shift", 100, 2, 50, "step", 100000))
        for case in cases:
            found = speed.Measurement(lab(), case, [1, 2])
            self.assertEqual(speed.question(case)[0].states, 6 if case.name == "gridworld" else 100)
            for threads, run in found.runs.items():
                self.assertEqual(run.steps, run.episodes * case.T)
                if case.steps:
                    self.assertTrue(case.steps * threads - case.T < run.steps <= case.steps * threads)
                else:
                    self.assertEqual(run.k, 71394132)
                    self.assertTrue(11100000000 <= run.steps <= 11200000000)

    def test_with_a_clock(self):
        made = common.Lab("speed", threads=2)
        speed.run(made, speed.SMALL)
        self.assertEqual([table["name"] for table in made.tables], ["times", "counts"])
        self.assertEqual(len(made.findings), 4)
        self.assertEqual(len(made.figures), 2)
        self.assertTrue(all(row[5] > 0 for row in made.tables[0]["rows"]))


if __name__ == "__main__":
    unittest.main()
