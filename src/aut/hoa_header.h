/* SPDX-License-Identifier: MIT */
/* Reads the header of a HOA text, from "HOA:" to "--BODY--". */
#ifndef AUT_HOA_HEADER_H
#define AUT_HOA_HEADER_H

#include "aut/hoa_acceptance.h"
#include "aut/hoa_label.h"
#include "aut/hoa_properties.h"
#include "base/arena.h"

typedef struct hoa_start {
    uint32_t state;
    hoa_position position;
} hoa_start;

BASE_VEC(hoa_start_vec, hoa_start);

typedef struct hoa_header {
    uint32_t seen; /* set of the items that have been read, by index in hoa_header.c */
    uint32_t states;
    bool has_states;
    uint32_t state_limit; /* all state numbers are smaller */
    hoa_start_vec starts;
    const char *names[HOA_MOST_PROPOSITIONS]; /* in the arena, without epsilon */
    uint32_t name_count;
    const char *name; /* in the arena; may be NULL */
    hoa_labels labels;
    hoa_acceptance acceptance;
    hoa_claims claims;
    base_arena arena;
    base_text scratch;
} hoa_header;

/* Reads from "HOA:", which is the current token, to the token after "--BODY--". */
opac_status hoa_header_read(hoa_header *header, hoa_lexer *lexer, opac_error *error);
/* Frees the header, also after a failure. */
void hoa_header_fini(hoa_header *header);

/* Reads the number of a state, which must exist. */
opac_status hoa_read_state_number(const hoa_header *header, hoa_lexer *lexer, const char *expected,
                                  uint32_t *state, opac_error *error);

#endif
