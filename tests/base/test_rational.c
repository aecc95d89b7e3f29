/* SPDX-License-Identifier: MIT */
/* Fractions of any size, compared with doubles, which are fractions, and with fractions of 64-bit integers.
 * */
#include <float.h>
#include <math.h>

#include "base/alloc.h"
#include "base/rational.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"
#include "support/rational.h"

#if defined(OMEGAPAC_HAVE_GMP)
#include "base/rational_gmp.h"

static void keep(base_rational *rational, mpq_srcptr value)
{
    opac_error error = {0};
    assert_ok(base_rational_keep(rational, value, &error), &error);
}
#endif

static base_rational *make(void)
{
    opac_error error;
    base_rational *rational;
    assert_ok(base_rational_new(&rational, &error), &error);
    return rational;
}

static void assert_text(const base_rational *rational, const char *expected)
{
    opac_error error;
    char *text;
    assert_ok(base_rational_format(rational, &text, &error), &error);
    assert_string_equal(text, expected);
    base_free(text);
}

static void test_without_gmp(void **state)
{
    (void)state;
    if (base_rational_available())
        skip();
    opac_error error;
    base_rational *rational;
    assert_status(base_rational_new(&rational, &error), OPAC_ERROR_UNSUPPORTED);
    assert_null(rational);
    assert_string_equal(error.message,
                        "exact arithmetic is not available: this build does not include GMP");
    base_rational_free(rational);
}

static void test_ratios(void **state)
{
    (void)state;
    static const struct {
        base_ratio ratio;
        const char *text, *complement;
    } cases[] = {
        {{13, 120}, "13/120", "107/120"},
        {{0, 1}, "0", "1"},
        {{1, 1}, "1", "0"},
        {{-7, 3}, "-7/3", "10/3"},
        {{6, 4}, "3/2", "-1/2"},
        {{INT64_MAX, 2}, "9223372036854775807/2", "-9223372036854775805/2"},
        {{INT64_MIN, 1}, "-9223372036854775808", "9223372036854775809"},
        {{INT64_MIN, INT64_MAX},
         "-9223372036854775808/9223372036854775807",
         "18446744073709551615/9223372036854775807"},
        {{1, INT64_MAX}, "1/9223372036854775807", "9223372036854775806/9223372036854775807"},
    };
    if (!base_rational_available())
        skip();
    base_rational *rational = make(), *copy = make();
    assert_text(rational, "0");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rational_set_ratio(rational, cases[i].ratio);
        assert_text(rational, cases[i].text);
        rational_set(copy, rational);
        rational_complement(rational);
        assert_text(rational, cases[i].complement);
        assert_text(copy, cases[i].text);
        rational_complement(rational);
        assert_int_equal(rational_compare(rational, copy), 0);
    }
    base_rational_free(rational);
    base_rational_free(copy);
    base_rational_free(NULL);
}

static void test_order(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(501);
    base_rational *a = make(), *b = make();
    for (int i = 0; i < 20000; i++) {
        base_ratio left = base_ratio_of((int64_t)random_u64(&random), 1 + random_below(&random, 9));
        base_ratio right =
            base_ratio_of((int64_t)random_below(&random, 40) - 20, 1 + random_below(&random, 9));
        if (random_below(&random, 2))
            left = base_ratio_of((int64_t)random_below(&random, 40) - 20,
                                 1 + random_below(&random, 9));
        rational_set_ratio(a, left);
        rational_set_ratio(b, right);
        assert_int_equal(rational_compare(a, b), base_ratio_compare(left, right));
        assert_int_equal(rational_compare(b, a), base_ratio_compare(right, left));
    }
    base_rational_free(a);
    base_rational_free(b);
}

/* value is the nearest of the two, and the two are next to each other around the number. */
static void assert_encloses(const base_rational *number, base_rational *scratch)
{
    double value, lower, upper;
    rational_to_double(number, &value, &lower, &upper);
    assert_true(value == lower || value == upper);
    assert_true(lower < HUGE_VAL);
    assert_true(upper > -HUGE_VAL);
    assert_true(lower == upper || nextafter(lower, HUGE_VAL) == upper);
    if (isfinite(lower)) {
        rational_set_double(scratch, lower);
        int order = rational_compare(scratch, number);
        assert_true(order <= 0);
        assert_true((order == 0) == (lower == upper));
    }
    if (isfinite(upper)) {
        rational_set_double(scratch, upper);
        assert_true(rational_compare(scratch, number) >= 0);
    }
}

/* Often next to where the exponent or the kind of number changes. */
static double draw_double(uint64_t *random)
{
    static const double edges[] = {
        0,       0x1p-1074, 0x3p-1074, DBL_MIN, DBL_MIN - 0x1p-1074, DBL_MAX, 1,
        0x1p-53, 0x1p53,    0x1p971,   0.1,     0x1.fffffffffffffp-1};
    if (random_below(random, 3) == 0) {
        double edge = edges[random_below(random, sizeof edges / sizeof *edges)];
        return random_below(random, 2) ? edge : -edge;
    }
    double value;
    do {
        uint64_t bits = random_u64(random);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void test_doubles_are_fractions(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(502);
    base_rational *number = make(), *scratch = make();
    for (int i = 0; i < 20000; i++) {
        double drawn = draw_double(&random), value, lower, upper;
        rational_set_double(number, drawn);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == drawn);
        assert_true(lower == drawn);
        assert_true(upper == drawn);
        /* 1 - drawn is rarely a double; the processor computes the nearest one. */
        rational_complement(number);
        assert_encloses(number, scratch);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == 1 - drawn);
    }
    base_rational_free(number);
    base_rational_free(scratch);
}

static void test_ratios_to_doubles(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(503);
    base_rational *number = make(), *scratch = make();
    for (int i = 0; i < 20000; i++) {
        int64_t top = (int64_t)(random_u64(&random) >> random_below(&random, 63));
        int64_t bottom = (int64_t)(random_u64(&random) >> (1 + random_below(&random, 62)));
        base_ratio ratio = base_ratio_of(top, bottom);
        if (!base_ratio_is_known(ratio))
            continue;
        double value, lower, upper;
        rational_set_ratio(number, ratio);
        assert_encloses(number, scratch);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == base_ratio_to_double(ratio));
    }
    base_rational_free(number);
    base_rational_free(scratch);
}

/* The machine rounds products and quotients to the nearest, denormals and beyond all included. */
static void test_products(void **state)
{
    (void)state;
#if defined(OMEGAPAC_HAVE_GMP) && FLT_EVAL_METHOD == 0
    uint64_t random = random_seed(504);
    base_rational *number = make(), *scratch = make();
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    for (int i = 0; i < 40000; i++) {
        double a = draw_double(&random), b = draw_double(&random), value, lower, upper;
        if (a != 0 && b != 0 &&
            random_below(&random, 2)) /* near the least and the largest numbers */
            b = ldexp(b, (random_below(&random, 2) ? 1023 : -1074) - ilogb(a) - ilogb(b));
        if (b == 0 || !isfinite(b))
            continue;
        bool divide = random_below(&random, 2);
        mpq_set_d(right, b);
        mpq_set_d(left, a);
        (divide ? mpq_div : mpq_mul)(left, left, right);
        keep(number, left);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == (divide ? a / b : a * b));
        assert_encloses(number, scratch);
    }
    mpq_clears(left, right, NULL);
    base_rational_free(number);
    base_rational_free(scratch);
#else
    skip();
#endif
}

/* Half-way between two doubles, and a little beside it. */
static void test_ties(void **state)
{
    (void)state;
#if defined(OMEGAPAC_HAVE_GMP)
    uint64_t random = random_seed(505);
    base_rational *number = make();
    mpq_t beside, sum, other;
    mpq_inits(beside, sum, other, NULL);
    mpq_set_ui(beside, 1, 1);
    mpq_div_2exp(beside, beside, 2000);
    for (int i = 0; i < 3000; i++) {
        double low = fabs(draw_double(&random)), high = nextafter(low, HUGE_VAL);
        double value, lower, upper;
        mpq_set_d(other, low == DBL_MAX ? 0x1p1023 : high);
        mpq_mul_2exp(other, other, low == DBL_MAX);
        mpq_set_d(sum, low);
        mpq_add(sum, sum, other);
        mpq_div_2exp(sum, sum, 1);
        keep(number, sum);
        uint64_t bits;
        memcpy(&bits, &low, sizeof bits);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(lower == low);
        assert_true(upper == high);
        assert_true(value == (bits % 2 == 0 ? low : high));
        mpq_sub(sum, sum, beside);
        keep(number, sum);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == low);
        assert_true(lower == low);
        assert_true(upper == high);
        mpq_add(sum, sum, beside);
        mpq_add(sum, sum, beside);
        mpq_neg(sum, sum);
        keep(number, sum);
        rational_to_double(number, &value, &lower, &upper);
        assert_true(value == -high);
        assert_true(lower == -high);
        assert_true(upper == -low);
    }
    mpq_clears(beside, sum, other, NULL);
    base_rational_free(number);
#else
    skip();
#endif
}

/* Far outside the range of doubles. */
static void test_beyond_doubles(void **state)
{
    (void)state;
#if defined(OMEGAPAC_HAVE_GMP)
    base_rational *number = make();
    double value, lower, upper;
    mpq_t exact;
    mpq_init(exact);
    mpq_set_ui(exact, 5, 3);
    mpq_mul_2exp(exact, exact, 5000);
    keep(number, exact);
    rational_to_double(number, &value, &lower, &upper);
    assert_true(value == HUGE_VAL);
    assert_true(lower == DBL_MAX);
    assert_true(upper == HUGE_VAL);
    mpq_neg(exact, exact);
    keep(number, exact);
    rational_to_double(number, &value, &lower, &upper);
    assert_true(value == -HUGE_VAL);
    assert_true(lower == -HUGE_VAL);
    assert_true(upper == -DBL_MAX);
    mpq_div_2exp(exact, exact, 10000);
    keep(number, exact);
    rational_to_double(number, &value, &lower, &upper);
    assert_true(value == 0);
    assert_true(lower == -0x1p-1074);
    assert_true(upper == 0);
    mpq_clear(exact);
    base_rational_free(number);
#else
    skip();
#endif
}

/* All operations; GMP's own memory fails, too. */
static opac_status use_once(void *context, opac_error *error)
{
    (void)context;
    base_rational *a = NULL, *b = NULL;
    char *text = NULL;
    double value, lower, upper;
    int order;
    opac_status status = base_rational_new(&a, error);
    if (status == OPAC_OK)
        status = base_rational_new(&b, error);
    if (status == OPAC_OK)
        status = base_rational_set_ratio(a, (base_ratio){1, 3}, error);
    if (status == OPAC_OK)
        status = base_rational_set_double(b, 0x1p-1074, error);
    if (status == OPAC_OK)
        status = base_rational_complement(b, error);
    if (status == OPAC_OK)
        status = base_rational_compare(a, b, &order, error);
    if (status == OPAC_OK)
        status = base_rational_to_double(b, &value, &lower, &upper, error);
    if (status == OPAC_OK)
        status = base_rational_format(b, &text, error);
    if (status == OPAC_OK)
        status = base_rational_set(a, b, error);
    base_free(text);
    base_rational_free(a);
    base_rational_free(b);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    assert_in_range(faults_sweep(use_once, NULL), 15, 60);
}

SUITE(rational)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_gmp),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_doubles_are_fractions),
        cmocka_unit_test(test_ratios_to_doubles),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_beyond_doubles),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
