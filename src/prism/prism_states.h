/* SPDX-License-Identifier: MIT */
/*
 * The set of states found so far: packed rows in the order of discovery, with a hash table from rows to state
 * numbers (base/slots.h).
 *
 *     rows    │ state 0 │ state 1 │ …       `words` words for each state; becomes model->rows
 *     slots   hash ► number                 11 to 21 bytes for each state
 *
 * With ten million states, each lookup causes two cache misses: one for the slot, one for the row. Therefore
 * prism_states_intern_all takes the rows of a few hundred successors, prefetches all their slots, then all
 * the rows that these slots refer to, and compares last. The numbers are the same as those of single lookups.
 */
#ifndef PRISM_STATES_H
#define PRISM_STATES_H

#include "base/slots.h"
#include "base/vec.h"

typedef struct prism_states {
    base_slots slots;
    base_u64_vec rows;
    uint32_t words; /* of a row; may be 0, then there is at most one state */
    uint32_t count;
    uint32_t limit; /* on count */
} prism_states;

/* The caller sets words and limit, and zeroes the other members before use. */
void prism_states_fini(prism_states *states);

/*
 * Finds or adds `count` rows and stores their numbers. OPAC_ERROR_LIMIT if there are more states than the
 * limit.
 */
opac_status prism_states_intern_all(prism_states *states, const uint64_t *rows, size_t count,
                                    uint32_t *numbers, opac_error *error);

#endif
