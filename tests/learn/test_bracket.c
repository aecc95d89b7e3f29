/* SPDX-License-Identifier: MIT */
/*
 * Brackets of random small systems, with all kinds of automata and sampled counts: they contain the true
 * value whenever the intervals contain the true probabilities; the pessimistic policy attains L in the
 * true model; winning states have value 1 there. With a known graph and many samples they close. The
 * results are the same in every kind of environment, to the last bit, and after save and restore.
 */
#include <math.h>

#include "base/bits.h"
#include "bracket/bracket_model_form.h"
#include "learn/intervals.h"
#include "learn/known.h"
#include "sample/build_process.h"
#include "support/faults.h"

#define NEVER_FULL (UINT64_C(1) << 62)

/* ---- what is true ---- */

/* The toy, known exactly: counts are as the probabilities are. */
typedef struct truth {
    toy t;
    opac_environment *env;
    sample_statistics stats;
    bracket_support *support;
    sample_process process;
    solve_solver *solver;
} truth;

static void truth_make(truth *e, const toy *t, const toy_run *run)
{
    opac_error error;
    uint64_t changed;
    *e = (truth){.t = *t};
    e->env = known_environment(&e->t);
    assert_ok(sample_statistics_init(
                  &e->stats, e->env, run->automaton,
                  &(sample_statistics_options){.k = NEVER_FULL, .always = run->stats.always},
                  &error),
              &error);
    assert_ok(bracket_support_new(&e->stats,
                                  &(bracket_support_options){.graph = e->env, .delta = .1},
                                  &e->support, &error),
              &error);
    assert_ok(known_begin(&e->stats, &e->t, &error), &error);
    assert_ok(bracket_support_refresh(e->support, &changed, &error), &error);
    for (uint32_t row = 0; row < e->stats.rows.count; row++) {
        sample_row r = e->stats.rows.items[row];
        uint32_t from = 0;
        if (r.state != SAMPLE_NONE)
            from = (uint32_t)(base_intern_key(&e->stats.keys, r.state, &(size_t){0})[1] - '0');
        for (uint32_t b = 0; b < (r.state != SAMPLE_NONE ? TOY_WIDTH : t->initials); b++)
            assert_ok(known_observe(&e->stats, &e->t, row,
                                    r.state != SAMPLE_NONE ? t->target[from][r.action][b] : b, 1,
                                    &error),
                      &error);
    }
    assert_ok(solve_solver_new(&e->solver, &error), &error);
}

static void truth_fini(truth *e)
{
    solve_solver_free(e->solver);
    sample_process_fini(&e->process);
    bracket_support_free(e->support);
    sample_statistics_fini(&e->stats);
    opac_environment_free(e->env);
}

/* By product state of the true system: the choice to build. NULL: the best policy's. */
static const double *truth_solve(truth *e, const toy_run *run,
                                 uint32_t (*choice)(const void *, uint32_t), const void *context)
{
    opac_error error;
    solve_result result;
    sample_process_options drawing = {
        .stats = &e->stats, .named = UINT64_MAX, .choice = choice, .context = context};
    assert_ok(sample_build_process(&e->process, &drawing, &error), &error);
    graph_process process = sample_process_get(&e->process);
    solve_problem problem = {.process = &process,
                             .marks = e->process.marks.items,
                             .pairs = run->pairs.items,
                             .pair_count = (uint32_t)run->pairs.count};
    assert_ok(solve_run(e->solver, &problem,
                        &(solve_options){.precision = 1e-12, .no_policy = true}, &result, &error),
              &error);
    return result.lower;
}

/* The product state of the true system; SAMPLE_NONE if there is none. */
static uint32_t find_product_state(const sample_statistics *to, const sample_statistics *from,
                                   uint32_t product_state)
{
    sample_product_state p = from->product_states.items[product_state];
    size_t length;
    uint32_t state;
    if (product_state == from->reject)
        return to->reject;
    if (product_state == from->sink)
        return to->sink;
    if (p.state == SAMPLE_NONE)
        return to->start;
    const unsigned char *key = base_intern_key(&from->keys, p.state, &length);
    assert_true(base_intern_find(&to->keys, key, length, &state));
    return sample_statistics_find(to, state, p.memory);
}

/* ---- what was learned ---- */

typedef struct bench {
    toy t;
    toy_run run;
    bracket_support *support;
    bracket_model *bracket;
    double pmin;
} bench;

static bool bench_make(bench *b, uint64_t *random, const toy *t, bool as_model, double pmin,
                       opac_environment *graph, opac_automaton *automaton)
{
    opac_error error;
    *b = (bench){.t = *t, .pmin = pmin};
    if (!toy_begin(&b->run, random, &b->t, as_model, automaton,
                   (sample_statistics_options){.k = NEVER_FULL}))
        return false;
    bracket_support_options options = {.pmin = pmin, .graph = graph, .delta = .1};
    assert_ok(bracket_support_new(&b->run.stats, &options, &b->support, &error), &error);
    bracket_model_options how = {
        .pairs = b->run.pairs.items, .pair_count = (uint32_t)b->run.pairs.count, .precision = 1e-7};
    assert_ok(bracket_model_new(&b->run.stats, b->support, &how, &b->bracket, &error), &error);
    return true;
}

static void bench_fini(bench *b)
{
    bracket_model_free(b->bracket);
    bracket_support_free(b->support);
    toy_end(&b->run);
}

static void update(bench *b)
{
    opac_error error;
    uint64_t changed;
    assert_ok(bracket_support_refresh(b->support, &changed, &error), &error);
    assert_ok(bracket_model_update(b->bracket, &error), &error);
}

/* One episode, by the bracket's policy or at random. */
static void walk(bench *b, uint64_t seed, uint32_t steps, bool by_policy)
{
    sample_statistics *w = &b->run.stats;
    opac_observation seen;
    opac_error error;
    uint32_t state, product_state;
    assert_ok(env_reset(b->run.env, seed, &seen, &error), &error);
    assert_ok(sample_statistics_add_state(w, &seen, &state, &error), &error);
    assert_ok(sample_statistics_begin_episode(w, state, &error), &error);
    product_state = w->start;
    for (uint32_t i = 0; i < steps; i++) {
        const sample_product_state *p = &w->product_states.items[product_state];
        uint32_t choice = by_policy ? bracket_model_choice(b->bracket, product_state)
                                    : p->choice + random_below(&b->run.random, p->choices);
        toy_episode how = {0};
        if (by_policy && bracket_model_ends_at(b->bracket, product_state))
            break;
        if (sample_choice_is_free(&w->choices.items[choice]))
            product_state = w->choices.items[choice].target;
        else
            assert_ok(
                toy_sample(&b->run, product_state, choice, state, &how, &product_state, &error),
                &error);
    }
}

/* The position of a state of the true system among the successors of a row; `count` if it was not seen. */
static uint32_t find_seen(const sample_statistics *w, uint32_t row, const truth *e, uint32_t state)
{
    size_t length;
    uint32_t count, here;
    const unsigned char *key = base_intern_key(&e->stats.keys, state, &length);
    const uint32_t *order = sample_statistics_order(w, row, &count);
    if (!base_intern_find(&w->keys, key, length, &here))
        return count;
    for (uint32_t i = 0; i < count; i++)
        if (w->targets.items[w->rows.items[row].begin + order[i]] == here)
            return i;
    return count;
}

/* The row of the true system. */
static uint32_t real_row(const sample_statistics *w, uint32_t row, const truth *e)
{
    uint32_t state;
    size_t length;
    if (w->rows.items[row].state == SAMPLE_NONE)
        return e->stats.reset_row;
    const unsigned char *key = base_intern_key(&w->keys, w->rows.items[row].state, &length);
    assert_true(base_intern_find(&e->stats.keys, key, length, &state));
    return sample_statistics_row(&e->stats, state, w->rows.items[row].action);
}

static bool is_row_right(bench *b, const truth *e, uint32_t row)
{
    uint32_t real = real_row(&b->run.stats, row, e), width;
    const uint32_t *there = sample_statistics_order(&e->stats, real, &width);
    double unseen = 0;
    bracket_row_set set;
    opac_error error;
    assert_ok(bracket_support_get(b->support, row, &set, &error), &error);
    for (uint32_t i = 0; i < width; i++) {
        double p = (double)sample_statistics_observed(&e->stats, real, there[i]) /
                   (double)e->stats.counters.items[real].count;
        uint32_t target = e->stats.targets.items[e->stats.rows.items[real].begin + there[i]];
        uint32_t at = find_seen(&b->run.stats, row, e, target);
        if (at == set.width)
            unseen += p;
        else if (p < set.intervals[at].lower || p > set.intervals[at].upper)
            return false;
    }
    return unseen <= set.unseen;
}

/* Whether all supports, intervals and bounds on unseen mass are right. */
static bool is_right(bench *b, const truth *e)
{
    for (uint32_t row = 0; row < b->run.stats.rows.count; row++)
        if (b->run.stats.counters.items[row].known && !is_row_right(b, e, row))
            return false;
    return true;
}

/* The pessimistic choice of the learner, for a product state of the true system. */
typedef struct mapping {
    bench *b;
    truth *e;
} mapping;

static uint32_t mapped(const void *context, uint32_t product_state)
{
    const mapping *m = context;
    uint32_t here = SAMPLE_NONE, first = m->e->stats.product_states.items[product_state].choice;
    const sample_statistics *w = &m->b->run.stats;
    for (uint32_t p = 0; p < w->product_states.count && here == SAMPLE_NONE; p++)
        if (find_product_state(&m->e->stats, w, p) == product_state)
            here = p;
    return here == SAMPLE_NONE ? first
                               : first + bracket_model_choice(m->b->bracket, here) -
                                     w->product_states.items[here].choice;
}

static void check_bounds(bench *b, truth *e)
{
    const double *best = truth_solve(e, &b->run, NULL, NULL);
    bracket_bounds start = bracket_model_bounds(b->bracket);
    assert_true(start.lower <= best[0] + 1e-9);
    assert_true(start.upper >= best[0] - 1e-9);
    for (uint32_t i = 0; i < bracket_model_count(b->bracket); i++) {
        bracket_model_node node = bracket_model_get(b->bracket, i);
        uint32_t product_state = find_product_state(&e->stats, &b->run.stats, node.product_state);
        double value = best[e->process.node.items[product_state]];
        assert_true(node.lower <= value + 1e-9);
        assert_true(node.upper >= value - 1e-9);
        assert_true(!node.wins || (value > 1 - 1e-9 && node.lower == 1 && node.rank == 0));
        assert_true((node.rank == GRAPH_NONE) == (node.lower == 0));
        bracket_values bounds = bracket_model_get_values(b->bracket, node.product_state);
        assert_true(bounds.lower == node.lower);
        assert_true(bounds.upper == node.upper);
    }
    mapping m = {b, e};
    bracket_model_follow(b->bracket, BRACKET_PESSIMISTIC);
    const double *mine = truth_solve(e, &b->run, mapped, &m);
    assert_true(mine[0] >= start.lower - 1e-9);
}

/* ---- sampled statistics ---- */

static void test_sampled(void **state)
{
    uint64_t random = random_seed(81);
    uint32_t right = 0, wrong = 0, narrow = 0;
    (void)state;
    for (uint32_t round = 0; round < 150; round++) {
        toy t;
        bench b;
        truth e;
        opac_automaton *automaton = toy_automaton(&random, round % 3 > 0);
        toy_draw(&random, 1 + random_below(&random, TOY_STATES), round % 4 == 0, &t);
        toy twin = t;
        opac_environment *graph = round % 5 == 0 ? known_environment(&twin) : NULL;
        if (!bench_make(&b, &random, &t, false, round % 2 ? .3 : .2, graph, automaton)) {
            opac_environment_free(graph);
            opac_automaton_free(automaton);
            continue;
        }
        truth_make(&e, &t, &b.run);
        bracket_bounds before = bracket_model_bounds(b.bracket);
        assert_true(before.lower == 0);
        assert_true(before.upper == 1);
        for (uint32_t turn = 0; turn < 6; turn++) {
            bracket_model_follow(b.bracket, turn % 2 ? BRACKET_PESSIMISTIC : BRACKET_OPTIMISTIC);
            for (uint32_t i = 0; i < 10u << turn; i++)
                walk(&b, random_u64(&random) >> 1, 30, i % 4 > 0);
            update(&b);
            if (is_right(&b, &e)) {
                right++;
                check_bounds(&b, &e);
            } else {
                wrong++;
            }
        }
        bracket_bounds after = bracket_model_bounds(b.bracket);
        narrow += after.upper - after.lower < .5;
        truth_fini(&e);
        bench_fini(&b);
        opac_environment_free(graph);
        opac_automaton_free(automaton);
    }
    assert_true(right > 600);
    assert_true(wrong < right / 8);
    assert_true(narrow > 80);
}

static bool at_once(const void *context)
{
    (void)context;
    return true;
}

/* An update that is ended leaves the values before; forgetting them leaves [0, 1]. */
static void end_update(bench *b, const truth *e)
{
    opac_error error;
    opac_cancel *cancel;
    bracket_bounds before = bracket_model_bounds(b->bracket);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    bracket_model_set_limits(b->bracket, NULL, NULL, cancel);
    assert_int_equal(bracket_model_update(b->bracket, &error), OPAC_ERROR_CANCELLED);
    assert_true(bracket_model_was_stopped(b->bracket));
    assert_true(bracket_model_bounds(b->bracket).lower == before.lower);
    assert_true(bracket_model_bounds(b->bracket).upper == before.upper);
    assert_ok(bracket_model_reset_values(b->bracket, &error), &error);
    assert_true(bracket_model_bounds(b->bracket).lower == 0);
    assert_true(bracket_model_bounds(b->bracket).upper == 1);
    assert_true(bracket_model_count(b->bracket) > 0);
    assert_true(is_right(b, e));
    opac_cancel_free(cancel);
}

/* The graph, and more samples than anybody can draw. */
static void test_closes(void **state)
{
    uint64_t random = random_seed(82);
    uint32_t cut = 0;
    opac_error error;
    (void)state;
    for (uint32_t round = 0; round < 60; round++) {
        toy t;
        bench b;
        truth e;
        opac_automaton *automaton = toy_automaton(&random, round % 3 > 0);
        toy_draw(&random, 1 + random_below(&random, 6), round % 4 == 0, &t);
        toy twin = t;
        opac_environment *graph = known_environment(&twin);
        if (bench_make(&b, &random, &t, false, round % 2 ? .3 : 0, graph, automaton)) {
            truth_make(&e, &t, &b.run);
            walk(&b, 1, 0, false);
            update(&b);
            for (uint32_t row = 0; row < b.run.stats.rows.count; row++) {
                sample_row r = b.run.stats.rows.items[row];
                uint32_t from = 0;
                if (r.state != SAMPLE_NONE)
                    from = (uint32_t)(base_intern_key(&b.run.stats.keys, r.state, &(size_t){0})[1] -
                                      '0');
                for (uint32_t k = 0; k < (r.state != SAMPLE_NONE ? TOY_WIDTH : t.initials); k++)
                    assert_ok(
                        known_observe(&b.run.stats, &t, row,
                                      r.state != SAMPLE_NONE ? t.target[from][r.action][k] : k,
                                      UINT64_C(1000000000000), &error),
                        &error);
            }
            uint64_t solved = b.bracket->work.solved;
            bracket_model_set_limits(b.bracket, at_once, NULL, NULL);
            update(&b); /* what is proven by then is right, too */
            assert_true(is_right(&b, &e));
            cut += bracket_model_was_stopped(b.bracket);
            assert_true(b.bracket->work.solved <= solved + 2);
            end_update(&b, &e);
            bracket_model_set_limits(b.bracket, NULL, NULL, NULL);
            update(&b);
            assert_false(bracket_model_was_stopped(b.bracket));
            assert_true(is_right(&b, &e));
            check_bounds(&b, &e);
            bracket_bounds bounds = bracket_model_bounds(b.bracket);
            assert_true(bounds.upper - bounds.lower < 1e-3);
            /* The model of the frequencies is the true one. */
            struct sample_chain chain;
            double value;
            assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
            const double *best = truth_solve(&e, &b.run, NULL, NULL);
            assert_true(fabs(value - best[0]) < 1e-3);
            assert_int_equal(chain.product_states[0], b.run.stats.start);
            assert_false(bracket_model_ends_at(b.bracket, b.run.stats.start));
            truth_fini(&e);
            bench_fini(&b);
        }
        opac_environment_free(graph);
        opac_automaton_free(automaton);
    }
    assert_true(cut > 0);
}

/* ---- in every environment the same ---- */

/* A state that was added, by its name. */
static uint32_t state_of(const sample_statistics *stats, uint32_t name, bool is_model)
{
    uint32_t state = 0;
    while (toy_name_of(stats, state, is_model) != name)
        state++;
    return state;
}

/* Counts that depend on names alone; written down in one order, or in the other. */
static void fill(bench *b, bool is_model)
{
    sample_statistics *w = &b->run.stats;
    opac_error error;
    for (uint32_t i = 0; i < w->rows.count; i++) {
        uint32_t row = is_model ? i : (uint32_t)w->rows.count - 1 - i, branch;
        sample_row r = w->rows.items[row];
        uint32_t from = toy_name_of(w, r.state, is_model);
        for (uint32_t k = 0; k < TOY_WIDTH; k++) {
            uint32_t target = b->t.target[from][r.action][is_model ? k : TOY_WIDTH - 1 - k];
            assert_ok(
                sample_statistics_branch(w, row, state_of(w, target, is_model), &branch, &error),
                &error);
            assert_ok(
                sample_statistics_observe(w, row, branch, 3 + target + from * 7 + r.action, &error),
                &error);
        }
    }
}

static void check_equal(const bench *a, const bench *b, const bool *is_model)
{
    const sample_statistics *v = &a->run.stats, *w = &b->run.stats;
    uint32_t count = bracket_model_count(a->bracket);
    assert_int_equal(count, bracket_model_count(b->bracket));
    for (uint32_t i = 0; i < count; i++) {
        bracket_model_node x = bracket_model_get(a->bracket, i),
                           y = bracket_model_get(b->bracket, i);
        sample_product_state p = v->product_states.items[x.product_state],
                             q = w->product_states.items[y.product_state];
        assert_true(x.upper == y.upper);
        assert_true(x.lower == y.lower);
        assert_true(x.wins == y.wins);
        assert_int_equal(x.rank, y.rank);
        assert_int_equal(x.choice - p.choice, y.choice - q.choice);
        assert_int_equal(bracket_model_choice(a->bracket, x.product_state) - p.choice,
                         bracket_model_choice(b->bracket, y.product_state) - q.choice);
        assert_int_equal(p.memory, q.memory);
        assert_int_equal(p.state == SAMPLE_NONE, q.state == SAMPLE_NONE);
        if (p.state != SAMPLE_NONE)
            assert_int_equal(toy_name_of(v, p.state, is_model[0]),
                             toy_name_of(w, q.state, is_model[1]));
    }
}

static void test_kinds(void **state)
{
    uint64_t random = random_seed(83);
    opac_error error;
    (void)state;
    for (uint32_t round = 0; round < 60; round++) {
        toy t;
        bench b[2];
        const bool is_model[2] = {false, true};
        opac_automaton *automaton = toy_automaton(&random, round % 3 > 0);
        toy_draw(&random, 1 + random_below(&random, TOY_STATES), false, &t);
        for (uint32_t s = 0; s < t.states; s++) /* a model would have a loop */
            t.actions[s] += t.actions[s] == 0;
        toy twin = t;
        opac_environment *graph = known_environment(&twin);
        bool is_possible = bench_make(&b[0], &random, &t, false, 0, graph, automaton);
        if (is_possible) {
            /* The model knows itself; its keys are others. */
            opac_model *model = toy_model(&t);
            opac_environment *other;
            assert_ok(opac_environment_of_model(model, NULL, &other, &error), &error);
            assert_true(bench_make(&b[1], &random, &t, true, 0, other, automaton));
            for (uint32_t k = 0; k < 2; k++) {
                walk(&b[k], 1, 0, false);
                update(&b[k]);
            }
            check_equal(&b[0], &b[1], is_model);
            for (uint32_t turn = 0; turn < 3; turn++) {
                for (uint32_t k = 0; k < 2; k++) {
                    fill(&b[k], is_model[k]);
                    update(&b[k]);
                    bracket_model_follow(b[k].bracket, BRACKET_OPTIMISTIC);
                }
                check_equal(&b[0], &b[1], is_model);
            }
            base_double_vec weights[2] = {{0}};
            for (uint32_t k = 0; k < 2; k++)
                assert_ok(bracket_model_weights(b[k].bracket, &weights[k], &error), &error);
            assert_int_equal(weights[0].count, weights[1].count);
            for (size_t i = 0; i < weights[0].count; i++)
                assert_true(weights[0].items[i] == weights[1].items[i]);
            base_double_vec_fini(&weights[0]);
            base_double_vec_fini(&weights[1]);
            bench_fini(&b[0]);
            bench_fini(&b[1]);
            opac_environment_free(other);
            opac_model_free(model);
        }
        opac_environment_free(graph);
        opac_automaton_free(automaton);
    }
}

/* ---- a system with known values ---- */

/* F a. From 0: action 0 to 1 (which has a) or 2 (which has nothing, and stays), action 1 to 2. */
static toy fork_toy(void)
{
    toy t = {.states = 3, .initials = 1, .random = 1, .actions = {2, 1, 1}, .letter = {0, 1, 0}};
    static const uint32_t to[3][2][TOY_WIDTH] = {{{1, 1, 2}, {2, 2, 2}}, {{1, 1, 1}}, {{2, 2, 2}}};
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t a = 0; a < 2; a++)
            memcpy(t.target[s][a], to[s][a], sizeof to[s][a]);
    return t;
}

static void see(bench *b, uint32_t row, uint32_t number, uint64_t n)
{
    opac_error error;
    assert_ok(known_observe(&b->run.stats, &b->t, row, number, n, &error), &error);
}

static double weight(bench *b, uint32_t row)
{
    base_double_vec weights = {0};
    opac_error error;
    assert_ok(bracket_model_weights(b->bracket, &weights, &error), &error);
    double found = row < weights.count ? weights.items[row] : -1;
    base_double_vec_fini(&weights);
    return found;
}

static void test_fork(void **state)
{
    uint64_t random = random_seed(84);
    bench b;
    opac_error error;
    const stat_interval *in;
    sample_chain chain;
    double value;
    (void)state;
    toy t = fork_toy();
    opac_automaton *automaton = toy_eventually();
    assert_true(bench_make(&b, &random, &t, false, .2, NULL, automaton));
    sample_statistics *w = &b.run.stats;
    update(&b); /* nothing was seen yet */
    assert_int_equal(bracket_model_count(b.bracket), 0);
    assert_status(bracket_model_chain(b.bracket, &chain, &value, &error), OPAC_ERROR_ARGUMENT);
    walk(&b, 1, 0, false);
    assert_int_equal(bracket_model_choice(b.bracket, w->start), 0); /* the first unknown one */
    update(&b);
    bracket_bounds bounds = bracket_model_bounds(b.bracket);
    assert_true(bounds.lower == 0);
    assert_true(bounds.upper == 1);
    assert_true(weight(&b, 0) == 1);
    assert_true(weight(&b, 1) == 0);
    assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
    assert_true(value == 0);
    assert_true(chain.process.choice_count == 0);
    see(&b, 0, 1, 60);
    see(&b, 0, 2, 40);
    see(&b, 2, 1, 100); /* row 2 is that of state 1, row 3 that of state 2 */
    update(&b);         /* action 0 is complete, action 1 is not, nor is 2 */
    bounds = bracket_model_bounds(b.bracket);
    assert_true(bounds.lower > 0);
    assert_true(bounds.upper == 1); /* from 1 on, F a has happened */
    assert_int_equal(bracket_model_choice(b.bracket, w->start), 1);
    assert_false(bracket_model_ends_at(b.bracket, w->start));
    bracket_model_follow(b.bracket, BRACKET_PESSIMISTIC);
    assert_int_equal(bracket_model_choice(b.bracket, w->start), 0);
    assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
    assert_true(fabs(value - .6) < 1e-6); /* though 2 has nothing that is known */
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    bracket_model_set_limits(b.bracket, NULL, NULL, cancel);
    assert_status(bracket_model_chain(b.bracket, &chain, &value, &error), OPAC_ERROR_CANCELLED);
    bracket_model_set_limits(b.bracket, NULL, NULL, NULL);
    opac_cancel_free(cancel);
    see(&b, 1, 2, 100); /* action 1 leads to 2, where nothing happens */
    see(&b, 3, 2, 100);
    update(&b);
    assert_ok(row_intervals(b.support, 0, &in, &error), &error);
    bounds = bracket_model_bounds(b.bracket);
    assert_true(fabs(bounds.lower - in[0].lower) < 1e-6);
    assert_true(fabs(bounds.upper - in[0].upper) < 1e-6);
    double spread = in[0].upper - in[0].lower;
    assert_true(fabs(weight(&b, 0) - spread) < 1e-6);
    assert_true(weight(&b, 1) == 0);
    uint32_t lost = sample_statistics_find(w, 2, w->product_states.items[w->start].memory);
    uint32_t won = sample_statistics_find(w, 1, w->product_states.items[w->start].memory);
    assert_true(bracket_model_ends_at(b.bracket, lost));
    assert_true(bracket_model_get_values(b.bracket, lost).upper == 0);
    assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
    assert_true(fabs(value - .6) < 1e-6);
    assert_true(bracket_model_get_values(b.bracket, SAMPLE_NONE - 1).upper == 1);
    assert_true(bracket_model_ends_at(b.bracket, won));
    assert_true(bracket_model_ends_at(b.bracket, w->sink));
    bracket_model_set_precision(b.bracket, 1e-12);
    update(&b);
    bounds = bracket_model_bounds(b.bracket);
    assert_true(fabs(bounds.lower - in[0].lower) < 1e-11);
    bench_fini(&b);
    opac_automaton_free(automaton);
}

/* Product states that were added since the last update. */
static void test_new_pairs(void **state)
{
    uint64_t random = random_seed(87), changed;
    bench b;
    uint32_t product_state;
    opac_error error;
    (void)state;
    toy t = fork_toy();
    opac_automaton *automaton = toy_eventually();
    assert_true(bench_make(&b, &random, &t, false, .2, NULL, automaton));
    walk(&b, 1, 0, false);
    sample_statistics *w = &b.run.stats;
    uint32_t first = w->product_states.items[w->start].choice;
    see(&b, 0, 1, 60);
    assert_ok(bracket_support_refresh(b.support, &changed, &error), &error);
    assert_int_equal(bracket_model_choice(b.bracket, w->start), first + 1); /* not complete */
    see(&b, 1, 1, 60);
    assert_ok(bracket_support_refresh(b.support, &changed, &error), &error);
    assert_int_equal(bracket_model_choice(b.bracket, w->start), first);
    assert_ok(sample_statistics_product_state(w, 1, 1, &product_state, &error), &error);
    assert_int_equal(product_state, w->sink);
    assert_true(bracket_model_ends_at(b.bracket, w->sink));
    bench_fini(&b);
    opac_automaton_free(automaton);
}

/* With a graph alone, probabilities are uniform; with observations, no edge has probability 0. */
static void test_graph_chain(void **state)
{
    uint64_t random = random_seed(88);
    bench b;
    sample_chain chain;
    double value;
    opac_error error;
    (void)state;
    toy t = fork_toy(), twin = t;
    opac_automaton *automaton = toy_eventually();
    opac_environment *graph = known_environment(&twin);
    assert_true(bench_make(&b, &random, &t, false, .2, graph, automaton));
    walk(&b, 1, 0, false);
    update(&b);
    bracket_bounds bounds = bracket_model_bounds(b.bracket);
    assert_true(fabs(bounds.lower - .2) < 1e-6);
    assert_true(fabs(bounds.upper - .8) < 1e-6);
    assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
    assert_true(fabs(value - .5) < 1e-6);
    see(&b, 0, 1, 3);
    update(&b);
    assert_ok(bracket_model_chain(b.bracket, &chain, &value, &error), &error);
    assert_true(fabs(value - 3.5 / 4) < 1e-6);
    bench_fini(&b);
    opac_environment_free(graph);
    opac_automaton_free(automaton);
}

/* 0 comes back to itself half of the time: two visits are expected. */
static void test_visits(void **state)
{
    uint64_t random = random_seed(89);
    bench b;
    const stat_interval *in;
    opac_error error;
    (void)state;
    toy t = fork_toy(), twin = t;
    t.target[0][0][0] = twin.target[0][0][0] = 0;
    opac_automaton *automaton = toy_eventually();
    opac_environment *graph = known_environment(&twin);
    assert_true(bench_make(&b, &random, &t, false, .1, graph, automaton));
    walk(&b, 1, 0, false);
    update(&b);
    see(&b, 0, 0, 2000);
    see(&b, 0, 1, 1000);
    see(&b, 0, 2, 1000);
    update(&b);
    assert_ok(row_intervals(b.support, 0, &in, &error), &error);
    bracket_bounds start = bracket_model_bounds(b.bracket);
    double wanted = 0;
    /* Values: of 0, of 1, which is 1, and of 2, which is 0. */
    double high = in[1].upper, low = in[1].lower;
    double rest = fmin(in[0].upper, 1 - high - in[2].lower);
    wanted += high + start.upper * rest;
    rest = fmax(in[0].lower, 1 - low - in[2].upper);
    wanted -= low + start.upper * rest;
    assert_true(fabs(weight(&b, 0) - 2 * wanted) < 1e-5);
    bench_fini(&b);
    opac_environment_free(graph);
    opac_automaton_free(automaton);
}

/* F a. From 0 a slow action to 3, which mostly stays, and a fast one; from 3 to 1, which has a, or 2. */
static toy slow_toy(uint32_t slow)
{
    toy t = {.states = 4, .initials = 1, .random = 1, .actions = {2, 1, 1, 1}};
    t.letter[1] = 1;
    for (uint32_t i = 0; i < TOY_WIDTH; i++) {
        t.target[0][slow][i] = i == 0 ? 3 : 0;
        t.target[0][1 - slow][i] = 3;
        t.target[1][0][i] = 1;
        t.target[2][0][i] = 2;
        t.target[3][0][i] = i == 0 ? 1 : 2;
    }
    return t;
}

/* With equal upper bounds, the gap-reducing policy takes the faster action. */
static void check_slow(uint32_t slow, uint32_t *taken)
{
    uint64_t random = random_seed(90);
    bench b;
    bool is_found;
    opac_error error;
    toy t = slow_toy(slow), twin = t;
    opac_automaton *automaton = toy_eventually();
    opac_environment *graph = known_environment(&twin);
    assert_true(bench_make(&b, &random, &t, false, .1, graph, automaton));
    walk(&b, 1, 0, false);
    update(&b);
    const sample_statistics *w = &b.run.stats;
    for (uint32_t r = 0; r < w->rows.count; r++) {
        uint32_t count;
        const uint32_t *order = sample_statistics_order(w, r, &count);
        for (uint32_t i = 0; i < count; i++)
            assert_ok(sample_statistics_observe(&b.run.stats, r, order[i], 300, &error), &error);
    }
    update(&b);
    uint32_t start = w->product_states.items[w->start].choice;
    bracket_model_follow(b.bracket, BRACKET_OPTIMISTIC);
    *taken = bracket_model_choice(b.bracket, w->start) - start;
    assert_ok(bracket_model_plan_gap_reduction(b.bracket, 10, &is_found, &error), &error);
    assert_true(is_found == (*taken == slow));
    if (is_found) {
        bracket_model_follow(b.bracket, BRACKET_GAP);
        assert_int_equal(bracket_model_choice(b.bracket, w->start) - start, 1 - slow);
        assert_false(bracket_model_ends_at(b.bracket, w->start));
        update(&b); /* and it is forgotten */
        for (uint32_t product_state = 0; product_state < w->product_states.count; product_state++)
            assert_true(bracket_model_ends_at(b.bracket, product_state) ==
                        (product_state != w->start));
    }
    bench_fini(&b);
    opac_environment_free(graph);
    opac_automaton_free(automaton);
}

static void test_gap_reduction(void **state)
{
    uint32_t taken[2];
    (void)state;
    check_slow(0, &taken[0]);
    check_slow(1, &taken[1]);
    assert_true(taken[0] == 0 || taken[1] == 1); /* else nothing was tested */
}

/* ---- save and restore ---- */

static opac_status restore(const bench *from, bench *to, uint64_t *random,
                           const base_u64_vec *supports, const uint64_t *words, size_t count,
                           opac_error *error)
{
    size_t used;
    assert_true(bench_make(to, random, &from->t, false, from->pmin, NULL, from->run.automaton));
    assert_ok(known_copy(&from->run.stats, &to->run.stats, error), error);
    assert_ok(bracket_support_restore(to->support, supports->items, supports->count, &used, error),
              error);
    return bracket_model_restore(to->bracket, words, count, error);
}

static void check_saved(const bench *a, const bench *b)
{
    base_u64_vec words[2] = {{0}};
    opac_error error;
    assert_ok(bracket_model_save(a->bracket, &words[0], &error), &error);
    assert_ok(bracket_model_save(b->bracket, &words[1], &error), &error);
    assert_int_equal(words[0].count, words[1].count);
    assert_memory_equal(words[0].items, words[1].items, words[0].count * sizeof(uint64_t));
    base_u64_vec_fini(&words[0]);
    base_u64_vec_fini(&words[1]);
}

static void test_restore(void **state)
{
    uint64_t random = random_seed(85);
    uint32_t found = 0;
    opac_error error;
    (void)state;
    for (uint32_t round = 0; round < 40; round++) {
        toy t;
        bench a, b;
        base_u64_vec supports = {0}, words = {0};
        opac_automaton *automaton = toy_automaton(&random, round % 3 > 0);
        toy_draw(&random, 1 + random_below(&random, TOY_STATES), round % 4 == 0, &t);
        if (!bench_make(&a, &random, &t, false, .3, NULL, automaton)) {
            opac_automaton_free(automaton);
            continue;
        }
        for (uint32_t i = 0; i < 10 + 20 * (round % 6); i++)
            walk(&a, random_u64(&random) >> 1, 20, false);
        update(&a);
        bool is_found;
        assert_ok(bracket_model_plan_gap_reduction(a.bracket, 10, &is_found, &error), &error);
        bracket_model_follow(a.bracket, is_found    ? BRACKET_GAP
                                        : round % 2 ? BRACKET_PESSIMISTIC
                                                    : BRACKET_OPTIMISTIC);
        found += is_found;
        for (uint32_t i = 0; i < 5; i++) /* counts have grown since */
            walk(&a, random_u64(&random) >> 1, 20, true);
        assert_ok(bracket_support_save(a.support, &supports, &error), &error);
        assert_ok(bracket_model_save(a.bracket, &words, &error), &error);
        assert_ok(restore(&a, &b, &random, &supports, words.items, words.count, &error), &error);
        check_saved(&a, &b);
        for (uint32_t turn = 0; turn < 3; turn++) {
            uint64_t seed = random_u64(&random) >> 1;
            for (uint32_t i = 0; i < 50; i++) {
                walk(&a, seed + i, 20, true);
                walk(&b, seed + i, 20, true);
            }
            update(&a);
            update(&b);
            check_saved(&a, &b);
        }
        bench_fini(&a);
        bench_fini(&b);
        base_u64_vec_fini(&supports);
        base_u64_vec_fini(&words);
        opac_automaton_free(automaton);
    }
    assert_true(found > 0);
}

static void test_damage(void **state)
{
    uint64_t random = random_seed(86);
    base_u64_vec supports = {0}, words = {0};
    bench a, b;
    opac_error error;
    (void)state;
    toy t = fork_toy();
    t.states = 4; /* a state that nothing leads to */
    t.actions[3] = 1;
    opac_automaton *automaton = toy_eventually();
    assert_true(bench_make(&a, &random, &t, false, .2, NULL, automaton));
    walk(&a, 1, 0, false);
    uint32_t other, product_state;
    assert_ok(known_meet(&a.run.stats, &t, 3, &other, &error), &error);
    assert_ok(sample_statistics_product_state(&a.run.stats, other, 0, &product_state, &error),
              &error);
    size_t blank = 5 + 5 * (size_t)product_state; /* its words */
    see(&a, 0, 1, 60);
    see(&a, 0, 2, 40);
    see(&a, 3, 1, 100); /* row 2 is that of the other state */
    update(&a);
    assert_ok(bracket_support_save(a.support, &supports, &error), &error);
    assert_ok(bracket_model_save(a.bracket, &words, &error), &error);
    /* Pair 0 is the start: words 5 to 9. */
    const struct {
        size_t at;
        uint64_t word;
    } bad[] = {{0, words.items[0] + 1},
               {0, words.items[0] - 1},
               {0, UINT64_MAX / 5},
               {1, words.items[1] + 1},
               {1, words.items[1] - 1},
               {1, UINT64_MAX},
               {2, 3},
               {3, base_double_to_bits(.25)},
               {4, base_double_to_bits(.25)},
               {5, UINT64_C(7) << 32},
               {5, 7},
               {6, base_double_to_bits(-.5)},
               {6, base_double_to_bits(NAN)},
               {6, base_double_to_bits(0)},
               {7, base_double_to_bits(1.5)},
               {8, UINT64_C(1) << 32 | 1},
               {8, UINT64_C(1) << 32 | 1000},
               {8, UINT64_C(1) << 32 | SAMPLE_NONE},
               {8, (uint64_t)GRAPH_NONE << 32},
               {9, (uint64_t)SAMPLE_NONE << 32 | 1},
               {9, (uint64_t)SAMPLE_NONE << 32 | 2},
               {9, UINT64_C(7) << 32},
               {blank, 0},
               {blank + 1, base_double_to_bits(.5)},
               {blank + 2, base_double_to_bits(.5)},
               {blank + 3, SAMPLE_NONE},
               {blank + 4, (uint64_t)SAMPLE_NONE << 32 | 1},
               {blank + 4, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t kept = words.items[bad[i].at];
        assert_true(kept != bad[i].word);
        words.items[bad[i].at] = bad[i].word;
        if (restore(&a, &b, &random, &supports, words.items, words.count, &error) !=
            OPAC_ERROR_ARGUMENT)
            fail_msg("damage %zu was taken", i);
        words.items[bad[i].at] = kept;
        bench_fini(&b);
    }
    for (size_t count = 0; count < words.count; count++) {
        assert_status(restore(&a, &b, &random, &supports, words.items, count, &error),
                      OPAC_ERROR_ARGUMENT);
        bench_fini(&b);
    }
    bench_fini(&a);
    base_u64_vec_fini(&supports);
    base_u64_vec_fini(&words);
    opac_automaton_free(automaton);
}

/* ---- memory ---- */

typedef struct sweep {
    toy t;
    opac_automaton *automaton;
    const product_rabin_pair_vec *pairs;
} sweep;

static opac_status sweep_bracket(sample_statistics *stats, bracket_support *support,
                                 bracket_model *bracket, const toy *t, opac_error *error)
{
    base_double_vec weights = {0};
    base_u64_vec words = {0};
    uint64_t changed;
    sample_chain chain;
    double value;
    bool is_found;
    opac_status status = known_begin(stats, t, error);
    for (uint32_t round = 0; round < 2 && status == OPAC_OK; round++) {
        status = bracket_support_refresh(support, &changed, error);
        if (status == OPAC_OK)
            status = bracket_model_update(bracket, error);
        for (uint32_t s = 0; s < 3 && status == OPAC_OK; s++)
            status = known_observe(stats, t, 0, s, 50, error);
    }
    if (status == OPAC_OK)
        status = bracket_support_refresh(support, &changed, error);
    if (status == OPAC_OK)
        status = bracket_model_update(bracket, error);
    if (status == OPAC_OK)
        status = bracket_model_chain(bracket, &chain, &value, error);
    if (status == OPAC_OK)
        status = bracket_model_weights(bracket, &weights, error);
    if (status == OPAC_OK)
        status = bracket_model_plan_gap_reduction(bracket, 1, &is_found, error);
    if (status == OPAC_OK)
        status = bracket_model_save(bracket, &words, error);
    if (status == OPAC_OK)
        status = bracket_model_restore(bracket, words.items, words.count, error);
    base_double_vec_fini(&weights);
    base_u64_vec_fini(&words);
    return status;
}

static opac_status sweep_run(void *context, opac_error *error)
{
    sweep *s = context;
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks callbacks = {
        .reset = toy_reset, .step = toy_step, .propositions = names, .proposition_count = 2};
    sample_statistics stats;
    bracket_support *support = NULL;
    bracket_model *bracket = NULL;
    opac_environment *env;
    opac_status status = opac_environment_new(&callbacks, &s->t, &env, error);
    if (status != OPAC_OK)
        return status;
    status = sample_statistics_init(&stats, env, s->automaton,
                                    &(sample_statistics_options){.k = NEVER_FULL}, error);
    if (status == OPAC_OK)
        status = bracket_support_new(&stats, &(bracket_support_options){.pmin = .3, .delta = .1},
                                     &support, error);
    if (status == OPAC_OK)
        status =
            bracket_model_new(&stats, support,
                              &(bracket_model_options){.pairs = s->pairs->items,
                                                       .pair_count = (uint32_t)s->pairs->count},
                              &bracket, error);
    if (status == OPAC_OK)
        status = sweep_bracket(&stats, support, bracket, &s->t, error);
    bracket_model_free(bracket);
    bracket_support_free(support);
    sample_statistics_fini(&stats);
    opac_environment_free(env);
    return status;
}

static void test_memory(void **state)
{
    product_rabin_pair_vec pairs = {0};
    bool everywhere;
    opac_error error;
    (void)state;
    sweep s = {.t = fork_toy(), .automaton = toy_eventually(), .pairs = &pairs};
    s.t.target[0][0][0] = 0; /* three successors */
    assert_ok(product_rabin_pairs(&s.automaton->condition, &pairs, &everywhere, &error), &error);
    assert_true(faults_sweep(sweep_run, &s) > 40);
    product_rabin_pair_vec_fini(&pairs);
    opac_automaton_free(s.automaton);
}

SUITE(bracket)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampled),       cmocka_unit_test(test_closes),
        cmocka_unit_test(test_kinds),         cmocka_unit_test(test_fork),
        cmocka_unit_test(test_new_pairs),     cmocka_unit_test(test_graph_chain),
        cmocka_unit_test(test_gap_reduction), cmocka_unit_test(test_visits),
        cmocka_unit_test(test_restore),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
