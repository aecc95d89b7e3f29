/* SPDX-License-Identifier: MIT */
/*
 * The rates of bare loops on this machine, as a scale for the steps a second of a sampler.
 *
 *     opac_walk_options options = {.states = 12, .successors = 3, .walks = 8, .threads = 1, .steps = 20000000};
 *     double rate;
 *     if (opac_walk_rate(&options, &rate, &error) == OPAC_OK)
 *         printf("%g steps a second at most\n", rate);
 *
 * A bare walk draws a successor and loads it, and does nothing else: no counters, no episodes, no policy. Rates
 * depend on the machine, and on what else it does: only ratios of rates measured together mean something.
 */
#ifndef OMEGAPAC_CALIBRATION_H
#define OMEGAPAC_CALIBRATION_H

#include <stdint.h>

#include <omegapac/error.h>
#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The graph and the walks: state s leads to successors·s, successors·s + 1, … modulo the number of states, all
 * with the same probability. */
typedef struct opac_walk_options {
    uint32_t states;     /* 1 to 2^24 */
    uint32_t successors; /* of each state, 1 to 64 */
    unsigned walks; /* at a time in a thread: 1, whose every step waits for the one before, or 8 */
    unsigned threads; /* 0: as many as there are processors */
    uint64_t steps;   /* of each thread */
} opac_walk_options;

/* Steps a second of all threads, the best of five tries. Other options are OPAC_ERROR_ARGUMENT. */
OPAC_API opac_status opac_walk_rate(const opac_walk_options *options, double *rate,
                                    opac_error *error);
/* Random numbers a second in one thread, the best of five tries of so many draws: a step needs one at least. */
OPAC_API double opac_draw_rate(uint64_t draws);

#ifdef __cplusplus
}
#endif

#endif
