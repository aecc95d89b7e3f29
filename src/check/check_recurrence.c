/* SPDX-License-Identifier: MIT */
/*
 * The recurrence time of a model with an objective, or of a policy's chain:
 *
 *     objective ─► automaton ─┐
 *                             ├─► product ─► target ─► all policies, exactly ─► T
 *         model ─► letters ───┘      │         │
 *                                    │         └────► simulated runs ────────► an estimate
 *                                    └─► optimal policies: the search begins with them
 *
 * The kind of the result (opac_recurrence_kind) says whether it is exact, a bound or an estimate.
 */
#include <omegapac/recurrence.h>

#include <math.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/work.h"
#include "check/extreme_policies.h"
#include "check/recurrence_estimate.h"
#include "check/recurrence_product.h"
#include "policy/chain_nodes.h"
#include "prism/properties.h"
#include "product/letters.h"
#include "product/product_objective.h"
#include "solve/recurrence.h"

#define DEFAULT_COMPONENT 20
#define DEFAULT_WORK      UINT64_C(4000000000)
#define DEFAULT_SAMPLES   UINT64_C(100000)
#define MAX_SAMPLES       (UINT64_C(1) << 40)

const char *opac_recurrence_kind_name(opac_recurrence_kind kind)
{
    const char *const names[] = {"exact", "lower-bound", "upper-bound", "estimate"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* The state of one call of opac_recurrence_time. */
typedef struct recurrence_run {
    const opac_model *model; /* the induced chain, if a policy is given */
    const opac_objective *objective;
    opac_recurrence_options options; /* with defaults filled in */
    opac_model *chain;               /* owned */
    opac_automaton *automaton;
    uint64_t *letters;
    product_process product;
    check_recurrence_product target;
    bool is_least; /* the objective is about the least probability */
    /* By state of the target: the policy of the result, and the two policies that the search starts from. */
    uint32_t *choice, *optimal, *worst;
    opac_recurrence *recurrence;
} recurrence_run;

/* ---- checks of the arguments ---- */

static opac_status check_options(const recurrence_run *a, opac_error *error)
{
    const opac_recurrence_options *o = &a->options;
    char text[OPAC_NUMBER_SIZE];
    TRY(base_check_fraction("epsilon", o->epsilon, error));
    TRY(base_check_fraction("delta", o->delta, error));
    if (!(o->least >= 0 && o->least <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "least",
                                   "least must be above 0 and at most 1, not %s",
                                   opac_number_format(o->least, text));
    if ((unsigned)o->kind > OPAC_KIND_LDBA)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "kind", "unknown kind of automaton");
    if (o->threads > BASE_POOL_MAX_THREADS)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "threads", "at most %d threads",
                                   BASE_POOL_MAX_THREADS);
    if (o->samples > MAX_SAMPLES)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "samples", "at most 2^40 samples");
    return OPAC_OK;
}

static opac_status check_objective(const recurrence_run *a, opac_error *error)
{
    const opac_objective *o = a->objective;
    TRY(product_objective_check(o, error));
    if (o->properties != NULL && o->properties->model != a->model)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the properties were read over another model");
    if (a->options.policy != NULL && a->options.policy->domain.model != a->model)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the policy is one of another model");
    return OPAC_OK;
}

opac_recurrence_options opac_recurrence_defaults(void)
{
    return (opac_recurrence_options){.max_component = DEFAULT_COMPONENT,
                                     .max_work = DEFAULT_WORK,
                                     .samples = DEFAULT_SAMPLES,
                                     .delta = 0.01,
                                     .max_states = MODEL_DEFAULT_MAX_STATES};
}

static void fill_options(opac_recurrence_options *o)
{
    const opac_recurrence_options usual = opac_recurrence_defaults();
    if (o->max_component == 0)
        o->max_component = usual.max_component;
    if (o->max_work == 0)
        o->max_work = usual.max_work;
    if (o->samples == 0)
        o->samples = usual.samples;
    if (o->delta == 0)
        o->delta = usual.delta;
}

/* ---- the chain of a policy ---- */

/* Lists the nodes (state and memory) in the order of the states of the chain. */
static opac_status list_nodes(const opac_policy *policy, policy_nodes *nodes, opac_error *error)
{
    const graph_process *p = &policy->domain.model->process;
    TRY(policy_nodes_begin(nodes, policy, error));
    for (uint32_t i = 0; i < policy_nodes_count(nodes); i++) {
        policy_node node = policy_nodes_at(nodes, i);
        uint32_t choice = opac_policy_act(policy, node.state, &node.memory), number;
        for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
            TRY(policy_nodes_add(nodes, p->target[e], node.memory, &number, error));
    }
    return OPAC_OK;
}

static opac_status follow_policy(recurrence_run *a, opac_error *error)
{
    policy_nodes nodes = {0};
    opac_status status;
    TRY_OR(done, opac_policy_induce(a->options.policy, a->options.cancel, &a->chain, error));
    TRY_OR(done, list_nodes(a->options.policy, &nodes, error));
    if (policy_nodes_count(&nodes) != a->chain->process.state_count)
        TRY_OR(done,
               base_fail(error, OPAC_ERROR_INTERNAL, "the chain of a policy has other states"));
    uint64_t *letters = base_alloc(policy_nodes_count(&nodes), sizeof *letters);
    if (letters == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < policy_nodes_count(&nodes); i++)
        letters[i] = a->letters[policy_nodes_at(&nodes, i).state];
    base_free(a->letters);
    a->letters = letters;
    a->model = a->chain;
done:
    policy_nodes_fini(&nodes);
    return status;
}

/* ---- the target process ---- */

static opac_status build(recurrence_run *a, opac_error *error)
{
    const opac_recurrence_options *o = &a->options;
    const product_objective_options goal = {.kind = o->kind, .cancel = o->cancel};
    const product_options options = {.keep_universal = !o->end_accepted,
                                     .max_states = o->max_states,
                                     .cancel = o->cancel,
                                     .progress = o->progress};
    bool is_guess;
    a->is_least = product_objective_is_min_for_model(a->model, a->objective);
    TRY(product_objective_automaton(a->objective, a->is_least, &goal, &a->automaton, &is_guess,
                                    error));
    TRY(product_letters(a->model, a->objective->properties, a->automaton, &a->letters, error));
    if (o->policy != NULL)
        TRY(follow_policy(a, error));
    TRY(product_build(a->model, a->letters, a->automaton, &options, &a->product, error));
    return check_recurrence_product_init(&a->target, &a->product, error);
}

static opac_status find_bounds(recurrence_run *a, opac_error *error)
{
    opac_recurrence *r = a->recurrence;
    double epsilon = a->options.epsilon;
    r->automaton_states = opac_automaton_states(a->automaton);
    r->product_states = a->product.full;
    r->product_reachable = a->target.process.state_count;
    r->bound_states =
        r->product_states > r->product_reachable ? r->product_states : r->product_reachable;
    r->least = a->options.least > 0 ? a->options.least : a->target.least;
    TRY(opac_bound_recurrence(r->bound_states, r->least, epsilon, &r->bound, error));
    TRY(opac_bound_recurrence_published(r->bound_states, r->least, epsilon, &r->published, error));
    return opac_bound_recurrence(r->product_reachable, r->least, epsilon, &r->bound_reached, error);
}

/* ---- the recurrence time ---- */

static void set_result(opac_recurrence *r, opac_recurrence_kind kind, uint64_t steps)
{
    r->kind = kind;
    r->steps = opac_count_of(steps);
}

static solve_recurrence_options time_options(const recurrence_run *a)
{
    const opac_recurrence_options *o = &a->options;
    return (solve_recurrence_options){.epsilon = o->epsilon,
                                      .literal = o->literal,
                                      .max_component = o->max_component,
                                      .max_work = o->max_work,
                                      .cancel = o->cancel};
}

/* Simulates one of `of` policies, which share delta and the work. */
static opac_status estimate(recurrence_run *a, const uint32_t *choice, unsigned of,
                            check_estimate *found, opac_error *error)
{
    const opac_recurrence_options *o = &a->options;
    const check_estimate_options options = {.epsilon = o->epsilon,
                                            .delta = o->delta / of,
                                            .literal = o->literal,
                                            .samples = o->samples,
                                            .seed = o->seed,
                                            .max_steps = o->max_work / o->samples / of + 1,
                                            .threads = o->threads,
                                            .cancel = o->cancel,
                                            .progress = o->progress};
    return check_estimate_chain(&a->target.process, choice, a->target.start, &options, found,
                                error);
}

static void set_estimate(opac_recurrence *r, const check_estimate *found)
{
    set_result(r, OPAC_RECURRENCE_ESTIMATE, found->steps);
    r->lower = found->lower;
    r->upper = found->upper;
}

static bool is_chain(const recurrence_run *a)
{
    const graph_process *p = &a->target.process;
    return p->choice_count == p->state_count;
}

/* For a chain, an estimate is preferred to a lower bound. */
static opac_status finish_chain(recurrence_run *a, uint64_t lower, opac_error *error)
{
    check_estimate found = {0};
    opac_status status = OPAC_OK;
    if (lower == 0 || lower <= a->options.max_work / a->options.samples)
        status = estimate(a, a->choice, 1, &found, error);
    if (found.is_known)
        set_estimate(a->recurrence, &found);
    else
        set_result(a->recurrence, OPAC_RECURRENCE_LOWER, lower > 0 ? lower : 1);
    return status;
}

/*
 * Not all policies were examined, or some have a component that is too large. Computes the time of the
 * optimal policy with the whole limit on the work, and simulates policies with a large component. The
 * result is the longest time found, as a lower bound.
 */
static opac_status finish_policies(recurrence_run *a, const solve_recurrence *best,
                                   opac_error *error)
{
    const solve_recurrence_options options = time_options(a);
    const uint32_t *const policies[] = {a->choice, a->optimal};
    check_estimate found[2] = {0};
    solve_recurrence time;
    uint64_t lower = best->steps;
    bool is_large[2] = {isnan(best->reached) || lower == 0};
    TRY(solve_recurrence_policy(&a->target.process, a->optimal, a->target.start, &options, &time,
                                error));
    is_large[1] = time.outcome == SOLVE_RECURRENCE_TOO_BIG;
    lower = time.steps > lower ? time.steps : lower;
    for (int i = 0; i < 2; i++)
        if (is_large[i])
            TRY(estimate(a, policies[i], (unsigned)is_large[0] + is_large[1], &found[i], error));
    const check_estimate *longest = found[1].steps > found[0].steps ? &found[1] : &found[0];
    if (longest->is_known && longest->lower > lower) {
        set_estimate(a->recurrence, longest);
        a->recurrence->is_partial = true;
    } else {
        set_result(a->recurrence, OPAC_RECURRENCE_LOWER, lower > 0 ? lower : 1);
    }
    return OPAC_OK;
}

static opac_status finish(recurrence_run *a, const solve_recurrence *found, opac_error *error)
{
    if (found->outcome != SOLVE_RECURRENCE_FOUND)
        return is_chain(a) ? finish_chain(a, found->steps, error)
                           : finish_policies(a, found, error);
    set_result(a->recurrence, OPAC_RECURRENCE_EXACT, found->steps);
    a->recurrence->before = found->before;
    a->recurrence->reached = found->reached;
    return OPAC_OK;
}

static opac_status find_time(recurrence_run *a, opac_error *error)
{
    const opac_recurrence_options *o = &a->options;
    solve_recurrence_options options = time_options(a);
    solve_recurrence found;
    uint32_t count = a->target.process.state_count;
    a->choice = base_alloc(count, sizeof *a->choice);
    a->optimal = base_alloc(count, sizeof *a->optimal);
    a->worst = base_alloc(count, sizeof *a->worst);
    if (a->choice == NULL || a->optimal == NULL || a->worst == NULL)
        return base_fail_memory(error);
    const uint32_t *const starts[] = {a->optimal, a->worst};
    if (!is_chain(a)) {
        const check_extreme_policies_input input = {.product = &a->product,
                                                    .automaton = a->automaton,
                                                    .target = &a->target,
                                                    .least = a->is_least,
                                                    .cancel = o->cancel,
                                                    .progress = o->progress};
        TRY(check_extreme_policies(&input, a->optimal, a->worst, error));
        options.initial_policies = starts;
        options.initial_policy_count = 2;
    }
    opac_progress_start(o->progress, "following the policies");
    opac_status status =
        solve_recurrence_process(&a->target.process, a->target.start, &options, &found, a->choice,
                                 &a->recurrence->policies, error);
    if (status == OPAC_OK)
        status = finish(a, &found, error);
    opac_progress_finish(o->progress);
    return status;
}

static opac_status run(recurrence_run *a, opac_error *error)
{
    TRY(build(a, error));
    TRY(find_bounds(a, error));
    if (a->options.least == 0)
        return base_describe_stopped(find_time(a, error), a->options.cancel,
                                     "finding the recurrence time", error);
    a->recurrence->kind = OPAC_RECURRENCE_UPPER;
    a->recurrence->steps = a->recurrence->bound;
    return OPAC_OK;
}

opac_status opac_recurrence_time(const opac_model *model, const opac_objective *objective,
                                 const opac_recurrence_options *options,
                                 opac_recurrence *recurrence, opac_error *error)
{
    recurrence_run a = {
        .model = model, .objective = objective, .options = *options, .recurrence = recurrence};
    *recurrence = (opac_recurrence){.before = NAN, .reached = NAN};
    fill_options(&a.options);
    TRY(check_objective(&a, error));
    TRY(check_options(&a, error));
    opac_status status = run(&a, error);
    base_free(a.choice);
    base_free(a.optimal);
    base_free(a.worst);
    check_recurrence_product_fini(&a.target);
    product_fini(&a.product);
    base_free(a.letters);
    opac_automaton_free(a.automaton);
    opac_model_free(a.chain);
    return status;
}
