/* SPDX-License-Identifier: MIT */
/* Compares finite horizons with dynamic programming over the vertices of all rows, in long double. */
#include "interval_brute.h"
#include "support/faults.h"

enum {
    MOST_STEPS = 8
};

typedef struct question {
    tiny t;
    uint64_t target_word;
    base_bitset target;
    double prob[TINY_EDGES];
    solve_horizon horizon;
    bool numbers;
} question;

/* The best (or worst) vertex of a choice. */
static long double step(const question *x, uint32_t c, const long double *value)
{
    const tiny *t = &x->t;
    bool optimistic = x->horizon.optimistic;
    uint32_t edges = t->edge_begin[c + 1] - t->edge_begin[c];
    long double best = optimistic ? -1 : 2;
    if (tiny_unknown(t, c))
        return optimistic;
    for (uint32_t v = 0; v < t->vertex_count[c]; v++) {
        long double sum = t->unseen[c] > 0 && optimistic ? t->vertex[c][v][edges] : 0;
        for (uint32_t e = 0; e < edges; e++)
            sum += t->vertex[c][v][e] * value[t->target[t->edge_begin[c] + e]];
        if (optimistic ? sum > best : sum < best)
            best = sum;
    }
    return best;
}

static bool is_target(const question *x, uint32_t s)
{
    return (x->target_word >> s & 1) != 0;
}

/* Computes the values with this number of steps left; compares the choices with the best. */
static void check_result(const question *x, const solve_horizon_result *result)
{
    const tiny *t = &x->t;
    uint32_t n = t->process.state_count;
    long double value[TINY_STATES], next[TINY_STATES];
    for (uint32_t s = 0; s < n; s++)
        value[s] = is_target(x, s);
    for (uint64_t left = 1; left <= x->horizon.steps; left++) {
        for (uint32_t s = 0; s < n; s++) {
            uint32_t choice = solve_horizon_choice(result, s, left);
            bool is_open = !is_target(x, s) && t->choice_begin[s] < t->choice_begin[s + 1];
            next[s] = is_target(x, s);
            assert_int_equal(choice != GRAPH_NONE, is_open);
            for (uint32_t c = t->choice_begin[s]; is_open && c < t->choice_begin[s + 1]; c++)
                next[s] = fmaxl(next[s], step(x, c, value));
            if (is_open) {
                assert_in_range(choice, t->choice_begin[s], t->choice_begin[s + 1] - 1);
                assert_true(step(x, choice, value) >= next[s] - 1e-12L);
            }
        }
        memcpy(value, next, sizeof value);
    }
    for (uint32_t s = 0; s < n; s++) {
        long double found = (long double)result->value[s];
        assert_true(x->horizon.optimistic ? found >= value[s] - 1e-14L
                                          : found <= value[s] + 1e-14L);
        assert_true(fabsl(found - value[s]) <= 1e-11L);
    }
}

/* Replaces the intervals by numbers that sum to 1. */
static void use_numbers(question *x)
{
    tiny *t = &x->t;
    for (uint32_t c = 0; c < t->process.choice_count; c++) {
        uint32_t begin = t->edge_begin[c], count = t->edge_begin[c + 1] - begin;
        for (uint32_t e = begin; e < begin + count; e++)
            t->lower[e] = t->upper[e] = x->prob[e] =
                count == 3 ? (e == begin ? 0.5 : 0.25) : 1.0 / count;
    }
    t->process.prob = x->prob;
    t->problem.lower = t->problem.upper = NULL;
}

static void draw(uint64_t *random, question *x)
{
    bool numbers = random_below(random, 3) == 0;
    tiny_shape shape = {.states = 1 + random_below(random, 4),
                        .most_choices = 3,
                        .most_edges = 3,
                        .zero = random_below(random, 2) == 0,
                        .unknown_percent = 10 * random_below(random, 3),
                        .unseen_percent = numbers ? 0 : 20 * random_below(random, 3)};
    memset(x, 0, sizeof *x);
    tiny_draw(random, shape, &x->t);
    if (numbers)
        use_numbers(x);
    for (uint32_t c = 0; c < x->t.process.choice_count; c++)
        tiny_find_vertices(&x->t, c);
    x->target_word =
        random_u32(random) & random_u32(random) & ((UINT64_C(1) << x->t.process.state_count) - 1);
    x->target = (base_bitset){.words = &x->target_word, .size = x->t.process.state_count};
    x->horizon = (solve_horizon){.target = &x->target,
                                 .steps = random_below(random, MOST_STEPS + 1),
                                 .optimistic = random_below(random, 2) == 0,
                                 .policy = true};
}

static void values_equal_those_of_all_vertices(void **state)
{
    (void)state;
    uint64_t random = random_seed(751);
    solve_solver *solver;
    solve_horizon_result result;
    opac_error error = {0};
    static question x;
    assert_ok(solve_solver_new(&solver, &error), &error);
    for (uint32_t i = 0; i < 20000; i++) {
        draw(&random, &x);
        assert_ok(solve_run_horizon(solver, &x.t.problem, &x.horizon, NULL, &result, &error),
                  &error);
        check_result(&x, &result);
        x.horizon.policy = false;
        assert_ok(solve_run_horizon(solver, &x.t.problem, &x.horizon, NULL, &result, &error),
                  &error);
        assert_null(result.choice);
    }
    solve_solver_free(solver);
}

/* Lemma 25: what fewer sweeps prove is an upper bound, and no sweep makes it worse. */
static void fewer_sweeps_and_a_rate_are_a_bound(void **state)
{
    (void)state;
    uint64_t random = random_seed(754), cut = 0;
    solve_solver *solver;
    solve_horizon_result result;
    opac_error error = {0};
    static question x;
    assert_ok(solve_solver_new(&solver, &error), &error);
    for (uint32_t i = 0; i < 4000; i++) {
        double exact[TINY_STATES], before[TINY_STATES];
        draw(&random, &x);
        x.horizon.optimistic = true;
        x.horizon.policy = false;
        x.horizon.steps = 20;
        assert_ok(solve_run_horizon(solver, &x.t.problem, &x.horizon, NULL, &result, &error),
                  &error);
        for (uint32_t s = 0; s < x.t.process.state_count; s++) {
            exact[s] = result.value[s];
            before[s] = 20;
        }
        for (uint64_t sweeps = 1; sweeps < 20; sweeps++) {
            x.horizon.most_sweeps = sweeps;
            assert_ok(solve_run_horizon(solver, &x.t.problem, &x.horizon, NULL, &result, &error),
                      &error);
            cut += result.sweeps == sweeps;
            for (uint32_t s = 0; s < x.t.process.state_count; s++) {
                double bound = result.value[s] + (double)(20 - result.sweeps) * result.rate;
                assert_true(bound >= exact[s] - 1e-14);
                assert_true(bound <= before[s] + 1e-12);
                before[s] = bound;
            }
        }
    }
    assert_true(cut > 10000);
    solve_solver_free(solver);
}

/* With a stride the choices of some numbers of steps left are stored; others use the next smaller one. */
static void a_stride_stores_some_of_the_choices(void **state)
{
    (void)state;
    uint64_t random = random_seed(755);
    solve_solver *every, *some;
    solve_horizon_result all, few;
    static question x;
    assert_status(solve_solver_new(&every, NULL), OPAC_OK);
    assert_status(solve_solver_new(&some, NULL), OPAC_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        draw(&random, &x);
        x.horizon.steps = 11;
        assert_status(solve_run_horizon(every, &x.t.problem, &x.horizon, NULL, &all, NULL),
                      OPAC_OK);
        x.horizon.stride = 4;
        assert_status(solve_run_horizon(some, &x.t.problem, &x.horizon, NULL, &few, NULL), OPAC_OK);
        assert_in_range(few.stored, 1, 3);
        for (uint32_t s = 0; s < x.t.process.state_count; s++)
            for (uint64_t left = 1; left <= 11; left++)
                assert_int_equal(solve_horizon_choice(&few, s, left),
                                 solve_horizon_choice(&all, s, 1 + (left - 1) / 4 * 4));
    }
    solve_solver_free(every);
    solve_solver_free(some);
}

/* State 0 may go to 1, the target, with 1/2; else it stays: 1 - 2^-T, and 1 exactly for no T. */
static void a_loop_is_left_step_by_step(void **state)
{
    (void)state;
    const uint32_t choice_begin[] = {0, 1, 1}, edge_begin[] = {0, 2}, target[] = {0, 1};
    const double prob[] = {0.5, 0.5};
    const uint64_t marks[] = {0};
    uint64_t word = 2;
    const base_bitset goal = {.words = &word, .size = 2};
    graph_process process;
    solve_solver *solver;
    solve_horizon_result result;
    assert_status(
        graph_process_borrow(2, 1, 2, choice_begin, edge_begin, target, prob, &process, NULL),
        OPAC_OK);
    const solve_problem problem = {.process = &process, .marks = marks};
    assert_status(solve_solver_new(&solver, NULL), OPAC_OK);
    for (uint32_t steps = 0; steps <= 40; steps++)
        for (int optimistic = 0; optimistic < 2; optimistic++) {
            const solve_horizon horizon = {
                .target = &goal, .steps = steps, .optimistic = optimistic == 1};
            double exact = 1 - ldexp(1, -(int)steps);
            assert_status(solve_run_horizon(solver, &problem, &horizon, NULL, &result, NULL),
                          OPAC_OK);
            assert_true(optimistic ? result.value[0] >= exact : result.value[0] <= exact);
            assert_true(fabs(result.value[0] - exact) < 1e-12);
            assert_true(result.value[1] == 1);
        }
    /* A horizon of a million steps ends when nothing changes. */
    const solve_horizon far = {.target = &goal, .steps = 1000000000, .optimistic = true};
    assert_status(solve_run_horizon(solver, &problem, &far, NULL, &result, NULL), OPAC_OK);
    assert_true(result.value[0] == 1);
    solve_solver_free(solver);
}

static opac_status solve_anew(void *context, opac_error *error)
{
    question *x = context;
    solve_solver *solver;
    solve_horizon_result result;
    opac_status status = solve_solver_new(&solver, error);
    if (status == OPAC_OK)
        status = solve_run_horizon(solver, &x->t.problem, &x->horizon, NULL, &result, error);
    solve_solver_free(solver);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    uint64_t random = random_seed(752);
    static question x;
    do
        draw(&random, &x);
    while (x.t.process.choice_count < 3);
    assert_true(faults_sweep(solve_anew, &x) > 0);
}

static void cancellation_is_an_error(void **state)
{
    (void)state;
    uint64_t random = random_seed(753);
    static question x;
    opac_cancel *cancel;
    solve_solver *solver;
    solve_horizon_result result;
    draw(&random, &x);
    x.horizon.steps = 1000000;
    assert_status(opac_cancel_new(&cancel, NULL), OPAC_OK);
    opac_cancel_request(cancel);
    assert_status(solve_solver_new(&solver, NULL), OPAC_OK);
    x.horizon.policy = false;
    assert_status(solve_run_horizon(solver, &x.t.problem, &x.horizon, cancel, &result, NULL),
                  OPAC_ERROR_CANCELLED);
    solve_solver_free(solver);
    opac_cancel_free(cancel);
}

SUITE(horizon)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_equal_those_of_all_vertices),
        cmocka_unit_test(fewer_sweeps_and_a_rate_are_a_bound),
        cmocka_unit_test(a_stride_stores_some_of_the_choices),
        cmocka_unit_test(a_loop_is_left_step_by_step),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cancellation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
