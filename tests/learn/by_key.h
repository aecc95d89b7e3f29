/* SPDX-License-Identifier: MIT */
/*
 * A model behind callbacks: the learner sees only keys, letters and numbers of actions, on lanes and in
 * forks. Keys are words that do not reveal the state's number; a state that is never left may have no
 * actions.
 *
 * Also an independent evaluation of a policy by keys in the model: the chain that it induces is built
 * with opac_policy_act_at or opac_learning_act, and solved as a model.
 */
#ifndef TESTS_LEARN_BY_KEY_H
#define TESTS_LEARN_BY_KEY_H

#include <omegapac/omegapac.h>

#include "check/scene.h"
#include "stat/rng.h"
#include "support/check.h"

enum {
    BY_KEY_STATES = 8,
    BY_KEY_LANES = 64,
    BY_KEY_MEMORY = 64
};

typedef struct by_key_model {
    const opac_model *model;
    bool is_bare; /* states that are never left have no actions */
    uint64_t letters[BY_KEY_STATES];
    char keys[BY_KEY_STATES][24];
} by_key_model;

typedef struct by_key {
    const by_key_model *of;
    uint32_t at[1 + BY_KEY_LANES];
    stat_rng rngs[1 + BY_KEY_LANES];
    uint32_t lanes;
} by_key;

static inline void by_key_init(by_key_model *m, const opac_model *model, bool is_bare)
{
    *m = (by_key_model){.model = model, .is_bare = is_bare};
    assert_true(opac_model_states(model) <= BY_KEY_STATES);
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        snprintf(m->keys[s], sizeof m->keys[s], "%c,\n%u", (char)('z' - s * 5 % 7), s * 37 % 11);
        for (uint32_t l = 0; l < opac_model_label_count(model); l++)
            m->letters[s] |= (uint64_t)opac_model_has_label(model, s, l) << l;
    }
}

/* Whether its one action leads back. */
static inline bool by_key_is_end(const opac_model *model, uint32_t state)
{
    uint32_t choice = opac_model_choice_begin(model, state);
    return opac_model_choice_count(model, state) == 1 &&
           opac_model_branch_count(model, choice) == 1 &&
           opac_model_branch_target(model, opac_model_branch_begin(model, choice)) == state;
}

static inline void by_key_show(const by_key *k, uint32_t lane, opac_observation *seen)
{
    const by_key_model *m = k->of;
    uint32_t state = k->at[lane];
    bool is_bare = m->is_bare && by_key_is_end(m->model, state);
    *seen = (opac_observation){.key = m->keys[state],
                               .length = strlen(m->keys[state]),
                               .letter = m->letters[state],
                               .actions = is_bare ? 0 : opac_model_choice_count(m->model, state)};
}

static inline opac_status by_key_begin(by_key *k, uint32_t lane, uint64_t seed,
                                       opac_observation *seen)
{
    uint32_t starts = opac_model_initial_count(k->of->model);
    stat_rng_init(&k->rngs[lane], seed, 5);
    k->at[lane] =
        opac_model_initial(k->of->model, (uint32_t)stat_rng_below(&k->rngs[lane], starts));
    by_key_show(k, lane, seen);
    return OPAC_OK;
}

/* All probabilities are multiples of 1/8. */
static inline opac_status by_key_go(by_key *k, uint32_t lane, uint32_t action,
                                    opac_observation *seen)
{
    const opac_model *model = k->of->model;
    uint32_t choice = opac_model_choice_begin(model, k->at[lane]) + action;
    uint32_t branch = opac_model_branch_begin(model, choice);
    double left = ((double)stat_rng_below(&k->rngs[lane], 8) + 0.5) / 8;
    while (left > opac_model_branch_probability(model, branch))
        left -= opac_model_branch_probability(model, branch++);
    k->at[lane] = opac_model_branch_target(model, branch);
    by_key_show(k, lane, seen);
    return OPAC_OK;
}

static inline opac_status by_key_reset(void *context, uint64_t seed, opac_observation *seen,
                                       opac_error *error)
{
    (void)error;
    return by_key_begin(context, 0, seed, seen);
}

static inline opac_status by_key_step(void *context, uint32_t action, opac_observation *seen,
                                      opac_error *error)
{
    (void)error;
    return by_key_go(context, 0, action, seen);
}

static inline opac_status by_key_step_many(void *context, const opac_lane_request *orders,
                                           opac_observation *seen, opac_error *error)
{
    by_key *k = context;
    (void)error;
    for (uint32_t i = 0; i < k->lanes; i++) {
        if (orders[i].is_reset)
            by_key_begin(k, 1 + i, orders[i].seed, &seen[i]);
        else
            by_key_go(k, 1 + i, orders[i].action, &seen[i]);
    }
    return OPAC_OK;
}

static inline by_key *by_key_make(const by_key_model *of, uint32_t lanes)
{
    by_key *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->of = of;
    made->lanes = lanes;
    return made;
}

static inline opac_status by_key_fork(void *context, void **other, opac_error *error)
{
    const by_key *k = context;
    (void)error;
    *other = by_key_make(k->of, k->lanes);
    return OPAC_OK;
}

static inline opac_environment *by_key_environment(const by_key_model *m, uint32_t lanes)
{
    const char *names[8];
    opac_environment *env;
    opac_error error = {0};
    uint32_t labels = opac_model_label_count(m->model);
    assert_true(labels <= 8);
    assert_true(lanes <= BY_KEY_LANES);
    for (uint32_t l = 0; l < labels; l++)
        names[l] = opac_model_label(m->model, l);
    const opac_environment_callbacks callbacks = {.reset = by_key_reset,
                                                  .step = by_key_step,
                                                  .step_many = lanes > 1 ? by_key_step_many : NULL,
                                                  .lanes = lanes > 1 ? lanes : 0,
                                                  .fork = by_key_fork,
                                                  .release = free,
                                                  .propositions = names,
                                                  .proposition_count = labels,
                                                  .random_start =
                                                      opac_model_initial_count(m->model) > 1};
    assert_ok(opac_environment_new(&callbacks, by_key_make(m, lanes), &env, &error), &error);
    return env;
}

/* ---- what a policy by key is worth ---- */

typedef struct by_key_chain {
    const by_key_model *of;
    const opac_policy *policy;
    const opac_learning *learning;                 /* which is run, if there is no policy */
    uint32_t number[BY_KEY_STATES][BY_KEY_MEMORY]; /* plus one */
    uint32_t states[BY_KEY_STATES * BY_KEY_MEMORY], memories[BY_KEY_STATES * BY_KEY_MEMORY];
    uint32_t count;
    opac_builder *builder;
} by_key_chain;

static inline uint32_t by_key_number(by_key_chain *c, uint32_t state, uint32_t memory)
{
    assert_true(memory < BY_KEY_MEMORY);
    if (c->number[state][memory] == 0) {
        c->states[c->count] = state;
        c->memories[c->count] = memory;
        c->number[state][memory] = ++c->count;
    }
    return c->number[state][memory] - 1;
}

static inline void by_key_expand(by_key_chain *c, uint32_t number, opac_error *error)
{
    const opac_model *model = c->of->model;
    uint32_t state = c->states[number], memory = c->memories[number];
    const char *key = c->of->keys[state];
    uint32_t action = c->policy != NULL ? opac_policy_act_at(c->policy, key, strlen(key), &memory)
                                        : opac_learning_act(c->learning, key, strlen(key), &memory);
    assert_true(action < opac_model_choice_count(model, state));
    uint32_t choice = opac_model_choice_begin(model, state) + action;
    uint32_t first = opac_model_branch_begin(model, choice);
    uint32_t end = first + opac_model_branch_count(model, choice);
    assert_ok(opac_builder_state(c->builder, error), error);
    assert_ok(opac_builder_choice(c->builder, "", error), error);
    for (uint32_t b = first; b < end; b++) {
        uint32_t next = by_key_number(c, opac_model_branch_target(model, b), memory);
        uint32_t parts = (uint32_t)(opac_model_branch_probability(model, b) * 8 + 0.5);
        assert_ok(opac_builder_branch_ratio(c->builder, next, parts, 8, error), error);
    }
}

static inline void by_key_label(by_key_chain *c, opac_error *error)
{
    for (uint32_t l = 0; l < opac_model_label_count(c->of->model); l++) {
        const char *name = opac_model_label(c->of->model, l);
        assert_ok(opac_builder_declare_label(c->builder, name, error), error);
        for (uint32_t i = 0; i < c->count; i++)
            if ((c->of->letters[c->states[i]] >> l & 1) != 0)
                assert_ok(opac_builder_label(c->builder, name, i, error), error);
    }
}

/* Each initial state is as likely as the others. */
static inline double by_key_value(const by_key_model *m, const opac_policy *policy,
                                  const opac_learning *learning, const opac_objective *objective)
{
    const opac_model_options options = {.exact = true};
    const opac_check_options check = {.threads = 1};
    by_key_chain *c = calloc(1, sizeof *c);
    opac_model *chain;
    opac_error error = {0};
    uint32_t starts = opac_model_initial_count(m->model);
    double sum = 0;
    assert_non_null(c);
    c->of = m;
    c->policy = policy;
    c->learning = learning;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &c->builder, &error), &error);
    for (uint32_t i = 0; i < starts; i++) {
        uint32_t state = opac_model_initial(m->model, i);
        size_t length = strlen(m->keys[state]);
        uint32_t memory = policy != NULL ? opac_policy_start_at(policy, m->keys[state], length)
                                         : opac_learning_start(learning, m->keys[state], length);
        assert_ok(opac_builder_initial(c->builder, by_key_number(c, state, memory), &error),
                  &error);
    }
    for (uint32_t i = 0; i < c->count; i++)
        by_key_expand(c, i, &error);
    by_key_label(c, &error);
    assert_ok(opac_builder_finish(c->builder, &options, &chain, &error), &error);
    opac_solution *solution = scene_solve(chain, objective, &check);
    for (uint32_t i = 0; i < starts; i++)
        sum += opac_solution_interval(solution, i).value;
    opac_solution_free(solution);
    opac_model_free(chain);
    opac_builder_free(c->builder);
    free(c);
    return sum / starts;
}

#endif
