/* SPDX-License-Identifier: MIT */
/*
 * States told apart by trying words: bit i of a fingerprint says whether the
 * i-th of 64 fixed words u·v^ω is accepted from the state. States with different
 * fingerprints have different languages; which saves comparing most pairs of
 * states exactly. Linear in the states.
 */
#ifndef AUT_FINGERPRINT_H
#define AUT_FINGERPRINT_H

#include "aut/table.h"

/* fingerprint: by state. */
opac_status aut_fingerprints(const aut_table *table, const aut_condition *condition,
                             uint64_t *fingerprint, opac_error *error);

#endif
