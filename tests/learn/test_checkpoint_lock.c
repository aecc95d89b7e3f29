/* SPDX-License-Identifier: MIT */
/* Only one run at a time has a checkpoint, and no run replaces another one's unless allowed. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs.h"
#include "sample/learning.h"
#include "support/temporary.h"

static char folder[256], path[300];

static int make_folder(void **state)
{
    (void)state;
    bool made = temporary_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/run.ckpt", folder);
    return made ? 0 : 1;
}

static int drop_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* so there are no other files */
}

static long size_of(const char *name)
{
    struct stat found;
    return stat(name, &found) == 0 ? (long)found.st_size : -1;
}

/* A run as it is asked for; its report, if it ends well. */
static opac_status run(opac_learn_options options, opac_learn_report *report, opac_error *error)
{
    table_state grid[6];
    opac_formula *formula = learning_formula("G F a & G F b");
    const opac_objective objective = {.formula = formula};
    opac_learning *learning = NULL;
    options.checkpoint = path;
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_status status = opac_learn(env, &objective, &options, &learning, error);
    if (status == OPAC_OK && report != NULL)
        *report = *opac_learning_report(learning);
    opac_learning_free(learning);
    opac_environment_free(env);
    opac_formula_free(formula);
    return status;
}

static void a_checkpoint_is_not_replaced(void **state)
{
    opac_learn_options options = learning_options(40, 30);
    opac_learn_report report;
    opac_error error = {0};
    (void)state;
    assert_ok(run(options, &report, &error), &error);
    assert_false(report.checkpoint_failed);
    long size = size_of(path);
    assert_true(size > 100);
    assert_status(run(options, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "exists, and this run would replace it"));
    assert_int_equal(size_of(path), size);
    options.replace_checkpoint = true;
    options.seed = 7;
    assert_ok(run(options, NULL, &error), &error);
    options.resume = true;
    assert_ok(run(options, &report, &error), &error);
    assert_true(report.resumed);
}

/* A run that was killed before its first checkpoint leaves an empty file. */
static void an_empty_checkpoint_begins_anew(void **state)
{
    opac_learn_options options = learning_options(40, 30);
    opac_learn_report report;
    opac_error error = {0};
    (void)state;
    for (int resumes = 0; resumes < 2; resumes++) {
        close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
        options.resume = resumes;
        assert_ok(run(options, &report, &error), &error);
        assert_false(report.resumed);
        assert_true(size_of(path) > 100);
    }
    unlink(path);
    assert_status(run(options, NULL, &error), OPAC_ERROR_IO); /* to resume what is not there */
    assert_int_equal(size_of(path), -1);
}

/* A file that was created before the run is removed if there is no run. */
static void a_run_that_fails_leaves_no_checkpoint(void **state)
{
    opac_learn_options options = learning_options(40, 30);
    opac_error error = {0};
    (void)state;
    options.sampler = OPAC_SAMPLER_POPULATION; /* which this environment cannot do */
    assert_status(run(options, NULL, &error), OPAC_ERROR_ARGUMENT);
    assert_int_equal(size_of(path), -1);
}

/* ---- two runs ---- */

/* A run within another, at each of its policies: refused from the first to the last. */
static void begin_another(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    opac_learn_options options = learning_options(40, 30);
    unsigned *refused = context;
    opac_error error = {0};
    (void)learning, (void)entry;
    for (int kind = 0; kind < 3; kind++) {
        options.resume = kind == 1;
        options.replace_checkpoint = kind == 2;
        assert_status(run(options, NULL, &error), OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "is in use by another run"));
        ++*refused;
    }
}

static void a_second_run_is_refused(void **state)
{
    opac_learn_options options = learning_options(40, 30);
    opac_error error = {0};
    unsigned refused = 0;
    (void)state;
    options.trace = begin_another;
    options.trace_context = &refused;
    options.checkpoint_seconds = 0; /* replaced again and again */
    assert_ok(run(options, NULL, &error), &error);
    assert_true(refused >= 6);
    options.trace = NULL;
    options.replace_checkpoint = true;
    assert_ok(run(options, NULL, &error), &error); /* it is free now */
}

/* Several processes at the same moment, again and again: one has it, and the file stays whole. */
static void processes_take_turns(void **state)
{
    enum {
        PROCESSES = 6,
        ROUNDS = 8
    };
    opac_learn_options options = learning_options(40, 30);
    opac_error error = {0};
    unsigned done = 0, refused = 0;
    (void)state;
    options.replace_checkpoint = true;
    options.checkpoint_seconds = 0; /* replaced again and again */
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PROCESSES; i++)
            if (fork() == 0) {
                opac_status status = run(options, NULL, &error);
                _exit(status == OPAC_OK ? 0 : strstr(error.message, "in use") != NULL ? 1 : 2);
            }
        for (int i = 0, status; i < PROCESSES; i++) {
            assert_true(wait(&status) > 0);
            assert_true(WIFEXITED(status));
            assert_in_range(WEXITSTATUS(status), 0, 1);
            done += WEXITSTATUS(status) == 0;
            refused += WEXITSTATUS(status) == 1;
        }
        options.resume = true;
        assert_ok(run(options, NULL, &error), &error);
        options.resume = false;
    }
    assert_int_equal(done + refused, PROCESSES * ROUNDS);
    assert_true(done >= ROUNDS);
}

/* ---- disks ---- */

static unsigned told;
static void hear(void *context, uint32_t line, uint32_t column, const char *message)
{
    (void)context, (void)line, (void)column;
    told += strstr(message, "the checkpoint was not written") != NULL;
}

/* The file disappears at the second policy: the run ends normally and reports it. */
static void lose_folder(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    const char *other = context;
    (void)learning;
    if (entry->step > 0 && other != NULL)
        rename(folder, other);
}

static void a_checkpoint_that_fails_is_in_the_report(void **state)
{
    char other[300];
    opac_learn_options options = learning_options(40, 30);
    opac_learn_report report;
    opac_error error = {0};
    (void)state;
    snprintf(other, sizeof other, "%s-lost", folder);
    options.trace = lose_folder;
    options.trace_context = other;
    options.failure = hear;
    told = 0;
    assert_ok(run(options, &report, &error), &error);
    assert_int_equal(report.end, OPAC_END_DONE);
    assert_true(report.checkpoint_failed);
    assert_true(told > 0);
    assert_int_equal(rename(other, folder), 0);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, drop_folder)

SUITE(checkpoint_lock)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_checkpoint_is_not_replaced),
        IN_FOLDER(an_empty_checkpoint_begins_anew),
        IN_FOLDER(a_run_that_fails_leaves_no_checkpoint),
        IN_FOLDER(a_second_run_is_refused),
        IN_FOLDER(processes_take_turns),
        IN_FOLDER(a_checkpoint_that_fails_is_in_the_report),
    };
    return cmocka_run_group_tests_name("learn.checkpoint_lock", tests, NULL, NULL);
}
