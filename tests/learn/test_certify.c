/* SPDX-License-Identifier: MIT */
/* Complete runs that close a bracket, on small systems with all kinds of assumptions. */
#include "bracket/bracket.h"
#include "check/random_scene.h"
#include "check/scene.h"
#include "runs.h"
#include "sample/bracket_statement.h"
#include "support/faults.h"

static table_state grid[6], links[8];

/* A hash of everything except times. */
static uint64_t hash_of(const opac_learning *l)
{
    const opac_learn_report *r = opac_learning_report(l);
    const sample_statistics *stats = &l->run.stats;
    uint64_t numbers[] = {r->episodes, r->steps, r->policies, r->complete, (uint64_t)r->end};
    double bounds[] = {r->value, r->lower, r->upper, r->optimum_upper};
    uint64_t hash = base_hash_fnv(BASE_FNV_BEGIN, numbers, sizeof numbers);
    hash = base_hash_fnv(hash, bounds, sizeof bounds);
    for (uint32_t i = 0; i < stats->counters.count; i++)
        hash = base_hash_fnv(hash, &stats->counters.items[i].count, sizeof(uint64_t));
    for (uint32_t p = 0; p < stats->product_states.count; p++) {
        uint32_t choice = sample_run_choice(&l->run, p);
        hash = base_hash_fnv(hash, &choice, sizeof choice);
    }
    return hash;
}

/* Properties of every report of a bracket. */
static void check_report(const opac_learning *l, const opac_learn_options *o)
{
    const opac_learn_report *r = opac_learning_report(l);
    size_t count;
    const opac_trace_entry *trace = opac_learning_trace(l, &count);
    assert_true(r->is_bracket);
    assert_true(r->lower <= r->value);
    assert_true(r->value <= r->upper);
    assert_true(r->optimum_upper == (r->is_least ? r->lower : r->upper));
    assert_true(r->gap >= r->upper - r->lower - 1e-15);
    assert_true(r->error == r->gap);
    assert_int_equal(r->holds, r->end == OPAC_END_DONE);
    assert_int_equal(r->holds, r->gap <= o->epsilon);
    assert_int_equal(r->complete, r->known);
    assert_int_equal(r->policies, count);
    assert_true(count > 0);
    assert_true(trace[count - 1].step == r->steps);
    assert_true(fabs(trace[count - 1].lower - r->lower) < 1e-15);
    assert_true(fabs(trace[count - 1].upper - r->upper) < 1e-15);
    assert_non_null(strstr(opac_learning_statement(l), "with confidence 0.9 the policy"));
    for (size_t i = 1; i < count; i++)
        assert_true(trace[i].step >= trace[i - 1].step);
}

/* The width is never less than it is, and what 1 - p leaves never more. */
static void test_gap(void **unused)
{
    (void)unused;
    assert_true(bracket_gap((bracket_bounds){0.25, 0.75}) == 0.5);
    assert_true(bracket_gap((bracket_bounds){0.5, 0.5}) == 0);
    assert_true(1 - 1.5 * 0x1p-54 < 1);
    assert_true(bracket_gap((bracket_bounds){1.5 * 0x1p-54, 1}) == 1);
    assert_true(bracket_gap((bracket_bounds){0x1p-60, 1}) == 1);
    assert_true(sample_complement_down(0.25) == 0.75);
    assert_true(sample_complement_down(0) == 1);
    assert_true(sample_complement_down(1) == 0);
    assert_true(sample_complement_down(0x1p-60) == 1 - 0x1p-53);
    assert_true(sample_complement_down(0.75 + 0x1p-53) == 0.25 - 0x1p-53);
}

/* ---- the paper's examples ---- */

static void test_gridworld(void **unused)
{
    uint64_t steps = 0, least = UINT64_MAX;
    (void)unused;
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_learn_options options = bracket_options(0.2, 0.05);
    for (options.seed = 1; options.seed <= 40; options.seed++) {
        opac_learning *l = learning_of(env, "G F a & G F b", &options);
        const opac_learn_report *r = opac_learning_report(l);
        check_report(l, &options);
        assert_true(r->holds);
        assert_true(r->optimum_upper == 1);
        assert_true(r->lower >= 0.95);
        assert_non_null(strstr(opac_learning_assumption(l, 0), "at least 0.2"));
        steps += r->steps;
        least = r->steps < least ? r->steps : least;
        opac_learning_free(l);
    }
    assert_true(least > 24 * 5); /* no row is complete for nothing */
    assert_true(steps / 40 <= 2000);
    opac_environment_free(env);
}

/* Its optimum, 1/2, is that of the first try; with the graph, nothing is to be completed. */
static void check_chain(opac_environment *env, const opac_learn_options *options)
{
    opac_learning *l = learning_of(env, "F a", options);
    const opac_learn_report *r = opac_learning_report(l);
    check_report(l, options);
    assert_true(r->holds);
    assert_true(r->lower <= 0.5);
    assert_true(r->optimum_upper >= 0.5);
    assert_true(r->steps <= 1000000);
    uint32_t key = 0, memory = opac_learning_start(l, &key, sizeof key);
    assert_int_equal(opac_learning_act(l, &key, sizeof key, &memory), 1);
    opac_learning_free(l);
}

static void test_chain(void **unused)
{
    (void)unused;
    chain_make(links);
    opac_environment *env = table_environment(links, 0, false);
    opac_learn_options options = bracket_options(1.0 / 64, 1.0 / 60);
    for (options.seed = 1; options.seed <= 3; options.seed++)
        check_chain(env, &options);
    opac_environment_free(env);
}

/*
 * Up a tower of six coins, 126 tosses on average, is a bet of 0.6; one of 0.5 is where runs begin. To
 * enclose 0.6 within 0.1 takes some 1900 visits to the top. Between them come episodes of one step, from
 * which nothing follows about the length of others.
 */
static const char tower[] = "mdp module m\n"
                            "h : [0..6] init 0; e : [0..2] init 0;\n"
                            "[] e=0 & h<6 -> 1/2:(h'=h+1) + 1/2:(h'=0);\n"
                            "[] e=0 & h=6 -> 3/5:(e'=1) + 2/5:(e'=2);\n"
                            "[] e=0 & h=0 -> 1/2:(e'=1) + 1/2:(e'=2);\n"
                            "[] e>0 -> true;\n"
                            "endmodule\n"
                            "label \"a\" = e=1;\n";

static void test_short_and_long_episodes(void **unused)
{
    opac_model *model = scene_model(tower, false);
    opac_environment *env;
    opac_error error;
    (void)unused;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    opac_learn_options options = bracket_options(0, 0.1);
    options.graph = env;
    for (options.seed = 1; options.seed <= 12; options.seed++) {
        opac_learning *l = learning_of(env, "F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        check_report(l, &options);
        assert_true(r->holds);
        assert_true(r->lower <= 0.6);
        assert_true(r->optimum_upper >= 0.6);
        assert_true(r->steps <= 400000);
        opac_learning_free(l);
    }
    opac_environment_free(env);
    opac_model_free(model);
}

/* ---- all kinds, against the truth ---- */

typedef struct subject {
    opac_model *model;
    opac_objective objective;
    double best;
} subject;

static double optimum(const subject *x)
{
    opac_check_options options = {.threads = 1};
    opac_solution *solution = scene_solve(x->model, &x->objective, &options);
    uint32_t count = opac_model_initial_count(x->model);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_solution_interval(solution, i).value;
    opac_solution_free(solution);
    return sum / count;
}

/* The policy, over the model: as good as L says. */
static double truth_of(const subject *x, const opac_learning *l)
{
    opac_evaluation *evaluation;
    opac_policy *policy;
    opac_error error;
    uint32_t count = opac_model_initial_count(x->model);
    double sum = 0;
    assert_ok(opac_learning_policy(l, x->model, &policy, &error), &error);
    assert_ok(opac_evaluate(policy, &x->objective, NULL, &evaluation, &error), &error);
    for (uint32_t i = 0; i < count; i++)
        sum += opac_evaluation_interval(evaluation, i).value;
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
    return sum / count;
}

static uint64_t run_once(const subject *x, opac_learn_options options, bool has_graph,
                         bool is_compared, bool sequential)
{
    const sample_tuning tuning = {.patience = 1e6, .sequential = sequential};
    opac_environment *env;
    opac_learning *l;
    opac_error error;
    assert_ok(opac_environment_of_model(x->model, NULL, &env, &error), &error);
    options.graph = has_graph ? env : NULL;
    assert_ok(learn_tuned(env, &x->objective, &options, &tuning, &l, &error), &error);
    const opac_learn_report *r = opac_learning_report(l);
    check_report(l, &options);
    if (is_compared) {
        double truth = truth_of(x, l);
        assert_true(r->lower - 1e-6 <= x->best);
        assert_true(x->best <= r->upper + 1e-6);
        assert_true(r->lower - 1e-6 <= truth);
        assert_true(truth <= r->upper + 1e-6);
    }
    uint64_t hash = hash_of(l);
    opac_learning_free(l);
    opac_environment_free(env);
    return hash;
}

/* Chunks and forks have the same result as one episode after the other. */
static void check_kind(const subject *x, opac_learn_options options, bool has_graph)
{
    uint64_t hash = run_once(x, options, has_graph, true, false);
    assert_true(run_once(x, options, has_graph, false, true) == hash);
    options.threads = 2;
    assert_true(run_once(x, options, has_graph, false, false) == hash);
    options.threads = 7;
    assert_true(run_once(x, options, has_graph, false, false) == hash);
}

static void check_subject(const subject *x, uint64_t seed)
{
    opac_learn_options options = bracket_options(0.05, 0.08);
    options.seed = seed;
    options.max_steps = 400000;
    check_kind(x, options, false);
    options.kind = OPAC_KIND_LDBA;
    check_kind(x, options, true);
    options.explore = OPAC_EXPLORE_GENERATIVE;
    check_kind(x, options, seed % 2 == 0);
    options.pmin = 0;
    check_kind(x, options, true);
}

static void test_random_models(void **unused)
{
    static const char *const formulas[] = {"F a",         "G F a",           "F G a & G F b",
                                           "(!a) U b",    "(F G a) | G F b", "G (a -> X b)",
                                           "G F a & X b", "F (a & X X b)"};
    uint64_t random = random_seed(91);
    (void)unused;
    for (uint32_t i = 0; i < 16; i++) {
        random_scene_shape shape = {.states = 3 + random_below(&random, 3),
                                    .most_choices = 1 + i % 3,
                                    .most_branches = 3,
                                    .labels = 2,
                                    .initial = 1 + i % 2,
                                    .is_lettered = true};
        opac_formula *formula = scene_formula(formulas[i % 8]);
        subject x = {
            .model = random_scene(&random, shape),
            .objective = {.formula = formula,
                          .direction = i % 4 == 3 ? OPAC_DIRECTION_MIN : OPAC_DIRECTION_MAX}};
        x.best = optimum(&x);
        check_subject(&x, i);
        opac_model_free(x.model);
        opac_formula_free(formula);
    }
}

/* ---- callbacks: alone, with forks, on lanes; from random starts ---- */

static uint64_t hash_by(opac_environment *env, const opac_objective *objective,
                        const opac_learn_options *options)
{
    opac_learning *l;
    opac_error error;
    assert_ok(opac_learn(env, objective, options, &l, &error), &error);
    if (options->max_steps == 0) /* it has come to its end */
        check_report(l, options);
    uint64_t hash = hash_of(l);
    opac_learning_free(l);
    opac_environment_free(env);
    return hash;
}

static void check_callbacks(const table_state *states, uint32_t starts,
                            const opac_objective *objective, opac_learn_options options)
{
    uint64_t hash = hash_by(table_environment(states, starts, false), objective, &options);
    options.threads = 3;
    assert_true(hash_by(table_environment(states, starts, false), objective, &options) == hash);
    assert_true(hash_by(lanes_environment(states, starts), objective, &options) == hash);
    options.threads = 1;
    assert_true(hash_by(lanes_environment(states, starts), objective, &options) == hash);
}

static void test_callbacks(void **unused)
{
    static const char hoa[] = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" acc-name: Buchi\n"
                              "Acceptance: 1 Inf(0)\n--BODY--\n"
                              "State: 0 [0] 1 [!0] 0 State: 1 [t] 1 {0}\n--END--\n";
    opac_automaton *automaton = scene_automaton(hoa);
    opac_formula *formula = scene_formula("G F a & G F b");
    const opac_objective reach = {.automaton = automaton}, recur = {.formula = formula};
    (void)unused;
    chain_make(links);
    gridworld_make(grid);
    check_callbacks(links, 0, &reach, bracket_options(1.0 / 64, 0.05));
    check_callbacks(links, 3, &reach, bracket_options(1.0 / 64, 0.05));
    check_callbacks(grid, 0, &recur, bracket_options(0.2, 0.05));
    check_callbacks(grid, 4, &recur, bracket_options(0.2, 0.05));
    opac_automaton_free(automaton);
    opac_formula_free(formula);
}

/* Random tables: large batches, in which choices change, have the same result. */
static void draw_table(uint64_t *random, uint32_t count, table_state *states)
{
    for (uint32_t s = 0; s < count; s++) {
        states[s] = (table_state){.letter = random_below(random, 4),
                                  .actions = 1 + random_below(random, 4)};
        for (uint32_t a = 0; a < states[s].actions; a++) {
            table_action *action = &states[s].action[a];
            uint32_t width = 1 + random_below(random, 4);
            for (uint32_t b = 0; b < width; b++) {
                action->p[b] = 1.0 / width;
                action->to[b] = random_below(random, count);
            }
        }
    }
}

static void test_random_callbacks(void **unused)
{
    static const char *const formulas[] = {"G F a & G F b", "F G a | F (a & b)", "a U b"};
    static table_state states[TABLE_MOST];
    uint64_t random = 12;
    (void)unused;
    for (int i = 0; i < 60; i++) {
        opac_formula *formula = scene_formula(formulas[random_below(&random, 3)]);
        const opac_objective objective = {.formula = formula};
        opac_learn_options options = bracket_options(0.15, 0.1);
        uint32_t count = 2 + random_below(&random, TABLE_MOST - 1);
        options.max_steps = 300 + random_below(&random, 4000);
        options.seed = random_below(&random, 1000);
        options.kind = i % 2 == 0 ? OPAC_KIND_DETERMINISTIC : OPAC_KIND_LDBA;
        draw_table(&random, count, states);
        uint32_t starts = i % 3 == 0 ? random_below(&random, count < 5 ? count : 5) : 0;
        check_callbacks(states, starts, &objective, options);
        opac_formula_free(formula);
    }
}

/* Rounds of draws are independent: if they repeated each other, brackets would miss. */
static void test_draws(void **unused)
{
    static const char text[] = "dtmc module m s:[0..2]; [] s=0 -> .7:(s'=1)+.3:(s'=2);"
                               "[] s>0 -> true; endmodule label \"a\" = s=1;";
    opac_error error = {0};
    opac_model *model;
    opac_environment *env;
    opac_learn_options options = bracket_options(0.25, 0.01);
    (void)unused;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    options.explore = OPAC_EXPLORE_GENERATIVE;
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        opac_learning *l = learning_of(env, "F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        check_report(l, &options);
        assert_true(r->holds);
        assert_true(r->lower <= 0.7);
        assert_true(0.7 <= r->upper);
        opac_learning_free(l);
    }
    opac_environment_free(env);
    opac_model_free(model);
}

/*
 * An incomplete row is not drawn more often than it takes to complete it, because its value is still
 * unknown.
 */
static void test_draws_of_what_is_not_complete(void **unused)
{
    opac_model *model = scene_model("dtmc module m s:[0..6]; [] s<6 -> (s'=s+1);"
                                    "[] s=6 -> true; endmodule label \"a\" = s=6;",
                                    false);
    opac_environment *env;
    opac_error error = {0};
    opac_learn_options options = bracket_options(0.9, 0.01);
    (void)unused;
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    options.explore = OPAC_EXPLORE_GENERATIVE;
    opac_learning *l = learning_of(env, "F a", &options);
    const opac_learn_report *r = opac_learning_report(l);
    uint64_t most = 0;
    assert_true(r->holds);
    assert_true(r->lower == 1);
    assert_true(r->complete >= 6);
    for (uint32_t row = 0; row < l->run.stats.rows.count; row++) {
        uint64_t visits = bracket_support_visits(bracket_support_of(&l->run), row);
        assert_true(l->run.stats.counters.items[row].count <= visits);
        most = visits > most ? visits : most;
    }
    assert_true(most < 8); /* which a round has at least */
    opac_learning_free(l);
    opac_environment_free(env);
    opac_model_free(model);
}

SUITE(certify)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_gridworld),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_random_models),
        cmocka_unit_test(test_short_and_long_episodes),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_random_callbacks),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_draws_of_what_is_not_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
