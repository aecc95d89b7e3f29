/* SPDX-License-Identifier: MIT */
#include "aut/buchi.h"

#include "aut/parity.h"

/* Sets the condition Inf(0), which also differs from the parity condition if there are no priorities. */
static opac_status set_condition(opac_automaton *automaton, opac_error *error)
{
    aut_condition condition;
    TRY(aut_condition_buchi(&condition, error));
    aut_condition_fini(&automaton->condition);
    automaton->condition = condition;
    automaton->mark_count = 1;
    return OPAC_OK;
}

opac_status aut_to_buchi(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error)
{
    opac_automaton *parity;
    TRY(aut_to_parity_at_most(given, state_limit, 1, &parity, error));
    if (parity == NULL)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED, "%s",
                         given->is_deterministic
                             ? "no deterministic Büchi automaton accepts this language"
                             : "the acceptance condition of this nondeterministic automaton cannot "
                               "be converted to Büchi without changing its runs");
    opac_status status = set_condition(parity, error);
    if (status == OPAC_OK)
        *made = parity;
    else
        opac_automaton_free(parity);
    return status;
}
