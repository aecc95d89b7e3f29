/* SPDX-License-Identifier: MIT */
/*
 * The maximal acceptance probability of a small product, by enumeration of all positional policies: the
 * condition determines which BSCCs of the chain accept, Gauss-Jordan elimination gives the probabilities.
 */
#ifndef TESTS_PRODUCT_BEST_H
#define TESTS_PRODUCT_BEST_H

#include <math.h>

#include "scene.h"

enum {
    BEST_STATES = 24
};

typedef struct best {
    const product_process *product;
    const aut_condition *condition;
    uint32_t policy[BEST_STATES]; /* by state: the position of its choice */
    double matrix[BEST_STATES][BEST_STATES + 1];
    bool reach[BEST_STATES][BEST_STATES];
} best;

static inline uint32_t best_width(const best *b, uint32_t state)
{
    const uint32_t *begin = b->product->process.choice_begin + state;
    return begin[1] - begin[0];
}

/* The choice of the policy; a state without a choice is absorbing. */
static inline void best_chain(best *b)
{
    const graph_process *p = &b->product->process;
    memset(b->matrix, 0, sizeof b->matrix);
    memset(b->reach, 0, sizeof b->reach);
    for (uint32_t s = 0; s < p->state_count; s++) {
        uint32_t c = p->choice_begin[s] + b->policy[s];
        b->reach[s][s] = true;
        if (best_width(b, s) == 0)
            b->matrix[s][s] = 1;
        else
            for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++) {
                b->matrix[s][p->target[e]] += p->prob[e];
                b->reach[s][p->target[e]] = true;
            }
    }
    for (uint32_t k = 0; k < p->state_count; k++)
        for (uint32_t i = 0; i < p->state_count; i++)
            for (uint32_t j = 0; j < p->state_count; j++)
                b->reach[i][j] |= b->reach[i][k] && b->reach[k][j];
}

static inline bool best_is_bottom(const best *b, uint32_t s)
{
    for (uint32_t t = 0; t < b->product->process.state_count; t++)
        if (b->reach[s][t] && !b->reach[t][s])
            return false;
    return true;
}

static inline bool best_accepts(const best *b, uint32_t s)
{
    uint64_t marks = 0;
    for (uint32_t t = 0; t < b->product->process.state_count; t++) {
        if (!b->reach[s][t])
            continue;
        if (best_width(b, t) == 0)
            return false;
        marks |= b->product->marks[b->product->process.choice_begin[t] + b->policy[t]];
    }
    return aut_condition_holds(b->condition, marks);
}

/* Solves x = Px outside BSCCs by Gauss-Jordan elimination; the last column has the values. */
static inline void best_solve(best *b)
{
    uint32_t n = b->product->process.state_count;
    for (uint32_t s = 0; s < n; s++) {
        bool bottom = best_is_bottom(b, s);
        for (uint32_t t = 0; t < n; t++)
            b->matrix[s][t] = (s == t) - (bottom ? 0 : b->matrix[s][t]);
        b->matrix[s][n] = bottom && best_accepts(b, s);
    }
    for (uint32_t k = 0; k < n; k++) { /* the matrix is an M-matrix, so pivots are never 0 */
        for (uint32_t j = n + 1; j-- > k;)
            b->matrix[k][j] /= b->matrix[k][k];
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = n + 1; i != k && j-- > k;)
                b->matrix[i][j] -= b->matrix[i][k] * b->matrix[k][j];
    }
}

/* Goes to the next policy; false after the last one. */
static inline bool best_next(best *b)
{
    for (uint32_t s = 0; s < b->product->process.state_count; s++) {
        if (++b->policy[s] < best_width(b, s))
            return true;
        b->policy[s] = 0;
    }
    return false;
}

static inline bool best_is_small(const product_process *product, double most_policies)
{
    double policies = 1;
    const graph_process *p = &product->process;
    for (uint32_t s = 0; s < p->state_count; s++)
        policies *= fmax(1, p->choice_begin[s + 1] - p->choice_begin[s]);
    return p->state_count <= BEST_STATES && policies <= most_policies;
}

/* The maximal probability from the first state; 0 for an empty product. */
static inline double best_value(const product_process *product, const aut_condition *condition)
{
    double value = 0;
    if (product->process.state_count == 0)
        return 0;
    best b = {.product = product, .condition = condition};
    do {
        best_chain(&b);
        best_solve(&b);
        value = fmax(value, b.matrix[0][product->process.state_count]);
    } while (best_next(&b));
    return value;
}

#endif
