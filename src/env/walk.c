/* SPDX-License-Identifier: MIT */
/*
 * Several episodes side by side, in lanes. A tick takes every lane one step of
 * the environment further:
 *
 *     draws    a number for each lane
 *     steps    lane by lane: node ► slot ► link ► node; nothing of one lane waits for another
 *     counts   at the end, when all the links that were taken are known: a counter is read and
 *              written, and a processor that sees the write before it knows the place
 *              holds back the loads of the lanes behind
 *
 * The lanes are written out, not looped over: each has instructions of its own,
 * so that the processor does not take the node that one lane has just stored for
 * what the next one waits for. (Looped over, eight lanes are no faster than one.)
 *
 * What is rare is kept out of the tick: lanes are looked at between ticks only,
 * when the first of them has used up its steps (`stop`), and nodes that take no
 * step of the environment leave by one branch, to settle(). There free nodes are
 * passed, and an episode that is over makes place for the next one; a lane for
 * which there is no other is parked. As soon as one is parked, the others
 * finish their episodes one by one. While no episode ends early, all lanes end
 * together and all branches are predicted right.
 */
#include "env/walk.h"

#include <string.h>

#include "env/kind.h"

#if defined(__GNUC__) || defined(__clang__)
#define RARELY(condition) __builtin_expect((condition), 0)
#else
#define RARELY(condition) (condition)
#endif

/* More lanes hide no more of the loads' time, and cost more to begin and to end. */
#define LANES           8
#define EACH_LANE(todo) todo(0) todo(1) todo(2) todo(3) todo(4) todo(5) todo(6) todo(7)

/* More steps than anybody lives to see, so that the clock does not overflow. */
static const uint64_t longest = UINT64_C(1) << 62;

typedef struct walker {
    /* By lane. The generators lie word by word. */
    uint64_t words[4][LANES];
    uint64_t draw[LANES];
    uint32_t node[LANES];
    uint64_t *taken[LANES];  /* the counter of the link that the tick took */
    uint64_t end[LANES];     /* when, by the clock, its steps are used up; 0: parked */
    uint64_t episode[LANES]; /* that it walks */

    uint64_t clock; /* ticks, from 1 */
    uint64_t stop;  /* the tick before which lanes are to be looked at */
    uint64_t idle;  /* what parked lanes count */

    const env_walk_graph *map;
    const stat_alias_slot *slots;
    uint64_t *counters;
    uint64_t length;     /* of an episode */
    uint64_t next, last; /* episodes that nobody has begun: next … last-1 */
    uint64_t steps;
    uint64_t gap; /* the first episode that met one */
} walker;

static inline uint32_t link_of(const env_walk_node *at, const stat_alias_slot *slots, uint64_t draw)
{
    return at->link + stat_alias_pick(&slots[at->row], at->width, draw);
}

/* ---- rarely ---- */

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

/* The next episode; false: there is none, and the lane is parked. */
static bool begin(walker *w, uint32_t lane)
{
    stat_rng rng;
    if (w->next == w->last) {
        park(w, lane);
        return false;
    }
    stat_rng_init(&rng, env_episode_seed(w->map->seed, w->next), 0);
    put_rng(w, lane, &rng);
    w->episode[lane] = w->next++;
    w->node[lane] = w->map->start;
    w->end[lane] = w->clock + w->length;
    return true;
}

/* With a lane parked no more ticks come: what is left is to finish earlier episodes. */
static void meet_gap(walker *w, uint32_t lane)
{
    if (w->episode[lane] < w->gap)
        w->gap = w->episode[lane];
    park(w, lane);
}

/* Passes a free node: the episode is one tick shorter. False: there was a gap. */
static bool pass(walker *w, uint32_t lane, const env_walk_node *at)
{
    uint32_t next = w->map->links[at->link];
    w->counters[at->link]++;
    if (next == ENV_UNSEEN) {
        meet_gap(w, lane);
        return false;
    }
    w->node[lane] = next;
    w->end[lane]--;
    if (w->end[lane] < w->stop)
        w->stop = w->end[lane];
    return true;
}

/* In the middle of a tick: another episode in the place of one that is over. */
static bool begin_late(walker *w, uint32_t lane)
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
 * The lane is at a node that takes no step of the environment: moves on to one
 * that does, perhaps of another episode. False: the lane is parked.
 */
static bool settle(walker *w, uint32_t lane)
{
    for (;;) {
        const env_walk_node *at = &w->map->nodes[w->node[lane]];
        bool is_over = w->end[lane] <= w->clock || at->row == ENV_END, goes_on;
        if (!is_over && at->row != ENV_NO_STEP)
            return true;
        goes_on = is_over ? begin_late(w, lane) : pass(w, lane, at);
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
    const env_walk_node *nodes = w->map->nodes;
    const uint32_t *links = w->map->links;
    const stat_alias_slot *slots = w->slots;
    uint64_t *counters = w->counters;
#define STEP(lane)                                                                                 \
    do {                                                                                           \
        const env_walk_node *at = &nodes[w->node[lane]];                                           \
        if (RARELY(at->row >= ENV_END)) {                                                          \
            if (!settle(w, lane))                                                                  \
                break;                                                                             \
            at = &nodes[w->node[lane]];                                                            \
        }                                                                                          \
        uint32_t link = link_of(at, slots, w->draw[lane]);                                         \
        w->taken[lane] = &counters[link];                                                          \
        w->node[lane] = links[link];                                                               \
        if (RARELY(w->node[lane] == ENV_UNSEEN))                                                   \
            meet_gap(w, lane);                                                                     \
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

/* Lanes whose steps are used up begin again; false: one is parked. */
static bool look_at_lanes(walker *w)
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

/* The rest of an episode; none is needed that is later than one with a gap. */
static void finish(walker *w, uint32_t lane)
{
    stat_rng rng = get_rng(w, lane);
    uint64_t left = w->end[lane] - w->clock;
    for (; left > 0 && w->episode[lane] < w->gap; left--) {
        const env_walk_node *at = &w->map->nodes[w->node[lane]];
        if (at->row == ENV_END)
            break;
        uint32_t link =
            at->row == ENV_NO_STEP ? at->link : link_of(at, w->slots, stat_rng_next(&rng));
        w->counters[link]++;
        w->node[lane] = w->map->links[link];
        if (w->node[lane] == ENV_UNSEEN)
            meet_gap(w, lane);
    }
    w->steps += w->length - left;
}

void env_walk(const opac_environment *env, const env_walk_graph *map, uint64_t first,
              uint64_t count, uint64_t *counters, uint64_t *steps, uint64_t *gap)
{
    walker w;
    memset(&w, 0, sizeof w);
    w.map = map;
    w.slots = env->kind->rows(env->self)->slots.items;
    w.counters = counters;
    w.length = map->steps < longest ? map->steps : longest;
    w.next = first;
    w.last = w.length > 0 ? first + count : first;
    w.gap = UINT64_MAX;
    w.clock = 1;
    for (uint32_t i = 0; i < LANES; i++)
        begin(&w, i);
    while (look_at_lanes(&w))
        tick_until_stop(&w);
    for (uint32_t i = 0; i < LANES; i++)
        if (w.end[i] != 0)
            finish(&w, i);
    *steps += w.steps;
    *gap = w.gap;
}
