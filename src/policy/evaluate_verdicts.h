/* SPDX-License-Identifier: MIT */
/*
 * What the graph of a chain tells: its components, which of the bottom ones
 * accept, and where the probability of acceptance is 0 or 1.
 *
 * A run ends in a bottom component with probability 1 and then takes each of
 * its edges infinitely often, so the marks that it sees for ever are all of
 * those. The condition is asked about them as it stands.
 */
#ifndef POLICY_EVALUATE_VERDICTS_H
#define POLICY_EVALUATE_VERDICTS_H

#include "graph/scc.h"
#include "policy/evaluate_chain.h"

/* Which bottom components a component leads to, as bits. */
enum {
    POLICY_REJECTS = 1,
    POLICY_ACCEPTS = 2,
    POLICY_MAYBE = 3
};

typedef struct policy_verdicts {
    graph_workspace workspace; /* of all arrays */
    graph_scc scc;             /* edges lead to components of smaller or equal numbers */
    graph_groups groups;       /* the states of each */
    uint8_t *verdict;          /* by component */
    uint32_t bottoms;
    uint32_t largest; /* states of the largest component that may be both */
} policy_verdicts;

/* policy_verdicts_fini is due in any case. Linear. */
opac_status policy_verdicts_init(policy_verdicts *verdicts, const policy_chain *chain,
                                 const aut_condition *condition, const opac_cancel *cancel,
                                 opac_error *error);
void policy_verdicts_fini(policy_verdicts *verdicts);

#endif
