/* SPDX-License-Identifier: MIT */
/*
 * A test, while episodes are sampled, of the assumption that episodes are independent and that the successor
 * of a state and an action depends on nothing else. It detects simulators whose episodes repeat each other,
 * that have few seeds, whose lanes copy each other, that do not reset, or whose states are incomplete. The
 * probability of a false alarm is at most `level`, however long the run is and whatever policy it follows
 * (docs/decisions/0035-tests-of-independence.md).
 *
 * Draws are passed in the order of time: the row (an action of a state, or the reset) and the successor.
 *
 * Memory: at most some 20 MB. Cost: up to 400 ns for each draw, and after 2^18 draws a sixteenth of that.
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

/* level: bound on the probability of a false alarm. */
opac_status sample_repeats_new(double level, sample_repeats **repeats, opac_error *error);
void sample_repeats_free(sample_repeats *repeats);
/* Successors may depend on what is not in their states: only resets and whole episodes are tested. */
void sample_repeats_allow_hidden_state(sample_repeats *repeats);

/* Begins an episode. */
void sample_repeats_begin(sample_repeats *repeats);
/* Adds a draw of a row. Both numbers are below 2^62, or the row is SAMPLE_REPEATS_RESET.
 * OPAC_ERROR_SIMULATOR, with the evidence in the message, if the assumption is refuted. */
opac_status sample_repeats_observe(sample_repeats *repeats, uint64_t row, uint64_t successor,
                                   opac_error *error);
/* The episode has ended. policy: a number that it shares only with episodes that, given what they have observed, take
 * the same action or end, if independent episodes have independent seeds; 0: none, and the episode as a whole is not
 * tested. May only be called before the next episode begins. */
opac_status sample_repeats_end(sample_repeats *repeats, uint64_t policy, uint64_t seed,
                               opac_error *error);
/* The logarithm of the largest martingale; above 0 there is evidence of dependence. */
double sample_repeats_evidence(const sample_repeats *repeats);

#endif
