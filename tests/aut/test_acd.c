/* SPDX-License-Identifier: MIT */
/* Compares alternating cycle decompositions with the definition, by enumerating all sets of edges. */
#include "aut/acd.h"

#include "aut/checks.h"
#include "conversion.h"
#include "edge_sets.h"
#include "support/automaton_checks.h"

/* A random automaton of few edges, and its graph. */
static opac_automaton *draw(uint64_t *random, small_graph *graph)
{
    for (;;) {
        random_automaton_shape shape = random_automaton_draw(random, MOST_STATES, 1, 4);
        shape.mark_percent = 35;
        opac_automaton *automaton = random_automaton(random, shape, NULL);
        if (aut_edge_count(automaton) <= MOST_EDGES) {
            *graph =
                (small_graph){.states = automaton->state_count, .edges = aut_edge_count(automaton)};
            for (uint32_t s = 0; s < graph->states; s++)
                for (uint32_t e = automaton->edge_begin[s]; e < automaton->edge_begin[s + 1]; e++) {
                    graph->source[e] = s;
                    graph->target[e] = automaton->edges[e].target;
                    graph->marks[e] = automaton->edges[e].marks;
                }
            return automaton;
        }
        opac_automaton_free(automaton);
    }
}

static bool holds(const opac_automaton *automaton, const small_graph *graph, uint32_t set)
{
    return aut_condition_holds(&automaton->condition, marks_of(graph, set));
}

/* The maximal cycles among those within a set, either accepting or rejecting ones, or (-1) both. */
static uint32_t find_maximal(const opac_automaton *automaton, const small_graph *graph,
                             uint32_t within, int kind, uint32_t *found)
{
    uint32_t count = 0;
    for (uint32_t set = 1U << graph->edges; set-- > 1;) {
        bool is_maximal = true;
        if ((set & ~within) != 0 || !is_cycle(graph, set) ||
            (kind >= 0 && holds(automaton, graph, set) != (kind == 1)))
            continue;
        /* A superset is greater as a number, so it was visited before. */
        for (uint32_t i = 0; i < count; i++)
            is_maximal &= (set & ~found[i]) != 0;
        if (is_maximal)
            found[count++] = set;
    }
    return count;
}

static uint32_t edges_of(const aut_acd *acd, uint32_t node)
{
    uint32_t set = 0;
    const aut_acd_node *item = &acd->nodes.items[node];
    for (uint32_t i = item->edge_begin; i < item->edge_end; i++) {
        assert_true(i == item->edge_begin || acd->edges.items[i - 1] < acd->edges.items[i]);
        set |= 1U << acd->edges.items[i];
    }
    return set;
}

static uint32_t states_of(const small_graph *graph, uint32_t set)
{
    uint32_t states = 0;
    for (uint32_t e = 0; e < graph->edges; e++)
        states |= (set >> e) & 1 ? 1U << graph->source[e] : 0;
    return states;
}

/* Checks that the nodes begin, end(begin), … before end are exactly these cycles. Returns the states that
 * they visit. */
static uint32_t check_siblings(const aut_acd *acd, const small_graph *graph, uint32_t begin,
                               uint32_t end, const uint32_t *expected, uint32_t count)
{
    uint32_t met = 0, states = 0;
    for (uint32_t node = begin; node < end; node = acd->nodes.items[node].end, met++) {
        bool is_there = false;
        for (uint32_t i = 0; i < count; i++)
            is_there |= expected[i] == edges_of(acd, node);
        assert_true(is_there);
        for (uint32_t other = begin; other < node; other = acd->nodes.items[other].end)
            assert_int_not_equal(edges_of(acd, node), edges_of(acd, other));
        states |= states_of(graph, edges_of(acd, node));
    }
    assert_int_equal(met, count);
    return states;
}

static void check_node(const opac_automaton *automaton, const small_graph *graph,
                       const aut_acd *acd, uint32_t node)
{
    static uint32_t expected[1 << MOST_EDGES];
    const aut_acd_node *item = &acd->nodes.items[node];
    uint32_t set = edges_of(acd, node), home = 0;
    assert_int_equal(item->is_accepting, holds(automaton, graph, set));
    uint32_t count = find_maximal(automaton, graph, set, item->is_accepting ? 0 : 1, expected);
    uint32_t visited = check_siblings(acd, graph, node + 1, item->end, expected, count);
    for (uint32_t child = node + 1; child < item->end; child = acd->nodes.items[child].end) {
        assert_int_equal(acd->nodes.items[child].parent, node);
        assert_int_equal(acd->nodes.items[child].depth, item->depth + 1);
    }
    for (uint32_t i = item->leaf_state_begin; i < item->leaf_state_end; i++) {
        uint32_t s = acd->leaf_states.items[i];
        bool is_listed = false;
        home |= 1U << s;
        for (uint32_t j = acd->leaf_begin[s]; j < acd->leaf_begin[s + 1]; j++)
            is_listed |= acd->leaves[j] == node;
        assert_true(is_listed);
    }
    assert_int_equal(home, states_of(graph, set) & ~visited);
}

static void test_trees(void **state)
{
    (void)state;
    static uint32_t roots[1 << MOST_EDGES];
    uint64_t random = random_seed(UINT64_C(8001));
    size_t nodes = 0;
    for (int i = 0; i < 1500; i++) {
        small_graph graph;
        opac_automaton *automaton = draw(&random, &graph);
        aut_acd acd;
        assert_status(aut_acd_build(automaton, &acd, NULL), OPAC_OK);
        uint32_t all = (1U << graph.edges) - 1;
        uint32_t count = find_maximal(automaton, &graph, all, -1, roots);
        check_siblings(&acd, &graph, 0, (uint32_t)acd.nodes.count, roots, count);
        for (uint32_t node = 0; node < acd.nodes.count; node++)
            check_node(automaton, &graph, &acd, node);
        nodes += acd.nodes.count;
        aut_acd_fini(&acd);
        opac_automaton_free(automaton);
    }
    assert_true(nodes > 2000);
}

/* Compares the kinds of components with their cycles. */
static void test_component_kinds(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(8002));
    for (int i = 0; i < 1000; i++) {
        small_graph small;
        opac_automaton *automaton = draw(&random, &small);
        graph_workspace workspace = {0};
        aut_graph graph;
        aut_scc_info info;
        aut_component_kinds kinds;
        bool does[2][MOST_STATES] = {{false}};
        assert_status(aut_graph_of(automaton, &workspace, &graph, NULL), OPAC_OK);
        assert_status(aut_classify_components(&graph, (graph_part){0}, &automaton->condition,
                                              &workspace, &info, &kinds, NULL),
                      OPAC_OK);
        for (uint32_t set = 1; set < 1U << small.edges; set++)
            if (is_cycle(&small, set))
                for (uint32_t e = 0; e < small.edges; e++)
                    if ((set >> e) & 1)
                        does[holds(automaton, &small, set)][info.scc.component[small.source[e]]] =
                            true;
        for (uint32_t c = 0; c < info.scc.count; c++)
            assert_int_equal(kinds.kind[c], does[0][c] && does[1][c] ? AUT_COMPONENT_MIXED
                                            : does[1][c]             ? AUT_COMPONENT_ACCEPTING
                                            : does[0][c]             ? AUT_COMPONENT_REJECTING
                                                                     : AUT_COMPONENT_TRIVIAL);
        graph_workspace_fini(&workspace);
        opac_automaton_free(automaton);
    }
}

/* Whether a state has neither two edges for a letter nor an epsilon edge. There is one proposition. */
static bool is_deterministic_at(const opac_automaton *automaton, uint32_t state)
{
    for (uint64_t letter = 0; letter < 2; letter++) {
        uint32_t count = 0;
        for (uint32_t e = automaton->edge_begin[state]; e < automaton->edge_begin[state + 1]; e++) {
            if (automaton->edges[e].label == AUT_EPSILON)
                return false;
            count += aut_bdd_evaluate(automaton->labels, automaton->edges[e].label, letter) ==
                     AUT_BDD_TRUE;
        }
        if (count > 1)
            return false;
    }
    return true;
}

static void test_limit_deterministic(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(8003));
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        small_graph graph;
        opac_automaton *automaton = draw(&random, &graph);
        uint32_t reach[MOST_STATES];
        bool expected = true;
        uint32_t marks = automaton->mark_count < 2 ? automaton->mark_count : 2;
        aut_condition_fini(&automaton->condition);
        assert_status(aut_condition_generalized_buchi(&automaton->condition, marks, NULL), OPAC_OK);
        close_over(&graph, (1U << graph.edges) - 1, reach);
        for (uint32_t set = 1; set < 1U << graph.edges; set++) {
            if (!is_cycle(&graph, set) || !holds(automaton, &graph, set))
                continue;
            uint32_t from = states_of(&graph, set);
            for (uint32_t s = 0; s < graph.states; s++)
                for (uint32_t t = 0; t < graph.states; t++)
                    if (((from >> s) & 1) && ((reach[s] >> t) & 1))
                        expected &= is_deterministic_at(automaton, t);
        }
        bool is_so = false;
        assert_status(opac_automaton_is_limit_deterministic(automaton, &is_so, NULL), OPAC_OK);
        assert_int_equal(is_so, expected);
        found += expected && !automaton->is_deterministic;
        aut_condition_fini(&automaton->condition);
        assert_status(aut_condition_cobuchi(&automaton->condition, NULL), OPAC_OK);
        assert_status(opac_automaton_is_limit_deterministic(automaton, &is_so, NULL), OPAC_OK);
        assert_false(is_so);
        opac_automaton_free(automaton);
    }
    assert_true(found > 50);
}

/* Many similar components have a tree each, and the time is proportional to their number. */
static void test_wide(void **state)
{
    (void)state;
    enum {
        RINGS = 20000
    };
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *automaton;
    aut_acd acd;
    opac_error error;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, NULL, 0);
    /* One component: a hub, and rings of two states with a mark on the edge to the hub. */
    aut_builder_add_states(builder, 1 + 2 * RINGS);
    aut_builder_initial(builder, 0);
    for (uint32_t i = 0; i < RINGS; i++) {
        uint32_t a = 1 + 2 * i;
        aut_builder_edge(builder, 0, (aut_edge){AUT_BDD_TRUE, a, 1});
        aut_builder_edge(builder, a, (aut_edge){AUT_BDD_TRUE, a + 1, 0});
        aut_builder_edge(builder, a + 1, (aut_edge){AUT_BDD_TRUE, a, 0});
        aut_builder_edge(builder, a + 1, (aut_edge){AUT_BDD_TRUE, 0, 1});
    }
    aut_condition condition = random_condition_parse("Inf(0)");
    aut_builder_condition(builder, &condition, 1);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    assert_ok(aut_acd_build(automaton, &acd, &error), &error);
    assert_int_equal(acd.nodes.count, 1 + RINGS);
    assert_int_equal(aut_acd_levels(&acd, 0), 2);
    aut_acd_fini(&acd);
    opac_automaton_free(automaton);
}

static opac_status build(void *context, opac_error *error)
{
    aut_acd acd;
    opac_status status = aut_acd_build(context, &acd, error);
    if (status == OPAC_OK)
        aut_acd_fini(&acd);
    return status;
}

static opac_status look(void *context, opac_error *error)
{
    bool is_so;
    return opac_automaton_is_limit_deterministic(context, &is_so, error);
}

static opac_status find_language(void *context, opac_error *error)
{
    opac_automaton *copy;
    aut_language language;
    opac_status status = aut_copy(context, &copy, error);
    if (status != OPAC_OK)
        return status;
    status = aut_language_of(copy, &language, error);
    opac_automaton_free(copy);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(8004));
    for (int i = 0; i < 10; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 4, 1, 3);
        shape.is_deterministic = false;
        opac_automaton *automaton = random_automaton(&random, shape, NULL);
        faults_sweep(build, automaton);
        faults_sweep(find_language, automaton);
        aut_condition_fini(&automaton->condition);
        assert_status(aut_condition_true(&automaton->condition, NULL), OPAC_OK);
        faults_sweep(look, automaton);
        opac_automaton_free(automaton);
    }
}

SUITE(acd)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_component_kinds),
        cmocka_unit_test(test_limit_deterministic),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
