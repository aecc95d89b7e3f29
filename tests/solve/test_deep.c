/* SPDX-License-Identifier: MIT */
/* Paths of a million steps, which are deep for graph searches, blocks and ranks. */
#include <math.h>

#include "graph/graph_builder.h"
#include "solve/solver.h"
#include "support/check.h"

enum {
    LENGTH = 1000000
};

static void add_choice(graph_builder *builder, uint32_t target, double prob, uint32_t other)
{
    assert_status(graph_builder_choice(builder, NULL), OPAC_OK);
    assert_status(graph_builder_edge(builder, target, prob, NULL), OPAC_OK);
    if (prob < 1)
        assert_status(graph_builder_edge(builder, other, 1 - prob, NULL), OPAC_OK);
}

static void add_sinks(graph_builder *builder)
{
    for (uint32_t s = LENGTH; s < LENGTH + 2; s++) {
        assert_status(graph_builder_state(builder, NULL), OPAC_OK);
        add_choice(builder, s, 1, 0);
    }
}

/*
 * State s < LENGTH: back to s - 1 (0: stays), on to s + 1, or with a half chance
 * lost. With `half` the last state can go on by the last choice only.
 */
static void make_path(bool half, graph_process *process)
{
    graph_builder builder = {.weighted = true};
    for (uint32_t s = 0; s < LENGTH; s++) {
        assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
        add_choice(&builder, s > 0 ? s - 1 : 0, 1, 0);
        add_choice(&builder, half && s == LENGTH - 1 ? 0 : s + 1, 0.75, s);
        add_choice(&builder, s + 1, 0.5, LENGTH + 1);
    }
    add_sinks(&builder);
    assert_status(graph_builder_finish(&builder, process, NULL), OPAC_OK);
}

static solve_solver *solve(const graph_process *process, solve_result *result)
{
    solve_solver *solver;
    opac_error error = {0};
    const solve_rabin_pair pair = {.inf = 1};
    uint64_t *marks = calloc(process->choice_count, sizeof *marks);
    assert_non_null(marks);
    marks[process->choice_count - 2] = 1;
    const solve_problem problem = {
        .process = process, .marks = marks, .pairs = &pair, .pair_count = 1};
    assert_ok(solve_solver_new(&solver, &error), &error);
    assert_ok(solve_run(solver, &problem, NULL, result, &error), &error);
    assert_true(result->met);
    free(marks);
    return solver;
}

static void check_path(bool half)
{
    graph_process process;
    solve_result result;
    make_path(half, &process);
    solve_solver *solver = solve(&process, &result);
    for (uint32_t s = 0; s < LENGTH; s++) {
        double value = half ? 0.5 : 1;
        assert_true(result.lower[s] <= value);
        assert_true(result.upper[s] >= value);
        assert_int_equal(result.choice[s], 3 * s + 1 + (half && s == LENGTH - 1));
    }
    solve_solver_free(solver);
    graph_process_fini(&process);
}

/* Value 1, found on the graph. */
static void a_long_path_has_value_one(void **state)
{
    (void)state;
    check_path(false);
}

/* All but the last step lies in one end component of value 1/2. */
static void a_long_component_is_left_at_its_end(void **state)
{
    (void)state;
    check_path(true);
}

/* Each state is a block that loses with a small probability: the value is (1 - 1e-7)^(LENGTH - s). */
static void a_long_chain_of_blocks(void **state)
{
    (void)state;
    graph_builder builder = {.weighted = true};
    graph_process process;
    solve_result result;
    for (uint32_t s = 0; s < LENGTH; s++) {
        assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
        add_choice(&builder, s + 1, 1 - 1e-7, LENGTH + 1);
    }
    add_sinks(&builder);
    assert_status(graph_builder_finish(&builder, &process, NULL), OPAC_OK);
    solve_solver *solver = solve(&process, &result);
    for (uint32_t s = 0; s < LENGTH; s += 1000) {
        double value = exp((LENGTH - s) * log1p(-1e-7));
        assert_true(result.lower[s] <= value * (1 + 1e-9));
        assert_true(result.upper[s] >= value * (1 - 1e-9));
        assert_int_equal(result.choice[s], s);
    }
    solve_solver_free(solver);
    graph_process_fini(&process);
}

SUITE(deep)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_path_has_value_one),
        cmocka_unit_test(a_long_component_is_left_at_its_end),
        cmocka_unit_test(a_long_chain_of_blocks),
    };
    return cmocka_run_group_tests_name("solve.deep", tests, NULL, NULL);
}
