/* SPDX-License-Identifier: MIT */
/*
 * The exploration: episodes that prefer actions not tried before. In each state it searches the actions from
 * a random one on for an untried one, and takes the random one if it finds none. All lanes run in parallel; a
 * lane whose episode ends begins the next one.
 */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/alloc.h"
#include "base/work.h"

enum {
    MAX_SEARCHED = 64 /* actions searched for an untried one */
};

/* A lane and its episode. */
typedef struct lane {
    bool is_active;
    uint64_t steps;
    uint32_t state;
    uint32_t action; /* of the current request */
    uint64_t seed;
    conf_trace *trace; /* NULL: the episode is not kept for the replay */
} lane;

typedef struct exploration {
    conf_session *session;
    uint32_t lanes;
    lane *lane;
    opac_lane_request *requests;
    opac_observation *observations;
    uint64_t begun; /* episodes */
    stat_rng rng;
} exploration;

static uint32_t choose(exploration *x, uint32_t state)
{
    uint32_t actions = x->session->facts.items[state].actions;
    uint32_t first = (uint32_t)stat_rng_below(&x->rng, actions);
    for (uint32_t i = 0; i < actions && i < MAX_SEARCHED; i++) {
        uint32_t action = (uint32_t)(((uint64_t)first + i) % actions);
        if (!conf_has_pair(x->session, state, action))
            return action;
    }
    return first;
}

/* Begins the next episode in a lane; if there is none, the lane becomes inactive. */
static void begin(exploration *x, lane *l, opac_lane_request *request_lane)
{
    conf_session *session = x->session;
    uint64_t seed = env_episode_seed(session->options->seed, x->begun);
    *request_lane = (opac_lane_request){.is_reset = true, .seed = seed};
    *l = (lane){.seed = seed};
    if (x->begun == session->options->episodes)
        return; /* an inactive lane is reset, and its answers are ignored */
    l->is_active = true;
    if (session->trace_count < CONF_MAX_TRACES) {
        l->trace = &session->traces[session->trace_count++];
        l->trace->seed = seed;
    }
    x->begun++;
}

/* Whether the lane needs a new episode. */
static bool has_ended(const exploration *x, const lane *l)
{
    return !l->is_active || l->steps == x->session->options->steps ||
           x->session->facts.items[l->state].actions == 0;
}

static void request_lane(exploration *x, uint32_t i)
{
    lane *l = &x->lane[i];
    if (has_ended(x, l)) {
        begin(x, l, &x->requests[i]);
        return;
    }
    l->action = choose(x, l->state);
    x->requests[i] = (opac_lane_request){.action = l->action};
}

/* Whether more than half of the episodes have begun. */
static bool is_late(const exploration *x)
{
    const opac_conformance *outcome = x->session->outcome;
    return outcome->episodes * 2 > x->session->options->episodes;
}

static opac_status process_answer(exploration *x, uint32_t i, opac_error *error)
{
    conf_session *session = x->session;
    lane *l = &x->lane[i];
    bool is_reset = x->requests[i].is_reset, is_new;
    uint64_t *start;
    uint32_t state;
    TRY(conf_add_state(session, &x->observations[i], &state, &is_new, error));
    if (!l->is_active)
        return OPAC_OK;
    if (is_reset) {
        session->outcome->episodes++;
        TRY(base_map_at(&session->starts, state, &start, error));
    } else {
        l->steps++;
        session->outcome->steps++;
        session->late_steps += is_late(x);
        session->late_new += is_late(x) && is_new;
        TRY(conf_add_transition(session, l->state, l->action, state, error));
        TRY(conf_add_outcome(session, l->state, l->action, state, &x->observations[i], error));
    }
    if (l->trace != NULL)
        TRY(conf_step_vec_push(&l->trace->steps, (conf_step){.action = l->action, .state = state},
                               error));
    l->state = state;
    return OPAC_OK;
}

/* Formats the requests that led to a failure. */
static const char *format_requests(const exploration *x, char *buffer)
{
    const lane *l = &x->lane[0];
    if (x->lanes > 1) {
        snprintf(buffer, CONF_REQUESTS_SIZE, "%" PRIu64 " episodes in %u lanes",
                 x->session->outcome->episodes, (unsigned)x->lanes);
        return buffer;
    }
    if (l->trace == NULL && l->steps > 0)
        snprintf(buffer, CONF_REQUESTS_SIZE, "reset %" PRIu64 ", %" PRIu64 " steps", l->seed,
                 l->steps);
    else if (l->trace == NULL)
        snprintf(buffer, CONF_REQUESTS_SIZE, "reset %" PRIu64, l->seed);
    else
        conf_format_requests(x->session, x->session->env, l->trace, l->trace->steps.count, buffer);
    if (!x->requests[0].is_reset)
        conf_append_step(x->session, x->session->env, l->state, l->action, buffer);
    return buffer;
}

static opac_status run_round(exploration *x, opac_error *error)
{
    conf_session *session = x->session;
    double before = opac_clock_seconds();
    opac_status status =
        conf_step_lanes(session->env, x->lanes, x->requests, x->observations, error);
    session->outcome->seconds += opac_clock_seconds() - before;
    for (uint32_t i = 0; i < x->lanes && status == OPAC_OK; i++)
        status = process_answer(x, i, error);
    return status;
}

/* Chooses the next request of each lane; false if all lanes are inactive. */
static bool request_lanes(exploration *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->lanes; i++) {
        request_lane(x, i);
        any = any || x->lane[i].is_active;
    }
    return any;
}

/* Gives a simulator that writes two lines the time to write the second one, so that the next request detects
 * it. */
static void wait_for_extra_output(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static opac_status explore(exploration *x, opac_error *error)
{
    conf_session *session = x->session;
    char buffer[CONF_REQUESTS_SIZE];
    opac_error found = {0};
    for (bool is_first = true; request_lanes(x); is_first = false) {
        if (opac_cancel_requested(session->options->cancel))
            return base_fail_stopped(error, session->options->cancel, "checking the simulator");
        if (run_round(x, &found) != OPAC_OK) {
            session->has_failed = true;
            opac_status status = conf_report_failure(session, is_first ? "reset" : "steps",
                                                     format_requests(x, buffer), &found, error);
            conf_close(session);
            return status;
        }
        if (is_first) {
            conf_report(session, OPAC_FINDING_PASSED, "reset", "the simulator answers");
            wait_for_extra_output();
        }
    }
    return OPAC_OK;
}

/* Reports the coverage. */
static void report(conf_session *session)
{
    uint64_t all = 0;
    for (size_t i = 0; i < session->facts.count; i++)
        all += session->facts.items[i].actions;
    opac_conformance *outcome = session->outcome;
    conf_report(session, OPAC_FINDING_PASSED, "steps",
                "%" PRIu64 " episodes, %" PRIu64 " steps, %u states, %zu of %" PRIu64
                " state-action pairs",
                outcome->episodes, outcome->steps, (unsigned)session->states.count,
                session->pairs.count, all);
    if (session->pairs.count < all)
        conf_report_parameter(session, OPAC_FINDING_NOTE, "steps", "episodes steps",
                              "%" PRIu64 " state-action pairs were not tried",
                              all - session->pairs.count);
    conf_report_outcomes(session);
}

opac_status conf_explore(conf_session *session, opac_error *error)
{
    exploration x = {.session = session, .lanes = session->traits.lanes};
    stat_rng_init(&x.rng, session->options->seed, 0);
    x.lane = base_alloc_zeroed(x.lanes, sizeof *x.lane);
    x.requests = base_alloc_zeroed(x.lanes, sizeof *x.requests);
    x.observations = base_alloc_zeroed(x.lanes, sizeof *x.observations);
    opac_status status = x.lane == NULL || x.requests == NULL || x.observations == NULL
                             ? base_fail_memory(error)
                             : explore(&x, error);
    base_free(x.lane);
    base_free(x.requests);
    base_free(x.observations);
    if (status == OPAC_OK && !session->has_failed)
        report(session);
    return status;
}
