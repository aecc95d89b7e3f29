/* SPDX-License-Identifier: MIT */
/* The text of a result, from its JSON: each command's file has a function for it. */
#ifndef RESULT_TEXT_H
#define RESULT_TEXT_H

#include <omegapac/result.h>

#include "base/json_read.h"

/* What the text has that is not in the JSON: the policy of the result for its map, and its model. */
typedef struct result_extras {
    const struct opac_policy *policy; /* NULL: none */
    const struct opac_model *model;   /* NULL: none */
} result_extras;

/* Of any command; what is missing in the JSON is left out. One of an unknown command has no text. */
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
