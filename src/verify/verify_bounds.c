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
 * value of upper never increases along a run. A run that never reaches one, nor an unseen successor, is accepted
 * with probability 0 (verify_end_components.c). So no policy is accepted with probability above u.
 *
 * Means are computed in verify_mean.c. An open row has one more outcome, the unseen successors: value 1 for upper
 * and 0 for lower, with a probability between 0 and the unseen mass (intervals.c). So u also bounds the
 * probability of ever having an unseen successor.
 */
#include "verify/verify.h"

static double value_of(const verify_certificate *c, uint32_t node, bool is_upper)
{
    if (node == VERIFY_UNIVERSAL || node == VERIFY_UNLISTED)
        return node == VERIFY_UNIVERSAL || is_upper ? 1 : 0;
    return is_upper ? c->node[node].upper : c->node[node].lower;
}

/* The greatest (is_upper) or least expected value of a complete choice over the probabilities in the
 * intervals. `parts` is scratch memory. */
static double extreme_value(const verify_certificate *c, const verify_choice *choice, bool is_upper,
                            verify_part *parts)
{
    for (uint32_t k = 0; k < choice->width; k++) {
        parts[k] = (verify_part){.value = value_of(c, choice->to[k], is_upper), .low = 1};
        if (choice->branch != NULL) {
            parts[k].low = choice->branch[k].low;
            parts[k].width = choice->branch[k].high - choice->branch[k].low;
        }
    }
    uint32_t count = choice->width;
    if (choice->is_open)
        parts[count++] = (verify_part){.value = is_upper ? 1 : 0, .width = choice->unseen};
    return verify_mean(parts, count, is_upper);
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

static void check_lower(verify_certificate *c, uint32_t i, verify_part *parts)
{
    const verify_node *node = &c->node[i];
    if (!(node->lower <= extreme_value(c, &c->choices.items[node->chosen], false, parts)))
        verify_refuse(c, "nodes", i, "lower exceeds the least expected value of its choice");
    if (!has_smaller_rank(c, node))
        verify_refuse(c, "nodes", i, "no successor has a smaller rank");
}

static void check_upper(verify_certificate *c, uint32_t i, verify_part *parts)
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
    verify_part *parts = verify_alloc(c, (size_t)widest + 1, sizeof *parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].lower > 0 && !c->node[i].wins)
            check_lower(c, i, parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].upper < 1)
            check_upper(c, i, parts);
}
