/* SPDX-License-Identifier: MIT */
/*
 * A test of independence for simulators with few different episodes; a part of repeats.h. A test martingale
 * compares how often a row led to a successor after a history (the beginning of an episode) with how often it
 * did so in all episodes.
 */
#ifndef SAMPLE_HISTORY_TEST_H
#define SAMPLE_HISTORY_TEST_H

#include "base/map.h"
#include "base/vec.h"

typedef struct sample_history sample_history;
typedef struct sample_history_successor sample_history_successor;
typedef struct sample_history_row {
    double draws;  /* h: number of draws to a successor that was seen before */
    double news;   /* w: number of other draws */
    double widths; /* m: number of successors seen */
} sample_history_row;
BASE_VEC(sample_history_row_vec, sample_history_row);

typedef struct sample_history_test {
    sample_history *histories;
    sample_history_successor *successors;
    uint64_t next_id;            /* of a history */
    base_map row_of;             /* by row: its number, from 1 */
    sample_history_row_vec rows; /* by number */
    base_map draws;              /* by successor of a row: h_x plus 1 */
    double log_odds;             /* logarithm of the product */
    uint64_t bets;               /* number of draws in the product */
} sample_history_test;

opac_status sample_history_test_init(sample_history_test *test, opac_error *error);
void sample_history_test_fini(sample_history_test *test);

/* Adds a row that turned out to have several successors: its draws are used from now on. */
opac_status sample_history_test_add_row(sample_history_test *test, uint64_t row, uint64_t first,
                                        uint64_t second, opac_error *error);
/* Adds a draw of a row after a history. */
opac_status sample_history_test_observe(sample_history_test *test, uint64_t row, uint64_t history,
                                        uint64_t successor, opac_error *error);

#endif
