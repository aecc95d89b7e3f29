/* SPDX-License-Identifier: MIT */
/*
 * What a scope is: a table of names, and what each of them stands for.
 *
 *     names     text ► id
 *     symbols   by id; those beyond the end stand for nothing
 *     labels    the same for names in quotes, which are apart from all others
 *
 * Formulas and labels are kept resolved: literals, variables, operators with types. A
 * symbol that is wrong (its own mistake was told) is bad: whoever meets it
 * stays silent.
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
    prism_type type; /* UNKNOWN: not known, for a mistake */
    bool is_bad;
    bool has_value; /* CONSTANT, FORMULA, LABEL: value is set */
    prism_place place;
    uint32_t index;         /* among its kind, in the file; UINT32_MAX: from another scope */
    prism_expression value; /* CONSTANT: one literal */
} prism_symbol;

BASE_VEC(prism_symbol_vec, prism_symbol);

struct prism_scope {
    base_arena arena;
    base_intern names;
    prism_symbol_vec symbols;
    prism_symbol_vec labels;
};

opac_status prism_scope_new(prism_scope **scope, opac_error *error);
/* Adds names in their order: in an empty scope they keep their ids. */
opac_status prism_scope_add_names(prism_scope *scope, const base_intern *names, opac_error *error);

/* What an id below names.count stands for; PRISM_SYMBOL_NONE where it stands for nothing. */
const prism_symbol *prism_scope_at(const prism_scope *scope, uint32_t id);
/* What a text stands for. */
const prism_symbol *prism_scope_find(const prism_scope *scope, const char *name, size_t length);
/* The same in quotes. */
const prism_symbol *prism_scope_label_at(const prism_scope *scope, uint32_t id);
const prism_symbol *prism_scope_find_label(const prism_scope *scope, const char *name,
                                           size_t length);

/*
 * Makes the id, in quotes for a label, stand for something new. When it does so already, that is noted
 * in the report (may be NULL: allowed), and *symbol is NULL. The pointer dies
 * with the next new symbol.
 */
opac_status prism_scope_declare(prism_scope *scope, uint32_t id, prism_symbol_kind kind,
                                prism_place place, model_report *report, prism_symbol **symbol,
                                opac_error *error);

/* Copies nodes into the scope's arena. */
opac_status prism_scope_keep(prism_scope *scope, const prism_expression *expression,
                             prism_expression *kept, opac_error *error);

/* "a constant", … */
const char *prism_symbol_word(prism_symbol_kind kind);

/* ---- words for messages ---- */

enum {
    PRISM_HINT_SIZE = OPAC_SHOWN_SIZE + 32
};

/* A name, tamed. In a buffer of OPAC_SHOWN_SIZE; returns it. */
const char *prism_name_show(const base_intern *names, uint32_t id, char *buffer);

/*
 * "; did you mean 'x'?" or "", in a buffer of PRISM_HINT_SIZE, by the names of
 * these kinds (a bit each: 1u << kind); by labels alone it is "x".
 */
opac_status prism_scope_hint(const prism_scope *scope, unsigned kinds, const char *word,
                             size_t length, char *hint, opac_error *error);
/* The same by a list of texts. */
void prism_hint_of(const char *word, size_t length, const char *const *candidates, size_t count,
                   char *hint);

#endif
