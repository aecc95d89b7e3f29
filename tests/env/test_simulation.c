/* SPDX-License-Identifier: MIT */
/*
 * Simulations follow the model: branches by their probabilities, choices and initial states uniformly; the
 * results for a seed are pinned.
 */
#include <omegapac/builder.h>
#include <omegapac/simulation.h>

#include "model/model.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/fit.h"
#include "support/random.h"

/* State 0 has choices with the branches given; all other states lead back to it. */
static opac_model *star(const double *const *probabilities, const uint32_t *counts,
                        uint32_t choices, uint32_t states)
{
    opac_builder *builder;
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    for (uint32_t i = 0; i < choices; i++) {
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        for (uint32_t j = 0; j < counts[i]; j++)
            assert_ok(opac_builder_branch(builder, j + 1, probabilities[i][j], &error), &error);
    }
    for (uint32_t i = 1; i < states; i++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, "back", &error), &error);
        assert_ok(opac_builder_branch(builder, 0, 1, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_simulation *begin(const opac_model *model, uint64_t seed)
{
    opac_simulation *simulation;
    opac_error error;
    assert_ok(opac_simulation_new(model, seed, &simulation, &error), &error);
    return simulation;
}

/* Chi-square, with a false-alarm rate of FIT_FALSE_ALARM for each distribution. */
static void check_branches(const double *probability, uint32_t count, uint64_t seed)
{
    enum {
        DRAWS = 200000
    };
    uint64_t observed[8] = {0};
    opac_model *model = star(&probability, &count, 1, count + 1);
    opac_simulation *simulation = begin(model, random_seed(seed));
    for (int i = 0; i < DRAWS; i++) {
        opac_simulation_reset(simulation, (uint64_t)i);
        uint32_t branch = opac_simulation_step(simulation, 0);
        assert_int_equal(opac_model_branch_target(model, branch),
                         opac_simulation_state(simulation));
        observed[opac_simulation_state(simulation) - 1]++;
    }
    assert_true(fit_chi_square(observed, probability, count, DRAWS) > FIT_FALSE_ALARM);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

static void branches_follow_their_probabilities(void **state)
{
    (void)state;
    check_branches((double[]){0.5, 0.5}, 2, 1);
    check_branches((double[]){0.4, 0.4, 0.2}, 3, 2);
    check_branches((double[]){0.001, 0.002, 0.297, 0.7}, 4, 3);
    check_branches((double[]){1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7}, 7, 4);
    check_branches((double[]){1}, 1, 5);
}

/* Also within one episode, whose random numbers are one stream. */
static void choices_are_uniform(void **state)
{
    (void)state;
    enum {
        DRAWS = 200000
    };
    const double one[] = {1}, coin[] = {0.5, 0.5};
    const double *probabilities[] = {one, coin, coin};
    uint64_t observed[3] = {0};
    opac_model *model = star(probabilities, (uint32_t[]){1, 2, 2}, 3, 3);
    opac_simulation *simulation = begin(model, random_seed(6));
    for (int i = 0; i < DRAWS; i++) {
        uint32_t choice = opac_simulation_choose(simulation);
        observed[choice]++;
        opac_simulation_step(simulation, choice);
        assert_int_equal(opac_simulation_choose(simulation),
                         opac_model_choice_begin(model, opac_simulation_state(simulation)));
        opac_simulation_step(simulation, opac_simulation_choose(simulation));
        assert_int_equal(opac_simulation_state(simulation), 0);
    }
    assert_true(fit_chi_square(observed, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}, 3, DRAWS) >
                FIT_FALSE_ALARM);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

static opac_model *several_initial_states(uint32_t count)
{
    opac_builder *builder;
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, NULL, &error), &error);
        assert_ok(opac_builder_branch(builder, i, 1, &error), &error);
        if (i % 2 == 1)
            assert_ok(opac_builder_initial(builder, i, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static void initial_states_are_uniform(void **state)
{
    (void)state;
    enum {
        DRAWS = 100000
    };
    uint64_t observed[3] = {0};
    opac_model *model = several_initial_states(6);
    opac_simulation *simulation = begin(model, random_seed(7));
    for (uint64_t i = 0; i < DRAWS; i++) {
        opac_simulation_reset(simulation, i);
        assert_int_equal(opac_simulation_state(simulation) % 2, 1);
        observed[opac_simulation_state(simulation) / 2]++;
    }
    assert_true(fit_chi_square(observed, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}, 3, DRAWS) >
                FIT_FALSE_ALARM);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

static void walk(opac_simulation *simulation, uint64_t episode, uint32_t *states, int count)
{
    opac_simulation_reset(simulation, episode);
    for (int i = 0; i < count; i++) {
        opac_simulation_step(simulation, opac_simulation_choose(simulation));
        states[i] = opac_simulation_state(simulation);
    }
}

/* The results for a seed are the same on all machines, independently of earlier episodes. */
static void results_for_a_seed_are_pinned(void **state)
{
    (void)state;
    const double third[] = {0.4, 0.4, 0.2}, coin[] = {0.5, 0.5};
    const double *probabilities[] = {third, coin};
    static const uint32_t expected[] = {1, 0, 2, 0, 3, 0, 3, 0, 2, 0, 3, 0, 1, 0, 3, 0, 2, 0, 1, 0};
    uint32_t states[20], again[20];
    opac_model *model = star(probabilities, (uint32_t[]){3, 2}, 2, 4);
    opac_simulation *simulation = begin(model, 1);
    walk(simulation, 0, states, 20);
    for (int i = 0; i < 20; i++)
        assert_int_equal(states[i], expected[i]);
    walk(simulation, 1, again, 20);
    assert_memory_not_equal(states, again, sizeof states);
    walk(simulation, 0, again, 20);
    assert_memory_equal(states, again, sizeof states);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

/* The remainder of 1 that rounding leaves is made large here, since else it is never sampled. */
static void the_rest_goes_to_the_last_branch(void **state)
{
    (void)state;
    const double coin[] = {0.5, 0.5}, *probabilities[] = {coin};
    opac_model *model = star(probabilities, (uint32_t[]){2}, 1, 3);
    ((double *)model->process.prob)[0] = 0.25;
    ((double *)model->process.prob)[1] = 0.25;
    opac_simulation *simulation = begin(model, 1);
    uint32_t last = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        opac_simulation_reset(simulation, i);
        uint32_t branch = opac_simulation_step(simulation, 0);
        assert_true(branch < 2);
        last += branch;
    }
    assert_in_range(last, 650, 850);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

static void a_choice_of_another_state_is_not_taken(void **state)
{
    (void)state;
    const double coin[] = {0.5, 0.5}, *probabilities[] = {coin};
    opac_model *model = star(probabilities, (uint32_t[]){2}, 1, 3);
    opac_simulation *simulation = begin(model, 1);
    assert_true(opac_simulation_step(simulation, UINT32_MAX) < 2);
    uint32_t from = opac_simulation_state(simulation); /* its one branch is number from + 1 */
    assert_int_equal(opac_simulation_step(simulation, 0), from + 1);
    opac_simulation_free(simulation);
    opac_model_free(model);
}

static opac_status begin_and_end(void *model, opac_error *error)
{
    opac_simulation *simulation = NULL;
    opac_status status = opac_simulation_new(model, 1, &simulation, error);
    opac_simulation_free(simulation);
    return status;
}

static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    opac_model *model = several_initial_states(4);
    assert_int_equal(faults_sweep(begin_and_end, model), 1);
    opac_model_free(model);
}

SUITE(simulation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_follow_their_probabilities),
        cmocka_unit_test(choices_are_uniform),
        cmocka_unit_test(initial_states_are_uniform),
        cmocka_unit_test(results_for_a_seed_are_pinned),
        cmocka_unit_test(the_rest_goes_to_the_last_branch),
        cmocka_unit_test(a_choice_of_another_state_is_not_taken),
        cmocka_unit_test(out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("env.simulation", tests, NULL, NULL);
}
