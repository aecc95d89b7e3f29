/* SPDX-License-Identifier: MIT */
/*
 * Compares end components with an enumeration of all subsets of states; bounds the work on difficult
 * families.
 */
#include "graph/graph_builder.h"
#include "graph/mec.h"
#include "shapes.h"
#include "small.h"
#include "support/check.h"
#include "support/faults.h"

/* The choices of states in the set that surely stay in it, as edges. */
static bool is_end_component(const small_process *small, uint32_t set)
{
    uint32_t closure[SMALL_STATES] = {0};
    for (uint32_t c = 0; c < small->choices; c++)
        if (small->exists[c] && (set & bit(small->owner[c])) && !(small->successors[c] & ~set))
            closure[small->owner[c]] |= small->successors[c];
    small_close(small->states, closure);
    for (uint32_t s = 0; s < small->states; s++)
        if ((set & bit(s)) && (closure[s] & set) != set)
            return false; /* a state without choices does not reach itself */
    return set != 0;
}

/* The largest end component that contains this state; 0: none. */
static uint32_t largest_with(const bool *is_end, uint32_t subsets, uint32_t state)
{
    uint32_t largest = 0;
    for (uint32_t set = 0; set < subsets; set++)
        if (is_end[set] && (set & bit(state)))
            largest |= set; /* the union of end components that intersect is an end component */
    return largest;
}

static void check_mec(const small_process *small, const graph_mec *mec)
{
    bool is_end[1 << SMALL_STATES];
    uint32_t subsets = bit(small->states), next = 0, place = 0;
    for (uint32_t set = 0; set < subsets; set++)
        is_end[set] = is_end_component(small, set);
    for (uint32_t s = 0; s < small->states; s++) {
        uint32_t largest = largest_with(is_end, subsets, s);
        assert_true(largest == 0 || is_end[largest]);
        if (largest == 0)
            assert_int_equal(mec->component[s], GRAPH_NONE);
        else if ((largest & (bit(s) - 1)) == 0)
            assert_int_equal(mec->component[s],
                             next++); /* components are numbered by their smallest state */
        for (uint32_t t = 0; t < small->states && largest != 0; t++)
            assert_int_equal(mec->component[s] == mec->component[t], (largest & bit(t)) != 0);
        for (uint32_t c = 0; c < small->choices; c++)
            if (small->owner[c] == s)
                assert_int_equal(base_bitset_has(&mec->choices, c),
                                 small->exists[c] && largest != 0 &&
                                     !(small->successors[c] & ~largest));
    }
    assert_int_equal(mec->count, next);
    for (uint32_t i = 0; i < mec->count; i++) {
        assert_int_equal(mec->begin[i], place);
        for (uint32_t s = 0; s < small->states; s++)
            if (mec->component[s] == i)
                assert_int_equal(mec->state[place++], s);
    }
    assert_int_equal(mec->begin[mec->count], place);
}

static void check_case(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    (void)random;
    graph_mec mec;
    opac_error error = {0};
    small_process small = small_from(&sample->process, sample->part, LEAVING_CHOICE_IS_GONE);
    assert_ok(graph_mec_find(&sample->process, sample->part, workspace, &mec, &error), &error);
    check_mec(&small, &mec);
}

static void components_equal_the_definition(void **state)
{
    (void)state;
    for_each_small_case(3, random_rounds(30000, 200000), check_case);
}

static void add_choice(graph_builder *builder, uint32_t a, uint32_t b)
{
    assert_status(graph_builder_choice(builder, NULL), OPAC_OK);
    shape_edge(builder, a);
    if (b != a)
        shape_edge(builder, b);
}

/*
 * A ladder of `height` states from `base` up, and a deadlock on top: state i may
 * stay, or step to i-1 or i+1. Every round finds that the step of the topmost
 * state leaves, and peels it off: height + 1 rounds.
 */
static void add_ladder(graph_builder *builder, uint32_t base, uint32_t height)
{
    for (uint32_t i = 0; i < height; i++) {
        assert_status(graph_builder_state(builder, NULL), OPAC_OK);
        if (i > 0)
            add_choice(builder, base + i, base + i);
        add_choice(builder, base + (i > 0 ? i - 1 : 1), base + i + 1);
    }
    assert_status(graph_builder_state(builder, NULL), OPAC_OK);
}

static void find(graph_builder *builder, graph_process *process, graph_workspace *workspace,
                 graph_mec *mec)
{
    shape_done(builder, process);
    assert_status(graph_mec_find(process, (graph_part){0}, workspace, mec, NULL), OPAC_OK);
}

static void one_tall_ladder_is_quadratic(void **state)
{
    (void)state;
    enum {
        HEIGHT = 400
    };
    graph_builder builder = {0};
    graph_process process;
    graph_workspace workspace = {0};
    graph_mec mec;
    add_ladder(&builder, 0, HEIGHT);
    find(&builder, &process, &workspace, &mec);
    assert_int_equal(mec.count, HEIGHT - 1);
    assert_in_range(mec.searched, HEIGHT * HEIGHT / 2, HEIGHT * (HEIGHT + 5) / 2);
    graph_workspace_fini(&workspace);
    graph_process_fini(&process);
}

/* Changes in one ladder cause no work in the others. */
static void many_short_ladders_are_linear(void **state)
{
    (void)state;
    enum {
        HEIGHT = 4,
        LADDERS = 2000
    };
    graph_builder builder = {0};
    graph_process process;
    graph_workspace workspace = {0};
    graph_mec mec;
    for (uint32_t i = 0; i < LADDERS; i++)
        add_ladder(&builder, i * (HEIGHT + 1), HEIGHT);
    find(&builder, &process, &workspace, &mec);
    assert_int_equal(mec.count, LADDERS * (HEIGHT - 1));
    assert_in_range(mec.searched, 1, LADDERS * HEIGHT * (HEIGHT + 5) / 2);
    graph_workspace_fini(&workspace);
    graph_process_fini(&process);
}

/* A cycle with an edge to a deadlock at its end: removed completely after one search. */
static void a_leaking_cycle_is_removed_at_once(void **state)
{
    (void)state;
    enum {
        LENGTH = 100000
    };
    graph_builder builder = {0};
    graph_process process;
    graph_workspace workspace = {0};
    graph_mec mec;
    for (uint32_t s = 0; s < LENGTH; s++) {
        shape_state(&builder);
        shape_edge(&builder, (s + 1) % LENGTH);
    }
    shape_edge(&builder, LENGTH);
    assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
    find(&builder, &process, &workspace, &mec);
    assert_int_equal(mec.count, 0);
    assert_int_equal(base_bitset_count(&mec.choices), 0);
    assert_int_equal(mec.searched, LENGTH);
    graph_workspace_fini(&workspace);
    graph_process_fini(&process);
}

static void known_shapes(void **state)
{
    (void)state;
    graph_process process;
    graph_workspace workspace = {0};
    graph_mec mec;
    graph_builder builder = {0};
    find(&builder, &process, &workspace, &mec);
    assert_int_equal(mec.count, 0);
    assert_int_equal(mec.begin[0], 0);
    graph_process_fini(&process);

    shape_path(1000, false, &process);
    assert_status(graph_mec_find(&process, (graph_part){0}, &workspace, &mec, NULL), OPAC_OK);
    assert_int_equal(mec.count, 1);
    assert_int_equal(mec.state[0], 999);
    graph_process_fini(&process);

    shape_complete(200, &process);
    assert_status(graph_mec_find(&process, (graph_part){0}, &workspace, &mec, NULL), OPAC_OK);
    assert_int_equal(mec.count, 1);
    assert_int_equal(mec.searched, 200);
    graph_process_fini(&process);
    graph_workspace_fini(&workspace);
}

static void a_reused_workspace_allocates_nothing(void **state)
{
    (void)state;
    uint64_t random = random_seed(12);
    graph_process process;
    graph_workspace workspace = {0};
    graph_mec mec;
    random_process(&random, (random_shape){12, 3, 3}, &process);
    for (int i = 0; i < 3; i++) {
        graph_place place = graph_workspace_mark(&workspace);
        assert_status(graph_mec_find(&process, (graph_part){0}, &workspace, &mec, NULL), OPAC_OK);
        graph_workspace_release(&workspace, place);
        faults_fail_at(1);
    }
    faults_fail_at(0);
    graph_workspace_fini(&workspace);
    graph_process_fini(&process);
}

SUITE(mec)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_equal_the_definition),
        cmocka_unit_test(one_tall_ladder_is_quadratic),
        cmocka_unit_test(many_short_ladders_are_linear),
        cmocka_unit_test(a_leaking_cycle_is_removed_at_once),
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(a_reused_workspace_allocates_nothing),
    };
    return cmocka_run_group_tests_name("graph.mec", tests, NULL, NULL);
}
