/* SPDX-License-Identifier: MIT */
/*
 * Episodes run ahead, on forks of the environment and on their lanes. Each is run to its end, once,
 * and keeps a track of what it has seen; the tracks are then gone over in the order of episodes, by
 * the code that runs episodes one after the other (step.c), as if the environment gave the same
 * observations now. So all is numbered and counted as if there were no threads.
 *
 *     worker   through pairs that were met before, which it only reads; what is new to it, it meets in
 *              a world of its own, which tells the choices there and where they lead
 *     track    the states that were seen, by number or, of those that are new, as they are
 *
 * The policy does not change on the way, and says also what is done in pairs that it has not
 * met (sample_run_choice_of_new). A worker may go on for
 * longer than the episode is; what a track has more than that is not looked at.
 *
 * All episodes of a round are kept. Of a learner without rounds, those behind one in which a counter
 * became full are dropped: that depends on the episodes before them alone.
 *
 * A request to lanes costs the same, however many of them are busy: so there are at least as many
 * episodes at a time as lanes.
 */
#include <string.h>

#include "sample/step.h"

enum {
    MOST_TAKEN = 1 << 22,   /* steps that all tracks together may keep, about */
    MOST_OUTSIDE = 1 << 16, /* states of a worker's own world, before it is emptied */
    NEW = 1 << 31           /* of what was seen: a place in `news` */
};
static const double longest = 0.04; /* seconds of a batch */

/* ---- tracks ---- */

/* An observation; its key is in `keys` of the track. */
typedef struct news {
    uint64_t letter;
    size_t key, length;
    uint32_t actions;
} news;
BASE_VEC(news_vec, news);

/* An episode that was run ahead. */
struct sample_track {
    base_u32_vec seen;    /* states, from the reset on */
    base_u32_vec actions; /* that were taken, one behind each of them, but for the last */
    news_vec news;
    sample_byte_vec keys;
    opac_error *failure; /* of the environment, behind what was seen; NULL: none */
    size_t used;         /* of what was seen, when it is gone over */
    bool is_whole;       /* it was not broken off */
};

static opac_status keep_news(sample_track *track, const opac_observation *seen, opac_error *error)
{
    news n = {seen->letter, track->keys.count, seen->length, seen->actions};
    TRY(base_u32_vec_push(&track->seen, (uint32_t)NEW | (uint32_t)track->news.count, error));
    TRY(sample_byte_vec_reserve(&track->keys, track->keys.count + seen->length, error));
    if (seen->length > 0)
        memcpy(track->keys.items + track->keys.count, seen->key, seen->length);
    track->keys.count += seen->length;
    return news_vec_push(&track->news, n, error);
}

opac_status sample_track_next(sample_track *track, sample_statistics *stats, uint32_t action,
                              uint32_t *state, opac_error *error)
{
    if (track->used > 0 &&
        (track->used > track->actions.count || track->actions.items[track->used - 1] != action))
        return base_fail(error, OPAC_ERROR_INTERNAL, "an episode is not that of its track");
    if (track->used == track->seen.count)
        return track->failure != NULL
                   ? base_fail(error, track->failure->code, "%s", track->failure->message)
                   : base_fail(error, OPAC_ERROR_INTERNAL, "an episode is longer than its track");
    *state = track->seen.items[track->used++];
    if ((*state & (uint32_t)NEW) == 0)
        return OPAC_OK;
    const news *n = &track->news.items[*state & ~(uint32_t)NEW];
    const opac_observation seen = {.key = track->keys.items + n->key,
                                   .length = n->length,
                                   .letter = n->letter,
                                   .actions = n->actions};
    return sample_statistics_meet(stats, &seen, state, error);
}

/* ---- one episode ---- */

/* One under way. */
typedef struct sample_traveller {
    sample_step *step;
    sample_track *track;        /* NULL: none */
    sample_statistics *outside; /* the worker's own world */
    uint64_t episode;
    uint64_t steps;
    uint32_t product_state;
    uint32_t choice; /* that the environment is asked for */
    uint32_t state;  /* of a pair outside: that of the run's world; SAMPLE_NONE */
    bool is_outside; /* pair and choice are of that world; else of the run's */
    bool is_going;
    sample_visits visits[2]; /* by pair, inside and outside */
} traveller;

static const sample_statistics *world_of(const traveller *t)
{
    return t->is_outside ? t->outside : &t->step->run->stats;
}

/* The state that is seen, if it was seen before, and was the same then. */
static bool recognise(const sample_statistics *stats, const opac_observation *seen, uint32_t *state)
{
    if (!base_intern_find(&stats->keys, seen->length > 0 ? seen->key : "", seen->length, state))
        return false;
    const sample_state *s = &stats->states.items[*state];
    return s->letter == seen->letter && s->actions == seen->actions;
}

/* Into the worker's own world: what is known of the state's actions is known there, too. */
static opac_status step_outside(traveller *t, const opac_observation *seen, uint32_t inside,
                                uint32_t memory, opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    sample_statistics *own = t->outside;
    uint32_t state;
    TRY(sample_statistics_meet(own, seen, &state, error));
    for (uint32_t a = 0; a < seen->actions && inside != SAMPLE_NONE && !stats->count_pairs; a++)
        own->counters.items[sample_statistics_row(own, state, a)].known =
            stats->counters.items[sample_statistics_row(stats, inside, a)].known;
    t->is_outside = true;
    t->state = inside;
    return sample_statistics_product_state(own, state, memory, &t->product_state, error);
}

/* The pair of what is seen, and a memory. */
static opac_status enter(traveller *t, const opac_observation *seen, uint32_t memory,
                         opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state, own;
    bool is_known = recognise(stats, seen, &state);
    TRY(is_known ? base_u32_vec_push(&t->track->seen, state, error)
                 : keep_news(t->track, seen, error));
    t->is_outside = false;
    t->product_state = is_known ? sample_statistics_find(stats, state, memory) : SAMPLE_NONE;
    if (t->product_state != SAMPLE_NONE)
        return OPAC_OK;
    /* A contradiction is told when the track is gone over. */
    const void *key = seen->length > 0 ? seen->key : "";
    bool is_met = base_intern_find(&t->outside->keys, key, seen->length, &own);
    t->is_going = !is_met || recognise(t->outside, seen, &own);
    return t->is_going ? step_outside(t, seen, is_known ? state : SAMPLE_NONE, memory, error)
                       : OPAC_OK;
}

/* A free choice outside may lead back to a pair of the run's world. */
static void follow_free(traveller *t)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state, target = world_of(t)->choices.items[t->choice].target;
    t->product_state = target;
    if (!t->is_outside)
        return;
    const sample_product_state *p = &t->outside->product_states.items[target];
    if (p->state == SAMPLE_NONE)
        return;
    size_t length;
    const unsigned char *key = base_intern_key(&t->outside->keys, p->state, &length);
    if (!base_intern_find(&stats->keys, key, length, &state))
        return;
    uint32_t product_state = sample_statistics_find(stats, state, p->memory);
    if (product_state != SAMPLE_NONE) {
        t->product_state = product_state;
        t->is_outside = false;
    }
}

static bool ends_here(const traveller *t)
{
    const sample_run *run = t->step->run;
    if (!t->is_outside)
        return sample_run_ends_at(run, t->product_state);
    return t->product_state == t->outside->reject || t->product_state == t->outside->sink ||
           sample_run_ends_at(run, SAMPLE_NONE) ||
           (t->state != SAMPLE_NONE && run->round.number > 0 &&
            sample_statistics_is_trap(&run->stats, t->state));
}

static opac_status choose(traveller *t, opac_error *error)
{
    const sample_run *run = t->step->run;
    uint32_t chosen = t->is_outside ? sample_run_choice_of_new(run, t->outside, t->product_state)
                                    : sample_run_choice(run, t->product_state);
    return sample_round_choose(&run->round, world_of(t), &t->visits[t->is_outside], t->episode,
                               t->product_state, chosen, &t->choice, error);
}

/* Free choices, until the environment is to be asked. Those that lead round and round are left
 * after as many steps as there are pairs. */
static opac_status settle(traveller *t, opac_error *error)
{
    const sample_run *run = t->step->run;
    uint64_t most = run->stats.product_states.count + t->outside->product_states.count;
    for (uint64_t i = 0; t->is_going && t->steps < run->horizon && i <= most; i++) {
        if (ends_here(t))
            break;
        TRY(choose(t, error));
        const sample_choice *c = &world_of(t)->choices.items[t->choice];
        if (!sample_choice_is_free(c))
            return c->action != SAMPLE_NONE
                       ? base_u32_vec_push(&t->track->actions, c->action, error)
                       : OPAC_OK;
        follow_free(t);
        t->steps++;
    }
    t->is_going = false;
    return OPAC_OK;
}

/* Behind the step that was asked for. */
static opac_status arrive(traveller *t, const opac_observation *seen, opac_error *error)
{
    t->steps++;
    TRY(enter(t, seen, world_of(t)->choices.items[t->choice].memory, error));
    TRY(settle(t, error));
    t->track->is_whole = !t->is_going;
    return OPAC_OK;
}

/* Behind the reset. One that is random is the first step. */
static opac_status set_out(traveller *t, const opac_observation *seen, opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state;
    bool is_known = recognise(stats, seen, &state);
    t->product_state = stats->start;
    t->is_outside = false;
    TRY(settle(t, error));
    if (t->is_going && stats->choices.items[t->choice].action == SAMPLE_NONE)
        return arrive(t, seen, error);
    /* Another start than before is told when the track is gone over. */
    t->is_going &= is_known && (stats->reset_row != SAMPLE_NONE || stats->initial == state);
    t->track->is_whole = !t->is_going;
    return is_known ? base_u32_vec_push(&t->track->seen, state, error)
                    : keep_news(t->track, seen, error);
}

static void prepare(traveller *t, uint64_t index)
{
    sample_track *track = &t->step->tracks[index];
    t->track = track;
    t->episode = t->step->run->episodes + index;
    t->steps = 0;
    t->is_going = true;
    sample_visits_begin(&t->visits[0]);
    sample_visits_begin(&t->visits[1]);
    track->seen.count = track->actions.count = 0;
    track->news.count = track->keys.count = track->used = 0;
}

/* ---- one by one ---- */

/* Episodes that are run at the same time: the next `count` ones. */
typedef struct batch {
    sample_step *step;
    uint64_t count;
    unsigned parts;
} batch;

static uint64_t seed_of(const traveller *t)
{
    return env_episode_seed(t->step->run->seed, t->episode);
}

/* What goes wrong is told when the track has come to it. */
static opac_status stop_failed(traveller *t, const opac_error *found, opac_error *error)
{
    t->is_going = false;
    if (found->code == OPAC_ERROR_CANCELLED)
        return OPAC_OK;
    t->track->failure = base_alloc(1, sizeof *found);
    if (t->track->failure == NULL)
        return base_fail_memory(error);
    *t->track->failure = *found;
    return OPAC_OK;
}

static opac_status run_one(traveller *t, opac_environment *env, uint64_t index, opac_error *error)
{
    sample_run *run = t->step->run;
    opac_observation seen;
    opac_error found = {0};
    prepare(t, index);
    if (env_reset(env, seed_of(t), &seen, &found) != OPAC_OK)
        return stop_failed(t, &found, error);
    TRY(set_out(t, &seen, error));
    while (t->is_going && !sample_run_must_stop(run)) {
        uint32_t action = world_of(t)->choices.items[t->choice].action;
        if (env_step(env, action, &seen, &found) != OPAC_OK)
            return stop_failed(t, &found, error);
        TRY(arrive(t, &seen, error));
    }
    return OPAC_OK;
}

/* ---- on lanes ---- */

typedef struct lanes {
    uint32_t count;
    traveller *travellers; /* the worker's */
    opac_lane_request *orders;
    opac_observation *seen;
} lanes;

static void lanes_fini(lanes *l)
{
    base_free(l->orders);
    base_free(l->seen);
}

static opac_status lanes_init(lanes *l, uint32_t count, traveller *travellers, opac_error *error)
{
    *l = (lanes){.count = count, .travellers = travellers};
    l->orders = base_alloc_zeroed(count, sizeof *l->orders);
    l->seen = base_alloc_zeroed(count, sizeof *l->seen);
    if (l->orders != NULL && l->seen != NULL)
        return OPAC_OK;
    lanes_fini(l);
    return base_fail_memory(error);
}

/* Orders for the next request; idle lanes reset for nothing. False: all are idle. */
static bool order(lanes *l, uint64_t *next, uint64_t end)
{
    bool is_busy = false;
    for (uint32_t i = 0; i < l->count; i++) {
        traveller *t = &l->travellers[i];
        if (t->is_going) {
            l->orders[i] =
                (opac_lane_request){.action = world_of(t)->choices.items[t->choice].action};
        } else {
            t->track = NULL;
            if (*next < end)
                prepare(t, (*next)++);
            l->orders[i] = (opac_lane_request){.is_reset = true, .seed = seed_of(t)};
        }
        is_busy |= t->track != NULL;
    }
    return is_busy;
}

/* A request to all lanes. If it fails, so it is told for each that was under way. */
static opac_status ask(lanes *l, opac_environment *env, bool *is_well, opac_error *error)
{
    opac_error found = {0};
    *is_well = env_step_many(env, l->orders, l->seen, &found) == OPAC_OK;
    for (uint32_t i = 0; i < l->count; i++) {
        traveller *t = &l->travellers[i];
        if (t->track == NULL)
            continue;
        if (!*is_well)
            TRY(stop_failed(t, &found, error));
        else
            TRY(l->orders[i].is_reset ? set_out(t, &l->seen[i], error)
                                      : arrive(t, &l->seen[i], error));
    }
    return OPAC_OK;
}

static opac_status run_lanes(const batch *b, unsigned worker, uint64_t first, uint64_t end,
                             opac_error *error)
{
    opac_environment *env = b->step->run->forks[worker];
    lanes l;
    uint64_t next = first;
    bool is_well = true;
    opac_status status = OPAC_OK;
    TRY(lanes_init(&l, b->step->traits.lanes, b->step->workers[worker].travellers, error));
    for (uint32_t i = 0; i < l.count; i++)
        l.travellers[i].is_going = false;
    while (status == OPAC_OK && is_well && order(&l, &next, end) &&
           !sample_run_must_stop(b->step->run))
        status = ask(&l, env, &is_well, error);
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
        TRY(run_one(b->step->workers[worker].travellers, b->step->run->forks[worker], i, error));
    return OPAC_OK;
}

/* Many small parts, so that no thread waits for a slow one; lanes want long ones. */
static unsigned choose_parts(const sample_step *step, uint64_t n)
{
    uint64_t parts = step->traits.lanes > 1 ? step->threads : 8 * (uint64_t)step->threads;
    return (unsigned)(parts < n ? parts : n);
}

/* n tracks of episodes that were not run. */
static opac_status make_tracks(sample_step *step, uint64_t n, opac_error *error)
{
    for (size_t i = 0; i < step->track_count && i < n; i++) {
        base_free(step->tracks[i].failure);
        step->tracks[i].failure = NULL;
        step->tracks[i].is_whole = false;
    }
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

/* A world beside the run's, which has not met anything. */
static opac_status make_outside(sample_worker *worker, const sample_run *run, opac_error *error)
{
    if (worker->outside.move_table != NULL && worker->outside.states.count <= MOST_OUTSIDE)
        return OPAC_OK;
    sample_statistics_fini(&worker->outside);
    return sample_statistics_init_beside(&worker->outside, &run->stats, error);
}

static opac_status make_travellers(sample_step *step, sample_worker *worker, opac_error *error)
{
    TRY(make_outside(worker, step->run, error));
    if (worker->travellers != NULL)
        return OPAC_OK;
    worker->travellers = base_alloc_zeroed(step->traits.lanes, sizeof *worker->travellers);
    if (worker->travellers == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < step->traits.lanes; i++) {
        worker->travellers[i].step = step;
        worker->travellers[i].outside = &worker->outside;
    }
    return OPAC_OK;
}

static void free_worker(sample_worker *worker, uint32_t count)
{
    for (uint32_t i = 0; i < count && worker->travellers != NULL; i++) {
        base_u64_vec_fini(&worker->travellers[i].visits[0].product_states);
        base_u64_vec_fini(&worker->travellers[i].visits[1].product_states);
    }
    base_free(worker->travellers);
    sample_statistics_fini(&worker->outside);
}

void sample_step_ahead_fini(sample_step *step)
{
    for (size_t i = 0; i < step->track_count; i++) {
        base_free(step->tracks[i].failure);
        base_u32_vec_fini(&step->tracks[i].seen);
        base_u32_vec_fini(&step->tracks[i].actions);
        news_vec_fini(&step->tracks[i].news);
        sample_byte_vec_fini(&step->tracks[i].keys);
    }
    base_free(step->tracks);
    for (unsigned i = 0; i < step->threads && step->workers != NULL; i++)
        free_worker(&step->workers[i], step->traits.lanes);
}

static opac_status run_batch(sample_step *step, uint64_t n, opac_error *error)
{
    batch b = {step, n, choose_parts(step, n)};
    TRY(make_tracks(step, n, error));
    for (unsigned i = 0; i < step->threads; i++)
        TRY(make_travellers(step, &step->workers[i], error));
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
    uint64_t wanted = size < places ? places : size;
    return sample_step_fit(step, wanted < most ? wanted : most);
}

/* The tracks in their order, up to the first that was broken off. */
static opac_status go_over(sample_step *step, uint64_t n, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < n && status == OPAC_OK && !sample_step_is_over(step); i++) {
        step->track = &step->tracks[i];
        if (!step->track->is_whole && step->track->failure == NULL)
            break;
        status = sample_step_episode(step, error);
    }
    step->track = NULL;
    return status;
}

opac_status sample_step_ahead(sample_step *step, opac_error *error)
{
    uint64_t size = 1;
    while (!sample_step_is_over(step)) {
        double before = opac_clock_seconds();
        uint64_t n = choose_size(step, size);
        if (n == 1 || step->run->stats.start == SAMPLE_NONE) {
            TRY(sample_step_episode(step, error));
        } else {
            TRY(run_batch(step, n, error));
            TRY(go_over(step, n, error));
            size = n;
        }
        size = opac_clock_seconds() - before > longest ? (size + 1) / 2 : 2 * size;
        size = size < MOST_TAKEN ? size : MOST_TAKEN;
        sample_step_tell(step);
    }
    return OPAC_OK;
}
