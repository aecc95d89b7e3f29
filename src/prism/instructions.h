/* SPDX-License-Identifier: MIT */
/*
 * The representation of compiled expressions: an array of instructions of the same size for a stack machine.
 * Numbers are on the stack; Booleans are control flow, by jumps.
 *
 *     s=2 & x+1<y          unless s = 2 jump to no        variable with constant
 *                          push x; add 1; push y
 *                          unless less jump to no         compares the top two of the stack
 *                          return 1
 *                     no:  return 0
 *
 * A Boolean is put on the stack only if its value is an operand of something other than a Boolean operator.
 * So & | => ! and ?: need no instructions of their own, and the comparisons that guards consist of take one
 * instruction each. Jumps only go forward, so evaluation terminates.
 */
#ifndef PRISM_INSTRUCTIONS_H
#define PRISM_INSTRUCTIONS_H

#include "prism/code.h"

/* Six comparisons in the order of prism_op, from EQUAL to GREATER_EQUAL. */
#define CODE_COMPARISONS(family)                                                                   \
    family##_EQUAL, family##_UNEQUAL, family##_LESS, family##_LESS_EQUAL, family##_GREATER,        \
        family##_GREATER_EQUAL

typedef enum prism_instruction_op {
    CODE_RETURN,       /* returns the top of the stack */
    CODE_RETURN_VALUE, /* returns value.integer */
    CODE_JUMP,
    /* Jumps if the comparison of two ints is true: variables, constants or elements of the stack. */
    CODE_COMPARISONS(CODE_IF_VARIABLE_CONSTANT),
    CODE_COMPARISONS(CODE_IF_VARIABLES),
    CODE_COMPARISONS(CODE_IF_TOP_CONSTANT), /* pops one */
    CODE_COMPARISONS(CODE_IF_TOPS),         /* pops two */
    CODE_COMPARISONS(CODE_IF_REALS),        /* pops two; jumps if the result equals `sense` */
    /* Push one value. */
    CODE_PUSH_INT,
    CODE_PUSH_REAL, /* value.real, or literal `other` as a prism_number */
    CODE_PUSH_VARIABLE,
    /* Replace the top. */
    CODE_TO_REAL,
    CODE_NEGATE,
    CODE_ADD_CONSTANT,
    CODE_MIN_CONSTANT,
    CODE_MAX_CONSTANT,
    CODE_NEGATE_REAL,
    CODE_FLOOR, /* of a real, to an int */
    CODE_CEIL,
    CODE_ROUND,
    /* Replace the top two by one value. */
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
    uint32_t target; /* of a jump: an index of instructions */
    uint32_t other;  /* the second variable, or an index of literals */
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
    prism_node_vec literals; /* real constants; their stored numbers are borrowed */
    prism_entry_vec entries; /* indexed by handle */
    prism_slot *stack;       /* as deep as the deepest expression requires */
    prism_number *numbers;   /* stack of number_depth reals, for prism_code_number */
    uint32_t depth, number_depth;
};

/*
 * Appends the code of an expression, or of the conjunction of several ones; raises *depth to the stack depth
 * that it requires. Does not add an entry.
 */
opac_status prism_compile(prism_code *code, const prism_expression *expressions, uint32_t count,
                          uint32_t *depth, opac_error *error);

#endif
