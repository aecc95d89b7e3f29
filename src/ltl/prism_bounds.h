/* SPDX-License-Identifier: MIT */
/* Bounds in PRISM's properties: F<=n, U[m,n], P>=p. */
#ifndef LTL_PRISM_BOUNDS_H
#define LTL_PRISM_BOUNDS_H

#include "ltl/operand_stack.h"
#include "ltl/parse_prism.h"

/* An expression of constants, found by its tokens. */
typedef struct ltl_prism_number {
    ltl_token token; /* from its first byte to behind its last */
    bool is_plain;   /* a single number */
    double value;
} ltl_prism_number;

/*
 * Reads an expression of constants and asks for its value. is_call: a word
 * before a parenthesis is a function (in F<=n (a) it is not). what: as in
 * "expected a number of steps".
 */
opac_status ltl_prism_number_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks, bool is_call,
                                  const char *what, ltl_prism_number *number, opac_error *error);

/* The bounds behind a temporal operator; not given when there are none. */
opac_status ltl_prism_bounds_read(ltl_lexer *lexer, const ltl_prism_hooks *hooks,
                                  ltl_bounds *bounds, opac_error *error);

#endif
