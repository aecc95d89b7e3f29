/* SPDX-License-Identifier: MIT */
/* Classification of the strongly connected components of an automaton by their cycles. */
#ifndef AUT_CHECKS_H
#define AUT_CHECKS_H

#include "aut/cycles.h"

/* Which cycles a component has. */
typedef enum aut_component_kind {
    AUT_COMPONENT_TRIVIAL,   /* none */
    AUT_COMPONENT_REJECTING, /* rejecting ones only */
    AUT_COMPONENT_ACCEPTING, /* accepting ones only */
    AUT_COMPONENT_MIXED      /* both */
} aut_component_kind;

typedef struct aut_component_kinds {
    const uint8_t *kind; /* by component: aut_component_kind */
} aut_component_kinds;

/* Finds the components of a part, which of them are accepting, and their kinds. Allocated in the
 * workspace. */
opac_status aut_classify_components(const aut_graph *graph, graph_part part,
                                    const aut_condition *condition, graph_workspace *workspace,
                                    aut_scc_info *info, aut_component_kinds *kinds,
                                    opac_error *error);

#endif
