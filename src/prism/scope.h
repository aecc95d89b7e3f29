/* SPDX-License-Identifier: MIT */
/*
 * The symbol table: maps names to symbols.
 *
 *     names     text ► id
 *     symbols   indexed by id; ids beyond the end are not declared
 *     labels    the same for names in quotes, which have a namespace of their own
 *
 * The values of formulas and labels are resolved: literals, variables and operators with types. A symbol is
 * bad if an error in its definition was reported; then errors in its uses are not reported.
 */
#ifndef PRISM_SCOPE_H
#define PRISM_SCOPE_H

#include <omegapac/text.h>

#include "prism/program.h"

typedef enum prism_symbol_kind {
    PRISM_SYMBOL_NONE,
    PRISM_SYMBOL_CONSTANT,
    PRISM_SYMBOL_VARIABLE,
    PRISM_SYMBOL_FORMULA,
    PRISM_SYMBOL_LABEL
} prism_symbol_kind;

typedef struct prism_symbol {
    prism_symbol_kind kind;
    prism_type type; /* UNKNOWN after an error */
    bool is_bad;
    bool has_value; /* CONSTANT, FORMULA, LABEL: value is set */
    prism_place place;
    uint32_t index; /* among those of its kind in the file; UINT32_MAX: from another scope */
    prism_expression value; /* of a CONSTANT: one literal */
} prism_symbol;

BASE_VEC(prism_symbol_vec, prism_symbol);

struct prism_scope {
    base_arena arena;
    base_intern names;
    prism_symbol_vec symbols;
    prism_symbol_vec labels;
};

opac_status prism_scope_new(prism_scope **scope, opac_error *error);
/* Adds names in their order, so that in an empty scope they keep their ids. */
opac_status prism_scope_add_names(prism_scope *scope, const base_intern *names, opac_error *error);

/* The symbol of an id; of kind PRISM_SYMBOL_NONE if it is not declared. */
const prism_symbol *prism_scope_at(const prism_scope *scope, uint32_t id);
/* The symbol of a text. */
const prism_symbol *prism_scope_find(const prism_scope *scope, const char *name, size_t length);
/* The same for labels. */
const prism_symbol *prism_scope_label_at(const prism_scope *scope, uint32_t id);
const prism_symbol *prism_scope_find_label(const prism_scope *scope, const char *name,
                                           size_t length);

/*
 * Declares a symbol; *symbol is valid until the next declaration. If the id is already declared, *symbol is
 * NULL, and an error is reported unless the report is NULL.
 */
opac_status prism_scope_declare(prism_scope *scope, uint32_t id, prism_symbol_kind kind,
                                prism_place place, model_report *report, prism_symbol **symbol,
                                opac_error *error);

/* Copies an expression into the arena of the scope. */
opac_status prism_scope_copy_expression(prism_scope *scope, const prism_expression *expression,
                                        prism_expression *copy, opac_error *error);

/* "a constant", … */
const char *prism_symbol_kind_name(prism_symbol_kind kind);

/* ---- texts for messages ---- */

enum {
    PRISM_HINT_SIZE = OPAC_SHOWN_SIZE + 32
};

/* The text of a name, escaped and truncated. Writes to a buffer of OPAC_SHOWN_SIZE and returns it. */
const char *prism_show_name_id(const base_intern *names, uint32_t id, char *buffer);

/*
 * Writes "; did you mean 'x'?" to a buffer of PRISM_HINT_SIZE, where x is the most similar symbol of these
 * kinds (a bit each: 1u << kind), or "" if none is similar. If labels are the only kind, the name is in
 * double quotes.
 */
opac_status prism_scope_hint(const prism_scope *scope, unsigned kinds, const char *word,
                             size_t length, char *hint, opac_error *error);
/* The same for a list of candidates. */
void prism_format_hint(const char *word, size_t length, const char *const *candidates, size_t count,
                       char *hint);

#endif
