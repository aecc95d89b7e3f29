/* SPDX-License-Identifier: MIT */
/*
 * Supports: n_i by trying all n; completion at n_i and at b, not before; intervals against the
 * formula, evaluated once more; the five refutations; graphs of models and of callbacks;
 * save and restore; memory.
 */
#include <math.h>

#include "bracket/support_form.h"
#include "learn/intervals.h"
#include "learn/known.h"
#include "support/faults.h"

#define NEVER_FULL (UINT64_C(1) << 62)

typedef struct bench {
    toy t;
    opac_environment *env;
    opac_automaton *automaton;
    sample_statistics stats;
    bracket_support *support;
} bench;

/* All states have three actions, with any successors that are said so. */
static toy plain_toy(uint32_t states)
{
    toy t = {.states = states, .initials = 1, .random = 1};
    for (uint32_t s = 0; s < states; s++) {
        t.actions[s] = 3;
        t.letter[s] = s & 3;
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t b = 0; b < TOY_WIDTH; b++)
                t.target[s][a][b] = (s + a + b) % states;
    }
    return t;
}

static opac_status bench_try(bench *b, const toy *t, bracket_support_options options,
                             sample_limits limits, opac_error *error)
{
    sample_statistics_options stats = {.k = NEVER_FULL, .limits = limits};
    *b = (bench){.t = *t, .automaton = toy_recurrence()};
    b->env = known_environment(&b->t);
    if (options.graph == NULL && options.pmin == 0 && options.pmin_of == NULL)
        options.graph = b->env;
    opac_status status = sample_statistics_init(&b->stats, b->env, b->automaton, &stats, error);
    if (status == OPAC_OK)
        status = bracket_support_new(&b->stats, &options, &b->support, error);
    if (status == OPAC_OK)
        status = known_begin(&b->stats, &b->t, error);
    return status;
}

static void bench_make(bench *b, const toy *t, bracket_support_options options)
{
    opac_error error;
    assert_ok(bench_try(b, t, options, (sample_limits){0}, &error), &error);
}

static void bench_fini(bench *b)
{
    bracket_support_free(b->support);
    sample_statistics_fini(&b->stats);
    opac_environment_free(b->env);
    opac_automaton_free(b->automaton);
}

static void observe(bench *b, uint32_t row, uint32_t number, uint64_t n)
{
    opac_error error;
    assert_ok(known_observe(&b->stats, &b->t, row, number, n, &error), &error);
}

static uint64_t refresh(bench *b)
{
    opac_error error;
    uint64_t changed;
    assert_ok(bracket_support_refresh(b->support, &changed, &error), &error);
    return changed;
}

static bool is_complete(const bench *b, uint32_t row)
{
    return b->stats.counters.items[row].complete;
}

static sample_refutation check(bench *b)
{
    opac_error error;
    sample_refutation found;
    assert_ok(bracket_support_check(b->support, &found, &error), &error);
    return found;
}

/* ---- shares and visits ---- */

static long double share_of(uint64_t i, uint64_t rows)
{
    long double share = 1 / ((long double)i * (long double)(i + 1));
    return rows > 0 ? (share + 1 / (long double)rows) / 2 : share;
}

static void test_visits(void **state)
{
    static const struct {
        double pmin, delta;
        uint64_t rows, branching, most;
    } cases[] = {{.2, .1, 0, 0, 5},      {.2, .1, 25, 3, 3},      {.05, .01, 0, 4, 4},
                 {.5, .11, 0, 0, 2},     {.7, .1, 7, 9, 1},       {1, .1, 0, 0, 1},
                 {.001, .2, 0, 0, 1000}, {1.0 / 93, .1, 0, 0, 93}};
    (void)state;
    toy t = plain_toy(3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        bench_make(&b, &t,
                   (bracket_support_options){.pmin = cases[i].pmin,
                                             .delta = cases[i].delta,
                                             .rows = cases[i].rows,
                                             .branching = cases[i].branching});
        for (uint32_t row = 0; row < 3; row++) {
            long double share = share_of(row + 1, cases[i].rows);
            long double missed = (long double)cases[i].most;
            uint64_t n = 0;
            for (; missed > (long double)cases[i].delta / 2 * 15 / 16 * share; n++)
                missed *= 1 - (long double)cases[i].pmin;
            assert_true(fabs(sample_budget_share(&b.support->budget, row + 1) - (double)share) <
                        1e-15);
            assert_int_equal(bracket_support_index(b.support, row), row + 1);
            assert_int_equal(bracket_support_visits(b.support, row), n);
        }
        bench_fini(&b);
    }
}

static void test_options(void **state)
{
    bench b;
    opac_error error;
    (void)state;
    toy t = plain_toy(3);
    bracket_support_options bad[] = {{.pmin = 1.1, .delta = .1},
                                     {.pmin = -.1, .delta = .1},
                                     {.pmin = NAN, .delta = .1},
                                     {.pmin = .1, .delta = 0},
                                     {.pmin = .1, .delta = 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_status(bench_try(&b, &t, bad[i], (sample_limits){0}, &error), OPAC_ERROR_ARGUMENT);
        bench_fini(&b);
    }
    bench_make(&b, &t, (bracket_support_options){.pmin = .1, .delta = .1});
    bracket_support *support;
    assert_status(
        bracket_support_new(&b.stats, &(bracket_support_options){.delta = .1}, &support, &error),
        OPAC_ERROR_ARGUMENT);
    opac_environment *env = toy_environment(&b.t); /* does not know its graph */
    assert_status(bracket_support_new(&b.stats,
                                      &(bracket_support_options){.graph = env, .delta = .1},
                                      &support, &error),
                  OPAC_ERROR_ARGUMENT);
    b.stats.count_pairs = true;
    assert_status(bracket_support_new(&b.stats, &(bracket_support_options){.pmin = .1, .delta = .1},
                                      &support, &error),
                  OPAC_ERROR_ARGUMENT);
    b.stats.count_pairs = false;
    opac_environment_free(env);
    bench_fini(&b);
}

/* ---- completion ---- */

static void test_completion(void **state)
{
    bench b;
    uint32_t count;
    (void)state;
    toy t = plain_toy(5);
    bench_make(&b, &t, (bracket_support_options){.pmin = .25, .delta = .1});
    assert_int_equal(refresh(&b), 0);
    observe(&b, 2, 3, 0); /* added by an episode that was interrupted */
    observe(&b, 2, 4, 1);
    observe(&b, 2, 1, bracket_support_visits(b.support, 2) - 2);
    assert_int_equal(refresh(&b), 0);
    assert_false(is_complete(&b, 2));
    observe(&b, 2, 1, 1);
    assert_int_equal(refresh(&b), 1);
    assert_int_equal(refresh(&b), 0);
    assert_true(is_complete(&b, 2));
    const uint32_t *order = sample_statistics_order(&b.stats, 2, &count);
    assert_int_equal(count, 2); /* 1 and 4, in this order: branches 2 and 1 */
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    observe(&b, 1, 0, 1); /* there are at most four successors */
    observe(&b, 1, 1, 1);
    observe(&b, 1, 2, 1);
    observe(&b, 1, 3, 0);
    assert_int_equal(refresh(&b), 0);
    observe(&b, 1, 3, 1);
    assert_int_equal(refresh(&b), 1);
    sample_statistics_order(&b.stats, 1, &count);
    assert_int_equal(count, 4);
    assert_int_equal(b.stats.completed, 2);
    assert_int_equal(b.stats.known, 2);
    for (uint32_t i = 0; i < 4; i++)
        observe(&b, 0, i, 1);
    assert_int_equal(refresh(&b), 1);
    order = sample_statistics_order(&b.stats, 2, &count);
    assert_true(count == 2);
    assert_true(order[0] == 2);
    assert_true(order[1] == 1);
    assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
    bench_fini(&b);
}

/* ---- intervals ---- */

/* Whether p is in the sequence: the formula of the design, in long double. */
static bool is_inside(long double p, uint64_t successes, uint64_t trials, long double log_alpha)
{
    long double s = (long double)successes, f = (long double)(trials - successes);
    long double left = (s > 0 ? s * logl(p) : 0) + (f > 0 ? f * log1pl(-p) : 0);
    long double beta = lgammal(.5L + s) + lgammal(.5L + f) - lgammal(1 + s + f) - 2 * lgammal(.5L);
    return left >= beta + log_alpha;
}

static stat_interval formula(uint64_t successes, uint64_t trials, long double log_alpha)
{
    long double mean = ((long double)successes + 1e-12L) / ((long double)trials + 2e-12L);
    long double in = mean, out = 0, low, high;
    for (int i = 0; i < 200; i++) {
        long double middle = (in + out) / 2;
        *(is_inside(middle, successes, trials, log_alpha) ? &in : &out) = middle;
    }
    low = successes > 0 ? in : 0;
    in = mean;
    out = 1;
    for (int i = 0; i < 200; i++) {
        long double middle = (in + out) / 2;
        *(is_inside(middle, successes, trials, log_alpha) ? &in : &out) = middle;
    }
    high = successes < trials ? in : 1;
    return (stat_interval){(double)low, (double)high};
}

static void check_intervals(bench *b, uint32_t row, const uint64_t *counts, uint32_t width,
                            double pmin, long double log_alpha)
{
    const stat_interval *found;
    opac_error error;
    stat_interval want[4];
    uint64_t all = 0;
    double lower = 0;
    assert_ok(row_intervals(b->support, row, &found, &error), &error);
    for (uint32_t i = 0; i < width; i++)
        all += counts[i];
    for (uint32_t i = 0; i < width; i++) {
        want[i] = formula(counts[i], all, log_alpha);
        want[i].lower = fmax(want[i].lower, pmin);
        lower += want[i].lower;
    }
    for (uint32_t i = 0; i < width; i++) {
        double low = want[i].lower;
        double high = fmin(want[i].upper, 1 - (lower - want[i].lower));
        assert_true(found[i].lower <= low);
        assert_true(found[i].upper >= high);
        assert_true(found[i].lower >= low - 1e-8);
        assert_true(found[i].upper <= high + 1e-8);
        assert_true(found[i].lower <= found[i].upper);
    }
}

static void test_intervals(void **state)
{
    static const uint64_t counts[][4] = {
        {20, 20, 20}, {50, 30, 1}, {400, 300, 9}, {100000, 70000, 4000}};
    (void)state;
    toy t = plain_toy(5);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t width = 1; width <= 3; width++) {
            bench b;
            double pmin = width == 2 ? .2 : .01;
            bench_make(&b, &t,
                       (bracket_support_options){.pmin = pmin, .branching = 3, .delta = .1});
            uint32_t row = i % 3;
            for (uint32_t s = 0; s < width; s++)
                observe(&b, row, s, counts[i][s]);
            observe(&b, row, 0, width < 3 ? 2000 : 0);
            uint64_t seen[4] = {counts[i][0] + (width < 3 ? 2000 : 0), counts[i][1], counts[i][2]};
            if (width == 2) /* not too rare for p_min */
                observe(&b, row, 1, seen[1] = 1500), seen[1] += counts[i][1];
            assert_int_equal(refresh(&b), 1);
            long double log_alpha = logl(.05L * 15 / 16 * share_of(row + 1, 0));
            if (width == 1) {
                const stat_interval *found;
                opac_error error;
                assert_ok(row_intervals(b.support, row, &found, &error), &error);
                assert_true(found->lower == 1);
                assert_true(found->upper == 1);
            } else {
                check_intervals(&b, row, seen, width, pmin,
                                width == 2 ? log_alpha : log_alpha - logl(3));
            }
            /* More, and they are others. */
            for (uint32_t s = 0; s < width; s++, seen[s - 1] *= 2)
                observe(&b, row, s, seen[s]);
            if (width == 3)
                check_intervals(&b, row, seen, width, pmin, log_alpha - logl(3));
            bench_fini(&b);
        }
}

/* With a graph, all of δ is the intervals'; a successor that was not seen yet has one, too. */
static void test_graph_intervals(void **state)
{
    static const uint64_t seen[] = {20, 30, 0};
    bench b;
    (void)state;
    toy t = plain_toy(6);
    bench_make(&b, &t, (bracket_support_options){.delta = .1});
    refresh(&b);
    for (uint32_t i = 0; i < 6; i++) /* they were added in the order of their keys */
        assert_int_equal(base_intern_key(&b.stats.keys, i, &(size_t){0})[1] - '0', i);
    for (uint32_t i = 0; i < 2; i++) /* from 0, action 1 leads to 1, 2 and 3 */
        observe(&b, 1, 1 + i, seen[i]);
    check_intervals(&b, 1, seen, 3, 0, logl(.1L * share_of(2, 0) / 3));
    bench_fini(&b);
}

static void test_hoeffding(void **state)
{
    bench b[2];
    const stat_interval *found[2];
    opac_error error;
    (void)state;
    toy t = plain_toy(5);
    for (uint32_t i = 0; i < 2; i++) {
        bench_make(&b[i], &t,
                   (bracket_support_options){
                       .pmin = .01, .branching = 3, .delta = .1, .hoeffding = i == 1});
        for (uint32_t s = 0; s < 3; s++)
            observe(&b[i], 0, s, s == 0 ? 900 : 50);
        refresh(&b[i]);
        assert_ok(row_intervals(b[i].support, 0, &found[i], &error), &error);
    }
    for (uint32_t s = 1; s < 3; s++)
        assert_true(found[1][s].upper - found[1][s].lower > found[0][s].upper - found[0][s].lower);
    assert_status(row_intervals(b[0].support, 1, &found[0], &error),
                  OPAC_ERROR_INTERNAL); /* not complete */
    bench_fini(&b[0]);
    bench_fini(&b[1]);
}

/* ---- refutations ---- */

static void check_refuted(bench *b, opac_refutation kind, uint32_t row, uint32_t number,
                          uint64_t count, uint64_t visits)
{
    sample_refutation found = check(b);
    uint32_t state = SAMPLE_NONE;
    opac_error error;
    if (number != SAMPLE_NONE)
        assert_ok(known_meet(&b->stats, &b->t, number, &state, &error), &error);
    assert_int_equal(found.kind, kind);
    assert_int_equal(found.row, row);
    assert_int_equal(found.state, state);
    assert_int_equal(found.count, count);
    assert_int_equal(found.visits, visits);
    observe(b, 0, 0, 1000); /* the first one stays */
    found = check(b);
    assert_int_equal(found.kind, kind);
    assert_int_equal(found.visits, visits);
}

static void test_refutations(void **state)
{
    bench b;
    (void)state;
    toy t = plain_toy(6);
    /* Too rare: 1 in 10000 for .1. */
    bench_make(&b, &t, (bracket_support_options){.pmin = .1, .delta = .1});
    observe(&b, 1, 2, 9999);
    observe(&b, 1, 4, 1);
    assert_int_equal(refresh(&b), 1);
    check_refuted(&b, OPAC_REFUTED_FREQUENCY, 1, 4, 1, 10000);
    bench_fini(&b);
    /* A successor after completion; two at once: the first by key. */
    bench_make(&b, &t, (bracket_support_options){.pmin = .1, .delta = .1});
    observe(&b, 1, 2, 1000);
    assert_int_equal(refresh(&b), 1);
    assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
    observe(&b, 1, 5, 0);
    assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
    observe(&b, 1, 5, 2);
    observe(&b, 1, 3, 1);
    assert_int_equal(refresh(&b), 0);
    check_refuted(&b, OPAC_REFUTED_SUPPORT, 1, 3, 1, 1003);
    bench_fini(&b);
    /* Three successors, where two is the most; completed by two of them, or not yet. */
    for (uint32_t refreshed = 0; refreshed < 2; refreshed++) {
        bench_make(&b, &t, (bracket_support_options){.pmin = .4, .delta = .1});
        observe(&b, 1, 2, 3);
        observe(&b, 1, 3, 3);
        if (refreshed)
            assert_int_equal(refresh(&b), 1);
        assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
        observe(&b, 1, 4, 1);
        check_refuted(&b, OPAC_REFUTED_WIDTH, 1, SAMPLE_NONE, 3, 7);
        bench_fini(&b);
    }
    /* Each may be .2, and not all at once: .7, .15, .15. */
    bench_make(&b, &t, (bracket_support_options){.pmin = .2, .branching = 3, .delta = .1});
    observe(&b, 1, 2, 7000);
    observe(&b, 1, 3, 1500);
    observe(&b, 1, 4, 1500);
    assert_int_equal(refresh(&b), 1);
    check_refuted(&b, OPAC_REFUTED_FREQUENCY, 1, 3, 1500, 10000);
    bench_fini(&b);
    bench_make(&b, &t, (bracket_support_options){.pmin = .2, .branching = 3, .delta = .1});
    observe(&b, 1, 2, 6300);
    observe(&b, 1, 3, 1850);
    observe(&b, 1, 4, 1850);
    assert_int_equal(refresh(&b), 1);
    check_refuted(&b, OPAC_REFUTED_SUM, 1, SAMPLE_NONE, 0, 10000);
    bench_fini(&b);
}

/* Five sides of 1/5 each, which is no double: nothing is refuted. */
static void test_fair(void **state)
{
    bench b;
    const stat_interval *found;
    opac_error error;
    (void)state;
    toy t = plain_toy(6);
    bench_make(&b, &t, (bracket_support_options){.pmin = .2, .delta = .1});
    for (uint32_t s = 0; s < 5; s++)
        observe(&b, 0, s, 100 + s);
    assert_int_equal(refresh(&b), 1);
    assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
    assert_ok(row_intervals(b.support, 0, &found, &error), &error);
    for (uint32_t s = 0; s < 5; s++) {
        assert_true(found[s].lower <= .2);
        assert_true(found[s].upper >= .2);
        assert_true(found[s].upper - found[s].lower < 1e-8);
    }
    bench_fini(&b);
}

/* ---- graphs ---- */

/* Which states of a toy can be reached. */
static uint32_t reach(const toy *t, bool *reached)
{
    uint32_t count = 0;
    bool grew = true;
    for (uint32_t s = 0; s < t->states; s++)
        reached[s] = s < t->initials;
    while (grew) {
        grew = false;
        for (uint32_t s = 0; s < t->states; s++)
            for (uint32_t a = 0; a < t->actions[s] && reached[s]; a++)
                for (uint32_t b = 0; b < TOY_WIDTH; b++) {
                    grew |= !reached[t->target[s][a][b]];
                    reached[t->target[s][a][b]] = true;
                }
    }
    for (uint32_t s = 0; s < t->states; s++)
        count += reached[s];
    return count;
}

static void check_rows(const sample_statistics *stats, const toy *t, bool is_model)
{
    for (uint32_t row = 0; row < stats->rows.count; row++) {
        const sample_row *r = &stats->rows.items[row];
        bool is_target[TOY_STATES] = {false};
        uint32_t count, wanted = 0;
        const uint32_t *order = sample_statistics_order(stats, row, &count);
        assert_true(stats->counters.items[row].known);
        if (r->state == SAMPLE_NONE)
            for (uint32_t s = 0; s < t->initials; s++)
                is_target[s] = true;
        else
            for (uint32_t b = 0; b < TOY_WIDTH; b++)
                is_target[t->target[toy_name_of(stats, r->state, is_model)][r->action][b]] = true;
        for (uint32_t s = 0; s < t->states; s++)
            wanted += is_target[s];
        assert_int_equal(count, wanted);
        for (uint32_t i = 0, last = 0; i < count; i++) {
            uint32_t s = toy_name_of(stats, stats->targets.items[r->begin + order[i]], is_model);
            assert_true(is_target[s]);
            assert_true(i == 0 || s > last);
            last = s;
        }
    }
}

/* Both kinds, with both kinds of graph: the same rows in the same order. */
static void test_graphs(void **state)
{
    uint64_t random = random_seed(71);
    opac_error error;
    (void)state;
    for (uint32_t round = 0; round < 60; round++) {
        toy t;
        bool reached[TOY_STATES];
        toy_draw(&random, 1 + random_below(&random, TOY_STATES), round % 3 == 0, &t);
        for (uint32_t s = 0; s < t.states && round % 2 == 0; s++) /* a model would have a loop */
            t.actions[s] += t.actions[s] == 0;
        uint32_t states = reach(&t, reached);
        base_u64_vec names[2] = {{0}};
        for (uint32_t kind = 0; kind < 2 - round % 2; kind++) {
            toy_run run;
            bracket_support *support;
            uint64_t changed;
            toy twin = t;
            assert_true(toy_begin(&run, &random, &t, kind == 1, toy_recurrence(),
                                  (sample_statistics_options){.k = NEVER_FULL}));
            opac_environment *graph = kind == 1 ? run.env : known_environment(&twin);
            assert_ok(bracket_support_new(&run.stats,
                                          &(bracket_support_options){.graph = graph, .delta = .1},
                                          &support, &error),
                      &error);
            assert_ok(bracket_support_refresh(support, &changed, &error), &error);
            assert_int_equal(changed, 0); /* before the first reset */
            assert_ok(toy_walk(&run, (toy_episode){.seed = round, .steps = 0}, &error), &error);
            assert_ok(bracket_support_refresh(support, &changed, &error), &error);
            assert_int_equal(run.stats.states.count, states);
            assert_int_equal(changed, run.stats.rows.count);
            assert_int_equal(run.stats.known, run.stats.rows.count);
            assert_int_equal(bracket_support_visits(support, 0), 0);
            check_rows(&run.stats, &t, kind == 1);
            for (uint32_t row = 0; row < run.stats.rows.count; row++) {
                const sample_row *r = &run.stats.rows.items[row];
                uint64_t name = r->state == SAMPLE_NONE
                                    ? UINT64_MAX
                                    : toy_name_of(&run.stats, r->state, kind == 1) * 8 + r->action;
                assert_ok(base_u64_vec_push(&names[kind], name, &error), &error);
            }
            for (uint32_t walk = 0; walk < 20; walk++)
                assert_ok(toy_walk(&run, (toy_episode){.seed = walk, .steps = 20}, &error), &error);
            sample_refutation found;
            assert_ok(bracket_support_refresh(support, &changed, &error), &error);
            assert_ok(bracket_support_check(support, &found, &error), &error);
            assert_int_equal(changed, 0);
            assert_int_equal(found.kind, OPAC_REFUTED_NONE);
            bracket_support_free(support);
            if (kind == 0)
                opac_environment_free(graph);
            opac_automaton *automaton = run.automaton;
            toy_end(&run);
            opac_automaton_free(automaton);
        }
        if (t.initials == 1 &&
            round % 2 == 0) { /* else the first state that is seen is another one */
            assert_int_equal(names[0].count, names[1].count);
            assert_memory_equal(names[0].items, names[1].items,
                                names[0].count * sizeof *names[0].items);
        }
        base_u64_vec_fini(&names[0]);
        base_u64_vec_fini(&names[1]);
    }
}

/* A successor that the graph does not have; too many for p_min; a letter that is another one. */
static void test_false_graphs(void **state)
{
    bench b;
    opac_error error;
    uint64_t changed;
    (void)state;
    toy t = plain_toy(6);
    bench_make(&b, &t, (bracket_support_options){.delta = .1});
    refresh(&b);
    observe(&b, 1, 1, 5);
    assert_int_equal(check(&b).kind, OPAC_REFUTED_NONE);
    observe(&b, 1, 5, 2); /* 1, 2 and 3 are those of the graph */
    assert_int_equal(refresh(&b), 0);
    check_refuted(&b, OPAC_REFUTED_EDGE, 1, 5, 2, 7);
    bench_fini(&b);
    toy other = t;
    opac_environment *graph = known_environment(&other);
    bench_make(&b, &t, (bracket_support_options){.pmin = .4, .graph = graph, .delta = .1});
    refresh(&b);
    check_refuted(&b, OPAC_REFUTED_WIDTH, 0, SAMPLE_NONE, 3, 0);
    bench_fini(&b);
    bench_make(&b, &t, (bracket_support_options){.pmin = .3, .graph = graph, .delta = .1});
    refresh(&b);
    observe(&b, 0, 1, 500);
    observe(&b, 0, 2, 500);
    check_refuted(&b, OPAC_REFUTED_FREQUENCY, 0, 0, 0, 1000);
    bench_fini(&b);
    other.letter[0] ^= 1;
    bench_make(&b, &t, (bracket_support_options){.graph = graph, .delta = .1});
    assert_status(bracket_support_refresh(b.support, &changed, &error), OPAC_ERROR_SIMULATOR);
    bench_fini(&b);
    opac_environment_free(graph);
    /* A declared bound: it stops. */
    for (t.initials = 1; t.initials < 3; t.initials++) {
        assert_ok(bench_try(&b, &t, (bracket_support_options){.delta = .1},
                            (sample_limits){.states = 3}, &error),
                  &error);
        refresh(&b);
        assert_string_equal(sample_statistics_exceeded(&b.stats), "states");
        assert_true(b.stats.states.count < 6);
        refresh(&b);
        bench_fini(&b);
    }
}

/* The reset is a row, too. */
static void test_reset_row(void **state)
{
    bench b;
    (void)state;
    toy t = plain_toy(6);
    t.initials = 2;
    bench_make(&b, &t, (bracket_support_options){.pmin = .1, .pmin_start = .5, .delta = .1});
    observe(&b, 0, 0, 3);
    assert_int_equal(refresh(&b), 0);
    observe(&b, 0, 1, 1);
    assert_int_equal(refresh(&b), 1);
    assert_true(is_complete(&b, 0));
    assert_int_equal(b.stats.product_states.count, 3); /* START, and what it leads to */
    bench_fini(&b);
    bench_make(&b, &t, (bracket_support_options){.delta = .1});
    refresh(&b);
    observe(&b, 0, 3, 1);
    check_refuted(&b, OPAC_REFUTED_EDGE, 0, 3, 1, 1);
    bench_fini(&b);
}

/* ---- save and restore ---- */

static void fill(bench *b)
{
    for (uint32_t row = 0; row < 6; row++)
        for (uint32_t s = 0; s < 3; s++)
            observe(b, row, (row * 2 + s * 5) % 6, row == 3 ? 1 : 40 + s);
    refresh(b);
    observe(b, 5, 5, 0);
}

static opac_status restore(const bench *from, bench *to, const bracket_support_options *options,
                           const uint64_t *words, size_t count, opac_error *error)
{
    sample_statistics_options stats = {.k = NEVER_FULL};
    size_t used = 0;
    *to = (bench){.t = from->t, .automaton = toy_recurrence()};
    to->env = known_environment(&to->t);
    assert_ok(sample_statistics_init(&to->stats, to->env, to->automaton, &stats, error), error);
    assert_ok(bracket_support_new(&to->stats, options, &to->support, error), error);
    opac_status status = known_copy(&from->stats, &to->stats, error);
    if (status == OPAC_OK)
        status = bracket_support_restore(to->support, words, count, &used, error);
    if (status == OPAC_OK)
        assert_true(used <= count);
    return status == OPAC_OK && used != count ? OPAC_ERROR_ARGUMENT : status;
}

static void check_same(bench *b, bench *c, const base_u64_vec *words)
{
    base_u64_vec again = {0};
    opac_error error;
    assert_ok(bracket_support_save(c->support, &again, &error), &error);
    assert_int_equal(words->count, again.count);
    assert_memory_equal(words->items, again.items, words->count * sizeof *words->items);
    for (uint32_t row = 0; row < 6; row++) {
        const stat_interval *before, *after;
        uint32_t width;
        assert_int_equal(is_complete(b, row), is_complete(c, row));
        if (!is_complete(b, row))
            continue;
        sample_statistics_order(&b->stats, row, &width);
        assert_ok(row_intervals(b->support, row, &before, &error), &error);
        assert_ok(row_intervals(c->support, row, &after, &error), &error);
        assert_memory_equal(before, after, width * sizeof *before);
    }
    base_u64_vec_fini(&again);
}

static void test_restore(void **state)
{
    bracket_support_options options = {.pmin = .1, .branching = 4, .delta = .1};
    bench b, c;
    base_u64_vec words = {0};
    opac_error error;
    (void)state;
    toy t = plain_toy(6);
    bench_make(&b, &t, options);
    fill(&b);
    observe(&b, 2, 0, 4); /* refuted: it must not be part of the support that is restored */
    assert_ok(bracket_support_save(b.support, &words, &error), &error);
    assert_ok(restore(&b, &c, &options, words.items, words.count, &error), &error);
    check_same(&b, &c, &words);
    check_refuted(&c, OPAC_REFUTED_SUPPORT, 2, 0, 4, 127);
    bench_fini(&c);
    base_u64_vec_fini(&words);
    bench_fini(&b);
}

static opac_status pmin_by_key(void *context, const void *key, size_t length, uint32_t action,
                               double *pmin, opac_error *error)
{
    (void)context;
    (void)error;
    assert_true(length > 1);
    *pmin = (((const unsigned char *)key)[1] + action) % 2 == 0 ? 0.1 : 0.05;
    return OPAC_OK;
}

/* The values of a function, of fewer rows than there are now, are restored and compared. */
static void test_restore_function(void **state)
{
    static const double bad_values[] = {-0.1, 1.1, (double)NAN, 0};
    bracket_support_options options = {.pmin_of = pmin_by_key, .branching = 4, .delta = .1};
    bench b, c;
    base_u64_vec words = {0};
    opac_error error;
    (void)state;
    toy t = plain_toy(7);
    bench_make(&b, &t, options);
    fill(&b);
    size_t rows = b.support->rows.count;
    observe(&b, 1, 6, 1); /* a new state, whose rows have no value yet */
    assert_true(rows < b.stats.rows.count);
    assert_ok(bracket_support_save(b.support, &words, &error), &error);
    assert_int_equal(words.items[0], rows);
    assert_ok(restore(&b, &c, &options, words.items, words.count, &error), &error);
    assert_int_equal(c.support->rows.count, rows);
    check_same(&b, &c, &words);
    assert_ok(bracket_support_compare(c.support, &error), &error);
    for (uint32_t row = 0; row < rows; row++) {
        assert_true(bracket_support_pmin(b.support, row) == bracket_support_pmin(c.support, row));
        assert_int_equal(b.support->rows.items[row].visits, c.support->rows.items[row].visits);
    }
    bench_fini(&c);
    for (size_t i = 0; i <= sizeof bad_values / sizeof *bad_values; i++) {
        uint64_t kept = words.items[i > 0];
        if (i > 0)
            memcpy(&words.items[1], &bad_values[i - 1], sizeof(double));
        else
            words.items[0] = b.stats.rows.count + 1;
        assert_status(restore(&b, &c, &options, words.items, words.count, &error),
                      OPAC_ERROR_ARGUMENT);
        bench_fini(&c);
        words.items[i > 0] = kept;
    }
    for (size_t i = 0; i < rows + 3; i++) {
        assert_status(restore(&b, &c, &options, words.items, i, &error), OPAC_ERROR_ARGUMENT);
        bench_fini(&c);
    }
    double other = 0.3; /* possible, but not what the function gives */
    memcpy(&words.items[1], &other, sizeof other);
    assert_ok(restore(&b, &c, &options, words.items, words.count, &error), &error);
    assert_status(bracket_support_compare(c.support, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the function for pmin gave 0.3 for action 0 of state"));
    bench_fini(&c);
    base_u64_vec_fini(&words);
    bench_fini(&b);
}

/* Each word damaged, and all lengths but the right one. Other discoveries may be possible ones, too. */
static void test_damage(void **state)
{
    bracket_support_options options = {.pmin = .1, .branching = 4, .delta = .1};
    bench b, c;
    base_u64_vec words = {0};
    opac_error error;
    (void)state;
    toy t = plain_toy(6);
    bench_make(&b, &t, options);
    fill(&b);
    assert_ok(bracket_support_save(b.support, &words, &error), &error);
    size_t discoveries = words.count;
    for (uint32_t row = 0; row < b.stats.counters.count; row++)
        for (uint32_t i = 0; i < b.stats.rows.items[row].width; i++)
            discoveries -= sample_statistics_observed(&b.stats, row, i) > 0;
    for (size_t i = 0; i < words.count; i++) {
        uint64_t kept = words.items[i];
        const uint64_t bad[] = {kept + 1, kept - 1, UINT64_MAX, 0, kept ^ (UINT64_C(1) << 40)};
        for (size_t k = 0; k < 5; k++) {
            if (bad[k] == kept)
                continue;
            words.items[i] = bad[k];
            opac_status found = restore(&b, &c, &options, words.items, words.count, &error);
            if (found == OPAC_OK && i >= discoveries)
                check_same(&c, &c, &words);
            else
                assert_status(found, OPAC_ERROR_ARGUMENT);
            bench_fini(&c);
        }
        words.items[i] = kept;
        assert_status(restore(&b, &c, &options, words.items, i, &error), OPAC_ERROR_ARGUMENT);
        bench_fini(&c);
    }
    /* The first two rows, of three branches each, are exchanged. */
    for (size_t i = 2; i < 7; i++) {
        uint64_t kept = words.items[i];
        words.items[i] = words.items[i + 5];
        words.items[i + 5] = kept;
    }
    assert_status(restore(&b, &c, &options, words.items, words.count, &error), OPAC_ERROR_ARGUMENT);
    bench_fini(&c);
    base_u64_vec_fini(&words);
    bench_fini(&b);
}

static void test_restore_graph(void **state)
{
    bracket_support_options options = {.delta = .1};
    bench b, c;
    base_u64_vec words = {0};
    opac_error error;
    (void)state;
    toy t = plain_toy(6);
    opac_environment *graph = known_environment(&t);
    options.graph = graph;
    bench_make(&b, &t, options);
    refresh(&b);
    observe(&b, 1, 1, 5);
    assert_ok(bracket_support_save(b.support, &words, &error), &error);
    assert_ok(restore(&b, &c, &options, words.items, words.count, &error), &error);
    assert_int_equal(refresh(&c), 0);
    assert_int_equal(c.stats.known, b.stats.known);
    assert_int_equal(check(&c).kind, OPAC_REFUTED_NONE);
    bench_fini(&c);
    /* Without a graph, these have branches without observations. */
    options.graph = NULL;
    options.pmin = .1;
    words.items[1] = 0;
    assert_status(restore(&b, &c, &options, words.items, words.count, &error), OPAC_ERROR_ARGUMENT);
    bench_fini(&c);
    bench_fini(&b);
    opac_environment_free(graph);
    base_u64_vec_fini(&words);
}

/* ---- memory ---- */

typedef struct sweep {
    opac_automaton *automaton;
    bool has_graph, has_function;
} sweep;

static opac_status sweep_support(sample_statistics *stats, bracket_support *support, const toy *t,
                                 base_u64_vec *words, opac_error *error)
{
    uint64_t changed;
    const stat_interval *intervals;
    sample_refutation found;
    opac_status status = known_begin(stats, t, error);
    for (uint32_t row = 0; row < 3 && status == OPAC_OK; row++)
        for (uint32_t s = 0; s < 3 && status == OPAC_OK; s++)
            status = known_observe(stats, t, row, (row + s) % t->states, 40, error);
    if (status == OPAC_OK)
        status = bracket_support_refresh(support, &changed, error);
    if (status == OPAC_OK)
        status = bracket_support_check(support, &found, error);
    if (status == OPAC_OK)
        status = row_intervals(support, 2, &intervals, error);
    return status == OPAC_OK ? bracket_support_save(support, words, error) : status;
}

static opac_status sweep_run(void *context, opac_error *error)
{
    const sweep *s = context;
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks callbacks = {.reset = toy_reset,
                                            .step = toy_step,
                                            .successors = known_successors,
                                            .propositions = names,
                                            .proposition_count = 2};
    toy t = plain_toy(6);
    sample_statistics stats, other = {0};
    bracket_support *support = NULL, *twin = NULL;
    opac_environment *env;
    base_u64_vec words = {0};
    size_t used;
    opac_status status = opac_environment_new(&callbacks, &t, &env, error);
    if (status != OPAC_OK)
        return status;
    bracket_support_options options = {
        .pmin = .1, .branching = 3, .delta = .1, .graph = s->has_graph ? env : NULL};
    if (s->has_function) {
        options.pmin = 0;
        options.pmin_of = pmin_by_key;
    }
    sample_statistics_options all = {.k = NEVER_FULL};
    status = sample_statistics_init(&stats, env, s->automaton, &all, error);
    if (status == OPAC_OK)
        status = bracket_support_new(&stats, &options, &support, error);
    if (status == OPAC_OK)
        status = sweep_support(&stats, support, &t, &words, error);
    if (status == OPAC_OK)
        status = sample_statistics_init(&other, env, s->automaton, &all, error);
    if (status == OPAC_OK)
        status = bracket_support_new(&other, &options, &twin, error);
    if (status == OPAC_OK)
        status = known_copy(&stats, &other, error);
    if (status == OPAC_OK)
        status = bracket_support_restore(twin, words.items, words.count, &used, error);
    if (status == OPAC_OK)
        status = bracket_support_compare(twin, error);
    bracket_support_free(support);
    bracket_support_free(twin);
    base_u64_vec_fini(&words);
    sample_statistics_fini(&stats);
    sample_statistics_fini(&other);
    opac_environment_free(env);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        sweep s = {.automaton = toy_recurrence(), .has_graph = i == 1, .has_function = i == 2};
        assert_true(faults_sweep(sweep_run, &s) > 40);
        opac_automaton_free(s.automaton);
    }
}

SUITE(support)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visits),           cmocka_unit_test(test_options),
        cmocka_unit_test(test_completion),       cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_graph_intervals),  cmocka_unit_test(test_hoeffding),
        cmocka_unit_test(test_refutations),      cmocka_unit_test(test_fair),
        cmocka_unit_test(test_graphs),           cmocka_unit_test(test_false_graphs),
        cmocka_unit_test(test_reset_row),        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_restore_graph),    cmocka_unit_test(test_damage),
        cmocka_unit_test(test_restore_function), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
