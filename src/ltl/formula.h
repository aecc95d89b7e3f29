/* SPDX-License-Identifier: MIT */
/*
 * Formulas of linear temporal logic, hash-consed: two formulas of a store are the same node if and only if
 * they have the same operator and the same children.
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
 * And and Or have two or more children, which are distinct, ascending and have other operators. The
 * constructors simplify constants, double negation, equal children, and a with !a under And or Or.
 *
 * Constructors do not return errors. If memory or a limit is exhausted, the store records the error, and
 * every formula made afterwards is false; ltl_store_check returns the error. A rewriting therefore needs
 * only one check at its end. It terminates after an error, since all new formulas are constants.
 *
 * The depth is at most LTL_DEPTH_LIMIT, so recursion over a formula needs no guard.
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
    LTL_U, /* a U b: until. b holds at some time, and a holds before */
    LTL_R, /* a R b: release. b holds up to and including the first time at which a holds, if any */
    LTL_W, /* a W b: weak until. a U b or G a */
    LTL_M  /* a M b: strong release. a R b and F a */
} ltl_op;

/*
 * The syntactic classes of a formula in negation normal form. Sigma and Pi are the alternation hierarchy
 * (Manna and Pnueli; Sickert and Esparza 2020): formulas in Sigma1 have the temporal operators X, F, U, M
 * only (co-safety), those in Pi1 X, G, W, R only (safety). Delta1 are the Boolean combinations of Sigma1
 * and Pi1. Sigma2 is the closure of Sigma1 and Pi1 under X, F, U, M, and Pi2 their closure under X, G, W,
 * R. All are closed under And and Or.
 */
typedef enum ltl_classes {
    LTL_NNF = 1 << 0,
    LTL_BOOLEAN = 1 << 1, /* no temporal operator */
    LTL_SIGMA1 = 1 << 2,
    LTL_PI1 = 1 << 3,
    LTL_DELTA1 = 1 << 4,
    LTL_SIGMA2 = 1 << 5,
    LTL_PI2 = 1 << 6,
    LTL_EVENTUAL = 1 << 7,  /* holds for a word if it holds for some suffix: F f = f */
    LTL_UNIVERSAL = 1 << 8, /* if it holds for a word, it holds for all suffixes: G f = f */
    LTL_SUSPENDABLE = LTL_EVENTUAL | LTL_UNIVERSAL /* equal for all suffixes: X f = f */
} ltl_classes;

typedef struct ltl_store ltl_store;

opac_status ltl_store_new(ltl_store **store, opac_error *error);
void ltl_store_free(ltl_store *store);
/* OPAC_OK, or the first error: OPAC_ERROR_MEMORY, OPAC_ERROR_LIMIT or OPAC_ERROR_CANCELLED. */
opac_status ltl_store_check(const ltl_store *store, opac_error *error);

/*
 * Sets the budget of work that all operations in the store count against; it is borrowed, and NULL disables
 * it. When it is exhausted or cancelled, the store fails, which ends all rewritings.
 */
void ltl_store_set_work(ltl_store *store, base_work *work);
/* Counts units of work. Returns whether the store has failed. */
bool ltl_store_spend(ltl_store *store, uint64_t units);
/* Sets the subformula that is being rewritten, for the message if the work is stopped. */
void ltl_store_set_current(ltl_store *store, ltl_formula part);
ltl_formula ltl_store_current(const ltl_store *store);
bool ltl_store_failed(const ltl_store *store);
/* Records that a rewriting is out of memory, and returns the formula false. */
ltl_formula ltl_store_fail_memory(ltl_store *store);
/* Records that a rewriting exceeds a limit, with a message, and returns the formula false. */
ltl_formula ltl_store_fail_limit(ltl_store *store, const char *message);

/* Propositions are numbered in the order of their first occurrence. Names are any bytes other than NUL. */
ltl_formula ltl_ap(ltl_store *store, const char *name, size_t length);
/* The same, with a position in a text. The first one is kept, for messages about the proposition. */
ltl_formula ltl_ap_at(ltl_store *store, const char *name, size_t length, uint32_t line,
                      uint32_t column);
/* The position of a proposition; 0, 0 if it has none. */
void ltl_ap_position(const ltl_store *store, uint32_t ap, uint32_t *line, uint32_t *column);
uint32_t ltl_ap_count(const ltl_store *store);
/* The NUL-terminated name of a proposition, valid as long as the store. */
const char *ltl_ap_name(const ltl_store *store, uint32_t ap);

/* A formula with the operator NOT, X, F or G. */
ltl_formula ltl_unary(ltl_store *store, ltl_op op, ltl_formula child);
/* A formula with any other operator. */
ltl_formula ltl_binary(ltl_store *store, ltl_op op, ltl_formula left, ltl_formula right);
/* And or Or of any number of items, in any order, with repetitions. Without items, the neutral element. */
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
/* The number of children: 0, 1, 2, or more for And and Or. */
uint32_t ltl_arity(const ltl_store *store, ltl_formula formula);
ltl_formula ltl_child(const ltl_store *store, ltl_formula formula, uint32_t index);
/* The set of syntactic classes, a combination of ltl_classes. */
uint32_t ltl_classes_of(const ltl_store *store, ltl_formula formula);

/* Whether the formula is in all of these classes. */
static inline bool ltl_is(const ltl_store *store, ltl_formula formula, uint32_t classes)
{
    return (ltl_classes_of(store, formula) & classes) == classes;
}

/* The number of the proposition of an AP. */
uint32_t ltl_ap_of(const ltl_store *store, ltl_formula formula);

/*
 * The negation normal form of the formula, or of its negation: it consists of false, true, AP, NOT of an AP,
 * And, Or, X, F, G, U, R, W and M. The operands of Iff and Xor occur twice in it; their nodes are shared.
 */
ltl_formula ltl_nnf(ltl_store *store, ltl_formula formula, bool negated);

/* The dual of an operator of negation normal form. X and AP are their own duals. */
ltl_op ltl_dual(ltl_op op);

/* A formula with the same operator and other children, made by the constructor. */
ltl_formula ltl_rebuild(ltl_store *store, ltl_formula formula, const ltl_formula *children);

#endif
