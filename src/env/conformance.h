/* SPDX-License-Identifier: MIT */
/*
 * The trial of a simulator (conformance.c): what was seen of it so far, and the
 * pieces that the checks share.
 *
 *     explore     episodes that prefer what nobody has tried; the first KEPT are kept as traces
 *     replay      the same again: here, elsewhere, with other seeds, in other lanes
 *     report      what follows from all that was seen
 *
 * A call that fails through the simulator's own fault is a finding, and breaks
 * the instance; whatever comes next starts another one. Other failures (no
 * memory, cancelled) end the trial.
 */
#ifndef ENV_CONFORMANCE_H
#define ENV_CONFORMANCE_H

#include <omegapac/conformance.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "env/env.h"
#include "env/env_trial.h"

enum {
    CONF_MAX_TRACES = 16,     /* episodes that are kept, to be run again */
    CONF_SHOWN = 96,          /* bytes of a state in a text */
    CONF_TEXT_SIZE = 2048,    /* of a finding */
    CONF_REQUESTS_SIZE = 400, /* of "reset 17, step up" */
    CONF_OTHER_SEEDS = 20,    /* with which a trace is tried again */
};

/* What came with a state when it was first seen. */
typedef struct conf_state {
    uint64_t letter;
    uint32_t actions;
} conf_state;
BASE_VEC(conf_state_vec, conf_state);

/* An action of a state that was taken. */
typedef struct conf_pair {
    uint32_t state, action;
    uint32_t first; /* where it has led to */
    bool varies;    /* and elsewhere */
} conf_pair;
BASE_VEC(conf_pair_vec, conf_pair);

/* A request and its answer; the first of a trace is a reset. */
typedef struct conf_step {
    uint32_t action, state;
} conf_step;
BASE_VEC(conf_step_vec, conf_step);

typedef struct conf_trace {
    uint64_t seed;
    conf_step_vec moves;
} conf_trace;

typedef struct conf_session {
    const char *name;
    const opac_conformance_options *options;
    opac_finding_listener listener;
    void *context;
    opac_conformance *outcome;

    opac_environment *env; /* NULL: none is there, or it broke */
    env_traits traits;
    size_t propositions;

    base_meter meter; /* of memory */
    base_intern states;
    conf_state_vec facts; /* by state */
    base_map pair_of;     /* state and action ► pair + 1 */
    conf_pair_vec pairs;
    base_map edges;                /* pair and successor; when the environment knows its graph */
    base_map starts;               /* states of resets */
    uint64_t ever;                 /* propositions that held somewhere */
    uint64_t late_steps, late_new; /* of the second half: steps, and those to new states */
    conf_trace kept[CONF_MAX_TRACES];
    size_t kept_count;
    bool is_repeatable; /* the same seed gave the same again */
    bool has_broken;    /* while it was explored */
} conf_session;

/* ---- findings ---- */

void conf_report(conf_session *session, opac_finding_kind kind, const char *check,
                 const char *format, ...) BASE_PRINTF(4, 5);
/* The same with the options that the advice is about. */
void conf_report_parameter(conf_session *session, opac_finding_kind kind, const char *check,
                           const char *parameter, const char *format, ...) BASE_PRINTF(5, 6);

/*
 * What a failed call means: the simulator's own fault becomes an error of that
 * check, with the message and `after` (may be "") behind it, and OPAC_OK;
 * anything else goes on.
 */
opac_status conf_report_failure(conf_session *session, const char *check, const char *after,
                                const opac_error *found, opac_error *error);

/* A state, in a buffer of CONF_SHOWN; "reset 17, step up", in one of CONF_REQUESTS_SIZE: the requests
 * of a trace before move `end`, the last of them when there are many. */
const char *conf_show_state(const conf_session *session, uint32_t state, char *buffer);
const char *conf_format_requests(const conf_session *session, const opac_environment *env,
                                 const conf_trace *trace, size_t end, char *buffer);
/* Behind that, ", step up" or ", step 3". */
void conf_format_step(const conf_session *session, const opac_environment *env, uint32_t state,
                      uint32_t action, char *buffer);

/* ---- instances ---- */

/* Another one; a failure by its own fault is a finding of the check, and *env NULL. */
opac_status conf_open(conf_session *session, const char *check, opac_environment **env,
                      opac_error *error);
/* The first one, started again if it broke. */
opac_status conf_ensure_open(conf_session *session, const char *check, opac_error *error);
/* It is of no use any more. */
void conf_close(conf_session *session);

/* ---- what is seen ---- */

/* The number of a state, which is new or as before: else an error that says how it differs. */
opac_status conf_add_state(conf_session *session, const opac_observation *seen, uint32_t *state,
                           bool *is_new, opac_error *error);
opac_status conf_add_transition(conf_session *session, uint32_t state, uint32_t action,
                                uint32_t next, opac_error *error);
bool conf_has_transition(const conf_session *session, uint32_t state, uint32_t action);

/* One order for each lane; with one lane: by reset and step. */
opac_status conf_step_lanes(opac_environment *env, uint32_t lanes, const opac_lane_request *orders,
                            opac_observation *observations, opac_error *error);

/* ---- the checks ---- */

opac_status conf_explore(conf_session *session, opac_error *error);
opac_status conf_check_replay(conf_session *session,
                              opac_error *error); /* seeds, instances, lanes */
opac_status conf_check_successors(conf_session *session,
                                  opac_error *error); /* draw and successors */
opac_status conf_check_exit(conf_session *session,
                            opac_error *error); /* bye, and the end of its input */
void conf_summarize(conf_session *session);

#endif
