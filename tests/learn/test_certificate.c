/* SPDX-License-Identifier: MIT */
/*
 * Certificates: the same bytes for any threads and interruptions, accepted by the checker of the library,
 * without nodes that neither end of the bracket needs; and runs without a certificate. certificates.py
 * has an independent checker.
 */
#include <omegapac/verification.h>

#include "bracket/bracket.h"
#include "bracket/certificate_nodes.h"
#include "runs.h"
#include "support/faults.h"
#include "support/temporary.h"

static opac_learn_options with_pmin(double pmin, double epsilon)
{
    opac_learn_options options = learning_options(0, 0);
    options.pmin = pmin;
    options.epsilon = epsilon;
    return options;
}

/* To be released. */
static char *certificate_of(const opac_learning *learning, const opac_certificate_inputs *inputs)
{
    opac_error error = {0};
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(opac_learning_write_certificate(learning, inputs, out, &error), &error);
    assert_ok(opac_output_commit(out, &error), &error);
    const char *bytes = opac_output_bytes(out, &length);
    char *copy = malloc(length + 1);
    memcpy(copy, bytes, length + 1);
    opac_output_free(out);
    return copy;
}

static void check_verified(const opac_learning *learning, const char *text)
{
    opac_verification v;
    opac_error error = {0};
    const opac_learn_report *r = opac_learning_report(learning);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &v, &error), &error);
    if (!v.holds)
        fail_msg("%s\n%s", v.reason, text);
    assert_true(v.lower == r->lower);
    assert_true(v.upper == r->optimum_upper);
    opac_verification_fini(&v);
}

/* ---- as it should be ---- */

static void it_is_verified(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0}, chain[TABLE_MOST] = {0};
    const char *const objectives[] = {"G F a & G F b", "F b", "X X b", "F G a", "true", "false"};
    gridworld_make(grid);
    chain_make(chain);
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++)
        for (uint32_t starts = 0; starts < 3; starts += 2) {
            opac_learn_options options = with_pmin(0.2, 0.2);
            opac_environment *env = table_environment(grid, starts, false);
            opac_learning *l = learning_of(env, objectives[i], &options);
            char *text = certificate_of(l, NULL);
            check_verified(l, text);
            free(text);
            opac_learning_free(l);
            opac_environment_free(env);
        }
    opac_learn_options options = with_pmin(0.015, 0.2);
    opac_environment *env = table_environment(chain, 0, false);
    opac_learning *l = learning_of(env, "F a", &options);
    char *text = certificate_of(l, NULL);
    check_verified(l, text);
    free(text);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* Certain transitions are not sampled: neither after a goal nor, if everything is accepted, at all. */
static void universal_memories_need_no_visits(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0};
    gridworld_make(grid);
    for (uint32_t starts = 0; starts < 5; starts += 2)
        for (int explore = 0; explore < 2; explore++) {
            opac_learn_options options = with_pmin(0.2, 0.2);
            opac_environment *env = table_environment(grid, starts, false);
            opac_learning *l = learning_of(env, explore > 0 ? "F b" : "F b | true", &options);
            const sample_statistics *stats = &l->run.stats;
            uint32_t memory = l->automaton->initial[0];
            char *text = certificate_of(l, NULL);
            assert_true(opac_learning_report(l)->holds);
            assert_true((opac_learning_report(l)->steps > 0) == (explore > 0));
            for (uint32_t r = 0; r < stats->rows.count; r++) {
                uint32_t from = stats->rows.items[r].state;
                if (from == SAMPLE_NONE || (stats->states.items[from].letter & 2) == 0)
                    continue;
                assert_true(stats->counters.items[r].count == 0);
            }
            uint32_t goal = 0;
            while ((grid[goal].letter & 2) == 0)
                goal++;
            assert_true(opac_learning_act(l, &goal, sizeof goal, &memory) < grid[goal].actions);
            check_verified(l, text);
            free(text);
            opac_learning_free(l);
            opac_environment_free(env);
        }
}

static void inputs_are_told(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0};
    opac_learn_options options = with_pmin(0.2, 0.2);
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_learning *l = learning_of(env, "F b", &options);
    const opac_certificate_inputs inputs = {.model = "a\"b", .constants = "N=3"};
    char *text = certificate_of(l, &inputs), *bare = certificate_of(l, NULL);
    assert_non_null(strstr(text, "\n\"inputs\": {\"model\": \"a\\\"b\", \"digest\": null, "
                                 "\"constants\": \"N=3\", \"objective\": \"F b\""));
    assert_non_null(strstr(bare, "\n\"inputs\": {\"model\": null, \"digest\": null, "
                                 "\"constants\": null, "));
    assert_non_null(strstr(text,
                           "\n\"assumes\": {\"pmin\": 0.2, \"pmin_start\": null, \"graph\": false, "
                           "\"states\": null, \"actions\": null, \"branching\": null},\n"));
    assert_non_null(strstr(text, "\n\"delta\": {\"total\": 0.1, \"support\": 0.04101562499999999, "
                                 "\"interval\": 0.04101562499999999, "
                                 "\"unseen\": 0.002734375, \"discovery\": 0.002734375, "
                                 "\"episodes\": 0.0125},\n"));
    check_verified(l, text);
    free(text);
    free(bare);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* Listed nodes are needed: nodes with upper 1 only where the policy wins something. */
static void nothing_else_is_listed(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0};
    opac_learn_options options = with_pmin(0.2, 0.1);
    opac_error error = {0};
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 2, false);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    bracket_certificate_vec nodes = {0};
    assert_ok(bracket_certificate_nodes(&l->run.stats, bracket_model_of(&l->run), &nodes, &error),
              &error);
    assert_true(nodes.count > 1);
    assert_true(nodes.count <= bracket_model_count(bracket_model_of(&l->run)));
    assert_int_equal(nodes.items[0].product_state, l->run.stats.start);
    for (size_t i = 0; i < nodes.count; i++) {
        const bracket_model_node *n = &nodes.items[i];
        assert_true(i == 0 || n->upper < 1 || n->lower > 0);
        assert_true(i == 0 || n->product_state != l->run.stats.start);
        assert_true(i == 0 ||
                    l->run.stats.product_states.items[n->product_state].state != SAMPLE_NONE);
    }
    bracket_certificate_vec_fini(&nodes);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- interruptions and threads ---- */

static char *run_with(unsigned threads, const char *checkpoint, uint64_t max_steps, bool resume)
{
    table_state grid[TABLE_MOST] = {0};
    opac_learn_options options = with_pmin(0.2, 0.1);
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 2, false);
    options.threads = threads;
    options.checkpoint = checkpoint;
    options.max_steps = max_steps;
    options.resume = resume;
    opac_learning *l = learning_of(env, "X X b", &options);
    char *text = certificate_of(l, NULL);
    check_verified(l, text);
    opac_learning_free(l);
    opac_environment_free(env);
    return text;
}

static void nothing_else_matters(void **state)
{
    (void)state;
    char folder[256], path[300];
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/run.ckpt", folder);
    char *whole = run_with(1, NULL, 0, false), *threads = run_with(3, NULL, 0, false);
    char *part = run_with(1, path, 700, false);
    char *rest = run_with(1, path, 0, true);
    assert_string_equal(whole, threads);
    assert_string_not_equal(whole, part);
    assert_string_equal(whole, rest);
    free(whole);
    free(threads);
    free(part);
    free(rest);
    remove(path);
    remove(folder);
}

/* ---- runs that leave none ---- */

static void check_none(const opac_learn_options *options, const char *message)
{
    table_state grid[TABLE_MOST] = {0};
    opac_error error = {0};
    opac_output *out;
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_learning *l = learning_of(env, "X X b", options);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_learning_write_certificate(l, NULL, out, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    opac_output_free(out);
    opac_learning_free(l);
    opac_environment_free(env);
}

static void some_have_none(void **state)
{
    (void)state;
    opac_learn_options options = learning_options(20, 5);
    check_none(&options, "a run of ω-PAC has no certificate; only runs with a bracket have one");
    options = with_pmin(0.5, 0.01); /* three successors */
    check_none(&options, "there is no certificate: an assumption was refuted");
    options = with_pmin(0.2, 0.01);
    options.states = 2;
    check_none(&options, "there is no certificate: an assumption was refuted");
}

/* Intervals that are too narrow: the run fails, or, where that is not asked, its certificate does. */
static void what_the_checker_refuses_is_not_claimed(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0};
    opac_learn_options options = with_pmin(0.2, 0.2);
    sample_tuning tuning = {.patience = 1e6, .interval_scale = 0.5};
    opac_formula *formula = learning_formula("X X b");
    const opac_objective objective = {.formula = formula};
    opac_learning *l;
    opac_output *out;
    opac_error error = {0};
    size_t length;
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 2, false);
    uint64_t refused = 0; /* a seed */
    for (options.seed = 1; options.seed <= 8; options.seed++) {
        opac_status found = learn_tuned(env, &objective, &options, &tuning, &l, &error);
        if (found == OPAC_OK) { /* the narrow intervals do not fit each other */
            assert_int_equal(l->report.end, OPAC_END_REFUTED);
            assert_false(l->report.holds);
            opac_learning_free(l);
            continue;
        }
        assert_status(found, OPAC_ERROR_INTERNAL);
        assert_null(l);
        assert_non_null(strstr(error.message, "own checker refuses the certificate of this run ("
                                              "nodes[0]: "));
        refused = options.seed;
    }
    assert_true(refused > 0);
    options.seed = refused;
    tuning.skip_check = true;
    assert_ok(learn_tuned(env, &objective, &options, &tuning, &l, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_learning_write_certificate(l, NULL, out, &error), OPAC_ERROR_INTERNAL);
    assert_non_null(opac_output_bytes(out, &length));
    assert_int_equal(length, 0);
    opac_output_free(out);
    opac_learning_free(l);
    opac_environment_free(env);
    opac_formula_free(formula);
}

static opac_status write_once(void *context, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK)
        status = opac_learning_write_certificate(context, NULL, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    table_state grid[TABLE_MOST] = {0};
    opac_learn_options options = with_pmin(0.2, 0.2);
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 2, false);
    opac_learning *l = learning_of(env, "X X b", &options);
    assert_true(faults_sweep(write_once, l) > 10);
    opac_learning_free(l);
    opac_environment_free(env);
}

SUITE(certificate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_verified),
        cmocka_unit_test(inputs_are_told),
        cmocka_unit_test(universal_memories_need_no_visits),
        cmocka_unit_test(nothing_else_is_listed),
        cmocka_unit_test(nothing_else_matters),
        cmocka_unit_test(some_have_none),
        cmocka_unit_test(what_the_checker_refuses_is_not_claimed),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
