/* SPDX-License-Identifier: MIT */
/*
 * What the files of the interval solver share: the part of a process that is
 * known, nets, and the iteration on a net.
 *
 *     known part ─► classes ─► net ─► blocks ─► values, choices ─► states
 *
 * A net is the known part with the states of an end component made one node and
 * with two nodes that are settled: ONE and ZERO. In it every policy ends in
 * these almost surely, whatever the model, so that a vector that is inductive on
 * either side is a bound: if x ≤ Φ(x) then x is at most the value, if Φ(u) ≤ u at least.
 */
#ifndef SOLVE_INTERVAL_PARTS_H
#define SOLVE_INTERVAL_PARTS_H

#include "graph/mec.h"
#include "graph/reverse.h"
#include "solve/interval.h"

/* The process without its unknown choices. States keep their numbers. */
typedef struct solve_interval_known {
    graph_process process;
    const double *lower, *upper; /* by edge */
    const uint64_t *marks;       /* by choice */
    const uint32_t *origin;      /* by choice: its number in the problem */
    base_bitset hopes;           /* states that have an unknown choice */
    bool zero_edges;             /* some lower end is 0 */
    uint32_t widest;             /* edges of a choice, at most */
} solve_interval_known;

/* Refuses intervals that no model satisfies. All in the workspace. Linear. */
opac_status solve_interval_reduce(const solve_interval_problem *problem, graph_workspace *workspace,
                                  solve_interval_known *known, opac_error *error);

/*
 * The classes that a policy and an optimistic model can stay in: as graph_mec_find
 * finds them, and where lower ends are 0, such edges do not hold a choice back as long
 * as the others can carry everything. choices: those that can stay.
 */
opac_status solve_interval_classes(const solve_interval_known *known, graph_workspace *workspace,
                                   graph_mec *classes, opac_error *error);

enum {
    SOLVE_INTERVAL_ONE,
    SOLVE_INTERVAL_ZERO,
    SOLVE_INTERVAL_OTHERS /* the first node that is not settled */
};

typedef struct solve_interval_net {
    graph_process graph; /* of nodes; ONE and ZERO have no choices */
    const double *lower, *upper;
    const uint32_t *origin; /* by choice: the choice of the known part */
    uint32_t *order;        /* by edge: positions in its choice, sorted by value once used */
    const uint32_t *node;   /* by state */
    double *scratch;        /* as many as the widest choice has edges */
} solve_interval_net;

/*
 * Choices that stay in their class are dropped. If they can also leave it, then by edges
 * whose lower end is 0: a model may leave by one of them alone, so each is a choice of its own.
 */
opac_status solve_interval_net_build(const solve_interval_known *known, const graph_mec *classes,
                                     const base_bitset *one, const base_bitset *zero,
                                     graph_workspace *workspace, solve_interval_net *net,
                                     opac_error *error);

typedef struct solve_interval_iteration {
    const solve_interval_net *net;
    bool optimistic; /* the greatest over models, and a bound from above; else both the least */
    double precision;
    const solve_interval_options *options; /* whom to ask whether to stop */
    bool is_cut;                           /* it was stopped: no further block is iterated on */
    double *start;    /* by node: a guess from below to begin with; overwritten */
    double *hope;     /* by node, optimistic only: a guess from above; NULL: none */
    double *value;    /* by node: the result, inductive */
    uint32_t *choice; /* by node: a choice of the net that attains it, from below; else any */
    uint64_t sweeps;  /* counted up, in units of sweeps of the whole net, at least one a block */
} solve_interval_iteration;

/* Whether to stop; once it is so, it stays so. */
bool solve_interval_is_cut(solve_interval_iteration *iteration);

opac_status solve_interval_iterate(solve_interval_iteration *iteration, graph_workspace *workspace,
                                   opac_error *error);

/* What a choice of the net is worth, rounded outward. */
double solve_interval_worth(const solve_interval_net *net, uint32_t choice, const double *value,
                            bool greatest);

/*
 * The q of a step in doubles, by position; order is sorted already. Nothing is rounded outward.
 */
void solve_interval_spread(const double *lower, const double *upper, const uint32_t *order,
                           uint32_t count, bool greatest, double *q);

#endif
