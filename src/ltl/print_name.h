/* SPDX-License-Identifier: MIT */
/* Prints names of propositions in each style. */
#ifndef LTL_PRINT_NAME_H
#define LTL_PRINT_NAME_H

#include <omegapac/formula.h>

#include "base/error.h"

typedef enum ltl_name_form {
    LTL_NAME_BARE = 1,
    LTL_NAME_PARENTHESES, /* of the PRISM style: an expression such as a?b:c */
    LTL_NAME_QUOTES,
    LTL_NAME_LATEX
} ltl_name_form;

/* Chooses the form in which the name is parsed as itself. Fails only if memory is exhausted. */
opac_status ltl_name_choose(const char *name, opac_formula_style style, ltl_name_form *form,
                            opac_error *error);

void ltl_name_write(const char *name, ltl_name_form form, opac_output *out);

#endif
