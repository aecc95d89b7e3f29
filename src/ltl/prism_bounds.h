/* SPDX-License-Identifier: MIT */
/* Parses bounds in PRISM's properties: F<=n, U[m,n], P>=p. */
#ifndef LTL_PRISM_BOUNDS_H
#define LTL_PRISM_BOUNDS_H

#include "ltl/operand_stack.h"
#include "ltl/parse_prism.h"

/* An expression over constants. */
typedef struct ltl_prism_number {
    ltl_token token; /* its whole text, as one token */
    bool is_plain;   /* whether it is a single number */
    double value;
} ltl_prism_number;

/*
 * Reads and evaluates an expression over constants. is_call: a word before a parenthesis is a function (it
 * is not in F<=n (a)). what: the description for messages, as in "expected a number of steps".
 */
opac_status ltl_prism_number_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks, bool is_call,
                                  const char *what, ltl_prism_number *number, opac_error *error);

/* Reads the bounds after a temporal operator, if there are any. */
opac_status ltl_prism_bounds_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                                  ltl_bounds *bounds, opac_error *error);

#endif
