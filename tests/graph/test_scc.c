/* SPDX-License-Identifier: MIT */
/* Compares strongly connected components with the transitive closure, and with known results. */
#include "graph/scc.h"
#include "shapes.h"
#include "small.h"
#include "support/check.h"

/*
 * Two states must be in one component exactly if they reach each other; edges never lead to greater
 * numbers.
 */
static void check_components(const small_process *small, const graph_scc *scc)
{
    uint32_t closure[SMALL_STATES], used = 0;
    small_edges(small, closure);
    small_close(small->states, closure);
    for (uint32_t s = 0; s < small->states; s++) {
        if (!(small->inside & bit(s))) {
            assert_int_equal(scc->component[s], GRAPH_NONE);
            continue;
        }
        assert_in_range(scc->component[s], 0, scc->count - 1);
        used |= bit(scc->component[s]);
        for (uint32_t t = 0; t < small->states; t++) {
            if (!(small->inside & bit(t)))
                continue;
            bool forth = (closure[s] & bit(t)) != 0, back = (closure[t] & bit(s)) != 0;
            bool same = s == t || (forth && back);
            assert_int_equal(scc->component[s] == scc->component[t], same);
            if (forth)
                assert_true(scc->component[s] >= scc->component[t]);
        }
    }
    assert_int_equal(used, bit(scc->count) - 1);
}

static void check_classes(const small_process *small, const graph_scc *scc,
                          const base_bitset *bottom, const base_bitset *trivial)
{
    uint32_t edges[SMALL_STATES], members[SMALL_STATES] = {0}, out[SMALL_STATES] = {0};
    small_edges(small, edges);
    for (uint32_t s = 0; s < small->states; s++)
        if (small->inside & bit(s)) {
            members[scc->component[s]] |= bit(s);
            out[scc->component[s]] |= edges[s];
        }
    for (uint32_t i = 0; i < scc->count; i++) {
        assert_int_equal(base_bitset_has(bottom, i), (out[i] & ~members[i]) == 0);
        assert_int_equal(base_bitset_has(trivial, i), (out[i] & members[i]) == 0);
    }
}

static void check_groups(const small_process *small, const graph_scc *scc,
                         const graph_groups *groups)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < scc->count; i++) {
        assert_int_equal(groups->begin[i], next);
        for (uint32_t s = 0; s < small->states; s++)
            if (scc->component[s] == i)
                assert_int_equal(groups->state[next++], s);
    }
    assert_int_equal(groups->begin[scc->count], next);
}

static void check_case(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    (void)random;
    graph_scc scc;
    graph_groups groups;
    base_bitset bottom, trivial;
    opac_error error = {0};
    const graph_process *p = &sample->process;
    small_process small = small_from(p, sample->part, LEAVING_EDGE_IS_CUT);
    assert_ok(graph_scc_find(p, sample->part, workspace, &scc, &error), &error);
    check_components(&small, &scc);
    assert_ok(
        graph_group_states(scc.component, p->state_count, scc.count, workspace, &groups, &error),
        &error);
    check_groups(&small, &scc, &groups);
    assert_ok(graph_scc_classify(p, sample->part, &scc, workspace, &bottom, &trivial, &error),
              &error);
    check_classes(&small, &scc, &bottom, &trivial);
}

static void components_equal_the_closure(void **state)
{
    (void)state;
    for_each_small_case(2, 100000, check_case);
}

enum {
    MEDIUM_STATES = 300,
    MEDIUM_EDGES = 800
};

/* A graph too large for the closure, forward and backward. */
typedef struct medium_graph {
    uint32_t edges, choice_begin[MEDIUM_STATES + 1];
    uint32_t begin[MEDIUM_STATES + 1], target[MEDIUM_EDGES];
    uint32_t back_begin[MEDIUM_STATES + 1], back_target[MEDIUM_EDGES];
} medium_graph;

static void medium_graph_init(medium_graph *g, uint32_t edges, uint64_t *random)
{
    uint32_t from[MEDIUM_EDGES], to[MEDIUM_EDGES], next = 0, next_back = 0;
    for (uint32_t e = 0; e < edges; e++) {
        from[e] = random_below(random, MEDIUM_STATES);
        to[e] = random_below(random, MEDIUM_STATES);
    }
    for (uint32_t s = 0; s < MEDIUM_STATES; s++) {
        g->choice_begin[s] = s;
        g->begin[s] = next;
        g->back_begin[s] = next_back;
        for (uint32_t e = 0; e < edges; e++) {
            if (from[e] == s)
                g->target[next++] = to[e];
            if (to[e] == s)
                g->back_target[next_back++] = from[e];
        }
    }
    g->choice_begin[MEDIUM_STATES] = MEDIUM_STATES;
    g->begin[MEDIUM_STATES] = g->back_begin[MEDIUM_STATES] = g->edges = edges;
}

/* Depth first from s; appends what it finds to `finished`, in order of leaving. */
static void visit(const uint32_t *begin, const uint32_t *target, uint32_t s, bool *seen,
                  uint32_t *finished, uint32_t *count)
{
    uint32_t stack[MEDIUM_STATES], depth = 0;
    stack[depth++] = s;
    seen[s] = true;
    while (depth > 0) {
        uint32_t at = stack[depth - 1], e = begin[at];
        while (e < begin[at + 1] && seen[target[e]])
            e++;
        if (e < begin[at + 1]) {
            seen[target[e]] = true;
            stack[depth++] = target[e];
        } else {
            finished[(*count)++] = at;
            depth--;
        }
    }
}

/* Kosaraju's algorithm (Sharir 1981). */
static uint32_t kosaraju(const medium_graph *g, uint32_t *component)
{
    bool seen[MEDIUM_STATES] = {false}, seen_back[MEDIUM_STATES] = {false};
    uint32_t finished[MEDIUM_STATES], members[MEDIUM_STATES], count = 0, components = 0;
    for (uint32_t s = 0; s < MEDIUM_STATES; s++)
        if (!seen[s])
            visit(g->begin, g->target, s, seen, finished, &count);
    for (uint32_t i = MEDIUM_STATES; i-- > 0;) {
        uint32_t size = 0;
        if (seen_back[finished[i]])
            continue;
        visit(g->back_begin, g->back_target, finished[i], seen_back, members, &size);
        for (uint32_t j = 0; j < size; j++)
            component[members[j]] = components;
        components++;
    }
    return components;
}

static void medium_graphs_equal_kosaraju(void **state)
{
    (void)state;
    uint64_t random = random_seed(8);
    for (uint32_t round = 0; round < 60; round++) {
        medium_graph g;
        graph_process process;
        graph_scc scc;
        graph_workspace workspace = {0};
        uint32_t expected[MEDIUM_STATES];
        medium_graph_init(&g, 100 + round * 10, &random);
        assert_status(graph_process_borrow(MEDIUM_STATES, MEDIUM_STATES, g.edges, g.choice_begin,
                                           g.begin, g.target, NULL, &process, NULL),
                      OPAC_OK);
        assert_status(graph_scc_find(&process, (graph_part){0}, &workspace, &scc, NULL), OPAC_OK);
        assert_int_equal(scc.count, kosaraju(&g, expected));
        for (uint32_t s = 0; s < MEDIUM_STATES; s++)
            for (uint32_t t = 0; t < MEDIUM_STATES; t++)
                assert_int_equal(scc.component[s] == scc.component[t], expected[s] == expected[t]);
        graph_workspace_fini(&workspace);
    }
}

static uint32_t count_components(const graph_process *process)
{
    graph_workspace workspace = {0};
    graph_scc scc;
    assert_status(graph_scc_find(process, (graph_part){0}, &workspace, &scc, NULL), OPAC_OK);
    graph_workspace_fini(&workspace);
    return scc.count;
}

static void known_shapes(void **state)
{
    (void)state;
    graph_process process;
    shape_path(0, false, &process);
    assert_int_equal(count_components(&process), 0);
    graph_process_fini(&process);
    shape_path(1000, false, &process);
    assert_int_equal(count_components(&process), 1000);
    graph_process_fini(&process);
    shape_path(1000, true, &process);
    assert_int_equal(count_components(&process), 1);
    graph_process_fini(&process);
    shape_complete(300, &process);
    assert_int_equal(count_components(&process), 1);
    graph_process_fini(&process);
}

SUITE(scc)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_equal_the_closure),
        cmocka_unit_test(medium_graphs_equal_kosaraju),
        cmocka_unit_test(known_shapes),
    };
    return cmocka_run_group_tests_name("graph.scc", tests, NULL, NULL);
}
