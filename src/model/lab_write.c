/* SPDX-License-Identifier: MIT */
/* Writes .lab files: the labels in the order of the model, and a line for each state with labels. */
#include "model/writer.h"

static const char *find_bad_label(const opac_model *model)
{
    for (size_t i = 0; i < model->labels.count; i++)
        if (strpbrk(model->labels.items[i].name, "\"\n") != NULL)
            return model->labels.items[i].name;
    return NULL;
}

static void put_header(model_writer *writer, const model_label_vec *labels)
{
    for (size_t i = 0; i < labels->count; i++) {
        if (i > 0)
            model_put_char(writer, ' ');
        model_put_uint(writer, i);
        model_put_text(writer, "=\"");
        model_put_text(writer, labels->items[i].name);
        model_put_char(writer, '"');
    }
    model_put_char(writer, '\n');
}

/* A state without labels has no line. */
static void put_state(model_writer *writer, const opac_model *model, uint32_t state)
{
    size_t count;
    bool any = false;
    const uint32_t *labels = model_writer_labels(writer, model, state, &count);
    for (size_t i = 0; i < count; i++)
        if (base_bitset_has(&model->labels.items[labels[i]].states, state)) {
            if (!any) {
                model_put_uint(writer, state);
                model_put_char(writer, ':');
            }
            model_put_char(writer, ' ');
            model_put_uint(writer, labels[i]);
            any = true;
        }
    if (any)
        model_put_char(writer, '\n');
}

void opac_model_write_lab(const opac_model *model, opac_output *out)
{
    const char *bad = find_bad_label(model);
    if (bad != NULL) {
        model_refuse_name(out, "label", bad, "a .lab file",
                          "it contains a quotation mark or a line break");
        return;
    }
    model_writer *writer = model_writer_open(out);
    if (writer == NULL)
        return;
    put_header(writer, &model->labels);
    for (uint32_t s = 0; s < model->process.state_count; s++)
        put_state(writer, model, s);
    model_writer_close(writer);
}
