/* SPDX-License-Identifier: MIT */
/*
 * The loop of ω-PAC (Algorithm 2 of the paper; theory.md, section 4).
 *
 *     look at the start ─► policy ─► done? ──no──► sample ─► refresh ─► policy …
 *                                     │ yes
 *                                     └─► settle ─► still done? ─► T refuted (auto)? ─► end
 *
 * Checkpoints are written at "done?", between episodes, when policy and world fit
 * together: a run that begins there goes on as the one before. For the same
 * reason solving is never broken off. When the environment fails, the episode under way is
 * dropped, and so there is a checkpoint of all before it.
 *
 * Which sampler `auto` takes is decided by k and what is declared: so it does not
 * depend on where a run was interrupted.
 *
 * Livelock cannot be: the optimistic model's edges are real, so what the policy
 * can reach in it is reached with positive probability. Only, that may be smaller
 * than it looks: with k observations an edge of frequency f was seen, whose
 * probability is less than f/x with a chance of about 1/x. So we wait, without
 * any new observation, for
 *
 *     64 · patience · (known counters + 1) / r
 *
 * episodes, r the learned probability of meeting what is unknown, patience a
 * million: if reality is within that factor of what was learned, and it fails to
 * be so with a chance of about one in a million, nothing is met with probability
 * e^-64. A simulator that ignores its seed gets there.
 */
#include <math.h>
#include <string.h>

#include <omegapac/text.h>

#include "learn/frame.h"
#include "learn/step.h"

static const uint64_t first_look = 100000; /* episodes before the detector computes anything */

typedef struct loop {
    opac_learning *l;
    learn_frame frame;
    const learn_tuning *tuning;
    learn_step *step;
    learn_population *population; /* NULL: not used */
    base_u32_vec changed;
} loop;

/* ---- the policy ---- */

static double value_of(const opac_learning *l, learn_value value)
{
    return l->least ? 1 - value.lower : value.lower;
}

static opac_status trace(opac_learning *l, opac_error *error)
{
    double value = value_of(l, learn_optimist_value(l->run.optimist));
    return learn_frame_trace(l, value, NAN, NAN, error);
}

/* changed NULL: from scratch. */
static opac_status renew(loop *at, const base_u32_vec *changed, opac_error *error)
{
    double before = opac_clock_seconds();
    opac_status status = learn_optimist_update(at->l->run.optimist, changed, error);
    at->l->run.updates++;
    at->l->report.solving_seconds += opac_clock_seconds() - before;
    TRY(status);
    return trace(at->l, error);
}

/* What became known since, if anything did. */
static opac_status refresh(loop *at, opac_error *error)
{
    bool is_full = at->l->run.world.full.count > 0;
    at->changed.count = 0;
    if (!is_full)
        return OPAC_OK;
    TRY(learn_world_refresh(&at->l->run.world, &at->changed, error));
    return renew(at, &at->changed, error);
}

static opac_status settle(loop *at, opac_error *error)
{
    double before = opac_clock_seconds();
    opac_status status = learn_optimist_settle(at->l->run.optimist, error);
    at->l->run.updates++;
    at->l->report.solving_seconds += opac_clock_seconds() - before;
    return status;
}

/* ---- is it done? ---- */

/* By the stopping condition, or since little is left to be met (--slack). */
static opac_status is_done(loop *at, bool *done, opac_error *error)
{
    opac_learning *l = at->l;
    const opac_learn_options *o = &l->options;
    double before = opac_clock_seconds();
    l->report.risk = 0;
    opac_status status = learn_optimist_is_done(l->run.optimist, l->run.horizon,
                                                o->stop == OPAC_STOP_ALL_ACTIONS, done, error);
    if (status == OPAC_OK && !*done && o->slack > 0) {
        double risk;
        status = learn_optimist_risk(l->run.optimist, l->run.horizon, &risk, error);
        if (status == OPAC_OK && risk <= o->slack) {
            l->report.risk = risk;
            *done = true;
        }
    }
    l->report.solving_seconds += opac_clock_seconds() - before;
    return status;
}

/* -T auto: twice as long, with the k that this asks for. */
static opac_status lengthen(loop *at, opac_error *error)
{
    opac_learning *l = at->l;
    if (l->run.horizon > UINT64_MAX / 4)
        return base_fail(error, OPAC_ERROR_LIMIT, "T would exceed 64 bits");
    l->run.horizon *= 2;
    TRY(learn_theory_of_horizon(l, l->run.horizon, error));
    if (l->report.k > l->run.world.k) {
        TRY(learn_world_set_k(&l->run.world, l->report.k, error));
        TRY(learn_world_refresh(&l->run.world, NULL, error));
    }
    return renew(at, NULL, error);
}

/* The stopping condition was met: by the canonical policy, too? If not, the run goes on with it. */
static opac_status conclude(loop *at, opac_error *error)
{
    opac_learning *l = at->l;
    bool done = false;
    TRY(settle(at, error));
    TRY(is_done(at, &done, error));
    if (!done)
        return trace(l, error);
    opac_status status = learn_horizon_check(l, error);
    if (status == OPAC_ERROR_CANCELLED) {
        learn_frame_stop_cancelled(&at->frame); /* who resumes it checks */
        return OPAC_OK;
    }
    TRY(status);
    if (l->options.horizon == 0 && l->report.horizon_check == OPAC_HORIZON_REFUTED)
        return lengthen(at, error);
    learn_frame_stop(&at->frame, OPAC_END_DONE);
    return OPAC_OK;
}

/* ---- livelock ---- */

static uint64_t count_samples(const learn_world *world)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < world->counters.count; i++)
        sum += world->counters.items[i].count;
    return sum;
}

static void watch(learn_run *run, uint64_t episodes)
{
    run->limit = run->episodes < UINT64_MAX - episodes ? run->episodes + episodes : UINT64_MAX;
}

/* Something was observed, or nothing was asked for yet. */
static void begin_watch(learn_run *run)
{
    run->samples = count_samples(&run->world);
    run->mark = run->episodes;
    watch(run, first_look);
}

/* The sampler came to the limit. */
static opac_status look(loop *at, opac_error *error)
{
    learn_run *run = &at->l->run;
    uint64_t samples = count_samples(&run->world);
    double risk = 0;
    if (samples != run->samples) {
        begin_watch(run);
        return OPAC_OK;
    }
    TRY(learn_optimist_risk(run->optimist, run->horizon, &risk, error));
    double patience = 64 * at->tuning->patience * (double)(run->world.known + 1) / risk;
    double waited = (double)(run->episodes - run->mark);
    if (waited >= patience)
        learn_frame_stop(&at->frame, OPAC_END_LIVELOCK);
    else
        watch(run, patience - waited < 1e18 ? (uint64_t)(patience - waited) + 1 : UINT64_MAX);
    return OPAC_OK;
}

/* ---- sampling ---- */

/*
 * Both cost about the same a policy when k steps through the tables, of some 5
 * nanoseconds, take as long as 2 log k batches, each a draw of some 60 nanoseconds for
 * each branch of each pair; both are made T times. What a batch keeps has to fit.
 */
static bool prefers_population(const opac_learning *l)
{
    double pairs = l->declared.states > 0
                       ? (double)l->declared.states * (double)l->automaton->state_count
                       : 10000;
    double width = l->declared.branching > 0 ? (double)l->declared.branching : 4;
    double k = (double)l->report.k, edges = pairs * (width < 16 ? width : 16);
    return l->traits.can_draw && k >= 24 * log2(k + 1) * edges &&
           edges * (double)l->run.horizon <= LEARN_POPULATION_FLOWS;
}

static bool is_in_batches(const opac_learning *l)
{
    return l->options.sampler == OPAC_SAMPLER_POPULATION ||
           (l->options.sampler == OPAC_SAMPLER_AUTO && prefers_population(l));
}

static opac_status advance_population(loop *at, opac_error *error)
{
    if (at->population == NULL) {
        TRY(learn_frame_try(at->l, error));
        TRY(learn_population_new(&at->l->run, &at->population, error));
    }
    return learn_population_advance(at->population, error);
}

static opac_status advance_step(loop *at, opac_error *error)
{
    if (at->step == NULL)
        TRY(learn_frame_make_step(at->l, &at->step, error));
    return learn_step_advance(at->step, error);
}

static opac_status sample(loop *at, opac_error *error)
{
    learn_run *run = &at->l->run;
    double before = opac_clock_seconds();
    opac_status status =
        is_in_batches(at->l) ? advance_population(at, error) : advance_step(at, error);
    at->l->report.sampling_seconds += opac_clock_seconds() - before;
    TRY(status);
    return run->world.full.count > 0 || run->episodes < run->limit ? OPAC_OK : look(at, error);
}

/* The environment has failed: what was seen before is for the next run. Of a batch that was drawn
 * together, a part may be counted: then the last checkpoint stays. */
static void leave(loop *at)
{
    if (!is_in_batches(at->l) && refresh(at, NULL) == OPAC_OK)
        learn_frame_save(&at->frame);
}

static opac_status turn(loop *at, opac_error *error)
{
    bool done = false, may_claim = learn_frame_may_claim(at->l);
    if (learn_world_exceeded(&at->l->run.world) == NULL && !at->l->run.is_torn && may_claim)
        TRY(is_done(at, &done, error));
    if (done) {
        learn_frame_save(&at->frame);
        return conclude(at, error);
    }
    learn_frame_check_ends(&at->frame);
    if (at->frame.is_ended || learn_frame_is_due(&at->frame))
        learn_frame_save(&at->frame);
    if (at->frame.is_ended)
        return OPAC_OK;
    opac_status status = may_claim ? sample(at, error) : learn_frame_try(at->l, error);
    if (status == OPAC_ERROR_SIMULATOR)
        leave(at);
    TRY(status);
    return refresh(at, error);
}

/* ---- the beginning ---- */

/* Its question was the same as ours; are its numbers those that this question leads to? */
static opac_status check_resumed(const opac_learning *l, opac_error *error)
{
    const learn_run *run = &l->run;
    const opac_learn_options *o = &l->options;
    const char *what = run->seed != o->seed                           ? "seed"
                       : o->horizon > 0 && run->horizon != o->horizon ? "T"
                       : run->world.k != l->report.k                  ? "k"
                                                                      : NULL;
    char shown[OPAC_SHOWN_SIZE];
    if (what == NULL)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "'%s' is no sound checkpoint: its %s is not the one that it was asked for",
                     opac_text_show(o->checkpoint, strlen(o->checkpoint), shown, sizeof shown),
                     what);
}

static opac_status resume(opac_learning *l, opac_error *error)
{
    TRY(learn_frame_resume(l, error));
    if (l->run.horizon != l->params.horizon)
        TRY(learn_theory_of_horizon(l, l->run.horizon, error));
    return check_resumed(l, error);
}

static opac_status start(loop *at, opac_error *error)
{
    opac_learning *l = at->l;
    if (l->options.resume)
        return resume(l, error);
    TRY(learn_frame_look_at_start(&l->run, error));
    begin_watch(&l->run);
    return renew(at, NULL, error);
}

/* Of a run that was ended early: the policy so far, as it would be at the end. */
static opac_status round_off(loop *at, opac_error *error)
{
    if (at->l->report.end == OPAC_END_DONE)
        return OPAC_OK;
    opac_status status = settle(at, error);
    if (status == OPAC_OK)
        status = learn_horizon_check(at->l, error);
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}

opac_status learn_loop(opac_learning *l, const learn_tuning *tuning, opac_error *error)
{
    loop at = {.l = l, .tuning = tuning};
    learn_frame_begin(&at.frame, l, tuning);
    opac_status status = start(&at, error);
    opac_progress_start(l->options.progress, "steps sampled");
    while (status == OPAC_OK && !at.frame.is_ended)
        status = turn(&at, error);
    opac_progress_finish(l->options.progress);
    if (status == OPAC_OK)
        status = round_off(&at, error);
    l->report.sampler = is_in_batches(l) ? OPAC_SAMPLER_POPULATION : OPAC_SAMPLER_STEP;
    learn_frame_end(&at.frame);
    learn_step_free(at.step);
    learn_population_free(at.population);
    base_u32_vec_fini(&at.changed);
    return status;
}
