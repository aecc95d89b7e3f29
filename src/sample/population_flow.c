/* SPDX-License-Identifier: MIT */
/* Flows are drawn forward in time, step by step, and split in the same way: see population_flow.h. */
#include "sample/population_flow.h"

#include <string.h>

#include "base/work.h"
#include "sample/statistics_form.h"
#include "stat/hypergeometric.h"

enum {
    RECORDS_A_POLL = 1 << 14
};

void population_flow_init(population_flow *flow)
{
    *flow = (population_flow){0};
    base_intern_init(&flow->keys);
    flow->keys.limit = POPULATION_NEW;
}

void population_flow_fini(population_flow *flow)
{
    population_record_vec_fini(&flow->records);
    base_u64_vec_fini(&flow->times);
    base_u32_vec_fini(&flow->codes);
    base_u64_vec_fini(&flow->counts);
    base_u64_vec_fini(&flow->part);
    base_u64_vec_fini(&flow->sum.visits);
    base_u64_vec_fini(&flow->part_sum.visits);
    base_intern_fini(&flow->keys);
    population_new_state_vec_fini(&flow->new_states);
    base_u64_vec_fini(&flow->mass[0]);
    base_u64_vec_fini(&flow->mass[1]);
    base_u32_vec_fini(&flow->here);
    base_u32_vec_fini(&flow->next);
    base_u64_vec_fini(&flow->branches);
}

/* Sets a vector to `count` zeros. */
static opac_status set_zeros(base_u64_vec *vec, size_t count, opac_error *error)
{
    TRY(base_u64_vec_reserve(vec, count, error));
    if (count > 0)
        memset(vec->items, 0, count * sizeof *vec->items);
    vec->count = count;
    return OPAC_OK;
}

static opac_status reset_sum(population_sum *sum, const population_graph *graph, opac_error *error)
{
    sum->steps = sum->gaps = 0;
    return set_zeros(&sum->visits, graph->tallies.count, error);
}

static opac_status reset_mass(population_flow *flow, const population_graph *graph,
                              opac_error *error)
{
    TRY(set_zeros(&flow->mass[0], graph->nodes.count, error));
    return set_zeros(&flow->mass[1], graph->nodes.count, error);
}

/* ---- the branches of the episodes in a node at a step ---- */

/* Capacity was reserved. */
static void append(population_flow *flow, uint32_t code, uint64_t count)
{
    flow->codes.items[flow->codes.count++] = code;
    flow->counts.items[flow->counts.count++] = count;
}

static opac_status reserve_codes(population_flow *flow, size_t count, opac_error *error)
{
    TRY(base_u32_vec_reserve(&flow->codes, flow->codes.count + count, error));
    return base_u64_vec_reserve(&flow->counts, flow->counts.count + count, error);
}

static opac_status draw_tabulated(population_flow *flow, const sample_statistics *stats,
                                  const population_node *node, uint64_t n, stat_rng *rng,
                                  opac_error *error)
{
    TRY(reserve_codes(flow, node->width, error));
    if (flow->branches.count < node->width)
        TRY(set_zeros(&flow->branches, node->width, error));
    uint64_t *branches = flow->branches.items;
    env_row_draw(stats->env, stats->rows.items[node->row].env_row, n, rng, branches);
    for (uint32_t b = 0; b < node->width; b++)
        if (branches[b] > 0) {
            append(flow, b, branches[b]);
            branches[b] = 0;
        }
    return OPAC_OK;
}

/* Context of count_successor. */
typedef struct successor_context {
    population_flow *flow;
    sample_statistics *stats;
    uint32_t row;
} successor_context;

static opac_status add_new_state(population_flow *flow, const opac_observation *seen,
                                 uint32_t *code, opac_error *error)
{
    bool is_new;
    uint32_t id;
    population_new_state new_state = {.letter = seen->letter, .actions = seen->actions};
    TRY(base_intern_add(&flow->keys, seen->length > 0 ? seen->key : "", seen->length, &id, &is_new,
                        error));
    if (id >= flow->new_states.count)
        TRY(population_new_state_vec_push(&flow->new_states, new_state, error));
    *code = POPULATION_NEW | id;
    return OPAC_OK;
}

static opac_status find_successor_code(const successor_context *h, const opac_observation *seen,
                                       uint32_t *code, opac_error *error)
{
    uint32_t state;
    const sample_row *row = &h->stats->rows.items[h->row];
    if (base_intern_find(&h->stats->keys, seen->length > 0 ? seen->key : "", seen->length,
                         &state)) {
        /* The state exists, so this only compares the observations. */
        TRY(sample_statistics_add_state(h->stats, seen, &state, error));
        for (*code = 0; *code < row->width; ++*code)
            if (h->stats->targets.items[row->begin + *code] == state)
                return OPAC_OK;
    }
    return add_new_state(h->flow, seen, code, error);
}

static opac_status count_successor(void *context, const opac_observation *seen, uint64_t count,
                                   opac_error *error)
{
    successor_context *h = context;
    uint32_t code = 0;
    if (count == 0)
        return OPAC_OK;
    TRY(find_successor_code(h, seen, &code, error));
    TRY(reserve_codes(h->flow, 1, error));
    append(h->flow, code, count);
    return OPAC_OK;
}

static opac_status draw_from_environment(population_flow *flow, sample_statistics *stats,
                                         const population_node *node, uint64_t n, stat_rng *rng,
                                         opac_error *error)
{
    successor_context h = {.flow = flow, .stats = stats, .row = node->row};
    opac_observation state = {0};
    uint32_t id = stats->rows.items[node->row].state, action = 0;
    if (id != SAMPLE_NONE) {
        state.key = base_intern_key(&stats->keys, id, &state.length);
        if (state.length == 0)
            state.key = ""; /* NULL stands for the reset */
        state.letter = stats->states.items[id].letter;
        state.actions = stats->states.items[id].actions;
        action = stats->rows.items[node->row].action;
    }
    return env_draw(stats->env, &state, action, n, stat_rng_next(rng) >> 1, count_successor, &h,
                    error);
}

static opac_status draw_node(population_flow *flow, sample_statistics *stats,
                             const population_node *node, uint64_t n, stat_rng *rng,
                             opac_error *error)
{
    if (node->row != SAMPLE_NONE)
        return stats->is_tabulated ? draw_tabulated(flow, stats, node, n, rng, error)
                                   : draw_from_environment(flow, stats, node, n, rng, error);
    TRY(reserve_codes(flow, 1, error));
    append(flow, 0, n);
    return OPAC_OK;
}

opac_status population_flow_one(population_flow *flow, sample_statistics *stats, uint32_t row,
                                stat_rng *rng, uint32_t *code, opac_error *error)
{
    size_t count = flow->codes.count;
    population_node node = {.row = row};
    if (stats->is_tabulated)
        TRY(sample_statistics_adopt_env_row(stats, row, error));
    node.width = stats->rows.items[row].width;
    opac_status status = draw_node(flow, stats, &node, 1, rng, error);
    if (status == OPAC_OK)
        *code = flow->codes.items[count];
    flow->codes.count = flow->counts.count = count;
    return status;
}

/* ---- from one step to the next ---- */

/* Moves the episodes of a node to the nodes of the next step. Nodes that get their first episodes are
 * appended to `next`, which has capacity, or is NULL. */
static void move_episodes(const population_graph *graph, const population_node *node,
                          const uint32_t *codes, const uint64_t *counts, uint32_t width,
                          population_sum *sum, uint64_t *mass, base_u32_vec *next)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < width; i++) {
        uint32_t target =
            codes[i] < node->width ? graph->targets.items[node->edge + codes[i]] : POPULATION_GAP;
        n += counts[i];
        if (target == POPULATION_GAP) {
            sum->gaps += counts[i];
        } else if (target != POPULATION_ABSORBED) {
            if (next != NULL && mass[target] == 0)
                next->items[next->count++] = target;
            mass[target] += counts[i];
        }
    }
    sum->steps += n;
    if (node->tally != SAMPLE_NONE)
        sum->visits.items[node->tally] += n;
}

static opac_status draw_record(population_flow *flow, const population_graph *graph,
                               sample_run *run, uint32_t number, uint64_t step, stat_rng *rng,
                               opac_error *error)
{
    uint64_t *mass = flow->mass[step % 2].items, *after = flow->mass[(step + 1) % 2].items;
    const population_node *node = &graph->nodes.items[number];
    population_record record = {.begin = flow->codes.count, .node = number};
    uint64_t n = mass[number];
    mass[number] = 0;
    TRY(draw_node(flow, &run->stats, node, n, rng, error));
    record.width = (uint32_t)(flow->codes.count - record.begin);
    TRY(base_u32_vec_reserve(&flow->next, flow->next.count + record.width, error));
    move_episodes(graph, node, flow->codes.items + record.begin, flow->counts.items + record.begin,
                  record.width, &flow->sum, after, &flow->next);
    return population_record_vec_push(&flow->records, record, error);
}

static opac_status draw_step(population_flow *flow, const population_graph *graph, sample_run *run,
                             uint64_t step, stat_rng *rng, opac_error *error)
{
    base_u32_vec here = flow->here;
    flow->here = flow->next;
    flow->next = here;
    flow->next.count = 0;
    TRY(base_u64_vec_push(&flow->times, flow->records.count, error));
    for (size_t i = 0; i < flow->here.count; i++) {
        opac_status status = draw_record(flow, graph, run, flow->here.items[i], step, rng, error);
        if (flow->records.count % RECORDS_A_POLL == 0 && opac_cancel_requested(run->cancel))
            return base_fail_stopped(error, run->cancel, "sampling episodes");
        TRY(status);
    }
    return OPAC_OK;
}

static opac_status begin_flow(population_flow *flow, const population_graph *graph, uint64_t n,
                              opac_error *error)
{
    flow->n = n;
    flow->records.count = flow->times.count = flow->codes.count = flow->counts.count = 0;
    flow->next.count = flow->new_states.count = 0;
    flow->branches.count = 0; /* after an error it may contain other numbers than zeros */
    base_intern_fini(&flow->keys);
    base_intern_init(&flow->keys);
    flow->keys.limit = POPULATION_NEW;
    TRY(reset_sum(&flow->sum, graph, error));
    TRY(reset_mass(flow, graph, error));
    if (graph->nodes.count == 0)
        return OPAC_OK;
    flow->mass[0].items[0] = n;
    return base_u32_vec_push(&flow->next, 0, error);
}

opac_status population_flow_draw(population_flow *flow, const population_graph *graph,
                                 sample_run *run, uint64_t n, stat_rng *rng, opac_error *error)
{
    TRY(begin_flow(flow, graph, n, error));
    for (uint64_t t = 0; t < run->horizon && flow->next.count > 0; t++)
        TRY(draw_step(flow, graph, run, t, rng, error));
    return base_u64_vec_push(&flow->times, flow->records.count, error);
}

/* ---- splitting ---- */

static void split_record(population_flow *flow, const population_graph *graph,
                         const population_record *record, uint64_t step, stat_rng *rng)
{
    uint64_t *mass = flow->mass[step % 2].items, *after = flow->mass[(step + 1) % 2].items;
    const uint64_t *sizes = flow->counts.items + record->begin;
    uint64_t *part = flow->part.items + record->begin, n = mass[record->node];
    mass[record->node] = 0;
    if (n == 0) {
        memset(part, 0, record->width * sizeof *part);
        return;
    }
    stat_hypergeometric_many(rng, sizes, record->width, n, part);
    move_episodes(graph, &graph->nodes.items[record->node], flow->codes.items + record->begin, part,
                  record->width, &flow->part_sum, after, NULL);
}

opac_status population_flow_split(population_flow *flow, const population_graph *graph, uint64_t n1,
                                  stat_rng *rng, opac_error *error)
{
    TRY(base_u64_vec_reserve(&flow->part, flow->counts.count, error));
    TRY(reset_sum(&flow->part_sum, graph, error));
    TRY(reset_mass(flow, graph, error));
    flow->part.count = flow->counts.count;
    flow->mass[0].items[0] = n1;
    for (size_t t = 0; t + 1 < flow->times.count; t++)
        for (size_t i = flow->times.items[t]; i < flow->times.items[t + 1]; i++)
            split_record(flow, graph, &flow->records.items[i], t, rng);
    return OPAC_OK;
}

void population_flow_keep_part(population_flow *flow, uint64_t n1)
{
    base_u64_vec counts = flow->counts;
    population_sum sum = flow->sum;
    flow->counts = flow->part;
    flow->part = counts;
    flow->sum = flow->part_sum;
    flow->part_sum = sum;
    flow->n = n1;
}

void population_flow_drop_part(population_flow *flow, uint64_t n1)
{
    for (size_t i = 0; i < flow->counts.count; i++)
        flow->counts.items[i] -= flow->part.items[i];
    for (size_t i = 0; i < flow->sum.visits.count; i++)
        flow->sum.visits.items[i] -= flow->part_sum.visits.items[i];
    flow->sum.steps -= flow->part_sum.steps;
    flow->n -= n1;
}

opac_observation population_flow_new_state(const population_flow *flow, uint32_t code)
{
    uint32_t id = code & ~POPULATION_NEW;
    opac_observation seen = {.letter = flow->new_states.items[id].letter,
                             .actions = flow->new_states.items[id].actions};
    seen.key = base_intern_key(&flow->keys, id, &seen.length);
    return seen;
}
