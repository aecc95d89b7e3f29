/* SPDX-License-Identifier: MIT */
/*
 * Confidence intervals against ends with twenty digits from sequence_oracle.py: they must contain these,
 * with a distance of at most a tenth of the tolerance of certificates (1e-9).
 */
#include <float.h>
#include <math.h>

#include "stat/sequence.h"
#include "support/check.h"
#include "support/random.h"
#include "verify/verify.h"

typedef struct known_ends {
    uint64_t successes, trials;
    double log_alpha, low, high;
} known_ends;

/* clang-format off */
static const known_ends rows[] = {
    {0u, 1u, -0.125, 0, 5.5875154870770229856e-1},
    {0u, 1u, -7.5, 0, 9.9972345781492608320e-1},
    {0u, 1u, -300, 0, 1},
    {1u, 1u, -0.125, 4.4124845129229770143e-1, 1},
    {1u, 1u, -7.5, 2.7654218507391679155e-4, 1},
    {1u, 1u, -300, 5.7956346104490959152e-70, 1},
    {1u, 2u, -0.125, 1.2625157234186847399e-1, 8.7374842765813152600e-1},
    {1u, 2u, -7.5, 6.9140326653248915850e-5, 9.9993085967334675108e-1},
    {1u, 2u, -300, 2.8978173052245479576e-70, 1},
    {0u, 10u, -0.125, 0, 1.6982207164990687538e-1},
    {0u, 10u, -7.5, 0, 6.0291909560917660514e-1},
    {0u, 10u, -300, 0, 9.9999999999992133792e-1},
    {3u, 10u, -0.125, 1.0029193281967467849e-1, 5.7401922583605725014e-1},
    {3u, 10u, -7.5, 6.8148876140938315618e-3, 8.7608145928673458885e-1},
    {3u, 10u, -300, 3.0396052189334239295e-45, 9.9999999999999999991e-1},
    {10u, 10u, -0.125, 8.3017792835009312461e-1, 1},
    {10u, 10u, -7.5, 3.9708090439082339485e-1, 1},
    {10u, 10u, -300, 7.8662076513546682726e-14, 1},
    {15u, 16u, -0.125, 7.6117153843972158810e-1, 9.9575333868896132611e-1},
    {15u, 16u, -7.5, 4.3981645048227787278e-1, 9.9999750299934260584e-1},
    {15u, 16u, -300, 1.4379742051670178038e-9, 1},
    {16u, 32u, -0.125, 3.2497581777939416341e-1, 6.7502418222060583658e-1},
    {16u, 32u, -7.5, 1.6586341087463786417e-1, 8.3413658912536213582e-1},
    {16u, 32u, -300, 1.5905296421657894776e-9, 9.9999999840947035783e-1},
    {17u, 33u, -0.125, 3.4088344843831034997e-1, 6.8693693938744863963e-1},
    {17u, 33u, -7.5, 1.7981943357821316412e-1, 8.4068782865165007627e-1},
    {17u, 33u, -300, 5.0279446549546482967e-9, 9.9999999847690359657e-1},
    {60u, 100u, -0.125, 4.8506095879477243874e-1, 7.0796902923906249359e-1},
    {60u, 100u, -7.5, 3.7834092149971699190e-1, 7.9647403494191371755e-1},
    {60u, 100u, -300, 2.1070585533452481722e-3, 9.9990347012496475887e-1},
    {1u, 1000u, -0.125, 7.9380750553187112539e-6, 6.7353589955688188485e-3},
    {1u, 1000u, -7.5, 4.9357313123423737195e-9, 1.4818953865394658519e-2},
    {1u, 1000u, -300, 5.7956346104490959152e-73, 2.6700536788990226637e-1},
    {10u, 1000u, -0.125, 3.6158325856281440257e-3, 2.1309579203529728661e-2},
    {10u, 1000u, -7.5, 1.3861498484141895326e-3, 3.2794079978839641383e-2},
    {10u, 1000u, -300, 2.3936327397584901978e-16, 2.9603233599823482402e-1},
    {999u, 1000u, -0.125, 9.9326464100443118115e-1, 9.9999206192494468128e-1},
    {999u, 1000u, -7.5, 9.8518104613460534148e-1, 9.9999999506426868765e-1},
    {999u, 1000u, -300, 7.3299463211009773362e-1, 1},
    {500u, 1000u, -0.125, 4.5646565587161897536e-1, 5.4353434412838102463e-1},
    {500u, 1000u, -7.5, 4.2564996701800505196e-1, 5.7435003298199494803e-1},
    {500u, 1000u, -300, 1.6265273780919290935e-1, 8.3734726219080709064e-1},
    {0u, 1000000u, -0.125, 0, 7.6050914280524021734e-6},
    {0u, 1000000u, -7.5, 0, 1.4980008145464297636e-5},
    {0u, 1000000u, -300, 0, 3.0743285317939814589e-4},
    {1u, 1000000u, -0.125, 2.4900987146586281533e-10, 1.0665207640028309208e-5},
    {1u, 1000000u, -7.5, 1.5602230308153553561e-13, 1.8596062584067982621e-5},
    {1u, 1000000u, -300, 5.7956346104490959152e-76, 3.1387330182268501940e-4},
    {123456u, 1000000u, -0.125, 1.2220626595752867454e-1, 1.2471302243752593828e-1},
    {123456u, 1000000u, -7.5, 1.2168370977919460766e-1, 1.2524298386504170216e-1},
    {123456u, 1000000u, -300, 1.1545761016096346192e-1, 1.3176272010284361598e-1},
    {333333333u, 1000000000u, -0.125, 3.3326433481964678698e-1, 3.3340233594143064532e-1},
    {333333333u, 1000000000u, -7.5, 3.3324367735686751499e-1, 3.3342299668198764395e-1},
    {333333333u, 1000000000u, -300, 3.3296186626787595536e-1, 3.3370493777095335219e-1},
    {1u, 9007199254740992u, -0.125, 2.9122161341547592404e-25, 2.5412555217828107167e-15},
    {1u, 9007199254740992u, -7.5, 1.8251635981425728330e-28, 3.3921074824081351176e-15},
    {1u, 9007199254740992u, -300, 6.4344469868350361476e-86, 3.6128769539532665302e-14},
    {4503599627370496u, 9007199254740992u, -0.125, 4.9999996776455556510e-1, 5.0000003223544443489e-1},
    {4503599627370496u, 9007199254740992u, -7.5, 4.9999996194059093672e-1, 5.0000003805940906327e-1},
    {4503599627370496u, 9007199254740992u, -300, 4.9999986701304442394e-1, 5.0000013298695557605e-1},
    {9007199254740987u, 9007199254740992u, -0.125, 9.9999999999999631496e-1, 9.9999999999999999513e-1},
    {9007199254740987u, 9007199254740992u, -7.5, 9.9999999999999536938e-1, 9.9999999999999999889e-1},
    {9007199254740987u, 9007199254740992u, -300, 9.9999999999996172287e-1, 1},
    {1286742750677284u, 9007199254740992u, -0.125, 1.4285712029703221267e-1, 1.4285716541725535401e-1},
    {1286742750677284u, 9007199254740992u, -7.5, 1.4285711622110642556e-1, 1.4285716949318192092e-1},
    {1286742750677284u, 9007199254740992u, -300, 1.4285704978567860634e-1, 1.4285723592864066778e-1},
    {0u, 9007199254740992u, -0.125, 0, 2.1167251537960430487e-15},
    {0u, 9007199254740992u, -7.5, 0, 2.9355146344570939289e-15},
    {0u, 9007199254740992u, -300, 0, 3.5409538104742300127e-14},
};
/* clang-format on */

static void check(const known_ends *r)
{
    double low, high, mean = (double)r->successes / (double)r->trials;
    verify_sequence(r->successes, r->trials, r->log_alpha, &low, &high);
    bool is_outside = low <= r->low && high >= r->high;
    bool is_near =
        low >= r->low * (1 - 1e-10) - 16 * DBL_EPSILON * mean && high <= r->high * (1 + 1e-10);
    bool is_width_near = high - low <= (r->high - r->low) * (1 + 1e-10) + 8 * DBL_EPSILON * r->high;
    if (!is_outside || !is_near || !is_width_near)
        fail_msg("%llu of %llu, %g: [%.17g, %.17g], expected [%.17g, %.17g]",
                 (unsigned long long)r->successes, (unsigned long long)r->trials, r->log_alpha, low,
                 high, r->low, r->high);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

/* One sequence serves both of two successors: that of the failures is the mirror image. */
static void test_symmetry(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 400; n += n < 40 ? 1 : 37)
        for (uint64_t s = 0; s <= n; s++) {
            double low, high, mirrored_low, mirrored_high;
            verify_sequence(s, n, -5, &low, &high);
            verify_sequence(n - s, n, -5, &mirrored_low, &mirrored_high);
            assert_true(fabs(low - (1 - mirrored_high)) < 1e-11);
            assert_true(low <= (double)s / (double)n);
            assert_true((double)s / (double)n <= high);
            assert_true((low == 0) == (s == 0));
            assert_true((high == 1) == (s == n));
        }
}

/* A row has its share of delta, divided by its successors; ends are cut by pmin. */
static void check_row(uint64_t sizes, uint32_t width, double pmin, double alpha)
{
    verify_branch branches[4] = {{.count = 30}, {.count = 100}, {.count = 50}, {.count = 20}};
    verify_row row = {.index = 3, .visits = 130, .width = width};
    verify_certificate c = {.has_graph = true, .pmin = pmin, .interval = 0.1, .total = 0.1};
    opac_error error;
    c.states = c.actions = sizes;
    c.error = &error;
    c.row = &row;
    c.row_count = 1;
    row.branch = branches;
    for (uint32_t k = 2; k < width; k++)
        row.visits += branches[k].count;
    verify_intervals(&c);
    assert_ok(c.status, &error);
    assert_true(row.is_complete);
    for (uint32_t k = 0; k < width; k++) {
        double low, high;
        verify_sequence(branches[k].count, row.visits, log(alpha), &low, &high);
        low = fmax(low, pmin);
        high = fmin(high, 1 - (width - 1) * pmin);
        assert_true(fabs(low - branches[k].low) < 1e-8);
        assert_true(fabs(high - branches[k].high) < 1e-8);
    }
}

static void test_rows(void **state)
{
    (void)state;
    check_row(0, 2, 0, 0.1 / 12);
    check_row(0, 3, 0, 0.1 / 12 / 3);
    check_row(0, 4, 0, 0.1 / 12 / 4);
    check_row(0, 3, 0.15, 0.1 / 12 / 3);
    check_row(0, 2, 0.21, 0.1 / 12);
    check_row(4, 3, 0.01, 0.1 * (1.0 / 12 + 1.0 / 17) / 2 / 3);
}

static void test_nothing(void **state)
{
    (void)state;
    double low, high;
    verify_sequence(0, 0, -1, &low, &high);
    assert_true(low == 0);
    assert_true(high == 1);
}

/*
 * The sequences of the learner and of the checker, which share no code, are as close as "Rounding in
 * certificates" in docs/theory.md requires: a row that the learner does not refute is not refused, and
 * after widening the intervals of the learner contain those of the checker. This includes the margin of
 * the checker in alpha.
 */
static void test_learner(void **state)
{
    uint64_t random = random_seed(36);
    (void)state;
    for (uint32_t round = 0; round < random_rounds(30000, 1000000); round++) {
        uint64_t trials = 1 + (random_u64(&random) >> 11 >> random_below(&random, 53));
        uint64_t successes = random_u64(&random) >> random_below(&random, 64);
        successes = successes <= trials ? successes : random_u64(&random) % (trials + 1);
        double low, high, log_alpha = -pow(10, -2 + random_below(&random, 5200) / 1000.0);
        stat_interval found = stat_sequence_jeffreys(successes, trials, log_alpha);
        verify_sequence(successes, trials, log_alpha - 1e-12 * (1 - log_alpha), &low, &high);
        bool is_refuted_first =
            low <= found.lower * (1 + 1e-11) && high >= found.upper * (1 - 1e-11);
        bool is_inside = found.lower * (1 - 1e-9) - 6e-13 <= low * (1 - 2e-10) &&
                         found.upper * (1 + 1e-9) + 6e-13 >= fmin(high * (1 + 2e-10), 1);
        if (!is_refuted_first || !is_inside)
            fail_msg("%llu of %llu, %.17g: [%.17g, %.17g], the learner has [%.17g, %.17g]",
                     (unsigned long long)successes, (unsigned long long)trials, log_alpha, low,
                     high, found.lower, found.upper);
    }
}

SUITE(sequence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learner),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_symmetry), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
