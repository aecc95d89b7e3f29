/* SPDX-License-Identifier: MIT */
/* Environments and runs for tests of the learner, each in a line or two. */
#ifndef TESTS_LEARN_RUNS_H
#define TESTS_LEARN_RUNS_H

#include <math.h>

#include <omegapac/omegapac.h>

#include "base/hash.h"
#include "learn/learn.h"
#include "omega_pac/omega_pac.h"
#include "stat/rng.h"
#include "support/check.h"

/* ---- an environment by hand: a table of states ---- */

enum {
    TABLE_MOST = 16
};

/* Action a of a state leads to `to[i]` with probability p[i]. */
typedef struct table_action {
    double p[4];
    uint32_t to[4];
} table_action;

typedef struct table_state {
    uint64_t letter;
    uint32_t actions;
    table_action action[4];
} table_state;

typedef struct table {
    const table_state *states;
    stat_rng rng;
    uint32_t at;
    bool is_stuck;   /* ignores its seed */
    uint32_t starts; /* random ones: 0 … starts-1; 0: always state 0 */
} table;

static inline void table_show(const table *t, opac_observation *seen)
{
    *seen = (opac_observation){.key = &t->at,
                               .length = sizeof t->at,
                               .letter = t->states[t->at].letter,
                               .actions = t->states[t->at].actions};
}

static inline opac_status table_reset(void *context, uint64_t seed, opac_observation *seen,
                                      opac_error *error)
{
    table *t = context;
    (void)error;
    stat_rng_init(&t->rng, t->is_stuck ? 5 : seed, 7);
    t->at = t->starts > 0 ? (uint32_t)stat_rng_below(&t->rng, t->starts) : 0;
    table_show(t, seen);
    return OPAC_OK;
}

static inline opac_status table_step(void *context, uint32_t action, opac_observation *seen,
                                     opac_error *error)
{
    table *t = context;
    const table_action *a = &t->states[t->at].action[action];
    double u = stat_rng_uniform(&t->rng);
    uint32_t i = 0;
    (void)error;
    while (i < 3 && u >= a->p[i] && a->p[i + 1] > 0)
        u -= a->p[i++];
    t->at = a->to[i];
    table_show(t, seen);
    return OPAC_OK;
}

static inline opac_status table_fork(void *context, void **other, opac_error *error)
{
    table *made = malloc(sizeof *made);
    (void)error;
    *made = *(table *)context;
    *other = made;
    return OPAC_OK;
}

/* Four lanes, each a table. */
typedef struct table_lanes {
    table own[5];
    uint32_t keys[4];
} table_lanes;

static inline opac_status lanes_reset(void *context, uint64_t seed, opac_observation *seen,
                                      opac_error *error)
{
    return table_reset(&((table_lanes *)context)->own[4], seed, seen, error);
}

static inline opac_status lanes_step(void *context, uint32_t action, opac_observation *seen,
                                     opac_error *error)
{
    return table_step(&((table_lanes *)context)->own[4], action, seen, error);
}

static inline opac_status lanes_many(void *context, const opac_lane_request *orders,
                                     opac_observation *seen, opac_error *error)
{
    table_lanes *l = context;
    for (int i = 0; i < 4; i++)
        if (orders[i].is_reset)
            table_reset(&l->own[i], orders[i].seed, &seen[i], error);
        else
            table_step(&l->own[i], orders[i].action, &seen[i], error);
    return OPAC_OK;
}

static inline opac_status lanes_fork(void *context, void **other, opac_error *error)
{
    table_lanes *made = malloc(sizeof *made);
    (void)error;
    *made = *(table_lanes *)context;
    *other = made;
    return OPAC_OK;
}

static const char *const table_names[] = {"a", "b", "c"};

static inline opac_environment *table_environment(const table_state *states, uint32_t starts,
                                                  bool is_stuck)
{
    opac_error error = {0};
    opac_environment *env;
    table *t = malloc(sizeof *t);
    *t = (table){.states = states, .starts = starts, .is_stuck = is_stuck};
    const opac_environment_callbacks callbacks = {.reset = table_reset,
                                                  .step = table_step,
                                                  .fork = table_fork,
                                                  .release = free,
                                                  .propositions = table_names,
                                                  .proposition_count = 3,
                                                  .random_start = starts > 0};
    assert_ok(opac_environment_new(&callbacks, t, &env, &error), &error);
    return env;
}

static inline opac_environment *lanes_environment(const table_state *states, uint32_t starts)
{
    opac_error error = {0};
    opac_environment *env;
    table_lanes *l = malloc(sizeof *l);
    for (int i = 0; i < 5; i++)
        l->own[i] = (table){.states = states, .starts = starts};
    const opac_environment_callbacks callbacks = {.reset = lanes_reset,
                                                  .step = lanes_step,
                                                  .step_many = lanes_many,
                                                  .lanes = 4,
                                                  .fork = lanes_fork,
                                                  .release = free,
                                                  .propositions = table_names,
                                                  .proposition_count = 3,
                                                  .random_start = starts > 0};
    assert_ok(opac_environment_new(&callbacks, l, &env, &error), &error);
    return env;
}

/* ---- the paper's examples ---- */

/* The gridworld, walls as printed: state x + 3 y; `a` in the start, `b` in the goal. */
static inline void gridworld_make(table_state *states)
{
    static const int moves[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (int s = 0; s < 6; s++) {
        int x = s % 3, y = s / 3;
        bool is_trap = x == 1 && y == 1;
        states[s] = (table_state){.letter = (s == 3 ? 1 : 0) | (s == 2 ? 2 : 0), .actions = 4};
        for (int a = 0; a < 4; a++) {
            int nx = x + moves[a][0], ny = y + moves[a][1];
            bool east = !is_trap && nx >= 0 && nx < 3, north = !is_trap && ny >= 0 && ny < 2;
            table_action *action = &states[s].action[a];
            int n = 0;
            if (east) {
                action->p[n] = 0.4;
                action->to[n++] = (uint32_t)(nx + 3 * y);
            }
            if (north) {
                action->p[n] = 0.4;
                action->to[n++] = (uint32_t)(x + 3 * ny);
            }
            action->p[n] = 1 - 0.4 * n;
            action->to[n] = (uint32_t)s;
        }
    }
    /* Runs begin in state 0: swap it with the start. */
    table_state start = states[3];
    states[3] = states[0];
    states[0] = start;
    for (int s = 0; s < 6; s++)
        for (int a = 0; a < 4; a++)
            for (int i = 0; i < 4; i++) {
                uint32_t *to = &states[s].action[a].to[i];
                *to = *to == 0 ? 3 : *to == 3 ? 0 : *to;
            }
}

/* The chain: states 0 … 5, 6 accepts, 7 rejects; action 0 goes on, action 1 tries. */
static inline void chain_make(table_state *states)
{
    for (uint32_t s = 0; s < 6; s++) {
        double p = ldexp(1, -(int)s - 1);
        states[s] = (table_state){
            .actions = 2,
            .action = {{.p = {1}, .to = {s < 5 ? s + 1 : 7}}, {.p = {p, 1 - p}, .to = {6, 7}}}};
    }
    states[6] = (table_state){.letter = 1, .actions = 1, .action = {{.p = {1}, .to = {6}}}};
    states[7] = (table_state){.actions = 1, .action = {{.p = {1}, .to = {7}}}};
}

/* ---- runs ---- */

static inline opac_learn_options learning_options(uint64_t horizon, uint64_t k)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k_rule = OPAC_K_L1;
    options.k = k;
    options.threads = 1;
    return options;
}

/* Of runs that close a bracket. */
static inline opac_learn_options bracket_options(double pmin, double epsilon)
{
    opac_learn_options options = opac_learn_defaults();
    options.pmin = pmin;
    options.epsilon = epsilon;
    options.delta = 0.1;
    options.threads = 1;
    return options;
}

/* A listener whose context is a request to stop. */
static inline void stop_at_three_known(void *context, const opac_learning *learning,
                                       opac_trace_entry *entry)
{
    (void)learning;
    if (entry->known >= 3)
        opac_cancel_request(context);
}

static inline opac_formula *learning_formula(const char *text)
{
    opac_error error = {0};
    opac_formula *formula;
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    return formula;
}

static inline opac_learning *learning_of(opac_environment *env, const char *formula,
                                         const opac_learn_options *options)
{
    opac_error error = {0};
    opac_formula *f = learning_formula(formula);
    const opac_objective objective = {.formula = f};
    opac_learning *learning;
    assert_ok(opac_learn(env, &objective, options, &learning, &error), &error);
    opac_formula_free(f);
    return learning;
}

/* Counts, policy, episodes, steps: FNV-1a of all of them. */
static inline uint64_t learning_hash(const opac_learning *l)
{
    const sample_statistics *stats = &l->run.stats;
    uint64_t hash = BASE_FNV_BEGIN;
    uint64_t numbers[2] = {l->run.episodes, l->run.steps};
    hash = base_hash_fnv(hash, numbers, sizeof numbers);
    for (uint32_t i = 0; i < stats->counters.count; i++) {
        const sample_row *row = &stats->rows.items[stats->counters.items[i].row];
        hash = base_hash_fnv(hash, &stats->counters.items[i].count, sizeof(uint64_t));
        for (uint32_t b = 0; b < row->width; b++) {
            uint64_t seen[2] = {b, sample_statistics_observed(stats, i, b)};
            if (seen[1] > 0) /* rows may be laid out before they are taken */
                hash = base_hash_fnv(hash, seen, sizeof seen);
        }
    }
    for (uint32_t p = 0; p < stats->product_states.count; p++) {
        uint32_t choice = sample_run_choice(&l->run, p);
        hash = base_hash_fnv(hash, &choice, sizeof choice);
    }
    return hash;
}

#endif
