/* SPDX-License-Identifier: MIT */
/*
 * The form of compiled expressions: instructions of one size, one behind the
 * other, with a stack for values and forward jumps for truth.
 *
 *     s=2 & x+1<y          unless s = 2 jump to no        variable with constant
 *                          push x; add 1; push y
 *                          unless less jump to no         the two on the stack
 *                          return 1
 *                     no:  return 0
 *
 * A Boolean is never computed where it can be jumped on, so that & | => ! and
 * ?: cost nothing of their own, and the comparisons that guards are made of
 * take one instruction. Jumps go forward only: every run ends.
 */
#ifndef PRISM_CODE_FORM_H
#define PRISM_CODE_FORM_H

#include "prism/code.h"

/* Six comparisons in the order of prism_op, from EQUAL to GREATER_EQUAL. */
#define CODE_COMPARISONS(family)                                                                   \
    family##_EQUAL, family##_UNEQUAL, family##_LESS, family##_LESS_EQUAL, family##_GREATER,        \
        family##_GREATER_EQUAL

typedef enum prism_instruction_op {
    CODE_RETURN,       /* the top of the stack */
    CODE_RETURN_VALUE, /* value.integer */
    CODE_JUMP,
    /* Jump when the comparison of two ints is true: of variables, constants, the stack. */
    CODE_COMPARISONS(CODE_IF_VARIABLE_CONSTANT),
    CODE_COMPARISONS(CODE_IF_VARIABLES),
    CODE_COMPARISONS(CODE_IF_TOP_CONSTANT), /* takes one off */
    CODE_COMPARISONS(CODE_IF_TOPS),         /* takes two off */
    CODE_COMPARISONS(CODE_IF_REALS),        /* takes two off; jumps when the outcome is `sense` */
    /* One more on the stack. */
    CODE_PUSH_INT,
    CODE_PUSH_REAL, /* and literal `other` */
    CODE_PUSH_VARIABLE,
    /* In the place of the top. */
    CODE_TO_REAL,
    CODE_NEGATE,
    CODE_ADD_CONSTANT,
    CODE_MIN_CONSTANT,
    CODE_MAX_CONSTANT,
    CODE_NEGATE_REAL,
    CODE_FLOOR, /* of a real, to an int */
    CODE_CEIL,
    CODE_ROUND,
    /* In the place of the two topmost. */
    CODE_ADD,
    CODE_SUBTRACT,
    CODE_MULTIPLY,
    CODE_POWER,
    CODE_MOD,
    CODE_MIN,
    CODE_MAX,
    CODE_ADD_REAL,
    CODE_SUBTRACT_REAL,
    CODE_MULTIPLY_REAL,
    CODE_DIVIDE_REAL,
    CODE_POWER_REAL,
    CODE_LOG_REAL,
    CODE_MIN_REAL,
    CODE_MAX_REAL
} prism_instruction_op;

typedef struct prism_instruction {
    uint16_t op;
    uint16_t sense;
    uint32_t variable;
    uint32_t target; /* of a jump */
    uint32_t other;  /* the second variable, or a literal */
    union {
        int64_t integer;
        double real;
    } value;
} prism_instruction;

typedef union prism_slot {
    int64_t integer;
    double real;
} prism_slot;

BASE_VEC(prism_instruction_vec, prism_instruction);
BASE_VEC(prism_place_vec, prism_place);
BASE_VEC(prism_ratio_vec, base_ratio);

typedef struct prism_entry {
    uint32_t begin;
    uint8_t type; /* prism_type */
} prism_entry;

BASE_VEC(prism_entry_vec, prism_entry);

struct prism_code {
    prism_instruction_vec instructions;
    prism_place_vec places;  /* of each instruction, for errors */
    prism_node_vec literals; /* real constants, with their exact values; borrowed numbers */
    prism_entry_vec entries; /* by handle */
    prism_slot *stack;       /* as deep as any expression needs */
    prism_number *numbers;   /* number_depth: reals, while a probability is computed */
    uint32_t depth, number_depth;
};

/* Appends the code of an expression; *depth is raised to what it needs. compile.c */
opac_status prism_compile(prism_code *code, const prism_expression *expressions, uint32_t count,
                          uint32_t *depth, opac_error *error);

#endif
