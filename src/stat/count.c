/* SPDX-License-Identifier: MIT */
#include "stat/count.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/bits.h"

bool stat_count_may_fit(double log10)
{
    return log10 < 30; /* double-doubles represent much larger numbers */
}

opac_count stat_count_saturated(double log10)
{
    return (opac_count){UINT64_MAX, pow(10, log10), log10};
}

opac_count opac_count_of(uint64_t value)
{
    /* log10(0) is not finite, so 0 is used instead. */
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

/* UINT64_MAX counts as saturated. The factor must be at least 1; with 0 the result is 0. */
opac_count opac_count_times(const opac_count *count, uint64_t factor)
{
    uint64_t low, high = base_multiply_high(count->value, factor, &low);
    if ((count->value == UINT64_MAX && factor != 0) || high != 0)
        return stat_count_saturated(count->log10 + log10((double)factor));
    return opac_count_of(low);
}

/*
 * Writes three digits, computed from the logarithm, which is always finite. Rounds up, because counts are
 * upper bounds, but tolerates the error of pow, which would turn an exact power of ten into 1.01.
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
