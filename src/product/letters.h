/* SPDX-License-Identifier: MIT */
/* The letters of a model's states, as an automaton reads them. */
#ifndef PRODUCT_LETTERS_H
#define PRODUCT_LETTERS_H

#include <omegapac/property.h>

#include "aut/automaton.h"

/*
 * Bit i of (*letters)[s]: proposition i of the automaton holds in state s, by
 * the properties, or by the model alone when they are NULL. Owned by the caller
 * (base_free). An unknown proposition is an error that names it.
 */
opac_status product_letters(const opac_model *model, const opac_properties *properties,
                            const opac_automaton *automaton, uint64_t **letters, opac_error *error);

#endif
