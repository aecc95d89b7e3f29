/* SPDX-License-Identifier: MIT */
/*
 * The same requests again: in the same instance after other episodes, in
 * another one, in other lanes, one at a time; and with other seeds.
 *
 * Is the seed looked at? The trial with which learn and estimate begin (env/env_trial.h) is run; if it sees
 * no difference, take a trace in which one action of one state has led
 * to different states, so that something in it is random: if that followed from
 * the seed, another seed would repeat both outcomes with probability at most
 * p (1-p) <= 1/4. CONF_OTHER_SEEDS seeds that all repeat the trace are then a false alarm
 * with probability at most 4^-20 < 1e-12.
 */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

/* A trace to be followed, and how far that went. */
typedef struct errand {
    const conf_trace *trace;
    uint64_t seed;
    size_t at;      /* moves that were made */
    bool differs;   /* the last of them came out otherwise */
    uint32_t other; /* what came then */
} errand;

typedef struct replay {
    conf_session *session;
    opac_environment *env;
    uint32_t lanes;
    errand *errands;
    size_t count, begun;
    errand **lane; /* NULL: the lane has nothing to do */
    opac_lane_request *orders;
    opac_observation *observations;
} replay;

static bool is_over(const errand *e)
{
    return e->differs || e->at == e->trace->moves.count;
}

/* Lanes without a errand are reset, again and again, so that there is something to disturb others. */
static bool give_orders(replay *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->lanes; i++) {
        uint32_t at = (i + 1) % r->lanes; /* another lane than when it was explored */
        if (r->lane[at] != NULL && is_over(r->lane[at]))
            r->lane[at] = NULL;
        if (r->lane[at] == NULL && r->begun < r->count)
            r->lane[at] = &r->errands[r->begun++];
        errand *e = r->lane[at];
        any = any || e != NULL;
        if (e == NULL)
            r->orders[at] = (opac_lane_request){.is_reset = true, .seed = at};
        else if (e->at == 0)
            r->orders[at] = (opac_lane_request){.is_reset = true, .seed = e->seed};
        else
            r->orders[at] = (opac_lane_request){.action = e->trace->moves.items[e->at].action};
    }
    return any;
}

static opac_status see(replay *r, uint32_t lane, opac_error *error)
{
    errand *e = r->lane[lane];
    uint32_t state;
    bool is_new;
    TRY(conf_add_state(r->session, &r->observations[lane], &state, &is_new, error));
    if (e == NULL)
        return OPAC_OK;
    e->differs = state != e->trace->moves.items[e->at].state;
    e->other = state;
    e->at++;
    return OPAC_OK;
}

static opac_status follow(replay *r, opac_error *error)
{
    while (give_orders(r)) {
        if (opac_cancel_requested(r->session->options->cancel))
            return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
        TRY(conf_step_lanes(r->env, r->lanes, r->orders, r->observations, error));
        for (uint32_t i = 0; i < r->lanes; i++)
            TRY(see(r, i, error));
    }
    return OPAC_OK;
}

/* In all lanes, or (with one) by reset and step. */
static opac_status run_errands(conf_session *session, opac_environment *env, uint32_t lanes,
                               errand *errands, size_t count, opac_error *error)
{
    replay r = {.session = session, .env = env, .lanes = lanes, .errands = errands, .count = count};
    r.lane = base_alloc_zeroed(lanes, sizeof(errand *));
    r.orders = base_alloc_zeroed(lanes, sizeof *r.orders);
    r.observations = base_alloc_zeroed(lanes, sizeof *r.observations);
    opac_status status = r.lane == NULL || r.orders == NULL || r.observations == NULL
                             ? base_fail_memory(error)
                             : follow(&r, error);
    base_free(r.lane);
    base_free(r.orders);
    base_free(r.observations);
    return status;
}

static size_t traces_to_errands(const conf_session *session, errand *errands)
{
    size_t count = 0;
    for (size_t i = 0; i < session->kept_count; i++)
        if (session->kept[i].moves.count > 0)
            errands[count++] = (errand){.trace = &session->kept[i], .seed = session->kept[i].seed};
    return count;
}

static const errand *find_difference(const errand *errands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (errands[i].differs)
            return &errands[i];
    return NULL;
}

/*
 * All kept traces once more. *is_same: nothing differed; *errand says where, in the words "…gave A, and
 * before B". Broken: an error was found, and nothing is known.
 */
typedef struct verdict {
    bool is_broken, is_same;
    char text[3 * CONF_REQUESTS_SIZE];
} verdict;

static opac_status compare(conf_session *session, const char *check, opac_environment *env,
                           uint32_t lanes, verdict *found, opac_error *error)
{
    errand errands[CONF_MAX_TRACES];
    char recipe[CONF_REQUESTS_SIZE], now[CONF_SHOWN], before[CONF_SHOWN];
    opac_error fault = {0};
    size_t count = traces_to_errands(session, errands);
    opac_status status = run_errands(session, env, lanes, errands, count, &fault);
    *found = (verdict){.is_broken = status != OPAC_OK};
    if (status != OPAC_OK)
        return conf_report_failure(session, check, "", &fault, error);
    const errand *e = find_difference(errands, count);
    found->is_same = e == NULL;
    if (e != NULL)
        snprintf(found->text, sizeof found->text, "(%s) led to \"%s\", and before to \"%s\"",
                 conf_format_requests(session, env, e->trace, e->at, recipe),
                 conf_show_state(session, e->other, now),
                 conf_show_state(session, e->trace->moves.items[e->at - 1].state, before));
    return OPAC_OK;
}

/* ---- the same seed ---- */

static opac_status check_same_seed(conf_session *session, opac_error *error)
{
    verdict found;
    TRY(conf_ensure_open(session, "same seed", error));
    if (session->env == NULL)
        return OPAC_OK;
    opac_status status =
        compare(session, "same seed", session->env, session->traits.lanes, &found, error);
    if (status != OPAC_OK || found.is_broken) {
        conf_close(session);
        return status;
    }
    session->is_repeatable = found.is_same;
    if (found.is_same)
        conf_report(session, OPAC_FINDING_PASSED, "same seed",
                    "the same seed and the same actions give the same answers");
    else
        conf_report(session, OPAC_FINDING_WARNING, "same seed",
                    "the same requests %s: a run cannot be repeated or resumed, and one process "
                    "and one lane is all that can be used; at each reset, seed all that is random "
                    "with the number of the reset, and use nothing else",
                    found.text);
    return OPAC_OK;
}

/* ---- a second instance ---- */

static opac_status check_lanes(conf_session *session, opac_environment *env, opac_error *error)
{
    verdict found;
    if (session->traits.lanes <= 1 || !session->is_repeatable)
        return OPAC_OK;
    TRY(compare(session, "lanes", env, 1, &found, error));
    if (found.is_broken)
        return OPAC_OK;
    if (found.is_same)
        conf_report(session, OPAC_FINDING_PASSED, "lanes",
                    "a lane does what a single episode does");
    else
        conf_report(session, OPAC_FINDING_WARNING, "lanes",
                    "by itself, %s in a lane: results depend on the number of lanes; give each "
                    "lane a generator of its own, which its reset seeds",
                    found.text);
    return OPAC_OK;
}

static opac_status check_other(conf_session *session, opac_environment *env, opac_error *error)
{
    verdict found;
    TRY(compare(session, "second instance", env, session->traits.lanes, &found, error));
    if (found.is_broken)
        return OPAC_OK;
    if (found.is_same || !session->is_repeatable)
        conf_report(session, OPAC_FINDING_PASSED, "second instance",
                    session->is_repeatable ? "it runs beside the first, and answers alike"
                                           : "it runs beside the first");
    else
        conf_report(session, OPAC_FINDING_WARNING, "second instance",
                    "in a second instance, the same requests %s: with several threads, results "
                    "depend on which instance an episode runs in; let nothing but the seed of the "
                    "reset be random, no process number, time or order of a hash table",
                    found.text);
    return check_lanes(session, env, error);
}

/* Beside the first one, which is still there. */
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

/* Whether one action of one state has led to different states in it. */
static opac_status is_random(const conf_trace *trace, bool *answer, opac_error *error)
{
    base_map seen = {0};
    opac_status status = OPAC_OK;
    *answer = false;
    for (size_t i = 1; i < trace->moves.count; i++) {
        const conf_step *moves = trace->moves.items;
        uint64_t *next, pair = (uint64_t)moves[i - 1].state << 32 | moves[i].action;
        TRY_OR(done, base_map_at(&seen, pair, &next, error));
        *answer = *answer || (*next != 0 && *next != (uint64_t)moves[i].state + 1);
        *next = (uint64_t)moves[i].state + 1;
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
    for (size_t i = 0; i < session->kept_count && *found == NULL; i++) {
        TRY(is_random(&session->kept[i], &answer, error));
        if (answer)
            *found = &session->kept[i];
    }
    return OPAC_OK;
}

static opac_status check_ignored(conf_session *session, const conf_trace *trace, opac_error *error)
{
    errand errands[CONF_OTHER_SEEDS];
    opac_error fault = {0};
    for (size_t i = 0; i < CONF_OTHER_SEEDS; i++)
        errands[i] = (errand){
            .trace = trace,
            .seed = env_episode_seed(session->options->seed, session->options->episodes + i)};
    if (run_errands(session, session->env, session->traits.lanes, errands, CONF_OTHER_SEEDS,
                    &fault) != OPAC_OK) {
        conf_close(session);
        return conf_report_failure(session, "other seeds", "", &fault, error);
    }
    if (find_difference(errands, CONF_OTHER_SEEDS) != NULL)
        conf_report(session, OPAC_FINDING_PASSED, "other seeds", "they make a difference");
    else
        conf_report(session, OPAC_FINDING_ERROR, "other seeds",
                    "%d other seeds repeat the episode of reset %" PRIu64 " step by step, though "
                    "something in it is random: all episodes are copies of each other, and nothing "
                    "can be learned from them; at each reset, seed all that is random with the "
                    "number of the reset",
                    (int)CONF_OTHER_SEEDS, trace->seed);
    return OPAC_OK;
}

static bool is_cancelled(void *context)
{
    return opac_cancel_requested(context);
}

/* Nothing random was seen at all. */
static bool is_deterministic(const conf_session *session)
{
    bool varies = session->starts.count > 1;
    for (size_t i = 0; i < session->pairs.count && !varies; i++)
        varies = session->pairs.items[i].varies;
    return !varies;
}

/* The trial has found no difference: nothing is random, or rarely, or the seed is ignored. */
static opac_status explain_seeds(conf_session *session, const env_trial *tried, opac_error *error)
{
    const conf_trace *trace = NULL;
    TRY(find_random(session, &trace, error));
    if (trace != NULL && session->is_repeatable)
        return check_ignored(session, trace, error);
    if (is_deterministic(session))
        conf_report_parameter(session, OPAC_FINDING_NOTE, "other seeds", "deterministic",
                              "nothing random was seen: each action of a state led to one state, "
                              "whatever the seed");
    else
        conf_report_parameter(
            session, OPAC_FINDING_WARNING, "other seeds", "trial_steps",
            "%" PRIu64 " episodes (%" PRIu64 " steps) did not depend on the seed, "
            "though something is random: if that is rare, learn and estimate need a "
            "longer trial; if not, seed it with the number of the reset",
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
        return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
    if (!tried.differs)
        return explain_seeds(session, &tried, error);
    conf_report(session, OPAC_FINDING_PASSED, "other seeds", "they make a difference");
    return OPAC_OK;
}

opac_status conf_check_replay(conf_session *session, opac_error *error)
{
    if (session->outcome->episodes == 0)
        return OPAC_OK; /* no reset was ever answered */
    if (session->has_broken)
        return OPAC_OK; /* the same would break it again */
    TRY(check_same_seed(session, error));
    TRY(check_seeds(session, error));
    return check_second(session, error);
}
