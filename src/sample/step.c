/* SPDX-License-Identifier: MIT */
/*
 * The step sampler: one transition at a time, in any environment.
 *
 * The observations of an episode are counted at its end, in the order of time, so that only the first k of a
 * row count. An episode that is interrupted leaves no counts, unless it is very long (SAMPLE_MOST_PENDING).
 * States are added during the episode. This has no effect on the result, since the episode is run again later
 * and finds the same states in the same order.
 *
 * An episode ends early in absorbing product states (sample_run_is_absorbed), because no observation can
 * follow, and where the strategy ends it (sample_run_ends_at).
 */
#include "sample/step.h"

#include "base/work.h"
#include "sample/strategy.h"

bool sample_run_is_late(const sample_run *run)
{
    return run->deadline > 0 && opac_clock_seconds() >= run->deadline;
}

bool sample_run_must_stop(sample_run *run)
{
    return opac_cancel_requested(run->cancel) || sample_run_is_late(run) ||
           base_meter_is_full(&run->meter);
}

/* ---- construction ---- */

opac_status sample_step_new(sample_run *run, sample_step **sampler, opac_error *error)
{
    sample_step *made = base_alloc_zeroed(1, sizeof *made);
    *sampler = made;
    if (made == NULL)
        return base_fail_memory(error);
    made->run = run;
    made->traits = env_get_traits(run->stats.env);
    made->threads = run->pool != NULL ? base_pool_threads(run->pool) : 1;
    made->mean_length = 1;
    made->gap = SAMPLE_NONE;
    made->updates = run->updates;
    made->workers = base_alloc_zeroed(made->threads, sizeof *made->workers);
    if (made->workers != NULL)
        return OPAC_OK;
    sample_step_free(made);
    *sampler = NULL;
    return base_fail_memory(error);
}

void sample_step_free(sample_step *sampler)
{
    if (sampler == NULL)
        return;
    sample_step_parallel_fini(sampler);
    sample_step_chunks_fini(sampler);
    sample_step_graph_fini(sampler);
    sample_repeats_free(sampler->repeats);
    sample_pending_vec_fini(&sampler->pending);
    base_u64_vec_fini(&sampler->episode_visits.product_states);
    base_map_fini(&sampler->transitions);
    base_free(sampler);
}

/* ---- one episode ---- */

void sample_visits_begin(sample_visits *visits)
{
    if (++visits->episode == 0) { /* once in four billion episodes */
        visits->product_states.count = 0;
        visits->episode = 1;
    }
}

opac_status sample_round_choose(const sample_round *round, const sample_statistics *stats,
                                sample_visits *visits, uint64_t episode, uint32_t product_state,
                                uint32_t chosen, uint32_t *choice, opac_error *error)
{
    uint32_t before;
    *choice = chosen;
    if (round->turns == 0 || chosen == SAMPLE_NONE || !sample_statistics_takes_turns(stats, chosen))
        return OPAC_OK;
    TRY(sample_visits_add(visits, product_state, &before, error));
    if (round->most_visits > 0 && before >= round->most_visits) {
        *choice = SAMPLE_NONE;
        return OPAC_OK;
    }
    uint64_t turn = before * round->episodes + (episode - round->first);
    *choice = sample_turn_choice(round, stats, product_state, chosen, turn);
    return OPAC_OK;
}

opac_status sample_visits_add(sample_visits *visits, uint32_t product_state, uint32_t *before,
                              opac_error *error)
{
    TRY(base_u64_vec_reserve(&visits->product_states, (size_t)product_state + 1, error));
    while (visits->product_states.count <= product_state)
        visits->product_states.items[visits->product_states.count++] = 0;
    uint64_t *own = &visits->product_states.items[product_state];
    if (*own >> 32 != visits->episode)
        *own = (uint64_t)visits->episode << 32;
    *before = (uint32_t)*own;
    *own += *before < UINT32_MAX;
    return OPAC_OK;
}

/* The branch that a choice took to a state, and the product state. */
static opac_status find_transition(sample_step *step, uint32_t choice, uint32_t state,
                                   uint32_t *branch, uint32_t *product_state, opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    uint32_t row = stats->counters.items[stats->choices.items[choice].counter].row;
    uint64_t *transition = NULL;
    if (!step->traits.is_tabulated) {
        TRY(base_map_at(&step->transitions, (uint64_t)choice << 32 | state, &transition, error));
        if (*transition != 0) {
            *branch = (uint32_t)(*transition >> 32);
            *product_state = (uint32_t)*transition - 1;
            return OPAC_OK;
        }
    }
    step->found_new = true;
    TRY(sample_statistics_branch(stats, row, state, branch, error));
    TRY(sample_statistics_follow(stats, choice, *branch, product_state, error));
    if (transition != NULL)
        *transition = (uint64_t)*branch << 32 | (*product_state + 1);
    return OPAC_OK;
}

/* A tabulated environment knows the branch, and its link has the product state if that was added. */
opac_status sample_step_resolve(sample_step *step, uint32_t choice, const opac_observation *seen,
                                uint32_t *branch, uint32_t *product_state, opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    uint32_t state, link = stats->choices.items[choice].link;
    if (step->traits.is_tabulated && link != SAMPLE_NONE) {
        *branch = env_last_branch(stats->env);
        *product_state = stats->links.items[link + *branch];
        if (*product_state != ENV_UNSEEN)
            return OPAC_OK;
    }
    TRY(sample_statistics_add_state(stats, seen, &state, error));
    return find_transition(step, choice, state, branch, product_state, error);
}

opac_status sample_pending_flush(sample_statistics *stats, sample_pending_vec *pending,
                                 opac_error *error)
{
    size_t count = pending->count;
    pending->count = 0;
    for (size_t i = 0; i < count; i++) {
        const sample_pending *p = &pending->items[i];
        TRY(sample_statistics_observe(stats, p->counter, p->branch, 1, error));
        if (p->outcome != SAMPLE_NO_OUTCOME)
            TRY(sample_classes_observe(stats->classes, p->counter, p->outcome, p->branch, error));
    }
    return OPAC_OK;
}

opac_status sample_step_observe(sample_step *step, uint32_t counter, uint32_t branch,
                                uint32_t outcome, opac_error *error)
{
    sample_pending pending = {counter, branch, outcome};
    const sample_counter *c = &step->run->stats.counters.items[counter];
    step->is_useful |= !c->known || c->wanted;
    if (sample_counter_remaining(&step->run->stats, counter) == 0)
        return OPAC_OK;
    if (step->pending.count >= SAMPLE_MOST_PENDING) {
        step->is_counted = true;
        TRY(sample_pending_flush(&step->run->stats, &step->pending, error));
    }
    return sample_pending_vec_push(&step->pending, pending, error);
}

opac_status sample_step_test_independence(sample_step *step, uint32_t choice, uint32_t state,
                                          opac_error *error)
{
    sample_run *run = step->run;
    const sample_statistics *stats = &run->stats;
    if (step->repeats == NULL)
        return OPAC_OK;
    uint32_t row = stats->counters.items[stats->choices.items[choice].counter].row;
    opac_status status = sample_repeats_observe(
        step->repeats, row == stats->reset_row ? SAMPLE_REPEATS_RESET : row, state, error);
    run->independence_refuted |= status == OPAC_ERROR_SIMULATOR;
    return status;
}

/* The target of a branch of a choice. */
static uint32_t target_of(const sample_statistics *stats, uint32_t choice, uint32_t branch)
{
    uint32_t row = stats->counters.items[stats->choices.items[choice].counter].row;
    return stats->targets.items[stats->rows.items[row].begin + branch];
}

/* Takes the next state from the recording. */
static opac_status follow_recording(sample_step *step, uint32_t choice, uint32_t *branch,
                                    uint32_t *product_state, uint32_t *outcome, opac_error *error)
{
    sample_statistics *stats = &step->run->stats;
    uint32_t action = stats->choices.items[choice].action;
    if (action != SAMPLE_NONE)
        TRY(sample_recording_next(step->recording, stats, action, &step->state, outcome, error));
    return find_transition(step, choice, step->state, branch, product_state, error);
}

static opac_status take_environment(sample_step *step, uint32_t choice, opac_observation *seen,
                                    uint32_t *branch, uint32_t *product_state, uint32_t *outcome,
                                    opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    uint32_t action = stats->choices.items[choice].action;
    if (action != SAMPLE_NONE)
        TRY(env_step(stats->env, action, seen, error));
    if (action != SAMPLE_NONE && stats->classes != NULL)
        TRY(sample_classes_add(stats->classes, seen, outcome, error));
    return sample_step_resolve(step, choice, seen, branch, product_state, error);
}

/* Takes a choice that is not free. The reset was already requested at the beginning of the episode. */
static opac_status sample(sample_step *step, uint32_t choice, opac_observation *seen,
                          uint32_t *product_state, opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    uint32_t branch, outcome = SAMPLE_NO_OUTCOME;
    TRY(step->recording != NULL
            ? follow_recording(step, choice, &branch, product_state, &outcome, error)
            : take_environment(step, choice, seen, &branch, product_state, &outcome, error));
    TRY(sample_step_test_independence(step, choice, target_of(stats, choice, branch), error));
    return sample_step_observe(step, stats->choices.items[choice].counter, branch, outcome, error);
}

void sample_step_clear(sample_step *step)
{
    step->found_new = step->is_counted = step->is_useful = false;
    step->pending.count = 0;
    sample_visits_begin(&step->episode_visits);
    if (step->repeats != NULL)
        sample_repeats_begin(step->repeats);
}

opac_status sample_step_begin(sample_step *step, opac_observation *seen, opac_error *error)
{
    sample_run *run = step->run;
    sample_step_clear(step);
    if (step->recording != NULL) {
        TRY(sample_recording_next(step->recording, &run->stats, SAMPLE_NONE, &step->state, NULL,
                                  error));
        return sample_statistics_begin_episode(&run->stats, step->state, error);
    }
    uint32_t state;
    TRY(env_reset(run->stats.env, env_episode_seed(run->seed, run->episodes), seen, error));
    TRY(sample_statistics_add_state(&run->stats, seen, &state, error));
    return sample_statistics_begin_episode(&run->stats, state, error);
}

/* Whether the episode can be dropped without a trace. The states that it added are found again when it is
 * repeated; but it is not repeated if a bound was exceeded. */
static bool leaves_no_trace(const sample_step *step)
{
    return !step->is_counted && sample_statistics_exceeded(&step->run->stats) == NULL;
}

bool sample_step_may_break_off(const sample_step *step, uint64_t steps)
{
    return leaves_no_trace(step) || steps >= SAMPLE_MOST_PENDING;
}

/* ---- observers of episodes ---- */

static bool is_observed(const sample_run *run)
{
    return run->round.is_observed;
}

static opac_status observe_step(sample_run *run, uint32_t product_state, uint32_t choice,
                                opac_error *error)
{
    return is_observed(run) ? run->strategy->step_taken(run, product_state, choice, error)
                            : OPAC_OK;
}

/* The episode has ended in a product state. */
static opac_status observe_end(sample_run *run, uint32_t product_state, bool is_absorbed,
                               uint64_t steps, opac_error *error)
{
    return is_observed(run)
               ? run->strategy->episode_ends(run, product_state, is_absorbed, steps, error)
               : OPAC_OK;
}

/* ---- steps ---- */

opac_status sample_step_continue(sample_step *step, opac_observation *seen, uint32_t product_state,
                                 uint64_t *steps, opac_error *error)
{
    sample_run *run = step->run;
    sample_statistics *stats = &run->stats;
    for (; *steps < run->horizon && !sample_run_ends_at(run, product_state); ++*steps) {
        uint32_t choice, from = product_state,
                         chosen = sample_run_choice_at(run, from, run->horizon - *steps);
        TRY(sample_round_choose(&run->round, stats, &step->episode_visits, run->episodes, from,
                                chosen, &choice, error));
        if (choice == SAMPLE_NONE)
            break;
        if (!sample_choice_is_free(&stats->choices.items[choice]))
            TRY(sample(step, choice, seen, &product_state, error));
        else if (sample_run_is_absorbed(run, from))
            return observe_end(run, from, true, *steps, error);
        else
            product_state = stats->choices.items[choice].target;
        TRY(observe_step(run, from, choice, error));
        /* An environment that is not tabulated may be slow, so every step is polled. */
        bool is_slice = !step->traits.is_tabulated || (*steps + 1) % SAMPLE_SLICE == 0;
        if ((is_slice ? sample_run_must_stop(run) : opac_cancel_requested(run->cancel)) &&
            sample_step_may_break_off(step, *steps))
            return base_fail_stopped(error, run->cancel, "sampling episodes");
    }
    return observe_end(run, product_state, false, *steps, error);
}

/* Passes the whole episode to the test of independence. */
static opac_status test_episode(sample_step *step, opac_error *error)
{
    sample_run *run = step->run;
    if (step->repeats == NULL || run->strategy->policy_number == NULL)
        return OPAC_OK;
    opac_status status = sample_repeats_end(step->repeats, run->strategy->policy_number(run),
                                            env_episode_seed(run->seed, run->episodes), error);
    run->independence_refuted |= status == OPAC_ERROR_SIMULATOR;
    return status;
}

/* Drops the current episode, without a trace if possible. */
static void drop(sample_step *step)
{
    sample_run *run = step->run;
    run->has_partial_episode |= !leaves_no_trace(step);
    step->pending.count = 0;
}

opac_status sample_step_end(sample_step *step, opac_status gone, uint64_t steps, opac_error *error)
{
    sample_run *run = step->run;
    if (gone == OPAC_OK)
        gone = test_episode(step, error);
    if (gone != OPAC_OK) {
        drop(step);
        return gone == OPAC_ERROR_CANCELLED && sample_run_must_stop(run) ? OPAC_OK : gone;
    }
    TRY(sample_pending_flush(&run->stats, &step->pending, error));
    run->episodes++;
    run->steps += steps;
    if (run->round.turns > 0 && !step->is_useful && steps >= run->horizon)
        run->round.idle_episodes++;
    step->mean_length += ((double)steps - step->mean_length) / 8;
    return OPAC_OK;
}

opac_status sample_step_episode(sample_step *step, opac_error *error)
{
    opac_observation seen;
    uint64_t steps = 0;
    opac_status status = sample_step_begin(step, &seen, error);
    if (is_observed(step->run))
        step->run->strategy->episode_begins(step->run);
    if (status == OPAC_OK)
        status = sample_step_continue(step, &seen, step->run->stats.start, &steps, error);
    return sample_step_end(step, status, steps, error);
}

/* ---- many episodes ---- */

bool sample_step_must_return(const sample_step *step)
{
    const sample_run *run = step->run;
    bool is_full = run->stats.full.count > 0 && !run->stats.rows_are_open;
    return is_full || sample_statistics_exceeded(&run->stats) != NULL ||
           sample_step_affordable(step, 1) == 0 ||
           (run->halt != NULL && run->halt(run->halt_context));
}

/* Also keeps the number of steps within 64 bits. */
uint64_t sample_step_affordable(const sample_step *step, uint64_t n)
{
    const sample_run *run = step->run;
    uint64_t budget = run->max_steps > 0 ? run->max_steps : UINT64_MAX;
    uint64_t steps = sample_run_work(run);
    uint64_t most = budget > steps ? (budget - steps) / run->horizon : 0;
    uint64_t left = run->limit > run->episodes ? run->limit - run->episodes : 0;
    n = n < most ? n : most;
    return n < left ? n : left;
}

/* The total is known only if max_steps is set. */
void sample_step_show_progress(const sample_step *step)
{
    opac_progress_update(step->run->progress, step->run->steps, step->run->max_steps);
}

opac_status sample_step_advance(sample_step *step, opac_error *error)
{
    if (step->traits.is_tabulated && !step->run->sequential && step->run->round.turns == 0 &&
        !is_observed(step->run))
        return sample_step_chunks(step, error);
    if (sample_step_can_run_parallel(step))
        return sample_step_parallel(step, error);
    while (!sample_step_must_return(step)) {
        TRY(sample_step_episode(step, error));
        sample_step_show_progress(step);
    }
    return OPAC_OK;
}
