/* SPDX-License-Identifier: MIT */
/*
 * opac_estimate: the probability that a Markov chain satisfies an objective, estimated by the share of
 * winning trajectories of T steps.
 *
 * Guarantee (docs/theory.md, Theorem 7). The expectation of the share differs from the probability by at
 * most ε, because T bounds the ε-recurrence time. The deviation of the share from its expectation is
 * bounded by confidence sequences (stat/sequence.h), which are valid at all times at once with probability
 * 1 - δ, so it does not matter why a run ends, nor whether its end depends on its observations:
 *
 *     line       if a number of trajectories is planned; after these it is Hoeffding's interval
 *     mixture    if a width is requested
 *
 * A run with a limit on steps or time uses both, which share δ, because it may end long before the line
 * gives a useful interval. The mixture has a sixteenth of δ, and some more trajectories make up for that.
 *
 * Trajectories are run in batches, which are divided into blocks for the threads. The sizes are a function
 * of earlier counts, so the result does not depend on the number of threads.
 */
#include <omegapac/estimation.h>

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "aut/automaton.h"
#include "base/memory.h"
#include "base/pool.h"
#include "estimate/classify_trajectory.h"
#include "product/product_objective.h"
#include "sample/assumptions.h"
#include "sample/budget.h"
#include "sample/repeats.h"
#include "sample/seed_check.h"
#include "sample/trial.h"
#include "stat/sequence.h"

enum {
    BATCH_STEPS = 1 << 22, /* approximate steps of a batch, without a requested width */
    BATCH_LEAST = 64,      /* trajectories of such a batch */
    LOOK_LEAST = 16,       /* with a requested width: trajectories of a batch, */
    LOOK_SHARE = 32,       /* or this part of those so far */
    BLOCKS = 64,           /* most blocks of a batch */
    PROBES = 8,            /* episodes that are repeated before several threads are used */
    MOST_SEEN = 4096       /* states of a block that the test of independence uses */
};

typedef struct block {
    uint64_t won, trajectories, steps;
    bool is_done;
} block;

typedef struct estimating {
    const opac_estimate_options *options;
    opac_automaton *automaton;
    base_pool *pool;
    opac_environment **envs;          /* by worker; the first is the caller's */
    estimate_classifier *classifiers; /* by worker */
    unsigned workers, ready_classifiers;
    double deadline;           /* 0 if there is none */
    base_meter meter;          /* of memory */
    uint64_t first, size;      /* of the batch: its first trajectory; trajectories of a block */
    uint64_t batch;            /* number of trajectories of the batch */
    block blocks[BLOCKS];      /* of the batch */
    base_u64_vec seen[BLOCKS]; /* by block, estimate_classifier.seen */
    sample_repeats *repeats;   /* the test of independence; may be NULL */
    atomic_uint_fast64_t run;  /* trajectories of all batches, for the progress only */
    uint64_t wanted;           /* planned trajectories; UINT64_MAX if a width is requested */
    sample_budget_estimate budget;
    opac_estimation found;
} estimating;

/* ---- options ---- */

static opac_status check_options(const opac_estimate_options *options, opac_error *error)
{
    if (options->horizon == 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "horizon",
                                   "horizon must be at least 1, not 0");
    if (options->width != 0 && !(options->width > options->epsilon && options->width <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "width",
                                   "width must be above epsilon and at most 1");
    if (!(options->max_seconds >= 0))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "max_seconds",
                                   "max_seconds must not be negative");
    return OPAC_OK;
}

static opac_status make_automaton(estimating *e, const opac_objective *objective, opac_error *error)
{
    product_objective_options options = {.kind = OPAC_KIND_DETERMINISTIC,
                                         .cancel = e->options->cancel};
    bool is_guess;
    if ((objective->formula == NULL) == (objective->automaton == NULL))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "an objective is either a formula or an automaton");
    if (objective->automaton != NULL && !opac_automaton_is_deterministic(objective->automaton))
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "an estimate needs a deterministic automaton, but this one is "
                         "nondeterministic; convert it to a deterministic one, or give a formula");
    TRY(product_objective_automaton(objective, false, &options, &e->automaton, &is_guess, error));
    e->found.automaton_states = e->automaton->state_count;
    return OPAC_OK;
}

/* ---- preparation ---- */

/* Whether to stop: on request, or at a limit on time or memory. */
static bool must_stop(void *context)
{
    estimating *e = context;
    return opac_cancel_requested(e->options->cancel) ||
           (e->deadline > 0 && opac_clock_seconds() >= e->deadline) ||
           base_meter_is_full(&e->meter);
}

static opac_status init_classifier(estimating *e, unsigned worker, opac_error *error)
{
    TRY(estimate_classifier_init(&e->classifiers[worker], e->envs[worker], e->automaton, error));
    e->ready_classifiers++;
    e->classifiers[worker].halt = must_stop;
    e->classifiers[worker].halt_context = e;
    e->classifiers[worker].most_seen = MOST_SEEN;
    e->classifiers[worker].is_deterministic = e->options->deterministic;
    return OPAC_OK;
}

/*
 * If the random numbers of a simulator are not a function of the seed, several processes may have the same
 * ones: a program that never seeds its generator gets the same numbers each time it is started. Then only
 * trajectories of a single process are independent.
 */
static opac_status check_workers(estimating *e, opac_error *error)
{
    bool is_same = true;
    uint64_t digest;
    opac_status status = OPAC_OK;
    if (e->workers == 1 || env_get_traits(e->envs[0]).is_tabulated)
        return OPAC_OK;
    for (unsigned i = 0; i < PROBES && status == OPAC_OK && is_same; i++)
        status = sample_seed_check_run(e->envs, 2, sample_seed_check_seed(e->options->seed, i),
                                       &digest, &is_same, error);
    if (status == OPAC_ERROR_CANCELLED && opac_cancel_requested(e->options->cancel))
        return OPAC_OK;
    if (status != OPAC_OK || is_same)
        return status;
    base_pool_free(e->pool);
    e->pool = NULL;
    if (e->options->notice != NULL)
        e->options->notice(e->options->notice_context, 0, 0,
                           "the simulator's random numbers are not a function of the seed: "
                           "episodes are run one at a time, and the run cannot be repeated");
    return base_pool_new(1, &e->pool, error);
}

/* Runs the trial of a simulator, and prepares the test of independence. */
static opac_status prepare_tests(estimating *e, opac_error *error)
{
    const opac_estimate_options *o = e->options;
    sample_trial trial = {.seed = o->seed,
                          .steps = o->trial_steps,
                          .automaton = e->automaton,
                          .halt = must_stop,
                          .context = e};
    if (env_get_traits(e->envs[0]).is_tabulated)
        return OPAC_OK;
    e->found.tested = o->untested        ? SAMPLE_UNTESTED
                      : o->deterministic ? SAMPLE_TESTED_DETERMINISTIC
                                         : SAMPLE_TESTED;
    if (o->untested || o->deterministic)
        return OPAC_OK;
    opac_status status = sample_trial_run(e->envs[0], &trial, error);
    sample_trial_fini(&trial);
    TRY(status);
    return sample_repeats_new(SAMPLE_REPEATS_LEVEL / 2, &e->repeats, error);
}

static opac_status prepare(estimating *e, opac_environment *env, opac_error *error)
{
    bool is_alone = !env_get_traits(env).can_fork || e->options->deterministic;
    unsigned threads = is_alone ? 1 : e->options->threads;
    TRY(env_bind(env, (const char *const *)e->automaton->propositions,
                 e->automaton->proposition_count, error));
    TRY(base_pool_new(threads, &e->pool, error));
    e->workers = base_pool_threads(e->pool);
    e->envs = base_alloc_zeroed(e->workers, sizeof(opac_environment *));
    e->classifiers = base_alloc_zeroed(e->workers, sizeof *e->classifiers);
    if (e->envs == NULL || e->classifiers == NULL)
        return base_fail_memory(error);
    e->envs[0] = env;
    TRY(env_fork_many(env, e->envs + 1, e->workers - 1, error));
    TRY(prepare_tests(e, error));
    TRY(check_workers(e, error));
    for (unsigned i = 0; i < e->workers; i++)
        TRY(init_classifier(e, i, error));
    return OPAC_OK;
}

static void release(estimating *e)
{
    for (unsigned i = 0; i < e->ready_classifiers; i++)
        estimate_classifier_fini(&e->classifiers[i]);
    for (unsigned i = 1; e->envs != NULL && i < e->workers; i++)
        opac_environment_free(e->envs[i]);
    for (size_t i = 0; i < BLOCKS; i++)
        base_u64_vec_fini(&e->seen[i]);
    sample_repeats_free(e->repeats);
    base_free(e->classifiers);
    base_free(e->envs);
    base_pool_free(e->pool);
    opac_automaton_free(e->automaton);
}

/* ---- a batch ---- */

/* Only worker 0, the caller's thread, may update the progress. */
static void show_progress(estimating *e, unsigned worker)
{
    uint64_t total = e->wanted == UINT64_MAX ? 0 : e->wanted;
    if (worker == 0 && e->options->progress != NULL)
        opac_progress_update(e->options->progress, atomic_load(&e->run), total);
}

static opac_status run_block(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    estimating *e = context;
    estimate_classifier *classifier = &e->classifiers[worker];
    uint64_t begin = index * e->size, end = begin + e->size < e->batch ? begin + e->size : e->batch;
    uint64_t before = classifier->steps;
    block made = {0};
    e->seen[index].count = 0;
    classifier->seen = e->repeats != NULL ? &e->seen[index] : NULL;
    for (uint64_t i = begin; i < end; i++) {
        estimate_verdict verdict;
        opac_status status = estimate_classify_trajectory(
            classifier, env_episode_seed(e->options->seed, e->first + i), e->options->horizon,
            &verdict, error);
        if (status == OPAC_ERROR_CANCELLED && must_stop(e))
            break; /* it was cancelled while it waited for the environment */
        if (status != OPAC_OK)
            return status;
        if (verdict == ESTIMATE_HALTED || verdict == ESTIMATE_REFUTED)
            break;
        made.trajectories++;
        made.won += verdict == ESTIMATE_WON;
    }
    made.steps = classifier->steps - before;
    made.is_done = made.trajectories == end - begin;
    e->blocks[index] = made;
    atomic_fetch_add(&e->run, made.trajectories);
    show_progress(e, worker);
    return OPAC_OK;
}

/* Passes the draws of a block, as kept by the classifiers, to the test of independence. */
static opac_status test_block(estimating *e, uint64_t index, opac_error *error)
{
    const base_u64_vec *seen = &e->seen[index];
    for (size_t i = 0; i < seen->count; i++) {
        uint64_t state = seen->items[i];
        if (state == 0)
            sample_repeats_begin(e->repeats);
        else
            TRY(sample_repeats_observe(
                e->repeats, seen->items[i - 1] == 0 ? SAMPLE_REPEATS_RESET : seen->items[i - 1],
                state, error));
    }
    return OPAC_OK;
}

static opac_status test_batch(estimating *e, uint64_t blocks, opac_error *error)
{
    for (uint64_t i = 0; i < blocks && e->repeats != NULL; i++)
        TRY(test_block(e, i, error));
    return OPAC_OK;
}

/* Counts the blocks in order, up to the first that was interrupted: which trajectories count must not
 * depend on their results. (The sequences are valid for any number of trajectories, however it is chosen.) */
static bool collect(estimating *e, uint64_t blocks)
{
    for (uint64_t i = 0; i < blocks; i++) {
        e->found.won += e->blocks[i].won;
        e->found.trajectories += e->blocks[i].trajectories;
        e->found.steps += e->blocks[i].steps;
        if (!e->blocks[i].is_done)
            return false;
    }
    return true;
}

static opac_status run_batch(estimating *e, uint64_t trajectories, bool *is_whole,
                             opac_error *error)
{
    e->first = e->found.trajectories;
    e->batch = trajectories;
    e->size = (trajectories - 1) / BLOCKS + 1;
    uint64_t blocks = (trajectories - 1) / e->size + 1;
    TRY(base_pool_for(e->pool, blocks, run_block, e, NULL, error));
    TRY(test_batch(e, blocks, error));
    *is_whole = collect(e, blocks);
    return OPAC_OK;
}

/* ---- when to stop ---- */

/* The interval of the share, widened by ε and rounded outwards. */
static void set_interval(opac_estimation *found, stat_interval chance, double epsilon)
{
    found->lower = fmax(nextafter(chance.lower - epsilon, -1), 0);
    found->upper = fmin(nextafter(chance.upper + epsilon, 2), 1);
}

/* Computes the interval: the intersection of the sequences in use. */
static void update_interval(estimating *e)
{
    const opac_estimate_options *o = e->options;
    opac_estimation *found = &e->found;
    stat_interval chance = {0, 1};
    found->value = (double)found->won / (double)found->trajectories; /* NAN without any */
    if (e->budget.line > 0)
        chance = stat_sequence_line(found->won, found->trajectories, o->epsilon, e->budget.line);
    if (e->budget.mixture > 0 && found->trajectories < e->wanted) {
        stat_interval mixture =
            stat_sequence_mixture(found->won, found->trajectories, e->budget.mixture);
        chance.lower = fmax(chance.lower, mixture.lower);
        chance.upper = fmin(chance.upper, mixture.upper);
    }
    set_interval(found, chance, o->epsilon);
}

/* Updates the interval; returns whether the run is done. */
static bool is_done(estimating *e)
{
    opac_estimation *found = &e->found;
    double width = e->options->width;
    update_interval(e);
    found->holds =
        width > 0 ? found->upper - found->value <= width && found->value - found->lower <= width
                  : found->trajectories >= e->wanted;
    return found->holds;
}

/* Number of trajectories of the next batch; 0 if the planned number is done, or max_steps allows no more. */
static uint64_t next_batch(const estimating *e)
{
    const opac_estimate_options *options = e->options;
    uint64_t done = e->found.trajectories, most = e->wanted - done, size;
    if (options->width > 0) {
        size = done / LOOK_SHARE > LOOK_LEAST ? done / LOOK_SHARE : LOOK_LEAST;
    } else {
        size = BATCH_STEPS / options->horizon;
        size = size > BATCH_LEAST ? size : BATCH_LEAST;
    }
    if (options->max_steps > 0) {
        uint64_t left = options->max_steps - e->found.steps, fit = left / options->horizon;
        most = fit < most ? fit : most;
    }
    return size < most ? size : most;
}

/* Withdraws the result if the system was declared deterministic and is not. */
static void refute(estimating *e)
{
    const char *why = e->classifiers[0].refutation;
    opac_estimation *found = &e->found;
    if (why[0] == '\0')
        return;
    found->is_refuted = true;
    found->holds = false;
    found->tested = NULL;
    found->value = NAN;
    found->lower = 0;
    found->upper = 1;
    snprintf(found->refutation, sizeof found->refutation, "%s", why);
}

static opac_status run_all(estimating *e, opac_error *error)
{
    bool is_whole = true;
    while (!is_done(e) && is_whole) {
        uint64_t batch = next_batch(e);
        if (batch == 0)
            break;
        TRY(run_batch(e, batch, &is_whole, error));
    }
    for (unsigned i = 1; i < e->workers; i++)
        TRY(estimate_classifier_merge(&e->classifiers[0], &e->classifiers[i], error));
    e->found.states_seen = e->classifiers[0].states.count;
    for (size_t i = 0; i < e->classifiers[0].states.count; i++)
        e->found.has_terminal |= e->classifiers[0].states.items[i].actions == 0;
    e->found.is_full = !e->found.holds && base_meter_check_now(&e->meter);
    refute(e);
    e->found.is_cancelled =
        !e->found.holds && opac_cancel_get_reason(e->options->cancel) == OPAC_CANCEL_REQUEST;
    return OPAC_OK;
}

/* Divides δ. A limit that may depend on the observations costs a part of it; a request to stop is not
 * planned. */
static opac_status plan(estimating *e, opac_error *error)
{
    const opac_estimate_options *o = e->options;
    bool has_limit = o->max_steps > 0 || o->max_seconds > 0;
    e->budget = sample_budget_of_estimate(o->delta, o->width > 0, has_limit);
    opac_status status = opac_bound_estimator(o->epsilon, o->width > 0 ? o->delta : e->budget.line,
                                              &e->found.wanted, error);
    e->wanted = o->width > 0 ? UINT64_MAX : e->found.wanted.value;
    return status;
}

opac_estimate_options opac_estimate_defaults(void)
{
    return (opac_estimate_options){.seed = 1};
}

opac_status opac_estimate(opac_environment *environment, const opac_objective *objective,
                          const opac_estimate_options *options, opac_estimation *estimation,
                          opac_error *error)
{
    estimating e = {.options = options};
    double start = opac_clock_seconds();
    TRY(check_options(options, error));
    TRY(plan(&e, error));
    e.deadline = options->max_seconds > 0 ? start + options->max_seconds : 0;
    e.found.confidence = sample_confidence(options->delta);
    if (!env_get_traits(environment).is_tabulated)
        base_meter_init(&e.meter, options->max_memory);
    opac_status status;
    TRY_OR(done, make_automaton(&e, objective, error));
    TRY_OR(done, prepare(&e, environment, error));
    opac_progress_start(options->progress, "sampling");
    status = run_all(&e, error);
    opac_progress_finish(options->progress);
    TRY_OR(done, status);
    e.found.seconds = opac_clock_seconds() - start;
    TRY_OR(done, base_check_bounds(e.found.lower, e.found.upper, error));
    *estimation = e.found;
done:
    release(&e);
    return status;
}
