/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <locale.h>
#include <math.h>

#include <omegapac/number.h>

#include "support/check.h"
#include "support/random.h"

static double parsed(const char *text)
{
    double value = NAN;
    opac_error error = {0};
    assert_ok(opac_number_parse(text, &value, &error), &error);
    return value;
}

static void decimals_and_fractions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"12", 12},
        {"+12", 12},
        {"-2.25", -2.25},
        {".5", .5},
        {"5.", 5},
        {"0.05", 0.05},
        {"1e-3", 1e-3},
        {"1E+3", 1e3},
        {"1/60", 1.0 / 60},
        {"-1/3", -1.0 / 3},
        {"0.5/3", 0.5 / 3},
        {"1e-3/1e3", 1e-6},
        {"0/5", 0},
        {"000000000000000000000000000000000000000000000000000000000000000000000001", 1},
        {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
        {"1.7976931348623157e308", DBL_MAX},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"0e-400", 0},
        {"0.000/7", 0},
        {"0e99999999999999999999", 0},
        {"9007199254740993", 9007199254740992.0}, /* ties to even */
        {"9007199254740993.00000000000000000000001", 9007199254740994.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(parsed(cases[i].text) == cases[i].value);
    assert_true(signbit(parsed("-0")));
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        opac_status status;
    } cases[] = {
        {"", OPAC_ERROR_SYNTAX},
        {"-", OPAC_ERROR_SYNTAX},
        {".", OPAC_ERROR_SYNTAX},
        {"nan", OPAC_ERROR_SYNTAX},
        {"inf", OPAC_ERROR_SYNTAX},
        {"0x10", OPAC_ERROR_SYNTAX},
        {" 1", OPAC_ERROR_SYNTAX},
        {"1 ", OPAC_ERROR_SYNTAX},
        {"1,5", OPAC_ERROR_SYNTAX},
        {"1e", OPAC_ERROR_SYNTAX},
        {"1e+", OPAC_ERROR_SYNTAX},
        {"--1", OPAC_ERROR_SYNTAX},
        {"1/", OPAC_ERROR_SYNTAX},
        {"/2", OPAC_ERROR_SYNTAX},
        {"1/-2", OPAC_ERROR_SYNTAX},
        {"1/2/3", OPAC_ERROR_SYNTAX},
        {"1..2", OPAC_ERROR_SYNTAX},
        {"1e5.5", OPAC_ERROR_SYNTAX},
        {"1/0", OPAC_ERROR_ARGUMENT},
        {"1/0.000", OPAC_ERROR_ARGUMENT},
        {"0/0", OPAC_ERROR_ARGUMENT},
        {"1/1e-400", OPAC_ERROR_ARGUMENT},
        {"1e-400", OPAC_ERROR_ARGUMENT}, /* not 0 */
        {"-2e-324", OPAC_ERROR_ARGUMENT},
        {"1e-99999999999999999999", OPAC_ERROR_ARGUMENT},
        {"1/1e309", OPAC_ERROR_ARGUMENT},
        {"1e-200/1e200", OPAC_ERROR_ARGUMENT},
        {"1e-310/1e-300", OPAC_ERROR_ARGUMENT}, /* few digits are left of the first */
        {"1/3e-310", OPAC_ERROR_ARGUMENT},
        {"1e309", OPAC_ERROR_ARGUMENT},
        {"1e99999999999999", OPAC_ERROR_ARGUMENT},
        {"1e308/1e-308", OPAC_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 7;
        opac_error error = {0};
        assert_status(opac_number_parse(cases[i].text, &value, &error), cases[i].status);
        assert_true(value == 7);
        assert_true(error.message[0] != '\0');
    }
}

/* More digits than are kept: rounded as if all were there. */
static void long_texts(void **state)
{
    (void)state;
    char text[3000] = "9007199254740993."; /* half-way between two doubles */
    size_t point = strlen(text);
    memset(text + point, '0', 2000);
    text[point + 2000] = '\0';
    assert_true(parsed(text) == 9007199254740992.0);
    text[point + 1999] = '1';
    assert_true(parsed(text) == 9007199254740994.0);

    memset(text, '9', 300);
    text[300] = '\0';
    assert_true(parsed(text) == 1e300);
    memset(text, '1', 2000);
    text[2000] = '\0';
    double value;
    uint64_t count;
    assert_status(opac_number_parse(text, &value, NULL), OPAC_ERROR_ARGUMENT);
    assert_status(opac_number_parse_whole(text, &count, NULL), OPAC_ERROR_LIMIT);
    strcpy(text + 2000, "e-1999");
    assert_true(parsed(text) == 1.1111111111111111111);
    memset(text, '0', 2000);
    strcpy(text + 2000, "12");
    assert_status(opac_number_parse_whole(text, &count, NULL), OPAC_OK);
    assert_true(count == 12);
}

static void counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"000", 0},
        {"12", 12},
        {"1e9", 1000000000},
        {"2.5e3", 2500},
        {"1200e-2", 12},
        {"0e5", 0},
        {"0.0", 0},
        {"7.000", 7},
        {"18446744073709551615", UINT64_MAX},
        {"1.8446744073709551615e19", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 99;
        assert_status(opac_number_parse_whole(good[i].text, &value, NULL), OPAC_OK);
        assert_true(value == good[i].value);
    }
    static const struct {
        const char *text;
        opac_status status;
    } bad[] = {
        {"", OPAC_ERROR_SYNTAX},
        {"-1", OPAC_ERROR_SYNTAX},
        {"1.5", OPAC_ERROR_SYNTAX},
        {"1e-1", OPAC_ERROR_SYNTAX},
        {"1/1", OPAC_ERROR_SYNTAX},
        {"x", OPAC_ERROR_SYNTAX},
        {"12x", OPAC_ERROR_SYNTAX},
        {"1e-99999999999", OPAC_ERROR_SYNTAX},
        {"18446744073709551616", OPAC_ERROR_LIMIT},
        {"1e20", OPAC_ERROR_LIMIT},
        {"1e9999999999999", OPAC_ERROR_LIMIT},
        {"99999999999999999999", OPAC_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 99;
        assert_status(opac_number_parse_whole(bad[i].text, &value, NULL), bad[i].status);
        assert_true(value == 99);
    }
}

static void formats_are_pinned(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-12.5, "-12.5"},
        {0.1, "0.1"},
        {0.05, "0.05"},
        {1.0 / 60, "0.016666666666666666"},
        {1.0 / 3, "0.3333333333333333"},
        {123456789012345678.0, "1.2345678901234568e17"},
        {1e15, "1000000000000000"},
        {1e16, "1e16"},
        {0.00001, "0.00001"},
        {0.000001, "1e-6"},
        {1e100, "1e100"},
        {DBL_MAX, "1.7976931348623157e308"},
        {4.9406564584124654e-324, "5e-324"},
        {5.684341886080802e-14, "5.684341886080802e-14"}, /* 2^-44: needs the upper neighbour */
        {9007199254740993.0, "9007199254740992"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    char buffer[OPAC_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(opac_number_format(cases[i].value, buffer), cases[i].text);
}

static size_t significant_digits(const char *text)
{
    size_t count = 0;
    for (; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0'))
            count++;
    return count;
}

/* Oracle: no precision below the one found reads back, tried one by one with the C library. */
static void random_doubles_read_back_and_are_shortest(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int i = 0; i < 30000; i++) {
        double value;
        uint64_t pattern = random_u64(&random);
        if (i % 3 == 0)
            pattern &= UINT64_C(0x7FF0000000000000); /* powers of two */
        else if (i % 7 == 0)
            pattern >>= 12 + i % 52; /* below the normal doubles */
        memcpy(&value, &pattern, sizeof value);
        if (i % 5 == 0)
            value = (double)random_below(&random, 1 << 24) / 1000;
        if (!isfinite(value) || value == 0)
            continue;
        char buffer[OPAC_NUMBER_SIZE], text[64];
        opac_number_format(value, buffer);
        assert_true(parsed(buffer) == value);
        assert_true(strtod(buffer, NULL) == value);
        int least = 1;
        do
            snprintf(text, sizeof text, "%.*e", least++ - 1, value);
        while (strtod(text, NULL) != value);
        if (strchr(buffer, 'e') != NULL || strchr(buffer, '.') != NULL)
            assert_true(significant_digits(buffer) <= (size_t)least - 1);
    }
}

/* Oracle: strtod of the text is on the right side, and one unit of the last digit away at most. */
static void promised_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *up, *down;
    } cases[] = {
        {0.1121056, "0.113", "0.112"},
        {0.2, "0.2", "0.2"},
        {0.9996, "1", "0.999"},
        {9.9999e-300, "1e-299", "9.99e-300"},
        {100.5, "101", "100"},
        {0, "0", "0"},
        {99950001, "100000000", "99900000"},
        {5e-324, "5e-324", "5e-324"},
        {10.0000001, "10.1", "10"},
        {9.9999999, "10", "9.99"},
        {-0.1121056, "-0.112", "-0.113"},
        {-0.9996, "-0.999", "-1"},
        {-0.0, "-0", "-0"},
        {INFINITY, "inf", "inf"},
        {-INFINITY, "-inf", "-inf"},
        {NAN, "nan", "nan"},
    };
    char buffer[OPAC_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(opac_number_format_up(cases[i].value, 3, buffer), cases[i].up);
        assert_string_equal(opac_number_format_down(cases[i].value, 3, buffer), cases[i].down);
    }
    uint64_t random = random_seed(2);
    for (int i = 0; i < 30000; i++) {
        uint64_t pattern = random_u64(&random) >> 1;
        int digits = 1 + (int)random_below(&random, 17);
        double value;
        memcpy(&value, &pattern, sizeof value);
        if (!isfinite(value) || value > 1e300)
            continue;
        char text[OPAC_NUMBER_SIZE];
        opac_number_format_down(value, digits, text);
        assert_string_equal(opac_number_format_up(-value, digits, buffer) + (value != 0), text);
        double up = parsed(opac_number_format_up(value, digits, buffer));
        double down = parsed(opac_number_format_down(value, digits, buffer));
        double unit = pow(10, 1 - digits) * 1.0000001;
        assert_true(up >= value);
        assert_true(down <= value);
        if (value > 1e-290) {
            assert_true(up <= value * (1 + unit));
            assert_true(down >= value * (1 - unit));
        }
    }
}

/* The least double that is not below the number. */
static void rounded_up(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.5", 0.5},
        {"+0.5", 0.5},
        {"1/2", 0.5},
        {"0", 0},
        {"-0.5", -0.5},
        {"0.1", 0.1},                  /* 0.1 is rounded up by parsing it, */
        {"0.6", 0x1.3333333333334p-1}, /* and 0.6 and 1/3 are rounded down */
        {"1/3", 0x1.5555555555556p-2},
        {"-1/3", -0x1.5555555555555p-2},
        {"0.1/0.3", 0x1.5555555555556p-2},
        {"0.99999999999999999999", 1},
        {"1.00000000000000000001", 0x1.0000000000001p0},
        {"1e-300", 0x1.56e1fc2f8f359p-997},
    };
    static const struct {
        const char *text;
        opac_status status;
    } refused[] = {
        {"1e-310", OPAC_ERROR_ARGUMENT}, {"-1e-310", OPAC_ERROR_ARGUMENT},
        {"1e400", OPAC_ERROR_ARGUMENT},  {"1/0", OPAC_ERROR_ARGUMENT},
        {"half", OPAC_ERROR_SYNTAX},     {"0.5 ", OPAC_ERROR_SYNTAX},
    };
    double value;
    opac_error error;
    char digits[1001] = "0.";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(opac_number_parse_up(cases[i].text, &value, &error), &error);
        assert_true(value == cases[i].value);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_status(opac_number_parse_up(refused[i].text, &value, &error), refused[i].status);
    memset(digits + 2, '3', sizeof digits - 3);
    assert_status(opac_number_parse_up(digits, &value, &error), OPAC_ERROR_LIMIT);
}

/* A double is its own rounding; and decimals are at most one unit away. */
static void random_doubles_are_rounded_up(void **state)
{
    uint64_t random = random_seed(77);
    (void)state;
    for (int i = 0; i < 2000; i++) {
        double value = ldexp((double)(random_u64(&random) >> 11) + 1, -53), up;
        char exact[80], rounded[OPAC_NUMBER_SIZE];
        opac_error error;
        snprintf(exact, sizeof exact, "%.60f", value);
        assert_ok(opac_number_parse_up(exact, &up, &error), &error);
        assert_true(up == value);
        opac_number_format(value, rounded);
        assert_ok(opac_number_parse_up(rounded, &up, &error), &error);
        assert_true(up == value || up == nextafter(value, 2));
    }
}

/* The decimal point of the locale changes nothing. Skipped where no such locale is installed. */
static void locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && found == NULL; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (found == NULL)
        skip();
    char buffer[OPAC_NUMBER_SIZE];
    assert_string_equal(opac_number_format(0.1, buffer), "0.1");
    assert_true(parsed("0.25") == 0.25);
    setlocale(LC_NUMERIC, "C");
}

SUITE(number)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_and_fractions),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(counts),
        cmocka_unit_test(promised_numbers),
        cmocka_unit_test(formats_are_pinned),
        cmocka_unit_test(random_doubles_read_back_and_are_shortest),
        cmocka_unit_test(rounded_up),
        cmocka_unit_test(random_doubles_are_rounded_up),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("base.number", tests, NULL, NULL);
}
