/* SPDX-License-Identifier: MIT */
/*
 * Checks with a few episodes that random numbers are a function of the seed: each is run twice in the
 * environment itself, once in a fork, and on every lane. If they differ, the run uses the environment itself
 * only, one episode after the other, since copies that ignore the seed may all draw the same numbers. Nothing
 * that is observed here is counted. An error of the simulator is returned; a cancelled check passes.
 */
#include "sample/seed_check.h"
#include "sample/step.h"

enum {
    SEEDS = 2
};

typedef struct lanes {
    uint32_t count;
    opac_lane_request *orders;
    opac_observation *seen;
    uint64_t *digests;
    bool *is_going;
} lanes;

static void lanes_fini(lanes *l)
{
    base_free(l->orders);
    base_free(l->seen);
    base_free(l->digests);
    base_free(l->is_going);
}

static opac_status lanes_init(lanes *l, uint32_t count, opac_error *error)
{
    *l = (lanes){.count = count,
                 .orders = base_alloc_zeroed(count, sizeof *l->orders),
                 .seen = base_alloc_zeroed(count, sizeof *l->seen),
                 .digests = base_alloc_zeroed(count, sizeof *l->digests),
                 .is_going = base_alloc_zeroed(count, sizeof *l->is_going)};
    bool is_made =
        l->orders != NULL && l->seen != NULL && l->digests != NULL && l->is_going != NULL;
    return is_made ? OPAC_OK : base_fail_memory(error);
}

/* Sends one request to each lane. Lanes whose episode has ended begin another one, which is ignored. */
static opac_status request(lanes *l, opac_environment *env, opac_error *error)
{
    TRY(env_step_many(env, l->orders, l->seen, error));
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->is_going[i])
            l->digests[i] = sample_seed_check_mix(l->digests[i], &l->seen[i]);
        l->is_going[i] &= l->seen[i].actions > 0;
    }
    return OPAC_OK;
}

/* Lane i runs the episode with seed i modulo SEEDS. */
static opac_status run_lanes(lanes *l, opac_environment *env, const uint64_t *seeds,
                             opac_error *error)
{
    for (uint32_t i = 0; i < l->count; i++) {
        l->orders[i] = (opac_lane_request){.is_reset = true, .seed = seeds[i % SEEDS]};
        l->is_going[i] = true;
    }
    TRY(request(l, env, error));
    for (uint32_t t = 0; t < SAMPLE_SEED_CHECK_STEPS; t++) {
        for (uint32_t i = 0; i < l->count; i++)
            l->orders[i] = l->is_going[i] ? (opac_lane_request){.action = t % l->seen[i].actions}
                                          : (opac_lane_request){.is_reset = true, .seed = i};
        TRY(request(l, env, error));
    }
    return OPAC_OK;
}

/* Compares each lane with the same episode without lanes. */
static opac_status compare_lanes(const sample_step *step, const uint64_t *seeds,
                                 const uint64_t *digests, bool *is_same, opac_error *error)
{
    lanes l;
    opac_status status;
    TRY_OR(done, lanes_init(&l, step->traits.lanes, error));
    TRY_OR(done, run_lanes(&l, step->run->forks[0], seeds, error));
    for (uint32_t i = 0; i < l.count; i++)
        *is_same &= l.digests[i] == digests[i % SEEDS];
done:
    lanes_fini(&l);
    return status;
}

opac_status sample_step_check_seeds(sample_step *step, bool *is_same, opac_error *error)
{
    uint64_t seeds[SEEDS], digests[SEEDS] = {0};
    opac_status status = OPAC_OK;
    *is_same = true;
    for (unsigned i = 0; i < SEEDS && status == OPAC_OK && *is_same; i++) {
        seeds[i] = sample_seed_check_seed(step->run->seed, i);
        status = sample_seed_check_run(step->run->forks, step->threads > 1 ? 2 : 1, seeds[i],
                                       &digests[i], is_same, error);
    }
    if (status == OPAC_OK && *is_same && step->traits.lanes > 1)
        status = compare_lanes(step, seeds, digests, is_same, error);
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}
