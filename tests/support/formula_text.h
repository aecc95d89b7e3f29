/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes formulas in tables of tests and in messages. Shares no code with the reader of the
 * library:
 *
 *     formula  = until { ("&" until) | ("|" until) }      one kind without parentheses
 *     until    = unary [ ("U" | "R" | "W" | "M") unary ]
 *     unary    = ("!" | "X" | "F" | "G") unary | "(" formula ")" | "0" | "1" | lower-case name
 */
#ifndef SUPPORT_FORMULA_TEXT_H
#define SUPPORT_FORMULA_TEXT_H

#include "ltl/formula.h"

/* A text that does not follow the grammar fails the test. */
ltl_formula formula_read(ltl_store *store, const char *text);

/* Writes the formula, truncated to the size of the buffer; returns the buffer. */
const char *formula_show(const ltl_store *store, ltl_formula formula, char *buffer, size_t size);

#endif
