/* SPDX-License-Identifier: MIT */
#include <omegapac/objective.h>

opac_objective opac_objective_of(const opac_properties *properties, size_t index)
{
    const opac_property *property = opac_properties_get(properties, index);
    return (opac_objective){
        .formula = property->formula,
        .direction = property->direction,
        .comparison = property->comparison,
        .bound = property->bound,
        .bound_numerator = property->bound_numerator,
        .bound_denominator = property->bound_denominator,
        .bound_below = property->bound_below,
        .bound_above = property->bound_above,
        .properties = properties,
        .text = property->text,
    };
}
