/* SPDX-License-Identifier: MIT */
/*
 * The step sampler, for its source files. It has four ways to run episodes, all with the same result:
 *
 *     step.c            one episode after the other, step by step, in any environment
 *     step_parallel.c   several at a time, on forks and lanes; their observations are recorded, and then
 *                       replayed in the order of episodes
 *     step_single.c     one episode in a tabulated environment that may find new successors
 *     step_chunks.c     very many at a time in a tabulated environment
 *
 * The last two use a graph of the policy (step_graph.c). Before episodes run in parallel, it is checked that
 * forks and lanes give the same observations as the environment itself (step_seed_check.c).
 */
#ifndef SAMPLE_STEP_H
#define SAMPLE_STEP_H

#include "base/map.h"
#include "env/env_trial.h"
#include "sample/repeats.h"
#include "sample/run.h"

/* An observation that is not counted yet: of a branch of a counter. outcome: SAMPLE_NO_OUTCOME unless rows are
 * alike. */
typedef struct sample_pending {
    uint32_t counter, branch, outcome;
} sample_pending;
BASE_VEC(sample_pending_vec, sample_pending);

BASE_VEC(sample_node_vec, env_walk_node);
BASE_VEC(sample_byte_vec, unsigned char);

/*
 * A product state that a chunk visited, and the counter for its observations; SAMPLE_NONE if there is none.
 */
typedef struct sample_touch {
    uint32_t product_state, counter;
} sample_touch;
BASE_VEC(sample_touch_vec, sample_touch);

/* Visits of each product state in the current episode: episode << 32 | visits. */
typedef struct sample_visits {
    base_u64_vec product_states;
    uint32_t episode;
} sample_visits;
/* Begins another episode. */
void sample_visits_begin(sample_visits *visits);
/* Adds a visit. *before: the number of earlier visits. */
opac_status sample_visits_add(sample_visits *visits, uint32_t product_state, uint32_t *before,
                              opac_error *error);
/*
 * The choice of an episode of a round in a product state: `chosen` by the policy; but in a round with
 * turns, if that is unknown, the unknown choices take turns (sample_turn_choice). With n episodes in the
 * round, episode i has turn v n + i at its visit v, both counted from 0.
 */
opac_status sample_round_choose(const sample_round *round, const sample_statistics *stats,
                                sample_visits *visits, uint64_t episode, uint32_t product_state,
                                uint32_t chosen, uint32_t *choice, opac_error *error);

/* The data of a worker. */
typedef struct sample_worker {
    base_u64_vec memory; /* of `counters`, with SAMPLE_MARGIN before and after */
    uint64_t *counters;  /* of a chunk, by link; zeros between chunks */
    uint64_t steps, gap; /* of a chunk: steps; the first episode that reached an unseen successor */
    /* Of episodes run in parallel: one for each lane, and statistics of what is new to them. */
    struct sample_active_episode *episodes;
    sample_statistics local;
} sample_worker;
enum {
    SAMPLE_MARGIN = 16 /* words, so that no two workers write to neighbouring cache lines */
};

/* An episode recorded by a worker (step_parallel.c). sample_recording_next adds its next state, and
 * the outcome if the statistics keep them, to the statistics. `action` must be the one that led to it; it is ignored
 * for the reset. */
typedef struct sample_recording sample_recording;
opac_status sample_recording_next(sample_recording *recording, sample_statistics *stats,
                                  uint32_t action, uint32_t *state, uint32_t *outcome,
                                  opac_error *error);

struct sample_step {
    sample_run *run;
    env_traits traits;
    unsigned threads;
    bool found_new;               /* the last episode found a new state, branch or product state */
    bool is_counted;              /* a part of the current episode is counted already */
    bool is_useful;               /* the current episode has sampled an incomplete row */
    sample_visits episode_visits; /* in a round with turns */
    sample_repeats *repeats;      /* the test of independence; NULL if there is none */
    sample_pending_vec pending;   /* of the current episode */
    /* ---- environments that are not tabulated ---- */
    base_map transitions; /* choice << 32 | state: branch << 32 | (product state + 1) */
    sample_recording *recordings;
    size_t recording_count;
    sample_recording *recording; /* that is replayed instead of stepping the environment; or NULL */
    uint32_t state;              /* its last state */
    /* ---- tabulated environments: the graph of the policy (step_graph.c) ---- */
    sample_node_vec nodes; /* by product state */
    base_u32_vec
        node_choice; /* by product state: the choice of the node; SAMPLE_NONE if not built */
    base_u32_vec link_choice;  /* by link: its choice; SAMPLE_NONE for a free choice */
    sample_byte_vec link_open; /* by link: 0 if its counter accepts no observations, else 1 */
    uint64_t updates;          /* run->updates when the graph was updated */
    uint64_t k;                /* the k for which link_open was set */
    uint32_t gap;              /* the unseen link of nodes that are not built */
    base_u32_vec taken_links;  /* of the current episode */
    /* ---- tabulated environments: chunks (step_chunks.c) ---- */
    sample_worker *workers;
    sample_touch_vec touched; /* the product states that the chunk visited */
    base_u32_vec stamps;      /* by product state: the last chunk that visited it */
    uint32_t stamp;           /* of the current chunk */
    base_u64_vec visits;      /* by counter, in a chunk; zeros between chunks */
    base_u32_vec visited;     /* counters with visits */
    double mean_length;       /* of recent episodes, in steps */
};

/*
 * Observations are counted at the end of an episode. With more than this number, a part is counted earlier.
 */
#define SAMPLE_MOST_PENDING ((size_t)1 << 22)
/* Counts the pending observations in the order of time, and clears the list. */
opac_status sample_pending_flush(sample_statistics *stats, sample_pending_vec *pending,
                                 opac_error *error);

/* Runs episode run->episodes. If it is cancelled or fails, it leaves no trace, if possible. */
opac_status sample_step_episode(sample_step *step, opac_error *error);
/* Whether sample_step_advance must return: a counter is full, a bound exceeded, or a halt requested. */
bool sample_step_must_return(const sample_step *step);
/* How many of n episodes max_steps and the limit allow. */
uint64_t sample_step_affordable(const sample_step *step, uint64_t n);
void sample_step_show_progress(const sample_step *step);

/* ---- parts of an episode ---- */

/* Clears the data of the previous episode. */
void sample_step_clear(sample_step *step);
opac_status sample_step_begin(sample_step *step, opac_observation *seen, opac_error *error);
/* Continues from a product state to the end of the episode. *steps: taken so far; `seen`: the last
 * observation. */
opac_status sample_step_continue(sample_step *step, opac_observation *seen, uint32_t product_state,
                                 uint64_t *steps, opac_error *error);
/* Finds the branch that a choice took to an observed state, and the product state, which is added if new. */
opac_status sample_step_resolve(sample_step *step, uint32_t choice, const opac_observation *seen,
                                uint32_t *branch, uint32_t *product_state, opac_error *error);
/* Passes a draw to the test of independence. */
opac_status sample_step_test_independence(sample_step *step, uint32_t choice, uint32_t state,
                                          opac_error *error);
/* Adds a pending observation, if the counter accepts more. */
opac_status sample_step_observe(sample_step *step, uint32_t counter, uint32_t branch,
                                uint32_t outcome, opac_error *error);
/* Whether the episode may be interrupted after so many steps: because it leaves no trace, or because it is
 * too long to wait for its end. */
bool sample_step_may_break_off(const sample_step *step, uint64_t steps);
/* Ends an episode with this status: counts its pending observations, or drops them unless it is OPAC_OK. */
opac_status sample_step_end(sample_step *step, opac_status gone, uint64_t steps, opac_error *error);

/* ---- other ways to run episodes ---- */

/* Whether episodes can be run in parallel: there are several threads or lanes, and it is allowed. */
bool sample_step_can_run_parallel(const sample_step *step);
opac_status sample_step_parallel(sample_step *step, opac_error *error);
void sample_step_parallel_fini(sample_step *step);

/* As sample_step_episode. The graph of the policy must be up to date. */
opac_status sample_step_single(sample_step *step, opac_error *error);
opac_status sample_step_chunks(sample_step *step, opac_error *error);
void sample_step_chunks_fini(sample_step *step);

/* ---- the graph of the policy: step_graph.c ---- */

/* Rebuilds the nodes whose choice the policy has changed. */
opac_status sample_step_update_graph(sample_step *step, opac_error *error);
/* Adds nodes for all new product states; their only link is unseen until they are built. */
opac_status sample_step_grow_graph(sample_step *step, opac_error *error);
opac_status sample_step_build_node(sample_step *step, uint32_t product_state, opac_error *error);
env_walk_graph sample_step_graph(const sample_step *step);
void sample_step_graph_fini(sample_step *step);

#endif
