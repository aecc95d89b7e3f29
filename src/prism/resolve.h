/* SPDX-License-Identifier: MIT */
/*
 * The stages from a file to a program, and what they share. Each notes mistakes
 * and goes on; each fails only for want of memory or beyond a limit.
 *
 *     names       constants, formulas and labels are declared  resolve.c, labels.c
 *     formulas    expanded into one another                    formulas.c
 *     modules     formulas expanded, then renamed              rename.c
 *     variables   declared                                     variables.c
 *     constants   evaluated                                    prism_constants.c
 *     formulas    checked and kept for later expressions;      formulas.c
 *                 so are labels, each after those it uses      labels.c
 *     variables   their ranges and initial values              variables.c
 *     commands                                                 prism_commands.c
 *     init, rewards                                            resolve.c
 *     system      who synchronises with whom                   system.c
 */
#ifndef PRISM_RESOLVE_H
#define PRISM_RESOLVE_H

#include "model/constants.h"
#include "prism/elaborate.h"

typedef struct prism_resolver {
    const prism_file *file;
    opac_constants *constants; /* may be NULL */
    model_report *report;
    prism_program *program;
    prism_scope *scope; /* the program's; its ids of names are the file's */
    base_arena scratch; /* for what the program does not need */
    prism_elaborator elaborator;
    prism_expression *formulas;   /* expanded; none: bad */
    uint32_t *order;              /* formulas, and labels behind them: each after what it uses */
    bool *is_bad;                 /* of the same: defined by itself */
    prism_module_syntax *modules; /* without formulas and renamings; a bad one is empty */
    bool *is_bad_module;          /* its base is unknown, or itself */
    uint32_t *module_of;          /* a name: its module; UINT32_MAX: of none */
    const char **module_names;    /* in the program's arena */
    uint32_t *action_of;          /* a name: its action of the program; 0: none */
    base_u32_vec actions;         /* the name of each action but the first */
    uint64_t nodes;               /* made by expanding and renaming so far */
} prism_resolver;

opac_status prism_expand_formulas(prism_resolver *resolver, opac_error *error);
opac_status prism_expand_modules(prism_resolver *resolver, opac_error *error);
opac_status prism_declare_variables(prism_resolver *resolver, opac_error *error);
opac_status prism_evaluate_constants(prism_resolver *resolver, opac_error *error);
opac_status prism_check_definitions(prism_resolver *resolver, opac_error *error);
opac_status prism_evaluate_ranges(prism_resolver *resolver, opac_error *error);
opac_status prism_resolve_commands(prism_resolver *resolver, opac_error *error);
opac_status prism_compose(prism_resolver *resolver, opac_error *error);

/*
 * Definitions of a property file over the scope of a model: the program gets
 * its labels, and a copy of the scope with its constants and formulas. Otherwise
 * as prism_resolve. The file was parsed with the names of the scope.
 */
opac_status prism_resolve_definitions(const prism_file *file, const prism_scope *scope,
                                      opac_constants *constants, model_report *report,
                                      prism_program *program, opac_error *error);

opac_status prism_declare_labels(prism_resolver *resolver, opac_error *error);
opac_status prism_resolve_label(prism_resolver *resolver, uint32_t index, bool is_bad,
                                opac_error *error);

/* ---- what they share ---- */

/* Of the scratch arena; NULL fills the error. */
void *prism_scratch(prism_resolver *resolver, size_t count, size_t size, opac_error *error);

/* The expression with formulas in place of their names; itself where there are none. */
opac_status prism_expand(prism_resolver *resolver, const prism_expression *expression,
                         prism_expression *expanded, opac_error *error);
/* Counts nodes that are made; OPAC_ERROR_LIMIT at this place beyond PRISM_MOST_NODES. */
opac_status prism_spend(prism_resolver *resolver, uint64_t nodes, prism_place place,
                        opac_error *error);

/* Expands and elaborates. */
opac_status prism_resolve_expression(prism_resolver *resolver, const prism_expression *expression,
                                     const prism_wanted *wanted, prism_expression *result,
                                     opac_error *error);

/* Mistakes are from here on in this module, or, for PRISM_GLOBAL, in none. */
void prism_enter_module(prism_resolver *resolver, uint32_t module);

/* The action of a name, new or not. */
opac_status prism_action(prism_resolver *resolver, uint32_t name, uint32_t *action,
                         opac_error *error);

/* A name of the file in the program's arena; NULL fills the error. */
const char *prism_keep_name(prism_resolver *resolver, uint32_t name, opac_error *error);

/* "; did you mean …" among these names of the file; see prism_hint_of. */
opac_status prism_hint_among(const prism_resolver *resolver, const uint32_t *names, size_t count,
                             uint32_t word, char *hint, opac_error *error);

/* Notes that there is no such module, with one that may be meant. */
opac_status prism_report_module(prism_resolver *resolver, const prism_name *name,
                                opac_error *error);

/* ---- definitions that may use one another ---- */

/*
 * The definitions of a kind, with their expressions; definition i is the one
 * with index i among the symbols of the scope. Behind them may be labels. Those that use themselves, or
 * others that do, become bad; each cycle is told.
 */
typedef struct prism_definitions {
    prism_symbol_kind kind;
    const char *noun;               /* "constant" */
    const prism_expression *bodies; /* may be none */
    const prism_name *names;
    uint32_t count;
    uint32_t first_label; /* those from here on are labels, which count from 0 again */
} prism_definitions;

/* An order in which each comes after all that it uses; order and is_bad have room for all. */
opac_status prism_order_definitions(const prism_scope *scope, const prism_definitions *definitions,
                                    model_report *report, uint32_t *order, bool *is_bad,
                                    opac_error *error);

#endif
