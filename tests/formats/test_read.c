/* SPDX-License-Identifier: MIT */
/* Reading models by suffix and by first bytes, from files and texts; how often errors are reported. */
#include <sys/stat.h>
#include <unistd.h>

#include <omegapac/model.h>

#include "support/check.h"
#include "support/faults.h"
#include "support/temporary.h"

static const char prism_text[] = "mdp\n"
                                 "module m\n"
                                 "  x : [0..2];\n"
                                 "  [go] x<2 -> 1/2:(x'=x+1) + 1/2:true;\n"
                                 "  [] x=2 -> true;\n"
                                 "endmodule\n"
                                 "label \"end\" = x=2;\n";
static const char tra_text[] = "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n";
static const char drn_text[] = "// by hand\n@type: DTMC\n@parameters\n\n@reward_models\n\n"
                               "@nr_states\n1\n@model\nstate 0 init\n\taction 0\n\t\t0 : 1\n";

/* ---- formats ---- */

static void suffix_selects_the_format(void **state)
{
    static const struct {
        const char *path;
        bool known;
        opac_model_format format;
    } cases[] = {
        {"a.prism", true, OPAC_FORMAT_PRISM}, {"a.pm", true, OPAC_FORMAT_PRISM},
        {"a.nm", true, OPAC_FORMAT_PRISM},    {"b/a.mdp", true, OPAC_FORMAT_PRISM},
        {"a.dtmc", true, OPAC_FORMAT_PRISM},  {"x.y.tra", true, OPAC_FORMAT_TRA},
        {"a.drn", true, OPAC_FORMAT_DRN},     {"a.lab", false, OPAC_FORMAT_PRISM},
        {"a", false, OPAC_FORMAT_PRISM},      {"b.tra/a", false, OPAC_FORMAT_PRISM},
        {"a.TRA", false, OPAC_FORMAT_PRISM},  {"", false, OPAC_FORMAT_PRISM},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_model_format format = OPAC_FORMAT_PRISM;
        assert_int_equal(opac_model_format_of(cases[i].path, &format), cases[i].known);
        assert_int_equal(format, cases[i].format);
    }
}

static void first_bytes_select_the_format(void **state)
{
    (void)state;
    assert_int_equal(opac_model_format_guess(prism_text, strlen(prism_text)), OPAC_FORMAT_PRISM);
    assert_int_equal(opac_model_format_guess(tra_text, strlen(tra_text)), OPAC_FORMAT_TRA);
    assert_int_equal(opac_model_format_guess(drn_text, strlen(drn_text)), OPAC_FORMAT_DRN);
    assert_int_equal(opac_model_format_guess("# made\n 3 4\n", 12), OPAC_FORMAT_TRA);
    assert_int_equal(opac_model_format_guess("// 3\nmdp", 8), OPAC_FORMAT_PRISM);
    assert_int_equal(opac_model_format_guess("", 0), OPAC_FORMAT_PRISM);
    assert_int_equal(opac_model_format_guess("//", 2), OPAC_FORMAT_PRISM);
}

/* ---- texts ---- */

static void every_format_is_read_from_memory(void **state)
{
    opac_model *model;
    opac_error error;
    (void)state;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, prism_text, strlen(prism_text), NULL, &model,
                                   &error),
              &error);
    assert_int_equal(opac_model_states(model), 3);
    opac_model_free(model);
    assert_ok(
        opac_model_read_text(OPAC_FORMAT_TRA, tra_text, strlen(tra_text), NULL, &model, &error),
        &error);
    assert_int_equal(opac_model_states(model), 2);
    opac_model_free(model);
    assert_ok(
        opac_model_read_text(OPAC_FORMAT_DRN, drn_text, strlen(drn_text), NULL, &model, &error),
        &error);
    assert_int_equal(opac_model_states(model), 1);
    opac_model_free(model);
    assert_status(opac_model_read_text((opac_model_format)7, "", 0, NULL, &model, &error),
                  OPAC_ERROR_ARGUMENT);
}

/* ---- messages ---- */

typedef struct heard {
    unsigned errors, warnings;
    uint32_t line[8];
    char path[256], excerpt[128];
} heard;

static void hear(void *context, const opac_message *message)
{
    heard *h = context;
    if (message->code == OPAC_OK) {
        h->warnings++;
        return;
    }
    assert_true(h->errors < 8);
    h->line[h->errors++] = message->line;
    snprintf(h->path, sizeof h->path, "%s", message->path != NULL ? message->path : "(text)");
    snprintf(h->excerpt, sizeof h->excerpt, "%.*s", (int)message->excerpt_length,
             message->excerpt != NULL ? message->excerpt : "");
}

static opac_status listen(const char *text, heard *h, opac_error *error)
{
    opac_model_options options = {.listener = hear, .listener_context = h};
    opac_model *model = NULL;
    *h = (heard){0};
    opac_status status =
        opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options, &model, error);
    opac_model_free(model);
    return status;
}

static void each_error_is_reported_once(void **state)
{
    heard h;
    opac_error error;
    (void)state;
    assert_status(
        listen("mdp\nconst int = 3;\nmodule m\n  x : [0..1] init;\nendmodule\n", &h, &error),
        OPAC_ERROR_SYNTAX);
    assert_int_equal(h.errors, 2);
    assert_int_equal(h.line[0], 2);
    assert_int_equal(h.line[1], 4);
    assert_int_equal(error.line, 2);
    assert_string_equal(h.path, "(text)");
    assert_string_equal(h.excerpt, "  x : [0..1] init;");
}

static void semantic_errors_are_reported_together(void **state)
{
    heard h;
    opac_error error;
    (void)state;
    assert_int_not_equal(listen("mdp\nmodule m\n  x : [0..1];\n  [] y=0 -> true;\n"
                                "  [] x=0 -> (z'=1);\nendmodule\n",
                                &h, &error),
                         OPAC_OK);
    assert_int_equal(h.errors, 2);
    assert_int_equal(h.line[0], 4);
    assert_int_equal(h.line[1], 5);
}

static void an_error_in_a_state_is_reported_once(void **state)
{
    heard h;
    opac_error error;
    (void)state;
    assert_int_not_equal(
        listen("mdp\nmodule m\n  x : [0..1];\n  [] true -> (x'=x+1);\nendmodule\n", &h, &error),
        OPAC_OK);
    assert_int_equal(h.errors, 1);
    assert_int_equal(h.line[0], 4);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.message, "x=1"));
}

static void listener_is_optional(void **state)
{
    opac_model *model = NULL;
    (void)state;
    assert_int_not_equal(opac_model_read_text(OPAC_FORMAT_PRISM, "mdp", 3, NULL, &model, NULL),
                         OPAC_OK);
    assert_null(model);
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_file(const char *folder, const char *name, const char *text, uint32_t states)
{
    char path[512];
    opac_model *model;
    opac_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text);
    assert_ok(opac_model_read(path, NULL, &model, &error), &error);
    assert_int_equal(opac_model_states(model), states);
    opac_model_free(model);
    unlink(path);
}

static void files_are_read_by_suffix_or_content(void **state)
{
    char folder[256];
    (void)state;
    assert_true(temporary_folder(folder, sizeof folder));
    check_file(folder, "a.prism", prism_text, 3);
    check_file(folder, "a.tra", tra_text, 2);
    check_file(folder, "a.drn", drn_text, 1);
    check_file(folder, "prism", prism_text, 3);
    check_file(folder, "tra.txt", tra_text, 2);
    check_file(folder, "drn.", drn_text, 1);
    rmdir(folder);
}

static void unreadable_files_are_named(void **state)
{
    char folder[256], path[512];
    heard h = {0};
    opac_model_options options = {.listener = hear, .listener_context = &h};
    opac_model *model;
    opac_error error;
    (void)state;
    assert_true(temporary_folder(folder, sizeof folder));
    assert_status(opac_model_read("/nowhere/a.prism", NULL, &model, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "/nowhere/a.prism"));
    assert_status(opac_model_read("/nowhere/a.tra", NULL, &model, &error), OPAC_ERROR_IO);
    assert_status(opac_model_read("/nowhere/a.drn", NULL, &model, &error), OPAC_ERROR_IO);
    assert_status(opac_model_read(folder, NULL, &model, &error), OPAC_ERROR_IO);
    snprintf(path, sizeof path, "%s/broken.prism", folder);
    write_file(path, "mdp\nmodule");
    assert_status(opac_model_read(path, &options, &model, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(h.errors, 1);
    assert_string_equal(h.path, path);
    unlink(path);
    rmdir(folder);
}

/* ---- memory ---- */

static opac_status read_all(void *context, opac_error *error)
{
    opac_model *model = NULL;
    (void)context;
    opac_status status = opac_model_read_text(OPAC_FORMAT_PRISM, prism_text, strlen(prism_text),
                                              NULL, &model, error);
    opac_model_free(model);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    faults_sweep(read_all, NULL);
}

SUITE(read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suffix_selects_the_format),
        cmocka_unit_test(first_bytes_select_the_format),
        cmocka_unit_test(every_format_is_read_from_memory),
        cmocka_unit_test(each_error_is_reported_once),
        cmocka_unit_test(semantic_errors_are_reported_together),
        cmocka_unit_test(an_error_in_a_state_is_reported_once),
        cmocka_unit_test(listener_is_optional),
        cmocka_unit_test(files_are_read_by_suffix_or_content),
        cmocka_unit_test(unreadable_files_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
