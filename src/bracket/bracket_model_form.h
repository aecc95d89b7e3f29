/* SPDX-License-Identifier: MIT */
/* The fields of a bracket_model and functions shared by its source files. */
#ifndef BRACKET_BRACKET_MODEL_FORM_H
#define BRACKET_BRACKET_MODEL_FORM_H

#include "bracket/bracket_model.h"
#include "graph/workspace.h"
#include "sample/build_process.h"
#include "sample/run.h"
#include "solve/robust.h"
#include "solve/solver.h"

/* Results of the last update for a product state. */
typedef struct bracket_values {
    double lower, upper;
    uint32_t choice[3]; /* by bracket_explore_policy; SAMPLE_NONE: the default choice, or, for
                           BRACKET_GAP, episodes end */
    uint32_t rank;      /* GRAPH_NONE where lower is 0 */
    uint32_t node;      /* SAMPLE_NONE: not in the model */
    bool wins;
} bracket_values;
BASE_VEC(bracket_values_vec, bracket_values);
BASE_VEC(bracket_model_pair_vec, solve_rabin_pair);

struct bracket_model {
    sample_statistics *stats; /* borrowed */
    bracket_support *support; /* borrowed */
    bracket_model_options options;
    bracket_model_pair_vec pairs; /* Rabin pairs of the condition that can accept */
    uint64_t named;               /* marks that these pairs name */
    solve_solver *solver;
    graph_workspace workspace;
    sample_process process; /* the model of the last update */
    bool is_built;          /* completely */
    sample_process chain;
    bracket_values_vec values; /* by product state */
    base_u32_vec nodes;        /* product states, by node */
    bracket_bounds bounds;
    double unseen; /* unseen mass of the reset at the last update; 0 if there is none */
    bracket_explore_policy policy;
    bool has_fixed_precision;          /* use options.precision regardless of the gap */
    bool (*stop)(const void *context); /* of updates */
    const void *stop_context;
    const opac_cancel *cancel; /* of updates */
    bool is_cut;
    bracket_model_work work;
    double last_work; /* of the last update: edges visited */
};

static inline bracket_values bracket_values_unknown(void)
{
    return (bracket_values){.upper = 1,
                            .choice = {SAMPLE_NONE, SAMPLE_NONE, SAMPLE_NONE},
                            .rank = GRAPH_NONE,
                            .node = SAMPLE_NONE};
}
/* For any product state, also one that was added since the last update. */
static inline bracket_values bracket_model_get_values(const bracket_model *b,
                                                      uint32_t product_state)
{
    return product_state < b->values.count ? b->values.items[product_state]
                                           : bracket_values_unknown();
}
/* The choice of one of the policies. */
uint32_t bracket_model_choose(const bracket_model *b, uint32_t product_state,
                              bracket_explore_policy policy);

/* Interval ends by edge of the model. */
typedef struct bracket_edges {
    double *lower, *upper;
} bracket_edges;
/* The row of a choice, numbered as in the statistics; SAMPLE_NONE if it is free. */
static inline uint32_t bracket_model_row(const bracket_model *b, uint32_t choice)
{
    const sample_choice *c = &b->stats->choices.items[choice];
    return sample_choice_is_free(c) ? SAMPLE_NONE : b->stats->counters.items[c->counter].row;
}

/* ---- bracket_model_unseen.c: choices with an outcome for all unseen successors ---- */

/* Sets the unseen mass of each choice of the model, and b->unseen: 1 if its row was never tried. */
opac_status bracket_model_find_unseen(bracket_model *b, const graph_process *p, double *unseen,
                                      opac_error *error);
/* Marks the rows that take turns (sample_counter.wanted). *wanted: their choices, and those that were never tried;
 * in the workspace. */
opac_status bracket_model_find_wanted(bracket_model *b, const graph_process *p,
                                      const double *unseen, base_bitset *wanted, opac_error *error);

/* The arguments of solve_interval_step for a choice of the model. */
typedef struct bracket_row_step {
    double *lower, *upper, *values;
    uint32_t *order;
    uint32_t count;
} bracket_row_step;
/* Allocates arrays for the widest choice and an unseen outcome, from the workspace. */
opac_status bracket_model_alloc_row(bracket_model *b, const graph_process *p, bracket_row_step *row,
                                    opac_error *error);
void bracket_model_fill_row(const bracket_model *b, const graph_process *p, uint32_t choice,
                            double unseen, bool is_upper, const bracket_edges *edges,
                            bracket_row_step *row);
double bracket_model_step_row(const bracket_row_step *row, bool greatest);

/* Computes the interval ends of all edges, in arrays of the workspace. cancel: polled; may be NULL. */
opac_status bracket_model_fill(bracket_model *b, const opac_cancel *cancel, bracket_edges *edges,
                               opac_error *error);

/* The optimistic choice of a node, numbered as in the model; GRAPH_NONE if episodes end there. */
uint32_t bracket_model_optimistic_choice(const bracket_model *b, const graph_process *p,
                                         uint32_t node);
/* Expected visits of each node in an episode of the optimistic policy, in an array of the workspace.
 * *is_cut: the computation ended before all mass had reached the end of an episode. */
opac_status bracket_model_visits(bracket_model *b, const graph_process *p, double **visits,
                                 bool *is_cut, opac_error *error);

#endif
