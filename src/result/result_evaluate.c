/* SPDX-License-Identifier: MIT */
/* The result of evaluate: the probability of an objective under a given policy. */
#include <string.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

/* ---- JSON ---- */

static void put_interval(opac_json *json, const void *found, uint32_t index)
{
    const opac_evaluation *evaluation = found;
    result_put_interval(json, opac_evaluation_interval(evaluation, index),
                        opac_evaluation_fraction(evaluation, index));
}

static void put_inputs(const opac_evaluate_answer *answer, const opac_result_source *source,
                       opac_json *json)
{
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_name(json, source);
    result_put_text(json, "policy", answer->policy_name);
    result_put_text(json, "objective",
                    answer->objective != NULL ? answer->objective
                                              : opac_policy_objective(answer->policy));
    result_put_model(json, answer->model);
    result_put_policy_sizes(json, answer->policy);
    opac_json_end_object(json);
}

static void put_found(const opac_evaluate_answer *answer, opac_json *json)
{
    const opac_evaluation *evaluation = answer->evaluation;
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    put_interval(json, evaluation, 0);
    result_put_bool(json, "precise", opac_evaluation_is_precise(evaluation));
    if (opac_evaluation_is_bound(evaluation)) {
        result_put_bool(json, "is_bound", true);
        result_put_text(json, "bound", opac_evaluation_is_upper(evaluation) ? "upper" : "lower");
    }
    result_put_initial(json, answer->model, put_interval, evaluation);
    opac_json_end_object(json);
}

opac_status opac_result_of_evaluate(const opac_evaluate_answer *answer,
                                    const opac_result_source *source, opac_result **result,
                                    opac_error *error)
{
    opac_json json;
    TRY(result_begin("evaluate", source, result, &json, error));
    put_inputs(answer, source, &json);
    result_put_params(*result, &json);
    put_found(answer, &json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    result_put_uint(&json, "chain_states", opac_evaluation_states(answer->evaluation));
    result_put_uint(&json, "bottom_components", opac_evaluation_bottoms(answer->evaluation));
    result_put_times(&json, source, answer->seconds);
    opac_json_end_object(&json);
    return result_end(result, &json, error);
}

/* ---- text ---- */

static const char *remark_of(base_json_value found)
{
    const char *bound = result_get_text(found, "bound");
    if (bound == NULL)
        return "";
    return strcmp(bound, "upper") == 0
               ? " (an upper bound: by the policy's own run of its automaton)"
               : " (a lower bound: by the policy's own run of its automaton)";
}

void result_text_of_evaluate(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value found = result_get(result, "result"), inputs = result_get(result, "inputs");
    base_json_value stats = result_get(result, "stats");
    (void)extras;
    opac_output_text(out, "Result: ");
    result_show_interval(out, found);
    opac_output_print(out, "%s\n", remark_of(found));
    result_line_decimal(out, found);
    result_lines_initial(out, found, remark_of(found));
    result_line_precision(out, found);
    opac_output_text(out, "\n");
    result_line_shown(out, "objective", result_get_text(inputs, "objective"));
    result_line_policy(out, result_get_uint(inputs, "decisions"),
                       result_get_uint(inputs, "memory"));
    result_line_model(out, inputs);
    result_line_key(out, "chain");
    result_show_count(out, result_get_uint(stats, "chain_states"), "state");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(stats, "bottom_components"), "bottom component");
    opac_output_text(out, "\n");
    result_line_seconds(out, "evaluated in", result_get_double(stats, "seconds"));
}
