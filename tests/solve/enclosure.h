/* SPDX-License-Identifier: MIT */
/* Checks properties that every enclosure must have. */
#ifndef TESTS_SOLVE_ENCLOSURE_H
#define TESTS_SOLVE_ENCLOSURE_H

#include "solve/backup.h"
#include "support/check.h"

/* Without given choices, the bound that a policy attains is inductive: some choice satisfies it. */
static inline void assert_inductive(const solve_quotient *q, const solve_values *values)
{
    for (uint32_t n = 0; n < q->node_count; n++) {
        bool confirmed = values->choice != NULL && values->choice[n] != GRAPH_NONE;
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            confirmed |= q->complement
                             ? solve_backup_above(q, c, values->upper) <= values->upper[n]
                             : solve_backup_below(q, c, values->lower) >= values->lower[n];
        assert_true(confirmed);
    }
}

static inline void assert_ordered(const solve_quotient *q, const solve_values *values)
{
    for (uint32_t n = 0; n < q->node_count; n++) {
        assert_true(values->lower[n] >= 0);
        assert_true(values->lower[n] <= values->upper[n]);
        assert_true(values->upper[n] <= 1);
    }
}

static inline bool is_narrow(const solve_quotient *q, const solve_values *values, double precision)
{
    for (uint32_t n = 0; n < q->node_count; n++)
        if (values->upper[n] > 1e-290 &&
            values->upper[n] - values->lower[n] > precision * values->lower[n])
            return false;
    return true;
}

static inline solve_values find_values(const solve_quotient *q, const solve_value_options *options,
                                       graph_workspace *workspace)
{
    opac_error error = {0};
    solve_values values;
    assert_ok(solve_values_find(q, options, workspace, &values, &error), &error);
    assert_ordered(q, &values);
    assert_int_equal(values.met, is_narrow(q, &values, options->precision));
    return values;
}

#endif
