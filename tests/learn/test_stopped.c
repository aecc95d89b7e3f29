/* SPDX-License-Identifier: MIT */
/*
 * Runs that are stopped just when something rare happens, as a slow event is likely to be in progress
 * when time is up: its episode is dropped, so the run has never observed it. Brackets hold for the first
 * n observations, for all n at once, so they must hold for what is left.
 */
#include <math.h>

#include <omegapac/learning.h>

#include "learn/exact_test.h"
#include "stat/rng.h"
#include "support/check.h"

enum {
    RUNS = 400
};

/* A game that continues with 5/8, is won with 2/8 and lost with 1/8. */
typedef struct game {
    stat_rng rng;
    char at;
    opac_cancel *cancel;
    unsigned losses, patience; /* the run is stopped in a loss when it has seen that many */
} game;

static void show(const game *g, opac_observation *seen)
{
    *seen = (opac_observation){
        .key = &g->at, .length = 1, .letter = g->at == 'w', .actions = g->at == '?'};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    game *g = context;
    (void)error;
    stat_rng_init(&g->rng, seed, 1);
    g->at = '?';
    show(g, seen);
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    game *g = context;
    uint64_t draw = stat_rng_below(&g->rng, 8);
    (void)action;
    (void)error;
    g->at = draw == 0 ? 'l' : draw < 3 ? 'w' : '?';
    if (g->at == 'l' && g->losses++ >= g->patience)
        opac_cancel_request(g->cancel);
    show(g, seen);
    return OPAC_OK;
}

/* Whether the bracket misses 2/3, or what is true is refuted. */
static bool misses(double delta, uint64_t seed, unsigned patience, uint64_t *samples)
{
    static const char *const names[] = {"won"};
    const opac_environment_callbacks callbacks = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_environment *env;
    opac_formula *formula;
    opac_learning *learning;
    opac_error error = {0};
    game g = {.patience = patience};
    opac_learn_options options = opac_learn_defaults();
    assert_ok(opac_cancel_new(&g.cancel, &error), &error);
    options.epsilon = 0.01;
    options.delta = delta;
    options.pmin = 0.125;
    options.seed = seed;
    options.cancel = g.cancel;
    options.untested = true; /* it would be asked to stop in the trial */
    assert_ok(opac_environment_new(&callbacks, &g, &env, &error), &error);
    assert_ok(opac_formula_parse("F won", NULL, &formula, &error), &error);
    const opac_objective objective = {.formula = formula};
    assert_ok(opac_learn(env, &objective, &options, &learning, &error), &error);
    const opac_learn_report *report = opac_learning_report(learning);
    bool is_miss = report->end == OPAC_END_REFUTED || report->lower > 2.0 / 3 ||
                   report->optimum_upper < 2.0 / 3;
    *samples += report->samples;
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(env);
    opac_cancel_free(g.cancel);
    return is_miss;
}

static void test_stopped_by_what_is_rare(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        double delta = i % 2 == 0 ? 0.1 : 0.5;
        unsigned broken = 0;
        uint64_t samples = 0;
        for (unsigned run = 0; run < RUNS; run++)
            broken += misses(delta, 1000 * (uint64_t)i + run, i < 2 ? 0 : 20, &samples);
        print_message("%u runs, %llu samples: %u brackets miss (%.3g), delta %g\n", (unsigned)RUNS,
                      (unsigned long long)samples, broken, (double)broken / RUNS, delta);
        assert_true(exact_is_kept(broken, RUNS, delta));
        assert_true(samples > RUNS);
    }
}

SUITE(stopped)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stopped_by_what_is_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
