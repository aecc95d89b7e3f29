/* SPDX-License-Identifier: MIT */
/*
 * Reduced ordered binary decision diagrams (Bryant 1986), with any number of
 * terminals: those of Boolean functions are 0 and 1, others are made as needed
 * (a function from letters to moves, say). Variables are numbers, tested in
 * ascending order.
 *
 *     aut_bdd_store *store;
 *     status = aut_bdd_store_new(&store, error);
 *     aut_bdd f = aut_bdd_and(store, aut_bdd_variable(store, 0), aut_bdd_variable(store, 1));
 *     status = aut_bdd_store_check(store, error);       once, at the end
 *
 *     nodes   │ variable, low, high │ …      by bdd; a terminal: AUT_BDD_LEAF, its value, 0
 *
 * As with formulas (ltl/formula.h), an operation cannot fail by itself: out of
 * memory, or past the node limit, is remembered, the results are then
 * AUT_BDD_FALSE, and aut_bdd_store_check reports it.
 *
 * Nodes are never released before the store; equal functions are equal numbers.
 * Stores are counted references: several automata share one.
 */
#ifndef AUT_BDD_H
#define AUT_BDD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"

typedef uint32_t aut_bdd;

enum {
    AUT_BDD_FALSE = 0,
    AUT_BDD_TRUE = 1,
    AUT_BDD_NODE_LIMIT = 1 << 26
};

#define AUT_BDD_LEAF UINT32_MAX /* the variable of a terminal: after all others */

typedef struct aut_bdd_node {
    uint32_t variable;
    aut_bdd low, high; /* the variable is false, true; of a terminal: its value, 0 */
} aut_bdd_node;

typedef struct aut_bdd_store aut_bdd_store;

opac_status aut_bdd_store_new(aut_bdd_store **store, opac_error *error);
aut_bdd_store *aut_bdd_store_share(aut_bdd_store *store);
/* Gives one reference up; takes NULL. */
void aut_bdd_store_free(aut_bdd_store *store);
opac_status aut_bdd_store_check(const aut_bdd_store *store, opac_error *error);
bool aut_bdd_store_failed(const aut_bdd_store *store);
uint32_t aut_bdd_store_count(const aut_bdd_store *store);
/* How many nodes there may be, instead of AUT_BDD_NODE_LIMIT (which is the most). */
void aut_bdd_store_limit(aut_bdd_store *store, uint32_t nodes);

/*
 * Borrows a work (NULL: none), which the operations are counted in; when it is stopped the store
 * fails, and they end. Automata that are made share the store, so it is taken back before they are
 * handed out.
 */
void aut_bdd_store_set_work(aut_bdd_store *store, base_work *work);
base_work *aut_bdd_store_work(const aut_bdd_store *store);
/* Counts units of work; true: the store has failed. */
bool aut_bdd_store_spend(aut_bdd_store *store, uint64_t units);

const aut_bdd_node *aut_bdd_at(const aut_bdd_store *store,
                               aut_bdd f); /* dies with the next one made */

static inline bool aut_bdd_is_constant(aut_bdd f)
{
    return f <= AUT_BDD_TRUE;
}

/* The terminal with a value; 0 and 1 are AUT_BDD_FALSE and AUT_BDD_TRUE. */
aut_bdd aut_bdd_terminal(aut_bdd_store *store, uint32_t value);
aut_bdd aut_bdd_variable(aut_bdd_store *store, uint32_t variable);
/* if variable then high else low; the variable comes before those of low and high. */
aut_bdd aut_bdd_make(aut_bdd_store *store, uint32_t variable, aut_bdd low, aut_bdd high);

/* On Boolean functions. The condition of ite is Boolean, its branches may have any terminals. */
aut_bdd aut_bdd_not(aut_bdd_store *store, aut_bdd f);
aut_bdd aut_bdd_and(aut_bdd_store *store, aut_bdd f, aut_bdd g);
aut_bdd aut_bdd_or(aut_bdd_store *store, aut_bdd f, aut_bdd g);
aut_bdd aut_bdd_ite(aut_bdd_store *store, aut_bdd f, aut_bdd g, aut_bdd h);

static inline aut_bdd aut_bdd_and_not(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and(store, f, aut_bdd_not(store, g));
}

/* Whether f implies g; makes nodes on its way. */
static inline bool aut_bdd_implies(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and_not(store, f, g) == AUT_BDD_FALSE;
}

static inline bool aut_bdd_disjoint(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and(store, f, g) == AUT_BDD_FALSE;
}

/* f with the variable set. */
aut_bdd aut_bdd_restrict(aut_bdd_store *store, aut_bdd f, uint32_t variable, bool value);

/* The terminal that a valuation of the variables below 64 leads to. */
aut_bdd aut_bdd_evaluate(const aut_bdd_store *store, aut_bdd f, uint64_t letter);

/* The variables below 64 that f depends on. */
opac_status aut_bdd_support(const aut_bdd_store *store, aut_bdd f, uint64_t *variables,
                            opac_error *error);

/* A product of literals over variables below 64: bits of `care` are tested against `value`. */
typedef struct aut_cube {
    uint64_t care, value;
} aut_cube;

/*
 * An irredundant sum of products for f (Minato 1992), whose cubes are called in
 * a fixed order that depends on the function alone. Nothing for false, one cube
 * without literals for true. A callback that returns false ends the walk.
 */
typedef bool (*aut_cube_callback)(void *context, aut_cube cube);
void aut_bdd_cubes(aut_bdd_store *store, aut_bdd f, aut_cube_callback callback, void *context);

/*
 * f in another store, its variable v becoming map[v] (ascending order kept or
 * not); map NULL: as it is. Boolean functions only.
 */
aut_bdd aut_bdd_copy(const aut_bdd_store *from, aut_bdd f, aut_bdd_store *to, const uint32_t *map);

#endif
