/* SPDX-License-Identifier: MIT */
/*
 * Restores statistics from a checkpoint, part by part in the order below. All parts are added by the
 * ordinary functions of the statistics, so numbers and choices are the same as before. Impossible parts are
 * OPAC_ERROR_ARGUMENT; after any failure the statistics must be released.
 *
 * Parts that are possible by themselves may contradict each other: sample_restore_end checks the whole.
 */
#ifndef SAMPLE_STATISTICS_RESTORE_H
#define SAMPLE_STATISTICS_RESTORE_H

#include "sample/statistics.h"

/* Adds the state with the next number, which must be new. */
opac_status sample_restore_state(sample_statistics *stats, const opac_observation *state,
                                 opac_error *error);

/*
 * Sets all branches of a row, which must have distinct targets. SAMPLE_NONE stands for an unseen branch of a
 * tabulated environment, whose branches they must be. last: by state, the last row that led there, initially
 * SAMPLE_NONE; used to detect duplicates.
 */
opac_status sample_restore_row(sample_statistics *stats, uint32_t row, const uint32_t *targets,
                               uint32_t width, uint32_t *last, opac_error *error);

typedef enum sample_product_state_kind {
    SAMPLE_PRODUCT_START = 0,
    SAMPLE_PRODUCT_REJECT = 1,
    SAMPLE_PRODUCT_SINK = 2,  /* with a memory */
    SAMPLE_PRODUCT_STATES = 3 /* with a state, and a memory */
} sample_product_state_kind;

/* Adds the product state with the next number. initial: the initial state, for START. */
opac_status sample_restore_product_state(sample_statistics *stats, uint32_t number,
                                         const sample_product_state *product_state,
                                         sample_product_state_kind kind, uint32_t initial,
                                         opac_error *error);
/* After the product states: where episodes begin. Both are SAMPLE_NONE if nothing was observed yet. */
opac_status sample_restore_start(sample_statistics *stats, uint32_t initial, uint32_t start,
                                 opac_error *error);

/* Sets the observations of a counter, by branch. A complete counter is known with any number of them, and
 * gets its order by sample_restore_order. */
opac_status sample_restore_counter(sample_statistics *stats, uint32_t counter,
                                   const uint64_t *observed, uint32_t width, bool known,
                                   opac_error *error);

/* At the end: the counters that became full (with rows_are_open, got new successors) since the last refresh, in
 * their order, and stats->closed. With rows_are_open, stats->discovered must be set after that. */
opac_status sample_restore_end(sample_statistics *stats, const uint32_t *full, size_t count,
                               uint32_t closed, opac_error *error);

/*
 * With known_when_complete, after all of the above: sets the order of a complete counter, each once; with
 * rows_are_open that makes it complete. When all are set, sample_restore_check verifies that the successors of known choices exist.
 */
opac_status sample_restore_order(sample_statistics *stats, uint32_t counter,
                                 const uint32_t *branches, uint32_t count, opac_error *error);
opac_status sample_restore_check(sample_statistics *stats, opac_error *error);

#endif
