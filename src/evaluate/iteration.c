/* SPDX-License-Identifier: MIT */
/*
 * Iteration from below for both ends at once: yes and no of all states of a
 * component start at 0, and a state takes the mean of its successors, its loop
 * left out. Each value is multiplied by a number below 1 that makes up for all
 * roundings of its sum and for the input's, so it never passes the truth; with
 * yes and no from below, 1 - no bounds from above. Components that are solved
 * so are left with probability 1, thus both converge to the truth but for
 * the roundings: about the number of moves that a run spends in the component,
 * times 2^-48. Sweeps go through the states backwards and forwards in turn.
 *
 * Geometric, and slow where runs stay long: the price of components whose
 * elimination does not fit.
 */
#include "evaluate/outcome.h"

#define WANTED 1e-9

/* The mean of the successors, rounded down; what is known already stays. True: something grew. */
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
    yes = yes >= EVALUATE_TINY ? yes / sum * kept : 0; /* below, rounding is not relative */
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
            1 - outcome[state].yes - outcome[state].no <= WANTED * outcome[state].yes;
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
            return base_fail(error, OPAC_ERROR_CANCELLED, "evaluation was cancelled");
        last = sweep_all(chain, states, count, outcome, backwards, &seen);
    }
    *budget -= seen < *budget ? seen : *budget;
    for (uint32_t i = 0; i < count; i++) {
        evaluate_outcome *o = &outcome[states[i]];
        double open = 1 - o->yes - o->no; /* off by two roundings of 1 */
        o->unknown = (open > 0 ? open : 0) + 4 * EVALUATE_ROUNDING;
        o->estimate = o->yes + o->no > 0 ? o->yes / (o->yes + o->no) : 0.5;
        *o = evaluate_outcome_enclose(*o, 0);
    }
    return OPAC_OK;
}
