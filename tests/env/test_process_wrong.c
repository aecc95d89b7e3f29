/* SPDX-License-Identifier: MIT */
/*
 * Programs that violate the simulator protocol: each call fails with a message that says what the program
 * did, and leaves no process, no zombie and no descriptor.
 */
#include <omegapac/number.h>

#include "processes.h"

#define TWICE_RIGHT                                                                                \
    "echo omegapac-env 1 lanes=2; for i in 1 2; do read x; echo 's - 1 ; t - 1'; done; read x; "

static void test_ends(void **state)
{
    (void)state;
    static const wrong cases[] = {
        {"exit 3", "the simulator exited with status 3 before its greeting"},
        {"kill -9 $$", "the simulator was killed by signal 9 (SIGKILL) before its greeting"},
        {"exec 2>/dev/null; no-such-command",
         "the shell did not find the command \"exec 2>/dev/null; no-such-command\" (exit status "
         "127)"},
        {"exec 2>/dev/null; /",
         "the shell could not run the command \"exec 2>/dev/null; /\" (exit status 126)"},
        {HELLO "exit 0", "the simulator exited with status 0 instead of answering \"reset 1\""},
        {HELLO "read x; echo s - 2; read x; exit 5",
         "the simulator exited with status 5 instead of answering \"step 0\""},
        {HELLO "read x; echo s - up,down; read x; kill -11 $$",
         "the simulator was killed by signal 11 (SIGSEGV) instead of answering \"step up\""},
        {HELLO "read x; exit 139", /* as a shell exits whose command was killed */
         "the simulator exited with status 139 (as after signal 11, SIGSEGV) instead of answering "
         "\"reset 1\""},
        {HELLO "read x; exit 255",
         "the simulator exited with status 255 instead of answering \"reset 1\""},
        {HELLO "read x; printf abc; exit 1",
         "the simulator exited with status 1 instead of answering \"reset 1\"; it wrote \"abc\" "
         "without a line feed"},
        {"exec <&-; " HELLO "sleep 50",
         "the simulator closed its input instead of answering \"reset 1\""},
        {HELLO "read x; exec >&-; sleep 50",
         "the simulator closed its output instead of answering \"reset 1\""},
    };
    check_wrong(cases, sizeof cases / sizeof *cases, PATIENT);
}

static void test_garbage(void **state)
{
    (void)state;
    static const wrong cases[] = {
        {"echo hello",
         "the simulator greeted with \"hello\": expected \"omegapac-env 1 PROP PROP ...\""},
        {"echo omegapac-env 2 a",
         "the simulator greeted with \"omegapac-env 2 a\": unknown protocol version \"2\": "
         "expected 1"},
        {"echo hello; echo omegapac-env 1; read x",
         "the simulator greeted with \"hello\": expected \"omegapac-env 1 PROP PROP ...\""},
        {"yes", "the simulator greeted with \"y\": expected \"omegapac-env 1 PROP PROP ...\""},
        {HELLO "read x; echo what; read x",
         "the simulator answered \"reset 1\" with \"what\": expected three words, STATE "
         "LABELS ACTIONS, found one; other output must go to standard error"},
        {HELLO "read x; printf 'what\\ns - 1\\n'; read x",
         "the simulator answered \"reset 1\" with \"what\": expected three words, STATE "
         "LABELS ACTIONS, found one; other output must go to standard error"},
        {HELLO "read x; printf 'a\\000b - 1\\n'; read x",
         "the simulator answered \"reset 1\" with \"a\\x00b - 1\": the state \"a\\x00b\" must be "
         "UTF-8 without control characters"},
        {HELLO "read x; printf '\\377 - 1\\n'; read x",
         "the simulator answered \"reset 1\" with \"\\xFF - 1\": the state \"\\xFF\" must be UTF-8 "
         "without control characters"},
        {HELLO "read x; echo s c 1; read x",
         "the simulator answered \"reset 1\" with \"s c 1\": the proposition \"c\" is not in the "
         "greeting, which must list all propositions"},
        {HELLO "read x; echo ';' - 1; read x",
         "the simulator answered \"reset 1\" with \"; - 1\": expected three words, STATE "
         "LABELS ACTIONS, found nothing; other output must go to standard error"},
        {HELLO "read x; cat /dev/zero",
         "the simulator wrote a line of more than 1048576 bytes, beginning with "
         "\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00"
         "\\x00\\x00\\x00\\x00\\x00\\x00\\x00...\""},
        {HELLO "read x; printf 's - 1\\nt - 1\\n'; while read -r x; do echo s - 1; done",
         "the simulator wrote \"t - 1\" without a request: expected one line for each "
         "request"},
        {HELLO "read x; yes 's - 1'",
         "the simulator wrote \"s - 1\" without a request: expected one line for each "
         "request"},
        {HELLO "read x; echo s - 1; read x; echo s - 1; read x; echo s - 1; sleep 0.02; echo t - "
               "1; read x",
         "the simulator wrote \"t - 1\" without a request: expected one line for each "
         "request"},
        {"echo omegapac-env 1 lanes=2; read x; echo s - 1; read x",
         "the simulator answered \"reset 1\" in lane 0 with \"s - 1\": expected 2 answers, found "
         "1"},
        {"echo omegapac-env 1 lanes=2; read x; echo 's - 1 ; t x 1'; read x",
         "the simulator answered \"reset 0\" in lane 1 with \"t x 1\": the proposition \"x\" is "
         "not in the greeting, which must list all propositions"},
        /* Idle lanes whose first answers are valid. */
        {TWICE_RIGHT "echo 's - 1 ; t - 2'; read x",
         "the simulator answered \"reset 0\" in lane 1 with \"t - 2\": the state \"t\" has the "
         "labels and actions \"- 2\" now and had \"- 1\" before; give different states different "
         "names"},
        {TWICE_RIGHT "echo 's - 1'; read x",
         "the simulator answered \"step 0\" in lane 0 with \"s - 1\": expected 2 answers, found 1"},
        {TWICE_RIGHT "echo 's - 1 ; t - 1 ; t - 1'; read x",
         "the simulator answered \"reset 0\" in lane 1 with \"t - 1\": expected 2 answers, found "
         "more"},
    };
    check_wrong(cases, sizeof cases / sizeof *cases, PATIENT);
}

static void test_inconsistent(void **state)
{
    (void)state;
#define TWICE(first, second)                                                                       \
    HELLO "read x; echo s " first "; read x; echo t - 1; read x; echo s " second "; read x"
#define SAYS(request, now, before)                                                                 \
    "the simulator answered \"" request "\" with \"s " now "\": the state \"s\" has the labels "   \
    "and actions \"" now "\" now and had \"" before                                                \
    "\" before; give different states different names"
    static const wrong cases[] = {
        {TWICE("a 1", "b 1"), SAYS("step 0", "b 1", "a 1")},
        {TWICE("a,b 1", "a 1"), SAYS("step 0", "a 1", "a,b 1")},
        {TWICE("a 1", "a 2"), SAYS("step 0", "a 2", "a 1")},
        {TWICE("- up,down", "- down,up"), SAYS("step 0", "- down,up", "- up,down")},
        {TWICE("- up,down", "- 2"), SAYS("step 0", "- 2", "- up,down")},
        {TWICE("- 1", "- up"), SAYS("step 0", "- up", "- 1")},
    };
    check_wrong(cases, sizeof cases / sizeof *cases, PATIENT);
    opac_error error = {0}; /* labels and actions that are written differently but are equal */
    assert_ok(walk(TWICE("a,b 2", "b,a 02") "; echo t - 1; read x", PATIENT, &error), &error);
}

typedef struct silent {
    const char *command, *before, *after; /* the seconds */
} silent;

/* On a busy machine even the greeting may be late: then the caller tries again with a longer timeout. */
static bool check_silent(const silent *c, double timeout)
{
    char expected[OPAC_MESSAGE_SIZE], seconds[32];
    opac_error error = {0};
    int before = count_descriptors();
    assert_status(walk(c->command, timeout, &error), OPAC_ERROR_SIMULATOR);
    assert_no_child();
    assert_int_equal(count_descriptors(), before);
    snprintf(expected, sizeof expected, "%s%s%s", c->before,
             c->after == NULL ? "" : opac_number_format(timeout, seconds),
             c->after == NULL ? "" : c->after);
    if (strncmp(error.message, expected, strlen(expected)) == 0)
        return true;
    if (timeout > 5)
        fail_msg("%s:\n  %s\n  %s", c->command, error.message, expected);
    return false;
}

static void test_silent(void **state)
{
    (void)state;
    static const silent cases[] = {
        {"sleep 50", "the simulator did not send its greeting within ",
         " s; it must flush its output after each line"},
        {HELLO "read x; sleep 50", "the simulator did not answer \"reset 1\" within ", " s"},
        {HELLO "read x; printf 's -'; sleep 50", "the simulator did not answer \"reset 1\" within ",
         " s; it wrote \"s -\" without a line feed"},
        {HELLO "exec 3<&0; sleep 50 <&3 & exit 0",
         "the simulator exited with status 0 instead of answering \"reset 1\"", NULL},
        {HELLO "read x; while :; do printf s; sleep 0.01; done",
         "the simulator did not answer \"reset 1\" within ", " s; it wrote \"ss"},
        {"echo omegapac-env 1 lanes=4096; sleep 50", /* its pipe is full */
         "the simulator did not answer \"reset 1 ; reset 0 ; reset 0 ; reset 0 ; reset 0 ; reset",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double timeout = 0.05;
        while (!check_silent(&cases[i], timeout))
            timeout *= 4;
    }
}

SUITE(process_wrong)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_inconsistent),
        cmocka_unit_test(test_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
