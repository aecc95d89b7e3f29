/* SPDX-License-Identifier: MIT */
/*
 * Encloses a real number between doubles. If both ends are equal, they are the number. Otherwise the number
 * lies strictly between them, and they are neighbours: 0.3 is in (0.3, 0.3 + 2^-54).
 */
#ifndef BASE_ENCLOSURE_H
#define BASE_ENCLOSURE_H

#include "base/big_ratio.h"

typedef struct base_enclosure {
    double low, high;
} base_enclosure;

base_enclosure base_enclosure_of_double(double value);
/* The ratio must be known. */
base_enclosure base_enclosure_of_ratio(base_ratio ratio);
base_enclosure base_enclosure_of_big(const base_big *number);

#endif
