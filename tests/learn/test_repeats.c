/* SPDX-License-Identifier: MIT */
/*
 * The test of repeated episodes. False alarms: the product's mean over all sequences of draws, each
 * with its probability, is at most 1; and no alarm in runs of independent draws (each of these tests
 * fails with probability below 1e-3 over all seeds). Alarms: pools of seeds, cycles, and resets
 * that are ignored.
 */
#include <math.h>

#include "base/hash.h"
#include "sample/history_test.h"
#include "sample/repeats.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

/* ---- the mean, exactly ---- */

enum {
    DRAWS = 9,
    SEQUENCES = 19683, /* 3^9 */
    LENGTH = 3         /* of an episode */
};

/* Rows 0, 1, 2 in turn, with up to three successors; the history is what was drawn before. */
static double log_product(const unsigned *successors, size_t count, double *log_p)
{
    static const double p[LENGTH][3] = {{0.7, 0.3, 0}, {0.2, 0.5, 0.3}, {0.9, 0.05, 0.05}};
    opac_error error = {0};
    sample_history_test h;
    uint64_t history = 0;
    unsigned first[LENGTH] = {9, 9, 9}, added[LENGTH] = {0};
    assert_ok(sample_history_test_init(&h, &error), &error);
    *log_p = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t row = i % LENGTH;
        unsigned to = successors[i];
        history = row == 0 ? 1 : history * 4 + to + 2;
        *log_p += log(p[row][to]);
        if (added[row])
            assert_ok(sample_history_test_observe(&h, row, history + 100 * row, to, &error),
                      &error);
        if (first[row] == 9) {
            first[row] = to;
        } else if (first[row] != to && !added[row]) {
            added[row] = 1;
            assert_ok(sample_history_test_add_row(&h, row, first[row], to, &error), &error);
        }
    }
    double found = h.log_odds;
    sample_history_test_fini(&h);
    return found;
}

/* Row 0 has two successors: sequences with a third one are left out. */
static void test_mean_is_at_most_one(void **unused)
{
    unsigned successors[DRAWS] = {0};
    double mean = 0, all = 0;
    (void)unused;
    for (unsigned code = 0; code < SEQUENCES; code++) {
        bool is_possible = true;
        for (unsigned i = 0, left = code; i < DRAWS; i++, left /= 3) {
            successors[i] = left % 3;
            is_possible = is_possible && (i % LENGTH > 0 || successors[i] < 2);
        }
        if (!is_possible)
            continue;
        double log_p, log_odds = log_product(successors, DRAWS, &log_p);
        mean += exp(log_p + log_odds);
        all += exp(log_p);
    }
    assert_float_equal(all, 1, 1e-9);
    assert_true(mean <= 1 + 1e-9);
    assert_true(mean > 0.01);
}

/* ---- alarms ---- */

typedef struct source {
    uint64_t pool;   /* number of seeds; 0: as many as episodes */
    uint64_t period; /* episodes after which the seeds repeat; 0: never */
    uint32_t starts; /* initial states, all alike; 1: no random reset */
    bool is_resumed; /* a reset leaves the state as it is */
    unsigned length; /* of episodes */
    unsigned states; /* on a ring: a step leads on or back */
    double p;        /* on */
    unsigned lanes;  /* so many episodes in a row are copies of one; 0: none are */
    bool remembers;  /* a step depends on the number of steps before it */
    bool is_hidden;  /* only whole episodes are tested */
} source;

/* Whether there was an alarm in so many episodes, and how many there were before. */
static bool is_noticed_at(double level, const source *s, uint64_t seed, uint64_t episodes,
                          uint64_t *needed)
{
    opac_error error = {0};
    sample_repeats *r;
    uint64_t state = 0;
    opac_status status = sample_repeats_new(level, &r, &error);
    assert_ok(status, &error);
    if (s->is_hidden)
        sample_repeats_allow_hidden_state(r);
    uint64_t i = 0;
    for (; i < episodes && status == OPAC_OK; i++) {
        uint64_t number = s->period > 0 ? i % s->period : s->lanes > 0 ? i / s->lanes : i;
        uint64_t random = base_hash_word(seed * 1000003 + number);
        uint64_t given = s->pool > 0 ? random : base_hash_word(seed * 1000003 + i);
        random = base_hash_word(s->pool > 0 ? random % s->pool : random);
        sample_repeats_begin(r);
        if (!s->is_resumed)
            state = random_below(&random, s->starts);
        if (s->starts > 1)
            status = sample_repeats_observe(r, SAMPLE_REPEATS_RESET, state, &error);
        for (unsigned t = 0; t < s->length && status == OPAC_OK; t++) {
            double p = s->remembers && t % 3 == 0 ? 1 - s->p : s->p;
            bool is_on = random_below(&random, 1000) < 1000 * p;
            uint64_t next = (state + (is_on ? 1 : s->states - 1)) % s->states;
            status = sample_repeats_observe(r, 2 * state, next, &error);
            state = next;
        }
        if (status == OPAC_OK)
            status = sample_repeats_end(r, 1 + i % 2, given, &error);
    }
    if (status != OPAC_OK)
        assert_status(status, OPAC_ERROR_SIMULATOR);
    *needed = i;
    sample_repeats_free(r);
    return status != OPAC_OK;
}

static bool is_noticed(const source *s, uint64_t seed, uint64_t episodes, uint64_t *needed)
{
    return is_noticed_at(SAMPLE_REPEATS_LEVEL, s, seed, episodes, needed);
}

static void test_independent_episodes_raise_no_alarm(void **unused)
{
    static const source sources[] = {
        {.starts = 1, .length = 20, .states = 8, .p = 0.5},
        {.starts = 1, .length = 3, .states = 8, .p = 0.9},
        {.starts = 5, .length = 6, .states = 30, .p = 0.7},
        {.starts = 200, .length = 2, .states = 300, .p = 0.999},
        {.starts = 2, .length = 100, .states = 2, .p = 0.01},
        {.starts = 2, .length = 1, .states = 2, .p = 0.5},
        {.starts = 1, .length = 1, .states = 2, .p = 0.5, .is_hidden = true},
        {.starts = 1, .length = 1, .states = 3, .p = 0.99, .is_hidden = true},
        {.starts = 1, .length = 5, .states = 3, .p = 1, .is_hidden = true},
        {.starts = 3, .length = 4, .states = 9, .p = 0.8, .remembers = true, .is_hidden = true},
        {.starts = 1, .length = 60, .states = 9, .p = 0.3, .remembers = true, .is_hidden = true},
    };
    uint64_t needed;
    (void)unused;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (uint64_t seed = 0; seed < random_rounds(4, 40); seed++)
            assert_false(is_noticed(&sources[i], seed, 4000 / sources[i].length + 500, &needed));
}

static void test_repeated_episodes_raise_an_alarm(void **unused)
{
    static const struct {
        source made;
        uint64_t episodes;
    } cases[] = {
        {{.pool = 1, .starts = 1, .length = 20, .states = 5, .p = 0.5}, 20},
        {{.pool = 2, .starts = 1, .length = 20, .states = 5, .p = 0.5}, 40},
        {{.pool = 16, .starts = 1, .length = 20, .states = 5, .p = 0.5}, 100},
        {{.pool = 50, .starts = 1, .length = 5, .states = 9, .p = 0.6}, 1500},
        {{.pool = 1000, .starts = 1, .length = 60, .states = 9, .p = 0.6}, 500},
        {{.period = 7, .starts = 3, .length = 12, .states = 9, .p = 0.8}, 200},
        {{.period = 300, .starts = 1, .length = 30, .states = 9, .p = 0.5}, 500},
        {{.period = 2, .starts = 1000000, .length = 1, .states = 1000000, .p = 1}, 100},
        {{.period = 6, .starts = 10, .length = 1, .states = 10, .p = 0.5}, 200},
        {{.is_resumed = true, .starts = 10, .length = 3, .states = 10, .p = 0.5}, 100},
        {{.lanes = 8, .starts = 1, .length = 3, .states = 9, .p = .7, .is_hidden = true}, 120},
        {{.lanes = 64, .starts = 1, .length = 40, .states = 9, .p = .7, .is_hidden = true}, 400},
        {{.pool = 10, .starts = 1, .length = 5, .states = 9, .p = .6, .is_hidden = true}, 300},
        {{.pool = 256, .starts = 1, .length = 60, .states = 9, .p = .6, .is_hidden = true}, 1000},
        {{.period = 7, .starts = 1, .length = 12, .states = 9, .p = .8, .is_hidden = true}, 300},
        {{.period = 900, .starts = 1, .length = 40, .states = 9, .p = .5, .is_hidden = true}, 2000},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 0; seed < random_rounds(3, 30); seed++) {
            uint64_t needed;
            if (!is_noticed(&cases[i].made, seed, cases[i].episodes, &needed))
                fail_msg("case %zu, seed %u: no alarm", i, (unsigned)seed);
        }
}

/* At a level of 1/2, with few and short episodes, where chance has the largest effect. The bound on the rate is 1/2; it is
 * not sharp, and the test fails with probability below 1e-9 if the rate is below 0.4. */
static void test_alarms_are_rare_at_a_large_level(void **unused)
{
    static const source sources[] = {
        {.starts = 1, .length = 1, .states = 3, .p = 0.5, .is_hidden = true},
        {.starts = 1, .length = 2, .states = 5, .p = 0.9, .is_hidden = true},
        {.starts = 1, .length = 6, .states = 9, .p = 0.5, .is_hidden = true},
    };
    uint64_t needed;
    (void)unused;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        unsigned alarms = 0, runs = 1000;
        for (uint64_t seed = 0; seed < runs; seed++)
            alarms += is_noticed_at(0.5, &sources[i], seed, 60, &needed);
        print_message("source %zu: %u alarms in %u runs\n", i, alarms, runs);
        assert_true(alarms <= runs / 2);
    }
}

/* ---- memory ---- */

static opac_status use(void *context, opac_error *error)
{
    sample_repeats *r;
    opac_status status = sample_repeats_new(SAMPLE_REPEATS_LEVEL, &r, error);
    if (status != OPAC_OK)
        return status;
    if (context != NULL)
        sample_repeats_allow_hidden_state(r);
    for (uint64_t i = 0; i < 40 && status == OPAC_OK; i++) {
        sample_repeats_begin(r);
        for (uint64_t t = 0; t < 3 && status == OPAC_OK; t++)
            status = sample_repeats_observe(r, t, base_hash_word(i * 3 + t) % 3, error);
        if (status == OPAC_OK)
            status = sample_repeats_end(r, 1, i, error);
    }
    sample_repeats_free(r);
    return status;
}

static void test_memory(void **unused)
{
    (void)unused;
    char has_hidden_state = 1;
    faults_sweep(use, NULL);
    faults_sweep(use, &has_hidden_state);
}

SUITE(repeats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_is_at_most_one),
        cmocka_unit_test(test_independent_episodes_raise_no_alarm),
        cmocka_unit_test(test_repeated_episodes_raise_an_alarm),
        cmocka_unit_test(test_alarms_are_rare_at_a_large_level),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
