/* SPDX-License-Identifier: MIT */
/* Reading JSON: what is accepted, what is refused and where, and in which words. */
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
        assert_true(number == cases[i].as_int64 && count == cases[i].as_uint64);
        base_json_free(document);
    }
}

/* All that our writer writes is read back the same. */
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
    assert_string_equal(error.message, "k: a number too large or too long");
    assert_int_equal(base_json_kind_of(member_of(root, "k")), BASE_JSON_NUMBER);
    assert_status(base_json_double(member_of(root, "tiny"), &number, NULL), OPAC_OK);
    assert_true(number == 0);
    assert_status(base_json_double(member_of(root, "word"), &number, NULL), OPAC_OK);
    assert_true(number == 18446744073709551616.0);
    static const char *const texts[][2] = {
        {"k", "1.6e1003"}, {"tiny", "1e-1003"}, {"word", "18446744073709551615"}};
    char buffer[OPAC_NUMBER_SIZE];
    const char *text;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_ok(base_json_number_text(member_of(root, texts[i][0]), buffer, &text, &error),
                  &error);
        assert_string_equal(text, texts[i][1]);
    }
    base_json_free(document);
    document = parsed("[-9223372036854775807, 0.1, \"x\"]");
    assert_ok(base_json_number_text(item_of(base_json_root(document), 0), buffer, &text, &error),
              &error);
    assert_string_equal(text, "-9223372036854775807");
    assert_ok(base_json_number_text(item_of(base_json_root(document), 1), buffer, &text, &error),
              &error);
    assert_string_equal(text, "0.1");
    assert_status(
        base_json_number_text(item_of(base_json_root(document), 2), buffer, &text, &error),
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
        {"", OPAC_ERROR_SYNTAX, 1, 1, "expected a JSON value, got nothing"},
        {" ", OPAC_ERROR_SYNTAX, 1, 1, "unexpected token near end of file"},
        {"{\"a\": 1,\n \"b\" 2}", OPAC_ERROR_SYNTAX, 2, 6, "':' expected near '2'"},
        {"[1, 2", OPAC_ERROR_SYNTAX, 1, 5, "']' expected near end of file"},
        {"[1] x", OPAC_ERROR_SYNTAX, 1, 5, "end of file expected near 'x'"},
        {"{\"a\": 1, \"a\": 2}", OPAC_ERROR_SYNTAX, 1, 12, "duplicate object key near '\"a\"'"},
        {"[\"\xC3\xA9\", \"\xFF\"]", OPAC_ERROR_SYNTAX, 1, 8,
         "invalid UTF-8: unexpected byte 0xFF"},
        {"\xEF\xBB\xBF{}", OPAC_ERROR_SYNTAX, 1, 1, "JSON does not begin with a byte order mark"},
        {"[\"a\\u0000b\"]", OPAC_ERROR_SYNTAX, 1, 11, "a string contains the character NUL"},
        {"{\"a\\u0000b\": 1}", OPAC_ERROR_SYNTAX, 1, 11, "a string contains the character NUL"},
        {"[\"\\ud800\"]", OPAC_ERROR_SYNTAX, 1, 9, "invalid Unicode '\\uD800'"},
        {"[1e999, 2e9999, oops]", OPAC_ERROR_SYNTAX, 1, 20, "invalid token near 'oops'"},
        {"[1e999,\n2e999, oops]", OPAC_ERROR_SYNTAX, 2, 11, "invalid token near 'oops'"},
        {"{1e999: 1}", OPAC_ERROR_SYNTAX, 1, 6, "real number overflow near '1e999'"},
        {"[01]", OPAC_ERROR_SYNTAX, 1, 2, "invalid token near '0'"},
        {"[\"\\u0001123\"]", OPAC_ERROR_UNSUPPORTED, 0, 0, "a string begins with the control"},
        {"[\"a\x1B[31m\"]", OPAC_ERROR_SYNTAX, 1, 3, "control character 0x1b near '\"a'"},
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
    assert_non_null(strstr(error.message, "[0]: expected a string, got an array"));
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
    assert_string_equal(error.message, "policy.choices[3].action: expected a string, got a number");
    assert_int_equal(error.line, 0);
    assert_status(base_json_double(item_of(choices, 1), &number, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices[1]: expected a number, got a boolean");
    assert_status(base_json_at(choices, 4, &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices: expected more than 4 items, got 4");
    assert_status(base_json_member(policy, "memory", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy: member 'memory' is missing");
    assert_status(base_json_member(root, "schema", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "member 'schema' is missing");
    assert_status(base_json_member(choices, "x", &value, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.choices: expected an object, got an array");
    assert_status(base_json_only(policy, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy: unknown member 'na\\x1Bme', did you mean 'name'?");
    assert_status(base_json_only(root, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "unknown member 'policy'");
    assert_status(base_json_only(choices, known, 3, &error), OPAC_ERROR_SYNTAX);
    assert_status(base_json_length(root, &(size_t){0}, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "expected an array, got an object");
    assert_status(base_json_bool(member_of(policy, "na\x1Bme"), &flag, &error), OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, "policy.na\\x1Bme: expected a boolean, got null");
    value = member_of(root, "count");
    assert_status(base_json_int64(value, -3, 11, &whole, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "count: expected a whole number from -3 to 11");
    assert_status(base_json_uint64(value, 13, 15, &count, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "count: expected a whole number from 13 to 15");
    assert_status(base_json_int64(root, 0, 1, &whole, &error), OPAC_ERROR_SYNTAX);
    assert_status(base_json_uint64(root, 0, 1, &count, &error), OPAC_ERROR_SYNTAX);
    base_json_free(document);
}

/* Memory of jansson, through the one function that a sweep can make fail. */

static size_t live; /* blocks that jansson holds */

static void *counted_allocate(size_t size)
{
    void *memory = base_allocate(NULL, size > 0 ? size : 1, false);
    live += memory != NULL;
    return memory;
}

static void counted_free(void *memory)
{
    live -= memory != NULL;
    base_free(memory);
}

static opac_status parse_and_drop(void *context, opac_error *error)
{
    const char *text = context;
    base_json *document;
    opac_status status = base_json_parse(text, strlen(text), &document, error);
    assert_int_equal(document != NULL, status == OPAC_OK);
    base_json_free(document);
    assert_int_equal(live, 0);
    return status;
}

static void failed_allocations_are_reported(void **state)
{
    (void)state;
    char text[] = "{\"a\": [1, [2.5, {}, [], null], \"text\"], \"b\": \"other text\", \"c\": 1,"
                  " \"d\": 1e99, \"e\": true, \"f\": -1, \"g\": \"\", \"h\": 2, \"i\": 1e100}";
    json_set_alloc_funcs(counted_allocate, counted_free);
    assert_in_range(faults_sweep(parse_and_drop, text), 30, 200);
    json_set_alloc_funcs(malloc, free);
}

/* Long strings are the exception of json_read.h: still nothing crashes, nothing leaks. */
static void failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    char text[] = "[\"a string that is longer than sixteen bytes\", 1.00000000000000000000001]";
    json_set_alloc_funcs(counted_allocate, counted_free);
    for (size_t n = 1; n < 50; n++) {
        faults_fail_at(n);
        opac_status status = parse_and_drop(text, NULL);
        assert_true(status == OPAC_OK || status == OPAC_ERROR_MEMORY);
    }
    faults_fail_at(0);
    json_set_alloc_funcs(malloc, free);
}

int main(void)
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
        cmocka_unit_test(failed_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("base.json_read", tests, NULL, NULL);
}
