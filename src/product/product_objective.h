/* SPDX-License-Identifier: MIT */
/*
 * The automaton whose acceptance is made as probable as it can be. For a
 * greatest probability it accepts the objective; for a least one it accepts
 * what the objective forbids, since
 *
 *     Pmin(φ) = 1 - Pmax(¬φ)
 *
 * Its condition is a disjunction of pairs (Rabin, or Büchi), as the solver
 * wants it.
 */
#ifndef PRODUCT_OBJECTIVE_H
#define PRODUCT_OBJECTIVE_H

#include <omegapac/cancel.h>
#include <omegapac/objective.h>

typedef struct product_objective_options {
    opac_automaton_kind kind; /* of the automaton that a formula becomes */
    const opac_cancel *cancel;
} product_objective_options;

/* Is it a formula or an automaton, in a direction and a comparison that there are? */
opac_status product_objective_check(const opac_objective *objective, opac_error *error);

/*
 * How the objective is called: by its text, its formula, the name of its
 * automaton. *formula: NULL where there is none. Both for the caller, what was
 * made before a failure included.
 */
opac_status product_objective_describe(const opac_objective *objective, char **formula, char **text,
                                       opac_error *error);

/* Is the least probability asked for, by direction and comparison; and in a model of that type? */
bool product_objective_is_min(const opac_objective *objective);
bool product_objective_is_min_for_model(const opac_model *model, const opac_objective *objective);

/*
 * *is_guess: the automaton is nondeterministic, and nothing says that it is good
 * for MDPs: a run that guesses may miss what an oracle would find.
 */
opac_status product_objective_automaton(const opac_objective *objective, bool least,
                                        const product_objective_options *options,
                                        opac_automaton **automaton, bool *is_guess,
                                        opac_error *error);

#endif
