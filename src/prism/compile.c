/* SPDX-License-Identifier: MIT */
/*
 * Expressions to code (code_form.h). A list of things left to do stands in for
 * recursion, so that nesting costs memory in proportion and nothing else:
 *
 *     VALUE node       code that pushes its value
 *     TEST node        code that jumps to a label when it is `sense`, and else falls through
 *     EMIT             an instruction, when its operands are there
 *     LABEL            here is where the label points
 *
 * Linear in the expression.
 */
#include "base/alloc.h"
#include "prism/code_form.h"
#include "prism/conjuncts.h"
#include "prism/elaborate.h"

typedef enum task_kind {
    TASK_VALUE,
    TASK_TEST,
    TASK_EMIT,
    TASK_LABEL
} task_kind;

typedef struct task {
    uint8_t kind;
    bool as_real;                  /* VALUE: an int is converted */
    uint32_t node;                 /* EMIT: whose place it has */
    uint32_t depth;                /* of the stack before it */
    prism_instruction instruction; /* EMIT; of TEST: target is the label, sense the sense */
} task;

BASE_VEC(task_vec, task);

typedef struct compiler {
    prism_code *code;
    const prism_node *nodes;
    uint32_t *begin;       /* of a node: the first node of its expression */
    task_vec tasks;        /* the last is done next */
    task_vec children;     /* of the task at work, in order */
    base_u32_vec labels;   /* where they point */
    base_u32_vec operands; /* of the node at work, but the first; from the right */
    uint32_t depth;        /* deepest so far */
    uint32_t node;         /* at work, for places */
    opac_status status;    /* the first failure */
    opac_error *error;
} compiler;

static void note(compiler *c, opac_status status)
{
    if (c->status == OPAC_OK)
        c->status = status;
}

/* ---- doing ---- */

static void emit(compiler *c, uint32_t node, prism_instruction instruction)
{
    note(c, prism_instruction_vec_push(&c->code->instructions, instruction, c->error));
    if (c->status == OPAC_OK)
        note(c, prism_place_vec_push(&c->code->places, c->nodes[node].place, c->error));
}

static uint32_t new_label(compiler *c)
{
    note(c, base_u32_vec_push(&c->labels, 0, c->error));
    return (uint32_t)c->labels.count - 1;
}

/* ---- what is to be done for a node, in order ---- */

static void then(compiler *c, task t)
{
    note(c, task_vec_push(&c->children, t, c->error));
}

static void then_value(compiler *c, uint32_t node, uint32_t depth, bool as_real)
{
    then(c, (task){.kind = TASK_VALUE, .node = node, .depth = depth, .as_real = as_real});
}

static void then_test(compiler *c, uint32_t node, uint32_t depth, uint32_t label, bool sense)
{
    then(c, (task){.kind = TASK_TEST,
                   .node = node,
                   .depth = depth,
                   .instruction = {.target = label, .sense = sense}});
}

static void then_emit(compiler *c, prism_instruction instruction)
{
    then(c, (task){.kind = TASK_EMIT, .node = c->node, .instruction = instruction});
}

static void then_jump(compiler *c, uint32_t label)
{
    then_emit(c, (prism_instruction){.op = CODE_JUMP, .target = label});
}

static void then_label(compiler *c, uint32_t label)
{
    then(c, (task){.kind = TASK_LABEL, .instruction = {.target = label}});
}

/* The roots of a node's last two operands, or of its only one. */
static uint32_t right_of(uint32_t node)
{
    return node - 1;
}

static uint32_t left_of(const compiler *c, uint32_t node)
{
    return c->begin[node - 1] - 1;
}

/* The root of the operand before the one whose root is given. */
static uint32_t before(const compiler *c, uint32_t node)
{
    return c->begin[node] - 1;
}

static bool is_real(const compiler *c, uint32_t node)
{
    return c->nodes[node].type == PRISM_TYPE_REAL;
}

static bool is_whole_literal(const compiler *c, uint32_t node)
{
    return c->nodes[node].op == PRISM_OP_INT || c->nodes[node].op == PRISM_OP_BOOL;
}

static bool is_variable(const compiler *c, uint32_t node)
{
    return c->nodes[node].op == PRISM_OP_VARIABLE;
}

/* ---- tests ---- */

/* Numbers of comparisons within a family, as in CODE_COMPARISONS. */
static unsigned opposite(unsigned comparison)
{
    static const uint8_t table[] = {1, 0, 5, 4, 3, 2};
    return table[comparison];
}

/* The one that is true of b and a when this is true of a and b. */
static unsigned mirrored(unsigned comparison)
{
    static const uint8_t table[] = {0, 1, 4, 5, 2, 3};
    return table[comparison];
}

static void test_reals(compiler *c, const task *t, unsigned comparison)
{
    uint32_t a = left_of(c, t->node), b = right_of(t->node);
    then_value(c, a, t->depth, true);
    then_value(c, b, t->depth + 1, true);
    then_emit(c, (prism_instruction){.op = (uint16_t)(CODE_IF_REALS_EQUAL + comparison),
                                     .sense = t->instruction.sense,
                                     .target = t->instruction.target});
}

/* Of ints or of bools: the jump is on the comparison itself, or on its opposite. */
static void test_ints(compiler *c, const task *t, unsigned comparison)
{
    uint32_t a = left_of(c, t->node), b = right_of(t->node);
    prism_instruction jump = {.target = t->instruction.target};
    if (is_whole_literal(c, a) && !is_whole_literal(c, b)) {
        uint32_t swap = a;
        a = b;
        b = swap;
        comparison = mirrored(comparison);
    }
    if (!t->instruction.sense)
        comparison = opposite(comparison);
    jump.value.integer = c->nodes[b].value.integer;
    if (is_variable(c, a) && is_whole_literal(c, b)) {
        jump.op = (uint16_t)(CODE_IF_VARIABLE_CONSTANT_EQUAL + comparison);
        jump.variable = c->nodes[a].value.index;
    } else if (is_variable(c, a) && is_variable(c, b)) {
        jump.op = (uint16_t)(CODE_IF_VARIABLES_EQUAL + comparison);
        jump.variable = c->nodes[a].value.index;
        jump.other = c->nodes[b].value.index;
    } else if (is_whole_literal(c, b)) {
        then_value(c, a, t->depth, false);
        jump.op = (uint16_t)(CODE_IF_TOP_CONSTANT_EQUAL + comparison);
    } else {
        then_value(c, a, t->depth, false);
        then_value(c, b, t->depth + 1, false);
        jump.op = (uint16_t)(CODE_IF_TOPS_EQUAL + comparison);
    }
    then_emit(c, jump);
}

static void test_comparison(compiler *c, const task *t, unsigned comparison)
{
    if (is_real(c, left_of(c, t->node)) || is_real(c, right_of(t->node)))
        test_reals(c, t, comparison);
    else
        test_ints(c, t, comparison);
}

/* a & b, a | b, a => b: one value of a decides; for the other, the whole is b. */
static void test_junction(compiler *c, const task *t)
{
    uint32_t a = left_of(c, t->node), b = right_of(t->node);
    unsigned op = c->nodes[t->node].op;
    uint32_t label = t->instruction.target;
    bool sense = t->instruction.sense;
    bool whole = op != PRISM_OP_AND;  /* what the junction is once a decides */
    bool decides = op == PRISM_OP_OR; /* the value of a that does */
    if (sense == whole) {
        then_test(c, a, t->depth, label, decides);
        then_test(c, b, t->depth, label, sense);
        return;
    }
    uint32_t end = new_label(c);
    then_test(c, a, t->depth, end, decides);
    then_test(c, b, t->depth, label, sense);
    then_label(c, end);
}

static void test_conditional(compiler *c, const task *t)
{
    uint32_t no = right_of(t->node), yes = before(c, no), condition = before(c, yes);
    uint32_t otherwise = new_label(c), end = new_label(c);
    then_test(c, condition, t->depth, otherwise, false);
    then_test(c, yes, t->depth, t->instruction.target, t->instruction.sense);
    then_jump(c, end);
    then_label(c, otherwise);
    then_test(c, no, t->depth, t->instruction.target, t->instruction.sense);
    then_label(c, end);
}

static void do_test(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    uint32_t label = t->instruction.target;
    bool sense = t->instruction.sense;
    switch (node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
        if ((node->value.integer != 0) == sense)
            then_jump(c, label);
        break;
    case PRISM_OP_VARIABLE:
        then_emit(c, (prism_instruction){.op = sense ? CODE_IF_VARIABLE_CONSTANT_UNEQUAL
                                                     : CODE_IF_VARIABLE_CONSTANT_EQUAL,
                                         .variable = node->value.index,
                                         .target = label});
        break;
    case PRISM_OP_NOT:
        then_test(c, right_of(t->node), t->depth, label, !sense);
        break;
    case PRISM_OP_AND:
    case PRISM_OP_OR:
    case PRISM_OP_IMPLIES:
        test_junction(c, t);
        break;
    case PRISM_OP_IFF:
        test_ints(c, t, 0);
        break;
    case PRISM_OP_CONDITIONAL:
        test_conditional(c, t);
        break;
    default: /* the types leave nothing else */
        if (node->op >= PRISM_OP_EQUAL && node->op <= PRISM_OP_GREATER_EQUAL)
            test_comparison(c, t, (unsigned)node->op - PRISM_OP_EQUAL);
        break;
    }
}

/* ---- values ---- */

static void value_of_test(compiler *c, const task *t)
{
    uint32_t no = new_label(c), end = new_label(c);
    then_test(c, t->node, t->depth, no, false);
    then_emit(c, (prism_instruction){.op = CODE_PUSH_INT, .value.integer = 1});
    then_jump(c, end);
    then_label(c, no);
    then_emit(c, (prism_instruction){.op = CODE_PUSH_INT, .value.integer = 0});
    then_label(c, end);
}

static void value_of_conditional(compiler *c, const task *t)
{
    uint32_t no = right_of(t->node), yes = before(c, no), condition = before(c, yes);
    uint32_t otherwise = new_label(c), end = new_label(c);
    bool real = is_real(c, t->node);
    then_test(c, condition, t->depth, otherwise, false);
    then_value(c, yes, t->depth, real);
    then_jump(c, end);
    then_label(c, otherwise);
    then_value(c, no, t->depth, real);
    then_label(c, end);
}

/* The instruction for two ints or two reals. */
static unsigned instruction_for(unsigned op, bool real)
{
    switch (op) {
    case PRISM_OP_ADD:
        return real ? CODE_ADD_REAL : CODE_ADD;
    case PRISM_OP_SUBTRACT:
        return real ? CODE_SUBTRACT_REAL : CODE_SUBTRACT;
    case PRISM_OP_MULTIPLY:
        return real ? CODE_MULTIPLY_REAL : CODE_MULTIPLY;
    case PRISM_OP_POWER:
        return real ? CODE_POWER_REAL : CODE_POWER;
    case PRISM_OP_MIN:
        return real ? CODE_MIN_REAL : CODE_MIN;
    case PRISM_OP_MAX:
        return real ? CODE_MAX_REAL : CODE_MAX;
    case PRISM_OP_DIVIDE:
        return CODE_DIVIDE_REAL;
    case PRISM_OP_LOG:
        return CODE_LOG_REAL;
    default:
        return CODE_MOD;
    }
}

/* An operand and the operator that joins it to what is on the stack; with a literal, in one. */
static void join_operand(compiler *c, const task *t, uint32_t operand, bool real)
{
    prism_instruction join = {.op = (uint16_t)instruction_for(c->nodes[t->node].op, real)};
    int64_t literal = c->nodes[operand].value.integer;
    if (!real && is_whole_literal(c, operand)) {
        join.value.integer = literal;
        switch (join.op) {
        case CODE_SUBTRACT:
            if (literal == INT64_MIN)
                break;
            join.value.integer = -literal;
            /* fall through */
        case CODE_ADD:
            join.op = CODE_ADD_CONSTANT;
            then_emit(c, join);
            return;
        case CODE_MIN:
            join.op = CODE_MIN_CONSTANT;
            then_emit(c, join);
            return;
        case CODE_MAX:
            join.op = CODE_MAX_CONSTANT;
            then_emit(c, join);
            return;
        default:
            break;
        }
    }
    then_value(c, operand, t->depth + 1, real);
    then_emit(c, join);
}

/* Two operands, or the many of min and max, from left to right; their roots are found from the right. */
static void value_of_operands(compiler *c, const task *t)
{
    bool real = is_real(c, t->node);
    uint32_t operand = right_of(t->node);
    c->operands.count = 0;
    for (uint32_t i = 1; i < c->nodes[t->node].arity; i++, operand = before(c, operand))
        note(c, base_u32_vec_push(&c->operands, operand, c->error));
    then_value(c, operand, t->depth, real);
    while (c->operands.count > 0 && c->status == OPAC_OK)
        join_operand(c, t, c->operands.items[--c->operands.count], real);
}

static void value_of_rounding(compiler *c, const task *t)
{
    uint32_t operand = right_of(t->node);
    unsigned op = CODE_FLOOR + ((unsigned)c->nodes[t->node].op - PRISM_OP_FLOOR);
    then_value(c, operand, t->depth, false);
    if (is_real(c, operand)) /* of an int it is the int */
        then_emit(c, (prism_instruction){.op = (uint16_t)op});
}

static void value_of_literal(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    prism_instruction push = {.op = CODE_PUSH_INT, .value.integer = node->value.integer};
    if (node->op == PRISM_OP_REAL || t->as_real) {
        prism_node literal = prism_literal_real(node);
        push.op = CODE_PUSH_REAL;
        push.other = (uint32_t)c->code->literals.count;
        push.value.real = literal.value.real;
        note(c, prism_node_vec_push(&c->code->literals, literal, c->error));
    }
    then_emit(c, push);
}

static void do_value(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    if (t->depth + 1 > c->depth)
        c->depth = t->depth + 1;
    switch (node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
    case PRISM_OP_REAL:
        value_of_literal(c, t);
        return; /* converted already */
    case PRISM_OP_VARIABLE:
        then_emit(c, (prism_instruction){.op = CODE_PUSH_VARIABLE, .variable = node->value.index});
        break;
    case PRISM_OP_NEGATE:
        then_value(c, right_of(t->node), t->depth, is_real(c, t->node));
        then_emit(c,
                  (prism_instruction){.op = is_real(c, t->node) ? CODE_NEGATE_REAL : CODE_NEGATE});
        break;
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        value_of_rounding(c, t);
        break;
    case PRISM_OP_CONDITIONAL:
        value_of_conditional(c, t);
        break;
    default:
        if (node->type == PRISM_TYPE_BOOL)
            value_of_test(c, t);
        else
            value_of_operands(c, t);
        break;
    }
    if (t->as_real && node->type != PRISM_TYPE_REAL)
        then_emit(c, (prism_instruction){.op = CODE_TO_REAL});
}

/* ---- all of it ---- */

static void do_task(compiler *c, const task *t)
{
    c->node = t->node;
    c->children.count = 0;
    switch (t->kind) {
    case TASK_VALUE:
        do_value(c, t);
        break;
    case TASK_TEST:
        do_test(c, t);
        break;
    case TASK_EMIT:
        emit(c, t->node, t->instruction);
        break;
    default:
        c->labels.items[t->instruction.target] = (uint32_t)c->code->instructions.count;
        break;
    }
    while (c->children.count > 0 && c->status == OPAC_OK)
        note(c, task_vec_push(&c->tasks, c->children.items[--c->children.count], c->error));
}

/* A test of one expression, or its value; labels stay until the end. */
static void compile_one(compiler *c, const prism_expression *expression, bool test, uint32_t label)
{
    c->nodes = expression->nodes;
    c->begin = base_alloc(expression->count, sizeof *c->begin);
    if (c->begin == NULL)
        note(c, base_fail_memory(c->error));
    if (c->status == OPAC_OK) {
        prism_find_begins(expression, c->begin);
        task root = {.kind = test ? TASK_TEST : TASK_VALUE,
                     .node = expression->count - 1,
                     .instruction = {.target = label}};
        note(c, task_vec_push(&c->tasks, root, c->error));
    }
    while (c->tasks.count > 0 && c->status == OPAC_OK) {
        task next = c->tasks.items[--c->tasks.count];
        do_task(c, &next);
    }
    base_free(c->begin);
    c->begin = NULL;
}

static bool is_jump(const prism_instruction *instruction)
{
    return instruction->op >= CODE_JUMP && instruction->op <= CODE_IF_REALS_GREATER_EQUAL;
}

static void resolve_labels(compiler *c, size_t begin)
{
    for (size_t i = begin; i < c->code->instructions.count; i++)
        if (is_jump(&c->code->instructions.items[i]))
            c->code->instructions.items[i].target =
                c->labels.items[c->code->instructions.items[i].target];
}

static void emit_return(compiler *c, unsigned op, int64_t value)
{
    prism_instruction end = {.op = (uint16_t)op, .value.integer = value};
    note(c, prism_instruction_vec_push(&c->code->instructions, end, c->error));
    if (c->status == OPAC_OK)
        note(c, prism_place_vec_push(&c->code->places, (prism_place){0}, c->error));
}

opac_status prism_compile(prism_code *code, const prism_expression *expressions, uint32_t count,
                          uint32_t *depth, opac_error *error)
{
    compiler c = {.code = code, .error = error};
    size_t begin = code->instructions.count;
    if (count == 1 && prism_root(expressions)->type != PRISM_TYPE_BOOL) {
        compile_one(&c, expressions, false, 0);
        emit_return(&c, CODE_RETURN, 0);
    } else {
        uint32_t no = new_label(&c);
        for (uint32_t i = 0; i < count && c.status == OPAC_OK; i++)
            compile_one(&c, &expressions[i], true, no);
        emit_return(&c, CODE_RETURN_VALUE, 1);
        if (c.status == OPAC_OK)
            c.labels.items[no] = (uint32_t)code->instructions.count;
        emit_return(&c, CODE_RETURN_VALUE, 0);
    }
    if (c.status == OPAC_OK && code->instructions.count > UINT32_MAX)
        note(&c, base_fail(error, OPAC_ERROR_LIMIT, "the expressions are too long"));
    if (c.status == OPAC_OK)
        resolve_labels(&c, begin);
    *depth = c.depth > *depth ? c.depth : *depth;
    task_vec_fini(&c.tasks);
    task_vec_fini(&c.children);
    base_u32_vec_fini(&c.labels);
    base_u32_vec_fini(&c.operands);
    return c.status;
}
