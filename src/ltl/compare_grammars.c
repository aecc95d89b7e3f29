/* SPDX-License-Identifier: MIT */
/*
 * Parses a text with both grammars, into the same new store, so that equal formulas are equal nodes. Words
 * are read as in the grammar of the text in both cases: the comparison is about precedence, and a notice
 * that PRISM reads GFa as a name would not help.
 */
#include "ltl/compare_grammars.h"

#include "base/text.h"
#include "ltl/formula.h"
#include "ltl/parse_infix.h"
#include "ltl/parse_prism.h"
#include "ltl/print.h"

enum {
    LONGEST_SHOWN = 160 /* bytes of a formula in a notice */
};

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Appends the formula with all parentheses; a long one is truncated, but not inside a character. */
static opac_status add_formula(const ltl_store *store, ltl_formula formula, ltl_grammar grammar,
                               base_text *text, opac_error *error)
{
    opac_output *out;
    size_t length = 0;
    bool is_prism = grammar == LTL_GRAMMAR_PRISM;
    TRY(opac_output_open_memory(&out, error));
    ltl_print_full(store, formula, is_prism ? OPAC_FORMULA_PRISM : OPAC_FORMULA_INFIX, out);
    opac_status status = opac_output_commit(out, error);
    const char *bytes = opac_output_bytes(out, &length);
    if (status == OPAC_OK && bytes != NULL) {
        size_t shown = length <= LONGEST_SHOWN ? length : LONGEST_SHOWN;
        while (shown < length && shown > 0 && is_continuation(bytes[shown]))
            shown--;
        base_text_add_bytes(text, bytes, shown);
        if (shown < length)
            base_text_add(text, "...");
    }
    opac_output_free(out);
    return status;
}

/* Replaces control characters in quoted names, so that the notice is one line. */
static void replace_control(base_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if ((unsigned char)text->bytes[i] < ' ' || text->bytes[i] == 0x7F)
            text->bytes[i] = ' ';
}

static opac_status report_difference(const ltl_store *store, ltl_grammar grammar, ltl_formula own,
                                     ltl_formula other, const ltl_token *first,
                                     const opac_formula_options *options, opac_error *error)
{
    base_text text = {0};
    bool is_prism = grammar == LTL_GRAMMAR_PRISM;
    base_text_add(&text, "read as ");
    opac_status status;
    TRY_OR(done, add_formula(store, own, grammar, &text, error));
    base_text_add(&text, is_prism ? "; the infix grammar reads " : "; PRISM's properties read ");
    TRY_OR(done, add_formula(store, other, grammar, &text, error));
    TRY_OR(done, base_text_check(&text, error));
    replace_control(&text);
    options->notice(options->notice_context, first->line, first->column, base_text_get(&text));
done:
    base_text_fini(&text);
    return status;
}

opac_status ltl_compare_grammars(ltl_grammar grammar, const char *text, size_t length,
                                 uint32_t line, uint32_t column,
                                 const opac_formula_options *options, opac_error *error)
{
    ltl_store *store;
    ltl_formula infix, prism;
    ltl_lexer lexer;
    ltl_token first;
    base_work work;
    bool is_prism = grammar == LTL_GRAMMAR_PRISM;
    ltl_words words = is_prism ? LTL_WORDS_WHOLE : LTL_WORDS_SPLIT;
    opac_formula_options silent = *options;
    silent.notice = NULL;
    if (is_prism)
        silent.label_count = 0;
    TRY(ltl_lexer_open(&lexer, grammar, text, length, error));
    TRY(ltl_store_new(&store, error));
    base_work_init(&work, options->cancel, 0);
    ltl_store_set_work(store, &work);
    lexer.line = line;
    lexer.column = column;
    ltl_lexer_next(&lexer, LTL_LEX_FORMULA, &first);
    opac_status status;
    TRY_OR(done, ltl_read_infix(store, text, length, &silent, words, &infix, error));
    TRY_OR(done, ltl_read_prism(store, text, length, &silent, words, &prism, error));
    if (infix != prism)
        status = report_difference(store, grammar, is_prism ? prism : infix,
                                   is_prism ? infix : prism, &first, options, error);
done:
    ltl_store_free(store);
    return status == OPAC_ERROR_MEMORY || status == OPAC_ERROR_CANCELLED ? status : OPAC_OK;
}
