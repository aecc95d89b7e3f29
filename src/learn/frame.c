/* SPDX-License-Identifier: MIT */
/* The beginning and the ends of a run: see frame.h. */
#include "learn/frame.h"

#include <math.h>

#include "learn/step.h"
#include "learn/support.h"
#include "learn/trial.h"

bool learn_frame_is_due(const learn_frame *frame)
{
    return frame->learning->options.checkpoint != NULL && opac_clock_seconds() >= frame->due;
}

static bool halt(void *context)
{
    const learn_frame *frame = context;
    return learn_run_must_stop(&frame->learning->run) || learn_frame_is_due(frame);
}

void learn_frame_begin(learn_frame *frame, opac_learning *l, const learn_tuning *tuning)
{
    *frame = (learn_frame){.learning = l, .began = opac_clock_seconds()};
    /* Of a long episode's beginning there is to be one. */
    frame->due = frame->began;
    if (l->run.horizon <= LEARN_LONG_EPISODE)
        frame->due += l->options.checkpoint_seconds;
    l->run.deadline = l->options.max_seconds > 0 ? frame->began + l->options.max_seconds : 0;
    l->run.halt = halt;
    l->run.halt_context = frame;
    l->run.cancel = l->options.cancel;
    if (!l->traits.is_tabulated)
        base_meter_init(&l->run.meter, l->options.max_memory);
    l->run.one_by_one = tuning->one_by_one;
}

void learn_frame_end(learn_frame *frame)
{
    opac_learning *l = frame->learning;
    l->report.seconds = opac_clock_seconds() - frame->began;
    l->run.halt = NULL;
    l->run.halt_context = NULL;
}

void learn_frame_stop(learn_frame *frame, opac_learn_end why)
{
    frame->learning->report.end = why;
    frame->is_ended = true;
}

void learn_frame_stop_cancelled(learn_frame *frame)
{
    bool is_late = opac_cancel_why(frame->learning->options.cancel) == OPAC_CANCEL_TIME;
    learn_frame_stop(frame, is_late ? OPAC_END_SECONDS : OPAC_END_CANCELLED);
}

void learn_frame_write(opac_learning *l, const char *bytes, size_t length)
{
    const learn_checkpoint all = {l->question, &l->run, &l->trace};
    const char *path = l->options.checkpoint;
    opac_error error = {0};
    opac_status status = bytes != NULL
                             ? learn_checkpoint_write_bytes(bytes, length, path, &l->lock, &error)
                             : learn_checkpoint_write(&all, path, &l->lock, &error);
    l->report.checkpoint_failed = status != OPAC_OK;
    if (status != OPAC_OK)
        learn_tell_failure(l, "the checkpoint was not written", &error);
}

void learn_frame_save(learn_frame *frame)
{
    opac_learning *l = frame->learning;
    opac_error error = {0};
    if (l->options.checkpoint == NULL)
        return;
    if (l->run.is_torn) {
        base_fail(&error, OPAC_ERROR_CANCELLED,
                  "an episode was broken off; the checkpoint of before it stays");
        learn_tell_failure(l, "the checkpoint was not written", &error);
        return;
    }
    double before = opac_clock_seconds();
    learn_frame_write(l, NULL, 0);
    /* At least as long as writing took: otherwise a slow disk leaves no time for the run. */
    double now = opac_clock_seconds();
    frame->due = now + fmax(l->options.checkpoint_seconds, now - before);
}

/* Whether another episode fits. */
static bool is_spent(const learn_run *run)
{
    uint64_t most = run->max_steps > 0 ? run->max_steps : UINT64_MAX;
    return run->steps > most || most - run->steps < run->horizon;
}

void learn_frame_check_ends(learn_frame *frame)
{
    opac_learning *l = frame->learning;
    l->report.exceeded = learn_world_exceeded(&l->run.world);
    if (l->report.exceeded != NULL)
        learn_frame_stop(frame, OPAC_END_EXCEEDED);
    else if (opac_cancel_requested(l->options.cancel))
        learn_frame_stop_cancelled(frame);
    else if (is_spent(&l->run))
        learn_frame_stop(frame, OPAC_END_STEPS);
    else if (learn_run_is_late(&l->run))
        learn_frame_stop(frame, OPAC_END_SECONDS);
    else if (base_meter_look(&l->run.meter))
        learn_frame_stop(frame, OPAC_END_MEMORY);
}

opac_status learn_frame_look_at_start(learn_run *run, opac_error *error)
{
    opac_observation seen;
    uint32_t state;
    TRY(env_reset(run->world.env, env_episode_seed(run->seed, 0), &seen, error));
    TRY(learn_world_meet(&run->world, &seen, &state, error));
    TRY(learn_world_begin(&run->world, state, error));
    return learn_world_refresh(&run->world, NULL, error);
}

/* Otherwise none is run twice, neither here nor, broken off, in the run before. */
static bool may_run_twice(const opac_learning *l, const learn_step *step)
{
    return learn_step_can_run_ahead(step) || (l->report.resumed && !l->traits.is_tabulated);
}

static bool must_stop(void *context)
{
    return learn_run_must_stop(context);
}

static bool may_draw(const opac_learning *l)
{
    bool is_bracket = learn_certify_is_asked(&l->options);
    return l->traits.can_draw && (is_bracket ? l->options.explore == OPAC_EXPLORE_GENERATIVE
                                             : l->options.sampler != OPAC_SAMPLER_STEP);
}

static bool is_for_trial(const opac_learning *l)
{
    return !(l->traits.is_tabulated || l->options.untested || learn_is_declared_deterministic(l));
}

bool learn_frame_may_claim(const opac_learning *l)
{
    return !is_for_trial(l) || l->is_tried || l->report.resumed;
}

opac_status learn_frame_try(opac_learning *l, opac_error *error)
{
    learn_trial trial = {.seed = l->run.seed,
                         .steps = l->options.trial_steps,
                         .automaton = l->automaton,
                         .halt = must_stop,
                         .context = &l->run};
    if (!is_for_trial(l) || l->is_tried)
        return OPAC_OK;
    opac_status status;
    TRY_OR(done, learn_trial_run(l->run.world.env, &trial, error));
    l->is_tried = !trial.is_halted;
    if (may_draw(l) && !trial.is_halted)
        TRY_OR(done, learn_trial_draws(l->run.world.env, &trial, error));
    learn_world_raise(&l->run.world, &trial.seen.most);
    if (l->run.support != NULL)
        TRY_OR(done, learn_support_look_elsewhere(l->run.support, &trial.seen, error));
done:
    learn_trial_fini(&trial);
    return status;
}

opac_status learn_frame_make_step(opac_learning *l, learn_step **step, opac_error *error)
{
    bool is_same = true;
    TRY(learn_step_new(&l->run, step, error));
    TRY(learn_frame_try(l, error));
    if (!l->traits.is_tabulated && !l->options.untested)
        TRY(learn_repeats_new(LEARN_REPEATS_LEVEL / 2, &(*step)->repeats, error));
    if (may_run_twice(l, *step))
        TRY(learn_step_probe(*step, &is_same, error));
    if (!is_same) {
        l->run.one_by_one = true;
        l->is_gappy = l->report.resumed;
        learn_notice(l,
                     "what is random in the simulator does not follow from the seed: one episode "
                     "is run at a time, and the run cannot be repeated");
    }
    return OPAC_OK;
}

opac_status learn_frame_resume(opac_learning *l, opac_error *error)
{
    learn_checkpoint all = {l->question, &l->run, &l->trace};
    TRY(learn_checkpoint_read(&all, l->options.checkpoint, error));
    l->report.resumed = true;
    l->run.updates++;
    for (size_t i = 0; i < l->trace.count && l->options.trace != NULL; i++)
        l->options.trace(l->options.trace_context, NULL, &l->trace.items[i]);
    return OPAC_OK;
}

opac_status learn_frame_trace(opac_learning *l, double value, double lower, double upper,
                              opac_error *error)
{
    opac_trace_entry entry = {.episode = l->run.episodes,
                              .step = l->run.steps,
                              .known = l->run.world.known,
                              .horizon = l->run.horizon,
                              .value = value,
                              .lower = lower,
                              .upper = upper,
                              .truth = NAN};
    l->run.policies++;
    if (l->options.trace != NULL)
        l->options.trace(l->options.trace_context, l, &entry);
    return learn_trace_vec_push(&l->trace, entry, error);
}
