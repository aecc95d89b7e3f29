/* SPDX-License-Identifier: MIT */
/*
 * A strategy of a few lines over the interface of the learners (sample/strategy.h): it takes actions in
 * turn, for a number of episodes, and reports frequencies. Samplers, threads, limits and checkpoints work
 * as for the other strategies.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runs.h"
#include "sample/assumptions.h"
#include "sample/strategy.h"
#include "support/temporary.h"

enum {
    EPISODES = 400,
    HORIZON = 25
};

/* ---- the strategy ---- */

static opac_status check(const opac_learn_options *options, const env_traits *traits,
                         opac_error *error)
{
    (void)options;
    (void)traits;
    (void)error;
    return OPAC_OK;
}

static void describe(const opac_learn_options *options, base_text *text)
{
    sample_question_count(text, "T", options->horizon);
    base_text_add(text, "actions=turns\n");
}

static opac_status choose_k(opac_learning *l, uint64_t *k, opac_error *error)
{
    (void)l;
    (void)error;
    *k = SAMPLE_NEVER_FULL;
    return OPAC_OK;
}

static opac_status prepare(opac_learning *l, const sample_tuning *tuning, opac_error *error)
{
    (void)l;
    (void)tuning;
    (void)error;
    return OPAC_OK;
}

static bool may_draw(const opac_learn_options *options)
{
    (void)options;
    return false;
}

static opac_status nothing(sample_loop *loop, opac_error *error)
{
    (void)loop;
    (void)error;
    return OPAC_OK;
}

static opac_status next(sample_loop *loop, bool *wants_samples, opac_error *error)
{
    sample_run *run = &loop->learning->run;
    (void)error;
    sample_loop_pause(loop);
    run->round = (sample_round){.episodes = EPISODES, .turns = 1, .turn_choices = 8};
    run->limit = EPISODES;
    *wants_samples = run->episodes < EPISODES;
    if (!*wants_samples)
        sample_loop_end(loop, OPAC_END_DONE);
    return OPAC_OK;
}

static opac_status report(opac_learning *l, opac_error *error)
{
    base_text text = {0};
    sample_report_counts(l);
    base_text_add(&text, "no guarantee: actions took turns");
    return sample_set_statement(l, &text, error);
}

static uint32_t choice(const sample_run *run, uint32_t product_state)
{
    return sample_first_unknown(run, &run->stats, product_state);
}

static opac_status save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    (void)run;
    (void)words;
    (void)error;
    return OPAC_OK;
}

static opac_status restore(sample_run *run, const uint64_t *words, size_t count, opac_error *error)
{
    (void)run;
    (void)words;
    return count == 0 ? OPAC_OK : base_fail(error, OPAC_ERROR_ARGUMENT, "there are words");
}

static const sample_strategy in_turn = {.check = check,
                                        .describe = describe,
                                        .choose_k = choose_k,
                                        .prepare = prepare,
                                        .may_draw = may_draw,
                                        .start = nothing,
                                        .resume = nothing,
                                        .next = next,
                                        .absorb = nothing,
                                        .fail = sample_loop_save,
                                        .finish = nothing,
                                        .report = report,
                                        .choice = choice,
                                        .choice_of_new = sample_first_unknown,
                                        .save = save,
                                        .restore = restore,
                                        .has_fixed_length = true};

/* ---- runs ---- */

static opac_learning *run(opac_environment *env, const opac_learn_options *options)
{
    const sample_tuning tuning = {.strategy = &in_turn};
    opac_formula *formula = learning_formula("G F a & G F b");
    const opac_objective objective = {.formula = formula};
    opac_error error = {0};
    opac_learning *learning;
    assert_ok(learn_tuned(env, &objective, options, &tuning, &learning, &error), &error);
    opac_formula_free(formula);
    return learning;
}

static table_state grid[6];

/* The key of a table is the number of its state. */
static uint32_t number_of(const sample_statistics *stats, uint32_t state)
{
    size_t length;
    uint32_t number;
    memcpy(&number, base_intern_key(&stats->keys, state, &length), sizeof number);
    return number;
}

static double probability(uint32_t from, uint32_t action, uint32_t to)
{
    const table_action *a = &grid[from].action[action];
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a->p[i] > 0 && a->to[i] == to ? a->p[i] : 0;
    return sum;
}

/* By Hoeffding's inequality, a false alarm has probability 1e-9 for each successor. */
static uint32_t check_frequencies(const sample_statistics *stats)
{
    uint32_t sampled = 0;
    for (uint32_t c = 0; c < stats->counters.count; c++) {
        const sample_row *row = &stats->rows.items[stats->counters.items[c].row];
        double n = (double)stats->counters.items[c].count;
        uint32_t from = n > 0 ? number_of(stats, row->state) : 0;
        for (uint32_t b = 0; n > 0 && b < row->width; b++) {
            uint32_t to = number_of(stats, stats->targets.items[row->begin + b]);
            double frequency = (double)sample_statistics_observed(stats, c, b) / n;
            assert_true(fabs(frequency - probability(from, row->action, to)) <
                        sqrt(log(2e9) / (2 * n)));
        }
        sampled += n > 0;
    }
    return sampled;
}

static void frequencies(void **state)
{
    (void)state;
    opac_learn_options options = learning_options(HORIZON, 0);
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_learning *l = run(env, &options);
    assert_int_equal(l->run.episodes, EPISODES);
    assert_int_equal(l->run.steps, EPISODES * HORIZON);
    assert_int_equal(l->report.samples, EPISODES * HORIZON);
    assert_false(l->report.holds);
    assert_string_equal(opac_learning_statement(l), "no guarantee: actions took turns");
    assert_true(check_frequencies(&l->run.stats) >= 5);
    opac_learning_free(l);
    opac_environment_free(env);
}

static void threads_and_lanes(void **state)
{
    (void)state;
    opac_learn_options options = learning_options(HORIZON, 0);
    uint64_t first = 0;
    gridworld_make(grid);
    for (unsigned i = 0; i < 4; i++) {
        opac_environment *env =
            i % 2 == 0 ? table_environment(grid, 4, false) : lanes_environment(grid, 4);
        options.threads = i < 2 ? 1 : 3;
        opac_learning *l = run(env, &options);
        first = i == 0 ? learning_hash(l) : first;
        assert_int_equal(learning_hash(l), first);
        opac_learning_free(l);
        opac_environment_free(env);
    }
}

/* Stopped by a limit on steps, and resumed. */
static void checkpoints(void **state)
{
    (void)state;
    char folder[512], path[544];
    opac_learn_options options = learning_options(HORIZON, 0);
    gridworld_make(grid);
    opac_environment *env = table_environment(grid, 0, false);
    opac_learning *whole = run(env, &options);
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    options.checkpoint = path;
    options.max_steps = 130 * HORIZON;
    opac_learning *part = run(env, &options);
    assert_int_equal(part->report.end, OPAC_END_STEPS);
    assert_int_equal(part->run.episodes, 130);
    options.max_steps = 0;
    options.resume = true;
    opac_learning *rest = run(env, &options);
    assert_true(rest->report.resumed);
    assert_int_equal(learning_hash(rest), learning_hash(whole));
    opac_learning_free(rest);
    opac_learning_free(part);
    opac_learning_free(whole);
    opac_environment_free(env);
    remove(path);
    rmdir(folder);
}

SUITE(strategy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies),
        cmocka_unit_test(threads_and_lanes),
        cmocka_unit_test(checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
