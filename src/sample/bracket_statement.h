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

/* The last bracket of a run. */
typedef struct sample_bracket_end {
    double lower, upper; /* L and U */
    double value;        /* of the policy, by the frequencies */
    double wanted;       /* the width at which the run ends; 0 if none is requested */
    bool is_void;        /* there is no bracket, because an assumption was refuted or T not given */
} sample_bracket_end;

/* Fills in what the report says of the bracket, including the answer to a question (at_least.h). report.end
 * must be set. */
void sample_report_bracket(opac_learning *learning, const sample_bracket_end *end);
/* Appends the answer to the question, or what the bracket guarantees; if there is no answer, or the bracket
 * is wider than report.gap_wanted, also why. */
void sample_describe_bracket(const opac_learning *learning, base_text *text);
/* Why the run ended before the bracket was as narrow as requested. */
const char *sample_bracket_end_reason(const opac_learning *learning);
/* Appends that no distribution explains the draws of the refuted row. */
void sample_describe_dependent_draws(const opac_learning *learning, base_text *text);

/* Adds the assumption about T, or about the declared sizes. */
opac_status sample_assume_horizon(opac_learning *learning, opac_error *error);
opac_status sample_assume_sizes(opac_learning *learning, opac_error *error);

#endif
