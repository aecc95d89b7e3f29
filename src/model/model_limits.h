/* SPDX-License-Identifier: MIT */
/* The limits in opac_model_options; where a member is 0, its default. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include <omegapac/model.h>

/* The limit on states, at most GRAPH_LARGEST. */
uint32_t model_max_states(const opac_model_options *options);
/* The limit on memory in bytes. */
uint64_t model_max_memory(const opac_model_options *options);

#endif
