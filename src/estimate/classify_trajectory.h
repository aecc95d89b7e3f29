/* SPDX-License-Identifier: MIT */
/*
 * Judges: each runs trajectories of a Markov chain beside a deterministic
 * automaton, one at a time, and says of each whether it wins: by its last
 * strongly connected component, or earlier where nothing can change any more
 * (the automaton accepts whatever follows, or has no move).
 *
 * A judge knows states as they come, so that a step in a place that was seen
 * costs a few loads; in an environment without tables, also the hash of a key. What it
 * says of a trajectory does not depend on what it has seen before.
 *
 * Several may share an automaton, each with an environment of its own.
 */
#ifndef ESTIMATE_CLASSIFY_TRAJECTORY_H
#define ESTIMATE_CLASSIFY_TRAJECTORY_H

#include "base/intern.h"
#include "env/env.h"
#include "estimate/last_component.h"
#include "product/state_index.h"

typedef enum estimate_verdict {
    ESTIMATE_OPEN, /* of a pair: one has to go on */
    ESTIMATE_LOST,
    ESTIMATE_WON,
    ESTIMATE_HALTED, /* of a trajectory: it was not run to its end */
    ESTIMATE_REFUTED /* of a trajectory: a state has two successors (estimate_classifier.refutation) */
} estimate_verdict;

typedef struct estimate_classifier_state {
    uint64_t letter;
    uint32_t class;
    uint32_t actions;   /* 0: terminal, else 1 */
    uint32_t successor; /* of a system that is declared deterministic, plus 1; 0: none yet */
} estimate_classifier_state;
BASE_VEC(estimate_classifier_state_vec, estimate_classifier_state);

typedef struct estimate_classifier_product_state {
    uint64_t marks;
    estimate_visit visit;
    uint32_t state;
    uint32_t memory;      /* afterwards */
    uint32_t link, width; /* in `links`, by branch: the pair behind it; PRODUCT_NONE: not met */
    uint8_t verdict;      /* estimate_verdict */
    bool is_terminal;
} estimate_classifier_product_state;
BASE_VEC(estimate_classifier_product_state_vec, estimate_classifier_product_state);

typedef struct estimate_classifier {
    opac_environment *env;           /* borrowed; bound to the automaton's propositions */
    const opac_automaton *automaton; /* borrowed; deterministic */
    bool is_tabulated;
    product_move_table *move_table;
    product_index *index; /* numbers the pairs */
    base_intern keys;
    estimate_classifier_state_vec states;
    estimate_classifier_product_state_vec product_states;
    base_u32_vec links;
    estimate_components components;
    uint64_t steps; /* transitions of all trajectories */
    /* For an environment without tables: digests of the states of trajectories, each behind a 0, up to
     * `most_seen` numbers; NULL: nothing is kept. */
    base_u64_vec *seen;
    size_t most_seen;
    bool is_deterministic; /* as was declared: a second successor, or start, refutes it */
    uint32_t start;        /* then: the initial state, plus 1; 0: none yet */
    char refutation[OPAC_MESSAGE_SIZE];
    /* Whether to stop, asked every now and then; may be NULL. */
    bool (*halt)(void *context);
    void *halt_context;
} estimate_classifier;

opac_status estimate_classifier_init(estimate_classifier *classifier, opac_environment *env,
                                     const opac_automaton *automaton, opac_error *error);
void estimate_classifier_fini(estimate_classifier *classifier);

/* One trajectory of at most `horizon` transitions. More than one action in a state is
 * OPAC_ERROR_ARGUMENT; a state that is not the same as before, OPAC_ERROR_SIMULATOR. */
opac_status estimate_classify_trajectory(estimate_classifier *classifier, uint64_t seed,
                                         uint64_t horizon, estimate_verdict *verdict,
                                         opac_error *error);

/* The first one has then seen all states that the other has; where they saw different things under
 * the same key, OPAC_ERROR_SIMULATOR. */
opac_status estimate_classifier_merge(estimate_classifier *classifier,
                                      const estimate_classifier *other, opac_error *error);

#endif
