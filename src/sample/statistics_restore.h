/* SPDX-License-Identifier: MIT */
/*
 * A world filled from what somebody remembers of it (a checkpoint), part by
 * part in the order below. Everything goes through the world's own functions,
 * so numbers, choices and maps come out as they were; what could not have been
 * is OPAC_ERROR_ARGUMENT, and the world is then fit for nothing but its end.
 *
 * What is right for every part alone may still contradict: sample_restore_end
 * looks at the whole.
 */
#ifndef SAMPLE_STATISTICS_RESTORE_H
#define SAMPLE_STATISTICS_RESTORE_H

#include "sample/statistics.h"

/* The state with the next number, which must be a new one. */
opac_status sample_restore_state(sample_statistics *stats, const opac_observation *state,
                                 opac_error *error);

/*
 * All branches of a row at once, distinct states; SAMPLE_NONE: not seen, in a tabulated environment
 * alone, whose branches they must be. last: by state, the last row that led there, at first
 * SAMPLE_NONE; so they are seen to be distinct.
 */
opac_status sample_restore_row(sample_statistics *stats, uint32_t row, const uint32_t *targets,
                               uint32_t width, uint32_t *last, opac_error *error);

typedef enum sample_product_state_kind {
    SAMPLE_PRODUCT_START = 0,
    SAMPLE_PRODUCT_REJECT = 1,
    SAMPLE_PRODUCT_SINK = 2,  /* with a memory */
    SAMPLE_PRODUCT_STATES = 3 /* with a state, and a memory */
} sample_product_state_kind;

/* The pair of the next number. initial: the state that reset gives, for START. */
opac_status sample_restore_product_state(sample_statistics *stats, uint32_t number,
                                         const sample_product_state *product_state,
                                         sample_product_state_kind kind, uint32_t initial,
                                         opac_error *error);
/* After the pairs: where episodes begin; SAMPLE_NONE both: nothing was seen yet. */
opac_status sample_restore_start(sample_statistics *stats, uint32_t initial, uint32_t start,
                                 opac_error *error);

/* The observations of a counter, by branch. One that is complete is known with any number of them,
 * and has no order yet: see sample_restore_order. */
opac_status sample_restore_counter(sample_statistics *stats, uint32_t counter,
                                   const uint64_t *observed, uint32_t width, bool known,
                                   opac_error *error);

/* At the end: counters that became full since the last refresh, in their order, and
 * how many pairs that has closed. */
opac_status sample_restore_end(sample_statistics *stats, const uint32_t *full, size_t count,
                               uint32_t closed, opac_error *error);

/*
 * In a world whose counters become known by being complete (support.h), after all of the above: the
 * order of a known one, each once; and when all are there, that their successors have been met.
 */
opac_status sample_restore_order(sample_statistics *stats, uint32_t counter,
                                 const uint32_t *branches, uint32_t count, opac_error *error);
opac_status sample_restore_check(sample_statistics *stats, opac_error *error);

#endif
