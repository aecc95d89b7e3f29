/* SPDX-License-Identifier: MIT */
/* Classes of rows and their outcomes: see classes.h. A draw costs a look-up in a hash table and a logarithm. */
#include "sample/classes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "graph/process.h"

enum {
    CLASS_BYTES = sizeof(uint32_t), /* of the number of a class before the name of an outcome */
    SHORT = 256                     /* a longer pair is copied to memory of its own */
};

/* ---- construction ---- */

opac_status sample_classes_new(sample_classes **classes, opac_error *error)
{
    sample_classes *made = base_alloc_zeroed(1, sizeof *made);
    *classes = made;
    if (made == NULL)
        return base_fail_memory(error);
    base_intern_init(&made->names);
    base_intern_init(&made->pairs);
    made->names.limit = made->pairs.limit = GRAPH_LARGEST;
    return OPAC_OK;
}

void sample_classes_free(sample_classes *c)
{
    if (c == NULL)
        return;
    base_intern_fini(&c->names);
    base_intern_fini(&c->pairs);
    sample_class_vec_fini(&c->classes);
    sample_outcome_vec_fini(&c->outcomes);
    sample_class_row_vec_fini(&c->rows);
    sample_shown_vec_fini(&c->shown);
    base_map_fini(&c->shown_of);
    base_free(c);
}

/* ---- names ---- */

static void write_pair(unsigned char *buffer, uint32_t class, const opac_observation *seen)
{
    memcpy(buffer, &class, CLASS_BYTES);
    memcpy(buffer + CLASS_BYTES, seen->outcome, seen->outcome_length);
}

bool sample_classes_find(const sample_classes *c, const opac_observation *seen, uint32_t *outcome)
{
    unsigned char pair[SHORT];
    uint32_t class;
    if (seen->outcome_length > SHORT - CLASS_BYTES ||
        !base_intern_find(&c->names, seen->row_class, seen->row_class_length, &class))
        return false;
    write_pair(pair, class, seen);
    return base_intern_find(&c->pairs, pair, CLASS_BYTES + seen->outcome_length, outcome);
}

static opac_status add_class(sample_classes *c, const opac_observation *seen, uint32_t *class,
                             opac_error *error)
{
    bool is_new;
    TRY(sample_class_vec_reserve(&c->classes, c->classes.count + 1, error));
    TRY(base_intern_add(&c->names, seen->row_class, seen->row_class_length, class, &is_new, error));
    if (is_new)
        c->classes.items[c->classes.count++] =
            (sample_class){.first = SAMPLE_NO_OUTCOME, .last = SAMPLE_NO_OUTCOME};
    return OPAC_OK;
}

opac_status sample_classes_add(sample_classes *c, const opac_observation *seen, uint32_t *outcome,
                               opac_error *error)
{
    unsigned char small[SHORT], *pair = small;
    size_t length = CLASS_BYTES + seen->outcome_length;
    uint32_t class;
    bool is_new;
    TRY(add_class(c, seen, &class, error));
    TRY(sample_outcome_vec_reserve(&c->outcomes, c->outcomes.count + 1, error));
    if (length > SHORT)
        pair = base_alloc(length, 1);
    if (pair == NULL)
        return base_fail_memory(error);
    write_pair(pair, class, seen);
    opac_status status = base_intern_add(&c->pairs, pair, length, outcome, &is_new, error);
    if (status == OPAC_OK && is_new)
        c->outcomes.items[c->outcomes.count++] =
            (sample_outcome){.class = class, .next = SAMPLE_NO_OUTCOME};
    if (pair != small)
        base_free(pair);
    return status;
}

const unsigned char *sample_classes_name(const sample_classes *c, uint32_t class, size_t *length)
{
    return base_intern_key(&c->names, class, length);
}

const unsigned char *sample_classes_outcome_name(const sample_classes *c, uint32_t outcome,
                                                 size_t *length)
{
    const unsigned char *pair = base_intern_key(&c->pairs, outcome, length);
    *length -= CLASS_BYTES;
    return pair + CLASS_BYTES;
}

/* ---- counting ---- */

static opac_status grow_rows(sample_classes *c, uint32_t row, opac_error *error)
{
    TRY(sample_class_row_vec_reserve(&c->rows, (size_t)row + 1, error));
    while (c->rows.count <= row)
        c->rows.items[c->rows.count++] = (sample_class_row){
            .class = SAMPLE_NO_OUTCOME, .first = SAMPLE_NO_OUTCOME, .last = SAMPLE_NO_OUTCOME};
    return OPAC_OK;
}

static void refute(sample_classes *c, opac_refutation kind, uint32_t row, uint32_t branch)
{
    if (c->refutation != OPAC_REFUTED_NONE)
        return;
    c->refutation = kind;
    c->refuting_row = row;
    c->refuting_branch = branch;
}

/* The entry of an outcome of a row, which is added if it is new. */
static opac_status find_shown(sample_classes *c, uint32_t row, uint32_t outcome, uint32_t branch,
                              sample_shown **shown, opac_error *error)
{
    sample_class_row *r = &c->rows.items[row];
    uint64_t *place;
    TRY(sample_shown_vec_reserve(&c->shown, c->shown.count + 1, error));
    TRY(base_map_at(&c->shown_of, (uint64_t)row << 32 | outcome, &place, error));
    if (*place == 0) {
        if (c->shown.count >= GRAPH_LARGEST)
            return base_fail(error, OPAC_ERROR_LIMIT, "more than %u outcomes of rows",
                             (unsigned)GRAPH_LARGEST);
        uint32_t number = (uint32_t)c->shown.count;
        c->shown.items[c->shown.count++] =
            (sample_shown){.outcome = outcome, .branch = branch, .next = SAMPLE_NO_OUTCOME};
        if (r->first == SAMPLE_NO_OUTCOME)
            r->first = number;
        else
            c->shown.items[r->last].next = number;
        r->last = number;
        r->outcomes++;
        *place = (uint64_t)number + 1;
    }
    *shown = &c->shown.items[*place - 1];
    return OPAC_OK;
}

/* Counts a draw of the class, and discovers the outcome if it is new. */
static void count_outcome(sample_classes *c, uint32_t outcome)
{
    sample_outcome *o = &c->outcomes.items[outcome];
    sample_class *class = &c->classes.items[o->class];
    if (class->draws++ == 0)
        class->index = ++c->discovered;
    if (o->count++ > 0)
        return;
    o->from = class->draws;
    if (class->first == SAMPLE_NO_OUTCOME)
        class->first = outcome;
    else
        c->outcomes.items[class->last].next = outcome;
    class->last = outcome;
    class->outcomes++;
}

/*
 * The predictor of Lemma 27. Before a draw, a row with n draws of a class with k outcomes gives to an outcome that it
 * has shown m times the probability (m + 1/2)/(n + (k+1)/2), and to all outcomes that are new to the class 1/2 of the
 * same.
 */
static double log_prediction(const sample_class *class, const sample_outcome *o, uint64_t shown,
                             uint64_t draws)
{
    double most = (double)draws + ((double)class->outcomes + 1) / 2;
    return log(((o->count > 0 ? (double)shown : 0) + 0.5) / most);
}

opac_status sample_classes_observe(sample_classes *c, uint32_t row, uint32_t outcome,
                                   uint32_t branch, opac_error *error)
{
    sample_outcome *o = &c->outcomes.items[outcome];
    sample_shown *shown = NULL;
    TRY(grow_rows(c, row, error));
    TRY(find_shown(c, row, outcome, branch, &shown, error));
    assert(shown != NULL);
    sample_class_row *r = &c->rows.items[row];
    if (r->class == SAMPLE_NO_OUTCOME)
        r->class = o->class;
    else if (r->class != o->class)
        refute(c, OPAC_REFUTED_CLASS, row, branch);
    if (shown->branch != branch)
        refute(c, OPAC_REFUTED_OUTCOME, row, branch);
    sample_class *class = &c->classes.items[o->class];
    class->log_rows += log_prediction(class, o, shown->count, r->draws);
    shown->count++;
    r->draws++;
    count_outcome(c, outcome);
    return OPAC_OK;
}

/* ---- the test ---- */

double sample_classes_log_ratio(const sample_classes *c, uint32_t class)
{
    const sample_class *k = &c->classes.items[class];
    double log_most = 0, later = (double)k->draws - k->outcomes;
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        double hits = (double)c->outcomes.items[o].count - 1;
        log_most += hits > 0 ? hits * log(hits / later) : 0;
    }
    return k->log_rows - log_most;
}
