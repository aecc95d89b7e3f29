/* SPDX-License-Identifier: MIT */
#include "aut/hoa_acceptance.h"

#include "base/bits.h"

enum {
    COMPLEMENT = 64 /* added to the number of a complemented set while the condition is read */
};

void hoa_acceptance_fini(hoa_acceptance *acceptance)
{
    aut_condition_fini(&acceptance->condition);
    hoa_token_vec_fini(&acceptance->name);
}

/* Reads the number of a set, which must exist. */
static opac_status read_set(const hoa_acceptance *acceptance, hoa_lexer *lexer, uint32_t *set,
                            opac_error *error)
{
    hoa_position position = lexer->token.position;
    TRY(hoa_read_number(lexer, "the number of an acceptance set", set, error));
    if (*set >= acceptance->set_count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "acceptance set %u does not exist: 'Acceptance:' declares %u, numbered "
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
        bool is_complement = false;
        TRY(hoa_read_sign(lexer, '(', "'(' after Inf or Fin", error));
        if (hoa_at_sign(lexer, '!')) {
            is_complement = true;
            TRY(hoa_lexer_next(lexer, error));
        }
        TRY(read_set(acceptance, lexer, &term.left, error));
        TRY(hoa_read_sign(lexer, ')', "')' after the acceptance set", error));
        term.left += is_complement ? COMPLEMENT : 0;
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

/* Assigns marks to complements, and replaces sets by marks in the condition. */
static opac_status resolve_complements(hoa_acceptance *acceptance, hoa_position position,
                                       opac_error *error)
{
    uint64_t plain = 0, negated = 0;
    aut_term_vec *terms = &acceptance->condition.terms;
    for (size_t i = 0; i < terms->count; i++) {
        if (!is_literal(&terms->items[i]))
            continue;
        uint64_t bit = UINT64_C(1) << (terms->items[i].left % COMPLEMENT);
        *(terms->items[i].left < COMPLEMENT ? &plain : &negated) |= bit;
    }
    acceptance->inverted = negated & ~plain;
    acceptance->complemented = negated & plain;
    acceptance->mark_count = acceptance->set_count + base_popcount(acceptance->complemented);
    if (acceptance->mark_count > AUT_MOST_MARKS)
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "%u acceptance sets, counting complements; at most %d are supported",
                            acceptance->mark_count, AUT_MOST_MARKS);
    uint32_t next = acceptance->set_count;
    for (uint64_t left = acceptance->complemented; left != 0; left &= left - 1)
        acceptance->complement[base_lowest_bit(left)] = (uint8_t)next++;
    for (size_t i = 0; i < terms->count; i++) {
        aut_term *term = &terms->items[i];
        if (!is_literal(term) || term->left < COMPLEMENT)
            continue;
        term->left -= COMPLEMENT;
        if ((acceptance->complemented >> term->left) & 1)
            term->left = acceptance->complement[term->left];
    }
    return OPAC_OK;
}

opac_status hoa_acceptance_read(hoa_acceptance *acceptance, hoa_lexer *lexer, hoa_stacks *stacks,
                                opac_error *error)
{
    const hoa_algebra algebra = {
        .read_operand = read_operand, .combine = combine, .context = acceptance};
    hoa_position position = lexer->token.position;
    uint32_t root;
    TRY(hoa_read_number(lexer, "the number of acceptance sets", &acceptance->set_count, error));
    if (acceptance->set_count > AUT_MOST_MARKS)
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "%u acceptance sets; at most %d are supported", acceptance->set_count,
                            AUT_MOST_MARKS);
    TRY(hoa_locate_limit(hoa_expression_read(lexer, &algebra, stacks, &root, error), position,
                         error));
    return hoa_locate_limit(resolve_complements(acceptance, position, error), position, error);
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
        TRY(read_set(acceptance, lexer, &set, error));
        *sets |= UINT64_C(1) << set;
    }
    return hoa_read_sign(lexer, '}', "the number of an acceptance set or '}'", error);
}

uint64_t hoa_acceptance_marks(const hoa_acceptance *acceptance, uint64_t sets)
{
    uint64_t marks = sets ^ acceptance->inverted;
    for (uint64_t left = acceptance->complemented & ~sets; left != 0; left &= left - 1)
        marks |= UINT64_C(1) << acceptance->complement[base_lowest_bit(left)];
    return marks;
}
