/* SPDX-License-Identifier: MIT */
/*
 * Emerson-Lei acceptance conditions: positive Boolean formulas over Inf(i), "mark i is seen infinitely
 * often", and its negation Fin(i).
 *
 *     terms   │ Inf 0 │ Fin 1 │ and 0 1 │ Inf 2 │ or 2 3 │      operands come first
 *                                                    ▲ root: the last term
 *
 * Since operands come before their term, evaluation is one pass without recursion, and the nesting depth is
 * not limited. A zero-initialized condition has no terms and is false, like AUT_TERM_FALSE. Marks are 0 … 62;
 * a set of marks is a uint64_t.
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

/* Functions that set a new condition leave it empty if they fail. */
void aut_condition_fini(aut_condition *condition);
opac_status aut_condition_copy(const aut_condition *from, aut_condition *to, opac_error *error);

/* Adds a term, and sets *index, which may be NULL, to its index. The last term that is added is the root. */
opac_status aut_condition_add(aut_condition *condition, aut_term term, uint32_t *index,
                              opac_error *error);
/* Adds all terms of another condition, with mark m + shift in place of m. *index: the index of its root. */
opac_status aut_condition_append(aut_condition *condition, const aut_condition *other,
                                 uint32_t shift, uint32_t *index, opac_error *error);

/* The value of the condition if exactly Inf(i) for i in `inf` and Fin(i) for i in `fin` are true. */
bool aut_condition_evaluate(const aut_condition *condition, uint64_t inf, uint64_t fin);

/* Whether a run that sees exactly these marks infinitely often is accepting. */
static inline bool aut_condition_holds(const aut_condition *condition, uint64_t marks)
{
    return aut_condition_evaluate(condition, marks, ~marks);
}

/* The marks that occur in the condition. */
uint64_t aut_condition_marks(const aut_condition *condition);
/* The marks that occur under an Inf, and under a Fin. */
uint64_t aut_condition_inf_marks(const aut_condition *condition);
uint64_t aut_condition_fin_marks(const aut_condition *condition);

/* The negation: accepts exactly the runs that `from` rejects. */
opac_status aut_condition_negate(const aut_condition *from, aut_condition *to, opac_error *error);

/*
 * The condition under the assumption that the marks `seen` are seen infinitely often and the marks `unseen`
 * are not, simplified.
 */
opac_status aut_condition_assume(const aut_condition *from, uint64_t seen, uint64_t unseen,
                                 aut_condition *to, opac_error *error);

/*
 * An equivalent condition: constants are folded, operands grouped, repeated and absorbed ones removed (a & (a
 * | b) is a), and Inf(i) & Fin(i) is replaced by false. It contains only terms that the root depends on; a
 * term may be an operand of several others.
 */
opac_status aut_condition_simplify(const aut_condition *from, aut_condition *to, opac_error *error);

/* Replaces the condition by "literal(mark) kind (condition)", or by the literal if it has no terms. */
opac_status aut_condition_join(aut_condition *condition, aut_term_kind kind, aut_term_kind literal,
                               uint32_t mark, opac_error *error);

/* Replaces each mark m by map[m]. map has 63 entries. */
void aut_condition_rename(aut_condition *condition, const uint8_t *map);

/* The named conditions, as the canonical formulas of HOA. The previous content of *condition is not freed. */
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
/* The disjunction of Fin(2i) & Inf(2i+1) over the pairs i, in HOA's canonical form. */
opac_status aut_condition_rabin(aut_condition *condition, uint32_t pairs, opac_error *error);
opac_status aut_condition_streett(aut_condition *condition, uint32_t pairs, opac_error *error);
/* Pair i has a Fin and then sizes[i] Infs. */
opac_status aut_condition_generalized_rabin(aut_condition *condition, const uint32_t *sizes,
                                            uint32_t pairs, opac_error *error);

/* Writes the condition in HOA's syntax: "Fin(0) & (Inf(1) | Inf(2))", with no more parentheses than
 * necessary. */
void aut_condition_write(const aut_condition *condition, opac_output *out);

/* The kind of a condition, by the names of HOA. */
typedef enum aut_condition_name {
    AUT_NAME_EMERSON_LEI, /* none of the others */
    AUT_NAME_ALL,
    AUT_NAME_NONE,
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
    uint32_t count; /* marks of generalized and parity conditions, pairs of Rabin and Streett */
    bool is_max, is_even;    /* of parity */
    base_u32_vec pair_sizes; /* of generalized Rabin: the number of Infs of each pair */
} aut_condition_class;

void aut_condition_class_fini(aut_condition_class *found);

/*
 * Recognises the canonical formula of each acc-name of HOA, for a condition
 * over mark_count marks, up to the order and grouping of operands.
 */
opac_status aut_condition_classify(const aut_condition *condition, uint32_t mark_count,
                                   aut_condition_class *found, opac_error *error);
/* Writes the name and its parameters as in HOA's acc-name: "generalized-Buchi 2". */
void aut_condition_class_write(const aut_condition_class *found, opac_output *out);

#endif
