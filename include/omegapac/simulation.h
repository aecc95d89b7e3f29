/* SPDX-License-Identifier: MIT */
/*
 * Walking through a model, step by step.
 *
 *     opac_simulation *simulation;
 *     opac_simulation_new(model, 1, &simulation, &error);
 *     opac_simulation_reset(simulation, 0);
 *     for (int i = 0; i < 20; i++)
 *         opac_simulation_step(simulation, opac_simulation_choose(simulation));
 *     printf("state %u\n", opac_simulation_state(simulation));
 *     opac_simulation_free(simulation);
 *
 * Episode number i of a seed is a function of the two numbers, the model and
 * the choices made: the same on every machine, whatever was walked before it.
 * One thread at a time uses a simulation; the model may be shared.
 */
#ifndef OMEGAPAC_SIMULATION_H
#define OMEGAPAC_SIMULATION_H

#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_simulation opac_simulation;

/* The model is borrowed for as long as the simulation lives. It begins with episode 0. */
OPAC_API opac_status opac_simulation_new(const opac_model *model, uint64_t seed,
                                         opac_simulation **simulation, opac_error *error);
OPAC_API void opac_simulation_free(opac_simulation *simulation);

/* An episode begins, in an initial state: one of several is drawn uniformly. */
OPAC_API void opac_simulation_reset(opac_simulation *simulation, uint64_t episode);

/* Where it is, numbered as in the model. */
OPAC_API uint32_t opac_simulation_state(const opac_simulation *simulation);

/* A choice of the current state, drawn uniformly; numbered as in the model. */
OPAC_API uint32_t opac_simulation_choose(opac_simulation *simulation);

/*
 * Takes a choice of the current state, numbered as in the model, and draws one
 * of its branches; returns the branch, whose target is the new state. Each is
 * drawn with its probability, up to (branches of the choice) · 2^-53. A choice
 * of another state is a mistake of the caller: one of the current state is
 * taken in its place.
 */
OPAC_API uint32_t opac_simulation_step(opac_simulation *simulation, uint32_t choice);

#ifdef __cplusplus
}
#endif

#endif
