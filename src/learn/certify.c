/* SPDX-License-Identifier: MIT */
/*
 * Closing a bracket around the best probability (design: certified learning without T).
 *
 *     look at the start ─► support ─► refuted? ─► bracket ─► narrow? ──no──► batch of episodes ─┐
 *                             ▲                                 │ yes                           │
 *                             │                                 └─► end                         │
 *                             └─────────────────────────────────────────────────────────────────┘
 *
 * The bracket is valid after any number of samples, and whatever made the run stop: all sequences
 * hold at all times at once. So every end has one, of all that was seen. Only a refutation, and a
 * declared bound that was wrong, leave nothing.
 *
 * Checkpoints are written between episodes, before the bracket of a finished batch is
 * computed: from there a run goes on as the one before. So that there is one at the end as well,
 * what would have been written before the last update is kept in memory.
 *
 * Time that is up, and a request, reach the solver, too: it ends with what it has proven by then. That
 * may be less than it could be, so the bracket at the end is computed once more, with some grace.
 *
 * Livelock cannot be: as long as U > L, some row on the hopeful policy's way is not complete or
 * has an interval, and is met with positive probability; or the reset has unseen mass, which each
 * further reset makes less. But the solver's own error may be what is left:
 * when nothing can be learned any more, it is made smaller; and if even that is of no use, the
 * run ends, and says so.
 */
#include "learn/certify.h"

#include <math.h>

#include "aut/automaton.h"
#include "base/cancel.h"
#include "learn/step.h"

static const double solver_share = 1.0 / 64; /* of epsilon: the solver's precision */
static const double least_precision = 1e-13;
/* For the bracket at the end: of the time that was given; and seconds, of one who waits. */
static const double grace = 0.1;
static const double least_grace = 0.1;
/* Seconds that an update may still take once it was asked to end with what is proven: so many, and at
 * most so much of the time that was given. */
static const double patience = 2;
static const double patience_share = 0.5;

typedef struct certify {
    opac_learning *l;
    learn_frame frame;
    learn_step *step;
    opac_output *kept;  /* the checkpoint before the last update; NULL: none */
    bool is_fresh;      /* the bracket is of all that was seen */
    double until;       /* by opac_clock_seconds: so long the solver may work; INFINITY */
    bool is_last;       /* the run is over: it goes by nothing else */
    opac_cancel *brake; /* ends updates, whatever is proven */
    bool *is_braking;   /* its time was set */
} certify;

/* ---- what is asked ---- */

bool learn_certify_is_asked(const opac_learn_options *o)
{
    return o->pmin != 0 || o->graph != NULL;
}

opac_status learn_certify_check(const opac_learn_options *o, const env_traits *traits,
                                opac_error *error)
{
    if (o->pmin != 0 && !(o->pmin > 0 && o->pmin <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin", "pmin must lie in (0, 1]");
    if (o->pmin_start != 0 && !(o->pmin_start > 0 && o->pmin_start <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_start",
                                   "pmin_start must lie in (0, 1]");
    if (!(o->delta / 2 > 0)) /* it has two parts */
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "delta",
                                   "delta must be larger: half of it is no double above 0");
    if (o->graph != NULL && !env_get_traits(o->graph).knows_graph)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "graph",
            "the environment that is given as the graph does not know where actions "
            "can lead to");
    if (o->explore == OPAC_EXPLORE_GENERATIVE && !traits->can_draw)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "explore",
            "to explore by draws needs an environment that can draw successors of any "
            "state");
    if (o->sampler == OPAC_SAMPLER_POPULATION)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "sampler",
            "the population sampler is for runs with T, not with pmin or a graph");
    if (o->count_pairs)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "count_pairs",
                                   "with pmin or a graph, observations are counted by pair of the "
                                   "environment, not of the product");
    return OPAC_OK;
}

/* ---- what is made ---- */

/* So many rows there are at most; 0: unknown, or no better than no bound. */
static uint64_t most_rows(const opac_learning *l)
{
    const learn_limits *d = &l->declared;
    if (!l->has_bounds || d->actions > (UINT64_MAX - 1) / d->states)
        return 0;
    return d->states * d->actions + 1;
}

opac_status learn_certify_init(opac_learning *l, const learn_tuning *tuning, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    const learn_support_options support = {.pmin = o->pmin,
                                           .pmin_start = o->pmin_start,
                                           .graph = o->graph,
                                           .delta = o->delta,
                                           .rows = most_rows(l),
                                           .branching = l->declared.branching,
                                           .hoeffding = tuning->hoeffding,
                                           .uncut = tuning->uncut,
                                           .narrow = tuning->narrow,
                                           .haste = tuning->haste};
    const learn_bracket_options bracket = {.pairs = l->pairs.items,
                                           .pair_count = (uint32_t)l->pairs.count,
                                           .precision = o->epsilon * solver_share};
    const opac_automaton *a = l->automaton;
    if (o->graph != NULL && o->graph != l->run.world.env)
        TRY(env_bind(o->graph, (const char *const *)a->propositions, a->proposition_count, error));
    l->run.horizon = 1;
    if (o->max_steps == 0 || o->max_steps > LEARN_MOST_STEPS)
        l->run.max_steps = LEARN_MOST_STEPS;
    TRY(learn_support_new(&l->run.world, &support, &l->run.support, error));
    return learn_bracket_new(&l->run.world, l->run.support, &bracket, &l->run.bracket, error);
}

/* ---- the bracket ---- */

/* The difference rounded up: what rounding has taken off is computed exactly (Dekker). */
double learn_certify_gap(learn_bounds b)
{
    double gap = b.upper - b.lower, part = gap - b.upper;
    double lost = (b.upper - (gap - part)) - (b.lower + part);
    return lost > 0 ? nextafter(gap, INFINITY) : gap;
}

static opac_status trace(opac_learning *l, opac_error *error)
{
    learn_bounds b = learn_bracket_bounds(l->run.bracket);
    if (!l->least)
        return learn_frame_trace(l, b.lower, b.lower, b.upper, error);
    double upper = learn_certify_gap((learn_bounds){.lower = b.lower, .upper = 1});
    return learn_frame_trace(l, upper, learn_certify_complement_down(b.upper), upper, error);
}

/* *is_sound: nothing is refuted. */
static opac_status look_at_support(certify *at, bool *is_sound, opac_error *error)
{
    opac_learning *l = at->l;
    uint64_t changed;
    *is_sound = false;
    TRY(learn_support_refresh(l->run.support, &changed, error));
    TRY(learn_support_check(l->run.support, &l->refuted, error));
    l->report.exceeded = learn_world_exceeded(&l->run.world);
    if (l->refuted.kind != OPAC_REFUTED_NOT)
        learn_frame_stop(&at->frame, OPAC_END_REFUTED);
    else if (l->report.exceeded != NULL)
        learn_frame_stop(&at->frame, OPAC_END_EXCEEDED);
    else
        *is_sound = true;
    return OPAC_OK;
}

/* One that was ended leaves the values before it, as a guess; at the end of the run, none. */
static opac_status update(certify *at, opac_error *error)
{
    learn_bracket *bracket = at->l->run.bracket;
    opac_status status = learn_bracket_update(bracket, error);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    return at->is_last ? learn_bracket_forget(bracket, error) : OPAC_OK;
}

/* From all counts; also what follows from them for whoever listens. */
static opac_status renew(certify *at, bool *is_sound, opac_error *error)
{
    opac_learning *l = at->l;
    double before = opac_clock_seconds();
    opac_status status = look_at_support(at, is_sound, error);
    if (status == OPAC_OK && *is_sound)
        status = update(at, error);
    l->run.updates++;
    at->is_fresh = status == OPAC_OK && !learn_bracket_is_cut(l->run.bracket);
    l->report.solving_seconds += opac_clock_seconds() - before;
    TRY(status);
    return *is_sound ? trace(l, error) : OPAC_OK;
}

/* The update is over after so many seconds, and not by a request before. */
static void brake(const certify *at, double seconds)
{
    opac_cancel_reset(at->brake);
    opac_cancel_set_deadline(at->brake, seconds);
    *at->is_braking = true;
}

static double patience_of(const certify *at)
{
    double given = at->l->options.max_seconds;
    return given > 0 ? fmin(patience, fmax(patience_share * given, least_grace)) : patience;
}

/* For the solver. */
static bool must_stop(const void *context)
{
    const certify *at = context;
    bool is_over = opac_clock_seconds() >= at->until ||
                   (!at->is_last && opac_cancel_requested(at->l->options.cancel));
    if (is_over && !*at->is_braking)
        brake(at, patience_of(at));
    return is_over;
}

static bool is_narrow(const opac_learning *l)
{
    return learn_certify_gap(learn_bracket_bounds(l->run.bracket)) <= l->options.epsilon;
}

/* ---- what would be the last checkpoint ---- */

static void drop(certify *at)
{
    opac_output_free(at->kept);
    at->kept = NULL;
}

/* Without memory for it there is none: that stops nothing. */
static void keep(certify *at)
{
    opac_learning *l = at->l;
    const learn_checkpoint all = {l->question, &l->run, &l->trace};
    drop(at);
    if (l->options.checkpoint == NULL || l->run.is_torn ||
        opac_output_open_memory(&at->kept, NULL) != OPAC_OK)
        return;
    if (learn_checkpoint_print(&all, at->kept, NULL) != OPAC_OK)
        drop(at);
}

static void save_kept(certify *at)
{
    size_t length;
    if (at->kept == NULL)
        return;
    const char *bytes = opac_output_bytes(at->kept, &length);
    learn_frame_write(at->l, bytes, length);
}

/* ---- turns ---- */

/* The solver was stopped, and so is the run. */
static opac_status break_off(certify *at)
{
    at->is_fresh = false;
    learn_frame_check_ends(&at->frame);
    return OPAC_OK;
}

/* Nothing more can be learned, and yet the bracket is not narrow: by the solver's error? */
static opac_status sharpen(certify *at, opac_error *error)
{
    learn_bracket *bracket = at->l->run.bracket;
    for (double p = at->l->options.epsilon * solver_share; !is_narrow(at->l); p /= 16) {
        if (p < least_precision) {
            learn_frame_stop(&at->frame, OPAC_END_LIVELOCK);
            return OPAC_OK;
        }
        learn_bracket_sharpen(bracket, p);
        TRY(update(at, error));
        if (learn_bracket_is_cut(bracket) && !is_narrow(at->l))
            return break_off(at);
    }
    learn_frame_stop(&at->frame, OPAC_END_DONE);
    return trace(at->l, error);
}

static opac_status draw(certify *at, opac_error *error)
{
    learn_run *run = &at->l->run;
    double before = opac_clock_seconds();
    learn_draw_outcome outcome = LEARN_DRAW_NOTHING;
    opac_status status = learn_frame_try(at->l, error);
    if (status == OPAC_OK)
        status = learn_draw_round(at->l, &outcome, error);
    at->l->report.sampling_seconds += opac_clock_seconds() - before;
    opac_progress_update(run->progress, run->steps, at->l->options.max_steps);
    TRY(status);
    if (outcome == LEARN_DRAW_NOTHING)
        return sharpen(at, error);
    if (outcome == LEARN_DRAW_SPENT)
        learn_frame_stop(&at->frame, OPAC_END_STEPS);
    at->is_fresh = outcome == LEARN_DRAW_SPENT;
    return OPAC_OK;
}

/* The bracket is of all that was seen: is it narrow, and if not, what next? */
static opac_status decide(certify *at, opac_error *error)
{
    opac_learning *l = at->l;
    if (is_narrow(l)) {
        learn_frame_stop(&at->frame, OPAC_END_DONE);
        return OPAC_OK;
    }
    if (l->options.explore == OPAC_EXPLORE_GENERATIVE)
        return draw(at, error);
    bool is_open;
    TRY(learn_batch_choose(l, &is_open, error));
    return !is_open ? sharpen(at, error) : OPAC_OK;
}

static opac_status finish_batch(certify *at, opac_error *error)
{
    bool is_sound;
    keep(at);
    opac_status status = renew(at, &is_sound, error);
    if (status == OPAC_OK && is_sound)
        status = at->is_fresh || is_narrow(at->l) ? decide(at, error) : break_off(at);
    if ((status == OPAC_OK && at->frame.is_ended) || status == OPAC_ERROR_SIMULATOR)
        save_kept(at);
    return status;
}

static opac_status sample(certify *at, opac_error *error)
{
    opac_learning *l = at->l;
    double before = opac_clock_seconds();
    opac_status status = OPAC_OK;
    at->is_fresh = false;
    if (at->step == NULL)
        status = learn_frame_make_step(l, &at->step, error);
    if (status == OPAC_OK)
        status = learn_step_advance(at->step, error);
    l->report.sampling_seconds += opac_clock_seconds() - before;
    return status;
}

static opac_status turn(certify *at, opac_error *error)
{
    const learn_run *run = &at->l->run;
    learn_frame_check_ends(&at->frame);
    if (at->frame.is_ended || learn_frame_is_due(&at->frame))
        learn_frame_save(&at->frame);
    if (at->frame.is_ended)
        return OPAC_OK;
    bool may_claim = learn_frame_may_claim(at->l);
    if (may_claim && run->episodes >= run->limit)
        return finish_batch(at, error);
    opac_status status = may_claim ? sample(at, error) : learn_frame_try(at->l, error);
    if (status == OPAC_ERROR_SIMULATOR)
        learn_frame_save(&at->frame);
    return status;
}

/* ---- beginning and end ---- */

static opac_status start(certify *at, opac_error *error)
{
    opac_learning *l = at->l;
    if (l->options.resume) {
        TRY(learn_frame_resume(l, error));
        learn_bracket_follow(l->run.bracket, (learn_mood)l->run.batch.mood);
        return OPAC_OK;
    }
    l->run.limit = 0;
    return learn_frame_look_at_start(&l->run, error);
}

/*
 * Of a run that was ended early: the bracket of all that was seen. It may be as narrow as was
 * asked for, or show that something was refuted.
 */
static opac_status round_off(certify *at, opac_error *error)
{
    opac_learning *l = at->l;
    bool is_sound = false;
    bool is_early = !at->is_fresh && learn_frame_may_claim(l) &&
                    (l->report.end == OPAC_END_STEPS || l->report.end == OPAC_END_SECONDS ||
                     l->report.end == OPAC_END_CANCELLED);
    at->is_last = true;
    double seconds = fmax(grace * l->options.max_seconds, least_grace);
    at->until = opac_clock_seconds() + seconds;
    brake(at, seconds + patience_of(at));
    opac_status status = is_early ? renew(at, &is_sound, error) : OPAC_OK;
    if (status == OPAC_OK && is_sound && is_narrow(l))
        l->report.end = OPAC_END_DONE;
    l->run.batch.is_eager = 0;
    learn_bracket_follow(l->run.bracket, LEARN_CAUTIOUS);
    return status;
}

/* What ends updates: first the caller's handle and the time of the run. */
static void limit(certify *at)
{
    opac_learning *l = at->l;
    at->until = l->run.deadline > 0 ? l->run.deadline : INFINITY;
    base_cancel_follow(at->brake, l->options.cancel);
    opac_cancel_set_deadline(at->brake, l->options.max_seconds);
    learn_bracket_limit(l->run.bracket, must_stop, at, at->brake);
    learn_support_limit(l->run.support, at->brake);
}

opac_status learn_certify(opac_learning *l, const learn_tuning *tuning, opac_error *error)
{
    bool is_braking = false;
    certify at = {.l = l, .is_braking = &is_braking};
    TRY(opac_cancel_new(&at.brake, error));
    learn_frame_begin(&at.frame, l, tuning);
    limit(&at);
    opac_status status = start(&at, error);
    opac_progress_start(l->options.progress, "steps sampled");
    while (status == OPAC_OK && !at.frame.is_ended)
        status = turn(&at, error);
    opac_progress_finish(l->options.progress);
    if (status == OPAC_OK)
        status = round_off(&at, error);
    learn_bracket_limit(l->run.bracket, NULL, NULL, NULL);
    learn_support_limit(l->run.support, NULL);
    opac_cancel_free(at.brake);
    l->report.sampler = OPAC_SAMPLER_STEP;
    learn_frame_end(&at.frame);
    learn_step_free(at.step);
    drop(&at);
    return status;
}
