/* SPDX-License-Identifier: MIT */
/*
 * Path formulas as PRISM writes them in its properties. From loosest to tightest:
 *
 *     U W R             do not associate; U<=n, U<n, U>=n, U>n, U=n, U[m,n]
 *     X F G             before their operand, which reaches as far as it can; F<=n, …
 *     c ? a : b         an expression of the model
 *     =>                to the left
 *     <=>               to the left
 *     |
 *     &
 *     !
 *     = != < <= > >= + - * / ^ and functions: expressions of the model
 *
 * Operands: true false, "labels", parentheses, and expressions over the model's
 * variables, each of which, as a whole, is a proposition. PRISM itself wants
 * parentheses around a temporal operator that follows a Boolean one; here
 * a & F b, ! F a and GF a are read, too.
 */
#ifndef LTL_PARSE_PRISM_H
#define LTL_PARSE_PRISM_H

#include <omegapac/formula.h>

#include "ltl/formula.h"
#include "ltl/ltl_lexer.h"

/* The proposition for an expression of the model: text is as written, at line and column. */
typedef opac_status (*ltl_expression_hook)(void *context, const char *text, size_t length,
                                           uint32_t line, uint32_t column, ltl_store *store,
                                           ltl_formula *result, opac_error *error);

/* The value of an expression of the model's constants: a bound. */
typedef opac_status (*ltl_number_hook)(void *context, const char *text, size_t length,
                                       uint32_t line, uint32_t column, double *value,
                                       opac_error *error);

/* Whether there is a label of this name, which stands in quotes at line and column. */
typedef opac_status (*ltl_label_hook)(void *context, const char *name, size_t length, uint32_t line,
                                      uint32_t column, opac_error *error);

/*
 * Who knows the model. Without an expression hook the text of the expression,
 * free of white space, names the proposition; without a number hook bounds are
 * plain numbers.
 */
typedef struct ltl_prism_hooks {
    void *context;
    ltl_expression_hook expression; /* may be NULL */
    ltl_number_hook number;         /* may be NULL */
    ltl_label_hook label;           /* may be NULL: any name is a label */
} ltl_prism_hooks;

/* Reads all of the text. options and hooks may be NULL. For errors see ltl_parse_infix. */
opac_status ltl_parse_prism(ltl_store *store, const char *text, size_t length,
                            const opac_formula_options *options, const ltl_prism_hooks *hooks,
                            ltl_formula *formula, opac_error *error);

/* The same without notices, and with a choice of how words are read; for comparisons. */
opac_status ltl_read_prism(ltl_store *store, const char *text, size_t length,
                           const opac_formula_options *options, ltl_words words,
                           ltl_formula *formula, opac_error *error);

/*
 * Reads the formula between here and the token that ends it, which is read as
 * well: LTL_TOKEN_END, or a closing bracket. For readers of properties.
 */
opac_status ltl_prism_path(ltl_lexer *lexer, ltl_token_kind terminator, ltl_store *store,
                           const ltl_prism_hooks *hooks, ltl_formula *formula, ltl_token *last,
                           opac_error *error);

#endif
