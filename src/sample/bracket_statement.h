/* SPDX-License-Identifier: MIT */
/*
 * What the reports of all brackets [L, U] have in common: numbers, statement, assumptions.
 *
 * L and U are those of acceptance by the automaton. For a least probability it accepts the complement of the
 * objective, and the report has 1 - U and 1 - L, rounded outward.
 */
#ifndef SAMPLE_BRACKET_STATEMENT_H
#define SAMPLE_BRACKET_STATEMENT_H

#include "sample/learning.h"

/* upper - lower, rounded up. */
double sample_gap(double lower, double upper);
/* 1 - p, rounded up and down. */
double sample_complement_up(double p);
double sample_complement_down(double p);

/*
 * Fills in what the report says of the bracket; gap_wanted and holds are left to the caller. value: of the
 * policy by the frequencies. is_void: there is no bracket, because an assumption was refuted.
 */
void sample_report_bracket(opac_learning *learning, double lower, double upper, double value,
                           bool is_void);
/* Appends what the bracket guarantees; if it is wider than report.gap_wanted, also why. */
void sample_describe_bracket(const opac_learning *learning, base_text *text);
/* Appends that no distribution explains the draws of the refuted row. */
void sample_describe_dependent_draws(const opac_learning *learning, base_text *text);

/* Adds the assumption about T, or about the declared sizes. */
opac_status sample_assume_horizon(opac_learning *learning, opac_error *error);
opac_status sample_assume_sizes(opac_learning *learning, opac_error *error);

#endif
