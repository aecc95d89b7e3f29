/* SPDX-License-Identifier: MIT */
/*
 * Measures the speed of minimal sampling loops on this machine, for comparison with a sampler.
 *
 *     opac_walk_options options = {
 *         .states = 12, .successors = 3, .walks = 8, .threads = 1, .steps = 20000000};
 *     double rate;
 *     if (opac_walk_rate(&options, &rate, &error) == OPAC_OK)
 *         printf("at most %g steps per second\n", rate);
 *
 * The random walk samples a successor and loads it, without counters, episodes or a policy. Rates depend on
 * the machine and its load; only ratios of rates measured together are meaningful.
 */
#ifndef OMEGAPAC_CALIBRATION_H
#define OMEGAPAC_CALIBRATION_H

#include <stdint.h>

#include <omegapac/error.h>
#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The graph and the walks. State s leads to the states successors·s, successors·s + 1, … modulo the number
 * of states, uniformly at random. */
typedef struct opac_walk_options {
    uint32_t states;     /* 1 to 2^24 */
    uint32_t successors; /* of each state, 1 to 64 */
    unsigned walks; /* interleaved walks of a thread: 1 (each step waits for the one before) or 8 */
    unsigned threads; /* 0: number of processors */
    uint64_t steps;   /* steps of each thread */
} opac_walk_options;

/* Measures the steps per second of all threads together, the best of five trials. Fails with
 * OPAC_ERROR_ARGUMENT for options out of range. */
OPAC_API opac_status opac_walk_rate(const opac_walk_options *options, double *rate,
                                    opac_error *error);
/* Measures the random numbers per second in one thread, the best of five trials with this number of draws.
 * A step needs at least one random number. */
OPAC_API double opac_draw_rate(uint64_t draws);

#ifdef __cplusplus
}
#endif

#endif
