/* SPDX-License-Identifier: MIT */
#include "support/formula_text.h"

#include "support/check.h"

typedef struct reader {
    ltl_store *store;
    const char *text, *at;
} reader;

static const char letters[] = "01.!&|......XFGURWM"; /* see op_letter */

static char op_letter(ltl_op op)
{
    switch (op) {
    case LTL_IMPLIES:
        return '>';
    case LTL_IFF:
        return '=';
    case LTL_XOR:
        return '^';
    default:
        return letters[op < LTL_IMPLIES ? op : op + 3];
    }
}

static char peek(reader *in)
{
    while (*in->at == ' ')
        in->at++;
    return *in->at;
}

static bool accept(reader *in, char wanted)
{
    if (peek(in) != wanted)
        return false;
    in->at++;
    return true;
}

static ltl_formula read_list(reader *in);

static ltl_formula read_unary(reader *in)
{
    if (accept(in, '!'))
        return ltl_not(in->store, read_unary(in));
    if (accept(in, 'X'))
        return ltl_x(in->store, read_unary(in));
    if (accept(in, 'F'))
        return ltl_f(in->store, read_unary(in));
    if (accept(in, 'G'))
        return ltl_g(in->store, read_unary(in));
    if (accept(in, '0'))
        return LTL_FALSE;
    if (accept(in, '1'))
        return LTL_TRUE;
    if (accept(in, '(')) {
        ltl_formula inner = read_list(in);
        if (!accept(in, ')'))
            fail_msg("%s: expected )", in->text);
        return inner;
    }
    const char *begin = in->at;
    while ((*in->at >= 'a' && *in->at <= 'z') ||
           (in->at > begin && *in->at >= '0' && *in->at <= '9'))
        in->at++;
    if (in->at == begin)
        fail_msg("%s: expected a formula at '%s'", in->text, begin);
    return ltl_ap(in->store, begin, (size_t)(in->at - begin));
}

static ltl_formula read_until(reader *in)
{
    ltl_formula left = read_unary(in);
    for (int op = LTL_U; op <= LTL_M; op++)
        if (accept(in, op_letter((ltl_op)op)))
            return ltl_binary(in->store, (ltl_op)op, left, read_unary(in));
    return left;
}

static ltl_formula read_list(reader *in)
{
    ltl_formula left = read_until(in);
    char kind = peek(in);
    if (kind != '&' && kind != '|')
        return left;
    while (accept(in, kind))
        left = ltl_binary(in->store, kind == '&' ? LTL_AND : LTL_OR, left, read_until(in));
    return left;
}

ltl_formula formula_read(ltl_store *store, const char *text)
{
    reader in = {.store = store, .text = text, .at = text};
    ltl_formula formula = read_list(&in);
    if (peek(&in) != '\0')
        fail_msg("%s: rest '%s'", text, in.at);
    return formula;
}

/* ---- showing ---- */

typedef struct writer {
    const ltl_store *store;
    char *buffer;
    size_t size, length;
} writer;

static void put(writer *out, const char *text)
{
    for (; *text != '\0' && out->length + 1 < out->size; text++)
        out->buffer[out->length++] = *text;
    out->buffer[out->length] = '\0';
}

static void put_formula(writer *out, ltl_formula formula)
{
    ltl_op op = ltl_op_of(out->store, formula);
    uint32_t arity = ltl_arity(out->store, formula);
    char sign[] = {op_letter(op), '\0'}, between[] = {' ', op_letter(op), ' ', '\0'};
    if (op == LTL_AP) {
        put(out, ltl_ap_name(out->store, ltl_ap_of(out->store, formula)));
        return;
    }
    if (arity < 2) {
        put(out, sign);
        if (arity == 1)
            put_formula(out, ltl_child(out->store, formula, 0));
        return;
    }
    for (uint32_t i = 0; i < arity; i++) {
        put(out, i == 0 ? "(" : between);
        put_formula(out, ltl_child(out->store, formula, i));
    }
    put(out, ")");
}

const char *formula_show(const ltl_store *store, ltl_formula formula, char *buffer, size_t size)
{
    writer out = {.store = store, .buffer = buffer, .size = size};
    put_formula(&out, formula);
    return buffer;
}
