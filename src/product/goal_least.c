/* SPDX-License-Identifier: MIT */
/* By itself, since it knows models, and who learns from callbacks links none of them. */
#include "product/goal.h"

/* On a chain there is one policy: the simpler automaton will do. */
bool product_goal_is_least(const opac_model *model, const opac_objective *objective)
{
    return opac_model_get_type(model) != OPAC_MODEL_DTMC && product_goal_asks_least(objective);
}
