/* SPDX-License-Identifier: MIT */
/* Instructions on reals, done on fractions. */
#ifndef PRISM_CODE_RATIO_H
#define PRISM_CODE_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ratio.h"

/* op: CODE_FLOOR, CODE_CEIL or CODE_ROUND (half up); the ratio is known. False: it does not fit. */
bool code_round_ratio(unsigned op, base_ratio ratio, int64_t *result);

/* The instructions on two reals, from CODE_ADD_REAL on; unknown where there is no fraction. */
base_ratio code_join_ratios(unsigned op, base_ratio a, base_ratio b);

#endif
