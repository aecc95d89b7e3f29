/* SPDX-License-Identifier: MIT */
/*
 * Unfolding of components along the alternating cycle decomposition (acd.h). Each state gets one copy for
 * each of its leaves. An edge from a copy with leaf l belongs to a node: the lowest ancestor of l that
 * contains the edge. It leads to a copy whose leaf is below that node, in the next of its children in cyclic
 * order. Runs over the copies correspond one to one to runs over the states, and a run is accepting if the
 * highest node whose edges it takes infinitely often is accepting.
 *
 * The copies of a component need not be strongly connected. All copies of a state accept the same language,
 * so only the smallest bottom strongly connected component is kept, and edges from other components lead to
 * the first copy in it.
 */
#ifndef AUT_UNFOLD_CYCLES_H
#define AUT_UNFOLD_CYCLES_H

#include "aut/acd.h"

typedef struct aut_unfolding {
    uint32_t copy_count;
    const uint32_t *state;      /* by copy */
    const uint32_t *entry;      /* by state: the copy that edges from other components lead to */
    const uint32_t *edge_begin; /* by copy, and one more; in the order of the state's edges */
    const uint32_t *successor;  /* copies */
    const uint32_t *via;        /* nodes; AUT_ACD_NONE if between components, or not unfolded */
} aut_unfolding;

/*
 * `unfolded` tells, for each root, whether its component is unfolded; NULL unfolds all. States of other
 * components have one copy each. Linear in the size of the decomposition and the number of edges of all
 * copies. The result is allocated in the workspace.
 */
opac_status aut_unfold(const opac_automaton *automaton, const aut_acd *acd, const bool *unfolded,
                       graph_workspace *workspace, aut_unfolding *made, opac_error *error);

#endif
