/* SPDX-License-Identifier: MIT */
/* Writes conditions as text, with an explicit stack, since a condition can be nested 65536 deep. */
#include "aut/condition.h"
#include "base/output.h"

typedef enum token_kind {
    TOKEN_TERM,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_CLOSE
} token_kind;

typedef struct token {
    token_kind kind;
    uint32_t term;
    bool in_and; /* the term is an operand of And, so Or needs parentheses */
} token;

BASE_VEC(token_vec, token);

/* Pushes the tokens of a gate, the last one first. */
static opac_status expand(token_vec *stack, const aut_term *gate, bool in_and, opac_error *error)
{
    bool is_and = gate->kind == AUT_TERM_AND, in_parentheses = in_and && !is_and;
    const token parts[] = {
        {.kind = TOKEN_CLOSE},
        {.kind = TOKEN_TERM, .term = gate->right, .in_and = is_and},
        {.kind = is_and ? TOKEN_AND : TOKEN_OR},
        {.kind = TOKEN_TERM, .term = gate->left, .in_and = is_and},
    };
    for (size_t i = in_parentheses ? 0 : 1; i < 4; i++)
        TRY(token_vec_push(stack, parts[i], error));
    return OPAC_OK;
}

static opac_status write_term(token_vec *stack, const aut_condition *condition, token item,
                              opac_output *out, opac_error *error)
{
    const aut_term *term = &condition->terms.items[item.term];
    switch (term->kind) {
    case AUT_TERM_FALSE:
    case AUT_TERM_TRUE:
        opac_output_text(out, term->kind == AUT_TERM_TRUE ? "t" : "f");
        return OPAC_OK;
    case AUT_TERM_INF:
    case AUT_TERM_FIN:
        opac_output_print(out, "%s(%u)", term->kind == AUT_TERM_INF ? "Inf" : "Fin", term->left);
        return OPAC_OK;
    default:
        if (item.in_and && term->kind == AUT_TERM_OR)
            opac_output_text(out, "(");
        return expand(stack, term, item.in_and, error);
    }
}

void aut_condition_write(const aut_condition *condition, opac_output *out)
{
    token_vec stack = {0};
    opac_error error;
    size_t count = condition->terms.count;
    if (count == 0) {
        opac_output_text(out, "f");
        return;
    }
    token root = {.kind = TOKEN_TERM, .term = (uint32_t)count - 1};
    opac_status status;
    TRY_OR(done, token_vec_push(&stack, root, &error));
    while (stack.count > 0) {
        token next = stack.items[--stack.count];
        if (next.kind == TOKEN_TERM)
            TRY_OR(done, write_term(&stack, condition, next, out, &error));
        else
            opac_output_text(out, next.kind == TOKEN_CLOSE ? ")"
                                  : next.kind == TOKEN_AND ? " & "
                                                           : " | ");
    }
done:
    if (status != OPAC_OK)
        base_output_fail(out, status, error.message);
    token_vec_fini(&stack);
}
