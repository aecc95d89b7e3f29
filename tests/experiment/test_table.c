/* SPDX-License-Identifier: MIT */
/* Tables: CSV is read back by a small reader of its own, JSON by Jansson. */
#include <math.h>

#include <jansson.h>

#include "experiment/folder.h"
#include "experiment/record.h"

static const char *const nasty[] = {"plain",      "",   "a,b",      "say \"no\"",       "\"",
                                    "two\nlines", "\r", " blanks ", "\xc3\xa9t\xc3\xa9"};

enum {
    NASTY = sizeof nasty / sizeof nasty[0]
};

static opac_status fill(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"text", "whole", "num\"ber", "empty,"};
    (void)error;
    experiment_table *table = experiment_lab_new_table(lab, "all", columns, 4);
    for (unsigned i = 0; i < NASTY; i++) {
        experiment_table_text(table, nasty[i]);
        experiment_table_uint(table, UINT64_MAX - i);
        experiment_table_double(table, 0.1 + i);
        experiment_table_double(table, NAN);
    }
    experiment_lab_table(lab, table, "All of them.");
    return OPAC_OK;
}

static const experiment_entry entry = {{"try", "a table"}, fill};

static void run(const folder *f)
{
    opac_experiment_options options = opac_experiment_defaults();
    opac_experiment_result *result;
    opac_error error;
    options.folder = f->path;
    options.no_png = true;
    assert_ok(experiment_run_entry(&entry, &options, &result, &error), &error);
    opac_experiment_result_free(result);
}

static opac_status fill_counts(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"count"};
    experiment_table *table = experiment_lab_new_table(lab, "counts", columns, 1);
    opac_count few = opac_count_of(UINT64_MAX - 1), many = opac_count_times(&few, 1000);
    (void)error;
    assert_true(many.value == UINT64_MAX);
    experiment_table_count(table, &few);
    experiment_table_count(table, &many);
    experiment_lab_table(lab, table, "Counts.");
    return OPAC_OK;
}

/* All digits as long as there are so many, and always a number. */
static void counts_are_numbers(void **state)
{
    static const experiment_entry counts = {{"try", "counts"}, fill_counts};
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = opac_experiment_defaults();
    opac_experiment_result *result;
    opac_error error;
    options.folder = f.path;
    assert_ok(experiment_run_entry(&counts, &options, &result, &error), &error);
    opac_experiment_result_free(result);
    char *csv = folder_read(&f, "try-counts.csv"), *json = folder_read(&f, "try.json");
    const char *many = "18446744073709551614\r\n1.84467440737095";
    assert_non_null(strstr(csv, many));
    assert_string_equal(csv + strlen(csv) - 5, "e22\r\n");
    assert_non_null(strstr(json, "[[18446744073709551614], [1.84467440737095"));
    free(csv);
    free(json);
    folder_remove(&f);
}

/* The next field of RFC 4180 into buffer; returns what ended it: ',' or '\n'. */
static int next_field(const char **text, char *buffer)
{
    const char *at = *text;
    bool quoted = *at == '"';
    at += quoted;
    for (;; at++) {
        if (quoted && at[0] == '"' && at[1] == '"')
            at++;
        else if (quoted && *at == '"')
            break;
        else if (!quoted && (*at == ',' || *at == '\r'))
            break;
        assert_true(*at != '\0');
        assert_false(!quoted && (*at == '"' || *at == '\n'));
        *buffer++ = *at;
    }
    *buffer = '\0';
    at += quoted;
    if (*at == ',') {
        *text = at + 1;
        return ',';
    }
    assert_int_equal(at[0], '\r');
    assert_int_equal(at[1], '\n');
    *text = at + 2;
    return '\n';
}

static void csv_is_read_back(void **state)
{
    (void)state;
    folder f = folder_make();
    char field[256], expected[64];
    run(&f);
    char *bytes = folder_read(&f, "try-all.csv");
    assert_non_null(bytes);
    const char *text = bytes;
    for (const char *const *head =
             (const char *const[]){"text", "whole", "num\"ber", "empty,", NULL};
         *head != NULL; head++) {
        assert_int_equal(next_field(&text, field), head[1] != NULL ? ',' : '\n');
        assert_string_equal(field, *head);
    }
    for (unsigned i = 0; i < NASTY; i++) {
        next_field(&text, field);
        assert_string_equal(field, nasty[i]);
        next_field(&text, field);
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)(UINT64_MAX - i));
        assert_string_equal(field, expected);
        next_field(&text, field);
        assert_true(strtod(field, NULL) == 0.1 + i); /* to the last bit */
        assert_int_equal(next_field(&text, field), '\n');
        assert_string_equal(field, "");
    }
    assert_int_equal(*text, '\0');
    free(bytes);
    folder_remove(&f);
}

static void json_has_the_same(void **state)
{
    (void)state;
    folder f = folder_make();
    run(&f);
    char *text = folder_read(&f, "try.json");
    json_error_t problem;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &problem);
    assert_non_null(root);
    const json_t *table = json_array_get(json_object_get(root, "tables"), 0);
    assert_string_equal(json_string_value(json_object_get(table, "name")), "all");
    assert_string_equal(json_string_value(json_object_get(table, "caption")), "All of them.");
    assert_int_equal(json_array_size(json_object_get(table, "columns")), 4);
    const json_t *rows = json_object_get(table, "rows");
    assert_int_equal(json_array_size(rows), NASTY);
    for (unsigned i = 0; i < NASTY; i++) {
        const json_t *row = json_array_get(rows, i);
        assert_int_equal(json_array_size(row), 4);
        assert_string_equal(json_string_value(json_array_get(row, 0)), nasty[i]);
        assert_true(json_real_value(json_array_get(row, 2)) == 0.1 + i);
        assert_true(json_is_null(json_array_get(row, 3)));
    }
    assert_non_null(strstr(text, "18446744073709551615"));
    json_decref(root);
    free(text);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_numbers),
                                       cmocka_unit_test(csv_is_read_back),
                                       cmocka_unit_test(json_has_the_same)};
    return cmocka_run_group_tests_name("experiment.table", tests, NULL, NULL);
}
