/* SPDX-License-Identifier: MIT */
/*
 * Writes a model as DRN (drn.h), in one pass. Names that the format cannot represent are found before
 * anything is written, except actions whose name is a number, which are found while writing.
 */
#include <string.h>

#include <omegapac/text.h>
#include <omegapac/version.h>

#include "base/characters.h"
#include "base/digits.h"
#include "base/output.h"
#include "base/utf8.h"
#include "model/drn.h"
#include "model/writer.h"

/* ---- names ---- */

#define NO_TEXT "it is empty, invalid UTF-8 or has control characters"

static opac_status refuse(const char *what, const char *name, const char *why, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    return base_fail(error, OPAC_ERROR_UNSUPPORTED, "the %s '%s' cannot be written to DRN: %s",
                     what, opac_text_show(name, strlen(name), shown, sizeof shown), why);
}

/* Whether the name is not empty, valid UTF-8 and without control characters other than tabs. */
static bool is_text(const char *name)
{
    for (const char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' && *at != '\t')
            return false;
    return name[0] != '\0' && base_utf8_check(name, strlen(name), NULL) == OPAC_OK;
}

static opac_status check_labels(const opac_model *model, opac_error *error)
{
    for (size_t i = 0; i < model->labels.count; i++) {
        const char *name = model->labels.items[i].name;
        if (!is_text(name))
            return refuse("label", name, NO_TEXT, error);
        if (strchr(name, '"') != NULL)
            return refuse("label", name, "it contains a quotation mark", error);
    }
    return OPAC_OK;
}

static opac_status check_actions(const opac_model *model, opac_error *error)
{
    for (uint32_t i = 0; i < opac_model_action_count(model); i++) {
        const char *name = opac_model_action(model, i);
        if (!is_text(name))
            return refuse("action", name, NO_TEXT, error);
        if (strpbrk(name, " \t") != NULL)
            return refuse("action", name, "it contains a blank", error);
        if (strcmp(name, DRN_NO_NAME) == 0)
            return refuse("action", name, "it is reserved for choices without a name", error);
    }
    return OPAC_OK;
}

static opac_status check_variables(const opac_model *model, opac_error *error)
{
    for (uint32_t i = 0; i < model->layout.count; i++) {
        const char *name = model->layout.variables[i].name;
        if (!is_text(name) || strpbrk(name, " \t=&!]") != NULL)
            return refuse("variable", name,
                          "it is empty or contains a blank, a control character or one of = & ! ]",
                          error);
    }
    return OPAC_OK;
}

/* Writes a label, in quotation marks if a reader would otherwise not read it as one label. */
static void put_label(model_writer *writer, const char *name)
{
    bool bare = strpbrk(name, " \t") == NULL && strchr("[{!", name[0]) == NULL &&
                strncmp(name, "//", 2) != 0;
    if (!bare)
        model_put_char(writer, '"');
    model_put_text(writer, name);
    if (!bare)
        model_put_char(writer, '"');
}

/* ---- header ---- */

static void put_declarations(model_writer *writer, const opac_model *model)
{
    model_put_text(writer, DRN_SIGNATURE " " OPAC_VERSION "\n");
    for (size_t i = MODEL_LABEL_DEADLOCK + 1; i < model->labels.count; i++) {
        model_put_text(writer, DRN_LABEL);
        put_label(writer, model->labels.items[i].name);
        model_put_char(writer, '\n');
    }
    for (uint32_t i = 0; i < model->layout.count; i++) {
        const model_variable *variable = &model->layout.variables[i];
        model_put_text(writer, DRN_VARIABLE);
        model_put_text(writer, variable->name);
        if (variable->type == OPAC_VALUE_BOOL) {
            model_put_text(writer, " bool\n");
            continue;
        }
        model_put_text(writer, " [");
        model_put_value(writer, variable, variable->low);
        model_put_text(writer, "..");
        model_put_value(writer, variable, variable->high);
        model_put_text(writer, "]\n");
    }
}

static void put_header(model_writer *writer, const opac_model *model)
{
    put_declarations(writer, model);
    model_put_text(writer, model->type == OPAC_MODEL_DTMC ? "@type: DTMC" : "@type: MDP");
    if (model->exact != NULL) /* doubles are the default, and older programs do not know the line */
        model_put_text(writer, "\n@value_type: rational");
    model_put_text(writer, "\n@parameters\n\n@reward_models\n\n@nr_states\n");
    model_put_uint(writer, model->process.state_count);
    model_put_text(writer, "\n@nr_choices\n");
    model_put_uint(writer, model->process.choice_count);
    model_put_text(writer, "\n@model\n");
}

/* ---- body ---- */

static void put_values(model_writer *writer, const opac_model *model, uint32_t state)
{
    const model_layout *layout = &model->layout;
    const uint64_t *row = model_row(model, state);
    model_put_text(writer, "//[");
    for (uint32_t i = 0; i < layout->count; i++) {
        const model_variable *variable = &layout->variables[i];
        int64_t value = model_value_get(variable, row);
        if (i > 0)
            model_put_text(writer, "\t& ");
        if (variable->type == OPAC_VALUE_BOOL && value == 0)
            model_put_char(writer, '!');
        model_put_text(writer, variable->name);
        if (variable->type != OPAC_VALUE_BOOL) {
            model_put_char(writer, '=');
            model_put_value(writer, variable, value);
        }
    }
    model_put_text(writer, "]\n");
}

/* Whether the name is the position of the choice, which a reader would read as a choice without a name. */
static bool is_position(const char *name, uint32_t position)
{
    char digits[BASE_MAX_DIGITS + 1] = "";
    if (!base_is_digit(name[0]))
        return false;
    return strcmp(name, base_digits(position, digits + BASE_MAX_DIGITS)) == 0;
}

static opac_status put_choice(model_writer *writer, const opac_model *model, uint32_t choice,
                              uint32_t position, opac_error *error)
{
    const graph_process *process = &model->process;
    const char *name = opac_model_choice_action(model, choice);
    if (is_position(name, position))
        return refuse("action", name,
                      "it is the position of its choice, which stands for a choice without a name",
                      error);
    model_put_text(writer, "\taction ");
    if (name[0] != '\0')
        model_put_text(writer, name);
    else if (model->action != NULL)
        model_put_text(writer, DRN_NO_NAME);
    else
        model_put_uint(writer, position);
    model_put_char(writer, '\n');
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        model_put_text(writer, "\t\t");
        model_put_uint(writer, process->target[e]);
        model_put_text(writer, " : ");
        model_put_probability(writer, model, e);
        model_put_char(writer, '\n');
    }
    return OPAC_OK;
}

static opac_status put_state(model_writer *writer, const opac_model *model, uint32_t state,
                             opac_error *error)
{
    uint32_t begin = model->process.choice_begin[state];
    size_t count;
    const uint32_t *labels = model_writer_labels(writer, model, state, &count);
    model_put_text(writer, "state ");
    model_put_uint(writer, state);
    for (size_t i = 0; i < count; i++)
        if (base_bitset_has(&model->labels.items[labels[i]].states, state)) {
            model_put_char(writer, ' ');
            put_label(writer, model->labels.items[labels[i]].name);
        }
    model_put_char(writer, '\n');
    if (model->layout.count > 0)
        put_values(writer, model, state);
    for (uint32_t c = begin; c < model->process.choice_begin[state + 1]; c++)
        TRY(put_choice(writer, model, c, c - begin, error));
    return OPAC_OK;
}

void opac_model_write_drn(const opac_model *model, opac_output *out)
{
    opac_error error = {0};
    model_writer *writer = NULL;
    opac_status status;
    TRY_OR(done, check_labels(model, &error));
    TRY_OR(done, check_actions(model, &error));
    TRY_OR(done, check_variables(model, &error));
    writer = model_writer_open(out);
    if (writer == NULL)
        return;
    put_header(writer, model);
    for (uint32_t s = 0; s < model->process.state_count; s++)
        TRY_OR(done, put_state(writer, model, s, &error));
done:
    if (status != OPAC_OK)
        base_output_fail(out, status, error.message);
    model_writer_close(writer);
}
