/* SPDX-License-Identifier: MIT */
/*
 * The inside of the step sampler. There are four ways to an episode, which
 * come to the same:
 *
 *     episode   (step.c)        one after the other, step by step
 *     ahead     (step_parallel.c)  several at a time, on forks and lanes; what they have seen is then
 *                               gone over in the order of episodes
 *     alone     (step_single.c)  one, inside a tabulated environment, that meets new things
 *     walk      (step_chunks.c)   very many at a time, inside a tabulated environment
 *
 * The last two go by a map of the policy (step_graph.c). Whether forks and lanes do what the environment
 * itself does with the same seed is tried before (step_seed_check.c).
 */
#ifndef SAMPLE_STEP_H
#define SAMPLE_STEP_H

#include "base/map.h"
#include "env/env_trial.h"
#include "sample/repeats.h"
#include "sample/run.h"

/* An observation that is due: one more of a branch of a counter. */
typedef struct sample_pending {
    uint32_t counter, branch;
} sample_pending;
BASE_VEC(sample_pending_vec, sample_pending);

BASE_VEC(sample_node_vec, env_walk_node);
BASE_VEC(sample_byte_vec, unsigned char);

/* A pair that a chunk came to, and the counter that what happened there is for; SAMPLE_NONE. */
typedef struct sample_touch {
    uint32_t product_state, counter;
} sample_touch;
BASE_VEC(sample_touch_vec, sample_touch);

/* How often the episode under way was in each pair: the number of an episode, and visits. */
typedef struct sample_visits {
    base_u64_vec product_states;
    uint32_t episode;
} sample_visits;
/* Another episode begins. */
void sample_visits_begin(sample_visits *visits);
/* One more visit; how many there were before it. */
opac_status sample_visits_add(sample_visits *visits, uint32_t product_state, uint32_t *before,
                              opac_error *error);
/*
 * What an episode of a round does in a pair: `chosen`, by the policy; but in a round that takes
 * turns, if that is not known, the choices of the pair that are not take turns (sample_turn_choice). Of
 * n episodes, number i that is in the pair for the v-th time, from 0, has turn v n + i.
 */
opac_status sample_round_choose(const sample_round *round, const sample_statistics *stats,
                                sample_visits *visits, uint64_t episode, uint32_t product_state,
                                uint32_t chosen, uint32_t *choice, opac_error *error);

/* What one worker has of its own. */
typedef struct sample_worker {
    base_u64_vec room;   /* for counters, with SAMPLE_MARGIN before and behind */
    uint64_t *counters;  /* of a walk, by link; zeros in between */
    uint64_t steps, gap; /* of a walk */
    /* Of episodes that are run ahead: one a lane, and what is new to them. */
    struct sample_active_episode *episodes;
    sample_statistics local;
} sample_worker;
enum {
    SAMPLE_MARGIN = 16 /* words, so that no two workers write to neighbouring cache lines */
};

/* An episode that was run ahead (step_parallel.c), and its next state, which is met. `action` led to it; of
 * the reset it does not matter. */
typedef struct sample_recording sample_recording;
opac_status sample_recording_next(sample_recording *recording, sample_statistics *stats,
                                  uint32_t action, uint32_t *state, opac_error *error);

struct sample_step {
    sample_run *run;
    env_traits traits;
    unsigned threads;
    bool found_new;               /* the last episode met something for the first time */
    bool is_counted;              /* a part of the episode under way is */
    bool is_useful;               /* it has sampled a row that is not complete */
    sample_visits episode_visits; /* by pair, in a round that takes turns */
    sample_repeats *repeats;      /* the test of draws; NULL: none */
    sample_pending_vec pending;   /* of the episode under way */
    /* ---- not tabulated: (choice, state) ► (branch, pair) ---- */
    base_map transitions;
    sample_recording *recordings;
    size_t recording_count;
    sample_recording *recording; /* that is gone over, in place of the environment; NULL: none */
    uint32_t state;              /* the last one in it */
    /* ---- tabulated: the map of the policy, by pair ---- */
    sample_node_vec nodes;
    base_u32_vec node_choice;  /* by pair: the choice that was drawn; SAMPLE_NONE: none */
    base_u32_vec link_choice;  /* by link: the choice that it is of, or SAMPLE_NONE: a free one's */
    sample_byte_vec link_open; /* by link: 0: nobody counts it any more, 1: perhaps */
    uint64_t updates;          /* of the policy that the map follows */
    uint64_t k;                /* that `watched` goes by */
    uint32_t gap;              /* the place of a link that leads nowhere */
    base_u32_vec taken_links;  /* links of the episode under way */
    /* ---- tabulated: chunks ---- */
    sample_worker *workers;
    sample_touch_vec touched; /* pairs that the chunk came to */
    base_u32_vec stamps;      /* by pair: the chunk that came to it last */
    uint32_t stamp;
    base_u64_vec visits;  /* by counter, in a chunk; zeros in between */
    base_u32_vec visited; /* counters with visits */
    double mean_length;   /* steps of an episode, lately */
};

/* Observations that wait for the end of an episode; of a longer one a part is counted early. */
#define SAMPLE_MOST_PENDING ((size_t)1 << 22)
/* Counts them, in the order of time; none are due afterwards. */
opac_status sample_pending_flush(sample_statistics *stats, sample_pending_vec *pending,
                                 opac_error *error);

/* Episode run->episodes; when it was cancelled, or failed, it is as if it had never begun. */
opac_status sample_step_episode(sample_step *step, opac_error *error);
/* Whether the advance is to return: something is full, a bound is exceeded, or it shall halt. */
bool sample_step_must_return(const sample_step *step);
/* How many of n episodes fit: the budget, and the limit. */
uint64_t sample_step_affordable(const sample_step *step, uint64_t n);
void sample_step_show_progress(const sample_step *step); /* progress */

/* ---- parts of an episode ---- */

/* Nothing has happened in it so far. */
void sample_step_clear(sample_step *step);
opac_status sample_step_begin(sample_step *step, opac_observation *seen, opac_error *error);
/* On from a pair, so many steps after the beginning; `seen` is the last observation. */
opac_status sample_step_continue(sample_step *step, opac_observation *seen, uint32_t product_state,
                                 uint64_t *steps, opac_error *error);
/* What a choice has led to: the branch, and the pair, which is met. */
opac_status sample_step_resolve(sample_step *step, uint32_t choice, const opac_observation *seen,
                                uint32_t *branch, uint32_t *product_state, opac_error *error);
/* Tests a draw: a choice led to a state. */
opac_status sample_step_test_independence(sample_step *step, uint32_t choice, uint32_t state,
                                          opac_error *error);
/* One more observation is due, if the counter has room. */
opac_status sample_step_observe(sample_step *step, uint32_t counter, uint32_t branch,
                                opac_error *error);
/* Whether the episode, so many steps old, may be broken off: it leaves no trace, or is too long
 * to be waited for. */
bool sample_step_may_break_off(const sample_step *step, uint64_t steps);
/* Counts what is due. `gone` says what became of the episode: one that is not whole is dropped. */
opac_status sample_step_end(sample_step *step, opac_status gone, uint64_t steps, opac_error *error);

/* ---- ways ---- */

/* Whether episodes are ever run ahead. */
bool sample_step_can_run_parallel(const sample_step *step);
opac_status sample_step_parallel(sample_step *step, opac_error *error);
void sample_step_parallel_fini(sample_step *step);

/* As sample_step_episode. The map is there. */
opac_status sample_step_single(sample_step *step, opac_error *error);
opac_status sample_step_chunks(sample_step *step, opac_error *error);
void sample_step_chunks_fini(sample_step *step);

/* ---- the map ---- */

/* Nodes and links of choices that are the policy's no longer are so drawn that they are. */
opac_status sample_step_update_graph(sample_step *step, opac_error *error);
/* Nodes for all pairs that there are; those that nobody has come to lead to a gap. */
opac_status sample_step_grow_graph(sample_step *step, opac_error *error);
opac_status sample_step_build_node(sample_step *step, uint32_t product_state, opac_error *error);
env_walk_graph sample_step_graph(const sample_step *step);
void sample_step_graph_fini(sample_step *step);

#endif
