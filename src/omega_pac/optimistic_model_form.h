/* SPDX-License-Identifier: MIT */
/* The inside of a omega_pac_optimistic_model, for its own files. */
#ifndef OMEGA_PAC_OPTIMISTIC_MODEL_FORM_H
#define OMEGA_PAC_OPTIMISTIC_MODEL_FORM_H

#include "graph/workspace.h"
#include "omega_pac/optimistic_model.h"
#include "sample/build_process.h"

/* Of a pair. */
enum {
    OMEGA_PAC_SURE = 1,  /* its value is 1, and the policy wins almost surely from it */
    OMEGA_PAC_CLOSED = 2 /* sure, and the policy meets no unknown choice from it */
};

/* What is thought of a pair. */
typedef struct omega_pac_entry {
    double upper;    /* of its value; 1 when it was not solved yet */
    uint32_t choice; /* the policy; SAMPLE_NONE: the default */
    uint32_t toward; /* of a sure pair whose choice is known, and that is not closed: a successor
                        nearer to an unknown choice; else SAMPLE_NONE */
    uint32_t place;  /* in `path`, from 1; 0: it is not there */
    uint32_t stamp;  /* of the last search that met it */
    uint32_t flags;
} omega_pac_entry;
BASE_VEC(omega_pac_entry_vec, omega_pac_entry);
BASE_VEC(omega_pac_solve_pair_vec, solve_rabin_pair);

typedef struct omega_pac_decision {
    uint32_t product_state, choice, toward; /* SAMPLE_NONE: none was found */
} omega_pac_decision;
BASE_VEC(omega_pac_decision_vec, omega_pac_decision);

struct omega_pac_optimistic_model {
    sample_statistics *stats; /* borrowed */
    omega_pac_optimistic_model_options options;
    omega_pac_solve_pair_vec pairs; /* those of the condition, and that of the sink */
    uint64_t named;                 /* marks that the condition names: others are of no interest */
    uint64_t sink_marks;
    solve_solver *solver;
    graph_workspace workspace;   /* scratch of a solve */
    omega_pac_entry_vec entries; /* by pair */
    sample_process process;
    omega_pac_value value;
    uint64_t solves;
    uint64_t nodes; /* of the model that was solved last */
    base_u32_vec changes;
    bool all_changed;
    omega_pac_decision_vec pending;
    base_u32_vec
        path; /* from the start to a pair whose choice is unknown; see optimistic_model_reach.c */
    base_u32_vec queue, parent;
    uint32_t stamp;
};

/* Every pair of the world has a mind. */
opac_status omega_pac_optimistic_model_grow(omega_pac_optimistic_model *o, opac_error *error);
/* The lowest choice that is not known, from number `from` of the pair's on; SAMPLE_NONE. */
uint32_t omega_pac_optimistic_model_unknown(const sample_statistics *stats, uint32_t product_state,
                                            uint32_t from);
/* The pair's choice is another one; who has maps of the policy is told. */
opac_status omega_pac_optimistic_model_note_change(omega_pac_optimistic_model *o,
                                                   uint32_t product_state, opac_error *error);
/* The path is none. */
void omega_pac_optimistic_model_drop_path(omega_pac_optimistic_model *o);

/* The optimistic model, all that it can reach from the start: node 0 is the sink, node 1 the start.
 */
opac_status omega_pac_optimistic_model_build(omega_pac_optimistic_model *o, opac_error *error);
/* The chain of the policy; node 0 is the start. */
opac_status omega_pac_optimistic_model_build_chain(omega_pac_optimistic_model *o,
                                                   opac_error *error);

/* Policy and values by the solver; afresh: the values before are of no use. */
opac_status omega_pac_optimistic_model_solve(omega_pac_optimistic_model *o, bool afresh,
                                             opac_error *error);

/* Is the model to be solved whatever repair could do? */
bool omega_pac_optimistic_model_must_solve(const omega_pac_optimistic_model *o);
/* The choices for which these counters became known; *done: nothing is left to the solver. */
opac_status omega_pac_optimistic_model_repair(omega_pac_optimistic_model *o,
                                              const base_u32_vec *changed, bool *done,
                                              opac_error *error);

#endif
