/* SPDX-License-Identifier: MIT */
/*
 * Fractions of 64-bit integers, compared with 128-bit arithmetic: a result is exact, in lowest terms, and
 * unknown only if it does not fit.
 */
#include <math.h>

#include "base/ratio.h"
#include "support/check.h"
#include "support/random.h"

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 wide;

static uint64_t random_state;

/* Often at the edges, often small, sometimes with many common factors. */
static int64_t draw_integer(void)
{
    static const int64_t edges[] = {0,
                                    1,
                                    -1,
                                    2,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MAX - 1,
                                    INT64_MIN + 1,
                                    INT64_C(1) << 53,
                                    (INT64_C(1) << 53) + 1,
                                    INT64_C(1) << 62,
                                    INT64_C(1000000000000000000),
                                    INT64_C(6469693230),
                                    INT64_C(3037000500)};
    uint32_t kind = random_below(&random_state, 4);
    if (kind == 0)
        return edges[random_below(&random_state, sizeof edges / sizeof *edges)];
    uint64_t bits = random_u64(&random_state) >> random_below(&random_state, 64);
    if (kind == 1)
        bits = bits / 720720 * 720720;
    return (int64_t)(random_below(&random_state, 2) ? UINT64_C(0) - bits : bits);
}

static wide magnitude(wide value)
{
    return value < 0 ? -value : value;
}

/* numerator / denominator in lowest terms, or unknown. */
static base_ratio reduce(wide numerator, wide denominator)
{
    if (denominator == 0)
        return (base_ratio){0, 0};
    wide a = magnitude(numerator), b = magnitude(denominator);
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= denominator < 0 ? -a : a;
    denominator = magnitude(denominator) / a;
    if (numerator > INT64_MAX || numerator < INT64_MIN || denominator > INT64_MAX)
        return (base_ratio){0, 0};
    return (base_ratio){(int64_t)numerator, (int64_t)denominator};
}

static void assert_same(base_ratio found, base_ratio expected, const char *what)
{
    char buffer[2][BASE_RATIO_SIZE];
    if (found.numerator != expected.numerator || found.denominator != expected.denominator)
        fail_msg("%s: %s, not %s", what, base_ratio_format(found, buffer[0]),
                 base_ratio_format(expected, buffer[1]));
}

static base_ratio draw_ratio(void)
{
    base_ratio ratio;
    do {
        ratio = base_ratio_of(draw_integer(), draw_integer());
    } while (!base_ratio_is_known(ratio));
    return ratio;
}

static void test_of(void **state)
{
    (void)state;
    random_state = random_seed(1);
    for (int round = 0; round < 100000; round++) {
        int64_t numerator = draw_integer(), denominator = draw_integer();
        assert_same(base_ratio_of(numerator, denominator), reduce(numerator, denominator), "of");
    }
}

static void test_arithmetic(void **state)
{
    (void)state;
    random_state = random_seed(2);
    unsigned known = 0;
    for (int round = 0; round < 200000; round++) {
        base_ratio a = draw_ratio(), b = draw_ratio();
        if (random_below(&random_state, 3) == 0) /* denominators that have much in common */
            b = base_ratio_of(draw_integer(), a.denominator);
        if (!base_ratio_is_known(b))
            continue;
        wide an = a.numerator, ad = a.denominator, bn = b.numerator, bd = b.denominator;
        assert_same(base_ratio_add(a, b), reduce(an * bd + bn * ad, ad * bd), "+");
        assert_same(base_ratio_subtract(a, b), reduce(an * bd - bn * ad, ad * bd), "-");
        assert_same(base_ratio_multiply(a, b), reduce(an * bn, ad * bd), "*");
        assert_same(base_ratio_divide(a, b), reduce(an * bd, ad * bn), "/");
        int order = (an * bd > bn * ad) - (an * bd < bn * ad);
        assert_int_equal(base_ratio_compare(a, b), order);
        known += base_ratio_is_known(base_ratio_add(a, b));
    }
    assert_true(known > 20000);
}

static void test_power(void **state)
{
    (void)state;
    random_state = random_seed(3);
    for (int round = 0; round < 20000; round++) {
        base_ratio a = base_ratio_of((int64_t)random_below(&random_state, 13) - 6,
                                     1 + (int64_t)random_below(&random_state, 6));
        int64_t exponent = (int64_t)random_below(&random_state, 140) - 70;
        base_ratio expected = {1, 1};
        for (int64_t i = 0; i < (exponent < 0 ? -exponent : exponent); i++)
            expected =
                exponent < 0 ? base_ratio_divide(expected, a) : base_ratio_multiply(expected, a);
        assert_same(base_ratio_power(a, exponent), expected, "^");
    }
    assert_same(base_ratio_power(base_ratio_of_integer(-1), INT64_MIN), base_ratio_of_integer(1),
                "^");
    assert_same(base_ratio_power(base_ratio_of_integer(2), INT64_MAX), (base_ratio){0, 0}, "^");
    assert_same(base_ratio_power(base_ratio_of_integer(-2), 63), base_ratio_of_integer(INT64_MIN),
                "^");
    assert_same(base_ratio_power(base_ratio_of_integer(0), 0), base_ratio_of_integer(1), "^");
}

/* The sign of n/d - middle · 2^power, for n, d > 0; all of it fits in 127 bits. */
static int compare_scaled(wide n, wide d, wide middle, int power)
{
    wide left = n, right = middle * d;
    if (power < 0)
        left <<= -power;
    else
        right <<= power;
    return (left > right) - (left < right);
}

/* The value lies between the middles to its neighbours; at one, it is even. */
static void assert_nearest(base_ratio ratio)
{
    double value = base_ratio_to_double(ratio);
    if (ratio.numerator == 0) {
        assert_true(value == 0);
        return;
    }
    assert_true((value < 0) == (ratio.numerator < 0));
    int exponent;
    int64_t mantissa = (int64_t)ldexp(frexp(fabs(value), &exponent), 53);
    exponent -= 53;
    wide n = magnitude(ratio.numerator), d = ratio.denominator;
    int up = compare_scaled(n, d, (wide)2 * mantissa + 1, exponent - 1);
    /* Below a power of two the neighbour is nearer: four times, to stay whole. */
    int down = mantissa == INT64_C(1) << 52
                   ? compare_scaled(n, d, (wide)4 * mantissa - 1, exponent - 2)
                   : compare_scaled(n, d, (wide)2 * mantissa - 1, exponent - 1);
    bool is_even = mantissa % 2 == 0;
    if (up > 0 || down < 0 || (!is_even && (up == 0 || down == 0)))
        fail_msg("%lld/%lld is not nearest to %a", (long long)ratio.numerator,
                 (long long)ratio.denominator, value);
}

static void test_to_double(void **state)
{
    (void)state;
    random_state = random_seed(4);
    for (int round = 0; round < 300000; round++)
        assert_nearest(draw_ratio());
    /* Close to the middle of two doubles: (2m + 1) / 2^k, and a bit beside it. */
    for (int round = 0; round < 100000; round++) {
        int64_t middle = (int64_t)(UINT64_C(1) << 53 | random_u64(&random_state) >> 11) * 2 + 1;
        middle += (int64_t)random_below(&random_state, 3) - 1;
        assert_nearest(base_ratio_of(middle, INT64_C(1) << random_below(&random_state, 63)));
        assert_nearest(base_ratio_of(middle, (INT64_C(1) << 62) +
                                                 (int64_t)random_below(&random_state, 3) - 1));
    }
}

/* ---- text ---- */

static void test_round_trip(void **state)
{
    (void)state;
    random_state = random_seed(5);
    for (int round = 0; round < 50000; round++) {
        char buffer[BASE_RATIO_SIZE];
        base_ratio ratio = draw_ratio();
        base_ratio_format(ratio, buffer);
        assert_same(base_ratio_parse(buffer, strlen(buffer)), ratio, buffer);
    }
}

/* Decimals from digits and a power of ten, against products of 128 bits. */
static void test_decimals(void **state)
{
    (void)state;
    random_state = random_seed(6);
    for (int round = 0; round < 50000; round++) {
        uint64_t digits = random_u64(&random_state) >> (1 + random_below(&random_state, 63));
        int power = (int)random_below(&random_state, 37) - 18;
        int behind = (int)random_below(&random_state, 10);
        char text[100], plain[40];
        snprintf(plain, sizeof plain, "%llu", (unsigned long long)digits);
        int before = (int)strlen(plain) > behind ? (int)strlen(plain) - behind : 0;
        behind = (int)strlen(plain) - before;
        snprintf(text, sizeof text, "-%.*s.%s000e%d", before, plain, plain + before,
                 power + behind);
        wide scale = 1;
        for (int i = 0; i < (power < 0 ? -power : power); i++)
            scale *= 10;
        base_ratio expected =
            power < 0 ? reduce(-(wide)digits, scale) : reduce(-(wide)digits * scale, 1);
        assert_same(base_ratio_parse(text, strlen(text)), expected, text);
    }
}
#endif

typedef struct example {
    const char *text;
    base_ratio ratio;
} example;

static void test_texts(void **state)
{
    (void)state;
    static const example examples[] = {
        {"0", {0, 1}},
        {"-0", {0, 1}},
        {"0e9999", {0, 1}},
        {"0.1", {1, 10}},
        {".25", {1, 4}},
        {"5.", {5, 1}},
        {"1e3", {1000, 1}},
        {"1E+3", {1000, 1}},
        {"2.50e-1", {1, 4}},
        {"1/3", {1, 3}},
        {"-2/6", {-1, 3}},
        {"0.5/1.5", {1, 3}},
        {"9223372036854775807", {INT64_MAX, 1}},
        {"-9223372036854775808", {INT64_MIN, 1}},
        {"9223372036854775808", {0, 0}},
        {"9223372036854775807/9223372036854775807", {1, 1}},
        {"100000000000000000000000e-23", {1, 1}},
        {"0.00000000000000000000000001e26", {1, 1}},
        {"5e-19", {1, INT64_C(2000000000000000000)}},
        {"1e-18", {1, INT64_C(1000000000000000000)}},
        {"1e-19", {0, 0}},
        {"1e19", {0, 0}},
        {"0.50000000000000000000000000000000000000000", {1, 2}},
        {"1/0", {0, 0}},
        {"", {0, 0}},
        {"-", {0, 0}},
        {".", {0, 0}},
        {"e5", {0, 0}},
        {"1e", {0, 0}},
        {"1e-", {0, 0}},
        {"1x", {0, 0}},
        {"1/3/5", {0, 0}},
        {"1/", {0, 0}},
        {"/3", {0, 0}},
        {" 1", {0, 0}},
        {"+1", {0, 0}},
        {"1e99999999999", {0, 0}},
        {"1e-99999999999", {0, 0}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        base_ratio found = base_ratio_parse(examples[i].text, strlen(examples[i].text));
        if (found.numerator != examples[i].ratio.numerator ||
            found.denominator != examples[i].ratio.denominator)
            fail_msg("'%s': %lld/%lld", examples[i].text, (long long)found.numerator,
                     (long long)found.denominator);
    }
    char buffer[BASE_RATIO_SIZE];
    assert_string_equal(base_ratio_format(base_ratio_of(1, -3), buffer), "-1/3");
    assert_string_equal(base_ratio_format(base_ratio_of(6, 3), buffer), "2");
    assert_string_equal(base_ratio_format((base_ratio){INT64_MIN, INT64_MAX}, buffer),
                        "-9223372036854775808/9223372036854775807");
}

static void test_unknown(void **state)
{
    (void)state;
    base_ratio none = {0, 0}, one = {1, 1};
    assert_false(base_ratio_is_known(none));
    assert_false(base_ratio_is_known(base_ratio_add(none, one)));
    assert_false(base_ratio_is_known(base_ratio_add(one, none)));
    assert_false(base_ratio_is_known(base_ratio_subtract(none, one)));
    assert_false(base_ratio_is_known(base_ratio_multiply(one, none)));
    assert_false(base_ratio_is_known(base_ratio_divide(none, one)));
    assert_false(base_ratio_is_known(base_ratio_divide(one, base_ratio_of_integer(0))));
    assert_false(base_ratio_is_known(base_ratio_power(none, 0)));
    assert_false(base_ratio_is_known(base_ratio_power(base_ratio_of_integer(0), -1)));
}

SUITE(ratio)
{
    const struct CMUnitTest tests[] = {
#if defined(__SIZEOF_INT128__)
        cmocka_unit_test(test_of),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_to_double),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_decimals),
#endif
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
