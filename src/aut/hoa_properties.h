/* SPDX-License-Identifier: MIT */
/*
 * Reads "properties:" of a HOA text. They are only hints: each is compared with the automaton, and a false
 * one gives a notice.
 */
#ifndef AUT_HOA_PROPERTIES_H
#define AUT_HOA_PROPERTIES_H

#include "aut/automaton.h"
#include "aut/hoa_lexer.h"

/* The properties that are checked. Others are ignored. */
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
    uint32_t claimed, denied; /* sets of properties; version 1.1 has '!' for denied ones */
    hoa_position positions[HOA_PROPERTY_COUNT];
} hoa_claims;

/* Features of the format that the body of a text uses. */
typedef struct hoa_usage {
    bool state_labels, edge_labels, implicit_labels;
    bool state_marks, edge_marks;
    bool uncoloured; /* an edge is not in exactly one acceptance set */
} hoa_usage;

/* Reads the tokens after "properties:". */
opac_status hoa_claims_read(hoa_claims *claims, hoa_lexer *lexer, opac_error *error);

/* Gives a notice for each false hint. */
void hoa_claims_check(const hoa_claims *claims, const hoa_usage *usage,
                      const opac_automaton *automaton, const hoa_lexer *lexer);

#endif
