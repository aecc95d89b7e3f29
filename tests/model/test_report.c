/* SPDX-License-Identifier: MIT */
/* Errors are reported in the order of their positions, each with its line; warnings immediately. */
#include "model/model_report.h"
#include "support/check.h"
#include "support/faults.h"

typedef struct told {
    opac_status code;
    uint32_t line, column;
    char text[64], excerpt[64], path[16];
} told;

enum {
    MOST = 64
};

typedef struct ear {
    told all[MOST];
    size_t count;
} ear;

static void hear(void *context, const opac_message *message)
{
    ear *e = context;
    assert_true(e->count < MOST);
    told *t = &e->all[e->count++];
    *t = (told){.code = message->code, .line = message->line, .column = message->column};
    snprintf(t->text, sizeof t->text, "%s", message->text);
    snprintf(t->path, sizeof t->path, "%s", message->path != NULL ? message->path : "-");
    snprintf(t->excerpt, sizeof t->excerpt, "%.*s",
             message->excerpt != NULL ? (int)message->excerpt_length : 1,
             message->excerpt != NULL ? message->excerpt : "-");
}

static const char text[] = "first\nsecond\r\n\nfourth";

static void test_order(void **state)
{
    (void)state;
    ear e = {.count = 0};
    opac_error error;
    model_report report;
    model_report_init(&report, hear, &e, "m", text, strlen(text));
    assert_false(model_report_has_errors(&report));
    model_report_error(&report, OPAC_ERROR_SYNTAX, 4, 2, "d%d", 1);
    model_report_error(&report, OPAC_ERROR_LIMIT, 2, 7, "b2");
    model_report_error(&report, OPAC_ERROR_ARGUMENT, 2, 3, "b1");
    model_report_error(&report, OPAC_ERROR_SYNTAX, 2, 3, "follows from b1");
    model_report_error(&report, OPAC_ERROR_SYNTAX, 3, 1, "c");
    model_report_add(&report, &(opac_error){.code = OPAC_ERROR_SYNTAX, .line = 9, .message = "z"});
    assert_true(model_report_has_errors(&report));
    assert_int_equal(e.count, 0);
    model_report_warning(&report, 1, 1, "early %s", "bird");
    assert_int_equal(e.count, 1);
    assert_status(model_report_end(&report, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "b1");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    static const told expected[] = {
        {OPAC_OK, 1, 1, "early bird", "first", "m"},
        {OPAC_ERROR_ARGUMENT, 2, 3, "b1", "second", "m"},
        {OPAC_ERROR_LIMIT, 2, 7, "b2", "second", "m"},
        {OPAC_ERROR_SYNTAX, 3, 1, "c", "", "m"},
        {OPAC_ERROR_SYNTAX, 4, 2, "d1", "fourth", "m"},
        {OPAC_ERROR_SYNTAX, 9, 0, "z", "fourth", "m"},
    };
    assert_int_equal(e.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < e.count; i++) {
        assert_int_equal(e.all[i].code, expected[i].code);
        assert_int_equal(e.all[i].line, expected[i].line);
        assert_int_equal(e.all[i].column, expected[i].column);
        assert_string_equal(e.all[i].text, expected[i].text);
        assert_string_equal(e.all[i].excerpt, expected[i].excerpt);
        assert_string_equal(e.all[i].path, expected[i].path);
    }
    assert_false(model_report_has_errors(&report)); /* reported and removed */
    assert_status(model_report_end(&report, &error), OPAC_OK);
    assert_int_equal(e.count, sizeof expected / sizeof *expected);
    model_report_fini(&report);
}

static void test_many(void **state)
{
    (void)state;
    ear e = {.count = 0};
    opac_error error;
    model_report report;
    model_report_init(&report, hear, &e, NULL, NULL, 0);
    for (uint32_t i = 0; i < MODEL_MOST_ERRORS + 5; i++)
        model_report_error(&report, OPAC_ERROR_SYNTAX, i + 1, 1, "e%u", (unsigned)i);
    assert_status(model_report_end(&report, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(e.count, MODEL_MOST_ERRORS + 1);
    assert_string_equal(e.all[MODEL_MOST_ERRORS].text, "5 more errors are not shown");
    assert_int_equal(e.all[MODEL_MOST_ERRORS].line, 0);
    assert_string_equal(e.all[0].path, "-");
    assert_string_equal(e.all[0].excerpt, "-");
    model_report_fini(&report);
}

/* A text that is read line by line has a current line only. */
static void test_excerpt(void **state)
{
    (void)state;
    ear e = {.count = 0};
    model_report report;
    model_report_init(&report, hear, &e, NULL, NULL, 0);
    report.excerpt = "the line";
    report.excerpt_length = 3;
    model_report_warning(&report, 7, 1, "w");
    model_report_warning(&report, 0, 0, "about no place");
    assert_string_equal(e.all[0].excerpt, "the");
    assert_string_equal(e.all[1].excerpt, "-");
    model_report_fini(&report);
    /* With a line number, it is the excerpt for messages about this line only. */
    model_report_init(&report, hear, &e, NULL, NULL, 0);
    report.excerpt = "the line";
    report.excerpt_length = 8;
    report.excerpt_line = 7;
    model_report_warning(&report, 7, 1, "w");
    model_report_warning(&report, 6, 1, "w");
    assert_string_equal(e.all[2].excerpt, "the line");
    assert_string_equal(e.all[3].excerpt, "-");
    model_report_fini(&report);
    model_report_init(&report, NULL, NULL, NULL, NULL, 0); /* without a listener */
    model_report_warning(&report, 7, 1, "w");
    model_report_error(&report, OPAC_ERROR_SYNTAX, 7, 1, "e");
    assert_status(model_report_end(&report, NULL), OPAC_ERROR_SYNTAX);
    model_report_fini(&report);
}

static opac_status note(void *context, opac_error *error)
{
    (void)context;
    model_report report;
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    for (uint32_t i = 0; i < 12; i++)
        model_report_error(&report, OPAC_ERROR_MEMORY, i + 1, 1, "e");
    opac_status status = model_report_end(&report, error);
    if (status == OPAC_ERROR_MEMORY && error->line > 0)
        status = OPAC_OK; /* all were added */
    model_report_fini(&report);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(faults_sweep(note, NULL) >= 1);
}

SUITE(report)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_excerpt),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
