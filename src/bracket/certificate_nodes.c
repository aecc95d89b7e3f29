/* SPDX-License-Identifier: MIT */
/* Finds the nodes that a certificate lists: two searches from the start, linear in the part they reach. */
#include "bracket/certificate_nodes.h"

#include "base/alloc.h"

enum {
    FOR_UPPER = 1,
    FOR_LOWER = 2
};

typedef struct search {
    const sample_statistics *stats;
    const bracket_model *bracket;
    uint32_t *node_of;    /* by product state; SAMPLE_NONE: not in the model */
    unsigned char *needs; /* by node: FOR_UPPER, FOR_LOWER */
    base_u32_vec queue;
    unsigned goal; /* FOR_UPPER, FOR_LOWER */
} search;

/* The universal sink and REJECT are not listed: a reader derives them from the automaton. */
static bool is_listed(const search *s, uint32_t node)
{
    uint32_t product_state = bracket_model_get(s->bracket, node).product_state;
    return node == 0 || s->stats->product_states.items[product_state].state != SAMPLE_NONE;
}

static opac_status reach(search *s, uint32_t product_state, opac_error *error)
{
    uint32_t node = product_state != SAMPLE_NONE ? s->node_of[product_state] : SAMPLE_NONE;
    if (node == SAMPLE_NONE || (s->needs[node] & s->goal) != 0 || !is_listed(s, node))
        return OPAC_OK;
    bracket_model_node found = bracket_model_get(s->bracket, node);
    if (s->goal == FOR_UPPER ? !(found.upper < 1) : !(found.lower > 0))
        return OPAC_OK;
    s->needs[node] = (unsigned char)(s->needs[node] | s->goal);
    return base_u32_vec_push(&s->queue, node, error);
}

static opac_status reach_choice(search *s, uint32_t choice, opac_error *error)
{
    const sample_choice *c = &s->stats->choices.items[choice];
    uint32_t count;
    if (sample_choice_is_free(c))
        return reach(s, c->target, error);
    const sample_row *row = &s->stats->rows.items[s->stats->counters.items[c->counter].row];
    const uint32_t *order = sample_statistics_order(s->stats, c->counter, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = s->stats->targets.items[row->begin + order[i]];
        TRY(reach(s, sample_statistics_find(s->stats, state, c->memory), error));
    }
    return OPAC_OK;
}

static opac_status leave(search *s, uint32_t node, opac_error *error)
{
    bracket_model_node from = bracket_model_get(s->bracket, node);
    const sample_product_state *product_state = &s->stats->product_states.items[from.product_state];
    if (s->goal == FOR_LOWER)
        return from.choice != SAMPLE_NONE ? reach_choice(s, from.choice, error) : OPAC_OK;
    for (uint32_t i = 0; i < product_state->choices; i++)
        TRY(reach_choice(s, product_state->choice + i, error));
    return OPAC_OK;
}

static opac_status spread(search *s, unsigned goal, opac_error *error)
{
    s->goal = goal;
    s->queue.count = 0;
    TRY(reach(s, s->stats->start, error));
    for (size_t i = 0; i < s->queue.count; i++)
        TRY(leave(s, s->queue.items[i], error));
    return OPAC_OK;
}

static opac_status collect(const search *s, bracket_certificate_vec *nodes, opac_error *error)
{
    for (uint32_t i = 0; i < bracket_model_count(s->bracket); i++) {
        bracket_model_node listed = bracket_model_get(s->bracket, i);
        if (s->needs[i] == 0 && i > 0)
            continue;
        if ((s->needs[i] & FOR_UPPER) == 0)
            listed.upper = 1;
        if ((s->needs[i] & FOR_LOWER) == 0)
            listed.lower = 0;
        TRY(bracket_certificate_vec_push(nodes, listed, error));
    }
    return OPAC_OK;
}

opac_status bracket_certificate_nodes(const sample_statistics *stats, const bracket_model *bracket,
                                      bracket_certificate_vec *nodes, opac_error *error)
{
    uint32_t count = bracket_model_count(bracket);
    search s = {.stats = stats,
                .bracket = bracket,
                .node_of = base_alloc(stats->product_states.count, sizeof *s.node_of),
                .needs = base_alloc_zeroed(count, sizeof *s.needs)};
    opac_status status = OPAC_OK;
    if (s.node_of == NULL || s.needs == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (size_t i = 0; i < stats->product_states.count; i++)
        s.node_of[i] = SAMPLE_NONE;
    for (uint32_t i = 0; i < count; i++)
        s.node_of[bracket_model_get(bracket, i).product_state] = i;
    TRY_OR(done, spread(&s, FOR_UPPER, error));
    TRY_OR(done, spread(&s, FOR_LOWER, error));
    status = collect(&s, nodes, error);
done:
    base_u32_vec_fini(&s.queue);
    base_free(s.node_of);
    base_free(s.needs);
    return status;
}
