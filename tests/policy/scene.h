/* SPDX-License-Identifier: MIT */
/* Shared by tests of policies: a random model, an automaton, their product, and a policy of the product. */
#ifndef TESTS_POLICY_SCENE_H
#define TESTS_POLICY_SCENE_H

#include <omegapac/builder.h>

#include "base/alloc.h"
#include "policy/policy.h"
#include "support/check.h"
#include "support/invariants.h"
#include "support/random_automaton.h"
#include "support/random_model.h"

typedef struct scene {
    opac_model *model;
    opac_automaton *automaton;
    uint64_t *letters;
    product_process product;
    uint32_t *choice; /* by product state */
    uint32_t *start;  /* by initial state */
} scene;

static inline opac_automaton *scene_hoa(const char *text)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton = NULL;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    return automaton;
}

static inline opac_automaton *scene_translate(const char *text, opac_automaton_kind kind)
{
    opac_formula *formula;
    opac_automaton *automaton = NULL;
    opac_error error;
    opac_automaton_options options = {.kind = kind};
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    assert_ok(opac_automaton_translate(formula, &options, &automaton, &error), &error);
    opac_formula_free(formula);
    return automaton;
}

/* Two universal states, epsilon moves in a row, a move into a dead end. */
static const char scene_odd[] =
    "HOA: v1 States: 7 Start: 2 Start: 6 AP: 2 \"a\" \"epsilon\" Acceptance: 1 Inf(0) --BODY-- "
    "State: 0 [!1&t] 0 {0} State: 1 [!1&t] 1 {0} "
    "State: 2 [!1&0] 2 [!1&!0] 3 [1] 3 [1] 5 State: 3 [1] 4 [!1&0] 1 [!1&0] 0 "
    "State: 4 [1] 0 [!1] 6 [!1&0] 2 State: 5 [!1&0] 5 State: 6 [!1] 2 [!1&0] 0 [1] 2 [1] 1 --END--";

/* Of every third one, translated, read or random. */
static inline opac_automaton *scene_automaton(uint64_t *random)
{
    static const char *const formulas[] = {"F a",   "F a & F b",     "G F a | F b", "F G a",
                                           "a U b", "G F a & G F b", "F G a | F b", "G (a -> F b)",
                                           "true",  "F G a & G F b"};
    uint32_t kind = random_below(random, 4);
    if (kind == 0)
        return scene_hoa(scene_odd);
    if (kind < 3)
        return scene_translate(formulas[random_below(random, 10)],
                               kind == 1 ? OPAC_KIND_DETERMINISTIC : OPAC_KIND_LDBA);
    random_automaton_shape shape = random_automaton_draw(random, 6, 2, 2);
    return random_automaton(random, shape, NULL);
}

/* A random choice in each product state, and random initial product states. */
static inline void scene_choose(uint64_t *random, scene *s)
{
    const graph_process *process = &s->product.process;
    const base_u32_vec *begin = &s->product.start_begin;
    s->choice = malloc((process->state_count + 1u) * sizeof *s->choice);
    s->start = malloc((begin->count + 1u) * sizeof *s->start);
    assert_true(s->choice != NULL);
    assert_true(s->start != NULL);
    for (uint32_t p = 0; p < process->state_count; p++) {
        uint32_t count = process->choice_begin[p + 1] - process->choice_begin[p];
        s->choice[p] =
            count > 0 ? process->choice_begin[p] + random_below(random, count) : GRAPH_NONE;
    }
    for (size_t i = 0; i + 1 < begin->count; i++) {
        uint32_t count = begin->items[i + 1] - begin->items[i];
        s->start[i] = count > 0
                          ? s->product.start.items[begin->items[i] + random_below(random, count)]
                          : PRODUCT_NONE;
    }
}

static inline void scene_fini(scene *s)
{
    product_fini(&s->product);
    opac_automaton_free(s->automaton);
    opac_model_free(s->model);
    free(s->letters);
    free(s->choice);
    free(s->start);
    *s = (scene){0};
}

/* Letters at random, whatever the labels of the model are. False: epsilon cycles; nothing is made.
 */
static inline bool scene_make(uint64_t *random, random_model_shape shape, opac_automaton *automaton,
                              scene *s)
{
    opac_error error;
    *s = (scene){.model = random_model(random, shape), .automaton = automaton};
    s->letters = malloc(opac_model_states(s->model) * sizeof *s->letters);
    assert_non_null(s->letters);
    for (uint32_t i = 0; i < opac_model_states(s->model); i++)
        s->letters[i] = random_below(random, 4);
    opac_status status =
        product_build(s->model, s->letters, s->automaton, NULL, &s->product, &error);
    if (status == OPAC_ERROR_UNSUPPORTED) {
        scene_fini(s);
        return false;
    }
    assert_status(status, OPAC_OK);
    scene_choose(random, s);
    return true;
}

static inline opac_status scene_lift(const scene *s, opac_policy **policy, opac_error *error)
{
    policy_objective objective = {.automaton = s->automaton,
                                  .letters = s->letters,
                                  .text = "as it comes",
                                  .formula = "G F a"};
    return policy_from_product(s->model, &s->product, s->choice, s->start, &objective, policy,
                               error);
}

static inline opac_policy *scene_policy(const scene *s)
{
    opac_policy *policy = NULL;
    opac_error error;
    assert_ok(scene_lift(s, &policy, &error), &error);
    assert_ok(policy_check(policy, &error), &error);
    return policy;
}

#endif
