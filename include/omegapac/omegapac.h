/* SPDX-License-Identifier: MIT */
/*
 * Includes the whole interface. For example, the optimal probability of an objective in a model:
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
 * The headers can be included separately. Each one documents its functions:
 *
 *     automaton.h   automata on infinite words
 *     binomial.h    the binomial distribution, and confidence intervals
 *     bound.h       the number of samples for a guarantee
 *     builder.h     building a model in C
 *     calibration.h the speed of sampling on this machine
 *     cancel.h      stopping a computation
 *     check.h       the optimal probability in a known model
 *     conformance.h checking a simulator
 *     drawing.h     pictures of automata and policies
 *     environment.h environments: simulators and models
 *     error.h       status codes and error values
 *     estimation.h  estimating a probability in a Markov chain
 *     evaluation.h  the probability under a given policy
 *     formula.h     linear temporal logic
 *     json.h        writing JSON
 *     learning.h    learning a policy from samples, with a guarantee
 *     model.h       Markov chains and Markov decision processes
 *     number.h      parsing and formatting numbers
 *     objective.h   objectives
 *     output.h      output to files, streams and memory
 *     plugin.h      writing a simulator as a plugin (not included here)
 *     policy.h      policies: finite-memory controllers
 *     progress.h    progress of a computation
 *     property.h    PRISM properties
 *     quantity.h    formatting durations and counts
 *     recurrence.h  the recurrence time of a known model
 *     repetition.h  repeated learning runs on one model
 *     report.h      HTML pages about results
 *     result.h      results as JSON and text
 *     simulation.h  random simulation of a model
 *     text.h        text in messages
 *     verification.h checking a certificate
 *     version.h     the version of the library
 *
 * Conventions, unless a declaration says otherwise:
 *
 * - Handles are made by a function _new, _open or _read, and freed by _free, which accepts NULL.
 * - Inputs are borrowed during the call. Handles that a function returns through a pointer are owned by the
 *   caller; pointers that it returns directly are owned by the object, and valid as long as it.
 * - A function that can fail returns an opac_status and sets the opac_error, if it is not NULL. Outputs are
 *   then NULL or unchanged. Any function may fail with OPAC_ERROR_MEMORY.
 * - Options are initialised by a function _defaults, or zeroed. Later versions may add members whose zero
 *   stands for the old behaviour.
 * - Callbacks are called in the thread that called the function.
 * - There is no global state. Several threads may use the library, but a handle must be used by one thread
 *   at a time.
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
