/* SPDX-License-Identifier: MIT */
/*
 * Statistics from random walks, with choices taken at random: in a random model, tabulated or behind
 * callbacks with keys of their own.
 */
#ifndef TESTS_LEARN_RANDOM_WALK_H
#define TESTS_LEARN_RANDOM_WALK_H

#include <omegapac/builder.h>

#include "sample/statistics.h"
#include "support/check.h"
#include "support/random_automaton.h"
#include "support/random_model.h"

typedef struct wander_shape {
    uint32_t states, actions, branches; /* at most; each at least 1 */
    bool has_deadlocks, is_random;      /* several initial states */
} wander_shape;

/* Labels a, b, c, as random automata have them. */
static inline opac_model *wander_model(uint64_t *random, wander_shape shape)
{
    static const char *const names[] = {"a", "b", "c"};
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < shape.states; s++) {
        uint32_t actions = 1 + random_below(random, shape.actions);
        assert_ok(opac_builder_state(builder, &error), &error);
        if (shape.has_deadlocks && s > 0 && random_below(random, 5) == 0)
            actions = 0;
        for (uint32_t a = 0; a < actions; a++) {
            uint32_t branches = 1 + random_below(random, shape.branches);
            assert_ok(opac_builder_choice(builder, NULL, &error), &error);
            for (uint32_t b = 0; b < branches; b++)
                assert_ok(opac_builder_branch(builder, random_below(random, shape.states),
                                              1.0 / branches, &error),
                          &error);
        }
        for (size_t i = 0; i < 3; i++)
            if (random_below(random, 2) == 0)
                assert_ok(opac_builder_label(builder, names[i], s, &error), &error);
        if (s == 0 || (shape.is_random && random_below(random, 3) == 0))
            assert_ok(opac_builder_initial(builder, s, &error), &error);
    }
    for (size_t i = 0; i < 3; i++)
        assert_ok(opac_builder_declare_label(builder, names[i], &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- callbacks ---- */

typedef struct wander_simulator {
    const opac_model *model;
    uint64_t random;
    uint32_t state;
    char key[32];
} wander_simulator;

/* State 0 has a key of no bytes; others have some with a NUL in them. */
static inline void wander_observe(wander_simulator *x, opac_observation *seen)
{
    static const char *const names[] = {"a", "b", "c"};
    int length = snprintf(x->key, sizeof x->key, "s%c%u", '\0', (unsigned)x->state);
    seen->key = x->key;
    seen->length = x->state == 0 ? 0 : (size_t)length;
    seen->actions = opac_model_choice_count(x->model, x->state);
    seen->letter = 0;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t label = model_label_find(x->model, names[i], 1);
        if (opac_model_has_label(x->model, x->state, label))
            seen->letter |= UINT64_C(1) << i;
    }
}

static inline opac_status wander_reset(void *context, uint64_t seed, opac_observation *seen,
                                       opac_error *error)
{
    wander_simulator *x = context;
    (void)error;
    x->random = seed;
    x->state = x->model->initial.items[random_below(&x->random, (uint32_t)x->model->initial.count)];
    wander_observe(x, seen);
    return OPAC_OK;
}

static inline opac_status wander_step(void *context, uint32_t action, opac_observation *seen,
                                      opac_error *error)
{
    wander_simulator *x = context;
    uint32_t choice = opac_model_choice_begin(x->model, x->state) + action;
    (void)error;
    x->state = opac_model_branch_target(
        x->model, opac_model_branch_begin(x->model, choice) +
                      random_below(&x->random, opac_model_branch_count(x->model, choice)));
    wander_observe(x, seen);
    return OPAC_OK;
}

static inline opac_environment *wander_environment(const opac_model *model, bool callbacks)
{
    static const char *const names[] = {"a", "b", "c"};
    opac_environment *env;
    opac_error error;
    if (!callbacks) {
        assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
        return env;
    }
    opac_environment_callbacks calls = {.reset = wander_reset,
                                        .step = wander_step,
                                        .release = free,
                                        .propositions = names,
                                        .proposition_count = 3,
                                        .random_start = model->initial.count > 1};
    wander_simulator *simulator = calloc(1, sizeof *simulator);
    assert_non_null(simulator);
    simulator->model = model;
    assert_ok(opac_environment_new(&calls, simulator, &env, &error), &error);
    return env;
}

/* ---- random walks ---- */

/* A choice that takes a step of the environment: where it led to. */
static inline opac_status wander_take(sample_statistics *stats, uint32_t choice, uint32_t row,
                                      const opac_observation *seen, uint32_t *product_state,
                                      opac_error *error)
{
    uint32_t counter = stats->choices.items[choice].counter, state, branch;
    opac_status status = sample_statistics_add_state(stats, seen, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_branch(stats, row, state, &branch, error);
    if (status == OPAC_OK)
        status = sample_statistics_observe(stats, counter, branch, 1, error);
    return status == OPAC_OK ? sample_statistics_follow(stats, choice, branch, product_state, error)
                             : status;
}

static inline opac_status wander_once(sample_statistics *stats, uint64_t *random,
                                      uint32_t *product_state, opac_observation *seen,
                                      opac_error *error)
{
    sample_product_state at = stats->product_states.items[*product_state];
    uint32_t number = at.choice + random_below(random, at.choices);
    sample_choice choice = stats->choices.items[number];
    if (sample_choice_is_free(&choice)) {
        *product_state = choice.target;
        return OPAC_OK;
    }
    if (at.state == SAMPLE_NONE) /* START: the reset, which was seen already */
        return wander_take(stats, number, stats->reset_row, seen, product_state, error);
    opac_status status = env_step(stats->env, choice.action, seen, error);
    if (status != OPAC_OK)
        return status;
    return wander_take(stats, number, sample_statistics_row(stats, at.state, choice.action), seen,
                       product_state, error);
}

/* One episode; the environment has its own random numbers, from `random` as well. */
static inline opac_status wander_episode(sample_statistics *stats, uint64_t *random, uint32_t steps,
                                         opac_error *error)
{
    opac_observation seen;
    uint32_t state, product_state;
    opac_status status = env_reset(stats->env, random_u64(random) >> 1, &seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(stats, &seen, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_begin_episode(stats, state, error);
    if (status != OPAC_OK)
        return status;
    product_state = stats->start;
    for (uint32_t i = 0; i < steps && status == OPAC_OK; i++)
        status = wander_once(stats, random, &product_state, &seen, error);
    return status;
}

#endif
