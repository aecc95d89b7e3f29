/* SPDX-License-Identifier: MIT */
/*
 * What both loops have around them (loop.c, certify.c): the beginning, from the first
 * reset or a checkpoint; when to halt; when a checkpoint is due; and the ends that have nothing to
 * do with what was learned.
 */
#ifndef LEARN_FRAME_H
#define LEARN_FRAME_H

#include "learn/learning.h"

typedef struct learn_frame {
    opac_learning *learning;
    double began, due; /* seconds; of the next checkpoint */
    bool is_ended;
} learn_frame;

/* The run halts by the frame from now on, until learn_frame_end. */
void learn_frame_begin(learn_frame *frame, opac_learning *learning, const learn_tuning *tuning);
void learn_frame_end(learn_frame *frame);

/* The run is over: report.end. */
void learn_frame_stop(learn_frame *frame, opac_learn_end why);
/* The same for a handle that counts as requested: a signal came, or its deadline has passed. */
void learn_frame_stop_cancelled(learn_frame *frame);

bool learn_frame_is_due(const learn_frame *frame);
/* Writes these bytes, or (NULL) the run as it is, to the checkpoint. A failure is told, and noted in the
 * report until one is written again. */
void learn_frame_write(opac_learning *learning, const char *bytes, size_t length);
/* Writes the checkpoint, if there is to be one; a failure is told. */
void learn_frame_save(learn_frame *frame);
/* Whether a declared bound, a request, the steps or the time end the run. */
void learn_frame_check_ends(learn_frame *frame);

/* The state that episode 0 begins in, so that there is something to have a policy for. */
opac_status learn_frame_look_at_start(learn_run *run, opac_error *error);
/* Before anything is sampled: a trial of whether seeds matter (env/trial.h), unless the environment is
 * a model or is declared deterministic. */
opac_status learn_frame_try(opac_learning *learning, opac_error *error);
/* Whether the trial that is due has come to an end, in this run or in the one that is resumed. Before
 * that nothing may be claimed, also where the start alone decides everything. */
bool learn_frame_may_claim(const opac_learning *learning);
/* The step sampler, after the trial. If what is random does not follow from the seed, it runs one episode at a time,
 * which is told. */
opac_status learn_frame_make_step(opac_learning *learning, learn_step **step, opac_error *error);
/* A new policy: its entry of the trace, which the listener hears. lower, upper: NAN if there is no
 * bracket. */
opac_status learn_frame_trace(opac_learning *learning, double value, double lower, double upper,
                              opac_error *error);
/* What is in the checkpoint; the listener hears of the trace. */
opac_status learn_frame_resume(opac_learning *learning, opac_error *error);

#endif
