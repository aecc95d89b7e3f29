/* SPDX-License-Identifier: MIT */
/*
 * What the graph of a chain tells: its components, which of the bottom ones
 * accept, and where the probability of acceptance is 0 or 1.
 *
 * A run ends in a bottom component with probability 1 and then takes each of
 * its edges infinitely often, so the marks that it sees for ever are all of
 * those. The condition is asked about them as it stands.
 */
#ifndef EVALUATE_COMPONENT_CLASSES_H
#define EVALUATE_COMPONENT_CLASSES_H

#include "evaluate/chain.h"
#include "graph/scc.h"

/* Which bottom components a component leads to, as bits. */
enum {
    EVALUATE_REJECTS = 1,
    EVALUATE_ACCEPTS = 2,
    EVALUATE_BOTH = 3
};

typedef struct evaluate_classes {
    graph_workspace workspace; /* of all arrays */
    graph_scc scc;             /* edges lead to components of smaller or equal numbers */
    graph_groups groups;       /* the states of each */
    uint8_t *class;            /* by component */
    uint32_t bottoms;
    uint32_t largest; /* states of the largest component that may be both */
} evaluate_classes;

/* evaluate_classes_fini is due in any case. Linear. */
opac_status evaluate_classes_init(evaluate_classes *classes, const evaluate_chain *chain,
                                  const aut_condition *condition, const opac_cancel *cancel,
                                  opac_error *error);
void evaluate_classes_fini(evaluate_classes *classes);

#endif
