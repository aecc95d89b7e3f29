/* SPDX-License-Identifier: MIT */
/* Classes of characters against the C library's in the locale C, and scanning without a NUL. */
#include "base/scan.h"

#include <ctype.h>

#include "base/digits.h"
#include "base/slice.h"
#include "support/check.h"

static void classes_are_those_of_ascii(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char c = (char)byte;
        bool begins = byte < 128 && (isalpha(byte) != 0 || c == '_');
        bool is_digit = byte < 128 && isdigit(byte) != 0;
        assert_int_equal(base_is_digit(c), is_digit);
        assert_int_equal(base_is_name_start(c), begins);
        assert_int_equal(base_is_name_character(c), begins || is_digit);
        assert_int_equal(base_is_blank(c), byte < 128 && isblank(byte) != 0);
        assert_int_equal(base_is_whitespace(c), byte < 128 && isspace(byte) != 0);
        assert_int_equal(base_is_space(c), base_is_whitespace(c) && c != '\v' && c != '\f');
    }
}

static void scans_end_where_the_text_does(void **state)
{
    static const char text[] = {' ', '\t', '+', '7'}; /* not followed by a NUL */
    base_scan s = {text, text + sizeof text};
    (void)state;
    base_scan_blanks(&s);
    assert_ptr_equal(s.at, text + 2);
    assert_false(base_scan_take(&s, '-'));
    assert_true(base_scan_take(&s, '+'));
    assert_true(base_scan_is_digit(&s));
    assert_true(base_scan_take(&s, '7'));
    assert_false(base_scan_is_digit(&s));
    assert_false(base_scan_take(&s, '7'));
    base_scan_blanks(&s);
    assert_ptr_equal(s.at, s.end);
}

static void exponents(void **state)
{
    static const struct {
        const char *text;
        bool is_right;
        int power;
        size_t taken;
    } cases[] = {{"", true, 3, 0},           {"x", true, 3, 0},    {"e5", true, 8, 2},
                 {"E+5x", true, 8, 3},       {"e-5", true, -2, 3}, {"e", false, 3, 1},
                 {"e+", false, 3, 2},        {"e-x", false, 3, 2}, {"e12345678901", true, 0, 12},
                 {"e-99999999", true, 0, 10}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_scan s = {cases[i].text, cases[i].text + strlen(cases[i].text)};
        int power = 3;
        assert_int_equal(base_scan_exponent(&s, &power), cases[i].is_right);
        assert_int_equal(s.at - cases[i].text, cases[i].taken);
        if (cases[i].power != 0)
            assert_int_equal(power, cases[i].power);
        else
            assert_true(abs(power) >= 10000000); /* beyond every number */
    }
}

static void numbers_have_a_limit(void **state)
{
    static const uint64_t limits[] = {0, 5, 9, 10, 99, 12345, UINT64_MAX - 1, UINT64_MAX};
    char digits[BASE_MAX_DIGITS], *end = digits + sizeof digits;
    uint64_t number;
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (size_t j = 0; j < sizeof limits / sizeof limits[0]; j++) {
            char *begin = base_digits(limits[j], end);
            base_slice slice = {begin, (size_t)(end - begin)};
            assert_int_equal(base_slice_number(slice, limits[i], &number), limits[j] <= limits[i]);
            if (limits[j] <= limits[i])
                assert_true(number == limits[j]);
        }
    static const char *const wrong[] = {
        "", "-1", "+1", "1x", " 1", "18446744073709551616", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        base_slice slice = {wrong[i], strlen(wrong[i])};
        assert_false(base_slice_number(slice, UINT64_MAX, &number));
    }
}

static void slices_are_compared_whole(void **state)
{
    (void)state;
    assert_true(base_slice_is((base_slice){"states", 5}, "state"));
    assert_false(base_slice_is((base_slice){"states", 6}, "state"));
    assert_false(base_slice_is((base_slice){"stat", 4}, "state"));
    assert_true(base_slice_is((base_slice){NULL, 0}, ""));
    assert_false(base_slice_equal((base_slice){"a\0b", 3}, (base_slice){"a\0c", 3}));
}

SUITE(scan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_ascii),
        cmocka_unit_test(scans_end_where_the_text_does),
        cmocka_unit_test(exponents),
        cmocka_unit_test(numbers_have_a_limit),
        cmocka_unit_test(slices_are_compared_whole),
    };
    return cmocka_run_group_tests_name("base.scan", tests, NULL, NULL);
}
