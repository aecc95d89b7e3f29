/* SPDX-License-Identifier: MIT */
/*
 * Episodes that try what nobody has tried: of the actions of a state, one that
 * was never taken there if there is one near a random place, else any. All
 * lanes run at once; lane i begins the next episode that nobody has begun.
 */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/alloc.h"

enum {
    LOOKED_AT = 64 /* actions that are looked at for one that is new */
};

/* One lane, and the episode that it is in. */
typedef struct lane {
    bool is_active;
    uint64_t steps;
    uint32_t state;
    uint32_t action; /* that is being taken */
    uint64_t seed;
    conf_trace *trace; /* NULL: this episode is not kept */
} lane;

typedef struct exploration {
    conf_session *session;
    uint32_t lanes;
    lane *lane;
    opac_lane_request *orders;
    opac_observation *observations;
    uint64_t begun; /* episodes */
    stat_rng rng;
} exploration;

static uint32_t choose(exploration *x, uint32_t state)
{
    uint32_t actions = x->session->facts.items[state].actions;
    uint32_t first = (uint32_t)stat_rng_below(&x->rng, actions);
    for (uint32_t i = 0; i < actions && i < LOOKED_AT; i++) {
        uint32_t action = (uint32_t)(((uint64_t)first + i) % actions);
        if (!conf_has_transition(x->session, state, action))
            return action;
    }
    return first;
}

/* The episode of a lane is over: the next one, or none. */
static void begin(exploration *x, lane *l, opac_lane_request *order)
{
    conf_session *session = x->session;
    uint64_t seed = env_episode_seed(session->options->seed, x->begun);
    *order = (opac_lane_request){.is_reset = true, .seed = seed};
    *l = (lane){.seed = seed};
    if (x->begun == session->options->episodes)
        return; /* the lane is reset, and nobody looks */
    l->is_active = true;
    if (session->kept_count < CONF_MAX_TRACES) {
        l->trace = &session->kept[session->kept_count++];
        l->trace->seed = seed;
    }
    x->begun++;
}

/* A lane that is in an episode has seen a state. */
static bool is_over(const exploration *x, const lane *l)
{
    return !l->is_active || l->steps == x->session->options->steps ||
           x->session->facts.items[l->state].actions == 0;
}

static void order(exploration *x, uint32_t i)
{
    lane *l = &x->lane[i];
    if (is_over(x, l)) {
        begin(x, l, &x->orders[i]);
        return;
    }
    l->action = choose(x, l->state);
    x->orders[i] = (opac_lane_request){.action = l->action};
}

/* Half of the steps that there may be were taken. */
static bool is_late(const exploration *x)
{
    const opac_conformance *outcome = x->session->outcome;
    return outcome->episodes * 2 > x->session->options->episodes;
}

static opac_status see(exploration *x, uint32_t i, opac_error *error)
{
    conf_session *session = x->session;
    lane *l = &x->lane[i];
    bool is_reset = x->orders[i].is_reset, is_new;
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
    }
    if (l->trace != NULL)
        TRY(conf_step_vec_push(&l->trace->moves, (conf_step){.action = l->action, .state = state},
                               error));
    l->state = state;
    return OPAC_OK;
}

/* The requests that led to a failure. */
static const char *recipe(const exploration *x, char *buffer)
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
        conf_format_requests(x->session, x->session->env, l->trace, l->trace->moves.count, buffer);
    if (!x->orders[0].is_reset)
        conf_format_step(x->session, x->session->env, l->state, l->action, buffer);
    return buffer;
}

static opac_status round_of(exploration *x, opac_error *error)
{
    conf_session *session = x->session;
    double before = opac_clock_seconds();
    opac_status status = conf_step_lanes(session->env, x->lanes, x->orders, x->observations, error);
    session->outcome->seconds += opac_clock_seconds() - before;
    for (uint32_t i = 0; i < x->lanes && status == OPAC_OK; i++)
        status = see(x, i, error);
    return status;
}

/* Some lane is in an episode. */
static bool give_orders(exploration *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->lanes; i++) {
        order(x, i);
        any = any || x->lane[i].is_active;
    }
    return any;
}

/* Time for a second line, if somebody writes two: the next request then finds it. */
static void pause_once(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static opac_status explore(exploration *x, opac_error *error)
{
    conf_session *session = x->session;
    char buffer[CONF_REQUESTS_SIZE];
    opac_error found = {0};
    for (bool is_first = true; give_orders(x); is_first = false) {
        if (opac_cancel_requested(session->options->cancel))
            return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
        if (round_of(x, &found) != OPAC_OK) {
            session->has_broken = true;
            opac_status status = conf_report_failure(session, is_first ? "reset" : "steps",
                                                     recipe(x, buffer), &found, error);
            conf_close(session);
            return status;
        }
        if (is_first) {
            conf_report(session, OPAC_FINDING_PASSED, "reset", "it answers");
            pause_once();
        }
    }
    return OPAC_OK;
}

/* How much of what there is to do was done. */
static void report(conf_session *session)
{
    uint64_t all = 0;
    for (size_t i = 0; i < session->facts.count; i++)
        all += session->facts.items[i].actions;
    opac_conformance *outcome = session->outcome;
    conf_report(session, OPAC_FINDING_PASSED, "steps",
                "%" PRIu64 " episodes, %" PRIu64 " steps, %u states, %zu of their %" PRIu64
                " actions",
                outcome->episodes, outcome->steps, (unsigned)session->states.count,
                session->pairs.count, all);
    if (session->pairs.count < all)
        conf_report_parameter(session, OPAC_FINDING_NOTE, "steps", "episodes steps",
                              "%" PRIu64 " actions were not tried", all - session->pairs.count);
}

opac_status conf_explore(conf_session *session, opac_error *error)
{
    exploration x = {.session = session, .lanes = session->traits.lanes};
    stat_rng_init(&x.rng, session->options->seed, 0);
    x.lane = base_alloc_zeroed(x.lanes, sizeof *x.lane);
    x.orders = base_alloc_zeroed(x.lanes, sizeof *x.orders);
    x.observations = base_alloc_zeroed(x.lanes, sizeof *x.observations);
    opac_status status = x.lane == NULL || x.orders == NULL || x.observations == NULL
                             ? base_fail_memory(error)
                             : explore(&x, error);
    base_free(x.lane);
    base_free(x.orders);
    base_free(x.observations);
    if (status == OPAC_OK && !session->has_broken)
        report(session);
    return status;
}
