/* SPDX-License-Identifier: MIT */
/*
 * Printing formulas. With the fewest parentheses in the infix and PRISM styles,
 * such that the parser of that grammar gives the same node again in the same
 * store; but PRISM has no M and no xor, for which the same meaning is printed:
 * b U (a & b) for a M b, and !(a <=> b) for a xor b.
 *
 * A name that the grammar would not read as a name stands in quotes. In the
 * PRISM style a name that is an expression (s=3) is printed as one.
 */
#ifndef LTL_PRINT_H
#define LTL_PRINT_H

#include <omegapac/formula.h>

#include "ltl/formula.h"

enum {
    LTL_PRINT_LIMIT = 10000000 /* operators and names that are printed at most */
};

/* Shared nodes are printed each time; beyond LTL_PRINT_LIMIT the output fails. */
void ltl_print(const ltl_store *store, ltl_formula formula, opac_formula_style style,
               opac_output *out);

/* The same with parentheses around every operand that has an operator, for explanations. */
void ltl_print_full(const ltl_store *store, ltl_formula formula, opac_formula_style style,
                    opac_output *out);

/*
 * The beginning of the formula in the infix style, escaped, for a message; "..." stands for the
 * rest. Returns text, of `size` bytes.
 */
const char *ltl_print_short(const ltl_store *store, ltl_formula formula, char *text, size_t size);

#endif
