/* SPDX-License-Identifier: MIT */
/*
 * Automata on infinite words with acceptance on edges.
 *
 *     edge_begin  │ 0 │ 3 │ 5 │ …                    by state, and one more
 *     edges       │ label, target, marks │ …         of state 0, of state 1, …
 *
 * A label is a Boolean function over the propositions (variable i of the
 * label store is proposition i), never false; or AUT_EPSILON: the edge consumes
 * no letter, and taking it is a choice of the agent. A letter is a uint64_t
 * whose bit i says that proposition i holds.
 *
 * A state without an edge for a letter rejects. Marks beyond mark_count do not
 * occur on edges nor in the condition.
 *
 * Initial states ascend. is_deterministic and is_complete say what holds of the labels.
 */
#ifndef AUT_AUTOMATON_H
#define AUT_AUTOMATON_H

#include <omegapac/automaton.h>

#include "aut/bdd.h"
#include "aut/condition.h"
#include "base/vec.h"

#define AUT_EPSILON UINT32_MAX /* the label of an edge that consumes no letter */

enum {
    AUT_MOST_PROPOSITIONS = 64,
    AUT_STATE_LIMIT = 1000000, /* the default */
    AUT_EDGE_LIMIT = 64000000,
    AUT_MADE_EDGE_LIMIT = 4000000, /* of automata that are translated */
    AUT_MADE_NODE_LIMIT = 1 << 23  /* of their decision diagrams */
};

typedef struct aut_edge {
    aut_bdd label;
    uint32_t target;
    uint64_t marks;
} aut_edge;

struct opac_automaton {
    aut_bdd_store *labels; /* a reference of its own */
    char **propositions;   /* owned */
    uint32_t proposition_count;
    uint32_t state_count;
    uint32_t *edge_begin; /* state_count + 1 */
    aut_edge *edges;
    uint32_t *initial; /* ascending, without repetition; none: the empty language */
    uint32_t initial_count;
    uint32_t mark_count;
    aut_condition condition;
    char *name;            /* NULL: none */
    char **state_names;    /* NULL: none; else by state, each may be NULL */
    bool is_deterministic; /* known since it was built: one initial state at most, no epsilon, */
    bool is_complete;      /* no letter with two edges; an initial state, no letter without one */
};

static inline uint32_t aut_edge_count(const opac_automaton *automaton)
{
    return automaton->edge_begin[automaton->state_count];
}

/*
 * Building: edges may be added in any order; finishing sorts them by state and
 * keeps the order of addition otherwise.
 *
 *     aut_builder *builder;
 *     aut_builder_new(labels, &builder, error);            shares the store
 *     aut_builder_propositions(builder, names, count);     copied
 *     uint32_t state = aut_builder_add_state(builder);
 *     aut_builder_edge(builder, state, (aut_edge){label, target, marks});
 *     aut_builder_initial(builder, state);
 *     builder->condition, ->mark_count, ->name              filled by the caller
 *     status = aut_builder_finish(builder, &automaton, error);   releases the builder
 *
 * As everywhere in this room, what goes wrong is remembered and reported at the
 * end. Edges with a false label are dropped; edges of a state with the same
 * target and marks become one, their labels joined (not for epsilon).
 */
typedef struct aut_draft_edge {
    uint32_t source;
    aut_edge edge;
} aut_draft_edge;

BASE_VEC(aut_draft_vec, aut_draft_edge);

typedef struct aut_builder {
    aut_bdd_store *labels;
    char **propositions;
    uint32_t proposition_count;
    uint32_t state_count;
    uint32_t state_limit; /* AUT_STATE_LIMIT; may be changed */
    aut_draft_vec edges;
    base_u32_vec initial;
    uint32_t mark_count;
    aut_condition condition;
    char *name;         /* owned */
    char **state_names; /* owned, by state */
    size_t state_names_capacity;
    opac_error problem;
} aut_builder;

opac_status aut_builder_new(aut_bdd_store *labels, aut_builder **builder, opac_error *error);
/* With the propositions and the name of an automaton, sharing its labels; nothing else. */
opac_status aut_builder_like(const opac_automaton *automaton, aut_builder **builder,
                             opac_error *error);
void aut_builder_free(aut_builder *builder);
void aut_builder_propositions(aut_builder *builder, const char *const *names, uint32_t count);
uint32_t aut_builder_add_state(aut_builder *builder);
void aut_builder_add_states(aut_builder *builder, uint32_t count);
void aut_builder_edge(aut_builder *builder, uint32_t source, aut_edge edge);
void aut_builder_initial(aut_builder *builder, uint32_t state);
void aut_builder_name(aut_builder *builder, const char *name);
/* Any bytes but NUL, length of them. */
void aut_builder_state_name(aut_builder *builder, uint32_t state, const char *name, size_t length);
/* Takes the condition, which is then empty. */
void aut_builder_condition(aut_builder *builder, aut_condition *condition, uint32_t mark_count);
/* With a copy of the condition. */
void aut_builder_copy_condition(aut_builder *builder, const aut_condition *condition,
                                uint32_t mark_count);
/* The automaton has more states than the option state_limit allows. */
opac_status aut_fail_states(uint32_t limit, opac_error *error);
/* Takes the builder in any case. */
opac_status aut_builder_finish(aut_builder *builder, opac_automaton **automaton, opac_error *error);

/* The target of the first edge of a state that reads the letter; if there is none, or no such state,
 * the state. */
uint32_t aut_follow(const opac_automaton *automaton, uint32_t state, uint64_t letter);

/* A copy with labels of its own, so that the original may be read elsewhere meanwhile. */
opac_status aut_copy(const opac_automaton *automaton, opac_automaton **copy, opac_error *error);
/* The same, counted in a work that the copy's labels borrow from then on. */
opac_status aut_copy_counted(const opac_automaton *automaton, base_work *work,
                             opac_automaton **copy, opac_error *error);

/* The work that the conversion in which this automaton was made is counted in; NULL: none. */
static inline base_work *aut_work(const opac_automaton *automaton)
{
    return aut_bdd_store_work(automaton->labels);
}

#endif
