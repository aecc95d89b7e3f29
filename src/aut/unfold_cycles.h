/* SPDX-License-Identifier: MIT */
/*
 * Unfolding components along their trees of cycles (acd.h): a place is a state
 * together with one of its homes. An edge of the component is taken from a home
 * at its lowest ancestor that has the edge, and leads to a home below that
 * ancestor, of the next child in turn. Runs of places are runs of states, one
 * for one; the highest node that is met for ever decides acceptance.
 *
 * Places over a component need not be connected. Since all homes of a state
 * accept the same, only the smallest part that cannot be left is kept, and edges
 * from elsewhere enter it at the first home there is.
 */
#ifndef AUT_UNFOLD_CYCLES_H
#define AUT_UNFOLD_CYCLES_H

#include "aut/acd.h"

typedef struct aut_unfolding {
    uint32_t place_count;
    const uint32_t *state;      /* by place */
    const uint32_t *entry;      /* by state: the place that stands for it where it is entered */
    const uint32_t *edge_begin; /* by place, and one more; in the order of the state's edges */
    const uint32_t *successor;  /* places */
    const uint32_t *via;        /* nodes; AUT_ACD_NONE: between components, or not unfolded */
} aut_unfolding;

/*
 * `unfolded` says by node, of roots, which components are unfolded (NULL: all);
 * states of others are one place each. Linear in the size of the decomposition
 * and of all places; in the workspace.
 */
opac_status aut_unfold(const opac_automaton *automaton, const aut_acd *acd, const bool *unfolded,
                       graph_workspace *workspace, aut_unfolding *made, opac_error *error);

#endif
