/* SPDX-License-Identifier: MIT */
/*
 * Runs episodes in parallel, on forks of the environment and on their lanes. Each episode is run once, to
 * its end, and its observations are recorded. The recordings are then replayed in the order of episodes, by
 * the code that runs episodes one after the other (step.c), as if the environment gave the same
 * observations now. So states are numbered and observations counted as without threads.
 *
 *     worker      reads the run's statistics while an episode stays in known product states; what is new is
 *                 added to the worker's local statistics, which provide its choices and their successors
 *     recording   the observed states, and the outcomes of steps if rows are alike: by number if known, else the
 *                 observation itself
 *
 * The policy does not change meanwhile. In product states that it does not know yet, the strategy has a
 * default choice (sample_run_choice_of_new). A worker may continue an episode beyond its end; the surplus
 * of its recording is ignored.
 *
 * All episodes of a round are counted. For a learner without rounds, those after an episode in which a
 * counter became full are dropped. This depends on earlier episodes only, not on what the dropped ones
 * observed.
 *
 * A request to the lanes costs the same for any number of busy lanes, so at least as many episodes as lanes
 * are run at a time.
 */
#include <string.h>

#include "sample/step.h"

enum {
    MOST_RECORDED = 1 << 22,     /* approximate number of steps in all recordings together */
    MOST_LOCAL_STATES = 1 << 16, /* of a worker, before its local statistics are emptied */
    NEW_STATE = 1 << 31,         /* flag in `seen`: the rest is an index in new_states */
    NEW_OUTCOME = 1 << 31        /* flag in `outcomes`: the rest is an index in new_outcomes */
};
static const double longest = 0.04; /* seconds of a batch */

/* ---- recordings ---- */

/* An observation; its key is in `keys` of the recording. */
typedef struct new_state {
    uint64_t letter;
    size_t key, length;
    uint32_t actions;
} new_state;
BASE_VEC(new_state_vec, new_state);

/* A class and an outcome, one after the other in `keys` of the recording. */
typedef struct new_outcome {
    size_t key, class_length, outcome_length;
} new_outcome;
BASE_VEC(new_outcome_vec, new_outcome);

/* The observations of an episode. */
struct sample_recording {
    base_u32_vec seen;     /* states, from the reset on */
    base_u32_vec actions;  /* taken after each of these states except the last */
    base_u32_vec outcomes; /* of the steps, if the statistics keep them */
    new_state_vec new_states;
    new_outcome_vec new_outcomes;
    sample_byte_vec keys;
    opac_error *failure; /* of the environment, after these states; may be NULL */
    size_t used;         /* number of states replayed so far */
    bool is_complete;    /* the episode was not interrupted */
};

static opac_status record_new_state(sample_recording *recording, const opac_observation *seen,
                                    opac_error *error)
{
    new_state n = {seen->letter, recording->keys.count, seen->length, seen->actions};
    TRY(base_u32_vec_push(&recording->seen,
                          (uint32_t)NEW_STATE | (uint32_t)recording->new_states.count, error));
    TRY(sample_byte_vec_reserve(&recording->keys, recording->keys.count + seen->length, error));
    if (seen->length > 0)
        memcpy(recording->keys.items + recording->keys.count, seen->key, seen->length);
    recording->keys.count += seen->length;
    return new_state_vec_push(&recording->new_states, n, error);
}

static opac_status add_bytes(sample_byte_vec *bytes, const void *added, size_t length,
                             opac_error *error)
{
    TRY(sample_byte_vec_reserve(bytes, bytes->count + length, error));
    memcpy(bytes->items + bytes->count, added, length);
    bytes->count += length;
    return OPAC_OK;
}

/* Records the outcome of a step if the statistics keep it. */
static opac_status record_outcome(sample_recording *recording, const sample_statistics *stats,
                                  const opac_observation *seen, opac_error *error)
{
    uint32_t outcome;
    if (stats->classes == NULL || seen->outcome == NULL)
        return OPAC_OK;
    if (sample_classes_find(stats->classes, seen, &outcome))
        return base_u32_vec_push(&recording->outcomes, outcome, error);
    new_outcome n = {recording->keys.count, seen->row_class_length, seen->outcome_length};
    outcome = (uint32_t)NEW_OUTCOME | (uint32_t)recording->new_outcomes.count;
    TRY(add_bytes(&recording->keys, seen->row_class, seen->row_class_length, error));
    TRY(add_bytes(&recording->keys, seen->outcome, seen->outcome_length, error));
    TRY(new_outcome_vec_push(&recording->new_outcomes, n, error));
    return base_u32_vec_push(&recording->outcomes, outcome, error);
}

/* The outcome of the step to the current state. */
static opac_status next_outcome(const sample_recording *recording, sample_statistics *stats,
                                uint32_t *outcome, opac_error *error)
{
    *outcome = recording->outcomes.items[recording->used - 1];
    if ((*outcome & (uint32_t)NEW_OUTCOME) == 0)
        return OPAC_OK;
    const new_outcome *n = &recording->new_outcomes.items[*outcome & ~(uint32_t)NEW_OUTCOME];
    const unsigned char *key = recording->keys.items + n->key;
    const opac_observation seen = {.row_class = key,
                                   .row_class_length = n->class_length,
                                   .outcome = key + n->class_length,
                                   .outcome_length = n->outcome_length};
    return sample_classes_add(stats->classes, &seen, outcome, error);
}

opac_status sample_recording_next(sample_recording *recording, sample_statistics *stats,
                                  uint32_t action, uint32_t *state, uint32_t *outcome,
                                  opac_error *error)
{
    if (recording->used > 0 && (recording->used > recording->actions.count ||
                                recording->actions.items[recording->used - 1] != action))
        return base_fail(error, OPAC_ERROR_INTERNAL, "an episode differs from its recording");
    if (recording->used == recording->seen.count)
        return recording->failure != NULL
                   ? base_fail(error, recording->failure->code, "%s", recording->failure->message)
                   : base_fail(error, OPAC_ERROR_INTERNAL,
                               "an episode is longer than its recording");
    if (recording->used > 0 && stats->classes != NULL)
        TRY(next_outcome(recording, stats, outcome, error));
    *state = recording->seen.items[recording->used++];
    if ((*state & (uint32_t)NEW_STATE) == 0)
        return OPAC_OK;
    const new_state *n = &recording->new_states.items[*state & ~(uint32_t)NEW_STATE];
    const opac_observation seen = {.key = recording->keys.items + n->key,
                                   .length = n->length,
                                   .letter = n->letter,
                                   .actions = n->actions};
    return sample_statistics_add_state(stats, &seen, state, error);
}

/* ---- one episode ---- */

/* An episode in progress. */
typedef struct sample_active_episode {
    sample_step *step;
    sample_recording *recording; /* NULL if the lane is idle */
    sample_statistics *local;    /* of the worker */
    uint64_t episode;
    uint64_t steps;
    uint32_t product_state;
    uint32_t choice; /* that the environment takes next */
    uint32_t state;  /* of a local product state: its number in the run's statistics; SAMPLE_NONE */
    bool is_local;   /* product_state and choice belong to `local`, else to the run's statistics */
    bool is_going;
    sample_visits visits[2]; /* in the run's and in the local statistics */
} active_episode;

static const sample_statistics *statistics_of(const active_episode *t)
{
    return t->is_local ? t->local : &t->step->run->stats;
}

/* Finds an observed state that is known, with the same letter and actions. */
static bool find_known_state(const sample_statistics *stats, const opac_observation *seen,
                             uint32_t *state)
{
    if (!base_intern_find(&stats->keys, seen->length > 0 ? seen->key : "", seen->length, state))
        return false;
    const sample_state *s = &stats->states.items[*state];
    return s->letter == seen->letter && s->actions == seen->actions;
}

/* Continues in the local statistics. Actions of the state that are known in the run's are known there too. */
static opac_status enter_local(active_episode *t, const opac_observation *seen, uint32_t inside,
                               uint32_t memory, opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    sample_statistics *own = t->local;
    uint32_t state;
    TRY(sample_statistics_add_state(own, seen, &state, error));
    for (uint32_t a = 0; a < seen->actions && inside != SAMPLE_NONE && !stats->count_pairs; a++) {
        sample_counter *to = &own->counters.items[sample_statistics_row(own, state, a)];
        const sample_counter *from =
            &stats->counters.items[sample_statistics_row(stats, inside, a)];
        to->known = from->known;
        to->wanted = from->wanted;
    }
    t->is_local = true;
    t->state = inside;
    return sample_statistics_product_state(own, state, memory, &t->product_state, error);
}

/* Records an observed state, and continues in its product state with a memory. */
static opac_status enter_state(active_episode *t, const opac_observation *seen, uint32_t memory,
                               opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state, own;
    bool is_known = find_known_state(stats, seen, &state);
    TRY(is_known ? base_u32_vec_push(&t->recording->seen, state, error)
                 : record_new_state(t->recording, seen, error));
    t->is_local = false;
    t->product_state = is_known ? sample_statistics_find(stats, state, memory) : SAMPLE_NONE;
    if (t->product_state != SAMPLE_NONE)
        return OPAC_OK;
    /* A contradictory observation ends the episode; it is reported when the recording is replayed. */
    const void *key = seen->length > 0 ? seen->key : "";
    bool is_met = base_intern_find(&t->local->keys, key, seen->length, &own);
    t->is_going = !is_met || find_known_state(t->local, seen, &own);
    return t->is_going ? enter_local(t, seen, is_known ? state : SAMPLE_NONE, memory, error)
                       : OPAC_OK;
}

/* Takes a free choice. From a local product state it may lead back to one of the run's statistics. */
static void follow_free(active_episode *t)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state, target = statistics_of(t)->choices.items[t->choice].target;
    t->product_state = target;
    if (!t->is_local)
        return;
    const sample_product_state *p = &t->local->product_states.items[target];
    if (p->state == SAMPLE_NONE)
        return;
    size_t length;
    const unsigned char *key = base_intern_key(&t->local->keys, p->state, &length);
    if (!base_intern_find(&stats->keys, key, length, &state))
        return;
    uint32_t product_state = sample_statistics_find(stats, state, p->memory);
    if (product_state != SAMPLE_NONE) {
        t->product_state = product_state;
        t->is_local = false;
    }
}

static bool ends_here(const active_episode *t)
{
    const sample_run *run = t->step->run;
    if (!t->is_local)
        return sample_run_ends_at(run, t->product_state);
    return t->product_state == t->local->reject || t->product_state == t->local->sink ||
           sample_run_ends_at(run, SAMPLE_NONE) || sample_run_ends_in(run, t->state);
}

static opac_status choose(active_episode *t, opac_error *error)
{
    const sample_run *run = t->step->run;
    uint32_t chosen = t->is_local
                          ? sample_run_choice_of_new(run, t->local, t->product_state)
                          : sample_run_choice_at(run, t->product_state, run->horizon - t->steps);
    return sample_round_choose(&run->round, statistics_of(t), &t->visits[t->is_local], t->episode,
                               t->product_state, chosen, &t->choice, error);
}

/* Takes free choices until the environment must be stepped. In a cycle of free choices the episode ends after
 * as many steps as there are product states. */
static opac_status follow_free_choices(active_episode *t, opac_error *error)
{
    const sample_run *run = t->step->run;
    uint64_t most = run->stats.product_states.count + t->local->product_states.count;
    for (uint64_t i = 0; t->is_going && t->steps < run->horizon && i <= most; i++) {
        if (ends_here(t))
            break;
        TRY(choose(t, error));
        if (t->choice == SAMPLE_NONE)
            break;
        const sample_choice *c = &statistics_of(t)->choices.items[t->choice];
        if (!sample_choice_is_free(c))
            return c->action != SAMPLE_NONE
                       ? base_u32_vec_push(&t->recording->actions, c->action, error)
                       : OPAC_OK;
        follow_free(t);
        t->steps++;
    }
    t->is_going = false;
    return OPAC_OK;
}

/* Processes the observation of a step. */
static opac_status after_step(active_episode *t, const opac_observation *seen, opac_error *error)
{
    t->steps++;
    TRY(record_outcome(t->recording, &t->step->run->stats, seen, error));
    TRY(enter_state(t, seen, statistics_of(t)->choices.items[t->choice].memory, error));
    TRY(follow_free_choices(t, error));
    t->recording->is_complete = !t->is_going;
    return OPAC_OK;
}

/* Processes the observation of the reset. A random reset is the first step. */
static opac_status after_reset(active_episode *t, const opac_observation *seen, opac_error *error)
{
    const sample_statistics *stats = &t->step->run->stats;
    uint32_t state;
    bool is_known = find_known_state(stats, seen, &state);
    t->product_state = stats->start;
    t->is_local = false;
    TRY(follow_free_choices(t, error));
    if (t->is_going && stats->choices.items[t->choice].action == SAMPLE_NONE)
        return after_step(t, seen, error);
    /* A different start ends the episode; it is reported when the recording is replayed. */
    t->is_going &= is_known && (stats->reset_row != SAMPLE_NONE || stats->initial == state);
    t->recording->is_complete = !t->is_going;
    return is_known ? base_u32_vec_push(&t->recording->seen, state, error)
                    : record_new_state(t->recording, seen, error);
}

static void begin_episode(active_episode *t, uint64_t index)
{
    sample_recording *recording = &t->step->recordings[index];
    t->recording = recording;
    t->episode = t->step->run->episodes + index;
    t->steps = 0;
    t->is_going = true;
    sample_visits_begin(&t->visits[0]);
    sample_visits_begin(&t->visits[1]);
    recording->seen.count = recording->actions.count = recording->outcomes.count = 0;
    recording->new_outcomes.count = 0;
    recording->new_states.count = recording->keys.count = recording->used = 0;
}

/* ---- without lanes ---- */

/* The next `count` episodes, which are run in parallel. */
typedef struct batch {
    sample_step *step;
    uint64_t count;
    unsigned parts;
} batch;

static uint64_t seed_of(const active_episode *t)
{
    return env_episode_seed(t->step->run->seed, t->episode);
}

/* Records a failure of the environment; it is reported when the recording is replayed. */
static opac_status record_failure(active_episode *t, const opac_error *found, opac_error *error)
{
    t->is_going = false;
    if (found->code == OPAC_ERROR_CANCELLED)
        return OPAC_OK;
    t->recording->failure = base_alloc(1, sizeof *found);
    if (t->recording->failure == NULL)
        return base_fail_memory(error);
    *t->recording->failure = *found;
    return OPAC_OK;
}

static opac_status run_episode(active_episode *t, opac_environment *env, uint64_t index,
                               opac_error *error)
{
    sample_run *run = t->step->run;
    opac_observation seen;
    opac_error found = {0};
    begin_episode(t, index);
    if (env_reset(env, seed_of(t), &seen, &found) != OPAC_OK)
        return record_failure(t, &found, error);
    TRY(after_reset(t, &seen, error));
    while (t->is_going && !sample_run_must_stop(run)) {
        uint32_t action = statistics_of(t)->choices.items[t->choice].action;
        if (env_step(env, action, &seen, &found) != OPAC_OK)
            return record_failure(t, &found, error);
        TRY(after_step(t, &seen, error));
    }
    return OPAC_OK;
}

/* ---- on lanes ---- */

typedef struct lanes {
    uint32_t count;
    active_episode *episodes; /* the worker's */
    opac_lane_request *orders;
    opac_observation *seen;
} lanes;

static void lanes_fini(lanes *l)
{
    base_free(l->orders);
    base_free(l->seen);
}

static opac_status lanes_init(lanes *l, uint32_t count, active_episode *episodes, opac_error *error)
{
    *l = (lanes){.count = count, .episodes = episodes};
    l->orders = base_alloc_zeroed(count, sizeof *l->orders);
    l->seen = base_alloc_zeroed(count, sizeof *l->seen);
    if (l->orders != NULL && l->seen != NULL)
        return OPAC_OK;
    lanes_fini(l);
    return base_fail_memory(error);
}

/* Makes the next request. Idle lanes get a reset that is ignored. Returns false if all are idle. */
static bool make_orders(lanes *l, uint64_t *next, uint64_t end)
{
    bool is_busy = false;
    for (uint32_t i = 0; i < l->count; i++) {
        active_episode *t = &l->episodes[i];
        if (t->is_going) {
            l->orders[i] =
                (opac_lane_request){.action = statistics_of(t)->choices.items[t->choice].action};
        } else {
            t->recording = NULL;
            if (*next < end)
                begin_episode(t, (*next)++);
            l->orders[i] = (opac_lane_request){.is_reset = true, .seed = seed_of(t)};
        }
        is_busy |= t->recording != NULL;
    }
    return is_busy;
}

/* Sends a request to all lanes. A failure is recorded for each episode in progress. */
static opac_status request(lanes *l, opac_environment *env, bool *is_ok, opac_error *error)
{
    opac_error found = {0};
    *is_ok = env_step_many(env, l->orders, l->seen, &found) == OPAC_OK;
    for (uint32_t i = 0; i < l->count; i++) {
        active_episode *t = &l->episodes[i];
        if (t->recording == NULL)
            continue;
        if (!*is_ok)
            TRY(record_failure(t, &found, error));
        else
            TRY(l->orders[i].is_reset ? after_reset(t, &l->seen[i], error)
                                      : after_step(t, &l->seen[i], error));
    }
    return OPAC_OK;
}

static opac_status run_lanes(const batch *b, unsigned worker, uint64_t first, uint64_t end,
                             opac_error *error)
{
    opac_environment *env = b->step->run->forks[worker];
    lanes l;
    uint64_t next = first;
    bool is_ok = true;
    opac_status status = OPAC_OK;
    TRY(lanes_init(&l, b->step->traits.lanes, b->step->workers[worker].episodes, error));
    for (uint32_t i = 0; i < l.count; i++)
        l.episodes[i].is_going = false;
    while (status == OPAC_OK && is_ok && make_orders(&l, &next, end) &&
           !sample_run_must_stop(b->step->run))
        status = request(&l, env, &is_ok, error);
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
        TRY(run_episode(b->step->workers[worker].episodes, b->step->run->forks[worker], i, error));
    return OPAC_OK;
}

/* Many small parts, so that no thread waits long for another; with lanes, one part for each thread, to keep
 * the lanes busy. */
static unsigned count_parts(const sample_step *step, uint64_t n)
{
    uint64_t parts = step->traits.lanes > 1 ? step->threads : 8 * (uint64_t)step->threads;
    return (unsigned)(parts < n ? parts : n);
}

/* Prepares n recordings. */
static opac_status make_recordings(sample_step *step, uint64_t n, opac_error *error)
{
    for (size_t i = 0; i < step->recording_count && i < n; i++) {
        base_free(step->recordings[i].failure);
        step->recordings[i].failure = NULL;
        step->recordings[i].is_complete = false;
    }
    if (n <= step->recording_count)
        return OPAC_OK;
    sample_recording *recordings = base_alloc_zeroed((size_t)n, sizeof *recordings);
    if (recordings == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < step->recording_count; i++)
        recordings[i] = step->recordings[i];
    base_free(step->recordings);
    step->recordings = recordings;
    step->recording_count = (size_t)n;
    return OPAC_OK;
}

/* Makes the local statistics of a worker; empties them if they are large. */
static opac_status make_local(sample_worker *worker, const sample_run *run, opac_error *error)
{
    if (worker->local.move_table != NULL && worker->local.states.count <= MOST_LOCAL_STATES)
        return OPAC_OK;
    sample_statistics_fini(&worker->local);
    return sample_statistics_init_empty_copy(&worker->local, &run->stats, error);
}

static opac_status make_episodes(sample_step *step, sample_worker *worker, opac_error *error)
{
    TRY(make_local(worker, step->run, error));
    if (worker->episodes != NULL)
        return OPAC_OK;
    worker->episodes = base_alloc_zeroed(step->traits.lanes, sizeof *worker->episodes);
    if (worker->episodes == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < step->traits.lanes; i++) {
        worker->episodes[i].step = step;
        worker->episodes[i].local = &worker->local;
    }
    return OPAC_OK;
}

static void free_worker(sample_worker *worker, uint32_t count)
{
    for (uint32_t i = 0; i < count && worker->episodes != NULL; i++) {
        base_u64_vec_fini(&worker->episodes[i].visits[0].product_states);
        base_u64_vec_fini(&worker->episodes[i].visits[1].product_states);
    }
    base_free(worker->episodes);
    sample_statistics_fini(&worker->local);
}

void sample_step_parallel_fini(sample_step *step)
{
    for (size_t i = 0; i < step->recording_count; i++) {
        base_free(step->recordings[i].failure);
        base_u32_vec_fini(&step->recordings[i].seen);
        base_u32_vec_fini(&step->recordings[i].actions);
        base_u32_vec_fini(&step->recordings[i].outcomes);
        new_outcome_vec_fini(&step->recordings[i].new_outcomes);
        new_state_vec_fini(&step->recordings[i].new_states);
        sample_byte_vec_fini(&step->recordings[i].keys);
    }
    base_free(step->recordings);
    for (unsigned i = 0; i < step->threads && step->workers != NULL; i++)
        free_worker(&step->workers[i], step->traits.lanes);
}

static opac_status run_batch(sample_step *step, uint64_t n, opac_error *error)
{
    batch b = {step, n, count_parts(step, n)};
    TRY(make_recordings(step, n, error));
    for (unsigned i = 0; i < step->threads; i++)
        TRY(make_episodes(step, &step->workers[i], error));
    if (step->threads > 1)
        return base_pool_for(step->run->pool, b.parts, run_part, &b, NULL, error);
    b.parts = 1;
    return run_part(&b, 0, 0, error);
}

/* ---- many batches ---- */

bool sample_step_can_run_parallel(const sample_step *step)
{
    return !step->run->sequential && !step->traits.is_tabulated &&
           (step->threads > 1 || step->traits.lanes > 1);
}

/* The number of episodes of the next batch: at least one for each lane. */
static uint64_t choose_episodes(const sample_step *step, uint64_t size)
{
    uint64_t places = (uint64_t)step->traits.lanes * step->threads;
    uint64_t most = 1 + MOST_RECORDED / step->run->horizon;
    uint64_t wanted = size < places ? places : size;
    return sample_step_affordable(step, wanted < most ? wanted : most);
}

/* Replays the recordings in order, up to the first that was interrupted. */
static opac_status replay_all(sample_step *step, uint64_t n, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < n && status == OPAC_OK && !sample_step_must_return(step); i++) {
        step->recording = &step->recordings[i];
        if (!step->recording->is_complete && step->recording->failure == NULL)
            break;
        status = sample_step_episode(step, error);
    }
    step->recording = NULL;
    return status;
}

opac_status sample_step_parallel(sample_step *step, opac_error *error)
{
    uint64_t size = 1;
    while (!sample_step_must_return(step)) {
        double before = opac_clock_seconds();
        uint64_t n = choose_episodes(step, size);
        if (n == 1 || step->run->stats.start == SAMPLE_NONE) {
            TRY(sample_step_episode(step, error));
        } else {
            TRY(run_batch(step, n, error));
            TRY(replay_all(step, n, error));
            size = n;
        }
        size = opac_clock_seconds() - before > longest ? (size + 1) / 2 : 2 * size;
        size = size < MOST_RECORDED ? size : MOST_RECORDED;
        sample_step_show_progress(step);
    }
    return OPAC_OK;
}
