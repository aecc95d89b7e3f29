/* SPDX-License-Identifier: MIT */
/* Inductive bounds in double-doubles: proves slow chains, and rejects candidates on the wrong side. */
#include <math.h>

#include "solve/inductive_bounds_dd.h"
#include "support/check.h"
#include "support/random.h"
#include "support/random_quotient.h"

enum {
    MOST = 128
};

typedef struct scene {
    quotient_maker maker;
    graph_workspace workspace;
    solve_block_task task;
    double lower[MOST], upper[MOST], saved[MOST], low[MOST], high[MOST];
    uint32_t choice[MOST], policy[MOST];
    solve_bounds bounds;
} scene;

/* A task for block 0 of a finished quotient, without known bounds. */
static void begin(scene *s, const solve_quotient *q)
{
    s->task = (solve_block_task){.width = 1e-6,
                                 .lower = s->lower,
                                 .upper = s->upper,
                                 .choice = s->choice,
                                 .saved = s->saved,
                                 .workspace = &s->workspace};
    for (uint32_t n = 0; n < MOST; n++) {
        s->lower[n] = 0;
        s->upper[n] = 1;
    }
    s->bounds = (solve_bounds){.low = s->low, .high = s->high, .policy = s->policy};
    solve_block_init(q, 0, &s->task.block);
}

static void prove(scene *s)
{
    double halves[MOST];
    opac_error error = {0};
    solve_policy_iteration improved;
    uint64_t work;
    for (uint32_t n = 0; n < MOST; n++)
        halves[n] = 0.5;
    assert_ok(solve_policy_iterate(&s->task, halves, 1 << 26, &improved, &error), &error);
    assert_true(improved.done);
    assert_ok(solve_inductive_bounds_dd(&s->task, &improved, 1e-9, &s->bounds, &work, &error),
              &error);
}

/*
 * Two nodes lead to each other; a run leaves with probability `out`: from the first it wins, from the
 * second it loses.
 */
static void make_pair(quotient_maker *maker, double out, bool twice)
{
    for (uint32_t i = 0; i < 2; i++)
        for (int k = 0; k < 1 + twice; k++) {
            if (k == 0)
                maker_node(maker);
            double own = k == 0 ? out : out / 2; /* leaves half as fast, with the same value */
            maker_choice(maker, i == 0 ? own : 0, i == 0 ? 0 : own);
            maker_edge(maker, 1 - i, k == 0 ? 1 - out : (1 - out) / 2);
            if (k > 0)
                maker_edge(maker, i, 0.5);
        }
}

/* With w = 1 - out: x = out + w y, y = w x. */
static void slow_pairs(void **state)
{
    (void)state;
    static const double outs[] = {1e-3, 1e-6, 1e-9, 1e-11, 1e-12};
    for (size_t i = 0; i < sizeof outs / sizeof *outs; i++)
        for (int kind = 0; kind < 4; kind++) {
            scene s = {0};
            make_pair(&s.maker, outs[i], kind / 2);
            begin(&s, maker_finish(&s.maker, kind % 2));
            prove(&s);
            assert_true(s.bounds.has_low);
            assert_true(s.bounds.has_high);
            long double w = 1 - outs[i], x = outs[i] / (outs[i] * (1 + w)), y = w * x;
            for (uint32_t n = 0; n < 2; n++) {
                long double exact = s.maker.number[0] == n ? x : y;
                assert_true(s.low[n] <= exact * (1 + 1e-18L));
                assert_true(s.high[n] >= exact * (1 - 1e-18L));
                assert_true(s.high[n] - s.low[n] <= 1e-11 * s.low[n]);
            }
            maker_fini(&s.maker);
            graph_workspace_fini(&s.workspace);
        }
}

static base_dd wide_of_fraction(int64_t numerator, int64_t denominator)
{
    double high = (double)numerator / (double)denominator;
    double low = fma(-high, (double)denominator, (double)numerator) / (double)denominator;
    return base_dd_quick_sum(high, low);
}

/*
 * A vector on the wrong side of the exact solution of a random quotient, even by only 1e-20 of its value,
 * is never accepted.
 */
static void false_candidates_are_refused(void **state)
{
    (void)state;
    uint64_t random = random_seed(33);
    uint32_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        scene s = {0};
        random_quotient q;
        random_quotient_make(&random, round % 2 == 1, &q);
        solve_quotient whole = q.maker.quotient;
        uint32_t block_begin[] = {0, whole.node_count};
        whole.block_begin = block_begin;
        whole.block_count = 1;
        begin(&s, &whole);
        bool above = random_below(&random, 2) == 0, wrong = false;
        base_dd x[RANDOM_NODES];
        uint32_t policy[RANDOM_NODES];
        for (uint32_t i = 0; i < q.nodes; i++) {
            static const double sizes[] = {1e-3, 1e-9, 1e-14, 1e-20};
            uint32_t n = q.maker.number[i];
            double size = sizes[random_below(&random, 4)];
            bool out = random_below(&random, 6) > 0; /* to the side that is right */
            base_dd exact = wide_of_fraction(q.numerator[i], q.denominator[i]);
            wrong = wrong || (!out && exact.high > 0);
            x[n] = base_dd_add(exact, base_dd_of((out == above ? size : -size) * exact.high));
            policy[n] = whole.choice_begin[n];
        }
        bool taken = solve_is_inductive(&s.task, x, policy, above);
        assert_false(wrong && taken);
        accepted += taken;
        random_quotient_fini(&q);
        graph_workspace_fini(&s.workspace);
    }
    assert_true(accepted > 100); /* among those that are right */
}

SUITE(inductive_bounds_dd)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_pairs),
        cmocka_unit_test(false_candidates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
