/* SPDX-License-Identifier: MIT */
/*
 * Reads the acceptance condition and the acceptance sets of a HOA text.
 *
 * Inf(!i) and Fin(!i) refer to the edges that are not in set i. If the condition contains only the complement
 * of a set, its mark is inverted on all edges. If it contains both, the complement gets a mark of its own.
 *
 *     Acceptance: 2 Fin(!0) & Inf(1) & Inf(!1)     becomes     Fin(0) & Inf(1) & Inf(2)
 *     marks of the file {}, {0}, {1}, {0 1}                    {0 2}, {2}, {0 1}, {1}
 */
#ifndef AUT_HOA_ACCEPTANCE_H
#define AUT_HOA_ACCEPTANCE_H

#include "aut/condition.h"
#include "aut/hoa_expression.h"

BASE_VEC(hoa_token_vec, hoa_token);

typedef struct hoa_acceptance {
    hoa_position position; /* of "Acceptance:"; line 0 if not read yet */
    uint32_t set_count;    /* acceptance sets of the file */
    uint32_t mark_count;
    aut_condition condition;
    uint64_t inverted;                  /* marks that stand for the complement of their set */
    uint64_t complemented;              /* sets whose complement has a mark of its own */
    uint8_t complement[AUT_MOST_MARKS]; /* by such a set: that mark */
    hoa_position name_position;         /* of "acc-name:" */
    hoa_token_vec name;                 /* the tokens after "acc-name:" */
} hoa_acceptance;

void hoa_acceptance_fini(hoa_acceptance *acceptance);

/* Reads the tokens after "Acceptance:", and after "acc-name:". */
opac_status hoa_acceptance_read(hoa_acceptance *acceptance, hoa_lexer *lexer, hoa_stacks *stacks,
                                opac_error *error);
opac_status hoa_acceptance_read_name(hoa_acceptance *acceptance, hoa_lexer *lexer,
                                     opac_error *error);

/* Reads the acceptance sets in braces, if there are any. *sets: numbers of the file. */
opac_status hoa_marks_read(const hoa_acceptance *acceptance, hoa_lexer *lexer, uint64_t *sets,
                           opac_error *error);

/* The marks of an edge that belongs to these acceptance sets of the file. */
uint64_t hoa_acceptance_marks(const hoa_acceptance *acceptance, uint64_t sets);

/* Gives a notice if "acc-name:" names another condition than "Acceptance:". */
opac_status hoa_acceptance_check_name(const hoa_acceptance *acceptance, const hoa_lexer *lexer,
                                      opac_error *error);

#endif
