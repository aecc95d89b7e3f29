/* SPDX-License-Identifier: MIT */
/* Compares winning end components with an enumeration of all positional policies, and with cases by hand. */
#include "chains.h"
#include "graphs.h"
#include "support/brute.h"
#include "support/faults.h"

/* The choices of winning states lead to winning states, so runs stay in a winning component. */
static void check_closed(const solve_problem *problem, const solve_winning *winning)
{
    const graph_process *process = problem->process;
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t c = winning->choice[s];
        assert_int_equal(c != GRAPH_NONE, base_bitset_has(&winning->states, s));
        if (c == GRAPH_NONE)
            continue;
        assert_in_range(c, process->choice_begin[s], process->choice_begin[s + 1] - 1);
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            assert_true(base_bitset_has(&winning->states, process->target[e]));
    }
}

/* The states of value 1 and 0 agree with all policies, and the computed policy attains value 1. */
static void check_problem(const solve_problem *problem, graph_workspace *workspace)
{
    graphs g;
    uint32_t policy[CHAIN_STATES];
    opac_error error = {0};
    graph_place place = graph_workspace_mark(workspace);
    chain_wins best = chain_best(problem);
    uint32_t all = chain_bit(problem->process->state_count) - 1;
    assert_ok(graphs_find(problem, workspace, &g, &error), &error);
    check_closed(problem, &g.winning);
    assert_int_equal(chain_mask(&g.reached.one), best.surely);
    assert_int_equal(chain_mask(&g.reached.zero), all & ~best.perhaps);
    assert_int_equal(g.winning.count > 0, best.perhaps != 0);
    for (uint32_t s = 0; s < problem->process->state_count; s++)
        policy[s] = base_bitset_has(&g.winning.states, s) ? g.winning.choice[s]
                    : base_bitset_has(&g.reached.one, s)  ? g.reached.choice[s]
                                                          : GRAPH_NONE;
    assert_int_equal(chain_judge(problem, policy).surely & best.surely, best.surely);
    graph_workspace_release(workspace, place);
}

static void check_random(uint64_t seed, uint32_t rounds, random_shape largest)
{
    uint64_t random = random_seed(seed);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < rounds; i++) {
        brute_case drawn;
        random_shape shape = {
            .states = random_below(&random, largest.states + 1),
            .most_choices = 1 + random_below(&random, largest.most_choices),
            .most_edges = 1 + random_below(&random, largest.most_edges),
        };
        brute_draw(&random, shape, (brute_kind)random_below(&random, BRUTE_KINDS), &drawn);
        solve_problem problem = brute_problem(&drawn);
        check_problem(&problem, &workspace);
        brute_fini(&drawn);
    }
    graph_workspace_fini(&workspace);
}

static void random_problems_equal_the_best_of_all_policies(void **state)
{
    (void)state;
    check_random(501, 20000, (random_shape){5, 3, 2});
    check_random(502, 1500, (random_shape){7, 2, 3});
}

/*
 * Processes without sinks, with few edges and many marks: they have nested end components, of which several
 * pairs win parts.
 */
static void random_components_equal_the_best_of_all_policies(void **state)
{
    (void)state;
    uint64_t random = random_seed(503);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < 20000; i++) {
        graph_process process;
        uint64_t marks[64];
        solve_rabin_pair pairs[3];
        random_process(&random, (random_shape){1 + random_below(&random, 5), 3, 1}, &process);
        for (uint32_t c = 0; c < process.choice_count; c++)
            marks[c] = random_u32(&random) & random_u32(&random) & 63;
        for (uint32_t p = 0; p < 3; p++)
            pairs[p] = (solve_rabin_pair){.fin = random_u32(&random) & random_u32(&random) & 63,
                                          .inf = UINT64_C(1) << random_below(&random, 6)};
        solve_problem problem = {.process = &process,
                                 .marks = marks,
                                 .pairs = pairs,
                                 .pair_count = random_below(&random, 4)};
        check_problem(&problem, &workspace);
        graph_process_fini(&process);
    }
    graph_workspace_fini(&workspace);
}

/*
 * 0 ⇄ 1 ⇄ 2, by separate choices. Pair 0 wins between 0 and 1, and pair 1 between 1 and 2. If state 1
 * followed pair 1, a run from 0 that follows pair 0 through 1 would never return to 0. A run that follows
 * both loses, because 1 ⇄ 0 has a fin mark of pair 1.
 */
static void policies_of_pairs_do_not_mix(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    graphs g;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_move(&h, 1, 1); /* inf of pair 0, fin of pair 1 */
    hand_state(&h);
    hand_move(&h, 0, 2);
    hand_move(&h, 0, 0);
    hand_state(&h);
    hand_move(&h, 2, 1); /* inf of pair 1, fin of pair 0 */
    h.pairs[0] = (solve_rabin_pair){.fin = 2, .inf = 1};
    h.pairs[1] = (solve_rabin_pair){.fin = 1, .inf = 2};
    hand_end(&h, 2);
    check_problem(&h.problem, &workspace);
    assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
    assert_int_equal(g.winning.count, 1); /* all states are one component, in which pair 0 wins */
    assert_int_equal(chain_mask(&g.winning.states), 3);
    assert_int_equal(g.winning.choice[1], 2);
    assert_int_equal(g.reached.choice[2], 3);
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/* States take their lowest choice of inf; the others a shortest path, and of those the lowest choice. */
static void the_policy_takes_the_lowest_choices(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    graphs g;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_move(&h, 1, 1);
    hand_move(&h, 1, 0);
    hand_state(&h);
    hand_move(&h, 0, 2);
    hand_move(&h, 0, 0);
    hand_move(&h, 0, 0);
    hand_state(&h);
    hand_move(&h, 0, 1);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
    assert_int_equal(g.winning.count, 1);
    assert_int_equal(g.winning.choice[0], 1);
    assert_int_equal(g.winning.choice[1], 4);
    assert_int_equal(g.winning.choice[2], 6);
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

static void no_state_wins_without_pairs_states_or_choices(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    graphs g;
    hand h;
    hand_begin(&h);
    hand_end(&h, 1);
    assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
    assert_int_equal(g.winning.count, 0);
    hand_fini(&h);
    for (uint32_t pairs = 0; pairs < 2; pairs++) {
        hand_begin(&h);
        hand_state(&h);
        hand_move(&h, ~UINT64_C(0), 0);
        hand_state(&h);
        h.pairs[0] = (solve_rabin_pair){.inf = UINT64_C(1) << 63};
        hand_end(&h, pairs);
        assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
        assert_int_equal(chain_mask(&g.reached.one), pairs);
        assert_int_equal(chain_mask(&g.reached.zero), 3 - pairs);
        hand_fini(&h);
    }
    graph_workspace_fini(&workspace);
}

static opac_status find_fresh(void *context, opac_error *error)
{
    const solve_problem *problem = context;
    graph_workspace workspace = {0};
    solve_winning winning;
    graph_reverse reverse;
    opac_status status =
        graph_reverse_build(problem->process, (graph_part){0}, &workspace, &reverse, error);
    size_t before = workspace.in_use;
    if (status == OPAC_OK) {
        status = solve_winning_find(problem, &reverse, &workspace, &winning, error);
        if (status != OPAC_OK)
            assert_int_equal(workspace.in_use, before);
    }
    graph_workspace_fini(&workspace);
    return status;
}

/* Large enough that a call needs several blocks of the workspace. */
static void every_failure_is_reported(void **state)
{
    (void)state;
    enum {
        STATES = 3000
    };
    uint64_t random = random_seed(504);
    graph_process process;
    random_process(&random, (random_shape){STATES, 4, 2}, &process);
    uint64_t *marks = calloc(process.choice_count, sizeof *marks);
    const solve_rabin_pair pairs[] = {{.fin = 4, .inf = 1}, {.fin = 1, .inf = 2}};
    for (uint32_t c = 0; c < process.choice_count; c++)
        marks[c] = random_u32(&random) & 7;
    solve_problem problem = {.process = &process, .marks = marks, .pairs = pairs, .pair_count = 2};
    assert_in_range(faults_sweep(find_fresh, &problem), 4, 200);
    free(marks);
    graph_process_fini(&process);
}

SUITE(winning)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_equal_the_best_of_all_policies),
        cmocka_unit_test(random_components_equal_the_best_of_all_policies),
        cmocka_unit_test(policies_of_pairs_do_not_mix),
        cmocka_unit_test(the_policy_takes_the_lowest_choices),
        cmocka_unit_test(no_state_wins_without_pairs_states_or_choices),
        cmocka_unit_test(every_failure_is_reported),
    };
    return cmocka_run_group_tests_name("solve.winning", tests, NULL, NULL);
}
