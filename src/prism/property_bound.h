/* SPDX-License-Identifier: MIT */
/*
 * Reads the bound of a property as a number: a fraction of 64-bit integers, or an interval of doubles.
 *
 *     P>=1/3                 the fraction
 *     P>=0.5+1e-30           (0.5, the double above 0.5)
 *     P>=pow(0.3, 0.5)       doubles around the root, by its error
 */
#ifndef PRISM_PROPERTY_BOUND_H
#define PRISM_PROPERTY_BOUND_H

#include "base/enclosure.h"
#include "prism/scope.h"

typedef struct prism_bound {
    base_ratio ratio;         /* unknown if the bound is not a fraction that fits */
    base_enclosure enclosure; /* an interval of doubles that contains the bound; always set */
} prism_bound;

/* The text must be a constant expression. */
opac_status prism_bound_read(const prism_scope *scope, const char *text, size_t length,
                             prism_bound *bound, opac_error *error);

#endif
