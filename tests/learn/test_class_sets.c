/* SPDX-License-Identifier: MIT */
/*
 * Coverage of class sets at delta = 1/2: classes with up to 40 outcomes, some of them very rare, drawn in rows in turn. A run is a
 * miss if an interval, a bound on what is later, or the rest of a row is ever wrong. The number of misses is compared with
 * delta by the exact binomial test (false alarms: 1e-6 each). Without the unseen mass it is noticed.
 */
#include <math.h>

#include "learn/exact_test.h"
#include "sample/class_sets.h"
#include "stat/rng.h"
#include "support/check.h"

enum {
    RUNS = 300,
    DRAWS = 1500,
    ROWS = 7,
    CLASSES = 3,
    MOST_OUTCOMES = 40
};

/* Outcome o of class c has number numbers[c][o]; UINT32_MAX if it was not drawn. */
typedef struct truth {
    double p[CLASSES][MOST_OUTCOMES];
    uint32_t numbers[CLASSES][MOST_OUTCOMES];
    bool shown[ROWS][MOST_OUTCOMES];
} truth;

/* Geometric weights, so that some outcomes are rare. */
static void draw_truth(stat_rng *rng, truth *t)
{
    *t = (truth){0};
    for (int c = 0; c < CLASSES; c++) {
        uint32_t width = 1 + (uint32_t)stat_rng_below(rng, MOST_OUTCOMES);
        double ratio = 0.5 + 0.5 * stat_rng_uniform(rng), sum = 0;
        for (uint32_t o = 0; o < width; o++)
            sum += t->p[c][o] = pow(ratio, o);
        for (uint32_t o = 0; o < MOST_OUTCOMES; o++) {
            t->p[c][o] /= sum;
            t->numbers[c][o] = SAMPLE_NO_OUTCOME;
        }
    }
}

static void draw_outcome(stat_rng *rng, sample_classes *classes, truth *t, uint32_t row)
{
    uint32_t class = row % CLASSES, o = 0;
    double u = stat_rng_uniform(rng);
    while (o + 1 < MOST_OUTCOMES && u >= t->p[class][o])
        u -= t->p[class][o++];
    if (t->p[class][o] == 0)
        o = 0; /* rounding */
    const opac_observation seen = {.row_class = &class,
                                   .row_class_length = sizeof class,
                                   .outcome = &o,
                                   .outcome_length = sizeof o};
    assert_ok(sample_classes_add(classes, &seen, &t->numbers[class][o], NULL), &(opac_error){0});
    assert_ok(sample_classes_observe(classes, row, t->numbers[class][o], o, NULL),
              &(opac_error){0});
    t->shown[row][o] = true;
}

static bool is_class_wrong(sample_class_sets *sets, const sample_classes *classes, const truth *t,
                           uint32_t number, uint32_t class)
{
    sample_class_set set;
    const sample_outcome_set *outcomes;
    double later = 1;
    assert_ok(sample_class_sets_get(sets, number, &set, &outcomes, NULL), &(opac_error){0});
    for (uint32_t k = classes->classes.items[number].first; k != SAMPLE_NO_OUTCOME;
         k = classes->outcomes.items[k].next) {
        uint32_t o = 0;
        while (t->numbers[class][o] != k)
            o++;
        double p = t->p[class][o];
        later -= p;
        if (p < outcomes[k].interval.lower || p > outcomes[k].interval.upper ||
            later > outcomes[k].later + 1e-12)
            return true;
    }
    return set.refutation == OPAC_REFUTED_ALIKE;
}

static bool is_row_wrong(sample_class_sets *sets, const sample_classes *classes, const truth *t,
                         uint32_t row)
{
    unsigned char marks[CLASSES * MOST_OUTCOMES] = {0};
    sample_class_set set;
    const sample_outcome_set *outcomes;
    double others = 1;
    uint32_t number = sample_classes_of_row(classes, row);
    if (number == SAMPLE_NO_OUTCOME)
        return false;
    assert_ok(sample_class_sets_get(sets, number, &set, &outcomes, NULL), &(opac_error){0});
    for (uint32_t o = 0; o < MOST_OUTCOMES; o++)
        others -= t->shown[row][o] ? t->p[row % CLASSES][o] : 0;
    return others > sample_class_sets_rest(classes, row, outcomes, marks) + 1e-12;
}

static bool is_miss(stat_rng *rng, bool no_unseen)
{
    truth t;
    sample_statistics stats = {.reset_row = SAMPLE_NONE};
    const sample_class_sets_options options = {.budget = sample_budget_of(0.5, false, false, 0),
                                               .no_unseen = no_unseen};
    sample_class_sets *sets;
    bool is_wrong = false;
    draw_truth(rng, &t);
    assert_ok(sample_classes_new(&stats.classes, NULL), &(opac_error){0});
    assert_ok(sample_class_sets_new(&stats, &options, &sets, NULL), &(opac_error){0});
    for (uint32_t i = 0, next = 1; i < DRAWS && !is_wrong; i++) {
        draw_outcome(rng, stats.classes, &t, (uint32_t)stat_rng_below(rng, ROWS));
        if (i + 1 < next)
            continue;
        next += 1 + next / 8;
        for (uint32_t row = 0; row < ROWS; row++) {
            uint32_t number = sample_classes_of_row(stats.classes, row);
            is_wrong |= number != SAMPLE_NO_OUTCOME &&
                        (is_class_wrong(sets, stats.classes, &t, number, row % CLASSES) ||
                         is_row_wrong(sets, stats.classes, &t, row));
        }
    }
    sample_class_sets_free(sets);
    sample_classes_free(stats.classes);
    return is_wrong;
}

static unsigned count_misses(uint64_t seed, bool no_unseen)
{
    unsigned misses = 0;
    stat_rng rng;
    stat_rng_init(&rng, seed, 0);
    for (unsigned i = 0; i < RUNS; i++)
        misses += is_miss(&rng, no_unseen);
    print_message("%u of %u runs with a miss\n", misses, (unsigned)RUNS);
    return misses;
}

static void test_coverage(void **unused)
{
    (void)unused;
    assert_true(exact_is_kept(count_misses(1, false), RUNS, 0.5));
}

static void test_unseen_mass_is_needed(void **unused)
{
    (void)unused;
    assert_false(exact_is_kept(count_misses(2, true), RUNS, 0.5));
}

SUITE(class_sets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_unseen_mass_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
