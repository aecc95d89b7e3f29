/* SPDX-License-Identifier: MIT */
/*
 * Closing a bracket around the best probability (design: certified learning without T).
 *
 *     look at the start ─► support ─► refuted? ─► bracket ─► narrow? ──no──► round of episodes ─┐
 *                             ▲                                 │ yes                           │
 *                             │                                 └─► end                         │
 *                             └─────────────────────────────────────────────────────────────────┘
 *
 * The bracket is valid after any number of samples, and whatever made the run stop: all sequences
 * hold at all times at once. So every end has one, of all that was seen. Only a refutation, and a
 * declared bound that was wrong, leave nothing.
 *
 * Checkpoints are written between episodes, before the bracket of a finished round is
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
#include "bracket/bracket.h"

#include <math.h>

#include "aut/automaton.h"
#include "base/cancel.h"
#include "bracket/certificate.h"
#include "sample/budget.h"

static const double solver_share = 1.0 / 64; /* of epsilon: the solver's precision */
static const double least_precision = 1e-13;
/* For the bracket at the end: of the time that was given; and seconds, of one who waits. */
static const double grace = 0.1;
static const double least_grace = 0.1;
/* Seconds that an update may still take once it was asked to end with what is proven: so many, and at
 * most so much of the time that was given. */
static const double patience = 2;
static const double patience_share = 0.5;

static bracket_state *state_of(const opac_learning *l)
{
    return l->run.own;
}

/* ---- what is asked ---- */

static opac_status check(const opac_learn_options *o, const env_traits *traits, opac_error *error)
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

/* A graph or model by its digest; "yes" for what has none. */
static void describe(const opac_learn_options *o, base_text *text)
{
    sample_question_accuracy(text, o);
    sample_question_number(text, "pmin", o->pmin);
    sample_question_number(text, "pmin-start", o->pmin_start);
    if (o->graph != NULL)
        sample_question_model(text, "graph", o->graph);
    else
        base_text_add(text, "graph=no\n");
    base_text_format(text, "explore=%s\n",
                     o->explore == OPAC_EXPLORE_GENERATIVE ? "generative" : "episodes");
}

static opac_status choose_k(opac_learning *l, uint64_t *k, opac_error *error)
{
    (void)l;
    (void)error;
    *k = SAMPLE_NEVER_FULL;
    return OPAC_OK;
}

static bool may_draw(const opac_learn_options *o)
{
    return o->explore == OPAC_EXPLORE_GENERATIVE;
}

/* ---- its state ---- */

opac_status bracket_attach(sample_run *run, const bracket_support_options *support,
                           const bracket_model_options *bracket, opac_error *error)
{
    bracket_state *own = base_alloc_zeroed(1, sizeof *own);
    if (own == NULL)
        return base_fail_memory(error);
    run->strategy = &bracket_strategy;
    run->own = own;
    TRY(opac_cancel_new(&own->stop_handle, error));
    TRY(bracket_support_new(&run->stats, support, &own->support, error));
    return bracket_model_new(&run->stats, own->support, bracket, &own->bracket, error);
}

static void discard_last_checkpoint(bracket_state *own)
{
    opac_output_free(own->last_checkpoint);
    own->last_checkpoint = NULL;
}

static void free_state(sample_run *run)
{
    bracket_state *own = run->own;
    bracket_model_free(own->bracket);
    bracket_support_free(own->support);
    opac_cancel_free(own->stop_handle);
    discard_last_checkpoint(own);
    base_free(own);
}

static opac_status prepare(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    const bracket_support_options support = {
        .pmin = o->pmin,
        .pmin_start = o->pmin_start,
        .graph = o->graph,
        .delta = o->delta,
        .rows = sample_budget_rows(l->declared.states, l->declared.actions),
        .branching = l->declared.branching,
        .hoeffding = tuning->hoeffding,
        .no_pmin_cut = tuning->no_pmin_cut,
        .interval_scale = tuning->interval_scale,
        .visits_divisor = tuning->visits_divisor};
    const bracket_model_options bracket = {.pairs = l->pairs.items,
                                           .pair_count = (uint32_t)l->pairs.count,
                                           .precision = o->epsilon * solver_share};
    const opac_automaton *a = l->automaton;
    if (o->graph != NULL && o->graph != l->run.stats.env)
        TRY(env_bind(o->graph, (const char *const *)a->propositions, a->proposition_count, error));
    l->run.horizon = 1;
    if (o->max_steps == 0 || o->max_steps > BRACKET_MOST_STEPS)
        l->run.max_steps = BRACKET_MOST_STEPS;
    return bracket_attach(&l->run, &support, &bracket, error);
}

static opac_status compare_trial(opac_learning *l, const sample_statistics *seen, opac_error *error)
{
    return bracket_support_check_trial(state_of(l)->support, seen, error);
}

/* ---- the bracket ---- */

/* The difference rounded up: what rounding has taken off is computed exactly (Dekker). */
double bracket_gap(bracket_bounds b)
{
    double gap = b.upper - b.lower, part = gap - b.upper;
    double lost = (b.upper - (gap - part)) - (b.lower + part);
    return lost > 0 ? nextafter(gap, INFINITY) : gap;
}

static opac_status trace(opac_learning *l, opac_error *error)
{
    bracket_bounds b = bracket_model_bounds(state_of(l)->bracket);
    if (!l->least)
        return sample_loop_add_trace(l, b.lower, b.lower, b.upper, error);
    double upper = bracket_gap((bracket_bounds){.lower = b.lower, .upper = 1});
    return sample_loop_add_trace(l, upper, bracket_complement_down(b.upper), upper, error);
}

/* *is_sound: nothing is refuted. */
static opac_status look_at_support(sample_loop *frame, bool *is_sound, opac_error *error)
{
    opac_learning *l = frame->learning;
    bracket_support *support = state_of(l)->support;
    uint64_t changed;
    *is_sound = false;
    TRY(bracket_support_refresh(support, &changed, error));
    TRY(bracket_support_check(support, &l->refuted, error));
    l->report.exceeded = sample_statistics_exceeded(&l->run.stats);
    if (l->refuted.kind != OPAC_REFUTED_NONE)
        sample_loop_end(frame, OPAC_END_REFUTED);
    else if (l->report.exceeded != NULL)
        sample_loop_end(frame, OPAC_END_EXCEEDED);
    else
        *is_sound = true;
    return OPAC_OK;
}

/* One that was ended leaves the values before it, as a guess; at the end of the run, none. */
static opac_status update(bracket_state *own, opac_error *error)
{
    opac_status status = bracket_model_update(own->bracket, error);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    return own->is_final ? bracket_model_reset_values(own->bracket, error) : OPAC_OK;
}

/* From all counts; also what follows from them for whoever listens. */
static opac_status renew(sample_loop *frame, bool *is_sound, opac_error *error)
{
    opac_learning *l = frame->learning;
    bracket_state *own = state_of(l);
    double before = opac_clock_seconds();
    opac_status status = look_at_support(frame, is_sound, error);
    if (status == OPAC_OK && *is_sound)
        status = update(own, error);
    l->run.updates++;
    own->is_current = status == OPAC_OK && !bracket_model_was_stopped(own->bracket);
    l->report.solving_seconds += opac_clock_seconds() - before;
    TRY(status);
    return *is_sound ? trace(l, error) : OPAC_OK;
}

/* The update is over after so many seconds, and not by a request before. */
static void stop_handle(bracket_state *own, double seconds)
{
    opac_cancel_reset(own->stop_handle);
    opac_cancel_set_deadline(own->stop_handle, seconds);
    own->has_stop_deadline = true;
}

static double patience_of(const opac_learning *l)
{
    double given = l->options.max_seconds;
    return given > 0 ? fmin(patience, fmax(patience_share * given, least_grace)) : patience;
}

/* For the solver. */
static bool must_stop(const void *context)
{
    const opac_learning *l = context;
    bracket_state *own = state_of(l);
    bool is_over = opac_clock_seconds() >= own->solver_deadline ||
                   (!own->is_final && opac_cancel_requested(l->options.cancel));
    if (is_over && !own->has_stop_deadline)
        stop_handle(own, patience_of(l));
    return is_over;
}

static bool is_narrow(const opac_learning *l)
{
    return bracket_gap(bracket_model_bounds(state_of(l)->bracket)) <= l->options.epsilon;
}

/* ---- what would be the last checkpoint ---- */

/* Without memory for it there is none: that stops nothing. */
static void keep_checkpoint(opac_learning *l)
{
    bracket_state *own = state_of(l);
    const sample_checkpoint all = {l->question, &l->run, &l->trace};
    discard_last_checkpoint(own);
    if (l->options.checkpoint == NULL || l->run.has_partial_episode ||
        opac_output_open_memory(&own->last_checkpoint, NULL) != OPAC_OK)
        return;
    if (sample_checkpoint_print(&all, own->last_checkpoint, NULL) != OPAC_OK)
        discard_last_checkpoint(own);
}

static void save_last_checkpoint(opac_learning *l)
{
    size_t length;
    if (state_of(l)->last_checkpoint == NULL)
        return;
    const char *bytes = opac_output_bytes(state_of(l)->last_checkpoint, &length);
    sample_loop_write_checkpoint(l, bytes, length);
}

/* ---- turns ---- */

/* The solver was stopped, and so is the run. */
static opac_status stop_unfinished(sample_loop *frame)
{
    state_of(frame->learning)->is_current = false;
    sample_loop_check_limits(frame);
    return OPAC_OK;
}

/* Nothing more can be learned, and yet the bracket is not narrow: by the solver's error? */
static opac_status increase_precision(sample_loop *frame, opac_error *error)
{
    opac_learning *l = frame->learning;
    bracket_state *own = state_of(l);
    for (double p = l->options.epsilon * solver_share; !is_narrow(l); p /= 16) {
        if (p < least_precision) {
            sample_loop_end(frame, OPAC_END_LIVELOCK);
            return OPAC_OK;
        }
        bracket_model_set_precision(own->bracket, p);
        TRY(update(own, error));
        if (bracket_model_was_stopped(own->bracket) && !is_narrow(l))
            return stop_unfinished(frame);
    }
    sample_loop_end(frame, OPAC_END_DONE);
    return trace(l, error);
}

static opac_status draw(sample_loop *frame, opac_error *error)
{
    opac_learning *l = frame->learning;
    double before = opac_clock_seconds();
    bracket_draw_outcome outcome = BRACKET_DRAW_USELESS;
    opac_status status = sample_loop_run_trial(l, error);
    if (status == OPAC_OK)
        status = bracket_draw_round(l, &outcome, error);
    l->report.sampling_seconds += opac_clock_seconds() - before;
    opac_progress_update(l->run.progress, l->run.steps, l->options.max_steps);
    TRY(status);
    if (outcome == BRACKET_DRAW_USELESS)
        return increase_precision(frame, error);
    if (outcome == BRACKET_DRAW_OVER_BUDGET)
        sample_loop_end(frame, OPAC_END_STEPS);
    state_of(l)->is_current = outcome == BRACKET_DRAW_OVER_BUDGET;
    return OPAC_OK;
}

/* The bracket is of all that was seen: is it narrow, and if not, what next? */
static opac_status decide(sample_loop *frame, opac_error *error)
{
    opac_learning *l = frame->learning;
    if (is_narrow(l)) {
        sample_loop_end(frame, OPAC_END_DONE);
        return OPAC_OK;
    }
    if (l->options.explore == OPAC_EXPLORE_GENERATIVE)
        return draw(frame, error);
    bool is_open;
    TRY(bracket_round_choose(l, &is_open, error));
    return !is_open ? increase_precision(frame, error) : OPAC_OK;
}

static opac_status finish_round(sample_loop *frame, opac_error *error)
{
    opac_learning *l = frame->learning;
    bool is_sound;
    keep_checkpoint(l);
    opac_status status = renew(frame, &is_sound, error);
    if (status == OPAC_OK && is_sound)
        status =
            state_of(l)->is_current || is_narrow(l) ? decide(frame, error) : stop_unfinished(frame);
    if ((status == OPAC_OK && frame->is_ended) || status == OPAC_ERROR_SIMULATOR)
        save_last_checkpoint(l);
    return status;
}

static opac_status next(sample_loop *frame, bool *wants_samples, opac_error *error)
{
    const sample_run *run = &frame->learning->run;
    sample_loop_pause(frame);
    *wants_samples = !sample_loop_trial_is_done(frame->learning) || run->episodes < run->limit;
    return *wants_samples || frame->is_ended ? OPAC_OK : finish_round(frame, error);
}

/* The update waits until the round is whole. */
static opac_status absorb(sample_loop *frame, opac_error *error)
{
    (void)error;
    state_of(frame->learning)->is_current = false;
    return OPAC_OK;
}

/* ---- beginning and end ---- */

/* What ends updates: first the caller's handle and the time of the run. */
static void begin(sample_loop *frame)
{
    opac_learning *l = frame->learning;
    bracket_state *own = state_of(l);
    own->solver_deadline = l->run.deadline > 0 ? l->run.deadline : INFINITY;
    base_cancel_follow(own->stop_handle, l->options.cancel);
    opac_cancel_set_deadline(own->stop_handle, l->options.max_seconds);
    bracket_model_set_limits(own->bracket, must_stop, l, own->stop_handle);
    bracket_support_set_cancel(own->support, own->stop_handle);
}

static opac_status start(sample_loop *frame, opac_error *error)
{
    (void)error;
    frame->learning->run.limit = 0;
    return OPAC_OK;
}

static opac_status resume(sample_loop *frame, opac_error *error)
{
    const bracket_state *own = state_of(frame->learning);
    (void)error;
    bracket_model_follow(own->bracket, (bracket_explore_policy)own->plan.policy);
    return OPAC_OK;
}

/*
 * Of a run that was ended early: the bracket of all that was seen. It may be as narrow as was
 * asked for, or show that something was refuted.
 */
static opac_status finish(sample_loop *frame, opac_error *error)
{
    opac_learning *l = frame->learning;
    bracket_state *own = state_of(l);
    bool is_sound = false;
    bool is_early = !own->is_current && sample_loop_trial_is_done(l) &&
                    (l->report.end == OPAC_END_STEPS || l->report.end == OPAC_END_SECONDS ||
                     l->report.end == OPAC_END_CANCELLED);
    own->is_final = true;
    double seconds = fmax(grace * l->options.max_seconds, least_grace);
    own->solver_deadline = opac_clock_seconds() + seconds;
    stop_handle(own, seconds + patience_of(l));
    if (is_early)
        TRY(renew(frame, &is_sound, error));
    if (is_sound && is_narrow(l))
        l->report.end = OPAC_END_DONE;
    bracket_model_follow(own->bracket, BRACKET_PESSIMISTIC);
    bracket_model_set_limits(own->bracket, NULL, NULL, NULL);
    bracket_support_set_cancel(own->support, NULL);
    discard_last_checkpoint(own);
    return OPAC_OK;
}

/* ---- its policy ---- */

static uint32_t choice(const sample_run *run, uint32_t product_state)
{
    return bracket_model_choice(bracket_model_of(run), product_state);
}

static bool ends_at(const sample_run *run, uint32_t product_state)
{
    return bracket_model_ends_at(bracket_model_of(run), product_state);
}

static opac_status chain(const sample_run *run, sample_chain *found, opac_error *error)
{
    return bracket_model_chain(bracket_model_of(run), found, NULL, error);
}

const sample_strategy bracket_strategy = {
    .check = check,
    .describe = describe,
    .choose_k = choose_k,
    .prepare = prepare,
    .may_draw = may_draw,
    .compare_trial = compare_trial,
    .begin = begin,
    .start = start,
    .resume = resume,
    .next = next,
    .absorb = absorb,
    .fail = sample_loop_save,
    .finish = finish,
    .report = bracket_report,
    .verify = bracket_certificate_check,
    .choice = choice,
    .choice_of_new = sample_first_unknown,
    .ends_at = ends_at,
    .chain = chain,
    .save = bracket_state_save,
    .restore = bracket_state_restore,
    .free = free_state,
};
