/* SPDX-License-Identifier: MIT */
/*
 * Fingerprints of the languages of states: bit i tells whether the i-th of 64 fixed words u·v^ω is accepted
 * from the state. States with different fingerprints have different languages, so most pairs of states need
 * no exact comparison. Linear in the number of states.
 */
#ifndef AUT_FINGERPRINT_H
#define AUT_FINGERPRINT_H

#include "aut/table.h"

/* Sets fingerprint[state] of all states. */
opac_status aut_fingerprints(const aut_table *table, const aut_condition *condition,
                             uint64_t *fingerprint, opac_error *error);

#endif
