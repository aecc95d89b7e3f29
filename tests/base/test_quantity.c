/* SPDX-License-Identifier: MIT */
/* Durations and counts in words, at all magnitudes. */
#include <locale.h>
#include <math.h>

#include "base/quantity.h"
#include "support/check.h"

#define YEAR (365.25 * 86400)

static void durations(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *words;
    } cases[] = {
        {0, "0 s"},
        {-0.0, "0 s"},
        {1e-9, "under 1 ms"},
        {0.0005, "1 ms"},
        {0.34, "340 ms"},
        {0.9994, "999 ms"},
        {0.9996, "1.0 s"},
        {3.42, "3.4 s"},
        {9.949, "9.9 s"},
        {9.96, "10 s"},
        {59.6, "60 s"},
        {95, "95 s"},
        {119.4, "119 s"},
        {119.6, "about 2 minutes"},
        {150, "about 3 minutes"},
        {3600, "about 60 minutes"},
        {7169, "about 119 minutes"},
        {7171, "about 2 hours"},
        {129600, "about 36 hours"},
        {47.6 * 3600, "about 2 days"},
        {86400 * 59.4, "about 59 days"},
        {86400 * 60.0, "about 2 months"},
        {YEAR, "about 12 months"},
        {5 * YEAR, "about 5 years"},
        {9999 * YEAR, "about 9999 years"},
        {10000 * YEAR, "about 10 thousand years"},
        {2e6 * YEAR, "about 2 million years"},
        {3.2e9 * YEAR, "about 3 billion years"},
        {13.7e9 * YEAR, "about 14 billion years"},
        {13.9e9 * YEAR, "longer than the age of the universe"},
        {1e300, "longer than the age of the universe"},
        {INFINITY, "forever"},
        {-1, "unknown"},
        {-INFINITY, "unknown"},
        {NAN, "unknown"},
    };
    char buffer[OPAC_QUANTITY_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(opac_duration_format(cases[i].seconds, buffer, sizeof buffer),
                            cases[i].words);
    assert_string_equal(opac_duration_format(129600, buffer, 8), "about 3"); /* cut */
}

/* Parses the text of a duration: its value in seconds, and its unit in the last place. */
static double said(const char *words, double *place)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3},
                 {"s", 1},
                 {"minutes", 60},
                 {"hours", 3600},
                 {"days", 86400},
                 {"months", YEAR / 12},
                 {"years", YEAR},
                 {"thousand years", 1e3 * YEAR},
                 {"million years", 1e6 * YEAR},
                 {"billion years", 1e9 * YEAR}};
    unsigned whole, tenths = 0;
    int used = 0;
    bool has_tenths = sscanf(words, "%u.%u %n", &whole, &tenths, &used) == 2;
    if (!has_tenths && sscanf(words, "%u %n", &whole, &used) != 1 &&
        sscanf(words, "about %u %n", &whole, &used) != 1)
        fail_msg("%s", words);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(words + used, units[i].name) == 0) {
            *place = units[i].seconds / (has_tenths ? 10 : 1);
            return (whole + tenths / 10.0) * units[i].seconds;
        }
    fail_msg("%s", words);
    return 0;
}

/*
 * The text is the nearest multiple of its unit, and is monotone: a longer duration never has a shorter
 * text, also at the boundary between two units, and one double before it.
 */
static void durations_are_rounded_within_their_unit(void **state)
{
    (void)state;
    static const double limits[] = {0.0005,          0.9995,           9.95,
                                    119.5,           119.5 * 60,       47.5 * 3600,
                                    59.5 * 86400,    23.5 * YEAR / 12, 9999.5 * YEAR,
                                    1999.5e3 * YEAR, 1999.5e6 * YEAR,  13.8e9 * YEAR};
    double before = 0;
    for (size_t i = 0; i + 1 < sizeof limits / sizeof limits[0]; i++)
        for (int j = 0; j < 5003; j++) {
            /* The limit and its neighbours, then evenly on to the next. */
            double seconds = j == 0   ? nextafter(limits[i], i == 0 ? 1 : 0)
                             : j == 1 ? limits[i]
                             : j == 2 ? nextafter(limits[i], INFINITY)
                                      : limits[i] + (limits[i + 1] - limits[i]) * (j - 2) / 5001;
            char words[OPAC_QUANTITY_SIZE];
            double place = 0,
                   value = said(opac_duration_format(seconds, words, sizeof words), &place);
            if (value < before * (1 - 1e-12) || fabs(value - seconds) > place * 0.5 * (1 + 1e-9))
                fail_msg("%.17g s: %s", seconds, words);
            if (strstr(words, "1000 ms") != NULL || strstr(words, "10.0 s") != NULL)
                fail_msg("%.17g s: %s", seconds, words);
            before = value;
        }
}

/* From the smallest to the largest double: always a text that fits, with a number that grows. */
static void every_duration_has_words(void **state)
{
    (void)state;
    double seconds = 1e-320;
    while (seconds < 1e307) {
        seconds *= 1.37;
        char buffer[200];
        size_t length = strlen(opac_duration_format(seconds, buffer, sizeof buffer));
        assert_in_range(length, 3, OPAC_QUANTITY_SIZE - 1);
        length = strlen(opac_quantity_format(-seconds, buffer, sizeof buffer));
        assert_in_range(length, 1, OPAC_QUANTITY_SIZE - 1);
        length = strlen(base_units_format(seconds, buffer, sizeof buffer));
        assert_in_range(length, 1, 8);
    }
}

static void counts(void **state)
{
    (void)state;
    static const struct {
        double count;
        const char *words, *units;
    } cases[] = {
        {0, "0", "0"},
        {-0.0, "0", "0"},
        {0.004, "0", "0"},
        {0.25, "0", "0.25"},
        {0.999, "1", "1"},
        {1, "1", "1"},
        {1.5, "2", "1.5"},
        {42, "42", "42"},
        {999, "999", "999"},
        {999.6, "1000", "1k"},
        {1500, "1500", "1.5k"},
        {71394, "71394", "71.4k"},
        {999999, "999999", "1M"},
        {1e6, "1e6", "1M"},
        {71394132, "7.14e7", "71.4M"},
        {3.43e9, "3.43e9", "3.43G"},
        {1.1e10, "1.1e10", "11G"},
        {9.994e9, "9.99e9", "9.99G"},
        {9.996e9, "1e10", "10G"},
        {13022289685559, "1.3e13", "13T"},
        {1.2e18, "1.2e18", "1.2E"},
        {18446744073709551615.0, "1.84e19", "18.4E"},
        {1e21, "1e21", "1e21"},
        {1.6e300, "1.6e300", "1.6e300"},
        {-5, "-5", "-5"},
        {-2.5e9, "-2.5e9", "-2.5e9"},
        {INFINITY, "infinite", "infinite"},
        {-INFINITY, "minus infinite", "minus infinite"},
        {NAN, "unknown", "unknown"},
    };
    char buffer[OPAC_QUANTITY_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(opac_quantity_format(cases[i].count, buffer, sizeof buffer),
                            cases[i].words);
        assert_string_equal(base_units_format(cases[i].count, buffer, sizeof buffer),
                            cases[i].units);
    }
}

/* The decimal point of the locale changes nothing. Skipped where no such locale is installed. */
static void locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && found == NULL; i++)
        found = setlocale(LC_ALL, names[i]);
    if (found == NULL)
        skip();
    durations(state);
    counts(state);
    setlocale(LC_ALL, "C");
}

SUITE(quantity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(durations_are_rounded_within_their_unit),
        cmocka_unit_test(every_duration_has_words),
        cmocka_unit_test(counts),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("base.quantity", tests, NULL, NULL);
}
