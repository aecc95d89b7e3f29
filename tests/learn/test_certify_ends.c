/* SPDX-License-Identifier: MIT */
/* Ends of runs that close a bracket: limits, requests, refutations, refused options, resumption. */
#include <limits.h>
#include <unistd.h>

#include "runs.h"
#include "support/faults.h"
#include "support/temporary.h"

static table_state grid[6];

static opac_environment *gridworld(void)
{
    gridworld_make(grid);
    return table_environment(grid, 0, false);
}

/* ---- budgets ---- */

/* A coin that wins or loses, after a door. */
static const table_state coin[] = {{.actions = 1, .action = {{.p = {1}, .to = {1}}}},
                                   {.actions = 1, .action = {{.p = {0.7, 0.3}, .to = {2, 3}}}},
                                   {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {2}}}},
                                   {.actions = 0}};

static void check_open_bracket(const opac_learning *l, opac_learn_end end)
{
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->end, end);
    assert_true(r->is_bracket);
    assert_false(r->holds);
    assert_true(r->gap > 1e-3);
    assert_true(r->lower <= 0.7);
    assert_true(0.7 <= r->optimum_upper);
    assert_true(r->upper == r->optimum_upper);
    assert_true(r->lower <= r->value);
    assert_true(r->value <= r->upper);
    assert_non_null(strstr(
        opac_learning_statement(l),
        r->gap < 1 ? "not within the requested 0.001"
                   : "the bracket is [0, 1], and nothing is known yet about the policies: "));
}

static void test_budgets_leave_a_bracket(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    double before = 1;
    (void)unused;
    for (uint64_t most = 1; most < 100000; most *= 3) {
        opac_learn_options options = bracket_options(0.25, 1e-3);
        options.max_steps = most;
        opac_learning *l = learning_of(env, "F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        check_open_bracket(l, OPAC_END_STEPS);
        assert_true(r->steps <= most);
        assert_true(r->gap <= before + 0.1);
        before = r->gap;
        opac_learning_free(l);
    }
    assert_true(before < 0.05);
    opac_environment_free(env);
}

static void request(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    (void)learning;
    if (entry->known >= 2) /* all that matter: what follows the goal does not */
        opac_cancel_request(context);
}

static void test_seconds_and_requests(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    opac_learn_options options = bracket_options(0.25, 1e-3);
    opac_cancel *cancel;
    opac_error error = {0};
    (void)unused;
    options.max_seconds = 1e-6;
    opac_learning *l = learning_of(env, "F a", &options);
    check_open_bracket(l, OPAC_END_SECONDS);
    opac_learning_free(l);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    options.max_seconds = 0;
    options.cancel = cancel;
    options.trace = request;
    options.trace_context = cancel;
    l = learning_of(env, "F a", &options);
    check_open_bracket(l, OPAC_END_CANCELLED);
    assert_true(opac_learning_report(l)->complete == 2);
    opac_learning_free(l);
    opac_cancel_free(cancel);
    opac_environment_free(env);
}

/* ---- what is known without samples ---- */

/* p_min = 1: one visit tells all. */
static void test_sure_actions(void **unused)
{
    static const table_state ring[] = {
        {.actions = 2, .action = {{.p = {1}, .to = {1}}, {.p = {1}, .to = {3}}}},
        {.actions = 2, .action = {{.p = {1}, .to = {0}}, {.p = {1}, .to = {2}}}},
        {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {0}}}},
        {.actions = 0}};
    opac_environment *env = table_environment(ring, 0, false);
    opac_learn_options options = bracket_options(1, 0.5);
    (void)unused;
    opac_learning *l = learning_of(env, "G F a", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->lower == 1);
    assert_true(r->upper == 1);
    assert_true(r->steps < 100);
    opac_learning_free(l);
    l = learning_of(env, "F G a", &options);
    r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->lower == 0);
    assert_true(r->upper == 0);
    assert_true(r->steps < 100);
    assert_int_equal(r->complete, 5); /* all there are: none may be left out */
    opac_learning_free(l);
    opac_environment_free(env);
}

/* An objective that nothing can break needs no sample. */
static void test_nothing_to_learn(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    opac_learn_options options = bracket_options(0.25, 0.01);
    (void)unused;
    opac_learning *l = learning_of(env, "a | !a", &options);
    assert_true(opac_learning_report(l)->holds);
    assert_true(opac_learning_report(l)->lower == 1);
    assert_int_equal(opac_learning_report(l)->steps, 0);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- refuted ---- */

static void check_refuted(const table_state *states, double pmin, opac_refutation kind,
                          const char *words)
{
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = bracket_options(pmin, 1e-4);
    unsigned found = 0;
    options.max_steps = 3000000;
    for (options.seed = 1; options.seed <= 8 && found == 0; options.seed++) {
        opac_learning *l = learning_of(env, "F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        if (r->end == OPAC_END_REFUTED && r->refutation == kind) {
            found++;
            assert_false(r->holds);
            assert_true(isnan(r->lower));
            assert_true(isnan(r->upper));
            assert_true(isnan(r->optimum_upper));
            assert_true(isnan(r->gap));
            assert_true(isnan(r->error));
            assert_true(r->refuted_visits > 0);
            assert_true(r->refuted_count <= r->refuted_visits);
            assert_non_null(strstr(opac_learning_statement(l), "no guarantee: "));
            assert_non_null(strstr(opac_learning_statement(l), words));
        }
        opac_learning_free(l);
    }
    assert_true(found > 0);
    opac_environment_free(env);
}

static void test_refutations(void **unused)
{
    static const table_state rare[] = {
        {.actions = 1, .action = {{.p = {0.5, 0.45, 0.05}, .to = {1, 2, 3}}}},
        {.letter = 1, .actions = 0},
        {.actions = 0},
        {.actions = 0}};
    (void)unused;
    check_refuted(rare, 0.3, OPAC_REFUTED_FREQUENCY,
                  "too rarely for a probability of at least 0.3");
    check_refuted(rare, 0.3, OPAC_REFUTED_SUPPORT, "once in ");
    check_refuted(rare, 0.45, OPAC_REFUTED_WIDTH, "led to 3 different states");
}

/* The graph of a table. */
static opac_status tell_successors(void *context, const void *key, size_t length, uint32_t action,
                                   opac_draws *successors, opac_error *error)
{
    const table *t = context;
    uint32_t at;
    opac_status status = OPAC_OK;
    assert_int_equal(length, sizeof at);
    memcpy(&at, key, sizeof at);
    const table_action *a = &t->states[at].action[action];
    for (uint32_t i = 0; i < 4 && status == OPAC_OK; i++) {
        const table_state *to = &t->states[a->to[i]];
        opac_observation seen = {.key = &a->to[i],
                                 .length = sizeof a->to[i],
                                 .letter = to->letter,
                                 .actions = to->actions};
        if (a->p[i] > 0)
            status = opac_draws_add(successors, &seen, 1, error);
    }
    return status;
}

static opac_environment *graph_environment(const table_state *states)
{
    opac_error error = {0};
    opac_environment *env;
    table *t = malloc(sizeof *t);
    *t = (table){.states = states};
    const opac_environment_callbacks callbacks = {.reset = table_reset,
                                                  .step = table_step,
                                                  .successors = tell_successors,
                                                  .release = free,
                                                  .propositions = table_names,
                                                  .proposition_count = 3};
    assert_ok(opac_environment_new(&callbacks, t, &env, &error), &error);
    return env;
}

/* With the true graph it closes; one without an edge is refuted when that is seen. */
static void test_graphs(void **unused)
{
    static const table_state false_coin[] = {
        {.actions = 1, .action = {{.p = {1}, .to = {1}}}},
        {.actions = 1, .action = {{.p = {1}, .to = {2}}}},
        {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {2}}}},
        {.actions = 0}};
    opac_environment *env = table_environment(coin, 0, false);
    opac_environment *graph = graph_environment(coin), *wrong = graph_environment(false_coin);
    opac_learn_options options = bracket_options(0, 0.05);
    (void)unused;
    options.graph = graph;
    opac_learning *l = learning_of(env, "F a", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->lower <= 0.7);
    assert_true(r->upper >= 0.7);
    assert_true(r->complete == 3);
    assert_true(r->delta_support == 0);
    assert_non_null(strstr(opac_learning_assumption(l, 0), "the graph is right"));
    opac_learning_free(l);
    options.graph = wrong; /* by it the value is 1, and nothing has to be sampled */
    l = learning_of(env, "F a", &options);
    assert_int_equal(opac_learning_report(l)->steps, 0);
    opac_learning_free(l);
    static const table_state half_coin[] = {
        {.actions = 2, .action = {{.p = {0.5, 0.5}, .to = {1, 2}}, {.p = {1}, .to = {0}}}},
        {.letter = 1, .actions = 0},
        {.actions = 0},
        {.actions = 0}};
    static const table_state whole_coin[] = {
        {.actions = 2, .action = {{.p = {0.4, 0.4, 0.2}, .to = {1, 2, 3}}, {.p = {1}, .to = {0}}}},
        {.letter = 1, .actions = 0},
        {.actions = 0},
        {.actions = 0}};
    opac_environment *half = graph_environment(half_coin);
    opac_environment *whole = table_environment(whole_coin, 0, false);
    options.graph = half;
    l = learning_of(whole, "F a", &options);
    r = opac_learning_report(l);
    assert_int_equal(r->end, OPAC_END_REFUTED);
    assert_int_equal(r->refutation, OPAC_REFUTED_EDGE);
    assert_non_null(strstr(opac_learning_statement(l), "where the graph has no edge"));
    opac_learning_free(l);
    opac_environment_free(half);
    opac_environment_free(whole);
    opac_environment_free(env);
    opac_environment_free(graph);
    opac_environment_free(wrong);
}

static void test_declared_bounds_end_the_run(void **unused)
{
    opac_environment *env = gridworld();
    opac_learn_options options = bracket_options(0.2, 0.05);
    (void)unused;
    options.states = 5;
    options.actions = 4;
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->end, OPAC_END_EXCEEDED);
    assert_string_equal(r->exceeded, "states");
    assert_false(r->holds);
    assert_true(isnan(r->lower));
    assert_true(isnan(r->optimum_upper));
    assert_non_null(strstr(opac_learning_statement(l), "more states than the declared 5"));
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- what is refused ---- */

static void check_refused(opac_environment *env, const opac_learn_options *options,
                          const char *words)
{
    opac_formula *f = learning_formula("F a");
    const opac_objective objective = {.formula = f};
    opac_learning *l;
    opac_error error = {0};
    assert_status(opac_learn(env, &objective, options, &l, &error), OPAC_ERROR_ARGUMENT);
    assert_null(l);
    assert_non_null(strstr(error.message, words));
    opac_formula_free(f);
}

static void test_options_are_checked(void **unused)
{
    opac_environment *env = gridworld();
    const double wrong[] = {-0.1, 1.5, (double)NAN, (double)INFINITY};
    opac_learn_options options;
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options = bracket_options(wrong[i], 0.1);
        check_refused(env, &options, "pmin must lie in (0, 1]");
    }
    options = bracket_options(0.2, 1);
    check_refused(env, &options, "epsilon must lie in (0, 1)");
    options = bracket_options(0.2, 0.1);
    options.delta = 0;
    check_refused(env, &options, "delta must lie in (0, 1)");
    options = bracket_options(0.2, 0.1);
    options.graph = env;
    check_refused(env, &options, "does not know the successors of actions");
    options.graph = NULL;
    options.explore = OPAC_EXPLORE_GENERATIVE;
    check_refused(env, &options, "an environment that can draw");
    options.explore = (opac_learn_explore)7;
    check_refused(env, &options, "or exploration");
    options.explore = OPAC_EXPLORE_EPISODES;
    options.sampler = OPAC_SAMPLER_POPULATION;
    check_refused(env, &options, "population sampler");
    options.sampler = OPAC_SAMPLER_AUTO;
    options.count_pairs = true;
    check_refused(env, &options, "counted by state-action pair of the environment");
    /* Options for T are ignored. */
    options = bracket_options(0.2, 0.3);
    options.slack = 5;
    options.target = 1e-9;
    options.k = 3;
    opac_learning_free(learning_of(env, "F a", &options));
    opac_environment_free(env);
}

/* ---- interrupted and resumed ---- */

static void stop_at(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    (void)entry;
    if (learning != NULL)
        opac_cancel_request(context);
}

/* Stopped at each bracket, and resumed: what comes of it is what came of the run in one go. */
static void test_resumed_runs_come_to_the_same(void **unused)
{
    opac_environment *env = gridworld();
    opac_learn_options options = bracket_options(0.2, 0.05);
    char folder[2048], path[2100];
    opac_error error = {0};
    unsigned times = 0;
    (void)unused;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    opac_learning *whole = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *w = opac_learning_report(whole), *r;
    opac_learning *l = NULL;
    options.checkpoint = path;
    options.trace = stop_at;
    do {
        opac_cancel *cancel;
        assert_ok(opac_cancel_new(&cancel, &error), &error);
        options.cancel = options.trace_context = cancel;
        opac_learning_free(l);
        l = learning_of(env, "G F a & G F b", &options);
        r = opac_learning_report(l);
        assert_int_equal(r->resumed, times > 0);
        options.resume = true;
        opac_cancel_free(cancel);
        assert_true(++times < 1000);
    } while (r->end == OPAC_END_CANCELLED);
    assert_true(times > 5);
    assert_true(r->holds);
    assert_true(r->steps == w->steps);
    assert_true(r->episodes == w->episodes);
    assert_true(r->policies == w->policies);
    assert_true(r->lower == w->lower);
    assert_true(r->upper == w->upper);
    assert_string_equal(opac_learning_statement(l), opac_learning_statement(whole));
    opac_learning_free(l);
    /* Again from the last one, which is of just before the end; and not for another question. */
    options.trace = NULL;
    options.cancel = NULL;
    l = learning_of(env, "G F a & G F b", &options);
    r = opac_learning_report(l);
    assert_true(r->holds);
    assert_true(r->steps == w->steps);
    assert_true(r->lower == w->lower);
    options.pmin = 0.1;
    check_refused(env, &options, "pmin is 0.2 there, and 0.1 here");
    opac_learning_free(l);
    opac_learning_free(whole);
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
}

/* A run that is not stopped leaves a checkpoint too: the one before its last bracket. */
static void test_checkpoint_at_the_end(void **unused)
{
    opac_environment *env = gridworld();
    opac_learn_options options = bracket_options(0.2, 0.05);
    char folder[2048], path[2100];
    (void)unused;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    options.checkpoint = path;
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    assert_int_equal(access(path, F_OK), 0);
    options.resume = true;
    options.max_steps = 1; /* no step is left to be taken */
    opac_learning *again = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l), *s = opac_learning_report(again);
    assert_true(s->resumed);
    assert_true(s->holds);
    assert_true(s->steps == r->steps);
    assert_true(s->lower == r->lower);
    assert_int_equal(s->policies, r->policies);
    opac_learning_free(l);
    opac_learning_free(again);
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
}

/* ---- damaged checkpoints that look sound ---- */

static unsigned char *read_all(const char *path, size_t *length)
{
    unsigned char *bytes = malloc(1 << 20);
    FILE *file = fopen(path, "rb");
    assert_non_null(bytes);
    assert_non_null(file);
    *length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* With any bit changed, and a matching digest, the checkpoint is refused, or the run continues. */
static void check_bits(opac_environment *env, opac_learn_options options, unsigned char *bytes,
                       size_t length)
{
    opac_formula *f = learning_formula("F a");
    const opac_objective objective = {.formula = f};
    unsigned refused = 0;
    for (size_t bit = 30 * CHAR_BIT; bit < (length - 8) * CHAR_BIT; bit++) {
        opac_learning *l = NULL;
        opac_error error = {0};
        size_t at = bit / CHAR_BIT;
        unsigned char before = bytes[at];
        bytes[at] = (unsigned char)(before ^ (1u << bit % CHAR_BIT));
        uint64_t digest = base_hash_fnv(BASE_FNV_BEGIN, bytes, length - 8);
        for (size_t i = 0; i < 8; i++)
            bytes[length - 8 + i] = (unsigned char)(digest >> 8 * i);
        write_all(options.checkpoint, bytes, length);
        opac_status status = opac_learn(env, &objective, &options, &l, &error);
        assert_true(status == OPAC_OK || status == OPAC_ERROR_ARGUMENT ||
                    status == OPAC_ERROR_SIMULATOR);
        refused += status != OPAC_OK;
        opac_learning_free(l);
        bytes[at] = before;
    }
    assert_true(refused > length * CHAR_BIT / 2);
    opac_formula_free(f);
}

static void test_changed_checkpoints(void **unused)
{
    opac_environment *env = table_environment(coin, 0, false);
    opac_learn_options options = bracket_options(0.25, 1e-3);
    char folder[2048], path[2100];
    size_t length;
    (void)unused;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    options.checkpoint = path;
    options.max_steps = 60;
    opac_learning_free(learning_of(env, "F a", &options));
    unsigned char *bytes = read_all(path, &length);
    options.resume = true;
    options.max_steps = 120;
    check_bits(env, options, bytes, length);
    free(bytes);
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
}

/* ---- out of memory ---- */

typedef struct sweep {
    opac_objective objective;
    opac_learn_options options;
    const opac_model *model;
} sweep;

static opac_status run_small(void *context, opac_error *error)
{
    sweep *x = context;
    opac_environment *env;
    opac_learning *l = NULL;
    opac_status status = opac_environment_of_model(x->model, NULL, &env, error);
    if (status != OPAC_OK)
        return status;
    if (x->options.pmin == 0)
        x->options.graph = env;
    status = opac_learn(env, &x->objective, &x->options, &l, error);
    opac_learning_free(l);
    opac_environment_free(env);
    return status;
}

static void test_want_of_memory(void **unused)
{
    static const char text[] = "mdp module m s:[0..3]; [] s=0 -> .5:(s'=1)+.5:(s'=0);"
                               "[] s=0 -> .5:(s'=2)+.5:(s'=3); [] s=1 -> (s'=0); [] s>1 -> true;"
                               "endmodule label \"a\" = s=2;";
    opac_error error = {0};
    opac_model *model;
    opac_formula *formula = learning_formula("F a");
    sweep x = {.objective = {.formula = formula}, .options = bracket_options(0.5, 0.5)};
    (void)unused;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    x.model = model;
    assert_true(faults_sweep(run_small, &x) > 50);
    x.options.explore = OPAC_EXPLORE_GENERATIVE;
    assert_true(faults_sweep(run_small, &x) > 50);
    x.options.pmin = 0;
    assert_true(faults_sweep(run_small, &x) > 50);
    opac_formula_free(formula);
    opac_model_free(model);
}

SUITE(certify_ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets_leave_a_bracket),
        cmocka_unit_test(test_seconds_and_requests),
        cmocka_unit_test(test_sure_actions),
        cmocka_unit_test(test_nothing_to_learn),
        cmocka_unit_test(test_refutations),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_declared_bounds_end_the_run),
        cmocka_unit_test(test_options_are_checked),
        cmocka_unit_test(test_resumed_runs_come_to_the_same),
        cmocka_unit_test(test_checkpoint_at_the_end),
        cmocka_unit_test(test_changed_checkpoints),
        cmocka_unit_test(test_want_of_memory),
    };
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* many small files, for which no disk is needed */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
