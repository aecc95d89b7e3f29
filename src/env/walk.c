/* SPDX-License-Identifier: MIT */
/*
 * Walks several episodes in parallel lanes of one thread. A tick advances every lane by one step of the
 * environment:
 *
 *     draws    a random number for each lane
 *     steps    lane by lane: node ► slot ► link ► node; no lane depends on another
 *     counts   at the end, when the followed links of all lanes are known: a counter is loaded and
 *              stored, and a store whose address is not known yet delays the loads of later lanes
 *
 * The lanes are unrolled by macros: each has instructions of its own, so that the processor does not
 * predict a dependence between the node that one lane stores and the node that the next one loads. (In a
 * loop over the lanes, eight lanes are no faster than one.)
 *
 * Rare cases are kept out of the tick. Lanes are inspected between ticks only, when the first of them has
 * used up its steps (`stop`). Nodes without a step of the environment are handled by settle(): it follows
 * nodes of kind ENV_NO_STEP, and begins the next episode in a lane whose episode has ended, or parks the
 * lane if there is no further episode. When the first lane is parked, ticks end, and the other episodes are
 * finished one by one. While no episode ends early, all lanes end at the same time, and all branches are
 * predicted correctly.
 */
#include "env/walk.h"

#include <string.h>

#include "env/kind.h"

#if defined(__GNUC__) || defined(__clang__)
#define UNLIKELY(condition) __builtin_expect((condition), 0)
#else
#define UNLIKELY(condition) (condition)
#endif

/* More lanes do not reduce the time of loads further, and take longer to begin and end. */
#define LANES           8
#define EACH_LANE(todo) todo(0) todo(1) todo(2) todo(3) todo(4) todo(5) todo(6) todo(7)

/* Limit on the steps of an episode, so that the clock does not overflow; it is never reached in practice. */
static const uint64_t longest = UINT64_C(1) << 62;

typedef struct walker {
    /* By lane. The random number generators are stored word by word. */
    uint64_t words[4][LANES];
    uint64_t draw[LANES];
    uint32_t node[LANES];
    uint64_t *taken[LANES];  /* the counter of the link followed in this tick */
    uint64_t end[LANES];     /* the clock at which its steps are used up; 0: parked */
    uint64_t episode[LANES]; /* number of its episode */

    uint64_t clock; /* ticks, from 1 */
    uint64_t stop;  /* the tick before which lanes must be inspected */
    uint64_t idle;  /* the counter of parked lanes, not used */

    const env_walk_graph *graph;
    const stat_alias_slot *slots;
    uint64_t *counters;
    uint64_t length;     /* of an episode */
    uint64_t next, last; /* episodes that have not begun: next … last-1 */
    uint64_t steps;
    uint64_t unseen; /* the first episode that reached an unseen link */
} walker;

static inline uint32_t link_of(const env_walk_node *at, const stat_alias_slot *slots, uint64_t draw)
{
    return at->link + stat_alias_pick(&slots[at->row], at->width, draw);
}

/* ---- rare cases ---- */

static void park(walker *w, uint32_t lane)
{
    w->end[lane] = 0;
    w->stop = w->clock;
    w->taken[lane] = &w->idle;
}

static void put_rng(walker *w, uint32_t lane, const stat_rng *rng)
{
    for (int i = 0; i < 4; i++)
        w->words[i][lane] = rng->word[i];
}

static stat_rng get_rng(const walker *w, uint32_t lane)
{
    return (stat_rng){{w->words[0][lane], w->words[1][lane], w->words[2][lane], w->words[3][lane]}};
}

/* Begins the next episode in a lane; parks the lane and returns false if there is none. */
static bool begin(walker *w, uint32_t lane)
{
    stat_rng rng;
    if (w->next == w->last) {
        park(w, lane);
        return false;
    }
    stat_rng_init(&rng, env_episode_seed(w->graph->seed, w->next), 0);
    put_rng(w, lane, &rng);
    w->episode[lane] = w->next++;
    w->node[lane] = w->graph->start;
    w->end[lane] = w->clock + w->length;
    return true;
}

/* Ends an episode at an unseen link. Since the lane is parked, ticks end, and only earlier episodes are
 * finished. */
static void stop_at_unseen(walker *w, uint32_t lane)
{
    if (w->episode[lane] < w->unseen)
        w->unseen = w->episode[lane];
    park(w, lane);
}

/* Follows a node of kind ENV_NO_STEP, which shortens the episode by one tick. False: at an unseen link. */
static bool follow_no_step(walker *w, uint32_t lane, const env_walk_node *at)
{
    uint32_t next = w->graph->links[at->link];
    w->counters[at->link]++;
    if (next == ENV_UNSEEN) {
        stop_at_unseen(w, lane);
        return false;
    }
    w->node[lane] = next;
    w->end[lane]--;
    if (w->end[lane] < w->stop)
        w->stop = w->end[lane];
    return true;
}

/* Begins the next episode in a lane during a tick. */
static bool begin_in_tick(walker *w, uint32_t lane)
{
    w->steps += w->length - (w->end[lane] - w->clock);
    if (!begin(w, lane))
        return false;
    stat_rng rng = get_rng(w, lane);
    w->draw[lane] = stat_rng_next(&rng);
    put_rng(w, lane, &rng);
    return true;
}

/*
 * Moves a lane from a node without a step of the environment to the next node with one, possibly in another
 * episode. False: the lane is parked.
 */
static bool settle(walker *w, uint32_t lane)
{
    for (;;) {
        const env_walk_node *at = &w->graph->nodes[w->node[lane]];
        bool is_over = w->end[lane] <= w->clock || at->row == ENV_END, goes_on;
        if (!is_over && at->row != ENV_NO_STEP)
            return true;
        goes_on = is_over ? begin_in_tick(w, lane) : follow_no_step(w, lane, at);
        if (!goes_on)
            return false;
    }
}

/* ---- ticks ---- */

/* As stat_rng_next, for all lanes. */
static inline void draw_all(walker *w)
{
    for (uint32_t i = 0; i < LANES; i++) {
        stat_rng rng = get_rng(w, i);
        w->draw[i] = stat_rng_next(&rng);
        put_rng(w, i, &rng);
    }
}

static void tick_until_stop(walker *w)
{
    const env_walk_node *nodes = w->graph->nodes;
    const uint32_t *links = w->graph->links;
    const stat_alias_slot *slots = w->slots;
    uint64_t *counters = w->counters;
#define STEP(lane)                                                                                 \
    do {                                                                                           \
        const env_walk_node *at = &nodes[w->node[lane]];                                           \
        if (UNLIKELY(at->row >= ENV_END)) {                                                        \
            if (!settle(w, lane))                                                                  \
                break;                                                                             \
            at = &nodes[w->node[lane]];                                                            \
        }                                                                                          \
        uint32_t link = link_of(at, slots, w->draw[lane]);                                         \
        w->taken[lane] = &counters[link];                                                          \
        w->node[lane] = links[link];                                                               \
        if (UNLIKELY(w->node[lane] == ENV_UNSEEN))                                                 \
            stop_at_unseen(w, lane);                                                               \
    } while (0);
#define COUNT(lane) ++*w->taken[lane];
    while (w->clock < w->stop) {
        draw_all(w);
        EACH_LANE(STEP)
        EACH_LANE(COUNT)
        w->clock++;
    }
#undef STEP
#undef COUNT
}

/* ---- between ticks ---- */

/* Begins the next episode in lanes whose steps are used up; false if a lane is parked. */
static bool restart_lanes(walker *w)
{
    bool is_full = true;
    w->stop = UINT64_MAX;
    for (uint32_t i = 0; i < LANES; i++) {
        if (w->end[i] != 0 && w->end[i] == w->clock) {
            w->steps += w->length;
            begin(w, i);
        }
        is_full &= w->end[i] != 0;
        if (w->end[i] < w->stop)
            w->stop = w->end[i];
    }
    return is_full;
}

/* Finishes an episode, unless an earlier one has reached an unseen link. */
static void finish(walker *w, uint32_t lane)
{
    stat_rng rng = get_rng(w, lane);
    uint64_t left = w->end[lane] - w->clock;
    for (; left > 0 && w->episode[lane] < w->unseen; left--) {
        const env_walk_node *at = &w->graph->nodes[w->node[lane]];
        if (at->row == ENV_END)
            break;
        uint32_t link =
            at->row == ENV_NO_STEP ? at->link : link_of(at, w->slots, stat_rng_next(&rng));
        w->counters[link]++;
        w->node[lane] = w->graph->links[link];
        if (w->node[lane] == ENV_UNSEEN)
            stop_at_unseen(w, lane);
    }
    w->steps += w->length - left;
}

void env_walk(const opac_environment *env, const env_walk_graph *graph, uint64_t first,
              uint64_t count, uint64_t *counters, uint64_t *steps, uint64_t *unseen)
{
    walker w;
    memset(&w, 0, sizeof w);
    w.graph = graph;
    w.slots = env->kind->rows(env->self)->slots.items;
    w.counters = counters;
    w.length = graph->steps < longest ? graph->steps : longest;
    w.next = first;
    w.last = w.length > 0 ? first + count : first;
    w.unseen = UINT64_MAX;
    w.clock = 1;
    for (uint32_t i = 0; i < LANES; i++)
        begin(&w, i);
    while (restart_lanes(&w))
        tick_until_stop(&w);
    for (uint32_t i = 0; i < LANES; i++)
        if (w.end[i] != 0)
            finish(&w, i);
    *steps += w.steps;
    *unseen = w.unseen;
}
