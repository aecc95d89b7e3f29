/* SPDX-License-Identifier: MIT */
/* In a file of its own because it depends on models: a program that learns from callbacks links none. */
#include "product/product_objective.h"

/* A DTMC has only one policy, so the automaton does not have to be complemented. */
bool product_objective_is_min_for_model(const opac_model *model, const opac_objective *objective)
{
    return opac_model_get_type(model) != OPAC_MODEL_DTMC && product_objective_is_min(objective);
}
