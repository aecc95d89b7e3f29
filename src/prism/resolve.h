/* SPDX-License-Identifier: MIT */
/*
 * The stages that resolve a file into a program, and their shared state. A stage reports errors and
 * continues; it fails only if memory is exhausted or a limit is exceeded.
 *
 *     names       constants, formulas and labels are declared  resolve.c, labels.c
 *     formulas    expanded within each other                   formulas.c
 *     modules     formulas expanded, then renamed              rename.c
 *     variables   declared                                     variables.c
 *     constants   evaluated                                    prism_constants.c
 *     formulas    analysed and stored for later expressions,   formulas.c
 *                 as are labels, in order of dependency        labels.c
 *     variables   ranges and initial values evaluated          variables.c
 *     commands    analysed                                     prism_commands.c
 *     init, rewards                                            resolve.c
 *     system      synchronisations computed                    system.c
 */
#ifndef PRISM_RESOLVE_H
#define PRISM_RESOLVE_H

#include "model/constants.h"
#include "prism/expression_analysis.h"

typedef struct prism_resolver {
    const prism_file *file;
    opac_constants *constants; /* may be NULL */
    model_report *report;
    prism_program *program;
    prism_scope *scope; /* of the program; names have the same ids as in the file */
    base_arena scratch; /* for data that the program does not refer to */
    prism_analyser analyser;
    prism_expression *formulas; /* expanded; empty if bad */
    /* Formulas, then labels: an order in which each comes after those that it uses. */
    uint32_t *order;
    bool *is_bad;                 /* of formulas, then labels: defined in terms of itself */
    prism_module_syntax *modules; /* formulas expanded and modules renamed; a bad one is empty */
    bool *is_bad_module;          /* its base is unknown or the module itself */
    uint32_t *module_of;          /* for each name: the module with this name, or UINT32_MAX */
    const char **module_names;    /* in the arena of the program */
    uint32_t *action_of;          /* for each name: the action of the program, or 0 */
    base_u32_vec actions;         /* the name of each action except 0 */
    uint64_t nodes; /* number of nodes that expansion and renaming have created so far */
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
 * Resolves the definitions of a property file in the scope of a model: the program gets its labels, and a
 * copy of the scope with its constants and formulas. Otherwise as prism_resolve. The file must have been
 * parsed with the names of the scope.
 */
opac_status prism_resolve_definitions(const prism_file *file, const prism_scope *scope,
                                      opac_constants *constants, model_report *report,
                                      prism_program *program, opac_error *error);

opac_status prism_declare_labels(prism_resolver *resolver, opac_error *error);
opac_status prism_resolve_label(prism_resolver *resolver, uint32_t index, bool is_bad,
                                opac_error *error);

/* ---- shared by the stages ---- */

/* Allocates from the scratch arena; if it returns NULL, the error is set. */
void *prism_alloc_scratch(prism_resolver *resolver, size_t count, size_t size, opac_error *error);

/* Replaces names of formulas by their expansions; *expanded shares the nodes if there are none. */
opac_status prism_expand(prism_resolver *resolver, const prism_expression *expression,
                         prism_expression *expanded, opac_error *error);
/* Counts created nodes; OPAC_ERROR_LIMIT with this place if there are more than PRISM_MAX_NODES. */
opac_status prism_count_nodes(prism_resolver *resolver, uint64_t nodes, prism_place place,
                              opac_error *error);

/* Expands and analyses an expression. */
opac_status prism_resolve_expression(prism_resolver *resolver, const prism_expression *expression,
                                     const prism_requirements *required, prism_expression *result,
                                     opac_error *error);

/* Sets the module that error messages name; PRISM_GLOBAL for none. */
void prism_set_error_module(prism_resolver *resolver, uint32_t module);

/* The action with this name; added if it is new. */
opac_status prism_intern_action(prism_resolver *resolver, uint32_t name, uint32_t *action,
                                opac_error *error);

/* Copies a name into the arena of the program; if it returns NULL, the error is set. */
const char *prism_copy_name(prism_resolver *resolver, uint32_t name, opac_error *error);

/* "; did you mean …", with candidates that are names of the file; see prism_format_hint. */
opac_status prism_hint_names(const prism_resolver *resolver, const uint32_t *names, size_t count,
                             uint32_t word, char *hint, opac_error *error);

/* Reports an unknown module, with the most similar known one. */
opac_status prism_report_unknown_module(prism_resolver *resolver, const prism_name *name,
                                        opac_error *error);

/* ---- the order of definitions ---- */

/*
 * Definitions of one kind, which may be followed by labels. Definition i is that with symbol->index i.
 * Definitions that use themselves, directly or through others, and those that use such definitions are bad.
 */
typedef struct prism_definitions {
    prism_symbol_kind kind;
    const char *noun;               /* "constant" */
    const prism_expression *bodies; /* may be empty */
    const prism_name *names;
    uint32_t count;
    uint32_t first_label; /* definitions from this one on are labels, with symbol->index from 0 */
} prism_definitions;

/*
 * Orders definitions so that each comes after those that it uses, and reports cycles. order and is_bad have
 * `count` elements.
 */
opac_status prism_order_definitions(const prism_scope *scope, const prism_definitions *definitions,
                                    model_report *report, uint32_t *order, bool *is_bad,
                                    opac_error *error);

#endif
