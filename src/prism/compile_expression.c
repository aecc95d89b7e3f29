/* SPDX-License-Identifier: MIT */
/*
 * Compiles expressions to code (instructions.h). A stack of tasks replaces recursion, so that the nesting
 * depth is limited only by memory:
 *
 *     VALUE node       emit code that pushes the value of the node
 *     TEST node        emit code that jumps to a label if the value is `sense`, and otherwise falls through
 *     EMIT             emit an instruction, after the code of its operands
 *     LABEL            let the label point to the next instruction
 *
 * Linear in the length of the expression.
 */
#include "base/alloc.h"
#include "prism/conjuncts.h"
#include "prism/expression_analysis.h"
#include "prism/instructions.h"

typedef enum task_kind {
    TASK_VALUE,
    TASK_TEST,
    TASK_EMIT,
    TASK_LABEL
} task_kind;

typedef struct task {
    uint8_t kind;
    bool as_real;                  /* VALUE: convert an int to a real */
    uint32_t node;                 /* EMIT: the node whose place the instruction has */
    uint32_t depth;                /* of the stack before the code of the task */
    prism_instruction instruction; /* of EMIT; for TEST: target is the label, sense is `sense` */
} task;

BASE_VEC(task_vec, task);

typedef struct compiler {
    prism_code *code;
    const prism_node *nodes;
    uint32_t *begin;     /* for each node: the first node of its subexpression */
    task_vec tasks;      /* stack */
    task_vec children;   /* subtasks of the current task, in order */
    base_u32_vec labels; /* the instructions that they point to */
    /* Scratch: operands of the current node except the first, from the right. */
    base_u32_vec operands;
    uint32_t depth;     /* maximal depth of the stack so far */
    uint32_t node;      /* of the current task, for places */
    opac_status status; /* the first failure */
    opac_error *error;
} compiler;

static void record(compiler *c, opac_status status)
{
    if (c->status == OPAC_OK)
        c->status = status;
}

/* ---- emitting ---- */

static void emit(compiler *c, uint32_t node, prism_instruction instruction)
{
    record(c, prism_instruction_vec_push(&c->code->instructions, instruction, c->error));
    if (c->status == OPAC_OK)
        record(c, prism_place_vec_push(&c->code->places, c->nodes[node].place, c->error));
}

static uint32_t new_label(compiler *c)
{
    record(c, base_u32_vec_push(&c->labels, 0, c->error));
    return (uint32_t)c->labels.count - 1;
}

/* ---- scheduling the subtasks of a task, in order ---- */

static void schedule(compiler *c, task t)
{
    record(c, task_vec_push(&c->children, t, c->error));
}

static void schedule_value(compiler *c, uint32_t node, uint32_t depth, bool as_real)
{
    schedule(c, (task){.kind = TASK_VALUE, .node = node, .depth = depth, .as_real = as_real});
}

static void schedule_test(compiler *c, uint32_t node, uint32_t depth, uint32_t label, bool sense)
{
    schedule(c, (task){.kind = TASK_TEST,
                       .node = node,
                       .depth = depth,
                       .instruction = {.target = label, .sense = sense}});
}

static void schedule_emit(compiler *c, prism_instruction instruction)
{
    schedule(c, (task){.kind = TASK_EMIT, .node = c->node, .instruction = instruction});
}

static void schedule_jump(compiler *c, uint32_t label)
{
    schedule_emit(c, (prism_instruction){.op = CODE_JUMP, .target = label});
}

static void schedule_label(compiler *c, uint32_t label)
{
    schedule(c, (task){.kind = TASK_LABEL, .instruction = {.target = label}});
}

/* The root of the last or only operand, and of the one before the last operand. */
static uint32_t last_operand(uint32_t node)
{
    return node - 1;
}

static uint32_t second_last_operand(const compiler *c, uint32_t node)
{
    return c->begin[node - 1] - 1;
}

/* The root of the operand before the one whose root is given. */
static uint32_t previous_operand(const compiler *c, uint32_t node)
{
    return c->begin[node] - 1;
}

static bool is_real(const compiler *c, uint32_t node)
{
    return c->nodes[node].type == PRISM_TYPE_REAL;
}

static bool is_int_literal(const compiler *c, uint32_t node)
{
    return c->nodes[node].op == PRISM_OP_INT || c->nodes[node].op == PRISM_OP_BOOL;
}

static bool is_variable(const compiler *c, uint32_t node)
{
    return c->nodes[node].op == PRISM_OP_VARIABLE;
}

/* ---- tests ---- */

/* Comparisons are numbered as in CODE_COMPARISONS. */
static unsigned opposite(unsigned comparison)
{
    static const uint8_t table[] = {1, 0, 5, 4, 3, 2};
    return table[comparison];
}

/* The comparison that is true for (b, a) if and only if the given one is true for (a, b). */
static unsigned mirrored(unsigned comparison)
{
    static const uint8_t table[] = {0, 1, 4, 5, 2, 3};
    return table[comparison];
}

static void test_reals(compiler *c, const task *t, unsigned comparison)
{
    uint32_t a = second_last_operand(c, t->node), b = last_operand(t->node);
    schedule_value(c, a, t->depth, true);
    schedule_value(c, b, t->depth + 1, true);
    schedule_emit(c, (prism_instruction){.op = (uint16_t)(CODE_IF_REALS_EQUAL + comparison),
                                         .sense = t->instruction.sense,
                                         .target = t->instruction.target});
}

/* Ints or Booleans. To jump if the comparison is false, the opposite comparison is used. */
static void test_ints(compiler *c, const task *t, unsigned comparison)
{
    uint32_t a = second_last_operand(c, t->node), b = last_operand(t->node);
    prism_instruction jump = {.target = t->instruction.target};
    if (is_int_literal(c, a) && !is_int_literal(c, b)) {
        uint32_t swap = a;
        a = b;
        b = swap;
        comparison = mirrored(comparison);
    }
    if (!t->instruction.sense)
        comparison = opposite(comparison);
    jump.value.integer = c->nodes[b].value.integer;
    if (is_variable(c, a) && is_int_literal(c, b)) {
        jump.op = (uint16_t)(CODE_IF_VARIABLE_CONSTANT_EQUAL + comparison);
        jump.variable = c->nodes[a].value.index;
    } else if (is_variable(c, a) && is_variable(c, b)) {
        jump.op = (uint16_t)(CODE_IF_VARIABLES_EQUAL + comparison);
        jump.variable = c->nodes[a].value.index;
        jump.other = c->nodes[b].value.index;
    } else if (is_int_literal(c, b)) {
        schedule_value(c, a, t->depth, false);
        jump.op = (uint16_t)(CODE_IF_TOP_CONSTANT_EQUAL + comparison);
    } else {
        schedule_value(c, a, t->depth, false);
        schedule_value(c, b, t->depth + 1, false);
        jump.op = (uint16_t)(CODE_IF_TOPS_EQUAL + comparison);
    }
    schedule_emit(c, jump);
}

static void test_comparison(compiler *c, const task *t, unsigned comparison)
{
    if (is_real(c, second_last_operand(c, t->node)) || is_real(c, last_operand(t->node)))
        test_reals(c, t, comparison);
    else
        test_ints(c, t, comparison);
}

/* a & b, a | b, a => b: for one value of a, the result is known; for the other value, the result is b. */
static void test_connective(compiler *c, const task *t)
{
    uint32_t a = second_last_operand(c, t->node), b = last_operand(t->node);
    unsigned op = c->nodes[t->node].op;
    uint32_t label = t->instruction.target;
    bool sense = t->instruction.sense;
    bool result = op != PRISM_OP_AND; /* the result if a has the value `decides` */
    bool decides = op == PRISM_OP_OR;
    if (sense == result) {
        schedule_test(c, a, t->depth, label, decides);
        schedule_test(c, b, t->depth, label, sense);
        return;
    }
    uint32_t end = new_label(c);
    schedule_test(c, a, t->depth, end, decides);
    schedule_test(c, b, t->depth, label, sense);
    schedule_label(c, end);
}

static void test_conditional(compiler *c, const task *t)
{
    uint32_t no = last_operand(t->node), yes = previous_operand(c, no),
             condition = previous_operand(c, yes);
    uint32_t otherwise = new_label(c), end = new_label(c);
    schedule_test(c, condition, t->depth, otherwise, false);
    schedule_test(c, yes, t->depth, t->instruction.target, t->instruction.sense);
    schedule_jump(c, end);
    schedule_label(c, otherwise);
    schedule_test(c, no, t->depth, t->instruction.target, t->instruction.sense);
    schedule_label(c, end);
}

static void compile_test(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    uint32_t label = t->instruction.target;
    bool sense = t->instruction.sense;
    switch (node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
        if ((node->value.integer != 0) == sense)
            schedule_jump(c, label);
        break;
    case PRISM_OP_VARIABLE:
        schedule_emit(c, (prism_instruction){.op = sense ? CODE_IF_VARIABLE_CONSTANT_UNEQUAL
                                                         : CODE_IF_VARIABLE_CONSTANT_EQUAL,
                                             .variable = node->value.index,
                                             .target = label});
        break;
    case PRISM_OP_NOT:
        schedule_test(c, last_operand(t->node), t->depth, label, !sense);
        break;
    case PRISM_OP_AND:
    case PRISM_OP_OR:
    case PRISM_OP_IMPLIES:
        test_connective(c, t);
        break;
    case PRISM_OP_IFF:
        test_ints(c, t, 0);
        break;
    case PRISM_OP_CONDITIONAL:
        test_conditional(c, t);
        break;
    default: /* well-typed expressions have no other Boolean operators */
        if (node->op >= PRISM_OP_EQUAL && node->op <= PRISM_OP_GREATER_EQUAL)
            test_comparison(c, t, (unsigned)node->op - PRISM_OP_EQUAL);
        break;
    }
}

/* ---- values ---- */

static void compile_boolean_value(compiler *c, const task *t)
{
    uint32_t no = new_label(c), end = new_label(c);
    schedule_test(c, t->node, t->depth, no, false);
    schedule_emit(c, (prism_instruction){.op = CODE_PUSH_INT, .value.integer = 1});
    schedule_jump(c, end);
    schedule_label(c, no);
    schedule_emit(c, (prism_instruction){.op = CODE_PUSH_INT, .value.integer = 0});
    schedule_label(c, end);
}

static void compile_conditional_value(compiler *c, const task *t)
{
    uint32_t no = last_operand(t->node), yes = previous_operand(c, no),
             condition = previous_operand(c, yes);
    uint32_t otherwise = new_label(c), end = new_label(c);
    bool real = is_real(c, t->node);
    schedule_test(c, condition, t->depth, otherwise, false);
    schedule_value(c, yes, t->depth, real);
    schedule_jump(c, end);
    schedule_label(c, otherwise);
    schedule_value(c, no, t->depth, real);
    schedule_label(c, end);
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

/* Applies the operator of the node to the top of the stack and an operand; one instruction for a literal. */
static void apply_to_operand(compiler *c, const task *t, uint32_t operand, bool real)
{
    prism_instruction apply = {.op = (uint16_t)instruction_for(c->nodes[t->node].op, real)};
    int64_t literal = c->nodes[operand].value.integer;
    if (!real && is_int_literal(c, operand)) {
        apply.value.integer = literal;
        switch (apply.op) {
        case CODE_SUBTRACT:
            if (literal == INT64_MIN)
                break;
            apply.value.integer = -literal;
            /* fall through */
        case CODE_ADD:
            apply.op = CODE_ADD_CONSTANT;
            schedule_emit(c, apply);
            return;
        case CODE_MIN:
            apply.op = CODE_MIN_CONSTANT;
            schedule_emit(c, apply);
            return;
        case CODE_MAX:
            apply.op = CODE_MAX_CONSTANT;
            schedule_emit(c, apply);
            return;
        default:
            break;
        }
    }
    schedule_value(c, operand, t->depth + 1, real);
    schedule_emit(c, apply);
}

/* Applies an operator to its operands from left to right. Their roots are found from right to left. */
static void compile_operator(compiler *c, const task *t)
{
    bool real = is_real(c, t->node);
    uint32_t operand = last_operand(t->node);
    c->operands.count = 0;
    for (uint32_t i = 1; i < c->nodes[t->node].arity; i++, operand = previous_operand(c, operand))
        record(c, base_u32_vec_push(&c->operands, operand, c->error));
    schedule_value(c, operand, t->depth, real);
    while (c->operands.count > 0 && c->status == OPAC_OK)
        apply_to_operand(c, t, c->operands.items[--c->operands.count], real);
}

static void compile_rounding(compiler *c, const task *t)
{
    uint32_t operand = last_operand(t->node);
    unsigned op = CODE_FLOOR + ((unsigned)c->nodes[t->node].op - PRISM_OP_FLOOR);
    schedule_value(c, operand, t->depth, false);
    if (is_real(c, operand)) /* an int is its own floor */
        schedule_emit(c, (prism_instruction){.op = (uint16_t)op});
}

static void compile_literal(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    prism_instruction push = {.op = CODE_PUSH_INT, .value.integer = node->value.integer};
    if (node->op == PRISM_OP_REAL || t->as_real) {
        prism_node literal = prism_literal_real(node);
        push.op = CODE_PUSH_REAL;
        push.other = (uint32_t)c->code->literals.count;
        push.value.real = literal.value.real;
        record(c, prism_node_vec_push(&c->code->literals, literal, c->error));
    }
    schedule_emit(c, push);
}

static void compile_value(compiler *c, const task *t)
{
    const prism_node *node = &c->nodes[t->node];
    if (t->depth + 1 > c->depth)
        c->depth = t->depth + 1;
    switch (node->op) {
    case PRISM_OP_BOOL:
    case PRISM_OP_INT:
    case PRISM_OP_REAL:
        compile_literal(c, t);
        return; /* has been converted to a real if necessary */
    case PRISM_OP_VARIABLE:
        schedule_emit(c,
                      (prism_instruction){.op = CODE_PUSH_VARIABLE, .variable = node->value.index});
        break;
    case PRISM_OP_NEGATE:
        schedule_value(c, last_operand(t->node), t->depth, is_real(c, t->node));
        schedule_emit(
            c, (prism_instruction){.op = is_real(c, t->node) ? CODE_NEGATE_REAL : CODE_NEGATE});
        break;
    case PRISM_OP_FLOOR:
    case PRISM_OP_CEIL:
    case PRISM_OP_ROUND:
        compile_rounding(c, t);
        break;
    case PRISM_OP_CONDITIONAL:
        compile_conditional_value(c, t);
        break;
    default:
        if (node->type == PRISM_TYPE_BOOL)
            compile_boolean_value(c, t);
        else
            compile_operator(c, t);
        break;
    }
    if (t->as_real && node->type != PRISM_TYPE_REAL)
        schedule_emit(c, (prism_instruction){.op = CODE_TO_REAL});
}

/* ---- the expression ---- */

static void run_task(compiler *c, const task *t)
{
    c->node = t->node;
    c->children.count = 0;
    switch (t->kind) {
    case TASK_VALUE:
        compile_value(c, t);
        break;
    case TASK_TEST:
        compile_test(c, t);
        break;
    case TASK_EMIT:
        emit(c, t->node, t->instruction);
        break;
    default:
        c->labels.items[t->instruction.target] = (uint32_t)c->code->instructions.count;
        break;
    }
    while (c->children.count > 0 && c->status == OPAC_OK)
        record(c, task_vec_push(&c->tasks, c->children.items[--c->children.count], c->error));
}

/* Emits a test of one expression, or its value. Labels are resolved at the end. */
static void compile_expression(compiler *c, const prism_expression *expression, bool test,
                               uint32_t label)
{
    c->nodes = expression->nodes;
    c->begin = base_alloc(expression->count, sizeof *c->begin);
    if (c->begin == NULL)
        record(c, base_fail_memory(c->error));
    if (c->status == OPAC_OK) {
        prism_find_first_nodes(expression, c->begin);
        task root = {.kind = test ? TASK_TEST : TASK_VALUE,
                     .node = expression->count - 1,
                     .instruction = {.target = label}};
        record(c, task_vec_push(&c->tasks, root, c->error));
    }
    while (c->tasks.count > 0 && c->status == OPAC_OK) {
        task next = c->tasks.items[--c->tasks.count];
        run_task(c, &next);
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
    record(c, prism_instruction_vec_push(&c->code->instructions, end, c->error));
    if (c->status == OPAC_OK)
        record(c, prism_place_vec_push(&c->code->places, (prism_place){0}, c->error));
}

opac_status prism_compile(prism_code *code, const prism_expression *expressions, uint32_t count,
                          uint32_t *depth, opac_error *error)
{
    compiler c = {.code = code, .error = error};
    size_t begin = code->instructions.count;
    if (count == 1 && prism_root(expressions)->type != PRISM_TYPE_BOOL) {
        compile_expression(&c, expressions, false, 0);
        emit_return(&c, CODE_RETURN, 0);
    } else {
        uint32_t no = new_label(&c);
        for (uint32_t i = 0; i < count && c.status == OPAC_OK; i++)
            compile_expression(&c, &expressions[i], true, no);
        emit_return(&c, CODE_RETURN_VALUE, 1);
        if (c.status == OPAC_OK)
            c.labels.items[no] = (uint32_t)code->instructions.count;
        emit_return(&c, CODE_RETURN_VALUE, 0);
    }
    if (c.status == OPAC_OK && code->instructions.count > UINT32_MAX)
        record(&c, base_fail(error, OPAC_ERROR_LIMIT, "the expressions are too long"));
    if (c.status == OPAC_OK)
        resolve_labels(&c, begin);
    *depth = c.depth > *depth ? c.depth : *depth;
    task_vec_fini(&c.tasks);
    task_vec_fini(&c.children);
    base_u32_vec_fini(&c.labels);
    base_u32_vec_fini(&c.operands);
    return c.status;
}
