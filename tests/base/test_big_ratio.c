/* SPDX-License-Identifier: MIT */
/* Long fractions: compared with base_ratio where that is exact, else tested by algebraic laws and examples.
 * */
#include "base/big_ratio.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

enum {
    ROUNDS = 3000
};

static base_big parse(const char *text)
{
    base_big result;
    assert_true(base_big_parse(text, strlen(text), &result));
    return result;
}

static base_ratio draw(uint64_t *random)
{
    uint64_t top = random_u64(random) >> (1 + random_below(random, 62));
    uint64_t bottom = 1 + (random_u64(random) >> (1 + random_below(random, 62)));
    return base_ratio_of(random_below(random, 2) ? -(int64_t)top : (int64_t)top, (int64_t)bottom);
}

static void assert_same(const base_big *found, base_ratio expected)
{
    base_ratio ratio = base_big_to_ratio(found);
    if (!base_ratio_is_known(expected)) { /* it did not fit there */
        assert_false(base_ratio_is_known(ratio));
        return;
    }
    assert_true(ratio.numerator == expected.numerator);
    assert_true(ratio.denominator == expected.denominator);
}

static void short_ones_agree(void **state)
{
    uint64_t random = random_seed(1);
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        base_ratio a = draw(&random), b = draw(&random);
        base_big left, right, result;
        base_big_of_ratio(a, &left);
        base_big_of_ratio(b, &right);
        assert_true(base_big_add(&left, &right, &result));
        assert_same(&result, base_ratio_add(a, b));
        assert_true(base_big_subtract(&left, &right, &result));
        assert_same(&result, base_ratio_subtract(a, b));
        assert_true(base_big_multiply(&left, &right, &result));
        assert_same(&result, base_ratio_multiply(a, b));
        assert_int_equal(base_big_compare(&left, &right), base_ratio_compare(a, b));
        if (b.numerator != 0) {
            assert_true(base_big_divide(&left, &right, &result));
            assert_same(&result, base_ratio_divide(a, b));
        }
    }
}

/* (a + b) - b and (a · b) / b equal a, also for long fractions. */
static void long_ones_obey_laws(void **state)
{
    uint64_t random = random_seed(2);
    (void)state;
    for (int i = 0; i < ROUNDS / 10; i++) {
        base_big a, b, result;
        base_big_of_ratio(draw(&random), &a);
        base_big_of_ratio(base_ratio_of(1 + (int64_t)random_below(&random, 1000), 997), &b);
        for (int k = 0; k < 6; k++) {
            base_big factor;
            base_big_of_ratio(draw(&random), &factor);
            if (base_big_sign(&factor) != 0)
                assert_true(base_big_multiply(&b, &factor, &b));
        }
        assert_true(base_big_add(&a, &b, &result));
        assert_true(base_big_subtract(&result, &b, &result));
        assert_int_equal(base_big_compare(&result, &a), 0);
        assert_true(base_big_multiply(&a, &b, &result));
        assert_true(base_big_divide(&result, &b, &result));
        assert_int_equal(base_big_compare(&result, &a), 0);
        assert_int_equal(result.top.count, a.top.count); /* in lowest terms */
    }
}

static void doubles_are_the_nearest(void **state)
{
    uint64_t random = random_seed(3);
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        base_ratio ratio = draw(&random);
        base_big big;
        int exponent;
        if (ratio.numerator <= 0)
            continue;
        base_big_of_ratio(ratio, &big);
        uint64_t quotient = base_big_quotient(&big, &exponent);
        assert_true(ldexp((double)quotient, exponent) == base_ratio_to_double(ratio));
    }
}

static void texts(void **state)
{
    base_big a, b, result;
    (void)state;
    a = parse("0.99999999999999999999");
    b = parse("1e-20");
    assert_true(base_big_add(&a, &b, &result));
    assert_same(&result, base_ratio_of_integer(1));
    a = parse("-1e-300/1e-301");
    assert_same(&a, base_ratio_of_integer(-10));
    a = parse("0.000e9999999999");
    assert_int_equal(base_big_sign(&a), 0);
    static const char *const bad[] = {"", ".", "1e", "x", "1/0", "1e691", "1e-691", "1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(base_big_parse(bad[i], strlen(bad[i]), &a));
}

static void overflow_is_reported(void **state)
{
    base_big a = parse("1e-600");
    (void)state;
    assert_false(base_big_multiply(&a, &a, &a));
}

static void floors(void **state)
{
    static const struct {
        const char *text;
        int64_t whole;
        bool is_whole, is_half;
    } cases[] = {{"29", 29, true, false},    {"2.5", 2, false, true},
                 {"2.4", 2, false, false},   {"-2.5", -3, false, true},
                 {"-2.6", -3, false, false}, {"-2.4", -3, false, true},
                 {"-3", -3, true, false},    {"0.5", 0, false, true},
                 {"0.1", 0, false, false},   {"28.99999999999999999999", 28, false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        base_big a = parse(cases[i].text);
        int64_t whole;
        bool is_whole, is_half;
        assert_true(base_big_floor(&a, &whole, &is_whole, &is_half));
        assert_true(whole == cases[i].whole);
        assert_int_equal(is_whole, cases[i].is_whole);
        assert_int_equal(is_half, cases[i].is_half);
    }
    base_big large = parse("1e30");
    int64_t whole;
    bool unused;
    assert_false(base_big_floor(&large, &whole, &unused, &unused));
}

SUITE(big_ratio)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ones_agree),        cmocka_unit_test(long_ones_obey_laws),
        cmocka_unit_test(doubles_are_the_nearest), cmocka_unit_test(texts),
        cmocka_unit_test(overflow_is_reported),    cmocka_unit_test(floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
