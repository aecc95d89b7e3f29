/* SPDX-License-Identifier: MIT */
/*
 * Compares the maximum recurrence time of a process with an enumeration of all its positional policies,
 * without merging those that differ only in unreachable states.
 */
#include <omegapac/cancel.h>

#include "graph/graph_builder.h"
#include "solve/recurrence.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random_process.h"

enum {
    STATES = 6
};

/* ---- the oracle ---- */

/* The chain of one choice a state, by their places. */
static void make_chain(const graph_process *process, const uint32_t *place, graph_process *chain)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t c = process->choice_begin[s] + place[s];
        assert_ok(graph_builder_state(&builder, &error), &error);
        if (c >= process->choice_begin[s + 1])
            continue;
        assert_ok(graph_builder_choice(&builder, &error), &error);
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            assert_ok(graph_builder_edge(&builder, process->target[e], process->prob[e], &error),
                      &error);
    }
    assert_ok(graph_builder_finish(&builder, chain, &error), &error);
}

static uint64_t time_of(const graph_process *process, const uint32_t *place,
                        const solve_recurrence_options *options)
{
    graph_process chain;
    solve_recurrence result;
    opac_error error;
    make_chain(process, place, &chain);
    assert_ok(solve_recurrence_chain(&chain, 0, options, &result, &error), &error);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_FOUND);
    graph_process_fini(&chain);
    return result.steps;
}

static bool next_policy(const graph_process *process, uint32_t *place)
{
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (process->choice_begin[s] + ++place[s] < process->choice_begin[s + 1])
            return true;
        place[s] = 0;
    }
    return false;
}

static uint64_t greatest(const graph_process *process, const solve_recurrence_options *options)
{
    uint32_t place[STATES] = {0};
    uint64_t most = 0;
    do {
        uint64_t steps = time_of(process, place, options);
        most = steps > most ? steps : most;
    } while (next_policy(process, place));
    return most;
}

/* ---- the same ---- */

/* The returned policy has the returned time. */
static void check_policy(const graph_process *process, const uint32_t *choice,
                         const solve_recurrence_options *options, uint64_t steps)
{
    uint32_t place[STATES] = {0};
    for (uint32_t s = 0; s < process->state_count; s++)
        if (choice[s] != GRAPH_NONE)
            place[s] = choice[s] - process->choice_begin[s];
    assert_int_equal(time_of(process, place, options), steps);
}

static void check_process(const graph_process *process, const solve_recurrence_options *options)
{
    solve_recurrence result;
    uint32_t choice[STATES];
    uint64_t policies, expected = greatest(process, options);
    opac_error error;
    assert_ok(solve_recurrence_process(process, 0, options, &result, choice, &policies, &error),
              &error);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_FOUND);
    assert_int_equal(result.steps, expected);
    assert_true(result.before < 1 - options->epsilon);
    assert_true(1 - options->epsilon <= result.reached);
    assert_true(policies > 0);
    check_policy(process, choice, options, expected);
}

/* With a limit of work or of steps the result is a lower bound, with the corresponding outcome. */
static void check_limits(const graph_process *process, const solve_recurrence_options *options)
{
    solve_recurrence_options limited = *options;
    solve_recurrence result, full;
    uint64_t policies;
    opac_error error;
    assert_ok(solve_recurrence_process(process, 0, options, &full, NULL, &policies, &error),
              &error);
    for (limited.max_work = 1; limited.max_work < full.work; limited.max_work *= 3) {
        assert_ok(solve_recurrence_process(process, 0, &limited, &result, NULL, &policies, &error),
                  &error);
        assert_true(result.steps <= full.steps);
        if (result.outcome == SOLVE_RECURRENCE_FOUND)
            assert_int_equal(result.steps, full.steps);
        else
            assert_int_equal(result.outcome, SOLVE_RECURRENCE_TOO_BIG);
    }
    limited = *options;
    for (limited.max_steps = 1; limited.max_steps < full.steps + 3; limited.max_steps += 2) {
        assert_ok(solve_recurrence_process(process, 0, &limited, &result, NULL, &policies, &error),
                  &error);
        assert_int_equal(result.outcome, limited.max_steps < full.steps ? SOLVE_RECURRENCE_LONGER
                                                                        : SOLVE_RECURRENCE_FOUND);
    }
}

static void test_all_policies(void **context)
{
    uint64_t random = random_seed(99);
    const random_shape shape = {STATES, 3, 3};
    (void)context;
    for (int round = 0; round < 300; round++) {
        graph_process process;
        random_process(&random, shape, &process);
        const solve_recurrence_options options = {.epsilon = 0.05 + 0.1 * random_below(&random, 5),
                                                  .literal = round % 2 == 1};
        check_process(&process, &options);
        if (round % 10 == 0)
            check_limits(&process, &options);
        graph_process_fini(&process);
    }
}

/* ---- the search alone ---- */

static void add_choice(graph_builder *builder, uint32_t a, double p, uint32_t b)
{
    opac_error error;
    assert_ok(graph_builder_choice(builder, &error), &error);
    assert_ok(graph_builder_edge(builder, a, p, &error), &error);
    assert_ok(graph_builder_edge(builder, b, 1 - p, &error), &error);
}

/*
 * Without the enumeration of all policies, the search finds a lower bound: never more than the
 * greatest time, and in these small processes the greatest time itself in 97 % of them (292 of 300).
 */
static void test_search(void **context)
{
    enum {
        ROUNDS = 300
    };
    uint64_t random = random_seed(17);
    const random_shape shape = {STATES, 3, 3};
    uint32_t choice[STATES];
    int equal = 0;
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        graph_process process;
        solve_recurrence full, found;
        uint64_t policies;
        opac_error error;
        random_process(&random, shape, &process);
        solve_recurrence_options options = {.epsilon = 0.05 + 0.1 * random_below(&random, 5),
                                            .literal = round % 2 == 1};
        assert_ok(solve_recurrence_process(&process, 0, &options, &full, NULL, &policies, &error),
                  &error);
        options.search_only = true;
        options.max_component = round % 3 == 0 ? 2 : 0; /* larger ones are followed in part */
        assert_ok(
            solve_recurrence_process(&process, 0, &options, &found, choice, &policies, &error),
            &error);
        assert_int_equal(found.outcome, SOLVE_RECURRENCE_TOO_BIG);
        assert_true(found.steps <= full.steps);
        equal += found.steps == full.steps;
        graph_process_fini(&process);
    }
    if (equal < ROUNDS * 95 / 100)
        fail_msg("the search found the greatest time in %d of %d processes", equal, ROUNDS);
}

/*
 * A ring in which one choice of each state advances and the other stays with probability 0.99. The initial
 * policy takes the second everywhere. With work for only a few policies its time is the lower bound, even
 * if the ring is too large to track all its states.
 */
static void test_starts(void **context)
{
    const uint32_t sizes[] = {8, 40};
    (void)context;
    for (size_t i = 0; i < 2; i++) {
        graph_builder builder = {.weighted = true};
        graph_process process;
        solve_recurrence given, found;
        uint32_t slow[40];
        const uint32_t *const starts[] = {slow};
        uint64_t policies;
        opac_error error;
        for (uint32_t s = 0; s < sizes[i]; s++) {
            assert_ok(graph_builder_state(&builder, &error), &error);
            add_choice(&builder, (s + 1) % sizes[i], .5, s);
            add_choice(&builder, (s + 1) % sizes[i], .01, s);
            slow[s] = 2 * s + 1;
        }
        assert_ok(graph_builder_finish(&builder, &process, &error), &error);
        const solve_recurrence_options rough = {.epsilon = .05, .lower_bound_only = true};
        const solve_recurrence_options options = {.epsilon = .05,
                                                  .initial_policies = starts,
                                                  .initial_policy_count = 1,
                                                  .max_work = 100000000};
        assert_ok(solve_recurrence_policy(&process, slow, 0, &rough, &given, &error), &error);
        assert_ok(solve_recurrence_process(&process, 0, &options, &found, NULL, &policies, &error),
                  &error);
        assert_true(given.steps > 500);
        assert_true(found.steps >= given.steps);
        graph_process_fini(&process);
    }
}

/* ---- merging ---- */

/* Three choices at the start, of which two are the same in another order; a state out of reach. */
static void make_twins(graph_process *process)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    assert_ok(graph_builder_state(&builder, &error), &error);
    add_choice(&builder, 0, .5, 1);
    add_choice(&builder, 1, .5, 0);
    add_choice(&builder, 0, .25, 1);
    assert_ok(graph_builder_state(&builder, &error), &error);
    assert_ok(graph_builder_state(&builder, &error), &error);
    add_choice(&builder, 0, .5, 1);
    add_choice(&builder, 0, .25, 1);
    assert_ok(graph_builder_finish(&builder, process, &error), &error);
}

static void test_merging(void **context)
{
    const solve_recurrence_options options = {.epsilon = .05};
    graph_process process;
    solve_recurrence result;
    uint32_t choice[3];
    uint64_t policies;
    opac_error error;
    (void)context;
    make_twins(&process);
    assert_ok(solve_recurrence_process(&process, 0, &options, &result, choice, &policies, &error),
              &error);
    assert_int_equal(policies, 2);
    assert_int_equal(result.steps, 6);
    assert_int_equal(choice[0], 0);
    assert_int_equal(choice[1], GRAPH_NONE);
    assert_int_equal(choice[2], GRAPH_NONE);
    graph_process_fini(&process);
}

/* ---- pruning ---- */

/*
 * The initial state loops with probability .9, which takes long, or leaves to a sink; with probability 1e-6
 * it leads to a chain of states with two choices each, which do not affect the time.
 */
static void make_rare(uint32_t row, graph_process *process)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    assert_ok(graph_builder_state(&builder, &error), &error);
    assert_ok(graph_builder_choice(&builder, &error), &error);
    assert_ok(graph_builder_edge(&builder, 0, .9, &error), &error);
    assert_ok(graph_builder_edge(&builder, 1, .1 - 1e-6, &error), &error);
    assert_ok(graph_builder_edge(&builder, 2, 1e-6, &error), &error);
    assert_ok(graph_builder_state(&builder, &error), &error);
    for (uint32_t s = 0; s < row; s++) {
        assert_ok(graph_builder_state(&builder, &error), &error);
        add_choice(&builder, 1, .5, s + 1 < row ? s + 3 : 1);
        add_choice(&builder, 1, .25, s + 1 < row ? s + 3 : 1);
    }
    assert_ok(graph_builder_finish(&builder, process, &error), &error);
}

/* There are 2^30 policies, pruned before the choices of the rare part are enumerated. */
static void test_pruning(void **context)
{
    const solve_recurrence_options options = {.epsilon = .05};
    graph_process process;
    solve_recurrence result;
    uint64_t policies;
    opac_error error;
    (void)context;
    make_rare(30, &process);
    assert_ok(solve_recurrence_process(&process, 0, &options, &result, NULL, &policies, &error),
              &error);
    assert_int_equal(result.outcome, SOLVE_RECURRENCE_FOUND);
    assert_int_equal(result.steps, 30);
    assert_true(policies < 10000);
    graph_process_fini(&process);
}

/* ---- stopping, and failing ---- */

static void test_cancel(void **context)
{
    opac_cancel *cancel;
    graph_process process;
    solve_recurrence result;
    uint64_t policies;
    opac_error error;
    (void)context;
    make_twins(&process);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    const solve_recurrence_options options = {.epsilon = .05, .cancel = cancel};
    assert_status(solve_recurrence_process(&process, 0, &options, &result, NULL, &policies, &error),
                  OPAC_ERROR_CANCELLED);
    assert_status(solve_recurrence_chain(&process, 0, &options, &result, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    graph_process_fini(&process);
}

static void test_arguments(void **context)
{
    const double wrong[] = {0, 1, -1, 2};
    graph_process process;
    solve_recurrence result;
    opac_error error;
    (void)context;
    make_twins(&process);
    for (size_t i = 0; i < 4; i++) {
        const solve_recurrence_options options = {.epsilon = wrong[i]};
        assert_status(solve_recurrence_chain(&process, 0, &options, &result, &error),
                      OPAC_ERROR_ARGUMENT);
    }
    const solve_recurrence_options options = {.epsilon = .1};
    assert_status(solve_recurrence_chain(&process, 3, &options, &result, &error),
                  OPAC_ERROR_ARGUMENT);
    graph_process_fini(&process);
}

static opac_status measure(void *context, opac_error *error)
{
    const solve_recurrence_options options = {.epsilon = 1e-9};
    solve_recurrence result;
    uint64_t policies;
    opac_status status =
        solve_recurrence_process(context, 0, &options, &result, NULL, &policies, error);
    if (status == OPAC_OK) {
        const solve_recurrence_options slow = {.epsilon = 1e-200, .max_work = 1 << 20};
        status = solve_recurrence_chain(context, 0, &slow, &result, error);
    }
    return status;
}

static void test_faults(void **context)
{
    uint64_t random = 5;
    graph_process process;
    (void)context;
    random_process(&random, (random_shape){STATES, 2, 3}, &process);
    assert_true(faults_sweep(measure, &process) > 10);
    graph_process_fini(&process);
}

SUITE(recurrence_process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_policies), cmocka_unit_test(test_search),
        cmocka_unit_test(test_starts),       cmocka_unit_test(test_merging),
        cmocka_unit_test(test_pruning),      cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_arguments),    cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
