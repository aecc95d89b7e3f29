/* SPDX-License-Identifier: MIT */
/* Compares enclosures of small quotients with exact solutions. */
#include <math.h>

#include "solve/enclosure.h"
#include "support/random.h"
#include "support/random_quotient.h"

/* The exact solution of each node lies inside. */
static void assert_encloses(const random_quotient *q, const solve_values *values)
{
    for (uint32_t i = 0; i < q->nodes; i++) {
        uint32_t n = q->maker.number[i];
        int64_t numerator = q->numerator[i], denominator = q->denominator[i];
        if (values->lower[n] > 0)
            assert_true(random_quotient_compare(numerator, denominator, values->lower[n]) >= 0);
        assert_true(random_quotient_compare(numerator, denominator, values->upper[n]) <= 0);
    }
}

/* A choice of node n that attains the bound: the given one, or else the last that satisfies the bound. */
static uint32_t allowed_choice(const solve_quotient *q, const solve_values *values, uint32_t n)
{
    uint32_t found = GRAPH_NONE;
    if (values->choice != NULL && values->choice[n] != GRAPH_NONE)
        return values->choice[n];
    for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
        if (q->complement ? solve_backup_above(q, c, values->upper) <= values->upper[n]
                          : solve_backup_below(q, c, values->lower) >= values->lower[n])
            found = c;
    assert_int_not_equal(found, GRAPH_NONE);
    return found;
}

/* A policy of allowed choices attains the bound, exactly. */
static void assert_attained(const random_quotient *q, const solve_values *values)
{
    const solve_quotient *quotient = &q->maker.quotient;
    uint32_t policy[RANDOM_NODES];
    int64_t numerator[RANDOM_NODES], denominator[RANDOM_NODES];
    for (uint32_t i = 0; i < q->nodes; i++) {
        uint32_t n = q->maker.number[i];
        policy[i] = allowed_choice(quotient, values, n) - quotient->choice_begin[n];
    }
    random_quotient_solve(q, policy, numerator, denominator);
    for (uint32_t i = 0; i < q->nodes; i++) {
        uint32_t n = q->maker.number[i];
        if (quotient->complement)
            assert_true(random_quotient_compare(numerator[i], denominator[i], values->upper[n]) <=
                        0);
        else if (values->lower[n] > 0)
            assert_true(random_quotient_compare(numerator[i], denominator[i], values->lower[n]) >=
                        0);
    }
}

/* Thousands of random quotients, most of whose probabilities are not representable as doubles. */
static void test_random(void **state)
{
    (void)state;
    uint64_t random = random_seed(20260711);
    static const double precisions[] = {1e-3, 1e-6, 1e-9, 1e-12};
    graph_workspace workspace = {0};
    for (int round = 0; round < 8000; round++) {
        random_quotient q;
        random_quotient_make(&random, round % 2 == 1, &q);
        solve_value_options options = {.precision = precisions[random_below(&random, 4)]};
        graph_place place = graph_workspace_mark(&workspace);
        solve_values values = find_values(&q.maker.quotient, &options, &workspace);
        assert_true(values.met);
        assert_encloses(&q, &values);
        assert_attained(&q, &values);
        graph_workspace_release(&workspace, place);
        random_quotient_fini(&q);
    }
    graph_workspace_fini(&workspace);
}

/* Upper bounds of every kind: the solution, near it, far from it, none at all. */
static double known_upper(const random_quotient *q, uint32_t i, uint32_t kind)
{
    double exact = (double)q->numerator[i] / (double)q->denominator[i];
    double above = exact * (1 + 0x1p-50);
    return kind == 0   ? above
           : kind == 1 ? exact * (1 + 1e-7)
           : kind == 2 ? exact + (1 - exact) * (i + 1) / (RANDOM_NODES + 1)
           : kind == 3 ? (i % 2 == 0 ? above : 1)
                       : 2;
}

static void test_warm(void **state)
{
    (void)state;
    uint64_t random = random_seed(5);
    graph_workspace workspace = {0};
    for (uint32_t round = 0; round < 2500; round++) {
        random_quotient q;
        double upper[RANDOM_NODES];
        random_quotient_make(&random, round % 8 == 7, &q); /* a complement has no use for it */
        for (uint32_t i = 0; i < q.nodes; i++)
            upper[q.maker.number[i]] = known_upper(&q, i, round % 5);
        solve_value_options options = {.precision = round % 3 == 0 ? 1e-3 : 1e-9, .upper = upper};
        graph_place place = graph_workspace_mark(&workspace);
        solve_values values = find_values(&q.maker.quotient, &options, &workspace);
        assert_true(values.met);
        assert_encloses(&q, &values);
        assert_attained(&q, &values);
        graph_workspace_release(&workspace, place);
        random_quotient_fini(&q);
    }
    graph_workspace_fini(&workspace);
}

/*
 * A ring in which each node advances with 0.9 and otherwise leaves: solved again from above in a few
 * sweeps.
 */
static void test_warm_is_quick(void **state)
{
    (void)state;
    enum {
        SIZE = 1000
    };
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < SIZE; i++) {
        maker_node(&maker);
        maker_choice(&maker, 1e-4 * (i % 7), 1e-3 - 1e-4 * (i % 7));
        maker_edge(&maker, (i + 1) % SIZE, 0.999);
    }
    solve_quotient q = *maker_finish(&maker, false);
    q.loss = NULL; /* by sweeps alone */
    solve_value_options options = {.precision = 1e-6};
    solve_values cold = find_values(&q, &options, &workspace);
    assert_true(cold.met);
    options.upper = cold.upper;
    solve_values warm = find_values(&q, &options, &workspace);
    assert_true(warm.met);
    assert_true(warm.sweeps <= cold.sweeps);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

/* The same quotient with gain and loss exchanged, its least instead of its greatest. */
static void test_complement(void **state)
{
    (void)state;
    uint64_t random = random_seed(6);
    graph_workspace workspace = {0};
    solve_value_options options = {.precision = 1e-9};
    for (uint32_t round = 0; round < 2000; round++) {
        random_quotient q;
        random_quotient_make(&random, false, &q);
        graph_place place = graph_workspace_mark(&workspace);
        solve_values greatest = find_values(&q.maker.quotient, &options, &workspace);
        solve_quotient other = q.maker.quotient;
        other.complement = true;
        other.gain = q.maker.quotient.loss;
        other.loss = q.maker.quotient.gain;
        solve_values rest = find_values(&other, &options, &workspace);
        for (uint32_t n = 0; n < q.nodes; n++) {
            assert_true(greatest.lower[n] + rest.lower[n] <= 1 + 1e-15);
            assert_true(greatest.upper[n] + rest.upper[n] >= 1 - 1e-15);
        }
        graph_workspace_release(&workspace, place);
        random_quotient_fini(&q);
    }
    graph_workspace_fini(&workspace);
}

/*
 * A chain of blocks of two nodes: each leads to the other with 1/3, to the losing state with 1/9, and
 * otherwise to the next block with value y. Then x = 5/9 y + x/3 for both, so x = 5/6 y.
 */
static void check_block_chain(uint32_t blocks, double precision, bool met)
{
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < 2; i++) {
            maker_node(&maker);
            maker_choice(&maker, b == 0 ? 5.0 / 9 : 0, 1.0 / 9);
            maker_edge(&maker, 2 * b + 1 - i, 1.0 / 3);
            if (b > 0)
                maker_edge(&maker, 2 * b - 2 + i, 5.0 / 9);
        }
    solve_value_options options = {.precision = precision};
    solve_values values = find_values(maker_finish(&maker, false), &options, &workspace);
    assert_int_equal(values.met, met);
    assert_inductive(&maker.quotient, &values);
    for (uint32_t b = 0; b < blocks; b++) {
        long double exact = expl((b + 1) * logl(5.0L / 6));
        uint32_t n = maker.number[2 * b];
        assert_true(values.lower[n] <= exact * (1 + 1e-15L));
        assert_true(values.upper[n] >= exact * (1 - 1e-15L));
        assert_true(values.upper[n] - values.lower[n] <= 1e-3 * values.upper[n]);
    }
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

static void test_block_chains(void **state)
{
    (void)state;
    check_block_chain(1, 1e-12, true);
    check_block_chain(30, 1e-9, true);
    check_block_chain(1000, 1e-3, true);
    check_block_chain(1000, 1e-6, true);
    check_block_chain(1000, 1e-13, false); /* beyond what margins allow */
}

/* One choice with very many edges, whose probabilities are not representable as doubles. */
static void test_many_edges(void **state)
{
    (void)state;
    enum {
        WIDE = 3000
    };
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    maker_node(&maker);
    maker_choice(&maker, 0, 1.0 / (WIDE + 1));
    for (uint32_t i = 1; i <= WIDE; i++)
        maker_edge(&maker, i, 1.0 / (WIDE + 1));
    for (uint32_t i = 1; i <= WIDE; i++) {
        maker_node(&maker);
        maker_choice(&maker, 0.1, 0.2);
        maker_edge(&maker, 0, 0.7);
    }
    solve_value_options options = {.precision = 1e-9};
    solve_values values = find_values(maker_finish(&maker, false), &options, &workspace);
    assert_true(values.met);
    assert_inductive(&maker.quotient, &values);
    long double share = WIDE / (WIDE + 1.0L), exact = 0.1L * share / (1 - 0.7L * share);
    assert_true(values.lower[maker.number[0]] <= exact * (1 + 1e-15L));
    assert_true(values.upper[maker.number[0]] >= exact * (1 - 1e-15L));
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

static void test_empty(void **state)
{
    (void)state;
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    solve_value_options options = {.precision = 1e-6};
    solve_quotient q = {.block_begin = (const uint32_t[]){0}};
    solve_values values = find_values(&q, &options, &workspace);
    assert_true(values.met);
    assert_int_equal(values.sweeps, 0);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

SUITE(values)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        cmocka_unit_test(test_warm),
        cmocka_unit_test(test_warm_is_quick), cmocka_unit_test(test_complement),
        cmocka_unit_test(test_block_chains),  cmocka_unit_test(test_many_edges),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
