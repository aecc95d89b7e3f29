/* SPDX-License-Identifier: MIT */
/* Detects texts such as F a & b that the infix grammar and PRISM's parse as different formulas. */
#ifndef LTL_COMPARE_GRAMMARS_H
#define LTL_COMPARE_GRAMMARS_H

#include <omegapac/formula.h>

#include "ltl/ltl_lexer.h"

/*
 * Parses the text, which the grammar has accepted, with both grammars. If the formulas differ, gives a
 * notice that shows both. The text begins at line and column. Fails only if memory is exhausted or the work
 * is cancelled.
 */
opac_status ltl_compare_grammars(ltl_grammar grammar, const char *text, size_t length,
                                 uint32_t line, uint32_t column,
                                 const opac_formula_options *options, opac_error *error);

#endif
