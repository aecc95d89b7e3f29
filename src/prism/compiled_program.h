/* SPDX-License-Identifier: MIT */
/*
 * A program compiled for exploration. What is the same in all states is computed once; the rest is masks,
 * tables and instructions.
 *
 *     command    its guard is in the guard tree of its module (guard_tree.h)
 *                branches
 *     branch     keep_mask, constant_bits: for each word of a row, the bits that the branch leaves as they
 *                                          are, and the bits that it sets in every state
 *                assignments:              those whose value depends on the state
 *
 *     successor  (row & keep_mask) | successor_bits
 *                successor_bits: constant_bits, and the results of the assignments in the current state
 *
 *     group      the commands of a module with the same action; a step of the program is a list of groups
 *
 * Probabilities that are literals are checked and normalised when the command is first used, not before, so
 * that an error in a command that is never used is not reported.
 */
#ifndef PRISM_COMPILED_PROGRAM_H
#define PRISM_COMPILED_PROGRAM_H

#include "model/model.h"
#include "prism/code.h"
#include "prism/guard_tree.h"

typedef enum prism_assignment_kind {
    PRISM_ASSIGN_OFFSET, /* a variable plus a constant */
    PRISM_ASSIGN_CODE
} prism_assignment_kind;

typedef struct prism_compiled_assignment {
    uint8_t kind;
    uint32_t source; /* the variable, or the entry in the code */
    int64_t offset;
    uint32_t variable; /* the variable that is assigned to */
    prism_place place;
} prism_compiled_assignment;

typedef struct prism_compiled_branch {
    uint32_t assignment_begin, assignment_end;
    uint32_t entry;         /* code of the probability; PRISM_NO_ENTRY if it is a literal */
    const prism_node *node; /* the literal; NULL if the probability is omitted, which means 1 */
    double literal;         /* its value; set only if it is in [0, 1] */
    /* Bound on the relative error of the double in units of 2^-53; 0 if only a prism_number is precise. */
    uint8_t rounding_error;
    prism_place place;
} prism_compiled_branch;

typedef struct prism_compiled_command {
    uint32_t group; /* PRISM_NO_ENTRY if no step uses it */
    uint32_t branch_begin, branch_end;
    /* Number of branches in compiled->positive, from branch_begin on, in the current state. */
    uint32_t positive_count;
    /* The visit for which the probabilities and successor_bits were computed, from 1. */
    uint64_t updated_at;
    bool is_constant;  /* all probabilities are literals */
    bool is_evaluated; /* is_constant, and the probabilities have been computed */
    bool has_assignments;
    bool has_positive_low; /* positive_low is set */
    /* The relative error that a factor adds to a product of probabilities, in units of 2^-53. */
    uint8_t rounding_error;
    bool reported_sum, reported_overlap; /* warnings that were given */
    prism_place place;
} prism_compiled_command;

/* A branch with a positive probability in the current state. */
typedef struct prism_positive_branch {
    double probability;
    uint32_t branch;
} prism_positive_branch;

typedef struct prism_group {
    uint32_t module, action;
    uint32_t begin; /* of its part of compiled->enabled */
    uint32_t size;  /* number of commands */
    /* Head of the list of steps whose first part is this group, or PRISM_NO_ENTRY. */
    uint32_t first_step;
} prism_group;

typedef struct prism_step {
    uint32_t action; /* of the program, after hiding and renaming */
    uint32_t part_begin, part_end;
    uint32_t next; /* the next step with the same first part, or PRISM_NO_ENTRY */
} prism_step;

BASE_VEC(prism_compiled_assignment_vec, prism_compiled_assignment);

typedef struct prism_compiled_program {
    const prism_program *program; /* borrowed */
    const model_layout *layout;   /* borrowed */
    base_arena arena;             /* owns the arrays below */
    prism_code *code;
    uint32_t words;
    bool exact;
    prism_compiled_command *commands; /* of all modules, module by module */
    uint32_t command_count;
    prism_compiled_branch *branches;
    prism_compiled_assignment_vec assignments;
    uint64_t *keep_mask, *constant_bits, *successor_bits; /* `words` words for each branch */
    prism_positive_branch *positive;                      /* as many as branches */
    /* Low parts of the probabilities, as double-doubles; as many as branches. */
    double *positive_low;
    base_ratio *positive_exact; /* as many as branches if exact, else empty */
    prism_group *groups;
    uint32_t group_count;
    prism_step *steps;
    uint32_t step_count;
    uint32_t *parts;               /* groups of the steps */
    prism_guard_tree *guard_trees; /* one for each module */
    uint32_t *first_command;       /* of each module */
    uint32_t *enabled;             /* commands enabled in the current state, group by group */
    uint32_t *enabled_count;       /* of each group */
    uint32_t *active;              /* groups with enabled commands */
    uint32_t active_count;
    uint64_t *candidate_steps; /* bit i: the first part of step i is active; all 0 between states */
    uint32_t *labels;          /* code entries */
} prism_compiled_program;

/*
 * Compiles a program. *compiled need not be initialised. The caller must call prism_compiled_program_fini
 * also on failure.
 */
opac_status prism_compile_program(const prism_program *program, const model_layout *layout,
                                  bool exact, prism_compiled_program *compiled, opac_error *error);
void prism_compiled_program_fini(prism_compiled_program *compiled);

/* Memory of keep_mask, constant_bits and successor_bits, in bytes. */
static inline uint64_t prism_mask_memory(uint64_t branches, uint32_t words)
{
    return 3 * sizeof(uint64_t) * branches * words;
}

#endif
