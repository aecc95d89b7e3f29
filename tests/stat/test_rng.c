/* SPDX-License-Identifier: MIT */
/* Random streams: published and pinned numbers, and the uniform distributions based on them. */
#include <math.h>

#include "stat/rng.h"
#include "support/check.h"
#include "support/fit.h"

/* From the authors' reference programs. */
static void published_numbers(void **state)
{
    (void)state;
    static const uint64_t xoshiro[] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    static const uint64_t splitmix[] = {
        UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821),
    };
    stat_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof xoshiro / sizeof xoshiro[0]; i++)
        assert_true(stat_rng_next(&rng) == xoshiro[i]);
    uint64_t seed = 1234567;
    for (size_t i = 0; i < sizeof splitmix / sizeof splitmix[0]; i++)
        assert_true(stat_splitmix_next(&seed) == splitmix[i]);
}

/* The numbers of a seed must never change. */
static void streams_are_pinned(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, stream, first, second;
    } pinned[] = {
        {0, 0, UINT64_C(1434306774477740304), UINT64_C(6633448991836366155)},
        {0, 1, UINT64_C(1034278200859067181), UINT64_C(12113540878009535989)},
        {1, 0, UINT64_C(5845993257779789650), UINT64_C(3608159501003030042)},
        {42, 7, UINT64_C(11224294618295376079), UINT64_C(17987766405581577618)},
        {UINT64_MAX, UINT64_MAX, UINT64_C(10006544766617618481), UINT64_C(8513758618001466971)},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        stat_rng rng;
        stat_rng_init(&rng, pinned[i].seed, pinned[i].stream);
        assert_true(stat_rng_next(&rng) == pinned[i].first);
        assert_true(stat_rng_next(&rng) == pinned[i].second);
    }
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No two streams of a seed share a word of their initial states. */
static void streams_do_not_collide(void **state)
{
    (void)state;
    enum {
        STREAMS = 20000
    };
    static uint64_t words[STREAMS];
    for (int w = 0; w < 4; w++) {
        for (uint64_t i = 0; i < STREAMS; i++) {
            stat_rng rng;
            stat_rng_init(&rng, 42, i < STREAMS / 2 ? i : UINT64_MAX - i);
            words[i] = rng.word[w];
        }
        qsort(words, STREAMS, sizeof words[0], compare_words);
        for (size_t i = 1; i < STREAMS; i++)
            assert_true(words[i - 1] != words[i]);
    }
}

/* Word i is 0 exactly for stream seed + i · golden: the streams closest to the fixed point. */
static void no_state_is_all_zeros(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++)
        for (uint64_t i = 0; i < 4; i++) {
            stat_rng rng;
            stat_rng_init(&rng, seed, seed + i * UINT64_C(0x9E3779B97F4A7C15));
            for (uint64_t w = 0; w < 4; w++)
                assert_true((rng.word[w] == 0) == (w == i));
        }
}

/* Neighbouring streams, read across: bit counts as of independent bits. False alarm: 1e-6. */
static void neighbouring_streams_are_unrelated(void **state)
{
    (void)state;
    uint64_t ones = 0, differing = 0, previous = 0, streams = 100000;
    for (uint64_t i = 0; i < streams; i++) {
        stat_rng rng;
        stat_rng_init(&rng, 7, i);
        uint64_t word = stat_rng_next(&rng);
        ones += base_popcount(word);
        differing += base_popcount(word ^ previous);
        previous = word;
    }
    double bits = 64.0 * (double)streams, deviation = 0.5 * sqrt(bits);
    assert_true(fit_normal(((double)ones - bits / 2) / deviation) > FIT_FALSE_ALARM);
    assert_true(fit_normal(((double)differing - bits / 2) / deviation) > FIT_FALSE_ALARM);
}

static void uniform_numbers_stay_inside(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, 3, 0);
    for (int i = 0; i < 1000000; i++) {
        double closed = stat_rng_uniform(&rng), open = stat_rng_open(&rng);
        assert_true(closed >= 0);
        assert_true(closed < 1);
        assert_true(open > 0);
        assert_true(open < 1);
    }
    /* States whose next word is all ones, and all zeros: 2^-53 from the ends. */
    stat_rng ones = {{0, 0, 0, UINT64_MAX}};
    assert_true(stat_rng_open(&ones) == 1 - 0x1p-53);
    ones = (stat_rng){{0, 0, 0, UINT64_MAX}};
    assert_true(stat_rng_uniform(&ones) == 1 - 0x1p-53);
    stat_rng zeros = {{0, 1, 0, 0}};
    assert_true(stat_rng_open(&zeros) == 0x1p-53);
}

static uint64_t draw_below(stat_rng *rng, const void *bound)
{
    return stat_rng_below(rng, *(const uint64_t *)bound);
}

/* The three thirds of a bound near 2^64 · 3/4, where naive reduction is wrong by a third. */
static uint64_t draw_third(stat_rng *rng, const void *bound)
{
    uint64_t b = *(const uint64_t *)bound;
    return stat_rng_below(rng, b) / (b / 3);
}

static uint64_t draw_third_by_modulo(stat_rng *rng, const void *bound)
{
    uint64_t b = *(const uint64_t *)bound;
    return stat_rng_next(rng) % b / (b / 3);
}

/* The same bound by residues: without rejection, their probabilities would be 1/2, 1/4, 1/4. */
static uint64_t draw_residue(stat_rng *rng, const void *bound)
{
    return stat_rng_below(rng, *(const uint64_t *)bound) % 3;
}

static void bounded_integers_are_uniform(void **state)
{
    (void)state;
    double equal[1000];
    for (uint64_t bound = 1; bound <= 1000; bound = bound * 3 + 1) {
        for (size_t i = 0; i < bound; i++)
            equal[i] = 1.0 / (double)bound;
        fit_distribution expected = {0, bound, equal};
        assert_true(fit_sample(&expected, draw_below, &bound, 200000, bound) > FIT_FALSE_ALARM);
    }
    uint64_t large = 3 * (UINT64_C(1) << 62);
    double third = 1.0 / 3, thirds[] = {third, third, third};
    fit_distribution expected = {0, 3, thirds};
    assert_true(fit_sample(&expected, draw_third, &large, 200000, 1) > FIT_FALSE_ALARM);
    assert_true(fit_sample(&expected, draw_residue, &large, 200000, 2) > FIT_FALSE_ALARM);
    assert_true(fit_sample(&expected, draw_third_by_modulo, &large, 200000, 1) < FIT_FALSE_ALARM);
}

SUITE(rng)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers),
        cmocka_unit_test(streams_are_pinned),
        cmocka_unit_test(streams_do_not_collide),
        cmocka_unit_test(no_state_is_all_zeros),
        cmocka_unit_test(neighbouring_streams_are_unrelated),
        cmocka_unit_test(uniform_numbers_stay_inside),
        cmocka_unit_test(bounded_integers_are_uniform),
    };
    return cmocka_run_group_tests_name("stat.rng", tests, NULL, NULL);
}
