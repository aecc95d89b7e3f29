/* SPDX-License-Identifier: MIT */
/*
 * Winning end components, and the check that a run which stays among nodes with upper < 1, and never has an unseen
 * successor, is accepted with probability 0, under every policy.
 *
 * Why it is needed: the inequality of verify_bounds.c holds for any value on a loop, so a certificate could
 * omit a winning end component and claim a small upper value for it.
 *
 * Why it suffices: a run that stays forever among these nodes almost surely ends in an end component
 * (de Alfaro 1997), a strongly connected set of nodes and choices that is never left, and takes all of its
 * choices infinitely often, with each of their successors. If it never has an unseen successor, all of these were
 * seen, so this is an end component of the rows as they are listed, open ones included (docs/theory.md, Theorem
 * 14). The run is accepted if and only if, for some clause of the condition, the component has
 * no mark of its Fins and every mark of its Infs. So an end component wins, for each clause, if after removing
 * the choices with a mark of its Fins it is contained in a maximal one that has all marks of its Infs and a
 * choice that reads a letter. Smaller components are contained in maximal ones and have fewer marks.
 *
 * Maximal end components are computed by removing choices that lead out of their strongly connected
 * component or to a node without choices, until nothing changes. Quadratic in the worst case, usually a
 * few rounds. This is repeated for each clause, of which a short condition may have very many, so there is a
 * limit on clauses times choices and successors.
 *
 * With a recurrence time, verify_recurrence.c uses the same search on all nodes, where the rows are what was
 * seen. A choice whose row was never tried has no successors; it is in no end component.
 */
#include <string.h>

#include "verify/verify.h"

/* Each clause takes some 5 ns for a choice, a successor or a node. */
static const double most_work = 4e9;

/* An incoming edge: its choice, and the index + 1 of the next edge to the same node. */
typedef struct in_edge {
    uint32_t choice, next;
} in_edge;

typedef struct search {
    verify_certificate *c;
    const bool *inside;  /* by node: end components consist of these */
    bool *wins;          /* by node: it is in a winning one */
    uint32_t *owner;     /* by choice: its node */
    bool *stays, *alive; /* by choice */
    uint32_t *left;      /* by node: number of choices that are alive */
    uint32_t *first_in;  /* by node: index + 1 of its first incoming edge; 0 if none */
    in_edge *in;
    uint32_t *emptied, emptied_count; /* nodes that have lost their last choice */
    uint32_t *component;
    uint64_t *seen; /* by component: the marks of its choices */
} search;

/* Whether the node and all successors of the choice are inside. Other choices leave these nodes. */
static bool stays(const search *o, uint32_t node, const verify_choice *choice)
{
    bool does = o->inside[node] && choice->width > 0;
    for (uint32_t k = 0; k < choice->width && does; k++)
        does = choice->to[k] < o->c->node_count && o->inside[choice->to[k]];
    return does;
}

static void check_work(verify_certificate *c)
{
    double size = (double)c->product_size + (double)c->node_count;
    if (size * (double)c->automaton.clauses > most_work)
        c->status = base_fail(
            c->error, OPAC_ERROR_LIMIT,
            "automaton: the condition has %zu clauses as a disjunction; with %.0f nodes, choices "
            "and successors this is beyond the limit of %.0f",
            c->automaton.clauses, size, most_work);
}

static void init(search *o)
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
    o->in = verify_alloc(c, count, sizeof *o->in);
    o->left = verify_alloc(c, nodes, sizeof *o->left);
    o->first_in = verify_alloc(c, nodes, sizeof *o->first_in);
    o->emptied = verify_alloc(c, nodes, sizeof *o->emptied);
    o->component = verify_alloc(c, nodes, sizeof *o->component);
    o->seen = verify_alloc(c, nodes, sizeof *o->seen);
}

static void build_in_edges(search *o)
{
    const verify_certificate *c = o->c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->node_count; i++)
        for (uint32_t k = c->node[i].first; k < c->node[i].first + c->node[i].count; k++) {
            const verify_choice *choice = &c->choices.items[k];
            o->owner[k] = i;
            o->stays[k] = stays(o, i, choice);
            for (uint32_t j = 0; j < choice->width && o->stays[k]; j++) {
                o->in[++count] = (in_edge){k, o->first_in[choice->to[j]]};
                o->first_in[choice->to[j]] = count;
            }
        }
}

/* ---- maximal end components ---- */

static void remove_choice(search *o, uint32_t choice)
{
    if (!o->alive[choice])
        return;
    o->alive[choice] = false;
    if (--o->left[o->owner[choice]] == 0)
        o->emptied[o->emptied_count++] = o->owner[choice];
}

/* Removes all choices that lead to nodes without choices. Each node is emptied once. */
static void remove_dead_choices(search *o)
{
    while (o->emptied_count > 0)
        for (uint32_t w = o->first_in[o->emptied[--o->emptied_count]]; w != 0; w = o->in[w].next)
            remove_choice(o, o->in[w].choice);
}

/* Starts with all choices that have none of these marks. */
static void begin_clause(search *o, uint64_t without)
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
    remove_dead_choices(o);
}

static bool is_inside(const search *o, uint32_t choice)
{
    const verify_choice *it = &o->c->choices.items[choice];
    for (uint32_t k = 0; k < it->width; k++)
        if (o->component[it->to[k]] != o->component[o->owner[choice]])
            return false;
    return true;
}

static void find_end_components(search *o)
{
    for (bool is_changed = true; is_changed && verify_is_ok(o->c);) {
        is_changed = false;
        verify_components(o->c, o->alive, o->component);
        for (uint32_t k = 0; k < o->c->choices.count && verify_is_ok(o->c); k++)
            if (o->alive[k] && !is_inside(o, k)) {
                is_changed = true;
                remove_choice(o, k);
            }
        remove_dead_choices(o);
    }
}

static void mark_winning(search *o, uint64_t required)
{
    verify_certificate *c = o->c;
    memset(o->seen, 0, c->node_count * sizeof *o->seen);
    for (uint32_t k = 0; k < c->choices.count; k++)
        if (o->alive[k])
            o->seen[o->component[o->owner[k]]] |= c->choices.items[k].marks;
    for (uint32_t k = 0; k < c->choices.count; k++)
        if (o->alive[k] && (required & ~o->seen[o->component[o->owner[k]]]) == 0)
            o->wins[o->owner[k]] = true;
}

void verify_find_winning(verify_certificate *c, const bool *inside, bool *wins)
{
    search o = {.c = c, .inside = inside, .wins = wins};
    check_work(c);
    init(&o);
    if (verify_is_ok(c))
        build_in_edges(&o);
    for (size_t i = 0; i < c->automaton.clauses && verify_is_ok(c); i++) {
        begin_clause(&o, c->automaton.clause[i].fin);
        find_end_components(&o);
        if (verify_is_ok(c))
            mark_winning(&o, c->automaton.clause[i].inf | VERIFY_READS);
    }
}

void verify_end_components(verify_certificate *c)
{
    bool *inside = verify_alloc(c, c->node_count, sizeof *inside);
    bool *wins = verify_alloc(c, c->node_count, sizeof *wins);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        inside[i] = c->node[i].upper < 1;
    if (verify_is_ok(c))
        verify_find_winning(c, inside, wins);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (wins[i])
            verify_refuse(c, "nodes", i,
                          "upper is below 1, but it lies in a component that can be accepted");
}
