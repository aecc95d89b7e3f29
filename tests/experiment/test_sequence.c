/* SPDX-License-Identifier: MIT */
/* Theorem 2 counted: against the chain's own arithmetic, and against a second reading of the
 * trace. */
#include "experiment/sequence.h"

#include <omegapac/evaluation.h>

#include "experiment/small.h"

static opac_learn_options options_of(uint64_t horizon, double epsilon, uint64_t k, uint64_t seed)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = epsilon;
    options.delta = 0.1;
    options.k = k;
    options.k_rule = OPAC_K_PAPER;
    options.count_pairs = true;
    options.seed = seed;
    options.threads = 1;
    return options;
}

/* `go` is certain: k episodes make a pair known, and 6k of 7k are without `try` at the start. */
static void chain_by_arithmetic(void **state)
{
    (void)state;
    experiment_question question;
    opac_error error;
    assert_ok(experiment_question_open("chain", NULL, "G F won", &question, &error), &error);
    for (uint64_t seed = 1; seed < 4; seed++) {
        opac_learn_options options = options_of(8, 1.0 / 60, 0, seed);
        experiment_sequence_course course;
        assert_ok(experiment_sequence_run(&question, &options, 0.35, &course, &error), &error);
        assert_int_equal(course.k, 42528678);
        assert_int_equal(course.steps, 56 * course.k);
        assert_int_equal(course.bad_steps, 48 * course.k);
        assert_int_equal(course.policies, 10);
        assert_int_equal(course.bad_policies, 7);
        assert_true(course.ends_well && course.last == 0.5);
    }
    experiment_question_close(&question);
}

/* ---- a second reading ---- */

typedef struct diary {
    const experiment_question *question;
    uint64_t steps[256];
    double truths[256];
    size_t count;
} diary;

/* By the formula, not by the policy's own automaton. */
static void note(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    diary *d = context;
    opac_policy *policy;
    opac_evaluation *evaluation;
    opac_error error;
    assert_true(d->count < 256);
    assert_ok(opac_learning_policy(learning, d->question->model, &policy, &error), &error);
    assert_ok(opac_evaluate(policy, &d->question->objective, NULL, &evaluation, &error), &error);
    d->steps[d->count] = entry->step;
    d->truths[d->count++] = opac_evaluation_interval(evaluation, 0).value;
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
}

/* Step by step: at each, the policy is the last one that began by then. */
static uint64_t bad_steps(const diary *d, uint64_t steps, double threshold)
{
    uint64_t bad = 0;
    for (uint64_t t = 0; t < steps; t++) {
        size_t i = d->count;
        while (d->steps[i - 1] > t)
            i--;
        bad += d->truths[i - 1] < threshold;
    }
    return bad;
}

static void trace_by_brute_force(void **state)
{
    (void)state;
    static const char *const models[] = {"gridworld", "chain"};
    static const char *const formulas[] = {"(G F s) & (G F g)", "G F won"};
    opac_error error;
    uint64_t some = 0;
    for (size_t m = 0; m < 2; m++) {
        experiment_question question;
        assert_ok(experiment_question_open(models[m], NULL, formulas[m], &question, &error),
                  &error);
        for (uint64_t seed = 1; seed < 9; seed++) {
            opac_learn_options options = options_of(m == 0 ? 19 : 8, 0.05, 1 + seed / 2, seed);
            experiment_sequence_course course;
            double threshold = m == 0 ? 0.55 : 0.2;
            assert_ok(experiment_sequence_run(&question, &options, threshold, &course, &error),
                      &error);
            diary d = {.question = &question};
            experiment_trial trial;
            options.trace = note;
            options.trace_context = &d;
            assert_ok(experiment_question_try(&question, &options, false, &trial, &error), &error);
            assert_int_equal(trial.steps, course.steps);
            assert_int_equal(d.count, course.policies);
            assert_int_equal(bad_steps(&d, trial.steps, threshold), course.bad_steps);
            assert_true(course.bad_steps <= course.steps && course.bad_policies <= course.policies);
            assert_true(course.ends_well == (d.truths[d.count - 1] >= threshold));
            some += course.bad_steps;
        }
        experiment_question_close(&question);
    }
    assert_true(some > 0);
}

/* ---- the page ---- */

static opac_status small_page(experiment_lab *lab, opac_error *error)
{
    return experiment_sequence_page(lab, 2, error);
}

static const experiment_entry small_entry = {{"sequence", "small"}, small_page};

static void same_bytes_for_any_threads(void **state)
{
    (void)state;
    /* Bounds are numbers; one that cannot be proven is none. Two tables, a figure. */
    static const small_text texts[] = {{"sequence-steps.svg", "counted, each of 2 runs"},
                                       {"sequence.json", ", 9798607444360, 50320335984, "},
                                       {"sequence.json", ", null, "},
                                       {NULL, NULL}};
    opac_experiment_result *result = small_same(&small_entry, 5, texts);
    assert_string_equal(small_finding(result, "steps not 9ε-optimal, chain"),
                        "2041376544 in 2 runs; C = 9798607444360; the proven bound: 50320335984");
    opac_experiment_result_free(result);
}

static opac_status published(experiment_lab *lab, opac_error *error)
{
    static const experiment_sequence_setting settings[] = {
        {"grid", "gridworld", "(G F s) & (G F g)", 0.05, 19, 12, 4, OPAC_K_PAPER, 0},
        {"chain", "chain", "G F won", 1.0 / 60, 8, 8, 2, OPAC_K_PAPER, 0}};
    static const uint64_t expected[] = {UINT64_C(13022289685559), UINT64_C(9798607444360)};
    for (size_t i = 0; i < 2; i++) {
        experiment_sequence_course courses[3];
        experiment_sequence_bounds c;
        opac_status status = experiment_sequence_repeat(lab, &settings[i], 3, courses, &c, error);
        if (status != OPAC_OK)
            return status;
        assert_int_equal(c.published.value, expected[i]);
        assert_true(c.proven.value < expected[i] / 60); /* the numbers: stat.bad_steps */
        for (size_t j = 0; j < 3; j++)
            assert_true(courses[j].ends_well && courses[j].bad_steps < courses[j].steps &&
                        courses[j].bad_steps < expected[i] / 1000 &&
                        courses[j].bad_steps < c.proven.value);
    }
    return OPAC_OK;
}

static void bounds_as_published(void **state)
{
    (void)state;
    small_once(published, 2);
}

static opac_status run_briefly(void *context, opac_error *error)
{
    experiment_question question;
    experiment_sequence_course course;
    opac_learn_options options = options_of(8, 0.05, 1, 1);
    (void)context;
    opac_status status = experiment_question_open("chain", NULL, "G F won", &question, error);
    if (status != OPAC_OK)
        return status;
    status = experiment_sequence_run(&question, &options, 0.35, &course, error);
    experiment_question_close(&question);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    assert_true(faults_sweep_some(run_briefly, 7, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_by_arithmetic),        cmocka_unit_test(trace_by_brute_force),
        cmocka_unit_test(same_bytes_for_any_threads), cmocka_unit_test(bounds_as_published),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
