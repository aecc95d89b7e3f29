/* SPDX-License-Identifier: MIT */
/*
 * Hashes: pinned values, avalanche, structured keys without collisions, and
 * even use of the low and the high bits.
 *
 * The keys are fixed, so the tests are deterministic. Each bound is chosen so that a random function would
 * exceed it with the stated probability.
 */
#include "base/bits.h"
#include "base/hash.h"
#include "support/check.h"
#include "support/random.h"

static int compare_words(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* A random function on n keys collides with probability n^2 / 2^65: below 1e-7 for n <= 2^20. */
static void assert_all_differ(uint64_t *hashes, size_t count)
{
    qsort(hashes, count, sizeof *hashes, compare_words);
    for (size_t i = 1; i < count; i++)
        assert_true(hashes[i - 1] != hashes[i]);
}

/*
 * Pearson's statistic over 256 cells has 255 degrees of freedom: mean 255,
 * deviation 22.6. Outside [150, 400] with probability 5e-8 (Wilson-Hilferty);
 * with the 69 calls of this file, 4e-6 in all.
 */
static void assert_even(const uint64_t *hashes, size_t count, unsigned shift)
{
    size_t cells[256] = {0};
    for (size_t i = 0; i < count; i++)
        cells[(hashes[i] >> shift) & 255]++;
    double expected = (double)count / 256, statistic = 0;
    for (size_t i = 0; i < 256; i++) {
        double off = (double)cells[i] - expected;
        statistic += off * off / expected;
    }
    if (statistic < 150 || statistic > 400)
        fail_msg("chi-square %g at shift %u", statistic, shift);
}

static void assert_good(uint64_t *hashes, size_t count)
{
    assert_even(hashes, count, 0);
    assert_even(hashes, count, 28);
    assert_even(hashes, count, 56);
    assert_all_differ(hashes, count);
}

static void values_are_pinned(void **state)
{
    (void)state;
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
    static const struct {
        size_t length;
        uint64_t hash;
    } pinned[] = {
        {0, UINT64_C(0x25F62C942C97CB89)},   {1, UINT64_C(0x6A5053C7BCDCE326)},
        {2, UINT64_C(0xD98F974BF115797B)},   {3, UINT64_C(0x9F5B61C003CB9746)},
        {4, UINT64_C(0xD3C2E269687570D0)},   {7, UINT64_C(0x5D84AAE346538373)},
        {8, UINT64_C(0xBD50615C6B9E35F2)},   {12, UINT64_C(0x9700422C27E10DEE)},
        {16, UINT64_C(0x0311968214351D4C)},  {17, UINT64_C(0x8B06AE92E18012EE)},
        {32, UINT64_C(0x936BF82996E3A9B3)},  {33, UINT64_C(0xA2187C150C72ED72)},
        {100, UINT64_C(0x2CB5D5474E477A8A)},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++)
        assert_int_equal(base_hash_bytes(bytes, pinned[i].length), pinned[i].hash);
    assert_int_equal(base_hash_bytes(NULL, 0), pinned[0].hash);
    assert_int_equal(base_hash_word(0), 0);
    assert_int_equal(base_hash_word(1), UINT64_C(0x5692161D100B05E5));
}

/* Zeros and equal bytes of all lengths, at all alignments, never read outside. */
static void lengths_differ_and_alignment_does_not_matter(void **state)
{
    (void)state;
    uint64_t hashes[2 * 65];
    unsigned char bytes[80];
    for (size_t length = 0; length <= 64; length++) {
        memset(bytes, 0, sizeof bytes);
        hashes[length] = base_hash_bytes(bytes, length);
        for (size_t offset = 1; offset < 8; offset++)
            assert_int_equal(base_hash_bytes(bytes + offset, length), hashes[length]);
        memset(bytes, 0xA5, sizeof bytes);
        hashes[65 + length] = length > 0 ? base_hash_bytes(bytes, length) : 1;
        unsigned char *exact = malloc(length > 0 ? length : 1);
        assert_non_null(exact);
        memset(exact, 0, length);
        assert_int_equal(base_hash_bytes(exact, length), hashes[length]);
        free(exact);
    }
    assert_all_differ(hashes, sizeof hashes / sizeof hashes[0]);
}

static void every_byte_counts(void **state)
{
    (void)state;
    unsigned char bytes[64] = {0};
    for (size_t length = 1; length <= sizeof bytes; length++) {
        uint64_t hashes[1 + 64 * 8];
        size_t count = 0;
        hashes[count++] = base_hash_bytes(bytes, length);
        for (size_t bit = 0; bit < length * 8; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            hashes[count++] = base_hash_bytes(bytes, length);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        assert_all_differ(hashes, count);
    }
}

/*
 * Flipping an input bit flips each output bit for half of the keys: of 4096
 * keys 2048 ± 32. Off by 7 deviations with probability 2.6e-12 a cell, and
 * some 17 000 cells: below 1e-7.
 */
static void assert_avalanche(size_t length, uint64_t (*hash)(const unsigned char *, size_t))
{
    enum {
        KEYS = 4096
    };
    uint64_t random = random_seed(99 + length);
    for (size_t bit = 0; bit < length * 8; bit++) {
        unsigned flips[64] = {0};
        for (size_t key = 0; key < KEYS; key++) {
            unsigned char bytes[40];
            for (size_t i = 0; i < length; i++)
                bytes[i] = (unsigned char)(random_u32(&random) >> 24);
            uint64_t before = hash(bytes, length);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            uint64_t changed = before ^ hash(bytes, length);
            for (size_t i = 0; i < 64; i++)
                flips[i] += (unsigned)(changed >> i & 1);
        }
        for (size_t i = 0; i < 64; i++)
            if (flips[i] < KEYS / 2 - 7 * 32 || flips[i] > KEYS / 2 + 7 * 32)
                fail_msg("length %zu: bit %zu flips bit %zu %u times", length, bit, i, flips[i]);
    }
}

static uint64_t hash_of_bytes(const unsigned char *bytes, size_t length)
{
    return base_hash_bytes(bytes, length);
}

static uint64_t hash_of_word(const unsigned char *bytes, size_t length)
{
    uint64_t word = 0;
    memcpy(&word, bytes, length);
    return base_hash_word(word);
}

static void one_bit_changes_half_of_the_hash(void **state)
{
    (void)state;
    static const size_t lengths[] = {3, 4, 7, 8, 12, 16, 17, 33};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        assert_avalanche(lengths[i], hash_of_bytes);
    assert_avalanche(8, hash_of_word);
}

enum {
    MANY = 1 << 18
};

static void counters(void **state)
{
    (void)state;
    uint64_t *hashes = malloc(MANY * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t length = 3; length <= 20; length += random_rounds(5, 1)) {
        for (uint32_t i = 0; i < MANY; i++) {
            unsigned char key[20] = {0};
            key[length - 1] = (unsigned char)i; /* big end last: the counter at the far end */
            key[length - 2] = (unsigned char)(i >> 8);
            key[length - 3] = (unsigned char)(i >> 16);
            hashes[i] = base_hash_bytes(key, length);
        }
        assert_good(hashes, MANY);
    }
    for (uint32_t i = 0; i < MANY; i++)
        hashes[i] = base_hash_word(i);
    assert_good(hashes, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        hashes[i] = base_hash_word((uint64_t)i << 40);
    assert_good(hashes, MANY);
    free(hashes);
}

/* Three small numbers side by side, as states of models are: 64^3 = 2^18 keys. */
static void packed_coordinates(void **state)
{
    (void)state;
    uint64_t *hashes = malloc(MANY * sizeof *hashes);
    assert_non_null(hashes);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t place[3] = {i & 63, i >> 6 & 63, i >> 12};
        hashes[i] = base_hash_bytes(place, sizeof place);
    }
    assert_good(hashes, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        unsigned char place[3] = {i & 63, i >> 6 & 63, (unsigned char)(i >> 12)};
        hashes[i] = base_hash_bytes(place, sizeof place);
    }
    assert_good(hashes, MANY);
    free(hashes);
}

/* Two bits set among 400: 79 800 keys that are nearly all zeros. */
static void sparse_keys(void **state)
{
    (void)state;
    enum {
        BITS = 400
    };
    uint64_t *hashes = malloc(BITS * (BITS - 1) / 2 * sizeof *hashes);
    assert_non_null(hashes);
    size_t count = 0;
    for (size_t i = 0; i < BITS; i++)
        for (size_t j = 0; j < i; j++) {
            unsigned char key[BITS / 8] = {0};
            key[i / 8] |= (unsigned char)(1u << i % 8);
            key[j / 8] |= (unsigned char)(1u << j % 8);
            hashes[count++] = base_hash_bytes(key, sizeof key);
        }
    assert_good(hashes, count);
    free(hashes);
}

/* Words equal to the constants of the hash make a factor zero; the other words must still affect the
 * result. */
static void zero_factors_lose_nothing(void **state)
{
    (void)state;
    static const unsigned char pi1[8] = {0x44, 0x73, 0x70, 0x03, 0x2E, 0x8A, 0x19, 0x13};
    uint64_t hashes[1000];
    for (size_t i = 0; i < 1000; i++) {
        unsigned char key[32] = {0};
        memcpy(key, pi1, sizeof pi1);
        key[8] = (unsigned char)i;
        key[9] = (unsigned char)(i >> 8);
        memcpy(key + 16, pi1, sizeof pi1);
        hashes[i] = base_hash_bytes(key, i % 2 == 0 ? 16 : 32);
    }
    assert_all_differ(hashes, 1000);
}

/* Published by the authors of FNV. */
static void fnv_is_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } cases[] = {{"", UINT64_C(0xCBF29CE484222325)},
                 {"a", UINT64_C(0xAF63DC4C8601EC8C)},
                 {"b", UINT64_C(0xAF63DF4C8601F1A5)},
                 {"foobar", UINT64_C(0x85944171F73967E8)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(base_hash_fnv(BASE_FNV_BEGIN, cases[i].text, strlen(cases[i].text)) ==
                    cases[i].hash);
    assert_true(base_hash_fnv(base_hash_fnv(BASE_FNV_BEGIN, "foo", 3), "bar", 3) == cases[3].hash);
    assert_true(base_hash_fnv(BASE_FNV_BEGIN, NULL, 0) == BASE_FNV_BEGIN);
}

SUITE(hash)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_pinned),
        cmocka_unit_test(lengths_differ_and_alignment_does_not_matter),
        cmocka_unit_test(every_byte_counts),
        cmocka_unit_test(one_bit_changes_half_of_the_hash),
        cmocka_unit_test(counters),
        cmocka_unit_test(packed_coordinates),
        cmocka_unit_test(sparse_keys),
        cmocka_unit_test(zero_factors_lose_nothing),
        cmocka_unit_test(fnv_is_as_published),
    };
    return cmocka_run_group_tests_name("base.hash", tests, NULL, NULL);
}
