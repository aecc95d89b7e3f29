/* SPDX-License-Identifier: MIT */
/*
 * Environments of callbacks: letters, status codes, forks, lanes and draws; and all violations of the
 * interface that are detected.
 */
#include <omegapac/environment.h>

#include "env/env.h"
#include "support/check.h"
#include "support/faults.h"

enum {
    LANES = 3
};

/* A counter that steps increment, with faults that the test selects. */
typedef struct machine {
    int *released; /* counts releases, when there is one */
    uint64_t at[LANES];
    opac_status status; /* fails with this */
    const char *message;
    uint64_t letter;
    bool no_key;     /* the key is NULL, with a length */
    bool empty_key;  /* the key is NULL, with length 0 */
    uint64_t excess; /* successors drawn in addition to the requested ones */
    uint64_t missing;
    bool swallow;                     /* ignore the status of opac_draws_add */
    uint64_t successors, same, times; /* their number; a repeated one; their count, less 1 */
} machine;

static opac_status show(machine *m, uint32_t lane, opac_observation *seen, opac_error *error)
{
    if (m->status != OPAC_OK && m->message != NULL)
        snprintf(error->message, sizeof error->message, "%s", m->message);
    if (m->status != OPAC_OK)
        return m->status;
    *seen = (opac_observation){
        .key = &m->at[lane], .length = sizeof m->at[lane], .letter = m->letter, .actions = 2};
    if (m->no_key || m->empty_key)
        seen->key = NULL;
    if (m->empty_key)
        seen->length = 0;
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    machine *m = context;
    m->at[0] = seed;
    return show(m, 0, seen, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    machine *m = context;
    m->at[0] += 1 + action;
    return show(m, 0, seen, error);
}

static opac_status step_many(void *context, const opac_lane_request *orders, opac_observation *seen,
                             opac_error *error)
{
    machine *m = context;
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < LANES && status == OPAC_OK; i++) {
        m->at[i] = orders[i].is_reset ? orders[i].seed : m->at[i] + 1 + orders[i].action;
        status = show(m, i, &seen[i], error);
    }
    return status;
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    machine *m = context;
    opac_observation seen;
    (void)key, (void)length, (void)action, (void)seed;
    opac_status status = show(m, 0, &seen, error);
    if (status == OPAC_OK)
        status = opac_draws_add(draws, &seen, 0, error);
    if (status == OPAC_OK)
        status = opac_draws_add(draws, &seen, n - m->missing, error);
    if (status == OPAC_OK && m->excess > 0)
        status = opac_draws_add(draws, &seen, m->excess, error);
    return m->swallow ? OPAC_OK : status;
}

/* The numbers from 10 on. */
static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *told, opac_error *error)
{
    machine *m = context;
    opac_observation seen;
    (void)length, (void)action;
    opac_status status = show(m, 0, &seen, error);
    for (uint64_t i = 0; i < m->successors + m->same && status == OPAC_OK; i++) {
        uint64_t at = key == NULL ? 0 : 10 + i % m->successors;
        if (!m->no_key && !m->empty_key)
            seen.key = &at;
        status = opac_draws_add(told, &seen, 1 + m->times, error);
    }
    return m->swallow ? OPAC_OK : status;
}

static void release(void *context)
{
    machine *m = context;
    if (m->released != NULL)
        ++*m->released;
    free(m);
}

static machine *new_machine(int *released)
{
    machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->released = released;
    return m;
}

static opac_status fork_machine(void *context, void **other, opac_error *error)
{
    machine *m = context;
    opac_observation seen;
    opac_status status = show(m, 0, &seen, error);
    if (status != OPAC_OK)
        return status;
    machine *made = new_machine(m->released);
    made->letter = m->letter;
    *other = made;
    return OPAC_OK;
}

static const char *const names[] = {"green", "red", "blue"};

static const opac_environment_callbacks all = {.reset = reset,
                                               .step = step,
                                               .step_many = step_many,
                                               .lanes = LANES,
                                               .draw = draw,
                                               .successors = successors,
                                               .fork = fork_machine,
                                               .release = release,
                                               .propositions = names,
                                               .proposition_count = 3,
                                               .random_start = true};

static opac_environment *make(machine **m)
{
    opac_environment *env;
    opac_error error;
    *m = new_machine(NULL);
    assert_ok(opac_environment_new(&all, *m, &env, &error), &error);
    return env;
}

static opac_status ignore(void *context, const opac_observation *successor, uint64_t count,
                          opac_error *error)
{
    uint64_t *sum = context;
    (void)error;
    *sum = *sum * 1000 + count * 10 + successor->letter;
    return OPAC_OK;
}

static opac_status refuse(void *context, const opac_observation *successor, uint64_t count,
                          opac_error *error)
{
    (void)context, (void)successor, (void)count;
    return base_fail(error, OPAC_ERROR_LIMIT, "enough");
}

/* ---- as it should be ---- */

static void letters_are_mapped(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_observation seen;
    opac_environment *env = make(&m), *fork;
    const char *const bound[] = {"blue", "green"}, *const wrong[] = {"blue", "gren"},
                      *const strange[] = {"xyzzy\n"};
    m->letter = 5;
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    assert_int_equal(seen.letter, 0);
    assert_ok(env_bind(env, bound, 2, &error), &error);
    for (uint64_t letter = 0; letter < 8; letter++) {
        m->letter = letter;
        assert_ok(env_step(env, 0, &seen, &error), &error);
        assert_int_equal(seen.letter, (letter >> 2 & 1) | (letter & 1) << 1);
    }
    assert_status(env_bind(env, wrong, 2, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "unknown proposition \"gren\"; did you mean \"green\"? (the "
                                       "environment has \"green\", \"red\" and \"blue\")");
    assert_status(env_bind(env, strange, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "unknown proposition \"xyzzy\\x0A\"; the environment has \"green\", "
                        "\"red\" and \"blue\"");
    assert_ok(env_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, 3); /* as it was bound before */
    assert_ok(env_fork(env, &fork, &error), &error);
    opac_environment_free(env);
    assert_ok(env_reset(fork, 5, &seen, &error), &error);
    assert_int_equal(seen.letter, 3);
    assert_memory_equal(seen.key, &(uint64_t){5}, 8);
    opac_environment_free(fork);
}

static void all_64_names(void **state)
{
    (void)state;
    char text[65][4];
    const char *many[65];
    opac_error error;
    opac_environment *env;
    opac_observation seen;
    machine *m = new_machine(NULL);
    for (size_t i = 0; i < 65; i++) {
        snprintf(text[i], sizeof text[i], "p%zu", i);
        many[i] = text[i];
    }
    opac_environment_callbacks calls = all;
    calls.propositions = many;
    calls.proposition_count = 64;
    m->letter = UINT64_C(0x8000000000000001);
    assert_ok(opac_environment_new(&calls, m, &env, &error), &error);
    assert_status(env_bind(env, many, 65, &error), OPAC_ERROR_LIMIT);
    assert_ok(env_bind(env, many, 64, &error), &error);
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    assert_int_equal(seen.letter, m->letter);
    opac_environment_free(env);
}

static void lanes_are_independent(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_observation seen[LANES];
    opac_environment *env = make(&m);
    opac_lane_request orders[LANES] = {{true, 0, 10}, {true, 0, 20}, {true, 0, 30}};
    assert_int_equal(env_get_traits(env).lanes, LANES);
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    orders[0] = (opac_lane_request){.action = 1};
    orders[2] = (opac_lane_request){.action = 2};
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_ARGUMENT);
    orders[2].action = 0;
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    assert_memory_equal(seen[0].key, &(uint64_t){12}, 8);
    assert_memory_equal(seen[1].key, &(uint64_t){20}, 8);
    assert_memory_equal(seen[2].key, &(uint64_t){31}, 8);
    m->status = OPAC_ERROR_IO;
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_SIMULATOR);
    m->status = OPAC_OK;
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_ARGUMENT); /* to be reset */
    orders[0].is_reset = orders[2].is_reset = true;
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    orders[0].is_reset = false;
    m->no_key = true;
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_SIMULATOR);
    m->no_key = false;
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_ARGUMENT); /* to be reset */
    opac_environment_free(env);
}

static void draws_are_reported(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_environment *env = make(&m);
    const char *const bound[] = {"red"};
    opac_observation from = {.key = "x", .length = 1, .actions = 1};
    uint64_t sum = 0;
    assert_ok(env_bind(env, bound, 1, &error), &error);
    m->letter = 2;
    assert_ok(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), &error);
    assert_int_equal(sum, 71); /* once, with the letter as bound */
    assert_status(env_draw(env, &from, 1, 7, 1, ignore, &sum, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_draw(env, &from, 0, 7, 1, refuse, NULL, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "enough");
    m->swallow = true;
    assert_status(env_draw(env, &from, 0, 7, 1, refuse, NULL, &error), OPAC_ERROR_LIMIT);
    opac_environment_free(env);
}

static opac_status hear_number(void *context, const opac_observation *successor, uint64_t count,
                               opac_error *error)
{
    uint64_t *sum = context, number = 0;
    (void)error;
    memcpy(&number, successor->key, successor->length);
    *sum = *sum * 100000 + number * 1000 + count * 10 + successor->letter;
    return OPAC_OK;
}

static void successors_are_reported(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_environment *env = make(&m);
    const char *const bound[] = {"red"};
    opac_observation from = {.key = "x", .length = 1, .actions = 1}, nowhere = {0};
    uint64_t sum = 0;
    assert_true(env_get_traits(env).knows_graph);
    assert_ok(env_bind(env, bound, 1, &error), &error);
    m->letter = 2;
    m->successors = 3;
    assert_ok(env_successors(env, &from, 0, hear_number, &sum, &error), &error);
    assert_int_equal(sum, UINT64_C(100111101112011)); /* each once, with the letter as bound */
    assert_status(env_successors(env, &from, 1, ignore, &sum, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_successors(env, &from, 0, refuse, NULL, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "enough");
    m->swallow = true;
    assert_status(env_successors(env, &from, 0, refuse, NULL, &error), OPAC_ERROR_LIMIT);
    m->successors = 1;
    sum = 0;
    assert_ok(env_successors(env, &nowhere, 7, hear_number, &sum, &error), &error);
    assert_int_equal(sum, 11);
    m->empty_key = true;
    assert_ok(env_successors(env, &from, 0, hear_number, &sum, &error), &error);
    opac_environment_free(env);
}

/* ---- as it should not be ---- */

static void broken_successors(void **state)
{
    (void)state;
    opac_observation from = {.key = "x", .length = 1, .actions = 1};
    for (int swallow = 0; swallow < 2; swallow++) {
        machine *m;
        opac_error error;
        opac_environment *env = make(&m);
        uint64_t sum = 0;
        m->swallow = swallow == 1;
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        assert_string_equal(error.message, "the environment reported no successor of an action");
        m->successors = 3;
        m->same = 1;
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        assert_string_equal(error.message, "the environment reported the same successor twice");
        m->same = 0;
        m->times = UINT64_MAX; /* 0 each */
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        m->times = 1;
        assert_status(env_successors(env, &from, 0, ignore, &sum, NULL), OPAC_ERROR_SIMULATOR);
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        assert_string_equal(error.message,
                            "the environment reported a successor with count 2: when all "
                            "successors are requested, each must have count 1");
        m->times = 0;
        m->letter = 8;
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        m->letter = 0;
        m->no_key = true;
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        m->no_key = false;
        m->message = "no\nmap";
        m->status = OPAC_ERROR_IO;
        m->swallow = false;
        assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
        assert_string_equal(error.message, "no\\x0Amap");
        opac_environment_free(env);
    }
}

static void codes_become_simulator(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_observation seen;
    opac_environment *env = make(&m), *fork;
    m->status = OPAC_ERROR_IO;
    assert_status(env_reset(env, 1, &seen, &error), OPAC_ERROR_SIMULATOR);
    assert_int_equal(error.code, OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "the environment failed without a message");
    m->message = "no\nwire";
    assert_status(env_fork(env, &fork, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "no\\x0Awire");
    assert_null(fork);
    m->status = OPAC_ERROR_CANCELLED;
    assert_status(env_reset(env, 1, &seen, NULL), OPAC_ERROR_CANCELLED);
    m->status = OPAC_ERROR_MEMORY;
    assert_status(env_reset(env, 1, &seen, &error), OPAC_ERROR_MEMORY);
    m->status = OPAC_OK;
    assert_status(env_step(env, 0, &seen, &error), OPAC_ERROR_ARGUMENT); /* never begun */
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    m->status = OPAC_ERROR_ARGUMENT;
    assert_status(env_step(env, 0, &seen, &error), OPAC_ERROR_SIMULATOR);
    m->status = OPAC_OK;
    assert_status(env_step(env, 0, &seen, &error), OPAC_ERROR_ARGUMENT); /* failed: reset first */
    opac_environment_free(env);
}

static void broken_observations(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_observation seen;
    opac_environment *env = make(&m);
    uint64_t sum = 0;
    opac_observation from = {.key = "x", .length = 1, .actions = 1};
    m->no_key = true;
    assert_status(env_reset(env, 1, &seen, &error), OPAC_ERROR_SIMULATOR);
    assert_status(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
    m->no_key = false;
    m->empty_key = true;
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    assert_non_null(seen.key);
    assert_int_equal(seen.length, 0);
    m->empty_key = false;
    m->letter = 8;
    assert_status(env_step(env, 0, &seen, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message,
                        "the environment reported a letter with bits beyond its 3 propositions");
    opac_environment_free(env);
}

static void draws_that_do_not_add_up(void **state)
{
    (void)state;
    machine *m;
    opac_error error;
    opac_environment *env = make(&m);
    opac_observation from = {.key = "x", .length = 1, .actions = 1};
    uint64_t sum = 0;
    m->missing = 2;
    assert_status(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "the environment drew 5 of 7 requested successors");
    m->excess = 2;
    assert_ok(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), &error);
    m->excess = 3;
    assert_status(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
    m->swallow = true;
    m->excess = UINT64_MAX;
    assert_status(env_draw(env, &from, 0, 7, 1, ignore, &sum, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "the environment drew more than the 7 requested successors");
    opac_environment_free(env);
}

static void check_refused(const opac_environment_callbacks *calls, opac_status expected)
{
    int released = 0;
    opac_error error;
    opac_environment *env;
    assert_status(opac_environment_new(calls, new_machine(&released), &env, &error), expected);
    assert_null(env);
    assert_int_equal(released, 1); /* the context is released also on failure */
}

static void broken_callbacks(void **state)
{
    (void)state;
    const char *const twice[] = {"a", "b", "a"}, *const hole[] = {"a", NULL};
    opac_environment_callbacks calls = all;
    calls.step = NULL;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls = all;
    calls.reset = NULL;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls = all;
    calls.lanes = 0;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls.lanes = 65537;
    check_refused(&calls, OPAC_ERROR_LIMIT);
    calls = all;
    calls.step_many = NULL;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls = all;
    calls.proposition_count = 65;
    check_refused(&calls, OPAC_ERROR_LIMIT);
    calls = all;
    calls.propositions = NULL;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls.propositions = twice;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
    calls.propositions = hole;
    calls.proposition_count = 2;
    check_refused(&calls, OPAC_ERROR_ARGUMENT);
}

/* An environment with reset and step only. */
static void minimal_environment(void **state)
{
    (void)state;
    opac_environment_callbacks calls = {.reset = reset, .step = step};
    machine m = {0};
    opac_error error;
    opac_observation seen, from = {.key = "x", .length = 1, .actions = 1};
    opac_environment *env, *fork;
    uint64_t sum = 0;
    assert_ok(opac_environment_new(&calls, &m, &env, &error), &error);
    env_traits traits = env_get_traits(env);
    assert_false(traits.can_draw);
    assert_false(traits.can_fork);
    assert_false(traits.is_tabulated);
    assert_false(traits.random_start);
    assert_false(traits.knows_graph);
    assert_status(env_successors(env, &from, 0, ignore, &sum, &error), OPAC_ERROR_UNSUPPORTED);
    assert_int_equal(traits.lanes, 1);
    assert_int_equal(traits.states + traits.actions + traits.branching, 0);
    assert_status(env_draw(env, &from, 0, 1, 1, ignore, &sum, &error), OPAC_ERROR_UNSUPPORTED);
    assert_status(env_fork(env, &fork, &error), OPAC_ERROR_UNSUPPORTED);
    opac_lane_request order = {.is_reset = true, .seed = 4};
    assert_ok(env_step_many(env, &order, &seen, &error), &error);
    assert_memory_equal(seen.key, &(uint64_t){4}, 8);
    opac_environment_free(env);
}

static void episodes_differ(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++)
        for (uint64_t i = 0; i < 20; i++)
            for (uint64_t j = 0; j < 400; j++)
                assert_true(seed * 20 + i == j ||
                            env_episode_seed(seed, i) != env_episode_seed(j / 20, j % 20));
    assert_int_equal(env_episode_seed(1, 2) >> 63, 0);
}

/* ---- out of memory ---- */

static opac_status use_everything(void *context, opac_error *error)
{
    opac_environment *env, *fork = NULL;
    opac_status status = opac_environment_new(&all, new_machine(context), &env, error);
    if (status == OPAC_OK)
        status = env_fork(env, &fork, error);
    opac_environment_free(env);
    opac_environment_free(fork);
    return status;
}

static opac_status ask_for_successors(void *context, opac_error *error)
{
    uint64_t sum = 0;
    opac_observation from = {.key = "x", .length = 1, .actions = 1};
    return env_successors(context, &from, 0, ignore, &sum, error);
}

static void out_of_memory(void **state)
{
    (void)state;
    int released = 0;
    machine *m;
    opac_environment *env = make(&m);
    m->successors = 100;
    assert_true(faults_sweep(ask_for_successors, env) > 3);
    opac_environment_free(env);
    size_t failures = faults_sweep(use_everything, &released);
    assert_true(failures >= 14);
    assert_int_equal(released, failures / 2 + 2 * (failures / 2 + 1)); /* each that was made */
}

SUITE(callback)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_mapped),
        cmocka_unit_test(all_64_names),
        cmocka_unit_test(lanes_are_independent),
        cmocka_unit_test(draws_are_reported),
        cmocka_unit_test(successors_are_reported),
        cmocka_unit_test(codes_become_simulator),
        cmocka_unit_test(broken_successors),
        cmocka_unit_test(broken_observations),
        cmocka_unit_test(draws_that_do_not_add_up),
        cmocka_unit_test(broken_callbacks),
        cmocka_unit_test(minimal_environment),
        cmocka_unit_test(episodes_differ),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
