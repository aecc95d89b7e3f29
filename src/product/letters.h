/* SPDX-License-Identifier: MIT */
/* The letters of a model's states, over the propositions of an automaton. */
#ifndef PRODUCT_LETTERS_H
#define PRODUCT_LETTERS_H

#include <omegapac/property.h>

#include "aut/automaton.h"

/*
 * Bit i of (*letters)[s] is set if proposition i of the automaton holds in state s. Propositions are
 * evaluated by the properties, or by the model alone if they are NULL. An unknown proposition is an error
 * that names it. The caller frees the array (base_free).
 */
opac_status product_letters(const opac_model *model, const opac_properties *properties,
                            const opac_automaton *automaton, uint64_t **letters, opac_error *error);

#endif
