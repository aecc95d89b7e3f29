/* SPDX-License-Identifier: MIT */
/*
 * Properties of all explicit formats: limits, reading from files, positions in messages, extreme names and
 * numbers.
 */
#include <omegapac/builder.h>

#include <unistd.h>

#include "model/explicit_read.h"
#include "model/model_limits.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random_model.h"
#include "support/temporary.h"

static opac_error error;

typedef struct heard {
    unsigned count;
    uint32_t line;
    char text[OPAC_MESSAGE_SIZE], excerpt[256];
} heard;

/* Keeps the first message. */
static void hear(void *context, const opac_message *message)
{
    heard *h = context;
    if (h->count++ > 0)
        return;
    h->line = message->line;
    snprintf(h->text, sizeof h->text, "%s", message->text);
    snprintf(h->excerpt, sizeof h->excerpt, "%.*s", (int)message->excerpt_length,
             message->excerpt != NULL ? message->excerpt : "");
}

static opac_status read_tra(const char *text, const opac_model_options *options, opac_model **model)
{
    return model_read_tra_text(text, strlen(text), options, model, &error);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_all(const char *folder)
{
    static const char *const names[] = {"m.tra", "m.lab", "m.sta", "m.drn"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* ---- limits ---- */

/* The sizes in the header are compared with the limit on memory, also with the default limit. */
static void test_declared_sizes(void **state)
{
    (void)state;
    static const char huge[] = "2 4294967294\n0 1 1\n";
    opac_model *model;
    opac_model_options options = {.exact = true};
    uint64_t bytes = UINT64_C(4294967294) * (12 + sizeof(base_ratio));
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) {
        uint64_t all = (uint64_t)pages * (uint64_t)size;
        assert_true(model_max_memory(&options) > all / 100 * 89);
        assert_true(model_max_memory(&options) < all / 100 * 91);
    }
    assert_status(read_tra(huge, &options, &model),
                  bytes > model_max_memory(&options) ? OPAC_ERROR_LIMIT : OPAC_ERROR_SYNTAX);
    options = (opac_model_options){.max_memory = UINT64_C(1) << 30};
    assert_status(read_tra(huge, &options, &model), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "the model needs 49152 MiB of memory, but the limit is 1024 MiB");
}

/* Lines that are out of order need more memory. */
static void test_unordered_memory(void **state)
{
    (void)state;
    static const char mixed[] = "3 3\n1 1 1\n0 1 1\n2 2 1\n";
    opac_model *model;
    opac_model_options options = {.max_memory = 100};
    assert_status(read_tra(mixed, &options, &model), OPAC_ERROR_LIMIT);
    options.max_memory = 300;
    assert_ok(read_tra(mixed, &options, &model), &error);
    opac_model_free(model);
}

/* The memory of labels is limited too. */
static void test_label_memory(void **state)
{
    (void)state;
    opac_model *model;
    opac_model_options options = {0};
    static const char lab[] = "0=\"init\" 1=\"a\" 2=\"b\"\n0: 0\n";
    model_source source = {.text = lab, .length = strlen(lab), .options = &options};
    assert_ok(read_tra("800 1\n0 1 1\n", &options, &model), &error);
    options.max_memory = 399; /* of 4 labels of 100 bytes */
    assert_status(model_lab_read(&source, false, model, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(error.column, 19);
    opac_model_free(model);
    assert_ok(read_tra("800 1\n0 1 1\n", &(opac_model_options){0}, &model), &error);
    options.max_memory = 400;
    assert_ok(model_lab_read(&source, false, model, &error), &error);
    opac_model_free(model);
}

/* A state number that is far too high is an error, without allocating memory. */
static void test_far_state(void **state)
{
    (void)state;
    static const char text[] = "@type: DTMC\n@nr_states\n2\n@model\nstate 0 init\n\t0 : 1\n"
                               "state 4000000000\n\t0 : 1\n";
    opac_model *model;
    opac_model_options options = {.max_memory = 1000};
    assert_status(model_read_drn_text(text, strlen(text), &options, &model, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_int_equal(error.line, 7);
}

/* ---- files ---- */

/* The .sta is read twice, which a pipe cannot be. */
static void test_pipe(void **state)
{
    (void)state;
    static const char sta[] = "(x)\n0:(1)\n1:(2)\n";
    char path[64], expected[128];
    int ends[2];
    opac_model *model;
    opac_model_options options = {0};
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], sta, sizeof sta - 1), (ssize_t)sizeof sta - 1);
    close(ends[1]);
    assert_ok(read_tra("2 2\n0 1 1\n1 1 1\n", &options, &model), &error);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) == 0) {
        model_source source = {.path = path, .options = &options};
        assert_status(model_sta_read(&source, model, &error), OPAC_ERROR_IO);
        snprintf(expected, sizeof expected,
                 "cannot read %s twice, which is needed: it is not a regular file", path);
        assert_string_equal(error.message, expected);
    }
    close(ends[0]);
    opac_model_free(model);
}

/* An empty text may be NULL. */
static void test_empty_text(void **state)
{
    (void)state;
    opac_model *model;
    assert_status(model_read_tra_text(NULL, 0, NULL, &model, &error), OPAC_ERROR_SYNTAX);
    assert_status(model_read_drn_text(NULL, 0, NULL, &model, &error), OPAC_ERROR_SYNTAX);
}

typedef struct place {
    const char *name, *text;
    uint32_t line;
    const char *excerpt; /* "" if there is none */
} place;

/* Errors that are found at the end of a file, and warnings, have lines too. */
static void test_positions(void **state)
{
    (void)state;
    static const place places[] = {
        {"m.tra", "3 4\n0 1 1\n\n1 1 0.5\n1 2 0.4\n2 2 1\n", 4, "1 1 0.5"},
        {"m.tra", "3 4\n0 1 1\n2 2 1\n1 1 0.5\n1 2 0.4\n", 4, "1 1 0.5"},
        {"m.tra", "3 4\n0 1 1\n1 1 0.5\n1 2 0.499999\n2 2 1\n", 3, "1 1 0.5"},
        {"m.tra", "# x\n3 4\n0 1 1\n", 2, "3 4"},
        {"m.tra", "# x\n", 2, ""},
        {"m.tra", "2 1\n0 1\n", 2, "0 1"},
        {"m.drn",
         "@type: MDP\n@nr_states\n2\n@model\nstate 0 init\n\taction a\n\t\t1 : 1\n\taction b\n"
         "\t\t1 : 0.5\nstate 1\n\taction 0\n\t\t1 : 1\n",
         8, "\taction b"},
        {"m.drn", "@type: DTMC\n@nr_states\n2\n@model\nstate 0 init\n\t0 : 1\n", 3, "2"},
        {"m.drn", "@type: DTMC\n@nr_states\n1\n@model\nstate 0 init\n\t0 : 0.999999\n", 6,
         "\t0 : 0.999999"},
    };
    char folder[256], path[512];
    assert_true(temporary_folder(folder, sizeof folder));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const place *p = &places[i];
        heard h = {0};
        opac_model_options options = {.listener = hear, .listener_context = &h};
        opac_model *model = NULL;
        write_file(folder, p->name, p->text);
        snprintf(path, sizeof path, "%s/%s", folder, p->name);
        if ((strcmp(p->name, "m.tra") == 0 ? model_read_tra : model_read_drn)(
                path, &options, &model, &error) == OPAC_OK)
            opac_model_free(model);
        assert_true(h.count > 0);
        if (h.line != p->line || strcmp(h.excerpt, p->excerpt) != 0)
            fail_msg("case %zu: line %u, %s: %s", i, h.line, h.excerpt, h.text);
    }
    remove_all(folder);
}

/* ---- actions ---- */

/* Actions are numbered by their first use by a choice, for any order of the lines. */
static void test_action_numbers(void **state)
{
    (void)state;
    opac_model *model, *sorted;
    opac_model_options options = {0};
    assert_ok(read_tra("2 3 3\n1 0 0 1 b\n0 1 1 1 c\n0 0 1 1 a\n", &options, &model), &error);
    assert_ok(read_tra("2 3 3\n0 0 1 1 a\n0 1 1 1 c\n1 0 0 1 b\n", &options, &sorted), &error);
    assert_same_model(model, sorted);
    opac_model_free(model);
    opac_model_free(sorted);
    /* In a DTMC, states with several actions get none, also in consecutive states. */
    assert_ok(
        read_tra("3 5\n0 0 0.5 a\n0 1 0.5 b\n1 0 0.5 c\n1 1 0.5 d\n2 2 1 e\n", &options, &model),
        &error);
    assert_string_equal(opac_model_choice_action(model, 0), "");
    assert_string_equal(opac_model_choice_action(model, 1), "");
    assert_string_equal(opac_model_choice_action(model, 2), "e");
    assert_int_equal(opac_model_action_count(model), 1);
    opac_model_free(model);
}

static opac_status read_unordered(void *context, opac_error *err)
{
    opac_model *model;
    opac_status status = model_read_tra_text(context, strlen(context), NULL, &model, err);
    if (status == OPAC_OK)
        opac_model_free(model);
    return status;
}

static void test_action_faults(void **state)
{
    (void)state;
    static char text[] = "2 3 3\n1 0 0 1 b\n0 1 1 1 c\n0 0 1 1 a\n";
    assert_true(faults_sweep(read_unordered, text) > 10);
}

/* ---- branches and names ---- */

/* A branch of probability 0 is dropped, even if no branches are merged. */
static void test_zero(void **state)
{
    (void)state;
    opac_model *model;
    assert_ok(read_tra("2 3\n0 0 0\n0 1 1\n1 1 1\n", &(opac_model_options){0}, &model), &error);
    assert_ok(model_check(model, &error), &error);
    assert_int_equal(opac_model_transitions(model), 2);
    assert_int_equal(opac_model_branch_target(model, 0), 1);
    opac_model_free(model);
}

/* The sum of very many branches has no visible rounding error. */
static void test_many_branches(void **state)
{
    (void)state;
    enum {
        MANY = 300000
    };
    size_t size = (size_t)MANY * 40 + 200, length;
    char *text = malloc(size);
    opac_model *model;
    assert_non_null(text);
    length = (size_t)snprintf(text, size, "@type: DTMC\n@nr_states\n%d\n@model\n", MANY);
    for (int i = 0; i < MANY; i++) {
        length += (size_t)snprintf(text + length, size - length, "state %d%s\n", i,
                                   i == 0 ? " init" : "");
        for (int j = 0; i == 0 && j < MANY; j++)
            length += (size_t)snprintf(text + length, size - length, "%d : 1/%d\n", j, MANY);
        if (i > 0)
            length += (size_t)snprintf(text + length, size - length, "0 : 1\n");
    }
    assert_ok(model_read_drn_text(text, length, NULL, &model, &error), &error);
    assert_int_equal(opac_model_branch_count(model, 0), MANY);
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(opac_model_branch_probability(model, i) == 1.0 / MANY);
    opac_model_free(model);
    free(text);
}

/* Storm counts a choice for each state without choices, at any position. */
static void test_counted_deadlocks(void **state)
{
    (void)state;
    static const char text[] = "@type: MDP\n@nr_states\n3\n@nr_choices\n3\n@model\n"
                               "state 0 init\naction 0\n1 : 1\nstate 1\nstate 2\naction 0\n2 : 1\n";
    opac_model *model;
    assert_ok(model_read_drn_text(text, strlen(text), NULL, &model, &error), &error);
    assert_int_equal(opac_model_choices(model), 3);
    opac_model_free(model);
}

/* An invalid range is an ordinary comment, and the model has no variables. */
static void test_wide_range(void **state)
{
    (void)state;
    static const char *const ranges[] = {
        "[0..4294967296]", "[3..2]", "[0..1", "[0.1]", "[]", "[-..1]", "[0..9223372036854775808]"};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        char text[256];
        opac_model *model;
        snprintf(text, sizeof text,
                 "// Written by omegapac 0\n// variable x %s\n// variable y [0..1]\n@type: DTMC\n"
                 "@nr_states\n1\n@model\nstate 0 init\n//[x=0\t& y=1]\n\t0 : 1\n",
                 ranges[i]);
        assert_ok(model_read_drn_text(text, strlen(text), NULL, &model, &error), &error);
        assert_int_equal(opac_model_variable_count(model), 0);
        opac_model_free(model);
    }
}

/* Names longer than the buffer of a writer. */
static void test_long_names(void **state)
{
    (void)state;
    enum {
        LENGTH = 70000
    };
    static char name[LENGTH + 1];
    char folder[256], path[512];
    opac_builder *builder;
    opac_model *model, *again;
    memset(name, 'n', LENGTH);
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_choice(builder, name, &error), &error);
    assert_ok(opac_builder_branch(builder, 0, 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_label(builder, name, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    assert_true(temporary_folder(folder, sizeof folder));
    static void (*const writers[])(const opac_model *, opac_output *) = {
        opac_model_write_lab, opac_model_write_tra, opac_model_write_drn};
    static const char *const names[] = {"m.lab", "m.tra", "m.drn"};
    for (int i = 0; i < 3; i++) {
        opac_output *out;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_ok(opac_output_open_file(path, &out, &error), &error);
        writers[i](model, out);
        assert_ok(opac_output_commit(out, &error), &error);
        opac_output_free(out);
        if (i == 0)
            continue;
        assert_ok((i == 1 ? model_read_tra : model_read_drn)(path, NULL, &again, &error), &error);
        assert_same_model(model, again);
        opac_model_free(again);
    }
    opac_model_free(model);
    remove_all(folder);
}

SUITE(explicit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared_sizes), cmocka_unit_test(test_unordered_memory),
        cmocka_unit_test(test_label_memory),   cmocka_unit_test(test_far_state),
        cmocka_unit_test(test_pipe),           cmocka_unit_test(test_empty_text),
        cmocka_unit_test(test_positions),      cmocka_unit_test(test_action_numbers),
        cmocka_unit_test(test_action_faults),  cmocka_unit_test(test_zero),
        cmocka_unit_test(test_many_branches),  cmocka_unit_test(test_counted_deadlocks),
        cmocka_unit_test(test_long_names),     cmocka_unit_test(test_wide_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
