/* SPDX-License-Identifier: MIT */
/*
 * The syntax tree of a PRISM file, which the parser builds and the resolver reads. Names are ids in the name
 * table of the file; lists are arrays in the arena of the file. Names are not resolved, and types of
 * expressions are not known.
 */
#ifndef PRISM_SYNTAX_H
#define PRISM_SYNTAX_H

#include <omegapac/model.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/work.h"
#include "model/model_report.h"
#include "prism/expression.h"

#define PRISM_NO_NAME UINT32_MAX

typedef struct prism_name {
    uint32_t id; /* PRISM_NO_NAME if there is none */
    prism_place place;
} prism_name;

typedef struct prism_constant_syntax { /* const int N = 3; */
    prism_name name;
    prism_type type;        /* UNKNOWN if omitted, which means int */
    prism_expression value; /* empty if it is undefined */
} prism_constant_syntax;

typedef struct prism_formula_syntax { /* formula f = …; or label "f" = …; */
    prism_name name;
    prism_expression value;
} prism_formula_syntax;

typedef struct prism_variable_syntax { /* x : [low..high] init value; b : bool; */
    prism_name name;
    prism_type type;            /* BOOL or INT */
    prism_expression low, high; /* INT */
    prism_expression initial;   /* may be empty */
} prism_variable_syntax;

typedef struct prism_assignment_syntax { /* (x' = value) */
    prism_name variable;
    prism_expression value;
} prism_assignment_syntax;

typedef struct prism_branch_syntax { /* probability : assignments */
    prism_expression probability;    /* empty if omitted, which means 1 */
    prism_place place;
    prism_assignment_syntax *assignments; /* NULL for the update "true" */
    uint32_t assignment_count;
} prism_branch_syntax;

typedef struct prism_command_syntax { /* [action] guard -> branches; */
    prism_name action;                /* its place is that of '['; its id is PRISM_NO_NAME for [] */
    prism_expression guard;
    prism_branch_syntax *branches;
    uint32_t branch_count;
} prism_command_syntax;

typedef struct prism_renaming { /* old = new */
    prism_name from, to;
} prism_renaming;

typedef struct prism_module_syntax {
    prism_name name;
    prism_name base; /* of module name = base [renamings] endmodule; else PRISM_NO_NAME */
    prism_renaming *renamings;
    uint32_t renaming_count;
    prism_variable_syntax *variables;
    uint32_t variable_count;
    prism_command_syntax *commands;
    uint32_t command_count;
} prism_module_syntax;

typedef enum prism_system_op {
    PRISM_SYSTEM_MODULE,      /* name */
    PRISM_SYSTEM_PARALLEL,    /* two operands: || on all common actions */
    PRISM_SYSTEM_INTERLEAVE,  /* ||| */
    PRISM_SYSTEM_SYNCHRONISE, /* |[a,b]| : actions */
    PRISM_SYSTEM_HIDE,        /* one operand: / {a,b} : actions */
    PRISM_SYSTEM_RENAME       /* one operand: {a<-b} : renamings, from a to b */
} prism_system_op;

/* A node of a postfix program, as for expressions. */
typedef struct prism_system_node {
    prism_system_op op;
    prism_name name; /* of the module; for other operators only its place is set */
    prism_name *actions;
    prism_renaming *renamings;
    uint32_t count; /* of actions or renamings */
} prism_system_node;

typedef struct prism_reward_syntax { /* [action] guard : value; or guard : value; */
    bool has_action; /* a transition reward; the action may be PRISM_NO_NAME, for [] */
    prism_name action;
    prism_expression guard, value;
} prism_reward_syntax;

typedef struct prism_rewards_syntax {
    prism_name name; /* may be PRISM_NO_NAME */
    prism_place place;
    prism_reward_syntax *items;
    uint32_t item_count;
} prism_rewards_syntax;

BASE_VEC(prism_constant_syntax_vec, prism_constant_syntax);
BASE_VEC(prism_formula_syntax_vec, prism_formula_syntax);
BASE_VEC(prism_variable_syntax_vec, prism_variable_syntax);
BASE_VEC(prism_module_syntax_vec, prism_module_syntax);
BASE_VEC(prism_rewards_syntax_vec, prism_rewards_syntax);

#define PRISM_READING "reading the model" /* the activity, for base_work_fail */

typedef struct prism_file {
    base_arena arena;
    base_intern names; /* identifiers, and labels without their quotes */
    opac_model_type type;
    bool has_type;   /* the file gives the type; otherwise it is MDP */
    base_work *work; /* borrowed; for cancellation of parsing and resolving; may be NULL */
    prism_constant_syntax_vec constants;
    prism_formula_syntax_vec formulas;
    prism_formula_syntax_vec labels;
    prism_variable_syntax_vec globals;
    prism_module_syntax_vec modules;
    prism_rewards_syntax_vec rewards;
    prism_expression initial; /* of init … endinit; empty if each variable has its initial value */
    prism_place initial_place;
    /* System … endsystem as a postfix program; NULL if the modules are composed by ||. */
    prism_system_node *system;
    uint32_t system_count;
    prism_place system_place;
} prism_file;

/* The characters of a name; not NUL-terminated. */
static inline const char *prism_name_text(const prism_file *file, uint32_t id, size_t *length)
{
    return (const char *)base_intern_key(&file->names, id, length);
}

/*
 * Parses a file. Reports all independent syntax errors; the tree is then valid but incomplete, so the caller
 * must check model_report_has_errors. Fails only if memory is exhausted, a limit is exceeded or the work (may
 * be NULL) is cancelled. The caller must call prism_file_fini in any case.
 */
opac_status prism_parse(const char *text, size_t length, base_work *work, model_report *report,
                        prism_file *file, opac_error *error);
void prism_file_fini(prism_file *file);

/* A part of a text, and its place in the text. */
typedef struct prism_slice {
    const char *text;
    size_t length;
    prism_place place;
} prism_slice;

/*
 * Parses definitions of constants, formulas and labels, which are scattered over a property file. `names` are
 * added to the name table of the file first, so that they keep their ids.
 */
opac_status prism_parse_definitions(const prism_slice *slices, size_t count,
                                    const base_intern *names, model_report *report,
                                    prism_file *file, opac_error *error);

/*
 * Parses a text that consists of one expression; `place` is its place in a larger text. Names are added to
 * the name table; nodes are allocated in the arena.
 */
opac_status prism_parse_expression(const char *text, size_t length, prism_place place,
                                   base_arena *arena, base_intern *names,
                                   prism_expression *expression, opac_error *error);

#endif
