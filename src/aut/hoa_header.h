/* SPDX-License-Identifier: MIT */
/* The header of a HOA text: everything from "HOA:" to "--BODY--". */
#ifndef AUT_HOA_HEADER_H
#define AUT_HOA_HEADER_H

#include "aut/hoa_acceptance.h"
#include "aut/hoa_label.h"
#include "aut/hoa_properties.h"
#include "base/arena.h"

typedef struct hoa_start {
    uint32_t state;
    hoa_place place;
} hoa_start;

BASE_VEC(hoa_start_vec, hoa_start);

typedef struct hoa_header {
    uint32_t seen; /* items that may come once and did: a set, see hoa_header.c */
    uint32_t states;
    bool has_states;
    uint32_t state_limit; /* no state has this number or a larger one */
    hoa_start_vec starts;
    const char *names[HOA_MOST_PROPOSITIONS]; /* in the arena, without epsilon */
    uint32_t name_count;
    const char *name; /* in the arena; NULL: none */
    hoa_labels labels;
    hoa_acceptance acceptance;
    hoa_claims claims;
    base_arena arena;
    base_text scratch;
} hoa_header;

/* Reads from "HOA:", which is the token, to the token behind "--BODY--". */
opac_status hoa_header_read(hoa_header *header, hoa_lexer *lexer, opac_error *error);
/* Also after a failure. */
void hoa_header_fini(hoa_header *header);

/* The number of a state, which must exist, then the next token. */
opac_status hoa_take_state(const hoa_header *header, hoa_lexer *lexer, const char *expected,
                           uint32_t *state, opac_error *error);

#endif
