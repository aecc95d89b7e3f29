/* SPDX-License-Identifier: MIT */
/*
 * The values of the nodes bound probabilities.
 *
 * Lower. Let a run follow the policy from a node with lower x > 0. Where x > 0, outside W, the mean
 * of x over the next node is at least x, whatever the probabilities within the intervals are. So
 * its mean never falls. A successor has a smaller rank, one of that again, and so on down to rank 0,
 * that is W: so from everywhere W is reached within so many steps with a probability that is
 * bounded from below, and almost surely the run ends in W or where x is 0. As x is
 * at most 1 in W, W is reached with probability x at least.
 *
 * Upper. Let u be upper. Where u < 1, all actions are complete, and whichever is taken, the mean of
 * u over the next node is at most u. So whatever one does, a node with u = 1 is reached with
 * probability u at most. And runs that never reach one are not accepted: see verify_end_components.c.
 *
 * The greatest mean over the probabilities q in the intervals: each has its low end, and what is
 * left goes to the successors with the greatest values first. It is computed as
 * v + Σ q (value - v), where v is the least value: so it is exact if all values are the same, and
 * else a margin is added. The least mean likewise.
 *
 * A reset whose row is open has one more outcome, all that was not seen: worth 1 for upper, 0 for
 * lower, with a probability from 0 to the mass of it (intervals.c). No run comes back to it.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

/* A successor: its value, its low end, and how much more it may have. */
typedef struct part {
    double value, low, room;
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

/* The mean of sorted values, with what is free given to the last ones, or to the first ones. */
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
        double given = fmax(0, fmin(left, next->room));
        left -= given;
        sum += (next->low + given) * (next->value - base);
    }
    /* The masses and the sum are off by 2 (count + 1) ulps of the spread; and so may the low ends
     * sum to more than 1, by is_feasible, if there are very many. Products may underflow. */
    double margin = 32 * ((double)count + 2) * (DBL_EPSILON * spread + DBL_TRUE_MIN);
    if (is_greatest)
        return fmin(top, nextafter(base + (sum + margin), 2));
    return fmax(base, nextafter(base + (sum - margin), -1));
}

/* Over the probabilities that the intervals allow. The choice is complete; parts has room. */
static double worth(const verify_certificate *c, const verify_choice *choice, bool is_upper,
                    part *parts)
{
    for (uint32_t k = 0; k < choice->width; k++) {
        parts[k] = (part){.value = value_of(c, choice->to[k], is_upper), .low = 1};
        if (choice->branch != NULL) {
            parts[k].low = choice->branch[k].low;
            parts[k].room = choice->branch[k].high - choice->branch[k].low;
        }
    }
    uint32_t count = choice->width;
    if (choice->is_open)
        parts[count++] = (part){.value = is_upper ? 1 : 0, .room = choice->unseen};
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
    if (!(node->lower <= worth(c, &c->choices.items[node->chosen], false, parts)))
        verify_refuse(c, "nodes", i, "lower is more than its choice is worth");
    if (!has_smaller_rank(c, node))
        verify_refuse(c, "nodes", i, "no successor has a smaller rank");
}

static void check_upper(verify_certificate *c, uint32_t i, part *parts)
{
    const verify_node *node = &c->node[i];
    for (uint32_t k = node->first; k < node->first + node->count; k++)
        if (!(worth(c, &c->choices.items[k], true, parts) <= node->upper))
            verify_refuse(c, "nodes", i, "upper is less than one of its choices may be worth");
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
