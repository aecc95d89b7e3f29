/* SPDX-License-Identifier: MIT */
/* The stack allocator: allocated memory stays unchanged, and released memory is reused. */
#include <stdalign.h>

#include "aborts.h"
#include "graph/workspace.h"
#include "support/check.h"
#include "support/faults.h"

static void arrays_do_not_overlap(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    uint32_t *arrays[200];
    for (uint32_t i = 0; i < 200; i++) {
        arrays[i] = graph_take_u32(&workspace, i * 7);
        assert_non_null(arrays[i]);
        assert_int_equal((uintptr_t)arrays[i] % alignof(max_align_t), 0);
        for (uint32_t j = 0; j < i * 7; j++)
            arrays[i][j] = i;
    }
    for (uint32_t i = 0; i < 200; i++)
        for (uint32_t j = 0; j < i * 7; j++)
            assert_int_equal(arrays[i][j], i);
    graph_workspace_fini(&workspace);
    graph_workspace_fini(&workspace);
}

static void take_a_few(graph_workspace *workspace, size_t count)
{
    graph_place place = graph_workspace_mark(workspace);
    for (size_t i = 0; i < 10; i++)
        assert_non_null(graph_take_u32(workspace, count + i));
    graph_workspace_release(workspace, place);
}

static void the_second_time_allocates_nothing(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    for (size_t count = 1; count < 1000000; count *= 10) {
        take_a_few(&workspace, count);
        faults_fail_at(1);
        take_a_few(&workspace, count);
        faults_fail_at(0);
        assert_int_equal(workspace.in_use, 0);
    }
    graph_workspace_fini(&workspace);
}

static void release_returns_to_the_mark(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    uint32_t *kept = graph_take_u32(&workspace, 100);
    kept[99] = 7;
    graph_place place = graph_workspace_mark(&workspace);
    uint32_t *first = graph_take_u32(&workspace, 50000);
    graph_workspace_release(&workspace, place);
    assert_ptr_equal(graph_take_u32(&workspace, 50000), first);
    graph_workspace_release(&workspace, place);
    assert_int_equal(kept[99], 7);
    assert_int_equal(workspace.in_use, 400);
    assert_in_range(workspace.peak, 200400, 200500);
    graph_workspace_fini(&workspace);
}

static void impossible_sizes_fail(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    assert_null(graph_take(&workspace, SIZE_MAX / 2, 4));
    assert_null(graph_take(&workspace, SIZE_MAX - 20, 1));
    assert_non_null(graph_take(&workspace, 0, 4));
    graph_workspace_fini(&workspace);
}

static void release_out_of_order(void)
{
    graph_workspace workspace = {0};
    graph_place first = graph_workspace_mark(&workspace);
    graph_take_u32(&workspace, 10);
    graph_place second = graph_workspace_mark(&workspace);
    graph_workspace_release(&workspace, first);
    graph_workspace_release(&workspace, second);
}

static void positions_are_released_in_reverse_order(void **state)
{
    (void)state;
    assert_aborts(release_out_of_order);
}

SUITE(workspace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_do_not_overlap),
        cmocka_unit_test(the_second_time_allocates_nothing),
        cmocka_unit_test(release_returns_to_the_mark),
        cmocka_unit_test(impossible_sizes_fail),
        cmocka_unit_test(positions_are_released_in_reverse_order),
    };
    return cmocka_run_group_tests_name("graph.workspace", tests, NULL, NULL);
}
