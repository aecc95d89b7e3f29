/* SPDX-License-Identifier: MIT */
/*
 * A PRISM model with everything known but its states: constants have their
 * values, formulas are expanded, modules renamed, names resolved, types
 * checked, constant parts computed. What the resolver makes and the explorer
 * runs.
 *
 * In its expressions the only operands are literals and PRISM_OP_VARIABLE;
 * there is no PRISM_OP_NAME, LABEL or CALL; every node has its type. An
 * operator with an int and a real operand is real, and so are / and log;
 * comparisons of an int with a real compare reals.
 */
#ifndef PRISM_PROGRAM_H
#define PRISM_PROGRAM_H

#include "model/model_values.h"
#include "prism/syntax.h"

#define PRISM_GLOBAL UINT32_MAX

typedef struct prism_variable {
    const char *name;
    prism_type type; /* BOOL or INT */
    int64_t low, high;
    int64_t initial;
    uint32_t module; /* PRISM_GLOBAL: of none */
    prism_place place;
} prism_variable;

typedef struct prism_assignment {
    uint32_t variable;
    prism_expression value; /* BOOL for a bool, INT for an int */
    prism_place place;
} prism_assignment;

typedef struct prism_branch {
    prism_expression probability; /* INT or REAL; none: 1 */
    prism_assignment *assignments;
    uint32_t assignment_count;
    prism_place place;
} prism_branch;

typedef struct prism_command {
    uint32_t action; /* 0: unlabelled; else an action of the program */
    prism_expression guard;
    prism_branch *branches; /* at least one */
    uint32_t branch_count;
    prism_place place;
} prism_command;

typedef struct prism_module {
    const char *name;
    prism_command *commands;
    uint32_t command_count;
    base_u32_vec alphabet; /* actions of its commands, each once, none 0 */
} prism_module;

/*
 * The composition, flattened: a step of the whole is a step of each part of
 * one of these, together, under the action that it carries outside.
 */
typedef struct prism_part {
    uint32_t module, action; /* commands of the module with this action; 0: unlabelled */
} prism_part;

typedef struct prism_synchronisation {
    uint32_t action;         /* seen outside; 0: none (unlabelled, or hidden) */
    const prism_part *parts; /* distinct modules, ascending */
    uint32_t part_count;
} prism_synchronisation;

typedef struct prism_label {
    const char *name;
    prism_expression states;
    prism_place place;
} prism_label;

typedef struct prism_scope prism_scope;

typedef struct prism_program {
    base_arena arena;
    opac_model_type type;
    prism_variable *variables;
    uint32_t variable_count;
    prism_module *modules;
    uint32_t module_count;
    const char **actions; /* 0 is "" */
    uint32_t action_count;
    prism_synchronisation *steps; /* unlabelled ones of single modules first, in their order; then
                                     the others by first appearance of their action */
    uint32_t step_count;
    prism_label *labels;
    uint32_t label_count;
    prism_expression initial; /* of init … endinit; none: the initial values */
    prism_place initial_place;
    prism_scope *scope; /* names for expressions of properties; owned */
} prism_program;

/*
 * From a file to a program; the constants (may be NULL) set and override, and
 * those known are marked. Mistakes are noted in the report, all that are
 * independent; then the program is empty. Fails only for want of memory or
 * beyond a limit. The file may go afterwards. prism_program_fini is due in any
 * case.
 */
opac_status prism_resolve(const prism_file *file, opac_constants *constants, model_report *report,
                          prism_program *program, opac_error *error);
void prism_program_fini(prism_program *program);

/* ---- expressions from elsewhere ---- */

/*
 * The names that an expression may use: variables, constants, formulas, labels. A
 * scope outlives its program's other parts; one may also be made of variables
 * alone, for models of explicit files.
 */
opac_status prism_scope_of_layout(const model_layout *layout, prism_scope **scope,
                                  opac_error *error);
/* Another scope with all that this one has, to which definitions of a property file are added. */
opac_status prism_scope_copy(const prism_scope *scope, prism_scope **copy, opac_error *error);
void prism_scope_free(prism_scope *scope);

/*
 * Reads, resolves, checks and folds an expression of the wanted type (REAL
 * takes INT as well). It lives in the arena. A constant one is one literal.
 */
opac_status prism_scope_expression(const prism_scope *scope, const char *text, size_t length,
                                   prism_place place, prism_type wanted, base_arena *arena,
                                   prism_expression *expression, opac_error *error);

#endif
