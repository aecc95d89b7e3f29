/* SPDX-License-Identifier: MIT */
/* The limits in opac_model_options, with the default instead of 0. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include <omegapac/model.h>

/* At most GRAPH_LARGEST. */
uint32_t model_max_states(const opac_model_options *options);
/* In bytes. */
uint64_t model_max_memory(const opac_model_options *options);

#endif
