/* SPDX-License-Identifier: MIT */
/* Compares elimination with exact fractions and closed forms, and checks the claims of policy iteration. */
#include <math.h>

#include "solve/policy_iteration.h"
#include "support/check.h"
#include "support/random.h"
#include "support/random_quotient.h"

/* All nodes of a random quotient as one block, regardless of its components. */
static solve_block one_block(solve_quotient *q, uint32_t *begin)
{
    solve_block block;
    begin[0] = 0;
    begin[1] = q->node_count;
    q->block_begin = begin;
    q->block_count = 1;
    solve_block_init(q, 0, &block);
    return block;
}

static void assert_within(const random_quotient *q, const solve_evaluation *value,
                          const int64_t *numerator, const int64_t *denominator)
{
    for (uint32_t i = 0; i < q->nodes; i++) {
        uint32_t n = q->maker.number[i];
        double low = value->low[n] * (1 - value->error), high = value->high[n] * (1 + value->error);
        if (low > 0)
            assert_true(random_quotient_compare(numerator[i], denominator[i], low) >= 0);
        if (high > 0)
            assert_true(random_quotient_compare(numerator[i], denominator[i], high) <= 0);
        else
            assert_int_equal(numerator[i], 0);
    }
}

static void test_random_policies(void **state)
{
    (void)state;
    uint64_t random = random_seed(11);
    graph_workspace workspace = {0};
    opac_error error = {0};
    for (int round = 0; round < 5000; round++) {
        random_quotient q;
        random_quotient_make(&random, false, &q);
        solve_quotient quotient = q.maker.quotient;
        uint32_t begin[2], policy[RANDOM_NODES], taken[RANDOM_NODES];
        int64_t numerator[RANDOM_NODES], denominator[RANDOM_NODES];
        double low[RANDOM_NODES], high[RANDOM_NODES];
        for (uint32_t i = 0; i < q.nodes; i++) {
            policy[i] = random_below(&random, q.choices[i]);
            taken[q.maker.number[i]] = quotient.choice_begin[q.maker.number[i]] + policy[i];
        }
        random_quotient_solve(&q, policy, numerator, denominator);
        solve_block block = one_block(&quotient, begin);
        solve_evaluation value = {.low = low, .high = high};
        solve_elimination of = {.block = &block, .policy = taken, .work_limit = 10000};
        assert_ok(solve_eliminate(&of, &workspace, &value, &error), &error);
        assert_true(value.done);
        assert_true(value.error >= 2 * q.nodes * block.margin + q.nodes * 0x1p-49);
        assert_within(&q, &value, numerator, denominator);
        random_quotient_fini(&q);
    }
    graph_workspace_fini(&workspace);
}

/* Policy iteration finds the solution, and claims optimality only if no other choice comes close. */
static void test_random_solutions(void **state)
{
    (void)state;
    uint64_t random = random_seed(12);
    graph_workspace workspace = {0};
    opac_error error = {0};
    uint32_t proven = 0, rounds = 5000;
    for (uint32_t round = 0; round < rounds; round++) {
        random_quotient q;
        random_quotient_make(&random, round % 2 == 1, &q);
        solve_quotient quotient = q.maker.quotient;
        uint32_t begin[2];
        double x[RANDOM_NODES] = {0};
        solve_block block = one_block(&quotient, begin);
        solve_policy_iteration improved;
        solve_block_task task = {.block = block, .lower = x, .upper = x, .workspace = &workspace};
        assert_ok(solve_policy_iterate(&task, x, 100000, &improved, &error), &error);
        assert_true(improved.done);
        assert_within(&q, &improved.value, q.numerator, q.denominator);
        proven += improved.optimal;
        random_quotient_fini(&q);
    }
    assert_true(proven > rounds / 10);
    graph_workspace_fini(&workspace);
}

/* Two choices that lead from node 0 to node 1, which wins with 1/2, or loses. */
static bool two_choices(double first, double second, bool complement)
{
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    opac_error error = {0};
    double x[2] = {0};
    maker_node(&maker);
    maker_choice(&maker, first / 2, 0.5 - first / 2);
    maker_edge(&maker, 1, 0.5);
    maker_choice(&maker, second / 2, 0.5 - second / 2);
    maker_edge(&maker, 1, 0.5);
    maker_node(&maker);
    maker_choice(&maker, 0.25, 0.25);
    maker_edge(&maker, 0, 0.5);
    solve_quotient quotient = *maker_finish(&maker, complement);
    uint32_t begin[2];
    solve_block block = one_block(&quotient, begin);
    solve_policy_iteration improved;
    solve_block_task task = {.block = block, .lower = x, .upper = x, .workspace = &workspace};
    assert_ok(solve_policy_iterate(&task, x, 1000, &improved, &error), &error);
    assert_true(improved.done);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
    return improved.optimal;
}

static void test_proof(void **state)
{
    (void)state;
    for (int complement = 0; complement < 2; complement++) {
        assert_true(two_choices(0.5, 0.5, complement)); /* the same row */
        assert_true(two_choices(0.5, 0.25, complement));
        assert_true(two_choices(0.25, 0.5, complement));
        assert_true(two_choices(0.5, 0.5 - 1e-9, complement));
        assert_false(two_choices(0.5, 0.5 - 0x1p-52, complement)); /* too close to tell */
        assert_false(two_choices(0.5, 0.5 + 0x1p-52, complement));
    }
}

/* The values of earlier nodes enter with both of their bounds. */
static void test_earlier(void **state)
{
    (void)state;
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    opac_error error = {0};
    maker_node(&maker);
    maker_choice(&maker, 0.5, 0.5);
    maker_node(&maker);
    maker_choice(&maker, 0, 0);
    maker_edge(&maker, 0, 0.25);
    maker_edge(&maker, 1, 0.75);
    const solve_quotient *q = maker_finish(&maker, false);
    solve_block block;
    uint32_t policy[1] = {1};
    double lower[2] = {0.25}, upper[2] = {0.75}, low[1], high[1];
    solve_evaluation value = {.low = low, .high = high};
    solve_block_init(q, 1, &block);
    solve_elimination of = {
        .block = &block, .policy = policy, .lower = lower, .upper = upper, .work_limit = 100};
    assert_ok(solve_eliminate(&of, &workspace, &value, &error), &error);
    assert_true(value.done);
    assert_true(low[0] == 0.25);
    assert_true(high[0] == 0.75);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

/* Elimination fails where relative errors would be invalid, and at its limit of work. */
static void test_limits(void **state)
{
    (void)state;
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    opac_error error = {0};
    for (uint32_t i = 0; i < 4; i++) {
        maker_node(&maker);
        maker_choice(&maker, i == 3 ? 0.5 : 0, i == 3 ? 0 : 0.5);
        maker_edge(&maker, (i + 1) % 4, i == 3 ? 0.5 : 1e-200);
        maker_edge(&maker, i, 0.5);
    }
    solve_quotient quotient = *maker_finish(&maker, false);
    uint32_t begin[2], policy[4] = {0, 1, 2, 3};
    double low[4], high[4];
    solve_block block = one_block(&quotient, begin);
    solve_evaluation value = {.low = low, .high = high};
    solve_elimination of = {.block = &block, .policy = policy, .work_limit = 1000};
    assert_ok(solve_eliminate(&of, &workspace, &value, &error), &error);
    assert_false(value.done);
    for (uint32_t e = 0; e < quotient.edge_count; e++)
        ((double *)quotient.prob)[e] = 0.25;
    assert_ok(solve_eliminate(&of, &workspace, &value, &error), &error);
    assert_true(value.done);
    of.work_limit = 0;
    assert_ok(solve_eliminate(&of, &workspace, &value, &error), &error);
    assert_false(value.done);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

SUITE(eliminate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_policies), cmocka_unit_test(test_random_solutions),
        cmocka_unit_test(test_proof),           cmocka_unit_test(test_earlier),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
