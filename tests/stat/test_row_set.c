/* SPDX-License-Identifier: MIT */
/*
 * What stat/unseen.h and stat/sequence.h say together about one row: the unseen mass, and for the k-th
 * successor a confidence sequence that counts the draws after its discovery only. The probability that any of
 * these is ever wrong is computed exactly for two successors, and tested by simulation for up to 200.
 * Variants that are made wrong are detected by the same tests.
 */
#include <math.h>

#include "learn/exact_test.h"
#include "stat/rng.h"
#include "stat/sequence.h"
#include "stat/unseen.h"
#include "support/check.h"
#include "support/random.h"

typedef enum fault {
    NONE,
    UNSHARED, /* alpha itself for each k */
    COUNTED,  /* the discovering draw is counted: as a hit, and as a draw that showed nothing new */
    FAULTS
} fault;

/* The level for the k-th successor. */
static double level(double log_alpha, uint64_t k, fault f)
{
    return f == UNSHARED ? log_alpha : log_alpha + stat_unseen_log_share(k);
}

/* The bound on M_k after `quiet` draws without a new successor. */
static double mass(double log_alpha, uint64_t k, uint64_t quiet, fault f)
{
    double given = f == UNSHARED ? log_alpha - stat_unseen_log_share(k) : log_alpha;
    return stat_unseen_mass(k, quiet + (f == COUNTED), given);
}

static stat_interval interval(double log_alpha, uint64_t k, uint64_t hits, uint64_t draws, fault f)
{
    uint64_t one = f == COUNTED;
    return stat_sequence_jeffreys(hits + one, draws + one, level(log_alpha, k, f));
}

static bool is_outside(double p, stat_interval i)
{
    return p < i.lower || p > i.upper;
}

/* ---- two successors, exactly ---- */

enum {
    DRAWS = 120
};

typedef struct pair {
    double p[2];
    double log_unseen, log_interval; /* the parts of alpha; 0: this part is not checked */
    fault f;
    stat_interval first[DRAWS + 1][DRAWS + 1], second[DRAWS + 1][DRAWS + 1]; /* by draws, hits */
} pair;

static void fill(pair *s)
{
    for (uint64_t draws = 0; draws <= DRAWS; draws++)
        for (uint64_t hits = 0; hits <= draws; hits++) {
            s->first[draws][hits] = s->second[draws][hits] = (stat_interval){0, 1};
            if (s->log_interval < 0) {
                s->first[draws][hits] = interval(s->log_interval, 1, hits, draws, s->f);
                s->second[draws][hits] = interval(s->log_interval, 2, hits, draws, s->f);
            }
        }
}

/* After n draws, x of them of the successor that came first; the other came at draw t, or not yet (0). */
static bool is_wrong(const pair *s, double p, unsigned n, unsigned t, unsigned x)
{
    if (is_outside(p, s->first[n - 1][x - 1]))
        return true;
    if (t > 0)
        return is_outside(1 - p, s->second[n - t][n - x - 1]);
    return s->log_unseen < 0 && 1 - p > mass(s->log_unseen, 1, n - 1, s->f);
}

/* now[t][x]: its probability, given the first draw, as long as nothing was wrong. */
static double wrong_after(const pair *s, double p)
{
    static double now[DRAWS + 1][DRAWS + 1];
    double wrong = 0;
    memset(now, 0, sizeof now);
    now[0][1] = 1;
    for (unsigned n = 2; n <= DRAWS; n++) {
        now[n][n - 1] = now[0][n - 1] * (1 - p);
        now[0][n] = now[0][n - 1] * p;
        now[0][n - 1] = 0;
        for (unsigned t = 2; t < n; t++)
            for (unsigned x = n - 1; x >= 1; x--)
                now[t][x] = now[t][x] * (1 - p) + now[t][x - 1] * p;
        for (unsigned t = 0; t <= n; t++)
            for (unsigned x = 1; x <= n; x++)
                if (now[t][x] > 0 && is_wrong(s, p, n, t, x)) {
                    wrong += now[t][x];
                    now[t][x] = 0;
                }
    }
    return wrong;
}

/* The probability that the row set of two successors with these parts of alpha is ever wrong. */
static double find_wrong(double p, double unseen, double intervals, fault f)
{
    static pair s;
    s.p[0] = p;
    s.p[1] = 1 - p;
    s.log_unseen = unseen > 0 ? log(unseen) : 0;
    s.log_interval = intervals > 0 ? log(intervals) : 0;
    s.f = f;
    fill(&s);
    return s.p[0] * wrong_after(&s, s.p[0]) + s.p[1] * wrong_after(&s, s.p[1]);
}

static const double probabilities[] = {.5, .4, .25, .1, .07, .03, .008};

enum {
    PROBABILITIES = sizeof probabilities / sizeof *probabilities
};

static double most_wrong(double unseen, double intervals, fault f)
{
    double most = 0;
    for (int i = 0; i < PROBABILITIES; i++)
        most = fmax(most, find_wrong(probabilities[i], unseen, intervals, f));
    return most;
}

/* At most alpha, for each part and for both; and not far below, as a set that is too wide would be. */
static void pairs_are_right(void **state)
{
    (void)state;
    for (double alpha = .5; alpha > .01; alpha /= 4) {
        double unseen = most_wrong(alpha, 0, NONE), intervals = most_wrong(0, alpha, NONE);
        double both = most_wrong(alpha / 2, alpha / 2, NONE);
        assert_true(unseen <= alpha);
        assert_true(unseen > alpha / 8);
        assert_true(intervals <= alpha);
        assert_true(intervals > alpha / 8);
        assert_true(both <= alpha);
        assert_true(both > alpha / 8);
    }
}

static void wrong_pairs_are_detected(void **state)
{
    (void)state;
    for (fault f = UNSHARED; f < FAULTS; f++) {
        assert_true(most_wrong(0, .5, f) > .5);
        assert_true(most_wrong(0, .1, f) > .1);
    }
}

/* ---- many successors, by simulation ---- */

enum {
    MOST = 200,
    LONG = 600
};

typedef struct row {
    unsigned width, seen;
    double p[MOST];
    unsigned number[MOST];           /* of a successor: k, or 0 */
    uint64_t from[MOST], hits[MOST]; /* of the k-th: its discovery, and its hits after it */
    double unseen;                   /* its true probability */
    double bound[FAULTS];            /* the least so far */
    bool no_mass[FAULTS], no_interval[FAULTS]; /* some was wrong */
} row;

/* Even ones, and those where some are far more likely than others. */
static void draw_row(stat_rng *rng, row *r)
{
    double sum = 0, power = stat_rng_below(rng, 4) == 0 ? 0 : 6 * stat_rng_uniform(rng);
    *r = (row){.unseen = 1};
    r->width = 1 + (unsigned)stat_rng_below(rng, stat_rng_below(rng, 3) == 0 ? 5 : MOST);
    for (unsigned i = 0; i < r->width; i++)
        sum += r->p[i] = pow(stat_rng_open(rng), power);
    for (unsigned i = 0; i < r->width; i++)
        r->p[i] /= sum;
    for (int f = 0; f < FAULTS; f++)
        r->bound[f] = 1;
}

static void observe(stat_rng *rng, row *r, uint64_t n)
{
    double u = stat_rng_uniform(rng);
    unsigned i = 0;
    for (; i + 1 < r->width && u >= r->p[i]; i++)
        u -= r->p[i];
    if (r->number[i] > 0) {
        r->hits[r->number[i] - 1]++;
        return;
    }
    r->from[r->seen] = n;
    r->number[i] = ++r->seen;
    r->unseen = r->seen == r->width ? 0 : r->unseen - r->p[i];
}

static void check_mass(row *r, uint64_t n, double log_alpha)
{
    for (int f = 0; f < FAULTS; f++) {
        double now = mass(log_alpha, r->seen, n - r->from[r->seen - 1], (fault)f);
        r->bound[f] = fmin(r->bound[f], now);
        r->no_mass[f] |= r->unseen > r->bound[f] + 1e-12;
    }
}

static void check_intervals(row *r, uint64_t n, double log_alpha)
{
    for (unsigned i = 0; i < r->width; i++)
        for (int f = 0; f < FAULTS && r->number[i] > 0; f++) {
            unsigned k = r->number[i];
            r->no_interval[f] |= is_outside(
                r->p[i], interval(log_alpha, k, r->hits[k - 1], n - r->from[k - 1], (fault)f));
        }
}

typedef struct counts {
    unsigned no_mass[FAULTS], no_interval[FAULTS], any;
} counts;

/* Each part has alpha/2. Intervals are computed after some draws only, which can only miss errors. */
static void run(stat_rng *rng, double alpha, counts *c)
{
    row r;
    draw_row(rng, &r);
    for (uint64_t n = 1; n <= LONG; n++) {
        observe(rng, &r, n);
        check_mass(&r, n, log(alpha / 2));
        if (n < 12 || n % 50 == 0 || stat_rng_below(rng, 64) == 0)
            check_intervals(&r, n, log(alpha / 2));
    }
    for (int f = 0; f < FAULTS; f++) {
        c->no_mass[f] += r.no_mass[f];
        c->no_interval[f] += r.no_interval[f];
    }
    c->any += r.no_mass[NONE] || r.no_interval[NONE];
}

/* A correct program fails each of these tests with probability EXACT_FALSE_ALARM at most. */
static void check_shares(double alpha, uint64_t seed)
{
    uint32_t runs = random_rounds(120, 2000);
    uint64_t base = random_seed(seed);
    counts c = {0};
    for (uint32_t i = 0; i < runs; i++) {
        stat_rng rng;
        stat_rng_init(&rng, base, i);
        run(&rng, alpha, &c);
    }
    print_message(
        "alpha %g, %u runs; wrong: mass %u, intervals %u, any %u; made wrong: mass %u %u, "
        "intervals %u %u\n",
        alpha, (unsigned)runs, c.no_mass[NONE], c.no_interval[NONE], c.any, c.no_mass[UNSHARED],
        c.no_mass[COUNTED], c.no_interval[UNSHARED], c.no_interval[COUNTED]);
    assert_true(exact_is_kept(c.no_mass[NONE], runs, alpha / 2));
    assert_true(exact_is_kept(c.no_interval[NONE], runs, alpha / 2));
    assert_true(exact_is_kept(c.any, runs, alpha));
    assert_true(c.any > 0);
    for (int f = UNSHARED; f < FAULTS; f++) {
        assert_false(exact_is_kept(c.no_mass[f], runs, alpha / 2));
        assert_false(exact_is_kept(c.no_interval[f], runs, alpha / 2));
    }
}

static void many_successors_are_right(void **state)
{
    (void)state;
    check_shares(.2, 81);
    check_shares(.5, 82);
}

SUITE(row_set)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_right),
        cmocka_unit_test(wrong_pairs_are_detected),
        cmocka_unit_test(many_successors_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
