/* SPDX-License-Identifier: MIT */
/*
 * What a base_rational is, for those who compute with many of them: elimination
 * in place, arrays without an allocation each. The one place that includes GMP;
 * include it under OMEGAPAC_HAVE_GMP alone.
 */
#ifndef BASE_RATIONAL_GMP_H
#define BASE_RATIONAL_GMP_H

#include <gmp.h>

#include "base/rational.h"

struct base_rational {
    mpq_t value; /* canonical */
};

#endif
