/* SPDX-License-Identifier: MIT */
/* Reading the states of a DRN file, which follow its header. */
#ifndef MODEL_DRN_BODY_H
#define MODEL_DRN_BODY_H

#include "model/drn_reader.h"

/* The choice that is being read, or the last one. */
typedef struct drn_choice {
    bool is_open;        /* whether more branches may follow */
    bool is_implicit;    /* it has branches, but no line "action" */
    bool has_error;      /* a branch has an error, so the sum is not checked */
    uint32_t line;       /* of its beginning */
    uint32_t column;     /* of its beginning */
    uint64_t branches;   /* number of its lines with branches */
    size_t first_branch; /* number of its first branch in the builder */
    double sum, rest;    /* compensated sum of its probabilities (base/sum.h) */
    base_ratio exact;    /* the same sum as a fraction */
} drn_choice;

typedef struct drn_body {
    drn_reader *reader;
    uint64_t states;    /* number of states so far, including the current one */
    uint64_t choices;   /* number of choices of all states */
    uint64_t deadlocks; /* number of states before the current one that have no choice */
    uint32_t position;  /* number of choices of the current state */
    drn_choice choice;
    size_t inexact; /* first branch of the first choice whose sum is not exactly 1 */
    uint32_t inexact_line;
    uint32_t line_count; /* lines read, for the periodic checks */
    uint64_t max_memory;
    bool warned; /* that values of variables are ignored */
    bool has_initial;
} drn_body;

/* Reads to the end of the file into the reader's builder. Errors in the file go to its report. */
opac_status drn_read_lines(drn_body *body, opac_error *error);

#endif
