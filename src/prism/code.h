/* SPDX-License-Identifier: MIT */
/*
 * Compiled expressions: code for a stack machine, evaluated over an array of the values of all variables. The
 * instructions are internal (instructions.h).
 *
 * Int arithmetic has 64 bits and fails on overflow. mod is never negative; round rounds half up. Operands
 * that & | => and ?: do not need are not evaluated and therefore cannot fail. A prism_code has one stack, so
 * only one thread may evaluate it at a time.
 */
#ifndef PRISM_CODE_H
#define PRISM_CODE_H

#include "prism/number.h"
#include "prism/program.h"

typedef struct prism_code prism_code; /* any number of compiled expressions */

opac_status prism_code_new(prism_code **code, opac_error *error);
void prism_code_free(prism_code *code);

/*
 * Compiles an expression of a program; *entry is its handle. Allocates memory; evaluation does not. The
 * literals of the expression must outlive the code.
 */
opac_status prism_code_add(prism_code *code, const prism_expression *expression, uint32_t *entry,
                           opac_error *error);
/* Compiles the conjunction of Boolean expressions; true if there are none. */
opac_status prism_code_add_all(prism_code *code, const prism_expression *expressions,
                               uint32_t count, uint32_t *entry, opac_error *error);

/*
 * Evaluates an expression; `values` has an element for each variable. Fails, with the place of the operator,
 * if the expression has no value: the divisor of mod is not positive, an int overflows, floor of NaN, …
 * prism_code_integer requires type bool (0 or 1) or int, prism_code_real int or real.
 */
opac_status prism_code_integer(const prism_code *code, uint32_t entry, const int64_t *values,
                               int64_t *value, opac_error *error);
opac_status prism_code_real(const prism_code *code, uint32_t entry, const int64_t *values,
                            double *value, opac_error *error);
/*
 * Computes the exact value, or an approximation with an error bound. Comparisons and rounding within the
 * expression are exact as well; fails if one of them cannot be decided.
 */
opac_status prism_code_number(const prism_code *code, uint32_t entry, const int64_t *values,
                              prism_number *value, opac_error *error);

#endif
