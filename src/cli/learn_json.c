/* SPDX-License-Identifier: MIT */
/* omegapac learn: a result as JSON, docs/formats/result.md. */
#include <math.h>
#include <string.h>

#include "cli/learn.h"
#include "cli/lines.h"
#include "cli/policy_files.h"
#include "cli/simulators.h"

enum {
    MOST_TRACE = 1000 /* entries of the trace */
};

/* ---- what was asked ---- */

void cli_learn_echo_inputs(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = &l->report;
    char product[OPAC_COUNT_SIZE];
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    cli_echo_text(json, "model", l->model.arguments->operands[0]);
    cli_echo_text(json, "objective", cli_objectives_get(l->objectives, 0)->text);
    cli_echo_number(json, "states", report->states);
    cli_echo_number(json, "actions", report->actions);
    cli_echo_number(json, "branching", report->branching);
    cli_echo_number(json, "automaton_states", report->automaton_states);
    opac_json_key(json, "product_states");
    if (report->states > 0)
        opac_json_number(json, opac_count_text(&report->product_states, product));
    else
        opac_json_null(json);
    cli_echo_number(json, "product_reachable", report->product_reachable);
    opac_json_end_object(json);
}

static const char *rule_of(const cli_value *values)
{
    if (values[CLI_TARGET].given)
        return "target";
    return values[CLI_K].word != NULL ? values[CLI_K].word : "number";
}

/* What was declared, and where things came from, if it was given: the rest are inputs. */
static void echo_given(const cli_arguments *arguments, opac_json *json)
{
    static const struct {
        cli_option_id option;
        const char *key;
    } counts[] = {{CLI_STATES, "states"},
                  {CLI_ACTIONS, "actions"},
                  {CLI_BRANCHING, "branching"},
                  {CLI_TEST_STEPS, "trial_steps"}};
    const cli_value *values = arguments->values;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (values[counts[i].option].given)
            cli_echo_number(json, counts[i].key, values[counts[i].option].count);
    if (values[CLI_DETERMINISTIC].given) {
        opac_json_key(json, "deterministic");
        opac_json_bool(json, true);
    }
    if (values[CLI_AUTOMATON].given) {
        opac_json_key(json, "automata");
        opac_json_begin_array(json);
        opac_json_string(json, values[CLI_AUTOMATON].text);
        opac_json_end_array(json);
    }
    if (values[CLI_FROM].given)
        cli_echo_text(json, "from", values[CLI_FROM].word);
}

static void echo_limits(const cli_learn *l, opac_json *json)
{
    const cli_value *values = l->model.arguments->values;
    cli_echo_text(json, "kind", values[CLI_KIND].word);
    echo_given(l->model.arguments, json);
    if (values[CLI_CONSTANTS].given) {
        cli_walk walk = {0};
        opac_json_key(json, "constants");
        opac_json_begin_array(json);
        for (const char *text;
             (text = cli_next_value(l->model.arguments, CLI_CONSTANTS, &walk)) != NULL;)
            opac_json_string(json, text);
        opac_json_end_array(json);
    }
    if (values[CLI_MAX_STEPS].given)
        cli_echo_number(json, "max_steps", values[CLI_MAX_STEPS].count);
    if (values[CLI_MAX_SECONDS].given)
        cli_echo_double(json, "max_seconds", values[CLI_MAX_SECONDS].number);
    if (values[CLI_MAX_MEMORY].given)
        cli_echo_number(json, "max_memory", values[CLI_MAX_MEMORY].count);
}

static void echo_known(const cli_learn *l, opac_json *json)
{
    const cli_value *values = l->model.arguments->values;
    cli_echo_double(json, "pmin", values[CLI_PMIN].given ? l->options.pmin : NAN);
    cli_echo_double(json, "pmin_start", values[CLI_PMIN_START].given ? l->options.pmin_start : NAN);
    if (values[CLI_GRAPH].given) {
        cli_echo_text(json, "graph", values[CLI_GRAPH].text);
    } else {
        opac_json_key(json, "graph");
        opac_json_null(json);
    }
    cli_echo_text(json, "explore",
                  values[CLI_EXPLORE].given ? values[CLI_EXPLORE].word : "episodes");
}

static void echo_horizon(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = &l->report;
    const cli_value *values = l->model.arguments->values;
    cli_echo_number(json, "T", report->horizon);
    if (l->options.horizon == 0) {
        opac_json_key(json, "T_auto");
        opac_json_bool(json, true);
    }
    cli_echo_number(json, "k", report->k);
    cli_echo_text(json, "k_rule", rule_of(values));
    if (values[CLI_TARGET].given)
        cli_echo_double(json, "target", l->options.target);
    if (values[CLI_SLACK].given)
        cli_echo_double(json, "slack", l->options.slack);
    cli_echo_text(json, "stop", values[CLI_STOP].word);
    cli_echo_text(json, "counts", values[CLI_COUNTS].word);
    cli_echo_text(json, "sampler", cli_learn_sampler_word(report->sampler));
    if (values[CLI_SAMPLER].given && strcmp(values[CLI_SAMPLER].word, "auto") != 0) {
        opac_json_key(json, "sampler_given");
        opac_json_bool(json, true);
    }
}

void cli_learn_echo_params(const cli_learn *l, opac_json *json)
{
    opac_json_key(json, "params");
    opac_json_begin_object(json);
    cli_echo_double(json, "epsilon", l->options.epsilon);
    cli_echo_double(json, "delta", l->options.delta);
    if (l->is_bracket)
        echo_known(l, json);
    else
        echo_horizon(l, json);
    echo_limits(l, json);
    opac_json_end_object(json);
}

/* ---- what was found ---- */

void cli_learn_echo_result(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    bool is_told = report->holds || cli_learn_has_bracket(report);
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    cli_echo_double(json, "value", report->value);
    cli_echo_double(json, "lower", is_told ? report->lower : NAN);
    cli_echo_double(json, "upper", is_told ? report->upper : NAN);
    cli_echo_double(json, "optimum_upper", is_told ? report->optimum_upper : NAN);
    opac_json_end_object(json);
}

static const char *end_word(opac_learn_end end)
{
    static const char *const words[] = {"done",     "max-steps", "max-seconds", "stopped",
                                        "exceeded", "livelock",  "refuted",     "max-memory"};
    return words[end];
}

static void echo_check(const opac_learn_report *report, opac_json *json)
{
    cli_echo_text(json, "T_check", cli_learn_check_word(report->horizon_check));
    if (report->horizon_found > 0)
        cli_echo_number(json, "T_found", report->horizon_found);
    if (report->horizon_is_bound) {
        opac_json_key(json, "T_found_is_bound");
        opac_json_bool(json, true);
    }
}

static void echo_error_parts(const opac_learn_report *report, opac_json *json)
{
    cli_echo_double(json, "c", report->accuracy);
    cli_echo_double(json, "eta", report->solver);
    cli_echo_double(json, "risk", report->risk);
}

/* By its key; NULL: none. False: a state that only the graph has, which no run can be in. */
static bool find_state(const cli_learn *l, const void *key, size_t length, uint32_t *state)
{
    if (key == NULL || length != sizeof *state)
        return false;
    memcpy(state, key, sizeof *state);
    return *state < opac_model_states(l->model.model);
}

/* Of a simulator, by keys. */
static void echo_keys(const cli_learn *l, const opac_refuted_pair *pair, opac_json *json)
{
    if (pair->key != NULL) {
        cli_echo_key(json, l->environment, pair->key, pair->length);
        cli_echo_text(
            json, "action",
            opac_environment_action_name(l->environment, pair->key, pair->length, pair->action));
        cli_echo_number(json, "choice", pair->action);
    }
    if (pair->successor == NULL)
        return;
    opac_json_key(json, "successor");
    opac_json_begin_object(json);
    cli_echo_key(json, l->environment, pair->successor, pair->successor_length);
    opac_json_end_object(json);
}

/* The pair, by state and action; of the reset there is neither. */
static void echo_pair(const cli_learn *l, opac_json *json)
{
    const opac_model *model = l->model.model;
    opac_refuted_pair pair;
    uint32_t state;
    if (!opac_learning_refuted(l->learning, &pair))
        return;
    if (model == NULL) {
        echo_keys(l, &pair, json);
        return;
    }
    if (find_state(l, pair.key, pair.length, &state) &&
        pair.action < opac_model_choice_count(model, state)) {
        uint32_t choice = opac_model_choice_begin(model, state) + pair.action;
        cli_echo_state(json, model, state);
        cli_echo_text(json, "action", opac_model_choice_action(model, choice));
        cli_echo_number(json, "choice", pair.action);
    }
    if (find_state(l, pair.successor, pair.successor_length, &state)) {
        opac_json_key(json, "successor");
        opac_json_begin_object(json);
        cli_echo_state(json, model, state);
        opac_json_end_object(json);
    }
}

/* Whether the result's numbers hold, even if they are not as near as was asked. */
static void echo_bracket(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    opac_json_key(json, "bracket");
    opac_json_bool(json, cli_learn_has_bracket(report));
    opac_json_key(json, "refuted");
    if (report->refutation == OPAC_REFUTED_NOT) {
        opac_json_null(json);
        return;
    }
    opac_json_begin_object(json);
    cli_echo_text(json, "by", cli_learn_refutation_word(report->refutation));
    echo_pair(l, json);
    cli_echo_number(json, "count", report->refuted_count);
    cli_echo_number(json, "visits", report->refuted_visits);
    opac_json_end_object(json);
}

void cli_learn_echo_guarantee(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    const char *item;
    opac_json_key(json, "guarantee");
    opac_json_begin_object(json);
    opac_json_key(json, "holds");
    opac_json_bool(json, cli_learn_holds(l));
    if (cli_learn_is_contradicted(l)) {
        opac_json_key(json, "contradicted");
        opac_json_bool(json, true);
    }
    cli_echo_text(json, "statement", opac_learning_statement(l->learning));
    cli_echo_double(json, "error", report->error);
    cli_echo_double(json, "confidence", report->confidence);
    opac_json_key(json, "assumes");
    opac_json_begin_array(json);
    for (size_t i = 0; (item = opac_learning_assumption(l->learning, i)) != NULL; i++)
        opac_json_string(json, item);
    opac_json_end_array(json);
    if (opac_learning_tested(l->learning) != NULL)
        cli_echo_text(json, "tested", opac_learning_tested(l->learning));
    if (l->is_bracket)
        echo_bracket(l, json);
    else
        echo_check(report, json);
    cli_echo_text(json, "end", end_word(report->end));
    if (report->exceeded != NULL)
        cli_echo_text(json, "exceeded", report->exceeded);
    if (!l->is_bracket)
        echo_error_parts(report, json);
    opac_json_end_object(json);
}

/* How often something was solved is a matter of interruptions, too, so it goes with the times. */
void cli_learn_echo_stats(const cli_learn *l, opac_json *json)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    cli_echo_number(json, "episodes", report->episodes);
    cli_echo_number(json, "steps", report->steps);
    cli_echo_number(json, "known", report->known);
    if (l->is_bracket)
        cli_echo_number(json, "complete", report->complete);
    cli_echo_number(json, "policies", report->policies);
    cli_echo_number(json, "samples", report->samples);
    cli_echo_number(json, "states_seen", report->states_seen);
    cli_echo_number(json, "pairs_seen", report->pairs_seen);
    if (!l->model.arguments->values[CLI_NO_TIMING].given) {
        cli_echo_number(json, "solves", report->solves);
        opac_json_key(json, "resumed");
        opac_json_bool(json, report->resumed);
        cli_echo_seconds(json, "read_seconds", l->model.seconds);
        cli_echo_seconds(json, "sampling_seconds", report->sampling_seconds);
        cli_echo_seconds(json, "solving_seconds", report->solving_seconds);
        cli_echo_seconds(json, "seconds", report->seconds);
    }
    opac_json_end_object(json);
}

void cli_learn_echo_truth(const cli_learn *l, opac_json *json)
{
    opac_json_key(json, "truth");
    opac_json_begin_object(json);
    cli_echo_double(json, "policy", l->truth.policy);
    cli_echo_double(json, "optimum", l->truth.optimum);
    if (*l->truth.note != '\0')
        cli_echo_text(json, "note", l->truth.note);
    if (cli_learn_is_contradicted(l)) {
        opac_json_key(json, "contradicts");
        opac_json_bool(json, true);
    }
    opac_json_end_object(json);
}

void cli_learn_echo_automaton(const cli_learn *l, opac_json *json)
{
    size_t length;
    const char *bytes = opac_output_bytes(l->hoa, &length);
    opac_json_key(json, "automaton");
    opac_json_bytes(json, bytes, length);
}

/* null if there was nothing to certify; a pipe has no digest. */
static void echo_certificate(const cli_learn *l, opac_json *json)
{
    const cli_value *path = &l->model.arguments->values[CLI_CERTIFICATE];
    if (!path->given)
        return;
    opac_json_key(json, "certificate");
    if (!l->certified) {
        opac_json_null(json);
        return;
    }
    opac_json_begin_object(json);
    cli_echo_text(json, "path", path->text);
    if (*l->certificate_digest != '\0')
        cli_echo_text(json, "digest", l->certificate_digest);
    opac_json_end_object(json);
}

/* ---- for pictures ---- */

/* All, or so many of them, evenly, with the first and the last. */
static void echo_trace(const cli_learn *l, opac_json *json)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(l->learning, &count);
    size_t stride = (count + MOST_TRACE - 1) / MOST_TRACE;
    opac_json_key(json, "trace");
    opac_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        if (i % stride == 0 || i == count - 1)
            cli_learn_echo_entry(l, &entries[i], json);
    opac_json_end_array(json);
}

void cli_learn_write_json(const void *of, const cli_arguments *arguments, opac_output *out)
{
    const cli_learn *l = of;
    const char *path = l->written ? arguments->values[CLI_POLICY].text : NULL;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    cli_echo_number(&json, "seed", l->options.seed);
    cli_learn_echo_inputs(l, &json);
    cli_learn_echo_params(l, &json);
    cli_learn_echo_result(l, &json);
    cli_learn_echo_guarantee(l, &json);
    cli_learn_echo_stats(l, &json);
    if (l->model.simulator == NULL)
        cli_learn_echo_truth(l, &json);
    cli_learn_echo_automaton(l, &json);
    cli_policy_echo(l->policy, path, l->digest, &json);
    echo_certificate(l, &json);
    echo_trace(l, &json);
    cli_learn_echo_sample(l, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}
