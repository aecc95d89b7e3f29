/* SPDX-License-Identifier: MIT */
/* The inside of a learn_bracket, for its own files. */
#ifndef LEARN_BRACKET_FORM_H
#define LEARN_BRACKET_FORM_H

#include "graph/workspace.h"
#include "learn/bracket.h"
#include "learn/draft.h"
#include "learn/run.h"

/* What the last update found out about a pair. */
typedef struct learn_view {
    double lower, upper;
    uint32_t choice[3]; /* by mood; LEARN_NONE: the default; curious: none, episodes end */
    uint32_t rank;      /* GRAPH_NONE */
    uint32_t node;      /* LEARN_NONE: it was not drawn */
    bool wins;
} learn_view;
BASE_VEC(learn_view_vec, learn_view);
BASE_VEC(learn_bracket_pair_vec, solve_pair);

struct learn_bracket {
    learn_world *world;     /* borrowed */
    learn_support *support; /* borrowed */
    learn_bracket_options options;
    learn_bracket_pair_vec pairs; /* of the condition, those that accept anything */
    uint64_t named;               /* marks that it names */
    solve_interval_solver *solver;
    solve_solver *plain; /* for chains */
    graph_workspace workspace;
    learn_draft draft; /* of the last update */
    bool is_drawn;     /* all of it */
    learn_draft chain;
    learn_view_vec views; /* by pair */
    base_u32_vec nodes;   /* pairs, by node */
    learn_bounds bounds;
    double
        unseen; /* mass of the reset's outcomes that were not seen, at the last update; 0: none */
    learn_mood mood;
    bool is_sharp;                     /* options.precision, however wide the bracket is */
    bool (*stop)(const void *context); /* of updates */
    const void *stop_context;
    const opac_cancel *cancel; /* of updates */
    bool is_cut;
    learn_bracket_work work;
};

static inline learn_view learn_bracket_blank(void)
{
    return (learn_view){.upper = 1,
                        .choice = {LEARN_NONE, LEARN_NONE, LEARN_NONE},
                        .rank = GRAPH_NONE,
                        .node = LEARN_NONE};
}
/* Of any pair of the world. */
static inline learn_view learn_bracket_view(const learn_bracket *b, uint32_t pair)
{
    return pair < b->views.count ? b->views.items[pair] : learn_bracket_blank();
}
/* What to do in a pair by one of the policies. */
uint32_t learn_bracket_choose(const learn_bracket *b, uint32_t pair, learn_mood mood);

/* By edge of the draft: what its probability lies between. */
typedef struct learn_edges {
    double *lower, *upper;
} learn_edges;
/* ---- a reset with an outcome that stands for all that were not seen: bracket_start.c ---- */

/* b->unseen, from the counts of now. Whether a choice of the world has such an outcome. */
opac_status learn_bracket_find_unseen(learn_bracket *b, opac_error *error);
bool learn_bracket_has_unseen(const learn_bracket *b, uint32_t choice);
/* The start's choices that have one are unknown to the solver. */
void learn_bracket_hide_start(const learn_bracket *b, const graph_process *p, base_bitset *unknown);
/* The start's view and the bounds, from those of the other nodes. */
opac_status learn_bracket_value_start(learn_bracket *b, const graph_process *p,
                                      const learn_edges *edges, opac_error *error);

/* The arguments of solve_interval_step for a choice of the draft. */
typedef struct learn_row_step {
    double *lower, *upper, *values;
    uint32_t *order;
    uint32_t count;
} learn_row_step;
/* Room for the widest choice and what is unseen, from the workspace. */
opac_status learn_bracket_take_row(learn_bracket *b, const graph_process *p, learn_row_step *row,
                                   opac_error *error);
void learn_bracket_fill_row(const learn_bracket *b, const graph_process *p, uint32_t choice,
                            bool has_unseen, bool is_upper, const learn_edges *edges,
                            learn_row_step *row);
double learn_bracket_step_row(const learn_row_step *row, bool greatest);

/* From the workspace. cancel: polled, and then OPAC_ERROR_CANCELLED; NULL: none. */
opac_status learn_bracket_fill(learn_bracket *b, const opac_cancel *cancel, learn_edges *edges,
                               opac_error *error);

/* The hopeful choice of a node, as the draft numbers it; GRAPH_NONE: nothing goes on from there. */
uint32_t learn_bracket_way_on(const learn_bracket *b, const graph_process *p, uint32_t node);
/* By node: visits of the hopeful policy that are expected in an episode; from the workspace. */
opac_status learn_bracket_visits(learn_bracket *b, const graph_process *p, double **visits,
                                 bool *is_cut, opac_error *error);

#endif
