/* SPDX-License-Identifier: MIT */
/*
 * Which states of one model are those of another: by the values of their
 * variables, where both have the same ones and values tell states apart; else by
 * number.
 */
#ifndef ENV_GRAPH_MATCH_H
#define ENV_GRAPH_MATCH_H

#include "base/error.h"
#include "model/model.h"

#define ENV_UNMATCHED UINT32_MAX

typedef struct env_match {
    uint32_t *of_graph; /* by state of the graph: that of the other, or ENV_UNMATCHED */
    uint32_t *of_like;  /* by state of the other: that of the graph, likewise */
    bool by_values;
} env_match;

/*
 * OPAC_ERROR_ARGUMENT when the two cannot be the same system: other initial
 * states, or a state that has other actions.
 */
opac_status env_match_init(env_match *match, const opac_model *graph, const opac_model *like,
                           opac_error *error);
void env_match_fini(env_match *match);

#endif
