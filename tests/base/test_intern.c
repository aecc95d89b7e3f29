/* SPDX-License-Identifier: MIT */
/* Intern tables, compared with a list that is searched linearly. */
#include "base/intern.h"
#include "base/slots.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    LONGEST = 40
};

typedef struct list {
    struct {
        unsigned char bytes[LONGEST];
        size_t length;
    } keys[2000];
    uint32_t count;
} list;

static uint32_t list_add(list *keys, const unsigned char *bytes, size_t length, bool *is_new)
{
    uint32_t id = 0;
    while (id < keys->count &&
           (keys->keys[id].length != length || memcmp(keys->keys[id].bytes, bytes, length) != 0))
        id++;
    *is_new = id == keys->count;
    if (*is_new) {
        memcpy(keys->keys[id].bytes, bytes, length);
        keys->keys[id].length = length;
        keys->count++;
    }
    return id;
}

static void assert_same(const base_intern *table, const list *keys)
{
    assert_int_equal(table->count, keys->count);
    for (uint32_t id = 0; id < keys->count; id++) {
        size_t length;
        uint32_t found = UINT32_MAX;
        const unsigned char *bytes = base_intern_key(table, id, &length);
        assert_int_equal(length, keys->keys[id].length);
        assert_memory_equal(bytes, keys->keys[id].bytes, length);
        assert_true(base_intern_find(table, keys->keys[id].bytes, length, &found));
        assert_int_equal(found, id);
    }
}

/* Short keys over a small alphabet, so that most of them occur repeatedly. */
static void compare_with_list(base_intern *table, size_t least, size_t most, uint64_t seed)
{
    list *keys = calloc(1, sizeof *keys);
    assert_non_null(keys);
    uint64_t random = random_seed(seed);
    for (int i = 0; i < 6000 && keys->count < 1900; i++) {
        unsigned char bytes[LONGEST];
        size_t length = least + random_below(&random, (uint32_t)(most - least + 1));
        for (size_t j = 0; j < length; j++)
            bytes[j] = (unsigned char)random_below(&random, 3);
        bool expected_new, is_new;
        uint32_t id, before = 0;
        bool was_there = base_intern_find(table, bytes, length, &before);
        uint32_t expected = list_add(keys, bytes, length, &expected_new);
        opac_error error;
        assert_ok(base_intern_add(table, bytes, length, &id, &is_new, &error), &error);
        assert_int_equal(id, expected);
        assert_int_equal(is_new, expected_new);
        assert_int_equal(was_there, !expected_new);
    }
    assert_true(keys->count >= 1);
    assert_same(table, keys);
    free(keys);
}

static void variable_keys_equal_a_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        base_intern table;
        base_intern_init(&table);
        compare_with_list(&table, 0, seed == 4 ? LONGEST : 7, seed);
        base_intern_fini(&table);
    }
}

static void fixed_keys_equal_a_list(void **state)
{
    (void)state;
    for (size_t width = 0; width <= 20; width++) {
        base_intern table;
        base_intern_init_fixed(&table, width);
        compare_with_list(&table, width, width, width + 1);
        base_intern_fini(&table);
    }
}

static void empty_key_is_a_key(void **state)
{
    (void)state;
    base_intern table;
    uint32_t id = 7;
    bool is_new;
    size_t length = 7;
    base_intern_init(&table);
    assert_false(base_intern_find(&table, NULL, 0, &id));
    assert_status(base_intern_add(&table, NULL, 0, &id, &is_new, NULL), OPAC_OK);
    assert_int_equal(id, 0);
    assert_true(is_new);
    base_intern_key(&table, 0, &length);
    assert_int_equal(length, 0);
    assert_status(base_intern_add(&table, "\0", 1, &id, NULL, NULL), OPAC_OK);
    assert_int_equal(id, 1);
    assert_true(base_intern_find(&table, "", 0, &id));
    assert_int_equal(id, 0);
    base_intern_fini(&table);
    base_intern_fini(&table);
}

static void many_keys_keep_their_ids(void **state)
{
    (void)state;
    enum {
        COUNT = 300000
    };
    base_intern table;
    opac_error error;
    base_intern_init_fixed(&table, 12);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t key[3] = {i % 100, i / 100, 5}, id;
            bool is_new;
            assert_ok(base_intern_add(&table, key, sizeof key, &id, &is_new, &error), &error);
            assert_true(id == i);
            assert_true(is_new == (round == 0));
        }
    /* At most 22 bytes of slots a key, and half as much slack as there are key bytes. */
    assert_in_range(base_slots_memory(&table.slots) + table.keys_capacity, COUNT * (10 + 12),
                    COUNT * (22 + 18));
    base_intern_fini(&table);
}

static void limit_is_an_error_without_effect(void **state)
{
    (void)state;
    base_intern table;
    opac_error error = {0};
    uint32_t id;
    base_intern_init(&table);
    assert_int_equal(table.limit, UINT32_MAX);
    table.limit = 2;
    assert_status(base_intern_add(&table, "a", 1, &id, NULL, &error), OPAC_OK);
    assert_status(base_intern_add(&table, "b", 1, &id, NULL, &error), OPAC_OK);
    assert_status(base_intern_add(&table, "c", 1, &id, NULL, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "more than 2 distinct keys");
    assert_status(base_intern_add(&table, "b", 1, &id, NULL, &error), OPAC_OK);
    assert_int_equal(id, 1);
    assert_int_equal(table.count, 2);
    base_intern_fini(&table);
}

/* The arithmetic for more than 2^32 slots, where the index of the first slot has zero low bits. */
static void first_slots_are_inside_huge_tables(void **state)
{
    (void)state;
    uint64_t random = random_seed(3);
    for (unsigned bits = 4; bits <= 60; bits++) {
        base_slots table = {.mask = (UINT64_C(1) << bits) - 1, .shift = 64 - bits};
        for (int i = 0; i < 1000; i++) {
            uint64_t hash = random_u64(&random), position = random_u64(&random) % table.mask;
            uint64_t slot = (hash & ~table.mask) | (position + 1);
            assert_true(base_slots_first(&table, hash) <= table.mask);
            assert_true(base_slots_first(&table, hash) == base_slots_first(&table, slot));
        }
    }
}

static opac_status add_and_check(void *context, opac_error *error)
{
    const bool *fixed = context;
    base_intern table;
    if (*fixed)
        base_intern_init_fixed(&table, sizeof(uint32_t));
    else
        base_intern_init(&table);
    opac_status status = OPAC_OK;
    uint32_t id, i = 0;
    for (; i < 500 && status == OPAC_OK; i++)
        status = base_intern_add(&table, &i, sizeof i, &id, NULL, error);
    uint32_t added = status == OPAC_OK ? i : i - 1;
    assert_int_equal(table.count, added);
    for (uint32_t j = 0; j < 500; j++)
        assert_int_equal(base_intern_find(&table, &j, sizeof j, &id), j < added);
    base_intern_fini(&table);
    return status;
}

static void failed_growth_leaves_the_table_whole(void **state)
{
    (void)state;
    bool fixed = false;
    assert_in_range(faults_sweep(add_and_check, &fixed), 10, 60);
    fixed = true;
    assert_in_range(faults_sweep(add_and_check, &fixed), 8, 40);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    base_slots slots = {0};
    assert_status(base_slots_grow(&slots, UINT64_MAX, NULL), OPAC_ERROR_MEMORY);
    assert_null(slots.slots);
}

SUITE(intern)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variable_keys_equal_a_list),
        cmocka_unit_test(fixed_keys_equal_a_list),
        cmocka_unit_test(empty_key_is_a_key),
        cmocka_unit_test(many_keys_keep_their_ids),
        cmocka_unit_test(limit_is_an_error_without_effect),
        cmocka_unit_test(first_slots_are_inside_huge_tables),
        cmocka_unit_test(failed_growth_leaves_the_table_whole),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests_name("base.intern", tests, NULL, NULL);
}
