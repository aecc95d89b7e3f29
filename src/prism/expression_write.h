/* SPDX-License-Identifier: MIT */
/* Writes expressions as texts that can be parsed again. */
#ifndef PRISM_EXPRESSION_WRITE_H
#define PRISM_EXPRESSION_WRITE_H

#include "base/text.h"
#include "model/model.h"
#include "prism/expression.h"

/*
 * Appends a resolved expression over the variables and labels of a model to a text, which denotes an
 * equivalent expression in the scope of the model. Linear. If memory is exhausted, the text fails and the
 * error is returned.
 */
opac_status prism_expression_write(const prism_expression *expression, const opac_model *model,
                                   base_text *text, opac_error *error);

#endif
