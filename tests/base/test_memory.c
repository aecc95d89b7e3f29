/* SPDX-License-Identifier: MIT */
/* Allocation, growth, vectors and arenas. */
#include <stdalign.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/vec.h"
#include "support/check.h"
#include "support/faults.h"

static void products_that_overflow_fail(void **state)
{
    (void)state;
    assert_null(base_alloc(SIZE_MAX / 2 + 1, 2));
    assert_null(base_alloc_zeroed(SIZE_MAX / 8 + 1, 8));
    assert_null(base_copy_text("", SIZE_MAX));
    void *items = NULL;
    size_t capacity = 0;
    opac_error error = {0};
    assert_status(base_reserve(&items, &capacity, SIZE_MAX / 4 + 1, 4, &error), OPAC_ERROR_MEMORY);
    assert_null(items);
    assert_int_equal(capacity, 0);
}

static void nothing_is_still_an_allocation(void **state)
{
    (void)state;
    void *none = base_alloc(0, 8);
    void *nothing = base_alloc_zeroed(8, 0);
    char *empty = base_copy_text(NULL, 0);
    assert_non_null(none);
    assert_non_null(nothing);
    assert_string_equal(empty, "");
    base_free(none);
    base_free(nothing);
    base_free(empty);
    base_free(NULL);
}

static void vectors_keep_what_was_pushed(void **state)
{
    (void)state;
    base_u64_vec vec = {0};
    opac_error error = {0};
    for (uint64_t i = 0; i < 100000; i++)
        assert_ok(base_u64_vec_push(&vec, i * i, &error), &error);
    assert_int_equal(vec.count, 100000);
    for (uint64_t i = 0; i < vec.count; i++)
        assert_true(vec.items[i] == i * i);
    base_u64_vec_fini(&vec);
    assert_null(vec.items);
    base_u64_vec_fini(&vec);
}

/* Growth by half: pushing n items moves at most about 3n of them. */
static void growth_is_geometric(void **state)
{
    (void)state;
    base_u32_vec vec = {0};
    size_t moved = 0;
    for (uint32_t i = 0; i < 1000000; i++) {
        size_t before = vec.capacity;
        assert_status(base_u32_vec_push(&vec, i, NULL), OPAC_OK);
        if (vec.capacity != before)
            moved += before;
    }
    assert_in_range(moved, 1, 3 * vec.count);
    base_u32_vec_fini(&vec);
}

static opac_status push_some(void *context, opac_error *error)
{
    (void)context;
    base_double_vec vec = {0};
    opac_status status = OPAC_OK;
    for (int i = 0; i < 1000 && status == OPAC_OK; i++) {
        size_t before = vec.count;
        status = base_double_vec_push(&vec, i, error);
        assert_int_equal(vec.count, before + (status == OPAC_OK));
    }
    base_double_vec_fini(&vec);
    return status;
}

static void failed_push_leaves_the_vector_whole(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(push_some, NULL), 5, 50);
}

static void arena_objects_are_aligned_and_apart(void **state)
{
    (void)state;
    enum {
        COUNT = 5000
    };
    base_arena arena = {0};
    unsigned char *objects[COUNT];
    size_t sizes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = i % 7 == 0 ? 0 : (i * 37) % 3000;
        objects[i] = base_arena_alloc(&arena, sizes[i], 1);
        assert_non_null(objects[i]);
        assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
        memset(objects[i], (int)(i % 251), sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(objects[i][j], i % 251);
    assert_true(arena.bytes >= 1000 * COUNT);
    base_arena_fini(&arena);
    assert_int_equal(arena.bytes, 0);
}

static void arena_takes_large_and_refuses_impossible(void **state)
{
    (void)state;
    base_arena arena = {0};
    unsigned char *large = base_arena_alloc_zeroed(&arena, 10000000, 1);
    assert_non_null(large);
    assert_int_equal(large[0] | large[9999999], 0);
    assert_null(base_arena_alloc(&arena, SIZE_MAX / 2, 2));
    assert_null(base_arena_alloc(&arena, SIZE_MAX - 8, 1));
    assert_string_equal(base_arena_copy_text(&arena, "abc", 2), "ab");
    base_arena_fini(&arena);
}

static opac_status fill_arena(void *context, opac_error *error)
{
    (void)context;
    base_arena arena = {0};
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < 100 && status == OPAC_OK; i++)
        if (base_arena_alloc(&arena, 1000, 1) == NULL)
            status = base_fail_memory(error);
    base_arena_fini(&arena);
    return status;
}

static void arena_survives_failed_blocks(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(fill_arena, NULL), 2, 10);
}

SUITE(memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_that_overflow_fail),
        cmocka_unit_test(nothing_is_still_an_allocation),
        cmocka_unit_test(vectors_keep_what_was_pushed),
        cmocka_unit_test(growth_is_geometric),
        cmocka_unit_test(failed_push_leaves_the_vector_whole),
        cmocka_unit_test(arena_objects_are_aligned_and_apart),
        cmocka_unit_test(arena_takes_large_and_refuses_impossible),
        cmocka_unit_test(arena_survives_failed_blocks),
    };
    return cmocka_run_group_tests_name("base.memory", tests, NULL, NULL);
}
