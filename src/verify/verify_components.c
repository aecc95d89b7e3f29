/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected components of the listed nodes (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972), with an explicit stack, because the graph of a certificate may be deep. Linear.
 */
#include "verify/verify.h"

/* By node. */
typedef struct visit {
    uint32_t number,
        low; /* number in the order of the search, 0 if not visited; Tarjan's lowlink */
    uint32_t choice, next; /* the edge to follow next */
    uint32_t path,
        pending; /* two stacks in the same array: the path of the search, and nodes without a component */
} visit;

typedef struct search {
    const verify_certificate *c;
    const bool *alive;
    uint32_t *component;
    visit *visits;
    uint32_t path, pending, visited,
        components; /* the sizes of both stacks, the numbers of visited nodes and of components */
} search;

static void enter(search *s, uint32_t node)
{
    visit *v = &s->visits[node];
    v->number = v->low = ++s->visited;
    v->choice = s->c->node[node].first;
    v->next = 0;
    s->visits[s->path++].path = node;
    s->visits[s->pending++].pending = node;
    s->component[node] = VERIFY_NONE;
}

/* The next listed successor of a node; VERIFY_NONE after the last. */
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

/* Leaves a node. If its lowlink is its own number, the pending nodes from it on are one component. */
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

static void search_from(search *s, uint32_t root)
{
    enter(s, root);
    while (s->path > 0) {
        uint32_t node = s->visits[s->path - 1].path, to = follow(s, node);
        if (to == VERIFY_NONE)
            leave(s, node);
        else if (s->visits[to].number == 0)
            enter(s, to);
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
            search_from(&s, node);
    base_free(s.visits);
}
