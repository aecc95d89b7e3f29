/* SPDX-License-Identifier: MIT */
/* Expressions as texts that can be read again. */
#ifndef PRISM_EXPRESSION_WRITE_H
#define PRISM_EXPRESSION_WRITE_H

#include "base/text.h"
#include "model/model.h"
#include "prism/expression.h"

/*
 * A resolved expression over the variables and labels of a model, as text: it
 * means the same in the scope of the model. Linear. Out of memory shows in the
 * text, and is also returned.
 */
opac_status prism_expression_write(const prism_expression *expression, const opac_model *model,
                                   base_text *text, opac_error *error);

#endif
