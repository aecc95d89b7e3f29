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
#ifndef CHECK_GOAL_H
#define CHECK_GOAL_H

#include <omegapac/check.h>

/* What is asked, once direction, comparison and the type of the model are considered. */
bool check_is_least(const opac_model *model, const opac_objective *objective);

/*
 * *is_guess: the automaton is nondeterministic, and nothing says that it is good
 * for MDPs: a run that guesses may miss what an oracle would find.
 */
opac_status check_make_goal(const opac_objective *objective, bool least,
                            const opac_check_options *options, opac_automaton **automaton,
                            bool *is_guess, opac_error *error);

#endif
