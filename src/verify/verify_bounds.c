/* SPDX-License-Identifier: MIT */
/*
 * Checks that the values `upper` and `lower` of the nodes are inductive (docs/theory.md, Theorem 14). W is
 * the set of winning nodes, and q ranges over the probabilities within the intervals of a row.
 *
 * Lower. For each node with lower x > 0 outside of W and the choice of the policy, it checks
 *
 *     x <= min over q of Σ q(s') lower(s'),   and some successor has a smaller rank.
 *
 * Then the policy reaches W from the node with probability at least x. Proof: by the inequality, the
 * expected value of lower never decreases along a run. From every node with lower > 0 the ranks give a path
 * to rank 0, that is to W, so W is reached within a bounded number of steps with a probability bounded from
 * below; hence the run almost surely ends in W or in a node with lower 0. As lower is at most 1 in W, the
 * probability of W is at least x.
 *
 * Upper. For each node with upper u < 1 and each of its choices, all of whose rows are complete or open, it
 * checks
 *
 *     max over q of Σ q(s') upper(s') <= u.
 *
 * Then, under every policy, a node with upper 1 is reached with probability at most u, because the expected
 * value of upper never increases along a run. A run that never reaches one is accepted with probability 0
 * (verify_end_components.c). So no policy is accepted with probability above u.
 *
 * The greatest mean over q (docs/theory.md, Lemma 22): each successor gets its lower end, and the
 * remaining mass goes to the successors with the greatest values first. It is computed as v + Σ q (value
 * - v), where v is the least value. This is exact if all values are equal; otherwise a margin is added.
 * The least mean is computed in the same way.
 *
 * An open row of the reset has one more outcome, the unseen successors: value 1 for upper and 0 for lower,
 * with a probability between 0 and the unseen mass (intervals.c). No run returns to the reset.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

/* A successor: its value, the lower end of its probability, and the width of the interval. */
typedef struct part {
    double value, low, width;
} part;

static double value_of(const verify_certificate *c, uint32_t node, bool is_upper)
{
    if (node == VERIFY_UNIVERSAL || node == VERIFY_UNLISTED)
        return node == VERIFY_UNIVERSAL || is_upper ? 1 : 0;
    return is_upper ? c->node[node].upper : c->node[node].lower;
}

static int compare_values(const void *a, const void *b)
{
    double x = ((const part *)a)->value, y = ((const part *)b)->value;
    return (x > y) - (x < y);
}

/* The mean of sorted values, with the free mass given to the greatest or to the least values first. */
static double mean(const part *parts, uint32_t count, bool is_greatest)
{
    double base = parts[0].value, top = parts[count - 1].value, spread = top - base;
    double left = 1, sum = 0;
    if (!(spread > 0))
        return base;
    for (uint32_t k = 0; k < count; k++)
        left -= parts[k].low;
    for (uint32_t k = 0; k < count; k++) {
        const part *next = &parts[is_greatest ? count - 1 - k : k];
        double given = fmax(0, fmin(left, next->width));
        left -= given;
        sum += (next->low + given) * (next->value - base);
    }
    /* The masses and the sum have an error of at most 2 (count + 1) ulps of the spread; with very many
     * successors the low ends may sum to more than 1 by a similar amount (is_feasible). Products may
     * underflow. */
    double margin = 32 * ((double)count + 2) * (DBL_EPSILON * spread + DBL_TRUE_MIN);
    if (is_greatest)
        return fmin(top, nextafter(base + (sum + margin), 2));
    return fmax(base, nextafter(base + (sum - margin), -1));
}

/* The greatest (is_upper) or least expected value of a complete choice over the probabilities in the
 * intervals. `parts` is scratch memory. */
static double extreme_value(const verify_certificate *c, const verify_choice *choice, bool is_upper,
                            part *parts)
{
    for (uint32_t k = 0; k < choice->width; k++) {
        parts[k] = (part){.value = value_of(c, choice->to[k], is_upper), .low = 1};
        if (choice->branch != NULL) {
            parts[k].low = choice->branch[k].low;
            parts[k].width = choice->branch[k].high - choice->branch[k].low;
        }
    }
    uint32_t count = choice->width;
    if (choice->is_open)
        parts[count++] = (part){.value = is_upper ? 1 : 0, .width = choice->unseen};
    qsort(parts, count, sizeof *parts, compare_values);
    return mean(parts, count, is_upper);
}

static bool has_smaller_rank(const verify_certificate *c, const verify_node *node)
{
    const verify_choice *choice = &c->choices.items[node->chosen];
    for (uint32_t k = 0; k < choice->width; k++) {
        uint32_t to = choice->to[k];
        uint32_t rank = to == VERIFY_UNIVERSAL  ? 0
                        : to == VERIFY_UNLISTED ? VERIFY_NONE
                                                : c->node[to].rank;
        if (rank < node->rank)
            return true;
    }
    return false;
}

static void check_lower(verify_certificate *c, uint32_t i, part *parts)
{
    const verify_node *node = &c->node[i];
    if (!(node->lower <= extreme_value(c, &c->choices.items[node->chosen], false, parts)))
        verify_refuse(c, "nodes", i, "lower exceeds the least expected value of its choice");
    if (!has_smaller_rank(c, node))
        verify_refuse(c, "nodes", i, "no successor has a smaller rank");
}

static void check_upper(verify_certificate *c, uint32_t i, part *parts)
{
    const verify_node *node = &c->node[i];
    for (uint32_t k = node->first; k < node->first + node->count; k++)
        if (!(extreme_value(c, &c->choices.items[k], true, parts) <= node->upper))
            verify_refuse(c, "nodes", i,
                          "upper is below the greatest expected value of one of its choices");
}

void verify_bounds(verify_certificate *c)
{
    uint32_t widest = 1;
    for (uint32_t i = 0; i < c->row_count; i++)
        widest = c->row[i].width > widest ? c->row[i].width : widest;
    part *parts = verify_alloc(c, (size_t)widest + 1, sizeof *parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].lower > 0 && !c->node[i].wins)
            check_lower(c, i, parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].upper < 1)
            check_upper(c, i, parts);
}
