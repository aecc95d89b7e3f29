/* SPDX-License-Identifier: MIT */
/*
 * A PRISM file as it was written: what the parser makes and the resolver
 * reads. Names are numbers in the file's table of names; lists are arrays in
 * the file's arena. Nothing is resolved, and no type is known.
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
    uint32_t id; /* PRISM_NO_NAME: none */
    prism_place place;
} prism_name;

typedef struct prism_constant_syntax { /* const int N = 3; */
    prism_name name;
    prism_type type;        /* UNKNOWN: not written, so int */
    prism_expression value; /* none: left open */
} prism_constant_syntax;

typedef struct prism_formula_syntax { /* formula f = …; also label "f" = …; */
    prism_name name;
    prism_expression value;
} prism_formula_syntax;

typedef struct prism_variable_syntax { /* x : [low..high] init value; b : bool; */
    prism_name name;
    prism_type type;            /* BOOL or INT */
    prism_expression low, high; /* INT */
    prism_expression initial;   /* may be none */
} prism_variable_syntax;

typedef struct prism_assignment_syntax { /* (x' = value) */
    prism_name variable;
    prism_expression value;
} prism_assignment_syntax;

typedef struct prism_branch_syntax { /* probability : assignments */
    prism_expression probability;    /* none: 1 */
    prism_place place;
    prism_assignment_syntax *assignments; /* none for "true" */
    uint32_t assignment_count;
} prism_branch_syntax;

typedef struct prism_command_syntax { /* [action] guard -> branches; */
    prism_name action;                /* place is that of '['; id PRISM_NO_NAME for [] */
    prism_expression guard;
    prism_branch_syntax *branches;
    uint32_t branch_count;
} prism_command_syntax;

typedef struct prism_renaming { /* old = new */
    prism_name from, to;
} prism_renaming;

typedef struct prism_module_syntax {
    prism_name name;
    prism_name base; /* module name = base [renamings] endmodule; none: a body follows */
    prism_renaming *renamings;
    uint32_t renaming_count;
    prism_variable_syntax *variables;
    uint32_t variable_count;
    prism_command_syntax *commands;
    uint32_t command_count;
} prism_module_syntax;

typedef enum prism_system_op {
    PRISM_SYSTEM_MODULE,     /* name */
    PRISM_SYSTEM_PARALLEL,   /* two operands: || on all common actions */
    PRISM_SYSTEM_INTERLEAVE, /* ||| */
    PRISM_SYSTEM_ON,         /* |[a,b]| : actions */
    PRISM_SYSTEM_HIDE,       /* one operand: / {a,b} : actions */
    PRISM_SYSTEM_RENAME      /* one operand: {a<-b} : renamings, from a to b */
} prism_system_op;

/* Postfix, as expressions are. */
typedef struct prism_system_node {
    prism_system_op op;
    prism_name name; /* of the module; for others only the place */
    prism_name *actions;
    prism_renaming *renamings;
    uint32_t count; /* of actions or renamings */
} prism_system_node;

typedef struct prism_reward_syntax { /* [action] guard : value; or guard : value; */
    bool has_action;                 /* a transition reward; action may be none, for [] */
    prism_name action;
    prism_expression guard, value;
} prism_reward_syntax;

typedef struct prism_rewards_syntax {
    prism_name name; /* may be none */
    prism_place place;
    prism_reward_syntax *items;
    uint32_t item_count;
} prism_rewards_syntax;

BASE_VEC(prism_constant_syntax_vec, prism_constant_syntax);
BASE_VEC(prism_formula_syntax_vec, prism_formula_syntax);
BASE_VEC(prism_variable_syntax_vec, prism_variable_syntax);
BASE_VEC(prism_module_syntax_vec, prism_module_syntax);
BASE_VEC(prism_rewards_syntax_vec, prism_rewards_syntax);

#define PRISM_READING "reading the model" /* what is being done, for base_work_fail */

typedef struct prism_file {
    base_arena arena;
    base_intern names; /* identifiers, and labels without their quotes */
    opac_model_type type;
    bool has_type;   /* it was written; else type is MDP */
    base_work *work; /* borrowed; spent while it is parsed and resolved; NULL: never stopped */
    prism_constant_syntax_vec constants;
    prism_formula_syntax_vec formulas;
    prism_formula_syntax_vec labels;
    prism_variable_syntax_vec globals;
    prism_module_syntax_vec modules;
    prism_rewards_syntax_vec rewards;
    prism_expression initial; /* init … endinit; none: each variable's own */
    prism_place initial_place;
    prism_system_node *system; /* system … endsystem, postfix; NULL: modules in parallel */
    uint32_t system_count;
    prism_place system_place;
} prism_file;

/* The characters of a name, with a NUL behind them nowhere: use the length. */
static inline const char *prism_name_text(const prism_file *file, uint32_t id, size_t *length)
{
    return (const char *)base_intern_key(&file->names, id, length);
}

/*
 * Reads a whole file. Mistakes are noted in the report, as many as are
 * independent; the file is then still whole as a structure, but incomplete:
 * look at model_report_has_errors. Fails only for want of memory, beyond a
 * limit, or when the work is stopped, which may be NULL. In any case prism_file_fini is due.
 */
opac_status prism_parse(const char *text, size_t length, base_work *work, model_report *report,
                        prism_file *file, opac_error *error);
void prism_file_fini(prism_file *file);

/* A part of a text, and where it stands there. */
typedef struct prism_slice {
    const char *text;
    size_t length;
    prism_place place;
} prism_slice;

/*
 * The same for constants, formulas and labels alone, as a property file has
 * them here and there. These names come first in the file's table, with their ids.
 */
opac_status prism_parse_definitions(const prism_slice *slices, size_t count,
                                    const base_intern *names, model_report *report,
                                    prism_file *file, opac_error *error);

/*
 * Reads an expression that is all of a text, which stands at a place of some
 * larger one. Names go into the table, nodes into the arena.
 */
opac_status prism_parse_expression(const char *text, size_t length, prism_place place,
                                   base_arena *arena, base_intern *names,
                                   prism_expression *expression, opac_error *error);

#endif
