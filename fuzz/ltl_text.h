/* SPDX-License-Identifier: MIT */
/* Checks that the fuzz targets of both LTL grammars share. */
#ifndef FUZZ_LTL_TEXT_H
#define FUZZ_LTL_TEXT_H

#include <omegapac/text.h>

#include "base/utf8.h"
#include "ltl/print.h"
#include "target.h"

/* An error has a position in the text and a printable message. */
static inline void fuzz_check_error(const opac_error *error, const char *text, size_t length)
{
    char shown[2 * OPAC_MESSAGE_SIZE], caret[OPAC_CARET_SIZE];
    size_t size = strlen(error->message);
    fuzz_require(size > 0 && size < OPAC_MESSAGE_SIZE);
    opac_text_show(error->message, size, shown, sizeof shown);
    fuzz_require(strcmp(shown, error->message) == 0);
    fuzz_require(error->line > 0 && error->column > 0);
    uint32_t line = 1;
    size_t begin = 0;
    for (size_t i = 0; i < length && line < error->line; i++)
        if (text[i] == '\n') {
            line++;
            begin = i + 1;
        }
    fuzz_require(line == error->line);
    const char *end = memchr(text + begin, '\n', length - begin);
    size_t line_length = (end != NULL ? (size_t)(end - text) : length) - begin;
    fuzz_require(error->column <= base_utf8_count(text + begin, line_length) + 1);
    opac_text_caret(text, length, error->line, error->column, 80, caret, sizeof caret);
    fuzz_require(strchr(caret, '^') != NULL);
}

/*
 * Whether the text of the formula is short enough to print: a few bytes of bounds make a million operators,
 * which other tests print. PRISM has no strong release: a M b is printed as b U (a & b), with b twice.
 */
static inline bool fuzz_is_short(const ltl_store *store, ltl_formula formula,
                                 opac_formula_style style)
{
    uint64_t most = 300, *sizes = calloc((size_t)formula + 1, sizeof *sizes);
    fuzz_require(sizes != NULL);
    for (ltl_formula at = 0; at <= formula; at++) {
        sizes[at] = 1;
        for (uint32_t i = 0; i < ltl_arity(store, at) && sizes[at] <= most; i++)
            sizes[at] += sizes[ltl_child(store, at, i)];
        if (style == OPAC_FORMULA_PRISM && ltl_op_of(store, at) == LTL_M)
            sizes[at] += sizes[ltl_child(store, at, 1)];
        if (sizes[at] > most) /* the exact size is irrelevant */
            sizes[at] = most + 1;
    }
    bool is_short = sizes[formula] <= most;
    free(sizes);
    return is_short;
}

/* The printed formula, to be freed with free; NULL if it is too long to print. */
static inline char *fuzz_print(const ltl_store *store, ltl_formula formula,
                               opac_formula_style style)
{
    opac_output *out;
    size_t length;
    char *text = NULL;
    fuzz_require(opac_output_open_memory(&out, NULL) == OPAC_OK);
    ltl_print(store, formula, style, out);
    if (opac_output_commit(out, NULL) == OPAC_OK) {
        const char *bytes = opac_output_bytes(out, &length);
        text = malloc(length + 1);
        fuzz_require(text != NULL);
        memcpy(text, bytes, length + 1);
    }
    opac_output_free(out);
    return text;
}

static inline void fuzz_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    (void)context;
    fuzz_require(line > 0 && column > 0 && strchr(text, '\n') == NULL);
}

#endif
