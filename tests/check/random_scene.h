/* SPDX-License-Identifier: MIT */
/* Random small models whose labels are p0, p1, …, with exact probabilities. */
#ifndef CHECK_RANDOM_SCENE_H
#define CHECK_RANDOM_SCENE_H

#include <omegapac/omegapac.h>

#include "support/check.h"
#include "support/random.h"

typedef struct random_scene_shape {
    uint32_t states, most_choices, most_branches, labels, initial;
    bool is_lettered; /* labels are a, b, …, as in random automata */
} random_scene_shape;

static inline void random_scene_choice(uint64_t *random, random_scene_shape shape,
                                       opac_builder *builder, opac_error *error)
{
    uint32_t branches = 1 + random_below(random, shape.most_branches), total = 0, weights[8];
    assert_true(shape.most_branches <= 8);
    for (uint32_t b = 0; b < branches; b++)
        total += weights[b] = 1 + random_below(random, 4);
    assert_ok(opac_builder_choice(builder, "", error), error);
    for (uint32_t b = 0; b < branches; b++)
        assert_ok(opac_builder_branch_ratio(builder, random_below(random, shape.states), weights[b],
                                            total, error),
                  error);
}

static inline opac_model *random_scene(uint64_t *random, random_scene_shape shape)
{
    const opac_model_options options = {.exact = true};
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < shape.states; s++) {
        uint32_t choices = 1 + random_below(random, shape.most_choices);
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 0; c < choices; c++)
            random_scene_choice(random, shape, builder, &error);
    }
    for (uint32_t l = 0; l < shape.labels; l++) {
        char name[16];
        if (shape.is_lettered)
            snprintf(name, sizeof name, "%c", (char)('a' + l));
        else
            snprintf(name, sizeof name, "p%u", l);
        assert_ok(opac_builder_declare_label(builder, name, &error), &error);
        for (uint32_t s = 0; s < shape.states; s++)
            if (random_below(random, 2) == 0)
                assert_ok(opac_builder_label(builder, name, s, &error), &error);
    }
    for (uint32_t i = 0; i < shape.initial; i++)
        assert_ok(opac_builder_initial(builder, i, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

#endif
