/* SPDX-License-Identifier: MIT */
/* Bitsets against arrays of bool, at sizes around the word boundaries. */
#include "base/bits.h"
#include "base/bitset.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    LARGEST = 200
};

typedef struct pair {
    base_bitset a, b;
    bool in_a[LARGEST], in_b[LARGEST];
} pair;

static void random_pair(pair *p, size_t size, uint64_t *random)
{
    assert_status(base_bitset_init(&p->a, size, NULL), OPAC_OK);
    assert_status(base_bitset_init(&p->b, size, NULL), OPAC_OK);
    for (size_t i = 0; i < size; i++) {
        p->in_a[i] = random_below(random, 3) == 0;
        p->in_b[i] = random_below(random, 2) == 0;
        if (p->in_a[i])
            base_bitset_add(&p->a, i);
        if (p->in_b[i])
            base_bitset_add(&p->b, i);
    }
}

static void release_pair(pair *p)
{
    base_bitset_fini(&p->a);
    base_bitset_fini(&p->b);
}

/* Compares the set with the array by has, count and next. */
static void assert_same(const base_bitset *set, const bool *expected)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < set->size; i++) {
        assert_int_equal(base_bitset_has(set, i), expected[i]);
        if (expected[i]) {
            assert_int_equal(base_bitset_next(set, next), i);
            next = i + 1;
            count++;
        }
    }
    assert_int_equal(base_bitset_next(set, next), set->size);
    assert_int_equal(base_bitset_next(set, set->size + 5), set->size);
    assert_int_equal(base_bitset_count(set), count);
}

static void operations_equal_the_definition(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (size_t size = 0; size <= LARGEST; size++) {
        pair p = {0};
        bool expected[LARGEST] = {false};
        bool equal = true;
        random_pair(&p, size, &random);
        assert_same(&p.a, p.in_a);
        for (size_t i = 0; i < size; i++)
            equal = equal && p.in_a[i] == p.in_b[i];
        assert_int_equal(base_bitset_equal(&p.a, &p.b), equal);

        base_bitset saved;
        assert_status(base_bitset_init(&saved, size, NULL), OPAC_OK);
        base_bitset_copy(&saved, &p.a);
        assert_true(base_bitset_equal(&saved, &p.a));

        base_bitset_unite(&p.a, &p.b);
        for (size_t i = 0; i < size; i++)
            expected[i] = p.in_a[i] || p.in_b[i];
        assert_same(&p.a, expected);

        base_bitset_copy(&p.a, &saved);
        base_bitset_subtract(&p.a, &p.b);
        for (size_t i = 0; i < size; i++)
            expected[i] = p.in_a[i] && !p.in_b[i];
        assert_same(&p.a, expected);

        base_bitset_complement(&saved);
        for (size_t i = 0; i < size; i++)
            expected[i] = !p.in_a[i];
        assert_same(&saved, expected);

        base_bitset_fini(&saved);
        release_pair(&p);
    }
}

static void fill_clear_remove(void **state)
{
    (void)state;
    for (size_t size = 1; size <= LARGEST; size++) {
        base_bitset set;
        assert_status(base_bitset_init(&set, size, NULL), OPAC_OK);
        base_bitset_fill(&set);
        assert_int_equal(base_bitset_count(&set), size);
        base_bitset_remove(&set, size - 1);
        assert_false(base_bitset_has(&set, size - 1));
        assert_int_equal(base_bitset_count(&set), size - 1);
        base_bitset_clear(&set);
        assert_int_equal(base_bitset_count(&set), 0);
        base_bitset_fini(&set);
    }
}

static opac_status make_and_drop(void *context, opac_error *error)
{
    (void)context;
    base_bitset set;
    opac_status status = base_bitset_init(&set, 1000, error);
    base_bitset_fini(&set);
    return status;
}

static void failed_allocation_is_reported(void **state)
{
    (void)state;
    assert_int_equal(faults_sweep(make_and_drop, NULL), 1);
}

/* The high word against schoolbook multiplication in 32-bit halves. */
static void wide_products(void **state)
{
    (void)state;
    uint64_t random = random_seed(7);
    for (int i = 0; i < 10000; i++) {
        uint64_t a = random_u64(&random);
        uint64_t b = random_u64(&random);
        uint64_t low, p00 = (a & UINT32_MAX) * (b & UINT32_MAX);
        uint64_t p01 = (a & UINT32_MAX) * (b >> 32), p10 = (a >> 32) * (b & UINT32_MAX);
        uint64_t carry = ((p00 >> 32) + (p01 & UINT32_MAX) + (p10 & UINT32_MAX)) >> 32;
        uint64_t high = (a >> 32) * (b >> 32) + (p01 >> 32) + (p10 >> 32) + carry;
        assert_true(base_multiply_high(a, b, &low) == high);
        assert_true(low == a * b);
    }
}

SUITE(bitset)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_equal_the_definition),
        cmocka_unit_test(fill_clear_remove),
        cmocka_unit_test(failed_allocation_is_reported),
        cmocka_unit_test(wide_products),
    };
    return cmocka_run_group_tests_name("base.bitset", tests, NULL, NULL);
}
