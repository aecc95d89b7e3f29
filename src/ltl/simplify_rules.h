/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the simplifier share: the state of a run, and the view in terms of which its
 * rules are written.
 *
 * Each rule has a dual, with And and Or, F and G, U and R, W and M, true and false, "implies" and "is
 * implied by" exchanged. A rule is therefore written once, for Or, F, U and W, in terms of a view. In the
 * flipped view every operator and relation is replaced by its dual, so the same code is the rule for And,
 * G, R and M.
 *
 *     in a rule     plain view    flipped view
 *     Or            Or            And
 *     F, U, W       F, U, W       G, R, M
 *     true          true          false
 *     f implies g   f ⇒ g         g ⇒ f
 *     eventual      eventual      universal
 *
 * Formulas are not negated: literals are atomic to all rules, and the operator of any other formula is read
 * through the view.
 *
 * Invariant: the functions that make formulas have simplified arguments and return simplified formulas. A
 * rule therefore sees simplified children, and its result does not have to be simplified again.
 */
#ifndef LTL_SIMPLIFY_RULES_H
#define LTL_SIMPLIFY_RULES_H

#include "base/map.h"
#include "base/vec.h"
#include "ltl/simplify.h"

enum {
    SIMPLIFY_PAIRS_LIMIT = 64,    /* longer lists are not compared pair by pair */
    SIMPLIFY_LEVEL_LIMIT = 150,   /* nested rules; beyond, formulas are made without rules */
    SIMPLIFY_NEGATE_DEPTH = 24,   /* deeper formulas are not negated for comparison */
    SIMPLIFY_IMPLIES_STEPS = 400, /* steps of one query whether f implies g */
    SIMPLIFY_WORK_PER_NODE = 200  /* average number of rule applications for each node */
};

typedef struct simplify_run {
    ltl_store *store;
    base_map done; /* formula with simplified children ► simplified; itself while in progress */
    base_map negations; /* formula ► negation normal form of its negation */
    base_map implied;   /* f · 2^32 + g ► 1 + whether f implies g */
    base_u32_vec stack; /* stack of lists under construction */
    uint32_t level;     /* number of nested rules in progress */
    uint32_t steps;     /* remaining steps of the current query whether f implies g */
    uint64_t work;      /* remaining rule applications */
    bool keep_strength; /* do not exchange U and W, R and M, even for a lower class */
} simplify_run;

/* Frees a run. A new run is zeroed except for its store. */
void simplify_run_fini(simplify_run *run);
/* Simplifies a formula in negation normal form. */
ltl_formula simplify_normal_form(simplify_run *run, ltl_formula formula);

/*
 * Whether a formula in `classes` is in all classes of the hierarchy that are in `before`; and whether it is
 * also in further ones. No rule takes a formula out of a class, since later steps depend on the classes.
 */
bool simplify_keeps_class(uint32_t classes, uint32_t before);
bool simplify_gains_class(uint32_t classes, uint32_t before);

typedef struct view {
    simplify_run *run;
    bool flipped;
} view;

/* The classes of the negation of a formula in these classes. */
uint32_t simplify_dual_classes(uint32_t classes);

static inline ltl_op view_op(view v, ltl_op op)
{
    return v.flipped ? ltl_dual(op) : op;
}

static inline ltl_op view_op_of(view v, ltl_formula formula)
{
    return view_op(v, ltl_op_of(v.run->store, formula));
}

static inline bool view_is(view v, ltl_formula formula, uint32_t classes)
{
    return ltl_is(v.run->store, formula, v.flipped ? simplify_dual_classes(classes) : classes);
}

static inline ltl_formula view_child(view v, ltl_formula formula, uint32_t index)
{
    return ltl_child(v.run->store, formula, index);
}

static inline uint32_t view_arity(view v, ltl_formula formula)
{
    return ltl_arity(v.run->store, formula);
}

static inline ltl_formula view_true(view v)
{
    return v.flipped ? LTL_FALSE : LTL_TRUE;
}

static inline ltl_formula view_false(view v)
{
    return v.flipped ? LTL_TRUE : LTL_FALSE;
}

static inline view view_flip(view v)
{
    return (view){.run = v.run, .flipped = !v.flipped};
}

static inline uint32_t view_classes(view v, ltl_formula formula)
{
    return ltl_classes_of(v.run->store, formula);
}

/* Makes a formula without applying rules. */
ltl_formula view_raw(view v, ltl_op op, ltl_formula left, ltl_formula right);

/* Make simplified formulas from simplified operands. */
ltl_formula view_unary(view v, ltl_op op, ltl_formula child);
ltl_formula view_binary(view v, ltl_op op, ltl_formula left, ltl_formula right);

/* Lists under construction: keep the result of list_begin, push items, then make or drop the list. */
static inline size_t list_begin(const simplify_run *run)
{
    return run->stack.count;
}

void list_push(simplify_run *run, ltl_formula item);

static inline size_t list_length(const simplify_run *run, size_t begin)
{
    return run->stack.count - begin;
}

static inline void list_drop(simplify_run *run, size_t begin)
{
    run->stack.count = begin;
}

/*
 * In these functions a list is a formula with the operator `op`, And or Or, and its items are its children;
 * any other formula is a list with itself as the only item.
 */

/* The simplified And or Or of the items that were pushed since `begin`; removes them from the stack. */
ltl_formula list_make(view v, ltl_op op, size_t begin);
/* The list without an item, simplified. */
ltl_formula list_without(view v, ltl_formula list, ltl_formula item);
/* Whether the list has the item. */
bool list_has(view v, ltl_op op, ltl_formula list, ltl_formula item);
/* Whether the list has each item of the second list. */
bool list_has_all(view v, ltl_op op, ltl_formula list, ltl_formula items);
/* The list without the items of the second list, simplified. */
ltl_formula list_minus(view v, ltl_op op, ltl_formula list, ltl_formula items);
/* The list with another item at an index, simplified. */
ltl_formula list_replace(view v, ltl_formula list, uint32_t index, ltl_formula by);
/*
 * Splits a list into the items in these classes and the rest, both simplified; false if no item is in
 * them.
 */
bool list_split(view v, ltl_formula list, uint32_t classes, ltl_formula *taken, ltl_formula *rest);

/* Whether f ⇒ g can be proved (implies.c). In the flipped view, view_implies is g ⇒ f. */
bool simplify_implies(simplify_run *run, ltl_formula f, ltl_formula g);
bool view_implies(view v, ltl_formula f, ltl_formula g);
/* Whether it can be proved that f | g is true, or, in the flipped view, that f & g is false. */
bool view_covers(view v, ltl_formula f, ltl_formula g);
ltl_formula simplify_negation(simplify_run *run, ltl_formula formula);

/* The rules by the operator of the formula in the view. They return the formula itself if no rule applies. */
ltl_formula rules_of_next(view v, ltl_formula formula);
ltl_formula rules_of_eventually(view v, ltl_formula formula);
ltl_formula rules_of_until(view v, ltl_formula formula);
ltl_formula rules_of_weak_until(view v, ltl_formula formula);
ltl_formula rules_of_or(view v, ltl_formula formula);

/* The rules of Or that exchange U and W, M and R (simplify_strength.c). */
ltl_formula simplify_strength(view v, ltl_formula list);
/* Rewrites an Or by the same rules into a formula in these classes; returns the Or itself if that fails. */
ltl_formula simplify_into_class(view v, ltl_formula list, uint32_t classes);

/* Simplifies the formula under the assumption that the literals in `known` are false at all times. */
ltl_formula simplify_never(view v, ltl_formula formula, ltl_formula known);

/* Simplifies the formula below And and Or only, under the assumption that `given` is false now. */
ltl_formula simplify_where_false(view v, ltl_formula formula, ltl_formula given);

#endif
