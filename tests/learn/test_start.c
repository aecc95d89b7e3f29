/* SPDX-License-Identifier: MIT */
/*
 * The row of a random reset without a bound: its bounds are true as often as required, for distributions
 * on 1 to 200 start states, drawn one by one and in batches. Likewise with a bound on their probabilities, when it
 * is a row as any other, which becomes complete. Variants that are made wrong are detected.
 */
#include <math.h>

#include "bracket/support.h"
#include "learn/exact_test.h"
#include "learn/toy.h"
#include "sample/row_sets.h"
#include "solve/robust.h"
#include "stat/sequence.h"
#include "stat/unseen.h"
#include "support/random.h"

enum {
    MOST = 200, /* start states */
    DRAWS = 600
};
/* Of the first row, which is the reset's: half of delta, and half of that for the mass and for intervals. */
static const double delta = 0.5, level = 0.125;

/* ---- statistics of a reset only ---- */

typedef struct bench {
    toy t;
    opac_environment *env;
    opac_automaton *automaton;
    sample_statistics stats;
    bracket_support *support;
    sample_found_vec found;
} bench;

static void make(bench *b, bracket_support_options options)
{
    sample_statistics_options stats = {.k = SAMPLE_NEVER_FULL};
    opac_error error;
    *b = (bench){.t = {.states = 2, .initials = 2, .random = 1}};
    b->env = toy_environment(&b->t);
    b->automaton = toy_eventually();
    if (options.delta == 0)
        options.delta = delta;
    if (options.pmin == 0)
        options.pmin = 1;
    assert_ok(sample_statistics_init(&b->stats, b->env, b->automaton, &stats, &error), &error);
    assert_ok(bracket_support_new(&b->stats, &options, &b->support, &error), &error);
}

static void fini(bench *b)
{
    sample_found_vec_fini(&b->found);
    bracket_support_free(b->support);
    sample_statistics_fini(&b->stats);
    opac_automaton_free(b->automaton);
    opac_environment_free(b->env);
}

static void observe(bench *b, uint32_t start, uint64_t n)
{
    char key[16];
    int length = snprintf(key, sizeof key, "s%u", (unsigned)start);
    opac_observation seen = {.key = key, .length = (size_t)length, .letter = start % 2};
    uint32_t state, branch;
    opac_error error;
    assert_ok(sample_statistics_add_state(&b->stats, &seen, &state, &error), &error);
    if (b->stats.start == SAMPLE_NONE)
        assert_ok(sample_statistics_begin_episode(&b->stats, state, &error), &error);
    assert_ok(sample_statistics_branch(&b->stats, 0, state, &branch, &error), &error);
    assert_ok(sample_statistics_observe(&b->stats, 0, branch, n, &error), &error);
}

/* The start that a branch leads to. */
static uint32_t start_of(const bench *b, uint32_t branch)
{
    size_t length;
    const char *key = (const char *)base_intern_key(
        &b->stats.keys, b->stats.targets.items[b->stats.rows.items[0].begin + branch], &length);
    uint32_t start = 0;
    for (size_t i = 1; i < length; i++)
        start = 10 * start + (uint32_t)(key[i] - '0');
    return start;
}

static bracket_row_set look(bench *b)
{
    uint64_t changed;
    sample_refutation found;
    bracket_row_set start;
    opac_error error;
    assert_ok(bracket_support_refresh(b->support, &changed, &error), &error);
    assert_ok(bracket_support_check(b->support, &found, &error), &error);
    assert_ok(bracket_support_get(b->support, 0, &start, &error), &error);
    assert_ok(sample_row_discoveries(&b->stats, 0, &b->found, &error), &error);
    assert_int_equal(start.width, b->found.count);
    return start;
}

/* ---- distributions ---- */

typedef struct law {
    uint32_t width;
    double p[MOST];
    bool wins[MOST]; /* a start is worth 1, or 0 */
    double truth;    /* of a start that is drawn */
} law;

static double uniform(uint64_t *random)
{
    return (random_u32(random) + 0.5) / 4294967296.0;
}

/* Even ones, and those where some are far more likely than others. */
static void draw_law(uint64_t *random, law *l)
{
    double sum = 0, power = random_below(random, 4) == 0 ? 0 : 6 * uniform(random);
    l->width =
        random_below(random, 3) == 0 ? 1 + random_below(random, 5) : 1 + random_below(random, MOST);
    l->truth = 0;
    for (uint32_t i = 0; i < l->width; i++)
        sum += l->p[i] = pow(uniform(random), power);
    for (uint32_t i = 0; i < l->width; i++) {
        l->p[i] /= sum;
        l->wins[i] = random_below(random, 2) == 0;
        l->truth += l->wins[i] ? l->p[i] : 0;
    }
}

static uint32_t draw(uint64_t *random, const law *l)
{
    double u = uniform(random);
    for (uint32_t i = 0; i + 1 < l->width; i++) {
        if (u < l->p[i])
            return i;
        u -= l->p[i];
    }
    return l->width - 1;
}

/* A batch, as env_draw tells it: in the order of starts. */
static void observe_batch(uint64_t *random, const law *l, uint32_t size, bench *b)
{
    uint64_t hits[MOST] = {0}, before = b->stats.counters.items[0].count;
    for (uint32_t i = 0; i < size; i++)
        hits[draw(random, l)]++;
    for (uint32_t i = 0; i < l->width; i++)
        if (hits[i] > 0)
            observe(b, i, hits[i]);
    sample_statistics_end_batch(&b->stats, 0, before);
}

/* ---- what is wrong ---- */

typedef struct misses {
    unsigned unseen, interval, bounds; /* runs in which it was ever wrong */
    /* Of variants: */
    unsigned counted;  /* the discovering draws count */
    unsigned twice;    /* one alpha for all intervals */
    unsigned unshared; /* and for all masses */
    unsigned early;    /* in batches: nothing new was seen since the batch began, not ended */
} misses;

typedef struct wrong {
    bool unseen, interval, bounds, counted, twice, unshared, early;
} wrong;

static bool is_outside(double p, stat_interval i)
{
    return p < i.lower - 1e-12 || p > i.upper + 1e-12;
}

/* The k-th branch that was discovered. */
static uint32_t branch_of(const bench *b, uint64_t k)
{
    uint32_t width;
    return sample_statistics_order(&b->stats, 0, &width)[b->found.items[k - 1].position];
}

static void check_branch(const bench *b, const law *l, uint64_t k, wrong *w)
{
    const sample_found *d = &b->found.items[k - 1];
    uint32_t branch = branch_of(b, k);
    uint64_t all = sample_statistics_observed(&b->stats, 0, branch);
    uint64_t draws = b->stats.counters.items[0].count;
    double p = l->p[start_of(b, branch)];
    double own = log(level) + stat_unseen_log_share(k);
    w->counted |=
        is_outside(p, stat_sequence_jeffreys(all - d->hits + 1, draws - d->draw + 1, own));
    w->twice |= is_outside(p, stat_sequence_jeffreys(all - d->hits, draws - d->draw, log(level)));
}

/* The bounds of a start that is drawn: as bracket_model_unseen.c computes them. */
static void check_bounds(const bench *b, const law *l, const bracket_row_set *start, wrong *w)
{
    double lower[MOST + 1], upper[MOST + 1], values[MOST + 1];
    uint32_t order[MOST + 1], width;
    const uint32_t *branches = sample_statistics_order(&b->stats, 0, &width);
    for (uint32_t i = 0; i < width; i++) {
        uint32_t s = start_of(b, branches[i]);
        lower[i] = start->intervals[i].lower;
        upper[i] = start->intervals[i].upper;
        values[i] = l->wins[s] ? 1 : 0;
        w->interval |= is_outside(l->p[s], start->intervals[i]);
    }
    lower[width] = 0;
    upper[width] = start->unseen;
    for (int greatest = 0; greatest < 2; greatest++) {
        values[width] = greatest;
        for (uint32_t i = 0; i <= width; i++)
            order[i] = i;
        double bound = solve_interval_step(lower, upper, values, order, width + 1, greatest == 1);
        w->bounds |= greatest == 1 ? l->truth > bound + 1e-12 : l->truth < bound - 1e-12;
    }
}

static void check_now(bench *b, const law *l, wrong *w)
{
    bracket_row_set start = look(b);
    assert_false(start.is_complete);
    double unseen = 1;
    for (uint32_t k = 1; k <= start.width; k++) {
        unseen -= l->p[start_of(b, branch_of(b, k))];
        check_branch(b, l, k, w);
    }
    w->unseen |= unseen > start.unseen + 1e-12;
    /* Without shares; since the last discovery. */
    const sample_found *last = &b->found.items[start.width - 1];
    uint64_t quiet = b->stats.counters.items[0].count - last->draw;
    w->unshared |= unseen > stat_unseen_mass(start.width, quiet,
                                             log(level) - stat_unseen_log_share(start.width)) +
                                1e-12;
    quiet += last->draw - last->before - 1;
    w->early |= unseen > stat_unseen_mass(start.width, quiet, log(level)) + 1e-12;
    check_bounds(b, l, &start, w);
}

static void run(uint64_t *random, bool in_batches, misses *m)
{
    bench b;
    law l;
    wrong w = {0};
    uint32_t size = 1;
    draw_law(random, &l);
    make(&b, (bracket_support_options){.has_batches = in_batches});
    for (uint32_t n = 0; n < DRAWS; n += size) {
        size = in_batches ? 1 + random_below(random, 4 + 2 * n) : 1;
        if (in_batches)
            observe_batch(random, &l, size, &b);
        else
            observe(&b, draw(random, &l), 1);
        if (in_batches || n < 50 || random_below(random, 16) == 0)
            check_now(&b, &l, &w);
    }
    m->unseen += w.unseen;
    m->interval += w.interval;
    m->bounds += w.bounds;
    m->counted += w.counted;
    m->twice += w.twice;
    m->unshared += w.unshared;
    m->early += w.early;
    fini(&b);
}

/* A correct program fails here with probability EXACT_FALSE_ALARM at most, for each share. */
static void check_shares(uint64_t seed, bool in_batches)
{
    uint64_t random = random_seed(seed);
    uint32_t rounds = random_rounds(120, 1000);
    misses m = {0};
    for (uint32_t i = 0; i < rounds; i++)
        run(&random, in_batches, &m);
    print_message("%u runs; wrong: unseen %u, intervals %u, bounds %u; made wrong: counted %u, "
                  "twice %u, unshared %u, early %u\n",
                  (unsigned)rounds, m.unseen, m.interval, m.bounds, m.counted, m.twice, m.unshared,
                  m.early);
    assert_true(exact_is_kept(m.unseen, rounds, level));
    assert_true(exact_is_kept(m.interval, rounds, level));
    assert_true(exact_is_kept(m.bounds, rounds, 2 * level));
    assert_false(exact_is_kept(m.counted, rounds, level));
    if (in_batches) {
        assert_false(exact_is_kept(m.early, rounds, level));
        return;
    }
    assert_false(exact_is_kept(m.twice, rounds, level));
    assert_false(exact_is_kept(m.unshared, rounds, level));
}

static void test_one_by_one(void **state)
{
    (void)state;
    check_shares(1201, false);
}

static void test_batches(void **state)
{
    (void)state;
    check_shares(1202, true);
}

/* ---- with a bound ---- */

/* Runs in which something was ever wrong. */
typedef struct row_misses {
    unsigned mass, open, complete, closed; /* unseen mass, intervals of open rows, supports, and the
                                              intervals of rows that are rightly complete */
    unsigned completed;                    /* runs in which the row became complete */
} row_misses;

static void check_row(bench *b, const law *l, row_misses *w)
{
    bracket_row_set row = look(b);
    uint32_t width;
    const uint32_t *branches = sample_statistics_order(&b->stats, 0, &width);
    double unseen = 1;
    bool is_outside_any = false;
    for (uint32_t i = 0; i < width; i++) {
        double p = l->p[start_of(b, branches[i])];
        unseen -= p;
        is_outside_any |= is_outside(p, row.intervals[i]);
    }
    w->completed |= row.is_complete;
    if (row.is_complete && width < l->width)
        w->complete = 1;
    else if (row.is_complete)
        w->closed |= is_outside_any;
    else {
        w->mass |= unseen > row.unseen + 1e-12;
        w->open |= is_outside_any;
    }
}

/* As soon as something refutes p_min, nothing more is claimed. */
static void run_row(uint64_t *random, bracket_support_options options, row_misses *m)
{
    bench b;
    law l;
    row_misses w = {0};
    uint32_t size = 1;
    do {
        draw_law(random, &l);
        options.pmin_start = 1;
        for (uint32_t i = 0; i < l.width; i++)
            options.pmin_start = fmin(options.pmin_start, l.p[i]);
    } while (options.pmin_start < 1e-4); /* it would not become complete */
    make(&b, options);
    for (uint32_t n = 0; n < 4 * DRAWS; n += size) {
        size = options.has_batches ? 1 + random_below(random, 4 + 2 * n) : 1;
        if (options.has_batches)
            observe_batch(random, &l, size, &b);
        else
            observe(&b, draw(random, &l), 1);
        if (options.has_batches || n < 50 || random_below(random, 1 + n / 16) == 0)
            check_row(&b, &l, &w);
    }
    m->mass += w.mass;
    m->open += w.open;
    m->complete += w.complete;
    m->closed += w.closed;
    m->completed += w.completed;
    fini(&b);
}

static row_misses count_rows(uint64_t seed, bracket_support_options options)
{
    uint64_t random = random_seed(seed);
    uint32_t rounds = random_rounds(200, 1000);
    row_misses m = {0};
    for (uint32_t i = 0; i < rounds; i++)
        run_row(&random, options, &m);
    print_message("%u rows, delta %g, %u completed; wrong: mass %u, open %u, supports %u, closed "
                  "%u\n",
                  (unsigned)rounds, options.delta, m.completed, m.mass, m.open, m.complete,
                  m.closed);
    assert_true(m.completed > rounds / 8);
    return m;
}

/* A correct program fails here with probability EXACT_FALSE_ALARM at most, for each share: those of row 1. */
static void check_kept_rows(uint64_t seed, bracket_support_options options)
{
    uint32_t rounds = random_rounds(200, 1000);
    row_misses m = count_rows(seed, options);
    double small = options.delta / 64, large = 15 * small;
    assert_true(exact_is_kept(m.mass, rounds, small));
    assert_true(exact_is_kept(m.open, rounds, small));
    assert_true(exact_is_kept(m.complete, rounds, large + small));
    assert_true(exact_is_kept(m.closed, rounds, large));
}

static void test_rows(void **state)
{
    (void)state;
    check_kept_rows(1211, (bracket_support_options){.delta = 0.5});
    check_kept_rows(1212, (bracket_support_options){.delta = 0.9});
    check_kept_rows(1213, (bracket_support_options){.delta = 0.9, .has_batches = true});
}

static void test_wrong_rows(void **state)
{
    (void)state;
    uint32_t rounds = random_rounds(200, 1000);
    double small = 0.9 / 64;
    row_misses m = count_rows(1212, (bracket_support_options){.delta = 0.9, .mass_scale = 0.5});
    assert_false(exact_is_kept(m.mass, rounds, small));
    m = count_rows(1212, (bracket_support_options){.delta = 0.9, .counts_discovery = true});
    assert_false(exact_is_kept(m.open, rounds, small));
    m = count_rows(1212, (bracket_support_options){.delta = 0.9, .visits_divisor = 8});
    assert_false(exact_is_kept(m.complete, rounds, 16 * small));
    m = count_rows(1212, (bracket_support_options){.delta = 0.05, .interval_scale = 0.6});
    assert_false(exact_is_kept(m.closed, rounds, 0.05 * 15 / 64));
}

/* ---- by hand ---- */

static void test_discoveries(void **state)
{
    bench b;
    (void)state;
    make(&b, (bracket_support_options){0});
    observe(&b, 7, 1);
    observe(&b, 7, 1);
    observe(&b, 3, 1);
    for (int i = 0; i < 5; i++)
        observe(&b, 7, 1);
    bracket_row_set start = look(&b);
    const sample_found *d = b.found.items;
    assert_int_equal(b.found.count, 2);
    assert_int_equal(d[0].draw, 1);
    assert_int_equal(d[1].before, 2);
    assert_int_equal(d[1].draw, 3);
    assert_int_equal(d[1].hits, 1);
    assert_int_equal(start.quiet_after, 2);
    assert_int_equal(start.quiet, 5);
    double exact = -expm1(log(level / 6) / 5);
    assert_true(fabs(start.unseen - exact) < 1e-8);
    assert_true(start.unseen >= exact);
    /* 3 comes before 7: one interval is of 0 hits in 5 draws, the other of 6 in 7. */
    stat_interval three = stat_sequence_jeffreys(0, 5, log(level / 6));
    assert_true(fabs(start.intervals[0].upper - three.upper) < 1e-8);
    stat_interval seven = stat_sequence_jeffreys(6, 7, log(level / 2));
    assert_true(fabs(start.intervals[1].lower - seven.lower) < 1e-8);
    /* The best bound stays when something new comes, until it is beaten. */
    observe(&b, 1, 1);
    bracket_row_set then = look(&b);
    assert_int_equal(then.quiet_after, 2);
    assert_int_equal(then.quiet, 5);
    for (int i = 0; i < 6; i++)
        observe(&b, 7, 1);
    then = look(&b);
    assert_int_equal(then.quiet_after, 3);
    assert_int_equal(then.quiet, 6);
    fini(&b);
}

/* With as many successors as are declared at most nothing is unseen; p_min says nothing of them. */
static void test_declared(void **state)
{
    bench b;
    (void)state;
    make(&b, (bracket_support_options){.branching = 2, .pmin = 1});
    for (int i = 0; i < 20; i++)
        observe(&b, 0, 1);
    assert_true(look(&b).unseen > 0);
    assert_false(b.stats.counters.items[0].complete);
    observe(&b, 1, 1);
    bracket_row_set start = look(&b);
    assert_true(start.unseen == 0);
    assert_true(start.intervals[1].lower == 0);
    assert_true(start.intervals[0].lower > 0);
    fini(&b);
}

/* Draws that turn: as the first ones, all lead to one start, and then all to another. */
static void test_refuted(void **state)
{
    bench b;
    uint64_t changed;
    sample_refutation found;
    opac_error error;
    (void)state;
    make(&b, (bracket_support_options){0});
    observe(&b, 0, 1);
    for (int i = 0; i < 4000; i++)
        observe(&b, 0, 1);
    for (int i = 0; i < 4000; i++)
        observe(&b, 1, 1);
    assert_ok(bracket_support_refresh(b.support, &changed, &error), &error);
    assert_ok(bracket_support_check(b.support, &found, &error), &error);
    assert_int_equal(found.kind, OPAC_REFUTED_SUM);
    assert_int_equal(found.row, 0);
    assert_int_equal(found.state, SAMPLE_NONE);
    fini(&b);
}

SUITE(start)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discoveries), cmocka_unit_test(test_declared),
        cmocka_unit_test(test_refuted),     cmocka_unit_test(test_one_by_one),
        cmocka_unit_test(test_batches),     cmocka_unit_test(test_rows),
        cmocka_unit_test(test_wrong_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
