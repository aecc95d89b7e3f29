/* SPDX-License-Identifier: MIT */
/*
 * A run that stays where upper is below 1 is accepted with probability 0, whatever the policy.
 *
 * Without this any value would do for a loop: nothing flows out of it, so it is inductive. A run
 * that stays for ever among these nodes almost surely ends in an end component (de Alfaro 1997):
 * nodes and choices, closed and strongly connected, all of which it sees infinitely often. All rows
 * are complete, so that the components are those of the graph. It is accepted if some clause of the
 * condition has no Fin among the marks, and all its Infs. So for each clause, with the choices that
 * have a mark of its Fins removed, no maximal end component may have all its Infs (and one choice
 * that reads a letter): smaller components have less.
 *
 * Maximal end components: remove choices that lead out of their strongly connected component, or to
 * a node without choices, until none is left. Quadratic at worst, nearly always a few rounds.
 */
#include <string.h>

#include "verify/verify.h"

/* A choice that leads to a node; the next one of these, from 1 on. */
typedef struct way {
    uint32_t choice, next;
} way;

typedef struct outside {
    verify_certificate *c;
    uint32_t *owner;     /* by choice: its node */
    bool *stays, *alive; /* by choice */
    uint32_t *left;      /* by node: choices that are alive */
    uint32_t *way_to;    /* by node: the first way, from 1 on; 0: none */
    way *ways;
    uint32_t *emptied, emptied_count; /* nodes that have lost their last choice */
    uint32_t *component;
    uint64_t *seen; /* by component: the marks of its choices */
} outside;

/* Where upper is below 1, and all that follows as well: others cannot be part of what stays. */
static bool stays(const verify_certificate *c, uint32_t node, const verify_choice *choice)
{
    bool does = c->node[node].upper < 1;
    for (uint32_t k = 0; k < choice->width && does; k++)
        does = choice->to[k] < c->node_count && c->node[choice->to[k]].upper < 1;
    return does;
}

static void init(outside *o)
{
    verify_certificate *c = o->c;
    size_t choices = c->choices.count, nodes = c->node_count, count = 1;
    for (size_t k = 0; k < choices; k++)
        count += c->choices.items[k].width;
    if (count >= VERIFY_NONE)
        verify_refuse(c, "nodes", VERIFY_NONE, "too many edges");
    o->owner = verify_alloc(c, choices, sizeof *o->owner);
    o->stays = verify_alloc(c, choices, sizeof *o->stays);
    o->alive = verify_alloc(c, choices, sizeof *o->alive);
    o->ways = verify_alloc(c, count, sizeof *o->ways);
    o->left = verify_alloc(c, nodes, sizeof *o->left);
    o->way_to = verify_alloc(c, nodes, sizeof *o->way_to);
    o->emptied = verify_alloc(c, nodes, sizeof *o->emptied);
    o->component = verify_alloc(c, nodes, sizeof *o->component);
    o->seen = verify_alloc(c, nodes, sizeof *o->seen);
}

static void draw(outside *o)
{
    const verify_certificate *c = o->c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->node_count; i++)
        for (uint32_t k = c->node[i].first; k < c->node[i].first + c->node[i].count; k++) {
            const verify_choice *choice = &c->choices.items[k];
            o->owner[k] = i;
            o->stays[k] = stays(c, i, choice);
            for (uint32_t j = 0; j < choice->width && o->stays[k]; j++) {
                o->ways[++count] = (way){k, o->way_to[choice->to[j]]};
                o->way_to[choice->to[j]] = count;
            }
        }
}

/* ---- maximal end components ---- */

static void drop(outside *o, uint32_t choice)
{
    if (!o->alive[choice])
        return;
    o->alive[choice] = false;
    if (--o->left[o->owner[choice]] == 0)
        o->emptied[o->emptied_count++] = o->owner[choice];
}

/* Choices that lead to nodes without any are dropped. A node is emptied once. */
static void settle(outside *o)
{
    while (o->emptied_count > 0)
        for (uint32_t w = o->way_to[o->emptied[--o->emptied_count]]; w != 0; w = o->ways[w].next)
            drop(o, o->ways[w].choice);
}

/* All choices without one of these marks. */
static void start(outside *o, uint64_t without)
{
    const verify_certificate *c = o->c;
    memset(o->left, 0, c->node_count * sizeof *o->left);
    for (uint32_t k = 0; k < c->choices.count; k++) {
        o->alive[k] = o->stays[k] && (c->choices.items[k].marks & without) == 0;
        o->left[o->owner[k]] += o->alive[k];
    }
    for (uint32_t i = 0; i < c->node_count; i++)
        if (o->left[i] == 0)
            o->emptied[o->emptied_count++] = i;
    settle(o);
}

static bool is_inside(const outside *o, uint32_t choice)
{
    const verify_choice *it = &o->c->choices.items[choice];
    for (uint32_t k = 0; k < it->width; k++)
        if (o->component[it->to[k]] != o->component[o->owner[choice]])
            return false;
    return true;
}

static void shrink(outside *o)
{
    for (bool is_changed = true; is_changed && verify_is_ok(o->c);) {
        is_changed = false;
        verify_components(o->c, o->alive, o->component);
        for (uint32_t k = 0; k < o->c->choices.count && verify_is_ok(o->c); k++)
            if (o->alive[k] && !is_inside(o, k)) {
                is_changed = true;
                drop(o, k);
            }
        settle(o);
    }
}

static void judge(outside *o, uint64_t wanted)
{
    verify_certificate *c = o->c;
    memset(o->seen, 0, c->node_count * sizeof *o->seen);
    for (uint32_t k = 0; k < c->choices.count; k++)
        if (o->alive[k])
            o->seen[o->component[o->owner[k]]] |= c->choices.items[k].marks;
    for (uint32_t k = 0; k < c->choices.count; k++)
        if (o->alive[k] && (wanted & ~o->seen[o->component[o->owner[k]]]) == 0)
            verify_refuse(c, "nodes", o->owner[k],
                          "upper is below 1, but it lies in a component that can be accepted");
}

void verify_end_components(verify_certificate *c)
{
    outside o = {.c = c};
    init(&o);
    if (verify_is_ok(c))
        draw(&o);
    for (size_t i = 0; i < c->automaton.clauses && verify_is_ok(c); i++) {
        start(&o, c->automaton.clause[i].fin);
        shrink(&o);
        if (verify_is_ok(c))
            judge(&o, c->automaton.clause[i].inf | VERIFY_READS);
    }
}
