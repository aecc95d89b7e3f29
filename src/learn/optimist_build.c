/* SPDX-License-Identifier: MIT */
/*
 * Drawing the optimistic model, or the chain of the policy, breadth first from
 * the start: pairs in the order in which they are met, going through choices in
 * the order of their numbers, and through what they led to in the order of keys
 * (learn_world_order). So the drawing is a function of what is known, however
 * pairs and branches are numbered in the world, and by the environment.
 *
 * Linear in what is drawn. Pairs note their node; the notes of the drawing before
 * are taken back first.
 */
#include "graph/process.h"
#include "learn/optimist_form.h"

static void clear(learn_optimist *o, bool is_chain)
{
    learn_draft *d = &o->draft;
    for (size_t i = 0; i < d->pair.count; i++)
        if (d->pair.items[i] != LEARN_NONE)
            o->minds.items[d->pair.items[i]].node = LEARN_NONE;
    d->pair.count = d->choice_begin.count = d->edge_begin.count = d->target.count = 0;
    d->prob.count = d->marks.count = d->unknown.count = d->policy.count = 0;
    d->is_chain = is_chain;
}

/* The node of a pair, a new one at first sight. */
static opac_status meet(learn_optimist *o, uint32_t pair, uint32_t *node, opac_error *error)
{
    *node = LEARN_NONE;
    if (pair >= o->minds.count)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "a known choice leads to a pair that was not met");
    *node = o->minds.items[pair].node;
    if (*node != LEARN_NONE)
        return OPAC_OK;
    *node = (uint32_t)o->draft.pair.count;
    opac_status status = base_u32_vec_push(&o->draft.pair, pair, error);
    if (status == OPAC_OK)
        o->minds.items[pair].node = *node;
    return status;
}

static opac_status put_choice(learn_draft *d, uint64_t marks, opac_error *error)
{
    if (d->edge_begin.count >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices of the optimistic model",
                         (unsigned)GRAPH_LARGEST);
    opac_status status = base_u32_vec_push(&d->edge_begin, (uint32_t)d->target.count, error);
    if (status == OPAC_OK)
        status = base_u64_vec_push(&d->marks, marks, error);
    return status;
}

/* n of `all` observations of the last choice led there. */
static opac_status put_edge(learn_draft *d, uint32_t node, uint64_t n, uint64_t all,
                            opac_error *error)
{
    size_t edges = d->target.count;
    if (edges > d->edge_begin.items[d->edge_begin.count - 1] &&
        d->target.items[edges - 1] == node) { /* the universal sink, from several states */
        d->observations += n;
        d->prob.items[edges - 1] = (double)d->observations / (double)all;
        return OPAC_OK;
    }
    if (edges >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "more than %u transitions of the optimistic model",
                         (unsigned)GRAPH_LARGEST);
    d->observations = n;
    opac_status status = base_u32_vec_push(&d->target, node, error);
    if (status == OPAC_OK)
        status = base_double_vec_push(&d->prob, (double)n / (double)all, error);
    return status;
}

static opac_status put_observed(learn_optimist *o, uint32_t choice, opac_error *error)
{
    learn_world *world = o->world;
    uint32_t counter = world->choices.items[choice].counter;
    learn_counter c = world->counters.items[counter];
    uint32_t count;
    const uint32_t *order = learn_world_order(world, counter, &count);
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++) {
        uint64_t n = world->observed.items[c.begin + order[i]];
        uint32_t pair, node;
        status = learn_world_follow(world, choice, order[i], &pair, error);
        if (status == OPAC_OK)
            status = meet(o, pair, &node, error);
        if (status == OPAC_OK)
            status = put_edge(&o->draft, node, n, c.count, error);
    }
    return status;
}

static opac_status put_unknown(learn_optimist *o, opac_error *error)
{
    opac_status status =
        base_u32_vec_push(&o->draft.unknown, (uint32_t)(o->draft.edge_begin.count - 1), error);
    return status == OPAC_OK ? put_edge(&o->draft, 0, 1, 1, error) : status;
}

static opac_status draw_choice(learn_optimist *o, uint32_t choice, opac_error *error)
{
    const learn_choice *c = &o->world->choices.items[choice];
    bool is_free = learn_choice_is_free(c), is_known = learn_world_is_known(o->world, choice);
    uint32_t target = c->target, node;
    if (!is_known && o->draft.is_chain)
        return OPAC_OK;
    opac_status status = put_choice(&o->draft, c->marks & o->named, error);
    if (status != OPAC_OK)
        return status;
    if (!is_known)
        return put_unknown(o, error);
    if (!is_free)
        return put_observed(o, choice, error);
    status = meet(o, target, &node, error);
    return status == OPAC_OK ? put_edge(&o->draft, node, 1, 1, error) : status;
}

/* All choices of a pair, or the policy's. */
static opac_status draw_pair(learn_optimist *o, uint32_t pair, opac_error *error)
{
    learn_pair p = o->world->pairs.items[pair];
    opac_status status =
        base_u32_vec_push(&o->draft.choice_begin, (uint32_t)o->draft.edge_begin.count, error);
    if (o->draft.is_chain && status == OPAC_OK) {
        uint32_t choice = learn_optimist_choice(o, pair);
        status = base_u32_vec_push(&o->draft.policy, choice, error);
        return status == OPAC_OK ? draw_choice(o, choice, error) : status;
    }
    for (uint32_t c = p.choice; c < p.choice + p.choices && status == OPAC_OK; c++)
        status = draw_choice(o, c, error);
    return status;
}

static opac_status draw_sink(learn_optimist *o, opac_error *error)
{
    learn_draft *d = &o->draft;
    opac_status status = base_u32_vec_push(&d->pair, LEARN_NONE, error);
    if (status == OPAC_OK)
        status = base_u32_vec_push(&d->choice_begin, 0, error);
    if (status == OPAC_OK)
        status = put_choice(d, o->sink_marks, error);
    return status == OPAC_OK ? put_edge(d, 0, 1, 1, error) : status;
}

/* From the start on; what is behind the last choice and edge is written, too. */
static opac_status draw(learn_optimist *o, opac_error *error)
{
    learn_draft *d = &o->draft;
    uint32_t start;
    size_t next = d->pair.count;
    opac_status status = meet(o, o->world->start, &start, error);
    for (; next < d->pair.count && status == OPAC_OK; next++)
        status = draw_pair(o, d->pair.items[next], error);
    if (status == OPAC_OK)
        status = base_u32_vec_push(&d->choice_begin, (uint32_t)d->edge_begin.count, error);
    if (status == OPAC_OK)
        status = base_u32_vec_push(&d->edge_begin, (uint32_t)d->target.count, error);
    /* Not even an empty array is NULL. */
    if (status == OPAC_OK)
        status = base_u32_vec_reserve(&d->target, 1, error);
    return status == OPAC_OK ? base_double_vec_reserve(&d->prob, 1, error) : status;
}

opac_status learn_optimist_draw_model(learn_optimist *o, opac_error *error)
{
    clear(o, false);
    opac_status status = draw_sink(o, error);
    return status == OPAC_OK ? draw(o, error) : status;
}

opac_status learn_optimist_draw_chain(learn_optimist *o, opac_error *error)
{
    clear(o, true);
    return draw(o, error);
}

graph_process learn_draft_process(const learn_draft *draft)
{
    return (graph_process){
        .state_count = (uint32_t)draft->pair.count,
        .choice_count = (uint32_t)draft->edge_begin.count - 1,
        .edge_count = (uint32_t)draft->target.count,
        .choice_begin = draft->choice_begin.items,
        .edge_begin = draft->edge_begin.items,
        .target = draft->target.items,
        .prob = draft->prob.items,
    };
}
