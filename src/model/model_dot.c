/* SPDX-License-Identifier: MIT */
/*
 * Draws small models with Graphviz.
 *
 *     ──►(0: x=0)──a──►(1: x=1)          a choice with one branch is an arrow,
 *            │   ┌─0.5─►(2: x=2)         other choices are a small point between arrows;
 *            └─b─•─0.5─►(3: x=3)         a DTMC has no points
 */
#include "model/model_dot.h"

#include <string.h>

#include <omegapac/text.h>

#include "base/error.h"

void model_dot_name(model_writer *writer, const char *name)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(name, strlen(name), shown, sizeof shown);
    for (const char *at = shown; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            model_put_char(writer, '\\');
        model_put_char(writer, *at);
    }
}

/* ---- states ---- */

void model_dot_values(model_writer *writer, const opac_model *model, uint32_t state)
{
    const model_layout *layout = &model->layout;
    const uint64_t *row = model_row(model, state);
    for (uint32_t i = 0; i < layout->count; i++) {
        model_put_text(writer, i == 0 ? "" : ", ");
        model_dot_name(writer, layout->variables[i].name);
        model_put_char(writer, '=');
        model_put_value(writer, &layout->variables[i], model_value_get(&layout->variables[i], row));
    }
}

void model_dot_labels(model_writer *writer, const opac_model *model, uint32_t state)
{
    const char *before = "\\n{";
    for (size_t i = MODEL_LABEL_DEADLOCK; i < model->labels.count; i++) {
        if (!base_bitset_has(&model->labels.items[i].states, state))
            continue;
        model_put_text(writer, before);
        model_dot_name(writer, model->labels.items[i].name);
        before = ", ";
    }
    if (before[0] == ',')
        model_put_char(writer, '}');
}

static void put_states(model_writer *writer, const opac_model *model)
{
    for (size_t i = 0; i < model->initial.count; i++) {
        model_put_text(writer, "  start");
        model_put_uint(writer, i);
        model_put_text(writer, " [label=\"\", shape=point, width=0.05]\n  start");
        model_put_uint(writer, i);
        model_put_text(writer, " -> ");
        model_put_uint(writer, model->initial.items[i]);
        model_put_char(writer, '\n');
    }
    for (uint32_t s = 0; s < model->process.state_count; s++) {
        model_put_text(writer, "  ");
        model_put_uint(writer, s);
        model_put_text(writer, " [label=\"");
        model_put_uint(writer, s);
        if (model->layout.count > 0)
            model_put_text(writer, ": ");
        model_dot_values(writer, model, s);
        model_dot_labels(writer, model, s);
        model_put_text(writer, "\"]\n");
    }
}

/* ---- choices ---- */

/* The source of an arrow: "  c7 -> " for the point of a choice, or "  3 -> " for a state. */
static void put_from(model_writer *writer, const char *kind, uint32_t number)
{
    model_put_text(writer, "  ");
    model_put_text(writer, kind);
    model_put_uint(writer, number);
    model_put_text(writer, " -> ");
}

static void put_branches(model_writer *writer, const opac_model *model, const char *kind,
                         uint32_t number, uint32_t choice)
{
    const graph_process *process = &model->process;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        put_from(writer, kind, number);
        model_put_uint(writer, process->target[e]);
        model_put_text(writer, " [label=\"");
        model_put_probability(writer, model, e);
        model_put_text(writer, "\"]\n");
    }
}

static void put_action(model_writer *writer, const opac_model *model, uint32_t choice,
                       const char *more)
{
    model_put_text(writer, " [label=\"");
    model_dot_name(writer, opac_model_choice_action(model, choice));
    model_put_char(writer, '"');
    model_put_text(writer, more);
    model_put_text(writer, "]\n");
}

static void put_choice(model_writer *writer, const opac_model *model, uint32_t state,
                       uint32_t choice)
{
    const graph_process *process = &model->process;
    uint32_t begin = process->edge_begin[choice];
    if (model->type == OPAC_MODEL_DTMC) {
        put_branches(writer, model, "", state, choice);
        return;
    }
    if (process->edge_begin[choice + 1] - begin == 1) {
        put_from(writer, "", state);
        model_put_uint(writer, process->target[begin]);
        put_action(writer, model, choice, "");
        return;
    }
    model_put_text(writer, "  c");
    model_put_uint(writer, choice);
    model_put_text(writer, " [label=\"\", shape=point]\n");
    put_from(writer, "", state);
    model_put_char(writer, 'c');
    model_put_uint(writer, choice);
    put_action(writer, model, choice, ", arrowhead=none");
    put_branches(writer, model, "c", choice, choice);
}

opac_status opac_model_write_dot(const opac_model *model, uint32_t max_states, opac_output *out,
                                 opac_error *error)
{
    const graph_process *process = &model->process;
    if (process->state_count > max_states)
        return base_fail_limit(error, "max_states", max_states,
                               "the model has %u states, too many for a drawing (at most %u)",
                               process->state_count, max_states);
    model_writer *writer = model_writer_open(out);
    if (writer == NULL)
        return base_fail_memory(error);
    model_put_text(writer, "digraph model {\n"
                           "  rankdir=LR\n"
                           "  node [shape=box, style=rounded]\n");
    put_states(writer, model);
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            put_choice(writer, model, s, c);
    model_put_text(writer, "}\n");
    model_writer_close(writer);
    return OPAC_OK;
}
