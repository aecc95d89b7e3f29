/* SPDX-License-Identifier: MIT */
/*
 * The representation of a base_rational, for code that computes with many of them. The one
 * place that includes GMP; include it under OMEGAPAC_HAVE_GMP alone.
 *
 * Memory of GMP lives inside a run (gmp_run.h); a base_rational lives outside,
 * too: its limbs are copied to memory of its own.
 */
#ifndef BASE_RATIONAL_GMP_H
#define BASE_RATIONAL_GMP_H

#include <gmp.h>

#include "base/gmp_run.h"
#include "base/rational.h"

/* In lowest terms. All zeros: 0. */
struct base_rational {
    mp_limb_t *limbs;      /* of the numerator, then of the denominator; NULL for 0 */
    mp_size_t top, bottom; /* how many there are of each; top has the sign */
};

/* The rational as an mpq_t that is only read and never cleared. Allocates nothing. */
void base_rational_view(const base_rational *rational, mpq_ptr view);
/* Copies a canonical fraction. Allocates nothing by GMP. */
opac_status base_rational_keep(base_rational *rational, mpq_srcptr value, opac_error *error);
/* A known ratio; in a run. */
void base_rational_from_ratio(mpq_ptr value, base_ratio ratio);

#endif
