/* SPDX-License-Identifier: MIT */
/*
 * Iteration from below for both bounds at once. `yes` and `no` of all states of a component start at 0,
 * and each state takes the mean of its successors without its self-loop. Each value is multiplied by a
 * factor below 1 that covers all roundings of the sum and of the input, so it never exceeds the true
 * value; 1 - no is then an upper bound. Runs leave these components with probability 1, so both converge
 * to the true values up to rounding: about the number of steps that a run spends in the component, times
 * 2^-48. Sweeps alternate between backward and forward order. Convergence is geometric, and slow if runs
 * stay long. It is used only for components that are too large for elimination.
 */
#include "evaluate/outcome.h"

#include "base/work.h"

#define TARGET_WIDTH 1e-9 /* relative */

/* Sets a state to the mean of its successors, rounded down; values never decrease. Returns whether one
 * has grown. */
static bool update(const evaluate_chain *chain, uint32_t state, evaluate_outcome *outcome)
{
    const graph_process *p = &chain->process;
    uint32_t choice = p->choice_begin[state];
    uint32_t begin = p->edge_begin[choice], end = p->edge_begin[choice + 1];
    double kept = 1 - (end - begin + 16.0) * 2 * EVALUATE_ROUNDING;
    double yes = 0, no = 0, sum = 0;
    evaluate_outcome old = outcome[state];
    for (uint32_t e = begin; e < end; e++) {
        if (p->target[e] == state)
            continue;
        sum += p->prob[e];
        yes += p->prob[e] * outcome[p->target[e]].yes;
        no += p->prob[e] * outcome[p->target[e]].no;
    }
    yes = yes >= EVALUATE_TINY ? yes / sum * kept
                               : 0; /* below EVALUATE_TINY rounding is not relative */
    no = no >= EVALUATE_TINY ? no / sum * kept : 0;
    outcome[state].yes = yes > old.yes ? yes : old.yes;
    outcome[state].no = no > old.no ? no : old.no;
    return outcome[state].yes > old.yes || outcome[state].no > old.no;
}

typedef struct sweep {
    bool grew, is_narrow;
} sweep;

static sweep sweep_all(const evaluate_chain *chain, const uint32_t *states, uint32_t count,
                       evaluate_outcome *outcome, bool backwards, uint64_t *seen)
{
    sweep result = {.is_narrow = true};
    const graph_process *p = &chain->process;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = states[backwards ? count - 1 - i : i], choice = p->choice_begin[state];
        result.grew |= update(chain, state, outcome);
        result.is_narrow &=
            1 - outcome[state].yes - outcome[state].no <= TARGET_WIDTH * outcome[state].yes;
        *seen += p->edge_begin[choice + 1] - p->edge_begin[choice];
    }
    return result;
}

opac_status evaluate_outcome_iterate(const evaluate_chain *chain, const uint32_t *states,
                                     uint32_t count, evaluate_outcome *outcome, uint64_t *budget,
                                     const opac_cancel *cancel, opac_error *error)
{
    sweep last = {.grew = true};
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++)
        outcome[states[i]] = (evaluate_outcome){.unknown = 1};
    for (bool backwards = true; last.grew && !last.is_narrow && seen < *budget;
         backwards = !backwards) {
        if (opac_cancel_requested(cancel))
            return base_fail_stopped(error, cancel, "evaluating the policy");
        last = sweep_all(chain, states, count, outcome, backwards, &seen);
    }
    *budget -= seen < *budget ? seen : *budget;
    for (uint32_t i = 0; i < count; i++) {
        evaluate_outcome *o = &outcome[states[i]];
        double open = 1 - o->yes - o->no; /* error: two roundings of 1 */
        o->unknown = (open > 0 ? open : 0) + 4 * EVALUATE_ROUNDING;
        o->estimate = o->yes + o->no > 0 ? o->yes / (o->yes + o->no) : 0.5;
        *o = evaluate_outcome_enclose(*o, 0);
    }
    return OPAC_OK;
}
