/* SPDX-License-Identifier: MIT */
/* The probabilities of a chain in fractions. */
#ifndef EVALUATE_FRACTIONS_H
#define EVALUATE_FRACTIONS_H

#include <omegapac/evaluation.h>

#include "base/rational.h"
#include "evaluate/component_classes.h"

/*
 * By start of the chain, into values, which holds as many NULLs as there are
 * starts; those that were made belong to the caller, also after an error. A
 * build without GMP, or a model without fractions, is OPAC_ERROR_UNSUPPORTED.
 */
opac_status evaluate_fractions_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                     const opac_model *model,
                                     const opac_evaluation_options *options, base_rational **values,
                                     opac_error *error);

#endif
