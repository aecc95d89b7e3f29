/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972)
 * of the listed nodes, with a stack of its own, as certificates may be deep. Linear.
 */
#include "verify/verify.h"

/* By node. */
typedef struct visit {
    uint32_t number, low;   /* number 0: not met yet */
    uint32_t choice, next;  /* the edge to follow next */
    uint32_t path, pending; /* not by node, but two stacks: nodes on the way, and nodes without a
                               component yet */
} visit;

typedef struct search {
    const verify_certificate *c;
    const bool *alive;
    uint32_t *component;
    visit *visits;
    uint32_t path, pending, met, components; /* how many there are of each */
} search;

static void meet(search *s, uint32_t node)
{
    visit *v = &s->visits[node];
    v->number = v->low = ++s->met;
    v->choice = s->c->node[node].first;
    v->next = 0;
    s->visits[s->path++].path = node;
    s->visits[s->pending++].pending = node;
    s->component[node] = VERIFY_NONE;
}

/* The next listed node that one leads to; VERIFY_NONE: that was all. */
static uint32_t follow(search *s, uint32_t node)
{
    visit *v = &s->visits[node];
    uint32_t end = s->c->node[node].first + s->c->node[node].count;
    for (; v->choice < end; v->choice++, v->next = 0) {
        const verify_choice *choice = &s->c->choices.items[v->choice];
        while (s->alive[v->choice] && v->next < choice->width) {
            uint32_t to = choice->to[v->next++];
            if (to < s->c->node_count)
                return to;
        }
    }
    return VERIFY_NONE;
}

/* If nothing led above the node, what is pending from it on is one component. */
static void leave(search *s, uint32_t node)
{
    uint32_t low = s->visits[node].low, member;
    s->path--;
    if (s->path > 0) {
        visit *above = &s->visits[s->visits[s->path - 1].path];
        above->low = low < above->low ? low : above->low;
    }
    if (low != s->visits[node].number)
        return;
    do {
        member = s->visits[--s->pending].pending;
        s->component[member] = s->components;
    } while (member != node);
    s->components++;
}

static void walk(search *s, uint32_t root)
{
    meet(s, root);
    while (s->path > 0) {
        uint32_t node = s->visits[s->path - 1].path, to = follow(s, node);
        if (to == VERIFY_NONE)
            leave(s, node);
        else if (s->visits[to].number == 0)
            meet(s, to);
        else if (s->component[to] == VERIFY_NONE && s->visits[to].number < s->visits[node].low)
            s->visits[node].low = s->visits[to].number;
    }
}

void verify_components(verify_certificate *c, const bool *alive, uint32_t *component)
{
    search s = {.c = c, .alive = alive, .component = component};
    s.visits = base_alloc_zeroed(c->node_count, sizeof *s.visits);
    if (s.visits == NULL && c->node_count > 0)
        c->status = base_fail_memory(c->error);
    for (uint32_t node = 0; node < c->node_count && verify_is_ok(c); node++)
        if (s.visits[node].number == 0)
            walk(&s, node);
    base_free(s.visits);
}
