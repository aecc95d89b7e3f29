/* SPDX-License-Identifier: MIT */
/*
 * Brackets from T in systems with so many states that some are new in every episode: L is a bound on the policy as
 * it is returned and run, also where it enters states that were never seen, or that its runs did not reach.
 *
 *     model        the start leads to one of many rooms, each with a wrong action and a right one; so policies
 *                  must list rooms that were met by other actions than their own. Evaluated exactly
 *     simulator    the start is one of very many, and has a label or not; the right action depends on it, so
 *                  policies must remember it, but the states that they meet are new. Evaluated by runs
 */
#include <omegapac/evaluation.h>

#include "learn/bracket_cases.h"
#include "learn/exact_test.h"
#include "learn/runs.h"

enum {
    ROOMS = 1000,
    DOORS = 9,
    STARTS = 1000000
};

/* ---- the model ---- */

static void add_move(opac_builder *builder, uint32_t target, int64_t p, int64_t q)
{
    opac_error error = {0};
    assert_ok(opac_builder_branch_ratio(builder, target, p, q, &error), &error);
}

static void add_action(opac_builder *builder)
{
    opac_error error = {0};
    assert_ok(opac_builder_choice(builder, "", &error), &error);
}

/* 0: the start; 1 … ROOMS; then the states where a run has won and lost. */
static opac_model *make_rooms(void)
{
    const opac_model_options options = {.exact = true};
    const uint32_t won = ROOMS + 1, lost = ROOMS + 2;
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < ROOMS + 3; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t a = 0; a < (s == 0 ? DOORS : s <= ROOMS ? 2 : 1); a++) {
            add_action(builder);
            for (uint32_t r = 1; s == 0 && r <= ROOMS; r++)
                add_move(builder, r, 9, INT64_C(10) * ROOMS);
            if (s == 0)
                add_move(builder, lost, 1, 10);
            else
                add_move(builder, s > ROOMS ? s : a == 0 ? lost : won, 1, 1);
        }
    }
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_label(builder, "a", won, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_learn_options options_of(uint64_t horizon, uint64_t seed, double delta)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = 0.05;
    options.delta = delta;
    options.seed = seed;
    options.threads = 1;
    options.max_steps = 6000;
    return options;
}

static void test_model(void **unused)
{
    coverage_case c = {.model = make_rooms(), .formula = scene_formula("F a")};
    unsigned misses = 0, runs = 24, by_trial = 0;
    opac_environment *environment;
    opac_error error;
    (void)unused;
    c.objective = (opac_objective){.formula = c.formula};
    assert_ok(opac_environment_of_model(c.model, NULL, &environment, &error), &error);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        opac_learn_options options = options_of(4, seed, 0.5);
        options.max_steps = 12000;
        opac_learning *learning = learning_of(environment, "F a", &options);
        const opac_learn_report *report = opac_learning_report(learning);
        misses += bracket_truth(&c, learning) < report->lower - bracket_rounding;
        by_trial += report->trial_episodes > 0 && report->lower > 0.3;
        opac_learning_free(learning);
    }
    assert_true(exact_is_kept(misses, runs, 0.5));
    assert_true(by_trial > runs / 2);
    opac_environment_free(environment);
    coverage_fini(&c);
}

/* ---- the simulator ---- */

typedef struct hall {
    uint64_t random;
    char key[24];
    uint64_t letter; /* marked, zero, one */
    uint32_t actions;
} hall;

static opac_status show(hall *h, opac_observation *seen)
{
    *seen = (opac_observation){
        .key = h->key, .length = strlen(h->key), .letter = h->letter, .actions = h->actions};
    return OPAC_OK;
}

static opac_status enter(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    hall *h = context;
    (void)error;
    h->random = seed;
    uint32_t start = random_below(&h->random, STARTS);
    snprintf(h->key, sizeof h->key, "x%u", start);
    h->letter = start % 2;
    h->actions = 1;
    return show(h, seen);
}

static opac_status walk(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    hall *h = context;
    (void)error;
    bool is_start = h->key[0] == 'x';
    h->actions = is_start ? 2 : 0;
    h->letter = is_start ? 0 : action == 0 ? 2 : 4;
    snprintf(h->key, sizeof h->key, "%s", is_start ? "s" : action == 0 ? "zero" : "one");
    return show(h, seen);
}

static opac_environment *make_hall(hall *h)
{
    static const char *const names[] = {"marked", "zero", "one"};
    const opac_environment_callbacks callbacks = {.reset = enter,
                                                  .step = walk,
                                                  .propositions = names,
                                                  .proposition_count = 3,
                                                  .random_start = true};
    opac_environment *environment;
    opac_error error;
    assert_ok(opac_environment_new(&callbacks, h, &environment, &error), &error);
    return environment;
}

/* Whether the run that begins with this seed satisfies the objective, with either way to run the policy. */
static bool does_win(const opac_learning *learning, const opac_policy *policy, uint64_t seed)
{
    hall h = {0};
    opac_observation seen;
    opac_error error;
    enter(&h, seed, &seen, &error);
    bool is_marked = h.letter == 1;
    uint32_t memory = policy != NULL ? opac_policy_start_at(policy, seen.key, seen.length)
                                     : opac_learning_start(learning, seen.key, seen.length);
    while (seen.actions > 0) {
        uint32_t action = policy != NULL
                              ? opac_policy_act_at(policy, seen.key, seen.length, &memory)
                              : opac_learning_act(learning, seen.key, seen.length, &memory);
        walk(&h, action, &seen, &error);
    }
    return (h.letter == 4) == is_marked;
}

/* Whether L is above the share of many runs by more than chance explains: five standard deviations. */
static bool is_false(const opac_learning *learning, const opac_policy *policy)
{
    const unsigned runs = 2000;
    unsigned wins = 0;
    for (unsigned i = 0; i < runs; i++)
        wins += does_win(learning, policy, UINT64_C(1000000007) * (i + 1));
    return opac_learning_report(learning)->lower > (double)wins / runs + 2.5 / sqrt(runs);
}

static unsigned count_false(const sample_tuning *tuning, unsigned runs, double *highest)
{
    static const char formula[] = "(marked & F one) | (!marked & F zero)";
    opac_formula *objective = learning_formula(formula);
    unsigned count = 0;
    *highest = 0;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        hall h = {0};
        opac_environment *environment = make_hall(&h);
        const opac_objective asked = {.formula = objective};
        const opac_learn_options options = options_of(6, seed, 0.5);
        opac_learning *learning;
        opac_policy *policy;
        opac_error error;
        assert_ok(learn_tuned(environment, &asked, &options, tuning, &learning, &error), &error);
        assert_ok(opac_learning_policy(learning, NULL, &policy, &error), &error);
        *highest = fmax(*highest, opac_learning_report(learning)->lower);
        count += is_false(learning, NULL) || is_false(learning, policy);
        opac_policy_free(policy);
        opac_learning_free(learning);
        opac_environment_free(environment);
    }
    opac_formula_free(objective);
    return count;
}

static void test_simulator(void **unused)
{
    sample_tuning tuning = {.patience = 1e6};
    const unsigned runs = 20;
    double highest;
    (void)unused;
    assert_true(exact_is_kept(count_false(&tuning, runs, &highest), runs, 0.5));
    tuning.trusts_new = true;
    assert_false(exact_is_kept(count_false(&tuning, runs, &highest), runs, 0.5));
    assert_true(highest > 0.7);
}

SUITE(horizon_policy)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_model),
                                       cmocka_unit_test(test_simulator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
