/* SPDX-License-Identifier: MIT */
/*
 * Computes the optimal probability of an objective in a known model:
 *
 *     objective ─► automaton ─┐
 *                             ├─► product ─► solver ─► answers ─► verdict
 *         model ─► letters ───┘                 └────► policy
 */
#include "check/check.h"

#include "base/alloc.h"
#include "base/work.h"
#include "prism/properties.h"
#include "product/letters.h"
#include "product/product_objective.h"

/* ---- checks of the arguments ---- */

static opac_status check_objective(const opac_model *model, const opac_objective *objective,
                                   opac_error *error)
{
    TRY(product_objective_check(objective, error));
    if (objective->comparison != OPAC_COMPARISON_VALUE &&
        !(objective->bound >= 0 && objective->bound <= 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a bound must lie in [0, 1]");
    if (objective->comparison != OPAC_COMPARISON_VALUE && objective->bound_denominator != 0 &&
        !(objective->bound_numerator >= 0 &&
          objective->bound_numerator <= objective->bound_denominator))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "a bound as a fraction must lie in [0, 1], its denominator above 0");
    if (objective->properties != NULL && objective->properties->model != model)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the properties were read over another model");
    return OPAC_OK;
}

static opac_status check_options(const opac_model *model, const opac_check_options *options,
                                 opac_error *error)
{
    if (!(options->precision > 0 && options->precision < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "precision",
                                   "precision must lie in (0, 1)");
    if ((unsigned)options->kind > OPAC_KIND_LDBA)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "kind", "unknown kind of automaton");
    if (options->threads > BASE_POOL_MAX_THREADS)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "threads", "at most %d threads",
                                   BASE_POOL_MAX_THREADS);
    if (options->exact && model->exact == NULL)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "exact",
                                   "fractions need a model that was read with exact probabilities");
    return OPAC_OK;
}

/* ---- meanings of propositions, for the policy ---- */

static opac_status add_definition(check_work *work, const char *proposition, base_text *meaning,
                                  opac_error *error)
{
    opac_solution *s = work->solution;
    TRY(prism_properties_expand(work->objective->properties, proposition, meaning, error));
    return meaning->length > 0
               ? policy_definitions_add(&s->definitions, proposition, base_text_get(meaning), error)
               : OPAC_OK;
}

/* Stores the meanings of all propositions of the formula, including those that its automaton does not
 * use. */
static opac_status add_definitions(check_work *work, opac_error *error)
{
    const opac_objective *o = work->objective;
    base_text meaning = {0};
    opac_status status = OPAC_OK;
    size_t count = o->formula != NULL ? opac_formula_proposition_count(o->formula)
                                      : o->automaton->proposition_count;
    if (!work->solution->has_policy || o->properties == NULL)
        return OPAC_OK;
    for (size_t i = 0; i < count && status == OPAC_OK; i++)
        status = add_definition(work,
                                o->formula != NULL ? opac_formula_proposition(o->formula, i)
                                                   : o->automaton->propositions[i],
                                &meaning, error);
    base_text_fini(&meaning);
    return status;
}

/* ---- the product ---- */

static void mark_everywhere(product_process *product)
{
    for (uint32_t i = 0; i < product->process.choice_count; i++)
        product->marks[i] |= PRODUCT_MARK_ALWAYS;
}

static opac_status build(check_work *work, opac_error *error)
{
    opac_solution *s = work->solution;
    const opac_check_options *o = &work->options;
    const product_options options = {
        .max_states = o->max_states, .cancel = o->cancel, .progress = o->progress};
    const product_objective_options goal = {.kind = o->kind, .cancel = o->cancel};
    bool everywhere = false;
    TRY(product_objective_automaton(work->objective, s->least, &goal, &s->automaton, &s->is_guess,
                                    error));
    TRY(product_letters(s->model, work->objective->properties, s->automaton, &s->letters, error));
    TRY(product_build(s->model, s->letters, s->automaton, &options, &s->product, error));
    TRY(product_rabin_pairs(&s->automaton->condition, &s->pairs, &everywhere, error));
    if (everywhere)
        mark_everywhere(&s->product);
    return OPAC_OK;
}

/* ---- statistics and warnings ---- */

static void count_states(opac_solution *s)
{
    const graph_process *process = &s->product.process;
    size_t one = base_bitset_count(&s->result.one), zero = base_bitset_count(&s->result.zero);
    s->stats.automaton_states = opac_automaton_states(s->automaton);
    s->stats.product_states = s->product.full;
    s->stats.product_reachable = process->state_count;
    s->stats.choices = process->choice_count;
    s->stats.transitions = process->edge_count;
    s->stats.winning_components = s->result.components;
    s->stats.winning = (uint32_t)one;
    s->stats.losing = (uint32_t)zero;
    s->stats.maybe = (uint32_t)(process->state_count - one - zero);
}

/* A value of 1 is exact, even if the automaton may not be good for MDPs. */
static void warn(check_work *work)
{
    opac_solution *s = work->solution;
    for (uint32_t i = 0; i < s->answer_count; i++)
        s->is_bound |= s->is_guess && s->answers[i].interval.lower < 1;
    if (s->is_bound && work->options.notice != NULL)
        work->options.notice(work->options.notice_context, 0, 0,
                             "the automaton is nondeterministic, and not known to be good for "
                             "MDPs: the value is a lower bound");
}

/* Without a policy, only the numbers are kept. */
static void free_product(opac_solution *s)
{
    solve_solver_free(s->solver);
    s->solver = NULL;
    s->result = (solve_result){0};
    product_fini(&s->product);
    s->product = (product_process){0};
    product_rabin_pair_vec_fini(&s->pairs);
    base_free(s->letters);
    s->letters = NULL;
}

/* ---- the computation ---- */

static opac_status run(check_work *work, opac_error *error)
{
    opac_solution *s = work->solution;
    s->answer_count = opac_model_initial_count(s->model);
    s->answers = base_alloc_zeroed(s->answer_count, sizeof *s->answers);
    if (s->answers == NULL)
        return base_fail_memory(error);
    TRY(product_objective_describe(work->objective, &work->solution->formula,
                                   &work->solution->objective, error));
    TRY(build(work, error));
    TRY(add_definitions(work, error));
    if (work->options.threads != 1)
        TRY(base_pool_new(work->options.threads, &work->pool, error));
    TRY(solve_solver_new(&s->solver, error));
    TRY(base_describe_stopped(check_answer_all(work, error), work->options.cancel,
                              "solving the product of model and automaton", error));
    count_states(s);
    warn(work);
    if (!s->has_policy)
        free_product(s);
    return OPAC_OK;
}

opac_check_options opac_check_defaults(void)
{
    return (opac_check_options){.precision = 1e-6, .max_states = MODEL_DEFAULT_MAX_STATES};
}

opac_status opac_check(const opac_model *model, const opac_objective *objective,
                       const opac_check_options *options, opac_solution **solution,
                       opac_error *error)
{
    check_work work = {.objective = objective};
    *solution = NULL;
    if (options != NULL)
        work.options = *options;
    if (work.options.precision == 0)
        work.options.precision = opac_check_defaults().precision;
    TRY(check_objective(model, objective, error));
    TRY(check_options(model, &work.options, error));
    work.solution = base_alloc_zeroed(1, sizeof *work.solution);
    if (work.solution == NULL)
        return base_fail_memory(error);
    work.solution->model = model;
    work.solution->least = product_objective_is_min_for_model(model, objective);
    work.solution->has_policy = work.options.policy;
    opac_status status = run(&work, error);
    base_pool_free(work.pool);
    if (status == OPAC_OK)
        *solution = work.solution;
    else
        opac_solution_free(work.solution);
    return status;
}
