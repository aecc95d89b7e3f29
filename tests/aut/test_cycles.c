/* SPDX-License-Identifier: MIT */
/* Compares accepting components and live states with the definition, by enumerating all sets of edges. */
#include "aut/cycles.h"

#include "edge_sets.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random_automaton.h"

static small_graph draw_graph(uint64_t *random, uint32_t marks)
{
    small_graph graph = {.states = 1 + random_below(random, MOST_STATES)};
    for (uint32_t s = 0; s < graph.states; s++) {
        graph.begin[s] = graph.edges;
        for (uint32_t i = random_below(random, 4); i > 0 && graph.edges < MOST_EDGES; i--) {
            graph.source[graph.edges] = s;
            graph.target[graph.edges] = random_below(random, graph.states);
            graph.marks[graph.edges++] =
                random_u32(random) & random_u32(random) & ((1U << marks) - 1);
        }
    }
    graph.begin[graph.states] = graph.edges;
    return graph;
}

static void check_graph(const small_graph *graph, const aut_condition *condition, uint32_t allowed,
                        graph_workspace *workspace)
{
    aut_graph real;
    aut_scc_info info;
    base_bitset edges, live;
    uint32_t accepting = 0, reach[MOST_STATES];
    opac_error error;
    graph_place place = graph_workspace_mark(workspace);
    assert_ok(aut_graph_borrow(graph->states, graph->begin, graph->target, graph->marks, workspace,
                               &real, &error),
              &error);
    assert_ok(graph_take_set(workspace, graph->edges, &edges, &error), &error);
    for (uint32_t e = 0; e < graph->edges; e++)
        if ((allowed >> e) & 1)
            base_bitset_add(&edges, e);
    graph_part part = {.choices = &edges};
    assert_ok(aut_find_accepting_sccs(&real, part, condition, workspace, &info, &error), &error);
    assert_ok(aut_find_live_states(&real, part, &info, workspace, &live, &error), &error);

    /* States on a cycle that satisfies the condition. */
    for (uint32_t set = 1; set < 1U << graph->edges; set++) {
        if ((set & ~allowed) != 0 || !is_cycle(graph, set) ||
            !aut_condition_holds(condition, marks_of(graph, set)))
            continue;
        for (uint32_t e = 0; e < graph->edges; e++)
            accepting |= (set >> e) & 1 ? 1U << graph->source[e] : 0;
    }
    close_over(graph, allowed, reach);
    for (uint32_t s = 0; s < graph->states; s++) {
        bool expected = false;
        for (uint32_t t = 0; t < graph->states; t++)
            expected |= info.scc.component[t] == info.scc.component[s] && ((accepting >> t) & 1);
        assert_int_equal(base_bitset_has(&info.accepting, info.scc.component[s]), expected);
        assert_int_equal(base_bitset_has(&live, s), (reach[s] & accepting) != 0);
    }
    graph_workspace_release(workspace, place);
}

static void test_random(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    uint64_t random = random_seed(UINT64_C(2001));
    for (int i = 0; i < 20000; i++) {
        uint32_t marks = random_below(&random, 5);
        small_graph graph = draw_graph(&random, marks);
        aut_condition condition = random_condition(&random, marks, random_below(&random, 8));
        uint32_t allowed = random_below(&random, 2) ? UINT32_MAX : random_u32(&random);
        check_graph(&graph, &condition, allowed & ((1U << graph.edges) - 1), &workspace);
        aut_condition_fini(&condition);
    }
    graph_workspace_fini(&workspace);
}

/* A ring of rings: each small ring is searched separately, at a cost of its own size. */
static opac_status many_components(uint32_t rings, bool *all, opac_error *error)
{
    uint32_t states = 3 * rings;
    uint32_t *begin = base_alloc(states + 1, sizeof *begin);
    uint32_t *target = base_alloc(2 * (size_t)states, sizeof *target);
    uint64_t *marks = base_alloc(2 * (size_t)states, sizeof *marks);
    graph_workspace workspace = {0};
    aut_condition condition = {0};
    aut_graph graph;
    aut_scc_info info;
    opac_status status = OPAC_OK;
    if (begin == NULL || target == NULL || marks == NULL)
        status = base_fail_memory(error);
    if (status == OPAC_OK) {
        for (uint32_t s = 0; s < states; s++) {
            uint32_t ring = s / 3 * 3;
            begin[s] = 2 * s;
            target[2 * s] = ring + (s + 1) % 3;
            marks[2 * s] = s % 3 == 0 ? 1 : 0;
            target[2 * s + 1] = s % 3 == 0 ? s : ring + s % 3 - 1;
            marks[2 * s + 1] = s % 3 == 0 ? 2 : 4;
        }
        begin[states] = 2 * states;
        status = aut_graph_borrow(states, begin, target, marks, &workspace, &graph, error);
    }
    /* Fin(0) & Fin(2) & Inf(1): only the loop satisfies it, which is found after removing edges twice. */
    if (status == OPAC_OK)
        status = aut_condition_add(&condition, (aut_term){AUT_TERM_INF, 1, 0}, NULL, error);
    if (status == OPAC_OK)
        status = aut_condition_join(&condition, AUT_TERM_AND, AUT_TERM_FIN, 0, error);
    if (status == OPAC_OK)
        status = aut_condition_join(&condition, AUT_TERM_AND, AUT_TERM_FIN, 2, error);
    if (status == OPAC_OK)
        status =
            aut_find_accepting_sccs(&graph, (graph_part){0}, &condition, &workspace, &info, error);
    if (status == OPAC_OK)
        *all = base_bitset_count(&info.accepting) == rings && info.scc.count == rings;
    aut_condition_fini(&condition);
    graph_workspace_fini(&workspace);
    base_free(begin);
    base_free(target);
    base_free(marks);
    return status;
}

static void test_many_components(void **state)
{
    (void)state;
    bool all = false;
    opac_error error;
    assert_ok(many_components(100000, &all, &error), &error);
    assert_true(all);
}

static opac_status few_components(void *context, opac_error *error)
{
    bool all;
    (void)context;
    return many_components(3, &all, error);
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(faults_sweep(few_components, NULL) > 3);
}

SUITE(cycles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_many_components),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
