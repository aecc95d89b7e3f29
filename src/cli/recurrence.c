/* SPDX-License-Identifier: MIT */
/* omegapac recurrence: how long runs take until they have shown what they will do for ever. */
#include <inttypes.h>
#include <math.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>
#include <omegapac/recurrence.h>

#include "cli/automata.h"
#include "cli/lines.h"
#include "cli/objectives.h"
#include "cli/policies.h"
#include "cli/result.h"

typedef struct recurring {
    cli_model model;
    cli_objectives *objectives; /* one */
    opac_policy *policy;        /* NULL: all of them */
    opac_recurrence recurrence;
    double seconds;
} recurring;

static const char *objective_text(const recurring *r)
{
    return cli_objectives_get(r->objectives, 0)->text;
}

/* ---- text ---- */

/* Whether the recurrence time may be longer: other policies were not followed, or not to the end. */
static bool is_lower(const opac_recurrence *found)
{
    return found->kind == OPAC_RECURRENCE_LOWER ||
           (found->kind == OPAC_RECURRENCE_ESTIMATE && found->is_partial);
}

static void write_result(const recurring *r, opac_output *out)
{
    char steps[OPAC_COUNT_SIZE];
    const opac_recurrence *found = &r->recurrence;
    opac_output_print(out, "Result: %s%s", is_lower(found) ? ">= " : "",
                      opac_count_text(&found->steps, steps));
    if (found->kind == OPAC_RECURRENCE_ESTIMATE && found->upper > 0)
        opac_output_print(out, " [%" PRIu64 ", %" PRIu64 "]", found->lower, found->upper);
    if (found->kind == OPAC_RECURRENCE_ESTIMATE && found->upper == 0)
        opac_output_print(out, " [%" PRIu64 ", unknown]", found->lower);
    opac_output_print(out, " (%s)\n", opac_recurrence_kind_name(found->kind));
}

/* The kind of the answer, in a sentence. */
static const char *meaning_of(const recurring *r)
{
    switch (r->recurrence.kind) {
    case OPAC_RECURRENCE_EXACT:
        return r->policy != NULL ? "the recurrence time of the policy, in transitions"
                                 : "the recurrence time, in transitions: no policy takes longer";
    case OPAC_RECURRENCE_LOWER:
        return r->policy != NULL
                   ? "the policy takes at least so many transitions, perhaps more"
                   : "some policy takes at least so many transitions; others may take longer";
    case OPAC_RECURRENCE_UPPER:
        return "at most so many transitions, if no probability is smaller";
    default:
        return r->recurrence.is_partial
                   ? "one policy takes about so many transitions; others may take longer"
                   : "about so many transitions, from simulated runs";
    }
}

static void write_meaning(const recurring *r, opac_output *out)
{
    cli_write_key(out, "meaning");
    opac_output_print(out, "%s\n", meaning_of(r));
    if (!is_lower(&r->recurrence))
        return;
    cli_write_key(out, "");
    opac_output_text(out, "this is no T for learn, which needs an upper bound\n");
}

static void write_probabilities(const opac_recurrence *found, opac_output *out)
{
    if (isnan(found->reached))
        return;
    cli_write_key(out, "probability");
    opac_output_print(out, "%.6f after one transition less, %.6f after all of them\n",
                      found->before, found->reached);
}

static void write_bounds(const opac_recurrence *found, opac_output *out)
{
    char count[OPAC_COUNT_SIZE], least[OPAC_NUMBER_SIZE];
    opac_number_format(found->least, least);
    cli_write_key(out, "upper bound");
    opac_output_print(out, "%s, from probabilities of at least %s and N = %" PRIu64 " states\n",
                      opac_count_text(&found->bound, count), least, found->bound_states);
    if (found->bound_states != found->product_reachable) {
        cli_write_key(out, "");
        opac_output_print(out, "%s with N = %" PRIu32 ", those that can be reached\n",
                          opac_count_text(&found->bound_reached, count), found->product_reachable);
    }
    cli_write_key(out, "as published");
    opac_output_print(out, "%s, Lemma 1 of the paper with N = %" PRIu64 "\n",
                      opac_count_text(&found->published, count), found->bound_states);
}

static void write_sizes(const recurring *r, opac_output *out)
{
    const opac_recurrence *found = &r->recurrence;
    if (r->policy != NULL)
        cli_write_policy(out, r->policy);
    cli_write_model(out, r->model.model);
    cli_write_key(out, "automaton");
    cli_write_count(out, found->automaton_states, "state");
    opac_output_text(out, "\n");
    cli_write_key(out, "product");
    cli_write_count(out, found->product_states, "state");
    opac_output_print(out, ", %" PRIu32 " can be reached\n", found->product_reachable);
    if (found->policies > 0) {
        cli_write_key(out, "looked at");
        opac_output_print(out, "%" PRIu64 " polic%s\n", found->policies,
                          found->policies == 1 ? "y" : "ies");
    }
}

static void write_text(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const recurring *r = result;
    char duration[OPAC_QUANTITY_SIZE];
    write_result(r, out);
    opac_output_text(out, "\n");
    write_meaning(r, out);
    cli_write_key(out, "counted");
    opac_output_text(out, arguments->values[CLI_LITERAL].given
                              ? "every state of a bottom component seen twice, as published\n"
                              : "every state of a bottom component seen, and then seen again\n");
    write_probabilities(&r->recurrence, out);
    write_bounds(&r->recurrence, out);
    cli_write_key(out, "objective");
    cli_write_shown(out, objective_text(r));
    opac_output_text(out, "\n");
    write_sizes(r, out);
    if (!arguments->values[CLI_NO_TIMING].given) {
        cli_write_key(out, "computed in");
        opac_output_print(out, "%s\n", opac_duration_format(r->seconds, duration, sizeof duration));
    }
}

/* ---- JSON ---- */

static void echo_count(opac_json *json, const char *key, const opac_count *count)
{
    char text[OPAC_COUNT_SIZE];
    opac_json_key(json, key);
    opac_json_number(json, opac_count_text(count, text));
}

static void echo_inputs(const recurring *r, opac_json *json)
{
    const cli_arguments *arguments = r->model.arguments;
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    opac_json_key(json, "model");
    opac_json_string(json, arguments->operands[0]);
    if (r->policy != NULL) {
        opac_json_key(json, "policy");
        opac_json_string(json, arguments->values[CLI_POLICY].text);
    }
    opac_json_key(json, "objective");
    opac_json_string(json, objective_text(r));
    cli_echo_number(json, "states", opac_model_states(r->model.model));
    cli_echo_number(json, "automaton_states", r->recurrence.automaton_states);
    cli_echo_number(json, "product_states", r->recurrence.product_states);
    cli_echo_number(json, "product_reachable", r->recurrence.product_reachable);
    opac_json_end_object(json);
}

static void echo_estimate(const opac_recurrence *found, opac_json *json)
{
    cli_echo_number(json, "lower", found->lower);
    opac_json_key(json, "upper");
    if (found->upper > 0)
        opac_json_uint(json, found->upper);
    else
        opac_json_null(json);
    opac_json_key(json, "one_policy");
    opac_json_bool(json, found->is_partial);
}

static void echo_result(const opac_recurrence *found, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    echo_count(json, "T", &found->steps);
    opac_json_key(json, "kind");
    opac_json_string(json, opac_recurrence_kind_name(found->kind));
    if (!isnan(found->reached)) {
        opac_json_key(json, "before");
        opac_json_double(json, found->before);
        opac_json_key(json, "reached");
        opac_json_double(json, found->reached);
    }
    if (found->kind == OPAC_RECURRENCE_ESTIMATE)
        echo_estimate(found, json);
    opac_json_key(json, "upper_bound");
    opac_json_begin_object(json);
    opac_json_key(json, "pmin");
    opac_json_double(json, found->least);
    cli_echo_number(json, "N", found->bound_states);
    echo_count(json, "T", &found->bound);
    echo_count(json, "T_reachable", &found->bound_reached);
    echo_count(json, "T_published", &found->published);
    opac_json_end_object(json);
    opac_json_end_object(json);
}

static void write_json(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const recurring *r = result;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    echo_inputs(r, &json);
    cli_echo_params(arguments, &json);
    echo_result(&r->recurrence, &json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    cli_echo_number(&json, "policies", r->recurrence.policies);
    if (!arguments->values[CLI_NO_TIMING].given) {
        cli_echo_seconds(&json, "read_seconds", r->model.seconds);
        cli_echo_seconds(&json, "seconds", r->seconds);
    }
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* ---- the command ---- */

static opac_status make_options(const recurring *r, opac_recurrence_options *options,
                                opac_error *error)
{
    const cli_value *values = r->model.arguments->values;
    *options = (opac_recurrence_options){.epsilon = values[CLI_EPSILON].number,
                                         .literal = values[CLI_LITERAL].given,
                                         .policy = r->policy,
                                         .end_accepted = values[CLI_END_ACCEPTED].given,
                                         .least = values[CLI_PMIN].number,
                                         .max_component = (uint32_t)values[CLI_MAX_COMPONENT].count,
                                         .max_work = values[CLI_MAX_WORK].count,
                                         .samples = values[CLI_SAMPLES].count,
                                         .delta = values[CLI_DELTA].number,
                                         .seed = values[CLI_SEED].count,
                                         .threads = (unsigned)values[CLI_THREADS].count,
                                         .max_states = values[CLI_MODEL_STATES].count,
                                         .cancel = r->model.cancel,
                                         .progress = r->model.progress};
    return opac_automaton_kind_parse(values[CLI_KIND].word, &options->kind, error);
}

static opac_status find(recurring *r, opac_error *error)
{
    opac_recurrence_options options;
    double start = cli_milliseconds();
    size_t count = cli_objectives_count(r->objectives);
    if (count != 1)
        return cli_fail(error, "a recurrence time is that of one objective, not of %zu", count);
    opac_status status = make_options(r, &options, error);
    if (status == OPAC_OK)
        status =
            opac_recurrence_time(r->model.model, &cli_objectives_get(r->objectives, 0)->objective,
                                 &options, &r->recurrence, error);
    error->line = error->column = 0; /* of a proposition: that says little */
    r->seconds = (cli_milliseconds() - start) * 1e-3;
    return status;
}

static opac_status run(recurring *r, opac_error *error)
{
    const cli_arguments *arguments = r->model.arguments;
    opac_status status = cli_model_load(&r->model, arguments->operands[0], error);
    if (status == OPAC_OK)
        status = cli_objectives_read(&r->model, &r->objectives, error);
    if (status == OPAC_OK)
        status = cli_model_check_constants(&r->model, error);
    if (status == OPAC_OK)
        status = cli_objectives_check(&r->model, r->objectives, error);
    if (status == OPAC_OK && arguments->values[CLI_POLICY].given)
        status = cli_policy_load(&r->model, &r->policy, error);
    return status == OPAC_OK ? find(r, error) : status;
}

cli_exit cli_run_recurrence(const cli_arguments *arguments)
{
    recurring r = {0};
    opac_error error;
    opac_status status = cli_model_begin(&r.model, arguments, &error);
    if (status == OPAC_OK)
        status = run(&r, &error);
    cli_exit exit = status == OPAC_OK ? cli_write_result(arguments, &r, write_text, write_json)
                                      : cli_model_report(&r.model, &error);
    opac_policy_free(r.policy);
    cli_objectives_free(r.objectives);
    cli_model_end(&r.model);
    return exit;
}
