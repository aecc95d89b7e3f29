/* SPDX-License-Identifier: MIT */
/*
 * What the files of the simplifier share: a run, and the two-sided view in
 * which its rules are written.
 *
 * Each rule has a dual, with And and Or, F and G, U and R, W and M, true and
 * false, "implies" and "is implied by" exchanged. A rule is therefore written
 * once, for Or, F, U and W, against a view; in the flipped view the same words
 * mean the dual things, and the same code is the rule for And, G, R and M.
 *
 *     in a rule     plain view    flipped view
 *     Or            Or            And
 *     F, U, W       F, U, W       G, R, M
 *     true          true          false
 *     f implies g   f ⇒ g         g ⇒ f
 *     eventual      eventual      universal
 *
 * Formulas themselves are not negated: a literal is a thing without structure
 * to all rules, and everything else shows its operator through the view.
 *
 * Invariant: the functions that make formulas take simplified formulas and
 * give simplified ones, so that a rule sees simplified children and its result
 * needs no second look.
 */
#ifndef LTL_SIMPLIFY_RULES_H
#define LTL_SIMPLIFY_RULES_H

#include "base/map.h"
#include "base/vec.h"
#include "ltl/simplify.h"

enum {
    SIMPLIFY_PAIRS_LIMIT = 64,    /* longer lists are not compared pair by pair */
    SIMPLIFY_LEVEL_LIMIT = 150,   /* rules within rules; beyond, formulas are made as they are */
    SIMPLIFY_NEGATE_DEPTH = 24,   /* deeper formulas are not negated to compare them */
    SIMPLIFY_IMPLIES_STEPS = 400, /* of one question whether f implies g */
    SIMPLIFY_WORK_PER_NODE = 200  /* rule applications, on the average over the formula */
};

typedef struct simplify_run {
    ltl_store *store;
    base_map done;      /* formula with simplified children ► simplified; itself while in work */
    base_map negations; /* formula ► negation normal form of its negation */
    base_map implied;   /* f · 2^32 + g ► 1 + whether f implies g */
    base_u32_vec stack; /* lists being made; used as a stack */
    uint32_t level;     /* rules that are in work within one another */
    uint32_t steps;     /* left for the present question whether f implies g */
    uint64_t work;      /* rule applications left */
    bool keep_strength; /* do not exchange U and W, R and M, also not for a lower class */
} simplify_run;

/* A run of all zeros but for its store knows nothing. */
void simplify_run_fini(simplify_run *run);
/* The simplified formula, of one in negation normal form. */
ltl_formula simplify_normal_form(simplify_run *run, ltl_formula formula);

/*
 * No rule takes a formula out of a class of the hierarchy, so that what later
 * steps can make of it never gets worse. Whether the first kinds are in all
 * classes of the second, and whether they are in more.
 */
bool simplify_keeps_class(uint32_t kinds, uint32_t before);
bool simplify_gains_class(uint32_t kinds, uint32_t before);

typedef struct view {
    simplify_run *run;
    bool flipped;
} view;

/* The kinds that mean these in the dual. */
uint32_t simplify_dual_kinds(uint32_t kinds);

static inline ltl_op view_op(view v, ltl_op op)
{
    return v.flipped ? ltl_dual(op) : op;
}

static inline ltl_op view_op_of(view v, ltl_formula formula)
{
    return view_op(v, ltl_op_of(v.run->store, formula));
}

static inline bool view_is(view v, ltl_formula formula, uint32_t kinds)
{
    return ltl_is(v.run->store, formula, v.flipped ? simplify_dual_kinds(kinds) : kinds);
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

static inline uint32_t view_kinds(view v, ltl_formula formula)
{
    return ltl_classes_of(v.run->store, formula);
}

/* The formula itself, without rules. */
ltl_formula view_raw(view v, ltl_op op, ltl_formula left, ltl_formula right);

/* Simplified formulas of simplified parts. */
ltl_formula view_unary(view v, ltl_op op, ltl_formula child);
ltl_formula view_binary(view v, ltl_op op, ltl_formula left, ltl_formula right);

/* Lists under construction: remember list_begin, push, make. */
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

/* The simplified And or Or of what was pushed since; takes it off. */
ltl_formula list_make(view v, ltl_op op, size_t begin);
/* The children of a list but one, simplified. */
ltl_formula list_without(view v, ltl_formula list, ltl_formula item);
/* Whether it is an item of the list, or the list itself. Of And or Or. */
bool list_has(view v, ltl_op op, ltl_formula list, ltl_formula item);
/* Whether each item of the second (itself, if it is no such list) is one of the first. */
bool list_has_all(view v, ltl_op op, ltl_formula list, ltl_formula items);
/* The first without the items of the second, simplified. */
ltl_formula list_minus(view v, ltl_op op, ltl_formula list, ltl_formula items);
/* The list with another item at an index, simplified. */
ltl_formula list_replace(view v, ltl_formula list, uint32_t index, ltl_formula by);
/* The items of these kinds, and the rest, both simplified; false if there are none. */
bool list_take(view v, ltl_formula list, uint32_t kinds, ltl_formula *taken, ltl_formula *rest);

/* implies.c. Whether f ⇒ g, certainly. */
bool simplify_implies(simplify_run *run, ltl_formula f, ltl_formula g);
bool view_implies(view v, ltl_formula f, ltl_formula g);
/* Whether f or g is certainly true. In the flipped view: whether f and g is false. */
bool view_covers(view v, ltl_formula f, ltl_formula g);
ltl_formula simplify_negation(simplify_run *run, ltl_formula formula);

/*
 * The rules, by the operator of the formula, in the view: each gives the
 * simplified formula, or the one that it was given where no rule applies.
 */
ltl_formula rules_of_next(view v, ltl_formula formula);
ltl_formula rules_of_eventually(view v, ltl_formula formula);
ltl_formula rules_of_until(view v, ltl_formula formula);
ltl_formula rules_of_unless(view v, ltl_formula formula);
ltl_formula rules_of_or(view v, ltl_formula formula);

/* The rules of Or that exchange U and W, M and R (simplify_strength.c). */
ltl_formula simplify_strength(view v, ltl_formula list);
/* An Or, by the same rules, in these classes; itself if that does not succeed. */
ltl_formula simplify_into_class(view v, ltl_formula list, uint32_t classes);

/* The formula where the literals among the items of `known` are false at all times. */
ltl_formula simplify_never(view v, ltl_formula formula, ltl_formula known);

/* The Boolean layer of a formula where `given` is known to be false. */
ltl_formula simplify_where_false(view v, ltl_formula formula, ltl_formula given);

#endif
