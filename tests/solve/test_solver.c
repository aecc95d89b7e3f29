/* SPDX-License-Identifier: MIT */
/* Compares the solver with the best of all positional policies, in exact fractions. */
#include "chains.h"
#include "fields.h"
#include "solve/solver.h"
#include "support/brute.h"
#include "support/faults.h"
#include "support/rational.h"

static solve_solver *new_solver(void)
{
    solve_solver *solver = NULL;
    opac_error error = {0};
    assert_ok(solve_solver_new(&solver, &error), &error);
    return solver;
}

/* lower <= value <= upper, or of 1 - value. */
static void check_enclosed(const base_rational *value, bool complement, double lower, double upper)
{
    base_rational *scratch[2];
    brute_values_new(2, scratch);
    rational_set(scratch[0], value);
    if (complement)
        rational_complement(scratch[0]);
    rational_set_double(scratch[1], lower);
    assert_true(rational_compare(scratch[1], scratch[0]) <= 0);
    rational_set_double(scratch[1], upper);
    assert_true(rational_compare(scratch[1], scratch[0]) >= 0);
    brute_values_free(2, scratch);
}

/* The sets, the enclosure and the policy of a run, by state. */
static void check_result(const solve_problem *problem, const solve_options *options,
                         base_rational *const *best, const solve_result *result)
{
    base_rational *scratch[2], *attained[BRUTE_STATES];
    uint32_t n = problem->process->state_count;
    double precision = options->precision > 0 ? options->precision : 1e-6;
    brute_values_new(2, scratch);
    brute_values_new(n, attained);
    rational_complement(scratch[1]); /* 0 and 1 */
    assert_true(result->met);
    brute_evaluate(problem, result->choice, attained);
    for (uint32_t s = 0; s < n; s++) {
        double lower = result->lower[s], upper = result->upper[s];
        assert_int_equal(base_bitset_has(&result->zero, s),
                         rational_compare(best[s], scratch[0]) == 0);
        assert_int_equal(base_bitset_has(&result->one, s),
                         rational_compare(best[s], scratch[1]) == 0);
        check_enclosed(best[s], options->complement, lower, upper);
        check_enclosed(attained[s], options->complement, options->complement ? 0 : lower,
                       options->complement ? upper : 1);
        assert_true(upper - lower <= precision * lower * (1 + 1e-9));
    }
    brute_values_free(n, attained);
    brute_values_free(2, scratch);
}

/* Random valid upper bounds, from tight to trivial. */
static void loosen(uint64_t *random, uint32_t n, const double *from, double *upper)
{
    for (uint32_t s = 0; s < n; s++)
        upper[s] = random_below(random, 2) == 0
                       ? from[s]
                       : from[s] + (1.5 - from[s]) * random_below(random, 100) / 100;
}

/* The exact value equals the optimum and the value of the policy. */
static void check_exact(solve_solver *solver, const solve_problem *problem, bool complement,
                        base_rational *const *best)
{
    base_rational *value[1], *attained[BRUTE_STATES];
    uint32_t n = problem->process->state_count;
    opac_error error = {0};
    solve_result result;
    const solve_options options = {.exact = true, .complement = complement};
    assert_ok(solve_run(solver, problem, &options, &result, &error), &error);
    brute_values_new(1, value);
    brute_values_new(n, attained);
    brute_evaluate(problem, result.choice, attained);
    for (uint32_t s = 0; s < n; s++) {
        assert_ok(solve_exact_value(solver, s, value[0], &error), &error);
        assert_true(result.upper[s] - result.lower[s] <= 0x1p-52 * result.lower[s]);
        if (complement)
            rational_complement(value[0]);
        assert_int_equal(rational_compare(value[0], best[s]), 0);
        assert_int_equal(rational_compare(attained[s], best[s]), 0);
        check_enclosed(best[s], complement, result.lower[s], result.upper[s]);
    }
    brute_values_free(n, attained);
    brute_values_free(1, value);
}

static void check_case(uint64_t *random, solve_solver *solver, const solve_problem *problem)
{
    base_rational *best[BRUTE_STATES];
    base_bitset first;
    double upper[BRUTE_STATES];
    uint32_t n = problem->process->state_count;
    opac_error error = {0};
    solve_result result;
    solve_options options = {.complement = random_below(random, 3) == 0};
    brute_values_new(n, best);
    brute_optimum(problem, best);
    random_set(random, problem->process->choice_count, 30, &first);
    options.preferred = random_below(random, 2) == 0 ? &first : NULL;
    options.precision = random_below(random, 3) == 0 ? 1e-2 : 0;
    assert_ok(solve_run(solver, problem, &options, &result, &error), &error);
    check_result(problem, &options, best, &result);
    if (!options.complement) {
        loosen(random, n, result.upper, upper);
        options.upper = upper;
        assert_ok(solve_run(solver, problem, &options, &result, &error), &error);
        check_result(problem, &options, best, &result);
    }
    if (random_below(random, 4) == 0)
        check_exact(solver, problem, options.complement, best);
    base_bitset_fini(&first);
    brute_values_free(n, best);
}

static void random_problems_equal_the_best_of_all_policies(void **state)
{
    (void)state;
    static const random_shape shapes[] = {{4, 3, 2}, {5, 2, 3}, {6, 2, 2}, {4, 2, 4}};
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(530);
    solve_solver *solver = new_solver();
    for (uint32_t i = 0; i < 3000; i++) {
        brute_case drawn;
        brute_draw(&random, shapes[i % 4], (brute_kind)random_below(&random, BRUTE_KINDS), &drawn);
        solve_problem problem = brute_problem(&drawn);
        check_case(&random, solver, &problem);
        brute_fini(&drawn);
    }
    solve_solver_free(solver);
}

/* 0 ─► ½ 1, ½ 2; 1 wins; 2 has no choices; 3 has a choice to 0 and one to itself. */
static void draw_coin(hand *h)
{
    hand_begin(h);
    hand_state(h);
    hand_choice(h, 0);
    hand_edge(h, 1, 0.5);
    hand_edge(h, 2, 0.5);
    hand_state(h);
    hand_move(h, 1, 1);
    hand_state(h);
    hand_state(h);
    hand_move(h, 0, 3);
    hand_move(h, 0, 0);
    h->pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(h, 1);
}

static void the_graph_alone_decides_what_it_can(void **state)
{
    (void)state;
    hand h;
    solve_result result;
    solve_solver *solver = new_solver();
    draw_coin(&h);
    const solve_options options = {.graph_only = true};
    assert_status(solve_run(solver, &h.problem, &options, &result, NULL), OPAC_OK);
    const double lower[] = {0, 1, 0, 0}, upper[] = {1, 1, 0, 1};
    const uint32_t choice[] = {GRAPH_NONE, 1, GRAPH_NONE, GRAPH_NONE};
    assert_memory_equal(result.lower, lower, sizeof lower);
    assert_memory_equal(result.upper, upper, sizeof upper);
    assert_memory_equal(result.choice, choice, sizeof choice);
    assert_false(result.met);
    assert_int_equal(result.components, 1);
    assert_int_equal(chain_mask(&result.winning), 2);

    const solve_options complement = {.graph_only = true, .complement = true, .no_policy = true};
    assert_status(solve_run(solver, &h.problem, &complement, &result, NULL), OPAC_OK);
    assert_true(result.lower[1] == 0);
    assert_true(result.upper[1] == 0);
    assert_true(result.lower[2] == 1);
    assert_true(result.upper[2] == 1);
    assert_true(result.lower[0] == 0);
    assert_true(result.upper[0] == 1);
    assert_null(result.choice);
    h.problem.pair_count = 0;
    assert_status(solve_run(solver, &h.problem, &options, &result, NULL), OPAC_OK);
    assert_true(result.met); /* all are 0 */
    solve_solver_free(solver);
    hand_fini(&h);
}

static void values_and_policy_of_a_coin(void **state)
{
    (void)state;
    hand h;
    solve_result result;
    solve_solver *solver = new_solver();
    draw_coin(&h);
    for (uint32_t complement = 0; complement < 2; complement++) {
        const solve_options options = {.complement = complement != 0};
        assert_status(solve_run(solver, &h.problem, &options, &result, NULL), OPAC_OK);
        assert_true(result.met);
        for (uint32_t s = 0; s < 4; s += 3) {
            assert_true(result.lower[s] <= 0.5);
            assert_true(result.upper[s] >= 0.5);
            assert_true(result.upper[s] - result.lower[s] <= 1e-6);
        }
        const uint32_t choice[] = {0, 1, GRAPH_NONE, 3};
        assert_memory_equal(result.choice, choice, sizeof choice);
    }
    solve_solver_free(solver);
    hand_fini(&h);
}

static void a_run_without_states(void **state)
{
    (void)state;
    hand h;
    solve_result result;
    solve_solver *solver = new_solver();
    hand_begin(&h);
    hand_end(&h, 1);
    assert_status(solve_run(solver, &h.problem, NULL, &result, NULL), OPAC_OK);
    assert_true(result.met);
    assert_int_equal(result.one.size, 0);
    solve_solver_free(solver);
    solve_solver_free(NULL);
    hand_fini(&h);
}

static void cancellation_stops_a_run(void **state)
{
    (void)state;
    hand h;
    solve_result result;
    opac_cancel *cancel;
    opac_error error = {0};
    solve_solver *solver = new_solver();
    draw_coin(&h);
    assert_status(opac_cancel_new(&cancel, NULL), OPAC_OK);
    const solve_options options = {.cancel = cancel};
    opac_cancel_request(cancel);
    assert_status(solve_run(solver, &h.problem, &options, &result, &error), OPAC_ERROR_CANCELLED);
    assert_string_equal(error.message, "stopped while solving");
    opac_cancel_reset(cancel);
    assert_status(solve_run(solver, &h.problem, &options, &result, &error), OPAC_OK);
    opac_cancel_free(cancel);
    solve_solver_free(solver);
    hand_fini(&h);
}

static void fractions_need_an_exact_run(void **state)
{
    (void)state;
    hand h;
    solve_result result;
    opac_error error = {0};
    solve_solver *solver = new_solver();
    draw_coin(&h);
    assert_status(solve_run(solver, &h.problem, NULL, &result, NULL), OPAC_OK);
    assert_status(solve_exact_value(solver, 0, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the last run was not exact");
    solve_solver_free(solver);
    hand_fini(&h);
}

/*
 * Two runs yield the same bytes, also with threads and after other problems. After the first few runs,
 * which grow the workspace, they allocate nothing.
 */
static void runs_are_reproducible(void **state)
{
    (void)state;
    enum {
        STATES = 3000
    };
    field f, other;
    hand h;
    base_pool *pool;
    solve_result result[3];
    solve_solver *solver[3];
    field_init(&f, 531, STATES);
    field_init(&other, 532, STATES);
    draw_coin(&h);
    assert_status(base_pool_new(2, &pool, NULL), OPAC_OK);
    const solve_options plain = {0}, threads = {.pool = pool};
    for (uint32_t i = 0; i < 3; i++)
        solver[i] = new_solver();
    assert_status(solve_run(solver[1], &other.problem, NULL, &result[1], NULL), OPAC_OK);
    assert_status(solve_run(solver[1], &h.problem, NULL, &result[1], NULL), OPAC_OK);
    for (uint32_t i = 0; i < 3; i++)
        assert_status(
            solve_run(solver[i], &f.problem, i == 2 ? &threads : &plain, &result[i], NULL),
            OPAC_OK);
    for (uint32_t i = 1; i < 3; i++) {
        assert_memory_equal(result[0].lower, result[i].lower, STATES * sizeof(double));
        assert_memory_equal(result[0].upper, result[i].upper, STATES * sizeof(double));
        assert_memory_equal(result[0].choice, result[i].choice, STATES * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < 5; i++) {
        faults_fail_at(i == 4);
        assert_status(solve_run(solver[0], &f.problem, &plain, &result[0], NULL), OPAC_OK);
    }
    faults_fail_at(0);
    for (uint32_t i = 0; i < 3; i++)
        solve_solver_free(solver[i]);
    base_pool_free(pool);
    field_fini(&f);
    field_fini(&other);
    hand_fini(&h);
}

static opac_status run_fresh(void *context, opac_error *error)
{
    const field *f = context;
    solve_solver *solver = NULL;
    solve_result result;
    double *upper = calloc(f->process.state_count, sizeof *upper);
    for (uint32_t s = 0; s < f->process.state_count; s++)
        upper[s] = 1;
    const solve_options options = {.upper = upper};
    opac_status status = solve_solver_new(&solver, error);
    if (status == OPAC_OK)
        status = solve_run(solver, &f->problem, &options, &result, error);
    solve_solver_free(solver);
    free(upper);
    return status;
}

static void every_failure_is_reported(void **state)
{
    (void)state;
    field f;
    field_init(&f, 533, 600);
    assert_in_range(faults_sweep(run_fresh, &f), 10, 500);
    field_fini(&f);
}

SUITE(solver)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_equal_the_best_of_all_policies),
        cmocka_unit_test(the_graph_alone_decides_what_it_can),
        cmocka_unit_test(values_and_policy_of_a_coin),
        cmocka_unit_test(a_run_without_states),
        cmocka_unit_test(cancellation_stops_a_run),
        cmocka_unit_test(fractions_need_an_exact_run),
        cmocka_unit_test(runs_are_reproducible),
        cmocka_unit_test(every_failure_is_reported),
    };
    return cmocka_run_group_tests_name("solve.solver", tests, NULL, NULL);
}
