/* SPDX-License-Identifier: MIT */
/* The stages of opac_check. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/solution.h"

/* The state of one call of opac_check. */
typedef struct check_work {
    const opac_objective *objective;
    opac_check_options options; /* with defaults filled in */
    base_pool *pool;            /* NULL to use only this thread */
    opac_solution *solution;
} check_work;

/*
 * Solves the product and computes the values. While a bound lies within the interval of a value, it
 * solves again: with more precision, then in fractions.
 */
opac_status check_answer_all(check_work *work, opac_error *error);

#endif
