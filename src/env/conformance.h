/* SPDX-License-Identifier: MIT */
/*
 * The conformance check of a simulator (conformance.c): its data, and the functions that the checks share.
 *
 *     explore     runs episodes that prefer untried actions; keeps the first CONF_MAX_TRACES as traces
 *     replay      repeats the traces: in the same and in a second instance, with other seeds, in other lanes
 *     successors  compares `draw` and `successors` with the observed transitions
 *     summary     reports what follows from all observations
 *     exit        checks that a program exits when it is asked to
 *
 * A call that fails because of the simulator is reported as a finding, and makes the instance unusable;
 * the next check starts another one. Other failures (no memory, cancelled) end the session.
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
    CONF_MAX_TRACES = 16,     /* episodes kept for the replay */
    CONF_SHOWN = 96,          /* buffer for a state in a message */
    CONF_TEXT_SIZE = 2048,    /* buffer for a finding */
    CONF_REQUESTS_SIZE = 400, /* buffer for requests: "reset 17, step up" */
    CONF_OTHER_SEEDS = 20,    /* seeds with which a trace is repeated */
};

/* The letter and the number of actions that a state had when it was first reported. */
typedef struct conf_state {
    uint64_t letter;
    uint32_t actions;
} conf_state;
BASE_VEC(conf_state_vec, conf_state);

/* A state-action pair that was tried. */
typedef struct conf_pair {
    uint32_t state, action;
    uint32_t first; /* its first observed successor */
    bool varies;    /* another successor was observed */
} conf_pair;
BASE_VEC(conf_pair_vec, conf_pair);

/* An action and the state that it led to; the first step of a trace is a reset. */
typedef struct conf_step {
    uint32_t action, state;
} conf_step;
BASE_VEC(conf_step_vec, conf_step);

typedef struct conf_trace {
    uint64_t seed;
    conf_step_vec steps;
} conf_trace;

typedef struct conf_session {
    const char *name;
    const opac_conformance_options *options;
    opac_finding_listener listener;
    void *context;
    opac_conformance *outcome;

    opac_environment *env; /* NULL: not started, or unusable */
    env_traits traits;
    size_t propositions;

    base_meter meter; /* limit on memory */
    base_intern states;
    conf_state_vec facts; /* by state */
    base_map pair_of;     /* state and action ► pair + 1 */
    conf_pair_vec pairs;
    base_map edges;  /* pair and successor; only if traits.knows_graph */
    base_map starts; /* initial states */
    /* ---- if traits.tells_outcomes ---- */
    base_intern classes, outcomes;
    base_map class_of;             /* pair + 1 ► class + 1 */
    base_map successor_of;         /* pair + 1 and outcome ► successor + 1 */
    uint64_t held;                 /* propositions that held in some state */
    uint64_t late_steps, late_new; /* in the second half: all steps, and steps to new states */
    conf_trace traces[CONF_MAX_TRACES];
    size_t trace_count;
    bool is_repeatable; /* the same seed gave the same answers */
    bool has_failed;    /* the exploration was ended by a failure */
} conf_session;

/* ---- findings ---- */

void conf_report(conf_session *session, opac_finding_kind kind, const char *check,
                 const char *format, ...) BASE_PRINTF(4, 5);
/* As conf_report, and names the options that the advice is about, separated by blanks. */
void conf_report_parameter(conf_session *session, opac_finding_kind kind, const char *check,
                           const char *parameter, const char *format, ...) BASE_PRINTF(5, 6);

/*
 * Handles a failed call. If the simulator caused it, reports it as an error of the check, with the
 * requests that led to it (may be ""), and returns OPAC_OK; else returns the failure.
 */
opac_status conf_report_failure(conf_session *session, const char *check, const char *requests,
                                const opac_error *found, opac_error *error);

/* Writes a state to a buffer of CONF_SHOWN bytes. */
const char *conf_show_state(const conf_session *session, uint32_t state, char *buffer);
/* Writes the requests of a trace before step `end` to a buffer of CONF_REQUESTS_SIZE bytes: "reset 17,
 * step up". Of many requests only the number and the last ones are written. */
const char *conf_format_requests(const conf_session *session, const opac_environment *env,
                                 const conf_trace *trace, size_t end, char *buffer);
/* Appends ", step up" or ", step 3" to it. */
void conf_append_step(const conf_session *session, const opac_environment *env, uint32_t state,
                      uint32_t action, char *buffer);

/* ---- instances ---- */

/* Opens a new instance. If the simulator fails, reports that for the check, and sets *env to NULL. */
opac_status conf_open(conf_session *session, const char *check, opac_environment **env,
                      opac_error *error);
/* Opens the first instance again if it is unusable. */
opac_status conf_ensure_open(conf_session *session, const char *check, opac_error *error);
void conf_close(conf_session *session);

/* ---- observations ---- */

/* The number of a state, which is added if it is new. Fails if a known state has another letter or other
 * actions than before. */
opac_status conf_add_state(conf_session *session, const opac_observation *seen, uint32_t *state,
                           bool *is_new, opac_error *error);
opac_status conf_add_transition(conf_session *session, uint32_t state, uint32_t action,
                                uint32_t next, opac_error *error);
bool conf_has_pair(const conf_session *session, uint32_t state, uint32_t action);

/* Sends one request to each lane; with one lane, by env_reset and env_step. */
/* Checks the class and the outcome of a step after conf_add_transition: OPAC_ERROR_SIMULATOR if the pair had another
 * class before, or the outcome led to another state. */
opac_status conf_add_outcome(conf_session *session, uint32_t state, uint32_t action, uint32_t next,
                             const opac_observation *seen, opac_error *error);
void conf_report_outcomes(conf_session *session);

opac_status conf_step_lanes(opac_environment *env, uint32_t lanes,
                            const opac_lane_request *requests, opac_observation *observations,
                            opac_error *error);

/* ---- the checks ---- */

opac_status conf_explore(conf_session *session, opac_error *error);
opac_status conf_check_replay(conf_session *session, opac_error *error);
opac_status conf_check_successors(conf_session *session, opac_error *error);
opac_status conf_check_exit(conf_session *session, opac_error *error);
void conf_summarize(conf_session *session);

#endif
