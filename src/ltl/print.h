/* SPDX-License-Identifier: MIT */
/*
 * Prints formulas. In the infix and PRISM styles, the text has the fewest parentheses with which the parser
 * of that grammar returns the same node in the same store. PRISM has no M and no xor, for which equivalent
 * formulas are printed: b U (a & b) for a M b, and !(a <=> b) for a xor b.
 *
 * A name that the grammar would not read as a name is printed in quotes. In the PRISM style a name that is an
 * expression (s=3) is printed as an expression.
 */
#ifndef LTL_PRINT_H
#define LTL_PRINT_H

#include <omegapac/formula.h>

#include "ltl/formula.h"

enum {
    LTL_PRINT_LIMIT = 10000000 /* largest number of operators and names that are printed */
};

/* Shared nodes are printed each time they occur. Beyond LTL_PRINT_LIMIT the output fails. */
void ltl_print(const ltl_store *store, ltl_formula formula, opac_formula_style style,
               opac_output *out);

/* The same with parentheses around every operand that has an operator, for messages. */
void ltl_print_full(const ltl_store *store, ltl_formula formula, opac_formula_style style,
                    opac_output *out);

/*
 * Writes the beginning of the formula to `text`, a buffer of `size` bytes, for a message: in the infix style,
 * escaped, with "..." for the rest. Returns text.
 */
const char *ltl_print_short(const ltl_store *store, ltl_formula formula, char *text, size_t size);

#endif
