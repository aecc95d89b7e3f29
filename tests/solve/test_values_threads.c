/* SPDX-License-Identifier: MIT */
/* The results do not depend on the number of threads; cancellation; allocation failures. */
#include <omegapac/cancel.h>

#include "solve/enclosure.h"
#include "solve/level_schedule.h"
#include "support/faults.h"
#include "support/quotient_maker.h"
#include "support/random.h"

/*
 * Layers of blocks: each block is a ring with some loops, whose nodes also lead to blocks of lower layers
 * and out of the quotient.
 */
static void make_layers(quotient_maker *maker, uint64_t *random, uint32_t layers, uint32_t width,
                        uint32_t size)
{
    for (uint32_t layer = 0; layer < layers; layer++)
        for (uint32_t block = 0; block < width; block++)
            for (uint32_t i = 0; i < size; i++) {
                uint32_t first = maker->nodes - i;
                maker_node(maker);
                for (uint32_t c = 0; c < 2; c++) {
                    double out = (1 + random_below(random, 8)) / 64.0;
                    maker_choice(maker, layer == 0 ? out : out / 8, out / 4);
                    double rest = 1 - (layer == 0 ? out : out / 8) - out / 4;
                    if (layer > 0) {
                        maker_edge(maker, random_below(random, layer * width * size), rest / 4);
                        rest -= rest / 4;
                    }
                    if (random_below(random, 4) == 0 && size > 1) {
                        maker_edge(maker, first + i, rest / 2);
                        rest -= rest / 2;
                    }
                    maker_edge(maker, first + (i + 1) % size, rest);
                }
            }
}

static void check_threads(const solve_quotient *q, double precision)
{
    static const unsigned threads[] = {1, 2, 7};
    graph_workspace workspace = {0};
    solve_value_options options = {.precision = precision};
    solve_values alone = find_values(q, &options, &workspace);
    assert_true(alone.met);
    assert_inductive(q, &alone);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        opac_error error = {0};
        assert_ok(base_pool_new(threads[i], &options.pool, &error), &error);
        assert_int_equal(solve_levels_parallel(q, options.pool), threads[i] > 1);
        solve_values values = find_values(q, &options, &workspace);
        size_t bytes = q->node_count * sizeof(double);
        assert_memory_equal(values.lower, alone.lower, bytes);
        assert_memory_equal(values.upper, alone.upper, bytes);
        assert_int_equal(values.sweeps, alone.sweeps);
        assert_int_equal(values.choice == NULL, alone.choice == NULL);
        base_pool_free(options.pool);
    }
    graph_workspace_fini(&workspace);
}

static void test_threads(void **state)
{
    (void)state;
    uint64_t random = random_seed(7);
    for (uint32_t size = 2; size <= 32; size *= 4) {
        quotient_maker maker = {0};
        make_layers(&maker, &random, 3, 20000 / (3 * size), size);
        check_threads(maker_finish(&maker, size == 8), 1e-6);
        maker_fini(&maker);
    }
}

/* A cancellation before the start is detected, with threads and without. */
static void test_cancel(void **state)
{
    (void)state;
    uint64_t random = random_seed(8);
    opac_error error = {0};
    quotient_maker maker = {0};
    graph_workspace workspace = {0};
    opac_cancel *cancel;
    base_pool *pool;
    make_layers(&maker, &random, 3, 500, 16);
    const solve_quotient *q = maker_finish(&maker, false);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    assert_ok(base_pool_new(2, &pool, &error), &error);
    opac_cancel_request(cancel);
    for (int i = 0; i < 2; i++) {
        solve_value_options options = {.precision = 1e-6, .cancel = cancel};
        options.pool = i == 1 ? pool : NULL;
        solve_values values;
        assert_status(solve_values_find(q, &options, &workspace, &values, &error),
                      OPAC_ERROR_CANCELLED);
        assert_int_equal(workspace.in_use, 0);
    }
    base_pool_free(pool);
    opac_cancel_free(cancel);
    graph_workspace_fini(&workspace);
    maker_fini(&maker);
}

typedef struct scene {
    const solve_quotient *quotient;
    base_pool *pool;
} scene;

static opac_status run_values(void *context, opac_error *error)
{
    const scene *x = context;
    graph_workspace workspace = {0};
    solve_values values;
    solve_value_options options = {.precision = 1e-6, .pool = x->pool};
    opac_status status = solve_values_find(x->quotient, &options, &workspace, &values, error);
    if (status != OPAC_OK)
        assert_int_equal(workspace.in_use, 0);
    graph_workspace_fini(&workspace);
    return status;
}

/* A slow block after others, so that every allocation is made. */
static void test_faults(void **state)
{
    (void)state;
    quotient_maker maker = {0};
    for (uint32_t i = 0; i < 300; i++) {
        maker_node(&maker);
        maker_choice(&maker, i == 0 ? 0.5 : 0, i == 299 ? 0.5 : 0);
        if (i > 0)
            maker_edge(&maker, i - 1, i % 3 == 0 ? 0.25 : 0.5);
        if (i > 0 && i % 3 == 0)
            maker_edge(&maker, i, 0.25);
        if (i < 299)
            maker_edge(&maker, i + 1, 0.5);
    }
    scene x = {.quotient = maker_finish(&maker, false)};
    assert_true(faults_sweep(run_values, &x) > 3);
    maker_fini(&maker);
}

SUITE(values_threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
