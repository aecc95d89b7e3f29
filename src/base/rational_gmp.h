/* SPDX-License-Identifier: MIT */
/*
 * The representation of a base_rational, for code that computes with many of them. The only file that
 * includes GMP; include it only if OMEGAPAC_HAVE_GMP is defined.
 *
 * Memory of GMP is valid inside a run only (gmp_run.h). The limbs of a base_rational are a copy, and stay
 * valid.
 */
#ifndef BASE_RATIONAL_GMP_H
#define BASE_RATIONAL_GMP_H

#include <gmp.h>

#include "base/gmp_run.h"
#include "base/rational.h"

/* In lowest terms. A zeroed rational is 0. */
struct base_rational {
    mp_limb_t *limbs;      /* of the numerator, then of the denominator; NULL for 0 */
    mp_size_t top, bottom; /* the number of limbs of each; top has the sign */
};

/* The rational as an mpq_t, which must not be modified or cleared. Allocates nothing. */
void base_rational_view(const base_rational *rational, mpq_ptr view);
/* Stores a copy of a canonical fraction. GMP allocates nothing. */
opac_status base_rational_keep(base_rational *rational, mpq_srcptr value, opac_error *error);
/* The ratio must be known. To be called in a run. */
void base_rational_from_ratio(mpq_ptr value, base_ratio ratio);

#endif
