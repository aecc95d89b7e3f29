/* SPDX-License-Identifier: MIT */
/*
 * p_min as a function of state and action: a constant function is the constant; other values decide for
 * their own row only, whatever the order of rows; false ones are refuted; checkpoints keep them; values
 * and failures of the function are checked. bracket_coverage.h counts how often brackets are wrong.
 */
#include <unistd.h>

#include "bracket/support_form.h"
#include "learn/known.h"
#include "runs.h"
#include "support/temporary.h"

/* ---- functions ---- */

typedef struct given {
    double pmin[TABLE_MOST][4]; /* by state and action */
    unsigned calls;
    opac_status failure; /* instead of an answer */
} given;

static opac_status answer(void *context, const void *key, size_t length, uint32_t action,
                          double *pmin, opac_error *error)
{
    given *g = context;
    uint32_t state = *(const uint32_t *)key;
    (void)error;
    assert_int_equal(length, sizeof state);
    assert_true(*pmin == 0);
    assert_true(action < 4);
    g->calls++;
    *pmin = g->pmin[state][action];
    return g->failure;
}

static given all_of(double pmin)
{
    given g = {0};
    for (uint32_t s = 0; s < TABLE_MOST; s++)
        for (uint32_t a = 0; a < 4; a++)
            g.pmin[s][a] = pmin;
    return g;
}

/* The least probability of each action of a table. */
static given true_of(const table_state *states, uint32_t count)
{
    given g = all_of(1);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t a = 0; a < states[s].actions; a++)
            for (uint32_t i = 0; i < 4; i++)
                if (states[s].action[a].p[i] > 0)
                    g.pmin[s][a] = fmin(g.pmin[s][a], states[s].action[a].p[i]);
    return g;
}

static opac_learn_options with_function(given *g, double epsilon)
{
    opac_learn_options options = bracket_options(0, epsilon);
    options.pmin_of = answer;
    options.pmin_context = g;
    return options;
}

static table_state grid[TABLE_MOST];

static opac_environment *gridworld(uint32_t starts)
{
    gridworld_make(grid);
    return table_environment(grid, starts, false);
}

static char *certificate_of(const opac_learning *l)
{
    opac_error error = {0};
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(opac_learning_write_certificate(l, NULL, out, &error), &error);
    char *copy = strdup(opac_output_bytes(out, &length));
    opac_output_free(out);
    return copy;
}

/* Removes all occurrences of words from a text. */
static void leave_out(char *text, const char *words)
{
    for (char *at; (at = strstr(text, words)) != NULL;)
        memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
}

/* ---- a constant ---- */

static void check_same(opac_learning *l, opac_learning *m)
{
    size_t count, other;
    const opac_trace_entry *one = opac_learning_trace(l, &count);
    const opac_trace_entry *two = opac_learning_trace(m, &other);
    const opac_learn_report *r = opac_learning_report(l), *s = opac_learning_report(m);
    assert_true(r->holds);
    assert_true(learning_hash(l) == learning_hash(m));
    assert_true(r->lower == s->lower);
    assert_true(r->upper == s->upper);
    assert_true(r->value == s->value);
    assert_int_equal(count, other);
    assert_memory_equal(one, two, count * sizeof *one - sizeof one->truth); /* of NANs */
    assert_string_equal(opac_learning_statement(l), opac_learning_statement(m));
    assert_true(r->pmin_least == 0);
    assert_true(s->pmin_least == 0.2);
    assert_string_equal(opac_learning_assumption(m, 0),
                        "p_min is given by a function of state and action, at least 0.2 over the "
                        "pairs seen: every positive probability of a transition is at least that "
                        "of its pair");
    assert_string_equal(opac_learning_assumption(l, 1), opac_learning_assumption(m, 1));
}

static void check_same_certificates(const opac_learning *l, const opac_learning *m)
{
    char *one = certificate_of(l), *two = certificate_of(m);
    leave_out(one, "\"pmin\": 0.2, ");
    leave_out(two, "\"pmin\": \"rows\", ");
    leave_out(two, ", \"pmin\": 0.2");
    *strstr(one, "\"digest\": \"sha") = *strstr(two, "\"digest\": \"sha") = '\0';
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void test_a_constant_function_is_the_constant(void **state)
{
    (void)state;
    for (uint32_t starts = 0; starts <= 3; starts += 3)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            given g = all_of(0.2);
            opac_environment *env = gridworld(starts);
            opac_learn_options constant = bracket_options(0.2, 0.1), function;
            constant.threads = threads;
            function = with_function(&g, 0.1);
            function.threads = threads;
            opac_learning *l = learning_of(env, "G F a & G F b", &constant);
            opac_learning *m = learning_of(env, "G F a & G F b", &function);
            check_same(l, m);
            check_same_certificates(l, m);
            assert_true(g.calls >= opac_learning_report(m)->pairs_seen);
            opac_learning_free(l);
            opac_learning_free(m);
            opac_environment_free(env);
        }
}

/* pmin is the value where the function has none. */
static void test_zero_is_pmin(void **state)
{
    (void)state;
    given none = {0}, some = all_of(0);
    opac_environment *env = gridworld(0);
    opac_learn_options constant = bracket_options(0.2, 0.1), function = with_function(&none, 0.1);
    function.pmin = 0.2;
    opac_learning *l = learning_of(env, "G F a & G F b", &constant);
    opac_learning *m = learning_of(env, "G F a & G F b", &function);
    check_same(l, m);
    opac_learning_free(m);
    some.pmin[0][2] = 0.1;
    function.pmin_context = &some;
    m = learning_of(env, "G F a & G F b", &function);
    assert_true(opac_learning_report(m)->pmin_least == 0.1);
    opac_learning_free(m);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- n_i ---- */

/* Rows in two parts, with bounds up and down: each n_i is that of the row's own p_min. */
static void check_visits(opac_environment *env, opac_automaton *a, const given *g,
                         double pmin_start)
{
    opac_error error = {0};
    const sample_statistics_options counts = {.k = UINT64_C(1) << 62};
    sample_statistics stats;
    bracket_support *support;
    const bracket_support_options options = {.pmin_of = answer,
                                             .pmin_context = (void *)g,
                                             .pmin_start = pmin_start,
                                             .delta = 0.1,
                                             .rows = 50};
    assert_ok(sample_statistics_init(&stats, env, a, &counts, &error), &error);
    assert_ok(bracket_support_new(&stats, &options, &support, &error), &error);
    for (uint32_t s = 0; s < 12; s++) {
        uint32_t number;
        opac_observation seen = {.key = &s, .length = sizeof s, .actions = 4};
        assert_ok(sample_statistics_add_state(&stats, &seen, &number, &error), &error);
        if (s % 5 == 4)
            assert_ok(bracket_support_grow(support, &error), &error);
    }
    assert_ok(bracket_support_grow(support, &error), &error);
    assert_int_equal(support->rows.count, stats.rows.count);
    for (uint32_t row = 0; row < stats.rows.count; row++) {
        const sample_row *r = &stats.rows.items[row];
        double pmin = row == stats.reset_row ? pmin_start : g->pmin[r->state][r->action];
        uint64_t n = 0;
        long double share = (1 / ((long double)(row + 1) * (long double)(row + 2)) + 1 / 50.0L) / 2;
        for (long double missed = floor((1 + 1e-9) / pmin); missed > 0.05L * 15 / 16 * share; n++)
            missed *= 1 - (long double)pmin;
        assert_true(bracket_support_pmin(support, row) == pmin);
        assert_int_equal(support->rows.items[row].visits, n);
    }
    bracket_support_free(support);
    sample_statistics_fini(&stats);
}

static void test_visits_are_those_of_the_row(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    opac_automaton *a = toy_recurrence();
    for (int i = 0; i < 20; i++) {
        static const double values[] = {0.05, 0.2, 0.5, 0.3, 1};
        given g;
        for (uint32_t s = 0; s < TABLE_MOST; s++)
            for (uint32_t k = 0; k < 4; k++)
                g.pmin[s][k] = values[random_below(&random, i % 2 == 0 ? 2 : 5)];
        opac_environment *env = gridworld(i % 3 == 0 ? 3 : 0);
        check_visits(env, a, &g, i % 3 == 0 ? 0.2 : 0);
        opac_environment_free(env);
    }
    opac_automaton_free(a);
}

/* ---- rows of their own ---- */

/* A rare loss, and a fair coin behind it: its unknown bias brings all episodes here. */
static const table_state rare[] = {
    {.actions = 2, .action = {{.p = {0.98, 0.02}, .to = {1, 3}}, {.p = {1}, .to = {3}}}},
    {.actions = 2, .action = {{.p = {0.5, 0.5}, .to = {2, 3}}, {.p = {1}, .to = {3}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {2}}}},
    {.actions = 1, .action = {{.p = {1}, .to = {3}}}}};

static void test_true_bounds_by_row_cost_less(void **state)
{
    (void)state;
    given g = true_of(rare, 4);
    opac_environment *env = table_environment(rare, 0, false);
    opac_learn_options constant = bracket_options(0.02, 0.05), function = with_function(&g, 0.05);
    opac_learning *l = learning_of(env, "G F a", &constant);
    opac_learning *m = learning_of(env, "G F a", &function);
    const opac_learn_report *r = opac_learning_report(l), *s = opac_learning_report(m);
    assert_true(r->holds);
    assert_true(s->holds);
    assert_true(s->lower <= r->upper);
    assert_true(r->lower <= s->upper);
    assert_true(2 * s->steps < r->steps);
    assert_true(s->pmin_least == 0.02);
    opac_learning_free(l);
    opac_learning_free(m);
    opac_environment_free(env);
}

/* ---- false ones ---- */

static void check_refutation(opac_environment *env, given *g, const char *words, const char *number)
{
    unsigned refuted = 0;
    opac_learn_options options = with_function(g, 0.001);
    options.max_steps = 20000;
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        opac_learning *l = learning_of(env, "G F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        if (r->end == OPAC_END_REFUTED) {
            assert_false(r->holds);
            const char *statement = opac_learning_statement(l);
            if (strstr(statement, words) == NULL || strstr(statement, number) == NULL)
                fail_msg("%s", statement);
            refuted++;
        }
        opac_learning_free(l);
    }
    assert_int_equal(refuted, 5);
}

static void test_false_functions_are_refuted(void **state)
{
    (void)state;
    opac_environment *env = table_environment(rare, 0, false);
    given g = true_of(rare, 4);
    g.pmin[1][0] = 0.4; /* with 0.5 the coin would be known, and the run end early */
    g.pmin[0][0] = 0.3; /* 0.02 is seen late, or is too rare */
    check_refutation(env, &g, "action 0 of state '\\x00", "at least 0.3");
    g.pmin[0][0] = 0.7; /* two successors are one too many; maybe in the trial, with other rows */
    check_refutation(env, &g, "different states", "at least 0.7");
    opac_environment_free(env);
}

/* ---- checkpoints ---- */

static void check_refused(opac_environment *env, const opac_learn_options *options,
                          opac_status status, const char *words)
{
    opac_formula *f = learning_formula("G F a & G F b");
    const opac_objective objective = {.formula = f};
    opac_learning *l;
    opac_error error = {0};
    assert_status(opac_learn(env, &objective, options, &l, &error), status);
    assert_null(l);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    opac_formula_free(f);
}

static void stop_at(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    (void)entry;
    if (learning != NULL)
        opac_cancel_request(context);
}

/* Stopped at each bracket and resumed, and then with other functions. */
static void test_resumed_runs(void **state)
{
    (void)state;
    char folder[2048], path[2100];
    opac_error error = {0};
    opac_environment *env = gridworld(0);
    given g = true_of(grid, 6);
    opac_learn_options options = with_function(&g, 0.1);
    opac_learning *whole = learning_of(env, "G F a & G F b", &options), *l = NULL;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    options.checkpoint = path;
    options.trace = stop_at;
    unsigned times = 0;
    do {
        opac_cancel *cancel;
        assert_ok(opac_cancel_new(&cancel, &error), &error);
        options.cancel = options.trace_context = cancel;
        opac_learning_free(l);
        l = learning_of(env, "G F a & G F b", &options);
        options.resume = true;
        opac_cancel_free(cancel);
        assert_true(++times < 1000);
    } while (opac_learning_report(l)->end == OPAC_END_CANCELLED);
    assert_true(times > 5);
    assert_true(learning_hash(l) == learning_hash(whole));
    assert_true(opac_learning_report(l)->lower == opac_learning_report(whole)->lower);
    options.trace = NULL;
    options.cancel = NULL;
    double kept = g.pmin[3][1];
    g.pmin[3][1] = 0.125;
    check_refused(env, &options, OPAC_ERROR_ARGUMENT,
                  "the run cannot be resumed: the function for pmin gave");
    check_refused(env, &options, OPAC_ERROR_ARGUMENT, "for action 1 of state");
    check_refused(env, &options, OPAC_ERROR_ARGUMENT, "and gives 0.125 now");
    g.pmin[3][1] = kept;
    options.pmin_of = NULL;
    options.pmin = 0.2;
    check_refused(env, &options, OPAC_ERROR_ARGUMENT, "pmin is 0 there, and 0.2 here");
    options.pmin_of = answer;
    options.pmin = 0;
    opac_learning *again = learning_of(env, "G F a & G F b", &options);
    assert_true(learning_hash(again) == learning_hash(whole));
    opac_learning_free(again);
    opac_learning_free(l);
    opac_learning_free(whole);
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
}

/* ---- what is refused ---- */

static void test_values_are_checked(void **state)
{
    static const double wrong[] = {-0.5, 1.5, (double)NAN, (double)INFINITY};
    (void)state;
    opac_environment *env = gridworld(0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        given g = all_of(0.2);
        g.pmin[0][3] = wrong[i];
        opac_learn_options options = with_function(&g, 0.1);
        check_refused(env, &options, OPAC_ERROR_ARGUMENT, "for action 3 of state");
        check_refused(env, &options, OPAC_ERROR_ARGUMENT, "it must lie in (0, 1]");
    }
    given g = all_of(0.2);
    g.pmin[0][1] = 0;
    opac_learn_options options = with_function(&g, 0.1);
    check_refused(env, &options, OPAC_ERROR_ARGUMENT,
                  "pmin is not given, so it must lie in (0, 1]");
    g.failure = OPAC_ERROR_LIMIT;
    check_refused(env, &options, OPAC_ERROR_SIMULATOR,
                  "the function for pmin failed without a message");
    g.failure = OPAC_ERROR_CANCELLED;
    check_refused(env, &options, OPAC_ERROR_CANCELLED, "without a message");
    g = all_of(0.2);
    options.nothing_known = true;
    check_refused(env, &options, OPAC_ERROR_ARGUMENT, "cannot be used with nothing_known");
    opac_environment_free(env);
}

/* Without a number, nothing is known before the run. */
static void test_costs(void **state)
{
    (void)state;
    given g = all_of(0.2);
    opac_learn_options options = with_function(&g, 0.1);
    opac_learn_costs costs, others;
    opac_error error = {0};
    assert_status(opac_learn_find_costs(&options, &costs, &error), OPAC_ERROR_ARGUMENT);
    options.pmin = 0.2;
    assert_ok(opac_learn_find_costs(&options, &costs, &error), &error);
    options.pmin_of = NULL;
    assert_ok(opac_learn_find_costs(&options, &others, &error), &error);
    assert_memory_equal(&costs, &others, sizeof costs);
    assert_int_equal(g.calls, 0);
}

SUITE(pmin_by_row)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_function_is_the_constant),
        cmocka_unit_test(test_zero_is_pmin),
        cmocka_unit_test(test_visits_are_those_of_the_row),
        cmocka_unit_test(test_true_bounds_by_row_cost_less),
        cmocka_unit_test(test_false_functions_are_refuted),
        cmocka_unit_test(test_resumed_runs),
        cmocka_unit_test(test_values_are_checked),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
