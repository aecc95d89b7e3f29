/* SPDX-License-Identifier: MIT */
/* The public functions of environments: properties, default propositions, and descriptions of states. */
#include <math.h>

#include <omegapac/builder.h>
#include <omegapac/environment.h>

#include "env/env.h"
#include "support/check.h"
#include "support/faults.h"

/* Three rooms in a row; the light is on in the last. */
static const char text[] = "mdp\n"
                           "module m\n"
                           "  x : [0..2] init 0;\n"
                           "  [go] x<2 -> (x'=x+1);\n"
                           "  [back] x>0 -> (x'=x-1);\n"
                           "endmodule\n"
                           "label \"light\" = x=2;\n"
                           "label \"start\" = x=0;\n";

static opac_model *read_model(void)
{
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    return model;
}

/* The bit of a proposition among the environment's own. */
static uint64_t bit(const opac_environment *env, const char *name)
{
    for (size_t i = 0;; i++) {
        const char *found = opac_environment_proposition(env, i);
        assert_non_null(found);
        if (strcmp(found, name) == 0)
            return UINT64_C(1) << i;
    }
}

static void model_by_hand(void **state)
{
    (void)state;
    opac_model *model = read_model();
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    char shown[32];
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    opac_environment_traits traits = opac_environment_get_traits(env);
    assert_true(traits.can_draw);
    assert_true(traits.can_fork);
    assert_true(traits.knows_graph);
    assert_false(traits.random_start);
    assert_int_equal(traits.lanes, 1);
    assert_status(opac_environment_step(env, 0, &seen, &error), OPAC_ERROR_ARGUMENT);
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    assert_int_equal(seen.letter, bit(env, "start") | bit(env, "init"));
    assert_string_equal(opac_environment_action_name(env, seen.key, seen.length, 0), "go");
    assert_status(opac_environment_step(env, 1, &seen, &error), OPAC_ERROR_ARGUMENT);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, 0);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, bit(env, "light"));
    assert_string_equal(opac_environment_show(env, seen.key, seen.length, shown, sizeof shown),
                        "x=2");
    opac_environment_free(env);
    opac_model_free(model);
}

/* Bound propositions are used from then on, also within an episode, and by forks. */
static void chosen_names(void **state)
{
    (void)state;
    const char *const names[] = {"x>0", "light"}, *const wrong[] = {"night"};
    opac_model *model = read_model();
    opac_environment *env, *fork;
    opac_observation seen;
    opac_error error;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    assert_ok(opac_environment_bind(env, names, 2, &error), &error);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, 1);
    assert_status(opac_environment_bind(env, wrong, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, 3);
    assert_ok(env_fork(env, &fork, &error), &error);
    assert_ok(opac_environment_reset(fork, 1, &seen, &error), &error);
    assert_int_equal(seen.letter, 0);
    opac_lane_request again = {.is_reset = true, .seed = 3};
    assert_ok(opac_environment_step_many(fork, &again, &seen, &error), &error);
    assert_int_equal(seen.letter, 0);
    opac_environment_free(fork);
    assert_ok(opac_environment_bind(env, NULL, 0, &error), &error); /* none */
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    assert_int_equal(seen.letter, 0);
    opac_environment_free(env);
    opac_model_free(model);
}

/* opac_environment_step_many with a single lane, as the first call. */
static void one_lane(void **state)
{
    (void)state;
    opac_model *model = read_model();
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    opac_lane_request order = {.is_reset = true, .seed = 3};
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    assert_ok(opac_environment_step_many(env, &order, &seen, &error), &error);
    assert_int_equal(seen.letter, bit(env, "start") | bit(env, "init"));
    opac_environment_free(env);
    opac_model_free(model);
}

static void the_first_64(void **state)
{
    (void)state;
    opac_builder *builder;
    opac_model *model;
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    char name[16];
    uint64_t expected = 0;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_choice(builder, "", &error), &error);
    assert_ok(opac_builder_branch(builder, 0, 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    for (int i = 0; i < 70; i++) {
        snprintf(name, sizeof name, "p%02d", i);
        assert_ok(opac_builder_label(builder, name, 0, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    for (size_t i = 0; i < 64; i++)
        if (strcmp(opac_environment_proposition(env, i), "deadlock") != 0)
            expected |= UINT64_C(1) << i;
    assert_int_equal(seen.letter, expected);
    assert_non_null(opac_environment_proposition(env, 71));
    assert_null(opac_environment_proposition(env, 72));
    opac_environment_free(env);
    opac_model_free(model);
}

static void graph_has_propositions_and_cannot_run(void **state)
{
    (void)state;
    opac_model *model = read_model();
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    assert_ok(opac_environment_of_graph(model, model, NULL, &env, &error), &error);
    assert_true(bit(env, "light") != bit(env, "start"));
    assert_true(opac_environment_get_traits(env).knows_graph);
    assert_false(opac_environment_get_traits(env).can_fork);
    assert_status(opac_environment_reset(env, 1, &seen, &error), OPAC_ERROR_UNSUPPORTED);
    opac_environment_free(env);
    opac_model_free(model);
}

/* ---- names of simulators ---- */

static void names_of_simulators(void **state)
{
    (void)state;
    opac_environment *env = (opac_environment *)&env;
    opac_environment_options options = opac_environment_defaults();
    opac_error error;
    assert_true(opac_environment_is_simulator("exec:true"));
    assert_true(opac_environment_is_simulator("plugin:"));
    assert_false(opac_environment_is_simulator("plugin"));
    assert_false(opac_environment_is_simulator("model.prism"));
    assert_false(opac_environment_is_simulator("./exec:true"));
    assert_false(opac_environment_is_simulator(""));
    assert_true(options.timeout == 10);
    assert_true(options.cancel == NULL);
    assert_status(opac_environment_open("model\n.prism", NULL, &env, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "\"model\\x0A.prism\" is not a simulator: expected "
                                       "exec:COMMAND or plugin:FILE.so");
    assert_null(env);
    const double wrong[] = {0, -1, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        options.timeout = wrong[i];
        assert_status(opac_environment_open("plugin:x.so", &options, &env, &error),
                      OPAC_ERROR_ARGUMENT);
    }
}

static void seeds_of_episodes(void **state)
{
    (void)state;
    for (uint64_t episode = 0; episode < 1000; episode++) {
        uint64_t seed = opac_environment_episode_seed(7, episode);
        assert_true(seed >> 63 == 0);
        assert_true(seed == env_episode_seed(7, episode));
        assert_true(seed != opac_environment_episode_seed(8, episode));
    }
}

/* ---- without memory ---- */

static opac_status reset_unbound(void *context, opac_error *error)
{
    opac_environment *env;
    opac_observation seen;
    opac_status status = opac_environment_of_model(context, NULL, &env, error);
    if (status == OPAC_OK)
        status = opac_environment_reset(env, 1, &seen, error);
    opac_environment_free(env);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    opac_model *model = read_model();
    assert_true(faults_sweep(reset_unbound, model) > 3);
    opac_model_free(model);
}

SUITE(public)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(model_by_hand),
                                       cmocka_unit_test(chosen_names),
                                       cmocka_unit_test(one_lane),
                                       cmocka_unit_test(the_first_64),
                                       cmocka_unit_test(graph_has_propositions_and_cannot_run),
                                       cmocka_unit_test(names_of_simulators),
                                       cmocka_unit_test(seeds_of_episodes),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
