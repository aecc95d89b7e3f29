/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds by whole episodes with p_min or the graph (docs/theory.md, Corollary 8): on models where L comes from
 * trials, the probability of the returned policy, as evaluated from its file's contents, is below L in a share of at
 * most delta of the runs (exact binomial test, false-alarm rate of exact_test.h). Learners that drop episodes which
 * reached their length are detected.
 */
#include "learn/bracket_cases.h"

typedef struct trial_share {
    unsigned runs, misses, by_trial, candidates;
} trial_share;

/* ---- models ---- */

static void branch(opac_builder *builder, uint32_t target, uint32_t part, uint32_t all)
{
    opac_error error = {0};
    assert_ok(opac_builder_branch_ratio(builder, target, part, all, &error), &error);
}

static void state(opac_builder *builder)
{
    opac_error error = {0};
    assert_ok(opac_builder_state(builder, &error), &error);
}

static void choice(opac_builder *builder)
{
    opac_error error = {0};
    assert_ok(opac_builder_choice(builder, "", &error), &error);
}

static opac_model *finish(opac_builder *builder, uint32_t goal)
{
    const opac_model_options options = {.exact = true};
    opac_error error = {0};
    opac_model *model;
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_label(builder, "a", goal, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_builder *begin(void)
{
    opac_error error = {0};
    opac_builder *builder;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    return builder;
}

/*
 * The start leads to one of `count` rooms. In each of them one of two actions comes to the goal with probability 1/2, and
 * the other one with probability 1/10; otherwise they lead to a swamp. So the policy changes while it is learned. The
 * swamp is left after about `patience` steps: to the goal in one case of 100, and otherwise to a trap. Trials need not
 * be so long.
 */
static opac_model *rooms(uint32_t count, uint32_t patience)
{
    uint64_t random = random_seed(5);
    opac_builder *builder = begin();
    uint32_t goal = count + 1, swamp = count + 2, trap = count + 3;
    state(builder);
    choice(builder);
    for (uint32_t i = 1; i <= count; i++)
        branch(builder, i, 1, count);
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t good = random_below(&random, 2);
        state(builder);
        for (uint32_t action = 0; action < 2; action++) {
            choice(builder);
            branch(builder, goal, action == good ? 5 : 1, 10);
            branch(builder, swamp, action == good ? 5 : 9, 10);
        }
    }
    for (uint32_t end = goal; end <= trap; end++) {
        state(builder);
        choice(builder);
        if (end == swamp) {
            branch(builder, swamp, 100 * (patience - 1), 100 * patience);
            branch(builder, goal, 1, 100 * patience);
            branch(builder, trap, 99, 100 * patience);
        } else
            branch(builder, end, 1, 1);
    }
    return finish(builder, goal);
}

/* ---- runs ---- */

static void run_once(const coverage_case *c, const opac_learn_options *usual, uint64_t seed,
                     const sample_tuning *tuning, trial_share *share)
{
    opac_learn_options options = *usual;
    opac_environment *environment;
    opac_learning *learning;
    opac_error error;
    options.seed = seed;
    options.threads = 1;
    assert_ok(opac_environment_of_model(c->model, NULL, &environment, &error), &error);
    if (options.pmin == 0)
        options.graph = environment;
    assert_ok(learn_tuned(environment, &c->objective, &options, tuning, &learning, &error), &error);
    const opac_learn_report *report = opac_learning_report(learning);
    double truth = bracket_truth(c, learning);
    share->runs++;
    share->by_trial += report->trial_episodes > 0;
    share->candidates += (unsigned)report->candidates;
    share->misses += report->end == OPAC_END_REFUTED || truth < report->lower - bracket_rounding ||
                     c->best > report->upper + bracket_rounding;
    opac_learning_free(learning);
    opac_environment_free(environment);
}

static trial_share count_misses(opac_model *model, const opac_learn_options *options, unsigned runs,
                                const sample_tuning *tuning)
{
    trial_share share = {0};
    coverage_case c = {.model = model, .formula = scene_formula("F a")};
    c.objective = (opac_objective){.formula = c.formula, .direction = OPAC_DIRECTION_MAX};
    c.best = bracket_optimum(&c);
    for (unsigned i = 0; i < runs; i++)
        run_once(&c, options, 1000 + i, tuning, &share);
    print_message("%u runs, %u with L by a trial, %u candidates: %u misses\n", share.runs,
                  share.by_trial, share.candidates, share.misses);
    coverage_fini(&c);
    return share;
}

static opac_learn_options options_of(double pmin, double delta)
{
    opac_learn_options options = opac_learn_defaults();
    options.pmin = pmin;
    options.delta = delta;
    options.epsilon = 0.1;
    options.max_steps = 20000;
    return options;
}

static void bounds_are_valid(void **unused)
{
    (void)unused;
    static const double deltas[] = {0.1, 0.5, 0.9};
    const sample_tuning tuning = {.patience = 1e6};
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        opac_learn_options options = options_of(0, deltas[i]);
        trial_share share = count_misses(rooms(40, 3), &options, 60, &tuning);
        assert_true(exact_is_kept(share.misses, share.runs, deltas[i]));
        assert_true(2 * share.by_trial > share.runs);
        assert_true(share.candidates > share.runs);
    }
}

static void dropped_episodes_are_detected(void **unused)
{
    (void)unused;
    const sample_tuning tuning = {.patience = 1e6, .drops_cut = true};
    opac_learn_options options = options_of(0, 0.05);
    options.max_steps = 200000;
    trial_share share = count_misses(rooms(40, 1000), &options, 40, &tuning);
    assert_false(exact_is_kept(share.misses, share.runs, options.delta));
}

SUITE(bracket_trials)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_valid),
        cmocka_unit_test(dropped_episodes_are_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
