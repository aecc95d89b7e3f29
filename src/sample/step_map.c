/* SPDX-License-Identifier: MIT */
/*
 * The policy as a map (env/walk.h), whose nodes are the pairs.
 *
 *     drawn     the row of the pair's choice, and where the branches lead to
 *     undrawn   nobody has come to the pair yet: its one link is a gap
 *
 * The map follows the policy from update to update by the pairs that the
 * optimist says have changed, so it costs as much as these do. (After a
 * solution from scratch all nodes are looked at.) Whether a free node is an end
 * depends on the choices of other pairs, too, but free choices stay in a state:
 * when a pair takes a free choice now, or did so before, the free nodes of its
 * state are drawn anew, and that of START.
 *
 * A run that closes a bracket follows another policy after each update, and its episodes end
 * elsewhere: then, too, all nodes are looked at, ends included.
 */
#include "graph/process.h"
#include "sample/step.h"

void sample_step_map_fini(sample_step *step)
{
    sample_node_vec_fini(&step->nodes);
    base_u32_vec_fini(&step->drawn);
    base_u32_vec_fini(&step->owner);
    sample_byte_vec_fini(&step->watched);
    base_u32_vec_fini(&step->taken);
}

env_walk_graph sample_step_map(const sample_step *step)
{
    const sample_run *run = step->run;
    return (env_walk_graph){step->nodes.items, run->stats.links.items, run->stats.start,
                            run->horizon, run->seed};
}

/* ---- room ---- */

/* Also for links that others have laid out: nobody takes those. */
static opac_status grow_links(sample_step *step, opac_error *error)
{
    size_t count = step->run->stats.links.count;
    TRY(base_u32_vec_reserve(&step->owner, count, error));
    TRY(sample_byte_vec_reserve(&step->watched, count, error));
    while (step->owner.count < count) {
        step->owner.items[step->owner.count++] = SAMPLE_NONE;
        step->watched.items[step->watched.count++] = 0;
    }
    return OPAC_OK;
}

/* The link that undrawn nodes have. */
static opac_status lay_gap(sample_step *step, opac_error *error)
{
    base_u32_vec *links = &step->run->stats.links;
    TRY(base_u32_vec_push(links, ENV_UNSEEN, error));
    step->gap = (uint32_t)links->count - 1;
    return OPAC_OK;
}

opac_status sample_step_grow_map(sample_step *step, opac_error *error)
{
    size_t count = step->run->stats.product_states.count;
    if (step->gap == SAMPLE_NONE)
        TRY(lay_gap(step, error));
    TRY(grow_links(step, error));
    TRY(sample_node_vec_reserve(&step->nodes, count, error));
    TRY(base_u32_vec_reserve(&step->drawn, count, error));
    while (step->nodes.count < count) {
        step->nodes.items[step->nodes.count++] = (env_walk_node){ENV_NO_STEP, 1, step->gap};
        step->drawn.items[step->drawn.count++] = SAMPLE_NONE;
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

static opac_status draw_free(sample_step *step, uint32_t product_state, uint32_t choice,
                             opac_error *error)
{
    sample_choice *c = &step->run->stats.choices.items[choice];
    bool is_over = sample_run_is_over(step->run, product_state);
    if (!is_over)
        TRY(link_free(step, c, error));
    TRY(grow_links(step, error));
    step->nodes.items[product_state] =
        is_over ? (env_walk_node){ENV_END, 0, step->gap} : (env_walk_node){ENV_NO_STEP, 1, c->link};
    return OPAC_OK;
}

static opac_status draw_sampled(sample_step *step, uint32_t product_state, uint32_t choice,
                                opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    TRY(sample_statistics_lay(stats, choice, error));
    TRY(grow_links(step, error));
    const sample_choice *c = &stats->choices.items[choice];
    uint32_t row = stats->rows.items[stats->counters.items[c->counter].row].env_row;
    bool has_room = sample_counter_room(stats, c->counter) > 0;
    step->nodes.items[product_state] = (env_walk_node){row, c->width, c->link};
    for (uint32_t i = c->link; i < c->link + c->width; i++) {
        step->owner.items[i] = choice;
        step->watched.items[i] = has_room;
    }
    return OPAC_OK;
}

static opac_status draw_end(sample_step *step, uint32_t product_state, opac_error *error)
{
    TRY(grow_links(step, error));
    step->nodes.items[product_state] = (env_walk_node){ENV_END, 0, step->gap};
    return OPAC_OK;
}

static bool is_free(const sample_step *step, uint32_t choice)
{
    return sample_choice_is_free(&step->run->stats.choices.items[choice]);
}

opac_status sample_step_draw_node(sample_step *step, uint32_t product_state, opac_error *error)
{
    uint32_t choice = sample_run_choice(step->run, product_state);
    if (step->nodes.count <= product_state)
        TRY(sample_step_grow_map(step, error));
    if (sample_run_ends_at(step->run, product_state))
        TRY(draw_end(step, product_state, error));
    else if (is_free(step, choice))
        TRY(draw_free(step, product_state, choice, error));
    else
        TRY(draw_sampled(step, product_state, choice, error));
    step->drawn.items[product_state] = choice;
    return OPAC_OK;
}

/* ---- the policy changes ---- */

static opac_status draw_again(sample_step *step, uint32_t product_state, opac_error *error)
{
    bool is_drawn =
        product_state < step->drawn.count && step->drawn.items[product_state] != SAMPLE_NONE;
    return is_drawn ? sample_step_draw_node(step, product_state, error) : OPAC_OK;
}

static opac_status draw_free_again(sample_step *step, uint32_t product_state, opac_error *error)
{
    bool is_drawn =
        product_state < step->drawn.count && step->drawn.items[product_state] != SAMPLE_NONE;
    return is_drawn && is_free(step, step->drawn.items[product_state])
               ? draw_again(step, product_state, error)
               : OPAC_OK;
}

/* A pair whose choice has changed, drawn or not: others may come to it by free choices. */
static opac_status follow_product_state(sample_step *step, uint32_t product_state,
                                        opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    uint32_t state = stats->product_states.items[product_state].state;
    TRY(draw_again(step, product_state, error));
    if (state == SAMPLE_NONE)
        return OPAC_OK;
    for (uint32_t p = stats->states.items[state].product_state; p != SAMPLE_NONE;
         p = stats->product_states.items[p].next)
        TRY(draw_free_again(step, p, error));
    return draw_free_again(step, stats->start, error);
}

static opac_status follow_changes(sample_step *step, const uint32_t *product_states, size_t count,
                                  opac_error *error)
{
    for (size_t i = 0; i < count; i++)
        TRY(follow_product_state(step, product_states[i], error));
    return OPAC_OK;
}

static opac_status look_at_all(sample_step *step, opac_error *error)
{
    for (uint32_t p = 0; p < step->nodes.count; p++)
        TRY(draw_again(step, p, error));
    return OPAC_OK;
}

/* With another k counters have room again. */
static void watch_all(sample_step *step)
{
    for (size_t i = 0; i < step->owner.count; i++)
        step->watched.items[i] = step->owner.items[i] != SAMPLE_NONE;
    step->k = step->run->stats.k;
}

opac_status sample_step_follow_policy(sample_step *step, opac_error *error)
{
    const sample_run *run = step->run;
    const uint32_t *product_states;
    size_t count;
    TRY(sample_step_grow_map(step, error));
    if (step->k != run->stats.k)
        watch_all(step);
    if (step->updates == run->updates)
        return OPAC_OK;
    bool is_next = step->updates + 1 == run->updates;
    if (sample_run_changes(run, &product_states, &count) && is_next)
        TRY(follow_changes(step, product_states, count, error));
    else
        TRY(look_at_all(step, error));
    step->updates = run->updates;
    return OPAC_OK;
}
