/* SPDX-License-Identifier: MIT */
/* Components against transitive closure, and on shapes whose components are known. */
#include "graph/scc.h"
#include "shapes.h"
#include "small.h"
#include "support/check.h"

/* Same component exactly when each reaches the other; edges never lead to greater numbers. */
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

static void components_equal_the_closure(void **state)
{
    (void)state;
    uint64_t random = 2;
    graph_workspace workspace = {0};
    opac_error error = {0};
    for (int i = 0; i < 100000; i++) {
        small_case sample;
        graph_scc scc;
        graph_groups groups;
        base_bitset bottom, trivial;
        graph_place place = graph_workspace_mark(&workspace);
        small_case_init(&sample, &random);
        const graph_process *p = &sample.process;
        small_process small = small_from(p, sample.part, LEAVING_EDGE_IS_CUT);
        assert_ok(graph_scc_find(p, sample.part, &workspace, &scc, &error), &error);
        check_components(&small, &scc);
        assert_ok(graph_group_states(scc.component, p->state_count, scc.count, &workspace, &groups,
                                     &error),
                  &error);
        check_groups(&small, &scc, &groups);
        assert_ok(graph_scc_classify(p, sample.part, &scc, &workspace, &bottom, &trivial, &error),
                  &error);
        check_classes(&small, &scc, &bottom, &trivial);
        small_case_fini(&sample);
        graph_workspace_release(&workspace, place);
    }
    graph_workspace_fini(&workspace);
}

/* Kosaraju's algorithm on graphs too large for the closure: how many components? */
static void visit(const uint32_t *begin, const uint32_t *target, uint32_t s, uint8_t *seen,
                  uint32_t *stack, uint32_t *finished, uint32_t *count)
{
    uint32_t depth = 0;
    stack[depth++] = s;
    seen[s] = 1;
    while (depth > 0) {
        uint32_t at = stack[depth - 1], e = begin[at];
        while (e < begin[at + 1] && seen[target[e]])
            e++;
        if (e < begin[at + 1]) {
            seen[target[e]] = 1;
            stack[depth++] = target[e];
        } else {
            finished[(*count)++] = at;
            depth--;
        }
    }
}

static void medium_graphs_equal_kosaraju(void **state)
{
    (void)state;
    enum {
        N = 300
    };
    uint64_t random = 8;
    graph_workspace workspace = {0};
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t edges = 100 + round * 10, from[800], to[800];
        uint32_t begin[N + 1] = {0}, target[800], back_begin[N + 2] = {0}, back[800];
        for (uint32_t e = 0; e < edges; e++) {
            from[e] = random_below(&random, N);
            to[e] = random_below(&random, N);
        }
        uint32_t next = 0, next_back = 0;
        for (uint32_t s = 0; s < N; s++) {
            begin[s] = next;
            back_begin[s] = next_back;
            for (uint32_t e = 0; e < edges; e++) {
                if (from[e] == s)
                    target[next++] = to[e];
                if (to[e] == s)
                    back[next_back++] = from[e];
            }
        }
        begin[N] = back_begin[N] = edges;

        uint8_t seen[N] = {0};
        uint32_t stack[N], finished[N], rest[N], count = 0, expected[N], components = 0;
        for (uint32_t s = 0; s < N; s++)
            if (!seen[s])
                visit(begin, target, s, seen, stack, finished, &count);
        memset(seen, 0, sizeof seen);
        for (uint32_t i = N; i-- > 0;) {
            uint32_t size = 0;
            if (seen[finished[i]])
                continue;
            visit(back_begin, back, finished[i], seen, stack, rest, &size);
            for (uint32_t j = 0; j < size; j++)
                expected[rest[j]] = components;
            components++;
        }

        uint32_t one_each[N + 1];
        for (uint32_t s = 0; s <= N; s++)
            one_each[s] = s;
        graph_process process;
        graph_scc scc;
        graph_place place = graph_workspace_mark(&workspace);
        assert_status(
            graph_process_borrow(N, N, edges, one_each, begin, target, NULL, &process, NULL),
            OPAC_OK);
        assert_status(graph_scc_find(&process, (graph_part){0}, &workspace, &scc, NULL), OPAC_OK);
        assert_int_equal(scc.count, components);
        for (uint32_t s = 0; s < N; s++)
            for (uint32_t t = 0; t < N; t++)
                assert_int_equal(scc.component[s] == scc.component[t], expected[s] == expected[t]);
        graph_workspace_release(&workspace, place);
    }
    graph_workspace_fini(&workspace);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_equal_the_closure),
        cmocka_unit_test(medium_graphs_equal_kosaraju),
        cmocka_unit_test(known_shapes),
    };
    return cmocka_run_group_tests_name("graph.scc", tests, NULL, NULL);
}
