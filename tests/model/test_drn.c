/* SPDX-License-Identifier: MIT */
/* Storm's DRN: a model that is written is read back unchanged, and Storm's own files are read. */
#include <omegapac/builder.h>
#include <omegapac/output.h>

#include <unistd.h>

#include "model/explicit.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random_model.h"
#include "support/temporary.h"

/* ---- helpers ---- */

typedef struct heard {
    unsigned count;
    opac_status code;
    uint32_t line;
    char text[OPAC_MESSAGE_SIZE];
} heard;

/* Keeps the last message. */
static void listen(void *context, const opac_message *message)
{
    heard *said = context;
    said->count++;
    said->code = message->code;
    said->line = message->line;
    snprintf(said->text, sizeof said->text, "%s", message->text);
}

static opac_model *read_with(const char *text, size_t length, bool exact, heard *said)
{
    opac_error error = {0};
    opac_model *model = NULL;
    opac_model_options options = {.exact = exact, .listener = listen, .listener_context = said};
    *said = (heard){0};
    assert_ok(model_read_drn_text(text, length, &options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    return model;
}

/* Reads a text; there must be no warning. */
static opac_model *read_text(const char *text)
{
    heard said;
    opac_model *model = read_with(text, strlen(text), false, &said);
    if (said.count > 0)
        fail_msg("%u: %s", said.line, said.text);
    return model;
}

static char *write_text(const opac_model *model, size_t *length)
{
    opac_error error = {0};
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_model_write_drn(model, out);
    const char *bytes = opac_output_bytes(out, length);
    if (bytes == NULL) {
        assert_int_not_equal(opac_output_commit(out, &error), OPAC_OK);
        fail_msg("%s", error.message);
        return NULL;
    }
    char *copy = malloc(*length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, *length + 1);
    opac_output_free(out);
    return copy;
}

static bool holds(const opac_model *model, const char *label, uint32_t state)
{
    uint32_t index = model_label_find(model, label, strlen(label));
    assert_int_not_equal(index, UINT32_MAX);
    return opac_model_has_label(model, state, index);
}

/* ---- round trips ---- */

static void test_round_trips(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int i = 0; i < 400; i++) {
        random_model_shape shape = random_model_draw(&random, i % 10 == 0 ? 300 : 12);
        opac_model *model = random_model(&random, shape);
        size_t length, again_length;
        heard said;
        char *text = write_text(model, &length);
        opac_model *again = read_with(text, length, shape.exact, &said);
        if (said.count > 0)
            fail_msg("%u: %s", said.line, said.text);
        assert_same_model(model, again);
        char *again_text = write_text(again, &again_length);
        assert_string_equal(text, again_text);
        free(text);
        free(again_text);
        opac_model_free(model);
        opac_model_free(again);
    }
}

/* Converts to .tra and back, which keeps everything except labels and values. */
static void test_through_tra(void **state)
{
    (void)state;
    uint64_t random = random_seed(5);
    for (int i = 0; i < 100; i++) {
        random_model_shape shape = random_model_draw(&random, 20);
        shape.labels = shape.variables = 0;
        opac_model *model = random_model(&random, shape), *middle, *again;
        opac_model_options options = {.exact = shape.exact};
        opac_error error = {0};
        opac_output *out;
        size_t length;
        heard said;
        assert_ok(opac_output_open_memory(&out, &error), &error);
        opac_model_write_tra(model, out);
        const char *tra = opac_output_bytes(out, &length);
        assert_non_null(tra);
        assert_ok(model_read_tra_text(tra, length, &options, &middle, &error), &error);
        opac_output_free(out);
        char *text = write_text(middle, &length);
        again = read_with(text, length, shape.exact, &said);
        assert_same_model(middle, again);
        for (uint32_t c = 0; c < opac_model_choices(model); c++)
            assert_string_equal(opac_model_choice_action(model, c),
                                opac_model_choice_action(again, c));
        for (uint32_t e = 0; e < opac_model_transitions(model); e++) {
            assert_true(opac_model_branch_target(model, e) == opac_model_branch_target(again, e));
            assert_true(opac_model_branch_probability(model, e) ==
                        opac_model_branch_probability(again, e));
        }
        free(text);
        opac_model_free(model);
        opac_model_free(middle);
        opac_model_free(again);
    }
}

/* So many states that values fill several chunks, whose ranges differ. */
static void test_many_values(void **state)
{
    (void)state;
    enum {
        STATES = 70000
    };
    opac_builder *builder;
    opac_model *model;
    opac_error error = {0};
    size_t length;
    heard said;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (int v = 0; v < 8; v++) {
        char name[] = {'v', (char)('0' + v), '\0'};
        assert_ok(opac_builder_variable(builder, name, OPAC_VALUE_INT, -(int64_t)STATES * (v + 1),
                                        (int64_t)STATES * (v + 1), &error),
                  &error);
    }
    for (uint32_t s = 0; s < STATES; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t v = 0; v < 8; v++)
            assert_ok(opac_builder_value(builder, v,
                                         (s % 2 == 0 ? -(int64_t)s : (int64_t)s) * (v + 1), &error),
                      &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        assert_ok(opac_builder_branch(builder, (s + 1) % STATES, 1, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    char *text = write_text(model, &length);
    opac_model *again = read_with(text, length, false, &said);
    assert_same_model(model, again);
    free(text);
    opac_model_free(again);
    opac_model_free(model);
}

static void test_text(void **state)
{
    (void)state;
    opac_model *model = read_text("// Written by omegapac\n"
                                  "// label none\n"
                                  "// variable x [-1..3]\n"
                                  "// variable b bool\n"
                                  "@type: MDP\n@nr_states\n2\n@model\n"
                                  "state 0 init goal \"two words\"\n"
                                  "//[x=-1\t& !b]\n"
                                  "\taction go\n\t\t0 : 0.25\n\t\t1 : 0.75\n"
                                  "\taction __NOLABEL__\n\t\t1 : 1\n"
                                  "state 1\n//[x=2\t& b]\n"
                                  "\taction go\n\t\t0 : 1\n");
    size_t length;
    char *text = write_text(model, &length);
    const char *body = strchr(text, '\n');
    assert_non_null(body);
    assert_memory_equal(text, "// Written by omegapac ", 23);
    assert_string_equal(body, "\n// label none\n// label goal\n// label \"two words\"\n"
                              "// variable x [-1..3]\n// variable b bool\n"
                              "@type: MDP\n@parameters\n\n@reward_models\n\n"
                              "@nr_states\n2\n@nr_choices\n3\n@model\n"
                              "state 0 init goal \"two words\"\n//[x=-1\t& !b]\n"
                              "\taction go\n\t\t0 : 0.25\n\t\t1 : 0.75\n"
                              "\taction __NOLABEL__\n\t\t1 : 1\n"
                              "state 1\n//[x=2\t& b]\n\taction go\n\t\t0 : 1\n");
    free(text);
    opac_model_free(model);
}

/* ---- files of other programs ---- */

static void test_storm(void **state)
{
    (void)state;
    opac_model *model = read_text("// Exported by storm\n// Original model type: MDP\n"
                                  "// label not_ours\n"
                                  "@type: MDP\n@parameters\n\n@reward_models\ncoins steps \n"
                                  "@nr_states\n3\n@nr_choices\n4\n@model\n"
                                  "state 0 [0, 1.5] init\n"
                                  "//[s1=0\t& d1=-4\t& ready]\n"
                                  "\taction 0 [1, 0]\n\t\t1 : 0.5\n\t\t2 : 0.5\n"
                                  "\taction 1 [1, 0]\n\t\t0 : 1\n"
                                  "state 1 [0, 0] deadlock \"a b\"\"c\"\n"
                                  "//[s1=7\t& d1=0\t& !ready]\n"
                                  "\taction 0 [0, 0]\n\t\t1 : 1\n"
                                  "state 2 [0, 0]\n"
                                  "//[s1=2\t& d1=0\t& ready]\n"
                                  "\taction 0 [0, 0]\n\t\t0 : 1/3\n\t\t2 : 2/3\n");
    int64_t low, high;
    assert_int_equal(opac_model_get_type(model), OPAC_MODEL_MDP);
    assert_int_equal(opac_model_choices(model), 4);
    assert_int_equal(opac_model_action_count(model), 0);
    assert_int_equal(model_label_find(model, "not_ours", 8), UINT32_MAX);
    assert_true(holds(model, "init", 0));
    assert_true(holds(model, "deadlock", 1));
    assert_true(holds(model, "a b", 1));
    assert_true(holds(model, "c", 1));
    assert_false(holds(model, "c", 0));
    assert_int_equal(opac_model_variable_count(model), 3);
    opac_model_variable_range(model, 0, &low, &high);
    assert_true(low == 0);
    assert_true(high == 7);
    opac_model_variable_range(model, 1, &low, &high);
    assert_true(low == -4);
    assert_true(high == 0);
    assert_true(opac_model_value(model, 2, 0) == 2);
    assert_true(opac_model_value(model, 1, 2) == 0);
    assert_true(opac_model_branch_probability(model, 4) == 1.0 / 3);
    opac_model_free(model);
}

static void test_variations(void **state)
{
    (void)state;
    /* Items in another order, blanks, CRLF, no final line end, zero and repeated branches. */
    opac_model *model = read_text("\xEF\xBB\xBF@nr_states\r\n 2 \r\n@reward_models\r\n"
                                  "@placeholders\r\n$p : 0.25\r\n$q : 3/4\r\n@type: dtmc\r\n"
                                  "@value_type: rational\r\n@nr_players\r\n1\r\n\r\n  @model\r\n"
                                  "  state   0\tinit  a\r\n  1:$p\r\n 0 :$q\r\n1 : 0\r\n"
                                  "// nothing\r\nstate 1\r\naction x\r\n1 : .5\r\n0 : 1e-1\r\n"
                                  "1 : 0.4");
    assert_int_equal(opac_model_states(model), 2);
    assert_int_equal(opac_model_transitions(model), 4);
    assert_true(opac_model_branch_probability(model, 0) == 0.25);
    assert_true(opac_model_branch_probability(model, 2) == 0.9);
    assert_string_equal(opac_model_choice_action(model, 0), "");
    assert_string_equal(opac_model_choice_action(model, 1), "x");
    assert_int_equal(opac_model_variable_count(model), 0);
    opac_model_free(model);
}

#define HEADER "@type: MDP\n@nr_states\n2\n@model\n"

static void test_names(void **state)
{
    (void)state;
    opac_model *model = read_text(HEADER "state 0 init\naction 1\n0 : 1\naction 1\n0 : 1\n"
                                         "action __NOLABEL__\n1 : 1\naction 03\n1 : 1\n"
                                         "state 1\naction 0\n0 : 1\n");
    static const char *const names[] = {"1", "", "", "03", ""};
    for (uint32_t c = 0; c < 5; c++)
        assert_string_equal(opac_model_choice_action(model, c), names[c]);
    opac_model_free(model);
}

/* A state without choices gets a self-loop, with a warning. Storm may count a choice for it. */
static void test_deadlocks(void **state)
{
    (void)state;
    static const char *const counts[] = {"", "@nr_choices\n1\n", "@nr_choices\n2\n"};
    for (int i = 0; i < 3; i++) {
        char text[200];
        heard said;
        int length = snprintf(text, sizeof text,
                              "@type: MDP\n@nr_states\n2\n%s@model\nstate 0 init\naction 0\n"
                              "1 : 1\nstate 1\n",
                              counts[i]);
        opac_model *model = read_with(text, (size_t)length, false, &said);
        assert_int_equal(said.count, 1);
        assert_int_equal(said.code, OPAC_OK);
        assert_true(holds(model, "deadlock", 1));
        assert_false(holds(model, "deadlock", 0));
        assert_int_equal(opac_model_branch_target(model, 1), 1);
        opac_model_free(model);
    }
}

static void test_inexact_sums(void **state)
{
    (void)state;
    static const char text[] = HEADER "state 0 init\naction 0\n0 : 0.333333\n1 : 0.666666\n"
                                      "state 1\naction 0\n1 : 1\n";
    heard said;
    opac_model *model = read_with(text, strlen(text), false, &said);
    assert_int_equal(said.count, 1);
    assert_int_equal(said.code, OPAC_OK);
    assert_int_equal(said.line, 6);
    assert_non_null(strstr(said.text, "divided by their sum"));
    opac_model_free(model);
}

/* ---- values of variables ---- */

/* The comments of three states, whether they are valid, and whether there is a warning. */
static void test_comments(void **state)
{
    (void)state;
    static const struct {
        const char *comments[3];
        uint32_t variables;
        unsigned warnings;
    } cases[] = {
        {{"//[x=1]", "//[x=2]", "//[x=3]"}, 1, 0},
        {{"//[x=1\t& b]", "//[x=2 & !b]", "//[x=3&b ]"}, 2, 0},
        {{"//[x=1]", "// [x=2]", "//[x=3]"}, 0, 1},
        {{"//[x=1]", "//[y=2]", "//[x=3]"}, 0, 1},
        {{"//[x=1]", "//[x]", "//[x=3]"}, 0, 1},
        {{"//[x=1]", "//[x=2\t& y=1]", "//[x=3]"}, 0, 1},
        {{"//[x=1\t& y=1]", "//[x=2]", "//[x=3]"}, 0, 1},
        {{"//[x=1]", "//[x=2]", "//"}, 0, 1},
        {{"//[x=1]", "//[x=1/2]", "//[x=3]"}, 0, 1},
        {{"//[x=0]", "//[x=4294967295]", "//[x=3]"}, 1, 0},
        {{"//[x=0]", "//[x=4294967296]", "//[x=3]"}, 0, 1},
        {{"//[x=-999999999999999999]", "//[x=-999999999999999999]", "//[x=-999999999999999998]"},
         1,
         0},
        {{"//[x=9999999999999999999]", "//", "//"}, 0, 0},
        {{"//[x=1.5]", "//[x=2]", "//[x=3]"}, 0, 0},
        {{"//[]", "//[]", "//[]"}, 0, 0},
        {{"//[x=1\t& x=2]", "//", "//"}, 0, 0},
        {{"//[!x=1]", "//", "//"}, 0, 0},
        {{"//[x=1", "//", "//"}, 0, 0},
        {{"//[x=]", "//", "//"}, 0, 0},
        {{"//[x=1] ", "//[x=2]\t", "//[x=3]"}, 1, 0},
        {{"//", "//[x=2]", "//[x=3]"}, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        heard said;
        int length = snprintf(text, sizeof text,
                              "@type: MDP\n@nr_states\n3\n@model\n"
                              "state 0 init\n%s\naction 0\n0 : 1\nstate 1\n%s\naction 0\n//[x=5]\n"
                              "0 : 1\nstate 2\n%s\naction 0\n0 : 1\n",
                              cases[i].comments[0], cases[i].comments[1], cases[i].comments[2]);
        opac_model *model = read_with(text, (size_t)length, false, &said);
        if (opac_model_variable_count(model) != cases[i].variables)
            fail_msg("case %zu: %u variables", i, opac_model_variable_count(model));
        if (said.count != cases[i].warnings)
            fail_msg("case %zu: %u warnings, %s", i, said.count, said.text);
        opac_model_free(model);
    }
}

/* ---- names that cannot be written ---- */

static opac_status write_one(const char *label, const char *action, const char *variable,
                             opac_error *error)
{
    opac_builder *builder;
    opac_model *model;
    opac_output *out;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, error), error);
    if (variable != NULL)
        assert_ok(opac_builder_variable(builder, variable, OPAC_VALUE_INT, 0, 1, error), error);
    assert_ok(opac_builder_state(builder, error), error);
    assert_ok(opac_builder_choice(builder, action, error), error);
    assert_ok(opac_builder_branch(builder, 0, 1, error), error);
    assert_ok(opac_builder_label(builder, label, 0, error), error);
    assert_ok(opac_builder_initial(builder, 0, error), error);
    assert_ok(opac_builder_finish(builder, NULL, &model, error), error);
    assert_ok(opac_output_open_memory(&out, error), error);
    opac_model_write_drn(model, out);
    opac_status status = opac_output_commit(out, error);
    opac_output_free(out);
    opac_model_free(model);
    opac_builder_free(builder);
    return status;
}

static void test_unwritable(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"a\"b", "go", NULL, "the label 'a\"b' cannot"},
        {"a\nb", "go", NULL, "the label 'a\\x0Ab' cannot"},
        {"a\xFF", "go", NULL, "the label 'a\\xFF' cannot"},
        {"a", "g o", NULL, "the action 'g o' cannot"},
        {"a", "g\to", NULL, "the action 'g\\x09o' cannot"},
        {"a", "__NOLABEL__", NULL, "the action '__NOLABEL__' cannot"},
        {"a", "0", NULL, "the action '0' cannot"},
        {"a", "go", "x=y", "the variable 'x=y' cannot"},
        {"a", "go", "x y", "the variable 'x y' cannot"},
    };
    opac_error error = {0};
    assert_int_equal(write_one("a", "go", "x", &error), OPAC_OK);
    assert_int_equal(write_one("a", "1", "x", &error), OPAC_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_status(write_one(cases[i][0], cases[i][1], cases[i][2], &error),
                      OPAC_ERROR_UNSUPPORTED);
        if (strncmp(error.message, cases[i][3], strlen(cases[i][3])) != 0)
            fail_msg("%s", error.message);
    }
}

/* ---- files, faults, cancellation ---- */

static void test_file(void **state)
{
    (void)state;
    char folder[200], path[250];
    opac_error error = {0};
    opac_output *out;
    opac_model *model, *again;
    uint64_t random = random_seed(2);
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/model.drn", folder);
    model = random_model(&random, (random_model_shape){.type = OPAC_MODEL_MDP,
                                                       .states = 20000,
                                                       .most_choices = 3,
                                                       .most_branches = 3,
                                                       .labels = 3,
                                                       .actions = 3,
                                                       .variables = 3});
    assert_ok(opac_output_open_file(path, &out, &error), &error);
    opac_model_write_drn(model, out);
    assert_ok(opac_output_commit(out, &error), &error);
    opac_output_free(out);
    assert_ok(model_read_drn(path, NULL, &again, &error), &error);
    assert_same_model(model, again);
    opac_model_free(model);
    opac_model_free(again);
    unlink(path);
    assert_status(model_read_drn(path, NULL, &again, &error), OPAC_ERROR_IO);
    rmdir(folder);
}

typedef struct sample {
    const char *text;
    size_t length;
    bool exact;
} sample;

static opac_status read_and_release(void *context, opac_error *error)
{
    const sample *in = context;
    opac_model_options options = {.exact = in->exact};
    opac_model *model;
    opac_output *out;
    opac_status status = model_read_drn_text(in->text, in->length, &options, &model, error);
    if (status != OPAC_OK)
        return status;
    status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK) {
        opac_model_write_drn(model, out);
        status = opac_output_commit(out, error);
        opac_output_free(out);
    }
    opac_model_free(model);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(3);
    for (int i = 0; i < 6; i++) {
        random_model_shape shape = {.type = OPAC_MODEL_MDP,
                                    .states = i < 5 ? 4 : 200,
                                    .most_choices = 2,
                                    .most_branches = 3,
                                    .labels = 10,
                                    .actions = 5,
                                    .variables = (uint32_t)i,
                                    .exact = i % 2 == 1};
        opac_model *model = random_model(&random, shape);
        size_t length;
        char *text = write_text(model, &length);
        sample in = {.text = text, .length = length, .exact = shape.exact};
        assert_true(faults_sweep(read_and_release, &in) > 10);
        free(text);
        opac_model_free(model);
    }
    static const char own[] = "@placeholders\n$a : 0.5\n$b : 1\n@type: MDP\n@nr_states\n1\n@model\n"
                              "state 0 init\n0 : $a\n0 : $a\n";
    sample in = {.text = own, .length = strlen(own)};
    assert_true(faults_sweep(read_and_release, &in) > 5);
}

static void test_cancel(void **state)
{
    (void)state;
    opac_error error = {0};
    opac_cancel *cancel;
    opac_model *model;
    size_t length;
    uint64_t random = random_seed(4);
    opac_model *large = random_model(&random, (random_model_shape){.type = OPAC_MODEL_DTMC,
                                                                   .states = 30000,
                                                                   .most_choices = 1,
                                                                   .most_branches = 2});
    char *text = write_text(large, &length);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    opac_model_options options = {.cancel = cancel};
    assert_status(model_read_drn_text(text, length, &options, &model, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    free(text);
    opac_model_free(large);
}

SUITE(drn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_through_tra),
        cmocka_unit_test(test_many_values),  cmocka_unit_test(test_text),
        cmocka_unit_test(test_storm),        cmocka_unit_test(test_variations),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_deadlocks),
        cmocka_unit_test(test_inexact_sums), cmocka_unit_test(test_comments),
        cmocka_unit_test(test_unwritable),   cmocka_unit_test(test_file),
        cmocka_unit_test(test_faults),       cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
