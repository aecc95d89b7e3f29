/* SPDX-License-Identifier: MIT */
/* Durations and counts in words, at all magnitudes. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(every_duration_has_words),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests_name("base.quantity", tests, NULL, NULL);
}
