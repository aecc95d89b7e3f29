/* SPDX-License-Identifier: MIT */
/* The inside of a learn_optimist, for its own files. */
#ifndef LEARN_OPTIMIST_FORM_H
#define LEARN_OPTIMIST_FORM_H

#include "graph/workspace.h"
#include "learn/draft.h"
#include "learn/optimist.h"

/* Of a pair. */
enum {
    LEARN_SURE = 1,  /* its value is 1, and the policy wins almost surely from it */
    LEARN_CLOSED = 2 /* sure, and the policy meets no unknown choice from it */
};

/* What is thought of a pair. */
typedef struct learn_mind {
    double upper;    /* of its value; 1 when it was not solved yet */
    uint32_t choice; /* the policy; LEARN_NONE: the default */
    uint32_t toward; /* of a sure pair whose choice is known, and that is not closed: a successor
                        nearer to an unknown choice; else LEARN_NONE */
    uint32_t place;  /* in `path`, from 1; 0: it is not there */
    uint32_t stamp;  /* of the last search that met it */
    uint32_t flags;
} learn_mind;
BASE_VEC(learn_mind_vec, learn_mind);
BASE_VEC(learn_solve_pair_vec, solve_pair);

typedef struct learn_decision {
    uint32_t pair, choice, toward; /* LEARN_NONE: none was found */
} learn_decision;
BASE_VEC(learn_decision_vec, learn_decision);

struct learn_optimist {
    learn_world *world; /* borrowed */
    learn_optimist_options options;
    learn_solve_pair_vec pairs; /* those of the condition, and that of the sink */
    uint64_t named;             /* marks that the condition names: others are of no interest */
    uint64_t sink_marks;
    solve_solver *solver;
    graph_workspace workspace; /* scratch of a solve */
    learn_mind_vec minds;      /* by pair */
    learn_draft draft;
    learn_value value;
    uint64_t solves;
    uint64_t nodes; /* of the model that was solved last */
    base_u32_vec changes;
    bool all_changed;
    learn_decision_vec pending;
    base_u32_vec path; /* from the start to a pair whose choice is unknown; see optimist_reach.c */
    base_u32_vec queue, parent;
    uint32_t stamp;
};

/* Every pair of the world has a mind. */
opac_status learn_optimist_grow(learn_optimist *o, opac_error *error);
/* The lowest choice that is not known, from number `from` of the pair's on; LEARN_NONE. */
uint32_t learn_optimist_unknown(const learn_world *world, uint32_t pair, uint32_t from);
/* The pair's choice is another one; who has maps of the policy is told. */
opac_status learn_optimist_note(learn_optimist *o, uint32_t pair, opac_error *error);
/* The path is none. */
void learn_optimist_drop_path(learn_optimist *o);

/* The optimistic model, all that it can reach from the start: node 0 is the sink, node 1 the start.
 */
opac_status learn_optimist_draw_model(learn_optimist *o, opac_error *error);
/* The chain of the policy; node 0 is the start. */
opac_status learn_optimist_draw_chain(learn_optimist *o, opac_error *error);

/* Policy and values by the solver; afresh: the values before are of no use. */
opac_status learn_optimist_solve(learn_optimist *o, bool afresh, opac_error *error);

/* Is the model to be solved whatever repair could do? */
bool learn_optimist_must_solve(const learn_optimist *o);
/* The choices for which these counters became known; *done: nothing is left to the solver. */
opac_status learn_optimist_repair(learn_optimist *o, const base_u32_vec *changed, bool *done,
                                  opac_error *error);

#endif
