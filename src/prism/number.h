/* SPDX-License-Identifier: MIT */
/*
 * The value of a probability: exact as long as it is a fraction that fits, and
 * otherwise an approximation with a bound on its error.
 *
 *     RATIO        + - * / and whole powers of decimals, in 64 bits
 *     WIDE         the same in up to 2304 bits
 *     NEAR         roots, logarithms, and what does not fit: value ± error; ±infinity
 *     UNDEFINED    0/0, the root of a negative number
 *
 * Constants and expressions over variables use the same functions, so that they have the same value.
 */
#ifndef PRISM_NUMBER_H
#define PRISM_NUMBER_H

#include "base/arena.h"
#include "base/big_ratio.h"
#include "prism/expression.h"

typedef enum prism_number_kind {
    PRISM_NUMBER_UNDEFINED,
    PRISM_NUMBER_RATIO,
    PRISM_NUMBER_WIDE,
    PRISM_NUMBER_NEAR
} prism_number_kind;

typedef struct prism_number {
    prism_number_kind kind;
    base_ratio ratio;         /* known if and only if kind is RATIO */
    long double value, error; /* NEAR */
    base_big wide;            /* WIDE; it does not fit into a ratio */
} prism_number;

enum {
    PRISM_UNDECIDED =
        2 /* the sign of a number, or of a difference, that is not known well enough */
};

void prism_number_of_ratio(base_ratio ratio, prism_number *result);
/* A decimal, or a fraction of two; `value` is its double. */
void prism_number_of_text(const char *text, size_t length, double value, prism_number *result);

/* ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, LOG, MIN or MAX. The result may be an operand. */
void prism_number_join(prism_op op, const prism_number *a, const prism_number *b,
                       prism_number *result);
/* FLOOR, CEIL or ROUND; NULL, or why there is no result. */
const char *prism_number_round(prism_op op, const prism_number *a, int64_t *result);

/* -1, 0, 1 or PRISM_UNDECIDED. */
int prism_number_sign(const prism_number *a);
int prism_number_compare(const prism_number *a, const prism_number *b);

void prism_number_copy(const prism_number *from, prism_number *to);

/*
 * The double next to it, and what it lacks; together they have a relative error of at most 2^-56. False
 * if the error may be larger, or there is no such number.
 */
bool prism_number_to_double(const prism_number *a, double *value); /* the double alone */
bool prism_number_split(const prism_number *a, double *high, double *low);

void prism_number_of_literal(const prism_node *literal, prism_number *result);
/* The value of a real literal; what its ratio does not hold goes into the arena. False when out of memory. */
bool prism_literal_set(prism_node *literal, const prism_number *number, base_arena *arena);
/* Copies what is in another arena. False likewise. */
bool prism_literal_move(prism_node *literal, base_arena *arena);

#endif
