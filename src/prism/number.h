/* SPDX-License-Identifier: MIT */
/*
 * The value of a probability: exact as long as it is a fraction that fits, otherwise an approximation with an
 * error bound.
 *
 *     RATIO          results of + - * / and integral powers on decimals, in 64 bits
 *     BIG            the same in up to 2304 bits
 *     APPROXIMATE    roots, logarithms and values that do not fit: value ± error; also ±infinity
 *     UNDEFINED      0/0, the root of a negative number
 *
 * Constant folding and compiled code use the same functions, so that their results agree.
 */
#ifndef PRISM_NUMBER_H
#define PRISM_NUMBER_H

#include "base/arena.h"
#include "base/big_ratio.h"
#include "prism/expression.h"

typedef enum prism_number_kind {
    PRISM_NUMBER_UNDEFINED,
    PRISM_NUMBER_RATIO,
    PRISM_NUMBER_BIG,
    PRISM_NUMBER_APPROXIMATE
} prism_number_kind;

typedef struct prism_number {
    prism_number_kind kind;
    base_ratio ratio;         /* known if and only if kind is RATIO */
    long double value, error; /* of APPROXIMATE */
    base_big big;             /* of BIG; it does not fit into a ratio */
} prism_number;

enum {
    /* The sign of a number or of a difference, if the error is too large to decide it. */
    PRISM_UNDECIDED = 2
};

void prism_number_of_ratio(base_ratio ratio, prism_number *result);
/* The number that a text denotes: a decimal, or a fraction of two integers; `value` is its double. */
void prism_number_of_text(const char *text, size_t length, double value, prism_number *result);

/* Applies ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, LOG, MIN or MAX. The result may be one of the operands. */
void prism_number_apply(prism_op op, const prism_number *a, const prism_number *b,
                        prism_number *result);
/* Applies FLOOR, CEIL or ROUND. Returns NULL, or why there is no result. */
const char *prism_number_round(prism_op op, const prism_number *a, int64_t *result);

/* -1, 0, 1 or PRISM_UNDECIDED. */
int prism_number_sign(const prism_number *a);
int prism_number_compare(const prism_number *a, const prism_number *b);

void prism_number_copy(const prism_number *from, prism_number *to);

/*
 * Splits the number into the nearest double and the rest, as a double-double high + low with a relative error
 * of at most 2^-56. False if the error may be larger, or if there is no finite number.
 */
bool prism_number_split(const prism_number *a, double *high, double *low);
/* The same without `low`. */
bool prism_number_to_double(const prism_number *a, double *value);

void prism_number_of_literal(const prism_node *literal, prism_number *result);
/*
 * Sets the exact value of a real literal. A number that does not fit into its ratio is stored in the arena.
 * False if memory is exhausted.
 */
bool prism_literal_set_number(prism_node *literal, const prism_number *number, base_arena *arena);
/* Copies the stored number of a literal, if there is one, into the arena. False if memory is exhausted. */
bool prism_literal_copy_number(prism_node *literal, base_arena *arena);

#endif
