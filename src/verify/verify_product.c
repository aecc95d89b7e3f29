/* SPDX-License-Identifier: MIT */
/*
 * What can be done in the nodes, by the rules of docs/formats/certificate.md, and where it leads to;
 * and which of it the policy does. The automaton reads the letter of the state that is left.
 *
 * A memory is universal if every word is accepted from it (hoa.c): a choice that comes to one is
 * worth 1 wherever its row leads to, and so counts as a free one, and needs no row.
 *
 * Where upper is 1 nothing is said of other choices than the policy's: only that one is kept.
 */
#include "verify/verify.h"

static uint32_t find_node(const verify_certificate *c, uint32_t state, uint32_t memory)
{
    if (c->automaton.universal[memory])
        return VERIFY_UNIVERSAL;
    const uint64_t *node = base_map_find(&c->node_at, (uint64_t)state << 32 | memory);
    return node != NULL ? (uint32_t)*node : VERIFY_UNLISTED;
}

/* By a row to (one of its successors, next), or, without one, to (state, next). */
static void add(verify_certificate *c, verify_node *node, const verify_row *row, uint32_t state,
                uint32_t next, uint64_t marks, bool is_policy)
{
    verify_choice choice = {.marks = marks, .width = 1, .is_complete = true};
    if (!is_policy && !(node->upper < 1))
        return;
    if (row != NULL) {
        choice.branch = row->branch;
        choice.width = row->width;
        choice.is_complete = row->is_complete || row->is_open;
        choice.is_open = row->is_open && row->unseen > 0;
        choice.unseen = row->unseen;
    }
    choice.to = verify_alloc(c, choice.width, sizeof *choice.to);
    for (uint32_t k = 0; k < choice.width && verify_is_ok(c); k++)
        choice.to[k] = find_node(c, row != NULL ? row->branch[k].state : state, next);
    if (is_policy && (node->chosen == VERIFY_NONE || (marks & VERIFY_READS) != 0))
        node->chosen = (uint32_t)c->choices.count;
    if (verify_is_ok(c) && c->choices.count >= VERIFY_UNIVERSAL)
        c->status = base_fail(c->error, OPAC_ERROR_LIMIT, "nodes: too many choices");
    if (verify_is_ok(c))
        c->status = verify_choices_push(&c->choices, choice, c->error);
}

/* Before the reset: an initial state of the automaton is chosen. */
static void list_initial(verify_certificate *c, verify_node *node)
{
    for (uint32_t i = 0; i < c->automaton.initials; i++) {
        uint32_t next = c->automaton.initial[i];
        bool is_free = c->start != VERIFY_NONE || c->automaton.universal[next];
        bool is_policy = node->next == next && node->action == VERIFY_NONE && node->marks == 0;
        node->is_open |=
            !is_free && (c->reset == NULL || !(c->reset->is_complete || c->reset->is_open));
        if (is_free || c->reset != NULL)
            add(c, node, is_free ? NULL : c->reset, c->start, next, 0, is_policy);
    }
}

/* A move of the automaton: by each action, if it reads a letter and the state has any. */
static void list_move(verify_certificate *c, verify_node *node, const verify_edge *edge)
{
    const verify_state *state = &c->state[node->state];
    bool has_row = !edge->is_epsilon && state->actions > 0;
    bool is_like = node->next == edge->target && node->marks == edge->marks;
    uint64_t marks = edge->marks | (edge->is_epsilon ? 0 : VERIFY_READS);
    if (!has_row || c->automaton.universal[edge->target]) {
        bool is_action = has_row ? node->action < state->actions : node->action == VERIFY_NONE;
        add(c, node, NULL, node->state, edge->target, marks, is_like && is_action);
        return;
    }
    node->is_open |= state->sampled < state->actions;
    for (const verify_row *row = state->row; row != NULL; row = row->next) {
        node->is_open |= !row->is_complete;
        add(c, node, row, node->state, edge->target, marks, is_like && node->action == row->action);
    }
}

static void list(verify_certificate *c, verify_node *node)
{
    verify_automaton *a = &c->automaton;
    node->first = (uint32_t)c->choices.count;
    if (node->state == VERIFY_NONE)
        list_initial(c, node);
    else
        for (uint32_t e = a->begin[node->memory]; e < a->end[node->memory]; e++)
            if (a->edge[e].is_epsilon ||
                verify_edge_reads(a, &a->edge[e], c->state[node->state].letter))
                list_move(c, node, &a->edge[e]);
    node->count = (uint32_t)c->choices.count - node->first;
}

/*
 * Where the automaton can move in two ways, a word may be accepted by a run that no policy can
 * guess in time. (Lower does not mind, and where upper is 1 nothing is said.)
 */
static bool guesses(const verify_certificate *c, const verify_node *node)
{
    uint32_t actions = node->state != VERIFY_NONE ? c->state[node->state].actions : 0;
    for (uint32_t k = node->first; k < node->first + node->count; k++)
        if (node->state != VERIFY_NONE && (c->choices.items[k].marks & VERIFY_READS) == 0)
            return true;
    return node->count > (actions > 0 ? actions : 1);
}

void verify_product(verify_certificate *c)
{
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        verify_node *node = &c->node[i];
        list(c, node);
        if (node->next != VERIFY_NONE && node->chosen == VERIFY_NONE)
            verify_refuse(c, "nodes", i, "its choice is none of those that it has");
        else if (verify_is_ok(c) && node->next != VERIFY_NONE &&
                 !c->choices.items[node->chosen].is_complete)
            verify_refuse(c, "nodes", i, "the row of its choice is not complete");
        c->guesses = c->guesses || (node->upper < 1 && guesses(c, node));
    }
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].upper < 1 && c->node[i].is_open)
            verify_refuse(c, "nodes", i, "upper is below 1, but not all of its rows are complete");
}
