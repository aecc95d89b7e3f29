/* SPDX-License-Identifier: MIT */
/* Access to a model, and the check of its invariants, which detects each violation. */
#include <omegapac/builder.h>

#include "support/check.h"
#include "support/invariants.h"
#include "support/random_model.h"

static opac_error error;

static char *state_text(const opac_model *model, uint32_t state, char *buffer, size_t size)
{
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_model_write_state(model, state, out);
    snprintf(buffer, size, "%s", opac_output_bytes(out, &length));
    opac_output_free(out);
    return buffer;
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(opac_model_type_name(OPAC_MODEL_DTMC), "dtmc");
    assert_string_equal(opac_model_type_name(OPAC_MODEL_MDP), "mdp");
    assert_string_equal(opac_model_type_name((opac_model_type)9), "unknown");
    opac_model_free(NULL);
}

static void test_state_as_text(void **state)
{
    (void)state;
    opac_builder *builder;
    opac_model *model;
    char text[64];
    for (int variables = 0; variables < 2; variables++) {
        assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
        if (variables) {
            assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, -9, 9, &error), &error);
            assert_ok(opac_builder_variable(builder, "done", OPAC_VALUE_BOOL, 0, 1, &error),
                      &error);
        }
        for (int i = 0; i < 2; i++)
            assert_ok(opac_builder_state(builder, &error), &error);
        if (variables)
            assert_ok(opac_builder_value(builder, 1, 1, &error), &error);
        assert_ok(opac_builder_initial(builder, 0, &error), &error);
        assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
        assert_string_equal(state_text(model, 1, text, sizeof text),
                            variables ? "x=-9, done=true" : "1");
        assert_int_equal(opac_model_action_count(model), 0);
        assert_string_equal(opac_model_choice_action(model, 1), "");
        opac_model_free(model);
        opac_builder_free(builder);
    }
}

/* States in JSON, as in results and traces; variables are found by name and type. */
static void test_state_in_json(void **state)
{
    (void)state;
    opac_builder *builder;
    opac_model *model;
    opac_output *out;
    opac_json json;
    size_t length;
    uint32_t index = 7;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, -9, 9, &error), &error);
    assert_ok(opac_builder_variable(builder, "done", OPAC_VALUE_BOOL, 0, 1, &error), &error);
    for (int i = 0; i < 2; i++)
        assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_value(builder, 1, 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 1, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    for (uint32_t s = 0; s < 2; s++) {
        assert_ok(opac_output_open_memory(&out, &error), &error);
        opac_json_init(&json, out);
        opac_json_begin_array(&json);
        opac_model_write_values_json(model, s, &json);
        opac_model_write_labels_json(model, s, &json);
        opac_json_end_array(&json);
        assert_string_equal(opac_output_bytes(out, &length),
                            s == 0 ? "[{\"x\": -9, \"done\": false}, [\"deadlock\"]]"
                                   : "[{\"x\": -9, \"done\": true}, [\"init\", \"deadlock\"]]");
        opac_output_free(out);
    }
    assert_true(opac_model_find_variable(model, "done", OPAC_VALUE_BOOL, &index));
    assert_true(index == 1);
    assert_false(opac_model_find_variable(model, "done", OPAC_VALUE_INT, &index));
    assert_false(opac_model_find_variable(model, "y", OPAC_VALUE_INT, &index));
    assert_true(opac_model_find_variable(model, "x", OPAC_VALUE_INT, &index));
    assert_true(index == 0);
    opac_model_free(model);
    opac_builder_free(builder);
}

/* ---- violated invariants ---- */

static void break_sum(opac_model *m)
{
    ((double *)m->process.prob)[0] *= 0.5;
}

static void break_target(opac_model *m)
{
    ((uint32_t *)m->process.target)[0] = m->process.state_count;
}

static void break_twice(opac_model *m)
{
    const graph_process *p = &m->process;
    for (uint32_t c = 0; c < p->choice_count; c++)
        if (p->edge_begin[c + 1] - p->edge_begin[c] > 1) {
            ((uint32_t *)p->target)[p->edge_begin[c]] = p->target[p->edge_begin[c] + 1];
            return;
        }
}

static void break_choices(opac_model *m)
{
    ((uint32_t *)m->process.choice_begin)[1] = 0;
}

static void break_type(opac_model *m)
{
    m->type = OPAC_MODEL_DTMC;
}

static void break_action(opac_model *m)
{
    m->action[0] = m->actions.count;
}

static void break_action_name(opac_model *m)
{
    m->actions.keys[m->actions.keys_used - 1] = 'x';
}

static void break_fraction(opac_model *m)
{
    m->exact[0] = base_ratio_of(1, 1000003);
}

static void break_label(opac_model *m)
{
    m->labels.items[2].states.size--;
}

static void break_init_name(opac_model *m)
{
    m->labels.items[MODEL_LABEL_INIT].name[0] = 'I';
}

static void break_initial(opac_model *m)
{
    m->initial.count = 0;
}

static void break_initial_set(opac_model *m)
{
    base_bitset *init = &m->labels.items[MODEL_LABEL_INIT].states;
    base_bitset_remove(init, m->initial.items[0]);
    for (uint32_t s = 0; s < m->process.state_count; s++)
        if (s != m->initial.items[0] && !base_bitset_has(init, s)) {
            base_bitset_add(init, s);
            return;
        }
}

static void break_range(opac_model *m)
{
    m->rows[0] |= m->layout.variables[0].mask << m->layout.variables[0].shift;
}

static void break_rows(opac_model *m)
{
    base_free(m->rows);
    m->rows = NULL;
}

static void test_check(void **state)
{
    (void)state;
    void (*const breaks[])(opac_model *) = {
        break_sum,     break_target,      break_twice,    break_choices, break_type,
        break_action,  break_action_name, break_fraction, break_label,   break_init_name,
        break_initial, break_initial_set, break_range,    break_rows,
    };
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        uint64_t random = 77;
        random_model_shape shape = {.type = OPAC_MODEL_MDP,
                                    .states = 40,
                                    .most_choices = 3,
                                    .most_branches = 4,
                                    .labels = 3,
                                    .actions = 3,
                                    .variables = 4,
                                    .exact = true};
        opac_model *model = random_model(&random, shape);
        assert_true(opac_model_states(model) > 5);
        breaks[i](model);
        if (model_check(model, &error) != OPAC_ERROR_ARGUMENT)
            fail_msg("case %zu is not found", i);
        if (breaks[i] == break_label)
            model->labels.items[2].states.size++;
        opac_model_free(model);
    }
}

/* The vocabulary is released with the model. */
static void release(void *context)
{
    ++*(int *)context;
}

static void test_vocabulary(void **state)
{
    (void)state;
    int released = 0;
    uint64_t random = 1;
    opac_model *model = random_model(&random, random_model_draw(&random, 5));
    model->vocabulary = (model_vocabulary){.context = &released, .release = release};
    opac_model_free(model);
    assert_int_equal(released, 1);
}

/* Names longer than any buffer. */
static void test_long_action(void **state)
{
    (void)state;
    base_intern actions;
    uint32_t id, again;
    char name[1000];
    size_t length;
    memset(name, 'n', sizeof name);
    base_intern_init(&actions);
    assert_ok(model_action_add(&actions, name, sizeof name, &id, &error), &error);
    assert_int_equal(id, 1);
    assert_ok(model_action_add(&actions, name, 127, &again, &error), &error);
    assert_int_equal(again, 2);
    assert_ok(model_action_add(&actions, "", 0, &again, &error), &error);
    assert_int_equal(again, 0);
    assert_string_equal((const char *)base_intern_key(&actions, 0, &length), "");
    assert_int_equal(strlen((const char *)base_intern_key(&actions, 1, &length)), sizeof name);
    base_intern_fini(&actions);
}

SUITE(model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),         cmocka_unit_test(test_state_as_text),
        cmocka_unit_test(test_state_in_json), cmocka_unit_test(test_check),
        cmocka_unit_test(test_vocabulary),    cmocka_unit_test(test_long_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
