/* SPDX-License-Identifier: MIT */
/*
 * Builds a model in C, state by state.
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
 * A call that fails leaves the builder unchanged. Calls take amortised constant time; opac_builder_finish
 * is linear and moves the arrays into the model without copying them.
 *
 * Names are copied. The caller frees the model, which is independent of the builder. A builder must be used
 * by one thread at a time. Functions fail with OPAC_ERROR_ARGUMENT on a wrong argument, and with
 * OPAC_ERROR_MEMORY.
 */
#ifndef OMEGAPAC_BUILDER_H
#define OMEGAPAC_BUILDER_H

#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_builder opac_builder;

/* Makes an empty builder; the caller frees it. */
OPAC_API opac_status opac_builder_new(opac_model_type type, opac_builder **builder,
                                      opac_error *error);
OPAC_API void opac_builder_free(opac_builder *builder);

/* Declares a variable. All variables must be declared before the first state. For OPAC_VALUE_BOOL, low is 0
 * and high is 1. */
OPAC_API opac_status opac_builder_variable(opac_builder *builder, const char *name,
                                           opac_value_type type, int64_t low, int64_t high,
                                           opac_error *error);

/* Adds the next state, without choices; its variables have their lowest values. States are numbered from
 * 0. */
OPAC_API opac_status opac_builder_state(opac_builder *builder, opac_error *error);
/* Sets the value of a variable in the last state; variables are numbered from 0. */
OPAC_API opac_status opac_builder_value(opac_builder *builder, uint32_t variable, int64_t value,
                                        opac_error *error);
/* Adds a choice to the last state. action: its name, "" or NULL for none. */
OPAC_API opac_status opac_builder_choice(opac_builder *builder, const char *action,
                                         opac_error *error);
/*
 * Adds a branch to the last choice. The target may be a state that is added later. The probability must be
 * above 0 and at most 1. Branches of a choice with the same target are merged.
 */
OPAC_API opac_status opac_builder_branch(opac_builder *builder, uint32_t target, double probability,
                                         opac_error *error);

/* The same with a fraction as probability, for models with options->exact. */
OPAC_API opac_status opac_builder_branch_ratio(opac_builder *builder, uint32_t target,
                                               int64_t numerator, int64_t denominator,
                                               opac_error *error);

/* Makes a state initial. It may be added later, and be given several times. */
OPAC_API opac_status opac_builder_initial(opac_builder *builder, uint32_t state, opac_error *error);
/* Adds a label to a state. The label "init" makes the state initial. */
OPAC_API opac_status opac_builder_label(opac_builder *builder, const char *name, uint32_t state,
                                        opac_error *error);
/* Declares a label, which need not hold in any state. */
OPAC_API opac_status opac_builder_declare_label(opac_builder *builder, const char *name,
                                                opac_error *error);

/*
 * Checks the model and makes it; the builder is then empty. On failure the builder is unchanged.
 * Requirements: targets, initial states and labelled states exist; there is an initial state; the
 * probabilities of a choice sum to 1 within 1e-5 (they are divided by their sum, with a warning beyond
 * 1e-9); a state of a DTMC has at most one choice. A state without choices gets a self-loop and the label
 * "deadlock", with a warning. Of the options, which may be NULL, only listener and exact are used. With
 * exact, the normalised probabilities must be fractions of 64-bit integers; a double stands for its binary
 * value (0.25 is 1/4, but 0.1 is not 1/10).
 */
OPAC_API opac_status opac_builder_finish(opac_builder *builder, const opac_model_options *options,
                                         opac_model **model, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
