/* SPDX-License-Identifier: MIT */
/*
 * The stopping condition: whether the policy reaches an unknown choice within T-1 steps of the optimistic
 * model.
 *
 * This is tested after each update, and should not cost more than the update. So a path of product states
 * to an unknown choice is kept. Repair changes only choices that were unknown, so on the path only that of
 * the last product state; from there the path is continued by the links `toward` (optimistic_model_form.h).
 * The solver may change any choice. Only if the path cannot be continued, or becomes longer than the
 * horizon, the product states of the policy are searched breadth first, up to the first unknown choice.
 */
#include "omega_pac/optimistic_model_form.h"

void omega_pac_optimistic_model_drop_path(omega_pac_optimistic_model *o)
{
    while (o->path.count > 0)
        o->entries.items[o->path.items[--o->path.count]].place = 0;
}

static opac_status push_path(omega_pac_optimistic_model *o, uint32_t product_state,
                             opac_error *error)
{
    TRY(base_u32_vec_push(&o->path, product_state, error));
    o->entries.items[product_state].place = (uint32_t)o->path.count;
    return OPAC_OK;
}

static bool takes_unknown(const omega_pac_optimistic_model *o, uint32_t product_state)
{
    return !sample_statistics_is_known(o->stats,
                                       omega_pac_optimistic_model_choice(o, product_state));
}

/* Continues the path to an unknown choice; *found: it has one, after less than `horizon` steps. */
static opac_status extend_path(omega_pac_optimistic_model *o, uint64_t horizon, bool *found,
                               opac_error *error)
{
    *found = false;
    while (o->path.count > 0 && o->path.count <= horizon) {
        uint32_t last = o->path.items[o->path.count - 1];
        uint32_t toward = o->entries.items[last].toward;
        *found = takes_unknown(o, last);
        if (*found || toward == SAMPLE_NONE || o->entries.items[toward].place > 0)
            break;
        TRY(push_path(o, toward, error));
    }
    return OPAC_OK;
}

/* ---- searching ---- */

static opac_status reach(omega_pac_optimistic_model *o, uint32_t product_state, uint32_t parent,
                         opac_error *error)
{
    if (product_state >= o->entries.count)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "a known choice leads to a product state that does not exist");
    if (o->entries.items[product_state].stamp == o->stamp)
        return OPAC_OK;
    o->entries.items[product_state].stamp = o->stamp;
    TRY(base_u32_vec_push(&o->queue, product_state, error));
    return base_u32_vec_push(&o->parent, parent, error);
}

/* Queues the successors of a product state in the queue, whose choice is known. */
static opac_status expand(omega_pac_optimistic_model *o, uint32_t at, opac_error *error)
{
    sample_statistics *stats = o->stats;
    uint32_t choice = omega_pac_optimistic_model_choice(o, o->queue.items[at]), product_state;
    const sample_choice *c = &stats->choices.items[choice];
    if (sample_choice_is_free(c))
        return reach(o, c->target, at, error);
    uint32_t count;
    const uint32_t *order = sample_statistics_order(stats, c->counter, &count);
    for (uint32_t i = 0; i < count; i++) {
        TRY(sample_statistics_follow(stats, choice, order[i], &product_state, error));
        TRY(reach(o, product_state, at, error));
    }
    return OPAC_OK;
}

static void begin_search(omega_pac_optimistic_model *o)
{
    o->queue.count = o->parent.count = 0;
    if (++o->stamp != 0)
        return;
    for (size_t i = 0; i < o->entries.count; i++) /* once in four billion searches */
        o->entries.items[i].stamp = 0;
    o->stamp = 1;
}

/* Keeps the path to a position of the queue. */
static opac_status keep_path(omega_pac_optimistic_model *o, uint32_t at, opac_error *error)
{
    size_t length = 0, left = 1;
    for (uint32_t i = at; i > 0; i = o->parent.items[i])
        left++;
    TRY(base_u32_vec_reserve(&o->path, left, error));
    for (uint32_t i = at; left > 0; i = o->parent.items[i], length++)
        o->path.items[--left] = o->queue.items[i];
    o->path.count = length;
    for (size_t i = 0; i < length; i++)
        o->entries.items[o->path.items[i]].place = (uint32_t)i + 1;
    return OPAC_OK;
}

/* *found: the position in the queue of the first product state that violates the condition; SAMPLE_NONE. */
static opac_status search(omega_pac_optimistic_model *o, uint64_t horizon, bool all_actions,
                          uint32_t *found, opac_error *error)
{
    size_t level_end = 1;
    uint64_t depth = 0;
    begin_search(o);
    TRY(reach(o, o->stats->start, 0, error));
    *found = SAMPLE_NONE;
    for (uint32_t at = 0; at < o->queue.count; at++) {
        if (at == level_end) {
            level_end = o->queue.count;
            depth++;
        }
        uint32_t product_state = o->queue.items[at];
        *found = at;
        if (takes_unknown(o, product_state) ||
            (all_actions &&
             omega_pac_optimistic_model_unknown(o->stats, product_state, 0) != SAMPLE_NONE))
            return OPAC_OK;
        *found = SAMPLE_NONE;
        if (depth + 1 < horizon)
            TRY(expand(o, at, error));
    }
    return OPAC_OK;
}

opac_status omega_pac_optimistic_model_is_done(omega_pac_optimistic_model *o, uint64_t horizon,
                                               bool all_actions, bool *done, opac_error *error)
{
    bool found = false;
    uint32_t at;
    *done = horizon == 0;
    if (horizon == 0 || o->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    TRY(omega_pac_optimistic_model_grow(o, error));
    TRY(extend_path(o, horizon, &found, error));
    if (found)
        return OPAC_OK;
    omega_pac_optimistic_model_drop_path(o);
    TRY(search(o, horizon, all_actions, &at, error));
    *done = at == SAMPLE_NONE;
    return !*done && takes_unknown(o, o->queue.items[at]) ? keep_path(o, at, error) : OPAC_OK;
}
