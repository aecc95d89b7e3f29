/* SPDX-License-Identifier: MIT */
/*
 * The graph of the population sampler. It is rebuilt for each batch, which costs as much as one step of the
 * batch.
 */
#include "sample/population_graph.h"

#include "sample/statistics_form.h"

void population_graph_fini(population_graph *graph)
{
    population_node_vec_fini(&graph->nodes);
    base_u32_vec_fini(&graph->targets);
    population_tally_vec_fini(&graph->tallies);
    base_u32_vec_fini(&graph->node_of);
    base_u32_vec_fini(&graph->tally_of);
}

/* ---- building ---- */

/* The product state that a choice leads to with a target state; SAMPLE_NONE if one of them is unknown. */
static uint32_t find_target(const sample_statistics *stats, uint32_t choice, uint32_t state)
{
    return state != SAMPLE_NONE
               ? sample_statistics_find(stats, state, stats->choices.items[choice].memory)
               : SAMPLE_NONE;
}

/* Grows a vector to `count` items; new ones are SAMPLE_NONE. */
static opac_status fill_none(base_u32_vec *vec, size_t count, opac_error *error)
{
    TRY(base_u32_vec_reserve(vec, count, error));
    for (size_t i = vec->count; i < count; i++)
        vec->items[i] = SAMPLE_NONE;
    vec->count = count;
    return OPAC_OK;
}

static void clear_graph(population_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->node_of.items[graph->nodes.items[i].product_state] = SAMPLE_NONE;
    for (size_t i = 0; i < graph->tallies.count; i++)
        graph->tally_of.items[graph->tallies.items[i].counter] = SAMPLE_NONE;
    graph->nodes.count = graph->targets.count = graph->tallies.count = 0;
}

static opac_status add_tally(population_graph *graph, const sample_statistics *stats,
                             uint32_t counter, uint32_t *tally, opac_error *error)
{
    uint32_t *slot = &graph->tally_of.items[counter];
    if (*slot == SAMPLE_NONE) {
        population_tally item = {.counter = counter,
                                 .remaining = sample_counter_remaining(stats, counter)};
        TRY(population_tally_vec_push(&graph->tallies, item, error));
        *slot = (uint32_t)graph->tallies.count - 1;
    }
    *tally = *slot;
    return OPAC_OK;
}

/* The node of a product state, which is added without edges if it is new. */
static opac_status add_node(population_graph *graph, const sample_run *run, uint32_t product_state,
                            uint32_t *node, opac_error *error)
{
    *node = POPULATION_ABSORBED;
    if (graph->node_of.items[product_state] != SAMPLE_NONE) {
        *node = graph->node_of.items[product_state];
        return OPAC_OK;
    }
    if (sample_run_is_absorbed(run, product_state))
        return OPAC_OK;
    population_node item = {.product_state = product_state,
                            .choice = sample_run_choice(run, product_state),
                            .row = SAMPLE_NONE,
                            .tally = SAMPLE_NONE};
    const sample_choice *choice = &run->stats.choices.items[item.choice];
    if (!sample_choice_is_free(choice)) {
        item.row = run->stats.counters.items[choice->counter].row;
        if (!run->stats.counters.items[choice->counter].known)
            TRY(add_tally(graph, &run->stats, choice->counter, &item.tally, error));
    }
    TRY(population_node_vec_push(&graph->nodes, item, error));
    *node = graph->node_of.items[product_state] = (uint32_t)graph->nodes.count - 1;
    return OPAC_OK;
}

static opac_status add_edge(population_graph *graph, const sample_run *run, uint32_t product_state,
                            opac_error *error)
{
    uint32_t node = POPULATION_GAP;
    if (product_state != SAMPLE_NONE)
        TRY(add_node(graph, run, product_state, &node, error));
    return base_u32_vec_push(&graph->targets, node, error);
}

static opac_status add_edges(population_graph *graph, sample_run *run, uint32_t number,
                             opac_error *error)
{
    population_node node = graph->nodes.items[number];
    sample_statistics *stats = &run->stats;
    node.edge = (uint32_t)graph->targets.count;
    node.width = 1;
    if (node.row == SAMPLE_NONE) {
        TRY(add_edge(graph, run, stats->choices.items[node.choice].target, error));
    } else {
        if (stats->is_tabulated)
            TRY(sample_statistics_adopt_env_row(stats, node.row, error));
        sample_row row = stats->rows.items[node.row];
        node.width = row.width;
        for (uint32_t b = 0; b < node.width; b++)
            TRY(add_edge(graph, run,
                         find_target(stats, node.choice, stats->targets.items[row.begin + b]),
                         error));
    }
    if (graph->targets.count >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions under the policy",
                         UINT32_MAX);
    graph->nodes.items[number].edge = node.edge;
    graph->nodes.items[number].width = node.width;
    return OPAC_OK;
}

opac_status population_graph_build(population_graph *graph, sample_run *run, opac_error *error)
{
    const sample_statistics *stats = &run->stats;
    uint32_t start;
    clear_graph(graph);
    TRY(fill_none(&graph->node_of, stats->product_states.count, error));
    TRY(fill_none(&graph->tally_of, stats->counters.count, error));
    TRY(add_node(graph, run, stats->start, &start, error));
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        TRY(add_edges(graph, run, i, error));
    return OPAC_OK;
}
