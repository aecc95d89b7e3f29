/* SPDX-License-Identifier: MIT */
#include "check/bound.h"

#include <math.h>

/* The bound lies in [low, high]: both are the bound, or are its neighbours. */
typedef struct place {
    double low, high;
} place;

static base_ratio ratio_of(const opac_objective *objective)
{
    return base_ratio_of(objective->bound_numerator, objective->bound_denominator);
}

/* A fraction is a double exactly when its denominator is a small power of 2, its numerator small.
 */
static bool is_double(base_ratio ratio)
{
    const int64_t most = INT64_C(1) << 53;
    uint64_t denominator = (uint64_t)ratio.denominator;
    return (denominator & (denominator - 1)) == 0 && ratio.numerator <= most &&
           ratio.numerator >= -most;
}

static place find_place(const opac_objective *objective)
{
    base_ratio ratio = ratio_of(objective);
    double bound = objective->bound;
    if (!base_ratio_is_known(ratio))
        return (place){bound, bound};
    bound = base_ratio_to_double(ratio);
    if (is_double(ratio))
        return (place){bound, bound};
    return (place){nextafter(bound, -INFINITY), nextafter(bound, INFINITY)};
}

bool check_bound_is_extreme(const opac_objective *objective)
{
    place bound = find_place(objective);
    return objective->comparison != OPAC_COMPARISON_VALUE && (bound.high <= 0 || bound.low >= 1);
}

/* What is sure about the value beside the bound. */
typedef struct findings {
    bool less, at_most, greater, at_least;
} findings;

static findings compare_enclosure(const place *bound, const check_value *value)
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

static opac_status compare_exact(const opac_objective *objective, const base_rational *exact,
                                 findings *found, opac_error *error)
{
    base_rational *bound;
    opac_status status = base_rational_new(&bound, error);
    if (status != OPAC_OK)
        return status;
    int order = 0;
    if (base_ratio_is_known(ratio_of(objective)))
        status = base_rational_set_ratio(bound, ratio_of(objective), error);
    else
        status = base_rational_set_double(bound, objective->bound, error);
    if (status == OPAC_OK)
        status = base_rational_compare(exact, bound, &order, error);
    *found = (findings){.less = order<0, .at_most = order <= 0, .greater = order> 0,
                        .at_least = order >= 0};
    base_rational_free(bound);
    return status;
}

static opac_verdict judge(bool holds, bool fails)
{
    return holds ? OPAC_VERDICT_TRUE : fails ? OPAC_VERDICT_FALSE : OPAC_VERDICT_UNDECIDED;
}

static opac_verdict judge_all(opac_comparison comparison, const findings *found)
{
    switch (comparison) {
    case OPAC_COMPARISON_LESS:
        return judge(found->less, found->at_least);
    case OPAC_COMPARISON_LESS_EQUAL:
        return judge(found->at_most, found->greater);
    case OPAC_COMPARISON_GREATER:
        return judge(found->greater, found->at_most);
    case OPAC_COMPARISON_GREATER_EQUAL:
        return judge(found->at_least, found->less);
    default:
        return OPAC_VERDICT_NONE;
    }
}

opac_status check_bound_compare(const opac_objective *objective, const check_value *value,
                                opac_verdict *verdict, opac_error *error)
{
    findings found = {0};
    place bound = find_place(objective);
    opac_status status = OPAC_OK;
    *verdict = OPAC_VERDICT_NONE;
    if (objective->comparison == OPAC_COMPARISON_VALUE)
        return OPAC_OK;
    if (value->exact != NULL)
        status = compare_exact(objective, value->exact, &found, error);
    else
        found = compare_enclosure(&bound, value);
    if (status == OPAC_OK)
        *verdict = judge_all(objective->comparison, &found);
    return status;
}
