/* SPDX-License-Identifier: MIT */
/* The stages of opac_check. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/solution.h"

/* What one call works with. */
typedef struct check_work {
    const opac_objective *objective;
    opac_check_options options; /* with defaults filled in */
    base_pool *pool;            /* NULL: this thread alone */
    opac_solution *solution;
} check_work;

/*
 * Solves the product, reads the answers off, and refines while a bound lies
 * inside an enclosure: more precision, then fractions.
 */
opac_status check_answer_all(check_work *work, opac_error *error);

#endif
