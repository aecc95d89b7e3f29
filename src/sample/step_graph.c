/* SPDX-License-Identifier: MIT */
/*
 * The policy as a graph for walks in a tabulated environment (env/walk.h). Its nodes are the product
 * states.
 *
 *     built       has the row of the policy's choice, and a link for each of its branches
 *     not built   no episode has reached it yet: its only link is unseen
 *
 * After an update of the policy only the nodes whose choices changed are rebuilt (sample_run_changes), or
 * all built nodes if the strategy does not list them. Whether a node with a free choice is absorbing
 * depends on the choices of other product states. But free choices do not change the state: so if a product
 * state takes a free choice now or did so before, the nodes with free choices of its state are rebuilt, and
 * that of START.
 *
 * A bracket may change every choice, and where episodes end, with each update: then all built nodes are
 * rebuilt.
 */
#include "graph/process.h"
#include "sample/step.h"

void sample_step_graph_fini(sample_step *step)
{
    sample_node_vec_fini(&step->nodes);
    base_u32_vec_fini(&step->node_choice);
    base_u32_vec_fini(&step->link_choice);
    sample_byte_vec_fini(&step->link_open);
    base_u32_vec_fini(&step->taken_links);
}

env_walk_graph sample_step_graph(const sample_step *step)
{
    const sample_run *run = step->run;
    return (env_walk_graph){step->nodes.items, run->stats.links.items, run->stats.start,
                            run->horizon, run->seed};
}

/* ---- capacity ---- */

/* Adds entries for all links, also for those that other choices made; these are not taken. */
static opac_status grow_links(sample_step *step, opac_error *error)
{
    size_t count = step->run->stats.links.count;
    TRY(base_u32_vec_reserve(&step->link_choice, count, error));
    TRY(sample_byte_vec_reserve(&step->link_open, count, error));
    while (step->link_choice.count < count) {
        step->link_choice.items[step->link_choice.count++] = SAMPLE_NONE;
        step->link_open.items[step->link_open.count++] = 0;
    }
    return OPAC_OK;
}

/* The unseen link of nodes that are not built. */
static opac_status add_gap_link(sample_step *step, opac_error *error)
{
    base_u32_vec *links = &step->run->stats.links;
    TRY(base_u32_vec_push(links, ENV_UNSEEN, error));
    step->gap = (uint32_t)links->count - 1;
    return OPAC_OK;
}

opac_status sample_step_grow_graph(sample_step *step, opac_error *error)
{
    size_t count = step->run->stats.product_states.count;
    if (step->gap == SAMPLE_NONE)
        TRY(add_gap_link(step, error));
    TRY(grow_links(step, error));
    TRY(sample_node_vec_reserve(&step->nodes, count, error));
    TRY(base_u32_vec_reserve(&step->node_choice, count, error));
    while (step->nodes.count < count) {
        step->nodes.items[step->nodes.count++] = (env_walk_node){ENV_NO_STEP, 1, step->gap};
        step->node_choice.items[step->node_choice.count++] = SAMPLE_NONE;
    }
    return OPAC_OK;
}

/* ---- nodes ---- */

static opac_status link_free(sample_step *step, sample_choice *c, opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    if (c->link != SAMPLE_NONE)
        return OPAC_OK;
    if (stats->links.count >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the product",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_push(&stats->links, c->target, error));
    c->link = (uint32_t)stats->links.count - 1;
    c->width = 1;
    return OPAC_OK;
}

static opac_status build_free(sample_step *step, uint32_t product_state, uint32_t choice,
                              opac_error *error)
{
    sample_choice *c = &step->run->stats.choices.items[choice];
    bool is_over = sample_run_is_absorbed(step->run, product_state);
    if (!is_over)
        TRY(link_free(step, c, error));
    TRY(grow_links(step, error));
    step->nodes.items[product_state] =
        is_over ? (env_walk_node){ENV_END, 0, step->gap} : (env_walk_node){ENV_NO_STEP, 1, c->link};
    return OPAC_OK;
}

static opac_status build_sampled(sample_step *step, uint32_t product_state, uint32_t choice,
                                 opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    TRY(sample_statistics_make_links(stats, choice, error));
    TRY(grow_links(step, error));
    const sample_choice *c = &stats->choices.items[choice];
    uint32_t row = stats->rows.items[stats->counters.items[c->counter].row].env_row;
    bool has_room = sample_counter_remaining(stats, c->counter) > 0;
    step->nodes.items[product_state] = (env_walk_node){row, c->width, c->link};
    for (uint32_t i = c->link; i < c->link + c->width; i++) {
        step->link_choice.items[i] = choice;
        step->link_open.items[i] = has_room;
    }
    return OPAC_OK;
}

static opac_status build_end(sample_step *step, uint32_t product_state, opac_error *error)
{
    TRY(grow_links(step, error));
    step->nodes.items[product_state] = (env_walk_node){ENV_END, 0, step->gap};
    return OPAC_OK;
}

static bool is_free(const sample_step *step, uint32_t choice)
{
    return sample_choice_is_free(&step->run->stats.choices.items[choice]);
}

opac_status sample_step_build_node(sample_step *step, uint32_t product_state, opac_error *error)
{
    uint32_t choice = sample_run_choice(step->run, product_state);
    if (step->nodes.count <= product_state)
        TRY(sample_step_grow_graph(step, error));
    if (sample_run_ends_at(step->run, product_state))
        TRY(build_end(step, product_state, error));
    else if (is_free(step, choice))
        TRY(build_free(step, product_state, choice, error));
    else
        TRY(build_sampled(step, product_state, choice, error));
    step->node_choice.items[product_state] = choice;
    return OPAC_OK;
}

/* ---- the policy changes ---- */

static opac_status rebuild(sample_step *step, uint32_t product_state, opac_error *error)
{
    bool is_built = product_state < step->node_choice.count &&
                    step->node_choice.items[product_state] != SAMPLE_NONE;
    return is_built ? sample_step_build_node(step, product_state, error) : OPAC_OK;
}

static opac_status rebuild_free(sample_step *step, uint32_t product_state, opac_error *error)
{
    bool is_built = product_state < step->node_choice.count &&
                    step->node_choice.items[product_state] != SAMPLE_NONE;
    return is_built && is_free(step, step->node_choice.items[product_state])
               ? rebuild(step, product_state, error)
               : OPAC_OK;
}

/* A product state whose choice has changed, built or not: others may reach it by free choices. */
static opac_status update_product_state(sample_step *step, uint32_t product_state,
                                        opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    uint32_t state = stats->product_states.items[product_state].state;
    TRY(rebuild(step, product_state, error));
    if (state == SAMPLE_NONE)
        return OPAC_OK;
    for (uint32_t p = stats->states.items[state].product_state; p != SAMPLE_NONE;
         p = stats->product_states.items[p].next)
        TRY(rebuild_free(step, p, error));
    return rebuild_free(step, stats->start, error);
}

static opac_status update_changed(sample_step *step, const uint32_t *product_states, size_t count,
                                  opac_error *error)
{
    for (size_t i = 0; i < count; i++)
        TRY(update_product_state(step, product_states[i], error));
    return OPAC_OK;
}

static opac_status rebuild_all(sample_step *step, opac_error *error)
{
    for (uint32_t p = 0; p < step->nodes.count; p++)
        TRY(rebuild(step, p, error));
    return OPAC_OK;
}

/* After k has changed, counters accept observations again. */
static void reopen_links(sample_step *step)
{
    for (size_t i = 0; i < step->link_choice.count; i++)
        step->link_open.items[i] = step->link_choice.items[i] != SAMPLE_NONE;
    step->k = step->run->stats.k;
}

opac_status sample_step_update_graph(sample_step *step, opac_error *error)
{
    const sample_run *run = step->run;
    const uint32_t *product_states;
    size_t count;
    TRY(sample_step_grow_graph(step, error));
    if (step->k != run->stats.k)
        reopen_links(step);
    if (step->updates == run->updates)
        return OPAC_OK;
    bool is_next = step->updates + 1 == run->updates;
    if (sample_run_changes(run, &product_states, &count) && is_next)
        TRY(update_changed(step, product_states, count, error));
    else
        TRY(rebuild_all(step, error));
    step->updates = run->updates;
    return OPAC_OK;
}
