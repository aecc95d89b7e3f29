/* SPDX-License-Identifier: MIT */
/* Classes and outcomes of steps: words of the protocol, what callbacks must report, and the commands of programs. */
#include <math.h>

#include <omegapac/environment.h>

#include "env/env.h"
#include "env/protocol.h"
#include "support/check.h"

/* ---- the protocol ---- */

static opac_status greet(const char *line, protocol_greeting *greeting, opac_error *error)
{
    return protocol_read_greeting(line, strlen(line), greeting, error);
}

static void test_greeting(void **unused)
{
    protocol_greeting with, without;
    opac_error error;
    (void)unused;
    assert_ok(greet("omegapac-env 1 outcomes=yes lanes=2 goal", &with, &error), &error);
    assert_ok(greet("omegapac-env 1 lanes=2 goal", &without, &error), &error);
    assert_true(with.tells_outcomes);
    assert_false(without.tells_outcomes);
    assert_false(protocol_greeting_equals(&with, &without));
    protocol_greeting_fini(&with);
    protocol_greeting_fini(&without);
    assert_status(greet("omegapac-env 1 outcomes=yes outcomes=yes", &with, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message, "\"outcomes=yes\" occurs twice");
    assert_status(greet("omegapac-env 1 outcomes=no", &with, &error), OPAC_ERROR_SIMULATOR);
}

static void test_answer(void **unused)
{
    const protocol_greeting greeting = {.lanes = 2, .tells_outcomes = true};
    const char *text = "s - 2 c/o ; t goal 0 -";
    base_slice line = {text, strlen(text)}, three = {"s - 2", 5}, five = {"s - 2 c/o d", 11};
    protocol_answer answer;
    opac_error error;
    (void)unused;
    assert_ok(protocol_next_answer(&greeting, &line, 0, &answer, &error), &error);
    assert_memory_equal(answer.pair.bytes, "c/o", 3);
    assert_ok(protocol_next_answer(&greeting, &line, 1, &answer, &error), &error);
    assert_true(base_slice_is(answer.pair, "-"));
    assert_status(protocol_next_answer(&greeting, &three, 0, &answer, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_string_equal(
        error.message,
        "expected four words, STATE LABELS ACTIONS CLASS/OUTCOME, found three; other "
        "output must go to standard error");
    assert_status(protocol_next_answer(&greeting, &five, 0, &answer, &error), OPAC_ERROR_SIMULATOR);
}

static void check_pair(const char *text, bool is_reset, const char *row_class, const char *outcome)
{
    base_slice found_class, found_outcome;
    opac_error error;
    opac_status status = protocol_read_pair((base_slice){text, strlen(text)}, is_reset,
                                            &found_class, &found_outcome, &error);
    if (row_class == NULL) {
        assert_status(status, OPAC_ERROR_SIMULATOR);
        return;
    }
    assert_ok(status, &error);
    assert_true(base_slice_is(found_class, row_class));
    assert_true(base_slice_is(found_outcome, outcome));
}

static void test_pair(void **unused)
{
    (void)unused;
    check_pair("a/b", false, "a", "b");
    check_pair("-/-", false, "-", "-");
    check_pair("a/b/c", false, "a", "b/c");
    check_pair("-", true, "", "");
    check_pair("-", false, NULL, NULL);
    check_pair("a/b", true, NULL, NULL);
    check_pair("ab", false, NULL, NULL);
    check_pair("/b", false, NULL, NULL);
    check_pair("a/", false, NULL, NULL);
    check_pair("/", false, NULL, NULL);
    check_pair("a/\x01", false, NULL, NULL);
    check_pair("\xC3/b", false, NULL, NULL);
}

/* ---- commands of programs ---- */

static const char program[] = "mdp\n"
                              "module one\n"
                              "  x : [0..3] init 0;\n"
                              "  [go] x<3 -> 1/2 : (x'=x+1) + 1/4 : (x'=0) + 1/4 : true;\n"
                              "  [odd] true -> (x+1)/8 : (x'=0) + (7-x)/8 : true;\n"
                              "  [] x=3 -> (x'=0);\n"
                              "endmodule\n"
                              "module two\n"
                              "  y : bool init false;\n"
                              "  [go] !y -> 1/3 : (y'=true) + 2/3 : true;\n"
                              "  [go] y -> (y'=false);\n"
                              "endmodule\n";

static opac_model *read_program(const char *text, bool commands)
{
    const opac_model_options options = {.commands = commands};
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options, &model, &error),
              &error);
    return model;
}

static bool is_text(const void *bytes, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

/* The numbers of the steps of the program's initial state: commands of both modules, or a class of one choice. */
static void test_commands(void **unused)
{
    opac_model *model = read_program(program, true);
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    uint64_t counts[6] = {0};
    (void)unused;
    assert_ok(opac_environment_of_commands(model, NULL, &env, &error), &error);
    assert_true(opac_environment_get_traits(env).tells_outcomes);
    assert_false(opac_environment_get_traits(env).can_draw);
    for (uint64_t seed = 0; seed < 6000; seed++) {
        assert_ok(opac_environment_reset(env, seed, &seen, &error), &error);
        assert_null(seen.row_class);
        uint32_t go =
            strcmp(opac_environment_action_name(env, seen.key, seen.length, 0), "go") != 0;
        assert_ok(opac_environment_step(env, go, &seen, &error), &error);
        assert_true(is_text(seen.row_class, seen.row_class_length, "1+4"));
        assert_int_equal(seen.outcome_length, 1);
        unsigned outcome = (unsigned)(*(const char *)seen.outcome - '0');
        assert_in_range(outcome, 0, 5);
        counts[outcome]++;
    }
    const double expected[] = {1.0 / 6, 2.0 / 6, 1.0 / 12, 2.0 / 12, 1.0 / 12, 2.0 / 12};
    for (int i = 0; i < 6; i++) /* six deviations: false alarms below 2e-8 */
        assert_true(fabs((double)counts[i] - 6000 * expected[i]) <
                    6 * sqrt(6000 * expected[i] * (1 - expected[i])));
    assert_ok(opac_environment_reset(env, 1, &seen, &error), &error);
    uint32_t odd = strcmp(opac_environment_action_name(env, seen.key, seen.length, 0), "odd") != 0;
    assert_ok(opac_environment_step(env, odd, &seen, &error), &error);
    assert_int_equal(*(const char *)seen.row_class, '#');
    opac_environment_free(env);
    opac_model_free(model);
}

static void test_overlapping(void **unused)
{
    opac_model *model = read_program("dtmc\nmodule m\n  x : [0..2] init 0;\n"
                                     "  [] x<2 -> 1/2 : (x'=x+1) + 1/2 : true;\n"
                                     "  [] x<2 -> (x'=0);\nendmodule\n",
                                     true);
    opac_environment *env;
    opac_observation seen;
    opac_error error;
    (void)unused;
    assert_ok(opac_environment_of_commands(model, NULL, &env, &error), &error);
    assert_ok(opac_environment_reset(env, 3, &seen, &error), &error);
    uint32_t x = 0;
    for (int i = 0; i < 200 && x < 2; i++) {
        assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
        assert_true(is_text(seen.row_class, seen.row_class_length, "1|2"));
        memcpy(&x, seen.key, sizeof x);
    }
    assert_int_equal(x, 2);
    assert_ok(opac_environment_step(env, 0, &seen, &error), &error);
    assert_true(is_text(seen.row_class, seen.row_class_length, "deadlock"));
    opac_environment_free(env);
    opac_model_free(model);
}

static void test_refused(void **unused)
{
    opac_model *model = read_program(program, false);
    opac_environment *env;
    opac_error error;
    (void)unused;
    assert_status(opac_environment_of_commands(model, NULL, &env, &error), OPAC_ERROR_UNSUPPORTED);
    assert_null(env);
    opac_model_free(model);
}

SUITE(outcomes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greeting),    cmocka_unit_test(test_answer),
        cmocka_unit_test(test_pair),        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_overlapping), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
