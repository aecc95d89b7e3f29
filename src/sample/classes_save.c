/* SPDX-License-Identifier: MIT */
/*
 * The classes as words of a checkpoint:
 *
 *     refutation, its row, its branch
 *     number of classes; for each:     length and bytes of its name, its index, log_rows
 *     number of outcomes; for each:    its class, length and bytes of its name, from
 *     number of rows; for each:        number of shown outcomes; for each: outcome, branch, count
 *
 * Bytes are padded to words. Counts of classes and outcomes are sums over the rows. A row's class is that of its first
 * outcome. The order of discovery follows from `from`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "sample/classes.h"
#include "sample/statistics.h"

enum {
    WORD = sizeof(uint64_t),
    MOST_BYTES = 1 << 24 /* of a name */
};

/* ---- saving ---- */

static opac_status put(base_u64_vec *words, uint64_t word, opac_error *error)
{
    return base_u64_vec_push(words, word, error);
}

static opac_status put_bytes(base_u64_vec *words, const unsigned char *bytes, size_t length,
                             opac_error *error)
{
    size_t count = (length + WORD - 1) / WORD;
    TRY(put(words, length, error));
    TRY(base_u64_vec_reserve(words, words->count + count, error));
    memset(words->items + words->count, 0, count * WORD);
    memcpy(words->items + words->count, bytes, length);
    words->count += count;
    return OPAC_OK;
}

static opac_status save_row(const sample_classes *c, uint32_t row, base_u64_vec *words,
                            opac_error *error)
{
    uint64_t count = 0;
    for (uint32_t s = c->rows.items[row].first; s != SAMPLE_NO_OUTCOME; s = c->shown.items[s].next)
        count++;
    TRY(put(words, count, error));
    for (uint32_t s = c->rows.items[row].first; s != SAMPLE_NO_OUTCOME;
         s = c->shown.items[s].next) {
        TRY(put(words, c->shown.items[s].outcome, error));
        TRY(put(words, c->shown.items[s].branch, error));
        TRY(put(words, c->shown.items[s].count, error));
    }
    return OPAC_OK;
}

opac_status sample_classes_save(const sample_classes *c, base_u64_vec *words, opac_error *error)
{
    size_t length;
    TRY(put(words, c->refutation, error));
    TRY(put(words, c->refuting_row, error));
    TRY(put(words, c->refuting_branch, error));
    TRY(put(words, c->classes.count, error));
    for (uint32_t i = 0; i < c->classes.count; i++) {
        const unsigned char *name = sample_classes_name(c, i, &length);
        TRY(put_bytes(words, name, length, error));
        TRY(put(words, c->classes.items[i].index, error));
        TRY(put(words, base_double_to_bits(c->classes.items[i].log_rows), error));
    }
    TRY(put(words, c->outcomes.count, error));
    for (uint32_t i = 0; i < c->outcomes.count; i++) {
        const unsigned char *name = sample_classes_outcome_name(c, i, &length);
        TRY(put(words, c->outcomes.items[i].class, error));
        TRY(put_bytes(words, name, length, error));
        TRY(put(words, c->outcomes.items[i].from, error));
    }
    TRY(put(words, c->rows.count, error));
    for (uint32_t row = 0; row < c->rows.count; row++)
        TRY(save_row(c, row, words, error));
    return OPAC_OK;
}

/* ---- restoring ---- */

typedef struct words_source {
    const uint64_t *words;
    size_t count, at;
} words_source;

static opac_status refuse(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the classes do not match the observations");
}

/* Takes a word that is at most `most`. */
static opac_status take(words_source *s, uint64_t most, uint64_t *word, opac_error *error)
{
    *word = 0;
    if (s->at == s->count || s->words[s->at] > most)
        return refuse(error);
    *word = s->words[s->at++];
    return OPAC_OK;
}

static opac_status take_bytes(words_source *s, const void **bytes, size_t *length,
                              opac_error *error)
{
    uint64_t given;
    TRY(take(s, MOST_BYTES, &given, error));
    size_t count = ((size_t)given + WORD - 1) / WORD;
    if (given == 0 || count > s->count - s->at)
        return refuse(error);
    *bytes = s->words + s->at;
    *length = (size_t)given;
    s->at += count;
    return OPAC_OK;
}

static opac_status restore_classes(sample_classes *c, words_source *s, opac_error *error)
{
    uint64_t count, index, bits;
    TRY(take(s, s->count, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        opac_observation seen = {0};
        uint32_t class;
        double log_rows;
        TRY(take_bytes(s, &seen.row_class, &seen.row_class_length, error));
        TRY(take(s, count, &index, error));
        TRY(take(s, UINT64_MAX, &bits, error));
        memcpy(&log_rows, &bits, sizeof bits);
        TRY(base_intern_add(&c->names, seen.row_class, seen.row_class_length, &class, NULL, error));
        if (class != i || !(log_rows <= 0) || !isfinite(log_rows))
            return refuse(error);
        TRY(sample_class_vec_push(&c->classes,
                                  (sample_class){.index = index,
                                                 .first = SAMPLE_NO_OUTCOME,
                                                 .last = SAMPLE_NO_OUTCOME,
                                                 .log_rows = log_rows},
                                  error));
    }
    return OPAC_OK;
}

static opac_status restore_outcomes(sample_classes *c, words_source *s, opac_error *error)
{
    uint64_t count, class, from;
    TRY(take(s, s->count, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        opac_observation seen = {0};
        uint32_t outcome;
        if (c->classes.count == 0)
            return refuse(error);
        TRY(take(s, c->classes.count - 1, &class, error));
        TRY(take_bytes(s, &seen.outcome, &seen.outcome_length, error));
        TRY(take(s, UINT64_MAX, &from, error));
        seen.row_class = base_intern_key(&c->names, (uint32_t) class, &seen.row_class_length);
        TRY(sample_classes_add(c, &seen, &outcome, error));
        if (outcome != i)
            return refuse(error);
        c->outcomes.items[i].from = from;
    }
    return OPAC_OK;
}

/* The counts of a row, without those of its class. */
static opac_status restore_row(sample_statistics *stats, uint32_t row, words_source *s,
                               opac_error *error)
{
    sample_classes *c = stats->classes;
    uint64_t count, outcome = 0, branch, hits;
    TRY(take(s, s->count, &count, error));
    if (count > 0 && (c->outcomes.count == 0 || stats->rows.items[row].width == 0))
        return refuse(error);
    uint64_t left = stats->counters.items[row].count;
    for (uint64_t i = 0; i < count; i++) {
        TRY(take(s, c->outcomes.count - 1, &outcome, error));
        TRY(take(s, stats->rows.items[row].width - 1, &branch, error));
        TRY(take(s, left, &hits, error));
        size_t before = c->shown.count;
        if (hits == 0)
            return refuse(error);
        uint64_t was = c->outcomes.items[outcome].count;
        TRY(sample_classes_observe(c, row, (uint32_t)outcome, (uint32_t)branch, error));
        if (c->shown.count == before)
            return refuse(error);
        c->shown.items[before].count = hits;
        c->rows.items[row].draws += hits - 1;
        c->outcomes.items[outcome].count = was + hits;
        c->classes.items[c->outcomes.items[outcome].class].draws += hits - 1;
        left -= hits;
    }
    return left == 0 || row == stats->reset_row ? OPAC_OK : refuse(error);
}

/* Outcomes in the order of discovery, class by class. */
typedef struct discovery {
    uint64_t from;
    uint32_t class, outcome;
} discovery;
BASE_VEC(discovery_vec, discovery);

static int compare(const void *a, const void *b)
{
    const discovery *one = a, *other = b;
    if (one->class != other->class)
        return one->class < other->class ? -1 : 1;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->outcome < other->outcome ? -1 : one->outcome > other->outcome;
}

/* Links the outcomes of a class: the first was shown by its first draw, each later one by a later draw. */
static opac_status link(sample_classes *c, const discovery_vec *found, opac_error *error)
{
    for (size_t i = 0; i < found->count; i++) {
        const discovery *d = &found->items[i];
        sample_class *class = &c->classes.items[d->class];
        bool is_first = i == 0 || d[-1].class != d->class;
        if (is_first ? d->from != 1 : d->from <= d[-1].from)
            return refuse(error);
        if (d->from > class->draws)
            return refuse(error);
        if (is_first)
            class->first = d->outcome;
        else
            c->outcomes.items[d[-1].outcome].next = d->outcome;
        class->last = d->outcome;
        class->outcomes++;
    }
    return OPAC_OK;
}

static opac_status restore_order(sample_classes *c, opac_error *error)
{
    discovery_vec found = {0};
    opac_status status;
    for (uint32_t o = 0; o < c->outcomes.count; o++) {
        sample_outcome *outcome = &c->outcomes.items[o];
        outcome->next = SAMPLE_NO_OUTCOME;
        if ((outcome->count > 0) != (outcome->from > 0))
            TRY_OR(done, refuse(error));
        if (outcome->count > 0)
            TRY_OR(done, discovery_vec_push(&found, (discovery){outcome->from, outcome->class, o},
                                            error));
    }
    for (uint32_t i = 0; i < c->classes.count; i++) {
        sample_class *class = &c->classes.items[i];
        class->first = class->last = SAMPLE_NO_OUTCOME;
        class->outcomes = 0;
    }
    if (found.count > 1)
        qsort(found.items, found.count, sizeof *found.items, compare);
    status = link(c, &found, error);
done:
    discovery_vec_fini(&found);
    return status;
}

/* Whether the indices of the classes with draws are 1, 2, 3 …, each once. */
static opac_status check_indices(sample_classes *c, const base_u64_vec *indices, opac_error *error)
{
    base_u32_vec used = {0};
    opac_status status;
    TRY_OR(done, base_u32_vec_reserve(&used, c->classes.count + 1, error));
    for (size_t i = 0; i <= c->classes.count; i++)
        used.items[i] = 0;
    for (uint32_t i = 0; i < c->classes.count; i++) {
        uint64_t index = indices->items[i];
        if ((index > 0) != (c->classes.items[i].draws > 0) || index > c->discovered ||
            (index > 0 && used.items[index]++ > 0))
            TRY_OR(done, refuse(error));
        c->classes.items[i].index = index;
    }
    status = OPAC_OK;
done:
    base_u32_vec_fini(&used);
    return status;
}

/* Rows are restored by counting a draw of each outcome, which changes what was read of the classes before: it is kept
 * in `kept`: indices of classes, `from` of outcomes, log_rows. */
static opac_status restore_rows(sample_statistics *stats, words_source *s, base_u64_vec *kept,
                                opac_error *error)
{
    sample_classes *c = stats->classes;
    size_t classes = c->classes.count, outcomes = c->outcomes.count;
    uint64_t rows;
    TRY(base_u64_vec_reserve(kept, 2 * classes + outcomes + 1, error));
    for (size_t i = 0; i < classes; i++) {
        kept->items[i] = c->classes.items[i].index;
        kept->items[classes + outcomes + i] = base_double_to_bits(c->classes.items[i].log_rows);
    }
    for (size_t i = 0; i < outcomes; i++)
        kept->items[classes + i] = c->outcomes.items[i].from;
    kept->count = 2 * classes + outcomes;
    TRY(take(s, stats->rows.count, &rows, error));
    for (uint32_t row = 0; row < rows; row++)
        TRY(restore_row(stats, row, s, error));
    for (size_t row = (size_t)rows; row < stats->rows.count; row++)
        if (stats->counters.items[row].count > 0 && row != stats->reset_row)
            return refuse(error);
    for (size_t i = 0; i < outcomes; i++)
        c->outcomes.items[i].from = kept->items[classes + i];
    TRY(restore_order(c, error));
    TRY(check_indices(c, kept, error));
    for (size_t i = 0; i < classes; i++)
        memcpy(&c->classes.items[i].log_rows, &kept->items[classes + outcomes + i], WORD);
    return OPAC_OK;
}

opac_status sample_classes_restore(sample_statistics *stats, const uint64_t *words, size_t count,
                                   size_t *used, opac_error *error)
{
    sample_classes *c = stats->classes;
    words_source s = {.words = words, .count = count};
    base_u64_vec kept = {0};
    uint64_t refutation, row, branch;
    TRY(take(&s, UINT32_MAX, &refutation, error));
    TRY(take(&s, UINT32_MAX, &row, error));
    TRY(take(&s, UINT32_MAX, &branch, error));
    TRY(restore_classes(c, &s, error));
    TRY(restore_outcomes(c, &s, error));
    opac_status status = restore_rows(stats, &s, &kept, error);
    base_u64_vec_fini(&kept);
    TRY(status);
    bool is_refuted = refutation == OPAC_REFUTED_CLASS || refutation == OPAC_REFUTED_OUTCOME;
    if (refutation != OPAC_REFUTED_NONE &&
        (!is_refuted || row >= stats->rows.count || branch >= stats->rows.items[row].width))
        return refuse(error);
    if (c->refutation != OPAC_REFUTED_NONE && !is_refuted)
        return refuse(error);
    c->refutation = (opac_refutation)refutation;
    c->refuting_row = (uint32_t)row;
    c->refuting_branch = (uint32_t)branch;
    *used = s.at;
    return OPAC_OK;
}
