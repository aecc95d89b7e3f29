/* SPDX-License-Identifier: MIT */
/*
 * Bottom components of the Markov chain of the policy's choices, and whether they are accepted.
 *
 * A run that stays in a bottom strongly connected component takes each of its choices infinitely often, so it
 * is accepted if and only if the marks of these choices together satisfy the condition and one of them reads a
 * letter. A component with a choice that leads out of it, to a universal memory, or to nothing that was seen
 * is not a bottom component.
 */
#include "verify/verify.h"

/* By component. */
typedef struct part {
    uint64_t marks;
    bool is_left; /* an edge leads out of it */
} part;

static void gather(const verify_certificate *c, uint32_t i, const uint32_t *component, part *parts)
{
    const verify_choice *choice = &c->choices.items[c->node[i].chosen];
    part *own = &parts[component[i]];
    own->marks |= choice->marks;
    own->is_left = own->is_left || choice->width == 0;
    for (uint32_t k = 0; k < choice->width; k++)
        own->is_left = own->is_left || choice->to[k] >= c->node_count ||
                       component[choice->to[k]] != component[i];
}

static verify_end end_of(const verify_certificate *c, const part *it)
{
    if (it->is_left)
        return VERIFY_END_NONE;
    if ((it->marks & VERIFY_READS) == 0)
        return VERIFY_END_SILENT;
    return verify_accepts(&c->automaton, it->marks) ? VERIFY_END_ACCEPTED : VERIFY_END_REJECTED;
}

void verify_chain(verify_certificate *c, const bool *inside, verify_end *ends)
{
    bool *alive = verify_alloc(c, c->choices.count, sizeof *alive);
    uint32_t *component = verify_alloc(c, c->node_count, sizeof *component);
    part *parts = verify_alloc(c, c->node_count, sizeof *parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (inside[i])
            alive[c->node[i].chosen] = true;
    if (verify_is_ok(c))
        verify_components(c, alive, component);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (inside[i])
            gather(c, i, component, parts);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (inside[i])
            ends[i] = end_of(c, &parts[component[i]]);
}
