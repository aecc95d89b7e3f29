/* SPDX-License-Identifier: MIT */
/* Compares reachability with powers of the edge relation. */
#include "aborts.h"
#include "graph/reach.h"
#include "small.h"
#include "support/check.h"

static uint32_t image(const uint32_t *edges, uint32_t states, uint32_t set)
{
    uint32_t result = 0;
    for (uint32_t s = 0; s < states; s++)
        if (set & bit(s))
            result |= edges[s];
    return result;
}

/* The order lists the set, nearest first. */
static void check_order(const graph_reached *reached, const uint32_t *edges, uint32_t states,
                        uint32_t from)
{
    uint32_t next = 0, level = from, seen = 0;
    while (level != 0) {
        uint32_t listed = 0;
        for (uint32_t left = level; left != 0; left &= left - 1)
            listed |= bit(reached->order[next++]);
        assert_int_equal(listed, level);
        seen |= level;
        level = image(edges, states, level) & ~seen & mask_of(&reached->states);
    }
    assert_int_equal(reached->count, next);
    assert_int_equal(seen, mask_of(&reached->states));
}

static void check_forward(const small_case *sample, const base_bitset *from,
                          graph_workspace *workspace)
{
    graph_reached reached;
    opac_error error = {0};
    small_process small = small_from(&sample->process, sample->part, LEAVING_EDGE_IS_CUT);
    uint32_t edges[SMALL_STATES], start = mask_of(from) & small.inside, expected = start;
    small_edges(&small, edges);
    for (uint32_t steps = 0; steps <= small.states + 1; steps++) {
        assert_ok(graph_reach_forward(&sample->process, sample->part, from, steps, workspace,
                                      &reached, &error),
                  &error);
        assert_int_equal(mask_of(&reached.states), expected);
        check_order(&reached, edges, small.states, start);
        expected |= image(edges, small.states, expected);
    }
    assert_ok(graph_reach_forward(&sample->process, sample->part, from, GRAPH_NONE, workspace,
                                  &reached, &error),
              &error);
    assert_int_equal(mask_of(&reached.states), expected);
}

static void check_backward(const small_case *sample, const base_bitset *to, graph_part reverse_part,
                           graph_workspace *workspace)
{
    graph_reached reached;
    graph_reverse reverse;
    opac_error error = {0};
    small_process small = small_from(&sample->process, sample->part, LEAVING_EDGE_IS_CUT);
    uint32_t closure[SMALL_STATES], goal = mask_of(to) & small.inside, expected = goal;
    small_edges(&small, closure);
    small_close(small.states, closure);
    for (uint32_t s = 0; s < small.states; s++)
        if (closure[s] & goal)
            expected |= bit(s);
    assert_ok(graph_reverse_build(&sample->process, reverse_part, workspace, &reverse, &error),
              &error);
    assert_ok(graph_reach_backward(&sample->process, sample->part, &reverse, to, workspace,
                                   &reached, &error),
              &error);
    assert_int_equal(mask_of(&reached.states), expected);
    assert_int_equal(reached.count, base_bitset_count(&reached.states));
}

static void check_sets(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    base_bitset set;
    random_set(random, sample->process.state_count, 25, &set);
    check_forward(sample, &set, workspace);
    check_backward(sample, &set, (graph_part){0}, workspace);
    check_backward(sample, &set, sample->part, workspace);
    base_bitset_fini(&set);
}

static void sets_equal_the_definition(void **state)
{
    (void)state;
    for_each_small_case(4, 60000, check_sets);
}

/* Under a policy a state has the successors of one choice, or none. */
static void check_policy(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    base_bitset from, choices;
    graph_reached reached;
    opac_error error = {0};
    uint32_t policy[SMALL_STATES], edges[SMALL_STATES] = {0};
    const graph_process *p = &sample->process;
    random_set(random, p->state_count, 25, &from);
    for (uint32_t s = 0; s < p->state_count; s++) {
        uint32_t count = p->choice_begin[s + 1] - p->choice_begin[s];
        uint32_t pick = random_below(random, count + 1);
        policy[s] = pick < count ? p->choice_begin[s] + pick : GRAPH_NONE;
        if (pick < count)
            for (uint32_t e = p->edge_begin[policy[s]]; e < p->edge_begin[policy[s] + 1]; e++)
                edges[s] |= bit(p->target[e]);
    }
    uint32_t expected = mask_of(&from);
    for (uint32_t step = 0; step < p->state_count; step++)
        expected |= image(edges, p->state_count, expected);
    assert_ok(graph_take_set(workspace, p->choice_count, &choices, &error), &error);
    for (uint32_t s = 0; s < p->state_count; s++)
        if (policy[s] != GRAPH_NONE)
            base_bitset_add(&choices, policy[s]);
    assert_ok(graph_reach_forward(p, (graph_part){.choices = &choices}, &from, GRAPH_NONE,
                                  workspace, &reached, &error),
              &error);
    assert_int_equal(mask_of(&reached.states), expected);
    base_bitset_fini(&from);
}

static void reachability_under_policies(void **state)
{
    (void)state;
    for_each_small_case(14, 20000, check_policy);
}

/* Three states without choices, and sets that may be for others. */
static void reach_with(size_t states, size_t choices)
{
    static const uint32_t offsets[] = {0, 0, 0, 0};
    graph_process process = {.state_count = 3, .choice_begin = offsets, .edge_begin = offsets};
    graph_workspace workspace = {0};
    graph_reached reached;
    base_bitset from, part_choices;
    assert_status(base_bitset_init(&from, states, NULL), OPAC_OK);
    assert_status(base_bitset_init(&part_choices, choices, NULL), OPAC_OK);
    graph_part part = {.choices = &part_choices};
    graph_reach_forward(&process, part, &from, 1, &workspace, &reached, NULL);
    graph_workspace_fini(&workspace);
    base_bitset_fini(&from);
    base_bitset_fini(&part_choices);
}

static void reach_with_a_set_too_large(void)
{
    reach_with(4, 0);
}

static void reach_in_a_part_of_another(void)
{
    reach_with(3, 1);
}

static void sets_of_another_size_are_refused(void **state)
{
    (void)state;
    reach_with(3, 0);
    assert_aborts(reach_with_a_set_too_large);
    assert_aborts(reach_in_a_part_of_another);
}

SUITE(reach)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_equal_the_definition),
        cmocka_unit_test(reachability_under_policies),
        cmocka_unit_test(sets_of_another_size_are_refused),
    };
    return cmocka_run_group_tests_name("graph.reach", tests, NULL, NULL);
}
