/* SPDX-License-Identifier: MIT */
/*
 * The result of check: optimal probabilities in a known model. With one objective its members are in the
 * result itself; with several they are in an array, each with its own inputs.
 */
#include <inttypes.h>
#include <string.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_map.h"
#include "result/result_policy.h"
#include "result/result_read.h"
#include "result/result_text.h"

/* ---- JSON ---- */

static void put_interval(opac_json *json, const void *found, uint32_t index)
{
    const opac_solution *solution = found;
    result_put_interval(json, opac_solution_interval(solution, index),
                        opac_solution_fraction(solution, index));
}

static uint32_t most_choices(const opac_model *model)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        if (opac_model_choice_count(model, s) > most)
            most = opac_model_choice_count(model, s);
    return most;
}

static void put_model(opac_json *json, const opac_model *model)
{
    result_put_model(json, model);
    result_put_uint(json, "actions", most_choices(model));
}

static void put_objective(opac_json *json, const opac_check_outcome *o)
{
    if (o->name != NULL && *o->name != '\0')
        result_put_text(json, "name", o->name);
    result_put_text(json, "objective", o->objective);
}

static void put_sizes(opac_json *json, const opac_check_outcome *o)
{
    opac_solution_stats stats = opac_solution_get_stats(o->solution);
    result_put_uint(json, "automaton_states", stats.automaton_states);
    result_put_written(json, "automaton_acceptance", opac_solution_automaton(o->solution),
                       opac_automaton_write_acceptance_name);
    result_put_uint(json, "product_states", stats.product_states);
    result_put_uint(json, "product_reachable", stats.product_reachable);
}

static void put_found(opac_json *json, const opac_model *model, const opac_solution *solution)
{
    static const char *const words[] = {NULL, "true", "false", "undecided"};
    const char *verdict = words[opac_solution_verdict(solution)];
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    put_interval(json, solution, 0);
    if (verdict != NULL)
        result_put_text(json, "verdict", verdict);
    result_put_text(json, "direction", opac_solution_is_least(solution) ? "min" : "max");
    result_put_bool(json, "precise", opac_solution_is_precise(solution));
    result_put_flag(json, "is_bound", opac_solution_is_bound(solution));
    result_put_initial(json, model, put_interval, solution);
    opac_json_end_object(json);
}

static void put_stats(opac_json *json, const opac_check_outcome *o,
                      const opac_result_source *source)
{
    opac_solution_stats stats = opac_solution_get_stats(o->solution);
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_uint(json, "choices", stats.choices);
    result_put_uint(json, "transitions", stats.transitions);
    result_put_uint(json, "winning_components", stats.winning_components);
    result_put_uint(json, "winning", stats.winning);
    result_put_uint(json, "losing", stats.losing);
    result_put_uint(json, "maybe", stats.maybe);
    result_put_uint(json, "sweeps", stats.sweeps);
    result_put_times(json, source, o->seconds);
    opac_json_end_object(json);
}

static void put_findings(opac_json *json, const opac_check_answer *answer,
                         const opac_check_outcome *o, const opac_result_source *source)
{
    put_found(json, answer->model, o->solution);
    put_stats(json, o, source);
    if (!result_is_brief(source))
        result_put_automaton(json, opac_solution_automaton(o->solution));
    if (o->policy != NULL)
        result_put_policy(json, o->policy, &answer->files, source);
    result_put_files(json, &answer->files);
}

static void put_one_of_several(opac_json *json, const opac_check_answer *answer,
                               const opac_check_outcome *o, const opac_result_source *source)
{
    opac_json_begin_object(json);
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    put_objective(json, o);
    put_sizes(json, o);
    opac_json_end_object(json);
    put_findings(json, answer, o, source);
    opac_json_end_object(json);
}

static void put_several(opac_result *result, opac_json *json, const opac_check_answer *answer,
                        const opac_result_source *source)
{
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_name(json, source);
    put_model(json, answer->model);
    opac_json_end_object(json);
    result_put_params(result, json);
    opac_json_key(json, "results");
    opac_json_begin_array(json);
    for (size_t i = 0; i < answer->count; i++)
        put_one_of_several(json, answer, &answer->outcomes[i], source);
    opac_json_end_array(json);
}

static void put_single(opac_result *result, opac_json *json, const opac_check_answer *answer,
                       const opac_result_source *source)
{
    const opac_check_outcome *o = &answer->outcomes[0];
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_name(json, source);
    put_objective(json, o);
    put_model(json, answer->model);
    put_sizes(json, o);
    opac_json_end_object(json);
    result_put_params(result, json);
    put_findings(json, answer, o, source);
    result->policy = o->policy;
    result->model = answer->model;
}

opac_status opac_result_of_check(const opac_check_answer *answer, const opac_result_source *source,
                                 opac_result **result, opac_error *error)
{
    opac_json json;
    TRY(result_begin("check", source, result, &json, error));
    if (answer->is_list)
        put_several(*result, &json, answer, source);
    else
        put_single(*result, &json, answer, source);
    return result_end(result, &json, error);
}

/* ---- text ---- */

static void write_name(opac_output *out, base_json_value inputs)
{
    result_show_named(out, result_get_text(inputs, "name"), result_get_text(inputs, "objective"));
    opac_output_text(out, "\n");
}

/* Whether the graph alone decided the bound, so that no number was computed. */
static bool is_by_graph(base_json_value found)
{
    const char *verdict = result_get_text(found, "verdict");
    return verdict != NULL && strcmp(verdict, "undecided") != 0 &&
           !result_get_bool(found, "precise");
}

/* Writes the first line and, for a verdict, the probability that it follows from. */
static void write_answer(opac_output *out, base_json_value found)
{
    const char *verdict = result_get_text(found, "verdict");
    const char *remark = result_get_bool(found, "is_bound") ? " (a lower bound)" : "";
    opac_output_text(out, "Result: ");
    if (verdict != NULL) {
        result_show(out, verdict);
        opac_output_text(out, "\n");
        result_line_key(out, "probability");
    }
    if (is_by_graph(found)) {
        opac_output_text(out, "decided by the graph; not computed\n");
        return;
    }
    result_show_interval(out, found);
    opac_output_print(out, "%s\n", remark);
    result_line_decimal(out, found);
    result_lines_initial(out, found, remark);
    if (verdict == NULL)
        result_line_precision(out, found);
}

static void write_product(opac_output *out, base_json_value one)
{
    base_json_value inputs = result_get(one, "inputs"), stats = result_get(one, "stats");
    const char *direction = result_get_text(one, "result.direction");
    result_line_key(out, "automaton");
    result_show_count(out, result_get_uint(inputs, "automaton_states"), "state");
    opac_output_text(out, ", ");
    result_show(out, result_get_text(inputs, "automaton_acceptance"));
    opac_output_text(out, direction != NULL && strcmp(direction, "min") == 0 ? ", of the negation\n"
                                                                             : "\n");
    result_line_key(out, "product");
    result_show_count(out, result_get_uint(inputs, "product_reachable"), "state");
    opac_output_print(out, " of %" PRIu64 ", ", result_get_uint(inputs, "product_states"));
    result_show_count(out, result_get_uint(stats, "choices"), "choice");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(stats, "transitions"), "transition");
    opac_output_text(out, "\n");
    result_line_key(out, "on the graph");
    opac_output_print(out, "%" PRIu64 " winning, %" PRIu64 " losing, %" PRIu64 " in between; ",
                      result_get_uint(stats, "winning"), result_get_uint(stats, "losing"),
                      result_get_uint(stats, "maybe"));
    result_show_count(out, result_get_uint(stats, "winning_components"), "winning end component");
    opac_output_text(out, "\n");
}

/* `one` is the result itself, or an item of its array. */
static void write_one(opac_output *out, base_json_value result, base_json_value one, bool is_list)
{
    if (is_list) {
        opac_output_text(out, "Property: ");
        write_name(out, result_get(one, "inputs"));
    }
    write_answer(out, result_get(one, "result"));
    if (!is_list) {
        opac_output_text(out, "\n");
        result_line_key(out, "objective");
        write_name(out, result_get(one, "inputs"));
    }
    result_line_model(out, result_get(result, "inputs"));
    write_product(out, one);
    result_line_seconds(out, "read in", result_get_double(one, "stats.read_seconds"));
    result_line_seconds(out, "solved in", result_get_double(one, "stats.seconds"));
    result_lines_policy(out, one);
}

void result_text_of_check(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value several = result_get(result, "results");
    if (base_json_is_there(several)) {
        for (size_t i = 0; i < result_count(several); i++) {
            opac_output_text(out, i == 0 ? "" : "\n");
            write_one(out, result, result_item(several, i), true);
        }
        return;
    }
    write_one(out, result, result, false);
    if (extras->policy != NULL)
        result_write_map(extras->policy, extras->model, out);
}
