/* SPDX-License-Identifier: MIT */
/* Double-double arithmetic: exact identities, and logarithms pinned from 80 digits. */
#include <math.h>

#include "base/double_double.h"
#include "stat/rng.h"
#include "support/check.h"
#include "support/random.h"

/* |a - b| <= bound · |b|, computed in double-double itself. */
static void assert_near(base_dd a, base_dd b, double bound)
{
    base_dd difference = base_dd_subtract(a, b);
    if (!(fabs(difference.high) <= bound * fabs(b.high)))
        fail_msg("%a + %a is not %a + %a", a.high, a.low, b.high, b.low);
}

static base_dd random_dd(stat_rng *rng)
{
    double high = stat_rng_open(rng) + 0.5;
    return base_dd_add(base_dd_of(high), base_dd_of((stat_rng_open(rng) - 0.5) * 0x1p-53));
}

static void operations_invert_each_other(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(31), 0);
    for (int i = 0; i < 20000; i++) {
        base_dd a = random_dd(&rng), b = random_dd(&rng);
        assert_near(base_dd_multiply(base_dd_divide(a, b), b), a, 1e-31);
        assert_near(base_dd_subtract(base_dd_add(a, b), b), a, 1e-31);
        base_dd root = base_dd_sqrt(a);
        assert_near(base_dd_multiply(root, root), a, 1e-31);
        base_dd sum = base_dd_add(base_dd_log(a), base_dd_log(b));
        base_dd difference = base_dd_subtract(sum, base_dd_log(base_dd_multiply(a, b)));
        assert_true(fabs(difference.high) < 1e-31);
        assert_true(a.high + a.low == a.high);
    }
}

/* A quotient that is an integer must be exact: else its ceiling would be one too large. */
static void whole_quotients_are_exact(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(32), 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t whole = stat_rng_next(&rng) >> stat_rng_below(&rng, 63);
        double divisor = ldexp((double)(stat_rng_next(&rng) >> 24 | 1), -40);
        base_dd product = base_dd_multiply(base_dd_of_u64(whole), base_dd_of(divisor));
        uint64_t found;
        assert_true(base_dd_ceiling(base_dd_divide(product, base_dd_of(divisor)), &found));
        assert_true(found == whole);
    }
}

static void logarithms_and_roots(void **state)
{
    (void)state;
    static const struct {
        double x;
        base_dd log;
    } logs[] = {
        {0x1.999999999999ap-4, {-0x1.26bb1bbb55515p+1, -0x1.8b752b6b15c17p-53}},
        {0x1.0000000000000p-1, {-0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56}},
        {0x1.6666666666666p-1, {-0x1.6d3c324e13f50p-2, 0x1.641052af5fd8dp-58}},
        {0x1.6b851eb851eb8p-1, {-0x1.5eb5c7907e4cap-2, 0x1.1969a08e5cda6p-56}},
        {0x1.0000000000001p+0, {0x1.fffffffffffffp-53, 0x1.5555555555554p-158}},
        {0x1.8000000000000p+1, {0x1.193ea7aad030bp+0, -0x1.a256f99caabebp-54}},
        {0x1.7e43c8800759cp+996, {0x1.5963447f87fb5p+9, 0x1.abccc0710fcd4p-46}},
        {0x0.0000000000001p-1022, {-0x1.74385446d71c3p+9, -0x1.8e569fa8ee781p-45}},
        {0x0.012688b70e62bp-1022, {-0x1.64e69394d9508p+9, -0x1.35918fe61c196p-47}},
    };
    static const struct {
        double x;
        base_dd log1p;
    } log1ps[] = {
        {-0x1.79ca10c924223p-67, {-0x1.79ca10c924223p-67, -0x1.16c262777579cp-134}},
        {-0x1.999999999999ap-3, {-0x1.c8ff7c79a9a22p-3, -0x1.612ec0f797fddp-58}},
        {-0x1.ccccccccccccdp-1, {-0x1.26bb1bbb55516p+1, -0x1.6ea56d62b82f3p-58}},
        {0x1.4f8b588e368f1p-17, {0x1.4f8aea9ae7317p-17, -0x1.208ddabcd9d30p-72}},
        {0x1.0000000000000p-2, {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57}},
        {0x1.3333333333333p-2, {0x1.0ca937be1b9dcp-2, -0x1.28637a1723644p-56}},
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        assert_near(base_dd_log(base_dd_of(logs[i].x)), logs[i].log, 1e-30);
    for (size_t i = 0; i < sizeof log1ps / sizeof log1ps[0]; i++)
        assert_near(base_dd_log1p(base_dd_of(log1ps[i].x)), log1ps[i].log1p, 1e-30);
    assert_near(base_dd_sqrt(base_dd_of(2)),
                (base_dd){0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54}, 1e-31);
    assert_near(base_dd_power(base_dd_of(0.2), 11),
                (base_dd){0x1.5fd7fe1796499p-26, 0x1.3b8765708f650p-81}, 1e-30);
    assert_near(base_dd_power(base_dd_of(0.9), 1000),
                (base_dd){0x1.fee7413dac341p-153, 0x1.3d4d0c1941affp-208}, 1e-28);
    assert_true(base_dd_log(base_dd_of(1)).high == 0);
    assert_true(base_dd_sqrt(base_dd_of(0)).high == 0);
    assert_true(base_dd_power(base_dd_of(3), 0).high == 1);
}

static void ceilings(void **state)
{
    (void)state;
    static const struct {
        base_dd x;
        bool fits;
        uint64_t ceiling;
    } cases[] = {
        {{0, 0}, true, 0},
        {{-0.5, 0}, true, 0},
        {{-1, 0}, false, 0},
        {{5e-324, 0}, true, 1},
        {{3, 0}, true, 3},
        {{3, 1e-30}, true, 4},
        {{3, -1e-30}, true, 3},
        {{2.5, 1e-17}, true, 3},
        {{0x1p53, 0.5}, true, (UINT64_C(1) << 53) + 1},
        {{0x1p53, -0.5}, true, UINT64_C(1) << 53},
        {{0x1p60, 17.25}, true, (UINT64_C(1) << 60) + 18},
        {{0x1p60, -17.25}, true, (UINT64_C(1) << 60) - 17},
        {{0x1p64, -1}, true, UINT64_MAX},
        {{0x1p64, -1.5}, true, UINT64_MAX},
        {{0x1p64, -2}, true, UINT64_MAX - 1},
        {{0x1p64, -0.5}, false, 0},
        {{0x1p64, 0}, false, 0},
        {{1e300, 0}, false, 0},
        {{INFINITY, 0}, false, 0},
        {{NAN, 0}, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t found = 0;
        assert_int_equal(base_dd_ceiling(cases[i].x, &found), cases[i].fits);
        assert_true(!cases[i].fits || found == cases[i].ceiling);
    }
    assert_true(base_dd_of_u64(UINT64_MAX).high == 0x1p64);
    assert_true(base_dd_of_u64(UINT64_MAX).low == -1);
    assert_true(base_dd_round_up((base_dd){1, 1e-20}) > 1);
    assert_true(base_dd_round_up((base_dd){1, 0}) > 1);
    assert_true(base_dd_round_up((base_dd){1, -1e-20}) == 1);
    assert_true(base_dd_less((base_dd){1, -1e-20}, base_dd_of(1)));
    assert_false(base_dd_less(base_dd_of(1), base_dd_of(1)));
}

SUITE(double_double)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_invert_each_other),
        cmocka_unit_test(whole_quotients_are_exact),
        cmocka_unit_test(logarithms_and_roots),
        cmocka_unit_test(ceilings),
    };
    return cmocka_run_group_tests_name("stat.dd", tests, NULL, NULL);
}
