/* SPDX-License-Identifier: MIT */
/*
 * The parser of the infix grammar, which is Spot's. Operators, by ascending precedence:
 *
 *     -> => <-> <=>     right-associative
 *     | || \/
 *     ^ xor             left-associative
 *     & && /\
 *     U R V W M         right-associative
 *     ! ~ X F G <> []   prefix; X[n], F[m:n], G[m:n], F[m:], G[m:]
 *
 * Operands: true false tt ff 1 0, names, names in quotes, parentheses.
 */
#ifndef LTL_PARSE_INFIX_H
#define LTL_PARSE_INFIX_H

#include <omegapac/formula.h>

#include "ltl/formula.h"
#include "ltl/ltl_lexer.h"

/*
 * Parses the whole text. options may be NULL. After an error the store may have failed too (see
 * ltl_store_check) and cannot be used any more.
 */
opac_status ltl_parse_infix(ltl_store *store, const char *text, size_t length,
                            const opac_formula_options *options, ltl_formula *formula,
                            opac_error *error);

/* The same without notices and with a choice of how words are read, to compare the two grammars. */
opac_status ltl_read_infix(ltl_store *store, const char *text, size_t length,
                           const opac_formula_options *options, ltl_words words,
                           ltl_formula *formula, opac_error *error);

#endif
