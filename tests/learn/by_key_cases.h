/* SPDX-License-Identifier: MIT */
/*
 * Brackets of runs on simulators that are observed by keys only (by_key.h), on one lane or many and with
 * one thread or several: the same guarantees as in bracket_cases.h, and the policy is one that was saved
 * and read again. The result is the same for all numbers of lanes and threads.
 */
#ifndef TESTS_LEARN_BY_KEY_CASES_H
#define TESTS_LEARN_BY_KEY_CASES_H

#include "learn/bracket_cases.h"
#include "learn/by_key.h"

typedef struct by_key_size {
    uint64_t seed;
    unsigned models, runs;
    uint64_t steps;
} by_key_size;

typedef struct by_key_way {
    uint32_t lanes;
    unsigned threads;
} by_key_way;

static const by_key_way by_key_ways[] = {{1, 1}, {64, 1}, {3, 4}, {3, 1}, {1, 4}, {64, 4}};
enum {
    BY_KEY_WAYS = sizeof by_key_ways / sizeof by_key_ways[0],
    BY_KEY_AGAIN = 8 /* one of so many runs is also run with other lanes and threads */
};

/* A run, and what it borrows. */
typedef struct by_key_outcome {
    opac_environment *env;
    opac_learning *learning;
} by_key_outcome;

static inline void by_key_fini(by_key_outcome *o)
{
    opac_learning_free(o->learning);
    opac_environment_free(o->env);
}

/* k 0: with pmin. */
static inline by_key_outcome by_key_learn(const coverage_case *c, const by_key_model *m,
                                          by_key_way way, uint64_t k, double delta, uint64_t steps,
                                          uint64_t seed, bracket_watch *watch)
{
    opac_learn_options options = opac_learn_defaults();
    by_key_outcome made = {.env = by_key_environment(m, way.lanes)};
    opac_error error = {0};
    options.pmin = k == 0 ? bracket_pmin : 0;
    options.k = k;
    options.horizon = 1 + seed % 16;
    options.kind = (opac_automaton_kind)(seed / 2 % (OPAC_KIND_LDBA + 1));
    options.epsilon = 0.02;
    options.delta = delta;
    options.max_steps = steps;
    options.seed = seed;
    options.threads = way.threads;
    options.untested = true; /* many of the models are deterministic, or nearly */
    options.trace = bracket_listen;
    options.trace_context = watch;
    assert_ok(opac_learn(made.env, &c->objective, &options, &made.learning, &error), &error);
    return made;
}

static inline opac_policy *by_key_policy(const opac_learning *learning)
{
    opac_policy *policy, *read;
    opac_output *out;
    opac_error error = {0};
    size_t length;
    assert_ok(opac_learning_policy(learning, NULL, &policy, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    const char *text = opac_output_bytes(out, &length);
    assert_ok(opac_policy_parse(text, length, NULL, &read, &error), &error);
    opac_output_free(out);
    opac_policy_free(policy);
    return read;
}

/* All that was shown by a run, as bytes. */
static inline opac_output *by_key_print(const opac_learning *learning)
{
    char line[256];
    opac_output *out;
    opac_policy *policy = by_key_policy(learning);
    opac_error error = {0};
    const opac_learn_report *r = opac_learning_report(learning);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    if (r->is_bracket && r->end != OPAC_END_REFUTED)
        assert_ok(opac_learning_write_certificate(learning, NULL, out, &error), &error);
    opac_policy_write(policy, out);
    int length = snprintf(line, sizeof line, "%d %.17g %.17g %.17g %llu %llu %llu %llu\n",
                          (int)r->end, r->value, r->lower, r->optimum_upper,
                          (unsigned long long)r->episodes, (unsigned long long)r->steps,
                          (unsigned long long)r->policies, (unsigned long long)r->samples);
    assert_true(length > 0);
    assert_true((size_t)length < sizeof line);
    opac_output_write(out, line, (size_t)length);
    opac_policy_free(policy);
    return out;
}

static inline void by_key_assert_same(const opac_learning *one, const opac_learning *other)
{
    size_t length, same;
    opac_output *first = by_key_print(one), *second = by_key_print(other);
    const char *bytes = opac_output_bytes(first, &length);
    const char *again = opac_output_bytes(second, &same);
    assert_int_equal(length, same);
    assert_memory_equal(bytes, again, length);
    opac_output_free(first);
    opac_output_free(second);
}

/* Whether it is a miss. */
static inline bool by_key_once(const coverage_case *c, const by_key_model *m, double delta,
                               uint64_t steps, uint64_t seed, unsigned number)
{
    bracket_watch watch = {.best = c->best}, ignored = {0};
    by_key_way way = by_key_ways[number % BY_KEY_WAYS];
    by_key_outcome made = by_key_learn(c, m, way, 0, delta, steps, seed, &watch);
    const opac_learning *learning = made.learning;
    const opac_learn_report *report = opac_learning_report(learning);
    opac_policy *policy = by_key_policy(learning);
    double truth = by_key_value(m, policy, NULL, &c->objective);
    double other = by_key_value(m, NULL, learning, &c->objective);
    assert_true(fabs(truth - other) < bracket_rounding);
    bool is_miss = watch.wrong > 0 || report->end == OPAC_END_REFUTED ||
                   truth < report->lower - bracket_rounding ||
                   truth > report->upper + bracket_rounding;
    assert_true(watch.told > 0);
    if (number % BY_KEY_AGAIN == 0) {
        way = by_key_ways[(number / BY_KEY_AGAIN + 1 + number) % BY_KEY_WAYS];
        by_key_outcome again = by_key_learn(c, m, way, 0, delta, steps, seed, &ignored);
        by_key_assert_same(learning, again.learning);
        by_key_fini(&again);
    }
    opac_policy_free(policy);
    by_key_fini(&made);
    return is_miss;
}

static inline void by_key_cover(const by_key_size *size, double delta)
{
    uint64_t random = random_seed(size->seed);
    unsigned misses = 0, number = 0;
    for (unsigned i = 0; i < size->models; i++) {
        coverage_case c;
        by_key_model m;
        bracket_draw(&random, 0, &c);
        by_key_init(&m, c.model, i % 2 == 1);
        for (unsigned j = 0; j < size->runs; j++, number++)
            misses += by_key_once(&c, &m, delta, size->steps, random_u64(&random), number);
        coverage_fini(&c);
    }
    print_message("%u runs by key: %u with a miss (%.3g), delta %g\n", number, misses,
                  (double)misses / number, delta);
    assert_true(exact_is_kept(misses, number, delta));
}

static inline void by_key_small_delta(void **state)
{
    by_key_cover(*state, 0.1);
}

static inline void by_key_great_delta(void **state)
{
    by_key_cover(*state, 0.5);
}

/*
 * With a given k, without a guarantee: all ways to run have the same result, and the policies are the
 * same.
 */
static inline void by_key_counted(void **state)
{
    const by_key_size *size = *state;
    uint64_t random = random_seed(size->seed + 1);
    for (unsigned i = 0; i < size->models; i++) {
        coverage_case c;
        by_key_model m;
        bracket_watch ignored = {0};
        bracket_draw(&random, 0, &c);
        by_key_init(&m, c.model, i % 2 == 1);
        for (unsigned j = 0; j + 1 < BY_KEY_WAYS; j++) {
            uint64_t seed = random_u64(&random), k = 1 + random_below(&random, 20);
            by_key_outcome one =
                by_key_learn(&c, &m, by_key_ways[0], k, 0.1, size->steps, seed, &ignored);
            by_key_outcome other =
                by_key_learn(&c, &m, by_key_ways[j + 1], k, 0.1, size->steps, seed, &ignored);
            opac_policy *policy = by_key_policy(one.learning);
            by_key_assert_same(one.learning, other.learning);
            assert_true(fabs(by_key_value(&m, policy, NULL, &c.objective) -
                             by_key_value(&m, NULL, one.learning, &c.objective)) <
                        bracket_rounding);
            opac_policy_free(policy);
            by_key_fini(&one);
            by_key_fini(&other);
        }
        coverage_fini(&c);
    }
}

static inline int by_key_run(by_key_size size)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(by_key_small_delta, &size),
        cmocka_unit_test_prestate(by_key_great_delta, &size),
        cmocka_unit_test_prestate(by_key_counted, &size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
