/* SPDX-License-Identifier: MIT */
/*
 * The chain of the policy, and its probability h(T) of taking an unknown choice within T steps: with h(0) =
 * 0,
 *
 *     h(t+1) = 1 where the choice is unknown, else Σ prob(e) · h(t)(target(e))
 *
 * Each sum is rounded up, so each h(t) is at least the probability. h(t) does not decrease with t; if a
 * step changes nothing, no later step does. Convergence may be slow, so from time to time a guess slightly
 * above h(t) is tried: if a step does not increase it anywhere, it bounds all later h, and the result
 * exceeds the exact value by at most that difference. Cost: at most T steps, each linear in the chain.
 */

#include "omega_pac/optimistic_model_form.h"

#include "base/work.h"

#define GUESS_MARGIN 1e-9 /* relative: by how much a result may be too large */

opac_status omega_pac_optimistic_model_chain(omega_pac_optimistic_model *o, sample_chain *chain,
                                             opac_error *error)
{
    if (o->stats->start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing was observed yet");
    TRY(omega_pac_optimistic_model_grow(o, error));
    TRY(omega_pac_optimistic_model_build_chain(o, error));
    *chain = (sample_chain){.process = sample_process_get(&o->process),
                            .product_states = o->process.product_state.items,
                            .choice = o->process.policy.items};
    return OPAC_OK;
}

/* ---- risk ---- */

/* One step of a node, rounded up by an error for each product and sum, and one for each probability. */
static double backup(const graph_process *p, uint32_t s, const double *h)
{
    double sum = 0;
    if (p->choice_begin[s] == p->choice_begin[s + 1])
        return 1;
    uint32_t begin = p->edge_begin[p->choice_begin[s]];
    uint32_t end = p->edge_begin[p->choice_begin[s] + 1];
    for (uint32_t e = begin; e < end; e++)
        sum += p->prob[e] * h[p->target[e]];
    if (end - begin == 1)
        return h[p->target[begin]];
    sum *= 1 + (end - begin + 4) * 0x1p-52;
    return sum < 1 ? sum : 1;
}

/* One step of all nodes; returns whether some value increased. */
static bool step(const graph_process *p, const double *h, double *next)
{
    bool grew = false;
    for (uint32_t s = 0; s < p->state_count; s++) {
        next[s] = backup(p, s, h);
        grew |= next[s] > h[s];
    }
    return grew;
}

/* Sets `guess` slightly above h, and returns whether a step does not increase it, so that it bounds all
 * later h. */
static bool is_upper_bound(const graph_process *p, const double *h, double *guess)
{
    for (uint32_t s = 0; s < p->state_count; s++)
        guess[s] = h[s] * (1 + GUESS_MARGIN) < 1 ? h[s] * (1 + GUESS_MARGIN) : 1;
    for (uint32_t s = 0; s < p->state_count; s++)
        if (backup(p, s, guess) > guess[s])
            return false;
    return true;
}

static bool is_power_of_two(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

static opac_status iterate(omega_pac_optimistic_model *o, const graph_process *p, uint64_t horizon,
                           double *risk, opac_error *error)
{
    double *h = graph_take(&o->workspace, p->state_count, sizeof *h);
    double *next = graph_take(&o->workspace, p->state_count, sizeof *next);
    if (h == NULL || next == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < p->state_count; s++)
        h[s] = 0;
    for (uint64_t t = 1; t <= horizon; t++) {
        if (is_power_of_two(t) && opac_cancel_requested(o->options.cancel))
            return base_fail_stopped(error, o->options.cancel, "updating the policy");
        bool grew = step(p, h, next);
        double *last = h;
        h = next;
        next = last;
        if (!grew)
            break;
        if (is_power_of_two(t) && t >= 64 && is_upper_bound(p, h, next)) {
            h = next;
            break;
        }
    }
    *risk = h[0];
    return OPAC_OK;
}

opac_status omega_pac_optimistic_model_risk(omega_pac_optimistic_model *o, uint64_t horizon,
                                            double *risk, opac_error *error)
{
    sample_chain chain;
    *risk = horizon > 0 ? 1 : 0;
    if (horizon == 0 || o->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    TRY(omega_pac_optimistic_model_chain(o, &chain, error));
    graph_place place = graph_workspace_mark(&o->workspace);
    opac_status status = iterate(o, &chain.process, horizon, risk, error);
    graph_workspace_release(&o->workspace, place);
    return status;
}
