/* SPDX-License-Identifier: MIT */
/*
 * Partition refinement by signatures. The signature of a state is the sorted list of its edges, each as the
 * class of its target, its marks and its label, where labels of edges with equal class and marks are joined.
 * Classes whose members have different signatures are split until there are none.
 *
 * Only predecessors of states whose class has changed need a new signature; they are called touched. When a
 * class is split, its largest part keeps the number, so a state changes its class at most log2 n times
 * (Hopcroft's rule "process all but the largest"). Members that are not touched still have equal signatures,
 * which differ from those of all touched members, since the latter contain a new class number.
 *
 *     members   │ class 0 … │ class 1 … │ …       a permutation of the states;
 *               touched members first             position[s] is the index of s
 */
#include "aut/bisimulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

typedef struct refinement {
    const opac_automaton *automaton;
    uint32_t *members, *position, *class_of; /* by position, by state, by state */
    uint32_t *begin, *count, *touched;       /* by class */
    uint32_t class_count;
    uint32_t *source_begin, *sources; /* by state: the sources of edges to it */
    base_u32_vec queue;               /* classes with touched members */
    aut_edge *row;                    /* the edges of one state */
    base_u32_vec words;               /* signatures of touched members */
    struct signature *signatures;
} refinement;

typedef struct signature {
    uint64_t hash;
    uint32_t state;
    uint32_t length;
    size_t begin; /* in words, until they are sorted */
    const uint32_t *words;
} signature;

/* ---- signatures ---- */

static int compare_edges(const void *a, const void *b)
{
    const aut_edge *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->marks != y->marks)
        return x->marks < y->marks ? -1 : 1;
    return (x->label == AUT_EPSILON) - (y->label == AUT_EPSILON);
}

static opac_status compute_signature(refinement *r, uint32_t state, signature *made,
                                     opac_error *error)
{
    const opac_automaton *automaton = r->automaton;
    uint32_t first = automaton->edge_begin[state];
    uint32_t count = automaton->edge_begin[state + 1] - first, kept = 0;
    if (aut_bdd_store_spend(automaton->labels, 1 + (uint64_t)4 * count))
        return aut_bdd_store_check(automaton->labels, error);
    for (uint32_t i = 0; i < count; i++) {
        r->row[i] = automaton->edges[first + i];
        r->row[i].target = r->class_of[r->row[i].target];
    }
    if (count > 1)
        qsort(r->row, count, sizeof *r->row, compare_edges);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && compare_edges(&r->row[kept - 1], &r->row[i]) == 0) {
            if (r->row[i].label != AUT_EPSILON)
                r->row[kept - 1].label =
                    aut_bdd_or(automaton->labels, r->row[kept - 1].label, r->row[i].label);
        } else {
            r->row[kept++] = r->row[i];
        }
    }
    *made = (signature){.state = state, .length = 4 * kept, .begin = r->words.count};
    TRY(base_u32_vec_reserve(&r->words, r->words.count + made->length, error));
    uint32_t *words = r->words.items + made->begin, *next = words;
    for (uint32_t i = 0; i < kept; i++) {
        *next++ = r->row[i].target;
        *next++ = r->row[i].label;
        *next++ = (uint32_t)r->row[i].marks;
        *next++ = (uint32_t)(r->row[i].marks >> 32);
    }
    r->words.count += made->length;
    made->hash = base_hash_bytes(words, made->length * sizeof *words);
    return OPAC_OK;
}

static int compare_content(const signature *x, const signature *y)
{
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->length == 0 ? 0 : memcmp(x->words, y->words, x->length * sizeof *x->words);
}

static int compare_signatures(const void *a, const void *b)
{
    const signature *x = a, *y = b;
    int order = compare_content(x, y);
    return order != 0 ? order : (x->state > y->state) - (x->state < y->state);
}

/* ---- classes ---- */

static void put(refinement *r, uint32_t index, uint32_t state)
{
    r->members[index] = state;
    r->position[state] = index;
}

/* Moves a state, which needs a new signature, to the touched members at the front of its class. */
static opac_status touch(refinement *r, uint32_t state, opac_error *error)
{
    uint32_t own = r->class_of[state], front = r->begin[own] + r->touched[own];
    if (r->position[state] < front)
        return OPAC_OK;
    if (r->touched[own] == 0)
        TRY(base_u32_vec_push(&r->queue, own, error));
    uint32_t other = r->members[front];
    put(r, r->position[state], other);
    put(r, front, state);
    r->touched[own]++;
    return OPAC_OK;
}

/* Makes a new class of the members at positions begin … begin + count - 1. */
static void make_class(refinement *r, uint32_t begin, uint32_t count)
{
    uint32_t made = r->class_count++;
    r->begin[made] = begin;
    r->count[made] = count;
    r->touched[made] = 0;
    for (uint32_t i = begin; i < begin + count; i++)
        r->class_of[r->members[i]] = made;
}

static opac_status touch_sources(refinement *r, uint32_t class_number, opac_error *error)
{
    opac_status status = OPAC_OK;
    uint32_t begin = r->begin[class_number], end = begin + r->count[class_number];
    /* Touching permutes the members of classes, possibly of this one, so copy them first. */
    base_u32_vec states = {0};
    TRY_OR(done, base_u32_vec_reserve(&states, end - begin, error));
    for (uint32_t i = begin; i < end; i++)
        states.items[states.count++] = r->members[i];
    for (size_t i = 0; i < states.count; i++) {
        uint32_t state = states.items[i];
        for (uint32_t j = r->source_begin[state]; j < r->source_begin[state + 1]; j++)
            TRY_OR(done, touch(r, r->sources[j], error));
    }
done:
    base_u32_vec_fini(&states);
    return status;
}

/* Splits a class by signatures. New classes get the numbers from class_count on. */
static opac_status split_class(refinement *r, uint32_t own, opac_error *error)
{
    uint32_t begin = r->begin[own], count = r->count[own], touched = r->touched[own];
    r->words.count = 0;
    for (uint32_t i = 0; i < touched; i++)
        TRY(compute_signature(r, r->members[begin + i], &r->signatures[i], error));
    for (uint32_t i = 0; i < touched; i++)
        r->signatures[i].words = r->words.items + r->signatures[i].begin;
    if (touched > 1)
        qsort(r->signatures, touched, sizeof *r->signatures, compare_signatures);
    for (uint32_t i = 0; i < touched; i++)
        put(r, begin + i, r->signatures[i].state);
    r->touched[own] = 0;

    /* The largest group keeps the number. Members that are not touched are the last group. */
    uint32_t best = begin + touched, best_count = count - touched;
    for (uint32_t i = 0, next; i < touched; i = next) {
        for (next = i + 1;
             next < touched && compare_content(&r->signatures[i], &r->signatures[next]) == 0;)
            next++;
        if (next - i > best_count) {
            best = begin + i;
            best_count = next - i;
        }
    }
    for (uint32_t i = 0, next; i < touched; i = next) {
        for (next = i + 1;
             next < touched && compare_content(&r->signatures[i], &r->signatures[next]) == 0;)
            next++;
        if (begin + i != best)
            make_class(r, begin + i, next - i);
    }
    if (best < begin + touched && touched < count)
        make_class(r, begin + touched, count - touched);
    r->begin[own] = best;
    r->count[own] = best_count;
    return OPAC_OK;
}

static opac_status refine(refinement *r, opac_error *error)
{
    for (uint32_t s = 0; s < r->automaton->state_count; s++)
        TRY(touch(r, s, error));
    while (r->queue.count > 0) {
        uint32_t own = r->queue.items[--r->queue.count], first = r->class_count;
        TRY(split_class(r, own, error));
        for (uint32_t c = first; c < r->class_count; c++)
            TRY(touch_sources(r, c, error));
    }
    return aut_bdd_store_check(r->automaton->labels, error);
}

/* ---- memory ---- */

static opac_status find_sources(refinement *r, opac_error *error)
{
    const opac_automaton *automaton = r->automaton;
    uint32_t states = automaton->state_count, edges = aut_edge_count(automaton);
    r->source_begin = base_alloc_zeroed((size_t)states + 2, sizeof *r->source_begin);
    r->sources = base_alloc(edges, sizeof *r->sources);
    if (r->source_begin == NULL || r->sources == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < edges; i++)
        r->source_begin[automaton->edges[i].target + 2]++;
    for (size_t s = 0; s < states; s++)
        r->source_begin[s + 2] += r->source_begin[s + 1];
    for (uint32_t s = 0; s < states; s++)
        for (uint32_t i = automaton->edge_begin[s]; i < automaton->edge_begin[s + 1]; i++)
            r->sources[r->source_begin[automaton->edges[i].target + 1]++] = s;
    return OPAC_OK;
}

static opac_status start(refinement *r, opac_error *error)
{
    uint32_t states = r->automaton->state_count, widest = 0;
    for (uint32_t s = 0; s < states; s++) {
        uint32_t width = r->automaton->edge_begin[s + 1] - r->automaton->edge_begin[s];
        widest = width > widest ? width : widest;
    }
    uint32_t **arrays[] = {&r->members, &r->position, &r->class_of,
                           &r->begin,   &r->count,    &r->touched};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = base_alloc_zeroed((size_t)states + 1, sizeof(uint32_t));
        if (*arrays[i] == NULL)
            return base_fail_memory(error);
    }
    r->row = base_alloc(widest, sizeof *r->row);
    r->signatures = base_alloc(states, sizeof *r->signatures);
    if (r->row == NULL || r->signatures == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < states; s++)
        put(r, s, s);
    r->class_count = 1;
    r->count[0] = states;
    return find_sources(r, error);
}

static void finish(refinement *r)
{
    base_free(r->members);
    base_free(r->position);
    base_free(r->class_of);
    base_free(r->begin);
    base_free(r->count);
    base_free(r->touched);
    base_free(r->source_begin);
    base_free(r->sources);
    base_free(r->row);
    base_free(r->signatures);
    base_u32_vec_fini(&r->queue);
    base_u32_vec_fini(&r->words);
}

/* ---- the quotient ---- */

/* Builds the quotient. r->touched and r->begin are reused for the numbers and first members of classes. */
static opac_status build(refinement *r, opac_automaton **made, opac_error *error)
{
    const opac_automaton *automaton = r->automaton;
    uint32_t *number = r->touched, *first = r->begin, count = 0;
    aut_builder *builder;
    TRY(aut_builder_like(automaton, &builder, error));
    builder->state_limit = UINT32_MAX;
    for (uint32_t c = 0; c < r->class_count; c++)
        number[c] = UINT32_MAX;
    for (uint32_t s = 0; s < automaton->state_count; s++)
        if (number[r->class_of[s]] == UINT32_MAX) {
            first[count] = s;
            number[r->class_of[s]] = count++;
        }
    aut_builder_add_states(builder, count);
    for (uint32_t c = 0; c < count; c++) {
        uint32_t s = first[c];
        for (uint32_t i = automaton->edge_begin[s]; i < automaton->edge_begin[s + 1]; i++) {
            aut_edge edge = automaton->edges[i];
            edge.target = number[r->class_of[edge.target]];
            aut_builder_edge(builder, c, edge);
        }
        if (automaton->state_names != NULL && automaton->state_names[s] != NULL)
            aut_builder_state_name(builder, c, automaton->state_names[s],
                                   strlen(automaton->state_names[s]));
    }
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        aut_builder_initial(builder, number[r->class_of[automaton->initial[i]]]);
    aut_builder_copy_condition(builder, &automaton->condition, automaton->mark_count);
    return aut_builder_finish(builder, made, error);
}

opac_status aut_merge_bisimilar(const opac_automaton *given, opac_automaton **made,
                                opac_error *error)
{
    refinement r = {.automaton = given};
    opac_status status;
    TRY_OR(done, start(&r, error));
    TRY_OR(done, refine(&r, error));
    status = build(&r, made, error);
done:
    finish(&r);
    return status;
}
