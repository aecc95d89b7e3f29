/* SPDX-License-Identifier: MIT */
/*
 * Fractions of integers of any size, by GMP, which nobody else includes (but
 * rational_gmp.h, for those who compute with many of them). Without GMP nothing
 * can be made, and base_rational_new says so (OPAC_ERROR_UNSUPPORTED).
 *
 * Out of memory is an error here as elsewhere, although GMP itself ends the
 * process then: see gmp_run.h.
 */
#ifndef BASE_RATIONAL_H
#define BASE_RATIONAL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/ratio.h"

typedef struct base_rational base_rational;

/* Whether this build has GMP. */
bool base_rational_available(void);

/* 0. */
opac_status base_rational_new(base_rational **rational, opac_error *error);
void base_rational_free(base_rational *rational);
/* On failure, here and below, the rational is as it was. */
opac_status base_rational_set(base_rational *rational, const base_rational *from,
                              opac_error *error);
/* Known. */
opac_status base_rational_set_ratio(base_rational *rational, base_ratio ratio, opac_error *error);
/* Finite: the fraction that the double is. */
opac_status base_rational_set_double(base_rational *rational, double value, opac_error *error);
/* 1 - rational. */
opac_status base_rational_complement(base_rational *rational, opac_error *error);
/* -1, 0 or 1. */
opac_status base_rational_compare(const base_rational *a, const base_rational *b, int *order,
                                  opac_error *error);
/* The nearest double, and the nearest ones not above and not below. */
opac_status base_rational_to_double(const base_rational *rational, double *value, double *lower,
                                    double *upper, opac_error *error);
/* "13/120", or "1"; owned by the caller (base_free). */
opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error);

#endif
