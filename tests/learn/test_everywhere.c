/* SPDX-License-Identifier: MIT */
/*
 * One gridworld in every kind of environment: a model file, callbacks, a plugin, programs in C (with and
 * without lanes) and in Python. With the same random numbers, everything that is learned is the same;
 * otherwise the distributions are: each state-action pair is compared with the probabilities in the model
 * file by chi-square, with a false-alarm rate of FIT_FALSE_ALARM.
 */
#include "runs.h"
#include "support/fit.h"

/* ---- the gridworld as callbacks: the same generator as examples/plugins/gridworld.c ---- */

typedef struct robot {
    int x, y;
    uint64_t random;
    char key[4];
} robot;

static const char *const names[] = {"s", "g", "trap"};

static opac_status look(robot *r, opac_observation *seen)
{
    static const uint64_t letters[2][3] = {{0, 0, 2}, {1, 4, 0}};
    snprintf(r->key, sizeof r->key, "%c,%c", '0' + r->x, '0' + r->y);
    *seen =
        (opac_observation){.key = r->key, .length = 3, .letter = letters[r->y][r->x], .actions = 4};
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    robot *r = context;
    (void)error;
    *r = (robot){.x = 0, .y = 1, .random = seed};
    return look(r, seen);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    robot *r = context;
    (void)error;
    uint64_t z = r->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    uint64_t chance = (z ^ z >> 31) % 5;
    bool is_trap = r->x == 1 && r->y == 1;
    if (!is_trap && chance < 2)
        r->y = action < 2 ? 1 : 0;
    else if (!is_trap && chance < 4 && action % 2 == 0)
        r->x += r->x < 2;
    else if (!is_trap && chance < 4)
        r->x -= r->x > 0;
    return look(r, seen);
}

static opac_environment *make_callbacks(robot *r)
{
    const opac_environment_callbacks calls = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 3};
    opac_environment *env;
    opac_error error;
    assert_ok(opac_environment_new(&calls, r, &env, &error), &error);
    return env;
}

/* ---- the others ---- */

static const char *const simulators[] = {"plugin:" PLUGINS "/gridworld.so", "exec:'" PROGRAM "'",
                                         "exec:'" PROGRAM "' 8",
                                         "exec:python3 '" EXAMPLES "/simulators/gridworld.py'"};
enum {
    SIMULATORS = sizeof simulators / sizeof *simulators
};

static opac_environment *open_simulator(const char *name)
{
    opac_environment *env;
    opac_error error;
    assert_ok(opac_environment_open(name, NULL, &env, &error), &error);
    return env;
}

static opac_model *read_model(void)
{
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read(EXAMPLES "/models/gridworld.prism", NULL, &model, &error), &error);
    return model;
}

/* ---- the same runs ---- */

static void same_episodes(void **unused)
{
    robot r;
    opac_environment *one = make_callbacks(&r);
    (void)unused;
    for (int i = 0; i < SIMULATORS; i++) {
        opac_environment *other = open_simulator(simulators[i]);
        opac_observation seen, expected;
        opac_error error;
        for (uint64_t episode = 0; episode < 5; episode++) {
            uint64_t seed = opac_environment_episode_seed(9, episode);
            assert_ok(opac_environment_reset(one, seed, &expected, &error), &error);
            assert_ok(opac_environment_reset(other, seed, &seen, &error), &error);
            for (uint32_t n = 0; n < 40; n++) {
                uint32_t action = (n + n / 7) % 4;
                assert_int_equal(seen.length, expected.length);
                assert_memory_equal(seen.key, expected.key, seen.length);
                assert_int_equal(seen.letter, expected.letter);
                assert_int_equal(seen.actions, expected.actions);
                assert_ok(opac_environment_step(one, action, &expected, &error), &error);
                assert_ok(opac_environment_step(other, action, &seen, &error), &error);
            }
        }
        opac_environment_free(other);
    }
    opac_environment_free(one);
}

/* ---- the same results, with one thread and with two, which is a second program ---- */

static opac_learn_options with_horizon(void)
{
    opac_learn_options options = learning_options(40, 5);
    options.sampler = OPAC_SAMPLER_STEP;
    options.states = 6;
    options.actions = 4;
    options.branching = 3;
    options.seed = 11;
    return options;
}

static opac_learn_options with_bracket(void)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.horizon = 306;
    options.target = 0.4;
    options.seed = 13;
    return options;
}

static opac_learn_options with_pmin(void)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = 0.5;
    options.delta = 0.2;
    options.pmin = 0.2;
    options.seed = 12;
    return options;
}

static void check_same(const opac_learning *one, const opac_learning *other)
{
    const opac_learn_report *a = opac_learning_report(one), *b = opac_learning_report(other);
    size_t count, others;
    const opac_trace_entry *x = opac_learning_trace(one, &count);
    const opac_trace_entry *y = opac_learning_trace(other, &others);
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->episodes, b->episodes);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->policies, b->policies);
    assert_int_equal(a->states_seen, b->states_seen);
    assert_int_equal(a->product_reachable, b->product_reachable);
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
    assert_memory_equal(&a->optimum_upper, &b->optimum_upper, sizeof a->optimum_upper);
    assert_int_equal(count, others);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(x[i].step, y[i].step);
        assert_int_equal(x[i].episode, y[i].episode);
        assert_memory_equal(&x[i].value, &y[i].value, sizeof x[i].value);
    }
}

static void check_everywhere(opac_learn_options options)
{
    robot r;
    opac_environment *env = make_callbacks(&r);
    options.threads = 1;
    opac_learning *first = learning_of(env, "G F s & G F g", &options);
    assert_int_equal(opac_learning_report(first)->end, OPAC_END_DONE);
    assert_int_equal(opac_learning_report(first)->states_seen, 6);
    for (int i = 0; i < 2 * SIMULATORS - 1; i++) { /* Python starts slowly: once will do */
        opac_environment *other = open_simulator(simulators[i / 2]);
        options.threads = 1 + (unsigned)i % 2;
        opac_learning *second = learning_of(other, "G F s & G F g", &options);
        check_same(first, second);
        opac_learning_free(second);
        opac_environment_free(other);
    }
    opac_learning_free(first);
    opac_environment_free(env);
}

static void same_results_with_a_horizon(void **unused)
{
    (void)unused;
    check_everywhere(with_horizon());
}

static void same_results_with_a_bracket(void **unused)
{
    (void)unused;
    check_everywhere(with_bracket());
}

static void same_results_with_pmin(void **unused)
{
    (void)unused;
    check_everywhere(with_pmin());
}

/* ---- the model's random numbers, by callbacks ---- */

static opac_status reset_model(void *context, uint64_t seed, opac_observation *seen,
                               opac_error *error)
{
    return opac_environment_reset(context, seed, seen, error);
}

static opac_status step_model(void *context, uint32_t action, opac_observation *seen,
                              opac_error *error)
{
    return opac_environment_step(context, action, seen, error);
}

static void same_results_with_the_numbers_of_the_model(void **unused)
{
    const opac_environment_callbacks calls = {
        .reset = reset_model, .step = step_model, .propositions = names, .proposition_count = 3};
    opac_model *model = read_model();
    opac_environment *env, *inner, *outer;
    opac_error error;
    opac_learn_options options = with_horizon();
    (void)unused;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    assert_ok(opac_environment_of_model(model, NULL, &inner, &error), &error);
    assert_ok(opac_environment_bind(inner, names, 3, &error), &error);
    assert_ok(opac_environment_new(&calls, inner, &outer, &error), &error);
    opac_learning *first = learning_of(env, "G F s & G F g", &options);
    opac_learning *second = learning_of(outer, "G F s & G F g", &options);
    check_same(first, second);
    opac_learning_free(first);
    opac_learning_free(second);
    opac_environment_free(outer);
    opac_environment_free(inner);
    opac_environment_free(env);
    opac_model_free(model);
}

/* ---- the same distribution ---- */

enum {
    CELLS = 6,
    EPISODE = 10
};

/* By state, action and next state: how often; states are 3y + x. */
typedef struct counts {
    uint64_t of[CELLS][4][CELLS];
} counts;

static uint32_t cell_of(const opac_model *model, const void *key)
{
    uint32_t state;
    const char *text = key;
    if (model == NULL)
        return (uint32_t)((text[2] - '0') * 3 + text[0] - '0');
    memcpy(&state, key, sizeof state);
    return (uint32_t)(opac_model_value(model, state, 1) * 3 + opac_model_value(model, state, 0));
}

/* Runs episodes with uniformly random actions; model: keys are its state numbers, else NULL. */
static void count_steps(opac_environment *env, const opac_model *model, uint64_t episodes,
                        counts *to)
{
    stat_rng rng;
    opac_observation seen;
    opac_error error;
    stat_rng_init(&rng, 4, 4);
    for (uint64_t e = 0; e < episodes; e++) {
        assert_ok(opac_environment_reset(env, opac_environment_episode_seed(6, e), &seen, &error),
                  &error);
        for (uint32_t n = 0, from = cell_of(model, seen.key); n < EPISODE; n++) {
            uint32_t action = (uint32_t)stat_rng_below(&rng, 4);
            assert_ok(opac_environment_step(env, action, &seen, &error), &error);
            uint32_t next = cell_of(model, seen.key);
            to->of[from][action][next]++;
            from = next;
        }
    }
}

/* Of one pair: what the model file says against what was seen. False: too little was. */
static bool check_row(const opac_model *model, uint32_t choice, const uint64_t *row)
{
    double law[CELLS] = {0};
    uint64_t draws = 0;
    uint32_t begin = opac_model_branch_begin(model, choice);
    for (uint32_t b = begin; b < begin + opac_model_branch_count(model, choice); b++) {
        uint32_t target = opac_model_branch_target(model, b);
        law[cell_of(model, &target)] += opac_model_branch_probability(model, b);
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        draws += row[i];
        assert_true(row[i] == 0 || law[i] > 0);
    }
    assert_true(draws < 20 || fit_chi_square(row, law, CELLS, draws) > FIT_FALSE_ALARM);
    return draws >= 20;
}

/* Frees the environment. */
static void check_law(const opac_model *model, opac_environment *env, bool is_model,
                      uint64_t episodes)
{
    counts seen = {{{{0}}}};
    uint32_t checked = 0;
    count_steps(env, is_model ? model : NULL, episodes, &seen);
    for (uint32_t s = 0; s < CELLS; s++)
        for (uint32_t a = 0; a < 4; a++)
            checked += check_row(model, opac_model_choice_begin(model, s) + a,
                                 seen.of[cell_of(model, &s)][a]);
    assert_true(checked == 24 || (episodes < 1000 && checked >= 8));
    opac_environment_free(env);
}

/* Programs with their own random numbers; fewer episodes, since each costs a message. */
static void same_law(void **unused)
{
    static const char *const programs[] = {"exec:sh '" EXAMPLES "/simulators/gridworld.sh'",
                                           "exec:python3 '" EXAMPLES "/simulators/lanes.py' 2"};
    robot r;
    opac_model *model = read_model();
    opac_environment *env;
    opac_error error;
    (void)unused;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    check_law(model, env, true, 8000);
    check_law(model, make_callbacks(&r), false, 8000);
    for (int i = 0; i < 2; i++)
        check_law(model, open_simulator(programs[i]), false, 300);
    opac_model_free(model);
}

/* Draws of successors of any state have this distribution, too. */
static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
                        opac_error *error)
{
    uint64_t *row = context;
    (void)error;
    row[cell_of(NULL, successor->key)] += count;
    return OPAC_OK;
}

static void same_law_of_draws(void **unused)
{
    opac_model *model = read_model();
    opac_environment *env = open_simulator(simulators[0]);
    opac_error error;
    char key[4];
    (void)unused;
    for (uint32_t s = 0; s < CELLS; s++)
        for (uint32_t a = 0; a < 4; a++) {
            uint64_t row[CELLS] = {0};
            uint32_t cell = cell_of(model, &s);
            snprintf(key, sizeof key, "%c,%c", (char)('0' + cell % 3), (char)('0' + cell / 3));
            opac_observation from = {.key = key, .length = 3, .actions = 4};
            assert_ok(env_draw(env, &from, a, 10000, 4 * s + a, hear, row, &error), &error);
            assert_true(check_row(model, opac_model_choice_begin(model, s) + a, row));
        }
    opac_environment_free(env);
    opac_model_free(model);
}

SUITE(everywhere)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_episodes),
                                       cmocka_unit_test(same_results_with_a_horizon),
                                       cmocka_unit_test(same_results_with_a_bracket),
                                       cmocka_unit_test(same_results_with_pmin),
                                       cmocka_unit_test(same_results_with_the_numbers_of_the_model),
                                       cmocka_unit_test(same_law),
                                       cmocka_unit_test(same_law_of_draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
