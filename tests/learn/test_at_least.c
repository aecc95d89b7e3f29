/* SPDX-License-Identifier: MIT */
/* The question whether some policy is good enough: answers, limits, boundary values, refused options. */
#include <unistd.h>

#include <omegapac/number.h>

#include "learn/runs.h"
#include "sample/at_least.h"
#include "support/temporary.h"

/* A choice of two coins that win with probability 0.7 and 0.3. */
static const table_state coins[] = {
    {.actions = 2, .action = {{.p = {0.7, 0.3}, .to = {1, 2}}, {.p = {0.3, 0.7}, .to = {1, 2}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {1}}}},
    {.actions = 1, .action = {{.p = {1}, .to = {2}}}}};

/* A choice to win or to lose, without chance. */
static const table_state sure[] = {
    {.actions = 2, .action = {{.p = {1}, .to = {1}}, {.p = {1}, .to = {2}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {1}}}},
    {.actions = 1, .action = {{.p = {1}, .to = {2}}}}};

static void check_words(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, text);
}

/* Of a question without a width. */
static opac_learn_options asking(double pmin, double at_least)
{
    opac_learn_options options = bracket_options(pmin, 0);
    options.at_least = at_least;
    options.untested = true;
    return options;
}

static opac_learn_options asking_with_horizon(double at_least)
{
    opac_learn_options options = asking(0, at_least);
    options.horizon = 4;
    options.epsilon = 0.05;
    return options;
}

static opac_learning *run(const table_state *states, const char *formula,
                          const opac_learn_options *options)
{
    opac_environment *environment = table_environment(states, 0, false);
    opac_learning *learning = learning_of(environment, formula, options);
    opac_environment_free(environment);
    return learning;
}

/* Runs once, checks what all answers have in common, and that the statement has the words. */
static void check_answer(const table_state *states, const char *formula,
                         const opac_learn_options *options, opac_learn_answer_kind answer,
                         const char *words)
{
    opac_learning *learning = run(states, formula, options);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_int_equal(report->answer, answer);
    assert_int_equal(report->end, OPAC_END_DONE);
    assert_true(report->is_bracket);
    assert_true(report->at_least == options->at_least);
    assert_int_equal(report->holds, answer == OPAC_ANSWER_YES || answer == OPAC_ANSWER_NO);
    assert_int_equal(answer == OPAC_ANSWER_YES, report->lower >= options->at_least);
    check_words(opac_learning_statement(learning), words);
    opac_learning_free(learning);
}

/* ---- answers ---- */

static void test_yes_and_no(void **unused)
{
    opac_learn_options options = asking(0.2, 0.6);
    (void)unused;
    check_answer(coins, "F a", &options, OPAC_ANSWER_YES, ", which is at least the required 0.6");
    options.at_least = 0.8;
    check_answer(coins, "F a", &options, OPAC_ANSWER_NO,
                 "with confidence 0.9 no policy satisfies the objective with probability 0.8 or "
                 "more: at most 0.7");
    options = asking_with_horizon(0.5);
    check_answer(coins, "F a", &options, OPAC_ANSWER_YES, ", which is at least the required 0.5");
    options.at_least = 0.85;
    check_answer(coins, "F a", &options, OPAC_ANSWER_NO, "0.85 or more: at most 0.8");
}

/* With a width, too, whatever is reached first ends the run. */
static void test_question_and_width(void **unused)
{
    opac_learn_options options = asking(0.2, 0.7);
    (void)unused;
    options.epsilon = 0.1;
    check_answer(coins, "F a", &options, OPAC_ANSWER_UNDECIDED,
                 "whether a policy reaches the required 0.7 is undecided: the bracket is at most "
                 "the requested 0.1 wide");
    opac_learning *wide = run(coins, "F a", &options);
    options.at_least = 0.3;
    check_answer(coins, "F a", &options, OPAC_ANSWER_YES, "the required 0.3");
    opac_learning *asked = run(coins, "F a", &options);
    assert_true(4 * opac_learning_report(asked)->steps < opac_learning_report(wide)->steps);
    assert_true(opac_learning_report(asked)->gap > options.epsilon);
    opac_learning_free(wide);
    opac_learning_free(asked);
    options = asking_with_horizon(0.7);
    check_answer(coins, "F a", &options, OPAC_ANSWER_UNDECIDED, "at most the requested 0.2 wide");
}

/* Without a question there is no answer. */
static void test_nothing_asked(void **unused)
{
    opac_learn_options options = asking(0.2, 0);
    (void)unused;
    options.epsilon = 0.1;
    opac_learning *learning = run(coins, "F a", &options);
    assert_int_equal(opac_learning_report(learning)->answer, OPAC_ANSWER_NONE);
    assert_true(opac_learning_report(learning)->holds);
    opac_learning_free(learning);
}

/* Wherever a limit ends a run, its last bracket and its answer agree. */
static void check_limit(const opac_learn_options *options, unsigned *seen)
{
    opac_learning *learning = run(coins, "F a", options);
    const opac_learn_report *report = opac_learning_report(learning);
    bool is_yes = report->lower >= options->at_least, is_no = report->upper < options->at_least;
    bool is_decided = is_yes || is_no;
    assert_int_equal(report->answer, is_yes  ? OPAC_ANSWER_YES
                                     : is_no ? OPAC_ANSWER_NO
                                             : OPAC_ANSWER_UNDECIDED);
    assert_int_equal(report->end, is_decided ? OPAC_END_DONE : OPAC_END_STEPS);
    assert_int_equal(report->holds, is_decided);
    if (!is_decided)
        check_words(opac_learning_statement(learning),
                    "is undecided: the limit on steps ended the run");
    seen[report->answer]++;
    opac_learning_free(learning);
}

static void test_every_limit(void **unused)
{
    unsigned seen[OPAC_ANSWER_UNDECIDED + 1] = {0};
    (void)unused;
    for (uint64_t limit = 2; limit < 1500; limit += 1 + limit / 20) {
        opac_learn_options options = asking(0.2, limit % 2 == 0 ? 0.6 : 0.8);
        options.max_steps = limit;
        check_limit(&options, seen);
        options = asking_with_horizon(limit % 2 == 0 ? 0.5 : 0.85);
        options.max_steps = limit;
        check_limit(&options, seen);
    }
    assert_true(seen[OPAC_ANSWER_YES] > 5);
    assert_true(seen[OPAC_ANSWER_NO] > 5);
    assert_true(seen[OPAC_ANSWER_UNDECIDED] > 5);
}

/* ---- boundary values ---- */

static void test_certain_values(void **unused)
{
    opac_learn_options options = asking(1, 1);
    (void)unused;
    check_answer(sure, "F a", &options, OPAC_ANSWER_YES, "at least 1, which is at least the");
    options.at_least = 1e-300;
    check_answer(sure, "F a", &options, OPAC_ANSWER_YES, "the required 1e-300");
    check_answer(sure, "false", &options, OPAC_ANSWER_NO, "1e-300 or more: at most 0");
    check_answer(coins, "F a", &options, OPAC_ANSWER_YES, "the required 1e-300");
}

/* Decides with the bounds of a question of which the nearest double and the text are given. */
static opac_learn_answer_kind decide(const char *text, double lower, double upper)
{
    opac_learning learning = {.threads = 1};
    opac_error error = {0};
    assert_ok(opac_number_parse(text, &learning.options.at_least, &error), &error);
    assert_ok(opac_number_parse_up(text, &learning.options.at_least_up, &error), &error);
    assert_ok(sample_at_least_check(&learning.options, false, &error), &error);
    sample_at_least_report(&learning, lower, upper, false);
    assert_int_equal(sample_at_least_is_decided(&learning, lower, upper),
                     learning.report.answer != OPAC_ANSWER_UNDECIDED);
    return learning.report.answer;
}

static void test_equal_bounds(void **unused)
{
    (void)unused;
    assert_int_equal(decide("0.5", 0.5, 1), OPAC_ANSWER_YES);
    assert_int_equal(decide("0.5", nextafter(0.5, 0), 1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("0.5", 0, 0.5), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("0.5", 0, nextafter(0.5, 0)), OPAC_ANSWER_NO);
    assert_int_equal(decide("0.5", 0.5, 0.5), OPAC_ANSWER_YES);
    assert_int_equal(decide("1", 1, 1), OPAC_ANSWER_YES);
    assert_int_equal(decide("1", nextafter(1, 0), 1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("1", 0, nextafter(1, 0)), OPAC_ANSWER_NO);
}

/* The doubles next to 1/3 and 0.6 are below them, that next to 0.1 is above it. */
static void test_numbers_that_are_no_doubles(void **unused)
{
    double third = 1.0 / 3;
    (void)unused;
    assert_int_equal(decide("1/3", third, 1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("1/3", nextafter(third, 1), 1), OPAC_ANSWER_YES);
    assert_int_equal(decide("1/3", 0, nextafter(third, 1)), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("1/3", 0, third), OPAC_ANSWER_NO);
    assert_int_equal(decide("0.6", 0.6, 1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("0.6", 0, 0.6), OPAC_ANSWER_NO);
    assert_int_equal(decide("0.1", 0.1, 1), OPAC_ANSWER_YES);
    assert_int_equal(decide("0.1", nextafter(0.1, 0), 1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("0.1", 0, 0.1), OPAC_ANSWER_UNDECIDED);
    assert_int_equal(decide("0.1", 0, nextafter(0.1, 0)), OPAC_ANSWER_NO);
}

/* ---- runs without an answer ---- */

/* A nondeterministic automaton that must guess, which a policy of the product cannot do. */
static const char guess[] = "HOA: v1\nStates: 3\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n"
                            "--BODY--\nState: 0\n[t] 1\n[t] 2\nState: 1\n[0] 1 {0}\n"
                            "State: 2\n[!0] 2 {0}\n--END--\n";

static opac_learning *run_guess(double at_least)
{
    opac_environment *environment = table_environment(coins, 0, false);
    opac_learn_options options = asking(0.2, at_least);
    opac_objective objective = {0};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_learning *learning;
    opac_error error = {0};
    assert_ok(opac_hoa_reader_new(guess, sizeof guess - 1, NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    objective.automaton = automaton;
    assert_ok(opac_learn(environment, &objective, &options, &learning, &error), &error);
    opac_automaton_free(automaton);
    opac_environment_free(environment);
    return learning;
}

/* Every run is accepted, but in the product only 0.7 of them: the upper bound proves nothing. */
static void test_guess_is_no_answer(void **unused)
{
    (void)unused;
    opac_learning *learning = run_guess(0.9);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_true(report->is_guess);
    assert_int_equal(report->end, OPAC_END_DONE);
    assert_true(report->upper < 0.9);
    assert_int_equal(report->answer, OPAC_ANSWER_UNDECIDED);
    assert_false(report->holds);
    check_words(opac_learning_statement(learning),
                "is undecided: the upper bound is below it, but is valid for all "
                "policies only if the automaton is good for MDPs");
    opac_learning_free(learning);
    learning = run_guess(0.5);
    assert_int_equal(opac_learning_report(learning)->answer, OPAC_ANSWER_YES);
    opac_learning_free(learning);
}

static void test_refuted_is_no_answer(void **unused)
{
    static const table_state rare[] = {
        {.actions = 1, .action = {{.p = {0.5, 0.45, 0.05}, .to = {1, 2, 3}}}},
        {.letter = 1, .actions = 0},
        {.actions = 0},
        {.actions = 0}};
    opac_learn_options options = asking(0.45, 0.5);
    (void)unused;
    opac_learning *learning = run(rare, "F a", &options);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_int_equal(report->end, OPAC_END_REFUTED);
    assert_int_equal(report->answer, OPAC_ANSWER_UNDECIDED);
    assert_false(report->holds);
    check_words(opac_learning_statement(learning), "no guarantee: ");
    opac_learning_free(learning);
}

/* ---- refused ---- */

static void check_refused(const opac_learn_options *options, opac_direction direction,
                          const char *parameter, const char *words)
{
    opac_environment *environment = table_environment(coins, 0, false);
    opac_formula *formula = learning_formula("F a");
    const opac_objective objective = {.formula = formula, .direction = direction};
    opac_learning *learning;
    opac_error error = {0};
    opac_status status = opac_learn(environment, &objective, options, &learning, &error);
    assert_status(status, OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.parameter, parameter);
    check_words(error.message, words);
    opac_formula_free(formula);
    opac_environment_free(environment);
}

static void test_refused_questions(void **unused)
{
    const double outside[] = {-0.5, 1.5, NAN, INFINITY};
    opac_learn_options options = asking(0.2, 0.5);
    (void)unused;
    check_refused(&options, OPAC_DIRECTION_MIN, "at_least", "the objective asks for a least");
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        options.at_least = outside[i];
        check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "must lie in (0, 1]");
    }
    options = asking(0.2, 1);
    options.at_least_up = nextafter(1, 2);
    check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "must lie in (0, 1]");
    options.at_least_up = 0.99;
    check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "at_least rounded up");
    options = asking(0.2, 0);
    options.epsilon = 0.1;
    options.at_least_up = 0.5;
    check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "at_least rounded up");
}

static void test_other_learners(void **unused)
{
    opac_learn_options options = asking_with_horizon(0.5);
    (void)unused;
    options.k_rule = OPAC_K_L1;
    check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "at_least needs a bracket");
    options.k_rule = OPAC_K_NONE;
    options.horizon = 0;
    check_refused(&options, OPAC_DIRECTION_MAX, "at_least", "needs a T that is given");
}

/* Only a question without T needs no epsilon. */
static void test_epsilon(void **unused)
{
    opac_learn_options options = asking_with_horizon(0.5);
    (void)unused;
    options.epsilon = 0;
    check_refused(&options, OPAC_DIRECTION_MAX, "epsilon", "epsilon must lie in (0, 1)");
    options = asking(0.2, 0);
    check_refused(&options, OPAC_DIRECTION_MAX, "epsilon", "epsilon must lie in (0, 1)");
    options.at_least = 0.5;
    options.epsilon = -1;
    check_refused(&options, OPAC_DIRECTION_MAX, "epsilon", "epsilon must lie in (0, 1)");
}

/* ---- checkpoints ---- */

static void expect_other(opac_learn_options options, const char *words)
{
    opac_environment *environment = table_environment(coins, 0, false);
    opac_formula *formula = learning_formula("F a");
    const opac_objective objective = {.formula = formula};
    opac_learning *learning;
    opac_error error = {0};
    assert_status(opac_learn(environment, &objective, &options, &learning, &error),
                  OPAC_ERROR_ARGUMENT);
    check_words(error.message, words);
    opac_formula_free(formula);
    opac_environment_free(environment);
}

/* A run that was stopped and resumed is the same; the question of a checkpoint cannot be changed. */
static void check_resumed(opac_learn_options options, uint64_t stop)
{
    char folder[2048], path[2100];
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    opac_learning *whole = run(coins, "F a", &options);
    const opac_learn_report *r = opac_learning_report(whole);
    options.checkpoint = path;
    options.max_steps = stop;
    opac_learning *part = run(coins, "F a", &options);
    assert_int_equal(opac_learning_report(part)->answer, OPAC_ANSWER_UNDECIDED);
    assert_true(stop < r->steps);
    opac_learning_free(part);
    options.max_steps = 0;
    options.resume = true;
    double asked = options.at_least;
    options.at_least = 0.25;
    expect_other(options, "is of another run: at-least is 0.75 there, and 0.25 here");
    options.at_least = 0;
    options.epsilon = 0.05;
    expect_other(options, "is of another run: ");
    options.at_least = asked;
    options.epsilon = whole->options.epsilon;
    options.at_least_up = nextafter(asked, 1);
    expect_other(options, "at-least rounded up is 0.75 there");
    options.at_least_up = 0;
    opac_learning *again = run(coins, "F a", &options);
    const opac_learn_report *s = opac_learning_report(again);
    assert_true(s->resumed);
    assert_int_equal(s->answer, r->answer);
    assert_true(s->lower == r->lower);
    assert_true(s->upper == r->upper);
    assert_int_equal(learning_hash(again), learning_hash(whole));
    assert_string_equal(opac_learning_statement(again), opac_learning_statement(whole));
    opac_learning_free(whole);
    opac_learning_free(again);
    unlink(path);
    rmdir(folder);
}

static void test_resumed_questions(void **unused)
{
    opac_learn_options options = asking(0.2, 0.75);
    (void)unused;
    check_resumed(options, 60);
    options = asking_with_horizon(0.75);
    options.target = 0.11;
    check_resumed(options, 400);
}

/* ---- before a run ---- */

static void test_costs(void **unused)
{
    opac_learn_options options = asking(0.2, 0.5);
    opac_learn_costs costs;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_learn_find_costs(&options, &costs, &error), &error);
    assert_true(costs.support_first > 0);
    assert_int_equal(costs.interval, 0);
    assert_int_equal(costs.start, 0);
    options.at_least = 0;
    assert_status(opac_learn_find_costs(&options, &costs, &error), OPAC_ERROR_ARGUMENT);
}

SUITE(at_least)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yes_and_no),
        cmocka_unit_test(test_question_and_width),
        cmocka_unit_test(test_nothing_asked),
        cmocka_unit_test(test_every_limit),
        cmocka_unit_test(test_certain_values),
        cmocka_unit_test(test_equal_bounds),
        cmocka_unit_test(test_numbers_that_are_no_doubles),
        cmocka_unit_test(test_guess_is_no_answer),
        cmocka_unit_test(test_refuted_is_no_answer),
        cmocka_unit_test(test_refused_questions),
        cmocka_unit_test(test_other_learners),
        cmocka_unit_test(test_epsilon),
        cmocka_unit_test(test_resumed_questions),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
