/* SPDX-License-Identifier: MIT */
/* Baseline walks use the graph that calibration.h describes, and their rates are positive. */
#include <omegapac/calibration.h>

#include "env/walk_baseline.h"
#include "stat/alias.h"
#include "support/check.h"
#include "support/faults.h"

/* The same walk, computed from the definition of the graph. */
static uint32_t walk(uint32_t states, uint32_t width, uint64_t seed, uint64_t lane, uint64_t steps)
{
    stat_rng rng;
    stat_alias_slot slots[8];
    const double weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    opac_error error;
    uint32_t at = 0;
    assert_ok(stat_alias_build(weights, width, slots, &error), &error);
    stat_rng_init(&rng, seed, lane);
    for (uint64_t i = 0; i < steps; i++)
        at = (at * width + stat_alias_draw(slots, width, &rng)) % states;
    return at;
}

static void baseline_walks(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {12, 3}, {1000, 2}, {777, 5}};
    opac_error error;
    for (size_t i = 0; i < 4; i++) {
        uint32_t states = sizes[i][0], width = sizes[i][1];
        env_baseline *bare;
        assert_ok(env_baseline_new(states, width, &bare, &error), &error);
        for (uint64_t steps = 0; steps < 40; steps += 13) {
            uint32_t joined = 0;
            for (uint64_t lane = 0; lane < 8; lane++)
                joined ^= walk(states, width, 5, lane, steps);
            assert_int_equal(env_baseline_walk(bare, 5, steps), walk(states, width, 5, 0, steps));
            assert_int_equal(env_baseline_walk_eight(bare, 5, steps), joined);
        }
        env_baseline_free(bare);
    }
    env_baseline *none;
    assert_status(env_baseline_new(0, 1, &none, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_baseline_new(1, 65, &none, &error), OPAC_ERROR_ARGUMENT);
    assert_null(none);
}

static void rates(void **state)
{
    (void)state;
    opac_walk_options options = {.states = 12, .successors = 3, .walks = 8, .steps = 1000};
    opac_error error;
    double rate;
    for (options.threads = 1; options.threads < 4; options.threads++) {
        assert_ok(opac_walk_rate(&options, &rate, &error), &error);
        assert_true(rate > 0);
    }
    options.walks = 1;
    assert_ok(opac_walk_rate(&options, &rate, &error), &error);
    assert_true(rate > 0);
    options.walks = 2;
    assert_status(opac_walk_rate(&options, &rate, &error), OPAC_ERROR_ARGUMENT);
    options = (opac_walk_options){.states = 0, .successors = 1, .walks = 1};
    assert_status(opac_walk_rate(&options, &rate, &error), OPAC_ERROR_ARGUMENT);
    assert_true(opac_draw_rate(1000) > 0);
}

static opac_status measure(void *context, opac_error *error)
{
    const opac_walk_options options = {
        .states = 10, .successors = 2, .walks = 8, .threads = 1, .steps = 80};
    (void)context;
    double rate;
    return opac_walk_rate(&options, &rate, error);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    assert_true(faults_sweep(measure, NULL) >= 5);
}

SUITE(walk_baseline)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_walks),
        cmocka_unit_test(rates),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
