/* SPDX-License-Identifier: MIT */
/*
 * A test of T without further samples (docs/theory.md, Theorem 9): if T bounds the ε-recurrence time, then
 * with probability at least 1 - δ the (ε + c)-recurrence time of the learned chain under the policy is at
 * most T. If it is larger, T is refuted. Otherwise nothing follows for other policies.
 *
 * Product states whose choice is not known are absorbing in the chain, which can only make the time
 * shorter, so a refutation is valid. All rounding favours T for the same reason: ε + c is rounded up by the
 * possible error of T steps with frequencies in doubles, and where doubles do not decide whether a step is
 * early enough, it counts as enough.
 *
 * Runs are followed for T steps, and until all but ε + c of them are done. In a bottom component that is
 * too large to be followed as a whole, only some states are (docs/theory.md, Lemma 10), which gives a lower
 * bound: it can refute T, and otherwise leaves T unchecked. Only if T is refuted, the time itself is
 * computed, with as much work again. Work is limited by elementary steps, not by time.
 *
 * While T is searched for there is no guarantee, and the test uses ε alone: this gives a longer time, so
 * that few observations do not end the search early.
 */
#include <math.h>

#include "omega_pac/omega_pac.h"
#include "solve/recurrence.h"

static const uint64_t usual_work = 200000000; /* about a second */

/* The greatest number of edges of a node. The largest frequency of a node, computed as 1 minus the others,
 * may be wrong by so many rounding errors. */
static uint32_t widest(const graph_process *chain)
{
    uint32_t most = 1;
    for (uint32_t c = 0; c < chain->choice_count; c++) {
        uint32_t width = chain->edge_begin[c + 1] - chain->edge_begin[c];
        most = width > most ? width : most;
    }
    return most;
}

/* The share of runs that may not be done at T, rounded up. */
static double share_left(const opac_learning *l, const graph_process *chain)
{
    const opac_learn_report *r = &l->report;
    double loss = l->options.epsilon, units = (widest(chain) + 1.0) * (double)r->horizon + 8;
    if (l->options.horizon > 0)
        loss += r->accuracy;
    return nextafter(loss * (1 + units * 0x1p-52), INFINITY);
}

/* T is refuted: computes the time, or a lower bound. */
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

static opac_status test_horizon(const opac_learning *l, const graph_process *chain,
                                opac_learn_report *r, opac_error *error)
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
    return test_horizon(l, &chain.process, r, error);
}
