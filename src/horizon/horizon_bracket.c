/* SPDX-License-Identifier: MIT */
/*
 * Maintains a bracket [L, U] from T (docs/theory.md, Theorem 17).
 *
 * Guarantee. If T bounds the ε-recurrence time of every positional policy of the product, then with probability
 * at least 1 - δ, at all times at once: no policy is accepted with probability above U, and the policy that
 * is returned is accepted with probability at least L. Nothing is assumed about probabilities or sizes. So
 * every run ends with a bracket of all its samples, for whatever reason it stops.
 *
 * Checkpoints are written between episodes, before the bracket of a finished round is computed; a resumed run
 * continues from there. They contain what the round follows, so a round is continued as it was begun.
 *
 * If T is not given, it is searched for: a run begins with T = 1, and doubles T whenever the samples refute it.
 * Trials of an earlier T are void. Such a run has no guarantee.
 *
 * If nothing is known, T is the length of episodes only, which grows as needed (horizon_free.c). A trial is won if
 * it reaches a universal memory, so that L needs neither T nor ε (Theorem 16). U is 1, and U_T only decides what
 * is explored.
 *
 * A time limit and a request to stop cancel an update; at the end of the run the bracket is computed once more,
 * within a grace period.
 */
#include "horizon/horizon_bracket.h"

#include <math.h>

#include <omegapac/bound.h>

#include "aut/automaton.h"
#include "base/bitset.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "product/universal_states.h"
#include "sample/at_least.h"
#include "sample/bracket_statement.h"
#include "sample/budget.h"
#include "sample/certificate.h"
#include "sample/step.h"

static const double slack_share =
    1.0 / 64; /* of the width that samples can change: error of sweeps */
static const double negligible_share = 0.125; /* likewise: what exploration leaves */
/* Time for the bracket at the end of the run: relative to max_seconds, and at least so many seconds. */
static const double grace = 0.1;
static const double least_grace = 0.5;
/* T is tested by covering when the steps have grown by this factor, beginning with so many episodes. */
static const uint64_t test_growth = 2;
static const uint64_t first_test = 8;
static const uint64_t first_length = 16; /* T at first, if nothing is known */
static const double usual_width = 0.05;

/* ---- options ---- */

static opac_status check_target(const opac_learn_options *o, opac_error *error)
{
    if (o->target != 0 && !(o->target > 2 * o->epsilon))
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "target",
            "target must exceed 2 epsilon: the lower and the upper end of the bracket include an "
            "allowance of epsilon each, which no sample reduces");
    if (o->target != 0 && !(o->target < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "target", "target must be below 1");
    if (o->target == 0 && !(4 * o->epsilon < 1))
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "epsilon",
            "the width of the bracket would be 4 epsilon, which must be below 1");
    return OPAC_OK;
}

/* The options of ω-PAC. */
static opac_status refuse_others(const opac_learn_options *o, opac_error *error)
{
    const char *name = o->slack != 0                           ? "slack"
                       : o->stop != OPAC_STOP_POLICY           ? "stop"
                       : o->count_pairs                        ? "count_pairs"
                       : o->sampler == OPAC_SAMPLER_POPULATION ? "sampler"
                                                               : NULL;
    if (name != NULL)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, name,
                                   "%s belongs to ω-PAC, which is selected by k or a rule for k",
                                   o->sampler == OPAC_SAMPLER_POPULATION && name[1] == 'a'
                                       ? "the population sampler"
                                       : name);
    if (o->explore == OPAC_EXPLORE_GENERATIVE)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "explore",
                                   "generative exploration needs pmin or a graph");
    if (o->alike || o->pmin_outcome != 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, o->alike ? "alike" : "pmin_outcome",
                                   "rows alike need pmin or a graph");
    if (o->pmin_start != 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_start",
                                   "pmin_start needs pmin or a graph; it cannot be used with T");
    return OPAC_OK;
}

static opac_status check_free(const opac_learn_options *o, opac_error *error)
{
    const char *name = o->horizon != 0                         ? "horizon"
                       : o->pmin != 0 || o->pmin_of != NULL    ? "pmin"
                       : o->graph != NULL                      ? "graph"
                       : o->target != 0                        ? "target"
                       : o->k != 0 || o->k_rule != OPAC_K_NONE ? "k"
                       : o->states != 0                        ? "states"
                       : o->actions != 0                       ? "actions"
                       : o->branching != 0                     ? "branching"
                                                               : NULL;
    if (o->at_least >= 1)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "at_least",
                                   "at_least must be below 1 if nothing is known: no number of "
                                   "episodes proves a probability of 1");
    return name == NULL ? OPAC_OK
                        : base_fail_parameter(error, OPAC_ERROR_ARGUMENT, name,
                                              "%s cannot be used with nothing_known", name);
}

static opac_status check(const opac_learn_options *o, const env_traits *traits, opac_error *error)
{
    (void)traits;
    TRY(refuse_others(o, error));
    if (!sample_budget_divides(o->delta))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "delta",
                                   "delta must be at least 1e-306: its parts would not be exact");
    if (o->nothing_known)
        return check_free(o, error);
    TRY(check_target(o, error));
    if (o->horizon > OPAC_MAX_BRACKET_T)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "horizon",
                                   "a bracket from T needs a T of at most 2^51: some episodes have "
                                   "2 T steps, and a run counts up to 2^53");
    if (sample_at_least_is_asked(o) && o->horizon == 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "at_least",
                                   "at_least needs a T that is given: a T that is searched for "
                                   "gives no guarantee, and so no answer");
    return OPAC_OK;
}

static void describe(const opac_learn_options *o, base_text *text)
{
    if (o->nothing_known)
        base_text_add(text, "known=nothing\n");
    else
        sample_question_count(text, "T", o->horizon);
    sample_question_accuracy(text, o);
    if (!o->nothing_known)
        sample_question_number(text, "width", horizon_target(o));
    sample_at_least_describe(o, text);
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
    (void)o;
    return false;
}

/* ---- state ---- */

static void free_state(sample_run *run)
{
    horizon_state *own = run->own;
    horizon_model_free(own->model);
    frequencies_free(own->frequencies);
    sample_row_sets_free(own->sets);
    sample_candidate_fini(&own->current);
    sample_candidate_fini(&own->best);
    sample_positional_fini(&own->rehearsed);
    sample_positional_fini(&own->inside);
    sample_positional_fini(&own->last_policy);
    horizon_timed_fini(&own->timed);
    sample_judge_fini(&own->judge);
    opac_cancel_free(own->stop_handle);
    opac_output_free(own->last_checkpoint);
    base_free(own);
}

/* What counts as close if nothing is known. With a question there may be no epsilon; then it only affects what is
 * sampled. */
static double free_width(const opac_learn_options *o)
{
    return o->epsilon > 0 ? o->epsilon : usual_width;
}

static opac_status attach(opac_learning *l, const sample_row_sets_options *sets,
                          const frequencies_options *frequencies,
                          const horizon_model_options *model, opac_error *error)
{
    horizon_state *own = base_alloc_zeroed(1, sizeof *own);
    if (own == NULL)
        return base_fail_memory(error);
    l->run.own = own;
    own->target = l->options.nothing_known ? free_width(&l->options) : horizon_target(&l->options);
    own->is_free = l->options.nothing_known;
    own->is_searching = l->options.horizon == 0 && !own->is_free;
    own->allowance = own->is_free ? 0 : l->options.epsilon;
    own->upper = 1;
    l->run.stats.known_when_complete = l->run.stats.rows_are_open = true;
    TRY(opac_cancel_new(&own->stop_handle, error));
    TRY(sample_row_sets_new(&l->run.stats, sets, &own->sets, error));
    TRY(frequencies_new(&l->run.stats, frequencies, &own->frequencies, error));
    return horizon_model_new(&l->run.stats, own->sets, own->frequencies, model, &own->model, error);
}

/* Without a universal memory, finite episodes prove nothing. */
static opac_status check_objective(const opac_learning *l, opac_error *error)
{
    base_bitset universal;
    uint64_t *marks = base_alloc_zeroed(l->automaton->state_count, sizeof *marks);
    if (marks == NULL)
        return base_fail_memory(error);
    opac_status status = base_bitset_init(&universal, l->automaton->state_count, error);
    if (status == OPAC_OK)
        status = product_find_universal_states(l->automaton, &universal, marks, error);
    bool has_universal = status == OPAC_OK && base_bitset_count(&universal) > 0;
    base_bitset_fini(&universal);
    base_free(marks);
    TRY(status);
    return has_universal ? OPAC_OK
                         : base_fail_parameter(
                               error, OPAC_ERROR_ARGUMENT, "nothing_known",
                               "no finite run satisfies this objective, so episodes alone prove "
                               "nothing about it, and knowledge of the system is needed");
}

static opac_status prepare(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    double width = o->nothing_known ? free_width(o) : horizon_target(o) - 2 * o->epsilon;
    uint64_t rows = sample_budget_rows(l->declared.states, l->declared.actions);
    const sample_row_sets_options sets = {
        .budget = o->nothing_known ? sample_budget_by_episodes(o->delta, rows)
                                   : sample_budget_with_horizon(o->delta, rows),
        .branching = l->declared.branching,
        .no_unseen = tuning->no_unseen};
    const frequencies_options frequencies = {.pairs = l->pairs.items,
                                             .pair_count = (uint32_t)l->pairs.count,
                                             .only_sink = o->nothing_known,
                                             .precision = slack_share * width};
    const horizon_model_options model = {.slack = slack_share * width,
                                         .negligible = negligible_share * width};
    l->report.horizon = o->horizon > 0 ? o->horizon : o->nothing_known ? first_length : 1;
    if (o->nothing_known)
        TRY(check_objective(l, error));
    if (o->max_steps == 0 || o->max_steps > SAMPLE_MOST_STEPS)
        l->run.max_steps = SAMPLE_MOST_STEPS;
    TRY(attach(l, &sets, &frequencies, &model, error));
    horizon_state_of(&l->run)->trusts_new = tuning->trusts_new;
    horizon_state_of(&l->run)->plan.horizon = l->run.horizon = l->report.horizon;
    return OPAC_OK;
}

/* ---- iterations ---- */

static opac_status trace(opac_learning *l, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    uint64_t episodes_length = l->run.horizon;
    l->run.horizon = l->report.horizon;            /* the entry names T */
    own->returned = horizon_policy_to_return(own); /* for the listener: the policy that L is for */
    l->report.candidates = own->plan.tried;
    double value = own->lower, lower = own->is_searching ? 0 : own->lower,
           upper = own->is_searching ? 1 : own->upper; /* a T that was found proves nothing */
    if (l->least) {
        double most = sample_complement_up(lower);
        lower = sample_complement_down(upper);
        upper = most;
        value = sample_complement_up(value);
    }
    opac_status status = sample_loop_add_trace(l, value, lower, upper, error);
    l->run.horizon = episodes_length;
    own->returned = NULL;
    return status;
}

/* Whether the bracket ends the run: it is narrow, or decides the question of at_least. */
static bool is_enough(const opac_learning *l)
{
    const horizon_state *own = horizon_state_of(&l->run);
    if (!own->is_current)
        return false;
    bool is_narrow = own->is_free ? horizon_free_is_done(l) : horizon_gap(own) <= own->target;
    return is_narrow || sample_at_least_is_decided(l, own->lower, own->upper);
}

/* *is_sound: neither an assumption nor a declared bound is refuted. */
static opac_status update(sample_loop *loop, bool *is_sound, opac_error *error)
{
    opac_learning *l = loop->learning;
    double before = opac_clock_seconds();
    opac_status status = horizon_update(l, error);
    l->run.updates++;
    l->report.solving_seconds += opac_clock_seconds() - before;
    *is_sound = false;
    if (status == OPAC_ERROR_CANCELLED) { /* the run is about to end */
        sample_loop_check_limits(loop);
        return OPAC_OK;
    }
    TRY(status);
    l->report.exceeded = sample_statistics_exceeded(&l->run.stats);
    if (l->refuted.kind != OPAC_REFUTED_NONE)
        sample_loop_end(loop, OPAC_END_REFUTED);
    else if (l->report.exceeded != NULL)
        sample_loop_end(loop, OPAC_END_EXCEEDED);
    else
        *is_sound = true;
    return *is_sound ? trace(l, error) : OPAC_OK;
}

/* Doubles T, and forgets what was counted for the old one. */
static opac_status double_horizon(opac_learning *l, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    if (l->report.horizon > UINT64_MAX / 8)
        return base_fail(error, OPAC_ERROR_LIMIT, "T would exceed 64 bits");
    l->report.horizon *= 2;
    l->refuted = (sample_refutation){.row = SAMPLE_NONE, .state = SAMPLE_NONE};
    sample_candidate_fini(&own->current);
    sample_candidate_fini(&own->best);
    own->plan.has_rehearsed = false;
    own->plan.tested_steps = own->plan.rehearsals = 0;
    own->is_current = false;
    return horizon_update(l, error);
}

/* Whether it is time to test T by covering. */
static bool is_test_due(const opac_learning *l)
{
    const horizon_plan *plan = &horizon_state_of(&l->run)->plan;
    uint64_t first = first_test * (l->report.horizon < UINT64_MAX / 16 ? l->report.horizon : 1);
    return l->run.steps >= first &&
           (plan->tested_steps == 0 || l->run.steps / test_growth >= plan->tested_steps);
}

/* *goes_on: T is not refuted, or was doubled. */
static opac_status test_horizon(sample_loop *loop, bool by_cover, bool *goes_on, opac_error *error)
{
    opac_learning *l = loop->learning;
    bool is_refuted = false;
    *goes_on = true;
    if (horizon_state_of(&l->run)->is_free)
        return OPAC_OK;
    TRY(horizon_test_bounds(l, &is_refuted));
    if (is_refuted)
        l->report.horizon_check = OPAC_HORIZON_REFUTED;
    else if (by_cover)
        TRY(horizon_test_cover(l, &is_refuted, error));
    if (!is_refuted)
        return OPAC_OK;
    if (horizon_state_of(&l->run)->is_searching)
        return double_horizon(l, error);
    sample_loop_end(loop, OPAC_END_REFUTED);
    *goes_on = false;
    return OPAC_OK;
}

/* The bracket is enough, and T is not refuted. */
static opac_status conclude(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    horizon_search_outcome outcome = HORIZON_SEARCH_ACCEPT;
    if (horizon_state_of(&l->run)->is_searching)
        TRY(horizon_search(l, &outcome, error));
    if (outcome == HORIZON_SEARCH_SAMPLE)
        return horizon_round_rehearse(l, error);
    if (outcome == HORIZON_SEARCH_DOUBLE) {
        TRY(double_horizon(l, error));
        return horizon_round_choose(l, error);
    }
    sample_loop_end(loop, OPAC_END_DONE);
    return OPAC_OK;
}

/* The bracket is up to date: ends the run if it is enough, otherwise chooses what to sample. */
static opac_status decide(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    bool goes_on, enough = is_enough(l);
    uint64_t horizon = l->report.horizon;
    TRY(test_horizon(loop, enough || is_test_due(l), &goes_on, error));
    if (!goes_on)
        return OPAC_OK;
    if (horizon_state_of(&l->run)->is_free && !enough && l->run.stats.start != SAMPLE_NONE) {
        if (horizon_free_is_hopeless(l)) {
            sample_loop_end(loop, OPAC_END_LIVELOCK);
            return OPAC_OK;
        }
        TRY(horizon_free_lengthen(l, error));
    }
    return enough && l->report.horizon == horizon ? conclude(loop, error)
                                                  : horizon_round_choose(l, error);
}

static opac_status finish_round(sample_loop *loop, opac_error *error)
{
    bool is_sound;
    horizon_state *own = horizon_state_of(&loop->learning->run);
    sample_loop_keep_checkpoint(loop->learning, &own->last_checkpoint);
    opac_status status = update(loop, &is_sound, error);
    if (status == OPAC_OK && is_sound)
        status = decide(loop, error);
    if (status == OPAC_ERROR_CANCELLED) {
        sample_loop_check_limits(loop);
        own->is_current = false;
        status = OPAC_OK;
    }
    if (status == OPAC_OK && loop->is_ended)
        sample_loop_write_kept(loop->learning, own->last_checkpoint);
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
    horizon_state_of(&loop->learning->run)->is_current = false;
    return OPAC_OK;
}

/* ---- episodes ---- */

static void episode_begins(sample_run *run)
{
    horizon_state *own = horizon_state_of(run);
    sample_judge_begin(&own->judge, &own->current, own->is_free);
    if (own->trusts_new)
        own->judge.known = SIZE_MAX;
}

static opac_status step_taken(sample_run *run, uint32_t product_state, uint32_t choice,
                              opac_error *error)
{
    horizon_state *own = horizon_state_of(run);
    return sample_judge_step(&own->judge, &run->stats, &run->stats.automaton->condition,
                             product_state, choice, error);
}

static opac_status episode_ends(sample_run *run, uint32_t product_state, bool is_absorbed,
                                uint64_t steps, opac_error *error)
{
    horizon_state *own = horizon_state_of(run);
    bool won, won_later;
    uint64_t left = is_absorbed && steps < run->horizon ? run->horizon - steps : 0;
    TRY(sample_judge_end(&own->judge, &run->stats, &run->stats.automaton->condition,
                         &own->current.policy, product_state, left, &won, &won_later, error));
    own->current.episodes++;
    own->current.wins += won;
    own->current.longer += own->plan.is_long != 0;
    own->current.changed += own->plan.is_long != 0 && won != won_later;
    return OPAC_OK;
}

/* ---- policy ---- */

static uint32_t choice_at(const sample_run *run, uint32_t product_state, uint64_t left)
{
    const horizon_state *own = horizon_state_of(run);
    bool is_there;
    left += own->plan.horizon - run->horizon; /* the episode may be cut, but not because of T */
    uint32_t choice = horizon_timed_choice(&own->timed, product_state, left, &is_there);
    if (!is_there)
        return sample_first_unknown(run, &run->stats, product_state);
    return choice == SAMPLE_NONE && own->plan.through
               ? sample_positional_choice(&own->inside, &run->stats, product_state)
               : choice;
}

static uint32_t choice(const sample_run *run, uint32_t product_state)
{
    const horizon_state *own = horizon_state_of(run);
    if (own->returned != NULL)
        return sample_positional_choice(own->returned, &run->stats, product_state);
    if (own->plan.purpose == HORIZON_TRY)
        return sample_positional_choice(&own->current.policy, &run->stats, product_state);
    if (own->plan.purpose == HORIZON_REHEARSE)
        return sample_positional_choice(&own->rehearsed, &run->stats, product_state);
    uint32_t first = choice_at(run, product_state, run->horizon);
    return first != SAMPLE_NONE ? first : sample_first_unknown(run, &run->stats, product_state);
}

/* Exploration takes turns, so its episodes do not all follow the same policy. */
static uint64_t policy_number(const sample_run *run)
{
    const horizon_state *own = horizon_state_of(run);
    if (own->plan.purpose == HORIZON_TRY)
        return 2 * own->current.index;
    return own->plan.purpose == HORIZON_REHEARSE ? 2 * run->round.number + 1 : 0;
}

/* Candidates have a default rule, which does not depend on what is known. */
static uint32_t choice_of_new(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state)
{
    return horizon_state_of(run)->plan.purpose == HORIZON_EXPLORE
               ? sample_first_unknown(run, stats, product_state)
               : stats->product_states.items[product_state].choice;
}

static bool ends_at(const sample_run *run, uint32_t product_state)
{
    const horizon_state *own = horizon_state_of(run);
    return own->plan.purpose == HORIZON_TRY && own->returned == NULL &&
           sample_candidate_ends_at(&own->current, product_state);
}

static opac_status chain(const sample_run *run, sample_chain *found, opac_error *error)
{
    const horizon_state *own = horizon_state_of(run);
    const sample_positional *policy =
        own->returned != NULL ? own->returned : horizon_policy_to_return(own);
    return frequencies_chain(own->frequencies, policy, found, error);
}

/* ---- beginning and end ---- */

static void begin(sample_loop *loop)
{
    opac_learning *l = loop->learning;
    horizon_state *own = horizon_state_of(&l->run);
    base_cancel_follow(own->stop_handle, l->options.cancel);
    if (l->options.max_seconds > 0)
        opac_cancel_set_deadline(own->stop_handle, l->options.max_seconds);
}

static opac_status start(sample_loop *loop, opac_error *error)
{
    (void)error;
    loop->learning->run.limit = 0;
    return OPAC_OK;
}

static opac_status resume(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    uint64_t horizon = horizon_state_of(&l->run)->resumed_horizon;
    if (l->options.horizon > 0 && horizon != l->options.horizon)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the checkpoint is not valid: its T differs from that of its options");
    l->report.horizon = horizon;
    return OPAC_OK;
}

/* If the run was ended early, updates the bracket to all samples and tests T, within a grace period. So the result
 * does not depend on where in a round the run ended. */
static opac_status update_at_end(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    horizon_state *own = horizon_state_of(&l->run);
    bool is_sound = own->is_current, goes_on;
    opac_cancel_reset(own->stop_handle);
    opac_cancel_set_deadline(own->stop_handle, fmax(grace * l->options.max_seconds, least_grace));
    if (!own->is_current)
        TRY(update(loop, &is_sound, error));
    if (!own->is_current) {
        own->lower = 0;
        own->upper = 1;
        own->source = HORIZON_NO_SOURCE;
        return OPAC_OK;
    }
    if (!is_sound)
        return OPAC_OK;
    opac_status status = test_horizon(loop, true, &goes_on, error);
    if (status == OPAC_OK && goes_on && is_enough(l))
        l->report.end = OPAC_END_DONE;
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}

static opac_status finish(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    horizon_state *own = horizon_state_of(&l->run);
    opac_learn_end end = l->report.end;
    if (sample_loop_trial_is_done(l) && (end == OPAC_END_STEPS || end == OPAC_END_SECONDS ||
                                         end == OPAC_END_CANCELLED || end == OPAC_END_MEMORY))
        TRY(update_at_end(loop, error));
    TRY(sample_positional_copy(&own->last_policy, horizon_policy_to_return(own), error));
    own->returned = &own->last_policy;
    opac_output_free(own->last_checkpoint);
    own->last_checkpoint = NULL;
    return OPAC_OK;
}

static bool has_total_policy(const sample_run *run)
{
    (void)run;
    return true;
}

static bool has_bracket(const sample_run *run)
{
    return horizon_state_of(run)->is_current;
}

const sample_strategy horizon_strategy = {
    .check = check,
    .describe = describe,
    .choose_k = choose_k,
    .prepare = prepare,
    .may_draw = may_draw,
    .begin = begin,
    .start = start,
    .resume = resume,
    .next = next,
    .absorb = absorb,
    .fail = sample_loop_save,
    .finish = finish,
    .report = horizon_report,
    .verify = sample_certificate_check,
    .has_bracket = has_bracket,
    .put_certificate = horizon_put_certificate,
    .choice = choice,
    .choice_at = choice_at,
    .choice_of_new = choice_of_new,
    .policy_number = policy_number,
    .ends_at = ends_at,
    .episode_begins = episode_begins,
    .step_taken = step_taken,
    .episode_ends = episode_ends,
    .chain = chain,
    .has_total_policy = has_total_policy,
    .save = horizon_state_save,
    .restore = horizon_state_restore,
    .free = free_state,
};
