/* SPDX-License-Identifier: MIT */
/* Compares bounds of interval processes with an enumeration of positional policies and vertex models. */
#include "interval_brute.h"

static const double precision = 1e-6;

/* The interval step by its definition, in long double; vertices suffice. */
static long double step_of_vertices(const tiny *t, uint32_t c, const double *value, bool greatest)
{
    long double best = greatest ? -1 : 2;
    for (uint32_t v = 0; v < t->vertex_count[c]; v++) {
        long double sum = 0;
        for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++)
            sum += (long double)t->vertex[c][v][e - t->edge_begin[c]] * value[t->target[e]];
        if (greatest && t->unseen[c] > 0) /* unseen outcomes have value 1 */
            sum += t->vertex[c][v][t->edge_begin[c + 1] - t->edge_begin[c]];
        if (greatest ? sum > best : sum < best)
            best = sum;
    }
    return best;
}

static void check_upper(const tiny *t, const solve_interval_result *result)
{
    for (uint32_t s = 0; s < t->process.state_count; s++) {
        assert_true(result->upper[s] >= 0);
        assert_true(result->upper[s] <= 1);
        for (uint32_t c = t->choice_begin[s]; c < t->choice_begin[s + 1]; c++)
            if (tiny_unknown(t, c))
                assert_true(result->upper[s] == 1);
            else
                assert_true(step_of_vertices(t, c, result->upper, true) <=
                            result->upper[s] + 1e-15L);
    }
}

static void check_lower(const tiny *t, const solve_interval_result *result)
{
    for (uint32_t s = 0; s < t->process.state_count; s++) {
        uint32_t c = result->pessimistic[s];
        bool wins = base_bitset_has(&result->winning, s), closer = false;
        assert_true(result->lower[s] >= 0);
        assert_true(result->lower[s] <= result->upper[s]);
        assert_int_equal(result->rank[s] == GRAPH_NONE, result->lower[s] <= 0);
        assert_int_equal(result->rank[s] == 0, wins);
        if (wins) {
            assert_true(result->lower[s] == 1);
            assert_true(result->upper[s] == 1);
        }
        if (result->lower[s] <= 0)
            continue;
        assert_in_range(c, t->choice_begin[s], t->choice_begin[s + 1] - 1);
        assert_false(tiny_unknown(t, c));
        assert_true(step_of_vertices(t, c, result->lower, false) >= result->lower[s] - 1e-15L);
        for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++) {
            closer |= result->rank[t->target[e]] < result->rank[s];
            if (wins)
                assert_true(base_bitset_has(&result->winning, t->target[e]));
        }
        assert_true(wins || closer);
    }
}

static bool has_unknown(const tiny *t, uint32_t s)
{
    for (uint32_t c = t->choice_begin[s]; c < t->choice_begin[s + 1]; c++)
        if (tiny_unknown(t, c))
            return true;
    return false;
}

/* The optimistic choice must be nearly optimal, and the lowest one with unseen mass if there is any. */
static void check_hopeful(const tiny *t, const solve_interval_result *result)
{
    for (uint32_t s = 0; s < t->process.state_count; s++) {
        uint32_t c = result->optimistic[s];
        if (t->choice_begin[s] == t->choice_begin[s + 1]) {
            assert_int_equal(c, GRAPH_NONE);
            assert_int_equal(result->pessimistic[s], GRAPH_NONE);
            continue;
        }
        assert_in_range(c, t->choice_begin[s], t->choice_begin[s + 1] - 1);
        if (base_bitset_has(&result->winning, s)) {
            assert_int_equal(c, result->pessimistic[s]);
        } else if (has_unknown(t, s)) {
            assert_true(t->unseen[c] > 0);
            for (uint32_t other = t->choice_begin[s]; other < c; other++)
                assert_false(tiny_unknown(t, other));
        } else {
            assert_true(step_of_vertices(t, c, result->upper, true) >=
                        result->upper[s] - 3 * precision);
        }
    }
}

/* Whether all seen successors of a choice are among these states. */
static bool stays(const tiny *t, uint32_t c, uint32_t states)
{
    bool does = t->edge_begin[c] < t->edge_begin[c + 1] && !tiny_unknown(t, c);
    for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++)
        does &= (states >> t->target[e] & 1) != 0;
    return does;
}

/* The states of a set that a state reaches by choices that stay in the set. */
static uint32_t reached_inside(const tiny *t, uint32_t from, uint32_t states)
{
    uint32_t seen = 1u << from, before = 0;
    while (seen != before) {
        before = seen;
        for (uint32_t s = 0; s < t->process.state_count; s++)
            for (uint32_t c = t->choice_begin[s]; seen >> s & 1 && c < t->choice_begin[s + 1]; c++)
                for (uint32_t e = t->edge_begin[c]; stays(t, c, states) && e < t->edge_begin[c + 1];
                     e++)
                    seen |= 1u << t->target[e];
    }
    return seen;
}

/* Every end component of the seen edges that has a choice with unseen mass is worth 1 (docs/theory.md, Lemma 23):
 * all sets of states are tried. */
static void check_open_components(const tiny *t, const solve_interval_result *result)
{
    for (uint32_t states = 1; states < 1u << t->process.state_count; states++) {
        bool is_component = true, is_open = false;
        for (uint32_t s = 0; s < t->process.state_count; s++) {
            bool has_choice = false;
            if ((states >> s & 1) == 0)
                continue;
            for (uint32_t c = t->choice_begin[s]; c < t->choice_begin[s + 1]; c++)
                if (stays(t, c, states)) {
                    has_choice = true;
                    is_open |= t->unseen[c] > 0;
                }
            is_component &= has_choice && reached_inside(t, s, states) == states;
        }
        for (uint32_t s = 0; is_component && is_open && s < t->process.state_count; s++)
            assert_true((states >> s & 1) == 0 || result->upper[s] == 1);
    }
}

static void check_conditions(const tiny *t, const solve_interval_result *result)
{
    check_upper(t, result);
    check_lower(t, result);
    check_hopeful(t, result);
    check_open_components(t, result);
}

static void find_vertices(tiny *t)
{
    for (uint32_t c = 0; c < t->process.choice_count; c++)
        tiny_find_vertices(t, c);
}

/* rare: the enumeration solves equations with coefficients down to 2^-28, so that it is less exact. */
static void check_values(const tiny *t, const solve_interval_result *result, bool rare)
{
    long double rounding = rare ? 1e-7L : 1e-12L;
    tiny_bounds truth = tiny_optimum(t), mine = tiny_policy_bounds(t, result->pessimistic, 0);
    for (uint32_t s = 0; s < t->process.state_count; s++) {
        assert_true(result->upper[s] >= truth.greatest[s] - rounding);
        assert_true(result->upper[s] <= truth.greatest[s] + precision);
        assert_true(result->lower[s] <= truth.least[s] + rounding);
        assert_true(result->lower[s] >= truth.least[s] - precision);
        assert_true(result->lower[s] <= mine.least[s] + rounding);
    }
}

static bool is_inner(double value)
{
    return value > 0 && value < 1;
}

/*
 * Lower ends that are 0. Models with all edges lie within the intervals, so their values lie within the
 * bounds.
 */
static void check_loose(tiny *t, const solve_interval_result *result, bool pairs)
{
    for (uint32_t c = 0; c < t->process.choice_count; c++)
        if (pairs)
            tiny_pair_vertices(t, c, 1e-5);
        else
            tiny_shrink_vertices(t, c, 1e-6);
    tiny_bounds truth = tiny_optimum(t), mine = tiny_policy_bounds(t, result->pessimistic, 0);
    for (uint32_t s = 0; s < t->process.state_count; s++) {
        assert_true(result->upper[s] >= truth.greatest[s] - 1e-7L);
        assert_true(result->lower[s] <= mine.least[s] + 1e-7L);
        if (pairs)
            assert_true(result->upper[s] <= truth.greatest[s] + 0.01L);
    }
}

typedef enum law {
    EXACT,       /* values_equal_the_best_of_all_policies_and_models */
    LOOSE,       /* edges_with_lower_end_zero_are_present */
    LOOSE_PAIRS, /* likewise, two successors at a time */
    CONDITIONS   /* only those that every result satisfies */
} law;

static void check_random(uint64_t seed, uint32_t rounds, tiny_shape largest, law which)
{
    uint32_t inner = 0; /* states whose bounds the graph does not determine */
    uint64_t random = random_seed(seed);
    solve_solver *solver;
    solve_interval_result result;
    opac_error error = {0};
    tiny t;
    assert_ok(solve_solver_new(&solver, &error), &error);
    for (uint32_t i = 0; i < rounds; i++) {
        tiny_shape shape = largest;
        shape.states = 1 + random_below(&random, largest.states);
        shape.unknown_percent = random_below(&random, 2) * largest.unknown_percent;
        tiny_draw(&random, shape, &t);
        find_vertices(&t);
        solve_options options = {.precision = precision};
        assert_ok(solve_run_intervals(solver, &t.problem, &options, &result, &error), &error);
        check_conditions(&t, &result);
        if (which == EXACT)
            check_values(&t, &result, largest.rare);
        else if (which != CONDITIONS)
            check_loose(&t, &result, which == LOOSE_PAIRS);
        for (uint32_t s = 0; s < t.process.state_count; s++)
            inner += is_inner(result.lower[s]) && is_inner(result.upper[s]);
    }
    assert_true(inner > rounds / 10 || which != EXACT);
    solve_solver_free(solver);
}

static void values_equal_the_best_of_all_policies_and_models(void **state)
{
    (void)state;
    check_random(701, 10000, (tiny_shape){3, 2, 2, false, 10, 0, false}, EXACT);
    check_random(702, 3000, (tiny_shape){3, 2, 3, false, 10, 0, false}, EXACT);
    check_random(703, 1500, (tiny_shape){4, 2, 2, false, 15, 0, false}, EXACT);
}

static void larger_processes_equal_the_best_of_all_policies_and_models(void **state)
{
    (void)state;
    check_random(704, 800, (tiny_shape){4, 3, 2, false, 5, 0, false}, EXACT);
    check_random(705, 250, (tiny_shape){4, 2, 3, false, 5, 0, false}, EXACT);
}

static void unseen_mass_has_value_zero_or_one(void **state)
{
    (void)state;
    check_random(731, 6000, (tiny_shape){3, 2, 2, false, 10, 40, false}, EXACT);
    check_random(732, 600, (tiny_shape){3, 2, 3, false, 5, 40, false}, EXACT);
    check_random(733, 600, (tiny_shape){4, 2, 2, false, 5, 25, false}, EXACT);
    check_random(734, 3000, (tiny_shape){3, 2, 2, true, 5, 40, false}, LOOSE);
    check_random(735, 6000, (tiny_shape){3, 2, 2, false, 5, 50, true}, EXACT);
    check_random(736, 600, (tiny_shape){4, 2, 2, false, 5, 30, true}, EXACT);
    check_random(737, 3000, (tiny_shape){4, 3, 3, true, 5, 40, true}, CONDITIONS);
}

/* Bounds do not depend on what is preferred. A nearly optimal choice that is preferred is taken, the lowest one. */
static void preferred_choices_are_taken(void **state)
{
    (void)state;
    uint64_t random = random_seed(751);
    solve_solver *solver;
    solve_interval_result result;
    opac_error error = {0};
    uint32_t taken = 0;
    tiny t;
    assert_ok(solve_solver_new(&solver, &error), &error);
    for (uint32_t i = 0; i < 3000; i++) {
        double upper[TINY_STATES];
        base_bitset preferred;
        tiny_draw(&random, (tiny_shape){4, 3, 3, false, 10, 40, i % 2 == 0}, &t);
        find_vertices(&t);
        solve_options options = {.precision = precision};
        assert_ok(solve_run_intervals(solver, &t.problem, &options, &result, &error), &error);
        memcpy(upper, result.upper, t.process.state_count * sizeof *upper);
        assert_ok(base_bitset_init(&preferred, t.process.choice_count + 1, &error), &error);
        for (uint32_t c = 0; c < t.process.choice_count; c++)
            if (random_below(&random, 3) == 0)
                base_bitset_add(&preferred, c);
        options.preferred = &preferred;
        assert_ok(solve_run_intervals(solver, &t.problem, &options, &result, &error), &error);
        check_upper(&t, &result);
        check_lower(&t, &result);
        for (uint32_t s = 0; s < t.process.state_count; s++) {
            assert_true(result.upper[s] == upper[s]);
            if (base_bitset_has(&result.winning, s) || t.choice_begin[s] == t.choice_begin[s + 1])
                continue;
            uint32_t c = result.optimistic[s];
            assert_in_range(c, t.choice_begin[s], t.choice_begin[s + 1] - 1);
            assert_true(tiny_unknown(&t, c) ||
                        step_of_vertices(&t, c, upper, true) >= upper[s] - 3 * precision);
            for (uint32_t other = t.choice_begin[s]; other < c; other++)
                assert_false(base_bitset_has(&preferred, other) &&
                             (tiny_unknown(&t, other) ||
                              step_of_vertices(&t, other, upper, true) >= upper[s] - precision));
            taken += base_bitset_has(&preferred, c);
        }
        base_bitset_fini(&preferred);
    }
    assert_true(taken > 1000);
    solve_solver_free(solver);
}

/* More unseen mass widens the bounds in every state; unseen mass 0 changes nothing. */
static void unseen_mass_widens_bounds(void **state)
{
    (void)state;
    uint64_t random = random_seed(741);
    solve_solver *solver;
    solve_interval_result result;
    const solve_options options = {.precision = precision};
    opac_error error = {0};
    tiny t;
    assert_ok(solve_solver_new(&solver, &error), &error);
    for (uint32_t i = 0; i < 3000; i++) {
        double lower[TINY_STATES], upper[TINY_STATES], unseen[TINY_CHOICES] = {0};
        bool zero = random_below(&random, 2) == 0;
        tiny_draw(&random, (tiny_shape){4, 3, 3, zero, 0, 0, false}, &t);
        t.problem.unseen = NULL;
        assert_ok(solve_run_intervals(solver, &t.problem, &options, &result, &error), &error);
        uint32_t n = t.process.state_count;
        memcpy(lower, result.lower, n * sizeof *lower);
        memcpy(upper, result.upper, n * sizeof *upper);
        t.problem.unseen = unseen;
        for (uint32_t step = 0; step <= 4; step++) {
            assert_ok(solve_run_intervals(solver, &t.problem, &options, &result, &error), &error);
            for (uint32_t s = 0; s < n; s++) {
                if (step == 0) {
                    assert_true(result.lower[s] == lower[s]);
                    assert_true(result.upper[s] == upper[s]);
                }
                assert_true(result.lower[s] <= lower[s] + precision);
                assert_true(result.upper[s] >= upper[s] - precision);
                lower[s] = result.lower[s];
                upper[s] = result.upper[s];
            }
            for (uint32_t c = 0; c < t.process.choice_count; c++)
                if (random_below(&random, 3) == 0)
                    unseen[c] = unseen[c] < 0.75 ? unseen[c] + 0.25 : 1;
        }
    }
    solve_solver_free(solver);
}

static void edges_with_lower_end_zero_are_present(void **state)
{
    (void)state;
    check_random(721, 5000, (tiny_shape){3, 2, 2, true, 10, 0, false}, LOOSE);
    check_random(722, 1000, (tiny_shape){3, 2, 3, true, 10, 0, false}, LOOSE);
    check_random(723, 2500, (tiny_shape){3, 2, 2, true, 0, 0, false}, LOOSE_PAIRS);
    check_random(724, 150, (tiny_shape){2, 2, 3, true, 0, 0, false}, LOOSE_PAIRS);
}

SUITE(interval)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_equal_the_best_of_all_policies_and_models),
        cmocka_unit_test(larger_processes_equal_the_best_of_all_policies_and_models),
        cmocka_unit_test(unseen_mass_has_value_zero_or_one),
        cmocka_unit_test(unseen_mass_widens_bounds),
        cmocka_unit_test(preferred_choices_are_taken),
        cmocka_unit_test(edges_with_lower_end_zero_are_present),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
