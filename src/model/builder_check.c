/* SPDX-License-Identifier: MIT */
/* Checks that a builder has a valid model, in one pass over the arrays. Reports the first error. */
#include <omegapac/number.h>
#include <omegapac/text.h>

#include <math.h>

#include "model/builder.h"
#include "model/row.h"

typedef struct check {
    const opac_builder *builder;
    const model_branch_lines *lines;
    bool exact;
    base_ratio *joined;   /* scratch, by state; only for exact models */
    size_t inexact;       /* number of choices whose probabilities sum to 1 only approximately */
    size_t inexact_state; /* state of the first of them */
    size_t inexact_branch;
    double inexact_sum;
} check;

static uint32_t line_of(const check *c, size_t branch)
{
    return c->lines != NULL ? c->lines->line(c->lines->context, branch) : 0;
}

static uint32_t column_of(const check *c)
{
    return c->lines != NULL ? 1 : 0;
}

/* prob = part · 2^exponent with part in [1/2, 1), so part · 2^53 is an integer. */
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
    return shift < 63 ? (base_ratio){numerator, INT64_C(1) << shift} : MODEL_RATIO_OVERFLOW;
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
                                "state %zu leads to state %u, but the number of states is %zu",
                                state, (unsigned)target[e], states);
    return OPAC_OK;
}

/* The normalised probability of the target of branch e: all branches to it, divided by the sum. */
static base_ratio normalized_ratio(const check *c, size_t e, base_ratio sum)
{
    base_ratio joined = c->joined[c->builder->graph.target.items[e]];
    return sum.numerator == sum.denominator ? joined : base_ratio_divide(joined, sum);
}

/* Sets `joined` to the total probability of each target of a choice. All targets must exist. */
static void join_targets(const check *c, size_t begin, size_t end)
{
    const uint32_t *target = c->builder->graph.target.items;
    for (size_t e = begin; e < end; e++)
        c->joined[target[e]] = base_ratio_of_integer(0);
    for (size_t e = begin; e < end; e++)
        c->joined[target[e]] =
            base_ratio_add(c->joined[target[e]], model_builder_ratio(c->builder, e));
}

/* Fails unless all probabilities of the choice, normalised, fit in fractions. *sum is their given sum. */
static opac_status check_ratios(const check *c, size_t state, size_t position, size_t begin,
                                size_t end, base_ratio *sum, opac_error *error)
{
    char number[OPAC_NUMBER_SIZE];
    for (size_t e = begin; e < end; e++)
        if (!base_ratio_is_known(model_builder_ratio(c->builder, e)))
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, e), column_of(c),
                                "state %zu, choice %zu: the exact value of the probability %s to "
                                "state %u does not fit in a fraction of 64-bit numbers",
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
        return OPAC_OK; /* check_sum reports the sum 0 */
    join_targets(c, begin, end);
    for (size_t e = begin; e < end; e++)
        if (!base_ratio_is_known(normalized_ratio(c, e, *sum)))
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, e), column_of(c),
                                "state %zu, choice %zu: the probability to state %u, divided by "
                                "the sum of all, does not fit in a fraction of 64-bit numbers",
                                state, position, (unsigned)c->builder->graph.target.items[e]);
    return OPAC_OK;
}

/* The sum with 12 digits, without the rounding errors of the addition. */
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
                            "state %zu, choice %zu: the probabilities sum to %s instead of 1%s",
                            state, position, show_sum(sum, text),
                            sum > 1 && c->lines != NULL
                                ? "; rates (continuous-time models) are not supported"
                                : "");
    if (fabs(sum - 1) > MODEL_SUM_WARNING && c->inexact++ == 0) {
        c->inexact_state = state;
        c->inexact_branch = begin;
        c->inexact_sum = sum;
    }
    return OPAC_OK;
}

static opac_status check_state(check *c, size_t state, opac_error *error)
{
    size_t first, last, begin, end;
    model_builder_choices(c->builder, state, &first, &last);
    if (c->builder->type == OPAC_MODEL_DTMC && last - first > 1)
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, 0, 0,
                            "state %zu of a DTMC has %zu choices instead of one", state,
                            last - first);
    for (size_t choice = first; choice < last; choice++) {
        model_builder_branches(c->builder, choice, &begin, &end);
        if (begin == end)
            return base_fail_at(error, OPAC_ERROR_ARGUMENT, line_of(c, begin), column_of(c),
                                "state %zu, choice %zu: the choice has no branches", state,
                                choice - first);
        TRY(check_targets(c, state, begin, end, error));
        TRY(check_sum(c, state, choice - first, begin, end, error));
    }
    return OPAC_OK;
}

/* ---- labels ---- */

static opac_status check_labels(const opac_builder *builder, opac_error *error)
{
    size_t states = model_builder_states(builder);
    bool has_initial = false;
    for (size_t i = 0; i < builder->label_entries.count; i++) {
        const model_label_entry *entry = &builder->label_entries.items[i];
        has_initial = has_initial || entry->label == MODEL_LABEL_INIT;
        if (entry->state < states)
            continue;
        if (entry->label == MODEL_LABEL_INIT)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "state %u is initial, but the number of states is %zu",
                             (unsigned)entry->state, states);
        char shown[OPAC_SHOWN_SIZE];
        size_t length = 8;
        const char *name =
            entry->label == MODEL_LABEL_DEADLOCK
                ? "deadlock"
                : (const char *)base_intern_key(&builder->label_names, entry->label - 2, &length);
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "state %u has the label '%s', but the number of states is %zu",
                         (unsigned)entry->state, opac_text_show(name, length, shown, sizeof shown),
                         states);
    }
    if (!has_initial)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "there is no initial state");
    return OPAC_OK;
}

opac_status model_builder_check(const opac_builder *builder, bool exact,
                                const model_branch_lines *lines, model_report *report,
                                opac_error *error)
{
    check c = {.builder = builder, .lines = lines, .exact = exact};
    size_t states = model_builder_states(builder);
    char text[OPAC_NUMBER_SIZE];
    if (states == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a model must have at least one state");
    if (exact && (c.joined = base_alloc(states, sizeof *c.joined)) == NULL)
        return base_fail_memory(error);
    opac_status status = OPAC_OK;
    for (size_t s = 0; s < states; s++)
        TRY_OR(done, check_state(&c, s, error));
    TRY_OR(done, check_labels(builder, error));
    if (c.inexact > 0)
        model_report_warning(report, line_of(&c, c.inexact_branch), column_of(&c),
                             "the probabilities of %zu choice%s do not sum to 1 and are divided by "
                             "their sum, which is %s in state %zu",
                             c.inexact, c.inexact == 1 ? "" : "s", show_sum(c.inexact_sum, text),
                             c.inexact_state);
done:
    base_free(c.joined);
    return status;
}
