/* SPDX-License-Identifier: MIT */
/*
 * See build_process.h. `node` maps product states to nodes; it is cleared by the list of nodes of the
 * previous process, so that a small process costs little in large statistics.
 */
#include "sample/build_process.h"

#include "base/work.h"

enum {
    NODES_A_POLL = 1 << 10
};

/* Discards the previous process. */
static opac_status clear(sample_process *d, const sample_statistics *stats, opac_error *error)
{
    for (size_t i = 0; i < d->product_state.count; i++)
        if (d->product_state.items[i] != SAMPLE_NONE)
            d->node.items[d->product_state.items[i]] = SAMPLE_NONE;
    d->product_state.count = d->choice_begin.count = d->edge_begin.count = d->target.count = 0;
    d->prob.count = d->marks.count = d->number.count = d->unknown.count = d->policy.count = 0;
    TRY(base_u32_vec_reserve(&d->node, stats->product_states.count, error));
    while (d->node.count < stats->product_states.count)
        d->node.items[d->node.count++] = SAMPLE_NONE;
    return OPAC_OK;
}

/* The node of a product state, which is added if it is new. */
static opac_status find_node(sample_process *d, uint32_t product_state, uint32_t *node,
                             opac_error *error)
{
    *node = SAMPLE_NONE;
    if (product_state >= d->node.count)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "a known choice leads to a product state that does not exist");
    *node = d->node.items[product_state];
    if (*node != SAMPLE_NONE)
        return OPAC_OK;
    *node = (uint32_t)d->product_state.count;
    TRY(base_u32_vec_push(&d->product_state, product_state, error));
    d->node.items[product_state] = *node;
    return OPAC_OK;
}

static opac_status put_choice(sample_process *d, uint32_t number, uint64_t marks, opac_error *error)
{
    if (d->edge_begin.count >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices of the learned model",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_push(&d->edge_begin, (uint32_t)d->target.count, error));
    TRY(base_u32_vec_push(&d->number, number, error));
    return base_u64_vec_push(&d->marks, marks, error);
}

static opac_status put_edge(sample_process *d, uint32_t node, uint64_t n, uint64_t all,
                            opac_error *error)
{
    if (d->target.count >= GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the learned model",
                         (unsigned)GRAPH_LARGEST);
    d->observations = n;
    TRY(base_u32_vec_push(&d->target, node, error));
    return base_double_vec_push(&d->prob, (double)n / (double)all, error);
}

/* Whether the last edge of the current choice leads to a node, which is then the universal sink. */
static bool is_last_target(const sample_process *d, uint32_t node)
{
    size_t edges = d->target.count;
    return edges > d->edge_begin.items[d->edge_begin.count - 1] &&
           d->target.items[edges - 1] == node;
}

/* Adds n of `all` observations to the last edge. */
static void add_to_edge(sample_process *d, uint64_t n, uint64_t all)
{
    d->observations += n;
    d->prob.items[d->target.count - 1] = (double)d->observations / (double)all;
}

/* A branch with n observations has the probability (n · factor + extra) / all. */
typedef struct weights {
    uint64_t factor, extra, all;
} weights;

static weights find_weights(const sample_statistics *stats, uint32_t counter)
{
    uint32_t count;
    const uint32_t *order = sample_statistics_order(stats, counter, &count);
    weights w = {.factor = 1};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t n = sample_statistics_observed(stats, counter, order[i]);
        w.all += n;
        if (n == 0)
            w.factor = 2;
    }
    w.extra = w.factor - 1;
    w.all = w.factor * w.all + w.extra * count;
    return w;
}

static opac_status put_observed(sample_process *d, const sample_process_options *options,
                                uint32_t choice, opac_error *error)
{
    uint32_t count, counter = options->stats->choices.items[choice].counter;
    const uint32_t *order = sample_statistics_order(options->stats, counter, &count);
    weights w = find_weights(options->stats, counter);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t n =
            sample_statistics_observed(options->stats, counter, order[i]) * w.factor + w.extra;
        uint32_t product_state, node;
        TRY(sample_statistics_follow(options->stats, choice, order[i], &product_state, error));
        TRY(find_node(d, product_state, &node, error));
        if (!options->is_parallel && is_last_target(d, node))
            add_to_edge(d, n, w.all);
        else
            TRY(put_edge(d, node, n, w.all, error));
    }
    return OPAC_OK;
}

static opac_status put_unknown(sample_process *d, const sample_process_options *options,
                               uint32_t from, opac_error *error)
{
    TRY(base_u32_vec_push(&d->unknown, (uint32_t)(d->edge_begin.count - 1), error));
    return put_edge(d, options->has_sink ? 0 : from, 1, 1, error);
}

static opac_status build_choice(sample_process *d, const sample_process_options *options,
                                uint32_t from, uint32_t choice, opac_error *error)
{
    const sample_choice *c = &options->stats->choices.items[choice];
    bool is_free = sample_choice_is_free(c),
         is_known = options->no_turns ? !sample_statistics_takes_turns(options->stats, choice)
                                      : sample_statistics_is_known(options->stats, choice);
    uint32_t target = c->target, node;
    if (!is_known && options->known_only)
        return OPAC_OK;
    TRY(put_choice(d, choice, c->marks & options->named, error));
    if (!is_known)
        return put_unknown(d, options, from, error);
    if (!is_free)
        return put_observed(d, options, choice, error);
    TRY(find_node(d, target, &node, error));
    return put_edge(d, node, 1, 1, error);
}

/* All choices of a node, or that of the policy. */
static opac_status build_node(sample_process *d, const sample_process_options *options,
                              uint32_t node, opac_error *error)
{
    uint32_t product_state = d->product_state.items[node];
    sample_product_state p = options->stats->product_states.items[product_state];
    TRY(base_u32_vec_push(&d->choice_begin, (uint32_t)d->edge_begin.count, error));
    if (options->choice != NULL) {
        uint32_t choice = options->choice(options->context, product_state);
        TRY(base_u32_vec_push(&d->policy, choice, error));
        return choice != SAMPLE_NONE ? build_choice(d, options, node, choice, error) : OPAC_OK;
    }
    for (uint32_t c = p.choice; c < p.choice + p.choices; c++)
        TRY(build_choice(d, options, node, c, error));
    return OPAC_OK;
}

static opac_status build_sink(sample_process *d, uint64_t marks, opac_error *error)
{
    TRY(base_u32_vec_push(&d->product_state, SAMPLE_NONE, error));
    TRY(base_u32_vec_push(&d->choice_begin, 0, error));
    TRY(put_choice(d, SAMPLE_NONE, marks, error));
    return put_edge(d, 0, 1, 1, error);
}

opac_status sample_build_process(sample_process *d, const sample_process_options *options,
                                 opac_error *error)
{
    uint32_t start;
    TRY(clear(d, options->stats, error));
    if (options->has_sink)
        TRY(build_sink(d, options->sink_marks, error));
    uint32_t next = (uint32_t)d->product_state.count;
    TRY(find_node(d, options->stats->start, &start, error));
    for (; next < d->product_state.count; next++) {
        if (next % NODES_A_POLL == 0 && opac_cancel_requested(options->cancel))
            return base_fail_stopped(error, options->cancel, "building the product");
        TRY(build_node(d, options, next, error));
    }
    /* The ends of the last node and choice. */
    TRY(base_u32_vec_push(&d->choice_begin, (uint32_t)d->edge_begin.count, error));
    TRY(base_u32_vec_push(&d->edge_begin, (uint32_t)d->target.count, error));
    /* Arrays of a graph_process are not NULL, even if empty. */
    TRY(base_u32_vec_reserve(&d->target, 1, error));
    return base_double_vec_reserve(&d->prob, 1, error);
}

void sample_process_fini(sample_process *d)
{
    base_u32_vec_fini(&d->product_state);
    base_u32_vec_fini(&d->choice_begin);
    base_u32_vec_fini(&d->edge_begin);
    base_u32_vec_fini(&d->target);
    base_double_vec_fini(&d->prob);
    base_u64_vec_fini(&d->marks);
    base_u32_vec_fini(&d->number);
    base_u32_vec_fini(&d->unknown);
    base_u32_vec_fini(&d->policy);
    base_u32_vec_fini(&d->node);
}

graph_process sample_process_get(const sample_process *process)
{
    return (graph_process){
        .state_count = (uint32_t)process->product_state.count,
        .choice_count = (uint32_t)process->edge_begin.count - 1,
        .edge_count = (uint32_t)process->target.count,
        .choice_begin = process->choice_begin.items,
        .edge_begin = process->edge_begin.items,
        .target = process->target.items,
        .prob = process->prob.items,
    };
}
