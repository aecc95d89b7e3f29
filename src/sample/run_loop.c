/* SPDX-License-Identifier: MIT */
/* The loop of a run: see run_loop.h. */
#include "sample/run_loop.h"

#include <math.h>

#include "sample/step.h"
#include "sample/strategy.h"
#include "sample/trial.h"

static bool is_due(const sample_loop *loop)
{
    return loop->learning->options.checkpoint != NULL && opac_clock_seconds() >= loop->due;
}

static bool halt(void *context)
{
    const sample_loop *loop = context;
    return sample_run_must_stop(&loop->learning->run) || is_due(loop);
}

static void begin(sample_loop *loop, opac_learning *l, const sample_tuning *tuning)
{
    *loop = (sample_loop){.learning = l, .began = opac_clock_seconds()};
    /* If episodes may be very long, the first checkpoint is written at once. */
    loop->due = loop->began;
    if (l->run.horizon <= SAMPLE_LONG_EPISODE)
        loop->due += l->options.checkpoint_seconds;
    l->run.deadline = l->options.max_seconds > 0 ? loop->began + l->options.max_seconds : 0;
    l->run.halt = halt;
    l->run.halt_context = loop;
    l->run.cancel = l->options.cancel;
    if (!l->traits.is_tabulated)
        base_meter_init(&l->run.meter, l->options.max_memory);
    l->run.sequential = tuning->sequential;
}

void sample_loop_end(sample_loop *loop, opac_learn_end why)
{
    loop->learning->report.end = why;
    loop->is_ended = true;
}

void sample_loop_end_cancelled(sample_loop *loop)
{
    bool is_late = opac_cancel_get_reason(loop->learning->options.cancel) == OPAC_CANCEL_TIME;
    sample_loop_end(loop, is_late ? OPAC_END_SECONDS : OPAC_END_CANCELLED);
}

void sample_loop_write_checkpoint(opac_learning *l, const char *bytes, size_t length)
{
    const sample_checkpoint all = {l->question, &l->run, &l->trace};
    const char *path = l->options.checkpoint;
    opac_error error = {0};
    opac_status status = bytes != NULL
                             ? sample_checkpoint_write_bytes(bytes, length, path, &l->lock, &error)
                             : sample_checkpoint_write(&all, path, &l->lock, &error);
    l->report.checkpoint_failed = status != OPAC_OK;
    if (status != OPAC_OK)
        sample_report_failure(l, "the checkpoint was not written", &error);
}

void sample_loop_keep_checkpoint(opac_learning *l, opac_output **kept)
{
    const sample_checkpoint all = {l->question, &l->run, &l->trace};
    opac_output_free(*kept);
    *kept = NULL;
    if (l->options.checkpoint == NULL || l->run.has_partial_episode ||
        opac_output_open_memory(kept, NULL) != OPAC_OK)
        return;
    if (sample_checkpoint_print(&all, *kept, NULL) == OPAC_OK)
        return;
    opac_output_free(*kept);
    *kept = NULL;
}

void sample_loop_write_kept(opac_learning *l, opac_output *kept)
{
    size_t length;
    if (kept == NULL)
        return;
    const char *bytes = opac_output_bytes(kept, &length);
    sample_loop_write_checkpoint(l, bytes, length);
}

void sample_loop_save(sample_loop *loop)
{
    opac_learning *l = loop->learning;
    opac_error error = {0};
    if (l->options.checkpoint == NULL)
        return;
    if (l->run.has_partial_episode) {
        base_fail(&error, OPAC_ERROR_CANCELLED,
                  "an episode was interrupted; the previous checkpoint is kept");
        sample_report_failure(l, "the checkpoint was not written", &error);
        return;
    }
    double before = opac_clock_seconds();
    sample_loop_write_checkpoint(l, NULL, 0);
    /* Run at least as long as writing took, even with a slow disk. */
    double now = opac_clock_seconds();
    loop->due = now + fmax(l->options.checkpoint_seconds, now - before);
}

/* Whether max_steps does not allow another episode. */
static bool is_out_of_steps(const sample_run *run)
{
    uint64_t most = run->max_steps > 0 ? run->max_steps : UINT64_MAX, steps = sample_run_work(run);
    return steps > most || most - steps < run->horizon;
}

void sample_loop_check_limits(sample_loop *loop)
{
    opac_learning *l = loop->learning;
    l->report.exceeded = sample_statistics_exceeded(&l->run.stats);
    if (l->report.exceeded != NULL)
        sample_loop_end(loop, OPAC_END_EXCEEDED);
    else if (opac_cancel_requested(l->options.cancel))
        sample_loop_end_cancelled(loop);
    else if (is_out_of_steps(&l->run))
        sample_loop_end(loop, OPAC_END_STEPS);
    else if (sample_run_is_late(&l->run))
        sample_loop_end(loop, OPAC_END_SECONDS);
    else if (base_meter_check_now(&l->run.meter))
        sample_loop_end(loop, OPAC_END_MEMORY);
}

void sample_loop_pause(sample_loop *loop)
{
    sample_loop_check_limits(loop);
    if (loop->is_ended || is_due(loop))
        sample_loop_save(loop);
}

/* ---- the beginning ---- */

/* Adds the initial state of episode 0, so that the first policy has a state. */
static opac_status observe_start(sample_run *run, opac_error *error)
{
    opac_observation seen;
    uint32_t state;
    TRY(env_reset(run->stats.env, env_episode_seed(run->seed, 0), &seen, error));
    TRY(sample_statistics_add_state(&run->stats, &seen, &state, error));
    TRY(sample_statistics_begin_episode(&run->stats, state, error));
    return sample_statistics_refresh(&run->stats, NULL, error);
}

/* Whether episodes may be run in parallel, or repeat an episode that the resumed run had begun: then the
 * simulator must give the same episode for the same seed. */
static bool needs_seed_check(const opac_learning *l, const sample_step *step)
{
    return sample_step_can_run_parallel(step) || (l->report.resumed && !l->traits.is_model);
}

static bool must_stop(void *context)
{
    return sample_run_must_stop(context);
}

static bool may_draw(const opac_learning *l)
{
    return l->traits.can_draw && l->run.strategy->may_draw(&l->options);
}

static bool needs_trial(const opac_learning *l)
{
    return !(l->traits.is_model || l->options.untested || sample_is_declared_deterministic(l));
}

bool sample_loop_trial_is_done(const opac_learning *l)
{
    return !needs_trial(l) || l->trial_done || l->report.resumed;
}

opac_status sample_loop_run_trial(opac_learning *l, opac_error *error)
{
    sample_trial trial = {.seed = l->run.seed,
                          .steps = l->options.trial_steps,
                          .automaton = l->automaton,
                          .has_hidden_state = l->options.nothing_known,
                          .halt = must_stop,
                          .context = &l->run};
    if (!needs_trial(l) || l->trial_done)
        return OPAC_OK;
    opac_status status;
    TRY_OR(done, sample_trial_run(l->run.stats.env, &trial, error));
    l->trial_done = !trial.is_halted;
    if (may_draw(l) && !trial.is_halted)
        TRY_OR(done, sample_trial_draws(l->run.stats.env, &trial, error));
    sample_statistics_raise_sizes(&l->run.stats, &trial.seen.most);
    if (l->run.strategy->compare_trial != NULL)
        TRY_OR(done, l->run.strategy->compare_trial(l, &trial.seen, error));
done:
    sample_trial_fini(&trial);
    return status;
}

/* Makes the step sampler, after the trial. If the simulator's randomness is not a function of the seed,
 * episodes are run one at a time, and the caller gets a warning. */
static opac_status make_step(opac_learning *l, sample_step **step, opac_error *error)
{
    bool is_same = true;
    TRY(sample_step_new(&l->run, step, error));
    TRY(sample_loop_run_trial(l, error));
    if (!l->traits.is_model && !l->options.untested)
        TRY(sample_repeats_new(SAMPLE_REPEATS_LEVEL / 2, &(*step)->repeats, error));
    if ((*step)->repeats != NULL && l->options.nothing_known)
        sample_repeats_allow_hidden_state((*step)->repeats);
    if (needs_seed_check(l, *step))
        TRY(sample_step_check_seeds(*step, &is_same, error));
    if (!is_same) {
        l->run.sequential = true;
        l->lost_episode = l->report.resumed;
        sample_notice(l,
                      "the simulator's random numbers are not a function of the seed: episodes are "
                      "run one at a time, and the run cannot be repeated");
    }
    return OPAC_OK;
}

/* Reads the checkpoint, and passes its trace to the listener. */
static opac_status resume(opac_learning *l, opac_error *error)
{
    sample_checkpoint all = {l->question, &l->run, &l->trace};
    TRY(sample_checkpoint_read(&all, l->options.checkpoint, error));
    l->report.resumed = true;
    l->run.updates++;
    for (size_t i = 0; i < l->trace.count && l->options.trace != NULL; i++)
        l->options.trace(l->options.trace_context, NULL, &l->trace.items[i]);
    return OPAC_OK;
}

opac_status sample_loop_add_trace(opac_learning *l, double value, double lower, double upper,
                                  opac_error *error)
{
    opac_trace_entry entry = {.episode = l->run.episodes,
                              .step = l->run.steps,
                              .known = sample_statistics_finished(&l->run.stats),
                              .horizon = l->run.horizon,
                              .candidates = l->report.candidates,
                              .value = value,
                              .lower = lower,
                              .upper = upper,
                              .truth = NAN};
    l->run.policies++;
    if (l->options.trace != NULL)
        l->options.trace(l->options.trace_context, l, &entry);
    return sample_trace_vec_push(&l->trace, entry, error);
}

static opac_status start(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    if (l->options.resume) {
        TRY(resume(l, error));
        return l->run.strategy->resume(loop, error);
    }
    TRY(observe_start(&l->run, error));
    return l->run.strategy->start(loop, error);
}

/* ---- samples ---- */

static bool uses_population(const opac_learning *l)
{
    return l->run.strategy->uses_population != NULL && l->run.strategy->uses_population(l);
}

static opac_status advance_population(sample_loop *loop, opac_error *error)
{
    if (loop->population == NULL) {
        TRY(sample_loop_run_trial(loop->learning, error));
        TRY(sample_population_new(&loop->learning->run, &loop->population, error));
    }
    return sample_population_advance(loop->population, error);
}

static opac_status advance_step(sample_loop *loop, opac_error *error)
{
    if (loop->step == NULL)
        TRY(make_step(loop->learning, &loop->step, error));
    return sample_step_advance(loop->step, error);
}

static opac_status sample(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    double before = opac_clock_seconds();
    opac_status status =
        uses_population(l) ? advance_population(loop, error) : advance_step(loop, error);
    l->report.sampling_seconds += opac_clock_seconds() - before;
    return status;
}

/* ---- the loop ---- */

static opac_status iterate(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    const sample_strategy *strategy = l->run.strategy;
    bool wants_samples = false;
    TRY(strategy->next(loop, &wants_samples, error));
    if (loop->is_ended || !wants_samples)
        return OPAC_OK;
    opac_status status =
        sample_loop_trial_is_done(l) ? sample(loop, error) : sample_loop_run_trial(l, error);
    if (status == OPAC_ERROR_SIMULATOR)
        strategy->fail(loop);
    TRY(status);
    return strategy->absorb(loop, error);
}

opac_status sample_loop_run(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    sample_loop loop;
    begin(&loop, l, tuning);
    if (l->run.strategy->begin != NULL)
        l->run.strategy->begin(&loop);
    opac_status status = start(&loop, error);
    opac_progress_start(l->options.progress, "steps sampled");
    while (status == OPAC_OK && !loop.is_ended)
        status = iterate(&loop, error);
    opac_progress_finish(l->options.progress);
    if (status == OPAC_OK)
        status = l->run.strategy->finish(&loop, error);
    l->report.sampler = uses_population(l) ? OPAC_SAMPLER_POPULATION : OPAC_SAMPLER_STEP;
    l->report.seconds = opac_clock_seconds() - loop.began;
    l->run.halt = NULL;
    l->run.halt_context = NULL;
    sample_step_free(loop.step);
    sample_population_free(loop.population);
    return status;
}
