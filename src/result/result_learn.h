/* SPDX-License-Identifier: MIT */
/* Shared by the results of a single run, of each of several runs, and of their summary. */
#ifndef RESULT_LEARN_H
#define RESULT_LEARN_H

#include <omegapac/json.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/* Whether lower and upper of the report are a valid bracket, which may be wider than epsilon. */
bool result_has_bracket(const opac_learn_report *report);

/* The members inputs and params. The report is that of the answer's learning, or of the last run. */
void result_put_learn_inputs(opac_json *json, const opac_learn_answer *answer,
                             const opac_learn_report *report, const opac_result_source *source);
void result_put_learn_params(opac_json *json, const opac_learn_options *options,
                             const opac_learn_report *report, const opac_result *result);
/* The members result, guarantee, stats and truth. */
void result_put_learn_findings(opac_json *json, const opac_learn_answer *answer,
                               const opac_result_source *source);
/* The member sample: simulated here for a model, recorded before for a simulator; else omitted. */
void result_put_sample(opac_json *json, const opac_learn_answer *answer);

/* Writes "Result: 0.9973 [0.9951, 0.9990]", without a line feed. */
void result_show_learned(opac_output *out, base_json_value result);
/* The key of the line with the answers to the question: "at least 0.6". */
void result_line_question(opac_output *out, base_json_value result);

/* The text of one of several runs, and of their summary. */
void result_text_of_learn_run(opac_output *out, base_json_value result);
void result_text_of_learn_runs(opac_output *out, base_json_value result);

#endif
