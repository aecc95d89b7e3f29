/* SPDX-License-Identifier: MIT */
/*
 * Small random environments, as callbacks and as models, automata for them, and a plain sampler: one
 * episode, one step at a time.
 */
#ifndef TEST_LEARN_TOY_H
#define TEST_LEARN_TOY_H

#include <omegapac/builder.h>
#include <omegapac/environment.h>

#include "omega_pac/optimistic_model.h"
#include "product/rabin_pairs.h"
#include "sample/statistics.h"
#include "support/check.h"
#include "support/random_automaton.h"

enum {
    TOY_STATES = 8,
    TOY_ACTIONS = 3,
    TOY_WIDTH = 3
};

typedef struct toy {
    uint32_t states, initials; /* the initial ones are 0 … initials-1 */
    uint32_t actions[TOY_STATES];
    uint32_t letter[TOY_STATES]; /* over a, b */
    uint32_t target[TOY_STATES][TOY_ACTIONS][TOY_WIDTH];
    uint64_t random;
    uint32_t state;
    char key[16];
} toy;

static inline void toy_draw(uint64_t *random, uint32_t states, bool random_start, toy *t)
{
    *t = (toy){.states = states, .random = 1};
    t->initials = random_start && states > 1 ? 2 : 1;
    for (uint32_t s = 0; s < states; s++) {
        t->actions[s] = random_below(random, 6) == 0 ? 0 : 1 + random_below(random, TOY_ACTIONS);
        t->letter[s] = random_below(random, 4);
        for (uint32_t a = 0; a < TOY_ACTIONS; a++) {
            bool sure = random_below(random, 2) == 0;
            for (uint32_t b = 0; b < TOY_WIDTH; b++)
                t->target[s][a][b] =
                    sure && b > 0 ? t->target[s][a][0] : random_below(random, states);
        }
    }
}

static inline opac_status toy_see(toy *t, opac_observation *seen)
{
    int length = snprintf(t->key, sizeof t->key, "s%u", (unsigned)t->state);
    *seen = (opac_observation){.key = t->key,
                               .length = (size_t)length,
                               .letter = t->letter[t->state],
                               .actions = t->actions[t->state]};
    return OPAC_OK;
}

static inline opac_status toy_reset(void *context, uint64_t seed, opac_observation *seen,
                                    opac_error *error)
{
    toy *t = context;
    (void)error;
    t->random = seed;
    random_u32(&t->random);
    t->state = random_below(&t->random, t->initials);
    return toy_see(t, seen);
}

static inline opac_status toy_step(void *context, uint32_t action, opac_observation *seen,
                                   opac_error *error)
{
    toy *t = context;
    (void)error;
    t->state = t->target[t->state][action][random_below(&t->random, TOY_WIDTH)];
    return toy_see(t, seen);
}

/* successors: NULL, or tells where actions can lead to. */
static inline opac_environment *toy_environment_with(
    toy *t, opac_status (*successors)(void *context, const void *key, size_t length,
                                      uint32_t action, opac_draws *draws, opac_error *error))
{
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks callbacks = {.reset = toy_reset,
                                            .step = toy_step,
                                            .successors = successors,
                                            .propositions = names,
                                            .proposition_count = 2,
                                            .random_start = t->initials > 1};
    opac_environment *env;
    opac_error error;
    assert_ok(opac_environment_new(&callbacks, t, &env, &error), &error);
    return env;
}

static inline opac_environment *toy_environment(toy *t)
{
    return toy_environment_with(t, NULL);
}

/* The same as a model, but for states without actions, which loop there. */
static inline opac_model *toy_model(const toy *t)
{
    opac_builder *builder;
    opac_model *model;
    opac_error e;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &e), &e);
    for (uint32_t s = 0; s < t->states; s++) {
        assert_ok(opac_builder_state(builder, &e), &e);
        for (uint32_t a = 0; a < t->actions[s]; a++) {
            assert_ok(opac_builder_choice(builder, "", &e), &e);
            for (uint32_t b = 0; b < TOY_WIDTH; b++)
                assert_ok(opac_builder_branch(builder, t->target[s][a][b], 1.0 / TOY_WIDTH, &e),
                          &e);
        }
        if ((t->letter[s] & 1) != 0)
            assert_ok(opac_builder_label(builder, "a", s, &e), &e);
        if ((t->letter[s] & 2) != 0)
            assert_ok(opac_builder_label(builder, "b", s, &e), &e);
    }
    assert_ok(opac_builder_declare_label(builder, "a", &e), &e);
    assert_ok(opac_builder_declare_label(builder, "b", &e), &e);
    for (uint32_t s = 0; s < t->initials; s++)
        assert_ok(opac_builder_initial(builder, s, &e), &e);
    assert_ok(opac_builder_finish(builder, NULL, &model, &e), &e);
    opac_builder_free(builder);
    return model;
}

/* ---- automata ---- */

/* Over a, b; deterministic with Rabin pairs, or not, with epsilon and a Büchi or co-Büchi mark. */
static inline opac_automaton *toy_automaton(uint64_t *random, bool is_deterministic)
{
    static const char *const rabin[] = {"Inf(0)", "Fin(0)", "(Fin(0)&Inf(1))|(Fin(2)&Inf(3))",
                                        "Fin(0)|(Fin(1)&Inf(2))"};
    uint32_t kind = random_below(random, is_deterministic ? 4 : 2);
    random_automaton_shape shape = {.states = 1 + random_below(random, 3),
                                    .propositions = 2,
                                    .marks = kind < 2 ? 1 : 4,
                                    .edge_percent = is_deterministic ? 90 : 60,
                                    .mark_percent = 40,
                                    .is_deterministic = is_deterministic,
                                    .epsilon_percent = is_deterministic ? 0 : 25};
    aut_condition condition = random_condition_parse(rabin[kind]);
    opac_automaton *automaton = random_automaton(random, shape, &condition);
    aut_condition_fini(&condition);
    return automaton;
}

/* G F a with one state, or F a with two. */
static inline opac_automaton *toy_make(bool recurrence)
{
    static const char *const names[] = {"a"};
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *automaton;
    opac_error error;
    aut_condition condition = random_condition_parse("Inf(0)");
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, names, 1);
    uint32_t q = aut_builder_add_state(builder), r = q;
    aut_bdd holds = aut_bdd_variable(builder->labels, 0);
    if (!recurrence) {
        r = aut_builder_add_state(builder);
        aut_builder_edge(builder, r, (aut_edge){AUT_BDD_TRUE, r, 1});
    }
    aut_builder_edge(builder, q, (aut_edge){holds, r, 1});
    aut_builder_edge(builder, q, (aut_edge){aut_bdd_not(builder->labels, holds), q, 0});
    aut_builder_initial(builder, q);
    aut_builder_condition(builder, &condition, 1);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    return automaton;
}

static inline opac_automaton *toy_recurrence(void)
{
    return toy_make(true);
}

static inline opac_automaton *toy_eventually(void)
{
    return toy_make(false);
}

/* ---- a run, without a sampler ---- */

typedef struct toy_run {
    toy *t;
    opac_model *model; /* NULL: callbacks */
    opac_environment *env;
    opac_automaton *automaton;
    product_rabin_pair_vec pairs;
    sample_statistics stats;
    uint64_t random;
} toy_run;

/* false: the automaton has a cycle of epsilon moves; nothing is left to release. */
static inline bool toy_begin(toy_run *run, uint64_t *random, toy *t, bool as_model,
                             opac_automaton *automaton, sample_statistics_options options)
{
    opac_error error;
    bool everywhere;
    *run = (toy_run){.t = t, .automaton = automaton, .random = random_u64(random)};
    assert_ok(product_rabin_pairs(&automaton->condition, &run->pairs, &everywhere, &error), &error);
    run->model = as_model ? toy_model(t) : NULL;
    if (as_model)
        assert_ok(opac_environment_of_model(run->model, NULL, &run->env, &error), &error);
    else
        run->env = toy_environment(t);
    options.always = everywhere ? PRODUCT_MARK_ALWAYS : 0;
    opac_status status = sample_statistics_init(&run->stats, run->env, automaton, &options, &error);
    if (status == OPAC_OK)
        return true;
    assert_status(status, OPAC_ERROR_UNSUPPORTED);
    product_rabin_pair_vec_fini(&run->pairs);
    opac_environment_free(run->env);
    opac_model_free(run->model);
    return false;
}

static inline void toy_end(toy_run *run)
{
    sample_statistics_fini(&run->stats);
    product_rabin_pair_vec_fini(&run->pairs);
    opac_environment_free(run->env);
    opac_model_free(run->model);
}

/* Callback for each step of an episode; branch: of the choice's row. May be NULL. */
typedef void (*toy_listener)(void *context, uint32_t product_state, uint32_t choice,
                             uint32_t branch, uint32_t state);

typedef struct toy_episode {
    const omega_pac_optimistic_model *model; /* NULL: random choices */
    uint64_t seed, steps;
    toy_listener listener;
    void *context;
} toy_episode;

static inline opac_status toy_sample(toy_run *run, uint32_t product_state, uint32_t choice,
                                     uint32_t first, const toy_episode *how, uint32_t *next,
                                     opac_error *error)
{
    sample_statistics *w = &run->stats;
    sample_choice c = w->choices.items[choice];
    uint32_t row = w->counters.items[c.counter].row, state = first, branch = 0;
    opac_status status = OPAC_OK;
    (void)product_state;
    if (c.action != SAMPLE_NONE) {
        opac_observation seen;
        status = env_step(run->env, c.action, &seen, error);
        if (status == OPAC_OK)
            status = sample_statistics_add_state(w, &seen, &state, error);
    }
    if (status == OPAC_OK)
        status = sample_statistics_branch(w, row, state, &branch, error);
    if (status == OPAC_OK)
        status = sample_statistics_observe(w, c.counter, branch, 1, error);
    if (status == OPAC_OK)
        status = sample_statistics_follow(w, choice, branch, next, error);
    if (status == OPAC_OK && how->listener != NULL)
        how->listener(how->context, product_state, choice, branch, state);
    return status;
}

static inline opac_status toy_walk(toy_run *run, toy_episode how, opac_error *error)
{
    sample_statistics *w = &run->stats;
    opac_observation seen;
    uint32_t state = 0, product_state, choice;
    opac_status status = env_reset(run->env, how.seed, &seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(w, &seen, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_begin_episode(w, state, error);
    product_state = w->start;
    for (uint64_t t = 0; t < how.steps && status == OPAC_OK; t++) {
        const sample_product_state *p = &w->product_states.items[product_state];
        choice = how.model != NULL ? omega_pac_optimistic_model_choice(how.model, product_state)
                                   : p->choice + random_below(&run->random, p->choices);
        if (!sample_choice_is_free(&w->choices.items[choice])) {
            status = toy_sample(run, product_state, choice, state, &how, &product_state, error);
            continue;
        }
        if (how.listener != NULL)
            how.listener(how.context, product_state, choice, SAMPLE_NONE, SAMPLE_NONE);
        product_state = w->choices.items[choice].target;
    }
    return status;
}

#endif
