/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/alloc.h"
#include "support/invariants.h"

/* Every state has a choice, and in a DTMC one. */
static opac_status check_choices(const opac_model *model, opac_error *error)
{
    const graph_process *p = &model->process;
    for (uint32_t s = 0; s < p->state_count; s++) {
        uint32_t count = p->choice_begin[s + 1] - p->choice_begin[s];
        if (count == 0)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "state %u has no choice", (unsigned)s);
        if (model->type == OPAC_MODEL_DTMC && count != 1)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "a DTMC, but state %u has %u choices",
                             (unsigned)s, (unsigned)count);
    }
    return OPAC_OK;
}

/* No target twice in a choice: last[t] is the last choice with the target t, counted from 1. */
static opac_status check_targets(const graph_process *p, opac_error *error)
{
    opac_status status = OPAC_OK;
    uint32_t *last = base_alloc_zeroed(p->state_count, sizeof *last);
    if (last == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < p->choice_count; c++)
        for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++) {
            if (last[p->target[e]] == c + 1)
                TRY_OR(done, base_fail(error, OPAC_ERROR_ARGUMENT, "choice %u has target %u twice",
                                       (unsigned)c, (unsigned)p->target[e]));
            last[p->target[e]] = c + 1;
        }
done:
    base_free(last);
    return status;
}

static opac_status check_exact(const opac_model *model, opac_error *error)
{
    const graph_process *p = &model->process;
    for (uint32_t c = 0; model->exact != NULL && c < p->choice_count; c++) {
        base_ratio sum = base_ratio_of_integer(0);
        for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++) {
            if (!base_ratio_is_known(model->exact[e]) ||
                base_ratio_to_double(model->exact[e]) != p->prob[e])
                return base_fail(error, OPAC_ERROR_ARGUMENT,
                                 "the fraction of branch %u is not its probability", (unsigned)e);
            sum = base_ratio_add(sum, model->exact[e]);
        }
        if (sum.numerator != 1 || sum.denominator != 1)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the fractions of choice %u do not sum to 1", (unsigned)c);
    }
    return OPAC_OK;
}

static opac_status check_actions(const opac_model *model, opac_error *error)
{
    for (uint32_t i = 0; i < model->actions.count; i++) {
        size_t length;
        const unsigned char *key = base_intern_key(&model->actions, i, &length);
        if (length == 0 || key[length - 1] != '\0' || (length == 1) != (i == 0))
            return base_fail(error, OPAC_ERROR_ARGUMENT, "the name of action %u is not sound",
                             (unsigned)i);
    }
    for (uint32_t c = 0; model->action != NULL && c < model->process.choice_count; c++)
        if (model->action[c] >= model->actions.count)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "choice %u has the unknown action %u",
                             (unsigned)c, (unsigned)model->action[c]);
    return OPAC_OK;
}

static opac_status check_labels(const opac_model *model, opac_error *error)
{
    const model_label_vec *labels = &model->labels;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].states.size != model->process.state_count)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "label %u is not over the states",
                             (unsigned)i);
    if (labels->count < 2 || strcmp(labels->items[MODEL_LABEL_INIT].name, "init") != 0 ||
        strcmp(labels->items[MODEL_LABEL_DEADLOCK].name, "deadlock") != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the first labels are not \"init\" and \"deadlock\"");
    const base_bitset *init = &labels->items[MODEL_LABEL_INIT].states;
    const base_u32_vec *initial = &model->initial;
    if (initial->count == 0 || initial->count != base_bitset_count(init))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "%zu initial states, but \"init\" has %zu",
                         initial->count, base_bitset_count(init));
    for (size_t i = 0; i < initial->count; i++)
        if (initial->items[i] >= init->size || !base_bitset_has(init, initial->items[i]) ||
            (i > 0 && initial->items[i] <= initial->items[i - 1]))
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "initial state %u is not in \"init\", or not in order",
                             (unsigned)initial->items[i]);
    return OPAC_OK;
}

static opac_status check_values(const opac_model *model, opac_error *error)
{
    const model_layout *layout = &model->layout;
    if (layout->words > 0 && model->rows == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the values of the variables are missing");
    for (uint32_t s = 0; layout->words > 0 && s < model->process.state_count; s++)
        for (uint32_t v = 0; v < layout->count; v++)
            if (model_value_get(&layout->variables[v], model_row(model, s)) >
                layout->variables[v].high)
                return base_fail(error, OPAC_ERROR_ARGUMENT,
                                 "state %u: variable %u is out of its range", (unsigned)s,
                                 (unsigned)v);
    return OPAC_OK;
}

opac_status model_check(const opac_model *model, opac_error *error)
{
    if (model->process.state_count == 0 || model->process.prob == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a model without states or probabilities");
    TRY(graph_process_check(&model->process, MODEL_SUM_ROUNDING, error));
    TRY(check_choices(model, error));
    TRY(check_targets(&model->process, error));
    TRY(check_exact(model, error));
    TRY(check_actions(model, error));
    TRY(check_labels(model, error));
    return check_values(model, error);
}
