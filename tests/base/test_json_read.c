/* SPDX-License-Identifier: MIT */
/* Reading JSON: values that are accepted, and the places and messages of errors. */
#include <jansson.h>
#include <math.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "base/json_read.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

static base_json *parsed(const char *text)
{
    base_json *document;
    opac_error error = {0};
    assert_ok(base_json_parse(text, strlen(text), &document, &error), &error);
    return document;
}

static base_json_value member_of(base_json_value object, const char *name)
{
    base_json_value member;
    opac_error error = {0};
    assert_ok(base_json_member(object, name, &member, &error), &error);
    return member;
}

static base_json_value item_of(base_json_value array, size_t index)
{
    base_json_value item;
    opac_error error = {0};
    assert_ok(base_json_at(array, index, &item, &error), &error);
    return item;
}

static void values_are_read(void **state)
{
    (void)state;
    base_json *document = parsed("{\"name\": \"caf\\u00e9 \\ud83d\\ude00\", \"on\": true, \"off\": "
                                 "false, \"none\": null,\n \"list\": [1, -2.5, []], \"o\": {}}");
    base_json_value root = base_json_root(document), list = member_of(root, "list");
    opac_error error = {0};
    const char *text;
    size_t length;
    bool flag;
    double number;
    assert_ok(base_json_string(member_of(root, "name"), &text, &length, &error), &error);
    assert_string_equal(text, "caf\xC3\xA9 \xF0\x9F\x98\x80");
    assert_int_equal(length, strlen(text));
    assert_ok(base_json_bool(member_of(root, "on"), &flag, &error), &error);
    assert_true(flag);
    assert_ok(base_json_bool(member_of(root, "off"), &flag, &error), &error);
    assert_false(flag);
    assert_int_equal(base_json_kind_of(member_of(root, "none")), BASE_JSON_NULL);
    assert_int_equal(base_json_kind_of(member_of(root, "o")), BASE_JSON_OBJECT);
    assert_ok(base_json_length(list, &length, &error), &error);
    assert_int_equal(length, 3);
    assert_ok(base_json_double(item_of(list, 0), &number, &error), &error);
    assert_true(number == 1);
    assert_ok(base_json_double(item_of(list, 1), &number, &error), &error);
    assert_true(number == -2.5);
    base_json_value absent;
    assert_ok(base_json_optional(root, "absent", &absent, &error), &error);
    assert_false(base_json_is_there(absent));
    assert_ok(base_json_optional(root, "none", &absent, &error), &error);
    assert_true(base_json_is_there(absent));
    base_json_free(document);
    base_json_free(NULL);
}

static void members_come_in_order_of_the_text(void **state)
{
    (void)state;
    base_json *document = parsed("{\"zeta\": 0, \"b\": 1, \"a\": 2, \"\": 3, \"c\": 4}");
    base_json_value member = {0};
    static const char *const keys[] = {"zeta", "b", "a", "", "c"};
    for (int64_t i = 0, number; i < 5; i++) {
        assert_true(base_json_next(base_json_root(document), &member));
        assert_string_equal(member.key, keys[i]);
        assert_status(base_json_int64(member, i, i, &number, NULL), OPAC_OK);
    }
    assert_false(base_json_next(base_json_root(document), &member));
    member = member_of(base_json_root(document), "zeta");
    base_json_value inside = {0};
    assert_false(base_json_next(member, &inside)); /* a number has no members */
    base_json_free(document);
}

/* Whole numbers at the edges of their types, and beyond. */
static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_int64, is_uint64;
        int64_t as_int64;
        uint64_t as_uint64;
    } cases[] = {
        {"0", true, true, 0, 0},
        {"-0", true, true, 0, 0},
        {"-1", true, false, -1, 0},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"-9223372036854775808", true, false, INT64_MIN, 0},
        {"-9223372036854775809", false, false, 0, 0},
        {"9223372036854775808", false, true, 0, UINT64_C(9223372036854775808)},
        {"18446744073709551615", false, true, 0, UINT64_MAX},
        {"18446744073709551616", false, false, 0, 0},
        {"123456789012345678901234567890", false, false, 0, 0},
        {"1.0", false, false, 0, 0},
        {"1e3", false, false, 0, 0},
        {"1e300", false, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_json *document = parsed(cases[i].text);
        base_json_value value = base_json_root(document);
        int64_t number = 0;
        uint64_t count = 0;
        assert_status(base_json_int64(value, INT64_MIN, INT64_MAX, &number, NULL),
                      cases[i].is_int64 ? OPAC_OK : OPAC_ERROR_ARGUMENT);
        assert_status(base_json_uint64(value, 0, UINT64_MAX, &count, NULL),
                      cases[i].is_uint64 ? OPAC_OK : OPAC_ERROR_ARGUMENT);
        assert_true(number == cases[i].as_int64);
        assert_true(count == cases[i].as_uint64);
        base_json_free(document);
    }
}

/* Numbers of the JSON writer are read with the same value. */
static void numbers_of_the_writer(void **state)
{
    (void)state;
    uint64_t random = random_seed(17);
    for (int i = 0; i < 3000; i++) {
        uint64_t bits = random_u64(&random);
        double number, back;
        memcpy(&number, &bits, sizeof number);
        if (i % 3 == 0)
            number = (double)(bits >> (i % 60)) * (i % 2 == 0 ? 1 : 1e6);
        if (!isfinite(number))
            continue;
        char text[OPAC_NUMBER_SIZE];
        base_json *document = parsed(opac_number_format(number, text));
        assert_status(base_json_double(base_json_root(document), &back, NULL), OPAC_OK);
        assert_memory_equal(&back, &number, sizeof back);
        base_json_free(document);
    }
    base_json *document =
        parsed("{\"k\": 1.6e1003, \"tiny\": 1e-1003, \"word\": 18446744073709551615}");
    base_json_value root = base_json_root(document);
    opac_error error = {0};
    double number;
    assert_status(base_json_double(member_of(root, "k"), &number, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "k: the number is too large or too small for a double");
    assert_int_equal(base_json_kind_of(member_of(root, "k")), BASE_JSON_NUMBER);
    assert_status(base_json_double(member_of(root, "tiny"), &number, NULL), OPAC_ERROR_ARGUMENT);
    assert_status(base_json_double(member_of(root, "word"), &number, NULL), OPAC_OK);
    assert_true(number == 18446744073709551616.0);
    static const char *const texts[][2] = {
        {"k", "1.6e1003"}, {"tiny", "1e-1003"}, {"word", "18446744073709551615"}};
    const char *text;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_ok(base_json_number_text(member_of(root, texts[i][0]), &text, &error), &error);
        assert_string_equal(text, texts[i][1]);
    }
    base_json_free(document);
    document = parsed("[-9223372036854775807, 0.1, \"x\"]");
    assert_ok(base_json_number_text(item_of(base_json_root(document), 0), &text, &error), &error);
    assert_string_equal(text, "-9223372036854775807");
    assert_ok(base_json_number_text(item_of(base_json_root(document), 1), &text, &error), &error);
    assert_string_equal(text, "0.1");
    assert_status(base_json_number_text(item_of(base_json_root(document), 2), &text, &error),
                  OPAC_ERROR_SYNTAX);
    base_json_free(document);
}

static void errors_of_parsing_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        opac_status status;
        uint32_t line, column;
        const char *message; /* how it begins */
    } cases[] = {
        {"", OPAC_ERROR_SYNTAX, 1, 1, "expected a JSON value, found nothing"},
        {" ", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON value, found the end of the text"},
        {"{\"a\": 1,\n \"b\" 2}", OPAC_ERROR_SYNTAX, 2, 6, "expected ':', found '2'"},
        {"[1, 2", OPAC_ERROR_SYNTAX, 1, 6, "expected ',' or ']', found the end of the text"},
        {"[1 2]", OPAC_ERROR_SYNTAX, 1, 4, "expected ',' or ']', found '2'"},
        {"[1,]", OPAC_ERROR_SYNTAX, 1, 4, "expected a JSON value, found ']'"},
        {"[1] x", OPAC_ERROR_SYNTAX, 1, 5, "expected the end of the text, found 'x'"},
        {"{\"a\": 1 \"b\": 2}", OPAC_ERROR_SYNTAX, 1, 9, "expected ',' or '}', found '\"'"},
        {"{\"a\": 1,}", OPAC_ERROR_SYNTAX, 1, 9, "expected a key in double quotes, found '}'"},
        {"{a: 1}", OPAC_ERROR_SYNTAX, 1, 2, "expected a key in double quotes, found 'a'"},
        {"{1e999: 1}", OPAC_ERROR_SYNTAX, 1, 2, "expected a key in double quotes, found '1e999'"},
        {"{\"a\": 1,\n\"b\": 2, \"a\": 2}", OPAC_ERROR_SYNTAX, 2, 9,
         "the key 'a' occurs twice in an object"},
        {"[\"\xC3\xA9\", \"\xFF\"]", OPAC_ERROR_SYNTAX, 1, 8,
         "invalid UTF-8: unexpected byte 0xFF"},
        {"\xEF\xBB\xBF{}", OPAC_ERROR_SYNTAX, 1, 1, "JSON must not begin with a byte order mark"},
        {"[\"\xC3\xA9\\u0000b\"]", OPAC_ERROR_SYNTAX, 1, 4, "a string contains the character NUL"},
        {"{\"a\\u0000b\": 1}", OPAC_ERROR_SYNTAX, 1, 4, "a string contains the character NUL"},
        {"[\"\\ud800\"]", OPAC_ERROR_SYNTAX, 1, 3, "a surrogate (\\ud800 to \\udfff) without"},
        {"[\"\\ud800\\u0041\"]", OPAC_ERROR_SYNTAX, 1, 3, "a surrogate"},
        {"[\"\\udc00\\ud800\"]", OPAC_ERROR_SYNTAX, 1, 3, "a surrogate"},
        {"[\"\\u12g4\"]", OPAC_ERROR_SYNTAX, 1, 3, "an escape \\u needs four hexadecimal digits"},
        {"[\"\\u12", OPAC_ERROR_SYNTAX, 1, 3, "an escape \\u needs four hexadecimal digits"},
        {"[\"a\\x\"]", OPAC_ERROR_SYNTAX, 1, 4, "unknown escape in a string"},
        {"[\"a\\", OPAC_ERROR_SYNTAX, 1, 4, "unknown escape in a string"},
        {"[\"a", OPAC_ERROR_SYNTAX, 1, 2, "a string is not closed"},
        {"[\"a\n\"]", OPAC_ERROR_SYNTAX, 1, 4, "a string contains a line end; write it as \\n"},
        {"[\"a\x1B[31m\"]", OPAC_ERROR_SYNTAX, 1, 4, "a string contains a control character"},
        {"[1e999,\n2e999, oops]", OPAC_ERROR_SYNTAX, 2, 8, "expected a JSON value, found 'oops'"},
        {"[truer]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON value, found 'truer'"},
        {"[01]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '01'"},
        {"[1.]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '1.'"},
        {"[-]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '-'"},
        {"[1e+]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '1e+'"},
        {"[0x10]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '0x10'"},
        {"[+1]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON value, found '+1'"},
        {"[.5]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON value, found '.5'"},
        {"[NaN]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON value, found 'NaN'"},
        {"[1e5x]", OPAC_ERROR_SYNTAX, 1, 2, "expected a JSON number, found '1e5x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_error error = {0};
        base_json *document;
        assert_status(base_json_parse(cases[i].text, strlen(cases[i].text), &document, &error),
                      cases[i].status);
        assert_null(document);
        if (error.line != cases[i].line || error.column != cases[i].column ||
            strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %u:%u: %s", cases[i].text, (unsigned)error.line, (unsigned)error.column,
                     error.message);
    }
    base_json *document;
    assert_status(base_json_parse("[1]\0", 4, &document, NULL), OPAC_ERROR_SYNTAX);
    assert_status(base_json_parse(NULL, 0, &document, NULL), OPAC_ERROR_SYNTAX);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum {
        DEEP = 100000
    };
    char *text = malloc(DEEP);
    assert_non_null(text);
    memset(text, '[', DEEP);
    base_json *document;
    opac_error error = {0};
    assert_status(base_json_parse(text, DEEP, &document, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "nested too deep");
    /* As deep as allowed: errors still find their path, cut at the front. */
    memset(text + 1000, ']', 1000);
    assert_status(base_json_parse(text, 2000, &document, &error), OPAC_OK);
    base_json_value value = base_json_root(document), item;
    while (base_json_at(value, 0, &item, NULL) == OPAC_OK)
        value = item;
    const char *string;
    assert_status(base_json_string(value, &string, NULL, &error), OPAC_ERROR_SYNTAX);
    assert_memory_equal(error.message, "...[0][0]", 9);
    assert_non_null(strstr(error.message, "[0]: expected a string, found an array"));
    base_json_free(document);
    free(text);
}

static void errors_of_reading_have_a_path(void **state)
{
    (void)state;
    base_json *document = parsed("{\"policy\": {\"choices\": [true, true, 0, {\"action\": 7}],"
                                 " \"na\\u001bme\": null}, \"count\": 12}");
    base_json_value root = base_json_root(document), policy = member_of(root, "policy");
    base_json_value choices = member_of(policy, "choices"), value;
    static const char *const known[] = {"choices", "name", "memory"};
    opac_error error = {0};
    const char *text;
    double number;
    int64_t whole;
    uint64_t count;
    bool flag;
    value = member_of(item_of(choices, 3), "action");
    assert_status(base_json_string(value, &text, NULL, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message,
                        "policy.choices[3].action: expected a string, found a number");
    assert_int_equal(error.line, 0);
    assert_status(base_json_double(item_of(choices, 1), &number, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices[1]: expected a number, found a boolean");
    assert_status(base_json_at(choices, 4, &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices: expected more than 4 items, found 4");
    assert_status(base_json_member(policy, "memory", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy: member 'memory' is missing");
    assert_status(base_json_member(root, "schema", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "member 'schema' is missing");
    assert_status(base_json_member(choices, "x", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices: expected an object, found an array");
    assert_status(base_json_only(policy, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy: unknown member 'na\\x1Bme'; did you mean 'name'?");
    assert_status(base_json_only(root, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "unknown member 'policy'");
    assert_status(base_json_only(choices, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_status(base_json_length(root, &(size_t){0}, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "expected an array, found an object");
    assert_status(base_json_bool(member_of(policy, "na\x1Bme"), &flag, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.na\\x1Bme: expected a boolean, found null");
    value = member_of(root, "count");
    assert_status(base_json_int64(value, -3, 11, &whole, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "count: expected a whole number from -3 to 11");
    assert_status(base_json_uint64(value, 13, 15, &count, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "count: expected a whole number from 13 to 15");
    assert_status(base_json_int64(root, 0, 1, &whole, &error), OPAC_ERROR_SYNTAX);
    assert_status(base_json_uint64(root, 0, 1, &count, &error), OPAC_ERROR_SYNTAX);
    base_json_free(document);
}

/* Without an error argument, no path is computed, so many failures do not take quadratic time. */
static void many_failures_without_an_error(void **state)
{
    (void)state;
    enum {
        MANY = 300000
    };
    char *text = malloc(MANY * 5 + 2);
    uint64_t count;
    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i < MANY; i++)
        memcpy(text + 1 + 5 * i, "[-1],", 5);
    memcpy(text + (size_t)5 * MANY, "]", 2);
    base_json *document = parsed(text);
    for (size_t i = 0; i < MANY; i++) {
        base_json_value item = item_of(item_of(base_json_root(document), i), 0);
        assert_status(base_json_uint64(item, 0, 1, &count, NULL), OPAC_ERROR_ARGUMENT);
    }
    base_json_free(document);
    free(text);
}

/* More members than are searched linearly. */
static void many_members(void **state)
{
    (void)state;
    enum {
        MANY = 1000
    };
    char *text = malloc(MANY * 16), *end = text;
    assert_non_null(text);
    for (int i = 0; i < MANY; i++) /* 617 has no factor in common with 1000 */
        end += sprintf(end, "%s\"k%d\": %d", i == 0 ? "{" : ", ", i * 617 % MANY, i);
    sprintf(end, "}");
    base_json *document = parsed(text);
    base_json_value root = base_json_root(document), member = {0}, same;
    for (int64_t i = 0, number; i < MANY; i++) {
        assert_true(base_json_next(root, &member));
        assert_status(base_json_int64(member, i, i, &number, NULL), OPAC_OK);
        same = member_of(root, member.key);
        assert_ptr_equal(same.node, member.node);
    }
    assert_status(base_json_optional(root, "k1000", &same, NULL), OPAC_OK);
    assert_false(base_json_is_there(same));
    base_json_free(document);
    sprintf(end, ", \"k7\": 1, \"k3\": 1}");
    opac_error error = {0};
    assert_status(base_json_parse(text, strlen(text), &document, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "the key 'k7' occurs twice in an object");
    free(text);
}

static opac_status parse_and_drop(void *context, opac_error *error)
{
    const char *text = context;
    base_json *document;
    opac_status status = base_json_parse(text, strlen(text), &document, error);
    assert_int_equal(document != NULL, status == OPAC_OK);
    base_json_free(document);
    return status;
}

/* Long strings, many members and numbers of any length: a failed allocation is never reported as a syntax
 * error. */
static void failed_allocations_are_reported(void **state)
{
    (void)state;
    char text[] =
        "{\"a\": [1, [2.5, {}, [], null], \"text\"], \"b\": \"other text\", \"c\": 1,"
        " \"d\": 1e99, \"e\": true, \"f\": -1, \"g\": \"\", \"h\": 2, \"i\": 1e100,"
        " \"long\": \"a string that is longer than sixteen bytes\", \"digits\":"
        " 1.00000000000000000000001, \"l\": [[[[[[[[[[1,2,3,4,5,6,7,8,9,10,11,12]]]]]]]]]]}";
    assert_in_range(faults_sweep(parse_and_drop, text), 5, 200);
}

/* ---- jansson as the oracle ---- */

static void same_value(base_json_value value, json_t *expected)
{
    const char *text;
    size_t length, index;
    int64_t whole;
    double number;
    bool flag;
    base_json_value inner = {0};
    json_t *child;
    opac_error error = {0};
    switch (json_typeof(expected)) {
    case JSON_OBJECT:
        assert_int_equal(base_json_kind_of(value), BASE_JSON_OBJECT);
        for (length = 0; base_json_next(value, &inner); length++)
            same_value(inner, json_object_get(expected, inner.key));
        assert_int_equal(length, json_object_size(expected));
        break;
    case JSON_ARRAY:
        assert_ok(base_json_length(value, &length, &error), &error);
        assert_int_equal(length, json_array_size(expected));
        json_array_foreach(expected, index, child)
        {
            same_value(item_of(value, index), child);
        }
        break;
    case JSON_STRING:
        assert_ok(base_json_string(value, &text, &length, &error), &error);
        assert_int_equal(length, json_string_length(expected));
        assert_string_equal(text, json_string_value(expected));
        break;
    case JSON_INTEGER:
        assert_ok(base_json_int64(value, INT64_MIN, INT64_MAX, &whole, &error), &error);
        assert_int_equal(whole, json_integer_value(expected));
        break;
    case JSON_REAL:
        if (base_json_double(value, &number, &error) == OPAC_OK)
            assert_true(number == json_real_value(expected));
        else /* too small for a double, which jansson reads as 0 */
            assert_true(json_real_value(expected) == 0);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        assert_ok(base_json_bool(value, &flag, &error), &error);
        assert_int_equal(flag, json_is_true(expected));
        break;
    default:
        assert_int_equal(base_json_kind_of(value), BASE_JSON_NULL);
    }
}

static bool has_large_number(const char *message)
{
    return strstr(message, "overflow") != NULL || strstr(message, "too big") != NULL;
}

/* Pieces of JSON in random order, mostly wrong, and documents with a piece exchanged. */
static void jansson_agrees(void **state)
{
    (void)state;
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"a\"",
                                         "\"b\"",
                                         "\"\\n\\\\\\/\"",
                                         "1",
                                         "-0",
                                         "12.5e3",
                                         "1E-2",
                                         "01",
                                         "true",
                                         "false",
                                         "null",
                                         "\"\\ud83d\\ude00\"",
                                         " ",
                                         "\n",
                                         "\t",
                                         "\"\\u\"",
                                         "\"\\u00e9\"",
                                         "nul",
                                         "\"\xC3\xA9\"",
                                         "-",
                                         "1.",
                                         "\"",
                                         "\\",
                                         "+",
                                         "\x01",
                                         "\"\\u007f\"",
                                         "[]",
                                         "{}",
                                         "9223372036854775807"};
    static const char valid[] = "{\"a\": [1, {\"b\": null}, \"x\", -2.5e-3], \"c\": {\"d\": true}}";
    uint64_t random = random_seed(23);
    size_t accepted = 0;
    for (size_t round = 0, rounds = random_rounds(20000, 2000000); round < rounds; round++) {
        char text[400] = "";
        size_t at = round % 3 == 0 ? 0 : random_below(&random, sizeof valid);
        memcpy(text, valid, at);
        text[at] = '\0';
        for (uint64_t i = 1 + random_below(&random, round % 3 == 0 ? 9 : 2); i > 0; i--)
            strcat(text, pieces[random_below(&random, sizeof pieces / sizeof *pieces)]);
        if (round % 3 != 0)
            strcat(text, valid + at + random_below(&random, (uint32_t)(sizeof valid - at)));
        json_error_t found;
        json_t *expected =
            json_loadb(text, strlen(text), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &found);
        if (expected == NULL && has_large_number(found.text))
            continue;
        base_json *document;
        opac_error error = {0};
        if ((base_json_parse(text, strlen(text), &document, &error) == OPAC_OK) !=
            (expected != NULL))
            fail_msg("%s: %s, jansson: %s", text, error.message, expected ? "valid" : found.text);
        if (expected != NULL)
            same_value(base_json_root(document), expected);
        accepted += expected != NULL;
        json_decref(expected);
        base_json_free(document);
    }
    assert_true(accepted > 500);
}

SUITE(json_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(members_come_in_order_of_the_text),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(numbers_of_the_writer),
        cmocka_unit_test(errors_of_parsing_have_a_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(errors_of_reading_have_a_path),
        cmocka_unit_test(failed_allocations_are_reported),
        cmocka_unit_test(many_failures_without_an_error),
        cmocka_unit_test(many_members),
        cmocka_unit_test(jansson_agrees),
    };
    return cmocka_run_group_tests_name("base.json_read", tests, NULL, NULL);
}
