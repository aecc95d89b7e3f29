/* SPDX-License-Identifier: MIT */
/*
 * The population sampler at its typical sizes, and its limits: budgets, halts, requests to cancel,
 * errors. Its distribution is tested in test_distributions.c.
 */
#include <math.h>

#include "learn/sampling.h"
#include "sample/population_size.h"
#include "support/faults.h"
#include "support/random.h"

/*
 * Runs until the policy's rows are known; afresh: with a new sampler for each advance, as after a resume.
 */
static opac_status learn(sampling_run *r, bool afresh, sample_population_counts *counts,
                         opac_error *error)
{
    opac_status status = OPAC_OK;
    for (bool done = false; !done && status == OPAC_OK;) {
        status = sampling_try(r, POPULATION, counts, error);
        if (status == OPAC_OK && r->run.stats.full.count > 0)
            status = sampling_update(r, &done, error);
        if (afresh) {
            sample_population_free(r->population);
            r->population = NULL;
        }
    }
    return status == OPAC_OK ? omega_pac_optimistic_model_solve_canonical(
                                   omega_pac_optimistic_model_of(&r->run), error)
                             : status;
}

/* ---- the gridworld ---- */

static const sampling_system gridworld = {
    .path = EXAMPLE_MODELS "/gridworld.prism", .formula = "G F s & G F g", .count_pairs = true};

/* Counters that are known have k, in shares that are fifths as in the model. */
static void check_shares(const sample_statistics *stats)
{
    uint64_t known = 0;
    for (uint32_t c = 0; c < stats->counters.count; c++) {
        if (!stats->counters.items[c].known)
            continue;
        uint64_t sum = 0;
        for (uint32_t b = 0; b < stats->rows.items[stats->counters.items[c].row].width; b++) {
            uint64_t n = sample_statistics_observed(stats, c, b);
            double fifths = 5 * (double)n / (double)stats->k;
            assert_true(fabs(fifths - round(fifths)) < 0.005);
            sum += n;
        }
        assert_true(sum == stats->k);
        assert_true(stats->counters.items[c].count == stats->k);
        known++;
    }
    assert_true(known == stats->known);
    assert_true(known > 20);
}

static void check_gridworld(uint64_t horizon, uint64_t k)
{
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    sample_population_counts counts = {0};
    sampling_system system = gridworld;
    system.horizon = horizon;
    system.k = k;
    sampling_open(&scene, &system, NULL);
    assert_ok(sampling_begin(&r, &scene, random_seed(1), &error), &error);
    assert_ok(learn(&r, false, &counts, &error), &error);
    assert_true(omega_pac_optimistic_model_value(omega_pac_optimistic_model_of(&r.run)).lower == 1);
    assert_true(r.run.steps == r.run.episodes * horizon);
    assert_true(r.run.steps > 20 * k);
    check_shares(&r.run.stats);
    /* The cost is that of so many passes over the flows, whatever k is. */
    assert_true(counts.batches + counts.splits < 40 * r.run.policies);
    sampling_end(&r);
    sampling_close(&scene);
}

/* T and k of the paper, and the true T with the k of Theorem 1. */
static void the_gridworld_is_learned(void **state)
{
    (void)state;
    check_gridworld(19, 71394132);
    check_gridworld(306, UINT64_C(18518174353));
}

/* ---- the counterexample to Definition 1 ---- */

/* The action that is learned: 0 leads to s1 and is worth 1, the other one is worth 1/2. */
static uint32_t learn_fork(double back, uint64_t horizon, uint64_t k, uint64_t seed)
{
    const arc arcs[] = {{0, 0, 1, 1},        {0, 1, 3, 0.5},  {0, 1, 4, 0.5},
                        {1, 0, 1, 0.99},     {1, 0, 2, 0.01}, {2, 0, 1, back},
                        {2, 0, 2, 1 - back}, {3, 0, 3, 1},    {4, 0, 4, 1}};
    static const char *const labels[] = {"", "a", "", "a", ""};
    const sampling_system system = {.arcs = arcs,
                                    .arc_count = 9,
                                    .states = 5,
                                    .labels = labels,
                                    .initial = "10000",
                                    .formula = "G F a",
                                    .horizon = horizon,
                                    .k = k};
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    sampling_open(&scene, &system, NULL);
    assert_ok(sampling_begin(&r, &scene, seed, &error), &error);
    assert_ok(learn(&r, false, NULL, &error), &error);
    uint32_t start = r.run.stats.start;
    uint32_t action =
        omega_pac_optimistic_model_choice(omega_pac_optimistic_model_of(&r.run), start) -
        r.run.stats.product_states.items[start].choice;
    sampling_end(&r);
    sampling_close(&scene);
    return action;
}

/* The least T by which, with probability 0.95, s1 was left and s2 as well: then both were seen
 * before both. */
static uint64_t cover_twice(double back)
{
    double first = 1, second = 0, done = 0;
    uint64_t steps = 1;
    for (; done < 0.95; steps++) {
        done += second * back;
        second += first * 0.01 - second * back;
        first -= first * 0.01;
    }
    return steps;
}

/* With the T of the definition and the k of the theorem, the worse action, always. */
static void the_literal_time_is_too_short(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++)
        assert_int_equal(learn_fork(1e-12, 323, UINT64_C(2763840763), random_seed(i)), 1);
}

/*
 * A transition back that is less rare, and a smaller k, which grows with T² as in theory: with 100
 * observations the transition is missed with probability 0.9. With the number that the cover-twice time
 * requires it is missed with probability 1e-4.
 */
static void the_cover_twice_time_is_not(void **state)
{
    (void)state;
    uint64_t horizon = cover_twice(1e-3), k = 100 * horizon * horizon / 323 / 323, worse = 0;
    assert_in_range(horizon, 3000, 3300);
    for (uint64_t i = 0; i < 20; i++) {
        worse += learn_fork(1e-3, 323, 100, random_seed(100 + i));
        assert_int_equal(learn_fork(1e-3, horizon, k, random_seed(200 + i)), 0);
    }
    assert_true(worse >= 10);
}

/* ---- interruptions ---- */

static const arc maze_arcs[] = {
    {0, 0, 0, 0.125}, {0, 0, 1, 0.8125}, {0, 0, 2, 0.0625}, {0, 1, 1, 0.5},  {0, 1, 3, 0.5},
    {1, 0, 1, 0.5},   {1, 0, 0, 0.5},    {1, 1, 0, 0.75},   {1, 1, 4, 0.25}, {2, 0, 0, 1},
    {2, 1, 2, 0.5},   {2, 1, 1, 0.5},    {3, 0, 3, 1},      {4, 0, 4, 1},
};
static const char *const maze_labels[] = {"", "a", "b", "ab", ""};
static const sampling_system maze = {.arcs = maze_arcs,
                                     .arc_count = 14,
                                     .states = 5,
                                     .labels = maze_labels,
                                     .initial = "10000",
                                     .formula = "G F a & G F b",
                                     .horizon = 9,
                                     .k = 3000};

typedef struct outcome {
    uint64_t episodes, steps, policies, counts, policy, product_states;
} outcome;

static outcome look(const sampling_run *r)
{
    return (outcome){r->run.episodes,          r->run.steps,
                     r->run.policies,          sampling_counts(&r->run),
                     sampling_policy(&r->run), r->run.stats.product_states.count};
}

static void check_same(outcome a, outcome b)
{
    assert_true(a.episodes == b.episodes);
    assert_true(a.steps == b.steps);
    assert_true(a.policies == b.policies);
    assert_true(a.counts == b.counts);
    assert_true(a.policy == b.policy);
    assert_true(a.product_states == b.product_states);
}

/* Every second time. */
static bool halt(void *context)
{
    uint64_t *asked = context;
    return ++*asked % 2 == 0;
}

static outcome run_maze(opac_environment *env, uint64_t seed, bool interrupted)
{
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    uint64_t asked = 0;
    sampling_open(&scene, &maze, env);
    assert_ok(sampling_begin(&r, &scene, seed, &error), &error);
    if (interrupted) {
        r.run.halt = halt;
        r.run.halt_context = &asked;
    }
    assert_ok(learn(&r, interrupted, NULL, &error), &error);
    assert_true(!interrupted || asked > 40);
    outcome result = look(&r);
    sampling_end(&r);
    sampling_close(&scene);
    return result;
}

static void halts_change_nothing(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        uint64_t seed = random_seed(i);
        check_same(run_maze(NULL, seed, false), run_maze(NULL, seed, true));
    }
}

/* A request in the middle of a batch; then the run continues. */
static outcome run_cancelled(uint64_t seed, uint64_t last)
{
    sampling_robot robot = {.system = &maze, .last = last};
    sampling_scene scene;
    sampling_run r;
    opac_environment *env;
    opac_error error;
    assert_ok(opac_cancel_new(&robot.cancel, &error), &error);
    assert_ok(sampling_callbacks(&robot, true, &env, &error), &error);
    sampling_open(&scene, &maze, env);
    assert_ok(sampling_begin(&r, &scene, seed, &error), &error);
    r.run.cancel = robot.cancel;
    bool done = false;
    while (!done) {
        sampling_advance(&r, POPULATION, NULL);
        opac_cancel_reset(robot.cancel);
        if (r.run.stats.full.count > 0)
            assert_ok(sampling_update(&r, &done, &error), &error);
    }
    outcome result = look(&r);
    sampling_end(&r);
    sampling_close(&scene);
    opac_cancel_free(robot.cancel);
    return result;
}

static void requests_to_cancel_change_nothing(void **state)
{
    (void)state;
    uint64_t seed = random_seed(3);
    outcome whole = run_cancelled(seed, UINT64_MAX);
    for (uint64_t last = 0; last < 4000; last += last < 150 ? 3 : 131)
        check_same(whole, run_cancelled(seed, last));
}

/* An environment that gives up in the middle of an episode: no part of that is counted. */
static void who_gives_up_leaves_no_trace(void **state)
{
    (void)state;
    for (uint64_t last = 0; last < 300; last++) {
        sampling_system system = maze;
        sampling_robot robot = {.system = &system, .last = last, .gives_up = true};
        sampling_scene scene;
        sampling_run r;
        opac_environment *env;
        opac_error error;
        uint64_t sum = 0;
        system.k = 1000000000;
        assert_ok(opac_cancel_new(&robot.cancel, &error), &error);
        assert_ok(sampling_callbacks(&robot, true, &env, &error), &error);
        sampling_open(&scene, &system, env);
        assert_ok(sampling_begin(&r, &scene, random_seed(4), &error), &error);
        r.run.cancel = robot.cancel;
        r.run.limit = 2000;
        sampling_advance(&r, POPULATION, NULL);
        assert_int_equal(r.run.steps, r.run.episodes * system.horizon);
        for (size_t c = 0; c < r.run.stats.counters.count; c++)
            sum += r.run.stats.counters.items[c].count;
        assert_int_equal(sum, r.run.steps);
        sampling_end(&r);
        sampling_close(&scene);
        opac_cancel_free(robot.cancel);
    }
}

static void a_request_is_heard_before_a_batch(void **state)
{
    (void)state;
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    sampling_open(&scene, &maze, NULL);
    assert_ok(sampling_begin(&r, &scene, 1, &error), &error);
    r.run.cancel = cancel;
    sampling_advance(&r, POPULATION, NULL);
    assert_int_equal(r.run.episodes, 0);
    sampling_end(&r);
    sampling_close(&scene);
    opac_cancel_free(cancel);
}

/* ---- budgets ---- */

static void budgets_are_kept(void **state)
{
    (void)state;
    sampling_scene scene;
    opac_error error;
    sampling_open(&scene, &maze, NULL);
    for (uint64_t most = 1; most < 3000; most += 97) {
        sampling_run r;
        assert_ok(sampling_begin(&r, &scene, random_seed(most), &error), &error);
        r.run.max_steps = most;
        sampling_advance(&r, POPULATION, NULL);
        assert_true(r.run.steps <= most);
        assert_true(r.run.stats.full.count > 0 || r.run.steps + maze.horizon > most);
        sampling_end(&r);
    }
    sampling_close(&scene);
}

/* Where nothing is left to be learned, the limit on episodes ends an advance. */
static void limits_end_what_has_no_end(void **state)
{
    (void)state;
    sampling_system system = maze;
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    system.formula = "true";
    sampling_open(&scene, &system, NULL);
    assert_ok(sampling_begin(&r, &scene, 1, &error), &error);
    r.run.limit = 1000;
    sampling_advance(&r, POPULATION, NULL);
    assert_true(r.run.episodes >= 1000);
    assert_true(r.run.steps == 0);
    sampling_end(&r);
    sampling_close(&scene);
}

/* Batches whose flows would not fit are smaller. */
static void flows_are_bounded(void **state)
{
    (void)state;
    static const uint64_t horizons[] = {100, 10000, 4000000, 200000000};
    population_graph graph = {0};
    population_size size = {0};
    for (size_t i = 0; i < 4; i++) {
        sampling_system system = maze;
        sampling_scene scene;
        sampling_run r;
        opac_error error;
        uint32_t state_number;
        opac_observation seen;
        system.k = UINT64_C(1) << 60;
        system.horizon = horizons[i];
        sampling_open(&scene, &system, NULL);
        assert_ok(sampling_begin(&r, &scene, 1, &error), &error);
        assert_ok(env_reset(scene.env, 1, &seen, &error), &error);
        assert_ok(sample_statistics_add_state(&r.run.stats, &seen, &state_number, &error), &error);
        assert_ok(sample_statistics_begin_episode(&r.run.stats, state_number, &error), &error);
        /* Counters that were long observed, so that they ask for large batches. */
        for (uint32_t c = 0; c < r.run.stats.counters.count; c++)
            r.run.stats.counters.items[c].count = system.k / 2;
        assert_ok(population_graph_build(&graph, &r.run, &error), &error);
        assert_ok(population_size_choose(&size, &graph, &r.run, &error), &error);
        double edges = (double)graph.targets.count, horizon = (double)horizons[i];
        assert_true(size.n >= 1);
        assert_true(size.n <= UINT64_C(1) << 53);
        assert_true(edges * horizon <= SAMPLE_POPULATION_FLOWS || size.n == 1 ||
                    (double)size.n * horizon <= SAMPLE_POPULATION_FLOWS);
        assert_true(i > 1 || size.n > UINT64_C(1) << 40);
        population_graph_fini(&graph);
        graph = (population_graph){0};
        sampling_end(&r);
        sampling_close(&scene);
    }
    population_size_fini(&size);
}

/* ---- where episodes end ---- */

/* As many free choices in a row as there are pairs, and one more. */
static bool is_over_naively(const sample_run *run, uint32_t product_state)
{
    for (size_t i = 0; i <= run->stats.product_states.count; i++) {
        const sample_choice *choice = &run->stats.choices.items[omega_pac_optimistic_model_choice(
            omega_pac_optimistic_model_of(run), product_state)];
        if (!sample_choice_is_free(choice))
            return false;
        product_state = choice->target;
    }
    return true;
}

static void episodes_end_where_only_free_choices_follow(void **state)
{
    (void)state;
    sampling_system system = maze;
    sampling_scene scene;
    sampling_run r;
    opac_error error;
    uint32_t over = 0, on = 0;
    system.formula = "F G a";
    system.kind = OPAC_KIND_LDBA;
    system.k = 5;
    sampling_open(&scene, &system, NULL);
    assert_ok(sampling_begin(&r, &scene, random_seed(1), &error), &error);
    for (bool done = false; !done;) {
        sampling_advance(&r, POPULATION, NULL);
        assert_ok(sampling_update(&r, &done, &error), &error);
        for (uint32_t p = 0; p < r.run.stats.product_states.count; p++) {
            bool is = is_over_naively(&r.run, p);
            assert_int_equal(sample_run_is_absorbed(&r.run, p), is);
            over += is;
            on += !is;
        }
    }
    assert_true(over > 0);
    assert_true(on > 0);
    sampling_end(&r);
    sampling_close(&scene);
}

/* ---- errors ---- */

static void environments_have_to_draw(void **state)
{
    (void)state;
    sampling_robot robot = {.system = &maze};
    sampling_scene scene;
    sampling_run r;
    opac_environment *env;
    opac_error error;
    assert_ok(sampling_callbacks(&robot, false, &env, &error), &error);
    sampling_open(&scene, &maze, env);
    assert_ok(sampling_begin(&r, &scene, 1, &error), &error);
    assert_status(sampling_try(&r, POPULATION, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot"));
    sampling_end(&r);
    sampling_close(&scene);
}

/* The environment is made here, too, since it keeps the rows that it was asked for. */
static opac_status learn_all(void *context, opac_error *error)
{
    sampling_run r;
    sampling_scene scene = *(const sampling_scene *)context;
    sampling_robot robot = {.system = &scene.system};
    opac_status status = scene.system.path != NULL
                             ? sampling_callbacks(&robot, true, &scene.env, error)
                             : opac_environment_of_model(scene.model, NULL, &scene.env, error);
    if (status != OPAC_OK)
        return status;
    status = sampling_begin(&r, &scene, 1, error);
    if (status == OPAC_OK) {
        status = learn(&r, false, NULL, error);
        sampling_end(&r);
    }
    opac_environment_free(scene.env);
    return status;
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    sampling_system system = maze;
    sampling_scene scene;
    system.k = 20;
    system.initial = "10100";
    sampling_open(&scene, &system, NULL);
    assert_true(faults_sweep(learn_all, &scene) > 50);
    scene.system.path = "by callbacks";
    assert_true(faults_sweep(learn_all, &scene) > 50);
    sampling_close(&scene);
}

SUITE(population)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gridworld_is_learned),
        cmocka_unit_test(the_literal_time_is_too_short),
        cmocka_unit_test(the_cover_twice_time_is_not),
        cmocka_unit_test(halts_change_nothing),
        cmocka_unit_test(requests_to_cancel_change_nothing),
        cmocka_unit_test(who_gives_up_leaves_no_trace),
        cmocka_unit_test(a_request_is_heard_before_a_batch),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(limits_end_what_has_no_end),
        cmocka_unit_test(flows_are_bounded),
        cmocka_unit_test(episodes_end_where_only_free_choices_follow),
        cmocka_unit_test(environments_have_to_draw),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
