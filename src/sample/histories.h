/* SPDX-License-Identifier: MIT */
/*
 * The part of learn/repeats.h for simulators with a limited number of different episodes: a test
 * martingale that compares how often a row led to a successor after one history (the beginning of an
 * episode) with how often it did so in all.
 */
#ifndef SAMPLE_HISTORIES_H
#define SAMPLE_HISTORIES_H

#include "base/map.h"
#include "base/vec.h"

typedef struct sample_histories_node sample_histories_node;
typedef struct sample_histories_leaf sample_histories_leaf;
typedef struct sample_histories_row {
    double draws;  /* h: that led to a successor seen before */
    double news;   /* w: that did not */
    double widths; /* m: successors seen */
} sample_histories_row;
BASE_VEC(sample_histories_row_vec, sample_histories_row);

typedef struct sample_histories {
    sample_histories_node *nodes;
    sample_histories_leaf *leaves;
    uint64_t next_id;              /* of a node */
    base_map row_of;               /* row: its number from 1 */
    sample_histories_row_vec rows; /* by number */
    base_map draws;                /* by successor of a row: h_x plus 1 */
    double log_odds;               /* of the product */
    uint64_t bets;                 /* draws that it is over */
} sample_histories;

opac_status sample_histories_init(sample_histories *histories, opac_error *error);
void sample_histories_fini(sample_histories *histories);

/* A row turned out to have several successors; from now on its draws are noted. */
opac_status sample_histories_add(sample_histories *histories, uint64_t row, uint64_t first,
                                 uint64_t second, opac_error *error);
/* A draw of a row behind a history. */
opac_status sample_histories_note(sample_histories *histories, uint64_t row, uint64_t history,
                                  uint64_t successor, opac_error *error);

#endif
