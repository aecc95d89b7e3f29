/* SPDX-License-Identifier: MIT */
#include "aut/hoa_expression.h"

#include <assert.h>
#include <stdio.h>

void hoa_stacks_fini(hoa_stacks *stacks)
{
    hoa_operator_vec_fini(&stacks->operators);
    base_u32_vec_fini(&stacks->values);
}

/* The precedence of an operator; that of an open parenthesis is the lowest. */
static int precedence(char sign)
{
    switch (sign) {
    case '!':
        return 3;
    case '&':
        return 2;
    case '|':
        return 1;
    default:
        return 0;
    }
}

/* Applies the operators on top of the stack whose precedence is at least `least`. */
static opac_status apply(const hoa_algebra *algebra, hoa_stacks *stacks, int least,
                         opac_error *error)
{
    while (stacks->operators.count > 0) {
        char sign = stacks->operators.items[stacks->operators.count - 1].sign;
        if (precedence(sign) < least)
            break;
        uint32_t *top = stacks->values.items + stacks->values.count - 1;
        assert(stacks->values.count >= (sign == '!' ? 1 : 2));
        stacks->operators.count--;
        if (sign == '!') {
            TRY(algebra->combine(algebra->context, sign, *top, 0, top, error));
        } else {
            TRY(algebra->combine(algebra->context, sign, top[-1], *top, top - 1, error));
            stacks->values.count--;
        }
    }
    return OPAC_OK;
}

static opac_status push_operator(hoa_lexer *lexer, hoa_stacks *stacks, opac_error *error)
{
    hoa_operator pushed = {lexer->token.sign, lexer->token.position};
    TRY(hoa_operator_vec_push(&stacks->operators, pushed, error));
    return hoa_lexer_next(lexer, error);
}

/* Reads an operand with the parentheses and negations before it, and the closing parentheses after it. */
static opac_status read_factor(hoa_lexer *lexer, const hoa_algebra *algebra, hoa_stacks *stacks,
                               size_t *open, opac_error *error)
{
    uint32_t value = 0;
    while (hoa_at_sign(lexer, '(') || (algebra->has_not && hoa_at_sign(lexer, '!'))) {
        *open += hoa_at_sign(lexer, '(');
        TRY(push_operator(lexer, stacks, error));
    }
    TRY(algebra->read_operand(algebra->context, lexer, &value, error));
    TRY(base_u32_vec_push(&stacks->values, value, error));
    while (*open > 0 && hoa_at_sign(lexer, ')')) {
        TRY(apply(algebra, stacks, precedence('|'), error));
        stacks->operators.count--; /* the open parenthesis */
        --*open;
        TRY(hoa_lexer_next(lexer, error));
    }
    return OPAC_OK;
}

opac_status hoa_expression_read(hoa_lexer *lexer, const hoa_algebra *algebra, hoa_stacks *stacks,
                                uint32_t *value, opac_error *error)
{
    size_t open = 0;
    stacks->operators.count = 0;
    stacks->values.count = 0;
    for (;;) {
        TRY(read_factor(lexer, algebra, stacks, &open, error));
        if (!hoa_at_sign(lexer, '&') && !hoa_at_sign(lexer, '|'))
            break;
        TRY(apply(algebra, stacks, precedence(lexer->token.sign), error));
        TRY(push_operator(lexer, stacks, error));
    }
    TRY(apply(algebra, stacks, precedence('|'), error));
    if (open > 0) {
        char expected[96];
        hoa_position position = stacks->operators.items[stacks->operators.count - 1].position;
        snprintf(expected, sizeof expected, "')' for the '(' of line %u, column %u", position.line,
                 position.column);
        return hoa_fail_expected(lexer, expected, error);
    }
    *value = stacks->values.items[0];
    return OPAC_OK;
}
