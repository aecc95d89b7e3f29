/* SPDX-License-Identifier: MIT */
/* Random models for property tests, and comparing models: the same seed gives the same ones. */
#ifndef SUPPORT_RANDOM_MODEL_H
#define SUPPORT_RANDOM_MODEL_H

#include "model/model.h"
#include "support/random.h"

typedef struct random_model_shape {
    opac_model_type type;
    uint32_t states, most_choices, most_branches; /* each at least 1 */
    uint32_t labels, actions, variables;          /* that there may be */
    bool exact;                                   /* fractions; otherwise any doubles */
    bool deadlocks;                               /* some states get no choice */
} random_model_shape;

/* Names of labels and actions are of all kinds that files can hold. Fails the test on an error. */
opac_model *random_model(uint64_t *random, random_model_shape shape);

/* A shape with up to so many states, and everything else drawn at random. */
random_model_shape random_model_draw(uint64_t *random, uint32_t states);

/*
 * Each fails the test unless both are the same, state for state: types, choices, branches in
 * their order, probabilities to the last bit, actions; labels in their order, initial states;
 * variables and their values, whatever their ranges are.
 */
void assert_same_process(const opac_model *a, const opac_model *b);
void assert_same_actions(const opac_model *a, const opac_model *b);
void assert_same_labels(const opac_model *a, const opac_model *b);
void assert_same_values(const opac_model *a, const opac_model *b);
/* All of it, and the ranges of variables. */
void assert_same_model(const opac_model *a, const opac_model *b);

#endif
