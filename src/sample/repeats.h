/* SPDX-License-Identifier: MIT */
/*
 * A test, while episodes are sampled, of the assumption that they are independent and that what an
 * action of a state leads to depends on nothing else. It finds simulators whose episodes repeat each
 * other, that have few seeds, whose lanes copy each other, that do not reset, or that leave something
 * out of their states. It raises a false alarm with probability `level` at most, however
 * long a run is and whatever policy it follows (docs/decisions/0035-tests-of-independence.md).
 *
 * Draws are told in the order of time: a row (an action of a state, or the reset), and the successor.
 *
 * Memory: at most some 20 MB. Cost: up to 400 ns a draw, and after 2^18 draws a sixteenth of that.
 */
#ifndef SAMPLE_REPEATS_H
#define SAMPLE_REPEATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* False-alarm level of a run: half for the trial before it (trial.h), half for the test during it. */
#define SAMPLE_REPEATS_LEVEL 1e-6

/* The row of a random reset. */
#define SAMPLE_REPEATS_RESET UINT64_MAX

typedef struct sample_repeats sample_repeats;

/* level: how probable a false alarm may be. */
opac_status sample_repeats_new(double level, sample_repeats **repeats, opac_error *error);
void sample_repeats_free(sample_repeats *repeats);

/* An episode begins. */
void sample_repeats_begin(sample_repeats *repeats);
/* A draw of a row; both numbers are below 2^62, or the row is SAMPLE_REPEATS_RESET.
 * OPAC_ERROR_SIMULATOR: the assumption is refuted, and the message says by what. */
opac_status sample_repeats_observe(sample_repeats *repeats, uint64_t row, uint64_t successor,
                                   opac_error *error);
/* The logarithm of the largest of its products: above 0, what was seen speaks for repeats. */
double sample_repeats_evidence(const sample_repeats *repeats);

#endif
