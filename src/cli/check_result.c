/* SPDX-License-Identifier: MIT */
/* omegapac check: results in words and in JSON. */
#include <inttypes.h>

#include <omegapac/quantity.h>

#include "cli/automata.h"
#include "cli/check.h"
#include "cli/grid.h"
#include "cli/intervals.h"
#include "cli/lines.h"
#include "cli/policy_files.h"
#include "cli/result.h"

static const char *verdict_word(opac_verdict verdict)
{
    static const char *const words[] = {"", "true", "false", "undecided"};
    return words[verdict];
}

/* A bound that the graph decided, so that no number was computed. */
static bool is_by_graph(const cli_check_outcome *o)
{
    opac_verdict verdict = opac_solution_verdict(o->solution);
    return (verdict == OPAC_VERDICT_TRUE || verdict == OPAC_VERDICT_FALSE) &&
           !opac_solution_is_precise(o->solution);
}

/* ---- text ---- */

static void write_name(const cli_check_outcome *o, opac_output *out)
{
    if (*o->given->name != '\0') {
        opac_output_text(out, "\"");
        cli_write_shown(out, o->given->name);
        opac_output_text(out, "\": ");
    }
    cli_write_shown(out, o->given->text);
}

static void write_interval(const cli_check_outcome *o, uint32_t index, opac_output *out)
{
    cli_interval_write(opac_solution_interval(o->solution, index),
                       opac_solution_fraction(o->solution, index), out);
    if (opac_solution_is_bound(o->solution))
        opac_output_text(out, " (a lower bound)");
    opac_output_text(out, "\n");
}

/* The line to grep for, and what stands behind a verdict. */
static void write_answer(const cli_check_outcome *o, opac_output *out)
{
    opac_verdict verdict = opac_solution_verdict(o->solution);
    opac_output_text(out, "Result: ");
    if (verdict != OPAC_VERDICT_NONE) {
        opac_output_print(out, "%s\n", verdict_word(verdict));
        cli_write_key(out, "probability");
    }
    if (is_by_graph(o))
        opac_output_text(out, "decided by the graph, not computed\n");
    else
        write_interval(o, 0, out);
    cli_interval_write_decimal(opac_solution_interval(o->solution, 0),
                               opac_solution_fraction(o->solution, 0), out);
}

static void write_initial(const cli_check *c, const cli_check_outcome *o, opac_output *out)
{
    const opac_model *model = c->model.model;
    uint32_t count = opac_model_initial_count(model);
    for (uint32_t i = 0; i < count && count > 1 && !is_by_graph(o); i++) {
        cli_write_key(out, "from");
        opac_model_write_state(model, opac_model_initial(model, i), out);
        opac_output_text(out, ": ");
        write_interval(o, i, out);
    }
}

static void write_sizes(const cli_check *c, const cli_check_outcome *o, opac_output *out)
{
    opac_solution_stats stats = opac_solution_get_stats(o->solution);
    cli_write_model(out, c->model.model);
    cli_write_key(out, "automaton");
    cli_write_count(out, stats.automaton_states, "state");
    opac_output_text(out, ", ");
    opac_automaton_write_acceptance_name(opac_solution_automaton(o->solution), out);
    opac_output_text(out, opac_solution_is_least(o->solution) ? ", of the negation\n" : "\n");
    cli_write_key(out, "product");
    cli_write_count(out, stats.product_reachable, "state");
    opac_output_print(out, " of %" PRIu64 ", ", stats.product_states);
    cli_write_count(out, stats.choices, "choice");
    opac_output_text(out, ", ");
    cli_write_count(out, stats.transitions, "transition");
    opac_output_text(out, "\n");
    cli_write_key(out, "on the graph");
    opac_output_print(out, "%" PRIu32 " winning, %" PRIu32 " losing, %" PRIu32 " in between; ",
                      stats.winning, stats.losing, stats.maybe);
    cli_write_count(out, stats.winning_components, "winning end component");
    opac_output_text(out, "\n");
}

static void write_time(const cli_check *c, const cli_check_outcome *o, opac_output *out)
{
    char read[OPAC_QUANTITY_SIZE], solved[OPAC_QUANTITY_SIZE];
    if (c->model.arguments->values[CLI_NO_TIMING].given)
        return;
    cli_write_key(out, "read in");
    opac_output_print(out, "%s\n", opac_duration_format(c->model.seconds, read, sizeof read));
    cli_write_key(out, "solved in");
    opac_output_print(out, "%s\n",
                      opac_duration_format(o->milliseconds * 1e-3, solved, sizeof solved));
}

static void write_policy(const cli_check *c, const cli_check_outcome *o, opac_output *out)
{
    const char *path = c->model.arguments->values[CLI_POLICY].text;
    const char *dot = c->model.arguments->values[CLI_DOT_FILE].text;
    if (o->policy == NULL)
        return;
    cli_write_policy(out, o->policy);
    for (int i = 0; i < 2 && c->written; i++)
        if ((i == 0 ? path : dot) != NULL) {
            cli_write_key(out, "written to");
            cli_write_path(out, i == 0 ? path : dot);
            opac_output_text(out, "\n");
        }
}

void cli_check_write_text(const cli_check *c, size_t index, opac_output *out)
{
    const cli_check_outcome *o = &c->outcomes[index];
    bool several = cli_objectives_count(c->objectives) > 1;
    if (index > 0)
        opac_output_text(out, "\n");
    if (several) {
        opac_output_text(out, "Property: ");
        write_name(o, out);
        opac_output_text(out, "\n");
    }
    write_answer(o, out);
    write_initial(c, o, out);
    if (opac_solution_verdict(o->solution) == OPAC_VERDICT_NONE &&
        !opac_solution_is_precise(o->solution))
        cli_interval_write_wide(out);
    if (!several) {
        opac_output_text(out, "\n");
        cli_write_key(out, "objective");
        write_name(o, out);
        opac_output_text(out, "\n");
    }
    write_sizes(c, o, out);
    write_time(c, o, out);
    write_policy(c, o, out);
    if (o->policy != NULL)
        cli_grid_write(o->policy, c->model.model, out);
}

/* ---- JSON ---- */

static uint32_t most_choices(const opac_model *model)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        if (opac_model_choice_count(model, s) > most)
            most = opac_model_choice_count(model, s);
    return most;
}

static void echo_model(const cli_check *c, opac_json *json)
{
    cli_echo_number(json, "states", opac_model_states(c->model.model));
    cli_echo_number(json, "actions", most_choices(c->model.model));
}

static void echo_sizes(const cli_check_outcome *o, opac_json *json)
{
    opac_solution_stats stats = opac_solution_get_stats(o->solution);
    cli_echo_number(json, "automaton_states", stats.automaton_states);
    cli_echo_number(json, "product_states", stats.product_states);
    cli_echo_number(json, "product_reachable", stats.product_reachable);
}

static void echo_objective(const cli_check_outcome *o, opac_json *json)
{
    if (*o->given->name != '\0') {
        opac_json_key(json, "name");
        opac_json_string(json, o->given->name);
    }
    opac_json_key(json, "objective");
    opac_json_string(json, o->given->text);
}

static void echo_interval(const cli_check_outcome *o, uint32_t index, opac_json *json)
{
    cli_interval_echo(opac_solution_interval(o->solution, index),
                      opac_solution_fraction(o->solution, index), json);
}

static void echo_initial(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    const opac_model *model = c->model.model;
    if (opac_model_initial_count(model) == 1)
        return;
    opac_json_key(json, "initial");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++) {
        opac_json_begin_object(json);
        cli_echo_state(json, model, opac_model_initial(model, i));
        echo_interval(o, i, json);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

static void echo_result(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    opac_verdict verdict = opac_solution_verdict(o->solution);
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    echo_interval(o, 0, json);
    if (verdict != OPAC_VERDICT_NONE) {
        opac_json_key(json, "verdict");
        opac_json_string(json, verdict_word(verdict));
    }
    opac_json_key(json, "direction");
    opac_json_string(json, opac_solution_is_least(o->solution) ? "min" : "max");
    opac_json_key(json, "precise");
    opac_json_bool(json, opac_solution_is_precise(o->solution));
    if (opac_solution_is_bound(o->solution)) {
        opac_json_key(json, "is_bound");
        opac_json_bool(json, true);
    }
    echo_initial(c, o, json);
    opac_json_end_object(json);
}

static void echo_stats(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    opac_solution_stats stats = opac_solution_get_stats(o->solution);
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    cli_echo_number(json, "choices", stats.choices);
    cli_echo_number(json, "transitions", stats.transitions);
    cli_echo_number(json, "winning_components", stats.winning_components);
    cli_echo_number(json, "winning", stats.winning);
    cli_echo_number(json, "losing", stats.losing);
    cli_echo_number(json, "maybe", stats.maybe);
    cli_echo_number(json, "sweeps", stats.sweeps);
    if (!c->model.arguments->values[CLI_NO_TIMING].given) {
        cli_echo_seconds(json, "read_seconds", c->model.seconds);
        cli_echo_seconds(json, "seconds", o->milliseconds * 1e-3);
    }
    opac_json_end_object(json);
}

static void echo_automaton(const cli_check_outcome *o, opac_json *json)
{
    size_t length;
    const char *bytes = opac_output_bytes(o->hoa, &length);
    opac_json_key(json, "automaton");
    opac_json_bytes(json, bytes, length);
}

static void echo_policy(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    const char *path = c->model.arguments->values[CLI_POLICY].text;
    if (o->policy != NULL)
        cli_policy_echo(o->policy, c->written ? path : NULL, c->digest, json);
}

static void echo_findings(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    echo_result(c, o, json);
    echo_stats(c, o, json);
    echo_automaton(o, json);
    echo_policy(c, o, json);
}

static void echo_one_of_several(const cli_check *c, const cli_check_outcome *o, opac_json *json)
{
    opac_json_begin_object(json);
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    echo_objective(o, json);
    echo_sizes(o, json);
    opac_json_end_object(json);
    echo_findings(c, o, json);
    opac_json_end_object(json);
}

void cli_check_write_json(const void *check, const cli_arguments *arguments, opac_output *out)
{
    const cli_check *c = check;
    bool several = cli_objectives_count(c->objectives) > 1;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    opac_json_key(&json, "inputs");
    opac_json_begin_object(&json);
    opac_json_key(&json, "model");
    opac_json_string(&json, arguments->operands[0]);
    if (!several)
        echo_objective(&c->outcomes[0], &json);
    echo_model(c, &json);
    if (!several)
        echo_sizes(&c->outcomes[0], &json);
    opac_json_end_object(&json);
    cli_echo_params(arguments, &json);
    if (!several)
        echo_findings(c, &c->outcomes[0], &json);
    if (several) {
        opac_json_key(&json, "results");
        opac_json_begin_array(&json);
        for (size_t i = 0; i < c->count; i++)
            echo_one_of_several(c, &c->outcomes[i], &json);
        opac_json_end_array(&json);
    }
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}
