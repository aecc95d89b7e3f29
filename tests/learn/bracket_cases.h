/* SPDX-License-Identifier: MIT */
/*
 * Random small models with their true optima, and runs that close brackets around them. With probability
 * 1 - delta, everything about a run is right:
 *
 *     every bracket of the trace          contains the optimum
 *     the policy's true probability       lies in the last bracket
 *     the assumptions, which are true     are not refuted
 *
 * A run in which one of these fails is a miss. The frequency of misses is compared with delta by the
 * exact binomial test (exact_test.h).
 *
 * The models are made so that misses can happen: many probabilities are p_min itself or near it; there
 * are few rows, so that each has a large share of delta; brackets are traced from the first steps on. The
 * same runs with intervals that are too narrow, and with supports that are completed too early, show that
 * the test detects errors.
 */
#ifndef TESTS_LEARN_BRACKET_CASES_H
#define TESTS_LEARN_BRACKET_CASES_H

#include "base/text.h"
#include "learn/coverage_cases.h"
#include "learn/learn.h"
#include "support/random_automaton.h"

/* ---- models ---- */

enum {
    BRACKET_PARTS = 8 /* all probabilities are multiples of 1/8, and of few parts */
};
static const double bracket_pmin = 1.0 / BRACKET_PARTS;

/* Up to three branches: most have one part or two, the last one the rest. */
static inline void bracket_row(uint64_t *random, uint32_t states, opac_builder *builder,
                               opac_error *error)
{
    uint32_t branches = 1 + random_below(random, 3), left = BRACKET_PARTS;
    assert_ok(opac_builder_choice(builder, "", error), error);
    for (uint32_t b = 0; b < branches; b++) {
        uint32_t part = b + 1 == branches ? left : 1 + random_below(random, 5) / 4;
        assert_ok(opac_builder_branch_ratio(builder, random_below(random, states), part,
                                            BRACKET_PARTS, error),
                  error);
        left -= part;
    }
}

/* States with one to three actions; the last two are never left, and have different labels. */
static inline opac_model *bracket_model(uint64_t *random, uint32_t fixed)
{
    const opac_model_options options = {.exact = true};
    uint32_t states = 4 + random_below(random, 3), starts = 1 + random_below(random, 4) / 3;
    starts = fixed > 0 ? fixed : starts;
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        bool is_end = s + 2 >= states;
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 1 + (is_end ? 0 : random_below(random, 3)); c > 0; c--)
            if (!is_end)
                bracket_row(random, states, builder, &error);
        if (is_end) {
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            assert_ok(opac_builder_branch_ratio(builder, s, 1, 1, &error), &error);
        }
    }
    for (uint32_t l = 0; l < 2; l++) {
        const char name[2] = {(char)('a' + l), 0};
        assert_ok(opac_builder_declare_label(builder, name, &error), &error);
        for (uint32_t s = 0; s < states; s++)
            if (s + 2 >= states ? s + 1 == states : random_below(random, 3) == 0)
                assert_ok(opac_builder_label(builder, name, s, &error), &error);
    }
    for (uint32_t s = 0; s < starts; s++)
        assert_ok(opac_builder_initial(builder, s, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/*
 * Rows alike: a program with two or three actions, each one command for all states but the last two, with up to three
 * branches to linear functions of the state. So outcomes of a state often have the same successor.
 */
static inline opac_model *bracket_program(uint64_t *random)
{
    const opac_model_options options = {.exact = true, .commands = true};
    uint32_t states = 4 + random_below(random, 4), actions = 2 + random_below(random, 2);
    base_text text = {0};
    opac_error error = {0};
    opac_model *model;
    base_text_format(&text, "mdp\nmodule m\n  s : [0..%u] init 0;\n", states - 1);
    for (uint32_t a = 0; a < actions; a++) {
        uint32_t branches = 2 + random_below(random, 2), left = BRACKET_PARTS;
        base_text_format(&text, "  [a%u] s<%u -> ", a, states - 2);
        for (uint32_t b = 0; b < branches; b++) {
            uint32_t part = b + 1 == branches ? left : 1 + random_below(random, 4) / 3;
            base_text_format(&text, "%s%u/%u : (s'=mod(%u*s+%u,%u))", b > 0 ? " + " : "", part,
                             BRACKET_PARTS, 1 + random_below(random, 2),
                             random_below(random, states), states);
            left -= part;
        }
        base_text_format(&text, ";\n");
    }
    base_text_format(&text, "  [end] s>=%u -> true;\nendmodule\n", states - 2);
    base_text_format(&text, "label \"a\" = s=%u | (s<%u & mod(s,3)=%u);\n", states - 1, states - 2,
                     random_below(random, 5));
    base_text_format(&text, "label \"b\" = s=%u | mod(s,2)=%u;\n", states - 1,
                     random_below(random, 2));
    assert_ok(
        opac_model_read_text(OPAC_FORMAT_PRISM, text.bytes, text.length, &options, &model, &error),
        &error);
    base_text_fini(&text);
    return model;
}

/* ---- objectives ---- */

/* A formula, or a deterministic automaton of Büchi's or Rabin's; a greatest or a least one. */
static inline void bracket_objective(uint64_t *random, coverage_case *c)
{
    static const char *const formulas[] = {
        "F a", "G F a", "F G a", "(G F a) & G F b", "(F G a) | G F b", "(!a) U b", "G (a -> X b)"};
    uint32_t drawn = random_below(random, 10);
    if (drawn < 7)
        c->formula = scene_formula(formulas[drawn]);
    else {
        bool is_rabin = drawn > 7;
        aut_condition condition =
            random_condition_parse(is_rabin ? "Fin(0) & Inf(1) | Fin(2) & Inf(3)" : "Inf(0)");
        random_automaton_shape shape = {.states = 1 + random_below(random, 3),
                                        .propositions = 2,
                                        .marks = is_rabin ? 4 : 1,
                                        .edge_percent = 90,
                                        .mark_percent = 30,
                                        .is_deterministic = true};
        c->automaton = random_automaton(random, shape, &condition);
        aut_condition_fini(&condition);
    }
    c->objective = (opac_objective){.formula = c->formula,
                                    .automaton = c->automaton,
                                    .direction = random_below(random, 3) == 0 ? OPAC_DIRECTION_MIN
                                                                              : OPAC_DIRECTION_MAX};
}

/* Of all initial states, each as likely as the others. */
static inline double bracket_optimum(const coverage_case *c)
{
    opac_check_options options = {.threads = 1};
    opac_solution *solution = scene_solve(c->model, &c->objective, &options);
    uint32_t starts = opac_model_initial_count(c->model);
    double sum = 0;
    for (uint32_t i = 0; i < starts; i++)
        sum += opac_solution_interval(solution, i).value;
    opac_solution_free(solution);
    return sum / starts;
}

static inline double bracket_truth(const coverage_case *c, const opac_learning *learning)
{
    opac_evaluation *evaluation;
    opac_policy *policy;
    opac_error error;
    uint32_t starts = opac_model_initial_count(c->model);
    double sum = 0;
    assert_ok(opac_learning_policy(learning, c->model, &policy, &error), &error);
    assert_ok(opac_evaluate(policy, &c->objective, NULL, &evaluation, &error), &error);
    for (uint32_t i = 0; i < starts; i++)
        sum += opac_evaluation_interval(evaluation, i).value;
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
    return sum / starts;
}

/* The next case; optima between 0 and 1 are where intervals matter, the others are
 * decided by the graph: one in eight of those is taken. */
static inline void bracket_draw_kind(uint64_t *random, uint32_t starts, bool is_alike,
                                     coverage_case *c)
{
    for (;; coverage_fini(c)) {
        *c = (coverage_case){.model = is_alike ? bracket_program(random)
                                               : bracket_model(random, starts)};
        bracket_objective(random, c);
        c->best = bracket_optimum(c);
        if ((c->best > 0.01 && c->best < 0.99) || random_below(random, 8) == 0)
            return;
    }
}

static inline void bracket_draw(uint64_t *random, uint32_t starts, coverage_case *c)
{
    bracket_draw_kind(random, starts, false, c);
}

/* ---- runs ---- */

typedef struct bracket_run {
    double delta, epsilon;
    bool graph, generative;
    bool alike; /* rows alike, by the commands of a program */
    double pmin_outcome;
    double pmin;     /* 0: the true one, with a graph also none */
    bool by_row;     /* pmin is a function: the true one of each row */
    uint32_t starts; /* 0: one, or sometimes two */
    double pmin_start;
    uint64_t branching; /* declared; 0: that of the model */
    uint64_t steps;     /* at most */
    sample_tuning tuning;
} bracket_run;

typedef struct bracket_watch {
    double best;
    unsigned told, wrong;
} bracket_watch;

static const double bracket_rounding = 1e-6; /* of the true values */

static inline void bracket_listen(void *context, const opac_learning *learning,
                                  opac_trace_entry *entry)
{
    bracket_watch *watch = context;
    (void)learning;
    watch->told++;
    watch->wrong += !(entry->lower <= watch->best + bracket_rounding &&
                      entry->upper >= watch->best - bracket_rounding);
}

/* Whether the checker accepts the certificate; then it has found the same bracket. If it does not,
 * none is written. */
static inline bool bracket_is_shown(const opac_learning *learning)
{
    const opac_learn_report *report = opac_learning_report(learning);
    opac_verification found;
    opac_output *out;
    opac_error error = {0};
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    bool is_shown = opac_learning_write_certificate(learning, NULL, out, &error) == OPAC_OK;
    const char *text = opac_output_bytes(out, &length);
    if (is_shown) {
        assert_ok(opac_verify_text(text, length, NULL, &found, &error), &error);
        assert_true(found.holds);
        assert_true(found.is_least == report->is_least);
        assert_true(fabs(found.lower - report->lower) <= 1e-12);
        assert_true(fabs(found.upper - report->upper) <= 1e-12);
        opac_verification_fini(&found);
    } else {
        assert_status(error.code, OPAC_ERROR_INTERNAL);
        assert_int_equal(length, 0);
    }
    opac_output_free(out);
    return is_shown;
}

typedef struct bracket_share {
    unsigned runs, misses, told, certificates, shown;
} bracket_share;

/* The least positive probability of a row of the model. */
static inline opac_status bracket_least_of_row(void *context, const void *key, size_t length,
                                               uint32_t action, double *pmin, opac_error *error)
{
    const opac_model *m = context;
    (void)error;
    assert_int_equal(length, sizeof(uint32_t));
    uint32_t choice = opac_model_choice_begin(m, *(const uint32_t *)key) + action;
    uint32_t begin = opac_model_branch_begin(m, choice);
    *pmin = 1;
    for (uint32_t b = begin; b < begin + opac_model_branch_count(m, choice); b++)
        *pmin = fmin(*pmin, opac_model_branch_probability(m, b));
    return OPAC_OK;
}

static inline void bracket_once(const coverage_case *c, const bracket_run *run, uint64_t seed,
                                bracket_share *share)
{
    bracket_watch watch = {.best = c->best};
    opac_learn_options options = opac_learn_defaults();
    opac_environment *environment;
    opac_learning *learning;
    opac_error error;
    assert_ok(run->alike ? opac_environment_of_commands(c->model, NULL, &environment, &error)
                         : opac_environment_of_model(c->model, NULL, &environment, &error),
              &error);
    options.alike = run->alike;
    options.pmin_outcome = run->pmin_outcome;
    options.pmin = run->graph && seed % 2 == 0 ? 0 : bracket_pmin;
    if (run->pmin > 0)
        options.pmin = run->pmin;
    if (run->by_row) {
        options.pmin = 0;
        options.pmin_of = bracket_least_of_row;
        options.pmin_context = c->model;
    }
    options.pmin_start = run->pmin_start;
    options.branching = run->branching;
    options.graph = run->graph ? environment : NULL;
    options.explore = run->generative ? OPAC_EXPLORE_GENERATIVE : OPAC_EXPLORE_EPISODES;
    options.kind = (opac_automaton_kind)(seed / 2 % (OPAC_KIND_LDBA + 1));
    options.epsilon = run->epsilon;
    options.delta = run->delta;
    options.max_steps = run->steps;
    options.seed = seed;
    options.threads = 1;
    options.trace = bracket_listen;
    options.trace_context = &watch;
    assert_ok(learn_tuned(environment, &c->objective, &options, &run->tuning, &learning, &error),
              &error);
    const opac_learn_report *report = opac_learning_report(learning);
    bool is_miss = watch.wrong > 0 || report->end == OPAC_END_REFUTED;
    if (!is_miss) {
        double truth = bracket_truth(c, learning);
        assert_true(watch.told > 0);
        assert_true(report->end == OPAC_END_DONE || report->end == OPAC_END_STEPS);
        is_miss = !(truth >= report->lower - bracket_rounding &&
                    truth <= report->upper + bracket_rounding);
    }
    if (report->end != OPAC_END_REFUTED) {
        share->certificates++;
        share->shown += bracket_is_shown(learning);
    }
    share->told += watch.told;
    share->misses += is_miss;
    share->runs++;
    opac_learning_free(learning);
    opac_environment_free(environment);
}

/* ---- many ---- */

static inline bracket_share bracket_count(uint64_t seed, unsigned models, unsigned runs,
                                          const bracket_run *run)
{
    uint64_t random = random_seed(seed);
    bracket_share share = {0};
    for (unsigned i = 0; i < models; i++) {
        coverage_case c;
        bracket_draw_kind(&random, run->starts, run->alike, &c);
        for (unsigned j = 0; j < runs; j++)
            bracket_once(&c, run, random_u64(&random), &share);
        coverage_fini(&c);
    }
    print_message(
        "%u runs, %u brackets: %u runs with a miss (%.3g), delta %g; %u of %u certificates "
        "are accepted\n",
        share.runs, share.told, share.misses, (double)share.misses / share.runs, run->delta,
        share.shown, share.certificates);
    return share;
}

/* The promise is kept. Certificates of runs that are wrong by bad luck are accepted, too: they show
 * what follows from the counts. */
static inline void bracket_assert_kept(uint64_t seed, unsigned models, unsigned runs,
                                       const bracket_run *run)
{
    bracket_share share = bracket_count(seed, models, runs, run);
    assert_true(exact_is_kept(share.misses, share.runs, run->delta));
    assert_int_equal(share.shown, share.certificates);
}

/* With something wrong, it is seen not to be. And who recomputes from the counts refuses many
 * certificates: all but those that do not depend on it. */
static inline void bracket_assert_broken(uint64_t seed, unsigned models, unsigned runs,
                                         const bracket_run *run)
{
    bracket_share share = bracket_count(seed, models, runs, run);
    assert_false(exact_is_kept(share.misses, share.runs, run->delta));
    assert_true(4 * share.shown <= 3 * share.certificates);
}

#endif
