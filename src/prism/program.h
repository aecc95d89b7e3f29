/* SPDX-License-Identifier: MIT */
/*
 * A resolved PRISM model: constants have values, formulas are expanded, modules are renamed, names are
 * resolved, types are checked, constant subexpressions are folded. The resolver builds it; the explorer
 * computes its states.
 *
 * In its expressions, the only operands are literals and PRISM_OP_VARIABLE; there is no PRISM_OP_NAME, LABEL
 * or CALL; every node has a type. Operators with an int and a real operand, / and log are of type real. A
 * comparison of an int with a real compares reals.
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
    uint32_t module; /* PRISM_GLOBAL for a global variable */
    prism_place place;
} prism_variable;

typedef struct prism_assignment {
    uint32_t variable;
    prism_expression value; /* of the type of the variable */
    prism_place place;
} prism_assignment;

typedef struct prism_branch {
    prism_expression probability; /* of type INT or REAL; empty for 1 */
    prism_assignment *assignments;
    uint32_t assignment_count;
    prism_place place;
} prism_branch;

typedef struct prism_command {
    uint32_t action; /* an action of the program; 0 if unlabelled */
    prism_expression guard;
    prism_branch *branches; /* at least one */
    uint32_t branch_count;
    prism_place place;
} prism_command;

typedef struct prism_module {
    const char *name;
    prism_command *commands;
    uint32_t command_count;
    base_u32_vec alphabet; /* actions of its commands without 0, each once */
} prism_module;

/*
 * The composition of modules as a list of synchronisations: in a step of the model, every part of one
 * synchronisation executes one command.
 */
typedef struct prism_part {
    uint32_t module;
    uint32_t action; /* of the commands; 0 for the unlabelled ones */
} prism_part;

typedef struct prism_synchronisation {
    uint32_t action;         /* of the step, after renaming; 0 if unlabelled or hidden */
    const prism_part *parts; /* of different modules, in ascending order */
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
    /*
     * First the unlabelled ones of single modules, in order of the modules; then the others in order of the
     * first occurrence of their action.
     */
    prism_synchronisation *steps;
    uint32_t step_count;
    prism_label *labels;
    uint32_t label_count;
    /* Of init … endinit; empty if the initial values of variables are used. */
    prism_expression initial;
    prism_place initial_place;
    prism_scope *scope; /* names for expressions in properties; owned */
} prism_program;

/*
 * Resolves a file into a program. The constants (may be NULL) define or override constants of the file; those
 * that occur in it are marked as used. Reports all independent errors; then the program is empty. Fails only
 * if memory is exhausted or a limit is exceeded. The program does not refer to the file. The caller must call
 * prism_program_fini in any case.
 */
opac_status prism_resolve(const prism_file *file, opac_constants *constants, model_report *report,
                          prism_program *program, opac_error *error);
void prism_program_fini(prism_program *program);

/* ---- expressions outside of files ---- */

/*
 * The names that an expression may use: variables, constants, formulas and labels. A scope does not depend on
 * the other members of its program. For a model in an explicit format, it consists of the variables.
 */
opac_status prism_scope_of_layout(const model_layout *layout, prism_scope **scope,
                                  opac_error *error);
/* A copy, to which the definitions of a property file can be added. */
opac_status prism_scope_copy(const prism_scope *scope, prism_scope **copy, opac_error *error);
void prism_scope_free(prism_scope *scope);

/*
 * Parses and analyses an expression of the required type (REAL also accepts INT). It is allocated in the
 * arena. A constant expression becomes one literal.
 */
opac_status prism_scope_expression(const prism_scope *scope, const char *text, size_t length,
                                   prism_place place, prism_type required, base_arena *arena,
                                   prism_expression *expression, opac_error *error);

#endif
