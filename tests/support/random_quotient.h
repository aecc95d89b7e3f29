/* SPDX-License-Identifier: MIT */
/*
 * Small random quotients with fractions as probabilities, and their exact solution: the best over all
 * policies, each solved by fraction-free elimination (Bareiss). They have no end component, because every
 * choice leads with positive probability out of the quotient or to a node of lower rank.
 */
#ifndef SUPPORT_RANDOM_QUOTIENT_H
#define SUPPORT_RANDOM_QUOTIENT_H

#include "support/quotient_maker.h"

enum {
    RANDOM_NODES = 6, /* at most */
    RANDOM_CHOICES = 3
};

/* A choice: `parts` is the common denominator of the probabilities of leaving and of each node. */
typedef struct random_choice {
    int64_t parts, gain, loss, to[RANDOM_NODES];
} random_choice;

typedef struct random_quotient {
    uint32_t nodes, choices[RANDOM_NODES];
    random_choice choice[RANDOM_NODES][RANDOM_CHOICES];
    bool complement;
    quotient_maker maker;
    int64_t numerator[RANDOM_NODES], denominator[RANDOM_NODES]; /* the solution */
} random_quotient;

/* complement: minimum instead of maximum. The result is finished and solved. */
void random_quotient_make(uint64_t *random, bool complement, random_quotient *quotient);
void random_quotient_fini(random_quotient *quotient);

/* The values of one policy, by node: its choice from 0. */
void random_quotient_solve(const random_quotient *quotient, const uint32_t *policy,
                           int64_t *numerator, int64_t *denominator);

/* Compares numerator/denominator, from 0 to 1, with a double above 0: -1, 0, 1. Exact. */
int random_quotient_compare(int64_t numerator, int64_t denominator, double number);

#endif
