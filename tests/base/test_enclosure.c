/* SPDX-License-Identifier: MIT */
/* Enclosures: ends are neighbours around decimals of any length, and doubles are themselves. */
#include "base/enclosure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

static void expect(base_enclosure found, double low, double high)
{
    if (found.low != low || found.high != high)
        fail_msg("(%.17g, %.17g), not (%.17g, %.17g)", found.low, found.high, low, high);
}

static base_enclosure read(const char *text)
{
    base_big number;
    assert_true(base_big_parse(text, strlen(text), &number));
    return base_enclosure_of_big(&number);
}

static void decimals_lie_between_neighbours(void **state)
{
    (void)state;
    expect(read("0.5"), 0.5, 0.5);
    expect(read("0.0005000000000000000000000000e+3"), 0.5, 0.5);
    expect(read("0.50000000000000000000001"), 0.5, nextafter(0.5, 1));
    expect(read(".49999999999999999999999"), nextafter(0.5, 0), 0.5);
    expect(read("1.0000000000000000000001"), 1, nextafter(1, 2));
    expect(read("0.9999999999999999999999"), nextafter(1, 0), 1);
    expect(read("1200.0e-2"), 12, 12);
    expect(read("0.000e5"), 0, 0);
    expect(read("0.1"), nextafter(0.1, 0), 0.1); /* the double is above */
    expect(read("0.3"), 0.3, nextafter(0.3, 1)); /* the double is below */
    expect(read("0.1000000000000000055511151231257827021181583404541015625"), 0.1, 0.1);
    expect(read("0.1000000000000000055511151231257827021181583404541015626"), 0.1,
           nextafter(0.1, 1));
    expect(read("9007199254740993"), 9007199254740992, 9007199254740994);
    expect(read("18446744073709551615"), 18446744073709549568.0, 18446744073709551616.0);
    expect(read("1e-320"), 0, DBL_MIN);
    expect(read("1e320"), DBL_MAX, INFINITY);
}

static void fractions_lie_between_neighbours(void **state)
{
    uint64_t random = random_seed(3);
    (void)state;
    for (int i = 0; i < 20000; i++) {
        base_ratio a = base_ratio_of((int64_t)random_below(&random, 2001) - 1000,
                                     1 + random_below(&random, 1000));
        base_enclosure found = base_enclosure_of_ratio(a);
        long double value = (long double)a.numerator / (long double)a.denominator;
        assert_true(found.low <= value);
        assert_true(value <= found.high);
        assert_true(found.high == found.low || found.high == nextafter(found.low, INFINITY));
        uint64_t denominator = (uint64_t)a.denominator; /* in lowest terms */
        assert_int_equal(found.high == found.low, (denominator & (denominator - 1)) == 0);
    }
}

SUITE(enclosure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_lie_between_neighbours),
        cmocka_unit_test(fractions_lie_between_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
