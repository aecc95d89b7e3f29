/* SPDX-License-Identifier: MIT */
/*
 * Random small models with their exact recurrence times and optima, and runs that maintain brackets from T.
 * With probability 1 - delta, everything about a run is right:
 *
 *     every bracket of the trace     contains the optimum
 *     its lower end                  is at most the probability of the policy that would be returned then
 *     T, which is right              is not refuted
 *
 * A run in which one of these fails is a miss. The frequency of misses is compared with delta by the exact
 * binomial test (exact_test.h). The same runs with T/4, and with row sets without unseen mass, show that the
 * test detects errors.
 *
 * Two kinds of models: random ones (bracket_cases.h), and lines, made so that T is tight. A line wins or loses
 * by a coin at its end, where no run is before T is nearly over, or it hides a rare way to win at each step.
 */
#ifndef TESTS_LEARN_HORIZON_CASES_H
#define TESTS_LEARN_HORIZON_CASES_H

#include "horizon/horizon_bracket.h"
#include "learn/bracket_cases.h"

/* ---- models ---- */

/* States in a row: each goes on, or by its second action to the winning or losing end with a rare coin. */
static inline opac_model *horizon_line(uint64_t *random)
{
    const opac_model_options options = {.exact = true};
    uint32_t length = 4 + random_below(random, 5), rare = 1 + random_below(random, 3);
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < length + 2; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        if (s >= length)
            assert_ok(opac_builder_branch_ratio(builder, s, 1, 1, &error), &error);
        else if (s + 1 < length)
            assert_ok(opac_builder_branch_ratio(builder, s + 1, 1, 1, &error), &error);
        else { /* the coin at the end */
            assert_ok(opac_builder_branch_ratio(builder, length, 1, 2, &error), &error);
            assert_ok(opac_builder_branch_ratio(builder, length + 1, 1, 2, &error), &error);
        }
        if (s < length && random_below(random, 3) == 0) {
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            assert_ok(opac_builder_branch_ratio(builder, length, rare, 8, &error), &error);
            assert_ok(opac_builder_branch_ratio(builder, length + 1, 8 - rare, 8, &error), &error);
        }
    }
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_label(builder, "a", length, &error), &error);
    assert_ok(opac_builder_declare_label(builder, "b", &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- runs ---- */

typedef struct horizon_run {
    double delta, epsilon, target;
    uint32_t starts; /* 0: one, or sometimes two */
    bool lines;
    uint64_t divisor; /* of T; 0: 1 */
    uint64_t steps;   /* at most */
    uint64_t longest; /* T at most */
    bool is_free;     /* nothing is known: the objectives are those that finite runs can satisfy */
    sample_tuning tuning;
} horizon_run;

typedef struct horizon_case {
    coverage_case c;
    uint64_t horizon;
    opac_automaton_kind kind;
} horizon_case;

/* Whether T is known exactly and not too long. */
static inline bool horizon_time(horizon_case *x, const horizon_run *run)
{
    const opac_recurrence_options options = {.epsilon = run->epsilon,
                                             .end_accepted = true,
                                             .kind = x->kind,
                                             .max_work = 300000,
                                             .threads = 1};
    opac_recurrence found;
    opac_error error;
    assert_ok(opac_recurrence_time(x->c.model, &x->c.objective, &options, &found, &error), &error);
    x->horizon = found.steps.value;
    return found.kind == OPAC_RECURRENCE_EXACT && x->horizon > 0 && x->horizon <= run->longest;
}

/* Whether the learner accepts the objective if nothing is known. */
static inline bool horizon_is_finite(const horizon_case *x)
{
    opac_learn_options options = opac_learn_defaults();
    opac_environment *environment;
    opac_learning *learning = NULL;
    opac_error error;
    assert_ok(opac_environment_of_model(x->c.model, NULL, &environment, &error), &error);
    options.nothing_known = true;
    options.kind = x->kind;
    options.epsilon = options.delta = 0.5;
    options.max_steps = 1;
    opac_status status = opac_learn(environment, &x->c.objective, &options, &learning, &error);
    assert_true(status == OPAC_OK || strcmp(error.parameter, "nothing_known") == 0);
    opac_learning_free(learning);
    opac_environment_free(environment);
    return status == OPAC_OK;
}

static inline void horizon_draw_case(uint64_t *random, const horizon_run *run, horizon_case *x)
{
    for (;; coverage_fini(&x->c)) {
        *x = (horizon_case){.kind = (opac_automaton_kind)random_below(random, OPAC_KIND_LDBA + 1)};
        if (run->lines) {
            x->c = (coverage_case){.model = horizon_line(random), .formula = scene_formula("F a")};
            x->c.objective =
                (opac_objective){.formula = x->c.formula,
                                 .direction = random_below(random, 2) == 0 ? OPAC_DIRECTION_MIN
                                                                           : OPAC_DIRECTION_MAX};
            x->c.best = bracket_optimum(&x->c);
        } else
            bracket_draw(random, run->starts, &x->c);
        if (run->is_free ? horizon_is_finite(x) : horizon_time(x, run))
            return;
    }
}

typedef struct horizon_watch {
    const horizon_case *x;
    unsigned told, wrong, wrong_policies;
    double last_lower, last_truth;
} horizon_watch;

/* The policy that would be returned now. */
static inline double horizon_truth(const horizon_case *x, const opac_learning *learning)
{
    horizon_state *own = horizon_state_of(&learning->run);
    const sample_positional *before = own->returned;
    if (before == NULL)
        own->returned = horizon_policy_to_return(own);
    double truth = bracket_truth(&x->c, learning);
    own->returned = before;
    return truth;
}

static inline void horizon_listen(void *context, const opac_learning *learning,
                                  opac_trace_entry *entry)
{
    horizon_watch *watch = context;
    double best = watch->x->c.best;
    bool is_least = watch->x->c.objective.direction == OPAC_DIRECTION_MIN;
    watch->told++;
    watch->wrong +=
        !(entry->lower <= best + bracket_rounding && entry->upper >= best - bracket_rounding);
    double claim = is_least ? entry->upper : entry->lower;
    if (is_least ? claim >= 1 : claim <= 0)
        return;
    double truth = horizon_truth(watch->x, learning);
    watch->wrong_policies +=
        is_least ? truth > claim + bracket_rounding : truth < claim - bracket_rounding;
}

typedef struct horizon_share {
    unsigned runs, misses, told, done, refuted, open, between, certificates, shown;
    uint64_t steps;
} horizon_share;

static inline void horizon_once(const horizon_case *x, const horizon_run *run, uint64_t seed,
                                horizon_share *share)
{
    horizon_watch watch = {.x = x};
    opac_learn_options options = opac_learn_defaults();
    opac_environment *environment;
    opac_learning *learning;
    opac_error error;
    uint64_t divisor = run->divisor > 0 ? run->divisor : 1;
    assert_ok(opac_environment_of_model(x->c.model, NULL, &environment, &error), &error);
    options.horizon = run->is_free ? 0 : (x->horizon + divisor - 1) / divisor;
    options.nothing_known = run->is_free;
    options.kind = x->kind;
    options.epsilon = run->epsilon;
    options.target = run->target;
    options.delta = run->delta;
    options.max_steps = run->steps;
    options.seed = seed;
    options.threads = 1;
    options.recurrence_work = divisor > 1 ? 1 : 300000; /* not even that: the brackets are tested */
    options.trace = horizon_listen;
    options.trace_context = &watch;
    assert_ok(learn_tuned(environment, &x->c.objective, &options, &run->tuning, &learning, &error),
              &error);
    const opac_learn_report *report = opac_learning_report(learning);
    bool is_refuted = report->end == OPAC_END_REFUTED;
    assert_true(report->is_bracket);
    assert_true(watch.told > 0);
    if (!is_refuted) {
        double truth = horizon_truth(x, learning);
        assert_true(report->end == OPAC_END_DONE || report->end == OPAC_END_STEPS ||
                    (run->is_free && report->end == OPAC_END_LIVELOCK));
        assert_true(report->holds == (report->end == OPAC_END_DONE));
        watch.wrong_policies += !(truth >= report->lower - bracket_rounding &&
                                  truth <= report->upper + bracket_rounding);
    }
    if (!is_refuted) {
        share->certificates++;
        share->shown += bracket_is_shown(learning);
    }
    share->misses += watch.wrong > 0 || watch.wrong_policies > 0 || (is_refuted && divisor == 1);
    share->refuted += is_refuted;
    share->done += report->end == OPAC_END_DONE;
    share->between += x->c.best > 0.01 && x->c.best < 0.99;
    share->open += report->lower > 0 || report->upper < 1;
    share->told += watch.told;
    share->steps += report->steps;
    share->runs++;
    opac_learning_free(learning);
    opac_environment_free(environment);
}

static inline horizon_share horizon_count(uint64_t seed, unsigned models, unsigned runs,
                                          const horizon_run *run)
{
    uint64_t random = random_seed(seed);
    horizon_share share = {0};
    for (unsigned i = 0; i < models; i++) {
        horizon_case x;
        horizon_draw_case(&random, run, &x);
        for (unsigned j = 0; j < runs; j++)
            horizon_once(&x, run, random_u64(&random), &share);
        coverage_fini(&x.c);
    }
    print_message(
        "%u runs (%u with an optimum between 0 and 1), %u brackets, %u done, %u refuted: %u "
        "runs with a miss (%.3g), delta %g; %.0f steps a run; %u of %u certificates are accepted\n",
        share.runs, share.between, share.told, share.done, share.refuted, share.misses,
        (double)share.misses / share.runs, run->delta, (double)share.steps / share.runs,
        share.shown, share.certificates);
    return share;
}

static inline void horizon_assert_kept(uint64_t seed, unsigned models, unsigned runs,
                                       const horizon_run *run)
{
    horizon_share share = horizon_count(seed, models, runs, run);
    assert_true(exact_is_kept(share.misses, share.runs, run->delta));
    assert_true(2 * share.between >= share.runs || run->is_free);
    assert_int_equal(share.shown, share.certificates);
    assert_true(share.open > 0);
}

/* With something wrong, the test notices. */
static inline void horizon_assert_broken(uint64_t seed, unsigned models, unsigned runs,
                                         const horizon_run *run)
{
    horizon_share share = horizon_count(seed, models, runs, run);
    assert_false(exact_is_kept(share.misses, share.runs, run->delta));
}

#endif
