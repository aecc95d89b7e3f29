/* SPDX-License-Identifier: MIT */
/*
 * Environments that fail, or whose waiting is cancelled, at any of their calls: the checkpoint has all
 * earlier episodes, and a run that is resumed from it ends as one without a failure.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <omegapac/estimation.h>
#include <omegapac/learning.h>

#include "support/check.h"

static const char *const checkpoint = "test_failure.ckpt";

/* A walk between 3, the goal, and -2, the trap; action 1 goes up with 3/4, action 0 with 1/2. */
typedef struct walk {
    uint64_t random;
    int place;
    uint64_t calls, last; /* the call with this number fails; 0: none does */
    opac_status failure;
    opac_cancel *cancel; /* requested then; may be NULL */
    bool is_chain;
    char key[8];
} walk;

static uint64_t draw(walk *w)
{
    w->random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t word = w->random;
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

static opac_status see(walk *w, opac_observation *seen, opac_error *error)
{
    bool is_end = w->place == 3 || w->place == -2;
    if (++w->calls == w->last) {
        if (w->cancel != NULL)
            opac_cancel_request(w->cancel);
        snprintf(error->message, sizeof error->message, "no more");
        return w->failure;
    }
    *seen = (opac_observation){.key = w->key,
                               .length = (size_t)snprintf(w->key, sizeof w->key, "%d", w->place),
                               .letter = w->place == 3,
                               .actions = is_end        ? 0
                                          : w->is_chain ? 1
                                                        : 2};
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    walk *w = context;
    w->random = seed;
    w->place = 0;
    return see(w, seen, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    walk *w = context;
    w->place += draw(w) % 4 < (action == 1 ? 3 : 2) ? 1 : -1;
    return see(w, seen, error);
}

static opac_environment *make_environment(walk *w)
{
    static const char *const names[] = {"goal"};
    const opac_environment_callbacks callbacks = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_environment *environment;
    opac_error error;
    assert_ok(opac_environment_new(&callbacks, w, &environment, &error), &error);
    return environment;
}

static opac_learn_options make_options(bool is_bracket)
{
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = options.delta = 0.2;
    options.pmin = is_bracket ? 0.25 : 0;
    options.horizon = 30;
    options.k = 10;
    return options;
}

/* A hash of the numbers of a run. */
typedef struct outcome {
    opac_learn_end end;
    double value, lower, upper;
    uint64_t episodes, steps, samples, policies;
} outcome;

static opac_status learn(walk *w, const opac_learn_options *options, outcome *found,
                         opac_error *error)
{
    opac_environment *environment = make_environment(w);
    opac_formula *formula;
    opac_learning *learning;
    assert_ok(opac_formula_parse("F goal", NULL, &formula, error), error);
    const opac_objective objective = {.formula = formula};
    opac_status status = opac_learn(environment, &objective, options, &learning, error);
    if (status == OPAC_OK) {
        const opac_learn_report *r = opac_learning_report(learning);
        *found = (outcome){r->end,      r->value, r->lower,   r->upper,
                           r->episodes, r->steps, r->samples, r->policies};
        opac_learning_free(learning);
    }
    opac_formula_free(formula);
    opac_environment_free(environment);
    return status;
}

static bool is_same_number(double one, double other)
{
    return one == other || (isnan(one) && isnan(other));
}

static void assert_same(const outcome *one, const outcome *other)
{
    assert_int_equal(one->end, other->end);
    assert_true(is_same_number(one->value, other->value));
    assert_true(is_same_number(one->lower, other->lower));
    assert_true(is_same_number(one->upper, other->upper));
    assert_int_equal(one->episodes, other->episodes);
    assert_int_equal(one->steps, other->steps);
    assert_int_equal(one->samples, other->samples);
    assert_int_equal(one->policies, other->policies);
}

/* From the checkpoint, if there is one by then. */
static void go_on(const opac_learn_options *asked, const outcome *whole, uint64_t last)
{
    opac_learn_options options = *asked;
    walk well = {0};
    outcome now;
    opac_error error = {0};
    options.cancel = NULL;
    options.resume = true;
    bool is_there = access(checkpoint, R_OK) == 0;
    assert_true(is_there == (last > 1));
    if (!is_there)
        return;
    assert_ok(learn(&well, &options, &now, &error), &error);
    assert_same(&now, whole);
    unlink(checkpoint);
}

static void test_any_call_fails(void **unused)
{
    (void)unused;
    for (int is_bracket = 0; is_bracket < 2; is_bracket++) {
        opac_learn_options options = make_options(is_bracket);
        walk well = {0};
        outcome whole, part;
        opac_error error = {0};
        assert_ok(learn(&well, &options, &whole, &error), &error);
        options.checkpoint = checkpoint;
        for (uint64_t last = 1; last <= well.calls; last += 1 + last / 16) {
            walk ill = {.last = last, .failure = OPAC_ERROR_IO};
            unlink(checkpoint);
            assert_status(learn(&ill, &options, &part, &error), OPAC_ERROR_SIMULATOR);
            assert_string_equal(error.message, "no more");
            go_on(&options, &whole, last);
        }
    }
}

/* The environment is asked to stop waiting: the result so far, and nothing lost. */
static void test_any_call_is_cancelled(void **unused)
{
    (void)unused;
    for (int is_bracket = 0; is_bracket < 2; is_bracket++) {
        opac_learn_options options = make_options(is_bracket);
        walk well = {0};
        outcome whole, part;
        opac_error error = {0};
        assert_ok(learn(&well, &options, &whole, &error), &error);
        options.checkpoint = checkpoint;
        for (uint64_t last = 2; last <= well.calls; last += 1 + last / 16) {
            opac_cancel *cancel;
            assert_ok(opac_cancel_new(&cancel, &error), &error);
            walk ill = {.last = last, .failure = OPAC_ERROR_CANCELLED, .cancel = cancel};
            unlink(checkpoint);
            options.cancel = cancel;
            assert_ok(learn(&ill, &options, &part, &error), &error);
            /* The samples so far may be enough: the bracket is computed once more at the end. */
            assert_true(part.end == OPAC_END_CANCELLED || part.end == OPAC_END_DONE);
            go_on(&options, &whole, last);
            opac_cancel_free(cancel);
        }
    }
}

static void test_an_estimate_is_cancelled(void **unused)
{
    const opac_estimate_options asked = {
        .horizon = 40, .epsilon = 0.05, .delta = 0.1, .seed = 1, .threads = 1, .untested = true};
    opac_error error = {0};
    opac_formula *formula;
    (void)unused;
    assert_ok(opac_formula_parse("F goal", NULL, &formula, &error), &error);
    const opac_objective objective = {.formula = formula};
    for (uint64_t last = 1; last < 1000; last += 333) {
        opac_cancel *cancel;
        opac_estimation found;
        opac_estimate_options options = asked;
        assert_ok(opac_cancel_new(&cancel, &error), &error);
        options.cancel = cancel;
        walk ill = {
            .last = last, .failure = OPAC_ERROR_CANCELLED, .cancel = cancel, .is_chain = true};
        opac_environment *environment = make_environment(&ill);
        assert_ok(opac_estimate(environment, &objective, &options, &found, &error), &error);
        assert_true(found.is_cancelled);
        assert_false(found.holds);
        assert_true((last == 1) == (found.trajectories == 0));
        opac_environment_free(environment);
        opac_cancel_free(cancel);
    }
    opac_formula_free(formula);
}

SUITE(failure)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_call_fails),
                                       cmocka_unit_test(test_any_call_is_cancelled),
                                       cmocka_unit_test(test_an_estimate_is_cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
