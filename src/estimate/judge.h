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
#ifndef ESTIMATE_JUDGE_H
#define ESTIMATE_JUDGE_H

#include "base/intern.h"
#include "env/env.h"
#include "estimate/tail.h"
#include "product/state_index.h"

typedef enum estimate_verdict {
    ESTIMATE_OPEN, /* of a pair: one has to go on */
    ESTIMATE_LOST,
    ESTIMATE_WON,
    ESTIMATE_HALTED, /* of a trajectory: it was not run to its end */
    ESTIMATE_REFUTED /* of a trajectory: a state has two successors (estimate_judge.refutation) */
} estimate_verdict;

typedef struct estimate_judge_state {
    uint64_t letter;
    uint32_t class;
    uint32_t actions;   /* 0: terminal, else 1 */
    uint32_t successor; /* of a system that is declared deterministic, plus 1; 0: none yet */
} estimate_judge_state;
BASE_VEC(estimate_judge_state_vec, estimate_judge_state);

typedef struct estimate_judge_pair {
    uint64_t marks;
    estimate_visit visit;
    uint32_t state;
    uint32_t memory;      /* afterwards */
    uint32_t link, width; /* in `links`, by branch: the pair behind it; PRODUCT_NONE: not met */
    uint8_t verdict;      /* estimate_verdict */
    bool is_terminal;
} estimate_judge_pair;
BASE_VEC(estimate_judge_pair_vec, estimate_judge_pair);

typedef struct estimate_judge {
    opac_environment *env;           /* borrowed; bound to the automaton's propositions */
    const opac_automaton *automaton; /* borrowed; deterministic */
    bool is_tabulated;
    product_move_table *move_table;
    product_index *index; /* numbers the pairs */
    base_intern keys;
    estimate_judge_state_vec states;
    estimate_judge_pair_vec product_states;
    base_u32_vec links;
    estimate_tail tail;
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
} estimate_judge;

opac_status estimate_judge_init(estimate_judge *judge, opac_environment *env,
                                const opac_automaton *automaton, opac_error *error);
void estimate_judge_fini(estimate_judge *judge);

/* One trajectory of at most `horizon` transitions. More than one action in a state is
 * OPAC_ERROR_ARGUMENT; a state that is not the same as before, OPAC_ERROR_SIMULATOR. */
opac_status estimate_judge_run(estimate_judge *judge, uint64_t seed, uint64_t horizon,
                               estimate_verdict *verdict, opac_error *error);

/* The first one has then seen all states that the other has; where they saw different things under
 * the same key, OPAC_ERROR_SIMULATOR. */
opac_status estimate_judge_merge(estimate_judge *judge, const estimate_judge *other,
                                 opac_error *error);

#endif
