/* SPDX-License-Identifier: MIT */
/* By itself, since it knows models, and who learns from callbacks links none of them. */
#include "product/product_objective.h"

/* On a chain there is one policy: the simpler automaton will do. */
bool product_objective_is_min_for_model(const opac_model *model, const opac_objective *objective)
{
    return opac_model_get_type(model) != OPAC_MODEL_DTMC && product_objective_is_min(objective);
}
