/* SPDX-License-Identifier: MIT */
#include "aut/hoa_acceptance.h"

#include "base/bits.h"

enum {
    COMPLEMENT = 64 /* added to a mark while its condition is read */
};

void hoa_acceptance_fini(hoa_acceptance *acceptance)
{
    aut_condition_fini(&acceptance->condition);
    hoa_token_vec_fini(&acceptance->name);
}

/* The number of a set, below those that there are. */
static opac_status take_set(const hoa_acceptance *acceptance, hoa_lexer *lexer, uint32_t *set,
                            opac_error *error)
{
    hoa_place place = lexer->token.place;
    TRY(hoa_take_number(lexer, "the number of an acceptance set", set, error));
    if (*set >= acceptance->set_count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, place.line, place.column,
                            "acceptance set %u does not exist: 'Acceptance:' gives %u, numbered "
                            "from 0",
                            *set, acceptance->set_count);
    return OPAC_OK;
}

/* ---- the condition ---- */

static opac_status read_operand(void *context, hoa_lexer *lexer, uint32_t *value, opac_error *error)
{
    hoa_acceptance *acceptance = context;
    const hoa_token *token = &lexer->token;
    aut_term term = {.kind = AUT_TERM_FALSE};
    if (hoa_token_is(token, HOA_TOKEN_WORD, "t"))
        term.kind = AUT_TERM_TRUE;
    else if (hoa_token_is(token, HOA_TOKEN_WORD, "Inf"))
        term.kind = AUT_TERM_INF;
    else if (hoa_token_is(token, HOA_TOKEN_WORD, "Fin"))
        term.kind = AUT_TERM_FIN;
    else if (!hoa_token_is(token, HOA_TOKEN_WORD, "f"))
        return hoa_fail_expected(lexer, "Inf, Fin, t, f or '('", error);
    TRY(hoa_lexer_next(lexer, error));
    if (term.kind == AUT_TERM_INF || term.kind == AUT_TERM_FIN) {
        bool complemented = false;
        TRY(hoa_take_sign(lexer, '(', "'(' behind Inf or Fin", error));
        if (hoa_at_sign(lexer, '!')) {
            complemented = true;
            TRY(hoa_lexer_next(lexer, error));
        }
        TRY(take_set(acceptance, lexer, &term.left, error));
        TRY(hoa_take_sign(lexer, ')', "')' behind the acceptance set", error));
        term.left += complemented ? COMPLEMENT : 0;
    }
    return aut_condition_add(&acceptance->condition, term, value, error);
}

static opac_status combine(void *context, char sign, uint32_t left, uint32_t right, uint32_t *value,
                           opac_error *error)
{
    hoa_acceptance *acceptance = context;
    aut_term term = {sign == '&' ? AUT_TERM_AND : AUT_TERM_OR, left, right};
    return aut_condition_add(&acceptance->condition, term, value, error);
}

static bool is_literal(const aut_term *term)
{
    return term->kind == AUT_TERM_INF || term->kind == AUT_TERM_FIN;
}

/* Finds marks for complements, and makes the condition speak of marks. */
static opac_status settle_complements(hoa_acceptance *acceptance, hoa_place place,
                                      opac_error *error)
{
    uint64_t plain = 0, complemented = 0;
    aut_term_vec *terms = &acceptance->condition.terms;
    for (size_t i = 0; i < terms->count; i++) {
        if (!is_literal(&terms->items[i]))
            continue;
        uint64_t bit = UINT64_C(1) << (terms->items[i].left % COMPLEMENT);
        *(terms->items[i].left < COMPLEMENT ? &plain : &complemented) |= bit;
    }
    acceptance->turned = complemented & ~plain;
    acceptance->doubled = complemented & plain;
    acceptance->mark_count = acceptance->set_count + base_popcount(acceptance->doubled);
    if (acceptance->mark_count > AUT_MOST_MARKS)
        return base_fail_at(error, OPAC_ERROR_LIMIT, place.line, place.column,
                            "%u acceptance sets, complements counted, are more than %d",
                            acceptance->mark_count, AUT_MOST_MARKS);
    uint32_t next = acceptance->set_count;
    for (uint64_t left = acceptance->doubled; left != 0; left &= left - 1)
        acceptance->complement[base_lowest_bit(left)] = (uint8_t)next++;
    for (size_t i = 0; i < terms->count; i++) {
        aut_term *term = &terms->items[i];
        if (!is_literal(term) || term->left < COMPLEMENT)
            continue;
        term->left -= COMPLEMENT;
        if ((acceptance->doubled >> term->left) & 1)
            term->left = acceptance->complement[term->left];
    }
    return OPAC_OK;
}

opac_status hoa_acceptance_read(hoa_acceptance *acceptance, hoa_lexer *lexer, hoa_stacks *stacks,
                                opac_error *error)
{
    const hoa_algebra algebra = {
        .read_operand = read_operand, .combine = combine, .context = acceptance};
    hoa_place place = lexer->token.place;
    uint32_t root;
    TRY(hoa_take_number(lexer, "the number of acceptance sets", &acceptance->set_count, error));
    if (acceptance->set_count > AUT_MOST_MARKS)
        return base_fail_at(error, OPAC_ERROR_LIMIT, place.line, place.column,
                            "%u acceptance sets are more than %d", acceptance->set_count,
                            AUT_MOST_MARKS);
    TRY(hoa_place_limit(hoa_expression_read(lexer, &algebra, stacks, &root, error), place, error));
    return hoa_place_limit(settle_complements(acceptance, place, error), place, error);
}

/* ---- marks ---- */

opac_status hoa_marks_read(const hoa_acceptance *acceptance, hoa_lexer *lexer, uint64_t *sets,
                           opac_error *error)
{
    *sets = 0;
    if (!hoa_at_sign(lexer, '{'))
        return OPAC_OK;
    TRY(hoa_lexer_next(lexer, error));
    while (lexer->token.kind == HOA_TOKEN_NUMBER) {
        uint32_t set = 0;
        TRY(take_set(acceptance, lexer, &set, error));
        *sets |= UINT64_C(1) << set;
    }
    return hoa_take_sign(lexer, '}', "the number of an acceptance set or '}'", error);
}

uint64_t hoa_acceptance_marks(const hoa_acceptance *acceptance, uint64_t sets)
{
    uint64_t marks = sets ^ acceptance->turned;
    for (uint64_t left = acceptance->doubled & ~sets; left != 0; left &= left - 1)
        marks |= UINT64_C(1) << acceptance->complement[base_lowest_bit(left)];
    return marks;
}
