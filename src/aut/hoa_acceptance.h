/* SPDX-License-Identifier: MIT */
/*
 * The acceptance of a HOA text.
 *
 * Inf(!i) and Fin(!i) speak of the edges that are not in set i. Where the
 * condition has only the complement of a set, its mark is turned around on all
 * edges; where it has both, the complement gets a mark of its own.
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
    hoa_place place;    /* of "Acceptance:"; a line of 0: not read yet */
    uint32_t set_count; /* of the file */
    uint32_t mark_count;
    aut_condition condition;
    uint64_t turned;                    /* marks that stand for the complement of their set */
    uint64_t doubled;                   /* sets whose complement has a mark of its own, */
    uint8_t complement[AUT_MOST_MARKS]; /* which is this one */
    hoa_place name_place;               /* of "acc-name:" */
    hoa_token_vec name;                 /* what follows it */
} hoa_acceptance;

void hoa_acceptance_fini(hoa_acceptance *acceptance);

/* What follows "Acceptance:", and "acc-name:". */
opac_status hoa_acceptance_read(hoa_acceptance *acceptance, hoa_lexer *lexer, hoa_stacks *stacks,
                                opac_error *error);
opac_status hoa_acceptance_read_name(hoa_acceptance *acceptance, hoa_lexer *lexer,
                                     opac_error *error);

/* Marks in braces, if there are any: the sets of the file. */
opac_status hoa_marks_read(const hoa_acceptance *acceptance, hoa_lexer *lexer, uint64_t *sets,
                           opac_error *error);

/* The marks of an edge that is in these sets of the file. */
uint64_t hoa_acceptance_marks(const hoa_acceptance *acceptance, uint64_t sets);

/* A notice if the name means another condition. */
opac_status hoa_acceptance_check_name(const hoa_acceptance *acceptance, const hoa_lexer *lexer,
                                      opac_error *error);

#endif
