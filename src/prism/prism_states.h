/* SPDX-License-Identifier: MIT */
/*
 * The states found so far: their packed rows in the order of first sight, and
 * an index from rows to numbers (base/slots.h).
 *
 *     rows    │ state 0 │ state 1 │ …       words each; becomes the model's
 *     slots   hash ► number                 11 to 21 bytes a state
 *
 * At ten million states every look-up misses the caches twice, in the slots
 * and in the rows. So they are done in bulk: prism_states_intern_all takes the
 * rows of a few hundred successors, asks for all their slots, then for all the
 * rows behind them, and only then compares. The numbers are those that one
 * look-up after the other would give.
 */
#ifndef PRISM_STATES_H
#define PRISM_STATES_H

#include "base/slots.h"
#include "base/vec.h"

typedef struct prism_states {
    base_slots slots;
    base_u64_vec rows;
    uint32_t words; /* of a row; may be 0: then there is one state at most */
    uint32_t count;
    uint32_t limit; /* of count */
} prism_states;

/* words and limit are set, all else is zero; prism_states_fini takes all back. */
void prism_states_fini(prism_states *states);

/* The numbers of `count` rows, new or not. With more states than the limit OPAC_ERROR_LIMIT. */
opac_status prism_states_intern_all(prism_states *states, const uint64_t *rows, size_t count,
                                    uint32_t *numbers, opac_error *error);

#endif
