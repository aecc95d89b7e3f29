/* SPDX-License-Identifier: MIT */
/*
 * Resets, steps and draws of a model follow its probabilities, and letters follow its labels. Each
 * chi-square test has a false-alarm rate of FIT_FALSE_ALARM.
 */
#include <omegapac/builder.h>

#include "env/walk.h"
#include "stat/alias.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/fit.h"
#include "support/random.h"

enum {
    WIDTH = 4,
    DRAWS = 100000
};

static const double odds[WIDTH] = {0.001, 0.5, 0.199, 0.3};

/* State 0 leads by `odds` to 1 … 4, or stays, and these back to it; `initial` initial states. */
static opac_status make_model(uint32_t initial, opac_model **model, opac_error *error)
{
    opac_builder *builder;
    opac_status status = opac_builder_new(OPAC_MODEL_MDP, &builder, error);
    if (status != OPAC_OK)
        return status;
    for (uint32_t s = 0; s <= WIDTH && status == OPAC_OK; s++) {
        status = opac_builder_state(builder, error);
        if (status == OPAC_OK)
            status = opac_builder_choice(builder, "go", error);
        for (uint32_t i = 0; i < (s == 0 ? WIDTH : 1u) && status == OPAC_OK; i++)
            status = s == 0 ? opac_builder_branch(builder, i + 1, odds[i], error)
                            : opac_builder_branch(builder, 0, 1, error);
        if (status == OPAC_OK && s == 0)
            status = opac_builder_choice(builder, "stay", error);
        if (status == OPAC_OK && s == 0)
            status = opac_builder_branch(builder, 0, 1, error);
        if (status == OPAC_OK && s < initial)
            status = opac_builder_initial(builder, s, error);
        if (status == OPAC_OK && s % 2 == 1)
            status = opac_builder_label(builder, "odd", s, error);
        if (status == OPAC_OK && s == WIDTH)
            status = opac_builder_label(builder, "last", s, error);
    }
    if (status == OPAC_OK)
        status = opac_builder_finish(builder, NULL, model, error);
    opac_builder_free(builder);
    return status;
}

typedef struct scene {
    opac_model *model;
    opac_environment *env;
} scene;

static scene scene_make(uint32_t initial)
{
    scene s;
    opac_error error;
    assert_ok(make_model(initial, &s.model, &error), &error);
    assert_ok(opac_environment_of_model(s.model, NULL, &s.env, &error), &error);
    return s;
}

static void scene_fini(scene *s)
{
    opac_environment_free(s->env);
    opac_model_free(s->model);
}

static uint32_t state_of(const opac_observation *observation)
{
    uint32_t state;
    assert_int_equal(observation->length, sizeof state);
    memcpy(&state, observation->key, sizeof state);
    return state;
}

static opac_observation reset(opac_environment *env, uint64_t seed)
{
    opac_observation seen;
    opac_error error;
    assert_ok(env_reset(env, seed, &seen, &error), &error);
    return seen;
}

static opac_observation step(opac_environment *env, uint32_t action)
{
    opac_observation seen;
    opac_error error;
    assert_ok(env_step(env, action, &seen, &error), &error);
    return seen;
}

/* ---- laws ---- */

static void traits_are_the_models(void **state)
{
    (void)state;
    scene one = scene_make(1), many = scene_make(5);
    env_traits traits = env_get_traits(one.env);
    assert_false(traits.random_start);
    assert_true(traits.can_draw);
    assert_true(traits.can_fork);
    assert_true(traits.is_tabulated);
    assert_int_equal(traits.lanes, 1);
    assert_int_equal(traits.states, WIDTH + 1);
    assert_int_equal(traits.actions, 2);
    assert_int_equal(traits.branching, WIDTH);
    assert_true(env_get_traits(many.env).random_start);
    assert_int_equal(env_get_traits(many.env).branching, 5);
    scene_fini(&one);
    scene_fini(&many);
}

/* Over episodes, and within one. */
static void steps_follow_the_probabilities(void **state)
{
    (void)state;
    scene s = scene_make(1);
    uint64_t across[WIDTH] = {0}, within[WIDTH] = {0}, base = random_seed(1);
    for (uint64_t i = 0; i < DRAWS; i++) {
        opac_observation seen = reset(s.env, env_episode_seed(base, i));
        assert_int_equal(state_of(&seen), 0);
        assert_int_equal(seen.actions, 2);
        assert_int_equal(env_last_branch(s.env), 0);
        seen = step(s.env, 0);
        assert_int_equal(state_of(&seen), env_last_branch(s.env) + 1);
        assert_int_equal(seen.actions, 1);
        across[state_of(&seen) - 1]++;
    }
    reset(s.env, base);
    for (uint64_t i = 0; i < DRAWS; i++) {
        opac_observation seen = step(s.env, 1);
        assert_int_equal(state_of(&seen), 0);
        seen = step(s.env, 0);
        within[state_of(&seen) - 1]++;
        seen = step(s.env, 0);
        assert_int_equal(state_of(&seen), 0);
    }
    assert_true(fit_chi_square(across, odds, WIDTH, DRAWS) > FIT_FALSE_ALARM);
    assert_true(fit_chi_square(within, odds, WIDTH, DRAWS) > FIT_FALSE_ALARM);
    scene_fini(&s);
}

static void resets_are_uniform(void **state)
{
    (void)state;
    scene s = scene_make(5);
    static const double uniform[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
    uint64_t seen[5] = {0}, base = random_seed(2);
    for (uint64_t i = 0; i < DRAWS; i++) {
        opac_observation first = reset(s.env, env_episode_seed(base, i));
        assert_int_equal(env_last_branch(s.env), state_of(&first));
        seen[state_of(&first)]++;
    }
    assert_true(fit_chi_square(seen, uniform, 5, DRAWS) > FIT_FALSE_ALARM);
    scene_fini(&s);
}

/*
 * A step uses one random number, even without alternatives; a random reset uses one, another reset none.
 * The alias table of the row converts a number to a branch.
 */
static void random_numbers_used(void **state)
{
    (void)state;
    opac_error error;
    stat_alias_slot slots[WIDTH];
    scene one = scene_make(1), many = scene_make(5);
    assert_ok(stat_alias_build(odds, WIDTH, slots, &error), &error);
    for (uint64_t seed = 0; seed < 200; seed++) {
        stat_rng rng;
        stat_rng_init(&rng, seed, 0);
        reset(one.env, seed);
        step(one.env, 1);
        stat_rng_next(&rng);
        step(one.env, 0);
        assert_int_equal(env_last_branch(one.env), stat_alias_draw(slots, WIDTH, &rng));
        step(one.env, 0);
        stat_rng_next(&rng);
        step(one.env, 0);
        assert_int_equal(env_last_branch(one.env), stat_alias_draw(slots, WIDTH, &rng));
        stat_rng_init(&rng, seed, 0);
        opac_observation first = reset(many.env, seed);
        uint64_t low;
        assert_int_equal(state_of(&first), base_multiply_high(stat_rng_next(&rng), 5, &low));
    }
    scene_fini(&one);
    scene_fini(&many);
}

typedef struct heard {
    uint64_t counts[WIDTH + 1];
    uint32_t calls;
    opac_status answer;
} heard;

static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
                        opac_error *error)
{
    heard *h = context;
    h->counts[state_of(successor)] += count;
    h->calls++;
    if (h->answer != OPAC_OK) {
        memset(error, 0, sizeof *error);
        error->code = h->answer;
        strcpy(error->message, "no ears");
    }
    return h->answer;
}

/* Many draws of 1000 each follow the distribution, and do not affect the episode. */
static void draws_follow_the_probabilities(void **state)
{
    (void)state;
    opac_error error;
    scene s = scene_make(5);
    uint32_t zero = 0;
    opac_observation from = {.key = &zero, .length = sizeof zero, .actions = 2};
    heard h = {0}, none = {0}, starts = {0};
    uint64_t base = random_seed(3);
    reset(s.env, base);
    for (uint64_t i = 0; i < DRAWS / 1000; i++)
        assert_ok(env_draw(s.env, &from, 0, 1000, base + i, hear, &h, &error), &error);
    assert_int_equal(h.counts[0], 0);
    assert_true(fit_chi_square(&h.counts[1], odds, WIDTH, DRAWS) > FIT_FALSE_ALARM);
    opac_observation after = step(s.env, 0);
    uint32_t disturbed = state_of(&after);
    reset(s.env, base);
    after = step(s.env, 0);
    assert_int_equal(disturbed, state_of(&after));
    assert_ok(env_draw(s.env, &from, 0, 0, 1, hear, &none, &error), &error);
    assert_int_equal(none.calls, 0);
    opac_observation nowhere = {0};
    assert_ok(env_draw(s.env, &nowhere, 0, 50000, base, hear, &starts, &error), &error);
    static const double uniform[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
    assert_int_equal(starts.calls, 5);
    assert_true(fit_chi_square(starts.counts, uniform, 5, 50000) > FIT_FALSE_ALARM);
    h.answer = OPAC_ERROR_LIMIT;
    assert_status(env_draw(s.env, &from, 0, 9, 1, hear, &h, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "no ears");
    scene_fini(&s);
}

/* All branches, or all initial states for the reset; the episode and its random numbers are not affected. */
static void successors_are_the_branches(void **state)
{
    (void)state;
    opac_error error;
    scene s = scene_make(5);
    uint32_t zero = 0, beyond = WIDTH + 1;
    opac_observation from = {.key = &zero, .length = sizeof zero, .actions = 2}, nowhere = {0},
                     none = {.key = &beyond, .length = sizeof beyond, .actions = 1};
    heard go = {0}, stay = {0}, starts = {0};
    uint64_t base = random_seed(5);
    assert_true(env_get_traits(s.env).knows_graph);
    reset(s.env, base);
    assert_ok(env_successors(s.env, &from, 0, hear, &go, &error), &error);
    assert_ok(env_successors(s.env, &from, 1, hear, &stay, &error), &error);
    assert_ok(env_successors(s.env, &nowhere, 0, hear, &starts, &error), &error);
    assert_true(go.calls == WIDTH);
    assert_true(stay.calls == 1);
    assert_true(starts.calls == 5);
    for (uint32_t i = 0; i <= WIDTH; i++) {
        assert_int_equal(go.counts[i], i > 0);
        assert_int_equal(stay.counts[i], i == 0);
        assert_int_equal(starts.counts[i], 1);
    }
    opac_observation after = step(s.env, 0);
    uint32_t disturbed = state_of(&after);
    reset(s.env, base);
    after = step(s.env, 0);
    assert_int_equal(disturbed, state_of(&after));
    assert_status(env_successors(s.env, &from, 2, hear, &go, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_successors(s.env, &none, 0, hear, &go, &error), OPAC_ERROR_ARGUMENT);
    go.answer = OPAC_ERROR_LIMIT;
    assert_status(env_successors(s.env, &from, 0, hear, &go, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(go.calls, WIDTH + 1);
    scene_fini(&s);
    s = scene_make(1);
    starts = (heard){0};
    assert_ok(env_successors(s.env, &nowhere, 0, hear, &starts, &error), &error);
    assert_true(starts.calls == 1);
    assert_true(starts.counts[0] == 1);
    scene_fini(&s);
}

/* Rows: the same distribution, and exact counts that are added to the given ones; also for large numbers. */
static void rows_follow_the_probabilities(void **state)
{
    (void)state;
    opac_error error;
    scene s = scene_make(1);
    uint32_t zero = 0, row, again, width;
    uint64_t counts[WIDTH] = {0}, huge[WIDTH] = {0}, n = UINT64_C(1000000000000);
    stat_rng rng;
    stat_rng_init(&rng, random_seed(4), 0);
    assert_ok(env_row(s.env, &zero, sizeof zero, 0, &row, &width, &error), &error);
    assert_int_equal(width, WIDTH);
    assert_ok(env_row(s.env, &zero, sizeof zero, 1, &again, &width, &error), &error);
    assert_true(again != row);
    assert_true(width == 1);
    assert_ok(env_row(s.env, &zero, sizeof zero, 0, &again, &width, &error), &error);
    assert_true(again == row);
    assert_true(width == WIDTH);
    for (int i = 0; i < DRAWS / 100; i++)
        env_row_draw(s.env, row, 100, &rng, counts);
    assert_true(fit_chi_square(counts, odds, WIDTH, DRAWS) > FIT_FALSE_ALARM);
    env_row_draw(s.env, row, n, &rng, huge);
    assert_true(fit_chi_square(huge, odds, WIDTH, n) > FIT_FALSE_ALARM);
    /* A reset that is not random. */
    opac_observation behind;
    uint64_t free_count = 3;
    assert_ok(env_row(s.env, NULL, 0, 0, &row, &width, &error), &error);
    assert_int_equal(row, ENV_NO_STEP);
    assert_int_equal(width, 1);
    env_row_draw(s.env, row, 4, &rng, &free_count);
    assert_int_equal(free_count, 7);
    assert_ok(env_branch(s.env, row, 0, &behind, &error), &error);
    assert_int_equal(state_of(&behind), 0);
    assert_status(env_branch(s.env, row, 1, &behind, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_branch(s.env, 5, 0, &behind, &error), OPAC_ERROR_ARGUMENT);
    scene_fini(&s);
}

/* ---- letters ---- */

static void letters_are_the_bound_names(void **state)
{
    (void)state;
    opac_error error;
    opac_environment *fork;
    scene s = scene_make(5);
    const char *const names[] = {"last", "odd"}, *const wrong[] = {"od"};
    opac_observation seen = reset(s.env, 1);
    assert_int_equal(seen.letter, 0);
    assert_ok(env_bind(s.env, names, 2, &error), &error);
    assert_ok(env_fork(s.env, &fork, &error), &error);
    assert_status(env_bind(s.env, wrong, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "\"od\""));
    assert_non_null(strstr(error.message, "\"odd\""));
    assert_ok(env_bind(s.env, names + 1, 1, &error), &error);
    for (uint64_t seed = 0; seed < 50; seed++) {
        seen = reset(s.env, seed);
        uint32_t at = state_of(&seen);
        assert_int_equal(seen.letter, at % 2);
        seen = reset(fork, seed);
        assert_int_equal(state_of(&seen), at);
        assert_int_equal(seen.letter, at % 2 * 2 + (at == WIDTH));
    }
    opac_environment_free(s.env);
    seen = reset(fork, 1); /* usable after the original was released */
    opac_environment_free(fork);
    opac_model_free(s.model);
}

static void too_many_names(void **state)
{
    (void)state;
    opac_error error;
    scene s = scene_make(1);
    const char *names[65];
    for (size_t i = 0; i < 65; i++)
        names[i] = "odd";
    assert_status(env_bind(s.env, names, 65, &error), OPAC_ERROR_LIMIT);
    assert_ok(env_bind(s.env, names, 64, &error), &error);
    reset(s.env, 0);
    assert_int_equal(env_last_branch(s.env), 0);
    scene_fini(&s);
}

/* ---- mistakes of the caller ---- */

static void mistakes_are_errors(void **state)
{
    (void)state;
    opac_error error;
    opac_observation seen;
    scene s = scene_make(1);
    heard h = {0};
    uint32_t zero = 0, beyond = WIDTH + 1, row, width;
    assert_status(env_step(s.env, 0, &seen, &error), OPAC_ERROR_ARGUMENT);
    reset(s.env, 1);
    assert_status(env_step(s.env, 2, &seen, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "no action 2: the state has 2, numbered from 0");
    step(s.env, 1); /* the episode goes on */
    assert_status(env_row(s.env, &zero, 3, 0, &row, &width, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_row(s.env, &zero, 4, 2, &row, &width, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_row(s.env, &beyond, 4, 0, &row, &width, &error), OPAC_ERROR_ARGUMENT);
    opac_observation from = {.key = &beyond, .length = 4, .actions = 1};
    assert_status(env_draw(s.env, &from, 0, 1, 1, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_draw(s.env, &from, 1, 1, 1, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    assert_int_equal(h.calls, 0);
    opac_lane_request order = {.is_reset = true};
    assert_ok(env_step_many(s.env, &order, &seen, &error), &error);
    order = (opac_lane_request){.action = 0};
    assert_ok(env_step_many(s.env, &order, &seen, &error), &error);
    assert_true(state_of(&seen) != 0);
    opac_environment_free(NULL);
    scene_fini(&s);
}

/* ---- out of memory ---- */

/* Keys that are not states of the model are shown as bytes, and have no action names. */
static void states_in_words(void **state)
{
    (void)state;
    scene s = scene_make(1);
    char buffer[32], small[2];
    uint32_t number = 3, beyond = WIDTH + 1;
    uint64_t other = 3;
    assert_string_equal(env_show(s.env, &number, sizeof number, buffer, sizeof buffer), "3");
    assert_string_equal(env_show(s.env, "ab", 2, buffer, sizeof buffer), "ab");
    assert_string_equal(env_show(s.env, NULL, 0, buffer, sizeof buffer), "");
    assert_string_not_equal(env_show(s.env, &beyond, sizeof beyond, buffer, sizeof buffer), "5");
    assert_string_not_equal(env_show(s.env, &other, sizeof other, buffer, sizeof buffer), "3");
    assert_string_equal(env_show(s.env, &number, sizeof number, small, sizeof small), "3");
    number = 0;
    assert_string_equal(env_action_name(s.env, &number, sizeof number, 0), "go");
    assert_string_equal(env_action_name(s.env, &number, sizeof number, 1), "stay");
    assert_string_equal(env_action_name(s.env, &number, sizeof number, 2), "");
    assert_string_equal(env_action_name(s.env, &beyond, sizeof beyond, 0), "");
    assert_string_equal(env_action_name(s.env, "ab", 2, 0), "");
    scene_fini(&s);
}

static opac_status use_everything(void *context, opac_error *error)
{
    const opac_model *model = context;
    const char *const names[] = {"odd"};
    opac_environment *env = NULL, *fork = NULL;
    opac_observation seen;
    uint32_t zero = 0, row, width;
    opac_observation from = {.key = &zero, .length = sizeof zero, .actions = 2};
    heard h = {0};
    opac_status status = opac_environment_of_model(model, NULL, &env, error);
    if (status == OPAC_OK)
        status = env_bind(env, names, 1, error);
    if (status == OPAC_OK)
        status = env_fork(env, &fork, error);
    if (status == OPAC_OK)
        status = env_row(fork, NULL, 0, 0, &row, &width, error);
    if (status == OPAC_OK)
        status = env_row(fork, &zero, sizeof zero, 0, &row, &width, error);
    if (status == OPAC_OK)
        status = env_branch(fork, row, width - 1, &seen, error);
    if (status == OPAC_OK)
        status = env_reset(fork, 1, &seen, error);
    if (status == OPAC_OK)
        status = env_step(fork, 0, &seen, error);
    if (status == OPAC_OK)
        status = env_draw(fork, &from, 0, 100, 1, hear, &h, error);
    if (status == OPAC_OK)
        status = env_successors(fork, &from, 0, hear, &h, error);
    opac_environment_free(env);
    opac_environment_free(fork);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    opac_error error;
    opac_model *model;
    assert_ok(make_model(3, &model, &error), &error);
    assert_true(faults_sweep(use_everything, model) > 10);
    opac_model_free(model);
}

SUITE(model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits_are_the_models),
        cmocka_unit_test(steps_follow_the_probabilities),
        cmocka_unit_test(resets_are_uniform),
        cmocka_unit_test(random_numbers_used),
        cmocka_unit_test(draws_follow_the_probabilities),
        cmocka_unit_test(rows_follow_the_probabilities),
        cmocka_unit_test(letters_are_the_bound_names),
        cmocka_unit_test(too_many_names),
        cmocka_unit_test(successors_are_the_branches),
        cmocka_unit_test(mistakes_are_errors),
        cmocka_unit_test(states_in_words),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
