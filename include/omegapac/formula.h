/* SPDX-License-Identifier: MIT */
/*
 * Parses, prints and simplifies formulas of linear temporal logic (LTL).
 *
 *     opac_formula *formula;
 *     opac_error error;
 *     if (opac_formula_parse("G F s & G !trap", NULL, &formula, &error) != OPAC_OK)
 *         fprintf(stderr, "%u:%u: %s\n", error.line, error.column, error.message);
 *     opac_formula_write(formula, OPAC_FORMULA_LATEX, out);
 *     opac_formula_free(formula);
 *
 * There are two grammars. In the infix grammar, that of Spot, F, G and X bind tightly: F a & b is (F a) &
 * b. In the grammar of PRISM's properties, temporal operators bind loosest: F a & b is F (a & b).
 *
 * A formula is immutable; several threads may use it at the same time.
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
 * Called for a note or a warning, such as the interpretation of an ambiguous text or an unknown header. The
 * text is one line without a full stop; line and column are as in opac_error. The text is valid during the
 * call.
 */
typedef void (*opac_notice_callback)(void *context, uint32_t line, uint32_t column,
                                     const char *text);

/* Options of the parsers. All zeros are the defaults (opac_formula_defaults). */
typedef struct opac_formula_options {
    const char *const *labels;   /* names to read as propositions, also those like Goal or GFa */
    size_t label_count;          /* number of labels */
    opac_notice_callback notice; /* called for notes; may be NULL */
    void *notice_context;
    const opac_cancel *cancel; /* polled; may be NULL */
} opac_formula_options;

OPAC_API opac_formula_options opac_formula_defaults(void);

/* Parses a formula in the infix grammar. options may be NULL. The caller frees *formula. Fails with
 * OPAC_ERROR_SYNTAX with line and column, or with OPAC_ERROR_LIMIT if the formula is nested too deep. */
OPAC_API opac_status opac_formula_parse(const char *text, const opac_formula_options *options,
                                        opac_formula **formula, opac_error *error);

/* Parses the path formula of a PRISM property, the text between P=? [ and ]. Otherwise as
 * opac_formula_parse. */
OPAC_API opac_status opac_formula_parse_prism(const char *text, const opac_formula_options *options,
                                              opac_formula **formula, opac_error *error);
OPAC_API void opac_formula_free(opac_formula *formula);

/* The syntax in which a formula is written. */
typedef enum opac_formula_style {
    OPAC_FORMULA_INFIX = 0, /* read back by opac_formula_parse */
    OPAC_FORMULA_PRISM = 1, /* read back by opac_formula_parse_prism */
    OPAC_FORMULA_LATEX = 2  /* for math mode */
} opac_formula_style;

/* Writes a formula with the necessary parentheses only. */
OPAC_API void opac_formula_write(const opac_formula *formula, opac_formula_style style,
                                 opac_output *out);

/*
 * Makes an equivalent formula in negation normal form, simplified as in the first step of a translation.
 * The caller frees *simpler. cancel (may be NULL) and work_limit (0: default) are those of
 * opac_automaton_options.
 */
OPAC_API opac_status opac_formula_simplify(const opac_formula *formula, const opac_cancel *cancel,
                                           uint64_t work_limit, opac_formula **simpler,
                                           opac_error *error);

/* The number of different propositions; they are numbered by their first occurrence in the text. */
OPAC_API size_t opac_formula_proposition_count(const opac_formula *formula);
/* The name of a proposition; index below the count. Owned by the formula. */
OPAC_API const char *opac_formula_proposition(const opac_formula *formula, size_t index);
/*
 * The place of the first occurrence of a proposition (after the quote, if it is quoted) in the text of
 * opac_formula_parse, as in opac_error, for messages about unknown names; 0, 0 for formulas from other
 * sources.
 */
OPAC_API void opac_formula_proposition_position(const opac_formula *formula, size_t index,
                                                uint32_t *line, uint32_t *column);

#ifdef __cplusplus
}
#endif

#endif
