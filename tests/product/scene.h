/* SPDX-License-Identifier: MIT */
/* Random and given models, letters and automata for products, and lookup of product states. */
#ifndef TESTS_PRODUCT_SCENE_H
#define TESTS_PRODUCT_SCENE_H

#include <omegapac/builder.h>

#include "base/alloc.h"
#include "product/product.h"
#include "support/check.h"
#include "support/random_automaton.h"
#include "support/random_model.h"

typedef struct scene {
    opac_model *model;
    opac_automaton *automaton;
    uint64_t *letters;
} scene;

static inline void scene_fini(scene *x)
{
    opac_model_free(x->model);
    opac_automaton_free(x->automaton);
    base_free(x->letters);
}

/* Random letters of the automaton, independent of the model's labels. */
static inline void scene_letters(uint64_t *random, scene *x)
{
    uint32_t states = opac_model_states(x->model);
    x->letters = base_alloc(states, sizeof *x->letters);
    assert_non_null(x->letters);
    for (uint32_t s = 0; s < states; s++)
        x->letters[s] = random_below(random, 1u << x->automaton->proposition_count);
}

static inline void scene_draw(uint64_t *random, uint32_t states, uint32_t memories, scene *x)
{
    random_automaton_shape shape = random_automaton_draw(random, memories, 2, 3);
    if (shape.epsilon_percent > 10) /* epsilon cycles are tested in test_move_table.c */
        shape.epsilon_percent = 5;
    x->model = random_model(random, random_model_draw(random, states));
    x->automaton = random_automaton(random, shape, NULL);
    scene_letters(random, x);
}

/* Parses an automaton in HOA. */
static inline opac_automaton *scene_hoa(const char *text)
{
    opac_hoa_reader *move_table;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), NULL, NULL, &move_table, &error), &error);
    assert_ok(opac_hoa_reader_next(move_table, &automaton, &error), &error);
    opac_hoa_reader_free(move_table);
    assert_non_null(automaton);
    return automaton;
}

static inline opac_model *scene_prism(const char *text)
{
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    return model;
}

/* A path with this number of states, the last of which has a self-loop. */
static inline opac_model *scene_path(uint32_t states)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, NULL, &error), &error);
        assert_ok(opac_builder_branch(builder, s + 1 < states ? s + 1 : s, 1, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* The number of a product state; PRODUCT_NONE if it does not exist. */
static inline uint32_t scene_find(const product_process *product, uint32_t state, uint32_t memory)
{
    for (uint32_t i = 0; i < product->process.state_count; i++)
        if (product->state[i] == state && product->memory[i] == memory)
            return i;
    return PRODUCT_NONE;
}

#endif
