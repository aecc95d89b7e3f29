/* SPDX-License-Identifier: MIT */
/*
 * A real number between doubles. An enclosure whose ends are equal is that double. Otherwise the
 * number lies strictly between them, and they are neighbours: 0.3 is in (0.3, 0.3 + 2^-54).
 */
#ifndef BASE_ENCLOSURE_H
#define BASE_ENCLOSURE_H

#include "base/big_ratio.h"

typedef struct base_enclosure {
    double low, high;
} base_enclosure;

base_enclosure base_enclosure_of_double(double value);
/* Known. */
base_enclosure base_enclosure_of_ratio(base_ratio ratio);
base_enclosure base_enclosure_of_big(const base_big *number);

#endif
