/* SPDX-License-Identifier: MIT */
/*
 * The nodes where the policy wins with probability 1.
 *
 * Under the choices of the winning nodes a run never leaves them, for the rows are complete and all
 * their successors win: that much depends on the graph alone. Almost surely it ends in a bottom
 * component of the chain, and there takes each choice again and again, so that the marks it sees
 * for ever are those of the component, all together. They are to satisfy the condition;
 * and one choice is to read a letter, since epsilon moves alone are no run.
 * (A component with a way to a universal memory is not bottom: there the run is accepted.)
 */
#include "verify/verify.h"

/* By component. */
typedef struct part {
    uint64_t marks;
    bool is_left; /* something leads out of it */
} part;

/* A winning node that is no universal one has a choice. */
static bool is_in_chain(const verify_node *node)
{
    return node->wins && node->chosen != VERIFY_NONE;
}

/* All successors of a winning node win. */
static void check_closed(verify_certificate *c, uint32_t i)
{
    const verify_choice *choice = &c->choices.items[c->node[i].chosen];
    if (choice->is_open)
        verify_refuse(c, "nodes", i, "wins, but its reset may lead to what was not seen");
    for (uint32_t k = 0; k < choice->width; k++) {
        uint32_t to = choice->to[k];
        if (to != VERIFY_UNIVERSAL && (to == VERIFY_UNLISTED || !c->node[to].wins))
            verify_refuse(c, "nodes", i, "wins, but a successor does not");
    }
}

static void gather(const verify_certificate *c, uint32_t i, const uint32_t *component, part *parts)
{
    const verify_choice *choice = &c->choices.items[c->node[i].chosen];
    part *own = &parts[component[i]];
    own->marks |= choice->marks;
    for (uint32_t k = 0; k < choice->width; k++)
        own->is_left = own->is_left || choice->to[k] == VERIFY_UNIVERSAL ||
                       component[choice->to[k]] != component[i];
}

void verify_winning(verify_certificate *c)
{
    bool *alive = verify_alloc(c, c->choices.count, sizeof *alive);
    uint32_t *component = verify_alloc(c, c->node_count, sizeof *component);
    part *parts = verify_alloc(c, c->node_count, sizeof *parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (is_in_chain(&c->node[i])) {
            check_closed(c, i);
            alive[c->node[i].chosen] = true;
        }
    if (verify_is_ok(c))
        verify_components(c, alive, component);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (is_in_chain(&c->node[i]))
            gather(c, i, component, parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        if (!is_in_chain(&c->node[i]) || parts[component[i]].is_left)
            continue;
        if ((parts[component[i]].marks & VERIFY_READS) == 0)
            verify_refuse(c, "nodes", i, "its component reads no letter");
        if (!verify_accepts(&c->automaton, parts[component[i]].marks))
            verify_refuse(c, "nodes", i, "the marks of its component do not satisfy the condition");
    }
}
