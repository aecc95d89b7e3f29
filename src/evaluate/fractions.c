/* SPDX-License-Identifier: MIT */
/*
 * Elimination in fractions. There is no limit on the work; it can be cancelled. Fractions grow with the
 * component: for n states they have about n times as many digits as the probabilities of the model.
 */
#include "evaluate/fractions.h"

#include "base/alloc.h"

#if defined(OMEGAPAC_HAVE_GMP)

#include "base/rational_gmp.h"
#include "base/work.h"
#include "evaluate/elimination.h"

enum {
    REPORT_EVERY = 1 << 8
};

/* Weights out of a component, in total and to acceptance. `yes` is the value after elimination. */
typedef struct way_out {
    mpq_t all, yes;
} way_out;

typedef struct solver {
    const evaluate_chain *chain;
    const evaluate_classes *classes;
    const opac_model *model;
    const opac_evaluation_options *options;
    base_rational **result; /* by initial state */
    mpq_t *value;           /* by state of the chain */
    uint32_t *local;        /* by state of the chain: its number in its component */
    way_out *out;           /* by number in the component */
    mpq_t ratio, product, sum;
    evaluate_elimination elimination;
} solver;

/* ---- the kernel ---- */

static void divide(void *context, uint32_t k, evaluate_row *row)
{
    solver *s = context;
    mpq_t *weight = row->weight;
    mpq_set(s->sum, s->out[k].all);
    for (uint32_t t = 0; t < row->count; t++)
        mpq_add(s->sum, s->sum, weight[t]);
    for (uint32_t t = 0; t < row->count; t++)
        mpq_div(weight[t], weight[t], s->sum);
    mpq_div(s->out[k].all, s->out[k].all, s->sum);
    mpq_div(s->out[k].yes, s->out[k].yes, s->sum);
}

static void add_product(solver *s, mpq_t sum, const mpq_t a, const mpq_t b)
{
    mpq_mul(s->product, a, b);
    mpq_add(sum, sum, s->product);
}

static void add(void *context, uint32_t i, evaluate_row *row, uint32_t old, uint32_t at, uint32_t k,
                const evaluate_row *pivot, const uint32_t *place)
{
    solver *s = context;
    mpq_t *weight = row->weight, *share = pivot->weight;
    for (uint32_t t = old; t < row->count; t++)
        mpq_init(weight[t]);
    for (uint32_t t = 0; t < pivot->count; t++)
        if (place[t] != EVALUATE_NO_PLACE)
            add_product(s, weight[place[t]], weight[at], share[t]);
    add_product(s, s->out[i].all, weight[at], s->out[k].all);
    add_product(s, s->out[i].yes, weight[at], s->out[k].yes);
    mpq_clear(weight[at]);
}

static void resolve(void *context, uint32_t k, evaluate_row *row)
{
    solver *s = context;
    mpq_t *share = row->weight;
    for (uint32_t t = 0; t < row->count; t++)
        add_product(s, s->out[k].yes, share[t], s->out[row->column[t]].yes);
    for (uint32_t t = 0; t < row->count; t++)
        mpq_clear(share[t]);
    row->count = 0;
}

static const evaluate_kernel fractions = {sizeof(mpq_t), divide, add, resolve};

/* ---- a component ---- */

static opac_status load_edge(solver *s, uint32_t state, uint32_t target, base_ratio ratio,
                             opac_error *error)
{
    const uint32_t *component = s->classes->scc.component;
    uint32_t i = s->local[state];
    if (!base_ratio_is_known(ratio))
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "a probability of the model is not known as a fraction");
    base_rational_from_ratio(s->ratio, ratio);
    if (component[target] != component[state]) {
        mpq_add(s->out[i].all, s->out[i].all, s->ratio);
        add_product(s, s->out[i].yes, s->ratio, s->value[target]);
    } else if (target != state) {
        void *weight;
        TRY(evaluate_elimination_entry(&s->elimination, i, s->local[target], &weight, error));
        mpq_t *entry = weight;
        mpq_init(*entry);
        mpq_set(*entry, s->ratio);
    }
    return OPAC_OK;
}

static opac_status load_row(solver *s, uint32_t state, opac_error *error)
{
    const graph_process *p = &s->chain->process;
    uint32_t branch = s->model->process.edge_begin[s->chain->choice.items[state]];
    uint32_t choice = p->choice_begin[state];
    mpq_set_ui(s->out[s->local[state]].all, 0, 1);
    mpq_set_ui(s->out[s->local[state]].yes, 0, 1);
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        TRY(load_edge(s, state, p->target[e], s->model->exact[branch++], error));
    return OPAC_OK;
}

static opac_status solve_component(solver *s, const uint32_t *states, uint32_t count,
                                   opac_error *error)
{
    bool done;
    evaluate_elimination_begin(&s->elimination, count);
    for (uint32_t i = 0; i < count; i++)
        s->local[states[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        TRY(load_row(s, states[i], error));
    TRY(evaluate_elimination_run(&s->elimination, &done, error));
    for (uint32_t i = 0; i < count; i++)
        mpq_swap(s->value[states[i]], s->out[i].yes);
    return OPAC_OK;
}

/* ---- all components ---- */

static opac_status solve(solver *s, opac_error *error)
{
    const opac_evaluation_options *options = s->options;
    const evaluate_classes *v = s->classes;
    for (uint32_t c = 0; c < v->scc.count; c++) {
        const uint32_t *states = v->groups.state + v->groups.begin[c];
        uint32_t count = v->groups.begin[c + 1] - v->groups.begin[c];
        if (c % REPORT_EVERY == 0 && opac_cancel_requested(options->cancel))
            return base_fail_stopped(error, options->cancel, "evaluating the policy");
        opac_progress_update(options->progress, v->groups.begin[c], v->groups.begin[v->scc.count]);
        if (v->class[c] == EVALUATE_BOTH)
            TRY(solve_component(s, states, count, error));
        else
            for (uint32_t i = 0; i < count; i++)
                mpq_set_ui(s->value[states[i]], v->class[c] == EVALUATE_ACCEPTS, 1);
    }
    return OPAC_OK;
}

static opac_status take_values(const solver *s, opac_error *error)
{
    for (size_t i = 0; i < s->chain->start.count; i++) {
        TRY(base_rational_new(&s->result[i], error));
        TRY(base_rational_keep(s->result[i], s->value[s->chain->start.items[i]], error));
    }
    return OPAC_OK;
}

static opac_status compute(void *context, opac_error *error)
{
    solver *s = context;
    for (uint32_t i = 0; i < s->chain->process.state_count; i++)
        mpq_init(s->value[i]);
    for (uint32_t i = 0; i < s->classes->largest; i++)
        mpq_inits(s->out[i].all, s->out[i].yes, NULL);
    mpq_inits(s->ratio, s->product, s->sum, NULL);
    TRY(solve(s, error));
    return take_values(s, error);
}

static opac_status begin(solver *s, opac_error *error)
{
    uint32_t states = s->chain->process.state_count, largest = s->classes->largest;
    s->value = base_alloc(states, sizeof *s->value);
    s->local = base_alloc(states, sizeof *s->local);
    s->out = base_alloc(largest, sizeof *s->out);
    if (s->value == NULL || s->local == NULL || s->out == NULL)
        return base_fail_memory(error);
    return evaluate_elimination_init(&s->elimination, largest, error);
}

static void end(solver *s)
{
    evaluate_elimination_fini(&s->elimination);
    base_free(s->value);
    base_free(s->local);
    base_free(s->out);
}

opac_status evaluate_fractions_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                     const opac_model *model,
                                     const opac_evaluation_options *options, base_rational **values,
                                     opac_error *error)
{
    if (model->exact == NULL)
        return base_fail_parameter(error, OPAC_ERROR_UNSUPPORTED, "exact",
                                   "the model's probabilities are not known as fractions");
    solver s = {
        .chain = chain,
        .classes = classes,
        .model = model,
        .options = options,
        .result = values,
        .elimination = {.kernel = &fractions, .cancel = options->cancel},
    };
    s.elimination.context = &s;
    opac_status status = begin(&s, error);
    opac_progress_start(options->progress, "solving the chain in fractions");
    if (status == OPAC_OK)
        status = base_gmp_run(compute, &s, error);
    opac_progress_finish(options->progress);
    end(&s);
    return status;
}

#else

opac_status evaluate_fractions_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                     const opac_model *model,
                                     const opac_evaluation_options *options, base_rational **values,
                                     opac_error *error)
{
    (void)chain, (void)classes, (void)model, (void)options;
    return base_rational_new(&values[0], error); /* fails: there is no GMP */
}

#endif
