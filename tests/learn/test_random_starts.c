/* SPDX-License-Identifier: MIT */
/*
 * Complete runs from random starts without a known bound: false brackets are as rare as delta states, and
 * the certificate, with the time of every discovery, has the same bytes for any number of threads and
 * lanes and wherever the run was interrupted.
 */
#include <unistd.h>

#include "exact_test.h"
#include "runs.h"
#include "support/random.h"
#include "support/temporary.h"

static table_state links[8];

/* As many states as `count`, which stay where they are; the first `won` have a. */
static void still_make(table_state *states, uint32_t count, uint32_t won)
{
    for (uint32_t s = 0; s < count; s++)
        states[s] =
            (table_state){.letter = s < won, .actions = 1, .action = {{.p = {1}, .to = {s}}}};
}

static char *certificate_of(const opac_learning *l, size_t *length)
{
    opac_error error;
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(opac_learning_write_certificate(l, NULL, out, &error), &error);
    const char *bytes = opac_output_bytes(out, length);
    char *copy = malloc(*length + 1);
    memcpy(copy, bytes, *length);
    copy[*length] = '\0';
    opac_output_free(out);
    return copy;
}

static void check_verified(const opac_learning *l)
{
    opac_verification found;
    opac_error error;
    size_t length;
    char *text = certificate_of(l, &length);
    assert_ok(opac_verify_text(text, length, NULL, &found, &error), &error);
    if (!found.holds)
        fail_msg("%s", found.reason);
    opac_verification_fini(&found);
    free(text);
}

/* ---- false brackets ---- */

/*
 * Starts that decide the result, with pmin 1: applied to the starts, pmin made a fifth of all brackets
 * false.
 */
static void check_still(uint32_t count, uint32_t won, double pmin_start)
{
    table_state states[TABLE_MOST];
    opac_learn_options options = bracket_options(1, 0.2);
    unsigned wrong = 0, runs = 200;
    double truth = (double)won / count;
    still_make(states, count, won);
    options.pmin_start = pmin_start;
    for (options.seed = 1; options.seed <= runs; options.seed++) {
        opac_environment *env = table_environment(states, count, false);
        opac_learning *l = learning_of(env, "F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        assert_true(r->end == OPAC_END_DONE || r->end == OPAC_END_REFUTED);
        wrong += !(r->lower <= truth && r->upper >= truth);
        if (r->end == OPAC_END_DONE)
            check_verified(l);
        opac_learning_free(l);
        opac_environment_free(env);
    }
    print_message("%u starts, %u won, bound %g: %u of %u runs are wrong\n", (unsigned)count,
                  (unsigned)won, pmin_start, wrong, runs);
    assert_true(exact_is_kept(wrong, runs, options.delta)); /* EXACT_FALSE_ALARM */
}

static void test_two_starts(void **unused)
{
    (void)unused;
    check_still(2, 1, 0);
    check_still(2, 2, 0);
    check_still(2, 1, 0.5);
    check_still(16, 15, 0);
    check_still(5, 3, 0.2);
}

/* A bound that is too large is refuted, or leaves what it says; p_min is no bound on starts. */
static void test_false_bound(void **unused)
{
    table_state states[TABLE_MOST];
    opac_learn_options options = bracket_options(1, 0.05);
    (void)unused;
    still_make(states, 8, 4);
    options.pmin_start = 0.25;
    opac_environment *env = table_environment(states, 8, false);
    opac_learning *l = learning_of(env, "F a", &options);
    assert_int_equal(opac_learning_report(l)->end, OPAC_END_REFUTED);
    assert_int_equal(opac_learning_report(l)->refutation, OPAC_REFUTED_WIDTH);
    assert_non_null(strstr(opac_learning_statement(l), "the reset led to"));
    assert_non_null(strstr(opac_learning_statement(l), "0.25"));
    opac_learning_free(l);
    opac_environment_free(env);
}

static void test_assumptions(void **unused)
{
    table_state states[TABLE_MOST];
    opac_learn_options options = bracket_options(1, 0.2);
    (void)unused;
    still_make(states, 2, 1);
    for (int i = 0; i < 2; i++) {
        options.pmin_start = i == 0 ? 0 : 0.5;
        opac_environment *env = table_environment(states, 2, false);
        opac_learning *l = learning_of(env, "F a", &options);
        assert_string_equal(opac_learning_assumption(l, 0),
                            "every positive transition probability is at least 1");
        assert_string_equal(opac_learning_assumption(l, 1),
                            i == 0 ? "start states are drawn independently of each other; no bound "
                                     "on their probabilities is assumed"
                                   : "every start state has a probability of at least 0.5");
        opac_learning_free(l);
        opac_environment_free(env);
    }
}

static void test_options(void **unused)
{
    opac_error error;
    opac_learning *l;
    opac_formula *formula = learning_formula("F a");
    const opac_objective objective = {.formula = formula};
    table_state states[TABLE_MOST];
    opac_learn_options options = bracket_options(1, 0.2);
    (void)unused;
    still_make(states, 2, 1);
    opac_environment *env = table_environment(states, 2, false);
    static const double bad[] = {-1, 1.5, NAN};
    for (int i = 0; i < 3; i++) {
        options.pmin_start = bad[i];
        assert_status(opac_learn(env, &objective, &options, &l, &error), OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "pmin_start"));
    }
    options = learning_options(4, 10);
    options.pmin_start = 0.5;
    assert_status(opac_learn(env, &objective, &options, &l, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "pmin_start"));
    opac_formula_free(formula);
    opac_environment_free(env);
}

/* ---- the same bytes ---- */

static opac_environment *model_environment(const opac_model *model)
{
    opac_environment *env;
    opac_error error;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    return env;
}

/* The chain from any of its states, as a model. */
static opac_model *chain_model(void)
{
    static const char text[] = "mdp module m\n s : [0..7];\n"
                               "[on] s<5 -> (s'=s+1); [on] s=5 -> (s'=7);\n"
                               "[try] s<6 -> pow(0.5,s+1):(s'=6)+1-pow(0.5,s+1):(s'=7);\n"
                               "[stay] s>5 -> true;\nendmodule\n"
                               "init s<6 endinit label \"a\" = s=6;\n";
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    return model;
}

/* The environment is taken over. */
static void compare(opac_environment *env, const opac_learn_options *options, char **expected)
{
    size_t length;
    opac_learning *l = learning_of(env, "F a", options);
    char *text = certificate_of(l, &length);
    check_verified(l);
    if (*expected == NULL)
        *expected = text;
    else {
        assert_string_equal(text, *expected);
        free(text);
    }
    opac_learning_free(l);
    opac_environment_free(env);
}

static opac_learn_options long_options(uint64_t seed)
{
    opac_learn_options options = bracket_options(1.0 / 64, 0.02);
    options.seed = seed;
    options.max_steps = 6000;
    options.branching = 9;
    return options;
}

static void test_threads_and_lanes(void **unused)
{
    (void)unused;
    chain_make(links);
    for (uint64_t seed = 1; seed < 4; seed++) {
        opac_learn_options options = long_options(seed);
        char *expected = NULL;
        for (options.threads = 1; options.threads <= 4; options.threads += 3) {
            compare(table_environment(links, 6, false), &options, &expected);
            compare(lanes_environment(links, 6), &options, &expected);
        }
        free(expected);
    }
}

static void test_threads_of_models(void **unused)
{
    opac_model *model = chain_model();
    (void)unused;
    for (int generative = 0; generative < 2; generative++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            opac_learn_options options = long_options(seed);
            char *expected = NULL;
            options.explore = generative ? OPAC_EXPLORE_GENERATIVE : OPAC_EXPLORE_EPISODES;
            for (options.threads = 1; options.threads <= 4; options.threads += 3)
                compare(model_environment(model), &options, &expected);
            free(expected);
        }
    opac_model_free(model);
}

/* ---- interrupted ---- */

/* To the end, from what `file` has. Stopped after so many steps, and so many more. */
static void run_in_parts(opac_environment *(*open)(const opac_model *), const opac_model *model,
                         opac_learn_options options, const char *file, uint64_t part,
                         char **expected)
{
    uint64_t most = options.max_steps;
    options.checkpoint = file;
    for (uint64_t steps = part; steps < most; steps += part) {
        opac_environment *env = open(model);
        options.max_steps = steps;
        options.resume = steps > part;
        opac_learning_free(learning_of(env, "F a", &options));
        opac_environment_free(env);
    }
    options.max_steps = most;
    options.resume = true;
    compare(open(model), &options, expected);
    unlink(file);
}

static opac_environment *open_links(const opac_model *model)
{
    (void)model;
    return table_environment(links, 6, false);
}

static void test_resumed(void **unused)
{
    char folder[200], file[220];
    opac_model *model = chain_model();
    (void)unused;
    chain_make(links);
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(file, sizeof file, "%s/checkpoint", folder);
    for (int kind = 0; kind < 3; kind++) {
        opac_environment *(*open)(const opac_model *) = kind == 0 ? open_links : model_environment;
        opac_learn_options options = long_options(7 + (uint64_t)kind);
        char *expected = NULL;
        options.explore = kind == 2 ? OPAC_EXPLORE_GENERATIVE : OPAC_EXPLORE_EPISODES;
        compare(open(model), &options, &expected);
        run_in_parts(open, model, options, file, random_rounds(337, 37), &expected);
        run_in_parts(open, model, options, file, 1009, &expected);
        free(expected);
    }
    rmdir(folder);
    opac_model_free(model);
}

SUITE(random_starts)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_starts),
                                       cmocka_unit_test(test_false_bound),
                                       cmocka_unit_test(test_assumptions),
                                       cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_threads_and_lanes),
                                       cmocka_unit_test(test_threads_of_models),
                                       cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
