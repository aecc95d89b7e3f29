/* SPDX-License-Identifier: MIT */
/*
 * Reads the policy of a result and draws it: as a grid if its states have coordinates, else as the Markov chain under
 * the policy if the result contains a small one. Uses the result only, not the model. The result must have passed
 * report_check_shape.
 */
#ifndef REPORT_POLICY_H
#define REPORT_POLICY_H

#include "report/report_states.h"

typedef struct report_decision {
    uint32_t state, memory;
    const char *action; /* escaped; "#2" if it has no name */
} report_decision;
BASE_VEC(report_decision_vec, report_decision);

typedef struct report_start {
    uint32_t state, memory;
} report_start;
BASE_VEC(report_start_vec, report_start);

typedef struct report_policy {
    base_json_value root; /* the result */
    report_states states;
    base_u32_vec deciding;      /* for each decision of the result, its state */
    base_u32_vec visited;       /* for each step of the sample, its state */
    report_decision_vec sorted; /* decisions by state and memory */
    base_u32_vec memories;      /* those with decisions, ascending */
    report_start_vec starts;
    size_t
        occurring; /* number of states of the policy, the chain and the sample, which come first */
    bool uses_memory;
    bool names_matter; /* whether some unnamed action is not the first of its state */
    const char *kind;  /* of the picture: "grid", "layers" or "graph"; NULL if there is none */
} report_policy;

void report_policy_fini(report_policy *policy);
/* Reads into a zero-initialised policy. */
opac_status report_policy_read(base_json_value root, report_policy *policy, opac_error *error);
/* Writes the picture and sets its kind, or writes nothing. */
opac_status report_policy_draw(report_policy *policy, opac_output *out, opac_error *error);

/* The two kinds of pictures. If the policy has no such picture, *is_drawn is false and nothing is written. */
opac_status report_policy_grid(report_policy *policy, opac_output *out, bool *is_drawn,
                               opac_error *error);
opac_status report_policy_graph(report_policy *policy, opac_output *out, bool *is_drawn,
                                opac_error *error);
/* The heading of a picture, allocated in the arena of the states. */
opac_status report_policy_heading(report_policy *policy, const char **heading, opac_error *error);
/* The decision in a state with a memory; NULL if there is none. */
const report_decision *report_policy_find(const report_policy *policy, uint32_t state,
                                          uint32_t memory);

#endif
