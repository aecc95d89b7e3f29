/* SPDX-License-Identifier: MIT */
/* The paper's chain: the exact law against brute force, and the runs against the law. */
#include "experiment/chain.h"

#include <math.h>

#include "experiment/small.h"
#include "support/fit.h"
#include "support/random.h"

enum {
    STATES = EXPERIMENT_CHAIN_STATES
};

/* ---- the law ---- */

/* C(k, i) p^i (1-p)^(k-i), by multiplying. */
static double density(unsigned k, unsigned i, double p)
{
    double product = 1;
    for (unsigned j = 0; j < i; j++)
        product *= (k - j) * p / (j + 1.0);
    for (unsigned j = i; j < k; j++)
        product *= 1 - p;
    return product;
}

/* By all outcomes of all states. */
static void brute_law(unsigned k, double law[STATES + 1])
{
    unsigned wins[STATES + 1] = {0};
    memset(law, 0, (STATES + 1) * sizeof *law);
    for (;;) {
        double probability = 1;
        int best = 0, s;
        for (s = 1; s <= STATES; s++) {
            probability *= density(k, wins[s], ldexp(1, -s));
            if (wins[s] > (best == 0 ? 0 : wins[best]))
                best = s;
        }
        law[best] += probability;
        for (s = 1; s <= STATES && wins[s] == k; s++)
            wins[s] = 0;
        if (s > STATES)
            return;
        wins[s]++;
    }
}

static void the_law_is_that_of_all_outcomes(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 6; k++) {
        double law[STATES + 1], brute[STATES + 1];
        experiment_chain_law(k, law);
        brute_law(k, brute);
        for (int s = 0; s <= STATES; s++)
            assert_true(fabs(law[s] - brute[s]) < 1e-13);
        assert_true(fabs(experiment_chain_failure(k) - (1 - brute[1])) < 1e-13);
    }
}

static void published_numbers(void **state)
{
    static const double published[EXPERIMENT_CHAIN_EXACT] = {.5000, .7091, .7917, .8525, .9148,
                                                             .9662, .9853, .9970, .9999};
    static const uint64_t k[EXPERIMENT_CHAIN_EXACT] = {1, 2, 3, 5, 10, 20, 30, 50, 100};
    (void)state;
    for (int i = 0; i < EXPERIMENT_CHAIN_EXACT; i++) {
        double law[STATES + 1], sum = 0;
        assert_int_equal(experiment_chain_exact_k[i], k[i]);
        assert_true(fabs(1 - experiment_chain_failure(k[i]) - published[i]) < 5.1e-5);
        experiment_chain_law(k[i], law);
        for (int s = 0; s <= STATES; s++)
            sum += law[s];
        assert_true(fabs(sum - 1) < 1e-12);
    }
}

/* The complement, by running sums in long double: all terms are positive, so nothing cancels. */
static double failure_by_sums(unsigned k)
{
    long double term[STATES + 1], sum = 0;
    for (int s = 1; s <= STATES; s++) {
        term[s] = powl(1 - ldexpl(1, -s), k);
    }
    /* P(B1 = i) · P(some Bs > i) = P(B1 = i) · sum over s of P(Bs > i, and none before). */
    for (unsigned i = 0; i <= k; i++) {
        long double none = 1, some = 0;
        for (int s = 2; s <= STATES; s++) {
            long double tail = 0, next = term[s];
            for (unsigned j = i; j < k && (next > 0 || j == i); j++) {
                next *= (long double)(k - j) / (j + 1) / (ldexpl(1, s) - 1);
                tail += next;
            }
            some += none * tail;
            none *= 1 - tail;
        }
        sum += term[1] * (i == 0 ? 1 : some);
        for (int s = 1; s <= STATES; s++)
            term[s] *= (long double)(k - i) / (i + 1) / (ldexpl(1, s) - 1);
    }
    return (double)sum;
}

static void small_risks_have_all_their_digits(void **state)
{
    static const unsigned k[] = {1, 7, 34, 108, 349};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        double risk = experiment_chain_failure(k[i]), other = failure_by_sums(k[i]);
        if (fabs(risk - other) > 1e-9 * other)
            fail_msg("k = %u: %g, expected %g", k[i], risk, other);
        assert_true(fabs(experiment_chain_failure_log10(k[i]) - log10(other)) < 1e-8);
    }
    /* Far out the bound takes over, and goes on where the sum would: below it. */
    assert_true(experiment_chain_failure(9999) > 0);
    assert_true(experiment_chain_failure(10000) == 0);
    double before = experiment_chain_failure_log10(9999);
    double after = experiment_chain_failure_log10(10000);
    assert_true(before < -300 && after < -300 && after > before && after < before + 5);
    double last = experiment_chain_failure_log10(42528678);
    assert_true(last < -1.28e6 && last > -1.281e6);
    double law[STATES + 1];
    experiment_chain_law(42528678, law);
    assert_true(law[0] == 0 && law[1] == 1 && law[2] == 0 && law[6] == 0);
}

static void enough_is_the_least_k(void **state)
{
    static const double deltas[] = {0.3, 0.1, 0.01, 1e-6};
    (void)state;
    assert_int_equal(experiment_chain_enough(0.1), 9);
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        uint64_t enough = experiment_chain_enough(deltas[i]);
        assert_true(enough == 1 || experiment_chain_failure(enough - 1) > deltas[i]);
        for (uint64_t k = enough; k < enough + 100; k++)
            assert_true(experiment_chain_failure(k) <= deltas[i]);
    }
}

/* ---- the runs ---- */

/* The state in which a policy tries, by what it is worth; 0: none. */
static int state_of(double truth)
{
    for (int s = 1; s <= STATES; s++)
        if (fabs(truth - ldexp(1, -s)) < 1e-12)
            return s;
    assert_true(truth == 0);
    return 0;
}

/* Chi-square over all that a policy can be worth, four times: a false alarm in one of 250 000
 * seeds. */
static void runs_follow_the_law(void **state)
{
    static const uint64_t k[] = {1, 2, 5, 20};
    enum {
        RUNS = 200
    };
    (void)state;
    experiment_question question;
    opac_error error;
    uint64_t seed = random_seed(1) % 1000000;
    assert_ok(experiment_question_open("chain", NULL, "G F won", &question, &error), &error);
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        uint64_t seen[STATES + 1] = {0};
        double law[STATES + 1];
        for (uint64_t run = 0; run < RUNS; run++) {
            experiment_trial trial;
            assert_ok(experiment_chain_try(&question, k[i], seed++, NULL, &trial, &error), &error);
            assert_int_equal(trial.k, k[i]);
            assert_int_equal(trial.end, OPAC_END_DONE);
            seen[state_of(trial.truth)]++;
        }
        experiment_chain_law(k[i], law);
        double fit = fit_chi_square(seen, law, STATES + 1, RUNS);
        if (fit < FIT_FALSE_ALARM)
            fail_msg("k = %u: p-value %g", (unsigned)k[i], fit);
    }
    experiment_question_close(&question);
}

/* ---- the page ---- */

static opac_status small(experiment_lab *lab, opac_error *error)
{
    static const experiment_chain_size size = {
        .columns = 4, .fine = 7, .shown = 3, .runs = 6, .most = 300};
    return experiment_chain_sized(lab, &size, error);
}

static const experiment_entry small_entry = {{"chain", "small"}, small};

static void threads_change_nothing(void **state)
{
    (void)state;
    /* Texts have the numbers of runs that there were. */
    static const small_text texts[] = {
        {"chain-values.svg", "What the policies of 3 runs are worth"},
        {"chain-worth.svg", "What the policies of 6 runs are worth"},
        {"chain-worth.svg", "at least 1/4"},
        {"chain-shares.svg", "share of 6 runs"},
        {"chain-failures.svg", "share of 6 runs"},
        {"chain.html", "policies that 3 runs return"},
        {"chain.html", "of 6 runs for each k, the share whose policy"},
        {"chain.html", "share of 6 runs that are within"},
        {"chain.html", "over 3 runs."},
        {"chain.html", "with 3 runs, the same with 6,"},
        {"chain.html", "<td class=\"number\">42,528,678</td>"},
        {"chain-learners.csv", "\"T = 8, rule paper\",\"6ε, by Theorem 1\",42528678,"},
        {NULL, NULL}};
    opac_experiment_result *result = small_same(&small_entry, 11, texts);
    assert_string_equal(small_finding(result, "optimum"), "0.5");
    assert_string_equal(small_finding(result, "T"), "7");
    assert_string_equal(small_finding(result, "k by Theorem 1"), "42528678");
    assert_string_equal(small_finding(result, "C by Theorem 2"), "9798607444360");
    assert_string_equal(small_finding(result, "k by rule sound"), "47639113");
    assert_string_equal(small_finding(result, "k by rule l1"), "664511");
    assert_string_equal(small_finding(result, "runs within 6ε at the largest k"), "6 of 6");
    opac_experiment_result_free(result);
}

/* The distribution over all runs agrees with what else is told of them: for each k, all worths add up to
 * all runs, those of 1/2 are the good ones, and the exact column is the law. */
static void worths_add_up(void **state)
{
    folder f = folder_make();
    small_run run = small_in(&small_entry, &f, 2);
    opac_error error;
    (void)state;
    assert_ok(small_whole(&run, &error), &error);
    char *worth = folder_read(&f, "chain-worth.csv"), *shares = folder_read(&f, "chain-shares.csv");
    assert_true(worth != NULL && shares != NULL);
    const char *row = strchr(worth, '\n'), *good = strchr(shares, '\n');
    int rows = 0;
    for (; good[1] != '\0'; good = strchr(good + 1, '\n'), rows++) {
        unsigned long k, k_good, runs_good, runs, sum = 0;
        double probability, share, exact, law[STATES + 1];
        assert_int_equal(sscanf(good + 1, "%lu,%lu", &k_good, &runs_good), 2);
        experiment_chain_law(k_good, law);
        for (int s = 0; s <= STATES; s++, row = strchr(row + 1, '\n')) {
            assert_int_equal(
                sscanf(row + 1, "%lu,%lf,%lu,%lf,%lf", &k, &probability, &runs, &share, &exact), 5);
            assert_true(k == k_good && probability == (s == 0 ? 0 : ldexp(1, -s)));
            assert_true(share == (double)runs / 6 && exact == law[s]);
            assert_true(s != 1 || runs == runs_good);
            sum += runs;
        }
        assert_int_equal(sum, 6);
    }
    assert_true(rows >= 7 && row[1] == '\0');
    free(worth);
    free(shares);
    folder_remove(&f);
}

static opac_status tiny(experiment_lab *lab, opac_error *error)
{
    static const experiment_chain_size size = {
        .columns = 2, .fine = 2, .shown = 1, .runs = 1, .most = 4};
    return experiment_chain_sized(lab, &size, error);
}

static void no_memory_is_an_error(void **state)
{
    static const experiment_entry entry = {{"chain", "tiny"}, tiny};
    (void)state;
    small_sweep(&entry, 997);
}

/* Evenly by their logarithms, both ends, none twice. */
static void numbers_are_spaced(void **state)
{
    uint64_t k[16], few[4];
    (void)state;
    assert_int_equal(experiment_spaced(42528678, 16, k), 16);
    assert_true(k[0] == 1 && k[1] == 3 && k[2] == 10 && k[15] == 42528678);
    for (int i = 1; i < 16; i++)
        assert_true(k[i] > k[i - 1]);
    assert_int_equal(experiment_spaced(2, 4, few), 2);
    assert_true(few[0] == 1 && few[1] == 2);
    assert_int_equal(experiment_spaced(9007199254740993, 4, few), 4); /* no double */
    assert_int_equal(few[3], 9007199254740993);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_that_of_all_outcomes),
        cmocka_unit_test(published_numbers),
        cmocka_unit_test(small_risks_have_all_their_digits),
        cmocka_unit_test(enough_is_the_least_k),
        cmocka_unit_test(runs_follow_the_law),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(worths_add_up),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(numbers_are_spaced),
    };
    return cmocka_run_group_tests_name("experiment.chain", tests, NULL, NULL);
}
