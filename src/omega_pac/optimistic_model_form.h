/* SPDX-License-Identifier: MIT */
/* The fields of an omega_pac_optimistic_model and functions shared by its source files. */
#ifndef OMEGA_PAC_OPTIMISTIC_MODEL_FORM_H
#define OMEGA_PAC_OPTIMISTIC_MODEL_FORM_H

#include "graph/workspace.h"
#include "omega_pac/optimistic_model.h"
#include "sample/build_process.h"

/* Flags of a product state. */
enum {
    OMEGA_PAC_SURE = 1,  /* its value is 1, and the policy wins almost surely from it */
    OMEGA_PAC_CLOSED = 2 /* sure, and the policy reaches no unknown choice from it */
};

/* The policy and the bounds of a product state. */
typedef struct omega_pac_entry {
    double upper;    /* upper bound on its value; 1 if it was not solved yet */
    uint32_t choice; /* of the policy; SAMPLE_NONE: the default */
    uint32_t toward; /* if it is sure, not closed, and its choice is known: a successor nearer to an
                        unknown choice; else SAMPLE_NONE */
    uint32_t place;  /* in `path`, from 1; 0: it is not there */
    uint32_t stamp;  /* of the last search that reached it */
    uint32_t flags;
} omega_pac_entry;
BASE_VEC(omega_pac_entry_vec, omega_pac_entry);
BASE_VEC(omega_pac_solve_pair_vec, solve_rabin_pair);

typedef struct omega_pac_decision {
    uint32_t product_state, choice, toward; /* toward is SAMPLE_NONE if no choice was found */
} omega_pac_decision;
BASE_VEC(omega_pac_decision_vec, omega_pac_decision);

struct omega_pac_optimistic_model {
    sample_statistics *stats; /* borrowed */
    omega_pac_optimistic_model_options options;
    omega_pac_solve_pair_vec pairs; /* Rabin pairs of the condition, and that of the sink */
    uint64_t named;                 /* marks that the condition names; others are dropped */
    uint64_t sink_marks;
    solve_solver *solver;
    graph_workspace workspace;   /* scratch of a solve */
    omega_pac_entry_vec entries; /* by product state */
    sample_process process;
    omega_pac_value value;
    uint64_t solves;
    uint64_t nodes; /* of the model that was solved last */
    base_u32_vec changes;
    bool all_changed;
    omega_pac_decision_vec pending;
    base_u32_vec path; /* from the start to an unknown choice; see optimistic_model_reach.c */
    base_u32_vec queue, parent;
    uint32_t stamp;
};

/* Adds an entry for every new product state. */
opac_status omega_pac_optimistic_model_grow(omega_pac_optimistic_model *o, opac_error *error);
/* The lowest unknown choice of a product state, beginning with its choice number `from`; SAMPLE_NONE. */
uint32_t omega_pac_optimistic_model_unknown(const sample_statistics *stats, uint32_t product_state,
                                            uint32_t from);
/* Adds a product state to omega_pac_optimistic_model_changes. */
opac_status omega_pac_optimistic_model_note_change(omega_pac_optimistic_model *o,
                                                   uint32_t product_state, opac_error *error);
/* Clears the path. */
void omega_pac_optimistic_model_drop_path(omega_pac_optimistic_model *o);

/* Builds the optimistic model, as far as it is reached from the start: node 0 is the sink, node 1 the
 * start. */
opac_status omega_pac_optimistic_model_build(omega_pac_optimistic_model *o, opac_error *error);
/* Builds the chain of the policy; node 0 is the start. */
opac_status omega_pac_optimistic_model_build_chain(omega_pac_optimistic_model *o,
                                                   opac_error *error);

/* Computes policy and values by the solver. afresh: without using the previous values. */
opac_status omega_pac_optimistic_model_solve(omega_pac_optimistic_model *o, bool afresh,
                                             opac_error *error);

/* Whether the model must be solved, even if repair succeeds. */
bool omega_pac_optimistic_model_must_solve(const omega_pac_optimistic_model *o);
/* Repairs the choices whose counters became known. *done: the solver is not needed. */
opac_status omega_pac_optimistic_model_repair(omega_pac_optimistic_model *o,
                                              const base_u32_vec *changed, bool *done,
                                              opac_error *error);

#endif
