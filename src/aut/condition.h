/* SPDX-License-Identifier: MIT */
/*
 * Acceptance conditions (Emerson-Lei): Boolean formulas over Inf(i), "mark i is
 * seen infinitely often", and Fin(i), its negation.
 *
 *     terms   │ Inf 0 │ Fin 1 │ and 0 1 │ Inf 2 │ or 2 3 │      children come first
 *                                                    ▲ root: the last term
 *
 * Because children come first, evaluating is one pass without recursion, and
 * no depth is too deep. A condition of all zeros has no terms and stands for
 * false; AUT_TERM_FALSE spells it out. Marks are 0 … 62, in 64-bit sets.
 */
#ifndef AUT_CONDITION_H
#define AUT_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/output.h>

#include "base/vec.h"

enum {
    AUT_MOST_MARKS = 63,
    AUT_MOST_TERMS = 1 << 16
};

typedef enum aut_term_kind {
    AUT_TERM_FALSE,
    AUT_TERM_TRUE,
    AUT_TERM_INF,
    AUT_TERM_FIN,
    AUT_TERM_AND,
    AUT_TERM_OR
} aut_term_kind;

typedef struct aut_term {
    aut_term_kind kind;
    uint32_t left, right; /* And, Or: earlier terms; Inf, Fin: left is the mark */
} aut_term;

BASE_VEC(aut_term_vec, aut_term);

typedef struct aut_condition {
    aut_term_vec terms;
} aut_condition;

/* Functions that give a new condition leave it empty when they fail. */
void aut_condition_fini(aut_condition *condition);
opac_status aut_condition_copy(const aut_condition *from, aut_condition *to, opac_error *error);

/* Adds a term; *index is where it went (may be NULL). The last one added is the root. */
opac_status aut_condition_add(aut_condition *condition, aut_term term, uint32_t *index,
                              opac_error *error);
/* Adds all terms of another condition, its mark m becoming m + shift. */
opac_status aut_condition_append(aut_condition *condition, const aut_condition *other,
                                 uint32_t shift, uint32_t *index, opac_error *error);

/* Its value when exactly the Inf of `inf` and the Fin of `fin` are true. */
bool aut_condition_evaluate(const aut_condition *condition, uint64_t inf, uint64_t fin);

/* Whether a run that sees exactly these marks infinitely often is accepted. */
static inline bool aut_condition_holds(const aut_condition *condition, uint64_t marks)
{
    return aut_condition_evaluate(condition, marks, ~marks);
}

/* The marks that are named in it. */
uint64_t aut_condition_marks(const aut_condition *condition);
/* Those under an Inf, and those under a Fin. */
uint64_t aut_condition_inf_marks(const aut_condition *condition);
uint64_t aut_condition_fin_marks(const aut_condition *condition);

/* The dual: accepts exactly what this one rejects. */
opac_status aut_condition_negate(const aut_condition *from, aut_condition *to, opac_error *error);

/*
 * The condition when some marks are known to be seen infinitely often (seen)
 * or never (unseen), simplified: constants folded, repetitions dropped.
 */
opac_status aut_condition_assume(const aut_condition *from, uint64_t seen, uint64_t unseen,
                                 aut_condition *to, opac_error *error);

/*
 * The same condition, simplified: constants folded, operands grouped, repeated
 * and absorbed ones dropped (a & (a | b) is a), Inf(i) & Fin(i) is false. Terms
 * that do not belong to the root are gone; a term may have several parents.
 */
opac_status aut_condition_simplify(const aut_condition *from, aut_condition *to, opac_error *error);

/* The condition becomes "literal(mark) kind (condition)"; without terms: the literal alone. */
opac_status aut_condition_join(aut_condition *condition, aut_term_kind kind, aut_term_kind literal,
                               uint32_t mark, opac_error *error);

/* Marks renumbered: mark m becomes map[m] (63 entries). */
void aut_condition_rename(aut_condition *condition, const uint8_t *map);

/* The usual ones, as the canonical formulas of HOA; a condition that was there is not released. */
opac_status aut_condition_buchi(aut_condition *condition, opac_error *error);   /* Inf(0) */
opac_status aut_condition_cobuchi(aut_condition *condition, opac_error *error); /* Fin(0) */
opac_status aut_condition_true(aut_condition *condition, opac_error *error);
opac_status aut_condition_false(aut_condition *condition, opac_error *error);
opac_status aut_condition_generalized_buchi(aut_condition *condition, uint32_t count,
                                            opac_error *error);
opac_status aut_condition_generalized_cobuchi(aut_condition *condition, uint32_t count,
                                              opac_error *error);
/* Priorities 0 … count-1. */
opac_status aut_condition_parity(aut_condition *condition, bool is_max, bool is_even,
                                 uint32_t count, opac_error *error);
/* Max even with priorities 0 … count-1, in HOA's canonical form. */
opac_status aut_condition_parity_max_even(aut_condition *condition, uint32_t count,
                                          opac_error *error);
/* Pairs i: Fin(2i) & Inf(2i+1), in HOA's canonical form. */
opac_status aut_condition_rabin(aut_condition *condition, uint32_t pairs, opac_error *error);
opac_status aut_condition_streett(aut_condition *condition, uint32_t pairs, opac_error *error);
/* Pair i: a Fin and then sizes[i] Infs. */
opac_status aut_condition_generalized_rabin(aut_condition *condition, const uint32_t *sizes,
                                            uint32_t pairs, opac_error *error);

/* As HOA writes it: "Fin(0) & (Inf(1) | Inf(2))"; with only the parentheses that are needed. */
void aut_condition_write(const aut_condition *condition, opac_output *out);

/* What a condition is called. */
typedef enum aut_condition_name {
    AUT_NAME_NONE, /* a proper Emerson-Lei condition */
    AUT_NAME_ALL,
    AUT_NAME_NOTHING, /* HOA's "none" */
    AUT_NAME_BUCHI,
    AUT_NAME_COBUCHI,
    AUT_NAME_GENERALIZED_BUCHI,
    AUT_NAME_GENERALIZED_COBUCHI,
    AUT_NAME_RABIN,
    AUT_NAME_STREETT,
    AUT_NAME_GENERALIZED_RABIN,
    AUT_NAME_PARITY
} aut_condition_name;

typedef struct aut_condition_class {
    aut_condition_name name;
    uint32_t count; /* marks of generalised and parity conditions, pairs of Rabin and Streett */
    bool is_max, is_even;    /* parity */
    base_u32_vec pair_sizes; /* generalised Rabin: Infs of each pair */
} aut_condition_class;

void aut_condition_class_fini(aut_condition_class *found);

/*
 * Recognises the canonical formula of each acc-name of HOA, for a condition
 * over mark_count marks, up to the order and grouping of operands.
 */
opac_status aut_condition_classify(const aut_condition *condition, uint32_t mark_count,
                                   aut_condition_class *found, opac_error *error);
/* "generalized-Buchi 2", as behind acc-name:. */
void aut_condition_class_write(const aut_condition_class *found, opac_output *out);

#endif
