/* SPDX-License-Identifier: MIT */
/*
 * What the trial of a simulator has seen, in a world of its own, refutes what is assumed, too: a row
 * with more successors than its p_min leaves room for, or with one that the graph does not have. Its
 * states are then met here, so that they can be named.
 */
#include "base/alloc.h"
#include "bracket/support_form.h"
#include "sample/statistics_form.h"

/* Which states of the world the graph has told as successors of the row that was asked last. */
typedef struct listener {
    const sample_statistics *stats;
    uint32_t *told; /* by state: the row it was told for, from 1 on; 0: none */
    uint32_t row;
} listener;

static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
                        opac_error *error)
{
    const listener *l = context;
    uint32_t state;
    (void)count;
    (void)error;
    if (base_intern_find(&l->stats->keys, successor->key, successor->length, &state))
        l->told[state] = l->row + 1;
    return OPAC_OK;
}

/* A branch of a row that was seen, and that the graph does not have; SAMPLE_NONE: there is none. */
static opac_status find_stray(const bracket_support *s, listener *l, uint32_t row,
                              base_u64_vec *room, uint32_t *branch, opac_error *error)
{
    const sample_statistics *stats = l->stats;
    const sample_row *r = &stats->rows.items[row];
    bool is_reset = r->state == SAMPLE_NONE;
    opac_observation state = {0};
    l->row = row;
    *branch = SAMPLE_NONE;
    if (!is_reset)
        TRY(sample_statistics_get_observation(stats, r->state, room, &state, error));
    TRY(env_successors(s->options.graph, &state, is_reset ? 0 : r->action, hear, l, error));
    for (uint32_t b = 0; b < r->width && *branch == SAMPLE_NONE; b++)
        if (l->told[stats->targets.items[r->begin + b]] != row + 1)
            *branch = b;
    return OPAC_OK;
}

/* The first such row; SAMPLE_NONE: there is none. */
static opac_status search(const bracket_support *s, const sample_statistics *stats, uint32_t *row,
                          uint32_t *branch, opac_error *error)
{
    base_u64_vec room = {0};
    listener l = {.stats = stats,
                  .told = base_alloc_zeroed(stats->states.count + 1, sizeof *l.told)};
    opac_status status = l.told != NULL ? OPAC_OK : base_fail_memory(error);
    *row = *branch = SAMPLE_NONE;
    for (uint32_t r = 0; r < stats->rows.count && status == OPAC_OK && *row == SAMPLE_NONE; r++) {
        if ((double)stats->rows.items[r].seen > bracket_support_most_by_pmin(s, r))
            *row = r;
        else if (s->options.graph != NULL && stats->rows.items[r].width > 0) {
            status = find_stray(s, &l, r, &room, branch, error);
            *row = *branch != SAMPLE_NONE ? r : SAMPLE_NONE;
        }
    }
    base_free(l.told);
    base_u64_vec_fini(&room);
    return status;
}

static opac_status meet_here(bracket_support *s, const sample_statistics *other, uint32_t state,
                             uint32_t *here, opac_error *error)
{
    base_u64_vec room = {0};
    opac_observation seen;
    opac_status status = sample_statistics_get_observation(other, state, &room, &seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(s->stats, &seen, here, error);
    base_u64_vec_fini(&room);
    return status;
}

opac_status bracket_support_check_trial(bracket_support *s, const sample_statistics *other,
                                        opac_error *error)
{
    uint32_t row, branch, state;
    TRY(search(s, other, &row, &branch, error));
    if (row == SAMPLE_NONE || s->found.kind != OPAC_REFUTED_NONE)
        return OPAC_OK;
    const sample_row *r = &other->rows.items[row];
    sample_refutation found = {.kind = OPAC_REFUTED_WIDTH,
                               .row = s->stats->reset_row, /* has the same number in both */
                               .state = SAMPLE_NONE,
                               .count = r->seen,
                               .visits = other->counters.items[row].count};
    if (r->state != SAMPLE_NONE) {
        TRY(meet_here(s, other, r->state, &state, error));
        found.row = sample_statistics_row(s->stats, state, r->action);
    }
    if (branch != SAMPLE_NONE) {
        found.kind = OPAC_REFUTED_EDGE;
        found.count = sample_statistics_observed(other, row, branch);
        TRY(meet_here(s, other, other->targets.items[r->begin + branch], &found.state, error));
    }
    s->found = found;
    return OPAC_OK;
}
