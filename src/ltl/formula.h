/* SPDX-License-Identifier: MIT */
/*
 * Formulas of linear temporal logic, hash-consed: two formulas of one store are
 * the same node exactly when they have the same operator and the same children.
 *
 *     ltl_store *store;
 *     status = ltl_store_new(&store, error);
 *     ltl_formula a = ltl_ap(store, "a", 1);
 *     ltl_formula f = ltl_g(store, ltl_f(store, a));
 *     ...
 *     status = ltl_store_check(store, error);       once, at the end
 *     ltl_store_free(store);
 *
 *     nodes   │ op, depth, children │ …     by formula; 0 is false, 1 is true
 *     lists   │ child child child …         children of And and Or, ascending
 *
 * And and Or have two or more children, distinct and ascending, none of them of
 * the same operator. The constructors fold what is evident at once: constants,
 * double negation, equal children, a and !a under And or Or.
 *
 * Making a formula cannot fail by itself: running out of memory, or past a
 * limit, is remembered, every formula made from then on is false, and
 * ltl_store_check reports it. So a rewriting needs one check, at its end, and
 * terminates because it sees constants.
 *
 * Depth is limited to LTL_DEPTH_LIMIT, so that whoever recurses over a formula
 * needs no guard of its own.
 */
#ifndef LTL_FORMULA_H
#define LTL_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"

typedef uint32_t ltl_formula;

enum {
    LTL_DEPTH_LIMIT = 4000,    /* operators on a path from the root */
    LTL_NODE_LIMIT = 16000000, /* nodes of a store */
    LTL_SIZE_LIMIT = 1000000   /* operators in a text that is read */
};

typedef enum ltl_op {
    LTL_FALSE = 0,
    LTL_TRUE = 1,
    LTL_AP,
    LTL_NOT,
    LTL_AND, /* n-ary */
    LTL_OR,  /* n-ary */
    LTL_IMPLIES,
    LTL_IFF,
    LTL_XOR,
    LTL_X,
    LTL_F,
    LTL_G,
    LTL_U, /* a U b: b comes, a until then */
    LTL_R, /* a R b: b as long as a has not come, a's moment included */
    LTL_W, /* a W b: a U b or G a */
    LTL_M  /* a M b: a R b and F a */
} ltl_op;

/*
 * What is known of a formula from its form alone; set for formulas in negation
 * normal form. The classes are those of the alternation hierarchy (Manna and
 * Pnueli; Sickert and Esparza 2020): in Sigma1 there are only X, F, U, M
 * (co-safety), in Pi1 only X, G, W, R (safety); Sigma2 closes both under X, F,
 * U, M, and Pi2 under X, G, W, R; Delta1 are the Boolean combinations of the
 * first two. All are closed under And and Or.
 */
typedef enum ltl_classes {
    LTL_NNF = 1 << 0,
    LTL_BOOLEAN = 1 << 1, /* no temporal operator */
    LTL_SIGMA1 = 1 << 2,
    LTL_PI1 = 1 << 3,
    LTL_DELTA1 = 1 << 4,
    LTL_SIGMA2 = 1 << 5,
    LTL_PI2 = 1 << 6,
    LTL_EVENTUAL = 1 << 7,  /* true of a word if of one of its suffixes: F f = f */
    LTL_UNIVERSAL = 1 << 8, /* true of a word only if of all its suffixes: G f = f */
    LTL_SUSPENDABLE = LTL_EVENTUAL | LTL_UNIVERSAL /* the same for all suffixes: X f = f */
} ltl_classes;

typedef struct ltl_store ltl_store;

opac_status ltl_store_new(ltl_store **store, opac_error *error);
void ltl_store_free(ltl_store *store);
/* OPAC_OK, or what went wrong first: OPAC_ERROR_MEMORY, OPAC_ERROR_LIMIT or OPAC_ERROR_CANCELLED. */
opac_status ltl_store_check(const ltl_store *store, opac_error *error);

/*
 * Borrows a work (NULL: none), which everything that is done in the store is counted in. When it
 * is stopped the store fails, and all rewritings end.
 */
void ltl_store_set_work(ltl_store *store, base_work *work);
/* Counts units of work; true: the store has failed. */
bool ltl_store_spend(ltl_store *store, uint64_t units);
/* The subformula that is being rewritten, for the message when that takes too long. */
void ltl_store_set_current(ltl_store *store, ltl_formula part);
ltl_formula ltl_store_current(const ltl_store *store);
bool ltl_store_failed(const ltl_store *store);
/* For rewritings that run out of memory of their own: remembers it, gives false. */
ltl_formula ltl_store_fail_memory(ltl_store *store);
/* The same for rewritings that give up at a limit, with the message. */
ltl_formula ltl_store_fail_limit(ltl_store *store, const char *message);

/* Propositions are numbered in the order of first sight. Names are any bytes, without NUL. */
ltl_formula ltl_ap(ltl_store *store, const char *name, size_t length);
/* The same, from that place of a text: kept with the first sight, for messages about the name. */
ltl_formula ltl_ap_at(ltl_store *store, const char *name, size_t length, uint32_t line,
                      uint32_t column);
void ltl_ap_place(const ltl_store *store, uint32_t ap, uint32_t *line,
                  uint32_t *column); /* 0, 0: there is none */
uint32_t ltl_ap_count(const ltl_store *store);
const char *ltl_ap_name(const ltl_store *store,
                        uint32_t ap); /* NUL-terminated; dies with the store */

/* NOT, X, F, G. */
ltl_formula ltl_unary(ltl_store *store, ltl_op op, ltl_formula child);
/* Every other operator; And and Or of two. */
ltl_formula ltl_binary(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right);
/* And and Or of any number, in any order, with repetitions; none: the neutral element. */
ltl_formula ltl_many(ltl_store *store, ltl_op op, const ltl_formula *items, size_t count);

static inline ltl_formula ltl_not(ltl_store *store, ltl_formula child)
{
    return ltl_unary(store, LTL_NOT, child);
}

static inline ltl_formula ltl_and(ltl_store *store, ltl_formula left, ltl_formula right)
{
    return ltl_binary(store, LTL_AND, left, right);
}

static inline ltl_formula ltl_or(ltl_store *store, ltl_formula left, ltl_formula right)
{
    return ltl_binary(store, LTL_OR, left, right);
}

static inline ltl_formula ltl_x(ltl_store *store, ltl_formula child)
{
    return ltl_unary(store, LTL_X, child);
}

static inline ltl_formula ltl_f(ltl_store *store, ltl_formula child)
{
    return ltl_unary(store, LTL_F, child);
}

static inline ltl_formula ltl_g(ltl_store *store, ltl_formula child)
{
    return ltl_unary(store, LTL_G, child);
}

ltl_op ltl_op_of(const ltl_store *store, ltl_formula formula);
uint32_t ltl_depth(const ltl_store *store, ltl_formula formula);
/* 0, 1, 2, or more for And and Or. */
uint32_t ltl_arity(const ltl_store *store, ltl_formula formula);
ltl_formula ltl_child(const ltl_store *store, ltl_formula formula, uint32_t index);
/* A set of ltl_classes. */
uint32_t ltl_classes_of(const ltl_store *store, ltl_formula formula);

/* Whether it has all of these kinds. */
static inline bool ltl_is(const ltl_store *store, ltl_formula formula, uint32_t kinds)
{
    return (ltl_classes_of(store, formula) & kinds) == kinds;
}

/* Of an AP. */
uint32_t ltl_ap_of(const ltl_store *store, ltl_formula formula);

/*
 * Negation normal form: false, true, AP, NOT of an AP, And, Or, X, F, G, U, R,
 * W, M. negated: of the negation. Iff and Xor double their operands, which the
 * sharing of nodes keeps small.
 */
ltl_formula ltl_nnf(ltl_store *store, ltl_formula formula, bool negated);

/* What an operator of negation normal form becomes under a negation; X and AP stay. */
ltl_op ltl_dual(ltl_op op);

/* The node with other children, made by the constructor of its operator. */
ltl_formula ltl_rebuild(ltl_store *store, ltl_formula formula, const ltl_formula *children);

#endif
