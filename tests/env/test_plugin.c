/* SPDX-License-Identifier: MIT */
/*
 * Plugins: correct ones work like callbacks; each fault is reported with a message; nothing remains loaded
 * or open.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <omegapac/environment.h>
#include <omegapac/text.h>

#include "env/env.h"
#include "support/check.h"
#include "support/faults.h"

static opac_environment *open_plugin(const char *name)
{
    char full[1024];
    opac_environment *env;
    opac_error error;
    snprintf(full, sizeof full, "plugin:%s/%s", PLUGINS, name);
    assert_ok(opac_environment_open(full, NULL, &env, &error), &error);
    return env;
}

/* The message ends like this; the file is named before it. */
static void check_refused(const char *name, opac_status status, const char *end)
{
    char full[1024];
    opac_environment *env = (opac_environment *)&env;
    opac_error error = {0};
    snprintf(full, sizeof full, "plugin:%s/%s", PLUGINS, name);
    assert_status(opac_environment_open(full, NULL, &env, &error), status);
    assert_null(env);
    assert_int_equal(error.code, status);
    const char *found = strstr(error.message, end);
    if (found == NULL || strcmp(found, end) != 0 || strncmp(error.message, PLUGINS, 1) != 0)
        fail_msg("%s", error.message);
    assert_status(opac_environment_open(full, NULL, &env, NULL), status);
}

/* How many instances of faulty.so are open. */
static int count_instances(void)
{
    void *handle = dlopen(PLUGINS "/faulty.so", RTLD_NOW | RTLD_LOCAL);
    const int *count = handle != NULL ? dlsym(handle, "faulty_instances") : NULL;
    assert_non_null(count);
    int now = *count;
    dlclose(handle);
    return now;
}

/* ---- as it should be ---- */

static void check_seen(const opac_observation *seen, const char *key, uint64_t letter)
{
    assert_int_equal(seen->length, strlen(key));
    assert_memory_equal(seen->key, key, seen->length);
    assert_int_equal(seen->letter, letter);
    assert_int_equal(seen->actions, 4);
}

static void gridworld_is_run(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("gridworld.so");
    opac_environment_traits traits = opac_environment_get_traits(env);
    opac_observation seen;
    opac_error error;
    char shown[OPAC_MESSAGE_SIZE];
    unsigned visits = 0;
    assert_true(traits.can_draw);
    assert_true(traits.can_fork);
    assert_true(traits.knows_graph);
    assert_false(traits.random_start);
    assert_int_equal(traits.lanes, 1);
    assert_string_equal(opac_environment_proposition(env, 0), "s");
    assert_string_equal(opac_environment_proposition(env, 2), "trap");
    assert_null(opac_environment_proposition(env, 3));
    assert_ok(opac_environment_reset(env, 5, &seen, &error), &error);
    check_seen(&seen, "0,1", 1);
    assert_string_equal(opac_environment_show(env, "2,0", 3, shown, sizeof shown), "x=2, y=0");
    assert_string_equal(opac_environment_show(env, "7\n0", 3, shown, sizeof shown), "7\\x0A0");
    assert_string_equal(opac_environment_action_name(env, "0,1", 3, 2), "se");
    for (int i = 0; i < 200; i++) { /* south-west, then south-east: never into the trap */
        uint32_t action = memcmp(seen.key, "0,1", 3) == 0 ? 3 : 2;
        assert_ok(opac_environment_step(env, action, &seen, &error), &error);
        visits += seen.letter == 2;
        assert_true((seen.letter & 4) == 0);
    }
    assert_true(visits > 100);
    opac_environment_free(env);
}

/* The numbers of splitmix64 for seed 0 are published: e220a8397b1dcdaf, 6e789e6aa1b965f4, … */
static void gridworld_follows_its_generator(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("gridworld.so");
    opac_observation seen;
    opac_error error;
    static const uint64_t published[] = {UINT64_C(0xE220A8397B1DCDAF), UINT64_C(0x6E789E6AA1B965F4),
                                         UINT64_C(0x06C45D188009454F)};
    int x = 0, y = 1;
    char key[4];
    assert_ok(opac_environment_reset(env, 0, &seen, &error), &error);
    for (size_t i = 0; i < 3; i++) {
        uint64_t chance = published[i] % 5;
        y = chance < 2 ? 0 : y;
        x += chance >= 2 && chance < 4 && x < 2;
        snprintf(key, sizeof key, "%c,%c", '0' + x, '0' + y);
        assert_ok(opac_environment_step(env, 2, &seen, &error), &error);
        assert_memory_equal(seen.key, key, 3);
    }
    opac_environment_free(env);
}

typedef struct heard {
    uint64_t count[6];
} heard;

static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
                        opac_error *error)
{
    heard *h = context;
    const char *key = successor->key;
    (void)error;
    h->count[(key[2] - '0') * 3 + key[0] - '0'] += count;
    return OPAC_OK;
}

static void gridworld_draws_what_it_can_reach(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("gridworld.so");
    opac_error error;
    heard drawn = {{0}}, told = {{0}}, from_start = {{0}}, reset = {{0}};
    opac_observation corner = {.key = "2,0", .length = 3, .actions = 4}, nowhere = {0},
                     wrong = {.key = "3,0", .length = 3, .actions = 4};
    assert_ok(env_draw(env, &corner, 0, 1000, 3, hear, &drawn, &error), &error);
    assert_ok(env_successors(env, &corner, 0, hear, &told, &error), &error);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(told.count[i], i == 2 || i == 5); /* itself, and north of it */
        assert_true(drawn.count[i] == 0 || told.count[i] == 1);
    }
    /* 0.4 of 1000; further off than 100 with probability 1e-10 */
    assert_true(drawn.count[5] > 300);
    assert_true(drawn.count[5] < 500);
    assert_ok(env_draw(env, &nowhere, 0, 9, 3, hear, &from_start, &error), &error);
    assert_ok(env_successors(env, &nowhere, 0, hear, &reset, &error), &error);
    assert_int_equal(from_start.count[3], 9);
    assert_int_equal(reset.count[3], 1);
    assert_status(env_draw(env, &wrong, 0, 9, 3, hear, &drawn, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "unknown state");
    assert_status(env_successors(env, &wrong, 0, hear, &drawn, &error), OPAC_ERROR_SIMULATOR);
    opac_environment_free(env);
}

/* The library is loaded as long as an instance exists. */
static void opened_twice_and_forked(void **state)
{
    (void)state;
    opac_environment *first = open_plugin("faulty.so"), *second = open_plugin("faulty.so?step");
    opac_environment *fork;
    opac_observation seen;
    opac_error error;
    assert_int_equal(count_instances(), 2);
    assert_ok(opac_environment_reset(first, 3, &seen, &error), &error);
    assert_ok(opac_environment_reset(second, 8, &seen, &error), &error);
    assert_status(opac_environment_step(second, 0, &seen, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "it is stuck");
    assert_ok(opac_environment_step(first, 1, &seen, &error), &error);
    assert_memory_equal(seen.key, &(uint64_t){5}, 8);
    assert_int_equal(seen.letter, 2);
    assert_ok(env_fork(first, &fork, &error), &error);
    opac_environment_free(first);
    opac_environment_free(second);
    assert_int_equal(count_instances(), 1);
    assert_ok(opac_environment_reset(fork, 4, &seen, &error), &error);
    assert_int_equal(seen.letter, 1);
    opac_environment_free(fork);
#ifdef RTLD_NOLOAD
    assert_null(dlopen(PLUGINS "/faulty.so", RTLD_NOW | RTLD_NOLOAD));
#endif
}

static void *run_and_free(void *context)
{
    opac_environment *env = context;
    opac_observation seen;
    bool is_fine = opac_environment_reset(env, 1, &seen, NULL) == OPAC_OK;
    for (int i = 0; i < 1000 && is_fine; i++)
        is_fine = opac_environment_step(env, 2, &seen, NULL) == OPAC_OK;
    opac_environment_free(env);
    return is_fine ? context : NULL;
}

static void forks_end_in_any_order(void **state)
{
    (void)state;
    enum {
        FORKS = 4
    };
    opac_environment *env = open_plugin("gridworld.so"), *forks[FORKS];
    pthread_t threads[FORKS];
    opac_error error;
    void *result;
    for (int i = 0; i < FORKS; i++)
        assert_ok(env_fork(env, &forks[i], &error), &error);
    for (int i = 0; i < FORKS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_and_free, forks[i]), 0);
    opac_environment_free(env);
    for (int i = 0; i < FORKS; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
}

static void lanes_when_it_says_so(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("faulty.so?lanes"), *one = open_plugin("faulty.so");
    opac_lane_request orders[2] = {{true, 0, 10}, {true, 0, 21}};
    opac_observation seen[2];
    opac_error error;
    assert_int_equal(opac_environment_get_traits(env).lanes, 2);
    assert_int_equal(opac_environment_get_traits(one).lanes, 1);
    assert_ok(opac_environment_step_many(env, orders, seen, &error), &error);
    assert_int_equal(seen[0].letter, 1);
    assert_int_equal(seen[1].letter, 2);
    opac_environment_free(env);
    opac_environment_free(one);
}

/* A name without a slash is a file in the current folder, and not in the library path. */
static void names_without_a_slash(void **state)
{
    (void)state;
    char before[1024];
    opac_environment *env;
    opac_error error;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(PLUGINS), 0);
    assert_ok(opac_environment_open("plugin:wrong-nothing.so", NULL, &env, &error), &error);
    opac_environment_free(env);
    assert_int_equal(chdir("/"), 0);
    assert_status(opac_environment_open("plugin:libc.so.6", NULL, &env, &error), OPAC_ERROR_IO);
    assert_string_equal(error.message,
                        "libc.so.6: cannot read the file: No such file or directory");
    assert_int_equal(chdir(before), 0);
}

static void minimal_plugin(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("wrong-nothing.so"), *fork;
    opac_environment_traits traits = opac_environment_get_traits(env);
    opac_observation seen;
    opac_error error;
    char shown[8];
    assert_false(traits.can_draw);
    assert_false(traits.can_fork);
    assert_false(traits.knows_graph);
    assert_false(traits.random_start);
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.letter, 1);
    assert_string_equal(opac_environment_show(env, "on", 2, shown, sizeof shown), "on");
    assert_string_equal(opac_environment_action_name(env, "on", 2, 0), "");
    assert_status(env_fork(env, &fork, &error), OPAC_ERROR_UNSUPPORTED);
    opac_environment_free(env);
}

static void facts_and_words(void **state)
{
    (void)state;
    opac_environment *env = open_plugin("faulty.so?random"),
                     *all = open_plugin("faulty.so?shows all"),
                     *none = open_plugin("faulty.so?shows none");
    char shown[OPAC_SHOWN_SIZE], few[4], kept = 'k';
    assert_true(opac_environment_get_traits(env).random_start);
    assert_string_equal(opac_environment_show(env, "a", 1, shown, sizeof shown), "red\\x1B[31m");
    assert_string_equal(opac_environment_show(env, "a", 1, few, sizeof few), "...");
    assert_ptr_equal(opac_environment_show(env, "a", 1, &kept, 0), &kept);
    assert_int_equal(kept, 'k');
    opac_environment_show(all, "a", 1, shown, sizeof shown);
    assert_int_equal(strlen(shown), sizeof shown - 1);
    assert_string_equal(opac_environment_show(none, "a", 1, shown, sizeof shown), "a");
    assert_string_equal(opac_environment_action_name(env, "a", 1, 0), "on");
    assert_string_equal(opac_environment_action_name(env, "a", 1, 1), "");
    opac_environment_free(env);
    opac_environment_free(all);
    opac_environment_free(none);
}

/* ---- as it should not be ---- */

static void no_plugins(void **state)
{
    (void)state;
    opac_environment *env;
    opac_error error;
    check_refused("nowhere.so", OPAC_ERROR_IO, ": cannot read the file: No such file or directory");
    check_refused("nowhere.so?faulty.so", OPAC_ERROR_IO,
                  "nowhere.so: cannot read the file: No such file or directory");
    assert_status(opac_environment_open("plugin:" THIS_FILE, NULL, &env, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_non_null(strstr(error.message, "CMakeLists.txt: not a plugin: "));
    assert_status(opac_environment_open("plugin:" PLUGINS, NULL, &env, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_status(opac_environment_open("plugin:", NULL, &env, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_environment_open("plugin:?text", NULL, &env, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "expected a file after \"plugin:\"");
    check_refused("wrong-symbol.so", OPAC_ERROR_SIMULATOR,
                  ": not a plugin: it does not export the symbol opac_plugin");
    check_refused(
        "wrong-abi.so", OPAC_ERROR_SIMULATOR,
        ": this plugin was compiled for ABI 4, but ABI 3 is needed: compile it again with "
        "the current header");
    check_refused("wrong-reserved.so", OPAC_ERROR_SIMULATOR,
                  ": the reserved members of a plugin's table must be NULL");
}

static void missing_functions(void **state)
{
    (void)state;
    static const char *const names[] = {"open", "reset", "step", "close"};
    char file[64], end[128];
    for (size_t i = 0; i < 4; i++) {
        snprintf(file, sizeof file, "wrong-%s.so", names[i]);
        snprintf(end, sizeof end, ": a plugin needs open, reset, step and close, but %s is NULL",
                 names[i]);
        check_refused(file, OPAC_ERROR_SIMULATOR, end);
    }
}

static void wrong_facts(void **state)
{
    (void)state;
    check_refused("faulty.so?names twice", OPAC_ERROR_SIMULATOR,
                  ": the proposition \"even\" of the environment occurs twice");
    check_refused("faulty.so?no name", OPAC_ERROR_SIMULATOR,
                  ": proposition 1 of the environment has no name");
    check_refused("faulty.so?no names", OPAC_ERROR_SIMULATOR,
                  ": an environment has 2 propositions, but their names are NULL");
    check_refused("faulty.so?many names", OPAC_ERROR_SIMULATOR,
                  ": an environment has 65 propositions, but may have at most 64");
    check_refused("faulty.so?many lanes", OPAC_ERROR_SIMULATOR,
                  ": an environment has 70000 lanes, but may have at most 65536");
    check_refused("wrong-lanes.so", OPAC_ERROR_SIMULATOR,
                  ": the members step_many and lanes must be set together");
    assert_int_equal(count_instances(), 0);
}

static void open_that_fails(void **state)
{
    (void)state;
    check_refused("faulty.so?open", OPAC_ERROR_SIMULATOR, "faulty.so: no lift\\x0Ahere");
    check_refused("faulty.so?open mute", OPAC_ERROR_SIMULATOR,
                  "faulty.so: the environment failed without a message");
    check_refused("gridworld.so?big", OPAC_ERROR_SIMULATOR,
                  "the gridworld has no parameters: expected no text after '?'");
}

static opac_status ignore(void *context, const opac_observation *successor, uint64_t count,
                          opac_error *error)
{
    (void)context, (void)successor, (void)count, (void)error;
    return OPAC_OK;
}

static void check_fault(const char *name, const char *message)
{
    opac_environment *env = open_plugin(name), *fork = NULL;
    opac_observation seen, from = {.key = "x", .length = 1, .actions = 1};
    opac_error error = {0};
    opac_status status = opac_environment_reset(env, 1, &seen, &error);
    if (status == OPAC_OK)
        status = env_draw(env, &from, 0, 7, 1, ignore, NULL, &error);
    if (status == OPAC_OK)
        status = env_successors(env, &from, 0, ignore, NULL, &error);
    if (status == OPAC_OK)
        status = env_fork(env, &fork, &error);
    assert_status(status, OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, message);
    assert_null(fork);
    opac_environment_free(env);
    assert_int_equal(count_instances(), 0);
}

static void faults_while_it_runs(void **state)
{
    (void)state;
    check_fault("faulty.so?reset", "it is stuck");
    check_fault("faulty.so?key",
                "the environment reported a state whose key is NULL and has 8 bytes");
    check_fault("faulty.so?letter",
                "the environment reported a letter with bits beyond its 2 propositions");
    check_fault("faulty.so?draws more",
                "the environment drew more than the 7 requested successors");
    check_fault("faulty.so?draws less", "the environment drew 6 of 7 requested successors");
    check_fault("faulty.so?successor twice", "the environment reported the same successor twice");
    check_fault("faulty.so?fork", "there is but one");
}

/* ---- without memory ---- */

static opac_status open_fork_free(void *context, opac_error *error)
{
    opac_environment *env, *fork = NULL;
    opac_observation seen;
    (void)context;
    opac_status status =
        opac_environment_open("plugin:" PLUGINS "/faulty.so?lanes", NULL, &env, error);
    if (status == OPAC_OK)
        status = env_fork(env, &fork, error);
    if (status == OPAC_OK)
        status = opac_environment_reset(fork, 1, &seen, error);
    opac_environment_free(fork);
    opac_environment_free(env);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(open_fork_free, NULL) >= 10);
    assert_int_equal(count_instances(), 0);
}

SUITE(plugin)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gridworld_is_run),
                                       cmocka_unit_test(gridworld_follows_its_generator),
                                       cmocka_unit_test(gridworld_draws_what_it_can_reach),
                                       cmocka_unit_test(opened_twice_and_forked),
                                       cmocka_unit_test(forks_end_in_any_order),
                                       cmocka_unit_test(lanes_when_it_says_so),
                                       cmocka_unit_test(names_without_a_slash),
                                       cmocka_unit_test(minimal_plugin),
                                       cmocka_unit_test(facts_and_words),
                                       cmocka_unit_test(no_plugins),
                                       cmocka_unit_test(missing_functions),
                                       cmocka_unit_test(wrong_facts),
                                       cmocka_unit_test(open_that_fails),
                                       cmocka_unit_test(faults_while_it_runs),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
