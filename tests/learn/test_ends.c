/* SPDX-License-Identifier: MIT */
/* Ends of runs with T: limits, bounds, requests, livelock, refused options, interruption and resumption. */
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

static void declare(opac_learn_options *options, uint64_t states, uint64_t actions, uint64_t m)
{
    options->states = states;
    options->actions = actions;
    options->branching = m;
}

/* ---- bounds ---- */

static void check_exceeded(uint64_t states, uint64_t actions, uint64_t m, const char *what)
{
    opac_environment *env = gridworld();
    opac_learn_options options = learning_options(20, 20);
    declare(&options, states, actions, m);
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    const opac_learn_report *r = opac_learning_report(l);
    if (what == NULL) {
        assert_null(r->exceeded);
        assert_int_equal(r->end, OPAC_END_DONE);
    } else {
        assert_string_equal(r->exceeded, what);
        assert_int_equal(r->end, OPAC_END_EXCEEDED);
        assert_false(r->holds);
        assert_non_null(strstr(opac_learning_statement(l), "than the declared"));
    }
    opac_learning_free(l);
    opac_environment_free(env);
}

static void test_declared_bounds_end_the_run(void **unused)
{
    (void)unused;
    check_exceeded(6, 4, 3, NULL);
    check_exceeded(5, 4, 3, "states");
    check_exceeded(6, 3, 3, "actions");
    check_exceeded(6, 4, 2, "branching");
}

/* Also on visits that are not counted: a third successor that comes after k observations. */
static void test_uncounted_visits_are_looked_at(void **unused)
{
    static const table_state states[] = {
        {.actions = 1, .action = {{.p = {0.5, 0.499, 0.001}, .to = {1, 2, 3}}}},
        {.actions = 2, .action = {{.p = {1}, .to = {1}}, {.p = {1}, .to = {1}}}},
        {.actions = 2, .action = {{.p = {1}, .to = {2}}, {.p = {1}, .to = {2}}}},
        {.actions = 1, .action = {{.p = {1}, .to = {3}}}}};
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(2, 1);
    unsigned exceeded = 0;
    (void)unused;
    /* The first action is known after one episode, the sinks' actions take longer. */
    options.k = 40;
    declare(&options, 4, 2, 2);
    options.stop = OPAC_STOP_ALL_ACTIONS;
    for (options.seed = 1; options.seed <= 200; options.seed++) {
        opac_learning *l = learning_of(env, "G F a", &options);
        const opac_learn_report *r = opac_learning_report(l);
        if (r->end == OPAC_END_EXCEEDED) {
            assert_string_equal(r->exceeded, "branching");
            exceeded += l->run.episodes > 40;
        }
        opac_learning_free(l);
    }
    assert_true(exceeded > 0);
    opac_environment_free(env);
}

/* ---- budgets ---- */

static void test_steps_are_never_exceeded(void **unused)
{
    opac_environment *env = gridworld();
    (void)unused;
    for (uint64_t most = 1; most < 400; most += 7) {
        opac_learn_options options = learning_options(20, 1000);
        options.max_steps = most;
        opac_learning *l = learning_of(env, "G F a & G F b", &options);
        const opac_learn_report *r = opac_learning_report(l);
        assert_int_equal(r->end, OPAC_END_STEPS);
        assert_true(r->steps <= most);
        assert_true(most - r->steps < 20);
        assert_int_equal(r->episodes, most / 20);
        assert_false(r->holds);
        opac_learning_free(l);
    }
    opac_environment_free(env);
}

static void test_seconds_and_requests(void **unused)
{
    opac_environment *env = gridworld();
    opac_learn_options options = learning_options(306, 1000000000);
    opac_cancel *cancel;
    opac_error error = {0};
    (void)unused;
    options.max_seconds = 0.05;
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    assert_int_equal(opac_learning_report(l)->end, OPAC_END_SECONDS);
    opac_learning_free(l);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    options.max_seconds = 0;
    options.k = 5;
    options.cancel = cancel;
    options.trace = stop_at_three_known;
    options.trace_context = cancel;
    l = learning_of(env, "G F a & G F b", &options);
    assert_int_equal(opac_learning_report(l)->end, OPAC_END_CANCELLED);
    assert_true(opac_learning_report(l)->known >= 3);
    assert_true(opac_learning_report(l)->known < 12);
    assert_non_null(strstr(opac_learning_statement(l), "was stopped"));
    opac_learning_free(l);
    opac_cancel_free(cancel);
    opac_environment_free(env);
}

/* A request in the very step that shows one state too many: the run ends as without it. */
typedef struct nervous {
    table own;
    opac_cancel *cancel;   /* may be NULL */
    unsigned seen, states; /* as bits, and how many */
} nervous;

static opac_status nervous_reset(void *context, uint64_t seed, opac_observation *seen,
                                 opac_error *error)
{
    return table_reset(&((nervous *)context)->own, seed, seen, error);
}

static opac_status nervous_step(void *context, uint32_t action, opac_observation *seen,
                                opac_error *error)
{
    nervous *n = context;
    opac_status status = table_step(&n->own, action, seen, error);
    n->states += (n->seen >> n->own.at & 1) == 0;
    n->seen |= 1u << n->own.at;
    if (n->states == 4 && n->cancel != NULL)
        opac_cancel_request(n->cancel);
    return status;
}

static void test_requests_hide_no_bound(void **unused)
{
    uint64_t episodes[2];
    opac_error error = {0};
    (void)unused;
    gridworld_make(grid);
    for (int i = 0; i < 2; i++) {
        nervous n = {.own = {.states = grid}, .seen = 1, .states = 1};
        const opac_environment_callbacks callbacks = {.reset = nervous_reset,
                                                      .step = nervous_step,
                                                      .propositions = table_names,
                                                      .proposition_count = 3};
        opac_environment *env;
        opac_learn_options options = learning_options(20, 20);
        if (i == 1)
            assert_ok(opac_cancel_new(&n.cancel, &error), &error);
        assert_ok(opac_environment_new(&callbacks, &n, &env, &error), &error);
        declare(&options, 3, 4, 3);
        options.untested = true; /* it would be asked to stop in the trial */
        options.cancel = n.cancel;
        opac_learning *l = learning_of(env, "G F a & G F b", &options);
        if (i == 0)
            assert_int_equal(l->report.end, OPAC_END_EXCEEDED);
        episodes[i] = l->report.end == OPAC_END_EXCEEDED ? l->report.episodes : 0;
        opac_learning_free(l);
        opac_environment_free(env);
        opac_cancel_free(n.cancel);
    }
    assert_int_equal(episodes[0], episodes[1]);
}

/* ---- livelock ---- */

/*
 * A simulator that ignores its seed shows one episode again and again: with k = 3 the
 * first step is known from it, but where it leads is not seen in every episode.
 */
static const table_state forked[] = {
    {.actions = 1, .action = {{.p = {0.5, 0.5}, .to = {1, 2}}}},
    {.actions = 1, .action = {{.p = {0.5, 0.5}, .to = {0, 1}}}},
    {.actions = 2,
     .letter = 1,
     .action = {{.p = {0.5, 0.5}, .to = {0, 2}}, {.p = {0.5, 0.5}, .to = {1, 2}}}}};

static opac_learn_end end_of(uint64_t k, uint64_t horizon, bool is_stuck, uint64_t *episodes)
{
    opac_error error = {0};
    opac_environment *env = table_environment(forked, 0, is_stuck);
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula};
    const sample_tuning tuning = {.patience = 1000};
    opac_learn_options options = learning_options(horizon, k);
    opac_learning *l;
    options.max_steps = 50000000;
    options.untested = true; /* what is stuck would be found out before */
    assert_ok(learn_tuned(env, &objective, &options, &tuning, &l, &error), &error);
    opac_learn_end end = opac_learning_report(l)->end;
    *episodes = opac_learning_report(l)->episodes;
    if (end == OPAC_END_LIVELOCK)
        assert_non_null(strstr(opac_learning_statement(l), "livelock"));
    opac_learning_free(l);
    opac_formula_free(formula);
    opac_environment_free(env);
    return end;
}

static void test_livelock_is_noticed(void **unused)
{
    unsigned stuck = 0;
    uint64_t episodes;
    (void)unused;
    for (uint64_t k = 1; k <= 3; k++)
        for (uint64_t horizon = 1; horizon <= 6; horizon++) {
            assert_int_equal(end_of(k, horizon, false, &episodes), OPAC_END_DONE);
            opac_learn_end end = end_of(k, horizon, true, &episodes);
            assert_true(end == OPAC_END_DONE || end == OPAC_END_LIVELOCK);
            stuck += end == OPAC_END_LIVELOCK;
            if (end == OPAC_END_LIVELOCK)
                assert_true(episodes >= 64000);
        }
    assert_true(stuck > 0);
}

/* The detector waits as long when the run is interrupted, and resumed. */
static void test_livelock_of_resumed_runs(void **unused)
{
    char folder[] = "/tmp/omegapac.XXXXXX", path[64];
    opac_environment *env = table_environment(forked, 0, true);
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula};
    const sample_tuning tuning = {.patience = 1000};
    unsigned stuck = 0;
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    for (uint64_t i = 0; i < 18; i++) {
        opac_learn_options options = learning_options(1 + i % 6, 1 + i / 6);
        opac_learning *whole, *part;
        opac_error error = {0};
        options.untested = true;
        assert_ok(learn_tuned(env, &objective, &options, &tuning, &whole, &error), &error);
        stuck += whole->report.end == OPAC_END_LIVELOCK;
        options.checkpoint = path;
        for (uint64_t cut = 1; cut < 4 && whole->report.end == OPAC_END_LIVELOCK; cut++) {
            options.resume = cut > 1;
            options.max_steps = cut < 3 ? whole->run.steps / 3 * cut : 0;
            assert_ok(learn_tuned(env, &objective, &options, &tuning, &part, &error), &error);
            if (cut == 3)
                assert_int_equal(learning_hash(part), learning_hash(whole));
            opac_learning_free(part);
        }
        opac_learning_free(whole);
    }
    assert_true(stuck > 0);
    unlink(path);
    rmdir(folder);
    opac_formula_free(formula);
    opac_environment_free(env);
}

/* ---- what is refused ---- */

static void refuse_about(opac_learn_options options, const char *parameter, const char *message)
{
    opac_error error = {0};
    opac_environment *env = gridworld();
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula};
    opac_learning *l;
    assert_status(opac_learn(env, &objective, &options, &l, &error), OPAC_ERROR_ARGUMENT);
    assert_null(l);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' instead of '%s'", error.message, message);
    if (parameter != NULL)
        assert_string_equal(error.parameter, parameter);
    opac_formula_free(formula);
    opac_environment_free(env);
}

static void refuse(opac_learn_options options, const char *message)
{
    refuse_about(options, NULL, message);
}

static opac_learn_options with(double epsilon, double delta, double target, double slack)
{
    opac_learn_options options = learning_options(20, 100);
    options.epsilon = epsilon;
    options.delta = delta;
    options.target = target;
    options.slack = slack;
    return options;
}

static void test_options_are_checked(void **unused)
{
    opac_learn_options options = learning_options(20, 0);
    (void)unused;
    refuse_about(options, "states actions k", "a rule for k needs a bound on the states");
    options.states = 6;
    refuse_about(options, "actions k", "a rule for k needs a bound on the actions of a state");
    options.target = 0.5;
    refuse_about(options, "actions k", "a target needs a bound on the actions of a state");
    refuse_about(with(0, 0.1, 0, 0), "epsilon", "epsilon");
    refuse(with(NAN, 0.1, 0, 0), "epsilon");
    refuse(with(0.05, 1, 0, 0), "delta");
    refuse(with(0.05, 0.1, 0.1, 0), "target must exceed 2 epsilon");
    refuse(with(0.05, 0.1, 0, 1), "slack");
    options = with(0.05, 0.1, 0, 0.06);
    declare(&options, 6, 4, 3);
    refuse(options, "slack must exceed the accuracy");
    options = learning_options(20, 100);
    options.sampler = OPAC_SAMPLER_POPULATION;
    refuse(options, "population");
    options = learning_options(20, 100);
    options.resume = true;
    refuse(options, "checkpoint");
    options = learning_options(20, 100);
    options.target = 0.3;
    options.k_rule = OPAC_K_PAPER;
    refuse_about(options, "target", "a target needs the rule l1 for k");
    options.k_rule = OPAC_K_SOUND;
    refuse_about(options, "target", "a target needs the rule l1 for k");
    options = learning_options(20, 100);
    options.threads = 5000;
    refuse(options, "threads");
    options = learning_options(20, 100);
    options.max_seconds = -1;
    refuse_about(options, "max_seconds", "seconds");
    options = learning_options(20, 100);
    options.stop = (opac_learn_stop)7;
    refuse(options, "unknown");
}

static void test_too_large_k_is_a_limit(void **unused)
{
    opac_error error = {0};
    opac_environment *env = gridworld();
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula};
    opac_learn_options options = learning_options(UINT64_MAX / 2, 0);
    opac_learning *l;
    (void)unused;
    declare(&options, 6, 4, 3);
    assert_status(opac_learn(env, &objective, &options, &l, &error), OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than can be counted"));
    opac_formula_free(formula);
    opac_environment_free(env);
}

/* ---- slack ---- */

/* A state after an edge that is rarely taken: it takes long to become known, and matters little. */
static void test_slack_ends_early(void **unused)
{
    static const table_state states[] = {
        {.actions = 1, .action = {{.p = {0.99, 0.01}, .to = {1, 2}}}},
        {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {1}}}},
        {.actions = 1, .action = {{.p = {1}, .to = {2}}}}};
    opac_environment *env = table_environment(states, 0, false);
    opac_learn_options options = learning_options(3, 0);
    (void)unused;
    options.target = 0.2;
    declare(&options, 3, 1, 2);
    opac_learning *all = learning_of(env, "G F a", &options);
    options.slack = 0.06;
    opac_learning *some = learning_of(env, "G F a", &options);
    const opac_learn_report *r = opac_learning_report(some);
    assert_true(opac_learning_report(all)->risk == 0);
    assert_true(r->holds);
    assert_true(r->risk > 0);
    assert_true(r->risk <= 0.06);
    assert_true(r->episodes < opac_learning_report(all)->episodes);
    assert_true(fabs(r->error - (2 * (0.05 + r->accuracy) + r->risk + r->solver)) < 1e-12);
    assert_true(fabs(r->lower - (r->value - 0.05 - r->accuracy - r->risk)) < 1e-9);
    assert_true(r->upper >= fmin(1, r->value + r->solver + 0.05 + r->accuracy - 1e-15));
    opac_learning_free(all);
    opac_learning_free(some);
    opac_environment_free(env);
}

/* ---- what is promised ---- */

static const table_state to_and_fro[] = {
    {.actions = 1, .action = {{.p = {1}, .to = {1}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {0}}}}};

/* Nothing is, of a T that was searched for, or when the error is no less than 1. */
static void test_nothing_is_promised(void **unused)
{
    opac_environment *env = table_environment(to_and_fro, 0, false);
    opac_learn_options options = learning_options(0, 0);
    (void)unused;
    declare(&options, 2, 1, 1);
    opac_learning *l = learning_of(env, "G F a", &options);
    assert_int_equal(l->report.end, OPAC_END_DONE);
    assert_true(l->report.error < 1);
    assert_true(omega_pac_has_enough_samples(l));
    assert_false(l->report.holds);
    options.horizon = l->report.horizon;
    opac_learning_free(l);
    l = learning_of(env, "G F a", &options);
    assert_true(l->report.holds);
    assert_true(l->report.optimum_upper == 1);
    opac_learning_free(l);
    opac_environment_free(env);
    env = table_environment(forked, 0, false);
    options = learning_options(40, 0);
    declare(&options, 3, 2, 2);
    options.target = 1.5;
    l = learning_of(env, "G F a", &options);
    assert_int_equal(l->report.end, OPAC_END_DONE);
    assert_true(omega_pac_has_enough_samples(l));
    assert_true(l->report.error >= 1);
    assert_false(l->report.holds);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* The moves of the automaton are counted along with the actions, where counters are of pairs. */
static void test_moves_are_actions(void **unused)
{
    opac_environment *env = table_environment(to_and_fro, 0, false);
    const char *hoa = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- "
                      "State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--";
    opac_hoa_reader *reader;
    opac_automaton *guess;
    opac_learning *l;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_hoa_reader_new(hoa, strlen(hoa), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &guess, &error), &error);
    const opac_objective objective = {.automaton = guess};
    for (int i = 0; i < 2; i++) {
        opac_learn_options options = learning_options(4, 0);
        declare(&options, 2, 1, 1);
        options.count_pairs = i == 1;
        assert_ok(opac_learn(env, &objective, &options, &l, &error), &error);
        assert_int_equal(l->report.theory_actions, i == 1 ? 2 : 1);
        assert_int_equal(l->report.theory_states, i == 1 ? 2 * l->automaton->state_count : 2);
        assert_true(l->report.is_guess);
        opac_learning_free(l);
    }
    opac_automaton_free(guess);
    opac_hoa_reader_free(reader);
    opac_environment_free(env);
}

/* ---- interrupted, and resumed ---- */

static unsigned told;
static void listen(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    (void)context;
    told++;
    entry->truth = learning == NULL ? entry->truth : 0.25;
}

static void test_resumed_runs_come_to_the_same(void **unused)
{
    char folder[] = "/tmp/omegapac.XXXXXX", path[64];
    opac_environment *env = gridworld();
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    for (int automatic = 0; automatic < 2; automatic++) {
        opac_learn_options options = learning_options(automatic ? 0 : 40, 30);
        options.trace = listen;
        opac_learning *whole = learning_of(env, "G F a & G F b", &options);
        uint64_t steps = whole->run.steps;
        options.checkpoint = path;
        for (uint64_t cut = 40; cut < steps; cut += steps / 7) {
            options.max_steps = cut;
            options.resume = false;
            options.replace_checkpoint = true;
            opac_learning *part = learning_of(env, "G F a & G F b", &options);
            opac_learning_free(part);
            options.max_steps = 0;
            options.resume = true;
            told = 0;
            part = learning_of(env, "G F a & G F b", &options);
            assert_int_equal(learning_hash(part), learning_hash(whole));
            assert_int_equal(part->trace.count, whole->trace.count);
            assert_int_equal(told, whole->trace.count);
            assert_true(part->report.resumed);
            assert_true(part->report.value == whole->report.value);
            assert_int_equal(part->report.horizon, whole->report.horizon);
            assert_int_equal(part->report.policies, whole->report.policies);
            for (size_t i = 0; i < whole->trace.count; i++)
                assert_memory_equal(&part->trace.items[i], &whole->trace.items[i],
                                    sizeof *whole->trace.items);
            opac_learning_free(part);
        }
        opac_learning_free(whole);
    }
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
}

/* The same question, and numbers that it does not lead to: a guarantee for another T. */
static void test_foreign_numbers_are_refused(void **unused)
{
    char folder[] = "/tmp/omegapac.XXXXXX", path[64];
    opac_environment *env = gridworld();
    opac_formula *formula = learning_formula("G F a & G F b");
    const opac_objective objective = {.formula = formula};
    static const char *const words[] = {"its T differs", "its seed differs", "its k differs", NULL};
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    for (int i = 0; i < 4; i++) {
        opac_learn_options options = learning_options(40, 300);
        opac_error error = {0};
        options.max_steps = 200;
        opac_learning *l = learning_of(env, "G F a & G F b", &options);
        const sample_checkpoint all = {l->question, &l->run, &l->trace};
        l->run.horizon += i == 0;
        l->run.seed += i == 1;
        l->run.stats.k += i == 2;
        assert_ok(sample_checkpoint_write(&all, path, NULL, &error), &error);
        opac_learning_free(l);
        options.checkpoint = path;
        options.resume = true;
        opac_status status = opac_learn(env, &objective, &options, &l, &error);
        assert_status(status, words[i] != NULL ? OPAC_ERROR_ARGUMENT : OPAC_OK);
        assert_true(words[i] == NULL || strstr(error.message, words[i]) != NULL);
        opac_learning_free(l);
    }
    unlink(path);
    rmdir(folder);
    opac_formula_free(formula);
    opac_environment_free(env);
}

/* Stops the run as soon as there is policy number `last`. */
typedef struct stopper {
    opac_cancel *cancel;
    uint64_t last, seen;
} stopper;

static void stop_at_last(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    stopper *s = context;
    (void)learning, (void)entry;
    if (++s->seen == s->last)
        opac_cancel_request(s->cancel);
}

/* A ring that is slow to go round. */
static opac_model *make_ring(uint32_t states)
{
    opac_builder *builder;
    opac_model *model = NULL;
    opac_error error = {0};
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t i = 0; i < states; i++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        assert_ok(opac_builder_branch(builder, i, 0.75, &error), &error);
        assert_ok(opac_builder_branch(builder, (i + 1) % states, 0.25, &error), &error);
    }
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_label(builder, "a", 0, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/*
 * A recurrence time that takes a while to compute. If that is interrupted, T was not tested: the run is
 * not done and has no guarantee.
 */
static void test_requests_while_the_horizon_is_checked(void **unused)
{
    char folder[] = "/tmp/omegapac.XXXXXX", path[64];
    stopper s = {0};
    opac_environment *env;
    opac_error error = {0};
    opac_model *model = make_ring(13);
    opac_learn_options options = learning_options(400, 0);
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    opac_learning *whole = learning_of(env, "G F a", &options);
    assert_true(whole->report.end == OPAC_END_DONE);
    assert_true(whole->report.holds);
    assert_int_equal(whole->report.horizon_check, OPAC_HORIZON_CONSISTENT);
    s.last = whole->report.policies;
    assert_ok(opac_cancel_new(&s.cancel, &error), &error);
    options.cancel = s.cancel;
    options.trace = stop_at_last;
    options.trace_context = &s;
    options.checkpoint = path;
    opac_learning *part = learning_of(env, "G F a", &options);
    assert_int_equal(part->report.end, OPAC_END_CANCELLED);
    assert_int_equal(part->report.horizon_check, OPAC_HORIZON_UNCHECKED);
    assert_false(part->report.holds);
    opac_learning_free(part);
    options.cancel = NULL;
    options.resume = true;
    part = learning_of(env, "G F a", &options);
    assert_int_equal(learning_hash(part), learning_hash(whole));
    assert_true(part->report.end == OPAC_END_DONE);
    assert_true(part->report.holds);
    assert_int_equal(part->report.horizon_check, OPAC_HORIZON_CONSISTENT);
    opac_learning_free(part);
    opac_learning_free(whole);
    opac_cancel_free(s.cancel);
    unlink(path);
    rmdir(folder);
    opac_environment_free(env);
    opac_model_free(model);
}

static unsigned notices;
static void hear(void *context, uint32_t line, uint32_t column, const char *message)
{
    (void)context, (void)line, (void)column;
    notices += strlen(message) > 0;
}

static void test_unwritable_checkpoint_stops_nothing(void **unused)
{
    opac_environment *env = gridworld();
    opac_learn_options options = learning_options(40, 30);
    (void)unused;
    options.checkpoint = "/nonexistent/folder/checkpoint";
    options.notice = hear;
    notices = 0;
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    assert_int_equal(opac_learning_report(l)->end, OPAC_END_DONE);
    assert_true(notices > 0);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- want of memory ---- */

static opac_status run_small(void *context, opac_error *error)
{
    static const char *const names[] = {"a", "b", "c"};
    opac_environment *env;
    opac_learning *l = NULL;
    table *t = malloc(sizeof *t);
    const opac_objective *objective = context;
    opac_learn_options options = learning_options(6, 2);
    *t = (table){.states = grid};
    const opac_environment_callbacks callbacks = {.reset = table_reset,
                                                  .step = table_step,
                                                  .fork = table_fork,
                                                  .release = free,
                                                  .propositions = names,
                                                  .proposition_count = 3};
    declare(&options, 6, 4, 3);
    options.max_steps = 200;
    options.slack = 0;
    opac_status status = opac_environment_new(&callbacks, t, &env, error);
    if (status != OPAC_OK)
        return status;
    status = opac_learn(env, objective, &options, &l, error);
    opac_learning_free(l);
    opac_environment_free(env);
    return status;
}

static void test_want_of_memory(void **unused)
{
    opac_formula *formula = learning_formula("G F a & G F b");
    opac_automaton *automaton;
    opac_error error = {0};
    const opac_automaton_options rabin = {.acceptance = OPAC_ACCEPTANCE_RABIN};
    (void)unused;
    gridworld_make(grid);
    assert_ok(opac_automaton_translate(formula, &rabin, &automaton, &error), &error);
    opac_objective objective = {.automaton = automaton};
    assert_true(faults_sweep(run_small, &objective) > 50);
    opac_automaton_free(automaton);
    opac_formula_free(formula);
}

SUITE(ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared_bounds_end_the_run),
        cmocka_unit_test(test_uncounted_visits_are_looked_at),
        cmocka_unit_test(test_steps_are_never_exceeded),
        cmocka_unit_test(test_seconds_and_requests),
        cmocka_unit_test(test_requests_hide_no_bound),
        cmocka_unit_test(test_livelock_is_noticed),
        cmocka_unit_test(test_livelock_of_resumed_runs),
        cmocka_unit_test(test_options_are_checked),
        cmocka_unit_test(test_too_large_k_is_a_limit),
        cmocka_unit_test(test_slack_ends_early),
        cmocka_unit_test(test_nothing_is_promised),
        cmocka_unit_test(test_moves_are_actions),
        cmocka_unit_test(test_resumed_runs_come_to_the_same),
        cmocka_unit_test(test_foreign_numbers_are_refused),
        cmocka_unit_test(test_requests_while_the_horizon_is_checked),
        cmocka_unit_test(test_unwritable_checkpoint_stops_nothing),
        cmocka_unit_test(test_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
