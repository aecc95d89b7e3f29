/* SPDX-License-Identifier: MIT */
/*
 * A deterministic automaton as a table: letters that no state tells apart are
 * one class, and each state has one entry for each class.
 *
 *     target, marks   │ class 0 │ class 1 │ …     of state 0, then of state 1, …
 *     label           the letters of each class
 *
 * The form for algorithms that look at all letters of all states again and
 * again. The number of classes is at most that of the letters that matter, and
 * may be exponential in the number of propositions: making a table fails softly
 * when it would have too many cells.
 */
#ifndef AUT_TABLE_H
#define AUT_TABLE_H

#include "aut/automaton.h"

#define AUT_NOWHERE UINT32_MAX /* the target of a letter that a state rejects */

typedef struct aut_table {
    uint32_t states, classes;
    uint32_t initial; /* AUT_NOWHERE: none */
    uint32_t *target; /* by state · classes + class */
    uint64_t *marks;
    aut_bdd *label; /* by class, in the label store of the automaton */
} aut_table;

/*
 * *fits is false, and nothing is owned, when there would be more than most_cells
 * cells, or more than some thousands of classes.
 */
opac_status aut_table_of(const opac_automaton *automaton, size_t most_cells, aut_table *table,
                         bool *fits, opac_error *error);
void aut_table_fini(aut_table *table);

/* The automaton of a table; `like` gives propositions, name and labels, the condition is copied. */
opac_status aut_table_automaton(const aut_table *table, const opac_automaton *like,
                                const aut_condition *condition, uint32_t mark_count,
                                opac_automaton **automaton, opac_error *error);

/*
 * Drops states that cannot be reached and renumbers the others in the order in
 * which they are met. number (by old state, may be NULL) gets their new
 * numbers, AUT_NOWHERE for those dropped.
 */
opac_status aut_table_compact(aut_table *table, uint32_t *number, opac_error *error);

#endif
