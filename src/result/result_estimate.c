/* SPDX-License-Identifier: MIT */
/* The result of estimate: a probability from samples, and the probability computed from the model. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"
#include "sample/assumptions.h"

enum {
    MOST_DECIMALS = 17,
    SENTENCE_SIZE = OPAC_MESSAGE_SIZE + 80
};

/* ---- comparison with the model ---- */

/* Several initial states are equally likely. */
static double average(const opac_solution *solution, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_solution_interval(solution, i).value;
    return sum / count;
}

/* The same automaton as in opac_estimate. */
static opac_status make_automaton(const opac_objective *objective, const opac_cancel *cancel,
                                  opac_estimate_truth *truth, opac_error *error)
{
    const opac_automaton_options options = {
        .kind = OPAC_KIND_DETERMINISTIC, .acceptance = OPAC_ACCEPTANCE_RABIN, .cancel = cancel};
    opac_status status =
        objective->formula != NULL
            ? opac_automaton_translate(objective->formula, &options, &truth->made, error)
            : opac_automaton_convert(objective->automaton, &options, &truth->made, error);
    truth->automaton = truth->made;
    return status == OPAC_ERROR_CANCELLED ? OPAC_OK : status;
}

opac_status opac_estimate_truth_find(const opac_model *model, const opac_objective *objective,
                                     const opac_check_options *options, opac_estimate_truth *truth,
                                     opac_error *error)
{
    opac_check_options as_estimated = *options;
    opac_error reason = {.code = OPAC_OK};
    *truth = (opac_estimate_truth){.has_model = model != NULL, .probability = NAN};
    if (model == NULL)
        return make_automaton(objective, options->cancel, truth, error);
    as_estimated.kind = OPAC_KIND_DETERMINISTIC;
    opac_status status = opac_check(model, objective, &as_estimated, &truth->solution, &reason);
    if (status == OPAC_OK) {
        truth->probability = average(truth->solution, opac_model_initial_count(model));
        truth->automaton = opac_solution_automaton(truth->solution);
        return OPAC_OK;
    }
    truth->note = reason;
    return status == OPAC_ERROR_MEMORY ? base_fail_memory(error) : OPAC_OK;
}

void opac_estimate_truth_fini(opac_estimate_truth *truth)
{
    opac_solution_free(truth->solution);
    opac_automaton_free(truth->made);
    *truth = (opac_estimate_truth){.probability = NAN};
}

bool opac_estimate_is_contradicted(const opac_estimation *found, const opac_estimate_truth *truth)
{
    return truth->has_model && (truth->probability < found->lower - RESULT_TOLERANCE ||
                                truth->probability > found->upper + RESULT_TOLERANCE);
}

/* ---- the statement ---- */

/* Bound on the distance of the estimate from the probability; NAN if unknown. */
static double error_of(const opac_estimate_answer *a)
{
    const opac_estimation *found = a->found;
    if (found->holds)
        return a->options->width > 0 ? a->options->width : 2 * a->options->epsilon;
    return fmax(found->upper - found->value, found->value - found->lower);
}

static void make_statement(const opac_estimate_answer *a, char *sentence)
{
    const opac_estimation *found = a->found;
    char error[OPAC_NUMBER_SIZE], confidence[OPAC_NUMBER_SIZE];
    opac_number_format_up(error_of(a), 3, error);
    /* 1 - delta without its rounding error (0.9, not 0.899999), and never 1. */
    opac_number_format_down(fmin(found->confidence + 1e-12, nextafter(1, 0)), 6, confidence);
    if (found->is_refuted)
        snprintf(sentence, SENTENCE_SIZE,
                 "no guarantee: the system was declared deterministic, but is not: %s",
                 found->refutation);
    else if (isnan(found->value))
        snprintf(sentence, SENTENCE_SIZE,
                 "no guarantee: the run ended before the first trajectory was complete");
    else if (found->holds)
        snprintf(sentence, SENTENCE_SIZE,
                 "with confidence %s the estimate is within %s of the probability, if T bounds "
                 "the epsilon-recurrence time",
                 confidence, error);
    else
        snprintf(sentence, SENTENCE_SIZE,
                 "the run ended early%s: with confidence %s the estimate is only within %s of the "
                 "probability, if T bounds the epsilon-recurrence time",
                 found->is_full ? " at the memory limit" : "", confidence, error);
}

/* For a model, T is the only assumption. */
static void put_assumptions(const opac_estimate_answer *a, opac_json *json)
{
    char sentence[SENTENCE_SIZE], epsilon[OPAC_NUMBER_SIZE];
    opac_json_key(json, "assumes");
    opac_json_begin_array(json);
    snprintf(sentence, sizeof sentence,
             "T = %" PRIu64 " bounds the %s-recurrence time of the product of chain and automaton",
             a->options->horizon, opac_number_format(a->options->epsilon, epsilon));
    opac_json_string(json, sentence);
    if (a->model == NULL)
        opac_json_string(json, SAMPLE_ASSUMES_INDEPENDENT);
    if (a->options->deterministic)
        opac_json_string(json,
                         "the system is deterministic: it has one initial state, and every state "
                         "has one successor");
    if (a->model == NULL && a->found->has_terminal)
        opac_json_string(json, SAMPLE_ASSUMES_ABSORBING);
    opac_json_end_array(json);
}

/* ---- JSON ---- */

static void put_inputs(const opac_estimate_answer *a, const opac_result_source *source,
                       opac_json *json)
{
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_text(json, "model", source == NULL ? NULL : source->model);
    result_put_text(json, "objective", a->objective);
    if (a->model != NULL) {
        result_put_text(json, "type", opac_model_type_name(opac_model_get_type(a->model)));
        result_put_uint(json, "states", opac_model_states(a->model));
    }
    result_put_uint(json, "automaton_states", a->found->automaton_states);
    opac_json_end_object(json);
}

static void put_guarantee(const opac_estimate_answer *a, opac_json *json)
{
    char sentence[SENTENCE_SIZE];
    bool is_contradicted = opac_estimate_is_contradicted(a->found, a->truth);
    make_statement(a, sentence);
    opac_json_key(json, "guarantee");
    opac_json_begin_object(json);
    result_put_bool(json, "holds", a->found->holds && !is_contradicted);
    result_put_flag(json, "contradicted", is_contradicted);
    result_put_text(json, "statement", sentence);
    result_put_double(json, "error", error_of(a));
    result_put_double(json, "confidence", a->found->confidence);
    put_assumptions(a, json);
    if (a->found->tested != NULL)
        result_put_text(json, "tested", a->found->tested);
    opac_json_end_object(json);
}

static void put_stats(const opac_estimate_answer *a, const opac_result_source *source,
                      opac_json *json)
{
    const opac_estimation *found = a->found;
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_uint(json, "episodes", found->trajectories);
    result_put_uint(json, "won", found->won);
    result_put_count(json, "wanted", &found->wanted);
    result_put_uint(json, "steps", found->steps);
    result_put_uint(json, "states_seen", found->states_seen);
    if (result_has_times(source)) {
        result_put_seconds(json, "read_seconds", source->read_seconds);
        result_put_seconds(json, "seconds", found->seconds);
    }
    opac_json_end_object(json);
}

static void put_truth(const opac_estimate_answer *a, opac_json *json)
{
    if (!a->truth->has_model)
        return;
    opac_json_key(json, "truth");
    opac_json_begin_object(json);
    result_put_double(json, "probability", a->truth->probability);
    if (a->truth->note.code != OPAC_OK)
        result_put_text(json, "note", a->truth->note.message);
    result_put_flag(json, "contradicts", opac_estimate_is_contradicted(a->found, a->truth));
    opac_json_end_object(json);
}

opac_status opac_result_of_estimate(const opac_estimate_answer *answer,
                                    const opac_result_source *source, opac_result **result,
                                    opac_error *error)
{
    opac_json json;
    TRY(result_begin("estimate", source, result, &json, error));
    result_put_uint(&json, "seed", answer->options->seed);
    put_inputs(answer, source, &json);
    result_put_params(*result, &json);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    result_put_double(&json, "value", answer->found->value);
    result_put_double(&json, "lower", answer->found->lower);
    result_put_double(&json, "upper", answer->found->upper);
    opac_json_end_object(&json);
    put_guarantee(answer, &json);
    put_stats(answer, source, &json);
    put_truth(answer, &json);
    if (!result_is_brief(source) && answer->truth->automaton != NULL)
        result_put_automaton(&json, answer->truth->automaton);
    return result_end(result, &json, error);
}

/* ---- text ---- */

/* As many decimals as the width justifies, the same for all three numbers; the ends rounded outward. */
static void write_interval(base_json_value result, opac_output *out)
{
    char shown[OPAC_NUMBER_SIZE] = "unknown", low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    double value = result_get_double(result, "result.value");
    double lower = result_get_double(result, "result.lower");
    double upper = result_get_double(result, "result.upper");
    double decimals = upper > lower ? 3 - floor(log10(upper - lower)) : MOST_DECIMALS;
    double scale = pow(10, fmin(decimals, MOST_DECIMALS));
    if (!isnan(value))
        opac_number_format(fmin(fmax(round(value * scale) / scale, 0), 1), shown);
    opac_number_format(fmax(floor(lower * scale) / scale, 0), low);
    opac_number_format(fmin(ceil(upper * scale) / scale, 1), high);
    opac_output_print(out, "Result: %s [%s, %s]%s\n\n", shown, low, high,
                      result_get_bool(result, "truth.contradicts") ? " (contradicted by the model)"
                                                                   : "");
}

static void write_sizes(base_json_value result, opac_output *out)
{
    result_line_shown(out, "objective", result_get_text(result, "inputs.objective"));
    result_line_model(out, result_get(result, "inputs"));
    result_line_key(out, "automaton");
    result_show_count(out, result_get_uint(result, "inputs.automaton_states"), "state");
    opac_output_text(out, "\n");
    result_line_key(out, "trajectories");
    opac_output_print(out, "%" PRIu64 " of at most %" PRIu64 " transitions, %" PRIu64 " won\n",
                      result_get_uint(result, "stats.episodes"),
                      result_get_uint(result, "params.T"), result_get_uint(result, "stats.won"));
    result_line_key(out, "sampled");
    result_show_count(out, result_get_uint(result, "stats.steps"), "step");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(result, "stats.states_seen"), "state");
    opac_output_text(out, " seen\n");
}

static void write_truth(base_json_value truth, opac_output *out)
{
    double probability = result_get_double(truth, "probability");
    const char *note = result_get_text(truth, "note");
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    if (!isnan(probability)) {
        result_line_key(out, "probability");
        result_show_number(out, probability);
        opac_output_text(out, "\n");
    } else {
        result_line_path(out, "not computed", note == NULL ? "" : note);
    }
    result_line_contradiction(out, truth);
}

void result_text_of_estimate(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value truth = result_get(result, "truth");
    (void)extras;
    write_interval(result, out);
    result_line_wrapped(out, "guarantee", result_get_text(result, "guarantee.statement"));
    result_lines_assumptions(out, result_get(result, "guarantee"),
                             1); /* the statement already names T, the first assumption */
    write_sizes(result, out);
    result_line_seconds(out, "estimated in", result_get_double(result, "stats.seconds"));
    if (base_json_is_there(truth))
        write_truth(truth, out);
}
