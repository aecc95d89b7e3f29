/* SPDX-License-Identifier: MIT */
/*
 * Computes the outcomes of all states, component by component, by elimination in doubles.
 *
 * Error bound. The probability of leaving a component by a given edge is a quotient of two sums of
 * products of weights, with one weight of each row in each product, all with positive sign (the
 * matrix-tree theorem; Freidlin and Wentzell). So if the logarithms of the weights of one row change by
 * at most d, the logarithm of the probability changes by at most 2d, for every chain (O'Cinneide 1993).
 * Rounding is such a change of the current chain:
 *
 *     a row of the model       2 · (8 + its edges + 6) roundings: the error of the input, the sums of
 *                              weights out of the component
 *     a row that substitutes   2 · 8: the sum of the row of the pivot (compensated, 3), the division,
 *     the row of the pivot     the product, the sum
 *     a value computed back    8 plus the entries of the row, plus the largest error of a value in its row
 *
 * The error of the logarithm is accumulated in `error`, and evaluate_outcome_enclose widens the outcome
 * by it: about 1e-14 for small and sparse components, 1e-9 for thousands of dense states. Weights that
 * underflow are added to `unknown`.
 */
#include "evaluate/outcome.h"

#include <float.h>
#include <math.h>

#include "base/work.h"
#include "evaluate/elimination.h"

enum {
    ROW_ROUNDINGS = EVALUATE_INPUT_ROUNDINGS + 6,
    PASS_ROUNDINGS = 8,
    BACK_ROUNDINGS = 8,
    FINAL_ROUNDINGS = 16,
    REPORT_EVERY = 1 << 8
};

/* Default limits: work of the elimination (some seconds), its entries (half a gigabyte), and edges visited by
 * iteration (about ten seconds). */
#define MOST_WORK    UINT64_C(2000000000)
#define MOST_ENTRIES UINT64_C(40000000)
#define MOST_EDGES   UINT64_C(4000000000)

/*
 * Widens an outcome where `small` and `open` have a relative error of `lost`. `large` is the rest, and
 * gets the same absolute error, so that a probability near 0 (or near 1) keeps its relative precision.
 */
static evaluate_outcome enclose_small(double small, double open, double large, double lost)
{
    evaluate_outcome kept = {.unknown = open * (1 + lost) + 2 * small * lost,
                             .no = large - (small + open) * lost};
    evaluate_outcome_add(small, 1 - lost, &kept.yes, &kept.unknown);
    return kept;
}

static evaluate_outcome enclose_any(evaluate_outcome outcome, double lost)
{
    evaluate_outcome kept = {.unknown = outcome.unknown + (outcome.yes + outcome.no) * lost};
    evaluate_outcome_add(outcome.yes, 1 - lost, &kept.yes, &kept.unknown);
    evaluate_outcome_add(outcome.no, 1 - lost, &kept.no, &kept.unknown);
    return kept;
}

evaluate_outcome evaluate_outcome_enclose(evaluate_outcome outcome, double error)
{
    evaluate_outcome kept;
    double lost = 2 * error + FINAL_ROUNDINGS * EVALUATE_ROUNDING; /* e^-x >= 1 - x; over the sum */
    if (!(lost < 0.25)) {
        kept = enclose_any(outcome, lost < 1 ? lost : 1);
    } else if (outcome.yes + outcome.unknown <= outcome.no) {
        kept = enclose_small(outcome.yes, outcome.unknown, outcome.no, 1.25 * lost); /* e^x */
    } else if (outcome.no + outcome.unknown <= outcome.yes) {
        evaluate_outcome swapped =
            enclose_small(outcome.no, outcome.unknown, outcome.yes, 1.25 * lost);
        kept = (evaluate_outcome){.yes = swapped.no, .unknown = swapped.unknown, .no = swapped.yes};
    } else {
        kept = enclose_any(outcome, lost);
    }
    double sum = kept.yes + kept.unknown + kept.no;
    return (evaluate_outcome){kept.yes / sum, kept.unknown / sum, kept.no / sum, outcome.estimate};
}

opac_interval evaluate_outcome_interval(evaluate_outcome outcome)
{
    double slack = FINAL_ROUNDINGS * EVALUATE_ROUNDING,
           sum = outcome.yes + outcome.unknown + outcome.no;
    if (outcome.unknown == 0 && (outcome.yes == 0 || outcome.no == 0))
        slack = 0;
    opac_interval interval = {
        .value = outcome.estimate,
        .lower = outcome.yes / sum * (1 - slack),
        .upper = (outcome.yes + outcome.unknown) / sum * (1 + slack),
    };
    if (interval.upper > 1)
        interval.upper = 1;
    if (interval.value < interval.lower)
        interval.value = interval.lower;
    if (interval.value > interval.upper)
        interval.value = interval.upper;
    return interval;
}

/* ---- the kernel: weights in doubles, and the weights out of the component ---- */

typedef struct solver {
    const evaluate_chain *chain;
    const evaluate_classes *classes;
    evaluate_outcome *outcome; /* by state of the chain */
    uint32_t *local;           /* by state of the chain: its number in its component */
    evaluate_outcome *out;     /* by number in the component: weights out of it; later the values */
    double *depth;             /* by number in the component: roundings of its value */
    double error;              /* of the component, in roundings */
    evaluate_elimination elimination;
    uint64_t edges; /* number of edges that iterations may still visit */
} solver;

/* Compensated summation (Kahan): the error is less than three roundings for any number of terms. */
static double sum_row(const double *weight, uint32_t count, evaluate_outcome out)
{
    double sum = 0, rest = 0;
    for (uint32_t t = 0; t < count + 3; t++) {
        double term = t < count        ? weight[t]
                      : t == count     ? out.yes
                      : t == count + 1 ? out.unknown
                                       : out.no;
        double next = term - rest, total = sum + next;
        rest = (total - sum) - next;
        sum = total;
    }
    return sum;
}

static void divide(void *context, uint32_t k, evaluate_row *row)
{
    solver *s = context;
    double *weight = row->weight, sum = sum_row(weight, row->count, s->out[k]);
    for (uint32_t t = 0; t < row->count; t++)
        weight[t] /= sum;
    s->out[k] = (evaluate_outcome){s->out[k].yes / sum, s->out[k].unknown / sum, s->out[k].no / sum,
                                   s->out[k].estimate / sum};
}

static void add(void *context, uint32_t i, evaluate_row *row, uint32_t old, uint32_t at, uint32_t k,
                const evaluate_row *pivot, const uint32_t *place)
{
    solver *s = context;
    double *weight = row->weight;
    const double *share = pivot->weight;
    double factor = weight[at];
    evaluate_outcome out = s->out[i];
    for (uint32_t t = old; t < row->count; t++)
        weight[t] = 0;
    for (uint32_t t = 0; t < pivot->count; t++)
        if (place[t] != EVALUATE_NO_PLACE)
            evaluate_outcome_add(factor, share[t], &weight[place[t]], &out.unknown);
    evaluate_outcome_mix(&out, factor, s->out[k]);
    s->out[i] = out;
    s->error += 2 * PASS_ROUNDINGS;
}

static void resolve(void *context, uint32_t k, evaluate_row *row)
{
    solver *s = context;
    const double *share = row->weight;
    double depth = 0;
    for (uint32_t t = 0; t < row->count; t++) {
        uint32_t j = row->column[t];
        evaluate_outcome_mix(&s->out[k], share[t], s->out[j]);
        if (s->depth[j] > depth)
            depth = s->depth[j];
    }
    s->depth[k] = depth + row->count + BACK_ROUNDINGS;
}

static const evaluate_kernel doubles = {sizeof(double), divide, add, resolve};

/* ---- a component ---- */

/*
 * Only the proportions of the edges out of a state matter. Its probabilities are multiplied by a power of
 * two that makes the largest at least 1, so that edges of probability 1e-300 beside a self-loop are not
 * lost.
 */
static int exponent_of_exits(const graph_process *p, uint32_t state)
{
    uint32_t choice = p->choice_begin[state];
    double largest = DBL_MIN;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        if (p->target[e] != state && p->prob[e] > largest)
            largest = p->prob[e];
    return ilogb(largest);
}

static opac_status load_row(solver *s, uint32_t state, opac_error *error)
{
    const graph_process *p = &s->chain->process;
    const uint32_t *component = s->classes->scc.component;
    uint32_t i = s->local[state], choice = p->choice_begin[state];
    int exponent = exponent_of_exits(p, state);
    s->out[i] = (evaluate_outcome){0};
    s->error += 2 * (ROW_ROUNDINGS + (double)(p->edge_begin[choice + 1] - p->edge_begin[choice]));
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        uint32_t target = p->target[e];
        void *weight;
        if (target == state)
            continue;
        double scaled = ldexp(p->prob[e], -exponent); /* exact */
        if (component[target] != component[state]) {
            evaluate_outcome_mix(&s->out[i], scaled, s->outcome[target]);
        } else if (scaled < EVALUATE_TINY) {
            s->out[i].unknown += EVALUATE_TINY;
        } else {
            TRY(evaluate_elimination_entry(&s->elimination, i, s->local[target], &weight, error));
            *(double *)weight = scaled;
        }
    }
    return OPAC_OK;
}

/* A state with a single successor other than itself has the outcome of that successor, without rounding. */
static bool copy_only(solver *s, uint32_t state)
{
    const graph_process *p = &s->chain->process;
    uint32_t choice = p->choice_begin[state], other = state;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        if (p->target[e] != state && other != state)
            return false;
        if (p->target[e] != state)
            other = p->target[e];
    }
    s->outcome[state] = s->outcome[other];
    return true;
}

static opac_status solve_component(solver *s, const uint32_t *states, uint32_t count,
                                   const opac_cancel *cancel, opac_error *error)
{
    bool done;
    if (count == 1 && copy_only(s, states[0]))
        return OPAC_OK;
    s->error = 0;
    evaluate_elimination_begin(&s->elimination, count);
    for (uint32_t i = 0; i < count; i++)
        s->local[states[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        TRY(load_row(s, states[i], error));
    TRY(evaluate_elimination_run(&s->elimination, &done, error));
    if (!done)
        return evaluate_outcome_iterate(s->chain, states, count, s->outcome, &s->edges, cancel,
                                        error);
    for (uint32_t i = 0; i < count; i++)
        s->outcome[states[i]] =
            evaluate_outcome_enclose(s->out[i], (s->error + s->depth[i]) * EVALUATE_ROUNDING);
    return OPAC_OK;
}

/* ---- all components ---- */

static opac_status solve(solver *s, const opac_evaluation_options *options, opac_error *error)
{
    static const evaluate_outcome accepted = {.yes = 1, .estimate = 1}, rejected = {.no = 1};
    const evaluate_classes *v = s->classes;
    for (uint32_t c = 0; c < v->scc.count; c++) {
        const uint32_t *states = v->groups.state + v->groups.begin[c];
        uint32_t count = v->groups.begin[c + 1] - v->groups.begin[c];
        if (c % REPORT_EVERY == 0 && opac_cancel_requested(options->cancel))
            return base_fail_stopped(error, options->cancel, "evaluating the policy");
        opac_progress_update(options->progress, v->groups.begin[c], v->groups.begin[v->scc.count]);
        if (v->class[c] == EVALUATE_BOTH) {
            TRY(solve_component(s, states, count, options->cancel, error));
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            s->outcome[states[i]] = v->class[c] == EVALUATE_ACCEPTS ? accepted : rejected;
    }
    return OPAC_OK;
}

opac_status evaluate_outcome_solve_within(const evaluate_chain *chain,
                                          const evaluate_classes *classes,
                                          const evaluate_outcome_limits *limits,
                                          const opac_evaluation_options *options,
                                          evaluate_outcome **outcome, opac_error *error)
{
    uint32_t states = chain->process.state_count, largest = classes->largest;
    solver s = {
        .chain = chain,
        .classes = classes,
        .outcome = base_alloc(states, sizeof *s.outcome),
        .local = base_alloc(states, sizeof *s.local),
        .out = base_alloc(largest, sizeof *s.out),
        .depth = base_alloc(largest, sizeof *s.depth),
        .edges = limits->edges != 0 ? limits->edges : MOST_EDGES,
        .elimination = {.kernel = &doubles,
                        .cancel = options->cancel,
                        .most_work = limits->work != 0 ? limits->work : MOST_WORK,
                        .most_entries = limits->entries != 0 ? limits->entries : MOST_ENTRIES},
    };
    s.elimination.context = &s;
    opac_status status;
    opac_progress_start(options->progress, "solving the chain");
    if (s.outcome == NULL || s.local == NULL || s.out == NULL || s.depth == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, evaluate_elimination_init(&s.elimination, largest, error));
    status = solve(&s, options, error);
done:
    opac_progress_finish(options->progress);
    evaluate_elimination_fini(&s.elimination);
    base_free(s.local);
    base_free(s.out);
    base_free(s.depth);
    if (status != OPAC_OK) {
        base_free(s.outcome);
        s.outcome = NULL;
    }
    *outcome = s.outcome;
    return status;
}

opac_status evaluate_outcome_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                   const opac_evaluation_options *options,
                                   evaluate_outcome **outcome, opac_error *error)
{
    evaluate_outcome_limits usual = {0};
    return evaluate_outcome_solve_within(chain, classes, &usual, options, outcome, error);
}
