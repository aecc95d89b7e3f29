/* SPDX-License-Identifier: MIT */
/* Functions that the readers and the builder of models share, and opac_model_free. */
#include "model/model.h"

#include <string.h>

#include "base/alloc.h"

/* ---- construction ---- */

static opac_status add_name(base_intern *actions, const char *name, size_t length, uint32_t *id,
                            opac_error *error)
{
    enum {
        SHORT = 128
    };
    char buffer[SHORT];
    char *key = length < SHORT ? buffer : base_alloc(length + 1, 1);
    if (key == NULL)
        return base_fail_memory(error);
    if (length > 0)
        memcpy(key, name, length);
    key[length] = '\0';
    opac_status status = base_intern_add(actions, key, length + 1, id, NULL, error);
    if (key != buffer)
        base_free(key);
    return status;
}

opac_status model_action_add(base_intern *actions, const char *name, size_t length, uint32_t *id,
                             opac_error *error)
{
    uint32_t none;
    if (actions->count == 0)
        TRY(add_name(actions, "", 0, &none, error));
    return add_name(actions, name, length, id, error);
}

opac_status model_label_add(opac_model *model, const char *name, size_t length, opac_error *error)
{
    model_label label = {.name = base_copy_text(name, length)};
    if (label.name == NULL)
        return base_fail_memory(error);
    opac_status status;
    TRY_OR(done, base_bitset_init(&label.states, model->process.state_count, error));
    TRY_OR(done, model_label_vec_push(&model->labels, label, error));
    return OPAC_OK;
done:
    base_bitset_fini(&label.states);
    base_free(label.name);
    return status;
}

opac_status model_set_initial(opac_model *model, opac_error *error)
{
    const base_bitset *states = &model->labels.items[MODEL_LABEL_INIT].states;
    TRY(base_u32_vec_reserve(&model->initial, base_bitset_count(states), error));
    model->initial.count = 0;
    for (size_t s = base_bitset_next(states, 0); s < states->size;
         s = base_bitset_next(states, s + 1))
        model->initial.items[model->initial.count++] = (uint32_t)s;
    return OPAC_OK;
}

uint32_t model_label_find(const opac_model *model, const char *name, size_t length)
{
    for (size_t i = 0; i < model->labels.count; i++) {
        const char *other = model->labels.items[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

void opac_model_free(opac_model *model)
{
    if (model == NULL)
        return;
    graph_process_fini(&model->process);
    base_free(model->exact);
    base_free(model->action);
    base_intern_fini(&model->actions);
    base_u32_vec_fini(&model->initial);
    for (size_t i = 0; i < model->labels.count; i++) {
        base_free(model->labels.items[i].name);
        base_bitset_fini(&model->labels.items[i].states);
    }
    model_label_vec_fini(&model->labels);
    model_layout_fini(&model->layout);
    base_free(model->rows);
    model_commands_free(model->commands);
    if (model->vocabulary.release != NULL)
        model->vocabulary.release(model->vocabulary.context);
    base_free(model);
}
