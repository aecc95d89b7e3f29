/* SPDX-License-Identifier: MIT */
/*
 * A batch of n episodes that go together: how many of them take which branch, at
 * each step in each node of the map. Episodes are not told apart: given these
 * numbers, any order of the episodes is as likely as any other.
 *
 *     records   │ t=0: start │ t=1: node, node, … │ t=2: …     those with episodes in them
 *                     │
 *                     ▼
 *     codes     │ branch, branch, … │ branch, …                only branches that were taken
 *     counts    │ 70      30        │ …                        how often
 *     part      │ 35      15        │ …                        of the part that is split off
 *
 * A branch that is a gap ends the flow: what is behind it is drawn when the one
 * episode that goes there first is accepted (population.c). So flows are never
 * larger than T times the edges of the map.
 *
 * Splitting (population_flow_split) goes forward: of the episodes in a node, those of the part are a random
 * choice, and so their branches are multivariate hypergeometric, given that they
 * are exactly as many as the part itself has brought there.
 *
 * Cost: a binomial draw an edge and step, and a hypergeometric one for each split; 12 bytes a
 * taken edge and step, and 8 for the part.
 */
#ifndef SAMPLE_POPULATION_FLOW_H
#define SAMPLE_POPULATION_FLOW_H

#include "sample/population_graph.h"

#define POPULATION_NEW                                                                             \
    0x80000000u /* in codes: | the number of a state that the world has not met */

typedef struct population_record {
    size_t begin;
    uint32_t node, width;
} population_record;
BASE_VEC(population_record_vec, population_record);

/* A state that only this batch has seen. */
typedef struct population_new_state {
    uint64_t letter;
    uint32_t actions;
} population_new_state;
BASE_VEC(population_new_state_vec, population_new_state);

/* What a batch, or a part of it, amounts to. */
typedef struct population_sum {
    uint64_t steps;
    uint64_t gaps;       /* episodes that go through one */
    base_u64_vec visits; /* by tally */
} population_sum;

typedef struct population_flow {
    uint64_t n; /* episodes */
    population_record_vec records;
    base_u64_vec times; /* by step: its first record, and one more at the end */
    base_u32_vec codes;
    base_u64_vec counts, part;
    population_sum sum, part_sum;
    base_intern keys; /* of strangers */
    population_new_state_vec new_states;
    base_u64_vec mass[2]; /* by node: episodes at this step, and at the next; all 0 in between */
    base_u32_vec here, next;
    base_u64_vec branches; /* of one row; all 0 in between */
} population_flow;

void population_flow_init(population_flow *flow);
void population_flow_fini(population_flow *flow);

/*
 * Draws n episodes; the sum says what they amount to. n · T fits 63 bits, and n 53.
 * When cancelled, OPAC_ERROR_CANCELLED.
 */
opac_status population_flow_draw(population_flow *flow, const population_graph *graph,
                                 sample_run *run, uint64_t n, stat_rng *rng, opac_error *error);

/* Splits off n1 of the episodes, 1 <= n1 < n; they are the part, and have a sum. */
opac_status population_flow_split(population_flow *flow, const population_graph *graph, uint64_t n1,
                                  stat_rng *rng, opac_error *error);
void population_flow_keep_part(population_flow *flow,
                               uint64_t n1); /* all but the part is forgotten */
void population_flow_drop_part(population_flow *flow,
                               uint64_t n1); /* the part is, which has no gaps */

/* One transition of a single episode: the code of what a row of the world led to. Flows stay. */
opac_status population_flow_one(population_flow *flow, sample_statistics *stats, uint32_t row,
                                stat_rng *rng, uint32_t *code, opac_error *error);
/* The state behind a code that is new, as it was seen. */
opac_observation population_flow_new_state(const population_flow *flow, uint32_t code);

#endif
