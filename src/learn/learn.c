/* SPDX-License-Identifier: MIT */
/*
 * opac_learn: validates the options, selects the strategy, makes the automaton, the statistics and the
 * forks, and runs the loop (sample/run_loop.c).
 */
#include "learn/learn.h"

#include <math.h>
#include <sys/stat.h>

#include "aut/automaton.h"
#include "bracket/bracket.h"
#include "horizon/horizon_bracket.h"
#include "omega_pac/omega_pac.h"
#include "product/product_objective.h"
#include "sample/at_least.h"

opac_learn_options opac_learn_defaults(void)
{
    return (opac_learn_options){
        .k_rule = OPAC_K_NONE, .seed = 1, .checkpoint_seconds = 60, .threads = 0};
}

/* ---- options ---- */

static opac_status check_choices(const opac_learn_options *o, opac_error *error)
{
    if ((o->k_rule != OPAC_K_NONE && (unsigned)o->k_rule >= OPAC_K_RULES) ||
        (unsigned)o->stop > OPAC_STOP_ALL_ACTIONS || (unsigned)o->sampler > OPAC_SAMPLER_STEP ||
        (unsigned)o->kind > OPAC_KIND_LDBA || (unsigned)o->explore > OPAC_EXPLORE_GENERATIVE)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "unknown rule for k, stopping condition, sampler, kind of automaton or "
                         "exploration");
    if (o->threads > BASE_POOL_MAX_THREADS)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "threads", "at most %d threads",
                                   BASE_POOL_MAX_THREADS);
    if (o->resume && o->checkpoint == NULL)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "resume",
                                   "resuming needs a checkpoint");
    return OPAC_OK;
}

/* p_min or the graph is known. */
static bool knows_rows(const opac_learn_options *o)
{
    return o->pmin != 0 || o->pmin_of != NULL || o->graph != NULL;
}

/* Unless it belongs to T, a question makes epsilon optional. */
static bool has_epsilon(const opac_learn_options *o)
{
    bool is_optional = sample_at_least_is_asked(o) && (knows_rows(o) || o->nothing_known);
    return (o->epsilon > 0 && o->epsilon < 1) || (is_optional && o->epsilon == 0);
}

static opac_status check_options(const opac_learn_options *o, opac_error *error)
{
    if (!has_epsilon(o))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "epsilon",
                                   "epsilon must lie in (0, 1)");
    if (!(o->delta > 0 && o->delta < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "delta", "delta must lie in (0, 1)");
    if (!(o->max_seconds >= 0))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "max_seconds",
                                   "max_seconds must not be negative");
    if (!(o->checkpoint_seconds >= 0))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "checkpoint_seconds",
                                   "checkpoint_seconds must not be negative");
    return check_choices(o, error);
}

/*
 * What is known about the environment decides: p_min or a graph, else T, or nothing; with T, k or a rule for k
 * selects ω-PAC. A new learner is selected here.
 */
static const sample_strategy *select_strategy(const opac_learn_options *o)
{
    if (o->nothing_known)
        return &horizon_strategy;
    if (knows_rows(o))
        return &bracket_strategy;
    return o->k > 0 || o->k_rule != OPAC_K_NONE ? &omega_pac_strategy : &horizon_strategy;
}

/* ---- preparation ---- */

static opac_status make_automaton(opac_learning *l, const opac_objective *o, bool *everywhere,
                                  opac_error *error)
{
    const product_objective_options goal = {.kind = l->options.kind, .cancel = l->options.cancel};
    l->least = product_objective_is_min(o);
    l->report.is_least = l->least;
    l->properties = o->properties;
    TRY(product_objective_describe(o, &l->formula, &l->objective, error));
    TRY(product_objective_automaton(o, l->least, &goal, &l->automaton, &l->report.is_guess, error));
    TRY(product_rabin_pairs(&l->automaton->condition, &l->pairs, everywhere, error));
    if (l->report.is_guess)
        sample_notice(l, "the automaton is nondeterministic, and not known to be good for MDPs: "
                         "it is assumed to be");
    return OPAC_OK;
}

/* The declared sizes of the environment: from the options, else from the environment itself. */
static void declare(opac_learning *l)
{
    const opac_learn_options *o = &l->options;
    const env_traits *t = &l->traits;
    l->declared = (sample_limits){.states = o->states > 0 ? o->states : t->states,
                                  .actions = o->actions > 0 ? o->actions : t->actions,
                                  .branching = o->branching > 0 ? o->branching : t->branching};
    if (o->deterministic)
        l->declared.branching = 1;
    if (l->declared.actions == 0 && t->is_model)
        l->declared.actions = 1; /* a model without actions */
    l->has_bounds = l->declared.states > 0 && l->declared.actions > 0;
    l->report.states = l->declared.states;
    l->report.actions = l->declared.actions;
    l->report.branching = l->declared.branching;
}

static opac_status make_statistics(opac_learning *l, opac_environment *env, bool everywhere,
                                   opac_error *error)
{
    sample_statistics_options stats = {.count_pairs = l->options.count_pairs,
                                       .limits = l->declared,
                                       .alike = l->options.alike,
                                       .always = everywhere ? PRODUCT_MARK_ALWAYS : 0};
    TRY(l->run.strategy->choose_k(l, &stats.k, error));
    TRY(sample_statistics_init(&l->run.stats, env, l->automaton, &stats, error));
    l->has_statistics = true;
    return OPAC_OK;
}

/* Several threads are used only if the environment can be forked. */
static opac_status make_forks(opac_learning *l, opac_environment *env, opac_error *error)
{
    unsigned threads = l->options.threads;
    if (threads != 1 && l->traits.can_fork)
        TRY(base_pool_new(threads, &l->run.pool, error));
    l->threads = l->run.pool != NULL ? base_pool_threads(l->run.pool) : 1;
    l->forks = base_alloc_zeroed(l->threads, sizeof(opac_environment *));
    if (l->forks == NULL)
        return base_fail_memory(error);
    l->forks[0] = env;
    l->run.forks = l->forks;
    return env_fork_many(env, l->forks + 1, l->threads - 1, error);
}

static opac_status prepare(opac_learning *l, opac_environment *env, const opac_objective *objective,
                           const sample_tuning *tuning, opac_error *error)
{
    bool everywhere = false;
    l->run.seed = l->options.seed;
    l->run.horizon = l->options.horizon > 0 ? l->options.horizon : 1;
    l->run.max_steps = l->options.max_steps;
    l->run.limit = UINT64_MAX;
    l->run.progress = l->options.progress;
    TRY(make_automaton(l, objective, &everywhere, error));
    declare(l);
    TRY(make_statistics(l, env, everywhere, error));
    TRY(l->run.strategy->prepare(l, tuning, error));
    TRY(make_forks(l, env, error));
    return sample_question(l, error);
}

/* A run that was killed before its first checkpoint leaves an empty file; then resuming begins a new run. */
static opac_status claim_checkpoint(opac_learning *l, opac_error *error)
{
    opac_learn_options *o = &l->options;
    struct stat found;
    TRY(sample_lock_acquire(&l->lock, o->checkpoint, o->resume, o->replace_checkpoint, error));
    bool is_empty =
        stat(o->checkpoint, &found) == 0 && S_ISREG(found.st_mode) && found.st_size == 0;
    if (o->resume && is_empty) {
        sample_notice(l, "the checkpoint is empty: starting a new run");
        o->resume = false;
    }
    return OPAC_OK;
}

/* k alone selects ω-PAC, whose bounds are those of the rule l1. */
static opac_learn_options complete(const opac_learn_options *given)
{
    opac_learn_options options = *given;
    if (options.k > 0 && options.k_rule == OPAC_K_NONE)
        options.k_rule = OPAC_K_L1;
    return options;
}

opac_status learn_tuned(opac_environment *environment, const opac_objective *objective,
                        const opac_learn_options *given, const sample_tuning *tuning,
                        opac_learning **learning, opac_error *error)
{
    const opac_learn_options all = complete(given), *options = &all;
    *learning = NULL;
    TRY(product_objective_check(objective, error));
    TRY(check_options(options, error));
    TRY(sample_at_least_check(options, product_objective_is_min(objective), error));
    const env_traits traits = env_get_traits(environment);
    const sample_strategy *strategy =
        tuning->strategy != NULL ? tuning->strategy : select_strategy(options);
    TRY(strategy->check(options, &traits, error));
    opac_learning *l = base_alloc_zeroed(1, sizeof *l);
    if (l == NULL)
        return base_fail_memory(error);
    l->options = *options;
    l->traits = traits;
    l->lock.descriptor = -1;
    opac_status status;
    if (options->checkpoint != NULL)
        TRY_OR(done, claim_checkpoint(l, error));
    l->run.strategy = strategy;
    TRY_OR(done, prepare(l, environment, objective, tuning, error));
    TRY_OR(done, sample_loop_run(l, tuning, error));
    status = strategy->report(l, error);
done:
    if (options->checkpoint != NULL)
        sample_lock_release(&l->lock, options->checkpoint);
    /* Borrowed for the time of the run only. */
    l->options.checkpoint = NULL;
    l->has_graph = l->options.graph != NULL;
    l->options.graph = NULL;
    l->options.cancel = l->run.cancel = NULL;
    l->options.progress = l->run.progress = NULL;
    if (status == OPAC_OK)
        status = sample_run_take_names(&l->run, error);
    sample_free_forks(l);
    if (status == OPAC_OK && strategy->verify != NULL && !tuning->skip_check)
        status = strategy->verify(l, error);
    if (status == OPAC_OK)
        *learning = l;
    else
        opac_learning_free(l);
    return status;
}

opac_status opac_learn(opac_environment *environment, const opac_objective *objective,
                       const opac_learn_options *options, opac_learning **learning,
                       opac_error *error)
{
    const sample_tuning tuning = {.patience = 1e6};
    return learn_tuned(environment, objective, options, &tuning, learning, error);
}
