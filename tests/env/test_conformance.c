/* SPDX-License-Identifier: MIT */
/* The conformance check: each fault of the simulators in zoo.sh is reported, and correct ones conform. */
#include <errno.h>
#include <sys/wait.h>

#include <omegapac/conformance.h>
#include <omegapac/environment.h>

#include "support/check.h"
#include "support/faults.h"

enum {
    MOST = 64
};

typedef struct heard {
    opac_finding_kind kind;
    char check[32];
    char text[1024];
    const char *parameter;
} heard;

typedef struct findings {
    heard items[MOST];
    size_t count;
} findings;

static void hear(void *context, const opac_finding *finding)
{
    findings *f = context;
    assert_true(f->count < MOST);
    heard *item = &f->items[f->count++];
    item->kind = finding->kind;
    item->parameter = finding->parameter;
    snprintf(item->check, sizeof item->check, "%s", finding->check);
    snprintf(item->text, sizeof item->text, "%s", finding->text);
    for (const char *at = finding->text; *at != '\0'; at++)
        assert_true((unsigned char)*at >= ' ');
}

static opac_conformance_options few(void)
{
    opac_conformance_options options = opac_conformance_defaults();
    options.timeout = 20; /* long, since the machine may be busy */
    options.episodes = 20;
    options.steps = 30;
    return options;
}

static opac_conformance check(const char *kind, findings *found)
{
    char name[1024];
    opac_conformance outcome;
    opac_error error = {0};
    opac_conformance_options options = few();
    if (strcmp(kind, "silent") == 0 || strcmp(kind, "late") == 0)
        options.timeout = 1; /* short, since these run into it */
    *found = (findings){0};
    snprintf(name, sizeof name, "exec:sh '%s/zoo.sh' %s", ZOO, kind);
    assert_ok(opac_conformance_check(name, &options, hear, found, &outcome, &error), &error);
    assert_int_equal(outcome.passed + outcome.notes + outcome.warnings + outcome.errors,
                     found->count);
    assert_int_equal(outcome.conforms, outcome.errors == 0);
    return outcome;
}

static const heard *find(const findings *found, opac_finding_kind kind, const char *check)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].kind == kind && strcmp(found->items[i].check, check) == 0)
            return &found->items[i];
    return NULL;
}

static void show_all(const findings *found)
{
    for (size_t i = 0; i < found->count; i++)
        print_message("  %s %s: %s\n", opac_finding_kind_name(found->items[i].kind),
                      found->items[i].check, found->items[i].text);
}

/* No child process remains. */
static void assert_no_children(void)
{
    int status;
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void correct_simulators_conform(void **state)
{
    (void)state;
    static const char *const kinds[] = {"good",    "begins", "lanes",   "ends",
                                        "certain", "idle",   "outcomes"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        findings found;
        opac_conformance outcome = check(kinds[i], &found);
        if (outcome.errors + outcome.warnings > 0) {
            show_all(&found);
            fail_msg("%s does not conform", kinds[i]);
        }
        assert_non_null(find(&found, OPAC_FINDING_PASSED, "greeting"));
        assert_non_null(find(&found, OPAC_FINDING_PASSED, "same seed"));
        assert_non_null(find(&found, OPAC_FINDING_PASSED, "second instance"));
        assert_non_null(find(&found, OPAC_FINDING_PASSED, "bye"));
        assert_non_null(find(&found, OPAC_FINDING_PASSED, "end of input"));
        assert_int_equal(outcome.episodes, 20);
        assert_int_equal(outcome.states, 5);
        if (strcmp(kinds[i], "ends") != 0)
            assert_int_equal(outcome.steps, 600);
        assert_no_children();
    }
}

static void each_fault_is_reported(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        opac_finding_kind found;
        const char *check, *says;
        uint32_t all; /* errors and warnings in all */
    } cases[] = {
        {"dead", OPAC_FINDING_ERROR, "greeting", "status 7", 1},
        {"silent", OPAC_FINDING_ERROR, "greeting", "did not send its greeting within 1 s", 1},
        {"wordy", OPAC_FINDING_ERROR, "greeting", "hello, world", 1},
        {"newer", OPAC_FINDING_ERROR, "greeting", "2", 1},
        {"twice", OPAC_FINDING_ERROR, "greeting", "goal", 1},
        {"garbage", OPAC_FINDING_ERROR, "reset", "what?", 1},
        {"chatty", OPAC_FINDING_ERROR, "reset", "\"0 - go,stay\" without a request", 1},
        {"fewer", OPAC_FINDING_ERROR, "reset", "3", 1},
        {"unknown", OPAC_FINDING_ERROR, "steps", "gaol", 1},
        {"late", OPAC_FINDING_ERROR, "steps", "did not answer ", 1},
        {"crash", OPAC_FINDING_ERROR, "steps", "status 3", 1},
        {"short", OPAC_FINDING_ERROR, "steps", "3 -", 1},
        {"torn", OPAC_FINDING_ERROR, "steps", "; requests: reset ", 1},
        {"actions", OPAC_FINDING_ERROR, "steps", "2", 1},
        {"labels", OPAC_FINDING_ERROR, "steps", "2", 1},
        {"pairless", OPAC_FINDING_ERROR, "steps", "expected CLASS/OUTCOME", 1},
        {"classes", OPAC_FINDING_ERROR, "steps", "must be a function of state and action", 1},
        {"successors", OPAC_FINDING_ERROR, "steps", "function of state, action and outcome", 1},
        {"constant", OPAC_FINDING_ERROR, "other seeds", "20 other seeds", 1},
        {"starts", OPAC_FINDING_ERROR, "start", "start=fixed", 1},
        {"unseeded", OPAC_FINDING_WARNING, "same seed", "the same requests (reset ", 1},
        {"shared", OPAC_FINDING_WARNING, "same seed", "the same requests (reset ", 2},
        {"shared", OPAC_FINDING_WARNING, "other seeds", "did not depend on the seed", 2},
        {"process", OPAC_FINDING_WARNING, "second instance", "in a second instance", 1},
        {"counter", OPAC_FINDING_WARNING, "new states", "led to a new state", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        findings found;
        opac_conformance outcome = check(cases[i].kind, &found);
        const heard *item = find(&found, cases[i].found, cases[i].check);
        if (item == NULL || strstr(item->text, cases[i].says) == NULL ||
            outcome.errors + outcome.warnings != cases[i].all) {
            show_all(&found);
            fail_msg("%s: %s %s with \"%s\" was expected", cases[i].kind,
                     opac_finding_kind_name(cases[i].found), cases[i].check, cases[i].says);
        }
        assert_no_children();
    }
}

static void findings_name_their_options(void **state)
{
    (void)state;
    findings found;
    check("silent", &found);
    assert_string_equal(find(&found, OPAC_FINDING_ERROR, "greeting")->parameter, "timeout");
    check("dead", &found);
    assert_null(find(&found, OPAC_FINDING_ERROR, "greeting")->parameter);
    check("certain", &found);
    assert_string_equal(find(&found, OPAC_FINDING_NOTE, "other seeds")->parameter, "deterministic");
    check("shared", &found);
    assert_string_equal(find(&found, OPAC_FINDING_WARNING, "other seeds")->parameter,
                        "trial_steps");
}

static void notes_are_reported(void **state)
{
    (void)state;
    findings found;
    check("ends", &found);
    assert_non_null(find(&found, OPAC_FINDING_NOTE, "terminal states"));
    assert_non_null(strstr(find(&found, OPAC_FINDING_NOTE, "terminal states")->text, "\"4\""));
    check("certain", &found);
    assert_non_null(find(&found, OPAC_FINDING_NOTE, "other seeds"));
    check("idle", &found);
    assert_non_null(strstr(find(&found, OPAC_FINDING_NOTE, "propositions")->text, ": never"));
    check("unclear", &found);
    assert_non_null(strstr(find(&found, OPAC_FINDING_NOTE, "start")->text, "start=fixed"));
    check("lanes", &found);
    assert_non_null(find(&found, OPAC_FINDING_PASSED, "lanes"));
}

static void unusable_names_are_errors(void **state)
{
    (void)state;
    findings found = {0};
    opac_conformance outcome;
    opac_error error = {0};
    assert_status(opac_conformance_check("coin.prism", NULL, hear, &found, &outcome, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(
        opac_conformance_check("plugin:./nowhere.so", NULL, hear, &found, &outcome, &error),
        OPAC_ERROR_IO);
    assert_int_equal(found.count, 0);
    assert_false(outcome.conforms);
    opac_cancel *cancel;
    opac_conformance_options options = few();
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    options.cancel = cancel;
    assert_status(opac_conformance_check("exec:sh '" ZOO "/zoo.sh' good", &options, hear, &found,
                                         &outcome, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    assert_no_children();
}

/* An episode without random events is no evidence that the simulator ignores its seeds. */
static void rare_randomness_is_no_fault(void **state)
{
    (void)state;
    findings found;
    char kind[64];
    snprintf(kind, sizeof kind, "seldom %llu",
             (unsigned long long)opac_environment_episode_seed(1, 5));
    opac_conformance outcome = check(kind, &found);
    assert_int_equal(outcome.errors + outcome.warnings, 0);
    assert_non_null(find(&found, OPAC_FINDING_PASSED, "other seeds"));
}

static opac_conformance check_plugin(const char *name, findings *found)
{
    char path[1024];
    opac_conformance outcome;
    opac_error error = {0};
    opac_conformance_options options = few();
    *found = (findings){0};
    snprintf(path, sizeof path, "plugin:%s/%s", PLUGINS, name);
    assert_ok(opac_conformance_check(path, &options, hear, found, &outcome, &error), &error);
    return outcome;
}

/* Plugins also support successors and draws. */
static void plugins_are_checked(void **state)
{
    (void)state;
    findings found;
    opac_conformance outcome = check_plugin("gridworld.so", &found);
    if (outcome.errors + outcome.warnings > 0)
        show_all(&found);
    assert_int_equal(outcome.errors + outcome.warnings, 0);
    assert_non_null(find(&found, OPAC_FINDING_PASSED, "successors"));
    assert_non_null(find(&found, OPAC_FINDING_PASSED, "draw"));
    assert_null(find(&found, OPAC_FINDING_PASSED, "bye"));
    static const struct {
        const char *name, *check, *says;
    } cases[] = {
        {"faulty.so?open", "greeting", "no lift"},
        {"faulty.so?many names", "greeting", "65"},
        {"faulty.so?reset", "reset", "it is stuck"},
        {"faulty.so?step", "steps", "it is stuck"},
        {"faulty.so?letter", "reset", "letter"},
        {"faulty.so?random", "successors", "does not report"},
        {"faulty.so?draws more", "draw", "more than the 100"},
        {"faulty.so?draws less", "draw", "drew 99"},
        {"faulty.so?successor twice", "successors", "twice"},
        {"faulty.so?fork", "second instance", "there is but one"},
        {"faulty.so", "start", "random_start = false"},
        {"wrong-abi.so", "greeting", "ABI"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_plugin(cases[i].name, &found);
        const heard *item = find(&found, OPAC_FINDING_ERROR, cases[i].check);
        if (item == NULL || strstr(item->text, cases[i].says) == NULL) {
            show_all(&found);
            fail_msg("%s: error %s with \"%s\" was expected", cases[i].name, cases[i].check,
                     cases[i].says);
        }
    }
}

static opac_status try_once(void *context, opac_error *error)
{
    opac_conformance outcome;
    opac_conformance_options options = few();
    options.episodes = 2;
    options.steps = 3;
    return opac_conformance_check(context, &options, NULL, NULL, &outcome, error);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(faults_sweep(try_once, "exec:sh '" ZOO "/zoo.sh' lanes") > 10);
    assert_no_children();
}

SUITE(conformance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_simulators_conform),  cmocka_unit_test(each_fault_is_reported),
        cmocka_unit_test(findings_name_their_options), cmocka_unit_test(notes_are_reported),
        cmocka_unit_test(rare_randomness_is_no_fault), cmocka_unit_test(plugins_are_checked),
        cmocka_unit_test(unusable_names_are_errors),   cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("env.conformance", tests, NULL, NULL);
}
