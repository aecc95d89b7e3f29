/* SPDX-License-Identifier: MIT */
/* Evaluates expressions of the PRISM language over the states of a model. */
#ifndef PRISM_VOCABULARY_H
#define PRISM_VOCABULARY_H

#include "model/model.h"
#include "prism/program.h"

/*
 * Makes the scope the vocabulary of the model, so that propositions may be expressions. The model must have
 * the variables of the scope in the same order; its labels are added to the scope. Takes ownership of the
 * scope, also on failure.
 */
opac_status prism_vocabulary_attach(opac_model *model, prism_scope *scope, opac_error *error);
/* The scope that was attached; NULL if there is none. */
const prism_scope *prism_vocabulary_scope(const opac_model *model);

/* Adds the states that satisfy a Boolean expression to a set, which must have the size of the model. */
opac_status prism_expression_states(const opac_model *model, const prism_expression *expression,
                                    base_bitset *states, opac_error *error);

#endif
