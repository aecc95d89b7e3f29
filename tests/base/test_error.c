/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/error.h"
#include "support/check.h"

/* Bindings and scripts depend on the numbers of status codes. */
static void numbers_are_pinned(void **state)
{
    (void)state;
    static const struct {
        opac_status status;
        int number;
        const char *name;
    } pinned[] = {
        {OPAC_OK, 0, "ok"},
        {OPAC_ERROR_ARGUMENT, 1, "argument"},
        {OPAC_ERROR_SYNTAX, 2, "syntax"},
        {OPAC_ERROR_UNSUPPORTED, 3, "unsupported"},
        {OPAC_ERROR_IO, 4, "io"},
        {OPAC_ERROR_MEMORY, 5, "memory"},
        {OPAC_ERROR_LIMIT, 6, "limit"},
        {OPAC_ERROR_CANCELLED, 7, "cancelled"},
        {OPAC_ERROR_SIMULATOR, 8, "simulator"},
        {OPAC_ERROR_INTERNAL, 9, "internal"},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        assert_int_equal(pinned[i].status, pinned[i].number);
        assert_string_equal(opac_status_name(pinned[i].status), pinned[i].name);
    }
    assert_string_equal(opac_status_name((opac_status)10), "unknown");
    assert_string_equal(opac_status_name((opac_status)-1), "unknown");
}

static void message_and_place_are_kept(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_status(base_fail_at(&error, OPAC_ERROR_SYNTAX, 3, 14, "expected %s", "')'"),
                  OPAC_ERROR_SYNTAX);
    assert_int_equal(error.code, OPAC_ERROR_SYNTAX);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 14);
    assert_string_equal(error.message, "expected ')'");
    assert_status(base_fail_memory(NULL), OPAC_ERROR_MEMORY);
}

/* The parameter and the limit are those of the last failure, or none. */
static void parameters_are_set_and_reset(void **state)
{
    (void)state;
    opac_error error;
    assert_status(base_fail_limit(&error, "max_states", 7, "more than %d states", 7),
                  OPAC_ERROR_LIMIT);
    assert_int_equal(error.code, OPAC_ERROR_LIMIT);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.message, "more than 7 states");
    assert_string_equal(error.parameter, "max_states");
    assert_int_equal(error.limit, 7);
    assert_status(base_fail_parameter(&error, OPAC_ERROR_ARGUMENT, "k", "k is %s", "odd"),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "k is odd");
    assert_string_equal(error.parameter, "k");
    assert_int_equal(error.limit, 0);
    base_fail(&error, OPAC_ERROR_IO, "no such file");
    assert_null(error.parameter);
    base_fail_at(&error, OPAC_ERROR_LIMIT, 3, 4, "too long");
    base_set_parameter(&error, "max_memory", 1 << 20);
    assert_string_equal(error.parameter, "max_memory");
    assert_int_equal(error.limit, 1 << 20);
    base_fail_memory(&error);
    assert_null(error.parameter);
    assert_int_equal(error.limit, 0);
    base_set_parameter(NULL, "k", 1);
    assert_status(base_fail_limit(NULL, "k", 1, "too many"), OPAC_ERROR_LIMIT);
}

static void fractions_are_checked(void **state)
{
    static const double wrong[] = {0, 1, -0.5, 2, NAN, INFINITY};
    opac_error error;
    (void)state;
    assert_status(base_check_fraction("delta", 0x1p-1074, &error), OPAC_OK);
    assert_status(base_check_fraction("delta", 1 - 0x1p-53, &error), OPAC_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_status(base_check_fraction("delta", wrong[i], &error), OPAC_ERROR_ARGUMENT);
        assert_string_equal(error.parameter, "delta");
    }
    base_check_fraction("delta", 2, &error);
    assert_string_equal(error.message, "delta must lie strictly between 0 and 1, not 2");
}

/* Every length around the limit, with two-byte characters at both parities. */
static void long_messages_are_cut_at_a_character(void **state)
{
    (void)state;
    char text[2 * OPAC_MESSAGE_SIZE];
    for (size_t shift = 0; shift < 2; shift++) {
        memset(text, 'x', shift);
        size_t length = shift;
        while (length < sizeof text - 3) {
            memcpy(text + length, "\xC3\xA9", 3);
            length += 2;
        }
        opac_error error = {0};
        base_fail(&error, OPAC_ERROR_LIMIT, "%s", text);
        size_t cut = strlen(error.message);
        assert_in_range(cut, OPAC_MESSAGE_SIZE - 6, OPAC_MESSAGE_SIZE - 1);
        assert_string_equal(error.message + cut - 3, "...");
        assert_int_equal((cut - 3 - shift) % 2, 0);
        assert_memory_equal(error.message, text, cut - 3);
    }
}

/* Invalid bounds are an error. */
static void bounds_are_checked(void **state)
{
    (void)state;
    static const struct {
        double lower, upper;
        opac_status status;
    } cases[] = {
        {0, 1, OPAC_OK},
        {0.25, 0.25, OPAC_OK},
        {0.5, 0.49999999999999994, OPAC_ERROR_INTERNAL},
        {-5e-324, 1, OPAC_ERROR_INTERNAL},
        {0, 1.0000000000000002, OPAC_ERROR_INTERNAL},
        {NAN, 1, OPAC_ERROR_INTERNAL},
        {0, NAN, OPAC_ERROR_INTERNAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_status(base_check_bounds(cases[i].lower, cases[i].upper, NULL), cases[i].status);
}

SUITE(error)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_pinned),
        cmocka_unit_test(message_and_place_are_kept),
        cmocka_unit_test(parameters_are_set_and_reset),
        cmocka_unit_test(fractions_are_checked),
        cmocka_unit_test(long_messages_are_cut_at_a_character),
        cmocka_unit_test(bounds_are_checked),
    };
    return cmocka_run_group_tests_name("base.error", tests, NULL, NULL);
}
