/* SPDX-License-Identifier: MIT */
/*
 * The moves of an automaton by letter class and state:
 *
 *     classes   letter ► class                          in the order of their first occurrence
 *     begin     │ class 0: state 0, state 1, … │ class 1: … │ end
 *                    ▼
 *     moves     │ marks, target │ …
 *
 * A new class costs one evaluation of the label of each edge. Each class takes 8 bytes for each state of
 * the automaton and 16 bytes for each move. Epsilon moves are stored separately, since they do not depend
 * on the letter.
 */
#include "product/move_table.h"

#include <string.h>

#include <omegapac/text.h>

#include "base/map.h"
#include "base/vec.h"
#include "product/universal_states.h"

BASE_VEC(move_vec, product_move);

struct product_move_table {
    const opac_automaton *automaton;
    base_map classes;
    base_u64_vec begin; /* index into moves, at class * states + state; then the number of moves */
    move_vec moves;
    base_u32_vec epsilon_begin; /* index into epsilons, by state; states + 1 entries */
    move_vec epsilons;
    base_bitset universal;
    uint64_t *universal_marks; /* by state; meaningful for universal states only */
};

/* ---- epsilon moves ---- */

static opac_status collect_epsilons(product_move_table *move_table, opac_error *error)
{
    const opac_automaton *a = move_table->automaton;
    TRY(base_u32_vec_reserve(&move_table->epsilon_begin, a->state_count + 1u, error));
    for (uint32_t q = 0; q < a->state_count; q++) {
        move_table->epsilon_begin.items[q] = (uint32_t)move_table->epsilons.count;
        for (uint32_t e = a->edge_begin[q]; e < a->edge_begin[q + 1]; e++)
            if (a->edges[e].label == AUT_EPSILON)
                TRY(move_vec_push(
                    &move_table->epsilons,
                    (product_move){.marks = a->edges[e].marks, .target = a->edges[e].target},
                    error));
    }
    move_table->epsilon_begin.items[a->state_count] = (uint32_t)move_table->epsilons.count;
    return OPAC_OK;
}

static opac_status fail_cycle(const opac_automaton *a, uint32_t state, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *name = a->state_names != NULL ? a->state_names[state] : NULL;
    if (name == NULL)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "the automaton has a cycle of epsilon edges through state %u",
                         (unsigned)state);
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "the automaton has a cycle of epsilon edges through state %u (\"%s\")",
                     (unsigned)state, opac_text_show(name, strlen(name), shown, sizeof shown));
}

/*
 * Fails if the epsilon moves have a cycle. Repeatedly removes states without an incoming epsilon move
 * (Kahn's algorithm). Every state that remains has a predecessor that remains, so following predecessors
 * for as many steps as there are states ends on a cycle.
 */
static opac_status refuse_cycles(const product_move_table *move_table, uint32_t *entering,
                                 uint32_t *queue, opac_error *error)
{
    uint32_t states = move_table->automaton->state_count, head = 0, tail = 0, at = UINT32_MAX;
    const uint32_t *begin = move_table->epsilon_begin.items;
    const product_move *moves = move_table->epsilons.items;
    for (size_t i = 0; i < move_table->epsilons.count; i++)
        entering[moves[i].target]++;
    for (uint32_t q = 0; q < states; q++)
        if (entering[q] == 0)
            queue[tail++] = q;
    for (; head < tail; head++)
        for (uint32_t i = begin[queue[head]]; i < begin[queue[head] + 1]; i++)
            if (--entering[moves[i].target] == 0)
                queue[tail++] = moves[i].target;
    if (tail == states)
        return OPAC_OK;
    uint32_t *from = queue; /* by remaining state: a remaining predecessor */
    for (uint32_t q = 0; q < states; q++)
        for (uint32_t i = begin[q]; i < begin[q + 1] && entering[q] > 0; i++)
            from[moves[i].target] = at = q;
    for (uint32_t step = 0; step < states; step++)
        at = from[at];
    return fail_cycle(move_table->automaton, at, error);
}

static opac_status check_epsilons(const product_move_table *move_table, opac_error *error)
{
    uint32_t states = move_table->automaton->state_count;
    if (move_table->epsilons.count == 0)
        return OPAC_OK;
    uint32_t *entering = base_alloc_zeroed(states, sizeof *entering);
    uint32_t *queue = base_alloc(states, sizeof *queue);
    opac_status status = entering != NULL && queue != NULL
                             ? refuse_cycles(move_table, entering, queue, error)
                             : base_fail_memory(error);
    base_free(entering);
    base_free(queue);
    return status;
}

/* ---- construction ---- */

static opac_status prepare(product_move_table *move_table, opac_error *error)
{
    uint32_t states = move_table->automaton->state_count;
    move_table->universal_marks = base_alloc_zeroed(states, sizeof *move_table->universal_marks);
    if (move_table->universal_marks == NULL)
        return base_fail_memory(error);
    TRY(base_bitset_init(&move_table->universal, states, error));
    TRY(collect_epsilons(move_table, error));
    TRY(check_epsilons(move_table, error));
    TRY(product_find_universal_states(move_table->automaton, &move_table->universal,
                                      move_table->universal_marks, error));
    return base_u64_vec_push(&move_table->begin, 0, error);
}

opac_status product_move_table_new(const opac_automaton *automaton, product_move_table **move_table,
                                   opac_error *error)
{
    *move_table = base_alloc_zeroed(1, sizeof **move_table);
    if (*move_table == NULL)
        return base_fail_memory(error);
    (*move_table)->automaton = automaton;
    opac_status status = prepare(*move_table, error);
    if (status != OPAC_OK) {
        product_move_table_free(*move_table);
        *move_table = NULL;
    }
    return status;
}

void product_move_table_free(product_move_table *move_table)
{
    if (move_table == NULL)
        return;
    base_map_fini(&move_table->classes);
    base_u64_vec_fini(&move_table->begin);
    move_vec_fini(&move_table->moves);
    base_u32_vec_fini(&move_table->epsilon_begin);
    move_vec_fini(&move_table->epsilons);
    base_bitset_fini(&move_table->universal);
    base_free(move_table->universal_marks);
    base_free(move_table);
}

const opac_automaton *product_move_table_automaton(const product_move_table *move_table)
{
    return move_table->automaton;
}

/* ---- letters ---- */

/* Appends the moves on a letter in all states. */
static opac_status add_moves(product_move_table *move_table, uint64_t letter, opac_error *error)
{
    const opac_automaton *a = move_table->automaton;
    TRY(base_u64_vec_reserve(&move_table->begin, move_table->begin.count + a->state_count, error));
    for (uint32_t q = 0; q < a->state_count; q++) {
        for (uint32_t e = a->edge_begin[q]; e < a->edge_begin[q + 1]; e++) {
            const aut_edge *edge = &a->edges[e];
            product_move move = {.marks = edge->marks, .target = edge->target};
            if (edge->label != AUT_EPSILON &&
                aut_bdd_evaluate(a->labels, edge->label, letter) != AUT_BDD_FALSE)
                TRY(move_vec_push(&move_table->moves, move, error));
        }
        move_table->begin.items[move_table->begin.count++] = move_table->moves.count;
    }
    return OPAC_OK;
}

opac_status product_move_table_class(product_move_table *move_table, uint64_t letter,
                                     uint32_t *class, opac_error *error)
{
    uint64_t *known = base_map_find(&move_table->classes, letter);
    size_t cells = move_table->begin.count, moves = move_table->moves.count;
    if (known != NULL) {
        *class = (uint32_t)*known;
        return OPAC_OK;
    }
    if (move_table->classes.count >= UINT32_MAX - 1)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u different letters",
                         (unsigned)(UINT32_MAX - 1));
    opac_status status = add_moves(move_table, letter, error);
    if (status == OPAC_OK)
        status = base_map_at(&move_table->classes, letter, &known, error);
    if (status != OPAC_OK) { /* restore the table */
        move_table->begin.count = cells;
        move_table->moves.count = moves;
        return status;
    }
    *class = (uint32_t)(move_table->classes.count - 1);
    *known = *class;
    return OPAC_OK;
}

const product_move *product_move_table_moves(const product_move_table *move_table, uint32_t state,
                                             uint32_t class, uint32_t *count)
{
    const uint64_t *cell =
        move_table->begin.items + (size_t) class * move_table->automaton->state_count + state;
    *count = (uint32_t)(cell[1] - cell[0]);
    return *count > 0 ? move_table->moves.items + cell[0] : NULL;
}

const product_move *product_move_table_epsilons(const product_move_table *move_table,
                                                uint32_t state, uint32_t *count)
{
    const uint32_t *begin = move_table->epsilon_begin.items + state;
    *count = begin[1] - begin[0];
    return *count > 0 ? move_table->epsilons.items + begin[0] : NULL;
}

bool product_move_table_is_universal(const product_move_table *move_table, uint32_t state,
                                     uint64_t *marks)
{
    *marks = move_table->universal_marks[state];
    return base_bitset_has(&move_table->universal, state);
}
