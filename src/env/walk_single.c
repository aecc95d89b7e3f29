/* SPDX-License-Identifier: MIT */
/*
 * One episode, walked by itself: what it meets for the first time is looked at
 * before it goes on, and the links that somebody watches are told in order.
 *
 * Cost: a random number and three dependent loads a step, each of which waits
 * for the one before; half the speed of a walk in lanes, or less.
 */
#include "env/kind.h"
#include "env/walk.h"

/* The last step that the environment took part in. */
typedef struct last_step {
    uint32_t row, branch; /* row ENV_NO_STEP: there was none */
} last_step;

static uint64_t go(const env_walk_graph *map, const stat_alias_slot *slots, stat_rng *shared,
                   uint64_t steps, env_walk_cursor *trail, last_step *last)
{
    const env_walk_node *nodes = map->nodes;
    const unsigned char *watched = trail->watched;
    stat_rng rng = *shared;
    uint32_t node = trail->node;
    uint64_t done = 0;
    while (done < steps && node != ENV_UNSEEN && trail->count < trail->capacity) {
        const env_walk_node *at = &nodes[node];
        uint32_t link = at->link;
        if (at->row < ENV_END) {
            last->row = at->row;
            last->branch = stat_alias_pick(&slots[at->row], at->width, stat_rng_next(&rng));
            link += last->branch;
        } else if (at->row == ENV_END) {
            break;
        }
        trail->from = node;
        trail->taken[trail->count] = trail->link = link;
        trail->count += watched[link];
        node = map->links[link];
        done++;
    }
    trail->node = node;
    *shared = rng;
    return done;
}

void env_walk_single(opac_environment *env, const env_walk_graph *map, uint64_t steps,
                     env_walk_cursor *trail, opac_observation *observation)
{
    const stat_alias_slot *slots = env->kind->rows(env->self)->slots.items;
    last_step last = {ENV_NO_STEP, 0};
    trail->steps = go(map, slots, env->kind->rng(env->self), steps, trail, &last);
    if (last.row == ENV_NO_STEP)
        return;
    env->kind->land(env->self, last.row, last.branch, observation);
    env->one.actions = observation->actions;
}
