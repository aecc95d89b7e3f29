/* SPDX-License-Identifier: MIT */
/*
 * Exact values of quotients: closed forms, brute force, and errors. A scene has states 0, 1, …, of which
 * the last two are losing and winning.
 */
#include "base/alloc.h"
#include "graph/graph_builder.h"
#include "solve/exact.h"
#include "support/brute.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/quotient_maker.h"
#include "support/rational.h"

enum {
    MOST_EDGES = 4096
};

typedef struct scene {
    graph_builder builder;
    graph_process process;
    base_ratio exact[MOST_EDGES];
    size_t edges;
    solve_problem problem;
    base_bitset zero, one;
    graph_workspace workspace;
    solve_quotient quotient;
    solve_exact found;
} scene;

static void add_edge(scene *s, uint32_t target, base_ratio ratio)
{
    assert_true(s->edges < MOST_EDGES);
    opac_error error;
    s->exact[s->edges++] = ratio;
    assert_ok(graph_builder_edge(&s->builder, target, base_ratio_to_double(ratio), &error), &error);
}

static void add_choice(scene *s)
{
    opac_error error;
    assert_ok(graph_builder_choice(&s->builder, &error), &error);
}

static void add_state(scene *s)
{
    opac_error error;
    assert_ok(graph_builder_state(&s->builder, &error), &error);
}

/* Adds the losing and the winning state, and builds the quotient. */
static void finish(scene *s, bool complement)
{
    opac_error error;
    add_state(s);
    add_state(s);
    assert_ok(graph_builder_finish(&s->builder, &s->process, &error), &error);
    uint32_t count = s->process.state_count;
    s->problem = (solve_problem){.process = &s->process, .exact = s->exact};
    assert_ok(base_bitset_init(&s->zero, count, &error), &error);
    assert_ok(base_bitset_init(&s->one, count, &error), &error);
    base_bitset_add(&s->zero, count - 2);
    base_bitset_add(&s->one, count - 1);
    assert_ok(quotient_build(&s->problem, &s->zero, &s->one, complement, &s->workspace,
                             &s->quotient, &error),
              &error);
}

static void scene_fini(scene *s)
{
    solve_exact_fini(&s->found);
    graph_workspace_fini(&s->workspace);
    base_bitset_fini(&s->zero);
    base_bitset_fini(&s->one);
    graph_builder_fini(&s->builder);
    graph_process_fini(&s->process);
}

static opac_status find(scene *s, const solve_values *values, const opac_cancel *cancel,
                        opac_error *error)
{
    return solve_exact_find(&s->problem, &s->zero, &s->one, &s->quotient, values, cancel,
                            &s->workspace, &s->found, error);
}

static const base_rational *value_of(const scene *s, uint32_t state)
{
    assert_true(s->quotient.node[state] < s->found.count);
    return s->found.value[s->quotient.node[state]];
}

static void assert_text(const base_rational *rational, const char *expected)
{
    opac_error error;
    char *text;
    assert_ok(base_rational_format(rational, &text, &error), &error);
    assert_string_equal(text, expected);
    base_free(text);
}

static void assert_ratio(const base_rational *rational, base_ratio ratio)
{
    char expected[BASE_RATIO_SIZE];
    assert_text(rational, base_ratio_format(ratio, expected));
}

/* ---- closed forms ---- */

/* With i of n coins, win one with probability p, else lose one; won with n, lost with 0. */
static void gambler(scene *s, uint32_t n, base_ratio p, bool complement)
{
    *s = (scene){.builder = {.weighted = true}};
    base_ratio q = base_ratio_subtract((base_ratio){1, 1}, p);
    for (uint32_t i = 1; i < n; i++) {
        add_state(s);
        add_choice(s);
        add_edge(s, i + 1 < n ? i : n, p);
        add_edge(s, i > 1 ? i - 2 : n - 1, q);
    }
    finish(s, complement);
}

static void test_gambler(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    static scene s;
    opac_error error;
    const base_ratio one = {1, 1};
    for (int complement = 0; complement < 2; complement++) {
        const uint32_t n = 50; /* p = 1/2: i / n */
        gambler(&s, n, (base_ratio){1, 2}, complement);
        assert_ok(find(&s, NULL, NULL, &error), &error);
        for (uint32_t i = 1; i < n; i++) {
            base_ratio expected = base_ratio_of(i, n);
            assert_ratio(value_of(&s, i - 1),
                         complement ? base_ratio_subtract(one, expected) : expected);
        }
        scene_fini(&s);
        gambler(&s, n, (base_ratio){1, 3}, complement); /* (2^i - 1) / (2^n - 1) */
        assert_ok(find(&s, NULL, NULL, &error), &error);
        for (uint32_t i = 1; i < n; i++) {
            base_ratio expected = base_ratio_of((INT64_C(1) << i) - 1, (INT64_C(1) << n) - 1);
            assert_ratio(value_of(&s, i - 1),
                         complement ? base_ratio_subtract(one, expected) : expected);
        }
        scene_fini(&s);
    }
}

/* A solution of many digits: q/p = 7, n = 200, from the middle 1 / (7^100 + 1). */
static void test_many_digits(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    static scene s;
    opac_error error;
    gambler(&s, 200, (base_ratio){1, 8}, false);
    assert_ok(find(&s, NULL, NULL, &error), &error);
    assert_text(value_of(&s, 99), "1/323447650962475799134464776910021681085720319890462540"
                                  "0933895331391691459636928060002");
    scene_fini(&s);
}

/*
 * Haddad and Monmege: two arms of n states, each step back to the start with
 * probability 1/2. Value iteration looks converged after 2 steps and needs 2^n.
 */
static void test_slow_chain(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    enum {
        N = 60
    };
    static scene s;
    opac_error error;
    const base_ratio half = {1, 2};
    s = (scene){.builder = {.weighted = true}};
    add_state(&s); /* 0: the start; arm a has 1 + a·N … (a + 1)·N */
    add_choice(&s);
    add_edge(&s, 1, half);
    add_edge(&s, 1 + N, half);
    for (uint32_t arm = 0; arm < 2; arm++)
        for (uint32_t i = 0; i < N; i++) {
            uint32_t self = 1 + arm * N + i;
            add_state(&s);
            add_choice(&s);
            add_edge(&s, i + 1 < N ? self + 1 : 1 + 2 * N + arm, half);
            add_edge(&s, 0, half);
        }
    finish(&s, false);
    assert_ok(find(&s, NULL, NULL, &error), &error);
    assert_text(value_of(&s, 0), "1/2");
    for (uint32_t i = 0; i < N; i++) { /* 1/2 ± 2^-(N + 1 - i) */
        base_ratio away = base_ratio_of(1, INT64_C(1) << (N + 1 - i));
        assert_ratio(value_of(&s, 1 + i), base_ratio_subtract(half, away));
        assert_ratio(value_of(&s, 1 + N + i), base_ratio_add(half, away));
    }
    scene_fini(&s);
}

/* ---- policies ---- */

/* The backup of a choice of the process, with the optimal values of its targets. */
static void choice_value(const solve_problem *problem, uint32_t choice, base_rational **best,
                         base_rational *value);

#if defined(OMEGAPAC_HAVE_GMP)
#include "base/rational_gmp.h"

static void choice_value(const solve_problem *problem, uint32_t choice, base_rational **best,
                         base_rational *value)
{
    const graph_process *process = problem->process;
    mpq_t part, sum, known;
    opac_error error = {0};
    mpq_inits(part, sum, NULL);
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        base_rational_from_ratio(part, problem->exact[e]);
        base_rational_view(best[process->target[e]], known);
        mpq_mul(part, part, known);
        mpq_add(sum, sum, part);
    }
    assert_ok(base_rational_keep(value, sum, &error), &error);
    mpq_clears(part, sum, NULL);
}
#else
static void choice_value(const solve_problem *problem, uint32_t choice, base_rational **best,
                         base_rational *value)
{
    (void)problem, (void)choice, (void)best, (void)value;
}
#endif

/* The returned choice attains the optimum, and no earlier choice of its node does. */
static void assert_lowest(const scene *s, uint32_t node, base_rational **best, uint32_t state,
                          base_rational *scratch)
{
    uint32_t c = s->quotient.choice_begin[node];
    for (; c < s->quotient.choice_begin[node + 1]; c++) {
        choice_value(&s->problem, s->quotient.choice[c], best, scratch);
        if (rational_compare(scratch, best[state]) == 0)
            break;
    }
    assert_int_equal(s->found.optimal[node], c);
}

/* The quotient of a drawn process whose last state is to be reached, all in one. */
static void compare_with_brute(const brute_case *drawn, bool complement, const double *guide,
                               uint32_t *between)
{
    static scene s;
    opac_error error;
    uint32_t count = drawn->process.state_count;
    base_rational *best[BRUTE_STATES], *scratch;
    bool targets[BRUTE_STATES] = {[0] = false};
    targets[count - 1] = true;
    s = (scene){.problem = brute_problem(drawn)};
    brute_values_new(count, best);
    assert_ok(base_rational_new(&scratch, &error), &error);
    brute_reach(&s.problem, targets, best);
    assert_ok(base_bitset_init(&s.zero, count, &error), &error);
    assert_ok(base_bitset_init(&s.one, count, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        double value, lower, upper;
        rational_to_double(best[i], &value, &lower, &upper);
        if (upper == 0)
            base_bitset_add(&s.zero, i);
        if (lower == 1)
            base_bitset_add(&s.one, i);
    }
    assert_ok(
        quotient_build(&s.problem, &s.zero, &s.one, complement, &s.workspace, &s.quotient, &error),
        &error);
    double nodes[BRUTE_STATES];
    for (uint32_t n = 0; n < s.quotient.node_count; n++)
        nodes[n] = guide[n];
    const solve_values values = {.lower = nodes, .upper = nodes};
    assert_ok(find(&s, guide[0] < 0 ? NULL : &values, NULL, &error), &error);
    assert_int_equal(s.found.count, s.quotient.node_count);
    for (uint32_t i = 0; i < count; i++) {
        if (s.quotient.node[i] == GRAPH_NONE)
            continue;
        rational_set(scratch, value_of(&s, i));
        if (complement)
            rational_complement(scratch);
        assert_int_equal(rational_compare(scratch, best[i]), 0);
        assert_lowest(&s, s.quotient.node[i], best, i, scratch);
        ++*between;
    }
    brute_values_free(count, best);
    base_rational_free(scratch);
    s.process = (graph_process){0};
    scene_fini(&s);
}

static void test_random(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(541);
    uint32_t between = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        brute_case drawn;
        double guide[BRUTE_STATES]; /* none, or a bad one */
        for (uint32_t n = 0; n < BRUTE_STATES; n++)
            guide[n] = random_below(&random, 100) / 100.0;
        if (i % 3 == 0)
            guide[0] = -1;
        random_shape shape = {.states = 4 + random_below(&random, 4),
                              .most_choices = 1 + random_below(&random, 3),
                              .most_edges = 3};
        brute_draw(&random, shape, BRUTE_BUCHI, &drawn);
        compare_with_brute(&drawn, i % 2, guide, &between);
        brute_fini(&drawn);
    }
    assert_true(between > 500);
}

/* Of equally good choices the lowest is returned, even if another one was tried first. */
static void test_ties(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    static scene s;
    opac_error error;
    s = (scene){.builder = {.weighted = true}};
    add_state(&s); /* 0: worse, half, half by way of 1 and back, better by nothing */
    add_choice(&s);
    add_edge(&s, 2, (base_ratio){2, 3});
    add_edge(&s, 3, (base_ratio){1, 3});
    for (int i = 0; i < 2; i++) {
        add_choice(&s);
        add_edge(&s, 2, (base_ratio){1, 4});
        add_edge(&s, 3, (base_ratio){1, 4});
        add_edge(&s, 1, (base_ratio){1, 2});
    }
    add_state(&s);
    add_choice(&s);
    add_edge(&s, 2, (base_ratio){1, 6});
    add_edge(&s, 3, (base_ratio){1, 6});
    add_edge(&s, 0, (base_ratio){2, 3});
    finish(&s, false);
    double last[] = {0.5, 0.5};
    const solve_values values = {.lower = last, .upper = last};
    for (int i = 0; i < 2; i++) {
        assert_ok(find(&s, i == 0 ? NULL : &values, NULL, &error), &error);
        assert_text(value_of(&s, 0), "1/2");
        uint32_t node = s.quotient.node[0];
        assert_int_equal(s.found.optimal[node], s.quotient.choice_begin[node] + 1);
        solve_exact_fini(&s.found);
    }
    scene_fini(&s);
}

/* ---- errors ---- */

static void test_refusals(void **state)
{
    (void)state;
    static scene s;
    opac_error error;
    if (!base_rational_available()) {
        gambler(&s, 5, (base_ratio){1, 3}, false);
        assert_status(find(&s, NULL, NULL, &error), OPAC_ERROR_UNSUPPORTED);
        assert_string_equal(error.message,
                            "exact arithmetic is not available: this build does not include GMP");
        scene_fini(&s);
        return;
    }
    gambler(&s, 5, (base_ratio){1, 3}, false);
    s.exact[3] = (base_ratio){0, 0};
    assert_status(find(&s, NULL, NULL, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message,
                        "a probability is not known as a fraction of 64-bit integers");
    s.exact[3] = (base_ratio){2, 5};
    assert_status(find(&s, NULL, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the probabilities of a choice do not sum to exactly 1");
    s.exact[3] = (base_ratio){-2, 3};
    assert_status(find(&s, NULL, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a probability is not above 0");
    s.problem.exact = NULL;
    assert_status(find(&s, NULL, NULL, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "the probabilities are not known as fractions");
    assert_null(s.found.value);
    scene_fini(&s);
}

static void test_cancelled(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    static scene s;
    opac_error error;
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    gambler(&s, 5, (base_ratio){1, 3}, false);
    opac_cancel_request(cancel);
    size_t before = s.workspace.in_use;
    assert_status(find(&s, NULL, cancel, &error), OPAC_ERROR_CANCELLED);
    assert_int_equal(s.workspace.in_use, before);
    opac_cancel_free(cancel);
    scene_fini(&s);
}

static opac_status find_once(void *context, opac_error *error)
{
    scene *s = context;
    graph_workspace workspace = {0};
    solve_exact found;
    opac_status status = solve_exact_find(&s->problem, &s->zero, &s->one, &s->quotient, NULL, NULL,
                                          &workspace, &found, error);
    solve_exact_fini(&found);
    graph_workspace_fini(&workspace);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    static scene s;
    gambler(&s, 6, (base_ratio){1, 3}, false);
    assert_true(faults_sweep(find_once, &s) > 20);
    scene_fini(&s);
}

SUITE(exact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gambler),    cmocka_unit_test(test_many_digits),
        cmocka_unit_test(test_slow_chain), cmocka_unit_test(test_random),
        cmocka_unit_test(test_ties),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancelled),  cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
