/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds on recurrence times: they never exceed the time, for any limit on the components whose
 * states are all tracked. Also checks their cost.
 */
#include <math.h>

#include "graph/graph_builder.h"
#include "solve/rare_states.h"
#include "solve/recurrence.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

static solve_recurrence time_of(const graph_process *chain, const solve_recurrence_options *options)
{
    solve_recurrence result;
    opac_error error;
    assert_ok(solve_recurrence_chain(chain, 0, options, &result, &error), &error);
    return result;
}

static void add(graph_builder *builder, uint32_t a, uint32_t b, double p)
{
    opac_error error;
    assert_ok(graph_builder_state(builder, &error), &error);
    assert_ok(graph_builder_choice(builder, &error), &error);
    if (p > 0)
        assert_ok(graph_builder_edge(builder, a, p, &error), &error);
    if (p < 1)
        assert_ok(graph_builder_edge(builder, b, 1 - p, &error), &error);
}

static void finish(graph_builder *builder, graph_process *chain)
{
    opac_error error;
    assert_ok(graph_builder_finish(builder, chain, &error), &error);
}

/* Two edges a state, to anywhere. */
static void random_chain(uint64_t *random, uint32_t states, graph_process *chain)
{
    graph_builder builder = {.weighted = true};
    for (uint32_t s = 0; s < states; s++)
        add(&builder, random_below(random, states), random_below(random, states),
            (1 + random_below(random, 9)) / 10.0);
    finish(&builder, chain);
}

/* Forward on a ring, or stay. */
static void make_ring(uint32_t states, double go, graph_process *chain)
{
    graph_builder builder = {.weighted = true};
    for (uint32_t s = 0; s < states; s++)
        add(&builder, (s + 1) % states, s, go);
    finish(&builder, chain);
}

/* ---- soundness ---- */

static void check_rough(const graph_process *chain, double epsilon, bool literal)
{
    const solve_recurrence_options exactly = {.epsilon = epsilon, .literal = literal};
    solve_recurrence exact = time_of(chain, &exactly);
    assert_int_equal(exact.outcome, SOLVE_RECURRENCE_FOUND);
    for (uint32_t largest = 1; largest <= 8; largest++) {
        solve_recurrence_options options = exactly;
        options.lower_bound_only = true;
        options.max_component = largest;
        solve_recurrence rough = time_of(chain, &options);
        assert_true(rough.steps >= 1);
        assert_true(rough.steps <= exact.steps);
        if (rough.outcome == SOLVE_RECURRENCE_FOUND)
            assert_int_equal(rough.steps, exact.steps);
        else {
            assert_true(isnan(rough.before));
            assert_true(isnan(rough.reached));
        }
        options.max_steps = exact.steps; /* the lower bound does not exceed the time */
        assert_true(time_of(chain, &options).outcome != SOLVE_RECURRENCE_LONGER);
    }
}

static void test_below(void **context)
{
    uint64_t random = random_seed(4711);
    (void)context;
    for (int round = 0; round < 300; round++) {
        graph_process chain;
        random_chain(&random, 2 + random_below(&random, 7), &chain);
        check_rough(&chain, 0.01 + 0.1 * random_below(&random, 9), round % 2 == 1);
        graph_process_fini(&chain);
    }
}

/*
 * Ties, and epsilon slightly below: doubles do not distinguish them, and the lower bound is the earlier
 * time.
 */
static void test_ties(void **context)
{
    graph_builder builder = {.weighted = true};
    graph_process chain;
    (void)context;
    add(&builder, 0, 1, .1);
    add(&builder, 1, 1, 1);
    finish(&builder, &chain);
    const double epsilon = nextafter(.001, 0);
    const solve_recurrence_options exactly = {.epsilon = epsilon};
    const solve_recurrence_options roughly = {.epsilon = epsilon, .lower_bound_only = true};
    assert_int_equal(time_of(&chain, &exactly).steps, 5);
    assert_int_equal(time_of(&chain, &roughly).steps, 4);
    graph_process_fini(&chain);
}

/* ---- strength ---- */

/* Covering a ring takes at least a round, and a rare state takes long to visit. */
static void test_large(void **context)
{
    const solve_recurrence_options roughly = {.epsilon = .05, .lower_bound_only = true};
    const solve_recurrence_options within = {
        .epsilon = .05, .lower_bound_only = true, .max_steps = 40};
    graph_builder builder = {.weighted = true};
    graph_process chain;
    (void)context;
    make_ring(50, 1, &chain);
    solve_recurrence result = time_of(&chain, &roughly);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_TOO_BIG);
    assert_true(result.steps >= 50);
    assert_true(result.steps <= 98);
    assert_int_equal(time_of(&chain, &within).outcome, SOLVE_RECURRENCE_LONGER);
    graph_process_fini(&chain);
    for (uint32_t s = 0; s < 29; s++)
        add(&builder, s == 28 ? 0 : s + 1, s == 7 ? 29 : 0, s == 7 ? .99 : .9);
    add(&builder, 0, 0, 1);
    finish(&builder, &chain);
    assert_true(time_of(&chain, &roughly).steps > 1000); /* 29 is seen once in some hundred steps */
    graph_process_fini(&chain);
}

static void test_tracked_count(void **context)
{
    (void)context;
    assert_int_equal(solve_rare_states_count(2), 2);
    assert_int_equal(solve_rare_states_count(21), 7);
    assert_int_equal(solve_rare_states_count(UINT32_MAX), 2);
    assert_int_equal(solve_rare_states_count(7), 7);
}

/* ---- cost ---- */

/*
 * A long chain with a small support of the distribution: a step costs the size of the support, not of the
 * chain.
 */
static void test_small_support(void **context)
{
    enum {
        LONG = 20000
    };
    graph_builder builder = {.weighted = true};
    graph_process chain;
    (void)context;
    for (uint32_t s = 0; s < LONG; s++)
        add(&builder, s + 1, s, .999);
    add(&builder, LONG, LONG, 1);
    finish(&builder, &chain);
    const solve_recurrence_options within = {
        .epsilon = .05, .lower_bound_only = true, .max_steps = LONG + 2};
    const solve_recurrence_options enough = {.epsilon = .05, .max_work = 20000000};
    assert_int_equal(time_of(&chain, &within).outcome, SOLVE_RECURRENCE_LONGER);
    solve_recurrence result = time_of(&chain, &enough);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_FOUND);
    /* one step for the last loop; the rest is negative binomial: 20 in the mean, deviation 4.5 */
    assert_true(result.steps > LONG + 24);
    assert_true(result.steps < LONG + 32);
    assert_true(result.work < UINT64_C(600) * LONG);
    graph_process_fini(&chain);
}

static opac_status measure(void *context, opac_error *error)
{
    const solve_recurrence_options options = {.epsilon = .05, .lower_bound_only = true};
    solve_recurrence result;
    return solve_recurrence_chain(context, 0, &options, &result, error);
}

static void test_faults(void **context)
{
    graph_process chain;
    (void)context;
    make_ring(25, .5, &chain);
    assert_true(faults_sweep(measure, &chain) > 20);
    graph_process_fini(&chain);
}

SUITE(recurrence_rough)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_below),         cmocka_unit_test(test_ties),
        cmocka_unit_test(test_large),         cmocka_unit_test(test_tracked_count),
        cmocka_unit_test(test_small_support), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
