/* SPDX-License-Identifier: MIT */
/* Formats of quantities for internal use. */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <omegapac/quantity.h>

/* Three digits and a unit letter: "0.25", "12", "1.5k", "343M", "1.2E"; from 1e21 on as
 * opac_quantity_format. */
const char *base_units_format(double count, char *buffer, size_t size);

#endif
