/* SPDX-License-Identifier: MIT */
/* The result of bound: the number of samples for omega-PAC, by each rule, and for a bracket from T. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>
#include <omegapac/text.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

static const double forecast_rate = 1e8; /* steps a second of one core */

/* ---- the answer ---- */

typedef struct answer {
    opac_bound_params params;
    opac_bound_guarantee rules[OPAC_K_RULES]; /* by opac_k_rule */
    opac_bound_guarantee chosen; /* that of the chosen rule, for the target, or the given number */
    double slack;                /* 0 if not given */
    opac_count episodes;         /* with slack: upper bound on their expected number */
    bool has_bracket;
    opac_bound_bracket bracket; /* from T, of the width `target` or 4 epsilon */
} answer;

/* Refuses a value because of another one: "slack must be above c, which with this k is 0.05". */
static opac_status contradiction(opac_error *error, const char *parameter, const char *rule,
                                 double limit)
{
    char number[OPAC_NUMBER_SIZE];
    return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, parameter, "%s must be %s %s", parameter,
                               rule, opac_number_format(limit, number));
}

/* The k of rule l1 for c = target/2 - epsilon. */
static opac_status count_for_target(const opac_bound_question *question, opac_count *k,
                                    opac_error *error)
{
    double accuracy = question->target / 2 - question->params.epsilon;
    if (!(accuracy > 0))
        return contradiction(error, "target", "above 2 epsilon, which is",
                             2 * question->params.epsilon);
    return opac_bound_k_for_accuracy(&question->params, accuracy, k, error);
}

static opac_status choose(const opac_bound_question *question, answer *a, opac_error *error)
{
    opac_count k = opac_count_of(question->k);
    if (question->target > 0)
        TRY(count_for_target(question, &k, error));
    else if (question->k == 0)
        k = a->rules[question->k_rule].k;
    return opac_bound_guarantee_for(&a->params, &k, &a->chosen, error);
}

/* There is none if 4 epsilon is at least 1, or if T is too large. */
static opac_status find_bracket(const opac_bound_question *question, answer *a, opac_error *error)
{
    double target = question->target > 0 ? question->target : 4 * question->params.epsilon;
    a->has_bracket = target < 1 && a->params.horizon <= OPAC_MAX_BRACKET_T;
    return a->has_bracket ? opac_bound_bracket_for(&a->params, target, &a->bracket, error)
                          : OPAC_OK;
}

static opac_status find(const opac_bound_question *question, answer *a, opac_error *error)
{
    *a = (answer){.params = question->params, .slack = question->slack};
    if (a->params.branching == 0)
        a->params.branching = a->params.states;
    if (a->params.branching > a->params.states)
        return contradiction(error, "branching", "at most the number of states, which is",
                             (double)a->params.states);
    for (int rule = 0; rule < OPAC_K_RULES; rule++) {
        opac_count k;
        TRY(opac_bound_k(&a->params, (opac_k_rule)rule, &k, error));
        TRY(opac_bound_guarantee_for(&a->params, &k, &a->rules[rule], error));
    }
    TRY(choose(question, a, error));
    TRY(find_bracket(question, a, error));
    if (a->slack == 0)
        return OPAC_OK;
    if (a->slack <= a->chosen.accuracy)
        return contradiction(error, "slack", "above c, which with this k is", a->chosen.accuracy);
    return opac_bound_episodes(&a->chosen, a->slack, &a->episodes, error);
}

/* ---- JSON ---- */

static void put_rules(const answer *a, opac_json *json)
{
    opac_json_key(json, "rules");
    opac_json_begin_object(json);
    for (int rule = 0; rule < OPAC_K_RULES; rule++) {
        opac_json_key(json, opac_k_rule_name((opac_k_rule)rule));
        opac_json_begin_object(json);
        opac_bound_guarantee_write(&a->rules[rule], json);
        opac_json_end_object(json);
    }
    opac_json_end_object(json);
}

static void put_bracket(const answer *a, opac_json *json)
{
    opac_json_key(json, "bracket");
    if (!a->has_bracket) {
        opac_json_null(json);
        return;
    }
    opac_json_begin_object(json);
    opac_bound_bracket_write(&a->bracket, json);
    opac_json_end_object(json);
}

static void put_forecast(const answer *a, opac_json *json)
{
    opac_json_key(json, "forecast");
    opac_json_begin_object(json);
    result_put_double(json, "steps_per_second", forecast_rate);
    result_put_double(json, "samples_seconds", a->chosen.samples.approximate / forecast_rate);
    result_put_double(json, "C_seconds", a->chosen.policy_steps.approximate / forecast_rate);
    if (a->slack > 0) {
        opac_count steps = opac_count_times(&a->episodes, a->params.horizon);
        result_put_count(json, "steps_with_slack", &steps);
        result_put_double(json, "slack_seconds", steps.approximate / forecast_rate);
    }
    opac_json_end_object(json);
}

opac_status opac_result_of_bound(const opac_bound_question *question,
                                 const opac_result_source *source, opac_result **result,
                                 opac_error *error)
{
    answer a;
    opac_json json;
    TRY(find(question, &a, error));
    TRY(result_begin("bound", source, result, &json, error));
    result_put_params(*result, &json);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    opac_bound_guarantee_write(&a.chosen, &json);
    result_put_uint(&json, "branching", a.params.branching);
    if (a.slack > 0) {
        result_put_double(&json, "error_with_slack", a.chosen.error + a.slack);
        result_put_count(&json, "episodes", &a.episodes);
    }
    put_rules(&a, &json);
    put_bracket(&a, &json);
    opac_json_end_object(&json);
    put_forecast(&a, &json);
    return result_end(result, &json, error);
}

/* ---- text ---- */

enum {
    PROMISED_DIGITS = 3, /* of an error, rounded up because it is guaranteed */
    CONFIDENCE_DIGITS = 6,
    COLUMNS = 5, /* rule, k, error, samples, C */
    MOST_ROWS = OPAC_K_RULES + 2
};

typedef struct row {
    char cells[COLUMNS][OPAC_COUNT_SIZE];
} row;

/* A text that does not fit ends in "...", since a truncated number would be a different number. */
static void copy_text(char *cell, const char *text)
{
    opac_text_show(text, strlen(text), cell, OPAC_COUNT_SIZE);
}

static void copy_digits(char *cell, base_json_value offer, const char *key)
{
    const char *digits = result_get_digits(offer, key);
    copy_text(cell, digits == NULL ? "unknown" : digits);
}

static row row_of(const char *name, base_json_value offer)
{
    row r = {0};
    char number[OPAC_NUMBER_SIZE];
    double error = result_get_double(offer, "error");
    copy_text(r.cells[0], name);
    copy_digits(r.cells[1], offer, "k");
    copy_text(r.cells[2], result_format_up(error, PROMISED_DIGITS, number));
    copy_digits(r.cells[3], offer, "samples");
    copy_digits(r.cells[4], offer, "C");
    return r;
}

static int column_width(const row *rows, size_t count, int column)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (strlen(rows[i].cells[column]) > width)
            width = strlen(rows[i].cells[column]);
    return (int)width;
}

static void write_rows(opac_output *out, const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        opac_output_print(out, "%-*s", column_width(rows, count, 0), rows[i].cells[0]);
        for (int column = 1; column < COLUMNS; column++)
            opac_output_print(out, "   %*s", column_width(rows, count, column),
                              rows[i].cells[column]);
        opac_output_text(out, "\n");
    }
}

/* How k was chosen: a rule, "target" or "number". */
static const char *choice_of(base_json_value result)
{
    const char *rule = result_get_text(result, "params.k_rule");
    if (!isnan(result_get_double(result, "params.target")))
        return "target";
    return rule != NULL ? rule : "l1";
}

static bool is_rule(const char *choice)
{
    opac_k_rule rule;
    return opac_k_rule_parse(choice, &rule, NULL) == OPAC_OK;
}

static void write_table(opac_output *out, base_json_value result)
{
    row rows[MOST_ROWS] = {{{"rule", "k", "error", "samples k*N*K", "C (as published)"}}};
    size_t count = 1;
    const char *choice = choice_of(result);
    for (int rule = 0; rule < OPAC_K_RULES; rule++) {
        const char *name = opac_k_rule_name((opac_k_rule)rule);
        rows[count++] = row_of(name, result_get(result_get(result, "result.rules"), name));
    }
    if (!is_rule(choice))
        rows[count++] = row_of(choice, result_get(result, "result"));
    write_rows(out, rows, count);
}

/* Seconds beyond the largest double are null in JSON. */
static void write_forecast(opac_output *out, const char *what, const char *steps, double seconds)
{
    char duration[OPAC_QUANTITY_SIZE];
    if (steps == NULL)
        return;
    opac_output_print(
        out, "%s: %s;\n  at 10^8 steps a second: %s\n", what, steps,
        opac_duration_format(isnan(seconds) ? DBL_MAX : seconds, duration, sizeof duration));
}

/* 1 - delta, rounded down; as a difference where all its digits would be nines. */
static void write_confidence(opac_output *out, double delta)
{
    char number[OPAC_NUMBER_SIZE];
    if (delta < 1e-5)
        opac_output_print(out, "1 - %s", opac_number_format_up(delta, CONFIDENCE_DIGITS, number));
    else
        opac_output_text(out, result_format_down(1 - delta, CONFIDENCE_DIGITS, number));
}

static void write_promise(opac_output *out, base_json_value result)
{
    char error[OPAC_NUMBER_SIZE];
    double total = result_get_double(result, "result.error_with_slack");
    if (isnan(total))
        total = result_get_double(result, "result.error");
    if (!(total < 1)) {
        opac_output_text(out, "This gives no guarantee: the error is at least 1.\n");
        return;
    }
    opac_output_print(
        out,
        "If T bounds the recurrence time, the policy is within %s of the optimum with\n"
        "confidence ",
        opac_number_format_up(total, PROMISED_DIGITS, error));
    write_confidence(out, result_get_double(result, "params.delta"));
    opac_output_text(out, ".\n");
}

/* "If …: 8568"; numbers that are not there are unknown. */
static void write_cost(opac_output *out, base_json_value bracket, const char *before,
                       const char *episodes, const char *after, const char *steps)
{
    const char *counted = result_get_digits(bracket, episodes);
    const char *total = result_get_digits(bracket, steps);
    opac_output_print(out, "%s%s episodes of T steps%s: %s\n", before,
                      counted == NULL ? "unknown" : counted, after,
                      total == NULL ? "unknown" : total);
}

/* The range of its cost. A result of an earlier version has no member `bracket`. */
static void write_bracket(opac_output *out, base_json_value bracket, double epsilon)
{
    if (!base_json_is_there(bracket))
        return;
    if (base_json_kind_of(bracket) != BASE_JSON_OBJECT) {
        opac_output_text(out, 4 * epsilon < 1
                                  ? "\nA bracket from T needs a T of at most 2^51.\n"
                                  : "\nA bracket from T would be 4 epsilon wide, which is not "
                                    "below 1.\n");
        return;
    }
    opac_output_text(out, "\nA bracket from T that is ");
    result_show_number(out, result_get_double(bracket, "target"));
    opac_output_text(out, " wide, in place of omega-PAC, takes a number of steps\nthat depends on "
                          "how many pairs matter and how often an episode reaches them:\n");
    write_cost(out, bracket, "If the optimum is 1, for a policy that wins ", "episodes", "",
               "least_steps");
    write_cost(out, bracket, "If all N*K pairs matter, each in ", "visits", " (an estimate)",
               "most_steps");
}

void result_text_of_bound(base_json_value result, const result_extras *extras, opac_output *out)
{
    const char *k = result_get_digits(result, "result.k"), *choice = choice_of(result);
    (void)extras;
    opac_output_print(out, "Result: %s sample%s of each state-action pair (%s",
                      k == NULL ? "unknown" : k, k != NULL && strcmp(k, "1") == 0 ? "" : "s",
                      is_rule(choice) ? "rule " : "");
    result_show(out, strcmp(choice, "number") == 0 ? "as given" : choice);
    opac_output_text(out, ")\n\n");
    write_table(out, result);
    opac_output_text(out, "\n");
    write_promise(out, result);
    write_forecast(out, "Samples of all N*K state-action pairs (a run may need fewer)",
                   result_get_digits(result, "result.samples"),
                   result_get_double(result, "forecast.samples_seconds"));
    write_forecast(out, "Expected steps with the slack, if known pairs are accurate",
                   result_get_digits(result, "forecast.steps_with_slack"),
                   result_get_double(result, "forecast.slack_seconds"));
    write_forecast(out, "Steps with a policy that is not 9 epsilon-optimal, as published (C)",
                   result_get_digits(result, "result.C"),
                   result_get_double(result, "forecast.C_seconds"));
    write_bracket(out, result_get(result, "result.bracket"),
                  result_get_double(result, "params.epsilon"));
}
