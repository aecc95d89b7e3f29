/* SPDX-License-Identifier: MIT */
#include "support/automaton_checks.h"

#include "aut/acd.h"
#include "aut/trim.h"

opac_status aut_language_of(const opac_automaton *automaton, aut_language *language,
                            opac_error *error)
{
    opac_automaton *trimmed;
    aut_acd acd;
    TRY(aut_trim(automaton, &trimmed, error));
    opac_status status = aut_acd_build(trimmed, &acd, error);
    opac_automaton_free(trimmed);
    TRY(status);
    *language = (aut_language){.is_buchi = true, .is_cobuchi = true};
    for (uint32_t node = 0; node < acd.nodes.count; node++) {
        const aut_acd_node *item = &acd.nodes.items[node];
        if (item->parent != AUT_ACD_NONE && item->is_accepting)
            language->is_buchi = false;
        if (item->parent != AUT_ACD_NONE && !item->is_accepting)
            language->is_cobuchi = false;
    }
    language->is_weak = language->is_buchi && language->is_cobuchi;
    aut_acd_fini(&acd);
    return OPAC_OK;
}

bool aut_is_state_based(const opac_automaton *automaton)
{
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t i = automaton->edge_begin[s]; i < automaton->edge_begin[s + 1]; i++)
            if (automaton->edges[i].marks != automaton->edges[automaton->edge_begin[s]].marks)
                return false;
    return true;
}
