/* SPDX-License-Identifier: MIT */
/* Evaluates the bound of a property as a prism_number and encloses it in doubles. */
#include "prism/property_bound.h"

#include <math.h>

#include "prism/number.h"

/* value ± error, rounded outwards. */
static base_enclosure of_near(const prism_number *number)
{
    double low = (double)(number->value - number->error);
    double high = (double)(number->value + number->error);
    return (base_enclosure){nextafter(low, -INFINITY), nextafter(high, INFINITY)};
}

static void enclose(const prism_number *number, prism_bound *bound)
{
    bound->ratio = number->ratio;
    if (number->kind == PRISM_NUMBER_RATIO)
        bound->enclosure = base_enclosure_of_ratio(number->ratio);
    else if (number->kind == PRISM_NUMBER_BIG)
        bound->enclosure = base_enclosure_of_big(&number->big);
    else
        bound->enclosure = of_near(number);
}

opac_status prism_bound_read(const prism_scope *scope, const char *text, size_t length,
                             prism_bound *bound, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    prism_number number;
    opac_status status;
    TRY_OR(done, prism_scope_expression(scope, text, length, (prism_place){1, 1}, PRISM_TYPE_REAL,
                                        &arena, &expression, error));
    prism_number_of_literal(&expression.nodes[0],
                            &number); /* a constant expression is one literal */
    enclose(&number, bound);
done:
    base_arena_fini(&arena);
    return status;
}
