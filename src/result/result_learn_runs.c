/* SPDX-License-Identifier: MIT */
/* The results of several runs of a learner: one line each, then a summary. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_learn.h"
#include "result/result_read.h"

/* ---- summary ---- */

void opac_learn_runs_fini(opac_learn_runs *runs)
{
    base_free(runs->steps);
    opac_output_free(runs->automaton);
    *runs = (opac_learn_runs){.count = 0};
}

static opac_status grow(opac_learn_runs *runs, opac_error *error)
{
    if (runs->count < runs->capacity)
        return OPAC_OK;
    uint64_t capacity = 2 * runs->capacity + 64;
    uint64_t *steps = base_allocate(runs->steps, capacity * sizeof *steps, false);
    if (steps == NULL)
        return base_fail_memory(error);
    runs->steps = steps;
    runs->capacity = capacity;
    return OPAC_OK;
}

/* The automaton is kept as text because the last run may fail and leave none for the summary. */
static opac_status keep_automaton(opac_learn_runs *runs, const opac_learning *learning,
                                  opac_error *error)
{
    if (runs->automaton != NULL)
        return OPAC_OK;
    TRY(opac_output_open_memory(&runs->automaton, error));
    opac_automaton_write_hoa(opac_learning_automaton(learning), runs->automaton);
    return opac_output_failed(runs->automaton) ? opac_output_commit(runs->automaton, error)
                                               : OPAC_OK;
}

/* With T, a run without a guarantee counts as kept; a bracket without an error does not. */
static bool is_within(const opac_learn_report *report, double gap)
{
    return isnan(report->error) ? !report->is_bracket : gap <= report->error + RESULT_TOLERANCE;
}

static void count_truth(opac_learn_runs *runs, const opac_learn_report *report,
                        const opac_learn_truth *truth)
{
    double gap = truth->optimum - truth->policy;
    if (isnan(gap))
        return;
    runs->judged++;
    runs->within += is_within(report, gap);
    runs->best += gap <= RESULT_TOLERANCE;
    runs->worst = fmax(runs->worst, gap);
}

static void count_bracket(opac_learn_runs *runs, const opac_learn_report *report, double optimum)
{
    if (!result_has_bracket(report) || isnan(optimum))
        return;
    runs->brackets++;
    runs->containing +=
        optimum >= report->lower - RESULT_TOLERANCE && optimum <= report->upper + RESULT_TOLERANCE;
}

opac_status opac_learn_runs_add(opac_learn_runs *runs, const opac_learn_answer *answer,
                                opac_error *error)
{
    const opac_learn_report *report = opac_learning_report(answer->learning);
    bool is_first = runs->count == 0;
    TRY(grow(runs, error));
    TRY(keep_automaton(runs, answer->learning, error));
    if (is_first)
        runs->first_seed = answer->options->seed;
    runs->steps[runs->count++] = report->steps;
    runs->values[0] = is_first ? report->value : fmin(runs->values[0], report->value);
    runs->values[1] += report->value;
    runs->values[2] = is_first ? report->value : fmax(runs->values[2], report->value);
    runs->seconds += report->seconds;
    runs->holding += opac_learn_holds(answer);
    runs->contradicted += opac_learn_is_contradicted(answer);
    runs->refuted += report->end == OPAC_END_REFUTED;
    runs->yes += report->answer == OPAC_ANSWER_YES;
    runs->no += report->answer == OPAC_ANSWER_NO;
    runs->undecided += report->answer == OPAC_ANSWER_UNDECIDED;
    runs->last = *report;
    count_truth(runs, report, answer->truth);
    count_bracket(runs, report, answer->truth->optimum);
    return OPAC_OK;
}

/* ---- JSON ---- */

opac_status opac_result_of_learn_run(const opac_learn_answer *answer,
                                     const opac_result_source *source, opac_result **result,
                                     opac_error *error)
{
    opac_json json;
    TRY(result_begin("learn", source, result, &json, error));
    result_put_uint(&json, "seed", answer->options->seed);
    result_put_learn_findings(&json, answer, source);
    return result_end(result, &json, error);
}

static int compare_steps(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b ? 1 : 0;
}

static double mean_steps(const opac_learn_runs *runs)
{
    double sum = 0;
    for (uint64_t i = 0; i < runs->count; i++)
        sum += (double)runs->steps[i];
    return sum / (double)runs->count;
}

/* Steps: minimum, lower quartile, median, upper quartile, maximum. */
static void put_values(opac_json *json, const opac_learn_runs *runs)
{
    opac_json_key(json, "value");
    opac_json_begin_object(json);
    result_put_double(json, "min", runs->values[0]);
    result_put_double(json, "mean", runs->values[1] / (double)runs->count);
    result_put_double(json, "max", runs->values[2]);
    opac_json_end_object(json);
    opac_json_key(json, "steps");
    opac_json_begin_array(json);
    for (uint64_t quarter = 0; quarter <= 4; quarter++)
        opac_json_uint(json, runs->steps[(runs->count - 1) * quarter / 4]);
    opac_json_end_array(json);
    if (runs->last.is_bracket)
        result_put_double(json, "mean_steps", mean_steps(runs));
}

static void put_judged(opac_json *json, const opac_learn_runs *runs, const opac_learn_truth *truth)
{
    if (truth->model == NULL)
        return;
    result_put_double(json, "optimum", truth->optimum);
    result_put_uint(json, "judged", runs->judged);
    result_put_uint(json, "within", runs->within);
    if (runs->last.is_bracket) {
        result_put_uint(json, "brackets", runs->brackets);
        result_put_uint(json, "containing", runs->containing);
    }
    result_put_uint(json, "optimal", runs->best);
    result_put_double(json, "worst", runs->judged > 0 ? runs->worst : NAN);
    if (runs->judged == 0 && truth->note.code != OPAC_OK)
        result_put_text(json, "note", truth->note.message);
}

static void put_answers(opac_json *json, const opac_learn_runs *runs)
{
    if (runs->last.answer == OPAC_ANSWER_NONE)
        return;
    result_put_uint(json, "yes", runs->yes);
    result_put_uint(json, "no", runs->no);
    result_put_uint(json, "undecided", runs->undecided);
}

static void put_summary(opac_json *json, const opac_learn_runs *runs, const opac_learn_truth *truth,
                        const opac_result_source *source)
{
    opac_json_key(json, "summary");
    opac_json_begin_object(json);
    result_put_uint(json, "runs", runs->count);
    result_put_uint(json, "holds", runs->holding);
    if (runs->last.is_bracket)
        result_put_uint(json, "refuted", runs->refuted);
    if (runs->contradicted > 0)
        result_put_uint(json, "contradicted", runs->contradicted);
    put_answers(json, runs);
    put_values(json, runs);
    put_judged(json, runs, truth);
    if (result_has_times(source))
        result_put_seconds(json, "seconds", runs->seconds);
    opac_json_end_object(json);
}

opac_status opac_result_of_learn_runs(opac_learn_runs *runs, const opac_learn_answer *answer,
                                      const opac_result_source *source, opac_result **result,
                                      opac_error *error)
{
    const opac_learn_answer all = {.options = answer->options,
                                   .model = answer->model,
                                   .objective = answer->objective,
                                   .truth = answer->truth};
    opac_json json;
    qsort(runs->steps, runs->count, sizeof *runs->steps, compare_steps);
    TRY(result_begin("learn", source, result, &json, error));
    result_put_uint(&json, "seed", runs->first_seed);
    result_put_learn_inputs(&json, &all, &runs->last, source);
    result_put_learn_params(&json, all.options, &runs->last, *result);
    put_summary(&json, runs, all.truth, source);
    if (!result_is_brief(source))
        result_put_bytes(&json, "automaton", runs->automaton);
    return result_end(result, &json, error);
}

/* ---- text ---- */

void result_text_of_learn_run(opac_output *out, base_json_value result)
{
    double truth = result_get_double(result, "truth.policy");
    const char *answer = result_get_text(result, "result.answer");
    result_show_learned(out, result);
    opac_output_print(out, "  seed %" PRIu64 ", ", result_get_uint(result, "seed"));
    result_show_count(out, result_get_uint(result, "stats.steps"), "step");
    if (answer != NULL)
        opac_output_print(out, "; %s", answer);
    if (!isnan(truth)) {
        opac_output_text(out, "; true: ");
        result_show_number(out, truth);
    }
    opac_output_text(out, "\n");
}

/* "3 of 5 runs" */
static void write_share(opac_output *out, const char *key, uint64_t share, uint64_t all,
                        const char *noun)
{
    result_line_key(out, key);
    opac_output_print(out, "%" PRIu64 " of %" PRIu64 " %s", share, all, noun);
}

/* The number of runs whose bracket contains the optimal probability. */
static void write_brackets(opac_output *out, base_json_value summary)
{
    uint64_t brackets = result_get_uint(summary, "brackets");
    if (brackets > 0) {
        write_share(out, "brackets", result_get_uint(summary, "containing"), brackets,
                    "contain the optimum\n");
        return;
    }
    result_line_key(out, "brackets");
    opac_output_text(out, "no run has one\n");
}

static void write_truth(opac_output *out, base_json_value summary)
{
    uint64_t judged = result_get_uint(summary, "judged");
    const char *note = result_get_text(summary, "note");
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    if (judged == 0) {
        result_line_path(out, "not computed", note == NULL ? "" : note);
        return;
    }
    result_line_key(out, "optimal policy");
    result_show_number(out, result_get_double(summary, "optimum"));
    opac_output_text(out, "\n");
    if (base_json_is_there(result_get(summary, "brackets")))
        write_brackets(out, summary);
    else
        write_share(out, "within the error", result_get_uint(summary, "within"), judged, "runs\n");
    write_share(out, "optimal policies", result_get_uint(summary, "optimal"), judged, "runs");
    opac_output_text(out, "; the worst policy is ");
    result_show_number(out, result_get_double(summary, "worst"));
    opac_output_text(out, " below the optimum\n");
}

static void write_counts(opac_output *out, base_json_value summary)
{
    uint64_t refuted = result_get_uint(summary, "refuted");
    uint64_t contradicted = result_get_uint(summary, "contradicted");
    result_line_key(out, "runs");
    opac_output_print(out, "%" PRIu64 " in total, %" PRIu64 " with a guarantee",
                      result_get_uint(summary, "runs"), result_get_uint(summary, "holds"));
    if (refuted > 0)
        opac_output_print(out, "; %" PRIu64 " refuted an assumption", refuted);
    if (contradicted > 0)
        opac_output_print(out, "; %" PRIu64 " contradicted by the model", contradicted);
    opac_output_text(out, "\n");
}

/* "3 yes, 1 no, 1 undecided" */
static void write_answers(opac_output *out, base_json_value result)
{
    base_json_value summary = result_get(result, "summary");
    if (!base_json_is_there(result_get(summary, "yes")))
        return;
    result_line_question(out, result);
    opac_output_print(out, "%" PRIu64 " yes, %" PRIu64 " no, %" PRIu64 " undecided\n",
                      result_get_uint(summary, "yes"), result_get_uint(summary, "no"),
                      result_get_uint(summary, "undecided"));
}

static void write_numbers(opac_output *out, base_json_value summary)
{
    double mean = result_get_double(summary, "mean_steps");
    base_json_value steps = result_get(summary, "steps");
    result_line_key(out, "values");
    result_show_number(out, result_get_double(summary, "value.min"));
    opac_output_text(out, " to ");
    result_show_number(out, result_get_double(summary, "value.max"));
    opac_output_text(out, ", on average ");
    result_show_number(out, result_get_double(summary, "value.mean"));
    opac_output_text(out, "\n");
    result_line_key(out, "steps");
    opac_output_print(out, "%" PRIu64 " to %" PRIu64, result_uint_of(result_item(steps, 0)),
                      result_uint_of(result_item(steps, 4)));
    if (!isnan(mean)) {
        opac_output_text(out, ", on average ");
        result_show_number(out, mean);
    }
    opac_output_print(out, "; quartiles %" PRIu64 ", %" PRIu64 ", %" PRIu64 "\n",
                      result_uint_of(result_item(steps, 1)), result_uint_of(result_item(steps, 2)),
                      result_uint_of(result_item(steps, 3)));
}

void result_text_of_learn_runs(opac_output *out, base_json_value result)
{
    base_json_value summary = result_get(result, "summary");
    opac_output_text(out, "\n");
    write_counts(out, summary);
    write_answers(out, result);
    write_numbers(out, summary);
    result_line_seconds(out, "learned in", result_get_double(summary, "seconds"));
    if (base_json_is_there(result_get(summary, "judged")))
        write_truth(out, summary);
}
