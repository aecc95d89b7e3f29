/* SPDX-License-Identifier: MIT */
/* Expressions of the PRISM language over the states of a model. */
#ifndef PRISM_VOCABULARY_H
#define PRISM_VOCABULARY_H

#include "model/model.h"
#include "prism/program.h"

/*
 * The model understands expressions over the scope from here on. Its variables
 * are those of the scope, in the same order; its labels are added. Takes the scope, also on failure.
 */
opac_status prism_vocabulary_attach(opac_model *model, prism_scope *scope, opac_error *error);
/* The scope that was attached; NULL: none. */
const prism_scope *prism_vocabulary_scope(const opac_model *model);

/* Adds to the states (a set of the model's size) those where a Boolean expression holds. */
opac_status prism_vocabulary_states(const opac_model *model, const prism_expression *expression,
                                    base_bitset *states, opac_error *error);

#endif
