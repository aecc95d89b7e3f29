/* SPDX-License-Identifier: MIT */
/*
 * Policies at the two ends of what an objective's probability can be, over the target of a
 * recurrence time (recurrence_product.h): the search for the longest time begins with them.
 */
#ifndef CHECK_EXTREME_POLICIES_H
#define CHECK_EXTREME_POLICIES_H

#include <omegapac/automaton.h>

#include "check/recurrence_product.h"

typedef struct check_extreme_policies_input {
    product_process *product; /* of the target; marks may be added to its choices */
    const opac_automaton *automaton;
    const check_recurrence_product *target;
    bool least; /* the automaton accepts what the objective forbids */
    const opac_cancel *cancel;
    opac_progress *progress;
} check_extreme_policies_input;

/*
 * By state of the target, a choice of its process. optimal: the policy that opac_check makes for
 * the objective; where the automaton accepts whatever follows it takes the first choice, as that
 * policy does. worst: in each state the choice whose successors have the least value, the first
 * of several.
 */
opac_status check_extreme_policies(const check_extreme_policies_input *question, uint32_t *optimal,
                                   uint32_t *worst, opac_error *error);

#endif
