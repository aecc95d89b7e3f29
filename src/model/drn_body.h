/* SPDX-License-Identifier: MIT */
/* The states of a DRN file, behind its header. */
#ifndef MODEL_DRN_BODY_H
#define MODEL_DRN_BODY_H

#include "model/drn_reader.h"

/* The choice in hand, or the last one. */
typedef struct drn_choice {
    bool is_open;
    bool is_implicit;    /* it has no line "action" */
    bool is_wrong;       /* something in it was not understood: no word about its sum */
    uint32_t line;       /* where it began */
    uint32_t column;     /* likewise */
    uint64_t branches;   /* lines of it */
    size_t first_branch; /* in the builder */
    double sum, rest;    /* of its probabilities: base/sum.h */
    base_ratio exact;    /* the same as a fraction */
} drn_choice;

typedef struct drn_body {
    drn_reader *reader;
    uint64_t states;    /* begun; the last of them is in hand */
    uint64_t choices;   /* of all states */
    uint64_t deadlocks; /* states before the one in hand that have no choice */
    uint32_t position;  /* choices of the state in hand */
    drn_choice choice;
    size_t uneven; /* the first branch of the first choice whose sum is only nearly 1 */
    uint32_t uneven_line;
    uint32_t line_count; /* until the next look */
    uint64_t max_memory;
    bool warned; /* about values of variables */
    bool has_initial;
} drn_body;

/* Reads to the end of the file into the builder of the reader; mistakes are noted. */
opac_status drn_read_lines(drn_body *body, opac_error *error);

#endif
