/* SPDX-License-Identifier: MIT */
/* Formulas as texts, for tests: parsing, printing, random formulas. */
#ifndef LTL_TEXTS_H
#define LTL_TEXTS_H

#include <omegapac/output.h>

#include "ltl/formula.h"
#include "ltl/parse_infix.h"
#include "ltl/parse_prism.h"
#include "ltl/print.h"
#include "support/check.h"
#include "support/random.h"

static inline ltl_store *new_store(void)
{
    ltl_store *store = NULL;
    opac_error error = {0};
    assert_ok(ltl_store_new(&store, &error), &error);
    return store;
}

/* Parses the text; the test fails if it is not a formula. */
static inline ltl_formula read_as(ltl_store *store, ltl_grammar grammar, const char *text)
{
    ltl_formula formula = LTL_FALSE;
    opac_error error = {0};
    opac_status status =
        grammar == LTL_GRAMMAR_PRISM
            ? ltl_parse_prism(store, text, strlen(text), NULL, NULL, &formula, &error)
            : ltl_parse_infix(store, text, strlen(text), NULL, &formula, &error);
    if (status != OPAC_OK)
        fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.message);
    return formula;
}

/* The formula as text, which the caller frees with free. */
static inline char *print_as(const ltl_store *store, ltl_formula formula, opac_formula_style style,
                             bool is_full)
{
    opac_output *out = NULL;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    if (is_full)
        ltl_print_full(store, formula, style, out);
    else
        ltl_print(store, formula, style, out);
    assert_ok(opac_output_commit(out, &error), &error);
    size_t length;
    const char *bytes = opac_output_bytes(out, &length);
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, bytes, length + 1);
    opac_output_free(out);
    return text;
}

/* Checks that the text is parsed as the fully parenthesised formula. */
static inline void assert_reads(ltl_grammar grammar, const char *text, const char *full)
{
    ltl_store *store = new_store();
    ltl_formula formula = read_as(store, grammar, text);
    bool is_prism = grammar == LTL_GRAMMAR_PRISM;
    char *printed =
        print_as(store, formula, is_prism ? OPAC_FORMULA_PRISM : OPAC_FORMULA_INFIX, true);
    if (strcmp(printed, full) != 0)
        fail_msg("%s is read as %s, not as %s", text, printed, full);
    free(printed);
    ltl_store_free(store);
}

/* Checks that the text is an error at this position, with a message that contains this part. */
static inline void assert_refuses(ltl_grammar grammar, const char *text, size_t length,
                                  opac_status code, uint32_t line, uint32_t column,
                                  const char *part)
{
    ltl_store *store = new_store();
    ltl_formula formula = LTL_FALSE;
    opac_error error = {0};
    opac_status status = grammar == LTL_GRAMMAR_PRISM
                             ? ltl_parse_prism(store, text, length, NULL, NULL, &formula, &error)
                             : ltl_parse_infix(store, text, length, NULL, &formula, &error);
    if (status == OPAC_OK)
        fail_msg("%.60s is accepted", text);
    if (error.code != code || error.line != line || error.column != column ||
        strstr(error.message, part) == NULL)
        fail_msg("%.60s: %s at %u:%u: %s (expected %s at %u:%u: %s)", text,
                 opac_status_name(error.code), error.line, error.column, error.message,
                 opac_status_name(code), line, column, part);
    assert_string_equal(opac_status_name(status), opac_status_name(code));
    ltl_store_free(store);
}

/* A random formula with at most this number of operators, over the given names. */
static inline ltl_formula random_formula(ltl_store *store, uint64_t *random, uint32_t size,
                                         const char *const *names, uint32_t name_count)
{
    static const ltl_op unary[] = {LTL_NOT, LTL_X, LTL_F, LTL_G};
    static const ltl_op binary[] = {LTL_AND, LTL_OR, LTL_IMPLIES, LTL_IFF, LTL_XOR,
                                    LTL_U,   LTL_R,  LTL_W,       LTL_M};
    if (size == 0) {
        if (random_below(random, 20) == 0)
            return random_below(random, 2);
        const char *name = names[random_below(random, name_count)];
        return ltl_ap(store, name, strlen(name));
    }
    if (random_below(random, 3) == 0) {
        ltl_formula child = random_formula(store, random, size - 1, names, name_count);
        return ltl_unary(store, unary[random_below(random, 4)], child);
    }
    uint32_t left_size = random_below(random, size);
    ltl_formula left = random_formula(store, random, left_size, names, name_count);
    ltl_formula right = random_formula(store, random, size - 1 - left_size, names, name_count);
    return ltl_binary(store, binary[random_below(random, 9)], left, right);
}

#endif
