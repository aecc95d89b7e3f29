/* SPDX-License-Identifier: MIT */
/*
 * Checks the statistics of the trial of a simulator. A row with more successors than its p_min allows, or
 * with one that the graph does not have, refutes the assumption. The states involved are then added to the
 * run's statistics, so that messages can name them.
 */
#include "base/alloc.h"
#include "bracket/support_form.h"
#include "sample/statistics_form.h"

/* Marks the states that the graph lists as successors of the current row. */
typedef struct listener {
    const sample_statistics *stats;
    uint32_t *listed; /* by state: 1 plus the last row that it was listed for; 0 if there is none */
    uint32_t row;
} listener;

static opac_status mark_successor(void *context, const opac_observation *successor, uint64_t count,
                                  opac_error *error)
{
    const listener *l = context;
    uint32_t state;
    (void)count;
    (void)error;
    if (base_intern_find(&l->stats->keys, successor->key, successor->length, &state))
        l->listed[state] = l->row + 1;
    return OPAC_OK;
}

/* *branch: a branch that was seen, and that the graph does not have; SAMPLE_NONE if there is none. */
static opac_status find_unlisted(const bracket_support *s, listener *l, uint32_t row,
                                 base_u64_vec *key_buffer, uint32_t *branch, opac_error *error)
{
    const sample_statistics *stats = l->stats;
    const sample_row *r = &stats->rows.items[row];
    bool is_reset = r->state == SAMPLE_NONE;
    opac_observation state = {0};
    l->row = row;
    *branch = SAMPLE_NONE;
    if (!is_reset)
        TRY(sample_statistics_get_observation(stats, r->state, key_buffer, &state, error));
    TRY(env_successors(s->options.graph, &state, is_reset ? 0 : r->action, mark_successor, l,
                       error));
    for (uint32_t b = 0; b < r->width && *branch == SAMPLE_NONE; b++)
        if (l->listed[stats->targets.items[r->begin + b]] != row + 1)
            *branch = b;
    return OPAC_OK;
}

/* Whether a row has more successors than its p_min allows. A function for p_min is asked, since the rows of
 * the trial have other numbers; not for a single successor, which is always allowed. */
static opac_status has_too_many(const bracket_support *s, const sample_statistics *stats,
                                uint32_t row, bool *has, opac_error *error)
{
    uint32_t seen = stats->rows.items[row].seen;
    bool is_reset = stats->rows.items[row].state == SAMPLE_NONE;
    double pmin = is_reset ? s->options.pmin_start : s->options.pmin;
    if (s->options.pmin_of != NULL && !is_reset && seen > 1)
        TRY(bracket_support_ask(s, stats, row, &pmin, error));
    *has = (double)seen > bracket_support_most_by(pmin);
    return OPAC_OK;
}

/* The first refuting row; SAMPLE_NONE if there is none. *branch: its branch that the graph does not have. */
static opac_status search(const bracket_support *s, const sample_statistics *stats, uint32_t *row,
                          uint32_t *branch, opac_error *error)
{
    base_u64_vec key_buffer = {0};
    listener l = {.stats = stats,
                  .listed = base_alloc_zeroed(stats->states.count + 1, sizeof *l.listed)};
    opac_status status = l.listed != NULL ? OPAC_OK : base_fail_memory(error);
    *row = *branch = SAMPLE_NONE;
    for (uint32_t r = 0; r < stats->rows.count && status == OPAC_OK && *row == SAMPLE_NONE; r++) {
        bool has = false;
        status = has_too_many(s, stats, r, &has, error);
        if (has)
            *row = r;
        else if (status == OPAC_OK && s->options.graph != NULL && stats->rows.items[r].width > 0) {
            status = find_unlisted(s, &l, r, &key_buffer, branch, error);
            *row = *branch != SAMPLE_NONE ? r : SAMPLE_NONE;
        }
    }
    base_free(l.listed);
    base_u64_vec_fini(&key_buffer);
    return status;
}

/* Adds a state of the other statistics to those of the run. */
static opac_status copy_state(bracket_support *s, const sample_statistics *other, uint32_t state,
                              uint32_t *here, opac_error *error)
{
    base_u64_vec key_buffer = {0};
    opac_observation seen;
    opac_status status = sample_statistics_get_observation(other, state, &key_buffer, &seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(s->stats, &seen, here, error);
    base_u64_vec_fini(&key_buffer);
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
        TRY(copy_state(s, other, r->state, &state, error));
        found.row = sample_statistics_row(s->stats, state, r->action);
    }
    if (branch != SAMPLE_NONE) {
        found.kind = OPAC_REFUTED_EDGE;
        found.count = sample_statistics_observed(other, row, branch);
        TRY(copy_state(s, other, other->targets.items[r->begin + branch], &found.state, error));
    }
    s->found = found;
    return OPAC_OK;
}
