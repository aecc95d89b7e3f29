/* SPDX-License-Identifier: MIT */
/* Writes .sta files: the names of the variables, and the values of each state. */
#include "model/line_scanner.h"
#include "model/writer.h"

static bool is_bad(const char *name)
{
    size_t length = strlen(name);
    return length == 0 || strpbrk(name, ",)\n") != NULL || base_is_space(name[0]) ||
           base_is_space(name[length - 1]);
}

static const char *find_bad_variable(const model_layout *layout)
{
    for (uint32_t i = 0; i < layout->count; i++)
        if (is_bad(layout->variables[i].name))
            return layout->variables[i].name;
    return NULL;
}

static void put_state(model_writer *writer, const opac_model *model, uint32_t state)
{
    const model_layout *layout = &model->layout;
    const uint64_t *row = model_row(model, state);
    model_put_uint(writer, state);
    model_put_text(writer, ":(");
    for (uint32_t i = 0; i < layout->count; i++) {
        if (i > 0)
            model_put_char(writer, ',');
        model_put_value(writer, &layout->variables[i], model_value_get(&layout->variables[i], row));
    }
    model_put_text(writer, ")\n");
}

void opac_model_write_sta(const opac_model *model, opac_output *out)
{
    const model_layout *layout = &model->layout;
    const char *bad = find_bad_variable(layout);
    if (bad != NULL) {
        model_refuse_name(out, "variable", bad, "a .sta file",
                          "it is empty, contains a comma, a closing parenthesis or a line break, "
                          "or begins or ends with a blank");
        return;
    }
    model_writer *writer = model_writer_open(out);
    if (writer == NULL)
        return;
    for (uint32_t i = 0; i < layout->count; i++) {
        model_put_char(writer, i > 0 ? ',' : '(');
        model_put_text(writer, layout->variables[i].name);
    }
    model_put_text(writer, layout->count > 0 ? ")\n" : "()\n");
    for (uint32_t s = 0; s < model->process.state_count; s++)
        put_state(writer, model, s);
    model_writer_close(writer);
}
