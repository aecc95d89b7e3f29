/* SPDX-License-Identifier: MIT */
/*
 * A test of T that comes for free (theory.md, section 4): if T bounds the
 * recurrence time, the learned chain's (epsilon + c)-recurrence time under the
 * policy is at most T, with probability 1 - delta. If it is longer, T is refuted.
 * If not, nothing is known of other policies.
 *
 * Pairs whose choice is not known have none in the chain: a run that comes there
 * counts as done, which makes the time shorter, so that what is refuted stays so. (No
 * earlier than in truth: a state seen for the first time at t ends no second round at t.) For
 * the same reason all rounding goes one way: epsilon + c is rounded up, by what T steps with
 * frequencies that are rounded to doubles may change, and a step that doubles cannot tell to be too
 * early counts as reached.
 *
 * The question is put for T steps: runs are followed no further, and no longer than
 * it takes all but epsilon + c of them. Of a bottom component that is too large to be followed
 * as a whole, only some states are, which gives a lower bound: it can refute T, and
 * otherwise leaves it unchecked. Only when T is refuted is the time itself looked
 * for, with as much work again. All limits count elementary steps, not seconds.
 *
 * While T is searched for (`-T auto`) nothing is promised, and the test is made
 * with epsilon alone: a longer time, so that few observations do not end the search early.
 */
#include <math.h>

#include "omega_pac/omega_pac.h"
#include "solve/recurrence.h"

static const uint64_t usual_work = 200000000; /* about a second */

/* The greatest number of edges of a state: by so many roundings may its largest frequency be off,
 * which is taken for what the others leave to 1. */
static uint32_t widest(const graph_process *chain)
{
    uint32_t most = 1;
    for (uint32_t c = 0; c < chain->choice_count; c++) {
        uint32_t width = chain->edge_begin[c + 1] - chain->edge_begin[c];
        most = width > most ? width : most;
    }
    return most;
}

/* Of the runs, so many may be left at T: rounded up. */
static double share_left(const opac_learning *l, const graph_process *chain)
{
    const opac_learn_report *r = &l->report;
    double loss = l->options.epsilon, units = (widest(chain) + 1.0) * (double)r->horizon + 8;
    if (l->options.horizon > 0)
        loss += r->accuracy;
    return nextafter(loss * (1 + units * 0x1p-52), INFINITY);
}

/* How long it takes instead, or at least. */
static opac_status measure(const graph_process *chain, const solve_recurrence_options *options,
                           opac_learn_report *r, opac_error *error)
{
    solve_recurrence_options further = *options;
    solve_recurrence found;
    further.max_steps = 0;
    opac_status status = solve_recurrence_chain(chain, 0, &further, &found, error);
    bool is_known = status == OPAC_OK && found.steps > r->horizon;
    r->horizon_found = is_known ? found.steps : r->horizon + 1;
    r->horizon_is_bound = !is_known || found.outcome != SOLVE_RECURRENCE_FOUND;
    return status;
}

static opac_status ask(const opac_learning *l, const graph_process *chain, opac_learn_report *r,
                       opac_error *error)
{
    const solve_recurrence_options options = {
        .epsilon = share_left(l, chain),
        .lower_bound_only = true,
        .max_steps = r->horizon,
        .max_work = l->options.recurrence_work > 0 ? l->options.recurrence_work : usual_work,
        .cancel = l->options.cancel};
    solve_recurrence found;
    if (!(options.epsilon < 1))
        return OPAC_OK;
    TRY(solve_recurrence_chain(chain, 0, &options, &found, error));
    if (found.outcome == SOLVE_RECURRENCE_TOO_BIG)
        return OPAC_OK;
    if (found.outcome == SOLVE_RECURRENCE_FOUND) {
        r->horizon_check = OPAC_HORIZON_CONSISTENT;
        r->horizon_found = found.steps;
        return OPAC_OK;
    }
    r->horizon_check = OPAC_HORIZON_REFUTED;
    return measure(chain, &options, r, error);
}

opac_status omega_pac_check_horizon(opac_learning *l, opac_error *error)
{
    opac_learn_report *r = &l->report;
    sample_chain chain;
    r->horizon_check = OPAC_HORIZON_UNCHECKED;
    r->horizon_found = 0;
    r->horizon_is_bound = false;
    if (l->run.stats.start == SAMPLE_NONE)
        return OPAC_OK;
    TRY(sample_run_chain(&l->run, &chain, error));
    return ask(l, &chain.process, r, error);
}
