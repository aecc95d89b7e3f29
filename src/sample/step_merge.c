/* SPDX-License-Identifier: MIT */
/*
 * The tracks of episodes that were run ahead, gone over in the order of episodes as if they were
 * run now: choice by choice, with what the track says that they led to. Where a track says no more,
 * since something new was met, or since the choice is another one by now (in an eager batch), the
 * episode is run again up to there, and goes on.
 *
 * Which episodes are run again depends on what they saw. That is sound if they see the same
 * again, so that nothing which was seen is ever forgotten: if what is random does not follow from the seed,
 * then of the episodes with something new some would be dropped, and supports seem complete too
 * early. So it is checked, observation by observation, and what differs is an error. Who would
 * resume such a run, again and again, would drop them after all: so its checkpoint is refused.
 */
#include "sample/step.h"

/* ---- the same again ---- */

bool sample_step_recognise(const sample_step *step, const opac_observation *seen, uint32_t *state)
{
    const sample_world *world = &step->run->world;
    if (!base_intern_find(&world->keys, seen->length > 0 ? seen->key : "", seen->length, state))
        return false;
    const sample_state *s = &world->states.items[*state];
    return s->letter == seen->letter && s->actions == seen->actions;
}

opac_status sample_step_fail_again(sample_step *step, opac_error *error)
{
    sample_run *run = step->run;
    run->is_unlike = true;
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "episode %llu, with the seed %llu, went another way when it was run again: what "
        "is random in the simulator does not follow from the seed (which only one "
        "thread with one lane can do without)",
        (unsigned long long)run->episodes,
        (unsigned long long)env_episode_seed(run->seed, run->episodes));
}

/* Whether what is seen is the state that was seen before. */
static opac_status check_state(sample_step *step, const opac_observation *seen, uint32_t meant,
                               opac_error *error)
{
    uint32_t state;
    bool is_same = sample_step_recognise(step, seen, &state) && state == meant;
    return is_same ? OPAC_OK : sample_step_fail_again(step, error);
}

/* ---- one track ---- */

typedef struct replay {
    const sample_track *track;
    size_t used; /* of what was taken */
    uint32_t pair;
    uint64_t steps;
    bool is_done; /* the episode ends here */
} replay;

/* As far as the track goes; what it says is noted. As sample_step_go. */
static opac_status follow_track(sample_step *step, replay *r, opac_error *error)
{
    const sample_run *run = step->run;
    const sample_world *world = &run->world;
    for (; r->steps < run->horizon && !sample_step_has_enough(step, r->steps) &&
           !sample_run_ends_at(run, r->pair);
         r->steps++) {
        uint32_t choice = sample_run_choice(run, r->pair);
        const sample_choice *c = &world->choices.items[choice];
        if (sample_choice_is_free(c)) {
            if (sample_run_is_over(run, r->pair))
                break;
            r->pair = c->target;
            continue;
        }
        if (r->used == r->track->taken.count)
            return OPAC_OK;
        const base_map_entry *way = &step->ways.entries[r->track->taken.items[r->used]];
        if (way->key >> 32 != choice)
            return OPAC_OK;
        r->used++;
        r->pair = (uint32_t)way->value - 1;
        TRY(sample_step_test(step, choice, (uint32_t)way->key, error));
        TRY(sample_step_note(step, c->counter, (uint32_t)(way->value >> 32), error));
    }
    r->is_done = true;
    return OPAC_OK;
}

/* Brings the environment to where the track was left; it was noted how it came there. */
static opac_status retrace(sample_step *step, const replay *r, opac_observation *seen,
                           opac_error *error)
{
    sample_run *run = step->run;
    const sample_world *world = &run->world;
    TRY(env_reset(world->env, env_episode_seed(run->seed, run->episodes), seen, error));
    if (world->reset_row == SAMPLE_NONE)
        TRY(check_state(step, seen, world->initial, error));
    for (size_t i = 0; i < r->used; i++) {
        uint64_t way = step->ways.entries[r->track->taken.items[i]].key;
        uint32_t action = world->choices.items[way >> 32].action;
        if (action != SAMPLE_NONE)
            TRY(env_step(world->env, action, seen, error));
        TRY(check_state(step, seen, (uint32_t)way, error));
        if (sample_run_must_stop(run) && sample_step_may_break_off(step, i))
            return base_fail(error, OPAC_ERROR_CANCELLED, "stopped on request");
    }
    return OPAC_OK;
}

static opac_status run_again(sample_step *step, replay *r, opac_error *error)
{
    opac_observation seen;
    TRY(retrace(step, r, &seen, error));
    /* In an eager batch another choice may be due now, which leads elsewhere. */
    if (r->track->end == SAMPLE_TRACK_NEWS && r->used == r->track->taken.count &&
        r->track->choice == sample_run_choice(step->run, r->pair)) {
        step->expects = SAMPLE_EXPECTS_AT_STEP;
        step->expected = r->track->news;
    }
    return sample_step_go(step, &seen, r->pair, &r->steps, error);
}

/* One that is whole, where no choice has changed: it is as it is. */
static opac_status count_track(sample_step *step, const sample_track *track, opac_error *error)
{
    sample_world *world = &step->run->world;
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < track->taken.count && status == OPAC_OK; i++) {
        const base_map_entry *way = &step->ways.entries[track->taken.items[i]];
        uint32_t choice = (uint32_t)(way->key >> 32);
        uint32_t counter = world->choices.items[choice].counter;
        status = sample_step_test(step, choice, (uint32_t)way->key, error);
        if (status == OPAC_OK)
            status = sample_world_observe(world, counter, (uint32_t)(way->value >> 32), 1, error);
        step->is_counted = true;
    }
    return sample_step_end(step, status, track->steps, error);
}

static opac_status merge_track(sample_step *step, const sample_track *track, opac_error *error)
{
    replay r = {.track = track, .pair = step->run->world.start};
    sample_step_clear(step);
    if (track->end == SAMPLE_TRACK_WHOLE && !step->run->batch.is_eager)
        return count_track(step, track, error);
    opac_status status = follow_track(step, &r, error);
    if (status == OPAC_OK && !r.is_done)
        status = run_again(step, &r, error);
    step->expects = SAMPLE_EXPECTS_NOTHING;
    return sample_step_end(step, status, r.steps, error);
}

/* One that has not come to its first step. */
static opac_status run_anew(sample_step *step, const sample_track *track, opac_error *error)
{
    if (track->end == SAMPLE_TRACK_RESET) {
        step->expects = SAMPLE_EXPECTS_AT_RESET;
        step->expected = track->news;
    }
    opac_status status = sample_step_episode(step, error);
    step->expects = SAMPLE_EXPECTS_NOTHING;
    return status;
}

/* ---- all of them ---- */

/* What went wrong ahead, and not when it was run again. */
static opac_status tell_failures(const sample_step *step, opac_error *error)
{
    for (unsigned i = 0; i < step->threads; i++) {
        const opac_error *failure = &step->workers[i].failure;
        if (failure->code != OPAC_OK)
            return base_fail(error, failure->code, "%s", failure->message);
    }
    return OPAC_OK;
}

opac_status sample_step_merge(sample_step *step, uint64_t n, bool *news, opac_error *error)
{
    uint64_t i = 0;
    *news = false;
    for (; i < n && !sample_step_is_over(step); i++) {
        const sample_track *track = &step->tracks[i];
        bool has_begun = track->end == SAMPLE_TRACK_WHOLE || track->end == SAMPLE_TRACK_NEWS;
        TRY(has_begun ? merge_track(step, track, error) : run_anew(step, track, error));
        *news |= step->news;
    }
    return i == n ? tell_failures(step, error) : OPAC_OK;
}
