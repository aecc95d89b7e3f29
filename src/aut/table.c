/* SPDX-License-Identifier: MIT */
#include "aut/table.h"

#include <assert.h>
#include <string.h>

#include "aut/mtbdd.h"
#include "base/alloc.h"

enum {
    MOST_CLASSES = 1 << 12 /* more indicate exponential growth; a table would cost too much time */
};

void aut_table_fini(aut_table *table)
{
    base_free(table->target);
    base_free(table->marks);
    base_free(table->label);
    *table = (aut_table){0};
}

/* ---- classes of letters ---- */

/*
 * Pairs the functions from letters to edges of all states, one after the other. Each terminal of the result
 * is a chain of pairs with one edge (or none) of each state, so it is a class of letters.
 */
static opac_status pair_states(const opac_automaton *automaton, size_t most_cells,
                               aut_pairing *pairing, aut_letter_class_vec *classes, bool *fits,
                               opac_error *error)
{
    aut_bdd all = aut_mtbdd_terminal(automaton->labels, 0);
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        /* Nearly all pairs of this state are new, one for each class so far. */
        size_t most = most_cells / automaton->state_count;
        pairing->limit =
            pairing->pairs.count + (uint32_t)(most < MOST_CLASSES ? most + 1 : MOST_CLASSES);
        all = aut_pairing_make(pairing, all, aut_mtbdd_edges(automaton, state));
        TRY(aut_pairing_check(pairing, error));
        if (pairing->is_full) {
            *fits = false;
            return OPAC_OK;
        }
    }
    TRY(aut_mtbdd_split(automaton->labels, all, classes, error));
    *fits = classes->count * (size_t)automaton->state_count <= most_cells;
    return OPAC_OK;
}

/* Decodes the edges of a class of letters from the chain of pairs. */
static void fill_class(const opac_automaton *automaton, const aut_pairing *pairing,
                       aut_bdd terminal, uint32_t class, aut_table *table)
{
    for (uint32_t state = table->states; state-- > 0;) {
        aut_bdd edge;
        size_t cell = (size_t)state * table->classes + class;
        aut_pairing_parts(pairing, aut_mtbdd_value(automaton->labels, terminal), &terminal, &edge);
        table->target[cell] = AUT_NO_STATE;
        table->marks[cell] = 0;
        if (edge != AUT_BDD_FALSE) {
            const aut_edge *taken = &automaton->edges[aut_mtbdd_value(automaton->labels, edge)];
            table->target[cell] = taken->target;
            table->marks[cell] = taken->marks;
        }
    }
}

static opac_status allocate(aut_table *table, opac_error *error)
{
    size_t cells = (size_t)table->states * table->classes;
    table->target = base_alloc(cells, sizeof *table->target);
    table->marks = base_alloc(cells, sizeof *table->marks);
    table->label = base_alloc(table->classes, sizeof *table->label);
    if (table->target != NULL && table->marks != NULL && table->label != NULL)
        return OPAC_OK;
    aut_table_fini(table);
    return base_fail_memory(error);
}

opac_status aut_table_of(const opac_automaton *automaton, size_t most_cells, aut_table *table,
                         bool *fits, opac_error *error)
{
    aut_pairing pairing;
    aut_letter_class_vec classes = {0};
    opac_status status;
    assert(automaton->is_deterministic);
    *table = (aut_table){0};
    aut_pairing_init(&pairing, automaton->labels);
    TRY_OR(done, pair_states(automaton, most_cells, &pairing, &classes, fits, error));
    if (!*fits)
        goto done;
    table->states = automaton->state_count;
    table->classes = (uint32_t)classes.count;
    table->initial = automaton->initial_count > 0 ? automaton->initial[0] : AUT_NO_STATE;
    TRY_OR(done, allocate(table, error));
    for (size_t i = 0; i < classes.count; i++) {
        if (aut_bdd_store_spend(automaton->labels, table->states))
            TRY_OR(done, aut_bdd_store_check(automaton->labels, error));
        table->label[i] = classes.items[i].label;
        fill_class(automaton, &pairing, classes.items[i].terminal, (uint32_t)i, table);
    }
done:
    if (status != OPAC_OK)
        aut_table_fini(table);
    aut_letter_class_vec_fini(&classes);
    aut_pairing_fini(&pairing);
    return status;
}

/* ---- compaction and conversion back ---- */

opac_status aut_table_compact(aut_table *table, uint32_t *number, opac_error *error)
{
    uint32_t *own = number == NULL ? base_alloc(table->states, sizeof *own) : NULL, count = 0;
    number = number == NULL ? own : number;
    uint32_t *order = base_alloc(table->states, sizeof *order);
    size_t cells = (size_t)table->states * table->classes;
    uint32_t *target = base_alloc(cells, sizeof *target);
    uint64_t *marks = base_alloc(cells, sizeof *marks);
    opac_status status = OPAC_OK;
    if (number == NULL || order == NULL || target == NULL || marks == NULL) {
        base_free(target);
        base_free(marks);
        status = base_fail_memory(error);
        goto done;
    }
    memset(number, 0xFF, table->states * sizeof *number);
    if (table->initial != AUT_NO_STATE) {
        number[table->initial] = 0;
        order[count++] = table->initial;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t class = 0; class < table->classes; class ++) {
            size_t from = (size_t)order[i] * table->classes + class;
            size_t to = (size_t)i * table->classes + class;
            uint32_t next = table->target[from];
            if (next != AUT_NO_STATE && number[next] == AUT_NO_STATE) {
                number[next] = count;
                order[count++] = next;
            }
            target[to] = next == AUT_NO_STATE ? AUT_NO_STATE : number[next];
            marks[to] = table->marks[from];
        }
    }
    base_free(table->target);
    base_free(table->marks);
    table->target = target;
    table->marks = marks;
    table->states = count;
    table->initial = count > 0 ? 0 : AUT_NO_STATE;
done:
    base_free(own);
    base_free(order);
    return status;
}

opac_status aut_table_automaton(const aut_table *table, const opac_automaton *like,
                                const aut_condition *condition, uint32_t mark_count,
                                opac_automaton **automaton, opac_error *error)
{
    aut_builder *builder;
    TRY(aut_builder_like(like, &builder, error));
    builder->state_limit = UINT32_MAX;
    aut_builder_copy_condition(builder, condition, mark_count);
    /* The empty language gets a state without edges, since callers may expect a state. */
    aut_builder_add_states(builder, table->states > 0 ? table->states : 1);
    aut_builder_initial(builder, table->initial != AUT_NO_STATE ? table->initial : 0);
    for (uint32_t state = 0; state < table->states; state++)
        for (uint32_t class = 0; class < table->classes; class ++) {
            size_t cell = (size_t)state * table->classes + class;
            if (table->target[cell] != AUT_NO_STATE)
                aut_builder_edge(builder, state,
                                 (aut_edge){.label = table->label[class],
                                            .target = table->target[cell],
                                            .marks = table->marks[cell]});
        }
    return aut_builder_finish(builder, automaton, error);
}
