/* SPDX-License-Identifier: MIT */
/*
 * An objective: an LTL formula or an ω-automaton, with the quantity to compute. It is a plain struct that
 * borrows all its members. With all members zero except formula or automaton, the quantity is the greatest
 * probability.
 *
 *     opac_objective objective = {.formula = formula};
 *     opac_objective least = {.automaton = automaton, .direction = OPAC_DIRECTION_MIN};
 *     opac_objective one = opac_objective_of(properties, 0);
 */
#ifndef OMEGAPAC_OBJECTIVE_H
#define OMEGAPAC_OBJECTIVE_H

#include <omegapac/automaton.h>
#include <omegapac/property.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All members are borrowed. */
typedef struct opac_objective {
    const opac_formula *formula;     /* either formula or automaton; the other one is NULL */
    const opac_automaton *automaton; /* deterministic, or good for MDPs */
    /*
     * The least or the greatest probability over all policies. With NONE: for a bound, it is the least for
     * P>=b and P>b and the greatest for P<=b and P<b, so that the bound holds for all policies; otherwise
     * the greatest.
     */
    opac_direction direction;
    opac_comparison comparison; /* with the bound; VALUE to compute the probability */
    double bound;               /* in [0, 1] */
    /* The bound as an exact fraction in [0, 1]; a denominator of 0 if it is not known as a fraction. */
    int64_t bound_numerator, bound_denominator;
    /*
     * Without a fraction: if bound_below < bound_above, the bound lies strictly between them, and the
     * verdict for a value between them is UNDECIDED; otherwise the bound is the double `bound`.
     */
    double bound_below, bound_above;
    const opac_properties *properties; /* define propositions; NULL if the model defines all */
    const char *text;                  /* its text, for policy files; NULL for the formula */
} opac_objective;

/* Makes the objective of a property; index below opac_properties_count. It borrows the properties. */
OPAC_API opac_objective opac_objective_of(const opac_properties *properties, size_t index);

#ifdef __cplusplus
}
#endif

#endif
