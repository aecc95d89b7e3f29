/* SPDX-License-Identifier: MIT */
/* How the name of a proposition is written in each style. */
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

/* How the name has to be written so that it is read back. Fails only for want of memory. */
opac_status ltl_name_choose(const char *name, opac_formula_style style, ltl_name_form *form,
                            opac_error *error);

void ltl_name_write(const char *name, ltl_name_form form, opac_output *out);

#endif
