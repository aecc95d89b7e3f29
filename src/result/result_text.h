/* SPDX-License-Identifier: MIT */
/* The text of a result, made from its JSON. Each command's file has a function for it. */
#ifndef RESULT_TEXT_H
#define RESULT_TEXT_H

#include <omegapac/result.h>

#include "base/json_read.h"

/* Data for the text that is not in the JSON: the policy and the model for the map. */
typedef struct result_extras {
    const struct opac_policy *policy; /* may be NULL */
    const struct opac_model *model;   /* may be NULL */
} result_extras;

/* The text of a result of any command. Missing members are left out; an unknown command has no text. */
void result_write_text(base_json_value result, const result_extras *extras, opac_output *out);

void result_text_of_bound(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_check(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_env_check(base_json_value result, const result_extras *extras,
                              opac_output *out);
void result_text_of_estimate(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_evaluate(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_learn(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_info(base_json_value result, const result_extras *extras, opac_output *out);
void result_text_of_recurrence(base_json_value result, const result_extras *extras,
                               opac_output *out);
void result_text_of_verify(base_json_value result, const result_extras *extras, opac_output *out);

#endif
