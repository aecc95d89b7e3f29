/* SPDX-License-Identifier: MIT */
/*
 * There are few different letters, and labels may be large, so the edge for a state and a letter is
 * computed once and cached. Paths of epsilon edges are short and not cached.
 */
#include "evaluate/evaluate_moves.h"

#include "base/bits.h"

void evaluate_moves_init(evaluate_moves *moves, const opac_automaton *automaton)
{
    *moves = (evaluate_moves){.automaton = automaton};
}

void evaluate_moves_fini(evaluate_moves *moves)
{
    base_map_fini(&moves->letters);
    base_map_fini(&moves->edges);
    base_u32_vec_fini(&moves->closed);
    base_u64_vec_fini(&moves->marks);
}

static bool reads(const opac_automaton *automaton, const aut_edge *edge, uint64_t letter)
{
    return edge->label != AUT_EPSILON &&
           aut_bdd_evaluate(automaton->labels, edge->label, letter) == AUT_BDD_TRUE;
}

/* ---- deterministic ---- */

static opac_status letter_number(evaluate_moves *moves, uint64_t letter, uint64_t *number,
                                 opac_error *error)
{
    uint64_t *found;
    TRY(base_map_at(&moves->letters, letter, &found, error));
    if (*found == 0)
        *found = moves->letters.count;
    *number = *found;
    return OPAC_OK;
}

/* The edge + 1, or 0. */
static uint64_t find_edge(const opac_automaton *automaton, uint32_t state, uint64_t letter)
{
    for (uint32_t e = automaton->edge_begin[state]; e < automaton->edge_begin[state + 1]; e++)
        if (reads(automaton, &automaton->edges[e], letter))
            return (uint64_t)e + 1;
    return 0;
}

opac_status evaluate_moves_read(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                const aut_edge **edge, opac_error *error)
{
    uint64_t number, *found;
    size_t before = moves->edges.count;
    TRY(letter_number(moves, letter, &number, error));
    TRY(base_map_at(&moves->edges, (uint64_t)state << 32 | number, &found, error));
    if (moves->edges.count > before)
        *found = find_edge(moves->automaton, state, letter);
    *edge = *found != 0 ? &moves->automaton->edges[*found - 1] : NULL;
    return OPAC_OK;
}

/* ---- along the policy's memory ---- */

static bool is_in_closure(const evaluate_moves *moves, uint32_t state)
{
    for (size_t i = 0; i < moves->closed.count; i++)
        if (moves->closed.items[i] == state)
            return true;
    return false;
}

/* Computes the states reachable by epsilon edges, in breadth-first order. */
static opac_status compute_closure(evaluate_moves *moves, uint32_t state, opac_error *error)
{
    const opac_automaton *automaton = moves->automaton;
    moves->closed.count = moves->marks.count = 0;
    TRY(base_u32_vec_push(&moves->closed, state, error));
    TRY(base_u64_vec_push(&moves->marks, 0, error));
    for (size_t i = 0; i < moves->closed.count; i++) {
        uint32_t from = moves->closed.items[i];
        for (uint32_t e = automaton->edge_begin[from]; e < automaton->edge_begin[from + 1]; e++) {
            const aut_edge *edge = &automaton->edges[e];
            if (edge->label != AUT_EPSILON || is_in_closure(moves, edge->target))
                continue;
            TRY(base_u32_vec_push(&moves->closed, edge->target, error));
            TRY(base_u64_vec_push(&moves->marks, moves->marks.items[i] | edge->marks, error));
        }
    }
    return OPAC_OK;
}

/* Preference among several edges to the same state: more marks of Inf, fewer marks of Fin. */
static int preference(const opac_automaton *automaton, uint64_t marks)
{
    return (int)base_popcount(marks & aut_condition_inf_marks(&automaton->condition)) -
           (int)base_popcount(marks & aut_condition_fin_marks(&automaton->condition));
}

/* Examines the edges of a state that read the letter; `before` are the marks on the path to the state. */
static void read_edges(const opac_automaton *automaton, uint32_t from, uint64_t before,
                       uint64_t letter, uint32_t next, evaluate_move_result *result,
                       uint64_t *marks)
{
    for (uint32_t e = automaton->edge_begin[from]; e < automaton->edge_begin[from + 1]; e++) {
        const aut_edge *edge = &automaton->edges[e];
        uint64_t all = before | edge->marks;
        if (!reads(automaton, edge, letter))
            continue;
        if (*result == EVALUATE_MOVE_NONE)
            *result = EVALUATE_MOVE_ELSEWHERE;
        if (edge->target == next && (*result != EVALUATE_MOVE_FOUND ||
                                     preference(automaton, all) > preference(automaton, *marks))) {
            *marks = all;
            *result = EVALUATE_MOVE_FOUND;
        }
    }
}

opac_status evaluate_moves_follow(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                  uint32_t next, evaluate_move_result *result, uint64_t *marks,
                                  opac_error *error)
{
    *result = EVALUATE_MOVE_NONE;
    if (state >= moves->automaton->state_count)
        return OPAC_OK;
    TRY(compute_closure(moves, state, error));
    for (size_t i = 0; i < moves->closed.count; i++)
        read_edges(moves->automaton, moves->closed.items[i], moves->marks.items[i], letter, next,
                   result, marks);
    return OPAC_OK;
}
