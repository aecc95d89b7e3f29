/* SPDX-License-Identifier: MIT */
/* States in JSON, for traces, results and chains of policies. */
#include <omegapac/model.h>

void opac_model_write_values_json(const opac_model *model, uint32_t state, opac_json *json)
{
    opac_json_begin_object(json);
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++) {
        int64_t value = opac_model_value(model, state, i);
        opac_json_key(json, opac_model_variable(model, i));
        if (opac_model_variable_type(model, i) == OPAC_VALUE_BOOL)
            opac_json_bool(json, value != 0);
        else
            opac_json_int(json, value);
    }
    opac_json_end_object(json);
}

void opac_model_write_labels_json(const opac_model *model, uint32_t state, opac_json *json)
{
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_label_count(model); i++)
        if (opac_model_has_label(model, state, i))
            opac_json_string(json, opac_model_label(model, i));
    opac_json_end_array(json);
}
