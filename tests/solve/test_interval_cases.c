/* SPDX-License-Identifier: MIT */
/* Interval processes with known values: by hand, by formulas, and published by PRISM. */
#include <math.h>

#include "interval_hand.h"
#include "solve/robust.h"
#include "support/faults.h"
#include "support/random.h"

static const double precision = 1e-9;

static void check_bounds(const by_hand *h, uint32_t s, double lower, double upper)
{
    assert_true(h->result.lower[s] <= lower + 1e-15);
    assert_true(h->result.lower[s] >= lower - precision);
    assert_true(h->result.upper[s] >= upper - 1e-15);
    assert_true(h->result.upper[s] <= upper + precision);
}

/* Begins with a state, whose choices follow; goal() and trap() are the last two states. */
static void end_with_goal_and_trap(by_hand *h, uint32_t goal)
{
    by_hand_state(h);
    by_hand_move(h, goal, 1);
    by_hand_state(h);
    by_hand_end(h);
}

static void a_loop_is_left_almost_surely(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 0, 0.1, 0.9);
    by_hand_edge(&h, 1, 0.1, 0.9);
    end_with_goal_and_trap(&h, 1);
    by_hand_solve(&h, precision);
    for (uint32_t s = 0; s < 2; s++) {
        assert_true(h.result.lower[s] == 1);
        assert_true(h.result.upper[s] == 1);
    }
    assert_int_equal(h.result.rank[0], 1);
    assert_int_equal(h.result.rank[1], 0);
    assert_true(h.result.lower[2] == 0);
    assert_true(h.result.upper[2] == 0);
    assert_int_equal(h.result.rank[2], GRAPH_NONE);
    assert_int_equal(h.result.optimistic[2], GRAPH_NONE);
    by_hand_fini(&h);
}

/* Of what leaves the loop: .2 of .6 at worst, .4 of .6 at best. */
static void probabilities_of_leaving_a_loop(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 0, 0.1, 0.5);
    by_hand_edge(&h, 1, 0.2, 0.4);
    by_hand_edge(&h, 2, 0.2, 0.4);
    end_with_goal_and_trap(&h, 1);
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 1 / 3.0, 2 / 3.0);
    by_hand_fini(&h);
}

/*
 * A model may delay the trap after the first choice, but not forever, because the edge has positive
 * probability.
 */
static void a_loop_of_upper_end_one_is_left(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 1);
    by_hand_edge(&h, 0, 0.5, 1);
    by_hand_edge(&h, 2, 0, 0.5);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 1, 0.3, 0.3);
    by_hand_edge(&h, 2, 0.7, 0.7);
    end_with_goal_and_trap(&h, 1);
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 0.3, 0.3);
    by_hand_fini(&h);
}

/* 0 and 1 may lead to each other forever; 0 may leave to the trap or to 2, which has value .4; 1 to the trap. */
static void an_optimistic_component_has_the_value_of_its_best_exit(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 1);
    by_hand_edge(&h, 1, 0.5, 1);
    by_hand_edge(&h, 2, 0, 0.25);
    by_hand_edge(&h, 4, 0, 0.25);
    by_hand_state(&h);
    by_hand_choice(&h, 1);
    by_hand_edge(&h, 0, 0.5, 1);
    by_hand_edge(&h, 4, 0, 0.5);
    by_hand_state(&h);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 3, 0.4, 0.4);
    by_hand_edge(&h, 4, 0.6, 0.6);
    end_with_goal_and_trap(&h, 3);
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 0, 0.4);
    check_bounds(&h, 1, 0, 0.4);
    by_hand_fini(&h);
}

/* Gambler's ruin: from i in 0 … n, where n wins and 0 loses, a step goes up with probability p. */
static double gambler(double p, double i, double n)
{
    double r = (1 - p) / p;
    return p == 0.5 ? i / n : (1 - pow(r, i)) / (1 - pow(r, n));
}

static void walk(by_hand *h, uint32_t n, double low, double high)
{
    by_hand_state(h);
    for (uint32_t i = 1; i < n; i++) {
        by_hand_state(h);
        by_hand_choice(h, 0);
        by_hand_edge(h, i + 1, low, high);
        by_hand_edge(h, i - 1, 1 - high, 1 - low);
    }
    by_hand_state(h);
    by_hand_move(h, n, 1);
    by_hand_end(h);
}

static void walks_have_the_values_of_gamblers(void **state)
{
    (void)state;
    const double ends[][2] = {{0.45, 0.55}, {0.5, 0.5}, {0.499, 0.5}, {0.3, 0.4}};
    const uint32_t sizes[] = {2, 5, 200, 700};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes - (k == 1); j++) {
            by_hand h = {0};
            uint32_t n = sizes[j];
            walk(&h, n, ends[k][0], ends[k][1]);
            by_hand_solve(&h, 1e-4);
            for (uint32_t i = 0; i <= n; i++) {
                double low = gambler(ends[k][0], i, n), high = gambler(ends[k][1], i, n);
                assert_true(h.result.lower[i] <= low + 1e-12);
                assert_true(h.result.lower[i] >= low - 1e-4);
                assert_true(h.result.upper[i] >= high - 1e-12);
                assert_true(h.result.upper[i] <= high + 1e-4);
            }
            by_hand_fini(&h);
        }
}

/* ---- models that stay ---- */

static void stay_or_try(by_hand *h, uint32_t self, uint32_t other)
{
    by_hand_state(h);
    by_hand_choice(h, 0); /* a model may stay by the other edge forever */
    by_hand_edge(h, other, 0.3, 1);
    by_hand_edge(h, 2, 0, 0.7);
    by_hand_choice(h, 0); /* slowly to an end: a quarter of it wins, or more */
    by_hand_edge(h, self, 0.9995, 0.9998);
    by_hand_edge(h, 2, 0.0001, 0.0002);
    by_hand_edge(h, 3, 0.0001, 0.0003);
}

/* A model that leaves slowly: solved by elimination, not by thousands of sweeps. */
static void models_that_stay_take_few_sweeps(void **state)
{
    (void)state;
    by_hand h = {0};
    stay_or_try(&h, 0, 1);
    stay_or_try(&h, 1, 0);
    by_hand_state(&h);
    by_hand_move(&h, 2, 1);
    by_hand_state(&h);
    by_hand_end(&h);
    by_hand_solve(&h, 1e-4);
    assert_true(h.result.lower[0] >= 0.25 - 1e-4);
    assert_true(h.result.lower[1] >= 0.25 - 1e-4);
    assert_true(h.result.sweeps < 200);
    by_hand_fini(&h);
}

/* ---- PRISM's interval models ---- */

/* s=0 … 5 of robot.prism, with F goal1: s=5 is where one stays. */
static void robot_reachability_as_published(void **state)
{
    (void)state;
    for (double delta = 0; delta < 0.5; delta += 0.1) {
        double p = 0.5 - delta, q = 0.5 + delta;
        by_hand h = {0};
        by_hand_state(&h);
        by_hand_choice(&h, 0);
        by_hand_edge(&h, 1, 0.6, 0.6);
        by_hand_edge(&h, 0, 0.4, 0.4);
        by_hand_choice(&h, 0);
        by_hand_edge(&h, 3, 0.8, 0.8);
        by_hand_edge(&h, 1, 0.1, 0.1);
        by_hand_edge(&h, 4, 0.1, 0.1);
        by_hand_state(&h);
        by_hand_choice(&h, 0);
        by_hand_edge(&h, 2, 0.8, 0.9);
        by_hand_edge(&h, 1, 0.1, 0.2);
        by_hand_choice(&h, 0);
        by_hand_edge(&h, 4, p, q);
        by_hand_edge(&h, 2, 1 - q, 1 - p);
        by_hand_state(&h);
        by_hand_move(&h, 2, 0);
        by_hand_state(&h);
        by_hand_move(&h, 3, 0);
        by_hand_state(&h);
        by_hand_move(&h, 5, 0);
        by_hand_choice(&h, 0);
        by_hand_edge(&h, 3, 0.6, 0.6);
        by_hand_edge(&h, 4, 0.4, 0.4);
        by_hand_state(&h);
        by_hand_move(&h, 5, 1);
        by_hand_end(&h);
        by_hand_solve(&h, precision);
        assert_true(fabs(h.result.lower[0] - fmax(p, 0.1 + 0.1 * p)) < 1e-8);
        assert_true(fabs(h.result.upper[0] - q) < 1e-8);
        by_hand_fini(&h);
    }
}

/* robot-ltl.prism with G F goal1; safe: and G !hazard, so that s=1 is the end. */
static void robot_returns(by_hand *h, double e, bool safe)
{
    by_hand_state(h);
    by_hand_choice(h, 0);
    by_hand_edge(h, 1, 0.6 - e, 0.6 + e);
    by_hand_edge(h, 0, 0.4 - e, 0.4 + e);
    by_hand_choice(h, 0);
    by_hand_edge(h, 3, 0.8 - e, 0.8 + e);
    by_hand_edge(h, 1, 0.1 - e, 0.1 + e);
    by_hand_edge(h, 4, 0.1 - e, 0.1 + e);
    by_hand_state(h);
    if (!safe) {
        by_hand_move(h, 2, 0);
        by_hand_choice(h, 0);
        by_hand_edge(h, 4, 0.5, 0.5);
        by_hand_edge(h, 2, 0.5, 0.5);
    }
    by_hand_state(h);
    by_hand_move(h, 2, 0);
    by_hand_state(h);
    by_hand_move(h, 3, 0);
    by_hand_state(h);
    by_hand_move(h, 5, 0);
    by_hand_choice(h, 0);
    by_hand_edge(h, 3, 0.6, 0.6);
    by_hand_edge(h, 4, 0.4, 0.4);
    by_hand_state(h);
    by_hand_choice(h, 1);
    by_hand_edge(h, 2, 0.9, 0.9);
    by_hand_edge(h, 5, 0.1, 0.1);
    by_hand_move(h, 4, 1);
    by_hand_end(h);
    by_hand_solve(h, precision);
}

static void robot_recurrence_as_published(void **state)
{
    (void)state;
    const struct {
        double e;
        bool safe;
        double lower, upper;
    } rows[] = {{0.05, false, 0.5, 0.5},
                {0, false, 0.5, 0.5},
                {0, true, 0.1, 0.1},
                {0.05, true, 0.05, 0.15}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        by_hand h = {0};
        robot_returns(&h, rows[i].e, rows[i].safe);
        assert_true(fabs(h.result.lower[0] - rows[i].lower) < 1e-8);
        assert_true(fabs(h.result.upper[0] - rows[i].upper) < 1e-8);
        by_hand_fini(&h);
    }
}

/* coin2_int.prism: two processes, a counter between 0 and 4(K+1), K = 2. */
enum {
    COIN_RANGE = 12,
    COIN_LEFT = 2,
    COIN_RIGHT = 10,
    COIN_CODES = (COIN_RANGE + 1) * 64
};

typedef struct coin {
    uint32_t counter, pc[2], coin[2];
} coin;

typedef struct coins {
    uint32_t number[COIN_CODES]; /* by code; GRAPH_NONE: not met */
    coin met[COIN_CODES];
    uint32_t count;
} coins;

static uint32_t coin_number(coins *all, coin c)
{
    uint32_t code = (((c.counter * 4 + c.pc[0]) * 4 + c.pc[1]) * 2 + c.coin[0]) * 2 + c.coin[1];
    if (all->number[code] == GRAPH_NONE) {
        all->number[code] = all->count;
        all->met[all->count++] = c;
    }
    return all->number[code];
}

/* Process i moves; the first one's coin is not known exactly. */
static void coin_move(by_hand *h, coins *all, coin c, uint32_t i, uint32_t mark)
{
    coin next = c;
    by_hand_choice(h, mark);
    if (c.pc[i] == 0) {
        next.pc[i] = 1;
        for (uint32_t side = 0; side < 2; side++) {
            next.coin[i] = side;
            by_hand_edge(h, coin_number(all, next), i == 0 ? 0.4 : 0.5, i == 0 ? 0.6 : 0.5);
        }
        return;
    }
    if (c.pc[i] == 1) {
        next.counter = c.coin[i] == 0 ? c.counter - 1 : c.counter + 1;
        next.coin[i] = 0;
        next.pc[i] = 2;
    } else {
        bool left = c.counter <= COIN_LEFT, right = c.counter >= COIN_RIGHT;
        next.pc[i] = left || right ? 3 : 0;
        next.coin[i] = right ? 1 : left ? 0 : c.coin[i];
    }
    by_hand_edge(h, coin_number(all, next), 1, 1);
}

static bool coin_can_move(coin c, uint32_t i)
{
    return c.pc[i] != 3 && !(c.pc[i] == 1 && c.coin[i] == 0 && c.counter == 0) &&
           !(c.pc[i] == 1 && c.coin[i] == 1 && c.counter == COIN_RANGE);
}

/* wanted: the sum of the coins in a finished state to be reached, or with `avoid` to be avoided. */
static void coin_solve(by_hand *h, uint32_t wanted, bool avoid)
{
    coins all = {0};
    for (uint32_t i = 0; i < COIN_CODES; i++)
        all.number[i] = GRAPH_NONE;
    coin_number(&all, (coin){.counter = COIN_RANGE / 2});
    for (uint32_t s = 0; s < all.count; s++) {
        coin c = all.met[s];
        by_hand_state(h);
        if (c.pc[0] == 3 && c.pc[1] == 3) {
            if ((c.coin[0] + c.coin[1] == wanted) != avoid)
                by_hand_move(h, s, 1);
            continue;
        }
        for (uint32_t i = 0; i < 2; i++)
            if (coin_can_move(c, i))
                coin_move(h, &all, c, i, avoid ? 1 : 0);
    }
    assert_int_equal(all.count, 272);
    by_hand_end(h);
    by_hand_solve(h, 1e-8);
}

static void coins_are_as_published(void **state)
{
    (void)state;
    by_hand disagree = {0}, zeros = {0}, ones = {0};
    coin_solve(&disagree, 1, false);
    assert_true(fabs(disagree.result.lower[0] - 0.101786) < 1e-6);
    /* The published values converge from below and stop a little early. */
    assert_true(fabs(disagree.result.upper[0] - 0.324995) < 2e-6);
    coin_solve(&zeros, 0, true);
    assert_true(fabs(1 - zeros.result.upper[0] - 0.114195) < 1e-6);
    coin_solve(&ones, 2, true);
    assert_true(fabs(1 - ones.result.lower[0] - 0.418800) < 1e-6);
    by_hand_fini(&disagree);
    by_hand_fini(&zeros);
    by_hand_fini(&ones);
}

/* ---- unseen mass ---- */

/*
 * 0 has a choice to 1 and one that wins surely; the second choice of 1 is unknown. From 0, the optimistic
 * policy goes to 1, and the pessimistic one wins.
 */
static void the_optimistic_policy_prefers_unseen_mass(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_move(&h, 2, 0);
    by_hand_move(&h, 1, 0);
    by_hand_state(&h);
    by_hand_move(&h, 3, 0);
    by_hand_move(&h, 1, 1);
    by_hand_move(&h, 1, 1);
    end_with_goal_and_trap(&h, 2);
    h.unseen[3] = 1;
    h.unseen[4] = 1;
    by_hand_solve(&h, precision);
    assert_int_equal(h.result.optimistic[0], 1);
    assert_int_equal(h.result.pessimistic[0], 0);
    assert_int_equal(h.result.optimistic[1], 3);
    assert_true(h.result.upper[1] == 1);
    assert_true(h.result.lower[1] == 0);
    assert_true(h.result.lower[0] == 1);
    by_hand_fini(&h);
}

/* 1 wins, so its unknown choice is irrelevant; that of 2 is not. */
static void the_optimistic_policy_ignores_unseen_mass_of_winning_states(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_move(&h, 1, 0);
    by_hand_move(&h, 2, 0);
    by_hand_state(&h);
    by_hand_move(&h, 3, 0);
    by_hand_move(&h, 1, 1);
    by_hand_state(&h);
    by_hand_move(&h, 3, 0);
    by_hand_state(&h);
    by_hand_end(&h);
    h.unseen[2] = 1;
    h.unseen[4] = 1;
    by_hand_solve(&h, precision);
    assert_int_equal(h.result.optimistic[0], 1);
    assert_int_equal(h.result.optimistic[1], 3);
    assert_int_equal(h.result.pessimistic[0], 0);
    by_hand_fini(&h);
}

/* 0 has a loop without mark and an exit: an end component of one state, with the value of its exit. */
static void the_optimistic_policy_leaves_end_components(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_move(&h, 0, 0);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 1, 0.2, 0.4);
    by_hand_edge(&h, 2, 0.6, 0.8);
    end_with_goal_and_trap(&h, 1);
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 0.2, 0.4);
    assert_int_equal(h.result.optimistic[0], 1);
    assert_int_equal(h.result.pessimistic[0], 1);
    by_hand_fini(&h);
}

/* One of two outcomes is unseen: it may be winning or losing. */
static void an_unseen_outcome_is_between_its_extremes(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 1, 0.5, 0.9);
    by_hand_edge(&h, 2, 0.1, 0.4);
    end_with_goal_and_trap(&h, 1);
    h.unseen[0] = 0.25;
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 0.5, 0.9);
    h.unseen[0] = 0;
    by_hand_solve(&h, precision);
    check_bounds(&h, 0, 0.6, 0.9);
    by_hand_fini(&h);
}

/* 0 has a loop with mark 1, which wins unless the choice has another, unseen outcome. */
static void a_choice_with_unseen_mass_is_not_winning(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 1);
    by_hand_edge(&h, 0, 0.9, 1);
    by_hand_end(&h);
    h.unseen[0] = 0.1;
    by_hand_solve(&h, precision);
    assert_true(h.result.upper[0] == 1);
    assert_true(h.result.lower[0] == 0);
    assert_int_equal(base_bitset_count(&h.result.winning), 0);
    h.unseen[0] = 0;
    by_hand_solve(&h, precision);
    assert_true(h.result.lower[0] == 1);
    by_hand_fini(&h);
}

/* An unknown choice without edges in state 1, which is reached with probability at least 1/2. */
static void an_unknown_choice_needs_no_edges(void **state)
{
    (void)state;
    by_hand h = {0};
    by_hand_state(&h);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 0, 0.5, 0.5);
    by_hand_edge(&h, 1, 0.5, 0.5);
    by_hand_state(&h);
    by_hand_move(&h, 3, 0);
    by_hand_choice(&h, 0);
    end_with_goal_and_trap(&h, 2);
    h.unseen[2] = 1;
    by_hand_solve(&h, precision);
    assert_true(h.result.upper[0] == 1);
    assert_true(h.result.upper[1] == 1);
    assert_true(h.result.lower[0] == 0);
    assert_int_equal(h.result.optimistic[1], 2);
    by_hand_fini(&h);
}

static void degenerate_processes_are_solved(void **state)
{
    (void)state;
    by_hand none = {0}, alone = {0}, unknown = {0};
    by_hand_end(&none);
    by_hand_solve(&none, 0);
    by_hand_state(&alone);
    by_hand_end(&alone);
    by_hand_solve(&alone, 0);
    assert_true(alone.result.upper[0] == 0);
    assert_true(alone.result.lower[0] == 0);
    assert_int_equal(alone.result.pessimistic[0], GRAPH_NONE);
    by_hand_state(&unknown);
    by_hand_move(&unknown, 0, 1);
    by_hand_move(&unknown, 0, 1);
    by_hand_end(&unknown);
    unknown.unseen[0] = unknown.unseen[1] = 1;
    by_hand_solve(&unknown, 0);
    assert_true(unknown.result.upper[0] == 1);
    assert_true(unknown.result.lower[0] == 0);
    assert_int_equal(unknown.result.optimistic[0], 0);
    assert_int_equal(base_bitset_count(&unknown.result.winning), 0);
    unknown.problem.unseen = NULL;
    by_hand_solve(&unknown, 0);
    assert_true(unknown.result.upper[0] == 1);
    assert_true(unknown.result.lower[0] == 1);
    unknown.problem.pair_count = 0;
    by_hand_solve(&unknown, 0);
    assert_true(unknown.result.upper[0] == 0);
    assert_true(unknown.result.lower[0] == 0);
    by_hand_fini(&none);
    by_hand_fini(&alone);
    by_hand_fini(&unknown);
}

/* ---- guesses ---- */

/* A good guess is used; a bad guess does no harm. */
static void guesses_are_used_only_if_proven(void **state)
{
    (void)state;
    by_hand h = {0};
    enum {
        N = 700
    };
    static double good_lower[N + 1], good_upper[N + 1], bad[N + 1];
    opac_error error = {0};
    walk(&h, N, 0.49, 0.51);
    by_hand_solve(&h, 1e-5);
    for (uint32_t i = 0; i <= N; i++) {
        good_lower[i] = h.result.lower[i];
        good_upper[i] = h.result.upper[i];
        bad[i] = i % 3 == 0 ? (double)NAN : i % 3 == 1 ? 2 : 0.9;
    }
    solve_options options = {
        .precision = 1e-5, .guess_lower = good_lower, .guess_upper = good_upper};
    assert_ok(solve_run_intervals(h.solver, &h.problem, &options, &h.result, &error), &error);
    for (uint32_t i = 0; i <= N; i++) {
        assert_true(h.result.lower[i] >= good_lower[i]);
        assert_true(h.result.upper[i] <= good_upper[i]);
        assert_true(h.result.lower[i] <= gambler(0.49, i, N) + 1e-12);
    }
    options.guess_lower = options.guess_upper = bad;
    assert_ok(solve_run_intervals(h.solver, &h.problem, &options, &h.result, &error), &error);
    for (uint32_t i = 0; i <= N; i++) {
        assert_true(fabs(h.result.lower[i] - gambler(0.49, i, N)) <= 1e-5);
        assert_true(fabs(h.result.upper[i] - gambler(0.51, i, N)) <= 1e-5);
    }
    by_hand_fini(&h);
}

/* ---- the step ---- */

static void long_rows_are_sorted(void **state)
{
    (void)state;
    enum {
        ROW = 300
    };
    static double lower[ROW], upper[ROW], values[ROW];
    static uint32_t order[ROW];
    uint64_t random = random_seed(711);
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t count = 2 + random_below(&random, ROW - 1);
        for (uint32_t e = 0; e < count; e++) {
            lower[e] = 0.5 / count;
            upper[e] = 2.0 / count;
            order[e] = count - 1 - e;
            values[e] = random_below(&random, round % 2 == 0 ? 5 : 1000000) / 1e6;
        }
        for (uint32_t greatest = 0; greatest < 2; greatest++) {
            double found = solve_interval_step(lower, upper, values, order, count, greatest);
            long double sum = 0, left = 0.5L;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t e = order[greatest ? count - 1 - i : i];
                long double part = 1.5L / count < left ? 1.5L / count : left;
                if (i > 0)
                    assert_true(values[order[i - 1]] <= values[order[i]]);
                sum += (0.5L / count + part) * (long double)values[e];
                left -= part;
            }
            assert_true(greatest ? found >= sum - 1e-17L : found <= sum + 1e-17L);
            assert_true(fabsl(found - sum) < 1e-11L);
        }
    }
}

/* With intervals that end at 0 or 1, only the step provides the margin of 32 (n + 2) ε times the spread. */
static void a_step_leaves_a_margin(void **state)
{
    (void)state;
    enum {
        ROW = 12
    };
    const double epsilon = 0x1p-52;
    uint64_t random = random_seed(1936);
    for (uint32_t round = 0; round < 20000; round++) {
        double lower[ROW] = {0}, upper[ROW], values[ROW];
        uint32_t order[ROW], count = 2 + random_below(&random, ROW - 1);
        for (uint32_t e = 0; e < count; e++) {
            order[e] = e;
            upper[e] = random_below(&random, 3) == 0 ? 1 : random_below(&random, 1000) / 999.0;
            values[e] = ldexp(random_below(&random, 1000) / 999.0, -(int)random_below(&random, 60));
            if (e > 0 && random_below(&random, 3) == 0) /* nearly the same */
                values[e] = values[e - 1] * (1 - ldexp(1, -(int)random_below(&random, 53)));
        }
        upper[random_below(&random, count)] = 1;
        for (uint32_t greatest = 0; greatest < 2; greatest++) {
            double found = solve_interval_step(lower, upper, values, order, count, greatest);
            long double worst = (long double)values[order[0]], sum = worst, left = 1;
            long double best = (long double)values[order[count - 1]];
            for (uint32_t i = 0; i < count; i++) {
                uint32_t e = order[greatest ? count - 1 - i : i];
                long double part = (long double)upper[e] < left ? (long double)upper[e] : left;
                sum += part * ((long double)values[e] - worst);
                left -= part;
            }
            long double margin = 48 * (count + 2.0L) * (long double)epsilon * (best - worst);
            if (greatest)
                assert_true((long double)found >= (sum + margin < best ? sum + margin : best));
            else
                assert_true((long double)found <= (sum - margin > worst ? sum - margin : worst));
        }
    }
}

static void a_step_is_exact_without_rounding(void **state)
{
    (void)state;
    const double third[] = {0.33, 0.33, 0.33}, wide[] = {0.34, 0.34, 0.34}, ones[] = {1, 1, 1};
    const double mixed[] = {0.1, 0.7, 0.3}, zero[] = {0, 0, 0}, one[] = {1, 1, 1};
    uint32_t order[] = {0, 1, 2};
    for (uint32_t greatest = 0; greatest < 2; greatest++)
        assert_true(solve_interval_step(third, wide, ones, order, 3, greatest) == 1);
    /* With intervals [0, 1]: the best and the worst value. */
    assert_true(solve_interval_step(zero, one, mixed, order, 3, true) == 0.7);
    assert_true(solve_interval_step(zero, one, mixed, order, 3, false) == 0.1);
    /* A product that underflows is not an upper bound: half of the least double is more than 0. */
    const double least[] = {0, 0, 0x1p-1074}, small[] = {0, 0, 0x1p-900};
    const double half[] = {0.25, 0.25, 0.5}, rare[] = {0.5, 0.5, 0x1p-200};
    assert_true(solve_interval_step(half, half, least, order, 3, true) == 0x1p-1074);
    assert_true(solve_interval_step(half, half, least, order, 3, false) == 0);
    assert_true(solve_interval_step(rare, rare, small, order, 3, true) >= 0x1p-1000);
    assert_true(solve_interval_step(rare, rare, small, order, 3, false) == 0);
}

/* ---- failures ---- */

static void expect_refusal(double lower0, double upper0, double lower1, double upper1,
                           const char *word)
{
    by_hand h = {0};
    opac_error error = {0};
    by_hand_state(&h);
    by_hand_move(&h, 0, 0);
    by_hand_state(&h);
    by_hand_move(&h, 0, 0);
    by_hand_choice(&h, 0);
    by_hand_edge(&h, 0, lower0, upper0);
    by_hand_edge(&h, 1, lower1, upper1);
    by_hand_end(&h);
    assert_status(solve_run_intervals(h.solver, &h.problem, NULL, &h.result, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "choice 1 of state 1"));
    assert_non_null(strstr(error.message, word));
    h.unseen[2] = 1; /* the intervals are then ignored */
    by_hand_solve(&h, 0);
    by_hand_fini(&h);
}

static void intervals_without_a_model_are_refused(void **state)
{
    (void)state;
    expect_refusal(0.6, 0.7, 0.5, 0.7, "lower ends must sum to at most 1");
    expect_refusal(0.1, 0.3, 0.2, 0.5, "upper ends must sum to at least 1");
    expect_refusal(0.6, 0.5, 0.2, 0.5, "interval");
    expect_refusal(-0.1, 1, 0.2, 0.5, "interval");
    expect_refusal(0.1, 1.1, 0.2, 0.5, "interval");
    expect_refusal(0, 0, 0.2, 1, "interval");
    expect_refusal((double)NAN, 1, 0.2, 1, "interval");
    by_hand h = {0};
    opac_error error = {0};
    walk(&h, 2, 0.4, 0.6);
    for (uint32_t i = 0; i < 3; i++) {
        h.unseen[0] = i == 0 ? -0.1 : i == 1 ? 1.1 : (double)NAN;
        assert_status(solve_run_intervals(h.solver, &h.problem, NULL, &h.result, &error),
                      OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "unseen mass must be between 0 and 1"));
    }
    by_hand_fini(&h);
}

static void a_wrong_precision_is_refused(void **state)
{
    (void)state;
    by_hand h = {0};
    const double wrong[] = {-1, 1, (double)NAN};
    by_hand_state(&h);
    by_hand_end(&h);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        solve_options options = {.precision = wrong[i]};
        assert_status(solve_run_intervals(h.solver, &h.problem, &options, &h.result, NULL),
                      OPAC_ERROR_ARGUMENT);
    }
    by_hand_fini(&h);
}

/* ---- being stopped ---- */

typedef struct stopping {
    uint32_t left; /* calls before it returns true */
    uint32_t asked;
} stopping;

static bool stop_later(const void *context)
{
    stopping *s = *(stopping *const *)context;
    s->asked++;
    if (s->left == 0)
        return true;
    s->left--;
    return false;
}

/* Both bounds are inductive, whenever it stops: checked by the plain sums of a walk. */
static void check_walk(const by_hand *h, uint32_t n, double low, double high)
{
    for (uint32_t i = 0; i <= n; i++) {
        assert_true(h->result.lower[i] <= gambler(low, i, n) + 1e-12);
        assert_true(h->result.upper[i] >= gambler(high, i, n) - 1e-12);
    }
}

static void stopping_returns_the_proven_bounds(void **state)
{
    (void)state;
    enum {
        N = 300
    };
    bool was_cut = true;
    uint32_t last = 0;
    for (uint32_t left = 0; was_cut; left = 2 * left + 1) {
        by_hand h = {0};
        opac_error error = {0};
        stopping stops = {.left = left}, *context = &stops;
        walk(&h, N, 0.49, 0.51);
        solve_options options = {.precision = 1e-5, .stop = stop_later, .stop_context = &context};
        assert_ok(solve_run_intervals(h.solver, &h.problem, &options, &h.result, &error), &error);
        check_walk(&h, N, 0.49, 0.51);
        was_cut = h.result.is_stopped;
        if (was_cut)
            assert_int_equal(stops.asked, left + 1); /* and not again */
        last = left;
        by_hand_fini(&h);
    }
    assert_true(last > 1);
}

/* If stopped immediately, the bounds are at least as good as valid guesses. */
static void stopping_keeps_valid_guesses(void **state)
{
    (void)state;
    enum {
        N = 300
    };
    static double lower[N + 1], upper[N + 1];
    by_hand h = {0};
    opac_error error = {0};
    stopping stops = {0}, *context = &stops;
    walk(&h, N, 0.49, 0.51);
    by_hand_solve(&h, 1e-5);
    assert_false(h.result.is_stopped);
    for (uint32_t i = 0; i <= N; i++) {
        lower[i] = h.result.lower[i];
        upper[i] = h.result.upper[i];
    }
    solve_options options = {.precision = 1e-5,
                             .guess_lower = lower,
                             .guess_upper = upper,
                             .stop = stop_later,
                             .stop_context = &context};
    assert_ok(solve_run_intervals(h.solver, &h.problem, &options, &h.result, &error), &error);
    assert_true(h.result.is_stopped);
    for (uint32_t i = 0; i <= N; i++) {
        assert_true(h.result.lower[i] >= lower[i]);
        assert_true(h.result.upper[i] <= upper[i]);
    }
    check_walk(&h, N, 0.49, 0.51);
    by_hand_fini(&h);
}

static opac_status solve_anew(void *context, opac_error *error)
{
    by_hand *h = context;
    solve_solver *solver;
    solve_interval_result result;
    opac_status status = solve_solver_new(&solver, error);
    if (status != OPAC_OK)
        return status;
    status = solve_run_intervals(solver, &h->problem, NULL, &result, error);
    solve_solver_free(solver);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    by_hand h = {0};
    walk(&h, 30, 0, 1);
    h.unseen[7] = 1;
    assert_true(faults_sweep(solve_anew, &h) > 0);
    by_hand_fini(&h);
    h = (by_hand){0};
    walk(&h, 1500, 0.3, 0.5);
    assert_true(faults_sweep(solve_anew, &h) > 5);
    by_hand_fini(&h);
}

SUITE(interval_cases)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_left_almost_surely),
        cmocka_unit_test(probabilities_of_leaving_a_loop),
        cmocka_unit_test(a_loop_of_upper_end_one_is_left),
        cmocka_unit_test(an_optimistic_component_has_the_value_of_its_best_exit),
        cmocka_unit_test(walks_have_the_values_of_gamblers),
        cmocka_unit_test(models_that_stay_take_few_sweeps),
        cmocka_unit_test(robot_reachability_as_published),
        cmocka_unit_test(robot_recurrence_as_published),
        cmocka_unit_test(coins_are_as_published),
        cmocka_unit_test(the_optimistic_policy_prefers_unseen_mass),
        cmocka_unit_test(the_optimistic_policy_ignores_unseen_mass_of_winning_states),
        cmocka_unit_test(the_optimistic_policy_leaves_end_components),
        cmocka_unit_test(an_unseen_outcome_is_between_its_extremes),
        cmocka_unit_test(a_choice_with_unseen_mass_is_not_winning),
        cmocka_unit_test(an_unknown_choice_needs_no_edges),
        cmocka_unit_test(degenerate_processes_are_solved),
        cmocka_unit_test(guesses_are_used_only_if_proven),
        cmocka_unit_test(long_rows_are_sorted),
        cmocka_unit_test(a_step_leaves_a_margin),
        cmocka_unit_test(a_step_is_exact_without_rounding),
        cmocka_unit_test(intervals_without_a_model_are_refused),
        cmocka_unit_test(a_wrong_precision_is_refused),
        cmocka_unit_test(stopping_returns_the_proven_bounds),
        cmocka_unit_test(stopping_keeps_valid_guesses),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
