/* SPDX-License-Identifier: MIT */
/*
 * The bracket [L, U] around the greatest probability p*, computed from the counts so far, and the policies
 * that attain its ends.
 *
 *     supports ──► product of the complete rows ──► solve_run_intervals ──► L, U, W, policies
 *
 * Model. The product of the automaton with all rows that were seen, breadth first from the start. A choice
 * of a complete row has the row's successors, with intervals; a choice of an incomplete row is unknown. W
 * consists of winning end components of complete rows, and meets each maximal end component that contains
 * one (Definition 6; solve/winning.h).
 *
 * Statement maintained (docs/theory.md, Theorem 14; all numbers refer to that page). Let the event of
 * support.h hold, so that successors of complete rows and intervals are right; its probability is at least
 * 1 - δ. Every product state s of the model has numbers lower(s) and upper(s) with:
 *
 *     upper   is 1 on W, for an unknown choice and for the unseen outcome of a reset; elsewhere it is at
 *             least its greatest expectation over all choices and all distributions in the intervals
 *             (Lemma 22). By induction over the number of steps it is at least the probability, under any
 *             policy, of reaching one of these. An accepted run reaches one of them, or almost surely ends
 *             in a winning end component, from which W is reached almost surely. So p* ≤ U = upper(start).
 *     lower   is 1 on W and 0 for the unseen outcome; elsewhere it is at most its least expectation, over
 *             the distributions in the intervals, for the choice of the pessimistic policy π, and 0 if that
 *             is unknown. Where lower > 0 outside of W, some successor has a smaller rank (such ranks
 *             exist: Lemma 21). Successors are real edges, so runs almost surely leave these states, to W
 *             or to where lower is 0. Along a run lower is a bounded submartingale, so π reaches W with
 *             probability at least lower(start). In W it wins almost surely (Lemma 3). So
 *             p_π ≥ L = lower(start).
 *
 * Hence L ≤ p_π ≤ p* ≤ U, whenever the run stops: the intervals hold at all times at once. L and U are
 * those of the counts at the last update; later samples do not make them wrong. If the solver is stopped
 * early, its vectors satisfy the same inequalities (solve/sweep.h); solve_interval.c checks the inequalities
 * of every result. After an update that was cancelled, the bracket is [0, 1].
 *
 * The samplers follow one of three policies (sample_run_choice): the optimistic one, which attains U, the
 * pessimistic one, which attains L, or the one that reduces the gap. Product states that were added since
 * the last update take their lowest choice that is not complete, or else their first choice.
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
    double precision;       /* the final precision of the solver: 1/64 of the wanted width */
    double value_precision; /* of values by the frequencies */
    bool weighs_lower;      /* L follows from the model only, so samples that raise it help, too */
} bracket_model_options;

/* Statistics and support are borrowed. */
opac_status bracket_model_new(sample_statistics *stats, bracket_support *support,
                              const bracket_model_options *options, bracket_model **bracket,
                              opac_error *error);
void bracket_model_free(bracket_model *bracket);

/*
 * Recomputes the bracket from the current counts. Must come after bracket_support_refresh. The precision
 * of the solver is a fraction of the previous gap; the solver runs again, more precisely, if its error is
 * a large part of the new gap.
 */
opac_status bracket_model_update(bracket_model *bracket, opac_error *error);
/*
 * After an update that failed with OPAC_ERROR_CANCELLED: sets the bracket to [0, 1], which is valid for
 * any counts. Otherwise the values would remain those of the previous counts.
 */
opac_status bracket_model_reset_values(bracket_model *bracket, opac_error *error);
/* Sets the precision of the solver for the following updates, regardless of the gap. */
void bracket_model_set_precision(bracket_model *bracket, double precision);
/*
 * Limits updates. Once `stop` returns true, an update ends with the bounds proven so far, which may take
 * seconds for a large model. Once `cancel` is requested, it fails with OPAC_ERROR_CANCELLED. NULL means
 * never.
 */
void bracket_model_set_limits(bracket_model *bracket, bool (*stop)(const void *context),
                              const void *context, const opac_cancel *cancel);
/* Whether the last update was stopped: its bounds are valid, but may be wider than necessary. */
bool bracket_model_was_stopped(const bracket_model *bracket);
/* Number of solver runs, and of their sweeps over the model. */
typedef struct bracket_model_work {
    uint64_t solved, sweeps;
} bracket_model_work;

typedef struct bracket_bounds {
    double lower, upper; /* of the start; 0 and 1 before the first update */
} bracket_bounds;
bracket_bounds bracket_model_bounds(const bracket_model *bracket);
/* The unseen mass of the reset that the last update used; 0 if there is none. */
double bracket_model_unseen(const bracket_model *bracket);

/* Number of edges that the last update visited. */
double bracket_model_last_work(const bracket_model *bracket);

/* ---- the policies ---- */

typedef enum bracket_explore_policy {
    BRACKET_OPTIMISTIC = 0, /* attains U: incomplete rows count as success */
    BRACKET_PESSIMISTIC =
        1,          /* attains L: incomplete rows count as failure; the policy that is returned */
    BRACKET_GAP = 2 /* reduces U - L fastest */
} bracket_explore_policy;
/*
 * Computes the policy that reduces the gap most per step in the long run, using complete rows only.
 * `batch`: number of visits that a row may get before the next update. Episodes end where no further step
 * is worth its cost. *is_found: whether there is such a policy; it is valid until the next update.
 */
opac_status bracket_model_plan_gap_reduction(bracket_model *bracket, double batch, bool *is_found,
                                             opac_error *error);
/*
 * *episodes: expected number of episodes of the optimistic policy until the visits of some row on its way
 * have grown by half, or by BRACKET_LEAST_NEW_VISITS. After that it should be checked whether the row is
 * still worth visiting: if each of many actions seems best in turn, a fixed share of all samples would be
 * far too much for each.
 */
opac_status bracket_model_useful_episodes(bracket_model *bracket, double *episodes,
                                          opac_error *error);
#define BRACKET_LEAST_NEW_VISITS 8.0
/* Relative growth of the visits of a row between two updates. */
#define BRACKET_VISIT_GROWTH 0.5
/* Selects the policy that bracket_model_choice returns. */
void bracket_model_follow(bracket_model *bracket, bracket_explore_policy policy);
uint32_t bracket_model_choice(const bracket_model *bracket, uint32_t product_state);
/* Whether a product state belongs to W; *choice: that of its winning strategy, under which runs stay in W. */
bool bracket_model_wins(const bracket_model *bracket, uint32_t product_state, uint32_t *choice);
/* Whether episodes end in a product state, because it wins or because L and U agree there. */
bool bracket_model_ends_at(const bracket_model *bracket, uint32_t product_state);

/* ---- for the policy and the certificate ---- */

typedef struct bracket_model_node {
    uint32_t product_state;
    double upper, lower;
    uint32_t choice; /* of the pessimistic policy, numbered as in the statistics; SAMPLE_NONE */
    uint32_t rank;   /* GRAPH_NONE where lower is 0 */
    bool wins;       /* belongs to W */
} bracket_model_node;
/* Nodes are the product states of the model, breadth first from the start, which is node 0. */
uint32_t bracket_model_count(const bracket_model *bracket);
bracket_model_node bracket_model_get(const bracket_model *bracket, uint32_t node);

/*
 * The Markov chain of the pessimistic policy, with observed frequencies as probabilities (uniform where
 * only the graph is known). Product states whose choice is not complete have no choice. *value: the
 * probability that a run of the chain is accepted; may be NULL.
 */
struct sample_chain;
opac_status bracket_model_chain(bracket_model *bracket, struct sample_chain *chain, double *value,
                                opac_error *error);

/*
 * By row, how much more samples of it would reduce the gap: its expected visits under the optimistic
 * policy times the range of values that its intervals leave open, or times 1 for an incomplete row. For
 * sampling that can draw successors of any state.
 */
opac_status bracket_model_weights(bracket_model *bracket, base_double_vec *weights,
                                  opac_error *error);

/*
 * For checkpoints: everything that later updates and choices depend on, except for the supports, which are
 * saved separately and restored first. Restoring validates the words.
 */
opac_status bracket_model_save(const bracket_model *bracket, base_u64_vec *words,
                               opac_error *error);
opac_status bracket_model_restore(bracket_model *bracket, const uint64_t *words, size_t count,
                                  opac_error *error);

#endif
