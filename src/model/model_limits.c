/* SPDX-License-Identifier: MIT */
/* The limits on the states and the memory of a model. */
#include "model/model_limits.h"

#include "base/memory.h"
#include "model/model.h"

uint32_t model_max_states(const opac_model_options *options)
{
    uint64_t most = options->max_states > 0 ? options->max_states : MODEL_DEFAULT_MAX_STATES;
    return most < GRAPH_LARGEST ? (uint32_t)most : GRAPH_LARGEST;
}

uint64_t model_max_memory(const opac_model_options *options)
{
    return options->max_memory > 0 ? options->max_memory : base_memory_physical() / 10 * 9;
}
