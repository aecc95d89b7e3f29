/* SPDX-License-Identifier: MIT */
/*
 * Which rows are complete, as words:
 *
 *     rows that are, whether the graph was explored
 *     by such a row, ascending:   its number, its width, its branches in their order
 *
 * Their counts are the world's. Intervals are computed anew.
 */
#include "learn/support_form.h"
#include "learn/world_restore.h"

enum {
    HEAD = 2,
    EACH = 2
};

opac_status learn_support_save(const learn_support *s, base_u64_vec *words, opac_error *error)
{
    const learn_world *world = s->world;
    size_t rows = 0, branches = 0;
    for (uint32_t row = 0; row < s->rows.count; row++)
        if (learn_support_is_complete(s, row)) {
            rows++;
            branches += world->counters.items[row].ordered;
        }
    size_t needed = words->count + HEAD + EACH * rows + branches;
    opac_status status = base_u64_vec_reserve(words, needed, error);
    if (status != OPAC_OK)
        return status;
    words->items[words->count++] = rows;
    words->items[words->count++] = s->explored;
    for (uint32_t row = 0; row < s->rows.count; row++) {
        uint32_t width;
        const uint32_t *order = learn_world_order(world, row, &width);
        if (!learn_support_is_complete(s, row))
            continue;
        words->items[words->count++] = row;
        words->items[words->count++] = width;
        for (uint32_t i = 0; i < width; i++)
            words->items[words->count++] = order[i];
    }
    return OPAC_OK;
}

/* ---- restoring ---- */

static opac_status refuse(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the supports do not fit what was seen");
}

/* The branches of a row from its words; they were observed, unless a graph has told of them. */
static opac_status restore_row(learn_support *s, uint32_t row, const uint64_t *words,
                               uint64_t width, opac_error *error)
{
    opac_status status = OPAC_OK;
    s->branches.count = 0;
    for (uint64_t i = 0; i < width && status == OPAC_OK; i++) {
        if (words[i] >= LEARN_NONE ||
            (s->options.graph == NULL &&
             learn_world_observed(s->world, row, (uint32_t)words[i]) == 0))
            return refuse(error);
        status = base_u32_vec_push(&s->branches, (uint32_t)words[i], error);
    }
    if (status == OPAC_OK)
        status = learn_restore_order(s->world, row, s->branches.items, (uint32_t)width, error);
    return status == OPAC_OK ? learn_support_make_room(s, row, error) : status;
}

opac_status learn_support_restore(learn_support *s, const uint64_t *words, size_t count,
                                  size_t *used, opac_error *error)
{
    const learn_world *world = s->world;
    size_t at = HEAD;
    if (count < HEAD || words[0] != world->known || words[1] > (s->options.graph != NULL))
        return refuse(error);
    opac_status status = learn_support_grow(s, error);
    uint64_t next = 0; /* the row after the last one */
    for (uint64_t i = 0; i < words[0] && status == OPAC_OK; i++) {
        if (count - at < EACH || words[at] < next || words[at] >= s->rows.count ||
            words[at + 1] > count - at - EACH)
            return refuse(error);
        next = words[at] + 1;
        status = restore_row(s, (uint32_t)words[at], words + at + EACH, words[at + 1], error);
        at += EACH + (size_t)words[at + 1];
    }
    s->explored = words[1] != 0;
    *used = at;
    return status == OPAC_OK ? learn_restore_check(s->world, error) : status;
}
