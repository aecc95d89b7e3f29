/* SPDX-License-Identifier: MIT */
/*
 * Computes the choices of the nodes and their successors by the rules of docs/formats/certificate.md, and
 * the choice that the policy takes. It checks that the latter exists and has a complete or open row, and that all
 * rows of a node with upper < 1 are complete or open. The automaton reads the letter of the state that a choice
 * leaves.
 *
 * A memory is universal if every word is accepted from it (hoa.c). A choice that leads to such a memory has
 * value 1 for every successor of its row, so it is treated as a free choice, and its row may be missing.
 *
 * If upper is 1, nothing is claimed about choices other than that of the policy, so only that one is kept.
 *
 * With a bound T on the recurrence time, all choices of all nodes are kept. A row that was never tried is a
 * choice of which nothing was seen. All seen successors must be listed, so that the nodes are the product of
 * all that was seen.
 *
 * Each edge of the automaton is a choice with all successors of a row, so a small file may have very many of
 * them. The limit grows with the file, so that large certificates are not affected.
 */
#include <inttypes.h>

#include "verify/verify.h"

static const uint64_t most_size = 20000000, most_size_of_byte = 4;

static uint32_t find_node(const verify_certificate *c, uint32_t state, uint32_t memory)
{
    if (c->automaton.universal[memory])
        return VERIFY_UNIVERSAL;
    const uint64_t *node = base_map_find(&c->node_at, (uint64_t)state << 32 | memory);
    return node != NULL ? (uint32_t)*node : VERIFY_UNLISTED;
}

/* Counts a choice with its successors, which take up to some 100 and 50 bytes. */
static void check_size(verify_certificate *c, uint32_t width)
{
    uint64_t most = most_size + most_size_of_byte * c->length;
    c->product_size += (uint64_t)width + 1;
    if (verify_is_ok(c) && c->product_size > most)
        c->status = base_fail(c->error, OPAC_ERROR_LIMIT,
                              "nodes: more than %" PRIu64
                              " choices and successors, the limit for a file of %zu bytes",
                              most, c->length);
}

static void push(verify_certificate *c, verify_node *node, verify_choice choice, bool is_policy)
{
    if (is_policy && (node->chosen == VERIFY_NONE || (choice.marks & VERIFY_READS) != 0))
        node->chosen = (uint32_t)c->choices.count;
    if (verify_is_ok(c) && c->choices.count >= VERIFY_UNIVERSAL)
        c->status = base_fail(c->error, OPAC_ERROR_LIMIT, "nodes: too many choices");
    if (verify_is_ok(c))
        c->status = verify_choices_push(&c->choices, choice, c->error);
}

/* Adds a choice: with a row, to (each of its successors, next); without one, to (state, next). */
static void add(verify_certificate *c, verify_node *node, const verify_row *row, uint32_t state,
                uint32_t next, uint64_t marks, bool is_policy)
{
    verify_choice choice = {.marks = marks, .width = 1, .is_complete = true};
    if (!is_policy && !node->lists_all)
        return;
    if (row != NULL) {
        choice.branch = row->branch;
        choice.width = row->width;
        choice.is_complete = row->is_complete || row->is_open;
        choice.is_open = row->is_open && row->unseen > 0;
        choice.unseen = row->unseen;
    }
    check_size(c, choice.width);
    choice.to = verify_alloc(c, choice.width, sizeof *choice.to);
    for (uint32_t k = 0; k < choice.width && verify_is_ok(c); k++)
        choice.to[k] = find_node(c, row != NULL ? row->branch[k].state : state, next);
    push(c, node, choice, is_policy);
}

/* With T, or for the policy of a trial: a choice whose row was never tried. One stands for all untried actions with
 * this edge. */
static void add_untried(verify_certificate *c, verify_node *node, uint64_t marks, bool is_policy)
{
    if (c->horizon == 0 && !(c->trial > 0 && is_policy))
        return;
    check_size(c, 0);
    push(c, node,
         (verify_choice){.marks = marks, .is_complete = true, .is_open = true, .unseen = 1},
         is_policy);
}

/* Before the reset, a choice selects an initial state of the automaton. */
static void list_initial(verify_certificate *c, verify_node *node)
{
    node->has_choice = c->automaton.initials > 0;
    for (uint32_t i = 0; i < c->automaton.initials; i++) {
        uint32_t next = c->automaton.initial[i];
        bool is_free = c->start != VERIFY_NONE || c->automaton.universal[next];
        bool is_policy = node->next == next && node->action == VERIFY_NONE && node->marks == 0;
        node->is_open |=
            !is_free && (c->reset == NULL || !(c->reset->is_complete || c->reset->is_open));
        if (is_free || c->reset != NULL)
            add(c, node, is_free ? NULL : c->reset, c->start, next, 0, is_policy);
        else
            add_untried(c, node, 0, is_policy);
    }
    c->has_nondeterminism |= node->lists_all && c->automaton.initials > 1;
}

/* The choices of an edge: one for each action, if the edge reads a letter and the state has actions;
 * otherwise one free choice. */
static void list_move(verify_certificate *c, verify_node *node, const verify_edge *edge)
{
    const verify_state *state = &c->state[node->state];
    bool has_row = !edge->is_epsilon && state->actions > 0;
    bool is_policy_edge = node->next == edge->target && node->marks == edge->marks;
    uint64_t marks = edge->marks | (edge->is_epsilon ? 0 : VERIFY_READS);
    if (!has_row || c->automaton.universal[edge->target]) {
        bool is_action = has_row ? node->action < state->actions : node->action == VERIFY_NONE;
        add(c, node, NULL, node->state, edge->target, marks, is_policy_edge && is_action);
        return;
    }
    node->is_open |= state->sampled < state->actions;
    for (const verify_row *row = state->row; row != NULL; row = row->next) {
        node->is_open |= !row->is_complete && !row->is_open;
        add(c, node, row, node->state, edge->target, marks,
            is_policy_edge && node->action == row->action);
    }
    if (state->sampled < state->actions)
        add_untried(c, node, marks,
                    is_policy_edge && node->action < state->actions &&
                        base_map_find(&c->row_at, (uint64_t)node->state << 32 | node->action) ==
                            NULL);
}

/*
 * A node with several edges of the automaton makes it nondeterministic. Then a word may be accepted by a run
 * that no policy can follow without knowing the future, so upper bounds the objective only if the automaton is
 * good for MDPs. Lower is not affected.
 */
static void list_moves(verify_certificate *c, verify_node *node)
{
    verify_automaton *a = &c->automaton;
    uint32_t moves = 0;
    bool has_epsilon = false;
    for (uint32_t e = a->begin[node->memory]; e < a->end[node->memory]; e++)
        if (a->edge[e].is_epsilon ||
            verify_edge_reads(a, &a->edge[e], c->state[node->state].letter)) {
            list_move(c, node, &a->edge[e]);
            has_epsilon = has_epsilon || a->edge[e].is_epsilon;
            moves++;
        }
    node->has_choice = moves > 0;
    c->has_nondeterminism |= node->lists_all && (moves > 1 || has_epsilon);
}

/* A node with a universal memory has no choices. */
static void list(verify_certificate *c, verify_node *node)
{
    node->first = (uint32_t)c->choices.count;
    node->lists_all = c->horizon > 0 || node->upper < 1;
    if (node->state == VERIFY_NONE)
        list_initial(c, node);
    else if (!c->automaton.universal[node->memory])
        list_moves(c, node);
    node->count = (uint32_t)c->choices.count - node->first;
}

/* Whether the choice of the policy proves something by the episodes of the trial only. */
static bool is_of_trial(const verify_certificate *c, const verify_node *node)
{
    return c->trial > 0 && !node->wins;
}

static void check_policy(verify_certificate *c, uint32_t i)
{
    const verify_node *node = &c->node[i];
    if (node->next != VERIFY_NONE && node->chosen == VERIFY_NONE)
        verify_refuse(c, "nodes", i, "its choice is not a choice of the node");
    else if (c->trial > 0 && c->horizon == 0 && node->has_choice && node->next == VERIFY_NONE)
        verify_refuse(c, "nodes", i, "it has a choice, but none is given");
    else if (verify_is_ok(c) && node->next != VERIFY_NONE && !is_of_trial(c, node) &&
             !c->choices.items[node->chosen].is_complete)
        verify_refuse(c, "nodes", i, "the row of its choice is not complete");
}

static void check_upper_rows(verify_certificate *c)
{
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        if (c->node[i].upper < 1 && c->node[i].is_open)
            verify_refuse(c, "nodes", i,
                          "upper is below 1, but some of its rows are neither complete nor open");
}

/* With T all product states that were seen are listed, and every one that has a choice has one of the
 * policy. */
static void check_all_listed(verify_certificate *c)
{
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        const verify_node *node = &c->node[i];
        if (node->count > 0 && node->chosen == VERIFY_NONE)
            verify_refuse(c, "nodes", i, "it has a choice, but none is given");
        for (uint32_t k = node->first; k < node->first + node->count; k++)
            for (uint32_t j = 0; j < c->choices.items[k].width; j++)
                if (c->choices.items[k].to[j] == VERIFY_UNLISTED)
                    verify_refuse(c, "nodes", i, "a successor of one of its choices is not listed");
    }
}

void verify_product(verify_certificate *c)
{
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++) {
        list(c, &c->node[i]);
        check_policy(c, i);
    }
    if (c->horizon > 0)
        check_all_listed(c);
    else
        check_upper_rows(c);
}
