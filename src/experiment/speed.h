/* SPDX-License-Identifier: MIT */
/*
 * How fast samples are drawn, and how fast they could be: what the page of `speed` and its tests
 * share.
 */
#ifndef EXPERIMENT_SPEED_H
#define EXPERIMENT_SPEED_H

#include "experiment/lab.h"
#include "experiment/trial.h"

/* ---- what the machine allows ---- */

/*
 * A walk through tables and nothing else: a draw and three loads a step, each of which waits for
 * the one before, in a graph of so many states with so many successors each, from which a walk is
 * soon anywhere. No counters, no episodes, no policy.
 */
typedef struct experiment_bare experiment_bare;

opac_status experiment_bare_new(uint32_t states, uint32_t width, experiment_bare **bare,
                                opac_error *error);
void experiment_bare_free(experiment_bare *bare);
/* Where a walk of so many steps ends: one walk alone, whose every step waits for the last; or the
 * exclusive or of eight walks of as many steps each, which do not wait for each other. */
uint32_t experiment_bare_walk(const experiment_bare *bare, uint64_t seed, uint64_t steps);
uint32_t experiment_bare_walk_eight(const experiment_bare *bare, uint64_t seed, uint64_t steps);

/* Steps a second, the best of some tries: one walk in one thread, or eight in each of `threads`. */
opac_status experiment_bare_rate(const experiment_bare *bare, bool is_alone, unsigned threads,
                                 uint64_t steps, double *rate, opac_error *error);
/* Random numbers a second, in one thread: no step takes less than one. */
double experiment_draw_rate(uint64_t draws);

/* ---- what the learner does ---- */

typedef struct experiment_speed_case {
    const char *name;
    uint32_t states, width; /* of the product, and the successors of a pair: for the bare walk */
    uint64_t horizon;
    opac_learn_sampler sampler;
    uint64_t steps; /* 0: a whole run with the paper's k; else so many for each thread, and no pair
                       becomes known */
} experiment_speed_case;

typedef struct experiment_speed_run {
    uint64_t steps, episodes, k;
    double seconds; /* of sampling */
} experiment_speed_run;

/* The gridworld, or, of as many states as the case has, a graph like that of the bare walk. */
opac_status experiment_speed_open(const experiment_speed_case *one, experiment_question *question,
                                  opac_error *error);
opac_status experiment_speed_measure(const experiment_question *question,
                                     const experiment_speed_case *one, unsigned threads,
                                     uint64_t seed, const opac_cancel *cancel,
                                     experiment_speed_run *run, opac_error *error);

/* ---- the page ---- */

/* Steps: of each measurement; a whole run is a whole run. */
opac_status experiment_speed_page(experiment_lab *lab, uint64_t steps, opac_error *error);

#endif
