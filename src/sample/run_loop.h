/* SPDX-License-Identifier: MIT */
/*
 * The loop of a run, for any strategy (strategy.h): begins with the first reset or a checkpoint, calls the
 * strategy and one of two samplers in turn, writes checkpoints, and ends the run at limits and on request.
 */
#ifndef SAMPLE_RUN_LOOP_H
#define SAMPLE_RUN_LOOP_H

#include "sample/learning.h"

typedef struct sample_loop {
    opac_learning *learning;
    sample_step *step;             /* NULL until it is first used */
    sample_population *population; /* likewise */
    double began, due;             /* by opac_clock_seconds: the start; the next checkpoint */
    bool is_ended;
} sample_loop;

/* Runs from the first reset, or a checkpoint, to the end. */
opac_status sample_loop_run(opac_learning *learning, const sample_tuning *tuning,
                            opac_error *error);

/* Ends the run, with report.end = why. */
void sample_loop_end(sample_loop *loop, opac_learn_end why);
/* Ends the run because options.cancel is requested: by a signal, or because its deadline has passed. */
void sample_loop_end_cancelled(sample_loop *loop);

/*
 * Writes these bytes, or the current state of the run if they are NULL, as checkpoint. A failure is reported
 * to the caller and noted in the report, until a checkpoint is written again; it does not end the run.
 */
void sample_loop_write_checkpoint(opac_learning *learning, const char *bytes, size_t length);
/*
 * For strategies whose checkpoints are those before an update. Prints the checkpoint into memory, in place of
 * *kept; if memory is exhausted there is none, and *kept is NULL. The caller releases it by opac_output_free.
 */
void sample_loop_keep_checkpoint(opac_learning *learning, opac_output **kept);
/* Writes it, unless it is NULL. */
void sample_loop_write_kept(opac_learning *learning, opac_output *kept);
/* Writes the checkpoint if the options have one. */
void sample_loop_save(sample_loop *loop);
/* Ends the run if a declared bound was wrong, on request, or if steps, time or memory are used up. */
void sample_loop_check_limits(sample_loop *loop);
/* Checks the limits, and writes a checkpoint if one is due or the run has ended. */
void sample_loop_pause(sample_loop *loop);

/* Runs the trial of a simulator (trial.h) once, before anything is sampled. None is needed if the environment
 * is a model or is declared deterministic. */
opac_status sample_loop_run_trial(opac_learning *learning, opac_error *error);
/* Whether a required trial has finished, in this run or in the one that is resumed. Until then the run must
 * not end with a guarantee, even if the first state decides the result. */
bool sample_loop_trial_is_done(const opac_learning *learning);
/*
 * Adds a trace entry for a new policy and calls the caller's listener. lower, upper: NAN without a bracket.
 */
opac_status sample_loop_add_trace(opac_learning *learning, double value, double lower, double upper,
                                  opac_error *error);

#endif
