/* SPDX-License-Identifier: MIT */
/*
 * Finds the states that satisfy an expression. The expression is compiled once and evaluated for the row of
 * each state, of which only the variables that occur are unpacked. Labels without an expression, such as
 * "init" and those of explicit files, are represented by variables after those of the model.
 *
 * Cost: number of states times length of the expression.
 */
#include "prism/vocabulary.h"

#include <string.h>

#include "base/arena.h"
#include "prism/code.h"
#include "prism/scope.h"

/* Collects the variables that occur, each once. */
static opac_status find_variables(const prism_expression *expression, uint32_t count,
                                  base_u32_vec *used, opac_error *error)
{
    base_bitset seen = {0};
    opac_status status;
    TRY_OR(done, base_bitset_init(&seen, count, error));
    for (uint32_t i = 0; i < expression->count; i++) {
        uint32_t variable = expression->nodes[i].value.index;
        if (expression->nodes[i].op != PRISM_OP_VARIABLE)
            continue;
        if (variable >= count) {
            TRY_OR(done, base_fail(error, OPAC_ERROR_INTERNAL, "the model has no such variable"));
        } else if (!base_bitset_has(&seen, variable)) {
            base_bitset_add(&seen, variable);
            TRY_OR(done, base_u32_vec_push(used, variable, error));
        }
    }
done:
    base_bitset_fini(&seen);
    return status;
}

static int64_t value_of(const opac_model *model, uint32_t variable, uint32_t state)
{
    const model_layout *layout = &model->layout;
    if (variable < layout->count)
        return model_value_get(&layout->variables[variable], model_row(model, state));
    return base_bitset_has(&model->labels.items[variable - layout->count].states, state);
}

static opac_status evaluate_states(const opac_model *model, const prism_code *code, uint32_t entry,
                                   const base_u32_vec *used, int64_t *values, base_bitset *states,
                                   opac_error *error)
{
    for (uint32_t state = 0; state < states->size; state++) {
        int64_t holds = 0;
        for (size_t i = 0; i < used->count; i++)
            values[used->items[i]] = value_of(model, used->items[i], state);
        TRY(prism_code_integer(code, entry, values, &holds, error));
        if (holds != 0)
            base_bitset_add(states, state);
    }
    return OPAC_OK;
}

opac_status prism_expression_states(const opac_model *model, const prism_expression *expression,
                                    base_bitset *states, opac_error *error)
{
    prism_code *code = NULL;
    base_u32_vec used = {0};
    uint32_t entry = 0;
    uint32_t count = model->layout.count + (uint32_t)model->labels.count;
    int64_t *values = base_alloc_zeroed((size_t)count + 1, sizeof *values);
    opac_status status;
    TRY_OR(done, values == NULL ? base_fail_memory(error) : prism_code_new(&code, error));
    TRY_OR(done, prism_code_add(code, expression, &entry, error));
    TRY_OR(done, find_variables(expression, count, &used, error));
    status = evaluate_states(model, code, entry, &used, values, states, error);
done:
    base_u32_vec_fini(&used);
    prism_code_free(code);
    base_free(values);
    return status;
}

/* ---- the model's vocabulary ---- */

static opac_status evaluate(const void *context, const opac_model *model, const char *text,
                            size_t length, base_bitset *states, opac_error *error)
{
    base_arena arena = {0};
    prism_expression expression;
    opac_status status = prism_scope_expression(context, text, length, (prism_place){1, 1},
                                                PRISM_TYPE_BOOL, &arena, &expression, error);
    if (status == OPAC_OK)
        status = prism_expression_states(model, &expression, states, error);
    base_arena_fini(&arena);
    return status;
}

static void release(void *context)
{
    prism_scope_free(context);
}

static opac_status add_label(prism_scope *scope, const char *name, uint32_t variable,
                             opac_error *error)
{
    const prism_node node = {
        .op = PRISM_OP_VARIABLE, .type = PRISM_TYPE_BOOL, .value.index = variable};
    const prism_expression value = {.nodes = &node, .count = 1};
    prism_symbol *symbol = NULL;
    uint32_t id;
    TRY(base_intern_add(&scope->names, name, strlen(name), &id, NULL, error));
    TRY(prism_scope_declare(scope, id, PRISM_SYMBOL_LABEL, (prism_place){0}, NULL, &symbol, error));
    if (symbol == NULL) /* the label has an expression */
        return OPAC_OK;
    symbol->type = PRISM_TYPE_BOOL;
    symbol->index = UINT32_MAX;
    TRY(prism_scope_copy_expression(scope, &value, &symbol->value, error));
    symbol->has_value = true;
    return OPAC_OK;
}

opac_status prism_vocabulary_attach(opac_model *model, prism_scope *scope, opac_error *error)
{
    opac_status status;
    for (uint32_t i = 0; i < model->labels.count; i++)
        TRY_OR(done, add_label(scope, model->labels.items[i].name, model->layout.count + i, error));
    if (model->vocabulary.release != NULL)
        model->vocabulary.release(model->vocabulary.context);
    model->vocabulary =
        (model_vocabulary){.context = scope, .evaluate = evaluate, .release = release};
    return OPAC_OK;
done:
    prism_scope_free(scope);
    return status;
}

const prism_scope *prism_vocabulary_scope(const opac_model *model)
{
    return model->vocabulary.evaluate == evaluate ? model->vocabulary.context : NULL;
}
