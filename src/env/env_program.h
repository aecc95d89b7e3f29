/* SPDX-License-Identifier: MIT */
/* The state of a simulator that is a program (exec.c), and the errors about it (env_program.c). */
#ifndef ENV_PROGRAM_H
#define ENV_PROGRAM_H

#include <omegapac/environment.h>

#include "env/channel.h"
#include "env/env_process.h"
#include "env/state_table.h"

typedef struct env_program {
    char *command;
    opac_environment_options options;
    env_process process;
    env_channel channel;
    protocol_greeting greeting;
    bool has_greeted;
    const char **names; /* of the propositions, followed by NULL; in the arena */
    base_arena arena;
    env_state_table table;
    uint32_t *states; /* by lane: the state that it is in */
    /* By lane, if the simulator tells outcomes: the fourth word of its last answer, and the length of the class in
     * it; 0 after a reset. */
    base_text *pairs;
    size_t *class_lengths;
    opac_lane_request *requests; /* of reset and step: one for each lane */
    bool is_single;              /* the current episode was begun by reset, not by step_many */
    /* If is_single: the requests to the other lanes, and their last valid answers. */
    base_text idle_request, idle_answers;
    opac_status status; /* other than OPAC_OK: every further call fails with `failure` */
    opac_error failure;
} env_program;

/* The line without its line feed or carriage return and line feed. */
base_slice env_program_trim(const char *bytes, size_t length);

/*
 * The functions below set the error, and store it in the program unless it is OPAC_ERROR_CANCELLED or
 * OPAC_ERROR_MEMORY: a program that failed once gets no further requests.
 */

/* Converts the event that ended a wait; OPAC_OK if the line has arrived. */
opac_status env_program_fail_event(env_program *p, env_channel_event event, opac_error *error);
/* An answer that is malformed, or contradicts an earlier one. */
opac_status env_program_fail_answer(env_program *p, base_slice line, uint32_t lane,
                                    const opac_error *found, opac_error *error);
opac_status env_program_fail_greeting(env_program *p, base_slice line, const opac_error *found,
                                      opac_error *error);

#endif
