/* SPDX-License-Identifier: MIT */
/* omegapac bound: what a guarantee costs, by each rule, before anything is sampled. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/bound.h>
#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/result.h"

enum {
    RULES = 3
};

static const double forecast_rate = 1e8; /* steps a second, what one core of today does */

typedef struct bound_result {
    opac_bound_params params;
    opac_bound_offer rules[RULES]; /* by opac_k_rule */
    opac_bound_offer chosen;       /* one of them, or by --target, or a number given */
    const char *chosen_name;
    bool has_slack;
    double slack;
    opac_count episodes; /* with slack: the expected number of them at most */
} bound_result;

static opac_bound_params params_of(const cli_arguments *arguments)
{
    const cli_value *values = arguments->values;
    return (opac_bound_params){.states = values[CLI_STATES].count,
                               .actions = values[CLI_ACTIONS].count,
                               .horizon = values[CLI_HORIZON].count,
                               .epsilon = values[CLI_EPSILON].number,
                               .delta = values[CLI_DELTA].number,
                               .branching = values[CLI_BRANCHING].given
                                                ? values[CLI_BRANCHING].count
                                                : values[CLI_STATES].count};
}

/* A value that another one rules out: "--slack must be above c, which is 0.05". */
static opac_status contradiction(opac_error *error, const char *rule, double limit)
{
    char number[OPAC_NUMBER_SIZE];
    *error = (opac_error){.code = OPAC_ERROR_ARGUMENT};
    snprintf(error->message, sizeof error->message, "%s %s", rule,
             opac_number_format(limit, number));
    return error->code;
}

/* --target E: the k of rule l1 for c = E/2 - epsilon. */
static opac_status offer_for_target(const cli_arguments *arguments, bound_result *result,
                                    opac_error *error)
{
    double accuracy = arguments->values[CLI_TARGET].number / 2 - result->params.epsilon;
    opac_count k;
    if (!(accuracy > 0))
        return contradiction(error, "--target must be above 2 epsilon, which is",
                             2 * result->params.epsilon);
    result->chosen_name = "target";
    opac_status status = opac_bound_k_for_accuracy(&result->params, accuracy, &k, error);
    return status == OPAC_OK ? opac_bound_offer_for(&result->params, &k, &result->chosen, error)
                             : status;
}

static opac_status offer_for_k(const cli_value *k, bound_result *result, opac_error *error)
{
    if (k->word == NULL) {
        opac_count count = opac_count_of(k->count);
        result->chosen_name = "number";
        return opac_bound_offer_for(&result->params, &count, &result->chosen, error);
    }
    opac_k_rule rule;
    opac_status status = opac_k_rule_parse(k->word, &rule, error);
    if (status != OPAC_OK)
        return status;
    result->chosen_name = k->word;
    result->chosen = result->rules[rule];
    return OPAC_OK;
}

static opac_status add_slack(double slack, bound_result *result, opac_error *error)
{
    if (slack <= result->chosen.accuracy)
        return contradiction(error, "--slack must be above c, which with this k is",
                             result->chosen.accuracy);
    result->has_slack = true;
    result->slack = slack;
    return opac_bound_episodes(&result->chosen, slack, &result->episodes, error);
}

static opac_status compute(const cli_arguments *arguments, bound_result *result, opac_error *error)
{
    const cli_value *values = arguments->values;
    opac_status status = OPAC_OK;
    *result = (bound_result){.params = params_of(arguments)};
    if (result->params.branching > result->params.states)
        return contradiction(error, "--branching must be at most the number of states, which is",
                             (double)result->params.states);
    for (int rule = 0; rule < RULES && status == OPAC_OK; rule++) {
        opac_count k;
        status = opac_bound_k(&result->params, (opac_k_rule)rule, &k, error);
        if (status == OPAC_OK)
            status = opac_bound_offer_for(&result->params, &k, &result->rules[rule], error);
    }
    if (status == OPAC_OK)
        status = values[CLI_TARGET].given ? offer_for_target(arguments, result, error)
                                          : offer_for_k(&values[CLI_K], result, error);
    if (status == OPAC_OK && values[CLI_SLACK].given)
        status = add_slack(values[CLI_SLACK].number, result, error);
    return status;
}

static double total_error(const bound_result *result)
{
    return result->chosen.error + (result->has_slack ? result->slack : 0);
}

/* ---- text ---- */

enum {
    PROMISED_DIGITS = 3, /* of an error, rounded up: what is printed is promised */
    CONFIDENCE_DIGITS = 6
};

/* One line of the table: rule, k, error, samples, C. */
enum {
    COLUMNS = 5,
    MOST_ROWS = RULES + 2
};

typedef struct row {
    char cells[COLUMNS][OPAC_COUNT_SIZE];
} row;

static row heading(void)
{
    return (row){{"rule", "k", "error", "samples k*N*K", "C (as published)"}};
}

static row row_of(const char *name, const opac_bound_offer *offer)
{
    row r;
    snprintf(r.cells[0], sizeof r.cells[0], "%s", name);
    opac_count_text(&offer->k, r.cells[1]);
    opac_number_format_up(offer->error, PROMISED_DIGITS, r.cells[2]);
    opac_count_text(&offer->samples, r.cells[3]);
    opac_count_text(&offer->policy_steps, r.cells[4]);
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

static bool is_rule(const bound_result *result)
{
    opac_k_rule rule;
    return opac_k_rule_parse(result->chosen_name, &rule, NULL) == OPAC_OK;
}

static void write_table(opac_output *out, const bound_result *result)
{
    row rows[MOST_ROWS] = {heading()};
    size_t count = 1;
    for (int rule = 0; rule < RULES; rule++)
        rows[count++] = row_of(opac_k_rule_name((opac_k_rule)rule), &result->rules[rule]);
    if (!is_rule(result))
        rows[count++] = row_of(result->chosen_name, &result->chosen);
    write_rows(out, rows, count);
}

static void write_forecast(opac_output *out, const char *what, const opac_count *steps)
{
    char count[OPAC_COUNT_SIZE], duration[OPAC_QUANTITY_SIZE];
    double seconds = fmin(steps->approximate / forecast_rate, DBL_MAX); /* long, not for ever */
    opac_output_print(out, "%s: %s;\n  at 10^8 steps a second: %s\n", what,
                      opac_count_text(steps, count),
                      opac_duration_format(seconds, duration, sizeof duration));
}

/* 1 - delta, rounded down; as a difference where all its digits would be nines. */
static void write_confidence(opac_output *out, double delta)
{
    char number[OPAC_NUMBER_SIZE];
    if (delta < 1e-5)
        opac_output_print(out, "1 - %s", opac_number_format_up(delta, CONFIDENCE_DIGITS, number));
    else
        opac_output_text(out, opac_number_format_down(1 - delta, CONFIDENCE_DIGITS, number));
}

static void write_promise(opac_output *out, const bound_result *result)
{
    char error[OPAC_NUMBER_SIZE];
    double total = total_error(result);
    if (total >= 1) {
        opac_output_text(out, "That promises nothing: the error is 1 or more.\n");
        return;
    }
    opac_output_print(out,
                      "If T bounds the recurrence time, the policy is within %s of the best with\n"
                      "probability at least ",
                      opac_number_format_up(total, PROMISED_DIGITS, error));
    write_confidence(out, result->params.delta);
    opac_output_text(out, ".\n");
}

static void write_text(const void *of, const cli_arguments *arguments, opac_output *out)
{
    (void)arguments;
    const bound_result *result = of;
    char k[OPAC_COUNT_SIZE];
    bool given = strcmp(result->chosen_name, "number") == 0;
    opac_output_print(out, "Result: %s sample%s of each state-action pair (%s%s)\n\n",
                      opac_count_text(&result->chosen.k, k), result->chosen.k.value == 1 ? "" : "s",
                      is_rule(result) ? "rule " : "", given ? "as given" : result->chosen_name);
    write_table(out, result);
    opac_output_text(out, "\n");
    write_promise(out, result);
    write_forecast(out, "Samples of all N*K pairs (a run may need fewer)", &result->chosen.samples);
    if (result->has_slack) {
        opac_count steps = opac_count_times(&result->episodes, result->params.horizon);
        write_forecast(out, "Steps expected with the slack, known pairs being accurate", &steps);
    }
    write_forecast(out, "Steps with a policy worse than 9 epsilon, as published (C)",
                   &result->chosen.policy_steps);
}

/* ---- JSON ---- */

static void write_seconds(opac_json *json, const char *key, const opac_count *steps)
{
    opac_json_key(json, key);
    opac_json_double(json, steps->approximate / forecast_rate);
}

static void write_json(const void *of, const cli_arguments *arguments, opac_output *out)
{
    const bound_result *result = of;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    cli_echo_params(arguments, &json);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    opac_bound_offer_write(&result->chosen, &json);
    opac_json_key(&json, "branching");
    opac_json_uint(&json, result->params.branching);
    if (result->has_slack) {
        char text[OPAC_COUNT_SIZE];
        opac_json_key(&json, "error_with_slack");
        opac_json_double(&json, total_error(result));
        opac_json_key(&json, "episodes");
        opac_json_number(&json, opac_count_text(&result->episodes, text));
    }
    opac_json_key(&json, "rules");
    opac_json_begin_object(&json);
    for (int rule = 0; rule < RULES; rule++) {
        opac_json_key(&json, opac_k_rule_name((opac_k_rule)rule));
        opac_json_begin_object(&json);
        opac_bound_offer_write(&result->rules[rule], &json);
        opac_json_end_object(&json);
    }
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_json_key(&json, "forecast");
    opac_json_begin_object(&json);
    opac_json_key(&json, "steps_per_second");
    opac_json_double(&json, forecast_rate);
    write_seconds(&json, "samples_seconds", &result->chosen.samples);
    write_seconds(&json, "C_seconds", &result->chosen.policy_steps);
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

cli_exit cli_run_bound(const cli_arguments *arguments)
{
    bound_result result;
    opac_error error;
    if (compute(arguments, &result, &error) != OPAC_OK)
        return cli_report(arguments->command, &error);
    return cli_write_result(arguments, &result, write_text, write_json);
}
