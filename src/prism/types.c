/* SPDX-License-Identifier: MIT */
/*
 * The second pass: type checking. A node with a type error gets the type UNKNOWN, or the type that its
 * operator always has. Enclosing nodes accept UNKNOWN, so that each error is reported once.
 *
 *     & | => <=> !            Booleans give a Boolean
 *     < <= > >=               numbers give a Boolean
 *     = !=                    two Booleans, or two numbers
 *     + - *  pow ^ min max    numbers: an int if all are, else a real
 *     /  log                  numbers give a real
 *     mod                     ints give an int
 *     floor ceil round        a number gives an int
 *     c ? a : b               Boolean c; a and b both Booleans or both numbers
 */
#include <assert.h>

#include "prism/expression_analysis.h"

typedef struct checker {
    prism_analyser *analyser;
    uint32_t at;          /* the current node */
    uint32_t operands[3]; /* roots of its first three operands */
    bool is_correct;
} checker;

const char *prism_type_name(prism_type type)
{
    switch (type) {
    case PRISM_TYPE_BOOL:
        return "a Boolean";
    case PRISM_TYPE_INT:
        return "an int";
    case PRISM_TYPE_REAL:
        return "a real";
    case PRISM_TYPE_UNKNOWN:
        break;
    }
    return "a value";
}

const char *prism_op_name(prism_op op)
{
    static const char *const names[] = {
        [PRISM_OP_NOT] = "'!'",
        [PRISM_OP_NEGATE] = "'-'",
        [PRISM_OP_FLOOR] = "floor",
        [PRISM_OP_CEIL] = "ceil",
        [PRISM_OP_ROUND] = "round",
        [PRISM_OP_AND] = "'&'",
        [PRISM_OP_OR] = "'|'",
        [PRISM_OP_IMPLIES] = "'=>'",
        [PRISM_OP_IFF] = "'<=>'",
        [PRISM_OP_EQUAL] = "'='",
        [PRISM_OP_UNEQUAL] = "'!='",
        [PRISM_OP_LESS] = "'<'",
        [PRISM_OP_LESS_EQUAL] = "'<='",
        [PRISM_OP_GREATER] = "'>'",
        [PRISM_OP_GREATER_EQUAL] = "'>='",
        [PRISM_OP_ADD] = "'+'",
        [PRISM_OP_SUBTRACT] = "'-'",
        [PRISM_OP_MULTIPLY] = "'*'",
        [PRISM_OP_DIVIDE] = "'/'",
        [PRISM_OP_POWER] = "pow",
        [PRISM_OP_MOD] = "mod",
        [PRISM_OP_LOG] = "log",
        [PRISM_OP_CONDITIONAL] = "'?'",
        [PRISM_OP_MIN] = "min",
        [PRISM_OP_MAX] = "max",
    };
    bool is_known = (size_t)op < sizeof names / sizeof names[0] && names[op] != NULL;
    return is_known ? names[op] : "the operator";
}

static prism_node *node_at(const checker *check, uint32_t index)
{
    return &check->analyser->nodes.items[index];
}

static prism_type type_at(const checker *check, uint32_t index)
{
    return (prism_type)node_at(check, index)->type;
}

/* ---- operands ---- */

static bool fits(prism_type type, prism_type required)
{
    return type == required || type == PRISM_TYPE_UNKNOWN || required == PRISM_TYPE_UNKNOWN ||
           (required == PRISM_TYPE_REAL && type == PRISM_TYPE_INT);
}

/* For a real that should be an int: how to convert it. */
static const char *advice(const prism_node *root, prism_type required)
{
    if (required != PRISM_TYPE_INT || root->type != PRISM_TYPE_REAL)
        return "";
    return root->op == PRISM_OP_DIVIDE
               ? "; '/' is real division, write floor(a/b) for integer division"
               : "; floor, ceil and round give ints";
}

static void require(checker *check, uint32_t operand, prism_type required)
{
    const prism_node *node = node_at(check, check->at), *root = node_at(check, operand);
    if (fits((prism_type)root->type, required))
        return;
    const char *nouns = required == PRISM_TYPE_BOOL  ? "Booleans"
                        : required == PRISM_TYPE_INT ? "ints"
                                                     : "numbers";
    check->is_correct = false;
    prism_report_error(check->analyser, OPAC_ERROR_SYNTAX, node->place,
                       "%s takes %s, but an operand is %s%s", prism_op_name((prism_op)node->op),
                       nouns, prism_type_name((prism_type)root->type), advice(root, required));
}

static prism_type require_both(checker *check, prism_type required, prism_type result)
{
    require(check, check->operands[0], required);
    require(check, check->operands[1], required);
    return result;
}

/* The common type of two operands: UNKNOWN if one of them is not a number. */
static prism_type join(prism_type a, prism_type b)
{
    if (a == PRISM_TYPE_INT && b == PRISM_TYPE_INT)
        return PRISM_TYPE_INT;
    bool are_numbers = a >= PRISM_TYPE_INT && b >= PRISM_TYPE_INT;
    return are_numbers ? PRISM_TYPE_REAL : PRISM_TYPE_UNKNOWN;
}

static prism_type require_numbers(checker *check)
{
    require_both(check, PRISM_TYPE_REAL, PRISM_TYPE_REAL);
    return join(type_at(check, check->operands[0]), type_at(check, check->operands[1]));
}

/* Requires two numbers or two Booleans, for = and ?:. */
static void require_same_kind(checker *check, uint32_t left, uint32_t right, const char *what)
{
    prism_type a = type_at(check, left), b = type_at(check, right);
    if (a == PRISM_TYPE_UNKNOWN || b == PRISM_TYPE_UNKNOWN)
        return;
    if ((a == PRISM_TYPE_BOOL) == (b == PRISM_TYPE_BOOL))
        return;
    const prism_node *node = node_at(check, check->at);
    check->is_correct = false;
    prism_report_error(check->analyser, OPAC_ERROR_SYNTAX, node->place, "%s %s %s and %s",
                       prism_op_name((prism_op)node->op), what, prism_type_name(a),
                       prism_type_name(b));
}

static prism_type conditional(checker *check)
{
    prism_type a = type_at(check, check->operands[1]), b = type_at(check, check->operands[2]);
    require(check, check->operands[0], PRISM_TYPE_BOOL);
    require_same_kind(check, check->operands[1], check->operands[2], "chooses between");
    return a == PRISM_TYPE_BOOL && b == PRISM_TYPE_BOOL ? PRISM_TYPE_BOOL : join(a, b);
}

/* Checks the operands of min and max, from the last to the first. */
static prism_type extremum(checker *check)
{
    const prism_span *spans = check->analyser->spans.items;
    uint32_t root = check->at - 1;
    prism_type type = PRISM_TYPE_INT;
    for (uint32_t i = node_at(check, check->at)->arity; i > 0; i--) {
        require(check, root, PRISM_TYPE_REAL);
        type = join(type, type_at(check, root));
        root = spans[root].start - 1;
    }
    return type;
}

/* ---- nodes ---- */

static prism_type type_of_operator(checker *check)
{
    switch ((prism_op)node_at(check, check->at)->op) {
    case PRISM_OP_NOT:
        require(check, check->operands[0], PRISM_TYPE_BOOL);
        return PRISM_TYPE_BOOL;
    case PRISM_OP_NEGATE:
        require(check, check->operands[0], PRISM_TYPE_REAL);
        return join(PRISM_TYPE_INT, type_at(check, check->operands[0]));
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        require(check, check->operands[0], PRISM_TYPE_REAL);
        return PRISM_TYPE_INT;
    case PRISM_OP_AND:
    case PRISM_OP_OR:
    case PRISM_OP_IMPLIES:
    case PRISM_OP_IFF:
        return require_both(check, PRISM_TYPE_BOOL, PRISM_TYPE_BOOL);
    case PRISM_OP_EQUAL:
    case PRISM_OP_UNEQUAL:
        require_same_kind(check, check->operands[0], check->operands[1], "cannot compare");
        return PRISM_TYPE_BOOL;
    case PRISM_OP_LESS:
    case PRISM_OP_LESS_EQUAL:
    case PRISM_OP_GREATER:
    case PRISM_OP_GREATER_EQUAL:
        return require_both(check, PRISM_TYPE_REAL, PRISM_TYPE_BOOL);
    case PRISM_OP_ADD:
    case PRISM_OP_SUBTRACT:
    case PRISM_OP_MULTIPLY:
    case PRISM_OP_POWER:
        return require_numbers(check);
    case PRISM_OP_DIVIDE:
    case PRISM_OP_LOG:
        return require_both(check, PRISM_TYPE_REAL, PRISM_TYPE_REAL);
    case PRISM_OP_MOD:
        return require_both(check, PRISM_TYPE_INT, PRISM_TYPE_INT);
    case PRISM_OP_CONDITIONAL:
        return conditional(check);
    case PRISM_OP_MIN:
    case PRISM_OP_MAX:
        return extremum(check);
    default:
        return PRISM_TYPE_UNKNOWN;
    }
}

/* Finds the first node of the subexpression, and the roots of its operands. */
static void find_operands(checker *check)
{
    const prism_span *spans = check->analyser->spans.items;
    uint32_t arity = node_at(check, check->at)->arity, start = check->at;
    for (uint32_t i = arity; i > 0; i--) {
        if (i <= 3)
            check->operands[i - 1] = start - 1;
        start = spans[start - 1].start;
    }
    check->analyser->spans.items[check->at] = (prism_span){.start = start, .fault = UINT32_MAX};
}

static prism_type type_of(checker *check)
{
    const prism_node *node = node_at(check, check->at);
    switch ((prism_op)node->op) {
    case PRISM_OP_BOOL:
        return PRISM_TYPE_BOOL;
    case PRISM_OP_INT:
        return PRISM_TYPE_INT;
    case PRISM_OP_REAL:
        return PRISM_TYPE_REAL;
    case PRISM_OP_NAME:
    case PRISM_OP_VARIABLE:
        return (prism_type)node->type;
    default:
        return type_of_operator(check);
    }
}

opac_status prism_check_types(prism_analyser *analyser, const prism_requirements *required,
                              bool *is_correct, opac_error *error)
{
    uint32_t count = (uint32_t)analyser->nodes.count;
    checker check = {.analyser = analyser, .is_correct = true};
    TRY(prism_span_vec_reserve(&analyser->spans, count, error));
    analyser->spans.count = count;
    for (check.at = 0; check.at < count; check.at++) {
        find_operands(&check);
        analyser->nodes.items[check.at].type = (uint8_t)type_of(&check);
    }
    assert(count > 0);
    const prism_node *root = &analyser->nodes.items[count - 1];
    if (!fits((prism_type)root->type, required->type)) {
        check.is_correct = false;
        prism_report_error(analyser, OPAC_ERROR_SYNTAX, analyser->place,
                           "expected %s %s, found %s%s", prism_type_name(required->type),
                           required->noun, prism_type_name((prism_type)root->type),
                           advice(root, required->type));
    }
    *is_correct = check.is_correct;
    return OPAC_OK;
}
