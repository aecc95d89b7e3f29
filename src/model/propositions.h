/* SPDX-License-Identifier: MIT */
/* What may be said about a proposition that nobody knows. */
#ifndef MODEL_PROPOSITIONS_H
#define MODEL_PROPOSITIONS_H

#include <omegapac/text.h>

#include "model/model.h"

/*
 * OPAC_ERROR_ARGUMENT: there is no label of this name; the nearest, and those
 * that there are, as many as fit. more (may be NULL) are further names.
 */
opac_status model_fail_label(const opac_model *model, const char *const *more, size_t more_count,
                             const char *name, size_t length, uint32_t line, uint32_t column,
                             opac_error *error);

/*
 * Passes on a failure to evaluate a proposition, which the message names, with `where` behind it
 * (" in the graph"): a place in it is a place in no file.
 */
opac_status model_fail_proposition(const char *proposition, const char *where, opac_status status,
                                   const opac_error *found, opac_error *error);

/* Where a proposition holds, by somebody who knows; as opac_model_evaluate. */
typedef opac_status (*model_evaluator)(const void *context, const char *proposition, uint64_t *bits,
                                       opac_error *error);

/* The letters of so many states, as opac_model_letters. */
opac_status model_make_letters(uint32_t states, const char *const *propositions, size_t count,
                               model_evaluator evaluate, const void *context, uint64_t *letters,
                               opac_error *error);

#endif
