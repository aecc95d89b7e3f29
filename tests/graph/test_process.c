/* SPDX-License-Identifier: MIT */
/* Tests building, borrowing and checking processes. */
#include <math.h>

#include "graph/graph_builder.h"
#include "graph/process.h"
#include "support/check.h"
#include "support/invariants.h"
#include "support/random_process.h"

/* State 0: {1}, {0, 2}; state 1: {2}; state 2: nothing. */
typedef struct arrays {
    uint32_t choice_begin[4], edge_begin[4], target[4];
    double prob[4];
} arrays;

static const arrays good = {{0, 2, 3, 3}, {0, 1, 3, 4}, {1, 0, 2, 2}, {1, .5, .5, 1}};

static opac_status check(const arrays *a, opac_error *error)
{
    graph_process process;
    opac_status status = graph_process_borrow(3, 3, 4, a->choice_begin, a->edge_begin, a->target,
                                              a->prob, &process, error);
    return status == OPAC_OK ? graph_process_check(&process, 1e-9, error) : status;
}

static void refused(const arrays *a, const char *message)
{
    opac_error error = {0};
    assert_status(check(a, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void a_whole_process_is_accepted(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_ok(check(&good, &error), &error);
}

static void bad_offsets_are_refused(void **state)
{
    (void)state;
    arrays a = good;
    a.choice_begin[0] = 1;
    refused(&a, "the choices of state 0 begin at 1, not at 0");
    a = good;
    a.choice_begin[2] = 1;
    refused(&a, "the choices of state 1 end at 1, but begin at 2 and are 3 in all");
    a = good;
    a.choice_begin[1] = 4;
    refused(&a, "the choices of state 0 end at 4, but begin at 0 and are 3 in all");
    a = good;
    a.choice_begin[2] = a.choice_begin[3] = 2;
    refused(&a, "there are 3 choices, but the last ends at 2");
    a = good;
    a.edge_begin[0] = 1;
    refused(&a, "the edges of choice 0 begin at 1, not at 0");
    a = good;
    a.edge_begin[2] = 0;
    refused(&a, "the edges of choice 1 end at 0, but begin at 1 and are 4 in all");
    a = good;
    a.edge_begin[3] = 3;
    refused(&a, "there are 4 edges, but the last ends at 3");
}

static void missing_arrays_are_refused(void **state)
{
    (void)state;
    graph_process process = {0};
    assert_status(graph_process_check(&process, 0, NULL), OPAC_ERROR_ARGUMENT);
}

static void bad_edges_are_refused(void **state)
{
    (void)state;
    arrays a = good;
    a.edge_begin[2] = 1;
    refused(&a, "state 0, choice 1: no edges");
    a = good;
    a.target[3] = 3;
    refused(&a, "state 1, choice 0: target 3, but there are 3 states");
}

static void bad_probabilities_are_refused(void **state)
{
    (void)state;
    arrays a = good;
    a.prob[1] = 0;
    refused(&a, "state 0, choice 1: probability 0 to state 0 is not in (0, 1]");
    a.prob[1] = -.5;
    refused(&a, "state 0, choice 1: probability -0.5 to state 0 is not in (0, 1]");
    a.prob[1] = 1.5;
    refused(&a, "state 0, choice 1: probability 1.5 to state 0 is not in (0, 1]");
    a.prob[1] = -1.0 / 3;
    refused(&a, "state 0, choice 1: probability -0.3333333333333333 to state 0 is not in (0, 1]");
    a.prob[1] = (double)NAN;
    assert_status(check(&a, NULL), OPAC_ERROR_ARGUMENT);
    a.prob[1] = .25;
    refused(&a, "state 0, choice 1: probabilities sum to 0.75, not to 1");
    a.prob[1] = .1;
    refused(&a, "state 0, choice 1: probabilities sum to 0.6, not to 1");
    a.prob[1] = .5 + 1e-12;
    assert_status(check(&a, NULL), OPAC_OK);
}

static void large_counts_reach_a_limit(void **state)
{
    (void)state;
    graph_process process;
    opac_error error = {0};
    size_t most = GRAPH_LARGEST;
    assert_status(graph_process_borrow(most, most, most, NULL, NULL, NULL, NULL, &process, &error),
                  OPAC_OK);
    assert_status(graph_process_borrow(most + 1, 0, 0, NULL, NULL, NULL, NULL, &process, &error),
                  OPAC_ERROR_LIMIT);
    assert_status(graph_process_borrow(0, most + 1, 0, NULL, NULL, NULL, NULL, &process, &error),
                  OPAC_ERROR_LIMIT);
    assert_status(graph_process_borrow(0, 0, most + 1, NULL, NULL, NULL, NULL, &process, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "0 states, 0 choices and 4294967295 edges: at most "
                                       "4294967294 of each are supported");

    /* A builder whose counts are at the limit, without allocating sixteen gigabytes. */
    graph_builder builder = {0};
    assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
    assert_status(graph_builder_choice(&builder, NULL), OPAC_OK);
    builder.target.count = most;
    assert_status(graph_builder_edge(&builder, 0, 1, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "more than 4294967294 edges");
    builder.target.count = 0;
    assert_status(graph_builder_reserve(&builder, 1, most + 1, 1, &error), OPAC_ERROR_LIMIT);
    graph_builder_fini(&builder);
}

static void the_builder_writes_the_arrays(void **state)
{
    (void)state;
    graph_builder b = {.weighted = true};
    graph_process process;
    opac_error error = {0};
    for (uint32_t s = 0; s < 3; s++) {
        assert_ok(graph_builder_state(&b, &error), &error);
        for (uint32_t c = good.choice_begin[s]; c < good.choice_begin[s + 1]; c++) {
            assert_ok(graph_builder_choice(&b, &error), &error);
            for (uint32_t e = good.edge_begin[c]; e < good.edge_begin[c + 1]; e++)
                assert_ok(graph_builder_edge(&b, good.target[e], good.prob[e], &error), &error);
        }
    }
    assert_ok(graph_builder_finish(&b, &process, &error), &error);
    assert_int_equal(process.state_count, 3);
    assert_memory_equal(process.choice_begin, good.choice_begin, sizeof good.choice_begin);
    assert_memory_equal(process.edge_begin, good.edge_begin, sizeof good.edge_begin);
    assert_memory_equal(process.target, good.target, sizeof good.target);
    assert_memory_equal(process.prob, good.prob, sizeof good.prob);
    graph_process_fini(&process);
    graph_process_fini(&process);
}

static void an_empty_process_is_valid(void **state)
{
    (void)state;
    graph_builder builder = {0};
    graph_process process;
    opac_error error = {0};
    assert_ok(graph_builder_finish(&builder, &process, &error), &error);
    assert_null(process.prob);
    assert_ok(graph_process_check(&process, 0, &error), &error);
    graph_process_fini(&process);
}

static void random_processes_are_valid(void **state)
{
    (void)state;
    uint64_t random = random_seed(11);
    opac_error error = {0};
    for (uint32_t i = 0; i < 500; i++) {
        graph_process process;
        random_process(&random, (random_shape){i % 20, 3, 5}, &process);
        assert_ok(graph_process_check(&process, 1e-12, &error), &error);
        graph_process_fini(&process);
    }
}

SUITE(process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_process_is_accepted),
        cmocka_unit_test(bad_offsets_are_refused),
        cmocka_unit_test(missing_arrays_are_refused),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(bad_probabilities_are_refused),
        cmocka_unit_test(large_counts_reach_a_limit),
        cmocka_unit_test(the_builder_writes_the_arrays),
        cmocka_unit_test(an_empty_process_is_valid),
        cmocka_unit_test(random_processes_are_valid),
    };
    return cmocka_run_group_tests_name("graph.process", tests, NULL, NULL);
}
