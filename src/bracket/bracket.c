/* SPDX-License-Identifier: MIT */
/*
 * Closes a bracket [L, U] around the greatest probability (docs/theory.md, Theorem 14).
 *
 *     first reset ─► supports ─► refuted? ─► bracket ─► enough? ──no──► round of episodes ─┐
 *                       ▲                                 │ yes                            │
 *                       │                                 └─► end                          │
 *                       └──────────────────────────────────────────────────────────────────┘
 *
 * A bracket is enough if it is at most epsilon wide, or decides the question of at_least; one of the two may
 * not be requested.
 *
 * Guarantee. All supports and intervals are right at all times at once with probability at least 1 - δ
 * (docs/theory.md, Theorem 12). So the bracket of the counts so far is valid after any number of samples,
 * for whatever reason the run stops, and every run ends with a bracket of all its samples, unless an
 * assumption was refuted or a declared bound was wrong.
 *
 * Checkpoints are written between episodes, before the bracket of a finished round is computed; a
 * resumed run continues from there. For a checkpoint at the end of the run, the bytes that would have been
 * written before the last update are kept in memory.
 *
 * A time limit and a request to stop are passed on to the solver, which ends with the bounds proven so far.
 * They may be wider than necessary, so at the end of the run the bracket is computed once more, within a
 * grace period.
 *
 * Livelock is impossible: as long as U > L, some row on the way of the optimistic policy is incomplete or
 * has an interval, and is reached with positive probability; or the reset has unseen mass, which every
 * further reset reduces. What remains may be the error of the solver: when no sample can change the
 * bracket, the precision is increased, and if that does not help, the run ends with OPAC_END_LIVELOCK.
 */
#include "bracket/bracket.h"

#include <math.h>

#include "aut/automaton.h"
#include "base/cancel.h"
#include "sample/at_least.h"
#include "sample/bracket_statement.h"
#include "sample/budget.h"
#include "sample/certificate.h"

static const double solver_share = 1.0 / 64; /* precision of the solver, relative to epsilon */
static const double least_precision = 1e-13;
/* Time for the bracket at the end of the run: relative to max_seconds, and at least so many seconds. */
static const double grace = 0.1;
static const double least_grace = 0.1;
/* Seconds after which an update that was asked to stop is cancelled; at most this part of max_seconds. */
static const double stop_seconds = 2;
static const double stop_share = 0.5;

static bracket_state *state_of(const opac_learning *l)
{
    return l->run.own;
}

/* ---- options ---- */

static opac_status check(const opac_learn_options *o, const env_traits *traits, opac_error *error)
{
    if (o->pmin != 0 && !(o->pmin > 0 && o->pmin <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin", "pmin must lie in (0, 1]");
    if (o->pmin_start != 0 && !(o->pmin_start > 0 && o->pmin_start <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_start",
                                   "pmin_start must lie in (0, 1]");
    if (!(sample_budget_of(o->delta, false, true, 0).unseen > 0)) /* the smallest part */
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "delta",
                                   "delta must be larger: a part of it is not a positive double");
    if (o->graph != NULL && !env_get_traits(o->graph).knows_graph)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "graph",
            "the environment given as graph does not know the successors of actions");
    if (o->pmin_outcome != 0 && !(o->pmin_outcome > 0 && o->pmin_outcome <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_outcome",
                                   "pmin_outcome must lie in (0, 1]");
    if (o->pmin_outcome != 0 && !o->alike)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_outcome",
                                   "pmin_outcome needs rows alike");
    if (o->alike && !traits->tells_outcomes)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "alike",
                                   "rows alike need an environment that tells outcomes");
    if (o->alike && o->explore == OPAC_EXPLORE_GENERATIVE)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "alike",
                                   "rows alike need episodes: draws from a given state do not "
                                   "tell outcomes");
    if (o->explore == OPAC_EXPLORE_GENERATIVE && !traits->can_draw)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "explore",
            "generative exploration needs an environment that can draw successors of any "
            "state");
    if (o->sampler == OPAC_SAMPLER_POPULATION)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "sampler",
            "the population sampler is for runs with T, not with pmin or a graph");
    if (o->count_pairs)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "count_pairs",
                                   "with pmin or a graph, observations are counted by state-action "
                                   "pair of the environment, not of the product");
    return OPAC_OK;
}

/* A graph is described by its digest, or by "yes" if it has none. */
static void describe(const opac_learn_options *o, base_text *text)
{
    sample_question_accuracy(text, o);
    sample_at_least_describe(o, text);
    sample_question_number(text, "pmin", o->pmin);
    if (o->pmin_of != NULL)
        base_text_add(text, "pmin by row=yes\n");
    sample_question_number(text, "pmin-start", o->pmin_start);
    if (o->alike)
        sample_question_number(text, "alike-pmin-outcome", o->pmin_outcome);
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

/* ---- state ---- */

/* Incomplete rows may have unseen successors, so their end components need not be real. */
static bool is_closed(const void *context, uint32_t row)
{
    const sample_run *run = context;
    return run->stats.counters.items[row].complete;
}

static opac_status find_intervals(const void *context, uint32_t row,
                                  const stat_interval **intervals, opac_error *error)
{
    bracket_row_set set;
    TRY(bracket_support_get(bracket_support_of(context), row, &set, error));
    *intervals = set.intervals;
    return OPAC_OK;
}

opac_status bracket_attach(sample_run *run, const bracket_support_options *support,
                           const bracket_model_options *bracket, opac_error *error)
{
    const frequencies_options frequencies = {.pairs = bracket->pairs,
                                             .pair_count = bracket->pair_count,
                                             .precision = bracket->value_precision,
                                             .is_closed = is_closed,
                                             .find_intervals = find_intervals,
                                             .context = run};
    bracket_state *own = base_alloc_zeroed(1, sizeof *own);
    if (own == NULL)
        return base_fail_memory(error);
    run->strategy = &bracket_strategy;
    run->own = own;
    TRY(opac_cancel_new(&own->stop_handle, error));
    own->upper = 1;
    own->budget =
        sample_budget_of(support->delta, support->graph != NULL && run->stats.classes == NULL,
                         support->has_trials, support->rows);
    TRY(bracket_support_new(&run->stats, support, &own->support, error));
    TRY(frequencies_new(&run->stats, &frequencies, &own->frequencies, error));
    return bracket_model_new(&run->stats, own->support, bracket, &own->bracket, error);
}

static void free_state(sample_run *run)
{
    bracket_state *own = run->own;
    bracket_model_free(own->bracket);
    frequencies_free(own->frequencies);
    sample_candidate_fini(&own->current);
    sample_candidate_fini(&own->best);
    sample_positional_fini(&own->next);
    sample_positional_fini(&own->sampled);
    sample_judge_fini(&own->judge);
    bracket_support_free(own->support);
    opac_cancel_free(own->stop_handle);
    opac_output_free(own->last_checkpoint);
    base_free(own);
}

/* Without epsilon the precision is a part of the gap (bracket_model.c), however narrow that becomes. */
static double precision_of(const opac_learn_options *o)
{
    return o->epsilon > 0 ? o->epsilon * solver_share : least_precision;
}

/* Without episodes there are no trials. */
static bool has_trials(const opac_learn_options *o)
{
    return o->explore == OPAC_EXPLORE_EPISODES;
}

static opac_status prepare(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    const bracket_support_options support = {
        .pmin = o->pmin,
        .pmin_of = o->pmin_of,
        .pmin_context = o->pmin_context,
        .pmin_start = o->pmin_start,
        .graph = o->graph,
        .pmin_outcome = o->pmin_outcome,
        .delta = o->delta,
        .has_trials = has_trials(o),
        .rows = sample_budget_rows(l->declared.states, l->declared.actions),
        .branching = l->declared.branching,
        .hoeffding = tuning->hoeffding,
        .no_pmin_cut = tuning->no_pmin_cut,
        .interval_scale = tuning->interval_scale,
        .visits_divisor = tuning->visits_divisor,
        .mass_scale = tuning->mass_scale,
        .counts_discovery = tuning->counts_discovery,
        .has_batches = o->explore == OPAC_EXPLORE_GENERATIVE,
        .trusts_rows = tuning->trusts_rows};
    const bracket_model_options bracket = {.pairs = l->pairs.items,
                                           .pair_count = (uint32_t)l->pairs.count,
                                           .precision = precision_of(o),
                                           .value_precision = bracket_tolerance(l) / 8,
                                           .weighs_lower = !has_trials(o)};
    const opac_automaton *a = l->automaton;
    if (o->graph != NULL && o->graph != l->run.stats.env)
        TRY(env_bind(o->graph, (const char *const *)a->propositions, a->proposition_count, error));
    l->run.horizon = 1;
    if (o->max_steps == 0 || o->max_steps > SAMPLE_MOST_STEPS)
        l->run.max_steps = SAMPLE_MOST_STEPS;
    TRY(bracket_attach(&l->run, &support, &bracket, error));
    state_of(l)->drops_cut = tuning->drops_cut;
    return OPAC_OK;
}

static opac_status compare_trial(opac_learning *l, const sample_statistics *seen, opac_error *error)
{
    return bracket_support_check_trial(state_of(l)->support, seen, error);
}

/* ---- the bracket ---- */

double bracket_gap(bracket_bounds b)
{
    return sample_gap(b.lower, b.upper);
}

/* The listener sees the policy that L is for. */
static opac_status trace(opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    const sample_candidate *candidate = bracket_candidate(own);
    double lower = own->lower, upper = own->upper, value = lower;
    if (l->least) {
        upper = value = sample_complement_up(own->lower);
        lower = sample_complement_down(own->upper);
    }
    own->returned = candidate != NULL ? &candidate->policy : NULL;
    l->report.candidates = own->plan.tried;
    opac_status status = sample_loop_add_trace(l, value, lower, upper, error);
    own->returned = NULL;
    return status;
}

/* *is_sound: neither an assumption nor a declared bound is refuted. */
static opac_status update_support(sample_loop *loop, bool *is_sound, opac_error *error)
{
    opac_learning *l = loop->learning;
    bracket_support *support = state_of(l)->support;
    uint64_t changed;
    *is_sound = false;
    TRY(bracket_support_refresh(support, &changed, error));
    TRY(bracket_support_check(support, &l->refuted, error));
    l->report.exceeded = sample_statistics_exceeded(&l->run.stats);
    if (l->refuted.kind != OPAC_REFUTED_NONE)
        sample_loop_end(loop, OPAC_END_REFUTED);
    else if (l->report.exceeded != NULL)
        sample_loop_end(loop, OPAC_END_EXCEEDED);
    else
        *is_sound = true;
    return OPAC_OK;
}

/*
 * After a cancelled update the previous values remain as guesses for the next one. At the end of the run
 * there is no next one, and the bracket of the model becomes [0, 1].
 */
static opac_status update_bracket(opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    opac_status status = bracket_model_update(own->bracket, error);
    if (status == OPAC_ERROR_CANCELLED)
        status = own->is_final ? bracket_model_reset_values(own->bracket, error) : OPAC_OK;
    bracket_find_bounds(&l->run);
    return status;
}

/* Whether the bracket ends the run. */
static bool is_enough(const opac_learning *l)
{
    bracket_bounds b = bracket_of(state_of(l));
    double epsilon = l->options.epsilon;
    return sample_at_least_is_decided(l, b.lower, b.upper) ||
           (epsilon > 0 && bracket_gap(b) <= epsilon);
}

/* If it is cancelled, the run is about to end. */
static opac_status prepare_trial(opac_learning *l, opac_error *error)
{
    opac_status status = is_enough(l) ? OPAC_OK : bracket_trial_prepare(l, error);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    state_of(l)->is_current = false;
    return OPAC_OK;
}

/* Recomputes supports and bracket from all counts, and adds a trace entry. */
static opac_status update_all(sample_loop *loop, bool *is_sound, opac_error *error)
{
    opac_learning *l = loop->learning;
    bracket_state *own = state_of(l);
    double before = opac_clock_seconds();
    opac_status status = update_support(loop, is_sound, error);
    if (status == OPAC_OK && *is_sound)
        status = update_bracket(l, error);
    own->is_current = status == OPAC_OK && !bracket_model_was_stopped(own->bracket);
    if (own->is_current && *is_sound && !own->is_final)
        status = prepare_trial(l, error);
    l->run.updates++;
    l->report.solving_seconds += opac_clock_seconds() - before;
    TRY(status);
    if (*is_sound && own->is_crossed) {
        *is_sound = false;
        l->refuted = (sample_refutation){
            .kind = OPAC_REFUTED_CROSSING, .row = SAMPLE_NONE, .state = SAMPLE_NONE};
        sample_loop_end(loop, OPAC_END_REFUTED);
    }
    return *is_sound ? trace(l, error) : OPAC_OK;
}

/* Cancels the update after so many seconds, and forgets an earlier request. */
static void set_stop_deadline(bracket_state *own, double seconds)
{
    opac_cancel_reset(own->stop_handle);
    opac_cancel_set_deadline(own->stop_handle, seconds);
    own->has_stop_deadline = true;
}

/* Seconds that an update may take after it was asked to stop. */
static double find_stop_seconds(const opac_learning *l)
{
    double given = l->options.max_seconds;
    return given > 0 ? fmin(stop_seconds, fmax(stop_share * given, least_grace)) : stop_seconds;
}

/* Polled by the solver: whether it must end with the bounds proven so far. */
static bool must_stop(const void *context)
{
    const opac_learning *l = context;
    bracket_state *own = state_of(l);
    bool is_over = opac_clock_seconds() >= own->solver_deadline ||
                   (!own->is_final && opac_cancel_requested(l->options.cancel));
    if (is_over && !own->has_stop_deadline)
        set_stop_deadline(own, find_stop_seconds(l));
    return is_over;
}

/* ---- iterations ---- */

/* The solver was stopped, so the run is about to end. */
static opac_status stop_unfinished(sample_loop *loop)
{
    state_of(loop->learning)->is_current = false;
    sample_loop_check_limits(loop);
    return OPAC_OK;
}

/* No sample can change the bracket, and it is not enough: reduces the error of the solver. */
static opac_status increase_precision(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    bracket_state *own = state_of(l);
    for (double p = precision_of(&l->options); !is_enough(l); p /= 16) {
        if (p < least_precision) {
            sample_loop_end(loop, OPAC_END_LIVELOCK);
            return OPAC_OK;
        }
        bracket_model_set_precision(own->bracket, p);
        TRY(update_bracket(l, error));
        if (bracket_model_was_stopped(own->bracket) && !is_enough(l))
            return stop_unfinished(loop);
    }
    sample_loop_end(loop, OPAC_END_DONE);
    return trace(l, error);
}

static opac_status draw(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    double before = opac_clock_seconds();
    bracket_draw_outcome outcome = BRACKET_DRAW_USELESS;
    opac_status status = sample_loop_run_trial(l, error);
    if (status == OPAC_OK)
        status = bracket_draw_round(l, &outcome, error);
    l->report.sampling_seconds += opac_clock_seconds() - before;
    opac_progress_update(l->run.progress, l->run.steps, l->options.max_steps);
    TRY(status);
    if (outcome == BRACKET_DRAW_USELESS)
        return increase_precision(loop, error);
    if (outcome == BRACKET_DRAW_OVER_BUDGET)
        sample_loop_end(loop, OPAC_END_STEPS);
    state_of(l)->is_current = outcome == BRACKET_DRAW_OVER_BUDGET;
    return OPAC_OK;
}

/* The bracket is up to date: ends the run if it is enough, otherwise chooses what to sample. */
static opac_status decide(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    if (is_enough(l)) {
        sample_loop_end(loop, OPAC_END_DONE);
        return OPAC_OK;
    }
    if (l->options.explore == OPAC_EXPLORE_GENERATIVE)
        return draw(loop, error);
    bool is_open;
    double before = opac_clock_seconds();
    TRY(bracket_round_choose(l, &is_open, error));
    l->report.solving_seconds += opac_clock_seconds() - before;
    return !is_open ? increase_precision(loop, error) : OPAC_OK;
}

static opac_status finish_round(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    bool is_sound;
    sample_loop_keep_checkpoint(l, &state_of(l)->last_checkpoint);
    opac_status status = update_all(loop, &is_sound, error);
    if (status == OPAC_OK && is_sound)
        status =
            state_of(l)->is_current || is_enough(l) ? decide(loop, error) : stop_unfinished(loop);
    if ((status == OPAC_OK && loop->is_ended) || status == OPAC_ERROR_SIMULATOR)
        sample_loop_write_kept(l, state_of(l)->last_checkpoint);
    return status;
}

static opac_status next(sample_loop *loop, bool *wants_samples, opac_error *error)
{
    const sample_run *run = &loop->learning->run;
    sample_loop_pause(loop);
    *wants_samples = !sample_loop_trial_is_done(loop->learning) || run->episodes < run->limit;
    return *wants_samples || loop->is_ended ? OPAC_OK : finish_round(loop, error);
}

/* The bracket is updated when the round is complete. */
static opac_status absorb(sample_loop *loop, opac_error *error)
{
    (void)error;
    state_of(loop->learning)->is_current = false;
    return OPAC_OK;
}

/* ---- beginning and end ---- */

/* At first, updates end by the caller's handle and by max_seconds. */
static void begin(sample_loop *loop)
{
    opac_learning *l = loop->learning;
    bracket_state *own = state_of(l);
    own->solver_deadline = l->run.deadline > 0 ? l->run.deadline : INFINITY;
    base_cancel_follow(own->stop_handle, l->options.cancel);
    opac_cancel_set_deadline(own->stop_handle, l->options.max_seconds);
    bracket_model_set_limits(own->bracket, must_stop, l, own->stop_handle);
    bracket_support_set_cancel(own->support, own->stop_handle);
}

static opac_status start(sample_loop *loop, opac_error *error)
{
    (void)error;
    loop->learning->run.limit = 0;
    return OPAC_OK;
}

static opac_status resume(sample_loop *loop, opac_error *error)
{
    const bracket_state *own = state_of(loop->learning);
    bracket_model_follow(
        own->bracket, own->plan.purpose == BRACKET_REDUCE_GAP ? BRACKET_GAP : BRACKET_OPTIMISTIC);
    return bracket_support_compare(own->support, error);
}

/*
 * If the run was ended early, updates the bracket to all samples. The result may be enough, or refute an
 * assumption.
 */
static opac_status finish(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    bracket_state *own = state_of(l);
    bool is_sound = false;
    bool is_early = !own->is_current && sample_loop_trial_is_done(l) &&
                    (l->report.end == OPAC_END_STEPS || l->report.end == OPAC_END_SECONDS ||
                     l->report.end == OPAC_END_CANCELLED || l->report.end == OPAC_END_MEMORY);
    own->is_final = true;
    double seconds = fmax(grace * l->options.max_seconds, least_grace);
    own->solver_deadline = opac_clock_seconds() + seconds;
    set_stop_deadline(own, seconds + find_stop_seconds(l));
    if (is_early)
        TRY(update_all(loop, &is_sound, error));
    if (is_sound && is_enough(l))
        l->report.end = OPAC_END_DONE;
    own->plan.purpose = BRACKET_FOLLOW_UPPER;
    if (bracket_candidate(own) != NULL)
        own->returned = &bracket_candidate(own)->policy;
    bracket_model_follow(own->bracket, BRACKET_PESSIMISTIC);
    bracket_model_set_limits(own->bracket, NULL, NULL, NULL);
    bracket_support_set_cancel(own->support, NULL);
    opac_output_free(own->last_checkpoint);
    own->last_checkpoint = NULL;
    return OPAC_OK;
}

/* ---- policy ---- */

/* The default rule of the positional policies that are only explored by: an unknown choice. */
static uint32_t explore(const sample_run *run, const sample_positional *policy,
                        uint32_t product_state)
{
    return product_state < policy->choice.count
               ? policy->choice.items[product_state]
               : sample_first_unknown(run, &run->stats, product_state);
}

static uint32_t choice(const sample_run *run, uint32_t product_state)
{
    const bracket_state *own = run->own;
    if (own->returned != NULL)
        return sample_positional_choice(own->returned, &run->stats, product_state);
    switch ((bracket_purpose)own->plan.purpose) {
    case BRACKET_TRY:
        return sample_positional_choice(&own->current.policy, &run->stats, product_state);
    case BRACKET_FOLLOW_SAMPLE:
        return explore(run, &own->sampled, product_state);
    case BRACKET_FOLLOW_UPPER:
    case BRACKET_REDUCE_GAP:
        break;
    }
    return bracket_model_choice(own->bracket, product_state);
}

/* Candidates have a default rule, which does not depend on what is known. */
static uint32_t choice_of_new(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state)
{
    return ((const bracket_state *)run->own)->plan.purpose == BRACKET_TRY
               ? stats->product_states.items[product_state].choice
               : sample_first_unknown(run, stats, product_state);
}

static bool ends_at(const sample_run *run, uint32_t product_state)
{
    const bracket_state *own = run->own;
    return own->plan.purpose == BRACKET_TRY ? sample_candidate_ends_at(&own->current, product_state)
                                            : bracket_model_ends_at(own->bracket, product_state);
}

static bool has_total_policy(const sample_run *run)
{
    return ((const bracket_state *)run->own)->returned != NULL;
}

static opac_status chain(const sample_run *run, sample_chain *found, opac_error *error)
{
    const bracket_state *own = run->own;
    return own->returned != NULL ? frequencies_chain(own->frequencies, own->returned, found, error)
                                 : bracket_model_chain(own->bracket, found, NULL, error);
}

/* ---- episodes of trials ---- */

static void episode_begins(sample_run *run)
{
    bracket_state *own = run->own;
    sample_judge_begin(&own->judge, &own->current, true);
}

static opac_status step_taken(sample_run *run, uint32_t product_state, uint32_t chosen,
                              opac_error *error)
{
    bracket_state *own = run->own;
    return sample_judge_step(&own->judge, &run->stats, &run->stats.automaton->condition,
                             product_state, chosen, error);
}

static opac_status episode_ends(sample_run *run, uint32_t product_state, bool is_absorbed,
                                uint64_t steps, opac_error *error)
{
    bracket_state *own = run->own;
    bool won, won_later;
    uint64_t left = is_absorbed && steps < run->horizon ? run->horizon - steps : 0;
    TRY(sample_judge_end(&own->judge, &run->stats, &run->stats.automaton->condition,
                         &own->current.policy, product_state, left, &won, &won_later, error));
    if (own->drops_cut && steps >= run->horizon)
        return OPAC_OK;
    own->current.episodes++;
    own->current.wins += won;
    return OPAC_OK;
}

static bool has_bracket(const sample_run *run)
{
    return bracket_model_count(bracket_model_of(run)) > 0;
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
    .verify = sample_certificate_check,
    .has_bracket = has_bracket,
    .put_certificate = bracket_put_certificate,
    .choice = choice,
    .choice_of_new = choice_of_new,
    .ends_at = ends_at,
    .episode_begins = episode_begins,
    .step_taken = step_taken,
    .episode_ends = episode_ends,
    .has_total_policy = has_total_policy,
    .chain = chain,
    .save = bracket_state_save,
    .restore = bracket_state_restore,
    .free = free_state,
    .ends_in_traps = true,
};
