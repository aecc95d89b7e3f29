/* SPDX-License-Identifier: MIT */
/*
 * Matches the states of a graph, given as a model, with those of the model it is the graph of. States
 * are matched by the values of their variables if both have the same variables and no two states of
 * either have equal values, else by number.
 */
#ifndef ENV_GRAPH_MATCH_H
#define ENV_GRAPH_MATCH_H

#include "base/error.h"
#include "model/model.h"

#define ENV_UNMATCHED UINT32_MAX

typedef struct env_match {
    uint32_t *of_graph; /* by state of the graph: the state of the model, or ENV_UNMATCHED */
    uint32_t *of_model; /* by state of the model: the state of the graph, or ENV_UNMATCHED */
    bool by_values;
} env_match;

/* Fails with OPAC_ERROR_ARGUMENT if the initial states differ, or the actions of matched states do. */
opac_status env_match_init(env_match *match, const opac_model *graph, const opac_model *model,
                           opac_error *error);
void env_match_fini(env_match *match);

#endif
