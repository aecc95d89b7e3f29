/* SPDX-License-Identifier: MIT */
/* The probabilities of a chain in fractions. */
#ifndef POLICY_EVALUATE_FRACTIONS_H
#define POLICY_EVALUATE_FRACTIONS_H

#include <omegapac/evaluation.h>

#include "base/rational.h"
#include "policy/evaluate_verdicts.h"

/*
 * By start of the chain, into values, which holds as many NULLs as there are
 * starts; those that were made belong to the caller, also after an error. A
 * build without GMP, or a model without fractions, is OPAC_ERROR_UNSUPPORTED.
 */
opac_status policy_fractions_solve(const policy_chain *chain, const policy_verdicts *verdicts,
                                   const opac_model *model, const opac_evaluation_options *options,
                                   base_rational **values, opac_error *error);

#endif
