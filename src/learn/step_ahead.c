/* SPDX-License-Identifier: MIT */
/*
 * Episodes run ahead, on forks of the environment and on their lanes. Each goes
 * through states and pairs that were met before, which it only reads, and
 * keeps a track of where it went; the tracks are merged in the order of
 * episodes. One that comes to something new stops there, and is run again, by
 * itself, when its turn has come: so all is numbered as if there were no threads.
 *
 * Between two policies what was met only grows, so tracks behind such an episode
 * still hold. Those behind one in which a counter became full are dropped.
 */
#include "learn/step.h"

enum {
    MOST_TAKEN = 1 << 22 /* steps that all tracks together may keep, about */
};
static const double longest = 0.04; /* seconds of a batch */

/* An episode under way. */
typedef struct traveller {
    learn_step *step;
    learn_track *track; /* NULL: none */
    uint32_t pair;
    uint32_t choice; /* that the environment is asked for */
    bool is_going;
} traveller;

static void stop(traveller *t, bool is_whole)
{
    t->track->is_whole = is_whole;
    t->is_going = false;
}

/* Free choices, until the environment is to be asked. */
static void settle(traveller *t)
{
    const learn_run *run = t->step->run;
    for (; t->track->steps < run->horizon && !learn_run_ends_at(run, t->pair); t->track->steps++) {
        t->choice = learn_run_choice(run, t->pair);
        const learn_choice *c = &run->world.choices.items[t->choice];
        if (!learn_choice_is_free(c))
            return;
        if (learn_run_is_over(run, t->pair))
            break;
        t->pair = c->target;
    }
    stop(t, true);
}

/* One step, as far as it was seen before. */
static opac_status pass(traveller *t, uint32_t state, opac_error *error)
{
    const base_map *ways = &t->step->ways;
    const uint64_t *way = base_map_find(ways, (uint64_t)t->choice << 32 | state);
    if (way == NULL || *way == 0) {
        stop(t, false);
        return OPAC_OK;
    }
    const base_map_entry *entry =
        (const base_map_entry *)((const char *)way - offsetof(base_map_entry, value));
    opac_status status =
        base_u32_vec_push(&t->track->taken, (uint32_t)(entry - ways->entries), error);
    if (status != OPAC_OK)
        return status;
    t->pair = (uint32_t)*way - 1;
    t->track->steps++;
    settle(t);
    return OPAC_OK;
}

/* The state that is seen, if it was seen before, and was the same then. */
static bool recognise(const traveller *t, const opac_observation *seen, uint32_t *state)
{
    const learn_world *world = &t->step->run->world;
    if (!base_intern_find(&world->keys, seen->length > 0 ? seen->key : "", seen->length, state))
        return false;
    const learn_state *s = &world->states.items[*state];
    return s->letter == seen->letter && s->actions == seen->actions;
}

static opac_status arrive(traveller *t, const opac_observation *seen, opac_error *error)
{
    uint32_t state;
    if (recognise(t, seen, &state))
        return pass(t, state, error);
    stop(t, false);
    return OPAC_OK;
}

static opac_status set_out(traveller *t, const opac_observation *seen, opac_error *error)
{
    const learn_world *world = &t->step->run->world;
    uint32_t state;
    t->pair = world->start;
    if (!recognise(t, seen, &state) ||
        (world->reset_row == LEARN_NONE && world->initial != state)) {
        stop(t, false);
        return OPAC_OK;
    }
    settle(t);
    /* A random reset is the first step, and is done. */
    bool is_reset = t->is_going && world->choices.items[t->choice].action == LEARN_NONE;
    return is_reset ? pass(t, state, error) : OPAC_OK;
}

static void prepare(traveller *t, learn_step *step, uint64_t index)
{
    *t = (traveller){.step = step, .track = &step->tracks[index], .is_going = true};
    t->track->taken.count = 0;
    t->track->steps = 0;
    t->track->is_whole = false;
}

/* ---- one by one ---- */

typedef struct batch {
    learn_step *step;
    uint64_t first, count; /* episodes */
    unsigned parts;
} batch;

static uint64_t seed_of(const batch *b, uint64_t index)
{
    return env_episode_seed(b->step->run->seed, b->first + index);
}

/* What goes wrong is told when its turn has come, by the episode that is run again. */
static opac_status run_one(const batch *b, opac_environment *env, uint64_t index, opac_error *error)
{
    const learn_run *run = b->step->run;
    traveller t;
    opac_observation seen;
    prepare(&t, b->step, index);
    opac_status status = env_reset(env, seed_of(b, index), &seen, NULL);
    if (status != OPAC_OK)
        return OPAC_OK;
    status = set_out(&t, &seen, error);
    while (status == OPAC_OK && t.is_going && !opac_cancel_requested(run->cancel)) {
        if (env_step(env, run->world.choices.items[t.choice].action, &seen, NULL) != OPAC_OK)
            return OPAC_OK;
        status = arrive(&t, &seen, error);
    }
    return status;
}

/* ---- on lanes ---- */

typedef struct lanes {
    uint32_t count, going;
    traveller *travellers;
    opac_order *orders;
    opac_observation *seen;
} lanes;

static void lanes_fini(lanes *l)
{
    base_free(l->travellers);
    base_free(l->orders);
    base_free(l->seen);
}

static opac_status lanes_init(lanes *l, uint32_t count, opac_error *error)
{
    *l = (lanes){.count = count};
    l->travellers = base_alloc_zeroed(count, sizeof *l->travellers);
    l->orders = base_alloc_zeroed(count, sizeof *l->orders);
    l->seen = base_alloc_zeroed(count, sizeof *l->seen);
    if (l->travellers != NULL && l->orders != NULL && l->seen != NULL)
        return OPAC_OK;
    lanes_fini(l);
    return base_fail_memory(error);
}

/* Orders for the next round; idle lanes reset for nothing. False: all are idle. */
static bool order(const batch *b, lanes *l, uint64_t *next, uint64_t end)
{
    bool is_busy = false;
    for (uint32_t i = 0; i < l->count; i++) {
        traveller *t = &l->travellers[i];
        if (t->is_going) {
            uint32_t action = b->step->run->world.choices.items[t->choice].action;
            l->orders[i] = (opac_order){.action = action};
        } else {
            uint64_t index = *next < end ? *next : end - 1;
            l->orders[i] = (opac_order){.is_reset = true, .seed = seed_of(b, index)};
            t->track = NULL;
            if (*next < end)
                prepare(t, b->step, (*next)++);
        }
        is_busy |= t->track != NULL;
    }
    return is_busy;
}

static opac_status run_lanes(const batch *b, opac_environment *env, uint64_t first, uint64_t end,
                             opac_error *error)
{
    lanes l;
    uint64_t next = first;
    opac_status status = lanes_init(&l, b->step->traits.lanes, error);
    if (status != OPAC_OK)
        return status;
    for (uint64_t i = first; i < end; i++)
        b->step->tracks[i].is_whole = false;
    while (status == OPAC_OK && order(b, &l, &next, end) &&
           !opac_cancel_requested(b->step->run->cancel)) {
        if (env_step_many(env, l.orders, l.seen, NULL) != OPAC_OK)
            break;
        for (uint32_t i = 0; i < l.count && status == OPAC_OK; i++) {
            traveller *t = &l.travellers[i];
            if (t->track != NULL)
                status = l.orders[i].is_reset ? set_out(t, &l.seen[i], error)
                                              : arrive(t, &l.seen[i], error);
        }
    }
    lanes_fini(&l);
    return status;
}

/* ---- a batch ---- */

static opac_status run_part(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    const batch *b = context;
    uint64_t size = b->count / b->parts, rest = b->count % b->parts;
    uint64_t first = size * index + (index < rest ? index : rest);
    uint64_t end = first + size + (index < rest);
    opac_environment *env = b->step->run->forks[worker];
    opac_status status = OPAC_OK;
    if (b->step->traits.lanes > 1)
        return first < end ? run_lanes(b, env, first, end, error) : OPAC_OK;
    for (uint64_t i = first; i < end && status == OPAC_OK; i++)
        status = run_one(b, env, i, error);
    return status;
}

/* Many small parts, so that no thread waits for a slow one; lanes want long ones. */
static unsigned choose_parts(const learn_step *step, uint64_t n)
{
    uint64_t parts = step->traits.lanes > 1 ? step->threads : 8 * (uint64_t)step->threads;
    return (unsigned)(parts < n ? parts : n);
}

static opac_status make_tracks(learn_step *step, uint64_t n, opac_error *error)
{
    if (n <= step->track_count)
        return OPAC_OK;
    learn_track *tracks = base_alloc_zeroed((size_t)n, sizeof *tracks);
    if (tracks == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < step->track_count; i++)
        tracks[i] = step->tracks[i];
    base_free(step->tracks);
    step->tracks = tracks;
    step->track_count = (size_t)n;
    return OPAC_OK;
}

void learn_step_ahead_fini(learn_step *step)
{
    for (size_t i = 0; i < step->track_count; i++)
        base_u32_vec_fini(&step->tracks[i].taken);
    base_free(step->tracks);
}

static opac_status run_batch(learn_step *step, uint64_t n, opac_error *error)
{
    batch b = {step, step->run->episodes, n, choose_parts(step, n)};
    opac_status status = make_tracks(step, n, error);
    if (status != OPAC_OK)
        return status;
    if (step->threads > 1)
        return base_pool_for(step->run->pool, b.parts, run_part, &b, NULL, error);
    b.parts = 1;
    return run_part(&b, 0, 0, error);
}

/* ---- merging ---- */

static opac_status merge_track(learn_step *step, const learn_track *track, opac_error *error)
{
    learn_world *world = &step->run->world;
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < track->taken.count && status == OPAC_OK; i++) {
        const base_map_entry *way = &step->ways.entries[track->taken.items[i]];
        uint32_t counter = world->choices.items[way->key >> 32].counter;
        if (learn_counter_room(world, counter) > 0)
            status = learn_world_observe(world, counter, (uint32_t)(way->value >> 32), 1, error);
    }
    if (status != OPAC_OK)
        return status;
    step->run->episodes++;
    step->run->steps += track->steps;
    return OPAC_OK;
}

/* In the order of episodes. *news: some met what nobody had seen. */
static opac_status merge(learn_step *step, uint64_t n, bool *news, opac_error *error)
{
    opac_status status = OPAC_OK;
    *news = false;
    for (uint64_t i = 0; i < n && status == OPAC_OK; i++) {
        if (learn_step_is_over(step))
            break;
        if (step->tracks[i].is_whole) {
            status = merge_track(step, &step->tracks[i], error);
        } else {
            status = learn_step_episode(step, error);
            *news |= step->news;
        }
    }
    return status;
}

opac_status learn_step_ahead(learn_step *step, opac_error *error)
{
    opac_status status = OPAC_OK;
    uint64_t size = 1, most = 1 + MOST_TAKEN / step->run->horizon;
    bool news = true;
    while (status == OPAC_OK && !learn_step_is_over(step)) {
        double before = learn_seconds();
        uint64_t n = learn_step_fit(step, size);
        if (n == 1 || step->run->world.start == LEARN_NONE) {
            status = learn_step_episode(step, error);
            news = step->news;
        } else {
            status = run_batch(step, n, error);
            if (status == OPAC_OK)
                status = merge(step, n, &news, error);
        }
        bool is_long = learn_seconds() - before > longest;
        size = is_long || news ? (size + 1) / 2 : 2 * size;
        size = size < most ? size : most;
        learn_step_tell(step);
    }
    return status;
}
