/* SPDX-License-Identifier: MIT */
/*
 * Computes an optimal and a worst policy for an objective, over the process of recurrence_product.h. The
 * search for the longest recurrence time starts from them.
 */
#ifndef CHECK_EXTREME_POLICIES_H
#define CHECK_EXTREME_POLICIES_H

#include <omegapac/automaton.h>

#include "check/recurrence_product.h"

typedef struct check_extreme_policies_input {
    product_process *product; /* marks may be added to its choices */
    const opac_automaton *automaton;
    const check_recurrence_product *target;
    bool least; /* the automaton accepts the complement of the objective */
    const opac_cancel *cancel;
    opac_progress *progress;
} check_extreme_policies_input;

/*
 * Both policies are arrays of a choice for each state of the target. optimal: the policy of opac_check;
 * in a state where the automaton accepts every continuation it takes the first choice. worst: in each
 * state the choice with the least expected value, the first of several.
 */
opac_status check_extreme_policies(const check_extreme_policies_input *input, uint32_t *optimal,
                                   uint32_t *worst, opac_error *error);

#endif
