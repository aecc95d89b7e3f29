/* SPDX-License-Identifier: MIT */
/* The intervals of a row, for tests. */
#ifndef TESTS_LEARN_INTERVALS_H
#define TESTS_LEARN_INTERVALS_H

#include "bracket/support.h"

static inline opac_status row_intervals(bracket_support *support, uint32_t row,
                                        const stat_interval **intervals, opac_error *error)
{
    bracket_row_set set = {0};
    opac_status status = bracket_support_get(support, row, &set, error);
    *intervals = set.intervals;
    return status;
}

#endif
