/* SPDX-License-Identifier: MIT */
/* The writer's text pinned, and random documents read back by jansson. */
#include <math.h>

#include <jansson.h>

#include <omegapac/json.h>

#include "support/check.h"
#include "support/faults.h"

static opac_output *memory(void)
{
    opac_output *out = NULL;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    return out;
}

static void assert_written(opac_output *out, const char *expected)
{
    size_t length;
    const char *bytes = opac_output_bytes(out, &length);
    assert_non_null(bytes);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(bytes, expected);
    opac_output_free(out);
}

static void every_kind_of_value(void **state)
{
    (void)state;
    opac_output *out = memory();
    opac_json json;
    opac_json_init(&json, out);
    opac_json_begin_object(&json);
    opac_json_key(&json, "empty");
    opac_json_begin_object(&json);
    opac_json_end_object(&json);
    opac_json_key(&json, "list");
    opac_json_begin_array(&json);
    opac_json_uint(&json, UINT64_MAX);
    opac_json_int(&json, INT64_MIN);
    opac_json_double(&json, 0.1);
    opac_json_double(&json, NAN);
    opac_json_double(&json, -INFINITY);
    opac_json_begin_array(&json);
    opac_json_end_array(&json);
    opac_json_bool(&json, true);
    opac_json_bool(&json, false);
    opac_json_null(&json);
    opac_json_number(&json, "1.6e1003");
    opac_json_end_array(&json);
    opac_json_key(&json, "text");
    opac_json_string(&json, "π");
    opac_json_end_object(&json);
    assert_written(out, "{\"empty\": {}, \"list\": [18446744073709551615, -9223372036854775808, "
                        "0.1, null, null, [], true, false, null, 1.6e1003], \"text\": \"π\"}");
}

/* A container begins empty, whatever the one that ended at its depth had in it. */
static void siblings_begin_empty(void **state)
{
    (void)state;
    opac_output *out = memory();
    opac_json json;
    opac_json_init(&json, out);
    opac_json_begin_array(&json);
    for (uint64_t i = 1; i <= 2; i++) {
        opac_json_begin_array(&json);
        opac_json_uint(&json, i);
        opac_json_end_array(&json);
    }
    opac_json_end_array(&json);
    assert_written(out, "[[1], [2]]");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    opac_output *out = memory();
    opac_json json;
    opac_json_init(&json, out);
    static const char bytes[] = "a\"\\\n\t\r\x01\0\x7F\x80\xC3\xC3\xA9\xED\xA0\x80z";
    opac_json_bytes(&json, bytes, sizeof bytes - 1);
    assert_written(out,
                   "\"a\\\"\\\\\\n\\t\\r\\u0001\\u0000\\u007f\uFFFD\uFFFDé\uFFFD\uFFFD\uFFFDz\"");
}

/* Every string of one to three bytes from a set that has all classes of UTF-8 bytes in it. */
static void any_bytes_give_valid_json(void **state)
{
    (void)state;
    static const unsigned char classes[] = {0x00, 0x1F, 'a',  '"',  0x7F, 0x80, 0x8F, 0x90,
                                            0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                                            0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
    enum {
        CLASSES = sizeof classes
    };
    for (size_t i = 0; i < CLASSES * CLASSES * CLASSES; i++) {
        char bytes[3] = {(char)classes[i % CLASSES], (char)classes[i / CLASSES % CLASSES],
                         (char)classes[i / CLASSES / CLASSES]};
        opac_output *out = memory();
        opac_json json;
        opac_json_init(&json, out);
        opac_json_bytes(&json, bytes, sizeof bytes);
        size_t length;
        const char *text = opac_output_bytes(out, &length);
        json_error_t problem;
        json_t *value = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
        if (value == NULL)
            fail_msg("%s: %s", text, problem.text);
        json_decref(value);
        opac_output_free(out);
    }
}

static void deepest_nesting(void **state)
{
    (void)state;
    opac_output *out = memory();
    opac_json json;
    opac_json_init(&json, out);
    for (int i = 0; i < OPAC_JSON_DEPTH; i++)
        opac_json_begin_array(&json);
    opac_json_null(&json);
    opac_json_null(&json);
    for (int i = 0; i < OPAC_JSON_DEPTH; i++)
        opac_json_end_array(&json);
    char expected[2 * OPAC_JSON_DEPTH + 16];
    memset(expected, '[', OPAC_JSON_DEPTH);
    strcpy(expected + OPAC_JSON_DEPTH, "null, null");
    size_t middle = strlen(expected);
    memset(expected + middle, ']', OPAC_JSON_DEPTH);
    expected[middle + OPAC_JSON_DEPTH] = '\0';
    assert_written(out, expected);
}

static opac_status write_much(void *context, opac_error *error)
{
    (void)context;
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    opac_json json;
    opac_json_init(&json, out);
    opac_json_begin_array(&json);
    for (int i = 0; i < 100; i++)
        opac_json_string(&json, "some text of some length");
    opac_json_end_array(&json);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static void out_of_memory_is_reported_at_the_end(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(write_much, NULL), 3, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(siblings_begin_empty),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(any_bytes_give_valid_json),
        cmocka_unit_test(deepest_nesting),
        cmocka_unit_test(out_of_memory_is_reported_at_the_end),
    };
    return cmocka_run_group_tests_name("base.json_write", tests, NULL, NULL);
}
