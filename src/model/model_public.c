/* SPDX-License-Identifier: MIT */
/* The functions of omegapac/model.h that read the arrays of a model. */
#include <assert.h>
#include <string.h>

#include <omegapac/text.h>

#include "model/model.h"

const char *opac_model_type_name(opac_model_type type)
{
    switch (type) {
    case OPAC_MODEL_DTMC:
        return "dtmc";
    case OPAC_MODEL_MDP:
        return "mdp";
    }
    return "unknown";
}

opac_model_type opac_model_get_type(const opac_model *model)
{
    return model->type;
}

uint32_t opac_model_states(const opac_model *model)
{
    return model->process.state_count;
}

uint32_t opac_model_choices(const opac_model *model)
{
    return model->process.choice_count;
}

uint32_t opac_model_transitions(const opac_model *model)
{
    return model->process.edge_count;
}

uint32_t opac_model_initial_count(const opac_model *model)
{
    return (uint32_t)model->initial.count;
}

uint32_t opac_model_initial(const opac_model *model, uint32_t index)
{
    assert(index < model->initial.count);
    return model->initial.items[index];
}

/* ---- choices and branches ---- */

uint32_t opac_model_choice_begin(const opac_model *model, uint32_t state)
{
    assert(state < model->process.state_count);
    return model->process.choice_begin[state];
}

uint32_t opac_model_choice_count(const opac_model *model, uint32_t state)
{
    assert(state < model->process.state_count);
    return model->process.choice_begin[state + 1] - model->process.choice_begin[state];
}

uint32_t opac_model_branch_begin(const opac_model *model, uint32_t choice)
{
    assert(choice < model->process.choice_count);
    return model->process.edge_begin[choice];
}

uint32_t opac_model_branch_count(const opac_model *model, uint32_t choice)
{
    assert(choice < model->process.choice_count);
    return model->process.edge_begin[choice + 1] - model->process.edge_begin[choice];
}

uint32_t opac_model_branch_target(const opac_model *model, uint32_t branch)
{
    assert(branch < model->process.edge_count);
    return model->process.target[branch];
}

double opac_model_branch_probability(const opac_model *model, uint32_t branch)
{
    assert(branch < model->process.edge_count);
    return model->process.prob[branch];
}

/* ---- actions ---- */

static const char *action_name(const opac_model *model, uint32_t id)
{
    size_t length;
    return (const char *)base_intern_key(&model->actions, id, &length);
}

const char *opac_model_choice_action(const opac_model *model, uint32_t choice)
{
    assert(choice < model->process.choice_count);
    return model->action != NULL ? action_name(model, model->action[choice]) : "";
}

uint32_t opac_model_action_count(const opac_model *model)
{
    return model->actions.count > 0 ? model->actions.count - 1 : 0;
}

const char *opac_model_action(const opac_model *model, uint32_t index)
{
    assert(index < opac_model_action_count(model));
    return action_name(model, index + 1);
}

/* ---- labels ---- */

uint32_t opac_model_label_count(const opac_model *model)
{
    return (uint32_t)model->labels.count;
}

const char *opac_model_label(const opac_model *model, uint32_t index)
{
    assert(index < model->labels.count);
    return model->labels.items[index].name;
}

bool opac_model_has_label(const opac_model *model, uint32_t state, uint32_t label)
{
    assert(label < model->labels.count);
    return base_bitset_has(&model->labels.items[label].states, state);
}

uint32_t opac_model_label_states(const opac_model *model, uint32_t label)
{
    assert(label < model->labels.count);
    return (uint32_t)base_bitset_count(&model->labels.items[label].states);
}

/* ---- variables ---- */

uint32_t opac_model_variable_count(const opac_model *model)
{
    return model->layout.count;
}

const char *opac_model_variable(const opac_model *model, uint32_t index)
{
    assert(index < model->layout.count);
    return model->layout.variables[index].name;
}

opac_value_type opac_model_variable_type(const opac_model *model, uint32_t index)
{
    assert(index < model->layout.count);
    return model->layout.variables[index].type;
}

void opac_model_variable_range(const opac_model *model, uint32_t index, int64_t *low, int64_t *high)
{
    assert(index < model->layout.count);
    *low = model->layout.variables[index].low;
    *high = model->layout.variables[index].high;
}

int64_t opac_model_value(const opac_model *model, uint32_t state, uint32_t variable)
{
    assert(state < model->process.state_count && variable < model->layout.count);
    return model_value_get(&model->layout.variables[variable], model_row(model, state));
}

bool opac_model_find_variable(const opac_model *model, const char *name, opac_value_type type,
                              uint32_t *index)
{
    const model_layout *layout = &model->layout;
    for (uint32_t v = 0; v < layout->count; v++)
        if (layout->variables[v].type == type && strcmp(layout->variables[v].name, name) == 0) {
            *index = v;
            return true;
        }
    return false;
}

void opac_model_write_value(const opac_model *model, uint32_t state, uint32_t variable,
                            opac_output *out)
{
    const model_variable *v = &model->layout.variables[variable];
    int64_t value = model_value_get(v, model_row(model, state));
    char shown[OPAC_SHOWN_SIZE];
    opac_output_text(out, opac_text_show(v->name, strlen(v->name), shown, sizeof shown));
    if (v->type == OPAC_VALUE_BOOL)
        opac_output_text(out, value != 0 ? "=true" : "=false");
    else
        opac_output_print(out, "=%lld", (long long)value);
}

void opac_model_write_state(const opac_model *model, uint32_t state, opac_output *out)
{
    if (model->layout.count == 0)
        opac_output_print(out, "%u", (unsigned)state);
    for (uint32_t v = 0; v < model->layout.count; v++) {
        opac_output_text(out, v > 0 ? ", " : "");
        opac_model_write_value(model, state, v, out);
    }
}
