/* SPDX-License-Identifier: MIT */
/*
 * Fractions of integers of any size, by GMP. Code that computes with many of them includes rational_gmp.h;
 * no other file includes GMP. In a build without GMP, base_rational_new fails with OPAC_ERROR_UNSUPPORTED.
 *
 * Lack of memory is an error, although GMP would abort the process: see gmp_run.h.
 */
#ifndef BASE_RATIONAL_H
#define BASE_RATIONAL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/ratio.h"

typedef struct base_rational base_rational;

/* Whether this build has GMP. */
bool base_rational_available(void);

/* Creates the number 0. */
opac_status base_rational_new(base_rational **rational, opac_error *error);
void base_rational_free(base_rational *rational);
/* On failure, here and below, the rational is unchanged. */
opac_status base_rational_set(base_rational *rational, const base_rational *from,
                              opac_error *error);
/* The ratio must be known. */
opac_status base_rational_set_ratio(base_rational *rational, base_ratio ratio, opac_error *error);
/* The exact value of a finite double. */
opac_status base_rational_set_double(base_rational *rational, double value, opac_error *error);
/* Replaces the rational by 1 - rational. */
opac_status base_rational_complement(base_rational *rational, opac_error *error);
/* -1, 0 or 1. */
opac_status base_rational_compare(const base_rational *a, const base_rational *b, int *order,
                                  opac_error *error);
/* The nearest double, the largest double that is not above, and the smallest that is not below. */
opac_status base_rational_to_double(const base_rational *rational, double *value, double *lower,
                                    double *upper, opac_error *error);
/* "13/120", or "1"; owned by the caller (base_free). */
opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error);

#endif
