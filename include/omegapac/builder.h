/* SPDX-License-Identifier: MIT */
/*
 * Building a model in C, state by state.
 *
 *     opac_builder *builder;
 *     opac_builder_new(OPAC_MODEL_MDP, &builder, &error);
 *     opac_builder_state(builder, &error);                    // state 0
 *     opac_builder_choice(builder, "try", &error);
 *     opac_builder_branch(builder, 1, 0.9, &error);
 *     opac_builder_branch(builder, 0, 0.1, &error);
 *     opac_builder_state(builder, &error);                    // state 1
 *     opac_builder_choice(builder, "", &error);
 *     opac_builder_branch(builder, 1, 1, &error);
 *     opac_builder_label(builder, "goal", 1, &error);
 *     opac_builder_initial(builder, 0, &error);
 *     status = opac_builder_finish(builder, NULL, &model, &error);
 *     opac_builder_free(builder);
 *
 * A call that fails leaves the builder as it was. Ten million states are no
 * problem: the arrays grow as they are filled, and become the model's.
 *
 * Names are copied. The model belongs to the caller, and outlives the builder. One thread at a
 * time uses a builder.
 */
#ifndef OMEGAPAC_BUILDER_H
#define OMEGAPAC_BUILDER_H

#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_builder opac_builder;

/* An empty model of a type, to be filled. */
OPAC_API opac_status opac_builder_new(opac_model_type type, opac_builder **builder,
                                      opac_error *error);
OPAC_API void opac_builder_free(opac_builder *builder);

/* A variable of the states; all come before the first state. For bool, low is 0 and high is 1. */
OPAC_API opac_status opac_builder_variable(opac_builder *builder, const char *name,
                                           opac_value_type type, int64_t low, int64_t high,
                                           opac_error *error);

/* The next state; it has no choices yet, and its variables have their lowest values. */
OPAC_API opac_status opac_builder_state(opac_builder *builder, opac_error *error);
/* The value of a variable in the state that was added last. */
OPAC_API opac_status opac_builder_value(opac_builder *builder, uint32_t variable, int64_t value,
                                        opac_error *error);
/* The next choice of the state that was added last. action: its name, "" or NULL for none. */
OPAC_API opac_status opac_builder_choice(opac_builder *builder, const char *action,
                                         opac_error *error);
/*
 * A branch of the choice that was added last. The target may be a state that
 * is added later. The probability is above 0 and at most 1; branches of a
 * choice with the same target become one.
 */
OPAC_API opac_status opac_builder_branch(opac_builder *builder, uint32_t target, double probability,
                                         opac_error *error);

/* The same with a probability that is known as a fraction, for models with options->exact. */
OPAC_API opac_status opac_builder_branch_ratio(opac_builder *builder, uint32_t target,
                                               int64_t numerator, int64_t denominator,
                                               opac_error *error);

/* Any states, also later ones, in any order; twice is once. */
OPAC_API opac_status opac_builder_initial(opac_builder *builder, uint32_t state, opac_error *error);
/* "init" is the same as an initial state. */
OPAC_API opac_status opac_builder_label(opac_builder *builder, const char *name, uint32_t state,
                                        opac_error *error);
/* A label that may hold nowhere. */
OPAC_API opac_status opac_builder_declare_label(opac_builder *builder, const char *name,
                                                opac_error *error);

/*
 * Checks all, and makes the model; the builder is then empty. Targets, initial
 * states and labelled states exist; there is an initial state; the probabilities
 * of a choice sum to 1 within 1e-5 (they are then divided by their sum, with a
 * warning beyond 1e-9); a DTMC has at most one choice a state. A state without
 * choices gets a choice back to itself and the label "deadlock", with a
 * warning. On failure the builder is as before. Of the options, which may be
 * NULL, listener and exact matter: with exact, the probabilities, divided by their
 * sum, must be fractions of 64-bit numbers, where a double is the
 * fraction that it stores (0.25 is 1/4, but 0.1 is not 1/10).
 */
OPAC_API opac_status opac_builder_finish(opac_builder *builder, const opac_model_options *options,
                                         opac_model **model, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
