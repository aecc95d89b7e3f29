/* SPDX-License-Identifier: MIT */
/* Texts that mean one formula in the infix grammar and another in PRISM's: F a & b. */
#ifndef LTL_COMPARE_GRAMMARS_H
#define LTL_COMPARE_GRAMMARS_H

#include <omegapac/formula.h>

#include "ltl/ltl_lexer.h"

/*
 * Reads the text, which the grammar has accepted, with both, and gives a notice
 * of how it is read and how it would be by the other one, if they differ. The
 * text begins at line and column. Fails only for want of memory.
 */
opac_status ltl_compare_readings(ltl_grammar grammar, const char *text, size_t length,
                                 uint32_t line, uint32_t column,
                                 const opac_formula_options *options, opac_error *error);

#endif
