/* SPDX-License-Identifier: MIT */
/*
 * Simulates a model step by step.
 *
 *     opac_simulation *simulation;
 *     opac_simulation_new(model, 1, &simulation, &error);
 *     opac_simulation_reset(simulation, 0);
 *     for (int i = 0; i < 20; i++)
 *         opac_simulation_step(simulation, opac_simulation_choose(simulation));
 *     printf("state %u\n", opac_simulation_state(simulation));
 *     opac_simulation_free(simulation);
 *
 * Episode i of a seed is a function of i, the seed, the model and the choices; it is the same on every
 * machine and does not depend on other episodes. A simulation must be used by one thread at a time; the
 * model may be shared. A step takes constant time.
 */
#ifndef OMEGAPAC_SIMULATION_H
#define OMEGAPAC_SIMULATION_H

#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_simulation opac_simulation;

/* Makes a simulation at the beginning of episode 0. The caller frees it, before the model, which it
 * borrows. */
OPAC_API opac_status opac_simulation_new(const opac_model *model, uint64_t seed,
                                         opac_simulation **simulation, opac_error *error);
OPAC_API void opac_simulation_free(opac_simulation *simulation);

/* Begins an episode in an initial state, chosen uniformly at random if there are several. */
OPAC_API void opac_simulation_reset(opac_simulation *simulation, uint64_t episode);

/* The current state, numbered as in the model. */
OPAC_API uint32_t opac_simulation_state(const opac_simulation *simulation);

/* A choice of the current state, chosen uniformly at random; numbered as in the model. */
OPAC_API uint32_t opac_simulation_choose(opac_simulation *simulation);

/*
 * Takes a choice of the current state, numbered as in the model, and samples one of its branches. Returns
 * the branch, whose target is the new state. Each branch has its probability up to an error of (branches of
 * the choice) · 2^-53. If the choice belongs to another state, which is a bug of the caller, a choice of
 * the current state is taken instead.
 */
OPAC_API uint32_t opac_simulation_step(opac_simulation *simulation, uint32_t choice);

#ifdef __cplusplus
}
#endif

#endif
