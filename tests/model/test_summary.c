/* SPDX-License-Identifier: MIT */
/*
 * The summary of a model, compared with the definitions: strongly connected components by the transitive
 * closure of the edges, maximal end components by enumeration of all sets of states.
 */
#include "support/check.h"
#include "support/faults.h"
#include "support/random_model.h"

enum {
    MOST_STATES = 8
};

typedef struct subgraph {
    uint32_t states;
    uint32_t edges[MOST_STATES]; /* by state: the set of its successors */
} subgraph;

/* The reflexive transitive closure, by Warshall's algorithm. */
static void close_edges(subgraph *graph)
{
    for (uint32_t s = 0; s < graph->states; s++)
        graph->edges[s] |= 1U << s;
    for (uint32_t k = 0; k < graph->states; k++)
        for (uint32_t s = 0; s < graph->states; s++)
            if (graph->edges[s] >> k & 1)
                graph->edges[s] |= graph->edges[k];
}

static uint32_t successors(const opac_model *model, uint32_t choice)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < opac_model_branch_count(model, choice); i++)
        set |= 1U << opac_model_branch_target(model, opac_model_branch_begin(model, choice) + i);
    return set;
}

/* The edges of the choices that do not leave the set. */
static subgraph edges_within(const opac_model *model, uint32_t set)
{
    subgraph graph = {.states = opac_model_states(model)};
    for (uint32_t s = 0; s < graph.states; s++)
        for (uint32_t i = 0; i < opac_model_choice_count(model, s); i++) {
            uint32_t to = successors(model, opac_model_choice_begin(model, s) + i);
            if ((set >> s & 1) && (to & ~set) == 0)
                graph.edges[s] |= to;
        }
    return graph;
}

static unsigned size_of(uint32_t set)
{
    unsigned size = 0;
    for (; set != 0; set &= set - 1)
        size++;
    return size;
}

static void count_components(const opac_model *model, opac_model_summary *summary)
{
    subgraph graph = edges_within(model, (1U << opac_model_states(model)) - 1);
    close_edges(&graph);
    for (uint32_t s = 0; s < graph.states; s++) {
        uint32_t mine = 0;
        for (uint32_t t = 0; t < graph.states; t++)
            if ((graph.edges[s] >> t & 1) && (graph.edges[t] >> s & 1))
                mine |= 1U << t;
        if ((mine & ((1U << s) - 1)) != 0)
            continue; /* counted for its first state */
        summary->components++;
        summary->bottom_components += graph.edges[s] == mine;
        if (size_of(mine) > summary->largest_component)
            summary->largest_component = size_of(mine);
    }
}

/* Whether the set is an end component: each state reaches all others by choices that do not leave it. */
static bool is_end_component(const opac_model *model, uint32_t set)
{
    subgraph graph = edges_within(model, set);
    for (uint32_t s = 0; s < graph.states; s++)
        if ((set >> s & 1) && graph.edges[s] == 0)
            return false;
    close_edges(&graph);
    for (uint32_t s = 0; s < graph.states; s++)
        if ((set >> s & 1) && graph.edges[s] != set)
            return false;
    return true;
}

static void count_end_components(const opac_model *model, opac_model_summary *summary)
{
    uint32_t all = 1U << opac_model_states(model);
    for (uint32_t set = 1; set < all; set++) {
        bool maximal = is_end_component(model, set);
        for (uint32_t larger = set + 1; maximal && larger < all; larger++)
            if ((set & ~larger) == 0 && is_end_component(model, larger))
                maximal = false;
        if (!maximal)
            continue;
        summary->end_components++;
        summary->end_component_states += size_of(set);
        if (size_of(set) > summary->largest_end_component)
            summary->largest_end_component = size_of(set);
    }
}

static void count_sizes(const opac_model *model, opac_model_summary *summary)
{
    summary->least_probability = 2;
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        summary->states++;
        summary->deadlocks += opac_model_has_label(model, s, MODEL_LABEL_DEADLOCK);
        summary->initial += opac_model_has_label(model, s, MODEL_LABEL_INIT);
        uint32_t choices = opac_model_choice_count(model, s);
        summary->choices += choices;
        summary->most_choices = choices > summary->most_choices ? choices : summary->most_choices;
        for (uint32_t i = 0; i < choices; i++) {
            uint32_t choice = opac_model_choice_begin(model, s) + i;
            uint32_t branches = opac_model_branch_count(model, choice);
            summary->transitions += branches;
            summary->most_branches =
                branches > summary->most_branches ? branches : summary->most_branches;
            for (uint32_t j = 0; j < branches; j++) {
                double p = opac_model_branch_probability(
                    model, opac_model_branch_begin(model, choice) + j);
                summary->least_probability =
                    p < summary->least_probability ? p : summary->least_probability;
            }
        }
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int i = 0; i < 600; i++) {
        opac_model_summary due = {0}, got;
        opac_error error = {0};
        random_model_shape shape = random_model_draw(&random, MOST_STATES);
        opac_model *model = random_model(&random, shape);
        count_sizes(model, &due);
        count_components(model, &due);
        count_end_components(model, &due);
        assert_ok(opac_model_summarize(model, NULL, &got, &error), &error);
        assert_int_equal(got.states, due.states);
        assert_int_equal(got.choices, due.choices);
        assert_int_equal(got.transitions, due.transitions);
        assert_int_equal(got.initial, due.initial);
        assert_int_equal(got.actions, opac_model_action_count(model));
        assert_int_equal(got.deadlocks, due.deadlocks);
        assert_true(got.least_probability == due.least_probability);
        assert_int_equal(got.most_choices, due.most_choices);
        assert_int_equal(got.most_branches, due.most_branches);
        assert_int_equal(got.components, due.components);
        assert_int_equal(got.bottom_components, due.bottom_components);
        assert_int_equal(got.largest_component, due.largest_component);
        assert_int_equal(got.end_components, due.end_components);
        assert_int_equal(got.end_component_states, due.end_component_states);
        assert_int_equal(got.largest_end_component, due.largest_end_component);
        opac_model_free(model);
    }
}

static void test_cancel(void **state)
{
    (void)state;
    uint64_t random = random_seed(2);
    opac_model *model = random_model(&random, random_model_draw(&random, 12));
    opac_model_summary summary;
    opac_cancel *cancel;
    opac_error error = {0};
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    assert_ok(opac_model_summarize(model, cancel, &summary, &error), &error);
    opac_cancel_request(cancel);
    assert_status(opac_model_summarize(model, cancel, &summary, &error), OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    opac_model_free(model);
}

static opac_status summarize(void *context, opac_error *error)
{
    opac_model_summary summary;
    return opac_model_summarize(context, NULL, &summary, error);
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(3);
    for (int i = 0; i < 10; i++) {
        opac_model *model = random_model(&random, random_model_draw(&random, 300));
        assert_true(faults_sweep(summarize, model) > 0);
        opac_model_free(model);
    }
}

SUITE(summary)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
