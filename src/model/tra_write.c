/* SPDX-License-Identifier: MIT */
/*
 * Writes .tra files as PRISM does, with actions. The self-loops of deadlocks are written like other
 * transitions; the label "deadlock" in the .lab file identifies them.
 */
#include "model/writer.h"

/* The first name that would not be read as one word, or NULL. */
static const char *find_bad_action(const opac_model *model)
{
    for (uint32_t i = 0; i < opac_model_action_count(model); i++)
        if (strpbrk(opac_model_action(model, i), " \t\r\n") != NULL)
            return opac_model_action(model, i);
    return NULL;
}

static void put_transition(model_writer *writer, const opac_model *model, uint32_t state,
                           uint32_t position, uint32_t branch, const char *action)
{
    model_put_uint(writer, state);
    model_put_char(writer, ' ');
    if (model->type == OPAC_MODEL_MDP) {
        model_put_uint(writer, position);
        model_put_char(writer, ' ');
    }
    model_put_uint(writer, model->process.target[branch]);
    model_put_char(writer, ' ');
    model_put_probability(writer, model, branch);
    if (action[0] != '\0') {
        model_put_char(writer, ' ');
        model_put_text(writer, action);
    }
    model_put_char(writer, '\n');
}

static void put_header(model_writer *writer, const graph_process *p, opac_model_type type)
{
    model_put_uint(writer, p->state_count);
    model_put_char(writer, ' ');
    if (type == OPAC_MODEL_MDP) {
        model_put_uint(writer, p->choice_count);
        model_put_char(writer, ' ');
    }
    model_put_uint(writer, p->edge_count);
    model_put_char(writer, '\n');
}

void opac_model_write_tra(const opac_model *model, opac_output *out)
{
    const graph_process *p = &model->process;
    const char *bad = find_bad_action(model);
    if (bad != NULL) {
        model_refuse_name(out, "action", bad, "a .tra file", "it contains a blank");
        return;
    }
    model_writer *writer = model_writer_open(out);
    if (writer == NULL)
        return;
    put_header(writer, p, model->type);
    for (uint32_t s = 0; s < p->state_count; s++)
        for (uint32_t c = p->choice_begin[s]; c < p->choice_begin[s + 1]; c++)
            for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++)
                put_transition(writer, model, s, c - p->choice_begin[s], e,
                               opac_model_choice_action(model, c));
    model_writer_close(writer);
}
