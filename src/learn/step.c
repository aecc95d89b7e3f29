/* SPDX-License-Identifier: MIT */
/*
 * The step sampler: one transition at a time, from any environment.
 *
 * An episode's observations are collected and counted at its end, in the order
 * of time, so that only the first k of a pair count; an episode that is
 * broken off half-way leaves no count behind, unless it is very long
 * (LEARN_MOST_DUE). States are met as they come: that changes nothing, since the
 * same episode, run again, meets the same in the same order.
 *
 * In an eager batch (learn_batch) they are counted at once instead, and what was counted is taken
 * back if the episode is broken off.
 *
 * It ends early where learn_run_is_over says so, since no further observation can come, and where
 * learn_run_ends_at does, since none is wanted.
 */
#include "learn/step.h"

bool learn_run_is_late(const learn_run *run)
{
    return run->deadline > 0 && opac_clock_seconds() >= run->deadline;
}

bool learn_run_must_stop(learn_run *run)
{
    return opac_cancel_requested(run->cancel) || learn_run_is_late(run) ||
           base_meter_is_full(&run->meter);
}

/* ---- birth and death ---- */

opac_status learn_step_new(learn_run *run, learn_step **sampler, opac_error *error)
{
    learn_step *made = base_alloc_zeroed(1, sizeof *made);
    *sampler = made;
    if (made == NULL)
        return base_fail_memory(error);
    made->run = run;
    made->traits = env_get_traits(run->world.env);
    made->threads = run->pool != NULL ? base_pool_threads(run->pool) : 1;
    made->mean = 1;
    made->gap = LEARN_NONE;
    made->updates = run->updates;
    made->workers = base_alloc_zeroed(made->threads, sizeof *made->workers);
    if (made->workers != NULL)
        return OPAC_OK;
    learn_step_free(made);
    *sampler = NULL;
    return base_fail_memory(error);
}

void learn_step_free(learn_step *sampler)
{
    if (sampler == NULL)
        return;
    learn_step_ahead_fini(sampler);
    learn_step_walk_fini(sampler);
    learn_step_map_fini(sampler);
    learn_repeats_free(sampler->repeats);
    learn_due_vec_fini(&sampler->due);
    base_map_fini(&sampler->ways);
    base_free(sampler);
}

/* ---- one episode ---- */

/* The branch that an action took to a state, and the pair behind it. */
static opac_status find_way(learn_step *step, uint32_t choice, uint32_t state, uint32_t *branch,
                            uint32_t *pair, opac_error *error)
{
    learn_world *world = &step->run->world;
    uint32_t row = world->counters.items[world->choices.items[choice].counter].row;
    uint64_t *way = NULL;
    if (!step->traits.is_tabulated) {
        TRY(base_map_at(&step->ways, (uint64_t)choice << 32 | state, &way, error));
        if (*way != 0) {
            *branch = (uint32_t)(*way >> 32);
            *pair = (uint32_t)*way - 1;
            return OPAC_OK;
        }
    }
    step->news = true;
    TRY(learn_world_branch(world, row, state, branch, error));
    TRY(learn_world_follow(world, choice, *branch, pair, error));
    if (way != NULL)
        *way = (uint64_t)*branch << 32 | (*pair + 1);
    return OPAC_OK;
}

/* In a tabulated environment the branch is known, and so is what lies behind it, if it was met. */
opac_status learn_step_take(learn_step *step, uint32_t choice, const opac_observation *seen,
                            uint32_t *branch, uint32_t *pair, opac_error *error)
{
    learn_world *world = &step->run->world;
    uint32_t state, link = world->choices.items[choice].link;
    if (step->traits.is_tabulated && link != LEARN_NONE) {
        *branch = env_last_branch(world->env);
        *pair = world->links.items[link + *branch];
        if (*pair != ENV_GAP)
            return OPAC_OK;
    }
    TRY(learn_world_meet(world, seen, &state, error));
    return find_way(step, choice, state, branch, pair, error);
}

opac_status learn_due_count(learn_world *world, learn_due_vec *due, opac_error *error)
{
    size_t count = due->count;
    due->count = 0;
    for (size_t i = 0; i < count; i++)
        TRY(learn_world_observe(world, due->items[i].counter, due->items[i].branch, 1, error));
    return OPAC_OK;
}

/* Counted at once, to see whether that is enough; what can be taken back is kept in `due`. */
static opac_status note_eagerly(learn_step *step, uint32_t counter, uint32_t branch,
                                opac_error *error)
{
    learn_run *run = step->run;
    if (step->due.count < LEARN_MOST_DUE)
        TRY(learn_due_vec_push(&step->due, (learn_due){counter, branch}, error));
    else
        step->is_counted = true;
    TRY(learn_world_observe(&run->world, counter, branch, 1, error));
    if (!run->world.counters.items[counter].known) {
        step->is_useful = true;
        step->is_enough |= learn_run_is_enough(run, counter);
        run->batch.is_ripe |= step->is_enough;
    }
    return OPAC_OK;
}

opac_status learn_step_note(learn_step *step, uint32_t counter, uint32_t branch, opac_error *error)
{
    learn_due due = {counter, branch};
    if (step->run->batch.is_eager)
        return note_eagerly(step, counter, branch, error);
    if (learn_counter_room(&step->run->world, counter) == 0)
        return OPAC_OK;
    if (step->due.count >= LEARN_MOST_DUE) {
        step->is_counted = true;
        TRY(learn_due_count(&step->run->world, &step->due, error));
    }
    return learn_due_vec_push(&step->due, due, error);
}

opac_status learn_step_test(learn_step *step, uint32_t choice, uint32_t state, opac_error *error)
{
    learn_run *run = step->run;
    const learn_world *world = &run->world;
    if (step->repeats == NULL)
        return OPAC_OK;
    uint32_t row = world->counters.items[world->choices.items[choice].counter].row;
    opac_status status = learn_repeats_note(
        step->repeats, row == world->reset_row ? LEARN_REPEATS_RESET : row, state, error);
    run->is_unlike |= status == OPAC_ERROR_SIMULATOR;
    return status;
}

/* The state behind a branch of a choice. */
static uint32_t target_of(const learn_world *world, uint32_t choice, uint32_t branch)
{
    uint32_t row = world->counters.items[world->choices.items[choice].counter].row;
    return world->targets.items[world->rows.items[row].begin + branch];
}

static opac_status meet_expected(learn_step *step, const opac_observation *seen, opac_error *error)
{
    step->expects = LEARN_EXPECTS_NOTHING;
    return env_digest(seen) == step->expected ? OPAC_OK : learn_step_fail_again(step, error);
}

/* A choice that the environment is asked for; the reset was asked for already. */
static opac_status sample(learn_step *step, uint32_t choice, opac_observation *seen, uint32_t *pair,
                          opac_error *error)
{
    learn_world *world = &step->run->world;
    uint32_t action = world->choices.items[choice].action, branch;
    if (action != LEARN_NONE)
        TRY(env_step(world->env, action, seen, error));
    if (step->expects == LEARN_EXPECTS_AT_STEP)
        TRY(meet_expected(step, seen, error));
    TRY(learn_step_take(step, choice, seen, &branch, pair, error));
    TRY(learn_step_test(step, choice, target_of(world, choice, branch), error));
    return learn_step_note(step, world->choices.items[choice].counter, branch, error);
}

void learn_step_clear(learn_step *step)
{
    step->news = step->is_counted = step->is_enough = step->is_useful = false;
    step->was_ripe = step->run->batch.is_ripe;
    step->due.count = 0;
    if (step->repeats != NULL)
        learn_repeats_begin(step->repeats);
}

opac_status learn_step_begin(learn_step *step, opac_observation *seen, opac_error *error)
{
    learn_run *run = step->run;
    uint32_t state;
    learn_step_clear(step);
    uint64_t seed = env_episode_seed(run->seed, run->episodes);
    TRY(env_reset(run->world.env, seed, seen, error));
    if (step->expects == LEARN_EXPECTS_AT_RESET)
        TRY(meet_expected(step, seen, error));
    TRY(learn_world_meet(&run->world, seen, &state, error));
    return learn_world_begin(&run->world, state, error);
}

/* Whether the episode may be forgotten: what was met is met again by the next to run it, unless there
 * is none, since a bound is exceeded and the run ends. */
static bool leaves_no_trace(const learn_step *step)
{
    return !step->is_counted && learn_world_exceeded(&step->run->world) == NULL;
}

bool learn_step_may_break_off(const learn_step *step, uint64_t steps)
{
    return leaves_no_trace(step) || steps >= LEARN_MOST_DUE;
}

bool learn_step_has_enough(const learn_step *step, uint64_t steps)
{
    const learn_run *run = step->run;
    return step->is_enough && (!learn_batch_is_lazy(run) ||
                               run->steps + steps - run->batch.steps >= learn_batch_least(run));
}

opac_status learn_step_go(learn_step *step, opac_observation *seen, uint32_t pair, uint64_t *steps,
                          opac_error *error)
{
    learn_run *run = step->run;
    learn_world *world = &run->world;
    for (; *steps < run->horizon && !learn_step_has_enough(step, *steps) &&
           !learn_run_ends_at(run, pair);
         ++*steps) {
        uint32_t choice = learn_run_choice(run, pair);
        if (!learn_choice_is_free(&world->choices.items[choice]))
            TRY(sample(step, choice, seen, &pair, error));
        else if (learn_run_is_over(run, pair))
            return OPAC_OK;
        else
            pair = world->choices.items[choice].target;
        /* Those that are not tabulated may be slow. */
        bool is_slice = !step->traits.is_tabulated || (*steps + 1) % LEARN_SLICE == 0;
        if ((is_slice ? learn_run_must_stop(run) : opac_cancel_requested(run->cancel)) &&
            learn_step_may_break_off(step, *steps))
            return base_fail(error, OPAC_ERROR_CANCELLED, "stopped on request");
    }
    return OPAC_OK;
}

/* The episode under way is as if it had never begun, so far as that can be. */
static void drop(learn_step *step)
{
    learn_run *run = step->run;
    run->is_torn |= !leaves_no_trace(step);
    /* Of an eager episode so long that a part of it cannot be taken back all stays: what counts
     * are the first observations of a row, and none of them may be left out. */
    bool takes_back = run->batch.is_eager && !step->is_counted;
    for (size_t i = 0; i < step->due.count && takes_back; i++)
        learn_world_take_back(&run->world, step->due.items[i].counter, step->due.items[i].branch);
    run->batch.is_ripe = step->was_ripe;
    step->due.count = 0;
}

/* Counts what is due; in an eager batch it is counted already. */
static opac_status count_due(learn_step *step, opac_error *error)
{
    if (!step->run->batch.is_eager)
        return learn_due_count(&step->run->world, &step->due, error);
    step->due.count = 0;
    return OPAC_OK;
}

opac_status learn_step_end(learn_step *step, opac_status gone, uint64_t steps, opac_error *error)
{
    learn_run *run = step->run;
    if (gone != OPAC_OK) {
        drop(step);
        return gone == OPAC_ERROR_CANCELLED && learn_run_must_stop(run) ? OPAC_OK : gone;
    }
    TRY(count_due(step, error));
    run->episodes++;
    run->steps += steps;
    bool is_ripe = step->is_enough || (run->batch.is_ripe && learn_batch_is_lazy(run));
    if (is_ripe && run->steps - run->batch.steps >= learn_batch_least(run))
        run->limit = run->episodes;
    else if (run->batch.is_eager && !step->is_useful && steps >= run->horizon)
        run->batch.idle++;
    step->mean += ((double)steps - step->mean) / 8;
    return OPAC_OK;
}

opac_status learn_step_episode(learn_step *step, opac_error *error)
{
    opac_observation seen;
    uint64_t steps = 0;
    opac_status status = learn_step_begin(step, &seen, error);
    if (status == OPAC_OK)
        status = learn_step_go(step, &seen, step->run->world.start, &steps, error);
    return learn_step_end(step, status, steps, error);
}

/* ---- many ---- */

bool learn_step_is_over(const learn_step *step)
{
    const learn_run *run = step->run;
    return run->world.full.count > 0 || learn_world_exceeded(&run->world) != NULL ||
           learn_step_fit(step, 1) == 0 || (run->halt != NULL && run->halt(run->halt_context));
}

/* Steps, too, are counted in 64 bits. */
uint64_t learn_step_fit(const learn_step *step, uint64_t n)
{
    const learn_run *run = step->run;
    uint64_t budget = run->max_steps > 0 ? run->max_steps : UINT64_MAX;
    uint64_t most = budget > run->steps ? (budget - run->steps) / run->horizon : 0;
    uint64_t left = run->limit > run->episodes ? run->limit - run->episodes : 0;
    n = n < most ? n : most;
    return n < left ? n : left;
}

/* Nobody knows how many there will be. */
void learn_step_tell(const learn_step *step)
{
    opac_progress_update(step->run->progress, step->run->steps, step->run->max_steps);
}

opac_status learn_step_advance(learn_step *step, opac_error *error)
{
    if (step->traits.is_tabulated && !step->run->one_by_one && !step->run->batch.is_eager)
        return learn_step_walk(step, error);
    if (learn_step_can_run_ahead(step))
        return learn_step_ahead(step, error);
    while (!learn_step_is_over(step)) {
        TRY(learn_step_episode(step, error));
        learn_step_tell(step);
    }
    return OPAC_OK;
}
