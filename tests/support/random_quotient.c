/* SPDX-License-Identifier: MIT */
#include "support/random_quotient.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

typedef int64_t row[RANDOM_NODES + 1];

static void make_choice(random_quotient *q, uint64_t *random, uint32_t node, random_choice *c)
{
    *c = (random_choice){.parts = 1};
    uint32_t down = random_below(random, node + 2); /* the way to a lower rank */
    if (down < node)
        c->to[down]++;
    else if (down == node)
        c->gain++;
    else
        c->loss++;
    for (uint32_t more = random_below(random, 9); more > 0; more--, c->parts++) {
        uint32_t to = random_below(random, q->nodes + 2);
        if (to < q->nodes)
            c->to[to]++;
        else if (to == q->nodes)
            c->gain++;
        else
            c->loss++;
    }
}

/* Solves D x = b by fraction-free elimination; x[i] = a[i][n] / det. D is not singular. */
static int64_t eliminate(row *a, uint32_t n)
{
    int64_t previous = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        while (a[pivot][k] == 0)
            pivot++;
        for (uint32_t j = 0; j <= n && pivot != k; j++) {
            int64_t swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j <= n && i != k; j++)
                if (j != k)
                    a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / previous;
        for (uint32_t i = 0; i < n; i++)
            if (i != k)
                a[i][k] = 0;
        previous = a[k][k];
    }
    return previous;
}

void random_quotient_solve(const random_quotient *q, const uint32_t *policy, int64_t *numerator,
                           int64_t *denominator)
{
    row a[RANDOM_NODES];
    for (uint32_t i = 0; i < q->nodes; i++) {
        const random_choice *c = &q->choice[i][policy[i]];
        for (uint32_t j = 0; j < q->nodes; j++)
            a[i][j] = (i == j ? c->parts : 0) - c->to[j];
        a[i][q->nodes] = c->gain;
    }
    int64_t determinant = eliminate(a, q->nodes);
    for (uint32_t i = 0; i < q->nodes; i++) {
        numerator[i] = determinant < 0 ? -a[i][q->nodes] : a[i][q->nodes];
        denominator[i] = determinant < 0 ? -determinant : determinant;
    }
}

static bool next_policy(const random_quotient *q, uint32_t *policy)
{
    for (uint32_t i = 0; i < q->nodes; i++) {
        if (++policy[i] < q->choices[i])
            return true;
        policy[i] = 0;
    }
    return false;
}

/* Some policy is optimal in all nodes, so the best value of each node is the solution. */
static void solve(random_quotient *q)
{
    uint32_t policy[RANDOM_NODES] = {0};
    int64_t numerator[RANDOM_NODES], denominator[RANDOM_NODES];
    random_quotient_solve(q, policy, q->numerator, q->denominator);
    while (next_policy(q, policy)) {
        random_quotient_solve(q, policy, numerator, denominator);
        for (uint32_t i = 0; i < q->nodes; i++) {
            int64_t left = numerator[i] * q->denominator[i];
            int64_t right = q->numerator[i] * denominator[i];
            if (q->complement ? left < right : left > right) {
                q->numerator[i] = numerator[i];
                q->denominator[i] = denominator[i];
            }
        }
    }
}

void random_quotient_make(uint64_t *random, bool complement, random_quotient *q)
{
    *q = (random_quotient){.nodes = 1 + random_below(random, RANDOM_NODES),
                           .complement = complement};
    for (uint32_t i = 0; i < q->nodes; i++) {
        maker_node(&q->maker);
        q->choices[i] = 1 + random_below(random, RANDOM_CHOICES);
        for (uint32_t k = 0; k < q->choices[i]; k++) {
            random_choice *c = &q->choice[i][k];
            make_choice(q, random, i, c);
            double parts = (double)c->parts;
            maker_choice(&q->maker, (double)c->gain / parts, (double)c->loss / parts);
            for (uint32_t j = 0; j < q->nodes; j++)
                if (c->to[j] > 0)
                    maker_edge(&q->maker, j, (double)c->to[j] / parts);
        }
    }
    maker_finish(&q->maker, complement);
    solve(q);
}

void random_quotient_fini(random_quotient *q)
{
    maker_fini(&q->maker);
}

int random_quotient_compare(int64_t numerator, int64_t denominator, double number)
{
    int exponent;
    uint64_t wanted = (uint64_t)ldexp(frexp(number, &exponent), 53), quotient = 0;
    uint64_t rest = (uint64_t)numerator, by = (uint64_t)denominator;
    if (rest >= by) {
        quotient = 1;
        rest -= by;
    }
    for (int bits = 53 - exponent; bits > 0; bits--) {
        quotient = 2 * quotient + (2 * rest >= by);
        rest = 2 * rest >= by ? 2 * rest - by : 2 * rest;
        if (quotient > wanted)
            return 1;
    }
    if (quotient != wanted)
        return quotient < wanted ? -1 : 1;
    return rest > 0 ? 1 : 0;
}
