/* SPDX-License-Identifier: MIT */
/*
 * Enclosures: ends are neighbours around decimals of any length, doubles are themselves, and
 * operations on random fractions contain the fraction.
 */
#include "base/enclosure.h"

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
    return base_enclosure_parse(text, strlen(text));
}

static void decimals_lie_between_neighbours(void **state)
{
    (void)state;
    expect(read("0.5"), 0.5, 0.5);
    expect(read("5e-1"), 0.5, 0.5);
    expect(read("0.0005000000000000000000000000e+3"), 0.5, 0.5);
    expect(read("0.50000000000000000000001"), 0.5, nextafter(0.5, 1));
    expect(read(".49999999999999999999999"), nextafter(0.5, 0), 0.5);
    expect(read("1.0000000000000000000001"), 1, nextafter(1, 2));
    expect(read("0.9999999999999999999999"), nextafter(1, 0), 1);
    expect(read("12"), 12, 12);
    expect(read("1200.0e-2"), 12, 12);
    expect(read("0"), 0, 0);
    expect(read("0.000e5"), 0, 0);
    expect(read("0.1"), nextafter(0.1, 0), 0.1); /* the double is above */
    expect(read("0.3"), 0.3, nextafter(0.3, 1)); /* the double is below */
    expect(read("0.1000000000000000055511151231257827021181583404541015625"), 0.1, 0.1);
    expect(read("0.1000000000000000055511151231257827021181583404541015626"), 0.1,
           nextafter(0.1, 1));
    expect(read("4.9406564584124654e-324"), 0, 0x1p-1074);
}

static void other_texts_are_unknown(void **state)
{
    static const char *const texts[] = {"", "x", "-1", "+1", "1/3", "1e", "1e999", "0x1", "."};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (base_enclosure_is_known(read(texts[i])))
            fail_msg("'%s' is known", texts[i]);
}

static void operations_round_outwards(void **state)
{
    base_enclosure half = read("0.5"), tiny = read("1e-30"), one = read("1");
    (void)state;
    expect(base_enclosure_add(half, tiny), 0.5, nextafter(0.5, 1));
    expect(base_enclosure_add(half, base_enclosure_negate(tiny)), nextafter(0.5, 0), 0.5);
    expect(base_enclosure_add(half, half), 1, 1);
    expect(base_enclosure_divide(one, read("3")), 1.0 / 3, nextafter(1.0 / 3, 1));
    expect(base_enclosure_divide(base_enclosure_negate(one), read("3")), -nextafter(1.0 / 3, 1),
           -1.0 / 3);
    expect(base_enclosure_power(half, 3), 0.125, 0.125);
    expect(base_enclosure_power(half, -3), 8, 8);
    expect(base_enclosure_power(tiny, 0), 1, 1);
    expect(base_enclosure_multiply(tiny, read("0")), 0, 0);
    assert_false(base_enclosure_is_known(base_enclosure_divide(one, read("0"))));
    assert_false(base_enclosure_is_known(base_enclosure_power(read("10"), 400)));
    assert_false(base_enclosure_is_known(
        base_enclosure_divide(one, base_enclosure_add(tiny, base_enclosure_negate(tiny)))));
}

/* The ends, which are doubles with few bits, beside a fraction. */
static void contains(base_enclosure found, base_ratio ratio)
{
    long double value = (long double)ratio.numerator / (long double)ratio.denominator;
    if (!(found.low <= value && value <= found.high) ||
        found.high - found.low > 1e-14 * (1 + fabs(found.low)))
        fail_msg("%lld/%lld is not in (%.17g, %.17g)", (long long)ratio.numerator,
                 (long long)ratio.denominator, found.low, found.high);
}

static void operations_contain_the_result(void **state)
{
    uint64_t random = random_seed(3);
    (void)state;
    for (int i = 0; i < 3000; i++) {
        base_ratio a = base_ratio_of((int64_t)random_below(&random, 2001) - 1000,
                                     1 + random_below(&random, 1000));
        base_ratio b =
            base_ratio_of(1 + random_below(&random, 1000), 1 + random_below(&random, 1000));
        base_enclosure x = base_enclosure_of_ratio(a), y = base_enclosure_of_ratio(b);
        contains(x, a);
        contains(base_enclosure_add(x, y), base_ratio_add(a, b));
        contains(base_enclosure_negate(x), base_ratio_subtract(base_ratio_of_integer(0), a));
        contains(base_enclosure_multiply(x, base_enclosure_negate(y)),
                 base_ratio_subtract(base_ratio_of_integer(0), base_ratio_multiply(a, b)));
        base_enclosure quotient = base_enclosure_divide(x, y);
        base_ratio exact = base_ratio_divide(a, b);
        assert_true(quotient.low <= base_ratio_to_double(exact));
        assert_true(quotient.high >= base_ratio_to_double(exact));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_lie_between_neighbours),
        cmocka_unit_test(other_texts_are_unknown),
        cmocka_unit_test(operations_round_outwards),
        cmocka_unit_test(operations_contain_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
