/* SPDX-License-Identifier: MIT */
/* Many runs: each is the run that opac_learn makes with its seed, for any number of threads. */
#include <math.h>

#include <omegapac/check.h>
#include <omegapac/evaluation.h>
#include <omegapac/repetition.h>

#include "support/check.h"
#include "support/faults.h"

/* One try wins with probability 1/2, the other with 1/4. */
static const char text[] =
    "mdp module m s : [0..2] init 0; [first] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);"
    "[second] s=0 -> 1/4 : (s'=1) + 3/4 : (s'=2); [] s>0 -> true; endmodule label \"won\" = s=1;";

typedef struct question {
    opac_model *model;
    opac_formula *formula;
    opac_objective objective;
} question;

static opac_status open_question(question *q, opac_error *error)
{
    *q = (question){0};
    opac_status status =
        opac_model_read_text(OPAC_FORMAT_PRISM, text, sizeof text - 1, NULL, &q->model, error);
    if (status == OPAC_OK)
        status = opac_formula_parse("G F won", NULL, &q->formula, error);
    q->objective = (opac_objective){.formula = q->formula};
    return status;
}

static void close_question(question *q)
{
    opac_formula_free(q->formula);
    opac_model_free(q->model);
}

static opac_learn_options learn_options(void)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 3;
    options.epsilon = 0.1;
    options.delta = 0.1;
    options.k = 4;
    options.seed = 7;
    return options;
}

static void compare(const opac_learning *one, const opac_learning *other)
{
    const opac_learn_report *a = opac_learning_report(one), *b = opac_learning_report(other);
    size_t count, other_count;
    const opac_trace_entry *trace = opac_learning_trace(one, &count);
    const opac_trace_entry *again = opac_learning_trace(other, &other_count);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->samples, b->samples);
    assert_true(a->value == b->value);
    assert_int_equal(count, other_count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(trace[i].step, again[i].step);
}

/* The policy tries the first or the second action, or cannot win. */
static void runs_are_those_of_their_seeds(void **state)
{
    question q;
    opac_error error;
    opac_learn_options learn = learn_options();
    unsigned seen[3] = {0};
    (void)state;
    assert_ok(open_question(&q, &error), &error);
    for (learn.threads = 1; learn.threads < 4; learn.threads++) {
        opac_repetition_options options = {.learn = &learn, .runs = 40, .trace_truth = true};
        opac_repetition *repetition;
        assert_ok(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error), &error);
        for (uint64_t i = 0; i < options.runs; i++) {
            const opac_learning *found = opac_repetition_learning(repetition, i);
            opac_learn_options one = learn_options();
            opac_environment *environment;
            opac_learning *learning;
            size_t count;
            one.seed += i;
            assert_ok(opac_environment_of_model(q.model, NULL, &environment, &error), &error);
            assert_ok(opac_learn(environment, &q.objective, &one, &learning, &error), &error);
            compare(found, learning);
            double truth = opac_repetition_truth(repetition, i);
            const opac_trace_entry *trace = opac_learning_trace(found, &count);
            assert_true(trace[count - 1].truth == truth);
            assert_true(truth == 0.5 || truth == 0.25 || truth == 0);
            seen[truth == 0.5 ? 0 : truth == 0.25 ? 1 : 2]++;
            opac_learning_free(learning);
            opac_environment_free(environment);
        }
        opac_repetition_free(repetition);
    }
    assert_true(seen[0] > seen[1]);
    assert_true(seen[1] > 0);
    close_question(&q);
}

static void the_graph_is_known(void **state)
{
    question q;
    opac_error error;
    opac_learn_options learn = opac_learn_defaults();
    opac_repetition_options options = {
        .learn = &learn, .runs = 2, .knows_graph = true, .no_truth = true};
    opac_repetition *repetition;
    (void)state;
    learn.epsilon = 0.2;
    learn.delta = 0.1;
    assert_ok(open_question(&q, &error), &error);
    assert_ok(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error), &error);
    assert_true(opac_learning_report(opac_repetition_learning(repetition, 1))->is_bracket);
    assert_true(isnan(opac_repetition_truth(repetition, 1)));
    opac_repetition_free(repetition);
    close_question(&q);
}

static void refused(void **state)
{
    question q;
    opac_error error;
    opac_learn_options learn = learn_options();
    opac_repetition_options options = {.learn = &learn, .runs = 0};
    opac_repetition *repetition;
    opac_cancel *cancel;
    (void)state;
    assert_ok(open_question(&q, &error), &error);
    assert_status(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_null(repetition);
    assert_string_equal(error.parameter, "runs");
    options.runs = 3;
    learn.seed = UINT64_MAX - 1;
    assert_status(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.parameter, "seed");
    learn = learn_options();
    learn.checkpoint = "file";
    assert_status(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error),
                  OPAC_ERROR_ARGUMENT);
    learn = learn_options();
    learn.epsilon = 2;
    assert_status(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    learn = learn_options();
    learn.cancel = cancel;
    assert_status(opac_learn_repeat(q.model, &q.objective, &options, &repetition, &error),
                  OPAC_ERROR_CANCELLED);
    assert_null(repetition);
    opac_cancel_free(cancel);
    close_question(&q);
}

static opac_status repeat(void *context, opac_error *error)
{
    question q;
    opac_learn_options learn = learn_options();
    opac_repetition_options options = {.learn = &learn, .runs = 2, .trace_truth = true};
    opac_repetition *repetition = NULL;
    (void)context;
    learn.threads = 1;
    opac_status status = open_question(&q, error);
    if (status == OPAC_OK)
        status = opac_learn_repeat(q.model, &q.objective, &options, &repetition, error);
    opac_repetition_free(repetition);
    close_question(&q);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    assert_true(faults_sweep_some(repeat, 7, NULL) > 50);
}

SUITE(repetition)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_those_of_their_seeds),
        cmocka_unit_test(the_graph_is_known),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
