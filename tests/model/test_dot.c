/* SPDX-License-Identifier: MIT */
/* Drawings of models in Graphviz. */
#include <omegapac/builder.h>

#include "support/check.h"
#include "support/faults.h"
#include "support/picture.h"
#include "support/random_model.h"

static opac_status write_dot(const void *model, opac_output *out, opac_error *error)
{
    return opac_model_write_dot(model, 1000, out, error);
}

static char *draw(const opac_model *model)
{
    return picture_draw(write_dot, model);
}

/* Two states: 0 goes to 1, or stays with probability 1/2; 1 has a self-loop. */
static opac_model *make(opac_model_type type, const char *action, const char *label)
{
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(type, &builder, &error), &error);
    assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, -1, 3, &error), &error);
    assert_ok(opac_builder_variable(builder, "b", OPAC_VALUE_BOOL, 0, 1, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    if (type == OPAC_MODEL_MDP) {
        assert_ok(opac_builder_choice(builder, action, &error), &error);
        assert_ok(opac_builder_branch(builder, 1, 1, &error), &error);
    }
    assert_ok(opac_builder_choice(builder, "", &error), &error);
    assert_ok(opac_builder_branch(builder, 0, 0.5, &error), &error);
    assert_ok(opac_builder_branch(builder, 1, 0.5, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_value(builder, 1, 1, &error), &error);
    assert_ok(opac_builder_label(builder, label, 1, &error), &error);
    assert_ok(opac_builder_label(builder, "end", 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

#define HEAD "digraph model {\n  rankdir=LR\n  node [shape=box, style=rounded]\n"

static void test_mdp(void **state)
{
    (void)state;
    opac_model *model = make(OPAC_MODEL_MDP, "g\"o\\", "a\nb");
    char *text = draw(model);
    assert_string_equal(text, HEAD "  start0 [label=\"\", shape=point, width=0.05]\n"
                                   "  start0 -> 0\n"
                                   "  0 [label=\"0: x=-1, b=false\"]\n"
                                   "  1 [label=\"1: x=-1, b=true\\n{deadlock, a\\\\x0Ab, end}\"]\n"
                                   "  0 -> 1 [label=\"g\\\"o\\\\\"]\n"
                                   "  c1 [label=\"\", shape=point]\n"
                                   "  0 -> c1 [label=\"\", arrowhead=none]\n"
                                   "  c1 -> 0 [label=\"0.5\"]\n"
                                   "  c1 -> 1 [label=\"0.5\"]\n"
                                   "  1 -> 1 [label=\"\"]\n"
                                   "}\n");
    free(text);
    opac_model_free(model);
}

static void test_dtmc(void **state)
{
    (void)state;
    opac_model *model = make(OPAC_MODEL_DTMC, "", "goal");
    char *text = draw(model);
    assert_string_equal(text, HEAD "  start0 [label=\"\", shape=point, width=0.05]\n"
                                   "  start0 -> 0\n"
                                   "  0 [label=\"0: x=-1, b=false\"]\n"
                                   "  1 [label=\"1: x=-1, b=true\\n{deadlock, goal, end}\"]\n"
                                   "  0 -> 0 [label=\"0.5\"]\n"
                                   "  0 -> 1 [label=\"0.5\"]\n"
                                   "  1 -> 1 [label=\"1\"]\n"
                                   "}\n");
    free(text);
    opac_model_free(model);
}

static void test_limit(void **state)
{
    (void)state;
    opac_model *model = make(OPAC_MODEL_MDP, "a", "b");
    opac_error error = {0};
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_model_write_dot(model, 1, out, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "the model has 2 states, too many for a drawing (at most 1)");
    assert_non_null(opac_output_bytes(out, &length));
    assert_int_equal(length, 0);
    opac_output_free(out);
    opac_model_free(model);
}

static unsigned count(const char *text, const char *word)
{
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        found++;
    return found;
}

/* There is an arrow for each branch, each choice with several branches and each initial state. */
static void test_random(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int i = 0; i < 100; i++) {
        opac_model *model = random_model(&random, random_model_draw(&random, 12));
        unsigned points = 0;
        for (uint32_t c = 0; c < opac_model_choices(model); c++)
            points += opac_model_get_type(model) == OPAC_MODEL_MDP &&
                      opac_model_branch_count(model, c) > 1;
        char *text = draw(model);
        assert_int_equal(count(text, " -> "),
                         opac_model_transitions(model) + points + opac_model_initial_count(model));
        assert_int_equal(count(text, "shape=point]"), points);
        free(text);
        opac_model_free(model);
    }
}

static opac_status draw_and_release(void *context, opac_error *error)
{
    return picture_try(write_dot, context, error);
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(2);
    opac_model *model = random_model(&random, random_model_draw(&random, 12));
    assert_true(faults_sweep(draw_and_release, model) > 1);
    opac_model_free(model);
}

SUITE(dot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mdp),    cmocka_unit_test(test_dtmc),   cmocka_unit_test(test_limit),
        cmocka_unit_test(test_random), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
