/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "aut/automaton.h"
#include "base/alloc.h"
#include "base/hash.h"

static void record(aut_builder *builder, const opac_error *error)
{
    if (builder->problem.code == OPAC_OK)
        builder->problem = *error;
}

opac_status aut_builder_new(aut_bdd_store *labels, aut_builder **builder, opac_error *error)
{
    aut_builder *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->labels = aut_bdd_store_share(labels);
    made->state_limit = AUT_STATE_LIMIT;
    *builder = made;
    return OPAC_OK;
}

opac_status aut_builder_like(const opac_automaton *automaton, aut_builder **builder,
                             opac_error *error)
{
    TRY(aut_builder_new(automaton->labels, builder, error));
    aut_builder_propositions(*builder, (const char *const *)automaton->propositions,
                             automaton->proposition_count);
    if (automaton->name != NULL)
        aut_builder_name(*builder, automaton->name);
    return OPAC_OK;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++)
        base_free(texts[i]);
    base_free(texts);
}

void aut_builder_free(aut_builder *builder)
{
    if (builder == NULL)
        return;
    aut_bdd_store_free(builder->labels);
    free_texts(builder->propositions, builder->proposition_count);
    free_texts(builder->state_names, builder->state_names_capacity);
    aut_new_edge_vec_fini(&builder->edges);
    base_u32_vec_fini(&builder->initial);
    aut_condition_fini(&builder->condition);
    base_free(builder->name);
    base_free(builder);
}

/* A copy of the text; NULL if memory is exhausted, which is recorded. */
static char *copy_text(aut_builder *builder, const char *text, size_t length)
{
    char *copy = base_copy_text(text, length);
    opac_error error;
    if (copy == NULL) {
        base_fail_memory(&error);
        record(builder, &error);
    }
    return copy;
}

void aut_builder_propositions(aut_builder *builder, const char *const *names, uint32_t count)
{
    opac_error error;
    assert(builder->propositions == NULL);
    if (count > AUT_MOST_PROPOSITIONS) {
        base_fail(&error, OPAC_ERROR_LIMIT,
                  "the automaton has %u propositions; at most %d are supported", count,
                  AUT_MOST_PROPOSITIONS);
        record(builder, &error);
        return;
    }
    builder->propositions = base_alloc_zeroed(count, sizeof *builder->propositions);
    if (builder->propositions == NULL) {
        base_fail_memory(&error);
        record(builder, &error);
        return;
    }
    builder->proposition_count = count;
    for (uint32_t i = 0; i < count; i++)
        builder->propositions[i] = copy_text(builder, names[i], strlen(names[i]));
}

opac_status aut_fail_states(uint32_t limit, opac_error *error)
{
    return base_fail_limit(error, "state_limit", limit, "the automaton has more than %u states",
                           limit);
}

void aut_builder_add_states(aut_builder *builder, uint32_t count)
{
    if (count > builder->state_limit - builder->state_count) {
        opac_error error;
        aut_fail_states(builder->state_limit, &error);
        record(builder, &error);
        return;
    }
    builder->state_count += count;
}

uint32_t aut_builder_add_state(aut_builder *builder)
{
    aut_builder_add_states(builder, 1);
    return builder->state_count == 0 ? 0 : builder->state_count - 1;
}

void aut_builder_edge(aut_builder *builder, uint32_t source, aut_edge edge)
{
    opac_error error = {.code = OPAC_OK};
    if (builder->problem.code != OPAC_OK || edge.label == AUT_BDD_FALSE)
        return;
    if (aut_bdd_store_spend(builder->labels, 1))
        aut_bdd_store_check(builder->labels, &error);
    else if (builder->edges.count >= AUT_EDGE_LIMIT)
        base_fail(&error, OPAC_ERROR_LIMIT, "the automaton has more than %d edges", AUT_EDGE_LIMIT);
    else
        aut_new_edge_vec_push(&builder->edges, (aut_new_edge){source, edge}, &error);
    if (error.code != OPAC_OK)
        record(builder, &error);
}

void aut_builder_initial(aut_builder *builder, uint32_t state)
{
    opac_error error;
    if (base_u32_vec_push(&builder->initial, state, &error) != OPAC_OK)
        record(builder, &error);
}

void aut_builder_name(aut_builder *builder, const char *name)
{
    base_free(builder->name);
    builder->name = copy_text(builder, name, strlen(name));
}

void aut_builder_state_name(aut_builder *builder, uint32_t state, const char *name, size_t length)
{
    opac_error error;
    size_t old = builder->state_names_capacity;
    void *names = builder->state_names;
    if (state >= old) {
        opac_status status = base_reserve(&names, &builder->state_names_capacity, (size_t)state + 1,
                                          sizeof *builder->state_names, &error);
        builder->state_names = names;
        if (status != OPAC_OK) {
            record(builder, &error);
            return;
        }
        memset(builder->state_names + old, 0,
               (builder->state_names_capacity - old) * sizeof *builder->state_names);
    }
    base_free(builder->state_names[state]);
    builder->state_names[state] = copy_text(builder, name, length);
}

void aut_builder_condition(aut_builder *builder, aut_condition *condition, uint32_t mark_count)
{
    opac_error error;
    aut_condition_fini(&builder->condition);
    builder->condition = *condition;
    *condition = (aut_condition){0};
    builder->mark_count = mark_count;
    if (mark_count > AUT_MOST_MARKS) {
        base_fail(&error, OPAC_ERROR_LIMIT,
                  "the automaton needs %u acceptance marks; at most %d are supported", mark_count,
                  AUT_MOST_MARKS);
        record(builder, &error);
    }
}

void aut_builder_copy_condition(aut_builder *builder, const aut_condition *condition,
                                uint32_t mark_count)
{
    opac_error error;
    aut_condition copy;
    if (aut_condition_copy(condition, &copy, &error) != OPAC_OK)
        record(builder, &error);
    else
        aut_builder_condition(builder, &copy, mark_count);
}

/* ---- finishing ---- */

/* Sorts the initial states and removes duplicates. */
static opac_status sort_initial(aut_builder *builder, opac_automaton *automaton, opac_error *error)
{
    uint8_t *is_initial = base_alloc_zeroed(builder->state_count, 1);
    automaton->initial = base_alloc(builder->initial.count, sizeof *automaton->initial);
    if (is_initial == NULL || automaton->initial == NULL) {
        base_free(is_initial);
        return base_fail_memory(error);
    }
    for (size_t i = 0; i < builder->initial.count; i++) {
        assert(builder->initial.items[i] < builder->state_count);
        is_initial[builder->initial.items[i]] = 1;
    }
    for (uint32_t state = 0; state < builder->state_count; state++)
        if (is_initial[state])
            automaton->initial[automaton->initial_count++] = state;
    base_free(is_initial);
    return OPAC_OK;
}

/* A stable counting sort by source. */
static opac_status sort_edges(const aut_builder *builder, opac_automaton *automaton,
                              opac_error *error)
{
    size_t states = builder->state_count, count = builder->edges.count;
    uint32_t *begin = base_alloc_zeroed(states + 2, sizeof *begin);
    automaton->edge_begin = begin;
    automaton->edges = base_alloc(count, sizeof *automaton->edges);
    if (begin == NULL || automaton->edges == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        assert(builder->edges.items[i].source < states);
        assert(builder->edges.items[i].edge.target < states);
        begin[builder->edges.items[i].source + 2]++;
    }
    for (size_t state = 0; state < states; state++)
        begin[state + 2] += begin[state + 1];
    for (size_t i = 0; i < count; i++)
        automaton->edges[begin[builder->edges.items[i].source + 1]++] =
            builder->edges.items[i].edge;
    return OPAC_OK;
}

/* Whether two edges of a state can be joined. */
static bool can_join(const aut_edge *a, const aut_edge *b)
{
    return a->target == b->target && a->marks == b->marks &&
           (a->label == AUT_EPSILON) == (b->label == AUT_EPSILON);
}

/*
 * Joins edges of a state that differ only in their label. They are found by hashing, because a state can have
 * thousands of edges. slots[i] is 1 + the index of an edge, relative to the first edge of the state; 0 if
 * empty.
 */
static opac_status join_edges(opac_automaton *automaton, opac_error *error)
{
    uint32_t kept = 0, widest = 0;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        uint32_t width = automaton->edge_begin[state + 1] - automaton->edge_begin[state];
        widest = width > widest ? width : widest;
    }
    size_t size = 4;
    while (size < 2 * (size_t)widest)
        size *= 2;
    uint32_t *slots = base_alloc_zeroed(size, sizeof *slots);
    if (slots == NULL)
        return base_fail_memory(error);
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        uint32_t begin = automaton->edge_begin[state], end = automaton->edge_begin[state + 1];
        uint32_t first = kept;
        size_t mask = 3;
        while (mask + 1 < 2 * (size_t)(end - begin))
            mask = 2 * mask + 1;
        memset(slots, 0, (mask + 1) * sizeof *slots);
        automaton->edge_begin[state] = kept;
        if (aut_bdd_store_spend(automaton->labels, 1 + (uint64_t)(end - begin)))
            break;
        for (uint32_t i = begin; i < end; i++) {
            aut_edge edge = automaton->edges[i];
            size_t at = (size_t)base_hash_word(base_hash_word(edge.marks) + edge.target) & mask;
            while (slots[at] != 0 && !can_join(&automaton->edges[first + slots[at] - 1], &edge))
                at = (at + 1) & mask;
            if (slots[at] == 0) {
                automaton->edges[kept++] = edge;
                slots[at] = kept - first;
            } else if (edge.label != AUT_EPSILON) {
                aut_edge *other = &automaton->edges[first + slots[at] - 1];
                other->label = aut_bdd_or(automaton->labels, other->label, edge.label);
            }
        }
    }
    automaton->edge_begin[automaton->state_count] = kept;
    base_free(slots);
    return aut_bdd_store_check(automaton->labels, error);
}

/* Sets is_deterministic and is_complete. */
static opac_status check_letters(opac_automaton *automaton, opac_error *error)
{
    aut_bdd_store *labels = automaton->labels;
    automaton->is_deterministic = automaton->initial_count <= 1;
    automaton->is_complete = automaton->initial_count > 0;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        aut_bdd seen = AUT_BDD_FALSE;
        if (!automaton->is_deterministic && !automaton->is_complete)
            break; /* the result is known */
        if (aut_bdd_store_failed(labels))
            break;
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++) {
            aut_bdd label = automaton->edges[i].label;
            if (automaton->is_deterministic &&
                (label == AUT_EPSILON || !aut_bdd_disjoint(labels, seen, label)))
                automaton->is_deterministic = false;
            if (label != AUT_EPSILON)
                seen = aut_bdd_or(labels, seen, label);
        }
        if (seen != AUT_BDD_TRUE)
            automaton->is_complete = false;
    }
    return aut_bdd_store_check(labels, error);
}

/* Moves the names of states into the automaton, if any state has one. */
static opac_status move_state_names(aut_builder *builder, opac_automaton *automaton,
                                    opac_error *error)
{
    if (builder->state_names == NULL)
        return OPAC_OK;
    automaton->state_names = base_alloc_zeroed(builder->state_count, sizeof(char *));
    if (automaton->state_names == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < builder->state_names_capacity && i < builder->state_count; i++) {
        automaton->state_names[i] = builder->state_names[i];
        builder->state_names[i] = NULL;
    }
    return OPAC_OK;
}

static opac_status fill(aut_builder *builder, opac_automaton *automaton, opac_error *error)
{
    automaton->labels = aut_bdd_store_share(builder->labels);
    automaton->state_count = builder->state_count;
    TRY(sort_edges(builder, automaton, error));
    TRY(join_edges(automaton, error));
    TRY(sort_initial(builder, automaton, error));
    TRY(check_letters(automaton, error));
    TRY(move_state_names(builder, automaton, error));
    automaton->propositions = builder->propositions;
    automaton->proposition_count = builder->proposition_count;
    automaton->condition = builder->condition;
    automaton->mark_count = builder->mark_count;
    automaton->name = builder->name;
    builder->propositions = NULL;
    builder->condition = (aut_condition){0};
    builder->name = NULL;
    return OPAC_OK;
}

opac_status aut_builder_finish(aut_builder *builder, opac_automaton **automaton, opac_error *error)
{
    opac_automaton *made = NULL;
    opac_status status = builder->problem.code;
    if (status != OPAC_OK) {
        if (error != NULL)
            *error = builder->problem;
        goto done;
    }
    TRY_OR(done, aut_bdd_store_check(builder->labels, error));
    made = base_alloc_zeroed(1, sizeof *made);
    TRY_OR(done, made != NULL ? fill(builder, made, error) : base_fail_memory(error));
    *automaton = made;
    made = NULL;
done:
    opac_automaton_free(made);
    aut_builder_free(builder);
    return status;
}
