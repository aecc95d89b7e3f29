/* SPDX-License-Identifier: MIT */
/*
 * The parser of path formulas in PRISM's syntax. Operators, by ascending precedence:
 *
 *     U W R             not associative; U<=n, U<n, U>=n, U>n, U=n, U[m,n]
 *     X F G             prefix; the operand extends as far as possible; F<=n, …
 *     c ? a : b         an expression over the model's variables
 *     =>                left-associative
 *     <=>               left-associative
 *     |
 *     &
 *     !
 *     = != < <= > >= + - * / ^ and functions: expressions over the model's variables
 *
 * Operands: true false, "labels", parentheses, and expressions over the model's variables, each of which is
 * one proposition as a whole. PRISM requires parentheses around a temporal operator after a Boolean one;
 * this parser also accepts a & F b, ! F a and GF a.
 */
#ifndef LTL_PARSE_PRISM_H
#define LTL_PARSE_PRISM_H

#include <omegapac/formula.h>

#include "ltl/formula.h"
#include "ltl/ltl_lexer.h"

/* Makes the proposition for an expression over the model's variables, given its text and position. */
typedef opac_status (*ltl_expression_hook)(void *context, const char *text, size_t length,
                                           uint32_t line, uint32_t column, ltl_store *store,
                                           ltl_formula *result, opac_error *error);

/* Evaluates an expression over the model's constants, for a bound. */
typedef opac_status (*ltl_number_hook)(void *context, const char *text, size_t length,
                                       uint32_t line, uint32_t column, double *value,
                                       opac_error *error);

/* Fails unless there is a label with this name, given in quotes at line and column. */
typedef opac_status (*ltl_label_hook)(void *context, const char *name, size_t length, uint32_t line,
                                      uint32_t column, opac_error *error);

/*
 * Access to the model. Without an expression hook, the name of the proposition is the text of the expression
 * without white space. Without a number hook, bounds must be numbers.
 */
typedef struct ltl_prism_hooks {
    void *context;
    ltl_expression_hook expression; /* may be NULL */
    ltl_number_hook number;         /* may be NULL */
    ltl_label_hook label;           /* may be NULL: any name is a label */
} ltl_prism_hooks;

/* Parses the whole text. options and hooks may be NULL. For errors see ltl_parse_infix. */
opac_status ltl_parse_prism(ltl_store *store, const char *text, size_t length,
                            const opac_formula_options *options, const ltl_prism_hooks *hooks,
                            ltl_formula *formula, opac_error *error);

/* The same without notices and with a choice of how words are read, to compare the two grammars. */
opac_status ltl_read_prism(ltl_store *store, const char *text, size_t length,
                           const opac_formula_options *options, ltl_words words,
                           ltl_formula *formula, opac_error *error);

/*
 * Parses the formula up to and including the terminator, LTL_TOKEN_END or a closing bracket. For parsers of
 * properties.
 */
opac_status ltl_prism_path(ltl_lexer *lexer, ltl_token_kind terminator, ltl_store *store,
                           const ltl_prism_hooks *hooks, ltl_formula *formula, ltl_token *last,
                           opac_error *error);

#endif
