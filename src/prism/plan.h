/* SPDX-License-Identifier: MIT */
/*
 * A program made ready to run: what is the same in all states is computed
 * once, and what is left is masks, tables and code.
 *
 *     command    guard ► found through the index of its module (index.h)
 *                branches
 *     branch     keep, fixed: for each word of a row, the bits that stay and
 *                             those that are set in every state
 *                sets:        assignments that depend on the state
 *
 *     successor  (row & keep) | ready          ready: fixed, and the sets of this state
 *
 *     group      the commands of a module with an action; steps of the program
 *                are lists of groups
 *
 * Probabilities that are literals are weighed (checked, normalised) when the
 * command is first taken, not before: a mistake in a command that never is
 * taken is none.
 */
#ifndef PRISM_PLAN_H
#define PRISM_PLAN_H

#include "model/model.h"
#include "prism/code.h"
#include "prism/index.h"

typedef enum prism_set_kind {
    PRISM_SET_SUM, /* a variable and an offset */
    PRISM_SET_CODE
} prism_set_kind;

typedef struct prism_set {
    uint8_t kind;
    uint32_t source; /* the variable, or the entry in the code */
    int64_t offset;
    uint32_t variable; /* that is set */
    prism_place place;
} prism_set;

typedef struct prism_way { /* a branch */
    uint32_t set_begin, set_end;
    uint32_t entry;         /* of its probability; PRISM_NO_ENTRY: a literal */
    const prism_node *node; /* the literal; NULL: 1 */
    double literal;         /* the same, where it is in [0, 1] */
    uint8_t roundings;      /* of the double; 0: only the number is precise enough (number.h) */
    prism_place place;
} prism_way;

typedef struct prism_action { /* a command */
    uint32_t group;
    uint32_t way_begin, way_end;
    uint32_t live; /* how many ways have a probability in this state: plan->live from way_begin */
    uint64_t ready_at; /* the visit that live and ready are of, from 1 */
    bool is_constant;  /* the probabilities are literals */
    bool is_weighed;   /* and live is known once and for all */
    bool has_sets;
    bool has_low;                /* live_low is filled in */
    uint8_t error;               /* of a product with its probabilities, in units of 2^-53 */
    bool told_sum, told_overlap; /* warnings given */
    prism_place place;
} prism_action;

typedef struct prism_live {
    double probability; /* above 0 */
    uint32_t way;
} prism_live;

typedef struct prism_group {
    uint32_t module, action;
    uint32_t begin; /* of its part of plan->enabled */
    uint32_t size;  /* commands */
    uint32_t leads; /* the first step whose first part it is; PRISM_NO_ENTRY: none */
} prism_group;

typedef struct prism_step {
    uint32_t action; /* of the program, as seen outside */
    uint32_t part_begin, part_end;
    uint32_t next; /* with the same first part; PRISM_NO_ENTRY: none */
} prism_step;

BASE_VEC(prism_set_vec, prism_set);

typedef struct prism_plan {
    const prism_program *program; /* borrowed */
    const model_layout *layout;   /* borrowed */
    base_arena arena;             /* of what follows */
    prism_code *code;
    uint32_t words;
    bool exact;
    prism_action *actions; /* all commands, module by module */
    uint32_t action_count;
    prism_way *ways;
    prism_set_vec sets;
    uint64_t *keep, *ready; /* words a way */
    uint64_t *fixed;        /* likewise; ready without the sets */
    prism_live *live;       /* as many as ways */
    double *live_low; /* likewise: what the probabilities lack, in doubles of twice the length */
    base_ratio *live_exact; /* likewise; NULL unless exact */
    prism_group *groups;
    uint32_t group_count;
    prism_step *steps;
    uint32_t step_count;
    uint32_t *parts;         /* groups of the steps */
    prism_index *indices;    /* one a module */
    uint32_t *first_action;  /* one a module */
    uint32_t *enabled;       /* commands, group by group, in the state at hand */
    uint32_t *enabled_count; /* a group */
    uint32_t *active;        /* groups with enabled commands */
    uint32_t active_count;
    uint64_t *due;    /* a bit a step: its first part is active; 0 between states */
    uint32_t *labels; /* entries */
} prism_plan;

/* Compiles all. The plan is zero before; prism_plan_fini is due in any case. */
opac_status prism_plan_make(const prism_program *program, const model_layout *layout, bool exact,
                            prism_plan *plan, opac_error *error);
void prism_plan_fini(prism_plan *plan);

/* Of the masks, in bytes: keep, fixed and ready. */
static inline uint64_t prism_plan_memory(uint64_t ways, uint32_t words)
{
    return 3 * sizeof(uint64_t) * ways * words;
}

#endif
