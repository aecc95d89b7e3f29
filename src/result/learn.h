/* SPDX-License-Identifier: MIT */
/* What the results of a run, of one of several runs, and of all of them share. */
#ifndef RESULT_LEARN_H
#define RESULT_LEARN_H

#include <omegapac/json.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/* Whether the numbers of the report are a bracket that holds, narrow enough or not. */
bool result_has_bracket(const opac_learn_report *report);

/* The members of these names. The report is that of the answer's learning, or of the last of several runs. */
void result_put_learn_inputs(opac_json *json, const opac_learn_answer *answer,
                             const opac_learn_report *report, const opac_result_source *source);
void result_put_learn_params(opac_json *json, const opac_learn_options *options,
                             const opac_learn_report *report, const opac_result *result);
/* result, guarantee, stats and truth. */
void result_put_learn_findings(opac_json *json, const opac_learn_answer *answer,
                               const opac_result_source *source);
/* sample: of a model drawn here, of a simulator as it was taken; none where there is neither. */
void result_put_sample(opac_json *json, const opac_learn_answer *answer);

/* The line "Result: 0.9973 [0.9951, 0.9990]", without its end. */
void result_show_learned(opac_output *out, base_json_value result);

/* The text of one of several runs, and of all of them. */
void result_text_of_learn_run(opac_output *out, base_json_value result);
void result_text_of_learn_runs(opac_output *out, base_json_value result);

#endif
