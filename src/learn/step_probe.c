/* SPDX-License-Identifier: MIT */
/*
 * Whether what is random follows from the seed, as far as a few episodes tell: each is run twice in
 * the environment itself, once in a fork and once in a lane. It need not be so where nothing is
 * run twice (step_merge.c), and is not asked there. Nothing that is seen here counts. A simulator that
 * fails here has failed; one that was cancelled proves nothing.
 */
#include "learn/probe.h"
#include "learn/step.h"

enum {
    SEEDS = 2
};

/* In the first lane; the others begin other episodes with each step. */
static opac_status run_lanes(opac_environment *env, uint32_t lanes, uint64_t seed, uint64_t *digest,
                             opac_error *error)
{
    opac_order *orders = base_alloc_zeroed(lanes, sizeof *orders);
    opac_observation *seen = base_alloc_zeroed(lanes, sizeof *seen);
    opac_status status = orders != NULL && seen != NULL ? OPAC_OK : base_fail_memory(error);
    for (uint32_t i = 0; i < lanes && status == OPAC_OK; i++)
        orders[i] = (opac_order){.is_reset = true, .seed = (seed + i) & (UINT64_MAX >> 1)};
    if (status == OPAC_OK)
        status = env_step_many(env, orders, seen, error);
    if (status == OPAC_OK)
        *digest = learn_probe_mix(0, seen);
    for (uint32_t t = 0; t < LEARN_PROBE_STEPS && status == OPAC_OK && seen[0].actions > 0; t++) {
        for (uint32_t i = 1; i < lanes; i++)
            orders[i] = (opac_order){.is_reset = true, .seed = (seed + i) & (UINT64_MAX >> 1)};
        orders[0] = (opac_order){.action = t % seen[0].actions};
        status = env_step_many(env, orders, seen, error);
        if (status == OPAC_OK)
            *digest = learn_probe_mix(*digest, seen);
    }
    base_free(orders);
    base_free(seen);
    return status;
}

/* The first time, again, in a fork, in a lane. */
static opac_status compare(const learn_step *step, uint64_t seed, bool *is_same, opac_error *error)
{
    opac_environment **forks = step->run->forks;
    uint64_t first = 0;
    opac_status status =
        learn_probe_run(forks, step->threads > 1 ? 2 : 1, seed, &first, is_same, error);
    uint64_t in_lane = first;
    if (status == OPAC_OK && *is_same && step->traits.lanes > 1)
        status = run_lanes(forks[0], step->traits.lanes, seed, &in_lane, error);
    if (status == OPAC_OK)
        *is_same &= in_lane == first;
    return status;
}

opac_status learn_step_probe(learn_step *step, bool *is_same, opac_error *error)
{
    opac_status status = OPAC_OK;
    *is_same = true;
    for (unsigned i = 0; i < SEEDS && status == OPAC_OK && *is_same; i++)
        status = compare(step, learn_probe_seed(step->run->seed, i), is_same, error);
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}
