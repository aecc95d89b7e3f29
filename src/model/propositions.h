/* SPDX-License-Identifier: MIT */
/* Evaluation of propositions in the states of a model, and errors about unknown ones. */
#ifndef MODEL_PROPOSITIONS_H
#define MODEL_PROPOSITIONS_H

#include <omegapac/text.h>

#include "model/model.h"

/*
 * Fails with OPAC_ERROR_ARGUMENT because there is no label with this name. The message suggests the nearest
 * one and lists the labels, as many as fit. `more` (may be NULL) are further names that are valid.
 */
opac_status model_fail_label(const opac_model *model, const char *const *more, size_t more_count,
                             const char *name, size_t length, uint32_t line, uint32_t column,
                             opac_error *error);

/*
 * Returns an error in the evaluation of a proposition, with a message that names the proposition, followed
 * by `where` (" in the graph"). The position is dropped, since it is not a position in a file.
 */
opac_status model_fail_proposition(const char *proposition, const char *where, opac_status status,
                                   const opac_error *found, opac_error *error);

/* Computes the set of states in which a proposition holds; as opac_model_evaluate. */
typedef opac_status (*model_evaluator)(const void *context, const char *proposition, uint64_t *bits,
                                       opac_error *error);

/* The letters of this number of states, as opac_model_letters. */
opac_status model_make_letters(uint32_t states, const char *const *propositions, size_t count,
                               model_evaluator evaluate, const void *context, uint64_t *letters,
                               opac_error *error);

#endif
