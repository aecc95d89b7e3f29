/* SPDX-License-Identifier: MIT */
/*
 * Objectives, and their translation into the automaton whose acceptance probability is maximised. For a
 * maximal probability that automaton recognises the objective; for a minimal one it recognises the
 * complement, since
 *
 *     Pmin(φ) = 1 - Pmax(¬φ)
 *
 * Its acceptance condition is a disjunction of Rabin pairs (or Büchi), the form that the solver needs.
 */
#ifndef PRODUCT_OBJECTIVE_H
#define PRODUCT_OBJECTIVE_H

#include <omegapac/cancel.h>
#include <omegapac/objective.h>

typedef struct product_objective_options {
    opac_automaton_kind kind; /* of the automaton that a formula is translated into */
    const opac_cancel *cancel;
} product_objective_options;

/* Fails unless the objective is either a formula or an automaton, with a valid direction and comparison. */
opac_status product_objective_check(const opac_objective *objective, opac_error *error);

/*
 * Texts that identify the objective in results. *formula is the formula in infix syntax, NULL for an
 * automaton. *text is the first that exists of the objective's own text, the formula and the automaton's
 * name. The caller frees both (base_free), also after a failure.
 */
opac_status product_objective_describe(const opac_objective *objective, char **formula, char **text,
                                       opac_error *error);

/* Whether the objective concerns the minimal probability, by its direction or else its comparison. */
bool product_objective_is_min(const opac_objective *objective);
/* The same, but false for a DTMC, where the minimal and the maximal probability are equal. */
bool product_objective_is_min_for_model(const opac_model *model, const opac_objective *objective);

/*
 * The automaton of the objective, or of its complement if is_min. *is_guess is set if the automaton is
 * nondeterministic and not known to be good for MDPs: then the maximal probability in the product is only
 * a lower bound, since a policy cannot always guess the accepting run.
 */
opac_status product_objective_automaton(const opac_objective *objective, bool is_min,
                                        const product_objective_options *options,
                                        opac_automaton **automaton, bool *is_guess,
                                        opac_error *error);

#endif
