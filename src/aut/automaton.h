/* SPDX-License-Identifier: MIT */
/*
 * Automata on infinite words with transition-based acceptance.
 *
 *     edge_begin  │ 0 │ 3 │ 5 │ …                    by state, and one more
 *     edges       │ label, target, marks │ …         of state 0, of state 1, …
 *
 * A label is a Boolean function over the propositions: variable i of the label store is proposition i. It is
 * never false. The label AUT_EPSILON marks an edge that consumes no letter, which the agent may choose to
 * take. A letter is a uint64_t whose bit i tells whether proposition i holds.
 *
 * A run that reads a letter in a state without an edge for it is rejected. Only marks below mark_count occur
 * on edges and in the condition.
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
    AUT_TRANSLATED_EDGE_LIMIT = 4000000, /* in translations of formulas */
    AUT_TRANSLATED_NODE_LIMIT = 1 << 23  /* nodes of decision diagrams in such translations */
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
    uint32_t *initial; /* ascending, distinct; the language is empty if there are none */
    uint32_t initial_count;
    uint32_t mark_count;
    aut_condition condition;
    char *name;            /* may be NULL */
    char **state_names;    /* by state, each may be NULL; NULL if no state has a name */
    bool is_deterministic; /* at most one initial state, one edge for each letter; no epsilon */
    bool is_complete;      /* an initial state; in each state, an edge for each letter */
};

static inline uint32_t aut_edge_count(const opac_automaton *automaton)
{
    return automaton->edge_begin[automaton->state_count];
}

/*
 * Builds an automaton. Edges may be added in any order. aut_builder_finish sorts them by state; edges of the
 * same state stay in the order in which they were added.
 *
 *     aut_builder *builder;
 *     aut_builder_new(labels, &builder, error);            shares the label store
 *     aut_builder_propositions(builder, names, count);     copies the names
 *     uint32_t state = aut_builder_add_state(builder);
 *     aut_builder_edge(builder, state, (aut_edge){label, target, marks});
 *     aut_builder_initial(builder, state);
 *     aut_builder_condition(builder, &condition, mark_count);
 *     status = aut_builder_finish(builder, &automaton, error);   frees the builder
 *
 * Failures are recorded, and aut_builder_finish returns the first one. Edges with a false label are dropped.
 * Edges of a state with the same target and marks are joined into one, whose label is the disjunction;
 * epsilon edges are joined with epsilon edges only.
 */
typedef struct aut_new_edge {
    uint32_t source;
    aut_edge edge;
} aut_new_edge;

BASE_VEC(aut_new_edge_vec, aut_new_edge);

typedef struct aut_builder {
    aut_bdd_store *labels;
    char **propositions;
    uint32_t proposition_count;
    uint32_t state_count;
    uint32_t state_limit; /* AUT_STATE_LIMIT; may be changed */
    aut_new_edge_vec edges;
    base_u32_vec initial;
    uint32_t mark_count;
    aut_condition condition;
    char *name;         /* owned */
    char **state_names; /* owned, by state */
    size_t state_names_capacity;
    opac_error problem;
} aut_builder;

opac_status aut_builder_new(aut_bdd_store *labels, aut_builder **builder, opac_error *error);
/* Makes a builder with the propositions, the name and the label store of an automaton, without states. */
opac_status aut_builder_like(const opac_automaton *automaton, aut_builder **builder,
                             opac_error *error);
void aut_builder_free(aut_builder *builder);
void aut_builder_propositions(aut_builder *builder, const char *const *names, uint32_t count);
uint32_t aut_builder_add_state(aut_builder *builder);
void aut_builder_add_states(aut_builder *builder, uint32_t count);
void aut_builder_edge(aut_builder *builder, uint32_t source, aut_edge edge);
void aut_builder_initial(aut_builder *builder, uint32_t state);
void aut_builder_name(aut_builder *builder, const char *name);
/* The name has `length` bytes, without NUL. */
void aut_builder_state_name(aut_builder *builder, uint32_t state, const char *name, size_t length);
/* Moves the condition into the builder; *condition is then empty. */
void aut_builder_condition(aut_builder *builder, aut_condition *condition, uint32_t mark_count);
/* Copies the condition. */
void aut_builder_copy_condition(aut_builder *builder, const aut_condition *condition,
                                uint32_t mark_count);
/* Fails because the automaton has more states than the option state_limit allows. */
opac_status aut_fail_states(uint32_t limit, opac_error *error);
/* Frees the builder, also if it fails. */
opac_status aut_builder_finish(aut_builder *builder, opac_automaton **automaton, opac_error *error);

/* Where the memory goes without a decision: it stays in the state if an edge that reads the letter leads back to
 * it, or if there is no edge or no such state, and otherwise follows the first edge that reads the letter. Staying
 * comes first so that it does not depend on the order of the edges, which a file may change. */
uint32_t aut_successor(const opac_automaton *automaton, uint32_t state, uint64_t letter);

/* A copy with a label store of its own, so that other threads may read the original meanwhile. */
opac_status aut_copy(const opac_automaton *automaton, opac_automaton **copy, opac_error *error);
/* The same, counted in `work`, which the label store of the copy borrows. */
opac_status aut_copy_counted(const opac_automaton *automaton, base_work *work,
                             opac_automaton **copy, opac_error *error);

/* The work that operations on the automaton's labels are counted in; may be NULL. */
static inline base_work *aut_work(const opac_automaton *automaton)
{
    return aut_bdd_store_work(automaton->labels);
}

#endif
