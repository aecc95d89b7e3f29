/* SPDX-License-Identifier: MIT */
/* Counts that know when they no longer fit 64 bits. */
#include "stat/count.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/bits.h"

bool stat_count_may_fit(double log10)
{
    return log10 < 30; /* generously: double-double has room for much more */
}

opac_count stat_count_saturated(double log10)
{
    return (opac_count){UINT64_MAX, pow(10, log10), log10};
}

opac_count opac_count_of(uint64_t value)
{
    /* log10(0) would not be finite. */
    return (opac_count){value, (double)value, value == 0 ? 0 : log10((double)value)};
}

opac_count stat_count_ceiling(base_dd number)
{
    uint64_t value;
    if (number.high <= 1)
        return opac_count_of(number.low > 0 && number.high == 1 ? 2 : 1);
    if (!base_dd_ceiling(number, &value))
        return stat_count_saturated(log10(number.high));
    return opac_count_of(value);
}

/* opac_count_of saturates 2^64 - 1. A factor 0, which nobody should give, makes 0 of anything. */
opac_count opac_count_times(const opac_count *count, uint64_t factor)
{
    uint64_t low, high = base_multiply_high(count->value, factor, &low);
    if ((count->value == UINT64_MAX && factor != 0) || high != 0)
        return stat_count_saturated(count->log10 + log10((double)factor));
    return opac_count_of(low);
}

/*
 * Three digits, from the logarithm: it alone is always finite. Rounded up, for
 * counts are promises of "at most"; but not by the noise of pow, which would
 * make 1.01 of an exact power of ten.
 */
static void write_power(double log10, char *buffer)
{
    double exponent = floor(log10);
    int hundredths = (int)ceil(pow(10, log10 - exponent) * 100 * (1 - 1e-9));
    if (hundredths == 1000) {
        hundredths = 100;
        exponent++;
    }
    snprintf(buffer, OPAC_COUNT_SIZE, "%d.%02de%.0f", hundredths / 100, hundredths % 100, exponent);
}

char *opac_count_text(const opac_count *count, char *buffer)
{
    if (count->value == UINT64_MAX)
        write_power(count->log10, buffer);
    else
        snprintf(buffer, OPAC_COUNT_SIZE, "%" PRIu64, count->value);
    return buffer;
}
