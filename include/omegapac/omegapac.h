/* SPDX-License-Identifier: MIT */
/*
 * All of the interface. The best probability of an objective in a model, for instance:
 *
 *     opac_formula *formula = NULL;
 *     opac_model *model = NULL;
 *     opac_solution *solution = NULL;
 *     opac_error error;
 *     if (opac_formula_parse("G F s & G F g", NULL, &formula, &error) != OPAC_OK ||
 *         opac_model_read("gridworld.prism", NULL, &model, &error) != OPAC_OK ||
 *         opac_check(model, &(opac_objective){.formula = formula}, NULL, &solution, &error) !=
 *             OPAC_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *     else
 *         printf("%g\n", opac_solution_interval(solution, 0).value);
 *     opac_solution_free(solution);
 *     opac_model_free(model);
 *     opac_formula_free(formula);
 *
 * Each header stands alone as well, and is its own manual:
 *
 *     automaton.h   automata on infinite words
 *     binomial.h    the binomial distribution, and intervals for a proportion
 *     bound.h       how many samples a guarantee costs
 *     builder.h     building a model in C
 *     calibration.h how fast a sampler could be on this machine
 *     cancel.h      stopping a computation
 *     check.h       the best probability in a known model
 *     conformance.h is a simulator right?
 *     drawing.h     pictures of automata and policies
 *     environment.h what can be run: simulators, models
 *     error.h       status codes and error values
 *     estimation.h  a probability in a Markov chain, from samples
 *     evaluation.h  the probability under a given policy
 *     formula.h     linear temporal logic
 *     json.h        writing JSON
 *     learning.h    a policy from samples, and its guarantee
 *     model.h       Markov chains and decision processes
 *     number.h      numbers as people write them
 *     objective.h   what a run should do
 *     output.h      files, streams and memory to write results to
 *     plugin.h      writing a simulator as a plugin (to be included by itself)
 *     policy.h      policies: finite-memory controllers
 *     progress.h    following a computation
 *     property.h    properties as PRISM writes them
 *     quantity.h    durations and counts in words
 *     recurrence.h  how long a run takes to show what it does for ever
 *     repetition.h  many learning runs on one model
 *     report.h      a page about results
 *     result.h      results as documents: JSON, and text
 *     simulation.h  walking through a model
 *     text.h        words in messages
 *     verification.h checking a certificate
 *     version.h     which library this is
 *
 * Conventions: handles come from _new or _open and go with _free, which takes
 * NULL. Inputs are borrowed, outputs belong to the caller, unless a
 * declaration says otherwise. A function that can fail returns an opac_status
 * and fills the opac_error that it is given; outputs are then NULL, or as they
 * were. Options come from a function _defaults, or are zero but for what is
 * set: later versions add members, for which zero means "as before". Callbacks
 * are called in the thread that called the function they were given to, unless
 * their header says otherwise. There is no global state: any
 * number of threads may use the library, each handle by one at a time unless
 * its header allows more.
 */
#ifndef OMEGAPAC_OMEGAPAC_H
#define OMEGAPAC_OMEGAPAC_H

#include <omegapac/automaton.h>
#include <omegapac/binomial.h>
#include <omegapac/bound.h>
#include <omegapac/builder.h>
#include <omegapac/calibration.h>
#include <omegapac/cancel.h>
#include <omegapac/check.h>
#include <omegapac/conformance.h>
#include <omegapac/drawing.h>
#include <omegapac/environment.h>
#include <omegapac/error.h>
#include <omegapac/estimation.h>
#include <omegapac/evaluation.h>
#include <omegapac/formula.h>
#include <omegapac/json.h>
#include <omegapac/learning.h>
#include <omegapac/model.h>
#include <omegapac/number.h>
#include <omegapac/objective.h>
#include <omegapac/output.h>
#include <omegapac/policy.h>
#include <omegapac/progress.h>
#include <omegapac/property.h>
#include <omegapac/quantity.h>
#include <omegapac/recurrence.h>
#include <omegapac/repetition.h>
#include <omegapac/report.h>
#include <omegapac/result.h>
#include <omegapac/simulation.h>
#include <omegapac/text.h>
#include <omegapac/verification.h>
#include <omegapac/version.h>

#endif
