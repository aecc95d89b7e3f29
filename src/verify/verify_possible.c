/* SPDX-License-Identifier: MIT */
/*
 * Whether an episode of a trial can be won at all, by what the certificate states. The counts of a trial are
 * believed, but a file that contradicts itself is refused: if this says no, every episode was lost.
 *
 * With T, the rows list all transitions that were seen, and the episodes follow the policy of the nodes. So an episode
 * is a path of the chain of the policy's choices. It is won only if it comes to a universal memory, or if some
 * strongly connected part of the chain within reach has marks that satisfy the condition.
 *
 * Otherwise rows may be missing, so only the automaton counts: an action may lead to any state, whose letter is one of those
 * listed; a state without actions is never left. Every edge, free choice and reset is a transition.
 *
 *     at the start     memory q, in the given start state: reads its letter
 *     anywhere         memory q, after a random reset or an action: reads any listed letter
 *
 * Cost: linear in the edges; the letters are tried for each edge until one is read.
 */
#include "verify/verify.h"

/* If all letters could take more evaluations of labels, every edge counts as one that can be taken. */
static const double most_labels = 1e8;

/* ---- by the automaton ---- */

/* A position is q at the start, and q plus the number of memories anywhere. */
typedef struct search {
    verify_certificate *c;
    bool *at_start, *anywhere;   /* by edge: whether it can be taken there */
    bool *wins_start, *wins_any; /* by memory: a listed node with it wins */
    uint64_t *distance;          /* by position, plus 1; 0: not reached */
    uint32_t *queue, count;
} search;

static void mark_edges(search *s)
{
    verify_certificate *c = s->c;
    verify_automaton *a = &c->automaton;
    bool has_many = (double)c->state_count * (double)a->edges > most_labels;
    for (uint32_t e = 0; e < a->edges; e++)
        s->anywhere[e] = a->edge[e].is_epsilon || has_many;
    for (uint32_t i = 0; i < c->state_count && !has_many; i++)
        for (uint32_t e = 0; e < a->edges; e++)
            s->anywhere[e] =
                s->anywhere[e] || verify_edge_reads(a, &a->edge[e], c->state[i].letter);
    for (uint32_t e = 0; e < a->edges && c->start != VERIFY_NONE; e++)
        s->at_start[e] =
            a->edge[e].is_epsilon || verify_edge_reads(a, &a->edge[e], c->state[c->start].letter);
}

static void mark_wins(search *s)
{
    const verify_certificate *c = s->c;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const verify_node *node = &c->node[i];
        if (!node->wins || node->memory == VERIFY_NONE)
            continue;
        s->wins_any[node->memory] = true;
        s->wins_start[node->memory] = s->wins_start[node->memory] || node->state == c->start;
    }
}

static void enter(search *s, uint32_t position, uint64_t distance)
{
    if (s->distance[position] > 0)
        return;
    s->distance[position] = distance + 1;
    s->queue[s->count++] = position;
}

static void begin(search *s)
{
    const verify_certificate *c = s->c;
    const verify_automaton *a = &c->automaton;
    bool is_random = c->start == VERIFY_NONE;
    for (uint32_t i = 0; i < a->initials; i++)
        enter(s, a->initial[i] + (is_random ? a->states : 0), is_random || a->initials != 1);
}

static bool wins_at(const search *s, uint32_t position)
{
    const verify_automaton *a = &s->c->automaton;
    bool is_start = position < a->states;
    uint32_t memory = is_start ? position : position - a->states;
    return a->universal[memory] || (is_start ? s->wins_start : s->wins_any)[memory];
}

static void leave(search *s, uint32_t position)
{
    const verify_certificate *c = s->c;
    const verify_automaton *a = &c->automaton;
    bool is_start = position < a->states;
    bool stays = is_start && c->state[c->start].actions == 0;
    uint32_t memory = is_start ? position : position - a->states;
    for (uint32_t e = a->begin[memory]; e < a->end[memory]; e++) {
        bool is_there = is_start && (stays || a->edge[e].is_epsilon);
        if ((is_start ? s->at_start : s->anywhere)[e])
            enter(s, a->edge[e].target + (is_there ? 0 : a->states), s->distance[position]);
    }
}

/* Whether an episode may come to a universal memory or to a winning node. */
static bool can_come(verify_certificate *c, uint64_t steps)
{
    uint32_t memories = c->automaton.states;
    search s = {.c = c};
    s.at_start = verify_alloc(c, c->automaton.edges, sizeof *s.at_start);
    s.anywhere = verify_alloc(c, c->automaton.edges, sizeof *s.anywhere);
    s.wins_start = verify_alloc(c, memories, sizeof *s.wins_start);
    s.wins_any = verify_alloc(c, memories, sizeof *s.wins_any);
    s.distance = verify_alloc(c, 2 * (size_t)memories, sizeof *s.distance);
    s.queue = verify_alloc(c, 2 * (size_t)memories, sizeof *s.queue);
    if (!verify_is_ok(c))
        return true;
    mark_edges(&s);
    mark_wins(&s);
    begin(&s);
    for (uint32_t i = 0; i < s.count && s.distance[s.queue[i]] <= steps + 1; i++) {
        if (wins_at(&s, s.queue[i]))
            return true;
        leave(&s, s.queue[i]);
    }
    return false;
}

/* ---- by the chain of the policy ---- */

typedef struct walk {
    verify_certificate *c;
    uint64_t *distance; /* by node, plus 1; 0: not reached */
    uint32_t *queue, count;
    bool *alive; /* by choice */
    uint32_t *component;
    uint64_t *seen; /* by component: marks of its choices that lead into it again */
} walk;

/* The choice of the policy in the i-th node of the queue; NULL if it has none, or it is not taken within the steps. */
static const verify_choice *choice_in(const walk *w, uint32_t i, uint64_t steps)
{
    uint32_t node = w->queue[i], chosen = w->c->node[node].chosen;
    return chosen != VERIFY_NONE && w->distance[node] <= steps ? &w->c->choices.items[chosen]
                                                               : NULL;
}

/* Whether a universal memory is among what is reached. */
static bool reach(walk *w, uint64_t steps)
{
    const verify_certificate *c = w->c;
    uint32_t first = c->node[0].memory;
    w->distance[0] = 1;
    w->queue[w->count++] = 0;
    if (first != VERIFY_NONE && c->automaton.universal[first])
        return true;
    for (uint32_t i = 0; i < w->count; i++) {
        const verify_choice *choice = choice_in(w, i, steps);
        for (uint32_t k = 0; choice != NULL && k < choice->width; k++) {
            uint32_t to = choice->to[k];
            if (to == VERIFY_UNIVERSAL)
                return true;
            if (to >= c->node_count || w->distance[to] > 0)
                continue;
            w->distance[to] = w->distance[w->queue[i]] + 1;
            w->queue[w->count++] = to;
        }
    }
    return false;
}

static bool returns(const walk *w, uint32_t node, const verify_choice *choice)
{
    bool does = false;
    for (uint32_t k = 0; k < choice->width; k++)
        does = does || (choice->to[k] < w->c->node_count &&
                        w->component[choice->to[k]] == w->component[node]);
    return does;
}

/* Whether a strongly connected part of what is reached satisfies a clause. */
static bool satisfies(walk *w, uint64_t steps, const verify_clause *clause)
{
    verify_certificate *c = w->c;
    for (uint32_t i = 0; i < w->count; i++) {
        const verify_choice *choice = choice_in(w, i, steps);
        if (choice != NULL)
            w->alive[c->node[w->queue[i]].chosen] = (choice->marks & clause->fin) == 0;
    }
    verify_components(c, w->alive, w->component);
    for (uint32_t i = 0; i < c->node_count; i++)
        w->seen[i] = 0;
    for (uint32_t i = 0; i < w->count && verify_is_ok(c); i++) {
        uint32_t node = w->queue[i];
        const verify_choice *choice = choice_in(w, i, steps);
        if (choice == NULL || !w->alive[c->node[node].chosen] || !returns(w, node, choice))
            continue;
        uint64_t *seen = &w->seen[w->component[node]];
        *seen |= choice->marks;
        if ((clause->inf & ~*seen) == 0)
            return true;
    }
    return false;
}

static bool can_end_well(verify_certificate *c, uint64_t steps)
{
    walk w = {.c = c};
    w.distance = verify_alloc(c, c->node_count, sizeof *w.distance);
    w.queue = verify_alloc(c, c->node_count, sizeof *w.queue);
    w.alive = verify_alloc(c, c->choices.count, sizeof *w.alive);
    w.component = verify_alloc(c, c->node_count, sizeof *w.component);
    w.seen = verify_alloc(c, c->node_count, sizeof *w.seen);
    if (!verify_is_ok(c) || reach(&w, steps))
        return true;
    for (size_t i = 0; i < c->automaton.clauses && verify_is_ok(c); i++)
        if (satisfies(&w, steps, &c->automaton.clause[i]))
            return true;
    return !verify_is_ok(c);
}

bool verify_can_win(verify_certificate *c, uint64_t steps)
{
    bool has_time = c->horizon > 0 && !c->is_free;
    if (c->node[0].wins)
        return true;
    return has_time ? can_end_well(c, steps) : can_come(c, steps);
}
