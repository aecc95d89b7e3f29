/* SPDX-License-Identifier: MIT */
#include "base/enclosure.h"

#include <float.h>
#include <math.h>

base_enclosure base_enclosure_of_double(double value)
{
    return (base_enclosure){value, value};
}

base_enclosure base_enclosure_of_ratio(base_ratio ratio)
{
    base_big number;
    base_big_of_ratio(ratio, &number);
    return base_enclosure_of_big(&number);
}

/* Encloses quotient · 2^exponent, truncated to the bits of a double. The last bit of the quotient is set if
 * the number has further bits. */
static base_enclosure truncate_quotient(uint64_t quotient, int exponent)
{
    int spare = 0;
    for (uint64_t rest = quotient >> DBL_MANT_DIG; rest > 0; rest >>= 1)
        spare++;
    uint64_t bits = quotient >> spare;
    double low = ldexp((double)bits, exponent + spare);
    double high = bits << spare == quotient ? low : ldexp((double)(bits + 1), exponent + spare);
    if (high < DBL_MIN) /* ldexp rounds subnormal numbers */
        return (base_enclosure){0, DBL_MIN};
    return (base_enclosure){isfinite(low) ? low : DBL_MAX, high};
}

base_enclosure base_enclosure_of_big(const base_big *number)
{
    int exponent;
    if (base_big_sign(number) == 0)
        return base_enclosure_of_double(0);
    uint64_t quotient = base_big_quotient(number, &exponent);
    base_enclosure found = truncate_quotient(quotient, exponent);
    return number->negative ? (base_enclosure){-found.high, -found.low} : found;
}
