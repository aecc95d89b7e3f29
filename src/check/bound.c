/* SPDX-License-Identifier: MIT */
#include "check/bound.h"

#include "base/enclosure.h"

static base_ratio ratio_of(const opac_objective *objective)
{
    return base_ratio_of(objective->bound_numerator, objective->bound_denominator);
}

static base_enclosure bound_enclosure(const opac_objective *objective)
{
    base_ratio ratio = ratio_of(objective);
    if (base_ratio_is_known(ratio))
        return base_enclosure_of_ratio(ratio);
    if (objective->bound_below < objective->bound_above)
        return (base_enclosure){objective->bound_below, objective->bound_above};
    return base_enclosure_of_double(objective->bound);
}

bool check_bound_is_extreme(const opac_objective *objective)
{
    base_enclosure bound = bound_enclosure(objective);
    return objective->comparison != OPAC_COMPARISON_VALUE && (bound.high <= 0 || bound.low >= 1);
}

/* The comparisons of the value with the bound that are certain. */
typedef struct findings {
    bool less, at_most, greater, at_least;
} findings;

static findings compare_enclosure(const base_enclosure *bound, const check_value *value)
{
    findings found = {.at_most = value->upper <= bound->low,
                      .at_least = value->lower >= bound->high};
    found.less = value->upper < bound->low || (value->between && bound->low >= 1) ||
                 (found.at_most && bound->low < bound->high);
    found.greater = value->lower > bound->high || (value->between && bound->high <= 0) ||
                    (found.at_least && bound->low < bound->high);
    found.at_most |= found.less;
    found.at_least |= found.greater;
    return found;
}

/* Compares the value with a double. */
static opac_status compare_double(const base_rational *exact, double value, base_rational *scratch,
                                  int *order, opac_error *error)
{
    TRY(base_rational_set_double(scratch, value, error));
    return base_rational_compare(exact, scratch, order, error);
}

/* The bound is a fraction, lies strictly between low and high, or equals low = high. */
static opac_status compare_fraction(const opac_objective *objective, const base_rational *exact,
                                    base_rational *scratch, findings *found, opac_error *error)
{
    base_enclosure bound = bound_enclosure(objective);
    base_ratio ratio = ratio_of(objective);
    int low = 0, high = 0;
    if (base_ratio_is_known(ratio)) {
        TRY(base_rational_set_ratio(scratch, ratio, error));
        TRY(base_rational_compare(exact, scratch, &low, error));
        high = low;
    } else {
        TRY(compare_double(exact, bound.low, scratch, &low, error));
        TRY(compare_double(exact, bound.high, scratch, &high, error));
    }
    bool is_inside = !base_ratio_is_known(ratio) && bound.low < bound.high;
    *found = (findings){.less = is_inside ? low <= 0 : low < 0,
                        .at_most = low <= 0,
                        .greater = is_inside ? high >= 0 : high > 0,
                        .at_least = high >= 0};
    return OPAC_OK;
}

static opac_status compare_exact(const opac_objective *objective, const base_rational *exact,
                                 findings *found, opac_error *error)
{
    base_rational *scratch;
    TRY(base_rational_new(&scratch, error));
    opac_status status = compare_fraction(objective, exact, scratch, found, error);
    base_rational_free(scratch);
    return status;
}

static opac_verdict verdict_of(bool holds, bool fails)
{
    return holds ? OPAC_VERDICT_TRUE : fails ? OPAC_VERDICT_FALSE : OPAC_VERDICT_UNDECIDED;
}

static opac_verdict decide(opac_comparison comparison, const findings *found)
{
    switch (comparison) {
    case OPAC_COMPARISON_LESS:
        return verdict_of(found->less, found->at_least);
    case OPAC_COMPARISON_LESS_EQUAL:
        return verdict_of(found->at_most, found->greater);
    case OPAC_COMPARISON_GREATER:
        return verdict_of(found->greater, found->at_most);
    case OPAC_COMPARISON_GREATER_EQUAL:
        return verdict_of(found->at_least, found->less);
    default:
        return OPAC_VERDICT_NONE;
    }
}

opac_status check_bound_compare(const opac_objective *objective, const check_value *value,
                                opac_verdict *verdict, opac_error *error)
{
    findings found = {0};
    base_enclosure bound = bound_enclosure(objective);
    *verdict = OPAC_VERDICT_NONE;
    if (objective->comparison == OPAC_COMPARISON_VALUE)
        return OPAC_OK;
    if (value->exact != NULL)
        TRY(compare_exact(objective, value->exact, &found, error));
    else
        found = compare_enclosure(&bound, value);
    *verdict = decide(objective->comparison, &found);
    return OPAC_OK;
}
