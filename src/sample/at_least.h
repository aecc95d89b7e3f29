/* SPDX-License-Identifier: MIT */
/*
 * The question of opac_learn_options.at_least: is there a policy that satisfies the objective with probability P
 * or more? The bracket [L, U] answers it, with its confidence and at all times (docs/theory.md, Theorem 14 and
 * Theorem 17):
 *
 *     yes    L >= P: the policy does
 *     no     U < P: no policy does
 *
 * P need not be a double. Let P' be the least double that is not below P. L and U are doubles, so L >= P if and
 * only if L >= P', and U < P if and only if U < P'. Nothing is rounded in favour of an answer.
 */
#ifndef SAMPLE_AT_LEAST_H
#define SAMPLE_AT_LEAST_H

#include "sample/learning.h"

/* Whether a question was asked. */
bool sample_at_least_is_asked(const opac_learn_options *options);
/* Validates the question. is_least: the objective asks for a least probability. */
opac_status sample_at_least_check(const opac_learn_options *options, bool is_least,
                                  opac_error *error);
/* Appends it to the question of a checkpoint. */
void sample_at_least_describe(const opac_learn_options *options, base_text *text);

/* Whether the bracket ends the run: no later bracket is needed. It may do so without an answer. */
bool sample_at_least_is_decided(const opac_learning *learning, double lower, double upper);
/* Sets at_least, answer and holds of the report. is_void: there is no valid bracket. */
void sample_at_least_report(opac_learning *learning, double lower, double upper, bool is_void);
/* Appends the answer, or why there is none. The report is complete. */
void sample_at_least_state(const opac_learning *learning, base_text *text);

#endif
