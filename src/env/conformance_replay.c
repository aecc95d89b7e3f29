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
    conf_trial *trial;
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
    TRY(conf_meet(r->trial, &r->observations[lane], &state, &is_new, error));
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
        if (opac_cancel_requested(r->trial->options->cancel))
            return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
        TRY(conf_call(r->env, r->lanes, r->orders, r->observations, error));
        for (uint32_t i = 0; i < r->lanes; i++)
            TRY(see(r, i, error));
    }
    return OPAC_OK;
}

/* In all lanes, or (with one) by reset and step. */
static opac_status run_errands(conf_trial *trial, opac_environment *env, uint32_t lanes,
                               errand *errands, size_t count, opac_error *error)
{
    replay r = {.trial = trial, .env = env, .lanes = lanes, .errands = errands, .count = count};
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

static size_t traces_to_errands(const conf_trial *trial, errand *errands)
{
    size_t count = 0;
    for (size_t i = 0; i < trial->kept_count; i++)
        if (trial->kept[i].moves.count > 0)
            errands[count++] = (errand){.trace = &trial->kept[i], .seed = trial->kept[i].seed};
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
    char text[3 * CONF_RECIPE_SIZE];
} verdict;

static opac_status compare(conf_trial *trial, const char *check, opac_environment *env,
                           uint32_t lanes, verdict *found, opac_error *error)
{
    errand errands[CONF_KEPT];
    char recipe[CONF_RECIPE_SIZE], now[CONF_SHOWN], before[CONF_SHOWN];
    opac_error fault = {0};
    size_t count = traces_to_errands(trial, errands);
    opac_status status = run_errands(trial, env, lanes, errands, count, &fault);
    *found = (verdict){.is_broken = status != OPAC_OK};
    if (status != OPAC_OK)
        return conf_blame(trial, check, "", &fault, error);
    const errand *e = find_difference(errands, count);
    found->is_same = e == NULL;
    if (e != NULL)
        snprintf(found->text, sizeof found->text, "(%s) led to \"%s\", and before to \"%s\"",
                 conf_recipe(trial, env, e->trace, e->at, recipe), conf_show(trial, e->other, now),
                 conf_show(trial, e->trace->moves.items[e->at - 1].state, before));
    return OPAC_OK;
}

/* ---- the same seed ---- */

static opac_status check_same_seed(conf_trial *trial, opac_error *error)
{
    verdict found;
    TRY(conf_need(trial, "same seed", error));
    if (trial->env == NULL)
        return OPAC_OK;
    opac_status status =
        compare(trial, "same seed", trial->env, trial->traits.lanes, &found, error);
    if (status != OPAC_OK || found.is_broken) {
        conf_drop(trial);
        return status;
    }
    trial->is_repeatable = found.is_same;
    if (found.is_same)
        conf_find(trial, OPAC_FINDING_PASSED, "same seed",
                  "the same seed and the same actions give the same answers");
    else
        conf_find(trial, OPAC_FINDING_WARNING, "same seed",
                  "the same requests %s: a run cannot be repeated or resumed, and one process "
                  "and one lane is all that can be used; at each reset, seed all that is random "
                  "with the number of the reset, and use nothing else",
                  found.text);
    return OPAC_OK;
}

/* ---- a second instance ---- */

static opac_status check_lanes(conf_trial *trial, opac_environment *env, opac_error *error)
{
    verdict found;
    if (trial->traits.lanes <= 1 || !trial->is_repeatable)
        return OPAC_OK;
    TRY(compare(trial, "lanes", env, 1, &found, error));
    if (found.is_broken)
        return OPAC_OK;
    if (found.is_same)
        conf_find(trial, OPAC_FINDING_PASSED, "lanes", "a lane does what a single episode does");
    else
        conf_find(trial, OPAC_FINDING_WARNING, "lanes",
                  "by itself, %s in a lane: results depend on the number of lanes; give each "
                  "lane a generator of its own, which its reset seeds",
                  found.text);
    return OPAC_OK;
}

static opac_status check_other(conf_trial *trial, opac_environment *env, opac_error *error)
{
    verdict found;
    TRY(compare(trial, "second instance", env, trial->traits.lanes, &found, error));
    if (found.is_broken)
        return OPAC_OK;
    if (found.is_same || !trial->is_repeatable)
        conf_find(trial, OPAC_FINDING_PASSED, "second instance",
                  trial->is_repeatable ? "it runs beside the first, and answers alike"
                                       : "it runs beside the first");
    else
        conf_find(trial, OPAC_FINDING_WARNING, "second instance",
                  "in a second instance, the same requests %s: with several threads, results "
                  "depend on which instance an episode runs in; let nothing but the seed of the "
                  "reset be random, no process number, time or order of a hash table",
                  found.text);
    return check_lanes(trial, env, error);
}

/* Beside the first one, which is still there. */
static opac_status check_second(conf_trial *trial, opac_error *error)
{
    opac_environment *env = NULL;
    opac_error found = {0};
    if (trial->env == NULL || !trial->traits.can_fork)
        TRY(conf_open(trial, "second instance", &env, error));
    else if (env_fork(trial->env, &env, &found) != OPAC_OK)
        return conf_blame(trial, "second instance", "", &found, error);
    opac_status status = env != NULL ? check_other(trial, env, error) : OPAC_OK;
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
        const conf_move *moves = trace->moves.items;
        uint64_t *next, pair = (uint64_t)moves[i - 1].state << 32 | moves[i].action;
        TRY_OR(done, base_map_at(&seen, pair, &next, error));
        *answer = *answer || (*next != 0 && *next != (uint64_t)moves[i].state + 1);
        *next = (uint64_t)moves[i].state + 1;
    }
done:
    base_map_fini(&seen);
    return status;
}

static opac_status find_random(const conf_trial *trial, const conf_trace **found, opac_error *error)
{
    bool answer = false;
    *found = NULL;
    for (size_t i = 0; i < trial->kept_count && *found == NULL; i++) {
        TRY(is_random(&trial->kept[i], &answer, error));
        if (answer)
            *found = &trial->kept[i];
    }
    return OPAC_OK;
}

static opac_status check_ignored(conf_trial *trial, const conf_trace *trace, opac_error *error)
{
    errand errands[CONF_OTHER_SEEDS];
    opac_error fault = {0};
    for (size_t i = 0; i < CONF_OTHER_SEEDS; i++)
        errands[i] =
            (errand){.trace = trace,
                     .seed = env_episode_seed(trial->options->seed, trial->options->episodes + i)};
    if (run_errands(trial, trial->env, trial->traits.lanes, errands, CONF_OTHER_SEEDS, &fault) !=
        OPAC_OK) {
        conf_drop(trial);
        return conf_blame(trial, "other seeds", "", &fault, error);
    }
    if (find_difference(errands, CONF_OTHER_SEEDS) != NULL)
        conf_find(trial, OPAC_FINDING_PASSED, "other seeds", "they make a difference");
    else
        conf_find(trial, OPAC_FINDING_ERROR, "other seeds",
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
static bool is_deterministic(const conf_trial *trial)
{
    bool varies = trial->starts.count > 1;
    for (size_t i = 0; i < trial->pairs.count && !varies; i++)
        varies = trial->pairs.items[i].varies;
    return !varies;
}

/* The trial has found no difference: nothing is random, or rarely, or the seed is ignored. */
static opac_status explain_seeds(conf_trial *trial, const env_trial *tried, opac_error *error)
{
    const conf_trace *trace = NULL;
    TRY(find_random(trial, &trace, error));
    if (trace != NULL && trial->is_repeatable)
        return check_ignored(trial, trace, error);
    if (is_deterministic(trial))
        conf_find_about(trial, OPAC_FINDING_NOTE, "other seeds", "deterministic",
                        "nothing random was seen: each action of a state led to one state, "
                        "whatever the seed");
    else
        conf_find_about(trial, OPAC_FINDING_WARNING, "other seeds", "trial_steps",
                        "%" PRIu64 " episodes (%" PRIu64 " steps) did not depend on the seed, "
                        "though something is random: if that is rare, learn and estimate need a "
                        "longer trial; if not, seed it with the number of the reset",
                        tried->episodes, tried->steps);
    return OPAC_OK;
}

/* The trial with which learn and estimate begin. */
static opac_status check_seeds(conf_trial *trial, opac_error *error)
{
    env_trial tried = {.seed = trial->options->seed,
                       .most = ENV_TRIAL_STEPS,
                       .halt = is_cancelled,
                       .context = (void *)trial->options->cancel};
    opac_error fault = {0};
    if (trial->outcome->steps == 0)
        return OPAC_OK;
    TRY(conf_need(trial, "other seeds", error));
    if (trial->env == NULL)
        return OPAC_OK;
    if (env_trial_run(trial->env, &tried, &fault) != OPAC_OK) {
        conf_drop(trial);
        return conf_blame(trial, "other seeds", "", &fault, error);
    }
    if (tried.is_halted)
        return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
    if (!tried.differs)
        return explain_seeds(trial, &tried, error);
    conf_find(trial, OPAC_FINDING_PASSED, "other seeds", "they make a difference");
    return OPAC_OK;
}

opac_status conf_repeat(conf_trial *trial, opac_error *error)
{
    if (trial->outcome->episodes == 0)
        return OPAC_OK; /* no reset was ever answered */
    if (trial->has_broken)
        return OPAC_OK; /* the same would break it again */
    TRY(check_same_seed(trial, error));
    TRY(check_seeds(trial, error));
    return check_second(trial, error);
}
