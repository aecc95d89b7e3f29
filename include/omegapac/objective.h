/* SPDX-License-Identifier: MIT */
/*
 * What a run should do: an LTL formula or an ω-automaton, and what is asked of
 * its probability. A plain struct that borrows everything; all zeros but one of
 * formula and automaton asks for the greatest probability.
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

/* All is borrowed. */
typedef struct opac_objective {
    const opac_formula *formula;     /* one of these two, the other is NULL */
    const opac_automaton *automaton; /* deterministic, or good for MDPs */
    /*
     * Which policies are asked about. None: on a Markov chain there is one; with
     * a bound, all of them (P>=b is about the least probability, P<=b about the
     * greatest); otherwise the greatest.
     */
    opac_direction direction;
    opac_comparison comparison; /* of the probability with the bound; none: it is asked for */
    double bound;               /* in [0, 1] */
    /* The bound as an exact fraction in [0, 1]; a denominator of 0: see below. */
    int64_t bound_numerator, bound_denominator;
    /*
     * Without a fraction: the bound lies strictly between these doubles, if the first is below the
     * second; otherwise it is the double above. A value between them is not compared with it: the
     * verdict is undecided.
     */
    double bound_below, bound_above;
    const opac_properties *properties; /* who knows the propositions; NULL: the model alone */
    const char *text;                  /* how people call it, in policies; NULL: the formula */
} opac_objective;

/* A property as an objective; index below the count. Borrows the properties. */
OPAC_API opac_objective opac_objective_of(const opac_properties *properties, size_t index);

#ifdef __cplusplus
}
#endif

#endif
