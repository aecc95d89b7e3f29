/* SPDX-License-Identifier: MIT */
/* Reachability against powers of the edge relation. */
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

static void sets_equal_the_definition(void **state)
{
    (void)state;
    uint64_t random = random_seed(4);
    graph_workspace workspace = {0};
    for (int i = 0; i < 60000; i++) {
        small_case sample;
        base_bitset set;
        graph_place place = graph_workspace_mark(&workspace);
        small_case_init(&sample, &random);
        random_set(&random, sample.process.state_count, 25, &set);
        check_forward(&sample, &set, &workspace);
        check_backward(&sample, &set, (graph_part){0}, &workspace);
        check_backward(&sample, &set, sample.part, &workspace);
        base_bitset_fini(&set);
        small_case_fini(&sample);
        graph_workspace_release(&workspace, place);
    }
    graph_workspace_fini(&workspace);
}

/* Under a policy a state has the successors of one choice, or none. */
static void policies_are_parts(void **state)
{
    (void)state;
    uint64_t random = random_seed(14);
    graph_workspace workspace = {0};
    opac_error error = {0};
    for (int i = 0; i < 20000; i++) {
        small_case sample;
        base_bitset from, choices;
        graph_reached reached;
        uint32_t policy[SMALL_STATES], edges[SMALL_STATES] = {0};
        graph_place place = graph_workspace_mark(&workspace);
        small_case_init(&sample, &random);
        const graph_process *p = &sample.process;
        random_set(&random, p->state_count, 25, &from);
        for (uint32_t s = 0; s < p->state_count; s++) {
            uint32_t count = p->choice_begin[s + 1] - p->choice_begin[s];
            uint32_t pick = random_below(&random, count + 1);
            policy[s] = pick < count ? p->choice_begin[s] + pick : GRAPH_NONE;
            if (pick < count)
                for (uint32_t e = p->edge_begin[policy[s]]; e < p->edge_begin[policy[s] + 1]; e++)
                    edges[s] |= bit(p->target[e]);
        }
        uint32_t expected = mask_of(&from);
        for (uint32_t step = 0; step < p->state_count; step++)
            expected |= image(edges, p->state_count, expected);
        assert_ok(graph_policy_choices(p, policy, &workspace, &choices, &error), &error);
        assert_ok(graph_reach_forward(p, (graph_part){.choices = &choices}, &from, GRAPH_NONE,
                                      &workspace, &reached, &error),
                  &error);
        assert_int_equal(mask_of(&reached.states), expected);
        base_bitset_fini(&from);
        small_case_fini(&sample);
        graph_workspace_release(&workspace, place);
    }
    graph_workspace_fini(&workspace);
}

/* Three states, and sets for others. */
static void reach_with_a_set_too_large(void)
{
    static const uint32_t offsets[] = {0, 0, 0, 0};
    graph_process process = {.state_count = 3, .choice_begin = offsets, .edge_begin = offsets};
    graph_workspace workspace = {0};
    graph_reached reached;
    base_bitset from;
    assert_status(base_bitset_init(&from, 4, NULL), OPAC_OK);
    graph_reach_forward(&process, (graph_part){0}, &from, 1, &workspace, &reached, NULL);
}

static void reach_in_a_part_of_another(void)
{
    static const uint32_t offsets[] = {0, 0, 0, 0};
    graph_process process = {.state_count = 3, .choice_begin = offsets, .edge_begin = offsets};
    graph_workspace workspace = {0};
    graph_reached reached;
    base_bitset from, choices;
    assert_status(base_bitset_init(&from, 3, NULL), OPAC_OK);
    assert_status(base_bitset_init(&choices, 1, NULL), OPAC_OK);
    graph_part part = {.choices = &choices};
    graph_reach_forward(&process, part, &from, 1, &workspace, &reached, NULL);
}

static void sets_of_another_size_are_a_mistake(void **state)
{
    (void)state;
    assert_aborts(reach_with_a_set_too_large);
    assert_aborts(reach_in_a_part_of_another);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_equal_the_definition),
        cmocka_unit_test(policies_are_parts),
        cmocka_unit_test(sets_of_another_size_are_a_mistake),
    };
    return cmocka_run_group_tests_name("graph.reach", tests, NULL, NULL);
}
