/* SPDX-License-Identifier: MIT */
/*
 * A run, whatever its strategy is (strategy.h): the beginning, from the first reset or a
 * checkpoint; samples, by one of two samplers; when to halt; when a checkpoint is due; and the ends
 * that have nothing to do with what was learned.
 */
#ifndef SAMPLE_RUN_LOOP_H
#define SAMPLE_RUN_LOOP_H

#include "sample/learning.h"

typedef struct sample_loop {
    opac_learning *learning;
    sample_step *step;             /* made when it is first needed, */
    sample_population *population; /* and so is this one */
    double began, due;             /* seconds; of the next checkpoint */
    bool is_ended;
} sample_loop;

/* From the first reset, or a checkpoint, to the end. */
opac_status sample_loop_run(opac_learning *learning, const sample_tuning *tuning,
                            opac_error *error);

/* The run is over: report.end. */
void sample_loop_end(sample_loop *frame, opac_learn_end why);
/* The same for a handle that counts as requested: a signal came, or its deadline has passed. */
void sample_loop_end_cancelled(sample_loop *frame);

/* Writes these bytes, or (NULL) the run as it is, to the checkpoint. A failure is told, and noted in the
 * report until one is written again. */
void sample_loop_write_checkpoint(opac_learning *learning, const char *bytes, size_t length);
/* Writes the checkpoint, if there is to be one; a failure is told. */
void sample_loop_save(sample_loop *frame);
/* Whether a declared bound, a request, the steps or the time end the run. */
void sample_loop_check_limits(sample_loop *frame);
/* The same, and a checkpoint, if one is due or the run has ended. */
void sample_loop_pause(sample_loop *frame);

/* Before anything is sampled: a trial of whether seeds matter (env/env_trial.h), unless the environment is
 * a model or is declared deterministic. */
opac_status sample_loop_run_trial(opac_learning *learning, opac_error *error);
/* Whether the trial that is due has come to an end, in this run or in the one that is resumed. Before
 * that nothing may be claimed, also where the start alone decides everything. */
bool sample_loop_trial_is_done(const opac_learning *learning);
/* A new policy: its entry of the trace, which the listener hears. lower, upper: NAN if there is no
 * bracket. */
opac_status sample_loop_add_trace(opac_learning *learning, double value, double lower, double upper,
                                  opac_error *error);

#endif
