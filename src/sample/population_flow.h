/* SPDX-License-Identifier: MIT */
/*
 * The flows of a batch of n episodes: how many of them take each branch, at each step in each node of the
 * graph. Episodes are not distinguished: given the flows, all orders of the episodes are equally likely.
 *
 *     records   │ t=0: start │ t=1: node, node, … │ t=2: …     nodes with episodes in them
 *                     │
 *                     ▼
 *     codes     │ branch, branch, … │ branch, …                only branches that were taken
 *     counts    │ 70      30        │ …                        number of episodes
 *     part      │ 35      15        │ …                        of them in the part that is split off
 *
 * A gap ends the flow: its successor is drawn when the first episode that takes it is counted
 * (population.c). So a flow has at most as many numbers as T times the edges of the graph.
 *
 * Splitting (population_flow_split) goes forward in time: the episodes of the part in a node are a uniform
 * subset of all episodes there, so their branches are multivariate hypergeometric, given their number,
 * which follows from the earlier steps (docs/theory.md, Lemma 15).
 *
 * Cost: a binomial draw for each edge and step, and a hypergeometric one for each split; 12 bytes for each
 * taken edge and step, and 8 for the part.
 */
#ifndef SAMPLE_POPULATION_FLOW_H
#define SAMPLE_POPULATION_FLOW_H

#include "sample/population_graph.h"

#define POPULATION_NEW                                                                             \
    0x80000000u /* flag in codes: the rest is the number of a state that is new to the statistics */

typedef struct population_record {
    size_t begin;
    uint32_t node, width;
} population_record;
BASE_VEC(population_record_vec, population_record);

/* A state that only this batch has observed. */
typedef struct population_new_state {
    uint64_t letter;
    uint32_t actions;
} population_new_state;
BASE_VEC(population_new_state_vec, population_new_state);

/* Sums over a batch or a part of it. */
typedef struct population_sum {
    uint64_t steps;
    uint64_t gaps;       /* number of episodes that take one */
    base_u64_vec visits; /* by tally */
} population_sum;

typedef struct population_flow {
    uint64_t n; /* episodes */
    population_record_vec records;
    base_u64_vec times; /* by step: its first record; and the number of records */
    base_u32_vec codes;
    base_u64_vec counts, part;
    population_sum sum, part_sum;
    base_intern keys; /* of strangers */
    population_new_state_vec new_states;
    base_u64_vec mass[2]; /* by node: episodes at this step and at the next; zeros between calls */
    base_u32_vec here, next; /* nodes with episodes at this step and at the next */
    base_u64_vec branches;   /* of one row; zeros between uses */
} population_flow;

void population_flow_init(population_flow *flow);
void population_flow_fini(population_flow *flow);

/*
 * Draws n episodes and their sum. n · T must be below 2^63, and n below 2^53. Fails with
 * OPAC_ERROR_CANCELLED if run->cancel is requested.
 */
opac_status population_flow_draw(population_flow *flow, const population_graph *graph,
                                 sample_run *run, uint64_t n, stat_rng *rng, opac_error *error);

/* Splits off n1 of the episodes, 1 <= n1 < n: sets `part` and `part_sum`. */
opac_status population_flow_split(population_flow *flow, const population_graph *graph, uint64_t n1,
                                  stat_rng *rng, opac_error *error);
void population_flow_keep_part(population_flow *flow,
                               uint64_t n1); /* all but the part is forgotten */
void population_flow_drop_part(population_flow *flow,
                               uint64_t n1); /* the part is, which has no gaps */

/* Draws one transition of a row, for a single episode. The flow is not changed. */
opac_status population_flow_one(population_flow *flow, sample_statistics *stats, uint32_t row,
                                stat_rng *rng, uint32_t *code, opac_error *error);
/* The observation of a new state, by its code. */
opac_observation population_flow_new_state(const population_flow *flow, uint32_t code);

#endif
