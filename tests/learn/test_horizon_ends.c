/* SPDX-License-Identifier: MIT */
/* Brackets from T: wherever a run ends, its lower end is that of the policy that it returns; and it ends. */
#include <omegapac/automaton.h>

#include "horizon/horizon_bracket.h"
#include "learn/runs.h"
#include "stat/sequence.h"

/*
 * Two actions win with similar probabilities, so that candidates replace each other; and on the way there are
 * many rows, so that trials give better bounds than the rows.
 */
static const table_state rivals[] = {
    {.actions = 2, .action = {{.p = {0.5, 0.5}, .to = {3, 4}}, {.p = {0.5, 0.5}, .to = {5, 6}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {1}}}},
    {.actions = 1, .action = {{.p = {1}, .to = {2}}}},
    {.actions = 1, .action = {{.p = {0.5, 0.3, 0.2}, .to = {7, 2, 8}}}},
    {.actions = 1, .action = {{.p = {0.5, 0.3, 0.2}, .to = {8, 2, 7}}}},
    {.actions = 1, .action = {{.p = {0.6, 0.2, 0.2}, .to = {9, 2, 10}}}},
    {.actions = 1, .action = {{.p = {0.6, 0.2, 0.2}, .to = {10, 2, 9}}}},
    {.actions = 1, .action = {{.p = {0.9, 0.1}, .to = {1, 2}}}},
    {.actions = 1, .action = {{.p = {0.9, 0.1}, .to = {1, 2}}}},
    {.actions = 1, .action = {{.p = {0.9, 0.1}, .to = {1, 2}}}},
    {.actions = 1, .action = {{.p = {0.9, 0.1}, .to = {1, 2}}}},
};

static opac_learning *run_rivals(uint64_t seed, uint64_t limit)
{
    opac_environment *environment = table_environment(rivals, 0, false);
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 8;
    options.epsilon = 0.01;
    options.delta = 0.9;
    options.max_steps = limit;
    options.seed = seed;
    options.threads = 1;
    options.untested = true;
    opac_learning *learning = learning_of(environment, "F G a", &options);
    opac_environment_free(environment);
    return learning;
}

/* Whether L is by a trial: then of the policy that is returned. */
static bool check_lower(const opac_learning *learning)
{
    const horizon_state *own = horizon_state_of(&learning->run);
    const sample_candidate *candidate =
        own->source == HORIZON_FROM_BEST ? &own->best : &own->current;
    if (own->source != HORIZON_FROM_BEST && own->source != HORIZON_FROM_CURRENT)
        return false;
    size_t count = candidate->policy.choice.count;
    assert_int_equal(own->last_policy.choice.count, count);
    assert_memory_equal(own->last_policy.choice.items, candidate->policy.choice.items,
                        count * sizeof(uint32_t));
    double bound = sample_candidate_lower(candidate, sample_row_sets_budget(own->sets),
                                          learning->options.epsilon);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_true(fabs(report->lower - fmin(bound, report->upper)) < 1e-12);
    assert_int_equal(report->trial_episodes, candidate->episodes);
    assert_int_equal(report->trial_wins, candidate->wins);
    return true;
}

/* With every limit on steps the run ends at another place, also directly after a candidate was replaced. */
static void test_every_limit(void **unused)
{
    unsigned by_trial = 0;
    uint64_t candidates = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (uint64_t limit = 40; limit < 1000; limit += 7) {
            opac_learning *learning = run_rivals(seed, limit);
            by_trial += check_lower(learning);
            if (opac_learning_report(learning)->candidates > candidates)
                candidates = opac_learning_report(learning)->candidates;
            opac_learning_free(learning);
        }
    assert_true(by_trial > 100);
    assert_true(candidates > 1);
}

/*
 * The automaton has two initial states, of which the first rejects. With one step left exploration has no
 * choice for the start, whose first choice leads to REJECT: episodes must not end before they begin.
 */
static void test_start_is_left(void **unused)
{
    static const char hoa[] = "HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 1 \"a\"\n"
                              "Acceptance: 1 Inf(0)\n--BODY--\n"
                              "State: 0\n[0] 0 {0}\nState: 1\n[!0] 1 {0}\n--END--\n";
    static const table_state loop[] = {{.actions = 1, .action = {{.p = {1}, .to = {0}}}}};
    opac_learn_options options = opac_learn_defaults();
    opac_objective objective = {0};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_learning *learning;
    opac_error error = {0};
    (void)unused;
    assert_ok(opac_hoa_reader_new(hoa, sizeof hoa - 1, NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    objective.automaton = automaton;
    options.horizon = 5;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.max_steps = 10000;
    options.threads = 1;
    options.untested = true;
    opac_environment *environment = table_environment(loop, 0, false);
    assert_ok(opac_learn(environment, &objective, &options, &learning, &error), &error);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_int_equal(report->end, OPAC_END_DONE);
    assert_true(report->steps > 0);
    assert_true(report->lower >= 0.8);
    opac_learning_free(learning);
    opac_environment_free(environment);
    opac_automaton_free(automaton);
}

/* A delta whose parts are not exact is refused, with T and without, before anything is sampled. */
static void test_least_delta(void **unused)
{
    static const double deltas[] = {5e-324, 1e-310, 1e-307, 1e-306};
    opac_formula *formula = learning_formula("F a");
    const opac_objective objective = {.formula = formula};
    (void)unused;
    for (size_t i = 0; i < sizeof deltas / sizeof deltas[0]; i++)
        for (int free = 0; free < 2; free++) {
            opac_environment *environment = table_environment(rivals, 0, false);
            opac_learn_options options = opac_learn_defaults();
            opac_learning *learning = NULL;
            opac_error error = {0};
            options.horizon = free == 1 ? 0 : 8;
            options.nothing_known = free == 1;
            options.epsilon = 0.1;
            options.delta = deltas[i];
            options.max_steps = 100;
            options.threads = 1;
            options.untested = true;
            opac_status status = opac_learn(environment, &objective, &options, &learning, &error);
            assert_status(status, deltas[i] < 1e-306 ? OPAC_ERROR_ARGUMENT : OPAC_OK);
            if (status != OPAC_OK)
                assert_string_equal(error.parameter, "delta");
            opac_learning_free(learning);
            opac_environment_free(environment);
        }
    opac_formula_free(formula);
}

/* The first action is better, but loses its first episodes of some seeds; the last two states win and lose. */
static const table_state choices[] = {
    {.actions = 2, .action = {{.p = {0.6, 0.4}, .to = {2, 3}}, {.p = {0.5, 0.5}, .to = {1, 3}}}},
    {.actions = 2, .action = {{.p = {0.7, 0.3}, .to = {2, 3}}, {.p = {0.2, 0.8}, .to = {2, 1}}}},
    {.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {2}}}},
    {.actions = 1, .action = {{.p = {1}, .to = {3}}}},
};

/* Without knowledge a run ends when the trial bounds the share of wins from both sides, not when few episodes of the trial
 * were won: for these few, L and the share are both near 0. */
static void test_end_without_knowledge(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        opac_environment *environment = table_environment(choices, 0, false);
        opac_learn_options options = opac_learn_defaults();
        options.nothing_known = true;
        options.epsilon = 0.1;
        options.delta = 0.1;
        options.seed = seed;
        options.threads = 1;
        options.untested = true;
        opac_learning *learning = learning_of(environment, "F a", &options);
        const opac_learn_report *report = opac_learning_report(learning);
        assert_int_equal(report->end, OPAC_END_DONE);
        double log_alpha = log(report->delta_episodes / 2); /* the largest one, of candidate 1 */
        double upper =
            stat_sequence_jeffreys(report->trial_wins, report->trial_episodes, log_alpha).upper;
        assert_true(upper - report->lower <= 2 * options.epsilon);
        assert_true((double)report->trial_wins / (double)report->trial_episodes - report->lower <=
                    options.epsilon);
        assert_true(report->lower > 0.45);
        opac_learning_free(learning);
        opac_environment_free(environment);
    }
}

SUITE(horizon_ends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_limit), cmocka_unit_test(test_end_without_knowledge),
        cmocka_unit_test(test_start_is_left), cmocka_unit_test(test_least_delta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
