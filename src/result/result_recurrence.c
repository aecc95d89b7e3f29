/* SPDX-License-Identifier: MIT */
/* The result of recurrence: the epsilon-recurrence time of the product. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

/* ---- JSON ---- */

static void put_inputs(const opac_recurrence_answer *answer, const opac_result_source *source,
                       opac_json *json)
{
    const opac_recurrence *found = answer->recurrence;
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_name(json, source);
    if (answer->policy != NULL)
        result_put_text(json, "policy", answer->policy_name);
    result_put_text(json, "objective", answer->objective);
    result_put_model(json, answer->model);
    if (answer->policy != NULL)
        result_put_policy_sizes(json, answer->policy);
    result_put_uint(json, "automaton_states", found->automaton_states);
    result_put_uint(json, "product_states", found->product_states);
    result_put_uint(json, "product_reachable", found->product_reachable);
    opac_json_end_object(json);
}

static void put_estimate(const opac_recurrence *found, opac_json *json)
{
    result_put_uint(json, "lower", found->lower);
    opac_json_key(json, "upper");
    if (found->upper > 0)
        opac_json_uint(json, found->upper);
    else
        opac_json_null(json);
    result_put_bool(json, "one_policy", found->is_partial);
}

static void put_found(const opac_recurrence *found, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    result_put_count(json, "T", &found->steps);
    result_put_text(json, "kind", opac_recurrence_kind_name(found->kind));
    if (!isnan(found->reached)) {
        result_put_double(json, "before", found->before);
        result_put_double(json, "reached", found->reached);
    }
    if (found->kind == OPAC_RECURRENCE_ESTIMATE)
        put_estimate(found, json);
    opac_json_key(json, "upper_bound");
    opac_json_begin_object(json);
    result_put_double(json, "pmin", found->least);
    result_put_uint(json, "N", found->bound_states);
    result_put_count(json, "T", &found->bound);
    result_put_count(json, "T_reachable", &found->bound_reached);
    result_put_count(json, "T_published", &found->published);
    opac_json_end_object(json);
    opac_json_end_object(json);
}

opac_status opac_result_of_recurrence(const opac_recurrence_answer *answer,
                                      const opac_result_source *source, opac_result **result,
                                      opac_error *error)
{
    opac_json json;
    TRY(result_begin("recurrence", source, result, &json, error));
    put_inputs(answer, source, &json);
    result_put_params(*result, &json);
    put_found(answer->recurrence, &json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    result_put_uint(&json, "policies", answer->recurrence->policies);
    result_put_times(&json, source, answer->seconds);
    opac_json_end_object(&json);
    return result_end(result, &json, error);
}

/* ---- text ---- */

static bool is_kind(base_json_value found, opac_recurrence_kind kind)
{
    const char *name = result_get_text(found, "kind");
    return name != NULL && strcmp(name, opac_recurrence_kind_name(kind)) == 0;
}

/* Whether the recurrence time may be longer, because not all policies were examined to the end. */
static bool is_lower(base_json_value found)
{
    return is_kind(found, OPAC_RECURRENCE_LOWER) || result_get_bool(found, "one_policy");
}

static const char *digits_of(base_json_value object, const char *path)
{
    const char *digits = result_get_digits(object, path);
    return digits != NULL ? digits : "unknown";
}

static void write_result(opac_output *out, base_json_value found)
{
    opac_output_print(out, "Result: %s", is_lower(found) ? ">= " : "");
    opac_output_text(out, digits_of(found, "T"));
    if (is_kind(found, OPAC_RECURRENCE_ESTIMATE))
        opac_output_print(out, " [%s, %s]", digits_of(found, "lower"), digits_of(found, "upper"));
    opac_output_text(out, " (");
    result_show(out, result_get_text(found, "kind"));
    opac_output_text(out, ")\n");
}

/* What the number means. */
static const char *meaning_of(base_json_value found, bool has_policy)
{
    if (is_kind(found, OPAC_RECURRENCE_EXACT))
        return has_policy ? "the recurrence time of the policy in transitions"
                          : "the recurrence time in transitions; no policy takes longer";
    if (is_kind(found, OPAC_RECURRENCE_LOWER))
        return has_policy ? "a lower bound on the recurrence time of the policy"
                          : "a lower bound: some policy takes this long, others may take longer";
    if (is_kind(found, OPAC_RECURRENCE_UPPER))
        return "an upper bound, if no transition probability is smaller";
    return result_get_bool(found, "one_policy")
               ? "an estimate for one policy; others may take longer"
               : "an estimate from simulated runs";
}

static void write_meaning(opac_output *out, base_json_value found, bool has_policy)
{
    result_line_key(out, "meaning");
    opac_output_print(out, "%s\n", meaning_of(found, has_policy));
    if (!is_lower(found))
        return;
    result_line_key(out, "");
    opac_output_text(out, "not a T for learn, which needs an upper bound\n");
}

/* Six decimals, printed as integers because the decimal point of printf depends on the locale. */
static void show_probability(opac_output *out, double probability)
{
    if (probability >= 0 && probability <= 1) {
        unsigned millionths = (unsigned)(probability * 1e6 + 0.5);
        opac_output_print(out, "%u.%06u", millionths / 1000000, millionths % 1000000);
    } else {
        result_show_number(out, probability);
    }
}

static void write_probabilities(opac_output *out, base_json_value found)
{
    double reached = result_get_double(found, "reached");
    if (isnan(reached))
        return;
    result_line_key(out, "probability");
    show_probability(out, result_get_double(found, "before"));
    opac_output_text(out, " after T - 1 transitions, ");
    show_probability(out, reached);
    opac_output_text(out, " after T transitions\n");
}

static void write_bounds(opac_output *out, base_json_value bound, uint64_t reachable)
{
    char least[OPAC_NUMBER_SIZE];
    result_line_key(out, "upper bound");
    opac_output_text(out, digits_of(bound, "T"));
    opac_output_print(out, ", from probabilities of at least %s and N = %s states\n",
                      result_format_number(result_get_double(bound, "pmin"), least),
                      digits_of(bound, "N"));
    if (result_get_uint(bound, "N") != reachable) {
        result_line_key(out, "");
        opac_output_text(out, digits_of(bound, "T_reachable"));
        opac_output_print(out, " with N = %" PRIu64 ", the reachable ones\n", reachable);
    }
    result_line_key(out, "as published");
    opac_output_text(out, digits_of(bound, "T_published"));
    opac_output_print(out, ", Lemma 1 of the paper with N = %s\n", digits_of(bound, "N"));
}

static void write_sizes(opac_output *out, base_json_value inputs, uint64_t policies,
                        bool has_policy)
{
    if (has_policy)
        result_line_policy(out, result_get_uint(inputs, "decisions"),
                           result_get_uint(inputs, "memory"));
    result_line_model(out, inputs);
    result_line_key(out, "automaton");
    result_show_count(out, result_get_uint(inputs, "automaton_states"), "state");
    opac_output_text(out, "\n");
    result_line_key(out, "product");
    result_show_count(out, result_get_uint(inputs, "product_states"), "state");
    opac_output_print(out, ", %" PRIu64 " reachable\n",
                      result_get_uint(inputs, "product_reachable"));
    if (policies > 0) {
        result_line_key(out, "examined");
        opac_output_print(out, "%" PRIu64 " polic%s\n", policies, policies == 1 ? "y" : "ies");
    }
}

void result_text_of_recurrence(base_json_value result, const result_extras *extras,
                               opac_output *out)
{
    base_json_value found = result_get(result, "result"), inputs = result_get(result, "inputs");
    bool has_policy = result_get_text(inputs, "policy") != NULL;
    (void)extras;
    write_result(out, found);
    opac_output_text(out, "\n");
    write_meaning(out, found, has_policy);
    result_line_key(out, "counted");
    opac_output_text(out,
                     result_get_bool(result, "params.literal")
                         ? "every state of a BSCC seen twice, as published\n"
                         : "a BSCC covered twice: all of its states seen, then all seen again\n");
    write_probabilities(out, found);
    write_bounds(out, result_get(found, "upper_bound"),
                 result_get_uint(inputs, "product_reachable"));
    result_line_shown(out, "objective", result_get_text(inputs, "objective"));
    write_sizes(out, inputs, result_get_uint(result, "stats.policies"), has_policy);
    result_line_seconds(out, "computed in", result_get_double(result, "stats.seconds"));
}
