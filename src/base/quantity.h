/* SPDX-License-Identifier: MIT */
/* Quantities that only the library itself writes. */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <omegapac/quantity.h>

/* Three digits and a letter: "0.25", "12", "1.5k", "343M", "1.2E"; from 1e21 on as a count. */
const char *base_units_format(double count, char *buffer, size_t size);

#endif
