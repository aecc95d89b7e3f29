/* SPDX-License-Identifier: MIT */
/*
 * Computes the values and verdicts of initial states from the solved product.
 *
 * If a bound lies within the interval of a value, the product is solved again with higher precision and
 * finally in fractions, which decide every bound that is a fraction. The verdict remains undecided if
 * fractions are not available, or if the bound is only known to lie between two doubles that also contain
 * the value.
 */
#include "base/alloc.h"
#include "check/bound.h"
#include "check/check.h"

static const double finer[] = {1e-9, 1e-12};

/* ---- the solver ---- */

static opac_status solve(check_work *work, double precision, bool exact, opac_error *error)
{
    opac_solution *s = work->solution;
    const opac_objective *objective = work->objective;
    const solve_problem problem = {.process = &s->product.process,
                                   .marks = s->product.marks,
                                   .pairs = s->pairs.items,
                                   .pair_count = (uint32_t)s->pairs.count,
                                   .exact = s->product.exact};
    const solve_options options = {
        .precision = precision,
        .complement = s->least,
        .graph_only = check_bound_is_extreme(objective) && !s->has_policy && !exact,
        .exact = exact,
        .no_policy = !s->has_policy,
        .pool = work->pool,
        .cancel = work->options.cancel,
        .progress = work->options.progress,
    };
    return solve_run(s->solver, &problem, &options, &s->result, error);
}

/* ---- values ---- */

/* Whether a product state is a better start than another one. Values are greatest probabilities; for a least
 * probability, those of the complement. */
static bool is_better(const opac_solution *s, uint32_t product_state, uint32_t than)
{
    const double *lower = s->result.lower, *upper = s->result.upper;
    if (s->least)
        return upper[product_state] < upper[than] ||
               (upper[product_state] == upper[than] && lower[product_state] < lower[than]);
    return lower[product_state] > lower[than] ||
           (lower[product_state] == lower[than] && upper[product_state] > upper[than]);
}

static void widen(const opac_solution *s, uint32_t product_state, opac_interval *interval)
{
    double lower = s->result.lower[product_state], upper = s->result.upper[product_state];
    bool higher = s->least ? lower < interval->lower : lower > interval->lower;
    bool wider = s->least ? upper < interval->upper : upper > interval->upper;
    if (higher)
        interval->lower = lower;
    if (wider)
        interval->upper = upper;
}

static double middle(double lower, double upper)
{
    return lower == upper ? lower : lower + (upper - lower) / 2;
}

/* The value of an initial state: that of its best initial product state. Without one, no run is accepted. */
static void read_answer(const opac_solution *s, uint32_t index, check_answer *answer)
{
    double worst = s->least ? 1 : 0;
    *answer = (check_answer){.interval = {worst, worst, worst}, .start = PRODUCT_NONE};
    for (uint32_t i = s->product.start_begin.items[index];
         i < s->product.start_begin.items[index + 1]; i++) {
        uint32_t product_state = s->product.start.items[i];
        widen(s, product_state, &answer->interval);
        if (answer->start == PRODUCT_NONE || is_better(s, product_state, answer->start))
            answer->start = product_state;
        answer->between |= !base_bitset_has(&s->result.zero, product_state);
    }
    for (uint32_t i = s->product.start_begin.items[index];
         i < s->product.start_begin.items[index + 1]; i++)
        answer->between &= !base_bitset_has(&s->result.one, s->product.start.items[i]);
    answer->interval.value = middle(answer->interval.lower, answer->interval.upper);
}

static void clear_answers(opac_solution *s)
{
    for (uint32_t i = 0; i < s->answer_count; i++) {
        base_rational_free(s->answers[i].exact);
        base_free(s->answers[i].fraction);
        s->answers[i] = (check_answer){0};
    }
}

/* ---- fractions ---- */

static opac_status update_fraction(const opac_solution *s, uint32_t product_state,
                                   check_answer *answer, base_rational *value, opac_error *error)
{
    int order = 0;
    TRY(solve_exact_value(s->solver, product_state, value, error));
    TRY(base_rational_compare(value, answer->exact, &order, error));
    if (s->least ? order < 0 : order > 0) {
        TRY(base_rational_set(answer->exact, value, error));
        answer->start = product_state;
    }
    return OPAC_OK;
}

static opac_status find_fraction(const opac_solution *s, uint32_t index, check_answer *answer,
                                 base_rational *value, opac_error *error)
{
    TRY(base_rational_new(&answer->exact, error));
    if (s->least)
        TRY(base_rational_complement(answer->exact, error));
    for (uint32_t i = s->product.start_begin.items[index];
         i < s->product.start_begin.items[index + 1]; i++)
        TRY(update_fraction(s, s->product.start.items[i], answer, value, error));
    TRY(base_rational_format(answer->exact, &answer->fraction, error));
    return base_rational_to_double(answer->exact, &answer->interval.value, &answer->interval.lower,
                                   &answer->interval.upper, error);
}

static opac_status find_fractions(opac_solution *s, opac_error *error)
{
    base_rational *value;
    opac_status status = OPAC_OK;
    TRY(base_rational_new(&value, error));
    for (uint32_t i = 0; i < s->answer_count; i++)
        TRY_OR(done, find_fraction(s, i, &s->answers[i], value, error));
done:
    base_rational_free(value);
    return status;
}

/* ---- verdicts ---- */

/* If the value is only a lower bound, the true value is anywhere up to 1, so the verdict must be the same
 * for 1. */
static opac_status check_at_one(const opac_objective *objective, opac_verdict *verdict,
                                opac_error *error)
{
    static const check_value most = {.lower = 1, .upper = 1};
    opac_verdict other;
    TRY(check_bound_compare(objective, &most, &other, error));
    if (other != *verdict)
        *verdict = OPAC_VERDICT_UNDECIDED;
    return OPAC_OK;
}

static opac_status decide_one(const check_work *work, const check_answer *answer,
                              opac_verdict *verdict, opac_error *error)
{
    const check_value value = {.lower = answer->interval.lower,
                               .upper = answer->interval.upper,
                               .between = answer->between,
                               .exact = answer->exact};
    TRY(check_bound_compare(work->objective, &value, verdict, error));
    return work->solution->is_guess ? check_at_one(work->objective, verdict, error) : OPAC_OK;
}

/* The verdict of all initial states: false if it is false for one of them, otherwise undecided if it is
 * so for one of them. */
static opac_status decide_all(check_work *work, opac_error *error)
{
    opac_solution *s = work->solution;
    opac_verdict worst = OPAC_VERDICT_NONE, verdict;
    for (uint32_t i = 0; i < s->answer_count; i++) {
        TRY(decide_one(work, &s->answers[i], &verdict, error));
        if (worst == OPAC_VERDICT_NONE ||
            (worst != OPAC_VERDICT_FALSE && verdict != OPAC_VERDICT_TRUE))
            worst = verdict;
    }
    s->verdict = worst;
    return OPAC_OK;
}

static bool is_precise(const opac_solution *s, double precision)
{
    for (uint32_t i = 0; i < s->answer_count; i++) {
        opac_interval interval = s->answers[i].interval;
        if (s->answers[i].exact == NULL &&
            !(interval.upper - interval.lower <= precision * interval.lower))
            return false;
    }
    return true;
}

/* ---- refinement ---- */

static opac_status answer_once(check_work *work, double precision, bool exact, opac_error *error)
{
    opac_solution *s = work->solution;
    TRY(solve(work, precision, exact, error));
    clear_answers(s);
    for (uint32_t i = 0; i < s->answer_count; i++)
        read_answer(s, i, &s->answers[i]);
    s->stats.sweeps = s->result.sweeps;
    if (exact)
        TRY(find_fractions(s, error));
    for (uint32_t i = 0; i < s->answer_count; i++)
        TRY(base_check_bounds(s->answers[i].interval.lower, s->answers[i].interval.upper, error));
    return decide_all(work, error);
}

/* Whether more precision may decide the verdict; it does not if the value is only a bound. */
static bool needs_refinement(const check_work *work)
{
    const opac_solution *s = work->solution;
    return s->verdict == OPAC_VERDICT_UNDECIDED && !s->is_guess;
}

opac_status check_answer_all(check_work *work, opac_error *error)
{
    opac_solution *s = work->solution;
    double precision = work->options.precision;
    bool exact = work->options.exact;
    TRY(answer_once(work, precision, exact, error));
    for (size_t i = 0; i < sizeof finer / sizeof *finer; i++)
        if (needs_refinement(work) && !exact && finer[i] < precision)
            TRY(answer_once(work, finer[i], false, error));
    if (needs_refinement(work) && !exact && s->product.exact != NULL && base_rational_available())
        TRY(answer_once(work, precision, true, error));
    s->is_precise = is_precise(s, precision);
    return OPAC_OK;
}
