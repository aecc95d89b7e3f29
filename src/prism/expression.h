/* SPDX-License-Identifier: MIT */
/*
 * Expressions of the PRISM language as postfix programs: the operands of a node come before it, and the root
 * is last. So every pass over an expression (renaming, type checking, folding, compiling) is a loop, and deep
 * nesting cannot overflow the stack.
 *
 *     x + 2 * y  <  max(z, 1)          x  2  y  *  +  z  1  max/2  <
 */
#ifndef PRISM_EXPRESSION_H
#define PRISM_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ratio.h"
#include "base/vec.h"

typedef struct prism_place {
    uint32_t line, column; /* from 1; columns count characters */
} prism_place;

typedef enum prism_type {
    PRISM_TYPE_UNKNOWN, /* before type checking, or after an error */
    PRISM_TYPE_BOOL,
    PRISM_TYPE_INT,
    PRISM_TYPE_REAL
} prism_type;

typedef enum prism_op {
    /* operands */
    PRISM_OP_BOOL,     /* integer: 0 or 1 */
    PRISM_OP_INT,      /* integer */
    PRISM_OP_REAL,     /* real, and exact */
    PRISM_OP_NAME,     /* name: a name that is not resolved yet */
    PRISM_OP_LABEL,    /* name: "a label" that is not resolved yet */
    PRISM_OP_VARIABLE, /* index: a variable of the program */
    /* one operand */
    PRISM_OP_NOT,
    PRISM_OP_NEGATE,
    PRISM_OP_FLOOR,
    PRISM_OP_CEIL,
    PRISM_OP_ROUND,
    /* two operands */
    PRISM_OP_AND,
    PRISM_OP_OR,
    PRISM_OP_IMPLIES,
    PRISM_OP_IFF,
    PRISM_OP_EQUAL,
    PRISM_OP_UNEQUAL,
    PRISM_OP_LESS,
    PRISM_OP_LESS_EQUAL,
    PRISM_OP_GREATER,
    PRISM_OP_GREATER_EQUAL,
    PRISM_OP_ADD,
    PRISM_OP_SUBTRACT,
    PRISM_OP_MULTIPLY,
    PRISM_OP_DIVIDE,
    PRISM_OP_POWER, /* pow(a, b) and a ^ b */
    PRISM_OP_MOD,
    PRISM_OP_LOG,
    /* three operands */
    PRISM_OP_CONDITIONAL, /* c ? a : b */
    /* arity operands, at least one */
    PRISM_OP_MIN,
    PRISM_OP_MAX,
    /*
     * name: a function, with arity operands, at least one. The parser produces this for every call, including
     * min(a, b), because renaming a module may replace the name of a function. After renaming, the resolver
     * replaces it by FLOOR, MIN, …
     */
    PRISM_OP_CALL
} prism_op;

typedef struct prism_node {
    uint8_t op;        /* prism_op */
    uint8_t type;      /* prism_type, of the result */
    uint32_t arity;    /* number of operands */
    prism_place place; /* of the operator, or of the first character of the operand */
    union {
        int64_t integer;
        double real;
        uint32_t name; /* in the file's table of names */
        uint32_t index;
    } value;
    base_ratio exact; /* PRISM_OP_REAL: the value as a fraction, if it fits */
    const struct prism_stored_number
        *stored; /* the value if it does not fit (number.h); else NULL */
} prism_node;

/* The nodes are borrowed, usually from an arena. A count of 0 means that there is no expression. */
typedef struct prism_expression {
    const prism_node *nodes;
    uint32_t count;
} prism_expression;

BASE_VEC(prism_node_vec, prism_node);

static inline const prism_node *prism_root(const prism_expression *expression)
{
    return &expression->nodes[expression->count - 1];
}

#endif
