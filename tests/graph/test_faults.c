/* SPDX-License-Identifier: MIT */
/* Lets each allocation of each algorithm fail in turn: it must report an error and release its memory. */
#include "graph/almost_sure.h"
#include "graph/attractor.h"
#include "graph/graph_builder.h"
#include "graph/mec.h"
#include "graph/reach.h"
#include "graph/scc.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random_process.h"

typedef struct scene {
    graph_process process;
    graph_workspace kept; /* of the reverse */
    graph_reverse reverse;
    graph_mec mec;
    base_bitset set, states;
    graph_part part;
} scene;

/* Runs one call in its own workspace, which must be empty after a failure. */
#define FRESH(call)                                                                                \
    graph_workspace workspace = {0};                                                               \
    opac_status status = (call);                                                                   \
    if (status != OPAC_OK)                                                                         \
        assert_int_equal(workspace.in_use, 0);                                                     \
    graph_workspace_fini(&workspace);                                                              \
    return status

static opac_status run_reverse(void *context, opac_error *error)
{
    scene *x = context;
    graph_reverse out;
    FRESH(graph_reverse_build(&x->process, x->part, &workspace, &out, error));
}

static opac_status run_scc(void *context, opac_error *error)
{
    scene *x = context;
    graph_scc out;
    FRESH(graph_scc_find(&x->process, x->part, &workspace, &out, error));
}

static opac_status run_groups(void *context, opac_error *error)
{
    static const uint32_t group[] = {1, GRAPH_NONE, 0, 1};
    graph_groups out;
    (void)context;
    FRESH(graph_group_states(group, 4, 2, &workspace, &out, error));
}

static opac_status run_classify(void *context, opac_error *error)
{
    scene *x = context;
    graph_workspace workspace = {0};
    graph_scc scc;
    base_bitset bottom, trivial;
    opac_status status = graph_scc_find(&x->process, x->part, &workspace, &scc, error);
    size_t before = workspace.in_use;
    if (status == OPAC_OK) {
        status =
            graph_scc_classify(&x->process, x->part, &scc, &workspace, &bottom, &trivial, error);
        if (status != OPAC_OK)
            assert_int_equal(workspace.in_use, before);
    }
    graph_workspace_fini(&workspace);
    return status;
}

static opac_status run_mec(void *context, opac_error *error)
{
    scene *x = context;
    graph_mec out;
    FRESH(graph_mec_find(&x->process, x->part, &workspace, &out, error));
}

static opac_status run_forward(void *context, opac_error *error)
{
    scene *x = context;
    graph_reached out;
    FRESH(graph_reach_forward(&x->process, x->part, &x->set, 5, &workspace, &out, error));
}

static opac_status run_backward(void *context, opac_error *error)
{
    scene *x = context;
    graph_reached out;
    FRESH(
        graph_reach_backward(&x->process, x->part, &x->reverse, &x->set, &workspace, &out, error));
}

static opac_status run_some(void *context, opac_error *error)
{
    scene *x = context;
    graph_attractor out;
    FRESH(graph_attract_some(&x->process, x->part, &x->reverse, &x->set, &workspace, &out, error));
}

static opac_status run_max(void *context, opac_error *error)
{
    scene *x = context;
    graph_max_reached out;
    FRESH(graph_max_reach(&x->process, x->part, &x->reverse, &x->mec, &x->set, &workspace, &out,
                          error));
}

static opac_status run_builder(void *context, opac_error *error)
{
    graph_builder builder = {.weighted = true};
    graph_process process = {0};
    opac_status status = graph_builder_reserve(&builder, 10, 10, 10, error);
    (void)context;
    for (uint32_t s = 0; s < 30 && status == OPAC_OK; s++) {
        status = graph_builder_state(&builder, error);
        if (status == OPAC_OK)
            status = graph_builder_choice(&builder, error);
        if (status == OPAC_OK)
            status = graph_builder_edge(&builder, s, 1, error);
    }
    if (status == OPAC_OK)
        status = graph_builder_finish(&builder, &process, error);
    graph_builder_fini(&builder);
    graph_process_fini(&process);
    return status;
}

/*
 * Adds every edge with its first allocation failing, then with its second, and then without failures.
 * Whichever array cannot grow, the other must be unchanged.
 */
static void a_failed_edge_leaves_the_builder_as_it_was(void **state)
{
    (void)state;
    enum {
        EDGES = 100
    };
    graph_builder builder = {.weighted = true};
    graph_process process;
    uint32_t failures[2] = {0};
    assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
    assert_status(graph_builder_choice(&builder, NULL), OPAC_OK);
    for (uint32_t e = 0; e < EDGES; e++) {
        bool added = false;
        for (size_t n = 1; n <= 2 && !added; n++) {
            faults_fail_at(n);
            added = graph_builder_edge(&builder, e, 1.0 / EDGES, NULL) == OPAC_OK;
            faults_fail_at(0);
            failures[n - 1] += !added;
            assert_int_equal(builder.target.count, added ? e + 1 : e);
            assert_int_equal(builder.prob.count, added ? e + 1 : e);
        }
        if (!added)
            assert_status(graph_builder_edge(&builder, e, 1.0 / EDGES, NULL), OPAC_OK);
    }
    assert_true(failures[0] > 1);
    assert_true(failures[1] > 1);
    assert_status(graph_builder_finish(&builder, &process, NULL), OPAC_OK);
    assert_int_equal(process.edge_count, EDGES);
    for (uint32_t e = 0; e < EDGES; e++) {
        assert_true(process.target[e] == e);
        assert_true(process.prob[e] == 1.0 / EDGES);
    }
    graph_process_fini(&process);
}

/* Large enough that a call needs several blocks of the workspace. */
static void every_failure_is_reported(void **state)
{
    (void)state;
    const fault_action actions[] = {run_builder,  run_reverse, run_scc,     run_groups,
                                    run_classify, run_mec,     run_forward, run_backward,
                                    run_some,     run_max};
    uint64_t random = random_seed(21);
    scene x = {0};
    random_process(&random, (random_shape){2000, 4, 2}, &x.process);
    random_set(&random, 2000, 90, &x.states);
    random_set(&random, 2000, 2, &x.set);
    x.part = (graph_part){.states = &x.states};
    assert_status(graph_reverse_build(&x.process, (graph_part){0}, &x.kept, &x.reverse, NULL),
                  OPAC_OK);
    assert_status(graph_mec_find(&x.process, x.part, &x.kept, &x.mec, NULL), OPAC_OK);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        assert_in_range(faults_sweep(actions[i], &x), 1, 100);
    graph_workspace_fini(&x.kept);
    base_bitset_fini(&x.set);
    base_bitset_fini(&x.states);
    graph_process_fini(&x.process);
}

SUITE(faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_edge_leaves_the_builder_as_it_was),
        cmocka_unit_test(every_failure_is_reported),
    };
    return cmocka_run_group_tests_name("graph.faults", tests, NULL, NULL);
}
