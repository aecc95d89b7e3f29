/* SPDX-License-Identifier: MIT */
/*
 * Samples whole episodes in environments whose distributions are tables in memory. The learner supplies a
 * graph of what its policy does; the environment walks through it, and returns how often each link was
 * followed.
 *
 *     nodes    ┌──────────────┐
 *              │ row          │──► (inside the environment) the distribution of a state-action pair
 *              │ link, width  │──► links[link … link+width-1]: the node that the branch leads to, or
 *              └──────────────┘                               ENV_UNSEEN: not observed before
 *                                 counters[the same]          how often it was followed
 *
 * The learner learns of a successor only when a walk reaches it: an unseen link ends the walk, and that
 * episode is then run by itself, with env_reset and env_walk_single, which stops at each unseen link. Walks,
 * env_reset and env_step use the random numbers in the same way: one for each step of the environment, even
 * if it has one branch only, and one for a random reset.
 *
 * Cost: one random number and three loads a step. Several episodes are interleaved, so that the loads of
 * one overlap with the work of the others.
 */
#ifndef ENV_WALK_H
#define ENV_WALK_H

#include "env/env.h"

#define ENV_UNSEEN  UINT32_MAX       /* a link: its successor has not been observed */
#define ENV_NO_STEP UINT32_MAX       /* a row: one branch, without a step of the environment */
#define ENV_END     (UINT32_MAX - 1) /* a row: the episode ends here, before its horizon */

typedef struct env_walk_node {
    uint32_t row;   /* of env_row, or ENV_NO_STEP or ENV_END */
    uint32_t width; /* number of branches; 1 for ENV_NO_STEP */
    uint32_t link;  /* of the first branch */
} env_walk_node;

typedef struct env_walk_graph {
    const env_walk_node *nodes;
    const uint32_t *links;
    uint32_t start; /* the node in which episodes begin */
    uint64_t steps; /* of an episode, including those at ENV_NO_STEP */
    uint64_t seed;  /* of the run: episode i begins with env_reset(env_episode_seed(seed, i)) */
} env_walk_graph;

/*
 * The row of a state-action pair, or of the reset if key is NULL, built on first use. Its branches are
 * numbered as in the model, and lead to distinct states. A reset that is not random uses no random number:
 * its row is ENV_NO_STEP, of width 1.
 *
 * All forks share their rows, and adding one may move them: during a call, no other thread may walk, draw
 * from rows or call env_branch on any fork. Resets and steps are allowed.
 */
opac_status env_row(opac_environment *env, const void *key, size_t length, uint32_t action,
                    uint32_t *row, uint32_t *width, opac_error *error);
/* The successor of a branch that a walk has followed. */
opac_status env_branch(opac_environment *env, uint32_t row, uint32_t branch,
                       opac_observation *observation, opac_error *error);
/* The branch that the last env_reset or env_step of this environment took. */
uint32_t env_last_branch(const opac_environment *env);

/*
 * Walks `count` episodes from number `first` on, and adds to counters and *steps. *unseen is the first
 * episode that reached an unseen link, or UINT64_MAX if none did; if one did, the counters and *steps are
 * invalid. Several threads may walk at once, each with counters of its own.
 */
void env_walk(const opac_environment *env, const env_walk_graph *graph, uint64_t first,
              uint64_t count, uint64_t *counters, uint64_t *steps, uint64_t *unseen);

/* The position of a single episode, which began with env_reset. */
typedef struct env_walk_cursor {
    uint32_t node;  /* current node; ENV_UNSEEN after an unseen link */
    uint32_t from;  /* the node that the last step left, */
    uint32_t link;  /* and the link that it followed */
    uint64_t steps; /* taken by the last call of env_walk_single */
    /* The watched links that were followed, in order. */
    const unsigned char *watched; /* by link: 1 if it is watched, else 0 */
    uint32_t *taken;
    size_t count, capacity;
} env_walk_cursor;

/*
 * Continues an episode from cursor->node, which is not the node of the reset, for at most `steps` steps.
 * Stops at ENV_END, after an unseen link, and when `taken` is full. Afterwards the environment is in the
 * state that its last step led to, as if env_step had been called, and *observation shows that state;
 * *observation is unchanged if the environment made no step.
 */
void env_walk_single(opac_environment *env, const env_walk_graph *graph, uint64_t steps,
                     env_walk_cursor *cursor, opac_observation *observation);

/* Draws n independent branches of a row, and adds the numbers of each to counts[0 … width-1]. */
void env_row_draw(const opac_environment *env, uint32_t row, uint64_t n, stat_rng *rng,
                  uint64_t *counts);

#endif
