/* SPDX-License-Identifier: MIT */
/*
 * Walks a single episode. It stops at each unseen link, so that the caller can add the successor before it
 * continues, and records the watched links in order.
 *
 * Cost: one random number and three dependent loads a step; at most half the speed of a walk in lanes.
 */
#include "env/kind.h"
#include "env/walk.h"

/* The last step of the environment; row is ENV_NO_STEP if there was none. */
typedef struct last_step {
    uint32_t row, branch;
} last_step;

static uint64_t walk(const env_walk_graph *graph, const stat_alias_slot *slots, stat_rng *shared,
                     uint64_t steps, env_walk_cursor *cursor, last_step *last)
{
    const env_walk_node *nodes = graph->nodes;
    const unsigned char *watched = cursor->watched;
    stat_rng rng = *shared;
    uint32_t node = cursor->node;
    uint64_t done = 0;
    while (done < steps && node != ENV_UNSEEN && cursor->count < cursor->capacity) {
        const env_walk_node *at = &nodes[node];
        uint32_t link = at->link;
        if (at->row < ENV_END) {
            last->row = at->row;
            last->branch = stat_alias_pick(&slots[at->row], at->width, stat_rng_next(&rng));
            link += last->branch;
        } else if (at->row == ENV_END) {
            break;
        }
        cursor->from = node;
        cursor->taken[cursor->count] = cursor->link = link;
        cursor->count += watched[link];
        node = graph->links[link];
        done++;
    }
    cursor->node = node;
    *shared = rng;
    return done;
}

void env_walk_single(opac_environment *env, const env_walk_graph *graph, uint64_t steps,
                     env_walk_cursor *cursor, opac_observation *observation)
{
    const stat_alias_slot *slots = env->kind->rows(env->self)->slots.items;
    last_step last = {ENV_NO_STEP, 0};
    cursor->steps = walk(graph, slots, env->kind->rng(env->self), steps, cursor, &last);
    if (last.row == ENV_NO_STEP)
        return;
    env->kind->move_to(env->self, last.row, last.branch, observation);
    env->single.actions = observation->actions;
}
