/* SPDX-License-Identifier: MIT */
/*
 * Reduced ordered binary decision diagrams (Bryant 1986) with any number of terminals. Boolean functions have
 * the terminals 0 and 1; others are created as needed (aut/mtbdd.h). Variables are numbers, and are tested in
 * ascending order.
 *
 *     aut_bdd_store *store;
 *     status = aut_bdd_store_new(&store, error);
 *     aut_bdd f = aut_bdd_and(store, aut_bdd_variable(store, 0), aut_bdd_variable(store, 1));
 *     status = aut_bdd_store_check(store, error);       once, at the end
 *
 *     nodes   │ variable, low, high │ …      by bdd; of a terminal: AUT_BDD_LEAF, its value, 0
 *
 * As with formulas (ltl/formula.h), operations do not return a status. If memory is exhausted or the node
 * limit is reached, the store fails: results are AUT_BDD_FALSE from then on, and aut_bdd_store_check returns
 * the error.
 *
 * Equal functions have equal numbers. Nodes are freed with the store only. A store is reference-counted, so
 * that several automata can share it.
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

#define AUT_BDD_LEAF UINT32_MAX /* the variable of a terminal, larger than all others */

typedef struct aut_bdd_node {
    uint32_t variable;
    aut_bdd low, high; /* cofactors for false and true; of a terminal: its value and 0 */
} aut_bdd_node;

typedef struct aut_bdd_store aut_bdd_store;

opac_status aut_bdd_store_new(aut_bdd_store **store, opac_error *error);
aut_bdd_store *aut_bdd_store_share(aut_bdd_store *store);
/* Drops a reference, and frees the store with the last one. Accepts NULL. */
void aut_bdd_store_free(aut_bdd_store *store);
opac_status aut_bdd_store_check(const aut_bdd_store *store, opac_error *error);
bool aut_bdd_store_failed(const aut_bdd_store *store);
uint32_t aut_bdd_store_count(const aut_bdd_store *store);
/* Sets the limit on the number of nodes, which is at most AUT_BDD_NODE_LIMIT. */
void aut_bdd_store_limit(aut_bdd_store *store, uint32_t nodes);

/*
 * Sets the work that operations are counted in; NULL for none. It is borrowed. If the work is stopped, the
 * store fails. Automata keep their store, so the work must be reset before an automaton is returned to the
 * user.
 */
void aut_bdd_store_set_work(aut_bdd_store *store, base_work *work);
base_work *aut_bdd_store_work(const aut_bdd_store *store);
/* Counts units of work. Returns true if the store has failed. */
bool aut_bdd_store_spend(aut_bdd_store *store, uint64_t units);

/* The pointer is valid until the next node is created. */
const aut_bdd_node *aut_bdd_at(const aut_bdd_store *store, aut_bdd f);

static inline bool aut_bdd_is_constant(aut_bdd f)
{
    return f <= AUT_BDD_TRUE;
}

/* The terminal with a value. The values 0 and 1 are AUT_BDD_FALSE and AUT_BDD_TRUE. */
aut_bdd aut_bdd_terminal(aut_bdd_store *store, uint32_t value);
aut_bdd aut_bdd_variable(aut_bdd_store *store, uint32_t variable);
/* The function "if variable then high else low". The variable must be smaller than those of low and high. */
aut_bdd aut_bdd_make(aut_bdd_store *store, uint32_t variable, aut_bdd low, aut_bdd high);

/* Operations on Boolean functions. In ite, f is Boolean, while g and h may have any terminals. */
aut_bdd aut_bdd_not(aut_bdd_store *store, aut_bdd f);
aut_bdd aut_bdd_and(aut_bdd_store *store, aut_bdd f, aut_bdd g);
aut_bdd aut_bdd_or(aut_bdd_store *store, aut_bdd f, aut_bdd g);
aut_bdd aut_bdd_ite(aut_bdd_store *store, aut_bdd f, aut_bdd g, aut_bdd h);

static inline aut_bdd aut_bdd_and_not(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and(store, f, aut_bdd_not(store, g));
}

/* Whether f implies g. Creates nodes. */
static inline bool aut_bdd_implies(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and_not(store, f, g) == AUT_BDD_FALSE;
}

static inline bool aut_bdd_disjoint(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return aut_bdd_and(store, f, g) == AUT_BDD_FALSE;
}

/* The cofactor of f for a value of the variable. */
aut_bdd aut_bdd_restrict(aut_bdd_store *store, aut_bdd f, uint32_t variable, bool value);

/* The terminal of f for a valuation of the variables, which are below 64. */
aut_bdd aut_bdd_evaluate(const aut_bdd_store *store, aut_bdd f, uint64_t letter);

/* The set of variables below 64 that f depends on. */
opac_status aut_bdd_support(const aut_bdd_store *store, aut_bdd f, uint64_t *variables,
                            opac_error *error);

/* A product of literals over variables below 64: `care` is the set of variables, `value` the positive
 * ones. */
typedef struct aut_cube {
    uint64_t care, value;
} aut_cube;

/*
 * Calls back with each cube of an irredundant sum of products for f (Minato 1992), in an order that depends
 * only on the function. There is no cube for false, and one cube without literals for true. A callback that
 * returns false ends the enumeration.
 */
typedef bool (*aut_cube_callback)(void *context, aut_cube cube);
void aut_bdd_cubes(aut_bdd_store *store, aut_bdd f, aut_cube_callback callback, void *context);

/*
 * Copies a Boolean function to another store, with map[v] in place of variable v, in any order. If map is
 * NULL, variables stay the same.
 */
aut_bdd aut_bdd_copy(const aut_bdd_store *from, aut_bdd f, aut_bdd_store *to, const uint32_t *map);

#endif
