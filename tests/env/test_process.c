/* SPDX-License-Identifier: MIT */
/*
 * Correct programs as environments: what they may do, lanes, what the host may do at the same time, and
 * that their end leaves no processes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "processes.h"
#include "support/faults.h"
#include "support/temporary.h"

static void assert_key(const opac_observation *seen, const char *key)
{
    assert_int_equal(seen->length, strlen(key));
    assert_memory_equal(seen->key, key, seen->length);
}

/* ---- what goes right ---- */

static void test_unusual_but_correct(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "printf 'omegapac-env 1 a\\r\\n'; while read -r x; do printf 's a 1\\r\\n'; done",
        "printf ' omegapac-env\\t1  a \\n'; while read -r x; do printf '\\ts \\t a  1 \\n'; done",
        ("echo omegapac-env 1 a; read x; printf s; sleep 0.02; printf ' a'; sleep 0.02; echo ' 1'; "
         "while read -r x; do echo s a 01; done"),
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        opac_environment *env = open_good(commands[i]);
        opac_observation seen;
        opac_error error = {0};
        assert_ok(env_reset(env, 1, &seen, &error), &error);
        assert_key(&seen, "s");
        assert_int_equal(seen.letter, 1);
        assert_int_equal(seen.actions, 1);
        assert_ok(env_step(env, 0, &seen, &error), &error);
        assert_key(&seen, "s");
        opac_environment_free(env);
    }
    assert_no_child();
}

static void test_names(void **state)
{
    (void)state;
    char names[1024] = "";
    for (int i = 0; i < 70; i++)
        sprintf(names + strlen(names), " p%d", i);
    char command[2048];
    snprintf(command, sizeof command,
             "echo omegapac-env 1%s; while read -r v x; do echo $v-$x p0,p63,p69 up,down; done",
             names);
    opac_environment *env = open_good(command), *other;
    opac_observation seen;
    opac_error error = {0};
    char shown[64];
    assert_true(env_get_traits(env).random_start);
    assert_string_equal(opac_environment_proposition(env, 69), "p69");
    assert_null(opac_environment_proposition(env, 70));
    assert_ok(env_reset(env, 7, &seen, &error), &error);
    assert_key(&seen, "reset-7");
    assert_true(seen.letter == (UINT64_C(1) | UINT64_C(1) << 63));
    assert_ok(env_step(env, 1, &seen, &error), &error);
    assert_key(&seen, "step-down");
    assert_string_equal(env_action_name(env, seen.key, seen.length, 0), "up");
    assert_string_equal(env_action_name(env, seen.key, seen.length, 2), "");
    assert_string_equal(env_action_name(env, "other", 5, 0), "");
    assert_string_equal(env_show(env, seen.key, seen.length, shown, sizeof shown), "step-down");

    const char *const bound[] = {"p1", "p69", "p0"}, *const unknown[] = {"p1", "q69"};
    assert_ok(env_bind(env, bound, 3, &error), &error);
    assert_status(env_bind(env, unknown, 2, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "unknown proposition \"q69\"; did you mean \"p69\"? (the "
                                       "simulator has \"p0\", \"p1\", \"p2\", \"p3\", "
                                       "\"p4\", \"p5\", \"p6\", \"p7\", \"p8\", \"p9\", \"p10\", "
                                       "\"p11\", \"p12\", \"p13\" and 56 more)");
    assert_ok(env_reset(env, 7, &seen, &error), &error); /* of a state that was seen before */
    assert_int_equal(seen.letter, 6);
    assert_ok(env_fork(env, &other, &error), &error);
    assert_ok(env_reset(other, 7, &seen, &error), &error);
    assert_int_equal(seen.letter, 6);
    opac_environment_free(other);
    opac_environment_free(env);
    assert_no_child();
}

/* Environment variables and a counter in a file make the second process greet differently. */
static void test_other_greeting(void **state)
{
    (void)state;
    char folder[512], command[2048], path[600];
    opac_environment *other;
    opac_error error = {0};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/x", folder);
    snprintf(command, sizeof command,
             "if [ -e '%s' ]; then echo omegapac-env 1 b; else : >'%s'; echo omegapac-env 1 a; fi; "
             "read x",
             path, path);
    opac_environment *env = open_good(command);
    assert_status(env_fork(env, &other, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message,
                        "the simulator was started again and sent another greeting than before");
    opac_environment_free(env);
    assert_no_child();
    remove(path);
    rmdir(folder);
}

/* Also removes folders that simulators created in it, since a slow one is ended before it removes them. */
static void remove_all(const char *folder)
{
    static const char *const names[] = {"a", "b", "c", "first"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        rmdir(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Each of three programs waits for the other two before it greets, so they must start in parallel. */
static void test_forks_start_together(void **state)
{
    (void)state;
    char folder[512], command[2048];
    opac_environment *others[3];
    opac_observation seen;
    opac_error error = {0};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(command, sizeof command,
             "cd '%s'; if mkdir first 2>/dev/null; then :; else mkdir a 2>/dev/null || mkdir b "
             "2>/dev/null || mkdir c; until [ -e c ]; do sleep 0.01; done; fi; " HELLO
             "read x; echo s a 1; read x",
             folder);
    opac_environment *env = open_good(command);
    assert_ok(env_fork_many(env, others, 3, &error), &error);
    for (int i = 0; i < 3; i++) {
        assert_ok(env_reset(others[i], 1, &seen, &error), &error);
        assert_key(&seen, "s");
        opac_environment_free(others[i]);
    }
    opac_environment_free(env);
    assert_no_child();
    remove_all(folder);
}

/* If one fork fails, all are ended. */
static void test_a_fork_fails(void **state)
{
    (void)state;
    char folder[512], command[2048];
    opac_environment *others[20];
    opac_error error = {0};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(command, sizeof command,
             "cd '%s'; mkdir a 2>/dev/null || mkdir b 2>/dev/null || mkdir c 2>/dev/null || exit "
             "3; " HELLO "read x",
             folder);
    opac_environment *env = open_good(command);
    int before = count_descriptors();
    assert_status(env_fork_many(env, others, 20, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "the simulator exited with status 3 before its greeting");
    for (int i = 0; i < 20; i++)
        assert_null(others[i]);
    assert_int_equal(count_descriptors(), before);
    opac_environment_free(env);
    assert_no_child();
    remove_all(folder);
}

/* A program that has failed gets little time to exit. That it does not exit so soon does not shorten the
 * second that other programs get after "bye". */
static void test_a_failure_and_the_others(void **state)
{
    (void)state;
    char folder[512], command[2048], path[600];
    opac_environment *other;
    opac_observation seen;
    opac_error error = {0};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(command, sizeof command,
             HELLO
             "while read -r verb seed; do case $verb$seed in bye) break;; reset9) echo what;; *) "
             "echo s a 1;; esac; done; sleep 0.15; mkdir '%s'",
             path);
    opac_environment *env = open_good(command);
    assert_ok(env_fork(env, &other, &error), &error);
    assert_status(env_reset(other, 9, &seen, &error), OPAC_ERROR_SIMULATOR);
    opac_environment_free(other);
    assert_int_equal(access(path, F_OK), -1);
    opac_environment_free(env);
    assert_int_equal(access(path, F_OK), 0);
    assert_no_child();
    remove_all(folder);
}

static void test_huge_state(void **state)
{
    (void)state;
    opac_environment *env = open_good(
        "echo omegapac-env 1; while read -r v x; do head -c 1000000 /dev/zero | tr '\\000' x; echo "
        "$v - 1; done");
    opac_observation seen;
    opac_error error = {0};
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    assert_int_equal(seen.length, 1000005);
    assert_ok(env_step(env, 0, &seen, &error), &error);
    assert_int_equal(seen.length, 1000004);
    opac_environment_free(env);
    assert_no_child();
}

/* ---- lanes ---- */

enum {
    LANES = 4096
};

static void test_lanes(void **state)
{
    (void)state;
    static opac_lane_request orders[LANES];
    static opac_observation seen[LANES];
    opac_observation single;
    opac_error error = {0};
    opac_environment *env = open_good("'" GRIDWORLD "' 4096"), *one = open_good("'" GRIDWORLD "'");
    assert_int_equal(env_get_traits(env).lanes, LANES);
    assert_false(env_get_traits(env).random_start);
    for (uint32_t i = 0; i < LANES; i++)
        orders[i] = (opac_lane_request){.is_reset = true, .seed = i % 50};
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    for (uint32_t t = 0; t < 20; t++) {
        for (uint32_t i = 0; i < LANES; i++)
            orders[i] = (opac_lane_request){.action = (i + t) % 4};
        assert_ok(env_step_many(env, orders, seen, &error), &error);
    }
    for (uint32_t i = 0; i < 100; i++) { /* each as if it were alone */
        assert_ok(env_reset(one, i % 50, &single, &error), &error);
        for (uint32_t t = 0; t < 20; t++)
            assert_ok(env_step(one, (i + t) % 4, &single, &error), &error);
        assert_int_equal(single.length, seen[i].length);
        assert_memory_equal(single.key, seen[i].key, single.length);
        assert_int_equal(single.letter, seen[i].letter);
    }
    opac_environment_free(env);
    opac_environment_free(one);
    assert_no_child();
}

/* The single episode is in lane 0. It ends the episodes of the lanes, and vice versa. */
static void test_single_of_lanes(void **state)
{
    (void)state;
    opac_environment *env = open_good("'" GRIDWORLD "' 3"), *one = open_good("'" GRIDWORLD "'");
    opac_observation seen[3], single, same;
    opac_lane_request orders[3] = {{.is_reset = true}, {.is_reset = true}, {.is_reset = true}};
    opac_error error = {0};
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    assert_ok(env_reset(env, 5, &single, &error), &error);
    assert_ok(env_reset(one, 5, &same, &error), &error);
    for (uint32_t t = 0; t < 20; t++) {
        assert_ok(env_step(env, t % 4, &single, &error), &error);
        assert_ok(env_step(one, t % 4, &same, &error), &error);
        assert_int_equal(single.letter, same.letter);
        assert_memory_equal(single.key, same.key, 3);
    }
    orders[1].is_reset = false;
    assert_status(env_step_many(env, orders, seen, &error), OPAC_ERROR_ARGUMENT);
    orders[1].is_reset = true;
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    assert_status(env_step(env, 0, &single, &error), OPAC_ERROR_ARGUMENT);
    opac_environment_free(env);
    opac_environment_free(one);
    assert_no_child();
}

static void test_full_pipes(void **state)
{
    (void)state;
    static opac_lane_request orders[LANES];
    static opac_observation seen[LANES];
    opac_error error = {0};
    opac_environment *env = open_good("python3 '" SIMULATORS "/eager.py' 4096");
    for (uint32_t i = 0; i < LANES; i++)
        orders[i] = (opac_lane_request){.is_reset = true};
    assert_ok(env_step_many(env, orders, seen, &error), &error);
    memset(orders, 0, sizeof orders);
    assert_ok(env_step_many(env, orders, seen, &error), &error); /* 430 KB each way */
    assert_int_equal(seen[LANES - 1].length, 100);
    opac_environment_free(env);
    assert_no_child();
}

/* ---- the host ---- */

/* The simulator answers when a folder exists, which the test creates after two waits were cancelled. */
static void test_cancel(void **state)
{
    (void)state;
    char folder[512], name[2048], path[600];
    opac_cancel *cancel;
    opac_environment *env;
    opac_observation seen;
    opac_error error = {0};
    opac_environment_options options = opac_environment_defaults();
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    options.cancel = cancel;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(name, sizeof name,
             "exec:" HELLO "read x; until [ -e '%s' ]; do sleep 0.01; done; echo one - 1; read x; "
             "echo two - 1; read x",
             path);
    assert_ok(opac_environment_open(name, &options, &env, &error), &error);
    opac_cancel_request(cancel);
    assert_status(env_reset(env, 1, &seen, &error), OPAC_ERROR_CANCELLED);
    assert_status(env_reset(env, 1, &seen, &error), OPAC_ERROR_CANCELLED);
    opac_cancel_reset(cancel);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    assert_key(&seen, "two"); /* "one" was the answer to the cancelled request */
    opac_environment_free(env);

    opac_cancel_request(cancel);
    assert_status(opac_environment_open("exec:sleep 50", &options, &env, &error),
                  OPAC_ERROR_CANCELLED);
    assert_null(env);
    opac_cancel_free(cancel);
    assert_no_child();
    remove_all(folder);
}

static bool is_pending(int number)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, number) == 1;
}

/* Writing to a program that has ended raises no signal, consumes none of the host, and changes no mask. */
static void test_broken_pipe(void **state)
{
    (void)state;
    const char *deaf = "exec <&-; " HELLO "sleep 0.1";
    sigset_t broken, mask;
    opac_error error = {0};
    int taken;
    assert_status(walk(deaf, PATIENT, &error), OPAC_ERROR_SIMULATOR);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGPIPE), 0);
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, NULL);
    assert_status(walk(deaf, PATIENT, &error), OPAC_ERROR_SIMULATOR);
    assert_false(is_pending(SIGPIPE));
    raise(SIGPIPE);
    assert_status(walk(deaf, PATIENT, &error), OPAC_ERROR_SIMULATOR);
    assert_true(is_pending(SIGPIPE));
    sigwait(&broken, &taken);
    pthread_sigmask(SIG_UNBLOCK, &broken, NULL);
}

/* The child starts with default signal dispositions, independently of the host. */
static void test_dispositions(void **state)
{
    (void)state;
    static const wrong cases[] = {
        {HELLO "read x; kill -USR1 $$; read x",
         "the simulator was killed by signal 10 (SIGUSR1) instead of answering \"reset 1\""},
        {HELLO "read x; kill -TERM $$; read x",
         "the simulator was killed by signal 15 (SIGTERM) instead of answering \"reset 1\""},
    };
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGUSR1, SIG_IGN);
    check_wrong(cases, sizeof cases / sizeof *cases, PATIENT);
    signal(SIGUSR1, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
}

/* A host that reaps all children itself, or ignores SIGCHLD. */
static void test_host_that_reaps(void **state)
{
    (void)state;
    opac_error error = {0};
    signal(SIGCHLD, SIG_IGN);
    assert_status(walk(HELLO "read x; exit 3", PATIENT, &error), OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "the simulator has ended instead of answering \"reset 1\"");
    opac_environment_free(open_good(HELLO "read x"));
    signal(SIGCHLD, SIG_DFL);
    assert_no_child();
}

/* A fork of the host releases its copy: the program receives nothing, and continues to work for the host. */
static void test_host_that_forks(void **state)
{
    (void)state;
    opac_error error = {0};
    opac_observation seen;
    opac_environment *env = open_good(
        "echo omegapac-env 1 a; while read -r x; do [ \"$x\" = bye ] && exit; echo s a 1; done");
    assert_ok(env_reset(env, 1, &seen, &error), &error);
    pid_t child = fork();
    if (child == 0) {
        opac_environment_free(env);
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (int i = 0; i < 3; i++)
        assert_ok(env_step(env, 0, &seen, &error), &error);
    opac_environment_free(env);
    assert_no_child();
}

/* Descriptors 0 and 1 may be closed in the host. */
static void test_closed_standard_descriptors(void **state)
{
    (void)state;
    opac_observation seen;
    opac_error error = {0};
    int input = dup(0), output = dup(1);
    close(0);
    fflush(stdout);
    close(1);
    opac_environment *env = NULL;
    opac_status status = open_command(HELLO "read x; echo s - 1; read x", PATIENT, &env, &error);
    if (status == OPAC_OK)
        status = env_reset(env, 1, &seen, &error);
    bool are_free = fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0; /* output is lost */
    opac_environment_free(env);
    if (input >= 0)
        dup2(input, 0);
    dup2(output, 1);
    close(input);
    close(output);
    assert_ok(status, &error);
    assert_true(are_free);
}

/* ---- the end ---- */

static bool is_alive(long pid)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *end = got > 0 ? strrchr(text, ')') : NULL;
    return end != NULL && end[2] != 'Z' && end[2] != 'X';
}

/* Background processes of a program end with it. A program that only waits for the end of its input exits
 * on its own, although there is another process, which must not hold an end of its pipes. */
static void test_background_processes(void **state)
{
    (void)state;
    char folder[512], command[2048], path[600], done[600];
    opac_environment *other;
    opac_error error = {0};
    long pid = 0;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/pid", folder);
    snprintf(done, sizeof done, "%s/done", folder);
    snprintf(command, sizeof command,
             "sleep 100 & echo $! >'%s'; echo omegapac-env 1; cat >/dev/null; : >'%s'", path, done);
    opac_environment *env = open_good(command);
    assert_ok(env_fork(env, &other, &error), &error);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pid), 1);
    fclose(file);
    assert_true(is_alive(pid));
    opac_environment_free(env);
    assert_int_equal(access(done, F_OK), 0);
    opac_environment_free(other);
    for (int i = 0; i < 1000 && is_alive(pid); i++)
        pause_for(0.01);
    assert_false(is_alive(pid));
    assert_no_child();
    remove(path);
    remove(done);
    rmdir(folder);
}

static void test_many_forks(void **state)
{
    (void)state;
    enum {
        FORKS = 20
    };
    opac_environment *env = open_good("'" GRIDWORLD "' 2"), *others[FORKS];
    opac_observation seen;
    opac_error error = {0};
    int before = count_descriptors();
    for (int i = 0; i < FORKS; i++) {
        assert_ok(env_fork(env, &others[i], &error), &error);
        assert_ok(env_reset(others[i], (uint64_t)i, &seen, &error), &error);
        assert_key(&seen, "0,1");
    }
    for (int i = 0; i < FORKS; i++)
        opac_environment_free(others[i]);
    assert_int_equal(count_descriptors(), before);
    opac_environment_free(env);
    assert_no_child();
}

/* ---- memory ---- */

static opac_status use(void *context, opac_error *error)
{
    opac_environment *env, *others[2] = {NULL}, *other;
    opac_observation seen;
    const char *const names[] = {"b"};
    opac_status status = open_command(context, PATIENT, &env, error);
    if (status == OPAC_OK)
        status = env_bind(env, names, 1, error);
    if (status == OPAC_OK)
        status = env_fork_many(env, others, 2, error);
    other = others[1];
    for (uint64_t i = 0; i < 3 && status == OPAC_OK; i++)
        status = env_reset(other, i, &seen, error);
    if (status == OPAC_OK)
        status = env_step(other, 1, &seen, error);
    opac_environment_free(others[0]);
    opac_environment_free(others[1]);
    opac_environment_free(env);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    char command[] = HELLO "while read -r v x; do echo \"$v-$x\ta,b\t1,2,3,4,5,6,7,8,9\"|tr 1-9 "
                           "p-z; done";
    char plain[] = HELLO "while read -r v x; do echo $v-$x a u,v; done";
    assert_true(faults_sweep(use, plain) > 10);
    assert_true(faults_sweep(use, command) > 10);
    assert_no_child();
}

SUITE(process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unusual_but_correct),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_other_greeting),
        cmocka_unit_test(test_forks_start_together),
        cmocka_unit_test(test_a_fork_fails),
        cmocka_unit_test(test_a_failure_and_the_others),
        cmocka_unit_test(test_huge_state),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_single_of_lanes),
        cmocka_unit_test(test_full_pipes),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_dispositions),
        cmocka_unit_test(test_host_that_reaps),
        cmocka_unit_test(test_host_that_forks),
        cmocka_unit_test(test_closed_standard_descriptors),
        cmocka_unit_test(test_background_processes),
        cmocka_unit_test(test_many_forks),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
