/* SPDX-License-Identifier: MIT */
/*
 * Toys whose graph is known, observations that are added to statistics directly, and statistics that are
 * restored from others, as by a checkpoint.
 */
#ifndef TEST_LEARN_KNOWN_H
#define TEST_LEARN_KNOWN_H

#include "aut/automaton.h"
#include "bracket/support.h"
#include "learn/toy.h"
#include "sample/statistics_restore.h"

/* ---- a toy that knows its graph ---- */

static inline opac_status known_tell(const toy *t, const uint32_t *targets, uint32_t count,
                                     opac_draws *draws, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint32_t i = count; i-- > 0 && status == OPAC_OK;) { /* not in the order of keys */
        toy at = *t;
        opac_observation seen;
        bool told = false;
        for (uint32_t j = i + 1; j < count; j++)
            told |= targets[j] == targets[i];
        at.state = targets[i];
        toy_see(&at, &seen);
        if (!told)
            status = opac_draws_add(draws, &seen, 1, error);
    }
    return status;
}

static inline opac_status known_successors(void *context, const void *key, size_t length,
                                           uint32_t action, opac_draws *draws, opac_error *error)
{
    const toy *t = context;
    const uint32_t initials[] = {0, 1};
    char text[16] = {0};
    if (key == NULL)
        return known_tell(t, initials, t->initials, draws, error);
    memcpy(text, key, length);
    return known_tell(t, t->target[strtoul(text + 1, NULL, 10)][action], TOY_WIDTH, draws, error);
}

static inline opac_environment *known_environment(toy *t)
{
    return toy_environment_with(t, known_successors);
}

/* The toy's number of a state that was added. */
static inline uint32_t toy_name_of(const sample_statistics *stats, uint32_t state, bool is_model)
{
    size_t length;
    const unsigned char *key = base_intern_key(&stats->keys, state, &length);
    uint32_t number;
    if (!is_model)
        return (uint32_t)(key[1] - '0');
    memcpy(&number, key, sizeof number);
    return number;
}

/* ---- observing by hand ---- */

static inline opac_status known_meet(sample_statistics *stats, const toy *t, uint32_t number,
                                     uint32_t *state, opac_error *error)
{
    toy at = *t;
    opac_observation seen;
    at.state = number;
    toy_see(&at, &seen);
    seen.letter &= (UINT64_C(1) << stats->automaton->proposition_count) - 1;
    return sample_statistics_add_state(stats, &seen, state, error);
}

static inline opac_status known_begin(sample_statistics *stats, const toy *t, opac_error *error)
{
    uint32_t state;
    opac_status status = known_meet(stats, t, 0, &state, error);
    return status == OPAC_OK ? sample_statistics_begin_episode(stats, state, error) : status;
}

/*
 * Counts n observations of an action that led to a state of the toy; n = 0: the successor is added
 * without a count.
 */
static inline opac_status known_observe(sample_statistics *stats, const toy *t, uint32_t row,
                                        uint32_t number, uint64_t n, opac_error *error)
{
    uint32_t state, branch;
    opac_status status = known_meet(stats, t, number, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_branch(stats, row, state, &branch, error);
    return status == OPAC_OK ? sample_statistics_observe(stats, row, branch, n, error) : status;
}

/* ---- other statistics of the same system ---- */

static inline opac_status known_copy_rows(const sample_statistics *from, sample_statistics *to,
                                          opac_error *error)
{
    uint32_t *last = base_alloc(from->states.count + 1, sizeof *last);
    opac_status status = last != NULL ? OPAC_OK : base_fail_memory(error);
    for (size_t i = 0; i < from->states.count && status == OPAC_OK; i++)
        last[i] = SAMPLE_NONE;
    for (uint32_t i = 0; i < from->rows.count && status == OPAC_OK; i++) {
        const sample_row *row = &from->rows.items[i];
        if (row->seen > 0)
            status = sample_restore_row(to, i, from->targets.items + row->begin, row->width, last,
                                        error);
    }
    base_free(last);
    return status;
}

static inline opac_status known_copy_counters(const sample_statistics *from, sample_statistics *to,
                                              opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < from->counters.count && status == OPAC_OK; i++) {
        const sample_counter *c = &from->counters.items[i];
        uint32_t width = c->capacity;
        while (width > 0 && from->observed.items[c->begin + width - 1] == 0)
            width--;
        bool is_known =
            c->known && (c->complete || from->rows_are_open || !from->known_when_complete);
        status =
            sample_restore_counter(to, i, from->observed.items + c->begin, width, is_known, error);
    }
    return status == OPAC_OK
               ? sample_restore_end(to, from->full.items, from->full.count, from->closed, error)
               : status;
}

static inline opac_status known_copy(const sample_statistics *from, sample_statistics *to,
                                     opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < from->states.count && status == OPAC_OK; i++) {
        const sample_state *s = &from->states.items[i];
        opac_observation seen = {.letter = s->letter, .actions = s->actions};
        seen.key = base_intern_key(&from->keys, i, &seen.length);
        status = sample_restore_state(to, &seen, error);
    }
    if (status == OPAC_OK)
        status = known_copy_rows(from, to, error);
    for (uint32_t i = 0; i < from->product_states.count && status == OPAC_OK; i++) {
        const sample_product_state *p = &from->product_states.items[i];
        sample_product_state_kind kind = i == from->reject         ? SAMPLE_PRODUCT_REJECT
                                         : p->state != SAMPLE_NONE ? SAMPLE_PRODUCT_STATES
                                         : i == from->sink         ? SAMPLE_PRODUCT_SINK
                                                                   : SAMPLE_PRODUCT_START;
        status = sample_restore_product_state(to, i, p, kind, from->initial, error);
    }
    if (status == OPAC_OK)
        status = sample_restore_start(to, from->initial, from->start, error);
    return status == OPAC_OK ? known_copy_counters(from, to, error) : status;
}

#endif
