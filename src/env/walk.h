/* SPDX-License-Identifier: MIT */
/*
 * Whole episodes at once, in environments whose laws are tables inside. The
 * learner draws a map of what it will do, and the environment walks through it;
 * what the learner gets back is how often each link of the map was taken.
 *
 *     nodes    ┌──────────────┐
 *              │ row          │──► (inside the environment) the law of one action in one state
 *              │ link, width  │──► links[link … link+width-1]: the node that branch leads to,
 *              └──────────────┘                               ENV_UNSEEN: nobody has seen it yet
 *                                 counters[the same]          how often it was taken
 *
 * The learner learns of a branch when a walk meets it, and not before: a gap
 * ends the walk, and that episode is then walked by itself, with env_reset and
 * env_walk_single, which stops behind each gap. Walks, resets and env_step draw the same
 * random numbers: one a step of the environment, also where there is one branch,
 * and one of a random reset; none else.
 *
 * Cost: one random number and three loads a step, several episodes interleaved
 * so that the loads of one hide behind the work of others.
 */
#ifndef ENV_WALK_H
#define ENV_WALK_H

#include "env/env.h"

#define ENV_UNSEEN  UINT32_MAX       /* in links */
#define ENV_NO_STEP UINT32_MAX       /* a row: no step of the environment, one branch, no draw */
#define ENV_END     (UINT32_MAX - 1) /* a row: the episode ends here, before its steps are used up */

typedef struct env_walk_node {
    uint32_t row;   /* env_row; ENV_NO_STEP; ENV_END */
    uint32_t width; /* its branches; 1 of ENV_NO_STEP */
    uint32_t link;
} env_walk_node;

typedef struct env_walk_graph {
    const env_walk_node *nodes;
    const uint32_t *links;
    uint32_t start; /* the node where episodes begin */
    uint64_t steps; /* of an episode, free ones included */
    uint64_t seed;  /* of the run: episode i begins with env_reset(env_episode_seed(seed, i)) */
} env_walk_graph;

/*
 * The row of an action in a state (key NULL: of the reset), made when it is
 * first asked for. Its branches are numbered as the model has them: distinct
 * states. A reset that is not random draws nothing: its row is ENV_NO_STEP, of
 * width 1.
 *
 * Rows are shared by all forks, and adding one moves them: while somebody asks
 * for rows, no thread walks, draws from rows or asks for branches, in whatever
 * fork. (Resets and steps may go on.)
 */
opac_status env_row(opac_environment *env, const void *key, size_t length, uint32_t action,
                    uint32_t *row, uint32_t *width, opac_error *error);
/* The state behind a branch, for whoever has seen it taken. */
opac_status env_branch(opac_environment *env, uint32_t row, uint32_t branch,
                       opac_observation *observation, opac_error *error);
/* The branch that the last env_reset or env_step of this environment took. */
uint32_t env_last_branch(const opac_environment *env);

/*
 * Walks `count` episodes from `first`; adds to counters and *steps. *gap is the
 * first episode that met a gap, and UINT64_MAX when none did; when one did, the
 * counters and *steps are of no use. Safe from several threads at once, each
 * with counters of its own.
 */
void env_walk(const opac_environment *env, const env_walk_graph *map, uint64_t first,
              uint64_t count, uint64_t *counters, uint64_t *steps, uint64_t *gap);

/* An episode of its own, under way in an environment that was reset. */
typedef struct env_walk_cursor {
    uint32_t node;  /* where it is; ENV_UNSEEN behind one */
    uint32_t from;  /* the node that its last step left */
    uint32_t link;  /* and the link */
    uint64_t steps; /* taken by the last env_walk_single */
    /* Links that were taken, in the order of time: those with a 1 in `watched`. */
    const unsigned char *watched; /* by link */
    uint32_t *taken;
    size_t count, capacity;
} env_walk_cursor;

/*
 * Goes on with the episode from trail->node (which is none of the reset: that
 * was taken by env_reset) for at most `steps` steps, and adds to `taken`, until it
 * is full. An end is not left. A gap is the last step. The environment is then where
 * the last step that it took part in has led to, as if it had come there by env_step;
 * *observation shows that, and is left alone if there was none.
 */
void env_walk_single(opac_environment *env, const env_walk_graph *map, uint64_t steps,
                     env_walk_cursor *trail, opac_observation *observation);

/* n independent branches of a row, added to counts[0 … width-1]. */
void env_row_draw(const opac_environment *env, uint32_t row, uint64_t n, stat_rng *rng,
                  uint64_t *counts);

#endif
