/* SPDX-License-Identifier: MIT */
/*
 * Converts postfix to infix with a stack of pending pieces: operands, and the words between them. Parentheses
 * are written where they are necessary, and in some places where they help the reader.
 */
#include "prism/expression_write.h"

#include <math.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "ltl/prism_precedence.h"

/* A word, or an operand if the word is NULL. */
typedef struct piece {
    const char *word;
    uint32_t node;
} piece;

BASE_VEC(piece_vec, piece);

typedef struct writer {
    const prism_node *nodes;
    const opac_model *model;
    uint32_t *first;   /* for each node: the first node of its subexpression */
    piece_vec pending; /* stack */
    base_text *text;
} writer;

/* The notation and precedence of an operator; LTL_BIND_PARENTHESIS: it is always in parentheses. */
typedef struct operator_form {
    const char *word;
    int level;
    bool is_function;
} operator_form;

static operator_form form_of(uint8_t op)
{
    static const operator_form forms[] = {
        [PRISM_OP_NOT] = {"!", LTL_BIND_NOT, false},
        [PRISM_OP_NEGATE] = {"-", LTL_BIND_PARENTHESIS, false},
        [PRISM_OP_FLOOR] = {"floor(", LTL_BIND_POWER, true},
        [PRISM_OP_CEIL] = {"ceil(", LTL_BIND_POWER, true},
        [PRISM_OP_ROUND] = {"round(", LTL_BIND_POWER, true},
        [PRISM_OP_AND] = {" & ", LTL_BIND_AND, false},
        [PRISM_OP_OR] = {" | ", LTL_BIND_OR, false},
        [PRISM_OP_IMPLIES] = {" => ", LTL_BIND_IMPLIES, false},
        [PRISM_OP_IFF] = {" <=> ", LTL_BIND_IFF, false},
        [PRISM_OP_EQUAL] = {" = ", LTL_BIND_EQUAL, false},
        [PRISM_OP_UNEQUAL] = {" != ", LTL_BIND_EQUAL, false},
        [PRISM_OP_LESS] = {" < ", LTL_BIND_RELATION, false},
        [PRISM_OP_LESS_EQUAL] = {" <= ", LTL_BIND_RELATION, false},
        [PRISM_OP_GREATER] = {" > ", LTL_BIND_RELATION, false},
        [PRISM_OP_GREATER_EQUAL] = {" >= ", LTL_BIND_RELATION, false},
        [PRISM_OP_ADD] = {" + ", LTL_BIND_SUM, false},
        [PRISM_OP_SUBTRACT] = {" - ", LTL_BIND_SUM, false},
        [PRISM_OP_MULTIPLY] = {" * ", LTL_BIND_PRODUCT, false},
        [PRISM_OP_DIVIDE] = {" / ", LTL_BIND_PRODUCT, false},
        [PRISM_OP_POWER] = {"pow(", LTL_BIND_POWER, true},
        [PRISM_OP_MOD] = {"mod(", LTL_BIND_POWER, true},
        [PRISM_OP_LOG] = {"log(", LTL_BIND_POWER, true},
        [PRISM_OP_CONDITIONAL] = {" ? ", LTL_BIND_CONDITIONAL, false},
        [PRISM_OP_MIN] = {"min(", LTL_BIND_POWER, true},
        [PRISM_OP_MAX] = {"max(", LTL_BIND_POWER, true},
    };
    return forms[op];
}

static bool is_operand(const prism_node *node)
{
    return node->op <= PRISM_OP_VARIABLE;
}

/* ---- operands ---- */

static bool is_negative(const prism_node *node)
{
    return (node->op == PRISM_OP_INT && node->value.integer < 0) ||
           (node->op == PRISM_OP_REAL && signbit(node->value.real) != 0);
}

/* Writes a real so that it is read as a real: "2.0". */
static void write_real(base_text *text, double value)
{
    char number[OPAC_NUMBER_SIZE];
    if (!isfinite(value)) {
        base_text_add(text, isnan(value) ? "0 / 0" : value > 0 ? "1 / 0" : "-1 / 0");
        return;
    }
    base_text_add(text, opac_number_format(value, number));
    if (strpbrk(number, ".e") == NULL)
        base_text_add(text, ".0");
}

static void write_label(base_text *text, const char *name)
{
    base_text_add(text, "\"");
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            base_text_add(text, "\\");
        base_text_add_char(text, *name);
    }
    base_text_add(text, "\"");
}

static void write_operand(const writer *w, const prism_node *node)
{
    const model_layout *layout = &w->model->layout;
    uint32_t index = node->value.index;
    if (node->op == PRISM_OP_BOOL)
        base_text_add(w->text, node->value.integer != 0 ? "true" : "false");
    else if (node->op == PRISM_OP_INT)
        base_text_format(w->text, "%lld", (long long)node->value.integer);
    else if (node->op == PRISM_OP_REAL)
        write_real(w->text, node->value.real);
    else if (index < layout->count)
        base_text_add(w->text, layout->variables[index].name);
    else
        write_label(w->text, w->model->labels.items[index - layout->count].name);
}

/* ---- operators ---- */

static void push_word(writer *w, const char *word)
{
    w->text->failed |= piece_vec_push(&w->pending, (piece){word, 0}, NULL) != OPAC_OK;
}

static void push_node(writer *w, uint32_t node)
{
    w->text->failed |= piece_vec_push(&w->pending, (piece){NULL, node}, NULL) != OPAC_OK;
}

/* a & b & c needs no parentheses, but a & (b & c) keeps those that it was written with. */
static bool needs_parentheses(const writer *w, uint32_t node, uint32_t child, bool is_left)
{
    const prism_node *outer = &w->nodes[node], *inner = &w->nodes[child];
    if (is_operand(inner))
        return is_negative(inner) || (inner->op == PRISM_OP_REAL && !isfinite(inner->value.real));
    int level = form_of(inner->op).level, around = form_of(outer->op).level;
    if (outer->arity == 1)
        return level < LTL_BIND_POWER;
    bool chains = outer->op == PRISM_OP_AND || outer->op == PRISM_OP_OR ||
                  outer->op == PRISM_OP_ADD || outer->op == PRISM_OP_MULTIPLY;
    return level < around || (level == around && !(is_left && chains && inner->op == outer->op));
}

static void push_operand(writer *w, uint32_t node, uint32_t child, bool is_left)
{
    bool enclosed =
        !form_of(w->nodes[node].op).is_function && needs_parentheses(w, node, child, is_left);
    if (enclosed)
        push_word(w, ")");
    push_node(w, child);
    if (enclosed)
        push_word(w, "(");
}

/* Pushes the operands from the last to the first, since the last piece pushed is written first. */
static void push_operands(writer *w, uint32_t node)
{
    const prism_node *outer = &w->nodes[node];
    operator_form form = form_of(outer->op);
    uint32_t child = node - 1;
    if (form.is_function)
        push_word(w, ")");
    for (uint32_t left = outer->arity; left > 0; left--) {
        push_operand(w, node, child, left == 1);
        child = w->first[child] - 1;
        if (left > 1 && form.is_function)
            push_word(w, ", ");
        else if (left > 1)
            push_word(w, left == 3 ? " : " : form.word);
    }
    if (form.is_function || outer->arity == 1)
        push_word(w, form.word);
}

/* ---- the expression ---- */

static void find_first(writer *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        w->first[i] = i;
        for (uint32_t left = is_operand(&w->nodes[i]) ? 0 : w->nodes[i].arity; left > 0; left--)
            w->first[i] = w->first[w->first[i] - 1];
    }
}

opac_status prism_expression_write(const prism_expression *expression, const opac_model *model,
                                   base_text *text, opac_error *error)
{
    writer w = {.nodes = expression->nodes, .model = model, .text = text};
    w.first = base_alloc(expression->count, sizeof *w.first);
    if (w.first == NULL)
        return base_fail_memory(error);
    find_first(&w, expression->count);
    push_node(&w, expression->count - 1);
    while (w.pending.count > 0 && !text->failed) {
        piece next = w.pending.items[--w.pending.count];
        if (next.word != NULL)
            base_text_add(text, next.word);
        else if (is_operand(&w.nodes[next.node]))
            write_operand(&w, &w.nodes[next.node]);
        else
            push_operands(&w, next.node);
    }
    piece_vec_fini(&w.pending);
    base_free(w.first);
    return base_text_check(text, error);
}
