/* SPDX-License-Identifier: MIT */
/*
 * The bound of a property as a number: a fraction of 64-bit integers, or doubles around it.
 *
 *     P>=1/3                 the fraction
 *     P>=0.5+1e-30           (0.5, the double above 0.5)
 *     P>=c, c=0.5+1e-30      0.5, the value of the constant, with a margin
 *
 * A constant has a fraction or a double, whose distance from what the model says is not known.
 */
#ifndef PRISM_PROPERTY_BOUND_H
#define PRISM_PROPERTY_BOUND_H

#include "base/enclosure.h"
#include "prism/scope.h"

/* The margin around a bound that is known as a double only, relative to the greater of it and 1. */
#define PRISM_BOUND_MARGIN 1e-9

typedef struct prism_bound {
    base_ratio ratio;         /* unknown: see the enclosure */
    base_enclosure enclosure; /* always set */
    bool has_margin;
} prism_bound;

/* text: an expression that has the constant value `value`, rounded. */
opac_status prism_bound_read(const prism_scope *scope, const char *text, size_t length,
                             double value, prism_bound *bound, opac_error *error);

#endif
