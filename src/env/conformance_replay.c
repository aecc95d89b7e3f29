/* SPDX-License-Identifier: MIT */
/*
 * Repeats the traces of the exploration: in the same instance after other episodes, in a second instance, in
 * other lanes, in single episodes, and with other seeds.
 *
 * To find out whether the simulator uses its seed, it runs the trial with which learn and estimate begin
 * (env/env_trial.h). If that finds no difference, it repeats a trace in which an action was taken twice in
 * the same state with different outcomes, with CONF_OTHER_SEEDS = 20 other seeds. If all of them repeat the
 * trace, the simulator ignores its seed.
 *
 * Claim: this is a false alarm with probability at most 4^-20 < 1e-12. If the outcomes depend on the seed,
 * and the first outcome has probability p, another seed repeats both outcomes with probability at most p
 * (1-p) <= 1/4, and the seeds are independent.
 */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/work.h"

/* A trace that is being repeated. */
typedef struct repetition {
    const conf_trace *trace;
    uint64_t seed;
    size_t at;      /* steps repeated so far */
    bool differs;   /* the last of them led to another state, */
    uint32_t other; /* which is this one */
} repetition;

typedef struct replay {
    conf_session *session;
    opac_environment *env;
    uint32_t lanes;
    repetition *repetitions;
    size_t count, begun;
    repetition **lane; /* by lane; NULL: idle */
    opac_lane_request *requests;
    opac_observation *observations;
} replay;

static bool has_ended(const repetition *e)
{
    return e->differs || e->at == e->trace->steps.count;
}

/* Chooses the next request of each lane; false if all lanes are idle. Idle lanes are reset, so that an effect
 * on the other lanes would show. */
static bool request_lanes(replay *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->lanes; i++) {
        uint32_t at = (i + 1) % r->lanes; /* not the lane in which the trace was recorded */
        if (r->lane[at] != NULL && has_ended(r->lane[at]))
            r->lane[at] = NULL;
        if (r->lane[at] == NULL && r->begun < r->count)
            r->lane[at] = &r->repetitions[r->begun++];
        repetition *e = r->lane[at];
        any = any || e != NULL;
        if (e == NULL)
            r->requests[at] = (opac_lane_request){.is_reset = true, .seed = at};
        else if (e->at == 0)
            r->requests[at] = (opac_lane_request){.is_reset = true, .seed = e->seed};
        else
            r->requests[at] = (opac_lane_request){.action = e->trace->steps.items[e->at].action};
    }
    return any;
}

static opac_status process_answer(replay *r, uint32_t lane, opac_error *error)
{
    repetition *e = r->lane[lane];
    uint32_t state;
    bool is_new;
    TRY(conf_add_state(r->session, &r->observations[lane], &state, &is_new, error));
    if (e == NULL)
        return OPAC_OK;
    e->differs = state != e->trace->steps.items[e->at].state;
    e->other = state;
    e->at++;
    return OPAC_OK;
}

static opac_status run_all(replay *r, opac_error *error)
{
    while (request_lanes(r)) {
        if (opac_cancel_requested(r->session->options->cancel))
            return base_fail_stopped(error, r->session->options->cancel, "checking the simulator");
        TRY(conf_step_lanes(r->env, r->lanes, r->requests, r->observations, error));
        for (uint32_t i = 0; i < r->lanes; i++)
            TRY(process_answer(r, i, error));
    }
    return OPAC_OK;
}

/* Runs the repetitions in the lanes, or by reset and step if there is one lane. */
static opac_status run_repetitions(conf_session *session, opac_environment *env, uint32_t lanes,
                                   repetition *repetitions, size_t count, opac_error *error)
{
    replay r = {
        .session = session, .env = env, .lanes = lanes, .repetitions = repetitions, .count = count};
    r.lane = base_alloc_zeroed(lanes, sizeof(repetition *));
    r.requests = base_alloc_zeroed(lanes, sizeof *r.requests);
    r.observations = base_alloc_zeroed(lanes, sizeof *r.observations);
    opac_status status = r.lane == NULL || r.requests == NULL || r.observations == NULL
                             ? base_fail_memory(error)
                             : run_all(&r, error);
    base_free(r.lane);
    base_free(r.requests);
    base_free(r.observations);
    return status;
}

static size_t make_repetitions(const conf_session *session, repetition *repetitions)
{
    size_t count = 0;
    for (size_t i = 0; i < session->trace_count; i++)
        if (session->traces[i].steps.count > 0)
            repetitions[count++] =
                (repetition){.trace = &session->traces[i], .seed = session->traces[i].seed};
    return count;
}

static const repetition *find_difference(const repetition *repetitions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (repetitions[i].differs)
            return &repetitions[i];
    return NULL;
}

/* The result of repeating all traces. */
typedef struct comparison {
    bool has_failed; /* a call failed, which was reported; the other members are not set */
    bool is_same;
    char text
        [3 *
         CONF_REQUESTS_SIZE]; /* the first difference: "(reset 17) led to "A" now and to "B" before" */
} comparison;

static opac_status compare(conf_session *session, const char *check, opac_environment *env,
                           uint32_t lanes, comparison *found, opac_error *error)
{
    repetition repetitions[CONF_MAX_TRACES];
    char requests[CONF_REQUESTS_SIZE], now[CONF_SHOWN], before[CONF_SHOWN];
    opac_error fault = {0};
    size_t count = make_repetitions(session, repetitions);
    opac_status status = run_repetitions(session, env, lanes, repetitions, count, &fault);
    *found = (comparison){.has_failed = status != OPAC_OK};
    if (status != OPAC_OK)
        return conf_report_failure(session, check, "", &fault, error);
    const repetition *e = find_difference(repetitions, count);
    found->is_same = e == NULL;
    if (e != NULL)
        snprintf(found->text, sizeof found->text, "(%s) led to \"%s\" now and to \"%s\" before",
                 conf_format_requests(session, env, e->trace, e->at, requests),
                 conf_show_state(session, e->other, now),
                 conf_show_state(session, e->trace->steps.items[e->at - 1].state, before));
    return OPAC_OK;
}

/* ---- the same seed ---- */

static opac_status check_same_seed(conf_session *session, opac_error *error)
{
    comparison found;
    TRY(conf_ensure_open(session, "same seed", error));
    if (session->env == NULL)
        return OPAC_OK;
    opac_status status =
        compare(session, "same seed", session->env, session->traits.lanes, &found, error);
    if (status != OPAC_OK || found.has_failed) {
        conf_close(session);
        return status;
    }
    session->is_repeatable = found.is_same;
    if (found.is_same)
        conf_report(session, OPAC_FINDING_PASSED, "same seed",
                    "the same seed and the same actions give the same answers");
    else
        conf_report(
            session, OPAC_FINDING_WARNING, "same seed",
            "the same requests %s: runs cannot be repeated or resumed, and only one process "
            "and one lane can be used; at each reset, seed all random number generators "
            "with the number of the reset, and use no other source of randomness",
            found.text);
    return OPAC_OK;
}

/* ---- a second instance ---- */

static opac_status check_lanes(conf_session *session, opac_environment *env, opac_error *error)
{
    comparison found;
    if (session->traits.lanes <= 1 || !session->is_repeatable)
        return OPAC_OK;
    TRY(compare(session, "lanes", env, 1, &found, error));
    if (found.has_failed)
        return OPAC_OK;
    if (found.is_same)
        conf_report(session, OPAC_FINDING_PASSED, "lanes",
                    "lanes give the same answers as single episodes");
    else
        conf_report(
            session, OPAC_FINDING_WARNING, "lanes",
            "outside of lanes, the same requests %s: results depend on the number of lanes; "
            "give each lane a random number generator of its own, seeded by its reset",
            found.text);
    return OPAC_OK;
}

static opac_status check_other(conf_session *session, opac_environment *env, opac_error *error)
{
    comparison found;
    TRY(compare(session, "second instance", env, session->traits.lanes, &found, error));
    if (found.has_failed)
        return OPAC_OK;
    if (found.is_same || !session->is_repeatable)
        conf_report(session, OPAC_FINDING_PASSED, "second instance",
                    session->is_repeatable ? "it runs in parallel, and gives the same answers"
                                           : "it runs in parallel");
    else
        conf_report(session, OPAC_FINDING_WARNING, "second instance",
                    "in a second instance, the same requests %s: with several threads, results "
                    "depend on the instance that an episode runs in; use no source of randomness "
                    "but the number of the reset: no process number, time or hash table order",
                    found.text);
    return check_lanes(session, env, error);
}

/* Opens a second instance while the first one is still running. */
static opac_status check_second(conf_session *session, opac_error *error)
{
    opac_environment *env = NULL;
    opac_error found = {0};
    if (session->env == NULL || !session->traits.can_fork)
        TRY(conf_open(session, "second instance", &env, error));
    else if (env_fork(session->env, &env, &found) != OPAC_OK)
        return conf_report_failure(session, "second instance", "", &found, error);
    opac_status status = env != NULL ? check_other(session, env, error) : OPAC_OK;
    opac_environment_free(env);
    return status;
}

/* ---- other seeds ---- */

/* Whether some state-action pair occurs in the trace with different successors. */
static opac_status is_random(const conf_trace *trace, bool *answer, opac_error *error)
{
    base_map seen = {0};
    opac_status status = OPAC_OK;
    *answer = false;
    for (size_t i = 1; i < trace->steps.count; i++) {
        const conf_step *steps = trace->steps.items;
        uint64_t *next, pair = (uint64_t)steps[i - 1].state << 32 | steps[i].action;
        TRY_OR(done, base_map_at(&seen, pair, &next, error));
        *answer = *answer || (*next != 0 && *next != (uint64_t)steps[i].state + 1);
        *next = (uint64_t)steps[i].state + 1;
    }
done:
    base_map_fini(&seen);
    return status;
}

static opac_status find_random(const conf_session *session, const conf_trace **found,
                               opac_error *error)
{
    bool answer = false;
    *found = NULL;
    for (size_t i = 0; i < session->trace_count && *found == NULL; i++) {
        TRY(is_random(&session->traces[i], &answer, error));
        if (answer)
            *found = &session->traces[i];
    }
    return OPAC_OK;
}

static opac_status check_ignored(conf_session *session, const conf_trace *trace, opac_error *error)
{
    repetition repetitions[CONF_OTHER_SEEDS];
    opac_error fault = {0};
    for (size_t i = 0; i < CONF_OTHER_SEEDS; i++)
        repetitions[i] = (repetition){
            .trace = trace,
            .seed = env_episode_seed(session->options->seed, session->options->episodes + i)};
    if (run_repetitions(session, session->env, session->traits.lanes, repetitions, CONF_OTHER_SEEDS,
                        &fault) != OPAC_OK) {
        conf_close(session);
        return conf_report_failure(session, "other seeds", "", &fault, error);
    }
    if (find_difference(repetitions, CONF_OTHER_SEEDS) != NULL)
        conf_report(session, OPAC_FINDING_PASSED, "other seeds", "other seeds give other episodes");
    else
        conf_report(session, OPAC_FINDING_ERROR, "other seeds",
                    "%d other seeds repeat the episode of reset %" PRIu64 " step by step, although "
                    "something in it is random: all episodes are copies of each other, and nothing "
                    "can be learned from them; at each reset, seed all random number generators "
                    "with the number of the reset",
                    (int)CONF_OTHER_SEEDS, trace->seed);
    return OPAC_OK;
}

static bool is_cancelled(void *context)
{
    return opac_cancel_requested(context);
}

/* Whether no randomness was observed. */
static bool is_deterministic(const conf_session *session)
{
    bool varies = session->starts.count > 1;
    for (size_t i = 0; i < session->pairs.count && !varies; i++)
        varies = session->pairs.items[i].varies;
    return !varies;
}

/* The trial has found no difference: the simulator is deterministic, random events are rare, or it ignores
 * its seed. */
static opac_status explain_seeds(conf_session *session, const env_trial *tried, opac_error *error)
{
    const conf_trace *trace = NULL;
    TRY(find_random(session, &trace, error));
    if (trace != NULL && session->is_repeatable)
        return check_ignored(session, trace, error);
    if (is_deterministic(session))
        conf_report_parameter(session, OPAC_FINDING_NOTE, "other seeds", "deterministic",
                              "no randomness was observed: each state-action pair led to one "
                              "successor, whatever the seed");
    else
        conf_report_parameter(
            session, OPAC_FINDING_WARNING, "other seeds", "trial_steps",
            "%" PRIu64 " episodes (%" PRIu64 " steps) did not depend on the seed, "
            "although something is random: if random events are rare, learn and estimate need a "
            "longer trial; else seed the random number generator with the number of the reset",
            tried->episodes, tried->steps);
    return OPAC_OK;
}

/* The trial with which learn and estimate begin. */
static opac_status check_seeds(conf_session *session, opac_error *error)
{
    env_trial tried = {.seed = session->options->seed,
                       .max_requests = ENV_TRIAL_STEPS,
                       .halt = is_cancelled,
                       .context = (void *)session->options->cancel};
    opac_error fault = {0};
    if (session->outcome->steps == 0)
        return OPAC_OK;
    TRY(conf_ensure_open(session, "other seeds", error));
    if (session->env == NULL)
        return OPAC_OK;
    if (env_trial_run(session->env, &tried, &fault) != OPAC_OK) {
        conf_close(session);
        return conf_report_failure(session, "other seeds", "", &fault, error);
    }
    if (tried.is_halted)
        return base_fail_stopped(error, session->options->cancel, "checking the simulator");
    if (!tried.differs)
        return explain_seeds(session, &tried, error);
    conf_report(session, OPAC_FINDING_PASSED, "other seeds", "other seeds give other episodes");
    return OPAC_OK;
}

opac_status conf_check_replay(conf_session *session, opac_error *error)
{
    if (session->outcome->episodes == 0)
        return OPAC_OK; /* no reset was answered */
    if (session->has_failed)
        return OPAC_OK; /* the same requests would fail again */
    TRY(check_same_seed(session, error));
    TRY(check_seeds(session, error));
    return check_second(session, error);
}
