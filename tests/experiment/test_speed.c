/* SPDX-License-Identifier: MIT */
/* What `speed` measures: the walks are walks, the counts are those of the seed, and no clock
 * shows. */
#include "experiment/speed.h"

#include "experiment/small.h"
#include "stat/alias.h"

/* The same walk, written down from the definition of the graph: draws alone decide. */
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

static void bare_walks(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {12, 3}, {1000, 2}, {777, 5}};
    opac_error error;
    for (size_t i = 0; i < 4; i++) {
        uint32_t states = sizes[i][0], width = sizes[i][1];
        experiment_bare *bare;
        assert_ok(experiment_bare_new(states, width, &bare, &error), &error);
        for (uint64_t steps = 0; steps < 40; steps += 13) {
            uint32_t joined = 0;
            for (uint64_t lane = 0; lane < 8; lane++)
                joined ^= walk(states, width, 5, lane, steps);
            assert_int_equal(experiment_bare_walk(bare, 5, steps),
                             walk(states, width, 5, 0, steps));
            assert_int_equal(experiment_bare_walk_eight(bare, 5, steps), joined);
        }
        double rate;
        for (unsigned threads = 1; threads < 4; threads++) {
            assert_ok(experiment_bare_rate(bare, threads == 1, threads, 1000, &rate, &error),
                      &error);
            assert_true(rate > 0);
        }
        experiment_bare_free(bare);
    }
    experiment_bare *none;
    assert_status(experiment_bare_new(0, 1, &none, &error), OPAC_ERROR_ARGUMENT);
    assert_status(experiment_bare_new(1, 65, &none, &error), OPAC_ERROR_ARGUMENT);
    assert_null(none);
    assert_true(experiment_draw_rate(1000) > 0);
}

/* Numbers of steps do not depend on threads but for their limit, and are multiples of T. */
static void counts(void **state)
{
    (void)state;
    static const experiment_speed_case cases[] = {
        {"gridworld", 12, 3, 19, OPAC_SAMPLER_POPULATION, 0},
        {"gridworld", 12, 3, 306, OPAC_SAMPLER_STEP, 100000},
        {"shift", 100, 2, 50, OPAC_SAMPLER_STEP, 100000}};
    opac_error error;
    for (size_t i = 0; i < 3; i++) {
        experiment_question question;
        assert_ok(experiment_speed_open(&cases[i], &question, &error), &error);
        assert_int_equal(opac_model_states(question.model), i < 2 ? 6 : 100);
        for (unsigned threads = 1; threads < 3; threads++) {
            experiment_speed_run run;
            assert_ok(
                experiment_speed_measure(&question, &cases[i], threads, 1, NULL, &run, &error),
                &error);
            assert_int_equal(run.steps, run.episodes * cases[i].horizon);
            if (i == 0) {
                assert_int_equal(run.k, 71394132);
                assert_in_range(run.steps, UINT64_C(11100000000), UINT64_C(11200000000));
            } else {
                assert_true(run.steps <= cases[i].steps * threads &&
                            run.steps + cases[i].horizon > cases[i].steps * threads);
            }
        }
        experiment_question_close(&question);
    }
}

static opac_status small_page(experiment_lab *lab, opac_error *error)
{
    return experiment_speed_page(lab, 100000, error);
}

static const experiment_entry small_entry = {{"speed", "small"}, small_page};

static void without_a_clock_same_bytes(void **state)
{
    (void)state;
    /* The page, JSON, the table of counts. */
    opac_experiment_result_free(small_same(&small_entry, 3, &(small_text){NULL, NULL}));
}

/* With one there is more, and it is not compared. */
static void with_a_clock(void **state)
{
    (void)state;
    folder into = folder_make();
    small_run run = small_in(&small_entry, &into, 2);
    opac_experiment_result *result;
    opac_error error;
    run.options.no_timing = false;
    assert_ok(experiment_run_entry(&small_entry, &run.options, &result, &error), &error);
    assert_int_equal(folder_count(&into, false), 3 + 1 + 2); /* times, two figures */
    assert_int_equal(opac_experiment_finding_count(result), 4);
    opac_experiment_result_free(result);
    folder_remove(&into);
}

static opac_status make_tables(void *context, opac_error *error)
{
    experiment_bare *bare;
    (void)context;
    opac_status status = experiment_bare_new(10, 2, &bare, error);
    experiment_bare_free(bare);
    return status;
}

static opac_status measure_briefly(void *context, opac_error *error)
{
    static const experiment_speed_case one = {"shift", 10, 2, 5, OPAC_SAMPLER_STEP, 100};
    experiment_question question;
    experiment_speed_run run;
    (void)context;
    opac_status status = experiment_speed_open(&one, &question, error);
    if (status != OPAC_OK)
        return status;
    status = experiment_speed_measure(&question, &one, 1, 1, NULL, &run, error);
    experiment_question_close(&question);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(faults_sweep(make_tables, NULL), 5);
    assert_true(faults_sweep_some(measure_briefly, 5, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_walks),
        cmocka_unit_test(counts),
        cmocka_unit_test(with_a_clock),
        cmocka_unit_test(without_a_clock_same_bytes),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
