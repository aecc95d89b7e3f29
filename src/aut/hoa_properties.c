/* SPDX-License-Identifier: MIT */
#include "aut/hoa_properties.h"

static const char *const names[] = {
    [HOA_STATE_LABELS] = "state-labels",
    [HOA_TRANS_LABELS] = "trans-labels",
    [HOA_IMPLICIT_LABELS] = "implicit-labels",
    [HOA_EXPLICIT_LABELS] = "explicit-labels",
    [HOA_STATE_ACC] = "state-acc",
    [HOA_TRANS_ACC] = "trans-acc",
    [HOA_UNIV_BRANCH] = "univ-branch",
    [HOA_NO_UNIV_BRANCH] = "no-univ-branch",
    [HOA_DETERMINISTIC] = "deterministic",
    [HOA_COMPLETE] = "complete",
    [HOA_COLORED] = "colored",
};

opac_status hoa_claims_read(hoa_claims *claims, hoa_lexer *lexer, opac_error *error)
{
    while (lexer->token.kind == HOA_TOKEN_WORD || hoa_at_sign(lexer, '!')) {
        hoa_position position = lexer->token.position;
        bool is_denied = hoa_at_sign(lexer, '!');
        if (is_denied)
            TRY(hoa_lexer_next(lexer, error));
        if (lexer->token.kind != HOA_TOKEN_WORD)
            return hoa_fail_expected(lexer, "a property after '!'", error);
        for (uint32_t i = 0; i < HOA_PROPERTY_COUNT; i++) {
            if (!hoa_token_is(&lexer->token, HOA_TOKEN_WORD, names[i]))
                continue;
            *(is_denied ? &claims->denied : &claims->claimed) |= UINT32_C(1) << i;
            claims->positions[i] = position;
        }
        TRY(hoa_lexer_next(lexer, error));
    }
    return OPAC_OK;
}

static bool holds(hoa_property property, const hoa_usage *usage, const opac_automaton *automaton)
{
    switch (property) {
    case HOA_STATE_LABELS:
        return !usage->edge_labels && !usage->implicit_labels;
    case HOA_TRANS_LABELS:
        return !usage->state_labels;
    case HOA_IMPLICIT_LABELS:
        return !usage->state_labels && !usage->edge_labels;
    case HOA_EXPLICIT_LABELS:
        return !usage->state_labels && !usage->implicit_labels;
    case HOA_STATE_ACC:
        return !usage->edge_marks;
    case HOA_TRANS_ACC:
        return !usage->state_marks;
    case HOA_UNIV_BRANCH:
        return false;
    case HOA_NO_UNIV_BRANCH:
        return true;
    case HOA_DETERMINISTIC:
        return automaton->is_deterministic;
    case HOA_COMPLETE:
        return automaton->is_complete;
    default:
        return !usage->uncoloured;
    }
}

void hoa_claims_check(const hoa_claims *claims, const hoa_usage *usage,
                      const opac_automaton *automaton, const hoa_lexer *lexer)
{
    for (uint32_t i = 0; i < HOA_PROPERTY_COUNT; i++) {
        /* In HOA an automaton without initial states can be complete; is_complete requires an initial
         * state. */
        if (i == HOA_COMPLETE && automaton->initial_count == 0)
            continue;
        bool is_true = holds((hoa_property)i, usage, automaton);
        if (!is_true && (claims->claimed >> i) & 1)
            hoa_notice(lexer, claims->positions[i],
                       "the property '%s' does not hold for this automaton and is ignored",
                       names[i]);
        if (is_true && (claims->denied >> i) & 1)
            hoa_notice(lexer, claims->positions[i],
                       "the property '!%s' does not hold for this automaton and is ignored",
                       names[i]);
    }
}
