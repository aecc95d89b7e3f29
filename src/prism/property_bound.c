/* SPDX-License-Identifier: MIT */
#include "prism/property_bound.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "prism/elaborate.h"

BASE_VEC(enclosure_vec, base_enclosure);

/* An expression as written, evaluated from the left. */
typedef struct evaluator {
    const prism_scope *scope;
    const char *text;
    size_t length;
    base_intern names; /* of the expression */
    base_arena arena;
    enclosure_vec stack;
} evaluator;

/* ---- operands ---- */

static base_enclosure of_literal(const prism_node *literal)
{
    if (literal->op == PRISM_OP_INT)
        return base_enclosure_of_integer(literal->value.integer);
    if (literal->op == PRISM_OP_REAL && base_ratio_is_known(literal->exact))
        return base_enclosure_of_ratio(literal->exact);
    return base_enclosure_unknown();
}

/* Bounds have no characters outside of ASCII: a column is a byte. */
static size_t offset_of(const evaluator *e, prism_place place)
{
    size_t at = 0;
    for (uint32_t line = 1; line < place.line && at < e->length; at++)
        line += e->text[at] == '\n';
    return at + place.column - 1;
}

/* A decimal that is no fraction of 64-bit integers is read again. */
static base_enclosure of_decimal(const evaluator *e, const prism_node *node)
{
    size_t begin = offset_of(e, node->place), end = begin;
    while (end < e->length && (isalnum((unsigned char)e->text[end]) || e->text[end] == '.' ||
                               (end > begin && strchr("+-", e->text[end]) != NULL &&
                                strchr("eE", e->text[end - 1]) != NULL)))
        end++;
    if (end == begin || begin >= e->length)
        return base_enclosure_unknown();
    base_enclosure found = base_enclosure_parse(e->text + begin, end - begin);
    bool is_same = found.low <= node->value.real && node->value.real <= found.high;
    return is_same ? found : base_enclosure_unknown();
}

static base_enclosure of_constant(const evaluator *e, uint32_t id)
{
    size_t length;
    const char *name = (const char *)base_intern_key(&e->names, id, &length);
    const prism_symbol *symbol = prism_scope_find(e->scope, name, length);
    if (symbol->kind != PRISM_SYMBOL_CONSTANT || !symbol->has_value || symbol->value.count != 1)
        return base_enclosure_unknown();
    return of_literal(&symbol->value.nodes[0]);
}

/* ---- operators ---- */

static base_enclosure power(base_enclosure base, base_enclosure exponent)
{
    double value = exponent.low;
    if (exponent.low != exponent.high || value != trunc(value) || fabs(value) > 0x1p53)
        return base_enclosure_unknown();
    return base_enclosure_power(base, (int64_t)value);
}

static bool is_power(const evaluator *e, const prism_node *node)
{
    size_t length;
    if (node->op == PRISM_OP_POWER)
        return true;
    if (node->op != PRISM_OP_CALL || node->arity != 2)
        return false;
    const char *name = (const char *)base_intern_key(&e->names, node->value.name, &length);
    return length == 3 && memcmp(name, "pow", 3) == 0;
}

static base_enclosure apply(const evaluator *e, const prism_node *node, const base_enclosure *a)
{
    if (is_power(e, node))
        return power(a[0], a[1]);
    switch ((prism_op)node->op) {
    case PRISM_OP_NEGATE:
        return base_enclosure_negate(a[0]);
    case PRISM_OP_ADD:
        return base_enclosure_add(a[0], a[1]);
    case PRISM_OP_SUBTRACT:
        return base_enclosure_add(a[0], base_enclosure_negate(a[1]));
    case PRISM_OP_MULTIPLY:
        return base_enclosure_multiply(a[0], a[1]);
    case PRISM_OP_DIVIDE:
        return base_enclosure_divide(a[0], a[1]);
    default:
        return base_enclosure_unknown();
    }
}

static base_enclosure evaluate(const evaluator *e, const prism_node *node)
{
    base_enclosure known = of_literal(node);
    if (node->op == PRISM_OP_REAL && !base_enclosure_is_known(known))
        return of_decimal(e, node);
    if (node->op == PRISM_OP_NAME)
        return of_constant(e, node->value.name);
    if (node->arity == 0)
        return known;
    return apply(e, node, e->stack.items + e->stack.count - node->arity);
}

static opac_status run(evaluator *e, base_enclosure *result, opac_error *error)
{
    prism_expression parsed;
    opac_status status = prism_parse_expression(e->text, e->length, (prism_place){1, 1}, &e->arena,
                                                &e->names, &parsed, error);
    for (uint32_t i = 0; status == OPAC_OK && i < parsed.count; i++) {
        base_enclosure value = evaluate(e, &parsed.nodes[i]);
        e->stack.count -= parsed.nodes[i].arity;
        status = enclosure_vec_push(&e->stack, value, error);
    }
    if (status == OPAC_OK)
        *result = e->stack.items[0];
    return status;
}

/* ---- all of it ---- */

static opac_status read_ratio(const prism_scope *scope, const char *text, size_t length,
                              base_ratio *ratio, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    *ratio = (base_ratio){0};
    opac_status status = prism_scope_expression(scope, text, length, (prism_place){1, 1},
                                                PRISM_TYPE_REAL, &arena, &expression, error);
    if (status == OPAC_OK && expression.count == 1 && expression.nodes[0].op == PRISM_OP_INT)
        *ratio = base_ratio_of_integer(expression.nodes[0].value.integer);
    else if (status == OPAC_OK && expression.count == 1 && expression.nodes[0].op == PRISM_OP_REAL)
        *ratio = expression.nodes[0].exact;
    base_arena_fini(&arena);
    return status;
}

opac_status prism_bound_read(const prism_scope *scope, const char *text, size_t length,
                             double value, prism_bound *bound, opac_error *error)
{
    evaluator e = {.scope = scope, .text = text, .length = length};
    *bound = (prism_bound){.enclosure = base_enclosure_of_double(value)};
    opac_status status = read_ratio(scope, text, length, &bound->ratio, error);
    if (status != OPAC_OK || base_ratio_is_known(bound->ratio))
        return status;
    base_intern_init(&e.names);
    status = run(&e, &bound->enclosure, error);
    if (status == OPAC_OK && !base_enclosure_is_known(bound->enclosure)) {
        double margin = PRISM_BOUND_MARGIN * fmax(1, fabs(value));
        bound->enclosure = (base_enclosure){value - margin, value + margin};
        bound->has_margin = true;
    }
    enclosure_vec_fini(&e.stack);
    base_arena_fini(&e.arena);
    base_intern_fini(&e.names);
    return status;
}
