/* SPDX-License-Identifier: MIT */
/*
 * Simulators whose random numbers are not a function of the seed. If a few episodes show it, episodes are
 * run one at a time, with a notice; otherwise they run in parallel all the same: each is run once, and
 * none is dropped because of its observations. Good simulators get no notice.
 */
#include <stdatomic.h>

#include "sample/learning.h"
#include "sample/seed_check.h"
#include "stat/rng.h"
#include "support/check.h"

enum {
    LANES = 8,
    FAR = 40,  /* of the walk: b holds there */
    LATE = 20, /* steps beyond those of the seed check */
};

typedef enum manner {
    FAITHFUL,
    DEAF,       /* no seed matters */
    DEAF_FORKS, /* none does in forks */
    DEAF_LANES, /* likewise */
    DEAF_LATER, /* late steps of an episode are not a function of the seed */
    RESET_DEAF, /* where episodes begin does not; but it does for the first ones */
    DETOURS, /* late in an episode comes a state that does not, and then all is well; see below */
    FRESH,   /* or one that was never observed */
    FRESH_RESETS,  /* likewise, where episodes begin; but not the first ones */
    ALIKE_LATER,   /* from some time on all episodes draw the same numbers */
    FAILING_COPIES /* forks and lanes fail late in an episode */
} manner;

/* Shared by all instances of a simulator. */
typedef struct ledger {
    manner manner;
    bool random_start;
    atomic_uint_fast64_t resets, steps, rounds, forks, noise; /* steps: not those of lanes */
} ledger;

typedef struct walk {
    ledger *ledger;
    stat_rng rng;
    uint32_t at, age, shown;
    bool is_fork, is_lane;
} walk;

typedef struct simulator {
    walk own, lanes[LANES];
} simulator;

static bool is_deaf(const walk *w)
{
    manner m = w->ledger->manner;
    return m == DEAF || (m == DEAF_FORKS && w->is_fork) || (m == DEAF_LANES && w->is_lane) ||
           (m == RESET_DEAF && atomic_load(&w->ledger->resets) > 300) ||
           (m == DEAF_LATER && w->age > LATE);
}

static void show(const walk *w, opac_observation *seen)
{
    *seen = (opac_observation){.key = &w->shown,
                               .length = sizeof w->shown,
                               .letter = (w->shown == 0 ? 1u : 0) | (w->shown == FAR ? 2u : 0),
                               .actions = 2};
}

static opac_status begin(walk *w, uint64_t seed, opac_observation *seen)
{
    atomic_fetch_add(&w->ledger->resets, 1);
    w->age = 0;
    stat_rng_init(&w->rng, is_deaf(w) ? atomic_fetch_add(&w->ledger->noise, 1) : seed, 3);
    if (w->ledger->manner == ALIKE_LATER && atomic_load(&w->ledger->resets) > 300)
        stat_rng_init(&w->rng, 1, 3);
    w->at = w->ledger->random_start ? (uint32_t)stat_rng_below(&w->rng, FAR) : 0;
    w->shown = w->at;
    if (w->ledger->manner == FRESH_RESETS && atomic_load(&w->ledger->resets) > 300 &&
        stat_rng_below(&w->rng, 12) == 0)
        w->shown = 1000 + (uint32_t)atomic_fetch_add(&w->ledger->noise, 1);
    show(w, seen);
    return OPAC_OK;
}

/* For a step it may seem to be where it was: by the seed at first, and then by chance. Behind that
 * there is something new now and then, which follows from the seed. */
static void take_detour(walk *w, uint32_t before)
{
    uint64_t seeded = stat_rng_below(&w->rng, 1 << 20);
    bool is_noisy = atomic_load(&w->ledger->resets) > 500;
    uint64_t bit = is_noisy ? atomic_fetch_add(&w->ledger->noise, 1) / 3 : seeded;
    if (w->age == LATE + 1)
        w->shown = bit % 2 == 0 ? before : w->at;
    if (w->age == LATE + 3 && seeded % 8 == 0)
        w->shown = 1000 + (uint32_t)seeded;
}

static opac_status go(walk *w, uint32_t action, opac_observation *seen, opac_error *error)
{
    if (!w->is_lane)
        atomic_fetch_add(&w->ledger->steps, 1);
    w->age++;
    if (w->age > LATE && (w->is_fork || w->is_lane) && w->ledger->manner == FAILING_COPIES) {
        snprintf(error->message, sizeof error->message, "a wheel came off");
        return OPAC_ERROR_SIMULATOR;
    }
    if (is_deaf(w))
        stat_rng_init(&w->rng, atomic_fetch_add(&w->ledger->noise, 1), 3);
    uint64_t draw = stat_rng_below(&w->rng, 4);
    uint32_t before = w->at;
    if (action == 0)
        w->at = draw == 0 ? w->at : w->at < FAR ? w->at + 1 : FAR;
    else
        w->at = draw == 0 ? 0 : w->at / 2;
    w->shown = w->at;
    if (w->ledger->manner == DETOURS)
        take_detour(w, before);
    if (w->age == LATE + 1 && w->ledger->manner == FRESH && stat_rng_below(&w->rng, 12) == 0)
        w->shown = 1000 + (uint32_t)atomic_fetch_add(&w->ledger->noise, 1);
    show(w, seen);
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    (void)error;
    return begin(&((simulator *)context)->own, seed, seen);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    return go(&((simulator *)context)->own, action, seen, error);
}

static opac_status step_many(void *context, const opac_lane_request *orders, opac_observation *seen,
                             opac_error *error)
{
    simulator *s = context;
    opac_status status = OPAC_OK;
    atomic_fetch_add(&s->own.ledger->rounds, 1);
    for (int i = 0; i < LANES && status == OPAC_OK; i++)
        status = orders[i].is_reset ? begin(&s->lanes[i], orders[i].seed, &seen[i])
                                    : go(&s->lanes[i], orders[i].action, &seen[i], error);
    return status;
}

static simulator *make(ledger *l, bool is_fork)
{
    simulator *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->own = (walk){.ledger = l, .is_fork = is_fork};
    for (int i = 0; i < LANES; i++)
        s->lanes[i] = (walk){.ledger = l, .is_fork = is_fork, .is_lane = true};
    return s;
}

static opac_status fork_simulator(void *context, void **other, opac_error *error)
{
    ledger *l = ((simulator *)context)->own.ledger;
    (void)error;
    atomic_fetch_add(&l->forks, 1);
    *other = make(l, true);
    return OPAC_OK;
}

/* ---- runs ---- */

typedef struct heard {
    unsigned notices;
    unsigned assumed; /* that nothing was lost */
    char last[256];
} heard;

static void hear(void *context, uint32_t line, uint32_t column, const char *message)
{
    heard *h = context;
    (void)line;
    (void)column;
    h->notices++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

typedef struct question {
    bool lanes, pmin;
    unsigned threads;
    const char *checkpoint;
    bool resume, untested;
    uint64_t max_steps; /* 0: the usual */
} question;

static opac_status learn(ledger *l, question q, heard *h, opac_learn_report *report,
                         opac_error *error)
{
    static const char *const names[] = {"a", "b"};
    const opac_environment_callbacks callbacks = {.reset = reset,
                                                  .step = step,
                                                  .step_many = q.lanes ? step_many : NULL,
                                                  .lanes = q.lanes ? LANES : 0,
                                                  .fork = fork_simulator,
                                                  .release = free,
                                                  .propositions = names,
                                                  .proposition_count = 2,
                                                  .random_start = l->random_start};
    opac_environment *env;
    opac_formula *formula;
    opac_learning *learning = NULL;
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 80;
    options.k = q.pmin ? 0 : 60;
    options.pmin = q.pmin ? 0.25 : 0;
    options.epsilon = options.delta = 0.1;
    options.threads = q.threads;
    options.max_steps = q.max_steps > 0 ? q.max_steps : 60000;
    options.notice = hear;
    options.notice_context = h;
    options.checkpoint = q.checkpoint;
    options.resume = q.resume;
    options.untested = q.untested;
    assert_ok(opac_environment_new(&callbacks, make(l, false), &env, error), error);
    assert_ok(opac_formula_parse("G F a & G F b", NULL, &formula, error), error);
    const opac_objective objective = {.formula = formula};
    opac_status status = opac_learn(env, &objective, &options, &learning, error);
    if (status == OPAC_OK && report != NULL)
        *report = *opac_learning_report(learning);
    const char *line = NULL;
    for (size_t i = 0; learning != NULL && (line = opac_learning_assumption(learning, i)) != NULL;
         i++)
        h->assumed += strstr(line, "which was lost") != NULL;
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(env);
    return status;
}

/* ---- tests ---- */

/* One thread and one lane: an episode is run once, and nothing is tried before. */
static void test_alone_nothing_is_run_twice(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        ledger l = {.manner = DEAF, .random_start = i % 2 == 1};
        heard h = {0};
        opac_error error = {0};
        opac_learn_report report;
        question q = {.pmin = i >= 2, .threads = 1, .untested = true};
        assert_ok(learn(&l, q, &h, &report, &error), &error);
        assert_int_equal(h.notices, 0);
        assert_int_equal(l.resets, report.episodes + 1); /* one for a look at the start */
        assert_int_equal(l.forks, 0);
        assert_true(report.episodes > 5);
    }
}

static void check_one_at_a_time(manner m, question q)
{
    ledger l = {.manner = m};
    q.untested = true;
    heard h = {0};
    opac_error error = {0};
    opac_learn_report report;
    assert_ok(learn(&l, q, &h, &report, &error), &error);
    assert_int_equal(h.notices, 1);
    assert_non_null(strstr(h.last, "not a function of the seed"));
    assert_non_null(strstr(h.last, "one at a time"));
    assert_true(l.rounds <= 40); /* of the probe */
    assert_true(l.resets <= report.episodes + 1 + 8 + l.rounds * LANES);
}

/* It is detected, with a notice; then episodes run one at a time. */
static void test_deaf_ones_are_found_out(void **unused)
{
    (void)unused;
    for (int pmin = 0; pmin < 2; pmin++) {
        check_one_at_a_time(DEAF, (question){.pmin = pmin, .threads = 3});
        check_one_at_a_time(DEAF, (question){.pmin = pmin, .threads = 1, .lanes = true});
        check_one_at_a_time(DEAF_FORKS, (question){.pmin = pmin, .threads = 3});
        check_one_at_a_time(DEAF_LANES, (question){.pmin = pmin, .threads = 1, .lanes = true});
        check_one_at_a_time(DEAF_LANES, (question){.pmin = pmin, .threads = 3, .lanes = true});
    }
}

/* Results are the same with and without forks and lanes, without a notice. */
static void test_good_ones(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        opac_learn_report first = {0}, report;
        for (int how = 0; how < 4; how++) {
            ledger l = {.manner = FAITHFUL, .random_start = i % 2 == 1};
            heard h = {0};
            opac_error error = {0};
            question q = {.pmin = i >= 2, .threads = how % 2 == 0 ? 1 : 3, .lanes = how >= 2};
            assert_ok(learn(&l, q, &h, &report, &error), &error);
            assert_int_equal(h.notices, 0);
            if (how == 0)
                first = report;
            assert_int_equal(first.episodes, report.episodes);
            assert_int_equal(first.steps, report.steps);
            assert_true(first.value == report.value);
            /* On lanes, most steps share a round with others: each round is a message. */
            if (how == 2 && report.steps > 1000)
                assert_true(4 * (l.rounds + l.steps) < 3 * report.steps);
        }
    }
}

/*
 * Each episode is run once; in addition there are only a reset for the start and six episodes of the seed
 * check. With a learner that counts to k, those after an episode that fills a counter are run in vain.
 */
static void check_run_once(manner m, bool random_start, question q)
{
    ledger l = {.manner = m, .random_start = random_start};
    heard h = {0};
    opac_error error = {0};
    opac_learn_report report;
    q.untested = true;
    assert_ok(learn(&l, q, &h, &report, &error), &error);
    assert_int_equal(h.notices, 0);
    assert_true(report.episodes > 5);
    if (q.pmin && !q.lanes) {
        assert_int_equal(l.resets, report.episodes + 1 + 6);
        assert_int_equal(l.steps, report.steps - (random_start ? report.episodes : 0) +
                                      6 * SAMPLE_SEED_CHECK_STEPS);
    }
}

/*
 * What the seed check cannot detect does no harm: nothing is run twice, and nothing is dropped because of
 * its observations.
 */
static void test_each_is_run_once(void **unused)
{
    static const manner manners[] = {FAITHFUL,   DEAF_LATER,   FRESH,
                                     RESET_DEAF, FRESH_RESETS, DETOURS};
    (void)unused;
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
        bool is_random = manners[i] == RESET_DEAF || manners[i] == FRESH_RESETS;
        for (int pmin = 0; pmin < 2; pmin++) {
            check_run_once(manners[i], is_random, (question){.pmin = pmin, .threads = 3});
            check_run_once(manners[i], is_random,
                           (question){.pmin = pmin, .threads = 1, .lanes = true});
            check_run_once(manners[i], is_random,
                           (question){.pmin = pmin, .threads = 2, .lanes = true});
        }
    }
}

/*
 * A failure in a fork or on a lane is a failure of the run. (The fork of a second thread may get no work:
 * hence several runs.)
 */
static void test_failing_copies(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        question q = {.pmin = i >= 2, .threads = i % 2 == 0 ? 2 : 1, .lanes = i % 2 == 1};
        opac_status status = OPAC_OK;
        opac_error error = {0};
        for (int run = 0; run < (q.lanes ? 1 : 50) && status == OPAC_OK; run++) {
            ledger l = {.manner = FAILING_COPIES};
            heard h = {0};
            status = learn(&l, q, &h, NULL, &error);
        }
        assert_status(status, OPAC_ERROR_SIMULATOR);
        assert_non_null(strstr(error.message, "a wheel came off"));
    }
}

/*
 * An episode was dropped because of its observations: a run that continued again and again would miss all
 * rare events. So it cannot be resumed, also not from the previous checkpoint. (Other failures:
 * test_failure.c.)
 */
static void test_no_way_on(void **unused)
{
    static const char path[] = "test_unseeded.checkpoint";
    (void)unused;
    for (int pmin = 0; pmin < 2; pmin++) {
        ledger good = {.manner = FAITHFUL}, bad = {.manner = ALIKE_LATER};
        heard h = {0};
        opac_error error = {0};
        opac_learn_report report;
        question q = {.pmin = pmin, .threads = 2, .checkpoint = path, .max_steps = 1000};
        remove(path);
        assert_ok(learn(&good, q, &h, &report, &error), &error);
        q.resume = true;
        q.max_steps = 2000;
        assert_ok(learn(&good, q, &h, &report, &error), &error);
        assert_true(report.resumed);
        assert_true(report.steps > 1000);
        q.max_steps = 0;
        assert_status(learn(&bad, q, &h, NULL, &error), OPAC_ERROR_SIMULATOR);
        q.threads = 1;
        assert_status(learn(&good, q, &h, &report, &error), OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "cannot be continued"));
        assert_non_null(strstr(error.message, "start a new run"));
        assert_int_equal(h.assumed, 0);
        remove(path);
    }
}

/*
 * If random numbers are not a function of the seed, the episode in progress is lost, which is an
 * assumption.
 */
static void test_what_is_lost(void **unused)
{
    static const char path[] = "test_unseeded.lost.checkpoint";
    (void)unused;
    for (int i = 0; i < 4; i++) {
        bool is_deaf_one = i % 2 == 1;
        ledger l = {.manner = is_deaf_one ? DEAF : FAITHFUL};
        heard h = {0};
        opac_error error = {0};
        question q = {.pmin = i >= 2, .threads = 1, .checkpoint = path, .max_steps = 1000};
        remove(path);
        assert_ok(learn(&l, q, &h, NULL, &error), &error);
        assert_int_equal(h.notices, 0);
        assert_int_equal(h.assumed, 0);
        q.resume = true;
        q.max_steps = 0;
        assert_ok(learn(&l, q, &h, NULL, &error), &error);
        assert_int_equal(h.notices, is_deaf_one);
        assert_int_equal(h.assumed, is_deaf_one);
        remove(path);
    }
}

SUITE(unseeded)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_nothing_is_run_twice),
        cmocka_unit_test(test_deaf_ones_are_found_out),
        cmocka_unit_test(test_good_ones),
        cmocka_unit_test(test_each_is_run_once),
        cmocka_unit_test(test_failing_copies),
        cmocka_unit_test(test_no_way_on),
        cmocka_unit_test(test_what_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
