/* SPDX-License-Identifier: MIT */
/* One thread, two or five: the same bytes. */
#include "check/random_scene.h"
#include "check/scene.h"

enum {
    STATES = 3000
};

/* Everything that is told, as a text. */
static char *tell(const opac_model *model, const opac_objective *objective, unsigned threads)
{
    const opac_check_options options = {.threads = threads, .policy = true};
    opac_error error = {0};
    opac_output *out;
    opac_policy *policy;
    size_t length;
    opac_solution *solution = scene_solve(model, objective, &options);
    opac_interval found = opac_solution_interval(solution, 0);
    opac_solution_stats stats = opac_solution_get_stats(solution);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_output_print(out, "%a %a %a %llu\n", found.value, found.lower, found.upper,
                      (unsigned long long)stats.sweeps);
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    opac_policy_write(policy, out);
    const char *bytes = opac_output_bytes(out, &length);
    char *copy = malloc(length + 1);
    assert_true(bytes != NULL);
    assert_true(copy != NULL);
    memcpy(copy, bytes, length + 1);
    opac_output_free(out);
    opac_policy_free(policy);
    opac_solution_free(solution);
    return copy;
}

/* Chances of 1 in 3 along a line of small knots: many components, most of them apart. */
static opac_model *make_knots(uint64_t *random)
{
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t ahead = s + 1 + random_below(random, 40), back = s - s % 8;
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 0; c < 2; c++) {
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            if (s + 50 >= STATES) {
                assert_ok(opac_builder_branch(builder, s, 1, &error), &error);
                continue;
            }
            assert_ok(opac_builder_branch(builder, ahead + c, 0.3, &error), &error);
            assert_ok(opac_builder_branch(builder, back + random_below(random, 8), 0.7, &error),
                      &error);
        }
        if (s % 3 == 0)
            assert_ok(opac_builder_label(builder, "p0", s, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static void threads_do_not_change_results(void **state)
{
    uint64_t random = random_seed(9);
    opac_model *model = make_knots(&random);
    opac_formula *formula = scene_formula("F G p0");
    (void)state;
    for (int least = 0; least < 2; least++) {
        const opac_objective objective = {
            .formula = formula, .direction = least != 0 ? OPAC_DIRECTION_MIN : OPAC_DIRECTION_MAX};
        char *one = tell(model, &objective, 1), *two = tell(model, &objective, 2);
        char *five = tell(model, &objective, 5);
        assert_string_equal(one, two);
        assert_string_equal(one, five);
        free(one);
        free(two);
        free(five);
    }
    opac_formula_free(formula);
    opac_model_free(model);
}

SUITE(threads)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_change_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
