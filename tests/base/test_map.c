/* SPDX-License-Identifier: MIT */
/* Maps against a sorted array that is searched by halving. */
#include "base/map.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

typedef struct sorted {
    base_map_entry entries[4000];
    size_t count;
} sorted;

static size_t place_of(const sorted *array, uint64_t key)
{
    size_t low = 0, high = array->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (array->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool sorted_has(const sorted *array, uint64_t key)
{
    size_t place = place_of(array, key);
    return place < array->count && array->entries[place].key == key;
}

static uint64_t *sorted_at(sorted *array, uint64_t key)
{
    size_t place = place_of(array, key);
    if (!sorted_has(array, key)) {
        memmove(&array->entries[place + 1], &array->entries[place],
                (array->count - place) * sizeof array->entries[0]);
        array->entries[place] = (base_map_entry){.key = key};
        array->count++;
    }
    return &array->entries[place].value;
}

/* Keys of several shapes: few, dense, multiples of a power of two, any word. */
static uint64_t random_key(uint64_t *random, int shape)
{
    switch (shape) {
    case 0:
        return random_below(random, 10);
    case 1:
        return random_below(random, 2000);
    case 2:
        return (uint64_t)random_below(random, 2000) << 48;
    default:
        return random_u32(random) % 5 == 0 ? 0 - (uint64_t)random_below(random, 3)
                                           : random_u64(random);
    }
}

static void compare_with_array(base_map *map, int shape)
{
    sorted *array = calloc(1, sizeof *array);
    assert_non_null(array);
    uint64_t random = random_seed((uint64_t)shape + 1);
    for (uint64_t i = 1; i <= 3500; i++) {
        uint64_t key = random_key(&random, shape), *value;
        const uint64_t *found = base_map_find(map, key);
        assert_int_equal(found != NULL, sorted_has(array, key));
        assert_status(base_map_at(map, key, &value, NULL), OPAC_OK);
        *value += i;
        *sorted_at(array, key) += i;
    }
    assert_int_equal(map->count, array->count);
    for (size_t i = 0; i < array->count; i++) {
        const uint64_t *found = base_map_find(map, array->entries[i].key);
        assert_non_null(found);
        assert_true(*found == array->entries[i].value);
    }
    free(array);
}

static void maps_equal_a_sorted_array(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        base_map map = {0};
        compare_with_array(&map, shape);
        base_map_clear(&map);
        assert_int_equal(map.count, 0);
        assert_null(base_map_find(&map, 0));
        compare_with_array(&map, shape); /* again, with the memory allocated before */
        base_map_fini(&map);
    }
}

static void entries_stand_in_order_of_insertion(void **state)
{
    (void)state;
    base_map map = {0};
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t *value;
        assert_status(base_map_at(&map, i * 0x9E3779B97F4A7C15, &value, NULL), OPAC_OK);
        assert_true(*value == 0);
        *value = i;
    }
    for (uint64_t i = 0; i < map.count; i++) {
        assert_true(map.entries[i].key == i * 0x9E3779B97F4A7C15);
        assert_true(map.entries[i].value == i);
    }
    base_map_fini(&map);
}

static void empty_maps(void **state)
{
    (void)state;
    base_map map = {0};
    assert_null(base_map_find(&map, 0));
    base_map_clear(&map);
    base_map_fini(&map);
    base_map_fini(&map);
}

static opac_status insert_some(void *context, opac_error *error)
{
    (void)context;
    base_map map = {0};
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < 300 && status == OPAC_OK; i++) {
        uint64_t *value;
        size_t before = map.count;
        status = base_map_at(&map, i, &value, error);
        assert_int_equal(map.count, before + (status == OPAC_OK));
        assert_int_equal(base_map_find(&map, i) != NULL, status == OPAC_OK);
    }
    for (uint64_t i = 0; i < map.count; i++)
        assert_non_null(base_map_find(&map, i));
    base_map_fini(&map);
    return status;
}

static void failed_growth_leaves_the_map_whole(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(insert_some, NULL), 8, 40);
}

SUITE(map)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_equal_a_sorted_array),
        cmocka_unit_test(entries_stand_in_order_of_insertion),
        cmocka_unit_test(empty_maps),
        cmocka_unit_test(failed_growth_leaves_the_map_whole),
    };
    return cmocka_run_group_tests_name("base.map", tests, NULL, NULL);
}
