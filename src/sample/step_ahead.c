/* SPDX-License-Identifier: MIT */
/*
 * Episodes run ahead, on forks of the environment and on their lanes. Each goes
 * through states and pairs that were met before, which it only reads, and
 * keeps a track of where it went; the tracks are merged in the order of
 * episodes. One that comes to something new stops there, and is run again, by
 * itself, when its turn has come: so all is numbered as if there were no threads.
 *
 * Between two policies what was met only grows, so tracks behind such an episode
 * still hold. Those behind one in which a counter became full are dropped: that depends on the
 * episodes before them alone.
 *
 * In an eager batch (sample_batch) choices change as rows become complete. A track may have taken
 * another one than it would in its turn: it holds up to there, and the episode is run again.
 *
 * A round of lanes costs the same, however many of them are busy: so there are at least as many
 * episodes in a batch as lanes.
 */
#include "sample/step.h"

enum {
    MOST_TAKEN = 1 << 22 /* steps that all tracks together may keep, about */
};
static const double longest = 0.04; /* seconds of a batch */

/* An episode under way. */
typedef struct traveller {
    sample_step *step;
    sample_track *track; /* NULL: none */
    uint32_t pair;
    uint32_t choice; /* that the environment is asked for */
    bool is_going;
} traveller;

static void stop(traveller *t, sample_track_end end)
{
    t->track->end = end;
    t->is_going = false;
}

static void stop_at(traveller *t, sample_track_end end, const opac_observation *seen)
{
    t->track->news = env_digest(seen);
    t->track->choice = t->choice;
    stop(t, end);
}

/* Free choices, until the environment is to be asked. */
static void settle(traveller *t)
{
    const sample_run *run = t->step->run;
    for (; t->track->steps < run->horizon && !sample_run_ends_at(run, t->pair); t->track->steps++) {
        t->choice = sample_run_choice(run, t->pair);
        const sample_choice *c = &run->world.choices.items[t->choice];
        if (!sample_choice_is_free(c))
            return;
        if (sample_run_is_over(run, t->pair))
            break;
        t->pair = c->target;
    }
    stop(t, SAMPLE_TRACK_WHOLE);
}

/* One step, as far as it was seen before. */
static opac_status pass(traveller *t, uint32_t state, const opac_observation *seen,
                        opac_error *error)
{
    const base_map *ways = &t->step->ways;
    const uint64_t *way = base_map_find(ways, (uint64_t)t->choice << 32 | state);
    if (way == NULL || *way == 0) {
        stop_at(t, SAMPLE_TRACK_NEWS, seen);
        return OPAC_OK;
    }
    const base_map_entry *entry =
        (const base_map_entry *)((const char *)way - offsetof(base_map_entry, value));
    TRY(base_u32_vec_push(&t->track->taken, (uint32_t)(entry - ways->entries), error));
    t->pair = (uint32_t)*way - 1;
    t->track->steps++;
    settle(t);
    return OPAC_OK;
}

static opac_status arrive(traveller *t, const opac_observation *seen, opac_error *error)
{
    uint32_t state;
    if (sample_step_recognise(t->step, seen, &state))
        return pass(t, state, seen, error);
    stop_at(t, SAMPLE_TRACK_NEWS, seen);
    return OPAC_OK;
}

static opac_status set_out(traveller *t, const opac_observation *seen, opac_error *error)
{
    const sample_world *world = &t->step->run->world;
    uint32_t state;
    t->pair = world->start;
    if (!sample_step_recognise(t->step, seen, &state) ||
        (world->reset_row == SAMPLE_NONE && world->initial != state)) {
        stop_at(t, SAMPLE_TRACK_RESET, seen);
        return OPAC_OK;
    }
    settle(t);
    /* A random reset is the first step, and is done. */
    bool is_reset = t->is_going && world->choices.items[t->choice].action == SAMPLE_NONE;
    return is_reset ? pass(t, state, seen, error) : OPAC_OK;
}

static void prepare(traveller *t, sample_step *step, uint64_t index)
{
    *t = (traveller){.step = step, .track = &step->tracks[index], .is_going = true};
    t->track->taken.count = 0;
    t->track->steps = 0;
    t->track->end = SAMPLE_TRACK_IDLE;
}

/* ---- one by one ---- */

typedef struct batch {
    sample_step *step;
    uint64_t first, count; /* episodes */
    unsigned parts;
} batch;

static uint64_t seed_of(const batch *b, uint64_t index)
{
    return env_episode_seed(b->step->run->seed, b->first + index);
}

/*
 * What goes wrong is told when its turn has come, by the episode that is run again. It is kept, so
 * that it is told also if that one goes well.
 */
static bool is_well(const batch *b, unsigned worker, opac_status status, const opac_error *found)
{
    opac_error *failure = &b->step->workers[worker].failure;
    if (status != OPAC_OK && status != OPAC_ERROR_CANCELLED && failure->code == OPAC_OK)
        *failure = *found;
    return status == OPAC_OK;
}

static opac_status run_one(const batch *b, unsigned worker, uint64_t index, opac_error *error)
{
    sample_run *run = b->step->run;
    opac_environment *env = run->forks[worker];
    traveller t;
    opac_observation seen;
    opac_error found = {0};
    prepare(&t, b->step, index);
    if (!is_well(b, worker, env_reset(env, seed_of(b, index), &seen, &found), &found))
        return OPAC_OK;
    TRY(set_out(&t, &seen, error));
    while (t.is_going && !sample_run_must_stop(run)) {
        uint32_t action = run->world.choices.items[t.choice].action;
        if (!is_well(b, worker, env_step(env, action, &seen, &found), &found))
            return OPAC_OK;
        TRY(arrive(&t, &seen, error));
    }
    return OPAC_OK;
}

/* ---- on lanes ---- */

typedef struct lanes {
    uint32_t count;
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

static opac_status run_lanes(const batch *b, unsigned worker, uint64_t first, uint64_t end,
                             opac_error *error)
{
    opac_environment *env = b->step->run->forks[worker];
    opac_error found = {0};
    lanes l;
    uint64_t next = first;
    opac_status status = OPAC_OK;
    TRY(lanes_init(&l, b->step->traits.lanes, error));
    for (uint64_t i = first; i < end; i++)
        b->step->tracks[i].end = SAMPLE_TRACK_IDLE;
    while (order(b, &l, &next, end) && !sample_run_must_stop(b->step->run)) {
        if (!is_well(b, worker, env_step_many(env, l.orders, l.seen, &found), &found))
            break;
        for (uint32_t i = 0; i < l.count; i++) {
            traveller *t = &l.travellers[i];
            if (t->track != NULL)
                TRY_OR(done, l.orders[i].is_reset ? set_out(t, &l.seen[i], error)
                                                  : arrive(t, &l.seen[i], error));
        }
    }
done:
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
    if (b->step->traits.lanes > 1)
        return first < end ? run_lanes(b, worker, first, end, error) : OPAC_OK;
    for (uint64_t i = first; i < end; i++)
        TRY(run_one(b, worker, i, error));
    return OPAC_OK;
}

/* Many small parts, so that no thread waits for a slow one; lanes want long ones. */
static unsigned choose_parts(const sample_step *step, uint64_t n)
{
    uint64_t parts = step->traits.lanes > 1 ? step->threads : 8 * (uint64_t)step->threads;
    return (unsigned)(parts < n ? parts : n);
}

static opac_status make_tracks(sample_step *step, uint64_t n, opac_error *error)
{
    if (n <= step->track_count)
        return OPAC_OK;
    sample_track *tracks = base_alloc_zeroed((size_t)n, sizeof *tracks);
    if (tracks == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < step->track_count; i++)
        tracks[i] = step->tracks[i];
    base_free(step->tracks);
    step->tracks = tracks;
    step->track_count = (size_t)n;
    return OPAC_OK;
}

void sample_step_ahead_fini(sample_step *step)
{
    for (size_t i = 0; i < step->track_count; i++)
        base_u32_vec_fini(&step->tracks[i].taken);
    base_free(step->tracks);
}

static opac_status run_batch(sample_step *step, uint64_t n, opac_error *error)
{
    batch b = {step, step->run->episodes, n, choose_parts(step, n)};
    TRY(make_tracks(step, n, error));
    for (unsigned i = 0; i < step->threads; i++)
        step->workers[i].failure.code = OPAC_OK;
    if (step->threads > 1)
        return base_pool_for(step->run->pool, b.parts, run_part, &b, NULL, error);
    b.parts = 1;
    return run_part(&b, 0, 0, error);
}

/* ---- all of them ---- */

bool sample_step_can_run_ahead(const sample_step *step)
{
    return !step->run->one_by_one && !step->traits.is_tabulated &&
           (step->threads > 1 || step->traits.lanes > 1);
}

/* As many as there are lanes come for the price of one. */
static uint64_t choose_size(const sample_step *step, uint64_t size)
{
    uint64_t places = (uint64_t)step->traits.lanes * step->threads;
    uint64_t most = 1 + MOST_TAKEN / step->run->horizon;
    uint64_t wanted = step->traits.lanes > 1 && size < places ? places : size;
    return sample_step_fit(step, wanted < most ? wanted : most);
}

opac_status sample_step_ahead(sample_step *step, opac_error *error)
{
    uint64_t size = 1;
    bool news = true;
    while (!sample_step_is_over(step)) {
        double before = opac_clock_seconds();
        uint64_t n = choose_size(step, size);
        if (n == 1 || step->run->world.start == SAMPLE_NONE) {
            TRY(sample_step_episode(step, error));
            news = step->news;
        } else {
            TRY(run_batch(step, n, error));
            TRY(sample_step_merge(step, n, &news, error));
            size = n;
        }
        bool is_long = opac_clock_seconds() - before > longest;
        size = is_long || news ? (size + 1) / 2 : 2 * size;
        size = size < MOST_TAKEN ? size : MOST_TAKEN;
        sample_step_tell(step);
    }
    return OPAC_OK;
}
