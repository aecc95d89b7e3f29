/* SPDX-License-Identifier: MIT */
/*
 * Letters are few and labels may be large, so each is looked up in the edges of
 * a state once. A search for a way of epsilon edges is remembered by nobody:
 * it is short.
 */
#include "evaluate/steps.h"

#include "base/bits.h"

void evaluate_steps_init(evaluate_steps *steps, const opac_automaton *automaton)
{
    *steps = (evaluate_steps){.automaton = automaton};
}

void evaluate_steps_fini(evaluate_steps *steps)
{
    base_map_fini(&steps->letters);
    base_map_fini(&steps->edges);
    base_u32_vec_fini(&steps->closed);
    base_u64_vec_fini(&steps->marks);
}

static bool reads(const opac_automaton *automaton, const aut_edge *edge, uint64_t letter)
{
    return edge->label != AUT_EPSILON &&
           aut_bdd_evaluate(automaton->labels, edge->label, letter) == AUT_BDD_TRUE;
}

/* ---- deterministic ---- */

static opac_status letter_number(evaluate_steps *steps, uint64_t letter, uint64_t *number,
                                 opac_error *error)
{
    uint64_t *found;
    TRY(base_map_at(&steps->letters, letter, &found, error));
    if (*found == 0)
        *found = steps->letters.count;
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

opac_status evaluate_steps_read(evaluate_steps *steps, uint32_t state, uint64_t letter,
                                const aut_edge **edge, opac_error *error)
{
    uint64_t number, *found;
    size_t before = steps->edges.count;
    TRY(letter_number(steps, letter, &number, error));
    TRY(base_map_at(&steps->edges, (uint64_t)state << 32 | number, &found, error));
    if (steps->edges.count > before)
        *found = find_edge(steps->automaton, state, letter);
    *edge = *found != 0 ? &steps->automaton->edges[*found - 1] : NULL;
    return OPAC_OK;
}

/* ---- along the policy's memory ---- */

static bool is_closed(const evaluate_steps *steps, uint32_t state)
{
    for (size_t i = 0; i < steps->closed.count; i++)
        if (steps->closed.items[i] == state)
            return true;
    return false;
}

/* Everything that epsilon edges lead to, nearest first. */
static opac_status close_state(evaluate_steps *steps, uint32_t state, opac_error *error)
{
    const opac_automaton *automaton = steps->automaton;
    steps->closed.count = steps->marks.count = 0;
    TRY(base_u32_vec_push(&steps->closed, state, error));
    TRY(base_u64_vec_push(&steps->marks, 0, error));
    for (size_t i = 0; i < steps->closed.count; i++) {
        uint32_t from = steps->closed.items[i];
        for (uint32_t e = automaton->edge_begin[from]; e < automaton->edge_begin[from + 1]; e++) {
            const aut_edge *edge = &automaton->edges[e];
            if (edge->label != AUT_EPSILON || is_closed(steps, edge->target))
                continue;
            TRY(base_u32_vec_push(&steps->closed, edge->target, error));
            TRY(base_u64_vec_push(&steps->marks, steps->marks.items[i] | edge->marks, error));
        }
    }
    return OPAC_OK;
}

/* Which of two ways to take when the policy does not tell: more of Inf, less of Fin. */
static int worth(const opac_automaton *automaton, uint64_t marks)
{
    return (int)base_popcount(marks & aut_condition_inf_marks(&automaton->condition)) -
           (int)base_popcount(marks & aut_condition_fin_marks(&automaton->condition));
}

/* The ways that read the letter from a state, `before` being the marks on the way to it. */
static void read_on(const opac_automaton *automaton, uint32_t from, uint64_t before,
                    uint64_t letter, uint32_t next, evaluate_way *way, uint64_t *marks)
{
    for (uint32_t e = automaton->edge_begin[from]; e < automaton->edge_begin[from + 1]; e++) {
        const aut_edge *edge = &automaton->edges[e];
        uint64_t all = before | edge->marks;
        if (!reads(automaton, edge, letter))
            continue;
        if (*way == EVALUATE_WAY_NONE)
            *way = EVALUATE_WAY_ELSEWHERE;
        if (edge->target == next &&
            (*way != EVALUATE_WAY_FOUND || worth(automaton, all) > worth(automaton, *marks))) {
            *marks = all;
            *way = EVALUATE_WAY_FOUND;
        }
    }
}

opac_status evaluate_steps_follow(evaluate_steps *steps, uint32_t state, uint64_t letter,
                                  uint32_t next, evaluate_way *way, uint64_t *marks,
                                  opac_error *error)
{
    *way = EVALUATE_WAY_NONE;
    if (state >= steps->automaton->state_count)
        return OPAC_OK;
    TRY(close_state(steps, state, error));
    for (size_t i = 0; i < steps->closed.count; i++)
        read_on(steps->automaton, steps->closed.items[i], steps->marks.items[i], letter, next, way,
                marks);
    return OPAC_OK;
}
