/* SPDX-License-Identifier: MIT */
/*
 * "properties:" of a HOA text are hints. What they say is compared with the
 * automaton, and a false one is worth a notice; nobody relies on them.
 */
#ifndef AUT_HOA_PROPERTIES_H
#define AUT_HOA_PROPERTIES_H

#include "aut/automaton.h"
#include "aut/hoa_lexer.h"

/* Those that are checked; others are ignored. */
typedef enum hoa_property {
    HOA_STATE_LABELS,
    HOA_TRANS_LABELS,
    HOA_IMPLICIT_LABELS,
    HOA_EXPLICIT_LABELS,
    HOA_STATE_ACC,
    HOA_TRANS_ACC,
    HOA_UNIV_BRANCH,
    HOA_NO_UNIV_BRANCH,
    HOA_DETERMINISTIC,
    HOA_COMPLETE,
    HOA_COLORED,
    HOA_PROPERTY_COUNT
} hoa_property;

typedef struct hoa_claims {
    uint32_t claimed, denied; /* sets of properties; version 1.1 denies with '!' */
    hoa_place places[HOA_PROPERTY_COUNT];
} hoa_claims;

/* What the body of a text makes use of. */
typedef struct hoa_usage {
    bool state_labels, edge_labels, implicit_labels;
    bool state_marks, edge_marks;
    bool uncoloured; /* an edge is not in exactly one acceptance set */
} hoa_usage;

/* What follows "properties:". */
opac_status hoa_claims_read(hoa_claims *claims, hoa_lexer *lexer, opac_error *error);

/* Gives a notice of each false hint. */
void hoa_claims_check(const hoa_claims *claims, const hoa_usage *usage,
                      const opac_automaton *automaton, const hoa_lexer *lexer);

#endif
