/* SPDX-License-Identifier: MIT */
/*
 * What a builder checks at its end, in one pass over the arrays and without
 * changing them. The first mistake is the one that is told.
 */
#include <omegapac/number.h>
#include <omegapac/text.h>

#include <math.h>

#include "model/builder.h"
#include "model/row.h"

typedef struct check {
    const opac_builder *builder;
    const model_places *places;
    bool exact;
    base_ratio *joined;  /* with exact, by state: scratch */
    size_t uneven;       /* choices whose probabilities sum to 1 only nearly */
    size_t uneven_state; /* the first of them */
    size_t uneven_branch;
    double uneven_sum;
} check;

static uint32_t line_of(const check *c, size_t branch)
{
    return c->places != NULL ? c->places->line(c->places->context, branch) : 0;
}

static uint32_t column_of(const check *c)
{
    return c->places != NULL ? 1 : 0;
}

/* prob = part · 2^exponent with part in [1/2, 1), so that part · 2^53 is whole. */
base_ratio model_builder_ratio(const opac_builder *builder, size_t branch)
{
    if (builder->exact.count > branch) {
        base_ratio given = builder->exact.items[branch];
        if (model_ratio_is_given(given))
            return given;
    }
    int exponent;
    double part = frexp(builder->graph.prob.items[branch], &exponent);
    int64_t numerator = (int64_t)ldexp(part, 53);
    int shift = 53 - exponent;
    for (; shift > 0 && numerator % 2 == 0; shift--)
        numerator /= 2;
    return shift < 63 ? (base_ratio){numerator, INT64_C(1) << shift} : MODEL_RATIO_LOST;
}

base_ratio model_builder_ratio_sum(const opac_builder *builder, size_t begin, size_t end)
{
    base_ratio sum = base_ratio_of_integer(0);
    for (size_t e = begin; e < end; e++)
        sum = base_ratio_add(sum, model_builder_ratio(builder, e));
    return sum;
}

/* ---- choices ---- */

static opac_status check_targets(const check *c, size_t state, size_t begin, size_t end,
                                 opac_error *error)
{
    const uint32_t *target = c->builder->graph.target.items;
    size_t states = model_builder_states(c->builder);
    for (size_t e = begin; e < end; e++)
        if (target[e] >= states)
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, e), column_of(c),
                                "state %zu leads to state %u, but there are %zu states", state,
                                (unsigned)target[e], states);
    return OPAC_OK;
}

/* The probability of the target of branch e: its branches together, divided by the sum. */
static base_ratio share_of(const check *c, size_t e, base_ratio sum)
{
    base_ratio joined = c->joined[c->builder->graph.target.items[e]];
    return sum.numerator == sum.denominator ? joined : base_ratio_divide(joined, sum);
}

/* Fills `joined` for the targets of a choice, which exist. */
static void join_targets(const check *c, size_t begin, size_t end)
{
    const uint32_t *target = c->builder->graph.target.items;
    for (size_t e = begin; e < end; e++)
        c->joined[target[e]] = base_ratio_of_integer(0);
    for (size_t e = begin; e < end; e++)
        c->joined[target[e]] =
            base_ratio_add(c->joined[target[e]], model_builder_ratio(c->builder, e));
}

/* Whether all that the end computes in fractions fits in them; *sum is that of the choice. */
static opac_status check_ratios(const check *c, size_t state, size_t position, size_t begin,
                                size_t end, base_ratio *sum, opac_error *error)
{
    char number[OPAC_NUMBER_SIZE];
    for (size_t e = begin; e < end; e++)
        if (!base_ratio_is_known(model_builder_ratio(c->builder, e)))
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, e), column_of(c),
                                "state %zu, choice %zu: the probability %s to state %u is not "
                                "known as a fraction",
                                state, position,
                                opac_number_format(c->builder->graph.prob.items[e], number),
                                (unsigned)c->builder->graph.target.items[e]);
    *sum = model_builder_ratio_sum(c->builder, begin, end);
    if (!base_ratio_is_known(*sum))
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, begin), column_of(c),
                            "state %zu, choice %zu: the sum of the probabilities does not fit in "
                            "a fraction of 64-bit numbers",
                            state, position);
    if (sum->numerator == 0)
        return OPAC_OK; /* which is refused as a sum that is not 1 */
    join_targets(c, begin, end);
    for (size_t e = begin; e < end; e++)
        if (!base_ratio_is_known(share_of(c, e, *sum)))
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, e), column_of(c),
                                "state %zu, choice %zu: the probability to state %u, divided by "
                                "the sum of all, does not fit in a fraction of 64-bit numbers",
                                state, position, (unsigned)c->builder->graph.target.items[e]);
    return OPAC_OK;
}

/* To the twelfth digit, without the noise of adding. */
static const char *show_sum(double sum, char *text)
{
    return opac_number_format_down(sum * (1 + 5e-13), 12, text);
}

static opac_status check_sum(check *c, size_t state, size_t position, size_t begin, size_t end,
                             opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    double sum = model_row_sum(c->builder->graph.prob.items + begin, end - begin);
    if (c->exact) {
        base_ratio exact_sum;
        TRY(check_ratios(c, state, position, begin, end, &exact_sum, error));
        sum = base_ratio_to_double(exact_sum);
    }
    if (!model_sum_is_tolerable(sum))
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, begin), column_of(c),
                            "state %zu, choice %zu: the probabilities sum to %s, not to 1%s", state,
                            position, show_sum(sum, text),
                            sum > 1 && c->places != NULL
                                ? "; if these are rates, continuous time is not supported"
                                : "");
    if (fabs(sum - 1) > MODEL_SUM_WARNING && c->uneven++ == 0) {
        c->uneven_state = state;
        c->uneven_branch = begin;
        c->uneven_sum = sum;
    }
    return OPAC_OK;
}

static opac_status check_state(check *c, size_t state, opac_error *error)
{
    size_t first, last, begin, end;
    model_builder_choices(c->builder, state, &first, &last);
    if (c->builder->type == OPAC_MODEL_DTMC && last - first > 1)
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, 0, 0,
                            "a DTMC, but state %zu has %zu choices", state, last - first);
    for (size_t choice = first; choice < last; choice++) {
        model_builder_branches(c->builder, choice, &begin, &end);
        if (begin == end)
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, begin), column_of(c),
                                "state %zu, choice %zu: there is no branch", state, choice - first);
        TRY(check_targets(c, state, begin, end, error));
        TRY(check_sum(c, state, choice - first, begin, end, error));
    }
    return OPAC_OK;
}

/* ---- labels ---- */

static opac_status check_marks(const opac_builder *builder, opac_error *error)
{
    size_t states = model_builder_states(builder);
    bool has_initial = false;
    for (size_t i = 0; i < builder->marks.count; i++) {
        const model_mark *mark = &builder->marks.items[i];
        has_initial = has_initial || mark->label == MODEL_LABEL_INIT;
        if (mark->state < states)
            continue;
        if (mark->label == MODEL_LABEL_INIT)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the initial state %u is not among the %zu states",
                             (unsigned)mark->state, states);
        char shown[OPAC_SHOWN_SIZE];
        size_t length = 8;
        const char *name =
            mark->label == MODEL_LABEL_DEADLOCK
                ? "deadlock"
                : (const char *)base_intern_key(&builder->label_names, mark->label - 2, &length);
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the label '%s' is given to state %u, but there are %zu states",
                         opac_text_show(name, length, shown, sizeof shown), (unsigned)mark->state,
                         states);
    }
    if (!has_initial)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "there is no initial state");
    return OPAC_OK;
}

opac_status model_builder_check(const opac_builder *builder, bool exact, const model_places *places,
                                model_report *report, opac_error *error)
{
    check c = {.builder = builder, .places = places, .exact = exact};
    size_t states = model_builder_states(builder);
    char text[OPAC_NUMBER_SIZE];
    if (states == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a model needs a state");
    if (exact && (c.joined = base_alloc(states, sizeof *c.joined)) == NULL)
        return base_fail_memory(error);
    opac_status status = OPAC_OK;
    for (size_t s = 0; s < states; s++)
        TRY_OR(done, check_state(&c, s, error));
    TRY_OR(done, check_marks(builder, error));
    if (c.uneven > 0)
        model_report_warning(report, line_of(&c, c.uneven_branch), column_of(&c),
                             "the probabilities of %zu choice%s do not sum to 1 and are divided by "
                             "their sum: that of state %zu is %s",
                             c.uneven, c.uneven == 1 ? "" : "s", c.uneven_state,
                             show_sum(c.uneven_sum, text));
done:
    base_free(c.joined);
    return status;
}
