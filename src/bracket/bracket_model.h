/* SPDX-License-Identifier: MIT */
/*
 * The bracket [L, U] around the greatest probability, from what was seen so far,
 * and the policies that belong to it. The product of what is complete
 * (support.h) is drawn breadth first from the start; pairs with intervals, pairs that are
 * not complete unknown; solve/solver.h does the rest.
 *
 *     support ──► draw ──► solve_run_intervals ──► L, U, W, policies, by pair
 *
 * A bracket is what a certifying run asks what to do (sample_run_choice): by the hopeful policy,
 * that of U, the cautious one, that of L, or the curious one. Pairs that were met since the last
 * update take their lowest choice that is not complete, or their first.
 */
#ifndef BRACKET_BRACKET_MODEL_H
#define BRACKET_BRACKET_MODEL_H

#include "bracket/support.h"
#include "product/rabin_pairs.h"
#include "solve/solver.h"

typedef struct bracket_model bracket_model;

typedef struct bracket_model_options {
    const solve_rabin_pair *pairs; /* of the automaton's condition; copied */
    uint32_t pair_count;
    double precision; /* of the solver at last; 64 times as much is what the bracket is to be */
} bracket_model_options;

/* World and support are borrowed. */
opac_status bracket_model_new(sample_statistics *stats, bracket_support *support,
                              const bracket_model_options *options, bracket_model **bracket,
                              opac_error *error);
void bracket_model_free(bracket_model *bracket);

/*
 * From the counts of now; after bracket_support_refresh. The solver is as precise as the bracket
 * is narrow, and works again, more precisely, if its error is a good part of what is left.
 */
opac_status bracket_model_update(bracket_model *bracket, opac_error *error);
/*
 * After an update that failed with OPAC_ERROR_CANCELLED: nothing is known of the values of what it
 * drew, which holds of any counts. Without it, the values remain those of the counts before.
 */
opac_status bracket_model_reset_values(bracket_model *bracket, opac_error *error);
/* Another precision of the solver, from the next update on, however wide the bracket is. */
void bracket_model_set_precision(bracket_model *bracket, double precision);
/*
 * What ends updates. Once `stop` is true they end with what is proven by then, which may take seconds
 * in large graphs; once `cancel` is requested they fail with OPAC_ERROR_CANCELLED. NULL: never.
 */
void bracket_model_set_limits(bracket_model *bracket, bool (*stop)(const void *context),
                              const void *context, const opac_cancel *cancel);
/* Whether the last update was stopped: its bounds hold, but may be wider than need be. */
bool bracket_model_was_stopped(const bracket_model *bracket);
/* How often the solver was run, and sweeps over all that was drawn. */
typedef struct bracket_model_work {
    uint64_t solved, sweeps;
} bracket_model_work;

typedef struct bracket_bounds {
    double lower, upper; /* of the start; 0 and 1 before the first update */
} bracket_bounds;
bracket_bounds bracket_model_bounds(const bracket_model *bracket);
/* How much of the bracket's width is due to what the reset has not shown yet; 0: nothing is. */
double bracket_model_unseen(const bracket_model *bracket);

/* ---- the policies ---- */

typedef enum bracket_explore_policy {
    BRACKET_OPTIMISTIC = 0,
    BRACKET_PESSIMISTIC = 1,
    BRACKET_GAP = 2
} bracket_explore_policy;
/*
 * The curious policy: what narrows the bracket most in the long run, a step, by rows that are complete
 * alone. `batch`: so many visits more a row may get before the next update. Where nothing
 * more is worth a step, episodes end. *is_found: there is one, until the next update.
 */
opac_status bracket_model_plan_gap_reduction(bracket_model *bracket, double batch, bool *is_found,
                                             opac_error *error);
/*
 * After so many episodes of the hopeful policy some row on its way has been visited half as often
 * again, or BRACKET_LEAST_NEW_VISITS times: time to look whether it is still worth it. Where one of many actions
 * after the other seems the best, a share of all samples would be far too much for each.
 */
opac_status bracket_model_useful_episodes(bracket_model *bracket, double *episodes,
                                          opac_error *error);
#define BRACKET_LEAST_NEW_VISITS 8.0
#define BRACKET_VISIT_GROWTH     0.5
/* The policy that bracket_model_choice is of. */
void bracket_model_follow(bracket_model *bracket, bracket_explore_policy policy);
uint32_t bracket_model_choice(const bracket_model *bracket, uint32_t product_state);
/* Nothing more can be learned from a pair on: it wins, or it is decided there. Episodes end. */
bool bracket_model_ends_at(const bracket_model *bracket, uint32_t product_state);

/* ---- for the policy and the certificate ---- */

typedef struct bracket_model_node {
    uint32_t product_state;
    double upper, lower;
    uint32_t choice; /* the cautious one, in the world; SAMPLE_NONE */
    uint32_t rank;   /* GRAPH_NONE where lower is 0 */
    bool wins;
} bracket_model_node;
/* By node of the drawing, breadth first from the start, which is node 0. */
uint32_t bracket_model_count(const bracket_model *bracket);
bracket_model_node bracket_model_get(const bracket_model *bracket, uint32_t node);

/*
 * The cautious policy's chain in the model of the frequencies (a graph alone: evenly), as in
 * optimistic_model.h; pairs whose choice is not complete have none. *value: the probability that it is
 * accepted there; NULL: it is not asked for.
 */
struct sample_chain;
opac_status bracket_model_chain(bracket_model *bracket, struct sample_chain *chain, double *value,
                                opac_error *error);

/* By row, how much it would help to know it better: its visits, expected in the hopeful model from
 * the start, times what its intervals leave open. For whoever may draw where it likes. Of
 * incomplete rows: expected visits times 1. */
opac_status bracket_model_weights(bracket_model *bracket, base_double_vec *weights,
                                  opac_error *error);

/* For checkpoints: all that later updates and choices depend on, beside the supports, which have words
 * of their own and are restored first. Restoring checks. */
opac_status bracket_model_save(const bracket_model *bracket, base_u64_vec *words,
                               opac_error *error);
opac_status bracket_model_restore(bracket_model *bracket, const uint64_t *words, size_t count,
                                  opac_error *error);

#endif
