/* SPDX-License-Identifier: MIT */
/*
 * Compares recurrence times of chains with the definition, in exact arithmetic: all histories of a small
 * chain, merged only if they agree in every count, are enumerated step by step with integers. Also compares
 * with known numbers.
 */
#include <math.h>

#include "graph/graph_builder.h"
#include "solve/matrix_powers.h"
#include "solve/recurrence_solver.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

/* ---- making chains ---- */

typedef struct edge {
    uint32_t from, to;
    double prob;
} edge;

/* Edges by source; a state without edges has no choice. */
static void make(uint32_t states, const edge *edges, size_t count, graph_process *chain)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    for (uint32_t s = 0; s < states; s++) {
        bool has_choice = false;
        assert_ok(graph_builder_state(&builder, &error), &error);
        for (size_t e = 0; e < count; e++) {
            if (edges[e].from != s)
                continue;
            if (!has_choice)
                assert_ok(graph_builder_choice(&builder, &error), &error);
            has_choice = true;
            assert_ok(graph_builder_edge(&builder, edges[e].to, edges[e].prob, &error), &error);
        }
    }
    assert_ok(graph_builder_finish(&builder, chain, &error), &error);
}

static solve_recurrence time_of(const graph_process *chain, const solve_recurrence_options *options)
{
    solve_recurrence result;
    opac_error error;
    assert_ok(solve_recurrence_chain(chain, 0, options, &result, &error), &error);
    return result;
}

static uint64_t steps_of(const graph_process *chain, double epsilon, bool literal)
{
    const solve_recurrence_options options = {.epsilon = epsilon, .literal = literal};
    solve_recurrence result = time_of(chain, &options);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_FOUND);
    assert_true(result.before < 1 - epsilon);
    assert_true(1 - epsilon <= result.reached);
    return result.steps;
}

/* ---- the definition, in whole numbers ---- */

enum {
    STATES = 4,
    MOST_STEPS = 40,
    MOST_HISTORIES = 1 << 14
};

/*
 * The part of a history that matters for the definition: how often each state was visited, and which states
 * were visited since all of the bottom component had been.
 */
typedef struct history {
    uint32_t state;
    uint8_t seen[STATES]; /* 0, 1, or 2: twice or more */
    uint32_t since;       /* the set since t1; 0: t1 is to come */
    long double weight;   /* a sum of powers of 1/2: exact */
} history;

typedef struct world {
    uint32_t reach[STATES]; /* what can be reached, as a set */
    uint32_t bottom[STATES];
    uint32_t target[STATES][2];
} world;

/* Two edges of 1/2 a state: weights are multiples of 2^-t, exact in 64 bits up to 60 steps. */
static void random_world(uint64_t *random, world *w)
{
    for (uint32_t s = 0; s < STATES; s++) {
        w->target[s][0] = random_below(random, STATES);
        w->target[s][1] = random_below(random, STATES);
        w->reach[s] = 1u << s;
    }
    for (uint32_t round = 0; round < STATES; round++)
        for (uint32_t s = 0; s < STATES; s++)
            w->reach[s] |= w->reach[w->target[s][0]] | w->reach[w->target[s][1]];
    for (uint32_t s = 0; s < STATES; s++) {
        bool is_bottom = true;
        for (uint32_t t = 0; t < STATES; t++)
            if (w->reach[s] >> t & 1)
                is_bottom &= w->reach[t] >> s & 1;
        w->bottom[s] = is_bottom ? w->reach[s] : 0;
    }
}

/* The history visits the state at this time. */
static void see(const world *w, history *h, uint32_t state)
{
    uint32_t all = w->bottom[state], once = 0;
    h->state = state;
    if (h->seen[state] < 2)
        h->seen[state]++;
    for (uint32_t s = 0; s < STATES; s++)
        once |= (uint32_t)(h->seen[s] > 0) << s;
    if (h->since != 0 || (all != 0 && (once & all) == all))
        h->since |= 1u << state;
}

/* Since t1, and later than it. */
static bool is_done(const world *w, const history *h, bool literal, bool is_t1)
{
    uint32_t all = w->bottom[h->state], twice = 0;
    if (all == 0)
        return false;
    for (uint32_t s = 0; s < STATES; s++)
        twice |= (uint32_t)(h->seen[s] > 1) << s;
    if (literal)
        return (twice & all) == all;
    return h->since != 0 && !is_t1 && (h->since & all) == all;
}

static size_t add_history(history *list, size_t count, const history *h)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].state == h->state && list[i].since == h->since &&
            memcmp(list[i].seen, h->seen, sizeof h->seen) == 0) {
            list[i].weight += h->weight;
            return count;
        }
    assert_true(count < MOST_HISTORIES);
    list[count] = *h;
    return count + 1;
}

static history lists[2][MOST_HISTORIES];

/* done[t]: the probability that it happened by t, exactly. */
static void follow(const world *w, bool literal, long double *done)
{
    size_t count = 1;
    lists[0][0] = (history){.weight = 1};
    see(w, &lists[0][0], 0);
    done[0] = 0;
    for (uint32_t t = 1; t <= MOST_STEPS; t++) {
        const history *from = lists[(t - 1) % 2];
        history *to = lists[t % 2];
        size_t next = 0;
        done[t] = done[t - 1];
        for (size_t i = 0; i < count; i++)
            for (uint32_t e = 0; e < 2; e++) {
                history h = from[i];
                bool had = h.since != 0;
                h.weight /= 2;
                see(w, &h, w->target[from[i].state][e]);
                if (is_done(w, &h, literal, !had))
                    done[t] += h.weight;
                else
                    next = add_history(to, next, &h);
            }
        count = next;
    }
}

static void make_world(const world *w, graph_process *chain)
{
    edge edges[2 * STATES];
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t e = 0; e < 2; e++)
            edges[2 * s + e] = (edge){s, w->target[s][e], 0.5};
    make(STATES, edges, 2 * STATES, chain);
}

/* Every epsilon at which the time changes, and its neighbours. */
static void check_world(const world *w, bool literal)
{
    long double done[MOST_STEPS + 1];
    graph_process chain;
    make_world(w, &chain);
    follow(w, literal, done);
    for (uint32_t t = 1; t <= MOST_STEPS && done[t] < 1; t++) {
        double epsilon = (double)(1 - done[t]);
        if (done[t] == done[t - 1] || epsilon < 1e-6)
            continue;
        /* A tie. With larger denominators the simplest fraction that rounds to it is another. */
        if (t <= 25)
            assert_int_equal(steps_of(&chain, epsilon, literal), t);
        if (epsilon * 1.000001 < 1)
            assert_int_equal(steps_of(&chain, epsilon * 1.000001, literal), t);
    }
    graph_process_fini(&chain);
}

static void test_definition(void **context)
{
    uint64_t random = random_seed(811);
    (void)context;
    for (int round = 0; round < 120; round++) {
        world w;
        random_world(&random, &w);
        check_world(&w, false);
        check_world(&w, true);
    }
}

/* ---- known times ---- */

/* Example 1 of the paper: stay with probability 1 - p, otherwise leave forever. */
static void test_stay(void **context)
{
    const double p[] = {.5, .1, .01, .001};
    const uint64_t expected[] = {6, 30, 300, 2996};
    (void)context;
    for (size_t i = 0; i < 4; i++) {
        const edge edges[] = {{0, 0, 1 - p[i]}, {0, 1, p[i]}, {1, 1, 1}};
        graph_process chain;
        make(2, edges, 3, &chain);
        assert_int_equal(steps_of(&chain, .05, false), expected[i]);
        assert_int_equal(steps_of(&chain, .05, true), expected[i]);
        graph_process_fini(&chain);
    }
}

/* Ties in tenths, which no double is: 0.1^2 is 0.01. */
static void test_ties(void **context)
{
    const edge edges[] = {{0, 0, .1}, {0, 1, .9}};
    const double epsilon[] = {.1, .01, .001, 1e-9, 1e-15};
    const uint64_t expected[] = {2, 3, 4, 10, 16};
    graph_process chain;
    (void)context;
    make(2, edges, 2, &chain);
    for (size_t i = 0; i < sizeof epsilon / sizeof *epsilon; i++) {
        assert_int_equal(steps_of(&chain, epsilon[i], false), expected[i]);
        assert_int_equal(steps_of(&chain, nextafter(epsilon[i], 0), false), expected[i] + 1);
    }
    graph_process_fini(&chain);
}

/* A single state, with a loop or without. */
static void test_single(void **context)
{
    const edge loop = {0, 0, 1};
    graph_process chain;
    (void)context;
    for (size_t edges = 0; edges < 2; edges++) {
        make(1, &loop, edges, &chain);
        assert_int_equal(steps_of(&chain, .05, false), 1);
        assert_int_equal(steps_of(&chain, .05, true), 1);
        graph_process_fini(&chain);
    }
}

/* A cycle of n: covered after n - 1 steps, and again n - 1 later; each state twice after 2n - 1. */
static void test_cycle(void **context)
{
    (void)context;
    for (uint32_t n = 2; n <= 12; n++) {
        edge edges[12];
        graph_process chain;
        for (uint32_t s = 0; s < n; s++)
            edges[s] = (edge){s, (s + 1) % n, 1};
        make(n, edges, n, &chain);
        assert_int_equal(steps_of(&chain, .05, false), 2 * n - 2);
        assert_int_equal(steps_of(&chain, .05, true), 2 * n - 1);
        graph_process_fini(&chain);
    }
}

/*
 * s1 stays with .99, s2 returns with r. Covered twice: the first round ends in s2 and needs a return.
 * The time is N + M, N geometric with .01, M geometric with r, both from 1; one step to s1.
 * P(N + M > t) = (a b^t - b a^t) / (a - b) with a = 1 - r, b = .99, and terms of their own: the test
 * finds the time by bisection in long doubles where they are good enough.
 */
static long double survival(long double r, long double t)
{
    long double slow = expl(t * log1pl(-r)), fast = expl(t * log1pl(-.01L));
    return (slow * .01L - fast * r) / (.01L - r);
}

static void test_counterexample(void **context)
{
    (void)context;
    for (double r = 1e-3; r > 1e-13; r /= 10) {
        const edge edges[] = {{0, 1, 1}, {1, 1, .99}, {1, 2, .01}, {2, 2, 1 - r}, {2, 1, r}};
        graph_process chain;
        make(3, edges, 5, &chain);
        uint64_t steps = steps_of(&chain, .05, false);
        long double slip = r < 1e-10 ? 10 : 0; /* the oracle's own error */
        assert_true(survival(r, (long double)steps - 1 + slip) <= .05L + 1e-17L);
        assert_true(survival(r, (long double)steps - 2 - slip) > .05L - 1e-17L);
        if (r < 2e-12)
            assert_int_equal(steps_of(&chain, .05, true), 323);
        graph_process_fini(&chain);
    }
}

/* ---- comparing the methods ---- */

/* Matrix powers and single steps yield the same times, also with a limit of steps. */
static void test_powers(void **context)
{
    uint64_t random = random_seed(99);
    (void)context;
    for (int round = 0; round < 60; round++) {
        world w;
        graph_process chain;
        solve_recurrence_solver clock = {0};
        solve_recurrence steps, leaps;
        uint32_t choice[STATES];
        opac_error error;
        random_world(&random, &w);
        make_world(&w, &chain);
        for (uint32_t s = 0; s < STATES; s++)
            choice[s] = s;
        const solve_chain only = {.process = &chain, .choice = choice};
        const solve_recurrence_options options = {
            .epsilon = ldexp(1 + random_below(&random, 1000), -10 - (int)random_below(&random, 20)),
            .literal = round % 2 == 1,
            .max_steps = round % 3 == 0 ? 1 + random_below(&random, 60) : 0};
        assert_ok(solve_recurrence_solver_read(&clock, &chain, &error), &error);
        assert_ok(solve_recurrence_solver_run(&clock, &only, &options, &steps, &error), &error);
        leaps = (solve_recurrence){0};
        assert_ok(solve_matrix_powers_run(&clock.unfold, &options, &leaps, &error), &error);
        assert_int_equal(leaps.outcome, steps.outcome);
        assert_int_equal(leaps.steps, steps.steps);
        if (steps.outcome == SOLVE_RECURRENCE_FOUND) {
            assert_true(fabs(leaps.before - steps.before) < 1e-12);
            assert_true(fabs(leaps.reached - steps.reached) < 1e-12);
        }
        solve_recurrence_solver_fini(&clock);
        graph_process_fini(&chain);
    }
}

/* ---- limits ---- */

static void test_limits(void **context)
{
    edge edges[24];
    graph_process chain;
    (void)context;
    for (uint32_t s = 0; s < 24; s++)
        edges[s] = (edge){s, (s + 1) % 24, 1};
    make(24, edges, 24, &chain);
    const solve_recurrence_options usual = {.epsilon = .05};
    const solve_recurrence_options exactly = {.epsilon = .05, .max_component = 24};
    const solve_recurrence_options less = {.epsilon = .05, .max_component = 23};
    const solve_recurrence_options longer = {.epsilon = .05, .max_component = 24, .max_steps = 45};
    const solve_recurrence_options literal = {.epsilon = .05, .max_component = 24, .literal = true};
    assert_int_equal(time_of(&chain, &usual).outcome, SOLVE_RECURRENCE_TOO_BIG);
    assert_int_equal(time_of(&chain, &less).outcome, SOLVE_RECURRENCE_TOO_BIG);
    assert_int_equal(time_of(&chain, &literal).outcome, SOLVE_RECURRENCE_TOO_BIG);
    assert_int_equal(time_of(&chain, &exactly).steps, 46);
    solve_recurrence result = time_of(&chain, &longer);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_LONGER);
    assert_int_equal(result.steps, 45);
    graph_process_fini(&chain);
}

/* Beyond the precision of double-doubles: a lower bound close to the time. */
static void test_beyond_precision(void **context)
{
    const edge edges[] = {{0, 0, 1}, {0, 1, 1e-17}, {1, 0, 1}};
    const solve_recurrence_options options = {.epsilon = .05};
    graph_process chain;
    (void)context;
    make(2, edges, 3, &chain);
    solve_recurrence result = time_of(&chain, &options);
    double expected = -log(.05) * 1e17;
    assert_true(fabs((double)result.steps / expected - 1) < 1e-3);
    assert_true(isnan(result.reached) == (result.outcome == SOLVE_RECURRENCE_TOO_BIG));
    graph_process_fini(&chain);
}

/* ---- memory ---- */

static opac_status measure(void *context, opac_error *error)
{
    const solve_recurrence_options options = {.epsilon = .05};
    solve_recurrence result;
    return solve_recurrence_chain(context, 0, &options, &result, error);
}

static void test_faults(void **context)
{
    const edge edges[] = {{0, 1, 1}, {1, 1, .99}, {1, 2, .01}, {2, 2, 1 - 1e-9}, {2, 1, 1e-9}};
    graph_process chain;
    (void)context;
    make(3, edges, 5, &chain);
    assert_true(faults_sweep(measure, &chain) > 40); /* the powers are among them */
    graph_process_fini(&chain);
}

SUITE(recurrence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_stay),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_counterexample),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_beyond_precision),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
