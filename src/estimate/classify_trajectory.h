/* SPDX-License-Identifier: MIT */
/*
 * Runs trajectories of a Markov chain together with a deterministic automaton and classifies them: a
 * trajectory wins if its last strongly connected component satisfies the acceptance condition. It is
 * classified earlier if the result cannot change any more (the automaton accepts everything that follows,
 * or has no move).
 *
 * By docs/theory.md, Theorem 7, a trajectory of T steps is classified as its infinite continuation with
 * probability at least 1 - ε, if T bounds the ε-recurrence time.
 *
 * States are interned as they are observed, so a step between known states costs a few loads, and the hash
 * of a key if the environment is not tabulated. The classification of a trajectory does not depend on
 * earlier ones.
 *
 * Several classifiers may share an automaton, each with an environment of its own.
 */
#ifndef ESTIMATE_CLASSIFY_TRAJECTORY_H
#define ESTIMATE_CLASSIFY_TRAJECTORY_H

#include "base/intern.h"
#include "env/env.h"
#include "product/state_index.h"
#include "sample/last_component.h"

typedef enum estimate_verdict {
    ESTIMATE_OPEN, /* of a product state: the trajectory must continue */
    ESTIMATE_LOST,
    ESTIMATE_WON,
    ESTIMATE_HALTED, /* of a trajectory: it was interrupted */
    ESTIMATE_REFUTED /* of a trajectory: a state has two successors (estimate_classifier.refutation) */
} estimate_verdict;

typedef struct estimate_classifier_state {
    uint64_t letter;
    uint32_t class;
    uint32_t actions;   /* 0: terminal, else 1 */
    uint32_t successor; /* plus 1, in a system that is declared deterministic; 0 if unknown */
} estimate_classifier_state;
BASE_VEC(estimate_classifier_state_vec, estimate_classifier_state);

typedef struct estimate_classifier_product_state {
    uint64_t marks;
    sample_component_visit visit;
    uint32_t state;
    uint32_t memory;      /* after reading its letter */
    uint32_t link, width; /* in `links`: its successors by branch; PRODUCT_NONE if not added yet */
    uint8_t verdict;      /* estimate_verdict */
    bool is_terminal;
} estimate_classifier_product_state;
BASE_VEC(estimate_classifier_product_state_vec, estimate_classifier_product_state);

typedef struct estimate_classifier {
    opac_environment *env;           /* borrowed; bound to the automaton's propositions */
    const opac_automaton *automaton; /* borrowed; deterministic */
    bool is_tabulated;
    product_move_table *move_table;
    product_index *index; /* numbers the product states */
    base_intern keys;
    estimate_classifier_state_vec states;
    estimate_classifier_product_state_vec product_states;
    base_u32_vec links;
    sample_components components;
    uint64_t steps; /* of all trajectories */
    /* For environments that are not tabulated: digests of the states of trajectories, each trajectory after
     * a 0, up to `most_seen` numbers. May be NULL. */
    base_u64_vec *seen;
    size_t most_seen;
    bool is_deterministic; /* declared: a second successor of a state or the reset refutes it */
    uint32_t start;        /* then the initial state plus 1; 0 if unknown */
    char refutation[OPAC_MESSAGE_SIZE];
    /* Whether to stop; polled regularly. May be NULL. */
    bool (*halt)(void *context);
    void *halt_context;
} estimate_classifier;

opac_status estimate_classifier_init(estimate_classifier *classifier, opac_environment *env,
                                     const opac_automaton *automaton, opac_error *error);
void estimate_classifier_fini(estimate_classifier *classifier);

/* Runs a trajectory of at most `horizon` steps and classifies it. OPAC_ERROR_ARGUMENT if a state has
 * several actions; OPAC_ERROR_SIMULATOR if a state has changed since it was observed before. */
opac_status estimate_classify_trajectory(estimate_classifier *classifier, uint64_t seed,
                                         uint64_t horizon, estimate_verdict *verdict,
                                         opac_error *error);

/*
 * Adds the states of the other classifier to the first one. OPAC_ERROR_SIMULATOR if they differ in a state.
 */
opac_status estimate_classifier_merge(estimate_classifier *classifier,
                                      const estimate_classifier *other, opac_error *error);

#endif
