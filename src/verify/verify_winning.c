/* SPDX-License-Identifier: MIT */
/*
 * Checks that the policy is accepted with probability 1 from the winning nodes.
 *
 * Checks: (1) all successors of the choice of a winning node win, and its row is complete; (2) in the
 * Markov chain of these choices, the marks of every bottom strongly connected component together satisfy
 * the acceptance condition, and one of its choices reads a letter.
 *
 * Why this suffices: by (1) a run from a winning node never leaves the winning nodes, for any transition
 * probabilities, because rows are complete. Almost surely it ends in a bottom component and takes each of
 * its choices infinitely often, so the marks seen infinitely often are all marks of the component, and by
 * (2) the run is accepted. A choice must read a letter because epsilon edges alone do not form a run on a
 * word. A component with an edge to a universal memory is not a bottom component; a run that takes it is
 * accepted. verify_chain.c finds the components.
 */
#include "verify/verify.h"

/* Winning nodes without a universal memory have a choice. */
static bool is_in_chain(const verify_node *node)
{
    return node->wins && node->chosen != VERIFY_NONE;
}

/* All successors of a winning node win. */
static void check_closed(verify_certificate *c, uint32_t i)
{
    const verify_choice *choice = &c->choices.items[c->node[i].chosen];
    if (choice->is_open)
        verify_refuse(c, "nodes", i, "wins, but the row of its choice may lead to an unseen state");
    for (uint32_t k = 0; k < choice->width; k++) {
        uint32_t to = choice->to[k];
        if (to != VERIFY_UNIVERSAL && (to == VERIFY_UNLISTED || !c->node[to].wins))
            verify_refuse(c, "nodes", i, "wins, but a successor does not");
    }
}

void verify_winning(verify_certificate *c)
{
    bool *inside = verify_alloc(c, c->node_count, sizeof *inside);
    verify_end *ends = verify_alloc(c, c->node_count, sizeof *ends);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        inside[i] = is_in_chain(&c->node[i]);
        if (inside[i])
            check_closed(c, i);
    }
    if (verify_is_ok(c))
        verify_chain(c, inside, ends);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        if (ends[i] == VERIFY_END_SILENT)
            verify_refuse(c, "nodes", i, "its component reads no letter");
        if (ends[i] == VERIFY_END_REJECTED)
            verify_refuse(c, "nodes", i, "the marks of its component do not satisfy the condition");
    }
}
