/* SPDX-License-Identifier: MIT */
/*
 * Formulas of linear temporal logic: reading and printing them.
 *
 *     opac_formula *formula;
 *     opac_error error;
 *     if (opac_formula_parse("G F s & G !trap", NULL, &formula, &error) != OPAC_OK)
 *         fprintf(stderr, "%u:%u: %s\n", error.line, error.column, error.message);
 *     opac_formula_write(formula, OPAC_FORMULA_LATEX, out);
 *     opac_formula_free(formula);
 *
 * Two grammars are read. The infix one is that of Spot's users, in which F, G
 * and X bind tightly (F a & b is (F a) & b); the other is that of PRISM's
 * properties, in which temporal operators bind loosest (F a & b is F (a & b)).
 *
 * A formula is immutable: any number of threads may read one.
 */
#ifndef OMEGAPAC_FORMULA_H
#define OMEGAPAC_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include <omegapac/cancel.h>
#include <omegapac/error.h>
#include <omegapac/export.h>
#include <omegapac/output.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_formula opac_formula;

/*
 * Something that the user should know but that is no error: how an ambiguous
 * text was read, an unknown header. The text is one line without a full stop;
 * line and column as in opac_error. All of it dies with the call.
 */
typedef void (*opac_notice_callback)(void *context, uint32_t line, uint32_t column,
                                     const char *text);

/* What a parser may be told, as opac_formula_defaults gives it: nothing. All zeros mean the same. */
typedef struct opac_formula_options {
    const char *const *labels;   /* names that a whole token may be, also one like Goal or GFa */
    size_t label_count;          /* how many labels there are */
    opac_notice_callback notice; /* NULL: notices are dropped */
    void *notice_context;
    const opac_cancel *cancel; /* ends the reading of a long text; NULL: nothing does */
} opac_formula_options;

OPAC_API opac_formula_options opac_formula_defaults(void);

/* The infix grammar. options may be NULL. */
OPAC_API opac_status opac_formula_parse(const char *text, const opac_formula_options *options,
                                        opac_formula **formula, opac_error *error);

/* The path formula of a PRISM property: what stands between P=? [ and ]. options may be NULL. */
OPAC_API opac_status opac_formula_parse_prism(const char *text, const opac_formula_options *options,
                                              opac_formula **formula, opac_error *error);
OPAC_API void opac_formula_free(opac_formula *formula);

/* How a formula is written. */
typedef enum opac_formula_style {
    OPAC_FORMULA_INFIX = 0, /* what opac_formula_parse reads back as the same formula */
    OPAC_FORMULA_PRISM = 1, /* what opac_formula_parse_prism reads back as the same formula */
    OPAC_FORMULA_LATEX = 2  /* for math mode */
} opac_formula_style;

/* Writes it with as few parentheses as its readers need. */
OPAC_API void opac_formula_write(const opac_formula *formula, opac_formula_style style,
                                 opac_output *out);

/*
 * The formula in negation normal form, simplified as the translation begins with. cancel (NULL:
 * none) and work_limit (0: the default) are those of opac_automaton_options.
 */
OPAC_API opac_status opac_formula_simplify(const opac_formula *formula, const opac_cancel *cancel,
                                           uint64_t work_limit, opac_formula **simpler,
                                           opac_error *error);

/* The propositions that occur, in the order of first occurrence in the text. */
OPAC_API size_t opac_formula_proposition_count(const opac_formula *formula);
/* Borrowed from the formula; index below the count. */
OPAC_API const char *opac_formula_proposition(const opac_formula *formula, size_t index);
/*
 * Where its name first begins (behind the quote, if there is one) in the text
 * that opac_formula_parse read: line and column, as in opac_error; 0, 0 of a
 * formula that comes from elsewhere. For messages about a name that nobody knows.
 */
OPAC_API void opac_formula_proposition_position(const opac_formula *formula, size_t index,
                                                uint32_t *line, uint32_t *column);

#ifdef __cplusplus
}
#endif

#endif
