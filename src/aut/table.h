/* SPDX-License-Identifier: MIT */
/*
 * A deterministic automaton as a table. Letters that have the same edges in all states form a class, and each
 * state has one entry for each class.
 *
 *     target, marks   │ class 0 │ class 1 │ …     of state 0, then of state 1, …
 *     label           the letters of each class
 *
 * Used by algorithms that examine all letters of all states repeatedly. The number of classes can be
 * exponential in the number of propositions, so aut_table_of reports, without an error, if the table would
 * have too many cells.
 */
#ifndef AUT_TABLE_H
#define AUT_TABLE_H

#include "aut/automaton.h"

#define AUT_NO_STATE UINT32_MAX /* the target of a letter that a state rejects */

typedef struct aut_table {
    uint32_t states, classes;
    uint32_t initial; /* AUT_NO_STATE if there is none */
    uint32_t *target; /* by state · classes + class */
    uint64_t *marks;
    aut_bdd *label; /* by class, in the label store of the automaton */
} aut_table;

/*
 * *fits is false, and nothing is allocated, if there would be more than most_cells cells, or more than 4096
 * classes.
 */
opac_status aut_table_of(const opac_automaton *automaton, size_t most_cells, aut_table *table,
                         bool *fits, opac_error *error);
void aut_table_fini(aut_table *table);

/* The automaton of a table. Propositions, name and label store are those of `like`; the condition is
 * copied. */
opac_status aut_table_automaton(const aut_table *table, const opac_automaton *like,
                                const aut_condition *condition, uint32_t mark_count,
                                opac_automaton **automaton, opac_error *error);

/*
 * Removes unreachable states and renumbers the others in breadth-first order. Unless `number` is NULL, sets
 * number[old state] to the new number, or AUT_NO_STATE if the state was removed.
 */
opac_status aut_table_compact(aut_table *table, uint32_t *number, opac_error *error);

#endif
