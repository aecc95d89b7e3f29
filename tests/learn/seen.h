/* SPDX-License-Identifier: MIT */
/*
 * Small random simulators with arbitrary bytes as keys, also the empty key, and with action names; and
 * learning in them.
 */
#ifndef TEST_LEARN_SEEN_H
#define TEST_LEARN_SEEN_H

#include <omegapac/learning.h>

#include "toy.h"

typedef struct seen_key {
    const char *bytes;
    size_t length;
} seen_key;

#define SEEN_KEY(text)                                                                             \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
static const seen_key seen_keys[TOY_STATES] = {
    SEEN_KEY("2,1"), SEEN_KEY(""),         SEEN_KEY("\0"),   SEEN_KEY("\xff\xfe\0x"),
    SEEN_KEY("é ☃"), SEEN_KEY("a\"b\\\n"), SEEN_KEY("\0\0"), SEEN_KEY("\xc3")};

static inline opac_status seen_rename(toy *t, opac_observation *seen)
{
    seen->key = seen_keys[t->state].bytes;
    seen->length = seen_keys[t->state].length;
    return OPAC_OK;
}

static inline opac_status seen_reset(void *context, uint64_t seed, opac_observation *seen,
                                     opac_error *error)
{
    toy_reset(context, seed, seen, error);
    return seen_rename(context, seen);
}

static inline opac_status seen_step(void *context, uint32_t action, opac_observation *seen,
                                    opac_error *error)
{
    toy_step(context, action, seen, error);
    return seen_rename(context, seen);
}

static inline uint32_t seen_state(const void *key, size_t length)
{
    for (uint32_t s = 0; s < TOY_STATES; s++)
        if (seen_keys[s].length == length && memcmp(seen_keys[s].bytes, key, length) == 0)
            return s;
    return TOY_STATES;
}

/* Odd states have names. */
static inline const char *seen_name(void *context, const void *key, size_t length, uint32_t action)
{
    static const char *const names[] = {"left", "", "up \"é\""};
    (void)context;
    return seen_state(key, length) % 2 == 1 ? names[action] : NULL;
}

static inline opac_environment *seen_environment(toy *t)
{
    static const char *const names[] = {"c", "b", "a"};
    opac_environment_callbacks callbacks = {.reset = seen_reset,
                                            .step = seen_step,
                                            .action_name = seen_name,
                                            .propositions = names,
                                            .proposition_count = 3,
                                            .random_start = t->initials > 1};
    opac_environment *env;
    opac_error error;
    assert_ok(opac_environment_new(&callbacks, t, &env, &error), &error);
    return env;
}

/* With k observations of each row, or with a bracket; sometimes ended early. */
static inline opac_learning *seen_learn(opac_environment *env, uint64_t *random)
{
    static const char *const formulas[] = {"G F a & G F b", "F G a | F b", "a U b",
                                           "G (a -> F b)",  "F a",         "F G a & G F b"};
    opac_formula *formula;
    opac_learning *learning;
    opac_error error = {0};
    assert_ok(opac_formula_parse(formulas[random_below(random, 6)], NULL, &formula, &error),
              &error);
    opac_objective objective = {.formula = formula};
    opac_learn_options options = opac_learn_defaults();
    options.seed = random_u64(random) >> 1;
    options.kind = random_below(random, 2) == 0 ? OPAC_KIND_LDBA : OPAC_KIND_DETERMINISTIC;
    options.epsilon = options.delta = 0.2;
    options.threads = 1;
    options.untested = true; /* some toys are deterministic */
    options.max_steps = random_below(random, 2) == 0 ? 40 + random_below(random, 200) : 4000;
    if (random_below(random, 2) == 0) {
        options.pmin = 1.0 / TOY_WIDTH;
    } else {
        options.k = 1 + random_below(random, 20);
        options.horizon = 30;
    }
    assert_ok(opac_learn(env, &objective, &options, &learning, &error), &error);
    opac_formula_free(formula);
    return learning;
}

#endif
