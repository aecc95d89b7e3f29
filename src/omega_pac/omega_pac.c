/* SPDX-License-Identifier: MIT */
/*
 * The loop of ω-PAC (Algorithm 2 of the paper; docs/theory.md, "The learner").
 *
 *     first reset ─► policy ─► done? ──no──► sample ─► refresh ─► policy …
 *                               │ yes
 *                               └─► solve canonically ─► still done? ─► T refuted (if searched for)? ─► end
 *
 * Guarantee (docs/theory.md, Theorem 5): if T bounds the ε-recurrence time and every known row has k
 * observations, then with probability at least 1 - δ the final policy is within 2(ε + c) + η of the
 * optimum; see guarantee.c.
 *
 * Checkpoints are written at "done?", between episodes, when policy and statistics belong together; a
 * resumed run continues from there. For the same reason the solver is never interrupted. When the
 * environment fails, the current episode is dropped, and a checkpoint of all earlier episodes is written.
 *
 * The sampler that `auto` selects is a function of k and the declared sizes, so it does not depend on where
 * a run was interrupted.
 *
 * Livelock. The edges of the optimistic model were observed, so whatever the policy reaches in the model it
 * reaches with positive probability (docs/theory.md, Lemma 13). But this probability may be smaller than in
 * the model: an edge with frequency f among k observations has a probability below f/x with a chance of
 * about 1/x. So the run waits without any new observation for
 *
 *     64 · patience · (known counters + 1) / r
 *
 * episodes, where r is the probability in the model of taking an unknown choice, and patience is a million.
 * If the true probabilities are within this factor of the learned ones, which fails with a chance of about
 * one in a million, there is no new observation with probability at most e^-64. A simulator that ignores
 * its seed causes this.
 */
#include <math.h>
#include <string.h>

#include <omegapac/text.h>

#include "omega_pac/omega_pac.h"

static const uint64_t first_look =
    100000; /* episodes before the livelock detector computes anything */

static omega_pac_state *state_of(const opac_learning *l)
{
    return l->run.own;
}

static omega_pac_optimistic_model *get_model(const opac_learning *l)
{
    return state_of(l)->model;
}

/* ---- options ---- */

static opac_status check(const opac_learn_options *o, const env_traits *traits, opac_error *error)
{
    if (o->alike || o->pmin_outcome != 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, o->alike ? "alike" : "pmin_outcome",
                                   "rows alike need pmin or a graph");
    if (o->pmin_start != 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_start",
                                   "pmin_start needs pmin or a graph; it cannot be used with T");
    if (o->at_least != 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "at_least",
                                   "at_least needs a bracket; it cannot be used with ω-PAC, which "
                                   "is selected by k or a rule for k");
    if (o->target != 0 && !(o->target > 2 * o->epsilon && o->target < INFINITY))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "target",
                                   "target must exceed 2 epsilon");
    if (o->target != 0 && o->k_rule != OPAC_K_L1)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "target",
                                   "a target needs the rule l1 for k");
    if (!(o->slack >= 0 && o->slack < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "slack", "slack must lie in [0, 1)");
    if (o->sampler == OPAC_SAMPLER_POPULATION && !traits->can_draw)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "sampler",
            "the population sampler needs an environment that can draw successors of "
            "any state");
    return OPAC_OK;
}

static void describe(const opac_learn_options *o, base_text *text)
{
    sample_question_count(text, "T", o->horizon);
    sample_question_accuracy(text, o);
    if (o->k > 0)
        sample_question_count(text, "k", o->k);
    else
        base_text_format(text, "k=%s\n", opac_k_rule_name(o->k_rule));
    sample_question_number(text, "target", o->target);
    sample_question_number(text, "slack", o->slack);
    base_text_format(text, "stop=%s\n", o->stop == OPAC_STOP_POLICY ? "policy" : "all-actions");
    base_text_format(text, "sampler=%s\n",
                     o->sampler == OPAC_SAMPLER_STEP         ? "step"
                     : o->sampler == OPAC_SAMPLER_POPULATION ? "population"
                                                             : "auto");
    base_text_format(text, "counts=%s\n", o->count_pairs ? "product" : "model");
}

static opac_status choose_k(opac_learning *l, uint64_t *k, opac_error *error)
{
    TRY(omega_pac_measure_product(l, error));
    TRY(omega_pac_choose_sample_size(l, l->run.horizon, error));
    if (l->options.slack > 0 && l->options.slack <= l->report.accuracy)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "slack",
                                   "slack must exceed the accuracy c of %llu observations",
                                   (unsigned long long)l->report.k);
    *k = l->report.k;
    return OPAC_OK;
}

/* ---- state ---- */

opac_status omega_pac_attach(sample_run *run, const omega_pac_optimistic_model_options *options,
                             opac_error *error)
{
    omega_pac_state *own = base_alloc_zeroed(1, sizeof *own);
    if (own == NULL)
        return base_fail_memory(error);
    run->strategy = &omega_pac_strategy;
    run->own = own;
    return omega_pac_optimistic_model_new(&run->stats, options, &own->model, error);
}

static opac_status prepare(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    const omega_pac_optimistic_model_options options = {
        .pairs = l->pairs.items, .pair_count = (uint32_t)l->pairs.count, .solve_small = true};
    TRY(omega_pac_attach(&l->run, &options, error));
    state_of(l)->patience = tuning->patience;
    return OPAC_OK;
}

static void free_state(sample_run *run)
{
    omega_pac_state *own = run->own;
    omega_pac_optimistic_model_free(own->model);
    base_u32_vec_fini(&own->changed);
    base_free(own);
}

static opac_status save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    return omega_pac_optimistic_model_save(omega_pac_optimistic_model_of(run), words, error);
}

static opac_status restore(sample_run *run, const uint64_t *words, size_t count, opac_error *error)
{
    return omega_pac_optimistic_model_restore(omega_pac_optimistic_model_of(run), words, count,
                                              error);
}

static uint32_t choice(const sample_run *run, uint32_t product_state)
{
    return omega_pac_optimistic_model_choice(omega_pac_optimistic_model_of(run), product_state);
}

static bool changes(const sample_run *run, const uint32_t **product_states, size_t *count)
{
    return omega_pac_optimistic_model_changes(omega_pac_optimistic_model_of(run), product_states,
                                              count);
}

static opac_status chain(const sample_run *run, sample_chain *found, opac_error *error)
{
    return omega_pac_optimistic_model_chain(omega_pac_optimistic_model_of(run), found, error);
}

/* ---- the policy ---- */

static double value_of(const opac_learning *l, omega_pac_value value)
{
    return l->least ? 1 - value.lower : value.lower;
}

static opac_status trace(opac_learning *l, opac_error *error)
{
    double value = value_of(l, omega_pac_optimistic_model_value(get_model(l)));
    return sample_loop_add_trace(l, value, NAN, NAN, error);
}

/* Updates the policy. changed: the counters that became known; NULL: solve from scratch. */
static opac_status update_policy(opac_learning *l, const base_u32_vec *changed, opac_error *error)
{
    double before = opac_clock_seconds();
    opac_status status = omega_pac_optimistic_model_update(get_model(l), changed, error);
    l->run.updates++;
    l->report.solving_seconds += opac_clock_seconds() - before;
    TRY(status);
    return trace(l, error);
}

/* Updates the policy if some counter became full. */
static opac_status refresh(opac_learning *l, opac_error *error)
{
    base_u32_vec *changed = &state_of(l)->changed;
    bool is_full = l->run.stats.full.count > 0;
    changed->count = 0;
    if (!is_full)
        return OPAC_OK;
    TRY(sample_statistics_refresh(&l->run.stats, changed, error));
    return update_policy(l, changed, error);
}

static opac_status solve_canonical(opac_learning *l, opac_error *error)
{
    double before = opac_clock_seconds();
    opac_status status = omega_pac_optimistic_model_solve_canonical(get_model(l), error);
    l->run.updates++;
    l->report.solving_seconds += opac_clock_seconds() - before;
    return status;
}

/* ---- stopping ---- */

/* Whether the stopping condition holds, or the risk is within the slack (docs/theory.md, Theorem 6). */
static opac_status is_done(opac_learning *l, bool *done, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    double before = opac_clock_seconds();
    l->report.risk = 0;
    opac_status status = omega_pac_optimistic_model_is_done(
        get_model(l), l->run.horizon, o->stop == OPAC_STOP_ALL_ACTIONS, done, error);
    if (status == OPAC_OK && !*done && o->slack > 0) {
        double risk;
        status = omega_pac_optimistic_model_risk(get_model(l), l->run.horizon, &risk, error);
        if (status == OPAC_OK && risk <= o->slack) {
            l->report.risk = risk;
            *done = true;
        }
    }
    l->report.solving_seconds += opac_clock_seconds() - before;
    return status;
}

/* If T is searched for: doubles it, and increases k accordingly. */
static opac_status double_horizon(opac_learning *l, opac_error *error)
{
    if (l->run.horizon > UINT64_MAX / 4)
        return base_fail(error, OPAC_ERROR_LIMIT, "T would exceed 64 bits");
    l->run.horizon *= 2;
    TRY(omega_pac_choose_sample_size(l, l->run.horizon, error));
    if (l->report.k > l->run.stats.k) {
        TRY(sample_statistics_set_k(&l->run.stats, l->report.k, error));
        TRY(sample_statistics_refresh(&l->run.stats, NULL, error));
    }
    return update_policy(l, NULL, error);
}

/* The stopping condition holds. If the canonical policy does not satisfy it, the run continues with that
 * policy. */
static opac_status conclude(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    bool done = false;
    TRY(solve_canonical(l, error));
    TRY(is_done(l, &done, error));
    if (!done)
        return trace(l, error);
    opac_status status = omega_pac_check_horizon(l, error);
    if (status == OPAC_ERROR_CANCELLED) {
        sample_loop_end_cancelled(loop); /* the check is repeated when the run is resumed */
        return OPAC_OK;
    }
    TRY(status);
    if (l->options.horizon == 0 && l->report.horizon_check == OPAC_HORIZON_REFUTED)
        return double_horizon(l, error);
    sample_loop_end(loop, OPAC_END_DONE);
    return OPAC_OK;
}

/* ---- livelock ---- */

static uint64_t count_samples(const sample_statistics *stats)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < stats->counters.count; i++)
        sum += stats->counters.items[i].count;
    return sum;
}

static void watch(sample_run *run, uint64_t episodes)
{
    run->limit = run->episodes < UINT64_MAX - episodes ? run->episodes + episodes : UINT64_MAX;
}

/* Starts waiting for a new observation. */
static void begin_watch(sample_run *run)
{
    run->watch_samples = count_samples(&run->stats);
    run->watch_begin = run->episodes;
    watch(run, first_look);
}

/* The sampler reached the limit: ends the run after a long time without new observations. */
static opac_status check_livelock(sample_loop *loop, opac_error *error)
{
    sample_run *run = &loop->learning->run;
    uint64_t samples = count_samples(&run->stats);
    double risk = 0;
    if (samples != run->watch_samples) {
        begin_watch(run);
        return OPAC_OK;
    }
    TRY(omega_pac_optimistic_model_risk(omega_pac_optimistic_model_of(run), run->horizon, &risk,
                                        error));
    double patience =
        64 * state_of(loop->learning)->patience * (double)(run->stats.known + 1) / risk;
    double waited = (double)(run->episodes - run->watch_begin);
    if (waited >= patience)
        sample_loop_end(loop, OPAC_END_LIVELOCK);
    else
        watch(run, patience - waited < 1e18 ? (uint64_t)(patience - waited) + 1 : UINT64_MAX);
    return OPAC_OK;
}

/* ---- sampling ---- */

/*
 * For each policy, the step sampler takes about k steps of 5 ns for each of T steps, and the population
 * sampler about 2 log k batches, with a draw of 60 ns for each branch of each product state. The latter is
 * used if it is faster and its flows are small enough.
 */
static bool prefers_population(const opac_learning *l)
{
    double product_states = l->declared.states > 0
                                ? (double)l->declared.states * (double)l->automaton->state_count
                                : 10000;
    double width = l->declared.branching > 0 ? (double)l->declared.branching : 4;
    double k = (double)l->report.k, edges = product_states * (width < 16 ? width : 16);
    return l->traits.can_draw && k >= 24 * log2(k + 1) * edges &&
           edges * (double)l->run.horizon <= SAMPLE_POPULATION_FLOWS;
}

static bool uses_population(const opac_learning *l)
{
    return l->options.sampler == OPAC_SAMPLER_POPULATION ||
           (l->options.sampler == OPAC_SAMPLER_AUTO && prefers_population(l));
}

static bool may_draw(const opac_learn_options *o)
{
    return o->sampler != OPAC_SAMPLER_STEP;
}

static opac_status next(sample_loop *loop, bool *wants_samples, opac_error *error)
{
    opac_learning *l = loop->learning;
    bool done = false;
    if (sample_statistics_exceeded(&l->run.stats) == NULL && !l->run.has_partial_episode &&
        sample_loop_trial_is_done(l))
        TRY(is_done(l, &done, error));
    if (done) {
        sample_loop_save(loop);
        return conclude(loop, error);
    }
    sample_loop_pause(loop);
    *wants_samples = true;
    return OPAC_OK;
}

static opac_status absorb(sample_loop *loop, opac_error *error)
{
    const sample_run *run = &loop->learning->run;
    if (run->stats.full.count == 0 && run->episodes >= run->limit)
        TRY(check_livelock(loop, error));
    return refresh(loop->learning, error);
}

/* Writes a checkpoint of all earlier episodes. With the population sampler a part of a batch may be
 * counted, so the previous checkpoint is kept. */
static void fail(sample_loop *loop)
{
    if (!uses_population(loop->learning) && refresh(loop->learning, NULL) == OPAC_OK)
        sample_loop_save(loop);
}

/* ---- beginning and end ---- */

/* The checkpoint has the same question; checks that its numbers are those that follow from the question. */
static opac_status check_resumed(const opac_learning *l, opac_error *error)
{
    const sample_run *run = &l->run;
    const opac_learn_options *o = &l->options;
    const char *what = run->seed != o->seed                           ? "seed"
                       : o->horizon > 0 && run->horizon != o->horizon ? "T"
                       : run->stats.k != l->report.k                  ? "k"
                                                                      : NULL;
    char shown[OPAC_SHOWN_SIZE];
    if (what == NULL)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "'%s' is not a valid checkpoint: its %s differs from that of its options",
                     opac_text_show(o->checkpoint, strlen(o->checkpoint), shown, sizeof shown),
                     what);
}

static opac_status resume(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    if (l->run.horizon != l->params.horizon)
        TRY(omega_pac_choose_sample_size(l, l->run.horizon, error));
    return check_resumed(l, error);
}

static opac_status start(sample_loop *loop, opac_error *error)
{
    begin_watch(&loop->learning->run);
    return update_policy(loop->learning, NULL, error);
}

/* If the run was ended early, computes the canonical policy so far, and tests T. */
static opac_status finish(sample_loop *loop, opac_error *error)
{
    opac_learning *l = loop->learning;
    if (l->report.end == OPAC_END_DONE)
        return OPAC_OK;
    opac_status status = solve_canonical(l, error);
    if (status == OPAC_OK)
        status = omega_pac_check_horizon(l, error);
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}

const sample_strategy omega_pac_strategy = {
    .check = check,
    .describe = describe,
    .choose_k = choose_k,
    .prepare = prepare,
    .may_draw = may_draw,
    .uses_population = uses_population,
    .start = start,
    .resume = resume,
    .next = next,
    .absorb = absorb,
    .fail = fail,
    .finish = finish,
    .report = omega_pac_report,
    .choice = choice,
    .choice_of_new = sample_first_unknown,
    .changes = changes,
    .chain = chain,
    .save = save,
    .restore = restore,
    .free = free_state,
    .has_fixed_length = true,
};
