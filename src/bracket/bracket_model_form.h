/* SPDX-License-Identifier: MIT */
/* The inside of a bracket_model, for its own files. */
#ifndef BRACKET_BRACKET_MODEL_FORM_H
#define BRACKET_BRACKET_MODEL_FORM_H

#include "bracket/bracket_model.h"
#include "graph/workspace.h"
#include "sample/build_process.h"
#include "sample/run.h"
#include "solve/robust.h"
#include "solve/solver.h"

/* What the last update found out about a pair. */
typedef struct bracket_values {
    double lower, upper;
    uint32_t choice[3]; /* by mood; SAMPLE_NONE: the default; curious: none, episodes end */
    uint32_t rank;      /* GRAPH_NONE */
    uint32_t node;      /* SAMPLE_NONE: it was not drawn */
    bool wins;
} bracket_values;
BASE_VEC(bracket_values_vec, bracket_values);
BASE_VEC(bracket_model_pair_vec, solve_rabin_pair);

struct bracket_model {
    sample_statistics *stats; /* borrowed */
    bracket_support *support; /* borrowed */
    bracket_model_options options;
    bracket_model_pair_vec pairs; /* of the condition, those that accept anything */
    uint64_t named;               /* marks that it names */
    solve_solver *solver;
    graph_workspace workspace;
    sample_process process; /* of the last update */
    bool is_drawn;          /* all of it */
    sample_process chain;
    bracket_values_vec values; /* by pair */
    base_u32_vec nodes;        /* pairs, by node */
    bracket_bounds bounds;
    double
        unseen; /* mass of the reset's outcomes that were not seen, at the last update; 0: none */
    bracket_explore_policy policy;
    bool is_sharp;                     /* options.precision, however wide the bracket is */
    bool (*stop)(const void *context); /* of updates */
    const void *stop_context;
    const opac_cancel *cancel; /* of updates */
    bool is_cut;
    bracket_model_work work;
};

static inline bracket_values bracket_values_unknown(void)
{
    return (bracket_values){.upper = 1,
                            .choice = {SAMPLE_NONE, SAMPLE_NONE, SAMPLE_NONE},
                            .rank = GRAPH_NONE,
                            .node = SAMPLE_NONE};
}
/* Of any pair of the world. */
static inline bracket_values bracket_model_get_values(const bracket_model *b,
                                                      uint32_t product_state)
{
    return product_state < b->values.count ? b->values.items[product_state]
                                           : bracket_values_unknown();
}
/* What to do in a pair by one of the policies. */
uint32_t bracket_model_choose(const bracket_model *b, uint32_t product_state,
                              bracket_explore_policy policy);

/* By edge of the draft: what its probability lies between. */
typedef struct bracket_edges {
    double *lower, *upper;
} bracket_edges;
/* ---- a reset with an outcome that stands for all that were not seen: bracket_model_start.c ---- */

/* b->unseen, from the counts of now. Whether a choice of the world has such an outcome. */
opac_status bracket_model_find_unseen(bracket_model *b, opac_error *error);
bool bracket_model_has_unseen(const bracket_model *b, uint32_t choice);
/* By choice of the draft: the unseen mass of the start's choices that have such an outcome. */
void bracket_model_fill_unseen(const bracket_model *b, const graph_process *p, double *unseen);

/* The arguments of solve_interval_step for a choice of the draft. */
typedef struct bracket_row_step {
    double *lower, *upper, *values;
    uint32_t *order;
    uint32_t count;
} bracket_row_step;
/* Room for the widest choice and what is unseen, from the workspace. */
opac_status bracket_model_alloc_row(bracket_model *b, const graph_process *p, bracket_row_step *row,
                                    opac_error *error);
void bracket_model_fill_row(const bracket_model *b, const graph_process *p, uint32_t choice,
                            bool has_unseen, bool is_upper, const bracket_edges *edges,
                            bracket_row_step *row);
double bracket_model_step_row(const bracket_row_step *row, bool greatest);

/* From the workspace. cancel: polled, and then OPAC_ERROR_CANCELLED; NULL: none. */
opac_status bracket_model_fill(bracket_model *b, const opac_cancel *cancel, bracket_edges *edges,
                               opac_error *error);

/* The hopeful choice of a node, as the draft numbers it; GRAPH_NONE: nothing goes on from there. */
uint32_t bracket_model_optimistic_choice(const bracket_model *b, const graph_process *p,
                                         uint32_t node);
/* By node: visits of the hopeful policy that are expected in an episode; from the workspace. */
opac_status bracket_model_visits(bracket_model *b, const graph_process *p, double **visits,
                                 bool *is_cut, opac_error *error);

#endif
