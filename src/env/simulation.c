/* SPDX-License-Identifier: MIT */
/*
 * Random simulation of a model. Each episode has its own stream of random numbers. A choice or a step uses
 * one number, or none if there is only one alternative, so that adding a step with probability 1 to the model
 * does not change the rest of a trace.
 *
 * A branch is sampled by adding up probabilities until the sum exceeds a uniform random number. The sums and
 * the number are rounded to 2^-53, so a probability is off by at most 2^-53 for each branch added; the last
 * branch gets the remainder. Cost: linear in the number of branches, which is small; there is no preparation,
 * so creating a simulation of ten million states takes constant time.
 */
#include <omegapac/simulation.h>

#include "base/alloc.h"
#include "model/model.h"
#include "stat/rng.h"

struct opac_simulation {
    const opac_model *model;
    uint64_t seed;
    stat_rng rng;
    uint32_t state;
};

/* Uniform on 0 … count-1; uses no random number if count is 1. */
static uint32_t draw_below(opac_simulation *simulation, uint32_t count)
{
    return count < 2 ? 0 : (uint32_t)stat_rng_below(&simulation->rng, count);
}

opac_status opac_simulation_new(const opac_model *model, uint64_t seed,
                                opac_simulation **simulation, opac_error *error)
{
    *simulation = base_alloc_zeroed(1, sizeof **simulation);
    if (*simulation == NULL)
        return base_fail_memory(error);
    (*simulation)->model = model;
    (*simulation)->seed = seed;
    opac_simulation_reset(*simulation, 0);
    return OPAC_OK;
}

void opac_simulation_free(opac_simulation *simulation)
{
    base_free(simulation);
}

void opac_simulation_reset(opac_simulation *simulation, uint64_t episode)
{
    const opac_model *model = simulation->model;
    stat_rng_init(&simulation->rng, simulation->seed, episode);
    uint32_t index = draw_below(simulation, opac_model_initial_count(model));
    simulation->state = opac_model_initial(model, index);
}

uint32_t opac_simulation_state(const opac_simulation *simulation)
{
    return simulation->state;
}

uint32_t opac_simulation_choose(opac_simulation *simulation)
{
    const uint32_t *begin = &simulation->model->process.choice_begin[simulation->state];
    return begin[0] + draw_below(simulation, begin[1] - begin[0]);
}

static uint32_t draw_branch(opac_simulation *simulation, uint32_t begin, uint32_t end)
{
    const double *probability = simulation->model->process.prob;
    if (end - begin == 1)
        return begin;
    double drawn = stat_rng_uniform(&simulation->rng), sum = probability[begin];
    while (drawn >= sum && begin + 1 < end)
        sum += probability[++begin];
    return begin;
}

uint32_t opac_simulation_step(opac_simulation *simulation, uint32_t choice)
{
    const graph_process *process = &simulation->model->process;
    const uint32_t *begin = &process->choice_begin[simulation->state];
    if (choice < begin[0] || choice >= begin[1])
        choice = begin[0];
    uint32_t branch =
        draw_branch(simulation, process->edge_begin[choice], process->edge_begin[choice + 1]);
    simulation->state = process->target[branch];
    return branch;
}
