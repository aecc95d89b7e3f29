/* SPDX-License-Identifier: MIT */
/*
 * Policies at the two ends of what an objective's probability can be, over the arena of a
 * recurrence time (check_arena.h): the search for the longest time begins with them.
 */
#ifndef CHECK_EXTREMES_H
#define CHECK_EXTREMES_H

#include <omegapac/automaton.h>

#include "check/check_arena.h"

typedef struct check_extremes_question {
    product_process *product; /* of the arena; marks may be added to its choices */
    const opac_automaton *automaton;
    const check_arena *arena;
    bool least; /* the automaton accepts what the objective forbids */
    const opac_cancel *cancel;
    opac_progress *progress;
} check_extremes_question;

/*
 * By state of the arena, a choice of its process. optimal: the policy that opac_check makes for
 * the objective; where the automaton accepts whatever follows it takes the first choice, as that
 * policy does. worst: in each state the choice whose successors have the least value, the first
 * of several.
 */
opac_status check_extremes(const check_extremes_question *question, uint32_t *optimal,
                           uint32_t *worst, opac_error *error);

#endif
