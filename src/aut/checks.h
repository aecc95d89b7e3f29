/* SPDX-License-Identifier: MIT */
/* What is known about an automaton: its components, its language, its form. */
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

/*
 * What simpler conditions the language of a deterministic automaton allows, by
 * the trees of its cycles. For one that is not deterministic: what conditions
 * this automaton could have.
 */
typedef struct aut_language {
    bool is_buchi;   /* recognised by a deterministic Büchi automaton */
    bool is_cobuchi; /* likewise co-Büchi */
    bool is_weak;    /* both */
} aut_language;

opac_status aut_language_of(const opac_automaton *automaton, aut_language *language,
                            opac_error *error);

/* Whether a condition is t or a conjunction of Infs, as written. */
bool aut_is_generalized_buchi(const aut_condition *condition);

/* Whether all edges of a state carry the same marks, of every state. */
bool aut_is_state_based(const opac_automaton *automaton);

#endif
