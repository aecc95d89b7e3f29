/* SPDX-License-Identifier: MIT */
#include "support/clock.h"

#include <stddef.h>

double __real_opac_clock_seconds(void);
double __wrap_opac_clock_seconds(void);

static clock_function replacement; /* NULL: none */
static void *replacement_context;

void clock_replace(clock_function clock, void *context)
{
    replacement = clock;
    replacement_context = context;
}

double __wrap_opac_clock_seconds(void)
{
    return replacement != NULL ? replacement(replacement_context) : __real_opac_clock_seconds();
}
