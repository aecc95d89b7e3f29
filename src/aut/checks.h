/* SPDX-License-Identifier: MIT */
/* What is known about an automaton: its components, its form. */
#ifndef AUT_CHECKS_H
#define AUT_CHECKS_H

#include "aut/cycles.h"

/* What the cycles of a component do. */
typedef enum aut_component_kind {
    AUT_COMPONENT_TRIVIAL, /* there are none */
    AUT_COMPONENT_REJECTING,
    AUT_COMPONENT_ACCEPTING,
    AUT_COMPONENT_MIXED
} aut_component_kind;

typedef struct aut_component_kinds {
    const uint8_t *kind; /* by component: aut_component_kind */
} aut_component_kinds;

/* The components of a part, which of them accept, and of what kind they are; in the workspace. */
opac_status aut_component_kinds_of(const aut_graph *graph, graph_part part,
                                   const aut_condition *condition, graph_workspace *workspace,
                                   aut_scan *scan, aut_component_kinds *kinds, opac_error *error);

#endif
