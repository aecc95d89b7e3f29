/* SPDX-License-Identifier: MIT */
/*
 * Expressions compiled into flat code, evaluated over an array of the values
 * of all variables. (The form of the code is the compiler's own: code_form.h.)
 *
 * Int arithmetic has 64 bits and never wraps. mod is never negative; round
 * rounds half up; what & | => and ?: do not need is not evaluated, and cannot
 * fail. A prism_code has one stack: one thread at a time evaluates.
 */
#ifndef PRISM_CODE_H
#define PRISM_CODE_H

#include "prism/number.h"
#include "prism/program.h"

typedef struct prism_code prism_code; /* any number of compiled expressions */

opac_status prism_code_new(prism_code **code, opac_error *error);
void prism_code_free(prism_code *code);

/*
 * Adds an expression of a program; *entry is its handle. Allocates; evaluation does not. Its
 * literals must live as long as the code.
 */
opac_status prism_code_add(prism_code *code, const prism_expression *expression, uint32_t *entry,
                           opac_error *error);
/* The conjunction of Boolean expressions; none: true. */
opac_status prism_code_add_all(prism_code *code, const prism_expression *expressions,
                               uint32_t count, uint32_t *entry, opac_error *error);

/*
 * The value under `values`, one a variable. Fails where the expression has no
 * value: mod by what is not above 0, an int that overflows, floor of what is no number, …
 * with the place. Of type bool (0 or 1) or int: integer; int and real: real.
 */
opac_status prism_code_integer(const prism_code *code, uint32_t entry, const int64_t *values,
                               int64_t *value, opac_error *error);
opac_status prism_code_real(const prism_code *code, uint32_t entry, const int64_t *values,
                            double *value, opac_error *error);
/*
 * The exact value, or an approximation with a bound on its error. Comparisons and rounding within
 * are exact, too; it fails where they cannot be decided.
 */
opac_status prism_code_number(const prism_code *code, uint32_t entry, const int64_t *values,
                              prism_number *value, opac_error *error);

#endif
