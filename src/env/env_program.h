/* SPDX-License-Identifier: MIT */
/*
 * A simulator that is a program: what exec.c runs, and complaints about it,
 * which are made elsewhere (env_program.c).
 */
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
    const char **names; /* of the propositions, in the arena; NULL behind the last */
    base_arena arena;
    env_state_table sights;
    uint32_t *states;        /* that the lanes are in */
    opac_lane_request *idle; /* of reset and step: orders for all lanes */
    bool is_single;          /* the episode under way is that of reset and step */
    /* Of lanes that are idle then: what is asked, and what they answered last, which was right. */
    base_text idle_request, idle_answers;
    opac_status status;
    opac_error failure; /* where status is not OPAC_OK */
} env_program;

/* A line of theirs or ours, without its end. */
base_slice env_program_strip(const char *bytes, size_t length);

/*
 * Whatever they return but OPAC_OK, OPAC_ERROR_CANCELLED and OPAC_ERROR_MEMORY is kept: from then on
 * the program is not asked any more.
 */

/* What has become of the wait for a line; OPAC_OK: it is there. */
opac_status env_program_fail_event(env_program *p, env_channel_event event, opac_error *error);
/* An answer that means nothing, or something else than before; a greeting that is none. */
opac_status env_program_fail_answer(env_program *p, base_slice line, uint32_t lane,
                                    const opac_error *found, opac_error *error);
opac_status env_program_fail_greeting(env_program *p, base_slice line, const opac_error *found,
                                      opac_error *error);

#endif
