/* SPDX-License-Identifier: MIT */
/* The writer's text pinned, misuse refused, and random documents read back by jansson. */
#include <math.h>

#include <jansson.h>

#include <omegapac/json.h>

#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

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

/* A container begins empty, even if an earlier one at the same depth had items. */
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

/* One call of the writer for each letter. */
static void make_call(opac_json *json, char call)
{
    switch (call) {
    case '{':
        opac_json_begin_object(json);
        break;
    case '}':
        opac_json_end_object(json);
        break;
    case '[':
        opac_json_begin_array(json);
        break;
    case ']':
        opac_json_end_array(json);
        break;
    case 'k':
        opac_json_key(json, "k");
        break;
    case 's':
        opac_json_string(json, "s");
        break;
    case 'u':
        opac_json_uint(json, 3);
        break;
    case 'i':
        opac_json_int(json, -3);
        break;
    default:
        opac_json_null(json);
    }
}

static void misuse_fails_the_output(void **state)
{
    (void)state;
    static const struct {
        const char *calls, *message;
    } cases[] = {
        {"{u", "JSON: a value without a key in an object"},
        {"{s", "JSON: a value without a key in an object"},
        {"{i", "JSON: a value without a key in an object"},
        {"{n", "JSON: a value without a key in an object"},
        {"{[", "JSON: a value without a key in an object"},
        {"[{kun", "JSON: a value without a key in an object"},
        {"k", "JSON: a key outside of an object"},
        {"[k", "JSON: a key outside of an object"},
        {"{k[k", "JSON: a key outside of an object"},
        {"{ku}k", "JSON: a key outside of an object"},
        {"{kk", "JSON: a key without a value"},
        {"{k}", "JSON: a key without a value"},
        {"]", "JSON: an end without a beginning"},
        {"[]]", "JSON: an end without a beginning"},
        {"{}}", "JSON: an end without a beginning"},
        {"{]", "JSON: the end of an array in an object"},
        {"{k]", "JSON: the end of an array in an object"},
        {"[}", "JSON: the end of an object in an array"},
        {"uu", "JSON: a second value after the first"},
        {"[]n", "JSON: a second value after the first"},
        {"{}{", "JSON: a second value after the first"},
        {"]u", "JSON: an end without a beginning"}, /* the first failure is the one reported */
        {"[}{u", "JSON: the end of an object in an array"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_output *out = memory();
        opac_error error = {0};
        opac_json json;
        size_t length;
        opac_json_init(&json, out);
        for (const char *call = cases[i].calls; *call != '\0'; call++)
            make_call(&json, *call);
        assert_null(opac_output_bytes(out, &length));
        assert_status(opac_output_commit(out, &error), OPAC_ERROR_ARGUMENT);
        assert_string_equal(error.message, cases[i].message);
        opac_output_free(out);
    }
}

static void nesting_too_deep_fails_the_output(void **state)
{
    (void)state;
    opac_output *out = memory();
    opac_error error = {0};
    opac_json json;
    opac_json_init(&json, out);
    for (int i = 0; i < OPAC_JSON_DEPTH + 6; i++)
        opac_json_begin_array(&json);
    for (int i = 0; i < OPAC_JSON_DEPTH + 6; i++)
        opac_json_end_array(&json);
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "JSON: nested too deep");
    opac_output_free(out);
}

static void nothing_is_written_behind_a_misuse(void **state)
{
    (void)state;
    char *bytes;
    size_t length;
    FILE *stream = open_memstream(&bytes, &length);
    opac_output *out;
    opac_error error = {0};
    opac_json json;
    assert_non_null(stream);
    assert_ok(opac_output_open_stream(stream, &out, &error), &error);
    opac_json_init(&json, out);
    make_call(&json, 'u');
    make_call(&json, 'u');
    opac_output_text(out, "more");
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_ARGUMENT);
    opac_output_free(out);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(length, 0);
    free(bytes);
}

/* Closes all open containers, so that the text is a complete value. */
static void complete(char *text, size_t length)
{
    char open[OPAC_JSON_DEPTH];
    size_t depth = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '{' || text[i] == '[')
            open[depth++] = text[i] == '{' ? '}' : ']';
        else if (text[i] == '}' || text[i] == ']')
            depth--;
    if (length >= 2 && strcmp(text + length - 2, ": ") == 0)
        length += (size_t)sprintf(text + length, "null");
    while (depth > 0)
        text[length++] = open[--depth];
    text[length] = '\0';
}

/* Random calls, checked after each: as long as the output has not failed, its text is valid. */
static void calls_in_any_order_give_valid_json(void **state)
{
    (void)state;
    static const char calls[] = "{[{[}]kkkuuuin";
    uint64_t random = random_seed(17);
    for (int i = 0; i < 4000; i++) {
        opac_output *out = memory();
        opac_json json;
        opac_json_init(&json, out);
        uint32_t range = i % 16 > 0 ? sizeof calls - 1 : 2; /* some only go deeper */
        for (int j = 0; j < 100; j++) {
            char call = calls[random_below(&random, range)], text[2000];
            size_t length;
            if (range == 2 && call == '{') {
                make_call(&json, '{');
                call = 'k';
            }
            make_call(&json, call);
            const char *bytes = opac_output_bytes(out, &length);
            if (bytes == NULL)
                break;
            assert_true(length < sizeof text / 2);
            memcpy(text, bytes, length + 1);
            complete(text, length);
            json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
            if (value == NULL)
                fail_msg("%s", text);
            json_decref(value);
        }
        opac_output_free(out);
    }
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

SUITE(json_write)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(siblings_begin_empty),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(any_bytes_give_valid_json),
        cmocka_unit_test(deepest_nesting),
        cmocka_unit_test(misuse_fails_the_output),
        cmocka_unit_test(nesting_too_deep_fails_the_output),
        cmocka_unit_test(nothing_is_written_behind_a_misuse),
        cmocka_unit_test(calls_in_any_order_give_valid_json),
        cmocka_unit_test(out_of_memory_is_reported_at_the_end),
    };
    return cmocka_run_group_tests_name("base.json_write", tests, NULL, NULL);
}
